import re
from string import printable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked import list_rows
from strategies import hostile, produced, references

from uriverse import IRI, SCHEMES, Finding, IRIReference, check, columns, is_iri, is_iri_reference
from uriverse.diagnosis import CODES, PROFILES, SEVERITIES
from uriverse.diagnosis._ambiguity import classify_conversion
from uriverse.diagnosis._checking import list_findings
from uriverse.diagnosis._codes import DETAILS
from uriverse.diagnosis._findings import RANKS, expand_profile
from uriverse.diagnosis._parsed_text import ParsedText
from uriverse.schemes import Registry, Scheme
from uriverse.typing import Severity


def codes(text: str, profile: str = "strict") -> set[str]:
    return {finding.code for finding in list_findings(text, profile)}


def found(text: str, code: str) -> list[tuple[str, str]]:
    findings = [finding for finding in list_findings(text, "strict") if finding.code == code]
    return [(finding.component, text[finding.start : finding.end]) for finding in findings]


@pytest.mark.parametrize("code", CODES)
def test_examples_trigger_their_code_and_near_misses_do_not(code: str) -> None:
    assert code in codes(CODES[code].example)
    assert code not in codes(CODES[code].near_miss)


#: Strings with marks at the spans of a finding, and its components.
SPANS = {
    ("syntax", "path fragment"): ["http://a/b« »c/d^#e«`»"],
    ("syntax", "scheme host"): ["«1»a://b« »c"],
    ("syntax", "path"): "http://a/%«z»z http://a/%«»",
    ("authority-missing", "host"): "http:«»a http:«»é",
    ("authority-misplaced", "host"): "urn:«//a»/b urn:«//é»/ü",
    ("host-missing", "host"): "http://«»:80/ http://«»:80/é",
    ("userinfo-misplaced", "userinfo"): "file://«me»@a/b file://«é»@bücher.example/ü",
    ("query-misplaced", "query"): "tel:+1?«a» file:///é?«ü»",
    ("fragment-misplaced", "fragment"): "ws://a/#«b» wss://é/ü?é#«ü»",
    ("fragment-rejected", "fragment"): "coap+tcp://a/?b#«c» coap://é/ü?é#«ü»",
    ("scheme-syntax", "path"): (
        "urn:ab:«» urn:«urn-abc»:nss URN:«URN-07»:é data:a«» mailto:no-ät«» mailto:é«;»@b urn:«é» "
        "urn:«:»é urn:«\u03b1»\u03b2\u03b3:abc urn:ab«😀»:c tel:12«é» tel:+1;«é»=2 "
        "tel:1;phone-context=b«ü»cher.example data:xé«» data:text/x«é», file:«é»"
    ),
    # Not an IRI: only the syntax is reported.
    ("scheme-syntax", ""): "mailto:é<@b",
    ("misleading-host", "host"): (
        "http://www.«xn--80ak6aa92e».com/ http://«p\u0430ypal».b%C3%A9.com/ "
        "http://a.«%D0%BE%D0%BE».com/ http://me@1.«xn--4db»:80/ http://me@«1.xn--4db»/"
    ),
    ("bidi-formatting", "query"): ["http://a/?«\u202e»b"],
    ("not-nfc", "host path"): "http://«e\u0301.x»«/e\u0301»",
    ("private-use", "query"): ["http://a/?«\ue000\ue001»"],
    ("noncharacter", "path"): ["http://a/«\ufdd0»", "http://a/«%f4%8f%bf%be»"],
    ("noncharacter", "fragment"): "http://a/#«%f0%9f%bf%bf»",
    ("password", "userinfo"): "http://me:«pw:x»@a/",
    ("userinfo", "userinfo"): "http://«me»@a/",
    ("zone-identifier", "host"): "http://[fe80::1«%eth0»]:80/",
    ("backslash", "path path"): "«\\\\»a«\\»b",
    ("backslash", "path"): "http:«\\»/a",
    ("control", "path"): ["a«\r\n»b"],
    ("space", "path"): ["a«\u2003»b"],
    ("not-utf8", "path path"): "/«%C3»/«%A9»",
    ("not-utf8", "query"): "?«%C3%A9%FF»",
    ("double-encoding", "path"): "http://a/«%2525»41",
    ("encoded-control", "query"): (
        "?«%00%0a» mailto:a@b?subject=«%0D%0A»&body=c%0D%0Ad mailto:a@b?body=«%0D%0A%00»"
    ),
    ("missing-scheme", "path"): "«a»/b",
    ("scheme-odd", "scheme"): "«1http»://b",
    ("scheme-like-host", "scheme"): "«a.b»://c «a.b»:80/c",
    ("slash-count", "host"): "https:«////»a file:«////»a gopher:«/»127.0.0.1:1/ ldap:«////»a",
    ("dot-segment", "path"): "data:«a/../b,» urn:«isbn:x/../foo:bar»",
    ("path-like-authority", "path"): "file://«/a/..//b/c» x://a«/..//b» x:«/.//b»",
    ("bad-a-label", "host"): "x://«a.%78n--99999999.b» x://a.«xn--99999999».b",
    ("header-ignored", "query"): (
        "mailto:a@b?to=c@d&«FROM»=e@f mailto:é@b?«FROM»=é&é=ü mailto:a@b?é=ü&«Date»=é"
    ),
    ("content", "path"): (
        "data:image/png;base64,iVB«» urn:uuid:«x»yz urn:uuid:«é» data:;base64,YQ«é»="
    ),
    ("authority-empty", "host"): "x://«»:1/",
    ("userinfo-like-host", "userinfo"): "x://«a.b:c»@d/ x://«127»@d/ x://«LOCALHOST»@d/",
    ("several-at", "userinfo"): "x://a«@b@c@»d",
    ("host-encoded", "host"): "x://«%61»:1",
    ("host-with-delimiter", "host"): "x://«a%3A1»",
    ("host-with-delimiter", "userinfo"): "x://«a%23»@b",
    ("host-characters", "host"): "x://«a,b»",
    ("host-past-ascii", "host"): "x://«é» x://«%C3%A9»",
    ("host-compatible", "host"): "x://«a\u2100b»",
    ("deviation", "host"): ["x://«a\u200db»"],
    ("ipv4-short", "host"): "x://«1.2.3»",
    ("ipv4-octal", "host"): "x://«01.2.3.4»",
    ("ipv4-hex", "host"): "x://«1.2.3.0xf»",
    ("ipv4-integer", "host"): "x://«1»",
    ("ipv4-overflow", "host"): "x://«1.2.3.256»",
    ("ipv6-with-ipv4", "host"): "x://«[64:ff9b::1.2.3.4]»",
    ("trailing-dot", "host"): "x://«a.»:1",
    ("empty-label", "host"): "x://«.a»",
    ("bracket", "host"): "x://«[::1» x://«a]b:1»/ x://«[::1]a»/",
    ("port-empty", "port"): "x://a«:»/b",
    ("port-odd", "port"): f"x://a:«00» x://a:«+1» x://a:«\u0661» x://a:«{'0' * 700}»",
    ("port-huge", "port"): f"x://a:«0065536» x://a:«{'9' * 5000}»",
    ("encoded-dot", "path path"): "/a/«.%2e»/«%2E»",
    ("encoded-slash", "path path"): "/a«%2f»«%5C»b",
    ("drive-letter", "scheme"): "«c:»\\a",
    ("drive-letter", "path"): "file:«c:»/a file://«/c%7C»/a",
    ("drive-letter", "host"): "file://«c:»/a",
    ("file-localhost", "host"): "file://«LocalHost»/a FILE://«127.0.0.1»/a",
    ("file-host", "host"): "file://«127.0.0.2:80»/a file://«[::1]»/a file://«@»/a",
    ("single-slash", "path"): "foo:«/»b urn:«/»b",
    ("at-behind-host", "fragment"): "http://a«?b#c@»d/e",
    ("at-behind-host", "query"): "postgresql://a:1«?@»b",
    ("label-with-underscore", "host host"): "http://a.«_b».«c_»/",
    ("label-edge-hyphen", "host host"): "x://«-a».«b-»",
    ("label-edge-hyphen", "host"): "x://«-a%62»",
    ("last-label-digit", "host"): "http://«a.1b.»:1/",
    ("last-label-number", "host"): (
        "http://«foo.1.2.3.4»:80/ http://«foo.0X4.»/ http://«foo.0x»/ http://«foo.%31»/ "
        "http://«foo.１»/"
    ),
    ("relative", "scheme"): "«»//a",
    ("unregistered-scheme", "scheme"): "«X-a»:b",
    ("not-normalized", "scheme host"): "«HTTP»://«A»/b",
    ("not-normalized", "port path"): "http://a:«80»«»",
    ("path-misshapen", "path"): "acct:«/é@bücher.example»",
}


