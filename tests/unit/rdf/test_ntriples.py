"""`check_ntriples` finds every invalid IRI of a file, and its place."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import hostile, produced, references

from uriverse import IRI, ParseError, is_iri
from uriverse.rdf import InvalidIRI, _ntriples, check_ntriples


def check(document: str | bytes) -> list[InvalidIRI]:
    octets = document if isinstance(document, bytes) else document.encode()
    return list(check_ntriples(io.BytesIO(octets)))


def found(document: str | bytes) -> list[tuple[int, int, str]]:
    """Return the line, the column and the string of each invalid IRI."""
    return [(invalid.line, invalid.column, invalid.error.text) for invalid in check(document)]


# --- The negative syntax tests of the W3C for IRIs (nt-syntax-bad-uri-01 to 09), in our words.


@pytest.mark.parametrize(
    ("iri", "column", "reason"),
    [
        ("http://a/b c", 12, "invalid space in path"),
        (r"http://a/\u0020", 11, "invalid space in path"),
        (r"http://a/\u00ZZ11", 11, "invalid escape in IRI"),
        (r"http://a/\U00ZZ1111", 11, "invalid escape in IRI"),
        (r"http://a/\n", 11, "invalid escape in IRI"),
        (r"http://a/\/", 11, "invalid escape in IRI"),
        ("s", 3, "missing scheme: an IRI starts with a scheme and a colon"),
        ("p", 3, "missing scheme: an IRI starts with a scheme and a colon"),
        ("", 2, "missing scheme: an IRI starts with a scheme and a colon"),
        (r"http://a/\U00110000", 11, "invalid escape in IRI"),
        (r"http://a/\u00E9\u0020", 17, "invalid space in path"),
        (r"http://a/\u00E9é b", 18, "invalid space in path"),
        ("http://a/{b}", 11, 'invalid character "{" in path'),
        ("//a/b", 2, "missing scheme: an IRI starts with a scheme and a colon"),
        ("http://a/%zz", 12, None),
        ("http://[::1/", None, None),
    ],
)
def test_an_invalid_iri_is_found_in_every_place(
    iri: str, column: int | None, reason: str | None
) -> None:
    lines = {
        f"<{iri}> <a:p> <a:o> .": 0,
        f"<a:s> <{iri}> <a:o> .": 6,
        f"<a:s> <a:p> <{iri}> .": 12,
        f'<a:s> <a:p> "o"^^<{iri}> .': 17,
        f"<a:s> <a:p> <a:o> <{iri}> .": 18,
        f'_:s <a:p> "<a b>"@en <{iri}> . # <c d>': 21,
        f"<a:s> <a:p> <<( _:s <a:p> <{iri}> )>> .": 26,
    }
    for line, start in lines.items():
        [invalid] = check(f"<a:s> <a:p> <a:o> .\n{line}\n")
        assert invalid.line == 2
        assert invalid.error.text == iri
        assert invalid.code == "syntax"
        assert invalid.column == start + 2 + invalid.error.position
        if column is not None:
            assert invalid.column == start + column
        if reason is not None:
            assert invalid.reason == reason
        assert str(invalid) == f"2:{invalid.column}: {invalid.reason}"


@pytest.mark.parametrize(
    "document",
    [
        "",
        "\n",
        "# only a comment with <an invalid IRI>",
        "<http://a/> <a:b> <c:?#> .",
        r"<http://a/\u00E9\U000000E9> <a:\u0062> <c:é> .",
        '<a:b> <a:b> "<x y>" .',
        r'<a:b> <a:b> "\"<x y>" .',
        r'<a:b> <a:b> "\\" <a:b> .',
        '<a:b> <a:b> "x" . # <x y>',
        "_:b <a:b> _:c .",
        "<< <a:b> <a:b> <a:b> >> <a:b> <<( _:a <a:b> <a:b> )>> .",
        "<<<a:b> <a:b> <a:b>>> <a:b> <<_:a <a:b> <a:b>>> .",
        '<a:b> <a:b> "not closed\n<a:b> <a:b> <a:b> .',
        "<a:b>\t<a:b><a:b>.\r\n<a:b> <a:b> <a:b> .\r",
        "<http://[v1.a:b]:/?\U000f0000#é>",
    ],
)
def test_documents_with_valid_iris_give_no_results(document: str) -> None:
    assert found(document) == []


def test_an_iri_without_end_is_found() -> None:
    document = "<a:b\n<a:b <c d> .\n<<a:b> <c:d> <e:f\r<g:h"
    assert found(document) == [
        *((1, 5, "a:b"), (2, 6, "a:b "), (2, 8, "c d")),
        *((3, 2, ""), (3, 18, "e:f"), (4, 5, "g:h")),
    ]
    reasons = [invalid.reason for invalid in check(document)]
    assert reasons.count('missing ">" after an IRI') == 5


def test_octets_that_are_not_utf_8_make_an_iri_invalid() -> None:
    document = b"<a:\xc3\xa9> <a:\xc3> .\n<\xff> <a:\xed\xa0\x80> <a:b\xff>"
    assert [place[:2] for place in found(document)] == [(1, 10), (2, 2), (2, 8), (2, 17)]
    assert all(str(invalid) and str(invalid.error) for invalid in check(document))


def test_lines_end_with_any_line_break() -> None:
    for end in ("\n", "\r", "\r\n"):
        document = f"<a:b>{end}<a>{end}{end}<b>{end}é <c>{end}"
        assert [(line, text) for line, _, text in found(document)] == [(2, "a"), (4, "b"), (5, "c")]


def test_columns_count_characters() -> None:
    assert found("é😀 <a:b c> <d:é f>") == [(1, 8, "a:b c"), (1, 16, "d:é f")]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_results_do_not_depend_on_the_size_of_blocks(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = '<a:b> <é>\r\n\r\n<a b> "x\r\n\n# <c>\r<d:é é>\n\r<e> <f\n<g>'
    wanted = found(document)
    assert [line for line, _, _ in wanted] == [1, 3, 6, 8, 8, 9]
    monkeypatch.setattr(_ntriples, "BLOCK", size)
    assert found(document) == wanted


@pytest.mark.parametrize("size", [5, _ntriples.BLOCK])
def test_files_can_be_compressed(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_ntriples, "BLOCK", size)
    document = b"<a:b> <a> .\n" * 1000 + b"<b>"
    path = tmp_path / "a.nt"
    compressed = tmp_path / "a.nt.gz"
    path.write_bytes(document)
    compressed.write_bytes(gzip.compress(document))
    wanted = found(document)
    assert len(wanted) == 1001
    for source in (path, str(path), compressed):
        results = [(i.line, i.column, i.error.text) for i in check_ntriples(source)]
        assert results == wanted
    compressed.write_bytes(gzip.compress(document)[:-9])
    with pytest.raises(OSError, match="invalid gzip file"):
        list(check_ntriples(compressed))


def test_files_in_text_mode_and_missing_files_are_rejected(tmp_path: Path) -> None:
    text: Any = io.StringIO("<a>")
    with pytest.raises(TypeError, match="the file must be open in binary mode"):
        list(check_ntriples(text))
    with pytest.raises(FileNotFoundError):
        list(check_ntriples(tmp_path / "missing"))


def test_a_result_does_not_show_secrets() -> None:
    [invalid] = check("<http://me:secret@a/ b>")
    assert "secret" not in f"{invalid} {invalid!r} {invalid.error}"
    assert isinstance(invalid.error, ParseError)


# --- laws


@given(st.lists(produced("IRI"), min_size=1, max_size=5))
def test_every_iri_of_the_grammar_is_accepted(iris: list[str]) -> None:
    escaped = ["".join(f"\\U{ord(c):08X}" for c in iri) for iri in iris]
    assert found("".join(f"<{iri}> " for iri in [*iris, *escaped])) == []


#: Characters of IRIs as written, without those that end an IRI or a line.
INSIDE = st.one_of(hostile(), references()).map(
    lambda text: re.sub("[<>\r\n\\\\\ud800-\udfff]", "", text)
)


@given(st.lists(INSIDE, max_size=6))
@example(["", "a", "a:b"])
def test_exactly_the_strings_that_are_not_iris_are_found(strings: list[str]) -> None:
    wanted = []
    document = ""
    for number, text in enumerate(strings, 1):
        document += f'"<" <{text}>\n'
        if not is_iri(text):
            with pytest.raises(ParseError) as caught:
                IRI(text)
            error = caught.value
            wanted.append((number, 6 + error.position, text, error.reason))
    results = [(i.line, i.column, i.error.text, i.reason) for i in check(document)]
    assert results == wanted


@given(st.text('<>"#\\ \n\ra:é(_u0\ud800', max_size=40))
def test_any_document_is_read(text: str) -> None:
    document = text.encode(errors="surrogatepass")
    decoded = document.decode(errors="surrogateescape")
    lines = re.split("\r\n?|\n", decoded)
    for invalid in check(document):
        line = lines[invalid.line - 1]
        start = invalid.column - 1 - invalid.error.position
        assert line[start : start + len(invalid.error.text)] == invalid.error.text
        assert line[start - 1] == "<"


def test_a_hostile_document_takes_linear_time() -> None:
    for piece in ("<", "<a ", '"', '"\\', "<<", "<a:b", "\\u0041", "#<"):
        for document in (piece * 50_000, f"<{piece * 50_000}>"):
            assert len(check(document)) <= 50_001


class Pipe(io.RawIOBase):
    """A file that returns a few bytes at a time."""

    def __init__(self, octets: bytes, size: int) -> None:
        self.file = io.BytesIO(octets)
        self.size = size

    def read(self, size: int = -1) -> bytes:
        return self.file.read(min(size, self.size))


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_files_may_return_fewer_bytes_than_requested(size: int) -> None:
    document = b"<a:b> <c d> <e:f> .\n" * 3
    for octets in (document, gzip.compress(document)):
        pipe: Any = Pipe(octets, size)
        found = [invalid.line for invalid in check_ntriples(pipe)]
        assert found == [1, 2, 3]


def test_a_source_that_is_neither_a_path_nor_a_file_raises_type_error() -> None:
    wrong: Any = 5
    with pytest.raises(TypeError, match="source must be a path or a file, not int"):
        list(check_ntriples(wrong))
