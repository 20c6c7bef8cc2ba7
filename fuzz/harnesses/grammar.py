"""Both engines accept exactly the strings that the `abnf` package accepts."""

from __future__ import annotations

from draws import Draws
from engines import ASKED
from judge import judge
from outcomes import ENGINES
from walker import grammar

from uriverse._spec.syntax import matches

RULES = tuple(grammar())
#: The `abnf` package explores every alternative, which takes long for long strings.
LONGEST = 60


def check(data: bytes) -> None:
    """Compare the verdicts about one string."""
    draws = Draws(data)
    rule = draws.choice((*ASKED.values(), *RULES))
    (text,) = draws.strings(rule)
    if len(text) > LONGEST:
        return
    verdict = judge(rule, text)
    assert matches(text, rule) is verdict, (rule, text, verdict)
    for function, asked in ASKED.items():
        if asked == rule:
            for engine in ENGINES:
                assert getattr(engine.module, function)(text) is verdict, (engine.name, rule, text)
