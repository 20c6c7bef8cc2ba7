"""The findings of `check`, and the profiles that set their severities."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from uriverse.typing import Setting, Severity

from .codes import CODES, GROUPS

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


#: The setting of each code.
Settings = dict[str, Setting]


class Finding(NamedTuple):
    """A problem with an identifier.

    Attributes:
        code: the kind of problem; codes are stable across releases.
        severity: `"error"`, `"warning"` or `"info"`.
        component: the name of the affected component; `"text"` for the whole string.
        start: the index of the first affected character.
        end: the index after the last affected character; equal to `start` if something is missing.
        message: a description in one sentence, without passwords.
        reference: the document and section on which the finding is based.
        suggestion: how to solve the problem, or `None`.
    """

    code: str
    severity: Severity
    component: str
    start: int
    end: int
    message: str
    reference: str
    suggestion: str | None

    @property
    def span(self) -> tuple[int, int]:
        """The start and the end, like `re.Match.span`.

        >>> from uriverse import check
        >>> [finding.span for finding in check("http://a.example./")]
        [(7, 17)]
        """
        return self.start, self.end


#: Codes that are harmless in most contexts: few parsers read these identifiers differently.
INFORMATIVE: dict[str, Setting] = {
    "missing-scheme": "info",
    "authority-empty": "info",
    "drive-letter": "info",
    "single-slash": "info",
    "label-with-underscore": "info",
    "file-host": "info",
}

#: The settings of each profile: one per group, and exceptions for some codes.
PROFILES: dict[str, dict[str, Setting]] = {
    # Any identifier: violations of specifications are errors, ambiguities are warnings.
    "generic": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "warning",
        "ambiguity": "warning",
        "form": "off",
        **INFORMATIVE,
    },
    # Links that a program follows or connects to: ambiguities are a security risk.
    "web": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "error",
        "ambiguity": "error",
        "drive-letter": "info",
        # Warnings only: browsers open sites with underscores in their names, and links with a
        # single slash open other programs.
        "label-with-underscore": "warning",
        "single-slash": "warning",
        "form": "off",
        "relative": "error",
    },
    # Names in RDF 1.1 (Concepts, 3.2) are absolute, compared as strings, best in normal form.
    "rdf": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "warning",
        "ambiguity": "warning",
        "form": "warning",
        **INFORMATIVE,
        "relative": "error",
        "unregistered-scheme": "info",
    },
    # Everything.
    "strict": {
        "syntax": "error",
        "scheme": "error",
        "text": "error",
        "deprecated": "error",
        "ambiguity": "error",
        "form": "warning",
    },
}


@cache
def settings_of(profile: str) -> Settings:
    """Return the setting of each code in a profile."""
    own = PROFILES[profile]
    return {name: own.get(name) or own[code.group] for name, code in CODES.items()}


def with_settings(settings: Settings, own: Mapping[str, Setting]) -> Settings:
    """Override settings of codes and groups; a code takes precedence over its group.

    Raises:
        ValueError: a code, group or severity is unknown.
    """
    for name, setting in own.items():
        if name not in CODES and name not in GROUPS:
            raise ValueError(f"unknown code or group {name!r}")
        if setting not in {*SEVERITIES, "off"}:
            choices = ", ".join(SEVERITIES)
            raise ValueError(f"severity must be one of {choices}, off, not {setting!r}")
    return {
        name: own.get(name) or own.get(CODES[name].group) or setting
        for name, setting in settings.items()
    }


def tells_of(group: str, settings: Settings) -> bool:
    """Return whether any code of a group is not off."""
    return any(settings[name] != "off" for name in GROUPS[group])


@cache
def tells_of_form(profile: str) -> bool:
    """Return whether a profile reports findings about the form of an identifier."""
    return tells_of("form", settings_of(profile))
