"""A policy examines the findings that `check` lists as details of others."""

from __future__ import annotations

import pytest

from uriverse import Policy, Rule, check


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
