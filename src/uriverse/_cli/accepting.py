"""The options `--accept-host` and `--accept-scheme`."""

from __future__ import annotations

from fnmatch import fnmatchcase

from uriverse import ConvertError, IRIReference
from uriverse._errors import visible
from uriverse._uri.engine import bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def accepted(value: IRIReference, hosts: Sequence[str], schemes: Sequence[str]) -> IRIReference:
    """Return a URI unchanged if `--accept-host` and `--accept-scheme` allow its host and scheme.

    Raises:
        ConvertError: the host or the scheme is not accepted.
    """
    host, scheme = value.hostname or "", (value.scheme or "").lower()
    if hosts and not any(glob in {host, value.host} or fnmatchcase(host, glob) for glob in hosts):
        reason = visible(f"the host does not match {' or '.join(hosts)}")
        raise ConvertError(str(value), max(bounds(value).host, 0), "host", "host", reason)
    if schemes and scheme not in schemes:
        reason = visible(f"the scheme is not {' or '.join(schemes)}")
        raise ConvertError(str(value), 0, "scheme", "scheme", reason)
    return value
