"""Turn malformed strings into identifiers, and list every change.

The [URL standard][1] defines what browsers make of a malformed string. A repair writes the same
identifier in the syntax of RFC 3986 or RFC 3987, unless parsers disagree about its host.

[1]: https://url.spec.whatwg.org/#concept-basic-url-parser
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from uriverse._errors import ConvertError, ParseError, RepairError, quote_argument
from uriverse._lazy import lazy_pattern
from uriverse._redaction import MASK, find_secrets
from uriverse._spec.components import split, split_authority
from uriverse._spec.domain import to_ascii, to_unicode
from uriverse._spec.messages import create_parse_error
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.percent import DECODE_AGAIN, LONE_SURROGATE, find_surrogate, pct_encode
from uriverse._spec.syntax import LONGEST_TEXT, RULES, matches
from uriverse._uri import IRIReference, parse
from uriverse._uri.engine import (
    Identifier,
    as_text,
    is_iri_reference,
    is_uri_reference,
    kernel,
    use_compiled,
)
from uriverse.schemes import SCHEMES
from uriverse.schemes._registry import SPECIAL_SCHEMES
from uriverse.schemes._violation import Found

from . import CODES
from ._ambiguity import ambiguity
from ._checking import check
from ._parsed_text import ParsedText

__all__ = ["Repair", "Repaired", "repair"]

#: The whitespace and control characters that browsers remove at both ends of a string.
TRIMMED = "".join(map(chr, range(0x21)))

#: The characters that browsers remove everywhere in a string.
REMOVED = re.compile("[\t\n\r]+")

#: The schemes whose hosts browsers convert to domain names.
WITH_DOMAIN = frozenset(name for name in SPECIAL_SCHEMES if SCHEMES[name].domain)

#: A scheme, and slashes and backslashes other than `//` before a host.
WRONG_SLASHES = re.compile(r"([^:/?#]*+):(?!//[^/\\])([/\\]++)(?=[^?#])")

#: The start of a string that `scheme` adds a scheme to: a domain name with at least two labels,
#: `localhost`, an IPv4 address or a host in brackets, and a port.
LIKE_HOST = lazy_pattern(
    r"(?:localhost|\[[^\[\]/?#@]*+\]|[\w\-\u0080-\U0010ffff]++(?:\.[\w\-\u0080-\U0010ffff]++)++\.?)"
    r"(?::[0-9]++)?(?=[/\\?#]|\Z)",
    re.IGNORECASE | re.ASCII,
)

#: The start of a string that `scheme` and `slashes` do not change: a scheme, `//`, and a host.
WITH_HOST = lazy_pattern(r"[\x00-\x20]*+[A-Za-z][A-Za-z0-9+.\-]*+://[^/\\\t\n\r]")

#: The units of a run of invalid characters that are replaced together. In some paths, backslashes,
#: the first group, are replaced with slashes.
BACKSLASHES = re.compile(r"(\\+)|[^\\]+")
WHOLE = re.compile(r"()(?s:.)+")

#: The characters that a component consists of, as names of grammar rules or as themselves.
CONTENTS = {
    "userinfo": ("unreserved", "sub-delims", ":"),
    "path": ("pchar", "/"),
    "query": ("pchar", "[/?]"),
    "fragment": ("pchar", "[/?]"),
}

#: The ambiguities with which parsers disagree about the host, wherever they occur.
DISPUTES = frozenset({
    "scheme-odd", "scheme-like-host", "slash-count", "single-slash", "authority-empty",
    "several-at", "at-behind-host", "host-encoded", "host-with-delimiter", "host-characters",
    "host-compatible", "deviation", "bad-a-label", "last-label-number", "ipv4-short", "ipv4-octal",
    "ipv4-hex", "ipv4-integer", "ipv4-overflow", "empty-label", "bracket", "port-odd", "port-huge",
    "file-localhost", "trailing-dot",
})  # fmt: skip

#: The ambiguities with which parsers disagree about the host if they occur in the authority.
DISPUTES_IN_AUTHORITY = frozenset({"backslash", "control", "ignorable", "space"})

#: Characters that show that the first segment of a relative reference is not a host.
NOT_IN_HOST = re.compile(r"[ \[\]]")

#: A segment of a path, and the slash or backslash before it.
SEGMENT = re.compile(r"(?:^|[/\\])([^/\\]*)")

#: A drive letter with the character that browsers change to a colon.
DRIVE = re.compile(r"[A-Za-z]\|")

#: Dot segments in the URL standard (4.1).
SINGLE_DOT = re.compile(r"\.|%2e", re.IGNORECASE | re.ASCII)
DOUBLE_DOT = re.compile(r"(?:\.|%2e){2}", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Repair:
    """A change that `repair` made to a string.

    Attributes:
        kind: `"trim"` at an end of the string, `"remove"` for tabs and line breaks inside it,
            `"slashes"`, `"scheme"`, `"backslash"`, `"idna"` for a host, or `"encode"`.
        start: the offset in the input at which the changed characters start.
        end: the offset in the input at which they end.
        before: the characters in the input. They may be part of a password.
        after: the characters that replace them; `""` if they were removed.
        secret: whether the characters may be part of a password. If so, `repr()` masks them.

    >>> repair("http://a.example/b c").changes
    (Repair('encode', 18, 19, ' ', '%20'),)
    """

    __module__ = "uriverse"

    kind: Literal["trim", "remove", "slashes", "scheme", "backslash", "idna", "encode"]
    start: int
    end: int
    before: str
    after: str
    secret: bool = False

    def __repr__(self) -> str:
        before, after = (MASK, MASK) if self.secret else (self.before, self.after)
        return f"Repair({self.kind!r}, {self.start}, {self.end}, {before!r}, {after!r})"


@dataclass(frozen=True, slots=True)
class Repaired:
    """The result of `repair`: an identifier, and the changes that were necessary.

    `str()` returns the identifier as a string.

    Attributes:
        uri: the identifier, as a `URI`, a `URIReference`, an `IRI` or an `IRIReference`.
        changes: the changes in the order of the input; empty if the input was valid.

    >>> str(repair("http://a.example/b c"))
    'http://a.example/b%20c'
    """

    __module__ = "uriverse"

    uri: IRIReference
    changes: tuple[Repair, ...]

    def __str__(self) -> str:
        return str(self.uri)


if kernel is not None:
    kernel.use_repairs(Repaired, Repair, DISPUTES)


@use_compiled("Functions")
def repair(
    text: str | Identifier,
    /,
    *,
    iri: bool = False,
    scheme: str | None = None,
    slashes: bool = False,
) -> Repaired:
    r"""Turn a malformed string into an identifier, and list every change.

    The result is what browsers make of the string, written as a valid URI. A valid URI reference is
    returned unchanged, so a second repair changes nothing. In order:

    - spaces and control characters at both ends are removed, and tabs and line breaks everywhere;
    - in `http`, `https`, `ws`, `wss`, `ftp` and `file` URIs and in references without a scheme, a
      backslash in the path becomes a slash;
    - every other character that its component does not allow is percent-encoded, and so is a `%`
      without two hexadecimal digits;
    - a non-ASCII host becomes an ASCII domain name (`xn--...`).

    After both ends are trimmed, a repair never changes which host a parser finds, except with the
    options `scheme` and `slashes`. If parsers disagree about the host of a malformed string, the
    function raises an error. It also raises an error if the scheme, the host or the port is
    invalid, and if browsers may read a malformed drive letter, as in `/c|/a`.

    In a reference without a scheme, such as `a|b/c`, some programs read the first segment as a
    host. So a repair encodes characters in the first segment only if a space shows that it is not a
    host.

    Args:
        text: any string, or a `URI`, `IRI`, `URIReference` or `IRIReference`.
        iri: whether to keep the non-ASCII characters that an IRI allows. By default, they are
            percent-encoded.
        scheme: a scheme such as `"https"`, which is added to a string that starts with `//`, or
            with a host: a name with a dot, `localhost`, or an IP address, with or without a port.
            Nothing is added to a string that contains an "@" before the path; a backslash before
            the "@" raises an error. `None` never adds a scheme.
        slashes: whether to replace the slashes and backslashes before the host of an `http`,
            `https`, `ws`, `wss` or `ftp` URI with `//`, as in `http:/a.example` and
            `http:\\a.example`.

    Raises:
        RepairError: the string cannot be repaired without guessing. Its `code` is a code of
            `check`.
        TypeError: `text` is neither a `str` nor one of the four URI types.
        ValueError: `scheme` is not a valid scheme.

    >>> repaired = repair(" http://a.example/b c\\d\n")
    >>> repaired.uri
    URI('http://a.example/b%20c/d')
    >>> [(change.kind, change.start) for change in repaired.changes]
    [('trim', 0), ('encode', 19), ('backslash', 21), ('trim', 23)]
    >>> repair("www.example.org/a", scheme="https").uri
    URI('https://www.example.org/a')
    >>> try:
    ...     repair("http://good.example\\@evil.example/")
    ... except RepairError as error:
    ...     print(error.code)
    backslash
    """
    exact = as_text(text)
    if scheme is not None and not matches(scheme, "scheme"):
        raise ValueError(f"scheme must be a valid scheme, not {quote_argument(scheme)}")
    if kernel is not None and ((scheme is None and not slashes) or WITH_HOST.match(exact)):
        found: Repaired | None = kernel.repair(exact, bool(iri))
        if found is not None:
            return found
    if scheme is not None and LIKE_HOST.match(exact):
        # Most such strings only lack the scheme.
        completed = f"{scheme}://{exact}"
        if is_uri_reference(completed) and not check(completed):
            return Repaired(parse(completed), (Repair("scheme", 0, 0, "", f"{scheme}://"),))
    return repaired(exact, iri=iri, scheme=scheme, slashes=slashes)


def repaired(exact: str, *, iri: bool, scheme: str | None, slashes: bool) -> Repaired:
    """Repair a string without the kernel, which makes the usual repairs."""
    is_valid = is_iri_reference if iri else is_uri_reference
    if not slashes and scheme is None and is_valid(exact):
        return Repaired(parse(exact), ())
    if len(exact) > LONGEST_TEXT:
        raise too_long(exact, LONGEST_TEXT)
    draft = Draft(exact)
    draft.apply(trims(exact))
    remove_line_breaks(draft)
    if slashes:
        draft.apply(slash_edits(draft.text))
    if scheme is not None:
        draft.apply(scheme_edits(draft, scheme))
    if draft.changes or not is_valid(draft.text):
        reject_disputes(draft, iri=iri)
        draft.apply(edits(draft, iri=iri))
    return Repaired(parsed(draft), draft.repairs())


# --- the string during a repair


class Edit(NamedTuple):
    """A replacement of a span of the current string."""

    kind: Literal["trim", "remove", "slashes", "scheme", "backslash", "idna", "encode"]
    start: int
    end: int
    after: str


class Draft:
    """A string during a repair, and where its characters come from.

    Attributes:
        given: the input.
        text: the current string.
        places: for each character of the current string, its offset in the input; and the offset
            of the end.
        changes: the changes so far, with spans in the input.
    """

    def __init__(self, given: str) -> None:
        self.given = self.text = given
        self.places = array("q", range(len(given) + 1))
        self.changes: list[Edit] = []

    def apply(self, edits: Iterable[Edit]) -> None:
        """Replace spans of the current string; the edits are sorted and do not overlap."""
        pieces: list[str] = []
        places = array("q")
        done = 0
        for kind, start, end, after in edits:
            for first, last in self.runs(start, end):
                place = self.places[first]
                written = after if first == start else ""
                self.changes.append(Edit(kind, place, place + last - first, written))
            pieces += self.text[done:start], after
            places += self.places[done:start]
            places += array("q", [self.places[start]]) * len(after)
            done = end
        self.text = "".join(pieces) + self.text[done:]
        self.places = places + self.places[done:]

    def runs(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Divide a span of the current string where characters of the input were removed."""
        first = start
        for index in range(start + 1, end):
            if self.places[index] != self.places[index - 1] + 1:
                yield first, index
                first = index
        yield first, end

    def repairs(self) -> tuple[Repair, ...]:
        if not self.changes:
            return ()
        spans = find_secrets(self.given, suspected=True)
        starts = [start for start, _ in spans]

        def is_secret(start: int, end: int) -> bool:
            before = bisect_right(starts, end - 1) - 1
            return start < end and before >= 0 and spans[before][1] > start

        return tuple(
            Repair(kind, start, end, self.given[start:end], after, is_secret(start, end))
            for kind, start, end, after in sorted(self.changes, key=lambda edit: edit[1:3])
        )

    def error(self, found: Found) -> RepairError:
        known = CODES[found.code]
        place = (self.places[found.start], found.component, found.code)
        hint = found.suggestion or known.suggestion or ""
        return RepairError(
            self.given, *place, found.message or known.message, hint, code=found.code
        )


