"""Generate modules of `uriverse._spec.grammar` from the ABNF of the RFCs.

    python tools/make_grammar.py            write the modules
    python tools/make_grammar.py --check    fail if a module is out of date

Each `rfcNNNN.abnf` becomes a module `rfcNNNN.py`, with a regular expression for each rule. A rule
that matches a single character becomes the inside of a bracket expression, so that other rules can
include it. `_spec/tables.py` contains the same character classes for the compiled kernel, with one
bit for each class.

The generated patterns differ from the ABNF in three ways:

- Unbounded repetitions are possessive. In these grammars, whatever follows a repetition never
  begins with a character that the repetition matches. So backtracking would never find a match, and
  without backtracking, matching takes linear time.
- If a repetition has alternatives, a run of single characters is matched in one step.
- `*( "/" segment )` is empty, or a slash and then any segments and slashes. So the pattern matches
  all segments and slashes after the first slash in one repetition.

The tests compare every rule with an independent ABNF interpreter.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from generated import write_or_check

GRAMMAR = Path(__file__).resolve().parent.parent / "src" / "uriverse" / "_spec" / "grammar"

# For each RFC: the RFCs whose rules it uses, and the title of its module.
DOCUMENTS = {
    "rfc5234": ((), "The rules that the grammars of URIs and IRIs share (RFC 5234, Appendix B.1)"),
    "rfc3986": (("rfc5234",), "The grammar of URIs (RFC 3986, Appendix A), as regular expressions"),
    "rfc3987": (
        ("rfc5234", "rfc3986"),
        "The grammar of IRIs (RFC 3987, 2.2), as regular expressions",
    ),
    "rfc6570": (
        ("rfc5234", "rfc3986", "rfc3987"),
        "The grammar of URI Templates (RFC 6570, 2), as regular expressions",
    ),
}

# The character classes of the kernel, and the rules whose characters they contain.
CLASSES = {
    "ALPHA": ("ALPHA",),
    "DIGIT": ("DIGIT",),
    "HEXDIG": ("HEXDIG",),
    "SCHEME": ("scheme",),
    "REG_NAME": ("reg-name",),
    "USERINFO": ("userinfo",),
    "PATH": ("segment", '"/"'),
    "QUERY": ("query",),
    "UNRESERVED": ("unreserved",),
    "SEGMENT": ("segment",),
    "SEGMENT_NC": ("segment-nz-nc",),
}


@dataclass(frozen=True)
class Characters:
    """A single character out of a set, given as inclusive ranges of code points."""

    ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Literal:
    text: str


@dataclass(frozen=True)
class Reference:
    rule: str


@dataclass(frozen=True)
class Sequence:
    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Choice:
    options: tuple[Node, ...]


@dataclass(frozen=True)
class Repetition:
    least: int
    most: int | None
    part: Node


Node = Characters | Literal | Reference | Sequence | Choice | Repetition


# --- parsing ABNF (RFC 5234, section 4) ------------------------------------

TOKEN = re.compile(
    r"""(?P<repeat>\d*\*\d*|\d+)(?=[\w"(<%\[])
      | (?P<name>[A-Za-z][\w-]*) | "(?P<literal>[^"]*)"
      | %x(?P<low>[0-9A-F]+)(?:-(?P<high>[0-9A-F]+))?
      | <(?P<prose>[\w-]+)> | (?P<mark>[/()\[\]]) | ;[^\n]* | \s+""",
    re.VERBOSE,
)


def rule_texts(document: str) -> dict[str, str]:
    """Return the rules of a document by name, as written."""
    lines = [line for line in document.splitlines() if not line.startswith(";")]
    blocks = re.split(r"\n(?=[A-Za-z])", "\n".join(lines).strip())
    return {block.split("=")[0].strip(): block.strip() for block in blocks}


def parsed(rule_text: str) -> Node:
    """Parse the right-hand side of a rule."""
    tokens = [match for match in tokenised(rule_text.split("=", 1)[1]) if match.lastgroup]
    node, rest = choice(tokens)
    assert not rest, f"left over: {rest}"
    return node


def tokenised(body: str) -> Iterator[re.Match[str]]:
    position = 0
    while position < len(body):
        match = TOKEN.match(body, position)
        assert match, f"not ABNF: {body[position:]!r}"
        yield match
        position = match.end()


Tokens = list[re.Match[str]]


def choice(tokens: Tokens) -> tuple[Node, Tokens]:
    option, tokens = sequence(tokens)
    options = [option]
    while tokens and tokens[0]["mark"] == "/":
        option, tokens = sequence(tokens[1:])
        options.append(option)
    return (Choice(tuple(options)) if len(options) > 1 else option), tokens


def sequence(tokens: Tokens) -> tuple[Node, Tokens]:
    parts: list[Node] = []
    while tokens and tokens[0]["mark"] not in {"/", ")", "]"}:
        part, tokens = element(tokens)
        parts.append(part)
    return (Sequence(tuple(parts)) if len(parts) != 1 else parts[0]), tokens


def element(tokens: Tokens) -> tuple[Node, Tokens]:
    token, rest = tokens[0], tokens[1:]
    if token["repeat"]:
        part, rest = element(rest)
        least, star, most = token["repeat"].partition("*")
        high = int(most) if most else (None if star else int(least))
        return Repetition(int(least or 0), high, part), rest
    if token["mark"] == "(":
        node, rest = choice(rest)
        return node, rest[1:]
    if token["mark"] == "[":
        node, rest = choice(rest)
        return Repetition(0, 1, node), rest[1:]
    if token["literal"] is not None:
        return literal(token["literal"]), rest
    if token["low"]:
        low = int(token["low"], 16)
        return Characters(((low, int(token["high"] or token["low"], 16)),)), rest
    return Reference(token["name"] or token["prose"]), rest


def literal(text: str) -> Node:
    """Return the node of a quoted string, whose letters are case-insensitive (RFC 5234, 2.3)."""
    if len(text) != 1:
        assert not any(map(str.isalpha, text)), text
        return Literal(text)
    return Characters(tuple(sorted({(ord(c), ord(c)) for c in (text.lower(), text.upper())})))


# --- writing patterns -------------------------------------------------------


class Rules(dict[str, Node]):
    """All rules by name, and the methods that generate patterns from them."""

    def options(self, node: Node, *, seen_through: bool = False) -> list[Node]:
        """Return the alternatives of a node, including those of nested choices.

        References to character classes are kept. With `seen_through`, a reference to any other
        choice, such as `pchar`, is replaced by the alternatives of that choice.
        """
        if isinstance(node, Choice):
            return [
                o
                for option in node.options
                for o in self.options(option, seen_through=seen_through)
            ]
        meant = self[node.rule] if seen_through and isinstance(node, Reference) else node
        if isinstance(meant, Choice) and not self.is_class(meant):
            return self.options(meant, seen_through=True)
        return [node]

    def is_class(self, node: Node) -> bool:
        """Return whether a node matches exactly one character out of a set."""
        match node:
            case Characters():
                return True
            case Choice(options):
                return all(map(self.is_class, options))
            case Reference(rule):
                return self.is_class(self[rule])
            case _:
                return False

    def code_points(self, node: Node) -> set[int]:
        """Return all characters that can occur in a match of a node, except in triplets."""
        match node:
            case Characters(ranges):
                return {c for low, high in ranges for c in range(low, high + 1)}
            case Choice(parts) | Sequence(parts):
                return set().union(*map(self.code_points, parts))
            case Reference("pct-encoded"):
                return set()
            case Reference(rule):
                return self.code_points(self[rule])
            case Repetition(_, _, part):
                return self.code_points(part)
            case Literal(text):
                return set(map(ord, text))

    # The methods below return the content of an f-string, in which `{name}` is another rule.

    def bracket(self, nodes: list[Node]) -> str:
        """Return the inside of a bracket expression: other classes by name, then characters."""
        names = [n.rule for n in nodes if isinstance(n, Reference)]
        own = sorted(r for n in nodes if isinstance(n, Characters) for r in n.ranges)
        return "".join(f"{{{identifier(n)}}}" for n in names) + "".join(
            escaped(low) if low == high else f"{escaped(low)}-{escaped(high)}"
            for low, high in joined(own)
        )

    def pattern(self, node: Node) -> str:
        match node:
            case Characters():
                text = self.bracket([node])
                single = node.ranges[0][0] == node.ranges[0][1] and len(node.ranges) == 1
                return doubled(re.escape(chr(node.ranges[0][0]))) if single else f"[{text}]"
            case Literal(text):
                return doubled(re.escape(text))
            case Reference(rule):
                return (
                    f"[{{{identifier(rule)}}}]"
                    if self.is_class(node)
                    else f"{{{identifier(rule)}}}"
                )
            case Sequence(parts):
                return "".join(map(self.pattern, parts))
            case Choice():
                return self.alternatives(self.options(node), run="")
            case Repetition(_, 0, _):
                return ""
            case Repetition(least, None, part):
                assert least in {0, 1}
                return self.possessive(part, "*+" if least == 0 else "++")
            case Repetition(0, 1, part):
                return f"{self.group(part)}?"
            case Repetition(least, most, part):
                times = f"{{{{{least}}}}}" if least == most else f"{{{{{least},{most}}}}}"
                return self.group(part) + times

    def alternatives(self, options: list[Node], run: str) -> str:
        singles = [option for option in options if self.is_class(option)]
        others = [self.pattern(option) for option in options if not self.is_class(option)]
        first = [f"[{self.bracket(singles)}]{run}"] if singles else []
        texts = first + others
        return texts[0] if len(texts) == 1 else f"(?:{'|'.join(texts)})"

    def possessive(self, part: Node, quantifier: str) -> str:
        match part:
            case Sequence((Characters() as first, Reference(rule))):
                match self[rule]:
                    case Repetition(0, None, inner) if quantifier == "*+":
                        rest = self.possessive(Choice((first, inner)), "*+")
                        return f"(?:{self.pattern(first)}{rest})?"
        options = self.options(part, seen_through=True)
        if all(map(self.is_class, options)):
            return self.alternatives(options, run=quantifier)
        if len(options) > 1:
            return self.alternatives(options, run="++") + quantifier
        return f"(?:{self.pattern(part)}){quantifier}"

    def group(self, part: Node) -> str:
        text = self.pattern(part)
        single = isinstance(part, Characters | Reference | Choice) and self.is_class(part)
        return text if single else f"(?:{text})"


def joined(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Merge adjacent ranges if the result has at least three characters."""
    index = 0
    while index < len(ranges):
        low, high = ranges[index]
        last = index
        while last + 1 < len(ranges) and ranges[last + 1][0] == high + 1:
            last += 1
            high = ranges[last][1]
        if high - low >= 2 or last == index:
            yield low, high
        else:
            yield from ranges[index : last + 1]
        index = last + 1


