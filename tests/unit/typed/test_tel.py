"""`TelURI`: the "tel" URI scheme (RFC 3966)."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest
from counting import assert_proportional
from hypothesis import given
from hypothesis import strategies as st

from uriverse import URI, BuildError, ParseError
from uriverse._errors import URIError
from uriverse._spec.components import all_parts, composed
from uriverse._typed.tel import TelURI
from uriverse.schemes import _tel

LONG = 200_000


def error_of(act: Callable[[], object]) -> URIError | None:
    """Call the function; return the URIError that it raises, or None."""
    try:
        act()
    except URIError as error:
        return error
    return None


# --- the syntax (section 3)


@pytest.mark.parametrize(
    ("text", "number", "digits", "parameters"),
    [
        # Section 6.
        ("tel:+1-201-555-0123", "+1-201-555-0123", "+12015550123", {}),
        ("tel:7042;phone-context=example.com", "7042", "7042", {"phone-context": "example.com"}),
        (
            "tel:863-1234;phone-context=+1-914-555",
            "863-1234",
            "8631234",
            {"phone-context": "+1-914-555"},
        ),
        # Sections 5.1.5 and 7.
        (
            "tel:911;phone-context=+1",
            "911",
            "911",
            {"phone-context": "+1"},
        ),
        (
            "tel:+358-555-1234567;postd=pp22",
            "+358-555-1234567",
            "+3585551234567",
            {"postd": "pp22"},
        ),
        # RFC 4694 and RFC 4759.
        (
            "tel:+1-800-123-4567;cic=+1-6789;npdi",
            "+1-800-123-4567",
            "+18001234567",
            {"cic": "+1-6789", "npdi": None},
        ),
        ("tel:+(1).2-3", "+(1).2-3", "+123", {}),
        ("tel:+-1", "+-1", "+1", {}),
        ("TEL:+1;EXT=1.(2)-3", "+1", "+1", {"ext": "1.(2)-3"}),
        ("tel:+1;ext=-", "+1", "+1", {"ext": "-"}),
        ("tel:+1;isub=a:b/&$%3B", "+1", "+1", {"isub": "a:b/&$;"}),
        ("tel:+1;a=%C3%A9;b=%FF", "+1", "+1", {"a": "é", "b": "\udcff"}),
        ("tel:+1;A-1;-=!~*'()_.", "+1", "+1", {"a-1": None, "-": "!~*'()_."}),
        # Parameters that the RFC lists first may come last.
        (
            "tel:*31%23-aF;z;Phone-Context=a-1.b2.C.;a=1;ext=2",
            "*31%23-aF",
            "*31#aF",
            {"z": None, "phone-context": "a-1.b2.C.", "a": "1", "ext": "2"},
        ),
        ("tel:(%23;phone-context=C", "(%23", "#", {"phone-context": "C"}),
    ],
)
def test_number_digits_and_parameters_are_parsed(
    text: str, number: str, digits: str, parameters: dict[str, str | None]
) -> None:
    found = TelURI(text)
    assert str(found) == text
    assert found == URI(text)
    assert (found.number, found.digits) == (number, digits)
    assert found.is_global is number.startswith("+")
    assert list(found.parameters.items()) == list(parameters.items())
    assert found.extension == parameters.get("ext")
    assert found.isdn_subaddress == parameters.get("isub")
    assert found.phone_context == parameters.get("phone-context")


NUMBER = "expected "
CHARACTER = "invalid or empty "


@pytest.mark.parametrize(
    ("text", "position", "rule", "reason"),
    [
        ("tel:", 4, "local-number-digits", NUMBER),
        ("tel:+", 5, "global-number-digits", NUMBER),
        ("tel:+-", 6, "global-number-digits", NUMBER),
        ("tel:+a", 5, "global-number-digits", NUMBER),
        ("tel:+1a", 6, "global-number-digits", NUMBER),
        ("tel:+1%20", 6, "global-number-digits", NUMBER),
        ("tel:+1*2", 6, "global-number-digits", NUMBER),
        ("tel:+1+2", 6, "global-number-digits", NUMBER),
        ("tel:%2B1", 4, "local-number-digits", NUMBER),
        ("tel:-;phone-context=a", 5, "local-number-digits", NUMBER),
        ("tel:1-800-FLOWERS;phone-context=+1", 11, "local-number-digits", NUMBER),
        ("tel:1p2;phone-context=a", 5, "local-number-digits", NUMBER),
        ("tel:7042", 8, "context", "missing phone-context"),
        ("tel:7042;ext=1", 14, "context", "missing phone-context"),
        ("tel:+1;", 7, "pname", "invalid parameter name"),
        ("tel:+1;=a", 7, "pname", "invalid parameter name"),
        ("tel:+1;(=a", 7, "pname", "invalid parameter name"),
        ("tel:+1;a_b=c", 8, "pname", "invalid parameter name"),
        ("tel:+1;;a", 7, "pname", "invalid parameter name"),
        ("tel:+1;a=", 9, "pvalue", "invalid or empty"),
        ("tel:+1;a=;b=c", 9, "pvalue", "invalid or empty"),
        ("tel:+1;a=b=c", 10, "pvalue", CHARACTER),
        ("tel:+1;a=b,c", 10, "pvalue", CHARACTER),
        ("tel:+1;a=@", 9, "pvalue", CHARACTER),
        ("tel:+1;ext", 10, "extension", "missing value of"),
        ("tel:+1;ext=", 11, "extension", "digits"),
        ("tel:+1;ext=1a", 12, "extension", "digits"),
        ("tel:+1;Ext=%31", 11, "extension", "digits"),
        ("tel:+1;isub;a", 11, "isdn-subaddress", "missing value of"),
        ("tel:+1;isub=", 12, "isdn-subaddress", "invalid or empty"),
        ("tel:+1;isub=a=b", 13, "isdn-subaddress", CHARACTER),
        ("tel:1;phone-context", 19, "descriptor", "missing value of"),
        ("tel:1;phone-context=", 20, "descriptor", "domain name"),
        ("tel:1;phone-context=+", 21, "descriptor", "domain name"),
        ("tel:1;phone-context=+1a", 22, "descriptor", "domain name"),
        ("tel:1;phone-context=-a", 20, "descriptor", "domain name"),
        ("tel:1;phone-context=a-.b", 22, "descriptor", "domain name"),
        ("tel:1;phone-context=a..b", 22, "descriptor", "domain name"),
        ("tel:1;phone-context=a.1", 23, "descriptor", "domain name"),
        ("tel:1;phone-context=a.1b;c", 24, "descriptor", "domain name"),
        ("tel:1;phone-context=a_b", 21, "descriptor", "domain name"),
        ("tel:+1;phone-context=1", 22, "descriptor", "domain name"),
        ("tel:+1;a;b;A=c", 11, "par", 'duplicate parameter "a"'),
        ("tel:+1;EXT=1;ext=1", 13, "par", 'duplicate parameter "ext"'),
        ("tel:1;phone-context=a;phone-context=b", 22, "par", "duplicate parameter"),
    ],
)
def test_invalid_tel_uris_are_rejected_at_the_first_invalid_character(
    text: str, position: int, rule: str, reason: str
) -> None:
    with pytest.raises(ParseError) as caught:
        TelURI(text)
    error = caught.value
    assert (error.text, error.position, error.component, error.rule) == (
        text,
        position,
        "path",
        rule,
    )
    assert reason in error.reason


@pytest.mark.parametrize(
    ("text", "position", "component", "rule"),
    [
        ("tel://+1", 4, "host", "telephone-uri"),
        ("tel://a/+1", 4, "host", "telephone-uri"),
        ("tel:+1?a=b", 6, "query", "telephone-uri"),
        ("tel:+1?", 6, "query", "telephone-uri"),
        ("tel:+1;a=b?c#d", 10, "query", "telephone-uri"),
        # A number sign is written "%23", because it begins a fragment.
        ("tel:*31#;phone-context=a", 7, "path", "context"),
        ("tel:#31;phone-context=a", 4, "path", "local-number-digits"),
        # The first error in the string is reported.
        ("tel:+1p?a#b", 6, "path", "global-number-digits"),
    ],
)
def test_tel_uris_with_an_authority_a_query_or_a_number_sign_as_key_are_rejected(
    text: str, position: int, component: str, rule: str
) -> None:
    with pytest.raises(ParseError) as caught:
        TelURI(text)
    error = caught.value
    assert (error.position, error.component, error.rule) == (position, component, rule)
    assert error.hint


@pytest.mark.parametrize(
    ("text", "hint"),
    [("tel:+1;ext=a", ""), ("tel:+1;isub=@", "percent-encode special characters")],
)
def test_the_hint_for_a_value_says_whether_it_can_be_percent_encoded(text: str, hint: str) -> None:
    with pytest.raises(ParseError) as caught:
        TelURI(text)
    assert caught.value.hint == hint


def test_tel_uris_may_have_a_fragment() -> None:
    found = TelURI("tel:+1-2;a=b#c;d")
    assert (found.number, dict(found.parameters)) == ("+1-2", {"a": "b"})
    assert (str(found), found.fragment) == ("tel:+1-2;a=b#c;d", "c;d")
    assert str(URI("tel:+1-2;B;a#f-F").normalize(scheme=True)) == "tel:+12;a;b#f-F"
    assert TelURI("tel:+1-2#%63").equivalent("TEL:+12#c", level="scheme")
    for other in ("tel:+12", "tel:+12#", "tel:+12#C"):
        assert not TelURI("tel:+1-2#c").equivalent(other, level="scheme")
        assert not URI("tel:+1-2#c").equivalent(other, level="scheme")


def test_the_hint_for_an_incomplete_number_before_a_fragment_is_the_encoded_key() -> None:
    for text in ("tel:*31#;phone-context=a", "tel:#31"):
        with pytest.raises(ParseError) as caught:
            TelURI(text)
        assert caught.value.hint == 'write the key "#" as %23'


@pytest.mark.parametrize("text", ["sip:+1", "tels:+1", "+1", "tel:+1;a=[1]", "tel:+1 2", "tel"])
def test_invalid_uris_and_other_schemes_are_rejected(text: str) -> None:
    with pytest.raises(ParseError):
        TelURI(text)


def test_tel_uris_are_immutable_values() -> None:
    one = TelURI("tel:+1;ext=2")
    assert one == TelURI(URI("tel:+1;ext=2"))
    assert one != TelURI("tel:+1;EXT=2")
    assert hash(one) == hash(TelURI("tel:+1;ext=2"))
    assert repr(one) == "TelURI('tel:+1;ext=2')"
    for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
        assert other == one
        assert other.extension == "2"
    with pytest.raises(AttributeError):
        one.extension = "3"  # type: ignore[misc]
    with pytest.raises(TypeError):
        one.parameters["ext"] = "3"  # type: ignore[index]


# --- building


@pytest.mark.parametrize(
    ("built", "text"),
    [
        (TelURI.from_parts("+1-201-555-0123"), "tel:+1-201-555-0123"),
        (
            TelURI.from_parts("7042", phone_context="example.com"),
            "tel:7042;phone-context=example.com",
        ),
        (
            TelURI.from_parts(
                "+1",
                parameters={"z": None, "B": "c;d", "a": b"\xff"},
                phone_context="+1-2",
                isdn_subaddress="1 2?[3]",
                extension="1-2",
            ),
            "tel:+1;ext=1-2;isub=1%202%3F%5B3%5D;phone-context=+1-2;a=%FF;b=c%3Bd;z",
        ),
        # Allowed characters stay as they are; a percent sign is always encoded.
        (TelURI.from_parts("+1", parameters={"a": "/:&+$-_.!~*'()%2B,"}),
         "tel:+1;a=%2F:&+$-_.!~*'()%252B%2C"),
        # Unencoded slashes would turn the dots into dot segments.
        (TelURI.from_parts("+1", parameters={"a": "x/../+1900555"}), "tel:+1;a=x%2F..%2F+1900555"),
        (TelURI.from_parts("+1", isdn_subaddress=b"+%2B"), "tel:+1;isub=+%252B"),
        (TelURI.from_parts("*31#", phone_context="a"), "tel:*31%23;phone-context=a"),
        (TelURI.from_parts("*31%23", phone_context="a"), "tel:*31%23;phone-context=a"),
        # Parameters that the RFC defines, given by name.
        (
            TelURI.from_parts("1", parameters={"Phone-Context": "a", "isub": "é", "EXT": "2"}),
            "tel:1;ext=2;isub=%C3%A9;phone-context=a",
        ),
    ],
)  # fmt: skip
def test_build_composes_a_tel_uri(built: TelURI, text: str) -> None:
    assert str(built) == text


@pytest.mark.parametrize(
    ("parts", "rule", "text", "position"),
    [
        ({"number": ""}, "local-number-digits", "", 0),
        ({"number": "+"}, "global-number-digits", "+", 1),
        ({"number": "+1 2"}, "global-number-digits", "+1 2", 2),
        ({"number": "+1#"}, "global-number-digits", "+1#", 2),
        ({"number": "##1;"}, "local-number-digits", "##1;", 3),
        ({"number": "#!#", "phone_context": "a.b"}, "local-number-digits", "#!#", 1),
        ({"number": "%23!#", "phone_context": "a.b"}, "local-number-digits", "%23!#", 3),
        ({"number": "+##"}, "global-number-digits", "+##", 1),
        ({"number": "%2B1"}, "local-number-digits", "%2B1", 0),
        ({"number": "+1;ext=2"}, "global-number-digits", "+1;ext=2", 2),
        ({"number": "12"}, "context", "12", 2),
        ({"number": "1#"}, "context", "1#", 2),
        ({"extension": ""}, "extension", "", 0),
        ({"extension": "1;a"}, "extension", "1;a", 1),
        ({"isdn_subaddress": ""}, "isdn-subaddress", "", 0),
        ({"isdn_subaddress": b""}, "isdn-subaddress", "", 0),
        ({"phone_context": ""}, "descriptor", "", 0),
        ({"phone_context": "a;b"}, "descriptor", "a;b", 1),
        ({"phone_context": "é"}, "descriptor", "é", 0),
        ({"parameters": {"": "a"}}, "pname", "", 0),
        ({"parameters": {"a;b": "c"}}, "pname", "a;b", 1),
        ({"parameters": {"a": ""}}, "pvalue", "", 0),
        ({"parameters": {"ext": None}}, "extension", "", 0),
        ({"parameters": {"isub": None}}, "isdn-subaddress", "", 0),
        ({"parameters": {"a": "1", "A": "2"}}, "par", "A", 0),
        ({"parameters": {"a": None, "A": None}}, "par", "A", 0),
        ({"extension": "1", "parameters": {"EXT": "1"}}, "par", "EXT", 0),
        ({"parameters": {"a": "b\ud800"}}, "unreserved", "b\ud800", 1),
        ({"isdn_subaddress": "\udcc3\udca9"}, "unreserved", "\udcc3\udca9", 0),
    ],
)
def test_build_rejects_parts_that_break_their_rule(
    parts: dict[str, object], rule: str, text: str, position: int
) -> None:
    with pytest.raises(BuildError) as caught:
        TelURI.from_parts(**{"number": "+1", **parts})  # type: ignore[arg-type]
    error = caught.value
    assert (error.rule, error.text, error.position) == (rule, text, position)
    assert "encode nothing" not in error.hint


def test_build_encodes_number_signs() -> None:
    built = TelURI.from_parts("#31#5*", phone_context="+1")
    assert str(built) == "tel:%2331%235*;phone-context=+1"


def test_the_hint_for_an_empty_value_depends_on_whether_the_parameter_needs_one() -> None:
    with pytest.raises(BuildError) as caught:
        TelURI.from_parts("+1", parameters={"a": ""})
    assert caught.value.hint == "pass None for a parameter without a value"
    with pytest.raises(BuildError) as caught:
        TelURI.from_parts("+1", isdn_subaddress="")
    assert caught.value.hint == ""


def test_build_rejects_parameters_that_are_not_a_mapping() -> None:
    with pytest.raises(TypeError, match=r"parameters must be a mapping of .*, not list"):
        TelURI.from_parts("+1", parameters=[("a", "b")])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [("a", 1, "a str or bytes"), ("ext", 1, "a str"), ("isub", 1, "a str or bytes")],
)
def test_type_errors_name_the_parameter(name: str, value: int, words: str) -> None:
    with pytest.raises(TypeError, match=f'parameter "{name}" must be {words}, not int'):
        TelURI.from_parts("+1", parameters={name: value})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "parts",
    [
        {"number": 1},
        {"number": None},
        {"extension": 7},
        {"extension": b"7"},
        {"isdn_subaddress": 7},
        {"phone_context": b"a"},
        {"parameters": {1: "a"}},
        {"parameters": {"a": 1}},
        {"parameters": {b"a": "1"}},
    ],
)
def test_build_rejects_arguments_of_a_wrong_type(parts: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="must be a str"):
        TelURI.from_parts(**{"number": "+1", **parts})  # type: ignore[arg-type]


NAMES = st.from_regex("[A-Za-z0-9-]{1,5}", fullmatch=True).filter(
    lambda name: name.lower() not in _tel.DEFINED
)
DATA = st.text(min_size=1, max_size=5) | st.binary(min_size=1, max_size=5)


@given(
    st.from_regex(r"\+[-.()]{0,2}[0-9][0-9.()-]{0,9}", fullmatch=True),
    st.none() | st.from_regex("[0-9-]{1,5}", fullmatch=True),
    st.none() | DATA,
    st.none() | st.sampled_from(["example.com", "A.b.", "+1-2"]),
    st.dictionaries(NAMES, st.none() | DATA, max_size=4),
)
def test_built_tel_uris_parse_back_into_the_same_parts(
    number: str,
    extension: str | None,
    subaddress: str | bytes | None,
    context: str | None,
    parameters: dict[str, str | bytes | None],
) -> None:
    lower = {name.lower(): decoded(value) for name, value in parameters.items()}
    parts = {
        "extension": extension,
        "isdn_subaddress": subaddress,
        "phone_context": context,
        "parameters": parameters,
    }
    error = error_of(lambda: TelURI.from_parts(number, **parts))  # type: ignore[arg-type]
    if error is not None:
        # Only names that differ in case alone, or surrogates, can cause an error here.
        values = [subaddress, *parameters.values()]
        assert len(lower) < len(parameters) or any(map(has_surrogate, values))
        return
    built = TelURI.from_parts(number, **parts)  # type: ignore[arg-type]
    assert (built.number, built.extension, built.phone_context) == (number, extension, context)
    assert built.isdn_subaddress == decoded(subaddress)
    found = dict(built.parameters)
    assert {name: found[name] for name in found if name not in _tel.DEFINED} == lower
    assert TelURI.from_parts(built.number, parameters=built.parameters) == built
    # Built parameters are in the order of the RFC.
    names = list(built.parameters)
    assert names == sorted(names, key=_tel.in_order)
    # Normalizing and resolving the URI do not change its meaning.
    for other in (built.normalize(), URI("http://a/").resolve(str(built))):
        assert TelURI(other).number == built.number
        assert TelURI(other).parameters == built.parameters
        assert built.equivalent(other, level="scheme")


def decoded(data: str | bytes | None) -> str | None:
    return data.decode(errors="surrogateescape") if isinstance(data, bytes) else data


def has_surrogate(data: str | bytes | None) -> bool:
    return isinstance(data, str) and any("\ud800" <= c <= "\udfff" for c in data)


# --- comparing (section 4)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        # Both numbers are global, or both are local.
        ("tel:+1", "tel:1;phone-context=+1", False),
        ("tel:1;phone-context=+1", "tel:1;phone-context=+1", True),
        ("tel:+1;phone-context=+1", "tel:1;phone-context=+1", False),
        # Visual separators do not count.
        ("tel:+1-201-555-0123", "tel:+12015550123", True),
        ("tel:+1.201.555.0123", "tel:+(1)-(201)5550123", True),
        ("tel:+12015550123", "tel:+12015550124", False),
        ("tel:+1", "tel:+01", False),
        # A context is compared as a host name or digit by digit.
        ("tel:1;phone-context=example.com", "tel:1;phone-context=Example.COM", True),
        ("tel:1;phone-context=ab.c", "tel:1;phone-context=a-b.c", False),
        ("tel:1;phone-context=example.com", "tel:1;phone-context=example.org", False),
        ("tel:1;phone-context=+1-2", "tel:1;phone-context=+(12)", True),
        ("tel:1;phone-context=+1-2", "tel:1;phone-context=+13", False),
        # An extension is compared digit by digit.
        ("tel:+1;ext=1-2", "tel:+1;ext=12", True),
        ("tel:+1;ext=1-2", "tel:+1;ext=13", False),
        ("tel:+1;ext=-", "tel:+1;ext=1", False),
        # The order of parameters does not count, but every parameter does.
        ("tel:+1;a=b;c", "tel:+1;c;a=b", True),
        ("tel:+1;a;ext=1;isub=2", "tel:+1;isub=2;ext=1;a", True),
        ("tel:+1;a", "tel:+1", False),
        ("tel:+1;a", "tel:+1;b", False),
        ("tel:+1;a", "tel:+1;a=b", False),
        ("tel:+1;a=b", "tel:+1;a=c", False),
        ("tel:+1;a=b-c", "tel:+1;a=bc", False),
        # Case does not count.
        ("tel:+1;A=B", "TEL:+1;a=b", True),
        ("tel:1aF;phone-context=a", "tel:1Af;phone-context=a", True),
        ("tel:+1;isub=ab%3b", "tel:+1;ISUB=AB%3B", True),
        # Triplets of unreserved characters equal the characters.
        ("tel:+1;a=%41%7E", "tel:+1;a=a~", True),
        ("tel:+1;a=%2B", "tel:+1;a=+", False),
        ("tel:%23;phone-context=a", "tel:*;phone-context=a", False),
    ],
)
def test_equivalent_follows_section_4_of_rfc_3966(one: str, other: str, *, same: bool) -> None:
    assert TelURI(one).equivalent(TelURI(other), level="scheme") is same
    assert TelURI(other).equivalent(TelURI(one), level="scheme") is same
    assert (TelURI(one).comparison_key("scheme") == TelURI(other).comparison_key("scheme")) is same


def test_equivalent_rejects_invalid_uris_and_types() -> None:
    with pytest.raises(TypeError, match="not int"):
        TelURI("tel:+1").equivalent(1, level="scheme")  # type: ignore[arg-type]
    assert not TelURI("tel:+1").equivalent("tel:1", level="scheme")
    assert TelURI("tel:+1").equivalent("TEL:+-1", level="scheme")


# --- normalizing


def normalized(text: str) -> str:
    return composed(_tel.normalized(all_parts(text)))


def equivalence(text: str) -> str:
    return composed(_tel.equivalence(all_parts(text)))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("tel:+1-(201)-555.0123", "tel:+12015550123"),
        ("tel:+1;EXT=1-2;Isub=A-B%3b", "tel:+1;ext=12;isub=a-b%3B"),
        ("tel:+1;ext=.-", "tel:+1;ext=.-"),
        ("tel:A-%23;b;Phone-Context=Example.COM;a", "tel:A%23;phone-context=example.com;a;b"),
        (
            "tel:1;z=1;phone-context=+1-2;y;isub=3;ext=4;x",
            "tel:1;ext=4;isub=3;phone-context=+12;x;y;z=1",
        ),
    ],
)
def test_normalization_removes_separators_and_sorts_parameters(text: str, form: str) -> None:
    assert normalized(text) == form


@pytest.mark.parametrize(
    "text",
    [
        "tel:1-2",
        "tel:+1-2?",
        "tel://a/+1-2",
        "tel:+1-2;a=1;A=1",
        "tel:+1-a",
    ],
)
def test_normalization_keeps_invalid_tel_uris_unchanged(text: str) -> None:
    assert normalized(text) == equivalence(text) == text


PIECES = st.sampled_from(
    ["+", "1", "-", "a", "F", "%23", "%41", ";", "=", ";ext=", ";isub=A", ";A=b", ";b", ".", "?"]
)
RANDOM_ENDINGS = st.lists(PIECES, max_size=8).map("".join)


@given(st.sampled_from(["tel:", "tel:+1", "TEL:1;phone-context=Ab.C"]), RANDOM_ENDINGS)
def test_normalization_is_idempotent(start: str, end: str) -> None:
    text = start + end
    form = normalized(text)
    assert normalized(form) == form
    assert equivalence(equivalence(text)) == equivalence(text)
    assert equivalence(form) == equivalence(text)
    error = error_of(lambda: TelURI(text))
    if error is None:
        assert TelURI(text).equivalent(TelURI(form), level="scheme")
    else:
        assert form == text
        assert 0 <= error.position <= len(text)


# --- long input


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "tel:+" + "-" * n,
        lambda n: "tel:" + "%23" * n,
        lambda n: "tel:" + "1" * n,
        lambda n: "tel:+1" + ";" * n,
        lambda n: "tel:+1" + ";a=b" * n,
        lambda n: "tel:+1;a=" + "%3B" * n + ",",
        lambda n: "tel:1;phone-context=" + "a-" * n,
        lambda n: "tel:1;phone-context=" + "a." * n + "-",
        lambda n: "tel:1;phone-context=" + "a" + "-" * n + ".b",
        lambda n: "tel:1;phone-context=" + "1." * n,
    ],
)
def test_rejecting_long_tel_uris_takes_linear_time(text: Callable[[int], str]) -> None:
    def reject(size: int) -> None:
        with pytest.raises(ParseError):
            TelURI(text(size))

    reject(LONG)
    assert_proportional(reject)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "tel:+" + "1-" * LONG,
        "tel:" + "%23" * LONG + ";phone-context=" + "a-b." * LONG + "c",
        "tel:+1" + "".join(f";A{i}=B" for i in range(LONG // 8)),
        "tel:+1;a=" + "%3b" * LONG,
    ],
)
def test_parsing_long_tel_uris_is_fast(text: str) -> None:
    found = TelURI(text)
    assert str(found) == text
    assert found.equivalent(TelURI(normalized(text)), level="scheme")
    assert TelURI.from_parts(found.number, parameters=found.parameters).equivalent(
        found, level="scheme"
    )
