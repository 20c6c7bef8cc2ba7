"""Percent-encoding, for those who have data or a component of their own.

Encoded text and data never mix: `encode` takes data and gives text, `decode` takes text
and gives data, each once. Take an identifier apart before decoding, as what is decoded may
hold any delimiter.

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
