"""A test names each part that a typed class, method, column option or scheme attribute lacks.

The names come from the code. `test_column_registry.py` does the same for column functions, and
`test_adding_a_scheme.py` shows that a scheme needs two files only.
"""

import dataclasses
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import uriverse
from uriverse._engine import kernel
from uriverse._typed import list_typed_classes
from uriverse._typed.base import TypedURI
from uriverse._uri import identifier as reference
from uriverse.columns import _functions
from uriverse.columns._functions import ColumnMethods
from uriverse.columns._registry import FUNCTIONS
from uriverse.schemes import Scheme
from uriverse.testing._components import find_examples

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    not (ROOT / "docs").is_dir(), reason="the documentation is in the repository only"
)


@cache
def read(pattern: str) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted(ROOT.glob(pattern)))


#: For each kind of thing, the files that must mention it, and how. A "@" stands for its name.
MENTIONS = {
    "class": {
        "docs/reference/typed.md": r"^\.\. autoclass:: @$",
        "docs/reference/index.md": r"`@`",
        "docs/api.json": r'"uriverse\.@"',
        "tests/*/**/test_*.py": r"\bassert_type\(.*\b@\b",
        "CHANGELOG.md": r"\b@\b",
    },
    "method": {
        "docs/reference/*.md": r"^\.\. auto(method|property):: (URI|IRI)(Reference)?\.@$",
        "docs/[chi]*/*.md": r"\b@\b",
        "docs/api.json": r'"uriverse\.IRIReference\.@"',
        "tests/typing/test_public_types.py": r"\.@\b",
        "tests/unit/uri/*.py": r'\.@\b|"@"',
    },
    "option": {
        "src/uriverse/columns/spark.pyi": r"\b@: ",
        "tests/unit/columns/*.py": r'\b@=|"@"|"\w+\.@"',
    },
    "attribute": {
        "docs/api.json": r'"uriverse\.schemes\.Scheme\.@"',
        "src/uriverse/[ds]*/_*.py": r"\.@\b",
        "tests/unit/schemes/test_scheme_attributes.py": r'\(\{.*"@": ',
    },
}


def unmentioned(kind: str, name: str) -> Iterator[str]:
    for pattern, how in MENTIONS[kind].items():
        wanted = how.replace("@", re.escape(name))
        if not re.search(wanted, read(pattern), re.MULTILINE):
            yield f"{name}: {pattern} lacks it: {wanted}"


def parts_of_class(name: str) -> Iterator[str]:
    yield from unmentioned("class", name)
    kind = {kind.__name__: kind for kind in list_typed_classes()}.get(name, TypedURI)
    if getattr(uriverse, name, None) is not kind or name not in uriverse.__all__:
        yield f"{name}: `uriverse` does not export it"
    guide = f"{getattr(kind, '_schemes', [name])[0]}.md"
    if not re.search(rf"\b{name}\b", read(f"docs/how-to/{guide}")):
        yield f"{name}: docs/how-to/{guide} lacks it"
    if len({kind(text).comparison_key("scheme") for text in find_examples(kind)}) < 2:
        yield f"{name}: its docstrings need two examples that are not equivalent"
    tests = [read(f"tests/unit/typed/{path.name}") for path in ROOT.glob("tests/unit/typed/*.py")]
    of_class = "\n".join(text for text in tests if re.search(rf"\b{name}\b", text))
    for member in vars(kind):
        if member[0] != "_" and not re.search(rf"\.{member}\b", of_class):
            yield f"{name}: tests/unit/typed/*.py lacks {member}"


def parts_of_method(name: str) -> Iterator[str]:
    yield from unmentioned("method", name)
    method = vars(uriverse.IRIReference).get(name)
    if not inspect.getdoc(method):
        yield f"{name}: the public types lack it, or its docstring"
    owners = (kernel.Identifier, kernel.URIMethods) if kernel else (reference.Identifier,)
    if name in vars(reference.Identifier) and not any(hasattr(owner, name) for owner in owners):
        yield f"{name}: the kernel lacks it"
    # A component stands for its method, such as "host" for `with_host`.
    words = rf'\.{name}\b|"({name}|{name.removeprefix("with_")})"'
    is_compiled = hasattr(getattr(method, "fget", method), "__wrapped__")
    if (is_compiled or method is None) and not re.search(words, read("tests/agreement/*.py")):
        yield f"{name}: tests/agreement/*.py lacks it"


def parts_of_option(name: str) -> Iterator[str]:
    """Yield what an option of a column function lacks: `name` is that of both, with a dot."""
    function, _, option = name.rpartition(".")
    for line in unmentioned("option", option):
        yield line.replace(option, name, 1)
    for owner in (_functions, ColumnMethods):
        found = getattr(owner, function, None)
        if found is None or option not in inspect.signature(found).parameters:
            yield f"{name}: {owner.__name__} lacks it"
    section = read("docs/columns/functions.md").partition(f"\n### `{function}`")[2]
    if f"\n- `{option}`" not in section.partition("\n### ")[0]:
        yield f"{name}: docs/columns/functions.md lacks it"


def parts_of_attribute(name: str) -> Iterator[str]:
    yield from unmentioned("attribute", name)
    if not re.search(rf"^    {name}: ", inspect.getdoc(Scheme) or "", re.MULTILINE):
        yield f"{name}: the docstring of Scheme lacks it"
    for wrong in ([], object(), 1.5):
        attributes: dict[str, Any] = {"name": "a", name: wrong}
        try:
            Scheme(**attributes)
        except (TypeError, ValueError):
            continue
        if name not in UNCHECKED:
            yield f"{name}: Scheme accepts {wrong!r} for it"


#: The attributes whose values have a type that is not checked: a string, and functions.
UNCHECKED = {field.name for field in dataclasses.fields(Scheme) if field.type == "str"} | {
    field.name for field in dataclasses.fields(Scheme) if "Callable" in str(field.type)
}

CHECKLISTS: dict[Callable[[str], Iterator[str]], list[str]] = {
    parts_of_class: sorted(kind.__name__ for kind in list_typed_classes()),
    parts_of_method: [name for name in vars(uriverse.IRIReference) if name[0] != "_"],
    parts_of_option: [
        f"{name}.{option.name}" for name, f in FUNCTIONS.items() for option in f.options
    ],
    parts_of_attribute: [field.name for field in dataclasses.fields(Scheme)],
}


@pytest.mark.parametrize(
    ("parts", "name"), [(parts, name) for parts, names in CHECKLISTS.items() for name in names]
)
def test_nothing_lacks_a_part(parts: Callable[[str], Iterator[str]], name: str) -> None:
    missing = "\n".join(parts(name))
    # A message of our own, because pytest truncates what differs.
    assert not missing, f"tools/make_all.py writes some of these parts:\n{missing}"


@pytest.mark.parametrize("parts", CHECKLISTS)
def test_every_forgotten_part_is_named(parts: Callable[[str], Iterator[str]]) -> None:
    kind = parts.__name__.removeprefix("parts_of_")
    lacking = list(parts("forgotten"))
    assert all(line.startswith("forgotten: ") for line in lacking)
    named = {line.partition(" lacks it: ")[0] for line in lacking}
    assert {f"forgotten: {path}" for path in MENTIONS[kind]} <= named
    assert len(lacking) > len(MENTIONS[kind]), "the code lacks it too"
    if kind == "class":
        assert "forgotten: docs/how-to/forgotten.md lacks it" in lacking
        assert "forgotten: its docstrings need two examples that are not equivalent" in lacking
