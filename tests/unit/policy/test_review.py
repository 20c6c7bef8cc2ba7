import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from counting import assert_proportional
from hypothesis import event, given
from hypothesis import strategies as st

from uriverse import Policy, Rule, RuleFinding
from uriverse.hosts._sites import load_installed_suffixes
from uriverse.suffixes import Suffixes


def found(policy: Policy) -> list[tuple[str, str]]:
    return [(finding.code, str(finding.rule)) for finding in policy.review()]


def the_finding(policy: Policy) -> RuleFinding:
    [finding] = policy.review()
    return finding


def test_usual_policies_have_no_findings() -> None:
    assert (Policy().review(), Policy(allow=[]).review()) == ([], [])
    assert Policy.public_web().review() == []
    assert Policy.for_redirects("https://example.org/", allow=["*.example.org"]).review() == []
    assert (
        Policy(allow=["10.0.0.0/8", "localhost", "https://[::1]:8000/v1/*.js?a=1"]).review() == []
    )
    gitlab = Rule("https://gitlab.com/api/v4/projects/a%2Fb/", allowed={"encoded-slash"})
    assert Policy(allow=[gitlab], schemes=None, ports={443}).review() == []


REMOVE = "remove the rule, or narrow the deny rule"

#: Rules with the options of their policy and a URL that they match, and the reason and the hint.
NEVER: list[tuple[tuple[str, dict[str, Any], str], tuple[str, str]]] = [
    (
        ("ftp://a.example/", {}, "ftp://a.example/"),
        ("the policy forbids the scheme", 'add "ftp" to schemes'),
    ),
    (
        ("a.example", {"schemes": set()}, "https://a.example/"),
        ("the policy forbids the scheme", 'add "https" to schemes'),
    ),
    (
        ("https://a.example:8443/", {"ports": {80, 443}}, "https://a.example:8443/"),
        ("the policy forbids the port", "add 8443 to ports"),
    ),
    (
        ("*.local", {}, "http://printer.local/"),
        (
            "the policy forbids the scope of the host: special-use",
            "add the scope to scopes, or write a rule for each host",
        ),
    ),
    (
        ("https://gitlab.com/a%2Fb", {}, "https://gitlab.com/a%2Fb"),
        (
            "some programs treat the encoded slash as data, and others as a separator",
            'accept the code "encoded-slash" in this rule',
        ),
    ),
    (
        ("::ffff:1.2.3.4", {}, "http://[::ffff:1.2.3.4]/"),
        (
            "the IPv6 address embeds an IPv4 address, which a connection may reach instead",
            'accept the code "ipv6-with-ipv4" in this rule',
        ),
    ),
    (
        (
            *("*.b_c", {"single_label": False, "allowed": {"label-with-underscore"}}),
            "https://a.b_c/",
        ),
        ("the policy forbids an underscore in the last two labels", "remove the rule"),
    ),
    *(
        ((rule, {"deny": [denied]}, url), (f"a deny rule matches: {denied}", REMOVE))
        for rule, denied, url in (
            ("https://a.example/b/", "*.example", "https://a.example/b/"),
            ("https://a.example/B*", "https://a.example/b*", "https://a.example/Bc"),
            ("https://a.example", "https://a.example/", "https://a.example/"),
            ("10.0.0.1", "10.0.0.0/8", "http://10.0.0.1/"),
        )
    ),
]


def test_a_rule_that_never_matches_is_explained() -> None:
    for (rule, options, url), (reason, hint) in NEVER:
        policy = Policy(allow=[rule], **options)
        assert not policy.allows(url)
        finding = the_finding(policy)
        assert (finding.code, finding.rule, finding.hint) == ("never-matches", Rule(rule), hint)
        assert finding.message == f"the policy rejects every URI that the rule matches: {reason}"


