"""`MailtoURI`: the "mailto" URI scheme (RFC 6068)."""

import re
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marked import find_mark

from uriverse import URI, ConvertError, MailtoURI
from uriverse.schemes._mailto import find_line_breaks, is_ignored_field, split_recipients

CHARACTERS = st.characters(exclude_categories=["Cs"])
ATOMS = st.text("abZ09!#$%&'*+-/=?^_`{|}~é納", min_size=1)
DOT_ATOMS = st.lists(ATOMS, min_size=1, max_size=3).map(".".join)
QUOTED = st.lists(
    st.sampled_from(list("a,@.:;<>()[]é%&=?#"))
    | st.sampled_from(list(' \t"\\a@')).map("\\{}".format)
).map(lambda pieces: f'"{"".join(pieces)}"')
LITERALS = st.text("1.:IPv6,@(;%").map("[{}]".format)
#: Domains that `build` accepts: only their non-ASCII characters are percent-encoded.
DOMAINS = st.lists(st.text("abZ09!$'*+-_~é納", min_size=1), min_size=1, max_size=3).map(".".join)
ADDRESSES = st.builds("{}@{}".format, DOT_ATOMS | QUOTED, DOMAINS | LITERALS)
VALUES = st.text(
    CHARACTERS.filter(lambda c: c >= " " and c not in "\x7f\x85\u2028\u2029") | st.just("\t")
)
NAMES = st.text("aB-09!#$%&'*+./;<=>?@[\\]^_`{|}~,(", min_size=1)


#: The examples of RFC 6068, section 6, with their header fields.
EXAMPLES: dict[str, dict[str, Any]] = {
    "mailto:chris@example.com": {},
    "mailto:infobot@example.com?subject=current-issue": {"subject": "current-issue"},
    "mailto:infobot@example.com?body=send%20current-issue": {"body": "send current-issue"},
    "mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index": {
        "body": "send current-issue\nsend index"
    },
    "mailto:list@example.org?In-Reply-To=%3C3469A91.D10AF4C@example.com%3E": {
        "headers": [("In-Reply-To", "<3469A91.D10AF4C@example.com>")]
    },
    "mailto:joe@example.com?cc=bob@example.com&body=hello": {
        "cc": ["bob@example.com"],
        "body": "hello",
    },
    "mailto:gorby%25kremvax@example.com": {},
    "mailto:unlikely%3Faddress@example.com?blat=foop": {"headers": [("blat", "foop")]},
    "mailto:Mike%26family@example.org": {},
    "mailto:%22not%40me%22@example.org": {},
    "mailto:%22oh%5C%5Cno%22@example.org": {},
    "mailto:%22%5C%5C%5C%22it's%5C%20ugly%5C%5C%5C%22%22@example.org": {},
    "mailto:user@example.org?subject=caf%C3%A9": {"subject": "café"},
    "mailto:user@example.org?subject=%3D%3Futf-8%3FQ%3Fcaf%3DC3%3DA9%3F%3D": {
        "subject": "=?utf-8?Q?caf=C3=A9?="
    },
    "mailto:user@example.org?subject=%3D%3Fiso-8859-1%3FQ%3Fcaf%3DE9%3F%3D": {
        "subject": "=?iso-8859-1?Q?caf=E9?="
    },
    "mailto:user@example.org?subject=caf%C3%A9&body=caf%C3%A9": {"subject": "café", "body": "café"},
    "mailto:user@%E7%B4%8D%E8%B1%86.example.org?subject=Test&body=NATTO": {
        "subject": "Test",
        "body": "NATTO",
    },
}


@pytest.mark.parametrize("text", EXAMPLES)
def test_rfc_6068_examples_are_parsed_and_built(text: str) -> None:
    value, parts = MailtoURI(text), EXAMPLES[text]
    to = unquote(text.removeprefix("mailto:").partition("?")[0])
    assert value.to == (to,)
    assert MailtoURI.from_parts([to], **parts) == value
    assert (value.subject, value.cc) == (parts.get("subject"), tuple(parts.get("cc", ())))
    assert value.bcc == ()
    lines = parts.get("body")
    assert value.body == (lines and lines.replace("\n", "\r\n"))
    fields = [field for field in value.headers if field[0] not in {"subject", "cc", "body"}]
    assert fields == parts.get("headers", [])


