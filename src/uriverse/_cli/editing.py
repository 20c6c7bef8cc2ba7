"""The commands `uriverse set` and `uriverse repair`."""

from __future__ import annotations

from uriverse import IRIReference, URIReference

from .commands import command, option, replacing
from .getting import (
    PARTS,
    Format,
    Reading,
    add_scheme_option,
    choose_scheme,
    format_options,
    reading_options,
    username_and_password,
    with_default_port,
    with_host_form,
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


#: The components that `set` can change, in their order.
SETTABLE = (
    "scheme",
    "userinfo",
    "username",
    "password",
    "host",
    "port",
    "path",
    "query",
    "fragment",
)

#: The value that removes a component. Write %2D for a hyphen.
NOTHING = "-"

#: For each component, the argument of `percent.encode` that encodes data for the component. Schemes
#: and ports are never encoded.
RULES: dict[str, Component] = {
    "userinfo": "userinfo",
    "username": "unreserved",
    "password": "unreserved",
    "host": "reg-name",
    "path": "path",
    "query": "query",
    "fragment": "fragment",
}

#: The name of a query parameter, and its value or `None`.
Pair = tuple[str, str | None]


class Setting:
    """A value of `--set` or `--iterate`, such as `host=example.org`.

    Args:
        part: one of `SETTABLE`.
        encoded: whether the value is already percent-encoded (`:=`).
        if_undefined: whether an existing component is kept (`?=`).
        text: the new value; an empty string removes the component.
    """

    def __init__(self, part: str, encoded: bool, if_undefined: bool, text: str) -> None:
        self.part = part
        self.encoded = encoded
        self.if_undefined = if_undefined
        self.text = text

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Parse the value of an option such as `--set host=example.org`.

        The value is `COMPONENT=DATA`, `COMPONENT:=VALUE` or `COMPONENT?=DATA`.
        """
        import re

        match = re.fullmatch(r"(?s:(\w+)([:?]{0,2})=(.*))", text)
        if match is None or match[2] in {"::", "??"}:
            raise MisuseError(
                f"invalid setting {text!r}; "
                "write COMPONENT=DATA, COMPONENT:=VALUE or COMPONENT?=DATA"
            )
        if match[1] not in SETTABLE:
            raise MisuseError(
                f"unknown component {match[1]!r}; the components are {', '.join(SETTABLE)}"
            )
        return cls(match[1], ":" in match[2], "?" in match[2], match[3])

    def alternatives(self) -> list[Setting]:
        """Return one setting for each value in a list such as `host=a,b`.

        Commas and spaces separate the values.
        """
        words = self.text.replace(",", " ").split(" ")
        return [
            Setting(self.part, self.encoded, self.if_undefined, word)
            for word in filter(None, words)
        ] or [Setting(self.part, self.encoded, self.if_undefined, "")]

    def text_for(self, host: str | None) -> str | None:
        """Return the percent-encoded value to set, or `None` to remove the component.

        After a host, a path gets a leading slash.
        """
        if not self.text:
            return "" if self.part == "path" else None
        rule = RULES.get(self.part)
        # Encoding the colons of an IPv6 address would turn the address into a name.
        literal = self.part == "host" and (self.text.startswith("[") or ":" in self.text)
        if self.encoded or rule is None or literal:
            return self.text
        from uriverse import percent

        text = percent.encode(self.text, rule)
        rootless = self.part == "path" and host is not None and not text.startswith("/")
        return f"/{text}" if rootless else text


class Appended:
    """A value of `--append`: a path segment or a query parameter.

    One of the two attributes is `None`.
    """

    def __init__(self, segment: str | None = None, param: Pair | None = None) -> None:
        self.segment = segment
        self.param = param

    @classmethod
    def parse(cls, text: str) -> Appended:
        """Parse a value of the option `--append`: `path=DATA` or `query=NAME=DATA`."""
        part, _, data = text.partition("=")
        if part == "path":
            return cls(segment=data)
        if part == "query":
            return cls(param=pair_of(data))
        raise MisuseError(f"invalid value {text!r} of --append; write path=DATA or query=NAME=DATA")


class Edit:
    """All edits of one `set` command. The order of the arguments is the order of the edits."""

    def __init__(
        self,
        *,
        redirect: str | None,
        parts: dict[str, str],
        settings: Sequence[Setting],
        iterated: Sequence[Setting],
        appended: Sequence[Appended],
        query_drop: Sequence[str],
        query_keep: Sequence[str],
        query_replace: Sequence[Pair],
        query_set: Sequence[Pair],
        query_add: Sequence[Pair],
        sort_query: bool,
        reading: Reading,
        normalize: bool,
        default_port: bool,
        host_form: str | None,
    ) -> None:
        self.redirect = redirect
        self.parts = parts
        self.settings = settings
        self.appended = appended
        self.query_drop = query_drop
        self.query_keep = query_keep
        self.query_replace = query_replace
        self.query_set = query_set
        self.query_add = query_add
        self.sort_query = sort_query
        self.reading = reading
        self.normalize = normalize
        self.default_port = default_port
        self.host_form = host_form
        named = [*parts, *(setting.part for setting in (*settings, *iterated))]
        for part in named:
            if named.count(part) > 1:
                raise MisuseError(f"{part} is set more than once; set it once")
        if "userinfo" in named and {"username", "password"} & set(named):
            raise MisuseError(
                "userinfo contradicts username and password; set userinfo, or username and password"
            )

        #: The components of `parts`, with `None` for those to remove.
        self.given: dict[str, Any] = {
            part: None if text == NOTHING else text for part, text in parts.items()
        }
        if "path" in self.given:
            self.given["path"] = self.given["path"] or ""
        #: Whether the values that `set` does not percent-encode contain only ASCII characters.
        self.in_ascii = all(
            map(str.isascii, (*parts.values(), *(s.text for s in settings if s.encoded)))
        )
        #: The query parameters to add to the end of the query.
        self.added = [*query_add, *(a.param for a in appended if a.param is not None)]
        #: Whether any option adds, changes, removes or sorts query parameters.
        self.edits_query = sort_query or any(
            (query_drop, query_keep, query_replace, query_set, self.added)
        )
        #: A function that sets the components, if they are the same for every URI.
        self.replaced: Callable[[IRIReference], IRIReference] | None = None
        if parts and not settings and not parts.keys() & {"username", "password"}:
            self.replaced = replace_parts(self.given)

    def __call__(self, value: IRIReference, more: Sequence[Setting] = ()) -> IRIReference:
        """Return the edited URI.

        Args:
            value: the URI.
            more: settings of `--iterate` to apply as well.
        """
        if self.redirect is not None:
            value = value.resolve(IRIReference(self.redirect))
        # Edits may add or remove the scheme, so convert the URI to a reference type. If all values
        # are ASCII, `URIReference` ensures that the result is ASCII too.
        encoded = self.in_ascii and all(s.text.isascii() for s in more if s.encoded)
        plain = encoded and str(value).isascii()
        value = (URIReference if plain else IRIReference)(value)
        if self.replaced is not None and not more:
            value = self.replaced(value)
        elif self.parts or self.settings or more:
            value = self.with_parts(value, more)
        for appended in self.appended:
            if appended.segment is not None:
                value = value.joinpath(appended.segment)
        if self.edits_query:
            value = self.with_params(value)
        if self.normalize:
            value = value.normalize()
        if self.default_port:
            value = with_default_port(value)
        return with_host_form(value, self.host_form)

    def with_parts(self, value: IRIReference, more: Sequence[Setting]) -> IRIReference:
        changes = dict(self.given)
        settings = [
            setting
            for setting in (*self.settings, *more)
            if not (setting.if_undefined and is_there(value, setting.part))
        ]
        # A path after a host needs a leading slash, and the host may be set after the path.
        hosts = [setting.text or None for setting in settings if setting.part == "host"]
        host = hosts[0] if hosts else changes.get("host", value.host)
        changes |= {setting.part: setting.text_for(host) for setting in settings}
        if changes.keys() & {"username", "password"}:
            username, password = username_and_password(value)
            username, password = (
                changes.pop("username", username),
                changes.pop("password", password),
            )
            if ":" in (username or ""):
                from uriverse import BuildError

                reason = "a colon is not allowed in the user name"
                hint = "percent-encode it as %3A"
                place = str(username).index(":")
                raise BuildError(str(username), place, "userinfo", "userinfo", reason, hint)
            changes["userinfo"] = username if password is None else f"{username or ''}:{password}"
        return replace_parts(changes)(value)

    def with_params(self, value: IRIReference) -> IRIReference:
        params = self.reading.params_of(value)
        if self.query_drop or self.query_keep:
            params = params.filter(keep=self.query_keep or "*", drop=self.query_drop)
        for name, data in self.query_replace:
            if is_glob(name):
                params = self.with_values(params, name, data)
            elif name in params:
                params = params.updated([(name, data)])
        if self.query_set:
            params = params.updated(self.query_set)
        for name, data in self.added:
            params = params.add_param(name, data)
        return value.with_params(params.sorted() if self.sort_query else params)

    def with_values(self, params: Params, glob: str, data: str | None) -> Params:
        """Return a copy in which the parameters whose name matches a pattern have a new value.

        Their names and all other characters of the query stay the same.
        """
        from fnmatch import fnmatchcase

        from uriverse import Params

        if params.query is None:
            return params
        codec, separator = self.reading.codec, self.reading.separator
        # The equals sign and the encoded value.
        ending = str(Params(codec=codec, separator=separator).add_param("a", data))[1:]
        names = iter([name for name, _ in params.items()])
        pieces = [
            piece.partition("=")[0] + ending
            if piece and fnmatchcase(next(names), glob)  # an empty piece is not a parameter
            else piece
            for piece in params.query.split(separator)
        ]
        return Params(separator.join(pieces), codec=codec, separator=separator)


def replace_parts(changes: dict[str, Any]) -> Callable[[IRIReference], IRIReference]:
    from operator import methodcaller

    if len(changes) == 1:
        # Replacing a single component is faster.
        [(part, text)] = changes.items()
        return methodcaller(f"with_{part}", text)
    return methodcaller("replace", **changes)


def is_there(value: IRIReference, part: str) -> bool:
    """Return True if a component is present; an empty path counts as missing."""
    text = PARTS[part](value)
    return text is not None if part != "path" else text != ""


def is_glob(name: str) -> bool:
    """Return whether a value of `--query-replace` has a pattern in place of a name.

    Brackets alone do not make a pattern, because names such as `ids[]` are common.
    """
    return "*" in name or "?" in name


def pair_of(text: str) -> Pair:
    """Parse a query parameter: `NAME=DATA`, or `NAME` for a parameter without a value."""
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


def part_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for each URI component, such as `--host`, to a command.

    The command receives a dictionary of the options that the user set as the argument `parts`.
    """

    @replacing(command)
    def with_parts(**options: Any) -> None:
        given = {name: options.pop(f"part_{name}") for name in SETTABLE}
        command(parts={name: text for name, text in given.items() if text is not None}, **options)

    for name in reversed(SETTABLE):
        explained = f"Set the {name}; - removes it."
        with_parts = option(f"--{name}", f"part_{name}", metavar="VALUE", help=explained)(
            with_parts
        )
    return with_parts


@command("set", condensed=CONDENSED)
@part_options
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
@option("--punycode", "host_form", flag_value="puny", help="Convert the host to Punycode.")
@option("--as-idn", "host_form", flag_value="idn", help="Convert the host to Unicode.")
@format_options
@reading_options
@takes_inputs(edits=True)
def set_command(
    inputs: Inputs,
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
    """Edit components and query parameters of URIs.

    Components are scheme, userinfo, username, password, host, port, path, query and fragment.
    --host VALUE and -s COMPONENT:=VALUE expect an encoded VALUE, and -s COMPONENT?=DATA keeps
    an existing component. The URI "" is empty.
    """
    iterated = list(map(Setting.parse, iterate))
    edit = Edit(
        settings=list(map(Setting.parse, settings)),
        iterated=iterated,
        appended=list(map(Appended.parse, append)),
        query_set=list(map(pair_of, query_set)),
        query_add=list(map(pair_of, query_add)),
        query_replace=list(map(pair_of, query_replace)),
        **options,
    )
    shown = inputs.shown

    def printed(value: IRIReference) -> str:
        return shown(str(value)) if form is None else form(value, shown)

    if not iterated:
        inputs.answer(lambda uri: printed(edit(read(uri))), drawn=True)

    if inputs.rewriting is not None:
        raise MisuseError("--iterate prints several results, so it cannot edit files")
    from itertools import product

    def edited(uri: str) -> list[str]:
        value = read(uri)
        rows = product(*(setting.alternatives() for setting in iterated))
        return [printed(edit(value, row)) for row in rows]

    if inputs.as_json:
        inputs.answer(edited)
    inputs.answer(lambda uri: inputs.output.end.join(edited(uri)), drawn=True)


@command("repair")
@option("--iri", is_flag=True, help="Keep the non-ASCII characters that IRIs may contain.")
@add_scheme_option
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

    def repaired(text: str) -> Repaired:
        return repair(text, iri=iri, scheme=choose_scheme(text, add_scheme), slashes=slashes)

    try:
        repaired("")
    except ValueError as error:
        raise MisuseError(str(error)) from None
    if changes:
        inputs.as_json = True
        from dataclasses import asdict

        inputs.answer(lambda text: [asdict(change) for change in repaired(text).changes])
    inputs.answer(lambda text: str(repaired(text)))
