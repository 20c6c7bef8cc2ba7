"""The command that runs the tokenizer tests of html5lib-tests compares start tags."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from links_conformance.html_tokens import main

if TYPE_CHECKING:
    import pytest

TESTS: list[dict[str, Any]] = [
    {
        "description": "a tag with attributes",
        "input": "<A b='&amp;c' B=d e/><!-- <f> --></g h='>'>",
        "output": [["StartTag", "a", {"b": "&c", "e": ""}, True]],
    },
    {
        "description": "the end of a script",
        "initialStates": ["Script data state"],
        "lastStartTag": "script",
        "input": "<a><!--<script></script><b>--></script><c>",
        "output": [["Character", "..."], ["EndTag", "script"], ["StartTag", "c", {}]],
    },
    {
        "description": "escapes",
        "doubleEscaped": True,
        "input": "<a\\u0000>",
        "output": [["StartTag", "a\\uFFFD", {}]],
    },
]


def write(folder: Path, tests: list[dict[str, Any]]) -> None:
    (folder / "tokenizer").mkdir()
    (folder / "tokenizer/a.test").write_text(json.dumps({"tests": tests}), "utf-8")


def test_correct_tokens_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, TESTS)
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == "3 tests, 0 differences\n"


def test_a_difference_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, [{**TESTS[0], "output": []}])
    assert main([str(tmp_path)]) == 1
    assert "1 tests, 1 differences" in capsys.readouterr().out


def test_a_folder_without_tests_is_an_error(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 2
    assert main([]) == 2
