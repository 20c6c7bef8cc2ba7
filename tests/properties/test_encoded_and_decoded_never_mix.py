import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import produced

from uriverse import IRI, URI, BuildError, IRIReference, URIReference, parse

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


def test_each_segment_is_decoded_separately_and_once() -> None:
    for path, segments_found in [
        *(("/a%2Fb", ("", "a/b")), ("/%25", ("", "%")), ("/%2525", ("", "%25"))),
        *(("/%252F", ("", "%2F")), ("/%C3%A9", ("", "é")), ("/%C3%a9é", ("", "éé"))),
        *(("/%FF", ("", "\udcff")), ("/é%FF", ("", "é\udcff")), ("/%00", ("", "\0"))),
        *(("/%ED%A0%80", ("", "\udced\udca0\udc80")), ("/+", ("", "+")), ("//", ("", "", ""))),
        *(("/", ("", "")), ("", ())),
    ]:
        assert parse(f"http://h{path}").segments == segments_found


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


def test_a_colon_in_the_first_segment_of_a_relative_path_is_encoded() -> None:
    assert str(URIReference("") / "a:b" / "c:d") == "a%3Ab/c:d"
    assert str(URIReference.build(segments=["a:b", "c:d"])) == "a%3Ab/c:d"
    assert str(URI.build(scheme="x", segments=["a:b"])) == "x:a:b"
    assert str(URIReference("?q").replace(segments=["a:b", "c:d"])) == "a%3Ab/c:d?q"
    assert str(URI("x:y").replace(segments=["a:b"])) == "x:a:b"


@pytest.mark.parametrize("dot_segment", [".", "..", b".", b".."])
def test_a_dot_segment_is_rejected_as_data(dot_segment: str | bytes) -> None:
    with pytest.raises(BuildError, match="a dot segment cannot be escaped"):
        URI("http://a/b") / dot_segment
    with pytest.raises(BuildError, match="a dot segment cannot be escaped"):
        URI("http://a/b").joinpath("a", dot_segment)
    with pytest.raises(BuildError):
        URI("http://a/b").with_segments(["", dot_segment])


def test_a_lone_surrogate_is_rejected_as_data() -> None:
    with pytest.raises(BuildError) as caught:
        URI("http://a/") / "ab\ud800"
    assert (caught.value.position, caught.value.component) == (2, "path")


@pytest.mark.parametrize("text", ["a b", "%", "%zz", "é", "a#b"])
def test_with_path_rejects_invalid_characters_instead_of_encoding_them(text: str) -> None:
    with pytest.raises(BuildError):
        URI("http://a/").with_path(f"/{text}")


def test_userinfo_is_split_before_it_is_decoded() -> None:
    value = URI("http://u%3Av:p%3Aq:r%40@h/")
    assert (value.username, value.password) == ("u:v", "p:q:r@")
    assert value.userinfo == "u%3Av:p%3Aq:r%40"
