"""Translate constructor strings of `URLPattern` to rules ([URL Pattern][1]).

[1]: https://urlpattern.spec.whatwg.org/
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import quote

from uriverse._engine import annotate
from uriverse._patterns import lazy_pattern
from uriverse._spec.percent import plain

from .foreign_rules import DEFAULT_PORTS, EVERY_HOST, Given, origin_of
from .rules import Rule

#: The protocols that a rule can express.
PROTOCOLS = {
    "ftp": ("ftp",),
    "http": ("http",),
    "https": ("https",),
    "http{s}?": ("http", "https"),
    "ws": ("ws",),
    "wss": ("wss",),
    "ws{s}?": ("ws", "wss"),
}

#: The components after the protocol, and their names in a URI.
COMPONENTS = {
    "hostname": "host",
    "port": "port",
    "pathname": "path",
    "search": "query",
    "hash": "fragment",
}

#: The forms of the components that a rule can express.
HINTS = {
    "hostname": 'write a name, "*." and a name, or "{*.}?" and a name',
    "port": 'write a number, "*" for every port, or nothing for the default port',
    "pathname": 'use "*" only as the last segment, and ":name" for a part of one segment',
    "search": 'write the query in full, or "*" for every query',
    "hash": 'remove everything from "#" on, or write "#*"',
}

TOKEN = lazy_pattern(
    r"(?s)\\(?P<escaped>.)|:(?P<name>[A-Za-z_$][A-Za-z0-9_$]*+)|(?P<colon>:)|(?P<asterisk>\*)"
    r"|(?P<modifier>[?+])|(?P<open>\{)|(?P<close>\})|(?P<regexp>\()|(?P<char>.)"
)

#: The start of a hostname that matches a name and all names below it.
OPTIONAL_SUBDOMAINS = [
    ("open", "{"),
    ("asterisk", "*"),
    ("char", "."),
    ("close", "}"),
    ("modifier", "?"),
]

#: The kinds of tokens that a modifier can follow.
GROUPS = {"name", "asterisk", "close"}

#: The characters that a URL parser encodes in a path and in a query ([URL standard][1]).
#:
#: [1]: https://url.spec.whatwg.org/#path-percent-encode-set
ENCODED = {"pathname": ' "#<>?^`{}', "search": ' "#<>'}

#: The other characters that are valid in a path or in a query. None of them is a wildcard.
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


def rules_from_url_pattern(text: str, /) -> tuple[Rule, ...]:
    """Translate the constructor string of a `URLPattern` to rules ([URL Pattern][1]).

    | part of the pattern | forms that a rule can express |
    |---|---|
    | protocol | a fixed one, `http{s}?` or `ws{s}?` |
    | hostname | a fixed one, `*.` and a name, or `{*.}?` and a name |
    | port | a fixed one, `*`, or none for the default port |
    | pathname | fixed text, `:name` for a part of one segment, and `*` as the last segment |
    | search | fixed text, `*`, or none for every query |
    | hash | `*` or none |

    A pattern that consists only of an origin allows every path. Rules do not allow URLs with
    userinfo, which a pattern allows by default. They compare URLs in normal form, so they also
    allow other spellings of a URL that the pattern matches, such as `/%61` for `/a`.

    [1]: https://urlpattern.spec.whatwg.org/#constructor-string-parsing

    Args:
        text: the pattern. It must contain a protocol, because the function takes no base URL.

    Returns:
        The rules, without duplicates.

    Raises:
        RuleError: the pattern is invalid, or no rule can express it, for example because it
            contains a regular expression, an optional group or a modifier.
        TypeError: the pattern is not a `str`.

    >>> for rule in rules_from_url_pattern("http{s}?://{*.}?example.com/:file.js"):
    ...     print(rule)
    http://example.com/*.js
    http://*.example.com/*.js
    https://example.com/*.js
    https://*.example.com/*.js
    >>> print(*rules_from_url_pattern("https://example.com/search?q=a"))
    https://example.com/search?q=a
    """
    given = Given(plain(text), "URLPattern")
    tokens = list(tokens_of(given))
    colon = end_of_protocol(given, tokens)
    protocol = given.text[: tokens[colon].start].lower()
    if protocol not in PROTOCOLS:
        hint = f"use {', '.join(PROTOCOLS)}; or write a pattern for each protocol"
        raise given.error(0, "scheme", "unsupported protocol", hint)
    parts = parts_of(given, tokens[colon + 2 :])
    starts = {COMPONENTS[component]: part.start for component, part in parts.items()}
    hosts = hosts_of(given, parts["hostname"])
    port = port_of(given, parts.get("port"), PROTOCOLS[protocol])
    path, query = path_of(given, parts), query_of(given, parts)
    after_origin = path + query if query or path != "/" else ""
    texts = (
        origin_of(scheme, host, port) + after_origin
        for scheme in PROTOCOLS[protocol]
        for host in hosts
    )
    return tuple(dict.fromkeys(given.rule(rule, {"scheme": 0, **starts}) for rule in texts))


rules_from_url_pattern.__module__ = "uriverse"
annotate(rules_from_url_pattern)


def tokens_of(given: Given) -> Iterator[Token]:
    """Split a pattern into tokens."""
    for matched in TOKEN.finditer(given.text):
        kind = matched.lastgroup
        assert kind is not None, "every alternative is a group"
        token = Token(kind, matched[kind], matched.start(), matched.end())
        if kind == "regexp":
            reason = "a rule cannot contain a regular expression"
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
            reason = "unexpected userinfo: a policy rejects URLs with userinfo"
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
    if component != "hash" and token.separates("#"):
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
            raise given.error(*place, "a rule cannot express a modifier", hint)
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


def hosts_of(given: Given, part: Part) -> tuple[str, ...]:
    """Return the hosts of the rules."""
    optional = [(token.kind, token.value) for token in part.tokens[:5]] == OPTIONAL_SUBDOMAINS
    tokens = without_braces(given, "hostname", part._replace(tokens=part.tokens[5 * optional :]))
    if [token.kind for token in tokens] == ["asterisk"]:
        raise given.error(part.start, "host", "a rule cannot allow every host", EVERY_HOST)
    below = len(tokens) > 1 and tokens[0].kind == "asterisk" and tokens[1].separates(".")
    name = fixed_text(given, "hostname", tokens[2 * below :])
    given.require_host(name, part.start)
    if "*" in name:
        raise given.error(part.start, "host", 'invalid character "*" in host', HINTS["hostname"])
    return (name, f"*.{name}") if optional else (f"*.{name}" if below else name,)


def port_of(given: Given, part: Part | None, schemes: Sequence[str]) -> str:
    """Return the port of the rules; `""` for the default port, and `"*"` for every port."""
    tokens = without_braces(given, "port", part) if part else []
    if not part or not tokens:
        return ""
    if [token.kind for token in tokens] == ["asterisk"]:
        return "*"
    port = given.port(fixed_text(given, "port", tokens), part.start)
    if len(schemes) > 1 and port in {str(DEFAULT_PORTS[scheme]) for scheme in schemes}:
        reason = "the port is the default port of only one of the protocols"
        raise given.error(part.start, "port", reason, "write a pattern for each protocol")
    return port


def path_of(given: Given, parts: Mapping[str, Part]) -> str:
    """Return the path of the rules; `"/"` for every path."""
    part = parts.get("pathname")
    if part is None:
        later = next((parts[name] for name in ("search", "hash") if name in parts), None)
        if later is not None:
            # URL Pattern, 1.6, "change state": the pathname is then "/".
            reason = 'the missing path is "/", and a rule with this path allows everything below'
            raise given.error(later.start - 1, "path", reason, 'write a path, such as "/*"')
        return "/"
    tokens = without_braces(given, "pathname", part)
    is_subtree = tokens[-1].kind == "asterisk" and tokens[-2].separates("/")
    if is_subtree:
        del tokens[-1]
    path = "".join(path_pieces(given, tokens))
    given.require_no_dot_segments(path, part.start)
    if not is_subtree:
        given.require_exact_path(path, tokens[-1].end - len(path))
    return path


def path_pieces(given: Given, tokens: Sequence[Token]) -> Iterator[str]:
    """Return the characters of a path. A rule also writes a named group as `*`."""
    previous = ""
    for token in tokens:
        if token.kind == "asterisk" or token.kind == previous == "name":
            reason = "a rule cannot have a wildcard here"
            raise given.error(token.start, "path", reason, HINTS["pathname"])
        previous = token.kind
        yield "*" if previous == "name" else encoded(given, "pathname", token)


def query_of(given: Given, parts: Mapping[str, Part]) -> str:
    """Return the query of the rules with its `?`; `""` for every query."""
    if "hash" in parts:
        tokens = parts["hash"].tokens
        if [token.kind for token in tokens] != ["asterisk"]:
            reason = "a rule ignores the fragment"
            raise given.error(parts["hash"].start, "fragment", reason, HINTS["hash"])
    if "search" not in parts:
        # URL Pattern, 1.6, "change state": before a hash, the search is then "".
        return "?" if "hash" in parts else ""
    tokens = without_braces(given, "search", parts["search"])
    if [token.kind for token in tokens] == ["asterisk"]:
        return ""
    fixed_text(given, "search", tokens)
    query = "".join(encoded(given, "search", token) for token in tokens)
    return f"?{query.replace('*', '%2A')}"  # a rule has no wildcard in its query


def fixed_text(given: Given, component: str, tokens: Sequence[Token]) -> str:
    """Return the characters that tokens stand for; raise `RuleError` for wildcards."""
    for token in tokens:
        if not token.is_fixed:
            reason = "a rule cannot have a wildcard here"
            raise given.error(token.start, COMPONENTS[component], reason, HINTS[component])
    return "".join(token.value for token in tokens)


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
