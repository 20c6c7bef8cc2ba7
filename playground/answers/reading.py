"""Answer the requests of the page: everything that it shows about a string.

All results come from the public functions of uriverse. Strings and tables are cut to a length that
a page can show. Each cut is marked, and the page displays it.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import Any

from uriverse import (
    Explanation,
    Finding,
    IRIReference,
    RepairError,
    URIError,
    check,
    explain,
    parse,
    repair,
)

from .comparison import compare
from .deciding import decision
from .destinations import destinations
from .dividing import divided
from .edits import CONVERSIONS, apply_edit, normalize_options

#: The number of characters of a string that the page shows.
LONGEST = 500

#: The number of rows that a table of the page shows.
MOST_ROWS = 100

#: The steps of normalization in the order in which they are applied.
STEPS = ("percent_encoding", "case", "ipv6", "dot_segments", "scheme")

#: The forms of a URI that the page shows, with the functions that compute them.
FORMS: dict[str, Callable[[IRIReference], object]] = {
    **CONVERSIONS,
    "display": lambda value: value.display(),
}

#: The section of RFC 3986 that defines each component.
SECTIONS = {
    "scheme": "3.1",
    "authority": "3.2",
    "userinfo": "3.2.1",
    "host": "3.2.2",
    "port": "3.2.3",
    "path": "3.3",
    "query": "3.4",
    "fragment": "3.5",
}


def answer_json(request: str) -> str:
    """Answer a request that is encoded in JSON, and encode the answer.

    JSON escapes lone surrogates, so any JavaScript string can be part of a request.
    """
    return json.dumps(answer(json.loads(request)))


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows about a string.

    Args:
        request: the string as `text`, and optionally: `parts`, the names of the sections that the
            page shows, or all of `PARTS` if it is missing; `base`, a base URI, or `""`; `profile`,
            a profile of `check`; `steps`, a mapping from the steps of normalization to their
            settings; `browser`, the components that the browser finds in the string, or `None`;
            `policy`, the rules `allow` and `deny` of a policy; `edit`, a change to apply to the
            string.

    Returns:
        A dictionary that can be encoded in JSON. Only the names of `parts` and the identity of the
        string are its keys. The answer to an edit has the changed string as `text`, or an
        `edit_error` that explains why the edit is not possible.
    """
    text: str = request["text"]
    if request.get("edit"):
        return edited(text, request)
    explanation = explained(text)
    wanted = request.get("parts", PARTS)
    found = {"length": len(text), **identity(explanation)}
    for part in wanted:
        found[part] = PARTS[part](explanation, request)
    return found


def edited(text: str, request: dict[str, Any]) -> dict[str, Any]:
    """Return a string after an edit, or the reason why the edit is not possible."""
    base, steps = request.get("base", ""), request.get("steps", {})
    try:
        changed = apply_edit(text, request["edit"], base=base, steps=steps)
    except URIError as error:
        return {"text": None, "edit_error": error.as_dict()}
    except IndexError:
        # An earlier edit has removed the segment or the parameter.
        changed = text
    return {"text": changed, "edit_error": None}


@lru_cache(maxsize=1)
def explained(text: str) -> Explanation:
    """Explain a string. The page asks for the parts of a long string one after the other."""
    return explain(text)


# --- cuts


def shown(text: str) -> dict[str, Any]:
    """Return a string for display, and the number of characters that are missing at its end."""
    return {"text": text[:LONGEST], "missing": max(len(text) - LONGEST, 0)}


def rows_of(rows: list[Any], total: int | None = None) -> dict[str, Any]:
    """Return the rows of a table and their number. Rows that are not shown are removed."""
    return {"rows": rows[:MOST_ROWS], "total": len(rows) if total is None else total}


# --- anatomy, error, findings


def identity(explanation: Explanation) -> dict[str, Any]:
    """Return the type and the components of a string, and the error of an invalid string.

    An invalid string is divided at its delimiters. The `state` of a component is `"valid"`,
    `"invalid"`, or `"unchecked"` if it stands after the error.
    """
    error = explanation.error
    components: list[dict[str, Any]] = [
        {
            "name": part.name,
            "rule": part.rule,
            "start": part.start,
            "end": part.end,
            "state": "valid",
            "section": section_of(part.name, part.rule),
            **shown(part.text),
        }
        for part in explanation.components
    ]
    if error is not None:
        components = [
            {
                "name": name,
                "rule": None,
                "start": start,
                "end": end,
                "state": state_of(name, end, error),
                "section": f"RFC 3986, {SECTIONS[name]}",
                **shown(explanation.text[start:end]),
            }
            for name, start, end in divided(explanation.text)
        ]
    return {
        "type": explanation.type,
        "host_kind": explanation.host_kind,
        "components": components,
        "error": None if error is None else error.as_dict() | {"drawing": drawing_of(error)},
    }


def state_of(name: str, end: int, error: URIError) -> str:
    """Return whether a component of an invalid string stands before, at or after the error."""
    if name == error.component:
        return "invalid"
    return "valid" if end <= error.position else "unchecked"


def section_of(component: str, rule: str) -> str:
    """Return the section of the RFC that defines the rule of a component.

    The names of the rules of RFC 3987 start with a lower-case "i".
    """
    return "RFC 3987, 2.2" if rule.startswith("i") else f"RFC 3986, {SECTIONS[component]}"


def drawing_of(error: URIError) -> list[str]:
    """Return the two lines after the reason of an error: the string, and the caret."""
    return str(error).split("\n")[1:3]


def findings_of(explanation: Explanation, request: dict[str, Any]) -> dict[str, Any]:
    """Return the findings, and the host in Unicode if it looks misleading."""
    found = check(explanation.text, request.get("profile", "generic"))
    return {
        **rows_of([finding._asdict() for finding in found]),
        "severities": Counter(finding.severity for finding in found),
        "lookalike": lookalike(explanation, found),
    }


