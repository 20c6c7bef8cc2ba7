"""Column functions that edit each row."""

# ruff: noqa: D417 - the front ends describe the inputs

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from uriverse._errors import URIError, quote_argument
from uriverse._spec.syntax import matches
from uriverse._uri.building import convert_port, format_host
from uriverse._uri.pairs import convert_values, list_globs
from uriverse.hosts import host_kind

from ._reference import check_added_scheme, check_name, parse_identifier, prepare_names
from ._registry import column

if TYPE_CHECKING:
    from uriverse.typing import Host, ParamValues


#: The largest number of values that the kernel writes for a parameter.
MOST_VALUES = 16


# --- edit


def check_globs(name: str) -> Callable[[Any], tuple[str, ...]]:
    return lambda value: tuple(list_globs(value, name))


@column({"http://a/b?c#d": "http://a/b?c", "a b": None})
def without_fragment(row: str) -> str | None:
    """Remove the fragment of each URI in a column.

    Returns:
        The URI without its fragment and the `#`; null if the row is null or invalid.
    """
    return str(parse_identifier(row).without_fragment())


@column({"http://a/b?c#d": "http://a/b#d"})
def without_query(row: str) -> str | None:
    """Remove the query of each URI in a column.

    Returns:
        The URI without its query and the `?`; null if the row is null or invalid.
    """
    return str(parse_identifier(row).without_query())


@column({"ftp://me:secret@a/": "ftp://a/"})
def without_userinfo(row: str) -> str | None:
    """Remove the user name and the password of each URI in a column.

    Returns:
        The URI without its userinfo and the `@`; null if the row is null or invalid.
    """
    return str(parse_identifier(row).without_userinfo())


@column(
    {"http://a/?q=x&page=1&q=y": "http://a/?q=x&q=y", "http://a/?page=1": "http://a/"},
    options={"names": ["page"]},
    kernel=prepare_names,
    checks={"names": check_globs("names")},
)
def without_params(row: str, names: str | list[str] | tuple[str, ...]) -> str | None:
    """Remove query parameters of each URI in a column by name.

    The result is that of `URI.without_params`. If no parameter remains, the query is removed with
    its `?`. For patterns such as `utm_*`, use `filter_params`.

    Args:
        names: one or more decoded names; names that are missing are ignored.

    Returns:
        The URI without the parameters; null if the row is null or invalid.
    """
    return str(parse_identifier(row).without_params(*names))


def prepare_globs(keep: tuple[str, ...], drop: tuple[str, ...]) -> tuple[Any, ...] | None:
    """Return the arguments for the compiled kernel, which supports globs with `*` only."""
    keep_argument, drop_argument = prepare_names(keep), prepare_names(drop)
    if keep_argument is None or drop_argument is None:
        return None
    has_other_wildcards = any("?" in glob or "[" in glob for glob in (*keep, *drop))
    return None if has_other_wildcards else (*keep_argument, *drop_argument)


@column(
    {"//a/?q=x&utm_source=y&gclid=z": "//a/?q=x", "//a/?utm_source=y": "//a/"},
    options={"drop": ["utm_*", "gclid"]},
    kernel=prepare_globs,
    checks={"keep": check_globs("keep"), "drop": check_globs("drop")},
)
def filter_params(
    row: str,
    *,
    keep: str | list[str] | tuple[str, ...] = "*",
    drop: str | list[str] | tuple[str, ...] = (),
) -> str | None:
    """Keep the query parameters of each URI in a column whose names match a pattern.

    The result is that of `URI.filter_params`: patterns are globs, as in the module `fnmatch`, and
    matching is case-sensitive. If no parameter remains, the query is removed with its `?`.

    Args:
        keep: one or more names or globs to keep.
        drop: one or more names or globs to remove, even if they match `keep`.

    Returns:
        The URI with the parameters that remain; null if the row is null or invalid.
    """
    return str(parse_identifier(row).filter_params(keep=keep, drop=drop))


@column({"http://a/?b=2&a=1&b=1": "http://a/?a=1&b=2&b=1"})
def sorted_params(row: str) -> str | None:
    """Sort the query parameters of each URI in a column by name.

    The result is that of `URI.sorted_params`. Parameters of the same name keep their order.

    Returns:
        The URI with sorted parameters; null if the row is null or invalid.
    """
    return str(parse_identifier(row).sorted_params())


def check_values(value: Any) -> ParamValues:
    convert_values(value, "value")
    return cast("ParamValues", value)


def prepare_new_param(name: str, value: ParamValues) -> tuple[Any, ...] | None:
    """Return the arguments for the compiled kernel: a name and its values, as data and encoded.

    Return `None` if they cannot be written, or if there are more values than the kernel writes.
    """
    from uriverse._uri.pairs import encode_data, encode_param_text  # late: few programs write them

    values = convert_values(value, "value")
    if len(values) > MOST_VALUES or (not name and None in values):
        return None

    def encode_both_ways(text: str) -> tuple[bytes, bytes]:
        return encode_data(text), encode_param_text(text, "form").encode()

    try:
        pairs = tuple((None, None) if text is None else encode_both_ways(text) for text in values)
        return (*encode_both_ways(name), pairs)
    except URIError:
        return None


