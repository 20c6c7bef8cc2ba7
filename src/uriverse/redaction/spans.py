"""Find the secrets in strings that contain URIs: passwords, and the values of some parameters."""

from __future__ import annotations

from uriverse._patterns import lazy_pattern

from .secrets import JWT, is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    #: A start and an end index.
    Span: TypeAlias = tuple[int, int]

#: The length of two delimiters that are percent-encoded three times.
WIDEST = 2 * len("%25252F")

#: Schemes of URIs that may contain a user name and a password without slashes before them. A scheme
#: may also end with one of these, such as `git+ssh`. The list only decides what to replace; it is
#: not a rule of these schemes.
WITH_PASSWORDS = "ftps?|https?|imaps?|ldaps?|redis|sftp|sips?|smtp|ssh|wss?"

#: ASCII characters that URIs cannot contain, and that therefore end a URI in a log line. NUL is
#: missing, because it pads decoded delimiters.
BREAKS = r"\x01-\x20\x7f<>\"`"

#: Punctuation that does not belong to a URI if it follows the URI in a sentence.
CLOSING = ".,:;!?'*)]}"

#: Punctuation before such a URI, also that of a `bytes` literal.
OPENING = lazy_pattern(r"b?['*(\[{]")

#: The strings between breaks.
TOKEN = lazy_pattern(f"[^{BREAKS}]+")

#: A parameter name and its equals sign. The name follows a delimiter, or starts the string.
NAME = lazy_pattern(r"(?:([?&#;=/\\])|\A)([^?&#;=/\\]*+)=")

#: The ends of components.
END_OF_PATH = lazy_pattern("[?#]")
END_OF_HOST = lazy_pattern(r"[/\\?#]")

#: The ends of the value of a parameter, by the place of the parameter.
END_IN_PATH = lazy_pattern(r"[/\\?#;&]")
END_IN_PATH_AFTER_SEMICOLON = lazy_pattern(r"[/\\?#;]")
END_IN_QUERY = lazy_pattern("[&#]")
END_IN_QUERY_AFTER_SEMICOLON = lazy_pattern("[;&#]")

#: The start of a URI with an authority, up to the end of the authority.
AUTHORITY = lazy_pattern(r"[^:/\\?#]*+:?//[^/\\?#]*+")

#: A part of a URI between slashes, question marks and number signs.
PART = lazy_pattern(r"[^/\\?#]++")

#: A colon that can precede a password. No port and "&" follow it.
COLON = lazy_pattern(r":(?![0-9]*+\0*+&)")

#: A parameter after an "&".
PARAMETER = lazy_pattern("[^&=]*+=")

#: A scheme, a user name and a colon, without slashes.
SCHEME_AND_NAME = lazy_pattern(
    rf"(?i)(?<![A-Za-z0-9+.\-])(?:[A-Za-z0-9+.\-]*[+.\-])?(?:{WITH_PASSWORDS})\0*+:([^:]*+)(?=:)"
)

#: A host and a colon that no port follows. The host may be a user name, whose password contains a
#: slash, a question mark, a number sign or a space. A port is a number, or a name in braces.
NAME_WITHOUT_PORT = lazy_pattern(
    rf"(?::\0*+[/\\](?:\0*+[/\\])*+|(?<![^={BREAKS}])\0*+[/\\](?:\0*+[/\\])++)"
    r"([^:@\[/\\?#]*+):"
    r"(?![0-9\0]*+(?:[/\\?#&]|\Z)|[0-9]++[,.:;!?'*)\]}]|\{\w*+\}|[^/\\?#]*@)"
)

#: A percent-encoded "@".
ENCODED_AT = lazy_pattern("%(?:25){0,2}40")

#: The rest of a password that contains spaces or ends with a line break, and the "@" after it.
SPACED = lazy_pattern(r"(?:[ \t][^/\\?#@<>\"`\r\n]*+|[\t\r\n]++)@")

#: A delimiter in a string of JSON that is written as an escape. The percent sign is not decoded.
JSON_ESCAPE = lazy_pattern(r"\\(?:u00|x)(2[36Ff]|3[AaBbDdFf]|40|5[Bb])")


