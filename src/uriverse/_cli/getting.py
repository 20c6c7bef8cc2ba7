"""The command `uriverse get`, and the options that `uriverse set` has too."""

from __future__ import annotations

from uriverse import IRIReference, parse
from uriverse._spec.grammar.params import SEPARATORS, WRITTEN

from .declarations import command, option, replacing
from .formats import Format, Reading, field_of, tsv_field
from .lines import Inputs, as_argument, takes_inputs
from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    #: A function that parses a string, and raises `URIError` if it is invalid or not accepted.
    Read = Callable[[str], IRIReference]

#: Matches a scheme and the colon after it. "localhost:8080" has no scheme, but a host and a port.
WITH_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:(?![0-9]{1,5}(?:[/?#]|\Z))"

#: Matches a reference that does not start with a host: a path, a query or a fragment.
NO_HOST = r"/(?!/)|[?#]|\Z"

#: Schemes to guess if they are the first label of the host, as in ftp.example.org.
HOST_PREFIXES = ("ftp", "dict", "ldap", "imap", "smtp", "pop3")

add_scheme_option = option(
    "--add-scheme", metavar="SCHEME", help="Add SCHEME before a host; guess chooses it."
)


def reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for parsing URIs to a command, such as `--add-scheme`.

    The command receives a function that parses a URI with these options as the argument `read`.
    """

    @add_scheme_option
    @option("--accept-space", is_flag=True, help="Accept spaces, and encode them as %20.")
    @option(
        "--accept-host",
        multiple=True,
        metavar="GLOB",
        help="Accept only URIs whose host matches GLOB.",
    )
    @option(
        "--accept-scheme",
        multiple=True,
        metavar="SCHEME",
        help="Accept only URIs with this scheme.",
    )
    @replacing(command)
    def with_read(
        add_scheme: str | None,
        accept_space: bool,
        accept_host: tuple[str, ...],
        accept_scheme: tuple[str, ...],
        **options: Any,
    ) -> None:
        if add_scheme is not None:
            as_argument("--add-scheme", lambda: IRIReference("//h").replace(scheme=add_scheme))
        hosts, schemes = list(accept_host), list(accept_scheme)
        if hosts or schemes:
            from uriverse._spec.normalization import lower

            hosts, schemes = list(map(lower, hosts)), list(map(lower, schemes))

        def read(text: str) -> IRIReference:
            from .accepting import accepted

            if add_scheme:
                text = complete(text, add_scheme)
            if accept_space:
                text = text.replace(" ", "%20")
            return accepted(parse(text), hosts, schemes)

        chosen = add_scheme or accept_space or hosts or schemes
        command(read=read if chosen else parse, **options)

    return with_read


def query_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for parsing queries, `--query-separator` and `--codec`, to a command.

    The command receives both values as the argument `reading`.
    """

    @option(
        "--query-separator",
        "separator",
        type=SEPARATORS,
        default="&",
        metavar="CHAR",
        help="Use & or ; to separate query parameters.",
    )
    @option(
        "--codec",
        type=tuple(WRITTEN),
        default="form",
        metavar="CODEC",
        help="Decode + as a space (form) or as + (rfc3986).",
    )
    @replacing(command)
    def with_reading(separator: Any, codec: Any, **options: Any) -> None:
        command(reading=Reading(codec, separator), **options)

    return with_reading


def format_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options for the output format, `--format` and `--get`, to a command.

    The command receives the parsed format string as the argument `form`, or `None` if neither
    option is set. The function adds the options of `query_options` as well.
    """

    @option(
        "--format", "exact", metavar="FORMAT", help="Print FORMAT, such as '{scheme}://{host}'."
    )
    @option(
        "-g",
        "--get",
        "decoded",
        metavar="FORMAT",
        help="Print FORMAT with percent-decoded components.",
    )
    @query_options
    @replacing(command)
    def with_format(
        exact: str | None, decoded: str | None, reading: Reading, **options: Any
    ) -> None:
        if exact is not None and decoded is not None:
            raise MisuseError("--format contradicts --get; use one of them")
        form = None if exact is None else Format(exact, reading=reading)
        if decoded is not None:
            form = Format(decoded, decode=True, brackets=True, reading=reading)
        command(form=form, reading=reading, **options)

    return with_format


@command("get")
@format_options
@reading_options
@option("--field", metavar="FIELD", help="Read a field of CSV, TSV or JSON Lines.")
@takes_inputs(arguments="[FIELDS] [URI]...")
def get_command(
    inputs: Inputs, read: Read, form: Format | None, reading: Reading, field: str | None
) -> None:
    """Print components of URIs.

    FIELDS are names separated by commas. With --format or --get, omit FIELDS and write the
    fields in braces in FORMAT. Missing components are printed as empty strings, in JSON as
    null.

    Fields    url scheme authority userinfo username password host port path
              segments[NUMBER] query query:NAME query-all:NAME query-names
              query-values fragment origin registrable_domain surt
    Prefixes  must: (fail if missing), default: (use the default port),
              decoded: and url: (decode or not), strict: (fail on invalid UTF-8),
              puny: and idn: (convert the host)
    """
    inputs.field = field
    if form is not None:
        escape = inputs.shown
        inputs.answer(lambda uri: form(read(uri), escape), drawn=True)
    if not inputs.given:
        raise MisuseError("no fields; name a component such as host, or use --format")
    names = [name.strip() for name in inputs.given[0].split(",")]
    fields = [field_of(name, decode=False, reading=reading) for name in names]
    inputs.given = inputs.given[1:]
    if inputs.as_json:

        def components(uri: str) -> dict[str, str | None]:
            value = read(uri)
            return {name: field(value) for name, field in zip(names, fields, strict=True)}

        inputs.answer(components)
    shown = inputs.shown

    def columns(uri: str) -> str:
        value = read(uri)
        return "\t".join(shown(tsv_field(field(value) or "")) for field in fields)

    inputs.answer(columns, drawn=True)


def complete(text: str, scheme: str) -> str:
    """Add a scheme to a string that starts with a host."""
    import re

    if re.match(WITH_SCHEME, text) or re.match(NO_HOST, text):
        return text
    slashes = "" if text.startswith("//") else "//"
    return f"{choose_scheme(text, scheme)}:{slashes}{text}"


def choose_scheme(text: str, scheme: str | None) -> str | None:
    """Return the scheme to add; "guess" is the first label of the host or http."""
    first = text.removeprefix("//").partition(".")[0].lower()
    guess = first if first in HOST_PREFIXES else "http"
    return guess if scheme == "guess" else scheme
