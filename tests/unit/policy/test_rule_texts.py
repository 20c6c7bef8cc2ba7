import pickle
from typing import Any

import pytest

from uriverse import Policy, Rule, RuleError


def test_the_string_of_a_rule_is_the_string_that_it_was_created_from() -> None:
    for text in [
        *("a.example", "*.a.example", "A.example.", "b\u00fccher.example", "localhost"),
        "a_b.example",
        *("10.0.0.1", "10.0.0.0/8", "::1", "[::1]", "fe80::/10", "::ffff:0:0/96"),
        *("https://a.example", "HTTPS://A.example:443/", "http://[::1]:*/", "foo://a.example:*"),
        *("https://*.b\u00fccher.example/\u00fc/", "https://10.0.0.1/", "https://a.example:0/"),
        *("https://a.example/*", "https://a.example/**", "https://a.example/a*b*/c/"),
        *("https://a.example/%2A", "https://a.example/a%2Fb/", "https://a.example/v1/?a=%2A"),
        *("https://a.example?", "https://a.example/?", "https://10.0.0.0/8"),
    ]:
        rule = Rule(text)
        assert (str(rule), repr(rule), eval(repr(rule))) == (text, f"Rule({text!r})", rule)
        assert rule.covers(rule)
        assert pickle.loads(pickle.dumps(rule)) == rule
        assert Policy(allow=[text]) == Policy(allow=[rule])


@pytest.mark.parametrize(
    ("text", "position", "component", "reason", "hint"),
    [
        *(("", 0, "host", "label is empty", ""), ("*", 0, "host", "every host", "without rules")),
        ("https://*", 8, "host", "every host", "without rules"),
        ("https://*:*/", 8, "host", "every host", "without rules"),
        ("a.example*", 9, "host", "misplaced wildcard", '"*." and a name'),
        ("*a.example", 0, "host", "misplaced wildcard", '"*." and a name'),
        ("https://a.*.example/", 10, "host", "misplaced wildcard", '"*." and a name'),
        ("https://*.*.example/", 10, "host", "misplaced wildcard", '"*." and a name'),
        ("a.example:80", 9, "port", "missing scheme before a port", "https://"),
        ("a.example:*", 9, "port", "missing scheme before a port", "https://"),
        ("a.example/v1", 9, "path", "missing scheme before a path", "https://"),
        ("a.example/8", 9, "path", "missing scheme before a path", "https://"),
        ("a.example?a", 9, "path", "missing scheme before a path", "https://"),
        ("//a.example/", 0, "path", "missing scheme before a path", "https://"),
        ("/a://b", 0, "scheme", "missing scheme", "https://"),
        ("https://", 8, "host", "missing host", "write a name"),
        ("https:///a", 8, "host", "missing host", "write a name"),
        ("https://u:p@a.example/", 8, "userinfo", "userinfo", "remove"),
        ("https://a.example/#", 18, "fragment", "fragment", "remove"),
        ("https://a.example:/", 18, "port", "invalid port", ":*"),
        ("https://a.example:080/", 18, "port", "invalid port", ":*"),
        ("https://a.example:00/", 18, "port", "invalid port", ":*"),
        ("https://a.example:65536/", 18, "port", "invalid port", ":*"),
        (f"https://a.example:{'9' * 5000}/", 18, "port", "invalid port", ":*"),
        ("https://a.example:**/", 18, "port", "invalid character", ""),
        ("https://a.example/a/../b", 20, "path", "dot segment", "remove"),
        ("https://a.example/%2e%2E/", 18, "path", "dot segment", "remove"),
        ("https://a.example/.", 18, "path", "dot segment", "remove"),
        ("https://a.example/**/b", 18, "path", "misplaced", '"*" for one segment'),
        ("https://a.example/a**", 19, "path", "misplaced", '"*" for one segment'),
        ("https://a.example/?a=*", 21, "query", "wildcard in query", "%2A"),
        ("https://a.example/a b", 19, "path", "invalid space", "%20"),
        ("https://a.example/%zz", 19, "path", "invalid percent-encoding", "%25"),
        ("https://127.1/", 8, "host", "IPv4 address", "in full"),
        ("0x7f.1", 0, "host", "IPv4 address", "in full"),
        ("https://a..example/", 10, "host", "label is empty", ""),
        ("10.0.0.1/8", 0, "host", "host bits", "network"),
        ("10.0.0.0/33", 0, "host", "invalid network", "network"),
        ("fe80::%1/64", 6, "host", "zone identifier", "remove"),
        ("fe80::1%1", 0, "host", "domain name", ""),
    ],
)
def test_an_invalid_rule_raises_an_error_with_a_position_and_a_hint(
    text: str, position: int, component: str, reason: str, hint: str
) -> None:
    with pytest.raises(RuleError) as caught:
        Rule(text)
    error = caught.value
    assert (error.position, error.component) == (position, component)
    assert reason in error.reason
    assert hint in error.hint
    assert error.text == text
    with pytest.raises(ValueError, match=r"\A"):
        Policy(allow=[text])
    assert pickle.loads(pickle.dumps(error)).position == position


