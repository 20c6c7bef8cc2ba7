"""The exceptions of the package, and the quotation of wrong arguments without their secrets.

`str()` of an error shows the invalid string with a caret under the position of the error. Secrets
such as passwords are replaced there, but not in the attribute `text`.
"""

from __future__ import annotations

import sys

from . import _redaction
from ._engine import kernel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    #: The arguments of an error: `text`, `position`, `component`, `rule`, `reason` and `hint`.
    Arguments = tuple[str, int, str, str, str, str]
    A = TypeVar("A")
    T = TypeVar("T")
#: The number of characters drawn on each side of the caret. An ellipsis replaces all others.
AROUND = 60

#: Functions that read the attributes of any exception, also those that `URIError` overrides.
read_args: Callable[[BaseException], tuple[Any, ...]] = vars(BaseException)["args"].__get__
read_attributes: Callable[[BaseException], dict[str, Any]] = vars(BaseException)["__dict__"].__get__


class Deferred:
    """Computes the arguments of an error of the class `kind` when it is first examined.

    Many programs catch an error and never examine it, and creating its message takes much longer
    than raising it. Calling a `Deferred` returns a pending error, which has only the arguments of
    the function `create`. When an attribute of the error is read, the function computes all of
    them, except for those in `known`, the indices of arguments that are attributes. The function
    must depend only on its arguments, which must be immutable.
    """

    __slots__ = ("create", "kind", "known")

    def __init__(
        self, kind: type[URIError], create: Callable[..., Arguments], **known: int
    ) -> None:
        self.kind = kind
        self.create = create
        self.known = known

    def __call__(self, *arguments: object) -> URIError:
        # The tuple `args` of the new exception consists of this object and the arguments.
        return self.kind.__new__(self.kind, self, *arguments)


