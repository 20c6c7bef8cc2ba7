import subprocess
from pathlib import Path
from shutil import which
from typing import get_args

import pytest
from commands import Result, write
from commands import run as run_command
from platforms import unix

from uriverse_links import DocumentFormat, format_of, links
from uriverse_links._cli.editing import edit_documents
from uriverse_links._cli.output import Tally
from uriverse_links._cli.rewriting import Rewriting


def run(*words: str) -> Result:
    return run_command(*words)


def edited(name: str, content: bytes, *words: str) -> bytes:
    Path(name).write_bytes(content)
    result = run(*words, "--in-place", name)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", ""), result.output
    assert [path.name for path in Path().iterdir()] == [name]
    changed = Path(name).read_bytes()
    Path(name).unlink()
    return changed


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.md", b"[a](HTTP://b 'HTTP://b') `HTTP://c`", b"[a](http://b 'HTTP://b') `HTTP://c`"),
        (
            "a.md",
            b"\xef\xbb\xbf# a\r\n\xff[a](<HTTP://b/%7e>)\rc",
            b"\xef\xbb\xbf# a\r\n\xff[a](<http://b/~>)\rc",
        ),
        ("a.html", b"<a href=HTTP://b?c&amp;d>HTTP://b", b"<a href=http://b?c&amp;d>HTTP://b"),
        ("a.css", b"a {b: url(HTTP://c)} /* HTTP://d */", b"a {b: url(http://c)} /* HTTP://d */"),
        ("a.json", b'{"HTTP://a/": "HTTP://b/"}', b'{"HTTP://a/": "http://b/"}'),
        *(("a.txt", b"HTTP://a/. HTTP://b", b"http://a/. http://b"), ("a.md", b"", b"")),
        *(("a.md", b"\xef\xbb\xbf", b"\xef\xbb\xbf"), ("a.md", b"a\r\n\r\n", b"a\r\n\r\n")),
    ],
)
def test_all_octets_but_the_destinations_stay(name: str, before: bytes, after: bytes) -> None:
    assert edited(name, before, "normalize") == after


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (["set", "--query-drop", "utm_*"], b"[a](b?utm_c=1&d) [e](#f)", b"[a](b?d) [e](#f)"),
        (["repair"], b"[a](<b c>)", b"[a](<b%20c>)"),
        (["resolve", "http://h/x"], b"[a](b) [c](//d)", b"[a](http://h/b) [c](http://d)"),
        (
            ["relativize", "http://h/x"],
            b"[a](http://h/b) [c](http://d/e) [f](g)",
            b"[a](b) [c](http://d/e) [f](g)",
        ),
        # Renderers encode the second destination: it is edited in its encoded form.
        (["normalize"], b"[a](<b c>) [d](<HTTP://e/f g>)", b"[a](<b c>) [d](<http://e/f%20g>)"),
        # Destinations that are not accepted stay, and cause no errors.
        (
            [
                *("set", "--accept-host", "a", "--accept-scheme", "http"),
                *("-s", "scheme=s", "--host", "b"),
            ],
            b"[a](http://a/b) [c](http://c/) [d](e) [f](<ftp://a/g h>)",
            b"[a](s://b/b) [c](http://c/) [d](e) [f](<ftp://a/g h>)",
        ),
        *(
            (["set", *words.split()], b"[a](http://u@h:1/a)", f"[a]({after})".encode())
            for words, after in (
                ("--port - --path /a:b", "http://u@h/a:b"),
                ("--path /b --scheme https", "https://u@h:1/b"),
                ("--username v --password p", "http://v:p@h:1/a"),
                ("--host é", "http://u@é:1/a"),
            )
        ),
    ],
)
def test_every_command_edits_documents(words: list[str], before: bytes, after: bytes) -> None:
    assert edited("a.md", before, *words) == after


