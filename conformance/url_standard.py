"""The differences between the URL Standard of WHATWG and the RFCs, in the URL tests of WPT.

The judge of these tests is in `judging.py`. A case agrees with the RFCs if both reject the string,
or if both find equivalent targets. Each other case must belong to exactly one class of this module.
The class of a string that the RFCs reject depends on the first character that is not allowed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from conformance.deviations import PORT_LIMIT, Reason
from conformance.suites import Case
from uriverse import IRIReference, ParseError
from uriverse.percent import decode

#: The schemes for which the URL Standard has rules of its own.
SPECIAL = frozenset({"file", "ftp", "http", "https", "ws", "wss"})


class Rejection(NamedTuple):
    """A string that the grammar of the RFCs rejects, and the first character that it forbids."""

    text: str
    character: str


#: The target of a case by the RFCs; None if a relative reference has no base.
Answer = IRIReference | Rejection | None


def answer(case: Case) -> Answer:
    """Return the answer that the RFCs give to a case."""
    parsed: list[IRIReference] = []
    for text in filter(lambda text: text is not None, (case["base"], case["input"])):
        try:
            parsed.append(IRIReference(text))
        except ParseError as error:
            return Rejection(text, forbidden(text, error.position or 0))
    *bases, reference = parsed
    if bases:
        return bases[0].resolve(reference)
    return None if reference.is_relative else reference


def forbidden(text: str, position: int) -> str:
    """Return the character at a position; "%" after an incomplete triplet, and "" at the end."""
    return "%" if "%" in text[max(position - 2, 0) : position] else text[position : position + 1]


def agrees(case: Case, found: Answer) -> bool:
    """Return whether the URL Standard and the RFCs agree on a case."""
    if isinstance(found, IRIReference):
        return is_equivalent(found, case["expected"])
    return case["expected"] is None


def is_equivalent(target: IRIReference, expected: str | IRIReference | None) -> bool:
    return expected is not None and target.equivalent(expected, level="scheme")


CONTROLS = "".join(chr(code) for code in (*range(0x20), 0x7F) if chr(code) not in "\t\n\r")

#: The classes of strings that the RFCs reject and the URL Standard accepts, by the first character
#: that is not allowed.
REJECTED = {
    "\t\n\r": Reason(
        "tabs and line breaks are not allowed; the URL Standard removes them", "RFC 3986, 2"
    ),
    f"{CONTROLS} ": Reason(
        "spaces and control characters are not allowed; the URL Standard removes them at both ends,"
        " and keeps or percent-encodes the others",
        "RFC 3986, 2",
    ),
    "\\": Reason(
        "backslashes are not allowed; the URL Standard replaces them with slashes in special"
        " schemes such as `http`, and keeps them in other schemes",
        "RFC 3986, 2",
    ),
    '"<>^`{}': Reason(
        "`<`, `>`, `^`, `{`, `}`, double quotes and backticks are not allowed; the URL Standard"
        " keeps or percent-encodes them",
        "RFC 3986, 2",
    ),
    "|": Reason(
        "vertical bars are not allowed; the URL Standard keeps them, or reads them as the colon"
        " after a drive letter in `file` URLs",
        "RFC 3986, 2",
    ),
    "%": Reason(
        "two hexadecimal digits must follow a percent sign; the URL Standard keeps any"
        " percent sign",
        "RFC 3986, 2.1",
    ),
    "[]": Reason(
        "brackets are allowed only around an IP literal; outside the host, the URL Standard keeps"
        " or percent-encodes them",
        "RFC 3986, 3.2.2",
    ),
    "@": Reason(
        "the userinfo does not allow `@`; the URL Standard percent-encodes all but the last one",
        "RFC 3986, 3.2.1",
    ),
    "#": Reason("a fragment does not allow `#`; the URL Standard keeps it", "RFC 3986, 3.5"),
    ":0123456789": Reason(
        "the first segment of a relative reference does not allow a colon; the URL Standard accepts"
        " a colon if no valid scheme comes before it",
        "RFC 3986, 4.2",
    ),
}
NONCHARACTER = Reason(
    "noncharacters and U+FFFD are not allowed; the URL Standard percent-encodes them",
    "RFC 3987, 2.2",
)

NO_AUTHORITY = Reason(
    "without `//`, a URI has no authority; in special schemes such as `http`, the URL Standard"
    " finds a host, or resolves the rest as a relative reference",
    "RFC 3986, 3, 5.2.2",
)
EMPTY_HOST = Reason(
    "the host may be empty; the URL Standard rejects an empty host after a userinfo, before a port,"
    " and in special schemes such as `http`, where it also ignores more slashes before the host",
    "RFC 3986, 3.2.2",
)
EMPTY_USERINFO = Reason(
    "an empty userinfo and an empty password are defined; the URL Standard removes them",
    "RFC 3986, 3.2.1, 5.3",
)
FILE_PORT = Reason(
    "the URIs of all schemes may have ports; the URL Standard rejects ports in `file` URLs",
    "RFC 3986, 3.2.3",
)
ROOTLESS_BASE = Reason(
    "the path of a base need not start with a slash; the URL Standard resolves only fragments"
    " against such a base",
    "RFC 3986, 5.2.2, 5.2.3",
)
NUMERIC_HOST = Reason(
    "only four decimal numbers up to 255 without leading zeros are an IPv4 address; if the last"
    " label is a number, the URL Standard also accepts other notations, or rejects the host",
    "RFC 3986, 3.2.2",
)
MAPPED_HOST = Reason(
    "registered names allow percent-encoded octets and non-ASCII characters; the URL Standard"
    " decodes and maps them (UTS 46), and rejects hosts that are then not domain names",
    "RFC 3986, 3.2.2; RFC 3987, 2.2",
)
APOSTROPHE = Reason(
    "`'` and `%27` are not equivalent; the URL Standard percent-encodes `'` in the query of"
    " special schemes such as `http`",
    "RFC 3986, 2.2",
)
LOCALHOST = Reason(
    "normalization keeps the host `localhost` if the path starts with two slashes; the URL"
    " Standard always removes it from `file` URLs",
    "RFC 8089, 2; RFC 3986, 3.3",
)
DRIVE_LETTER = Reason(
    "`C:` is an ordinary segment, or a host with an empty port; in `file` URLs, the URL Standard"
    " treats it as a drive letter",
    "RFC 3986, 3.2, 3.3",
)


def has_no_authority(_: Case, target: IRIReference) -> bool:
    return target.scheme in SPECIAL and target.authority is None


def has_empty_host(_: Case, target: IRIReference) -> bool:
    return target.host == "" and target.scheme != "file"


def has_empty_userinfo(case: Case, target: IRIReference) -> bool:
    userinfo = (target.userinfo or "").removesuffix(":") or None
    return is_equivalent(target.with_userinfo(userinfo), case["expected"])


def has_high_port(case: Case, target: IRIReference) -> bool:
    return case["expected"] is None and (target.port or 0) > 0xFFFF


def is_file_with_port(case: Case, target: IRIReference) -> bool:
    return case["expected"] is None and target.scheme == "file" and target.port is not None


def has_rootless_base(case: Case, _: IRIReference) -> bool:
    if case["expected"] is not None or case["base"] is None:
        return False
    base = IRIReference(case["base"])
    return (
        base.authority is None
        and not base.path.startswith("/")
        and IRIReference(case["input"]).is_relative
    )


def differs_in_host(case: Case, target: IRIReference) -> bool:
    """Return whether the URL Standard rejects a host, or finds another one and the same rest."""
    if target.scheme not in SPECIAL or not target.host:
        return False
    if case["expected"] is None:
        return True
    return is_equivalent(target, IRIReference(case["expected"]).with_host(target.host))


def ends_in_number(host: str) -> bool:
    """Return whether the last label of a host is a number after the mapping of UTS 46."""
    mapped = unicodedata.normalize("NFKC", decode(host, errors="replace")).removesuffix(".")
    label = mapped.rpartition(".")[2]
    return re.fullmatch("[0-9]+|0[xX][0-9a-fA-F]*", label) is not None


def has_numeric_host(case: Case, target: IRIReference) -> bool:
    return differs_in_host(case, target) and ends_in_number(target.host or "")


def has_mapped_host(case: Case, target: IRIReference) -> bool:
    host = target.host or ""
    is_mapped = "%" in host or not host.isascii()
    return differs_in_host(case, target) and is_mapped and not ends_in_number(host)


def has_apostrophe(case: Case, target: IRIReference) -> bool:
    query = (target.query or "").replace("'", "%27")
    return is_equivalent(target.with_query(query), case["expected"])


def is_on_localhost(case: Case, target: IRIReference) -> bool:
    if case["expected"] is None or target.scheme != "file" or target.host != "localhost":
        return False
    return is_equivalent(target, IRIReference(case["expected"]).with_host("localhost"))


def has_drive_letter(case: Case, target: IRIReference) -> bool:
    return (
        target.scheme == "file"
        and target.authority is not None
        and re.search("/[a-zA-Z]:(/|$)", case["expected"] or "") is not None
    )


#: The classes of strings that the RFCs accept.
ACCEPTED: dict[Reason, Callable[[Case, IRIReference], bool]] = {
    NO_AUTHORITY: has_no_authority,
    EMPTY_HOST: has_empty_host,
    EMPTY_USERINFO: has_empty_userinfo,
    PORT_LIMIT: has_high_port,
    FILE_PORT: is_file_with_port,
    ROOTLESS_BASE: has_rootless_base,
    NUMERIC_HOST: has_numeric_host,
    MAPPED_HOST: has_mapped_host,
    APOSTROPHE: has_apostrophe,
    LOCALHOST: is_on_localhost,
    DRIVE_LETTER: has_drive_letter,
}


def classes_of(case: Case, found: Answer) -> list[Reason]:
    """Return the classes to which a difference belongs: one, unless it is not explained."""
    if isinstance(found, IRIReference):
        return [reason for reason, applies in ACCEPTED.items() if applies(case, found)]
    if not found or not found.character or case["expected"] is None:
        return []
    if found.character > "\x9f":
        return [NONCHARACTER]
    return [reason for characters, reason in REJECTED.items() if found.character in characters]
