import os
import subprocess
import sys
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from commands import run

from uriverse import ParseError, URIError
from uriverse_links import DocumentFormat, links, rewrite

LINKS = Path(__file__).resolve().parents[2]
FORMATS: tuple[DocumentFormat, ...] = get_args(DocumentFormat)


def nested(depth: int) -> list[tuple[DocumentFormat, str, int]]:
    """Return documents of a depth, with their format and the number of their links."""
    return [
        ("html", "<div>" * depth + "<a href=x>", 1),
        ("html", "<svg><desc>" * depth + "<a href=x>", 1),
        ("html", "<svg>" + "<g>" * depth + "</a>" * depth + "<a href=x>", 1),
        ("html", "<b>" * depth + "<svg>" + "</i>" * depth + "<a href=x>", 1),
        ("xml", "<a xml:base='?b'>" * depth + "<loc>x</loc>" + "</a>" * depth, depth + 1),
        ("xml", "<a>" * depth + "<loc>x</loc>" + "</a>" * depth, 1),
        ("json", "[" * depth + '"http://a/"' + "]" * depth, 1),
        ("json", '{"a":' * depth + '"http://a/"' + "}" * depth, 1),
        ("har", '{"request":' * depth + '{"url": "http://a/"}' + "}" * depth, 1),
        ("turtle", "[" * depth + "<http://a/>" + "]" * depth, 1),
        ("turtle", "@base <?b> ." * depth + "<x>", depth + 1),
        ("css", "@media a{" * depth + "b{c:url(x)}", 1),
        ("css", "image-set(" * depth + "url(x)", 1),
    ]


@pytest.mark.parametrize("depth", [10_000, pytest.param(100_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("number", range(len(nested(1))))
def test_deeply_nested_documents_have_links(number: int, depth: int) -> None:
    name, document, count = nested(depth)[number]
    assert len(links(document, name)) == count
    assert len(links(document, name, base="http://a/")) == count


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("html", f"<a href=b><base href='{'c/' * 5000}'>"),
        ("html", f"<iframe srcdoc='<base href={'c/' * 5000}><a href=b>'>"),
        ("xml", "<a xml:base='b/'>" * 5000 + "</a>" * 5000),
        ("turtle", "@base <b/> ." * 5000 + "<c>"),
    ],
)
def test_a_base_that_makes_targets_huge_is_rejected(name: DocumentFormat, document: str) -> None:
    with pytest.raises(ParseError, match="base longer than 8,192 characters"):
        links(document, name, base="http://a/")


LONG: list[tuple[DocumentFormat, str]] = [
    *(("html", "<a href='%s'>"), ("html", "<a %s href=x>"), ("html", "<p style='a:url(%s)'>")),
    *(("html", "<!--%s-->"), ("css", "a{b:url(%s)}"), ("xml", "<a b='%s'><loc>c</loc></a>")),
    *(("json", '["http://a/%s"]'), ("turtle", "<%s>"), ("text", "http://a/%s")),
    *(("restructuredtext", "`a <http://a/%s>`_"), ("asciidoc", "http://a/%s[b]")),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "document"), LONG)
def test_documents_with_a_line_of_100_megabytes_end(name: DocumentFormat, document: str) -> None:
    assert len(links(document % ("a" * 100_000_000), name)) <= 1


@pytest.mark.slow
def test_a_million_attributes_or_candidates_end() -> None:
    attributes = "".join(f"a{number} " for number in range(1_000_000))
    assert len(links(f"<a {attributes} href=x>", "html")) == 1
    candidates = ", ".join(f"{number}.png {number}w" for number in range(1, 1_000_001))
    assert len(links(f"<img srcset='{candidates}'>", "html")) == 1_000_000


EXTERNAL = (
    "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]><a>&b;</a>",
    "<!DOCTYPE a [<!ENTITY % b SYSTEM 'http://127.0.0.1/b'> %b;]><a/>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]><loc>&b;</loc>",
    "<!DOCTYPE a SYSTEM 'http://127.0.0.1/a'><loc>&b;</loc>",
)


