"""Output schemas for `parse`: Common Crawl and the Elastic Common Schema (ECS)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeAlias

from uriverse import columns
from uriverse.typing import Preset

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

#: The file name extension of a path: the characters after the last dot in the last segment. A dot
#: at the start of a segment does not start an extension.
EXTENSION = r"[^/]\.(?P<extension>[^./]+)$"


def commoncrawl(texts: Column, fields: Mapping[str, Column]) -> dict[str, Column]:
    """Return the URL columns of the [columnar index of Common Crawl][1].

    Host names are lowercase and have no trailing dot. IP addresses are not split into labels.

    Columns that need a list of public suffixes are missing. The column `url_surtkey` is missing
    because different resources can have the same key.

    [1]: https://github.com/commoncrawl/cc-index-table
    """
    host = pc.ascii_lower(fields["host"])
    host = pc.replace_substring_regex(host, pattern=r"\.$", replacement="")
    named = pc.equal(fields["host_kind"], "reg-name")
    backwards = where(named, columns.reversed_host(texts, threads=1).to_pyarrow())
    backwards = pc.replace_substring_regex(backwards, pattern=r"^\.", replacement="")
    parts = pc.list_slice(pc.split_pattern(backwards, "."), 0, 5, return_fixed_size_list=True)
    port = port_of(texts, fields)
    return {
        "url": texts,
        "url_host_name": host,
        **{name: pc.list_element(parts, number) for number, name in enumerate(PARTS)},
        "url_host_name_reversed": backwards,
        "url_protocol": pc.ascii_lower(fields["scheme"]),
        "url_port": where(pc.less(port, 2**31), port).cast(pa.int32()),
        "url_path": fields["path"],
        "url_query": fields["query"],
    }


def ecs(texts: Column, fields: Mapping[str, Column]) -> dict[str, Column]:
    """Return the [`url` fields of the Elastic Common Schema][1].

    Fields that need a list of public suffixes are missing.

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
        "url.port": port_of(texts, fields),
        "url.path": fields["path"],
        "url.extension": extension.flatten()[0],
        "url.query": fields["query"],
        "url.fragment": fields["fragment"],
    }


def port_of(texts: Column, fields: Mapping[str, Column]) -> Column:
    """Return the ports as integers, and null for rows that the grammar rejects."""
    return where(pc.is_valid(fields["port"]), columns.port(texts, threads=1).to_pyarrow())


def where(mask: Column, column: Column) -> Column:
    """Return a copy of a column in which a row is null unless its mask is true."""
    return pc.if_else(mask, column, pa.scalar(None, column.type))


#: The output schemas by name. Each function takes the strings and the fields of `parse`.
PRESETS: dict[Preset, Callable[[Column, Mapping[str, Column]], dict[str, Column]]] = {
    "commoncrawl": commoncrawl,
    "ecs": ecs,
}
