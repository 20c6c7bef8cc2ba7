import json
import os
from pathlib import Path
from typing import Any

import pytest
from commands import Result, write
from commands import run as run_command

from uriverse import parse
from uriverse_links._cli.document_files import Document


def run(*words: str, given: bytes | str = "", is_terminal: bool = False) -> Result:
    command = "dead" if "--dead" in words else "find"
    others = [word for word in words if word != "--dead"]
    return run_command(command, *others, given=given, is_terminal=is_terminal)


def test_the_targets_of_all_documents_are_printed_one_per_line() -> None:
    write("docs/a.md", "[a](b.md 'title') ![c](<d e.png>)\n")
    write("docs/b.html", "<a href='?x&amp;y'>")
    result = run("docs")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "b.md\nd%20e.png\n?x&y\n", "")


def test_the_base_is_the_uri_of_a_file_or_of_a_folder() -> None:
    write("docs/a.md", "[a](b) [c](//d/e) [f](g:h)")
    write("docs/i/j k.md", "[a](../b) [c](#d)")
    assert run("docs/a.md", "--base", "http://h/x/y?z").stdout == "http://h/x/b\nhttp://d/e\ng:h\n"
    for base in ("http://h/x", "http://h/x/"):
        assert run("docs", "--base", base).stdout.splitlines()[3:] == [
            "http://h/x/b",
            "http://h/x/i/j%20k.md#d",
        ]


@pytest.mark.parametrize(
    ("name", "folder", "uri"),
    [
        *(("a.md", None, "http://h/x/y"), ("a/b.md", "a", "http://h/x/y/b.md")),
        ("b:c.md", ".", "http://h/x/y/b:c.md"),
        ("a/é\udcff/b?.md", "a", "http://h/x/y/%C3%A9%FF/b%3F.md"),
    ],
)
def test_a_document_has_the_uri_of_its_path(name: str, folder: str | None, uri: str) -> None:
    document = Document(str(Path(name)), "markdown", folder)
    assert str(document.uri(parse("http://h/x/y"))) == uri


def test_base_elements_change_the_base() -> None:
    write("a.html", "<base href='/b/'><a href=c>")
    assert run("a.html", "--base", "http://h/x/y").stdout == "http://h/b/\nhttp://h/b/c\n"


@pytest.mark.parametrize("base", ["b", "http://[x"])
def test_an_invalid_base_is_a_usage_error(base: str) -> None:
    result = run("--base", base)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "invalid --base" in result.stderr


def test_kinds_select_links() -> None:
    write("a.md", "[a](b) ![c](d) <https://e.example/>")
    assert run("a.md", "--kind", "image").stdout == "d\n"
    words = ["--kind", "link", "--kind", "autolink"]
    assert run("a.md", *words).stdout == "b\nhttps://e.example/\n"
    assert run("a.md", "--kind", "script").exit_code == 1


def test_each_link_is_printed_once_with_unique() -> None:
    write("a.md", "[a](b) [c](b) [d](e)")
    write("f.md", "[a](b)")
    assert run("a.md", "f.md").stdout == "b\nb\ne\nb\n"
    assert run("a.md", "f.md", "-u").stdout == "b\ne\n"


def objects(*words: str) -> list[Any]:
    return [json.loads(line) for line in run(*words).stdout.splitlines()]


def test_json_has_the_place_of_each_link() -> None:
    write("a.md", b"\xef\xbb\xbfx\r\n[a](b&amp;c)  [d](<\xff>)")
    first, second = objects("a.md", "--json")
    assert first == {
        "file": "a.md",
        "line": 2,
        "column": 5,
        "start": 7,
        "end": 14,
        "kind": "link",
        "written": "b&amp;c",
        "destination": "b&c",
        "target": "b&c",
    }
    assert (second["written"], second["target"]) == ("\udcff", None)
    assert json.loads(run("a.md", "--json-array").stdout) == [first, second]


