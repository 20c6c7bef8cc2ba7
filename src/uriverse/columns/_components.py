"""Column functions that return components, query parameters and the variables of templates."""

# ruff: noqa: D417 - the front ends describe the inputs

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from uriverse import percent
from uriverse._uri.params import list_optional_items
from uriverse.templates import Router, Template
from uriverse.templates._routing import list_programs

from ._reference import (
    LARGEST,
    check_name,
    check_suffix_list,
    is_unicode,
    parse_identifier,
    prepare_suffixes,
    require_unicode,
)
from ._registry import column
from ._templates import match_fields, match_to_json, prepare_match

if TYPE_CHECKING:
    from uriverse.suffixes import Suffixes


#: The largest number of templates that the kernel tries one after the other.
MOST_ROUTES = 64


def convert_optional_text(data: str | None) -> str | None:
    return None if data is None else convert_text(data)


def convert_text(data: str) -> str:
    """Percent-encode the surrogate escapes in a string, because Arrow strings cannot have them."""
    if is_unicode(data):
        return data
    return percent.decode(percent.encode(data, "unreserved"), "keep")


# --- get one component


@column({"X-App://a/": "X-App", "//a/": None})
def scheme(row: str) -> str | None:
    """Return the scheme of each URI in a column, exactly as written.

    A scheme may contain uppercase letters. Convert it to lower case before you compare it, in SQL
    with `lower(uri_scheme(url))`.

    See [RFC 3986, section 3.1](https://www.rfc-editor.org/rfc/rfc3986#section-3.1).

    Returns:
        The scheme; null if the row is null, is invalid or has no scheme.
    """
    return parse_identifier(row).scheme


@column({"ftp://m%65:pw@a/": "m%65:pw", "ftp://a/": None})
def userinfo(row: str) -> str | None:
    """Return the userinfo of each URI in a column, which may contain a password.

    See [RFC 3986, section 3.2.1](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1).

    Returns:
        The userinfo; null if the row is null, is invalid or has no userinfo.
    """
    return parse_identifier(row).userinfo


@column({"http://[::1]/": "[::1]", "file:///": "", "a": None})
def host(row: str) -> str | None:
    """Return the host of each URI in a column, exactly as written.

    IPv6 addresses keep their brackets. To filter or group by host, use `hostname`.

    See [RFC 3986, section 3.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.2).

    Returns:
        The host; null if the row is null, is invalid or has no host.
    """
    return parse_identifier(row).host


@column({"http://[::A]/": "::a", "http://Example.ORG": "example.org"})
def hostname(row: str) -> str | None:
    """Return the host of each URI in a column, in lower case and without brackets.

    Only ASCII letters become lowercase. Percent-encoded triplets, A-labels and a trailing dot stay,
    so `bücher.example`, `xn--bcher-kva.example` and `xn--bcher-kva.example.` are three host names.
    To get one name, convert the column with `to_uri(host="idna")` first, and remove the dot from
    the result.

    Returns:
        The host name or IP address; null if the row is null, is invalid or has no host.
    """
    return parse_identifier(row).hostname


@column({"http://a:080/": 80, "http://a:/": None, "http://a/": None})
def port(row: str) -> int | None:
    """Return the port of each URI in a column as an integer.

    Default ports are not filled in. To get a port as a string, use `parse`.

    See [RFC 3986, section 3.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3).

    Returns:
        The port as a 64-bit integer; null if the row is null or invalid, if the URI has no port or
        an empty one, or if the port is 2^63 or more.
    """
    number = parse_identifier(row).port
    return number if number is None or number <= LARGEST else None


@column({"HTTPS://me@A.example:443/b": "https://a.example", "urn:a:b": None})
def origin(row: str) -> str | None:
    """Return the origin of each URI in a column: its scheme, host and port.

    The scheme and the host are in lower case, and non-ASCII hosts are written as A-labels: the
    origin of `http://bücher.example/` is `http://xn--bcher-kva.example`. The default port of the
    scheme is omitted. A trailing dot of the host stays.

    See [RFC 6454, section 6.2](https://www.rfc-editor.org/rfc/rfc6454#section-6.2).

    Returns:
        The origin; null if the row is null or invalid, or if the origin is opaque, as for `urn:`
        and `file:`.
    """
    return parse_identifier(row).origin


@column(
    {"https://a.b.Example.co.uk/": "co.uk", "https://co.uk/": "co.uk", "https://127.0.0.1/": None},
    kernel=prepare_suffixes,
    checks={"suffixes": check_suffix_list},
)
def public_suffix(row: str, *, suffixes: Suffixes | None = None) -> str | None:
    """Return the public suffix of each URI in a column, such as `co.uk`.

    The result is that of `uriverse.suffixes.Suffixes.public_suffix`.

    Args:
        suffixes: the list of public suffixes, as a `uriverse.suffixes.Suffixes`; `None` for the
            list in the package `publicsuffixlist`, with its private section.

    Returns:
        The public suffix; null if the row is null or invalid, or if its host is not a domain name,
        such as an IP address.
    """
    return check_suffix_list(suffixes).public_suffix(parse_identifier(row))


