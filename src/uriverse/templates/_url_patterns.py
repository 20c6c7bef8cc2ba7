"""Translate URL patterns to templates ([URL Pattern](https://urlpattern.spec.whatwg.org/))."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from uriverse._engine import annotate
from uriverse._errors import TemplateError
from uriverse._matching.url_patterns import (
    COMPONENTS,
    Part,
    Token,
    encoded,
    end_of_protocol,
    parts_of,
    tokens_of,
    without_braces,
)
from uriverse._patterns import lazy_pattern
from uriverse._quoting import quoted
from uriverse._spec.percent import plain

from ._safety import has_dot_segment
from ._template import Template

#: A host of a template: an IP literal, or a name with variables.
HOST = lazy_pattern(r"\[[0-9A-Fa-f:.]++\]|(?:[A-Za-z0-9._-]|\{[0-9]++\})++")

#: A port of a template.
PORT = lazy_pattern(r"[0-9]++|\{[^{}]++\}")


class Given(NamedTuple):
    """The string to translate."""

    text: str
    result: str = "a template"

    def error(self, position: int, component: str, reason: str, hint: str) -> TemplateError:
        """Return the error for a string that is invalid, or that no template can express."""
        return TemplateError(self.text, position, component, "URLPattern", reason, hint)


class Component(NamedTuple):
    """A component of a pattern: the string that contains it, and its tokens without braces."""

    given: Given
    name: str
    tokens: list[Token]

    @property
    def is_wildcard(self) -> bool:
        """Whether the component is "*"."""
        return [token.kind for token in self.tokens] == ["asterisk"]

    def error(self, token: Token, reason: str, hint: str) -> TemplateError:
        """Return the error for a token that no template can express."""
        return self.given.error(token.start, COMPONENTS[self.name], reason, hint)


def template_from_url_pattern(pattern: str | Mapping[str, str], /) -> Template:
    """Translate a `URLPattern` without regular expressions to a template ([URL Pattern][1]).

    | part of the pattern | in the template |
    |---|---|
    | `:name` | `{name}` |
    | `*` in the path | `{+0}`, with the next number for each further `*`; it may be empty |
    | `*` in another component | `{0}` |
    | `*` as the search, or no search | nothing: the query may have any parameters |
    | another search | the query; URIs with further parameters do not match |
    | `*` as the hash | `{#0}` |

    A pattern with a protocol or a hostname matches absolute URIs, and all of their paths if it has
    no pathname. A mapping with neither matches references that consist of a path, a query and a
    fragment.

    The template matches no URIs that the pattern does not match, apart from other spellings of the
    same URI and other orders of the parameters. It matches fewer than the pattern: no URIs with
    userinfo, with a fragment if the pattern has no hash, with a port if a mapping has no port, and
    none that `Template` refuses because of their dot segments or encoded slashes.

    [1]: https://urlpattern.spec.whatwg.org/#constructor-string-parsing

    Args:
        pattern: the string or the dictionary that the constructor of `URLPattern` accepts.

    Raises:
        TemplateError: the pattern is invalid, or no template can express it: regular expressions,
            modifiers and optional groups, `:name` in the hostname, `*` as the port, and base URLs.
        TypeError: the pattern is neither a `str` nor a mapping from `str` to `str`.
        ValueError: the mapping has another key than the names of components.

    >>> template = template_from_url_pattern("https://example.com/books/:id/*")
    >>> str(template)
    'https://example.com/books/{id}/{+0}'
    >>> template.match("https://example.com/books/7/pages/1").variables
    {'id': '7', '0': 'pages/1'}
    >>> str(template_from_url_pattern({"pathname": "/books/:id", "search": "page=:page"}))
    '/books/{id}?page={page}'
    """
    parts = of_mapping(pattern) if isinstance(pattern, Mapping) else of_string(pattern)
    for name in ("username", "password", "baseURL"):
        if name in parts and not parts[name].is_wildcard:
            what = "a base URL" if name == "baseURL" else "userinfo"
            hint = (
                "write the components that the pattern takes from it" if name == "baseURL" else ""
            )
            reason = f"a template cannot contain {what}"
            raise parts[name].given.error(0, COMPONENTS[name], reason, hint or f"remove the {name}")
    writer = Writer()
    text = "".join((writer.origin(parts), writer.path(parts), writer.query(parts)))
    text += writer.fragment(parts)
    shown = pattern if isinstance(pattern, str) else text
    try:
        return Template(text, allow=dict.fromkeys(writer.wildcards, ("empty",)), extra=writer.extra)
    except TemplateError as error:
        raise Given(shown).error(0, "text", error.reason, error.hint) from None


template_from_url_pattern.__module__ = "uriverse.templates"
annotate(template_from_url_pattern)


def of_string(text: str) -> dict[str, Component]:
    """Split the constructor string of a pattern into components."""
    given = Given(plain(text))
    tokens = list(tokens_of(given))
    colon = end_of_protocol(given, tokens)
    parts = {"protocol": Part(0, tokens[:colon]), **parts_of(given, tokens[colon + 2 :])}
    if "pathname" not in parts and {"search", "hash"} & set(parts):
        # URL Pattern, 1.6, "change state": the pathname is then "/".
        parts["pathname"] = Part(0, [Token("char", "/", 0, 0)])
    if "hash" in parts:
        # The search is then "".
        parts.setdefault("search", Part(0, []))
    return {
        name: Component(given, name, without_braces(given, name, part))
        for name, part in parts.items()
    }


def of_mapping(pattern: Mapping[str, str]) -> dict[str, Component]:
    """Parse the components of a dictionary."""
    found: dict[str, Component] = {}
    for name, text in pattern.items():
        if name not in COMPONENTS:
            raise ValueError(f"unknown component of a URLPattern: {quoted(name)}")
        given = Given(plain(text))
        tokens = [] if name == "baseURL" else list(tokens_of(given))
        # URL Pattern, 3.1: the separators of these components may be part of them.
        if name == "protocol" and tokens and tokens[-1].separates(":"):
            del tokens[-1]
        lead = {"search": "?", "hash": "#"}.get(name)
        if lead and tokens and tokens[0].value == lead:
            del tokens[0]
        found[name] = Component(given, name, without_braces(given, name, Part(0, tokens)))
    return found


@dataclass
class Writer:
    """Writes the components of a template.

    Attributes:
        names: the names of the variables so far.
        wildcards: the names of the variables that take slashes, and may be empty.
        extra: whether the query may have any parameters.
        count: the number of variables without a name.
    """

    names: set[str] = field(default_factory=set[str])
    wildcards: list[str] = field(default_factory=list[str])
    extra: bool = True
    count: int = 0

    def origin(self, parts: Mapping[str, Component]) -> str:
        """Write the scheme and the authority."""
        if not {"protocol", "hostname", "port"} & set(parts):
            return ""
        protocol = self.text(parts["protocol"]) if "protocol" in parts else self.wildcard()
        host = self.host(parts["hostname"]) if "hostname" in parts else self.wildcard()
        port = parts.get("port")
        if port is None or not port.tokens:
            return f"{protocol}://{host}"
        if port.is_wildcard:
            reason, hint = "a template cannot express an optional port", "write the port, or none"
            raise port.error(port.tokens[0], reason, hint)
        text = self.text(port)
        if not PORT.fullmatch(text):
            raise port.error(port.tokens[0], "invalid port", 'write a number, or ":port"')
        return f"{protocol}://{host}:{text}"

    def host(self, component: Component) -> str:
        """Write the host."""
        for token in component.tokens:
            if token.kind == "name":
                reason = "a template cannot express a name in the hostname, which takes no dots"
                raise component.error(token, reason, 'write "*" if it may take dots')
        text = self.text(component)
        if not HOST.fullmatch(text):
            hint = 'write a name, in which labels may be "*", or an IP address'
            raise component.given.error(0, "host", "invalid hostname", hint)
        return text

    def path(self, parts: Mapping[str, Component]) -> str:
        """Write the path."""
        component = parts.get("pathname")
        has_origin = bool({"protocol", "hostname", "port"} & set(parts))
        if component is None or component.is_wildcard:
            if component is None and not has_origin:
                raise Given("").error(
                    0, "path", "missing pathname", 'write a pathname, such as "/*"'
                )
            return "/" + self.wildcard(in_path=True)
        tokens = component.tokens
        if tokens and not (
            tokens[0].separates("/") or (tokens[0].kind == "name" and not has_origin)
        ):
            raise component.error(tokens[0], 'a path must start with "/"', 'insert "/"')
        text = self.text(component)
        if has_dot_segment(text.replace("%2e", ".").replace("%2E", ".")):
            reason = "dot segment in path: URL parsers remove dot segments"
            raise component.error(tokens[0], reason, "write the path without dot segments")
        return text

    def query(self, parts: Mapping[str, Component]) -> str:
        """Write the query."""
        component = parts.get("search")
        if component is None or component.is_wildcard:
            return ""
        if not component.tokens:
            self.extra = False
            return ""
        self.extra = component.tokens[-1].kind == "asterisk"
        return "?" + self.text(component)

    def fragment(self, parts: Mapping[str, Component]) -> str:
        """Write the fragment."""
        component = parts.get("hash")
        if component is None or not component.tokens:
            return ""
        if component.is_wildcard:
            return f"{{#{self.number()}}}"
        return "#" + self.text(component)

    def text(self, component: Component) -> str:
        """Write a component."""
        return "".join(self.pieces(component))

    def pieces(self, component: Component) -> Iterator[str]:
        """Yield the literals and expressions of a component."""
        for token in component.tokens:
            if token.kind == "asterisk":
                yield self.wildcard(in_path=component.name == "pathname")
            elif token.kind == "name":
                name = token.value.replace("$", "%24")
                if name in self.names:
                    reason = f"duplicate name {quoted(token.value)}"
                    raise component.error(token, reason, "write another name")
                self.names.add(name)
                yield f"{{{name}}}"
            elif component.name in {"pathname", "search", "hash"}:
                yield encoded(component.given, component.name, token)
            else:
                yield self.plain(component, token)

    def plain(self, component: Component, token: Token) -> str:
        """Write a character of the scheme or of the authority."""
        if token.value.isascii() and (token.value.isalnum() or token.value in "+-.:[]"):
            return token.value
        hint = "write the hostname in ASCII" if component.name == "hostname" else ""
        raise component.error(token, "invalid character", hint)

    def number(self) -> str:
        """Return the name of the next variable without a name."""
        self.count += 1
        return str(self.count - 1)

    def wildcard(self, *, in_path: bool = False) -> str:
        """Write a wildcard."""
        name = self.number()
        if not in_path:
            return f"{{{name}}}"
        self.wildcards.append(name)
        return f"{{+{name}}}"
