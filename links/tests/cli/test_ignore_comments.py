from pathlib import Path

import pytest
from commands import Result
from commands import run as run_command

from uriverse_links import DocumentFormat
from uriverse_links._cli.ignore_comments import find_comments


@pytest.mark.parametrize(
    ("form", "text", "contents"),
    [
        ("markdown", "<!-- a -->\nb <!--c--> d\n", [" a ", "c"]),
        ("markdown", "> <!-- a\n> b -->\n", [" a\nb "]),
        ("markdown", "| a |\n|---|\n| <!-- b --> |\n", [" b "]),
        ("markdown", "<div>\n<!-- a -->\n</div>\n", [" a "]),
        *(("markdown", "<!-- never closed", []), ("markdown", "a <!-- never closed", [])),
        ("markdown", "<b> `<!-- a -->` <!DOCTYPE x> <!-- b -->", [" b "]),
        ("markdown", "```\n<!-- a -->\n```\n\n    <!-- b -->\n", []),
        ("html", "<p><!-- a\n--> b <!--c-->", [" a\n", "c"]),
        *(("html", "<!-- a --> <!-- never closed", [" a "]), ("xml", "<a><!-- b --></a>", [" b "])),
        *(("css", "a {} /* b */", [" b "]), ("turtle", "# a\n<b> <c> <d> . # e", [" a", " e"])),
        ("restructuredtext", "..\n.. a\n  .. b\nc .. d", [" a", " b"]),
        ("asciidoc", "// a\n/// b\nhttp://c\n////\n", [" a"]),
        *(("text", "# a <!-- b --> /* c */", []), ("json", '{"a": "<!-- b -->"}', [])),
        ("har", "{}", []),
    ],
)
def test_comments_are_found_by_the_rules_of_the_format(
    form: DocumentFormat, text: str, contents: list[str]
) -> None:
    assert [comment.content for comment in find_comments(text, form)] == contents


@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_position_of_a_comment_is_that_in_the_document(form: DocumentFormat, end: str) -> None:
    text = end.join(["a", "", "b <!-- c --> d", "", "<!-- e -->", ""])
    found = [text[comment.start : comment.end] for comment in find_comments(text, form)]
    assert found == ["<!-- c -->", "<!-- e -->"]


def run(name: str, content: str, *words: str) -> Result:
    Path(name).write_bytes(content.encode())
    return run_command("check", *words, name)


def lines_of(name: str, content: str) -> list[int]:
    """Return the lines with findings in a document whose comments all suppress one."""
    result = run(name, content)
    assert result.stderr == ""
    return [int(line.split(":")[1]) for line in result.stdout.splitlines()]


def test_a_comment_suppresses_the_findings_on_its_line() -> None:
    for name, content in [
        ("a.md", "<http://a./> <!-- uriverse: ignore -->\n<http://b./>\n"),
        ("a.html", '<a href="http://a./"><!--uriverse:ignore--></a>\n<a href="http://b./"></a>'),
        (
            "a.xml",
            "<rss><link>http://a./</link><!-- uriverse: ignore -->\n<link>http://b./</link></rss>",
        ),
        ("a.css", "a { b: url(http://a./) } /* uriverse: ignore */\n@import 'http://b./';"),
        ("a.ttl", "<http://a./> <b> <c> . # uriverse: ignore\n<http://b./> <b> <c> ."),
    ]:
        assert lines_of(name, content) == [2]


def test_a_comment_alone_on_its_line_suppresses_the_findings_on_the_next_one() -> None:
    for name, content in [
        ("a.md", "<!-- uriverse: ignore -->\n<http://a./>\n<http://b./>\n"),
        ("a.md", "  <!-- uriverse:\r\n ignore -->\r\n\r\n<http://a./>\r\n<http://b./>\r\n"),
        ("a.html", '\t<!-- uriverse: ignore -->\n<a href="http://a./">\n<a href="http://b./">'),
        ("a.css", "/* uriverse: ignore */\n@import 'http://a./';\n@import 'http://b./';"),
        ("a.ttl", "# uriverse: ignore\n<http://a./> <b> <c> .\n<http://b./> <b> <c> ."),
        ("a.rst", ".. uriverse: ignore\n\nhttp://a./ b\nhttp://b./ c\n"),
        ("a.adoc", "// uriverse: ignore\nhttp://a./[b]\nhttp://b./[c]\n"),
    ]:
        lines = content.splitlines()
        assert lines_of(name, content) == [next(n for n, x in enumerate(lines, 1) if "//b." in x)]