def secret_spans(text: str, *, usernames: bool = False) -> list[Span]:
    """Find the spans of the secrets in a URI, or in any text that may contain URIs.

    The secrets are passwords, the values of parameters with certain names (see `is_secret`), JSON
    Web Tokens, and user names if `usernames` is true. A parameter stands in a query, in a fragment,
    or after a semicolon in a path. The delimiters may be percent-encoded up to three times, as they
    are in a URI that is the value of a parameter.
    """
    text = without_json_escapes(text)
    if not has_sign(text):
        return []
    # The tokens, each with the end of its first authority.
    tokens = [
        (start, end_of_authority(text, start, end), end)
        for start, end in (token.span() for token in TOKEN.finditer(text))
    ]
    is_alone = len(tokens) == 1 and tokens[0][2] - tokens[0][0] == len(text)
    closing = "" if is_alone and not OPENING.match(text) else CLOSING
    spans: list[Span] = []
    for view in (text, *decoded_views(text)):
        for start, path, end in tokens:
            spans += parameter_spans(text, view, path, end, closing=closing)
            spans += [found.span() for found in JWT.finditer(view, start, end)]
            # Encoded characters are not delimiters in the authority of a URI, only after it.
            for name, password in userinfos(view, start if view is text else path, end):
                spans += [name, password] if usernames else [password]
    return united(spans)


def suspected_spans(text: str) -> list[Span]:
    """Find the spans of suspected secrets in a string that should be a URI, but is invalid.

    A password in such a string may contain delimiters, as in `//user:pa/ss@host` and
    `user:pass word@host`. So the span extends from the first colon to the last "@". The colon
    between a scheme and slashes is skipped, and so is a colon before a port number. The value of a
    parameter may contain spaces.
    """
    if not has_sign(text):
        return []
    import re

    before = re.match(r"(?:[^:/?#]+:)?+[/\\]", text)
    colon = re.compile(r":(?![0-9]*+[/?#])" if before else ":")
    at = max(text.rfind("@"), 0)
    found = colon.search(text, before.end() if before else 0, at)
    spans = [(found.end(), at)] if found else []
    for view in (text, *decoded_views(text)):
        spans += parameter_spans(text, view, 0, len(text), whole=True)
        spans += [password for _, password in userinfos(view, 0, len(text))]
    return united(spans + secret_spans(text))


def has_sign(text: str) -> bool:
    """Return whether a string contains "@", "=" or the start of a JSON Web Token."""
    return any(sign in text for sign in ("@", "=", "40", "3D", "3d", "eyJ"))


def without_json_escapes(text: str) -> str:
    r"""Decode delimiters such as `\u0026`, and pad them so that all characters keep their index."""
    if "\\u00" not in text and "\\x" not in text:
        return text
    return JSON_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)).rjust(len(escape[0]), "\0"), text)


def decoded_views(text: str) -> Iterator[str]:
    """Yield a string with its delimiters percent-decoded once, twice and three times.

    An encoded "@" may be written as `%40`, `%2540` or `%252540`. Decoded delimiters are padded with
    NULs, so that all characters keep their index.
    """
    for escape in ("%", "%25", "%2525"):
        if escape not in text:
            break
        for delimiter in "/:?#@&=;[\\":
            triplet = f"{escape}{ord(delimiter):02X}"
            for written in (triplet, triplet.lower()):
                text = text.replace(written, delimiter.rjust(len(written), "\0"))
        yield text


def parameter_spans(
    text: str, view: str, start: int, end: int, *, closing: str = "", whole: bool = False
) -> Iterator[Span]:
    """Find the values of secret parameters between two indexes.

    Args:
        text: the string.
        view: the string, or a decoded view of it.
        start: the first index.
        end: the index after the last character.
        closing: punctuation that does not belong to a value at the end.
        whole: whether the string is a single URI or component, which may start with a parameter.
    """
    text_path = end_of_path(text, start, end)
    view_path = end_of_path(view, start, end)
    i = start
    while name := NAME.search(view, i, end):
        # The equals sign may delimit another name: `?next=token=a`.
        i = max(name.end() - 1, 1)
        delimiter = name[1] or ("&" if whole else "/")
        if delimiter in "/\\" and name.start() < view_path:
            continue  # A name follows a slash only in a query, or in a fragment.
        if not is_secret(name[2]):
            continue
        in_path = delimiter == ";" or not whole
        ends = (END_IN_QUERY, END_IN_QUERY_AFTER_SEMICOLON)
        if name.start() < view_path and in_path:
            ends = (END_IN_PATH, END_IN_PATH_AFTER_SEMICOLON)
        stop = ends[delimiter == ";"].search(view, name.end(), end)
        last = stop.start() if stop else end
        if name.start() < text_path and in_path:
            # A URI within a path ends where its segment ends.
            stop = END_IN_PATH_AFTER_SEMICOLON.search(text, name.end(), last) or stop
            last = stop.start() if stop else end
        value = view[name.end() : last].rstrip("\0")
        if not stop:
            # In JSON within JSON, a backslash precedes the quotation mark.
            value = value.rstrip("\\" if view.startswith('"', end) else "")
            value = value.rstrip(f"{closing}\0" if closing else "")
        if value:
            i = name.end() + len(value)
            yield name.end(), i


