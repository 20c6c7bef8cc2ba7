import socket
from ipaddress import IPv4Address, IPv6Address
from selectors import DefaultSelector
from typing import Any

import pytest
from web import answering, refusing, serving, silent

from uriverse import URI, Policy, PolicyError, dial
from uriverse.dial._connecting import make_socket_address, verify_peer


def plan_for(port: int, *addresses: str) -> dial.ConnectionPlan:
    policy = Policy(scopes={"loopback"})
    return dial.lookup(policy, f"http://a.example:{port}/", resolver=answering(*addresses))


def unused_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def test_the_next_address_is_tried_if_one_refuses_or_never_answers() -> None:
    with refusing() as port, serving("127.0.0.2", port):
        plan = plan_for(port, "127.0.0.1", "127.0.0.2")
        with dial.connect(plan, timeout=5) as connection:
            assert connection.getpeername() == ("127.0.0.2", port)
            assert connection.gettimeout() == 5
    # The next address is connected although the first never answers.
    with silent() as port, serving("127.0.0.2", port):
        plan = plan_for(port, "127.0.0.1", "127.0.0.2")
        with dial.connect(plan) as connection:
            assert connection.getpeername() == ("127.0.0.2", port)
            assert connection.gettimeout() is None
    # An earlier attempt wins if later ones fail or do not answer.
    with silent() as port, silent("127.0.0.3", port), serving("127.0.0.2", port):
        plan = plan_for(port, "127.0.0.1", "127.0.0.4", "127.0.0.3", "127.0.0.2")
        with dial.connect(plan) as connection:
            assert connection.getpeername()[0] == "127.0.0.2"
    # The error of the last address is raised.
    with pytest.raises(ConnectionRefusedError):
        dial.connect(plan_for(unused_port(), "127.0.0.1", "127.0.0.2"), timeout=5)


def test_the_next_address_is_tried_if_a_system_has_no_ipv6(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_the_timeout_applies_to_all_attempts_together() -> None:
    with silent() as port:
        plan = plan_for(port, "127.0.0.1")
        for timeout in (0.05, 0.0, -1.0):
            with pytest.raises(TimeoutError, match=r"^timed out$"):
                dial.connect(plan, timeout=timeout)
    # A timeout may be longer than a selector can wait.
    with serving() as server:
        plan = plan_for(server.server_port, "127.0.0.1")
        with dial.connect(plan, timeout=1e9) as connection:
            assert connection.gettimeout() == 1e9


@pytest.mark.parametrize("outcome", ["connected", "timeout", "interrupt", "wrong option"])
def test_no_socket_of_an_attempt_stays_open(outcome: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[socket.socket] = []

    class Noted(socket.socket):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            if "fileno" not in options:  # not a connection that the server accepts
                made.append(self)

    def interrupt(*arguments: object) -> None:
        raise KeyboardInterrupt

    with silent() as port, silent("127.0.0.3", port), serving("127.0.0.2", port):
        addresses = ["127.0.0.1", "127.0.0.3"]
        monkeypatch.setattr(socket, "socket", Noted)
        if outcome == "connected":
            dial.connect(plan_for(port, *addresses, "127.0.0.2")).close()
        elif outcome == "timeout":
            with pytest.raises(TimeoutError):
                dial.connect(plan_for(port, *addresses), timeout=0.3)
        elif outcome == "interrupt":
            monkeypatch.setattr(DefaultSelector, "select", interrupt)
            with pytest.raises(KeyboardInterrupt):
                dial.connect(plan_for(port, *addresses))
        else:
            with pytest.raises(TypeError):
                dial.connect(plan_for(port, *addresses), socket_options=[("a", "b", "c")])
        monkeypatch.undo()
    assert made
    assert {one.fileno() for one in made} == {-1}


def test_attempts_continue_after_the_last_one_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Redirected(socket.socket):
        def getpeername(self) -> tuple[str, int]:
            return "127.0.0.9", 80

    with silent() as port, serving("127.0.0.2", port):
        monkeypatch.setattr(socket, "socket", Redirected)
        with pytest.raises(TimeoutError):
            dial.connect(plan_for(port, "127.0.0.1", "127.0.0.2"), timeout=0.4)
        monkeypatch.undo()


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
    assert make_socket_address(IPv4Address("9.9.9.9"), 80) == ("9.9.9.9", 80)
    assert make_socket_address(IPv6Address("::1"), 80) == ("::1", 80, 0, 0)
    assert make_socket_address(IPv6Address("fe80::1%7"), 80) == ("fe80::1", 80, 0, 7)
    index, name = socket.if_nameindex()[0]
    assert make_socket_address(IPv6Address(f"fe80::1%{name}"), 80) == ("fe80::1", 80, 0, index)


def test_a_plan_can_be_made_without_a_lookup() -> None:
    with serving() as server:
        uri = URI(f"http://a.example:{server.server_port}/")
        address = IPv4Address("127.0.0.1")
        plan = dial.ConnectionPlan(uri, "a.example", server.server_port, (address,))
        dial.connect(plan).close()
    # IPv6 addresses are connected.
    with serving("::1") as server, dial.connect(plan_for(server.server_port, "::1")) as connection:
        assert connection.getpeername()[0] == "::1"
        assert connection.gettimeout() is None
    # A plan without addresses raises an error.
    plan = dial.ConnectionPlan(URI("http://a.example/"), "a.example", 80, ())
    with pytest.raises(OSError, match=r"^the plan has no address$"):
        dial.connect(plan)
    # Options and the source address are set before connecting.
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    with serving() as server:
        plan = plan_for(server.server_port, "127.0.0.1")
        with dial.connect(
            plan, source_address=("127.0.0.1", 0), socket_options=options
        ) as connection:
            assert connection.getsockname()[0] == "127.0.0.1"
            assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
