"""Jobs with columns of URLs in DuckDB: with uriverse, and as one would write them without it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from publicsuffixlist import PublicSuffixList

if TYPE_CHECKING:
    import polars as pl
    from job_rows import Tables


def filter_sites(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT url FROM hits
        WHERE uri_hostname(url) = 'www.example.com'
            OR uri_registrable_domain(url) = 'example.co.uk'
    """)


def filter_sites_without(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT url FROM (
            SELECT url, lower(regexp_extract(url, '^[^:/?#]+://([^/?#@]*@)?([^/?#:]*)', 2)) AS host
            FROM hits
        )
        WHERE host IN ('www.example.com', 'example.co.uk') OR host LIKE '%.example.co.uk'
    """)


def deduplicate(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT min(url) AS url, count(*) AS copies
        FROM hits GROUP BY uri_normalize(url, {'scheme': true})
    """)


def deduplicate_without(tables: Tables) -> pl.DataFrame:
    return tables.sql(r"""
        SELECT min(url) AS url, count(*) AS copies FROM (
            SELECT url, lower(regexp_extract(url, '^[^:/?#]+://[^/?#]*')) AS start,
                regexp_extract(url, '^[^:/?#]+://[^/?#]*(.*)', 1) AS rest
            FROM hits
        )
        GROUP BY regexp_replace(start, '^(https://.*):443$|^(http://.*):80$', '\1\2') || rest
    """)


def param(tables: Tables) -> pl.DataFrame:
    return tables.sql("SELECT uri_query_param(url, 'q') AS q FROM hits")


def param_without(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT url_decode(replace(nullif(part, ''), '+', ' ')) AS q FROM (
            SELECT regexp_extract(url, '[?&]q=([^&#]*)', 1) AS part FROM hits
        )
    """)


def validate(tables: Tables) -> pl.DataFrame:
    return tables.sql("SELECT typed FROM hits WHERE uri_is_valid(typed, 'iri') IS NOT TRUE")


def validate_without(tables: Tables) -> pl.DataFrame:
    return tables.sql(r"""
        SELECT typed FROM hits WHERE regexp_full_match(typed,
            'https?://[\w.~-]+(:\d+)?([/?][^\s"#<>\\^`{|}]*)?(#[^\s"#<>\\^`{|}]*)?'
        ) IS NOT TRUE
    """)


def surt(tables: Tables) -> pl.DataFrame:
    return tables.sql("SELECT url FROM hits ORDER BY uri_surt(url), url")


def surt_without(tables: Tables) -> pl.DataFrame:
    return tables.sql(r"""
        SELECT url FROM (
            SELECT url,
                lower(regexp_extract(url, '^[^:/?#]+://([^/?#@]*@)?([^/?#:]*)', 2)) AS host,
                regexp_extract(url, '^[^:/?#]+://[^/?#]*([^#]*)', 1) AS rest
            FROM hits
        )
        ORDER BY array_to_string(list_reverse(string_split(host, '.')), ',') || ')' || rest, url
    """)


def sessions(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT visitor, origin, count(*) AS pages, min(time) AS start FROM (
            SELECT *, count(*) FILTER (first) OVER visits AS session FROM (
                SELECT *, coalesce(time - lag(time) OVER visits > INTERVAL 30 MINUTE, true) AS first
                FROM (SELECT visitor, time, uri_origin(url) AS origin FROM hits)
                WINDOW visits AS (PARTITION BY visitor, origin ORDER BY time)
            )
            WINDOW visits AS (PARTITION BY visitor, origin ORDER BY time)
        )
        GROUP BY visitor, origin, session
    """)


