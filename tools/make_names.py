"""Write the tables of docs/coming-from: names of other libraries, and results of all idioms.

The names are those of the table in uriverse. The results are those of a run of both libraries. A
page whose library is not installed in the right version keeps its results.

python tools/make_names.py            write the tables
python tools/make_names.py --check    fail if a page differs
"""

from __future__ import annotations

import re
import sys

from generated import write_or_check
from migration_tables import (
    FOLDER,
    PEERS,
    RESULT,
    list_shared_names,
    rows,
    why_not_runnable,
    write_results,
)

from uriverse._uri.foreign_names import URIS

#: The variables for a URL on the page of each library: that of the library, and that of uriverse.
VARIABLES = {
    "furl": ("f", "uri"),
    "httpx": ("url", "uri"),
    "hyperlink": ("decoded", "uri"),
    "rdflib": ("ref", "iri"),
    "rfc3986": ("ref", "uri"),
    "urllib": ("parts", "uri"),
    "yarl": ("url", "uri"),
}

#: The parts of a page that are generated, in addition to the results.
NAMES = re.compile(r"(?<=<!-- make_names.py -->\n).*?(?=<!-- end -->)", re.DOTALL)
SHARED_NAMES = re.compile(r"(?<=<!-- shared names -->\n).*?(?=<!-- end -->)", re.DOTALL)


def tables(library: str) -> str:
    """Return the tables of the properties and of the methods of a library."""
    properties: list[str] = []
    methods: list[str] = []
    variable, uri = VARIABLES[library]
    for name, use, libraries in URIS:
        if library in libraries.split():
            ours = use if re.search(r"\b(uri|URI)\b", use) else f"uri.{use}"
            method = name.endswith("(...)")
            ours = re.sub(r"\buri\b", uri, ours)
            theirs = f"{variable}.{name.removesuffix('(...)')}"
            (methods if method else properties).append(f"| `{theirs}` | `{ours}` |\n")
    text = ""
    if properties:
        text += f"| {library} | uriverse | {RESULT} |\n|---|---|---|\n{''.join(properties)}\n"
    if methods:
        text += f"| method of {library} | method of uriverse |\n|---|---|\n{''.join(methods)}\n"
    return text


def write_page(page: str) -> str:
    """Return the text of a page, with its tables."""
    text = (FOLDER / page).read_text("utf-8")
    known = {tuple(row.cells[:2]): row.cells[2] for row in rows(page, text) if row.is_idiom}
    library = page.removesuffix(".md")
    if library in VARIABLES:
        text = NAMES.sub(lambda _: f"\n{tables(library)}", text)
        if SHARED_NAMES.search(text) and not why_not_runnable(page, text):
            shared = list_shared_names(page, VARIABLES[library][0])
            text = SHARED_NAMES.sub(lambda _: f"\n{shared}", text)
    return write_results(page, text, known)


if __name__ == "__main__":
    made = {FOLDER / page: write_page(page) for page in PEERS}
    sys.exit(write_or_check(__doc__, made))
