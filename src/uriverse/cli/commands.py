"""The commands. Exit status: 0 if all texts are valid, 1 if some are not, 2 for misuse."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import click

from uriverse import Resolver, URIError, engine, parse
from uriverse.diagnosis import Explanation, explain, refusal
from uriverse.diagnosis.figure import Line
from uriverse.version import VERSION

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

#: What a shell calls the end by a closed pipe: 128 and the signal's number.
PIPE_CLOSED = 141

ENGINE = "compiled kernel" if engine.compiled else "specification, no kernel"

texts_argument = click.argument("texts", nargs=-1, metavar="[TEXT]...")


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(VERSION, message=f"%(prog)s %(version)s ({ENGINE})")
def uriverse() -> None:
    """Take URIs and IRIs apart, exactly as RFC 3986 and RFC 3987 say.

    Each command reads the TEXTs given, or without any, standard input line by line.
    The exit status is 0 if all are valid, 1 if some are not, 2 for misuse.
    """


@uriverse.command("explain")
@texts_argument
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
def explain_command(texts: tuple[str, ...], as_json: bool) -> None:
    r"""Show the anatomy of each TEXT, or what is wrong with it.

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
    r"""Print the components of each TEXT as a JSON object a line.

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
    r"""Say by the exit status whether each TEXT is a URI, an IRI, or what --type says.

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
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
def resolve_command(base: str, texts: tuple[str, ...], not_strict: bool, as_json: bool) -> None:
    r"""Resolve each TEXT, a reference, on BASE, and print its target.

    \b
    uriverse resolve "http://a/b/c/d;p?q" "../g" "?y"
    uriverse resolve "https://example.org/dir/" < links.txt
    """
    resolve = as_argument(lambda: Resolver(base, strict=not not_strict))
    finish(answers(given(texts), resolve, as_json=as_json))


@uriverse.command("relativize")
@click.argument("base")
@texts_argument
@click.option("--no-climb", is_flag=True, help="Stay in the directory of BASE.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object a line.")
def relativize_command(base: str, texts: tuple[str, ...], no_climb: bool, as_json: bool) -> None:
    r"""Print the shortest reference that leads from BASE to each TEXT.

    \b
    uriverse relativize "http://a/b/c/d" "http://a/b/g?x"
    uriverse relativize --no-climb "https://example.org/dir/" < urls.txt
    """
    start = as_argument(lambda: Resolver(base)).base
    finish(
        answers(
            given(texts),
            lambda text: parse(text).relative_to(start, climb=not no_climb),
            as_json=as_json,
        )
    )


T = TypeVar("T")


def as_argument(read: Callable[[], T]) -> T:
    """What an argument is read as; where it is wrong, the command is used wrongly."""
    try:
        return read()
    except URIError as error:
        raise click.UsageError(str(error), click.get_current_context()) from None


def answers(texts: Iterable[str], ask: Callable[[str], object], *, as_json: bool) -> Iterator[bool]:
    """Print what is answered to each text, and yield whether there is an answer."""
    for number, text in enumerate(texts, 1):
        try:
            answer, error = str(ask(text)), None
        except URIError as wrong:
            answer, error = None, wrong
        if as_json:
            reason = None if error is None else error.as_dict()
            yield print_json({"text": text, "result": answer, "error": reason}, error is None)
        elif answer is None:
            yield report(error, number)
        else:
            click.echo(answer)
            yield True


def given(texts: tuple[str, ...]) -> Iterator[str]:
    """The texts given as arguments, or else the lines of standard input."""
    if texts:
        yield from texts
    elif sys.stdin is None or sys.stdin.isatty():
        context = click.get_current_context()
        raise click.UsageError("give texts, or lines on standard input", context)
    else:
        for line in sys.stdin.buffer:
            # What is not UTF-8 becomes lone surrogates, which no rule lets pass.
            yield line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "surrogateescape")


def finish(outcomes: Iterable[bool]) -> None:
    """Go through all texts, and leave with the status that tells whether all were valid."""
    try:
        # Counted to the end: one that is not valid does not stop the rest.
        invalid = sum(not valid for valid in outcomes)
    except BrokenPipeError:
        # Nobody reads any more; what is left must not be written when leaving either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
    sys.exit(1 if invalid else 0)


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


def print_json(data: dict[str, Any], valid: bool) -> bool:
    # ASCII only: so a lone surrogate is printed as its escape, and any terminal is safe.
    click.echo(json.dumps(data))
    return valid


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


def report(error: URIError | None, number: int | None) -> bool:
    """Print an error with the number of its text; nothing without a number."""
    if error is not None and number is not None:
        click.echo(f"{number}: {error}", err=True)
    return error is None
