"""Random policies, and URLs that often match one of their rules."""

import re
from random import Random
from typing import Any

from uriverse import IRI, Policy, PolicyError, RuleError
from uriverse._policy.compiling import REJECTED, UNDECIDED
from uriverse.diagnosis import CODES

AMBIGUITIES = sorted(code for code, known in CODES.items() if known.group == "ambiguity")

HOSTS = (
    *("example.com", "api.example.com", "*.example.com", "a.b.example.com", "localhost", "*.org"),
    *("x.local", "*.local", "evil.test", "test", "1.2.3.4", "example.org", "intranet", "*.a_b.com"),
    *("xn--bcher-kva.example", "ab--c.com", "a_b.example.com", "b\u00fccher.example"),
    *("10.0.0.0/8", "10.0.0.1", "127.0.0.1", "0.0.0.0/0", "[2606:4700::1]"),
    *("2606:4700::/33", "::/0"),
    *("[::1]", "0.0.0.0", "fe80::/10", "[::]"),
)
#: The hosts that replace that of a URL.
OTHER_HOSTS = (
    *("10.0.0.1", "10.1.2.3", "127.0.0.1", "0.0.0.0", "1.2.3.4", "93.184.216.34"),
    *("192.0.0.9", "224.0.0.1"),
    *("[2606:4700::1]", "[2606:4700:8000::1]", "[::1]", "[::]", "[fe80::1]"),
    *("[fc00::1]", "[64:ff9b::a00:1]"),
    *("[::ffff:10.0.0.1]", "[2001:db8::1]", "[100::1]", "[2002:a00:1::]", "[FE80::0001]", "[v1.a]"),
    *("xn--bcher-kva.example", "XN--bcher-KVA.example", "xn--a.example.com", "ab--c.com"),
    *("a--b.com", "abc--d.com"),
    *("b\u00fccher.example", "w.xn--p1ai", "\u65e5\u672c.example.com"),
    *("example.com.", "a..example.com"),
)
SEGMENTS = (
    *("v1", "v10", "a", "b", "users", "*", "*.js", "x*y", "d*", "a*b*c", "%2A", "admin", "a%20b"),
    *("\u00e9", "Ab", ";x", "a;b", "%41", "...", "a.", "b!c", "u-1_2~", ""),
)
PIECES = (
    *("/", "//", "..", ".", "%2F", "%2e", "%41", "%2A", "*", ";", "?", "?a=1", "?x=*&b=A", "#f"),
    *(":8080", ":443", ":", "@", "a", "v1/", "\\", " ", "\u00e9", "%", "%25", "%2541", "%C3%A9"),
    *("...", "HTTPS", "%7E", "A", "\0", "%20", "%EF%BC%8E", "%EF%BC%8F", "%C2%AD", "%3B"),
    *("%E2%80%A6", "..;/", "%2e%2e/", "%25%32f", "%2F%2F", "\u65e5", "\u05d0"),
    *("\U0001f600", "\uff0e"),
)
#: The strings that replace a wildcard of a rule in a URL.
FILLERS = ("x", "abc", "", "%41", "a.b", ".", "y;", ";z", "%2A", "\u00e9")


def rule_text(random: Random) -> str:
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
    allowed: tuple[Any, ...] = ((), (), {"encoded-slash"}, random.choices(AMBIGUITIES, k=5))
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
        "scopes": random.choice(
            (None, {"global"}, {"loopback", "global"}, {"special-use"}, {"private", "global"})
        ),
        "single_label": random.random() < 0.7,
        "restrictions": random.choice(([], [], [], restricted)),
        "base": random.choice((None, None, None, "https://api.example.com/v1/x")),
    }


def policy_of(random: Random) -> Policy:
    while True:
        try:
            return Policy(**options(random))
        except (RuleError, PolicyError, ValueError):
            continue


def wildcard_policy_of(random: Random) -> Policy:
    """Return a policy with many rules for two hosts; most of them have wildcards in their paths."""
    choices = ("a", "b", "ab", "", "*", "*", "a*", "*b", "a*b", "ab*ab", "a*b*a", "*a*", "b*")
    rules: list[str] = []
    for _ in range(random.choice((10, 100, 500))):
        path = "/".join(random.choices(choices, k=random.randrange(1, 6)))
        end = random.choice(("", "", "/", "?", "?a=1"))
        rules.append(f"https://{random.choice('ab')}.example/{path}{end}")
    return Policy(allow=rules, schemes=random.choice((None, {"https"})))


def url_of(random: Random, policy: Policy) -> str:
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
    if random.random() < 0.2:
        scheme, _, others = url.partition("://")
        path = re.search("[/?#]|$", others)
        assert path, "the expression matches every string"
        url = f"{scheme}://{random.choice(OTHER_HOSTS)}{others[path.start() :]}"
    for _ in range(random.choice((0, 0, 1, 1, 2, 3))):
        at = random.randrange(len(url) + 1)
        rest = random.choice((url[at:], url[at:], url[at + 1 :], url[at:].swapcase()))
        url = url[:at] + random.choice((*PIECES, "", "")) + rest
    return url


def check_decision(policy: Policy, url: str) -> int:
    decision: int = policy._ask_kernel(url)
    if decision == UNDECIDED:
        return decision
    try:
        verdict = policy._judge_text(url, None)
    except PolicyError:
        assert decision == REJECTED, (policy, url)
        return decision
    assert decision > REJECTED, (policy, url)
    assert IRI(url).to_uri(host="idna").normalize(scheme=True) == verdict.uri, (policy, url)
    if policy._allow is not None:
        assert policy._allow.rules[decision] == verdict.rule
    return decision
