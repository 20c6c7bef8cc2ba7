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

from . import engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .spec.percent import decode, decode_bytes, decode_unreserved, encode, uppercase
else:
    _functions = engine.percent_functions()
    decode = _functions.decode
    decode_bytes = _functions.decode_bytes
    decode_unreserved = _functions.decode_unreserved
    encode = _functions.encode
    uppercase = _functions.uppercase

__all__ = ["decode", "decode_bytes", "decode_unreserved", "encode", "uppercase"]
