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
    # A canonical form over the limit is rejected.
    assert Policy().allows(SITE + "\u4e16" * 5_000)
    assert Policy().decide(SITE + "\u4e16" * 20_000).code == "too-long"
    # A reference over the limit is rejected with its base.
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


def test_a_long_path_is_examined_up_to_a_limit() -> None:
    for segment, end in [("b;c/", ".../%41"), ("b/", "../%41")]:
        policy = Policy(allow=["https://a.example/a/"])
        assert policy.allows(f"https://a.example/a/{segment * 20}{end}")
        assert policy.allows(f"https://a.example/a/{segment * 200}b/%41")
        assert not policy.allows(f"https://a.example/a/{segment * 200}{end}")
    # A deny rule matches a path with too many odd parts.
    for unit in ["\u3300", "\ufdfa", "a%20/", "%E3%8C%80"]:
        policy = Policy(deny=["https://a.example/admin"])
        assert policy.allows(f"https://a.example/{unit * 10}")
        assert policy.decide(f"https://a.example/{unit * 10}x").allowed
        excessive = "%20/b/" if unit == "a%20/" else unit
        assert policy.decide(f"https://a.example/b/{excessive * 200}").code == "denied"
    # Marks beyond the first ones do not matter to a deny rule.
    policy = Policy(deny=["https://a.example/a\u0301b"])
    assert policy.decide("https://a.example/\u00e1b").code == "denied"
    assert policy.allows("https://a.example/a" + "\u0301\u0316" * 500 + "b")
    assert policy.allows("https://a.example/a" + "\uff9e" * 500 + "b")
