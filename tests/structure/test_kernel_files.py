"""The files of the kernel: their heads, and what the module for columns needs of the core."""

import re
from pathlib import Path

import pytest

#: An installed package has no sources of the kernel.
KERNEL = Path(__file__).resolve().parents[2] / "src" / "uriverse" / "_kernel"

#: A function, with its body; a declaration without one.
FUNCTION = re.compile(r"^(?:cdef|cpdef) (?:inline )?[^\n=(]*?\b(\w+)\(", re.MULTILINE)
#: Docstrings and strings, characters, and comments.
NO_CODE = re.compile(r'"""(?:.|\n)*?"""|b?"(?:[^"\\\n]|\\.)*"|c\'.\'|#[^\n]*')


def code(name: str) -> str:
    return NO_CODE.sub('""', (KERNEL / name).read_text("utf-8"))


SOURCES = {
    path.name: code(path.name) for path in KERNEL.iterdir() if path.suffix in {".pyx", ".pxi"}
}
DEFINED = {name: FUNCTION.findall(source) for name, source in SOURCES.items()}


def called_from_other_files(name: str) -> list[str]:
    others = [source for other, source in SOURCES.items() if other != name]
    return [
        function
        for function in DEFINED[name]
        if any(re.search(rf"(?<![\w.]){function}[(\[]", source) for source in others)
    ]


def head(name: str) -> str:
    source = (KERNEL / name).read_text("utf-8")
    lines = source[: source.index("\n\n")].replace('"""', "").split("\n")
    return " ".join(line.removeprefix("#").strip() for line in lines)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_the_head_of_a_file_names_its_functions_that_other_files_call(name: str) -> None:
    stated = re.search(r"Other files call ([^.]+)\.", head(name))
    names = re.findall(r"`(\w+)`", stated[1]) if stated else []
    assert names == called_from_other_files(name)


#: A function, a struct, a class or a variable that core.pxd declares.
DECLARED = re.compile(r"^(?:cdef|cpdef) (?!enum|extern)[^\n(:]*?(\w+)(?:\[.*)?[(:\n]", re.MULTILINE)


def test_the_core_declares_nothing_that_the_module_for_columns_does_not_use() -> None:
    declarations = code("core.pxd")
    columns = code("columns.pyx")
    names = re.findall(
        r'^include "(.+)"', (KERNEL / "columns.pyx").read_text("utf-8"), re.MULTILINE
    )
    used = columns + "".join(SOURCES[name] for name in names)
    declared = DECLARED.findall(declarations)
    assert len(declared) > 60
    # A declaration may also be for another one.
    text = used + declarations
    assert [name for name in declared if len(re.findall(rf"\b{name}\b", text)) < 2] == []
