"""The commands. Exit status: 0 if all texts are valid, 1 if some are not, 2 for misuse."""

from __future__ import annotations

import sys
from typing import Any, get_args

import click

from uriverse import Resolver, URIError, engine, parse, percent
from uriverse.diagnosis import Explanation, explain, refusal
from uriverse.diagnosis.figure import Line
from uriverse.identifiers.references import LEVELS
from uriverse.spec.normalization import STEPS
from uriverse.spec.percent import Component, Errors
from uriverse.version import __version__
from uriverse.views import text_of

from .lines import answers, as_argument, finish, given, print_json, report

#: How each component is painted on a terminal.
COLOURS = {
    "scheme": "magenta",
    "authority": "cyan",
    "userinfo": "yellow",
    "host": "cyan",
    "port": "blue",
    "path": "green",
    "query": "yellow",
    "fragment": "red",
}

#: The rules that `check` knows, by what they are called on the command line.
TYPES = {
    "uri": "URI",
    "uri-reference": "URI-reference",
    "absolute-uri": "absolute-URI",
    "iri": "IRI",
    "iri-reference": "IRI-reference",
    "absolute-iri": "absolute-IRI",
}

ENGINE = "compiled kernel" if engine.compiled else "specification, no kernel"

texts_argument = click.argument("texts", nargs=-1, metavar="[TEXT]...")
json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message=f"%(prog)s %(version)s ({ENGINE})")
def uriverse() -> None:
    """Take URIs and IRIs apart, exactly as RFC 3986 and RFC 3987 say.

    Each command reads the TEXTs given, or without any, standard input line by line.
    The exit status is 0 if all are valid, 1 if some are not, 2 for misuse.
    Where a text is printed for a text, one that is wrong has its number and the
    reason on standard error instead; --json prints a line for each.
    """


@uriverse.command("explain")
@texts_argument
@json_option
def explain_command(texts: tuple[str, ...], as_json: bool) -> None:
    """Show the anatomy of each TEXT, or what is wrong with it.

    \b
    uriverse explain "foo://example.com:8042/over/there?name=ferret#nose"
    uriverse explain --json < urls.txt
    """
    explanations = map(explain, given(texts))
    if as_json:
        finish(print_json(e.as_dict(), e.valid) for e in explanations)
    finish(print_figure(e, index) for index, e in enumerate(explanations))


@uriverse.command("parse")
@texts_argument
def parse_command(texts: tuple[str, ...]) -> None:
    """Print the components of each TEXT as a JSON object a line.

    A component that is undefined is null; one that is there and empty is "".

    \b
    uriverse parse "http://example.org/a?b" "urn:isbn:0451450523"
    uriverse parse < urls.txt | jq -r .host
    """
    finish(print_json(*components_of(text)) for text in given(texts))


@uriverse.command("check")
@texts_argument
@click.option(
    "--type",
    "kind",
    type=click.Choice(list(TYPES)),
    default="iri-reference",
    show_default=True,
    help="What each TEXT is to be.",
)
@click.option("-v", "--verbose", is_flag=True, help="Say on standard error what is wrong.")
def check_command(texts: tuple[str, ...], kind: str, verbose: bool) -> None:
    """Say by the exit status whether each TEXT is a URI, an IRI, or what --type says.

    \b
    uriverse check --type uri "http://example.org/" && echo yes
    uriverse check --type iri --verbose < iris.txt
    """
    finish(
        report(refusal(text, TYPES[kind]), number if verbose else None)
        for number, text in enumerate(given(texts), 1)
    )


@uriverse.command("resolve")
@click.argument("base")
@texts_argument
@click.option("--not-strict", is_flag=True, help="Ignore a scheme that is the base's.")
@json_option
def resolve_command(base: str, texts: tuple[str, ...], not_strict: bool, as_json: bool) -> None:
    """Resolve each TEXT, a reference, on BASE, and print its target.

    \b
    uriverse resolve "http://a/b/c/d;p?q" "../g" "?y"
    uriverse resolve "https://example.org/dir/" < links.txt
    """
    resolve = as_argument(lambda: Resolver(base, strict=not not_strict))
    finish(answers(given(texts), lambda text: str(resolve(text)), as_json=as_json))


@uriverse.command("relativize")
@click.argument("base")
@texts_argument
@click.option("--no-climb", is_flag=True, help="Stay in the directory of BASE.")
@json_option
def relativize_command(base: str, texts: tuple[str, ...], no_climb: bool, as_json: bool) -> None:
    """Print the shortest reference that leads from BASE to each TEXT.

    \b
    uriverse relativize "http://a/b/c/d" "http://a/b/g?x"
    uriverse relativize --no-climb "https://example.org/dir/" < urls.txt
    """
    start = as_argument(lambda: Resolver(base)).base
    finish(
        answers(
            given(texts),
            lambda text: str(parse(text).relative_to(start, climb=not no_climb)),
            as_json=as_json,
        )
    )


@uriverse.command("normalize")
@texts_argument
@click.option("--keep-case", is_flag=True, help="Leave case alone.")
@click.option("--keep-percent-encoding", is_flag=True, help="Decode nothing but steps.")
@click.option("--keep-dot-segments", is_flag=True, help="Leave . and .. in paths.")
@click.option("--keep-ipv6", is_flag=True, help="Leave the form of IPv6 addresses.")
@click.option("--changes", is_flag=True, help="Print what would change instead, as JSON.")
@json_option
def normalize_command(texts: tuple[str, ...], changes: bool, as_json: bool, **keep: bool) -> None:
    """Print each TEXT in its normal form (RFC 3986, 6.2.2).

    \b
    uriverse normalize "HTTP://Example.ORG/%7ea/../b"
    uriverse normalize --changes "HTTP://Example.ORG/"
    uriverse normalize --keep-dot-segments < urls.txt
    """
    steps = {step: not keep[f"keep_{step}"] for step in STEPS}
    if changes:
        finish(answers(given(texts), lambda text: changes_of(text, steps), as_json=True))
    finish(answers(given(texts), lambda text: str(parse(text).normalize(**steps)), as_json=as_json))


