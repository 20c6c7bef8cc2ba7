import json
from pathlib import Path
from typing import Any

import pytest
from commands import Result, write
from commands import run as run_command
from hypothesis import given
from hypothesis import strategies as st

from uriverse_links import DocumentFormat, Link, links, rewrite
from uriverse_links._cli.strings_in_files import Location, align_escapes, list_strings
from uriverse_links._destinations import Lines


def run(*words: str, given: str | None = None) -> Result:
    return run_command("check", *words, given=given or "")


def found(*words: str) -> list[str]:
    lines = run(*words).stdout.splitlines()
    return [line.split(": ", 2)[0] + " " + line.split()[2][:-1] for line in lines]


def test_the_links_of_documents_are_checked() -> None:
    write("docs/a.md", "é [a](http://a./) `http://b./`\n\n[c]: http://c./ 'd'\n[e](f) [c]\n")
    write("b.html", '<a href="g">h</a>\n<img src="http://i./">')
    write("style.css", "a { background: url(http://j./) }")
    write("feed.xml", "<rss><link>http://k./</link></rss>")
    write("data.json", '["http://l./"]')
    write("log.har", "{}")
    write("a.ttl", "<http://m./> <n> <o> .")
    write("notes.txt", "see http://p./ and <http://q/ r>")
    write("image.png", "http://s./")
    assert found(".") == [
        *("a.ttl:1:9 trailing-dot", "b.html:2:18 trailing-dot", "data.json:1:10 trailing-dot"),
        *("docs/a.md:1:14 trailing-dot", "docs/a.md:3:13 trailing-dot"),
        *("feed.xml:1:19 trailing-dot", "notes.txt:1:12 trailing-dot", "notes.txt:1:30 syntax"),
        "style.css:1:28 trailing-dot",
    ]


def test_the_decoded_destination_is_checked_at_its_position_in_the_document() -> None:
    write("a.md", "[x](http://a&#46;b\\-c.example/\\_?a&amp;b%zz)\n")
    write("b.html", '<a href="http://u&#64;h.example/">\n<a href=" \nhttp\n://a&period;/">')
    write("c.json", '["http:\\/\\/a.\\u002eb/"]')
    assert found("a.md", "b.html", "c.json") == [
        *("a.md:1:42 syntax", "b.html:1:17 userinfo", "b.html:4:4 trailing-dot"),
        "c.json:1:12 empty-label",
    ]


def test_a_relative_destination_is_no_finding() -> None:
    write("a.md", "[a](b.md) [c](/d#e) [f](#g) [h](?i) [j]() [k](//l.example/)\n")
    for profile in ("generic", "web", "rdf", "strict"):
        assert found("--profile", profile, "a.md") == []
    assert found("--severity", "relative=error", "--severity", "missing-scheme=info", "a.md")
    assert found("--type", "uri", "a.md")[0] == "a.md:1:9 syntax"


def test_a_destination_that_starts_with_www_lacks_a_scheme() -> None:
    write("a.md", "[a](www.a.example) [b](WWW.B.EXAMPLE/c) [d](a.example) www.c.example\n")
    assert found("a.md") == ["a.md:1:5 missing-scheme", "a.md:1:24 missing-scheme"]
    assert found("--severity", "missing-scheme=off", "a.md") == []


def test_a_policy_concerns_destinations_that_name_a_host() -> None:
    write("a.md", "[a](b.md) [c](http://d.example/) [e](mailto:f@g.example) [h](//i.example/)\n")
    assert found("--allow", "d.example", "a.md") == [
        "a.md:1:38 scheme-not-allowed",
        "a.md:1:62 relative",
    ]
    resolved = found("--allow", "d.example", "--base", "http://i.example/", "a.md")
    assert resolved[0] == "a.md:1:5 host-not-allowed"


def test_destinations_with_placeholders_of_templates_are_skipped() -> None:
    write("c.html", '<a href="{{ d("e") }}"><a href="/f/{% if g == "h" %}">')
    write("a.md", "[a]({{b}}) [i](<${j k>) [c](http://d./{e}) [f](<http://g./ {{h}}>)\n")
    write("b.html", '<a href="{% url \'c\' %}"><a href="<?d?> <%e%>/.."><a href="http://f./{">')
    assert found(".") == ["b.html:1:66 trailing-dot", "b.html:1:69 syntax"]


def test_documents_that_cannot_be_read_are_reported_and_the_others_checked() -> None:
    write("a.xml", "<a>\n <b></a>")
    write("b.json", '["http://a./", \n  nul]')
    write("c.md", "[d](http://e./)")
    write("d.unknown", "")
    result = run("a.xml", "b.json", "none.md", "c.md", "d.unknown")
    assert result.exit_code == 2
    assert result.stdout.startswith("c.md:1:12: warning trailing-dot")
    assert result.stderr.splitlines() == [
        "uriverse-links check: a.xml:2:7: invalid XML: mismatched tag",
        (
            "uriverse-links check: b.json:2:3: invalid JSON: expected a string, a number, true, "
            "false, null or a bracket"
        ),
        "uriverse-links check: none.md: No such file or directory",
        "uriverse-links check: d.unknown: unknown format; set it with --input-format",
    ]
    assert run("--fail-fast", "--fail-on", "warning", "c.md", "a.xml").exit_code == 1


def test_a_file_that_disappears_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.md").symlink_to("none")
    result = run("a.md")
    assert (result.exit_code, "a.md: No such file" in result.stderr) == (2, True)


