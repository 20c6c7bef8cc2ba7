"""`tools/make_grammar.py`: the modules of the grammar are what the ABNF makes."""

from __future__ import annotations

import struct
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from walker import grammar, produces

from uriverse._grammar import rfc3986, rfc3987, tables

SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "make_grammar.py"


@pytest.mark.skipif(not SCRIPT.exists(), reason="the tools are in the repository only")
def test_the_modules_are_what_the_abnf_makes() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_rule_stands_in_one_module_only() -> None:
    assert not set(rfc3986.RULES) & set(rfc3987.RULES)


@pytest.mark.parametrize("name", ["rfc5234", "rfc3986", "rfc3987"])
def test_the_text_of_each_rule_stands_above_its_pattern(name: str) -> None:
    folder = files("uriverse._grammar")
    module = folder.joinpath(f"{name}.py").read_text("utf-8")
    for line in folder.joinpath(f"{name}.abnf").read_text("utf-8").splitlines():
        if line and not line.startswith(";"):
            assert f"# {line}" in module


FLAGS = struct.unpack("<256H", tables.FLAGS)

#: The rule whose single characters each class of the kernel holds.
CLASS_RULES = {
    "ALPHA": "ALPHA",
    "DIGIT": "DIGIT",
    "HEXDIG": "HEXDIG",
    "REG_NAME": "reg-name",
    "USERINFO": "userinfo",
    "QUERY": "query",
    "UNRESERVED": "unreserved",
    "SEGMENT": "segment",
    "SEGMENT_NC": "segment-nz-nc",
}


@pytest.mark.parametrize("name", CLASS_RULES)
def test_the_kernels_table_holds_the_characters_of_the_rule(name: str) -> None:
    bit = tables.CLASSES[name]
    found = {chr(c) for c in range(256) if FLAGS[c] & bit}
    assert found == {chr(c) for c in range(256) if produces(CLASS_RULES[name], chr(c))}


def test_the_kernels_table_holds_the_characters_of_a_path_and_of_a_scheme() -> None:
    in_path = {chr(c) for c in range(256) if FLAGS[c] & tables.CLASSES["PATH"]}
    assert in_path == {chr(c) for c in range(256) if produces("segment", chr(c))} | {"/"}
    in_scheme = {chr(c) for c in range(256) if FLAGS[c] & tables.CLASSES["SCHEME"]}
    assert in_scheme == {chr(c) for c in range(256) if produces("scheme", f"a{chr(c)}")}


@pytest.mark.parametrize(
    ("name", "ranges"), [("ucschar", tables.UCSCHAR), ("iprivate", tables.IPRIVATE)]
)
def test_the_kernels_ranges_are_in_order_and_those_of_the_rule(
    name: str, ranges: tuple[tuple[int, int], ...]
) -> None:
    assert list(ranges) == sorted(ranges)
    assert name in grammar()
    for first, last in ranges:
        assert produces(name, chr(first))
        assert produces(name, chr(last))
        assert not produces(name, chr(first - 1))
        assert last == 0x10FFFF or not produces(name, chr(last + 1))
