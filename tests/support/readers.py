"""The hosts that other parsers see in a string, and strings on which they may disagree."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import ada_url
import httpx
import urllib3
import yarl
from shared_libraries import (
    CRYPTO,
    CURL,
    LIBPQ,
    NON_SUPPORT_SCHEME,
    curl_host,
    libpq_host,
    openssl_host,
)

from conformance.mutants import PIECES, STARTS, mutant

#: The exceptions with which parsers reject a string. yarl raises an IndexError for some brackets.
REFUSALS: tuple[type[Exception], ...] = (
    ValueError,
    IndexError,
    httpx.InvalidURL,
    urllib3.exceptions.HTTPError,
)

#: The parsers that run in this process: each returns the host of a string.
READERS: dict[str, Callable[[str], str | None]] = {
    "ada-url": lambda text: ada_url.URL(text).hostname,
    "urllib": lambda text: urlsplit(text).hostname,
    "urllib3": lambda text: urllib3.util.parse_url(text).host,
    # The host that these libraries connect to, rather than the one that they display.
    "httpx": lambda text: httpx.URL(text).raw_host.decode(),
    "yarl": lambda text: yarl.URL(text).raw_host,
}

#: Optional parsers that run in this process: the module, and a function that returns the host.
OPTIONAL: dict[str, tuple[str, Callable[[Any, str], str | None]]] = {
    "pydantic": ("pydantic", lambda module, text: module.AnyUrl(text).host),
    # Its attribute `host` is None for an invalid authority too.
    "rfc3986": (
        "rfc3986",
        lambda module, text: module.uri_reference(text).authority_info()["host"],
    ),
    "uritools": ("uritools", lambda module, text: str(module.urisplit(text).gethost(""))),
    "url-py": ("url", lambda module, text: module.URL.parse(text).host_str),
}

for _name, (_module, _host) in OPTIONAL.items():
    if find_spec(_module):
        READERS[_name] = partial(_host, import_module(_module))
for _module, _error in (("url", "URLError"), ("rfc3986.exceptions", "RFC3986Exception")):
    if find_spec(_module.partition(".")[0]):
        REFUSALS += (getattr(import_module(_module), _error),)
if CURL:
    READERS["curl"] = curl_host
    READERS["curl, any scheme"] = lambda text: curl_host(text, NON_SUPPORT_SCHEME)
# Releases before March 2026 end the userinfo at any "@", even one in a path:
# https://github.com/openssl/openssl/pull/30319
if CRYPTO and openssl_host("http://a/@b") == "a":
    READERS["OpenSSL"] = openssl_host
if LIBPQ:
    READERS["libpq"] = libpq_host


class Command(NamedTuple):
    """A program that runs the parsers of another language on all strings in one process.

    Attributes:
        arguments: the interpreter, and the name of a script in the folder `foreign`.
        readers: the names of the parsers, in the order of the results.
        probe: a command that fails if the script cannot run.
    """

    arguments: tuple[str, str]
    readers: tuple[str, ...]
    probe: tuple[str, ...]


COMMANDS = (
    Command(("node", "hosts.js"), ("Node.js URL", "Node.js url.parse"), ("node", "--version")),
    Command(("php", "hosts.php"), ("PHP parse_url",), ("php", "--version")),
    Command(("ruby", "hosts.rb"), ("Ruby URI",), ("ruby", "--version")),
    Command(("perl", "hosts.pl"), ("Perl URI",), ("perl", "-MURI", "-e", "1")),
    Command(("java", "Hosts.java"), ("java.net.URI", "java.net.URL"), ("javac", "--version")),
)


def hosts_seen(text: str) -> dict[str, str]:
    """Return the host that each parser sees, `""` for no host; omit parsers that raise an error."""
    seen: dict[str, str] = {}
    for name, read in READERS.items():
        try:
            seen[name] = canonical(read(text) or "")
        except REFUSALS:
            continue
    return seen


def is_installed(command: Command) -> bool:
    """Whether a program is installed, with everything that its script needs."""
    try:
        subprocess.run(command.probe, capture_output=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return False
    return True


def foreign_hosts_seen(command: Command, texts: Sequence[str]) -> list[dict[str, str]]:
    """Return the host that each parser of a program sees in each string, as `hosts_seen` does.

    The program reads one line for each string: the hexadecimal digits of its UTF-8. The program
    writes one line for each string, with a field for each parser: "=" and the hexadecimal digits
    of the host, or "-" if the parser rejects the string.
    """
    interpreter, script = command.arguments
    done = subprocess.run(
        [interpreter, Path(__file__).parent / "foreign" / script],
        input="".join(f"{text.encode().hex()}\n" for text in texts),
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        {
            reader: canonical(bytes.fromhex(answer[1:]).decode(errors="surrogateescape"))
            for reader, answer in zip(command.readers, line.split(" "), strict=True)
            if answer != "-"
        }
        for _, line in zip(texts, done.stdout.splitlines(), strict=True)
    ]


def canonical(host: str) -> str:
    """Return a host in lowercase, without brackets, with an IP address in its normal form."""
    bare = host.removeprefix("[").removesuffix("]").lower()
    try:
        return str(ip_address(bare))
    except ValueError:
        return bare


#: Malformed strings that `malformed` changes, beside those of `STARTS`.
MALFORMED = (
    *("http://good.example/a b\\c", "images/my photo.jpg", "a|b{c}", "my photo.jpg", "été.jpg"),
    *("http://good.example/%zz?q=[a]|b#c d#e", "file:///c:\\a b", "file:c|/a", "\\a", "..\\a b"),
    *("http://u:p@good.example/a^b", "?a b", "foo:a b", "mailto:a b@good.example", "foo:/a\\b c"),
    *("http:\\\\good.example\\a b", "http://b\u00fccher.example/\u00fc x", "javascript:a b"),
    *("foo://good.example/a\\..\\b c", "www.good.example/a b", " http://good.example/a "),
)

#: The characters that repairs change, and sequences in which a repair could change the host.
TO_REPAIR = (
    *(tuple(' \t\n\\|^{}<>"`[]%#') * 4),
    *("\\/", "/\\", "\n/", "\t:", " ?", "a b", "|b", "%%", "%2", "c|", "/c|/", "..\\", "%2E\\"),
)


def malformed(random: Random) -> str:
    """Return a string, often malformed, with a few random changes that need a repair."""
    return mutant(random, STARTS + MALFORMED, PIECES + TO_REPAIR)
