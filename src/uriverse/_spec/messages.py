"""The reasons and hints of errors about invalid identifiers."""

from __future__ import annotations

import re

from uriverse.carets import visible
from uriverse.errors import BuildError, ParseError
from uriverse.redaction import suspected_spans

from .components import bounds
from .percent import pct_encode
from .syntax import LONGEST_TEXT, matches
from .violation import Component, components, stop

#: The common names of the characters that are most often wrong.
NAMES = {
    " ": "a space",
    "\\": "a backslash",
    "\t": "a tab",
    "\n": "a line feed",
    "\r": "a carriage return",
    "\0": "a NUL",
    "%": "a percent sign",
    '"': "a double quote",
}
SCHEME_HOLDS = 'it holds letters, digits, "+", "-" and "."'

#: Hints for a path whose beginning would be parsed as an authority or a scheme.
BEFORE_SLASHES = 'write "/." before it'
BEFORE_COLON = 'write "./" before it'
BEFORE_ROOTLESS = 'write "/" before it'

#: The hint for a character in a host. It may be percent-encoded, but no resolver would look up
#: such a name.
NAME_HOLDS = "a host name has letters, digits, hyphens and dots"

#: A string whose beginning looks like a host and a port, without a scheme.
HOST_AND_PORT = re.compile(r"([^:/?#@\[\]\s]{1,80}:[0-9]{1,5})([/?#]|$)")


def parse_error(text: str, rule: str, component: str, position: int) -> ParseError:
    """Create the error for a string that does not match a grammar rule.

    Args:
        text: the string.
        rule: the grammar rule, such as `"URI"`.
        component: the first invalid component; `"text"` if the string is too long.
        position: the index of the first invalid character.
    """
    if component == "text":
        reason = f"a text of more than {position:,} characters is not read"
        return ParseError(text, position, component, rule, reason)
    if component == "scheme" and bounds(text).scheme_end < 0:
        reason = f"{an(rule)} begins with a scheme and a colon"
        return ParseError(text, position, component, "scheme", reason, hint_without_scheme(text))
    part = next(c for c in components(text, iri="IRI" in rule) if c.name == component)
    if position < part.start:
        reason = f"{an(rule)} has no fragment"
        return ParseError(text, position, component, rule, reason, "leave out all from the '#' on")
    return ParseError(text, position, component, *wording(text, part, position))


def component_error(text: str, component: str, rule: str) -> ParseError:
    """Create the error for a string that is not a valid component, such as an invalid host."""
    if len(text) > LONGEST_TEXT:
        return parse_error(text, rule, "text", LONGEST_TEXT)
    position = stop(rule, text, 0, len(text))
    whole = Component(component, rule, 0, len(text))
    return ParseError(text, position, component, *wording(text, whole, position))


def build_error(part: str, component: str, rule: str) -> BuildError:
    """Create the error for a component that does not match its grammar rule."""
    position = stop(rule, part, 0, len(part))
    whole = Component(component, rule, 0, len(part))
    return BuildError(part, position, component, *wording(part, whole, position))


def an(rule: str) -> str:
    """Return a rule's name with its indefinite article."""
    return f"{'an' if rule[0] in 'Ia' else 'a'} {rule}"


def wording(text: str, part: Component, position: int) -> tuple[str, str, str]:
    """Return the rule, the reason and the hint for the first invalid character of a component."""
    before = text[part.start : position]
    character = text[position : position + 1] if position < part.end else ""
    name = called(text, part, position, character)
    escape = re.search("%[0-9A-Fa-f]?$", before)
    if escape and part.rule not in {"IP-literal", "scheme", "port"}:
        wrong = f"{name} is not a hexadecimal digit" if character else "a digit is missing"
        reason = f"{wrong}: two of them follow a percent sign"
        in_host = part.name == "host"
        hint = (
            f"remove the percent sign: {NAME_HOLDS}"
            if in_host
            else "write %25 for a percent sign that is data"
        )
        return "pct-encoded", reason, hint
    if part.rule == "IP-literal":
        return wording_in_ip_literal(text, part, position, name)
    if part.name == "scheme":
        only = "a scheme begins with a letter" if position == part.start else SCHEME_HOLDS
        whole = part.end == len(text)
        hint = hint_for_scheme_alone(character) if whole else hint_for_scheme(text, part)
        return "scheme", f"{name} can't stand there: {only}", hint
    reason, hint = form_of_path(text, part, position) if part.name == "path" else ("", "")
    if not reason:
        reason = f"{name} can't stand in the {part.name}"
        hint = hint_for_character(text, part, position, character)
    return part.rule, reason, hint


def in_password(text: str, part: Component, position: int) -> bool:
    """Return whether a character belongs to a password or to a suspected password."""
    in_userinfo = part.name == "userinfo" and ":" in text[part.start : position]
    return in_userinfo or any(start <= position < end for start, end in suspected_spans(text))


