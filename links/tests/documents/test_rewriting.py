from itertools import islice
from random import Random

import pytest

from links_conformance.markdown_documents import STARTS, mutants
from uriverse import URI
from uriverse_links import Link, format_of, links, rewrite

DESTINATIONS = (
    *("https://new.example/a?b=c&d#e", "x y", "a(b)c", "a)(b", "&amp;x", "a\\b", "<x>", "", "`c`"),
    *("a|b", "*_x_*", "\"q'", "/é", "[x]", "a&copy=1", "mailto:a@b.example", "a\nb", "\\"),
)


def write(document: str, new: str) -> str:
    return rewrite(document, "markdown", lambda _: new)


@pytest.mark.parametrize("seed", range(4))
def test_without_new_destinations_nothing_changes(seed: int) -> None:
    for document in islice(mutants(STARTS, seed), 100):
        assert rewrite(document, "markdown", lambda _: None) == document


@pytest.mark.parametrize("seed", range(4))
def test_finds_the_new_destinations(seed: int) -> None:
    random = Random(seed)
    for document in islice(mutants(STARTS, seed), 150):
        new = random.choice(DESTINATIONS)
        try:
            written = write(document, new)
        except ValueError:
            # An autolink cannot contain it.
            continue
        found = [link.destination for link in links(written, "markdown")]
        assert found == [new] * len(links(document, "markdown")), (document, written)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        *(("[a](b 'c')", "[a](https://n/x 'c')"), ("[a](<b>)", "[a](<https://n/x>)")),
        *(("[a]\n\n[a]: b\n", "[a]\n\n[a]: https://n/x\n"), ("<http://b>", "<https://n/x>")),
        *(("See http://b.", "See https://n/x."), ("www.b.example", "https://n/x")),
        ("a@b.example", "<https://n/x>"),
        ("| a |\n|---|\n| [b](c\\|d) |", "| a |\n|---|\n| [b](https://n/x) |"),
        ("`[a](b)`", "`[a](b)`"),
    ],
)
def test_writes_destinations_at_their_places(document: str, expected: str) -> None:
    assert write(document, "https://n/x") == expected


def test_accepts_uris_and_passes_links() -> None:
    def function(link: Link) -> URI | None:
        return URI(f"{link.target}x") if link.kind == "image" else None

    document = "![a](b) [c](d)"
    assert rewrite(document, "markdown", function, base="http://e/") == "![a](http://e/bx) [c](d)"


def test_rejects_what_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="an autolink cannot contain 'a b'"):
        write("<http://a>", "a b")
    with pytest.raises(ValueError, match="text cannot contain '/a'; use a URI with a scheme"):
        rewrite("http://a/", "text", lambda _: "/a")


def test_text_contains_what_extract_finds() -> None:
    document = "See http://a.example/b, <http://c.example>.\n"
    assert [link.destination for link in links(document, "text")] == [
        *("http://a.example/b", "http://c.example")
    ]
    assert rewrite(document, "asciidoc", lambda link: f"{link.target}?x") == (
        "See http://a.example/b?x, <http://c.example?x>.\n"
    )


def test_names_unknown_formats() -> None:
    assert format_of("a/README.MD") == "markdown"
    assert format_of("a.unknown") is None
    with pytest.raises(ValueError, match="unknown format 'x'; use markdown, html, css"):
        links("", "x")  # type: ignore[arg-type]
