from collections.abc import Iterator

import pytest
from make_names import write_page
from migration_tables import (
    CODE,
    ENCODED,
    FOLDER,
    OURS,
    PEERS,
    REASONS,
    Row,
    compare,
    compare_row,
    rows,
    scope_with,
    why_not_runnable,
)

TEXTS = {page: (FOLDER / page).read_text("utf-8") for page in PEERS}
ROWS = [row for page, text in TEXTS.items() for row in rows(page, text)]

#: The everyday idioms that are longer than those of yarl, with what they say that yarl cannot.
LONGER = {
    'url.with_query({"a": "b c"})': "params are data; with_query takes a query as written",
    'url.update_query(q="x", page=4)': "params are data",
    'URL.build(scheme="ws", host="a", path="/", query={"b": "c d"})': "params are data",
    'url % {"q": "x"}': "the values are replaced, not added",
    'url.with_user("me")': "the name is `username`, as it is for reading",
    "url.with_user(None)": "the name is `username`",
    'URL.build(scheme="ftp", host="a", user="me", path="/b")': "the name is `username`",
    "url.relative()": "the result is a relative reference for every URI, even for http://a//b",
}


def require(page: str) -> None:
    if reason := why_not_runnable(page, TEXTS[page]):
        pytest.skip(reason)


def named(row: Row) -> str:
    """Return the name of a test: its page and the first cell of its row."""
    return f"{row.page} {row.cells[0]}"


def outcome(string: str, names: str, result: str) -> str:
    """Return what a library makes of a string, as the tables write it."""
    scope = scope_with(names) | {"string": string}
    try:
        written = eval(result, scope)
    except Exception:  # noqa: BLE001  # each library has its own exceptions
        return "error"
    return "unchanged" if written == string else f"`{written}`"


@pytest.mark.parametrize("row", [row for row in ROWS if row.is_idiom], ids=named)
def test_an_idiom_has_the_result_in_the_table(row: Row) -> None:
    require(row.page)
    assert compare_row(row) == row.cells[2]


@pytest.mark.parametrize("page", PEERS)
def test_the_tables_of_a_page_are_generated(page: str) -> None:
    require(page)
    assert write_page(page) == TEXTS[page]


def test_values_of_an_encoded_url_that_differ_are_not_called_the_same() -> None:
    require("urllib.md")
    assert compare("urllib.md", "parts.path", "uri.path") == "same"
    assert compare("urllib.md", "parts.username", "uri.username") == "`'u%40x'`, `'u@x'`"
    assert f"`{ENCODED}`" in (FOLDER / "index.md").read_text("utf-8").replace("\n", " ")


def test_each_reason_for_a_difference_is_in_a_table() -> None:
    assert {code for row in ROWS for code in CODE.findall(row.cells[0])} >= set(REASONS)


def test_names_that_both_libraries_have_with_other_values_are_listed() -> None:
    for page, names in [
        ("yarl.md", ("path", "fragment", "authority", "host", "query")),
        ("httpx.md", ("path", "fragment", "host")),
        ("hyperlink.md", ("path", "fragment", "host", "query", "userinfo")),
        ("furl.md", ("host",)),
    ]:
        section = TEXTS[page].partition("<!-- shared names -->")[2].partition("<!-- end -->")[0]
        cells = {row.cells[1]: row.cells[2] for row in rows(page, section)}
        for name in names:
            assert cells[f"`uri.{name}`"] not in {"", "same"}


def idioms(page: str, heading: str) -> Iterator[tuple[str, str]]:
    section = TEXTS[page].partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    for row in rows(page, section):
        yield from zip(*map(CODE.findall, row.cells[:2]), strict=True)


def test_no_everyday_idiom_is_longer_than_that_of_yarl() -> None:
    everyday = list(idioms("yarl.md", "Everyday idioms"))
    assert len(everyday) >= 20
    longer = {theirs for theirs, ours in everyday if len(ours) > len(theirs)}
    assert longer == set(LONGER)


@pytest.mark.parametrize("row", [row for row in ROWS if row.is_string], ids=named)
def test_a_string_has_the_result_in_the_table(row: Row) -> None:
    peer = PEERS[row.page]
    string = row.cells[0].strip("`")
    assert outcome(string, OURS, "str(parse(string))") == row.cells[2]
    require(row.page)
    assert outcome(string, peer.names, peer.result) == row.cells[1]
