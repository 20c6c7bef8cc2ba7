"""The string that `check` examines, valid or not, split into its components."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import NamedTuple

from uriverse._spec.components import AllParts, match_appendix_b, read_all_parts, read_bounds
from uriverse._spec.conversion import map_to_uri_offsets
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.syntax import matches
from uriverse._spec.violation import ComponentSpan, find_components
from uriverse._uri import parse
from uriverse.schemes._descriptors import find_scheme_function
from uriverse.schemes._registry import Registry, Scheme
from uriverse.schemes._violation import Problem

NO_SCHEME = Scheme(name="none")


class Span(NamedTuple):
    component: str
    start: int
    end: int


class ParsedText:
    """The components of a string that `check` examines, even if the string is not a valid URI."""

    def __init__(
        self, text: str, schemes: Registry, *, valid: bool, first_only: bool = False
    ) -> None:
        self.text = text
        self.schemes = schemes
        self.valid = valid
        self.first_only = first_only  # whether the first finding of each code suffices
        match = match_appendix_b(text)
        self.bounds = read_bounds(match)
        self.parts: AllParts = read_all_parts(match)
        self.scheme = lowercase_ascii(self.parts.scheme or "")

    @cached_property
    def rules(self) -> Scheme:
        return self.schemes.rules_of(self.scheme) if self.has_valid_scheme else NO_SCHEME

    @cached_property
    def has_valid_scheme(self) -> bool:
        return matches(self.scheme, "scheme")

    @cached_property
    def uri(self) -> ParsedText:
        """The string as a URI, if it is a valid IRI; this object otherwise.

        A non-ASCII host is percent-encoded, not converted to A-labels: it may not be a domain name.
        """
        if self.text.isascii() or not self.valid:
            return self
        return ParsedText(str(parse(self.text).to_uri()), self.schemes, valid=True)

    @cached_property
    def offsets_in_uri(self) -> list[int]:
        return map_to_uri_offsets(self.text)

    def map_to_iri(self, problem: Problem) -> Problem:
        if self.uri is self:
            return problem
        start = bisect_right(self.offsets_in_uri, problem.start) - 1
        return problem._replace(start=start, end=bisect_left(self.offsets_in_uri, problem.end))

    @cached_property
    def unwanted_line_breaks(self) -> set[tuple[int, int]] | None:
        """Line breaks that the scheme does not allow; `None` if it allows none anywhere."""
        find_line_breaks = find_scheme_function(self.scheme, "find_line_breaks")
        return None if find_line_breaks is None else set(find_line_breaks(self.text))

    def get_span(self, component: str) -> Span:
        return next(span for span in self.spans if span.component == component)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        return tuple(Span(name, start, end) for name, _, start, end in self.component_spans)

    @cached_property
    def component_spans(self) -> tuple[ComponentSpan, ...]:
        """The same spans, with the grammar rules of the components."""
        # For ASCII strings, the rules for URIs give the same findings, and compile faster.
        return tuple(find_components(self.text, iri=not self.text.isascii()))

    def get_component(self, position: int) -> str:
        for component, start, end in self.spans:
            if start <= position < end:
                return component
        # A delimiter is part of the component before it, or else of the next one.
        return next(component for component, _, end in self.spans if position <= end)
