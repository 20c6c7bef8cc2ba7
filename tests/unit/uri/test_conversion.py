import pickle
import re
import unicodedata
from string import ascii_uppercase

import pytest
from hypothesis import example, given
from marked import list_rows
from strategies import produced, references

from uriverse import (
    HTTPURI,
    IRI,
    URI,
    BidiFinding,
    ConvertError,
    IRIReference,
    Policy,
    PolicyError,
    URIReference,
    check,
    parse,
)
from uriverse._redaction import redact_valid
from uriverse._spec.domain import convert_encoded_host
from uriverse._spec.nfc import convert_to_nfc, is_nfc
from uriverse._uri.display import list_kept_labels


def test_to_uri_percent_encodes_non_ascii_characters() -> None:
    for iri, uri in [
        # RFC 3987, 3.1
        ("http://www.example.org/red%09rosé#red", "http://www.example.org/red%09ros%C3%A9#red"),
        ("http://résumé.example.org", "http://r%C3%A9sum%C3%A9.example.org"),
        ("http://example.com/\U00010300\U00010301", "http://example.com/%F0%90%8C%80%F0%90%8C%81"),
        ("é?\ue000#é", "%C3%A9?%EE%80%80#%C3%A9"),
        ("//ü:ö@ä:1", "//%C3%BC:%C3%B6@%C3%A4:1"),
        # The last character of two bytes in UTF-8, the first of three, and the first of four.
        ("\u07ff\u0800\U00010000", "%DF%BF%E0%A0%80%F0%90%80%80"),
    ]:
        found = parse(iri).to_uri()
        assert str(found) == uri
        assert type(found) is type(parse(uri))
        assert found._bounds == parse(uri)._bounds
        assert found.to_iri() == parse(iri)


def test_to_uri_returns_ascii_identifiers_unchanged() -> None:
    for text in ("http://a/%C3%A9", "a", "", "//h?q#f"):
        value = parse(text)
        assert value.to_uri() is value
        assert value.to_uri(host="idna") is value or "%" in text
    assert type(IRI("a:b").to_uri()) is URI
    assert type(IRIReference("a:b").to_uri()) is URI
    assert type(IRIReference("b").to_uri()) is URIReference


def test_to_iri_decodes_allowed_non_ascii_characters() -> None:
    for uri, iri in [
        # RFC 3987, 3.2.1
        ("http://www.example.org/D%C3%BCrst", "http://www.example.org/Dürst"),
        ("http://www.example.org/D%FCrst", "http://www.example.org/D%FCrst"),
        ("http://xn--99zt52a.example.org/%e2%80%ae", "http://xn--99zt52a.example.org/%E2%80%AE"),
        # Triplets of ASCII characters are not decoded.
        ("a:%2f%25%41%20%7e%3C", "a:%2f%25%41%20%7e%3C"),
        # Invalid UTF-8 is not decoded: overlong, surrogate, out of range or incomplete.
        ("a:%c0%af%ed%a0%80%f4%90%80%80%c3", "a:%C0%AF%ED%A0%80%F4%90%80%80%C3"),
        ("a:%C3é", "a:%C3é"),
        # Private-use characters outside the query, noncharacters, tags
        # and formatting characters are not decoded.
        ("a:%EE%80%80?%EE%80%80#%EE%80%80", "a:%EE%80%80?\ue000#%EE%80%80"),
        ("a:%EF%BF%BE%F3%A0%80%81", "a:%EF%BF%BE%F3%A0%80%81"),
        ("a:%E2%80%8E%D8%9C%E2%81%A6", "a:%E2%80%8E%D8%9C%E2%81%A6"),
        *(("//%C3%A9:%C3%A9@%C3%A9:1", "//é:é@é:1"), ("%C3%A9", "é")),
    ]:
        found = parse(uri).to_iri()
        assert str(found) == iri
        assert type(found) is type(parse(iri))
        assert found._bounds == parse(iri)._bounds


@given(references())
@example("a:%c3%a9%e2%80%ae%ff")
def test_to_uri_of_to_iri_is_equivalent_to_the_original(text: str) -> None:
    value = parse(text)
    back = value.to_iri().to_uri()
    assert back.equivalent(value)
    # Only the case of triplets differs.
    assert back.normalize(percent_encoding=False, dot_segments=False, ipv6=False) == (
        value.to_uri().normalize(percent_encoding=False, dot_segments=False, ipv6=False)
    )
    assert value.to_iri().to_iri() == value.to_iri()
    assert value.to_uri().to_uri() == value.to_uri()


