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
    locate_octet,
    lowercase_letters,
    pct_decode,
    pct_encode,
)
from uriverse._spec.syntax import matches

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
HFIELD_START = re.compile(f"{qchar}*+(?P<rest>={qchar}*+)?+")

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
    {
        "from",
        "sender",
        "reply-to",
        "date",
        "apparently-to",
        "return-path",
        "received",
        "mime-version",
    }
)
IGNORED_PREFIXES = ("resent-", "content-")

#: Header fields that a message may have only once (RFC 5322, 3.6), and the body. A URI must not be
#: built with two fields of the same name in this set (RFC 6068, 2).
ONCE_FIELDS = frozenset(
    {
        "date",
        "from",
        "sender",
        "reply-to",
        "to",
        "cc",
        "bcc",
        "message-id",
        "in-reply-to",
        "references",
        "subject",
        "body",
    }
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
    """Split a mailto URI into addresses and header fields ([RFC 6068, section 2][1]).

    The URI may have a fragment, which is ignored.

    [1]: https://www.rfc-editor.org/rfc/rfc6068#section-2

    Raises:
        ParseError: the URI is not a mailto URI.

    >>> parse_mailto("mailto:chris@example.com?subject=x")[0]
    (Address(local_part='chris', domain='example.com'),)
    """
    start = len(SCHEME)
    path, mark, query = text.partition("#")[0][start:].partition("?")
    to = addresses(text, path) if path else ()
    return Mailto(to, hfields(text, start + len(path) + 1, query) if mark else ())


def addresses(text: str, path: str) -> tuple[Address, ...]:
    at = len(SCHEME)
    if path.startswith("//"):
        reason, hint = 'invalid "//": a mailto URI has no authority', "remove the two slashes"
        raise ParseError(text, at, "host", "mailtoURI", reason, hint)
    wrong = NOT_IN_ADDR_SPEC.search(path)
    if wrong:
        reason = f'invalid character "{wrong[0]}" in address'
        hint = f"percent-encode it as {pct_encode(wrong[0].encode())}"
        raise ParseError(text, at + wrong.start(), "path", "addr-spec", reason, hint)
    found: list[Address] = []
    for written in split_at_commas(path):
        found.append(addr_spec(text, at, written))
        at += len(written) + 1
    return tuple(found)


def split_at_commas(written: str) -> Iterator[str]:
    """Split the path of a mailto URI at its commas, except within quotes and brackets.

    >>> list(split_at_commas("%22a,b%22@example.org,c%2Cd@example.org"))
    ['%22a,b%22@example.org', 'c%2Cd@example.org']
    """
    at = 0
    while at <= len(written):
        match = WRITTEN_ADDRESS.match(written, at)
        assert match, "the pattern also matches the empty string"
        yield match[0]
        at = match.end() + 1


def recipients(value: str) -> list[str]:
    """Split the decoded value of a header field into addresses ([RFC 5322, 3.4][1]).

    Commas separate addresses, except within quotes, brackets and comments. White space around an
    address is removed, and empty addresses are skipped. The addresses are not validated.

    [1]: https://www.rfc-editor.org/rfc/rfc5322#section-3.4

    >>> recipients('"Doe, Jane" <jane@a.example>, b@[IPv6:::1] (that, too),')
    ['"Doe, Jane" <jane@a.example>', 'b@[IPv6:::1] (that, too)']
    """
    found: list[str] = []
    start = at = depth = 0
    while token := (COMMENT_TOKEN if depth else LIST_TOKEN).search(value, at):
        at = token.end()
        if token[0] == "(":
            depth += 1
        elif token[0] == ")":
            depth -= 1
        elif token[0] == ",":
            found.append(value[start : token.start()])
            start = at
    found.append(value[start:])
    stripped = (each.strip(" \t\r\n") for each in found)
    return [each for each in stripped if each]


def addr_spec(text: str, start: int, written: str) -> Address:
    match = WRITTEN_ADDR_SPEC.fullmatch(written)
    assert match, "the pattern matches every string"
    local_part, domain = match["local"], match["domain"]
    at = start + len(local_part) + 1
    check(text, start, local_part, "local-part")
    if domain is None:
        raise ParseError(text, at - 1, "path", "addr-spec", NO_DOMAIN, ADDRESS_HINT)
    check(text, at, domain, "domain")
    return Address(local_part, domain)


def check(text: str, start: int, written: str, rule: str) -> None:
    """Raise `ParseError` if the local part or the domain of a mail address is invalid."""
    try:
        found = decode(written)
    except ConvertError as error:
        place = start + error.position
        raise ParseError(text, place, "path", rule, error.reason, ENCODE_AS_UTF8) from None
    wrong = violation_index(found, rule)
    if wrong is not None:
        place = len(written)
        if wrong < len(found):
            place = locate_octet(written, len(found[:wrong].encode()))
        reason, hint = why(found, wrong, rule)
        raise ParseError(text, start + place, "path", rule, reason, hint)


def violation_index(found: str, rule: str) -> int | None:
    """Return the index of the first error in the local part or domain of an email address.

    Return `None` if the part matches its grammar rule, `local-part` or `domain` (RFC 6068, 2).
    """
    whole, start = LOCAL_PART, LOCAL_PART_START
    if rule == "domain":
        whole, start = DOMAIN, DOMAIN_START
    if whole.fullmatch(found):
        return None
    match = start.match(found)
    assert match, "the pattern also matches the empty string"
    return match.end()


def why(found: str, wrong: int, rule: str) -> tuple[str, str]:
    """Return why the local part or the domain of an email address is invalid, and a hint."""
    name = f"{rule.replace('-', ' ')} of address"
    if wrong == len(found):
        return f"incomplete {name}", ADDRESS_HINT
    hint = 'write one "@", unencoded, before the domain' if found[wrong] == "@" else ""
    return f'invalid character "{escape_unprintable(found[wrong])}" in {name}', hint


def hfields(text: str, start: int, query: str) -> tuple[Hfield, ...]:
    found: list[Hfield] = []
    for written in query.split("&"):
        match = HFIELD_START.match(written)
        assert match, "the pattern also matches the empty string"
        at = start + match.end()
        if match.end() < len(written):
            wrong = written[match.end()]
            reason = f'invalid character "{wrong}" in header field'
            triplet = pct_encode(wrong.encode())
            hint = f'percent-encode it as {triplet}, or write "&" before the next field'
            raise ParseError(text, at, "query", "hfield", reason, hint)
        if match["rest"] is None:
            reason, hint = 'missing "=" in header field', 'write the field as in "subject=Hello"'
            raise ParseError(text, at, "query", "hfield", reason, hint)
        hfname, _, hfvalue = written.partition("=")
        found.append(Hfield(hfname, hfvalue, start))
        start += len(written) + 1
    return tuple(found)


# --- checking


def line_breaks(text: str) -> list[tuple[int, int]]:
    """Find percent-encoded line breaks in a mailto URI, except in its body.

    [RFC 6068, 5](https://www.rfc-editor.org/rfc/rfc6068#section-5), advises against them: if a
    program copies such a header field into a message, the URI can inject other header fields.

    Args:
        text: any string; the scheme and the fragment are ignored.

    Returns:
        The start and end offsets of each run of `%0D` and `%0A`.

    >>> line_breaks("mailto:?subject=a%0D%0ABcc:b@example.org&body=c%0D%0Ad")
    [(17, 23)]
    """
    before, mark, query = text.partition("#")[0].partition("?")
    found = [match.span() for match in LINE_BREAK.finditer(before)]
    at = len(before) + len(mark)
    for hfield in query.split("&"):
        hfname, _, _ = hfield.partition("=")
        end = at + len(hfname if BODY.fullmatch(hfname) else hfield)
        found += [match.span() for match in LINE_BREAK.finditer(text, at, end)]
        at += len(hfield) + 1
    return found


def findings(text: str) -> Iterator[Problem]:
    """Yield a finding for each header field that mail programs must ignore ([RFC 6068, 3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc6068#section-3
    """
    before, mark, query = text.partition("#")[0].partition("?")
    if not mark or not matches(text, "URI") or read_parts(split_all_parts(text)) is None:
        return
    start = len(before) + len(mark)
    for hfield in query.split("&"):
        name = hfield.partition("=")[0]
        if is_to_be_ignored(pct_decode(name).decode(errors="replace")):
            yield Problem("header-ignored", "query", start, start + len(name))
        start += len(hfield) + 1


def is_to_be_ignored(name: str) -> bool:
    """Return True if mail programs must ignore a header field (RFC 6068, 3).

    >>> is_to_be_ignored("Resent-To"), is_to_be_ignored("Subject")
    (True, False)
    """
    return lowercase_ascii(name) in IGNORED_FIELDS or lowercase_ascii(name).startswith(
        IGNORED_PREFIXES
    )


def normalized(parts: AllParts) -> AllParts:
    """Convert the case-insensitive parts of a mailto URI to lower case.

    These parts are the domains of the addresses in the path, and the names of header fields. Only
    ASCII letters are converted. Percent-encoded letters are not, because syntax-based normalization
    decodes them. If the components together are not a valid mailto URI, all of them are returned
    unchanged. The scheme is not checked.

    >>> from uriverse._spec.components import split_all_parts
    >>> normalized(split_all_parts("mailto:Chris@Example.COM?Subject=X"))[4:6]
    ('Chris@example.com', 'subject=X')
    """
    found = read_parts(parts)
    if found is None:
        return parts
    path = ",".join(f"{to.local_part}@{lowercase_letters(to.domain)}" for to in found.to)
    fields = (f"{lowercase_letters(each.hfname)}={each.hfvalue}" for each in found.hfields)
    return parts._replace(path=path, query="&".join(fields) if found.hfields else None)


def read_parts(parts: AllParts) -> Mailto | None:
    """Parse the components of a mailto URI; return `None` if they are invalid.

    The scheme is ignored.
    """
    try:
        return parse_mailto(compose_all_parts(parts._replace(scheme="mailto")))
    except ParseError:
        return None


def equivalence(parts: AllParts) -> AllParts:
    """Convert the components of a mailto URI for comparison: equivalent URIs become equal.

    - The recipients of `to` header fields are moved to the path, because both places have the same
      meaning ([RFC 6068, 2][1]). The path allows only bare addresses, without a display name. To
      keep the order, the first recipient that is not a bare address and all recipients after it get
      a `to` field each, before other fields.
    - The other header fields keep their order.
    - Everything is decoded and encoded again. Domains and the names of header fields become lower
      case, and internationalized domains get their ASCII form.
    - The fragment is unchanged, because the rules of a scheme do not apply to it ([RFC 3986,
      6.2.3][2]).

    If the components together are not a valid mailto URI, all of them are returned unchanged. The
    scheme is not checked.

    [1]: https://www.rfc-editor.org/rfc/rfc6068#section-2
    [2]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3

    >>> from uriverse._spec.components import split_all_parts
    >>> compose_all_parts(equivalence(split_all_parts("mailto:?CC=c@d&To=a@B%2C%62@c#x")))
    'mailto:a@b,b@c?cc=c@d#x'
    """
    found = read_parts(parts)
    if found is None:
        return parts
    to = [f"{data(each.local_part)}@{data(each.domain)}" for each in found.to]
    others: list[tuple[str, str]] = []
    for each in found.hfields:
        name, value = lowercase_ascii(data(each.hfname)), data(each.hfvalue)
        if name == "to":
            to += recipients(value)
        elif name in ADDRESS_FIELDS:
            others.append((name, ",".join(map(with_domain_in_ascii, recipients(value)))))
        else:
            others.append((name, value))
    to = [with_domain_in_ascii(each) for each in to]
    bare = list(takewhile(is_addr_spec, to))
    # One field per recipient, so that an error in one of them, such as an unterminated quote, does
    # not affect the next.
    others = [("to", each) for each in to[len(bare) :]] + others
    path = ",".join(written_addr_spec(*split_address(each)) for each in bare)
    fields = [f"{encoded(name, NOT_IN_HFIELD)}={encoded(v, NOT_IN_HFIELD)}" for name, v in others]
    query = "&".join(fields) if fields else None
    return parts._replace(scheme="mailto", path=path, query=query)


def data(written: str) -> str:
    """Percent-decode a string; convert invalid UTF-8 to surrogate escapes."""
    return pct_decode(written).decode(errors="surrogateescape")


def is_addr_spec(address: str) -> bool:
    local_part, domain = split_address(address)
    return (
        violation_index(local_part, "local-part") is None
        and violation_index(domain, "domain") is None
    )


def with_domain_in_ascii(address: str) -> str:
    """Convert the domain of a mail address to lower case and, if possible, to ASCII.

    Characters after the domain are kept, such as the ">" of an address with a display name.

    >>> with_domain_in_ascii("Jo <Jo@Bücher.Example>"), with_domain_in_ascii("Jo@Example.COM")
    ('Jo <Jo@xn--bcher-kva.example>', 'Jo@example.com')
    """
    local_part, rest = split_address(address)
    match = DOMAIN_START.match(rest)
    assert match, "the pattern also matches the empty string"
    domain, after = lowercase_ascii(match[0]), rest[match.end() :]
    if not domain.isascii():
        # Imported late, because the import is slow and few addresses need it.
        from uriverse._spec.domain import convert_encoded_host

        # A domain without an ASCII form is returned unchanged.
        domain = data(convert_encoded_host(encoded(domain, NOT_IN_ADDRESS)))
    at = address[len(local_part) : len(address) - len(rest)]
    return f"{local_part}{at}{domain}{after}"


def split_address(address: str) -> tuple[str, str]:
    """Split a mail address into local part and domain; without an "@", the domain is `""`."""
    match = ADDR_SPEC.match(address)
    assert match, "the pattern matches every string"
    return match["local"], match["domain"] or ""


# --- building


def written_address(address: str) -> str:
    """Percent-encode a mail address for use in a mailto URI.

    Raises:
        BuildError: the address is not an addr-spec, or contains a line separator; or its domain
            contains an ASCII character that would have to be percent-encoded ([RFC 6068, section
            2][1], item 4).

    [1]: https://www.rfc-editor.org/rfc/rfc6068#section-2

    >>> written_address('"not@me"@example.org')
    '%22not%40me%22@example.org'
    """
    local_part, domain = split_address(address)
    reject_address(address, 0, local_part, "local-part")
    if local_part == address:
        at = len(local_part)
        raise BuildError(address, at, "path", "addr-spec", NO_DOMAIN, ADDRESS_HINT)
    start = len(local_part) + 1
    reject_address(address, start, domain, "domain")
    control = CONTROL.search(address)
    if control:
        reason, hint = (
            f'invalid character "{escape_unprintable(control[0])}" in address',
            "remove it",
        )
        raise BuildError(address, control.start(), "path", "addr-spec", reason, hint)
    # A domain-literal in brackets is not a domain name.
    wrong = None if domain.startswith("[") else NOT_IN_DOMAIN.search(domain)
    if wrong:
        reason = f'invalid character "{wrong[0]}" in domain of address'
        hint = "pass the domain itself, not a percent-encoded form"
        raise BuildError(address, start + wrong.start(), "path", "domain", reason, hint)
    return written_addr_spec(local_part, domain)


def written_addr_spec(local_part: str, domain: str) -> str:
    return f"{encoded(local_part, NOT_IN_ADDRESS)}@{encoded(domain, NOT_IN_ADDRESS)}"


def reject_address(address: str, start: int, found: str, rule: str) -> None:
    wrong = violation_index(found, rule)
    if wrong is not None:
        raise BuildError(address, start + wrong, "path", rule, *why(found, wrong, rule))


def written_hfield(name: str, value: str) -> str:
    """Percent-encode a header field for use in a mailto URI.

    Line breaks in the body are written as `%0D%0A`.

    Raises:
        BuildError: the name is not a valid name for a header field; the value contains a NUL or a
            lone surrogate; or the value of a field other than the body contains another control or
            a line separator.

    >>> written_hfield("In-Reply-To", "<1+2@example.com>"), written_hfield("body", "a" + chr(10))
    ('In-Reply-To=%3C1%2B2@example.com%3E', 'body=a%0D%0A')
    """
    match = FIELD_NAME_START.match(name)
    assert match, "the pattern also matches the empty string"
    if match.end() < len(name) or not name:
        hint = "use printable ASCII characters other than the space and the colon"
        raise BuildError(name, match.end(), "query", "hfname", "invalid header field name", hint)
    is_body = name.lower() == "body"
    control = re.search("\0", value) if is_body else CONTROL.search(value)
    wrong = control.start() if control else find_surrogate(value)
    if wrong >= 0:
        reason = f'invalid character "{escape_unprintable(value[wrong])}" in header field value'
        hint = "use line breaks only in the body" if value[wrong] in "\r\n" else "remove it"
        raise BuildError(value, wrong, "query", "hfvalue", reason, hint)
    if is_body:
        value = re.sub(r"\r\n?|\n", "\r\n", value)
    return f"{encoded(name, NOT_IN_HFIELD)}={encoded(value, NOT_IN_HFIELD)}"


def encoded(data: str, others: re.Pattern[str]) -> str:
    """Percent-encode the characters of a string that match a regular expression.

    The function `data` decodes the result.
    """
    return others.sub(lambda run: pct_encode(run[0].encode(errors="surrogateescape")), data)
