"""The table of rules, row by row: which URLs a rule of `allow` or `deny` matches."""

from __future__ import annotations

import pytest

from uriverse import Policy, Rule

#: A rule of `allow`, the URLs that it allows, and those that it does not allow.
ALLOW: list[tuple[str, list[str], list[str]]] = [
    ("https://a.example", ["https://a.example/b"], ["http://a.example/"]),
    ("a.example", ["http://a.example:1/", "https://a.example/"], ["ftp://a.example/"]),
    (
        "https://*.a.example/",
        ["https://b.a.example/", "https://c.b.a.example/"],
        ["https://a.example/", "https://ba.example/", "https://a.example.b.example/"],
    ),
    ("https://[2606:4700:0::1]/", ["https://[2606:4700::1]/"], ["https://[2606:4700::2]/"]),
    (
        "https://b\u00fccher.example/",
        ["https://xn--bcher-kva.example/"],
        ["https://bucher.example/"],
    ),
    (
        "https://a.example/",
        ["https://a.example:443/", "HTTPS://A.EXAMPLE"],
        ["https://a.example:80/", "https://a.example:8443/"],
    ),
    ("https://a.example:8443/", ["https://a.example:8443/"], ["https://a.example/"]),
    ("https://a.example:*/", ["https://a.example/", "https://a.example:1/"], ["http://a.example/"]),
    ("https://a.example", ["https://a.example", "https://a.example/b?c"], []),
    (
        "https://a.example/v1/",
        ["https://a.example/v1/", "https://a.example/v1/b/../c", "https://a.example/v2/../v1/"],
        ["https://a.example/v1", "https://a.example/v10", "https://a.example/v1/../v2"],
    ),
    ("https://a.example/v1/**", ["https://a.example/v1/", "https://a.example/v1/b/c"], []),
    (
        "https://a.example/v1",
        ["https://a.example/v1", "https://a.example/v1?a#b", "https://a.example/%76%31"],
        ["https://a.example/v1/", "https://a.example/V1", "https://a.example/v1;a"],
    ),
    (
        "https://a.example/users/*/avatar",
        ["https://a.example/users/me/avatar", "https://a.example/users/%E2%82%AC/avatar"],
        [
            "https://a.example/users//avatar",
            "https://a.example/users/a/b/avatar",
            "https://a.example/users/;a/avatar",
        ],
    ),
    (
        "https://a.example/*.js",
        ["https://a.example/b.js", "https://a.example/b.js.js"],
        ["https://a.example/.js", "https://a.example/b/c.js", "https://a.example/b.jsx"],
    ),
    (
        "https://a.example/b%2Ac",
        ["https://a.example/b*c", "https://a.example/b%2ac"],
        ["https://a.example/bxc", "https://a.example/bc"],
    ),
    (
        "https://a.example/?a=1",
        ["https://a.example/?a=1#b", "https://a.example?a=%31"],
        ["https://a.example/", "https://a.example/?a=1&b", "https://a.example/?A=1"],
    ),
    (
        "https://a.example/?",
        ["https://a.example/", "https://a.example/?", "https://a.example#a"],
        ["https://a.example/?a", "https://a.example/??"],
    ),
]

#: A rule of `deny`, the URLs that it denies, and those that it does not deny.
DENY: list[tuple[str, list[str], list[str]]] = [
    ("a.example", ["http://a.example:1/", "https://a.example/b"], ["https://b.a.example/"]),
    (
        "https://a.example",
        ["https://a.example:8443/", "https://a.example/b?c"],
        ["http://a.example/"],
    ),
    ("https://a.example:443", ["https://a.example/"], ["https://a.example:8443/"]),
    (
        "https://a.example/admin",
        [
            "https://a.example/admin",
            "https://a.example:1/admin/",
            "https://a.example/ADMIN/b?c",
            "https://a.example/b/../admin",
            "https://a.example/%61dmin;b",
            "https://a.example/admin%20",
            "https://a.example/admin.",
            "https://a.example/.//admin",
        ],
        ["https://a.example/administrator", "https://a.example/b/admin", "https://a.example/"],
    ),
    ("https://a.example/admin/", ["https://a.example/admin"], ["https://a.example/admins"]),
    (
        "https://a.example/*/admin",
        ["https://a.example/b/Admin/c", "https://a.example/b//admin"],
        ["https://a.example/admin", "https://a.example/b/c/admin"],
    ),
    ("10.0.0.0/8", ["http://10.0.0.1/", "http://[::ffff:10.0.0.1]/"], ["http://11.0.0.1/"]),
    ("10.0.0.1", ["http://10.0.0.1/", "http://[64:ff9b::a00:1]/"], ["http://10.0.0.2/"]),
]


