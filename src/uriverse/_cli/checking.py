"""The command `uriverse check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any

from uriverse import Resolver, check, is_iri_reference, parse
from uriverse._spec.syntax import GRAMMARS
from uriverse.diagnosis import CODES, PROFILES, SEVERITIES
from uriverse.diagnosis._findings import Finding, settings_of, with_settings

from .declarations import command, option
from .lines import Inputs, as_argument, takes_inputs
from .output import MisuseError
from .reports import Check, Report, object_for, text_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse.typing import Grammar, Severity

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
@option(
    "--policy",
    is_file=True,
    metavar="POLICY",
    help="Report URIs that a policy rejects.",
)
@option(
    "--allow",
    multiple=True,
    metavar="RULE",
    help="Report URIs that no RULE allows.",
)
@option(
    "--deny",
    multiple=True,
    metavar="RULE",
    help="Report URIs that a RULE denies.",
)
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
    """Return a function that checks a string with the options of the command."""
    checked = check_of(profile, parsed_severities(severities), kind)
    if policy is not None or allow or deny:
        from .policies import with_policy

        checked = with_policy(checked, policy, allow, deny)
    return checked if base is None else with_base(checked, base)


def check_of(profile: str, own: dict[str, Any], kind: Grammar) -> Check:
    """Return a function that checks a string with the severities and the type of the command."""
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