class URIError(ValueError):
    """The base class of all errors about URIs and IRIs.

    `str()` returns the reason, the string with a caret under the position, and the hint. Secrets
    such as passwords are replaced with `REDACTED`.

    Attributes:
        text: the invalid string, unchanged. It may contain secrets: do not log it.
        position: the index of the invalid character in `text`; the length of `text` if something
            is missing at the end.
        component: the component with the error (`"scheme"`, `"userinfo"`, `"host"`, `"port"`,
            `"path"`, `"query"`, `"fragment"`), or `"text"` for the whole string.
        rule: the name of the violated rule in the grammar of the RFC.
        reason: a description of the error.
        hint: how to fix the error; `""` if the error has no hint.

    >>> from uriverse import URI
    >>> try:
    ...     URI("http://example.org/a b")
    ... except URIError as error:
    ...     print(error)
    invalid space in path (path-abempty, position 20)
      http://example.org/a b
                          ^
    hint: percent-encode it as %20
    """

    __module__ = "uriverse"

    def __init__(
        self, text: str, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> None:
        self.text = text
        self.position = position
        self.component = component
        self.rule = rule
        self.reason = reason
        self.hint = hint
        # `complete_error` also calls this method, for a pending error. The arguments, which tell
        # whether an error is pending, change last: no thread finds an error without attributes.
        ValueError.__init__(self, reason)

    @property  # the attribute of the base class would not be computed on first access
    def args(self) -> tuple[object, ...]:
        """The arguments of the exception, as in `BaseException`: a tuple of only `reason`."""
        complete_error(self)
        return read_args(self)

    @args.setter
    def args(self, args: tuple[object, ...]) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        complete_error(self)
        super().__init__(*args)

    if TYPE_CHECKING:
        # Type checkers would accept any attribute of a class that has `__getattr__`.
        __dict__: dict[str, Any]
    else:

        def __getattr__(self, name: str) -> Any:
            # Python calls this method only if it does not find the attribute.
            args = read_args(self)
            if args and type(args[0]) is Deferred:
                deferred, *arguments = args
                index = deferred.known.get(name, len(arguments))
                if index < len(arguments):
                    return arguments[index]
                complete_error(self)
            return super().__getattribute__(name)

        @property
        def __dict__(self) -> dict[str, Any]:
            complete_error(self)
            return read_attributes(self)

    # --- output

    def __str__(self) -> str:
        complete_error(self)
        # The attributes of a class with `__getattr__` take twice as long to read.
        attributes = read_attributes(self)
        reason, rule = attributes["reason"], attributes["rule"]
        lines = [f"{reason} ({rule}, position {attributes['position']})"]
        if attributes["text"]:
            lines += self._draw()
        if attributes["hint"]:
            lines.append(f"hint: {attributes['hint']}")
        return "\n".join(lines)

    def _draw(self) -> tuple[str, str]:
        """Return two lines: the string with its secrets replaced, and a caret under the error."""
        # Only the part that is shown is redacted, because the string may be long.
        text, position = self.text, self.position
        start, end = find_window(text, position)
        secrets = self._find_secrets(start, end)
        if secrets:
            start, end = min(start, secrets[0][0]), max(end, secrets[-1][1])
            spans = [(first - start, last - start) for first, last in secrets]
            part, position = _redaction.mask_spans(text[start:end], position - start, spans)
            return draw_excerpt(part, position, before=start > 0, after=end < len(text))
        return draw_excerpt(text, position)

    def _find_secrets(self, start: int = 0, end: int = sys.maxsize) -> list[_redaction.Span]:
        """Find the secrets that overlap `text[start:end]`."""
        suspected = self._is_malformed()
        return _redaction.find_secrets(self.text, suspected=suspected, start=start, end=end)

    def _is_malformed(self) -> bool:
        """Return whether any part of `text` may be a password, because `text` may be no URI."""
        return True

    def as_dict(self) -> dict[str, str | int]:
        """Return the attributes of the error as a dictionary, for example to write JSON.

        The dictionary omits the attribute `text`, the invalid string, because it may contain
        secrets.

        >>> from uriverse import URI
        >>> try:
        ...     URI("http://example.org:8o/")
        ... except URIError as error:
        ...     details = error.as_dict()
        >>> details["component"], details["position"], details["reason"]
        ('port', 20, 'invalid character "o" in port')
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
        return type(self), get_arguments(self), vars(self)


def get_arguments(error: URIError) -> Arguments:
    return error.text, error.position, error.component, error.rule, error.reason, error.hint


def complete_error(error: URIError) -> None:
    """Compute the attributes of a pending error, except for those that have been set."""
    args = read_args(error)
    if args and type(args[0]) is Deferred:
        arguments = args[0].create(*args[1:])
        attributes = read_attributes(error)
        own_attributes = attributes.copy()
        URIError.__init__(error, *arguments)
        attributes.update(own_attributes)


class ParseError(URIError):
    """The error for a string that is not valid for the requested type.

    Attributes:
        code: the code of `check` for the problem: `"syntax"`, or `"scheme-syntax"` for a valid URI
            or IRI that violates a rule of its scheme.
        well_formed: whether the string is a valid URI or IRI that only violates a rule of its
            scheme or of the application.

    >>> from uriverse import URI
    >>> try:
    ...     URI("//example.org/")
    ... except ParseError as error:
    ...     print(error.reason)
    missing scheme: a URI starts with a scheme and a colon
    """

    __module__ = "uriverse"

    well_formed: bool = False
    code: str = "syntax"

    def _is_malformed(self) -> bool:
        return not self.well_formed


class BuildError(URIError):
    """The error for components that are invalid, or that a parser would split differently.

    `text` is the component with the error, and `position` is an index in that component.

    >>> from uriverse import URI
    >>> try:
    ...     URI.build(scheme="http", host="example.org", path="a")
    ... except BuildError as error:
    ...     print(error.text, error.reason, sep=": ")
    a: invalid path: after an authority, a path starts with a slash
    """

    __module__ = "uriverse"

    def _find_secrets(self, start: int = 0, end: int = sys.maxsize) -> list[_redaction.Span]:
        """Find them after the first colon of userinfo; without one, it may be a password alone."""
        if self.component != "userinfo":
            return super()._find_secrets(start, end)
        return [(self.text.find(":") + 1, len(self.text))]


class ResolveError(URIError):
    """The error for a reference that cannot be resolved, or a URI that cannot be made relative.

    >>> from uriverse import URIReference
    >>> try:
    ...     URIReference("a/b").resolve("c")
    ... except ResolveError as error:
    ...     print(error.reason)
    missing scheme: a base URI must have a scheme
    """

    __module__ = "uriverse"


class ConvertError(URIError):
    """The error for a component that cannot be converted to the requested type or form.

    >>> from uriverse import FileURI
    >>> try:
    ...     FileURI("file://server/a").to_posix()
    ... except ConvertError as error:
    ...     print(error.reason)
    unexpected host: the file is not on this machine
    """

    __module__ = "uriverse"


class PolicyError(URIError):
    """The error for a URI that a `Policy` or a function of `uriverse.oauth` rejects.

    Attributes:
        code: the reason as a code: a code of `check`, or one of the codes that `Policy.enforce` and
            the functions of `uriverse.oauth` list.
        denied_by: the rule in `Policy.deny` that matches the URI, as a string; `None` for other
            reasons.

    >>> from uriverse import Policy
    >>> try:
    ...     Policy().enforce("ftp://example.org/")
    ... except PolicyError as error:
    ...     print(error.code)
    scheme-not-allowed
    """

    __module__ = "uriverse"

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
        denied_by: str | None = None,
    ) -> None:
        super().__init__(text, position, component, rule, reason, hint)
        self.code = code
        self.denied_by = denied_by

    def _find_secrets(self, start: int = 0, end: int = sys.maxsize) -> list[_redaction.Span]:
        """Find suspected secrets; all userinfo is one, because a token may stand as a user name."""
        spans = [*super()._find_secrets(start, end), *_redaction.find_userinfo_spans(self.text)]
        return _redaction.merge_spans(spans, start, end)


class RuleError(URIError):
    """The error for a string that is not a valid rule of a `Policy`.

    >>> from uriverse import Rule
    >>> try:
    ...     Rule("example.com*")
    ... except RuleError as error:
    ...     print(error.reason)
    misplaced wildcard in host: "*" is only allowed as the first label
    """

    __module__ = "uriverse"


class TemplateError(URIError):
    """The error for an invalid URI Template, and for values that it cannot be expanded with.

    Attributes:
        variable: the name of the variable with the wrong value; `None` for other errors.

    >>> from uriverse.templates import Template
    >>> try:
    ...     Template("/users/{user-id}")
    ... except TemplateError as error:
    ...     print(error.reason)
    invalid character '-' in expression
    """

    __module__ = "uriverse"

    def __init__(
        self,
        text: str,
        position: int,
        component: str,
        rule: str,
        reason: str,
        hint: str = "",
        *,
        variable: str | None = None,
    ) -> None:
        super().__init__(text, position, component, rule, reason, hint)
        self.variable = variable


class RepairError(URIError):
    """The error for a string that `repair` cannot repair without guessing what it means.

    Attributes:
        code: the reason as a code of `check`.

    >>> from uriverse import repair
    >>> try:
    ...     repair("http:/good.example/a b")
    ... except RepairError as error:
    ...     print(error.code)
    slash-count
    """

    __module__ = "uriverse"

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


class ColumnError(URIError):
    """The error for a column that violates the Arrow specification.

    The attribute `text`, which is the invalid string in other errors, is empty. The attribute
    `component` is the name of the column, or `""` if the column has no name. The attribute
    `position` is the index of the invalid row in its chunk, or 0 if the error is not in a row.

    >>> import pyarrow as pa
    >>> from uriverse import columns
    >>> offsets = pa.array([0, 99, 3], pa.int32()).buffers()[1]  # 99 is after the end of the data
    >>> broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"a:b")])
    >>> try:
    ...     columns.host(broken)
    ... except ColumnError as error:
    ...     print(error.rule)
    ArrowArray
    """

    __module__ = "uriverse"


def draw_error(error: URIError) -> tuple[str, str]:
    return error._draw()


def get_code(error: ParseError | TemplateError) -> str:
    return error.code if isinstance(error, ParseError) else "template-syntax"


def find_error_secrets(error: URIError) -> list[_redaction.Span]:
    return error._find_secrets()


def draw_excerpt(
    text: str, position: int, *, before: bool = False, after: bool = False
) -> tuple[str, str]:
    if kernel is not None:
        # The kernel draws printable ASCII characters, and returns `None` for others.
        lines: tuple[str, str] | None
        lines = kernel.draw_caret(text, position, before, after, AROUND)
        if lines is not None:
            return lines
    return draw_caret(text, position, before=before, after=after)


def find_window(text: str, position: int) -> tuple[int, int]:
    start, end = position - AROUND, position + AROUND
    # Calls of `min` and `max` take longer.
    return start if start > 0 else 0, end if end < len(text) else len(text)  # noqa: FURB136


def draw_caret(
    text: str, position: int, *, before: bool = False, after: bool = False
) -> tuple[str, str]:
    """Draw a string and a caret; characters may be missing `before` and `after` the string."""
    start, end = find_window(text, position)
    left, right = escape_unprintable(text[start:position]), escape_unprintable(text[position:end])
    opening = "…" if before or start > 0 else ""
    closing = "…" if after or end < len(text) else ""
    # In a terminal, some characters occupy two columns or none.
    indent = " " * (len(opening) + count_columns(left))
    return f"  {opening}{left}{right}{closing}", f"  {indent}^"


def escape_unprintable(text: str) -> str:
    """Escape characters that are not printable, such as controls and bidirectional marks."""
    if text.isprintable():
        return text
    unprintable = [c for c in set(text) if not c.isprintable()]
    return text.translate({ord(c): c.encode("unicode_escape").decode() for c in unprintable})


def count_columns(text: str) -> int:
    """Return the number of terminal columns that a printable string occupies."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    # Combining marks have no width, and so do the vowels and final consonants of Hangul syllables.
    letters = [c for c in text if category(c) not in {"Mn", "Me"} and not "\u1160" <= c <= "\u11ff"]
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in letters)


def quote_argument(argument: Any) -> str:
    """Return the `repr` of a wrong argument, which may be a URL with a password, without secrets.

    >>> print(f"unknown level {quote_argument('https://me:hunter2@example.org/')}")
    unknown level 'https://me:REDACTED@example.org/'
    """
    if isinstance(argument, str):
        return repr(_redaction.redact_invalid(argument))
    return _redaction.redact_invalid(repr(argument))


def parse_safely(parse: Callable[[A], T], argument: A) -> T:
    """Call a function whose `ValueError` quotes its argument, and replace the secrets there.

    >>> from ipaddress import ip_network
    >>> parse_safely(ip_network, "https://me:hunter2@example.org/")
    Traceback (most recent call last):
        ...
    ValueError: 'https://me:REDACTED@example.org/' does not appear to be an IPv4 or IPv6 network
    """
    try:
        return parse(argument)
    except ValueError as error:
        reason = _redaction.redact_message(str(error))
    raise ValueError(reason)
