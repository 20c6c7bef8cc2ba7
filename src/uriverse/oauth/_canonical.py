"""The canonical form of the URIs that name a resource or an issuer."""

from __future__ import annotations

from uriverse._engine import Identifier
from uriverse._identifiers import URI, IRIReference, parse
from uriverse._policy import Policy
from uriverse._policy.rejections import reject

#: Resources and issuers may be on internal hosts, but all programs must parse them alike.
POLICY = Policy(schemes={"http", "https"}, scopes=None)


def canonical_without_fragment(uri: str | Identifier) -> URI:
    """Return the canonical form of an `http` or `https` URI without userinfo and fragment."""
    canonical = POLICY.enforce(uri)
    reject_fragment(parse(uri))
    return canonical


def reject_fragment(given: IRIReference) -> None:
    """Raise `PolicyError` if a URI has a fragment, even an empty one."""
    if given.fragment is not None:
        reject(given, "fragment", "fragment", "unexpected fragment", "remove the fragment")
