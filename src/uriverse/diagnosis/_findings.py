"""The findings that `check` returns, and the profiles that set the severity of each finding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from uriverse._engine import kernel
from uriverse._errors import quote_argument

from ._codes import CODES, DETAILS, GROUPS

if TYPE_CHECKING:
    from uriverse.typing import Severity

Setting: TypeAlias = Literal["error", "warning", "info", "off"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""The severities of findings, the most severe first."""

RANKS: dict[Setting, int] = {severity: rank for rank, severity in enumerate(SEVERITIES)}
"""The ranks of severities; the most severe has the rank 0."""


#: The codes that can be details or have some.
RELATED = {*DETAILS, *chain.from_iterable(DETAILS.values())}

Settings = dict[str, "Setting"]


class Finding(NamedTuple):
    """A problem that `check` found in a URI, with its position and severity.

    Attributes:
        code: the kind of problem, such as `"ipv4-hex"`. Codes are stable across releases.
        severity: `"error"`, `"warning"` or `"info"`.
        component: the component with the problem, such as `"host"`; `"text"` if the problem
            concerns the whole string.
        start: the index of the first affected character.
        end: the index after the last affected character; equal to `start` if something is missing.
        message: a description of the problem, without secrets.
        reference: the document and section that define the rule, such as `"RFC 3986, 3.2"`.
        suggestion: how to fix the problem; `None` if there is no general advice.
        details: the codes of other problems with the same cause, without findings of their own.

    >>> from uriverse import check
    >>> finding = check("http://a.example:080/")[0]
    >>> finding.severity, finding.code, finding.component, finding.span
    ('warning', 'port-odd', 'port', (17, 20))
    """

    code: str
    severity: Severity
    component: str
    start: int
    end: int
    message: str
    reference: str
    suggestion: str | None
    details: tuple[str, ...] = ()

    @property
    def span(self) -> tuple[int, int]:
        """The start and end indexes of the finding, as a tuple.

        >>> from uriverse import check
        >>> [finding.span for finding in check("http://a.example./")]
        [(7, 17)]
        """
        return self.start, self.end


Finding.__module__ = "uriverse"


#: For all URIs: violations of specifications are errors, and ambiguities are warnings. Some codes
#: are harmless in most contexts, because few parsers disagree.
GENERIC: dict[str, Setting] = {
    "syntax": "error",
    "scheme": "error",
    "text": "warning",
    "deprecated": "warning",
    "ambiguity": "warning",
    "form": "off",
    "missing-scheme": "info",
    "authority-empty": "info",
    "drive-letter": "info",
    "single-slash": "info",
    "label-with-underscore": "info",
    "file-host": "info",
}

PROFILES: dict[str, dict[str, Setting]] = {
    "generic": GENERIC,
    # For links that a program follows: ambiguities are a security risk.
    "web": {
        "syntax": "error",
        "scheme": "error",
        "text": "warning",
        "deprecated": "error",
        "ambiguity": "error",
        "drive-letter": "info",
        # Only warnings: browsers open sites with underscores in their names, and URIs with a single
        # slash are usually meant for other programs.
        "label-with-underscore": "warning",
        "single-slash": "warning",
        "form": "off",
        "relative": "error",
    },
    # For names in RDF 1.1 (Concepts, 3.2): they must be absolute. They are compared as strings, so
    # they should be normalized.
    "rdf": {
        **GENERIC,
        "form": "warning",
        "relative": "error",
        "unregistered-scheme": "info",
    },
    # Report everything.
    "strict": {**dict.fromkeys(GROUPS, "error"), "form": "warning"},
}
"""The severity profiles of `check`: the severities of groups of finding codes, and of single codes.

A code takes precedence over its group.

>>> PROFILES["web"]["ambiguity"], PROFILES["web"]["label-with-underscore"]
('error', 'warning')
"""


@cache
def expand_profile(profile: str) -> Settings:
    severities = PROFILES[profile]
    return {name: severities.get(name) or severities[code.group] for name, code in CODES.items()}


def override_settings(settings: Settings, overrides: Mapping[str, Setting]) -> Settings:
    for name, setting in overrides.items():
        if name not in CODES and name not in GROUPS:
            raise ValueError(f"unknown code or group {quote_argument(name)}")
        if setting not in {*SEVERITIES, "off"}:
            choices = ", ".join((*SEVERITIES, "off"))
            raise ValueError(f"severity must be one of {choices}, not {quote_argument(setting)}")
    return {
        name: overrides.get(name) or overrides.get(CODES[name].group) or setting
        for name, setting in settings.items()
    }


def group_details(findings: list[Finding]) -> list[Finding]:
    """Return the findings without another cause, with the codes of the others as their details.

    The findings are sorted as by `check`. None becomes a detail of a less severe finding.
    """
    causes = [*range(len(findings))]
    near: list[int] = []  # the findings before the current one that touch it
    for k, finding in enumerate(findings):
        near = [m for m in near if findings[m].end >= finding.start]
        for m in near:
            if causes[k] == k and finding.code in DETAILS.get(findings[m].code, ()):
                causes[k] = m
            elif causes[m] == m and findings[m].code in DETAILS.get(finding.code, ()):
                causes[m] = k
        if finding.code in RELATED:  # of other codes, too many findings may touch
            near.append(k)
    details: dict[int, dict[str, None]] = {}
    for k, finding in enumerate(findings):
        cause = k
        while causes[cause] != cause:
            cause = causes[cause]
        if RANKS[findings[cause].severity] > RANKS[finding.severity]:
            cause = k
        details.setdefault(cause, {}).update({} if cause == k else {finding.code: None})
    return [findings[k]._replace(details=tuple(details[k])) for k in sorted(details)]


def is_group_enabled(group: str, settings: Settings) -> bool:
    return any(settings[name] != "off" for name in GROUPS[group])


class KernelSettings(NamedTuple):
    """The settings in the form that the kernel needs.

    `with_form` is whether any code of the group "form" is enabled. `ranks` has the rank of the
    severity of each code that the kernel reports, or 255; `words` has its severity, message,
    reference and suggestion.
    """

    with_form: bool
    ranks: bytes
    words: tuple[tuple[Setting, str, str, str | None], ...]


@cache
def get_kernel_profile(profile: str) -> KernelSettings:
    return to_kernel_settings(expand_profile(profile))


def to_kernel_settings(settings: Settings) -> KernelSettings:
    codes = [] if kernel is None else [CODES[name] for name in kernel.REPORTED]
    return KernelSettings(
        is_group_enabled("form", settings),
        bytes(RANKS.get(settings[code.name], 255) for code in codes),
        tuple(
            (settings[code.name], code.message, code.reference, code.suggestion) for code in codes
        ),
    )


if kernel is not None:
    kernel.set_finding_class(
        Finding, {name: tuple(get_kernel_profile(name)) for name in PROFILES}, DETAILS
    )
