r"""The command `uriverse get`, its format strings, and the options that `uriverse set` has too.

A format string is text such as `{scheme}://{host}{path}`. A field in braces names a component.
Modifiers may precede the name: `{must:host}`. `{query:name}` is the value of a query parameter.
`\t`, `\n`, `\r` and `\\` have the same meaning as in Python; `{{` is a brace. The syntax is
compatible with trurl.
"""

from __future__ import annotations

from uriverse import ConvertError, IRIReference, parse
from uriverse._errors import escape_unprintable
from uriverse._spec import SEPARATORS, WRITTEN
from uriverse._uri.engine import get_bounds

from .commands import command, option, replacing
from .lines import Inputs, parse_argument, takes_inputs
from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Literal

    from uriverse import Params
    from uriverse.suffixes import Suffixes

    GetComponent = Callable[[IRIReference], str | None]

    #: A function that parses a string, and raises `URIError` if it is invalid or not accepted.
    Read = Callable[[str], IRIReference]


def split_credentials(uri: IRIReference) -> tuple[str | None, str | None]:
    """Return the user name, and the password after the first colon; each is `None` if missing."""
    if uri.userinfo is None:
        return None, None
    username, colon, password = uri.userinfo.partition(":")
    return username, password if colon else None


def compute_surt(uri: IRIReference) -> str | None:
    from uriverse._spec.sort_keys import compute_surt_key

    return compute_surt_key(str(uri.to_uri().normalize(scheme=True)))


def load_suffixes() -> Suffixes:
    from uriverse.hosts import _sites

    try:
        return _sites.load_installed_suffixes()
    except ModuleNotFoundError as missing:
        advice = "run: pip install 'uriverse[suffixes]'"
        raise MisuseError(f"{missing.name} is not installed; {advice}") from None


#: The names of fields, each with a function that returns the component as written.
PARTS: dict[str, GetComponent] = {
    "url": str,
    "scheme": lambda value: value.scheme,
    "authority": lambda value: value.authority,
    "userinfo": lambda value: value.userinfo,
    "username": lambda value: split_credentials(value)[0],
    "password": lambda value: split_credentials(value)[1],
    "host": lambda value: value.host,
    "port": lambda value: value.port_text,
    "path": lambda value: value.path,
    "query": lambda value: value.query,
    "fragment": lambda value: value.fragment,
    "origin": lambda value: value.origin,
    "registrable_domain": lambda value: load_suffixes().registrable_domain(value),
    "surt": compute_surt,
}

#: The components of the fields that have another name.
COMPONENT_NAMES = {
    **dict.fromkeys(("query-all", "query-names", "query-values"), "query"),
    **dict.fromkeys(("origin", "registrable_domain", "surt"), "host"),
    "segments": "path",
}

#: Fields of `PARTS` that can be decoded. The others have delimiters, or no percent-encoding.
DECODABLE_FIELDS = {"username", "password", "host", "path", "query", "fragment"}

#: The fields that list all query parameters, with the index of the name or the value in a pair.
LISTS = {"query-names": 0, "query-values": 1}

MODIFIERS = {"must", "default", "strict", "url", "decoded", "puny", "idn"}

#: Modifiers that apply to some fields only.
FIELDS_OF_MODIFIERS = {"default": ("port", "url"), "puny": ("host", "url"), "idn": ("host", "url")}

ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}

#: The same escapes in TSV, by the character that they stand for.
TSV_ESCAPES = {character: f"\\{letter}" for letter, character in ESCAPES.items()}


class QueryOptions:
    def __init__(
        self, codec: Literal["form", "rfc3986"] = "form", separator: Literal["&", ";"] = "&"
    ) -> None:
        self.codec: Literal["form", "rfc3986"] = codec
        self.separator: Literal["&", ";"] = separator

    def parse_params(self, uri: IRIReference) -> Params:
        if self.codec == "form" and self.separator == "&":
            return uri.params
        return uri.params.with_codec(codec=self.codec, separator=self.separator)


