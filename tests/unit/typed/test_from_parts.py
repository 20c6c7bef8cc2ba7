from collections.abc import Iterable
from typing import Any

import pytest
from marked import find_mark, list_rows
from misleading import MisleadingStr

from uriverse import URN, BuildError, DataURI, FileURI, MailtoURI, TelURI
from uriverse._typed.base import TypedURI

#: The parts that the tests do not change.
REQUIRED: dict[type[TypedURI], dict[str, Any]] = {
    URN: {"nid": "example", "nss": "a"},
    TelURI: {"number": "+1"},
    MailtoURI: {},
    DataURI: {"data": b""},
}


def build(kind: Any, parts: dict[str, Any]) -> TypedURI:
    value: TypedURI = kind.from_parts(**{**REQUIRED[kind], **parts})
    return value


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        (
            URN.from_parts("example", "a/b", r_component="r?+", q_component="q?=", f_component=""),
            "urn:example:a/b?+r?+?=q?=#",
        ),
        (TelURI.from_parts("+1-201-555-0123"), "tel:+1-201-555-0123"),
        (TelURI.from_parts("7042", phone_context="a.com"), "tel:7042;phone-context=a.com"),
        (
            TelURI.from_parts(
                *("+1",),
                parameters={"z": None, "B": "c;d", "a": b"\xff"},
                phone_context="+1-2",
                isdn_subaddress="1 2?[3]",
                extension="1-2",
            ),
            "tel:+1;ext=1-2;isub=1%202%3F%5B3%5D;phone-context=+1-2;a=%FF;b=c%3Bd;z",
        ),
        # Allowed characters stay as they are; a percent sign is always encoded.
        (
            TelURI.from_parts("+1", parameters={"a": "/:&+$-_.!~*'()%2B,"}),
            "tel:+1;a=%2F:&+$-_.!~*'()%252B%2C",
        ),
        # Unencoded slashes would turn the dots into dot segments.
        (TelURI.from_parts("+1", parameters={"a": "x/../+1900"}), "tel:+1;a=x%2F..%2F+1900"),
        (TelURI.from_parts("+1", isdn_subaddress=b"+%2B"), "tel:+1;isub=+%252B"),
        (TelURI.from_parts("*31#", phone_context="a"), "tel:*31%23;phone-context=a"),
        (TelURI.from_parts("*31%23", phone_context="a"), "tel:*31%23;phone-context=a"),
        (TelURI.from_parts("#31#5*", phone_context="+1"), "tel:%2331%235*;phone-context=+1"),
        # Parameters that the RFC defines, given by name.
        (
            TelURI.from_parts("1", parameters={"Phone-Context": "a", "isub": "é", "EXT": "2"}),
            "tel:1;ext=2;isub=%C3%A9;phone-context=a",
        ),
        (MailtoURI.from_parts(), "mailto:"),
        (MailtoURI.from_parts(subject=""), "mailto:?subject="),
        (MailtoURI.from_parts(headers=[("Body", "a\nb")]), "mailto:?Body=a%0D%0Ab"),
        (MailtoURI.from_parts(headers={"cc": "a@b", "X-Y": "c"}), "mailto:?cc=a@b&X-Y=c"),
        (MailtoURI.from_parts(headers=[("cc", "a@b"), ("X-Y", "c")]), "mailto:?cc=a@b&X-Y=c"),
        (MailtoURI.from_parts(headers=[("X-A", "c"), ("x-a", "d")]), "mailto:?X-A=c&x-a=d"),
        # RFC 6068, section 3: the program that creates the message ignores unsafe fields.
        (MailtoURI.from_parts(headers={"From": "a@b"}), "mailto:?From=a@b"),
        # A plus sign is no space (section 5), but some programs decode it as one.
        (
            MailtoURI.from_parts(["a+b@x.y"], subject="a+b", cc=["c+d@x.y"]),
            "mailto:a+b@x.y?cc=c%2Bd@x.y&subject=a%2Bb",
        ),
        *((DataURI.from_parts(b""), "data:,"), (DataURI.from_parts(b"a b"), "data:,a%20b")),
        (DataURI.from_parts("a b"), "data:;charset=utf-8,a%20b"),
        (DataURI.from_parts("é", "text/html"), "data:text/html,%C3%A9"),
        (DataURI.from_parts("é", parameters={"charset": "latin-1"}), "data:;charset=latin-1,%E9"),
        (DataURI.from_parts(b"a", "A/B", parameters={"c": "d e"}), "data:A/B;c=d%20e,a"),
        (
            DataURI.from_parts(b"a", "a/b", parameters={"c": 'd"'}, base64=True),
            "data:a/b;c=d%22;base64,YQ==",
        ),
        (DataURI.from_parts(b"a/b"), "data:,a%2Fb"),
    ],
)
def test_parts_are_composed(uri: TypedURI, text: str) -> None:
    assert str(uri) == text
    assert type(uri)(text) == uri


