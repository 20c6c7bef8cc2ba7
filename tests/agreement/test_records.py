from json import dumps
from random import Random

import pytest
from amounts import scaled
from engines import both
from hypothesis import given
from strategies import hostile, references

from uriverse._cli.reading import serialize_components

PIECES = (
    *("http:", "//", "b.c", "1.2.3.4", "[::1]", "[v1.x]", "[V1.x]", ":", "80", "@", "/", "?", "#"),
    *("&", "=", ";", "+", "a", "é", "日", "\U00010000", "\uffff", "\ue000", "\ud800", " ", '"'),
    *("%41", "%C3%A9", "%ff", "%E2%82", "%ED%A0%80", "%F0%9F%98%80", "%00", "%22", "%5c", "%7F"),
    *("%08", "%09", "%0a", "%0C", "%0d", "%1F", "%20", "%2"),
)


def assert_written_alike(text: str) -> bool:
    """Compare a record; return whether the kernel wrote it."""
    found = both()[1].module.format_record(text)
    data, valid = serialize_components(text)
    assert found is None or (valid and found == dumps(data)), text
    # Only octets that are not UTF-8 are left to Python.
    assert found is not None or not valid or "\ufffd" in str(data["params"]), text
    return found is not None


@given(references())
def test_kernel_writes_the_record_of_a_reference(text: str) -> None:
    assert_written_alike(text)


@given(hostile())
def test_kernel_writes_no_record_of_an_invalid_string(text: str) -> None:
    assert_written_alike(text)


def test_kernel_writes_the_same_records_of_random_strings() -> None:
    random = Random(31)
    texts = ("".join(random.choices(PIECES, k=random.randrange(12))) for _ in range(scaled(20_000)))
    assert sum(map(assert_written_alike, texts)) > scaled(20_000) // 10


@pytest.mark.parametrize("octet", range(0x80))
def test_kernel_escapes_every_ascii_character_of_a_parameter(octet: int) -> None:
    assert assert_written_alike(f"?a%{octet:02X}b=%{octet:02x}")


def test_kernel_leaves_very_long_strings_to_python() -> None:
    assert both()[1].module.format_record("a" * (1 << 20)) is not None
    assert both()[1].module.format_record("a" * ((1 << 20) + 1)) is None
