"""Generate modules of `uriverse._spec.grammar` from the IANA registries in `tools/iana`.

    python tools/make_registries.py            write the modules
    python tools/make_registries.py --check    fail if a module is out of date

The registries are IANA's CSV files, unchanged, except that `special-use-domain.csv` contains IANA's
rows in another form. IANA has dedicated them to the public domain (CC0). To update a registry,
replace its file, and set its date in `SOURCES`.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from pathlib import Path
from textwrap import wrap

from generated import write_or_check

ROOT = Path(__file__).resolve().parent.parent
IANA = ROOT / "tools" / "iana"
GRAMMAR = ROOT / "src" / "uriverse" / "_spec" / "grammar"

SCHEMES = "uri-schemes-1.csv"
IPV4 = "iana-ipv4-special-registry-1.csv"
IPV6 = "iana-ipv6-special-registry-1.csv"
NAMES = "special-use-domain.csv"

# The address of each registry, and the date of its last update, which that page shows. For the
# schemes, it is the date of the newest registration.
SOURCES = {
    SCHEMES: ("https://www.iana.org/assignments/uri-schemes", "2026-05-20"),
    IPV4: ("https://www.iana.org/assignments/iana-ipv4-special-registry", "2025-10-09"),
    IPV6: ("https://www.iana.org/assignments/iana-ipv6-special-registry", "2025-10-09"),
    NAMES: ("https://www.iana.org/assignments/special-use-domain-names", "2026-05-22"),
}

REACHABLE = {"True": True, "False": False, "N/A": None, "": None}


def rows(name: str) -> Iterator[dict[str, str]]:
    with (IANA / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def reference(text: str) -> str:
    """Format the references of a cell: `[RFC9110, Section 4.2.1]` becomes "RFC 9110, 4.2.1".

    Several references are separated by semicolons.
    """
    text = re.sub(r"\]\s*\[", "; ", text)
    text = re.sub(r"[\[\]]|(?<=, )Section ", "", text)
    text = re.sub(r"\bRFC(?=[0-9])", "RFC ", text)
    # In the names of people and companies, underscores represent spaces.
    return " ".join(w if "://" in w else w.replace("_", " ") for w in text.split())


def without_notes(text: str) -> str:
    """Remove the footnote marks of a cell: `False [1]` becomes "False"."""
    return re.sub(r" \[[0-9]+\]", "", text)


def scheme_lines() -> Iterator[str]:
    entries = {
        # IANA marks obsolete schemes. Schemes are case-insensitive (RFC 3986, 3.1).
        row["URI Scheme"].removesuffix(" (OBSOLETE)").lower(): (
            f"({quoted(row['Status'].lower())}, {quoted(reference(row['Reference']))})"
        )
        for row in rows(SCHEMES)
    }
    return grouped(entries)


def grouped(entries: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of a table from an entry, as a literal, to the names that have this entry."""
    named: dict[str, list[str]] = {}
    for name, entry in sorted(entries.items()):
        named.setdefault(entry, []).append(name)
    for entry, names in sorted(named.items()):
        *lines, last = wrap(" ".join(names), 88, break_on_hyphens=False)
        if lines:
            yield f"    {entry}: ("
            yield from (f'        "{line} "' for line in lines)
            yield from (f'        "{last}"', "    ),")
        else:
            yield f'    {entry}: "{last}",'


def block_lines(name: str) -> Iterator[str]:
    for row in rows(name):
        named = quoted(row["Name"])
        referred = quoted(reference(row["RFC"]))
        reachable = REACHABLE[without_notes(row["Globally Reachable"])]
        # A row may contain two blocks.
        for block in without_notes(row["Address Block"]).split(", "):
            network = ip_network(block)
            first = f"0x{int(network.network_address):0{network.max_prefixlen // 4}X}"
            entry = f"({first}, {network.prefixlen}, {named}, {referred}, {reachable}),"
            yield f"    {entry}  # {block}"


def name_lines() -> Iterator[str]:
    return grouped(
        {row["Name"].removesuffix("."): quoted(reference(row["Reference"])) for row in rows(NAMES)}
    )


def quoted(text: str) -> str:
    """Return a string literal, in double quotes unless the string contains some."""
    return f"'{text}'" if '"' in text else f'"{text}"'


def schemes() -> str:
    url, date = SOURCES[SCHEMES]
    lines = [
        '"""The IANA registry of URI schemes.',
        "",
        f"From {url}, as of {date}.",
        f"Generated from `tools/iana/{SCHEMES}` by `tools/make_registries.py`.",
        '"""',
        "",
        "from typing import Literal",
        "",
        "#: The date of the newest registration below.",
        f'UPDATED = "{date}"',
        "",
        "#: A status (permanent, provisional or historical), the document that defines schemes or",
        "#: the name of their registrant, and the schemes, in lower case.",
        'REGISTERED: dict[tuple[Literal["historical", "permanent", "provisional"], str], str] = {',
        *scheme_lines(),
        "}",
        "",
        "#: The status and the document or registrant of each scheme.",
        "SCHEMES = {name: entry for entry, names in REGISTERED.items() for name in names.split()}",
    ]
    return "\n".join(lines) + "\n"


def hosts() -> str:
    lines = [
        '"""The IANA registries of special-purpose addresses and of special-use domain names.',
        "",
        *(f"From {SOURCES[name][0]}, as of {SOURCES[name][1]}." for name in (IPV4, IPV6, NAMES)),
        "Generated from the files in `tools/iana` by `tools/make_registries.py`.",
        '"""',
        "",
        "#: The date of the last update of each registry.",
        "UPDATED = {",
        *(f'    "{SOURCES[n][0].split("/")[-1]}": "{SOURCES[n][1]}",' for n in (IPV4, IPV6, NAMES)),
        "}",
        "",
        "#: The address blocks: the first address, the prefix length, the name, the document that",
        "#: defines the block, and whether it is globally reachable (`None` if not specified).",
        "IPV4: tuple[tuple[int, int, str, str, bool | None], ...] = (",
        *block_lines(IPV4),
        ")",
        "",
        "#: The same for IPv6.",
        "IPV6: tuple[tuple[int, int, str, str, bool | None], ...] = (",
        *block_lines(IPV6),
        ")",
        "",
        "#: The documents that define special-use names, and the names, without a trailing dot.",
        "DEFINED_NAMES = {",
        *name_lines(),
        "}",
        "",
        "#: The document that defines each special-use name.",
        "SPECIAL_USE_NAMES = {",
        "    name: document for document, names in DEFINED_NAMES.items() for name in names.split()",
        "}",
    ]
    return "\n".join(lines) + "\n"


def made() -> dict[Path, str]:
    """Return the content of each module by its path."""
    return {GRAMMAR / "iana_schemes.py": schemes(), GRAMMAR / "iana_hosts.py": hosts()}


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, made()))
