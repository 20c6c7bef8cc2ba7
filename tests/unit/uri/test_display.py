from random import Random
from unicodedata import bidirectional, category, normalize
from urllib.parse import quote

from amounts import scaled
from hypothesis import given
from strategies import produced

from uriverse import URI, IRIReference, parse
from uriverse._redaction import redact_valid
from uriverse._spec.components import compose_all_parts
from uriverse._uri import display as rules

DIRECTIONS_OF_WORDS = {"R", "AL"}

PIECES = (
    *("a", "B", "1", "é", "É", "e\u0301", "\u0301", "אב", "م", "٣", "日本", "ノ", "・", "हिन्दी"),
    *("क्", "ไทย", "\u202e", "\u2044", "\uff0f", "–", "…", "ﬁ", "\u3164", "_", "-", ".", "/", "/"),
    *("&", "=", ":", "@", "%20", "%2F", "%ff", "%E2%80%AE", "%D7%90", "%40", "40"),
    *("xn--bcher-kva", "//u:p@x/", "--"),
)

HOSTS = (
    *("", "//a", "//xn--bcher-kva.example", "//XN--BCHER-KVA", "//bücher.example", "//אבג.com"),
    *("//xn--4dbcd:80", "//xn--80ak6aa92e.com", "//b%C3%BCcher.de", "//me@a", "//me:pw@é", "//é@a"),
    "//[::1]",
)


def by_components(text: str) -> str:
    """Return the string for display without the shortcuts for whole URIs."""
    rules.display_name.cache_clear()
    rules.is_misleading.cache_clear()
    iri = parse(redact_valid(text))._to_iri()
    return compose_all_parts(rules.display_components(iri)[0])


def assert_displays_agree(text: str) -> None:
    expected = by_components(text)
    assert parse(text).display() == parse(text).display() == expected


@given(produced("IRI-reference"))
def test_every_reference_is_displayed_like_its_components(text: str) -> None:
    assert_displays_agree(text)
    assert_displays_agree(quote(text, safe="%/:?#[]@!$&'()*+,;=~"))


def test_random_pieces_are_displayed_like_their_components() -> None:
    random = Random(4)
    for _ in range(scaled(4000)):
        parts = ["".join(random.choices(PIECES, k=random.randint(0, 5))) for _ in range(3)]
        text = f"http:{random.choice(HOSTS)}/{parts[0]}?{parts[1]}#{parts[2]}"
        if random.random() < 0.3:
            text = quote(text, safe="%/:?#[]@!$&'()*+,;=~")
        if IRIReference.try_parse(text):
            assert_displays_agree(text)


def test_plain_characters_never_mislead() -> None:
    plain = [c for c in map(chr, range(0x80, 0x110000)) if rules.PLAIN.fullmatch(c)]
    assert len(plain) > 30_000
    for character in plain:
        assert not rules.is_misleading(character, "")
        assert not category(character).startswith("M")
        assert rules.is_left_to_right(character)


def test_letters_of_right_to_left_words_never_mislead() -> None:
    letters = [c for c in map(chr, range(0x80, 0x20000)) if rules.RIGHT_TO_LEFT_WORDS.match(c)]
    assert len(letters) > 150
    for letter in letters:
        assert not rules.is_misleading(letter, "")
        assert bidirectional(letter) in DIRECTIONS_OF_WORDS
        assert normalize("NFC", letter) == letter


def test_the_blocks_of_right_to_left_characters_are_complete() -> None:
    for character in map(chr, range(0x110000)):
        if bidirectional(character) in {"R", "AL", "AN"}:
            assert not rules.is_left_to_right(character)


def test_words_and_marks_are_decoded_in_their_context() -> None:
    for text, shown in [
        ("http://a/%D7%90-%D7%91_%D7%92", "http://a/א-ב_ג"),
        ("http://a/%D7%90-", "http://a/%D7%90-"),
        ("http://a/%D7%90%D7%91/1", "http://a/%D7%90%D7%91/1"),
        ("http://a/1%D7%90", "http://a/1%D7%90"),
        *(("http://a/%41\u0301\u0301é", "http://a/%41%CC%81%CC%81é"), ("//a:%D7%90", None)),
    ]:
        value = IRIReference.try_parse(text)
        assert (value and value.display()) == shown


def test_the_cache_of_hosts_is_bounded_and_keeps_no_long_hosts() -> None:
    rules.display_name.cache_clear()
    for number in range(600):
        URI(f"http://xn--bcher-kva.a{number}/").display()
    assert rules.display_name.cache_info().currsize == rules.CACHED_HOSTS == 512
    rules.display_name.cache_clear()
    URI(f"http://{'xn--a.' * 50}/").display()
    assert rules.display_name.cache_info().currsize == 0
