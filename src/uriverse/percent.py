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

from . import _lazy as _lazy  # noqa: PLC0414 - first, as all public modules
from ._engine import use_compiled as _use_compiled
from ._spec import percent as _percent

__all__ = ["decode", "decode_bytes", "decode_unreserved", "encode", "uppercase"]
__dir__ = __all__.copy

decode = _use_compiled()(_percent.decode)
decode_bytes = _use_compiled()(_percent.decode_bytes)
decode_unreserved = _use_compiled()(_percent.decode_unreserved)
encode = _use_compiled()(_percent.encode)
uppercase = _use_compiled()(_percent.uppercase)
_lazy.publish(globals())