def test_the_base_uri_is_that_of_each_document() -> None:
    write("docs/a.md", "[a](b)")
    write("docs/c/d.md", "[a](b) [e](../f)")
    assert run("resolve", "http://h/x", "docs", "--in-place").exit_code == 0
    assert Path("docs/a.md").read_text() == "[a](http://h/x/b)"
    assert Path("docs/c/d.md").read_text() == "[a](http://h/x/c/b) [e](http://h/x/f)"
    assert run("relativize", "http://h/x", "docs", "--in-place").exit_code == 0
    assert Path("docs/a.md").read_text() == "[a](b)"
    assert Path("docs/c/d.md").read_text() == "[a](b) [e](../f)"


#: For each format, a document whose bases, if the format has any, are on two sites.
WITH_BASES = {
    "a.md": "[a](b 'c') ![d](/e) <http://h/i> [j][k] <a href='../l'>\n\n[k]: http://h/x/m\n",
    "a.html": "<base href='n/'><base href='o/'><a href=p ping='q /r'><img srcset='s 1x,/t 2x'>"
    "<a href=http://h/n/u><a href=//v/w><iframe srcdoc=\"<a href='y'>\">",
    "a.css": "a { b: url(c); d: url('/e') } @import 'http://h/f';",
    "a.xml": "<feed xml:base='http://i/b/'><link href='f'/><link href='http://i/g'/>"
    "<entry xml:base='c/'><link href='d' xml:base='e/'/><id/><icon>http://i/b/c/j</icon></entry>"
    "<link href='http://h/k'/></feed>",
    "a.json": '["http://h/a/../b", "c"]',
    "a.har": '[{"request": {"url": "http://h/a/b"}, "response": {"redirectURL": "c"}},'
    '{"response": {"redirectURL": "http://h/d"}, "request": {"url": "http://h/e/f"}},'
    '{"request": {"url": "http://i/"}, "response": {"redirectURL": "/g"}}]',
    "a.ttl": "<a> <b> <http://h/c> . @base <http://i/x/> . <a> <p> <http://i/x/b> .\n"
    "BASE <y/> PREFIX z: <z#> <a> <http://h/c> <http://i/d> .",
    "a.txt": "http://h/a, http://i/b/../c",
    "a.rst": "`a <http://h/b>`_",
    "a.adoc": "http://h/b[c]",
}


def targets(name: str) -> list[str]:
    form = format_of(name)
    assert form is not None
    return [str(link.target) for link in links(Path(name).read_text(), form, base="http://h/x")]


@pytest.mark.parametrize("words", [["resolve"], ["relativize"], ["relativize", "--no-walk-up"]])
@pytest.mark.parametrize("name", WITH_BASES)
def test_resolve_and_relativize_keep_the_target_of_every_link(name: str, words: list[str]) -> None:
    write(name, WITH_BASES[name])
    before = targets(name)
    run(*words, "http://h/x", "--in-place", name)
    assert targets(name) == before
    run("resolve", "http://h/x", "--in-place", name)
    assert targets(name) == before


def test_every_format_is_resolved_and_relativized() -> None:
    assert {format_of(name) for name in WITH_BASES} == set(get_args(DocumentFormat))