#: Names in ASCII, and the hosts from which IDNA makes them.
NAMES = {
    "xn--bcher-kva.example": (
        "bücher.example BÜCHER.Example b%C3%BCcher.example b%C3%BCch%65r%2Eexample"
    ),
    "xn--fa-hia.de": "faß.de",  # IDNA 2003 mapped ß to ss; IDNA 2008 keeps it
    "xn--wgv71a119e.jp": "日本語。ＪＰ",
    "xn--9ca.": "é.",
    "_dmarc.xn--9ca": "_dmarc.é",
    "xn--9ca.xn--9ca": "xn--9ca.é",
    "1.2.3.4": "１.２.３.４",
    "ab.xn--9ca": "a\u00adb.é",
    "xn--4dbcd.com": "אבג.com",
}


@pytest.mark.parametrize(("name", "host"), list_rows(NAMES))
def test_to_uri_with_idna_converts_the_host_to_ascii(host: str, name: str) -> None:
    value = IRI(f"http://u:p@{host}:80/é?é").to_uri(host="idna")
    assert str(value) == f"http://u:p@{name}:80/%C3%A9?%C3%A9"
    assert type(value) is URI


#: Hosts with marks at the label that IDNA rejects.
INVALID = [
    *("«☃».é", "ok.«a／b».é", "é.«％41»", "é.«a：80»", "é.«».b", "«».é", "«-é».b", "é.«xn--a»"),
    *("é.«xn--»", "é.«a!b»", "é.«»\u00ad", f"é.«{'a' * 64}»", f"«{'ü' * 60}»", "é.«\u0301é»"),
    # RFC 5893, 2, rule 1 applies to all labels of the name.
    *("«אa»", "xn--4db.«0ŝ».com", "אבג.«1com»"),
    # The decoded label encodes to another A-label.
    *("é.«xn---bbk»", "é.«a～»"),
    # A character without a name.
    "«\U00017000»\u200c.é",
]


@pytest.mark.parametrize("marked", INVALID)
def test_idna_errors_name_the_invalid_label(marked: str) -> None:
    host, label = re.sub("[«»]", "", marked), re.findall("«(.*)»", marked)[0]
    position = 7 + marked.index("«")
    with pytest.raises(ConvertError) as caught:
        IRI(f"http://{host}/").to_uri(host="idna")
    error = caught.value
    assert f'invalid label "{label}' in error.reason
    assert (error.component, error.position) == ("host", position)
    assert error.text == f"http://{host}/"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    ("host", "decoded"),
    [
        *(("xn--bcher-kva.example", "bücher.example"), ("xn--fa-hia.de", "faß.de")),
        *(("xn--wgv71a119e.jp.", "日本語.jp."), ("_dmarc.xn--9ca", "_dmarc.é")),
        *(("xn--4dbcd.com", "אבג.com"), ("b%C3%BCcher.xn--9ca", "bücher.é")),
        ("B%C3%BCcher.XN--9CA", "Bücher.é"),  # both are converted to lower case
        ("b%C3%BCcher%2Eexample.xn--9ca", "bücher%2Eexample.é"),
        ("日本語。xn--9ca｡xn--9ca", "日本語。é｡é"),
    ],
)
def test_to_iri_with_idna_decodes_a_labels(host: str, decoded: str) -> None:
    iri = parse(f"http://u:p@{host}:80/%C3%A9?%2f").to_iri(host="idna")
    assert str(iri) == f"http://u:p@{decoded}:80/é?%2f"
    assert type(iri) is IRI
    assert iri._bounds == parse(str(iri))._bounds
    assert type(parse(f"//{host}").to_iri(host="idna")) is IRIReference
    assert iri.to_iri(host="idna") is iri
    back, given = iri.to_uri(host="idna"), parse(f"http://{host}").to_uri(host="idna")
    assert back.host == given.host


