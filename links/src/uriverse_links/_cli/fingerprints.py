"""Recognize findings of an earlier run by what stays the same when lines move."""

from __future__ import annotations

from typing import NamedTuple

from uriverse import is_iri_reference
from uriverse._redaction import redacted, redacted_invalid
from uriverse.diagnosis._findings import Finding


class Fingerprint(NamedTuple):
    """The code of a finding and the string that it is about, without secrets.

    The same URI can occur several times in a file. Then several findings have the same fingerprint,
    and a run is compared with another one by their number.
    """

    code: str
    uri: str


def fingerprint_of(text: str, finding: Finding) -> Fingerprint:
    """Return the fingerprint of a finding for a string."""
    return Fingerprint(finding.code, without_secrets(text))


def without_secrets(text: str) -> str:
    """Replace the secrets in a string, which may be invalid."""
    return redacted(text) if is_iri_reference(text) else redacted_invalid(text)
