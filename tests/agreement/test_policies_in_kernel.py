"""The kernel decides about URIs like the Python functions, or leaves them undecided."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from uriverse import URI, Policy, PolicyError, RuleError
from uriverse import _engine as engine
from uriverse._policy.compiled import REJECTED, UNDECIDED
from uriverse.diagnosis import CODES

pytestmark = pytest.mark.skipif(not engine.compiled, reason="the kernel is not built")

AMBIGUITIES = sorted(code for code, known in CODES.items() if known.group == "ambiguity")

HOSTS = (
    *("example.com", "api.example.com", "*.example.com", "a.b.example.com", "localhost", "*.org"),
    *("x.local", "*.local", "evil.test", "test", "1.2.3.4", "example.org", "intranet", "*.a_b.com"),
    *("xn--bcher-kva.example", "ab--c.com", "a_b.example.com"),
)
SEGMENTS = (
    *(
        "v1",
        "v10",
        "a",
        "b",
        "users",
        "*",
        "*.js",
        "x*y",
        "d*",
        "a*b*c",
        "%2A",
        "admin",
        "a%20b",
        "\u00e9",
    ),
    *("Ab", ";x", "a;b", "%41", "...", "a.", "b!c", "u-1_2~", ""),
)
PIECES = (
    *("/", "//", "..", ".", "%2F", "%2e", "%41", "%2A", "*", ";", "?", "?a=1", "?x=*&b=A", "#f"),
    *(":8080", ":443", ":", "@", "a", "v1/", "\\", " ", "\u00e9", "%", "%25", "%2541", "%C3%A9"),
    *(
        "...",
        "HTTPS",
        "%7E",
        "A",
        "\0",
        "%20",
        "%EF%BC%8E",
        "%EF%BC%8F",
        "%C2%AD",
        "%3B",
        "%E2%80%A6",
    ),
)
#: The strings that replace a wildcard of a rule in a URL.
FILLERS = ("x", "abc", "", "%41", "a.b", ".", "y;", ";z", "%2A", "\u00e9")


def rule_text(random: Random) -> str:
    """Return a rule, which may be invalid."""
    host = random.choice(HOSTS)
    if random.random() < 0.25:
        return host
    scheme = random.choice(("https", "http", "https", "ftp", "ws", "foo"))
    port = random.choice(("", "", "", ":8080", ":*", ":443", ":80"))
    path = "".join(f"/{random.choice(SEGMENTS)}" for _ in range(random.randrange(4)))
    end = random.choice(("", "/", "/**"))
    query = random.choice(("", "", "", "?", "?a=1", "?x=%2A&b=%41"))
    return f"{scheme}://{host}{port}{path}{end}{query}"


def rule_texts(random: Random, most: int) -> list[str]:
    return [rule_text(random) for _ in range(random.randrange(most))]


def options(random: Random) -> dict[str, Any]:
    """Return arguments of a policy, which may be invalid."""
    allowed: tuple[Any, ...] = ((), (), {"encoded-slash"}, random.sample(AMBIGUITIES, 5))
    restricted = [Policy(allow=["*.example.com", "https://example.org/a/"])]
    return {
        "schemes": random.choice(
            (None, {"http", "https"}, {"https"}, {"http", "ftp", "ws", "foo"})
        ),
        "allow": random.choice((None, *[rule_texts(random, 6)] * 5)),
        "deny": random.choice(([], [], rule_texts(random, 3))),
        "ports": random.choice((None, None, {80, 443}, {8080})),
        "userinfo": random.random() < 0.2,
        "unambiguous": random.random() < 0.9,
        "allowed": random.choice(allowed),
        "scopes": random.choice((None, {"global"}, {"loopback", "global"}, {"special-use"})),
        "single_label": random.random() < 0.7,
        "restrictions": random.choice(([], [], [], restricted)),
        "base": random.choice((None, None, None, "https://api.example.com/v1/x")),
    }


def policy_of(random: Random) -> Policy:
    """Return a policy with random arguments."""
    while True:
        try:
            return Policy(**options(random))
        except (RuleError, PolicyError, ValueError):
            continue


def url_of(random: Random, policy: Policy) -> str:
    """Return a URL that often matches a rule of a policy, or nearly does."""
    rules = [str(rule) for rule in (*(policy.allow or ()), *policy.deny)]
    url = random.choice(rules or HOSTS)
    if "://" not in url:
        start = random.choice(("https://", "http://", "HTTP://"))
        url = start + url + random.choice(("/", "", "/a/b", "?q"))
    url = url.replace("*.", random.choice(("w.", "", "a.b.", "W.")), 1)
    url = url.replace(":*", random.choice(("", ":1", ":8080")))
    url = url.replace("/**", random.choice(("/", "/x/y", "")))
    while "*" in url:
        url = url.replace("*", random.choice(FILLERS), 1)
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        at = random.randrange(len(url) + 1)
        rest = random.choice((url[at:], url[at:], url[at + 1 :], url[at:].swapcase()))
        url = url[:at] + random.choice((*PIECES, "", "")) + rest
    return url


def check_decisions(random: Random, policies: int, urls: int) -> list[int]:
    """Compare decisions about random URLs; return the decisions of the kernel."""
    decisions: list[int] = []
    for _ in range(policies):
        policy = policy_of(random)
        for _ in range(urls):
            url = url_of(random, policy)
            decision = policy._decision_of_kernel(url)
            decisions.append(decision)
            if decision == UNDECIDED:
                continue
            try:
                verdict = policy._judged(url, None)
            except PolicyError:
                assert decision == REJECTED, (policy, url)
                continue
            assert decision > REJECTED, (policy, url)
            assert URI(url).normalize(scheme=True) == verdict.uri
            if policy._allow is not None:
                assert policy._allow.rules[decision] == verdict.rule
    return decisions


@pytest.mark.parametrize("seed", range(4))
def test_the_kernel_decides_like_the_python_functions(seed: int) -> None:
    decisions = check_decisions(Random(seed), 300, 30)
    assert {REJECTED, UNDECIDED} < set(decisions)
    assert max(decisions) > 0


@pytest.mark.slow
def test_the_kernel_decides_like_the_python_functions_about_many_urls() -> None:
    check_decisions(Random(5), 5_000, 40)


@pytest.mark.parametrize(
    ("rules", "url", "code"),
    [
        (None, "https://@a.example/b", "userinfo-not-allowed"),
        (None, "https://[fe80::1]/", "scope-not-allowed"),
        (None, "https://test/", "scope-not-allowed"),
        (["https://*.localhost/"], "https://a.localhost/", "scope-not-allowed"),
        (["https://a.example/x*y"], "https://a.example/xy", "path-not-allowed"),
    ],
)
def test_the_kernel_allows_nothing_that_the_python_functions_reject(
    rules: list[str] | None, url: str, code: str
) -> None:
    assert Policy(allow=rules).decide(url).code == code


@pytest.mark.parametrize("characters", [4095, 4096, 4097, 100_000])
def test_long_urls_have_the_same_decision(characters: int) -> None:
    policy = Policy(allow=["https://a.example/b/"])
    for start in ("https://a.example/b/", "https://a.example/c/"):
        url = start + "d" * (characters - len(start))
        assert policy.allows(url) is start.endswith("b/")


def test_a_policy_with_more_schemes_and_ports_than_the_kernel_compares_decides() -> None:
    policy = Policy(schemes={f"s{n}" for n in range(9)} | {"https"}, ports=range(400, 500))
    assert policy.allows("https://a.example/")
    assert not policy.allows("https://a.example:500/")
    assert policy._decision_of_kernel("https://a.example/") == UNDECIDED


def test_rules_whose_keys_are_alike_are_told_apart() -> None:
    rules = [f"https://h{n % 7}.example/{n}" for n in range(500)]
    policy = Policy(allow=rules)
    for number, rule in enumerate(rules):
        assert policy.decide(rule).rule == policy._allow.rules[number]  # type: ignore[union-attr]
        assert not policy.allows(f"{rule}0/")
