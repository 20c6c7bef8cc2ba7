import copy
import operator
import pickle
import re
from collections.abc import Callable
from functools import partial
from typing import Any
from unicodedata import category

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import TYPES, hostile, segments, texts

from uriverse import (
    HTTPURI,
    IRI,
    URI,
    BuildError,
    ConvertError,
    IRIReference,
    ParseError,
    Policy,
    URIError,
    URIReference,
    check,
    explain,
    parse,
)
from uriverse._errors import read_attributes
from uriverse._spec.messages import create_parse_error
from uriverse._spec.syntax import RULES
from uriverse._uri import engine

KINDS = {kind._rule: kind for kind in (URI, URIReference, IRI, IRIReference)}
COMPONENTS = {"scheme", "userinfo", "host", "port", "path", "query", "fragment"}


def error_of(function: Callable[[], object]) -> URIError | None:
    """Return the `URIError` that a function raises, or None; other errors propagate."""
    try:
        function()
    except URIError as error:
        return error
    return None


def assert_complete(error: URIError) -> None:
    assert 0 <= error.position <= len(error.text)
    assert error.component in COMPONENTS
    assert error.rule in RULES
    assert error.reason
    assert str(error).startswith(f"{error.reason} ({error.rule}, position {error.position})")
    assert isinstance(error, ValueError)


def assert_printable(shown: str) -> None:
    assert [c for c in shown.replace("\n", "") if category(c)[0] == "C"] == []
    assert len(shown.splitlines()) == len(shown.split("\n"))


@given(texts(), st.sampled_from(TYPES))
@example("1a:80/\x1b[31m\n\u202e", "URI-reference")
def test_an_error_is_complete_printable_and_survives_copying(text: str, rule: str) -> None:
    error = error_of(lambda: KINDS[rule](text))
    if error is None:
        return
    # The attributes are computed when they are first read.
    assert read_attributes(error) == {}
    expected = create_parse_error(text, rule)
    assert (type(error), error.text) == (ParseError, text)
    assert_complete(error)
    assert (vars(error), error.args) == (vars(expected), expected.args)
    assert KINDS[rule].try_parse(text) is None
    for shown in (str(error), error.hint, error.reason):
        assert_printable(shown)
    pickled = [pickle.dumps(error, number) for number in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in (copy.copy(error), copy.deepcopy(error), *map(pickle.loads, pickled)):
        assert (type(again), vars(again), str(again)) == (type(error), vars(error), str(error))


@pytest.mark.parametrize(("path", "position"), [(":\0", 1), ("//a b", 3), ("a:b%", 4)])
def test_an_error_in_a_shielded_path_is_placed_in_the_given_path(path: str, position: int) -> None:
    error = error_of(lambda: URIReference.build(path=path, protect_path=True))
    assert error is not None
    assert (error.text, error.position, error.component) == (path, position, "path")


@given(st.one_of(hostile(), segments()), st.lists(st.one_of(hostile(), segments()), max_size=3))
def test_joining_any_data_works_or_raises(segment: str | bytes, more: list[str | bytes]) -> None:
    for value in (URI("a:"), IRI("a://é/b"), URIReference(""), IRIReference("//a")):
        functions: list[Callable[[], object]] = [
            partial(operator.truediv, value, segment),
            partial(value.joinpath, *more),
            partial(value.with_segments, more),
        ]
        for function in functions:
            error = error_of(function)
            if error is not None:
                assert type(error) is BuildError
                assert_complete(error)


@given(texts())
@example(f"//a:{'1' * 641}")
def test_every_attribute_returns_a_value_or_raises_convert_error(text: str) -> None:
    value = IRIReference.try_parse(text)
    assume(value is not None)
    for name in [
        *("username", "password", "port", "hostname", "ip", "segments", "raw_segments"),
        *("is_relative", "is_absolute"),
    ]:
        error = error_of(partial(getattr, value, name))
        if error is not None:
            assert type(error) is ConvertError
            assert error.text == text
            assert_complete(error)


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=150))
def test_the_caret_points_at_the_invalid_character(text: str) -> None:
    error = error_of(lambda: URI(text))
    assume(error is not None and "@" not in text)
    assert error is not None
    drawing, caret = str(error).split("\n")[1:3] if text else ("  ", "  ^")
    assert re.fullmatch(" +\\^", caret)
    assert (drawing + " ")[len(caret) - 1] == (text + " ")[error.position]


@pytest.mark.parametrize(
    ("text", "drawn", "column"),
    [
        ("/a\u4e2d b", "/a\u4e2d b", 4),  # a character of width 2
        ("/e\u0301 b", "/e\u0301 b", 2),  # a character of width 0
        ("/\u202e\0 b", "/\\u202e\\x00 b", 7),  # characters that are shown as escapes
        *(("/a\ud800", "/a\\ud800", 2), ("/" + "a" * 100 + " b", "…" + "a" * 60 + " b", 61)),
        ("/ " + "a" * 100, "/ " + "a" * 59 + "…", 1),
    ],
)
def test_a_caret_counts_wide_escaped_and_cut_letters(text: str, drawn: str, column: int) -> None:
    error = error_of(lambda: IRIReference(text))
    assert error is not None
    assert str(error).split("\n")[1:3] == [f"  {drawn}", f"  {' ' * column}^"]


