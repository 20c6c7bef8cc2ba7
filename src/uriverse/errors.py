"""Every exception: one family, so that one `except` is enough.

An error knows the text it is about and the place in it, and draws both. What it
prints never holds a password; its `text` attribute is exact.
"""

from __future__ import annotations

#: How much of a long text an error draws on each side of the place it points at.
AROUND = 60

#: What is drawn instead of a password.
MASK = "***"

#: How wide two delimiters are at most that are percent-encoded three times.
WIDEST = 2 * len("%25252F")

#: Schemes whose identifiers may have a colon before an "@" without a password.
WITH_COLONS = frozenset({"data", "mailto", "tag", "tel", "urn"})

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    #: A start and an end.
    Span: TypeAlias = tuple[int, int]


class URIError(ValueError):
    """What is wrong with a text: where, by which rule, and what to do about it.

    Attributes:
        text: the text that was given, exactly; it may hold a password.
        position: the index into `text` of the character that is wrong; the
            length of `text` where something is missing at its end.
        component: the component it is in (`"scheme"`, `"userinfo"`, `"host"`,
            `"port"`, `"path"`, `"query"`, `"fragment"`).
        rule: the ABNF production that is not met, by its name in the RFC.
        reason: what is wrong, in a sentence.
        hint: what to do about it; empty where there is nothing to advise.

    `str()` draws the text with a caret under the place, without passwords.
    """

    def __init__(
        self,
        text: str,
        position: int,
        component: str,
        rule: str,
        reason: str,
        hint: str = "",
    ) -> None:
        super().__init__(reason)
        self.text = text
        self.position = position
        self.component = component
        self.rule = rule
        self.reason = reason
        self.hint = hint

    def __str__(self) -> str:
        lines = [f"{self.reason} ({self.rule}, position {self.position})"]
        if self.text:
            lines += self.drawing()
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)

    def drawing(self) -> tuple[str, str]:
        """The text and, below it, a caret under the place; passwords are masked."""
        text, position = masked(self.text, self.position, self.password_spans())
        start, end = max(position - AROUND, 0), position + AROUND
        before = ("…" if start else "") + visible(text[start:position])
        after = visible(text[position:end]) + ("…" if end < len(text) else "")
        return f"  {before}{after}", f"  {' ' * columns(before)}^"

    def password_spans(self) -> list[Span]:
        """Find the spans of passwords in `text`."""
        return password_spans(self.text)

    def as_dict(self) -> dict[str, str | int]:
        """All but the text, as plain data."""
        return {
            "component": self.component,
            "position": self.position,
            "rule": self.rule,
            "reason": self.reason,
            "hint": self.hint,
        }

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}({self.reason!r}, position={self.position}, rule={self.rule!r})"

    def __reduce__(self) -> tuple[type[URIError], tuple[object, ...], dict[str, object]]:
        parts = (self.text, self.position, self.component, self.rule, self.reason, self.hint)
        return type(self), parts, vars(self)


class ParseError(URIError):
    """A string does not match the grammar of the expected type.

    Attributes:
        well_formed: whether the string is a valid identifier that only breaks a rule of its
            scheme. Then passwords are searched for as in an identifier.
    """

    well_formed: bool = False

    def password_spans(self) -> list[Span]:
        """Find passwords in `text`; if it is not `well_formed`, find suspected ones."""
        return password_spans(self.text) if self.well_formed else suspected_spans(self.text)


class BuildError(URIError):
    """These parts make no identifier that would be read back as the same parts.

    `text` is the part that is at fault, and `position` an index into it.
    """

    def password_spans(self) -> list[Span]:
        """As of a `ParseError`; in userinfo, all after the first colon."""
        if self.component != "userinfo":
            return suspected_spans(self.text)
        colon = self.text.find(":")
        return [(colon + 1, len(self.text))] if colon >= 0 else []


class ResolveError(URIError):
    """There is nothing that a reference could be resolved against, or made relative to."""


class ConvertError(URIError):
    """A component cannot be converted to the kind of value that was requested."""

    def password_spans(self) -> list[Span]:
        """Find passwords in `text`, and in hosts that may be meant as userinfo."""
        return suspected_spans(self.text)


class PolicyError(URIError):
    """A policy does not allow to dial it.

    Attributes:
        code: what it has against it: a code of `check`, or one that `Policy.check` lists.
    """

    def __init__(
        self,
        text: str,
        position: int,
        component: str,
        rule: str,
        reason: str,
        hint: str = "",
        *,
        code: str = "",
    ) -> None:
        super().__init__(text, position, component, rule, reason, hint)
        self.code = code

    def password_spans(self) -> list[Span]:
        """Find suspected passwords in `text`, which may be invalid."""
        return suspected_spans(self.text)


class ColumnError(URIError):
    """A column violates the Arrow specification, so its rows cannot be read.

    `text` is empty. `component` is the name of the column, if it has one. `position` is the index
    of the invalid row in its chunk; 0 if the fault is not in a row.
    """