def test_standard_input_is_read_with_a_format() -> None:
    assert run("--input-format", "html", given="<a href=b>").stdout == "b\n"
    assert run("-", "--input-format", "markdown", given="[a](b)").stdout == "b\n"
    result = run(given="[a](b)")
    assert result.exit_code == 2
    assert "set its format with --input-format" in result.stderr


def test_lines_end_with_nul_on_request_and_control_characters_are_escaped_on_a_terminal() -> None:
    write("a.html", "<a href='b'><a href='c&#0;\x1bd'>")
    assert run("a.html", "-z").stdout == "b\0c\ufffd\x1bd\0"
    assert run("a.html").stdout == "b\nc\ufffd\\x1bd\n"
    write("a.html", "<a href='\u202eb'>")
    assert run("a.html", "-z", is_terminal=True).stdout == "\\u202eb\0"


def test_the_exit_status_tells_whether_a_link_was_found() -> None:
    write("a.md", "no link")
    assert run("a.md").exit_code == 1
    result = run("a.md", "none.md")
    assert result.exit_code == 2
    assert result.stderr.endswith("none.md: No such file or directory\n")


def test_a_document_with_invalid_syntax_is_reported_and_the_others_are_read() -> None:
    write("a.json", '{"a":\n  x}')
    write("b.json", '"http://c/"')
    result = run(".")
    assert (result.exit_code, result.stdout) == (2, "http://c/\n")
    assert ": a.json:2:3: invalid JSON: expected a string" in result.stderr


def dead(*words: str, code: int = 1, rules: str = "GitHub") -> list[str]:
    """Return the lines for dead links, without the parts that are the same in all lines.

    Each line for Markdown names the rules by which the document was read.
    """
    result = run("--dead", *words)
    assert (result.exit_code, result.stderr) == (code, ""), result.output
    lines = result.stdout.replace(os.sep, "/").splitlines()
    assert all(": error dead-link: " in line for line in lines)
    named = f" (rules of {rules})"
    assert all((named in line) == (".md:" in line) for line in lines)
    return [line.replace(": error dead-link: ", " ").replace(named, "") for line in lines]


def test_each_link_to_a_missing_file_is_dead() -> None:
    write(
        "docs/a.md",
        "[a](b.md) [c](<c d.md>) [e](../f.md?x#y) [a](b.md)\n\n[g](http://h) [j](mailto:k)",
    )
    write("docs/c d.md")
    missing = ["docs/a.md:1:5 no file docs/b.md", "docs/a.md:1:29 no file f.md"]
    assert dead("docs") == [*missing, "docs/a.md:1:46 no file docs/b.md"]
    write("docs/b.md")
    write("f.md", "# Y")
    assert dead("docs", code=0) == []


