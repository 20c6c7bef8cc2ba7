"""Check strings, and print the findings of `uriverse check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable

from uriverse import ParseError
from uriverse._carets import visible
from uriverse.diagnosis._findings import Finding

from .lines import Inputs
from .output import UnreadableError, complain, problem
from .places import Place
from .printing import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse.typing import DocumentFormat

    from .baselines import Baseline
    from .document_files import Document

#: The colors of severities on a terminal.
COLORS = {"error": "red", "warning": "yellow", "info": "blue"}

#: A function that returns the findings for a string.
Check = Callable[[str], list[Finding]]

#: A function that returns the lines to print for a string and its findings, or `None`.
Form = Callable[[str, Place, list[Finding]], str | None]

#: A function that returns whether a finding is not reported.
Unless = Callable[[Finding, Place], bool]


class Report:
    """Checks strings, and prints their findings.

    Args:
        inputs: the strings to check, and the output options.
        check: returns the findings for a string.
        form: returns the lines to print for a string.
        failing: the severities that set the exit status to 1.

    Attributes:
        baseline: the findings that are not reported.
        excluded: returns whether a file is not read.
        read: the names of the files that were read.
    """

    def __init__(self, inputs: Inputs, check: Check, form: Form, failing: Collection[str]) -> None:
        self.inputs = inputs
        self.check = check
        self.form = form
        self.failing = failing
        self.baseline: Baseline | None = None
        self.excluded: Callable[[str], bool] | None = None
        self.read: list[str] = []

    def of(self, text: str, place: Place, unless: Unless | None) -> str | None:
        """Check a string, and return the lines to print, or `None` to print nothing.

        Raises:
            Unanswered: a finding has one of the failing severities.
        """
        found = self.check(text)
        if found and unless:
            found = [finding for finding in found if not unless(finding, place)]
        if found and self.baseline:
            known = self.baseline.covers
            found = [finding for finding in found if not known(text, finding, place)]
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

    def on_files(self, kind: str, form: DocumentFormat | None) -> None:
        """Check the strings in files, and write the baseline if it is to be updated.

        Args:
            kind: how URIs are found: in "lines", "text" or "documents".
            form: the format of documents without a known suffix.
        """
        if kind == "documents":
            self.on_documents(form)
        else:
            self.on_texts(kind)
        if self.baseline and self.baseline.update:
            self.update_baseline(self.baseline)

    def on_texts(self, kind: str) -> None:
        """Check the lines of files, or the URIs in running text."""
        from .in_files import found_in, lines_in

        for name in self.inputs.given:
            if self.skips(name):
                continue
            try:
                for batch in (lines_in if kind == "lines" else found_in)(name):
                    self.on_batch(batch)
                    if self.inputs.stopped:
                        return
            except UnreadableError as error:
                self.refuse(problem(error))
            else:
                self.read.append(name)

    def on_documents(self, form: DocumentFormat | None) -> None:
        """Check the destinations in documents, also in folders."""
        from .document_files import Documents

        documents = Documents(self.inputs.given, form)
        for document in documents:
            if self.skips(document.name):
                continue
            try:
                self.on_document(document)
            except UnreadableError as error:
                self.refuse(problem(error))
            if self.inputs.stopped:
                break
        self.inputs.unread = self.inputs.unread or documents.unread

    def on_document(self, document: Document) -> None:
        """Check the destinations in a document.

        Raises:
            UnreadableError: the file cannot be read, or is malformed.
        """
        from uriverse_links._lines import Lines

        from .document_files import invalid
        from .ignore_comments import IgnoreComments
        from .in_documents import strings_in

        name, form, text = document.name, document.format, document.read().text
        lines = _lines.Lines(text)
        try:
            found = list(strings_in(name, text, form, lines))
        except ParseError as error:
            raise invalid(document, text, error) from None
        ignored = IgnoreComments(text, form, lines)
        self.on_batch(found, ignored.covers)
        self.read.append(name)
        if not (self.inputs.quiet or self.inputs.stopped):
            for line, column in ignored.unused():
                complain(
                    f"{Place(name, line, column)}: the comment suppresses no finding; remove it"
                )

    def skips(self, name: str) -> bool:
        """Return whether a file is not read."""
        if self.baseline and self.baseline.is_in(name):
            return True
        return self.excluded is not None and self.excluded(name)

    def refuse(self, problem: str) -> None:
        """Report a file that cannot be read."""
        complain(problem)
        self.inputs.unread = True

    def update_baseline(self, baseline: Baseline) -> None:
        """Write all findings to the baseline, if all files could be read."""
        if self.inputs.unread:
            complain(f"{visible(baseline.name)} stays unchanged, because a file could not be read")
            return
        try:
            baseline.write({baseline.path_of(name) for name in self.read})
        except UnreadableError as error:
            self.refuse(problem(error))

    def on_batch(self, batch: Iterable[tuple[str, Place]], unless: Unless | None = None) -> None:
        """Print the findings for several strings."""
        lines: list[str | None] = []
        for text, place in batch:
            self.inputs.total += 1
            try:
                lines.append(self.of(text, place, unless))
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
    severity: str = finding.severity
    description = describe_finding(finding)
    if sys.stdout.isatty():
        if not os.environ.get("NO_COLOR"):
            from click import style

            severity = style(severity, fg=COLORS[severity])
        description = visible(description)
    return f"{place.at(finding.start)}: {severity} {finding.code}: {description}"


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