def test_addresses_in_the_path_and_in_to_fields_are_equivalent() -> None:
    # RFC 6068, section 2, lists these three.
    forms = [
        MailtoURI("mailto:addr1@an.example,addr2@an.example"),
        MailtoURI("mailto:?to=addr1@an.example,addr2@an.example"),
        MailtoURI("mailto:addr1@an.example?to=addr2@an.example"),
    ]
    assert {form.to for form in forms} == {("addr1@an.example", "addr2@an.example")}
    assert len({form.comparison_key("scheme") for form in forms}) == 1


def test_lists_of_addresses_are_split_at_commas() -> None:
    for value, found in [
        *(("", []), (" , ,", []), ("a@b,c@d", ["a@b", "c@d"])),
        *((" a@b\t,\r\n c@d ", ["a@b", "c@d"]), ('"a,b" <c@d>, e', ['"a,b" <c@d>', "e"])),
        *(('"a\\",b", c', ['"a\\",b"', "c"]), ('"a, b', ['"a, b'])),
        *(("<@a,@b:c@d>, e", ["<@a,@b:c@d>", "e"]), ('<">,"@a>, e', ['<">,"@a>', "e"])),
        *(("<a, b", ["<a, b"]), ("a@[b,c], d", ["a@[b,c]", "d"]), ("a@[b, c", ["a@[b, c"])),
        ("(a, (b, c), d) e, f", ["(a, (b, c), d) e", "f"]),
        *(('(don"t, \\), a) b, (c', ['(don"t, \\), a) b', "(c"]), ("a), b", ["a)", "b"])),
    ]:
        assert split_recipients(value) == found
        assert split_recipients(",".join(found)) == found


def test_header_fields_are_decoded_before_they_are_split_at_commas() -> None:
    value = MailtoURI("mailto:?cc=evil%40x.org%2C%20a%40corp.example")
    assert value.cc == ("evil@x.org", "a@corp.example")
    assert MailtoURI("mailto:?bcc=%22a%2C%20b%22@c%2Cd@e").bcc == ('"a, b"@c', "d@e")
    for address in ('"a,b"@x.example', "a@[1,2]"):
        assert MailtoURI.from_parts(cc=[address]).cc == (address,)


def test_to_contains_the_addresses_of_the_path_and_of_to_fields() -> None:
    for text, to in [
        *(("mailto:", ()), ("MAILTO:a@b#c@d", ("a@b",))),
        *(("mailto:a.b!$'*+-_~@c.d", ("a.b!$'*+-_~@c.d",)), ("mailto:%61%2Eb@%63", ("a.b@c",))),
        *(("mailto:%22%22@a", ('""@a',)), ("mailto:%22a,b@c%22@d,e@f", ('"a,b@c"@d', "e@f"))),
        ("mailto:%22%5C%22,%5Ca%22@b,c@d", ('"\\",\\a"@b', "c@d")),
        ("mailto:%22a%2Cb%40c%22@d", ('"a,b@c"@d',)),
        ("mailto:%22()%3C%3E%3A:;%5b%5D%22@d".replace(";", "%3B"), ('"()<>::;[]"@d',)),
        ("mailto:a@%5BIPv6:::1%5D,b@%5B,@%5d,c@%5b%5D", ("a@[IPv6:::1]", "b@[,@]", "c@[]")),
        ("mailto:%C3%A9@%C3%A9,%22%5C%C3%A9%22@b", ("é@é", '"\\é"@b')),
        ("mailto:?to=", ()),
        ("mailto:?to=,a@b,&TO=%22c,d%22@e&%74o=f@g", ("a@b", '"c,d"@e', "f@g")),
        ("mailto:?to=a%2Cb%40c", ("a", "b@c")),
        ("mailto:?to=%09a@b%20%2C,%20c@d%0D%0A", ("a@b", "c@d")),
        (
            "mailto:?to=Joe%20%3Cjoe@a%3E,%22Doe,%20Jane%22%20%3Cjane@a%3E",
            ("Joe <joe@a>", '"Doe, Jane" <jane@a>'),
        ),
    ]:
        assert MailtoURI(text).to == to


def test_header_names_are_case_insensitive() -> None:
    # A plus sign is not decoded (section 5). Line breaks are.
    value = MailtoURI(
        "mailto:?Subject=a%0D%0ABcc:b+c&SUBJECT=b&Body=&cc=c@d&CC=e@f&bcc=g@h,i@j&=;&%25=%2526"
    )
    assert value.subject == "a\r\nBcc:b+c"
    assert value.header("sUbject") == ("a\r\nBcc:b+c", "b")
    assert value.body == ""
    assert value.cc == ("c@d", "e@f")
    assert value.bcc == ("g@h", "i@j")
    assert value.headers[-2:] == (("", ";"), ("%", "%26"))
    assert value.header("nothing") == ()


