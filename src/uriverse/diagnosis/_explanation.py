"""Show the components of a URI, or explain why a string is invalid."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from uriverse._errors import ParseError, count_columns, escape_unprintable
from uriverse._redaction import redact_component, redact_invalid, redact_text
from uriverse._spec.syntax import LONGEST_TEXT, matches
from uriverse._spec.violation import find_components
from uriverse._uri import IRIReference, parse
from uriverse._uri.engine import Identifier, as_text

#: The components in the drawing that `explain` prints. It shows the authority as a whole.
DRAWN = ("scheme", "authority", "path", "query", "fragment")


class Part(NamedTuple):
    """A component of a URI, with its position and the grammar rule that it matches.

    Attributes:
        name: the name of the component, such as `"host"`.
        rule: the grammar rule that the component matches, such as `"reg-name"`.
        start: the offset in the URI of the component's first character.
        end: the offset in the URI after the component's last character.
        text: the component as written, without its delimiters.

    >>> explain("http://a/b").components[1]
    Part(name='authority', rule='authority', start=7, end=8, text='a')
    """

    name: str
    rule: str
    start: int
    end: int
    text: str

    def __repr__(self) -> str:
        text = redact_component(self.name, self.text)
        span = f"start={self.start}, end={self.end}"
        return f"Part(name={self.name!r}, rule={self.rule!r}, {span}, text={text!r})"


Part.__module__ = "uriverse.diagnosis"


class Explanation:
    """The components of a URI, or the reason why a string is invalid, as returned by `explain`.

    `str()` draws the components as a figure, or describes the error.

    Attributes:
        text: the string, unchanged.
        value: the result of `uriverse.parse`; `None` if the string is invalid.
        type: the name of the type of `value`, such as `"URI"`; `None` if the string is invalid.
        host_kind: the kind of the host, as in `URI.host_kind`; `None` if there is no host or the
            string is invalid.
        components: the components as a tuple of `Part`, in order. An authority comes before its
            userinfo, host and port. The tuple is empty if the string is invalid.
        error: the `ParseError` of an invalid string; `None` if the string is valid.

    >>> explanation = explain("http://127.0.0.1/a")
    >>> explanation.type, explanation.host_kind, [part.name for part in explanation.components]
    ('URI', 'IPv4address', ['scheme', 'authority', 'host', 'path'])
    """

    __module__ = "uriverse"

    __slots__ = ("components", "error", "host_kind", "text", "type", "value")

    def __init__(self, text: str, value: IRIReference | None, error: ParseError | None) -> None:
        self.text = text
        self.value = value
        self.error = error
        self.type = None if value is None else type(value).__name__
        self.host_kind = None if value is None else value.host_kind
        self.components = () if value is None else tuple(list_parts(value))

    @property
    def valid(self) -> bool:
        """Whether the string is a valid URI, IRI or relative reference.

        >>> explain("../a").valid, explain("a b").valid
        (True, False)
        """
        return self.value is not None

    def _draw_table(self) -> list[str]:
        cells = [
            (
                part.name if part.name in DRAWN else f"  {part.name}",
                f"{part.start}-{part.end}",
                part.rule,
                escape_unprintable(part.text) or "(empty)",
            )
            for part in self.components
        ]
        names, spans, rules, _ = zip(*cells, strict=True)
        name_width, span_width, rule_width = (max(map(len, rows)) for rows in (names, spans, rules))
        return [
            f"  {name:<{name_width}}  {span:<{span_width}}  {rule:<{rule_width}}  {text}"
            for name, span, rule, text in cells
        ]

    def as_dict(self) -> dict[str, object]:
        """Return the explanation as a dictionary that can be converted to JSON.

        >>> explain("../a").as_dict()["components"]
        [{'name': 'path', 'rule': 'path-noscheme', 'start': 0, 'end': 4, 'text': '../a'}]
        """
        return {
            "text": self.text,
            "valid": self.valid,
            "type": self.type,
            "host_kind": self.host_kind,
            "components": [part._asdict() for part in self.components],
            "error": None if self.error is None else self.error.as_dict(),
        }

    def __str__(self) -> str:
        return "\n".join(map(str.rstrip, self._draw_lines()))

    def _draw_lines(self) -> list[str]:
        if self.value is None:
            return str(self.error).split("\n")
        drawn_parts = [part for part in self.components if part.name in DRAWN]
        labeled_parts = [part for part in drawn_parts if part.text or part.name != "path"]
        host_kind = "" if self.host_kind is None else f", host: {self.host_kind}"
        figure = [*draw_figure(self.text, labeled_parts), ""] if labeled_parts else []
        return [*figure, f"{self.type}{host_kind}", *self._draw_table()]

    def __repr__(self) -> str:
        text = (redact_text if self.valid else redact_invalid)(self.text)
        return f"Explanation({text!r}, type={self.type!r}, error={self.error!r})"

    def _repr_html_(self) -> str:
        """Return a table of the components, or the error, which IPython and Jupyter show."""
        if self.value is None:
            return f"<pre>{escape(str(self.error))}</pre>"
        from uriverse._uri.display import format_html

        return format_html(self.text)


def explain(text: str | Identifier, /) -> Explanation:
    r"""Show the components of a URI or IRI, or explain why a string is invalid.

    `str()` of the result draws a figure as in [RFC 3986, section 3][1], and a table of the
    components. The figure abbreviates long components, but the table does not. Secrets in a valid
    URI are not replaced.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3

    Args:
        text: any string, or a `URI`, `IRI`, `URIReference` or `IRIReference`.

    Returns:
        An `Explanation`, with the components or the error as attributes.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    >>> print(explain("urn:example:animal:ferret:nose"))
      urn:example:animal:ferret:nose
      \_/ \________________________/
       |              |
    scheme           path
    <BLANKLINE>
    URI
      scheme  0-3   scheme         urn
      path    4-30  path-rootless  example:animal:ferret:nose
    >>> print(explain("http://a/abcdef%zz"))
    invalid percent-encoding in path: "z" is not a hexadecimal digit (pct-encoded, position 16)
      http://a/abcdef%zz
                      ^
    hint: write a literal "%" as %25
    """
    text = as_text(text)
    try:
        return Explanation(text, parse(text), None)
    except ParseError as error:
        return Explanation(text, None, error)


def why_invalid(text: str | Identifier, rule: str, /) -> ParseError | None:
    """Return the error that explains why a string does not match a grammar rule.

    Args:
        text: any string, or a `URI`, `IRI`, `URIReference` or `IRIReference`.
        rule: `"URI"`, `"URI-reference"` or `"absolute-URI"` ([RFC 3986, Appendix A][1]); or
            `"IRI"`, `"IRI-reference"` or `"absolute-IRI"`.

    Returns:
        The error; `None` if the string matches the rule.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types.

    [1]: https://www.rfc-editor.org/rfc/rfc3986#appendix-A

    >>> why_invalid("http://a/#b", "absolute-URI").position
    9
    """
    text = as_text(text)
    if len(text) <= LONGEST_TEXT and matches(text, rule):
        return None
    from uriverse._spec.messages import create_parse_error

    return create_parse_error(text, rule)


def list_parts(value: IRIReference) -> list[Part]:
    text = str(value)
    iri = not text.isascii()
    parts: list[Part] = []
    authority_index = 0 if value.scheme is None else 1
    for name, rule, start, end in find_components(text, iri=iri):
        if len(parts) == authority_index and value.authority is not None:
            authority_rule = "iauthority" if iri else "authority"
            authority_end = start + len(value.authority)
            parts.append(Part("authority", authority_rule, start, authority_end, value.authority))
        # A host that matches both IPv4address and reg-name is an IPv4address (RFC 3986, 3.2.2).
        is_ipv4 = name == "host" and value.host_kind == "IPv4address"
        parts.append(Part(name, "IPv4address" if is_ipv4 else rule, start, end, text[start:end]))
    return parts


#: The indentation of the drawing. It leaves room for labels that are wider than their brackets.
INDENT = 2

GAP = 3

#: In the drawing of a string wider than `WIDEST` columns, components are cut to `CUT` columns.
WIDEST = 100
CUT = 20


class Bracket(NamedTuple):
    first: int
    last: int
    label: str


class Canvas:
    def __init__(self) -> None:
        self.rows: list[list[str]] = []

    def write(self, row: int, column: int, text: str) -> int:
        """Write a string into a row, and return the column after the string."""
        while len(self.rows) <= row:
            self.rows.append([])
        cells = self.rows[row]
        for character in split_clusters(text):
            width = count_columns(character)
            cells += [" "] * (column + width - len(cells))
            if width:
                # A wide character takes two cells, the second of which is empty.
                cells[column : column + width] = [character, ""][:width]
            else:
                # A combining mark without a base character is added to the cell on its left, which
                # exists because the drawing is indented.
                cells[column - 1] += character
            column += width
        return column

    def lines(self) -> list[str]:
        return ["".join(cells) for cells in self.rows]


def split_clusters(text: str) -> Iterator[str]:
    """Yield each character together with the combining marks that follow it."""
    start = 0
    for index, character in enumerate(text):
        if index > start and count_columns(character):
            yield text[start:index]
            start = index
    if text:
        yield text[start:]


def abbreviate_text(text: str) -> str:
    abbreviation = ""
    for character in text[:CUT]:
        if count_columns(abbreviation + escape_unprintable(character)) >= CUT:
            break
        abbreviation += escape_unprintable(character)
    return abbreviation + "…"


def draw_figure(text: str, parts: list[Part]) -> list[str]:
    """Draw a row each for the URI, the brackets below it, the vertical lines and the labels."""
    canvas = Canvas()
    brackets = draw_text(canvas, text, parts)
    for bracket in brackets:
        width = bracket.last - bracket.first + 1
        bracket_text = "|" if width == 1 else "\\" + "_" * (width - 2) + "/"
        canvas.write(1, bracket.first, bracket_text)
    starts = position_labels(brackets)
    if not starts:
        draw_staggered_labels(canvas, brackets)
        return canvas.lines()
    for bracket, start in zip(brackets, starts, strict=True):
        canvas.write(2, find_pole_column(bracket, start), "|")
        canvas.write(3, start, bracket.label)
    return canvas.lines()


def draw_text(canvas: Canvas, text: str, parts: list[Part]) -> list[Bracket]:
    """Write a URI into the first row of a drawing, and return the brackets for the next row."""
    is_long = len(text) > WIDEST or count_columns(escape_unprintable(text)) > WIDEST
    brackets: list[Bracket] = []
    column, copied_end = INDENT, 0
    for name, _, start, end, _ in parts:
        column = canvas.write(0, column, escape_unprintable(text[copied_end:start]))
        visible_part = escape_unprintable(text[start:end])
        if is_long and (count_columns(visible_part) > CUT or len(visible_part) > WIDEST):
            visible_part = abbreviate_text(text[start:end])
        next_column = canvas.write(0, column, visible_part)
        if next_column == column:
            # An empty component has no room for a bracket, so mark the delimiter before it.
            label = f"{name} (empty)" if start == end else name
            brackets.append(Bracket(column - 1, column - 1, label))
        else:
            brackets.append(Bracket(column, next_column - 1, name))
        column, copied_end = next_column, end
    canvas.write(0, column, escape_unprintable(text[copied_end:]))
    return brackets


def position_labels(brackets: list[Bracket]) -> list[int]:
    """Return the columns of the labels if one row has room for all, otherwise an empty list."""
    # From right to left: each label must leave room for the next one.
    latest_starts: list[int] = []
    for bracket in reversed(brackets):
        latest_start = bracket.last
        if latest_starts:
            latest_start = min(latest_start, latest_starts[0] - GAP - len(bracket.label))
        latest_starts.insert(0, latest_start)
    # From left to right: center each label, as far as the others leave room.
    starts: list[int] = []
    free_column = 0
    for bracket, latest_start in zip(brackets, latest_starts, strict=True):
        centered_start = (bracket.first + bracket.last - len(bracket.label) + 1) // 2
        start = max(min(centered_start, latest_start), free_column)
        if not start <= find_pole_column(bracket, start) < start + len(bracket.label):
            return []
        starts.append(start)
        free_column = start + len(bracket.label) + GAP
    return starts


def find_pole_column(bracket: Bracket, start: int) -> int:
    """Return the column of the vertical line that connects a bracket to its label.

    The column is halfway between the centers of the bracket and the label, but not under an end of
    the bracket. The figure in RFC 3986, section 3, is reproduced exactly.
    """
    doubled_middles = bracket.first + bracket.last + 2 * start + len(bracket.label) - 1
    inside = 1 if bracket.last - bracket.first > 1 else 0
    return min(max(doubled_middles // 4, bracket.first + inside), bracket.last - inside)


def draw_staggered_labels(canvas: Canvas, brackets: list[Bracket]) -> None:
    """Draw the labels from right to left, in a lower row if the row has no room for the next."""
    row, next_column = 3, None
    for bracket in reversed(brackets):
        column = (bracket.first + bracket.last) // 2
        if next_column is not None and column + len(bracket.label) + GAP > next_column:
            row += 1
        for pole_row in range(2, row):
            canvas.write(pole_row, column, "|")
        canvas.write(row, column, bracket.label)
        next_column = column
