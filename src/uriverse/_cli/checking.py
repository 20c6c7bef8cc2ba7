"""The command `uriverse check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from operator import attrgetter
from typing import Any, NamedTuple, get_args

from uriverse import Resolver, check, is_iri_reference, parse
from uriverse._patterns import lazy_pattern
from uriverse._spec.syntax import GRAMMARS
from uriverse.diagnosis import CODES, PROFILES, SEVERITIES
from uriverse.diagnosis._findings import Finding, settings_of, with_settings
from uriverse.typing import DocumentFormat

from .declarations import command, option
from .lines import Inputs, as_argument, complete_file_name, takes_inputs
from .output import MisuseError
from .reports import Check, Form, Report, object_for, text_for
from .settings import options_of, settings_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse.typing import Grammar, Severity

    from .baselines import Baseline
    from .sarif import Log

#: The severities that set the exit status to 1, for each value of `--fail-on`.
FAILING: dict[str, tuple[str, ...]] = {
    **{severity: SEVERITIES[: n + 1] for n, severity in enumerate(SEVERITIES)},
    "never": (),
}


#: The start of a string with a scheme or an authority, in any program.
ABSOLUTE = lazy_pattern(r"[\s\x00-\x20]*+(?:[A-Za-z][A-Za-z0-9+.\-]*+:|[/\\]{2})")


class Options(NamedTuple):
    """The options of the command that can also be set in a file."""

    profile: str
    severities: tuple[str, ...]
    fail_on: str
    kind: Grammar
    policy: str | None
    allow: tuple[str, ...]
    deny: tuple[str, ...]
    exclude: tuple[str, ...]
    baseline: str | None


@command("check")
@option(
    "--profile",
    type=tuple(PROFILES),
    default="generic",
    configurable=True,
    metavar="PROFILE",
    help="Use the severities of PROFILE.",
)
@option(
    "--severity",
    "severities",
    multiple=True,
    configurable=True,
    metavar="CODE=SEVERITY",
    help="Set the severity of a code or a group of codes.",
)
@option(
    "--fail-on",
    type=tuple(FAILING),
    default="error",
    configurable=True,
    metavar="SEVERITY",
    help="Fail on findings this severe.",
)
@option(
    "--format",
    "form",
    type=("text", "json", "github", "sarif"),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="Use text, json, github or sarif.",
)
@option(
    "--type",
    "kind",
    type=tuple(GRAMMARS),
    default="iri-reference",
    configurable=True,
    metavar="TYPE",
    help="Accept only this type.",
)
@option(
    "--from-files",
    type=("lines", "text", "documents"),
    metavar="KIND",
    help="Read URIs from FILEs of this KIND.",
)
@option(
    "--input-format",
    type=get_args(DocumentFormat),
    metavar="NAME",
    help="Read documents of this format, such as html.",
)
@option(
    "--exclude",
    multiple=True,
    configurable=True,
    metavar="PATTERN",
    help="Skip FILEs that match, as in a .gitignore.",
)
@option(
    "--policy",
    configurable=True,
    shell_complete=complete_file_name,
    metavar="POLICY",
    help="Report URIs that a policy rejects.",
)
@option(
    "--allow",
    multiple=True,
    configurable=True,
    metavar="RULE",
    help="Report URIs that no RULE allows.",
)
@option(
    "--deny",
    multiple=True,
    configurable=True,
    metavar="RULE",
    help="Report URIs that a RULE denies.",
)
@option("--base", metavar="URI", help="Resolve relative references against URI first.")
@option(
    "--baseline",
    configurable=True,
    shell_complete=complete_file_name,
    metavar="FILE",
    help="Report only findings that are not in FILE.",
)
@option("--update-baseline", is_flag=True, help="Write all findings to the baseline.")
@option(
    "--config",
    shell_complete=complete_file_name,
    metavar="FILE",
    help="Read settings from FILE.",
)
@takes_inputs(arguments="[URI|FILE]...", quiet="Print no findings; only set the exit status.")
def check_command(
    inputs: Inputs,
    form: str,
    from_files: str | None,
    input_format: DocumentFormat | None,
    base: str | None,
    update_baseline: bool,
    config: str | None,
    **given: Any,
) -> None:
    """Report invalid, ambiguous and misleading URIs.

    Each finding has a line: position, severity, code, problem and fix. The exit status is 1 if
    a finding is as severe as --fail-on, and 2 if a FILE cannot be read. Settings are read from
    .uriverse.toml or pyproject.toml.

    \b
    TYPE      uri, iri, absolute-uri, absolute-iri, uri-reference, iri-reference
    PROFILE   generic, web, rdf, strict
    SEVERITY  error, warning, info; also off (--severity) or never (--fail-on)
    KIND      lines, text, or documents (links of Markdown, HTML, ...)
    POLICY    a TOML file, or a JSON file with the suffix .json
    RULE      a host, a network or a URL with wildcards, such as *.example.org
    """
    inputs.failure = "failed"
    if inputs.as_json and form not in {"text", "json"}:
        raise MisuseError(f"--json contradicts --format {form}; use one of them")
    if from_files and (not inputs.given or inputs.files):
        raise MisuseError("--from-files needs file names; give FILEs as arguments, without --file")
    if not from_files and (given["baseline"] is not None or update_baseline):
        raise MisuseError("a baseline is for findings in files; add --from-files")
    inputs.file_option = "--from-files lines, text or documents"
    configurable = options_of(check_command.parameters)
    settings = settings_in(config, configurable)
    options = Options(**settings.added_to(given, configurable))
    log = log_for(form, inputs)
    with log or nullcontext():
        report = Report(
            inputs,
            check_for(options, base, in_documents=from_files == "documents"),
            log.lines if log else form_of("json" if inputs.as_json else form),
            FAILING[options.fail_on],
        )
        if from_files:
            from .excluding import exclusion

            report.excluded = exclusion(
                (settings.folder, settings.values.get("exclude", ())), ("", given["exclude"])
            )
            report.baseline = baseline_in(options.baseline, update=update_baseline)
            report.on_files(from_files, input_format)
        else:
            report.on_lines()
        if log:
            log.successful = not inputs.unread
        inputs.leave()


def log_for(form: str, inputs: Inputs) -> Log | None:
    """Return the output for SARIF; `None` for another format."""
    if form != "sarif" or inputs.quiet:
        return None
    from .sarif import Log

    inputs.output = log = Log()
    return log


def form_of(name: str) -> Form:
    """Return the function that formats findings for `--format`."""
    if name == "github":
        from .github import commands_for

        return commands_for
    return object_for if name == "json" else text_for


def baseline_in(name: str | None, *, update: bool) -> Baseline | None:
    """Return the baseline in a file."""
    if name is not None:
        from .baselines import Baseline

        return Baseline(name, update=update)
    if update:
        raise MisuseError("--update-baseline needs a file; name it with --baseline")
    return None


def check_for(options: Options, base: str | None, *, in_documents: bool) -> Check:
    """Return a function that checks a string with the options of the command."""
    own = parsed_severities(options.severities)
    if in_documents:
        # Links between documents are relative.
        own = {"relative": "off", **own}
    plain = checked = check_of(options.profile, own, options.kind)
    if options.policy is not None or options.allow or options.deny:
        from .policies import with_policy

        checked = with_policy(plain, options.policy, options.allow, options.deny)
    if in_documents:
        kept = "missing-scheme" in own
        checked = for_documents(plain, checked, keep_missing_scheme=kept)
    return checked if base is None else with_base(checked, base)


def for_documents(local: Check, remote: Check, *, keep_missing_scheme: bool) -> Check:
    """Return a check for destinations in documents.

    Args:
        local: checks references to other documents of the site. No policy allows them without a
            base.
        remote: checks all other destinations.
        keep_missing_scheme: whether to report each file name that looks like a host. By default,
            only the names that start with `www.` are reported.
    """

    def findings(text: str) -> list[Finding]:
        if not is_local(text):
            return remote(text)
        found = local(text)
        if keep_missing_scheme or text[:4].lower() == "www.":
            return found
        return [finding for finding in found if finding.code != "missing-scheme"]

    return findings


def is_local(text: str) -> bool:
    """Return whether a string, which may be invalid, starts with neither a scheme nor a host."""
    return not ABSOLUTE.match(text)


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
