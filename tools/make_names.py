"""Write the names of other libraries into docs/coming-from, from the table in the library.

python tools/make_names.py            write the tables
python tools/make_names.py --check    fail if a page differs from the table
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from generated import write_or_check

from uriverse._foreign_names import URIS

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "coming-from"

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

#: The part of a page that is generated.
SECTION = re.compile(r"(?<=<!-- make_names.py -->\n).*?(?=<!-- end -->)", re.DOTALL)


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
        text += f"| {library} | uriverse |\n|---|---|\n{''.join(properties)}\n"
    if methods:
        text += f"| method of {library} | method of uriverse |\n|---|---|\n{''.join(methods)}\n"
    return text


def page(library: str) -> str:
    """Return the page of a library, with its tables."""
    text = (FOLDER / f"{library}.md").read_text("utf-8")
    return SECTION.sub(lambda _: f"\n{tables(library)}", text)


if __name__ == "__main__":
    made = {FOLDER / f"{library}.md": page(library) for library in VARIABLES}
    sys.exit(write_or_check(__doc__, made))