#: Invalid values by class, argument, and the component and the rule of the error.
INVALID: dict[tuple[type[TypedURI], str, str, str], Iterable[str]] = {
    (URN, "nid", "path", "NID"): ["a^", "a^_", "^é", f"{'a' * 32}^a"],
    (URN, "nss", "path", "NSS"): ["^", "^/a", "a^?=b", "a^%2"],
    (URN, "r_component", "query", "r-component"): ["^", "a^?=b", "a?b^#"],
    (URN, "q_component", "query", "q-component"): ["^", "^?a", "a^ b"],
    (URN, "f_component", "fragment", "f-component"): ["a^#"],
    (TelURI, "number", "path", "local-number-digits"): ["^", "##1^;", "#^!#", "%23^!#", "^%2B1"],
    (TelURI, "number", "path", "global-number-digits"): ["+^", "+1^ 2", "+1^#", "+^##", "+1^;e=2"],
    (TelURI, "number", "path", "context"): ["12^", "1#^"],
    (TelURI, "extension", "path", "extension"): ["^", "1^;a"],
    (TelURI, "isdn_subaddress", "path", "isdn-subaddress"): ["^"],
    (TelURI, "isdn_subaddress", "unreserved", "unreserved"): ["^\udcc3\udca9"],
    (TelURI, "phone_context", "path", "descriptor"): ["^", "a^;b", "^é"],
    (DataURI, "media_type", "path", "mediatype"): ["text^"],
    (DataURI, "media_type", "path", "type"): ["^", "^/plain", "a^ b/c", "^../a", "^./a"],
    (DataURI, "media_type", "path", "subtype"): ["text/^", "text/^é", "a/b^;c=d", "a/b^,c"],
}

#: Arguments with invalid parts, the string in the error, and its rule.
INVALID_PARTS: list[tuple[type[TypedURI], dict[str, Any], str, str]] = [
    (TelURI, {"isdn_subaddress": b""}, "^", "isdn-subaddress"),
    (TelURI, {"parameters": {"": "a"}}, "^", "pname"),
    (TelURI, {"parameters": {"a;b": "c"}}, "a^;b", "pname"),
    (TelURI, {"parameters": {"a": ""}}, "^", "pvalue"),
    (TelURI, {"parameters": {"ext": None}}, "^", "extension"),
    (TelURI, {"parameters": {"isub": None}}, "^", "isdn-subaddress"),
    (TelURI, {"parameters": {"a": "1", "A": "2"}}, "^A", "par"),
    (TelURI, {"parameters": {"a": None, "A": None}}, "^A", "par"),
    (TelURI, {"extension": "1", "parameters": {"EXT": "1"}}, "^EXT", "par"),
    (TelURI, {"parameters": {"a": "b\ud800"}}, "b^\ud800", "unreserved"),
    (DataURI, {"parameters": {"": "a"}}, "^", "attribute"),
    (DataURI, {"parameters": {"a=": "a"}}, "a^=", "attribute"),
    (DataURI, {"parameters": {"a": "b", "A": "c"}}, "^A", "attribute"),
    *(
        (DataURI, {"parameters": {"a": f"{before}{wrong}b"}}, f"{before}^{wrong}b", "value")
        for wrong in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\0\x7f\ud800"
        for before in ("", "a")
    ),
    *(
        (DataURI, {"data": "a", "parameters": {"charset": name}}, f"^{name}", "value")
        for name in ("nonsense", "", "a" * 41, "utf 8")
    ),
    (DataURI, {"data": "aé", "parameters": {"charset": "ascii"}}, "a^é", "data"),
    (DataURI, {"data": "a\ud800"}, "a^\ud800", "data"),
]

