"""The class `Router`: find the most specific of many templates that matches a URI."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self, cast, overload

from uriverse._errors import TemplateError, quote_argument
from uriverse._uri import IRIReference, URIReference

from ._compiled import Program, compile_routes
from ._matching import encode_non_ascii, get_uri_text, redact_values
from ._order import compute_order, compute_shape
from ._patterns import normalize_text
from ._readers import read_mcp_routes, read_openapi_routes
from ._sequences import Node
from ._template import Template


class Route(NamedTuple):
    """The route of a URI.

    Attributes:
        name: the name of the route.
        variables: the decoded values by the names of the variables, as in `Match.variables`.

    >>> from uriverse.templates import Router
    >>> route = Router({"user": "/users/{id}"}).match("/users/7")
    >>> route.name, route.variables
    ('user', {'id': '7'})
    """

    name: str
    variables: dict[str, Any]

    def __repr__(self) -> str:
        shown_variables = redact_values("", self.variables)
        return f"{type(self).__name__}(name={self.name!r}, variables={shown_variables!r})"


@dataclass(slots=True)
class Index:
    """The templates of a router. Their numbers are indices of `routes`, the most specific first."""

    routes: list[tuple[str, Template]]
    #: The paths by the scheme and authority before them, in lower case.
    roots: dict[str, Node]
    #: The paths of the templates with a variable in the scheme or the authority.
    variable: list[Node]
    #: The templates that may match with every scheme and authority.
    everywhere: list[int]
    #: The programs of the templates that were tried; `None` for all others.
    programs: list[Program]
    program: Program = None


class Router(Mapping[str, Template]):
    """Many templates by name: find the most specific one that matches a URI.

    A router is a mapping from names to templates, in the order in which they were added. Templates
    can be added, but not removed.

    **Order.** The templates are tried from the most specific one to the least specific one, so the
    order in which they were added hardly matters. Two templates are compared from the left, first
    the scheme and authority, and then the path segment by segment, until they differ:

    1. a literal;
    2. a literal with a variable in it, such as `{name}.json`;
    3. a variable, such as `{id}`;
    4. the end of the path;
    5. a variable that can take a segment or none, such as `{/id}`;
    6. a variable that can take any number of segments, such as `{+path}` or `{/path*}`.

    Of two segments of the kind 2, 5 or 6, the one with more literal characters goes first. If the
    paths do not differ in this way, the template goes first that has

    1. more parameters in the query that the URI must have, and then more literal characters in
       these parameters;
    2. a fixed fragment or none, before a fragment with a variable, before an optional fragment;
    3. more variables with a type;
    4. `extra=False`;
    5. and at last, the template that was added first.

    A template that comes first but does not match, for example because of a type, is skipped. The
    result is always that of trying all templates in this order.

    **Conflicts.** `add` raises `TemplateError` for a template that is the same as another one apart
    from the names of variables. Templates are the same in this sense if they have the same
    literals, expressions, types and options; the order of the parameters in the query does not
    matter, and variables of the query without a type and another occurrence are ignored. Other
    templates that match the same URIs are not reported.

    Args:
        routes: the templates, or strings, by name.

    Raises:
        TemplateError: a string is not a URI Template, or two templates are the same.
        TypeError: a name is not a `str`, or a template neither a `Template` nor a `str`.
        ValueError: a name occurs twice.

    >>> router = Router({"user": "/users/{id}", "me": "/users/me", "file": "/files{/path*}"})
    >>> router.match("/users/me")
    Route(name='me', variables={})
    >>> name, variables = router.match("/files/a/b%20c")
    >>> name, variables
    ('file', {'path': ['a', 'b c']})
    >>> router.build("user", id=7)
    URIReference('/users/7')
    """

    __slots__ = ("_index", "_shapes", "_templates")

    _templates: dict[str, Template]
    _shapes: dict[object, str]
    _index: Index | None

    # With a union, mypy does not accept a literal mapping that contains both strings and templates.
    @overload
    def __init__(self, routes: Mapping[str, str | Template], /) -> None: ...
    @overload
    def __init__(self, routes: Iterable[tuple[str, str | Template]] = (), /) -> None: ...
    def __init__(self, routes: Any = (), /) -> None:
        self._templates = {}
        self._shapes = {}
        self._index = None
        pairs: Any = cast("Any", routes).items() if isinstance(routes, Mapping) else routes
        for name, template in pairs:
            self.add(name, template)

    @classmethod
    def from_openapi(
        cls, document: Mapping[str, Any], /, *, base: str | URIReference | None = None
    ) -> Self:
        """Read the templates of an OpenAPI document ([OpenAPI 3][1]).

        The name of a route is its path in the document, such as `/users/{id}`. A path with several
        servers has a route for each of them: the names of the others are the URLs of the servers
        followed by the path.

        | part of the document | in the template |
        |---|---|
        | the URL of a server | the start, without a slash at its end |
        | a variable of a server | a variable; with an `enum`, it takes only these values |
        | a parameter in the path | a variable with the type of its schema |
        | a parameter in the query | a variable in `{?...}`; arrays and objects as `{?name*}` |

        A parameter in the path only takes values of its type if this is `integer`, `boolean`, a
        `string` with the format `date` or `uuid` (in lower case) or with an `enum`, an array, or an
        object. Otherwise it takes any string. The type of a parameter in the query does not decide
        which route matches. The operations of a path share a template with all their parameters.

        Names that RFC 6570 does not allow are percent-encoded: `{user-id}` is the variable
        `user%2Did`. Parameters in headers and cookies, with `in: querystring`, with the style
        `deepObject`, and in the query with the name of a parameter in the path are ignored, and so
        are callbacks and webhooks. A variable of a server without an `enum`, but with slashes in
        its default, takes only this default.

        [1]: https://spec.openapis.org/oas/v3.2.0.html

        Args:
            document: the document, as `json.load` returns it. References to other documents are not
                supported.
            base: the URI of the document. Relative URLs of servers are resolved against it. Without
                it, they must start with a slash, and the templates match relative references.

        Raises:
            TemplateError: a path is not a template, two paths are the same apart from the names of
                parameters, or a reference cannot be resolved.
            TypeError: a member of the document has the wrong type.
            ValueError: the document does not have version 3.

        >>> document = {
        ...     "openapi": "3.1.0",
        ...     "servers": [{"url": "https://api.example.com/v1"}],
        ...     "paths": {
        ...         "/users/{id}": {
        ...             "parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}}],
        ...             "get": {"parameters": [{"name": "page", "in": "query"}]},
        ...         }
        ...     },
        ... }
        >>> router = Router.from_openapi(document)
        >>> router.match("https://api.example.com/v1/users/7?page=2")
        Route(name='/users/{id}', variables={'id': 7, 'page': '2'})
        """
        return cls(read_openapi_routes(document, base))

    @classmethod
    def from_mcp(cls, templates: Iterable[str | Mapping[str, Any]], /) -> Self:
        """Read the resource templates of an MCP server ([Model Context Protocol][1]).

        [1]: https://modelcontextprotocol.io/specification/2025-06-18/server/resources

        Args:
            templates: the resource templates as JSON objects with the member `uriTemplate`, or only
                their strings. For a model of the Python SDK, pass `model_dump(by_alias=True)`. The
                name of a route is the name of the resource template, or its string if it has none.

        Raises:
            TemplateError: a string is not a URI Template, or two templates are the same apart from
                the names of variables.
            TypeError: a resource template has the wrong type.
            ValueError: a name occurs twice.

        >>> router = Router.from_mcp([{"uriTemplate": "file:///{+path}", "name": "Project files"}])
        >>> router.match("file:///src/main.py")
        Route(name='Project files', variables={'path': 'src/main.py'})
        """
        return cls(read_mcp_routes(templates))

    def add(self, name: str, template: str | Template) -> None:
        """Add a template.

        Args:
            name: the name of the route, which the router does not have yet.
            template: the template, or its string.

        Raises:
            TemplateError: the string is not a URI Template, or the template is the same as another
                one apart from the names of variables.
            TypeError: the name is not a `str`, or the template neither a `Template` nor a `str`.
            ValueError: the router already has the name.

        >>> router = Router({"user": "/users/{id}"})
        >>> try:
        ...     router.add("member", "/users/{name}")
        ... except TemplateError as error:
        ...     print(error.reason)
        the routes 'user' and 'member' match the same URIs
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of a route must be a str, not {type(name).__name__}")
        if name in self._templates:
            raise ValueError(f"the name of a route must be unique: {quote_argument(name)}")
        if not isinstance(template, Template):
            template = Template(template)
        shape = compute_shape(template)
        if shape in self._shapes:
            same_route = self._shapes[shape]
            routes = f"{quote_argument(same_route)} and {quote_argument(name)}"
            reason = f"the routes {routes} match the same URIs"
            hint = "remove one of them, or set different types for their variables"
            raise TemplateError(str(template), 0, "template", "URI-Template", reason, hint)
        self._shapes[shape] = name
        self._templates[name] = template

    def match(self, uri: str | URIReference | IRIReference, /) -> Route | None:
        """Return the name and the variables of the most specific template that matches.

        Templates that cannot match are not tried, so the time depends on the length of the URI
        and on the number of templates that may match, but hardly on the number of all templates.

        To get the other parameters of the query as well, match the template again:
        `router[name].match(uri).extra`.

        Args:
            uri: the URI or reference. Other strings do not match.

        Returns:
            The route; `None` if no template matches.

        Raises:
            TemplateError: the URI matches the most specific template that it matches in more than
                one way. Less specific templates are not tried then.
            TypeError: `uri` is neither a `str` nor one of the four URI types.

        >>> router = Router({"issue": "https://{host}/{owner}/{repo}/issues/{number}"})
        >>> router.match("https://git.example/ann/app/issues/12").variables["number"]
        '12'
        >>> router.match("https://git.example/ann") is None
        True
        """
        index = self._get_index()
        text = uri if type(uri) is str else get_uri_text(uri)
        if index.program is not None:
            route = index.program.match(text)
            if route is not NotImplemented:  # which leaves the URI to the templates
                return cast("Route | None", route)
        numbers = find_candidates(index, text)
        for number in sorted(numbers) if len(numbers) > 1 else numbers:
            name, template = index.routes[number]
            # The program of the router has this list, and leaves a URI to the templates until all
            # those that it tries are compiled. Most processes need few of them.
            index.programs[number] = template._matching
            match = template.match(uri)
            if match is not None:
                return Route(name, match.variables)
        return None

    def _get_index(self) -> Index:
        index = self._index
        # Another thread may add a template at the same time. Templates are never removed.
        if index is None or len(index.routes) != len(self._templates):
            self._index = index = build_index(dict(self._templates))
        return index

    def build(
        self, name: str, values: Mapping[str, object] | None = None, /, **named: object
    ) -> URIReference:
        """Expand the template of a route.

        A more specific template may match the result: `/users/me` for `/users/{id}` with `id="me"`.

        Args:
            name: the name of the route.
            values: the values of the variables, as in `Template.expand`.
            named: more values, which replace those in `values`.

        Raises:
            KeyError: the router does not have the name.
            TemplateError: a value is not allowed, or the result is not a valid reference.
            TypeError: a value has a type that cannot be expanded.

        >>> Router({"user": "/users/{id}{?page}"}).build("user", {"id": "a b"}, page=2)
        URIReference('/users/a%20b?page=2')
        """
        return self._templates[name].expand(values, **named)

    def __getitem__(self, name: str) -> Template:
        return self._templates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._templates)

    def __len__(self) -> int:
        return len(self._templates)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._templates!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._templates,)


