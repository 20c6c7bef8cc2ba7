"""What is wrong with an identifier, and what is odd about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from uriverse._engine import Identifier, as_text, is_iri_reference
from uriverse._spec.messages import parse_error
from uriverse._spec.syntax import LONGEST_TEXT
from uriverse.schemes.registry import Registry, default_registry
from uriverse.schemes.violation import Found
from uriverse.typing import Setting

from . import ambiguity, rules
from .codes import CODES
from .findings import (
    PROFILES,
    SEVERITIES,
    Finding,
    Settings,
    settings_of,
    tells_of,
    tells_of_form,
    with_settings,
)
from .parsed_text import ParsedText
from .prefilter import has_no_findings

#: What looks for the findings of each group.
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
    """Find what is wrong with a text as an identifier, and what is odd about it.

    It need not be one: then what is wrong is found, and what else is. What a text identifies
    is not looked at: no name is looked up, and nothing is fetched.

    Args:
        text: any text, or an identifier.
        profile: `"generic"`; `"web"` for what is followed or dialled, where what others read
            otherwise is an error; `"rdf"` for names in RDF, absolute and in normal form;
            `"strict"` for all there is.
        severities: what to make of some codes, or of a group of them, instead of what the
            profile does: `"error"`, `"warning"`, `"info"` or `"off"`.
        schemes: what is known of schemes; `None` for `uriverse.SCHEMES`.

    Returns:
        The findings, by where they begin, then the most severe first; empty if there are none.

    Raises:
        TypeError: `text` is neither a `str` nor an identifier, or `schemes` is no `Registry`.
        ValueError: there is no such profile, code or severity.

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
        raise ValueError(f"there is no profile {profile!r}: {', '.join(PROFILES)}")
    if schemes is not None and not isinstance(schemes, Registry):
        raise TypeError(f"schemes is a Registry, not {type(schemes).__name__}")
    settings = settings_of(profile)
    if severities is not None:
        settings = with_settings(settings, severities)
    # Most texts that are looked at are of this kind: only their form may be told about.
    if schemes is None and has_no_findings(exact, severities is not None or tells_of_form(profile)):
        return []
    return findings(exact, settings, default_registry() if schemes is None else schemes)


def findings(text: str, settings: Settings, schemes: Registry) -> list[Finding]:
    """All that is found and not off."""
    valid = is_iri_reference(text)
    if not valid and len(text) > LONGEST_TEXT:
        return too_long(text, settings)
    parsed = ParsedText(text, schemes, valid=valid)
    found: list[Finding] = []
    for group, look in LOOKS.items():
        for odd in look(parsed) if tells_of(group, settings) else ():
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
    """What is found in a text that is not read, as it is too long."""
    severity, known = settings["syntax"], CODES["syntax"]
    error = parse_error(text, "IRI-reference", "text", LONGEST_TEXT)
    place = ("text", LONGEST_TEXT, len(text))
    told = (error.reason, known.reference, known.suggestion)
    return [] if severity == "off" else [Finding("syntax", severity, *place, *told)]