@pytest.mark.parametrize(
    ("words", "name", "before", "after"),
    [
        (
            ["resolve", "http://h/"],
            "a.atom",
            "<a><feed xml:base='http://i/b/'><link href='c'/></feed><link href='c'/></a>",
            (
                "<a><feed xml:base='http://i/b/'><link href='http://i/b/c'/></feed>"
                "<link href='http://h/c'/></a>"
            ),
        ),
        (
            ["relativize", "http://h/"],
            "a.atom",
            "<feed xml:base='http://i/b/'><link href='http://i/b/c'/><link href='http://h/d'/></feed>",
            "<feed xml:base='http://i/b/'><link href='c'/><link href='http://h/d'/></feed>",
        ),
        (
            ["resolve", "http://h/"],
            "a.ttl",
            "<a> <p> <b>. @base <http://i/x/>. <a> <p> <b>.",
            (
                "<http://h/a> <http://h/p> <http://h/b>. @base <http://i/x/>. "
                "<http://i/x/a> <http://i/x/p> <http://i/x/b>."
            ),
        ),
        (
            ["resolve", "http://h/x/"],
            "a.html",
            "<base href='b/'><a href=c>",
            "<base href='b/'><a href=http://h/x/b/c>",
        ),
        (["relativize", "http://h/"], "a.json", '["http://h/a"]', '["http://h/a"]'),
        # Base elements stay.
        *(
            (["resolve", "http://h/x"], "a.html", f"{start}<a href=c>", f"{start}<a href={target}>")
            for start, target in (
                ("<base href='/b/'>", "http://h/b/c"),
                ("<BASE href='http://i/j'>", "http://i/c"),
                ("<base href='http://[x'>", "http://h/c"),
                ("<!-- <base href='/b/'> -->", "http://h/c"),
            )
        ),
    ],
)
def test_the_base_is_that_of_the_link(words: list[str], name: str, before: str, after: str) -> None:
    assert edited(name, before.encode(), *words).decode() == after


def test_invalid_destinations_stay_and_are_reported_with_their_lines() -> None:
    write("docs/a.md", "[a](HTTP://b)\n\n[c](http://[d) <HTTP://e>\n")
    result = run("normalize", "--in-place", "docs", "--summary")
    assert (result.exit_code, result.stdout) == (1, "")
    first, *_, last = result.stderr.splitlines()
    assert first.startswith(f"{Path('docs/a.md')}:3: missing closing bracket")
    assert last == "uriverse-links normalize: 3 URIs, 2 changed, 1 invalid"
    assert Path("docs/a.md").read_text() == "[a](http://b)\n\n[c](http://[d) <http://e>\n"


DECLARED = "<?xml version='1.0' encoding='ISO-8859-1'?><rss>é<link>{}</link></rss>"


def test_edited_documents_keep_their_encoding() -> None:
    before = DECLARED.format("http://a/").encode("latin-1")
    after = DECLARED.format("http://a/é").encode("latin-1")
    assert edited("a.xml", before, "set", "--path", "/é") == after
    # A destination that the encoding lacks stays and is reported.
    Path("a.xml").write_bytes(before)
    result = run("set", "--path", "/α", "--in-place", "a.xml")
    reason = "the encoding of the document has no character 'α'; percent-encode it"
    assert (result.exit_code, result.stderr) == (1, f"a.xml:1: {reason}\n")
    assert Path("a.xml").read_bytes() == before


def test_utf_16_is_not_edited() -> None:
    before = "[a](HTTP://a)".encode("utf-16")
    Path("a.md").write_bytes(before)
    result = run("normalize", "--in-place", "a.md")
    reason = "a.md: cannot edit UTF-16; convert the file to UTF-8"
    assert (result.exit_code, result.stderr) == (2, f"uriverse-links normalize: {reason}\n")
    assert Path("a.md").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--host", "a b"], "invalid --host: invalid space in host"),
        *((["--scheme=-a"], "invalid --scheme: "), (["--port", "x"], "invalid --port: ")),
        (["--path", "a b"], "invalid --path: invalid space in path"),
        (["--password", "a b"], "invalid --password: invalid space in userinfo"),
    ],
)
def test_a_component_that_no_uri_can_have_is_a_usage_error(words: list[str], reason: str) -> None:
    write("a.md", "[a](http://a) [b](http://b)")
    result = run("set", *words, "--in-place", "a.md")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count(reason) == 1
    assert Path("a.md").read_text() == "[a](http://a) [b](http://b)"


