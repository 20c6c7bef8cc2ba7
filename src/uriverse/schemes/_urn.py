"""The "urn" URI scheme: the syntax and equivalence of Uniform Resource Names (RFC 8141, 2)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from uriverse._spec.components import AllParts, compose_all_parts
from uriverse._spec.grammar.rfc3986 import fragment, pchar, pct_encoded, sub_delims, unreserved
from uriverse._spec.grammar.rfc5234 import ALPHA, DIGIT
from uriverse._spec.percent import uppercase_triplets
from uriverse._spec.syntax import find_match_end

from ._violation import Problem, Violation

#: The single characters of `pchar`, for a bracket expression.
SINGLE = f"{unreserved}{sub_delims}:@"

# alphanum      = ALPHA / DIGIT    ; an ASCII letter or digit
alphanum = f"{ALPHA}{DIGIT}"

# ldh           = alphanum / "-"    ; a letter, digit or hyphen
ldh = rf"{alphanum}\-"

# NID           = (alphanum) 0*30(ldh) (alphanum)
NID = f"[{alphanum}][{ldh}]{{0,30}}[{alphanum}]"

# NSS           = pchar *(pchar / "/")    ; not empty, and no leading slash
NSS = f"{pchar}(?:[{SINGLE}/]++|{pct_encoded})*+"

# r-component   = pchar *( pchar / "/" / "?" )
#
# The ABNF alone is ambiguous. By RFC 8141, 2.3.1, the r-component ends before "?=", which begins a
# q-component.
r_component = rf"{pchar}(?:[{SINGLE}/]++|{pct_encoded}|\?(?!=))*+"

# q-component   = pchar *( pchar / "/" / "?" )
q_component = f"{pchar}(?:[{SINGLE}/?]++|{pct_encoded})*+"

# f-component   = fragment
f_component = fragment

# namestring    = assigned-name [ rq-components ] [ "#" f-component ]
# assigned-name = "urn" ":" NID ":" NSS
# rq-components = [ "?+" r-component ] [ "?=" q-component ]
NAMESTRING = re.compile(
    rf"[Uu][Rr][Nn]:({NID}):({NSS})"
    rf"(?:\?\+({r_component}))?(?:\?=({q_component}))?(?:\#({f_component}))?"
)

RULES = {
    "NID": re.compile(NID),
    "NSS": re.compile(NSS),
    "r-component": re.compile(r_component),
    "q-component": re.compile(q_component),
    "f-component": re.compile(f_component),
}

# InformalNamespaceName = "urn-" Number
# Number                = DigitNonZero 0*Digit
INFORMAL_NAMESPACE = re.compile("[Uu][Rr][Nn]-[1-9][0-9]*")

#: The names of rules that are abbreviations, for errors.
NAMES = {"NID": "namespace identifier (NID)", "NSS": "namespace-specific string (NSS)"}

LONGEST_NID = 32

#: Matches the longest prefix of a string that could be the beginning of a NID.
NID_BEGINNING = re.compile(f"(?:[{alphanum}][{ldh}]{{0,30}}+[{alphanum}]?+)?+")

#: The offset of the NID, which follows "urn:".
NID_START = 4


class Namestring(NamedTuple):
    """The components of a URN, as written; an undefined component is `None`."""

    nid: str
    nss: str
    r_component: str | None
    q_component: str | None
    f_component: str | None


def parse_namestring(text: str) -> Namestring | None:
    match = NAMESTRING.fullmatch(text)
    return Namestring(*match.groups()) if match else None


def find_urn_violation(text: str) -> Violation:
    """Return the first error in a URI of the scheme "urn" that is not a valid URN."""
    nid_end = find_match_end(NID_BEGINNING, text, NID_START)
    is_nid = RULES["NID"].fullmatch(text, NID_START, nid_end) is not None
    if not is_nid or not text.startswith(":", nid_end):
        reason = explain_nid_error(text[NID_START:nid_end], text[nid_end : nid_end + 1])
        hint = 'write the URN as in "urn:example:name"'
        return Violation(nid_end, "path", "NID", reason, hint)
    nss_start = nid_end + len(":")
    end = find_match_end(RULES["NSS"], text, nss_start)
    if end == nss_start:
        hint = 'write a name that does not start with "/" after the colon'
        return Violation(nss_start, "path", "NSS", describe_component_error("NSS"), hint)
    for rule, sign in (("r-component", "?+"), ("q-component", "?=")):
        if not text.startswith(sign, end):
            continue  # both components are optional
        start = end + len(sign)
        end = find_match_end(RULES[rule], text, start)
        if end == start:
            hint = f'remove "{sign}", or write a component that does not start with "/" or "?"'
            return Violation(start, "query", rule, describe_component_error(rule), hint)
    # Only a question mark can follow here, because the string is a valid URI.
    reason = 'invalid query of URN: "?" must be followed by "+" or "="'
    hint = 'write "?+" for an r-component, "?=" for a q-component, %3F for a literal "?"'
    return Violation(end + 1, "query", "rq-components", reason, hint)


def is_reserved_nid(nid: str) -> bool:
    """Return True if RFC 8141, 5.2, reserves a namespace identifier (NID), such as `urn-abc`.

    These are all NIDs that begin with "urn-", except those of informal namespaces.
    """
    if not nid.lower().startswith("urn-") or not RULES["NID"].fullmatch(nid):
        return False
    return not INFORMAL_NAMESPACE.fullmatch(nid)


def find_problems(text: str) -> Iterator[Problem]:
    nid, colon, _ = re.split("[?#]", text)[0][NID_START:].partition(":")
    if colon and is_reserved_nid(nid):
        message = 'the namespace is reserved: after "urn-", only a number is allowed, as in "urn-7"'
        suggestion = 'use a registered namespace, or "example" in examples'
        nid_end = NID_START + len(nid)
        reference = "RFC 8141, 5.2"
        yield Problem("scheme-syntax", "path", NID_START, nid_end, message, suggestion, reference)


def explain_nid_error(nid: str, next_character: str) -> str:
    """`next_character` is the first invalid character, or `""` at the end of the URN."""
    if not next_character:
        return f"incomplete URN: a {NAMES['NID']}, a colon and a name are required"
    if len(nid) == LONGEST_NID:
        return f"{NAMES['NID']} too long: the limit is {LONGEST_NID} characters"
    if not nid:
        expectation = "the first character must be an ASCII letter or digit"
    elif next_character in ":-":
        expectation = "expected at least two characters, the last a letter or digit"
    else:
        expectation = "only ASCII letters, digits and hyphens are allowed"
    return f"invalid {NAMES['NID']}: {expectation}"


def describe_component_error(rule: str) -> str:
    return f"invalid or empty {NAMES.get(rule, rule)}"


def find_component_stop(rule: str, part: str) -> int:
    return find_match_end(NID_BEGINNING if rule == "NID" else RULES[rule], part)


def normalize(parts: AllParts) -> AllParts:
    """Convert the namespace identifier (NID) of a URN to lower case (RFC 8141, 3.1).

    Components that together are not a valid URN are returned unchanged.
    """
    namestring = parse_namestring(compose_all_parts(parts))
    if namestring is None:
        return parts
    return parts._replace(path=f"{namestring.nid.lower()}:{namestring.nss}")


def convert_for_comparison(parts: AllParts) -> AllParts:
    """Convert the components of a URN, so that equivalent URNs become equal (RFC 8141, 3.1).

    Nothing is decoded. The r-component, q-component and f-component are removed. Components that
    together are not a valid URN are returned unchanged.
    """
    namestring = parse_namestring(compose_all_parts(parts))
    if namestring is None:
        return parts
    path = f"{namestring.nid.lower()}:{uppercase_triplets(namestring.nss)}"
    return parts._replace(scheme="urn", path=path, query=None, fragment=None)
