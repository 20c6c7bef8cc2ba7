"""Apply all rules of `check` to a string."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from uriverse._spec.messages import create_parse_error
from uriverse._spec.syntax import LONGEST_TEXT
from uriverse._uri.engine import is_iri_reference
from uriverse.schemes._descriptors import default_registry
from uriverse.schemes._registry import Registry
from uriverse.schemes._violation import Found

from . import _ambiguity, _rules
from ._codes import CODES
from ._findings import RANKS, Finding, Settings, is_enabled
from ._parsed_text import ParsedText

#: The functions that produce the findings of each group.
LOOKS: dict[str, Callable[[ParsedText], Iterator[Found]]] = {
    "syntax": _rules.syntax,
    "scheme": _rules.scheme_rules,
    "text": _rules.unicode_text,
    "deprecated": _rules.deprecated,
    "ambiguity": _ambiguity.ambiguity,
    "form": _rules.form,
}


def findings(
    text: str,
    settings: Settings,
    schemes: Registry | None = None,
    left: int | None = None,
    known: Sequence[Finding] = (),
    *,
    first_only: bool = False,
) -> list[Finding]:
    """Return all findings for a string, sorted, except those whose code is set to `"off"`.

    Args:
        text: any string.
        settings: the severity of each code.
        schemes: the registry with the rules of schemes; `None` for the default one.
        left: the groups to examine, one bit for each in the order of `LOOKS`; `None` for all.
        known: the findings of the other groups, sorted.
        first_only: whether to return only the first finding of each code in each component.
    """
    enabled = [
        look
        for bit, (group, look) in enumerate(LOOKS.items())
        if (left is None or left >> bit & 1) and is_enabled(group, settings)
    ]
    if left is not None and not enabled:
        return [*known]
    valid = is_iri_reference(text)
    if not valid and len(text) > LONGEST_TEXT:
        return too_long(text, settings)
    rules = default_registry() if schemes is None else schemes
    if not isinstance(rules, Registry):
        raise TypeError(f"schemes must be a Registry, not {type(rules).__name__}")
    parsed = ParsedText(text, rules, valid=valid, first_only=first_only)
    seen: set[tuple[str, str]] = set()
    found = [*known]
    for look in enabled:
        for odd in look(parsed):
            code, severity = CODES[odd.code], settings[odd.code]
            is_seen = first_only and (odd.code, odd.component) in seen
            seen.add((odd.code, odd.component))
            if severity != "off" and not is_seen:
                found.append(
                    Finding(
                        odd.code,
                        severity,
                        odd.component,
                        odd.start,
                        odd.end,
                        odd.message or code.message,
                        odd.reference or code.reference,
                        odd.suggestion or code.suggestion,
                    )
                )
    order = [*LOOKS].index
    return sorted(
        found, key=lambda f: (f.start, RANKS[f.severity], f.end, order(CODES[f.code].group))
    )


def too_long(text: str, settings: Settings) -> list[Finding]:
    """Return the findings for an invalid string that exceeds the maximum length of URIs.

    The string is not examined further. It has a single finding, unless the code `"syntax"` is set
    to `"off"`.
    """
    severity, known = settings["syntax"], CODES["syntax"]
    error = create_parse_error(text, "IRI-reference", "text", LONGEST_TEXT)
    place = ("text", LONGEST_TEXT, len(text))
    told = (error.reason, known.reference, known.suggestion)
    return [] if severity == "off" else [Finding("syntax", severity, *place, *told)]
