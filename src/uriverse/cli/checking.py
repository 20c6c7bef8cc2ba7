"""The commands `uriverse check` and `uriverse schemes`."""

from __future__ import annotations

import json
import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from itertools import count
from operator import attrgetter, itemgetter
from pathlib import PurePath
from typing import Any, NamedTuple, get_args

import click

from uriverse import SCHEMES, FileURI, Scheme, URIReference, check, is_iri_reference, percent
from uriverse._spec.syntax import GRAMMARS
from uriverse.carets import visible
from uriverse.diagnosis import CODES, PROFILES, SEVERITIES, Finding, why_invalid
from uriverse.diagnosis.findings import settings_of, with_settings
from uriverse.extraction import BROKEN, Part, meant_in
from uriverse.redaction import without_passwords
from uriverse.typing import Grammar, Severity, Status
from uriverse.version import __version__

from .examples import Command
from .extracting import parts_in
from .lines import (
    Array,
    Inputs,
    Unanswered,
    closed_at_the_end,
    lines_of,
    misuse,
    octets_of,
    takes_inputs,
)
from .output import MISUSE, UnreadableError, complain, problem

#: The severities that set the exit status to 1, for each value of `--fail-on`.
FAILING: dict[str, tuple[str, ...]] = {
    **{severity: SEVERITIES[: n + 1] for n, severity in enumerate(SEVERITIES)},
    "never": (),
}

#: The SARIF level of each severity, and its color on a terminal.
LEVELS = {"error": "error", "warning": "warning", "info": "note"}
COLORS = {"error": "red", "warning": "yellow", "info": "blue"}

#: A function that returns the findings for a string.
Check = Callable[[str], list[Finding]]


class Place(NamedTuple):
    """The position of a string in a file or in the input; lines and columns count from 1.

    A URI in running text may be broken over several lines. Then `breaks` has an entry for each line
    after the first: the index in the URI at which the line continues, the line and the column.
    """

    file: str | None
    line: int
    column: int
    breaks: tuple[tuple[int, int, int], ...] = ()

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}"
        # A file name can contain line breaks and escape sequences of a terminal.
        return place if self.file is None else f"{visible(self.file)}:{place}"

    def at(self, index: int) -> Place:
        """Convert an index in the string to a line and a column in the file."""
        number = bisect_right(self.breaks, index, key=itemgetter(0))
        begin, line, column = self.breaks[number - 1] if number else (0, self.line, self.column)
        return Place(self.file, line, column + index - begin)


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


class Report:
    """Prints the findings of `uriverse check` as text, JSON or SARIF.

    Args:
        inputs: the strings to check, and the output options.
        form: `"text"`, `"json"` or `"sarif"`.
        failing: the severities that set the exit status to 1.
        check: returns the findings for a string.
    """

    def __init__(self, inputs: Inputs, form: str, failing: Collection[str], check: Check) -> None:
        self.inputs = inputs
        self.form = form
        self.check = check
        self.failing = failing

    def of(self, text: str, place: Place) -> str | None:
        """Check a string, and return the lines to print, or `None` to print nothing.

        Raises:
            Unanswered: a finding has one of the failing severities.
        """
        found = self.check(text)
        lines = None if self.inputs.quiet else self.lines(text, place, found)
        if any(finding.severity in self.failing for finding in found):
            raise Unanswered(lines)
        return lines

    def lines(self, text: str, place: Place, found: list[Finding]) -> str | None:
        """Return the findings for a string as text, JSON or SARIF, or `None` to print nothing."""
        if isinstance(self.inputs.output, Log):
            self.inputs.output.used.update(finding.code for finding in found)
            results = (result_of(text, finding, place) for finding in found)
            return ",\n".join(map(json.dumps, results)) or None
        if self.form == "json":
            where = {"file": place.file, "line": place.line, "column": place.column}
            findings = [finding._asdict() for finding in found]
            return json.dumps({"text": text, **where, "findings": findings})
        return "\n".join(line_of(finding, place) for finding in found) or None

    def on_lines(self) -> int:
        """Check each input string; return the exit status."""
        name = None if self.inputs.file == "-" else self.inputs.file
        places = (Place(name, number, 1) for number in count(1))
        return int(bool(self.inputs.go_through(lambda text: self.of(text, next(places)))))

    def on_files(self, kind: str) -> int:
        """Check files; return the exit status.

        Args:
            kind: `"lines"` to check each line, `"text"` to find URIs in running text.
        """
        status = 0
        for name in self.inputs.given:
            try:
                for batch in (lines_in if kind == "lines" else found_in)(name):
                    if not self.on_batch(batch):
                        status = status or 1
                        if self.inputs.fail_fast:
                            return status
            except UnreadableError as error:
                complain(problem(error))
                status = MISUSE
        return status

    def on_batch(self, batch: Iterable[tuple[str, Place]]) -> bool:
        """Print the findings for strings of a file; return whether all the strings pass."""
        lines: list[str | None] = []
        passed = True
        for text, place in batch:
            try:
                lines.append(self.of(text, place))
            except Unanswered as failed:
                lines.append(failed.line)
                passed = False
                if self.inputs.fail_fast:
                    break
        self.inputs.output.write([line for line in lines if line is not None])
        return passed


