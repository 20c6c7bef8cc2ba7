"""Apply the rules of `check` that come from specifications, and find deceptive characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from uriverse._errors import ConvertError, ParseError, URIError, escape_unprintable
from uriverse._lazy import lazy_pattern
from uriverse._redaction import redact_component
from uriverse._spec.bidi import bidi_findings
from uriverse._spec.components import AllParts, split_all_parts
from uriverse._spec.domain import ACE_PREFIX
from uriverse._spec.messages import create_parse_error, explain_component
from uriverse._spec.nfc import is_nfc
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.syntax import LONGEST_TEXT, compile_rule, matches
from uriverse._spec.violation import find_invalid_position
from uriverse._typed import find_typed_class, list_content_attributes
from uriverse._uri import parse
from uriverse._uri.engine import is_iri_reference, is_uri
from uriverse.schemes._descriptors import find_scheme_function, load_default_registry
from uriverse.schemes._registry import Registry
from uriverse.schemes._violation import Problem
from uriverse.typing import Severity

from ._ambiguity import find_uri_ambiguities, locate_labels
from ._codes import CODES, MISLEADING
from ._findings import RANKS, Finding, Settings, is_group_enabled
from ._parsed_text import ParsedText, Span

#: Unicode noncharacters: the last two code points of each plane, and 32 more.
NONCHARACTERS = {
    *map(chr, range(0xFDD0, 0xFDF0)),
    *(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)),
}

#: Private-use code points, and Unicode noncharacters, which may be percent-encoded.
PRIVATE_USE = lazy_pattern("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]+")
NONCHARACTER = lazy_pattern(
    f"[{''.join(sorted(NONCHARACTERS))}]|%EF%B7%(?:9[0-9A-F]|A[0-9A-F])"
    "|%(?:EF|F0%[9AB]F|F[123]%[89AB]F|F4%8F)%BF%B[EF]",
    re.IGNORECASE,
)

ZONE = lazy_pattern(r"\[[0-9A-Fa-f:.]++(%(?:25)?[^\]/?#]*+)\]")


def find_syntax_errors(parsed: ParsedText) -> Iterator[Problem]:
    """Report the first invalid character of each component (RFC 3986, Appendix A)."""
    text = parsed.text
    if parsed.valid:
        return
    for part in parsed.component_spans:
        if compile_rule(part.rule).fullmatch(text, part.start, part.end):
            continue
        position = find_invalid_position(part.rule, text, part.start, part.end)
        end = min(position + 1, len(text))
        _, reason, hint = explain_component(text, part, position)
        yield Problem("syntax", part.name, position, end, reason, hint or None)


def find_scheme_violations(parsed: ParsedText) -> Iterator[Problem]:
    """Report violations of the rules of a URI's scheme, also of the URI of an IRI (RFC 3987, 6.4).

    If components are missing or not allowed, the scheme's own grammar is not checked.
    """
    if not parsed.has_valid_scheme:
        return
    uri = parsed.uri
    problems = list(find_component_violations(uri))
    if not problems:
        problems = [*find_scheme_syntax_errors(uri), *find_scheme_problems(uri)]
    for problem in problems:
        reference = problem.reference or parsed.rules.reference
        yield parsed.map_to_iri(problem)._replace(reference=reference)


def find_component_violations(parsed: ParsedText) -> Iterator[Problem]:
    rules, parts, bounds = parsed.rules, parsed.parts, parsed.bounds
    if parts.host is None and rules.authority == "required":
        yield Problem("authority-missing", "host", bounds.path, bounds.path)
    if parts.host is not None and rules.authority == "forbidden":
        yield Problem("authority-misplaced", "host", bounds.authority - len("//"), bounds.path)
    if parts.host == "" and not rules.empty_host:
        yield Problem("host-missing", "host", bounds.host, bounds.host)
    if parsed.valid and rules.path and not matches(parts.path, rules.path):
        yield Problem("path-misshapen", *parsed.get_span("path"))
    if parts.userinfo is not None and rules.userinfo == "forbidden":
        yield Problem("userinfo-misplaced", *parsed.get_span("userinfo"))
    if parts.query is not None and not rules.query:
        yield Problem("query-misplaced", *parsed.get_span("query"))
    if parts.fragment is not None and not rules.fragment:
        yield Problem("fragment-misplaced", *parsed.get_span("fragment"))


def find_scheme_syntax_errors(parsed: ParsedText) -> Iterator[Problem]:
    typed_class = find_typed_class(parsed.scheme)
    if typed_class is None or not is_uri(parsed.text):
        return
    try:
        uri = typed_class(parsed.text)
    except ParseError as error:
        yield Problem("scheme-syntax", *to_span(error), error.reason, error.hint or None)
        return
    try:
        # The class decodes the content of the URI only when an attribute is read.
        for attribute in list_content_attributes(uri):
            getattr(uri, attribute)
    except ConvertError as error:
        yield Problem("content", *to_span(error), error.reason, error.hint or None)


def to_span(error: URIError) -> Span:
    return Span(error.component, error.position, min(error.position + 1, len(error.text)))


def find_scheme_problems(parsed: ParsedText) -> Iterator[Problem]:
    find_problems = find_scheme_function(parsed.scheme, "find_problems")
    if find_problems is None:
        return
    for problem in find_problems(parsed.text):
        yield problem._replace(reference=problem.reference or CODES[problem.code].reference)


def find_unicode_problems(parsed: ParsedText) -> Iterator[Problem]:
    """Report problematic characters by RFC 3987, 4 (bidirectional text) and 5.3.2.2 (NFC)."""
    text = parsed.text
    for run in NONCHARACTER.finditer(text):
        yield Problem("noncharacter", parsed.get_component(run.start()), *run.span())
    yield from find_misleading_labels(parsed)
    if text.isascii():
        return
    for finding in bidi_findings(text):
        yield Problem(finding.code, finding.component, finding.start, finding.end, finding.reason)
    for run in PRIVATE_USE.finditer(text):
        yield Problem("private-use", parsed.get_component(run.start()), *run.span())
    if is_nfc(text):
        return
    for component, start, end in parsed.spans:
        if not is_nfc(text[start:end]):
            message = f"the {component} is not in Unicode Normalization Form C"
            yield Problem("not-nfc", component, start, end, message)


def find_misleading_labels(parsed: ParsedText) -> Iterator[Problem]:
    """Report labels of a host that imitate other names, so that `display` shows them in ASCII."""
    host = parsed.parts.host or ""
    if not parsed.valid or (
        host.isascii() and "%" not in host and ACE_PREFIX not in lowercase_ascii(host)
    ):
        return
    from uriverse._uri.display import list_kept_labels  # late: few hosts need its tables

    labels = list(locate_labels(host))
    for index, reason in list_kept_labels(parsed.text):
        # Without an index, the reason is the host as a whole.
        label, offset = (host, 0) if index is None else labels[index]
        start = parsed.bounds.host + offset
        message = f"{MISLEADING}: {reason}"
        yield Problem("misleading-host", "host", start, start + len(label), message)


def find_deprecated_features(parsed: ParsedText) -> Iterator[Problem]:
    userinfo, bounds = parsed.parts.userinfo, parsed.bounds
    if userinfo is not None and parsed.has_valid_scheme and parsed.rules.userinfo == "deprecated":
        yield Problem("userinfo", *parsed.get_span("userinfo"))
    username, _, password = (userinfo or "").partition(":")
    if password:
        password_start = bounds.authority + len(username) + 1
        at_sign = bounds.host - 1
        yield Problem("password", "userinfo", password_start, at_sign)
    if bounds.authority >= 0 and (zone := ZONE.match(parsed.text, bounds.host, bounds.path)):
        yield Problem("zone-identifier", "host", *zone.span(1))


def find_form_problems(parsed: ParsedText) -> Iterator[Problem]:
    if parsed.bounds.scheme_end < 0:
        yield Problem("relative", "scheme", 0, 0)
    elif parsed.has_valid_scheme and parsed.scheme not in parsed.schemes:
        yield Problem("unregistered-scheme", "scheme", 0, parsed.bounds.scheme_end)
    if parsed.valid:
        yield from find_abnormal_components(parsed)


def find_abnormal_components(parsed: ParsedText) -> Iterator[Problem]:
    normal_parts = split_all_parts(str(parse(parsed.text).normalize(scheme=parsed.schemes)))
    for component, part, normal_part in zip(
        AllParts._fields, parsed.parts, normal_parts, strict=True
    ):
        if part is None or part == normal_part:
            continue
        if normal_part is None:
            suggestion = f"remove the {component}"
        elif normal_part == "":
            suggestion = f"write an empty {component}"
        else:
            suggestion = f'write "{escape_unprintable(redact_component(component, normal_part))}"'
        message = f"the {component} is not in normal form"
        yield Problem("not-normalized", *parsed.get_span(component), message, suggestion)


#: The functions that find the problems of each group.
FINDERS: dict[str, Callable[[ParsedText], Iterator[Problem]]] = {
    "syntax": find_syntax_errors,
    "scheme": find_scheme_violations,
    "text": find_unicode_problems,
    "deprecated": find_deprecated_features,
    "ambiguity": find_uri_ambiguities,
    "form": find_form_problems,
}


def apply_rules(
    text: str,
    settings: Settings,
    schemes: Registry | None = None,
    groups: int | None = None,
    known_findings: Sequence[Finding] = (),
    *,
    first_only: bool = False,
) -> list[Finding]:
    """Return the sorted findings for a string, without those whose code is set to `"off"`.

    `groups` has one bit for each group to examine, in the order of `FINDERS`; `known_findings` are
    those of the other groups. With `first_only`, only the first finding of each code in each
    component is returned.
    """
    finders = [
        finder
        for bit, (group, finder) in enumerate(FINDERS.items())
        if (groups is None or groups >> bit & 1) and is_group_enabled(group, settings)
    ]
    if groups is not None and not finders:
        return [*known_findings]
    is_valid = is_iri_reference(text)
    if not is_valid and len(text) > LONGEST_TEXT:
        return report_long_text(text, settings)
    registry = load_default_registry() if schemes is None else schemes
    if not isinstance(registry, Registry):
        raise TypeError(f"schemes must be a Registry, not {type(registry).__name__}")
    parsed = ParsedText(text, registry, valid=is_valid, first_only=first_only)
    seen: set[tuple[str, str]] = set()
    findings = [*known_findings]
    for problem in chain.from_iterable(finder(parsed) for finder in finders):
        is_repeated = first_only and (problem.code, problem.component) in seen
        seen.add((problem.code, problem.component))
        severity = settings[problem.code]
        if severity != "off" and not is_repeated:
            findings.append(to_finding(problem, severity))
    group_ranks = {group: rank for rank, group in enumerate(FINDERS)}

    def rank(finding: Finding) -> tuple[int, int, int, int]:
        group_rank = group_ranks[CODES[finding.code].group]
        return finding.start, RANKS[finding.severity], finding.end, group_rank

    return sorted(findings, key=rank)


def to_finding(problem: Problem, severity: Severity) -> Finding:
    code = CODES[problem.code]
    return Finding(
        problem.code,
        severity,
        problem.component,
        problem.start,
        problem.end,
        problem.message or code.message,
        problem.reference or code.reference,
        problem.suggestion or code.suggestion,
    )


def report_long_text(text: str, settings: Settings) -> list[Finding]:
    severity = settings["syntax"]
    if severity == "off":
        return []
    error = create_parse_error(text, "IRI-reference", "text", LONGEST_TEXT)
    problem = Problem("syntax", "text", LONGEST_TEXT, len(text), error.reason)
    return [to_finding(problem, severity)]
