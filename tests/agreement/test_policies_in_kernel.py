from collections.abc import Callable
from random import Random

import pytest
from random_policies import check_decision, policy_of, url_of, wildcard_policy_of

from uriverse import Policy, _engine
from uriverse._policy.compiling import REJECTED, UNDECIDED

pytestmark = pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")


def check_decisions(
    random: Random, policies: int, urls: int, make: Callable[[Random], Policy] = policy_of
) -> list[int]:
    decisions: list[int] = []
    for _ in range(policies):
        policy = make(random)
        decisions += [check_decision(policy, url_of(random, policy)) for _ in range(urls)]
    return decisions


@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_decides_like_the_python_functions(seed: int) -> None:
    decisions = check_decisions(Random(seed), 300, 30)
    assert {REJECTED, UNDECIDED} < set(decisions)
    assert max(decisions) > 0


@pytest.mark.parametrize("seed", range(2))
def test_the_kernel_finds_the_first_of_many_rules_with_wildcards(seed: int) -> None:
    decisions = check_decisions(Random(seed), 40, 50, wildcard_policy_of)
    assert {REJECTED, UNDECIDED} < set(decisions)
    assert max(decisions) > 100


def test_the_kernel_finds_rules_with_more_segments_than_levels_of_its_tree() -> None:
    start = f"https://a.example/*{'/b' * 40}"
    policy = Policy(allow=[f"{start}/c{n}/" for n in range(30)] + [f"{start}/*/d"])
    url = start.replace("*", "x")
    assert check_decision(policy, f"{url}/c7/e") == 7
    assert check_decision(policy, f"{url}/e/d") == 30
    assert check_decision(policy, f"{url}/e/e") == REJECTED


def test_the_kernel_allows_nothing_that_the_python_functions_reject() -> None:
    for rules, url, code in [
        (None, "https://@a.example/b", "userinfo-not-allowed"),
        (None, "https://[fe80::1]/", "scope-not-allowed"),
        (None, "https://test/", "scope-not-allowed"),
        (["https://*.localhost/"], "https://a.localhost/", "scope-not-allowed"),
        (["https://a.example/x*y"], "https://a.example/xy", "path-not-allowed"),
        (["::/0"], "http://93.184.216.34/", "host-not-allowed"),
        (["0.0.0.0/0"], "http://[2606:4700::1]/", "host-not-allowed"),
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


@pytest.mark.parametrize(
    "url",
    [
        *("https://a.example.com/\u00e9", "https://a.example.com/\u65e5\u672c?\u00e9#\u00e9"),
        *("https://a.example.com/\u05d0", "https://a.example.com/\U0001f600", "https://a--b.com/"),
        *("https://a.example.com/a%2Fb", "https://a.example.com/a%25", "https://a_b.example.com/"),
        *("https://93.184.216.34/", "https://127.0.0.1/"),
        *("https://[2606:4700::1]/", "https://[::1]/"),
        *("https://xn--bcher-kva.example.com/", "https://b\u00fccher.example.com/"),
        "mailto:a@b.com",
        *("file:///a", "https://a.example.com/a%2e%2Fb"),
    ],
)
@pytest.mark.parametrize(
    "policy",
    [
        Policy(),
        Policy.public_web(),
        Policy(allow=["*.example.com", "93.0.0.0/8", "2606:4700::/32"], deny=["127.0.0.1"]),
        Policy(allow=["*.example.com"], allowed=["host-past-ascii"]),
    ],
)
def test_the_kernel_decides_about_ordinary_urls(policy: Policy, url: str) -> None:
    assert check_decision(policy, url) != UNDECIDED


@pytest.mark.parametrize("path", ["/v1/..;//", "/%2e%2e//", "//a", "/%25%32f/a", "/%2F"])
def test_a_policy_about_hosts_leaves_paths_that_may_start_with_a_host_to_python(path: str) -> None:
    policy = Policy(allow=["a.example"])
    assert check_decision(policy, f"https://a.example{path}") in {REJECTED, UNDECIDED}
    assert not policy.allows(f"https://a.example{path}")


@pytest.mark.parametrize("address", ["0.0.0.0", "[::]", "localhost", "a.localhost"])
def test_what_reaches_a_denied_loopback_address_is_left_to_python(address: str) -> None:
    policy = Policy(deny=["127.0.0.1"], scopes=None)
    assert check_decision(policy, f"http://{address}/") == UNDECIDED
    assert not policy.allows(f"http://{address}/")


def test_a_non_ascii_host_is_allowed_only_by_rules_that_accept_it() -> None:
    url = "https://b\u00fccher.example/"
    for allow, allowed in [
        *((["*.example"], False), (["xn--bcher-kva.example"], True)),
        (["*.example", "xn--bcher-kva.example"], True),
    ]:
        assert Policy(allow=allow, scopes=None).allows(url) is allowed
    policy = Policy(allow=["xn--bcher-kva.example"], scopes=None)
    assert not policy.restrict(Policy(scopes=None, ports={443})).allows(url)