#: Files, the links in a document, and the columns and messages of the dead links.
SUGGESTED = [
    # A similar name is suggested, with the same suffix or if only the suffix differs.
    (
        ["docs/sub/guide.md#x"],
        "docs/a.md",
        "[a](sub/guid.md) [b](sup/guide.md#x)",
        ["5 no file docs/sub/guid.md; did you mean sub/guide.md?",
         "22 no file docs/sup/guide.md; did you mean sub/guide.md?"],
    ),
    (
        ["build.md", "guide2.log", "intro.txt"],
        "a.md",
        "[a](guide.md) [b](intro.md)",
        ["5 no file guide.md", "19 no file intro.md; did you mean intro.txt?"],
    ),
    # The folder itself is not suggested, and the case of letters matters.
    ([], "guide/a.md", "[a](../guide.md)", ["5 no file guide.md"]),
    (["README.md"], "a.md", "[b](readme.md)", ["5 no file readme.md; did you mean README.md?"]),
    # Only pages are suggested; forms and names in data are not checked.
    (["guide.md"], "a.md", "[b](guide.png) [c](guide.htm.md)",
     ["5 no file guide.png; did you mean guide.md?",
      "20 no file guide.htm.md; did you mean guide.md?"]),
    ([], "a.html", "<form action=search></form><img src=b>", ["37 no file b"]),
    ([], "a.ttl", "<b> <c> <d> .", []),
    # An encoded delimiter is a part of a name, and encoded dots are dot segments.
    (["b.md", "a/b.md"], "a/a.md", "[b](..%2Fb.md)", ["5 no file a/../b.md"]),
    (["b.md", "a/b.md"], "a/a.md", "[b](b.md%00)", ["5 no file a/b.md\\x00; did you mean b.md?"]),
    (["b.md", "a/b.md"], "a/a.md", "[b](b%2Emd%2F)", ["5 no file a/b.md"]),
    (["b.md"], "a/a.md", "[b](%2E%2e/b%2Emd)", []),
    # Control characters in names are escaped.
    ([], "a.md", "[a](b%0Ac.md) [d](#e%1B)",
     ["5 no file b\\nc.md", '19 no anchor "e\\x1b" in the document']),
    # A page may be published under the name of its source.
    (["guide.md"], "a.md", "[b](guide) [c](guide/) [d](guide.html) [e](old/../guide)", []),
    (["guide.md"], "a.md", "[b](guide.html#y)", []),
    # Templates and invalid destinations are not checked.
    ([], "a.html", "<a href='{{ base }}/x'><a href='${x}/y'><a href='http://[x'>", []),
    ([], "a.html", "<a href='<%= x %>'><a href='{% url \"x\" %}'>", []),
    # Browsers and GitHub accept these fragments.
    ([], "a.md", "[b](#) [c](#top) [d](#TOP) [e](#:~:text=x) [f](#L10) [g](#L1C2-L3C4)", []),
    ([], "a.md", "[b](#/route) [c](#!route)", []),
    # An index may be a readme.
    (["sub/README.md"], "a.md", "[b](sub/index.html) [c](sub/index.htm)", []),
]  # fmt: skip


@pytest.mark.parametrize(("names", "document", "content", "expected"), SUGGESTED)
def test_links_to_missing_files_are_dead(
    names: list[str], document: str, content: str, expected: list[str]
) -> None:
    for name in names:
        write(name.partition("#")[0], "# x")
    write(document, content)
    lines = [f"{document}:1:{each}" for each in expected]
    assert dead(document, code=bool(expected)) == lines


def test_no_similar_name_is_searched_among_many() -> None:
    write("a.md", "[a](#b1) [c](#h)\n\n" + "\n\n".join(f"# b{n + 10}" for n in range(1001)))
    assert dead("a.md") == [
        'a.md:1:5 no anchor "b1" in the document',
        'a.md:1:14 no anchor "h" in the document',
    ]


def test_links_to_missing_anchors_are_dead() -> None:
    write(
        "a.md", "# A b\n\n[c](#a-b) [d](#a-c) [e](b.md#x) [f](b.md#y) [g](c.html#z) [h](c.html#Z)"
    )
    write("b.md", "# X")
    write("c.html", "<p id=z>")
    assert dead("a.md") == [
        'a.md:3:15 no anchor "a-c" in the document; did you mean #a-b?',
        'a.md:3:37 no anchor "y" in b.md',
        'a.md:3:63 no anchor "Z" in c.html; did you mean #z?',
    ]


@pytest.mark.parametrize("fragment", ["a-é:~:text=x", "a-%C3%A9", "A-é", "user-content-a-é"])
def test_fragments_that_browsers_and_github_accept_are_fine(fragment: str) -> None:
    write("a.md", f"# A é\n\n[b](#{fragment})")
    assert dead("a.md", code=0) == []


@pytest.mark.parametrize(
    ("name", "content"),
    [("b.txt", "x"), ("b.rst", "x"), ("b.html", "{% include x %}"), ("b.md", b"\0")],
)
def test_unknown_anchors_are_not_checked(name: str, content: str | bytes) -> None:
    write("a.md", f"[b]({name}#x) [c](sub#x)")
    write(name, content)
    Path("sub").mkdir()
    assert dead("a.md", code=0) == []


@pytest.mark.parametrize("index", ["index.html", "README.md", "index.md"])
def test_a_folder_has_the_anchors_of_its_index(index: str) -> None:
    write("a.md", "[b](sub/) [c](sub#x) [d](sub/#y)")
    write(f"sub/{index}", "<p id=x>")
    assert dead("a.md") == [f'a.md:1:26 no anchor "y" in sub/{index}']


