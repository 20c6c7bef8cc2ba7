import asyncio
import pickle
import socket
from dataclasses import replace
from functools import partial
from ipaddress import IPv4Address, IPv4Interface, IPv6Address, ip_address
from typing import Any

import pytest
from web import answering, asynchronous, refused

from uriverse import URI, Policy, PolicyError, ResolveError, Rule, dial
from uriverse.dial._gate import create_gate


def planned(policy: Policy, uri: str, *addresses: str) -> tuple[list[str], list[str]]:
    plan = dial.lookup(policy, uri, resolver=answering(*addresses))
    twin = asyncio.run(dial.lookup_async(policy, uri, resolver=asynchronous(answering(*addresses))))
    assert plan == twin
    return [str(a) for a in plan.addresses], [str(r.address) for r in plan.rejected]


def code(policy: Policy, uri: str, *addresses: str) -> str:
    with pytest.raises(PolicyError) as caught:
        dial.lookup(policy, uri, resolver=answering(*addresses))
    with pytest.raises(PolicyError) as twin:
        asyncio.run(dial.lookup_async(policy, uri, resolver=asynchronous(answering(*addresses))))
    assert str(twin.value) == str(caught.value)
    return caught.value.code


def test_a_plan_has_the_canonical_uri_the_host_and_the_port() -> None:
    plan = dial.lookup(Policy(), "HTTPS://Example.org/%7Ea", resolver=answering("9.9.9.9"))
    assert plan == dial.ConnectionPlan(
        URI("https://example.org/~a"), "example.org", 443, (IPv4Address("9.9.9.9"),)
    )
    assert pickle.loads(pickle.dumps(plan)) == plan
    assert dial.lookup(Policy(), "http://9.9.9.9:81/").port == 81
    # An address is not looked up.
    assert planned(Policy(), "http://9.9.9.9/", "127.0.0.1") == (["9.9.9.9"], [])
    # The host of a plan has no brackets and no trailing dot.
    asked: list[str] = []

    def resolver(name: str) -> list[IPv4Address]:
        asked.append(name)
        return [IPv4Address("9.9.9.9")]

    lax = Policy(unambiguous=False)
    assert dial.lookup(lax, "http://a.example./", resolver=resolver).host == "a.example"
    assert asked == ["a.example"]
    assert dial.lookup(lax, "http://[2606:4700::1]/", resolver=resolver).host == "2606:4700::1"
    assert asked == ["a.example"]
    # A relative reference is resolved against the base.
    plan = dial.lookup(Policy(), "/b", base="http://a.example/", resolver=answering("9.9.9.9"))
    assert plan.uri == URI("http://a.example/b")
    with pytest.raises(ResolveError):
        dial.lookup(Policy(), "/b", base="/c")


def test_forbidden_addresses_are_rejected_and_the_others_are_used() -> None:
    plan = dial.lookup(
        Policy(), "http://a.example/", resolver=answering("127.0.0.1", "9.9.9.9", "::ffff:10.0.0.1")
    )
    assert plan.addresses == (IPv4Address("9.9.9.9"),)
    assert [(str(r.address), r.code, r.reason.rpartition(": ")[2]) for r in plan.rejected] == [
        ("127.0.0.1", "scope-not-allowed", "loopback"),
        (str(ip_address("::ffff:10.0.0.1")), "scope-not-allowed", "private"),
    ]
    # An error names the first reason and the number of the others.
    with pytest.raises(PolicyError) as caught:
        dial.lookup(Policy(), "http://a.example/", resolver=answering("10.0.0.1", "::1"))
    assert (caught.value.code, caught.value.position) == ("address-not-allowed", len("http://"))
    scope = "the policy forbids the scope of the host: private"
    assert caught.value.reason == f"10.0.0.1: {scope} (and 1 more)"


def test_address_families_alternate_and_the_first_family_comes_first() -> None:
    six, four = ["2606:4700::1", "2606:4700::2", "2606:4700::3"], ["9.9.9.9", "8.8.8.8"]
    mixed = [six[0], four[0], six[1], four[1], six[2]]
    assert planned(Policy(), "http://a.example/", *six, *four)[0] == mixed
    mixed = [four[0], six[0], four[1], six[1], six[2]]
    assert planned(Policy(), "http://a.example/", *four, *six, *four)[0] == mixed
    # A plan has at most 16 addresses of both families.
    four = [f"9.9.{part}.9" for part in range(200)]
    dead = ["10.0.0.1"] * 50
    allowed, _ = planned(Policy(), "http://a.example/", *dead, *four, "2606:4700::1")
    assert allowed == [four[0], "2606:4700::1", *four[1:15]]


def test_a_resolver_must_return_addresses() -> None:
    def answer(found: Any, _name: str) -> Any:
        return [found]

    found: Any
    for found in ["127.0.0.1", 1, IPv4Interface("9.9.9.9/0"), None]:
        reason = rf"^resolver must return IPv4Address or IPv6Address, not {type(found).__name__}$"
        with pytest.raises(TypeError, match=reason):
            dial.lookup(Policy(), "http://a.example/", resolver=partial(answer, found))
    # A name without addresses raises the error of a failed lookup.
    with pytest.raises(socket.gaierror):
        dial.lookup(Policy(), "http://a.example/", resolver=answering())
    # An argument that is no policy raises type error.
    policy: Any = None
    with pytest.raises(TypeError, match="policy must be a Policy, not NoneType"):
        dial.lookup(policy, "http://a/")
    with pytest.raises(TypeError, match="policy must be a Policy, not NoneType"):
        asyncio.run(dial.lookup_async(policy, "http://a/"))