def test_standard_input_and_unknown_suffixes_need_a_format() -> None:
    result = run("--input-format", "html", "-", given='<a href="http://b./">')
    assert result.stdout.startswith("-:1:17: warning trailing-dot")
    assert run("-", given="").exit_code == 2
    write("a.page", "[b](http://c./)")
    assert found("--input-format", "markdown", "a.page") == ["a.page:1:12 trailing-dot"]


def test_excluded_files_are_skipped() -> None:
    for name in ("a.md", "old/a.md", "old/b/c.md", "new/old.md"):
        write(name, "<http://a./>")
    assert [one.split(":")[0] for one in found("--exclude", "old/", ".")] == ["a.md", "new/old.md"]
    assert found("--exclude", "*.md", "--exclude", "!a.md", "new/../a.md", "new/old.md")[0][
        :11
    ] == ("new/../a.md")
    assert found("--exclude", "old*", "new/old.md") == []
    kept = run_command("check", "--from-files", "lines", "--exclude", "a.md", "a.md", "new/old.md")
    assert {line.split(":")[0] for line in kept.stdout.splitlines()} == {"new/old.md"}
    wrong = run("--exclude", "\\", "a.md")
    assert (wrong.exit_code, "invalid pattern" in wrong.stderr) == (2, True)


def test_fail_fast_stops_in_documents() -> None:
    write("a.md", "[a](<b c>) [d](<e f>)")
    write("b.md", "[a](<b c>)")
    assert len(run("--fail-fast", "--severity", "space=off", ".").stdout.splitlines()) == 1


def region_of(name: str) -> dict[str, Any]:
    log = json.loads(run("--format", "sarif", "--severity", "space=off", name).stdout)
    [result] = log["runs"][0]["results"]
    region: dict[str, Any] = result["locations"][0]["physicalLocation"]["region"]
    return region


def test_a_finding_covers_its_escape_or_the_whole_destination_if_its_position_is_unknown() -> None:
    write("a.html", '<a href="x&#32;y">')
    assert region_of("a.html") == {"startLine": 1, "startColumn": 11, "endColumn": 16}
    write("a.json", '\n["http://\\ud83d\\ude00@a/"]')
    assert region_of("a.json") == {"startLine": 2, "startColumn": 3, "endColumn": 25}


@pytest.mark.parametrize(
    ("written", "destination", "expected"),
    [
        *(("a", "a", []), ("a&amp;b", "a&b", [(2, 6)])),
        *(("&#38;&#x26;&amp", "&&&", [(1, 5), (2, 11), (3, 15)]), ("a\\_b&c", "a_b&c", [(2, 3)])),
        *(("a\\b&lt", "a\\b&lt", []), ("a\\b&lt\\-", "a\\b&lt-", [(7, 8)])),
        *(("\\/\\u0061", "/a", [(1, 2), (2, 8)]), ("\\26 b\\110000", "&b\\110000", [(1, 4)])),
        *(("a \n b", "ab", [(1, 2), (1, 3), (1, 4)]), ("a b\n", "a b", [(3, 4)])),
        *(("www.a", "http://www.a", [(7, 0)]), ("a&amp;b", "a&c", None), ("a&amp;b", "c&b", None)),
        *(("&amp;", "x", None), ("&acE;", "\u223e\u0333", [(2, 5)])),
    ],
)
def test_positions_move_only_after_escapes(
    written: str, destination: str, expected: list[tuple[int, int]] | None
) -> None:
    assert align_escapes(written, destination) == expected


@pytest.mark.parametrize("end", [".", "(", ")", "(.", ").)", "(a).)", "(a)(!"])
def test_punctuation_after_an_invalid_url_is_not_a_part_of_it(end: str) -> None:
    text = f"see http:/\\a{end}"
    url = "http:/\\a(a)" if "a" in end else "http:/\\a"
    assert [string for string, _ in list_strings("f", text, "text", Lines(text))] == [url]


TEMPLATES: dict[DocumentFormat, str] = {
    "markdown": "é\r\n\n[a](<x>) <x>",
    "html": "é\r\n<a href='x'>",
    "css": "/*é*/\na{background:url('x')}",
    "xml": "<rss>\n<link>x</link></rss>",
    "json": '\n["http:x"]',
    "turtle": "<x>",
}


@given(st.sampled_from(sorted(TEMPLATES)), st.text("aé&;#38\\'\"()_> %", max_size=20))
def test_the_position_of_a_character_is_where_it_stands(form: DocumentFormat, tail: str) -> None:
    def new(link: Link) -> str:
        return f"http://a/{tail}"

    try:
        text = rewrite(TEMPLATES[form], form, new)
    except ValueError:
        return
    lines = Lines(text)
    for (string, place), link in zip(
        list_strings("f", text, form, lines), links(text, form), strict=True
    ):
        for index, character in enumerate(string):
            at = (
                lines.get_starts()[place.locate_index(index).line - 1]
                + place.locate_index(index).column
                - 1
            )
            if place.end:
                assert at == link.start
            else:
                assert text[at] in {character, "&", "\\"}


def test_the_span_of_a_place_ends_on_the_line_of_its_last_character() -> None:
    place = Location("a", 1, 5, ((3, 2, 1),))
    assert place.locate_span(1, 3) == (Location("a", 1, 6), Location("a", 1, 8))
    assert place.locate_span(1, 4) == (Location("a", 1, 6), Location("a", 2, 2))
    assert place.locate_span(3, 3) == (Location("a", 2, 1), Location("a", 2, 1))
    whole = Location("a", 1, 5, end=(2, 3))
    assert whole.locate_span(1, 2) == (Location("a", 1, 5), Location("a", 2, 3))
