"""`URN`: URNs (RFC 8141) and the namespaces uuid, oid and isbn."""

from itertools import product
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import URI, URN, BuildError, ConvertError, ParseError
from uriverse._typed.urn import to_isbn13
from uriverse.percent import uppercase


def list_parts(name: URN) -> tuple[str | None, ...]:
    return name.nid, name.nss, name.r_component, name.q_component, name.f_component


EXAMPLE = "example:foo-bar-baz-qux"
WEATHER = "op=map&lat=39.56&lon=-104.85&datetime=1969-07-21T02:56:15Z"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        # RFC 8141, section 2.3 and its parts.
        ("urn:example:apple:pear:plum:cherry", ("example", "apple:pear:plum:cherry", *3 * [None])),
        (f"urn:{EXAMPLE}?+CCResolve:cc=uk", ("example", "foo-bar-baz-qux", "CCResolve:cc=uk")),
        (f"urn:example:weather?={WEATHER}", ("example", "weather", None, WEATHER)),
        (f"urn:{EXAMPLE}#somepart", ("example", "foo-bar-baz-qux", None, None, "somepart")),
        ("urn:example:1/406/47452/2", ("example", "1/406/47452/2")),
        ("urn:ab:c?+d?=e#f", ("ab", "c", "d", "e", "f")),
        # An r-component ends at the first "?="; a q-component ends at "#" or at the end.
        ("urn:ab:c?+d?+e?f?=g?=h?+i", ("ab", "c", "d?+e?f", "g?=h?+i")),
        ("urn:ab:c?=d?+e", ("ab", "c", None, "d?+e")),
        ("urn:ab:c#?+d?=e", ("ab", "c", None, None, "?+d?=e")),
        *(("urn:ab:c?++?==", ("ab", "c", "+", "=")), ("urn:ab:c#", ("ab", "c", None, None, ""))),
        *(("urn:ab:c/", ("ab", "c/")), ("URN:a-b:%2F", ("a-b", "%2F"))),
        (f"urn:{'a' * 32}:b", ("a" * 32, "b")),
        # The rules of section 5 for registered NIDs are not part of the syntax.
        *((f"urn:{nid}:a", (nid, "a")) for nid in ("10", "urn-7", "urn-0", "X-a", "xn--a", "urn")),
    ],
)
def test_nid_nss_and_components_are_parsed(text: str, parts: tuple[str | None, ...]) -> None:
    name = URN(text)
    assert list_parts(name) == (*parts, *[None] * (5 - len(parts)))
    assert str(name) == text
    assert name.assigned_name == text.partition("?")[0].partition("#")[0]


@given(
    st.from_regex("[A-Za-z0-9][A-Za-z0-9-]{0,30}[A-Za-z0-9]", fullmatch=True),
    st.from_regex("b(a|%2f|[:/=+@]){0,6}", fullmatch=True),
    st.none() | st.from_regex("c(a|%3F|[?/+]){0,6}", fullmatch=True),
    st.none() | st.from_regex("d(a|%3F|[?/=+]){0,6}", fullmatch=True),
    st.none() | st.from_regex("(a|%3F|[?/=+]){0,6}", fullmatch=True),
)
def test_built_urns_parse_back_into_the_same_parts(
    nid: str, nss: str, r: str | None, q: str | None, f: str | None
) -> None:
    built = URN.from_parts(nid, nss, r_component=r, q_component=q, f_component=f)
    assert list_parts(URN(str(built))) == list_parts(built) == (nid, nss, r, q, f)
    # Without dot segments, normalizing and resolving the URI change only the case of triplets.
    for other in (built.normalize(), URI("http://a/").resolve(str(built))):
        pairs = zip(list_parts(URN(str(other))), list_parts(built), strict=True)
        assert all(
            part == old or uppercase(f"{part}") == uppercase(f"{old}") for part, old in pairs
        )


NAME = "urn:example:a123,z456"
#: The examples of RFC 8141, section 3.2. The URNs of a group are equivalent only to each other.
EXAMPLES_OF_EQUIVALENCE = (
    f"{NAME} URN:example:a123,z456 urn:EXAMPLE:a123,z456 {NAME}?+abc {NAME}?=xyz {NAME}#789",
    *("urn:example:a123,z456/foo", "urn:example:a123,z456/bar", "urn:example:a123,z456/baz"),
    *("urn:example:a123%2Cz456 URN:EXAMPLE:a123%2cz456", "urn:example:A123,z456"),
    *("urn:example:a123,Z456", "urn:example:%D0%B0123,z456"),
    # Equivalence of URNs does not decode triplets.
    *("urn:example:%61", "urn:example:a"),
)


def test_urn_equivalence_agrees_with_the_examples_of_rfc_8141() -> None:
    for group, other_group in product(EXAMPLES_OF_EQUIVALENCE, repeat=2):
        for one, other in product(group.split(), other_group.split()):
            for argument in (URN(other), other):
                found = URN(one).is_urn_equivalent(argument)
                assert found is (group is other_group), (one, other)
    assert URN("urn:example:%61").equivalent("urn:example:a", level="scheme")
    with pytest.raises(TypeError, match="not int"):
        URN("urn:ab:c").is_urn_equivalent(1)  # type: ignore[arg-type]
    with pytest.raises(ParseError):
        URN("urn:ab:c").is_urn_equivalent("urn:ab")


