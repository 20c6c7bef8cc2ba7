"""Edit the components of a URI as the options of `uriverse-links set` specify."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from uriverse import BuildError, ConvertError, IRIReference, Params, URIReference, parse, percent
from uriverse.typing import Component

from .options import COMPONENTS, parse_argument
from .output import MisuseError, escape_controls

#: The value that removes a component. Write %2D for a hyphen.
NOTHING = "-"

#: For each component, the argument of `percent.encode` that encodes data for the component. Schemes
#: and ports are never encoded.
ENCODINGS: dict[str, Component] = {
    "userinfo": "userinfo",
    "username": "unreserved",
    "password": "unreserved",
    "host": "reg-name",
    "path": "path",
    "query": "query",
    "fragment": "fragment",
}

#: The value of `--set`: COMPONENT=DATA, COMPONENT:=VALUE or COMPONENT?=DATA.
SETTING = re.compile(r"(\w+)((?!::|\?\?)[:?]{0,2})=([\s\S]*)")


class NotAcceptedError(ConvertError):
    """The error for a URI whose host or scheme is not accepted."""


class Setting(NamedTuple):
    """A value of `--set`, such as `host=example.org`.

    Attributes:
        component: one of `COMPONENTS`.
        is_encoded: whether the value is already percent-encoded (`:=`).
        if_undefined: whether an existing component is kept (`?=`).
        text: the new value; an empty string removes the component.
    """

    component: str
    is_encoded: bool
    if_undefined: bool
    text: str

    @classmethod
    def parse(cls, text: str) -> Setting:
        match = SETTING.fullmatch(text)
        if match is None:
            raise MisuseError(
                f"invalid setting {text!r}; "
                "write COMPONENT=DATA, COMPONENT:=VALUE or COMPONENT?=DATA"
            )
        if match[1] not in COMPONENTS:
            known = ", ".join(COMPONENTS)
            raise MisuseError(f"unknown component {match[1]!r}; the components are {known}")
        return cls(match[1], ":" in match[2], "?" in match[2], match[3])

    def encode(self, host: str | None) -> str | None:
        """Return the percent-encoded value, or `None` to remove the component.

        After a host, a path gets a leading slash.
        """
        if not self.text:
            return "" if self.component == "path" else None
        # Encoding the colons of an IPv6 address would turn the address into a name.
        is_literal = self.component == "host" and (self.text.startswith("[") or ":" in self.text)
        if self.is_encoded or self.component not in ENCODINGS or is_literal:
            return self.text
        text = percent.encode(self.text, ENCODINGS[self.component])
        is_rootless = self.component == "path" and host is not None and not text.startswith("/")
        return f"/{text}" if is_rootless else text


class ComponentEdit:
    """Edits a URI; the order of the steps is that of the method `__call__`."""

    def __init__(self, options: Namespace) -> None:
        self.options = options
        self.hosts = [lower_ascii(host) for host in options.accept_host]
        self.schemes = [lower_ascii(scheme) for scheme in options.accept_scheme]
        self.settings = [Setting.parse(text) for text in options.settings]
        #: The components that have an option of their own; `None` removes one.
        self.parts: dict[str, Any] = {}
        for name in COMPONENTS:
            text = getattr(options, name)
            if text is not None:
                check_component(name, text)
                self.parts[name] = None if text == NOTHING else text
        if "path" in self.parts:
            self.parts["path"] = self.parts["path"] or ""
        named = [*self.parts, *(setting.component for setting in self.settings)]
        for name in named:
            if named.count(name) > 1:
                raise MisuseError(f"{name} is set more than once; set it once")
        if "userinfo" in named and {"username", "password"} & set(named):
            raise MisuseError(
                "userinfo contradicts username and password; set userinfo, or username and password"
            )
        encoded = (setting.text for setting in self.settings if setting.is_encoded)
        self.in_ascii = all(
            text is None or text.isascii() for text in (*self.parts.values(), *encoded)
        )
        self.segments, self.added = parse_appended(options.append)
        self.added = [*map(parse_pair, options.query_add), *self.added]
        self.replaced = [parse_pair(text) for text in options.query_replace]
        self.updated = [parse_pair(text) for text in options.query_set]
        self.reading: dict[str, Any] = {
            "codec": options.codec or "form",
            "separator": options.query_separator or "&",
        }
        self.edits_query = options.sort_query or any(
            (options.query_drop, options.query_keep, self.replaced, self.updated, self.added)
        )

    def __call__(self, text: str) -> IRIReference:
        """Return the edited URI."""
        value = self.accept(parse(text))
        if self.options.redirect is not None:
            value = value.resolve(IRIReference(self.options.redirect))
        # Edits may add or remove the scheme, so convert the URI to a reference type. If all values
        # are ASCII, `URIReference` ensures that the result is ASCII too.
        is_ascii = self.in_ascii and str(value).isascii()
        value = (URIReference if is_ascii else IRIReference)(value)
        if self.parts or self.settings:
            value = self.set_components(value)
        for segment in self.segments:
            value = value.joinpath(segment)
        if self.edits_query:
            value = value.with_params(self.edit_params(value.params.with_codec(**self.reading)))
        if self.options.normalize:
            value = value.normalize()
        if self.options.default_port and not value.port_text and value.effective_port is not None:
            value = value.with_port(value.effective_port)
        if self.options.punycode and value.host and value.host_kind == "reg-name":
            value = IRIReference(value).with_host(value.to_uri(host="idna").host)
        return value

    def accept(self, value: IRIReference) -> IRIReference:
        """Return a URI unchanged if `--accept-host` and `--accept-scheme` allow it.

        Raises:
            NotAcceptedError: the host or the scheme is not accepted.
        """
        host, scheme = value.hostname or "", (value.scheme or "").lower()
        if self.hosts and not any(
            glob in {host, value.host} or fnmatchcase(host, glob) for glob in self.hosts
        ):
            reason = escape_controls(f"the host does not match {' or '.join(self.hosts)}")
            raise NotAcceptedError(str(value), 0, "host", "host", reason)
        if self.schemes and scheme not in self.schemes:
            reason = escape_controls(f"the scheme is not {' or '.join(self.schemes)}")
            raise NotAcceptedError(str(value), 0, "scheme", "scheme", reason)
        return value

    def set_components(self, value: IRIReference) -> IRIReference:
        """Return a copy of a URI with other components."""
        changes = dict(self.parts)
        settings = [
            setting
            for setting in self.settings
            if not (setting.if_undefined and has_component(value, setting.component))
        ]
        # A path after a host needs a leading slash, and the host may be set after the path.
        hosts = [setting.text or None for setting in settings if setting.component == "host"]
        host = hosts[0] if hosts else changes.get("host", value.host)
        changes |= {setting.component: setting.encode(host) for setting in settings}
        if changes.keys() & {"username", "password"}:
            username, password = split_userinfo(value)
            username = changes.pop("username", username)
            password = changes.pop("password", password)
            if ":" in (username or ""):
                reason, hint = "a colon is not allowed in the user name", "percent-encode it as %3A"
                at = str(username).index(":")
                raise BuildError(str(username), at, "userinfo", "userinfo", reason, hint)
            changes["userinfo"] = username if password is None else f"{username or ''}:{password}"
        return value.replace(**changes)

    def edit_params(self, params: Params) -> Params:
        """Return a copy of query parameters with the edits of the options."""
        options = self.options
        if options.query_drop or options.query_keep:
            params = params.filter(keep=options.query_keep or "*", drop=options.query_drop)
        for name, data in self.replaced:
            if "*" in name or "?" in name:
                params = self.replace_values(params, name, data)
            elif name in params:
                params = params.updated([(name, data)])
        if self.updated:
            params = params.updated(self.updated)
        for name, data in self.added:
            params = params.add_param(name, data)
        return params.sorted() if options.sort_query else params

    def replace_values(self, params: Params, glob: str, data: str | None) -> Params:
        """Return a copy in which the parameters whose name matches a pattern have a new value.

        Their names and all other characters of the query stay the same.
        """
        if params.query is None:
            return params
        # The equals sign and the encoded value.
        ending = str(Params(**self.reading).add_param("a", data))[1:]
        names = iter([name for name, _ in params.items()])
        separator = self.reading["separator"]
        pieces = [
            piece.partition("=")[0] + ending
            if piece and fnmatchcase(next(names), glob)  # an empty piece is not a parameter
            else piece
            for piece in params.query.split(separator)
        ]
        return Params(separator.join(pieces), **self.reading)


def lower_ascii(text: str) -> str:
    """Convert only ASCII letters to lower case; `str.lower` would convert U+212A to "k"."""
    return text.encode(errors="surrogatepass").lower().decode(errors="surrogatepass")


def check_component(name: str, text: str) -> None:
    """Report a value that no URI can have, such as `--host 'a b'`, as a usage error."""
    if text == NOTHING:
        return
    part = "userinfo" if name in {"username", "password"} else name
    change: dict[str, Any] = {part: f"/{text}" if part == "path" else text}
    parse_argument(f"--{name}", lambda: IRIReference("//host").replace(**change))


def parse_pair(text: str) -> tuple[str, str | None]:
    """Parse a query parameter: `NAME=DATA`, or `NAME` for a parameter without a value."""
    if not text:
        raise MisuseError("empty query parameter; write NAME=DATA or NAME")
    name, equals, data = text.partition("=")
    return name, data if equals else None


def parse_appended(texts: Sequence[str]) -> tuple[list[str], list[tuple[str, str | None]]]:
    """Return the segments and the query parameters among the values of `--append`."""
    segments: list[str] = []
    pairs: list[tuple[str, str | None]] = []
    for text in texts:
        part, _, data = text.partition("=")
        if part == "path":
            segments.append(data)
        elif part == "query":
            pairs.append(parse_pair(data))
        else:
            raise MisuseError(
                f"invalid value {text!r} of --append; write path=DATA or query=NAME=DATA"
            )
    return segments, pairs


def split_userinfo(value: IRIReference) -> tuple[str | None, str | None]:
    """Return the user name and the password in the userinfo of a URI, split at the first colon."""
    if value.userinfo is None:
        return None, None
    username, colon, password = value.userinfo.partition(":")
    return username, password if colon else None


def has_component(value: IRIReference, name: str) -> bool:
    """Return whether a component is present; an empty path counts as missing."""
    if name in {"username", "password"}:
        return split_userinfo(value)[name == "password"] is not None
    component = getattr(value, "port_text" if name == "port" else name)
    return component != "" if name == "path" else component is not None
