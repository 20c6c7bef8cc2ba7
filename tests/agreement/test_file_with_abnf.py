"""`FileURI` accepts exactly what the ABNF of RFC 8089 produces, according to the `abnf` package."""

from __future__ import annotations

from random import Random

from abnf import ParseError as NotProduced
from abnf.grammars import rfc3986
from abnf.grammars.misc import load_grammar_rulelist
from abnf.parser import Rule as AnyRule
from amounts import scaled

from uriverse._errors import ParseError
from uriverse._typed.file import FileURI

STRINGS = scaled(6000)

IMPORTED = ("host", "path-absolute", "fragment", "unreserved", "pct-encoded", "sub-delims")

PIECES = (
    *("/", "/", "/", "//", "c:", "C:", "localhost", "a", "b.example", "%5B", "%5D", "::1", "v1.x"),
    *("%2F", "..", "@", ":", "?", "#", "[::1]", "80", "1.2.3.4", "$"),
)


@load_grammar_rulelist(
    [
        *((name, rfc3986.Rule(name)) for name in IMPORTED),
        ("IPv6address", rfc3986.Rule("IPv6address")),
        ("IPvFuture", rfc3986.Rule("IPvFuture")),
    ]
)
class Rule(AnyRule):
    """RFC 8089, section 2 with E.2 and E.3.2, plus the fragment that any URI may have.

    A host in a path (E.3.2) must not be empty.
    """

    grammar = (
        'file-reference = file-URI [ "#" fragment ]\n'
        'file-URI = "file" ":" file-hier-part\n'
        'file-hier-part = ( "//" auth-path ) / local-path\n'
        "auth-path = [ file-auth ] path-absolute / unc-authority path-absolute\n"
        "local-path = [ drive-letter ] path-absolute\n"
        'file-auth = "localhost" / host\n'
        'unc-authority = 2*3"/" file-host\n'
        "file-host = inline-IP / 1*( unreserved / pct-encoded / sub-delims )\n"
        'inline-IP = "%5B" ( IPv6address / IPvFuture ) "%5D"\n'
        'drive-letter = ALPHA ":"\n'
    )


def is_produced(text: str) -> bool:
    try:
        Rule("file-reference").parse_all(text)
    except NotProduced:
        return False
    return True


def is_accepted(text: str) -> bool:
    try:
        FileURI(text)
    except ParseError:
        return False
    return True


def test_file_uri_accepts_exactly_what_the_abnf_produces() -> None:
    random = Random("file-URI")
    valid = 0
    disagreed: list[tuple[str, bool]] = []
    for _ in range(STRINGS):
        start = random.choice(["file:", "FILE:/", "file://", "file:///", "file:////"])
        text = start + "".join(random.choices(PIECES, k=random.randrange(7)))
        verdict = is_produced(text)
        valid += verdict
        if is_accepted(text) is not verdict:
            disagreed.append((text, verdict))
    assert disagreed == []
    assert STRINGS // 10 <= valid <= STRINGS - STRINGS // 10
