"""`redact` replaces planted secrets, keeps everything else, and never makes a URI invalid."""

from __future__ import annotations

from urllib.parse import quote

from draws import Draws
from walker import mutate, walk

from uriverse import IRIReference, is_iri_reference, redact
from uriverse._redaction import MASK, mask_spans
from uriverse._redaction.masking import find_secret_spans
from uriverse._redaction.secrets import JWT

#: A secret that no other part of a string contains.
SECRET = "s3cr3t"  # noqa: S105 - only a marker
#: Names of parameters with secret values.
NAMES = ("token", "user[password]", "user%5Btoken%5D%5B0%5D", "a[api_key][]", "access_token", "sid")
PLANTED = ("//me:{}@host", "?{name}={}", "?a=b&{name}={}", "#{name}={}", ";{name}={}")
AROUND = (" ", "\n", "<", ">", '"', " GET ", " (", ", ")


def check(data: bytes) -> None:
    """Redact text of URIs and secrets."""
    draws = Draws(data)
    (text,) = draws.strings("IRI-reference")
    for _ in range(draws.randrange(4)):
        more = walk("IRI-reference", draws) if draws.randrange(2) else planted("changed", draws)
        text += draws.choice(("", *AROUND)) + mutate(more, draws)
    usernames = bool(draws.randrange(2))
    shown = redact(text, usernames=usernames)
    spans = find_secret_spans(text, usernames=usernames)
    assert shown == mask_spans(text, 0, spans)[0], "the engines disagree"
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    kept = zip([0, *ends], [*starts, len(text)], strict=True)
    assert shown == "REDACTED".join(text[start:end] for start, end in kept)
    if is_iri_reference(text):
        value = IRIReference(text)
        without = value.redacted(usernames=usernames, paths=bool(draws.randrange(2)))
        assert type(without) is type(value)
        # A host changes only if it contains a JSON Web Token.
        host = value.host and JWT.sub(MASK, value.host)
        assert (without.host, without.port) == (host, value.port)
    url = f"https://host/?next={quote(planted(SECRET, draws), safe='')}"
    assert SECRET not in redact(f"{text}{draws.choice(AROUND)}{url}")
    # If delimiters are missing between nested URIs, a second redaction may replace more.
    once = redact(url)
    assert redact(once) == once


def planted(secret: str, draws: Draws) -> str:
    """Return a URL with a planted secret."""
    part = draws.choice(PLANTED).format(secret, name=draws.choice(NAMES))
    return part if part.startswith("//") else f"https://a.example/b{part}"