def sessions_without(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT visitor, origin, count(*) AS pages, min(time) AS start FROM (
            SELECT *, count(*) FILTER (first) OVER visits AS session FROM (
                SELECT *, coalesce(time - lag(time) OVER visits > INTERVAL 30 MINUTE, true) AS first
                FROM (
                    SELECT visitor, time, regexp_replace(
                        lower(regexp_extract(url, '^https?://[^/?#]*')), ':(443|80)$', ''
                    ) AS origin
                    FROM hits
                )
                WINDOW visits AS (PARTITION BY visitor, origin ORDER BY time)
            )
            WINDOW visits AS (PARTITION BY visitor, origin ORDER BY time)
        )
        GROUP BY visitor, origin, session
    """)


def private(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT target FROM hits
        WHERE uri_scope(target) <> 'global'
            OR uri_special_use(target) IN ('localhost', 'local', 'home.arpa')
            OR list_has_any(uri_findings(target), ['ipv4-integer', 'ipv4-hex', 'ipv4-octal',
                'ipv4-short', 'ipv4-overflow', 'ipv6-with-ipv4', 'host-encoded', 'misleading-host'])
    """)


def private_without(tables: Tables) -> pl.DataFrame:
    return tables.sql(r"""
        SELECT target FROM hits
        WHERE regexp_matches(regexp_extract(target, '^[^:/?#]+://([^/?#@]*@)?([^/?#:]*)', 2),
            '^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+)+$|(^|\.)xn--|[^\x00-\x7f]')
    """)


def sections(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT uri_path_segments(url)[2] AS section, max(uri_path_depth(url)) AS depth,
            count(*) AS pages
        FROM hits WHERE uri_hostname(url) = 'www.example.com' GROUP BY section
    """)


def sections_without(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT url_decode(segments[2]) AS section,
            max(len(list_filter(segments, lambda segment: segment <> ''))) AS depth,
            count(*) AS pages
        FROM (
            SELECT string_split(regexp_extract(url, '^[^:/?#]+://[^/?#]*([^?#]*)', 1), '/')
                AS segments
            FROM hits
            WHERE lower(regexp_extract(url, '^[^:/?#]+://([^/?#@]*@)?([^/?#:]*)', 2))
                = 'www.example.com'
        )
        GROUP BY section
    """)


def same_site(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT uri_is_same_site(target, url) AS internal, count(*) AS links
        FROM hits GROUP BY internal
    """)


def same_site_without(tables: Tables) -> pl.DataFrame:
    suffixes = PublicSuffixList()

    @cache
    def site_of(host: str) -> str | None:
        return suffixes.privatesuffix(host)

    tables.connection.create_function("site_of", site_of, ["VARCHAR"], "VARCHAR")
    internal = tables.sql("""
        SELECT site_of(lower(regexp_extract(target, '^[^:/?#]+://([^/?#@]*@)?([^/?#:]*)', 2)))
            = site_of(lower(regexp_extract(url, '^[^:/?#]+://([^/?#@]*@)?([^/?#:]*)', 2)))
            AS internal, count(*) AS links
        FROM hits GROUP BY internal
    """)
    tables.connection.remove_function("site_of")
    return internal


def params(tables: Tables) -> pl.DataFrame:
    return tables.sql("SELECT uri_params(url) AS params FROM hits")


def params_without(tables: Tables) -> pl.DataFrame:
    return tables.sql("""
        SELECT CASE WHEN query <> '' THEN map_from_entries(list_filter(
            pairs, lambda pair, n: list_position(list_transform(pairs, lambda p: p.key), pair.key)
                = n
        )) END AS params
        FROM (
            SELECT query, list_transform(
                list_filter(string_split(query[2:], '&'), lambda pair: pair <> ''),
                lambda pair: {
                    'key': url_decode(replace(split_part(pair, '=', 1), '+', ' ')),
                    'value': CASE WHEN contains(pair, '=')
                        THEN url_decode(replace(substr(pair, instr(pair, '=') + 1), '+', ' ')) END
                }
            ) AS pairs
            FROM (SELECT regexp_extract(url, '^[^?#]*([?][^#]*)', 1) AS query FROM hits)
        )
    """)
