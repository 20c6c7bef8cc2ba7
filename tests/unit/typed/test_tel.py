"""`TelURI`: the "tel" URI scheme (RFC 3966)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import URI, BuildError, TelURI
from uriverse.schemes import _tel


@pytest.mark.parametrize(
    ("text", "digits", "parameters"),
    [
        # Section 6.
        ("tel:+1-201-555-0123", "+12015550123", {}),
        ("tel:7042;phone-context=example.com", "7042", {"phone-context": "example.com"}),
        ("tel:863-1234;phone-context=+1-914-555", "8631234", {"phone-context": "+1-914-555"}),
        # Sections 5.1.5 and 7.
        ("tel:911;phone-context=+1", "911", {"phone-context": "+1"}),
        ("tel:+358-555-1234567;postd=pp22", "+3585551234567", {"postd": "pp22"}),
        # RFC 4694 and RFC 4759.
        (
            *("tel:+1-800-123-4567;cic=+1-6789;npdi", "+18001234567"),
            {"cic": "+1-6789", "npdi": None},
        ),
        *(("tel:+(1).2-3", "+123", {}), ("tel:+-1", "+1", {})),
        *(("TEL:+1;EXT=1.(2)-3", "+1", {"ext": "1.(2)-3"}), ("tel:+1;ext=-", "+1", {"ext": "-"})),
        ("tel:+1;isub=a:b/&$%3B", "+1", {"isub": "a:b/&$;"}),
        ("tel:+1;a=%C3%A9;b=%FF", "+1", {"a": "é", "b": "\udcff"}),
        ("tel:+1;A-1;-=!~*'()_.", "+1", {"a-1": None, "-": "!~*'()_."}),
        # Parameters that the RFC lists first may come last.
        (
            "tel:*31%23-aF;z;Phone-Context=a-1.b2.C.;a=1;ext=2",
            "*31#aF",
            {"z": None, "phone-context": "a-1.b2.C.", "a": "1", "ext": "2"},
        ),
        ("tel:(%23;phone-context=C", "#", {"phone-context": "C"}),
        # A fragment is not part of the number.
        ("tel:+1-2;a=b#c;d", "+12", {"a": "b"}),
    ],
)
def test_tel_uris_are_parsed(text: str, digits: str, parameters: dict[str, str | None]) -> None:
    found = TelURI(text)
    assert str(found) == text
    assert found.number == text[4:].partition("#")[0].partition(";")[0]
    assert found.digits == digits
    assert found.is_global is digits.startswith("+")
    assert list(found.parameters.items()) == list(parameters.items())
    assert found.extension == parameters.get("ext")
    assert found.isdn_subaddress == parameters.get("isub")
    assert found.phone_context == parameters.get("phone-context")
    with pytest.raises(TypeError):
        found.parameters["ext"] = "3"  # type: ignore[index]


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
    lower = {name.lower(): decode(value) for name, value in parameters.items()}
    try:
        built = TelURI.from_parts(
            number,
            extension=extension,
            isdn_subaddress=subaddress,
            phone_context=context,
            parameters=parameters,
        )
    except BuildError:
        # Only names that differ in case alone, or surrogates, can cause an error here.
        values = [subaddress, *parameters.values()]
        assert len(lower) < len(parameters) or any(map(has_surrogate, values))
        return
    assert (built.number, built.extension, built.phone_context) == (number, extension, context)
    assert built.isdn_subaddress == decode(subaddress)
    found = dict(built.parameters)
    assert {name: found[name] for name in found if name not in _tel.DEFINED} == lower
    assert TelURI.from_parts(built.number, parameters=built.parameters) == built
    # Built parameters are in the order of the RFC.
    assert list(found) == sorted(found, key=_tel.rank_parameter)
    # Normalizing and resolving the URI do not change its meaning.
    for other in (built.normalize(), URI("http://a/").resolve(str(built))):
        assert TelURI(other).number == built.number
        assert TelURI(other).parameters == built.parameters
        assert built.equivalent(other, level="scheme")


def decode(data: str | bytes | None) -> str | None:
    return data.decode(errors="surrogateescape") if isinstance(data, bytes) else data


def has_surrogate(data: str | bytes | None) -> bool:
    return isinstance(data, str) and any("\ud800" <= c <= "\udfff" for c in data)