def lookalike(explanation: Explanation, found: list[Finding]) -> dict[str, Any] | None:
    """Return a misleading host in Unicode, with the names of its letters that are not ASCII."""
    host = None if explanation.value is None else explanation.value.host
    if host is None or all(finding.code != "misleading-host" for finding in found):
        return None
    looks = ".".join(map(in_unicode, host.split(".")))
    others = dict.fromkeys(character for character in looks if not character.isascii())
    letters = [
        {"letter": one, "name": unicodedata.name(one, f"U+{ord(one):04X}")} for one in others
    ]
    return {"host": shown(host), "looks": shown(looks), "letters": rows_of(letters)}


def in_unicode(label: str) -> str:
    """Return a label as people see it. Only an invalid A-label stays in ASCII."""
    if label[:4].lower() != "xn--":
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


def repair_of(explanation: Explanation, _: dict[str, Any]) -> dict[str, Any] | None:
    """Return the repaired string and the changes, or the reason why it cannot be repaired.

    The result is `None` for a valid string.
    """
    if explanation.valid:
        return None
    try:
        repaired = repair(explanation.text)
    except RepairError as error:
        return {"error": error.as_dict(), "code": error.code}
    changes = [
        {
            "kind": change.kind,
            "start": change.start,
            "end": change.end,
            "before": shown(change.before),
            "after": shown(change.after),
        }
        for change in islice(repaired.changes, MOST_ROWS)
    ]
    return {
        "error": None,
        **shown(str(repaired)),
        "changes": rows_of(changes, len(repaired.changes)),
    }


# --- normal form, conversions, resolution


def normal_form(value: IRIReference, steps: dict[str, Any]) -> dict[str, Any]:
    """Return the normal form with the given steps, and the changes of each step."""
    options = normalize_options(steps)
    normal = value.normalize(**options)
    changes: dict[str, list[dict[str, Any]]] = {step: [] for step in STEPS}
    if normal != value:
        for change in value.normalization_changes(**options):
            changes[change.step].append(
                {
                    "component": change.component,
                    "before": shown(change.before),
                    "after": None if change.after is None else shown(change.after),
                }
            )
    return {
        **shown(str(normal)),
        "changed": normal != value,
        "steps": [{"step": step, "changes": changes[step]} for step in STEPS],
    }


def form(name: str, value: IRIReference) -> dict[str, Any]:
    """Return one form of a URI: its name, the string, and whether it differs from the URI."""
    try:
        converted = str(FORMS[name](value))
    except URIError as error:
        return {"name": name, "error": error.as_dict(), **shown("")}
    return {"name": name, "error": None, "changed": converted != str(value), **shown(converted)}


def resolution(explanation: Explanation, request: dict[str, Any]) -> dict[str, Any] | None:
    """Resolve a reference against a base URI; `None` without a base URI."""
    value, base = explanation.value, request.get("base", "")
    if not base:
        return None
    try:
        start = parse(base)
        # The base is wrong if it has no scheme, whatever the reference is.
        start.resolve("")
    except URIError as error:
        return {"base_error": error.as_dict()}
    if value is None:
        return {"base_error": None}
    target = start.resolve(value)
    try:
        relative: dict[str, Any] = shown(str(target.relative_to(start))) | {"error": None}
    except URIError as error:
        relative = {"error": error.as_dict()}
    return {"base_error": None, "target": shown(str(target)), "relative": relative}


# --- editable tables


def segments_of(value: IRIReference) -> dict[str, Any]:
    """Return the segments of the path, as written and decoded."""
    segments = value.segments
    raw = segments.raw[:MOST_ROWS]
    rows = [
        {"index": index, "raw": text, "text": segments[index], "fixed": index == 0 and not text}
        for index, text in enumerate(raw)
    ]
    return rows_of(rows, len(segments))


def params_of(value: IRIReference) -> dict[str, Any]:
    """Return the parameters of the query, as written and decoded."""
    params = value.params
    pairs = zip(params.raw_items(), params.items(), strict=True)
    rows = [
        {
            "index": index,
            "raw": written if raw is None else f"{written}={raw}",
            "name": name,
            "value": None if raw is None else text,
        }
        for index, ((written, raw), (name, text)) in enumerate(islice(pairs, MOST_ROWS))
    ]
    return rows_of(rows, len(params))


# --- the parts of an answer


def comparison(explanation: Explanation, request: dict[str, Any]) -> dict[str, Any] | None:
    """Compare the string with the reading of the browser, unless the base URI is invalid."""
    resolved = resolution(explanation, request)
    if resolved is not None and resolved["base_error"] is not None:
        return None
    return compare(explanation, request.get("base", ""), request.get("browser"))


Part = Callable[[Explanation, dict[str, Any]], Any]


def of_value(part: Callable[[IRIReference], Any]) -> Part:
    """Return a part that only valid strings have; it is `None` for others."""
    return lambda explanation, _: None if explanation.value is None else part(explanation.value)


#: The parts of an answer, and the functions that compute them.
PARTS: dict[str, Part] = {
    "findings": findings_of,
    "repair": repair_of,
    "resolution": resolution,
    "destinations": lambda explanation, _: destinations(explanation.text),
    "comparison": comparison,
    "policy": lambda explanation, request: decision(explanation.text, request),
    "normal": lambda explanation, request: (
        None
        if explanation.value is None
        else normal_form(explanation.value, request.get("steps", {}))
    ),
    "forms": of_value(lambda value: [form(name, value) for name in FORMS]),
    "segments": of_value(segments_of),
    "params": of_value(params_of),
}
