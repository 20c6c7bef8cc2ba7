import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import produced

from uriverse import IRI, URI, BuildError, IRIReference

#: References, often with dot segments.
DOTTED = st.lists(st.sampled_from(["/", "//a/", ".", "..", "%2E", "/%2e.", "a"])).map("".join)


@given(st.one_of(produced("IRI-reference"), DOTTED))
def test_setting_the_segments_of_a_value_again_keeps_their_data(text: str) -> None:
    value = IRIReference(text)
    assert value.with_segments(value.segments) == value
    try:
        again = value.with_segments(list(value.segments))
    except BuildError:
        # A dot segment, even a percent-encoded one, is not allowed as data.
        assert {".", ".."} & set(value.segments)
    else:
        assert again.segments == value.segments


@given(produced("IRI-reference"))
def test_segments_are_split_before_they_are_decoded(text: str) -> None:
    value = IRIReference(text)
    assert "/".join(value.raw_segments) == value.path
    assert len(value.segments) == len(value.raw_segments)


@pytest.mark.parametrize(
    ("segment", "in_uri", "in_iri"),
    [
        *(("a/b", "a%2Fb", "a%2Fb"), ("%", "%25", "%25"), ("%41", "%2541", "%2541")),
        *(("é", "%C3%A9", "é"), ("\ue000", "%EE%80%80", "%EE%80%80")),
        *(("\ufdd0", "%EF%B7%90", "%EF%B7%90"), ("a b", "a%20b", "a%20b")),
        *(("a?b#c", "a%3Fb%23c", "a%3Fb%23c"), ("a:b@c", "a:b@c", "a:b@c")),
        *(("\0\n", "%00%0A", "%00%0A"), ("...", "...", "..."), (b"\xff", "%FF", "%FF")),
        *(("\udcff", "%FF", "%FF"), ("é\udcff", "%C3%A9%FF", "é%FF")),
        *((b"a/\xff", "a%2F%FF", "a%2F%FF"), ("é".encode(), "%C3%A9", "é")),
    ],
)
def test_data_is_encoded_once_if_necessary(segment: str | bytes, in_uri: str, in_iri: str) -> None:
    assert (URI("http://a/") / segment).path == f"/{in_uri}"
    assert (IRI("http://a/") / segment).path == f"/{in_iri}"


def test_userinfo_is_split_before_it_is_decoded() -> None:
    value = URI("http://u%3Av:p%3Aq:r%40@h/")
    assert (value.username, value.password) == ("u:v", "p:q:r@")
    assert value.userinfo == "u%3Av:p%3Aq:r%40"
