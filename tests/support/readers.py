"""The hosts that other parsers see in a string, and strings on which they may disagree."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
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


#: The strings that `mutant` changes.
STARTS = (
    "gopher:/good.example/a",
    "view-source:http://good.example/",
    "jdbc:mysql://user:secret@good.example/",
    "http://good.example/",
    "https://www.good.example/a/b?c=d#e",
    "http://user@good.example/",
    "http://user:secret@good.example:8080/a",
    "http://127.0.0.1/",
    "https://[2001:db8::1]:443/a",
    "http://[::1]/",
    "http://good.example@evil.example/",
    "https://good.example?next=http://evil.example/",
    "https://good.example#@evil.example/",
    "http://b\u00fccher.example/",
    "http://xn--bcher-kva.example/",
    "//good.example/a",
    "/a/b",
    "a/b",
    "good.example/a",
    "good.example:80/a",
    "localhost:8080",
    "../a",
    "?a",
    "#a",
    "ftp://good.example/a",
    "file:///a/b",
    "file://server/a",
    "file:///c:/a",
    "ws://good.example/a",
    "mailto:me@good.example",
    "urn:isbn:0451450523",
    "data:text/plain,a",
    "javascript:alert(1)",
    "foo://good.example/a",
    "foo:/a/b",
    "git+ssh://git@good.example/a.git",
    "http://good.example./",
    "http://1.2.3.4.5/",
    "http://0x7f.1/",
    "http://a_b.example/",
    "http://a-.example/",
    "http://www.-b.example/",
    "http://foo.09/",
    "http://host.1/",
    "http://a.1b:80/c",
    "http://good.example?@evil.example/",
    "http://me@good.example/?a@b",
    "foo:/b",
    "file://127.0.0.1/a",
    "postgresql://me@good.example:5432/a?b=c",
    "postgresql://good.example#@evil.example/",
)

PIECES = (
    *("\ud800", "\udc80", "\u1e9e", "\u0301\u0316", "xn--99999999", "\U0001f3f3\ufe0f"),
    *("/", "//", "///", "\\", "\\\\", ":", "::", "@", "?", "#", "[", "]", "%", ";", "&", "="),
    *("+", "-", ".", "..", "/.", "/..", "~", "!", "$", "'", "(", ")", "*", ",", "_", "|", "^"),
    *("`", "{", "}", '"', "<", ">", " ", "\t", "\n", "\r", "\x00", "\x01", "\x0b", "\x1f"),
    *("\x7f", "\x80", "\x85", "\xa0", "\xad", "\u200b", "\u200d", "\u2028", "\u202e", "\u2060"),
    *("\u3000", "\ufeff", "\xdf", "\u03c2", "\u0130", "\u212a", "\u017f", "\xe9", "e\u0301"),
    *("\u05d0", "\u4e00", "\U0001f600", "\uff0f", "\uff1a", "\uff20", "\uff0e", "\u3002"),
    *("\uff61", "\u2100", "\u2024", "\uff11", "\uff03", "\uff1f", "%2F", "%5C", "%40", "%3A"),
    *("%23", "%3F", "%2E", "%2e%2e", "%00", "%0A", "%0D%0A", "%20", "%25", "%252F", "%41"),
    *("%61", "%C3%A9", "%FF", "%E2%80%8B", "%EF%BC%8F", "%zz", "%5B", "%5D", "%7F"),
    *("evil.example", "evil.example/", "@evil.example", "//evil.example", "http:", "https:"),
    *("http://", "x:", "127.1", "0x7f", "017700000001", "2130706433", "127.0.0.1", "256", "08"),
    *("0", ":80", ":", ":0", ":00", ":080", ":65536", ":99999999999", ":-1", ":+80", ":a"),
    *(":\u0661", "::1", "[::1]", "[::ffff:1.2.3.4]", "[v1.a]", "[::1%25eth0]"),
    *("_", "a_b", "-.", ".-", ".1", ".0x4", "1.", "#@", "?@", "@b/", "foo:/b", "file://127.0.0.1/"),
    *("[fe80::1%eth0]", "xn--", "xn--a", "XN--", "A", "Z", "a", "c:", "c|", "localhost"),
)  # fmt: skip


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


def mutant(random: Random, starts: Sequence[str] = STARTS, pieces: Sequence[str] = PIECES) -> str:
    """Return a URI or another string with a few random changes on which parsers may disagree."""
    text = random.choice(starts)
    for _ in range(random.choice((1, 1, 1, 2, 2, 3))):
        place = random.randint(0, len(text))
        after = random.randint(place, min(place + 3, len(text)))
        match random.randrange(8):
            case 0 | 1 | 2 | 3:
                text = text[:place] + random.choice(pieces) + text[place:]
            case 4:
                text = text[:place] + random.choice(pieces) + text[after:]
            case 5:
                text = text[:place] + text[after:]
            case 6:
                text = text[:place] + text[place:after].swapcase() + text[after:]
            case _:
                octets = text[place:after].encode(errors="surrogatepass")
                escaped = "".join(f"%{octet:02X}" for octet in octets)
                text = text[:place] + escaped + text[after:]
    return text


def mutants(seed: int, count: int) -> Iterator[str]:
    """Yield `count` distinct mutants."""
    random = Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        text = mutant(random)
        if text not in seen:
            seen.add(text)
            yield text


def malformed(random: Random) -> str:
    """Return a string, often malformed, with a few random changes that need a repair."""
    return mutant(random, STARTS + MALFORMED, PIECES + TO_REPAIR)
