"""The command `uriverse-links check`."""

from __future__ import annotations

import json
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, cast

from uriverse import (
    Finding,
    ParseError,
    Policy,
    PolicyError,
    Resolver,
    Rule,
    URIError,
    check,
    is_iri_reference,
    parse,
)
from uriverse.diagnosis import CODES, PROFILES, SEVERITIES, why_invalid
from uriverse_links._destinations import Lines

from .baselines import Baseline
from .document_files import Document, Documents, exclude_patterns, read_octets
from .ignore_comments import IgnoreComments
from .options import parse_base, reword_hint
from .output import Array, MisuseError, Output, Tally, UnreadableError, escape_controls, print_error
from .reports import Format, Log, format_commands, format_lines, format_object
from .settings import PATHS, find_settings
from .strings_in_files import Location, list_strings, locate_candidates

#: A function that returns the findings for a string.
Check = Callable[[str], list[Finding]]

#: The reference of findings for URIs that a policy rejects.
REFERENCE = "policy"

#: A policy without conditions other than the syntax of URIs.
UNRESTRICTED = Policy(schemes=None, scopes=None, userinfo=True, unambiguous=False)


def add_policy(check: Check, name: str | None, allow: Sequence[str], deny: Sequence[str]) -> Check:
    """Return a check that also reports the URIs that a policy rejects.

    Alone, deny rules do not bring in the other conditions of the default policy.
    """
    if name is None and not allow:
        deny_policy = add_rules(UNRESTRICTED, (), deny)
        return lambda text: report_rejection(deny_policy, text, check(text), only="denied")
    policy = add_rules(Policy() if name is None else read_policy(name), allow, deny)
    return lambda text: report_rejection(policy, text, check(text))


def read_policy(name: str) -> Policy:
    octets = read_octets(name)
    try:
        text = octets.decode("utf-8-sig")
        return (
            Policy.from_dict(json.loads(text))
            if name.lower().endswith(".json")
            else Policy.from_toml(text)
        )
    except (ValueError, TypeError) as error:
        raise MisuseError(f"invalid policy {escape_controls(name)}: {error}") from None


def add_rules(policy: Policy, allow: Sequence[str], deny: Sequence[str]) -> Policy:
    changes: dict[str, Any] = {"deny": [*policy.deny, *parse_rules("--deny", deny)]}
    if allow:
        changes["allow"] = [*(policy.allow or ()), *parse_rules("--allow", allow)]
    return replace(policy, **changes)


def parse_rules(option: str, texts: Sequence[str]) -> list[Rule]:
    try:
        return [Rule(text) for text in texts]
    except URIError as error:
        raise MisuseError(f"invalid {option}: {error}") from None


def report_rejection(
    policy: Policy, text: str, findings: list[Finding], *, only: str | None = None
) -> list[Finding]:
    """Add an error to the findings if a policy rejects the URI.

    If they have a finding with the same cause, it becomes an error instead. With `only`, rejections
    with other codes do not count.
    """
    try:
        policy.enforce(text)
    except PolicyError as error:
        if only not in {None, error.code}:
            return findings
        rejection = make_finding(error, text)
    else:
        return findings

    def has_same_cause(finding: Finding) -> bool:
        is_same_problem = finding.code == rejection.code and finding.start == rejection.start
        return is_same_problem or rejection.code in finding.details

    if not any(map(has_same_cause, findings)):
        return sorted([*findings, rejection], key=attrgetter("start"))
    return [
        finding._replace(severity="error") if has_same_cause(finding) else finding
        for finding in findings
    ]


def make_finding(error: PolicyError, text: str) -> Finding:
    component, start, end = "text", 0, len(text)
    # The error may refer to the resolved or to the canonical URI.
    if error.text == text:
        component, start = error.component, error.position
        end = min(start + 1, end)
    hint = error.hint or None
    return Finding(error.code, "error", component, start, end, error.reason, REFERENCE, hint)


#: The severities that set the exit status to 1, for each value of `--fail-on`.
FAILING_SEVERITIES: dict[str, tuple[str, ...]] = {
    **{severity: SEVERITIES[: n + 1] for n, severity in enumerate(SEVERITIES)},
    "never": (),
}

#: The start of a string with a scheme or an authority, in any program.
ABSOLUTE = re.compile(r"[\s\x00-\x20]*+(?:[A-Za-z][A-Za-z0-9+.\-]*+:|[/\\]{2})")

#: A function that returns whether a finding is not reported.
Suppress = Callable[[Finding, Location], bool]


