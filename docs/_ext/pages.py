"""Sphinx extension: links of pages to files of the repository, and their descriptions."""

from __future__ import annotations

import html
import posixpath
import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

#: Files outside this folder that are pages of the site, and those pages.
INCLUDED = {
    "../ARCHITECTURE.md": "architecture.md",
    "../CHANGELOG.md": "changelog.md",
    "../CONTRIBUTING.md": "contributing.md",
    "../README.md": "index.md",
    "../SECURITY.md": "security.md",
    "../benchmarks/README.md": "measuring.md",
}

#: The target of a Markdown link to a file outside a folder, without its anchor.
LINK_OUT = re.compile(r"(?<=\]\()(\.\./[^)#\s]+)")

#: Search results show about as many characters of a description.
LONGEST_DESCRIPTION = 160


def link_pages(app: Sphinx, page: str, source: list[str]) -> None:
    """Link the pages of the site instead of the files of the repository that they include."""
    folder = posixpath.dirname(page)

    def on_site(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, match[0]))
        included = INCLUDED.get(target)
        return match[0] if included is None else posixpath.relpath(included, folder or ".")

    source[0] = LINK_OUT.sub(on_site, source[0])


def describe(
    app: Sphinx, page: str, template: str, context: dict[str, Any], tree: nodes.document | None
) -> None:
    """Use the first paragraph of a page as its description, unless the page has another one."""
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
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
