import doctest
import importlib
import json
import re
import shutil
import subprocess
import tomllib
import zlib
from collections import Counter, defaultdict
from html.parser import HTMLParser
from pathlib import Path

import pytest

import uriverse

SITE = Path(__file__).resolve().parents[2] / "docs/_build/html"
#: Pages that Sphinx makes for itself.
GENERATED = {"genindex", "py-modindex", "search"}
PAGES = sorted(
    path
    for path in SITE.rglob("*.html")
    if path.stem not in GENERATED and "_static" not in path.parts
)

pytestmark = pytest.mark.skipif(
    not PAGES, reason="needs the site (sphinx-build docs docs/_build/html)"
)

#: Search results cut longer descriptions.
LONGEST_DESCRIPTION = 200

#: The attributes by which elements load something.
LOADING = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    def __init__(self, path: Path) -> None:
        super().__init__()
        self.title = ""
        self.headings = 0
        self.meta: dict[str, str] = {}
        self.images: list[dict[str, str | None]] = []
        self.loaded: list[str] = []
        self.code: list[str] = []
        self.open: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.open.append(tag)
        if tag == "pre":
            self.code.append("")
        self.headings += tag == "h1"
        if tag == "meta" and attributes.get("name"):
            self.meta[str(attributes["name"])] = attributes.get("content") or ""
        if tag == "img":
            self.images.append(attributes)
        address = attributes.get(LOADING.get(tag, ""))
        is_loaded = tag != "link" or attributes.get("rel") in {"stylesheet", "shortcut icon"}
        if address and is_loaded:
            self.loaded.append(address)

    def handle_data(self, data: str) -> None:
        # Images in the page have titles too.
        if self.open[-1:] == ["title"] and "body" not in self.open:
            self.title += data
        if self.open.count("pre") > self.open.count("/pre"):
            self.code[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.open.append(f"/{tag}")


@pytest.fixture(scope="module")
def pages() -> dict[str, Page]:
    return {str(path.relative_to(SITE)): Page(path) for path in PAGES}


def test_each_page_has_a_title_of_its_own(pages: dict[str, Page]) -> None:
    titles = Counter(page.title for page in pages.values())
    assert all(titles)
    assert not [title for title, count in titles.items() if count > 1]


def test_each_page_has_a_description_of_its_own(pages: dict[str, Page]) -> None:
    descriptions = Counter(page.meta.get("description", "") for page in pages.values())
    assert not [name for name, page in pages.items() if not page.meta.get("description")]
    assert not [text for text, count in descriptions.items() if count > 1]
    assert not [text for text in descriptions if len(text) > LONGEST_DESCRIPTION]


def test_each_page_has_one_heading_of_the_first_level(pages: dict[str, Page]) -> None:
    assert {name: page.headings for name, page in pages.items() if page.headings != 1} == {}


def test_each_image_has_a_text_for_those_who_do_not_see_it(pages: dict[str, Page]) -> None:
    assert not [
        (name, image["src"])
        for name, page in pages.items()
        for image in page.images
        if not image.get("alt") or image["alt"] == image["src"]
    ]


def test_nothing_is_loaded_from_other_hosts(pages: dict[str, Page]) -> None:
    assert not [
        (name, address)
        for name, page in pages.items()
        for address in page.loaded
        if "//" in address
    ]


def test_each_page_fits_small_screens_and_has_an_icon(pages: dict[str, Page]) -> None:
    for page in pages.values():
        assert "width=device-width" in page.meta["viewport"]
        assert any(address.partition("?")[0].endswith("favicon.svg") for address in page.loaded)


def test_styles_load_nothing_from_other_hosts() -> None:
    for style in SITE.rglob("*.css"):
        assert "url(http" not in style.read_text("utf-8").replace("'", "").replace('"', "")
        assert "@import" not in style.read_text("utf-8")


#: Pages whose examples continue a DataFrame that another page defines.
ON_SPARK = {"spark.html", "tables.html"}


@pytest.mark.parametrize(
    "path",
    [path for path in PAGES if path.parent.name == "reference" and path.name not in ON_SPARK]
    or [pytest.param(Path(), marks=pytest.mark.skip("the site is not built"))],
    ids=lambda path: path.stem,
)
def test_each_reference_example_works_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark", reason="needs what the site needs (pip install --group docs)")
    if path.stem == "django":
        importlib.import_module("django_site")
        # Other tests define the same models.
        apps = importlib.import_module("django.apps").apps
        monkeypatch.setattr(apps, "all_models", defaultdict(dict))
    # Sphinx shows `<BLANKLINE>` as an empty line, or removes it from the end.
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    examples = [code for code in Page(path).code if code.startswith(">>> ")]
    for code in examples:
        written = re.sub(r"\n(?=\n)", "\n<BLANKLINE>", code.rstrip())
        runner.run(doctest.DocTestParser().get_doctest(written, {}, path.stem, str(path), 0))
    assert runner.failures == 0


@pytest.fixture(scope="module")
def inventory() -> set[str]:
    """Return the names that other sites can link to, as Sphinx reads them."""
    content = (SITE / "objects.inv").read_bytes()
    # Four lines of text precede the compressed lines.
    entries = zlib.decompress(content.split(b"\n", 4)[4]).decode()
    return {line.partition(" ")[0] for line in entries.splitlines()}


@pytest.mark.parametrize("type_", ["URI", "URIReference", "IRI", "IRIReference"])
def test_the_inventory_has_every_member_of_the_four_types(type_: str, inventory: set[str]) -> None:
    kind = getattr(uriverse, type_)
    members = [name for name in dir(kind) if not name.startswith("_") and hasattr(kind, name)]
    assert [name for name in members if f"uriverse.{type_}.{name}" not in inventory] == []


def test_the_inventory_has_names_by_the_module_that_users_import(inventory: set[str]) -> None:
    names = (
        *("uriverse.URI", "uriverse.URI.with_host", "uriverse.Params", "uriverse.Params.getall"),
        *("uriverse.Policy.enforce", "uriverse.check", "uriverse.URN.from_parts"),
        *("uriverse.columns.normalize", "uriverse.diagnosis.CODES", "uriverse.dial.lookup"),
        *("uriverse.http.parse_links", "uriverse.percent.encode", "uriverse.schemes.Registry"),
        "uriverse.typing.Change",
    )
    assert {*names, *(f"uriverse.{name}" for name in uriverse.__all__)} - inventory == set()


TASKS = tomllib.loads((SITE.parents[2] / "docs/tasks.toml").read_text("utf-8"))
needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="needs Node.js (apt-get install nodejs)"
)

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


@needs_node
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


@needs_node
def test_the_queries_of_new_users_are_tasks() -> None:
    first = {query: found[0] for query, found in search(*NEW_USERS).items()}
    assert first == NEW_USERS


@needs_node
def test_guides_precede_other_pages_and_names_precede_guides() -> None:
    found = search(*OTHER_QUERIES)
    first = {query: found[query][0].partition("#")[0] for query in OTHER_QUERIES}
    assert first == OTHER_QUERIES