@pytest.mark.parametrize(("code", "components", "marked"), list_rows(SPANS))
def test_findings_have_component_and_span(code: str, components: str, marked: str) -> None:
    parts = re.split("[«»]", marked)
    assert found("".join(parts), code) == [*zip(components.split(), parts[1::2], strict=True)]
    # The mark is at the right one of several equal strings.
    spans = [f.span for f in list_findings("".join(parts), "strict") if f.code == code]
    assert [start for start, _ in spans] == [
        len("".join(parts[:i])) for i in range(1, len(parts), 2)
    ]


@pytest.mark.parametrize(
    ("code", "text"),
    list_rows(
        {
            "authority-missing": "x:a",
            "slash-count": "file:/a ldap:///a",
            "scheme-like-host": "sms:12345 localhost:808080/ a.b/c",
            "bad-a-label": (
                "http://my-xn--test.a,b/ http://xn--bcher-kva..example/ http://xn--bcher-kva/"
            ),
            "dot-segment": "x:/a/../b x:/a/..//b",
            "path-misshapen": ["mid:a b"],
            "host-missing": "file:///a",
            "userinfo": "x://a@b/ http://[::1%25]/",
            "password": "x://:@b/",
            "not-utf8": "x:/a%2520",
            "encoded-control": "mailto:a@b?body=c%0D%0Ad",
            "userinfo-like-host": "mailto:1 x://john-doe@a/",
            "host-with-delimiter": "x://a%2Ab@c/",
            "port-empty": "x://a/b:",
            "bracket": "x://[::1]:1/ x://a/[",
            "path-like-authority": "x:/a//b",
            "encoded-dot": "x:/a/..b",
            "encoded-slash": "?a%2fb",
            "drive-letter": "http://a/c:/ file:///cd:/ http:///c:/ c://a/ //c:/a",
            "fragment-misplaced": "ftp://a/#b",
            "unregistered-scheme": "http://a/ 1:a",
            "scheme-syntax": "urn:urn-7:nss urn:urna-b:nss urn:urn:nss",
            "misleading-host": (
                "http://xn--bcher-kva.example/ http://xn--4db/ http://xn--d1acpjx3f.xn--p1ai/"
            ),
            "file-localhost": "file:///127.0.0.1/a",
            "file-host": "http://server/a file:/a",
            "single-slash": "file:/a foo:/ foo:/?b foo:b/c /b 1:/b http:/b",
            "at-behind-host": (
                "http://a/?email=me@example.org http://a?b=/@c http://u@a?b@c mailto:a?b@c"
            ),
            "label-with-underscore": "http://a.b/_c http://a_b@c/",
            "label-edge-hyphen": "http://a--b.c/",
            "last-label-digit": "http://1a/ http://1.b/ http://1.2.3.4/",
            "last-label-number": "http://1.2.3.4/ http://1.2.3.4./ http://1.2.3.4.5/ http://foo.0xg/",
        }
    ),
)
def test_near_misses_are_not_reported(text: str, code: str) -> None:
    assert code not in codes(text)


