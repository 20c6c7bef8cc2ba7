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
    assert_proportional(lambda count: policy.allows(f"{SITE}/{piece * count}a"), 500)


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
    assert_proportional(lambda count: policy.allows(f"{SITE}/e{marks * count}"), 500)


# --- characters that servers remove or read as spaces, and dot segments at the end of a path


#: Characters that some servers remove: controls, and characters that are invisible.
REMOVED = (
    *(f"%{octet:02X}" for octet in (*range(0x20), 0x7F)),
    *("%C2%80", "%C2%9F", "%C2%AD", "%E2%80%8B", "%E2%81%A0", "%EF%BB%BF", "%F3%A0%81%81"),
)


def test_no_character_that_a_server_removes_lets_a_path_leave_its_rule() -> None:
    for path in [
        *("/v2/{}..", "/v2/{}../admin", "/v2/.{}./admin", "/v2/..{}/admin", "/v2/.{}.{}/admin"),
        *("/v2/x/{}..%2F..%2Fadmin", "/v2/{}.;/.%2E/admin", "/v2/{}/../admin"),
    ]:
        policy = Policy(allow=[f"{SITE}/v2/"], allowed=AMBIGUITIES)
        for removed in REMOVED:
            url = SITE + path.format(removed, removed)
            assert policy.decide(url).code == "path-not-allowed", url


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


# --- a policy rejects URIs and hosts that are too long before it examines them


LONGEST = 65_536
PAGE = "https://a.example/"


def test_a_uri_over_the_limit_has_a_code_of_its_own() -> None:
    policy = Policy(allow=["a.example"])
    assert policy.allows(PAGE + "b" * (LONGEST - len(PAGE)))
    decision = policy.decide(PAGE + "b" * (LONGEST - len(PAGE) + 1))
    assert (decision.code, decision.reason) == (
        "too-long",
        "URI too long: a policy examines at most 65,536 characters",
    )
    # A canonical form over the limit is rejected.
    assert Policy().allows(PAGE + "\u4e16" * 5_000)
    assert Policy().decide(PAGE + "\u4e16" * 20_000).code == "too-long"
    # A reference over the limit is rejected with its base.
    policy = Policy.for_redirects(PAGE)
    assert policy.decide("/" + "b" * LONGEST).code == "too-long"
    assert policy.decide("/" + "b" * (LONGEST - 10)).code == "too-long"
    assert policy.allows("/" + "b" * 1_000)


def test_a_long_host_is_rejected_before_its_conversion() -> None:
    for host, code in [
        *(("a." * 126 + "a", ""), ("a." * 126 + "a.", "trailing-dot")),
        *(("a." * 127 + "a", "host-not-allowed"), ("%61." * 126 + "a", "host-encoded")),
        *(("%61." * 127 + "a", "host-not-allowed"), ("\u05d01." * 4_000, "host-not-allowed")),
        ("\u00e9" * 4_000, "host-not-allowed"),
    ]:
        assert Policy().decide(f"https://{host}/").code == code


def test_a_long_path_is_examined_up_to_a_limit() -> None:
    for segment, end in [("b;c/", ".../%41"), ("b/", "../%41")]:
        policy = Policy(allow=["https://a.example/a/"])
        assert policy.allows(f"https://a.example/a/{segment * 20}{end}")
        assert policy.allows(f"https://a.example/a/{segment * 200}b/%41")
        assert not policy.allows(f"https://a.example/a/{segment * 200}{end}")
    # A deny rule matches a path with too many odd parts.
    for unit in ["\u3300", "\ufdfa", "a%20/", "%E3%8C%80"]:
        policy = Policy(deny=["https://a.example/admin"])
        assert policy.allows(f"https://a.example/{unit * 10}")
        assert policy.decide(f"https://a.example/{unit * 10}x").allowed
        excessive = "%20/b/" if unit == "a%20/" else unit
        assert policy.decide(f"https://a.example/b/{excessive * 200}").code == "denied"
    # Marks beyond the first ones do not matter to a deny rule.
    policy = Policy(deny=["https://a.example/a\u0301b"])
    assert policy.decide("https://a.example/\u00e1b").code == "denied"
    assert policy.allows("https://a.example/a" + "\u0301\u0316" * 500 + "b")
    assert policy.allows("https://a.example/a" + "\uff9e" * 500 + "b")
