"""Output schemas for `parse`: Common Crawl and the Elastic Common Schema (ECS)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

from uriverse import columns
from uriverse.columns import Expression, uri
from uriverse.suffixes import Suffixes
from uriverse.typing import Grammar, Preset

# pyarrow has no type annotations.
pa: Any = import_module("pyarrow")
pc: Any = import_module("pyarrow.compute")

Column: TypeAlias = Any

#: The columns of Common Crawl for the labels of a host, starting with the last label.
PARTS = (
    "url_host_tld",
    "url_host_2nd_last_part",
    "url_host_3rd_last_part",
    "url_host_4th_last_part",
    "url_host_5th_last_part",
)

#: The columns of Common Crawl that need a list of public suffixes.
DOMAINS = (
    "url_host_registry_suffix",
    "url_host_registered_domain",
    "url_host_private_suffix",
    "url_host_private_domain",
)

#: The file name extension of a path: the characters after the last dot in the last segment. A dot
#: at the start of a segment does not start an extension.
EXTENSION = r"[^/]\.(?P<extension>[^./]+)$"


def with_preset(
    preset: Preset, texts: Column, grammar: Grammar
) -> tuple[dict[str, Column], Column]:
    """Return the columns of an output schema, and a mask that is true for valid rows.

    Raises:
        ModuleNotFoundError: `publicsuffixlist` is not installed.
    """
    expressions, columns_of = PRESETS[preset]
    every = {"fields": uri.parse(grammar), **expressions()}
    found = columns.select(texts, every, threads=1).to_pyarrow()
    parsed, *others = found.flatten()
    fields: dict[str, Column] = dict(zip(columns.FIELDS, parsed.flatten(), strict=True))
    good = pc.is_valid(fields["path"])
    # The grammar may reject rows that the other functions accept.
    for name, column in zip(expressions(), others, strict=True):
        fields[name] = where(good, column)
    return columns_of(texts, fields), good


@cache
def of_commoncrawl() -> dict[str, Expression]:
    registries, everyone = Suffixes(private=False), Suffixes()
    return {
        "reversed": uri.reversed_host(),
        "port_number": uri.port(),
        "url_host_registry_suffix": uri.public_suffix(suffixes=registries),
        "url_host_registered_domain": uri.registrable_domain(suffixes=registries),
        "url_host_private_suffix": uri.public_suffix(suffixes=everyone),
        "url_host_private_domain": uri.registrable_domain(suffixes=everyone),
    }


def commoncrawl(texts: Column, fields: Mapping[str, Column]) -> dict[str, Column]:
    """Return the URL columns of the [columnar index of Common Crawl][1].

    Host names are lowercase and have no trailing dot. IP addresses are not split into labels.

    The column `url_surtkey` is missing because different resources can have the same key.

    [1]: https://github.com/commoncrawl/cc-index-table
    """
    host = without_last_dot(pc.ascii_lower(fields["host"]))
    named = pc.equal(fields["host_kind"], "reg-name")
    backwards = where(named, fields["reversed"])
    backwards = pc.replace_substring_regex(backwards, pattern=r"^\.", replacement="")
    parts = pc.list_slice(pc.split_pattern(backwards, "."), 0, 5, return_fixed_size_list=True)
    port = fields["port_number"]
    return {
        "url": texts,
        "url_host_name": host,
        **{name: pc.list_element(parts, number) for number, name in enumerate(PARTS)},
        **{name: without_last_dot(fields[name]) for name in DOMAINS},
        "url_host_name_reversed": backwards,
        "url_protocol": pc.ascii_lower(fields["scheme"]),
        "url_port": where(pc.less(port, 2**31), port).cast(pa.int32()),
        "url_path": fields["path"],
        "url_query": fields["query"],
    }


@cache
def of_ecs() -> dict[str, Expression]:
    everyone = Suffixes()
    return {
        "port_number": uri.port(),
        "url.registered_domain": uri.registrable_domain(suffixes=everyone),
        "url.top_level_domain": uri.public_suffix(suffixes=everyone),
        "url.subdomain": uri.subdomain(suffixes=everyone),
    }


def ecs(texts: Column, fields: Mapping[str, Column]) -> dict[str, Column]:
    """Return the [`url` fields of the Elastic Common Schema][1].

    [1]: https://www.elastic.co/guide/en/ecs/current/ecs-url.html
    """
    users = pc.split_pattern(fields["userinfo"], ":", max_splits=1)
    user = pc.list_slice(users, 0, 2, return_fixed_size_list=True)
    extension = pc.extract_regex(fields["path"], EXTENSION)
    return {
        "url.original": texts,
        "url.full": where(pc.is_valid(fields["scheme"]), texts),
        "url.scheme": fields["scheme"],
        "url.username": pc.list_element(user, 0),
        "url.password": pc.list_element(user, 1),
        "url.domain": fields["host"],
        "url.registered_domain": without_last_dot(fields["url.registered_domain"]),
        "url.top_level_domain": without_last_dot(fields["url.top_level_domain"]),
        "url.subdomain": where(pc.not_equal(fields["url.subdomain"], ""), fields["url.subdomain"]),
        "url.port": fields["port_number"],
        "url.path": fields["path"],
        "url.extension": extension.flatten()[0],
        "url.query": fields["query"],
        "url.fragment": fields["fragment"],
    }


def without_last_dot(hosts: Column) -> Column:
    return pc.replace_substring_regex(hosts, pattern=r"\.$", replacement="")


def where(mask: Column, column: Column) -> Column:
    """Return a copy of a column in which a row is null unless its mask is true."""
    return pc.if_else(mask, column, pa.scalar(None, column.type))


Results: TypeAlias = Callable[[], dict[str, Expression]]
Columns: TypeAlias = Callable[[Column, Mapping[str, Column]], dict[str, Column]]

#: The output schemas by name: the functions to compute beside `parse`, and a function that takes
#: the strings and all results by name.
PRESETS: dict[Preset, tuple[Results, Columns]] = {
    "commoncrawl": (of_commoncrawl, commoncrawl),
    "ecs": (of_ecs, ecs),
}
