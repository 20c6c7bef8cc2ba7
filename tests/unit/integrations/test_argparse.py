import argparse

import pytest
from hypothesis import given
from strategies import produced

from uriverse import HTTPURI, URI, URN
from uriverse.integrations.argparse import uri_type
from uriverse.integrations.constraints import Constraints


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="fetch")
    found.add_argument("uri", type=uri_type())
    found.add_argument("--urn", type=uri_type(URN), default="URN:example:a")
    found.add_argument("--link", type=uri_type(HTTPURI, Constraints(schemes={"https"})), nargs="*")
    return found


@given(produced("URI"))
def test_arguments_keep_every_accepted_string(text: str) -> None:
    assert str(uri_type()(text)) == text


def test_arguments_have_values_of_their_types() -> None:
    found = parser().parse_args(["a:b", "--link", "https://a", "https://b/"])
    assert (found.uri, found.urn) == (URI("a:b"), URN("URN:example:a"))
    assert found.link == [HTTPURI("https://a"), HTTPURI("https://b/")]
    # Argparse names the type.
    assert uri_type(URN).__name__ == "URN"
    # An error for an empty string has no caret.
    with pytest.raises(argparse.ArgumentTypeError) as caught:
        uri_type()("")
    first, hint = str(caught.value).splitlines()
    assert first.endswith("(syntax, position 0)")
    assert hint.startswith("hint: ")


def test_an_error_of_argparse_has_the_code_the_position_and_a_caret(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["http://me:secret@a/ b"])
    error = capsys.readouterr().err
    assert error.endswith(
        "fetch: error: argument uri: invalid space in path (syntax, position 19)\n"
        "  http://me:REDACTED@a/ b\n"
        "                       ^\n"
        "hint: percent-encode it as %20\n"
    )
    with pytest.raises(SystemExit):
        parser().parse_args(["a:b", "--link", "http://me:secret@a/"])
    error = capsys.readouterr().err
    assert "(scheme-not-allowed, position 0)\n  http://me:REDACTED@a/\n  ^\n" in error


def test_a_registered_type_prints_no_secrets(capsys: pytest.CaptureFixture[str]) -> None:
    found = argparse.ArgumentParser(prog="fetch")
    found.register("type", URI, uri_type(URI))
    found.add_argument("uri", type=URI)
    assert found.parse_args(["a:b"]).uri == URI("a:b")
    with pytest.raises(SystemExit):
        found.parse_args(["http://me:secret@a/ b"])
    error = capsys.readouterr().err
    assert "argument uri: invalid space in path (syntax, position 19)" in error
    assert "secret" not in error
