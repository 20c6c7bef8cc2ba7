"""Count the habits of names that a reader stumbles over, in Python and in Cython.

    python tools/count_names.py            # the counts; shares are in percent
    python tools/count_names.py --list     # also each name that is counted
    python tools/count_names.py --check    # fail if a count exceeds its limit
    python tools/count_names.py FOLDER     # the counts of a folder or a file

A function is a verb and its object: `decode_triplets`, not `decoded` or `triplets_of`. A local says
which thing it holds: `header_name`, not `found` or `given`. The exit status of `--check` is 1 if a
count exceeds its limit.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("src", "links/src", "compare/src")

#: Names that begin with a participle, and verbs that look like one.
PARTICIPLE = re.compile(
    r"(?:[a-z]+ed|built|found|written|made|known|kept|read|drawn|sent|given|told|shown|taken|left"
    r"|cut|bound|held|spelled|hidden|put|met|gone|seen|said)(?:_|$)"
)
IMPERATIVES = {
    *("read", "feed", "embed", "need", "seed", "speed", "cut", "put", "shed", "bed"),
    *("proceed", "exceed", "succeed"),
}
PREPOSITION = re.compile(r"_(?:of|at|in|for|with|after|below|before|between|as)$")
VAGUE = {
    *("found", "given", "written", "told", "shown", "made", "kept", "form", "place", "each"),
    *("rest", "there", "ahead", "whole"),
}
WEAK = {"result", "data", "value", "item", "entry", "info", "obj"}
LOWERCASE_RAISE = re.compile(r"\braise [a-z_]+\(")

#: A function of Cython with its parameters, an assignment, a declaration without its type, and what
#: is no code.
CYTHON_FUNCTION = re.compile(
    r"^( *)(?:cdef|cpdef|def) +(?:inline +)?(?:[\w\[\]*,. ]+?[ *]+)?(\w+)\(", re.MULTILINE
)
CYTHON_DECLARATION = re.compile(r"^ +cdef (?:const |unsigned )*[\w.]+(?:\[[^]]*\])?[ *]+(.+)$")
CYTHON_ASSIGNMENT = re.compile(
    r"^ +(?:for +)?([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*) (?:(?:[-+*|&^]|//|<<|>>)?=|in) "
)
CYTHON_COMMENT = re.compile(r'"""(?:.|\n)*?"""|#[^\n]*')


class Function(NamedTuple):
    """A function, its line, and the names of its parameters and locals."""

    name: str
    line: int
    names: frozenset[str]
    is_global: bool = False


class Limit(NamedTuple):
    """The largest value of a count, or the smallest if `is_least`."""

    bound: float
    is_least: bool = False


#: The limit of each count. `weak_locals` is the number when the limit was set, and only ever falls.
LIMITS = {
    "participles": Limit(2.0),
    "prepositions": Limit(2.0),
    "vague_locals": Limit(2.0),
    "weak_locals": Limit(403),
    "shared_names": Limit(12.0),
    "words": Limit(2.0, is_least=True),
    "lowercase_raises": Limit(5),
}


class Source:
    """The functions of a file, and its `raise` statements without a class."""

    def __init__(self, path: Path) -> None:
        text = path.read_text("utf-8")
        self.path = path
        self.is_python = path.suffix == ".py"
        self.functions = [*(list_python(text) if self.is_python else list_cython(text))]
        self.lowercase_raises = [
            (text.count("\n", 0, match.start()) + 1, match[0])
            for match in LOWERCASE_RAISE.finditer(text)
        ]


def list_python(text: str) -> Iterator[Function]:
    """Yield the functions of a Python module, without properties, overloads and special methods."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        decorators = " ".join(map(ast.unparse, node.decorator_list))
        if node.name.startswith("__") or re.search("property|overload|setter", decorators):
            continue
        stored = {
            child.id
            for child in ast.walk(node)
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)
        }
        parameters = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
        yield Function(node.name, node.lineno, frozenset(stored | parameters), node in tree.body)


def list_cython(text: str) -> Iterator[Function]:
    """Yield the functions of a Cython file, without special methods and declarations."""
    code = CYTHON_COMMENT.sub(lambda match: "\n" * match[0].count("\n"), text)
    for match in CYTHON_FUNCTION.finditer(code):
        signature_end = find_closing(code, match.end())
        header, _, body = code[signature_end:].partition("\n")
        if match[2].startswith("__") or not header.endswith(":"):
            continue
        names = {read_declared(piece) for piece in code[match.end() : signature_end].split(",")}
        for line in body.split("\n"):
            if line and not line.startswith(f"{match[1]} "):
                break
            names |= read_line(line)
        names -= {"", "self", "cls"}
        yield Function(match[2], code.count("\n", 0, match.start()) + 1, frozenset(names))


