"""The answers of other parsers to the difficult cases and to the cases of the suites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from conformance.deviations import DEVIATIONS, key_of
from conformance.edges import EDGES, VALID, Edge
from conformance.foreign import installed_programs
from conformance.judging import judge
from conformance.peers import MISSING, Answer, Call, Peer, installed_packages
from conformance.suites import Case

RIGHT, WHATWG, LENIENT, WRONG, NONE, ERROR = "right", "whatwg", "lenient", "wrong", "none", "error"

#: The symbol of each grade in the tables, and its meaning.
GRADES = {
    RIGHT: ("✓", "the RFC requires or allows the answer"),
    WHATWG: ("W", "the answer differs, because the parser follows the URL Standard of WHATWG"),
    LENIENT: ("○", "the parser accepts an invalid string, because it splits without validation"),
    WRONG: ("✗", "the answer differs from the RFC for another reason, such as a repair"),
    NONE: ("-", "the parser does not have this operation"),
    ERROR: (
        "!",
        "the parser raises an exception that is not about invalid strings, such as `TypeError`",
    ),
}


def grade(edge: Edge, peer: Peer, answer: Answer) -> str:
    """Grade an answer to a difficult case."""
    if answer.kind in {"missing", "error"}:
        return {"missing": NONE, "error": ERROR}[answer.kind]
    found = answer.text if answer.kind == "value" else None
    if found is not None and edge.operation == "host":
        # Some parsers remove the brackets or fold the case, and have one value for no host and an
        # empty host.
        found = found.removeprefix("[").removesuffix("]").lower()
    if found == edge.answer or found in edge.allowed:
        return RIGHT
    if peer.standard == "WHATWG" and found in edge.whatwg:
        return WHATWG
    if not peer.validates and edge.answer is None:
        return LENIENT
    return WRONG


@dataclass
class Tally:
    """The number of right answers to one kind of case, and the number of cases."""

    right: int = 0
    cases: int = 0


#: The kinds of cases that other parsers run, with their headings.
KINDS = {"valid": "valid, accepted", "invalid": "invalid, rejected", "resolve": "resolved"}


@dataclass
class Record:
    """The results of one parser: its answers and grades, by the titles of `EDGES`, and tallies."""

    peer: Peer
    answers: dict[str, Answer] = field(default_factory=dict)
    grades: dict[str, str] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)


def installed() -> tuple[list[Peer], list[str]]:
    """Return the parsers that are installed, and the names of those that are not."""
    found = list(chain(installed_packages(), installed_programs()))
    missing = [peer for peer in found if isinstance(peer, str)]
    return [peer for peer in found if not isinstance(peer, str)], missing


def compare(peer: Peer, suites: Mapping[str, Sequence[Case]]) -> Record:
    """Run one parser on the difficult cases, and on the cases of the suites."""
    record = Record(peer)
    edges = [edge for edge in EDGES if peer.relative or not edge.relative]
    answers = peer.answers([Call(edge.operation, edge.arguments) for edge in edges])
    found = {edge.title: answer for edge, answer in zip(edges, answers, strict=True)}
    for edge in EDGES:
        record.answers[edge.title] = found.get(edge.title, MISSING)
        record.grades[edge.title] = grade(edge, peer, record.answers[edge.title])
    cases = list(applicable(suites, relative=peer.relative))
    calls = [call_of(case) for case in cases]
    for case, answer in zip(cases, peer.answers(calls), strict=True):
        if answer.kind == "missing":
            continue
        tally = record.tallies.setdefault(case["kind"], Tally())
        tally.cases += 1
        if answer.kind == "error":
            continue  # An unexpected exception is neither a value nor a rejection.
        expected = {"valid": VALID, "invalid": None}.get(case["kind"], case["expected"])
        tally.right += (answer.text if answer.kind == "value" else None) == expected
    return record


def applicable(suites: Mapping[str, Sequence[Case]], *, relative: bool) -> Iterable[Case]:
    """Yield the cases whose production a parser implements, except those that contradict an RFC."""
    suffix = "-reference" if relative else ""
    grammars = {f"uri{suffix}", f"iri{suffix}"}
    for suite, cases in suites.items():
        for case in cases:
            kind = case["kind"]
            if key_of(suite, case) in DEVIATIONS or kind not in KINDS:
                continue
            if kind == "resolve":
                if judge(suite, case).skipped is None:
                    yield case
            elif case["grammar"] in grammars:
                yield case


def call_of(case: Case) -> Call:
    if case["kind"] == "resolve":
        return Call("resolve", (case["base"], case["input"]))
    return Call("accept_iri" if case["grammar"].startswith("iri") else "accept", (case["input"],))
