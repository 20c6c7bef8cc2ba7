"""Run Python in another process."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


def run_python(
    *words: str,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float | None = None,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run Python with arguments, and with changes to the environment; capture what it prints."""
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=check,
    )
