"""What `uriverse set` is told to do, and how it is done to an identifier."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from uriverse import BuildError, IRIReference, URIReference, percent

from .formats import (
    PARTS,
    MisuseError,
    Reading,
    user_and_password,
    with_default_port,
    with_host_form,
)

if TYPE_CHECKING:
    from uriverse.typing import Component

#: The parts that can be set, in their order.
SETTABLE = ("scheme", "userinfo", "user", "password", "host", "port", "path", "query", "fragment")

#: What takes a part away, where text is given. A hyphen that is meant is written %2D.
NOTHING = "-"

#: The rule by which data is encoded for a part; scheme and port hold no data.
RULES: dict[str, Component] = {
    "userinfo": "userinfo",
    "user": "unreserved",
    "password": "unreserved",
    "host": "reg-name",
    "path": "path",
    "query": "query",
    "fragment": "fragment",
}

#: A parameter's name, and its value if there is one.
Pair = tuple[str, str | None]


class Setting(NamedTuple):
    """A part and what it is set to, as `host=example.org`.

    Attributes:
        part: one of `SETTABLE`.
        encoded: whether the text is encoded already, as `:=` says; else it is data.
        if_undefined: whether what is there stays, as `?=` says.
        text: what it is set to; nothing takes it away.
    """

    part: str
    encoded: bool
    if_undefined: bool
    text: str

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Read a `PART=DATA`, `PART:=TEXT` or `PART?=DATA`."""
        match = re.fullmatch(r"(?s:(\w+)([:?]{0,2})=(.*))", text)
        if match is None or match[2] in {"::", "??"}:
            raise MisuseError(f"{text!r} is not PART=DATA, PART:=TEXT or PART?=DATA")
        if match[1] not in SETTABLE:
            raise MisuseError(
                f"there is no part {match[1]!r} to set; there are {', '.join(SETTABLE)}"
            )
        return cls(match[1], ":" in match[2], "?" in match[2], match[3])

    def alternatives(self) -> list[Setting]:
        """One for each word of its text."""
        words = [word for word in re.split("[, ]", self.text) if word] or [""]
        return [self._replace(text=word) for word in words]

    def text_for(self, host: str | None) -> str | None:
        """The text of the part in an identifier with a host, or without; `None` for none."""
        if not self.text:
            return "" if self.part == "path" else None
        rule = RULES.get(self.part)
        # An address is text: encoded, it would be a name.
        literal = self.part == "host" and (self.text.startswith("[") or ":" in self.text)
        if self.encoded or rule is None or literal:
            return self.text
        text = percent.encode(self.text, rule)
        rootless = self.part == "path" and host is not None and not text.startswith("/")
        return f"/{text}" if rootless else text


class Appended(NamedTuple):
    """What is added at the end of a path or a query.

    Attributes:
        segment: a segment; `None` if it is a parameter.
        param: a parameter; `None` if it is a segment.
    """

    segment: str | None = None
    param: Pair | None = None

    @classmethod
    def parse(cls, text: str) -> Appended:
        """Read a `path=DATA` or `query=NAME=DATA`."""
        part, _, data = text.partition("=")
        if part == "path":
            return cls(segment=data)
        if part == "query":
            return cls(param=pair_of(data))
        raise MisuseError(f"{text!r} is not path=DATA or query=NAME=DATA")