@pytest.mark.parametrize(("rule", "matching", "others"), ALLOW)
def test_a_rule_allows_the_urls_of_its_row(
    rule: str, matching: list[str], others: list[str]
) -> None:
    policy = Policy(allow=["b.invalid", rule])
    for url in matching:
        decision = policy.decide(url)
        assert decision, url
        assert decision.rule == Rule(rule)
    for url in others:
        assert policy.decide(url).code.endswith("-not-allowed"), url


@pytest.mark.parametrize(("rule", "matching", "others"), DENY)
def test_a_rule_denies_the_urls_of_its_row(
    rule: str, matching: list[str], others: list[str]
) -> None:
    ambiguous = {"ipv6-with-ipv4", "path-like-authority"}
    policy = Policy(deny=["b.invalid", rule], scopes=None, allowed=ambiguous)
    for url in matching:
        decision = policy.decide(url)
        assert decision.code == "denied", url
        assert decision.rule == Rule(rule)
    for url in others:
        assert policy.allows(url), url


def test_deny_wins_and_an_empty_list_allows_nothing() -> None:
    url = "https://a.example/v1/"
    assert Policy(allow=[url]).allows(url)
    assert Policy(allow=[url], deny=[url]).decide(url).code == "denied"
    # An empty list allows nothing and none allows every host.
    assert Policy(allow=[]).decide("https://a.example/").code == "host-not-allowed"
    assert Policy(allow=None).decide("https://a.example/").rule is None
    assert Policy().allows("https://a.example/")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://a.example/v1/", "scheme-not-allowed"),
        ("https://b.example/v1/", "host-not-allowed"),
        ("https://a.example:1/v1/", "port-not-allowed"),
        ("https://a.example:444/v1/", "port-not-allowed"),
        ("https://a.example/v2/", "path-not-allowed"),
        ("https://a.example/v1/?b", "query-not-allowed"),
        ("https://u@a.example/v1/", "userinfo-not-allowed"),
        ("https://a.example/v1/%2e%2e/", "encoded-dot"),
        ("https://a.example/v1/a%2Fb", "encoded-slash"),
        ("https://a.example/v1/a b", "syntax"),
        ("https://a.example//v1/", "path-like-authority"),
        *(("https://a.example./v1/", "trailing-dot"), ("https://a.example:/v1/", "port-empty")),
        *(("https://a.example:0443/v1/", "port-odd"), ("https://a.example:65536/v1/", "port-huge")),
        ("/v1/", "relative"),
    ],
)
def test_a_rejection_names_the_component_that_differs(url: str, code: str) -> None:
    assert Policy(allow=["https://a.example/v1/?a"]).decide(url).code == code


def test_only_a_rule_for_a_single_host_or_network_lifts_its_scope() -> None:
    for item in ("127.0.0.1", "127.0.0.0/8", "http://127.0.0.1/"):
        assert Policy(allow=[item]).allows("http://127.0.0.1/")
        assert not Policy(allow=[item]).allows("http://[::1]/")
        lax = Policy(allow=[item], unambiguous=False)
        assert not lax.allows("http://[::ffff:127.0.0.1]/")
    assert Policy(allow=["http://localhost/"]).allows("http://localhost/")
    assert not Policy(allow=["*.localhost"]).allows("http://a.localhost/")
