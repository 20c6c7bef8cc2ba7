"""The API reference has an entry for every public name and for every public member."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import uriverse

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs/reference").glob("*.md"))

#: Modules whose public names the reference documents under another module.
DOCUMENTED_ELSEWHERE = {
    "uriverse.columns.functions": "uriverse.columns",
    "uriverse.identifiers": "uriverse",
}

#: A directive of autodoc or of Sphinx, its argument, and its options.
DIRECTIVE = re.compile(
    r"^\.\. (?:py:)?(?P<kind>\w+):: (?P<name>[\w.]+)(?:\(\))?\n(?P<options>(?: +:.*\n)*)",
    re.MULTILINE,
)


def is_public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


def import_or_none(name: str) -> object:
    """Import a module; return `None` if a package that it needs is missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def exported() -> Iterator[str]:
    """Yield the full names of everything that public modules export by `__all__`."""
    modules = (module.name for module in pkgutil.walk_packages(uriverse.__path__, "uriverse."))
    for name in ("uriverse", *filter(is_public, modules)):
        for public in getattr(import_or_none(name), "__all__", ()):
            yield f"{DOCUMENTED_ELSEWHERE.get(name, name)}.{public}"


def find(name: str) -> object:
    """Return the object with a full name."""
    return pkgutil.resolve_name(name)


def documented() -> Iterator[str]:
    """Yield the full names that the reference pages have entries for."""
    for page in PAGES:
        module = ""
        for directive in DIRECTIVE.finditer(page.read_text("utf-8")):
            kind, name = directive["kind"], directive["name"]
            if kind in {"module", "automodule"}:
                module = name
                yield name
            if kind in {"module", "currentmodule"}:
                module = name
                continue
            full = name if name.startswith("uriverse") else f"{module}.{name}"
            yield full
            for option in ("members", "special-members"):
                members = re.search(rf":{option}: *(.*)", directive["options"])
                if members is not None and members[1]:
                    yield from (f"{full}.{member}" for member in members[1].split(", "))
                elif members is not None:
                    yield from (f"{full}.{member}" for member in members_of(full))


def members_of(name: str) -> list[str]:
    found = import_or_none(name) or find(name)
    return list(getattr(found, "__all__", [member for member in dir(found) if is_public(member)]))


ENTRIES = set(documented())


@pytest.mark.parametrize("name", sorted(set(exported())))
def test_every_public_name_has_an_entry(name: str) -> None:
    found = find(name)
    if inspect.ismodule(found):
        assert found.__name__ in ENTRIES
        return
    # `uriverse` also exports what other modules export.
    alias = f"uriverse.{name.rpartition('.')[2]}"
    is_alias = alias in ENTRIES and getattr(uriverse, alias[9:], None) is found
    assert name in ENTRIES or is_alias


def test_every_member_of_the_types_has_an_entry() -> None:
    members = {f"uriverse.IRIReference.{member}" for member in members_of("uriverse.IRIReference")}
    assert members <= ENTRIES


def test_every_entry_is_there() -> None:
    for name in ENTRIES:
        module = name if import_or_none(name) else name.rpartition(".")[0]
        if import_or_none(module) is not None or module.startswith("uriverse.columns"):
            continue
        assert find(name) is not None or name == "uriverse.compiled"


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (ROOT / "docs/reference/index.md").read_text("utf-8")
    contents = index.partition("```{toctree}")[2].split()
    assert {page.stem for page in PAGES} - {"index"} <= set(contents)
