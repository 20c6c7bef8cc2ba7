import sys

import pytest

from uriverse_compare import Parser
from uriverse_compare._clients import catch_connection
from uriverse_compare._comparison import CONTROL, Target, find_target
from uriverse_compare._packages import PACKAGES, create_package_parser
from uriverse_compare._reading import RejectedError


def require(name: str) -> Parser:
    """Return a parser, or skip the test if its package is not installed."""
    found = create_package_parser(name)
    if found is None:
        pytest.skip(f"needs {PACKAGES[name].distribution} (pip install 'compare[parsers]')")
    return found


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest) -> Parser:
    return require(request.param)


def test_each_package_reads_the_control_uri(package: Parser) -> None:
    reading = package.read([CONTROL])[0]
    assert reading.outcome == "accepted"
    assert find_target(reading) == Target("control.example", 8080)
    assert package.version


def test_each_package_answers_every_string(package: Parser) -> None:
    texts = ["", "http://[", "http://a:b/", "http://a:99999/", "x:y", "\ud800", "http://\ud800/"]
    readings = package.read([*texts, "http://a\0b/", "//", "http://a b/"])
    assert {reading.outcome for reading in readings} <= {"accepted", "rejected", "unread"}
    assert all(reading.reason for reading in readings if reading.outcome == "unread")


#: The host and port that each package finds, where they are not those of RFC 3986.
KNOWN = {
    "http://good.example\\@evil.example/": {
        "urllib.parse": "evil.example",
        "ada-url": "good.example",
        "url-py": "good.example",
        "httpx": "evil.example",
        "urllib3": "good.example",
    },
    "http://0x7f.1/": {"ada-url": "127.0.0.1", "yarl": "0x7f.1"},
    "http://me@a.example/": {"urllib.request": "me@a.example", "requests": "a.example"},
    "http:/a.example/": {"ada-url": "a.example", "urllib.parse": "", "pydantic": "a.example"},
    "http://%61.example/": {"ada-url": "a.example", "urllib.parse": "%61.example"},
    "//a.example:81/b": {"urllib.parse": "a.example", "Django": "a.example"},
}


@pytest.mark.parametrize("text", KNOWN)
def test_packages_find_these_hosts(text: str, package: Parser) -> None:
    if package.name not in KNOWN[text]:
        return
    reading = package.read([text])[0]
    assert reading.outcome == "accepted"
    assert find_target(reading).host == KNOWN[text][package.name]


def test_packages_reject_these_strings() -> None:
    for name, text in [
        *(("urllib.request", "http:a"), ("urllib.request", "http://a:b/")),
        *(("Django", "javascript://a/"), ("Django", "http://a\\@b/"), ("httpx", "http://a:b/")),
        *(("requests", "http://*/"), ("rfc3986", "http://[/")),
    ]:
        assert require(name).read([text])[0].outcome == "rejected"


#: The host and port to which a client connects, or `None` for a rejection. Without a name, all
#: clients do this.
CONNECTIONS: list[tuple[str, str | None, Target | None]] = [
    ("http://good.example:0/", "urllib3", Target("good.example", 0)),
    ("http://good.example:0/", "httpx", Target("good.example", None)),
    ("http:///good.example/", None, None),
    ("https://good.example:444/", None, Target("good.example", 444)),
    ("http://127.0.0.1:81/", None, Target("127.0.0.1", 81)),
    ("http://good.example:-1/", "urllib.request", None),
    # Other resolvers reject such a port.
    *[("http://good.example:65616/", "urllib.request", Target("good.example", None))][
        : sys.platform == "linux"
    ],
    ("http://good.example:99999999999999999999/", "urllib.request", None),
    *(("http://\u4e00.example/", "urllib.request", None), ("http://127.1/", "aiohttp", None)),
    ("good.example/a", "urllib3", Target("good.example", None)),
    ("ws://good.example/", "httpx", Target("good.example", None)),
    ("ws://good.example/", "aiohttp", Target("good.example", None)),
    ("http://b\u00fccher.example/", "tornado", Target("xn--bcher-kva.example", None)),
]

CLIENTS = ("urllib.request", "urllib3", "requests", "httpx", "aiohttp", "tornado")


@pytest.mark.parametrize("name", CLIENTS)
def test_clients_find_the_hosts_to_which_they_connect(name: str) -> None:
    found = require(name)
    for text, only, target in CONNECTIONS:
        if only not in {None, name}:
            continue
        reading = found.read([text])[0]
        assert reading.outcome == ("accepted" if target else "rejected"), text
        assert target is None or find_target(reading) == target, text


def test_a_request_without_a_connection_is_a_rejection() -> None:
    with pytest.raises(RejectedError, match="the client connects to nothing"):
        catch_connection(lambda: None)


@pytest.mark.parametrize("name", ["urllib.request", "requests", "tornado"])
def test_http_clients_read_no_other_schemes(name: str) -> None:
    assert require(name).read(["x://a.example/"])[0].outcome in {"unread", "rejected"}


def test_qt_connects_to_the_host_of_an_invalid_url() -> None:
    web, other = require("Qt QUrl").read(["http://a.example:b/", "x://a.example:b/"])
    assert (web.outcome, web.host, web.port) == ("accepted", "a.example", None)
    assert other.outcome == "rejected"
