"""The baseline of `uriverse-links check`: a file with findings that are not reported again."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Container
from os.path import lexists
from pathlib import Path
from typing import Any, NamedTuple, cast

from uriverse import Finding
from uriverse_links._destinations import hide_secrets

from .document_files import read_octets
from .output import MisuseError, UnreadableError, escape_controls
from .rewriting import replace_file
from .strings_in_files import Location

#: The version of the format.
VERSION = 1


class Fingerprint(NamedTuple):
    """The code of a finding and the string that it is about, without secrets.

    Several findings in a file can be equal, so runs are compared by their number.
    """

    code: str
    uri: str


def identify_finding(text: str, finding: Finding) -> Fingerprint:
    return Fingerprint(finding.code, hide_secrets(text))


class Entry(NamedTuple):
    """The findings of one code for a URI in a file, whose path starts in the baseline's folder."""

    file: str
    code: str
    uri: str


class Baseline:
    """Compares findings with those in a file, whose lines may have moved since."""

    def __init__(self, name: str, *, update: bool) -> None:
        self.name = name
        self.path = os.path.realpath(name)
        self.update = update
        self.counts: Counter[Entry] = Counter()
        self.octets = b""
        self.old_counts: Counter[Entry] = Counter()
        if not update or lexists(name):
            self.read()

    def read(self) -> None:
        try:
            self.octets = read_octets(self.name)
            self.old_counts = Counter(dict(map(parse_entry, parse_entries(self.octets))))
        except UnreadableError as error:
            raise MisuseError(
                f"cannot read the baseline {escape_controls(self.name)}: {error.strerror}; "
                "write one with --update-baseline"
            ) from None
        except (ValueError, TypeError, KeyError, RecursionError):
            raise MisuseError(
                f"{escape_controls(self.name)} is not a baseline; "
                "delete it, and write one with --update-baseline"
            ) from None

    def is_same_file(self, name: str) -> bool:
        """Return whether a file is that of the baseline, which may be in a folder to check."""
        return os.path.realpath(name) == self.path

    def contains(self, text: str, finding: Finding, location: Location) -> bool:
        """Return whether a finding is not to be reported; each call stands for another finding."""
        entry = Entry(self.make_relative(location.file), *identify_finding(text, finding))
        self.counts[entry] += 1
        return self.update or self.counts[entry] <= self.old_counts[entry]

    def make_relative(self, name: str) -> str:
        try:
            return os.path.relpath(name, Path(self.name).parent).replace(os.sep, "/")
        except ValueError:  # on another drive of Windows
            return name.replace(os.sep, "/")

    def write(self, checked_files: Container[str]) -> None:
        folder = Path(self.name).parent
        unchecked_counts = {
            entry: count
            for entry, count in self.old_counts.items()
            if entry.file not in checked_files and lexists(folder / entry.file)
        }
        octets = format_baseline(self.counts | Counter(unchecked_counts))
        if octets != self.octets:
            replace_file(self.name, octets)


def parse_entries(octets: bytes) -> list[dict[str, Any]]:
    table = json.loads(octets)
    if table["version"] != VERSION:
        raise ValueError(table["version"])
    return cast("list[dict[str, Any]]", table["findings"])


def parse_entry(row: dict[str, Any]) -> tuple[Entry, int]:
    entry, count = Entry(row["file"], row["code"], row["uri"]), row["count"]
    if not all(isinstance(field, str) for field in entry) or type(count) is not int:
        raise TypeError(entry)
    return entry, count


def format_baseline(counts: Counter[Entry]) -> bytes:
    """Return the content of a baseline in ASCII, because characters of a URI may be invisible."""
    rows = ",\n".join(
        json.dumps({**entry._asdict(), "count": count}) for entry, count in sorted(counts.items())
    )
    return f'{{"version": {VERSION}, "findings": [\n{rows}\n]}}\n'.encode()
