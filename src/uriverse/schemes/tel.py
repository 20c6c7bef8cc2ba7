"""Telephone numbers as URIs: their syntax and comparison ([RFC 3966][1]).

The ABNF is that of section 3 with two of its errata: a subaddress is of `paramchar` (203), as
one of `uric` would swallow the parameters after it; and a `phonedigit` is not empty (4376).

Three things are read otherwise than the letter has them:

- The RFC writes "#" for a key of a telephone, where no URI can have one ([RFC 3986, 3.5][2]):
  it would begin a fragment. It is written "%23".
- It has brackets in `paramchar`, which no path of a URI has: they are percent-encoded.
- By the ABNF, what is no `extension`, as `;ext=a`, is a `parameter`. But that rule is for
  others (5.4): a parameter of a name that the RFC defines is what the rule of that name says.

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
# paramchar            = param-unreserved / unreserved / pct-encoded    ; as a value holds it
paramchar = f"(?:[{param_unreserved}{alphanum}{mark}]++|{pct_encoded})"

#: The rules that parts are to meet, by their names in the RFC.
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

#: What the longest beginning of a text matches that a rule's text can begin with, where that
#: is not the rule itself: a digit, or the last label, may be still to come.
BEGINNINGS = {
    "global-number-digits": re.compile(rf"\+?[{phonedigit}]*+"),
    "local-number-digits": re.compile(f"{phonedigit_hex}*+"),
    "descriptor": re.compile(rf"\+[{phonedigit}]*+|(?:{domainlabel}\.)*+(?:{domainlabel}-*+)?+"),
}

#: What is wrong with a part of a rule.
REASONS = {
    "global-number-digits": "a global number is made of digits and visual separators",
    "local-number-digits": 'a local number is made of hexadecimal digits, "*", "#" and separators',
    "extension": "an extension is made of digits and visual separators",
    "isdn-subaddress": "that can't stand in a subaddress, or it is empty",
    "descriptor": "a context is a domain name or a global number",
    "pname": "the name of a parameter is made of letters, digits and hyphens",
    "pvalue": "that can't stand in the value of a parameter, or it is empty",
    "context": "a local number has a context, in which it is one",
}

#: What to do about a number that is none.
NUMBER_HINT = "write what is dialled, without spaces"

#: The rule of the value of a parameter that the RFC defines. All of them have one.
DEFINED = {"ext": "extension", "isub": "isdn-subaddress", "phone-context": "descriptor"}

#: The parameters that come before all others, in their order (section 3). Which of the first
#: two does is left open; these are in the order of all others.
FIRST = ("ext", "isub", "phone-context")

#: What merely makes numbers readable (5.1.1).
VISUAL_SEPARATORS = str.maketrans(dict.fromkeys("-.()"))


class Parameter(NamedTuple):
    """A parameter as it is written, and where it begins in the path.

    The value is `None` without an equals sign.
    """

    name: str
    value: str | None
    start: int


class Subscriber(NamedTuple):
    """A `telephone-subscriber`: the number as it is written, and its parameters."""

    number: str
    parameters: tuple[Parameter, ...]


def subscriber(path: str) -> Subscriber:
    """The number and the parameters of a path, which is not judged.

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
    """Why the path of a URI is no `telephone-subscriber`; `None` where it is one.

    Positions are those in the path.

    The order of parameters is not looked at: the ABNF leaves it open, and to whom a URI comes
    it makes no difference (sections 3 and 4).

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
            reason = f'there is a parameter "{name}" before'
            return Violation(parameter.start, "path", "par", reason, "each name appears once")
        names.add(name)
    if rule == "local-number-digits" and "phone-context" not in names:
        hint = 'add ";phone-context=", or begin a global number with "+"'
        return Violation(len(path), "path", "context", REASONS["context"], hint)
    return None


def number_rule(number: str) -> str:
    """The rule of a number: the plus sign of a global one tells (5.1.4)."""
    return "global-number-digits" if number.startswith("+") else "local-number-digits"


def parameter_violation(parameter: Parameter) -> Violation | None:
    """What is wrong with a parameter, read by itself."""
    name, value, start = parameter
    if not RULES["pname"].fullmatch(name):
        hint = "a semicolon begins a parameter; as data it is written %3B"
        return Violation(start + stop("pname", name), "path", "pname", REASONS["pname"], hint)
    rule = DEFINED.get(name.lower(), "pvalue")
    end = start + len(name)
    if value is None:
        if rule == "pvalue":
            return None
        return Violation(end, "path", rule, f'the parameter "{name.lower()}" has a value', "")
    if RULES[rule].fullmatch(value):
        return None
    place, hint = end + 1 + stop(rule, value), "percent-encode what is data"
    return Violation(place, "path", rule, REASONS[rule], hint)


def stop(rule: str, part: str) -> int:
    """The index at which a part can no longer become what a rule produces.

    >>> stop("global-number-digits", "+(1)a"), stop("local-number-digits", "-"), stop("pname", "a_")
    (4, 1, 1)
    """
    match = BEGINNINGS.get(rule, RULES[rule]).match(part)
    return match.end() if match else 0


def value_text(octets: str) -> str:
    """The value of a parameter, of data in which all but unreserved characters are encoded.

    Characters of `paramchar` are not encoded. The RFC's words would have "+" encoded, too; but its
    ABNF has it, and parameters begin numbers with it ([RFC 4694, 4][1]). The slash stays
    encoded: between slashes, dots would be segments that resolution removes together with the
    segment before them, which is the number ([RFC 3986, 5.2.4][2]).

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
    """A number without what merely makes it readable (5.1.1), "#" as the RFC writes it.

    >>> digits("+1-(201).555"), digits("*31%23")
    ('+1201555', '*31#')
    """
    return number.translate(VISUAL_SEPARATORS).replace("%23", "#")