def test_invalid_strings_have_other_findings_besides_syntax() -> None:
    text = "http://good.example\\@0x7f.1 /%00"
    assert codes(text) >= {"syntax", "backslash", "userinfo-like-host", "space", "encoded-control"}


def test_scheme_findings_cite_the_specification_of_the_scheme() -> None:
    [finding] = check("urn:ab:?=a")
    assert (finding.code, finding.severity, finding.start) == ("scheme-syntax", "error", 7)
    assert finding.reference == SCHEMES["urn"].reference
    assert "NSS" in finding.message
    assert {f.reference for f in check("http:///a")} == {SCHEMES["http"].reference}
    assert [f.reference for f in check("mailto:a@b?from=c")] == ["RFC 6068, 3"]


def test_check_applies_the_rules_of_custom_schemes() -> None:
    own = SCHEMES.with_schemes(
        Scheme(name="x-a", authority="required", empty_host=False, fragment=False)
    )
    text = "x-a:b#c"
    errors = [f.code for f in check(text, schemes=own) if f.severity == "error"]
    assert errors == ["authority-missing", "fragment-misplaced"]
    assert check(text) == []
    assert check("http:a", "strict", schemes=Registry()) != check("http:a", "strict")
    assert "unregistered-scheme" not in {f.code for f in check(text, "strict", schemes=own)}