def test_to_iri_with_idna_keeps_hosts_that_would_not_convert_back() -> None:
    for host in [
        # `to_uri` would return lower case
        *("XN--9ca.example", "xn--9ca.Example"),
        # an invalid A-label
        *("xn--a.xn--9ca", "xn--.xn--9ca", "xn--9ca.a!b", "xn--9ca..b", "xn--9ca.%FF"),
        "xn--9ca.a%2Fb",
        # the Bidi rule applies to all labels
        *("xn--4db.0a", "xn--4db.xn--0-rga"),
        # a snowman, which IDNA 2008 does not allow
        *("xn--n3h", "xn--bcher-kva%2Eexample", "xn--xn--9ca-fya", "axn--9ca", "[v1.xn--9ca.a]"),
        # longer than a domain name
        *("xn--9ca." * 32 + "a", "xn--9ca." * 200, "☃.xn--9ca", "a", ""),
    ]:
        value = parse(f"http://{host}/")
        assert value.to_iri(host="idna") is value


def test_to_iri_with_idna_converts_values_of_all_types() -> None:
    text = "http://xn--9ca/"
    for kind in (URI, URIReference, IRI, IRIReference, HTTPURI):
        assert kind(text).to_iri(host="idna") == IRI("http://é/")
    assert parse("mailto:a@xn--9ca").to_iri(host="idna") == parse("mailto:a@xn--9ca")


def test_overlong_domain_names_are_rejected_early() -> None:
    for length in (50, 600):
        with pytest.raises(ConvertError, match="the limit is 253 octets"):
            IRI(f"http://{'é.' * length}/").to_uri(host="idna")
    # The error does not show the password.
    with pytest.raises(ConvertError) as caught:
        IRI("http://me:secret@☃.é/").to_uri(host="idna")
    assert "secret" not in str(caught.value)


def test_idna_errors_about_encoded_labels_point_at_the_host() -> None:
    with pytest.raises(ConvertError) as caught:
        URI("http://a@ok.%E2%98%83/").to_uri(host="idna")
    assert caught.value.position == 9
    # Invalid UTF-8 and characters that are not allowed in a host stay encoded.
    encoded = ["é.a%20b", "é.%E2%80%8Fx", "é.%FF", "é.%EE%80%80", "é.a%2Fb"]
    for host, position in [*((host, 9) for host in encoded), ("a%2Fb.%C3%A9", 7)]:
        with pytest.raises(ConvertError, match='invalid character "%" in domain name') as caught:
            IRI(f"http://{host}/").to_uri(host="idna")
        assert caught.value.position == position


@pytest.mark.parametrize("host", ["us%C3%A9r%3As3cret%40host", "usér%3As3cret%40host"])
def test_errors_about_a_host_mask_encoded_passwords(host: str) -> None:
    with pytest.raises(ConvertError) as caught:
        IRI(f"http://{host}/").to_uri(host="idna")
    error = caught.value
    assert "REDACTED" in str(error)
    assert "s3cret" not in f"{error}{error!r}{error.as_dict()}".lower()
    with pytest.raises(PolicyError) as refused:
        Policy(unambiguous=False).enforce(f"http://{host}/")
    assert "s3cret" not in f"{refused.value}{refused.value!r}{refused.value.as_dict()}".lower()


def test_to_uri_with_idna_keeps_hosts_that_are_not_domain_names() -> None:
    for text in ("http://[::1]/é", "é", "http://1.2.3.4/é", "http://a%2Fb/é", "http:///é"):
        assert parse(text).to_uri(host="idna") == parse(text).to_uri()
    for convert in (IRI("a:b").to_uri, IRI("http://é/").to_uri, IRI("http://é/").to_iri):
        with pytest.raises(ValueError, match="host must be 'percent' or 'idna', not 'punycode'"):
            convert(host="punycode")  # type: ignore[arg-type]


#: URIs of which `display` decodes nothing.
SHOWN_AS_IT_IS = (
    "http://bücher.example/ http://[::1]:80/ mailto:a@b ../é http://me:@a/ "
    # Triplets of ASCII characters.
    "http://a/%41%20%2F "
    # Letters that look like Latin letters, and lookalikes of delimiters.
    "http://xn--80ak6aa92e.com/ http://a/b%EF%BC%8Fc http://a/b%E2%81%84c%E2%88%95d "
    # Invisible characters, and marks on a delimiter; "e" with a mark looks like "é".
    "http://a/%E3%85%A4%E2%80%8B http://a/%CC%B8b http://a/%CC%81b http://a/e%CC%81 "
    # The decoded name must encode to the original as a whole.
    "http://1.xn--4db/ http://a&b.xn--bcher-kva/ http://.xn--bcher-kva/ http://xn--epv.xn--/ "
    "http://xn--a/ http://xn--fiqs8s--/ "
    # Bidirectional text.
    "http://a/%E2%80%AE http://a/%D7%90b http://xn--4dbcd/192.0.2.1/x http://xn--4dbcd.1evil.com/ "
    "http://xn--4dbcd:8080/x http://%D7%90@[::1]/ http://a/%D9%85%DB%8C%E2%80%8C%D8%AE"
)


