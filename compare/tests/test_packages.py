"""The adapters for Python packages. `test_comparing.py` tests the comparison."""

from __future__ import annotations

import pytest

from uriverse_compare import Parser
from uriverse_compare._comparing import CONTROL
from uriverse_compare._comparison import Target, target_of
from uriverse_compare._packages import PACKAGES, package_parser


@pytest.fixture(params=PACKAGES)
def package(request: pytest.FixtureRequest) -> Parser:
    found = package_parser(request.param)
    if found is None:
        module = PACKAGES[request.param].distribution
        pytest.skip(f"needs {module} (pip install 'compare[parsers]')")
    return found


def test_each_package_reads_the_control_uri(package: Parser) -> None:
    reading = package.read([CONTROL])[0]
    assert reading.outcome == "accepted"
    assert target_of(reading) == Target("control.example", 8080)
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
    assert target_of(reading).host == KNOWN[text][package.name]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("urllib.request", "http:a"),
        ("urllib.request", "http://a:b/"),
        ("Django", "javascript://a/"),
        ("Django", "http://a\\@b/"),
        ("httpx", "http://a:b/"),
        ("requests", "http://*/"),
        ("rfc3986", "http://[/"),
    ],
)
def test_packages_reject_these_strings(name: str, text: str) -> None:
    found = package_parser(name)
    if found is None:
        pytest.skip(f"needs {PACKAGES[name].distribution} (pip install 'compare[parsers]')")
    assert found.read([text])[0].outcome == "rejected"


@pytest.mark.parametrize("name", ["urllib.request", "requests", "aiohttp", "tornado"])
def test_http_clients_read_no_other_schemes(name: str) -> None:
    found = package_parser(name)
    if found is None:
        pytest.skip(f"needs {PACKAGES[name].distribution} (pip install 'compare[parsers]')")
    assert found.read(["x://a.example/"])[0].outcome in {"unread", "rejected"}
