import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, references

from uriverse import _errors


class Odd(str):
    """A subclass of `str`, which the kernel does not draw."""

    __slots__ = ()


def assert_drawings_agree(text: str, position: int) -> None:
    for before in (False, True):
        for after in (False, True):
            drawn = _errors.draw_excerpt(text, position, before=before, after=after)
            expected = _errors.draw_caret(text, position, before=before, after=after)
            assert drawn == expected, (text, position, before, after)


@given(st.one_of(references(), hostile()), st.integers(0, 40))
def test_drawings_agree_for_valid_and_hostile_strings(text: str, position: int) -> None:
    assert_drawings_agree(text, min(position, len(text)))


@pytest.mark.parametrize("length", [0, 1, 59, 60, 61, 119, 120, 121, 300])
def test_drawings_agree_for_strings_of_all_lengths(length: int) -> None:
    for position in {0, 1, 59, 60, 61, length - 60, length - 1, length, length + 1, -1}:
        assert_drawings_agree("a" * length, position)
        assert_drawings_agree(Odd("a" * length), position)


def test_drawings_agree_for_each_character() -> None:
    for code in (*range(0x100), 0x3000, 0xD800, 0x1F600):
        assert_drawings_agree(f"a{chr(code)}b", 2)
