"""Find user names and passwords."""

from __future__ import annotations

from uriverse._lazy import lazy_pattern

from .marks import Mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    #: A start and an end index.
    Span: TypeAlias = tuple[int, int]

#: Schemes of URIs that may contain a user name and a password without slashes before them. A scheme
#: may also end with one of these, such as `git+ssh`. The list only decides what to replace; it is
#: not a rule of these schemes.
WITH_PASSWORDS = frozenset(
    (  # noqa: SIM905
        "ftp ftps http https imap imaps ldap ldaps redis rediss sftp sip sips smtp smtps ssh ws wss"
    ).split()
)

#: Characters that are not part of the name of a host. They are searched for only in the
#: first characters of a host, so that the cost is linear.
NOT_IN_HOST = lazy_pattern("[!$&'()*+,;=^|{}\"<>`]")
LONGEST_HOST = 64

#: Punctuation that may precede a reference without a scheme.
OPENING = "'*([{,"

#: The delimiters that end a part of a URI.
ENDS = '/\\?#"'
SLASHES = "/\\"

#: Characters that people and programs take for the colon before a password.
COLON = lazy_pattern("[;,\ufe13\ufe55\uff1a]|%3[Aa]")

#: The first characters of tokens, and other names that look random. Tokens stand as user names.
TOKENS = (
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "gldt-", "glcbt-", "xox"),
    *("sk_", "sk-", "rk_", "npm_", "pypi-", "hf_", "dop_v1_", "shpat_", "AKIA", "ATATT", "SG."),
)
RANDOM_NAME = lazy_pattern("(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{20,}")

LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

DIGITS = lazy_pattern("[0-9]*+")

#: A port, also one before "&" or punctuation; or a name in braces, in place of a port.
PORT = lazy_pattern(r"[0-9]*+(?:\Z|&)|[0-9]++[.,:;!?'*)\]}]|\{[A-Za-z0-9_]*+\}")

#: The end of a string of JSON or CSV, and the start of the next one. No password contains both.
BETWEEN_STRINGS = lazy_pattern(r"\\*+\"[}\]]*+[,:][\[{]*+\\*+\"")

#: The rest of a password that contains spaces or ends with a line break, and the "@" after it.
SPACED = lazy_pattern(r"(?:[ \t][^/\\?#@<>\"`\r\n]*+|[\t\r\n]++)@")


class URIPart:
    """A part of a URI, which ends at the next slash, question mark, number sign or quotation mark.

    Attributes:
        start: its start.
        first: whether it is the authority with which a URI starts.
        clear: whether it follows a scheme or an equals sign, so that it cannot be a path.
        name: where the user name starts; `None` without a user name.
        colon: the first colon after the start of the user name.
        at: the last "@".
        port: the first colon after that.
        ampersand: the last "&" after that.
        bracket: whether "[", with which an IP address starts, precedes that colon.
    """

    __slots__ = ("ampersand", "at", "bracket", "clear", "colon", "first", "name", "port", "start")

    def __init__(
        self, start: int, *, authority: bool = False, first: bool = False, clear: bool = False
    ) -> None:
        self.start = start
        self.first = first
        self.clear = clear
        self.name = start if authority else None
        self.colon: Mark | None = None
        self.at: Mark | None = None
        self.port: Mark | None = None
        self.ampersand: Mark | None = None
        self.bracket = False

    def read_delimiter(self, text: str, mark: Mark, before: int) -> None:
        sign = mark.sign
        if sign == "@":
            self.at, self.port, self.ampersand, self.bracket = mark, None, None, False
        elif sign == "[":
            self.bracket = self.bracket or self.port is None
        elif sign == "&":
            self.ampersand = mark
            port = self.colon and self.colon.end == before and not self.first
            if port and DIGITS.fullmatch(text, before, mark.start):
                # The authority ends with a port, because the "&" belongs to an outer URI.
                self.name = self.colon = self.port = None
        elif sign == ":" and self.name is None:
            head = text[max(before, self.start) : mark.start]
            if head[len(head.rstrip(LETTERS_AND_DIGITS)) :].lower() in WITH_PASSWORDS:
                self.name = mark.end
        elif sign == ":":
            self.colon = self.colon or mark
            self.port = self.port or mark

    def split_userinfo(self, text: str, end: int) -> tuple[Span, Span] | None:
        if self.name is None or end < 0:
            return None
        if self.colon is None or self.colon.start > end:
            substitute = COLON.search(text, self.name, end)
            colon, start = substitute.span() if substitute else (end, end)
            return (self.name, colon), (start, end)
        return (self.name, self.colon.start), (self.colon.end, end)

    def is_continued(self, text: str, view: list[Mark], index: int, last: int) -> bool:
        """Return whether a quotation mark is in a password, because another "@" follows.

        If the "@" before the quotation mark does not precede a host, that may be any "@".
        """
        if self.colon is None or self.at is None or index == len(view):
            return False
        if BETWEEN_STRINGS.match(text, view[index].start):
            return False
        start, quote = self.at.end, view[index].start
        end = min(quote, start + LONGEST_HOST)
        if start == end or text[start] == ":" or NOT_IN_HOST.search(text, start, end):
            return last > quote
        index += 1
        while index < len(view) and view[index].sign not in '@/\\?#"':
            index += 1
        return index < len(view) and view[index].sign == "@"

    def find_misread_end(self, text: str, end: int, ats: tuple[int, int], *, spaced: bool) -> int:
        """Return the end of a password that parsers read as a port; -1 without one.

        Such a password contains a delimiter, a space, or a percent-encoded "@" at its end. It ends
        at one of `ats`; with `spaced`, it may extend beyond a space at the end of the part.
        """
        if self.name is None or self.port is None or self.bracket or not self.clear:
            return -1
        # A backslash after the colon starts an escape, such as `\$` or `\u00e9`.
        # An empty port before "@" is the start of a password with a slash.
        if PORT.match(text, self.port.end, end) and text[self.port.end : end + 1] not in {
            *ENDS[:-1]
        }:
            return -1
        if BETWEEN_STRINGS.match(text, end):
            return -1
        for at in ats:
            if at > self.port.end:
                return at
        continuation = SPACED.match(text, end) if spaced else None
        return continuation.end() - 1 if continuation else -1


