r"""Format strings: `{scheme}://{host}{path}`, and `trurl`'s.

A field in braces names a component, with what to do about it before it: `{must:host}`.
`{query:name}` is the value of a parameter. `\t`, `\n`, `\r` and `\\` are what they are in
Python; `{{` is a brace.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from uriverse import ConvertError, IRIReference, percent
from uriverse._spec.domain import to_unicode
from uriverse.typing import ParamCodec, ParamSeparator

if TYPE_CHECKING:
    from uriverse import Params

Part = Callable[[IRIReference], str | None]


def user_and_password(value: IRIReference) -> tuple[str | None, str | None]:
    """What stands before the first colon of the userinfo, and behind it."""
    if value.userinfo is None:
        return None, None
    user, colon, password = value.userinfo.partition(":")
    return user, password if colon else None


#: What can stand in a field, and how it is had from an identifier, exactly as it is written.
PARTS: dict[str, Part] = {
    "url": str,
    "scheme": lambda value: value.scheme,
    "authority": lambda value: value.authority,
    "userinfo": lambda value: value.userinfo,
    "user": lambda value: user_and_password(value)[0],
    "password": lambda value: user_and_password(value)[1],
    "host": lambda value: value.host,
    "port": lambda value: value.port_text,
    "path": lambda value: value.path,
    "query": lambda value: value.query,
    "fragment": lambda value: value.fragment,
}

#: What is never decoded: it holds delimiters, or nothing to decode.
WHOLE = {"url", "authority", "userinfo", "scheme", "port"}

MODIFIERS = {"must", "default", "strict", "url", "decoded", "puny", "idn"}

#: What can stand before some parts only.
ONLY_OF = {"default": ("port", "url"), "puny": ("host", "url"), "idn": ("host", "url")}

ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}


class MisuseError(ValueError):
    """A word of the command line that can't be read; `str` says why."""


class Reading(NamedTuple):
    """How a query is read as parameters."""

    codec: ParamCodec = "form"
    separator: ParamSeparator = "&"

    def params_of(self, value: IRIReference) -> Params:
        params = value.params
        plain = self == ("form", "&")
        return params if plain else params.read_as(codec=self.codec, separator=self.separator)


@dataclass(frozen=True)
class Field:
    """A field of a format string.

    Attributes:
        name: what stands in `PARTS`, or `query` and `query-all` with a key.
        modifiers: those before it.
        key: the name of a parameter.
        decode: whether it is decoded.
        reading: how a query is read.
    """

    name: str
    modifiers: frozenset[str]
    key: str | None
    decode: bool
    reading: Reading

    def __call__(self, value: IRIReference) -> str | None:
        """What it stands for; `None` where that is not defined."""
        text = self.part_of(value) if self.key is None else self.param_of(value, self.key)
        if text is None and "must" in self.modifiers:
            name = self.name if self.key is None else f"{self.name}:{self.key}"
            component = self.name.removesuffix("-all")
            reason = f"there is no {name}"
            raise ConvertError(str(value), 0, component, component, reason, "leave out must:")
        return text

    def part_of(self, value: IRIReference) -> str | None:
        if self.modifiers:
            value = self.rewritten(value)
        text = PARTS[self.name](value)
        # A port without digits is the scheme's too.
        if self.name == "port" and not text and "default" in self.modifiers:
            port = value.effective_port
            text = text if port is None else str(port)
        return text if text is None or self.name in WHOLE else self.shown(text)

    def param_of(self, value: IRIReference, key: str) -> str | None:
        """The value of a parameter, or all of them with a space between."""
        params = self.reading.params_of(value)
        plus = " " if self.reading.codec == "form" else "+"
        texts = [
            self.shown(raw, plus)
            for (name, _), (_, raw) in zip(params.items(), params.raw_items(), strict=True)
            if name == key and raw is not None
        ]
        if self.name == "query-all":
            return " ".join(texts) if texts else None
        return next(iter(texts), None)

    def shown(self, text: str, plus: str = "+") -> str:
        """A text as it is written, or decoded; then a plus sign in a form is a space."""
        if not self.decode:
            return text
        return percent.decode(
            text.replace("+", plus), "strict" if "strict" in self.modifiers else "keep"
        )

    def rewritten(self, value: IRIReference) -> IRIReference:
        """The identifier with its host as it is wanted, and with a port where it has none."""
        if self.modifiers & {"puny", "idn"}:
            value = with_host_form(value, "puny" if "puny" in self.modifiers else "idn")
        if self.name == "url" and "default" in self.modifiers:
            value = with_default_port(value)
        return value