def test_a_destination_that_cannot_be_written_stays_and_is_reported() -> None:
    write("a.md", "<http://a> [b](http://c)")
    result = run("set", "--scheme", "-", "--in-place", "a.md", "--summary")
    assert result.exit_code == 1
    assert "a.md:1: an autolink cannot contain '//a'" in result.stderr
    assert "2 URIs, 1 changed, 1 invalid" in result.stderr
    assert Path("a.md").read_text() == "<http://a> [b](//c)"


@pytest.mark.parametrize("limit", [["--fail-fast"], ["--max-errors", "1"]])
def test_a_document_with_too_many_invalid_destinations_stays_unchanged(limit: list[str]) -> None:
    for name in ("a.md", "b.md", "c.md"):
        write(name, "[a](HTTP://a)")
    write("b.md", "[a](HTTP://a) [b](http://[c)")
    result = run("normalize", "--in-place", ".", *limit)
    assert result.exit_code == 1
    assert "b.md: too many invalid strings; the file stays unchanged" in result.stderr
    contents = [Path(name).read_text() for name in ("a.md", "b.md", "c.md")]
    assert contents == ["[a](http://a)", "[a](HTTP://a) [b](http://[c)", "[a](HTTP://a)"]
    assert run("normalize", ".", *limit).exit_code == 1


def test_files_that_cannot_be_read_stay_and_the_others_are_edited() -> None:
    write("a.json", '["HTTP://a/", x]')
    write("b.md", "[b](HTTP://b)")
    write("c.png", "")
    result = run("normalize", "--in-place", "a.json", "b.md", "c.png", "none.md")
    assert (result.exit_code, result.stdout) == (2, "")
    lines = [line.removeprefix("uriverse-links normalize: ") for line in result.stderr.splitlines()]
    assert lines[0].startswith("a.json:1:15: invalid JSON")
    assert lines[1:] == [
        "c.png: unknown format; rename the file, so that its suffix tells the format",
        "none.md: No such file or directory",
    ]
    assert Path("b.md").read_text() == "[b](http://b)"


def test_a_dry_run_prints_a_diff_and_writes_nothing() -> None:
    lines = [f"line {n}" for n in range(20)]
    lines[5], lines[6], lines[18] = "[a](HTTP://a)", "[b](HTTP://b) and", "[c](HTTP://c)"
    before = "\ufeff" + "\n".join(lines)
    write("a.md", before)
    result = run("normalize", "--dry-run", "a.md")
    assert result.exit_code == 0
    assert Path("a.md").read_text("utf-8") == before
    changes = [line for line in result.stdout.splitlines() if line.startswith(("-", "+", "@"))]
    assert changes == [
        *("--- a.md", "+++ a.md", "@@ -3,8 +3,8 @@", "-[a](HTTP://a)", "-[b](HTTP://b) and"),
        *("+[a](http://a)", "+[b](http://b) and", "@@ -16,5 +16,5 @@"),
        *("-[c](HTTP://c)", "+[c](http://c)"),
    ]


@unix
@pytest.mark.skipif(which("patch") is None, reason="needs patch (apt-get install patch)")
def test_the_diff_is_what_patch_applies() -> None:
    before = "[a](HTTP://a)\r\n[b]\n\n[b]: HTTP://b\n\n<p\nc='d\ne'\nstyle='f:url(HTTP://g)\n'>\nHTTP://h"
    write("a.md", before)
    diff = run("normalize", "--dry-run", "a.md").stdout_bytes
    printed = run("normalize", "a.md").stdout_bytes
    subprocess.run(["patch", "--binary", "a.md"], input=diff, check=True, capture_output=True)
    assert Path("a.md").read_bytes() == printed != before.encode()


@unix
@pytest.mark.skipif(which("patch") is None, reason="needs patch (apt-get install patch)")
@pytest.mark.parametrize("name", ["a b.md", "a b/c.md", "a.md", "é è.md"])
def test_patch_finds_the_file_by_the_name_in_the_diff(name: str) -> None:
    write(name, "[a](HTTP://a)\n")
    diff = run("normalize", "--dry-run", name).stdout_bytes
    subprocess.run(["patch", "-p0"], input=diff, check=True, capture_output=True)
    assert Path(name).read_text() == "[a](http://a)\n"


