import pytest

from uriverse_links._anchors import find_anchors, make_slug, make_slugs


def anchors(markdown: str) -> set[str]:
    found = find_anchors(markdown, "markdown")
    assert found is not None
    return set(found)


def test_headings_have_the_anchors_of_github() -> None:
    for heading, expected in [
        ("bravoCharlieDelta", "bravocharliedelta"),
        ("heading with a - dash", "heading-with-a---dash"),
        ("heading with an _ underscore", "heading-with-an-_-underscore"),
        ("heading with a period.txt", "heading-with-a-periodtxt"),
        ("f.g_h(i, j [, k])", "fg_hi-j--k"),
        ("apostrophe’s should be trimmed", "apostrophes-should-be-trimmed"),
        *(("I ♥ unicode", "i--unicode"), ("en–dash", "endash")),
        *(("😄 unicode emoji", "-unicode-emoji"), ("😄_😄 unicode emoji", "_-unicode-emoji")),
        *(("⚙️ settings", "\ufe0f-settings"), (":ok_hand: gemoji", "ok_hand-gemoji")),
        *(("Привет non-latin 你好", "привет-non-latin-你好"), ("Straße É", "straße-é")),
        *(("Ⅻ ٣ ² Ⓐ €", "ⅻ-٣--ⓐ-"), ("a\tb\nc\u00a0d", "abcd")),
    ]:
        assert make_slug(heading) == expected


def test_equal_headings_are_numbered() -> None:
    assert list(make_slugs(["echo", "echo", "echo 1", "echo-1", "echo"])) == [
        *("echo", "echo-1", "echo-1-1", "echo-1-2", "echo-2"),
    ]


def test_the_markup_of_a_heading_is_removed() -> None:
    for markdown, expected in [
        *(("# Hello *World* ##", {"hello-world"}), ("Hello\nWorld\n===\n", {"helloworld"})),
        *(("> - ## Nested", {"nested"}), ("```\n# code\n```\n", set()), ("#\n", set())),
        *(("# `a_b*c*` and _c_d_", {"a_bc-and-c_d"}), ("# ``a`b``", {"ab"})),
        ("# [Link `x`](u 'title') and [ref][]\n\n[ref]: u", {"link-x-and-ref"}),
        ("# ![A `cat`](cat.png) Cats", {"-cats"}),
        ("# See <https://a.b/c_d_> & https://e.f/", {"see-httpsabc_d_--httpsef"}),
        ("# a <b>c</b> &amp; \\_d\\_", {"a-c--_d_"}),
        ("# a <span id='x'>b</span>", {"a-b", "x"}),
        *(("a\n\n# a\n\n## a\n\n# a", {"a", "a-1", "a-2"}), ("# a <!-- c -->", {"a-"})),
    ]:
        assert anchors(markdown) == expected


def test_markdown_has_the_anchors_of_its_html_and_explicit_ones() -> None:
    for markdown, expected in [
        ("<h1 align='a'>My &amp; <b>Page</b></h1>\n\n# My page", {"my--page", "my-page"}),
        ("<a name='b'></a><a id='c' name='d'></a>\n\nx [y](z) <i id=e>", {"b", "c", "d", "e"}),
        ("# f {.g} {}", {"f", "f-g-"}),
        ("<H1\nid=x>a > b</h1\n><h1>c<h2>d</h2></h1>", {"x", "a--b", "d"}),
        ("<h1>a < b</h1></h1><h1", {"a--b"}),
        ("<div>\n<h2>a</h2>\n<h2>a</h2>\n</div>\n\n# a", {"a", "a-1", "a-2"}),
        ("# a {#b}\n\n# c {: .d #e }", {"a", "a-b", "b", "c", "c--d-e-", "e"}),
        ("(f-g)=\n# h", {"f-g", "h"}),
        ("`<a name='b'>`", set()),
    ]:
        assert anchors(markdown) == expected


def test_html_has_the_ids_of_its_elements_and_the_names_of_links() -> None:
    html = """<p ID=a><a name='b&amp;c'>d</a name='no'><script>'<p id=no>'</script><img name=no>
    <!-- <p id=no> --><svg><g id="e"></g></svg><textarea><p id=no></textarea><p id>"""
    assert sorted(find_anchors(html, "html") or ()) == ["", "a", "b&c", "e"]


@pytest.mark.parametrize("html", ["<p id=a", "</p id=a", "<p><", "<a name='b"])
def test_an_unfinished_tag_has_no_anchor(html: str) -> None:
    assert not find_anchors(html, "html")


def test_the_anchors_of_other_formats_are_unknown() -> None:
    assert find_anchors("a", "restructuredtext") is None