def test_conforming_iris_have_no_scheme_findings() -> None:
    for text in [
        *("mailto:jörg@example.org", "mailto:jörg@bücher.example?subject=é&é=ü#ü", "urn:example:é"),
        *("urn:example:é?+ü?=é#ü", "data:,é", "data:text/plain;name=é.txt;charset=utf-8,é?ü#é"),
        *("tel:+1-201-555-0123;a=b", "file://bücher.example/a", "file:///é"),
        *("http://bücher.example/", "https://é@bücher.example:443/é?é#é", "s3://bücher/é"),
        *("sip:jörg@bücher.example", "acct:é@bücher.example"),
    ]:
        assert not {code for code in codes(text) if CODES[code].group == "scheme"}


def scheme_findings(text: str) -> list[Finding]:
    return [f for f in check(text, "strict") if CODES[f.code].group == "scheme"]


PIECES = ("é", "\u0660", "\U0001f600", "\u05d0", "urn", "ab", "1", "+", "%C3%A9", "%FF", "%22")
DELIMITERS = (
    *(":", "/", "//", "?", "?+", "?=", "#", "@", "&", "=", ";", ",", ";base64,", "from", "uuid:"),
)
CHECKED_SCHEMES = ("mailto", "urn", "tel", "data", "file", "http", "ws", "acct", "sip", "x-a")


@given(
    st.one_of(
        produced("IRI"),
        st.builds(
            "{}:{}é".format,
            st.sampled_from(CHECKED_SCHEMES),
            st.lists(st.sampled_from((*PIECES, *DELIMITERS)), max_size=8).map("".join),
        ).filter(is_iri),
    )
)
def test_an_iri_has_the_scheme_findings_of_its_uri(text: str) -> None:
    # For each prefix of the IRI, the length of its percent-encoded form.
    ends = [len(quote(text[:i], printable)) for i in range(len(text) + 1)]
    mapped = [
        f._replace(
            start=max(i for i, end in enumerate(ends) if end <= f.start),
            end=min(i for i, end in enumerate(ends) if end >= f.end),
        )
        for f in scheme_findings(str(IRI(text).to_uri()))
    ]
    assert scheme_findings(text) == mapped


def test_profiles_set_severities() -> None:
    text = "http://me:pw@a.example/"
    assert {f.code: f.severity for f in check(text)} == {"password": "warning"}
    assert {f.severity for f in check(text, "web")} == {"error"}
    assert [f.code for f in check("/a", "rdf")] == ["relative"]
    assert [f.severity for f in check("HTTP://a/", "rdf")] == ["warning"]
    assert check("HTTP://a/") == []
    for profile in PROFILES:
        assert set(expand_profile(profile)) == set(CODES)


def test_severities_can_be_set_for_codes_and_groups() -> None:
    text = "http://a.example./%2e/"
    assert [f.code for f in check(text)] == ["trailing-dot", "encoded-dot"]
    assert [f.code for f in check(text, severities={"encoded-dot": "off"})] == ["trailing-dot"]
    assert check(text, severities={"ambiguity": "off"}) == []
    one = check(text, severities={"ambiguity": "off", "encoded-dot": "info"})
    assert [(f.code, f.severity) for f in one] == [("encoded-dot", "info")]
    assert [f.code for f in check("HTTP://a/", severities={"form": "info"})] == ["not-normalized"]
    assert check("http://a/b", severities={"form": "info"}) == []


