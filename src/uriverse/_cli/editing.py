"""The commands `uriverse set` and `uriverse repair`."""

from __future__ import annotations

from uriverse import IRIReference, URIReference

from .commands import command, option, replacing
from .getting import (
    ADD_SCHEME_OPTION,
    PARTS,
    Format,
    QueryOptions,
    add_default_port,
    add_format_options,
    add_reading_options,
    choose_scheme,
    convert_host,
    split_credentials,
)
from .lines import Inputs, takes_inputs
from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from uriverse import Params, Repaired
    from uriverse.typing import Component

    from .getting import Read


#: The components that `set` can change, in their order, each with the argument of `percent.encode`
#: that encodes data for it. Schemes and ports are never encoded.
SETTABLE: dict[str, Component | None] = {
    "scheme": None,
    "userinfo": "userinfo",
    "username": "unreserved",
    "password": "unreserved",
    "host": "reg-name",
    "port": None,
    "path": "path",
    "query": "query",
    "fragment": "fragment",
}

#: The value that removes a component. Write %2D for a hyphen.
NOTHING = "-"

#: The name of a query parameter, and its value or `None`.
Pair = tuple[str, str | None]


class Setting:
    """A value of `--set` or `--iterate` for a component in `SETTABLE`, such as `host=example.org`.

    The value may be percent-encoded already (`:=`), or apply only without the component (`?=`). An
    empty string removes the component.
    """

    def __init__(self, part: str, encoded: bool, if_undefined: bool, text: str) -> None:
        self.part = part
        self.encoded = encoded
        self.if_undefined = if_undefined
        self.text = text

    @classmethod
    def from_text(cls, text: str) -> Setting:
        """Parse `COMPONENT=DATA`, `COMPONENT:=VALUE` or `COMPONENT?=DATA`."""
        import re

        match = re.fullmatch(r"(?s:(\w+)([:?]{0,2})=(.*))", text)
        if match is None or match[2] in {"::", "??"}:
            advice = "write COMPONENT=DATA, COMPONENT:=VALUE or COMPONENT?=DATA"
            raise MisuseError(f"invalid setting {text!r}; {advice}")
        if match[1] not in SETTABLE:
            components = ", ".join(SETTABLE)
            raise MisuseError(f"unknown component {match[1]!r}; the components are {components}")
        return cls(match[1], ":" in match[2], "?" in match[2], match[3])

    def alternatives(self) -> list[Setting]:
        """Return one setting for each value in a list such as `host=a,b`."""
        words = [word for word in self.text.replace(",", " ").split(" ") if word]
        return [Setting(self.part, self.encoded, self.if_undefined, word) for word in words or [""]]

    def encode_setting(self, host: str | None) -> str | None:
        """Return the encoded value for a URI with a host, or `None` to remove the component."""
        if not self.text:
            return "" if self.part == "path" else None  # every URI has a path
        encoding = SETTABLE[self.part]
        # Encoding the colons of an IPv6 address would turn the address into a name.
        is_ip_literal = self.part == "host" and (self.text.startswith("[") or ":" in self.text)
        if self.encoded or encoding is None or is_ip_literal:
            return self.text
        from uriverse import percent

        encoded_text = percent.encode(self.text, encoding)
        if self.part == "path" and host is not None and not encoded_text.startswith("/"):
            return f"/{encoded_text}"
        return encoded_text


class Addition:
    """A value of `--append`: a path segment or a query parameter. One attribute is `None`."""

    def __init__(self, segment: str | None = None, param: Pair | None = None) -> None:
        self.segment = segment
        self.param = param

    @classmethod
    def from_text(cls, text: str) -> Addition:
        part, _, data = text.partition("=")
        if part == "path":
            return cls(segment=data)
        if part == "query":
            return cls(param=parse_pair(data))
        raise MisuseError(f"invalid value {text!r} of --append; write path=DATA or query=NAME=DATA")