def find_userinfos(
    text: str,
    view: list[Mark],
    all_marks: list[Mark],
    start: int,
    end: int,
    *,
    is_whole_string: bool = False,
) -> Iterator[tuple[Span, Span]]:
    """Yield the user names and passwords in a chunk, whose delimiters are those in `view`.

    They follow two slashes, as in `http://user:password@host`, or a scheme, as in
    `http:user:password@host`. `all_marks` also has the delimiters that are percent-encoded more
    often. If the chunk is the whole string, any slashes may precede a host.
    """
    part = URIPart(start)
    previous = Mark('"', start, start, 0, False)
    doubled = False  # whether a slash precedes the current one
    lead = ""  # the delimiter before the current slashes; a quotation mark at the start of a URI
    ats = find_last_at_sign(view), find_last_at_sign(all_marks)
    # Only there, so that no string is searched twice.
    plain = all(mark.depth == 0 for mark in view)
    for index, mark in enumerate((*view, Mark('"', end, end, 0, False))):
        if mark.start < part.start:
            continue  # in a password with delimiters
        adjacent = previous.end == mark.start
        if mark.sign == "\\" and adjacent and previous.sign == "@":
            # No host starts with a backslash, but an escape does, as in `p@\$\$word`.
            previous = mark._replace(sign="@")
            continue
        if not (mark.sign == "/" and adjacent and previous.sign == "\\"):  # `\/` in JSON is "/"
            doubled = adjacent and previous.sign in SLASHES
            if mark.sign in SLASHES and not doubled:
                opened = mark.start > start and text[mark.start - 1] in OPENING
                lead = previous.sign if adjacent else '"' if opened else ""
        if mark.sign == "=" and part.ampersand and not part.first:
            # The authority ended at the "&", because another parameter follows.
            last = part.at.start if part.at else -1
            following = URIPart(part.ampersand.end)
        elif mark.sign in ENDS and not (
            mark.sign == '"' and part.is_continued(text, view, index, ats[0])
        ):
            last = part.find_misread_end(text, mark.start, ats, spaced=plain and mark.start == end)
            following = URIPart(last)
            if last < 0:
                last = part.at.start if part.at else -1
                clear = is_whole_string or lead in {":", "=", '"'}
                following = start_next_part(mark, part, doubled=doubled, lead=lead, clear=clear)
        else:
            part.read_delimiter(text, mark, previous.end)
            previous = mark
            continue
        if spans := part.split_userinfo(text, last):
            yield spans
        part, previous = following, mark


def is_token(name: str) -> bool:
    return name.startswith(TOKENS) or RANDOM_NAME.fullmatch(name) is not None


def start_next_part(mark: Mark, part: URIPart, *, doubled: bool, lead: str, clear: bool) -> URIPart:
    # A user name may contain a backslash: `http://DOMAIN\user:password@host`. JSON has two.
    domain = mark.sign == "\\" and part.name == part.start and not (part.colon or part.at)
    if mark.sign in SLASHES and (doubled or lead == ":") and not (domain and part.clear):
        return URIPart(mark.end, authority=True, first=mark.in_authority, clear=clear)
    first, clear = domain and part.first, domain and part.clear
    return URIPart(mark.end, authority=domain, first=first, clear=clear)


def find_last_at_sign(marks: list[Mark]) -> int:
    return max((mark.start for mark in marks if mark.sign == "@"), default=-1)