class Format:
    """A format string, read.

    Args:
        text: the format string.
        decode: whether fields are decoded where nothing is said about it.
        brackets: whether fields may stand in square brackets instead, where the first one
            does.
        reading: how a query is read.
    """

    def __init__(
        self,
        text: str,
        *,
        decode: bool = False,
        brackets: bool = False,
        reading: Reading = Reading(),  # noqa: B008  # a tuple of constants
    ) -> None:
        opening = "[" if brackets and first_is_bracket(text) else "{"
        closing = "]" if opening == "[" else "}"
        self.pieces: list[str | Field] = []
        # An escape, an opening sign twice, a field, or what stands for itself.
        pattern = rf"\\(?s:.)|\{opening}\{opening}|\{opening}([^\{closing}]*)\{closing}|(?s:.)"
        for match in re.finditer(pattern, text):
            if match[1] is not None:
                self.pieces.append(field_of(match[1], decode=decode, reading=reading))
            elif len(match[0]) == 2 and match[0][0] == "\\":
                follows = match[0][1]
                self.pieces.append(ESCAPES.get(follows, follows if follows in "{}[]" else match[0]))
            else:
                self.pieces.append(match[0][0])

    def __call__(self, value: IRIReference, shown: Callable[[str], str] = str) -> str:
        """The text for an identifier; what is not defined is empty.

        Args:
            value: the identifier.
            shown: what makes of a field's text what is to be printed.
        """
        return "".join(p if isinstance(p, str) else shown(p(value) or "") for p in self.pieces)


def first_is_bracket(text: str) -> bool:
    """Whether the first sign that opens a field is a bracket."""
    found = re.search(r"(?<!\\)[\[{]", text)
    return found is not None and found[0] == "["


def field_of(text: str, *, decode: bool, reading: Reading) -> Field:
    """A field by what stands in its braces."""
    words = text.split(":")
    modifiers: set[str] = set()
    if words[0] == "" and len(words) > 1:
        modifiers.add("url")
        del words[0]
    while len(words) > 1 and words[0] in MODIFIERS:
        modifiers.add(words.pop(0))
    name, key = words[0], None
    if name in {"query", "query-all"} and len(words) > 1:
        key = ":".join(words[1:])
    elif len(words) > 1 or name not in PARTS:
        known = ", ".join(PARTS)
        raise MisuseError(
            f"there is no field {{{text}}}; there are {known}, query:NAME, query-all:NAME"
        )
    for modifier, names in ONLY_OF.items():
        if modifier in modifiers and (name not in names or key is not None):
            raise MisuseError(f"{modifier}: is of {' and '.join(names)}, not of {{{text}}}")
    decode = (decode or "decoded" in modifiers) and "url" not in modifiers
    return Field(name, frozenset(modifiers), key, decode, reading)


def with_host_form(value: IRIReference, form: str | None) -> IRIReference:
    """An identifier with its host as a DNS name in ASCII, or as people read it."""
    if form is None or value.host is None or value.host_kind != "reg-name" or not value.host:
        return value
    host = (
        value.to_uri(host="idna").host
        if form == "puny"
        else ".".join(map(to_unicode, value.host.split(".")))
    )
    return value if host == value.host else IRIReference(value).with_host(host)


def with_default_port(value: IRIReference) -> IRIReference:
    """An identifier with the port that its scheme has if none is written."""
    port = None if value.port_text else value.effective_port
    return value if port is None else value.with_port(port)