class Edit:
    """All edits of one `set` command. The order of the arguments is the order of the edits."""

    def __init__(
        self,
        *,
        redirect: str | None,
        parts: dict[str, str],
        settings: Sequence[Setting],
        iterated_settings: Sequence[Setting],
        additions: Sequence[Addition],
        query_drop: Sequence[str],
        query_keep: Sequence[str],
        query_replace: Sequence[Pair],
        query_set: Sequence[Pair],
        query_add: Sequence[Pair],
        sort_query: bool,
        query_options: QueryOptions,
        normalize: bool,
        default_port: bool,
        host_format: str | None,
    ) -> None:
        self.redirect = redirect
        self.parts = parts
        self.settings = settings
        self.additions = additions
        self.query_drop = query_drop
        self.query_keep = query_keep
        self.query_replace = query_replace
        self.query_set = query_set
        self.query_add = query_add
        self.sort_query = sort_query
        self.query_options = query_options
        self.normalize = normalize
        self.default_port = default_port
        self.host_format = host_format
        names = [*parts, *(setting.part for setting in (*settings, *iterated_settings))]
        for part in names:
            if names.count(part) > 1:
                raise MisuseError(f"{part} is set more than once; set it once")
        if "userinfo" in names and {"username", "password"} & set(names):
            raise MisuseError(
                "userinfo contradicts username and password; set userinfo, or username and password"
            )
        #: The components of `parts`, with `None` for those to remove.
        self.new_parts: dict[str, Any] = {
            part: None if text == NOTHING else text for part, text in parts.items()
        }
        if "path" in self.new_parts:
            self.new_parts["path"] = self.new_parts["path"] or ""
        #: Whether the values that `set` does not percent-encode contain only ASCII characters.
        self.in_ascii = all(
            map(str.isascii, (*parts.values(), *(s.text for s in settings if s.encoded)))
        )
        #: The query parameters to add to the end of the query.
        self.added_params = [*query_add, *(a.param for a in additions if a.param is not None)]
        #: Whether any option adds, changes, removes or sorts query parameters.
        self.edits_query = sort_query or any(
            (query_drop, query_keep, query_replace, query_set, self.added_params)
        )
        #: A function that sets the components, if they are the same for every URI.
        self.replace_parts: Callable[[IRIReference], IRIReference] | None = None
        if parts and not settings and not parts.keys() & {"username", "password"}:
            self.replace_parts = compile_changes(self.new_parts)

    def __call__(self, uri: IRIReference, more_settings: Sequence[Setting] = ()) -> IRIReference:
        """Return the edited URI, after settings of `--iterate` as well."""
        if self.redirect is not None:
            uri = uri.resolve(IRIReference(self.redirect))
        # Edits may add or remove the scheme, so convert the URI to a reference type. If all values
        # are ASCII, `URIReference` ensures that the result is ASCII too.
        is_ascii = self.in_ascii and all(s.text.isascii() for s in more_settings if s.encoded)
        reference_type = URIReference if is_ascii and str(uri).isascii() else IRIReference
        uri = reference_type(uri)
        if self.replace_parts is not None and not more_settings:
            uri = self.replace_parts(uri)
        elif self.parts or self.settings or more_settings:
            uri = self.set_parts(uri, more_settings)
        for addition in self.additions:
            if addition.segment is not None:
                uri = uri.joinpath(addition.segment)
        if self.edits_query:
            uri = self.edit_params(uri)
        if self.normalize:
            uri = uri.normalize()
        if self.default_port:
            uri = add_default_port(uri)
        return convert_host(uri, self.host_format)

    def set_parts(self, uri: IRIReference, more_settings: Sequence[Setting]) -> IRIReference:
        changes = dict(self.new_parts)
        settings = [
            setting
            for setting in (*self.settings, *more_settings)
            if not (setting.if_undefined and is_present(uri, setting.part))
        ]
        # A path after a host needs a leading slash, and the host may be set after the path.
        new_hosts = [setting.text or None for setting in settings if setting.part == "host"]
        host = new_hosts[0] if new_hosts else changes.get("host", uri.host)
        changes |= {setting.part: setting.encode_setting(host) for setting in settings}
        if changes.keys() & {"username", "password"}:
            old_username, old_password = split_credentials(uri)
            username = changes.pop("username", old_username)
            password = changes.pop("password", old_password)
            changes["userinfo"] = join_credentials(username, password)
        return compile_changes(changes)(uri)

    def edit_params(self, uri: IRIReference) -> IRIReference:
        params = self.query_options.parse_params(uri)
        if self.query_drop or self.query_keep:
            params = params.filter(keep=self.query_keep or "*", drop=self.query_drop)
        for name, data in self.query_replace:
            if is_glob(name):
                params = self.replace_values(params, name, data)
            elif name in params:
                params = params.updated([(name, data)])
        if self.query_set:
            params = params.updated(self.query_set)
        for name, data in self.added_params:
            params = params.add_param(name, data)
        return uri.with_params(params.sorted() if self.sort_query else params)

    def replace_values(self, params: Params, name_pattern: str, data: str | None) -> Params:
        """Set the parameters whose name matches; all other characters stay the same."""
        from fnmatch import fnmatchcase

        from uriverse import Params

        if params.query is None:
            return params
        codec, separator = self.query_options.codec, self.query_options.separator
        parameter = str(Params(codec=codec, separator=separator).add_param("a", data))
        equals_and_value = parameter.removeprefix("a")
        names = iter([name for name, _ in params.items()])
        pieces = params.query.split(separator)
        for index, piece in enumerate(pieces):
            # An empty piece is not a parameter, so it has no name.
            if piece and fnmatchcase(next(names), name_pattern):
                encoded_name, _, _ = piece.partition("=")
                pieces[index] = encoded_name + equals_and_value
        return Params(separator.join(pieces), codec=codec, separator=separator)