#: Invalid addresses by their rule. In a domain, only non-ASCII characters are percent-encoded.
INVALID_ADDRESSES = {
    "local-part": [
        *("^", "^@b", "a^,b@c", "a^ b@c", '"a^ b"@c', '"a"^b@c', '"a^\r\n"@c', "a^\ud800@c"),
        "Joe^ <joe@a>",
    ],
    "domain": [
        *("a@^", "a@b^@c", "a@b^,c@d", "a@c^\r\nBcc: d@e", "a@[b^", "a@b^#c", "a@^%41", "a@é^&")
    ],
    # With the line terminators of Unicode.
    "addr-spec": ["a^", '"a^\u2028"@b', "a@b^\u2029", "a^\x85@b"],
}
LINE_TERMINATORS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\0"

#: Invalid header fields, and the string in the error.
INVALID_FIELDS: list[tuple[dict[str, Any], str]] = [
    *(({"subject": "\ud800"}, "^\ud800"), ({"body": "\n\ud800"}, "\n^\ud800")),
    *(({"body": "a\0"}, "a^\0"), ({"headers": [("a\r\nb", "c")]}, "a^\r\nb")),
    *(({"headers": [("", "c")]}, "^"), ({"headers": [("a:", "c")]}, "a^:")),
    ({"headers": [("é", "c")]}, "^é"),
    ({"subject": "a", "headers": [("Subject", "c")]}, "^Subject"),
    ({"body": "a", "headers": [("BODY", "c")]}, "^BODY"),
    ({"cc": ["a@b"], "headers": [("Cc", "c@d")]}, "^Cc"),
    ({"to": ["a@b"], "headers": [("to", "c@d")]}, "^to"),
    # Only the body has line terminators.
    *(
        (fields, f"a^{character}Bcc: b@c")
        for character in LINE_TERMINATORS
        for text in [f"a{character}Bcc: b@c"]
        for fields in ({"subject": text}, {"headers": {"X": text}}, {"headers": [("X", text)]})
    ),
]


@pytest.mark.parametrize(
    ("kind", "parts", "marked", "rule"),
    [
        *(
            (kind, {name: find_mark(marked)[0]}, marked, rule)
            for kind, name, _, rule, marked in list_rows(INVALID)
        ),
        *INVALID_PARTS,
        *(
            (MailtoURI, addresses, marked, rule)
            for rule, marked in list_rows(INVALID_ADDRESSES)
            for address in [find_mark(marked)[0]]
            for addresses in ({"to": [address]}, {"cc": [address]}, {"bcc": ["a@b", address]})
        ),
        *((MailtoURI, fields, marked, "") for fields, marked in INVALID_FIELDS),
    ],
)
def test_parts_that_break_their_rule_are_rejected(
    kind: type[TypedURI], parts: dict[str, Any], marked: str, rule: str
) -> None:
    with pytest.raises(BuildError) as caught:
        build(kind, parts)
    error = caught.value
    assert (error.text, error.position) == find_mark(marked)
    assert rule in {error.rule, ""}
    components = {(kind, rule): component for kind, _, component, rule in INVALID}
    assert error.component == components.get((kind, rule), error.component)
    assert "encode nothing" not in error.hint


