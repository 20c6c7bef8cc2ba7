"""The class `Template`: a URI Template that is expanded, and matched against URIs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from uriverse._errors import ParseError, TemplateError, quote_argument
from uriverse._redaction import redact_invalid
from uriverse._uri import IRIReference, URIReference
from uriverse._uri.params import Params

from ._ambiguity import find_ambiguities
from ._compiled import Program, compile_expansion, compile_matching
from ._expansion import Piece, expand_partially, expand_template, list_partial_pieces
from ._matching import (
    MAX_READINGS,
    ComponentMatch,
    TooManyReadingsError,
    enumerate_values,
    get_uri_text,
    match_components,
    normalize_parts,
    normalize_target,
    redact_values,
)
from ._parsing import Expression, Part, Variable, parse_template
from ._patterns import Pattern, Slot, compile_pattern
from ._safety import HAZARDS, Hazard, check_expansion
from ._types import VariableType, parse_type

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
        parts = parse_template(text)
        variables = list_variables(parts)
        fields: dict[str, object] = {
            "_text": text,
            "_parts": parts,
            "_types": parse_types(variables, types),
            "_allow": parse_allow(variables, allow),
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
        return list_variables(self._parts)

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
        all_values = {**(values or {}), **named}
        program = self._expansion
        if program is not None:
            text = program.expand(all_values)
            if text is not NotImplemented:  # for values that only Python can expand
                return cast("str", text)
        pieces = self._expand_parts(self._parts, all_values)
        if self._safe:
            self._check(pieces)
        return "".join(piece.text for piece in pieces)

    @cached_property
    def _expansion(self) -> Program:
        return None if self._safe or self._iri else compile_expansion(self._parts, self._types)

    def _check(self, pieces: list[Piece]) -> None:
        pattern = self._pattern
        has_scheme, has_authority = pattern.has_scheme, pattern.has_authority
        check_expansion(pieces, self._allow, has_scheme=has_scheme, has_authority=has_authority)

    def _expand_parts(self, parts: tuple[Part, ...], values: Mapping[str, object]) -> list[Piece]:
        return expand_template(parts, values, self._types, iri=self._iri)

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
        all_values = {**(values or {}), **named}
        if self._safe:
            self._check(list_partial_pieces(self._parts, all_values, self._expand_parts))
        text = expand_partially(self._parts, all_values, self._expand_parts)
        remaining_names = {variable.name for variable in list_variables(parse_template(text))}
        options = self._options()
        for option in ("types", "allow"):
            by_name = options[option].items()
            options[option] = {name: value for name, value in by_name if name in remaining_names}
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
            kernel_match = program.match(uri if type(uri) is str else get_uri_text(uri))
            if kernel_match is not NotImplemented:  # for URIs that only Python can match
                return None if kernel_match is None else Match(self, *kernel_match)
        component_match = self._match_components(uri)
        if component_match is None:
            return None
        readings = enumerate_values(self._pattern, component_match, self._allow)
        try:
            variables, second = next(readings, None), next(readings, None)
        except TooManyReadingsError:
            reason = f"too many ways to match: uriverse examines only {MAX_READINGS} of them"
            reject_ambiguous(uri, reason)
        if second is not None:
            reject_ambiguous(uri, "the URI matches the template in more than one way")
        return None if variables is None else Match(self, variables, component_match.extra)

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
        component_match = self._match_components(uri)
        if component_match is None:
            return []
        matches: list[Match] = []
        try:
            for values in enumerate_values(self._pattern, component_match, self._allow):
                if len(matches) >= limit:
                    break
                matches.append(Match(self, values, component_match.extra))
        except TooManyReadingsError:
            pass  # return those that were examined
        return matches

    def _match_components(self, uri: str | URIReference | IRIReference) -> ComponentMatch | None:
        reference_type = IRIReference if self._iri else URIReference
        try:
            reference = reference_type(get_uri_text(uri))
        except ParseError:
            return None
        component_match = match_components(self._pattern, normalize_target(reference))
        if component_match is None:
            return None
        if component_match.extra is not None and not self._extra:
            return None  # the query has other parameters, which the template forbids
        return component_match

    @cached_property
    def _matching(self) -> Program:
        return compile_matching(self._pattern, self._allow, extra=self._extra)

    @cached_property
    def _pattern(self) -> Pattern:
        empty = frozenset(name for name, hazards in self._allow.items() if "empty" in hazards)
        return compile_pattern(normalize_parts(self._parts), self._types, empty)

    @property
    def ambiguities(self) -> tuple[str, ...]:
        """The reasons why matching an expansion may not return the values.

        >>> Template("/{owner}-{repo}").ambiguities
        ('owner and repo can be divided in more than one way',)
        """
        return self._ambiguities

    @cached_property
    def _ambiguities(self) -> tuple[str, ...]:
        return find_ambiguities(self._parts, self._pattern)

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
        options = "".join(
            f", {name}={value!r}"
            for name, value in (("safe", self._safe), ("iri", self._iri))
            if value
        )
        return f"{type(self).__name__}({redact_invalid(self._text)!r}{options})"

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
        return restore_template, (type(self), self._text, self._options())


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
        other_values = (other.template, other.variables, other._extra)
        return (self.template, self.variables, self._extra) == other_values

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown_variables = redact_values(str(self.template), self.variables)
        extra = "" if self._extra is None else f", extra={redact_invalid(self._extra)!r}"
        return f"Match({shown_variables!r}{extra})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Match, (self.template, self.variables, self._extra)


def restore_template(kind: type[Template], text: str, options: dict[str, Any]) -> Template:
    return kind(text, **options)


def reject_ambiguous(uri: object, reason: str) -> NoReturn:
    hint = "use match_all, or separate the variables by a character that they cannot contain"
    raise TemplateError(str(uri), 0, "text", "URI-Template", reason, hint)


def get_slots(template: Template) -> tuple[Slot, ...]:
    return template._pattern.slots


def get_variable_types(template: Template) -> Mapping[str, VariableType]:
    return template._types


def make_safe(template: Template) -> Template:
    return restore_template(type(template), str(template), {**template._options(), "safe": True})


def get_programs(template: Template) -> tuple[Program, Program]:
    return template._expansion, template._matching


def list_variables(parts: tuple[Part, ...]) -> tuple[Variable, ...]:
    expressions = (part for part in parts if isinstance(part, Expression))
    return tuple(variable for expression in expressions for variable in expression.variables)


def parse_types(
    variables: tuple[Variable, ...], types: Mapping[str, object] | None
) -> dict[str, VariableType]:
    if types is not None and not isinstance(types, Mapping):
        raise TypeError(f"types must be a mapping from names to types, not {quote_argument(types)}")
    variable_types: dict[str, VariableType] = {}
    names = {variable.name for variable in variables}
    for name, declared_type in (types or {}).items():
        if name not in names:
            raise ValueError(f"unknown variable in types: {quote_argument(name)}")
        if isinstance(declared_type, VariableType):
            variable_types[name] = declared_type
            continue
        occurrences = [variable for variable in variables if variable.name == name]
        explode = any(variable.explode for variable in occurrences)
        named = any(
            variable.explode and variable.operator in {";", "?", "&"} for variable in occurrences
        )
        kind = parse_type(name, declared_type, explode=explode, named=named)
        if kind.scalar is not str and any(variable.prefix for variable in occurrences):
            raise TypeError(f"the type of {name} must be str: a prefix length applies to strings")
        variable_types[name] = kind
    return variable_types


def parse_allow(
    variables: tuple[Variable, ...], allow: AbstractSet[Hazard] | Mapping[str, Iterable[Hazard]]
) -> dict[str, frozenset[Hazard]]:
    """Return the hazards that each variable may have; a set in `allow` is for all of them."""
    names = [variable.name for variable in variables]
    if not isinstance(allow, Mapping):
        return dict.fromkeys(names, parse_hazards(allow))
    for name in allow:
        if name not in names:
            raise ValueError(f"unknown variable in allow: {quote_argument(name)}")
    return {name: parse_hazards(allow.get(name, ())) for name in names}


def parse_hazards(hazards: Iterable[Hazard]) -> frozenset[Hazard]:
    names = ", ".join(HAZARDS)
    if isinstance(hazards, str) or not isinstance(hazards, Iterable):
        raise TypeError(f"allow must be a set of {names}, not {quote_argument(hazards)}")
    hazard_set = frozenset(hazards)
    for hazard in hazard_set:
        if hazard not in HAZARDS:
            raise ValueError(f"allow must contain only {names}, not {quote_argument(hazard)}")
    return hazard_set