def join_credentials(username: str | None, password: str | None) -> str | None:
    if ":" in (username or ""):
        from uriverse import BuildError

        reason = "a colon is not allowed in the user name"
        hint = "percent-encode it as %3A"
        position = str(username).index(":")
        raise BuildError(str(username), position, "userinfo", "userinfo", reason, hint)
    return username if password is None else f"{username or ''}:{password}"


def compile_changes(changes: dict[str, Any]) -> Callable[[IRIReference], IRIReference]:
    from operator import methodcaller

    if len(changes) != 1:
        return methodcaller("replace", **changes)
    [(part, text)] = changes.items()
    return methodcaller(f"with_{part}", text)  # faster


def is_present(uri: IRIReference, part: str) -> bool:
    """Return whether a component is present; an empty path counts as missing."""
    text = PARTS[part](uri)
    return text is not None if part != "path" else text != ""


def is_glob(name: str) -> bool:
    """Return whether a name is a pattern. Brackets alone are not: names like `ids[]` are common."""
    return "*" in name or "?" in name


def parse_pair(text: str) -> Pair:
    if not text:
        raise MisuseError("empty query parameter; write NAME=DATA or NAME")
    name, equals, data = text.partition("=")
    return name, data if equals else None


#: Rows in the help that stand for several options, so that it fits on a screen.
CONDENSED = (
    (
        "--COMPONENT VALUE",
        "Set a component, such as --host; - removes it.",
        tuple(f"part_{name}" for name in SETTABLE),
    ),
    (
        "--format, --accept-host, ...",
        "Set the options of 'uriverse get'.",
        (
            *("exact", "decoded", "separator", "codec"),
            *("add_scheme", "accept_space", "accept_host", "accept_scheme"),
        ),
    ),
)