@column(
    {"http://a/?q=x&page=1": "http://a/?q=x&page=2", "http://a/": "http://a/?page=2"},
    options={"name": "page", "value": "2"},
    kernel=prepare_new_param,
    checks={"name": check_name, "value": check_values},
)
def with_param(row: str, name: str, value: ParamValues) -> str | None:
    """Set a query parameter of each URI in a column.

    The result is that of `URI.with_param`: the new value replaces the old values in place, or
    follows the last parameter.

    Args:
        name: the decoded name of the parameter; uppercase and lowercase letters differ.
        value: one value for all rows, or a sequence of values, as data; see `URI.with_param`.

    Returns:
        The URI with the new value; null if the row is null or invalid, or if the name or the value
        cannot be encoded.
    """
    return str(parse_identifier(row).with_param(name, value))


@column(
    {"http://a/?tag=x": "http://a/?tag=x&tag=y+z"},
    options={"name": "tag", "value": "y z"},
    kernel=prepare_new_param,
    checks={"name": check_name, "value": check_values},
)
def add_param(row: str, name: str, value: ParamValues) -> str | None:
    """Add a query parameter to each URI in a column.

    The result is that of `URI.add_param`: the parameter is written at the end of the query, also if
    the name occurs already.

    Args:
        name: the decoded name of the parameter; uppercase and lowercase letters differ.
        value: one value for all rows, or a sequence of values, as data; see `URI.with_param`.

    Returns:
        The URI with the new parameter; null if the row is null or invalid, or if the name or the
        value cannot be encoded.
    """
    return str(parse_identifier(row).add_param(name, value))


def prepare_new_scheme(scheme: str | None) -> tuple[Any, ...]:
    return (None if scheme is None else scheme.encode(),)


@column(
    {"http://a/b": "https://a/b", "//a/b": "https://a/b"},
    options={"scheme": "https"},
    kernel=prepare_new_scheme,
    checks={"scheme": check_added_scheme},
)
def with_scheme(row: str, scheme: str | None) -> str | None:
    """Set the scheme of each URI in a column.

    Args:
        scheme: the new scheme without its colon; `None` to remove the scheme.

    Returns:
        The URI with the new scheme; null if the row is null or invalid, or if the result would be
        parsed differently, as `a:b` without its scheme in `x:a:b`.
    """
    return str(parse_identifier(row).with_scheme(scheme))


def check_new_host(value: Any) -> Host | None:
    """Check a host; `None` removes the host."""
    if value is not None and host_kind(format_host("host", value)) is None:
        raise ValueError(f"host must be a valid host, not {quote_argument(value)}")
    return cast("Host | None", value)


def prepare_new_host(host: Host | None) -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: the host.

    Return `None` for a non-ASCII host, which URIs cannot have, and if the host is to be removed.
    """
    text = None if host is None else format_host("host", host)
    return (text.encode(),) if text is not None and text.isascii() else None


@column(
    {"http://a:80/b": "http://b.example:80/b", "mailto:me@a": None},
    options={"host": "b.example"},
    kernel=prepare_new_host,
    checks={"host": check_new_host},
)
def with_host(row: str, host: Host | None) -> str | None:
    """Set the host of each URI in a column.

    Args:
        host: the new host, percent-encoded where necessary, or an `ipaddress` object. An IPv6
            address gets brackets if it has none. `None` removes the host and its `//`.

    Returns:
        The URI with the new host; null if the row is null or invalid, or if the URI cannot have the
        host: a URI that is ASCII has no host with other characters.
    """
    return str(parse_identifier(row).with_host(host))


def check_new_port(value: Any) -> int | str | None:
    """Check a port; `None` removes the port."""
    if value is not None and not matches(convert_port("port", value), "port"):
        raise ValueError(f"port must be a valid port, not {quote_argument(value)}")
    return cast("int | str | None", value)


def prepare_new_port(port: int | str | None) -> tuple[Any, ...]:
    return (None if port is None else convert_port("port", port).encode(),)


@column(
    {"http://a/b": "http://a:8080/b", "b": None},
    options={"port": 8080},
    kernel=prepare_new_port,
    checks={"port": check_new_port},
)
def with_port(row: str, port: int | str | None) -> str | None:
    """Set the port of each URI in a column.

    Args:
        port: a number, or a string of digits; `None` removes the port and its colon, `""` removes
            only the digits.

    Returns:
        The URI with the new port; null if the row is null, is invalid or has no host.
    """
    return str(parse_identifier(row).with_port(port))