def test_a_rule_that_may_match_has_no_such_finding() -> None:
    options: Any
    allow: Any
    for allow, options in [
        # The rule matches with another scheme or port.
        ("a.example", {"schemes": {"https", "x"}}),
        *(("a.example", {"deny": ["http://a.example"]}), ("a.example", {"ports": {8443}})),
        ("https://a.example:*/", {"ports": {8443}}),
        # A deny rule matches only a part of the rule.
        ("*.a.example", {"deny": ["x.a.example"]}),
        ("https://a.example/*", {"deny": ["https://a.example/x"]}),
        ("https://a.example/b/*", {"deny": ["https://a.example/*/x"]}),
        ("a.example", {"schemes": None, "deny": ["https://a.example/", "http://a.example/"]}),
        ("10.0.0.0/8", {"deny": ["10.0.0.0"]}),
        # The first and the last address have a scope of their own.
        ("0.0.0.0/0", {"restrictions": [Policy()]}),
        # A restriction matches only a part of the rule.
        ("*.a.example", {"restrictions": [Policy(allow=["b.a.example"])]}),
        ("*.a.example", {"restrictions": [Policy(allow=["*.b.a.example"])]}),
        ("10.0.0.0/8", {"restrictions": [Policy(allow=["10.1.0.0/16"])]}),
        ("a.example", {"restrictions": [Policy(allow=["https://a.example:8443/v1/"])]}),
        ("https://a.example/*/c", {"restrictions": [Policy(allow=["https://a.example/b/*"])]}),
        ("https://a.example/", {"restrictions": [Policy(allow=["https://a.example/b/"])]}),
        ("https://a.example/b*", {"restrictions": [Policy(allow=["https://a.example/*c"])]}),
        ("x://a.example", {"schemes": None, "restrictions": [Policy(schemes=None)]}),
    ]:
        assert "never-matches" not in dict(found(Policy(allow=[allow], **options)))


def test_a_restriction_may_reject_all_uris_of_a_rule() -> None:
    for rule, restriction in [
        ("b.example", Policy(allow=["a.example"])),
        ("*.b.example", Policy(allow=["*.a.example", "b.example", "10.0.0.0/8"])),
        ("10.0.0.0/8", Policy(allow=["11.0.0.0/8", "a.example"])),
        ("10.0.0.0/8", Policy()),
        ("http://a.example/", Policy(schemes={"https"})),
        ("http://a.example/", Policy(allow=["https://a.example/"])),
        ("https://a.example:80/", Policy(ports={443})),
        ("https://a.example/b", Policy(allow=["https://a.example/c"])),
        ("https://a.example/b", Policy(allow=["https://a.example/b/"])),
        ("https://a.example/b/c", Policy(allow=["https://a.example/b"])),
        ("https://a.example/b/", Policy(allow=["https://a.example/b"])),
        ("https://a.example/*.js", Policy(allow=["https://a.example/a.css"])),
        ("https://a.example/a.css", Policy(allow=["https://a.example/*.js"])),
        ("https://a.example/?a", Policy(allow=["https://a.example/?b"])),
        ("a.example", Policy(deny=["*.example"])),
        ("a.example", Policy(restrictions=[Policy(allow=["b.example"])])),
    ]:
        policy = Policy(allow=[rule]).restrict(restriction)
        finding = the_finding(policy)
        assert (finding.code, finding.rule) == ("never-matches", Rule(rule))
        assert finding.message.startswith("a restriction rejects every URI that the rule matches: ")
        assert finding.hint == "remove the rule, or change the restriction"


# --- rules that another rule covers


def test_a_covered_allow_rule_names_the_other_rule() -> None:
    allow: Any
    for allow, covered, by in [
        (["*.example.com", "www.example.com"], "www.example.com", "*.example.com"),
        (["www.example.com", "*.example.com"], "www.example.com", "*.example.com"),
        (["*.example.com", "*.b.example.com"], "*.b.example.com", "*.example.com"),
        (["a.example", "https://a.example/b"], "https://a.example/b", "a.example"),
        (["https://a.example/b/", "https://a.example/b/c"], "https://a.example/b/c", None),
        (["https://a.example/a*", "https://a.example/a*.js"], "https://a.example/a*.js", None),
        (["https://a.example:*/", "https://a.example/?b"], "https://a.example/?b", None),
        (["10.0.0.0/8", "10.1.0.0/16"], "10.1.0.0/16", "10.0.0.0/8"),
        (["10.0.0.0/8", "http://10.1.2.3/"], "http://10.1.2.3/", "10.0.0.0/8"),
        # Of two rules with the same meaning, the first one remains.
        (["https://a.example/", "HTTPS://A.example:443/**"], "HTTPS://A.example:443/**", None),
        (["a.example", Rule("A.example", allowed={"encoded-slash"})], "a.example", "A.example"),
    ]:
        finding = the_finding(Policy(allow=allow))
        assert (finding.code, str(finding.rule)) == ("covered", covered)
        assert finding.message.endswith(
            f" matches everything that the rule matches: {by or allow[0]}"
        )
        assert finding.hint == "remove this rule"
    # Deny rules cover others as widely as they match.
    for deny, covered in [
        (["*.a.example", "https://b.a.example/c"], "https://b.a.example/c"),
        (["https://a.example/ADMIN", "https://a.example/admin/"], "https://a.example/admin/"),
        (["https://a.example/b", "https://a.example:8443/b/c"], "https://a.example:8443/b/c"),
        (["10.0.0.0/8", "::ffff:10.0.0.1"], "::ffff:10.0.0.1"),
    ]:
        assert found(Policy(allow=[], deny=deny)) == [("covered", covered)]
    # A rule that changes decisions is not covered.
    for allow in [
        # A rule for a single host allows the host in any scope.
        (["*.a.local", "b.a.local"]),
        ([Rule("a.example", allowed={"encoded-slash"}), "https://b.example"]),
        (["a.example", Rule("https://a.example/b", allowed={"encoded-slash"})]),
        (["https://a.example/b", "https://a.example/b/"]),
    ]:
        assert "covered" not in dict(found(Policy(allow=allow)))


