"""Random strings of any ABNF rule, mutations of them, and whether a rule produces a string.

The ABNF parser and the automata of `conformance.complete` share no code with the tool that
generates the patterns of the package, so that tests find a mistake in either of them.
"""

import re
from functools import cache
from random import Random
from typing import Any

from conformance.complete.abnf import FOLDERS, read_rules
from conformance.complete.automaton import Automaton, make_automaton

#: An installed package has only the modules that are generated from the ABNF.
GRAMMAR = FOLDERS[1]

DOCUMENTS = ("rfc5234", "rfc3986", "rfc3987")

#: The number of extra repetitions where the ABNF sets no limit.
FEW = 3

#: An expression as in `conformance.complete.abnf`.
Node = tuple[Any, ...]


@cache
def grammar() -> dict[str, Node]:
    """Parse every rule in the ABNF files of the package; return the rules by name."""
    rules = read_rules(*DOCUMENTS)
    texts = [(GRAMMAR / f"{document}.abnf").read_text("utf-8") for document in DOCUMENTS]
    names = re.findall(r"^([A-Za-z][\w-]*)\s*=", "\n".join(texts), re.MULTILINE)
    return {name: simplify(rules[name.lower()]) for name in names}


@cache
def rule_of(name: str) -> Node:
    return next(node for rule, node in grammar().items() if rule.lower() == name.lower())


def simplify(node: Node) -> Node:
    """Replace a choice or a row of one expression with that expression."""
    match node:
        case "choice" | "row", [only]:
            return simplify(only)
        case "choice" | "row" as kind, parts:
            return kind, tuple(map(simplify, parts))
        case "loop", least, most, part:
            return "loop", least, most, simplify(part)
    return node


@cache
def automaton_of(rule: str) -> Automaton:
    return make_automaton(read_rules(*DOCUMENTS), rule)


def produces(rule: str, text: str) -> bool:
    automaton = automaton_of(rule)
    return automaton.verdicts[automaton.follow(text)]


def walk(rule: str, random: Random) -> str:
    return walked(rule_of(rule), random)


def walked(node: Node, random: Random) -> str:
    match node:
        case "range", first, last:
            return random_character(first, last, random)
        case "rule", name:
            return walk(name, random)
        case "row", parts:
            return "".join(walked(part, random) for part in parts)
        case "choice", ways:
            return walked(random.choice(ways), random)
        case _, least, most, part:
            limit = least + FEW if most is None else most
            return "".join(walked(part, random) for _ in range(random.randint(least, limit)))
    raise ValueError(node)


def random_character(first: int, last: int, random: Random) -> str:
    return chr(random.choice((first, last, random.randint(first, last))))


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
