import copy
import pickle
from dataclasses import replace
from typing import Any

import pytest

from uriverse import HTTPURI, Policy, PolicyError, Rule, RuleError
from uriverse.diagnosis import CODES
from uriverse.suffixes import Suffixes

SITE = "https://a.example"
AMBIGUITIES = frozenset(code for code, known in CODES.items() if known.group == "ambiguity")


def test_a_wildcard_at_the_end_of_a_rule_is_reported() -> None:
    for rule in [f"{SITE}/*", f"{SITE}/v1/*"]:
        [finding] = Policy(allow=[rule]).review()
        assert (finding.code, str(finding.rule)) == ("narrow", rule)
        assert finding.hint == "end the rule with / to allow everything below"
        decision = Policy(allow=[rule]).decide(f"{rule[:-1]}a/b")
        assert decision.code == "path-not-allowed"
        assert "end the rule with /" in decision.hint
    # Other wildcards are not reported.
    for rule in [f"{SITE}/*/", f"{SITE}/**", f"{SITE}/*.js", f"{SITE}/*/x"]:
        assert Policy(allow=[rule]).review() == []
        assert "end the rule" not in Policy(allow=[rule]).decide(f"{SITE}/a.c/b/c").hint


def test_a_group_of_suffixes_allows_files_below_a_folder() -> None:
    for path, allowed in [
        *(("/i/a.jpg", True), ("/i/b/c/a.png", True), ("/i/a.b.jpg", True), ("/i/a%20b.jpg", True)),
        *(("/i/a.JPG", False), ("/i/a.gif", False), ("/i/.jpg", False), ("/a.jpg", False)),
        *(("/i/a.jpg/", False), ("/i/a.jpg/b", False), ("/i/../a.jpg", False)),
        *(("/i/b/../a.jpg", True), ("/i//a.jpg", False), ("/i/x;.jpg", False)),
        *(("/i/x%3f.jpg", False), ("/i/x%00.jpg", False), ("/i/x%3f/a.jpg", False)),
        *(("/i/x%2f..%2f..%2fa.jpg", False), ("/i/..;/a.jpg", False), ("/i/..%2fa.jpg", False)),
        ("/i/a.jpg%20", False),
    ]:
        rule = f"{SITE}/i/**/*.{{jpg,png}}"
        assert Policy(allow=[rule]).allows(SITE + path) is allowed
        assert Policy(allow=[rule], allowed=AMBIGUITIES).allows(SITE + path) is allowed
        assert Policy(allow=[rule.replace("/i/", "/")]).allows(f"{SITE}/x.png")
    # A group of suffixes allows files below at most 100 folders.
    policy = Policy(allow=[f"{SITE}/**/*.{{jpg,png}}"])
    assert policy.allows(f"{SITE}/{'a/' * 100}b.png")
    assert not policy.allows(f"{SITE}/{'a/' * 101}b.png")
    # Other groups are invalid.
    for path in ["/**/*.{}", "/**/*.{jpg", "/**/*", "/**/x.{jpg}", "/**/*.{a/b}"]:
        with pytest.raises(RuleError):
            Rule(SITE + path)


def test_a_group_of_suffixes_can_ignore_the_case_and_cover_others() -> None:
    rule = Rule(f"{SITE}/**/*.jpg", ignore_case=True)
    assert Policy(allow=[rule]).allows(f"{SITE}/A/B.JpG")
    assert not Policy(allow=[rule]).allows(f"{SITE}/A/B.JpGe")
    assert repr(rule) == f"Rule('{SITE}/**/*.jpg', ignore_case=True)"
    assert rule != Rule(str(rule))
    assert pickle.loads(pickle.dumps(rule)) == copy.deepcopy(rule) == rule
    policy = Policy(allow=[rule, f"{SITE}/**/*.png"])
    assert Policy.from_dict(policy.to_dict()) == policy
    assert policy.to_dict()["allow"][0] == {"rule": str(rule), "ignore_case": True}
    assert "ignore_case=True" in repr(policy)
    with pytest.raises(ValueError, match="ignore_case requires suffixes"):
        Rule(f"{SITE}/a", ignore_case=True)
    with pytest.raises(TypeError, match="ignore_case must be a bool"):
        Rule(f"{SITE}/**/*.jpg", ignore_case=1)  # type: ignore[arg-type]
    # A rule with suffixes covers rules with fewer.
    both, one = Rule(f"{SITE}/**/*.{{jpg,png}}"), Rule(f"{SITE}/i/**/*.png")
    assert both.covers(one)
    assert not one.covers(both)
    assert Rule(SITE).covers(both)
    assert not both.covers(Rule(SITE))
    assert Rule(str(one), ignore_case=True).covers(one)
    assert not both.covers(Rule(str(one), ignore_case=True))
    assert Policy(allow=[both]).review() == []