def test_a_rule_for_an_internationalized_name_is_not_covered_by_a_wildcard() -> None:
    # Only a rule that contains "xn--" accepts the Unicode form of a name.
    policy = Policy(allow=["*.example", "https://xn--bcher-kva.example/"])
    assert policy.allows("https://bücher.example/")
    assert not replace(policy, allow=["*.example"]).allows("https://bücher.example/")
    assert policy.review() == []
    policy = Policy(allow=["*.xn--bcher-kva.example", "a.xn--bcher-kva.example"])
    assert [finding.code for finding in policy.review()] == ["covered"]


@pytest.mark.parametrize(
    ("wide", "narrow", "url"),
    [
        ("https://a.example/", "https://a.example/*", "http://a.example/b%2Fc"),
        ("https://a.example/b", "https://a.example/b?q", "https://a.example/c?d=%00"),
        ("https://a.example:8443/", "https://a.example:8443/b", "https://a.example/b%2Fc"),
        ("https://*.example/", "https://a.example/b", "http://a.example/b%2Fc"),
    ],
)
def test_a_deny_rule_is_not_covered_if_only_it_makes_a_component_matter(
    wide: str, narrow: str, url: str
) -> None:
    for deny in ([wide, narrow], [narrow, wide]):
        policy = Policy(allow=["a.example"], deny=deny, scopes=None)
        assert "covered" not in dict(found(policy))
        assert not policy.allows(url)
    assert replace(policy, deny=[wide]).allows(url)


@pytest.mark.parametrize(
    ("wide", "narrow", "options"),
    [
        # The other rule names the same components.
        ("https://a.example/*", "https://a.example/b", {}),
        ("https://a.example/b?q", "https://a.example/b/c?q", {}),
        # The other rule rejects all URIs with the host.
        ("a.example", "https://a.example/b?q", {}),
        ("https://a.example/", "https://a.example/b", {"schemes": {"https"}}),
        ("https://a.test/", "https://a.test/b", {"restrictions": [Policy(schemes={"https"})]}),
        ("x://a.example:80/", "x://a.example:80/b", {"schemes": {"x"}, "ports": {80}}),
    ],
)
def test_a_deny_rule_is_covered_if_another_one_makes_its_components_matter(
    wide: str, narrow: str, options: Any
) -> None:
    for deny in ([wide, narrow], [narrow, wide]):
        assert dict(found(Policy(deny=deny, **options)))["covered"] == narrow


