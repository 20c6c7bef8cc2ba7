import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest
from counting import assert_proportional
from nightly import all_but_first

from uriverse_links._anchors import find_anchors

if os.name != "posix":
    pytest.skip("uses files and signals of Unix", allow_module_level=True)

LINKS = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "uriverse_links"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(LINKS / "src"), prepend=os.pathsep)


def run(*words: str | bytes) -> tuple[int, bytes, bytes]:
    done = subprocess.run([*COMMAND, *words], capture_output=True, check=False, timeout=300)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("name", "command"),
    all_but_first([("d", "dead"), ("d", "find"), ("folder", "dead"), ("folder", "find")]),
)
def test_folders_may_be_nested_more_deeply_than_calls(name: str, command: str) -> None:
    Path("a.md").write_text("[a](b)")
    top = os.open(".", os.O_RDONLY)
    folder = top
    for _ in range(1100):
        os.mkdir(name, dir_fd=folder)
        inner = os.open(name, os.O_RDONLY, dir_fd=folder)
        if folder != top:
            os.close(folder)
        folder = inner
    file = os.open("z.md", os.O_WRONLY | os.O_CREAT, dir_fd=folder)
    os.write(file, b"[c](d)")
    os.close(file)
    os.close(folder)
    status, output, errors = run(command, ".")
    try:
        if name == "d":
            assert output.count(b"\n") == 2
            assert (status, errors) == (int(command == "dead"), b"")
        else:
            # The path is longer than the system allows.
            assert (status, output.count(b"\n")) == (2, 1)
            assert errors.endswith(b": File name too long\n")
    finally:
        subprocess.run(["rm", "-rf", name], check=True)
        os.close(top)


def test_a_pipe_that_is_named_is_read_and_is_not_replaced() -> None:
    os.mkfifo("a.md")
    with subprocess.Popen([*COMMAND, "find", "a.md"], stdout=subprocess.PIPE) as process:
        Path("a.md").write_text("[a](b)")
        assert process.communicate(timeout=60)[0] == b"b\n"
    status, output, errors = run("normalize", "--in-place", "a.md")
    assert (status, output) == (2, b"")
    assert errors.endswith(b"a.md: not a regular file\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read every folder")
def test_a_folder_without_permissions_is_reported() -> None:
    Path("a").mkdir()
    Path("b.md").write_text("[a](c)")
    Path("a").chmod(0)
    try:
        status, output, errors = run("find", ".")
    finally:
        Path("a").chmod(0o700)
    assert (status, output) == (2, b"c\n")
    assert errors == b"uriverse-links find: ./a: Permission denied\n"


def test_names_may_contain_line_breaks_and_invalid_utf_8() -> None:
    name = b"a\n\xff\x1b[31m.md"
    Path(os.fsdecode(name)).write_text("[a](b)")
    status, output, errors = run("dead", name)
    assert (status, errors) == (1, b"")
    assert output == b"a\\n\\udcff\\x1b[31m.md:1:5: error dead-link: no file b (rules of GitHub)\n"
    assert run("find", ".") == (0, b"b\n", b"")
    assert run("find", "-z", ".") == (0, b"b\0", b"")
    assert run("normalize", name)[:2] == (0, b"[a](b)")


def test_a_long_line_is_read() -> None:
    Path("a.md").write_text("x" * 2_000_000 + " [a](HTTP://b/)")
    assert run("find", "a.md") == (0, b"HTTP://b/\n", b"")
    assert run("normalize", "--in-place", "a.md") == (0, b"", b"")
    assert Path("a.md").read_text().endswith("x [a](http://b/)")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", [0.2, 0.4, 0.6])
def test_an_interrupted_edit_leaves_whole_documents(number: int, moment: float) -> None:
    before, after = "[a](HTTP://b)\n" * 5000, "[a](http://b)\n" * 5000
    names = [f"{n:02}.md" for n in range(30)]
    for name in names:
        Path(name).write_text(before)
    with subprocess.Popen([*COMMAND, "normalize", "--in-place", "."]) as process:
        time.sleep(moment)
        process.send_signal(number)
        assert process.wait(60) in {0, 128 + number, -number}
    assert sorted(path.name for path in Path().iterdir()) == names
    contents = [Path(name).read_text() for name in names]
    assert set(contents) <= {before, after}
    assert contents == sorted(contents, reverse=True)


UNITS = [
    *("<h1>", "</h1>", "<h1", "<a ", "<!--", "{#", "#a", "{", " ", "(", "(a", "# a\n", "# `\n"),
    *("<h1>a</h1>", "<a name=b>", "# a-1\n# a\n", "{#a}", "&amp", "*a", "[a](", "\\"),
]


@pytest.mark.parametrize(
    ("before", "unit"), all_but_first(product(["", "# ", "<h1>", "<div>", "{"], UNITS))
)
def test_anchors_are_found_in_linear_time(before: str, unit: str) -> None:
    for form in ("markdown", "html"):
        assert_proportional(lambda size: find_anchors(before + unit * size, form), 1000)  # noqa: B023
