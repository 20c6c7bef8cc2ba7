"""Third parties' suites, read where they stand: verdicts and components.

They are not ours to keep here. The folder is `../shared/suites` beside the repository,
or the one that `URIVERSE_SUITES` names; without it these tests are skipped.

What a suite says against the RFC's text is listed with the reason, and is checked to be
a contradiction still.
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

ASKED: dict[str, Callable[[str], bool]] = {
    "uri": engine.is_uri,
    "uri-reference": engine.is_uri_reference,
    "absolute-uri": engine.is_absolute_uri,
    "iri": engine.is_iri,
    "iri-reference": engine.is_iri_reference,
    "relative-ref": lambda text: engine.is_uri_reference(text) and parse(text).is_relative,
}

#: Suites with verdicts by the RFC's productions, and how many there are.
VERDICTS = {
    "json-schema-test-suite": 87,
    "haskell-network-uri": 333,
    "hyperlink": 5,
    "rhymu8354-uri": 136,
}

PORT_LIMIT = "port = *DIGIT (RFC 3986, 3.2.3): the grammar has no upper limit"
ESCAPES = "it escapes what the grammar has no place for; that is repairing, not reading"
NORMAL = "it normalises the address; the text is the value here"
ZONE = "zone identifiers (RFC 6874) are obsolete by RFC 9844, and no part of RFC 3986's grammar"
NO_HOST = "it turns a path into the host `g`, where there was no authority"
STRICT = "a reference with a scheme is resolved by itself (5.2.2); this is the not strict way"
ROOT = "5.4.1: the root of an authority is `/`"
SCHEME_CHECK = "Appendix B splits before any check: all up to the colon is the scheme"

#: What suites say against the RFCs: the suite, the kind and the text, with the reason.
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

#: Targets that suites have against the RFC: the suite, the base, the reference and the target.
WRONG_TARGETS = {
    ("haskell-network-uri", "f:/a", ".//g", "f://g"): NO_HOST,
    ("haskell-network-uri", "f:/a/", "..//g", "f://g"): NO_HOST,
    ("rhymu8354-uri", "http://a/b/c/d;p?q", "../..", "http://a"): ROOT,
    ("rhymu8354-uri", "http://a/b/c/d;p?q", "../../", "http://a"): ROOT,
    ("uritools", "http://a/b/c/d;p?q", "http:g", "http://a/b/c/g"): STRICT,
}

#: The steps that a function of a suite takes.
STEPS_OF = {
    "normalizeCase": {"percent_encoding": False, "dot_segments": False},
    "normalizeEscape": {"case": False, "dot_segments": False},
    "normalizePathSegments": {"case": False, "percent_encoding": False},
}

HOST_CASE = "hosts are case-insensitive, and normalised to lower case (6.2.2.1)"
ROOTLESS = "it removes dot segments from a rootless path, where they may be data, and not as 5.2.4"

#: Normal forms that suites have against the RFC: the suite, the text and the form.
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

#: Why IDNA 2008 has no name for what UTS 46 alone, without its checks for the DNS, has one.
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

#: Suites with references to resolve, and how many there are on bases that have a scheme.
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
    """Every case holds but those that are listed, and those do not."""
    wrong = []
    for case, holds in verdicts:
        listed = (suite, case["kind"], case["input"]) in CONTRADICTIONS
        if holds is listed:
            wrong.append((case["input"], case["expected"], case["source"]))
    assert wrong == []
    assert len(verdicts) == count


@pytest.mark.parametrize("suite", VERDICTS)
def test_a_suites_verdicts_are_ours(suite: str) -> None:
    verdicts = [
        (case, ASKED[case["grammar"]](case["input"]) is (case["kind"] == "valid"))
        for case in cases(suite, "valid", "invalid")
        if case["grammar"] != "template"
    ]
    assert_all(suite, verdicts, VERDICTS[suite])


def rhymu_look(value: IRIReference) -> Case:
    """The value as that library shows it: decoded, absent as empty, the host in lower case."""
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


def test_rhymu8354_uri_reads_the_same_components() -> None:
    verdicts = []
    for case in cases("rhymu8354-uri", "parse"):
        value = URIReference.try_parse(case["input"])
        expected = case["expected"] if isinstance(case["expected"], dict) else {}
        look = rhymu_look(value) if value is not None else {}
        verdicts.append((case, value is not None and {**look, **expected} == look))
    assert_all("rhymu8354-uri", verdicts, 87)


def test_uritools_splits_the_same() -> None:
    verdicts = [
        (case, split(case["input"])._asdict() == case["expected"])
        for case in cases("uritools", "parse")
    ]
    assert_all("uritools", verdicts, 23)


def test_uritools_builds_the_same() -> None:
    verdicts = [
        (case, str(URI.build(**case["input"])) == case["expected"])
        for case in cases("uritools", "build")
    ]
    assert [case["input"] for case, holds in verdicts if not holds] == []
    assert len(verdicts) == 2


def test_every_urn_is_a_uri_with_the_same_parts() -> None:
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
            wanted = (expected["prefix"], f"{expected['nid']}:{expected['nss']}", expected.get("f"))
            if found != wanted:
                wrong.append((case["input"], found, wanted))
    assert wrong == []
    assert count == 110


def test_fast_uri_reads_the_same_components() -> None:
    verdicts = []
    for case in cases("fast-uri", "parse"):
        expected = case["expected"]
        value = URIReference.try_parse(case["input"])
        if value is None:
            # An error of theirs is a refusal of ours.
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
        wanted = {name: part for name, part in expected.items() if name in found}
        verdicts.append((case, {**found, **wanted} == found))
    assert_all("fast-uri", verdicts, 51)


@pytest.mark.parametrize("suite", RESOLVED)
def test_a_suites_references_have_the_same_targets(suite: str) -> None:
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
def test_a_suites_targets_are_found_again_by_no_longer_a_reference(suite: str, count: int) -> None:
    wrong = []
    relativized = list(cases(suite, "relativize"))
    for case in relativized:
        base, target = parse(case["base"]), parse(case["input"])
        found = target.relative_to(base)
        theirs = case["expected"]
        # A suite's answer that does not lead back to the target is no answer.
        leads_back = base.resolve(theirs) == target
        if base.resolve(found) != target or (leads_back and len(str(found)) > len(theirs)):
            wrong.append((case["base"], case["input"], theirs, str(found)))
    assert wrong == []
    assert len(relativized) == count


@pytest.mark.parametrize(("suite", "count"), [("haskell-network-uri", 17)])
def test_a_suites_normal_forms_are_ours(suite: str, count: int) -> None:
    wrong = []
    normalized = list(cases(suite, "normalize"))
    for case in normalized:
        form = str(parse(case["input"]).normalize(**STEPS_OF[case["fn"]]))
        listed = (suite, case["input"], case["expected"]) in WRONG_FORMS
        if (form == case["expected"]) is listed:
            wrong.append((case["input"], case["expected"], form))
    assert wrong == []
    assert len(normalized) == count


def test_a_suites_paths_without_dot_segments_are_ours() -> None:
    # Its paths of relative references too are rid of them, by an algorithm that 5.2.4 is not.
    checked = 0
    for case in cases("rhymu8354-uri", "normalize-path"):
        value = parse(case["input"])
        if value.scheme is None:
            assert str(value.normalize()) == case["input"]
            continue
        checked += 1
        assert list(value.normalize().raw_segments) == case["expected"]
    assert checked == 4


def test_domain_names_are_those_of_uts_46_or_none_of_idna_2008() -> None:
    agreed = 0
    refusals = dict.fromkeys(NO_IDNA_2008_NAME, 0)
    for case in cases("wpt-idna-toascii", "idna-toascii"):
        if case["input"].isascii():
            continue  # Such a host is not looked at: it is its own name.
        try:
            name = to_ascii(case["input"])
        except ConvertError as error:
            if case["expected"] is None:
                agreed += 1
                continue
            reason = error.reason.rpartition("a domain name: ")[2]
            refusals[next(why for why in refusals if reason.startswith(why))] += 1
            continue
        # Never another name, and none where UTS 46 has none.
        assert name == case["expected"]
        agreed += 1
    assert agreed >= 1500
    assert agreed + sum(refusals.values()) == 1758
    assert all(refusals.values())
