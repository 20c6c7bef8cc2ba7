import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from amounts import scaled

from compare_conformance.mutants import mutant
from uriverse_compare import _browsers as browsers
from uriverse_compare import _libraries as libraries
from uriverse_compare import _probes as probes
from uriverse_compare import _programs as programs
from uriverse_compare._comparison import CONTROL
from uriverse_compare._reading import Parser

#: The packages of Debian with the software, and other packages.
PACKAGES = {
    "libcurl": "libcurl4",
    "libcurl (any scheme)": "libcurl4",
    "libxml2": "libxml2",
    "GLib": "libglib2.0-0",
    "OpenSSL": "libssl3",
    "libpq": "libpq5",
    "Node.js URL": "nodejs",
    "Node.js url.parse": "nodejs",
    "Deno URL": "npm: deno",
    "Bun URL": "npm: bun",
    "PHP parse_url": "php-cli",
    "Ruby URI": "ruby",
    "Ruby Addressable": "ruby-addressable",
    "Perl URI": "liburi-perl",
    "Go net/url": "golang-go",
    "java.net.URI": "default-jdk",
    "java.net.URL": "default-jdk",
    "Mono System.Uri": "mono-mcs",
    "nginx": "nginx",
    "git": "git",
    "Chromium": "chromium; PyPI: playwright",
    "Firefox": "firefox-esr",
    "WebKitGTK": "webkit2gtk-driver xvfb",
}

FINDERS = {**libraries.FINDERS, **programs.FINDERS, **probes.FINDERS, **browsers.FINDERS}

#: A string that UTF-8 cannot represent.
SURROGATE = "http://\ud800/"

LAST = "http://last.example:1/"

#: Strings with parts that could break a protocol of lines, of C strings or of JSON.
AWKWARD = [CONTROL, SURROGATE, "", "\0", "a\nb", "a\r", " ", "-v", '"', "x" * 10**5, "$(id)", LAST]

#: Errors of parsers that are neither a rejection nor a fault of the adapter.
KNOWN_FAULTS = {
    # Mono decodes "xn--bcher-k?" in "http://xn--bcher-k?@a.example/".
    "Mono System.Uri": "System.IndexOutOfRangeException"
}

#: The number of mutants that each adapter reads; git needs a process for each.
MUTANTS = {"git": 20}


def require(name: str) -> Parser:
    """Return a parser, or skip the test if its software is not installed."""
    found = FINDERS[name]()
    if found is None:
        pytest.skip(f"needs {name} ({PACKAGES[name]})")
    return found


