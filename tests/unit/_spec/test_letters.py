import re
from unicodedata import category, name

import pytest

from uriverse._spec import letters

#: The first words of the names of characters that a language writes in several scripts.
SCRIPTS_OF = {
    "Chinese": {"LATIN", "IDEOGRAPHIC", "BOPOMOFO", "CJK"},
    "Japanese": {"LATIN", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK"},
    "Korean": {"LATIN", "CJK", "HANGUL"},
}

CHARACTERS = "".join(map(chr, range(0x20000)))


@pytest.mark.parametrize("script", letters.SCRIPTS)
def test_every_letter_of_a_script_belongs_to_it(script: str) -> None:
    found = re.findall(f"[{letters.SCRIPTS[script]}]", CHARACTERS)
    # The ranges contain unassigned code points, which IDNA rejects.
    scripts = {name(c).partition(" ")[0] for c in found if category(c) != "Cn"}
    assert scripts == SCRIPTS_OF.get(script, {script.upper()})


def test_letters_like_latin_ones_belong_to_scripts_with_a_table() -> None:
    assert letters.LIKE_LATIN.keys() < letters.SCRIPTS.keys()
    for script, alike in letters.LIKE_LATIN.items():
        assert {name(c).partition(" ")[0] for c in alike} == {script.upper()}


@pytest.mark.parametrize("character", ["\u30ce", "\u4e00"])
def test_the_kernel_shows_no_stroke_next_to_a_latin_letter(character: str) -> None:
    assert letters.classify_look(character) >> 29 & 1
    assert not letters.classify_look("\u65e5") >> 29 & 1


@pytest.mark.parametrize("character", ["\u0131", "\u0138", "\u00a9"])
def test_the_kernel_shows_no_label_with_a_letter_that_resembles_others(character: str) -> None:
    assert letters.classify_look(character) == 1 << 31
    assert letters.classify_look("\u0436") != 1 << 31
