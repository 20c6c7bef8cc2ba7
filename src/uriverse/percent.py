"""Percent-encode and decode data, and components of identifiers.

`encode` converts data to percent-encoded strings and `decode` does the reverse, each once. Split an
identifier into components before decoding: decoded data may contain any delimiter.

>>> from uriverse import percent
>>> percent.encode("50% of a/b", "segment")
'50%25%20of%20a%2Fb'
>>> percent.decode("50%25%20of%20a%2Fb")
'50% of a/b'
"""

from ._engine import kernel

TYPE_CHECKING = False
if TYPE_CHECKING or kernel is None:
    from ._spec.percent import decode, decode_bytes, decode_unreserved, encode, uppercase
else:
    decode = kernel.decode
    decode_bytes = kernel.decode_bytes
    decode_unreserved = kernel.decode_unreserved
    encode = kernel.encode
    uppercase = kernel.uppercase

__all__ = ["decode", "decode_bytes", "decode_unreserved", "encode", "uppercase"]

# Tracebacks and pickles name the public module.
for _function in (decode, decode_bytes, decode_unreserved, encode, uppercase):
    _function.__module__ = __name__
