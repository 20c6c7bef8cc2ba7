import pytest

from uriverse import Policy, Rule, check

SITE = "https://a.example"

#: Paths with a finding, and the code.
PATHS = {
    "/a%2Fb": "encoded-slash",
    "/a%5Cb": "encoded-slash",
    "/a%252Fb": "double-encoding",
    "/a%0Ab": "encoded-control",
    "/a%E9": "not-utf8",
    "/a\u200bb": "ignorable",
    "/a/%2e%2e/b": "encoded-dot",
    "/a/b/..;/b": "dot-with-parameter",
    "/a/..%20/b": "dot-with-space",
    "/a/%EF%BC%8E%EF%BC%8E/b": "dot-lookalike",
    "/a/x../b": "dot-after-name",
    "/a//../b": "dot-after-slashes",
}

QUERIES = {"?q=%0A": "encoded-control", "?q=%252F": "double-encoding", "?q=%E9": "not-utf8"}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("rule", ["a.example", "*.example", SITE, f"{SITE}/", f"{SITE}/**", None])
def test_rules_without_a_path_ignore_findings_in_paths(rule: str | None, path: str) -> None:
    policy = Policy(allow=None if rule is None else [rule])
    assert policy.allows(SITE + path)
    assert policy.decide(SITE + path)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("denied", [f"{SITE}/x/", "http://a.example/x", "https://*.example/*/y"])
def test_a_finding_in_the_path_matters_if_a_deny_rule_has_a_path(path: str, denied: str) -> None:
    for allow in (None, ["a.example"]):
        policy = Policy(allow=allow, deny=[denied])
        assert policy.decide(SITE + path).code == PATHS[path]
        assert not policy.allows(SITE + path)
        assert policy.allows(f"https://b.c{path}") is (allow is None)


@pytest.mark.parametrize("path", PATHS)
def test_a_finding_in_the_path_matters_to_rules_with_a_path(path: str) -> None:
    policy = Policy(allow=[f"{SITE}/a/", "b.example"])
    assert policy.decide(SITE + path).code == PATHS[path]
    assert policy.restrict(Policy()).decide(SITE + path).code == PATHS[path]
    assert Policy().restrict(policy).decide(SITE + path).code == PATHS[path]
    assert policy.allows(f"https://b.example{path}")
    assert Policy(allow=[f"{SITE}/a/", SITE]).decide(SITE + path).rule == Rule(SITE)


def test_a_finding_in_the_query_matters_only_to_rules_with_a_query() -> None:
    for query, code in QUERIES.items():
        url = f"{SITE}/a/{query}"
        assert Policy(allow=[f"{SITE}/a/"]).allows(url)
        assert Policy().allows(url)
        assert Policy(allow=[url]).decide(url).code == code
        assert Policy(allow=[Rule(url, allowed=set(QUERIES.values()))]).allows(url)
    # A finding in the fragment does not matter.
    assert Policy(allow=[f"{SITE}/a/?b"]).allows(f"{SITE}/a/?b#%0A%E9")
    assert not Policy().allows("https://a.example#@b.example/")


def test_two_slashes_at_the_start_of_a_path_stay_refused_in_every_reading() -> None:
    for path in [
        *("//b.example", "/%2Fb.example", "/%5Cb.example", "/%252Fb.example", "/%09/b.example"),
        *("/%EF%BC%8Fb.example%0A", "/a/..//b.example", "/a/..%2F%2Fb.example"),
        *("/;x%2F/b.example%0A", "/.%2F/b.example"),
    ]:
        for policy in (Policy(), Policy(allow=[SITE]), Policy.for_redirects(SITE)):
            assert not policy.allows(SITE + path)
            if not path.startswith("//"):  # that is another host, as it says
                assert not policy.allows(path, base=SITE)
        assert not Policy.for_redirects(SITE).allows(path)


def test_findings_about_the_host_refuse_everywhere() -> None:
    for url in (
        *("https://a%2Eexample/", "https://127.1/", "https://a.example:0443/", "https://a%00/"),
    ):
        assert not Policy().allows(url)
    # An underscore in a host refuses nothing.
    for url in ("https://my_bucket.s3.amazonaws.com/x", "https://under_score.example.org/"):
        assert Policy().allows(url)
        assert Policy.public_web().allows(url)
    assert not Policy.public_web().allows("https://a.b_c/")


def test_relative_references_have_the_same_answer() -> None:
    by_host = Policy.for_redirects("https://a.example/login")
    assert str(by_host.enforce("/a%2Fb?q=%0A")) == "https://a.example/a%2Fb?q=%0A"
    by_path = Policy(allow=[f"{SITE}/a/"], base=f"{SITE}/a/x")
    assert by_path.decide("b/x//../%2e").code == "dot-after-slashes"
    assert by_path.decide("b?q=%0A")
    within = Policy(base=f"{SITE}/a/x", restrictions=[Policy(allow=[f"{SITE}/a/"])])
    assert within.decide("/a/x//../b").code == "dot-after-slashes"


def test_a_rule_accepts_an_internationalized_host_if_all_conversions_agree() -> None:
    for host in ["b\u00fccher.example", "B\u00dcCHER.example", "xn--bcher-kva.example"]:
        for rule in ["https://b\u00fccher.example/", "xn--bcher-kva.example"]:
            policy = Policy(allow=[rule])
            assert str(policy.enforce(f"https://{host}/")) == "https://xn--bcher-kva.example/"
    # Other hosts in unicode are refused.
    for rule, url in [
        ("https://fa\u00df.example/", "https://fa\u00df.example/"),
        ("https://fass.example/", "https://fa\u00df.example/"),
        ("https://b\u00fccher.example/", "https://b\u00fccher\u200d.example/"),
        ("https://b\u00fccher.example/", "https://b%C3%BCcher.example/"),
        ("https://a.example/", "https://\uff41.example/"),
        ("https://*.example/", "https://b\u00fccher.example/"),
    ]:
        assert not Policy(allow=[rule]).allows(url)


# --- a policy examines the findings that `check` lists as details of others


def test_a_policy_refuses_a_detail_whose_cause_it_accepts() -> None:
    text = "http://good.example%2F@a.example/"
    [finding] = check(text)
    assert (finding.code, finding.details) == (
        "userinfo-like-host",
        ("userinfo", "host-with-delimiter"),
    )
    for allowed, code in (
        ({"userinfo-like-host"}, "host-with-delimiter"),
        ({"host-with-delimiter"}, "userinfo-like-host"),
        ({"userinfo-like-host", "host-with-delimiter"}, ""),
    ):
        policy = Policy(userinfo=True, allowed=allowed)
        assert policy.decide(text).code == code


@pytest.mark.parametrize("text", ["https://a.example/p/%252e/", "https://a.example/p/..%2Fb"])
def test_a_rule_accepts_a_uri_only_with_its_details(text: str) -> None:
    [finding] = check(text)
    assert finding.details
    policy = Policy(allow=[Rule("https://a.example/p/", allowed={finding.code})])
    assert not policy.allows(text)
    codes = {finding.code, *finding.details}
    rejected = Policy(allow=[Rule("https://a.example/p/", allowed=codes)]).decide(text).code
    assert rejected not in codes
