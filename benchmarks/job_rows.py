"""The rows that the jobs with columns of URLs process: hits of web pages, and redirects."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import duckdb
import polars as pl

from uriverse import is_uri
from uriverse.columns.duckdb import register

SEED = 3986
START = datetime(2026, 1, 1, tzinfo=UTC)

#: The start of the address of a page.
PAGE = re.compile("https://[^/?#:@]+/")
#: Hosts that every job can find, beside those of the pages.
HOSTS = ("www.example.com", "shop.example.co.uk", "example.co.uk", "notexample.co.uk")
TRACKING = ("utm_source=news&utm_medium=email", "gclid=Cj0KCQ", "fbclid=IwAR2")
ADDRESSES = ("10.0.0.7", "192.168.1.1", "172.20.0.3", "127.0.0.1", "9.9.9.9", "xn--80ak6aa92e.com")
REQUESTS = ("/users/me", "/users/{n}", "/users/{n}/orders?page={n}", "/assets/{n}.js")
#: The columns of the table of hits. All rows of a column of URLs are distinct.
HITS = ("visitor", "time", "url", "link", "target", "typed", "line", "shown", "request")


@dataclass
class Tables:
    """The tables that a job reads: as Polars frames, and in a DuckDB database.

    Attributes:
        hits: a row for each page that a visitor opened; see `HITS`.
        moves: redirects, from the URLs in `old` to those in `new`.
        connection: the database, in which the column functions are registered.
    """

    hits: pl.DataFrame
    moves: pl.DataFrame
    connection: duckdb.DuckDBPyConnection = field(default_factory=duckdb.connect)

    def __post_init__(self) -> None:
        register(self.connection)
        self.connection.register("frame", self.hits)
        self.connection.execute("CREATE TABLE hits AS SELECT * FROM frame")
        self.connection.unregister("frame")

    def sql(self, query: str) -> pl.DataFrame:
        """Return the result of a query."""
        result: pl.DataFrame = self.connection.sql(query).pl()
        return result


def column(name: str) -> Any:
    """Return a Polars column. Type checkers do not know its namespace `uri`."""
    return pl.col(name)


def tables_of(texts: Sequence[str], rows: int) -> Tables:
    """Return tables with as many hits, whose URLs vary those of web pages."""
    pages = [text for text in texts if PAGE.match(text) and is_uri(text)]
    hits = list(hits_of(pages, rows))
    old = [other_spelling(hit["url"]) for hit in hits[::10]]
    new = [f"https://new.example/{n}" for n in range(len(old))]
    return Tables(pl.DataFrame(hits), pl.DataFrame({"old": old, "new": new}))


def given(hits: Mapping[str, Sequence[Any]], moves: Mapping[str, Sequence[str]] | None) -> Tables:
    """Return tables with only these columns."""
    return Tables(pl.DataFrame(hits), pl.DataFrame(moves or {"old": [], "new": []}))


def other_spelling(url: str) -> str:
    """Return an equivalent URL: with its default port, or with capital letters in its host."""
    host, slash, rest = url.removeprefix("https://").partition("/")
    other = f"{host}:443" if host[-1] < "m" else host.title()
    return f"https://{other}{slash}{rest}"


def hits_of(pages: Sequence[str], rows: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of hits. One URL of ten is another spelling of the one before."""
    chance = random.Random(SEED)  # noqa: S311
    url = page = ""
    for n in range(rows):
        if n % 10 == 9:
            url = other_spelling(url)
        else:
            page = pages[n % len(pages)].partition("#")[0]
            host, _, path = page.removeprefix("https://").partition("/")
            if chance.random() < 0.1:
                host = chance.choice(HOSTS)
            url = with_query(f"https://{host}/{n:x}/{path}", chance, n)
        yield {
            "visitor": chance.randrange(rows // 20 + 1),
            "time": START + timedelta(seconds=n),
            "url": url,
            "link": link(chance, n),
            "target": target(pages, chance, n),
            "typed": typed(url, chance),
            "line": line(url, chance, n),
            "shown": shown(url, chance),
            "request": chance.choice(REQUESTS).format(n=n),
        }


def with_query(url: str, chance: random.Random, n: int) -> str:
    """Add parameters to some URLs, and a fragment to a few."""
    added = [f"q=blue+shoes%21{n}"] * (chance.random() < 0.1)
    added += [chance.choice(TRACKING)] * (chance.random() < 0.3)
    separator = "&" if "?" in url else "?"
    fragment = "#top" if chance.random() < 0.05 else ""
    return url + separator * bool(added) + "&".join(added) + fragment


def link(chance: random.Random, n: int) -> str:
    forms = (
        "/a/{n}.html",
        "../b/{n}",
        "c/{n}?d",
        "#e{n}",
        "https://f.example/{n}",
        "//g.example/{n}",
    )
    return chance.choice(forms).format(n=n)


def target(pages: Sequence[str], chance: random.Random, n: int) -> str:
    """Return the URL of another page, which is often on the same site, or has an IP address."""
    if chance.random() < 0.02:
        return f"http://{chance.choice(ADDRESSES)}/{n}"
    host = pages[(n if chance.random() < 0.6 else n * 7) % len(pages)].split("/")[2]
    return f"https://{host}/t{n}"


def typed(url: str, chance: random.Random) -> str:
    """Return a URL as someone types it: sometimes with a space, or without a scheme."""
    bare = url.removeprefix("https://").replace(":443/", "/", 1)
    malformed = (f" {url}", f"{url} ", bare, f"{url}/a b", f"{url}/\u00e9")
    return chance.choice(malformed) if chance.random() < 0.02 else url


def line(url: str, chance: random.Random, n: int) -> str:
    """Return a line of a log, sometimes with a password or a token."""
    if chance.random() < 0.02:
        url = url.replace("://", f"://me:pw{n}@", 1)
    elif chance.random() < 0.02:
        url += f"{'&' if '?' in url else '?'}token={n}"
    return f'10.0.0.1 - [01/Jan/2026] "GET {url} HTTP/1.1" 200 {n}'


def shown(url: str, chance: random.Random) -> str:
    if chance.random() < 0.02:
        return f"https://xn--bcher-kva.example/%C3%A9/{url.split('/', 3)[3]}"
    return url