def test_check_rejects_invalid_arguments() -> None:
    with pytest.raises(ValueError, match=r"profile must be one of generic, web, .* not 'x'"):
        check("a", "x")
    for text in ("a", "http://a.example/b"):
        with pytest.raises(ValueError, match="unknown code or group 'x'"):
            check(text, severities={"x": "off"})
    with pytest.raises(ValueError, match="severity must be one of error"):
        check("a", severities={"syntax": "x"})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="expected a str"):
        check(b"a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="schemes must be a Registry, not list"):
        check("http://a.example/", schemes=[])  # type: ignore[arg-type]


def test_check_reports_exactly_the_expected_codes() -> None:
    for text, found in [
        *(("https://a.example/caf%C3%A9?%20#%7E", []), ("https://a.example/%C3", ["not-utf8"])),
        *(("https://a.example/%EF%BF%BE", ["noncharacter"]), ("https://a.example:65535/", [])),
        ("https://a.example:65536/", ["port-huge"]),
    ]:
        assert [finding.code for finding in check(text)] == found


#: The Unicode Standard, 23.7: the last two code points of each plane, and U+FDD0 to U+FDEF.
NONCHARACTERS = [
    *range(0xFDD0, 0xFDF0),
    *(plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF)),
]


@pytest.mark.parametrize("code_point", NONCHARACTERS, ids=hex)
def test_noncharacters_are_reported_raw_and_encoded(code_point: int) -> None:
    triplets = quote(chr(code_point))
    for written in (triplets, triplets.lower()):
        assert [f.code for f in check(f"https://a.example/{written}")] == ["noncharacter"]
        assert found(f"x:/?{written}", "noncharacter") == [("query", written)]
    assert found(f"x:/{chr(code_point)}", "noncharacter") == [("path", chr(code_point))]


@pytest.mark.parametrize(
    "code_point",
    [0xFDCF, 0xFDF0, 0xFFFD, 0x10000, 0x1FFFD, 0x20000, 0xEFFFD, 0xFFFFD, 0x100000, 0x10FFFD],
    ids=hex,
)
def test_neighbors_of_noncharacters_are_not_reported(code_point: int) -> None:
    assert check(f"https://a.example/{quote(chr(code_point))}") == []
    assert found(f"x:/{chr(code_point)}", "noncharacter") == []


def test_check_accepts_identifiers() -> None:
    assert check(IRIReference("//a.")) == check("//a.")


def test_findings_are_sorted_by_position_then_severity() -> None:
    places = [
        (f.start, SEVERITIES.index(f.severity))
        for f in list_findings("HTTP://A:00/b c%00", "strict")
    ]
    assert places == sorted(places)
    assert len(places) > 3


def test_findings_at_one_position_are_sorted_by_severity() -> None:
    # Several findings with the same span, after a less severe finding.
    text = "X://good.example%2F@a"
    spans = ["userinfo-like-host", "host-with-delimiter"]
    for worst, least in (spans, spans[::-1]):
        severities: dict[str, Severity] = {worst: "error", least: "warning", "form": "info"}
        found = list_findings(text, severities=severities)
        assert [(f.code, f.start, f.end) for f in found if f.code in spans] == [
            (worst, 4, 19),
            (least, 4, 19),
        ]
        assert found[0].severity == "info"
        assert found[0].start == 0


