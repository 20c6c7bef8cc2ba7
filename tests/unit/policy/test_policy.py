import pickle
from typing import Any

import pytest
from readers import canonical, hosts_seen

from compare_conformance.mutants import mutants
from uriverse import URI, ParseError, Policy, PolicyError, ResolveError, Rule, parse

PERMISSIVE = Policy(schemes=None, userinfo=True, unambiguous=False, scopes=None)


def code(text: str, policy: Policy | None = None) -> str | None:
    try:
        (policy or Policy()).enforce(text)
    except PolicyError as error:
        return error.code or "none"
    return None


def test_enforce_returns_the_canonical_form_of_an_allowed_uri() -> None:
    for text, canonical_form in [
        ("http://a.example/b?c#d", "http://a.example/b?c#d"),
        ("HTTPS://A.example:443", "https://a.example/"),
        ("http://a.example/%7e/../b", "http://a.example/b"),
        ("http://8.8.8.8/", "http://8.8.8.8/"),
        ("http://[2606:4700::1111]/", "http://[2606:4700::1111]/"),
        ("http://www.example.org/", "http://www.example.org/"),
    ]:
        found = Policy().enforce(text)
        assert type(found) is URI
        assert (str(found), Policy().enforce(parse(text))) == (canonical_form, found)


def test_rejections_have_an_error_code() -> None:
    for text, why in [
        *(("a b", "syntax"), ("//a.example/", "relative")),
        ("ftp://a.example/", "scheme-not-allowed"),
        ("http://me@a.example/", "userinfo-not-allowed"),
        *(("http:a.example", "authority-missing"), ("http:///a", "host-missing")),
        *(("http://a.example./", "trailing-dot"), ("http://0x7f.1/", "ipv4-hex")),
        *(("http://127.0.0.1/", "scope-not-allowed"), ("http://10.1.2.3/", "scope-not-allowed")),
        ("http://169.254.169.254/", "scope-not-allowed"),
        *(("http://[::1]/", "scope-not-allowed"), ("http://[fd00::1]/", "scope-not-allowed")),
        *(("http://localhost/", "scope-not-allowed"), ("http://a.LOCALHOST/", "scope-not-allowed")),
        ("http://printer.local/", "scope-not-allowed"),
        ("http://[::ffff:127.0.0.1]/", "ipv6-with-ipv4"),
        ("http://b\u00fccher.example/", "host-past-ascii"),
    ]:
        assert code(text) == why


def test_a_policy_limits_schemes_and_ports() -> None:
    policy = Policy(schemes={"https", "x"}, ports={443, 8443}, userinfo=True)
    assert code("https://a.example/", policy) is None
    assert code("https://me@a.example:8443/", policy) is None
    assert code("https://a.example:444/", policy) == "port-not-allowed"
    assert code("x://a.example/", policy) == "port-not-allowed"
    assert code("http://a.example/", policy) == "scheme-not-allowed"
    # Ports out of range are rejected.
    for port in ["65536", "1" * 5000]:
        for ports in (None, {80}):
            policy = Policy(unambiguous=False, ports=ports)
            assert code(f"http://a.example:{port}/", policy) == "port-not-allowed"
    # The largest port is allowed.
    assert Policy(ports=None).allows("http://a.example:65535/")
    # Port zero can be allowed.
    policy = Policy(ports={0}, allowed={"port-odd"})
    assert policy.enforce("http://a.example:0/").port == 0


