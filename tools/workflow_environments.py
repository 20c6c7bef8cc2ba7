"""Build the environments of the workflows as the workflows do, and run their commands there.

    tools/workflow_environments.py [SITE_PACKAGES]

The commands are read from the workflows. The README's test command already builds the environment
of `.[test]`. Tests that also run elsewhere are only collected. The newest pip is installed, because
the one of the system may not know dependency groups. SITE_PACKAGES is
a folder that contains uriverse with a compiled kernel, which is copied.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

#: A command of a workflow on a line of its own.
COMMAND = re.compile(r"^ *(?:- )?run: (?!\|)(.+)$|^  [\w-]+:$", re.MULTILINE)

#: Environments and commands to skip: those of other steps of `.ci/run` and `.ci/extended`, and
#: those that need a network, a browser or hours.
ELSEWHERE = re.compile(
    r'python -m pip install (?:-e )?"\.\[test\]"(?: atheris)?$|pip install --no-cache-dir \.$'
    r"|pipx |bash \.ci/|python tools/make_playground|.* -b linkcheck |fuzz/run "
)


def environments(text: str) -> list[list[str]]:
    """Return the commands of each environment: `pip install`, and those that follow in the job."""
    found: list[list[str]] = []
    installed = False
    for match in COMMAND.finditer(text):
        command = match[1]
        if command is None:
            installed = False  # The next job begins.
        elif "pip install " in command:
            installed = not ELSEWHERE.match(command)
            found += [[command]] if installed else []
        elif installed and not ELSEWHERE.match(command):
            found[-1].append(command)
    return found


def run(commands: list[str], kernels: list[Path]) -> None:
    """Run the commands of an environment, with the given files of the compiled kernel."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True, upgrade_deps=True)
        # Compiling the kernel takes long, and does not depend on the packages.
        environment = {
            **os.environ,
            "PATH": f"{folder}/bin:{os.environ['PATH']}",
            "PIP_QUIET": "1",
            "URIVERSE_KERNEL": "disable",
        }
        for command in commands:
            if command.startswith("python -m pytest -n auto"):
                command += " --collect-only -qq"  # noqa: PLW2901
            sys.stdout.write(f"$ {command}\n")
            sys.stdout.flush()
            subprocess.run(["bash", "-c", command], env=environment, check=True)  # noqa: S603, S607
            for package in Path(folder).glob("lib/python*/site-packages/uriverse/_kernel"):
                for kernel in kernels:
                    shutil.copy(kernel, package)
            environment["URIVERSE_KERNEL"] = "require" if kernels else "disable"


def main() -> None:
    kernels = [
        kernel for name in sys.argv[1:] for kernel in Path(name).glob("uriverse/_kernel/*.so")
    ]
    for workflow in sorted(Path(".github/workflows").glob("*.yml")):
        for commands in environments(workflow.read_text("utf-8")):
            run(commands, kernels)


if __name__ == "__main__":
    main()
