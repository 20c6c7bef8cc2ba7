from random import Random

import pytest
from random_policies import check_decision, policy_of, url_of

from uriverse import Policy, _engine
from uriverse._policy.judging import REJECTED, UNDECIDED

pytestmark = pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")


def check_decisions(random: Random, policies: int, urls: int) -> list[int]:
    decisions: list[int] = []
    for _ in range(policies):
        policy = policy_of(random)
        decisions += [check_decision(policy, url_of(random, policy)) for _ in range(urls)]
    return decisions


@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_decides_like_the_python_functions(seed: int) -> None:
    decisions = check_decisions(Random(seed), 300, 30)
    assert {REJECTED, UNDECIDED} < set(decisions)
    assert max(decisions) > 0


def test_the_kernel_allows_nothing_that_the_python_functions_reject() -> None:
    for rules, url, code in [
        (None, "https://@a.example/b", "userinfo-not-allowed"),
        (None, "https://[fe80::1]/", "scope-not-allowed"),
        (None, "https://test/", "scope-not-allowed"),
        (["https://*.localhost/"], "https://a.localhost/", "scope-not-allowed"),
        (["https://a.example/x*y"], "https://a.example/xy", "path-not-allowed"),
    ]:
        assert Policy(allow=rules).decide(url).code == code


@pytest.mark.parametrize("characters", [4095, 4096, 4097, 65_536])
def test_long_urls_have_the_same_decision(characters: int) -> None:
    policy = Policy(allow=["https://a.example/b/"])
    for start in ("https://a.example/b/", "https://a.example/c/"):
        url = start + "d" * (characters - len(start))
        assert policy.allows(url) is start.endswith("b/")


def test_a_policy_with_more_schemes_and_ports_than_the_kernel_compares_decides() -> None:
    policy = Policy(schemes={f"s{n}" for n in range(9)} | {"https"}, ports=range(400, 500))
    assert policy.allows("https://a.example/")
    assert not policy.allows("https://a.example:500/")
    assert policy._ask_kernel("https://a.example/") == UNDECIDED


def test_rules_whose_keys_are_alike_are_told_apart() -> None:
    rules = [f"https://h{n % 7}.example/{n}" for n in range(500)]
    policy = Policy(allow=rules)
    for number, rule in enumerate(rules):
        assert policy.decide(rule).rule == policy._allow.rules[number]  # type: ignore[union-attr]
        assert not policy.allows(f"{rule}0/")
