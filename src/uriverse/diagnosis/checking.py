"""Check URIs: report invalid, ambiguous, deprecated and non-normalized parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from uriverse._engine import Identifier, as_text, is_iri_reference
from uriverse._spec.messages import parse_error
from uriverse._spec.syntax import LONGEST_TEXT
from uriverse.schemes.normalization import registry_of
from uriverse.schemes.registry import Registry
from uriverse.schemes.violation import Found
from uriverse.typing import Setting

from . import ambiguity, rules
from .codes import CODES
from .findings import (
    PROFILES,
    SEVERITIES,
    Finding,
    Settings,
    enables_form,
    is_enabled,
    settings_of,
    with_settings,
)
from .parsed_text import ParsedText
from .prefilter import has_no_findings

#: The functions that produce the findings of each group.
LOOKS: dict[str, Callable[[ParsedText], Iterator[Found]]] = {
    "syntax": rules.syntax,
    "scheme": rules.scheme_rules,
    "text": rules.unicode_text,
    "deprecated": rules.deprecated,
    "ambiguity": ambiguity.ambiguity,
    "form": rules.form,
}


def check(
    text: str | Identifier,
    /,
    profile: str = "generic",
    *,
    severities: Mapping[str, Setting] | None = None,
    schemes: Registry | None = None,
) -> list[Finding]:
    """Report syntax errors, ambiguities and other problems in a URI or IRI.

    The string may be invalid. The function examines only the string: it does not use the network.

    Args:
        text: any string, or a `URI`, `IRI`, `URIReference` or `IRIReference`.
        profile: the profile that sets the severity of each finding. `"generic"` suits all URIs.
            `"web"` is for links that a program follows, and treats most ambiguities as errors.
            `"rdf"` is for names in RDF, which should be absolute and normalized. `"strict"` reports
            everything.
        severities: severities that override those of the profile: a mapping from a finding code, or
            a group of codes, to `"error"`, `"warning"`, `"info"` or `"off"`. A code takes
            precedence over its group.
        schemes: the registry with the rules of schemes; `None` for `uriverse.SCHEMES`.

    Returns:
        The findings, sorted by start and then by severity; an empty list if nothing is found. The
        codes are explained on the page "Findings" of the documentation.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types, or `schemes` is not a
            `Registry`.
        ValueError: a profile, code or severity is unknown.

    >>> for finding in check("http://good.example%2F@0x7f.1:080/"):
    ...     print(finding.severity, finding.code, finding.start, finding.end)
    warning userinfo 7 22
    warning userinfo-like-host 7 22
    warning host-with-delimiter 7 22
    warning ipv4-hex 23 29
    warning port-odd 30 33
    >>> check("http://a.example/b?c")
    []
    """
    exact = as_text(text)
    if profile not in PROFILES:
        raise ValueError(f"profile must be one of {', '.join(PROFILES)}, not {profile!r}")
    if schemes is not None:
        registry_of(schemes)  # raises `TypeError` if it is not a registry
    settings = settings_of(profile)
    if severities is not None:
        settings = with_settings(settings, severities)
    # Fast path: most strings have no findings, except possibly those of the group "form".
    if schemes is None and has_no_findings(exact, severities is not None or enables_form(profile)):
        return []
    return findings(exact, settings, registry_of(schemes))


def findings(text: str, settings: Settings, schemes: Registry) -> list[Finding]:
    """Return all findings for a string, except those whose code is set to `"off"`."""
    valid = is_iri_reference(text)
    if not valid and len(text) > LONGEST_TEXT:
        return too_long(text, settings)
    parsed = ParsedText(text, schemes, valid=valid)
    found: list[Finding] = []
    for group, look in LOOKS.items():
        for odd in look(parsed) if is_enabled(group, settings) else ():
            known, severity = CODES[odd.code], settings[odd.code]
            if severity != "off":
                found.append(
                    Finding(
                        odd.code,
                        severity,
                        odd.component,
                        odd.start,
                        odd.end,
                        odd.message or known.message,
                        odd.reference or known.reference,
                        odd.suggestion or known.suggestion,
                    )
                )
    return sorted(found, key=lambda f: (f.start, SEVERITIES.index(f.severity), f.end))


def too_long(text: str, settings: Settings) -> list[Finding]:
    """Return the findings for an invalid string that exceeds the maximum length of URIs.

    The string is not examined further. It has a single finding, unless the code `"syntax"` is set
    to `"off"`.
    """
    severity, known = settings["syntax"], CODES["syntax"]
    error = parse_error(text, "IRI-reference", "text", LONGEST_TEXT)
    place = ("text", LONGEST_TEXT, len(text))
    told = (error.reason, known.reference, known.suggestion)
    return [] if severity == "off" else [Finding("syntax", severity, *place, *told)]
