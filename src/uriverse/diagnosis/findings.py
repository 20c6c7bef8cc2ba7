"""What `check` finds, and how much it matters to whom."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from uriverse.typing import Setting, Severity

from .codes import CODES, GROUPS

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


#: What each code is set to.
Settings = dict[str, Setting]


class Finding(NamedTuple):
    """Something that is wrong with an identifier, or odd about it.

    Attributes:
        code: what it is, by a name that does not change.
        severity: `"error"`, `"warning"` or `"info"`.
        component: the component it is in, or `"text"`.
        start: the index in the text at which it begins.
        end: the index after it; the same where something is missing.
        message: what it is, in a sentence. It holds no password.
        reference: the document and section that say so.
        suggestion: what to do about it; `None` where there is nothing to advise.
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
        """Where it begins and ends, as of a match of `re`.

        >>> from uriverse import check
        >>> [finding.span for finding in check("http://a.example./")]
        [(7, 17)]
        """
        return self.start, self.end


#: Right in most places; what reads them otherwise is rare.
INFORMATIVE: dict[str, Setting] = {
    "missing-scheme": "info",
    "authority-empty": "info",
    "drive-letter": "info",
    "single-slash": "info",
    "label-with-underscore": "info",
    "file-host": "info",
}

#: What a profile sets each group to, and some codes to something else.
PROFILES: dict[str, dict[str, Setting]] = {
    # Any identifier: what its documents forbid is wrong, what others read otherwise is odd.
    "generic": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "warning",
        "ambiguity": "warning",
        "form": "off",
        **INFORMATIVE,
    },
    # What is followed or dialled: there what is read in two ways is a way in.
    "web": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "error",
        "ambiguity": "error",
        "drive-letter": "info",
        # Names of sites that browsers open, and links that open a program.
        "label-with-underscore": "warning",
        "single-slash": "warning",
        "form": "off",
        "relative": "error",
    },
    # Names in RDF 1.1 (Concepts, 3.2) are absolute, compared by text, best in normal form.
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
    # All there is.
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
    """What a profile sets each code to."""
    own = PROFILES[profile]
    return {name: own.get(name) or own[code.group] for name, code in CODES.items()}


def with_settings(settings: Settings, own: Mapping[str, Setting]) -> Settings:
    """What codes are set to, some otherwise than the profile does; a code comes before its group.

    Raises:
        ValueError: there is no such code, group or severity.
    """
    for name, setting in own.items():
        if name not in CODES and name not in GROUPS:
            raise ValueError(f"there is no code or group {name!r}")
        if setting not in {*SEVERITIES, "off"}:
            raise ValueError(f"{setting!r} is none of {', '.join(SEVERITIES)}, off")
    return {
        name: own.get(name) or own.get(CODES[name].group) or setting
        for name, setting in settings.items()
    }


def tells_of(group: str, settings: Settings) -> bool:
    """Whether anything of a group is told."""
    return any(settings[name] != "off" for name in GROUPS[group])


@cache
def tells_of_form(profile: str) -> bool:
    """Whether a profile tells anything about the form of an identifier."""
    return tells_of("form", settings_of(profile))
