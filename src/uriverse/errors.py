"""All exceptions of the package; `URIError` is their base class.

An error stores the string that caused it, and the position of the fault in that string. Its message
shows both, with passwords masked. Its attribute `text` is the exact string.
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

    The message of the error shows the string, with passwords masked and a caret under the position.

    >>> try:
    ...     URI("http://exa mple.org/")
    ... except URIError as error:
    ...     print(error.component, error.rule, error.position)
    host reg-name 10
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
        """Return two lines: the string with its passwords masked, and a caret under the fault."""
        text, position = redaction.masked(self.text, self.position, self._password_spans())
        return carets.drawing(text, position)

    def _password_spans(self) -> list[redaction.Span]:
        """Find the spans of passwords in `text`."""
        return redaction.password_spans(self.text)

    def as_dict(self) -> dict[str, str | int]:
        """Return the attributes of the error as a dictionary, for example to write JSON.

        The dictionary does not contain `text`, because the string may contain a password.

        >>> try:
        ...     URI("http://exa mple.org/")
        ... except URIError as error:
        ...     found = error.as_dict()
        >>> found["component"], found["rule"], found["position"]
        ('host', 'reg-name', 10)
        """
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
        well_formed: whether the string is a valid URI or IRI that only violates a rule of its
            scheme. This decides which parts of the string may be passwords, which the message
            masks.

    >>> try:
    ...     URI("http://example.org/50%")
    ... except ParseError as error:
    ...     print(error.rule, error.position)
    pct-encoded 22
    """

    well_formed: bool = False

    def _password_spans(self) -> list[redaction.Span]:
        """Find the passwords in a valid URI, or suspected passwords in an invalid string."""
        return (
            redaction.password_spans(self.text)
            if self.well_formed
            else redaction.suspected_spans(self.text)
        )


class BuildError(URIError):
    """The given components do not form a URI that parses back into the same components.

    `text` is the component with the error, and `position` is an index into that component.

    >>> try:
    ...     URI.build(scheme="http", host="a b")
    ... except BuildError as error:
    ...     print(error.rule, error.text, error.position)
    reg-name a b 1
    """

    def _password_spans(self) -> list[redaction.Span]:
        """Find suspected passwords in a component of a URI.

        In userinfo, everything after the first colon is a password.
        """
        if self.component != "userinfo":
            return redaction.suspected_spans(self.text)
        colon = self.text.find(":")
        return [(colon + 1, len(self.text))] if colon >= 0 else []


class ResolveError(URIError):
    """A reference cannot be resolved, or a URI cannot be made relative to a base URI.

    >>> try:
    ...     URIReference("a/b").resolve("c")  # the base has no scheme
    ... except ResolveError as error:
    ...     print(error.rule, error.position)
    scheme 0
    """


class ConvertError(URIError):
    """A component of a URI cannot be converted to the requested kind of value.

    >>> try:
    ...     DataURI("data:;base64,YQ").data
    ... except ConvertError as error:
    ...     print(error.rule, error.position)
    base64 15
    """

    def _password_spans(self) -> list[redaction.Span]:
        """Find suspected passwords, even in a host that may be meant as userinfo."""
        return redaction.suspected_spans(self.text)


class PolicyError(URIError):
    """A `Policy` does not allow a program to connect to a URI.

    Attributes:
        code: the violated condition: the code of a finding of `check`, or one of the codes that
            `Policy.enforce` lists.

    >>> try:
    ...     Policy().enforce("http://127.0.0.1/")
    ... except PolicyError as error:
    ...     print(error.code, error.position)
    scope-not-allowed 7
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
        """Find suspected passwords in the rejected string, which may be an invalid URI."""
        return redaction.suspected_spans(self.text)


class ColumnError(URIError):
    """A column violates the Arrow specification, so its rows cannot be read.

    `text` is empty. `component` is the name of the column, if it has one. `position` is the index
    of the invalid row in its chunk; 0 if the fault is not in a row.

    >>> import pyarrow as pa
    >>> from array import array
    >>> from uriverse import columns
    >>> offsets, data = array("i", [0, 99, 9]), b"http://a/"  # row 0 ends after the data
    >>> buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    >>> try:
    ...     columns.host(pa.Array.from_buffers(pa.string(), 2, buffers))
    ... except ColumnError as error:
    ...     print(error.rule, error.position)
    ArrowArray 0
    """
