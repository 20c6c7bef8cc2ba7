"""Write the names of typed URIs, from `DESCRIPTORS`, into `uriverse/__init__.py` and the docs.

python tools/make_typed.py            write the names
python tools/make_typed.py --check    fail if a file differs
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from generated import write_or_check

from uriverse.schemes._descriptors import DESCRIPTORS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "uriverse" / "__init__.py"
DOCS = ROOT / "docs"

#: The classes, each with its module and its first scheme: `http` for `HTTPURI`.
CLASSES = {
    name: (module, scheme)
    for scheme, descriptor in reversed(DESCRIPTORS.items())
    for module, _, name in [(descriptor.typed or "").partition(".")]
    if name
}


def replace_once(pattern: str, text: str, content: str) -> str:
    changed, count = re.subn(pattern, lambda _: content, text, flags=re.DOTALL | re.MULTILINE)
    assert count == 1, pattern
    return changed


def write_package(text: str) -> str:
    """Write the imports and the names of the classes; other names stay."""
    import_lines = r"(?:^    from \._typed\.\w+ import \w+\n)+"
    former = set(re.findall(r"^    from \._typed\.\w+ import (\w+)$", text, re.MULTILINE))
    modules = sorted((module, name) for name, (module, _) in CLASSES.items())
    imports = "".join(f"    from ._typed.{module} import {name}\n" for module, name in modules)
    text = replace_once(import_lines, text, imports)
    lazy = "".join(f'            "_typed.{module}": "{name}",\n' for module, name in modules)
    text = replace_once(r'(?:^ +"_typed\.\w+": "\w+",\n)+', text, lazy)
    listed = re.search(r"(?<=^__all__ = \[\n).*?(?=^\]$)", text, re.DOTALL | re.MULTILINE)
    assert listed
    names = {*re.findall(r'"(\w+)"', listed[0])} - former | CLASSES.keys()
    # The order of ruff: constants, classes, functions.
    ordered = sorted(names, key=lambda name: (not name.isupper(), name[0].islower(), name))
    lines = "".join(f'    "{name}",\n' for name in ordered)
    return text[: listed.start()] + lines + text[listed.end() :]


def write_reference(text: str) -> str:
    """Write a section for each class."""
    sections = "".join(
        f"## {name.removesuffix('URI') or name}\n\n```{{eval-rst}}\n.. currentmodule:: uriverse\n"
        f".. autoclass:: {name}\n   :members:\n   :show-inheritance:\n```\n\n"
        for name in CLASSES
    )
    return (
        replace_once(r"(?<=<!-- make_typed\.py -->\n).*\Z", text, f"\n{sections}".rstrip("\n"))
        + "\n"
    )


def write_index(text: str) -> str:
    """Write the names in the row of the page about typed URIs."""
    names = ", ".join(f"`{name}`" for name in CLASSES)
    return replace_once(r"(?<= \| )[^|\n]*(?= \| \[Typed URIs\]\(typed\.md\) \|$)", text, names)


def write_guides(text: str) -> str:
    """Write the links to the guides, each named after the first scheme of its class."""
    links = ",\n  ".join(f"[`{scheme}:`]({scheme}.md)" for _, scheme in CLASSES.values())
    return replace_once(r"(?<=URIs of one scheme:\n  ).*?(?=\.$)", text, links)


PAGES = {
    PACKAGE: write_package,
    DOCS / "reference" / "typed.md": write_reference,
    DOCS / "reference" / "index.md": write_index,
    DOCS / "how-to" / "index.md": write_guides,
}

if __name__ == "__main__":
    made = {path: write(path.read_text("utf-8")) for path, write in PAGES.items()}
    sys.exit(write_or_check(__doc__, made))
