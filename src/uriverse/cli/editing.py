"""The commands that take apart and put together: get, set."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import product
from typing import Any

import click

from uriverse import ConvertError, IRIReference, parse
from uriverse._grammar.params import SEPARATORS, WRITTEN
from uriverse.carets import visible

from .edits import SETTABLE, Appended, Edit, Setting, pair_of
from .formats import Format, MisuseError, Reading, field_of
from .lines import Texts, misuse, on_texts

PART_OPTIONS = {f"part_{name}" for name in SETTABLE}

#: What reads a text, and refuses what is not accepted.
Read = Callable[[str], IRIReference]

#: What has a scheme; a number behind a colon is the port of what has none.
WITH_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\d{1,5}(?:[/?#]|\Z))")

#: A reference without a host.
NO_HOST = re.compile(r"/(?!/)|[?#]|\Z")

#: What the name of a host often begins with whose scheme is not http.
HOST_PREFIXES = ("ftp", "dict", "ldap", "imap", "smtp", "pop3")


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Options of how texts are read, and which are taken."""

    @click.option("--guess-scheme", is_flag=True, help="Put http:// before what has no scheme.")
    @click.option("--accept-space", is_flag=True, help="Take spaces, and encode them.")
    @click.option(
        "--accept-host",
        multiple=True,
        metavar="GLOB",
        help="Take only such hosts, as *.example.org.",
    )
    @click.option("--accept-scheme", multiple=True, metavar="NAME", help="Take only such schemes.")
    @functools.wraps(command)
    def with_reader(
        guess_scheme: bool,
        accept_space: bool,
        accept_host: tuple[str, ...],
        accept_scheme: tuple[str, ...],
        **options: Any,
    ) -> None:
        hosts = [host.lower() for host in accept_host]
        schemes = [scheme.lower() for scheme in accept_scheme]

        def read(text: str) -> IRIReference:
            if guess_scheme:
                text = guessed(text)
            if accept_space:
                text = text.replace(" ", "%20")
            return accepted(parse(text), hosts, schemes)

        command(read=read, **options)

    return with_reader


def query_options(command: Callable[..., None]) -> Callable[..., None]:
    """Options of how a query is read; the command is given a `Reading`."""

    @click.option(
        "--query-separator",
        "separator",
        type=click.Choice(SEPARATORS),
        default="&",
        help="What is between parameters.",
    )
    @click.option(
        "--codec",
        type=click.Choice(list(WRITTEN)),
        default="form",
        help="How their data is written.",
    )
    @functools.wraps(command)
    def with_reading(separator: Any, codec: Any, **options: Any) -> None:
        command(reading=Reading(codec, separator), **options)

    return with_reading


def format_options(command: Callable[..., None]) -> Callable[..., None]:
    """Options of what is printed; the command is given a function that makes it, or `None`."""

    @click.option("--format", "exact", metavar="FORMAT", help="Print this, as '{scheme}://{host}'.")
    @click.option("-g", "--get", "decoded", metavar="FORMAT", help="The same, with parts decoded.")
    @query_options
    @functools.wraps(command)
    def with_format(
        exact: str | None, decoded: str | None, reading: Reading, **options: Any
    ) -> None:
        if exact is not None and decoded is not None:
            raise misuse("give --format or --get, not both")
        try:
            form = None if exact is None else Format(exact, reading=reading)
            if decoded is not None:
                form = Format(decoded, decode=True, brackets=True, reading=reading)
        except MisuseError as error:
            raise misuse(str(error)) from None
        command(form=form, reading=reading, **options)

    return with_format


@click.command("get")
@format_options
@reading_options
@on_texts
def get_command(texts: Texts, read: Read, form: Format | None, reading: Reading) -> None:
    """Print components of each TEXT.

    The first TEXT names fields, with commas between, unless there is a format. What is
    not defined is an empty line, or null in JSON. Fields are, in a format in braces,

    \b
    url scheme authority userinfo user password host port path query fragment
    query:NAME query-all:NAME decoded:path must:query strict:path default:port
    puny:host idn:host; in a format, {{ is a brace, \\t a tab

    \b
    uriverse get host "http://example.org:8080/a"
    uriverse get scheme,host,port --json < urls.txt
    uriverse get --format '{scheme}://{host}{path}' < urls.txt
    """
    if form is not None:
        drawn_with = texts.shown
        texts.answer(lambda text: form(read(text), drawn_with), drawn=True)
    if not texts.given:
        raise misuse("name a component, or give --format")
    names = [name.strip() for name in texts.given[0].split(",")]
    try:
        fields = [field_of(name, decode=False, reading=reading) for name in names]
    except MisuseError as error:
        raise misuse(str(error)) from None
    texts = replace(texts, given=texts.given[1:])
    if texts.as_json:

        def components(text: str) -> dict[str, str | None]:
            value = read(text)
            return {name: field(value) for name, field in zip(names, fields, strict=True)}

        texts.answer(components)
    shown = texts.shown

    def columns(text: str) -> str:
        value = read(text)
        return "\t".join(shown(field(value) or "") for field in fields)

    texts.answer(columns, drawn=True)


