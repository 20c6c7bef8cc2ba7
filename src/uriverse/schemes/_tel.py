"""The "tel" URI scheme: the syntax and comparison of telephone numbers ([RFC 3966][1]).

The ABNF is that of RFC 3966, 3, with two of its errata: a subaddress consists of `paramchar`
(erratum 203), because `uric` would also match the parameters after it; and a `phonedigit` is not
empty (erratum 4376).

The syntax departs from the letter of the RFC in three ways:

- The RFC writes "#" for a telephone key, but in a URI it begins a fragment ([RFC 3986, 3.5][2]).
  Here the key is written "%23", and a URI may have a fragment, as in every scheme.
- The RFC allows brackets in `paramchar`, but RFC 3986 does not allow them in a path. Here they must
  be percent-encoded.
- By the ABNF, an invalid `extension`, such as `;ext=a`, is a `parameter`. But that rule is intended
  for other parameters (RFC 3966, 5.4). Here a parameter whose name the RFC defines must match the
  rule for that name.

[1]: https://www.rfc-editor.org/rfc/rfc3966#section-3
[2]: https://www.rfc-editor.org/rfc/rfc3986#section-3.5
"""

from __future__ import annotations

import re
from typing import NamedTuple

from uriverse._spec.components import AllParts
from uriverse._spec.grammar.rfc3986 import pct_encoded
from uriverse._spec.grammar.rfc5234 import ALPHA, DIGIT, HEXDIG
from uriverse._spec.percent import decode_unreserved_triplets, uppercase_triplets
from uriverse._spec.syntax import compile_rule, find_match_end, matches

from ._urn import alphanum
from ._violation import Violation

# visual-separator     = "-" / "." / "(" / ")"
visual_separator = r"\-.()"

# phonedigit           = DIGIT / visual-separator    ; erratum 4376
phonedigit = f"{DIGIT}{visual_separator}"

# phonedigit-hex       = HEXDIG / "*" / "#" / visual-separator    ; "#" is written "%23"
phonedigit_hex = f"(?:[{HEXDIG}*{visual_separator}]++|%23)"

# global-number-digits = "+" *phonedigit DIGIT *phonedigit
global_number_digits = rf"\+[{visual_separator}]*+[{DIGIT}][{phonedigit}]*+"

# local-number-digits  = *phonedigit-hex (HEXDIG / "*" / "#") *phonedigit-hex
local_number_digits = f"[{visual_separator}]*+(?:[{HEXDIG}*]|%23){phonedigit_hex}*+"

# toplabel             = ALPHA / ALPHA *( alphanum / "-" ) alphanum
# domainlabel          = alphanum / alphanum *( alphanum / "-" ) alphanum
label_end = rf"[{alphanum}]*+(?:-++[{alphanum}]++)*+"
toplabel = f"[{ALPHA}]{label_end}"
domainlabel = f"[{alphanum}]{label_end}"

# domainname           = *( domainlabel "." ) toplabel [ "." ]
domainname = rf"(?:{domainlabel}\.(?=[{alphanum}]))*+{toplabel}\.?"

# mark                 = "-" / "_" / "." / "!" / "~" / "*" / "'" / "(" / ")"    ; RFC 2396
mark = r"\-_.!~*'()"

# param-unreserved     = "[" / "]" / "/" / ":" / "&" / "+" / "$"    ; no brackets in a URI
param_unreserved = "/:&+$"

# unreserved           = alphanum / mark    ; RFC 2396
# paramchar            = param-unreserved / unreserved / pct-encoded    ; as written in a value
paramchar = f"(?:[{param_unreserved}{alphanum}{mark}]++|{pct_encoded})"

#: The rules that components must match, by their names in the RFC.
RULES = {
    "global-number-digits": re.compile(global_number_digits),
    "local-number-digits": re.compile(local_number_digits),
    # extension            = ";ext=" 1*phonedigit
    "extension": re.compile(f"[{phonedigit}]++"),
    # isdn-subaddress      = ";isub=" 1*paramchar    ; erratum 203
    "isdn-subaddress": re.compile(f"{paramchar}++"),
    # descriptor           = domainname / global-number-digits
    "descriptor": re.compile(f"{domainname}|{global_number_digits}"),
    # pname                = 1*( alphanum / "-" )    ; in any letter case
    "pname": re.compile(rf"[{alphanum}\-]++"),
    # pvalue               = 1*paramchar    ; a value is not empty
    "pvalue": re.compile(f"{paramchar}++"),
}

