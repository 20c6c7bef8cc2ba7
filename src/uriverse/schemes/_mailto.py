"""The "mailto" URI scheme ([RFC 6068](https://www.rfc-editor.org/rfc/rfc6068)).

    mailtoURI = "mailto:" [ to ] [ hfields ]
    to        = addr-spec *("," addr-spec )
    hfields   = "?" hfield *( "&" hfield )
    hfield    = hfname "=" hfvalue

In the path, each addr-spec of RFC 5322 is percent-encoded separately. So the path is split first,
and each address is decoded afterwards: `%2C` does not separate addresses, and `%40` does not
separate a local part from a domain. An hfvalue, however, is the percent-encoded value of a whole
header field. So it is decoded first, and a list of addresses is split afterwards: `%2C` separates
addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from uriverse._errors import BuildError, ConvertError, ParseError, escape_unprintable
from uriverse._spec.components import AllParts, compose_all_parts, split_all_parts
from uriverse._spec.grammar.rfc3986 import pct_encoded, unreserved
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import (
    ENCODE_AS_UTF8,
    decode,
    find_surrogate,
    locate_in_encoded,
    lowercase_letters,
    pct_decode,
    pct_encode,
)
from uriverse._spec.syntax import find_match_end, matches_iri

from ._violation import Problem

SCHEME = "mailto:"

#: The reason and the hint of errors about incomplete addresses.
NO_DOMAIN = 'missing "@" and domain in address'
ADDRESS_HINT = 'write the address as in "chris@example.com"'

#: Non-ASCII characters. RFC 6068, 2, items 4 and 5, allows them in addresses.
PAST_ASCII = "\u0080-\ud7ff\ue000-\U0010ffff"

# atext         = ALPHA / DIGIT /
#                 "!" / "#" / "$" / "%" / "&" / "'" / "*" / "+" / "-" / "/" /
#                 "=" / "?" / "^" / "_" / "`" / "{" / "|" / "}" / "~"     ; RFC 5322, 3.2.3
# dot-atom-text = 1*atext *("." 1*atext)
atext = rf"[A-Za-z0-9!#$%&'*+\-/=?\^_`{{|}}~{PAST_ASCII}]"
dot_atom_text = rf"{atext}++(?:\.{atext}++)*+"
dot_atom_start = rf"(?:{atext}++\.)*+{atext}*+"

# qtext         = %d33 / %d35-91 / %d93-126
# quoted-pair   = "\" (VCHAR / WSP)
# quoted-string = DQUOTE *(qtext / quoted-pair) DQUOTE
#               ; RFC 5322, 3.2.1 and 3.2.4, but without white space and obsolete syntax
#               ; (RFC 6068, 2, items 2 and 3)
qcontent = rf"(?:[!#-\[\]-~{PAST_ASCII}]|\\[\t -~{PAST_ASCII}])"
quoted_string = f'"{qcontent}*+"'

# local-part    = dot-atom-text / quoted-string
LOCAL_PART = re.compile(f"{dot_atom_text}|{quoted_string}")
LOCAL_PART_START = re.compile(f'"{qcontent}*+"?+|{dot_atom_start}')

# dtext-no-obs  = %d33-90 / %d94-126
# domain        = dot-atom-text / "[" *dtext-no-obs "]"
DOMAIN = re.compile(rf"{dot_atom_text}|\[[!-Z\^-~]*+\]")
DOMAIN_START = re.compile(rf"\[[!-Z\^-~]*+\]?+|{dot_atom_start}")

# addr-spec     = local-part "@" domain
#               ; an "@" or a comma within quotes or brackets is data
quoted = r'"(?:\\.|[^"\\])*+"?+'
ADDR_SPEC = re.compile(rf'(?P<local>(?:{quoted}|[^"@])*+)(?:@(?P<domain>.*+))?', re.DOTALL)
# The same for the percent-encoded form in a path.
pct_quoted = "%22(?:%5[Cc](?:%[0-9A-Fa-f]{2}|.)|%(?!22|5[Cc])|[^%])*+(?:%22)?+"
pct_literal = "@%5[Bb](?:%(?!5[Dd])|[^%])*+"
WRITTEN_ADDR_SPEC = re.compile(
    f"(?P<local>(?:{pct_quoted}|[^@])*+)(?:@(?P<domain>.*+))?", re.DOTALL
)
WRITTEN_ADDRESS = re.compile(f"(?:{pct_quoted}|{pct_literal}|[^,])*+", re.DOTALL)

# address-list  = (address *("," address))        ; RFC 5322, 3.4
#               ; a comma does not separate addresses within quotes, an angle-addr, a
#               ; domain-literal or a comment (RFC 5322, 3.2.4, 3.4, 3.4.1 and 3.2.2); comments may
#               ; be nested
LIST_TOKEN = re.compile(rf'{quoted}|<(?:{quoted}|[^">])*+>?+|\[[^\]]*+\]?+|[(,]', re.DOTALL)
COMMENT_TOKEN = re.compile(r"\\.|[()]", re.DOTALL)

#: The header fields whose values are lists of addresses (RFC 5322, 3.6.3).
ADDRESS_FIELDS = frozenset({"to", "cc", "bcc"})

#: Characters that a path may contain, but that must be percent-encoded in an addr-spec (RFC 6068,
#: 2, item 1).
NOT_IN_ADDR_SPEC = re.compile("[&/;=]")

# some-delims   = "!" / "$" / "'" / "(" / ")" / "*" / "+" / "," / ";" / ":" / "@"
# qchar         = unreserved / pct-encoded / some-delims      ; neither "/" nor "?"
# hfname        = *qchar                                      ; and hfvalue = *qchar
qchar = f"(?:[{unreserved}!$'-,;:@]|{pct_encoded})"
HFIELD_START = re.compile(f"{qchar}*+(?:={qchar}*+)?+")

# field-name    = 1*ftext
# ftext         = %d33-57 / %d59-126              ; RFC 5322, 3.6.8
FIELD_NAME_START = re.compile("[!-9;-~]*+")

#: Characters that are percent-encoded in an address, and in an hfname or hfvalue. In a query, "+"
#: is percent-encoded too, because many programs decode it as a space (RFC 6068, 5).
NOT_IN_ADDRESS = re.compile(f"[^{unreserved}!$'()*+:]++")
NOT_IN_HFIELD = re.compile(f"[^{unreserved}!$'()*,:@]++")

#: ASCII characters of `atext` that would have to be percent-encoded. In a domain, only non-ASCII
#: characters may be percent-encoded (RFC 6068, 2, item 4).
NOT_IN_DOMAIN = re.compile("[#%&/=?^`{|}]")

#: Characters that are not allowed in the value of a header field: controls (RFC 5322, 3.2.5,
#: `unstructured`) and non-ASCII line separators.
CONTROL = re.compile("[\0-\x08\n-\x1f\x7f\x85\u2028\u2029]")

LINE_BREAK = re.compile("(?:%0[AaDd])++")

#: The field name "body", in any letter case and percent-encoding. Only the body may contain line
#: breaks.
BODY = re.compile("(?:b|%[46]2)(?:o|%[46]f)(?:d|%[46]4)(?:y|%[57]9)", re.IGNORECASE | re.ASCII)

#: Header fields that MUST be ignored (RFC 6068, 3): originator fields and the date (RFC 5322, 3.6.1
#: and 3.6.2), fields related to routing, trace fields (RFC 5322, 3.6.7) and MIME header fields. The
#: names are in lower case. Names with a prefix in `IGNORED_PREFIXES` are ignored as well.
IGNORED_FIELDS = frozenset(
    (  # noqa: SIM905
        "from sender reply-to date apparently-to return-path received mime-version"
    ).split()
)
IGNORED_PREFIXES = ("resent-", "content-")

#: Header fields that a message may have only once (RFC 5322, 3.6), and the body. A URI must not be
#: built with two fields of the same name in this set (RFC 6068, 2).
ONCE_FIELDS = frozenset(
    (  # noqa: SIM905
        "date from sender reply-to to cc bcc message-id in-reply-to references subject body"
    ).split()
)


class Address(NamedTuple):
    """The local part and the domain of a mail address, as written in a mailto URI."""

    local_part: str
    domain: str


class Hfield(NamedTuple):
    """A header field, as written in a mailto URI, and its offset."""

    hfname: str
    hfvalue: str
    start: int

    @property
    def value_start(self) -> int:
        return self.start + len(self.hfname) + 1


class Mailto(NamedTuple):
    """The addresses and header fields of a mailto URI, as written."""

    to: tuple[Address, ...]
    hfields: tuple[Hfield, ...]


def parse_mailto(text: str) -> Mailto:
    """Split a mailto URI, whose fragment is ignored (RFC 6068, 2), or raise `ParseError`."""
    start = len(SCHEME)
    path, mark, query = text.partition("#")[0][start:].partition("?")
    to = parse_addresses(text, path) if path else ()
    return Mailto(to, parse_hfields(text, start + len(path) + 1, query) if mark else ())


def parse_addresses(text: str, path: str) -> tuple[Address, ...]:
    position = len(SCHEME)
    if path.startswith("//"):
        reason, hint = 'invalid "//": a mailto URI has no authority', "remove the two slashes"
        raise ParseError(text, position, "host", "mailtoURI", reason, hint)
    if invalid := NOT_IN_ADDR_SPEC.search(path):
        reason = f'invalid character "{invalid[0]}" in address'
        hint = f"percent-encode it as {pct_encode(invalid[0].encode())}"
        raise ParseError(text, position + invalid.start(), "path", "addr-spec", reason, hint)
    addresses: list[Address] = []
    for encoded in split_at_commas(path):
        addresses.append(parse_addr_spec(text, position, encoded))
        position += len(encoded) + 1
    return tuple(addresses)


def split_at_commas(path: str) -> Iterator[str]:
    """Split the path of a mailto URI at its commas, except within quotes and brackets."""
    position = 0
    while position <= len(path):
        end = find_match_end(WRITTEN_ADDRESS, path, position)
        yield path[position:end]
        position = end + 1


def split_recipients(value: str) -> list[str]:
    """Split the decoded value of a header field into addresses (RFC 5322, 3.4).

    Commas separate addresses, except within quotes, brackets and comments. Empty addresses are
    skipped, and none is validated.
    """
    addresses: list[str] = []
    address_start = position = comment_depth = 0
    # Comments nest. A quoted or bracketed part is one token, so a comma within it is not found.
    while token := (COMMENT_TOKEN if comment_depth else LIST_TOKEN).search(value, position):
        position = token.end()
        if token[0] == "(":
            comment_depth += 1
        elif token[0] == ")":
            comment_depth -= 1
        elif token[0] == ",":
            addresses.append(value[address_start : token.start()])
            address_start = position
    addresses.append(value[address_start:])
    stripped = (address.strip(" \t\r\n") for address in addresses)
    return [address for address in stripped if address]


def parse_addr_spec(text: str, start: int, encoded: str) -> Address:
    match = WRITTEN_ADDR_SPEC.fullmatch(encoded)
    assert match, "the pattern matches every string"
    local_part, domain = match["local"], match["domain"]
    domain_start = start + len(local_part) + 1
    check_address_part(text, start, local_part, "local-part")
    if domain is None:
        raise ParseError(text, domain_start - 1, "path", "addr-spec", NO_DOMAIN, ADDRESS_HINT)
    check_address_part(text, domain_start, domain, "domain")
    return Address(local_part, domain)


def check_address_part(text: str, start: int, encoded: str, rule: str) -> None:
    try:
        decoded = decode(encoded)
    except ConvertError as error:
        position = start + error.position
        raise ParseError(text, position, "path", rule, error.reason, ENCODE_AS_UTF8) from None
    index = find_address_violation(decoded, rule)
    if index is not None:
        position = start + locate_in_encoded(encoded, decoded, index)
        reason, hint = explain_address_violation(decoded, index, rule)
        raise ParseError(text, position, "path", rule, reason, hint)


def find_address_violation(part: str, rule: str) -> int | None:
    """Return the index of the first violation of a rule (`local-part` or `domain`), or `None`."""
    pattern, start_pattern = LOCAL_PART, LOCAL_PART_START
    if rule == "domain":
        pattern, start_pattern = DOMAIN, DOMAIN_START
    return None if pattern.fullmatch(part) else find_match_end(start_pattern, part)


def explain_address_violation(part: str, index: int, rule: str) -> tuple[str, str]:
    name = f"{rule.replace('-', ' ')} of address"
    if index == len(part):
        return f"incomplete {name}", ADDRESS_HINT
    hint = 'write one "@", unencoded, before the domain' if part[index] == "@" else ""
    return f'invalid character "{escape_unprintable(part[index])}" in {name}', hint


def parse_hfields(text: str, start: int, query: str) -> tuple[Hfield, ...]:
    hfields: list[Hfield] = []
    for hfield in query.split("&"):
        valid_length = find_match_end(HFIELD_START, hfield)
        valid_end = start + valid_length
        if valid_length < len(hfield):
            character = hfield[valid_length]
            reason = f'invalid character "{character}" in header field'
            triplet = pct_encode(character.encode())
            hint = f'percent-encode it as {triplet}, or write "&" before the next field'
            raise ParseError(text, valid_end, "query", "hfield", reason, hint)
        if "=" not in hfield:
            reason, hint = 'missing "=" in header field', 'write the field as in "subject=Hello"'
            raise ParseError(text, valid_end, "query", "hfield", reason, hint)
        hfname, _, hfvalue = hfield.partition("=")
        hfields.append(Hfield(hfname, hfvalue, start))
        start += len(hfield) + 1
    return tuple(hfields)


def find_line_breaks(text: str) -> list[tuple[int, int]]:
    """Return the spans of percent-encoded line breaks outside the body of a mailto URI.

    RFC 6068, 5, advises against them: if a program copies such a header field into a message, the
    URI can inject other header fields.
    """
    before_query, question_mark, query = text.partition("#")[0].partition("?")
    spans = [match.span() for match in LINE_BREAK.finditer(before_query)]
    hfield_start = len(before_query) + len(question_mark)
    for hfield in query.split("&"):
        hfield_end = hfield_start + len(hfield)
        hfname = hfield.partition("=")[0]
        if not BODY.fullmatch(hfname):
            spans += [run.span() for run in LINE_BREAK.finditer(text, hfield_start, hfield_end)]
        hfield_start = hfield_end + len("&")
    return spans


def find_problems(text: str) -> Iterator[Problem]:
    """Yield a finding for each header field that mail programs must ignore (RFC 6068, 3)."""
    before_query, question_mark, query = text.partition("#")[0].partition("?")
    if not query or not text.isascii() or try_parse_mailto(split_all_parts(text)) is None:
        return
    hfield_start = len(before_query) + len(question_mark)
    for hfield in query.split("&"):
        hfname = hfield.partition("=")[0]
        if is_ignored_field(pct_decode(hfname).decode(errors="replace")):
            hfname_end = hfield_start + len(hfname)
            yield Problem("header-ignored", "query", hfield_start, hfname_end)
        hfield_start += len(hfield) + len("&")


def is_ignored_field(name: str) -> bool:
    """Return True if mail programs must ignore a header field (RFC 6068, 3)."""
    name = lowercase_ascii(name)
    return name in IGNORED_FIELDS or name.startswith(IGNORED_PREFIXES)


def normalize(parts: AllParts) -> AllParts:
    """Convert the domains of addresses and the names of header fields to lower case.

    Percent-encoded letters are kept, because syntax-based normalization decodes them. Components
    that together are not a valid mailto URI are returned unchanged.
    """
    mailto = try_parse_mailto(parts)
    if mailto is None:
        return parts
    addresses = [f"{local_part}@{lowercase_letters(domain)}" for local_part, domain in mailto.to]
    hfields = [f"{lowercase_letters(name)}={value}" for name, value, _ in mailto.hfields]
    return parts._replace(path=",".join(addresses), query="&".join(hfields) or None)


def try_parse_mailto(parts: AllParts) -> Mailto | None:
    text = compose_all_parts(parts._replace(scheme="mailto"))
    try:
        return parse_mailto(text) if matches_iri(text) else None
    except ParseError:
        return None


def convert_for_comparison(parts: AllParts) -> AllParts:
    """Convert the components of a mailto URI, so that equivalent URIs become equal.

    The recipients of `to` header fields are moved to the path, because both places have the same
    meaning (RFC 6068, 2). The path allows only bare addresses, without a display name. To keep the
    order, the first recipient that is not a bare address and all recipients after it get a `to`
    field each, before other fields.

    The fragment is unchanged, because the rules of a scheme do not apply to it (RFC 3986, 6.2.3).
    Components that together are not a valid mailto URI are returned unchanged.
    """
    mailto = try_parse_mailto(parts)
    if mailto is None:
        return parts
    recipients = ["@".join(map(decode_with_escapes, address)) for address in mailto.to]
    other_fields: list[str] = []
    for hfname, hfvalue, _ in mailto.hfields:
        name, value = lowercase_ascii(decode_with_escapes(hfname)), decode_with_escapes(hfvalue)
        if name == "to":
            recipients += split_recipients(value)
            continue
        if name in ADDRESS_FIELDS:
            value = ",".join(map(convert_address_domain, split_recipients(value)))
        other_fields.append(compose_hfield(name, value))
    recipients = [*map(convert_address_domain, recipients)]
    bare_addresses = [*takewhile(is_addr_spec, recipients)]
    path = ",".join(encode_addr_spec(*split_address(address)) for address in bare_addresses)
    # One field per recipient, so that an error in one of them, such as an unterminated quote, does
    # not affect the next.
    to_fields = [compose_hfield("to", address) for address in recipients[len(bare_addresses) :]]
    query = "&".join(to_fields + other_fields) or None
    return parts._replace(scheme="mailto", path=path, query=query)


def decode_with_escapes(text: str) -> str:
    return pct_decode(text).decode(errors="surrogateescape")


def is_addr_spec(address: str) -> bool:
    local_part, domain = split_address(address)
    return (
        find_address_violation(local_part, "local-part") is None
        and find_address_violation(domain, "domain") is None
    )


def convert_address_domain(address: str) -> str:
    """Convert the domain of a mail address to lower case and, if possible, to ASCII.

    Characters after the domain are kept, such as the ">" of an address with a display name.
    """
    local_part, domain_and_suffix = split_address(address)
    domain_end = find_match_end(DOMAIN_START, domain_and_suffix)
    domain, suffix = lowercase_ascii(domain_and_suffix[:domain_end]), domain_and_suffix[domain_end:]
    if not domain.isascii():
        # Imported late, because the import is slow and few addresses need it.
        from uriverse._spec.domain import convert_encoded_host

        # A domain without an ASCII form is returned unchanged.
        encoded_domain = convert_encoded_host(encode_characters(domain, NOT_IN_ADDRESS))
        domain = decode_with_escapes(encoded_domain)
    at_sign = address[len(local_part) : len(address) - len(domain_and_suffix)]
    return f"{local_part}{at_sign}{domain}{suffix}"


def split_address(address: str) -> tuple[str, str]:
    match = ADDR_SPEC.match(address)
    assert match, "the pattern matches every string"
    return match["local"], match["domain"] or ""


def encode_address(address: str) -> str:
    """Percent-encode a mail address for use in a mailto URI, or raise `BuildError`."""
    local_part, domain = split_address(address)
    reject_address_part(address, 0, local_part, "local-part")
    if local_part == address:  # without an "@"
        end = len(address)
        raise BuildError(address, end, "path", "addr-spec", NO_DOMAIN, ADDRESS_HINT)
    domain_start = len(local_part) + 1
    reject_address_part(address, domain_start, domain, "domain")
    if control := CONTROL.search(address):
        reason = f'invalid character "{escape_unprintable(control[0])}" in address'
        raise BuildError(address, control.start(), "path", "addr-spec", reason, "remove it")
    # A domain-literal in brackets is not a domain name.
    invalid = None if domain.startswith("[") else NOT_IN_DOMAIN.search(domain)
    if invalid:
        reason = f'invalid character "{invalid[0]}" in domain of address'
        hint = "pass the domain itself, not a percent-encoded form"
        raise BuildError(address, domain_start + invalid.start(), "path", "domain", reason, hint)
    return encode_addr_spec(local_part, domain)


def encode_addr_spec(local_part: str, domain: str) -> str:
    return "@".join(encode_characters(part, NOT_IN_ADDRESS) for part in (local_part, domain))


def reject_address_part(address: str, start: int, part: str, rule: str) -> None:
    index = find_address_violation(part, rule)
    if index is not None:
        reason, hint = explain_address_violation(part, index, rule)
        raise BuildError(address, start + index, "path", rule, reason, hint)


def encode_hfield(name: str, value: str) -> str:
    """Percent-encode a header field, with line breaks in the body as `%0D%0A` (RFC 6068, 5)."""
    valid_length = find_match_end(FIELD_NAME_START, name)
    if valid_length < len(name) or not name:
        hint = "use printable ASCII characters other than the space and the colon"
        raise BuildError(name, valid_length, "query", "hfname", "invalid header field name", hint)
    is_body = name.lower() == "body"
    # The body has several lines, and only NUL is not allowed in it (RFC 5322, 3.5).
    control = re.search("\0", value) if is_body else CONTROL.search(value)
    position = control.start() if control else find_surrogate(value)
    if position >= 0:  # `find_surrogate` returns -1 for a valid value
        reason = f'invalid character "{escape_unprintable(value[position])}" in header field value'
        hint = "use line breaks only in the body" if value[position] in "\r\n" else "remove it"
        raise BuildError(value, position, "query", "hfvalue", reason, hint)
    if is_body:
        value = re.sub(r"\r\n?|\n", "\r\n", value)
    return compose_hfield(name, value)


def compose_hfield(name: str, value: str) -> str:
    return f"{encode_characters(name, NOT_IN_HFIELD)}={encode_characters(value, NOT_IN_HFIELD)}"


def encode_characters(text: str, pattern: re.Pattern[str]) -> str:
    return pattern.sub(lambda run: pct_encode(run[0].encode(errors="surrogateescape")), text)
