"""Messages follow one pattern: short, in plain words, without a period at the end.

A reason or a message says what is wrong. A hint or a suggestion is an instruction. The tests read
every string of several words in the source, whether or not another test provokes it, and the
messages that are composed for invalid strings.
"""

import ast
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import uriverse
import uriverse_links
from uriverse import URI, BuildError, Rule, URIError
from uriverse._spec import GRAMMARS, build
from uriverse._spec.components import AllParts
from uriverse.diagnosis import CODES, why_invalid
from uriverse.diagnosis._checking import list_findings

SOURCE = Path(uriverse.__file__).parent
SOURCES = [
    *sorted(SOURCE.rglob("*.py")),
    *sorted(Path(uriverse_links.__file__).parent.glob("*.py")),
]
VERDICTS = Path(__file__).parents[1] / "conformance" / "data" / "verdicts.txt"

#: Modules and packages whose strings are no messages, or follow the pattern of the command line.
ELSEWHERE = {"_cli", "columns", "grammar", "testing", "__init__.py", "secrets.py", "_scopes.py"}

#: The longest reason, hint, message or suggestion, in characters.
LONGEST = 100

#: Wording that strangers stumble over, and what to write instead.
FORBIDDEN = {
    r"\bcan't\b|n't\b": '"cannot", or "is not allowed"',
    r"\bstands?\b": '"is" or "occurs"',
    r"\b(is|are) (no|none)\b(?! longer)": '"is not"',
    r"^it\b|: it\b": "the name of the component",
    r"\bleave\b.*\bout\b|^leave it\b": '"remove"',
    r"\btexts?\b(?!/)": '"string"',
    r"\bbehind\b": '"after"',
    r"\bto (some|others)\b|\bfor (some|others)\b": "the programs",
    r"\bwho(ever)?\b": "the program",
    r"\bgive\b": '"pass" or "write"',
    r"\bholds?\b": '"contains"',
    r"\bdemands?\b": '"requires"',
    r";.*;": "two sentences, or a comma",
    r"(?<!\.\.)[.!]$": "no period at the end",
    r"\?$": "an instruction",
    r"^\s|\s$|  ": "single spaces",
}

#: Strings that are not messages, or whose pattern a framework sets, by their beginnings.
EXCEPTIONS = (
    *("text-align: left", "text must be", "did you mean", "Enter a valid", "URIFields with"),
    *("pass only a host, such as URI(text)", "x is 'require', but the compiled kernel"),
    *("text cannot contain x", "the text of an element", "the pattern matches the end of the text"),
)

#: Words that may begin a message with a capital letter.
CAPITALIZED = re.compile(
    r"RFC |IDNA |IPv[46]|IPvFuture|IANA|Unicode |UTS |U\+|URN?I?s? |URIs |IRI|NID |NSS |Windows "
    r"|UNC |POSIX |DNS |Constraints |[A-Z]\w+URI\b"
)

#: A word in prose.
WORD = re.compile(r"(?<![\w.])[a-z]{2,}(?![\w.(=])")


