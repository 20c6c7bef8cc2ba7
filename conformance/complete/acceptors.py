"""Ask uriverse for its answers to the strings of a suite, and compare them with the automaton's.

A checker is a function that returns the strings of a batch whose answers are wrong.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable
from functools import cache
from itertools import chain, compress
from typing import Any, TypeAlias

import nanoarrow

from uriverse import IRIReference, ParseError, URIError, columns
from uriverse._spec import components as specification
from uriverse._spec.syntax import matches
from uriverse._spec.violation import find_first_violation
from uriverse._uri import engine
from uriverse.typing import Field, Grammar

from .abnf import read_rules
from .automaton import make_automaton
from .suite import Batch, Suite

Checker: TypeAlias = Callable[[Batch], list[str]]

# --- the expected bounds and positions

#: RFC 3986, Appendix B, and the authority of section 3.2.
COMPONENTS = re.compile(
    r"(?:(?P<scheme>[^:/?#]+):)?(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)"
    r"(?:\?(?P<query>[^#]*))?(?:#.*)?",
    re.DOTALL,
)
HOST_AND_PORT = re.compile(r"(?:[^@]*@)?(?P<host>\[[^]]*\]|[^:]*)(?::.*)?", re.DOTALL)
SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*|")
#: The beginning of an authority without userinfo and without brackets, up to the first character
#: that is not in the port.
UP_TO_PORT = re.compile(r"(?!\[)[^:]*:[0-9]*")

NOWHERE = (0,) * 8


def find_bounds(text: str) -> tuple[int, ...]:
    """Find the offsets that `columns.parse` calls `bounds`, in a valid string."""
    match = COMPONENTS.fullmatch(text)
    assert match
    authority = host = host_end = match.start("authority")
    if authority >= 0:
        inside = HOST_AND_PORT.fullmatch(match["authority"])
        assert inside
        host, host_end = authority + inside.start("host"), authority + inside.end("host")
    path, path_end = match.span("path")
    query_end = max(path_end, match.end("query"))
    return match.end("scheme"), authority, host, host_end, path, path_end, query_end, len(text)


def find_position(text: str, viable: int, *, is_reference: bool) -> int:
    """Find the position of the error in an invalid string.

    It is the end of the longest prefix that some accepted string begins with, which the automaton
    knows (`viable`), or a position before it that follows from the delimiters after it:

    - A colon in the first segment ends a scheme, although `1` and `a%41` may begin a relative path.
    - Without an "@", an authority has no userinfo. So a port follows its first colon.
    - With an "@", what precedes it is userinfo, which does not begin with a bracket.
    - In brackets, "::" is a single token: if its second colon is wrong, so is the first.
    """
    position = viable
    match = COMPONENTS.fullmatch(text)
    assert match
    scheme, authority, start = match["scheme"], match["authority"], match.start("authority")
    if is_reference and scheme is not None and not SCHEME.fullmatch(scheme):
        position = min(position, len(SCHEME.match(scheme)[0]))  # type: ignore[index]
    if authority is not None:
        port = UP_TO_PORT.match(authority)
        if "@" in authority and authority.startswith("["):
            position = min(position, start)
        elif "@" not in authority and port and port.end() < len(authority):
            position = min(position, start + port.end())
    before = text[:position]
    in_brackets = before.rfind("[") > before.rfind("]")
    if in_brackets and before[-1] == ":" == text[position : position + 1] and before[-2] != ":":
        position -= 1
    return position


# --- the six grammars

GRAMMAR_RULES = read_rules("rfc5234", "rfc3986", "rfc3987")


@cache
def make_suite(rule: str, *files: str) -> Suite:
    """Make the suite of a rule of RFC 3986 or RFC 3987, or of further files."""
    return Suite(make_automaton(GRAMMAR_RULES | read_rules(*files), rule))


def make_column(batch: Batch) -> Any:
    buffers = [None, batch.offsets, batch.data]
    return nanoarrow.c_array_from_buffers(nanoarrow.string(), len(batch.verdicts), buffers)


#: The bits of each byte.
BITS = [[bool(byte >> i & 1) for i in range(8)] for byte in range(256)]


def read_flags(column: Any, rows: int) -> list[bool]:
    """Read the values of a column of flags."""
    octets = memoryview(nanoarrow.c_array(column).view().buffer(1))
    return list(chain.from_iterable([BITS[octet] for octet in octets]))[:rows]


def compare_verdicts(
    ask: Callable[[Batch], list[bool]],
    batch: Batch,
    condition: Callable[[str], bool] | None = None,
) -> list[str]:
    """Return the strings to which an acceptor gives another answer than the automaton.

    Args:
        ask: the function that returns the answers.
        batch: the strings.
        condition: what a string must meet besides the grammar, if that is not regular.
    """
    verdicts, answers = batch.verdicts, ask(batch)
    if condition is not None:
        texts = batch.decode()
        verdicts = [v and condition(text) for v, text in zip(verdicts, texts, strict=True)]
    if answers == verdicts:
        return []
    rows = zip(batch.decode(), verdicts, answers, strict=True)
    return [text for text, verdict, answer in rows if verdict is not answer]


def validate_column(grammar: Grammar, batch: Batch) -> list[bool]:
    flags = columns.is_valid(make_column(batch), grammar)
    return read_flags(flags, len(batch.verdicts))


def answer_each(function: Callable[[str], bool], batch: Batch) -> list[bool]:
    return list(map(function, batch.decode()))


def try_each(function: Callable[[str], object], batch: Batch) -> list[bool]:
    """Return whether a function accepts each string instead of raising an error."""

    def succeeds(text: str) -> bool:
        try:
            function(text)
        except URIError:
            return False
        return True

    return list(map(succeeds, batch.decode()))


class SameLetters(dict[str, str]):
    """The letter that stands for a character: a delimiter, or the first letter of the class."""

    def __init__(self, suite: Suite) -> None:
        self.suite = suite

    def __missing__(self, character: str) -> str:
        first = self.suite.letters[self.suite.automaton.known[character]][0]
        self[character] = letter = character if character in ":/?#[]@" else first
        return letter


class ParsedColumn:
    """A checker of the bounds and the positions of `columns.parse`."""

    def __init__(self, rule: str, grammar: Grammar) -> None:
        self.suite, self.grammar = make_suite(rule), grammar
        automaton, words = self.suite.automaton, self.suite.words
        #: How much of each word is viable after each state.
        self.viable = [
            [automaton.count_viable(word, state) for word in words]
            for state in range(len(automaton.table))
        ]
        self.details = cache(self.find_details)
        self.letters = SameLetters(self.suite)

    def find_details(self, shape: str, state: int) -> tuple[bytes, list[int]]:
        """Find the bounds and the positions of a prefix with every word; -1 for a valid string."""
        bounds, positions = array("i"), []
        length = self.suite.automaton.count_viable(shape)
        more = self.viable[state] if length == len(shape) else [0] * len(self.suite.words)
        is_reference = self.grammar.endswith("reference")
        verdicts = self.suite.verdicts[state]
        for word, verdict, added in zip(self.suite.words, verdicts, more, strict=True):
            text = shape + word
            if verdict:
                bounds.extend(find_bounds(text))
                positions.append(-1)
            else:
                bounds.extend(NOWHERE)
                positions.append(find_position(text, length + added, is_reference=is_reference))
        return bounds.tobytes(), positions

    def __call__(self, batch: Batch) -> list[str]:
        names: list[Field] = ["bounds", "error_position"]
        fields = columns.parse(make_column(batch), self.grammar, fields=names)
        view = nanoarrow.c_array(fields).view()
        bounds = bytes(memoryview(view.child(0).child(0).buffer(1)).cast("B"))
        positions = memoryview(view.child(1).buffer(1)).tolist()
        shapes = ["".join([self.letters[c] for c in prefix.text]) for prefix in batch.prefixes]
        states = [prefix.state for prefix in batch.prefixes]
        details = list(map(self.details, shapes, states))
        expected = list(chain.from_iterable([positions for _, positions in details]))
        invalid = [not verdict for verdict in batch.verdicts]
        if bounds == b"".join([bounds for bounds, _ in details]) and list(
            compress(positions, invalid)
        ) == list(compress(expected, invalid)):
            return []
        rows = zip(batch.decode(), fields.to_pylist(), batch.verdicts, expected, strict=True)
        return [
            text
            for text, row, verdict, position in rows
            if row["error_position"] != (None if verdict else position)
            or (verdict and tuple(row["bounds"]) != find_bounds(text))
        ]


#: The bounds of a valid string, or the position of the error in an invalid one.
Details: TypeAlias = tuple[int, ...] | int


def describe_by_specification(rule: str, text: str) -> Details:
    if matches(text, rule):
        return (*specification.find_bounds(text), len(text))
    return find_first_violation(text, rule).position


def describe_by_type(kind: type[IRIReference], text: str) -> Details:
    try:
        return (*engine.get_bounds(kind(text)), len(text))
    except ParseError as error:
        return error.position


def compare_details(rule: str, describe: Callable[[str], Details], batch: Batch) -> list[str]:
    """Return the strings whose bounds or positions are wrong."""
    automaton, is_reference = make_suite(rule).automaton, rule.endswith("reference")

    def expect(text: str, verdict: bool) -> Details:
        viable = automaton.count_viable(text)
        if verdict:
            return find_bounds(text)
        return find_position(text, viable, is_reference=is_reference)

    rows = zip(batch.decode(), batch.verdicts, strict=True)
    return [text for text, verdict in rows if describe(text) != expect(text, verdict)]
