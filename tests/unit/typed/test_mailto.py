"""`MailtoURI`: the "mailto" URI scheme (RFC 6068)."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest
from counting import assert_proportional
from hypothesis import example, given
from hypothesis import strategies as st

from uriverse import URI, BuildError, ConvertError, ParseError
from uriverse._spec.components import all_parts, composed
from uriverse._typed.mailto import MailtoURI
from uriverse.schemes._mailto import (
    equivalence,
    is_to_be_ignored,
    line_breaks,
    normalized,
    recipients,
)

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


# --- the examples of RFC 6068


@pytest.mark.parametrize(
    ("text", "to", "headers", "given"),
    [
        # 6.1
        ("mailto:chris@example.com", ["chris@example.com"], [], {}),
        (
            "mailto:infobot@example.com?subject=current-issue",
            ["infobot@example.com"],
            [("subject", "current-issue")],
            {"subject": "current-issue"},
        ),
        (
            "mailto:infobot@example.com?body=send%20current-issue",
            ["infobot@example.com"],
            [("body", "send current-issue")],
            {"body": "send current-issue"},
        ),
        (
            "mailto:infobot@example.com?body=send%20current-issue%0D%0Asend%20index",
            ["infobot@example.com"],
            [("body", "send current-issue\r\nsend index")],
            {"body": "send current-issue\nsend index"},
        ),
        (
            "mailto:list@example.org?In-Reply-To=%3C3469A91.D10AF4C@example.com%3E",
            ["list@example.org"],
            [("In-Reply-To", "<3469A91.D10AF4C@example.com>")],
            {"headers": [("In-Reply-To", "<3469A91.D10AF4C@example.com>")]},
        ),
        (
            "mailto:majordomo@example.com?body=subscribe%20bamboo-l",
            ["majordomo@example.com"],
            [("body", "subscribe bamboo-l")],
            {"body": "subscribe bamboo-l"},
        ),
        (
            "mailto:joe@example.com?cc=bob@example.com&body=hello",
            ["joe@example.com"],
            [("cc", "bob@example.com"), ("body", "hello")],
            {"cc": ["bob@example.com"], "body": "hello"},
        ),
        ("mailto:gorby%25kremvax@example.com", ["gorby%kremvax@example.com"], [], {}),
        (
            "mailto:unlikely%3Faddress@example.com?blat=foop",
            ["unlikely?address@example.com"],
            [("blat", "foop")],
            {"headers": [("blat", "foop")]},
        ),
        (
            "mailto:joe@an.example?cc=bob@an.example&body=hello",
            ["joe@an.example"],
            [("cc", "bob@an.example"), ("body", "hello")],
            {"cc": ["bob@an.example"], "body": "hello"},
        ),
        ("mailto:Mike%26family@example.org", ["Mike&family@example.org"], [], {}),
        # 6.2
        ("mailto:%22not%40me%22@example.org", ['"not@me"@example.org'], [], {}),
        ("mailto:%22oh%5C%5Cno%22@example.org", [r'"oh\\no"@example.org'], [], {}),
        (
            "mailto:%22%5C%5C%5C%22it's%5C%20ugly%5C%5C%5C%22%22@example.org",
            [r""""\\\"it's\ ugly\\\""@example.org"""],
            [],
            {},
        ),
        # 6.3
        (
            "mailto:user@example.org?subject=caf%C3%A9",
            ["user@example.org"],
            [("subject", "café")],
            {"subject": "café"},
        ),
        (
            "mailto:user@example.org?subject=%3D%3Futf-8%3FQ%3Fcaf%3DC3%3DA9%3F%3D",
            ["user@example.org"],
            [("subject", "=?utf-8?Q?caf=C3=A9?=")],
            {"subject": "=?utf-8?Q?caf=C3=A9?="},
        ),
        (
            "mailto:user@example.org?subject=%3D%3Fiso-8859-1%3FQ%3Fcaf%3DE9%3F%3D",
            ["user@example.org"],
            [("subject", "=?iso-8859-1?Q?caf=E9?=")],
            {"subject": "=?iso-8859-1?Q?caf=E9?="},
        ),
        (
            "mailto:user@example.org?subject=caf%C3%A9&body=caf%C3%A9",
            ["user@example.org"],
            [("subject", "café"), ("body", "café")],
            {"subject": "café", "body": "café"},
        ),
        (
            "mailto:user@%E7%B4%8D%E8%B1%86.example.org?subject=Test&body=NATTO",
            ["user@納豆.example.org"],
            [("subject", "Test"), ("body", "NATTO")],
            {"subject": "Test", "body": "NATTO"},
        ),
    ],
)
def test_rfc_6068_examples_are_parsed_and_built(
    text: str, to: list[str], headers: list[tuple[str, str]], given: dict[str, Any]
) -> None:
    value = MailtoURI(text)
    assert value.to == tuple(to)
    assert value.headers == tuple(headers)
    assert str(value) == text
    assert MailtoURI.from_parts(to, **given) == value


def test_a_second_question_mark_is_rejected() -> None:
    with pytest.raises(ParseError) as caught:
        MailtoURI("mailto:joe@example.com?cc=bob@example.com?body=hello")
    assert caught.value.position == 41
    assert '"&"' in caught.value.hint


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("", []),
        (" , ,", []),
        ("a@b,c@d", ["a@b", "c@d"]),
        (" a@b\t,\r\n c@d ", ["a@b", "c@d"]),
        ('"a,b" <c@d>, e', ['"a,b" <c@d>', "e"]),
        ('"a\\",b", c', ['"a\\",b"', "c"]),
        ('"a, b', ['"a, b']),
        ("<@a,@b:c@d>, e", ["<@a,@b:c@d>", "e"]),
        ('<">,"@a>, e', ['<">,"@a>', "e"]),
        ("<a, b", ["<a, b"]),
        ("a@[b,c], d", ["a@[b,c]", "d"]),
        ("a@[b, c", ["a@[b, c"]),
        ("(a, (b, c), d) e, f", ["(a, (b, c), d) e", "f"]),
        ('(don"t, \\), a) b, (c', ['(don"t, \\), a) b', "(c"]),
        ("a), b", ["a)", "b"]),
    ],
)
def test_lists_of_addresses_are_split_at_commas(value: str, found: list[str]) -> None:
    assert recipients(value) == found
    assert recipients(",".join(found)) == found


def test_header_fields_are_decoded_before_they_are_split_at_commas() -> None:
    value = MailtoURI("mailto:?cc=evil%40x.org%2C%20a%40corp.example")
    assert value.cc == ("evil@x.org", "a@corp.example")
    assert MailtoURI("mailto:?bcc=%22a%2C%20b%22@c%2Cd@e").bcc == ('"a, b"@c', "d@e")
    for address in ('"a,b"@x.example', "a@[1,2]"):
        assert MailtoURI.from_parts(cc=[address]).cc == (address,)


def test_addresses_in_the_path_and_in_to_fields_are_equivalent() -> None:
    # RFC 6068, section 2, lists these three.
    forms = [
        MailtoURI("mailto:addr1@an.example,addr2@an.example"),
        MailtoURI("mailto:?to=addr1@an.example,addr2@an.example"),
        MailtoURI("mailto:addr1@an.example?to=addr2@an.example"),
    ]
    assert {form.to for form in forms} == {("addr1@an.example", "addr2@an.example")}
    assert len({form.comparison_key("scheme") for form in forms}) == 1
    assert len(set(forms)) == 3


def test_a_plus_sign_is_not_decoded_as_a_space() -> None:
    # Section 5
    assert MailtoURI("mailto:bill+ietf@example.org?subject=a+b").headers == (("subject", "a+b"),)
    built = MailtoURI.from_parts(["bill+ietf@example.org"], subject="a+b", cc=["c+d@example.org"])
    assert str(built) == "mailto:bill+ietf@example.org?cc=c%2Bd@example.org&subject=a%2Bb"
    assert built.cc == ("c+d@example.org",)


# --- parsing


@pytest.mark.parametrize(
    ("text", "to"),
    [
        ("mailto:", ()),
        ("MAILTO:a@b#c@d", ("a@b",)),
        ("mailto:a.b!$'*+-_~@c.d", ("a.b!$'*+-_~@c.d",)),
        ("mailto:%61%2Eb@%63", ("a.b@c",)),
        ("mailto:%22%22@a", ('""@a',)),
        ("mailto:%22a,b@c%22@d,e@f", ('"a,b@c"@d', "e@f")),
        ("mailto:%22%5C%22,%5Ca%22@b,c@d", ('"\\",\\a"@b', "c@d")),
        ("mailto:%22a%2Cb%40c%22@d", ('"a,b@c"@d',)),
        ("mailto:%22()%3C%3E%3A:;%5b%5D%22@d".replace(";", "%3B"), ('"()<>::;[]"@d',)),
        ("mailto:a@%5BIPv6:::1%5D,b@%5B,@%5d,c@%5b%5D", ("a@[IPv6:::1]", "b@[,@]", "c@[]")),
        ("mailto:%C3%A9@%C3%A9,%22%5C%C3%A9%22@b", ("é@é", '"\\é"@b')),
        ("mailto:?to=", ()),
        ("mailto:?to=,a@b,&TO=%22c,d%22@e&%74o=f@g", ("a@b", '"c,d"@e', "f@g")),
        ("mailto:?to=a%2Cb%40c", ("a", "b@c")),
        ("mailto:?to=%09a@b%20%2C,%20c@d%0D%0A", ("a@b", "c@d")),
        ("mailto:?to=Joe%20%3Cjoe@a%3E,%22Doe,%20Jane%22%20%3Cjane@a%3E",
         ("Joe <joe@a>", '"Doe, Jane" <jane@a>')),
    ],
)  # fmt: skip
def test_to_contains_the_addresses_of_the_path_and_of_to_fields(
    text: str, to: tuple[str, ...]
) -> None:
    assert MailtoURI(text).to == to


@pytest.mark.parametrize(
    ("text", "position", "rule", "component"),
    [
        ("mailto://a@b", 7, "mailtoURI", "host"),
        ("mailto:/a@b", 7, "addr-spec", "path"),
        ("mailto:a;b@c", 8, "addr-spec", "path"),
        ("mailto:a&b@c", 8, "addr-spec", "path"),
        ("mailto:%22a=b%22@c", 11, "addr-spec", "path"),
        ("mailto:a", 8, "addr-spec", "path"),
        ("mailto:a%40b", 8, "local-part", "path"),
        ("mailto:a%40b@c", 8, "local-part", "path"),
        ("mailto:a%40%5Bb@c%5D", 8, "local-part", "path"),
        ("mailto:@b", 7, "local-part", "path"),
        ("mailto:a@", 9, "domain", "path"),
        ("mailto:a@b,", 11, "local-part", "path"),
        ("mailto:,a@b", 7, "local-part", "path"),
        ("mailto:a%2Cb@c", 8, "local-part", "path"),
        ("mailto:a@b%2Cc@d", 10, "domain", "path"),
        ("mailto:a@b@c", 10, "domain", "path"),
        ("mailto:.a@b", 7, "local-part", "path"),
        ("mailto:a..b@c", 9, "local-part", "path"),
        ("mailto:a.@c", 9, "local-part", "path"),
        ("mailto:a%20b@c", 8, "local-part", "path"),
        ("mailto:a(b)@c", 8, "local-part", "path"),
        ("mailto:a%0D%0Ab@c", 8, "local-part", "path"),
        ("mailto:%22a%20b%22@c", 11, "local-part", "path"),
        ("mailto:%22a%0D%22@c", 11, "local-part", "path"),
        ("mailto:%22a%5C%0D%22@c", 11, "local-part", "path"),
        ("mailto:%22a@c", 13, "local-part", "path"),
        ("mailto:%22a%5C", 11, "local-part", "path"),
        ("mailto:%22a%22b@c", 14, "local-part", "path"),
        ("mailto:%C3%A9%FF@c", 13, "local-part", "path"),
        ("mailto:a@b%C3", 10, "domain", "path"),
        ("mailto:a@b.", 11, "domain", "path"),
        ("mailto:a@%C3%A9:80", 15, "domain", "path"),
        ("mailto:a@%5Bb", 13, "domain", "path"),
        ("mailto:a@%5Bb%5Dc", 16, "domain", "path"),
        ("mailto:a@%5Bb%20%5D", 13, "domain", "path"),
        ("mailto:a@%5B%C3%A9%5D", 12, "domain", "path"),
        ("mailto:?", 8, "hfield", "query"),
        ("mailto:a@b?c", 12, "hfield", "query"),
        ("mailto:a@b?c=d&", 15, "hfield", "query"),
        ("mailto:a@b?c=d&&e=f", 15, "hfield", "query"),
        ("mailto:a@b?c=d=e", 14, "hfield", "query"),
        ("mailto:a@b?c/d=e", 12, "hfield", "query"),
        ("mailto:a@b?c=d&e=/f", 17, "hfield", "query"),
        ("http://a/", 0, "mailtoURI", "scheme"),
    ],
)  # fmt: skip
def test_invalid_mailto_uris_are_rejected(
    text: str, position: int, rule: str, component: str
) -> None:
    URI(text)
    with pytest.raises(ParseError) as caught:
        MailtoURI(text)
    assert (caught.value.position, caught.value.rule) == (position, rule)
    assert (caught.value.component, caught.value.text) == (component, text)
    assert normalized(all_parts(text)) == all_parts(text)


def test_the_hint_for_an_encoded_at_sign_names_the_at_sign() -> None:
    with pytest.raises(ParseError) as caught:
        MailtoURI("mailto:a%40b")
    assert '"@"' in caught.value.hint


def test_header_names_are_case_insensitive() -> None:
    value = MailtoURI("mailto:?Subject=a&SUBJECT=b&Body=&cc=c@d&CC=e@f&bcc=g@h,i@j&=;&%25=%2526")
    assert value.subject == "a"
    assert value.header("sUbject") == ("a", "b")
    assert value.body == ""
    assert value.cc == ("c@d", "e@f")
    assert value.bcc == ("g@h", "i@j")
    assert value.headers[-2:] == (("", ";"), ("%", "%26"))
    assert value.header("nothing") == ()


def test_missing_header_fields_are_none_or_empty() -> None:
    value = MailtoURI("mailto:a@b")
    assert (value.subject, value.body, value.cc, value.bcc) == (None, None, (), ())
    assert value.headers == ()


def test_invalid_utf8_in_header_fields_raises_errors_with_positions() -> None:
    for text, position in (
        ("mailto:?subject=a%FF", 17),
        ("mailto:?%FF=a", 8),
        ("mailto:?a=b&c%C3=d", 13),
    ):
        with pytest.raises(ConvertError) as caught:
            _ = MailtoURI(text).headers
        assert (caught.value.position, caught.value.text) == (position, text)
    with pytest.raises(ConvertError) as caught:
        _ = MailtoURI("mailto:?a=b&to=c@d,%FF@e").to
    assert caught.value.position == 19
    assert MailtoURI("mailto:?%FF=a&subject=b").subject == "b"


def test_line_breaks_in_header_fields_are_decoded() -> None:
    value = MailtoURI("mailto:?subject=a%0D%0ABcc:b@c")
    assert value.subject == "a\r\nBcc:b@c"


def test_mailto_uris_compare_and_pickle_as_values() -> None:
    value = MailtoURI(URI("mailto:a@b"))
    assert value == MailtoURI("mailto:a@b") != MailtoURI("mailto:a@B")
    assert pickle.loads(pickle.dumps(value)).to == ("a@b",)


# --- checking


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("mailto:a@b?body=c%0D%0Ad", []),
        ("mailto:a@b?BODY=c%0D%0Ad&x=y", []),
        ("mailto:a@b?%62o%44%59=c%0d%0ad", []),
        ("mailto:a@b?subject=c%0D%0Ad", [(20, 26)]),
        ("mailto:a@b?subject=%0a&body=%0D&x=%0d", [(19, 22), (34, 37)]),
        ("mailto:a%0D@b?bodys=%0A%0A", [(8, 11), (20, 26)]),
        ("mailto:?body%0D=%0A", [(12, 15), (16, 19)]),
        ("mailto:?body%0D", [(12, 15)]),
        ("mailto:?x=y#%0D", []),
        ("mailto:?x=%250D%C2%85", []),
        ("", []),
        ("%zz?%zz=%0A", [(8, 11)]),
    ],
)
def test_encoded_line_breaks_outside_the_body_are_located(
    text: str, spans: list[tuple[int, int]]
) -> None:
    assert line_breaks(text) == spans


@given(
    st.lists(
        st.sampled_from(["%0D", "%0A", "body", "BO%64y", "=", "&", "a", "?", "?body=", "#"])
    ).map("".join)
)
def test_line_breaks_agree_with_a_simple_reference_implementation(
    text: str,
) -> None:
    expected = []
    for run in re.finditer("(?:%0[DA])+", text.partition("#")[0]):
        # The part of the header field before the line break.
        field = text[: run.start()].partition("?")[2].rpartition("&")[2]
        name, equals, _ = field.partition("=")
        if not (equals and unquote(name).lower() == "body"):
            expected.append(run.span())
    assert line_breaks(text) == expected


def test_unsafe_header_fields_are_recognized() -> None:
    # RFC 6068, section 3
    for name in ("From", "Date", "Apparently-To", "Resent-To", "MIME-Version", "Content-Type"):
        assert is_to_be_ignored(name)
    for name in ("sender", "Return-Path", "RECEIVED", "content-transfer-encoding"):
        assert is_to_be_ignored(name)
    for name in (
        "subject",
        "keywords",
        "body",
        "to",
        "cc",
        "bcc",
        "In-Reply-To",
        "Content",
        "X-From",
        "",
    ):
        assert not is_to_be_ignored(name)


# --- comparing


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("mailto:joe@EXAMPLE.com", "MAILTO:joe@example.COM", True),
        ("mailto:Joe@example.com", "mailto:joe@example.com", False),
        ("mailto:a%2Db@c", "mailto:a-b@c", True),
        ("mailto:%22A@B%22@C", "mailto:%22A%40B%22@c", True),
        ("mailto:%22A@B%22@C", "mailto:%22A@b%22@C", False),
        ("mailto:?Subject=a", "mailto:?subject=%61", True),
        ("mailto:?subject=A", "mailto:?subject=a", False),
        ("mailto:?cc=a@B,c@D", "mailto:?CC=a@b,c@d,", True),
        ("mailto:?cc=a@B,c@D", "mailto:?cc=a@b%2Cc@d", True),
        ("mailto:?cc=a@B,c@D", "mailto:?cc=a@b%2C%20c%40d%20", True),
        ("mailto:?cc=%22a,b%22@c", "mailto:?cc=%22a,%20b%22@c", False),
        ("mailto:?cc=a@b&cc=c@d", "mailto:?cc=a@b,c@d", False),
        ("mailto:?cc=A", "mailto:?cc=a", False),
        ("mailto:?cc=%FF", "mailto:?cc=%ff", True),
        ("mailto:?x=%FF", "mailto:?x=%EF", False),
        ("mailto:a@b,c@d", "mailto:c@d,a@b", False),
        ("mailto:a@b?x=y", "mailto:a@b", False),
        # RFC 3986, 6.2.3: the rules of a scheme do not apply to a fragment.
        ("mailto:a@b#f", "mailto:a@b", False),
        ("mailto:a@b#", "mailto:a@b", False),
        ("mailto:a@b#f", "mailto:a@b#F", False),
        ("mailto:?to=a@B#%66", "mailto:a@b#f", True),
        # A domain in Unicode and in ASCII
        ("mailto:a@%C3%89", "mailto:a@%C3%A9", True),
        ("mailto:a@%C3%A9.x", "mailto:?to=A@XN--9CA.X", False),
        ("mailto:a@%C3%A9.x", "mailto:?to=a@XN--9CA.X", True),
        ("mailto:?cc=a@%C3%A9.x", "mailto:?cc=a@xn--9ca.x", True),
        ("mailto:?to=Jo%20%3Ca@%C3%A9.x%3E", "mailto:?to=Jo%20%3Ca@xn--9ca.X%3E", True),
        ("mailto:?to=Jo%20%3Ca@%C3%A9.x%3E", "mailto:?to=jo%20%3Ca@xn--9ca.X%3E", False),
        ("mailto:a@%C3%A9%2541", "mailto:a@%C3%89%2541", False),
        ("mailto:%C3%A9@b", "mailto:xn--9ca@b", False),
        # Recipients in the path and in header fields
        ("mailto:a@x,b@y", "mailto:?to=a@x,b@y", True),
        ("mailto:a@x,b@y", "mailto:?cc=z@z&to=a@x&to=b@y", False),
        ("mailto:a@x,b@y?cc=z@z", "mailto:?cc=z@z&to=a@x&TO=b@Y", True),
        ("mailto:?to=a@b,Jo%20%3Cc@d%3E", "mailto:a@b?to=%20Jo%20%3Cc@D%3E,", True),
        ("mailto:?to=Jo%20%3Ca@b%3E,c@d", "mailto:c@d?to=Jo%20%3Ca@b%3E", False),
        ("mailto:?to=%22a&to=b@c", "mailto:?to=%22a,b@c", False),
        ("mailto:?to=%FF", "mailto:?to=%ff", True),
        ("mailto:", "mailto:?to=,", True),
        ("mailto:", "mailto:?cc=", False),
        ("mailto:a@b", "mailto:?to=a%40B", True),
    ],
)
def test_equivalent_ignores_only_insignificant_differences(
    one: str, other: str, equal: bool
) -> None:
    first, second = MailtoURI(one), MailtoURI(other)
    assert (
        first.equivalent(second, level="scheme")
        is second.equivalent(first, level="scheme")
        is equal
    )
    assert (first.comparison_key("scheme") == second.comparison_key("scheme")) is equal
    for each in (first, second):
        key = each.comparison_key("scheme")
        # Normalizing first does not change the key. The key is itself a mailto URI.
        normal = all_parts(str(each.normalize(scheme=True)))
        assert composed(equivalence(normal)) == key == MailtoURI(key).comparison_key("scheme")
        assert key == each.comparison_key("scheme")


# --- building


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
    assert line_breaks(str(value)) == []
    # Normalizing and resolving the URI do not change its meaning.
    for other in (value.normalize(), URI("http://a/").resolve(str(value))):
        assert MailtoURI(other).headers == value.headers
        assert MailtoURI(other).to == value.to
        assert value.equivalent(other, level="scheme")


@pytest.mark.parametrize(
    ("address", "position", "rule"),
    [
        ("", 0, "local-part"),
        ("a", 1, "addr-spec"),
        ("a@", 2, "domain"),
        ("@b", 0, "local-part"),
        ("a@b@c", 3, "domain"),
        ("a,b@c", 1, "local-part"),
        ("a@b,c@d", 3, "domain"),
        ("a b@c", 1, "local-part"),
        ('"a b"@c', 2, "local-part"),
        ('"a"b@c', 3, "local-part"),
        ('"a\r\n"@c', 2, "local-part"),
        ("a@c\r\nBcc: d@e", 3, "domain"),
        ("a\ud800@c", 1, "local-part"),
        ("Joe <joe@a>", 3, "local-part"),
        ("a@[b", 4, "domain"),
        # In a domain, only non-ASCII characters are percent-encoded.
        ("a@b#c", 3, "domain"),
        ("a@%41", 2, "domain"),
        ("a@é&", 3, "domain"),
        # Unicode line terminators
        ('"a\u2028"@b', 2, "addr-spec"),
        ("a@b\u2029", 3, "addr-spec"),
        ("a\x85@b", 1, "addr-spec"),
    ],
)
def test_build_rejects_invalid_addresses(address: str, position: int, rule: str) -> None:
    given: list[dict[str, Any]] = [{"to": [address]}, {"cc": [address]}, {"bcc": ["a@b", address]}]
    for each in given:
        with pytest.raises(BuildError) as caught:
            MailtoURI.from_parts(**each)
        assert (caught.value.text, caught.value.position) == (address, position)
        assert caught.value.rule == rule


@pytest.mark.parametrize(
    ("given", "at_fault", "position"),
    [
        ({"subject": "a\nb"}, "a\nb", 1),
        ({"subject": "a\rb"}, "a\rb", 1),
        ({"subject": "ab\0"}, "ab\0", 2),
        ({"subject": "\ud800"}, "\ud800", 0),
        ({"body": "\n\ud800"}, "\n\ud800", 1),
        ({"headers": [("a", "b\r\nBcc: c@d")]}, "b\r\nBcc: c@d", 1),
        ({"headers": {"a": "b\r\nBcc: c@d"}}, "b\r\nBcc: c@d", 1),
        ({"body": "a\0"}, "a\0", 1),
        ({"headers": [("a\r\nb", "c")]}, "a\r\nb", 1),
        ({"headers": [("", "c")]}, "", 0),
        ({"headers": [("a:", "c")]}, "a:", 1),
        ({"headers": [("é", "c")]}, "é", 0),
        ({"subject": "a", "headers": [("Subject", "c")]}, "Subject", 0),
        ({"body": "a", "headers": [("BODY", "c")]}, "BODY", 0),
        ({"cc": ["a@b"], "headers": [("Cc", "c@d")]}, "Cc", 0),
        ({"to": ["a@b"], "headers": [("to", "c@d")]}, "to", 0),
    ],
)
def test_build_rejects_invalid_header_fields(
    given: dict[str, Any], at_fault: str, position: int
) -> None:
    with pytest.raises(BuildError) as caught:
        MailtoURI.from_parts(**given)
    assert (caught.value.text, caught.value.position) == (at_fault, position)


@pytest.mark.parametrize("character", list("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\0"))
def test_line_terminators_are_allowed_only_in_the_body(character: str) -> None:
    text = f"a{character}Bcc: b@c"
    forms: list[dict[str, Any]] = [
        {"subject": text},
        {"headers": {"X": text}},
        {"headers": [("X", text)]},
    ]
    for form in forms:
        with pytest.raises(BuildError) as caught:
            MailtoURI.from_parts(**form)
        assert (caught.value.text, caught.value.position) == (text, 1)
    if character != "\0":
        assert str(MailtoURI.from_parts(body=text)).startswith("mailto:?body=a%")


def test_build_accepts_headers_as_a_mapping_or_as_pairs() -> None:
    built = MailtoURI.from_parts(headers={"cc": "a@b", "X-Y": "c"})
    assert built == MailtoURI.from_parts(headers=[("cc", "a@b"), ("X-Y", "c")])
    assert built.cc == ("a@b",)


def test_unsafe_header_fields_can_be_built_and_parsed() -> None:
    # RFC 6068, section 3: the program that creates the message ignores them.
    built = MailtoURI.from_parts(headers={"From": "a@b"})
    assert built.header("from") == ("a@b",)


def test_build_accepts_repeated_header_fields() -> None:
    value = MailtoURI.from_parts(headers=[("Keywords", "a"), ("keywords", "b"), ("to", "c@d")])
    assert value.header("keywords") == ("a", "b")
    assert value.to == ("c@d",)


def test_build_accepts_the_body_as_a_header_field() -> None:
    assert str(MailtoURI.from_parts(headers=[("Body", "a\nb")])) == "mailto:?Body=a%0D%0Ab"


def test_build_without_arguments_returns_an_empty_mailto_uri() -> None:
    assert str(MailtoURI.from_parts()) == "mailto:"
    assert str(MailtoURI.from_parts(subject="")) == "mailto:?subject="


@pytest.mark.parametrize(
    "given",
    [
        {"to": "a@b"},
        {"cc": "a@b"},
        {"to": [b"a@b"]},
        {"subject": b"a"},
        {"body": 1},
        {"headers": [("a", 1)]},
        {"headers": [(b"a", "b")]},
        {"headers": {"a": 1}},
        {"headers": ["ab"]},
        {"headers": "ab"},
        {"headers": [("a", "b", "c")]},
        {"headers": [1]},
    ],
)
def test_build_rejects_arguments_of_a_wrong_type(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        MailtoURI.from_parts(**given)


# --- normalizing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mailto:", "mailto:"),
        ("mailto:Joe@Example.COM", "mailto:Joe@example.com"),
        ("mailto:A@B,%22C@D%22@%5BIPv6:A%5D", "mailto:A@b,%22C@D%22@%5Bipv6:a%5D"),
        ("mailto:a@%4AX%C3%89", "mailto:a@%4Ax%C3%89"),
        ("mailto:a@B?CC=a@B&X-%4A=Y#F", "mailto:a@b?cc=a@B&x-%4A=Y#F"),
        ("MAILTO:?A=", "MAILTO:?a="),
        ("mailto:A@B?", "mailto:A@B?"),
        ("mailto:A B", "mailto:A B"),
        ("mail:A@B", "mail:A@b"),
    ],
)
def test_normalization_lowercases_domains_and_header_names(text: str, expected: str) -> None:
    found = normalized(all_parts(text))
    assert composed(found) == expected
    assert normalized(found) == found


PIECES = st.sampled_from(
    [*"aB.@,?&=#:%<>()", "%22", "%4A", "To=", "&to=", "cc=", "%5B", "%5D", "%C3%89", "%FF", "%5C"]
)
ENCODED_ADDRESSES = ["a@B", "%61@%4A", "%22a,B%22@%5BC%5D", "%C3%89@%C3%89.a", "A.b@c"]
FIELDS = ["To=a@B", "to=%22a", "CC=Jo%20%3Ca@B%3E", "X-%4a=%2c", "body=%FF", "to=b%22@C"]

#: Random and valid strings to follow "mailto:".
RESTS = st.one_of(
    st.lists(PIECES).map("".join),
    st.builds(
        "{}?{}".format,
        st.lists(st.sampled_from(ENCODED_ADDRESSES), max_size=3).map(",".join),
        st.lists(st.sampled_from(FIELDS), min_size=1, max_size=3).map("&".join),
    ),
)


@given(RESTS)
@example("?to=%22a&to=b%22@C")
@example("?not-a-field")
def test_equivalence_is_idempotent_and_unchanged_by_normalization(rest: str) -> None:
    text = f"mailto:{rest}"
    key = equivalence(all_parts(text))
    assert equivalence(key) == key
    assert equivalence(normalized(all_parts(text))) == key
    if key != all_parts(text) and URI.try_parse(text):
        assert MailtoURI(text).equivalent(composed(key), level="scheme")


@given(RESTS)
def test_normalization_is_idempotent_and_keeps_equivalence(rest: str) -> None:
    text = f"mailto:{rest}"
    after = normalized(all_parts(text))
    assert normalized(after) == after
    assert composed(after).lower() == text.lower()
    if after != all_parts(text) and URI.try_parse(text):
        assert MailtoURI(text).equivalent(MailtoURI(composed(after)), level="scheme")


# --- hostile input


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (lambda n: "mailto:" + "%22" * n, "local-part"),
        (lambda n: "mailto:%22" + "%5C%22" * n, "local-part"),
        (lambda n: "mailto:" + "%22%5C" * n, "local-part"),
        (lambda n: "mailto:" + "a." * n + "@b", "local-part"),
        (lambda n: "mailto:" + "@%5B" * n, "local-part"),
        (lambda n: "mailto:" + "," * n, "local-part"),
        (lambda n: "mailto:a@" + "%C3%A9" * n + "%FF", "domain"),
        (lambda n: "mailto:?" + "a=b&" * n, "hfield"),
        (lambda n: "mailto:?" + "=" * n, "hfield"),
        (lambda n: "mailto:?" + "a" * n, "hfield"),
    ],
)
def test_rejecting_long_mailto_uris_takes_linear_time(
    text: Callable[[int], str], rule: str
) -> None:
    def reject(size: int) -> None:
        with pytest.raises(ParseError) as caught:
            MailtoURI(text(size))
        assert caught.value.rule == rule

    reject(70_000)
    assert_proportional(reject)


def test_parsing_long_mailto_uris_is_fast() -> None:
    assert len(MailtoURI("mailto:" + ",".join(["a@b"] * 50_000)).to) == 50_000
    assert len(MailtoURI("mailto:?to=" + "%22%5C%22,," * 20_000).to) == 1
    assert len(MailtoURI("mailto:?to=" + "@%5B,%22" * 20_000).to) >= 1
    value = MailtoURI("mailto:?" + "&".join(["a=%0D"] * 50_000))
    assert len(value.headers) == len(line_breaks(str(value))) == 50_000
    assert value.comparison_key("scheme") == str(value)


@pytest.mark.parametrize("piece", ["(", ")", "<", "[", '"', "\\", ",", "@", '"a",', "(a)", "é."])
def test_parsing_long_lists_of_addresses_is_fast(piece: str) -> None:
    value = MailtoURI.from_parts(headers={"to": piece * 20_000})
    assert len(value.to) <= 20_000
    assert MailtoURI(value.comparison_key("scheme")).equivalent(value, level="scheme")


@pytest.mark.parametrize(
    "name",
    [
        *("Date", "From", "Sender", "Reply-To", "To", "Cc", "Bcc", "Message-ID", "In-Reply-To"),
        *("References", "Subject", "Body"),
    ],
)
def test_fields_that_a_message_has_once_cannot_be_given_twice(name: str) -> None:
    with pytest.raises(BuildError, match=r"^duplicate header field"):
        MailtoURI.from_parts(["a@b.example"], headers=[(name, "c"), (name.lower(), "d")])


def test_other_fields_can_be_given_twice() -> None:
    built = MailtoURI.from_parts(["a@b.example"], headers=[("X-A", "c"), ("X-A", "d")])
    assert str(built) == "mailto:a@b.example?X-A=c&X-A=d"
