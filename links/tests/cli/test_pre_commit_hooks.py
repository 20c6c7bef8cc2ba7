import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from uriverse_links._links import BY_SUFFIX

LINKS = Path(__file__).resolve().parents[2]
ROOT = LINKS.parent

NEEDED = "needs pre-commit (pip install --group dev)"
pytest.importorskip("pre_commit", reason=NEEDED)
yaml: Any = pytest.importorskip("yaml", reason=NEEDED)

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
GIT = shutil.which("git")


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if GIT is None:
        pytest.skip("needs git (apt-get install git)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYTHONPATH", str(LINKS / "src"), prepend=os.pathsep)
    subprocess.run([GIT, "init", "--quiet"], check=True)
    Path("a.md").write_text("`<http://a./` <http://b.example/> [c](<d e>)\n", "utf-8")
    Path("b.txt").write_text("http://c./\n", "utf-8")
    Path("urls.lst").write_text("http://d./\n", "utf-8")
    Path("e.json").write_text('["http://f./"]\n', "utf-8")


def run(name: str, **settings: Any) -> tuple[int, set[str]]:
    """Run a hook; return its exit status, and the files and codes of the findings."""
    [hook] = [each for each in HOOKS if each["id"] == name]
    # In place of the environment that pre-commit would install.
    entry = hook["entry"].replace("uriverse-links", f'"{sys.executable}" -m uriverse_links', 1)
    local = {**hook, **settings, "entry": entry, "language": "system"}
    del local["additional_dependencies"]
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    Path(".pre-commit-config.yaml").write_text(json.dumps(config), "utf-8")
    assert GIT
    subprocess.run([GIT, "add", "."], check=True)
    command = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = re.findall(r"^([\w.]+):\d+:\d+: \w+ ([\w-]+):", done.stdout, re.MULTILINE)
    return done.returncode, {f"{file} {code}" for file, code in lines}


@pytest.mark.slow
def test_the_links_of_documents_are_checked() -> None:
    assert run("uriverse-check-documents") == (1, {"a.md syntax", "b.txt trailing-dot"})
    Path(".uriverse.toml").write_text(
        '[check]\nseverity = {syntax = "off", space = "off"}\nfail-on = "warning"\n', "utf-8"
    )
    assert run("uriverse-check-documents") == (1, {"b.txt trailing-dot"})
    assert run("uriverse-check-documents", args=["--exclude", "*.txt"]) == (0, set())


def test_the_hook_for_documents_gets_the_files_whose_format_is_known() -> None:
    [hook] = [each for each in HOOKS if each["id"] == "uriverse-check-documents"]
    suffixes = [suffix for suffix, name in BY_SUFFIX.items() if name not in {"json", "har"}]
    assert hook["files"] == rf"(?i)\.({'|'.join(suffix[1:] for suffix in suffixes)})$"


@pytest.mark.slow
def test_uris_in_text_files_are_checked() -> None:
    status, found = run("uriverse-check")
    assert status == 1
    assert {"a.md trailing-dot", "b.txt trailing-dot", "e.json trailing-dot"} <= found


def test_selected_files_of_lines_are_checked() -> None:
    assert run("uriverse-check-lines") == (0, set())
    assert run("uriverse-check-lines", files=r"\.lst$") == (1, {"urls.lst trailing-dot"})


def test_every_hook_installs_the_distribution() -> None:
    assert [hook["additional_dependencies"] for hook in HOOKS] == [["./links"]] * len(HOOKS)
    assert (ROOT / "links" / "pyproject.toml").is_file()