@dataclass(frozen=True)
class Edit:
    """All that is to be done, in the order in which it is done."""

    redirect: str | None
    parts: dict[str, str]
    settings: Sequence[Setting]
    iterated: Sequence[Setting]
    appended: Sequence[Appended]
    query_drop: Sequence[str]
    query_keep: Sequence[str]
    query_replace: Sequence[Pair]
    query_set: Sequence[Pair]
    query_add: Sequence[Pair]
    sort_query: bool
    reading: Reading
    normalize: bool
    default_port: bool
    host_form: str | None

    def __post_init__(self) -> None:
        named = [*self.parts, *(setting.part for setting in (*self.settings, *self.iterated))]
        for part in named:
            if named.count(part) > 1:
                raise MisuseError(f"{part} is set more than once")
        if "userinfo" in named and {"user", "password"} & set(named):
            raise MisuseError("set the userinfo, or user and password, not both")

    def __call__(self, value: IRIReference, more: Sequence[Setting] = ()) -> IRIReference:
        """An identifier with all done to it; `more` is set as well."""
        if self.redirect is not None:
            value = value.resolve(self.redirect)
        # Of the widest type that keeps it in ASCII if it is, as it may lose or get anything.
        encoded = self.in_ascii and all(s.text.isascii() for s in more if s.encoded)
        plain = encoded and str(value).isascii()
        value = (URIReference if plain else IRIReference)(value)
        if self.parts or self.settings or more:
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

    @cached_property
    def in_ascii(self) -> bool:
        """Whether all that is written as it is given is ASCII."""
        encoded = (setting.text for setting in self.settings if setting.encoded)
        return all(map(str.isascii, (*self.parts.values(), *encoded)))

    @cached_property
    def added(self) -> list[Pair]:
        """The parameters that are added at the end."""
        return [*self.query_add, *(a.param for a in self.appended if a.param is not None)]

    @cached_property
    def edits_query(self) -> bool:
        """Whether there is anything to do about parameters."""
        edits = (self.query_drop, self.query_keep, self.query_replace, self.query_set, self.added)
        return self.sort_query or any(edits)

    def with_parts(self, value: IRIReference, more: Sequence[Setting]) -> IRIReference:
        """Another with the parts that were named."""
        changes: dict[str, Any] = {
            part: None if text == NOTHING else text for part, text in self.parts.items()
        }
        settings = [
            setting
            for setting in (*self.settings, *more)
            if not (setting.if_undefined and is_there(value, setting.part))
        ]
        # The host that a path is to follow may be set after it.
        hosts = [setting.text or None for setting in settings if setting.part == "host"]
        host = hosts[0] if hosts else changes.get("host", value.host)
        changes |= {setting.part: setting.text_for(host) for setting in settings}
        if "path" in changes:
            changes["path"] = changes["path"] or ""
        if changes.keys() & {"user", "password"}:
            user, password = user_and_password(value)
            user, password = changes.pop("user", user), changes.pop("password", password)
            if ":" in (user or ""):
                reason, hint = "a colon ends the user", "write %3A for one that is data"
                place = str(user).index(":")
                raise BuildError(str(user), place, "userinfo", "userinfo", reason, hint)
            changes["userinfo"] = user if password is None else f"{user or ''}:{password}"
        if len(changes) == 1:
            # One part alone takes less time.
            [(part, text)] = changes.items()
            exchange: Callable[[Any], IRIReference] = getattr(value, f"with_{part}")
            return exchange(text)
        return value.replace(**changes)

    def with_params(self, value: IRIReference) -> IRIReference:
        """Another with its parameters edited."""
        params = self.reading.params_of(value)
        if self.query_drop or self.query_keep:
            params = params.filter(keep=self.query_keep or "*", drop=self.query_drop)
        if self.query_replace:
            params = params.updated([pair for pair in self.query_replace if pair[0] in params])
        if self.query_set:
            params = params.updated(self.query_set)
        for name, data in self.added:
            params = params.add_param(name, data)
        return value.with_params(params.sorted() if self.sort_query else params)


def is_there(value: IRIReference, part: str) -> bool:
    """Whether a part is defined; a path always is, so an empty one is taken for none."""
    text = PARTS[part](value)
    return text is not None if part != "path" else text != ""


def pair_of(text: str) -> Pair:
    """A parameter that is given as `NAME=DATA`, or without a value as `NAME`."""
    if not text:
        raise MisuseError("a parameter is given as NAME=DATA or NAME")
    name, equals, data = text.partition("=")
    return name, data if equals else None
