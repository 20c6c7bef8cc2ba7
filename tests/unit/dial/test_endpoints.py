"""Rules with paths, ports and schemes when only the host and the port of a connection are known."""

from __future__ import annotations

import pytest
from web import answering, refused

from uriverse import Policy, PolicyError, Rule, dial
from uriverse.dial._gate import gate_of


def outcome(policy: Policy, host: str, port: int, *addresses: str) -> list[str] | str:
    """Return the addresses that a gate allows for a host and a port, or the code of its error."""
    gate = gate_of(policy, resolver=answering(*(addresses or ("9.9.9.9",))))
    try:
        return [str(address) for address in gate.plan(host, port).addresses]
    except PolicyError as error:
        return error.code


@pytest.mark.parametrize(
    ("rule", "host", "port", "is_allowed"),
    [
        ("a.example", "a.example", 1, True),
        ("https://a.example/v1/", "a.example", 443, True),
        ("https://a.example/v1/", "a.example", 80, False),
        ("https://a.example:8443/v1/", "a.example", 8443, True),
        ("https://a.example:8443/v1/", "a.example", 443, False),
        ("https://a.example:*/v1/", "a.example", 1, True),
        ("https://*.a.example/", "b.a.example", 443, True),
        ("https://*.a.example/", "a.example", 443, False),
        ("https://a.example/", "b.example", 443, False),
    ],
)
def test_a_connection_needs_a_rule_for_its_host_and_port(
    rule: str, host: str, port: int, is_allowed: bool
) -> None:
    found = outcome(Policy(allow=[rule]), host, port)
    assert (found == ["9.9.9.9"]) is is_allowed
    restricted = Policy().restrict(Policy(allow=[rule]))
    assert (outcome(restricted, host, port) == ["9.9.9.9"]) is is_allowed


def test_only_deny_rules_without_a_scheme_reject_connections() -> None:
    assert outcome(Policy(deny=["a.example"]), "a.example", 443) == "denied"
    assert outcome(Policy(deny=["https://a.example/v1/"]), "a.example", 443) == ["9.9.9.9"]
    assert outcome(Policy().restrict(Policy(deny=["9.9.0.0/16"])), "a.example", 443) == (
        "address-not-allowed"
    )
    # A rule accepts its own ambiguities of the host.
    code = "label-edge-hyphen"
    policy = Policy(allow=[Rule("https://a-.c.example/", allowed={code}), "https://*.c.example/"])
    assert policy.allows("https://a-.c.example/")
    assert outcome(policy, "a-.c.example", 443) == ["9.9.9.9"]
    assert outcome(policy, "a-.c.example", 80) == code
    assert outcome(policy, "b-.c.example", 443) == code


def test_a_listed_address_allows_no_other_address() -> None:
    embedding = ("::ffff:10.0.0.1", "64:ff9b::a00:1", "2002:a00:1::")
    for item in ("10.0.0.1", "10.0.0.0/8"):
        policy = Policy(allow=["a.example", item])
        assert outcome(policy, "a.example", 80, "10.0.0.1") == ["10.0.0.1"]
        for address in embedding:
            assert outcome(policy, "a.example", 80, address) == "address-not-allowed"
    both = Policy(allow=["a.example", "10.0.0.0/8", "64:ff9b::/96"])
    assert outcome(both, "a.example", 80, *embedding) == ["64:ff9b::a00:1"]
    # The address of a rule with a scheme is allowed only as a literal.
    policy = Policy(allow=["http://10.0.0.1/", "a.example"])
    assert outcome(policy, "10.0.0.1", 80) == ["10.0.0.1"]
    assert outcome(policy, "10.0.0.1", 81) == "port-not-allowed"
    assert outcome(policy, "a.example", 80, "10.0.0.1") == "address-not-allowed"
    # A rule for localhost allows loopback addresses only.
    policy = Policy(allow=["http://localhost:8080/x"])
    assert outcome(policy, "localhost", 8080, "127.0.0.1", "::1") == ["127.0.0.1", "::1"]
    assert outcome(policy, "localhost", 8080, "10.0.0.1") == "address-not-allowed"
    assert outcome(policy, "localhost", 80, "127.0.0.1") == "port-not-allowed"
    assert outcome(policy.restrict(Policy()), "localhost", 8080, "::1") == "scope-not-allowed"


def test_a_lookup_checks_the_path_of_a_rule_before_it_resolves_the_name() -> None:
    policy = Policy(allow=["https://a.example/v1/"])
    with refused("path-not-allowed"):
        dial.lookup(policy, "https://a.example/v2", resolver=answering())
    with refused("path-not-allowed"):
        dial.lookup(policy, "/v1/../v2", base="https://a.example/v1/", resolver=answering())