#: Patterns for incomplete matches of a rule. Each matches the longest prefix that more characters
#: could complete. They are needed for rules that require a digit or a label later in the string.
BEGINNINGS = {
    "global-number-digits": re.compile(rf"\+?[{phonedigit}]*+"),
    "local-number-digits": re.compile(f"{phonedigit_hex}*+"),
    "descriptor": re.compile(rf"\+[{phonedigit}]*+|(?:{domainlabel}\.)*+(?:{domainlabel}-*+)?+"),
}

REASONS = {
    "global-number-digits": "invalid global number: expected digits and any of -.()",
    "local-number-digits": "invalid local number: expected hexadecimal digits and any of *#-.()",
    "extension": "invalid extension: expected digits and any of -.()",
    "isdn-subaddress": "invalid or empty ISDN subaddress",
    "descriptor": "invalid phone-context: expected a domain name or a global number",
    "pname": "invalid parameter name: expected letters, digits and hyphens",
    "pvalue": "invalid or empty parameter value",
    "context": "missing phone-context: a local number is valid only within a context",
}

NUMBER_HINT = "write the digits to dial, without spaces"

#: The rules for the values of the parameters that the RFC defines, which require a value.
DEFINED = {"ext": "extension", "isub": "isdn-subaddress", "phone-context": "descriptor"}

#: The rules for values that may contain percent-encoded characters.
PERCENT_ENCODED = ("isdn-subaddress", "pvalue")

#: The parameters that come before all others, in order (RFC 3966, 3). The RFC does not specify
#: the order of the first two; here they are in alphabetical order, like the other parameters.
FIRST = ("ext", "isub", "phone-context")

#: A translation table that removes visual separators (RFC 3966, 5.1.1).
VISUAL_SEPARATORS = str.maketrans(dict.fromkeys("-.()"))


class Parameter(NamedTuple):
    """A parameter as written, and its offset in the path; without "=", the value is `None`."""

    name: str
    value: str | None
    start: int


class Subscriber(NamedTuple):
    """The number and the parameters in the path of a tel URI (`telephone-subscriber`)."""

    number: str
    parameters: tuple[Parameter, ...]


def parse_subscriber(path: str) -> Subscriber:
    number, *pieces = path.split(";")
    parameters: list[Parameter] = []
    start = len(number) + 1
    for piece in pieces:
        name, equals, value = piece.partition("=")
        parameters.append(Parameter(name, value if equals else None, start))
        start += len(piece) + 1
    return Subscriber(number, tuple(parameters))


def find_tel_violation(path: str) -> Violation | None:
    """Return the first error in the path of a tel URI, whose position is an offset in the path.

    The order of parameters is not checked: the ABNF does not specify it, and recipients ignore it
    (RFC 3966, 3 and 4).
    """
    number, parameters = parse_subscriber(path)
    rule = choose_number_rule(number)
    if not RULES[rule].fullmatch(number):
        position = find_invalid_character(rule, number)
        return Violation(position, "path", rule, REASONS[rule], NUMBER_HINT)
    used_names: set[str] = set()
    for parameter in parameters:
        violation = find_parameter_violation(parameter)
        if violation:
            return violation
        name = parameter.name.lower()
        if name in used_names:
            reason, hint = f'duplicate parameter "{name}"', "write each parameter only once"
            return Violation(parameter.start, "path", "par", reason, hint)
        used_names.add(name)
    # A local number has a meaning only within a context (RFC 3966, 5.1.5).
    if rule == "local-number-digits" and "phone-context" not in used_names:
        hint = 'add ";phone-context=", or start a global number with "+"'
        return Violation(len(path), "path", "context", REASONS["context"], hint)
    return None


def choose_number_rule(number: str) -> str:
    return "global-number-digits" if number.startswith("+") else "local-number-digits"