def list_programs(router: Router) -> list[tuple[str, Program]]:
    """Return the names of the templates, the most specific first, and their programs."""
    return [(name, template._matching) for name, template in router._get_index().routes]


def build_index(templates: Mapping[str, Template]) -> Index:
    orders = {name: compute_order(template) for name, template in templates.items()}
    # The sort is stable, so the template that was added first goes first.
    names = sorted(templates, key=lambda name: orders[name].key)
    index = Index([(name, templates[name]) for name in names], {}, [], [], [None] * len(names))
    variable_roots: dict[str, Node] = {}
    for number, name in enumerate(names):
        prefix, path, _ = orders[name]  # the prefix is the scheme and the authority
        if prefix.is_open:
            index.everywhere.append(number)
            continue
        roots = variable_roots if prefix.is_variable else index.roots
        roots.setdefault(prefix.start, Node()).add_pattern(path, number)
    index.variable.extend(variable_roots.values())
    if not variable_roots:
        index.program = compile_routes(Route, names, index.programs, index.roots, index.everywhere)
    return index


def find_candidates(index: Index, text: str) -> Sequence[int]:
    """Return the numbers of the templates that may match a URI, in any order."""
    text = text.partition("?")[0].partition("#")[0]
    if "%" in text or not text.isascii():
        try:
            text = normalize_text(encode_non_ascii(text))
        except ValueError:
            return []  # the string is not a URI
    path = text.split("/")
    has_authority = len(path) > 2 and not path[1]  # two slashes
    prefix = pop_prefix(path) if path[0] or has_authority else ""
    # The index has prefixes in lower case, as most URIs do.
    root = index.roots.get(prefix) or index.roots.get(prefix.lower())
    numbers = root.find_patterns(path) if root else []
    if not index.variable and not index.everywhere:
        return numbers
    numbers += index.everywhere
    for node in index.variable:
        numbers += node.find_patterns(path)
    return numbers


def pop_prefix(path: list[str]) -> str:
    """Remove the scheme and the authority from the segments of a reference, and return them."""
    first = path[0]
    colon = first.find(":")
    if len(path) > 2 and not path[1] and colon == len(first) - 1:
        prefix = f"{first}//{path[2]}"
        path[:3] = ("",)
        return prefix
    path[0] = first[colon + 1 :]
    return first[: colon + 1]
