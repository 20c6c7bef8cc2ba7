"""The library passes the suites of other URI libraries, except cases that contradict the RFCs.

The suites are not part of this repository. They are in `../shared/suites` next to the repository,
or in the folder that `URIVERSE_SUITES` names. Without them, these tests are skipped.

Cases that contradict an RFC are listed here with the reason. The tests also check that this library
does not pass the listed cases.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from uriverse import URI, ConvertError, IRIReference, ResolveError, URIReference, parse, split
from uriverse import _engine as engine
from uriverse._spec.domain import to_ascii

FOLDER = Path(
    os.environ.get("URIVERSE_SUITES") or Path(__file__).resolve().parents[3] / "shared" / "suites"
)

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="needs third-party suites (URIVERSE_SUITES=FOLDER)"
)

Case = dict[str, Any]

FUNCTIONS: dict[str, Callable[[str], bool]] = {
    "uri": engine.is_uri,
    "uri-reference": engine.is_uri_reference,
    "absolute-uri": engine.is_absolute_uri,
    "iri": engine.is_iri,
    "iri-reference": engine.is_iri_reference,
    "relative-ref": lambda text: engine.is_uri_reference(text) and parse(text).is_relative,
}

#: Suites of valid and invalid strings, with their numbers of cases.
VERDICTS = {
    "json-schema-test-suite": 87,
    "haskell-network-uri": 333,
    "hyperlink": 5,
    "rhymu8354-uri": 136,
}

PORT_LIMIT = "port = *DIGIT (RFC 3986, 3.2.3): the grammar has no upper limit"
ESCAPES = "it percent-encodes characters that the grammar does not allow: that repairs the URI"
NORMAL = "it normalizes the address; this library keeps the host as written"
ZONE = "RFC 9844 made zone identifiers (RFC 6874) obsolete; RFC 3986 does not allow them"
NO_HOST = "it turns a path into the host `g`, although there was no authority"
STRICT = "a strict parser keeps the scheme of the reference (5.2.2); this is the other algorithm"
ROOT = "5.4.1: the root of an authority is `/`"
SCHEME_CHECK = "Appendix B splits without validating: everything before the colon is the scheme"

#: Cases that contradict the RFCs: the suite, the kind of case and the string, with the reason.
CONTRADICTIONS = {
    ("rhymu8354-uri", "invalid", "http://www.example.com:65536/foo/bar"): PORT_LIMIT,
    ("uritools", "parse", "_:"): SCHEME_CHECK,
    ("fast-uri", "parse", "//www.g.com/error\n/bleh/bleh"): ESCAPES,
    ("fast-uri", "parse", "//[2001:db8::7%en0]"): ZONE,
    (
        "fast-uri",
        "parse",
        "http://user:pass@example.com:123/one/space in.url?q1=a1&q2=a2#body",
    ): ESCAPES,
    (
        "fast-uri",
        "parse",
        "http://User:Pass@example.com:123/one/space in.url?q1=a1&q2=a2#body",
    ): ESCAPES,
    ("fast-uri", "parse", "#/$defs/string Map"): ESCAPES,
    ("fast-uri", "parse", "//10.10.000.10"): NORMAL,
    ("fast-uri", "parse", "//[2001:db8::001]:80"): NORMAL,
}

#: Wrong targets in suites: the suite, the base, the reference and the target, with the reason.
WRONG_TARGETS = {
    ("haskell-network-uri", "f:/a", ".//g", "f://g"): NO_HOST,
    ("haskell-network-uri", "f:/a/", "..//g", "f://g"): NO_HOST,
    ("rhymu8354-uri", "http://a/b/c/d;p?q", "../..", "http://a"): ROOT,
    ("rhymu8354-uri", "http://a/b/c/d;p?q", "../../", "http://a"): ROOT,
    ("uritools", "http://a/b/c/d;p?q", "http:g", "http://a/b/c/g"): STRICT,
}

#: The options of `normalize` that correspond to each function of a suite.
STEPS_OF = {
    "normalizeCase": {"percent_encoding": False, "dot_segments": False},
    "normalizeEscape": {"case": False, "dot_segments": False},
    "normalizePathSegments": {"case": False, "percent_encoding": False},
}

HOST_CASE = "hosts are case-insensitive, and normalized to lowercase (6.2.2.1)"
ROOTLESS = "it removes dot segments from a rootless path, where they may be data, unlike 5.2.4"

#: Wrong normal forms in suites: the suite, the string and the normal form, with the reason.
WRONG_FORMS = {
    (
        "haskell-network-uri",
        "HTTP://EXAMPLE.com/Root/%2a?%2b#%2c",
        "http://EXAMPLE.com/Root/%2A?%2B#%2C",
    ): HOST_CASE,
    ("haskell-network-uri", "file:/x/..//y", "file://y"): NO_HOST,
    ("haskell-network-uri", "file:x/..//y/", "file:/y/"): ROOTLESS,
    ("haskell-network-uri", "foo:a/b/../.././../../e", "foo:e"): ROOTLESS,
}

#: Reasons why IDNA 2008 rejects a name that UTS 46, without its DNS checks, accepts.
NO_IDNA_2008_NAME = {
    "Codepoint U+": "symbols, and characters not yet assigned, are not allowed (RFC 5892)",
    "Label too long": "a label has at most 63 octets (RFC 1035)",
    "the limit is 63 octets": "the same, of a label in ASCII",
    "the label is empty": "a label is not empty (RFC 1035)",
    "Label must not start or end with a hyphen": "RFC 5891, 4.2.3.1",
    "Label has disallowed hyphens": "RFC 5891, 4.2.3.1",
    "domain name too long": "RFC 1035",
    "the ASCII form": "characters of ASCII that are none of a domain name (RFC 1034, 3.5)",
    "Unknown directionality": "a character not yet assigned (RFC 5892)",
}

#: Suites of references to resolve, with the number of cases whose base has a scheme.
RESOLVED = {
    "w3c-rdf-jsonld-iri-resolution": 445,
    "haskell-network-uri": 148,
    "go-net-url": 87,
    "hyperlink": 40,
    "rhymu8354-uri": 32,
    "uritools": 44,
}


def cases(suite: str, *kinds: str) -> Iterator[Case]:
    for case in json.loads((FOLDER / f"{suite}.json").read_text("utf-8")):
        if case["kind"] in kinds:
            yield case


def assert_all(suite: str, verdicts: list[tuple[Case, bool]], count: int) -> None:
    """Assert that every case passes, except those in `CONTRADICTIONS`, which must fail."""
    wrong = []
    for case, holds in verdicts:
        listed = (suite, case["kind"], case["input"]) in CONTRADICTIONS
        if holds is listed:
            wrong.append((case["input"], case["expected"], case["source"]))
    assert wrong == []
    assert len(verdicts) == count


@pytest.mark.parametrize("suite", VERDICTS)
def test_valid_strings_of_a_suite_are_accepted_and_invalid_ones_rejected(suite: str) -> None:
    verdicts = [
        (case, FUNCTIONS[case["grammar"]](case["input"]) is (case["kind"] == "valid"))
        for case in cases(suite, "valid", "invalid")
        if case["grammar"] != "template"
    ]
    assert_all(suite, verdicts, VERDICTS[suite])


def rhymu_components(value: IRIReference) -> Case:
    """Return the components as that library does: decoded, "" for undefined, a lowercase host."""
    segments = [unquote(segment) for segment in value.raw_segments]
    return {
        "scheme": (value.scheme or "").lower(),
        "host": unquote(value.hostname or "").lower()
        if value.host_kind != "IPvFuture"
        else str(value.host)[1:-1],
        "userInfo": unquote(value.userinfo or ""),
        "query": unquote(value.query or ""),
        "fragment": unquote(value.fragment or ""),
        "path": [""] if segments == ["", ""] else segments,
        "pathOut": [""] if segments == ["", ""] else segments,
        "pathFirstSegment": segments[0] if segments else None,
        "isRelativeReference": value.is_relative,
        "containsRelativePath": value.authority is None and not value.path.startswith("/"),
    }


def test_parse_returns_the_components_of_rhymu8354_uri() -> None:
    verdicts = []
    for case in cases("rhymu8354-uri", "parse"):
        value = URIReference.try_parse(case["input"])
        expected = case["expected"] if isinstance(case["expected"], dict) else {}
        look = rhymu_components(value) if value is not None else {}
        verdicts.append((case, value is not None and {**look, **expected} == look))
    assert_all("rhymu8354-uri", verdicts, 87)


def test_split_returns_the_components_of_uritools() -> None:
    verdicts = [
        (case, split(case["input"])._asdict() == case["expected"])
        for case in cases("uritools", "parse")
    ]
    assert_all("uritools", verdicts, 23)


def test_build_returns_the_uris_of_uritools() -> None:
    verdicts = [
        (case, str(URI.build(**case["input"])) == case["expected"])
        for case in cases("uritools", "build")
    ]
    assert [case["input"] for case, holds in verdicts if not holds] == []
    assert len(verdicts) == 2


def test_uri_returns_the_components_of_the_urn_suite() -> None:
    wrong = []
    count = 0
    for case in cases("urn", "parse"):
        count += 1
        value = URI.try_parse(case["input"])
        expected = case["expected"]
        if value is None:
            wrong.append(case["input"])
        elif isinstance(expected, dict) and "prefix" in expected:
            found = (value.scheme, value.path, value.fragment)
            required = (
                expected["prefix"],
                f"{expected['nid']}:{expected['nss']}",
                expected.get("f"),
            )
            if found != required:
                wrong.append((case["input"], found, required))
    assert wrong == []
    assert count == 110


def test_parse_returns_the_components_of_fast_uri() -> None:
    verdicts = []
    for case in cases("fast-uri", "parse"):
        expected = case["expected"]
        value = URIReference.try_parse(case["input"])
        if value is None:
            # A string that this library rejects must be an error in the suite.
            verdicts.append((case, "error" in expected))
            continue
        found = {
            "scheme": value.scheme,
            "userinfo": value.userinfo,
            "host": value.hostname,
            "port": value.port,
            "path": value.path,
            "query": value.query,
            "fragment": value.fragment,
        }
        required = {name: part for name, part in expected.items() if name in found}
        verdicts.append((case, {**found, **required} == found))
    assert_all("fast-uri", verdicts, 51)


@pytest.mark.parametrize("suite", RESOLVED)
def test_resolve_returns_the_targets_of_a_suite(suite: str) -> None:
    wrong = []
    count = 0
    for case in cases(suite, "resolve"):
        base = parse(case["base"])
        if base.is_relative:
            with pytest.raises(ResolveError):
                base.resolve(case["input"])
            continue
        count += 1
        target = str(base.resolve(case["input"]))
        listed = (suite, case["base"], case["input"], case["expected"]) in WRONG_TARGETS
        if (target == case["expected"]) is listed:
            wrong.append((case["base"], case["input"], case["expected"], target))
    assert wrong == []
    assert count == RESOLVED[suite]


@pytest.mark.parametrize(("suite", "count"), [("haskell-network-uri", 72)])
def test_relative_to_returns_references_no_longer_than_those_of_a_suite(
    suite: str, count: int
) -> None:
    wrong = []
    relativized = list(cases(suite, "relativize"))
    for case in relativized:
        base, target = parse(case["base"]), parse(case["input"])
        found = target.relative_to(base)
        theirs = case["expected"]
        # The suite's reference may be wrong: then it does not resolve to the target.
        resolves = base.resolve(theirs) == target
        if base.resolve(found) != target or (resolves and len(str(found)) > len(theirs)):
            wrong.append((case["base"], case["input"], theirs, str(found)))
    assert wrong == []
    assert len(relativized) == count


@pytest.mark.parametrize(("suite", "count"), [("haskell-network-uri", 17)])
def test_normalize_returns_the_normal_forms_of_a_suite(suite: str, count: int) -> None:
    wrong = []
    normalized = list(cases(suite, "normalize"))
    for case in normalized:
        form = str(parse(case["input"]).normalize(**STEPS_OF[case["fn"]]))
        listed = (suite, case["input"], case["expected"]) in WRONG_FORMS
        if (form == case["expected"]) is listed:
            wrong.append((case["input"], case["expected"], form))
    assert wrong == []
    assert len(normalized) == count


def test_normalize_removes_dot_segments_like_rhymu8354_uri() -> None:
    # The suite also removes dot segments from relative references, with its own algorithm.
    checked = 0
    for case in cases("rhymu8354-uri", "normalize-path"):
        value = parse(case["input"])
        if value.scheme is None:
            assert str(value.normalize()) == case["input"]
            continue
        checked += 1
        assert list(value.normalize().raw_segments) == case["expected"]
    assert checked == 4


def test_to_ascii_returns_the_names_of_uts_46_unless_idna_2008_rejects_them() -> None:
    agreed = 0
    refusals = dict.fromkeys(NO_IDNA_2008_NAME, 0)
    for case in cases("wpt-idna-toascii", "idna-toascii"):
        if case["input"].isascii():
            continue  # An ASCII host is returned unchanged.
        try:
            name = to_ascii(case["input"])
        except ConvertError as error:
            if case["expected"] is None:
                agreed += 1
                continue
            reason = error.reason.rpartition("domain name: ")[2]
            refusals[next(why for why in refusals if reason.startswith(why))] += 1
            continue
        # A name that is not rejected equals that of UTS 46.
        assert name == case["expected"]
        agreed += 1
    assert agreed >= 1500
    assert agreed + sum(refusals.values()) == 1758
    assert all(refusals.values())
