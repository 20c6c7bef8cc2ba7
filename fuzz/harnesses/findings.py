"""`check` and `explain` accept every string, and their positions are within the string."""

from __future__ import annotations

from typing import Any

from draws import Draws
from engines import KERNEL

from uriverse import IRIReference, explain
from uriverse import check as findings_of
from uriverse.diagnosis import CODES, PROFILES
from uriverse.diagnosis._examination import findings
from uriverse.diagnosis._findings import SEVERITIES, enables_form, settings_of
from uriverse.diagnosis._prefilter import reference

PREFILTERS: tuple[Any, ...] = (
    reference,
    *([] if KERNEL is None else [KERNEL.module.has_no_findings]),
)


def check(data: bytes) -> None:
    """Check and explain one string with each profile."""
    draws = Draws(data)
    (text,) = draws.strings(draws.choice(("URI", "IRI-reference")))
    valid = IRIReference.try_parse(text) is not None
    for profile in PROFILES:
        found = findings_of(text, profile)
        assert found == findings(text, settings_of(profile), None)
        for prefilter in PREFILTERS:
            if prefilter(text, enables_form(profile)):
                assert not found, "the fast path skipped these findings"
        assert found == sorted(found, key=lambda f: (f.start, SEVERITIES.index(f.severity)))
        for finding in found:
            assert 0 <= finding.start <= finding.end <= len(text)
            assert finding.message
            assert finding.reference
            assert finding.code in CODES
        if profile == "strict":
            assert valid or any(CODES[finding.code].group == "syntax" for finding in found)
    assert str(explain(text))
