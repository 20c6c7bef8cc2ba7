"""Check URIs: report invalid, ambiguous, deprecated and non-normalized parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import uriverse.schemes
from uriverse._engine import kernel, use_compiled
from uriverse._errors import quote_argument
from uriverse._uri.engine import Identifier, as_text

from ._codes import GROUPS
from ._findings import (
    PROFILES,
    Finding,
    Setting,
    expand_profile,
    get_kernel_profile,
    group_details,
    override_settings,
    to_kernel_settings,
)

#: The groups of findings for which a policy rejects a URI, and the settings that enable only them.
GROUPS_OF_POLICIES = ("scheme", "ambiguity")
SETTINGS_OF_POLICIES = override_settings(
    expand_profile("generic"), {name: "off" for name in GROUPS if name not in GROUPS_OF_POLICIES}
)
KERNEL_SETTINGS_OF_POLICIES = to_kernel_settings(SETTINGS_OF_POLICIES)


@use_compiled("Functions")
def check(
    text: str | Identifier,
    /,
    profile: str = "generic",
    *,
    severities: Mapping[str, Literal["error", "warning", "info", "off"]] | None = None,
    schemes: uriverse.schemes.Registry | None = None,
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
        The findings, sorted by start and then by severity; an empty list if nothing is found. Of
        several problems with one cause, only the cause is a finding, and the others are its
        `details`. The page "Findings" of the documentation explains the codes.

    Raises:
        TypeError: `text` is neither a `str` nor one of the four URI types, or `schemes` is not a
            `Registry`.
        ValueError: a profile, code or severity is unknown.

    >>> for finding in check("http://good.example%2F@0x7f.1:080/"):
    ...     print(finding.severity, finding.code, finding.span, finding.details)
    warning userinfo-like-host (7, 22) ('userinfo', 'host-with-delimiter')
    warning ipv4-hex (23, 29) ()
    warning port-odd (30, 33) ()
    >>> check("http://a.example/b?c")
    []
    """
    return group_details(list_findings(text, profile, severities, schemes))


def list_findings(
    text: str | Identifier,
    profile: str = "generic",
    severities: Mapping[str, Setting] | None = None,
    schemes: uriverse.schemes.Registry | None = None,
) -> list[Finding]:
    """Return all findings of `check`, including those that it lists as details."""
    text = as_text(text)
    if profile not in PROFILES:
        choices = ", ".join(PROFILES)
        raise ValueError(f"profile must be one of {choices}, not {quote_argument(profile)}")
    settings = expand_profile(profile)
    if severities is not None:
        settings = override_settings(settings, severities)
    findings: list[Finding] = []
    #: The groups of codes that Python must examine, as bits; `None` for all.
    remaining_groups: int | None = None
    if schemes is None and kernel is not None:
        # The kernel finds everything in most strings. Then the rules need not be imported either.
        kernel_settings = (
            get_kernel_profile(profile) if severities is None else to_kernel_settings(settings)
        )
        remaining_groups, findings = kernel.examine_text(text, *kernel_settings)
        if not remaining_groups:
            return findings
    from ._rules import apply_rules

    return apply_rules(text, settings, schemes, remaining_groups, findings)


def list_first_findings(text: str) -> list[Finding]:
    """Return the first finding of each code in each component, of the groups for policies."""
    remaining_groups, findings = None, list[Finding]()
    if kernel is not None:
        remaining_groups, findings = kernel.examine_text(text, *KERNEL_SETTINGS_OF_POLICIES, True)
    from ._rules import apply_rules

    return apply_rules(
        text, SETTINGS_OF_POLICIES, None, remaining_groups, findings, first_only=True
    )
