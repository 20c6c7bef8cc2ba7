"""The Public Suffix List: its format, and the algorithm that applies its rules ([the wiki][1]).

[1]: https://github.com/publicsuffix/list/wiki/Format
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from uriverse._patterns import lazy_pattern

from ._names import to_a_labels

#: The line of the list that contains its version.
VERSION = lazy_pattern(r"(?m)^// VERSION: (.+?)\s*$")

#: The lines around the rules that organizations have added for their own domains.
BEGIN_PRIVATE = "// ===BEGIN PRIVATE DOMAINS==="
END_PRIVATE = "// ===END PRIVATE DOMAINS==="


def version_of(text: str) -> str | None:
    """Return the version of a list, such as `2026-10-22_08-36-41_UTC`, if it contains one."""
    found = VERSION.search(text)
    return found[1] if found else None


def rules_in(text: str, *, private: bool) -> Iterator[str]:
    """Yield the rules of a list in lower case, with domain names as A-labels.

    Args:
        text: the list.
        private: whether to include the rules of the private section.
    """
    in_private = False
    for line in text.split("\n"):
        # "Each line is only read up to the first whitespace."
        rule = line.split(maxsplit=1)[0] if line[:1].strip() else ""
        if line.startswith((BEGIN_PRIVATE, END_PRIVATE)):
            in_private = line.startswith(BEGIN_PRIVATE)
        elif rule and not rule.startswith("//") and (private or not in_private):
            yield to_a_labels(rule.lower())


class Node:
    """A node of a trie of rules, whose labels are in reverse order.

    Attributes:
        children: the next nodes by label; the label `*` matches every label.
        is_rule: whether a rule ends here.
        is_exception: whether an exception rule ends here.
    """

    __slots__ = ("children", "is_exception", "is_rule")

    def __init__(self) -> None:
        self.children: dict[str, Node] = {}
        self.is_rule = self.is_exception = False


def trie_of(rules: Iterable[str]) -> Node:
    """Return the trie of rules."""
    root = Node()
    for rule in rules:
        node = root
        for label in reversed(rule.removeprefix("!").split(".")):
            node = node.children.setdefault(label, Node())
        node.is_exception |= rule.startswith("!")
        node.is_rule |= not rule.startswith("!")
    return root


def count_suffix_labels(labels: list[str], root: Node) -> int:
    """Return the number of labels in the public suffix of a domain.

    Args:
        labels: the labels of the domain, in lower case and as A-labels.
        root: the trie of rules.
    """
    # "If no rules match, the prevailing rule is `*`."
    most, nodes, exception = 1, [root], 0
    for depth, label in enumerate(reversed(labels), 1):
        nodes = [
            node.children[key] for node in nodes for key in {label, "*"} if key in node.children
        ]
        if not nodes:
            break
        if any(node.is_rule for node in nodes):
            most = depth
        if any(node.is_exception for node in nodes):
            exception = depth
    # "If more than one rule matches, the prevailing rule is the one which is an exception rule.
    # [...] If the prevailing rule is an exception rule, modify it by removing the leftmost label."
    return max(exception - 1, 1) if exception else most
