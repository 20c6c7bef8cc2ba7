import io
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from amounts import scaled
from platforms import unix

from uriverse_links import links
from uriverse_links._cli.document_files import Document, Documents
from uriverse_links._cli.output import MisuseError, UnreadableError


def write(*names: str, content: str = "") -> None:
    for name in names:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(content, "utf-8")


def names(*arguments: str) -> list[str]:
    """Return the names of the documents that arguments name, all of which can be read."""
    documents = Documents(arguments)
    found = [document.name.replace(os.sep, "/") for document in documents]
    assert not documents.unread
    return found


def test_a_folder_has_documents_of_known_formats_in_the_order_of_their_names() -> None:
    write("b/z.md", "b/a.html", "b/c/d.rst", "b/c.txt", "b/logo.png", "b/Makefile", "a.md")
    assert names("b") == ["b/a.html", "b/c/d.rst", "b/c.txt", "b/z.md"]
    assert list(Documents(["b/c"])) == [Document(str(Path("b/c/d.rst")), "restructuredtext", "b/c")]


@pytest.mark.parametrize(
    ("files", "arguments", "found"),
    [
        # Names in the current folder have no dot.
        ("a.md b/c.md", ".", "a.md b/c.md"),
        # Arguments keep their order, and each document is read once.
        ("b/c.md a.md", "b/c.md a.md b .", "b/c.md a.md"),
        # Hidden folders are skipped unless they are named.
        (".git/a.md .github/b.md c.md .d.md", ".", ".d.md c.md"),
        (".git/a.md .github/b.md c.md .d.md", ".github", ".github/b.md"),
        # A pattern that the shell did not expand is expanded.
        ("a/b/c.md a/d.md a/e.txt", "a/*.md", "a/d.md"),
        ("a/b/c.md a/d.md a/e.txt", "a/**/*.md", "a/b/c.md a/d.md"),
        # A name with the characters of patterns is a name.
        pytest.param("[a].md a.md", "[a].md", "[a].md", marks=unix),
    ],
)
def test_the_documents_that_arguments_name(files: str, arguments: str, found: str) -> None:
    write(*files.split())
    assert names(*arguments.split()) == found.split()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none.md", "No such file or directory"),
        ("none*.md", "No such file or directory"),
        ("logo.png", "unknown format; set it with --input-format"),
    ],
)
def test_a_name_that_is_no_document_is_reported_and_the_others_are_read(
    name: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write("a.md", "logo.png")
    documents = Documents([name, "a.md"])
    assert [document.name for document in documents] == ["a.md"]
    assert documents.unread
    assert capsys.readouterr().err == f"uriverse-links: {name}: {reason}\n"


def test_a_format_applies_to_files_that_are_named_and_not_to_those_in_folders() -> None:
    write("a.page", "b/c.html", "b/d.page")
    assert list(Documents(["a.page", "b"], "markdown")) == [
        Document("a.page", "markdown"),
        Document(str(Path("b/c.html")), "html", "b"),
    ]


def test_texts_have_no_byte_order_mark_and_keep_invalid_utf_8(tmp_path: Path) -> None:
    Path("a.md").write_bytes(b"\xef\xbb\xbfa\r\n\xff")
    documents = Documents(["a.md"])
    assert list(documents.read_texts()) == [(Document("a.md", "markdown"), "a\r\n\udcff")]


def test_a_file_that_cannot_be_read_is_reported_and_the_others_are_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("a.md", "c.md", content="x")
    Path("b.md").write_bytes("x".encode("utf-16-le"))
    documents = Documents(["."])
    assert [text for _, text in documents.read_texts()] == ["x", "x"]
    assert documents.unread
    assert capsys.readouterr().err == "uriverse-links: b.md: a binary file, or not UTF-8\n"


def test_standard_input_needs_a_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[a](b)")))
    document = Document("-", "markdown")
    assert list(Documents(["-"], "markdown").read_texts()) == [(document, "[a](b)")]
    with pytest.raises(MisuseError, match="set its format with --input-format"):
        list(Documents(["-"]))
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(MisuseError, match="no input; give files as arguments"):
        list(Documents(["-"], "markdown"))


# --- links, pipes and folders that cannot be listed


@unix
def test_symbolic_links_in_folders_are_not_followed() -> None:
    write("a/b.md")
    Path("a/c.md").symlink_to("b.md")
    Path("a/d").symlink_to(".", target_is_directory=True)
    Path("a/e.md").symlink_to("e.md")  # a link to itself
    Path("a/f.md").symlink_to("none")
    assert names("a") == ["a/b.md"]
    assert names("a/c.md") == ["a/c.md"]


@unix
def test_a_folder_that_is_named_may_be_a_symbolic_link() -> None:
    write("a/b.md")
    Path("c").symlink_to("a", target_is_directory=True)
    assert names("c") == ["c/b.md"]


@unix
def test_pipes_in_folders_are_skipped() -> None:
    write("a/b.md")
    os.mkfifo("a/c.md")
    assert names("a") == ["a/b.md"]


def test_a_folder_that_cannot_be_listed_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write("a/b.md", "a/c/d.md")
    scan = os.scandir

    def denied(folder: str) -> object:
        if folder.endswith("c"):
            raise PermissionError(13, "Permission denied", folder)
        return scan(folder)

    # Root can list every folder.
    monkeypatch.setattr(os, "scandir", denied)
    documents = Documents(["a"])
    assert [document.name for document in documents] == [str(Path("a/b.md"))]
    assert documents.unread
    place = str(Path("a/c"))
    assert capsys.readouterr().err == f"uriverse-links: {place}: Permission denied\n"


def test_files_that_git_ignores_are_skipped_and_those_that_are_named_are_read() -> None:
    write("a.md", "b.md", "out/c.md", "d/e.md", "d/f.md", "d/out/g.md")
    write(".gitignore", content="/b.md\nout/\n")
    write("d/.gitignore", content="*.md\n!f.md\n")
    assert names(".") == ["a.md", "d/f.md"]
    assert names("b.md", "d/e.md") == ["b.md", "d/e.md"]


def test_the_rules_of_the_repository_apply_in_its_folders() -> None:
    write(".git/info/exclude", content="x.md\n")
    write(".gitignore", content="a/b/y.md\nout/\n")
    write("a/b/x.md", "a/b/y.md", "a/b/z.md", "out/x.md", "out/y.md")
    assert names("a") == ["a/b/z.md"]
    assert names("a/b") == ["a/b/z.md"]
    # The user names a folder that git ignores.
    assert names("out") == ["out/x.md", "out/y.md"]


def test_the_rules_of_one_repository_do_not_apply_in_another() -> None:
    write(".git/HEAD", ".gitignore", content="x.md\n")
    write("a/.git", "a/x.md", "b/x.md")
    assert names(".") == ["a/x.md"]


def test_an_invalid_pattern_matches_nothing() -> None:
    write(".gitignore", content="\\\na.md\n")
    write("a.md", "b.md")
    assert names(".") == ["b.md"]


GIT = shutil.which("git")


@pytest.mark.skipif(GIT is None, reason="needs git (apt-get install git)")
@pytest.mark.parametrize("seed", range(scaled(4)))
def test_the_same_files_are_read_as_git_lists(seed: int) -> None:
    random = Random(seed)
    folders = ["", "a/", "a/b/", "c/", "c/a/"]
    for folder in folders:
        write(*(f"{folder}{name}.md" for name in ("a", "b", "ab")))
    files = ["a.md", "*.md", "[ab].md", "?b.md"]
    for folder in random.sample(folders, 3):
        lines: list[str] = []
        for _ in range(random.randint(1, 4)):
            start = random.choice(["", "", "/", "**/", "a/"])
            if random.random() < 0.3:
                # `pathspec` includes all files in a folder that such a pattern matches.
                lines.append(f"!{start}{random.choice(files)}")
            else:
                name = random.choice(["a", "b", "*", "c", "a*", *files])
                lines.append(start + name + random.choice(["", "", "/", "/**", "/*"]))
        write(f"{folder}.gitignore", content="\n".join(lines))
    assert GIT is not None
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    subprocess.run([GIT, "init", "-q"], env=environment, check=True)
    command = [GIT, "ls-files", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(
        command, capture_output=True, text=True, env=environment, check=True
    ).stdout.splitlines()
    shown = "\n".join(f"{p}: {p.read_text().split()}" for p in Path().rglob(".gitignore"))
    assert sorted(names(".")) == sorted(listed), shown


declare = "<?xml version='1.0' encoding='{}'?>\n<rss><link>http://a/\u00e9</link></rss>".format
LATIN_1 = declare("ISO-8859-1")


@pytest.mark.parametrize(
    ("name", "octets", "destination"),
    [
        ("a.atom", LATIN_1.encode("latin-1"), "http://a/é"),
        ("a.atom", LATIN_1.replace("'", '"').encode("latin-1"), "http://a/é"),
        ("a.xml", declare("windows-1251").encode("cp1251", "replace"), "http://a/?"),
        ("a.xml", declare("Utf-8").encode(), "http://a/é"),
        ("a.xml", declare("UTF-16").encode(), "http://a/é"),
        ("a.xml", declare("UTF-16").encode("utf-16"), "http://a/é"),
        ("a.xml", b"\xfe\xff" + LATIN_1.encode("utf-16-be"), "http://a/é"),
        ("a.xml", b"\xef\xbb\xbf" + LATIN_1.encode(), "http://a/é"),
        ("a.md", b"\xff\xfe" + "<http://a/é>".encode("utf-16-le"), "http://a/é"),
        ("a.md", "<?xml version='1.0' encoding='latin-1'?>\n\n<http://a/é>".encode(), "http://a/é"),
    ],
)
def test_documents_are_decoded_by_their_mark_or_as_xml_declares(
    name: str, octets: bytes, destination: str
) -> None:
    Path(name).write_bytes(octets)
    [document] = Documents([name])
    text = document.read().text
    assert [link.destination for link in links(text, document.format)] == [destination]


@pytest.mark.parametrize(
    ("octets", "reason"),
    [
        (declare("Shift_JIS").encode(), "unsupported encoding Shift_JIS; "),
        (declare("rot13").encode(), "unsupported encoding rot13; "),
        (declare("no.such-one").encode(), "unsupported encoding no.such-one"),
        (b"\xff\xfea", "invalid UTF-16"),
        ("<a/>".encode("utf-32"), "a binary file, or not UTF-8"),
        ("<a/>".encode("utf-16-le"), "a binary file, or not UTF-8"),
    ],
)
def test_documents_with_other_encodings_are_rejected(octets: bytes, reason: str) -> None:
    with pytest.raises(UnreadableError, match=reason):
        Document(write_octets("a.xml", octets), "xml").read()


def write_octets(name: str, octets: bytes) -> str:
    Path(name).write_bytes(octets)
    return name
