"""Resource templates of the Model Context Protocol match as in its SDKs, or the docs say why not.

The cases cover each kind of case that the tests of the SDKs for Python and TypeScript contain.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from uriverse import TemplateError
from uriverse.templates import Template

PAGE = Path(__file__).resolve().parents[3] / "docs/reference/templates.md"

#: Templates and URIs with the values that uriverse and the SDKs read.
MATCHES: list[tuple[str, str, dict[str, Any] | None]] = [
    # Simple and reserved variables.
    ("{id}", "seven", {"id": "seven"}),
    ("notes://all/{title}", "notes://all/to-do.md", {"title": "to-do.md"}),
    ("notes://all/{title}", "notes://all/two%20words", {"title": "two words"}),
    ("notes://all/{title}", "notes://some/to-do.md", None),
    ("{year}/{month}", "2026/11", {"year": "2026", "month": "11"}),
    ("{year}/{month}", "2026", None),
    ("notes://all/{+path}", "notes://all/work/to-do.md", {"path": "work/to-do.md"}),
    ("{+path}", "work/2026/11", {"path": "work/2026/11"}),
    *(("notes://{+path}", "http://notes", None), ("/groups/{id}", "/groups/7/members", None)),
    *(("/groups/{id}", "/groups", None), ("v1.0/{id}", "v1x0/7", None)),
    # The delimiters of a query, encoded in a path.
    *(("{x}", "1%3F2", {"x": "1?2"}), ("{x}", "1%232", {"x": "1#2"})),
    ("{x}", "1%262", {"x": "1&2"}),
    # A literal that also occurs in a value.
    *(("no-{id}", "no-no-7", {"id": "no-7"}), ("~{x}~", "~~~", {"x": "~"})),
    *(("v{x}", "vov", {"x": "ov"}), ("notes/{id}", "notes/notes", {"id": "notes"})),
    ("{user}@{+path}", "me@a@b/c", {"user": "me", "path": "a@b/c"}),
    ("{user}@{+path}", "me@a/c", {"user": "me", "path": "a/c"}),
    *(("{+path}@{version}", "a@b@v2", {"path": "a@b", "version": "v2"}), ("ab{+x}bc", "abc", None)),
    # The other operators.
    *(("page{#part}", "page#two", {"part": "two"}), ("page{#part}", "page#", {"part": ""})),
    *(("file{.type}", "file.txt", {"type": "txt"}), ("file{.type}", "file.a%2Eb", {"type": "a.b"})),
    *(("api{/version}", "api/v2", {"version": "v2"}), ("item{;id}", "item;id=7", {"id": "7"})),
    *(("item{;id}", "item;identity=7", None), ("{;x}", ";x=1%3B2", {"x": "1;2"})),
    # Exploded variables.
    ("/tree{/path*}", "/tree/a/b/c", {"path": ["a", "b", "c"]}),
    ("/tree{/path*}/edit", "/tree/a/b/edit", {"path": ["a", "b"]}),
    ("tree{/path*}", "treehouse", None),
    ("www{.labels*}", "www.example.org", {"labels": ["example", "org"]}),
    ("item{;keys*}", "item;keys=a;keys=b", {"keys": ["a", "b"]}),
    ("item{;keys*}", "item;keys=a;other=b", None),
    # Parameters of a query.
    *(("find{?q}", "find?q=cats", {"q": "cats"}), ("find{?q}", "find?q=", {"q": ""})),
    ("find{?q}", "find", {}),
    ("find{?q,page}", "find?page=2&q=cats", {"q": "cats", "page": "2"}),
    ("find{?q,page}", "find?page=2", {"page": "2"}),
    ("find{?q}", "find?q=cats&sort=age", {"q": "cats"}),
    ("find{?q}", "find?&q=cats&", {"q": "cats"}),
    ("find{?q}", "find?q=two%20words", {"q": "two words"}),
    *(("find{?q}", "find?q=C++", {"q": "C++"}), ("find{?q}", "find?q=1%262", {"q": "1&2"})),
    ("find{?q}{&page,sort}", "find?sort=age&q=cats", {"q": "cats", "sort": "age"}),
    ("find?v=1{&q}", "find?v=1&q=cats", {"q": "cats"}),
    *(("find{&q}", "find&q=cats", {"q": "cats"}), ("lost/{x}{?q}", "found/1?q=cats", None)),
    ("jobs://{name}{?since,level}", "jobs://nightly?level=2", {"name": "nightly", "level": "2"}),
    # Slashes are counted.
    *(("///{x}///{y}/", "///1///2/", {"x": "1", "y": "2"}), ("///{x}///{y}/", "//1///2/", None)),
    # Hostile input.
    ("{x}L{y}L{z}M", "L" * 200, None),
    ("{+path}/end", "a/" * 5000 + "end", {"path": "a/" * 4999 + "a"}),
    ("{+path}/end", "a/" * 5000 + "start", None),
]

#: Templates and values with their expansions.
EXPANSIONS: list[tuple[str, dict[str, Any], str]] = [
    *(("{x}", {"x": "two words/é"}, "two%20words%2F%C3%A9"), ("{x}", {"x": "1%2F2"}, "1%252F2")),
    *(("{+x}", {"x": "1%2F2/3 %"}, "1%2F2/3%20%25"), ("{#x}", {"x": "a/b"}, "#a/b")),
    ("file{.x}{/y}", {"x": "txt", "y": "1"}, "file.txt/1"),
    *(("{;x,y}", {"x": "1", "y": ""}, ";x=1;y"), ("{?x,y,z}", {"x": "1", "y": ""}, "?x=1&y=")),
    *(("?v=1{&x}", {"x": "2"}, "?v=1&x=2"), ("{x,y}", {"x": "1", "y": "2"}, "1,2")),
    ("{/x}{?y}", {"x": ["a", "b"], "y": ["c", "d"]}, "/a,b?y=c,d"),
    *(("{/x*}", {"x": ["a", "", "b"]}, "/a//b"), ("{;x*}", {"x": ["a", "", "b"]}, ";x=a;x;x=b")),
    *(("{/x*}{?y}", {"x": []}, ""), ("notes://all", {}, "notes://all")),
]

#: Strings that both SDKs reject as templates.
INVALID = ["{", "a{", "{x", "{x}{", "{{x}}", "{x{y}z}"]


@pytest.mark.parametrize(("template", "uri", "values"), MATCHES)
def test_a_uri_has_the_values_that_the_sdks_read(
    template: str, uri: str, values: dict[str, Any] | None
) -> None:
    assert values_in(template, uri) == values
    assert sdk_values_in(template, uri) == values


@pytest.mark.parametrize(("template", "values", "text"), EXPANSIONS)
def test_a_template_expands_as_in_sdks(template: str, values: dict[str, Any], text: str) -> None:
    assert Template(template).expand_text(values) == text


def test_what_the_sdks_or_the_rfc_reject_is_no_template() -> None:
    for text in INVALID:
        with pytest.raises(TemplateError):
            Template(text)
    # What an SDK accepts against the RFC or the limit is no template.
    for text in ["{}", "{$x}", "a}", "{a,,b}", "x" * 8193]:
        with pytest.raises(TemplateError):
            Template(text)


def values_in(template: str, uri: str) -> dict[str, Any] | str | None:
    try:
        match = Template(template).match(uri)
    except TemplateError:
        return "ambiguous"
    return None if match is None else match.variables


def sdk_values_in(template: str, uri: str) -> Any:
    """Return the values that the Python SDK reads, `"rejected"`, or `None`."""
    module = pytest.importorskip(
        "mcp.shared.uri_template", reason="needs mcp (pip install --group test-all)"
    )
    try:
        return module.UriTemplate.parse(template).match(uri)
    except module.InvalidUriTemplate:
        return "rejected"


def tables() -> Iterator[list[tuple[str, str, Any, Any]]]:
    """Yield the rows of each table in which the page compares uriverse with an SDK."""
    section = PAGE.read_text("utf-8").partition("## Compared with the MCP SDKs")[2]
    for table in re.findall(r"^\|---.*\n((?:\|.*\n)+)", section, re.MULTILINE):
        rows = (line.strip("| \n").split(" | ") for line in table.splitlines())
        yield [tuple(map(cell_value, row)) for row in rows]


def cell_value(cell: str) -> Any:
    """Return a string, or the value that a cell shows."""
    text = cell.strip("`")
    if text in {"None", "{}"} or text.startswith("{'"):
        return ast.literal_eval(text)
    return text


PYTHON_SDK, TYPESCRIPT_SDK = tables()


@pytest.mark.parametrize(("template", "uri", "ours", "theirs"), PYTHON_SDK)
def test_the_documented_differences_from_the_python_sdk_are_true(
    template: str, uri: str, ours: Any, theirs: Any
) -> None:
    assert values_in(template, uri) == ours != theirs
    assert sdk_values_in(template, uri) == theirs


@pytest.mark.parametrize(("template", "given", "ours", "theirs"), TYPESCRIPT_SDK)
def test_the_documented_differences_from_the_typescript_sdk_are_true(
    template: str, given: Any, ours: Any, theirs: Any
) -> None:
    if isinstance(given, str):
        found: Any = values_in(template, given)
    else:
        found = Template(template).expand_text(given)
    assert found == ours != theirs
