import struct

import pytest
from walker import GRAMMAR, grammar, produces

from uriverse._spec import tables
from uriverse._spec.grammar import rfc3986, rfc3987


def test_every_rule_is_defined_in_one_module() -> None:
    assert not set(rfc3986.RULES) & set(rfc3987.RULES)


@pytest.mark.parametrize("name", ["rfc5234", "rfc3986", "rfc3987"])
def test_generated_modules_quote_the_abnf_of_every_rule(name: str) -> None:
    module = (GRAMMAR / f"{name}.py").read_text("utf-8")
    for line in (GRAMMAR / f"{name}.abnf").read_text("utf-8").splitlines():
        if line and not line.startswith(";"):
            assert f"# {line}" in module


FLAGS = struct.unpack("<256H", tables.FLAGS)

#: For each character class of the kernel, the rule that defines its characters.
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
def test_kernel_character_classes_match_their_rules(name: str) -> None:
    bit = tables.CLASSES[name]
    found = {chr(c) for c in range(256) if FLAGS[c] & bit}
    assert found == {chr(c) for c in range(256) if produces(CLASS_RULES[name], chr(c))}


def test_kernel_classes_of_paths_and_schemes_match_their_rules() -> None:
    in_path = {chr(c) for c in range(256) if FLAGS[c] & tables.CLASSES["PATH"]}
    assert in_path == {chr(c) for c in range(256) if produces("segment", chr(c))} | {"/"}
    in_scheme = {chr(c) for c in range(256) if FLAGS[c] & tables.CLASSES["SCHEME"]}
    assert in_scheme == {chr(c) for c in range(256) if produces("scheme", f"a{chr(c)}")}


@pytest.mark.parametrize(
    ("name", "ranges"), [("ucschar", tables.UCSCHAR), ("iprivate", tables.IPRIVATE)]
)
def test_kernel_ranges_are_sorted_and_match(name: str, ranges: tuple[tuple[int, int], ...]) -> None:
    assert list(ranges) == sorted(ranges)
    assert name in grammar()
    for first, last in ranges:
        assert produces(name, chr(first))
        assert produces(name, chr(last))
        assert not produces(name, chr(first - 1))
        assert last == 0x10FFFF or not produces(name, chr(last + 1))
