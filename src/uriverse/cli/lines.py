"""What every command does with its texts: take them, answer each, and leave with a status."""

from __future__ import annotations

import json
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn, TypeVar

import click

from uriverse import URIError
from uriverse.errors import visible

#: What a shell calls the end by a closed pipe: 128 and the signal's number.
PIPE_CLOSED = 141

T = TypeVar("T")


def as_argument(read: Callable[[], T]) -> T:
    """What an argument is read as; where it is wrong, the command is used wrongly."""
    try:
        return read()
    except URIError as error:
        raise click.UsageError(str(error), click.get_current_context()) from None


def answers(texts: Iterable[str], ask: Callable[[str], Any], *, as_json: bool) -> Iterator[bool]:
    """Print what is answered to each text, and yield whether there is an answer."""
    for number, text in enumerate(texts, 1):
        try:
            answer, error = ask(text), None
        except URIError as wrong:
            answer, error = None, wrong
        if as_json:
            reason = None if error is None else error.as_dict()
            yield print_json({"text": text, "result": answer, "error": reason}, error is None)
        elif answer is None:
            yield report(error, number)
        else:
            # What is decoded may hold anything, and what steers a terminal is not for one.
            # In a pipe it stays as it is (`color`: else click takes escapes away).
            click.echo(visible(answer) if sys.stdout.isatty() else answer, color=True)
            yield True


def given(texts: tuple[str, ...]) -> Iterator[str]:
    """The texts given as arguments, or else the lines of standard input."""
    if texts:
        yield from texts
    elif sys.stdin is None or sys.stdin.isatty():
        context = click.get_current_context()
        raise click.UsageError("give texts, or lines on standard input", context)
    else:
        for number, octets in enumerate(sys.stdin.buffer):
            line = octets if number else octets.removeprefix(BOM_UTF8)
            # What is not UTF-8 becomes lone surrogates, which no rule lets pass.
            yield line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "surrogateescape")


def finish(outcomes: Iterable[bool]) -> NoReturn:
    """Go through all texts, and leave with the status that tells whether all were valid."""
    try:
        # Counted to the end: one that is not valid does not stop the rest.
        invalid = sum(not valid for valid in outcomes)
    except BrokenPipeError:
        # Nobody reads any more; what is left must not be written when leaving either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(PIPE_CLOSED)
    sys.exit(1 if invalid else 0)


def print_json(data: dict[str, Any], valid: bool) -> bool:
    # ASCII only: so a lone surrogate is printed as its escape, and any terminal is safe.
    click.echo(json.dumps(data))
    return valid


def report(error: URIError | None, number: int | None) -> bool:
    """Print an error with the number of its text; nothing without a number."""
    if error is not None and number is not None:
        click.echo(f"{number}: {error}", err=True)
    return error is None
