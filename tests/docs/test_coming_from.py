"""The tables of docs/coming-from: idioms have the same result in both libraries, and are short."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from uriverse import IRIReference, Segments

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "coming-from"
EXAMPLE = "http://user@example.com:8080/docs/report.tar.gz?q=a+b&page=2&page=3#top"
VERSION = re.compile(r"[Rr]esults\s+of\s+\S+\s+(\d[\d.]*\d)\.")
CODE = re.compile(r"`([^`]+)`")

BASE = "http://example.com/docs/"

#: The idioms of uriverse may use these names.
OURS = (
    "from uriverse import *\nfrom uriverse import percent\nuri = URI(EXAMPLE)\n"
    "base = URI(BASE)\nref = URIReference('a/b')\niri = IRI('http://example.com/é#a')\n"
)


class Peer(NamedTuple):
    """Another library.

    Attributes:
        module: the module that must be installed.
        names: code that defines the names that the idioms use.
        result: an expression for the result in a table of strings.
        ours: an expression that makes a URI comparable to a result of the library.
    """

    module: str
    names: str
    result: str
    ours: str = "str(made)"


PEERS = {
    "urllib.md": Peer(
        "urllib.parse",
        "from urllib.parse import *\nparts = urlsplit(EXAMPLE)",
        "urlunsplit(urlsplit(string))",
    ),
    "yarl.md": Peer(
        "yarl",
        "from yarl import URL\nurl = URL(EXAMPLE)\nbase = URL(BASE)\nref = URL('a/b')",
        "str(URL(string))",
    ),
    "httpx.md": Peer("httpx", "import httpx\nurl = httpx.URL(EXAMPLE)", "str(httpx.URL(string))"),
    "furl.md": Peer("furl", "from furl import furl\nf = furl(EXAMPLE)", "furl(string).url"),
    "rfc3986.md": Peer(
        "rfc3986",
        "from rfc3986 import *\nfrom rfc3986 import builder\n"
        "from rfc3986.validators import Validator\nref = uri_reference(EXAMPLE)",
        "uri_reference(string).unsplit()",
    ),
    "hyperlink.md": Peer(
        "hyperlink",
        "import hyperlink\nfrom hyperlink import URL\nurl = URL.from_text(EXAMPLE)\n"
        "decoded = hyperlink.parse(EXAMPLE)",
        "URL.from_text(string).to_text()",
    ),
    "rdflib.md": Peer(
        "rdflib",
        "from rdflib import Namespace, URIRef\nfrom rdflib.term import _is_valid_uri\n"
        "ref = URIRef('http://example.com/é#a')\nns = Namespace('http://example.com/ns#')",
        "URIRef(string).n3()[1:-1]",
    ),
    "pathlib.md": Peer(
        "pathlib",
        "from pathlib import PurePosixPath\nfrom urllib.parse import urlsplit\n"
        "path = PurePosixPath(urlsplit(EXAMPLE).path)",
        "str(PurePosixPath(string))",
        "percent.decode(made.path)",
    ),
    "w3lib.md": Peer("w3lib", "from w3lib.url import *\nurl = EXAMPLE", "safe_url_string(string)"),
}


#: The methods of other libraries that return a URL as a string, with their arguments.
UNPARSE: dict[str, dict[str, Any]] = {
    "unsplit": {},
    "geturl": {},
    "to_text": {"with_password": True},
}

#: The idioms with different results, by the cell of the other library, and the reason.
DIFFERENT = {
    '`urlsplit("any string")`': "a missing component is None in uriverse",
    "`url.parts`": "in uriverse, the first segment of a path that starts with a slash is empty",
    "`url.raw_parts`": "as above",
    "`path.parts`": "as above",
    "`str(f.path)`, `f.path.segments`": "as above",
    "`url.human_repr()`": "yarl decodes the plus sign",
    "`url.path_qs`": "yarl decodes the query",
    "`url.query_string`": "as above",
    "`url.raw`": "the parts of httpx are bytes",
    "`f.args`": "a mapping of another type",
    "`f.asdict()`": "furl also splits the path and the query",
    "`f.strict`": "an option of furl, which then warns about errors",
    "`ref.authority_info()`": "rfc3986 returns a dict",
    **{
        f"`ref.{part}_is_valid()`": "rfc3986 returns the match of a regular expression"
        for part in ("scheme", "authority", "path", "query", "fragment")
    },
    "`url.userinfo`, `url.username`, `url.password`": "a missing password is None in uriverse",
    "`f.path.normalize()`": "furl returns the path",
    '`Validator().allow_schemes("http").allow_hosts("example.com").validate(ref)`': (
        "rfc3986 returns None"
    ),
    '`decoded.sibling("a b")`': "hyperlink keeps the query",
    '`decoded.add("page", "4")`': "hyperlink encodes the other parameters again",
    '`decoded.replace(query=[("a", "b c")])`': "hyperlink does not encode like HTML forms",
}

#: The everyday idioms that are longer than those of yarl, with what they say that yarl cannot.
LONGER = {
    'url.with_query({"a": "b c"})': "params are data; with_query takes a query as written",
    'url.update_query(q="x", page=4)': "params are data",
    'URL.build(scheme="ws", host="a", path="/", query={"b": "c d"})': "params are data",
    'url % {"q": "x"}': "the values are replaced, not added",
    'url.with_user("me")': "the name is `username`, as it is for reading",
    "url.with_user(None)": "the name is `username`",
    'URL.build(scheme="ftp", host="a", user="me", path="/b")': "the name is `username`",
    "url.relative()": "the result is a relative reference for every URI, even for http://a//b",
}


class Row(NamedTuple):
    """A row of a table with two or three columns, the last for uriverse."""

    page: str
    cells: list[str]


def rows(columns: int) -> Iterator[Row]:
    """Yield the rows of all tables with so many columns whose last header is `uriverse`."""
    for page in PEERS:
        header: list[str] = []
        for line in (FOLDER / page).read_text("utf-8").splitlines():
            if not line.startswith("|"):
                header = []
                continue
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if not header:
                header = cells
            elif set(line) - set("|- ") and header[-1] == "uriverse" and len(cells) == columns:
                yield Row(page, cells)


def require(page: str) -> None:
    """Skip the test unless the library of a page is installed in the version that it describes."""
    module = PEERS[page].module
    if found := VERSION.search((FOLDER / page).read_text("utf-8")):
        pytest.importorskip(module, reason=f"needs {module} (pip install --group test-all)")
        if not f"{version(module)}.".startswith(f"{found[1]}."):
            pytest.skip(f"needs {module} {found[1]} (pip install '{module}=={found[1]}.*')")


def named(row: Row) -> str:
    """Return the name of a test: its page and the first cell of its row."""
    return f"{row.page} {row.cells[0]}"


def scope_with(names: str) -> dict[str, Any]:
    """Return the names that an idiom may use."""
    scope: dict[str, Any] = {"EXAMPLE": EXAMPLE, "BASE": BASE}
    exec(names, scope)
    return scope


def outcome(string: str, names: str, result: str) -> str:
    """Return what a library makes of a string, as the tables write it."""
    scope = scope_with(names) | {"string": string}
    try:
        written = eval(result, scope)
    except Exception:  # noqa: BLE001  # each library has its own exceptions
        return "error"
    return "unchanged" if written == string else f"`{written}`"


def results(cell: str, names: str) -> list[object]:
    """Run each piece of code in a cell of a table, and return the results.

    The result of a statement is the first object that the names define, which it changes.
    """
    found: list[object] = []
    for code in CODE.findall(cell):
        scope = scope_with(names)
        try:
            found.append(eval(code, scope))
        except SyntaxError:
            exec(code, scope)
            found.append(scope["f"])
    return found


def comparable(result: object, ours: str) -> object:
    """Convert a result to a form that does not depend on the library."""
    if isinstance(result, IRIReference):
        return eval(ours, scope_with(OURS) | {"made": result})
    if result is None or isinstance(result, bool | int):
        return result
    if isinstance(result, bytes):
        return result.decode(errors="surrogateescape")
    for method, options in UNPARSE.items():
        if hasattr(result, method):
            return getattr(result, method)(**options)
    if isinstance(result, dict):
        return {name: comparable(value, ours) for name, value in result.items()}
    if isinstance(result, list | tuple | Segments):
        return [comparable(item, ours) for item in result]
    return str(result)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:URL.raw is deprecated")
@pytest.mark.parametrize("row", list(rows(2)), ids=named)
def test_an_idiom_has_the_same_result_in_both_libraries(row: Row) -> None:
    theirs, ours = row.cells
    peer = PEERS[row.page]
    made = [comparable(result, peer.ours) for result in results(ours, OURS)]
    require(row.page)
    expected = [comparable(result, peer.ours) for result in results(theirs, peer.names)]
    # Several idioms of the other library may correspond to one idiom of uriverse.
    made *= len(expected) if len(made) == 1 else 1
    assert (made != expected) == (theirs in DIFFERENT)


def idioms(page: str, heading: str) -> Iterator[tuple[str, str]]:
    """Yield the idioms of the table after a heading, as pairs of code."""
    text = (FOLDER / page).read_text("utf-8")
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    for row in rows(2):
        if row.page == page and f"| {row.cells[0]} | {row.cells[1]} |" in section:
            yield from zip(*map(CODE.findall, row.cells), strict=True)


def test_no_everyday_idiom_is_longer_than_that_of_yarl() -> None:
    everyday = list(idioms("yarl.md", "Everyday idioms"))
    assert len(everyday) >= 20
    longer = {theirs for theirs, ours in everyday if len(ours) > len(theirs)}
    assert longer == set(LONGER)


@pytest.mark.parametrize("row", list(rows(3)), ids=named)
def test_a_string_has_the_result_in_the_table(row: Row) -> None:
    peer = PEERS[row.page]
    string = row.cells[0].strip("`")
    assert outcome(string, OURS, "str(parse(string))") == row.cells[2]
    require(row.page)
    assert outcome(string, peer.names, peer.result) == row.cells[1]