def parsed(draft: Draft) -> IRIReference:
    if len(draft.text) > LONGEST_TEXT:
        raise too_long(draft.given, draft.places[LONGEST_TEXT])
    try:
        return parse(draft.text)
    except ParseError as error:
        place = (draft.places[error.position], error.component, error.rule)
        raise RepairError(draft.given, *place, error.reason, error.hint, code="syntax") from None


def too_long(text: str, position: int) -> RepairError:
    reason = create_parse_error(text, "IRI-reference", "text", LONGEST_TEXT).reason
    return RepairError(text, position, "text", "IRI-reference", reason, code="syntax")


# --- the steps


def trims(text: str) -> Iterator[Edit]:
    """Remove spaces and C0 control characters at both ends (URL standard, 4.4)."""
    start = len(text) - len(text.lstrip(TRIMMED))
    end = len(text.rstrip(TRIMMED))
    if start:
        yield Edit("trim", 0, start, "")
    if start < end < len(text):
        yield Edit("trim", end, len(text), "")


def remove_line_breaks(draft: Draft) -> None:
    """Remove tabs and line breaks, as browsers do, unless they are before the end of the host."""
    found = REMOVED.search(draft.text)
    if found is None:
        return
    if place_of_host(draft.text) != place_of_host(REMOVED.sub("", draft.text)):
        component = ParsedText(draft.text, SCHEMES, valid=False).component_at(found.start())
        raise draft.error(Found("control", component, *found.span()))
    draft.apply(Edit("remove", *run.span(), "") for run in REMOVED.finditer(draft.text))