@pytest.fixture(
    scope="module",
    params=[
        # Other languages and browsers take seconds to start, and CI does not install them.
        pytest.param(name, marks=[] if name in libraries.FINDERS else [pytest.mark.extended])
        for name in FINDERS
    ],
)
def parser(request: pytest.FixtureRequest) -> Parser:
    return require(request.param)


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files, except for the compiled workers.

    The path of `tmp_path` is too long for the sockets of Chromium.
    """
    programs.get_private_folder()
    with tempfile.TemporaryDirectory() as name:
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)


def children() -> set[str]:
    if sys.platform != "linux":
        return set()
    tasks = Path("/proc/self/task").glob("*/children")
    return {child for task in tasks for child in task.read_text("ascii").split()}


def test_every_parser_has_a_package() -> None:
    assert list(PACKAGES) == list(FINDERS)


#: The software that connects to nothing itself.
PARSERS_ONLY = {"Ruby Addressable", "libcurl (any scheme)", "GLib", "nginx"}


def test_a_parser_has_a_name_a_version_and_the_schemes_of_its_hosts(parser: Parser) -> None:
    assert parser.name in FINDERS
    assert parser.version[0].isdigit()
    assert (parser.name in PARSERS_ONLY) == (not parser.dials)


def test_awkward_strings_have_one_reading_each_and_nothing_is_left_behind(
    parser: Parser, temporary: Path
) -> None:
    before = children()
    found = parser.read(AWKWARD)
    assert children() <= before
    assert not list(temporary.iterdir())
    assert len(found) == len(AWKWARD)
    control, surrogate, *others, last = found
    assert control.outcome == "accepted", control.reason
    assert (control.host, control.port) == ("control.example", "8080")
    assert (last.host, last.port) == ("last.example", "1")
    assert surrogate.outcome == "unread"
    assert "failed" not in {reading.outcome for reading in others}


def test_the_components_of_a_plain_url_are_those_that_the_parser_tells(parser: Parser) -> None:
    [found] = parser.read(["http://user@control.example:8080/a?b#c"])
    if parser.name == "nginx":
        assert found.outcome == "rejected"
        return
    assert found.scheme == "http"
    assert found.userinfo == "user"
    assert found.host == "control.example"
    assert found.port == "8080"
    rest = {
        # git has no query and no fragment.
        "git": ("/a?b#c", None, None),
        # libpq has none of the three.
        "libpq": (None, None, None),
    }
    assert (found.path, found.query, found.fragment) == rest.get(parser.name, ("/a", "b", "c"))


def test_a_password_is_part_of_the_userinfo(parser: Parser) -> None:
    [found] = parser.read(["http://user:secret@control.example/a"])
    assert found.userinfo == (None if parser.name == "nginx" else "user:secret")


def test_each_string_is_read_independently_of_the_others(parser: Parser) -> None:
    texts = ["http://a.example/", "http://[", "foo:bar", "http://b.example:1/c"]
    together = parser.read(texts)
    assert parser.read(texts[::-1]) == together[::-1]
    assert parser.read(texts[3:]) == together[3:]


def test_a_parser_accepts_or_rejects_hostile_strings(parser: Parser) -> None:
    random = Random(7)
    texts = [mutant(random) for _ in range(MUTANTS.get(parser.name, scaled(3000)))]
    for text, reading in zip(texts, parser.read(texts), strict=True):
        if reading.outcome == "failed":
            assert reading.reason.startswith(KNOWN_FAULTS.get(parser.name, "no error")), text


def test_c_libraries_do_not_read_strings_with_nul() -> None:
    for find in libraries.FINDERS.values():
        if found := find():
            assert found.read(["http://a.example/\0b"])[0].outcome == "unread"


@pytest.mark.parametrize("name", ["libcurl", "GLib", "libxml2", "OpenSSL", "libpq"])
def test_memory_of_c_libraries_is_freed(name: str) -> None:
    found = require(name)
    texts = [CONTROL + "x" * 10_000, "http://[" + "x" * 10_000] * 100
    found.read(texts)
    before = resident()
    for _ in range(20):
        found.read(texts)
    # Without the frees, each of the 20 rounds would keep 1 MB or more.
    assert resident() - before < 8_000_000


def resident() -> int:
    """Return the memory of this process in bytes; 0 where it is unknown."""
    path = Path("/proc/self/statm")
    pages = int(path.read_text("ascii").split()[1]) if path.exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_libpq_reads_a_long_query_in_linear_time() -> None:
    [reading] = require("libpq").read(["http://a.example/" + "?a=b" * 50_000])
    assert (reading.outcome, reading.host) == ("accepted", "a.example")


def test_git_connects_to_the_host_of_the_adapter() -> None:
    for text, host, port in [
        *(("ssh://me@a.example: +80/", "a.example", "80"), ("ssh://a.example:0/", None, None)),
        *(("ssh://me;@a.example/", None, None), ("ssh://a;b.example/", None, None)),
        *(("ssh::a.example/", None, None), ("a.example:b", "a.example", None)),
        ("git://me@a.example:80/", "me@a.example", "80"),
        ("git://a.example:/", "a.example", None),
        *(("git://a.example:65536/", "a.example:65536", None), ("git://[::1]a:80/", "::1", "80")),
        ("git://a%0A.example/", None, None),
    ]:
        [reading] = require("git").read([text])
        assert (reading.host, reading.port) == (host, port)
        assert reading.outcome == ("accepted" if host else "rejected")
        if text == "a.example:b":
            assert reading.scheme == "ssh"


def test_software_connects_to_the_host_of_the_adapter() -> None:
    for name, text, host in [
        *(("libcurl", "http:me@a.example/", "a.example"), ("libcurl", "a.example/b", "a.example")),
        ("libxml2", "http://%61.example/", "%61.example"),
        ("libpq", "http://a.example/?b=c", "a.example"),
        ("libpq", "postgresql://a.example/?b=c", None),
        ("libpq", "postgresql://a.example:000000000001/", "a.example"),
        ("Node.js url.parse", "http://a.example/%C3%A9", "a.example"),
        ("Node.js url.parse", "http://a.example/\u4e00", None),
        ("Node.js url.parse", "http://a\x01.example/", None),
        ("Node.js url.parse", "x://a.example/\u4e00", "a.example"),
        ("Mono System.Uri", "http://a\xad.example/", "a\xad.example"),
    ]:
        [found] = require(name).read([text])
        assert (found.host if found.address is None else found.address) == host


def test_the_clients_of_libxml2_do_not_support_https() -> None:
    if found := FINDERS["libxml2"]():
        assert found.dials == {"http", "ftp"}