# --- the root of a site


def test_links_that_leave_the_repository_are_not_checked() -> None:
    write("r/.git/HEAD", "")
    write("r/docs/a.md", "[a](../../issues) [b](../x) [c](../../../../../../../../../../..)")
    assert dead("r") == ["r/docs/a.md:1:23 no file r/x"]


def test_a_path_with_a_slash_starts_at_a_folder_that_has_its_first_name() -> None:
    write("r/.git/HEAD", "")
    write("r/docs/img/b.png", "")
    write("r/docs/sub/a.md", "![a](/img/b.png) ![b](/docs/img/b.png) ![c](/img/x.png) [d](/e/f)")
    assert dead("r") == ["r/docs/sub/a.md:1:45 no file r/docs/img/x.png"]


def test_outside_a_repository_such_a_path_starts_in_the_folder_or_below() -> None:
    write("r/img/b.png", "")
    write("r/docs/a.md", "![a](/img/b.png) ![c](/img/x.png)")
    assert len(dead("r")) == 1
    assert dead("r/docs/a.md", code=0) == []


def test_a_folder_with_an_index_is_the_root_of_a_site() -> None:
    write("site/index.html", "<a href='/missing.html'><a href='/b/'>")
    write("site/b/c.html", "<a href='/index.html'><base href='/'><a href='b/c.html'>")
    assert dead("site") == ["site/index.html:1:10 no file site/missing.html"]


def test_with_a_base_links_to_the_own_site_are_checked() -> None:
    write("docs/a.md", "[a](http://H:80/x/b.md) [c](/x/d.md) [e](//h/x/f.md) [g](http://h/y)")
    write("docs/i/a.md", "[a](http://h/x/i/a.md#b) [c](/y) [d](http://i/x/j)")
    assert dead("docs", "--base", "http://h/x") == [
        *("docs/a.md:1:5 no file docs/b.md", "docs/a.md:1:29 no file docs/d.md"),
        *("docs/a.md:1:42 no file docs/f.md", 'docs/i/a.md:1:5 no anchor "b" in the document'),
    ]
    assert len(dead("docs/a.md", "--base", "http://h/x/a.md")) == 3


@pytest.mark.parametrize(
    ("base", "link", "is_dead"),
    [
        *(("sub/", "b.md", False), ("sub/x", "b.md", False), ("sub/", "c.md", True)),
        *(("/sub/", "b.md", False), ("/sub/", "c.md", True), ("/none/", "c.md", False)),
        *(("http://h/", "c.md", False), ("http://[x", "c.md", False)),
    ],
)
def test_base_elements_change_where_links_start(base: str, link: str, *, is_dead: bool) -> None:
    write("a.html", f"<base href='{base}'><a href={link}>")
    write("sub/b.md", "")
    assert len(dead(".", code=int(is_dead))) == is_dead


@pytest.mark.parametrize(
    "refresh",
    [
        '<meta http-equiv="refresh" content="0; url=new/b.html">',
        "<META content='5;URL=new/b.html' HTTP-EQUIV=Refresh><p id=y>",
    ],
)
@pytest.mark.parametrize("name", ["b.html", "b.md"])
def test_anchors_behind_a_redirect_are_unknown(name: str, refresh: str) -> None:
    write("a.md", f"[b]({name}#x) [c](sub/#x)")
    write("a.html", f"<a href={name}#x>")
    write("sub/index.html", refresh)
    write("new/b.html", "")
    write("sub/new/b.html", "")
    write(name, refresh)
    assert dead(".", code=0) == []


def test_a_page_that_reloads_itself_has_known_anchors() -> None:
    write("a.md", "[b](b.html#x)")
    write("b.html", "<meta http-equiv=refresh content=5><p id=y>")
    assert len(dead("a.md")) == 1