class Field:
    """A field of a format string, with the modifiers before its name.

    Its name is a key of `PARTS` or `LISTS`, or `query`, `query-all` or `segments` with a key: the
    name of a query parameter, or the index of a segment.
    """

    def __init__(
        self,
        name: str,
        modifiers: set[str],
        key: str | None,
        decode: bool,
        query_options: QueryOptions,
    ) -> None:
        self.name = name
        self.modifiers = modifiers
        self.key = key
        self.decode = decode
        self.query_options = query_options

    def __call__(self, uri: IRIReference) -> str | None:
        """Return one component of a URI, or `None`; the modifier `must` makes that an error."""
        text = self.read_component(uri)
        if text is not None or "must" not in self.modifiers:
            return text
        name = self.name
        if self.key is not None:
            name += f"[{self.key}]" if name == "segments" else f":{self.key}"
        component = COMPONENT_NAMES.get(self.name, self.name)
        reason, hint = f"the URI has no {name}", "remove must: to print an empty string"
        raise ConvertError(str(uri), 0, component, component, reason, hint)

    def read_component(self, uri: IRIReference) -> str | None:
        if self.name == "segments":
            return self.get_segment(uri, int(self.key or ""))
        if self.name in LISTS:
            return self.list_params(uri, LISTS[self.name])
        if self.key is not None:
            values = self.list_values(uri, self.key)
            if self.name == "query-all":
                return " ".join(values) if values else None
            return values[0] if values else None
        if self.modifiers:
            uri = self.apply_modifiers(uri)
        text = PARTS[self.name](uri)
        # A port without digits means the default port as well.
        if self.name == "port" and not text and "default" in self.modifiers:
            port = uri.effective_port
            text = text if port is None else str(port)
        return self.decode_text(text) if text and self.name in DECODABLE_FIELDS else text

    def get_segment(self, uri: IRIReference, index: int) -> str | None:
        try:
            return self.decode_text(uri.segments.raw[index])
        except IndexError:
            return None

    def list_params(self, uri: IRIReference, index: int) -> str | None:
        pairs = self.query_options.parse_params(uri).raw_items()
        texts = [
            self.decode_text(text, self.plus) for pair in pairs if (text := pair[index]) is not None
        ]
        return " ".join(texts) if texts else None

    @property
    def plus(self) -> str:
        """The character that a plus sign in a query is decoded to."""
        return " " if self.query_options.codec == "form" else "+"

    def list_values(self, uri: IRIReference, key: str) -> list[str]:
        params = self.query_options.parse_params(uri)
        return [
            self.decode_text(encoded, self.plus)
            for (name, _), (_, encoded) in zip(params.items(), params.raw_items(), strict=True)
            if name == key and encoded is not None
        ]

    def decode_text(self, text: str, plus: str = "+") -> str:
        if not self.decode:
            return text
        from uriverse import percent

        errors: Literal["strict", "keep"] = "strict" if "strict" in self.modifiers else "keep"
        return percent.decode(text.replace("+", plus), errors)

    def apply_modifiers(self, uri: IRIReference) -> IRIReference:
        if "puny" in self.modifiers:
            uri = convert_host(uri, "puny")
        elif "idn" in self.modifiers:
            uri = convert_host(uri, "idn")
        # In the field `port`, the modifier only replaces a missing port.
        if self.name == "url" and "default" in self.modifiers:
            uri = add_default_port(uri)
        return uri