#: Invalid strings with `{}` in place of a password, or of something that may be meant as one.
PASSWORD_PLACES = (
    *("http://user:{}@host/ ", "http://user:{}@host:x/", "http://user:{}@[::1/"),
    *("//user:{}@host\\", "http://user:{}@ho st/", "http://user:{}@host/%zz"),
    *("http://us er:{}@host/", "http://user:{}%zz@host/", "http://user:{}\\@host/"),
    *("http://user:{} @host/", "http://user:a{}\ud800@host/", "http://user:{}/x@host/"),
    *("http://user:{}?x@host/", "http://user:{}#x@host/", "http://user:{}@x@host/"),
    *("user_name:{}@host", "1user:1234/{}@host", "user name:{}@host"),
)


@pytest.mark.parametrize("place", PASSWORD_PLACES)
@pytest.mark.parametrize("kind", KINDS.values())
def test_no_error_message_contains_a_password(kind: type[IRIReference], place: str) -> None:
    error = error_of(lambda: kind(place.format("SeCrEt")))
    assert error is not None
    assert "SeCrEt" in error.text
    assert "secret" not in (str(error) + repr(error) + error.hint + error.reason).lower()


@pytest.mark.parametrize(
    ("text", "character"),
    [("//u:a\u4e2db@h", "\u4e2d"), ("//u:a\\b@h", "\\"), ("//u:a b@h", " "), ("//u:a[b@h", "[")],
)
def test_no_error_message_names_a_character_of_a_password(text: str, character: str) -> None:
    error = error_of(lambda: URIReference(text))
    assert error is not None
    encoded = "".join(f"%{octet:02X}" for octet in character.encode())
    assert f'"{character}"' not in str(error)
    assert encoded not in str(error)
    assert f"U+{ord(character):04X}" not in str(error)
    assert "backslash" not in str(error)
    assert "a space" not in str(error)


@given(st.text(st.sampled_from("sQzXk%41!$&'"), min_size=3).map(lambda s: s.replace("%", "%41")))
def test_repr_never_contains_a_password(password: str) -> None:
    value = URI(f"https://us:{password}@h/")
    assert password not in repr(value)
    assert password in str(value)
    assert value.userinfo == f"us:{password}"


def test_errors_of_with_userinfo_never_contain_the_password() -> None:
    for userinfo in ("user:SeCrEt ", "user:SeCrEt@", "us er:SeCrEt", "user:%zzSeCrEt"):
        error = error_of(partial(URI("a://b").with_userinfo, userinfo))
        assert error is not None
        assert "SeCrEt" not in str(error) + repr(error)


@pytest.mark.parametrize("wrong", [None, 1, 1.5, b"http://a", ["a"], object(), True])
def test_arguments_that_are_not_strings_raise_type_error(wrong: object) -> None:
    value = URI("http://a/b")
    functions: list[Callable[[Any], object]] = [
        *KINDS.values(),
        *(kind.try_parse for kind in KINDS.values()),
        *(parse, engine.is_iri, value.with_path),
    ]
    if wrong is not None:
        functions += [value.with_scheme, value.with_host, value.with_userinfo]
        functions += [value.with_query, value.with_fragment, value.with_authority]
    for function in functions:
        with pytest.raises(TypeError):
            function(wrong)


#: URIs with `{}` in place of a password: in their own userinfo, or in that of a nested URI. The
#: nested URI may be percent-encoded.
NESTED_PLACES = (
    *("http://user:{}@host/", "//user:{}@host:80/a?b#c", "jdbc:mysql://user:{}@host/db"),
    *("jar:http://user:{}@host!/a", "http:/user:{}@host/", "http:user:{}@host/"),
    *("//host//user:{}@host/", "//host/?next=http://user:{}@host/&to=a"),
    *("//host/?a=b&next=http:user:{}@host/", "?next=//user:{}@host", "#http://user:{}@host/"),
    *("?next=http%3A%2F%2Fuser%3A{}%40host%2F", "?next=http%3a//user%3a{}%40host/"),
    *("?next=http%253A%252F%252Fuser%253A{}%2540host", "mailto:joe@host?body=http://user:{}@host"),
    "urn:a:b:http://user:{}@host",
)

#: Passwords around a marker that the test searches for. They have no "&", which ends a parameter.
IN_PASSWORDS = st.text("Az09._~!$'()*+,;=:-", max_size=9)
PASSWORDS = st.builds("{}S3CR3T{}".format, IN_PASSWORDS, IN_PASSWORDS)


@given(
    st.sampled_from(NESTED_PLACES),
    st.sampled_from(NESTED_PLACES),
    PASSWORDS,
    st.sampled_from(["", " ", "%zz", "\\", "|x", "\ud800"]),
)
def test_no_output_contains_the_password_of_a_uri_or_of_a_nested_uri(
    place: str, other: str, password: str, wrong: str
) -> None:
    text = place.format(password)
    if "?" not in text and "#" not in text and other.startswith(("?", "#")):
        text += other.format(password)
    value = parse(text)
    shown = [repr(value), value.display(), repr(explain(text)), repr(value.params)]
    shown += [repr(change) for change in value.normalization_changes()]
    shown += [f"{f.message}{f.suggestion}" for f in check(text + wrong, "strict")]
    for function in (
        lambda: parse(text + wrong),
        lambda: HTTPURI(f"x-{text}"),
        lambda: Policy().enforce(text),
    ):
        if error := error_of(function):
            shown += [str(error), repr(error)]
    assert [line for line in shown if "S3CR3T" in line] == []