def test_uuids_are_case_insensitive() -> None:
    # RFC 9562, section 4.
    found = UUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
    assert URN("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6").uuid == found
    assert URN("urn:UUID:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6?=a#b").uuid == found
    assert URN.from_uuid(found).uuid == found
    with pytest.raises(TypeError, match="not str"):
        URN.from_uuid("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("nss", "numbers"),
    [
        # RFC 3061, sections 1 and 3.
        *(("1.3.6.1", (1, 3, 6, 1)), ("1.3.6.1.4.1", (1, 3, 6, 1, 4, 1))),
        ("1.3.6.1.2.1.27", (1, 3, 6, 1, 2, 1, 27)),
        *(("0.9.2342.19200300.100.4", (0, 9, 2342, 19200300, 100, 4)), ("2", (2,))),
        (f"2.{'9' * 640}", (2, 10**640 - 1)),
    ],
)
def test_oids_are_tuples_of_numbers(nss: str, numbers: tuple[int, ...]) -> None:
    assert URN(f"URN:OID:{nss}").oid == URN.from_oid(iter(numbers)).oid == numbers


def test_isbns_are_returned_with_thirteen_digits() -> None:
    for nss, isbn in [
        # RFC 3187, section 5, and RFC 8254.
        *(("0-395-36341-1", "9780395363416"), ("0395363411", "9780395363416")),
        *(("978-0-395-36341-6", "9780395363416"), ("9780395363416", "9780395363416")),
        *(("951-0-18435-7", "9789510184356"), ("0-8044-2957-X", "9780804429573")),
        *(("080442957x", "9780804429573"), ("979-10-90636-07-1", "9791090636071")),
        ("978-0-306-40615-7", "9780306406157"),
    ]:
        assert URN(f"urn:ISBN:{nss}").isbn == URN.from_isbn(nss).isbn == isbn
        assert URN.from_isbn(nss).nss == nss


@given(st.integers(0, 10**9 - 1))
def test_exactly_one_check_digit_is_valid(number: int) -> None:
    [right] = [d for d in "0123456789X" if to_isbn13(f"{number:09}{d}")]
    found = to_isbn13(f"{number:09}{right}")
    assert found is not None
    assert found.startswith(f"978{number:09}")
    assert to_isbn13(found) == found
    wrong = [d for d in "0123456789" if to_isbn13(f"978{number:09}{d}")]
    assert wrong == [found[-1]]


def test_names_of_other_namespaces_have_no_uuid_oid_or_isbn() -> None:
    name = URN("urn:example:0395363411")
    assert (name.uuid, name.oid, name.isbn) == (None, None, None)


UUIDS = (
    "f81d4fae7dec11d0a76500a0c91e6bf6 f81d4fae-7dec-11d0-a765-00a0c91e6bf "
    "f81d4fae-7dec-11d0-a765-00a0c91e6bf6a f81d4fae-7dec-11d0-a76500a0-c91e6bf6 "
    "g81d4fae-7dec-11d0-a765-00a0c91e6bf6 %661d4fae-7dec-11d0-a765-00a0c91e6bf6 "
    "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
)
OIDS = f"1. .1 1..2 01.2 1.02 1.a 1-2 -1 %2D1 1.{'9' * 641}"
ISBNS = (
    "0-395-36341-2 0-395-36341-X 978-0-395-36341-1 977-0-395-36341-9 978-0-395-36341-X "
    "0-395-36341 -0395363411 0395363411- 0--395-36341-1 X395363411 03953634%31"
)


@pytest.mark.parametrize("nss", UUIDS.split())
def test_invalid_uuids_are_not_converted(nss: str) -> None:
    with pytest.raises(ConvertError, match="invalid UUID: expected hexadecimal") as caught:
        _ = URN(f"urn:uuid:{nss}").uuid
    assert (caught.value.position, caught.value.rule) == (9, "NSS")


@pytest.mark.parametrize("nss", OIDS.split())
def test_invalid_oids_are_not_converted(nss: str) -> None:
    reason = "640 digits" if len(nss) > 640 else "invalid OID: expected numbers"
    with pytest.raises(ConvertError, match=reason) as caught:
        _ = URN(f"urn:oid:{nss}").oid
    assert (caught.value.position, caught.value.rule) == (8, "NSS")


@pytest.mark.parametrize("nss", ISBNS.split())
def test_invalid_isbns_are_neither_converted_nor_built(nss: str) -> None:
    with pytest.raises(ConvertError, match="invalid ISBN: expected 10 or 13 digits"):
        _ = URN(f"urn:isbn:{nss}").isbn
    with pytest.raises(BuildError, match="10 or 13 digits"):
        URN.from_isbn(nss)


@pytest.mark.parametrize(
    ("numbers", "error"),
    [
        *((numbers, BuildError) for numbers in ([], [-1], [1, 10**640], [1, -(10**640)])),
        *((numbers, TypeError) for numbers in ("1.2", [1.5], [True], [None], 5)),
    ],
)
def test_from_oid_rejects_what_are_not_small_natural_numbers(
    numbers: list[int], error: type[Exception]
) -> None:
    with pytest.raises(error, match="OID" if error is BuildError else None):
        URN.from_oid(numbers)


def test_from_isbn_rejects_integers_and_non_ascii_digits() -> None:
    with pytest.raises(TypeError, match="not int"):
        URN.from_isbn(9780395363416)  # type: ignore[arg-type]
    with pytest.raises(BuildError):
        URN.from_isbn("٠395363411")