def test_invalid_utf8_in_header_fields_raises_errors_with_positions() -> None:
    for marked in ("mailto:?subject=a^%FF", "mailto:?^%FF=a", "mailto:?a=b&c^%C3=d"):
        with pytest.raises(ConvertError) as caught:
            _ = MailtoURI(find_mark(marked)[0]).headers
        assert (caught.value.text, caught.value.position) == find_mark(marked)
    with pytest.raises(ConvertError) as caught:
        _ = MailtoURI("mailto:?a=b&to=c@d,%FF@e").to
    assert caught.value.position == 19
    assert MailtoURI("mailto:?%FF=a&subject=b").subject == "b"


def test_encoded_line_breaks_outside_the_body_are_located() -> None:
    for text, spans in [
        *(("mailto:a@b?body=c%0D%0Ad", []), ("mailto:a@b?BODY=c%0D%0Ad&x=y", [])),
        *(("mailto:a@b?%62o%44%59=c%0d%0ad", []), ("mailto:a@b?subject=c%0D%0Ad", [(20, 26)])),
        ("mailto:a@b?subject=%0a&body=%0D&x=%0d", [(19, 22), (34, 37)]),
        ("mailto:a%0D@b?bodys=%0A%0A", [(8, 11), (20, 26)]),
        *(("mailto:?body%0D=%0A", [(12, 15), (16, 19)]), ("mailto:?body%0D", [(12, 15)])),
        *(("mailto:?x=y#%0D", []), ("mailto:?x=%250D%C2%85", []), ("", [])),
        ("%zz?%zz=%0A", [(8, 11)]),
    ]:
        assert find_line_breaks(text) == spans


@given(
    st.lists(
        st.sampled_from(["%0D", "%0A", "body", "BO%64y", "=", "&", "a", "?", "?body=", "#"])
    ).map("".join)
)
def test_line_breaks_agree_with_a_simple_reference_implementation(text: str) -> None:
    expected = []
    for run in re.finditer("(?:%0[DA])+", text.partition("#")[0]):
        # The part of the header field before the line break.
        field = text[: run.start()].partition("?")[2].rpartition("&")[2]
        name, equals, _ = field.partition("=")
        if not (equals and unquote(name).lower() == "body"):
            expected.append(run.span())
    assert find_line_breaks(text) == expected


def test_unsafe_header_fields_are_recognized() -> None:
    # RFC 6068, section 3
    unsafe = (
        "From Date Apparently-To Resent-To MIME-Version Content-Type sender Return-Path RECEIVED "
        "content-transfer-encoding"
    )
    assert all(map(is_ignored_field, unsafe.split()))
    safe = "subject keywords body to cc bcc In-Reply-To Content X-From"
    assert not any(map(is_ignored_field, [*safe.split(), ""]))


@given(
    st.lists(ADDRESSES, max_size=3),
    st.lists(ADDRESSES, max_size=3),
    st.lists(ADDRESSES, max_size=3),
    st.none() | VALUES,
    st.none() | st.text(CHARACTERS.filter("\0".__ne__)),
    st.dictionaries(NAMES, VALUES, max_size=3),
)
@example(['",@%22"@[,]'], ['",+"@[+@]'], [], "a&b=c?d#e", "\r\r\n\n", {"%0A": "%0A"})
def test_built_mailto_uris_parse_back_into_the_same_parts(
    to: list[str],
    cc: list[str],
    bcc: list[str],
    subject: str | None,
    body: str | None,
    headers: dict[str, str],
) -> None:
    value = MailtoURI.from_parts(
        to, subject=subject, body=body, cc=cc, bcc=bcc, headers=headers.items()
    )
    assert value.to == tuple(to)
    assert (value.cc, value.bcc) == (tuple(cc), tuple(bcc))
    assert value.subject == subject
    lines = None if body is None else body.replace("\r\n", "\n").replace("\r", "\n")
    assert value.body == (None if lines is None else lines.replace("\n", "\r\n"))
    assert value.headers[len(value.headers) - len(headers) :] == tuple(headers.items())
    assert find_line_breaks(str(value)) == []
    # Normalizing and resolving the URI do not change its meaning.
    for other in (value.normalize(), URI("http://a/").resolve(str(value))):
        assert MailtoURI(other).headers == value.headers
        assert MailtoURI(other).to == value.to
        assert value.equivalent(other, level="scheme")
