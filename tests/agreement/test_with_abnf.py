"""The `abnf` package, the reference implementation and the running engine agree."""

from __future__ import annotations

import os
from random import Random

import pytest
from amounts import scaled
from engines import ASKED
from judge import judge
from walker import grammar, sample

from uriverse import IRI, URI, IRIReference, URIReference
from uriverse._spec.syntax import RULES, matches
from uriverse._uri import engine

STRINGS = int(os.environ.get("URIVERSE_ABNF_STRINGS") or scaled(6000))
STRINGS_OF_EACH_RULE = max(STRINGS // 50, 100)

TYPES = {kind._rule: kind for kind in (IRIReference, IRI, URIReference, URI)}


@pytest.mark.parametrize("function", ASKED)
def test_types_and_is_functions_accept_exactly_what_the_abnf_produces(function: str) -> None:
    rule = ASKED[function]
    kind = TYPES.get(rule)
    random = Random(rule)
    accepts = getattr(engine, function)
    valid = 0
    disagreed = []
    for _ in range(STRINGS):
        text = sample(rule, random)
        verdict = judge(rule, text)
        valid += verdict
        found = [matches(text, rule), accepts(text)]
        if kind is not None:
            found.append(kind.try_parse(text) is not None)
        if any(one is not verdict for one in found):
            disagreed.append((text, verdict, found))
    assert disagreed == []
    assert STRINGS // 4 <= valid <= STRINGS - STRINGS // 4


@pytest.mark.parametrize("rule", RULES)
def test_the_pattern_of_a_rule_matches_exactly_what_the_rule_produces(rule: str) -> None:
    random = Random(rule)
    verdicts = []
    disagreed = []
    for _ in range(STRINGS_OF_EACH_RULE):
        text = sample(rule, random)
        verdicts.append(judge(rule, text))
        if matches(text, rule) is not verdicts[-1]:
            disagreed.append((text, verdicts[-1]))
    assert disagreed == []
    assert {True, False} == set(verdicts)


def test_every_rule_of_the_abnf_has_a_pattern() -> None:
    assert set(RULES) == set(grammar())
