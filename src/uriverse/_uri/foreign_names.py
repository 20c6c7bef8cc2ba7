"""Attributes of other URL libraries, and what to write instead, for errors and documentation."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    #: The name, what to write instead, and the libraries. `()` follows the name of a method without
    #: arguments, and `(...)` follows the name of any other method.
    Rows = tuple[tuple[str, str, str], ...]

#: The attributes of URLs. Code that contains no `uri` is an attribute of a URI.
URIS: Rows = (
    ("_replace(...)", "replace", "urllib"),
    ("absolute", "uri.authority is not None", "hyperlink yarl"),
    ("add(...)", "add_param", "furl hyperlink"),
    ("args", "params", "furl"),
    ("asdict()", "split(str(uri))", "furl"),
    ("asIRI()", 'to_iri(host="idna")', "hyperlink"),
    ("asText()", "str(uri)", "hyperlink"),
    ("asURI()", 'to_uri(host="idna")', "hyperlink"),
    ("authority_info()", "(uri.userinfo, uri.host, uri.port)", "rfc3986"),
    ("authority_is_valid()", "is_uri_reference(str(uri))", "rfc3986"),
    ("child(...)", "joinpath", "hyperlink"),
    ("click(...)", "resolve", "hyperlink"),
    ("copy()", "uri", "furl"),
    ("copy_add_param(...)", "add_param", "httpx"),
    ("copy_merge_params(...)", "update_params", "httpx"),
    ("copy_remove_param(...)", "without_params", "httpx"),
    ("copy_set_param(...)", "with_param", "httpx"),
    ("copy_with(...)", "replace", "httpx rfc3986"),
    ("defrag()", "without_fragment()", "rdflib"),
    ("encode(...)", "str(uri).encode()", "urllib"),
    ("encode(...)", "to_uri", "rfc3986"),
    ("encoded_url", "uri", "hyperlink"),
    ("explicit_port", "port", "yarl"),
    ("extend_query(...)", "add_param", "yarl"),
    ("fragment_is_valid()", "is_uri_reference(str(uri))", "rfc3986"),
    ("fragmentstr", "fragment", "furl"),
    ("fromText(...)", "URI(text)", "hyperlink"),
    ("from_string(...)", "URI(text)", "rfc3986"),
    ("from_text(...)", "URI(text)", "hyperlink"),
    ("get(...)", "params.getall", "hyperlink"),
    ("get_decoded_url(...)", "uri", "hyperlink"),
    ("geturl()", "str(uri)", "urllib"),
    ("hash", "fragment", "ada_url"),
    ("host_port_subcomponent", "without_userinfo().authority", "yarl"),
    ("host_subcomponent", "host", "yarl"),
    ("href", "str(uri)", "ada_url"),
    ("human_repr()", "display()", "yarl"),
    ("include_query_params(...)", "update_params", "starlette"),
    ("is_absolute_url", "not uri.is_relative", "httpx"),
    ("is_relative_url", "is_relative", "httpx"),
    ("is_secure", 'uri.scheme == "https"', "starlette"),
    ("is_valid()", "is_uri_reference(str(uri))", "rfc3986"),
    ("join(...)", "resolve", "furl httpx yarl"),
    ("load(...)", "URI(text)", "furl"),
    ("n3()", 'f"<{uri}>"', "rdflib"),
    ("netloc", "authority", "furl requests starlette urllib"),
    ("netloc", "without_userinfo().authority", "httpx"),
    ("normalized_equality(...)", "equivalent", "rfc3986"),
    ("parts", "segments", "yarl"),
    ("path_is_valid()", "is_uri_reference(str(uri))", "rfc3986"),
    ("path_qs", "path_and_query", "yarl"),
    ("path_safe", "path", "yarl"),
    ("path_url", "path_and_query", "requests"),
    ("pathname", "path", "ada_url"),
    ("pathstr", "path", "furl"),
    ("protocol", "scheme", "ada_url"),
    ("query_is_valid()", "is_uri_reference(str(uri))", "rfc3986"),
    ("query_params", "params", "starlette"),
    ("query_string", "query", "yarl"),
    ("querystr", "query", "furl"),
    ("raw", "split(str(uri))", "httpx"),
    ("raw_authority", "authority", "yarl"),
    ("raw_fragment", "fragment", "yarl"),
    ("raw_host", "host", "httpx yarl"),
    ("raw_name", "raw_segments[-1]", "yarl"),
    ("raw_parts", "raw_segments", "yarl"),
    ("raw_password", '(uri.userinfo or "").partition(":")[2]', "yarl"),
    ("raw_path", "path", "yarl"),
    ("raw_path", "path_and_query", "httpx"),
    ("raw_path_qs", "path_and_query", "yarl"),
    ("raw_query_string", "query", "yarl"),
    ("raw_scheme", "scheme", "httpx"),
    ("raw_suffix", "suffix", "yarl"),
    ("raw_suffixes", "suffixes", "yarl"),
    ("raw_user", '(uri.userinfo or "").partition(":")[0]', "yarl"),
    ("relative()", "relative_form()", "yarl"),
    ("remove(...)", "without_params", "furl hyperlink"),
    ("remove_query_params(...)", "without_params", "starlette"),
    ("replace_query_params(...)", "with_params", "starlette"),
    ("resolve_with(...)", "base.resolve(uri)", "rfc3986"),
    ("rooted", 'uri.path.startswith("/")', "hyperlink"),
    ("scheme_is_valid()", "is_uri_reference(str(uri))", "rfc3986"),
    ("search", "query", "ada_url"),
    ("searchParams", "params", "ada_url"),
    ("set(...)", "replace", "furl"),
    ("set(...)", "with_param", "hyperlink"),
    ("sibling(...)", "with_name", "hyperlink"),
    ("strict", "check(str(uri))", "furl"),
    ("toPython()", "str(uri)", "rdflib"),
    ("to_text()", "str(uri)", "hyperlink"),
    ("tostr()", "str(uri)", "furl"),
    ("unsplit()", "str(uri)", "rfc3986"),
    ("update_query(...)", "update_params", "yarl"),
    ("url", "str(uri)", "furl requests"),
    ("user", "username", "hyperlink yarl"),
    ("uses_netloc", "uri.authority is not None", "hyperlink"),
    ("with_user(...)", "with_username", "yarl"),
    ("without_query_params(...)", "without_params", "yarl"),
)

#: The attributes of query parameters. Code that contains no `params` is an attribute of `Params`.
PARAMS: Rows = (
    ("add(...)", "add_param", "furl httpx multidict"),
    ("addlist(...)", "add_param", "furl"),
    ("allitems()", "items()", "furl"),
    ("clear()", "Params()", "furl multidict"),
    ("copy()", "params", "furl multidict"),
    ("encode()", "str(params)", "furl"),
    ("extend(...)", "add_param", "multidict"),
    ("get_list(...)", "getall", "httpx"),
    ("getlist(...)", "getall", "furl"),
    ("getone(...)", "params[name]", "multidict"),
    ("merge(...)", "updated", "httpx multidict"),
    ("multi_items()", "items()", "httpx starlette"),
    ("params", "params", "furl"),
    ("pop(...)", "without", "furl multidict"),
    ("popall(...)", "without", "multidict"),
    ("popitem()", "without", "furl multidict"),
    ("poplist(...)", "without", "furl"),
    ("popone(...)", "without", "multidict"),
    ("remove(...)", "without", "furl httpx"),
    ("set(...)", "with_param", "furl httpx"),
    ("setdefault(...)", "with_param", "furl multidict"),
    ("setlist(...)", "with_param", "furl"),
    ("to_dict()", "{name: params.getall(name) for name in params}", "multidict"),
    ("update(...)", "updated", "furl httpx multidict"),
    ("updateall(...)", "updated", "furl"),
)

#: The attributes of paths. Code that contains no `segments` is an attribute of `Segments`.
SEGMENTS: Rows = (
    ("add(...)", "uri.joinpath", "furl"),
    ("append(...)", "uri.joinpath", "furl"),
    ("isabsolute", "is_absolute", "furl"),
    ("isdir", "has_trailing_slash", "furl"),
    ("isfile", "not segments.has_trailing_slash", "furl"),
    ("joinpath(...)", "uri.joinpath", "pathlib"),
    ("normalize()", "uri.normalize()", "furl"),
    ("parts", "segments", "pathlib"),
    ("segments", "segments", "furl"),
)


class ForeignName:
    """An attribute of another library, which raises an error that says what to use instead."""

    __slots__ = ("holder", "name", "use")

    def __init__(self, use: str) -> None:
        self.use = use

    def __set_name__(self, holder: type, name: str) -> None:
        self.holder, self.name = holder, name

    def __get__(self, value: object, kind: type) -> Any:
        """Raise the error, unless a later base class has an attribute of this name."""
        attribute = self.name
        owner = kind if value is None else value
        # Base classes of a subclass may follow the holder, as in `class Own(URI, Mixin)`.
        later_bases = kind.__mro__[kind.__mro__.index(self.holder) + 1 :]
        if any(attribute in vars(base) for base in later_bases):
            return getattr(super(self.holder, owner), attribute)  # pyright: ignore[reportUnknownArgumentType]
        subject = f"type object {kind.__name__!r}" if value is None else f"{kind.__name__!r} object"
        message = f"{subject} has no attribute {attribute!r}; use {self.use}"
        raise AttributeError(message, name=attribute, obj=owner)


def create_foreign_names(rows: Rows) -> dict[str, ForeignName]:
    uses: dict[str, dict[str, None]] = {}
    for name, use, _ in rows:
        uses.setdefault(strip_parentheses(name), {})[repr(use)] = None
    return {name: ForeignName(" or ".join(names)) for name, names in uses.items()}


def strip_parentheses(name: str) -> str:
    return name.partition("(")[0]


class ForeignNames:
    """The last base class of a class that answers foreign names: existing ones come first."""

    __slots__ = ()

    def __dir__(self) -> list[str]:
        members: dict[str, object] = {}
        for base in reversed(type(self).__mro__):
            members |= vars(base)
        names = super().__dir__()
        return [name for name in names if not isinstance(members.get(name), ForeignName)]


class URINames(ForeignNames):
    __slots__ = ()
    locals().update(create_foreign_names(URIS))


class ParamsNames(ForeignNames):
    __slots__ = ()
    locals().update(create_foreign_names(PARAMS))


class SegmentsNames(ForeignNames):
    __slots__ = ()
    locals().update(create_foreign_names(SEGMENTS))
