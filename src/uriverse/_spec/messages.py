"""Build the errors for invalid URIs and components: position, rule, reason and hint.

A reason names the component and says what is wrong: `invalid character "^" in host`. A hint is an
instruction: `percent-encode it as %5E`. Neither quotes a character of a password.
"""

from __future__ import annotations

from uriverse._errors import Deferred, ParseError, ResolveError
from uriverse._lazy import lazy_pattern
from uriverse._redaction import find_secrets

from .components import find_bounds, match_appendix_b, split
from .percent import DECODE_AGAIN, LITERAL_PERCENT, pct_encode
from .syntax import LONGEST_TEXT, matches
from .violation import (
    ComponentSpan,
    find_component_span,
    find_first_violation,
    find_invalid_position,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse._errors import Arguments

#: Names of characters that would be hard to recognize between quotation marks.
NAMES = {
    " ": "space",
    "\\": "backslash",
    "\t": "tab",
    "\n": "line feed",
    "\r": "carriage return",
    "\0": "NUL",
    '"': "double quote",
}
SCHEME_CHARACTERS = 'only letters, digits, "+", "-" and "." are allowed'

#: Hints for a path that would be parsed as an authority or a scheme.
BEFORE_SLASHES = 'write "/." before the path'
BEFORE_COLON = 'write "./" before the path'
BEFORE_ROOTLESS = 'write "/" before the path'

#: The rest of the reason for a relative reference, by the operation that needs a scheme.
NEEDS_SCHEME = {
    "resolve": "a base URI must have a scheme",
    "relative_to": "relative_to needs two URIs with a scheme",
}

#: Part of the hint for a character in a host. RFC 3986 allows the character if it is
#: percent-encoded, but no resolver would look up such a name.
HOST_NAME_CHARACTERS = "a host name consists of letters, digits, hyphens and dots"

#: The hint for an incomplete or invalid IPvFuture address, which no program supports.
IPVFUTURE_HINT = (
    "write an IPv6 address, as in [2001:db8::1], or a full IPvFuture address, as in [v1.a]"
)

#: A Windows path before its first backslash, or before the vertical line of an old file URI.
DRIVE = lazy_pattern("(?ai:file:/*)?[A-Za-z]:?")

#: The name of an invalid character in a password, which does not reveal it.
SECRET = "character"  # noqa: S105 - a word in messages

#: The start of a string that looks like a host and a port without a scheme.
HOST_AND_PORT = lazy_pattern(r"([^:/?#@\[\]\s]{1,80}:[0-9]{1,5})([/?#]|$)")


def create_parse_error(text: str, rule: str, component: str = "", position: int = 0) -> ParseError:
    return ParseError(*describe_parse_error(text, rule, component, position))


def describe_parse_error(text: str, rule: str, component: str = "", position: int = 0) -> Arguments:
    """Return the arguments of the error; without a component, find it and the position."""
    if not component:
        component, position = find_first_violation(text, rule)
    if component == "text":  # the whole string
        reason = f"string too long: the limit is {position:,} characters"
        return text, position, component, rule, reason, ""
    if component == "scheme" and find_bounds(text).scheme_end < 0:
        reason = explain_missing_scheme(rule)
        return text, position, component, "scheme", reason, suggest_scheme(text)
    part = find_component_span(match_appendix_b(text), component, iri="IRI" in rule)
    if position < part.start:  # the "#" of a fragment that the rule does not allow
        reason = f"unexpected fragment: {add_article(rule)} has no fragment"
        hint = 'remove the "#" and everything after it'
        return text, position, component, rule, reason, hint
    return text, position, component, *explain_component(text, part, position)


#: Raised in the place of a `ParseError`: the explanation is computed when the error is examined.
#: The rule of the error may be another one than the argument.
deferred_parse_error = Deferred(ParseError, describe_parse_error, text=0, component=2, position=3)


def describe_invalid_component(text: str, component: str, rule: str) -> Arguments:
    if len(text) > LONGEST_TEXT:
        return describe_parse_error(text, rule, "text", LONGEST_TEXT)
    position = find_invalid_position(rule, text, 0, len(text))
    span = ComponentSpan(component, rule, 0, len(text))
    return text, position, component, *explain_component(text, span, position)


def describe_relative_reference(text: str, operation: str) -> Arguments:
    reason = f"missing scheme: {NEEDS_SCHEME[operation]}"
    hint = "resolve the relative reference against its own base URI first"
    return text, 0, "scheme", "scheme", reason, hint


def describe_non_ascii_reference(reference: str, rule: str) -> Arguments:
    """Return the arguments for an IRI reference, where the base has the rule of a URI."""
    error = describe_parse_error(reference, "URI-reference")
    _, position, component, violated_rule, reason, _ = error
    reason = f"{reason}: URI references are ASCII"
    start = "IRI" if rule == "URI" else "IRIReference"
    hint = f"pass IRIReference(reference) instead of the string, or start from {start}(base)"
    return reference, position, component, violated_rule, reason, hint


#: Raised in the place of a `ResolveError`, as `deferred_parse_error`.
deferred_not_ascii = Deferred(ResolveError, describe_non_ascii_reference, text=0)


def describe_unreachable_target(target: str) -> Arguments:
    start = position = find_bounds(target).path
    for segment in split(target).path.split("/"):
        if segment in {".", ".."}:
            reason = "dot segment in path: reference resolution would remove it"
            hint = "remove the dot segments first: resolve the URI against itself"
            return target, position, "path", "segment", reason, hint
        position += len(segment) + 1
    reason = "target outside the directory of the base URI"
    hint = 'set walk_up=True to allow ".."'
    return target, start, "path", "path-noscheme", reason, hint


def add_article(rule: str) -> str:
    """Return the name of a rule with its indefinite article, as in "an absolute-URI"."""
    return f"{'an' if rule[0] in 'Ia' else 'a'} {rule}"


def explain_missing_scheme(rule: str) -> str:
    return f"missing scheme: {add_article(rule)} starts with a scheme and a colon"


def explain_component(text: str, part: ComponentSpan, position: int) -> tuple[str, str, str]:
    component, rule, start, end = part
    character = text[position : position + 1] if position < end else ""
    name = name_character(text, part, position, character)
    if rule == "IP-literal":
        return explain_ip_literal(text, part, position, name)
    if component == "scheme":
        reason = "empty scheme"
        if character:
            allowed = "a scheme starts with a letter" if position == start else SCHEME_CHARACTERS
            reason = f"{format_reason(name, 'scheme')}: {allowed}"
        if end < len(text):
            return "scheme", reason, suggest_valid_scheme(text, part)
        return "scheme", reason, "pass the scheme without the colon" if character == ":" else ""
    # A "%" and a hexadecimal digit are only valid together with another digit.
    if "%" in text[start:position][-2:] and component != "port":
        remove_percent = f'remove the "%": {HOST_NAME_CHARACTERS}'
        hint = remove_percent if component == "host" else LITERAL_PERCENT
        return "pct-encoded", format_escape_reason(component, name), hint
    reason, hint = explain_path_start(text, part, position) if component == "path" else ("", "")
    if not reason:
        reason = format_reason(name, component)
        hint = suggest_replacement(text, part, position, "" if name == SECRET else character)
        if character in {"|", "\\"} and DRIVE.fullmatch(text, 0, position):
            hint = "write a Windows path as in file:///C:/a/b, or call FileURI.from_windows"
    return rule, reason, hint


def explain_named_component(text: str, name: str, position: int) -> tuple[str, str | None]:
    # For ASCII strings, the rules for URIs give the same result, and compile faster.
    part = find_component_span(match_appendix_b(text), name, iri=not text.isascii())
    _, reason, hint = explain_component(text, part, position)
    return reason, hint or None


def format_reason(name: str, location: str) -> str:
    noun = "character " if name.startswith(('"', "U+")) else ""
    return f"invalid {noun}{name} in {location}"


def format_escape_reason(component: str, name: str) -> str:
    if name in {"", SECRET}:
        kind = "invalid" if name else "incomplete"
        return f'{kind} percent-encoding in {component}: "%" needs two hexadecimal digits'
    article = "" if name.startswith(('"', "U+")) else "a "
    return f"invalid percent-encoding in {component}: {article}{name} is not a hexadecimal digit"


def is_in_password(text: str, part: ComponentSpan, position: int) -> bool:
    if part.name == "userinfo" and ":" in text[part.start : position]:
        return True
    return bool(find_secrets(text, suspected=True, start=position, end=position + 1))


def name_character(text: str, part: ComponentSpan, position: int, character: str) -> str:
    """Return the name of a character, or `SECRET` in a password; `""` after the component."""
    if not character:
        return ""
    if is_in_password(text, part, position):
        return SECRET
    if character in NAMES:
        return NAMES[character]
    if character in {"@", "#"} and character in text[:position]:
        return f'second "{character}"'
    if character.isascii() and character.isprintable():
        return f'"{character}"'
    return f"U+{ord(character):04X}"


def explain_ip_literal(
    text: str, part: ComponentSpan, position: int, name: str
) -> tuple[str, str, str]:
    valid_start = text[part.start + 1 : position]
    is_ipvfuture = text[part.start + 1 : part.start + 2] in {"v", "V"}
    rule = "IPvFuture" if is_ipvfuture else "IPv6address"
    noun = "IPvFuture address" if is_ipvfuture else "IPv6 address"
    if position < part.end and text[position - 1] == "]":
        hint = 'write only a colon and a port after "]"'
        return "host", f"{format_reason(name, 'host')} after the closing bracket", hint
    if position == part.end:
        return "IP-literal", "missing closing bracket in host", 'write "]" after the address'
    if text[position] == "%" and not is_ipvfuture:
        reason = "invalid zone identifier in host: RFC 9844 obsoletes the syntax of RFC 6874"
        return rule, reason, 'remove the zone identifier: "%" and everything up to the bracket'
    if text.startswith("::", position) and "::" in valid_start:
        hint = 'write "::" only once, and the other groups of zeros in full'
        return rule, 'invalid second "::" in IPv6 address', hint
    if text[position] == "]":
        hint = 'write eight groups of digits, or shorten groups of zeros to "::"'
        hint = IPVFUTURE_HINT if is_ipvfuture else hint
        return rule, f"incomplete {noun} in host", hint
    if matches(text[part.start + 1 : part.end - 1], "IPv4address"):
        reason = "invalid brackets in host: an IPv4 address has no brackets"
        return rule, reason, "remove the brackets"
    ipv6_hint = "write hexadecimal digits and colons, as in [2001:db8::1]"
    return rule, format_reason(name, noun), IPVFUTURE_HINT if is_ipvfuture else ipv6_hint


def explain_path_start(text: str, part: ComponentSpan, position: int) -> tuple[str, str]:
    """Return reason and hint for the beginning of a path, or two empty strings if it is valid."""
    character = text[position : position + 1]
    if part.rule.endswith("path-noscheme") and character == ":":
        reason = "invalid colon in path: the first segment would be parsed as a scheme"
        return reason, suggest_scheme(text) if text.startswith("://") else BEFORE_COLON
    if part.rule.endswith("path-absolute") and character == "/" and position == part.start + 1:
        reason = 'invalid "//" in path: the path would be parsed as an authority'
        return reason, BEFORE_SLASHES
    if part.rule.endswith("path-abempty") and position == part.start:
        return "invalid path: after an authority, a path starts with a slash", BEFORE_ROOTLESS
    return "", ""


def suggest_scheme(text: str) -> str:
    if text.startswith(":"):
        return 'write a scheme such as "https" before the colon'
    scheme = "https:" if text.startswith("//") else "https://"
    return f'add a scheme such as "{scheme}", or parse the string as a relative reference'


def suggest_valid_scheme(text: str, part: ComponentSpan) -> str:
    """Return the hint for an invalid character before the first colon."""
    if text[0].isspace():
        return "remove the whitespace before the scheme"
    if text[0] == "\ufeff":
        return "remove the byte order mark before the scheme"
    if text.startswith("://", part.end):
        return "remove the character from the scheme"
    host_and_port = HOST_AND_PORT.match(text)
    if host_and_port and "@" not in text:  # with an "@", it may be user:password
        return 'if this is host:port, write "https://" or "//" before it'
    return 'if this is a relative path, write "./" before it'


def suggest_replacement(text: str, part: ComponentSpan, position: int, character: str) -> str:
    """Return the hint for an invalid character; `""` stands for a character of a password."""
    if not character:
        if part.name == "port":
            where = "in the user name and the password"
            return f'percent-encode "@" as %40, and "/", "?" and "#", {where}'
        return "percent-encode it"
    if 0xD800 <= ord(character) < 0xE000:
        return f"{DECODE_AGAIN}: a lone surrogate is not a character"
    if part.name in {"host", "port"}:
        return suggest_valid_host_or_port(text, part, character)
    if character == " " and text[:4].lower() == "tel:":
        return 'remove it, or write "-"'
    encoded = pct_encode(character.encode())
    if character.isspace() and text[position:].isspace():
        return f"remove the trailing whitespace, or percent-encode it as {encoded}"
    if part.rule.startswith("i") and matches(character, "iprivate"):
        return f"percent-encode it as {encoded}: private-use characters are allowed only in queries"
    if character == "\\":
        return f'write "/" as the separator, or {encoded} for a literal backslash'
    if not character.isascii() and not part.rule.startswith("i"):
        return f"percent-encode it as {encoded}, or parse the string as an IRI"
    return f"percent-encode it as {encoded}"


def suggest_valid_host_or_port(text: str, part: ComponentSpan, character: str) -> str:
    """Return the hint for a host or port in `text`; one at index 0 was passed as an argument."""
    if part.name == "host" and "://" in text[part.start : part.end]:
        return "pass only a host, such as URI(text).host, not a URL"
    if text.count(":", max(part.start - 1, 0), part.end) > 1:
        return "if this is an IPv6 address, write it in brackets, as in [2001:db8::1]"
    if part.name == "port":
        return "write only digits in the port"
    if character == "@" and part.start == 0:
        return "pass the userinfo as a separate argument"
    if character == "@":
        return 'percent-encode an "@" in the userinfo as %40'
    if character == ":":
        return "pass the port as a separate argument"
    if character in "/?#":
        return f'end the host before "{character}", and pass the rest as other components'
    if character == "\\":
        return 'write "/" before the path'
    if not character.isascii() and not part.rule.startswith("i"):
        return 'parse the string as an IRI, and convert the host with to_uri(host="idna")'
    return f"remove it: {HOST_NAME_CHARACTERS}"