@pytest.mark.parametrize(
    "path",
    ["/a.exe", "/x/A.EXE", "/a.exe/info", "/a.exe;x", "/a.exe%20", "/a%2Eexe", "/a.exe%00.js"],
)
def test_a_deny_rule_with_suffixes_matches_every_reading(path: str) -> None:
    policy = Policy(deny=[f"{SITE}/**/*.{{exe,bat}}"], allowed=AMBIGUITIES)
    assert policy.decide(SITE + path).code == "denied"
    assert policy.allows(f"{SITE}/a.js")
    assert policy.allows(f"https://b.example{path}")


@pytest.mark.parametrize("denied", ["127.0.0.0/8", "127.0.0.1", "::1", "::/64"])
def test_a_deny_rule_for_loopback_addresses_denies_all_ways_to_reach_them(denied: str) -> None:
    policy = Policy(deny=[denied], scopes=None, allowed=AMBIGUITIES)
    for host in ("localhost", "LOCALHOST.", "a.localhost", "0.0.0.0", "[::]", "[::ffff:0.0.0.0]"):
        for url in (f"http://{host}/", f"ftp://{host}:8080/a"):
            assert replace(policy, schemes=None).decide(url).code == "denied", url
    assert policy.allows("http://localhost.example/")
    assert policy.allows("http://10.0.0.1/")
    assert Policy(deny=["10.0.0.0/8"], scopes=None).allows("http://localhost/")
    assert Policy(deny=["http://127.0.0.1/admin"], scopes=None).allows("http://localhost/a")


def test_a_deny_rule_with_a_query_matches_its_parameters() -> None:
    for query, denied in [
        *(("?print=1", True), ("?a=2&print=1&b", True), ("?a;PRINT=%31", True)),
        *(("?%70rint=1", True), ("?%2570rint=1", True), ("?%252570rint=1", True)),
        *(("?pri%00nt=1", True), ("?print%00x=1%00y", True), ("?u=%26print%2500%3D1", True)),
        *(("?u=%26print%3D1", True), ("%3Fprint=1", True), (";print=1", True), ("", False)),
        *(("?print=2", False), ("?print=11", False), ("?sprint=1", False), ("?print", False)),
    ]:
        policy = Policy(deny=[f"{SITE}/?print=1"], allowed=AMBIGUITIES)
        for path in ("/", "/a", "/a/b"):
            assert (policy.decide(SITE + path + query).code == "denied") is denied
        assert policy.allows(f"https://b.example/a{query}")
        below = Policy(deny=[f"{SITE}/a?print=1&a"], allowed=AMBIGUITIES)
        assert below.decide(f"{SITE}/A/b?a=&print=1").code == "denied"
        assert below.allows(f"{SITE}/b?a&print=1")
        assert below.allows(f"{SITE}/a?print=1")
    # A deny rule matches names of parameters as PHP reads them.
    for query in ["?a_b=1", "?a.b=1", "?a+b=1", "?a%20b=1", "?a%5Bb=1", "?+a%2Eb=1"]:
        for name in ["a_b", "a.b", "A%20B"]:
            policy = Policy(deny=[f"{SITE}/?{name}=1"])
            assert policy.decide(f"{SITE}/{query}").code == "denied"
            assert policy.allows(f"{SITE}/?ab=1&_a_b=1&a-b=1")


