"""`URN` passes the URN test suites of other libraries, except cases that contradict RFC 8141.

The suites are not part of this repository; see `test_suites`. Cases that contradict the RFC are
listed here with the reason. The tests also check that this library does not pass the listed cases.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from uriverse import ParseError
from uriverse.percent import uppercase
from uriverse.views.urn import URN

FOLDER = Path(
    os.environ.get("URIVERSE_SUITES") or Path(__file__).resolve().parents[3] / "shared" / "suites"
)

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="needs third-party suites (URIVERSE_SUITES=FOLDER)"
)

Case = dict[str, Any]

#: The number of cases of each kind.
COUNTS = {"parse": 110, "invalid": 99, "equal": 16}

SHORT = "RFC 2141 allows NIDs of one character; RFC 8141 requires two or more"
HYPHEN = "RFC 2141 allows NIDs that end with a hyphen; RFC 8141 requires a letter or a digit"
RESERVED = "RFC 2141 (2.1) forbids the NID `urn`; RFC 8141 does not"
AMPERSAND = "RFC 2141 does not allow `&` in an NSS; in RFC 8141 `&` is a pchar"
INFORMAL = "IANA may refuse to register this NID (RFC 8141, 5.2), but its syntax is valid"
GOES_ON = "`?+` never ends a component, and `?=` never ends a q-component (RFC 8141, 2.3.1, 2.3.2)"

#: Cases that contradict RFC 8141: the kind of case, the string and the grammar, with the reason.
CONTRADICTIONS = {
    ("parse", "urn:a:b", "urn-rfc2141"): SHORT,
    ("parse", "urn:a::", "urn-rfc2141"): SHORT,
    ("parse", "urn:a:-", "urn-rfc2141"): SHORT,
    ("parse", "URN:x:abc%1Dz%2F%3az", "urn-rfc2141"): SHORT,
    ("parse", "URN:abcd-:x", "urn-rfc2141"): HYPHEN,
    ("invalid", "urn:urn:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "urn:URN:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "URN:URN:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "urn:UrN:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "urn:Urn:NSS", "urn-rfc2141"): RESERVED,
    ("invalid", "urn:ietf:params:scim:schemas:core:2.&", "urn-rfc2141"): AMPERSAND,
    ("invalid", "urn:urn-0:nss", "urn"): INFORMAL,
    ("invalid", "urn:urn-s:nss", "urn"): INFORMAL,
    ("invalid", "urn:ex:ex?+a?+", "urn"): GOES_ON,
    ("invalid", "urn:ex:ex?=a?=", "urn"): GOES_ON,
    ("invalid", "urn:ex:ex?+rcomponent?+rcomponent?=qcomponent", "urn"): GOES_ON,
    ("invalid", "urn:ex:ex?+rcomponent?=qcomponent?=q", "urn"): GOES_ON,
}


def cases(kind: str) -> list[Case]:
    found = json.loads((FOLDER / "urn.json").read_text("utf-8"))
    return [case for case in found if case["kind"] == kind]


def parsed(text: str) -> URN | None:
    try:
        return URN(text)
    except ParseError:
        return None


def assert_all(kind: str, verdicts: list[tuple[Case, bool]]) -> None:
    """Assert that every case passes, except those in `CONTRADICTIONS`, which must fail."""
    listed = {key for key in CONTRADICTIONS if key[0] == kind}
    wrong = {(kind, str(case["input"]), case["grammar"]) for case, passes in verdicts if not passes}
    assert wrong == listed
    assert len(verdicts) == COUNTS[kind]


def parts_of(expected: Any) -> tuple[str | None, ...]:
    """Return the scheme, NID, NSS and components of a case, in either format of the suite."""
    if "prefix" in expected:
        names = ("prefix", "nid", "nss", "r", "q", "f")
        return tuple(expected.get(name) for name in names)
    parts = expected["scheme_nid_nss_rqf"]
    return (*parts, *[None] * (6 - len(parts)))


def passes(case: Case) -> bool:
    """Whether a URN has the components and the normal form of its case."""
    name = parsed(case["input"])
    if name is None:
        return False
    found = (
        str(name.uri.scheme),
        name.nid,
        name.nss,
        name.r_component,
        name.q_component,
        name.f_component,
    )
    expected = case["expected"]
    # The suite writes triplets in lowercase; RFC 8141 (3.1) requires uppercase.
    form = uppercase(expected.get("normalized", name.comparison_key()))
    return found == parts_of(expected) and name.comparison_key() == form


def test_urn_returns_the_components_of_the_suite() -> None:
    assert_all("parse", [(case, passes(case)) for case in cases("parse")])


def test_urn_rejects_the_invalid_strings_of_the_suite() -> None:
    assert_all("invalid", [(case, parsed(case["input"]) is None) for case in cases("invalid")])


def test_the_urns_that_the_suite_calls_equal_are_equivalent() -> None:
    verdicts = []
    for case in cases("equal"):
        one, other = map(URN, case["input"])
        same = one.equivalent(other) and other.equivalent(one)
        verdicts.append((case, same is case["expected"]))
    assert_all("equal", verdicts)