def test_problems_with_one_cause_are_one_finding() -> None:
    for text, profile, expected in [
        (
            "http://good.example@0x7f.1/",
            "generic",
            {
                "userinfo-like-host": ("userinfo",),
                "ipv4-hex": (),
            },
        ),
        (
            "http://evil.example\\@good.example/",
            "generic",
            {
                "syntax": ("userinfo", "userinfo-like-host", "host-with-delimiter", "backslash"),
            },
        ),
        ("http:\\\\a", "generic", {"syntax": ("authority-missing", "backslash")}),
        (" http://a/", "generic", {"syntax": ("space", "scheme-odd")}),
        ("http://[v1]/", "generic", {"syntax": ("bracket",)}),
        ("http://[fe80::1%25a]/", "generic", {"syntax": ("bracket", "zone-identifier")}),
        ("http:///a", "generic", {"host-missing": ("slash-count", "authority-empty")}),
        ("http:/a", "generic", {"authority-missing": ("slash-count",)}),
        ("http://me:pw@a/", "web", {"password": ("userinfo",)}),
        ("ws://me:pw@a/", "generic", {"userinfo-misplaced": ("password",)}),
        ("http://a:065536/", "generic", {"port-huge": ("port-odd",)}),
        ("http://a/%252e/", "generic", {"encoded-dot": ("double-encoding",)}),
        ("http://a/..%2Fb", "generic", {"encoded-dot": ("encoded-slash",)}),
        ("http://fa\u00df.example/", "generic", {"deviation": ("host-past-ascii",)}),
        ("http://%c3%a9/", "generic", {"host-past-ascii": ("host-encoded",)}),
        ("c:/a", "generic", {"drive-letter": ("single-slash",)}),
        ("localhost:80", "strict", {"scheme-like-host": ("unregistered-scheme",)}),
        # A cause in another place, and two problems without a common cause.
        ("http://a/b c  d", "generic", {"syntax": ("space",), "space": ()}),
        ("http://a_.1b/", "strict", {"label-with-underscore": (), "last-label-digit": ()}),
        # No finding is a detail of a less severe one, but of the cause of its cause.
        ("c:/a", "web", {"drive-letter": (), "single-slash": ()}),
        ("file://c:/a", "web", {"scheme-syntax": ("file-host", "drive-letter", "port-empty")}),
    ]:
        assert {f.code: f.details for f in check(text, profile)} == expected
        assert list(columns.findings([text], profile)) == [list(expected)]


def test_a_code_that_is_off_is_neither_a_cause_nor_a_detail() -> None:
    text = "http://good.example@evil.example/"
    assert [f.code for f in check(text, severities={"userinfo-like-host": "off"})] == ["userinfo"]
    [finding] = check(text, severities={"userinfo": "off"})
    assert (finding.code, finding.details) == ("userinfo-like-host", ())


def test_details_have_known_codes_and_no_cause_is_its_own_detail() -> None:
    def below(code: str) -> set[str]:
        names = {*DETAILS.get(code, ())}
        return names.union(*map(below, names))  # never ends if a code causes itself

    for code in DETAILS:
        assert code not in below(code)
        assert below(code) | {code} <= set(CODES)


def test_equal_findings_have_the_same_hash() -> None:
    [finding] = check("http://u@h/")
    assert {finding: 1}[Finding(*finding)] == 1
    assert hash(finding) == hash(tuple(iter(finding)))


@given(st.one_of(references(), hostile()), st.sampled_from([*PROFILES]))
def test_details_lose_no_code_and_no_severity(text: str, profile: str) -> None:
    findings = list_findings(text, profile)
    reported = check(text, profile)
    assert {f.code for f in findings} == {c for f in reported for c in (f.code, *f.details)}
    worst = min((RANKS[f.severity] for f in findings), default=None)
    assert worst == min((RANKS[f.severity] for f in reported), default=None)
    assert {f._replace(details=()) for f in reported} <= {*findings}