def test_public_web_takes_every_argument_of_a_policy() -> None:
    policy = Policy.public_web(
        allow=["https://*.example.org/"], ports=None, allowed={"encoded-dot"}
    )
    assert policy.ports is None
    assert policy.allowed == {"host-past-ascii", "encoded-dot"}
    assert not policy.single_label
    assert policy.deny == Policy.public_web().deny
    more = Policy.public_web(deny=["*.evil.example"], schemes={"https"}, userinfo=True)
    assert [*more.deny][:-1] == [*Policy.public_web().deny]
    assert more.decide("https://a.evil.example/").code == "denied"
    assert not more.allows("http://a.example/")
    assert Policy.public_web(base=SITE).enforce("/x").path == "/x"
    wrong: list[dict[str, Any]] = [{"deny": "a.example"}, {"allowed": "encoded-dot"}, {"hosts": []}]
    for arguments in wrong:
        with pytest.raises(TypeError):
            Policy.public_web(**arguments)


def test_restrict_keeps_the_codes_that_a_policy_accepts() -> None:
    api = Rule(f"{SITE}/api/", allowed={"encoded-slash"})
    organization = Policy(allow=[api, "b.example"], allowed={"host-past-ascii"})
    mine = Policy(allow=[f"{SITE}/api/v1/", "b.example"])
    both = organization.restrict(Policy().restrict(mine))
    assert both.allows(f"{SITE}/api/v1/a%2Fb")
    assert not both.allows(f"{SITE}/api/v2/a%2Fb")
    assert not both.allows(f"{SITE}/api/v1/a%2F..%2F..%2Fv2")
    assert not both.allows(f"{SITE}/v1/a%2Fb")
    assert not mine.allows(f"{SITE}/api/v1/a%2Fb")
    assert (
        Policy.public_web().restrict(Policy(allow=["*.example"])).allows("https://b\u00fc.example/")
    )
    assert Policy().restrict(mine).restrictions == (mine,)
    # Restrict raises policy error if the other policy does not allow the base.
    with pytest.raises(PolicyError) as caught:
        Policy(base=SITE).restrict(Policy(allow=["b.example"]))
    assert caught.value.code == "host-not-allowed"


# --- the recipe in the guide to policies allows exactly the site of a URL


URLS = [
    *("https://example.com/", "https://www.example.com:8443/a", "http://a.b.example.com/"),
    *("https://example.co.uk/", "https://a.example.co.uk/", "https://co.uk/", "https://uk/"),
    *("https://me.github.io/", "https://a.me.github.io/", "https://github.io/"),
    *("https://a.b.kobe.jp/", "https://a.city.kobe.jp/", "https://xn--85x722f.xn--55qx5d.cn/"),
    *("https://1.2.3.4/", "https://1.2.3.5/", "https://[2606:4700::1]/", "https://[2606:4700::2]/"),
    *("https://intranet/", "https://a.intranet/", "https://none/", "https://a.none/"),
]


def policy_for_site(page: HTTPURI, suffixes: Suffixes) -> Policy:
    """Return a policy that allows the site of a page, as docs/how-to/policy.md shows."""
    domain = suffixes.registrable_domain(page)
    return Policy(schemes={page.scheme}, allow=[domain, f"*.{domain}"] if domain else [page.host])


@pytest.mark.parametrize("page", URLS)
def test_a_policy_for_a_site_allows_the_site_and_nothing_else(page: str) -> None:
    suffixes = Suffixes()
    policy = policy_for_site(HTTPURI(page), suffixes)
    assert policy.review(suffixes=suffixes) == []
    for url in URLS:
        same = HTTPURI(page).is_same_site(url, public_suffix=suffixes)
        assert policy.allows(url) is same, (page, url)


def test_names_below_a_public_suffix_in_a_site_are_allowed_but_not_same_site() -> None:
    page, suffixes = HTTPURI("https://amazonaws.com/"), Suffixes()
    url = "https://evil.s3.amazonaws.com/"
    assert policy_for_site(page, suffixes).allows(url)
    assert not page.is_same_site(url, public_suffix=suffixes)
