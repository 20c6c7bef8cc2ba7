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
from .lines import Inputs, parse_argument, takes_inputs
from .output import InvalidLine, MisuseError, UnreadableError, adapt_hint, read_chunks, split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse.diagnosis._extraction import Section
    from uriverse.typing import Grammar, Severity


class Location(NamedTuple):
    """The position of a string in a file or in the input; lines and columns count from 1.

    A URI in running text may be broken over several lines. Then `breaks` has an entry for the first
    character of each line: its index in the URI, its line and its column.
    """

    file: str | None
    line: int
    column: int
    breaks: tuple[tuple[int, int, int], ...] = ()

    def __str__(self) -> str:
        position = f"{self.line}:{self.column}"
        # A file name can contain line breaks and escape sequences of a terminal.
        return position if self.file is None else f"{escape_unprintable(self.file)}:{position}"

    def locate_index(self, index: int) -> Location:
        """Convert an index in the string to a line and a column in the file."""
        break_count = bisect_right(self.breaks, index, key=itemgetter(0))
        if break_count == 0:
            return Location(self.file, self.line, self.column + index)
        line_start, line, column = self.breaks[break_count - 1]
        return Location(self.file, line, column + index - line_start)


#: A function that returns the findings for a string.
Check = Callable[[str], list[Finding]]

#: A function that returns the lines to print for a string and its findings, or `None`.
FormatFindings = Callable[[str, Location, list[Finding]], str | None]

#: The severities that set the exit status to 1, for each value of `--fail-on`.
FAILING_SEVERITIES: dict[str, tuple[str, ...]] = {
    **{severity: SEVERITIES[: n + 1] for n, severity in enumerate(SEVERITIES)},
    "never": (),
}


