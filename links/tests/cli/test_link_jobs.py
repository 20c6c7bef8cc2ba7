import os
import shlex
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from platforms import unix

pytestmark = unix

LINKS = Path(__file__).resolve().parents[2]
PAGE = LINKS.parent / "docs" / "links" / "command.md"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in an empty folder, with the command on the path."""
    command = tmp_path / "bin" / "uriverse-links"
    command.parent.mkdir()
    words = shlex.join([sys.executable, "-m", "uriverse_links"])
    command.write_text(f'#!/bin/sh\nexec {words} "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(command.parent), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONPATH", str(LINKS / "src"), prepend=os.pathsep)
    monkeypatch.setenv("LC_ALL", "C")
    (tmp_path / "work" / "docs").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "work")


def lines(name: str, *content: str) -> None:
    Path(name).write_text("".join(f"{line}\n" for line in content), "utf-8")


def job(pipeline: str) -> list[str]:
    """Run a pipeline, and return the lines of its standard output."""
    command = ["bash", "-c", f"set -o pipefail; {pipeline}"]
    result = subprocess.run(command, capture_output=True, check=False, text=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


def documented(heading: str) -> str:
    section = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2]
    return section.split("```")[1].removeprefix("sh").strip()


@pytest.mark.skipif(which("jq") is None, reason="needs jq (apt-get install jq)")
def test_find_the_links_to_a_domain() -> None:
    lines("docs/a.md", "[a](http://evil.example/old.example)", "[b](//WWW.Old.example:80)")
    lines("README.md", "<http://old.example> http://bold.example http://old.example.org [c](d |)")
    assert job(documented("Find the links to a domain")) == [
        "docs/a.md:2: //WWW.Old.example:80",
        "README.md:1: http://old.example",
    ]


def test_move_links_to_another_host() -> None:
    lines("docs/a.md", "[a](http://old.example/b?c#d) [e](http://other.example/) [f](g.md)")
    lines("README.md", "<http://old.example>")
    job(documented("Move links to another host").replace("--dry-run", "--in-place"))
    after = "[a](https://new.example/b?c#d) [e](http://other.example/) [f](g.md)\n"
    assert Path("docs/a.md").read_text() == after
    assert Path("README.md").read_text() == "<https://new.example>\n"
