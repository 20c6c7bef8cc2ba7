"""The command `uriverse check`."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from uriverse import Resolver, check, is_iri_reference, parse
from uriverse._errors import escape_unprintable
from uriverse._spec import GRAMMARS
from uriverse.diagnosis import CODES, PROFILES, SEVERITIES
from uriverse.diagnosis._findings import Finding, expand_profile, override_settings

from .commands import command, option
from .lines import Inputs, as_argument, takes_inputs
from .output import (
    MisuseError,
    Unanswered,
    UnreadableError,
    complain,
    lines_of,
    octets_of,
    problem,
    reworded,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse.diagnosis._extraction import Section
    from uriverse.typing import Grammar, Severity


class Place(NamedTuple):
    """The position of a string in a file or in the input; lines and columns count from 1.

    A URI in running text may be broken over several lines. Then `breaks` has an entry for the first
    character of each line: its index in the URI, its line and its column.
    """

    file: str | None
    line: int
    column: int
    breaks: tuple[tuple[int, int, int], ...] = ()

    def __str__(self) -> str:
        place = f"{self.line}:{self.column}"
        # A file name can contain line breaks and escape sequences of a terminal.
        return place if self.file is None else f"{escape_unprintable(self.file)}:{place}"

    def at(self, index: int) -> Place:
        """Convert an index in the string to a line and a column in the file."""
        number = bisect_right(self.breaks, index, key=itemgetter(0))
        begin, line, column = self.breaks[number - 1] if number else (0, self.line, self.column)
        return Place(self.file, line, column + index - begin)


#: A function that returns the findings for a string.
Check = Callable[[str], list[Finding]]

#: A function that returns the lines to print for a string and its findings, or `None`.
Form = Callable[[str, Place, list[Finding]], str | None]

#: The severities that set the exit status to 1, for each value of `--fail-on`.
FAILING: dict[str, tuple[str, ...]] = {
    **{severity: SEVERITIES[: n + 1] for n, severity in enumerate(SEVERITIES)},
    "never": (),
}


@command("check")
@option(
    "--profile",
    type=tuple(PROFILES),
    default="generic",
    show_default=True,
    metavar="PROFILE",
    help="Use the severities of PROFILE.",
)
@option(
    "--severity",
    "severities",
    multiple=True,
    metavar="CODE=SEVERITY",
    help="Set the severity of a code or a group of codes.",
)
@option(
    "--fail-on",
    type=tuple(FAILING),
    default="error",
    show_default=True,
    metavar="SEVERITY",
    help="Fail on findings this severe.",
)
@option(
    "--format",
    "form",
    type=("text", "json"),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="Use text or json.",
)
@option(
    "--type",
    "kind",
    type=tuple(GRAMMARS),
    default="iri-reference",
    show_default=True,
    metavar="TYPE",
    help="Accept only this type.",
)
@option(
    "--from-files",
    type=("lines", "text"),
    metavar="KIND",
    help="Read URIs from FILEs of this KIND.",
)
@option("--policy", is_file=True, metavar="POLICY", help="Report URIs that a policy rejects.")
@option("--allow", multiple=True, metavar="RULE", help="Report URIs that no RULE allows.")
@option("--deny", multiple=True, metavar="RULE", help="Report URIs that a RULE denies.")
@option("--base", metavar="URI", help="Resolve relative references against URI first.")
@takes_inputs(arguments="[URI|FILE]...", quiet="Print no findings; only set the exit status.")
def check_command(
    inputs: Inputs,
    form: str,
    from_files: str | None,
    base: str | None,
    fail_on: str,
    **options: Any,
) -> None:
    """Report invalid, ambiguous and misleading URIs.

    Each finding has a line: position, severity, code, problem and fix. The exit status is 1 if
    a finding is as severe as --fail-on, and 2 if a FILE cannot be read. To check the links of
    documents, use uriverse-links.

    TYPE      uri, iri, absolute-uri, absolute-iri, uri-reference, iri-reference
    PROFILE   generic, web, rdf, strict
    SEVERITY  error, warning, info; also off (--severity) or never (--fail-on)
    KIND      lines or text
    POLICY    a TOML file, or a JSON file with the suffix .json
    RULE      a host, a network or a URL with wildcards, such as *.example.org
    """
    inputs.failure = "failed"
    if from_files and (not inputs.given or inputs.files):
        raise MisuseError("--from-files needs file names; give FILEs as arguments, without --file")
    inputs.file_option = "--from-files lines or text"
    report = Report(
        inputs,
        check_for(base, **options),
        object_for if inputs.as_json or form == "json" else text_for,
        FAILING[fail_on],
    )
    if from_files:
        report.on_files(from_files)
    else:
        report.on_lines()
    inputs.leave()


def check_for(
    base: str | None,
    *,
    profile: str,
    severities: tuple[str, ...],
    kind: Grammar,
    policy: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
) -> Check:
    checked = check_of(profile, parsed_severities(severities), kind)
    if policy is not None or allow or deny:
        from .policies import with_policy

        checked = with_policy(checked, policy, allow, deny)
    return checked if base is None else with_base(checked, base)


def check_of(profile: str, own: dict[str, Any], kind: Grammar) -> Check:
    """Return a function that checks a string with the severities and the type of the command."""
    try:
        severity = override_settings(expand_profile(profile), own)["syntax"]
    except ValueError as error:
        raise MisuseError(f"--severity: {error}") from None

    def findings(text: str) -> list[Finding]:
        found = check(text, profile, severities=own or None)
        if kind == "iri-reference" or severity == "off" or not is_iri_reference(text):
            return found
        others = wrong_type(text, GRAMMARS[kind], severity)
        return sorted([*others, *found], key=attrgetter("start"))

    return findings


def with_base(check: Check, base: str) -> Check:
    """Return a check that resolves relative references first.

    Findings about characters that the reference shares with its target have their position in the
    reference, and all others concern the whole reference.
    """
    resolve = as_argument("--base", lambda: Resolver(base))

    def findings(text: str) -> list[Finding]:
        if not is_iri_reference(text) or parse(text).scheme is not None:
            return check(text)
        target = str(resolve(text))
        moved, first = len(target) - len(text), len(target) - shared_end(text, target)

        def in_reference(finding: Finding) -> Finding:
            if finding.start < first:
                return finding._replace(start=0, end=len(text))
            return finding._replace(start=finding.start - moved, end=finding.end - moved)

        return [in_reference(finding) for finding in check(target)]

    return findings


def shared_end(first: str, second: str) -> int:
    """Return the number of characters at the end that two strings share."""
    pairs = enumerate(zip(reversed(first), reversed(second), strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))


def parsed_severities(given: Iterable[str]) -> dict[str, Any]:
    """Parse the values of `--severity` into a dictionary from finding codes to severities."""
    own: dict[str, Any] = {}
    for setting in given:
        name, equals, own[name] = setting.partition("=")
        if not equals:
            raise MisuseError(
                f"--severity: no severity for {name}; write {name}=off or another severity"
            )
    return own


def wrong_type(text: str, rule: str, severity: Severity) -> Iterator[Finding]:
    """Yield a finding if a valid IRI reference does not match the grammar set with `--type`."""
    from uriverse.diagnosis import why_invalid

    if error := why_invalid(text, rule):
        known = CODES["syntax"]
        end, hint = min(error.position + 1, len(text)), reworded(error).hint or None
        place = (error.component, error.position, end)
        yield Finding("syntax", severity, *place, error.reason, known.reference, hint)


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
        for name, number, batch in self.inputs.batches():
            self.on_batch((text, Place(name, n, 1)) for n, text in enumerate(batch, number))
            if self.inputs.stopped:
                break

    def on_files(self, kind: str) -> None:
        """Check the strings in files.

        Args:
            kind: how URIs are found: in "lines" or "text".
        """
        for name in self.inputs.given:
            try:
                for batch in (locate_lines if kind == "lines" else locate_candidates)(name):
                    self.on_batch(batch)
                    if self.inputs.stopped:
                        return
            except UnreadableError as error:
                complain(problem(error))
                self.inputs.unread = True

    def on_batch(self, batch: Iterable[tuple[str, Place]]) -> None:
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
    return "\n".join(line_of(finding, place) for finding in found) or None


def line_of(finding: Finding, place: Place) -> str:
    """Format a finding as linters do: place, severity, code, message, suggestion, reference."""
    description = describe_finding(finding)
    if sys.stdout.isatty():
        description = escape_unprintable(description)
    return f"{place.at(finding.start)}: {finding.severity} {finding.code}: {description}"


def describe_finding(finding: Finding) -> str:
    advice = f"; {finding.suggestion}" if finding.suggestion else ""
    details = f"; also {', '.join(finding.details)}" if finding.details else ""
    return f"{finding.message}{advice} ({finding.reference}{details})"


def object_for(text: str, place: Place, found: list[Finding]) -> str:
    from json import dumps

    where = {"file": place.file, "line": place.line, "column": place.column}
    findings = [finding._asdict() for finding in found]
    return dumps({"text": text, **where, "findings": findings})


def locate_lines(name: str) -> Iterator[Iterator[tuple[str, Place]]]:
    """Yield the non-empty lines of a file with their positions, in batches as they arrive."""
    number = 1
    for lines in lines_of(octets_of(name)):
        yield ((text, Place(name, n, 1)) for n, text in enumerate(lines, number) if text)
        number += len(lines)


def locate_candidates(name: str) -> Iterator[Iterator[tuple[str, Place]]]:
    """Find URI candidates in a text file; yield them in batches, with their positions."""
    from .texts import parts_in

    for part in parts_in(name):
        yield places_in(name, part)


def places_in(name: str, part: Section) -> Iterator[tuple[str, Place]]:
    """Find URI candidates in a part of a file; yield each with its position."""
    from uriverse.diagnosis._extraction import find_probable_uris

    at, done = part._replace(text=""), 0
    for found in find_probable_uris(part.text):
        at = at._replace(text=part.text[done : found.start]).advance("")
        done = found.start
        breaks = breaks_in(part.text[done : found.end], at) if found.is_wrapped else ()
        yield found.text, Place(name, at.line, at.column, tuple(breaks))


def breaks_in(broken: str, at: Section) -> Iterator[tuple[int, int, int]]:
    """Yield the index, the line and the column of the character after each line break in a URI.

    The index counts the characters of the URI without the line breaks.
    """
    from uriverse.diagnosis._extraction import BROKEN

    done = removed = 0
    for match in BROKEN.finditer(broken):
        at = at._replace(text=broken[done : match.end()]).advance("")
        done = match.end()
        removed += len(match[0])
        yield done - removed, at.line, at.column