def test_messages_and_suggestions_fit() -> None:
    for text, message, suggestion in [
        ("http://a:0/", "port 0 is reserved", "write a port from 1 to 65535"),
        ("http://a:000/", "port 0 is reserved", "write a port from 1 to 65535"),
        ("http://a:080/", "the port has leading zeros:", "write the port without leading zeros"),
        ("http://1.2.3.4.5/", "more than four numbers", "write four numbers from 0 to 255"),
        ("http://1.2.3.4.5./", "more than four numbers", "write four numbers from 0 to 255"),
        ("http://1.2.3.400/", "a(n IPv4)? number is too large", "write four numbers from 0 to 255"),
        ("data:;base64,!!!", "invalid character", 'encode the data as base64, or remove ";base64"'),
        ("data:;base64,Y%20Q=", "invalid character", "remove whitespace"),
        ("data:;base64,Y-Q=", "invalid character", 'instead of "-" and "_"'),
        ("http://[v1]/", "incomplete IPvFuture address", r"as in \[2001:db8::1\], or"),
        ("http://[v1.^]/", "in IPvFuture address", r"as in \[2001:db8::1\], or"),
        ("file://C:/x", "drive letter in the place of the host", "three slashes .* file:///C:/"),
        ("file://host:/x", "unexpected port", "remove the colon and the port"),
        ("file://C|/x", "invalid character", "Windows path as in file:///C:/a/b"),
        ("file:c|/x", "invalid character", "Windows path as in file:///C:/a/b"),
        ("c:\\x", "invalid backslash", "file:///C:/a/b, or call FileURI.from_windows"),
        ("c:/a\\x", "invalid backslash", 'write "/" as the separator'),
    ]:
        [finding] = [f for f in check(text) if re.search(message, f.message)]
        assert re.search(suggestion, finding.suggestion or "")


def test_not_normalized_findings_suggest_the_normal_form() -> None:
    suggestions = {
        f.component: f.suggestion
        for f in check("HTTP://A:80/%7e/../\u202e", "strict")
        if f.code == "not-normalized"
    }
    assert suggestions == {
        "scheme": 'write "http"',
        "host": 'write "a"',
        "port": "remove the port",
        "path": 'write "/\\u202e"',
    }


SECRET = "hunter2"


def test_findings_never_show_passwords() -> None:
    for text in [
        f"http://me:{SECRET}@a/",
        f"HTTP://m%65:{SECRET}%7e@A:80/",
        f"http://me:{SECRET}^@a/",
        f"http://me:{SECRET}@b@a/",
        f"http://me:{SECRET}/@a/",
        f"me:{SECRET} @a",
    ]:
        findings = check(text, "strict")
        assert findings
        for finding in findings:
            assert SECRET not in f"{finding.message}{finding.suggestion}"


@given(st.one_of(references(), hostile()))
def test_check_reports_syntax_exactly_for_invalid_strings(text: str) -> None:
    for profile in PROFILES:
        findings = check(text, profile)
        assert ("syntax" in {f.code for f in findings}) is not is_iri_reference(text)
        for finding in findings:
            assert isinstance(finding, Finding)
            assert 0 <= finding.start <= finding.end <= len(text)
            assert finding.span == (finding.start, finding.end)
            assert finding.message
            assert finding.reference


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    [
        *("\\", "%25%32", "a.", "@", "%FF", "//", "/%2e", "/..;", "%25u002e%FF", "%20.", "//.."),
        *("a../", "[", "\u202e", "x:", " ", "\u0315\u0300", "%0D"),
    ],
)
def test_check_takes_linear_time(piece: str) -> None:
    assert check(f"http://{piece * 50_000}", "strict")
    assert check(piece * 50_000, "strict")
    assert check(f"mailto:a@{piece * 50_000}", "strict")


def test_ports_have_five_digits_and_end_at_65535() -> None:
    for text, code in [
        *(("localhost:49152/a", "scheme-like-host"), ("localhost:65535", "scheme-like-host")),
        *(("localhost:655350/a", None), ("http://a:65535/", None)),
        *(("http://a:65536/", "port-huge"), ("http://a:100000/", "port-huge")),
    ]:
        found = {finding.code for finding in check(text)} & {"scheme-like-host", "port-huge"}
        assert found == ({code} if code else set())


def test_a_delimiter_belongs_to_the_component_before_it_or_else_to_the_next_one() -> None:
    parsed = ParsedText("http://a/?b", SCHEMES, valid=True)
    assert [parsed.get_component(i) for i in (4, 5, 9, 10)] == ["scheme", "host", "path", "query"]
    assert ParsedText("?b", SCHEMES, valid=True).get_component(0) == "path"


def test_a_letter_is_classified_by_how_versions_of_idna_convert_it() -> None:
    for letters, number in [("\u00e9\u65e5", 2), ("\u00df", 3), ("\u2135\u00aa\u05d0", 1)]:
        assert {*map(classify_conversion, letters)} == {number}
