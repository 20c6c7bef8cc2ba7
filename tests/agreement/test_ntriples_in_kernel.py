"""The kernel skips only valid IRIs of N-Triples documents, and stops at every other IRI."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from amounts import scaled
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, produced

from uriverse import _engine, is_iri
from uriverse.rdf._ntriples import suspects

if not _engine.compiled:
    pytest.skip("the kernel is not built here", allow_module_level=True)

kernel: Any = _engine.kernel

PIECES = (
    *(b"<", b">", b"<>", b"<<", b"<<(", b"<< ", b"<<<", b"<<_", b"<<\t", b")>>", b'"', b"\\", b"#"),
    *(
        b"\n",
        b"\r",
        b"\r\n",
        b" ",
        b".",
        b"^^",
        b"@en",
        b"_:b",
        b'\\"',
        b"\\\\",
        b"\\n",
        b"\\u00E9",
    ),
    *(b"<a:b>", b"<http://a.example/b?c#d>", b"<a>", b"<a:b c>", b"<a:\\u0041>", b"<a:\xc3\xa9>"),
    *(b"\xc3", b"\xff", b"\0", b"<a:%41>", b"<a:%4>", b"<http://[::1]:80/>", b'"<a b>"', b"a:b"),
)


def assert_agreement(document: bytes) -> None:
    """Assert that the kernel stops at all IRIs of the pattern that are invalid."""
    document += b"\n"
    found = [match.span(1) for match in suspects(document, None)]
    stops = [match.span(1) for match in suspects(document, kernel.next_suspect_iri)]
    assert set(stops) <= set(found), document
    skipped = set(found) - set(stops)
    assert all(is_iri(document[slice(*span)].decode()) for span in skipped), document


#: Hostile strings as octets, some of which are not UTF-8.
OCTETS = hostile().map(lambda text: text.encode(errors="surrogatepass"))


@given(st.lists(st.one_of(st.sampled_from(PIECES), OCTETS), max_size=12))
def test_the_kernel_stops_at_the_invalid_iris_of_the_pattern(pieces: list[bytes]) -> None:
    assert_agreement(b"".join(pieces))


def test_the_kernel_agrees_about_random_documents() -> None:
    random = Random(20)
    for _ in range(scaled(3000)):
        assert_agreement(b"".join(random.choices(PIECES, k=random.randrange(14))))


@given(produced("URI"))
def test_the_kernel_skips_nearly_all_valid_uris(text: str) -> None:
    document = f"<{text}> ".encode()
    assert kernel.next_suspect_iri(document, 0) in {0, len(document)}
    plain = re.sub(r"[^a-z0-9]", "", text)
    document = f"<http://example.org/{plain}?{plain}#é{plain}> ".encode()
    assert kernel.next_suspect_iri(document, 0) == len(document)


def test_the_start_must_be_an_index_of_the_document() -> None:
    assert kernel.next_suspect_iri(b"", 0) == 0
    assert kernel.next_suspect_iri(b"<", 1) == 1
    for start in (-1, 2):
        with pytest.raises(IndexError):
            kernel.next_suspect_iri(b"<", start)
    with pytest.raises(TypeError):
        kernel.next_suspect_iri("<", 0)
    with pytest.raises(TypeError):
        kernel.next_suspect_iri(None, 0)