@pytest.mark.parametrize(
    "rule",
    ["h{0}.example.com", "https://a.example.com/{0}/", "10.{1}.{2}.0/24"],
    ids=["hosts", "paths", "networks"],
)
@pytest.mark.parametrize("argument", ["allow", "deny"])
def test_the_time_of_a_review_grows_with_the_number_of_rules(argument: str, rule: str) -> None:
    def review(count: int) -> None:
        rules = [rule.format(n, n // 256, n % 256) for n in range(count)]
        arguments: dict[str, Any] = {"schemes": {"https"}, argument: rules}
        assert Policy(**arguments).review() == []

    review(200)  # so that the names of hosts are cached
    assert_proportional(review, 100)


# --- rules that match more than they seem to


def test_a_wildcard_below_a_public_suffix_is_wide() -> None:
    policy = Policy(allow=["*.com"])
    assert policy.allows("https://evil.com/")
    assert Policy(allow=["*.co.uk"]).allows("https://evil.co.uk/")
    for rule, below, name in [
        ("*.com", "the top-level domain com", "*.example.com"),
        ("*.co.uk", "the public suffix co.uk", "*.example.co.uk"),
        # A wildcard above public suffixes is wide.
        ("*.kobe.jp", "kobe.jp, which are public suffixes", "*.a.example.kobe.jp"),
    ]:
        finding = the_finding(Policy(allow=[rule]))
        assert finding.code == "wide"
        assert finding.message == f"the rule allows all names below {below}"
        assert finding.hint == f"write a longer name, such as {name}"
    assert Policy(allow=["*.localhost"], scopes=None).review() == []
    for rule in ("https://*.github.io/docs/", "*.公司.cn", "*.CO.UK."):
        assert found(Policy(allow=[rule])) == [("wide", str(Rule(rule)))]
    for rule in ("*.example.co.uk", "*.a.b.example.com", "co.uk", "*.city.kobe.jp"):
        assert Policy(allow=[rule]).review() == []
    assert Policy(allow=["*.home.arpa", "*.office.local"], scopes=None).review() == []
    assert Policy(allow=["*.a.example.kobe.jp"]).review() == []
    # A deny rule for a public suffix is not wide.
    assert found(Policy(deny=["*.github.io", "github.io"])) == []


def test_a_review_uses_the_given_or_the_installed_list_of_suffixes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "list.dat"
    path.write_text("com\nhosting.com\n", "utf-8")
    policy = Policy(allow=["*.hosting.com", "*.github.io"])
    [finding] = policy.review(suffixes=Suffixes(path))
    assert str(finding.rule) == "*.hosting.com"
    assert Policy(allow=["*.github.io"]).review(suffixes=Suffixes(private=False)) == []
    # A list of suffixes of a wrong type is rejected.
    for policy in [Policy(), Policy(allow=["*.co.uk"])]:
        wrong: Any = "list.dat"
        with pytest.raises(TypeError, match="suffixes must be a Suffixes or None, not str"):
            policy.review(suffixes=wrong)
    # A review without an installed list knows top level domains.
    load_installed_suffixes.cache_clear()
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    assert found(Policy(allow=["*.com", "*.co.uk", "*.kobe.jp"])) == [("wide", "*.com")]


def test_a_large_network_is_wide() -> None:
    for network, url, bits in [
        *(("0.0.0.0/0", "http://10.0.0.1/", 0), ("128.0.0.0/7", "http://129.1.2.3/", 7)),
        ("2000::/15", "http://[2001:db8::1]/", 15),
    ]:
        policy = Policy(allow=[network])
        assert policy.allows(url)
        finding = the_finding(policy)
        assert finding.code == "wide"
        assert finding.message == f"the prefix of the network has only {bits} bits"
    # Usual networks are not wide.
    assert Policy(allow=["10.0.0.0/8", "2001::/16"]).review() == []
    # A wildcard with all ports is wide.
    rule = "https://*.example.com:*/"
    assert Policy(allow=[rule]).allows("https://a.example.com:22/")
    finding = the_finding(Policy(allow=[rule]))
    assert finding.code == "wide"
    assert finding.message == "the rule allows every port of all names below example.com"
    assert Policy(allow=[rule], ports={443, 8443}).review() == []
    assert Policy(allow=["*.example.com", "https://a.example:*/"]).review() == []


# --- deny rules that match less than they seem to


def test_a_deny_rule_that_matches_less_than_it_seems_to_is_reported() -> None:
    policy = Policy(deny=["*.example.com"])
    assert policy.allows("https://example.com/")
    finding = the_finding(policy)
    assert finding.code == "narrow"
    assert finding.message == "the rule does not deny example.com itself, which the policy allows"
    assert finding.hint == 'add "example.com" to deny'
    assert policy.deny == (Rule("*.example.com"),)
    assert Policy(deny=["*.example.com", "example.com"]).review() == []
    assert Policy(deny=["*.example.com"], allow=["a.example"]).review() == []
    assert Policy(deny=["*.zip"]).review() == []
    path = the_finding(Policy(deny=["https://*.example.com/admin"], schemes={"https"}))
    assert path.hint == 'add "https://example.com/admin" to deny'
    # A deny rule for HTTPS does not deny HTTP.
    policy = Policy(deny=["https://a.example/admin"])
    assert policy.allows("http://a.example/admin")
    finding = the_finding(policy)
    assert finding.code == "narrow"
    assert finding.message == "the rule denies only https, and the policy allows http"
    assert finding.hint == "add the same rule with http to deny"
    assert Policy(deny=["https://a.example/"], schemes={"https"}).review() == []
    assert Policy(deny=["https://a.example/", "http://a.example/"]).review() == []
    assert Policy(deny=["http://a.example/"]).review() == []
    with_port = Policy(deny=["https://a.example:8443/", "http://a.example:8443/"])
    assert with_port.review() == []
    restricted = Policy(deny=["https://a.example/"]).restrict(Policy(schemes={"https"}))
    assert restricted.review() == []
    # Findings contain no secrets.
    rules = ["https://a.example/?token=hunter2", "https://*.a.example/?token=hunter2"]
    policy = Policy(allow=[*rules, "HTTPS://a.example/?token=hunter2"], schemes={"https"})
    finding = the_finding(policy)
    assert "hunter2" not in finding.message + finding.hint + repr(finding)


#: Rules and URIs that meet in many ways.
RULES = (
    *("a.example", "*.example", "*.a.example", "x.a.example", "10.0.0.0/8", "10.0.0.1", "*.local"),
    *("b.local", "https://a.example/", "http://a.example", "https://a.example:*/b/", "::/0"),
    *("xn--bcher-kva.example", "https://*.example/", "https://*.xn--bcher-kva.example/"),
    *("https://*.example/b", "https://a.example/*", "https://a.example/b%2Fc", "x://a.example/"),
    *("https://a.example/*/d", "https://a.example:8443/", "https://a.example/B", "::ffff:10.0.0.1"),
)
HOSTS = (
    *("a.example", "x.a.example", "x.example", "b.local", "10.0.0.1", "10.9.9.9"),
    *("[2600::1]", "[::ffff:10.0.0.1]", "bücher.example"),
)
URLS = [
    f"{start}{host}{port}{path}"
    for start in ("http://", "https://", "x://")
    for host in HOSTS
    for port in ("", ":8443")
    for path in ("/", "/b", "/B/", "/b/c", "/b%2Fc", "/c/d")
]


def rules(*, with_queries: bool) -> st.SearchStrategy[list[Rule]]:
    texts = st.sampled_from((*RULES, *["https://a.example/b?q"] * with_queries))
    codes = st.sampled_from(((), (), ("encoded-slash",)))
    return st.lists(st.builds(lambda text, allowed: Rule(text, allowed=allowed), texts, codes))


def policies(**more: Any) -> st.SearchStrategy[Policy]:
    return st.builds(
        Policy,
        schemes=st.sampled_from((None, {"https"}, {"http", "https"})),
        allow=rules(with_queries=True),
        deny=st.just(()) | rules(with_queries=False),
        ports=st.sampled_from((None, {8443}, {443})),
        scopes=st.sampled_from((None, {"global"}, {"private"})),
        allowed=st.sampled_from(((), {"ipv6-with-ipv4"})),
        **more,
    )


def restricted() -> st.SearchStrategy[Policy]:
    return policies(restrictions=st.lists(policies(), max_size=1))


@given(restricted())
def test_a_rule_that_never_matches_allows_nothing(policy: Policy) -> None:
    for finding in policy.review():
        if finding.code == "never-matches":
            event(finding.message)
            alone = replace(policy, allow=[finding.rule])
            assert [url for url in URLS if alone.allows(url)] == []


@given(restricted())
def test_a_policy_without_its_covered_rules_decides_the_same(policy: Policy) -> None:
    found = [finding.rule for finding in policy.review() if finding.code == "covered"]
    event(f"{len(found)} covered rules")
    assert policy.allow is not None
    shorter = replace(
        policy,
        allow=[rule for rule in policy.allow if rule not in found or rule in policy.deny],
        deny=[rule for rule in policy.deny if rule not in found or rule in policy.allow],
    )
    for url in URLS:
        assert policy.allows(url) == shorter.allows(url), url


@pytest.mark.parametrize("kind", ["allow", "deny"])
def test_many_rules_that_examine_all_folders_for_one_host_are_slow(kind: str) -> None:
    rules = [f"https://a.example/**/*.p{n}" for n in range(6)]
    policy = Policy(allow=rules) if kind == "allow" else Policy(deny=rules)
    [finding] = [finding for finding in policy.review() if finding.code == "slow"]
    assert str(finding.rule) == rules[0]
    assert finding.message == "6 rules for this host take up to 3 ms each"
    few = [*rules[1:], "https://b.example/**/*.js"]
    assert "slow" not in {finding.code for finding in Policy(allow=few, deny=few).review()}