def test_display_decodes_only_what_is_safe_to_show() -> None:
    for text, shown in [
        ("http://xn--bcher-kva.example/%C3%A9?%C3%A9#%C3%A9", "http://bücher.example/é?é#é"),
        ("http://b%C3%BCcher.example/", "http://bücher.example/"),
        ("http://xn--wgv71a119e.jp/%E6%97%A5", "http://日本語.jp/日"),
        ("http://xn--d1acpjx3f.xn--p1ai/", "http://яндекс.рф/"),
        ("http://xn--mxadglfwep7amk6b.gr/", "http://γνωθισεαυτον.gr/"),
        ("http://xn--4dbrk0ce.example/", "http://ישראל.example/"),
        ("http://аррӏе.com/", "http://xn--80ak6aa92e.com/"),
        ("http://pаypal.com/", "http://xn--pypal-4ve.com/"),
        # Lookalikes of delimiters, and marks drawn on the delimiter before them.
        ("http://a.comノb.jp/", "http://a.xn--comb-xq4c.jp/"),
        ("http://a／b.é/", "http://a%EF%BC%8Fb.%C3%A9/"),
        ("http://a/ax\u035e/y", "http://a/ax%CD%9E/y"),  # spans the slash
        ("http://a/x\u20dd", "http://a/x%E2%83%9D"),
        ("http://a/%2F\u0301", "http://a/%2F%CC%81"),
        ("http://a/\u115f\u0301", "http://a/%E1%85%9F%CC%81"),
        ("http://a/b\u2afdc?\uff21#\u212a", "http://a/b%E2%AB%BDc?%EF%BC%A1#%E2%84%AA"),
        # In the userinfo, only letters and digits are decoded.
        ("http://google.comノx@evil.example/", "http://google.com%E3%83%8Ex@evil.example/"),
        ("http://a·b@h/", "http://a%C2%B7b@h/"),
        ("http://google.com\uff89a@h/", "http://google.com%EF%BE%89a@h/"),
        # Fullwidth dots and similar characters
        (
            "http://a/\uff0e\uff0e/\u2024\u2024\uff1b",
            "http://a/%EF%BC%8E%EF%BC%8E/%E2%80%A4%E2%80%A4%EF%BC%9B",
        ),
        # Bidirectional text
        *(("http://a/\u202eb", "http://a/%E2%80%AEb"), ("http://a/%D7%90/b", "http://a/א/b")),
        *(("http://a/%D7%90/%D7%91", "http://a/%D7%90/ב"), ("http://xn--4dbcd/x", "http://אבג/x")),
        ("http://me:p@xn--4dbcd/", "http://me:REDACTED@אבג/"),
        ("http://%D7%90@a/", "http://א@a/"),
        ("http://%D7%90:p@xn--4dbcd/", "http://%D7%90:REDACTED@אבג/"),
        ("http://a/%D7%9E%D6%B8", "http://a/מ\u05b8"),  # a word may end with a mark
        # Names that IDNA mapping changes
        ("http://exam\u00adple.com/", "http://exam%C2%ADple.com/"),
        ("http://ｅxample.com/", "http://%EF%BD%85xample.com/"),
        ("http://BÜCHER.example./", "http://bücher.example./"),
        ("http://XN--BCHER-KVA.example/", "http://bücher.example/"),
        # RFC 3986, 3.2.1: passwords are masked.
        ("http://me:secret@a/", "http://me:REDACTED@a/"),
        ("http://%C3%A9@a/", "http://é@a/"),
        *((text, text) for text in SHOWN_AS_IT_IS.split()),
    ]:
        assert parse(text).display() == shown