def escaped(code_point: int) -> str:
    if code_point > 0xFFFF:
        return f"\\U{code_point:08X}"
    if code_point > 0x7E:
        return f"\\u{code_point:04X}"
    character = chr(code_point)
    return f"\\{character}" if character in "\\]^-[" else character


def doubled(text: str) -> str:
    """Double the braces of a literal, because patterns are written as f-strings."""
    return text.replace("{", "{{").replace("}", "}}")


def identifier(rule: str) -> str:
    return rule.replace("-", "_")


# --- the modules --------------------------------------------------------------


def in_order(names: list[str], rules: Rules) -> list[str]:
    """Sort rules so that each follows the rules it uses; otherwise reverse the order of the RFC."""
    done: list[str] = []

    def visit(name: str) -> None:
        if name in done or name not in names:
            return
        for other in references(rules[name]):
            visit(other)
        done.append(name)

    for name in reversed(names):
        visit(name)
    return done


def references(node: Node) -> Iterator[str]:
    match node:
        case Reference(rule):
            yield rule
        case Sequence(parts) | Choice(parts):
            for part in parts:
                yield from references(part)
        case Repetition(_, _, part):
            yield from references(part)


HEADER = '''"""{title}.

Generated from `{name}.abnf` by `tools/make_grammar.py`. Each comment quotes a rule,
and the variable after the comment contains the regular expression of the rule. If the rule matches
a single character, the expression is the inside of a bracket expression.
"""
'''

