import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import uriverse

# The reference also documents modules that import these packages.
pytest.importorskip("pyspark", reason="needs pyspark (pip install --group test-all)")
pytest.importorskip("rest_framework", reason="needs rest_framework (pip install --group test-all)")

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs/reference").glob("*.md"))

#: A directive of autodoc or of Sphinx, its argument, and its options.
DIRECTIVE = re.compile(
    r"^\.\. (?:py:)?(?P<kind>\w+):: (?P<name>[\w.]+)(?:\(\))?\n(?P<options>(?: +:.*\n)*)",
    re.MULTILINE,
)


def is_public(name: str) -> bool:
    return not any(part.startswith("_") for part in name.split("."))


def import_or_none(name: str) -> object:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        return None


def exported() -> Iterator[str]:
    modules = (module.name for module in pkgutil.walk_packages(uriverse.__path__, "uriverse."))
    for name in ("uriverse", "uriverse_compare", "uriverse_links", *filter(is_public, modules)):
        module = import_or_none(name)
        for public in getattr(module, "__all__", ()):
            yield f"{name}.{public}"


def find(name: str) -> object:
    return pkgutil.resolve_name(name)


def documented() -> Iterator[str]:
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
    return list(
        getattr(
            found,
            "__all__",
            [name for name in dir(found) if is_public(name) and hasattr(found, name)],
        )
    )


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
    members = {f"uriverse.URI.{member}" for member in members_of("uriverse.URI")}
    assert members <= ENTRIES


def test_the_index_links_every_page() -> None:
    index = (ROOT / "docs/reference/index.md").read_text("utf-8")
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    assert linked == {page.name for page in PAGES} - {"index.md"}


#: Classes that users do not create, and protocol methods and hooks that they do not call.
WITHOUT_EXAMPLE = {
    *("uriverse.typing.AllParts", "uriverse.BidiFinding", "uriverse.diagnosis.Code"),
    *("uriverse.diagnosis.Part", "uriverse.dial.ConnectionPlan", "uriverse.dial.RejectedAddress"),
    *("uriverse.columns.Array.__arrow_c_array__", "uriverse.columns.Array.__arrow_c_schema__"),
    "uriverse.columns.Array.__arrow_c_stream__",
    "uriverse.testing.pytest_plugin.pytest_assertrepr_compare",
}


def is_documented_code(name: str) -> bool:
    """Return whether a name belongs to a class, function or property of this package."""
    owner = find(name.rpartition(".")[0] or name)
    found = find(name)
    # Methods that a class inherits from Python's own classes have no docstring of ours.
    is_own = not isinstance(owner, type) or any(
        name.rpartition(".")[2] in vars(base)
        for base in owner.__mro__
        if base.__module__.startswith("uriverse")
    )
    return is_own and (isinstance(found, type | property) or inspect.isroutine(found))


def test_every_public_name_has_an_example() -> None:
    names = {*exported(), *ENTRIES} - WITHOUT_EXAMPLE
    missing = [
        name
        for name in sorted(names)
        if is_documented_code(name) and ">>> " not in (inspect.getdoc(find(name)) or "")
    ]
    assert missing == []
