"""The tables of docs/coming-from: idioms run in both libraries, and strings have these results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "coming-from"
EXAMPLE = "http://user@example.com:8080/docs/report.tar.gz?q=a+b&page=2&page=3#top"
VERSION = re.compile(r"[Rr]esults\s+of\s+\S+\s+(\d[\d.]*\d)\.")
CODE = re.compile(r"`([^`]+)`")

#: Both sides of an idiom may use these names.
OURS = (
    "from uriverse import *\nfrom uriverse import percent\nuri = URI(EXAMPLE)\n"
    "iri = IRI('http://example.com/é')\n"
)


class Peer(NamedTuple):
    """Another library: its module, the names that its idioms use, and how it parses a string."""

    module: str
    names: str
    result: str


PEERS = {
    "urllib.md": Peer(
        "urllib.parse",
        "from urllib.parse import *\nparts = urlsplit(EXAMPLE)",
        "urlunsplit(urlsplit(string))",
    ),
    "yarl.md": Peer("yarl", "from yarl import URL\nurl = URL(EXAMPLE)", "str(URL(string))"),
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
        "ref = URIRef(EXAMPLE)\nns = Namespace('http://example.com/ns#')",
        "URIRef(string).n3()[1:-1]",
    ),
    "w3lib.md": Peer("w3lib", "from w3lib.url import *\nurl = EXAMPLE", "safe_url_string(string)"),
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
        pytest.importorskip(module, reason=f"needs {module} (pip install '.[test-all]')")
        if not f"{version(module)}.".startswith(f"{found[1]}."):
            pytest.skip(f"needs {module} {found[1]} (pip install '{module}=={found[1]}.*')")


def named(row: Row) -> str:
    """Return the name of a test: its page and the first cell of its row."""
    return f"{row.page} {row.cells[0]}"


def outcome(string: str, names: str, result: str) -> str:
    """Return what a library makes of a string, as the tables write it."""
    scope: dict[str, Any] = {"EXAMPLE": EXAMPLE, "string": string}
    exec(names, scope)
    try:
        written = eval(result, scope)
    except Exception:  # noqa: BLE001  # each library has its own exceptions
        return "error"
    return "unchanged" if written == string else f"`{written}`"


def run_each(cell: str, names: str) -> None:
    """Run each piece of code in a cell of a table."""
    for code in CODE.findall(cell):
        scope: dict[str, Any] = {"EXAMPLE": EXAMPLE}
        exec(names, scope)
        exec(code, scope)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("row", list(rows(2)), ids=named)
def test_an_idiom_runs_in_both_libraries(row: Row) -> None:
    theirs, ours = row.cells
    run_each(ours, OURS)
    require(row.page)
    run_each(theirs, PEERS[row.page].names)


@pytest.mark.parametrize("row", list(rows(3)), ids=named)
def test_a_string_has_the_result_in_the_table(row: Row) -> None:
    peer = PEERS[row.page]
    string = row.cells[0].strip("`")
    assert outcome(string, OURS, "str(parse(string))") == row.cells[2]
    require(row.page)
    assert outcome(string, peer.names, peer.result) == row.cells[1]
