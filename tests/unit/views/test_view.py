"""What all typed views are: one contract."""

from __future__ import annotations

import pickle

import pytest

from uriverse import HTTPURI, IRI, URI, URN, DataURI, FileURI, MailtoURI, ParseError, TelURI
from uriverse._engine import Identifier
from uriverse.schemes.registry import VIEWS
from uriverse.views.view import View

#: Each view with texts for the same, and one for something else.
EXAMPLES: list[tuple[type[View], str, str, str]] = [
    (URN, "urn:example:a%2cb", "URN:EXAMPLE:a%2Cb?=c#d", "urn:example:a,b"),
    (TelURI, "tel:+1-201;a;ext=2", "TEL:+(1201);EXT=2;A", "tel:+1201;a"),
    (MailtoURI, "mailto:a@B?Subject=x", "mailto:?SUBJECT=%78&to=a@b", "mailto:A@b?subject=x"),
    (FileURI, "file:/a/b", "FILE://localhost/c/../a/b", "file:////a/b"),
    (DataURI, "data:Text/HTML;BASE64,QQ==", "data:text/html;base64,QQ==", "data:text/html,A"),
    (HTTPURI, "HTTP://%41:80", "http://a/", "https://a/"),
]


@pytest.fixture(params=EXAMPLES, ids=[kind.__name__ for kind, *_ in EXAMPLES])
def example(request: pytest.FixtureRequest) -> tuple[type[View], str, str, str]:
    found: tuple[type[View], str, str, str] = request.param
    return found


def test_all_views_are_here() -> None:
    assert {kind.__name__ for kind, *_ in EXAMPLES} == {name for _, name in VIEWS.values()}


def test_a_view_is_made_of_a_text_an_identifier_or_a_view(
    example: tuple[type[View], str, str, str],
) -> None:
    kind, text, _, _ = example
    view = kind(text)
    assert kind(URI(text)) == kind(IRI(text)) == kind(view) == view
    assert kind(view).uri is view.uri
    with pytest.raises(TypeError, match="not int"):
        kind(1)  # type: ignore[arg-type]  # what it is about


def test_a_view_of_another_kind_is_read_by_its_text() -> None:
    with pytest.raises(ParseError, match="unexpected scheme: "):
        URN(TelURI("tel:+1"))


def test_a_view_never_changes(example: tuple[type[View], str, str, str]) -> None:
    kind, text, other, _ = example
    view = kind(text)
    for act in (
        lambda: view.__init__(other),  # type: ignore[misc]  # what it is about
        lambda: setattr(view, "uri", URI(other)),
        lambda: delattr(view, "uri"),
    ):
        with pytest.raises(AttributeError, match=f"{kind.__name__} is immutable"):
            act()
    assert str(view) == text
    assert view == kind(text)


def test_a_view_has_no_subclass(example: tuple[type[View], str, str, str]) -> None:
    kind, *_ = example
    assert getattr(kind, "__final__", False)


def test_a_view_is_no_identifier_and_its_uri_is(
    example: tuple[type[View], str, str, str],
) -> None:
    kind, text, _, _ = example
    assert not isinstance(kind(text), Identifier)
    assert kind(text).uri == URI(text)
    assert kind(text) != URI(text)


def test_what_is_equivalent_has_one_key(example: tuple[type[View], str, str, str]) -> None:
    kind, one, same, another = example
    view = kind(one)
    for other in (same, URI(same), IRI(same), kind(same)):
        assert view.equivalent(other)
    assert kind(same).equivalent(view)
    assert view.comparison_key() == kind(same).comparison_key()
    assert isinstance(view.comparison_key(), str)
    assert not view.equivalent(another)
    assert not view.equivalent(kind(another))
    assert view != kind(same)


def test_only_what_can_be_read_is_compared(example: tuple[type[View], str, str, str]) -> None:
    kind, text, _, _ = example
    view = kind(text)
    for other in ("", "a b", "x:y", URI("x:y"), IRI("x:é")):
        with pytest.raises(ParseError):
            view.equivalent(other)
    foreign = HTTPURI("http://a/") if kind is not HTTPURI else URN("urn:ab:c")
    with pytest.raises(ParseError):
        view.equivalent(foreign)
    for no_text in (None, 1, b"urn:ab:c"):
        with pytest.raises(TypeError):
            view.equivalent(no_text)  # type: ignore[arg-type]  # what it is about


# --- errors


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (MailtoURI, "mailto:Joe%20%3Cjoe@x.org%3E"),
        (TelURI, "tel:+1;a:b=c@d"),
        (URN, "urn:a:b@c"),
        (HTTPURI, "ftp:a@b:c"),
    ],
)
def test_what_is_wrong_with_a_uri_is_drawn(kind: type[View], text: str) -> None:
    with pytest.raises(ParseError) as caught:
        kind(text)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert error.well_formed
        assert f"  {text}\n" in str(error)


def test_the_password_of_a_uri_is_never_drawn() -> None:
    with pytest.raises(ParseError) as caught:
        HTTPURI("ftp://me:secret@a/b@c")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert "ftp://me:***@a/b@c" in str(error)


@pytest.mark.parametrize("text", ["ftp:me:secret@a", "ftp:?a=//me:secret@b"])
def test_the_password_of_a_uri_in_a_uri_is_never_drawn(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        HTTPURI(text)
    assert text.replace("secret", "***") in str(caught.value)


def test_what_is_no_uri_may_hold_a_password_anywhere() -> None:
    with pytest.raises(ParseError) as caught:
        MailtoURI("mailto:Joe <joe@x.org>")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert not error.well_formed
        assert "mailto:***@x.org>" in str(error)


def test_a_key_of_another_level_is_that_of_the_uri() -> None:
    view = URN("URN:example:a%2c?=b")
    assert view.comparison_key() == view.comparison_key("scheme") == "urn:example:a%2C"
    assert view.comparison_key("syntax") == view.uri.comparison_key("syntax")
    assert view.comparison_key("string") == str(view)
    with pytest.raises(ValueError, match="level must be one of"):
        view.comparison_key("x")  # type: ignore[arg-type]