def place_of_host(text: str) -> tuple[str | None, ...]:
    """Return the part of a string that decides which host a parser finds.

    This is the scheme and the authority. Without them, some programs read the start of the path as
    a host, as far as the first slash or a port.
    """
    scheme, authority, path, _, _ = split(text)
    guessed = path if ":" in path else first_segment(path)
    return scheme, authority, guessed if scheme is authority is None else None


def slash_edits(text: str) -> Iterator[Edit]:
    """Replace the slashes and backslashes before a host with `//`.

    If there are backslashes, the next backslash ends the host, as browsers do.
    """
    found = WRONG_SLASHES.match(text)
    if found and lowercase_ascii(found[1]) in WITH_DOMAIN:
        yield Edit("slashes", *found.span(2), "//")
        if "\\" in found[2]:
            yield from backslash_after_host(text, found.end())


def backslash_after_host(text: str, start: int) -> Iterator[Edit]:
    """Replace a backslash that ends a host, unless an "@" makes it unclear where the host is."""
    authority = before_path(text[start:])
    host, backslash, _ = authority.partition("\\")
    if backslash and "@" not in authority:
        end = start + len(host)
        yield Edit("backslash", end, end + 1, "/")


def before_path(text: str) -> str:
    return re.split("[/?#]", text, maxsplit=1)[0]