def test_uris_that_do_not_say_where_to_connect_are_rejected() -> None:
    anything = Policy(schemes=None, scopes=None)
    assert code(anything, "urn:example:a") == "host-missing"
    assert code(anything, "file:///etc/passwd") == "host-missing"
    shared = replace(anything, allowed={"file-host"})
    assert code(shared, "file://a.example/etc/passwd") == "port-missing"
    assert code(anything, "unknown://a.example/") == "port-missing"
    assert planned(anything, "unknown://a.example:7/", "127.0.0.1") == (["127.0.0.1"], [])

    # A URI that the policy rejects is not looked up.
    def resolver(name: str) -> list[IPv4Address]:
        raise AssertionError(name)

    for uri, why in (
        *(("ftp://a.example/", "scheme-not-allowed"), ("http://127.0.0.1/", "scope-not-allowed")),
        ("http://localhost/", "scope-not-allowed"),
    ):
        with refused(why):
            dial.lookup(Policy(), uri, resolver=resolver)


def test_the_scopes_apply_to_the_addresses_of_a_listed_name() -> None:
    listed = Policy(allow={"db.example"})
    assert code(listed, "http://db.example/", "10.0.0.1") == "address-not-allowed"
    private = Policy(allow={"db.example", "printer.local"}, scopes={"private"})
    assert planned(private, "http://db.example/", "10.0.0.1") == (["10.0.0.1"], [])
    assert planned(private, "http://printer.local/", "10.0.0.1") == (["10.0.0.1"], [])
    assert code(private, "http://db.example/", "127.0.0.1") == "address-not-allowed"
    # A name may resolve to an address that is itself listed.
    policy = Policy(allow={"db.example", "10.0.0.1", "fe80::1"})
    found = planned(policy, "http://db.example/", "10.0.0.2", "10.0.0.1", "fe80::1%3")
    assert found == (["10.0.0.1", "fe80::1%3"], ["10.0.0.2"])
    # A listed localhost may have loopback addresses only.
    policy = Policy(allow={"localhost", "a.example"})
    assert planned(policy, "http://localhost/", "::1", "10.0.0.1") == (["::1"], ["10.0.0.1"])
    assert code(policy, "http://localhost/", "::ffff:127.0.0.1") == "address-not-allowed"
    assert code(policy, "http://a.example/", "127.0.0.1") == "address-not-allowed"
    # Denied networks apply to addresses and to embedded addresses.
    policy = Policy(deny={"9.9.9.0/24"}, scopes=None)
    found = planned(policy, "http://a.example/", "9.9.9.9", "64:ff9b::909:909", "10.0.0.1")
    assert found == (["10.0.0.1"], ["9.9.9.9", "64:ff9b::909:909"])


def test_the_system_resolver_finds_the_addresses_of_localhost() -> None:
    found = dial.system_resolver("localhost")
    assert found
    assert all(address.is_loopback for address in found)
    assert asyncio.run(dial.system_resolver_async("localhost")) == found
    trio = pytest.importorskip("trio", reason="needs trio (pip install --group test-all)")
    assert trio.run(dial.system_resolver_async, "localhost") == found
    plan = dial.lookup(Policy(scopes={"loopback"}), "http://localhost/")
    assert set(plan.addresses) == set(found)
    twin = dial.lookup_async(Policy(scopes={"loopback"}), "http://localhost/")
    assert asyncio.run(twin) == plan


def test_addresses_keep_their_zone_and_other_families_are_ignored() -> None:
    from uriverse.dial._planning import make_absolute

    assert (make_absolute("a.example"), make_absolute("localhost")) == (b"a.example.", b"localhost")
    # Addresses keep their zone and other families are ignored.
    from uriverse.dial._planning import extract_addresses

    found = extract_addresses(
        [
            (socket.AF_INET, 1, 6, "", ("9.9.9.9", 0)),
            (socket.AF_INET6, 1, 6, "", ("fe80::1%eth0", 0, 0, 2)),
            *((socket.AF_INET6, 1, 6, "", ("::1", 0, 0, 0)), (99, 1, 6, "", (3, b"x"))),
        ]
    )
    expected = [IPv4Address("9.9.9.9"), IPv6Address("fe80::1%2"), IPv6Address("::1")]
    assert found == expected


# --- rules with paths, ports and schemes when only the host and the port of a connection are known


def outcome(policy: Policy, host: str, port: int, *addresses: str) -> list[str] | str:
    """Return the addresses that a gate allows for a host and a port, or the code of its error."""
    gate = create_gate(policy, resolver=answering(*(addresses or ("9.9.9.9",))))
    try:
        return [str(address) for address in gate.plan(host, port).addresses]
    except PolicyError as error:
        return error.code


def test_a_connection_needs_a_rule_for_its_host_and_port() -> None:
    for rule, host, port, is_allowed in [
        *(("a.example", "a.example", 1, True), ("https://a.example/v1/", "a.example", 443, True)),
        ("https://a.example/v1/", "a.example", 80, False),
        ("https://a.example:8443/v1/", "a.example", 8443, True),
        ("https://a.example:8443/v1/", "a.example", 443, False),
        ("https://a.example:*/v1/", "a.example", 1, True),
        ("https://*.a.example/", "b.a.example", 443, True),
        ("https://*.a.example/", "a.example", 443, False),
        ("https://a.example/", "b.example", 443, False),
    ]:
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