def password_spans(text: str) -> list[Span]:
    """Find the spans of passwords in an identifier and in identifiers nested in it.

    A password follows slashes and a user, as in `http://user:password@host`, or a scheme and a
    user, as in `http:user:password@host`. After an authority, the delimiters may be
    percent-encoded, up to three times.
    """
    if "@" not in text and "40" not in text:
        return []
    scheme_end = first_of(":/?#", text, 0)
    by_schemes = text[:scheme_end].lower() not in WITH_COLONS
    spans = spans_in(text, by_schemes=by_schemes)
    start = scheme_end + 1 if text.startswith(":", scheme_end) else 0
    rest = 0
    if text.startswith("//", start):
        rest = first_of("/?#", text, start + 2)
        at = text.find("@", start, rest)
        colon = text.find(":", start, at) if at >= 0 else -1
        spans += [(colon + 1, at)] if 0 <= colon < at - 1 else []
    for view in decoded_views(text[rest:]):
        found = spans_in(view, by_schemes=by_schemes)
        spans += [(rest + first, rest + end) for first, end in found]
    return united(spans)


def suspected_spans(text: str) -> list[Span]:
    """Find the spans of suspected passwords in a string that is not a valid identifier.

    A password in such a string may contain delimiters, as in `//user:pa/ss@host` and
    `user:pass word@host`. So the span runs from the first colon to the last "@". The colon of
    a scheme before slashes does not count, nor does the colon of a port after them.
    """
    if "@" not in text and "40" not in text:
        return []
    import re

    before = re.match(r"(?:[^:/?#]+:)?+[/\\]", text)
    colon = re.compile(r":(?![0-9]*+[/?#])" if before else ":")
    at = max(text.rfind("@"), 0)
    found = colon.search(text, before.end() if before else 0, at)
    spans = [(found.end(), at)] if found else []
    for view in decoded_views(text):
        spans += spans_in(view, by_schemes=True)
    return united(spans)


def decoded_views(text: str) -> Iterator[str]:
    """Yield the string with its delimiters percent-decoded once, then twice, then three times.

    NULs before them keep every other character where it is.
    """
    for escape in ("%", "%25", "%2525"):
        if escape not in text:
            break
        for delimiter in ":/?#@&":
            triplet = f"{escape}{ord(delimiter):02X}"
            for written in (triplet, triplet.lower()):
                text = text.replace(written, delimiter.rjust(len(written), "\0"))
        yield text


def spans_in(text: str, *, by_schemes: bool) -> list[Span]:
    """Find the spans of passwords after slashes and, with `by_schemes`, also after a scheme."""
    import re

    # Between the delimiters "/", "?" and "#", each part with an "@" is looked at once.
    parts = re.finditer(r"(?:\A|(?<=[/?#]))[^/?#@]*+@[^/?#]*+", text)
    # Between a port and an "@" that is not its own, another parameter begins.
    by_slashes = re.compile(r":(?![0-9]*+\0*+&)")
    by_scheme = re.compile(
        r"(?<![A-Za-z0-9+.\-])[A-Za-z][A-Za-z0-9+.\-]*+\0*+:[^:]*+:(?![0-9]*+\0*+&)"
    )
    spans: list[Span] = []
    for part in parts:
        start = part.start()
        end = start + len(part[0][: part[0].rfind("@")].rstrip("\0"))
        if text[max(start - WIDEST, 0) : start].replace("\0", "").endswith(("//", ":/")):
            found = by_slashes.search(text, start, end)
        else:
            found = by_scheme.search(text, start, end) if by_schemes else None
        if found and found.end() < end:
            spans.append((found.end(), end))
    return spans


def united(spans: list[Span]) -> list[Span]:
    """Sort spans and merge those that overlap or touch."""
    result: list[Span] = []
    for start, end in sorted(spans):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def first_of(characters: str, text: str, start: int) -> int:
    """The index of the first of some characters in a text, or the text's length."""
    found = (text.find(character, start) for character in characters)
    return min((index for index in found if index >= 0), default=len(text))


def masked(text: str, position: int, spans: list[Span]) -> tuple[str, int]:
    """Mask spans of a string; return the masked string and the new index of `position`."""
    pieces: list[str] = []
    done = moved = 0
    for start, end in spans:
        pieces += text[done:start], MASK if start < end else ""
        done = end
        if position >= end > start:
            moved += len(MASK) - (end - start)
        elif start < position < end:
            moved += start - position
    return "".join(pieces) + text[done:], position + moved


def without_passwords(text: str, *, valid: bool = False) -> str:
    """Return the string with passwords masked; `valid` says whether it is a valid identifier."""
    return masked(text, 0, password_spans(text) if valid else suspected_spans(text))[0]


def message_without_passwords(message: str) -> str:
    """Mask the passwords of a message that may quote URIs somewhere in its text."""
    import re

    quoted = re.search(r"(?<!\S)\S*:\S", message)
    start = quoted.start() if quoted else len(message)
    return message[:start] + without_passwords(message[start:])


def visible(text: str) -> str:
    """The text with what has no shape of its own (controls, bidi marks) as escapes."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )


def columns(text: str) -> int:
    """How many columns of a terminal a printable text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    # Marks stand on the character before them, and so do the later parts of a Hangul syllable.
    return sum(
        0
        if category(c) in {"Mn", "Me"} or "\u1160" <= c <= "\u11ff"
        else 2
        if east_asian_width(c) in "WF"
        else 1
        for c in text
    )
