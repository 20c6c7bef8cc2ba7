"""How `uriverse-links check` prints findings: as text, JSON, commands of GitHub, and SARIF."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import PurePath
from typing import Any

from uriverse import FileURI, Finding, URIReference, __version__, percent
from uriverse.diagnosis import CODES

from .baselines import Fingerprint, identify_finding
from .output import Array, color_severity, describe_finding, escape_controls
from .strings_in_files import Location

#: A function that returns the lines to print for a string and its findings, or `None`.
Format = Callable[[str, Location, list[Finding]], str | None]


# --- text and JSON


def format_lines(text: str, location: Location, findings: list[Finding]) -> str | None:  # noqa: ARG001
    return "\n".join(format_finding(finding, location) for finding in findings) or None


def format_finding(finding: Finding, location: Location) -> str:
    """Format a finding as linters do: location, severity, code, message, suggestion, reference."""
    severity: str = finding.severity
    description = describe_finding(finding)
    if sys.stdout.isatty():
        severity = color_severity(severity, severity)
        description = escape_controls(description)
    return f"{location.locate_index(finding.start)}: {severity} {finding.code}: {description}"


def format_object(text: str, location: Location, findings: list[Finding]) -> str:
    start = {"file": location.file, "line": location.line, "column": location.column}
    return json.dumps(
        {"text": text, **start, "findings": [finding._asdict() for finding in findings]}
    )


# --- workflow commands of GitHub Actions

#: The command for each severity. GitHub shows findings next to their lines in a pull request:
#: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
WORKFLOW_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}

#: The characters that end a command, and those that also end a property of a command.
IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTY = IN_DATA | str.maketrans({":": "%3A", ",": "%2C"})


def format_commands(text: str, location: Location, findings: list[Finding]) -> str | None:  # noqa: ARG001
    return "\n".join(format_command(finding, location) for finding in findings) or None


def format_command(finding: Finding, location: Location) -> str:
    start, end = location.locate_span(finding.start, finding.end)
    properties: dict[str, object] = {
        "file": location.file,
        "line": start.line,
        "col": start.column,
        # GitHub ignores columns if the lines differ.
        **({"endColumn": end.column} if end.line == start.line else {"endLine": end.line}),
        "title": f"uriverse-links check: {finding.code}",
    }
    parameters = ",".join(
        f"{key}={str(value).translate(IN_PROPERTY)}" for key, value in properties.items()
    )
    message = describe_finding(finding).translate(IN_DATA)
    return f"::{WORKFLOW_COMMANDS[finding.severity]} {parameters}::{message}"


# --- SARIF

#: The SARIF level of each severity.
LEVELS = {"error": "error", "warning": "warning", "info": "note"}

#: The address of the documentation.
SITE = "https://uriverse.readthedocs.io/en/stable/"

#: The pages that explain the codes of `check`, and those of a policy.
FINDINGS_PAGE = f"{SITE}findings.html"
POLICY_PAGE = f"{SITE}how-to/policy.html#see-why"


class Log(Array):
    """Print findings to standard output in SARIF 2.1.0.

    The rules that were used and the success of the run are known only at the end.
    """

    opening = (
        '{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", '
        '"runs": [{"columnKind": "unicodeCodePoints", "results": ['
    )

    def __init__(self) -> None:
        self.used_codes: set[str] = set()
        self.numbers: Counter[tuple[str, Fingerprint]] = Counter()
        self.successful = False

    def format(self, text: str, location: Location, findings: list[Finding]) -> str | None:
        self.used_codes.update(finding.code for finding in findings)
        results = (self.describe_result(text, finding, location) for finding in findings)
        return ",\n".join(map(json.dumps, results)) or None

    def describe_result(self, text: str, finding: Finding, location: Location) -> dict[str, Any]:
        fingerprint = identify_finding(text, finding)
        group = location.file, fingerprint
        self.numbers[group] += 1
        details = f"also {', '.join(finding.details)}" if finding.details else None
        message = "; ".join(filter(None, [finding.message, finding.suggestion, details]))
        octets = "\0".join(fingerprint).encode("utf-8", "surrogatepass")
        code_and_uri_hash = sha256(octets).hexdigest()[:16]
        return {
            "ruleId": finding.code,
            "level": LEVELS[finding.severity],
            "message": {"text": message},
            "locations": [describe_location(finding, location)],
            # GitHub recognizes the finding by this hash after other lines of the file change.
            "partialFingerprints": {
                "primaryLocationLineHash": f"{code_and_uri_hash}:{self.numbers[group]}"
            },
        }

    def close(self) -> None:
        known_codes = [code for code in CODES if code in self.used_codes]
        rules = [
            describe_rule(code) for code in [*known_codes, *sorted(self.used_codes - CODES.keys())]
        ]
        driver = {
            # Code hosts take the findings of a tool with another name for new ones.
            "name": "uriverse",
            "version": __version__,
            "informationUri": SITE,
            "rules": rules,
        }
        tool, invocation = {"driver": driver}, {"executionSuccessful": self.successful}
        if not self.has_lines:
            print(self.opening, end="")
        print(f'\n], "tool": {json.dumps(tool)}, "invocations": [{json.dumps(invocation)}]}}]}}')


def describe_rule(name: str) -> dict[str, Any]:
    code = CODES.get(name)
    if code is None:
        message, help_text, page = "the policy rejects the URI", "Change the policy.", POLICY_PAGE
    else:
        fix = f"To fix it, {code.suggestion}. " if code.suggestion else ""
        message, page = code.message, f"{FINDINGS_PAGE}#{name}"
        help_text = f"{fix}Based on {code.reference}."
    return {
        "id": name,
        "shortDescription": {"text": message},
        "help": {"text": help_text, "markdown": f"{help_text} See [{name}]({page})."},
        "helpUri": page,
    }


def describe_location(finding: Finding, location: Location) -> dict[str, Any]:
    start, end = location.locate_span(finding.start, finding.end)
    region = {"startLine": start.line, "startColumn": start.column, "endColumn": end.column}
    if end.line != start.line:
        region["endLine"] = end.line
    artifact = {"uri": convert_to_reference(location.file)}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}


def convert_to_reference(name: str) -> str:
    path = PurePath(name)
    if path.is_absolute():
        # Two leading slashes of a file name mean one slash; in a URI they would start a host.
        return str(FileURI.from_path(type(path)(re.sub("^//+", "/", name))))
    encoded = percent.encode(os.fsencode(path.as_posix()), "path")
    return str(URIReference("").with_path(encoded, protect_path=True))
