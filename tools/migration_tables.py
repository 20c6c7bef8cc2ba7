"""The tables of docs/coming-from: their rows, and the results of running them in both libraries."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from uriverse import URI, IRIReference, Segments

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "coming-from"
VERSION = re.compile(r"[Rr]esults\s+of\s+\S+\s+(\d[\d.]*\d)\.")
CODE = re.compile(r"`([^`]+)`")

#: The URL of the first example of each page, and an encoded URL with an international host. Every
#: row of a table is run with both.
EXAMPLE = "http://user@example.com:8080/docs/report.tar.gz?q=a+b&page=2&page=3#top"
ENCODED = "http://u%40x:p%3Aw@xn--bcher-kva.example:81/a%20b/c%20d.t%20t.g%7Cz?q=a+b%26#f%20g"

BASE = "http://example.com/docs/"

#: The header of the column with the comparison of the results.
RESULT = "result"

#: The longest values that a table shows.
LONGEST_VALUES = 100

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
        "from pathlib import PurePosixPath\nfrom urllib.parse import unquote, urlsplit\n"
        "path = PurePosixPath(unquote(urlsplit(EXAMPLE).path))",
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

#: Why the results of some idioms differ, by the code of the other library. For all others, the
#: table shows both results.
REASONS = {
    'urlsplit("any string")': "a missing component is `None` in uriverse",
    "url.human_repr()": "yarl decodes more, and shows passwords",
    "url.raw": "the parts of httpx are `bytes`, without the userinfo and the fragment",
    "f.asdict()": "furl also splits the path and the query",
    "f.strict": "an option of furl, which then warns about errors",
    **{
        f"ref.{part}_is_valid()": "rfc3986 returns the match of a regular expression"
        for part in ("scheme", "authority", "path", "query", "fragment")
    },
    "ref.authority_info()": "rfc3986 returns a `dict`, with the port as a string",
    "f.path.normalize()": "furl returns the path",
    'Validator().allow_schemes("http").allow_hosts("example.com").validate(ref)': (
        "rfc3986 returns `None`"
    ),
    'decoded.sibling("a b")': "hyperlink keeps the query",
    'decoded.add("page", "4")': "hyperlink encodes the other parameters again",
    'decoded.replace(query=[("a", "b c")])': "hyperlink does not encode like HTML forms",
    "canonicalize_url(url)": "w3lib decodes and encodes other characters",
    "url.to_iri()": "hyperlink also decodes ASCII characters",
    "decoded.asIRI()": "hyperlink also decodes ASCII characters",
    "decoded.asText()": "hyperlink removes the password",
    "decoded.to_text()": "hyperlink removes the password",
}


class Row(NamedTuple):
    """A row of a table of a page: its cells, and the headers of their columns."""

    page: str
    headers: list[str]
    cells: list[str]

    @property
    def is_idiom(self) -> bool:
        """Whether the row compares code of two libraries."""
        return self.headers[1:2] == ["uriverse"]

    @property
    def is_string(self) -> bool:
        """Whether the row compares the results for a string."""
        return self.headers[2:] == ["uriverse"]


def split_row(line: str) -> list[str]:
    """Return the cells of a row of a Markdown table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def rows(page: str, text: str) -> Iterator[Row]:
    """Yield the rows of all tables of a page."""
    headers: list[str] = []
    for line in text.splitlines():
        if not line.startswith("|"):
            headers = []
        elif not headers:
            headers = split_row(line)
        elif set(line) - set("|- "):
            yield Row(page, headers, split_row(line))


def why_not_runnable(page: str, text: str) -> str:
    """Return which module is missing, or which version a page describes, or "" if it can be run."""
    module = PEERS[page].module
    try:
        import_module(module)
    except ImportError:
        return f"needs {module} (pip install --group test-all)"
    described = VERSION.search(text)
    if described and not f"{version(module)}.".startswith(f"{described[1]}."):
        return f"needs {module} {described[1]} (pip install '{module}=={described[1]}.*')"
    return ""


def scope_with(names: str, url: str = EXAMPLE) -> dict[str, Any]:
    """Return the names that an idiom may use."""
    scope: dict[str, Any] = {"EXAMPLE": url, "BASE": BASE}
    with warnings.catch_warnings(action="ignore"):
        exec(names, scope)
    return scope


