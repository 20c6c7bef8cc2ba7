from unicodedata import decomposition, normalize

import pytest

from uriverse import check
from uriverse._spec.letters import LOOKALIKES
from uriverse.diagnosis._dot_segments import decode_repeatedly

#: Segments that other software resolves as dot segments, by finding code.
DISGUISED = {
    "encoded-dot": (
        *("%2e", ".%2E", "%252e%252E", "%25%32e.", "%25u002e%25U002E", "a%2F..%2fb"),
        *("c%5c%2e%2E%5Cd", "..%5ca", "%2f..", "%c0%ae%C0%AE", ".%e0%80%ae", "%f0%80%80%ae"),
        *("%f8%80%80%80%ae.", "%fc%80%80%80%80%ae.", "..%c0%afa", "..%C1%9Ca", "%ff.%25ud800."),
    ),
    "dot-with-parameter": (
        *("..;", "..;b", ".;", "..%3b", "..%253B", "%2e%2E;c", "..%3fa", "..%23", "..%00a"),
        *("..\uff1ba", "..%EF%BC%9F", "..%CD%BE", "..%C2%BF"),
    ),
    "dot-with-space": (
        *("..%20", "..%09", "..%0d", "%20..", ".%20.", "..%20.", "..%20..", "..%2520;a"),
        *("..%C2%A0", "..\u3000", "..%E2%80%8B", ".%C2%AD.", "..%20\u2026"),
    ),
    "dot-lookalike": (
        *("\uff0e\uff0e", "%EF%BC%8E.", "\u2024\u2024", "%E2%80%A5", "\ufe30", "%EF%B9%92."),
        *(".%25uff0e", "\uff05\uff12\uff45.", "%D9%AA2e.", "..\uff0fa", "..%E2%88%95a"),
        *("..\u2044a", "..%C2%B4a", "..%C2%A5a", "..%E2%82%A9a", "..\u2216a", "..%EF%BC%BC"),
    ),
    "dot-after-name": ("a..", "b%2e%2e", "c..%2Fd", ";a.."),
}

#: Similar segments without a finding.
OTHERS = (
    *("...", "..a", "a..b", ".a", "...;a", "a;..b", "a%20..b", "...%20", "..%20a", "%20", "%3B"),
    *("\uff0e\uff0e\uff0e", "%E3%80%82%E3%80%82", "%C2%A5", "%EF%BC%8E%EF%BC%8Ea"),
)


@pytest.mark.parametrize(
    ("code", "segment"), [(code, text) for code in DISGUISED for text in DISGUISED[code]]
)
def test_disguised_dot_segments_are_reported(code: str, segment: str) -> None:
    start = len("http://a.example/b/")
    for scheme in ("http", "foo", "file"):
        found = check(f"{scheme}://a.example/b/{segment}/c")
        spans = [(f.code, *f.span) for f in found if f.code in DISGUISED]
        begin = start - 4 + len(scheme)
        assert spans == [(code, begin, begin + len(segment))]


@pytest.mark.parametrize("segment", OTHERS)
def test_other_segments_with_dots_are_not_reported(segment: str) -> None:
    for end in ("", "/c"):
        found = {f.code for f in check(f"http://a.example/b/{segment}{end}")}
        assert not found & {*DISGUISED, "dot-after-slashes"}


def test_a_dot_segment_that_removes_an_empty_segment_is_reported() -> None:
    for path, starts in [
        *(("/a//../b/../c", [4]), ("/a/;b/../%20/../%2F/../c", [6, 13, 20]), ("a//b/../../c", [8])),
        *(("/a//..", [4]), ("/a/../b//c//./d", []), ("/a//b/../c", []), ("/../a", [])),
        *(("/..%20/..", []), ("/.%20/..", []), ("/...%20/..", [8]), ("/%20/..", [5])),
    ]:
        found = [f for f in check(path) if f.code == "dot-after-slashes"]
        assert [f.span for f in found] == [(start, start + 2) for start in starts]


def test_schemes_without_a_hierarchy_have_only_encoded_dot_segments() -> None:
    found = [f.code for f in check("data:,a/%2e%2e/..;/..%20/\uff0e./a../b//../c")]
    assert found.count("encoded-dot") == 1
    assert not {*found} & {*DISGUISED, "dot-after-slashes"} - {"encoded-dot"}


def test_a_backslash_beside_a_dot_segment_has_a_finding_of_its_own() -> None:
    found = {f.code for f in check("http://a.example/b\\..\\c")}
    assert "backslash" in found
    assert not found & DISGUISED.keys()


def test_characters_that_nfkc_turns_into_separators_are_lookalikes() -> None:
    # NFKC changes no other characters, except Hangul syllables.
    points = [c for c in range(0x80, 0x110000) if decomposition(chr(c))]
    found = {c: normalize("NFKC", chr(c)) for c in points}
    expected = {c for c, text in found.items() if set(text) <= set("./\\%") or text[0] in ";?#"}
    assert expected <= LOOKALIKES.keys()
    assert all(found[c].startswith(LOOKALIKES[c]) for c in expected)


def test_paths_are_decoded_as_lenient_programs_do() -> None:
    for text, plain in [
        *(("%2525252e", "%2e"), ("%%32%65", "."), ("%u002F%U005c%ud800", "/\\")),
        *(("%C0%AE%E0%81%9C%F0%80%80%AF", ".\\/"), ("%C3%A9%E9%FF", "\u00e9"), ("\ud800%41", "A")),
    ]:
        assert decode_repeatedly(text) == plain


@pytest.mark.parametrize("step", ["..", "."])
@pytest.mark.parametrize("suffix", ["", ";a", "%3Ba", "%20", "%09", "%E2%80%8B"])
@pytest.mark.parametrize("dot", ["%2e", "%252E", "%25u002e", "%C0%AE", "%EF%BC%8E", "\uff0e"])
def test_each_encoded_dot_segment_is_found_with_suffixes(step: str, suffix: str, dot: str) -> None:
    segment = step.replace(".", dot, 1) + suffix
    codes = {f.code for f in check(f"http://a.example/b/{segment}/c") if f.span[0] == 19}
    assert codes & {"encoded-dot", "dot-lookalike", "dot-with-parameter", "dot-with-space"}
