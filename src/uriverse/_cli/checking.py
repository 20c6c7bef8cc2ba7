"""The command `uriverse check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import nullcontext
from operator import attrgetter
from os.path import isfile as is_file
from typing import Any, NamedTuple

from uriverse import Resolver, check, is_iri_reference, parse
from uriverse._carets import visible
from uriverse._spec.syntax import GRAMMARS
from uriverse.diagnosis import CODES, PROFILES, SEVERITIES
from uriverse.diagnosis._findings import Finding, settings_of, with_settings

from .declarations import command, option
from .lines import Inputs, as_argument, complete_file_name, takes_inputs
from .output import MisuseError, UnreadableError, complain, problem
from .places import Place
from .printing import Unanswered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse.typing import Grammar, Severity

    from .sarif import Log

#: The severities that set the exit status to 1, for each value of `--fail-on`.
FAILING: dict[str, tuple[str, ...]] = {
    **{severity: SEVERITIES[: n + 1] for n, severity in enumerate(SEVERITIES)},
    "never": (),
}

#: The color of each severity on a terminal.
COLORS = {"error": "red", "warning": "yellow", "info": "blue"}

#: A function that returns the findings for a string.
Check = Callable[[str], list[Finding]]


class Report(NamedTuple):
    """Prints the findings of `uriverse check` as text, JSON or SARIF.

    Attributes:
        inputs: the strings to check, and the output options.
        as_json: whether to print JSON.
        log: prints SARIF; `None` for another format.
        failing: the severities that set the exit status to 1.
        check: returns the findings for a string.
    """

    inputs: Inputs
    as_json: bool
    log: Log | None
    failing: Collection[str]
    check: Check

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
        if self.log is not None:
            return self.log.lines(text, place, found)
        if self.as_json:
            from json import dumps

            where = {"file": place.file, "line": place.line, "column": place.column}
            findings = [finding._asdict() for finding in found]
            return dumps({"text": text, **where, "findings": findings})
        return "\n".join(line_of(finding, place) for finding in found) or None

    def on_lines(self) -> None:
        """Check each input string."""
        for name, number, batch in self.inputs.batches():
            self.on_batch((text, Place(name, n, 1)) for n, text in enumerate(batch, number))
            if self.inputs.stopped:
                break

    def on_files(self, kind: str) -> None:
        """Check files."""
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
    type=("text", "json", "sarif"),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="Print text, json or sarif.",
)
@option(
    "--type",
    "kind",
    type=tuple(GRAMMARS),
    default="iri-reference",
    metavar="TYPE",
    help="Accept only URIs of this type.",
)
@option(
    "--from-files",
    type=("lines", "text"),
    metavar="KIND",
    help="Read URIs from FILEs, as lines or in text.",
)
@option(
    "--policy",
    shell_complete=complete_file_name,
    metavar="POLICY",
    help="Report URIs that a policy rejects.",
)
@option("--allow", multiple=True, metavar="RULE", help="Report URIs that no RULE allows.")
@option("--deny", multiple=True, metavar="RULE", help="Report URIs that a RULE denies.")
@option("--base", metavar="URI", help="Resolve relative references against URI first.")
@takes_inputs(arguments="[URI|FILE]...", quiet="Print no findings; only set the exit status.")
def check_command(
    inputs: Inputs,
    profile: str,
    severities: tuple[str, ...],
    fail_on: str,
    form: str,
    kind: Grammar,
    from_files: str | None,
    policy: str | None,
    allow: tuple[str, ...],
    deny: tuple[str, ...],
    base: str | None,
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
    POLICY    a TOML file, or a JSON file with the suffix .json
    RULE      a host, a network or a URL with wildcards, such as *.example.org
    """
    inputs.failure = "failed"
    checked = check_of(profile, severities, kind)
    if policy is not None or allow or deny:
        from .policies import with_policy

        checked = with_policy(checked, policy, allow, deny)
    if base is not None:
        checked = with_base(checked, base)
    if inputs.as_json and form == "sarif":
        raise MisuseError("--json contradicts --format sarif; use one of them")
    if from_files and (not inputs.given or inputs.files):
        raise MisuseError("--from-files needs file names; give FILEs as arguments, without --file")
    if not inputs.quiet and not from_files and (name := next(filter(is_file, inputs.given), "")):
        complain(
            f"{visible(name)} is checked as a URI, although there is a file of that name; "
            "to check the URIs in the file, use --from-files lines or --from-files text"
        )
    log = None
    if form == "sarif" and not inputs.quiet:
        from .sarif import Log

        log = Log()
        inputs.output = log
    with log or nullcontext():
        report = Report(
            inputs,
            as_json=inputs.as_json or form == "json",
            log=log,
            failing=FAILING[fail_on],
            check=checked,
        )
        if from_files:
            report.on_files(from_files)
        else:
            report.on_lines()
        if log:
            log.successful = not inputs.unread
        inputs.leave()


def check_of(profile: str, severities: Iterable[str], kind: Grammar) -> Check:
    """Return a function that checks a string with the settings of the command."""
    own = parsed_severities(severities)
    try:
        severity = with_settings(settings_of(profile), own)["syntax"]
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

    from .hints import reworded

    if error := why_invalid(text, rule):
        known = CODES["syntax"]
        end, hint = min(error.position + 1, len(text)), reworded(error).hint or None
        place = (error.component, error.position, end)
        yield Finding("syntax", severity, *place, error.reason, known.reference, hint)


def line_of(finding: Finding, place: Place) -> str:
    """Format a finding as linters do: place, severity, code, message, suggestion, reference."""
    severity: str = finding.severity
    advice = f"; {finding.suggestion}" if finding.suggestion else ""
    if sys.stdout.isatty():
        if not os.environ.get("NO_COLOR"):
            from click import style

            severity = style(severity, fg=COLORS[severity])
        advice = visible(advice)
    where = place.at(finding.start)
    return f"{where}: {severity} {finding.code}: {finding.message}{advice} ({finding.reference})"
