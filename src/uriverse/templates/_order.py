"""The order of the templates of a router, and which templates are in conflict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeGuard

from ._matching import to_ascii
from ._parsing import Expression, Part, Variable
from ._patterns import OPEN, Builder, components, is_optional, normal, places, skeleton_of
from ._sequences import Segment, symbols_of
from ._template import Template
from ._types import SCALAR

#: The ranks of segments. A smaller rank is more specific.
LITERAL, MIXED, VARIABLE, END, OPTIONAL, UNLIMITED = range(6)


class Order(NamedTuple):
    """The parts of a template that are compared with those of others.

    Attributes:
        prefix: the scheme and the authority. If they contain a variable, `start` is their string
            with a placeholder for each variable.
        path: the segments of the path.
        key: the sort key of the template.
    """

    prefix: Segment
    path: tuple[Segment, ...]
    key: tuple[object, ...]


def order_of(template: Template) -> Order:
    head, query, fragment = components(normal_parts(template))
    before, after, is_open = divided(head)
    start = "".join(map(skeleton_of, before))
    prefix = segment_of(before)._replace(start=start, is_open=is_open, is_unlimited=is_open)
    path = tuple(segments_of(after))
    ranks = [rank_of(prefix), *map(rank_of, path), (END, 0)]
    key = (
        ranks,
        query_key(query),
        fragment_key(fragment),
        -sum(kind != SCALAR for kind in template._types.values()),
        template._extra,
    )
    return Order(prefix, path, key)


def normal_parts(template: Template) -> tuple[Part, ...]:
    """Return the literals, in normal form, and the expressions of a template."""
    return tuple(
        normal(to_ascii(part)) if isinstance(part, str) else part for part in template._parts
    )


def divided(head: list[Part]) -> tuple[list[Part], list[Part], bool]:
    """Divide a template before its path.

    Returns:
        The parts of the scheme and the authority, in lower case; the parts of the path; and whether
        a variable may contain the end of the authority.
    """
    skeleton = "".join(map(skeleton_of, head))
    colon, authority_end = places(skeleton)
    cut = max(colon + 1, authority_end)
    before: list[Part] = []
    after: list[Part] = []
    is_open = skeleton.startswith(OPEN)
    index = 0
    for part in head:
        end = index + len(skeleton_of(part))
        if isinstance(part, str):
            length = max(cut - index, 0)
            before.append(part[:length].lower())
            after.append(part[length:])
        elif end <= cut:
            before.append(part)
            is_open = is_open or takes_slashes(part)
        else:
            after.append(part)
        index = end
    before, after = [part for part in before if part], [part for part in after if part]
    # In `//host{/x}a`, the authority is longer without a value of `x`.
    is_open = is_open or (bool(after) and adds_segments(after[0]) and not ends_in(after)[0])
    return before, after, is_open


def takes_many_segments(part: Part) -> bool:
    """Return whether a part is an expression that expands to any number of segments."""
    return takes_slashes(part) and (
        not adds_segments(part) or any(variable.explode for variable in part.variables)
    )


def ends_in(path: Sequence[Part]) -> list[bool]:
    """Return for each part of a path whether the segment before it always ends there.

    A segment that `{/x}` follows ends there only if it also ends there without a value of `x`.
    """
    ends = [True]
    for part in reversed(path):
        ends.append(
            part.startswith("/") if isinstance(part, str) else adds_segments(part) and ends[-1]
        )
    return ends[::-1]


def takes_slashes(part: Part) -> TypeGuard[Expression]:
    return isinstance(part, Expression) and part.operator.symbol in {"+", "/"}


def adds_segments(part: Part) -> TypeGuard[Expression]:
    return isinstance(part, Expression) and part.operator.symbol == "/"


def segments_of(path: Sequence[Part]) -> list[Segment]:
    segments: list[Segment] = []
    pending: list[Part] = []
    for part, ends_here in zip(path, ends_in(path), strict=False):
        if isinstance(part, str):
            first, *others = part.split("/")
            pending.append(first)
            for text in others:
                segments.append(segment_of(pending))
                pending = [text]
        elif ends_here:
            segments.append(segment_of(pending))
            pending = [part]
        else:
            pending.append(part)
    return [*segments, segment_of(pending)]


def segment_of(parts: Sequence[Part]) -> Segment:
    parts = [part for part in parts if part]
    texts = [part for part in parts if isinstance(part, str)]
    first, last = (parts[0], parts[-1]) if parts else ("", "")
    return Segment(
        start=first if isinstance(first, str) else "",
        end=last if isinstance(last, str) else "",
        literals=literals_in(parts),
        is_variable=len(texts) < len(parts),
        is_open=any(map(takes_slashes, parts)),
        is_optional=len(parts) == 1 and adds_segments(parts[0]),
        is_unlimited=any(takes_many_segments(part) for part in parts),
    )


def literals_in(parts: Sequence[Part]) -> int:
    """Return the number of literal characters, each triplet counted as a single character."""
    return sum(len(symbols_of(part)) for part in parts if isinstance(part, str))


def rank_of(segment: Segment) -> tuple[int, int]:
    if segment.is_open:
        return (UNLIMITED if segment.is_unlimited else OPTIONAL), -segment.literals
    if not segment.is_variable:
        return LITERAL, 0
    return (MIXED, -segment.literals) if segment.literals else (VARIABLE, 0)


def query_key(query: list[Part] | None) -> tuple[int, int, int]:
    if query is None or is_optional(query, "?"):
        return 0, 0, 0
    texts = [part for part in query if isinstance(part, str)]
    written = [piece for text in texts for piece in text.split("&") if piece]
    return -1, -len(written), -literals_in(written)


def fragment_key(fragment: list[Part] | None) -> tuple[int, int]:
    if fragment is None or all(isinstance(part, str) for part in fragment):
        return 0, 0
    return (2 if is_optional(fragment, "#") else 1), -literals_in(fragment)


def shape_of(template: Template) -> Hashable:
    """Return what templates have in common that are the same apart from the names of variables."""
    head, query, fragment = components(normal_parts(template))
    before, after, _ = divided(head)
    shapes = Shapes(template)
    return (
        shapes.of(before),
        shapes.of(after),
        query is not None and not is_optional(query, "?"),
        () if query is None else shapes.of_query(query),
        None if fragment is None else (is_optional(fragment, "#"), shapes.of(fragment)),
        template._extra,
        template._iri,
    )


class Shapes:
    """Creates the shapes of the parts of a template."""

    def __init__(self, template: Template) -> None:
        self.types = template._types
        self.allow = template._allow
        self.count = Counter(variable.name for variable in template.variables)

    def of(self, parts: Iterable[Part]) -> tuple[Hashable, ...]:
        return tuple(
            part
            if isinstance(part, str)
            else (
                part.operator.symbol,
                tuple(self.of_variable(part, variable) for variable in part.variables),
            )
            for part in parts
        )

    def of_variable(self, expression: Expression, variable: Variable) -> Hashable:
        """Return the shape of a variable, with its name if the name matters."""
        name = variable.name
        return (
            name if expression.operator.named or self.count[name] > 1 else None,
            variable.prefix,
            variable.explode,
            self.types.get(name, SCALAR),
            self.allow[name],
        )

    def of_query(self, query: list[Part]) -> Hashable:
        """Return the shape of a query: a set if the order of the parameters does not matter."""
        if Builder(self.types, frozenset()).parameters_of(query) is None:
            return self.of(query)
        return frozenset(Counter(self.of_parameters(query)).items())

    def of_parameters(self, query: list[Part]) -> Iterator[Hashable]:
        """Yield the shapes of the parameters, without variables that do not matter."""
        written: list[list[Part]] = [[]]
        for part in query:
            if isinstance(part, str):
                first, *others = part.split("&")
                written[-1].append(first)
                written.extend([text] for text in others)
            elif part.operator.symbol in {"?", "&"}:
                written.append([])
                for variable in part.variables:
                    if variable.name in self.types or self.count[variable.name] > 1:
                        yield self.of_variable(part, variable)
            else:
                written[-1].append(part)
        for parts in written:
            found = [part for part in parts if part]
            if found:
                yield self.of(found)
