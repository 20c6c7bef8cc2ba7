"""Run the test suites of other projects with `uriverse.compat.urllib` in place of `urllib.parse`.

Each suite runs twice: as it is, and with the replacement. The command fails if a test fails only
with the replacement and makes no call whose result differs as the guide documents, or if the
results of any call differ in another way. It installs packages in the environment that runs it:

    python tools/urllib_suites.py [PROJECT ...]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

TOOLS = Path(__file__).resolve().parent


class Project(NamedTuple):
    """A release whose source distribution contains its tests."""

    version: str
    requires: tuple[str, ...] = ()
    tests: tuple[str, ...] = ("tests",)


PROJECTS = {
    "requests": Project(
        "2.34.2",
        ("requests[socks]", "pytest-httpbin==2.1.0", "httpbin~=0.10.0", "pytest-mock", "trustme"),
    ),
    "w3lib": Project("2.5.0"),
    "courlan": Project(
        "1.4.0", ("pytest-httpserver",), ("tests/unit_tests.py", "tests/urlstore_tests.py")
    ),
    "furl": Project("2.1.4"),
    "url-normalize": Project("3.1.0"),
}


def run(name: str, folder: Path) -> bool:
    """Run the tests of a project twice, and return whether all differences are documented."""
    project = PROJECTS[name]
    pip = [sys.executable, "-m", "pip", "-q"]
    pinned = f"{name}=={project.version}"
    subprocess.run(
        [*pip, "install", "hypothesis>=6.148", "pytest", pinned, *project.requires], check=True
    )
    subprocess.run(
        [*pip, "download", "--no-deps", "--no-binary", name, "-d", folder, pinned], check=True
    )
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        files.extractall(folder, filter="data")
    (root,) = (one for one in folder.iterdir() if one.is_dir())
    # The settings of the project need other plugins.
    (root / "pytest.ini").write_text("[pytest]\n", "utf-8")
    theirs, ours = (report(project, root, swap=swap) for swap in (False, True))
    added = {test: why for test, why in ours["failed"].items() if test not in theirs["failed"]}
    gone = set(theirs["passed"]) - set(ours["passed"]) - set(ours["failed"])
    reasons = Counter(reason for why in added.values() for reason in why)
    wrong = [f"not documented: {test}" for test, why in added.items() if not why]
    wrong += [f"does not run: {test}" for test in gone]
    wrong += [f"differs: {call}" for call in ours["unexplained"]]
    print(
        f"{name} {project.version}: {len(theirs['passed'])} passed and {len(theirs['failed'])} "
        f"failed before; {len(added)} more fail with the replacement {dict(reasons)}",
        *(f"  {line}" for line in wrong),
        sep="\n",
        flush=True,
    )
    return bool(theirs["passed"]) and not wrong


def report(project: Project, root: Path, *, swap: bool) -> Any:
    """Run the tests of a project, and return the report of the plugin."""
    target = root.parent / "report.json"
    variables = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(
            [str(TOOLS), str(TOOLS.parent / "tests/support"), os.environ.get("PYTHONPATH", "")]
        ),
        # w3lib names tests after the order of a set.
        "PYTHONHASHSEED": "0",
        "URLLIB_REPORT": str(target),
        **({"URLLIB_SWAP": "1"} if swap else {}),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "urllib_plugin",
        "--tb=no",
        "--hypothesis-seed=0",
    ]
    subprocess.run(
        [*command, *project.tests],
        cwd=root,
        env=variables,
        check=False,
        stdout=subprocess.DEVNULL,
    )
    return json.loads(target.read_text("utf-8"))


def main() -> int:
    results = []
    for name in sys.argv[1:] or PROJECTS:
        with TemporaryDirectory() as folder:
            results.append(run(name, Path(folder)))
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
