from typing import Any

import click
from click.testing import CliRunner, Result
from hypothesis import given
from strategies import produced

from uriverse import HTTPURI, URI, URN, IRIReference
from uriverse.integrations.click import TemplateParam, URIParam
from uriverse.integrations.constraints import Constraints
from uriverse.templates import Template


@click.command()
@click.argument("uri", type=URIParam())
@click.option("--urn", type=URIParam(URN), default=URN("urn:example:a"), show_default=True)
@click.option("--link", type=URIParam(HTTPURI, Constraints(schemes={"https"})), multiple=True)
@click.option("--reference", type=URIParam(IRIReference), default="ä#")
def show(**given: Any) -> None:
    click.echo(repr(given))


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(show, arguments)
    assert "secret" not in result.output
    return result


@given(produced("URI"))
def test_arguments_keep_every_accepted_string(text: str) -> None:
    assert (str(URIParam().convert(text, None, None)), URIParam()(text)) == (text, URI(text))


def test_options_have_values_of_their_types() -> None:
    result = run("a:b", "--link", "https://a", "--link", "https://b/", "--urn", "URN:example:B")
    expected = {
        "uri": URI("a:b"),
        "link": (HTTPURI("https://a"), HTTPURI("https://b/")),
        "urn": URN("URN:example:B"),
        "reference": IRIReference("ä#"),
    }
    assert sorted(eval(result.output).items(), key=str) == sorted(expected.items(), key=str)
    assert "'urn': URN('urn:example:a')" in run("a:b").output
    # Help names the types.
    output = run("--help").output
    assert "--urn URN " in output
    assert "[default: urn:example:a]" in output
    assert "--reference IRIREFERENCE" in output
    assert repr(URIParam(URN)) == "URIParam(URN)"


def test_an_error_of_click_has_the_code_the_position_and_a_caret() -> None:
    result = run("http://me:secret@a/ b")
    assert result.exit_code == 2
    assert result.stderr == (
        "Usage: show [OPTIONS] URI\n"
        "Try 'show --help' for help.\n\n"
        "Error: Invalid value for 'URI': invalid space in path (syntax, position 19)\n"
        "  http://me:REDACTED@a/ b\n"
        "                       ^\n"
        "hint: percent-encode it as %20\n"
    )
    # Constraints are errors of click.
    result = run("a:b", "--link", "http://me:secret@a/")
    assert result.exit_code == 2
    assert result.stderr.endswith(
        "Error: Invalid value for '--link': unexpected scheme: expected https "
        "(scheme-not-allowed, position 0)\n  http://me:REDACTED@a/\n  ^\n"
    )


@click.command()
@click.argument("template", type=TemplateParam())
@click.option("--other", type=TemplateParam(), default=Template("/{a}"), show_default=True)
def show_templates(**given: Any) -> None:
    click.echo(repr(given))


def test_templates_are_arguments_and_options() -> None:
    result = CliRunner().invoke(show_templates, ["/users/{id}"])
    assert result.output == "{'template': Template('/users/{id}'), 'other': Template('/{a}')}\n"
    help_of_command = CliRunner().invoke(show_templates, ["--help"]).output
    assert "--other TEMPLATE  [default: /{a}]" in help_of_command
    assert repr(TemplateParam()) == "TemplateParam()"
    # An error of a template has the position and a caret.
    result = CliRunner().invoke(show_templates, ["https://me:secret@a/{id"])
    assert result.exit_code == 2
    assert result.stderr.endswith(
        "Error: Invalid value for 'TEMPLATE': missing \"}\": the expression does not end "
        "(template-syntax, position 20)\n"
        "  https://me:REDACTED@a/{id\n"
        "                        ^\n"
        'hint: add "}", or write a literal "{" as %7B\n'
    )