def test_a_tab_ends_a_name_with_a_space_in_a_diff() -> None:
    write("a b.md", "[a](HTTP://a)\n")
    result = run("normalize", "--dry-run", "a b.md")
    assert result.stdout.startswith("--- a b.md\t\n+++ a b.md\t\n@@")


def test_without_in_place_the_new_documents_are_printed() -> None:
    write("a.md", "[a](HTTP://a)\n")
    write("b.md", "[b](HTTP://b)\n")
    result = run("normalize", "a.md", "b.md")
    assert (result.exit_code, result.stdout) == (0, "[a](http://a)\n[b](http://b)\n")


def test_ctrl_c_leaves_whole_documents() -> None:
    for name in ("a.md", "b.md"):
        write(name, "[a](HTTP://a) [b](HTTP://b)")
    asked: list[str] = []

    def edit(uri: str) -> str:
        asked.append(uri)
        if len(asked) > 3:
            raise KeyboardInterrupt
        return uri.lower()

    rewriting = Rewriting(in_place=True, backup=None, dry_run=False)
    tally = Tally()
    with pytest.raises(KeyboardInterrupt):
        edit_documents(rewriting, (".",), tally, edit, None)
    contents = {path.name: path.read_text() for path in Path().iterdir()}
    assert contents == {
        "a.md": "[a](http://a) [b](http://b)",
        "b.md": "[a](HTTP://a) [b](HTTP://b)",
    }


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["normalize"], "no documents; give files or folders as arguments"),
        (["normalize", "-"], "no documents; give files or folders as arguments"),
        (["normalize", "a.md", "--in-place", "--dry-run"], "--in-place contradicts --dry-run"),
        (["normalize", "a.md", "--backup", ".bak"], "--backup needs --in-place"),
        (["normalize", "a.md", "--in-place", "--backup", "a/b"], "the end of a file name"),
        (
            ["normalize", "a.md", "--keep-dot-segments", "--all-dot-segments"],
            "--keep-dot-segments contradicts --all-dot-segments",
        ),
        (["repair", "a.md", "--scheme", "1"], "scheme must be a valid scheme"),
        (["resolve", "b", "a.md"], "invalid BASE"),
        (["set", "a.md", "--set", "host"], "invalid setting 'host'"),
        (["set", "a.md", "--set", "host::=a"], "invalid setting 'host::=a'"),
        (["set", "a.md", "--set", "domain=a"], "unknown component 'domain'"),
        (["set", "a.md", "--set", "host=a", "--host", "b"], "host is set more than once"),
        (["set", "a.md", "--username", "a", "--userinfo", "b"], "userinfo contradicts username"),
        (["set", "a.md", "--append", "a"], "invalid value 'a' of --append"),
        (["set", "a.md", "--query-add", ""], "empty query parameter"),
    ],
)
def test_contradictions_are_usage_errors(words: list[str], reason: str) -> None:
    write("a.md", "[a](HTTP://a)")
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


@pytest.mark.parametrize(
    "destination",
    ["{{ url }}?utm_a=1", "https://{{h}}/?utm_a=1", "${a}/../%7ex", "/<%= a %>", "/{a}"],
)
@pytest.mark.parametrize(
    "command", [("normalize",), ("set", "--query-drop", "utm_*"), ("resolve", "https://b.example/")]
)
def test_links_with_placeholders_of_templates_stay(destination: str, command: list[str]) -> None:
    text = f'<a href="{destination}">b</a>\n'
    Path("a.html").write_text(text, "utf-8")
    result = run(*command, "a.html", "--in-place")
    assert (result.exit_code, result.stderr) == (0, "")
    assert Path("a.html").read_text("utf-8") == text