def scheme_edits(draft: Draft, scheme: str) -> Iterator[Edit]:
    """Add a scheme to a string that starts with `//` or a host."""
    text = draft.text
    if text.startswith("//"):
        if split(text).authority:
            yield Edit("scheme", 0, 0, f"{scheme}:")
    elif LIKE_HOST.match(text):
        authority = before_path(text)
        if "@" in authority:
            # In "a.example\\@b.example", browsers end the host at the backslash. For other parsers,
            # the host is after the "@".
            host_end = authority.index("\\")
            raise draft.error(Found("backslash", "path", host_end, host_end + 1))
        yield Edit("scheme", 0, 0, f"{scheme}://")
        yield from backslash_after_host(text, 0)


# --- disputes


def reject_disputes(draft: Draft, *, iri: bool) -> None:
    """Raise `RepairError` if parsers disagree about the host, or if a surrogate has no encoding."""
    text = ParsedText(draft.text, SCHEMES, valid=False)
    found = next(disputes(text, iri=iri), None)
    if found:
        raise draft.error(found)


def disputes(text: ParsedText, *, iri: bool) -> Iterator[Found]:
    at = text.at
    surrogate = find_surrogate(text.text)
    if surrogate >= 0:
        place = (text.component_at(surrogate), surrogate, surrogate + 1)
        yield Found("syntax", *place, LONE_SURROGATE, DECODE_AGAIN)
    for found in ambiguity(text):
        inside = 0 <= at.authority <= found.start < at.path
        drive = found.code == "drive-letter" and not text.rules.local
        if found.code in DISPUTES or (inside and found.code in DISPUTES_IN_AUTHORITY) or drive:
            yield found
    yield from in_path(text)
    if text.rules.local and at.host > at.authority:
        yield Found("file-host", "userinfo", at.authority, at.host)
    if at.authority < 0 and at.scheme_end < 0:
        yield from in_first_segment(text, iri=iri)
    if text.parts.host and not text.parts.host.isascii():
        yield from past_ascii(text)