def part_options(command: Callable[..., None]) -> Callable[..., None]:
    """An option for each part; the command is given those that were named."""

    @functools.wraps(command)
    def with_parts(**options: Any) -> None:
        given = {name: options.pop(f"part_{name}") for name in SETTABLE}
        command(parts={name: text for name, text in given.items() if text is not None}, **options)

    for name in reversed(SETTABLE):
        option = click.option(f"--{name}", f"part_{name}", metavar="TEXT", help=f"The {name}.")
        with_parts = option(with_parts)
    return with_parts


class SetCommand(click.Command):
    """A command whose help has all its options of parts in one line, to fit a screen."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        shown = (option for option in options if option.name not in PART_OPTIONS)
        rows = [record for option in shown if (record := option.get_help_record(ctx))]
        parts = ("--PART TEXT", f"PART is {', '.join(SETTABLE)}.")
        with formatter.section("Options"):
            formatter.write_dl([parts, *rows])


@click.command("set", cls=SetCommand)
@part_options
@click.option(
    "-s", "--set", "settings", multiple=True, metavar="PART=DATA", help="Set a part, as said above."
)
@click.option("--iterate", multiple=True, metavar="PART=A,B", help="One result for each of these.")
@click.option("--redirect", metavar="REFERENCE", help="Resolve this on it before all else.")
@click.option(
    "-a",
    "--append",
    multiple=True,
    metavar="path=DATA",
    help="Add a segment; query=NAME=DATA: a parameter.",
)
@click.option(
    "--query-set", multiple=True, metavar="NAME=DATA", help="Give a parameter this value."
)
@click.option("--query-add", multiple=True, metavar="NAME=DATA", help="Add a parameter.")
@click.option(
    "--query-replace", multiple=True, metavar="NAME=DATA", help="As --query-set, if it is there."
)
@click.option("--query-drop", multiple=True, metavar="GLOB", help="Take such parameters away.")
@click.option("--query-keep", multiple=True, metavar="GLOB", help="Take all others away.")
@click.option("--sort-query", is_flag=True, help="Sort parameters by name.")
@click.option("--normalize", is_flag=True, help="Bring it into its normal form.")
@click.option("--default-port", is_flag=True, help="Write the port of the scheme.")
@click.option("--punycode", "host_form", flag_value="puny", help="Write the host in ASCII.")
@click.option("--as-idn", "host_form", flag_value="idn", help="Write the host as people read it.")
@format_options
@reading_options
@on_texts
def set_command(
    texts: Texts,
    read: Read,
    form: Format | None,
    settings: tuple[str, ...],
    iterate: tuple[str, ...],
    append: tuple[str, ...],
    query_set: tuple[str, ...],
    query_add: tuple[str, ...],
    query_replace: tuple[str, ...],
    **options: Any,
) -> None:
    """Print each TEXT with parts exchanged.

    All else stays as it is written. --host and the like take text as it is to be
    written; "-" takes the part away. -s PART=DATA encodes, PART:=TEXT does not,
    PART?=DATA sets what is not there. To begin with nothing, give "" as TEXT. What a
    FORMAT can hold is said by get --help.

    \b
    uriverse set --scheme https --port - "http://example.org:8080/a?b#c"
    uriverse set --query-drop 'utm_*' --query-set page=2 --sort-query < urls.txt
    uriverse set -s path="a b" --iterate port=80,8080 "http://example.org"
    """
    try:
        ways = list(map(Setting.parse, iterate))
        edit = Edit(
            settings=list(map(Setting.parse, settings)),
            iterated=ways,
            appended=list(map(Appended.parse, append)),
            query_set=list(map(pair_of, query_set)),
            query_add=list(map(pair_of, query_add)),
            query_replace=list(map(pair_of, query_replace)),
            **options,
        )
    except MisuseError as error:
        raise misuse(str(error)) from None
    shown = texts.shown

    def printed(value: IRIReference) -> str:
        return shown(str(value)) if form is None else form(value, shown)

    if not ways:
        texts.answer(lambda text: printed(edit(read(text))), drawn=True)

    def edited(text: str) -> list[str]:
        value = read(text)
        rows = product(*(way.alternatives() for way in ways))
        return [printed(edit(value, row)) for row in rows]

    if texts.as_json:
        texts.answer(edited)
    texts.answer(lambda text: "\n".join(edited(text)), drawn=True)


def guessed(text: str) -> str:
    """A text with the scheme that its host begins with, or http, if it has none.

    What begins as a path, a query or a fragment does has no host either, and stays.
    """
    if WITH_SCHEME.match(text) or NO_HOST.match(text):
        return text
    first = text.removeprefix("//").partition(".")[0].lower()
    scheme = first if first in HOST_PREFIXES else "http"
    return f"{scheme}:{text}" if text.startswith("//") else f"{scheme}://{text}"


def accepted(value: IRIReference, hosts: Sequence[str], schemes: Sequence[str]) -> IRIReference:
    """The identifier itself, if its host and scheme are among those that are taken.

    Raises:
        ConvertError: they are not.
    """
    host, scheme = value.hostname or "", (value.scheme or "").lower()
    if hosts and not any(glob in {host, value.host} or fnmatchcase(host, glob) for glob in hosts):
        reason = visible(f"the host is none of {', '.join(hosts)}")
        raise ConvertError(str(value), max(value._bounds[2], 0), "host", "host", reason)
    if schemes and scheme not in schemes:
        reason = visible(f"the scheme is none of {', '.join(schemes)}")
        raise ConvertError(str(value), 0, "scheme", "scheme", reason)
    return value
