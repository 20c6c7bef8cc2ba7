from contextlib import chdir
from pathlib import Path

from commands import run

ROOT = Path(__file__).resolve().parents[2]

#: The documentation site contains the playground, which is built with it.
BUILT = (
    "docs/playground.md:5:13: error dead-link: no file docs/playground/index.html (rules of Sphinx)"
)


def test_no_link_is_dead() -> None:
    documents = [path.name for path in ROOT.glob("*.md")]
    folders = ["docs", "benchmarks", "compare", "conformance", "fuzz", "links"]
    with chdir(ROOT):
        result = run("dead", *documents, *folders)
    lines = [line for line in result.stdout.replace("\\", "/").splitlines() if line != BUILT]
    assert (lines, result.stderr) == ([], "")
