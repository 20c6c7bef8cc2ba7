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
        starts_uri: whether it is the authority with which a URI starts.
        cannot_be_path: whether it follows a scheme, an equals sign, or the start of a string.
        name_start: where the user name starts; `None` without a user name.
        colon: the first colon after the start of the user name.
        at: the last "@".
        port: the first colon after that.
        ampersand: the last "&" after that.
        bracket: whether "[", with which an IP address starts, precedes that colon.
    """

    def __init__(
        self,
        start: int,
        *,
        authority: bool = False,
        starts_uri: bool = False,
        cannot_be_path: bool = False,
    ) -> None:
        self.start = start
        self.starts_uri = starts_uri
        self.cannot_be_path = cannot_be_path
        self.name_start = start if authority else None
        self.colon: Mark | None = None
        self.at: Mark | None = None
        self.port: Mark | None = None
        self.ampersand: Mark | None = None
        self.bracket = False

    def add_delimiter(self, text: str, mark: Mark, previous_end: int) -> None:
        """Update the attributes for the next delimiter; the previous one ends at `previous_end`.

        In a part that is not an authority, a user name starts only after a scheme such as `http:`.
        """
        sign = mark.sign
        if sign == "@":
            # Only after the last "@", a host and a port may follow.
            self.at, self.port, self.ampersand, self.bracket = mark, None, None, False
        elif sign == "[":
            self.bracket = self.bracket or self.port is None
        elif sign == "&":
            self.ampersand = mark
            may_end_port = self.colon and self.colon.end == previous_end and not self.starts_uri
            if may_end_port and DIGITS.fullmatch(text, previous_end, mark.start):
                # The "&" of an outer URI follows a port, as in `u=//host:80&page=2`: no user name.
                self.name_start = self.colon = self.port = None
        elif sign == ":" and self.name_start is None:
            before_colon = text[max(previous_end, self.start) : mark.start]
            scheme_start = len(before_colon.rstrip(LETTERS_AND_DIGITS))
            if before_colon[scheme_start:].lower() in WITH_PASSWORDS:
                self.name_start = mark.end
        elif sign == ":":
            self.colon = self.colon or mark
            self.port = self.port or mark

    def split_userinfo(self, text: str, end: int | None) -> tuple[Span, Span] | None:
        """Return the user name and the password before `end`, by default before the last "@"."""
        if end is None and self.at:
            end = self.at.start
        if self.name_start is None or end is None:
            return None
        if self.colon is not None and self.colon.start <= end:
            colon_start, colon_end = self.colon.start, self.colon.end
        else:
            # Another character may stand for the colon, such as a full-width one.
            substitute = COLON.search(text, self.name_start, end)
            colon_start, colon_end = substitute.span() if substitute else (end, end)
        return (self.name_start, colon_start), (colon_end, end)

    def has_quote(self, text: str, view: list[Mark], index: int, last_at: int) -> bool:
        """Return whether the quotation mark `view[index]` is in a password, because "@" follows."""
        quote = view[index].start
        if self.colon is None or self.at is None or BETWEEN_STRINGS.match(text, quote):
            return False
        if not may_be_host(text, self.at.end, quote):
            return last_at > quote  # The password may extend to any later "@".
        # After a host, the quotation mark ends the URI, unless the next delimiter is "@".
        for i in range(index + 1, len(view)):
            next_sign = view[i].sign
            if next_sign == "@" or next_sign in ENDS:
                return next_sign == "@"
        return False

    def find_misread_end(
        self, text: str, end: int, last_ats: tuple[int, int], *, spaced: bool
    ) -> int | None:
        """Return the end of a password that parsers read as a port; `None` without one.

        Such a password contains a delimiter, as in `//user:pa/ss@host`, a space, or a
        percent-encoded "@" at its end. It ends at one of `last_ats`; with `spaced`, it may extend
        beyond a space at the end of the part.
        """
        if self.name_start is None or not self.cannot_be_path:
            return None
        if self.port is None or self.bracket:
            return None
        port_start = self.port.end
        # An empty port before a slash is the start of a password, as in `user:/pass@host`. A
        # backslash there starts an escape, such as `\$` or `\u00e9`.
        starts_password = port_start == end and text.startswith(("/", "\\", "?", "#"), end)
        if not starts_password and PORT.match(text, port_start, end):
            return None
        if BETWEEN_STRINGS.match(text, end):
            return None
        for last_at in last_ats:
            if last_at > port_start:
                return last_at
        continuation = SPACED.match(text, end) if spaced else None
        return continuation.end() - len("@") if continuation else None


class Slashes:
    """The last run of slashes and backslashes, which may precede an authority.

    Attributes:
        are_double: whether the run has at least two, as in `https://`.
        sign_before: the delimiter before the run, such as the colon in `https://`; a quotation mark
            also at the start of the string and after punctuation such as "("; otherwise `""`.
    """

    def __init__(self) -> None:
        self.are_double = False
        self.sign_before = ""

    def update(self, text: str, mark: Mark, previous: Mark, start: int) -> None:
        """Begin or continue a run if `mark` is a slash, in a string that starts at `start`."""
        if mark.sign not in SLASHES:
            return
        is_adjacent = previous.end == mark.start
        if is_adjacent and previous.sign in SLASHES:
            # In JSON, a backslash and a slash are a single slash.
            if previous.sign + mark.sign != "\\/":
                self.are_double = True
            return
        self.are_double = False
        if is_adjacent:
            self.sign_before = previous.sign
        else:
            # Punctuation before the run counts as a quotation mark.
            follows_opening = mark.start > start and text[mark.start - 1] in OPENING
            self.sign_before = '"' if follows_opening else ""


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
    slashes = Slashes()
    previous = Mark('"', start, start, 0, False)
    end_of_chunk = Mark('"', end, end, 0, False)
    last_ats = find_last_at_sign(view), find_last_at_sign(all_marks)
    # Only this view is searched for passwords with spaces, so that no string is searched twice.
    is_plain = all(mark.depth == 0 for mark in view)
    for index, mark in enumerate((*view, end_of_chunk)):
        if mark.start < part.start:
            continue  # in a password with delimiters
        if mark.sign == "\\" and previous.sign == "@" and previous.end == mark.start:
            # No host starts with a backslash, but an escape does, as in `p@\$\$word`.
            previous = mark._replace(sign="@")
            continue
        slashes.update(text, mark, previous, start)
        is_quote = mark.sign == '"' and mark is not end_of_chunk
        if mark.sign == "=" and part.ampersand and not part.starts_uri:
            # The authority ended at the "&", because another parameter follows.
            userinfo = part.split_userinfo(text, None)
            part = URIPart(part.ampersand.end)
        elif mark.sign not in ENDS or (is_quote and part.has_quote(text, view, index, last_ats[0])):
            userinfo = None
            part.add_delimiter(text, mark, previous.end)
        else:
            spaced = is_plain and mark.start == end
            misread_end = part.find_misread_end(text, mark.start, last_ats, spaced=spaced)
            userinfo = part.split_userinfo(text, misread_end)
            if misread_end is None:
                part = start_part_after_mark(mark, part, slashes, is_whole_string=is_whole_string)
            else:
                part = URIPart(misread_end)
        if userinfo:
            yield userinfo
        previous = mark


def is_token(name: str) -> bool:
    return name.startswith(TOKENS) or RANDOM_NAME.fullmatch(name) is not None


def start_part_after_mark(
    mark: Mark, part: URIPart, slashes: Slashes, *, is_whole_string: bool
) -> URIPart:
    """Return the part after a delimiter: an authority after `//`, `:/` or a Windows domain."""
    has_only_name = part.name_start == part.start and not (part.colon or part.at)
    ends_domain = mark.sign == "\\" and has_only_name
    ends_slashes = mark.sign in SLASHES and (slashes.are_double or slashes.sign_before == ":")
    if ends_domain and (part.cannot_be_path or not ends_slashes):
        # The authority of `http://DOMAIN\user:password@host` continues, also after the second
        # backslash that JSON adds.
        starts_uri, cannot_be_path = part.starts_uri, part.cannot_be_path
    elif ends_slashes:
        starts_uri = mark.in_authority
        cannot_be_path = is_whole_string or slashes.sign_before in {":", "=", '"'}
    else:
        return URIPart(mark.end)
    return URIPart(mark.end, authority=True, starts_uri=starts_uri, cannot_be_path=cannot_be_path)


def may_be_host(text: str, start: int, end: int) -> bool:
    if start == end or text[start] == ":":
        return False
    return NOT_IN_HOST.search(text, start, min(end, start + LONGEST_HOST)) is None


def find_last_at_sign(marks: list[Mark]) -> int:
    return max((mark.start for mark in marks if mark.sign == "@"), default=-1)
