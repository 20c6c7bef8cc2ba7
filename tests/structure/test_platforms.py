"""Modules that Windows does not have are imported only where they are used."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "tools", "benchmarks", "compare", "conformance", "fuzz", "docs", "links")

#: Modules of the standard library that Windows does not have.
UNIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"}


def imported_with_the_module(source: str) -> set[str]:
    """Return the modules that the top level of a module imports, outside conditions."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(str(node.module))
    return found


def test_modules_of_unix_are_not_imported_on_every_platform() -> None:
    paths = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    assert paths
    for path in paths:
        found = imported_with_the_module(path.read_text("utf-8")) & UNIX_ONLY
        assert found == set(), path


def test_an_import_at_the_top_level_is_found() -> None:
    source = "import os, fcntl\nfrom resource import getrusage\nif os.name == 'nt':\n    import pty"
    assert imported_with_the_module(source) & UNIX_ONLY == {"fcntl", "resource"}