def test_hosts_are_allowed_by_exact_name_or_wildcard() -> None:
    policy = Policy(
        allow=["a.example", "*.B.example", "*.b\u00fccher.example", "8.8.8.8", "[2606:4700:0::1]"]
    )
    for host in (
        *("a.example", "A.EXAMPLE", "x.b.example", "y.x.b.example", "8.8.8.8", "[2606:4700::1]"),
        "c.xn--bcher-kva.example",
    ):
        assert code(f"http://{host}/", policy) is None
    for host in (
        *("x.a.example", "b.example", "xb.example", "example", "8.8.8.9", "b.example.evil.example"),
    ):
        assert code(f"http://{host}/", policy) == "host-not-allowed"
    rooted = Policy(allow=["a.example."], unambiguous=False)
    assert code("http://a.example./", rooted) is None
    # Exactly listed hosts are exempt from scopes but wildcards are not.
    policy = Policy(allow=["10.0.0.1", "localhost", "*.localhost", "[::1]"])
    for host in ("10.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        assert code(f"http://{host}/", policy) is None
    assert code("http://a.localhost/", policy) == "scope-not-allowed"
    # An allowed address matches in every notation.
    for host in ["::ffff:1.2.3.4", "[64:ff9b::0102:0304]", "2001:DB8::0:1"]:
        policy = Policy(allow={host}, scopes=None, unambiguous=False)
        written = host if host.startswith("[") else f"[{host}]"
        assert code(f"http://{written}/", policy) is None


def test_scopes_apply_to_embedded_addresses_too() -> None:
    lax = Policy(unambiguous=False)
    assert code("http://[::ffff:8.8.8.8]/", lax) is None
    assert code("http://[::ffff:127.0.0.1]/", lax) == "scope-not-allowed"
    assert code("http://[64:ff9b::10.0.0.1]/", lax) == "scope-not-allowed"
    assert code("http://[2002:7f00:1::]/", lax) == "scope-not-allowed"
    assert code("http://localhost/", Policy(scopes={"loopback"})) is None
    assert code("http://127.0.0.1/", Policy(scopes={"loopback"})) is None
    assert code("http://a.local/", Policy(scopes={"special-use"})) is None
    assert code("http://a.example/", Policy(scopes=set())) is None


def test_ambiguous_hosts_are_canonicalized_or_rejected() -> None:
    for text, canonical_form in [
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://2130706433:81/", "http://127.0.0.1:81/"),
        ("http://%31%32%37.1./a", "http://127.0.0.1/a"),
        ("http://\uff11\uff12\uff17.1/", "http://127.0.0.1/"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example/"),
        *(("http://%61.example./", "http://a.example./"), ("x:a", "x:a"), ("x:///a", "x:///a")),
    ]:
        assert str(PERMISSIVE.enforce(text)) == canonical_form
        if "127" in canonical_form:
            assert code(text, Policy(unambiguous=False)) == "scope-not-allowed"
    # Hosts that are neither names nor addresses are rejected.
    for text in [
        *("http://a%2Fb/", "http://a,b/", "http://%FF/", "http://xn--a/", "http://a..b/"),
        *("http://1.2.3.4.5/", "http://08.1/", "http://[v1.a]/", "http://a\u2100b/", "http://a.1/"),
        *("http://a.0x7f./", "http://a.08/"),
    ]:
        assert code(text, PERMISSIVE) == "host-not-allowed"


def test_invalid_policy_settings_are_rejected() -> None:
    wrong: Any
    for wrong in [
        *({"schemes": {"HTTP"}}, {"schemes": {"1"}}, {"ports": {65536}}, {"ports": {-1}}),
        *({"allow": {"*"}}, {"allow": {"a*b"}}, {"allow": {""}}, {"allow": {"*.8.8.8.8"}}),
        *({"allow": {"*.0.0.1"}}, {"allow": {"127.1"}}, {"allow": {"0x7f.1"}}),
        *({"allow": {"010.1.1.1"}}, {"allow": {"1.2.3.400"}}, {"allow": {"a.1"}}),
        *({"allow": {"*.a.0x1"}}, {"allow": {"fe80::1%eth0"}}, {"allow": {"[::1"}}),
        *({"allow": {"::1]"}}, {"allow": {"*.[::1]"}}, {"scopes": {"globl"}}, {"allow": {"a:80"}}),
    ]:
        with pytest.raises(ValueError, match=r"must be|invalid|misplaced|missing|every host"):
            Policy(**wrong)
    # Policy settings of a wrong type raise type errors.
    for wrong in [
        *({"schemes": "https"}, {"allow": "a.example"}, {"scopes": "global"}, {"scopes": 5}),
        *({"allow": {1}}, {"allow": 1}, {"ports": {"80"}}, {"ports": {True}}, {"ports": 80}),
    ]:
        [name] = wrong
        with pytest.raises(TypeError, match=f"{name} must be a collection of"):
            Policy(**wrong)
    # Policy flags must be bools.
    for name in ["userinfo", "unambiguous"]:
        for wrong in ["false", None, 0]:
            with pytest.raises(TypeError, match=f"^{name} must be a bool, not "):
                Policy(**{name: wrong})
    # Invalid denied hosts raise value errors.
    for wrong in ["10.0.0.1/8", "10.0.0.0/33", "a.example/8", "127.1", "*", "a b"]:
        with pytest.raises(ValueError, match=r"invalid|missing|every host"):
            Policy(deny={wrong})
        with pytest.raises(TypeError, match="deny must be a collection of"):
            Policy(deny=wrong)
    # Only policies restrict a policy.
    wrong = "a.example"
    with pytest.raises(TypeError, match="other must be a Policy, not str"):
        Policy().restrict(wrong)
    with pytest.raises(TypeError, match="restrictions must be a collection of Policy"):
        Policy(restrictions=[wrong])


def test_uris_without_a_host_are_rejected_if_hosts_or_scopes_are_limited() -> None:
    for text in ("mailto:a@b.example", "file:///a", "foo:127.0.0.1/"):
        assert code(text, Policy(schemes=None)) == "host-missing"
        assert code(text, Policy(schemes=None, scopes=None, allow={"a.example"})) == "host-missing"
        assert code(text, Policy(schemes=None, scopes=None)) is None
    assert code("gopher:/127.0.0.1:6379/_x", Policy(schemes={"gopher"})) == "authority-missing"
    assert code("foo:/127.0.0.1/", Policy(schemes=None, scopes=None)) == "single-slash"


def test_policies_are_immutable_values() -> None:
    assert Policy(allow=["a.example"]) == Policy(allow={Rule("a.example")})
    with pytest.raises(AttributeError):
        Policy().userinfo = True  # type: ignore[misc]
    with pytest.raises(TypeError, match="expected a str"):
        Policy().enforce(1)  # type: ignore[arg-type]
    # A policy copies its collections.
    allowed = {"https"}
    policy = Policy(schemes=allowed, allow={"a.example": 1}.keys())
    allowed.add("http")
    assert code("http://a.example/", policy) == "scheme-not-allowed"
    assert code("https://a.example/", policy) is None
    assert hash(policy) == hash(Policy(schemes=["https"], allow=("a.example",)))
    # Policies pickle.
    for policy in (Policy(), Policy.public_web(), Policy.for_redirects("https://a.example/")):
        again = pickle.loads(pickle.dumps(policy))
        assert (again, hash(again)) == (policy, hash(policy))
        assert again.allows("http://a.internal/") == policy.allows("http://a.internal/")


def test_policy_errors_have_positions_hide_passwords_and_pickle() -> None:
    with pytest.raises(PolicyError) as caught:
        Policy().enforce("http://me:hunter2@a.example/")
    error = caught.value
    assert (error.code, error.component, error.position) == ("userinfo-not-allowed", "userinfo", 7)
    assert "hunter2" not in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, str(again)) == (error.code, str(error))
    with pytest.raises(PolicyError) as caught:
        Policy(ports={1}).enforce("http://a.example:2/")
    assert caught.value.position == len("http://a.example")
    # The error for a finding without a suggestion has no hint.
    with pytest.raises(PolicyError) as caught:
        Policy().enforce("http://xn--a.example/")
    assert (caught.value.code, caught.value.hint) == ("bad-a-label", "")


def test_all_parsers_agree_on_the_host_of_allowed_uris() -> None:
    policy = Policy(schemes=None, userinfo=True, scopes=None)
    passed = 0
    for text in mutants(7, 1500):
        if code(text, policy) is None:
            passed += 1
            assert len(set(hosts_seen(text).values())) <= 1, text
            enforced = policy.enforce(text)
            assert set(hosts_seen(str(enforced)).values()) <= {canonical(enforced.host or "")}, text
    assert passed > 75


def test_all_parsers_agree_on_the_canonical_form_of_ambiguous_input() -> None:
    policy = Policy(schemes={"http", "https", "ftp", "ws"}, userinfo=True, scopes=None)
    lax = Policy(schemes=policy.schemes, userinfo=True, scopes=None, unambiguous=False)
    allowed_count = 0
    for text in mutants(8, 1500):
        if code(text, lax) is None and code(text, policy) is not None:
            allowed_count += 1
            enforced = lax.enforce(text)
            assert set(hosts_seen(str(enforced)).values()) == {canonical(str(enforced.host))}, text
    assert allowed_count > 75


def test_an_error_about_the_canonical_form_shows_that_form_without_secrets() -> None:
    for text, why, form, place in [
        ("http://a.example/%25%32e%25%32eb", "double-encoding", "http://a.example/%252e%252eb", 17),
        ("http://a.example/%25%30D%25%30A", "double-encoding", "http://a.example/%250D%250A", 17),
        ("http://a.example/?%25%32%35", "double-encoding", "http://a.example/?%2525", 18),
        ("localhost:%38080", "scheme-like-host", "localhost:8080", 0),
    ]:
        deny = ["http://a.example/x?y"]
        with pytest.raises(PolicyError, match=r"^canonical form rejected: ") as caught:
            Policy(schemes=None, scopes=None, deny=deny).enforce(text)
        error = caught.value
        assert (error.code, error.text, error.position) == (why, form, place)
        assert form in str(error)
        assert pickle.loads(pickle.dumps(error)).code == why
        accepting = Policy(schemes=None, scopes=None, deny=deny, allowed={why})
        assert str(accepting.enforce(text)) == form
    # The canonical form of a redirect is absolute.
    with pytest.raises(PolicyError, match=r"^canonical form rejected: ") as caught:
        Policy(allow=["http://a.example/*"]).enforce("b%25%32e", base="http://a.example/a")
    assert caught.value.text == "http://a.example/b%252e"
    # An error about the canonical form hides passwords.
    with pytest.raises(PolicyError) as caught:
        Policy(userinfo=True, deny=["http://a.example/x"]).enforce(
            "http://me:hunter2@A.example/%25%32eb"
        )
    assert caught.value.text == "http://me:hunter2@a.example/%252eb"
    assert "//REDACTED@a.example" in str(caught.value)
    assert "hunter2" not in str(caught.value) + repr(caught.value)


def test_enforce_resolves_a_redirect_against_its_base() -> None:
    for target, found in [
        *(("/b?c", "https://a.example/b?c"), ("b", "https://a.example/dir/b")),
        *(("../b", "https://a.example/b"), ("", "https://a.example/dir/")),
        ("//a.example/b", "https://a.example/b"),
        ("https://x.a.example/", "https://x.a.example/"),
        *(("//evil.example/b", "host-not-allowed"), ("http://a.example/", "scheme-not-allowed")),
        *(("/\\evil.example", "syntax"), ("///evil.example", "authority-empty")),
        *(("/%2e%2e/", "https://a.example/"), ("good.example:80/b", "scheme-not-allowed")),
    ]:
        policy = Policy(schemes={"https"}, allow={"a.example", "*.a.example"})
        for base in ("https://a.example/dir/", URI("https://a.example/dir/")):
            try:
                assert str(policy.enforce(target, base=base)) == found
            except PolicyError as error:
                assert error.code == found  # noqa: PT017  # one or the other


def test_allowed_accepts_selected_ambiguities() -> None:
    text, deny = "https://a.example/feature%2Fx/100%2525", ["https://a.example/x"]
    assert code(text, Policy(deny=deny)) == "encoded-slash"
    assert code(text, Policy(deny=deny, allowed={"encoded-slash"})) == "double-encoding"
    assert code(text, Policy(deny=deny, allowed={"encoded-slash", "double-encoding"})) is None
    text, policy = "http://b\u00fccher.example/", Policy(allowed={"host-past-ascii"})
    assert code(text, policy) is None
    assert code(text, Policy(allowed=policy.allowed, restrictions=[Policy()])) == "host-past-ascii"
    for wrong in ("x", "syntax", "host-missing"):
        with pytest.raises(ValueError, match="codes of the group ambiguity"):
            Policy(allowed={wrong})
    # Paths that climb in other software are rejected.
    for path, why in [
        *(("/v1/..;/admin", "dot-with-parameter"), ("/v1/%2e%2e;x/admin", "dot-with-parameter")),
        *(("/v1/..%3b/admin", "dot-with-parameter"), ("/v1//../admin", "dot-after-slashes")),
        ("/v1/%EF%BC%8E%EF%BC%8E/admin", "dot-lookalike"),
        *(("/v1/..%20/admin", "dot-with-space"), ("/v1../admin", "dot-after-name")),
        *(("/v1/..%00/admin", "dot-with-parameter"), ("/group%2F..%2Fadmin", "encoded-dot")),
        *(("/v1/%252e%252e/admin", "encoded-dot"), ("/v1/%c0%ae%c0%ae/admin", "encoded-dot")),
    ]:
        """Codes for encodings do not allow dot segments in these encodings."""
        text, deny = f"https://a.example{path}", ["https://a.example/x"]
        assert code(text, Policy(deny=deny)) is not None
        encodings = {"encoded-slash", "double-encoding", "not-utf8", "encoded-control"}
        assert code(text, Policy(deny=deny, allowed=encodings)) == why
        assert code(text, Policy(deny=deny, allowed={*encodings, why})) is None


def test_allows_agrees_with_enforce() -> None:
    for text, base, allowed in [
        *(("https://a.example/", None, True), ("http://127.0.0.1/", None, False)),
        *(("a b", None, False), ("c", None, False), ("c", "https://a.example/b", True)),
        ("//10.0.0.1/", "https://a.example/b", False),
    ]:
        assert Policy().allows(text, base=base) is allowed
        if allowed:
            Policy().enforce(text, base=base)
        else:
            with pytest.raises(PolicyError):
                Policy().enforce(text, base=base)
    # Enforce raises for an invalid base.
    with pytest.raises(ResolveError):
        Policy().enforce("a", base="/b")
    with pytest.raises(ParseError):
        Policy().enforce("a", base="b c")
    # `allows` raises for an invalid base.
    with pytest.raises(ParseError):
        Policy().allows("a", base="b c")


def test_denied_hosts_are_rejected_even_if_other_arguments_allow_them() -> None:
    policy = Policy(
        allow={"a.example", "*.b.example", "8.8.8.8", "9.9.9.9", "[2606:4700::1]"},
        deny={"a.example", "*.x.B.example", "9.9.9.0/24", "8.8.8.8", "2606:4700::/32"},
    )
    for host in ("a.example", "y.x.b.example", "8.8.8.8", "9.9.9.9", "[2606:4700::1]"):
        assert code(f"http://{host}/", policy) == "denied"
    assert code("http://x.b.example/", policy) is None
    lax = Policy(deny=["8.8.8.8"], unambiguous=False)
    for host in ("[::ffff:8.8.8.8]", "[64:ff9b::808:808]", "0x8.0x8.0x8.8"):
        assert code(f"http://{host}/", lax) == "denied"
    assert code("http://8.8.4.4/", lax) is None
    # Denied addresses that are mapped to IPv6 are denied in both forms.
    for entry in ("::ffff:10.0.0.1", "::ffff:10.0.0.0/104"):
        policy = Policy(deny={entry}, scopes=None)
        assert not policy.allows("http://10.0.0.1/")
        assert not policy.allows("http://[::ffff:10.0.0.1]/")
    wide = Policy(deny={"::/64"}, scopes=None, unambiguous=False)
    assert not wide.allows("http://[::ffff:10.0.0.1]/")
    assert wide.allows("http://10.0.0.1/")
    # Denying all mapped addresses denies all IPv4 addresses and no others.
    policy = Policy(deny={"::ffff:0:0/96"}, scopes=None)
    assert not policy.allows("http://8.8.8.8/")
    assert not policy.allows("http://[::ffff:8.8.8.8]/")
    assert policy.allows("http://[2001:4860:4860::8888]/")
    # A longer network has other addresses too.
    wider = Policy(deny={"::fffe:0:0/95"}, scopes=None, unambiguous=False)
    assert not wider.allows("http://[::fffe:0:1]/")
    assert wider.allows("http://8.8.8.8/")
    # A decision names the deny rule of a restriction.
    policy = Policy().restrict(Policy(deny=["a.example"]).restrict(Policy(deny=["*.b.example"])))
    assert policy.decide("http://c.b.example/").rule == Rule("*.b.example")
    assert policy.decide("http://a.example/").rule == Rule("a.example")
    assert policy.decide("http://b.example/").rule is None


def test_names_with_a_single_label_can_be_rejected() -> None:
    policy = Policy(single_label=False, scopes=None)
    assert code("http://intranet/", policy) == "host-not-allowed"
    assert code("http://intranet./", Policy(single_label=False, unambiguous=False)) is not None
    assert code("http://a.example/", policy) is None
    assert code("http://[2606:4700::1]/", policy) is None
    assert code("http://intranet/", Policy(single_label=False, allow={"intranet"})) is None
    assert code("urn:example:a", Policy(single_label=False, scopes=None, schemes=None)) is None
    with pytest.raises(TypeError, match="single_label must be a bool"):
        Policy(single_label=None)  # type: ignore[arg-type]


def test_the_policy_for_the_public_web_rejects_internal_hosts() -> None:
    for text, why in [
        *(("https://example.org/", None), ("http://www.example.org:80/", None)),
        *(("http://8.8.8.8/", None), ("http://example.org:8080/", "port-not-allowed")),
        *(("ftp://example.org/", "scheme-not-allowed"), ("http://168.63.129.16/", "denied")),
        *(("http://192.0.0.9/", "denied"), ("http://192.0.0.10/", "denied")),
        *(("http://[2001:1::1]/", "denied"), ("http://166.11.255.255/", "denied")),
        *(("http://199.36.153.11/", "denied"), ("http://100.100.100.200/", "scope-not-allowed")),
        ("http://192.0.0.192/", "scope-not-allowed"),
        ("http://[fd00:ec2::254]/", "scope-not-allowed"),
        *(("http://metadata.google.internal/", "denied"), ("http://METADATA.goog/", "denied")),
        *(("http://ip6-localhost/", "host-not-allowed"), ("http://localhost/", "host-not-allowed")),
        ("http://a.localhost/", "scope-not-allowed"),
        ("http://printer.local/", "scope-not-allowed"),
        *(("http://kubernetes.default.svc/", "denied"), ("http://web.service.consul/", "denied")),
        ("http://x.internal.cloudapp.net/", "denied"),
    ]:
        assert code(text, Policy.public_web()) == why


def test_the_policy_for_the_public_web_returns_the_a_labels_of_a_clear_host() -> None:
    for host, domain in [
        ("b\u00fccher.example", "xn--bcher-kva.example"),
        ("B\u00dcCHER.example", "xn--bcher-kva.example"),
        ("\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444", "xn--e1afmkfd.xn--p1ai"),
        *(("\u4f8b\u3048\u3002jp", "xn--r8jz45g.jp"), ("xn--fa-hia.example", "xn--fa-hia.example")),
        ("a_b.example.org", "a_b.example.org"),
        ("_a.b\u00fccher.example.org", "_a.xn--bcher-kva.example.org"),
    ]:
        assert str(Policy.public_web().enforce(f"http://{host}/")) == f"http://{domain}/"


def test_the_policy_for_the_public_web_rejects_other_hosts_with_a_reason() -> None:
    for host, why, reason in [
        ("fa\u00df.example", "deviation", "do not all convert"),
        ("\u1e9e.example", "deviation", "do not all convert"),
        ("\ufb01n.example", "deviation", "do not all convert"),
        ("a\u200db.example", "deviation", "do not all convert"),
        ("\u2603.example", "host-not-allowed", "invalid label"),
        ("a\uff0fb.example", "host-compatible", "delimiter"),
        ("b%C3%BCcher.example", "host-encoded", "percent-encoded"),
        ("\uff11\uff12\uff17.1", "ipv4-short", "shortened"),
        ("\uff11\uff12\uff17.0.0.1", "scope-not-allowed", "loopback"),
        (
            "\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54.\uff4c\uff41\uff4e",
            "denied",
            "lan",
        ),
        ("a_b.example", "host-not-allowed", "underscore"),
        *(("a.b_c", "host-not-allowed", "underscore"), ("a_b", "host-not-allowed", "single label")),
    ]:
        with pytest.raises(PolicyError, match=reason) as caught:
            Policy.public_web().enforce(f"http://{host}/")
        assert caught.value.code == why


def test_a_policy_for_redirects_allows_one_origin_and_listed_hosts() -> None:
    for target, found in [
        *(("/next?a", "https://example.org/next?a"), ("next", "https://example.org/dir/next")),
        *(("?a", "https://example.org/dir/login?a"), ("", "https://example.org/dir/login")),
        ("https://example.org/", "https://example.org/"),
        ("https://www.example.org:443/", "https://www.example.org/"),
        *(("//example.org/", "scheme-relative"), ("//evil.example/", "scheme-relative")),
        *(("///evil.example/", "scheme-relative"), ("/\\evil.example/", "syntax")),
        ("https:/evil.example/", "authority-missing"),
        ("https:evil.example", "authority-missing"),
        ("https://evil.example/", "host-not-allowed"),
        ("https://example.org.evil.example/", "host-not-allowed"),
        ("https://example.org@evil.example/", "userinfo-not-allowed"),
        ("https://example.org:8443/", "port-not-allowed"),
        ("http://example.org/", "scheme-not-allowed"),
        *(("javascript:alert(1)", "scheme-not-allowed"), ("/%2e%2e/", "https://example.org/")),
        ("/a\tb", "syntax"),
    ]:
        policy = Policy.for_redirects("https://example.org/dir/login", {"*.example.org"})
        try:
            assert str(policy.enforce(target)) == found
        except PolicyError as error:
            assert error.code == found  # noqa: PT017  # one or the other
        assert policy.allows(target) is found.startswith("https://")


def test_the_base_of_a_policy_is_used_unless_another_is_given() -> None:
    policy = Policy.for_redirects("https://me:hunter2@Example.org/a")
    assert policy.base == "https://example.org/a"
    assert str(policy.enforce("c", base="https://example.org/b/")) == "https://example.org/b/c"
    assert str(policy.enforce("//example.org/", base=policy.base)) == "https://example.org/"
    local = Policy.for_redirects(URI("http://localhost:8000/"))
    assert str(local.enforce("/a")) == "http://localhost:8000/a"
    app = Policy.for_redirects("app://main/")
    assert str(app.enforce("/a")) == "app://main/a"
    # The base of a policy for redirects must be a plain URI.
    for base, why in [
        *(("/a", "relative"), ("mailto:a@b.example", "host-missing")),
        ("https://a.example./", "trailing-dot"),
    ]:
        with pytest.raises(PolicyError) as caught:
            Policy.for_redirects(base)
        assert caught.value.code == why
    # The base must satisfy the policy.
    with pytest.raises(PolicyError):
        Policy(base="http://127.0.0.1/")
    with pytest.raises(TypeError):
        Policy.for_redirects("https://example.org/", "example.net")


def test_the_repr_of_a_policy_shows_the_arguments_that_differ_from_the_defaults() -> None:
    assert repr(Policy()) == "Policy()"
    policy = Policy(schemes={"https"}, ports={8443, 80, 443}, allow=None, userinfo=True)
    assert repr(policy) == "Policy(schemes={'https'}, ports={80, 443, 8443}, userinfo=True)"
    assert (eval(repr(policy)), repr(Policy(scopes=None))) == (policy, "Policy(scopes=None)")
    many = Policy(allow={f"{n}.example" for n in "abcdefgh"})
    assert repr(many).endswith("'f.example', ... and 2 more])")
    # The repr of a policy shows no secrets of its base.
    shown = repr(Policy.for_redirects("https://a.example/?token=secret"))
    assert "secret" not in shown
    # The string of a rejection has no secrets.
    for text in [
        *("u:SEKRET@h/", "https://u:x\nSEKRET@h/", "https://h/?token=a SEKRET"),
        "https://u:SEKRET@h/",
    ]:
        decision = Policy().decide(text)
        assert "SEKRET" not in str(decision)
        assert "SEKRET" not in repr(decision)
