"""The hosts that other parsers see in a string, and malformed strings."""

from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from random import Random

from compare_conformance.mutants import PIECES, STARTS, mutant
from compare_conformance.uncounted import is_guess
from uriverse_compare import Parser, Reading, installed

#: The names of the parsers that run in this process and are compared by default.
HERE = (
    *("ada-url", "urllib.parse", "urllib3", "httpx", "yarl", "pydantic", "rfc3986", "uritools"),
    *("url-py", "libcurl", "libcurl (any scheme)", "OpenSSL", "libpq"),
)

#: The programs of other languages.
FOREIGN = (
    *("Node.js URL", "Node.js url.parse", "PHP parse_url", "Ruby URI", "Perl URI"),
    *("java.net.URI", "java.net.URL"),
)

#: Parsers that see no host, or a wrong one, if their software does not connect to a scheme. Node.js
#: sees the host "text" in "data:text/plain,a", OpenSSL sees "a" in "mailto:me@a", and Perl sees no
#: host in "foo://a/".
WEB_ONLY = {"Node.js url.parse", "OpenSSL", "Perl URI"}

#: The schemes that an adapter replaces with another one, before the parser reads the string.
REPLACED = {"libpq": ("http:", "https:")}


def reads_only_the_authority(parser: Parser) -> bool:
    """Whether a parser ends the userinfo at an "@" of the authority.

    Releases of OpenSSL before March 2026 end it at any "@", even one in a path:
    https://github.com/openssl/openssl/pull/30319
    """
    return parser.read(["http://a.example/@b"])[0].host == "a.example"


READERS = [parser for parser in installed(HERE) if parser.name != "OpenSSL"]
READERS += filter(reads_only_the_authority, installed(["OpenSSL"]))


def hosts_seen(text: str) -> dict[str, str]:
    """Return the host that each parser sees, `""` for no host; omit parsers that reject it."""
    return {
        parser.name: host
        for parser in READERS
        if not text.lower().startswith(REPLACED.get(parser.name, ()) or "\0")
        and (host := host_of(parser, text, parser.read([text])[0])) is not None
    }


def foreign_hosts_seen(parser: Parser, texts: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the host that a program sees in each string, as `hosts_seen` does."""
    for text, reading in zip(texts, parser.read(texts), strict=True):
        assert reading.outcome != "failed", reading.reason
        host = host_of(parser, text, reading)
        yield {} if host is None else {parser.name: host}


def host_of(parser: Parser, text: str, reading: Reading) -> str | None:
    """Return the host of an accepted string, if the parser reads URIs of its scheme correctly."""
    foreign = parser.name in WEB_ONLY and (reading.scheme or "").lower() not in parser.dials
    return None if foreign or is_guess(parser, text, reading) else host_in(reading)


def host_in(reading: Reading) -> str | None:
    """Return the host, except one with a delimiter, because no resolver accepts it."""
    host = reading.host or ""
    delimiter = any(character in host for character in "/?#")
    return None if reading.outcome != "accepted" or delimiter else canonical(host)


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
