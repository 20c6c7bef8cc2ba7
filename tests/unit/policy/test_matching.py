import pytest

from uriverse import Policy, Rule

#: A rule of `allow`, the URLs that it allows, and those that it does not allow; `~` is a site.
ALLOW = """
~ | ~ ~/b ~/b?c | http://a.example/
a.example | http://a.example:1/ ~/ | ftp://a.example/
https://*.a.example/ | https://b.a.example/ https://c.b.a.example/ | ~/ https://ba.example/
https://*.a.example/ | https://b.a.example/ | https://a.example.b.example/
https://[2606:4700:0::1]/ | https://[2606:4700::1]/ | https://[2606:4700::2]/
https://b\u00fccher.example/ | https://xn--bcher-kva.example/ | https://bucher.example/
~/ | ~:443/ HTTPS://A.EXAMPLE | ~:80/ ~:8443/
~:8443/ | ~:8443/ | ~/
~:*/ | ~/ ~:1/ | http://a.example/
~/v1/ | ~/v1/ ~/v1/b/../c ~/v2/../v1/ | ~/v1 ~/v10 ~/v1/../v2
~/v1/** | ~/v1/ ~/v1/b/c |
~/v1 | ~/v1 ~/v1?a#b ~/%76%31 | ~/v1/ ~/V1 ~/v1;a
~/users/*/avatar | ~/users/me/avatar ~/users/%E2%82%AC/avatar | ~/users//avatar
~/users/*/avatar | ~/users/me/avatar | ~/users/a/b/avatar ~/users/;a/avatar
~/*.js | ~/b.js ~/b.js.js | ~/.js ~/b/c.js ~/b.jsx
~/b%2Ac | ~/b*c ~/b%2ac | ~/bxc ~/bc
~/?a=1 | ~/?a=1#b ~?a=%31 | ~/ ~/?a=1&b ~/?A=1
~/? | ~/ ~/? ~#a | ~/?a ~/??
"""

#: A rule of `deny`, the URLs that it denies, and those that it does not deny.
DENY = """
a.example | http://a.example:1/ ~/b | https://b.a.example/
~ | ~:8443/ ~/b?c | http://a.example/
~:443 | ~/ | ~:8443/
~/admin | ~/admin ~:1/admin/ ~/ADMIN/b?c ~/b/../admin ~/%61dmin;b | ~/administrator ~/b/admin ~/
~/admin | ~/admin%20 ~/admin. ~/.//admin |
~/admin/ | ~/admin | ~/admins
~/*/admin | ~/b/Admin/c ~/b//admin | ~/admin ~/b/c/admin
10.0.0.0/8 | http://10.0.0.1/ http://[::ffff:10.0.0.1]/ | http://11.0.0.1/
10.0.0.1 | http://10.0.0.1/ http://[64:ff9b::a00:1]/ | http://10.0.0.2/
"""


def rows(table: str) -> list[tuple[str, list[str], list[str]]]:
    lines = (line.split("|") for line in table.replace("~", "https://a.example").splitlines()[1:])
    return [(rule.strip(), matching.split(), others.split()) for rule, matching, others in lines]


@pytest.mark.parametrize(("rule", "matching", "others"), rows(ALLOW))
def test_a_rule_allows_urls_of_its_row(rule: str, matching: list[str], others: list[str]) -> None:
    policy = Policy(allow=["b.invalid", rule])
    for url in matching:
        decision = policy.decide(url)
        assert decision, url
        assert decision.rule == Rule(rule)
    for url in others:
        assert policy.decide(url).code.endswith("-not-allowed"), url


@pytest.mark.parametrize(("rule", "matching", "others"), rows(DENY))
def test_a_rule_denies_urls_of_its_row(rule: str, matching: list[str], others: list[str]) -> None:
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


def test_a_rejection_names_the_component_that_differs() -> None:
    for url, code in [
        ("http://a.example/v1/", "scheme-not-allowed"),
        ("https://b.example/v1/", "host-not-allowed"),
        ("https://a.example:1/v1/", "port-not-allowed"),
        ("https://a.example:444/v1/", "port-not-allowed"),
        ("https://a.example/v2/", "path-not-allowed"),
        ("https://a.example/v1/?b", "query-not-allowed"),
        ("https://u@a.example/v1/", "userinfo-not-allowed"),
        ("https://a.example/v1/%2e%2e/", "encoded-dot"),
        *(("https://a.example/v1/a%2Fb", "encoded-slash"), ("https://a.example/v1/a b", "syntax")),
        ("https://a.example//v1/", "path-like-authority"),
        *(("https://a.example./v1/", "trailing-dot"), ("https://a.example:/v1/", "port-empty")),
        *(("https://a.example:0443/v1/", "port-odd"), ("https://a.example:65536/v1/", "port-huge")),
        ("/v1/", "relative"),
    ]:
        assert Policy(allow=["https://a.example/v1/?a"]).decide(url).code == code


def test_only_a_rule_for_a_single_host_or_network_lifts_its_scope() -> None:
    for item in ("127.0.0.1", "127.0.0.0/8", "http://127.0.0.1/"):
        assert Policy(allow=[item]).allows("http://127.0.0.1/")
        assert not Policy(allow=[item]).allows("http://[::1]/")
        lax = Policy(allow=[item], unambiguous=False)
        assert not lax.allows("http://[::ffff:127.0.0.1]/")
    assert Policy(allow=["http://localhost/"]).allows("http://localhost/")
    assert not Policy(allow=["*.localhost"]).allows("http://a.localhost/")