def test_every_label_that_display_keeps_in_ascii_has_a_reason() -> None:
    for text, reasons in [
        *(("http://xn--bcher-kva.example/", []), ("mailto:a@b", []), ("http://[::1]/", [])),
        ("http://a／b.é/", []),
        ("http://аррӏе.com/", [(0, "all letters of a label look like Latin letters")]),
        ("http://www.ооо.com/", [(1, "all letters of a label look like Latin letters")]),
        ("http://pаypal.com/", [(0, "a label mixes several scripts")]),
        ("http://goo\u0292le.com/", [(0, "one of its letters is rare in domains")]),
        ("http://lınkedin.com/", [(0, "a letter looks like another Latin letter")]),
        (
            "http://comノorg.jp/",
            [(0, "next to a Latin letter, a character looks like a stroke or a 0")],
        ),
        (
            "http://xn--4dbcd:80/",
            [(0, "a right-to-left label would be displayed in the wrong place")],
        ),
        ("http://1.xn--4db/", [(None, "the Unicode form is not looked up as the same name")]),
        ("http://ｅxample.com/", [(None, "DNS would look up a different name")]),
    ]:
        assert list_kept_labels(text) == reasons
        assert bool(reasons) is ("misleading-host" in {f.code for f in check(text)})


def test_display_keeps_confusable_labels_in_ascii() -> None:
    for label in [
        *("ɡoogle", "ᴀᴘᴘʟᴇ", "lınkedin", "paypaǀ", "googleǃ", "googleꞏcom", "google་com"),
        *("localhostः8080", "g००gle", "g໐໐gle", "g〇〇gle", "goo\U00016fe4gle", "appleּ"),
        *("googl็e", "ꓮꓑꓑꓡꓰ", "ᏢᎪᎽᏢᎪᏞ".lower(), "ᑭᗩᑭᗩ", "ӑррӏе", "рус", "ооо", "ഠഠഠ", "००"),
        *("οοο", "二一com", "comノorg", "ס\u05b0", "e\u0301\u0301"),
    ]:
        name = f"xn--{label.encode('punycode').decode()}"
        assert URI(f"http://{name}.com/").display() == f"http://{name}.com/"


def test_display_shows_harmless_names_and_paths_in_unicode() -> None:
    for text in [
        *("bücher.de", "français.fr", "straße.de", "ørsted.dk", "łódź.pl", "việtnam.vn"),
        *("日本語.jp", "ドメイン.com", "pcパソコン.jp", "nhkニュース.jp", "webデザイン.jp"),
        *("中国.cn", "한국.kr", "हिन्दी.com", "தமிழ்.com", "ಕನ್ನಡ.com", "ไทยแลนด์.com"),
        *("ישראל.com", "عربي.com", "яндекс.рф", "сервер.рф", "рус.рф", "москва.com"),
        *("νεα.gr", "σκαι.gr", "ενοικιο.gr", "հայաստան.am", "ქართული.ge"),
        *("a/哈利·波特", "a/ジョン・スミス", "a/你好，世界", "a/君の名は。"),
        *("a/أهلاً", "a/wiki/עמוד_ראשי"),
        *("a/é/ü?ö=ä&ß=1#ñ", "a/?q=שלום&x=1", "a/हिन्दी", "a/ภาษาไทย", "a/Ελλάδα", "a/Москва"),
        "a/好（啊）！",
    ]:
        assert IRI(f"http://{text}").to_uri(host="idna").display() == f"http://{text}"


#: Half marks, and marks of the combining classes 1 (overlay), 233 and 234 (double).
LARGE_MARKS = [*map(chr, range(0xFE20, 0xFE30)), "\u0334", "\u035c", "\u0361"]


@pytest.mark.parametrize("mark", LARGE_MARKS, ids=ascii)
def test_display_keeps_half_overlay_and_double_marks_encoded(mark: str) -> None:
    assert unicodedata.category(mark) == "Mn"
    text = str(URI.build(scheme="http", host="a", segments=["", f"e{mark}"]))
    assert parse(text).display() == text
    # A mark on a single letter is shown.
    assert parse("http://a/e%CC%AA").display() == "http://a/e\u032a"


def test_display_shows_arabic_numbers_only_if_their_position_cannot_change() -> None:
    assert unicodedata.bidirectional("٣") == "AN"
    assert parse("http://a/٣").display() == "http://a/٣"
    # Positions may change next to European numbers or right-to-left letters.
    assert parse("http://a/٣/1").display() == "http://a/%D9%A3/1"
    assert parse("http://a/א/٣").display() == "http://a/%D7%90/٣"