def run(code: str, names: str, ours: str, url: str) -> object:
    """Run the code of an idiom, and return its result in a form that both libraries can have.

    The result of a statement is the first object that the names define, which it changes.
    """
    scope = scope_with(names, url)
    try:
        with warnings.catch_warnings(action="ignore"):
            result = eval(code, scope)
    except SyntaxError:
        exec(code, scope)
        result = scope["f"]
    except Exception:  # noqa: BLE001  # each library has its own exceptions
        return "error"
    return comparable(result, ours)


def comparable(result: object, ours: str) -> object:
    """Convert a result to a form that does not depend on the library."""
    if isinstance(result, IRIReference):
        return eval(ours, scope_with(OURS) | {"made": result})
    if result is None or isinstance(result, bool | int | bytes):
        return result
    for method, options in UNPARSE.items():
        if hasattr(result, method):
            return getattr(result, method)(**options)
    if isinstance(result, dict):
        return {name: comparable(value, ours) for name, value in result.items()}
    if isinstance(result, list | tuple | Segments):
        return [comparable(item, ours) for item in result]
    return str(result)


def compare(page: str, theirs: str, ours: str) -> str:
    """Return the cell that compares the results of two pieces of code, such as "same"."""
    peer = PEERS[page]
    for url in (ENCODED, EXAMPLE):
        result, expected = run(ours, OURS, peer.ours, url), run(theirs, peer.names, peer.ours, url)
        if isinstance(expected, bytes) and isinstance(result, str):
            if expected.decode() != result:
                return show_results(theirs, expected, result)
            return "same, but `bytes`"
        if result != expected:
            return show_results(theirs, expected, result)
    return "same"


def show_results(theirs: str, expected: object, result: object) -> str:
    """Return the reason why two results differ, or both results."""
    values = f"`{expected!r}`, `{result!r}`".replace("|", r"\|")
    if theirs not in REASONS and len(values) > LONGEST_VALUES:
        raise ValueError(f"{theirs} needs a reason: {values}")
    return REASONS.get(theirs, values)


def compare_row(row: Row) -> str:
    """Return the last cell of a row of idioms."""
    theirs, ours = CODE.findall(row.cells[0]), CODE.findall(row.cells[1])
    # Several idioms of the other library may correspond to one idiom of uriverse.
    ours *= len(theirs) if len(ours) == 1 else 1
    cells = {compare(row.page, *codes) for codes in zip(theirs, ours, strict=True)}
    if len(cells) > 1:
        raise ValueError(f"{row.page}: split the row of {row.cells[0]}: {cells}")
    return cells.pop()


def write_results(page: str, text: str, known: dict[tuple[str, ...], str]) -> str:
    """Return the text of a page, with the last column of each table of idioms.

    If the library is not installed in the version of the page, the column has the known cells.
    """
    is_runnable = not why_not_runnable(page, text)
    for row in rows(page, text):
        if row.is_idiom:
            idiom = tuple(row.cells[:2])
            cell = compare_row(row) if is_runnable else known.get(idiom, "")
            start = re.escape(f"| {' | '.join(idiom)} |")
            line = f"| {' | '.join(idiom)} | {cell} |"
            text = re.sub(f"^{start}.*$", line.replace("\\", r"\\"), text, flags=re.MULTILINE)
    return text


def list_shared_names(page: str, variable: str) -> str:
    """Return a table of the attributes that have different values in both libraries."""
    peer = PEERS[page]
    theirs, ours = scope_with(peer.names)[variable], URI(EXAMPLE)
    lines: list[str] = []
    for name in sorted(set(dir(theirs)) & set(dir(ours))):
        codes = f"{variable}.{name}", f"uri.{name}"
        if name.startswith("_"):
            continue
        if not callable(getattr(theirs, name)) and not callable(getattr(ours, name)):
            cell = compare(page, *codes)
            if cell != "same":
                lines.append(f"| `{codes[0]}` | `{codes[1]}` | {cell} |\n")
    head = f"| {page.removesuffix('.md')} | uriverse | {RESULT} |\n|---|---|---|\n"
    return f"{head}{''.join(lines)}\n"
