"""Read ABNF (RFC 5234) into nested tuples: one expression for each rule.

This shares no code with `tools/make_grammar.py`, so that a mistake in either of them is found.

These tuples are the expressions:

    ("range", first, last)     one character, by its code points
    ("rule", name)             a reference, with the name in lower case
    ("row", expressions)       one after the other
    ("choice", expressions)    any of them
    ("loop", least, most, expression)      most is None without a limit
    ("except", name, name)     the strings of the first rule that the second does not produce

The last is no ABNF; it is written as a prose value, `<rule except rule>`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, TypeAlias

Expression: TypeAlias = tuple[Any, ...]

#: The folders of ABNF files: our own, and that of the RFCs.
FOLDERS = (
    Path(__file__).parent / "grammar",
    Path(__file__).parents[2] / "src" / "uriverse" / "_spec" / "grammar",
)

TOKEN = re.compile(
    r"""(?P<name>[A-Za-z][A-Za-z0-9-]*) | "(?P<text>[^"]*)" | <(?P<prose>[A-Za-z-]+)>
      | <(?P<kept>[A-Za-z0-9-]+)[ ]except[ ](?P<dropped>[A-Za-z0-9-]+)>
      | %x(?P<first>[0-9A-F]+)(?:-(?P<last>[0-9A-F]+))? | %d(?P<from>[0-9]+)-(?P<to>[0-9]+)
      | (?P<times>[0-9]*\*[0-9]*|[0-9]+) | (?P<sign>[=/()\[\]]) | (?P<skip>[ \n]+|;[^\n]*)""",
    re.VERBOSE,
)


def read_rules(*names: str) -> dict[str, Expression]:
    """Read the rules of ABNF files by their names in lower case; a later file replaces rules."""
    rules: dict[str, Expression] = {}
    for name in names:
        [path] = (path for folder in FOLDERS if (path := folder / f"{name}.abnf").exists())
        rules |= parse_rules(path.read_text("utf-8"))
    return rules


def parse_rules(text: str) -> dict[str, Expression]:
    """Parse the rules of an ABNF document; each starts in the first column of a line."""
    rules: dict[str, Expression] = {}
    for definition in re.split(r"^(?=[A-Za-z])", text, flags=re.MULTILINE)[1:]:
        tokens = []
        end = 0
        while end < len(definition):
            match = TOKEN.match(definition, end)
            if match is None:
                raise ValueError(f"not ABNF: {definition[end:]!r}")
            if not match["skip"]:
                tokens.append(match)
            end = match.end()
        name, equals, *rest = tokens
        assert name["name"], definition
        assert equals["sign"] == "=", definition
        rules[name["name"].lower()] = parse_choice(rest)
        assert not rest, definition
    return rules


def parse_choice(tokens: list[re.Match[str]]) -> Expression:
    rows = [parse_row(tokens)]
    while tokens and tokens[0]["sign"] == "/":
        del tokens[0]
        rows.append(parse_row(tokens))
    return ("choice", rows)


def parse_row(tokens: list[re.Match[str]]) -> Expression:
    parts = []
    while tokens and (tokens[0]["sign"] or "(") in "([":
        parts.append(parse_repetition(tokens))
    return ("row", parts)


def parse_repetition(tokens: list[re.Match[str]]) -> Expression:
    times = tokens[0]["times"]
    if times is None:
        return parse_element(tokens)
    del tokens[0]
    least, star, most = times.partition("*")
    limit = int(most or least) if most or not star else None
    return ("loop", int(least or 0), limit, parse_element(tokens))


def parse_element(tokens: list[re.Match[str]]) -> Expression:
    token = tokens.pop(0)
    if token["sign"]:
        inside = parse_choice(tokens)
        del tokens[0]
        return ("loop", 0, 1, inside) if token["sign"] == "[" else inside
    if token["text"] is not None:  # letters match both cases (RFC 5234, 2.3)
        return ("row", [letter_in_both_cases(letter) for letter in token["text"]])
    if token["first"]:
        return ("range", int(token["first"], 16), int(token["last"] or token["first"], 16))
    if token["from"]:
        return ("range", int(token["from"]), int(token["to"]))
    if token["kept"]:
        return ("except", token["kept"].lower(), token["dropped"].lower())
    return ("rule", (token["name"] or token["prose"]).lower())


def letter_in_both_cases(letter: str) -> Expression:
    return ("choice", [("range", ord(c), ord(c)) for c in sorted({letter.lower(), letter.upper()})])