def test_arabic_numbers_do_not_count_as_right_to_left_letters() -> None:
    for text in ("http://a/٣", "http://a/٣a", "http://a/א٣א"):
        assert parse(text).bidi_findings == ()
    for text in ("http://a/א٣", "http://a/٣א"):
        assert [f.code for f in parse(text).bidi_findings] == ["bidi-edge"]


@given(produced("IRI"))
def test_display_parses_back_into_an_equivalent_iri_except_for_the_password(text: str) -> None:
    shown = IRI(IRI(text).display())
    value = IRI(redact_valid(text))
    assert shown.scheme == value.scheme
    for part in ("path", "query", "fragment", "port_text"):
        mine, theirs = getattr(value, part), getattr(shown, part)
        assert (mine is None) is (theirs is None)
        if mine is not None:
            assert IRIReference.build(query=mine).equivalent(IRIReference.build(query=theirs))
    assert (shown.host is None) is (value.host is None)
    assert all(c.isprintable() for c in value.display())


def test_nfc_is_applied_only_on_request() -> None:
    value = IRI("http://a/e\u0301%CC%81")
    assert not value.is_nfc
    assert value.nfc() == IRI("http://a/é%CC%81")
    assert value.nfc().is_nfc
    assert value.nfc().nfc() is not value
    assert URI("a:b").nfc() == URI("a:b")
    assert type(value.nfc()) is IRI


def test_nfc_that_would_introduce_invalid_characters_is_rejected() -> None:
    for text, position in [("http://a/é\u1fef", 10), ("http://a/b\u037ec", 10), ("\u037ea", 0)]:
        with pytest.raises(ConvertError) as caught:
            IRIReference(text).nfc()
        assert caught.value.position == position
    # A character may compose to an ASCII letter.
    assert IRI("a:\u212a").nfc() == IRI("a:K")


def test_nfc_keeps_triplets_and_delimiters() -> None:
    for text in ("http://a/%4A\u0301", "http://a/?b=\u0338c", "a:b=\u0338", "a:%4a\u0338"):
        assert IRI(text).is_nfc
        assert IRI(text).nfc() == IRI(text)
    assert IRI("a:%4Ae\u0301=\u0338e\u0301").nfc() == IRI("a:%4Aé=\u0338é")


@given(references())
@example("a\u0316\u0301\u0316\u0301")
@example("\u0344\u0f73\u0f75")
def test_nfc_of_data_agrees_with_unicodedata(text: str) -> None:
    for run in re.split(r"%..|[^\w.~\x80-\U0010ffff-]", text):
        assert convert_to_nfc(run) == unicodedata.normalize("NFC", run)
        assert is_nfc(run) is (convert_to_nfc(run) == run)
    assert is_nfc(convert_to_nfc(text))


def test_nfc_of_every_character_agrees_with_unicodedata() -> None:
    for code_point in (*range(0xA0, 0xD800), *range(0xF900, 0x11000), *range(0x1D100, 0x1D200)):
        c = chr(code_point)
        # All that decompose or reorder, and some of the others, such as Hangul syllables.
        if unicodedata.decomposition(c) or unicodedata.combining(c) or code_point % 13 == 0:
            for text in (c, f"\u0301{c}\u0316\u0344"):
                assert convert_to_nfc(text) == unicodedata.normalize("NFC", text)