@column(
    {
        "https://a.b.Example.co.uk/": "example.co.uk",
        "https://co.uk/": None,
        "https://127.0.0.1/": None,
    },
    kernel=prepare_suffixes,
    checks={"suffixes": check_suffix_list},
)
def registrable_domain(row: str, *, suffixes: Suffixes | None = None) -> str | None:
    """Return the registrable domain of each URI in a column, such as `example.co.uk`.

    Group by this domain to count the URIs of each site. It consists of the public suffix and the
    label before it. The result is that of `uriverse.suffixes.Suffixes.registrable_domain`.

    A-labels and a trailing dot stay as they are written: `bücher.example` and
    `xn--bcher-kva.example` are two domains, and so are `example.com` and `example.com.`. To count
    them together, convert the column with `to_uri(host="idna")` first, and remove the dot from the
    result.

    Args:
        suffixes: the list of public suffixes, as a `uriverse.suffixes.Suffixes`; `None` for the
            list in the package `publicsuffixlist`, with its private section.

    Returns:
        The registrable domain; null if the row is null or invalid, or if its host is a public
        suffix or not a domain name.
    """
    return check_suffix_list(suffixes).registrable_domain(parse_identifier(row))


@column(
    {"https://a.b.Example.co.uk/": "a.b", "https://co.uk/": None, "https://127.0.0.1/": None},
    kernel=prepare_suffixes,
    checks={"suffixes": check_suffix_list},
)
def subdomain(row: str, *, suffixes: Suffixes | None = None) -> str | None:
    """Return the labels before the registrable domain of each URI in a column.

    The result is that of `uriverse.suffixes.Suffixes.subdomain`.

    Args:
        suffixes: the list of public suffixes, as a `uriverse.suffixes.Suffixes`; `None` for the
            list in the package `publicsuffixlist`, with its private section.

    Returns:
        The labels, such as `a.b`; an empty string without such labels; null whenever
        `registrable_domain` is null.
    """
    return check_suffix_list(suffixes).subdomain(parse_identifier(row))


@column({"ftp://m%65:pw@a/": "me", "ftp://a/": None})
def username(row: str) -> str | None:
    """Return the decoded user name of each URI in a column.

    Octets that are not valid UTF-8 stay percent-encoded.

    See [RFC 3986, section 3.2.1](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1).

    Returns:
        The user name; null if the row is null, is invalid or has no userinfo.
    """
    return convert_optional_text(parse_identifier(row).username)


@column({"https://a/": 443, "https://a:8443/": 8443, "//a/": None})
def effective_port(row: str) -> int | None:
    """Return the port of each URI in a column, or the default port of its scheme.

    The result is that of `URI.effective_port`.

    See [RFC 3986, section 3.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.2.3).

    Returns:
        The port as a 64-bit integer; null if the row is null or invalid, if the URI has neither a
        port number nor a default port, or if the port is 2^63 or more.
    """
    number = parse_identifier(row).effective_port
    return number if number is None or number <= LARGEST else None


@column({"http://a/b%20c?d": "/b%20c", "http://a": ""})
def path(row: str) -> str | None:
    """Return the path of each URI in a column, exactly as written.

    See [RFC 3986, section 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).

    Returns:
        The path, which may be empty; null if the row is null or invalid.
    """
    return parse_identifier(row).path


@column({"http://a/?b=%20#c": "b=%20", "http://a/?": "", "http://a/": None})
def query(row: str) -> str | None:
    """Return the query of each URI in a column, exactly as written.

    See [RFC 3986, section 3.4](https://www.rfc-editor.org/rfc/rfc3986#section-3.4).

    Returns:
        The query without the question mark, which may be empty; null if the row is null, is invalid
        or has no query.
    """
    return parse_identifier(row).query


@column({"http://a/#b?c": "b?c", "http://a/": None})
def fragment(row: str) -> str | None:
    """Return the fragment of each URI in a column, exactly as written.

    See [RFC 3986, section 3.5](https://www.rfc-editor.org/rfc/rfc3986#section-3.5).

    Returns:
        The fragment without the number sign, which may be empty; null if the row is null, is
        invalid or has no fragment.
    """
    return parse_identifier(row).fragment