def in_path(text: ParsedText) -> Iterator[Found]:
    """Find slashes in a path that browsers read as the start of a host, and drive letters."""
    at = text.at
    if at.authority < 0 and re.match(r"[/\\]{2}", text.text[at.path : at.path + 2]):
        yield Found("backslash", "path", at.path, at.path + 2)
    # The base URI of a reference without a scheme may be a file URI.
    if text.rules.local or at.scheme_end < 0:
        yield from drive_letter(text)


def drive_letter(text: ParsedText) -> Iterator[Found]:
    """Find a drive letter such as `c|` where the path of a file URI begins (URL standard, 4.4).

    Dot segments may precede it. Elsewhere, browsers do not change the characters.
    """
    at, depth = text.at, 0
    for found in SEGMENT.finditer(text.parts.path):
        segment, start = found[1], at.path + found.start(1)
        if depth == 0 and DRIVE.fullmatch(segment):
            message = 'browsers change the "|" after a drive letter to ":"'
            suggestion = 'write ":" after the drive letter'
            yield Found("drive-letter", "path", start, start + 2, message, suggestion=suggestion)
        if DOUBLE_DOT.fullmatch(segment):
            depth = max(depth - 1, 0)
        elif not SINGLE_DOT.fullmatch(segment) and (segment or found.start(1)):
            depth += 1


def in_first_segment(text: ParsedText, *, iri: bool) -> Iterator[Found]:
    """Find a first segment that some programs read as a host, and that a repair would change.

    A space or a bracket shows that the segment is not a host, unless a port follows in the path.
    """
    path = text.parts.path
    segment = first_segment(path)
    host = split_authority(segment)[1]
    changes = invalid_runs("path", iri=iri).search(host) is not None
    with_port = ":" in path and (changes or "\\" in path)
    if with_port or (changes and not NOT_IN_HOST.search(host)):
        yield Found("missing-scheme", "path", 0, len(segment))


def first_segment(path: str) -> str:
    return re.split(r"[/\\]", path, maxsplit=1)[0]


def past_ascii(text: ParsedText) -> Iterator[Found]:
    """Find a non-ASCII host that programs do not convert to the same domain name."""
    host = text.parts.host or ""
    place = ("host", text.at.host, text.at.host_end)
    reason = ""
    if text.scheme in {"", *WITH_DOMAIN}:
        try:
            domain = to_ascii(host)
        except ConvertError as error:
            reason = error.reason
        else:
            # Perl encodes the host without mapping its characters, and with the colon after it.
            unmapped = ".".join(map(to_unicode, domain.split("."))) == lowercase_ascii(host)
            if unmapped and text.parts.port != "":
                return
    yield Found("host-past-ascii", *place, reason)


# --- characters


@cache
def invalid_runs(component: str, *, iri: bool) -> re.Pattern[str]:
    """Return a pattern for runs of characters that a component does not allow."""
    contents = CONTENTS[component]
    if iri:
        contents = tuple(f"i{rule}" if f"i{rule}" in RULES else rule for rule in contents)
        contents += ("iprivate",) if component == "query" else ()
    allowed = "|".join(RULES.get(rule, rule) for rule in ("pct-encoded", *contents))
    return re.compile(rf"(?:(?!{allowed})(?s:.))++")


def edits(draft: Draft, *, iri: bool) -> Iterator[Edit]:
    text = ParsedText(draft.text, SCHEMES, valid=False)
    for component, start, end in text.spans:
        if component == "host" and not iri and not draft.text[start:end].isascii():
            yield Edit("idna", start, end, to_ascii(draft.text[start:end]))
        elif component in CONTENTS:
            special = text.scheme in {"", *SPECIAL_SCHEMES}
            units = BACKSLASHES if component == "path" and special else WHOLE
            for run in invalid_runs(component, iri=iri).finditer(draft.text, start, end):
                for unit in units.finditer(draft.text, *run.span()):
                    yield from unit_edits(draft, *unit.span(), to_slashes=bool(unit[1]))


def unit_edits(draft: Draft, start: int, end: int, *, to_slashes: bool) -> Iterator[Edit]:
    """Replace a span with slashes, or percent-encode it; make an edit for each run of the input."""
    for first, last in draft.runs(start, end):
        if to_slashes:
            yield Edit("backslash", first, last, "/" * (last - first))
        else:
            yield Edit("encode", first, last, pct_encode(draft.text[first:last].encode()))
