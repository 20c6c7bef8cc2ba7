"""Percent-encode data for a component of a URI, and decode components ([RFC 3986, 2][1]).

`encode` converts data to a percent-encoded string, and `decode` converts it back. Split a URI into
its components before you decode them, because decoded data may contain any delimiter.

[1]: https://www.rfc-editor.org/rfc/rfc3986#section-2

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