def test_errors_and_the_repr_of_a_rule_show_no_secrets() -> None:
    with pytest.raises(RuleError) as caught:
        Rule("https://me:hunter2@a.example/")
    assert "hunter2" not in str(caught.value) + repr(caught.value)
    rule = Rule("https://a.example/?token=hunter2")
    assert "hunter2" not in repr(rule)
    assert "hunter2" not in repr(Policy(allow=[rule]))
    decision = Policy(allow=[rule]).decide("https://a.example/?b")
    assert "hunter2" not in str(decision) + decision.hint + repr(decision)
    allowed = Policy(allow=[rule]).decide("https://a.example/?token=hunter2")
    assert allowed
    assert "hunter2" not in str(allowed) + repr(allowed)


def test_rules_are_immutable_values_with_known_codes() -> None:
    rule = Rule("a.example", allowed={"encoded-slash"})
    twin = Rule("a.example", allowed=["encoded-slash"])
    assert (rule, hash(rule)) == (twin, hash(twin))
    assert rule != Rule("a.example")
    assert rule != "a.example"
    assert repr(rule) == "Rule('a.example', allowed={'encoded-slash'})"
    assert pickle.loads(pickle.dumps(rule)) == rule
    with pytest.raises(AttributeError):
        rule.allowed = frozenset()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        rule._text = "b.example"
    with pytest.raises(AttributeError):
        del rule._text
    # A rule must be a str.
    wrong: Any
    for wrong in (None, 1, b"a.example", ["a.example"]):
        with pytest.raises(TypeError, match="a rule must be a str"):
            Rule(wrong)
    # The codes of a rule are checked.
    assert Rule("a.example", allowed=["encoded-slash"]).allowed == frozenset({"encoded-slash"})
    with pytest.raises(ValueError, match="codes of the group ambiguity"):
        Rule("a.example", allowed={"syntax"})
    with pytest.raises(TypeError, match="allowed must be a collection"):
        Rule("a.example", allowed="encoded-slash")


SITE = "https://a.example"


def test_a_rule_covers_rules_that_allow_no_more() -> None:
    for rule, other, covers in [
        *(("a.example", "https://a.example/", True), ("a.example", "foo://a.example:1/", True)),
        *(("https://a.example/", "a.example", False), ("*.example", "a.example", True)),
        *(("*.example", "*.a.example", True), ("*.a.example", "a.example", False)),
        *(("*.a.example", "*.example", False), ("*.a.example", "*.a.example", True)),
        ("b\u00fccher.example", "xn--bcher-kva.example", True),
        *(("10.0.0.0/8", "10.1.0.0/16", True), ("10.0.0.0/8", "http://10.1.1.1/", True)),
        *(("10.1.0.0/16", "10.0.0.0/8", False), ("::/0", "10.0.0.0/8", False)),
        ("::1", "[0::1]", True),
        # A name in a rule has any scope, but a wildcard gives no scope to the names below it.
        *(("*.localhost", "a.localhost", False), ("*.local", "https://printer.local/", False)),
        *(("*.localhost", "*.a.localhost", True), ("::/0", "::1", True)),
        *(("::/0", "::ffff:10.0.0.1", False), (f"{SITE}", f"{SITE}/a?b", True)),
        *((f"{SITE}", "http://a.example", False), (f"{SITE}", f"{SITE}:443/a", True)),
        *((f"{SITE}", f"{SITE}:8443/a", False), (f"{SITE}:*", f"{SITE}:8443/a", True)),
        *((f"{SITE}:8443", f"{SITE}:*", False), (f"{SITE}/v1/", f"{SITE}/v1/**", True)),
        *((f"{SITE}/v1/", f"{SITE}/v1/a/*", True), (f"{SITE}/v1/", f"{SITE}/v1", False)),
        *((f"{SITE}/v1", f"{SITE}/v1/", False), (f"{SITE}/v1/", f"{SITE}/V1/", False)),
        *((f"{SITE}/*/", f"{SITE}/v1/", True), (f"{SITE}/*", f"{SITE}/%C2%AD", False)),
        (f"{SITE}/v1/", f"{SITE}/v1/..;x/", False),
        (f"{SITE}/v1/", f"{SITE}/v1/a%2F..%2F..%2Fb", False),
        *((f"{SITE}/v1/", f"{SITE}/v1/a%2Fb", True), (f"{SITE}/a", f"{SITE}/a?b", True)),
        *((f"{SITE}/a?b", f"{SITE}/a", False), (f"{SITE}/a?b", f"{SITE}/a?%62", True)),
        (f"{SITE}/a?", f"{SITE}/a?b", False),
    ]:
        assert Rule(rule).covers(Rule(other)) is covers
    # A rule covers no rule that accepts more ambiguities.
    plain, lax = Rule(f"{SITE}/"), Rule(f"{SITE}/", allowed={"encoded-slash"})
    assert lax.covers(plain)
    assert not plain.covers(lax)
    with pytest.raises(TypeError, match="other must be a Rule"):
        plain.covers(SITE)  # type: ignore[arg-type]
