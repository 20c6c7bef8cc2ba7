"""Makes the tables of `uriverse._grammar` from IANA's registries in `tools/iana`.

    python tools/make_registries.py            write the modules
    python tools/make_registries.py --check    fail if they are not what the registries say

The files there are IANA's own CSV files, byte for byte but for `special-use-domain.csv`,
whose rows are IANA's. IANA has dedicated its registries to the public (CC0). To bring one
up to date, put the new file in the old one's place and its date below.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path

from generated import write_or_check

ROOT = Path(__file__).resolve().parent.parent
IANA = ROOT / "tools" / "iana"
GRAMMAR = ROOT / "src" / "uriverse" / "_grammar"

SCHEMES = "uri-schemes-1.csv"
IPV4 = "iana-ipv4-special-registry-1.csv"
IPV6 = "iana-ipv6-special-registry-1.csv"
NAMES = "special-use-domain.csv"

# Where each file is from, and the day that its registry was last updated. The files do not
# say it, their pages do. That of the schemes is the day of the newest registration in it.
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
    """What a cell refers to: `[RFC9110, Section 4.2.1]` is "RFC 9110, 4.2.1".

    Of several, a semicolon stands between.
    """
    text = re.sub(r"\]\s*\[", "; ", text)
    text = re.sub(r"[\[\]]|(?<=, )Section ", "", text)
    text = re.sub(r"\bRFC(?=[0-9])", "RFC ", text)
    # The key of a person or a company has underscores for spaces.
    return " ".join(w if "://" in w else w.replace("_", " ") for w in text.split())


def without_notes(text: str) -> str:
    """A cell without the marks of the notes below the table: `False [1]` is "False"."""
    return re.sub(r" \[[0-9]+\]", "", text)


def scheme_lines() -> Iterator[str]:
    entries = {
        # A name may be marked so; and schemes are compared without case (RFC 3986, 3.1).
        row["URI Scheme"].removesuffix(" (OBSOLETE)").lower(): (
            row["Status"].lower(),
            reference(row["Reference"]),
        )
        for row in rows(SCHEMES)
    }
    for name, (status, referred) in sorted(entries.items()):
        yield f"    {quoted(name)}: ({quoted(status)}, {quoted(referred)}),"


def block_lines(name: str) -> Iterator[str]:
    for row in rows(name):
        named = quoted(row["Name"])
        referred = quoted(reference(row["RFC"]))
        reachable = REACHABLE[without_notes(row["Globally Reachable"])]
        # A row may be of two blocks.
        for block in without_notes(row["Address Block"]).split(", "):
            network = ip_network(block)
            first = f"0x{int(network.network_address):0{network.max_prefixlen // 4}X}"
            yield f"    # {block}"
            yield f"    ({first}, {network.prefixlen}, {named}, {referred}, {reachable}),"


def name_lines() -> Iterator[str]:
    for row in rows(NAMES):
        yield f"    {quoted(row['Name'].removesuffix('.'))}: {quoted(reference(row['Reference']))},"


def quoted(text: str) -> str:
    """A string literal, in double quotes unless it has some."""
    return f"'{text}'" if '"' in text else f'"{text}"'


def schemes() -> str:
    url, date = SOURCES[SCHEMES]
    lines = [
        '"""IANA\'s registry of URI schemes.',
        "",
        f"From {url}, as of {date}.",
        f"Made from `tools/iana/{SCHEMES}` by `tools/make_registries.py`; change it there.",
        '"""',
        "",
        "#: The day of the newest registration below.",
        f'UPDATED = "{date}"',
        "",
        "#: By name, in lower case: the status of the scheme (permanent, provisional, historical),",
        "#: and what defines it, or who registered it.",
        "SCHEMES: dict[str, tuple[str, str]] = {",
        *scheme_lines(),
        "}",
    ]
    return "\n".join(lines) + "\n"


def hosts() -> str:
    lines = [
        '"""IANA\'s registries of special-purpose addresses and of special-use domain names.',
        "",
        *(f"From {SOURCES[name][0]}, as of {SOURCES[name][1]}." for name in (IPV4, IPV6, NAMES)),
        "Made from the files in `tools/iana` by `tools/make_registries.py`; change it there.",
        '"""',
        "",
        "#: By registry, the day that it was last updated.",
        "UPDATED = {",
        *(f'    "{SOURCES[n][0].split("/")[-1]}": "{SOURCES[n][1]}",' for n in (IPV4, IPV6, NAMES)),
        "}",
        "",
        "#: Each block: first address, length of the prefix, name, what defines it, and whether it",
        "#: is globally reachable; `None` where the registry says neither.",
        "IPV4: tuple[tuple[int, int, str, str, bool | None], ...] = (",
        *block_lines(IPV4),
        ")",
        "",
        "#: As above.",
        "IPV6: tuple[tuple[int, int, str, str, bool | None], ...] = (",
        *block_lines(IPV6),
        ")",
        "",
        "#: By name, without the dot at its end: what defines it.",
        "SPECIAL_USE_NAMES = {",
        *name_lines(),
        "}",
    ]
    return "\n".join(lines) + "\n"


def made() -> dict[Path, str]:
    """Each module's path and text."""
    return {GRAMMAR / "iana_schemes.py": schemes(), GRAMMAR / "iana_hosts.py": hosts()}


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, made()))
