"""`dial.connect`: the order of attempts, timeouts, and the check of the connected address."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address
from time import monotonic
from typing import Any

import pytest
from web import answering, serving

from uriverse import URI, Policy, PolicyError, dial
from uriverse.dial.connecting import shares, socket_address, verify_peer


def plan_for(port: int, *addresses: str) -> dial.ConnectionPlan:
    """Return a plan with loopback addresses."""
    policy = Policy(scopes={"loopback"})
    return dial.lookup(policy, f"http://a.example:{port}/", resolver=answering(*addresses))


def unused_port() -> int:
    """Return a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def test_the_next_address_is_tried_if_one_refuses_the_connection() -> None:
    with serving("127.0.0.2") as server:
        plan = plan_for(server.server_port, "127.0.0.1", "127.0.0.2")
        with dial.connect(plan, timeout=5) as connection:
            assert connection.getpeername() == ("127.0.0.2", server.server_port)
            assert connection.gettimeout() == 5


def test_ipv6_addresses_are_connected() -> None:
    with (
        serving("::1") as server,
        dial.connect(plan_for(server.server_port, "::1")) as connection,
    ):
        assert connection.getpeername()[0] == "::1"
        assert connection.gettimeout() is None


def test_the_error_of_the_last_address_is_raised() -> None:
    with pytest.raises(ConnectionRefusedError):
        dial.connect(plan_for(unused_port(), "127.0.0.1", "127.0.0.2"), timeout=5)


def test_the_next_address_is_tried_if_the_system_has_no_ipv6(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class OnlyIPv4(socket.socket):
        def __init__(self, family: int = -1, *arguments: Any, **options: Any) -> None:
            if family == socket.AF_INET6:
                raise OSError(97, "Address family not supported by protocol")
            super().__init__(family, *arguments, **options)

    with serving() as server:
        plan = plan_for(server.server_port, "::1", "127.0.0.1")
        monkeypatch.setattr(socket, "socket", OnlyIPv4)
        with dial.connect(plan) as connection:
            assert connection.getpeername()[0] == "127.0.0.1"


def test_options_and_the_source_address_are_set_before_connecting() -> None:
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    with serving() as server:
        plan = plan_for(server.server_port, "127.0.0.1")
        with dial.connect(
            plan, source_address=("127.0.0.1", 0), socket_options=options
        ) as connection:
            assert connection.getsockname()[0] == "127.0.0.1"
            assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1


def test_each_address_gets_an_equal_share_of_the_remaining_time() -> None:
    plan = plan_for(80, "127.0.0.1", "127.0.0.2", "127.0.0.3")
    found = [share for _, share in shares(plan, 9.0)]
    assert [round(share or 0) for share in found] == [3, 4, 9]
    assert [share for _, share in shares(plan, None)] == [None] * 3
    assert [share for _, share in shares(plan, 0.0)] == [0.001]
    many = plan_for(80, *(f"127.0.0.{n}" for n in range(1, 100)))
    assert next(shares(many, 9.0))[1] == 1.5
    assert round(next(shares(many, 0.5))[1] or 0, 1) == 0.5


def test_all_attempts_together_respect_the_timeout() -> None:
    # A full queue of connections: the system does not answer further attempts.
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        port = server.getsockname()[1]
        queued = [socket.create_connection(("127.0.0.1", port), timeout=1)]
        started = monotonic()
        try:
            while monotonic() - started < 20:
                queued.append(dial.connect(plan_for(port, "127.0.0.1"), timeout=0.2))
        except TimeoutError:
            pass
        else:
            pytest.skip("the system accepts connections without a limit")
        finally:
            for connection in queued:
                connection.close()


def test_a_connection_to_another_address_is_rejected() -> None:
    plan = plan_for(80, "127.0.0.1")
    verify_peer(plan, IPv4Address("127.0.0.1"), ("127.0.0.1", 80))
    verify_peer(plan, IPv6Address("fe80::1%2"), ("fe80::1%eth0", 80, 0, 2))
    for peer in (("127.0.0.2", 80), ("127.0.0.1", 81)):
        with pytest.raises(PolicyError, match=r"^connected to another address") as caught:
            verify_peer(plan, IPv4Address("127.0.0.1"), peer)
        assert caught.value.code == "address-not-allowed"


def test_a_socket_that_reaches_another_address_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[socket.socket] = []

    class Redirected(socket.socket):
        def getpeername(self) -> tuple[str, int]:
            made.append(self)
            return "127.0.0.9", 80

    with serving() as server:
        plan = plan_for(server.server_port, "127.0.0.1")
        monkeypatch.setattr(socket, "socket", Redirected)
        with pytest.raises(PolicyError):
            dial.connect(plan)
    assert made[0].fileno() == -1


def test_a_zone_becomes_the_index_of_an_interface() -> None:
    assert socket_address(IPv4Address("9.9.9.9"), 80) == ("9.9.9.9", 80)
    assert socket_address(IPv6Address("::1"), 80) == ("::1", 80, 0, 0)
    assert socket_address(IPv6Address("fe80::1%7"), 80) == ("fe80::1", 80, 0, 7)
    index, name = socket.if_nameindex()[0]
    assert socket_address(IPv6Address(f"fe80::1%{name}"), 80) == ("fe80::1", 80, 0, index)


def test_a_plan_can_be_made_without_a_lookup() -> None:
    with serving() as server:
        uri = URI(f"http://a.example:{server.server_port}/")
        address = IPv4Address("127.0.0.1")
        plan = dial.ConnectionPlan(uri, "a.example", server.server_port, (address,))
        dial.connect(plan).close()