class Format:
    """A parsed format string.

    With `decode`, fields without a modifier are decoded. With `brackets`, fields may be in square
    brackets instead of braces, as the first one is.
    """

    def __init__(
        self,
        text: str,
        *,
        decode: bool = False,
        brackets: bool = False,
        query_options: QueryOptions = QueryOptions(),  # noqa: B008  # never modified
    ) -> None:
        import re

        opening, closing = "{", "}"
        first_opening = re.search(r"(?<!\\)[\[{]", text)  # without a backslash before it
        if brackets and first_opening and first_opening[0] == "[":
            opening, closing = "[", "]"
        self.pieces: list[str | Field] = []
        # A field in square brackets may end with an index in square brackets.
        field_pattern = rf"\{opening}([^\[\]]*segments\[-?\d+\]|[^\{closing}]*)\{closing}"
        # An escape, a doubled opening brace, a field, or any other character.
        pattern = rf"\\(?s:.)|\{opening}\{opening}|{field_pattern}|(?s:.)"
        for match in re.finditer(pattern, text):
            if match[1] is None:
                self.pieces.append(unescape(match[0]))
            else:
                field = parse_field(match[1], decode=decode, query_options=query_options)
                self.pieces.append(field)

    def __call__(self, uri: IRIReference, escape: Callable[[str], str] = str) -> str:
        return "".join(
            piece if isinstance(piece, str) else escape(piece(uri) or "") for piece in self.pieces
        )


def unescape(text: str) -> str:
    """Return the character that an escape, a doubled opening brace, or a character stands for."""
    if len(text) < 2 or text[0] != "\\":
        return text[0]
    if text[1] in "{}[]":
        return text[1]
    return ESCAPES.get(text[1], text)


def parse_field(text: str, *, decode: bool, query_options: QueryOptions) -> Field:
    """Parse a field such as `must:host`, without the braces around it."""
    words = text.split(":")
    modifiers: set[str] = set()
    if words[0] == "" and len(words) > 1:
        modifiers.add("url")
        del words[0]
    while len(words) > 1 and words[0] in MODIFIERS:
        modifiers.add(words.pop(0))
    name, key = words[0], None
    index = name.removeprefix("segments[").removesuffix("]")
    if name in {"query", "query-all"} and len(words) > 1:
        key = ":".join(words[1:])
    elif len(words) == 1 and name == f"segments[{index}]" and is_index(index):
        name, key = "segments", index
    elif len(words) > 1 or name not in {*PARTS, *LISTS}:
        names = ", ".join((*PARTS, *LISTS, "segments[NUMBER]", "query:NAME", "query-all:NAME"))
        raise MisuseError(f"unknown field {{{text}}}; the fields are {names}")
    for modifier, fields in FIELDS_OF_MODIFIERS.items():
        if modifier in modifiers and (name not in fields or key is not None):
            advice = f"use it with {' or '.join(fields)}"
            raise MisuseError(f"{modifier}: does not apply to {{{text}}}; {advice}")
    decode = (decode or "decoded" in modifiers) and "url" not in modifiers
    return Field(name, modifiers, key, decode, query_options)


