import pytest

from uriverse import check, columns
from uriverse.diagnosis import CODES, PROFILES
from uriverse.diagnosis._checking import SETTINGS_OF_POLICIES, list_findings, list_first_findings
from uriverse.diagnosis._findings import expand_profile, group_details
from uriverse.diagnosis._rules import apply_rules


def variants(code: str) -> list[str]:
    """Return the example of a code, its near miss, and mutants of the example where the code is."""
    text = CODES[code].example
    [start, *_] = [f.start for f in apply_rules(text, expand_profile("strict")) if f.code == code]
    start = min(start, len(text) - 1)  # the finding may be at the end
    before, character, after = text[:start], text[start : start + 1], text[start + 1 :]
    mutants = [before + after, before + 2 * character + after, text.swapcase()]
    return [text, CODES[code].near_miss, *mutants]


@pytest.mark.parametrize("code", CODES)
def test_each_code_is_found_by_both_engines_and_in_columns(code: str) -> None:
    texts = variants(code)
    rows = [*texts, None, "http://a.example/"]
    for profile in PROFILES:
        expected = [apply_rules(text, expand_profile(profile)) for text in texts]
        assert [list_findings(text, profile) for text in texts] == expected, profile
        expected = [group_details(found) for found in expected]
        assert [check(text, profile) for text in texts] == expected, profile
        codes = [[finding.code for finding in found] for found in expected]
        assert columns.findings(rows, profile).to_pylist() == [*codes, None, []], profile
        flags = [bool(found) for found in codes]
        assert columns.is_flagged(rows, profile).to_pylist() == [*flags, None, False], profile


@pytest.mark.parametrize("code", CODES)
def test_policies_get_the_first_finding_of_each_code(code: str) -> None:
    for text in variants(code):
        assert list_first_findings(text) == apply_rules(text, SETTINGS_OF_POLICIES, first_only=True)
