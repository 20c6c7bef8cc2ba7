"""HTTP clients connect to the hosts and ports that their adapters report; nothing is sent."""

import logging
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain

import pytest

from compare_conformance.clients import FUNCTIONS, MAINSTREAM, SLOW
from compare_conformance.mutants import mutants
from compare_conformance.requesting import requestable, requests_of
from compare_conformance.telling import TELLING
from conformance.dialing import programs, python_clients, verifying
from conformance.dialing.recording import recording
from conformance.dialing.verifying import Mismatch, connections, dialed_target, merged, verified
from uriverse_compare import Parser, Reading, Target, installed

TEXTS = [*chain.from_iterable(TELLING.values()), *mutants(11, 200)]

#: Programs whose adapter returns what the client uses, with the differences.
EXACT = {"libcurl": set[str](), "Node.js URL": {"0", "00"}}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Tornado logs each request that fails."""
    logging.disable()
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("name", python_clients.CLIENTS)
def test_python_clients_connect_to_the_reported_hosts(name: str) -> None:
    found = installed([name])
    if not found:
        pytest.skip(f"needs {name} (pip install './compare[parsers]')")
    made = connections(name, TEXTS)
    assert made is not None
    result = verified(found[0], made)
    assert result.mismatches == []
    assert result.strings >= 300
    assert result.connections >= 100


@pytest.mark.parametrize("name", EXACT)
def test_programs_connect_to_the_reported_hosts(name: str) -> None:
    found = installed([name])
    made = connections(name, TEXTS)
    if not found or made is None:
        pytest.skip(f"needs {name} and a network namespace (docs/conformance.md)")
    result = verified(found[0], made)
    ports = {text.removesuffix("/").rpartition(":")[2] for text, _, _ in result.mismatches}
    assert ports <= EXACT[name]
    assert result.strings >= 300


@pytest.mark.slow
def test_git_connects_to_the_reported_hosts() -> None:
    found = installed(["git"])
    made = connections("git", requests_of("git", requestable(TEXTS, 160)))
    if not found or made is None:
        pytest.skip("needs git, ssh and a network namespace (docs/conformance.md)")
    result = verified(found[0], made)
    # The adapter shows octets that are not UTF-8 as escapes, whose backslash OpenSSH would reject.
    assert [text for text, *_ in result.mismatches if "%FF" not in text] == []
    assert result.strings >= 300
    assert result.connections >= 100


@pytest.mark.extended
@pytest.mark.parametrize("name", SLOW)
def test_browsers_connect_to_the_reported_hosts_or_to_none(name: str) -> None:
    found = installed([name])
    made = connections(name, requestable(TEXTS, 60))
    if not found or made is None:
        pytest.skip(f"needs {name} and a network namespace (docs/conformance.md)")
    result = verified(found[0], made)
    assert [one for one in result.mismatches if one.dialed] == []
    assert result.connections >= 20


def test_a_worker_ends_by_itself_if_its_input_ends() -> None:
    waiting = "import sys; sys.stdin.read(); sys.exit(3)"
    with subprocess.Popen([sys.executable, "-c", waiting], stdin=subprocess.PIPE) as process:
        programs.end(process)
    assert process.returncode == 3


def test_every_client_has_a_function() -> None:
    assert set(FUNCTIONS) == {*python_clients.CLIENTS, *programs.CLIENTS}
    assert set(MAINSTREAM) <= set(FUNCTIONS)


def test_a_recorded_lookup_asks_no_server_and_a_connection_is_refused() -> None:
    with recording() as record:
        for host in ("a.example", "127.1", "::1", b"b.example", "b\u00fccher.example"):
            record.clear()
            assert record.dialed is None
            [(family, kind, _, _, address), *_] = socket.getaddrinfo(
                host, 8080, type=socket.SOCK_STREAM
            )
            with socket.socket(family, kind) as client, pytest.raises(ConnectionRefusedError):
                client.connect(address)
            assert record.dialed
            assert record.dialed[1] == 8080
        assert record.dialed == ("xn--bcher-kva.example", 8080)
        with pytest.raises(socket.gaierror):
            socket.getaddrinfo("", 80)
        with pytest.raises(socket.gaierror):
            socket.getaddrinfo("a.example", -1)


def test_a_number_is_the_address_to_which_the_client_connects() -> None:
    with recording() as record:
        record.lookups.append("0177.1")
        record.connections.append(("127.0.0.1", 80))
        assert dialed_target(record) == Target("127.0.0.1", 80)
        record.clear()
        assert dialed_target(record) is None


@pytest.mark.parametrize(
    ("host", "resolved"),
    [
        *(("127.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("a.1b", "a.1b")),
        *(("256.0.0.1", "256.0.0.1"), ("::ffff:7f00:1", "127.0.0.1"), ("fe80::1%eth0", "fe80::1")),
        ("::x", "::x"),
    ],
)
def test_hosts_are_compared_as_the_resolver_reads_them(host: str, resolved: str) -> None:
    assert verifying.as_resolved(host) == resolved


def test_the_names_of_the_machine_itself_are_the_same() -> None:
    assert merged(Target("::1", 80)) == merged(Target("localhost", 80))
    assert merged(Target("a", 80)) == Target("a", 80)
    assert merged(None) is None


def test_wrong_adapters_are_found() -> None:
    readings = {
        "http://a.example/": Reading("accepted", scheme="http", host="b.example"),
        "http://b.example:0/": Reading("accepted", scheme="http", host="b.example", port="0"),
        "http://c.example/": Reading("rejected"),
        "http:///d": Reading("accepted", scheme="http", host=""),
        "x://e.example/": Reading("accepted", scheme="x", host="e.example"),
    }
    parser = Parser("p", "1", frozenset({"http"}), lambda texts: [readings[one] for one in texts])
    made = {
        "http://a.example/": Target("a.example", 80),
        "http://b.example:0/": None,
        "http://c.example/": None,
        "http:///d": Target("::1", 80),
        "x://e.example/": None,
    }
    result = verified(parser, made)
    assert result.mismatches == [
        Mismatch("http://a.example/", Target("b.example", 80), Target("a.example", 80)),
        Mismatch("http://b.example:0/", Target("b.example", 0), None),
    ]
    assert (result.strings, result.connections) == (4, 1)
    assert result.as_json()["mismatches"][0]["text"] == "http://a.example/"


def test_a_client_that_cannot_run_makes_no_requests() -> None:
    assert connections("nginx", TEXTS) is None