def find_parameter_violation(parameter: Parameter) -> Violation | None:
    name, value, start = parameter
    if not RULES["pname"].fullmatch(name):
        hint = 'write a literal ";" as %3B: a semicolon starts a parameter'
        position = start + find_invalid_character("pname", name)
        return Violation(position, "path", "pname", REASONS["pname"], hint)
    # Only a parameter that the RFC does not define may be without a value.
    rule = DEFINED.get(name.lower(), "pvalue")
    name_end = start + len(name)
    if value is None:
        if rule == "pvalue":
            return None
        hint = 'write "=" and a value after the name'
        return Violation(name_end, "path", rule, describe_missing_value(name.lower()), hint)
    if RULES[rule].fullmatch(value):
        return None
    position = name_end + 1 + find_invalid_character(rule, value)
    hint = "percent-encode special characters" if rule in PERCENT_ENCODED else ""
    return Violation(position, "path", rule, REASONS[rule], hint)


def describe_missing_value(name: str) -> str:
    return f'missing value of parameter "{name}"'


def find_invalid_character(rule: str, part: str) -> int:
    return find_match_end(BEGINNINGS.get(rule, RULES[rule]), part)


def decode_plain_characters(octets: str) -> str:
    """Decode the characters that need no percent-encoding in a parameter of a tel URI.

    The RFC's prose requires "+" to be encoded, but its ABNF allows "+", and numbers in parameters
    begin with it (RFC 4694, 4). The slash stays encoded: `/../` would be a dot segment, and
    reference resolution would remove it together with the number before it.
    """
    plain_characters = param_unreserved.replace("/", "") + "!*'()"

    def decode_plain(triplet: re.Match[str]) -> str:
        character = chr(int(triplet[0][1:], 16))
        return character if character in plain_characters else triplet[0]

    return compile_rule("pct-encoded").sub(decode_plain, octets)


def extract_digits(number: str) -> str:
    return number.translate(VISUAL_SEPARATORS).replace("%23", "#")


def rank_parameter(name: str) -> tuple[int, str]:
    return FIRST.index(name) if name in FIRST else len(FIRST), name


def compose_path(number: str, parameters: dict[str, str | None]) -> str:
    """Return the path of a `tel` URI, with parameters in the order of RFC 3966, 3."""
    pieces = [number]
    for name in sorted(parameters, key=rank_parameter):
        value = parameters[name]
        pieces.append(name if value is None else f"{name}={value}")
    return ";".join(pieces)


def normalize(parts: AllParts) -> AllParts:
    """Remove visual separators, convert parameters to lower case, and sort them.

    See RFC 3966, 3 and 5.1.1. Components that together are not a valid tel URI are returned
    unchanged.
    """
    if not is_telephone_uri(parts):
        return parts
    number, parameters = parse_subscriber(parts.path)
    values = {name.lower(): normalize_value(name.lower(), value) for name, value, _ in parameters}
    return parts._replace(path=compose_path(number.translate(VISUAL_SEPARATORS), values))


def convert_for_comparison(parts: AllParts) -> AllParts:
    """Convert the components of a tel URI, so that equivalent URIs become equal.

    Everything becomes lower case, and percent-encoded unreserved characters are decoded (RFC 3966,
    3 and 4). Components that together are not a valid tel URI are returned unchanged.
    """
    if not is_telephone_uri(parts):
        return parts
    path = uppercase_triplets(decode_unreserved_triplets(parts.path).lower())
    return normalize(parts._replace(scheme="tel", path=path))


def is_telephone_uri(parts: AllParts) -> bool:
    bare = AllParts(parts.scheme, None, None, None, parts.path, None, parts.fragment)
    is_subscriber = parts == bare and find_tel_violation(parts.path) is None
    return is_subscriber and matches(parts.fragment or "", "ifragment")


def normalize_value(name: str, value: str | None) -> str | None:
    """Convert a parameter of a tel URI to lower case; remove visual separators from a number."""
    if value is None:
        return None
    # A phone context is a domain name, or a global number, which starts with "+".
    is_number = name == "ext" or (name == "phone-context" and value.startswith("+"))
    if is_number:
        # Keep the separators of an extension that consists of nothing else: it must not be empty.
        return value.translate(VISUAL_SEPARATORS) or value
    return uppercase_triplets(value.lower())
