"""Check strings, and print the findings of `uriverse check`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable

from uriverse._errors import visible
from uriverse.diagnosis._findings import Finding

from .lines import Inputs
from .output import UnreadableError, complain, problem
from .places import Place
from .printing import Unanswered

#: A function that returns the findings for a string.
Check = Callable[[str], list[Finding]]

#: A function that returns the lines to print for a string and its findings, or `None`.
Form = Callable[[str, Place, list[Finding]], str | None]


class Report:
    """Checks strings, and prints their findings.

    Args:
        inputs: the strings to check, and the output options.
        check: returns the findings for a string.
        form: returns the lines to print for a string.
        failing: the severities that set the exit status to 1.
    """

    def __init__(self, inputs: Inputs, check: Check, form: Form, failing: Collection[str]) -> None:
        self.inputs = inputs
        self.check = check
        self.form = form
        self.failing = failing

    def of(self, text: str, place: Place) -> str | None:
        """Check a string, and return the lines to print, or `None` to print nothing.

        Raises:
            Unanswered: a finding has one of the failing severities.
        """
        found = self.check(text)
        lines = None if self.inputs.quiet else self.form(text, place, found)
        if any(finding.severity in self.failing for finding in found):
            raise Unanswered(lines)
        return lines

    def on_lines(self) -> None:
        """Check each input string."""
        for name, number, batch in self.inputs.batches():
            self.on_batch((text, Place(name, n, 1)) for n, text in enumerate(batch, number))
            if self.inputs.stopped:
                break

    def on_files(self, kind: str) -> None:
        """Check the strings in files.

        Args:
            kind: how URIs are found: in "lines" or "text".
        """
        from .in_files import found_in, lines_in

        for name in self.inputs.given:
            try:
                for batch in (lines_in if kind == "lines" else found_in)(name):
                    self.on_batch(batch)
                    if self.inputs.stopped:
                        return
            except UnreadableError as error:
                complain(problem(error))
                self.inputs.unread = True

    def on_batch(self, batch: Iterable[tuple[str, Place]]) -> None:
        """Print the findings for several strings."""
        lines: list[str | None] = []
        for text, place in batch:
            self.inputs.total += 1
            try:
                lines.append(self.of(text, place))
            except Unanswered as failed:
                lines.append(failed.line)
                self.inputs.invalid += 1
                if self.inputs.stopped:
                    break
        self.inputs.output.write([line for line in lines if line is not None])


def text_for(text: str, place: Place, found: list[Finding]) -> str | None:  # noqa: ARG001
    """Return a line for each finding, or `None` if the list is empty."""
    return "\n".join(line_of(finding, place) for finding in found) or None


def line_of(finding: Finding, place: Place) -> str:
    """Format a finding as linters do: place, severity, code, message, suggestion, reference."""
    description = describe_finding(finding)
    if sys.stdout.isatty():
        description = visible(description)
    return f"{place.at(finding.start)}: {finding.severity} {finding.code}: {description}"


def describe_finding(finding: Finding) -> str:
    """Return the message, the suggestion, the reference and the details of a finding."""
    advice = f"; {finding.suggestion}" if finding.suggestion else ""
    details = f"; also {', '.join(finding.details)}" if finding.details else ""
    return f"{finding.message}{advice} ({finding.reference}{details})"


def object_for(text: str, place: Place, found: list[Finding]) -> str:
    """Return a JSON object with a string and its findings."""
    from json import dumps

    where = {"file": place.file, "line": place.line, "column": place.column}
    findings = [finding._asdict() for finding in found]
    return dumps({"text": text, **where, "findings": findings})
