"""Characters that servers remove or read as spaces, and dot segments at the end of a path."""

from __future__ import annotations

import pytest

from uriverse import Policy
from uriverse.diagnosis import CODES

SITE = "https://a.example"
AMBIGUITIES = frozenset(code for code, known in CODES.items() if known.group == "ambiguity")

#: Characters that some servers remove: controls, and characters that are invisible.
REMOVED = (
    *(f"%{octet:02X}" for octet in (*range(0x20), 0x7F)),
    *("%C2%80", "%C2%9F", "%C2%AD", "%E2%80%8B", "%E2%81%A0", "%EF%BB%BF", "%F3%A0%81%81"),
)


@pytest.mark.parametrize("removed", REMOVED)
@pytest.mark.parametrize(
    "path",
    [
        *("/v2/{}..", "/v2/{}../admin", "/v2/.{}./admin", "/v2/..{}/admin", "/v2/.{}.{}/admin"),
        *("/v2/x/{}..%2F..%2Fadmin", "/v2/{}.;/.%2E/admin", "/v2/{}/../admin"),
    ],
)
def test_no_character_that_a_server_removes_lets_a_path_leave_its_rule(
    path: str, removed: str
) -> None:
    policy = Policy(allow=[f"{SITE}/v2/"], allowed=AMBIGUITIES)
    assert policy.decide(SITE + path.format(removed, removed)).code == "path-not-allowed"


def test_a_character_that_a_server_removes_hides_no_path_and_leaves_no_rule() -> None:
    for removed in REMOVED:
        policy = Policy(deny=[f"{SITE}/admin"], allowed=AMBIGUITIES)
        for path in ("/ad{}min", "/{}admin", "/admin{}", "/x/.{}./admin", "/x/{}../admin"):
            assert policy.decide(SITE + path.format(removed)).code == "denied", path
    # A wildcard does not stand for a character that a server removes.
    for removed in REMOVED:
        policy = Policy(allow=[f"{SITE}/a*b"], allowed=AMBIGUITIES)
        assert policy.allows(f"{SITE}/axb")
        assert policy.decide(f"{SITE}/a{removed}b").code == "path-not-allowed"
    # A wildcard does not stand for octets that a server drops.
    for octets in ["%FF", "%C0%AE", "%25FF", "%E9"]:
        for rule, path in (("/a*b", f"/a{octets}b"), ("/*.js", f"/{octets}.js")):
            policy = Policy(allow=[SITE + rule], allowed=AMBIGUITIES)
            assert policy.decide(SITE + path).code == "path-not-allowed"
        assert Policy(allow=[f"{SITE}/*"], allowed=AMBIGUITIES).allows(f"{SITE}/a{octets}")
    # A name with such characters stays in its rule.
    policy = Policy(allow=[f"{SITE}/v2/"], allowed=AMBIGUITIES)
    for removed in REMOVED:
        assert policy.allows(f"{SITE}/v2/a{removed}..b/x{removed}")
    # A server reads a segment up to a NUL or without it.
    policy = Policy(allow=[f"{SITE}/v2/"], allowed=AMBIGUITIES)
    for path in (
        *("/v2/%00..%00x/admin", "/v2/..%00x/admin", "/v2/.%00.x/..%2F..", "/v2/x%00/%00../.."),
    ):
        assert not policy.allows(SITE + path), path
    assert policy.allows(f"{SITE}/v2/x%00../admin")


def test_a_dot_segment_at_the_end_is_read_with_and_without_a_slash() -> None:
    for rule, path, allowed in [
        *(("/a/", "/a/b/..", False), ("/a/", "/a/.", False), ("/a/", "/a/b/.", True)),
        *(("/a/", "/a/b/c/..", True), ("/a/", "/a/b/../", True), ("/a/", "/a/", True)),
        *(("/a/", "/b/../a/c/..", False), ("/a/**", "/a/b/..", False), ("/a/*/", "/a/b/.", False)),
        *(("/a/*/", "/a/b/c/.", True), ("/a/b", "/a/b/.", False), ("/", "/b/..", True)),
        *(("", "/b/..", True), ("", "/.", True)),
    ]:
        policy = Policy(allow=[SITE + rule])
        assert policy.allows(SITE + path) is allowed
        assert policy.decide(SITE + path).allowed is allowed
    # A disguised dot segment at the end is read without a slash too.
    for end in ["%2e%2e", "..;", "..;x=1", "..%20", "%00..", "%2F..", "..;%2Fx"]:
        policy = Policy(allow=[f"{SITE}/a/"], allowed=AMBIGUITIES)
        assert policy.decide(f"{SITE}/a/b/{end}").code == "path-not-allowed"
    # A relative reference keeps both readings of its last dot segment.
    for reference in ["b/..", ".", "../a/.", "/a/b/..", "b/c/../.."]:
        policy = Policy(allow=[f"{SITE}/a/"])
        assert policy.decide(reference, base=f"{SITE}/a/x").code == "path-not-allowed"
        assert str(policy.enforce("b/c/..", base=f"{SITE}/a/x")) == f"{SITE}/a/b/"


def test_a_plus_sign_at_the_edge_of_a_segment_is_a_space() -> None:
    for path in [
        *("/v1/..+/admin", "/v1/+../admin", "/v1/+/../admin", "/v1/..%2B/admin", "/v1/a/+..;x/.."),
        *("/v1/+..;x", "/v1/+%20..;x", "/v1/..+;x/admin", "/v1/x/+/../.."),
    ]:
        assert not Policy(allow=[f"{SITE}/v1/"]).allows(SITE + path)
        assert not Policy(allow=[f"{SITE}/v1/"], allowed=AMBIGUITIES).allows(SITE + path)
        denying = Policy(deny=[f"{SITE}/admin", f"{SITE}/v1/admin", f"{SITE}/v1"])
        assert not denying.allows(SITE + path)
    # Names with plus signs are names.
    for rule, path, allowed in [
        *(("/wiki/", "/wiki/C++", True), ("/wiki/", "/wiki/C++/../x", True)),
        *(("/wiki/*", "/wiki/C++", True), ("/a*", "/a+", False), ("/*a", "/+a", False)),
        *(("/a*", "/a+b", True), ("/v1/*", "/v1/+", False)),
    ]:
        assert Policy(allow=[SITE + rule]).allows(SITE + path) is allowed
