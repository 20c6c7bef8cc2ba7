"""The output of `uriverse check --format sarif`."""

from __future__ import annotations

import json
import os
import re
from pathlib import PurePath
from typing import Any

from uriverse import FileURI, URIReference, is_iri_reference, percent
from uriverse._redaction import redacted, redacted_invalid
from uriverse._version import __version__
from uriverse.diagnosis import CODES
from uriverse.diagnosis._findings import Finding

from .places import Place
from .printing import Array

#: The SARIF level of each severity.
LEVELS = {"error": "error", "warning": "warning", "info": "note"}


class Log(Array):
    """Print findings to standard output in SARIF 2.1.0, a JSON format for linter results.

    The rules that were used and the success of the run are known only at the end, so they
    follow the results.
    """

    opening = (
        '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", '
        '"runs": [{"columnKind": "unicodeCodePoints", "results": ['
    )

    def __init__(self) -> None:
        self.used: set[str] = set()
        self.successful = False

    def lines(self, text: str, place: Place, found: list[Finding]) -> str | None:
        """Return the findings for a string as SARIF results, or `None` if the list is empty."""
        self.used.update(finding.code for finding in found)
        results = (result_of(text, finding, place) for finding in found)
        return ",\n".join(map(json.dumps, results)) or None

    def close(self) -> None:
        rules = [
            {
                "id": code.name,
                "shortDescription": {"text": code.message},
                "help": {"text": code.reference},
            }
            for code in CODES.values()
            if code.name in self.used
        ]
        driver = {"name": "uriverse", "version": __version__, "rules": rules}
        tool, invocation = {"driver": driver}, {"executionSuccessful": self.successful}
        if not self.begun:
            print(self.opening, end="")
        print(f'\n], "tool": {json.dumps(tool)}, "invocations": [{json.dumps(invocation)}]}}]}}')


def result_of(text: str, finding: Finding, place: Place) -> dict[str, Any]:
    """Return a finding as a SARIF result.

    The location is a region of the file, or the string itself if the string is not from a file.
    """
    start = place.at(finding.start)
    last = place.at(max(finding.start, finding.end - 1))
    end = last.column + (finding.end > finding.start)
    region = {"startLine": start.line, "startColumn": start.column, "endColumn": end}
    if last.line != start.line:
        region["endLine"] = last.line
    shown = redacted(text) if is_iri_reference(text) else redacted_invalid(text)
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": shown}]}
    if place.file is not None:
        artifact = {"uri": reference_to(place.file)}
        location = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
    return {
        "ruleId": finding.code,
        "level": LEVELS[finding.severity],
        "message": {"text": "; ".join(filter(None, [finding.message, finding.suggestion]))},
        "locations": [location],
    }


def reference_to(name: str) -> str:
    """Convert an absolute file name to a `file:` URI, or a relative one to a URI reference."""
    path = PurePath(name)
    if path.is_absolute():
        # Two leading slashes of a file name mean one slash; in a URI they would start a host.
        return str(FileURI.from_path(type(path)(re.sub("^//+", "/", name))))
    encoded = percent.encode(os.fsencode(path.as_posix()), "path")
    return str(URIReference("").with_path(encoded, protect_path=True))