def check_files(options: Namespace) -> int:
    if (options.json or options.json_array) and options.format not in {None, "text", "json"}:
        raise MisuseError(f"--json contradicts --format {options.format}; use one of them")
    if not options.files:
        raise MisuseError("no files; give files or folders as arguments")
    settings = find_settings(options.config)
    # The patterns in a settings file are relative to its folder.
    excluded = ((settings.folder, settings.values.get("exclude", ())), ("", options.exclude))
    add_settings(options, settings.values)
    if options.update_baseline and options.baseline is None:
        raise MisuseError("--update-baseline needs a file; name it with --baseline")
    output = create_output(options)
    log = output if isinstance(output, Log) else None
    tally = Tally.from_options(options)
    with nullcontext() if options.quiet else output:
        report = Report(
            tally=tally,
            output=output,
            check=choose_check(options),
            format_findings=choose_format(options, log),
            failing=FAILING_SEVERITIES[options.fail_on],
            is_excluded=exclude_patterns(*excluded),
            baseline=open_baseline(options),
        )
        report.check_all_files(
            options.files, options.from_files or "documents", options.input_format
        )
        if log:
            log.successful = not tally.unread
        return tally.finish("failed")


def create_output(options: Namespace) -> Output:
    output = Array() if options.json_array else Output()
    if options.format == "sarif" and not options.quiet:
        output = Log()
    if options.zero:
        output.end = "\0"
    return output


def open_baseline(options: Namespace) -> Baseline | None:
    if options.baseline is None:
        return None
    return Baseline(options.baseline, update=options.update_baseline)


def choose_format(options: Namespace, log: Log | None) -> Format | None:
    if options.quiet:
        return None
    if log is not None:
        return log.format
    if options.json or options.json_array or options.format == "json":
        return format_object
    if options.format == "github":
        return format_commands
    return format_lines


def add_settings(options: Namespace, values: Any) -> None:
    """Add the settings in a file and the defaults to the options, which take precedence."""
    for name in ("severity", "allow", "deny"):
        setattr(options, name, [*values.get(name, ()), *getattr(options, name)])
    defaults = {"profile": "generic", "fail-on": "error", "type": "iri-reference"}
    for name in (*defaults, *PATHS):
        attribute = name.replace("-", "_")
        if getattr(options, attribute) is None:
            setattr(options, attribute, values.get(name, defaults.get(name)))


# --- the check of one string


def choose_check(options: Namespace) -> Check:
    severities = parse_severities(options.severity)
    in_documents = options.from_files in {None, "documents"}
    if in_documents:
        # Links between documents are relative.
        severities = {"relative": "off", **severities}
    check_string = check_without_policy = create_check(options.profile, severities, options.type)
    if options.policy is not None or options.allow or options.deny:
        check_string = add_policy(check_string, options.policy, options.allow, options.deny)
    if in_documents:
        check_string = adapt_to_documents(
            check_without_policy, check_string, keep_missing_scheme="missing-scheme" in severities
        )
    return check_string if options.base is None else add_base(check_string, options.base)


def parse_severities(settings: Iterable[str]) -> dict[str, Any]:
    severities: dict[str, Any] = {}
    for setting in settings:
        name, equals, severity = setting.partition("=")
        if not equals:
            raise MisuseError(
                f"--severity: no severity for {name}; write {name}=off or another severity"
            )
        severities[name] = severity
    return severities


def create_check(profile: str, severities: dict[str, Any], grammar: str) -> Check:
    """Return a check that also reports references that do not match a stricter grammar."""
    try:
        # This raises the error for an invalid code or severity.
        check("", profile, severities=severities or None)
    except ValueError as error:
        raise MisuseError(f"--severity: {error}") from None
    severity = severities.get("syntax", PROFILES[profile]["syntax"])
    # The names of the rules are those of the RFCs, such as absolute-URI.
    rule = grammar.replace("uri", "URI").replace("iri", "IRI")

    def check_grammar(text: str) -> list[Finding]:
        findings = check(text, profile, severities=severities or None)
        if grammar == "iri-reference" or severity == "off":
            return findings
        # Any other string has a finding about its syntax already.
        error = why_invalid(text, rule) if is_iri_reference(text) else None
        if error is None:
            return findings
        reference, hint = CODES["syntax"].reference, reword_hint(error).hint or None
        start, end = error.position, min(error.position + 1, len(text))
        mismatch = Finding(
            "syntax", severity, error.component, start, end, error.reason, reference, hint
        )
        return sorted([mismatch, *findings], key=attrgetter("start"))

    return check_grammar


def adapt_to_documents(
    check_relative: Check, check_absolute: Check, *, keep_missing_scheme: bool
) -> Check:
    """Return a check for destinations in documents.

    References to other documents of the site have a check of their own, because no policy allows
    them without a base. File names are not reported for a missing scheme.
    """

    def check_destination(text: str) -> list[Finding]:
        if ABSOLUTE.match(text):
            return check_absolute(text)
        findings = check_relative(text)
        is_domain = text[:4].lower() == "www."
        if keep_missing_scheme or is_domain:
            return findings
        return [finding for finding in findings if finding.code != "missing-scheme"]

    return check_destination


