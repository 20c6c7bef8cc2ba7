"""The output of `uriverse-links check --format github`: workflow commands of GitHub Actions.

GitHub shows each of them next to the line of the file in a pull request:
https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from uriverse import Finding

from .output import describe_finding
from .places import Place

#: The command for each severity.
COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}

#: The characters that end a command, and those that also end a property of a command.
IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
IN_PROPERTY = IN_DATA | str.maketrans({":": "%3A", ",": "%2C"})


def format_commands(text: str, place: Place, findings: list[Finding]) -> str | None:  # noqa: ARG001
    """Return the findings for a string as workflow commands, or `None` if the list is empty."""
    return "\n".join(format_command(finding, place) for finding in findings) or None


def format_command(finding: Finding, place: Place) -> str:
    """Return a finding as a workflow command.

    Its position is that in the file.
    """
    start, after = place.span(finding.start, finding.end)
    properties: dict[str, object] = {
        "file": place.file,
        "line": start.line,
        "col": start.column,
        # GitHub ignores columns if the lines differ.
        **({"endColumn": after.column} if after.line == start.line else {"endLine": after.line}),
        "title": f"uriverse-links check: {finding.code}",
    }
    written = ",".join(
        f"{key}={str(value).translate(IN_PROPERTY)}" for key, value in properties.items()
    )
    message = describe_finding(finding).translate(IN_DATA)
    return f"::{COMMANDS[finding.severity]} {written}::{message}"