@click.command("check", cls=Command)
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    default="generic",
    show_default=True,
    metavar="PROFILE",
    help="Use the severities of PROFILE.",
)
@click.option(
    "--severity",
    "severities",
    multiple=True,
    metavar="CODE=SEVERITY",
    help="Set the severity of a code or a group of codes.",
)
@click.option(
    "--fail-on",
    type=click.Choice(list(FAILING)),
    default="error",
    show_default=True,
    metavar="SEVERITY",
    help="Fail on findings this severe.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif"]),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="Print text, json or sarif.",
)
@click.option(
    "--type",
    "kind",
    type=click.Choice(list(GRAMMARS)),
    default="iri-reference",
    metavar="TYPE",
    help="Accept only URIs of this type.",
)
@click.option(
    "--from-files",
    type=click.Choice(["lines", "text"]),
    metavar="KIND",
    help="Read URIs from FILEs, as lines or in text.",
)
@takes_inputs(arguments="[URI|FILE]...", quiet="Print no findings; only set the exit status.")
def check_command(
    inputs: Inputs,
    profile: str,
    severities: tuple[str, ...],
    fail_on: str,
    form: str,
    kind: Grammar,
    from_files: str | None,
) -> None:
    """Report invalid, ambiguous and misleading URIs.

    Each finding is printed on a line: the number of the URI, the column, the severity, the
    code, the problem and a fix. The exit status is 1 if a finding is as severe as --fail-on,
    and 2 if a FILE cannot be read. The page "Findings" of the documentation lists all codes.

    \b
    TYPE      uri, uri-reference, absolute-uri, iri, absolute-iri or
              iri-reference (the default)
    PROFILE   generic, web, rdf, strict
    SEVERITY  error, warning, info; also off (--severity) or never (--fail-on)
    KIND      lines (one URI per line) or text (URIs in running text)
    """
    own = parsed_severities(severities)
    try:
        severity = with_settings(settings_of(profile), own)["syntax"]
    except ValueError as error:
        raise misuse(f"--severity: {error}") from None

    def findings(text: str) -> list[Finding]:
        found = check(text, profile, severities=own or None)
        if kind == "iri-reference" or severity == "off" or not is_iri_reference(text):
            return found
        others = wrong_type(text, GRAMMARS[kind], severity)
        return sorted([*others, *found], key=attrgetter("start"))

    if inputs.as_json and form == "sarif":
        raise misuse("--json contradicts --format sarif; use one of them")
    if from_files and (not inputs.given or inputs.file is not None):
        raise misuse("--from-files needs file names; give FILEs as arguments, without --file")
    log = Log() if form == "sarif" and not inputs.quiet else None
    with closed_at_the_end(log) if log else nullcontext(inputs.output) as output:
        report = Report(
            replace(inputs, output=output),
            "json" if inputs.as_json else form,
            FAILING[fail_on],
            findings,
        )
        status = report.on_files(from_files) if from_files else report.on_lines()
        if log:
            log.successful = status != MISUSE
        sys.exit(status)


def parsed_severities(given: Iterable[str]) -> dict[str, Any]:
    """Parse the values of `--severity` into a dictionary from finding codes to severities."""
    own: dict[str, Any] = {}
    for setting in given:
        name, equals, own[name] = setting.partition("=")
        if not equals:
            raise misuse(
                f"--severity: no severity for {name}; write {name}=off or another severity"
            )
    return own


