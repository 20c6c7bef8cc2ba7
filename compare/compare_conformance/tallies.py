"""Counts of differences, and of the findings that concern them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from compare_conformance.cells import by_target
from compare_conformance.clients import MAINSTREAM
from compare_conformance.explaining import explaining
from compare_conformance.kinds import KINDS, accepted, connected, is_due
from conformance.dialing.verifying import LOOPBACK, merged
from uriverse.diagnosis._checking import list_findings
from uriverse_compare import Comparison, Target
from uriverse_compare._comparison import moves_host

#: The titles of the strings that nobody chose.
RANDOM, REAL = "Random strings", "Real links"

#: Matches hosts to which a connection may succeed: IP addresses, and names that consist of the
#: characters of RFC 1123, 2.1, and of underscores, which many resolvers accept.
POSSIBLE = re.compile(r"[a-z0-9._-]+|[0-9a-f:.]+", re.ASCII)


@dataclass
class Class:
    """The strings for which `check` reports a finding.

    Attributes:
        code: the code of the finding.
        flagged: the number of strings with the finding.
        strings: those in which parsers differ, and the finding concerns the difference.
        alone: those in which no other finding concerns the difference.
        requested: the number of strings with the finding that clients requested.
        clients: those in which clients differ, and the finding concerns the difference.
        example: one of `strings`, if possible a short `http` URI without another finding.
    """

    code: str
    flagged: int = 0
    strings: int = 0
    alone: int = 0
    requested: int = 0
    clients: int = 0
    example: str = ""
    rank: tuple[bool, bool, int] = (True, True, 0)

    def add_difference(self, text: str, codes: set[str]) -> None:
        self.strings += 1
        self.alone += codes == {self.code}
        rank = (codes != {self.code}, not text.startswith("http://"), len(text))
        if not self.example or rank < self.rank:
            self.example, self.rank = text, rank

    def as_json(self) -> dict[str, Any]:
        return {name: data for name, data in vars(self).items() if name != "rank"}


@dataclass
class Due:
    """The strings with a difference that is due to a kind of characters (`kinds.py`).

    Attributes:
        parsers: those in which two parsers differ.
        parsers_found: those of them in which a finding of the kind concerns the difference.
        clients: those in which two parsers differ whose software connects to the host.
        clients_found: those of them in which a finding of the kind concerns the difference.
    """

    parsers: int = 0
    parsers_found: int = 0
    clients: int = 0
    clients_found: int = 0


@dataclass
class Tally:
    """The counts of a set of strings.

    Attributes:
        strings: the number of strings.
        different: those in which two parsers find different hosts or ports.
        explained: those of them in which a finding concerns the difference.
        flagged: the number of strings with a finding that can move a host.
        requested: the number of strings that clients requested.
        clients: those for which two clients connect to different hosts or ports.
        clients_explained: those of them in which a finding concerns the difference.
        clients_possible: those of `clients` for which two of the hosts are possible.
        mainstream: those for which two mainstream clients connect to different hosts or ports.
        mainstream_possible: those of `mainstream` for which two of the hosts are possible.
        classes: the counts of each finding.
        unexplained: the strings with different connections that no finding concerns, and the
            clients of each host and port.
        due: the counts of each kind of characters, by its title.
        any_due: the number of strings with a difference that is due to at least one kind.
    """

    strings: int = 0
    different: int = 0
    explained: int = 0
    flagged: int = 0
    requested: int = 0
    clients: int = 0
    clients_explained: int = 0
    clients_possible: int = 0
    mainstream: int = 0
    mainstream_possible: int = 0
    classes: dict[str, Class] = field(default_factory=dict)
    unexplained: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    due: dict[str, Due] = field(default_factory=dict)
    any_due: int = 0

    def of(self, code: str) -> Class:
        return self.classes.setdefault(code, Class(code))

    def add(self, comparison: Comparison) -> set[str]:
        """Count a string that parsers have read; return the findings that concern a difference."""
        self.strings += 1
        flags = reported(comparison.text)
        self.flagged += bool(flags)
        for code in flags:
            self.of(code).flagged += 1
        targets = {group.target for group in comparison.groups if group.target}
        if len(targets) < 2:
            return set()
        self.different += 1
        codes = {finding.code for finding in explaining(comparison.text, targets)}
        self.explained += bool(codes)
        for code in codes:
            self.of(code).add_difference(comparison.text, codes)
        return codes

    def add_requests(self, text: str, found: Mapping[str, Target | None]) -> None:
        """Count a string that clients have requested."""
        self.requested += 1
        for code in reported(text):
            self.of(code).requested += 1
        if not differ(list(found.values())):
            return
        self.clients += 1
        self.clients_possible += differ(possible(found.values()))
        mainstream = [found.get(name) for name in MAINSTREAM]
        self.mainstream += differ(mainstream)
        self.mainstream_possible += differ(possible(mainstream))
        targets = {written(text, target) for target in found.values() if target}
        codes = {finding.code for finding in explaining(text, targets)}
        self.clients_explained += bool(codes)
        for code in codes:
            self.of(code).clients += 1
        if not codes:
            self.unexplained[text] = by_target(found)

    def add_changed(self, comparison: Comparison, changed: Mapping[str, Comparison]) -> None:
        """Count the kinds to which a difference is due.

        Args:
            comparison: a string in which parsers differ.
            changed: the string without the characters of each kind, by the title of the kind.
        """
        kinds = set()
        for name, chosen in (("parsers", accepted), ("clients", connected)):
            before = chosen(comparison)
            codes = {one.code for one in explaining(comparison.text, {*before.values()})}
            for kind in KINDS:
                if kind.title in changed and is_due(before, chosen(changed[kind.title])):
                    kinds.add(kind.title)
                    due = vars(self.due.setdefault(kind.title, Due()))
                    due[name] += 1
                    due[f"{name}_found"] += not codes.isdisjoint(kind.codes)
        self.any_due += bool(kinds)

    def as_json(self) -> dict[str, Any]:
        return {
            **vars(self),
            "classes": [self.classes[code].as_json() for code in sorted(self.classes)],
            "due": {title: vars(due) for title, due in self.due.items()},
        }


def reported(text: str) -> set[str]:
    """Return the findings of a string that can move a host."""
    return {finding.code for finding in list_findings(text, "strict") if moves_host(finding)}


def differ(targets: Sequence[Target | None]) -> bool:
    """Return whether two clients connect to different hosts or ports."""
    return len({merged(target) for target in targets if target}) > 1


def possible(targets: Iterable[Target | None]) -> list[Target]:
    """Return the targets to which a connection may succeed."""
    return [target for target in targets if target and POSSIBLE.fullmatch(target.host)]


def written(text: str, target: Target) -> Target:
    """Return a connection as the target that a string names.

    Some clients connect to their own machine if a string has no host.
    """
    is_local = target.host in LOOPBACK and not any(host in text.lower() for host in LOOPBACK)
    return target._replace(host="") if is_local else target
