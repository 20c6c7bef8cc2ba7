"""Compare two URIs in a test, and show the components that differ."""

from __future__ import annotations

from uriverse._redaction import redact_component
from uriverse._uri import IRIReference, parse
from uriverse.typing import Level

#: The components to compare, with the attributes that contain them.
COMPONENTS = {
    "scheme": "scheme",
    "userinfo": "userinfo",
    "host": "host",
    "port": "port_text",
    "path": "path",
    "query": "query",
    "fragment": "fragment",
}


def assert_same(
    actual: str | IRIReference, expected: str | IRIReference, *, level: Level = "string"
) -> None:
    """Raise `AssertionError` with a table of the components if two URIs differ.

    Secrets in the table are replaced with `REDACTED`.

    Args:
        actual: the URI to test.
        expected: the URI that is expected.
        level: the rules of the comparison, as for `URI.equivalent`: `"string"`, `"syntax"` or
            `"scheme"`.

    Raises:
        AssertionError: the URIs differ.
        ParseError: an argument is not a valid URI, IRI or reference.

    >>> assert_same("http://example.org:80", "http://EXAMPLE.org/", level="scheme")
    >>> try:
    ...     assert_same("http://example.org/a?b", "http://example.com/a")
    ... except AssertionError as error:
    ...     print(error)
    the URIs differ in host, query
        component  actual         expected
        scheme     'http'         'http'
        userinfo   None           None
      > host       'example.org'  'example.com'
        port       None           None
        path       '/a'           '/a'
      > query      'b'            None
        fragment   None           None
    """
    first, second = parse(actual), parse(expected)
    if not first.equivalent(second, level=level):
        lines = compare_components(first, second, ("actual", "expected"), level)
        raise AssertionError("\n".join(lines))


def compare_components(
    first: IRIReference, second: IRIReference, titles: tuple[str, str], level: Level = "string"
) -> list[str]:
    """Return the lines of a table of components, with ">" where their normal forms differ."""
    normalized_first, normalized_second = normalize_uri(first, level), normalize_uri(second, level)
    rows = [("component", *titles)]
    different_names: list[str] = []
    for name, attribute in COMPONENTS.items():
        left = format_component(name, getattr(first, attribute))
        right = format_component(name, getattr(second, attribute))
        rows.append((name, left, right))
        if getattr(normalized_first, attribute) != getattr(normalized_second, attribute):
            different_names.append(name)
    lines = [f"the URIs differ in {', '.join(different_names)}"]
    width = max(len(left) for _, left, _ in rows)
    for name, left, right in rows:
        marker = ">" if name in different_names else " "
        lines.append(f"  {marker} {name:<9}  {left:<{width}}  {right}")
    return lines


def normalize_uri(uri: IRIReference, level: Level) -> IRIReference:
    return uri if level == "string" else uri.normalize(scheme=level == "scheme")


def format_component(name: str, value: str | None) -> str:
    return repr(None if value is None else redact_component(name, value))
