import importlib.metadata
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from uriverse import URI, ParseError, __version__

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
INDEX = (ROOT / "docs/index.md").read_text("utf-8")
SVG = "{http://www.w3.org/2000/svg}"

DISPUTED = "http://good.example\\@evil.example/"


def test_the_readme_is_short_and_has_one_installation_passage() -> None:
    assert len(README.splitlines()) <= 150
    assert re.findall(r"^#+ .*install.*$", README, re.IGNORECASE | re.MULTILINE) == ["## Install"]


@pytest.mark.parametrize("text", [README, INDEX], ids=["README", "index"])
def test_both_state_the_version_and_where_the_source_is(text: str) -> None:
    assert re.findall(r"version (\d+\.\d+\.\d+)", text) == [__version__]
    assert "[source](https://github.com/uriverse/uriverse)" in text


def test_the_first_screen_shows_a_disputed_url_the_install_line_and_the_speed() -> None:
    first = INDEX.partition("\n# uriverse\n")[2].partition("\n## ")[0]
    shown = re.findall(r"images/(\w+)\.svg|^(pip install)", first, re.MULTILINE)
    assert ["".join(one) for one in shown] == ["disputed", "pip install", "speed"]


def figure() -> list[str]:
    """Return the lines of text in the figure of the disputed URL."""
    root = ET.parse(ROOT / "docs/images/disputed.svg")
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_the_figure_shows_the_disputed_url_and_the_error_of_uriverse() -> None:
    lines = figure()
    assert "".join(lines[:5]) == DISPUTED
    with pytest.raises(ParseError) as caught:
        URI(DISPUTED)
    assert str(caught.value).startswith(f"{lines[-1]}\n")


#: How to get the host from the parsers of the figure that are Python packages.
HOSTS: dict[str, Callable[[Any], str | None]] = {
    "urllib.parse": lambda _: urlsplit(DISPUTED).hostname,
    "httpx": lambda httpx: httpx.URL(DISPUTED).host,
    "pydantic": lambda pydantic: pydantic.AnyUrl(DISPUTED).host,
    "requests": lambda requests: urlsplit(requests.Request("GET", DISPUTED).prepare().url).hostname,
    "urllib3": lambda urllib3: urllib3.util.parse_url(DISPUTED).host,
}


@pytest.mark.parametrize("name", sorted(HOSTS))
def test_the_figure_shows_the_host_that_each_package_finds(name: str) -> None:
    package = pytest.importorskip(name, reason=f"needs {name} (pip install --group test-all)")
    lines = figure()
    left, right = lines.index("the host, according to"), len(lines) - 2
    middle = lines.index("the host, according to", left + 1)
    groups = {"good.example": lines[left:middle], "evil.example": lines[middle:right]}
    host = HOSTS[name](package)
    assert [one for one, names in groups.items() if name in " ".join(names)] == [host]


def test_no_table_of_the_readme_has_an_empty_cell() -> None:
    rows = [line.strip("|").split("|") for line in README.splitlines() if line.startswith("|")]
    assert rows
    assert [row for row in rows if not all(cell.strip() for cell in row)] == []


def test_the_comparison_table_of_the_readme_is_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = re.findall(r"(\w+)\s(\d+\.\d+\.\d+)", README.partition("other software: ")[2])
    assert len(versions) == 5
    for name, version in versions:
        pytest.importorskip(name, reason=f"needs {name} (pip install --group bench)")
        if importlib.metadata.version(name) != version:
            pytest.skip(f"the README describes {name} {version}")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    comparison = import_module("comparison")
    printed = list(comparison.table([library() for library in comparison.LIBRARIES]))
    del sys.modules["comparison"]
    start = README.index(printed[0])
    assert README[start:].splitlines()[: len(printed)] == printed
