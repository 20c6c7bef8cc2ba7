r"""Only ASCII letters and digits match the letters and digits of a grammar.

`str.lower` converts U+212A KELVIN SIGN to "k", and regular expressions that ignore case match
U+017F as "s", and U+0130 and U+0131 as "i". `\d` matches the digits of all scripts.
"""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import uriverse
import uriverse_links
from uriverse import MailtoURI, extract
from uriverse._cli.getting import complete_uri
from uriverse.http import Link, Node
from uriverse.integrations.constraints import Constraints
from uriverse.percent import encode
from uriverse.rdf import PrefixMap
from uriverse.schemes._file import replace_drive_bar

SOURCE = Path(uriverse.__file__).parent

#: Characters that some functions of Python treat as an ASCII letter or digit.
ALIKE = {"k": "\u212a", "s": "\u017f", "i": "\u0131\u0130", "1": "\u0661\uff11"}

#: Functions that return something true for a string, and such strings.
ACCEPTING: list[tuple[Callable[[str], object], str]] = [
    *((Node, "unknown"), (Link("/", (("keywords", "a"),)).get, "Keywords")),
    (MailtoURI("mailto:a@b?keywords=x").header, "Keywords"),
    (
        lambda text: MailtoURI(f"mailto:a@b?{encode(text, 'query')}=x").header("keywords"),
        "Keywords",
    ),
    (lambda text: PrefixMap.from_turtle(f"{text} <http://a/>").base, "Base"),
    (lambda text: len(PrefixMap.from_turtle(f"{text} a: <http://a/>")), "Prefix"),
    (lambda text: PrefixMap.from_turtle(f"{text} '1' BASE <http://a/>").base, "Version"),
    (lambda text: Constraints(schemes={text}).schemes == ("sk",), "SK"),
    (lambda text: complete_uri(text, "guess") != text, "a:1"),
    (lambda text: replace_drive_bar(text) != text, "file:/c|/x"),
]


#: URIs in running text.
IN_TEXT = [
    *("about:blank", "tel:1234", "sms:+1234", "geo:1,1", "doi:10.1", "tag:a,1111:b", "urn:isk1:a"),
    *("did:k1s:a", "data:k/s,a", "file:///a", "https://a.example/"),
]


def alike(text: str) -> Iterator[str]:
    """Yield the string with each letter or digit replaced by a character that looks alike."""
    for index, character in enumerate(text):
        for other in ALIKE.get(character.lower(), ""):
            yield f"{text[:index]}{other}{text[index + 1 :]}"


def accepts(function: Callable[[str], object], text: str) -> bool:
    try:
        return bool(function(text))
    except ValueError:
        return False


@pytest.mark.parametrize(("function", "text"), ACCEPTING)
def test_a_letter_or_digit_past_ascii_does_not_match_one_of_ascii(
    function: Callable[[str], object], text: str
) -> None:
    assert accepts(function, text)
    assert accepts(function, text.swapcase())
    variants = list(alike(text))
    assert variants
    for variant in variants:
        assert not accepts(function, variant), ascii(variant)


@pytest.mark.parametrize("text", IN_TEXT)
def test_the_beginning_of_a_uri_in_running_text_is_ascii(text: str) -> None:
    (found,) = extract(text)
    assert str(found.value) == text
    for variant in alike(text):
        assert not list(extract(variant)), ascii(variant)


def test_only_ascii_letters_of_a_relation_type_are_converted_to_lower_case() -> None:
    assert Link("/", (("rel", "\u00c3A"),)).rel == ("\u00c3a",)


#: Patterns that ignore the case of letters past ASCII too, with the reason.
FOLDING = {
    "diagnosis/_extraction.py": "they find text around a candidate, whose scheme is read as ASCII",
    "diagnosis/_ambiguity.py": "browsers map the host localho\u017ft to localhost",
    "_cli/strings_in_files.py": "the grammar decides about the scheme of a candidate",
    "_guard_text.py": "renderers link domains with letters past ASCII",
    "diagnosis/_rules.py": "the pattern has no letters but those of hexadecimal digits",
}


def folding() -> Iterator[str]:
    """Yield the modules with patterns that ignore case and are not restricted to ASCII."""
    links = Path(uriverse_links.__file__).parent
    for folder, path in [(f, p) for f in (SOURCE, links) for p in f.rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(args=arguments):
                    flags = [ast.unparse(argument) for argument in arguments]
                    ignores = any("IGNORECASE" in flag and "ASCII" not in flag for flag in flags)
                case ast.Constant(value=str(text)):
                    ignores = "(?i" in text
                case _:
                    ignores = False
            if ignores:
                yield path.relative_to(folder).as_posix()


def test_patterns_ignore_only_the_case_of_ascii_letters() -> None:
    assert set(folding()) <= set(FOLDING)
