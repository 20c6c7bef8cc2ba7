"""Jobs with columns of URLs in Polars: with uriverse, and as one would write them without it."""

from __future__ import annotations

from functools import cache
from typing import Any
from urllib.parse import quote, unquote, urljoin, urlsplit, urlunsplit

import polars as pl
from job_rows import Tables, column
from publicsuffixlist import PublicSuffixList

import uriverse.columns.polars  # noqa: F401  # It registers the namespace `uri`.
from uriverse.columns import uri
from uriverse.templates import Router

ROUTES = {"me": "/users/me", "user": "/users/{id}", "orders": "/users/{id}/orders{?page}"}


def parse(tables: Tables) -> pl.DataFrame:
    fields = ["scheme", "host", "port", "path", "query"]
    return tables.hits.select(column("url").uri.parse(fields=fields)).unnest("url")


def parse_without(tables: Tables) -> pl.DataFrame:
    pattern = (
        r"^(?<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?:[^@/?#]*@)?"
        r"(?<host>\[[^\]/?#]*\]|[^:/?#]*)(?::(?<port>[0-9]*))?"
        r"(?<path>[^?#]*)(?:\?(?<query>[^#]*))?"
    )
    return tables.hits.select(pl.col("url").str.extract_groups(pattern)).unnest("url")


def drop_tracking(tables: Tables) -> pl.DataFrame:
    clean = column("url").uri.filter_params(drop=["utm_*", "gclid", "fbclid"])
    return tables.hits.select(clean.uri.without_fragment())


def drop_tracking_without(tables: Tables) -> pl.DataFrame:
    clean = (
        pl.col("url")
        .str.replace(r"#.*$", "")
        .str.replace_all(r"([?&])(?:utm_[^=&]*|gclid|fbclid)(?:=[^&]*)?", "$1")
        .str.replace_all(r"&&+", "&")
        .str.replace(r"\?&", "?")
        .str.replace(r"[?&]$", "")
    )
    return tables.hits.select(clean)


def join(tables: Tables) -> pl.DataFrame:
    key, old = column("url").uri.fingerprint("scheme"), column("old").uri.fingerprint("scheme")
    joined = tables.hits.join(tables.moves, left_on=key, right_on=old)
    return joined.select("url", "new")


def join_without(tables: Tables) -> pl.DataFrame:
    def key(url: pl.Expr) -> pl.Expr:
        start = url.str.extract(r"^([^:/?#]+://[^/?#]*)").str.to_lowercase()
        start = start.str.replace(r"^(https://.*):443$", "$1").str.replace(
            r"^(http://.*):80$", "$1"
        )
        return start + url.str.extract(r"^[^:/?#]+://[^/?#]*([^#]*)")

    joined = tables.hits.join(tables.moves, left_on=key(pl.col("url")), right_on=key(pl.col("old")))
    return joined.select("url", "new")


def count_sites(tables: Tables) -> pl.DataFrame:
    return tables.hits.group_by(site=column("url").uri.registrable_domain()).len()


def count_sites_without(tables: Tables) -> pl.DataFrame:
    site_of = cache(PublicSuffixList().privatesuffix)
    host = pl.col("url").str.extract(r"^[^:/?#]+://(?:[^/?#@]*@)?([^/?#:]*)").str.to_lowercase()
    site = host.map_elements(site_of, pl.String)
    return tables.hits.group_by(site=site).len()


def resolve(tables: Tables) -> pl.DataFrame:
    return tables.hits.select(column("link").uri.resolve(pl.col("url")))


def resolve_without(tables: Tables) -> pl.DataFrame:
    link = pl.struct("url", "link").map_elements(
        lambda row: urljoin(row["url"], row["link"]), pl.String
    )
    return tables.hits.select(link.alias("link"))


def redact(tables: Tables) -> pl.DataFrame:
    return tables.hits.select(column("line").uri.redact())


def redact_without(tables: Tables) -> pl.DataFrame:
    names = "access_token|token|api_key|key|password|secret|signature|sig"
    line = (
        pl.col("line")
        .str.replace_all(r"(://[^/\s:@]*):[^/\s@]*@", "$1:REDACTED@")
        .str.replace_all(rf"(?i)([?&#](?:{names})=)[^&#\s]*", "${1}REDACTED")
    )
    return tables.hits.select(line)


def repair(tables: Tables) -> pl.DataFrame:
    return tables.hits.select(column("typed").uri.repair(scheme="https"))


def repair_without(tables: Tables) -> pl.DataFrame:
    typed = pl.col("typed").str.strip_chars()
    typed = pl.when(typed.str.contains("://")).then(typed).otherwise("https://" + typed)
    safe = "%/:=&?~#+!$,;'@()*[]"
    url = typed.map_elements(lambda url: quote(url, safe=safe), pl.String)
    return tables.hits.select(url.alias("typed"))


def display(tables: Tables) -> pl.DataFrame:
    return tables.hits.select(column("shown").uri.display())


def display_without(tables: Tables) -> pl.DataFrame:
    def readable(url: str) -> str:
        parts = urlsplit(url)
        host = parts.netloc.encode().decode("idna")
        path = unquote(parts.path).replace(" ", "%20")
        return urlunsplit(parts._replace(netloc=host, path=path))

    return tables.hits.select(pl.col("shown").map_elements(readable, pl.String))


def several(tables: Tables) -> pl.DataFrame:
    facts = column("url").uri.select(
        host=uri.hostname(),
        site=uri.registrable_domain(),
        page=uri.normalize(scheme=True),
        depth=uri.path_depth(),
    )
    return tables.hits.select(facts.struct.unnest())


def several_without(tables: Tables) -> pl.DataFrame:
    url = pl.col("url")
    site_of = cache(PublicSuffixList().privatesuffix)
    start = url.str.extract(r"^([^:/?#]+://[^/?#]*)").str.to_lowercase()
    start = start.str.replace(r"^(https://.*):443$", "$1").str.replace(r"^(http://.*):80$", "$1")
    path = url.str.extract(r"^[^:/?#]+://[^/?#]*([^?#]*)")
    host = start.str.extract(r"//(?:[^@]*@)?([^:]*)")
    return tables.hits.select(
        host=host,
        site=host.map_elements(site_of, pl.String),
        page=start + url.str.extract(r"^[^:/?#]+://[^/?#]*(.*)"),
        depth=path.str.split("/").list.filter(pl.element() != "").list.len().cast(pl.Int64),
    )


def route(tables: Tables) -> pl.DataFrame:
    router: Any = Router(ROUTES)
    return tables.hits.group_by(route=column("request").uri.route(router)).len()


def route_without(tables: Tables) -> pl.DataFrame:
    path = pl.col("request")
    route = (
        pl.when(path.str.contains(r"^/users/me$"))
        .then(pl.lit("me"))
        .when(path.str.contains(r"^/users/[^/?#]+$"))
        .then(pl.lit("user"))
        .when(path.str.contains(r"^/users/[^/?#]+/orders(\?page=[^&#]*)?$"))
        .then(pl.lit("orders"))
    )
    return tables.hits.group_by(route=route).len()
