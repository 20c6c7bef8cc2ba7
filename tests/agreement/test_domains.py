import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from unicodedata import bidirectional, normalize

import idna
import pytest
from amounts import scaled
from engines import KERNEL, both
from hypothesis import given
from hypothesis import strategies as st
from idna import idnadata
from idna.intranges import intranges_contain

from uriverse import ConvertError, IRIReference
from uriverse._spec import domain
from uriverse._uri.conversion import convert_domain

SUITE = (
    Path(os.environ.get("URIVERSE_SUITES") or Path(__file__).resolve().parents[3] / "shared/suites")
    / "wpt-idna-toascii.json"
)

#: Characters that occur together in labels.
ALPHABETS = (
    *("abcdefghijklmnopqrstuvwxyz0123456789-_", "ABCXN", "äöüßéøłżčœ", "ÄÖÉŠ", "αβγδςάέ", "абвгде"),
    *("אבגדהו", "ابتثجح٣۴", "कखगि़्ा", "กขคัิ่", "日本語一", "カタナー・", "ｶがﾞハ"),
    *("가각한", "ＡＢ①⒈㎏ﬁ"),
    *("\u0301\u0316\u0338\u200c\u200d\u00b7\u0375\u05f3\u0660\u06f0\u00ad\u1160\u11a8", "。．｡․"),
    *("/%:@[]", "\u0149\u0344\u0958\u09be", "\U00010330\U00020000\U0001f600\U0001e922\U00016d67"),
)

Result = tuple[object, ...]


def result_of(convert: Callable[..., object], *arguments: object) -> Result:
    try:
        return (convert(*arguments),)
    except ConvertError as error:
        return error.text, error.position, error.component, error.rule, error.reason, error.hint


def uncached_to_ascii(name: str) -> str:
    domain.map_label.cache_clear()
    return domain.to_ascii(name)


def uncached_to_unicode(label: str) -> str:
    domain.decode_a_label.cache_clear()
    domain.map_label.cache_clear()
    return domain.to_unicode(label)


def kernels() -> list[tuple[Callable[[str], str], Callable[[str], str]]]:
    return [(KERNEL.module.to_ascii, KERNEL.module.to_unicode)] if KERNEL else []


def assert_conversions_agree(names: Iterator[str]) -> None:
    """Assert that both engines return the same results, at the first call and when cached."""
    for name in names:
        expected = result_of(uncached_to_ascii, name)
        shown = [uncached_to_unicode(label) for label in name.split(".")]
        for to_ascii, to_unicode in [(domain.to_ascii, domain.to_unicode), *kernels()]:
            assert result_of(to_ascii, name) == result_of(to_ascii, name) == expected
            assert [to_unicode(label) for label in name.split(".")] == shown, name


def label(random: Random) -> str:
    """Return a random label: letters of up to three alphabets, or an A-label, perhaps invalid."""
    alphabets = random.choices(ALPHABETS, k=random.choice((1, 1, 2, 3)))
    length = random.choice((0, 1, 2, 3, 5, 8, 8, 13, 59, 63, 64))
    text = "".join(random.choice(random.choice(alphabets)) for _ in range(length))
    if random.random() < 0.3:
        text = f"xn--{text.encode('punycode').decode()}"
        place = random.randrange(len(text) + 1)
        damage = random.choice(("", "", "", *"az09-AZé"))
        text = text[:place] + damage + text[place:]
    return text.upper() if random.random() < 0.1 else text


def names(random: Random, count: int) -> Iterator[str]:
    for _ in range(count):
        name = ".".join(label(random) for _ in range(random.choice((1, 2, 2, 3, 4))))
        yield name * random.choice((1,) * 20 + (30,)) + "." * (random.random() < 0.1)


def test_random_names_convert_alike_in_both_engines_and_from_the_cache() -> None:
    assert_conversions_agree(names(Random(8), scaled(3000)))


def test_hosts_of_random_names_are_replaced_alike_in_both_engines() -> None:
    replaced = 0
    for name in names(Random(7), scaled(1500)):
        for before, after in (("http://é@", ":80/é?é#\U00010330"), ("//", ""), ("x://", "/%C3%A9")):
            value = IRIReference.try_parse(f"{before}{name}{after}")
            if value is not None:
                found = result_of(partial(value.to_uri, host="idna"))
                assert found == result_of(lambda given: convert_domain(given)._to_uri(), value)
                replaced += len(found) == 1
    assert replaced > scaled(400)


@pytest.mark.skipif(not SUITE.is_file(), reason="needs third-party suites (URIVERSE_SUITES=FOLDER)")
def test_the_names_of_uts_46_convert_alike_in_both_engines() -> None:
    assert_conversions_agree(case["input"] for case in json.loads(SUITE.read_text("utf-8")))