@column({"http://a/b?c=d#e": "/b?c=d", "http://a": ""})
def path_and_query(row: str) -> str | None:
    """Return the path and the query of each URI in a column, exactly as written.

    Returns:
        The path, with `?` and the query if the URI has a query; `""` if both are empty; null if the
        row is null or invalid.
    """
    return parse_identifier(row).path_and_query


@column({"http://a/b%20c/d?e": ["", "b c", "d"], "http://a/b/": ["", "b", ""], "http://a": []})
def path_segments(row: str) -> list[str] | None:
    """Return the decoded path segments of each URI in a column.

    The segments are those of `URI.segments`: the first one is `""` if the path starts with a slash,
    and the last one if the path ends with a slash. Octets that are not valid UTF-8 stay
    percent-encoded.

    See [RFC 3986, section 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).

    Returns:
        A list of segments, empty if the path is empty; null if the row is null or invalid.
    """
    return [convert_text(segment) for segment in parse_identifier(row).segments]


@column({"http://a/b/c": 2, "http://a/b/c/": 2, "http://a/": 0})
def path_depth(row: str) -> int | None:
    """Return the number of path segments of each URI in a column that are not empty.

    Dot segments count too; `normalize` removes them.

    Returns:
        The number as a 64-bit integer; null if the row is null or invalid.
    """
    return sum(1 for segment in parse_identifier(row).raw_segments if segment)


@column({"http://a/b/c%20d.pdf?e": "c d.pdf", "http://a/b/": ""})
def name(row: str) -> str | None:
    """Return the last path segment of each URI in a column, decoded.

    The result is that of `URI.name`. Octets that are not valid UTF-8 stay percent-encoded.

    Returns:
        The name; `""` if the path is empty or ends with a slash; null if the row is null or
        invalid.
    """
    return convert_text(parse_identifier(row).name)


@column({"http://a/b.tar.gz?c": ".gz", "http://a/.rc": ""})
def suffix(row: str) -> str | None:
    """Return the file extension in the path of each URI in a column.

    The result is that of `URI.suffix`: the end of the `name`, from its last dot on. A dot at the
    start or the end of the name does not count.

    Returns:
        The extension with its dot; `""` without an extension; null if the row is null or invalid.
    """
    return convert_text(parse_identifier(row).suffix)


# --- read query parameters


@column({"?a=x+y&b": "x y", "?b": None}, options={"name": "a"}, checks={"name": check_name})
def query_param(row: str, name: str) -> str | None:
    """Return the decoded value of a query parameter of each URI in a column.

    If the parameter occurs several times, its first value is returned. The query is decoded as in
    `Params.get`: `+` becomes a space. However, a parameter without `=`, as in `?a`, has the value
    null, and not `""`. Octets that are not valid UTF-8 stay percent-encoded.

    Args:
        name: the decoded name of the parameter; uppercase and lowercase letters differ.

    Returns:
        The value; null if the row is null or invalid, or if the parameter is missing or has no `=`.
    """
    items = list_optional_items(parse_identifier(row).params)
    value = next((value for key, value in items if key == name), None)
    return convert_optional_text(value)


@column(
    {"?a=1&b": [{"key": "a", "value": "1"}, {"key": "b", "value": None}], "?": [], "/": None},
    result="pairs",
)
def query_params(row: str) -> list[tuple[str, str | None]] | None:
    """Return the decoded query parameters of each URI in a column.

    The query is decoded as in `Params.items`: `+` becomes a space. However, a parameter without
    `=`, as in `?a`, has the value null, and not `""`. Octets that are not valid UTF-8 stay
    percent-encoded.

    Returns:
        A list of structs with the fields `key` and `value`, where `value` is null for a parameter
        without `=`; null if the row is null, is invalid or has no query.
    """
    value = parse_identifier(row)
    if value.query is None:
        return None
    return [
        (convert_text(name), convert_optional_text(data))
        for name, data in list_optional_items(value.params)
    ]


@column({"?a=1&b&a=2": {"a": "1", "b": None}, "?": {}, "/": None}, result="map")
def params(row: str) -> list[tuple[str, str | None]] | None:
    """Return a map of the decoded query parameters of each URI in a column.

    If a parameter occurs several times, the map contains its first value; `query_params` returns
    all of them. The query is decoded as in `query_params`.

    Returns:
        A map, in which a parameter without `=` has the value null; null if the row is null, is
        invalid or has no query.
    """
    pairs = query_params(row)
    if pairs is None:
        return None
    first: dict[str, str | None] = {}
    for name, value in pairs:
        first.setdefault(name, value)
    return list(first.items())


