"""Templates are matched as they are expanded, with and without the kernel."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

from draws import Draws
from outcomes import check_error, outcome

from uriverse import TemplateError, URIReference, _engine
from uriverse.templates import Template
from uriverse.templates import _compiled as compiled_templates

#: Templates, and pieces of others.
TEMPLATES = (
    *("/{a}", "/{a}/{b}", "{a}", "{/a*}", "{/a,b}", "x{;a,b}", "x{.a*}", "{?a,b}", "{?a*}", "{&a}"),
    *(
        "http://{a}/{b}",
        "/{+a}",
        "{+a}{?b}",
        "{#a}",
        "?x={a}",
        "/{a}-{b}",
        "/{a,b}",
        "?{a}",
        "/{a:2}",
    ),
    *("x{;a*}", "{a}://h/{b}", "/{a}{#b}", "/x{/a*}{?b,c*}"),
)
TYPES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"a": int},
    {"a": ("x", "7")},
    {"a": list},
    {"a": dict},
)
ALLOWED: tuple[tuple[Any, ...], ...] = ((), (), ("slash",), ("dots",), ("empty",))
VALUES = (
    *(
        "a",
        "7",
        "07",
        "",
        "..",
        ".",
        "a/b",
        "\\",
        "%2F",
        "%252e",
        "\0",
        "\u00e9",
        "a,b",
        ";",
        "=",
        "&",
    ),
    *(["x"], ["x", ""], ["..", "b"], {"k": "v"}, {"": "%2f"}, {"k": "..", "l": "m"}, 7, -1, None),
)

#: Strings to add to URIs and expansions.
ENDS = (
    *("&a=2", "?a=1&a=2", "?a&b=%31", "/..", "/", "%2F", "%252E%252e", ";a=1", ";a", ",x", "#x"),
    *("&z=%31#x", ".x", "//x", "%00", "-x", "/07", "/.%20", "/..%2e", ".%41"),
)


def template_of(draws: Draws, text: str) -> Template:
    """Return a template with random options, from a list or from a string."""
    options: dict[str, Any] = {
        "allow": draws.choice(ALLOWED),
        "safe": bool(draws.randrange(2)),
        "extra": not draws.randrange(4),
    }
    known = draws.choice(TEMPLATES)
    try:
        if not draws.randrange(4):
            return Template(text, **options)
    except TemplateError as error:
        check_error(error)
    types = draws.choice(TYPES)
    return Template(known, types=types if "{a}" in known or "a*}" in known else {}, **options)


def results(template: Template, uri: str) -> tuple[Any, Any]:
    """Return the outcomes of `match` and of `match_all`."""
    return outcome(lambda: template.match(uri)), template.match_all(uri, limit=20)


def without_kernel(template: Template) -> Template:
    """Return an equal template that does not use the kernel."""
    vars(compiled_templates)["kernel"] = None
    try:
        found = template.partial()
        found.match("")
        outcome(found.expand_text)
    finally:
        vars(compiled_templates)["kernel"] = _engine.kernel
    return found


def strings_in(value: object) -> list[str]:
    """Return the strings in a value."""
    if isinstance(value, dict):
        return [text for item in value.items() for text in strings_in(list(item))]
    if isinstance(value, list):
        return [text for item in value for text in strings_in(item)]
    return [value] if isinstance(value, str) else []


def check_safe(template: Template, uri: str) -> None:
    """Assert that the values of a path are safe if nothing is allowed."""
    if any(template._allow.values()) or re.search(r"[?#&]", str(template)):
        return
    slash = re.compile(r"\\" if "{+" in str(template) else r"[/\\]")
    for match in template.match_all(uri, limit=4):
        for text in strings_in(match.variables):
            assert text
            for _ in range(4):
                assert not re.search(r"[\0-\x1f\x7f-\x9f]", text), text
                assert not slash.search(text), text
                assert not re.search(r"(^|/)\.{1,2}(;|/|$)", text), text
                text = unquote(text)  # noqa: PLW2901 - a server decodes it again


def check(data: bytes) -> None:
    """Match one string against one template, and expand the template."""
    draws = Draws(data)
    uri, text = draws.strings(draws.choice(("URI-reference", "path-absolute")), "URI-reference")
    template = template_of(draws, text)
    plain = without_kernel(template)
    assert plain == template
    values = {variable.name: draws.choice(VALUES) for variable in template.variables}
    try:
        expanded = template.expand_text(values)
    except (TemplateError, TypeError):
        expanded = None
    more = draws.choice(ENDS)
    for target in (uri, uri + more, *([] if expanded is None else [expanded, expanded + more])):
        assert results(template, target) == results(plain, target)
        check_safe(template, target)
    try:
        assert expanded == plain.expand_text(values)
    except (TemplateError, TypeError):
        assert expanded is None
    if expanded is None or URIReference.try_parse(expanded) is None:
        return
    assert str(outcome(lambda: template.expand(values))[1]) == expanded
    if (
        template._safe
        and template.is_reversible
        and all(isinstance(v, str) for v in values.values())
    ):
        found = template.match(expanded)
        assert found is not None or "*" in str(template) or template._types, expanded
        if found is not None and "*" not in str(template):
            assert found.variables == values, (expanded, found)