def add_part_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each component. The command receives those that are set as `parts`."""

    @replacing(command)
    def with_parts(**options: Any) -> None:
        values = {part: options.pop(f"part_{part}") for part in SETTABLE}
        command(parts={part: text for part, text in values.items() if text is not None}, **options)

    for name in reversed(SETTABLE):
        help_text = f"Set the {name}; - removes it."
        add_option = option(f"--{name}", f"part_{name}", metavar="VALUE", help=help_text)
        with_parts = add_option(with_parts)
    return with_parts


@command("set", condensed=CONDENSED)
@add_part_options
@option(
    "-s",
    "--set",
    "settings",
    multiple=True,
    metavar="COMPONENT=DATA",
    help="Percent-encode DATA, then set the component.",
)
@option(
    "--iterate",
    multiple=True,
    metavar="COMPONENT=A,B",
    help="Print one result for each of the values A, B.",
)
@option("--redirect", metavar="REFERENCE", help="Resolve REFERENCE against each URI first.")
@option(
    "-a",
    "--append",
    multiple=True,
    metavar="PART=DATA",
    help="Append a segment (path) or parameter (query).",
)
@option("--query-set", multiple=True, metavar="NAME=DATA", help="Set a query parameter.")
@option("--query-add", multiple=True, metavar="NAME=DATA", help="Add a query parameter.")
@option(
    "--query-replace", multiple=True, metavar="GLOB=DATA", help="Set parameters that are present."
)
@option(
    "--query-drop", multiple=True, metavar="GLOB", help="Remove parameters whose name matches GLOB."
)
@option(
    "--query-keep",
    multiple=True,
    metavar="GLOB",
    help="Remove parameters whose name does not match.",
)
@option("--sort-query", is_flag=True, help="Sort query parameters by name.")
@option("--normalize", is_flag=True, help="Normalize the result.")
@option("--default-port", is_flag=True, help="Add the default port of the scheme.")
@option("--punycode", "host_format", flag_value="puny", help="Convert the host to Punycode.")
@option("--as-idn", "host_format", flag_value="idn", help="Convert the host to Unicode.")
@add_format_options
@add_reading_options
@takes_inputs(edits=True)
def set_command(
    inputs: Inputs,
    read: Read,
    output_format: Format | None,
    settings: tuple[str, ...],
    iterate: tuple[str, ...],
    append: tuple[str, ...],
    query_set: tuple[str, ...],
    query_add: tuple[str, ...],
    query_replace: tuple[str, ...],
    **options: Any,
) -> None:
    """Edit components and query parameters of URIs.

    Components are scheme, userinfo, username, password, host, port, path, query and fragment.
    --host VALUE and -s COMPONENT:=VALUE expect an encoded VALUE, and -s COMPONENT?=DATA keeps
    an existing component. The URI "" is empty.
    """
    iterated_settings = list(map(Setting.from_text, iterate))
    edit = Edit(
        settings=list(map(Setting.from_text, settings)),
        iterated_settings=iterated_settings,
        additions=list(map(Addition.from_text, append)),
        query_set=list(map(parse_pair, query_set)),
        query_add=list(map(parse_pair, query_add)),
        query_replace=list(map(parse_pair, query_replace)),
        **options,
    )
    escape = inputs.escape

    def format_uri(uri: IRIReference) -> str:
        return escape(str(uri)) if output_format is None else output_format(uri, escape)

    if not iterated_settings:
        inputs.write_results(lambda uri: format_uri(edit(read(uri))), is_escaped=True)
    if inputs.rewriting is not None:
        raise MisuseError("--iterate prints several results, so it cannot edit files")
    from itertools import product

    def list_results(uri: str) -> list[str]:
        value = read(uri)
        rows = product(*(setting.alternatives() for setting in iterated_settings))
        return [format_uri(edit(value, row)) for row in rows]

    if inputs.as_json:
        inputs.write_results(list_results)
    inputs.write_results(lambda uri: inputs.output.end.join(list_results(uri)), is_escaped=True)


@command("repair")
@option("--iri", is_flag=True, help="Keep the non-ASCII characters that IRIs may contain.")
@ADD_SCHEME_OPTION
@option("--slashes", is_flag=True, help="Correct slashes, as in http:/example.org.")
@option("--changes", is_flag=True, help="Print the changes as JSON, not the result.")
@takes_inputs("STRING", edits=True)
def repair_command(
    inputs: Inputs, iri: bool, add_scheme: str | None, slashes: bool, changes: bool
) -> None:
    """Turn malformed strings into valid URIs.

    Print each STRING as browsers read it: spaces at the ends are removed, and characters that
    a URI must not contain are percent-encoded. A valid URI is printed unchanged. A malformed
    string is an error if different programs would find different hosts in it.
    """
    from uriverse import repair

    def repair_string(text: str) -> Repaired:
        return repair(text, iri=iri, scheme=choose_scheme(text, add_scheme), slashes=slashes)

    try:
        repair_string("")
    except ValueError as error:
        raise MisuseError(str(error)) from None
    if changes:
        inputs.as_json = True
        from dataclasses import asdict

        inputs.write_results(
            lambda text: [asdict(change) for change in repair_string(text).changes]
        )
    inputs.write_results(lambda text: str(repair_string(text)))