def is_index(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 10


def escape_tsv(text: str) -> str:
    """Escape a string so that it stays one field of a TSV line."""
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(TSV_ESCAPES.get(character, character) for character in text)


def convert_host(uri: IRIReference, host_format: str | None) -> IRIReference:
    """Convert the host to A-labels (`puny`) or U-labels (`idn`)."""
    if host_format is None or uri.host is None or uri.host_kind != "reg-name" or not uri.host:
        return uri
    if host_format == "puny":
        host = uri.to_uri(host="idna").host
    else:
        from uriverse._uri.engine import to_unicode

        host = ".".join(map(to_unicode, uri.host.split(".")))
    return uri if host == uri.host else IRIReference(uri).with_host(host)


def add_default_port(uri: IRIReference) -> IRIReference:
    port = None if uri.port_text else uri.effective_port
    return uri if port is None else uri.with_port(port)


#: Matches a scheme and the colon after it. "localhost:8080" has no scheme, but a host and a port.
WITH_SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*:(?![0-9]{1,5}(?:[/?#]|\Z))"

#: Matches a reference that does not start with a host: a path, a query or a fragment.
NO_HOST = r"/(?!/)|[?#]|\Z"

#: Schemes to guess if they are the first label of the host, as in ftp.example.org.
HOST_PREFIXES = ("ftp", "dict", "ldap", "imap", "smtp", "pop3")

ADD_SCHEME_OPTION = option(
    "--add-scheme", metavar="SCHEME", help="Add SCHEME before a host; guess chooses it."
)


def add_reading_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add options such as `--add-scheme`; the command receives a parser as `read`."""

    @ADD_SCHEME_OPTION
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
            # Only for the error of an invalid scheme.
            parse_argument("--add-scheme", lambda: IRIReference("//h").replace(scheme=add_scheme))
        hosts, schemes = list(accept_host), list(accept_scheme)
        if hosts or schemes:
            from uriverse._spec.normalization import lowercase_ascii

            hosts = [lowercase_ascii(glob) for glob in hosts]
            schemes = [lowercase_ascii(scheme) for scheme in schemes]

        def read_uri(text: str) -> IRIReference:
            if add_scheme:
                text = complete_uri(text, add_scheme)
            if accept_space:
                text = text.replace(" ", "%20")
            return require_accepted(parse(text), hosts, schemes)

        changes_parsing = add_scheme or accept_space or hosts or schemes
        command(read=read_uri if changes_parsing else parse, **options)

    return with_read


def add_query_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add options for parsing queries; the command receives `query_options`."""

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
        help="Decode + as a space (form) or as + (rfc3986).",
    )
    @replacing(command)
    def with_query_options(separator: Any, codec: Any, **options: Any) -> None:
        command(query_options=QueryOptions(codec, separator), **options)

    return with_query_options


def add_format_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add `--format` and `--get`; the command receives `output_format`, or `None`."""

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
    @add_query_options
    @replacing(command)
    def with_format(
        exact: str | None, decoded: str | None, query_options: QueryOptions, **options: Any
    ) -> None:
        if exact is not None and decoded is not None:
            raise MisuseError("--format contradicts --get; use one of them")
        output_format = None if exact is None else Format(exact, query_options=query_options)
        if decoded is not None:
            output_format = Format(decoded, decode=True, brackets=True, query_options=query_options)
        command(output_format=output_format, query_options=query_options, **options)

    return with_format


@command("get")
@add_format_options
@add_reading_options
@option("--field", metavar="FIELD", help="Read a field of CSV, TSV or JSON Lines.")
@takes_inputs(arguments="[FIELDS] [URI]...")
def get_command(
    inputs: Inputs,
    read: Read,
    output_format: Format | None,
    query_options: QueryOptions,
    field: str | None,
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
    escape = inputs.escape
    # `write_results` prints all results, and exits.
    if output_format is not None:
        inputs.write_results(lambda uri: output_format(read(uri), escape), is_escaped=True)
    if not inputs.arguments:
        raise MisuseError("no fields; name a component such as host, or use --format")
    listed_fields, *uris = inputs.arguments
    inputs.arguments = tuple(uris)
    names = [name.strip() for name in listed_fields.split(",")]
    fields = [parse_field(name, decode=False, query_options=query_options) for name in names]
    if inputs.as_json:

        def read_fields(text: str) -> dict[str, str | None]:
            uri = read(text)
            return {name: field(uri) for name, field in zip(names, fields, strict=True)}

        inputs.write_results(read_fields)

    def format_columns(text: str) -> str:
        uri = read(text)
        return "\t".join(escape(escape_tsv(field(uri) or "")) for field in fields)

    inputs.write_results(format_columns, is_escaped=True)


def complete_uri(text: str, scheme: str) -> str:
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


def require_accepted(
    uri: IRIReference, hosts: Sequence[str], schemes: Sequence[str]
) -> IRIReference:
    from fnmatch import fnmatchcase

    host, scheme = uri.hostname or "", (uri.scheme or "").lower()
    # Brackets mean something else in a pattern, so compare IPv6 addresses as well.
    if hosts and not any(glob in {host, uri.host} or fnmatchcase(host, glob) for glob in hosts):
        reason = escape_unprintable(f"the host does not match {' or '.join(hosts)}")
        raise ConvertError(str(uri), max(get_bounds(uri).host, 0), "host", "host", reason)
    if schemes and scheme not in schemes:
        reason = escape_unprintable(f"the scheme is not {' or '.join(schemes)}")
        raise ConvertError(str(uri), 0, "scheme", "scheme", reason)
    return uri