@given(st.text(st.characters(categories=["Ll", "Lo", "Mn", "Mc"]), min_size=1, max_size=20))
def test_names_of_letters_and_marks_convert_as_in_the_idna_package(name: str) -> None:
    try:
        expected = idna.encode(name, uts46=True).decode()
    except ValueError:
        expected = ""
    try:
        found = domain.to_ascii(name)
    except ConvertError:
        found = ""
    assert found == expected


def contexts(character: str) -> Iterator[str]:
    """Yield names that contain a character in several contexts."""
    yield from (character, f"a{character}", f"{character}a", f"é{character}", f"א{character}")
    yield from (f"é.{character}.", f"א.a{character}", f"a{character}ü", f"{character}{character}")
    yield f"xn--{character.encode('punycode').decode()}"


#: The characters of Latin-1, and samples of all others.
SAMPLE = [
    *range(0x80, 0x100), *range(0x100, 0x700, 5), *range(0x700, 0x3000, 19),
    *range(0x3000, 0x3100, 3), *range(0x3100, 0xFB00, 997),
    *range(0xFB00, 0x10000, 11), *range(0x10000, 0x110000, 9973),
]  # fmt: skip


def test_a_sample_of_characters_converts_alike_in_both_engines() -> None:
    assert_conversions_agree(name for code in SAMPLE for name in contexts(chr(code)))


@pytest.mark.extended
def test_every_character_converts_alike_in_both_engines() -> None:
    codes = (*range(0x80, 0xD800), *range(0xE000, 0x32000), *range(0xE0000, 0xE0200))
    assert_conversions_agree(name for code in codes for name in contexts(chr(code)))


EVERY = pytest.param(range(0x80, 0x110000), marks=pytest.mark.slow, id="every character")


@pytest.mark.parametrize("codes", [pytest.param(SAMPLE, id="a sample"), EVERY])
def test_the_kernel_recognizes_only_characters_that_any_label_may_contain(codes: list[int]) -> None:
    valid = idnadata.codepoint_classes["PVALID"]
    directions = {3: {"L"}, 4: {"NSM"}, 5: {"R", "AL"}}
    for code in codes:
        mapped, kind = divmod(domain.classify_character(chr(code)), 8)
        if kind in (1, 6, 7) or mapped != code:
            allowed = () if kind == 6 else ("PVALID", "CONTEXTJ", "CONTEXTO")
            classes = idnadata.codepoint_classes
            assert not any(intranges_contain(code, classes[name]) for name in allowed)
        if kind in (1, 6, 7):
            continue
        character = chr(mapped)
        assert idna.uts46_remap(chr(code), std3_rules=False) == character
        assert normalize("NFC", character) == character
        if mapped >= 0x80:
            assert intranges_contain(mapped, valid)
            assert bidirectional(character) in directions.get(kind, {"L"})


def test_the_caches_are_bounded_and_keep_no_long_labels() -> None:
    domain.map_label.cache_clear()
    for number in range(5000):
        domain.to_ascii(f"é{number}")
    assert domain.map_label.cache_info().currsize == domain.CACHED_LABELS == 4096
    assert domain.decode_a_label.cache_info().maxsize == 4096
    domain.map_label.cache_clear()
    for name in ("ü" * 64, "é%41", "a" * 64 + ".é" * 30):
        with pytest.raises(ConvertError):
            domain.to_ascii(name)
    domain.to_unicode("xn--" + "a" * 60)
    assert domain.map_label.cache_info().currsize == 1  # the label "é"


@pytest.mark.parametrize("dot", ".\u3002\uff0e\uff61")
def test_the_kernel_converts_usual_names_without_python_functions(
    dot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, kernel = both()
    monkeypatch.setattr(domain, "to_ascii", None)
    assert kernel.module.to_ascii(f"b\xfccher{dot}example{dot}") == "xn--bcher-kva.example."


@pytest.mark.parametrize("name", ["-.", "\xe9\u0131\u6587"])
def test_rare_names_convert_alike_in_both_engines(name: str) -> None:
    both()
    assert_conversions_agree(iter([name]))


def test_threads_that_share_the_caches_get_the_same_results() -> None:
    _, kernel = both()
    cases = list(names(Random(9), scaled(300)))
    expected = [result_of(domain.to_ascii, name) for name in cases]

    def results(seed: int) -> list[Result]:
        domain.map_label.cache_clear()
        convert = kernel.module.to_ascii if seed % 2 else domain.to_ascii
        return [result_of(convert, name) for name in cases]

    with ThreadPoolExecutor(8) as pool:
        assert all(found == expected for found in pool.map(results, range(8)))