def called(text: str, part: Component, position: int, character: str) -> str:
    """Return the name of a character in an error message, such as `a space`.

    Characters of passwords are not revealed.
    """
    if not character:
        return "the end"
    if in_password(text, part, position):
        return "a character"
    if character in NAMES:
        return NAMES[character]
    if character in {"@", "#"} and character in text[:position]:
        return f'a second "{character}"'
    if character.isascii() and character.isprintable():
        return f'"{character}"'
    return f"U+{ord(character):04X}"


def wording_in_ip_literal(
    text: str, part: Component, position: int, name: str
) -> tuple[str, str, str]:
    """Return the rule, the reason and the hint for an invalid character of a host in brackets."""
    inside = text[part.start + 1 : position]
    future = text[part.start + 1 : part.start + 2] in {"v", "V"}
    rule = "IPvFuture" if future else "IPv6address"
    if position < part.end and text[position - 1] == "]":
        hint = "only a colon and a port may follow a host in brackets"
        return "host", f"{name} can't stand after the brackets", hint
    if position == part.end:
        return "IP-literal", "the bracket is not closed", 'close the address with "]"'
    if text[position] == "%" and not future:
        hint = (
            "zone identifiers (RFC 6874) are obsolete by RFC 9844 and no part of a URI; "
            "leave out all from the '%' up to the bracket"
        )
        return rule, "a zone identifier can't stand in an address", hint
    if text.startswith("::", position) and "::" in inside:
        reason = 'a second "::" can\'t stand in an address'
        return rule, reason, "write the zeros of one of them out"
    if text[position] == "]":
        return rule, "the address is too short", "an IPv6 address has eight groups, or a '::'"
    if matches(text[part.start + 1 : part.end - 1], "IPv4address"):
        return rule, "an IPv4 address has no brackets", "leave out the brackets"
    return rule, f"{name} can't stand here in an address", ""


def form_of_path(text: str, part: Component, position: int) -> tuple[str, str]:
    """Explain why the beginning of a path is invalid, such as `//` in a URI without an authority.

    Return the reason and the hint, or two empty strings if the error is a character that no path
    may contain.
    """
    character = text[position : position + 1]
    if part.rule.endswith("path-noscheme") and character == ":":
        reason = "a colon in a relative path's first segment would end a scheme"
        return reason, BEFORE_COLON
    if part.rule.endswith("path-absolute") and character == "/" and position == part.start + 1:
        reason = 'without an authority, a path that begins with "//" would be one'
        return reason, BEFORE_SLASHES
    if part.rule.endswith("path-abempty") and position == part.start:
        return "a path after an authority begins with a slash", BEFORE_ROOTLESS
    return "", ""


def hint_without_scheme(text: str) -> str:
    if text.startswith(":"):
        return 'write a scheme such as "https" before the colon'
    scheme = "https:" if text.startswith("//") else "https://"
    return f'write a scheme such as "{scheme}" before it, or read it as a reference'


def hint_for_scheme_alone(character: str) -> str:
    return "give the scheme without the colon" if character == ":" else ""


def hint_for_scheme(text: str, part: Component) -> str:
    if text[0].isspace() or text[0] == "\ufeff":
        return "leave out what stands before the scheme"
    if text.startswith("://", part.end):
        return "remove it from the scheme"
    host_and_port = HOST_AND_PORT.match(text)
    if host_and_port and "@" not in text:  # else it may be user:password
        rest = "/..." if host_and_port[2] else ""
        return f"is this host:port? write //{visible(host_and_port[1])}{rest}"
    return 'is this a relative path? write "./" before it'


def hint_for_character(text: str, part: Component, position: int, character: str) -> str:
    if in_password(text, part, position):
        if part.name == "port":
            return 'in a password, "/", "?" and "#" are percent-encoded'
        return "percent-encode it where it is data"
    if 0xD800 <= ord(character) < 0xE000:
        return "a lone surrogate is not a character: decode the bytes with the right codec"
    if part.name in {"host", "port"}:
        return hint_for_host_or_port(text, part, character)
    encoded = pct_encode(character.encode())
    if text[position:].isspace():
        return f"remove the whitespace at the end, or write {encoded} where it is data"
    if part.rule.startswith("i") and matches(character, "iprivate"):
        return f"private-use characters stand in a query only; write {encoded}"
    if character == "\\":
        return f'write "/" between segments, or {encoded} for a backslash that is data'
    if not character.isascii() and not part.rule.startswith("i"):
        return f"write {encoded}, or read it as an IRI"
    return f"write {encoded} where it is data"


def hint_for_host_or_port(text: str, part: Component, character: str) -> str:
    """Return the hint for an invalid character in a registered name or in a port."""
    if text.count(":", max(part.start - 1, 0), part.end) > 1:
        return "is this an IPv6 address? write it in brackets, as in [2001:db8::1]"
    if part.name == "port":
        return "a port has digits only"
    if character == "@":
        return 'write %40 for an "@" in the userinfo'
    if character == ":":
        return "give the port by itself"
    if character in "/?#":
        return f'a host ends before "{character}": give what follows it by itself'
    if character == "\\":
        return 'write "/" before the path'
    if not character.isascii() and not part.rule.startswith("i"):
        return 'read it as an IRI; its to_uri(host="idna") has the name in ASCII'
    return f"remove it: {NAME_HOLDS}"
