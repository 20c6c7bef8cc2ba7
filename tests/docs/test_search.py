"""The search field of the built site finds the guide that answers a question first."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "docs/_build/html"
TASKS = tomllib.loads((ROOT / "docs/tasks.toml").read_text("utf-8"))

pytestmark = [
    pytest.mark.skipif(
        not (SITE / "searchindex.js").exists(),
        reason="needs the site (sphinx-build docs docs/_build/html)",
    ),
    pytest.mark.skipif(
        shutil.which("node") is None, reason="needs Node.js (apt-get install nodejs)"
    ),
]

#: Queries of new users, and the section that answers each.
NEW_USERS = {
    "remove tracking parameters": "how-to/query-parameters#remove-parameters",
    "encode query parameter": "how-to/build#build-a-query-from-data",
    "port": "how-to/edit#read-or-change-the-port",
    "punycode": "how-to/international#convert-an-iri-to-a-uri",
}

#: Queries that are not phrases of `docs/tasks.toml`, and the page that is found first.
OTHER_QUERIES = {
    "tracking": "how-to/query-parameters",
    "remove utm": "how-to/query-parameters",
    "internationalized": "how-to/international",
    "with_host": "reference/building",
    "comparison_key": "reference/comparing",
    "URI.resolve": "reference/resolving",
    "PolicyError": "reference/errors",
}


def search(*queries: str) -> dict[str, list[str]]:
    """Return what the search page shows for each query, best first: pages with anchors."""
    done = subprocess.run(
        ["node", str(Path(__file__).with_name("search.js")), str(SITE)],
        input=json.dumps(queries),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def test_each_task_is_found_first_by_each_of_its_phrases() -> None:
    expected = {
        phrase: f"{page}#{anchor}"
        for page, sections in TASKS.items()
        for anchor, phrases in sections.items()
        for phrase in phrases
    }
    found = search(*expected)
    assert {phrase: found[phrase][0] for phrase in expected} == expected


def test_each_phrase_names_one_section() -> None:
    phrases = [phrase for page in TASKS.values() for section in page.values() for phrase in section]
    assert len(set(phrases)) == len(phrases)


def test_the_queries_of_new_users_are_tasks() -> None:
    first = {query: found[0] for query, found in search(*NEW_USERS).items()}
    assert first == NEW_USERS


def test_guides_precede_other_pages_and_names_precede_guides() -> None:
    found = search(*OTHER_QUERIES)
    first = {query: found[query][0].partition("#")[0] for query in OTHER_QUERIES}
    assert first == OTHER_QUERIES