@column({"?a=1&b&a=2": ["a", "b"], "?": [], "/": None})
def param_names(row: str) -> list[str] | None:
    """Return the decoded names of the query parameters of each URI in a column.

    Each name occurs once, in the order of `Params.keys`. Octets that are not valid UTF-8 stay
    percent-encoded.

    Returns:
        A list of names; null if the row is null, is invalid or has no query.
    """
    value = parse_identifier(row)
    return None if value.query is None else list(dict.fromkeys(map(convert_text, value.params)))


@column(
    {"?a=1&b&a=x+y&a": ["1", "x y", None], "?b": [], "/": None},
    options={"name": "a"},
    checks={"name": check_name},
)
def param_values(row: str, name: str) -> list[str | None] | None:
    """Return all decoded values of a query parameter of each URI in a column.

    The query is decoded as in `query_params`.

    Args:
        name: the decoded name of the parameter; uppercase and lowercase letters differ.

    Returns:
        A list of values, where a parameter without `=` has the value null, empty if the parameter
        is missing; null if the row is null, is invalid or has no query.
    """
    value = parse_identifier(row)
    if value.query is None:
        return None
    return [
        convert_optional_text(data)
        for key, data in list_optional_items(value.params)
        if key == name
    ]


# --- match URI Templates


def check_template(value: Any) -> Template:
    """Check a template, or create it from a string; it then matches IRIs as well."""
    if isinstance(value, str):
        return Template(value, iri=True)
    if not isinstance(value, Template):
        raise TypeError(f"template must be a Template or a str, not {type(value).__name__}")
    return value


@column(
    {
        "/users/7?page=2": {"id": "7", "page": "2"},
        "/users/a%20b": {"id": "a b", "page": None},
        "/": None,
    },
    options={"template": "/users/{id}{?page}"},
    kernel=prepare_match,
    result="match_fields",
    checks={"template": check_template},
    row_in_sql=match_to_json,
)
def match(row: str, template: Template | str) -> dict[str, Any] | None:
    """Return the variables of a URI Template in each URI of a column.

    The result has one field for each variable. The field of a variable that the URI does not
    contain is null. A template without a scheme, such as `/users/{id}`, matches only rows that have
    neither a scheme nor a host; see `route`.

    The template decides the type of a field: 64-bit integers for `int`, `float64`, `date32`, and
    timestamps in UTC for `datetime`, by the argument `types` of `Template`. A field is a list of
    strings for a list, and a list of key-value pairs for a mapping, and for an exploded variable
    such as `{?query*}` without a type. All other fields are strings.

    The SQL function returns a string with a JSON object, because the type of its result cannot
    depend on the template.

    See [RFC 6570, section 1.4](https://www.rfc-editor.org/rfc/rfc6570#section-1.4).

    Args:
        template: the template, or its string, which then also matches IRIs.

    Returns:
        A struct for each row; null if the row is null, does not match, or matches in more than one
        way, or if a number has more than 64 bits.
    """
    return match_fields(row, check_template(template))


def check_router(value: Any) -> Router:
    """Check a router, or create it from a mapping or a TOML document; it then matches IRIs too."""
    if isinstance(value, Router):
        return value
    if isinstance(value, str):
        import tomllib  # late: most programs have no router

        try:
            value = tomllib.loads(value)
        except tomllib.TOMLDecodeError as error:
            expected = "the router is a TOML document, such as user = '/users/{id}'"
            raise ValueError(f"{expected}: {error}") from None
    if not isinstance(value, Mapping):
        type_name = type(value).__name__
        raise TypeError(f"router must be a Router, a mapping or a str, not {type_name}")
    routes = cast("Mapping[str, object]", value)
    return Router({name: check_template(template) for name, template in routes.items()})


def prepare_routes(router: Router) -> tuple[Any, ...] | None:
    """Return the arguments for the kernel; `None` if only Python can match the templates."""
    routes = list_programs(router)
    for name, _ in routes:
        require_unicode("route", name)
    if len(routes) > MOST_ROUTES or not all(program for _, program in routes):
        return None
    encoded_routes = tuple((name.encode(), program) for name, program in routes)
    return (encoded_routes,)


@column(
    {"/users/7?page=2": "user", "/about": None},
    options={"router": "user = '/users/{id}'"},
    kernel=prepare_routes,
    checks={"router": check_router},
)
def route(row: str, router: Router | Mapping[str, str] | str) -> str | None:
    """Return the name of the route that each URI in a column matches.

    The result is the name that `Router.match` returns, for example to group the requests in an
    access log by route. A template without a scheme, such as `/users/{id}`, matches only rows that
    have neither a scheme nor a host. If the rows are URLs, route their `path_and_query`.

    Args:
        router: the router, or a mapping or a TOML document of names and templates, which then also
            match IRIs.

    Returns:
        The name of the route; null if the row is null, matches no route, or matches its route in
        more than one way.
    """
    match = check_router(router).match(row)
    return None if match is None else match.name
