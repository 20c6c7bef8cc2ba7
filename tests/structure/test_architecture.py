import re
import shutil
from pathlib import Path
from typing import NamedTuple

import make_all
import pytest
from interpreters import run_python

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
PACKAGE = ROOT / "src" / "uriverse"


class Row(NamedTuple):
    subject: str
    edit: str
    then: str

    def names(self) -> list[str]:
        return re.findall(r"`([^`]+)`", f"{self.edit} {self.then}")


def rows() -> list[Row]:
    section = TEXT.partition("\n## Where to add something\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| (.+?) \| (.+?) \| (.*?) ?\|$", section, re.MULTILINE)
    return [Row(*line) for line in lines[1:]]


ROWS = rows()


def files(name: str) -> list[Path]:
    """Return the files that a name in the table means; `NAME` stands for any name."""
    pattern = name.replace("NAME", "*").rstrip("/")
    return [*PACKAGE.glob(pattern), *ROOT.glob(pattern)]


def test_the_table_is_read_whole() -> None:
    subjects = [row.subject for row in ROWS]
    assert {"a scheme", "a finding", "a column function"} < set(subjects)
    assert len(subjects) == len(set(subjects))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.subject)
def test_every_file_and_every_name_of_a_row_exists(row: Row) -> None:
    paths = [path for name in row.names() for path in files(name) if "/" in name]
    assert paths
    missing = [name for name in row.names() if "/" in name and not files(name)]
    assert missing == []
    # A name that is not a path, such as `RULES`, is a name in one of the files.
    texts = [path.read_text("utf-8") for path in paths if path.is_file()]
    for name in row.names():
        if "/" not in name and name != "NAME":
            pattern = re.escape(name).replace("NAME", r"\w+")
            assert any(re.search(rf"\b{pattern}\b", text) for text in texts), name


def test_every_script_that_generates_files_is_checked_before_a_commit() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert "tools/make_all.py --check" in hooks
    scripts = {
        path.stem.removeprefix("make_")
        for path in (ROOT / "tools").glob("make_*.py")
        if "write_or_check(" in path.read_text("utf-8")
    }
    assert set(make_all.SCRIPTS) == scripts


@pytest.mark.parametrize("name", ["grammar", "registries", "typed", "columns", "findings"])
def test_generated_files_are_up_to_date(name: str) -> None:
    done = run_python(str(ROOT / "tools" / f"make_{name}.py"), "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_floors_name_every_module_and_only_those() -> None:
    block = TEXT.partition("\nsrc/uriverse/\n")[2].partition("\ntools/ ")[0]
    entries = re.findall(r"^[1-6 ]  (\S+(?: \S+)*?)  ", block, re.MULTILINE)
    names = {name.rstrip("/").removesuffix(".py") for entry in entries for name in entry.split()}
    present = {
        path.name.removesuffix(".py")
        for path in PACKAGE.iterdir()
        if path.name not in {"__pycache__", "py.typed"}
    }
    assert names == present


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.c", "_build")
    for folder in ("src", "tools", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    return tmp_path


def insert(path: Path, after: str, text: str) -> None:
    content = path.read_text("utf-8")
    assert content.count(after) == 1, (path, after)
    path.write_text(content.replace(after, after + text), "utf-8")


def run(copy: Path, *arguments: str) -> str:
    environment = {"PYTHONPATH": str(copy / "src"), "URIVERSE_KERNEL": "disable"}
    return run_python(*arguments, cwd=copy, check=True, env=environment).stdout


CODE = """
        "semicolon-last": (
            GENERIC + "3.3",
            "the path ends with a semicolon",
            "remove the semicolon",
            "http://a/b;",
            "http://a/b",
        ),"""
RULE = """\
    if parsed.text.endswith(";"):
        yield Problem("semicolon-last", "path", len(parsed.text) - 1, len(parsed.text))
"""
ASK = """\
import sys, uriverse
for text in sys.argv[1:]:
    print(*(finding.code for finding in uriverse.check(text)))
"""


def test_a_finding_can_be_added_as_the_table_says(copy: Path) -> None:
    row = next(row for row in ROWS if row.subject == "a finding")
    codes, *rules, _findings, _ambiguities, _dots = (name for name in row.names() if "/" in name)
    assert "diagnosis/_rules.py" in rules
    package = copy / "src" / "uriverse"
    insert(package / codes, '    "deprecated": {', CODE)
    path = package / "diagnosis" / "_rules.py"
    insert(path, "    userinfo, bounds = parsed.parts.userinfo, parsed.bounds\n", RULE)
    assert run(copy, "-c", ASK, "http://a/b;", "http://a/b") == "semicolon-last\n\n"
    run(copy, "tools/make_findings.py")
    assert "\n### semicolon-last\n" in (copy / "docs" / "findings.md").read_text("utf-8")
    run(copy, "tools/make_findings.py", "--check")
