"""Decoded data is `str`, and encoding accepts exactly the strings that decoding returns.

Octets that are not UTF-8 become surrogate escapes in the string, as in `os.fsdecode`.
"""

from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import produced

from uriverse import URI, BuildError, IRIReference, Params, Segments, TelURI, percent
from uriverse.typing import Component

COMPONENTS = get_args(Component)

#: Mostly strings with lone surrogates: surrogate escapes that together are valid UTF-8, other
#: surrogate escapes, and surrogates that are not escapes.
SURROGATES = st.lists(
    st.one_of(
        st.sampled_from("\udcc3\udca9\udce2\udc82\udcac\udcff\udc80\udced\udca0"),
        st.sampled_from("\ud800\udfff\udc7f\udd00aé€%/"),
    ),
    max_size=6,
).map("".join)

STRINGS = st.one_of(st.text(st.characters(), max_size=8), SURROGATES)


def is_decoded(text: str) -> bool:
    try:
        return text.encode(errors="surrogateescape").decode(errors="surrogateescape") == text
    except UnicodeEncodeError:
        return False


def result_or_error(function: Callable[[], Any]) -> Any:
    try:
        return function()
    except BuildError as error:
        return error


def assert_rejected_at_a_surrogate(text: str, error: BuildError) -> None:
    """Assert that an error points at the first character that must be rejected."""
    assert not is_decoded(text)
    assert error.text == text
    assert "\ud800" <= text[error.position] <= "\udfff"
    assert is_decoded(text[: error.position])
    assert error.reason
    assert error.hint


#: Each method that takes the data of a segment or a parameter, and how to read that data back.
METHODS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], str]]] = {
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
    "tel": (lambda t: TelURI.from_parts("+1", parameters={"a": t}), lambda t: t.parameters["a"]),
}


@pytest.mark.parametrize("method", METHODS)
@given(STRINGS.filter(lambda text: text.strip(".") != ""))
@example("\udcff")
@example("\udcc3\udca9")
@example("a\ud800")
def test_a_segment_or_parameter_is_read_back_unchanged_or_rejected(method: str, text: str) -> None:
    put, read = METHODS[method]
    value = result_or_error(lambda: put(text))
    if isinstance(value, BuildError):
        assert_rejected_at_a_surrogate(f".{text}" if method == "with_suffix" else text, value)
    else:
        assert read(value) == text
        assert str(put(text.encode(errors="surrogateescape"))) == str(value)


@given(produced("ipath"), produced("iquery"), produced("iuserinfo"))
@example("/%FF/%C3", "%FF=%C3&%C3%A9", "%FF:%C3")
def test_every_decoded_string_can_be_encoded_again(path: str, query: str, userinfo: str) -> None:
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
def test_an_error_points_at_the_first_bad_surrogate(text: str, position: int, words: str) -> None:
    functions: list[Callable[[], object]] = [
        lambda: percent.encode(text, "segment"),
        lambda: Segments("/a").with_name(text),
        lambda: Params().with_param("a", text),
        lambda: Params("a").with_param(text, "a"),
    ]
    for function in functions:
        with pytest.raises(BuildError, match=words) as caught:
            function()
        assert (caught.value.text, caught.value.position) == (text, position)
        assert "octets as bytes" in caught.value.hint