def end_of_path(text: str, start: int, end: int) -> int:
    """Return the index of the first question mark or number sign, or `end`."""
    found = END_OF_PATH.search(text, start, end)
    return found.start() if found else end


def end_of_authority(text: str, start: int, end: int) -> int:
    """Return the end of the authority with which a URI begins, or `start`."""
    authority = AUTHORITY.match(text, start, end)
    return authority.end() if authority else start


def userinfos(view: str, start: int, end: int) -> Iterator[tuple[Span, Span]]:
    """Find the user names and passwords between two indexes.

    They follow two slashes, as in `http://user:password@host`, or a scheme, as in
    `http:user:password@host`.
    """
    authority_end = end_of_authority(view, start, end)
    for part in PART.finditer(view, start, end):
        if "@" not in part[0]:
            continue
        first, last = unpadded(view, part.start(), part.start() + part[0].rfind("@"))
        slashes = view[max(first - WIDEST, 0) : first].replace("\0", "").replace("\\", "/")
        if slashes.endswith(("//", ":/")):
            if first < authority_end:
                colon = view.find(":", first, last)
            else:
                colon = next(password_colons(view, first, last), -1)
            name = unpadded(view, first, last if colon < 0 else colon)
            yield name, (last if colon < 0 else colon + 1, last)
        elif named := name_after_scheme(view, first, last):
            yield unpadded(view, *named), (named[1] + 1, last)
    misread = NAME_WITHOUT_PORT.search(view, start, end)
    last = end_of_misread(view, misread.end(), end) if misread else 0
    if misread and misread.end() < last:
        yield unpadded(view, *misread.span(1)), (misread.end(), last)


def password_colons(view: str, first: int, last: int) -> Iterator[int]:
    """Find the colons that can precede a password between two indexes, before an "@".

    If an "&" and a name with an equals sign follow a colon, the "@" belongs to another parameter.
    """
    start = first
    while start < last:
        ampersand = view.find("&", start, last)
        end = last if ampersand < 0 else ampersand
        if ampersand < 0 or not PARAMETER.match(view, end + 1, last):
            # The pattern looks at the "&".
            yield from (found.start() for found in COLON.finditer(view, start, min(end + 1, last)))
        start = end + 1


def name_after_scheme(view: str, first: int, last: int) -> Span | None:
    """Find the user name before a password and after a scheme without slashes."""
    found = SCHEME_AND_NAME.search(view, first, last)
    if found is None:
        return None
    colons = set(password_colons(view, first, last))
    while found is not None and found.end() not in colons:
        found = SCHEME_AND_NAME.search(view, found.start() + 1, last)
    return None if found is None else found.span(1)


def end_of_misread(view: str, start: int, end: int) -> int:
    """Return the end of a password that parsers read as a port, or `start` without a password.

    The password contains a slash, a question mark, a number sign or a space, or the "@" after it is
    percent-encoded.
    """
    at = view.rfind("@", start, end)
    if at < 0:
        encoded = [found.start() for found in ENCODED_AT.finditer(view, start, end)]
        at = encoded[-1] if encoded else -1
    if at < 0 and not END_OF_HOST.search(view, start, end):
        spaced = SPACED.match(view, end)
        at = spaced.end() - 1 if spaced else -1
    return unpadded(view, start, at)[1] if at >= 0 else start


def unpadded(view: str, start: int, end: int) -> Span:
    """Return a span without the padding of the delimiter after it."""
    return start, start + len(view[start:end].rstrip("\0"))


def united(spans: list[Span]) -> list[Span]:
    """Sort spans and merge those that overlap or touch; remove empty ones."""
    result: list[Span] = []
    for start, end in sorted(spans):
        if start >= end:
            continue
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def first_of(characters: str, text: str, start: int, end: int) -> int:
    """Return the index at which any of the given characters first occurs between two indexes.

    If none of them occurs, return `end`.
    """
    for character in characters:
        found = text.find(character, start, end)
        end = end if found < 0 else found
    return end
