from typing import Annotated, Any

import typer
from hypothesis import given
from strategies import produced
from typer.testing import CliRunner

from uriverse import HTTPURI, URI, URN
from uriverse.integrations.constraints import Constraints
from uriverse.integrations.typer import uri_parser

app = typer.Typer()
URN_A = URN("urn:example:a")


@app.command()
def show(
    uri: Annotated[URI, typer.Argument(parser=uri_parser(URI))],
    urn: Annotated[URN, typer.Option(parser=uri_parser(URN))] = URN_A,
    link: Annotated[
        list[HTTPURI], typer.Option(parser=uri_parser(HTTPURI, Constraints(schemes={"https"})))
    ] = [],  # noqa: B006  # typer copies it.
) -> None:
    print(f"{uri!r} {urn!r} {link!r}")  # noqa: T201


def run(*arguments: str) -> Any:
    result = CliRunner().invoke(app, arguments)
    assert "secret" not in result.output
    return result


@given(produced("URI"))
def test_parameters_keep_every_accepted_string(text: str) -> None:
    assert str(uri_parser()(text)) == text


def test_parameters_have_values_of_their_types() -> None:
    result = run("a:b", "--link", "https://a", "--link", "https://b/", "--urn", "URN:example:B")
    assert result.output == (
        "URI('a:b') URN('URN:example:B') [HTTPURI('https://a'), HTTPURI('https://b/')]\n"
    )
    assert run("a:b").output == "URI('a:b') URN('urn:example:a') []\n"
    # Help names the types.
    assert "URN" in run("--help").output
    assert uri_parser(URN).__name__ == "URN"


def test_an_error_of_typer_has_the_code_the_position_and_a_caret() -> None:
    result = run("http://me:secret@a/ b")
    assert result.exit_code == 2
    lines = [line.strip("│ ").rstrip() for line in result.output.splitlines()]
    found = next(n for n, line in enumerate(lines) if "invalid space" in line)
    assert lines[found].endswith("invalid space in path (syntax, position 19)")
    assert lines[found + 1 : found + 4] == [
        *("http://me:REDACTED@a/ b", "^", "hint: percent-encode it as %20")
    ]
    result = run("a:b", "--link", "http://me:secret@a/")
    assert result.exit_code == 2
    assert "scheme-not-allowed" in result.output
