"""Sphinx extension: the search field finds the section that answers a question first.

`docs/tasks.toml` lists what readers type, by page and section. Sphinx indexes each phrase like an
entry of a book's index.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

TASKS = Path(__file__).parents[1] / "tasks.toml"


def tasks() -> dict[str, dict[str, list[str]]]:
    """Return the phrases of each section, by page."""
    return tomllib.loads(TASKS.read_text("utf-8"))


def add_index_entries(app: Sphinx, tree: nodes.document) -> None:
    """Add the phrases that lead to the sections of one page."""
    app.env.note_dependency(str(TASKS))
    sections = {id_: section for section in tree.findall(nodes.section) for id_ in section["ids"]}
    for anchor, phrases in tasks().get(app.env.docname, {}).items():
        if anchor not in sections:
            message = "tasks.toml: no section %r in %s"
            logging.getLogger(__name__).warning(message, anchor, app.env.docname)
            continue
        entries = [("single", phrase, anchor, "main", None) for phrase in phrases]
        sections[anchor].insert(1, addnodes.index(entries=entries))


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages with tasks: Sphinx forgets the entries of pages that it does not write."""
    return [page for page in tasks() if page in env.found_docs]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the functions."""
    app.connect("doctree-read", add_index_entries)
    app.connect("env-updated", pages_to_write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
