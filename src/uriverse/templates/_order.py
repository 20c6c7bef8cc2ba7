"""The order of the templates of a router, and which templates are in conflict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeGuard

from ._matching import normalize_parts
from ._parsing import Expression, Operator, Part, Variable
from ._patterns import (
    OPEN,
    Builder,
    is_optional,
    locate_delimiters,
    make_skeleton,
    split_query,
    split_template,
)
from ._sequences import Segment, split_symbols
from ._template import Template
from ._types import SCALAR

#: The ranks of segments. A smaller rank is more specific.
LITERAL, MIXED, VARIABLE, END, OPTIONAL, UNLIMITED = range(6)


class Order(NamedTuple):
    """The parts of a template that are compared with those of others.

    If the scheme or the authority contains a variable, `prefix.start` is their string with a
    placeholder for each variable.
    """

    prefix: Segment
    path: tuple[Segment, ...]
    key: tuple[object, ...]


def compute_order(template: Template) -> Order:
    """Return what a router compares: it tries templates with a smaller key first."""
    head, query, fragment = split_template(normalize_parts(template._parts))
    prefix_parts, path_parts, is_open = split_head(head)
    start = "".join(map(make_skeleton, prefix_parts))
    # An open prefix may contain any number of slashes.
    prefix = make_segment(prefix_parts)._replace(start=start, is_open=is_open, is_unlimited=is_open)
    path = tuple(split_segments(path_parts))
    ranks = [rank_segment(prefix), *map(rank_segment, path), (END, 0)]
    typed_variable_count = sum(kind != SCALAR for kind in template._types.values())
    key = (
        ranks,
        make_query_key(query),
        make_fragment_key(fragment),
        -typed_variable_count,
        template._extra,  # A template without extra parameters precedes one with them.
    )
    return Order(prefix, path, key)


def split_head(head: list[Part]) -> tuple[list[Part], list[Part], bool]:
    """Return the parts before the path, those of the path, and whether the first are open.

    They are open if a variable may contain slashes, so that the path starts elsewhere.
    """
    skeleton = "".join(map(make_skeleton, head))
    colon, authority_end = locate_delimiters(skeleton)  # -1 without one
    path_start = max(colon + 1, authority_end)
    prefix_parts: list[Part] = []
    path_parts: list[Part] = []
    is_open = skeleton.startswith(OPEN)
    index = 0
    for part in head:
        end = index + len(make_skeleton(part))
        if isinstance(part, str):
            prefix_length = max(path_start - index, 0)
            prefix_parts.append(part[:prefix_length].lower())
            path_parts.append(part[prefix_length:])
        elif end <= path_start:
            prefix_parts.append(part)
            is_open = is_open or takes_slashes(part)
        else:
            path_parts.append(part)
        index = end
    prefix_parts = [part for part in prefix_parts if part]
    path_parts = [part for part in path_parts if part]
    if path_parts and adds_segments(path_parts[0]):
        # In `//host{/x}a`, the authority is longer without a value of `x`.
        is_open = is_open or not find_segment_ends(path_parts)[0]
    return prefix_parts, path_parts, is_open


def takes_many_segments(part: Part) -> bool:
    return takes_slashes(part) and (
        not adds_segments(part) or any(variable.explode for variable in part.variables)
    )


def find_segment_ends(path: Sequence[Part]) -> list[bool]:
    """Return for each part of a path whether the segment before it always ends there."""
    ends = [True]
    for part in reversed(path):
        if isinstance(part, str):
            ends.append(part.startswith("/"))
        else:
            ends.append(adds_segments(part) and ends[-1])
    return ends[::-1]


def takes_slashes(part: Part) -> TypeGuard[Expression]:
    return isinstance(part, Expression) and part.operator.symbol in {"+", "/"}


def adds_segments(part: Part) -> TypeGuard[Expression]:
    return isinstance(part, Expression) and part.operator.symbol == "/"


def split_segments(path: Sequence[Part]) -> list[Segment]:
    segments: list[Segment] = []
    segment_parts: list[Part] = []
    # The last of the ends is behind all parts.
    for part, ends_here in zip(path, find_segment_ends(path), strict=False):
        if isinstance(part, str):
            rest_of_segment, *next_segments = part.split("/")
            segment_parts.append(rest_of_segment)
            for start_of_segment in next_segments:
                segments.append(make_segment(segment_parts))
                segment_parts = [start_of_segment]
        elif ends_here:
            segments.append(make_segment(segment_parts))
            segment_parts = [part]
        else:
            segment_parts.append(part)
    return [*segments, make_segment(segment_parts)]


def make_segment(parts: Sequence[Part]) -> Segment:
    parts = [part for part in parts if part]
    first, last = (parts[0], parts[-1]) if parts else ("", "")
    return Segment(
        start=first if isinstance(first, str) else "",
        end=last if isinstance(last, str) else "",
        literals=count_literals(parts),
        is_variable=any(isinstance(part, Expression) for part in parts),
        is_open=any(map(takes_slashes, parts)),
        is_optional=len(parts) == 1 and adds_segments(parts[0]),
        is_unlimited=any(takes_many_segments(part) for part in parts),
    )


def count_literals(parts: Sequence[Part]) -> int:
    """Return the number of literal characters, each triplet counted as a single character."""
    return sum(len(split_symbols(part)) for part in parts if isinstance(part, str))


def rank_segment(segment: Segment) -> tuple[int, int]:
    """Return the rank of the kind; of segments of one kind, those with more literals go first."""
    if segment.is_unlimited:
        return UNLIMITED, -segment.literals
    if segment.is_open:
        return OPTIONAL, -segment.literals
    if not segment.is_variable:
        return LITERAL, 0
    return (MIXED, -segment.literals) if segment.literals else (VARIABLE, 0)


def make_query_key(query: list[Part] | None) -> tuple[int, int, int]:
    """Return a smaller key for a query that must exist, and for more or longer fixed parameters."""
    if query is None or is_optional(query, "?"):
        return 0, 0, 0
    literals = [part for part in query if isinstance(part, str)]
    fixed_parameters = [piece for text in literals for piece in text.split("&") if piece]
    return -1, -len(fixed_parameters), -count_literals(fixed_parameters)


def make_fragment_key(fragment: list[Part] | None) -> tuple[int, int]:
    """Return the smallest key for a fixed fragment or none, the largest for an optional one."""
    if fragment is None or all(isinstance(part, str) for part in fragment):
        return 0, 0
    return (2 if is_optional(fragment, "#") else 1), -count_literals(fragment)


def compute_shape(template: Template) -> Hashable:
    """Return what templates have in common that differ only in the names of variables."""
    head, query, fragment = split_template(normalize_parts(template._parts))
    prefix_parts, path_parts, _ = split_head(head)
    shapes = Shapes(template)
    return (
        shapes.shape_parts(prefix_parts),
        shapes.shape_parts(path_parts),
        query is not None and not is_optional(query, "?"),
        () if query is None else shapes.shape_query(query),
        None if fragment is None else (is_optional(fragment, "#"), shapes.shape_parts(fragment)),
        template._extra,
        template._iri,
    )


class Shapes:
    def __init__(self, template: Template) -> None:
        self.types = template._types
        self.allow = template._allow
        self.count = Counter(variable.name for variable in template.variables)

    def shape_parts(self, parts: Iterable[Part]) -> tuple[Hashable, ...]:
        return tuple(map(self.shape_part, parts))

    def shape_part(self, part: Part) -> Hashable:
        if isinstance(part, str):
            return part
        variables = [self.shape_variable(part, variable) for variable in part.variables]
        return (part.operator.symbol, *variables)

    def shape_variable(self, expression: Expression, variable: Variable) -> Hashable:
        name = variable.name
        return (
            name if expression.operator.named or self.count[name] > 1 else None,
            variable.prefix,
            variable.explode,
            self.types.get(name, SCALAR),
            self.allow[name],
        )

    def shape_query(self, query: list[Part]) -> Hashable:
        """Return a set if the order of the parameters does not matter."""
        if Builder(self.types, frozenset()).build_parameters(query) is None:
            return self.shape_parts(query)
        return frozenset(Counter(self.shape_parameters(query)).items())

    def shape_parameters(self, query: list[Part]) -> Iterator[Hashable]:
        """Yield the shapes of the parameters, without variables that do not matter."""
        for piece in split_query(query):
            match piece:
                case [Expression(Operator(symbol="?" | "&"), variables) as expression]:
                    for variable in variables:
                        # Any other variable takes every string, and may be missing.
                        if variable.name in self.types or self.count[variable.name] > 1:
                            yield self.shape_variable(expression, variable)
                case _:
                    yield self.shape_parts(piece)
