"""The class `Template`: a URI Template that is expanded, and matched against URIs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from uriverse._errors import ParseError, TemplateError, quote_argument
from uriverse._redaction import redact_invalid
from uriverse._uri import IRIReference, URIReference
from uriverse._uri.params import Params

from ._ambiguity import ambiguities_of
from ._compiled import Program, compiled_expansion, compiled_matching
from ._expansion import Piece, expanded, partial_pieces, partial_text
from ._matching import (
    MOST_READINGS,
    Found,
    TooManyReadingsError,
    found_in,
    matches,
    shown_values,
    target_of,
    text_of,
    to_ascii,
)
from ._parsing import Expression, Part, Variable, parsed
from ._patterns import Pattern, Slot, normal, pattern_of
from ._safety import HAZARDS, Hazard, check_expansion
from ._types import VariableType, type_of

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


class Template:
    """A URI Template ([RFC 6570][1]): expand it to URIs, and match URIs against it.

    All operators and modifiers of RFC 6570 are supported, in both directions. A template is
    immutable. `str(template)` is the string that it was created from.

    Matching is the inverse of expansion, and safe by default. A variable in a path never takes a
    dot segment, a slash that is percent-encoded, a backslash, a control character, or nothing, and
    neither what decoding a value again would turn into one of these. `allow` permits some of them.

    [1]: https://www.rfc-editor.org/rfc/rfc6570

    Args:
        text: the template.
        types: the types of variables by name: `int`, `float`, `str`, `date`, `datetime`, `UUID`, a
            tuple of the allowed strings, and `list` or `dict`, also with the type of their items,
            such as `list[int]`. A variable matches only strings that a value of its type expands
            to, and `expand` accepts no other values.
        allow: what variables in the path may contain: `"slash"` for percent-encoded slashes and
            backslashes, `"dots"` for the segments `.` and `..`, `"empty"` for empty values. Pass a
            mapping from names to such sets to allow them for some variables only.
        safe: whether `expand` refuses the values that matching refuses as well.
        extra: whether URIs may have parameters in the query that the template does not contain.
        iri: whether to expand to IRIs, and to match IRIs.

    Raises:
        TemplateError: the string is not a URI Template.
        TypeError: an argument has the wrong type.
        ValueError: a name in `types` or `allow` is not a variable.

    >>> template = Template("/users/{id}/files{/path*}{?page}", types={"id": int, "page": int})
    >>> template.expand(id=7, path=["a b", "c"], page=2)
    URIReference('/users/7/files/a%20b/c?page=2')
    >>> template.match("/users/7/files/a%20b/c?page=2").variables
    {'id': 7, 'path': ['a b', 'c'], 'page': 2}
    >>> template.match("/users/7/files/../secret") is None
    True
    """

    __slots__ = ("__dict__", "_allow", "_extra", "_iri", "_parts", "_safe", "_text", "_types")

    _text: str
    _parts: tuple[Part, ...]
    _types: dict[str, VariableType]
    _allow: dict[str, frozenset[Hazard]]
    _safe: bool
    _extra: bool
    _iri: bool

    def __init__(
        self,
        text: str,
        /,
        *,
        types: Mapping[str, object] | None = None,
        allow: AbstractSet[Literal["slash", "dots", "empty"]]
        | Mapping[str, Iterable[Literal["slash", "dots", "empty"]]] = frozenset(),
        safe: bool = False,
        extra: bool = True,
        iri: bool = False,
    ) -> None:
        if not isinstance(text, str):
            raise TypeError(f"a template must be a str, not {type(text).__name__}")
        text = str.__str__(text)
        parts = parsed(text)
        variables = variables_of(parts)
        fields: dict[str, object] = {
            "_text": text,
            "_parts": parts,
            "_types": checked_types(variables, types),
            "_allow": checked_hazards(variables, allow),
            "_safe": safe,
            "_extra": extra,
            "_iri": iri,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables, in the order of the template.

        >>> Template("/map{?x,y}{&layers*}").variables[2]
        Variable(name='layers', operator='&', prefix=None, explode=True)
        """
        return variables_of(self._parts)

    # --- expansion

    def expand(
        self, values: Mapping[str, object] | None = None, /, **named: object
    ) -> URIReference:
        """Expand the template ([RFC 6570, section 3][1]).

        Values are strings, numbers, dates, lists, and mappings or lists of pairs. A variable that
        is missing or `None` is undefined, and so are empty lists and mappings.

        [1]: https://www.rfc-editor.org/rfc/rfc6570#section-3

        Args:
            values: the values of the variables. Other names are ignored.
            named: more values, which replace those in `values`.

        Returns:
            The URI reference; an `IRIReference` if the template has `iri=True`.

        Raises:
            TemplateError: a value is not allowed, or the result is not a valid reference, which can
                only happen with the operators "+" and "#", in a scheme and in a host.
            TypeError: a value has a type that cannot be expanded.

        >>> Template("{+base}/search{?q,tags*}").expand(
        ...     base="https://example.org", q="cats & dogs", tags=["a", "b"]
        ... )
        URIReference('https://example.org/search?q=cats%20%26%20dogs&tags=a&tags=b')
        """
        text = self.expand_text(values, **named)
        try:
            return (IRIReference if self._iri else URIReference)(text)  # type: ignore[return-value]
        except ParseError as error:
            reason = f"the expansion is invalid: {error.reason}"
            raise TemplateError(
                text, error.position, error.component, error.rule, reason, error.hint
            ) from None

    def expand_text(self, values: Mapping[str, object] | None = None, /, **named: object) -> str:
        """Expand the template to a string, which need not be a valid reference.

        Args:
            values: the values of the variables, as in `expand`.
            named: more values, which replace those in `values`.

        Raises:
            TemplateError: a value is not allowed.
            TypeError: a value has a type that cannot be expanded.

        >>> Template("{user}[{index}]").expand_text(user="me", index=3)
        'me[3]'
        """
        given = {**(values or {}), **named}
        program = self._expansion
        if program is not None:
            text = program.expand(given)
            if text is not NotImplemented:
                return cast("str", text)
        pieces = self._expanded(self._parts, given)
        if self._safe:
            self._check(pieces)
        return "".join(piece.text for piece in pieces)

    @cached_property
    def _expansion(self) -> Program:
        """The program that expands the template in the kernel, or `None`."""
        return None if self._safe or self._iri else compiled_expansion(self._parts, self._types)

    def _check(self, pieces: list[Piece]) -> None:
        pattern = self._pattern
        has_scheme, has_authority = pattern.has_scheme, pattern.has_authority
        check_expansion(pieces, self._allow, has_scheme=has_scheme, has_authority=has_authority)

    def _expanded(self, parts: tuple[Part, ...], values: Mapping[str, object]) -> list[Piece]:
        return expanded(parts, values, self._types, iri=self._iri)

    def partial(self, values: Mapping[str, object] | None = None, /, **named: object) -> Template:
        """Expand some variables, and return a template for the others.

        In a query, the parameters that are expanded come first. The variables of one expression
        without names, such as `{x,y}`, can only be expanded together.

        Args:
            values: the values of the variables to expand; `None` for one that remains undefined.
            named: more values, which replace those in `values`.

        Raises:
            TemplateError: a value is not allowed, or an expression cannot be expanded in part.
            TypeError: a value has a type that cannot be expanded.

        >>> str(Template("https://{host}/v1/items{?key,page}").partial(host="a.example", key="k"))
        'https://a.example/v1/items?key=k{&page}'
        """
        given = {**(values or {}), **named}
        if self._safe:
            self._check(partial_pieces(self._parts, given, self._expanded))
        text = partial_text(self._parts, given, self._expanded)
        left = {variable.name for variable in variables_of(parsed(text))}
        options = self._options()
        for name in ("types", "allow"):
            options[name] = {key: value for key, value in options[name].items() if key in left}
        return type(self)(text, **options)

    # --- matching

    def match(self, uri: str | URIReference | IRIReference, /) -> Match | None:
        """Return the values of the variables in a URI; `None` if the URI does not match.

        The URI is divided into components before anything is decoded. Schemes, hosts and
        percent-encoded triplets are compared in normal form. The parameters of a query may have any
        order, and each variable of a query may be missing.

        The time is linear in the length of the URI.

        Args:
            uri: the URI or reference. An invalid string does not match.

        Raises:
            TemplateError: the URI matches in more than one way, or there are more than 256 ways to
                divide it between the variables; see `ambiguities`.
            TypeError: `uri` is neither a `str` nor one of the four URI types.

        >>> Template("https://{host}/{+path}").match("https://example.org/a/b%20c").variables
        {'host': 'example.org', 'path': 'a/b c'}
        """
        program = self._matching
        if program is not None:
            taken = program.match(uri if type(uri) is str else text_of(uri))
            if taken is not NotImplemented:
                return None if taken is None else Match(self, *taken)
        found = self._found(uri)
        if found is None:
            return None
        try:
            values = list(islice(matches(self._pattern, found, self._allow), 2))
        except TooManyReadingsError:
            reason = f"too many ways to match: uriverse examines only {MOST_READINGS} of them"
            reject_ambiguous(uri, reason)
        if len(values) > 1:
            reject_ambiguous(uri, "the URI matches the template in more than one way")
        return Match(self, values[0], found.extra) if values else None

    def match_all(
        self, uri: str | URIReference | IRIReference, /, *, limit: int = 16
    ) -> list[Match]:
        """Return all ways in which a URI matches.

        Args:
            uri: the URI or reference.
            limit: the largest number of matches to return, at most 256.

        Raises:
            TypeError: `uri` is neither a `str` nor one of the four URI types.

        >>> [match.variables for match in Template("{a}-{b}").match_all("x-y-z")]
        [{'a': 'x-y', 'b': 'z'}, {'a': 'x', 'b': 'y-z'}]
        """
        found = self._found(uri)
        if found is None:
            return []
        results: list[Match] = []
        try:
            for values in matches(self._pattern, found, self._allow):
                if len(results) >= limit:
                    break
                results.append(Match(self, values, found.extra))
        except TooManyReadingsError:
            pass
        return results

    def _found(self, uri: str | URIReference | IRIReference) -> Found | None:
        try:
            target = (IRIReference if self._iri else URIReference)(text_of(uri))
        except ParseError:
            return None
        found = found_in(self._pattern, target_of(target))
        return None if found is None or (found.extra is not None and not self._extra) else found

    @cached_property
    def _matching(self) -> Program:
        """The program that matches URIs in the kernel, or `None`."""
        return compiled_matching(self._pattern, self._allow, extra=self._extra)

    @cached_property
    def _pattern(self) -> Pattern:
        empty = frozenset(name for name, hazards in self._allow.items() if "empty" in hazards)
        parts = tuple(
            normal(to_ascii(part)) if isinstance(part, str) else part for part in self._parts
        )
        return pattern_of(parts, self._types, empty)

    @property
    def ambiguities(self) -> tuple[str, ...]:
        """The reasons why matching an expansion may not return the values.

        >>> Template("/{owner}-{repo}").ambiguities
        ('owner and repo can be divided in more than one way',)
        """
        return self._ambiguities

    @cached_property
    def _ambiguities(self) -> tuple[str, ...]:
        """The reasons, which take long to find."""
        return ambiguities_of(self._parts, self._pattern)

    @property
    def is_reversible(self) -> bool:
        """Whether `match(expand(values))` returns the values.

        This refers to values that `safe=True` accepts, with the type that the variable has or that
        matching returns: a `str`, and a list or a mapping for an exploded variable. Lists and
        mappings are not empty, and variables outside of optional expressions have a value.
        `ambiguities` contains the reasons if the template is not reversible.

        >>> Template("/users/{id}{?page}").is_reversible, Template("/{+path}").is_reversible
        (True, False)
        """
        return not self.ambiguities

    # --- fields of pydantic models; see `uriverse._uri.pydantic_schema`

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> CoreSchema:
        from uriverse._uri.pydantic_schema import create_field_schema

        return create_field_schema(cls)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: Any) -> dict[str, Any]:
        from uriverse._uri.pydantic_schema import create_json_schema

        return create_json_schema("uri-template", handler)

    # --- the object

    def _options(self) -> dict[str, Any]:
        return {
            "types": self._types,
            "allow": {name: hazards for name, hazards in self._allow.items() if hazards},
            "safe": self._safe,
            "extra": self._extra,
            "iri": self._iri,
        }

    def _key(self) -> tuple[object, ...]:
        return (
            self._text,
            frozenset(self._types.items()),
            frozenset(self._allow.items()),
            self._safe,
            self._extra,
            self._iri,
        )

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        shown = "".join(
            f", {name}={value!r}"
            for name, value in (("safe", self._safe), ("iri", self._iri))
            if value
        )
        return f"{type(self).__name__}({redact_invalid(self._text)!r}{shown})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Template):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), self._text, self._options())


