"""Telephone numbers as URIs: their syntax and comparison ([RFC 3966][1]).

The ABNF is that of section 3 with two of its errata: a subaddress consists of `paramchar` (203),
because `uric` would also match the parameters after it; and a `phonedigit` is not empty (4376).

The syntax departs from the letter of the RFC in three ways:

- The RFC writes "#" for a telephone key, but in a URI it would begin a fragment ([RFC 3986,
  3.5][2]). Here the key is written "%23".
- The RFC allows brackets in `paramchar`, but not in the path of a URI. Here they are
  percent-encoded.
- By the ABNF, an invalid `extension`, such as `;ext=a`, is a `parameter`. But that rule is for
  other parameters (5.4). Here a parameter whose name the RFC defines must match the rule of that
  name.

[1]: https://www.rfc-editor.org/rfc/rfc3966#section-3
[2]: https://www.rfc-editor.org/rfc/rfc3986#section-3.5
"""

from __future__ import annotations

import re
from typing import NamedTuple

from uriverse._grammar.rfc3986 import pct_encoded
from uriverse._grammar.rfc5234 import ALPHA, DIGIT, HEXDIG
from uriverse._spec.components import AllParts
from uriverse._spec.percent import with_unreserved_decoded, with_uppercase_triplets
from uriverse._spec.syntax import pattern

from .urn import alphanum
from .violation import Violation

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

# mark                 = "-" / "_" / "." / "!" / "~" / "*" / "'" / "(" / ")"    ; of RFC 2396
mark = r"\-_.!~*'()"

# param-unreserved     = "[" / "]" / "/" / ":" / "&" / "+" / "$"    ; no brackets in a URI
param_unreserved = "/:&+$"

# unreserved           = alphanum / mark    ; of RFC 2396
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
    # pname                = 1*( alphanum / "-" )    ; of any case
    "pname": re.compile(rf"[{alphanum}\-]++"),
    # pvalue               = 1*paramchar    ; a value is not empty
    "pvalue": re.compile(f"{paramchar}++"),
}

#: Patterns of the longest prefix that could still become a match of a rule, where the rule itself
#: does not match that prefix: a digit, or the last label, may still follow.
BEGINNINGS = {
    "global-number-digits": re.compile(rf"\+?[{phonedigit}]*+"),
    "local-number-digits": re.compile(f"{phonedigit_hex}*+"),
    "descriptor": re.compile(rf"\+[{phonedigit}]*+|(?:{domainlabel}\.)*+(?:{domainlabel}-*+)?+"),
}

#: The reason to give if a component does not match a rule.
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

#: The hint for an invalid number.
NUMBER_HINT = "write the digits to dial, without spaces"

#: The rules for the values of parameters that the RFC defines. All of them require a value.
DEFINED = {"ext": "extension", "isub": "isdn-subaddress", "phone-context": "descriptor"}

#: The rules for values that may contain percent-encoded characters.
PERCENT_ENCODED = ("isdn-subaddress", "pvalue")

#: The parameters that precede all others, in order (section 3). The RFC leaves open which of the
#: first two comes first; here they are in alphabetical order, like all others.
FIRST = ("ext", "isub", "phone-context")

#: A translation table that removes visual separators (5.1.1).
VISUAL_SEPARATORS = str.maketrans(dict.fromkeys("-.()"))


class Parameter(NamedTuple):
    """A parameter as written, and its offset in the path.

    The value is `None` without an equals sign.
    """

    name: str
    value: str | None
    start: int


class Subscriber(NamedTuple):
    """A `telephone-subscriber`: the number as written, and its parameters."""

    number: str
    parameters: tuple[Parameter, ...]


def subscriber(path: str) -> Subscriber:
    """Split the path of a `tel` URI into the phone number and its parameters, without validation.

    >>> subscriber("+1-201-555-0123;ext=7")
    Subscriber(number='+1-201-555-0123', parameters=(Parameter(name='ext', value='7', start=16),))
    """
    number, *pieces = path.split(";")
    parameters: list[Parameter] = []
    start = len(number) + 1
    for piece in pieces:
        name, equals, value = piece.partition("=")
        parameters.append(Parameter(name, value if equals else None, start))
        start += len(piece) + 1
    return Subscriber(number, tuple(parameters))


def violation(path: str) -> Violation | None:
    """Return the first violation of `telephone-subscriber` in a path; `None` if the path is valid.

    Positions are offsets in the path.

    The order of parameters is not checked: the ABNF leaves it open, and it makes no difference to
    recipients of a URI (sections 3 and 4).

    >>> violation("+1-201"), violation("201")[:3]
    (None, (3, 'path', 'context'))
    """
    number, parameters = subscriber(path)
    rule = number_rule(number)
    if not RULES[rule].fullmatch(number):
        return Violation(stop(rule, number), "path", rule, REASONS[rule], NUMBER_HINT)
    names: set[str] = set()
    for parameter in parameters:
        found = parameter_violation(parameter)
        if found:
            return found
        name = parameter.name.lower()
        if name in names:
            reason, hint = f'duplicate parameter "{name}"', "write each parameter only once"
            return Violation(parameter.start, "path", "par", reason, hint)
        names.add(name)
    if rule == "local-number-digits" and "phone-context" not in names:
        hint = 'add ";phone-context=", or start a global number with "+"'
        return Violation(len(path), "path", "context", REASONS["context"], hint)
    return None


def number_rule(number: str) -> str:
    """Return the rule for a number: a plus sign marks a global one (5.1.4)."""
    return "global-number-digits" if number.startswith("+") else "local-number-digits"


