"""The results of uriverse for the cases of third-party suites.

To add a capability, write a function that judges one case, and register it in `JUDGES` for its kind
of case. Cases without a judge need a reason in `NOT_RUN`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import unquote

from conformance.deviations import IDNA_2008, Reason
from conformance.suites import Case
from conformance.url_standard import Rejection, agrees, answer, classes_of
from uriverse import (
    URI,
    ConvertError,
    IRIReference,
    ParseError,
    ResolveError,
    TemplateError,
    URIReference,
    parse,
    split,
)
from uriverse._spec.components import compose_all_parts, split_all_parts
from uriverse._spec.domain import to_ascii
from uriverse._typed.urn import URN
from uriverse._uri import engine
from uriverse.percent import uppercase
from uriverse.schemes import _urn
from uriverse.templates import Template


class Judgment(NamedTuple):
    """The result for one case.

    Attributes:
        passed: whether uriverse gives the expected result.
        found: the result of uriverse, for the report.
        reason: the reason for a deviation, if the result itself names it.
        skipped: why the case does not apply; None if it does.
    """

    passed: bool
    found: Any = None
    reason: Reason | None = None
    skipped: str | None = None


Judge = Callable[[Case], Judgment]


def skip(reason: str) -> Judgment:
    return Judgment(passed=True, skipped=reason)


#: Why cases are not run, by suite and kind.
NOT_RUN = {
    ("fast-uri", "build"): "builds normalized strings, unlike RFC 3986",
    ("fast-uri", "equal"): "compares strings after a repair",
    ("fast-uri", "normalize"): "repairs and normalizes in one step",
    ("fast-uri", "resolve"): "expects normalized targets, unlike RFC 3986, 5.2",
    ("hyperlink", "roundtrip"): "expects that library's own normal form",
    ("rhymu8354-uri", "build"): "tests the setters of that library",
}
OWN_CONVENTIONS = "tests conventions of Go's net/url, not of an RFC"


def is_template(text: str) -> bool:
    try:
        Template(text)
    except TemplateError:
        return False
    return True


#: The validators of each grammar.
GRAMMARS: dict[str, Callable[[str], bool]] = {
    "uri": engine.is_uri,
    "uri-reference": engine.is_uri_reference,
    "absolute-uri": engine.is_absolute_uri,
    "iri": engine.is_iri,
    "iri-reference": engine.is_iri_reference,
    "relative-ref": lambda text: engine.is_uri_reference(text) and parse(text).is_relative,
    "template": is_template,
}

#: The options of `normalize` that correspond to each function of `haskell-network-uri`.
STEPS_OF = {
    "normalizeCase": {"percent_encoding": False, "dot_segments": False},
    "normalizeEscape": {"case": False, "dot_segments": False},
    "normalizePathSegments": {"case": False, "percent_encoding": False},
}


def validity(case: Case) -> Judgment:
    accepted = GRAMMARS[case["grammar"]](case["input"])
    return Judgment(accepted is (case["kind"] == "valid"), accepted)


def resolution(case: Case) -> Judgment:
    base = parse(case["base"])
    try:
        target = str(base.resolve(parse(case["input"])))
    except ResolveError as error:
        if base.is_relative:
            return skip("relative base: an error in this library (RFC 3986, 5.1)")
        return Judgment(passed=False, found=str(error))
    return Judgment(target == case["expected"] and not base.is_relative, target)


def relativization(case: Case) -> Judgment:
    """The reference resolves to the target, and is no longer than a correct one of the suite."""
    base, target = parse(case["base"]), parse(case["input"])
    found = target.relative_to(base)
    resolves = base.resolve(parse(case["expected"])) == target
    short = not resolves or len(str(found)) <= len(case["expected"])
    return Judgment(base.resolve(found) == target and short, str(found))


def normal_form(case: Case) -> Judgment:
    form = str(parse(case["input"]).normalize(**STEPS_OF[case["fn"]]))
    return Judgment(form == case["expected"], form)


def rhymu_path(case: Case) -> Judgment:
    value = parse(case["input"])
    if value.scheme is None:
        return skip("normalizes a relative path, whose dot segments must stay")
    segments = list(value.normalize().raw_segments)
    return Judgment(segments == case["expected"], segments)


def rhymu_components(value: IRIReference) -> Case:
    """Return the components in the form of the suite: decoded, and `""` if undefined."""
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


def rhymu_parse(case: Case) -> Judgment:
    value = URIReference.try_parse(case["input"])
    if value is None:
        return Judgment(passed=False, found="rejected")
    found = rhymu_components(value)
    expected = case["expected"] if isinstance(case["expected"], dict) else {}
    return Judgment({**found, **expected} == found, found)


def fast_uri_parse(case: Case) -> Judgment:
    expected = case["expected"]
    value = URIReference.try_parse(case["input"])
    if value is None:
        return Judgment("error" in expected, "rejected")
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
    return Judgment({**found, **required} == found, found)


def uritools_parse(case: Case) -> Judgment:
    found = split(case["input"])._asdict()
    return Judgment(found == case["expected"], found)


def uritools_build(case: Case) -> Judgment:
    built = str(URI.build(**case["input"]))
    return Judgment(built == case["expected"], built)


def try_urn(text: str) -> URN | None:
    try:
        return URN(text)
    except ParseError:
        return None


def urn_parts(expected: Case) -> tuple[str | None, ...]:
    """Return the parts of the expected URN. The two projects use different names for them."""
    if "prefix" in expected:
        return tuple(expected.get(name) for name in ("prefix", "nid", "nss", "r", "q", "f"))
    parts = expected["scheme_nid_nss_rqf"]
    return (*parts, *[None] * (6 - len(parts)))


def urn_parse(case: Case) -> Judgment:
    name = try_urn(case["input"])
    if name is None:
        return Judgment(passed=False, found="rejected")
    found = (
        name.scheme,
        name.nid,
        name.nss,
        name.r_component,
        name.q_component,
        name.f_component,
    )
    expected = case["expected"]
    # The suite writes triplets in lowercase; RFC 8141 (3.1) requires uppercase.
    key = compose_all_parts(_urn.convert_for_comparison(split_all_parts(str(name))))
    form = uppercase(expected.get("normalized", key))
    return Judgment(found == urn_parts(expected) and key == form, found)


def urn_rejection(case: Case) -> Judgment:
    accepted = try_urn(case["input"]) is not None
    return Judgment(not accepted, accepted)


def urn_equivalence(case: Case) -> Judgment:
    one, other = map(URN, case["input"])
    same = one.is_urn_equivalent(other) and other.is_urn_equivalent(one)
    return Judgment(same is case["expected"], same)


def domain_name(case: Case) -> Judgment:
    """A name that IDNA 2008 rejects deviates; any other name equals that of UTS 46."""
    if case["input"].isascii():
        return skip("an ASCII host is not converted")
    try:
        name = to_ascii(case["input"])
    except ConvertError as error:
        if case["expected"] is None:
            return Judgment(passed=True)
        message = error.reason.rpartition("domain name: ")[2]
        reasons = [why for start, why in IDNA_2008.items() if message.startswith(start)]
        return Judgment(passed=False, found=message, reason=next(iter(reasons), None))
    return Judgment(name == case["expected"], name)


def expansion(case: Case) -> Judgment:
    """The expansion is the expected string or one of them; `False` stands for an error."""
    expected = case["expected"] if case["any_of"] else [case["expected"]]
    try:
        found: Any = Template(case["input"]).expand_text(case["variables"])
    except TemplateError:
        found = False
    return Judgment(found in expected, found)


def url(case: Case) -> Judgment:
    """A difference between the URL Standard and the RFCs belongs to exactly one class."""
    answered = answer(case)
    if agrees(case, answered):
        return Judgment(passed=True)
    found = "rejected" if isinstance(answered, Rejection) else str(answered)
    classes = classes_of(case, answered)
    return Judgment(passed=False, found=found, reason=classes[0] if len(classes) == 1 else None)


#: The judges by suite and kind; None stands for every suite.
JUDGES: dict[tuple[str | None, str], Judge] = {
    (None, "valid"): validity,
    (None, "invalid"): validity,
    (None, "resolve"): resolution,
    (None, "relativize"): relativization,
    (None, "normalize"): normal_form,
    ("rhymu8354-uri", "parse"): rhymu_parse,
    ("rhymu8354-uri", "normalize-path"): rhymu_path,
    ("fast-uri", "parse"): fast_uri_parse,
    ("uritools", "parse"): uritools_parse,
    ("uritools", "build"): uritools_build,
    ("urn", "parse"): urn_parse,
    ("urn", "invalid"): urn_rejection,
    ("urn", "equal"): urn_equivalence,
    ("wpt-idna-toascii", "idna-toascii"): domain_name,
    (None, "template"): expansion,
    ("uritemplate-test", "invalid"): expansion,
    ("wpt-url", "url"): url,
}


def judge(suite: str, case: Case) -> Judgment:
    """Run one case, or return the reason why it is not run."""
    kind = case["kind"]
    if (suite, kind) in NOT_RUN:
        return skip(NOT_RUN[suite, kind])
    if suite == "go-net-url" and kind != "resolve":
        return skip(OWN_CONVENTIONS)
    found = JUDGES.get((suite, kind)) or JUDGES.get((None, kind))
    return found(case) if found else skip(f"no judge for cases of the kind {kind!r}")
