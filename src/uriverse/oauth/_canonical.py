"""The canonical form of `http` and `https` URIs, and the conditions that functions share."""

from __future__ import annotations

from ipaddress import IPv4Address

from uriverse._policy import Policy
from uriverse._policy.judging import findings_of, reject_first
from uriverse._policy.rejections import reject
from uriverse._uri import URI, IRIReference, parse
from uriverse._uri.engine import Identifier

#: Resources and issuers may be on internal hosts, but all programs must parse them alike.
POLICY = Policy(schemes={"http", "https"}, scopes=None)


def canonical_without_fragment(uri: str | Identifier) -> URI:
    """Return the canonical form of an `http` or `https` URI without userinfo and fragment."""
    canonical = POLICY.enforce(uri)
    reject_fragment(parse(uri))
    # The policy has no rules, but servers compare the paths.
    for each in (parse(uri), canonical):
        reject_first(each, findings_of(POLICY, each)[0])
    return canonical


def reject_fragment(given: IRIReference) -> None:
    """Raise `PolicyError` if a URI has a fragment, even an empty one."""
    if given.fragment is not None:
        reject(given, "fragment", "fragment", "unexpected fragment", "remove the fragment")


def reject_plain_http(given: IRIReference, uri: URI, *, localhost: bool) -> None:
    """Raise `PolicyError` if a canonical URI has the scheme `http` and no loopback host."""
    if uri.scheme != "https" and not has_loopback_host(uri, localhost=localhost):
        reason = "http is allowed only for loopback hosts"
        hint = "write 127.0.0.1 instead of localhost" if uri.host == "localhost" else "use https"
        reject(given, "scheme-not-allowed", "scheme", reason, hint)


def has_loopback_host(uri: URI, *, localhost: bool) -> bool:
    """Return whether the host is `[::1]`, an address in 127.0.0.0/8 or, if allowed, `localhost`."""
    if uri.host == "localhost":
        return localhost
    # Other notations of ::1 are excluded, and so are IPv6 addresses with an IPv4 address in them.
    address = uri.ip
    return uri.host == "[::1]" or (isinstance(address, IPv4Address) and address.is_loopback)