@pytest.mark.parametrize("document", EXTERNAL)
def test_entities_of_documents_are_neither_read_nor_expanded(document: str) -> None:
    with suppress(URIError):
        found = [link.destination for link in links(document, "xml")]
        assert found == ["&b;"]


#: A program that reads templates in SVG and MathML, many of which turbohtml cannot read.
TEMPLATES = """
from itertools import product
from uriverse_links import links

starts = "<math><template><mi>", "<svg><TEMPLATE\\n><desc>", "<template><svg><template><title>"
middles = "<p></template>", "<b></Template x>", "<select></template>"
ends = map("".join, product(("<a>", "<p>", "</a>"), repeat=3))
for start, middle, end in product(starts, middles, ends):
    end = middle + end
    assert len(links(f"{start}{end}<p href=x><a href=x>", "html")) == 1
    assert len(links(f"<iframe srcdoc='{start}{end}<a href=x>'>", "html")) == 1
    assert len(links(f"<p>{start}{end}<a href=x>".replace("\\n", " "), "markdown")) == 1
"""


def test_templates_in_svg_and_mathml_do_not_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(LINKS / "src"), prepend=os.pathsep)
    # A crash here would end the tests.
    command = [sys.executable, "-c", TEMPLATES]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


#: Parts of all formats, most of them incomplete.
PIECES = (
    *("<", ">", "</", "<a ", "<a href=", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE a [", "<?x"),
    *("?>", "<svg>", "<style>", "<loc>", "</loc>", " xml:base=", "'", '"', "'''", '"""', "\\", "&"),
    *("&#", "&#x110000;", "&amp;", "url(", "image-set(", "@import ", "/*", "@base ", "@prefix a:"),
    *("{", "[", ":", ",", '{"request":{"url":', "http://a/", "\0", "\ud800", "\udfff", "\ufffe"),
    *("\r", "\n", "\u2028", "\U0010ffff", "`", "``", "](", "[a]: ", "| ", "://"),
    *("<iframe srcdoc='", "<base href=", "srcset='a,", "content='0;url="),
    *("<meta http-equiv=refresh ", "1e999", "true"),
)


@pytest.mark.parametrize(("name", "seed"), list(product(FORMATS, range(5))))
def test_malformed_documents_give_links_or_our_error(name: DocumentFormat, seed: int) -> None:
    random = Random(seed)
    for _ in range(300):
        document = "".join(random.choices(PIECES, k=random.randint(0, 12)))
        try:
            found = links(document, name, base="http://a/")
        except URIError:
            continue
        end = 0
        for link in found:
            assert end <= link.start <= link.end <= len(document)
            assert document[link.start : link.end] == link.written
            end = link.end
        assert rewrite(document, name, lambda _: None) == document
        with suppress(URIError, ValueError):
            rewrite(document, name, lambda link: link.destination)


#: Entities that would expand to 10^20 characters, to a file, and to the content of a URL.
ENTITIES = {
    "many": "".join(f"<!ENTITY a{n + 1} '{f'&a{n};' * 10}'>" for n in range(20)),
    "file": "<!ENTITY a20 SYSTEM 'file:///etc/passwd'>",
    "network": "<!ENTITY a20 SYSTEM 'http://127.0.0.1:1/'>",
    "parameter": "<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'> %p;",
}


@pytest.mark.parametrize("words", [["find"], ["normalize", "--in-place"]])
@pytest.mark.parametrize("kind", ENTITIES)
def test_a_document_with_entities_is_rejected_unchanged(
    kind: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    document = (
        f"<!DOCTYPE urlset [<!ENTITY a0 'HTTP://A/'>{ENTITIES[kind]}]>"
        "<urlset><url><loc>HTTP://B/</loc></url><url><loc>&a20;</loc></url></urlset>"
    )
    Path("sitemap.xml").write_text(document)
    result = run(*words, "sitemap.xml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"uriverse-links {words[0]}: sitemap.xml:1:")
    assert result.stderr.count("\n") == 1
    assert Path("sitemap.xml").read_text() == document
    assert [path.name for path in Path().iterdir()] == ["sitemap.xml"]