@pytest.mark.parametrize("character", LINE_TERMINATORS[:-1])
def test_line_terminators_are_allowed_in_the_body_of_a_message(character: str) -> None:
    assert str(MailtoURI.from_parts(body=f"a{character}b")).startswith("mailto:?body=a%")


ONCE = "Date From Sender Reply-To To Cc Bcc Message-ID In-Reply-To References Subject Body"


@pytest.mark.parametrize("name", ONCE.split())
def test_fields_that_a_message_has_once_cannot_be_given_twice(name: str) -> None:
    with pytest.raises(BuildError, match=r"^duplicate header field"):
        MailtoURI.from_parts(["a@b.example"], headers=[(name, "c"), (name.lower(), "d")])


@pytest.mark.parametrize(
    ("parts", "hint"),
    [
        ({"parameters": {"a": ""}}, "pass None for a parameter without a value"),
        ({"isdn_subaddress": ""}, ""),
    ],
)
def test_the_hint_for_an_empty_value_depends_on_whether_the_parameter_needs_one(
    parts: dict[str, Any], hint: str
) -> None:
    with pytest.raises(BuildError) as caught:
        TelURI.from_parts("+1", **parts)
    assert caught.value.hint == hint


#: Arguments of a wrong type, and a pattern for the error.
WRONG_TYPES: list[tuple[type[TypedURI], Iterable[dict[str, Any]], str]] = [
    (URN, ({name: b"a"} for name in ("nid", "nss", "q_component", "f_component")), "not bytes"),
    (URN, [{"nss": None}], "must be a str, not NoneType"),
    (TelURI, [{"number": 1}, {"number": None}, {"extension": 7}], "must be a str"),
    (TelURI, [{"extension": b"7"}, {"isdn_subaddress": 7}], "must be a str"),
    (TelURI, [{"phone_context": b"a"}, {"parameters": {b"a": "1"}}], "must be a str"),
    (TelURI, [{"parameters": {1: "a"}}, {"parameters": {"a": 1}}], "must be a str"),
    (TelURI, [{"parameters": [("a", "b")]}], r"parameters must be a mapping of .*, not list"),
    (TelURI, [{"parameters": {"a": 1}}], 'parameter "a" must be a str or bytes, not int'),
    (TelURI, [{"parameters": {"ext": 1}}], 'parameter "ext" must be a str, not int'),
    (TelURI, [{"parameters": {"isub": 1}}], 'parameter "isub" must be a str or bytes, not int'),
    (MailtoURI, [{"to": "a@b"}, {"cc": "a@b"}, {"to": [b"a@b"]}], ""),
    (MailtoURI, [{"subject": b"a"}, {"body": 1}, {"headers": "ab"}], ""),
    (MailtoURI, [{"headers": [("a", 1)]}, {"headers": [(b"a", "b")]}, {"headers": {"a": 1}}], ""),
    (MailtoURI, [{"headers": ["ab"]}, {"headers": [("a", "b", "c")]}, {"headers": [1]}], ""),
    (DataURI, [{"data": 1}, {"data": bytearray(b"a")}, {"media_type": 1}], ""),
    (DataURI, [{"media_type": b"a/b"}, {"parameters": {1: "a"}}, {"parameters": {"a": 1}}], ""),
]


@pytest.mark.parametrize(
    ("kind", "parts", "pattern"),
    [(kind, parts, pattern) for kind, rows, pattern in WRONG_TYPES for parts in rows],
)
def test_arguments_of_a_wrong_type_are_rejected(
    kind: type[TypedURI], parts: dict[str, Any], pattern: str
) -> None:
    with pytest.raises(TypeError, match=pattern or None):
        build(kind, parts)


def test_parts_use_the_characters_of_str_subclasses() -> None:
    assert str(URN.from_parts(MisleadingStr("ab"), MisleadingStr("c"))) == "urn:ab:c"
    assert str(FileURI.from_posix(MisleadingStr("/a"))) == "file:///a"
    assert str(FileURI.from_windows(MisleadingStr("C:\\a"))) == "file:///C:/a"
