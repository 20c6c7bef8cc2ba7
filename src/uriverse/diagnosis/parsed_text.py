"""What is looked at: a text, whether it is an identifier or not, and where its parts stand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from uriverse._spec.components import AllParts, all_parts, bounds
from uriverse._spec.conversion import places_in_uri, uri_text
from uriverse._spec.normalization import lower
from uriverse._spec.syntax import matches
from uriverse.schemes.registry import Registry, Scheme, scheme_function
from uriverse.schemes.violation import Found

#: What is known where there is no scheme.
NO_SCHEME = Scheme(name="none")


class Span(NamedTuple):
    """A component, and where it stands."""

    component: str
    start: int
    end: int


class ParsedText:
    """A text with its parts, as its delimiters say; `valid` if it is an IRI reference."""

    def __init__(self, text: str, schemes: Registry, *, valid: bool) -> None:
        self.text = text
        self.schemes = schemes
        self.valid = valid
        self.at = bounds(text)
        self.parts: AllParts = all_parts(text)
        self.scheme = lower(self.parts.scheme or "")

    @cached_property
    def rules(self) -> Scheme:
        """What is known of the scheme; without one, that it is as any other."""
        return self.schemes.rules_of(self.scheme) if self.scheme_is_one else NO_SCHEME

    @cached_property
    def scheme_is_one(self) -> bool:
        """Whether there is a scheme, and it is one by the grammar."""
        return matches(self.scheme, "scheme")

    @cached_property
    def uri(self) -> ParsedText:
        """The URI that the IRI maps to; `self` if the string is ASCII or invalid.

        A host past ASCII is percent-encoded: every `reg-name` may be, and not all are domain names.
        """
        if self.text.isascii() or not self.valid:
            return self
        return ParsedText(uri_text(self.text), self.schemes, valid=True)

    @cached_property
    def places_in_uri(self) -> list[int]:
        """The offset in `uri` of each character of the IRI, followed by the length of `uri`."""
        return places_in_uri(self.text)

    def from_uri(self, found: Found) -> Found:
        """Convert a finding about `uri` so that its span refers to this identifier."""
        if self.uri is self:
            return found
        start = bisect_right(self.places_in_uri, found.start) - 1
        return found._replace(start=start, end=bisect_left(self.places_in_uri, found.end))

    @cached_property
    def unwanted_line_breaks(self) -> set[tuple[int, int]] | None:
        """The spans of encoded line breaks that the scheme does not expect.

        `None` for a scheme that expects none anywhere.
        """
        find = scheme_function(self.scheme, "line_breaks")
        return None if find is None else set(find(self.text))

    def span_of(self, component: str) -> Span:
        """Where a component stands that is there."""
        return next(span for span in self.spans if span.component == component)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The components that are there, from the left, without their delimiters."""
        return tuple(self._spans())

    def _spans(self) -> Iterator[Span]:
        at = self.at
        if at.scheme_end >= 0:
            yield Span("scheme", 0, at.scheme_end)
        if at.authority >= 0:
            if at.host > at.authority:
                yield Span("userinfo", at.authority, at.host - 1)
            yield Span("host", at.host, at.host_end)
            if at.host_end < at.path:
                yield Span("port", at.host_end + 1, at.path)
        yield Span("path", at.path, at.path_end)
        if at.path_end < at.query_end:
            yield Span("query", at.path_end + 1, at.query_end)
        if at.query_end < len(self.text):
            yield Span("fragment", at.query_end + 1, len(self.text))

    def component_at(self, position: int) -> str:
        """The component that a place is in, or else that it ends, or the delimiter before it."""
        inside = (c for c, start, end in self.spans if start <= position < end)
        ended = (c for c, _, end in self.spans if position <= end)
        return next(inside, None) or next(ended, self.spans[-1].component)
