"""Paths that servers read in several ways, in policies that accept ambiguities or deny paths."""

from __future__ import annotations

import pytest
from counting import assert_proportional

from uriverse import Policy, Rule
from uriverse.diagnosis import CODES

SITE = "https://a.example"
AMBIGUITIES = frozenset(code for code, known in CODES.items() if known.group == "ambiguity")


def test_a_rule_that_accepts_every_ambiguity_keeps_every_reading_in_its_subtree() -> None:
    for path in [
        *("/v1/..%20/admin", "/v1/..%20%2Fadmin", "/v1/..;x/admin"),
        *("/v1/x/%252e%252e;%2Fa/%252e%252e;%2Fa", "/v1/a%2F..%2F..%2Fadmin", "/v1//%2e%2e"),
        *("/v1/%C2%AD/.%2E/b", "/v1/%00/..%2Fadmin", "/v1/%C2%AD/..%5Cadmin", "/v1/.../..%2Fadmin"),
    ]:
        policy = Policy(allow=[f"{SITE}/v1/"], allowed=AMBIGUITIES)
        assert policy.decide(f"{SITE}{path}").code == "path-not-allowed"
    # A rule that accepts every ambiguity allows paths in its subtree.
    for path in ["/v1/group%2Fproject", "/v1/a%2F..%2Fb", "/v1/100%2525", "/v1/xx;%C3%A9"]:
        assert Policy(allow=[f"{SITE}/v1/"], allowed=AMBIGUITIES).allows(f"{SITE}{path}")
    # A path that climbs after several conversions is rejected.
    for path in ["/v1/%2e%2e..", "/v1/%2E..", "/v1/%EF%BC%8E%EF%BC%8E.."]:
        policy = Policy(allow=[f"{SITE}/v1/"])
        assert policy.decide(f"{SITE}{path}").code == "path-not-allowed"
        assert policy.allows(f"{SITE}/v1/a%2eb/..%2ea")
        assert policy.allows(f"{SITE}/v1/a/../b%C3%A9")


def test_a_deny_rule_matches_every_reading_of_a_path() -> None:
    for denied, path in [
        *(("/*\u00e9", "/%25%C3%A9"), ("/x*\u00e9", "/x%25%C3%A9"), ("/admin", "/%C2%ADadmin")),
        *(("/admin", "/%EF%BC%8561dmin"), ("/admin", "/x/.%C2%AD./admin")),
        *(("/admin", "/x/..%20/admin"), ("/\u00c9%2Fx", "/\u00e9%2Fx")),
        *(("/a/admin", "/a//..%5Cadmin"), ("/admin", "/..%3Bx..%5Ca../admin")),
        *(("/admin", "/q/r/..%C0%AE/../admin"), ("/q/x", "/q/r/..%3Bx/..;y/..%3Bx/x")),
        ("/a%5Cb", "/a;x%5Cb"),
    ]:
        policy = Policy(deny=[f"{SITE}{denied}"], allowed=AMBIGUITIES)
        assert policy.decide(f"{SITE}{path}").code == "denied"
    # A deny rule matches other spellings of a path.
    for denied, path in [
        *(("/admin", "/%20admin"), ("/admin", "/%C2%A0admin"), ("/x/y", "/x/%20y")),
        *(("/admin", "/admin+"), ("/admin", "/+admin"), ("/caf%C3%A9", "/cafe%CC%81")),
        *(("/cafe%CC%81", "/caf%C3%A9"), ("/office", "/%E2%93%9Effice"), ("/k1", "/k%C2%B9")),
        *(("/admin", "/adm%C4%B1n"), ("/admin", "/adm%C4%B0n"), ("/\uff41dmin", "/admin")),
        *(("/*.php", "/a;b.php%3f.js"), ("/admin", "/admin::$DATA")),
        ("/.git", "/.git::$INDEX_ALLOCATION/config"),
    ]:
        assert Policy(deny=[f"{SITE}{denied}"]).decide(f"{SITE}{path}").code == "denied"
    # A deny rule matches a path with too many readings.
    policy = Policy(deny=[f"{SITE}/admin"], allowed=AMBIGUITIES)
    assert policy.allows(f"{SITE}/%C3%A9;x//a%20/b.%3By/")
    hostile = "/.%20//%2F%EF%BC%8525/%2e%2e..%252F%3Bx.%20%5C..." * 50
    assert policy.decide(f"{SITE}{hostile}").code == "denied"
    assert policy.allows(f"http://b.example{hostile}")


@pytest.mark.parametrize("piece", [".", "%20", ".%20", ";", "a/;", "%EF%BC%8E", "%25"])
def test_deny_rules_examine_long_paths_in_linear_time(piece: str) -> None:
    policy = Policy(deny=[f"{SITE}/admin", f"{SITE}/*a*a*b"])
    assert policy.allows(f"{SITE}/{piece * 5_000}a")
    assert_proportional(lambda count: policy.allows(f"{SITE}/{piece * count}a"))


def test_a_wildcard_matches_a_segment_that_every_server_reads_as_one_name() -> None:
    for rule, path in [
        *(("/wiki/*", "/wiki/Who%3F"), ("/users/*/avatar", "/users/a%20b/avatar")),
        *(("/users/*/avatar", "/users/caf%C3%A9/avatar"), ("/users/*/avatar", "/users/a;b/avatar")),
        ("/*.js", "/a%20b.js"),
    ]:
        assert Policy(allow=[f"{SITE}{rule}"]).allows(f"{SITE}{path}")
    # A wildcard matches no segment of which a server reads only a part.
    for rule, path in [
        *(("/*-public/", "/admin;-public/x"), ("/*-public/", "/admin%3b-public/x")),
        *(("/*.js", "/admin;.js"), ("/*.js", "/admin%3f.js"), ("/*a", "/%20a"), ("/a*", "/ab.")),
        *(("/a*/b", "/a./b"), ("/v1/*-ro", "/v1/delete;-ro")),
        ("/users/*/avatar", "/users/x%3fa/avatar"),
        ("/users/*/avatar", "/users/a%EF%BC%8Fb/avatar"),
    ]:
        assert Policy(allow=[f"{SITE}{rule}"]).decide(f"{SITE}{path}").code == "path-not-allowed"
    # An accepted slash matches only a whole segment.
    for rule, path, allowed in [
        ("/projects/*/issues", "/projects/a%2Fb/issues", True),
        ("/projects/*/issues", "/projects/1%2Fhooks%3F/issues", False),
        ("/projects/*-pub/", "/projects/secret%2Fa-pub/", False),
    ]:
        accepting = Rule(f"{SITE}{rule}", allowed={"encoded-slash"})
        assert Policy(allow=[accepting]).allows(f"{SITE}{path}") is allowed


def test_runs_of_marks_are_compared_in_linear_time() -> None:
    policy = Policy(deny=[f"{SITE}/e\u0301"])
    marks = "%CC%A7%CC%81"
    assert_proportional(lambda count: policy.allows(f"{SITE}/e{marks * count}"))
