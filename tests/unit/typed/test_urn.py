"""`URN`: URNs (RFC 8141) and the namespaces uuid, oid and isbn."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from uuid import UUID

import pytest
from counting import assert_proportional
from hypothesis import given
from hypothesis import strategies as st

from uriverse import URI, BuildError, ConvertError, ParseError
from uriverse._errors import URIError
from uriverse._spec.components import all_parts, composed
from uriverse._typed.urn import URN, thirteen_digits
from uriverse.percent import uppercase
from uriverse.schemes import _urn

LONG = 200_000

#: The examples of RFC 8141, section 3.2. The URNs of a group are equivalent only to each other.
EXAMPLES_OF_EQUIVALENCE = (
    (
        "urn:example:a123,z456",
        "URN:example:a123,z456",
        "urn:EXAMPLE:a123,z456",
        "urn:example:a123,z456?+abc",
        "urn:example:a123,z456?=xyz",
        "urn:example:a123,z456#789",
    ),
    ("urn:example:a123,z456/foo",),
    ("urn:example:a123,z456/bar",),
    ("urn:example:a123,z456/baz",),
    ("urn:example:a123%2Cz456", "URN:EXAMPLE:a123%2cz456"),
    ("urn:example:A123,z456",),
    ("urn:example:a123,Z456",),
    ("urn:example:%D0%B0123,z456",),
)


def error_of(act: Callable[[], object]) -> URIError | None:
    """Call the function; return the URIError that it raises, or None."""
    try:
        act()
    except URIError as error:
        return error
    return None


# --- the syntax (section 2)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        # Section 2.3 and its parts.
        ("urn:example:apple:pear:plum:cherry", ("example", "apple:pear:plum:cherry") + 3 * (None,)),
        (
            "urn:example:foo-bar-baz-qux?+CCResolve:cc=uk",
            ("example", "foo-bar-baz-qux", "CCResolve:cc=uk", None, None),
        ),
        (
            "urn:example:weather?=op=map&lat=39.56&lon=-104.85&datetime=1969-07-21T02:56:15Z",
            (
                "example",
                "weather",
                None,
                "op=map&lat=39.56&lon=-104.85&datetime=1969-07-21T02:56:15Z",
                None,
            ),
        ),
        (
            "urn:example:foo-bar-baz-qux#somepart",
            ("example", "foo-bar-baz-qux", None, None, "somepart"),
        ),
        ("urn:example:1/406/47452/2", ("example", "1/406/47452/2", None, None, None)),
        ("urn:ab:c?+d?=e#f", ("ab", "c", "d", "e", "f")),
        # An r-component ends at the first "?="; a q-component ends at "#" or at the end.
        ("urn:ab:c?+d?+e?f?=g?=h?+i", ("ab", "c", "d?+e?f", "g?=h?+i", None)),
        ("urn:ab:c?=d?+e", ("ab", "c", None, "d?+e", None)),
        ("urn:ab:c#?+d?=e", ("ab", "c", None, None, "?+d?=e")),
        ("urn:ab:c?++?==", ("ab", "c", "+", "=", None)),
        ("urn:ab:c#", ("ab", "c", None, None, "")),
        ("urn:ab:c/", ("ab", "c/", None, None, None)),
        ("URN:a-b:%2F", ("a-b", "%2F", None, None, None)),
        (f"urn:{'a' * 32}:b", ("a" * 32, "b", None, None, None)),
        # The rules of section 5 for registered NIDs are not part of the syntax.
        ("urn:10:a", ("10", "a", None, None, None)),
        ("urn:urn-7:a", ("urn-7", "a", None, None, None)),
        ("urn:urn-0:a", ("urn-0", "a", None, None, None)),
        ("urn:X-a:b", ("X-a", "b", None, None, None)),
        ("urn:xn--a:b", ("xn--a", "b", None, None, None)),
        ("urn:urn:a", ("urn", "a", None, None, None)),
    ],
)
def test_nid_nss_and_components_are_parsed(text: str, parts: tuple[str | None, ...]) -> None:
    name = URN(text)
    assert (
        name.nid,
        name.nss,
        name.r_component,
        name.q_component,
        name.f_component,
    ) == parts
    assert str(name) == text
    assert name == URI(text)


@pytest.mark.parametrize(
    ("text", "position", "component", "rule", "reason"),
    [
        ("urn:", 4, "path", "NID", "incomplete URN"),
        ("urn:ab", 6, "path", "NID", "incomplete URN"),
        ("urn:ab#c", 6, "path", "NID", "only ASCII letters"),
        ("urn:a:b", 5, "path", "NID", "at least two characters"),
        ("urn:a-:b", 6, "path", "NID", "the last a letter or digit"),
        ("urn:-a:b", 4, "path", "NID", "the first character must be"),
        ("urn::b", 4, "path", "NID", "the first character must be"),
        ("urn://a/b", 4, "path", "NID", "the first character must be"),
        ("urn:?=a", 4, "path", "NID", "the first character must be"),
        ("urn:a_b:c", 5, "path", "NID", "only ASCII letters"),
        ("urn:a%62:c", 5, "path", "NID", "only ASCII letters"),
        (f"urn:{'a' * 33}:b", 36, "path", "NID", "the limit is 32"),
        (f"urn:{'a' * 31}-:b", 35, "path", "NID", "the last a letter or digit"),
        (f"urn:{'a' * 31}--:b", 35, "path", "NID", "the last a letter or digit"),
        ("urn:ab:", 7, "path", "NSS", "invalid or empty"),
        ("urn:ab:/", 7, "path", "NSS", "invalid or empty"),
        ("urn:ab:?=c", 7, "path", "NSS", "invalid or empty"),
        ("urn:ab:#c", 7, "path", "NSS", "invalid or empty"),
        ("urn:ab:c?", 9, "query", "rq-components", '"?" must be followed'),
        ("urn:ab:c?d", 9, "query", "rq-components", '"?" must be followed'),
        ("urn:ab:c??=d", 9, "query", "rq-components", '"?" must be followed'),
        ("urn:ab:c?#d", 9, "query", "rq-components", '"?" must be followed'),
        ("urn:ab:c?+", 10, "query", "r-component", "invalid or empty"),
        ("urn:ab:c?+/", 10, "query", "r-component", "invalid or empty"),
        ("urn:ab:c?+?=d", 10, "query", "r-component", "invalid or empty"),
        ("urn:ab:c?+#d", 10, "query", "r-component", "invalid or empty"),
        ("urn:ab:c?=", 10, "query", "q-component", "invalid or empty"),
        ("urn:ab:c?=?d", 10, "query", "q-component", "invalid or empty"),
        ("urn:ab:c?+d?=", 13, "query", "q-component", "invalid or empty"),
        ("urn:ab:c?+d?=#e", 13, "query", "q-component", "invalid or empty"),
    ],
)
def test_invalid_urns_are_rejected_at_the_first_invalid_character(
    text: str, position: int, component: str, rule: str, reason: str
) -> None:
    with pytest.raises(ParseError) as caught:
        URN(text)
    error = caught.value
    assert (error.text, error.position, error.component, error.rule) == (
        text,
        position,
        component,
        rule,
    )
    assert reason in error.reason
    assert error.hint


@pytest.mark.parametrize("text", ["cat:ab:c", "urno:ab:c", "urn:ab:é", "urn:ab:%", "urn", ""])
def test_invalid_uris_and_other_schemes_are_rejected(text: str) -> None:
    with pytest.raises(ParseError):
        URN(text)


def test_arguments_of_a_wrong_type_are_rejected() -> None:
    with pytest.raises(TypeError):
        URN(1)  # type: ignore[arg-type]


def test_urns_are_immutable_values() -> None:
    name = URN("urn:ab:c?=d")
    assert name == URN(URI("urn:ab:c?=d"))
    assert name != URN("URN:ab:c?=d")
    assert hash(name) == hash(URN("urn:ab:c?=d"))
    assert repr(name) == "URN('urn:ab:c?=d')"
    for other in (pickle.loads(pickle.dumps(name)), copy.copy(name), copy.deepcopy(name)):
        assert other == name
        assert other.q_component == "d"
    with pytest.raises(AttributeError):
        name.nid = "ef"  # type: ignore[misc]


def test_assigned_name_is_the_exact_string_without_components() -> None:
    assert URN("UrN:AB:c%2c/D?+r?=q#f").assigned_name == "UrN:AB:c%2c/D"


# --- building


def test_build_composes_a_urn() -> None:
    built = URN.from_parts("example", "a/b", r_component="r?+", q_component="q?=", f_component="")
    assert str(built) == "urn:example:a/b?+r?+?=q?=#"


@pytest.mark.parametrize(
    ("parts", "component", "rule", "text", "position"),
    [
        ({"nid": "a"}, "path", "NID", "a", 1),
        ({"nid": "a_"}, "path", "NID", "a_", 1),
        ({"nid": "é"}, "path", "NID", "é", 0),
        ({"nid": "a" * 33}, "path", "NID", "a" * 33, 32),
        ({"nss": ""}, "path", "NSS", "", 0),
        ({"nss": "/a"}, "path", "NSS", "/a", 0),
        ({"nss": "a?=b"}, "path", "NSS", "a?=b", 1),
        ({"nss": "a%2"}, "path", "NSS", "a%2", 1),
        ({"r_component": ""}, "query", "r-component", "", 0),
        ({"r_component": "a?=b"}, "query", "r-component", "a?=b", 1),
        ({"r_component": "a?b#"}, "query", "r-component", "a?b#", 3),
        ({"q_component": ""}, "query", "q-component", "", 0),
        ({"q_component": "?a"}, "query", "q-component", "?a", 0),
        ({"q_component": "a b"}, "query", "q-component", "a b", 1),
        ({"f_component": "a#"}, "fragment", "f-component", "a#", 1),
    ],
)
def test_build_rejects_parts_that_break_their_rule(
    parts: dict[str, str], component: str, rule: str, text: str, position: int
) -> None:
    with pytest.raises(BuildError) as caught:
        URN.from_parts(**{"nid": "example", "nss": "a", **parts})
    error = caught.value
    assert (error.component, error.rule) == (component, rule)
    assert (error.text, error.position) == (text, position)


@pytest.mark.parametrize("part", ["nid", "nss", "r_component", "q_component", "f_component"])
def test_build_rejects_parts_that_are_not_str(part: str) -> None:
    with pytest.raises(TypeError, match="must be a str, not bytes"):
        URN.from_parts(**{"nid": "example", "nss": "a", part: b"a"})  # type: ignore[arg-type]


def test_build_requires_a_nid_and_an_nss() -> None:
    with pytest.raises(TypeError):
        URN.from_parts("example", None)  # type: ignore[arg-type]


def test_build_uses_the_characters_of_str_subclasses() -> None:
    class MisleadingStr(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "?"

        def __format__(self, spec: str) -> str:
            return "?"

    assert str(URN.from_parts(MisleadingStr("ab"), MisleadingStr("c"))) == "urn:ab:c"


RANDOM_STRINGS = st.text("aZ9-%2fF:/?=+#@é ", max_size=8)

#: Strings that may follow the first character of an NSS or of a component.
NSS_TAILS = st.lists(st.sampled_from(["a", "%2f", ":", "/", "=", "+", "@"]), max_size=6).map(
    "".join
)
COMPONENT_TAILS = st.lists(st.sampled_from(["a", "%3F", "?", "/", "=", "+"]), max_size=6).map(
    "".join
)
NIDS = st.from_regex("[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]", fullmatch=True)


@given(
    NIDS,
    NSS_TAILS.map("b".__add__),
    st.none() | COMPONENT_TAILS.map("c".__add__).filter(lambda text: "?=" not in text),
    st.none() | COMPONENT_TAILS.map("d".__add__),
    st.none() | COMPONENT_TAILS,
)
def test_built_urns_parse_back_into_the_same_parts(
    nid: str, nss: str, r: str | None, q: str | None, f: str | None
) -> None:
    built = URN.from_parts(nid, nss, r_component=r, q_component=q, f_component=f)
    found = (built.nid, built.nss, built.r_component, built.q_component, built.f_component)
    assert found == (nid, nss, r, q, f)
    assert URN(str(built)) == built
    # Without dot segments, normalizing and resolving the URI do not change its meaning.
    for other in (built.normalize(), URI("http://a/").resolve(str(built))):
        again = URN(str(other))
        components = (again.r_component, again.q_component, again.f_component)
        parts = zip((again.nid, again.nss, *components), found, strict=True)
        # Normalization changes only the case of the digits in triplets.
        assert all(
            one == other or uppercase(f"{one}") == uppercase(f"{other}") for one, other in parts
        )


@given(
    st.just("ab") | RANDOM_STRINGS,
    st.just("c") | RANDOM_STRINGS,
    st.none() | RANDOM_STRINGS,
    st.none() | RANDOM_STRINGS,
    st.none() | RANDOM_STRINGS,
)
def test_build_rejects_parts_or_keeps_them_unchanged(
    nid: str, nss: str, r: str | None, q: str | None, f: str | None
) -> None:
    parts = {"r_component": r, "q_component": q, "f_component": f}
    error = error_of(lambda: URN.from_parts(nid, nss, **parts))
    if error is not None:
        assert error.text in (nid, nss, r, q, f)
        assert 0 <= error.position <= len(error.text)
        return
    built = URN.from_parts(nid, nss, **parts)
    found = (built.nid, built.nss, built.r_component, built.q_component, built.f_component)
    assert found == (nid, nss, r, q, f)


@given(st.text("aZ9-%2fF:/?=+#@é ", max_size=20).map("urn:ab:c".__add__))
def test_random_urns_round_trip_or_raise_errors_with_valid_positions(text: str) -> None:
    error = error_of(lambda: URN(text))
    if error is not None:
        assert 0 <= error.position <= len(text)
        return
    name = URN(text)
    again = URN.from_parts(
        name.nid,
        name.nss,
        r_component=name.r_component,
        q_component=name.q_component,
        f_component=name.f_component,
    )
    assert str(name) == str(again) == text


# --- equivalence (section 3)


def test_equivalent_agrees_with_the_examples_of_rfc_8141() -> None:
    for group in EXAMPLES_OF_EQUIVALENCE:
        for other_group in EXAMPLES_OF_EQUIVALENCE:
            for one in group:
                for other in other_group:
                    found = URN(one).is_urn_equivalent(URN(other))
                    assert found is (group is other_group), (one, other)


def test_equivalence_does_not_decode_triplets() -> None:
    assert not URN("urn:example:%61").is_urn_equivalent(URN("urn:example:a"))
    assert URN("urn:example:%61").equivalent("urn:example:a", level="scheme")


def test_equivalent_rejects_invalid_uris_and_types() -> None:
    with pytest.raises(TypeError, match="not int"):
        URN("urn:ab:c").is_urn_equivalent(1)  # type: ignore[arg-type]
    with pytest.raises(ParseError):
        URN("urn:ab:c").is_urn_equivalent("urn:ab")
    assert URN("urn:ab:c").is_urn_equivalent("urn:AB:c#d")


# --- normalizing


def normalized(text: str) -> str:
    return composed(_urn.normalized(all_parts(text)))


def equivalence(text: str) -> str:
    return composed(_urn.equivalence(all_parts(text)))


def test_normalization_lowercases_the_nid() -> None:
    assert normalized("urn:ISBN:A%2c?+R?=Q#F") == "urn:isbn:A%2c?+R?=Q#F"
    assert equivalence("URN:ISBN:A%2c?+R?=Q#F") == "urn:isbn:A%2C"


@pytest.mark.parametrize("text", ["urn:A:b", "urn://A:b", "urn:AB:c?d", "x:AB:c", "AB:c", "urn:AB"])
def test_normalization_keeps_invalid_urns_unchanged(text: str) -> None:
    assert normalized(text) == equivalence(text) == text


@given(RANDOM_STRINGS, RANDOM_STRINGS)
def test_normalization_is_idempotent(start: str, end: str) -> None:
    text = f"urn:{start}:{end}"
    assert normalized(normalized(text)) == normalized(text)
    assert equivalence(equivalence(text)) == equivalence(text)
    assert equivalence(normalized(text)) == equivalence(text)


# --- uuid


def test_uuids_are_case_insensitive() -> None:
    # RFC 9562, section 4.
    found = UUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
    assert URN("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6").uuid == found
    assert URN("urn:UUID:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6?=a#b").uuid == found
    assert URN("urn:example:f81d4fae-7dec-11d0-a765-00a0c91e6bf6").uuid is None


@pytest.mark.parametrize(
    "nss",
    [
        "f81d4fae7dec11d0a76500a0c91e6bf6",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6a",
        "f81d4fae-7dec-11d0-a76500a0-c91e6bf6",
        "g81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "%661d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "a" * LONG,
    ],
)
def test_invalid_uuids_raise_convert_errors(nss: str) -> None:
    with pytest.raises(ConvertError, match="invalid UUID: expected hexadecimal") as caught:
        _ = URN(f"urn:uuid:{nss}").uuid
    assert (caught.value.position, caught.value.rule) == (9, "NSS")


@given(st.uuids())
def test_uuids_round_trip(uuid: UUID) -> None:
    assert URN.from_uuid(uuid).uuid == uuid


def test_from_uuid_rejects_strings() -> None:
    with pytest.raises(TypeError, match="not str"):
        URN.from_uuid("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")  # type: ignore[arg-type]


# --- oid


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        # RFC 3061, sections 1 and 3.
        ("urn:oid:1.3.6.1", (1, 3, 6, 1)),
        ("urn:oid:1.3.6.1.4.1", (1, 3, 6, 1, 4, 1)),
        ("urn:oid:1.3.6.1.2.1.27", (1, 3, 6, 1, 2, 1, 27)),
        ("URN:OID:0.9.2342.19200300.100.4", (0, 9, 2342, 19200300, 100, 4)),
        ("urn:oid:2", (2,)),
        (f"urn:oid:2.{'9' * 640}", (2, 10**640 - 1)),
        ("urn:example:1.3", None),
    ],
)
def test_oids_are_tuples_of_numbers(text: str, numbers: tuple[int, ...] | None) -> None:
    assert URN(text).oid == numbers


@pytest.mark.parametrize("nss", ["1.", ".1", "1..2", "01.2", "1.02", "1.a", "1-2", "-1", "%2D1"])
def test_invalid_oids_raise_convert_errors(nss: str) -> None:
    with pytest.raises(ConvertError, match="invalid OID: expected numbers"):
        _ = URN(f"urn:oid:{nss}").oid


def test_oid_numbers_with_too_many_digits_are_rejected() -> None:
    with pytest.raises(ConvertError, match="640 digits") as caught:
        _ = URN(f"urn:oid:1.{'9' * LONG}").oid
    assert caught.value.position == 8


def test_oids_may_have_many_numbers() -> None:
    assert URN("urn:oid:" + "1." * LONG + "1").oid == (1,) * (LONG + 1)


@given(st.lists(st.integers(0, 10**640 - 1), min_size=1))
def test_oids_round_trip(numbers: list[int]) -> None:
    assert URN.from_oid(iter(numbers)).oid == tuple(numbers)


@pytest.mark.parametrize("numbers", [[], [-1], [1, 10**640], [1, -(10**LONG)]])
def test_from_oid_rejects_empty_negative_and_huge_numbers(numbers: list[int]) -> None:
    with pytest.raises(BuildError, match="OID"):
        URN.from_oid(numbers)


@pytest.mark.parametrize("numbers", ["1.2", [1.5], [True], [None], 5])
def test_from_oid_rejects_values_that_are_not_int(numbers: object) -> None:
    with pytest.raises(TypeError):
        URN.from_oid(numbers)  # type: ignore[arg-type]


# --- isbn


@pytest.mark.parametrize(
    ("nss", "isbn"),
    [
        # RFC 3187, section 5, and RFC 8254.
        ("0-395-36341-1", "9780395363416"),
        ("0395363411", "9780395363416"),
        ("978-0-395-36341-6", "9780395363416"),
        ("9780395363416", "9780395363416"),
        ("951-0-18435-7", "9789510184356"),
        ("0-8044-2957-X", "9780804429573"),
        ("080442957x", "9780804429573"),
        ("979-10-90636-07-1", "9791090636071"),
        ("978-0-306-40615-7", "9780306406157"),
    ],
)
def test_isbns_are_returned_with_thirteen_digits(nss: str, isbn: str) -> None:
    assert URN(f"urn:ISBN:{nss}").isbn == isbn
    assert URN.from_isbn(nss).isbn == isbn
    assert URN.from_isbn(nss).nss == nss


@pytest.mark.parametrize(
    "nss",
    [
        "0-395-36341-2",
        "0-395-36341-X",
        "978-0-395-36341-1",
        "977-0-395-36341-9",
        "978-0-395-36341-X",
        "0-395-36341",
        "-0395363411",
        "0395363411-",
        "0--395-36341-1",
        "X395363411",
        "03953634%31",
        "1" * LONG,
        "1-" * LONG,
    ],
)
def test_invalid_isbns_are_rejected(nss: str) -> None:
    with pytest.raises(ConvertError, match="invalid ISBN: expected 10 or 13 digits"):
        _ = URN(f"urn:isbn:{nss}").isbn
    with pytest.raises(BuildError, match="10 or 13 digits"):
        URN.from_isbn(nss)


def test_isbn_is_none_in_other_namespaces() -> None:
    assert URN("urn:example:0395363411").isbn is None


def test_from_isbn_rejects_integers_and_non_ascii_digits() -> None:
    with pytest.raises(TypeError, match="not int"):
        URN.from_isbn(9780395363416)  # type: ignore[arg-type]
    with pytest.raises(BuildError):
        URN.from_isbn("٠395363411")


@given(st.integers(0, 10**9 - 1))
def test_exactly_one_check_digit_is_valid(number: int) -> None:
    right = [d for d in "0123456789X" if thirteen_digits(f"{number:09}{d}")]
    assert len(right) == 1
    found = thirteen_digits(f"{number:09}{right[0]}")
    assert found is not None
    assert found.startswith(f"978{number:09}")
    assert thirteen_digits(found) == found
    wrong = [d for d in "0123456789" if thirteen_digits(f"978{number:09}{d}")]
    assert wrong == [found[-1]]


# --- long input


@pytest.mark.parametrize(
    "text",
    [
        lambda n: "urn:" + "a" * n,
        lambda n: "urn:" + "-" * n,
        lambda n: "urn:ab:" + "/" * n,
        lambda n: "urn:ab:c" + "%2F" * n + "?",
        lambda n: "urn:ab:c?+d" + "?" * n + "?=",
        lambda n: "urn:ab:c?+d" + "?+" * n + "?=#",
        lambda n: "urn:ab:c?=" + "?" * n,
        lambda n: "urn:ab:c??" + "=?" * n,
    ],
)
def test_rejecting_long_urns_takes_linear_time(text: Callable[[int], str]) -> None:
    def reject(size: int) -> None:
        with pytest.raises(URIError):
            URN(text(size))

    reject(LONG)
    assert_proportional(reject)


@pytest.mark.parametrize(
    "text",
    [
        "urn:ab:" + "c:" * LONG,
        "urn:ab:" + "%2f" * LONG,
        "urn:ab:c?+" + "d?" * LONG + "?=" + "f?" * LONG + "#" + "?/" * LONG,
    ],
)
def test_parsing_long_urns_is_fast(text: str) -> None:
    name = URN(text)
    assert str(name) == text
    assert name.is_urn_equivalent(URN(name.assigned_name))