TABLE = """\
#: The complete regular expression of each rule, by the name of the rule in the RFC.
RULES = {{
{entries}}}
"""


def module(name: str, rules: Rules, texts: dict[str, str]) -> str:
    imported, title = DOCUMENTS[name]
    body = "\n".join(definition(rule, rules, texts[rule]) for rule in in_order(list(texts), rules))
    imports = "".join(
        f"from .{source} import {', '.join(sorted(wanted, key=isort_key))}\n"
        for source in sorted(imported)
        if (wanted := [n for n in names_in(source) if f"{{{n}}}" in body])
    )
    entries = "".join(
        f'    "{rule}": f"[{{{identifier(rule)}}}]",\n'
        if rules.is_class(rules[rule])
        else f'    "{rule}": {identifier(rule)},\n'
        for rule in texts
    )
    head = HEADER.format(title=title, name=name)
    return "\n".join(filter(None, [head, imports, body, TABLE.format(entries=entries)]))


def definition(rule: str, rules: Rules, text: str) -> str:
    """Return a rule as a comment, followed by the assignment of its pattern."""
    comment = "\n".join(f"# {line}".rstrip() for line in text.splitlines())
    node = rules[rule]
    if rules.is_class(node):
        return f"{comment}\n{assignment(identifier(rule), rules.bracket(rules.options(node)))}\n"
    return f"{comment}\n{assignment(identifier(rule), rules.pattern(node))}\n"