def find_closing(code: str, start: int) -> int:
    """Return the index after the parenthesis that closes the one before `start`."""
    depth = 1
    for match in re.compile(r"[()]").finditer(code, start):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return match.end()
    return len(code)


def read_declared(piece: str) -> str:
    """Return the name in a declaration such as `const char* name[2] = value`, without its type."""
    declaration = piece.partition("=")[0].replace(" not None", "")
    words = re.findall(r"[A-Za-z_]\w*", re.sub(r"\[.*|\)$", "", declaration))
    return words[-1] if words else ""


def read_line(line: str) -> set[str]:
    """Return the names that a line declares or assigns."""
    if match := CYTHON_DECLARATION.match(line):
        # Commas within parentheses and brackets do not separate declarations.
        pieces = re.sub(r"\([^()]*\)|\[[^][]*\]", "", match[1]).split(",")
        return {read_declared(piece) for piece in pieces}
    if match := CYTHON_ASSIGNMENT.match(line):
        return {name.strip() for name in match[1].split(",")}
    return set()


def list_habits(function: Function) -> Iterator[tuple[str, str]]:
    """Yield the habits of a function by the names in `LIMITS`, each with its reason."""
    plain = function.name.lstrip("_")
    if PARTICIPLE.match(plain) and plain.split("_")[0] not in IMPERATIVES:
        yield "participles", "is named by a participle"
    elif PREPOSITION.search(plain):
        yield "prepositions", "ends in a preposition"
    if vague := sorted(function.names & VAGUE):
        yield "vague_locals", f"has vague locals: {', '.join(vague)}"


def count_habits(sources: Sequence[Source]) -> tuple[dict[str, float], list[str]]:
    """Return the counts by the names in `LIMITS`, and a line for each name that is counted."""
    functions = [(source, function) for source in sources for function in source.functions]
    habits: Counter[str] = Counter()
    files: defaultdict[str, set[Path]] = defaultdict(set)
    reasons = [
        f"{source.path}:{line}: raise a class in place: {statement}...)"
        for source in sources
        for line, statement in source.lowercase_raises
    ]
    for source, function in functions:
        for habit, reason in list_habits(function):
            habits[habit] += 1
            reasons.append(f"{source.path}:{function.line}: {function.name} {reason}")
        if function.is_global:
            files[function.name.lstrip("_")].add(source.path)
    shared = {name: paths for name, paths in files.items() if len(paths) > 1}
    reasons += [
        f"{name} is in several modules: {', '.join(sorted(map(str, paths)))}"
        for name, paths in sorted(shared.items())
    ]
    words = sum(len(function.name.strip("_").split("_")) for _, function in functions)
    shares = {
        name: compute_percentage(habits[name], len(functions))
        for name in ("participles", "prepositions", "vague_locals")
    }
    return {
        **shares,
        "weak_locals": sum(len(function.names & WEAK) for _, function in functions),
        "shared_names": compute_percentage(
            sum(map(len, shared.values())), sum(map(len, files.values()))
        ),
        "words": words / len(functions) if functions else LIMITS["words"].bound,
        "lowercase_raises": sum(len(source.lowercase_raises) for source in sources),
    }, reasons


def compute_percentage(part: int, total: int) -> float:
    return 100 * part / total if total else 0.0


def list_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the Python and Cython files in folders, and files themselves."""
    for path in paths:
        if path.is_file():
            yield path
        for suffix in ("py", "pyx", "pxd", "pxi"):
            yield from sorted(path.rglob(f"*.{suffix}"))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Count the habits of names that stop a reader.")
    parser.add_argument("paths", nargs="*", type=Path, help="files and folders to count")
    parser.add_argument("--list", action="store_true", help="list each name that is counted")
    parser.add_argument("--check", action="store_true", help="fail if a count exceeds its limit")
    options = parser.parse_args(arguments)
    paths = options.paths or [ROOT / folder for folder in FOLDERS]
    counts, reasons = count_habits([*map(Source, list_files(paths))])
    if options.list:
        print(*reasons, sep="\n")
    exceeds = False
    for name, count in counts.items():
        bound, is_least = LIMITS[name]
        is_wrong = count < bound if is_least else count > bound
        exceeds |= is_wrong
        advice = "; --list shows the names" if is_wrong else ""
        print(f"{name:17}{count:5.1f}, {'at least' if is_least else 'at most'} {bound:g}{advice}")
    return int(options.check and exceeds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
