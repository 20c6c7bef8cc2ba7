"""A policy rejects URIs and hosts that are too long before it examines them."""

from __future__ import annotations

import pytest

from uriverse import Policy

LONGEST = 65_536
SITE = "https://a.example/"


def test_a_uri_over_the_limit_has_a_code_of_its_own() -> None:
    policy = Policy(allow=["a.example"])
    assert policy.allows(SITE + "b" * (LONGEST - len(SITE)))
    decision = policy.decide(SITE + "b" * (LONGEST - len(SITE) + 1))
    assert (decision.code, decision.reason) == (
        "too-long",
        "URI too long: a policy examines at most 65,536 characters",
    )


def test_a_canonical_form_over_the_limit_is_rejected() -> None:
    assert Policy().allows(SITE + "\u4e16" * 5_000)
    assert Policy().decide(SITE + "\u4e16" * 20_000).code == "too-long"


def test_a_reference_over_the_limit_is_rejected_with_its_base() -> None:
    policy = Policy.for_redirects(SITE)
    assert policy.decide("/" + "b" * LONGEST).code == "too-long"
    assert policy.decide("/" + "b" * (LONGEST - 10)).code == "too-long"
    assert policy.allows("/" + "b" * 1_000)


@pytest.mark.parametrize(
    ("host", "code"),
    [
        *(("a." * 126 + "a", ""), ("a." * 126 + "a.", "trailing-dot")),
        *(("a." * 127 + "a", "host-not-allowed"), ("%61." * 126 + "a", "host-encoded")),
        *(("%61." * 127 + "a", "host-not-allowed"), ("\u05d01." * 4_000, "host-not-allowed")),
        ("\u00e9" * 4_000, "host-not-allowed"),
    ],
)
def test_a_long_host_is_rejected_before_its_conversion(host: str, code: str) -> None:
    assert Policy().decide(f"https://{host}/").code == code


@pytest.mark.parametrize(("segment", "end"), [("b;c/", ".../%41"), ("b/", "../%41")])
def test_a_long_path_with_something_like_a_dot_segment_leaves_its_rule(
    segment: str, end: str
) -> None:
    policy = Policy(allow=["https://a.example/a/"])
    assert policy.allows(f"https://a.example/a/{segment * 20}{end}")
    assert policy.allows(f"https://a.example/a/{segment * 200}b/%41")
    assert not policy.allows(f"https://a.example/a/{segment * 200}{end}")


@pytest.mark.parametrize("unit", ["\u3300", "\ufdfa", "a%20/", "%E3%8C%80"])
def test_a_deny_rule_matches_a_path_with_too_many_odd_parts(unit: str) -> None:
    policy = Policy(deny=["https://a.example/admin"])
    assert policy.allows(f"https://a.example/{unit * 10}")
    assert policy.decide(f"https://a.example/{unit * 10}x").allowed
    excessive = "%20/b/" if unit == "a%20/" else unit
    assert policy.decide(f"https://a.example/b/{excessive * 200}").code == "denied"


def test_marks_beyond_the_first_ones_do_not_matter_to_a_deny_rule() -> None:
    policy = Policy(deny=["https://a.example/a\u0301b"])
    assert policy.decide("https://a.example/\u00e1b").code == "denied"
    assert policy.allows("https://a.example/a" + "\u0301\u0316" * 500 + "b")
    assert policy.allows("https://a.example/a" + "\uff9e" * 500 + "b")
