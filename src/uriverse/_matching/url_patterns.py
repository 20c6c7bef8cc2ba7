"""The parts of URL patterns: strings for the class `URLPattern` of browsers ([URL Pattern][1]).

The rules of policies, and URI Templates, can express some of these patterns.

[1]: https://urlpattern.spec.whatwg.org/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol
from urllib.parse import quote

from uriverse._errors import URIError
from uriverse._patterns import lazy_pattern


class Given(Protocol):
    """A pattern to translate."""

    @property
    def text(self) -> str:
        """The pattern."""
        ...

    @property
    def result(self) -> str:
        """The kind of the result, such as "a rule"."""
        ...

    def error(self, position: int, component: str, reason: str, hint: str) -> URIError:
        """Return the error for a pattern that is invalid, or that cannot be translated."""
        ...


#: The components of a pattern, and their names in a URI.
COMPONENTS = {
    "protocol": "scheme",
    "username": "userinfo",
    "password": "userinfo",
    "hostname": "host",
    "port": "port",
    "pathname": "path",
    "search": "query",
    "hash": "fragment",
    "baseURL": "text",
}

TOKEN = lazy_pattern(
    r"(?s)\\(?P<escaped>.)|:(?P<name>[A-Za-z_$][A-Za-z0-9_$]*+)|(?P<colon>:)|(?P<asterisk>\*)"
    r"|(?P<modifier>[?+])|(?P<open>\{)|(?P<close>\})|(?P<regexp>\()|(?P<char>.)"
)

#: The kinds of tokens that a modifier can follow.
GROUPS = {"name", "asterisk", "close"}

#: The characters that a URL parser encodes in a path, a query and a fragment ([URL standard][1]).
#:
#: [1]: https://url.spec.whatwg.org/#path-percent-encode-set
ENCODED = {"pathname": ' "#<>?^`{}', "search": ' "#<>', "hash": ' "<>`'}

#: The other characters that are valid in these components. None of them is a wildcard.
KEPT = "*!$%&'()+,-./:;=?@_~"


class Token(NamedTuple):
    """A token of a pattern.

    Attributes:
        kind: the name of the group of `TOKEN` that matched.
        value: the character or the name.
        start: the index of the first character of the token in the pattern.
        end: the index after the token.
    """

    kind: str
    value: str
    start: int
    end: int

    @property
    def is_fixed(self) -> bool:
        """Whether the token stands for one character."""
        return self.kind in {"char", "escaped"}

    def separates(self, character: str) -> bool:
        """Return whether the token is a character that separates components."""
        return self.value == character and (self.is_fixed or self.kind == "colon")


class Part(NamedTuple):
    """The tokens of a component, and its index in the pattern."""

    start: int
    tokens: list[Token]


def tokens_of(given: Given) -> Iterator[Token]:
    """Split a pattern into tokens."""
    for matched in TOKEN.finditer(given.text):
        kind = matched.lastgroup
        assert kind is not None, "every alternative is a group"
        token = Token(kind, matched[kind], matched.start(), matched.end())
        if kind == "regexp":
            reason = f"{given.result} cannot contain a regular expression"
            raise given.error(token.start, "text", reason, "list the alternatives as patterns")
        if (kind, token.value) == ("char", "\\"):
            hint = "remove the backslash, or escape it with another one"
            raise given.error(token.start, "text", "backslash at the end", hint)
        if kind == "name" and not given.text[token.end : token.end + 1].isascii():
            reason, hint = "non-ASCII character in or after a name", "use only ASCII letters"
            raise given.error(token.end, "text", reason, hint)
        yield token


def end_of_protocol(given: Given, tokens: Sequence[Token]) -> int:
    """Return the index of the colon after the protocol."""
    hint = 'start with a protocol and "://", as in "https://example.com/*"'
    for index, token in enumerate(tokens):
        if token.separates(":"):
            slashes = tokens[index + 1 : index + 3]
            if len(slashes) == 2 and all(slash.separates("/") for slash in slashes):
                return index
            raise given.error(token.end, "scheme", 'missing "//" after the protocol', hint)
    raise given.error(0, "scheme", "missing protocol", hint)


def parts_of(given: Given, tokens: Sequence[Token]) -> dict[str, Part]:
    """Split the tokens after the protocol into components ([URL Pattern, 1.6][1]).

    [1]: https://urlpattern.spec.whatwg.org/#constructor-string-parsing

    Args:
        given: the pattern.
        tokens: the last slash before the hostname, and all tokens after it.
    """
    component = "hostname"
    parts = {component: Part(tokens[0].end, [])}
    in_group = in_brackets = False
    for previous, token in pairwise(tokens):
        in_group = token.kind == "open" or (in_group and token.kind != "close")
        if in_group and component in {"hostname", "port"} and token.value in set("/?#:"):
            reason = "a group contains the end of the host"
            raise given.error(token.start, "host", reason, "end the group before this character")
        following = component if in_group else next_component(component, token, previous)
        in_brackets = token.value == "[" or (in_brackets and token.value != "]")
        if component in {"hostname", "port"} and not in_group and token.separates("@"):
            reason = f"{given.result} cannot contain userinfo"
            raise given.error(parts["hostname"].start, "userinfo", reason, 'remove it and the "@"')
        if following == component or (following == "port" and in_brackets):
            parts[component].tokens.append(token)
            continue
        component = following
        start = token.start if component == "pathname" else token.end
        parts[component] = Part(start, [token] if component == "pathname" else [])
    return parts


def next_component(component: str, token: Token, previous: Token) -> str:
    """Return the component that starts at a token; the current one if none starts."""
    if token.separates("#"):
        return "hash"
    # A "?" after a group is its modifier.
    is_question = token.separates("?") or (
        (token.kind, token.value) == ("modifier", "?") and previous.kind not in GROUPS
    )
    if component not in {"search", "hash"} and is_question:
        return "search"
    if component in {"hostname", "port"} and token.separates("/"):
        return "pathname"
    return "port" if component == "hostname" and token.separates(":") else component


def without_braces(given: Given, component: str, part: Part) -> list[Token]:
    """Remove the braces of groups without a modifier, which change nothing."""
    found: list[Token] = []
    opened: Token | None = None
    kind = ""
    for token in part.tokens:
        previous, kind = kind, token.kind
        place = (token.start, COMPONENTS[component])
        if kind == "modifier" or (kind == "asterisk" and previous in GROUPS):
            hint = "write a pattern for each alternative, or escape the modifier"
            raise given.error(*place, f"{given.result} cannot express a modifier", hint)
        if kind == "colon":
            raise given.error(*place, '":" without a name', 'escape it as "\\:"')
        if (kind == "open" and opened) or (kind == "close" and not opened):
            raise given.error(
                *place, "unbalanced or nested braces", "remove the braces, or escape them"
            )
        if kind in {"open", "close"}:
            opened = token if kind == "open" else None
        else:
            found.append(token)
    if opened:
        raise given.error(
            opened.start, COMPONENTS[component], "missing closing brace", 'append "}"'
        )
    return found


def encoded(given: Given, component: str, token: Token) -> str:
    """Return the character that a token stands for as a URL parser writes it."""
    character = token.value
    if character == "*" and component == "pathname":
        return "%2A"
    if character in ENCODED[component] or "\x7f" < character < "\ud800" or character > "\udfff":
        return quote(character, safe="")
    if character in KEPT or (character.isascii() and character.isalnum()):
        return character
    hint = "write the percent-encoded form that the URLs contain"
    raise given.error(token.start, COMPONENTS[component], "invalid character", hint)
