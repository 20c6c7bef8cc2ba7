"""Answer the requests of the page: everything that it shows about a string.

All results come from the public functions of uriverse. Strings and tables are cut to a length that
a page can show. Each cut is marked, and the page displays it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
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
    """Return everything that the page shows about a string.

    Args:
        request: the string as `text`, and optionally: `base`, a base URI, or `""`; `profile`, a
            profile of `check`; `steps`, a mapping from the steps of normalization to their
            settings; `browser`, the components that the browser finds in the string, or `None`;
            `edit`, a change to apply to the string first.

    Returns:
        A dictionary that can be encoded in JSON. After an edit, `text` is the changed string, and
        `edit_error` explains why an edit is not possible. `text` is `None` without an edit.
    """
    text: str = request["text"]
    base: str = request.get("base", "")
    steps: dict[str, Any] = request.get("steps", {})
    changed, edit_error = None, None
    if request.get("edit"):
        try:
            changed = text = apply_edit(text, request["edit"], base=base, steps=steps)
        except URIError as error:
            edit_error = error.as_dict()
        except IndexError:
            # An earlier edit has removed the segment or the parameter.
            changed = text
    explanation = explain(text)
    findings = check(text, request.get("profile", "generic"))
    resolved = resolution(explanation.value, base)
    usable = resolved is None or resolved["base_error"] is None
    return {
        "text": changed,
        "edit_error": edit_error,
        "length": len(text),
        **identity(explanation),
        "findings": rows_of([finding_of(finding) for finding in findings]),
        "repair": None if explanation.valid else repair_of(text),
        **({} if explanation.value is None else sections(explanation.value, steps)),
        "resolution": resolved,
        "comparison": compare(explanation, base, request.get("browser")) if usable else None,
    }


def sections(value: IRIReference, steps: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of an answer that only valid strings have."""
    return {
        "normal": normal_form(value, steps),
        "forms": [form(name, value) for name in FORMS],
        "segments": segments_of(value),
        "params": params_of(value),
    }


# --- cuts


def shown(text: str) -> dict[str, Any]:
    """Return a string for display, and the number of characters that are missing at its end."""
    return {"text": text[:LONGEST], "missing": max(len(text) - LONGEST, 0)}


def rows_of(rows: list[Any], total: int | None = None) -> dict[str, Any]:
    """Return the rows of a table and their number. Rows that are not shown are removed."""
    return {"rows": rows[:MOST_ROWS], "total": len(rows) if total is None else total}


# --- anatomy, error, findings


def identity(explanation: Explanation) -> dict[str, Any]:
    """Return the type and the components of a string, or the error."""
    error = explanation.error
    return {
        "type": explanation.type,
        "host_kind": explanation.host_kind,
        "components": [
            {
                "name": part.name,
                "rule": part.rule,
                "start": part.start,
                "end": part.end,
                "section": section_of(part.name, part.rule),
                **shown(part.text),
            }
            for part in explanation.components
        ],
        "error": None if error is None else error.as_dict() | {"drawing": drawing_of(error)},
    }


def section_of(component: str, rule: str) -> str:
    """Return the section of the RFC that defines the rule of a component.

    The names of the rules of RFC 3987 start with a lower-case "i".
    """
    return "RFC 3987, 2.2" if rule.startswith("i") else f"RFC 3986, {SECTIONS[component]}"


def drawing_of(error: URIError) -> list[str]:
    """Return the two lines after the reason of an error: the string, and the caret."""
    return str(error).split("\n")[1:3]


def finding_of(finding: Finding) -> dict[str, Any]:
    return finding._asdict()


def repair_of(text: str) -> dict[str, Any]:
    """Return the repaired string and the changes, or the reason why it cannot be repaired."""
    try:
        repaired = repair(text)
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


def resolution(value: IRIReference | None, base: str) -> dict[str, Any] | None:
    """Resolve a reference against a base URI; `None` without a base URI."""
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