@command("check")
@option(
    "--profile",
    type=tuple(PROFILES),
    default="generic",
    show_default=True,
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
    type=tuple(FAILING_SEVERITIES),
    default="error",
    show_default=True,
    metavar="SEVERITY",
    help="Fail on findings this severe.",
)
@option(
    "--format",
    "output_format",
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
    output_format: str,
    from_files: str | None,
    base: str | None,
    fail_on: str,
    profile: str,
    severities: tuple[str, ...],
    kind: Grammar,
    policy: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
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
    if from_files and (not inputs.arguments or inputs.files):
        raise MisuseError("--from-files needs file names; give FILEs as arguments, without --file")
    inputs.file_option = "--from-files lines or text"
    check_uri = make_basic_check(profile, parse_severities(severities), kind)
    if policy is not None or allow or deny:
        from .policies import add_policy

        check_uri = add_policy(check_uri, policy, allow, deny)
    if base is not None:
        check_uri = add_base_resolution(check_uri, base)
    prints_json = inputs.as_json or output_format == "json"
    format_findings = format_as_json if prints_json else format_as_text
    report = Report(inputs, check_uri, format_findings, FAILING_SEVERITIES[fail_on])
    if from_files:
        report.check_input_files(from_files)
    else:
        report.check_inputs()
    inputs.exit_with_summary()


def make_basic_check(profile: str, own_severities: dict[str, Any], kind: Grammar) -> Check:
    """Return a check that also reports the strings of another kind, such as relative references."""
    try:
        syntax_severity = override_settings(expand_profile(profile), own_severities)["syntax"]
    except ValueError as error:
        raise MisuseError(f"--severity: {error}") from None

    def check_uri(text: str) -> list[Finding]:
        findings = check(text, profile, severities=own_severities or None)
        if kind == "iri-reference" or syntax_severity == "off":
            return findings
        if not is_iri_reference(text):
            return findings  # which have the syntax error already
        mismatch = find_type_mismatch(text, GRAMMARS[kind], syntax_severity)
        if mismatch is None:
            return findings
        return sorted([mismatch, *findings], key=attrgetter("start"))

    return check_uri


def add_base_resolution(check: Check, base: str) -> Check:
    """Resolve references before the check. Findings in the end that stays keep their position."""
    resolve = parse_argument("--base", lambda: Resolver(base))

    def check_target(text: str) -> list[Finding]:
        if not is_iri_reference(text) or parse(text).scheme is not None:
            return check(text)
        target = str(resolve(text))
        offset = len(target) - len(text)
        suffix_start = len(target) - measure_common_suffix(text, target)

        def move_to_reference(finding: Finding) -> Finding:
            if finding.start < suffix_start:
                return finding._replace(start=0, end=len(text))
            return finding._replace(start=finding.start - offset, end=finding.end - offset)

        return [move_to_reference(finding) for finding in check(target)]

    return check_target


def measure_common_suffix(first: str, second: str) -> int:
    pairs = enumerate(zip(reversed(first), reversed(second), strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(first), len(second)))


def parse_severities(settings: Iterable[str]) -> dict[str, Any]:
    severities: dict[str, Any] = {}
    for setting in settings:
        name, equals, severities[name] = setting.partition("=")
        if not equals:
            advice = f"write {name}=off or another severity"
            raise MisuseError(f"--severity: no severity for {name}; {advice}")
    return severities


def find_type_mismatch(text: str, rule: str, severity: Severity) -> Finding | None:
    from uriverse.diagnosis import why_invalid

    if (error := why_invalid(text, rule)) is None:
        return None
    reference, hint = CODES["syntax"].reference, adapt_hint(error).hint or None
    span = error.component, error.position, min(error.position + 1, len(text))
    return Finding("syntax", severity, *span, error.reason, reference, hint)


class Report(NamedTuple):
    inputs: Inputs
    check: Check
    format_findings: FormatFindings
    failing: Collection[str]

    def check_string(self, text: str, location: Location) -> str | None:
        """Check a string, and return the lines to print; raise `InvalidLine` if a finding fails."""
        findings = self.check(text)
        lines = None if self.inputs.quiet else self.format_findings(text, location, findings)
        if any(finding.severity in self.failing for finding in findings):
            raise InvalidLine(lines)
        return lines

    def check_inputs(self) -> None:
        for name, number, batch in self.inputs.read_batches():
            self.check_batch((text, Location(name, n, 1)) for n, text in enumerate(batch, number))
            if self.inputs.stopped:
                break

    def check_input_files(self, kind: str) -> None:
        locate = locate_lines if kind == "lines" else locate_candidates
        for name in self.inputs.arguments:
            try:
                for batch in locate(name):
                    self.check_batch(batch)
                    if self.inputs.stopped:
                        return
            except UnreadableError as error:
                self.inputs.report_unreadable(error)

    def check_batch(self, batch: Iterable[tuple[str, Location]]) -> None:
        lines: list[str | None] = []
        for text, location in batch:
            self.inputs.total += 1
            try:
                lines.append(self.check_string(text, location))
            except InvalidLine as invalid:
                lines.append(invalid.line)
                self.inputs.invalid += 1
                if self.inputs.stopped:
                    break
        self.inputs.output.write_lines([line for line in lines if line is not None])


def format_as_text(text: str, location: Location, findings: list[Finding]) -> str | None:  # noqa: ARG001
    return "\n".join(format_finding(finding, location) for finding in findings) or None


def format_finding(finding: Finding, location: Location) -> str:
    description = describe_finding(finding)
    if sys.stdout.isatty():
        description = escape_unprintable(description)
    start = location.locate_index(finding.start)
    return f"{start}: {finding.severity} {finding.code}: {description}"


def describe_finding(finding: Finding) -> str:
    advice = f"; {finding.suggestion}" if finding.suggestion else ""
    details = f"; also {', '.join(finding.details)}" if finding.details else ""
    return f"{finding.message}{advice} ({finding.reference}{details})"


def format_as_json(text: str, location: Location, findings: list[Finding]) -> str:
    from json import dumps

    start = {"file": location.file, "line": location.line, "column": location.column}
    return dumps({"text": text, **start, "findings": [finding._asdict() for finding in findings]})


def locate_lines(name: str) -> Iterator[Iterator[tuple[str, Location]]]:
    """Yield the non-empty lines of a file, in batches as they arrive."""
    number = 1
    for lines in split_lines(read_chunks(name)):
        yield ((text, Location(name, n, 1)) for n, text in enumerate(lines, number) if text)
        number += len(lines)


def locate_candidates(name: str) -> Iterator[Iterator[tuple[str, Location]]]:
    from .texts import read_parts

    for part in read_parts(name):
        yield locate_part_candidates(name, part)


def locate_part_candidates(name: str, part: Section) -> Iterator[tuple[str, Location]]:
    from uriverse.diagnosis._extraction import find_probable_uris

    position, end = part._replace(text=""), 0
    for candidate in find_probable_uris(part.text):
        position = position._replace(text=part.text[end : candidate.start]).advance("")
        end = candidate.start
        breaks: tuple[tuple[int, int, int], ...] = ()
        if candidate.is_wrapped:
            breaks = tuple(locate_line_starts(part.text[end : candidate.end], position))
        yield candidate.text, Location(name, position.line, position.column, breaks)


def locate_line_starts(text: str, position: Section) -> Iterator[tuple[int, int, int]]:
    """Yield index, line and column after each line break; the index counts no line breaks."""
    from uriverse.diagnosis._extraction import BROKEN

    line_start = removed_count = 0
    for match in BROKEN.finditer(text):
        position = position._replace(text=text[line_start : match.end()]).advance("")
        line_start = match.end()
        removed_count += len(match[0])
        yield line_start - removed_count, position.line, position.column