def test_a_comment_after_other_content_does_not_concern_the_next_line() -> None:
    assert lines_of("a.md", "<http://a./> <!-- uriverse: ignore -->\n<http://b./>\n") == [2]
    far = f"{' ' * 200}<!-- uriverse: ignore -->\n<a href='http://b./'>"
    assert len(run("a.html", far).stdout.splitlines()) == 1


def test_codes_and_groups_limit_a_comment() -> None:
    line = "<http://u@a./> <!-- uriverse: ignore[{}] -->\n"
    for codes, left in (
        *(("trailing-dot", ["userinfo"]), ("userinfo, trailing-dot", [])),
        *(("deprecated", ["trailing-dot"]), ("deprecated ambiguity", [])),
    ):
        result = run("a.md", line.format(codes))
        assert [line.split()[2] for line in result.stdout.splitlines()] == [f"{x}:" for x in left]
        assert result.stderr == ""


def test_codes_of_a_policy_can_be_ignored() -> None:
    line = "<http://a/> <!-- uriverse: ignore[host-not-allowed] -->\n"
    assert run("a.md", line, "--allow", "b").output == ""


def test_ignore_file_suppresses_the_findings_in_the_file() -> None:
    assert (
        lines_of("a.md", "<http://a./>\n\n<!-- uriverse: ignore-file -->\n\n<http://b./>\n") == []
    )
    content = "<http://a./>\n<http://u@b/> <!-- uriverse: ignore-file[userinfo] -->\n"
    assert lines_of("a.md", content) == [1]


@pytest.mark.parametrize(
    "directive", ["ignore", "ignore[trailing-dot]", "ignore [trailing-dot]", "ignore-file"]
)
@pytest.mark.parametrize("reason", [" because legacy", ": see [1]", " - old", " — old"])
def test_a_reason_may_follow(directive: str, reason: str) -> None:
    comment = f"<!-- uriverse: {directive}{reason} -->"
    assert run("a.md", f"<http://a./>{comment}\n").output == ""
    assert "the comment suppresses no finding" in run("a.md", f"<http://a/>{comment}\n").stderr


def test_only_the_codes_before_a_reason_are_suppressed() -> None:
    for comment in ("ignore[userinfo] because legacy", "ignore [userinfo]: trailing-dot"):
        result = run("a.md", f"<http://u@a./> <!-- uriverse: {comment} -->\n")
        assert [line.split()[2] for line in result.stdout.splitlines()] == ["trailing-dot:"]


def test_other_comments_suppress_nothing() -> None:
    for comment in (
        *("uriverse: ignored", "uriverse: ignore-files", "uriverse: ignore-a"),
        *("uriverse: ignore[a", "uriverse: ignore [a", "x uriverse: ignore"),
    ):
        result = run("a.md", f"<http://a./> <!-- {comment} -->\n")
        assert (result.stdout != "", result.stderr) == (True, "")


def test_comments_in_code_suppress_nothing() -> None:
    result = run("a.md", "```\n<!-- uriverse: ignore-file -->\n```\n<http://a./>\n")
    assert (result.stdout != "", result.stderr) == (True, "")


def test_json_has_no_comments() -> None:
    assert run("a.json", '["http://a./", "<!-- uriverse: ignore-file -->"]').stdout


def test_a_comment_that_suppresses_nothing_is_reported() -> None:
    content = "<http://a/> <!-- uriverse: ignore -->\n\n <!-- uriverse: ignore[space] -->\n"
    result = run("a.md", content)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "uriverse-links check: a.md:1:13: the comment suppresses no finding; remove it",
        "uriverse-links check: a.md:3:2: the comment suppresses no finding; remove it",
    ]
    assert run("a.md", content, "--quiet").output == ""


def test_suppressed_findings_do_not_fail() -> None:
    assert run("a.md", "<http://a/[> <!-- uriverse: ignore -->\n").exit_code == 0