def wrong_type(text: str, rule: str, severity: Severity) -> Iterator[Finding]:
    """Yield a finding if a valid IRI reference does not match the grammar set with `--type`."""
    if error := why_invalid(text, rule):
        known = CODES["syntax"]
        end, hint = min(error.position + 1, len(text)), error.hint or None
        place = (error.component, error.position, end)
        yield Finding("syntax", severity, *place, error.reason, known.reference, hint)


def lines_in(name: str) -> Iterator[Iterator[tuple[str, Place]]]:
    """Yield the non-empty lines of a file with their positions, in batches as they arrive."""
    number = 1
    for lines in lines_of(octets_of(name)):
        yield ((text, Place(name, n, 1)) for n, text in enumerate(lines, number) if text)
        number += len(lines)


def found_in(name: str) -> Iterator[Iterator[tuple[str, Place]]]:
    """Find URI candidates in a text file; yield them in batches, with their positions."""
    for part in parts_in(name):
        yield places_in(name, part)


def places_in(name: str, part: Part) -> Iterator[tuple[str, Place]]:
    """Find URI candidates in a part of a file; yield each with its position."""
    at, done = part._replace(text=""), 0
    for found in meant_in(part.text):
        at = at._replace(text=part.text[done : found.start]).followed_by("")
        done = found.start
        breaks = breaks_in(part.text[done : found.end], at) if found.broken else ()
        yield found.text, Place(name, at.line, at.column, tuple(breaks))


def breaks_in(broken: str, at: Part) -> Iterator[tuple[int, int, int]]:
    """Yield the index, the line and the column of the character after each line break in a URI.

    The index counts the characters of the URI without the line breaks.
    """
    done = removed = 0
    for match in BROKEN.finditer(broken):
        at = at._replace(text=broken[done : match.end()]).followed_by("")
        done = match.end()
        removed += len(match[0])
        yield done - removed, at.line, at.column


def line_of(finding: Finding, place: Place) -> str:
    """Format a finding as linters do: place, severity, code, message, suggestion, reference."""
    severity: str = finding.severity
    advice = f"; {finding.suggestion}" if finding.suggestion else ""
    if sys.stdout.isatty():
        if not os.environ.get("NO_COLOR"):
            severity = click.style(severity, fg=COLORS[severity])
        advice = visible(advice)
    where = place.at(finding.start)
    return f"{where}: {severity} {finding.code}: {finding.message}{advice} ({finding.reference})"


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
    shown = without_passwords(text, valid=is_iri_reference(text))
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
    return str(URIReference("").with_path(encoded, shield=True))


@click.command("schemes", cls=Command)
@click.argument("names", nargs=-1, metavar="[SCHEME]...")
@click.option(
    "--status",
    type=click.Choice(get_args(Status)),
    metavar="STATUS",
    help=f"List only {', '.join(get_args(Status)[:-1])} or {get_args(Status)[-1]} schemes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def schemes_command(names: tuple[str, ...], status: str | None, as_json: bool) -> None:
    """List known URI schemes, or show the rules of the named ones.

    The list contains the schemes that IANA registers and a few others in common use. The
    exit status is 1 if a SCHEME is unknown.
    """
    if names and status:
        raise misuse("both schemes and --status are given; give one or the other")
    shown = [SCHEMES.rules_of(as_scheme(name)) for name in names]
    listed = shown or [s for s in SCHEMES.values() if status in {None, s.status}]
    for scheme in listed:
        if as_json:
            print(json.dumps(described(scheme)))
        elif shown:
            print("\n".join(f"{name}: {value}" for name, value in described(scheme).items()))
        else:
            port = "" if scheme.default_port is None else scheme.default_port
            registered = scheme.status or "unregistered"
            print(
                f"{scheme.name:28} {registered:12} {port!s:6} {visible(scheme.reference)}".rstrip()
            )
    sys.exit(0 if all(scheme.name in SCHEMES for scheme in shown) else 1)


def as_scheme(name: str) -> str:
    """Return a scheme in lower case and without a colon at its end."""
    try:
        return Scheme(name=name.removesuffix(":").lower()).name
    except ValueError as error:
        raise misuse(str(error)) from None


def described(scheme: Scheme) -> dict[str, Any]:
    """Return the attributes of a scheme as data for JSON."""
    known = {name: getattr(scheme, name) for name in scheme.__slots__}
    return {name: str(data) if callable(data) else data for name, data in known.items()}