def test_labels_of_all_documents_are_known_to_myst() -> None:
    labels = ["One-label", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    links = " ".join(f"[a](#{label})" for label in labels)
    write(
        "docs/a.md",
        f"{links} [b](two) [c](<One label>) [d](sub/b.md#ONE_LABEL) [e](#pkg.Class)\n\n"
        "[x](#eleven) [y](eleven) [z](c.md#two)",
    )
    write(
        "docs/sub/b.md",
        "(One label)=\n# H\n\n:::{note}\n:name: three\n:::\n\n[e]{#four} {#five .x}\n"
        '+++ {"label": "six"}\n\n$$ a $$ (seven)\n\n\\begin{align}\\label{eight}\n',
    )
    write("docs/b.rst", ".. _two:\n")
    write("docs/n.ipynb", '[\n "(nine)=\\n",\n "#| label: ten\\n"]')
    expected = [
        'docs/a.md:3:5 no anchor "eleven" in the document',
        "docs/a.md:3:18 no file docs/eleven",
        "docs/a.md:3:30 no file docs/c.md",
    ]
    for name, rules in (("conf.py", "Sphinx"), ("_toc.yml", "Jupyter Book"), ("myst.yml", "MyST")):
        write(f"docs/{name}", "")
        assert dead("docs", rules=rules) == expected
    for name in ("conf.py", "_toc.yml", "myst.yml"):
        Path("docs", name).unlink()
    assert len(dead("docs")) > len(expected)


def test_sphinx_has_indexes_without_a_source() -> None:
    write("a.md", "[a](genindex) [b](search) [c](nothing)")
    write("conf.py", "")
    assert dead("a.md", rules="Sphinx") == ["a.md:1:31 no file nothing"]


def test_the_innermost_project_with_the_document_decides() -> None:
    write(".git/config", "")
    write("mkdocs.yml", "site_name: x\n")
    write("README.md", "[x](y)")
    write("docs/a.md", "[x](y)")
    write("docs/b/conf.py", "")
    write("docs/b/a.md", "[x](y)")
    assert len(dead("README.md")) == 1
    assert len(dead("docs/a.md", rules="MkDocs")) == 1
    assert len(dead("docs/b/a.md", rules="Sphinx")) == 1


@pytest.mark.parametrize(
    ("config", "setting", "rules"),
    [
        ("mkdocs.yml", "docs_dir: 'text/en'  # sources", "MkDocs"),
        ("mkdocs.yml", "docs_dir: text/en", "MkDocs"),
        *(("book.toml", '[book]\nsrc = "text/en"', "mdBook"), ("_config.yml", "", "Jekyll")),
    ],
)
def test_a_configuration_names_the_folder_of_sources(config: str, setting: str, rules: str) -> None:
    write(config, setting)
    write("text/en/a.md", "[x](y)")
    assert dead("text/en", rules="GitHub") == ["text/en/a.md:1:5 no file text/en/y"]
    write(".git/config", "")
    assert dead("text/en", rules=rules) == ["text/en/a.md:1:5 no file text/en/y"]


def test_anchors_as_generators_name_them_are_fine() -> None:
    write("mkdocs.yml", "")
    write("docs/a.md", "# A - b\n\n# Über\n\n# A\n\n# A\n\n# \u5b89\n\n")
    write("docs/b.md", "[x](a.md#a-b) [y](a.md#uber) [z](a.md#a_1) [w](a.md#\u88c5) [v](a.md#ab)")
    assert dead(".", rules="MkDocs") == [
        'docs/b.md:1:48 no anchor "\u88c5" in docs/a.md',
        'docs/b.md:1:60 no anchor "ab" in docs/a.md; did you mean #a?',
    ]


def test_urls_of_a_site_may_start_at_the_folder_of_the_page() -> None:
    write("docs/img/x.png", "")
    write("docs/a.md", "<img src='../img/x.png'> ![](img/x.png) <img src='../img/y.png'>")
    write("mkdocs.yml", "")
    assert dead(".", rules="MkDocs") == ["docs/a.md:1:51 no file img/y.png"]


@pytest.mark.parametrize(
    ("config", "include"),
    [
        ("docs/conf.py", "```{include} parts/p.md\n```"),
        ("docs/conf.py", ":::{include} /parts/p.md"),
        ("mkdocs.yml", '--8<-- "parts/p.md:section"'),
        ("mkdocs.yml", "{% include 'parts/p.md' %}"),
        ("docs/book.toml", "{{#include parts/p.md:1:2}}"),
        ("docs/_config.yml", "{%- include-markdown parts/p.md %}"),
    ],
)
def test_links_of_an_included_document_may_start_at_the_page(config: str, include: str) -> None:
    write("docs/a.md", f"# A\n\n[x](#in-p)\n\n{include}\n")
    write("docs/b.md", "[x](a.md#in-p)")
    write("docs/parts/p.md", "# In p\n\n[a](b.md) [c](#a) [d](c.md)\n")
    assert len(dead(".")) == 5
    write(config, "src = ''\n")
    lines = run("--dead", ".").stdout.splitlines()
    assert [line.partition(": error")[0] for line in lines] == ["docs/parts/p.md:3:23"]


@pytest.mark.parametrize(
    "content",
    [
        *("::: package.module", "--8<--\np.md\n--8<--", "{{ table() }}", "{% for x in y %}"),
        *("```{eval-rst}\n```", ":::{autoclass} x\n:::", '--8<-- "missing.md"'),
        *("```{py:function} f\n```", "[x]: y\n{% raw %}"),
    ],
)
def test_anchors_that_only_a_generator_knows_are_not_checked(content: str) -> None:
    write("docs/a.md", f"# A\n\n{content}\n")
    write("docs/b.md", "[a](a.md#x)")
    assert len(dead(".")) == 1
    write("mkdocs.yml", "")
    assert dead(".", code=0) == []


def test_files_that_git_ignores_are_made_by_a_build() -> None:
    write(".git/config", "")
    write(".gitignore", "/docs/api/\n/docs/made.md\n")
    write("docs/a.md", "[a](api/x.md) [b](api) [c](made.md#x) [d](other.md)")
    assert len(dead("docs")) == 4
    write("mkdocs.yml", "")
    assert dead("docs", rules="MkDocs") == ["docs/a.md:1:43 no file docs/other.md"]


def test_a_source_that_cannot_be_read_has_no_labels() -> None:
    write("conf.py", "")
    write("a.md", "[x](#y)")
    Path("c.ipynb").mkdir()
    assert len(dead("a.md", rules="Sphinx")) == 1


def test_dead_links_have_an_object_in_json() -> None:
    write("a.md", "![a](b.md) [c](guid.md)")
    write("guide.md", "")
    found = objects("a.md", "--dead", "--json")
    assert [each["message"] for each in found] == ["no file b.md", "no file guid.md"]
    assert [each["suggestion"] for each in found] == [None, "guide.md"]
    assert [each["rules"] for each in found] == ["GitHub", "GitHub"]
    assert (found[0]["file"], found[0]["line"], found[0]["column"]) == ("a.md", 1, 6)
    assert objects("a.md", "--dead", "--json", "--kind", "image") == found[:1]


def test_the_path_of_a_file_outside_the_current_folder_is_absolute(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write("a/b.md", "[c](../d.md)")
    monkeypatch.chdir(tmp_path / "a")
    assert dead("b.md") == [f"b.md:1:5 no file {tmp_path / 'd.md'}".replace(os.sep, "/")]


def test_dead_has_no_option_unique_and_reports_unreadable_files() -> None:
    result = run("--dead", "--unique")
    assert (result.exit_code, "no such option --unique" in result.stderr) == (2, True)
    write("a.md", "[b](c)")
    assert run("--dead", "a.md", "none.md").exit_code == 2


@pytest.mark.skipif(os.name != "posix", reason="tests a behavior of Unix")
def test_a_folder_that_cannot_be_listed_has_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.md", "[b](none/../sub/b.md) [c](c.md/d)")
    write("sub/b.md", "")
    write("c.md", "")
    assert dead("a.md") == ["a.md:1:27 no file c.md/d"]
