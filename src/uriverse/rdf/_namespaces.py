"""Find the longest namespace that an IRI starts with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

#: A trie: for each character, the trie of the strings that continue with it. The key `""` marks
#: the end of a namespace.
Trie = dict[str, Any]

#: The maximum number of nested groups in a regular expression. `re` compiles groups recursively.
DEEPEST = 40

#: A function that returns an object whose item 0 is the longest namespace, or `None`.
Match = Callable[[str], Any]


def longest_match(namespaces: Iterable[str]) -> Match:
    """Return a function that finds the longest namespace at the start of an IRI.

    The function returns an object whose item 0 is the namespace, like `re.Match`; or `None` if the
    IRI starts with none of the namespaces. It ignores namespaces that `//` follows in the IRI.

    The function is that of a regular expression which is a trie: at each place where namespaces
    differ, it has one alternative for each next character. So the time for an IRI hardly depends on
    the number of namespaces.

    Args:
        namespaces: the namespaces, which are not empty.

    >>> match = longest_match(["http://a/", "http://a/b#"])
    >>> match("http://a/b#c")[0], match("http://a/c")[0], match("http://b/")
    ('http://a/b#', 'http://a/', None)
    """
    given = list(namespaces)
    trie: Trie = {}
    for namespace in given:
        node = trie
        for character in namespace:
            node = node.setdefault(character, {})
        node[""] = {}
    pattern = pattern_of(trie) if trie else "(?!)"
    if pattern is None:
        return by_length(given)
    return re.compile(f"{pattern}(?!//)").match


def pattern_of(node: Trie, depth: int = 0) -> str | None:
    """Return the pattern for a trie; `None` if it needs too many nested groups."""
    if depth > DEEPEST:
        return None
    literal = ""
    while len(node) == 1 and "" not in node:
        [(character, node)] = node.items()
        literal += re.escape(character)
    forks: list[str] = []
    for character, below in node.items():
        if character:
            rest = pattern_of(below, depth + 1)
            if rest is None:
                return None
            forks.append(re.escape(character) + rest)
    if not forks:
        return literal
    # A namespace that ends here is shorter than those that continue, so they are optional.
    return f"{literal}(?:{'|'.join(forks)}){'?' if '' in node else ''}"


def by_length(namespaces: list[str]) -> Match:
    """Return the same function as `longest_match`, for namespaces that are nested too deeply."""
    known = frozenset(namespaces)
    lengths = sorted({len(namespace) for namespace in known}, reverse=True)

    def match(text: str) -> tuple[str] | None:
        for length in lengths:
            if text[:length] in known and not text.startswith("//", length):
                return (text[:length],)
        return None

    return match
