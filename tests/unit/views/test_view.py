"""The contract that all typed views share."""

from __future__ import annotations

import pickle

import pytest

from uriverse import HTTPURI, IRI, URI, URN, DataURI, FileURI, MailtoURI, ParseError, TelURI
from uriverse._engine import Identifier
from uriverse.schemes.registry import VIEWS
from uriverse.views.view import View

#: Each view with two equivalent URIs and one that differs.
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


def test_examples_cover_all_views() -> None:
    assert {kind.__name__ for kind, *_ in EXAMPLES} == {*VIEWS.values()}


def test_views_accept_strings_identifiers_and_views(
    example: tuple[type[View], str, str, str],
) -> None:
    kind, text, _, _ = example
    view = kind(text)
    assert kind(URI(text)) == kind(IRI(text)) == kind(view) == view
    assert kind(view).uri is view.uri
    with pytest.raises(TypeError, match="not int"):
        kind(1)  # type: ignore[arg-type]


def test_views_reject_views_of_other_schemes() -> None:
    with pytest.raises(ParseError, match="unexpected scheme: "):
        URN(TelURI("tel:+1"))


def test_views_are_immutable(example: tuple[type[View], str, str, str]) -> None:
    kind, text, other, _ = example
    view = kind(text)
    for act in (
        lambda: view.__init__(other),  # type: ignore[misc]
        lambda: setattr(view, "uri", URI(other)),
        lambda: delattr(view, "uri"),
    ):
        with pytest.raises(AttributeError, match=f"{kind.__name__} is immutable"):
            act()
    assert str(view) == text
    assert view == kind(text)


def test_views_are_final(example: tuple[type[View], str, str, str]) -> None:
    kind, *_ = example
    assert getattr(kind, "__final__", False)


def test_views_are_not_identifiers_but_their_uri_is(
    example: tuple[type[View], str, str, str],
) -> None:
    kind, text, _, _ = example
    assert not isinstance(kind(text), Identifier)
    assert kind(text).uri == URI(text)
    assert kind(text) != URI(text)


def test_equivalent_views_have_the_same_comparison_key(
    example: tuple[type[View], str, str, str],
) -> None:
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


def test_equivalent_rejects_invalid_and_foreign_uris(
    example: tuple[type[View], str, str, str],
) -> None:
    kind, text, _, _ = example
    view = kind(text)
    for other in ("", "a b", "x:y", URI("x:y"), IRI("x:é")):
        with pytest.raises(ParseError):
            view.equivalent(other)
    foreign = HTTPURI("http://a/") if kind is not HTTPURI else URN("urn:ab:c")
    with pytest.raises(ParseError):
        view.equivalent(foreign)
    for wrong in (None, 1, b"urn:ab:c"):
        with pytest.raises(TypeError):
            view.equivalent(wrong)  # type: ignore[arg-type]


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
def test_errors_of_views_show_the_uri(kind: type[View], text: str) -> None:
    with pytest.raises(ParseError) as caught:
        kind(text)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert error.well_formed
        assert f"  {text}\n" in str(error)


def test_errors_of_views_mask_passwords() -> None:
    with pytest.raises(ParseError) as caught:
        HTTPURI("ftp://me:secret@a/b@c")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert "ftp://me:REDACTED@a/b@c" in str(error)


@pytest.mark.parametrize("text", ["ftp:me:secret@a", "ftp:?a=//me:secret@b"])
def test_errors_of_views_mask_passwords_of_nested_uris(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        HTTPURI(text)
    assert text.replace("secret", "REDACTED") in str(caught.value)


def test_errors_of_views_mask_suspected_passwords_of_invalid_uris() -> None:
    with pytest.raises(ParseError) as caught:
        MailtoURI("mailto:Joe <joe@x.org>")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert not error.well_formed
        assert "mailto:REDACTED@x.org>" in str(error)


def test_comparison_keys_of_lower_levels_are_those_of_the_uri() -> None:
    view = URN("URN:example:a%2c?=b")
    assert view.comparison_key() == view.comparison_key("scheme") == "urn:example:a%2C"
    assert view.comparison_key("syntax") == view.uri.comparison_key("syntax")
    assert view.comparison_key("string") == str(view)
    with pytest.raises(ValueError, match="level must be a Registry or one of"):
        view.comparison_key("x")  # type: ignore[arg-type]
