"""The comments in documents."""

from __future__ import annotations

import pytest

from uriverse_links import DocumentFormat
from uriverse_links._cli.ignore_comments import comments


@pytest.mark.parametrize(
    ("form", "text", "contents"),
    [
        ("markdown", "<!-- a -->\nb <!--c--> d\n", [" a ", "c"]),
        ("markdown", "> <!-- a\n> b -->\n", [" a\nb "]),
        ("markdown", "| a |\n|---|\n| <!-- b --> |\n", [" b "]),
        ("markdown", "<div>\n<!-- a -->\n</div>\n", [" a "]),
        ("markdown", "<!-- never closed", []),
        ("markdown", "a <!-- never closed", []),
        ("markdown", "<b> `<!-- a -->` <!DOCTYPE x> <!-- b -->", [" b "]),
        ("markdown", "```\n<!-- a -->\n```\n\n    <!-- b -->\n", []),
        ("html", "<p><!-- a\n--> b <!--c-->", [" a\n", "c"]),
        ("html", "<!-- a --> <!-- never closed", [" a "]),
        ("xml", "<a><!-- b --></a>", [" b "]),
        ("css", "a {} /* b */", [" b "]),
        ("turtle", "# a\n<b> <c> <d> . # e", [" a", " e"]),
        ("restructuredtext", "..\n.. a\n  .. b\nc .. d", [" a", " b"]),
        ("asciidoc", "// a\n/// b\nhttp://c\n////\n", [" a"]),
        ("text", "# a <!-- b --> /* c */", []),
        ("json", '{"a": "<!-- b -->"}', []),
        ("har", "{}", []),
    ],
)
def test_comments_are_found_by_the_rules_of_the_format(
    form: DocumentFormat, text: str, contents: list[str]
) -> None:
    assert [comment.content for comment in comments(text, form)] == contents


@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_position_of_a_comment_is_that_in_the_document(form: DocumentFormat, end: str) -> None:
    text = end.join(["a", "", "b <!-- c --> d", "", "<!-- e -->", ""])
    found = [text[comment.start : comment.end] for comment in comments(text, form)]
    assert found == ["<!-- c -->", "<!-- e -->"]
