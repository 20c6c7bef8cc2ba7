"""Every exception: one family, so that one `except` is enough.

An error knows the text it is about and the place in it, and draws both. What it
prints never holds a password; its `text` attribute is exact.
"""

from __future__ import annotations

#: How much of a long text an error draws on each side of the place it points at.
AROUND = 60

#: What is drawn instead of a password.
MASK = "***"


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
        text, position = masked(self.text, self.position, self.password_span())
        start, end = max(position - AROUND, 0), position + AROUND
        before = ("…" if start else "") + visible(text[start:position])
        after = visible(text[position:end]) + ("…" if end < len(text) else "")
        return f"  {before}{after}", f"  {' ' * columns(before)}^"

    def password_span(self) -> tuple[int, int]:
        """Where in `text` a password stands."""
        return password_span(self.text)

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
    """The text is not what its type asks for.

    Attributes:
        well_formed: whether the text is an identifier all the same, as where only its
            scheme asks for more. Then only its userinfo holds a password.
    """

    well_formed: bool = False

    def password_span(self) -> tuple[int, int]:
        """Where in `text` a password stands, or what may have been meant as one."""
        return password_span(self.text) if self.well_formed else suspected_span(self.text)


class BuildError(URIError):
    """These parts make no identifier that would be read back as the same parts.

    `text` is the part that is at fault, and `position` an index into it.
    """

    def password_span(self) -> tuple[int, int]:
        """As of a `ParseError`; in userinfo, all after the first colon."""
        if self.component != "userinfo":
            return suspected_span(self.text)
        colon = self.text.find(":")
        return (colon + 1, len(self.text)) if colon >= 0 else (0, 0)


class ResolveError(URIError):
    """There is nothing that a reference could be resolved against, or made relative to."""


class ConvertError(URIError):
    """A component can't be shown as the kind of value that was asked for."""


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

    def password_span(self) -> tuple[int, int]:
        """As of a `ParseError`: what is refused may be none."""
        return suspected_span(self.text)


def password_span(text: str) -> tuple[int, int]:
    """Where the password of an identifier stands; `(0, 0)` without one."""
    scheme_end = first_of(":/?#", text, 0)
    start = scheme_end + 1 if text.startswith(":", scheme_end) else 0
    if not text.startswith("//", start):
        return nested_span(text)
    at = text.find("@", start, first_of("/?#", text, start + 2))
    colon = text.find(":", start, at) if at >= 0 else -1
    return (colon + 1, at) if colon >= 0 else nested_span(text)


def nested_span(text: str) -> tuple[int, int]:
    """Where the password of an identifier in another stands, as in `jdbc:mysql://u:p@host`."""
    if "@" not in text:
        return 0, 0
    import re

    found = re.search(r":/++[^/?#@:]*+:([^/?#@]*+)@", text)
    return found.span(1) if found else (0, 0)


def suspected_span(text: str) -> tuple[int, int]:
    """Where a password may stand in a text that is no identifier; `(0, 0)` if nowhere.

    Delimiters may stand in it, or before it, that were not meant as such, as in
    `//user:pa/ss@host` and `user:pass word@host`. So all is taken for it between the first
    colon and the last "@"; but for a colon that ends a scheme before slashes, and behind
    those, one that begins a port.
    """
    import re

    before = re.match(r"(?:[^:/?#]+:)?+[/\\]", text)
    colon = re.compile(r":(?![0-9]*+[/?#])" if before else ":")
    at = max(text.rfind("@"), 0)
    found = colon.search(text, before.end() if before else 0, at)
    return (found.end(), at) if found else (0, 0)


def first_of(characters: str, text: str, start: int) -> int:
    """The index of the first of some characters in a text, or the text's length."""
    found = (text.find(character, start) for character in characters)
    return min((index for index in found if index >= 0), default=len(text))


def masked(text: str, position: int, span: tuple[int, int]) -> tuple[str, int]:
    """The text without the password at that span, and where the position is in it."""
    start, end = span
    if start >= end:
        return text, position
    if position >= end:
        position += len(MASK) - (end - start)
    elif position > start:
        position = start
    return text[:start] + MASK + text[end:], position


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
