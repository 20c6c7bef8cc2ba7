"""All exceptions of the package; `URIError` is their base class.

An error knows the string that it is about and the position in it, and draws both. Its message never
shows a password; its `text` attribute is exact.
"""

from __future__ import annotations

from . import carets, redaction


class URIError(ValueError):
    """The base class of all errors, with the string, the position, the rule and a hint.

    Attributes:
        text: the exact string that was given; it may contain a password.
        position: the index into `text` of the wrong character; the length of `text` if something
            is missing at its end.
        component: the component with the error (`"scheme"`, `"userinfo"`, `"host"`, `"port"`,
            `"path"`, `"query"`, `"fragment"`).
        rule: the ABNF rule that is violated, by its name in the RFC.
        reason: what is wrong, as a sentence.
        hint: how to fix it; may be empty.

    `str()` draws the string with a caret under the position, with passwords masked.
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
            lines += self._drawing()
        if self.hint:
            lines.append(f"hint: {self.hint}")
        return "\n".join(lines)

    def _drawing(self) -> tuple[str, str]:
        """Return two lines: the string with passwords masked, and a caret under the position."""
        text, position = redaction.masked(self.text, self.position, self._password_spans())
        return carets.drawing(text, position)

    def _password_spans(self) -> list[redaction.Span]:
        """Find the spans of passwords in `text`."""
        return redaction.password_spans(self.text)

    def as_dict(self) -> dict[str, str | int]:
        """Return all attributes except the string, as plain data."""
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

    def _password_spans(self) -> list[redaction.Span]:
        """Find passwords in `text`; if it is not `well_formed`, find suspected ones."""
        return (
            redaction.password_spans(self.text)
            if self.well_formed
            else redaction.suspected_spans(self.text)
        )


class BuildError(URIError):
    """The given components do not form an identifier that parses back into the same components.

    `text` is the component with the error, and `position` an index into it.
    """

    def _password_spans(self) -> list[redaction.Span]:
        """Find suspected passwords in `text`; in userinfo, everything after the first colon."""
        if self.component != "userinfo":
            return redaction.suspected_spans(self.text)
        colon = self.text.find(":")
        return [(colon + 1, len(self.text))] if colon >= 0 else []


class ResolveError(URIError):
    """A reference cannot be resolved, or an identifier cannot be made relative to a base."""


class ConvertError(URIError):
    """A component cannot be converted to the kind of value that was requested."""

    def _password_spans(self) -> list[redaction.Span]:
        """Find passwords in `text`, and in hosts that may be meant as userinfo."""
        return redaction.suspected_spans(self.text)


class PolicyError(URIError):
    """A policy does not allow connecting to an identifier.

    Attributes:
        code: the violated condition: a code of `check`, or one that `Policy.enforce` lists.
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

    def _password_spans(self) -> list[redaction.Span]:
        """Find suspected passwords in `text`, which may be invalid."""
        return redaction.suspected_spans(self.text)


class ColumnError(URIError):
    """A column violates the Arrow specification, so its rows cannot be read.

    `text` is empty. `component` is the name of the column, if it has one. `position` is the index
    of the invalid row in its chunk; 0 if the fault is not in a row.
    """