@cache
def parse_module(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def sources() -> Iterator[tuple[Path, ast.Module]]:
    for path in SOURCES:
        if not ELSEWHERE.intersection(path.parts):
            yield path, parse_module(path)


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each string of several words, except docstrings; "x" stands for the values in it."""
    inner = set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inner.update(id(part) for value in node.values for part in ast.walk(value))
        elif isinstance(node, ast.Expr):
            inner.add(id(node.value))
    for node in ast.walk(tree):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        if id(node) not in inner and isinstance(node, ast.JoinedStr | ast.Constant):
            values = (part.value if isinstance(part, ast.Constant) else "x" for part in parts)
            text = "".join(value for value in values if isinstance(value, str)).strip()
            if len(WORD.findall(text)) >= 3 and " " in text and "(?" not in text:
                yield node.lineno, text


def faults(text: str) -> Iterator[str]:
    for pattern, advice in FORBIDDEN.items():
        if text and re.search(pattern, text):
            yield f"{text}: write {advice}"
    # A label of a domain name may be long, and `idna` words the reason.
    if len(text) > LONGEST and not text.startswith("invalid label"):
        yield f"{text}: {len(text)} characters"
    if text[:1].isupper() and not CAPITALIZED.match(text):
        yield f"{text}: begins with a capital letter"


def test_messages_in_the_source_are_short_and_plain() -> None:
    found = [
        (f"{path.name}:{line}", text) for path, tree in sources() for line, text in literals(tree)
    ]
    assert len(found) > 800
    exceptions = [text for _, text in found if text.startswith(EXCEPTIONS)]
    assert {one for text in exceptions for one in EXCEPTIONS if text.startswith(one)} == {
        *EXCEPTIONS
    }
    wrong = [(place, *faults(text)) for place, text in found if not text.startswith(EXCEPTIONS)]
    assert [one for one in wrong if len(one) > 1] == []


def build_too_long() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "LONGEST_TEXT", 5)
        parts = AllParts("http", None, "a", None, "/b", None, None)
        raise BuildError(*build.describe_build_error(parts, "URI", None, 0, by_segments=False))


#: Calls whose errors no string of the conformance data has.
CALLS: tuple[Callable[[], object], ...] = (
    build_too_long,
    lambda: URI.build(scheme="", host="a"),
    lambda: Rule("://a"),
    lambda: URI.build(scheme="http", host="a", segments=[""]),
)


def composed() -> Iterator[str]:
    for line in VERDICTS.read_text("utf-8").splitlines():
        verdict, _, case = line.partition(" ")
        rule, _, text = case.partition(" ")
        if verdict == "invalid" and rule in GRAMMARS.values():
            error = why_invalid(json.loads(text), rule)
            assert error is not None
            yield from (error.reason, error.hint)
    for call in CALLS:
        with pytest.raises(URIError) as caught:
            call()
        yield from (caught.value.reason, caught.value.hint)
    odd = ("http://1.2.3.4.5/", "http://a:0/", "http://a:x/", "file://C:/x", "urn:urn-a:b")
    for text in (*(code.example for code in CODES.values()), *odd):
        for finding in list_findings(text, "strict"):
            yield from (finding.message, finding.suggestion or "")


def test_composed_messages_are_short_and_plain() -> None:
    assert [text for text in composed() if list(faults(text))] == []


def test_codes_have_short_and_plain_messages() -> None:
    for code in CODES.values():
        for text in (code.message, code.suggestion or "remove it"):
            assert list(faults(text)) == [], code.name
            assert ";" not in text, code.name


@pytest.mark.parametrize(
    "text", ["a space can't stand there", "it is no IRI", "Do it.", "a" * 101, "leave it out"]
)
def test_the_pattern_is_guarded(text: str) -> None:
    assert list(faults(text))
    assert not list(faults('invalid character "^" in host'))
    planted = f'"""{text} it is said."""\nraise ValueError(f"{text} and {{then}} some more words")'
    assert list(literals(ast.parse(planted))) == [(2, f"{text} and x some more words")]


def test_wrong_arguments_are_described_alike() -> None:
    pattern = re.compile(
        r"must|cannot|expected|unknown|unexpected|either|moves|out of range|require"
    )
    for path, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                kind, words = ast.unparse(node.exc.func), " ".join(map(ast.unparse, node.exc.args))
                literal = re.match("f?['\"]", words) and "INVALID_PATTERN" not in words
                if kind in {"TypeError", "ValueError", "ImportError"} and literal:
                    assert pattern.search(words), f"{path.name}:{node.lineno}"


#: Values that messages may quote with `!r`: they do not come from callers, or are one character.
NOT_ARGUMENTS = {
    *("__name__", "attribute", "attribute.name", "done.stdout", "key", "option.name", "wrong[0]"),
} | {*("choice", "line[:MAX_REASON]", "rules.name", "package['__name__']")}


def test_wrong_arguments_are_quoted_without_their_secrets() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        # Messages of the command are redacted as a whole.
        if path.relative_to(SOURCE).parts[0] == "_cli":
            continue
        for function in ast.walk(parse_module(path)):
            if not isinstance(function, ast.FunctionDef) or function.name == "__getattr__":
                continue
            for node in ast.walk(function):
                if not isinstance(node, ast.Raise) or node.exc is None:
                    continue
                for value in ast.walk(node.exc):
                    if isinstance(value, ast.FormattedValue) and value.conversion == ord("r"):
                        place = f"{path.relative_to(SOURCE)}:{value.lineno}"
                        words = ast.unparse(value.value)
                        assert words in NOT_ARGUMENTS, f"{place}: write {{quoted({words})}}"