class Match:
    """The values of the variables in a URI that matches a template.

    Attributes:
        template: the template.
        variables: the decoded values by the names of the variables. Variables that the URI does not
            contain are missing.

    >>> from uriverse.templates import Template
    >>> match = Template("/users{/id}{?page}").match("/users/7?page=2&debug")
    >>> match.variables, str(match.extra)
    ({'id': '7', 'page': '2'}, 'debug')
    """

    __slots__ = ("_extra", "template", "variables")

    template: Template
    variables: dict[str, Any]
    _extra: str | None

    def __init__(self, template: Template, variables: dict[str, Any], extra: str | None) -> None:
        self.template = template
        self.variables = variables
        self._extra = extra

    @property
    def extra(self) -> Params:
        """The parameters of the query that the template does not contain.

        >>> from uriverse.templates import Template
        >>> match = Template("/search{?q}").match("/search?q=cats&utm_source=mail")
        >>> match.extra["utm_source"]
        'mail'
        """
        return Params(self._extra, codec="rfc3986")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return (self.template, self.variables, self._extra) == (
            other.template,
            other.variables,
            other._extra,
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = shown_values(str(self.template), self.variables)
        extra = "" if self._extra is None else f", extra={redact_invalid(self._extra)!r}"
        return f"Match({shown!r}{extra})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Match, (self.template, self.variables, self._extra)


def restored(kind: type[Template], text: str, options: dict[str, Any]) -> Template:
    return kind(text, **options)


def reject_ambiguous(uri: object, reason: str) -> NoReturn:
    """Raise the error for a URI that matches, or may match, in more than one way."""
    hint = "use match_all, or separate the variables by a character that they cannot contain"
    raise TemplateError(str(uri), 0, "text", "URI-Template", reason, hint)


def slots_of(template: Template) -> tuple[Slot, ...]:
    return template._pattern.slots


def declared_types(template: Template) -> Mapping[str, VariableType]:
    return template._types


def with_safety(template: Template) -> Template:
    return restored(type(template), str(template), {**template._options(), "safe": True})


def programs_of(template: Template) -> tuple[Program, Program]:
    """Return the programs that expand and match in the kernel, or `None`."""
    return template._expansion, template._matching


def variables_of(parts: tuple[Part, ...]) -> tuple[Variable, ...]:
    expressions = (part for part in parts if isinstance(part, Expression))
    return tuple(variable for expression in expressions for variable in expression.variables)


def checked_types(
    variables: tuple[Variable, ...], types: Mapping[str, object] | None
) -> dict[str, VariableType]:
    if types is not None and not isinstance(types, Mapping):
        raise TypeError(f"types must be a mapping from names to types, not {quote_argument(types)}")
    found: dict[str, VariableType] = {}
    known = {variable.name: variable for variable in variables}
    for name, given in (types or {}).items():
        if name not in known:
            raise ValueError(f"unknown variable in types: {quote_argument(name)}")
        if isinstance(given, VariableType):
            found[name] = given
            continue
        same = [variable for variable in variables if variable.name == name]
        explode = any(variable.explode for variable in same)
        named = any(
            variable.explode and variable.operator in ";?&"
            for variable in same
            if variable.operator
        )
        kind = type_of(name, given, explode=explode, named=named)
        if kind.scalar is not str and any(variable.prefix for variable in same):
            raise TypeError(f"the type of {name} must be str: a prefix length applies to strings")
        found[name] = kind
    return found


def checked_hazards(
    variables: tuple[Variable, ...], allow: AbstractSet[Hazard] | Mapping[str, Iterable[Hazard]]
) -> dict[str, frozenset[Hazard]]:
    """Check what variables may contain; return it for every variable."""
    names = [variable.name for variable in variables]
    if isinstance(allow, Mapping):
        by_name = allow
        for name in by_name:
            if name not in names:
                raise ValueError(f"unknown variable in allow: {quote_argument(name)}")
    else:
        everywhere = hazards_of(allow)
        by_name = dict.fromkeys(names, everywhere)
    return {name: hazards_of(by_name.get(name, ())) for name in names}


def hazards_of(given: Iterable[Hazard]) -> frozenset[Hazard]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"allow must be a set of {', '.join(HAZARDS)}, not {quote_argument(given)}")
    found = frozenset(given)
    for hazard in found:
        if hazard not in HAZARDS:
            raise ValueError(
                f"allow must contain only {', '.join(HAZARDS)}, not {quote_argument(hazard)}"
            )
    return found