@uriverse.command("compare")
@click.argument("a")
@click.argument("b")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="syntax",
    show_default=True,
    help="The rung of RFC 3986, 6.2, to compare on.",
)
@json_option
def compare_command(a: str, b: str, level: Any, as_json: bool) -> None:
    """Say whether A and B are equivalent; the exit status is 0 if they are, 1 if not.

    It is 2 if one of them is not valid.

    \b
    uriverse compare "http://example.org/%7Ea" "HTTP://EXAMPLE.org/~a"
    uriverse compare --level string "http://a" "http://a/"
    """
    first, second = as_argument(lambda: parse(a)), as_argument(lambda: parse(b))
    same = first.equivalent(second, level=level)
    if as_json:
        finish([print_json({"a": a, "b": b, "level": level, "equivalent": same}, same)])
    click.echo("equivalent" if same else "different")
    finish([same])


@uriverse.command("encode")
@texts_argument
@click.option(
    "--component",
    type=click.Choice(get_args(Component)),
    default="unreserved",
    show_default=True,
    help="The rule that the result is to meet.",
)
@click.option(
    "--iri", is_flag=True, help="Leave characters past ASCII, where an IRI may hold them."
)
@json_option
def encode_command(texts: tuple[str, ...], component: Any, iri: bool, as_json: bool) -> None:
    """Percent-encode each TEXT, which is data, for a component.

    \b
    uriverse encode --component segment "50% of a/b"
    uriverse encode --component query --iri < data.txt
    """

    def encoded(text: str) -> str:
        # Octets that are not UTF-8 are data as well.
        return percent.encode(text_of(text.encode(errors="surrogateescape")), component, iri=iri)

    finish(answers(given(texts), encoded, as_json=as_json))


@uriverse.command("decode")
@texts_argument
@click.option(
    "--errors",
    type=click.Choice(get_args(Errors)),
    default="strict",
    show_default=True,
    help="What becomes of octets that are not UTF-8.",
)
@json_option
def decode_command(texts: tuple[str, ...], errors: Any, as_json: bool) -> None:
    """Decode the percent-encoding of each TEXT, once.

    What is decoded may hold line feeds: to tell it apart take --json.

    \b
    uriverse decode "caf%C3%A9%2F%2525"
    uriverse decode --errors keep --json < queries.txt
    """
    finish(answers(given(texts), lambda text: percent.decode(text, errors), as_json=as_json))


@uriverse.command("to-uri")
@texts_argument
@click.option(
    "--host",
    type=click.Choice(["percent", "idna"]),
    default="percent",
    show_default=True,
    help="How a host past ASCII is written.",
)
@json_option
def to_uri_command(texts: tuple[str, ...], host: Any, as_json: bool) -> None:
    """Print the URI that each TEXT, an IRI, maps to (RFC 3987, 3.1).

    \b
    uriverse to-uri "http://bücher.example/rosé"
    uriverse to-uri --host idna < iris.txt
    """
    finish(answers(given(texts), lambda text: str(parse(text).to_uri(host=host)), as_json=as_json))


@uriverse.command("to-iri")
@texts_argument
@json_option
def to_iri_command(texts: tuple[str, ...], as_json: bool) -> None:
    """Print the IRI that each TEXT, a URI, maps to (RFC 3987, 3.2).

    \b
    uriverse to-iri "http://example.org/ros%C3%A9"
    uriverse to-iri < urls.txt
    """
    finish(answers(given(texts), lambda text: str(parse(text).to_iri()), as_json=as_json))


def print_figure(explanation: Explanation, index: int) -> bool:
    blank: list[Line] = [[]] if index else []
    write = print_in_colour if sys.stdout.isatty() else print_plainly
    write(blank + explanation.lines())
    return explanation.valid


def print_plainly(lines: list[Line]) -> None:
    for line in lines:
        click.echo("".join(run.text for run in line).rstrip())


def print_in_colour(lines: list[Line]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for line in lines:
        text = Text.assemble(*((run.text, COLOURS.get(run.part, "")) for run in line))
        text.rstrip()
        # Wrapping would tear brackets from what they stand under.
        console.print(text, soft_wrap=True)


def components_of(text: str) -> tuple[dict[str, Any], bool]:
    """What `parse` prints for a text, and whether it is valid."""
    try:
        value = parse(text)
    except URIError as error:
        return {"text": text, "type": None, "error": error.as_dict()}, False
    return {
        "text": text,
        "type": type(value).__name__,
        "scheme": value.scheme,
        "authority": value.authority,
        "userinfo": value.userinfo,
        "host": value.host,
        "host_kind": value.host_kind,
        "port": value.port_text,
        "path": value.path,
        "query": value.query,
        "fragment": value.fragment,
        "error": None,
    }, True


def changes_of(text: str, steps: dict[str, bool]) -> list[dict[str, str]]:
    """What `normalize --changes` prints for a text."""
    return [change._asdict() for change in parse(text).normalization_changes(**steps)]
