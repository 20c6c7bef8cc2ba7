"""Renderers open only allowed destinations in guarded Markdown.

The attacks are those of `links/links_conformance/vectors/markdown-attacks.jsonl`. Run
`python -m links_conformance.guarded` for many more mutants.
"""

import json
from collections.abc import Iterator
from itertools import islice
from random import Random
from urllib.parse import urlsplit

import pytest
from amounts import scaled

from links_conformance.guarded import (
    ATTACKS,
    LINKS,
    NODE,
    OPTIONS,
    Options,
    all_splits,
    attacks,
    main,
    prefixes,
    random_splits,
    violations,
)
from links_conformance.markdown_documents import STARTS, mutants
from links_conformance.rendering import Opened, Renderers, opened_in, renderers
from uriverse_links import guard

pytest.importorskip("html5lib", reason="needs html5lib (pip install --group test-all)")
pytest.importorskip("cmarkgfm", reason="needs cmarkgfm (pip install --group test-all)")
pytest.importorskip("markdown_it", reason="needs markdown_it (pip install --group test-all)")


@pytest.fixture(scope="module")
def installed() -> Iterator[Renderers]:
    with renderers(NODE) as found:
        yield found


def test_attacks_name_their_sources() -> None:
    lines = ATTACKS.read_text("utf-8").splitlines()
    published = [entry for entry in map(json.loads, lines) if entry["source"] != "uriverse"]
    assert len(published) >= 200
    assert all(urlsplit(entry["source"]).scheme == "https" for entry in published)
    assert len({entry["markdown"] for entry in map(json.loads, lines)}) == len(lines)


def test_renderers_open_something_in_most_attacks(installed: Renderers) -> None:
    documents = attacks()
    open_something = {found.guarded for found in violations(documents, OPTIONS[0], installed)}
    assert len(open_something) > len(documents) * 0.8


@pytest.mark.parametrize("options", OPTIONS)
def test_nothing_else_opens(installed: Renderers, options: Options) -> None:
    documents = [guard(each, LINKS, **options.arguments) for each in (*attacks(), *STARTS)]
    assert not list(violations(documents, options, installed))


@pytest.mark.parametrize("options", OPTIONS)
def test_nothing_else_opens_in_streams(installed: Renderers, options: Options) -> None:
    random = Random(1)
    for attack in attacks():
        document = f"{attack}\n\na [r]\n"
        displayed = dict.fromkeys(prefixes(document, range(1, len(document)), options))
        displayed |= dict.fromkeys(random_splits(document, options, random, 2))
        assert not list(violations(list(displayed), options, installed)), document


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_nothing_else_opens_in_any_split(installed: Renderers, options: Options) -> None:
    for attack in attacks():
        document = f"{attack}\n\na [r]\n"
        displayed = dict.fromkeys(all_splits(document, options))
        assert not list(violations(list(displayed), options, installed)), document


@pytest.mark.parametrize("options", OPTIONS)
def test_nothing_else_opens_in_mutants(installed: Renderers, options: Options) -> None:
    random = Random(2)
    for document in islice(mutants((*attacks(), *STARTS), 2), scaled(200)):
        displayed = [guard(document, LINKS, **options.arguments)]
        displayed += random_splits(document, options, random, 2)
        assert not list(violations(displayed, options, installed)), document


def test_the_command_counts_documents(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--mutants", "2", "--attacks", "3", "--node", "no-folder"]) == 0
    _, skipped, known, last = capsys.readouterr().out.splitlines()
    assert skipped.endswith("markdown-it, markdown-it-14, marked, micromark, commonmark")
    assert known == "3 documents: 0 unsafe"
    assert last.startswith("5 documents, 2 of them mutants: ")
    assert last.endswith("0 documents unsafe")


def test_what_a_page_opens() -> None:
    for html, expected in [
        ('<p><a href="a&amp;b">c</a></p>', [Opened("link", "a&b")]),
        ('<img src="a" alt="">', [Opened("image", "a")]),
        ("<a href=b onclick=c>", [Opened("link", "b"), Opened("attribute", "a onclick")]),
        ("<svg><a href=b></svg>", [Opened("element", "{http://www.w3.org/2000/svg}svg")]),
        *(("<b>a</b>", [Opened("element", "b")]), ('<td style="text-align:left">', [])),
        *(('<p style="color:red">', [Opened("attribute", "p style")]), ('<a href="#fn1">', [])),
        ("<!-- <a href=b> -->", []),
    ]:
        assert list(opened_in(html))[: len(expected) or None] == expected
