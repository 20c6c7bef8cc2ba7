r"""Decoded text is `str`, and encoding accepts exactly the strings that decoding gives.

Octets that are not UTF-8 are surrogate escapes in it, as `os.fsdecode` makes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import produced

from uriverse import URI, BuildError, IRIReference, Params, Segments, TelURI, percent
from uriverse.typing import Component

COMPONENTS = get_args(Component)

#: Strings of which most have lone surrogates: those that are UTF-8 together, others, and neither.
SURROGATES = st.lists(
    st.one_of(
        st.sampled_from("\udcc3\udca9\udce2\udc82\udcac\udcff\udc80\udced\udca0"),
        st.sampled_from("\ud800\udfff\udc7f\udd00aé€%/"),
    ),
    max_size=6,
).map("".join)

STRINGS = st.one_of(st.text(st.characters(), max_size=8), SURROGATES)


def is_decoded(text: str) -> bool:
    """Whether some octets decode to a string."""
    try:
        return text.encode(errors="surrogateescape").decode(errors="surrogateescape") == text
    except UnicodeEncodeError:
        return False


def outcome(act: Callable[[], Any]) -> Any:
    """Return the result of an act, or its `BuildError`."""
    try:
        return act()
    except BuildError as error:
        return error


def assert_rejected_at_a_surrogate(text: str, error: BuildError) -> None:
    """The error is right, and is at the first character that has to be rejected."""
    assert not is_decoded(text)
    assert error.text == text
    assert "\ud800" <= text[error.position] <= "\udfff"
    assert is_decoded(text[: error.position])
    assert error.reason
    assert error.hint


@given(STRINGS, st.sampled_from(COMPONENTS), st.booleans())
@example("\udcff", "segment", False)
@example("é\udca9", "segment", True)
@example("\udcc3\udca9", "segment", False)
@example("a\udcff\udcc3\udca9", "segment", True)
@example("\udcc3\ud800\udca9", "segment", False)
def test_what_is_encoded_decodes_to_the_same_string_or_is_rejected(
    text: str, component: Any, iri: bool
) -> None:
    encoded = outcome(lambda: percent.encode(text, component, iri=iri))
    if isinstance(encoded, BuildError):
        assert_rejected_at_a_surrogate(text, encoded)
    else:
        assert percent.decode(encoded, "surrogateescape") == text


@given(st.binary(max_size=12), st.sampled_from(COMPONENTS), st.booleans())
@example(b"\xff", "segment", True)
@example("é\xff".encode("latin-1"), "query", True)
def test_octets_that_are_decoded_are_encoded_to_the_same_octets(
    octets: bytes, component: Any, iri: bool
) -> None:
    written = percent.encode(octets, component)
    text = percent.decode(written, "surrogateescape")
    assert text == octets.decode(errors="surrogateescape")
    assert percent.decode_bytes(percent.encode(text, component, iri=iri)) == octets
    assert percent.encode(text, component) == written


#: Each way to give a segment or a parameter's name or value, and to read what it became.
WAYS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], str]]] = {
    "with_name": (Segments("/a/b").with_name, lambda s: s.name),
    "with_segment": (lambda t: Segments("/a/b").with_segment(1, t), lambda s: s[1]),
    "with_suffix": (
        lambda t: Segments("/a/b").with_suffix(b"." + t if isinstance(t, bytes) else f".{t}"),
        lambda s: s.name.removeprefix("b."),
    ),
    "with_segments": (lambda t: URI("x:/").with_segments(["", "a", t]), lambda u: u.segments[2]),
    "build": (lambda t: IRIReference.build(segments=["", "a", t]), lambda u: u.segments[2]),
    "joinpath": (lambda t: URI("x:/a").joinpath("b", t), lambda u: u.segments[-1]),
    "/": (lambda t: IRIReference("//a/b") / t, lambda u: u.segments[-1]),
    "value": (lambda t: Params("a&b=%20").with_param("a", t), lambda p: p["a"]),
    "values": (lambda t: Params("a").with_param("a", ["", t]), lambda p: p.getall("a")[1]),
    "added value": (lambda t: Params("b").add_param("a", t), lambda p: p["a"]),
    "name": (lambda t: Params().with_param(t, "a"), lambda p: next(iter(p))),
    "added name": (lambda t: Params().add_param(t, "a"), lambda p: next(iter(p))),
    "updated": (lambda t: Params("c").updated([("c", t)]), lambda p: p["c"]),
    "with_params": (lambda t: URI("x:").with_params({"a": t}), lambda u: u.params["a"]),
    "rfc3986": (lambda t: Params(codec="rfc3986").with_param("a", t), lambda p: p["a"]),
    "tel": (lambda t: TelURI.build("+1", parameters={"a": t}), lambda t: t.parameters["a"]),
}


@pytest.mark.parametrize("way", WAYS)
@given(STRINGS.filter(lambda text: text.strip(".") != ""))
@example("\udcff")
@example("\udcc3\udca9")
@example("a\ud800")
def test_a_string_that_is_given_is_read_back_or_rejected(way: str, text: str) -> None:
    put, read = WAYS[way]
    value = outcome(lambda: put(text))
    if isinstance(value, BuildError):
        assert_rejected_at_a_surrogate(f".{text}" if way == "with_suffix" else text, value)
    else:
        assert read(value) == text


@pytest.mark.parametrize("way", WAYS)
@given(st.binary(min_size=1, max_size=8).filter(lambda octets: octets.strip(b".") != b""))
@example(b"\xff")
@example(b"\xc3\xa9")
def test_octets_that_are_given_are_read_as_a_string(way: str, octets: bytes) -> None:
    put, read = WAYS[way]
    text = octets.decode(errors="surrogateescape")
    assert read(put(octets)) == text
    assert str(put(text)) == str(put(octets))


@given(produced("ipath"), produced("iquery"), produced("iuserinfo"))
@example("/%FF/%C3", "%FF=%C3&%C3%A9", "%FF:%C3")
def test_all_that_is_decoded_is_a_string_that_can_be_encoded(
    path: str, query: str, userinfo: str
) -> None:
    params = Params(query)
    value = IRIReference.build(userinfo=userinfo, host="")
    found: list[str | None] = [
        *Segments(path),
        *params,
        *params.values(),
        value.username,
        value.password,
    ]
    for text in found:
        assert text is None or is_decoded(text)


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("\ud800", 0, "a surrogate is not a character"),
        ("\udcff\ud800", 1, "a surrogate is not a character"),
        ("aé\udd00\udcff", 2, "a surrogate is not a character"),
        ("\udcc3\udca9", 0, "surrogate escapes: together they are the UTF-8 encoding"),
        ("\udcffé\udcc3\udca9\ud800", 2, "invalid surrogate escapes"),
        ("\ud800\udcc3\udca9", 0, "a surrogate is not a character"),
        ("a\udcff\udce2\udc82\udcac", 2, "invalid surrogate escapes"),
    ],
)
def test_an_error_names_the_first_character_that_is_rejected(
    text: str, position: int, words: str
) -> None:
    acts: list[Callable[[], object]] = [
        lambda: percent.encode(text, "segment"),
        lambda: Segments("/a").with_name(text),
        lambda: Params().with_param("a", text),
        lambda: Params("a").with_param(text, "a"),
    ]
    for act in acts:
        with pytest.raises(BuildError, match=words) as caught:
            act()
        assert (caught.value.text, caught.value.position) == (text, position)
        assert "octets as bytes" in caught.value.hint