def parameter_violation(parameter: Parameter) -> Violation | None:
    """Return the first violation in a single parameter; `None` if it is valid."""
    name, value, start = parameter
    if not RULES["pname"].fullmatch(name):
        hint = 'write a literal ";" as %3B: a semicolon starts a parameter'
        return Violation(start + stop("pname", name), "path", "pname", REASONS["pname"], hint)
    rule = DEFINED.get(name.lower(), "pvalue")
    end = start + len(name)
    if value is None:
        if rule == "pvalue":
            return None
        hint = 'write "=" and a value after the name'
        return Violation(end, "path", rule, missing_value(name.lower()), hint)
    if RULES[rule].fullmatch(value):
        return None
    place = end + 1 + stop(rule, value)
    hint = "percent-encode special characters" if rule in PERCENT_ENCODED else ""
    return Violation(place, "path", rule, REASONS[rule], hint)


def missing_value(name: str) -> str:
    """Return the reason for a parameter without the value that it requires."""
    return f'missing value of parameter "{name}"'


def stop(rule: str, part: str) -> int:
    """Return the length of the longest prefix that could still become a match of a rule.

    >>> stop("global-number-digits", "+(1)a"), stop("local-number-digits", "-"), stop("pname", "a_")
    (4, 1, 1)
    """
    match = BEGINNINGS.get(rule, RULES[rule]).match(part)
    return match.end() if match else 0


def value_text(octets: str) -> str:
    """Return a parameter's value as written, given data with all reserved characters encoded.

    Characters of `paramchar` are decoded again. The RFC's prose requires "+" to be encoded, too,
    but its ABNF allows it, and parameters begin numbers with it ([RFC 4694, 4][1]). The slash stays
    encoded: dots between slashes would be dot segments, which resolution removes together with the
    segment before them, and that is the number ([RFC 3986, 5.2.4][2]).

    [1]: https://www.rfc-editor.org/rfc/rfc4694#section-4
    [2]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4

    >>> value_text("%2B1%3B%252B%2F")
    '+1%3B%252B%2F'
    """
    plain_characters = param_unreserved.replace("/", "") + "!*'()"

    def decoded(triplet: re.Match[str]) -> str:
        character = chr(int(triplet[0][1:], 16))
        return character if character in plain_characters else triplet[0]

    return pattern("pct-encoded").sub(decoded, octets)


def digits(number: str) -> str:
    """Return a number without visual separators (5.1.1), and with "#" as the RFC writes it.

    >>> digits("+1-(201).555"), digits("*31%23")
    ('+1201555', '*31#')
    """
    return number.translate(VISUAL_SEPARATORS).replace("%23", "#")


def in_order(name: str) -> tuple[int, str]:
    """Return the sort key that puts the names of parameters in the order of the RFC (section 3).

    >>> sorted(["b", "phone-context", "a", "isub"], key=in_order)
    ['isub', 'phone-context', 'a', 'b']
    """
    return FIRST.index(name) if name in FIRST else len(FIRST), name


def composed_path(number: str, parameters: dict[str, str | None]) -> str:
    """Join a number and its parameters, which are put in order, to a path.

    >>> composed_path("7042", {"a": None, "phone-context": "example.com"})
    '7042;phone-context=example.com;a'
    """
    pieces = [number]
    for name in sorted(parameters, key=in_order):
        value = parameters[name]
        pieces.append(name if value is None else f"{name}={value}")
    return ";".join(pieces)


def normalized(parts: AllParts) -> AllParts:
    """Apply the scheme-based normalization of [section 3][1] and [section 5.1.1][2].

    Visual separators are removed; names and values of parameters are converted to lower case, as
    the RFC asks; parameters are put in its order. Components that do not form a tel URI are
    returned unchanged.

    [1]: https://www.rfc-editor.org/rfc/rfc3966#section-3
    [2]: https://www.rfc-editor.org/rfc/rfc3966#section-5.1.1

    >>> from uriverse._spec.components import all_parts
    >>> normalized(all_parts("tel:863-1234;b;A=C;Phone-Context=+1-914-555")).path
    '8631234;phone-context=+1914555;a=c;b'
    """
    if not is_telephone_uri(parts):
        return parts
    number, parameters = subscriber(parts.path)
    values = {name.lower(): plain(name.lower(), value) for name, value, _ in parameters}
    return parts._replace(path=composed_path(number.translate(VISUAL_SEPARATORS), values))


def equivalence(parts: AllParts) -> AllParts:
    """Convert components so that equivalent tel URIs become equal ([section 4][1]).

    The result is that of `normalized`, in lower case, and with percent-encoded unreserved
    characters decoded (section 3). Components that do not form a tel URI are returned unchanged.

    [1]: https://www.rfc-editor.org/rfc/rfc3966#section-4

    >>> from uriverse._spec.components import all_parts
    >>> equivalence(all_parts("TEL:0A-1;phone-context=Example.COM;b=%61")).path
    '0a1;phone-context=example.com;b=a'
    """
    if not is_telephone_uri(parts):
        return parts
    path = with_uppercase_triplets(with_unreserved_decoded(parts.path).lower())
    return normalized(parts._replace(scheme="tel", path=path))


def is_telephone_uri(parts: AllParts) -> bool:
    """Return True if components form a `telephone-uri`: a path and nothing else.

    The scheme is not checked.
    """
    bare = AllParts(parts.scheme, None, None, None, parts.path, None, None)
    return parts == bare and violation(parts.path) is None


def plain(name: str, value: str | None) -> str | None:
    """Return a parameter's value in lower case, and without separators if it is a number."""
    if value is None:
        return None
    if name == "ext" or (name == "phone-context" and value.startswith("+")):
        # An extension that consists of separators would become empty without them.
        return value.translate(VISUAL_SEPARATORS) or value
    return with_uppercase_triplets(value.lower())