def add_base(check: Check, base: str) -> Check:
    """Return a check that resolves relative references first.

    Findings about characters that the reference shares with its target have their position in the
    reference, and all others concern the whole reference.
    """
    resolve = Resolver(parse_base("--base", base))

    def check_target(text: str) -> list[Finding]:
        if not is_iri_reference(text) or parse(text).scheme is not None:
            return check(text)
        target = str(resolve(text))
        added_length = len(target) - len(text)
        suffix_start = len(target) - measure_common_suffix(text, target)

        def move_to_reference(finding: Finding) -> Finding:
            if finding.start < suffix_start:
                return finding._replace(start=0, end=len(text))
            start, end = finding.start - added_length, finding.end - added_length
            return finding._replace(start=start, end=end)

        return [move_to_reference(finding) for finding in check(target)]

    return check_target


def measure_common_suffix(first: str, second: str) -> int:
    pairs = enumerate(zip(reversed(first), reversed(second), strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(first), len(second)))


# --- files


@dataclass
class Report:
    """Checks the strings in files, and prints what `format_findings` returns."""

    tally: Tally
    output: Output
    check: Check
    format_findings: Format | None
    failing: Collection[str]
    is_excluded: Callable[[str], bool]
    baseline: Baseline | None
    _checked_names: list[str] = field(default_factory=list[str])

    def check_all_files(self, names: list[str], kind: str, document_format: Any) -> None:
        """Check the strings in files, and write the baseline if it is to be updated.

        With the kind "documents", names may also be those of folders.
        """
        documents = Documents(names, document_format)
        for document_or_name in documents if kind == "documents" else names:
            name = document_or_name if isinstance(document_or_name, str) else document_or_name.name
            if self.is_excluded(name) or (self.baseline and self.baseline.is_same_file(name)):
                continue
            try:
                if isinstance(document_or_name, str):
                    find = list_lines if kind == "lines" else locate_candidates
                    self.check_batch(find(name, decode_text(name)))
                else:
                    self.check_document(document_or_name)
            except UnreadableError as error:
                self.tally.report_unreadable(error)
            else:
                self._checked_names.append(name)
            if self.tally.stopped:
                break
        self.tally.unread = self.tally.unread or documents.unread
        if self.baseline and self.baseline.update:
            self.update_baseline(self.baseline)

    def check_document(self, document: Document) -> None:
        name, document_format, text = document.name, document.format, document.read().text
        lines = Lines(text)
        try:
            strings = list(list_strings(name, text, document_format, lines))
        except ParseError as error:
            raise UnreadableError.from_syntax_error(name, text, error) from None
        ignore_comments = IgnoreComments(text, document_format, lines)
        self.check_batch(strings, ignore_comments.suppresses)
        if not (self.tally.quiet or self.tally.stopped):
            for line, column in ignore_comments.list_unused():
                print_error(
                    f"{Location(name, line, column)}: the comment suppresses no finding; remove it"
                )

    def check_batch(
        self, strings: Iterable[tuple[str, Location]], suppress: Suppress | None = None
    ) -> None:
        """Check strings, count those that fail, and write the findings of all at once."""
        formatted_findings: list[str] = []
        for text, location in strings:
            self.tally.total += 1
            findings = self.check(text)
            if suppress:
                findings = [finding for finding in findings if not suppress(finding, location)]
            if self.baseline:
                findings = [
                    finding
                    for finding in findings
                    if not self.baseline.contains(text, finding, location)
                ]
            if self.format_findings:
                lines = self.format_findings(text, location, findings)
                if lines is not None:
                    formatted_findings.append(lines)
            if any(finding.severity in self.failing for finding in findings):
                self.tally.invalid += 1
                if self.tally.stopped:
                    break
        self.output.write(formatted_findings)

    def update_baseline(self, baseline: Baseline) -> None:
        """Write all findings to the baseline, if all files could be read."""
        if self.tally.unread:
            name = escape_controls(baseline.name)
            print_error(f"{name} stays unchanged, because a file could not be read")
            return
        try:
            baseline.write({baseline.make_relative(name) for name in self._checked_names})
        except UnreadableError as error:
            self.tally.report_unreadable(error)


def list_lines(name: str, text: str) -> Iterator[tuple[str, Location]]:
    for number, line in enumerate(text.split("\n"), 1):
        if string := line.removesuffix("\r"):
            yield string, Location(name, number, 1)


def decode_text(name: str) -> str:
    """Read a text file. Octets that are not UTF-8 become surrogates, which no grammar allows."""
    if name == "-" and (cast("Any", sys.stdin) is None or sys.stdin.isatty()):
        raise MisuseError("no input; give files as arguments, or text on standard input")
    return read_octets(name).decode("utf-8", "surrogateescape").removeprefix("\ufeff")