def names_in(document: str) -> list[str]:
    return [
        identifier(rule) for rule in rule_texts((GRAMMAR / f"{document}.abnf").read_text("utf-8"))
    ]


def isort_key(name: str) -> tuple[int, str]:
    """Return the key by which ruff sorts imported names: constants, classes, other names."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def assignment(name: str, value: str) -> str:
    """Return `name = rf"..."`; a long pattern is split at its alternatives."""
    prefix = ("r" if "\\" in value else "") + ("f" if "{" in value else "")
    line = f"{name} = {prefix}{quoted(value)}"
    if len(line) <= 100:
        return line
    pieces = re.split(
        r"(?<=[|}])(?=[\\(:\[{|])" if "{" in value else r"(?<=[0-9A-F])(?=\\U)", value
    )
    rows = [""]
    for piece in pieces:
        if len(rows[-1]) + len(piece) > 84:
            rows.append("")
        rows[-1] += piece
    return "\n".join([f"{name} = (", *(f"    {prefix}{quoted(row)}" for row in rows), ")"])


def quoted(text: str) -> str:
    assert '"' not in text, text
    return f'"{text}"'


def tables(rules: Rules) -> str:
    sets = {
        name: set().union(*(rules.code_points(parsed(f"_ = {rule}")) for rule in members))
        for name, members in CLASSES.items()
    }
    flags = [sum(1 << bit for bit, name in enumerate(sets) if c in sets[name]) for c in range(256)]
    rows = [
        '    "'
        + "".join(flag.to_bytes(2, "little").hex() for flag in flags[start : start + 16])
        + '"'
        for start in range(0, 256, 16)
    ]
    ranges = {
        name: list(joined(sorted(r for o in rules.options(rules[name]) for r in o.ranges)))  # type: ignore[union-attr]
        for name in ("ucschar", "iprivate")
    }
    lines = [
        '"""Character classes for the compiled kernel.',
        "",
        "Generated from the ABNF files by `tools/make_grammar.py`.",
        '"""',
        "",
        "#: The bit of each character class in `FLAGS`. A class contains the characters that are",
        "#: allowed in the rule of the same name. `PATH` has those of `segment`, and the slash.",
        "CLASSES = {",
        *(f'    "{name}": {1 << bit},' for bit, name in enumerate(sets)),
        "}",
        "",
        "#: For each byte, the classes that contain it, as a little-endian 16-bit number.",
        "#: Non-ASCII bytes are in no class.",
        "FLAGS = bytes.fromhex(",
        *rows,
        ")",
    ]
    for name, found in ranges.items():
        lines += [
            "",
            f"#: The code points of `{name}`, as inclusive ranges.",
            f"{name.upper()} = (",
            *(f"    (0x{low:X}, 0x{high:X})," for low, high in found),
            ")",
        ]
    return "\n".join(lines) + "\n"


def made() -> dict[Path, str]:
    """Return the content of each module by its path."""
    rules = Rules()
    documents = {
        name: rule_texts((GRAMMAR / f"{name}.abnf").read_text("utf-8")) for name in DOCUMENTS
    }
    for texts in documents.values():
        rules.update({rule: parsed(text) for rule, text in texts.items()})
    files = {
        GRAMMAR / f"{name}.py": module(name, rules, texts) for name, texts in documents.items()
    }
    return {**files, GRAMMAR.parent / "tables.py": tables(rules)}


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, made()))
