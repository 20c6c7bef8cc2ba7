"""Random strings in which parsers may find different hosts or ports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

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
    random = Random(seed)  # noqa: S311  # not for secrets
    seen: set[str] = set()
    while len(seen) < count:
        text = mutant(random)
        if text not in seen:
            seen.add(text)
            yield text