def in_order(name: str) -> tuple[int, str]:
    """What to sort parameters by: where the RFC puts those of a name (section 3).

    >>> sorted(["b", "phone-context", "a", "isub"], key=in_order)
    ['isub', 'phone-context', 'a', 'b']
    """
    return FIRST.index(name) if name in FIRST else len(FIRST), name


def composed_path(number: str, parameters: dict[str, str | None]) -> str:
    """The path of a number and its parameters, put in order.

    >>> composed_path("7042", {"a": None, "phone-context": "example.com"})
    '7042;phone-context=example.com;a'
    """
    pieces = [number]
    for name in sorted(parameters, key=in_order):
        value = parameters[name]
        pieces.append(name if value is None else f"{name}={value}")
    return ";".join(pieces)


def normalized(parts: AllParts) -> AllParts:
    """What scheme-based normalisation adds, by [section 3][1] and [section 5.1.1][2].

    Visual separators are left out; names and values of parameters are in lower case, as the
    RFC asks for; parameters are in its order. Parts of no tel URI are left as they are.

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
    """What two tel URIs are to have in common to be equivalent ([section 4][1]).

    That is what `normalized` makes of them, without regard to case; and characters that are
    unreserved are what their triplets stand for (section 3). Parts of no tel URI are left as
    they are.

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
    """Whether parts of that scheme are those of a `telephone-uri`: nothing but it and a path."""
    bare = AllParts(parts.scheme, None, None, None, parts.path, None, None)
    return parts == bare and violation(parts.path) is None


def plain(name: str, value: str | None) -> str | None:
    """The value of a parameter without separators, where it is a number; in lower case."""
    if value is None:
        return None
    if name == "ext" or (name == "phone-context" and value.startswith("+")):
        # An extension of separators alone would be none without them.
        return value.translate(VISUAL_SEPARATORS) or value
    return with_uppercase_triplets(value.lower())
