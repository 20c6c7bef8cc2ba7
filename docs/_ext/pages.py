"""Sphinx extension: the contents of sections, links to files of the repository, descriptions.

The pages are plain Markdown, so that they can be read without Sphinx too.
"""

from __future__ import annotations

import html
import posixpath
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

#: Files of the repository that pages of the site include, and those pages.
INCLUDED = {
    "ARCHITECTURE.md": "docs/architecture.md",
    "CHANGELOG.md": "docs/changelog.md",
    "CONTRIBUTING.md": "docs/contributing.md",
    "README.md": "docs/index.md",
    "SECURITY.md": "docs/security.md",
    "benchmarks/README.md": "docs/measuring.md",
}

#: The target of a Markdown link to a file, without its anchor.
LINK = re.compile(r"(?<=\]\()([\w./-]+\.md)(?=[#)])")

#: A Markdown link to a page in the same folder.
LINK_IN_SECTION = re.compile(r"\]\(([\w-]+)\.md\b")

#: Search results show about as many characters of a description.
LONGEST_DESCRIPTION = 160


def link_pages(app: Sphinx, page: str, source: list[str]) -> None:
    """Link the pages of the site instead of the files of the repository that they include."""
    source[0] = linked_from(posixpath.join("docs", page), source[0], page)


def link_included(app: Sphinx, path: Path, page: str, source: list[str]) -> None:
    """Do the same in a file that a page includes."""
    file = Path(app.srcdir, path).resolve().relative_to(app.srcdir.parent)
    source[0] = linked_from(file.as_posix(), source[0], page)


def list_section(app: Sphinx, page: str, source: list[str]) -> None:
    """Add the pages of a folder to the table of contents, in the order of its `index.md`."""
    folder, _, name = page.rpartition("/")
    if not folder or name != "index":
        return
    pages = {path.stem for path in Path(app.srcdir, folder).glob("*.md")} - {"index"}
    linked = [name for name in LINK_IN_SECTION.findall(source[0]) if name in pages]
    names = dict.fromkeys([*linked, *sorted(pages)])
    source[0] += "\n".join(["\n", "```{toctree}", ":hidden:", "", *names, "```", ""])


def linked_from(file: str, markdown: str, page: str) -> str:
    """Convert the links in a file of the repository to links of a page."""

    def on_site(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(file), match[0]))
        target = INCLUDED.get(target, target)
        return posixpath.relpath(target, posixpath.dirname(posixpath.join("docs", page)))

    return LINK.sub(on_site, markdown)


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Use the first paragraph of a page as its description, unless the page has another one.

    Titles of reference pages say so, because a guide may have the same title.
    """
    if page.startswith("reference/") and page != "reference/index":
        context["title"] += " (API)"
    if tree is None or 'name="description"' in context.get("metatags", ""):
        return
    text = ""
    for paragraph in tree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            text = " ".join(paragraph.astext().split())
            break
    description = shortened(text)
    if description:
        tag = f'<meta name="description" content="{html.escape(description)}" />'
        context["metatags"] = context.get("metatags", "") + tag + "\n"


def shortened(text: str) -> str:
    """Return whole sentences up to the length that search results show, but at least one."""
    description, *sentences = re.split(r"(?<=[.?!:]) +(?=[A-Z`])", text)
    for sentence in sentences:
        if len(description) + len(sentence) >= LONGEST_DESCRIPTION:
            break
        description += " " + sentence
    return re.sub(r":$", ".", description)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the functions."""
    app.connect("source-read", link_pages)
    app.connect("source-read", list_section)
    app.connect("include-read", link_included)
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
