"""`check` and `explain` accept every string, and their positions are within the string."""

from __future__ import annotations

from draws import Draws

from uriverse import IRIReference, explain
from uriverse import check as findings_of
from uriverse.diagnosis import CODES, PROFILES
from uriverse.diagnosis._findings import SEVERITIES, expand_profile, group_details
from uriverse.diagnosis._rules import apply_rules


def check(data: bytes) -> None:
    """Check and explain one string with each profile."""
    draws = Draws(data)
    (text,) = draws.strings(draws.choice(("URI", "IRI-reference")))
    valid = IRIReference.try_parse(text) is not None
    for profile in PROFILES:
        found = findings_of(text, profile)
        assert found == group_details(apply_rules(text, expand_profile(profile)))
        assert found == sorted(found, key=lambda f: (f.start, SEVERITIES.index(f.severity)))
        for finding in found:
            assert 0 <= finding.start <= finding.end <= len(text)
            assert finding.message
            assert finding.reference
            assert {finding.code, *finding.details} <= {*CODES}
        if profile == "strict":
            assert valid or any(CODES[finding.code].group == "syntax" for finding in found)
    assert str(explain(text))
