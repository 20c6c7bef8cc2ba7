"""Compare the components that uriverse and the browser find in a string."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from urllib.parse import unquote_to_bytes

from uriverse import (
    ConvertError,
    Explanation,
    Finding,
    IRIReference,
    ParseError,
    RepairError,
    URIError,
    parse,
    repair,
)
from uriverse.diagnosis import CODES
from uriverse.diagnosis._checking import list_findings

from .dividing import divided

Components = dict[str, str | None]

#: The components that the page compares.
COMPARED = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")

#: The number of characters of a component that the page shows in the comparison.
LONGEST = 500

#: The number of characters up to which a string is compared: both normal forms take time.
LONGEST_COMPARED = 100_000

#: The groups of findings that can explain a difference in another component.
EXPLAINING = {"syntax", "scheme", "ambiguity"}

#: The steps of normalization, and the reasons for equivalence that they give.
STEPS = {
    "percent_encoding": "percent-encoding",
    "case": "upper and lower case",
    "ipv6": "notation of the IPv6 address",
    "dot_segments": "dot segments",
    "scheme": "rules of the scheme",
}


def compare(
    explanation: Explanation, base: str, browser: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Compare the components of a string with those that the browser finds.

    An invalid string is repaired first. If it cannot be repaired without guessing, it is split at
    its delimiters. With a base URI, both resolve the string against it.

    Args:
        explanation: the explanation of the string.
        base: the base URI, or `""`.
        browser: the string as the browser writes it, as `href`, and its `components`; `href` is
            `None` if the browser rejects the string.

    Returns:
        `None` if `browser` is `None`, or if the string is too long. Otherwise, `status` is
        `"valid"`, `"repaired"` or `"rejected"`, and `problem` is the reason why uriverse rejects
        the string. Each item of
        `rows` has the `component`, its string in uriverse as `ours`, its `status` (`"same"`,
        `"equivalent"`, `"encoded"`, `"different"` or `"rejected"`), the `reasons` why it is
        equivalent, and the codes of the findings that explain a difference. `findings` has the
        messages of these codes.
    """
    if browser is None or len(explanation.text) > LONGEST_COMPARED:
        return None
    value, status, problem = read(explanation, base)
    ours = split_text(explanation.text) if value is None else components_of(value)
    rejects = browser["href"] is None
    if rejects:
        rows = [row(name, ours[name], "rejected") for name in COMPARED]
    else:
        rows = compared_rows(value, ours, browser["components"], browser["href"])
    differing = [item for item in rows if item["status"] in {"different", "rejected"}]
    found = list_findings(explanation.text, "web") if differing else []
    for item in differing:
        item["findings"] = codes_for(item["component"], found, explanation)
    unexplained = [item for item in differing if not item["findings"]]
    if rejects and len(unexplained) < len(differing):
        unexplained = []
    for item in unexplained:
        # The difference follows from a finding about another component.
        item["findings"] = codes_of([one for one in found if CODES[one.code].group in EXPLAINING])
    used = {code for item in rows for code in item["findings"]}
    messages = {finding.code: message_of(finding) for finding in found if finding.code in used}
    return {"status": status, "problem": problem, "rows": rows, "findings": messages}


def read(
    explanation: Explanation, base: str
) -> tuple[IRIReference | None, str, dict[str, Any] | None]:
    """Return the identifier to compare and its status, or the error of a rejected string."""
    value, status = explanation.value, "valid"
    try:
        if value is None:
            value, status = repair(explanation.text, iri=True).uri, "repaired"
        if base:
            value = parse(base).resolve(value)
    except URIError as error:
        code = error.code if isinstance(error, RepairError | ParseError) else "syntax"
        return None, "rejected", error.as_dict() | {"code": code}
    return value, status, None


def split_text(text: str) -> Components:
    """Split an invalid string at its delimiters (RFC 3986, Appendix B)."""
    found = {name: text[start:end] for name, start, end in divided(text)}
    return {name: found.get(name) for name in COMPARED}


def compared_rows(
    value: IRIReference | None, ours: Components, theirs: Components, href: str
) -> list[dict[str, Any]]:
    """Compare each component, as written and in normal form.

    A rejected string, for which `value` is `None`, has no normal form.
    """
    if value is None or ours == theirs:
        same = {True: "same", False: "different"}
        return [row(name, ours[name], same[ours[name] == theirs[name]]) for name in COMPARED]
    mapped = as_uri(value)
    normal = components_of(mapped.normalize(scheme=True))
    their_value = parsed(href)
    their_normal = (
        theirs if their_value is None else components_of(their_value.normalize(scheme=True))
    )
    steps = mapped.normalization_changes(scheme=True)
    rows = []
    for name in COMPARED:
        our, their = ours[name], theirs[name]
        if our == their:
            rows.append(row(name, our, "same"))
        elif normal[name] == their_normal[name]:
            reasons = [reason(change.step, name) for change in steps if change.component == name]
            if our is not None and our != components_of(mapped)[name]:
                # The mapping of IRIs to URIs (RFC 3987, 3.1).
                reasons.insert(0, "Punycode" if name == "host" else "percent-encoding")
            rows.append(row(name, our, "equivalent", reasons))
        elif name == "userinfo" and our is not None and our.removesuffix(":") == (their or ""):
            # Browsers remove the colon before an empty password.
            rows.append(row(name, our, "equivalent", ["empty password"]))
        elif unquote_to_bytes(our or "") == unquote_to_bytes(their or ""):
            rows.append(row(name, our, "encoded"))
        else:
            rows.append(row(name, our, "different"))
    return rows


def row(
    name: str, ours: str | None, status: str, reasons: list[str] | None = None
) -> dict[str, Any]:
    return {
        "component": name,
        "ours": None if ours is None else ours[:LONGEST],
        "missing": max(len(ours or "") - LONGEST, 0),
        "status": status,
        "reasons": list(dict.fromkeys(reasons or [])),
        "findings": [],
    }


def reason(step: str, component: str) -> str:
    """Return the reason why a step of normalization changes a component."""
    if step == "scheme" and component in {"port", "path"}:
        return "default port" if component == "port" else "empty path"
    return STEPS[step]


def components_of(value: IRIReference) -> Components:
    return {
        "scheme": value.scheme,
        "userinfo": value.userinfo,
        "host": value.host,
        "port": value.port_text,
        "path": value.path,
        "query": value.query,
        "fragment": value.fragment,
    }


def as_uri(value: IRIReference) -> IRIReference:
    """Convert an IRI to a URI, with an ASCII domain name if that is possible."""
    try:
        return value.to_uri(host="idna")
    except ConvertError:
        return value.to_uri()


def parsed(href: str) -> IRIReference | None:
    """Parse the URL of a browser, which may contain characters that RFC 3986 does not allow."""
    with suppress(ParseError):
        return parse(href)
    try:
        return repair(href).uri
    except RepairError:
        return None


def codes_for(component: str, found: list[Finding], explanation: Explanation) -> list[str]:
    """Return the codes of the findings about a component."""
    spans = [(part.start, part.end) for part in explanation.components if part.name == component]
    return codes_of(
        [
            finding
            for finding in found
            if finding.component == component
            or any(finding.start < end and start < finding.end for start, end in spans)
        ]
    )


def codes_of(found: list[Finding]) -> list[str]:
    return list(dict.fromkeys(finding.code for finding in found))


def message_of(finding: Finding) -> str:
    """Return the message of a finding, with its suggestion."""
    advice = "" if finding.suggestion is None else f"; {finding.suggestion}"
    return finding.message + advice
