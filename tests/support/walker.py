"""Random strings of any ABNF rule, mutations of them, and a matcher for rules and prefixes.

The ABNF parser here shares no code with the one that generates the patterns of the package, so that
tests find a mistake in either of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

#: An installed package has only the modules that are generated from the ABNF.
GRAMMAR = Path(__file__).resolve().parents[2] / "src" / "uriverse" / "_spec" / "grammar"

DOCUMENTS = ("rfc5234.abnf", "rfc3986.abnf", "rfc3987.abnf")

#: The number of extra repetitions where the ABNF sets no limit.
FEW = 3

TOKEN = re.compile(
    r"""\s*(?: (?P<name>[A-Za-z][A-Za-z0-9-]*) | "(?P<quoted>[^"]*)"
      | %x(?P<first>[0-9A-F]+)(?:-(?P<last>[0-9A-F]+))?
      | <(?P<prose>[A-Za-z-]+)> | (?P<times>[0-9]*\*[0-9]*|[0-9]+) | (?P<sign>[/()\[\]]) )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Range:
    """One character of an inclusive range."""

    first: str
    last: str


@dataclass(frozen=True)
class Name:
    rule: str


@dataclass(frozen=True)
class Row:
    """A concatenation."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Fork:
    """An alternation."""

    ways: tuple[Node, ...]


@dataclass(frozen=True)
class Loop:
    """A repetition, between `least` and `most` times; None means without limit."""

    least: int
    most: int | None
    part: Node


Node = Range | Name | Row | Fork | Loop


# --- parsing ABNF


class RuleParser:
    """A recursive descent parser for the right-hand side of one rule."""

    def __init__(self, body: str) -> None:
        body = re.sub(r"(\"[^\"]*\")|;[^\n]*", r"\1", body)
        self.tokens = [match for match in TOKEN.finditer(body) if match.lastgroup]
        assert "".join(match[0] for match in self.tokens).strip() == body.strip(), body

    def sign(self) -> str | None:
        return self.tokens[0]["sign"] if self.tokens else None

    def fork(self) -> Node:
        ways = [self.row()]
        while self.sign() == "/":
            del self.tokens[0]
            ways.append(self.row())
        return ways[0] if len(ways) == 1 else Fork(tuple(ways))

    def row(self) -> Node:
        parts = []
        while self.tokens and self.sign() not in {"/", ")", "]"}:
            parts.append(self.repeated())
        return Row(tuple(parts))

    def repeated(self) -> Node:
        times = self.tokens[0]["times"]
        if times is None:
            return self.element()
        del self.tokens[0]
        if times.isdigit():
            return Loop(int(times), int(times), self.element())
        least, _, most = times.partition("*")
        return Loop(int(least or 0), int(most) if most else None, self.element())

    def element(self) -> Node:
        token = self.tokens.pop(0)
        if token["sign"]:
            inside = self.fork()
            del self.tokens[0]
            return Loop(0, 1, inside) if token["sign"] == "[" else inside
        if token["quoted"] is not None:
            # A quoted letter matches both cases (RFC 5234, 2.3).
            cases = [sorted({c.lower(), c.upper()}) for c in token["quoted"]]
            return Row(tuple(Fork(tuple(Range(c, c) for c in pair)) for pair in cases))
        if token["first"]:
            first = chr(int(token["first"], 16))
            return Range(first, chr(int(token["last"], 16)) if token["last"] else first)
        return Name(token["name"] or token["prose"])


@cache
def grammar() -> dict[str, Node]:
    """Parse every rule in the ABNF files of the package; return the rules by name."""
    rules: dict[str, Node] = {}
    for document in DOCUMENTS:
        text = (GRAMMAR / document).read_text("utf-8")
        for block in re.split(r"^(?=[A-Za-z;])", text, flags=re.MULTILINE):
            name, equals, body = block.partition("=")
            if equals and not block.startswith(";"):
                rules[name.strip()] = RuleParser(body).fork()
    return rules


# --- generating


def walk(rule: str, random: Random) -> str:
    """Return a random string that a rule produces."""
    return walked(grammar()[rule], random)


def walked(node: Node, random: Random) -> str:
    match node:
        case Range(first, last):
            return random_character(ord(first), ord(last), random)
        case Name(rule):
            return walk(rule, random)
        case Row(parts):
            return "".join(walked(part, random) for part in parts)
        case Fork(ways):
            return walked(random.choice(ways), random)
        case Loop(least, most, part):
            limit = least + FEW if most is None else most
            return "".join(walked(part, random) for _ in range(random.randint(least, limit)))


def random_character(first: int, last: int, random: Random) -> str:
    """Return a random character of a range; its first and last characters are frequent."""
    return chr(random.choice((first, last, random.randint(first, last))))


# --- mutating

#: Characters that mutations insert: those on both sides of every border of `ucschar` and
#: `iprivate`.
BORDERS = tuple(
    chr(code_point)
    for ends in (
        *((0xA0, 0xD7FF), (0xE000, 0xF8FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFEF)),
        *((plane << 16, (plane << 16) + 0xFFFD) for plane in range(1, 17)),
        (0xE1000, 0xE1000),
    )
    for end in ends
    for code_point in (end - 1, end, end + 1)
    if code_point < 0x110000
)
#: A decimal number, such as an octet of an IPv4 address or a port, which a mutation changes by one.
NUMBER = re.compile("[0-9]{1,9}")
#: A piece and its delimiter, such as a group of an IPv6 address; a mutation doubles or removes it.
PIECE = re.compile(r"[^:/?#\[\]@.&=;]*+[:/?#\[\]@.&=;]")
#: Strings that mutations insert: delimiters, incomplete triplets, controls, and pieces of hosts.
SPLICES: tuple[str, ...] = (
    *":/?#[]@",
    *"!$&'()*+,;=",
    *"%.-_~",
    *"aFgvV019",
    *'\0\t\n "<>\\^`{|}\x7f\x80\u202e\ud800\udfff',
    "//", "::", "%4", "%41", "%zz", "..", "://", "]:", "1.2.3.4", "[::1]", "[v1.a]", "0:",
    "64:ff9b::", "::ffff:",
)  # fmt: skip


def mutate(text: str, random: Random) -> str:
    """Return a string with one random change; the result may still be valid."""
    at = random.randint(0, len(text))
    to = min(len(text), at + random.choice((1, 1, 1, 2, 3)))
    match random.randrange(9):
        case 0:
            return text[:at] + text[to:]
        case 1 | 2:
            return text[:at] + random.choice(SPLICES) + text[at:]
        case 3:
            return text[:at] + random.choice(SPLICES) + text[to:]
        case 4:
            return text[:to] + text[at:]
        case 5:
            return text[:at] + random.choice(BORDERS) + text[at:]
        case 6 if numbers := list(NUMBER.finditer(text)):
            number = random.choice(numbers)
            changed = abs(int(number[0]) + random.choice((-1, 1)))
            return text[: number.start()] + str(changed) + text[number.end() :]
        case 7 if pieces := list(PIECE.finditer(text)):
            piece = random.choice(pieces)
            return text[: piece.start()] + random.choice(("", 2 * piece[0])) + text[piece.end() :]
        case _:
            return text[:at] + text[at + 1 : to + 1] + text[at : at + 1] + text[to + 1 :]


def sample(rule: str, random: Random) -> str:
    """Return a string of a rule with up to two random changes; about half of them are invalid."""
    text = walk(rule, random)
    for _ in range(random.choice((0, 1, 1, 2, 2))):
        text = mutate(text, random)
    return text


# --- matching


def viable(rule: str, beginning: str) -> bool:
    """Whether a rule produces some string that starts with `beginning`."""
    more_wanted: set[bool] = set()
    ends = ends_of(Name(rule), beginning, {0}, more_wanted)
    return len(beginning) in ends or True in more_wanted


def produces(rule: str, text: str) -> bool:
    """Whether a rule produces the whole string."""
    return len(text) in ends_of(Name(rule), text, {0}, set())


def ends_of(node: Node, text: str, starts: set[int], more_wanted: set[bool]) -> set[int]:
    """Return the positions at which a match of a node can end, for matches from any of `starts`.

    Adds True to `more_wanted` if a match could go on past the end of the string.
    """
    match node:
        case Range(first, last):
            if len(text) in starts:
                more_wanted.add(True)
            return {at + 1 for at in starts if at < len(text) and first <= text[at] <= last}
        case Name(rule):
            return ends_of(grammar()[rule], text, starts, more_wanted)
        case Row(parts):
            for part in parts:
                if starts:
                    starts = ends_of(part, text, starts, more_wanted)
            return starts
        case Fork(ways):
            return set().union(*(ends_of(way, text, starts, more_wanted) for way in ways))
        case Loop():
            return ends_of_loop(node, text, starts, more_wanted)


def ends_of_loop(loop: Loop, text: str, starts: set[int], more_wanted: set[bool]) -> set[int]:
    ends = set(starts) if loop.least == 0 else set()
    done = 0
    while starts and (loop.most is None or done < loop.most):
        starts = ends_of(loop.part, text, starts, more_wanted)
        done += 1
        if done > loop.least:
            starts = starts - ends
        if done >= loop.least:
            ends |= starts
    return ends
