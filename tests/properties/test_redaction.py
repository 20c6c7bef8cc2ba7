"""Redaction replaces planted secrets and nothing else."""

from __future__ import annotations

from urllib.parse import quote

from hypothesis import example, given
from hypothesis import strategies as st
from strategies import hostile, references

from uriverse import is_iri_reference, parse, redact
from uriverse._redaction.masking import secret_spans
from uriverse._redaction.secrets import SOURCES

#: A secret: percent-encoded data that no other part of the strings contains.
SECRETS = st.text(min_size=1, max_size=8).map(lambda data: f"s3cr{quote(data, safe='-._~')}x")
NAMES = st.sampled_from([name for _, _, names in SOURCES for name in names])
NEUTRAL = st.sampled_from(["page=2", "q=a%20b", "X-Amz-Date=20260101", "utm_source=x", "b"])


@st.composite
def planted(draw: st.DrawFn) -> tuple[str, str, str]:
    """Return a URL, the same URL with masks, and the secret in it."""
    secret = draw(SECRETS)

    def parameters() -> tuple[str, str]:
        pairs = draw(st.lists(st.one_of(NEUTRAL, NAMES.map(lambda name: f"{name}=«")), max_size=4))
        text = "&".join(pairs)
        return text.replace("«", secret), text.replace("«", "REDACTED")

    texts = ["https://", "https://"]
    if draw(st.booleans()):
        texts = [texts[0] + f"me:{secret}@", texts[1] + "me:REDACTED@"]
    rest = draw(st.sampled_from(["host:8080/a/b", "[::1]/", "h/@me/a:b", "h/a;jsessionid=«/c"]))
    texts = [texts[0] + rest.replace("«", secret), texts[1] + rest.replace("«", "REDACTED")]
    for delimiter in "?#":
        if draw(st.booleans()):
            pairs = parameters()
            texts = [text + delimiter + part for text, part in zip(texts, pairs, strict=True)]
    return texts[0], texts[1], secret


@given(planted())
def test_only_planted_secrets_are_replaced(case: tuple[str, str, str]) -> None:
    text, shown, _ = case
    assert redact(text) == shown
    assert redact(shown) == shown
    assert str(parse(text).redacted()) == shown


@given(planted(), st.integers(1, 3), st.sampled_from(["?next=", "#next=", "?a=b&next="]))
def test_planted_secrets_of_nested_urls_are_replaced(
    case: tuple[str, str, str], depth: int, before: str
) -> None:
    text, _, secret = case
    for _ in range(depth):
        text, secret = quote(text, safe=""), quote(secret, safe="")
    text = f"https://host/{before}{text}&page=2"
    shown = redact(text)
    assert secret not in shown
    assert shown.endswith("&page=2")
    assert redact(shown) == shown


@given(planted(), st.data())
def test_planted_secrets_in_other_text_are_replaced(
    case: tuple[str, str, str], data: st.DataObject
) -> None:
    text, shown, _ = case
    before = data.draw(st.sampled_from(["", " ", "a ", "<", '"', "\n"]))
    after = data.draw(st.sampled_from(["", " ", " a", ">", '"', "\n", ", ", '"}']))
    assert redact(f"{before}{text}{after}") == f"{before}{shown}{after}"


@given(st.one_of(references(), hostile()))
def test_redaction_changes_only_the_spans(text: str) -> None:
    shown = redact(text)
    spans = secret_spans(text)
    assert all(start < end for start, end in spans)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]
    kept = zip([0, *ends], [*starts, len(text)], strict=True)
    assert shown == "REDACTED".join(text[start:end] for start, end in kept)


#: Parts of references with nested URIs, whose secrets may contain the delimiters of the outer one.
PIECES = (
    *("/", "//", ":", "?", "#", "&", ";", "=", "@", "%2F", "%3A", "%3F", "%40", "%26", "%3D"),
    *("https%3A%2F%2Fu%3Ap", "u:p@h", "token=", "http:", "sig", "a", "b.c", "8", "é", "\ue000"),
    *("%253A", "//CORP%5Cjoe:", "[::1]", "password%3D", "/webhooks/", "k3y0k3y1k3y2"),
)
JOINED = st.lists(st.sampled_from(PIECES), max_size=10).map("".join).filter(is_iri_reference)


@given(st.one_of(references(), JOINED), st.booleans(), st.booleans())
@example("http://a%2Fwebhooks%2Fk3y0k3y1k3y2.example:80/", False, True)
def test_redacted_values_are_valid_and_have_the_same_host(
    text: str, usernames: bool, paths: bool
) -> None:
    value = parse(text)
    shown = value.redacted(usernames=usernames, paths=paths)
    assert type(shown) is type(value)
    assert (shown.host, shown.port) == (value.host, value.port)
    assert repr(value) == f"{type(value).__name__}({str(value.redacted())!r})"
