"""The calls of a decision do not grow with rules of other literals, and grow linearly with the URL.

`benchmarks/rules.py` measures the time.
"""

from __future__ import annotations

from functools import partial

import pytest
from counting import assert_proportional, calls_of

from uriverse import Policy
from uriverse.diagnosis._codes import GROUPS

SITE = "https://h.example"
#: With a base, the kernel does not decide.
BASE = "https://b.example/"

#: Rules that differ in one literal, and URLs that differ from all of them or from all but one.
RULES = [
    "/v1/*/a{}",
    "/v1/*/a{}/",
    "/a{}/*",
    "/v1/*.j{}",
    "/v1/x{}*",
    "/v1/x{}*/y",
    "/v1/{}*{}",
    "/v1/a{}",
    "/v1/a{}/",
]
URLS = ["/v1/x/a7", "/a7/x", "/v1/x.j7", "/v1/x7y/y", "/v1/a7/" + "/" * 2000, "/v1/" + "a/" * 2000]

UNITS = [
    *(
        "/",
        "a/",
        "//../",
        "..%20/",
        "%2e%2e/",
        "a.;/",
        "..;a/",
        ".a%25/",
        "%2f;..%252e+%20",
        "..+/",
    ),
    *("\u00e9", "a\u0301\u0316", "\u05d0", "\u05d0;a/", "\u00ad/", "\u0f73", "\ufb01", "\u3300"),
    *("%EF%BC%8E/", "%25u002e/", "%C0%AE/", "%00", "%ff", "...;/", ".../"),
]

POLICIES = {
    "defaults": Policy(),
    "one rule": Policy(allow=[f"{SITE}/v1/"]),
    "one wildcard": Policy(allow=[f"{SITE}/*/*.js"]),
    "deny rule": Policy(deny=[f"{SITE}/admin"]),
    "accepted codes": Policy(
        allow=[f"{SITE}/v1/"], deny=[f"{SITE}/v1/admin"], allowed=GROUPS["ambiguity"]
    ),
}


def many(template: str, count: int) -> list[str]:
    return [SITE + template.format(n, n) for n in range(100, 100 + count)]


@pytest.mark.parametrize("kind", ["allow", "deny"])
@pytest.mark.parametrize("template", RULES)
def test_rules_with_other_literals_are_not_tried(template: str, kind: str) -> None:
    rules = [many(template, count) for count in (20, 1_000)]
    small, large = (Policy(deny=r) if kind == "deny" else Policy(allow=r) for r in rules)
    for path in URLS:
        url = SITE + path
        acts = [partial(policy.allows, url, base=BASE) for policy in (small, large)]
        calls = [calls_of(act) for act in acts if act() in {True, False}]
        # Numbers of more digits make a few more groups of literals.
        assert calls[1] <= calls[0] + 60, url


@pytest.mark.parametrize("kind", ["allow", "deny"])
def test_a_query_is_read_once_for_all_rules(kind: str) -> None:
    url = f"{SITE}/v1/?" + "%2A&" * 100
    calls = []
    for count in (20, 1_000):
        rules = many("/v1/?a={}", count)
        policy = Policy(deny=rules) if kind == "deny" else Policy(allow=rules)
        assert policy.allows(url, base=BASE) == (kind == "deny")
        calls.append(calls_of(partial(policy.allows, url, base=BASE)))
    assert calls[1] <= calls[0] + 5 * 980


def test_a_decoded_query_is_not_decoded_again() -> None:
    policy = Policy(deny=[f"{SITE}/?print=1"], allowed={"double-encoding"})
    calls = []
    for text in ("%EF%B7%BA", "%2525EF"):
        act = partial(policy.allows, f"{SITE}/?{text}", base=BASE)
        assert act()  # so that lazy imports do not count
        calls.append(calls_of(act))
    assert calls[0] < calls[1]


@pytest.mark.parametrize("name", POLICIES)
@pytest.mark.parametrize("unit", UNITS)
def test_the_time_of_a_decision_is_linear_in_the_url(name: str, unit: str) -> None:
    policy = POLICIES[name]
    assert_proportional(lambda count: policy.decide(f"{SITE}/v1/{unit * count}"), 500)
    assert_proportional(lambda count: policy.decide(f"{SITE}/v1/?{unit * count}"), 500)


@pytest.mark.parametrize("unit", ["\u05d01.", "\u00e9.", "xn--a.", "%61.", "a", "1.", "_."])
def test_the_labels_of_a_long_host_are_not_converted(unit: str) -> None:
    def decide() -> None:
        Policy().decide(f"https://{unit * 4_000}/")

    decide()
    # Decoding takes two calls for each triplet, and converting a label takes dozens.
    assert calls_of(decide) < 3 * 4_000


def test_a_url_over_the_limit_takes_few_calls() -> None:
    policy = POLICIES["deny rule"]
    assert calls_of(lambda: policy.decide(f"{SITE}/v1/" + "\u0f73;.." * 112_000)) < 200
