"""Hypothesis strategies for valid strings, hostile strings, and components to build URIs from."""

from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

from hypothesis import strategies as st
from walker import BORDERS, SPLICES, Node, rule_of

#: The number of extra repetitions where the ABNF sets no limit.
MANY = 5

#: The maximum size of ranges whose characters are listed one by one.
FEW_CHARACTERS = 128

#: The arguments of `build`; None means that a component is undefined.
Parts = dict[str, Any]

TYPES = ("URI", "URI-reference", "IRI", "IRI-reference")


@cache
def produced(rule: str) -> st.SearchStrategy[str]:
    return of_node(rule_of(rule))


def of_node(node: Node) -> st.SearchStrategy[str]:
    # Nested strategies take most of the time, so draw a single character from a flat one.
    chances = character_chances(node)
    if chances is not None:
        total = lcm(*(chance.denominator for chance in chances.values()))
        return st.sampled_from("".join(c * int(chances[c] * total) for c in chances))
    match node:
        case "range", first, last:
            return st.characters(min_codepoint=first, max_codepoint=last)
        case "rule", name:
            return produced(name)
        case "row", parts:
            return st.tuples(*map(of_node, parts)).map("".join)
        case "choice", ways:
            return st.one_of(*map(of_node, ways))
        case _, least, most, part:
            limit = least + MANY if most is None else most
            if limit == 0:
                return st.just("")
            return st.lists(of_node(part), min_size=least, max_size=limit).map("".join)
    raise ValueError(node)


@cache
def character_chances(node: Node) -> dict[str, Fraction] | None:
    """Return the characters that a node produces, with the probability of each.

    A choice selects each way equally often. Returns None if the node also produces other strings,
    or more than a few characters.
    """
    match node:
        case "range", first, last if last - first < FEW_CHARACTERS:
            characters = range(first, last + 1)
            return {chr(c): Fraction(1, len(characters)) for c in characters}
        case "rule", name:
            return character_chances(rule_of(name))
        case "choice", ways:
            found: dict[str, Fraction] = {}
            for way in map(character_chances, ways):
                if way is None:
                    return None
                for character, chance in way.items():
                    found[character] = found.get(character, Fraction(0)) + chance / len(ways)
            return found
    return None


def references() -> st.SearchStrategy[str]:
    return st.one_of(*map(produced, TYPES))


def characters() -> st.SearchStrategy[str]:
    """Any code point, including lone surrogates; delimiters are frequent."""
    return st.one_of(
        st.sampled_from("".join(dict.fromkeys("".join(SPLICES)))),
        st.sampled_from(BORDERS),
        st.integers(0, 0x10FFFF).map(chr),
    )


def hostile() -> st.SearchStrategy[str]:
    """Mostly invalid strings of delimiters, controls, bidi marks, surrogates and valid pieces."""
    pieces = st.one_of(
        characters(),
        st.sampled_from(SPLICES),
        produced("IP-literal"),
        produced("ihost"),
        produced("iuserinfo"),
        produced("scheme"),
        produced("isegment"),
    )
    return st.lists(pieces, max_size=12).map("".join)


def texts() -> st.SearchStrategy[str]:
    return st.one_of(references(), hostile())


def data() -> st.SearchStrategy[str]:
    """Data for a path segment: any string that UTF-8 can encode, except "." and ".."."""
    return st.text(characters(), max_size=8).filter(
        lambda text: text not in {".", ".."} and not any("\ud800" <= c <= "\udfff" for c in text)
    )


def as_decoded(data: str | bytes) -> str:
    """Return the string that a view returns for data that was percent-encoded."""
    return data.decode(errors="surrogateescape") if isinstance(data, bytes) else data


def segments() -> st.SearchStrategy[str | bytes]:
    """Data for a path segment: strings, surrogate escapes, and bytes that are not UTF-8."""
    octets = st.binary(max_size=6).map(lambda b: b + b"\xff")
    escaped = octets.map(lambda b: b.decode(errors="surrogateescape"))
    return st.one_of(data(), data(), octets, escaped)


def optional(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


@st.composite
def parts(draw: st.DrawFn, rule: str) -> Parts:
    """Components that form a valid string of a rule."""
    i = "i" if rule.startswith("IRI") else ""
    found: Parts = dict.fromkeys(("scheme", "userinfo", "host", "port"))
    if not rule.endswith("-reference") or draw(st.booleans()):
        found["scheme"] = draw(produced("scheme"))
    if draw(st.booleans()):
        found["userinfo"] = draw(optional(produced(f"{i}userinfo")))
        found["host"] = draw(produced(f"{i}host"))
        found["port"] = draw(optional(produced("port")))
        path = "path-abempty"
    else:
        relative = "path-noscheme" if found["scheme"] is None else "path-rootless"
        path = draw(st.sampled_from(("path-absolute", "path-empty", relative)))
    found["path"] = draw(produced(f"{i}{path}"))
    found["query"] = draw(optional(produced(f"{i}query")))
    found["fragment"] = draw(optional(produced(f"{i}fragment")))
    return found


@st.composite
def hostile_parts(draw: st.DrawFn) -> Parts:
    """Components, up to three of which are replaced by hostile strings or None."""
    right = draw(st.sampled_from(TYPES).flatmap(parts))
    for name in draw(st.sets(st.sampled_from(sorted(right)), max_size=3)):
        right[name] = draw(hostile() if name == "path" else optional(hostile()))
    return right