def test_bidi_findings_report_code_component_and_span() -> None:
    for text, found in [
        *(("http://a/b", []), ("http://אב.גד/הו/ab?אב#גד", [])),
        ("http://a/א\u200fב", [("bidi-formatting", "path", 10, 11)]),
        *(("http://אa/", [("bidi-mixed", "host", 7, 9)]), ("http://א.a/", [])),
        ("http://a/א1", [("bidi-edge", "path", 9, 11)]),
        *(("http://a/1א", [("bidi-edge", "path", 9, 11)]), ("http://a/א1א", [])),
        (
            "//אa@h?אb#אc",
            [
                ("bidi-mixed", "userinfo", 2, 4),
                ("bidi-mixed", "query", 7, 9),
                ("bidi-mixed", "fragment", 10, 12),
            ],
        ),
        ("http://a/א%D7%90", [("bidi-mixed", "path", 9, 16)]),
        (
            "http://a/אx?אx&א=x#אx",
            [
                ("bidi-mixed", "path", 9, 11),
                ("bidi-mixed", "query", 12, 14),
                ("bidi-mixed", "fragment", 19, 21),
            ],
        ),
        ("http://a/\u2066", [("bidi-formatting", "path", 9, 10)]),
        ("é", []),
        # The rules apply separately to extensions and to the pieces of a query.
        *((text, []) for text in ("http://a/א.ב.tar.gz", "http://a/א.1", "?name=אב&גד=value&a")),
        ("http://אב.גד.הו/זח/טי/כל.html", []),
        ("http://a/אb.html", [("bidi-mixed", "path", 9, 11)]),
        ("http://a/b.א1", [("bidi-edge", "path", 11, 13)]),
        ("http://a/א-b.html", [("bidi-mixed", "path", 9, 12)]),
        ("?name=אb&1ד=c", [("bidi-mixed", "query", 6, 8), ("bidi-edge", "query", 9, 11)]),
        *(("?אב;cd", [("bidi-mixed", "query", 1, 6)]), ("?א.b", [("bidi-mixed", "query", 1, 4)])),
        ("#א.b=c&d", [("bidi-mixed", "fragment", 1, 8)]),
        ("//א.b@c", [("bidi-mixed", "userinfo", 2, 5)]),
    ]:
        findings = parse(text).bidi_findings
        assert [(f.code, f.component, f.start, f.end) for f in findings] == found
        assert all(f.reason for f in findings)
        assert {type(f) for f in findings} <= {BidiFinding}


#: RFC 3987, 4.4: uppercase letters represent right-to-left letters.
BIDI_EXAMPLES: dict[int, tuple[str, list[str]]] = {
    1: ("http://ab.CDEFGH.ij/kl/mn/op.html", []),
    2: ("http://ab.CDE.FGH/ij/kl/mn/op.html", []),
    3: ("http://AB.CD.EF/GH/IJ/KL?MN=OP;QR=ST#UV", []),
    4: ("http://AB.CD.ef/gh/IJ/KL.html", []),
    5: ("http://ab.cd.EF/GH/ij/kl.html", []),
    6: ("http://ab.CD.EF/GH/IJ/kl.html", []),
    7: ("http://ab.CDE123FGH.ij/kl/mn/op.html", []),
    8: ("http://ab.cd.ef/GH1/2IJ/KL.html", ["GH1", "2IJ"]),  # not allowed
    9: ("http://ab.cd.ef/GH%31/%32IJ/KL.html", ["GH%31", "%32IJ"]),  # not allowed
    10: ("http://ab.CDEFGH.123/kl/mn/op.html", []),  # allowed but not recommended
}


@pytest.mark.parametrize(
    "letters", ["אבגדהוזחטיכלמנסעפצקרשת", "ابتثجحخدذرزسشصضطظعغفقك"], ids=["Hebrew", "Arabic"]
)
@pytest.mark.parametrize(("text", "edges"), BIDI_EXAMPLES.values(), ids=BIDI_EXAMPLES)
def test_bidi_findings_report_the_disallowed_rfc_3987_examples(
    text: str, edges: list[str], letters: str
) -> None:
    iri = text.translate(str.maketrans(ascii_uppercase[: len(letters)], letters))
    findings = [(f.code, f.component, text[f.start : f.end]) for f in parse(iri).bidi_findings]
    assert findings == [("bidi-edge", "path", edge) for edge in edges]
    codes = [f.code for f in check(iri) if f.code.startswith("bidi")]
    assert codes == ["bidi-edge"] * len(edges)


def test_domain_in_ascii_keeps_hosts_that_are_not_convertible() -> None:
    assert convert_encoded_host("b%C3%BCcher.example") == "xn--bcher-kva.example"
    for host in ("a.example", "a%23b", "%FF"):
        assert convert_encoded_host(host) == host


def test_the_kind_of_a_character_follows_its_mapping() -> None:
    from uriverse._spec.domain import classify_character

    for character, letter, kind in [
        *(("ﬁ", "ﬁ", 1), ("\u0378", "\u0378", 1)),  # mapped to two letters; not allowed at all
        *(("☃", "☃", 7), ("٣", "٣", 6)),  # not allowed in any label; an Arabic digit
        *(("Ａ", "a", 2), ("é", "é", 2)),
        *(("\u0903", "\u0903", 3), ("\u05b0", "\u05b0", 4)),  # marks, the second without direction
        ("\u0627", "\u0627", 5),  # an Arabic letter
    ]:
        assert classify_character(character) == 8 * ord(letter) + kind
