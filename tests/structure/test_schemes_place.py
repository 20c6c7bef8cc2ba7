"""The rules of a scheme stand in `schemes/` and `views/`, and nowhere else."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import uriverse
from uriverse.schemes.registry import MODULES, RULES, VIEWS

PACKAGE = Path(uriverse.__file__).parent

#: The schemes that have rules of their own.
NAMES = {*RULES, *MODULES, *VIEWS}

#: Strings outside that equal the name of a scheme, and are no rule of it.
NO_RULES = {
    # Which schemes may hold a colon before an "@" without a password: it decides what to mask.
    "redaction.py": {"data", "mailto", "tag", "tel", "urn"},
    # The default of `Policy(schemes=...)`.
    "policy.py": {"http", "https"},
    # The scheme that is advised, and guessed from a host, where none is written.
    "_spec/messages.py": {"https"},
    "cli/editing.py": {"http", "ftp", "ldap"},
    # URLs of the web, which are also looked for where they are invalid.
    "extraction.py": {"https"},
    # The name of the class.
    "__init__.py": {"urn"},
    # A file, as an option, a key or a column of a table is called.
    "cli/columns.py": {"file"},
    "cli/lines.py": {"file"},
    "tables/local.py": {"file"},
    "tables/spark.py": {"file"},
    "cli/checking.py": {"file"},
    "cli/extracting.py": {"file"},
}


def names_in(source: str) -> set[str]:
    """The names of schemes that a source compares with or looks up, as strings of their own."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(re.sub(r":(//)?$", "", node.value).lower())
    return found & NAMES


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in {"schemes", "views", "_grammar"}
    ],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_no_rule_of_a_scheme_stands_elsewhere(path: Path) -> None:
    allowed = NO_RULES.get(path.relative_to(PACKAGE).as_posix(), set())
    assert names_in(path.read_text("utf-8")) <= allowed


@pytest.mark.parametrize(
    "source",
    ['if scheme == "mailto": ...', 'x = {"urn": 1}', 'text.startswith("file://")', '"TEL:"'],
)
def test_a_rule_is_seen_however_it_is_written(source: str) -> None:
    assert names_in(source)


def test_the_kernel_knows_schemes_in_one_file_only() -> None:
    defined = r"(?:cdef|def) .*\b(?:is_web|is_file|know_schemes|rules_of|by_rules)\("
    defining = {
        path.name
        for path in (PACKAGE / "_kernel").glob("*.p*")
        if re.search(defined, path.read_text("utf-8"))
    }
    assert defining == {"schemes.pxi"}
