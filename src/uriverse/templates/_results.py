"""Show the values of a match without their secrets."""

from __future__ import annotations

from typing import cast

from uriverse._redaction import MASK, redacted_invalid
from uriverse._redaction.secrets import is_secret


def shown_values(template: str, values: dict[str, object]) -> dict[str, object]:
    """Return the values of a match without their secrets."""
    hidden = userinfo_of(template)
    return {
        name: MASK if f"{{{name}}}" in hidden else shown_value(name, value)
        for name, value in values.items()
    }


def userinfo_of(template: str) -> str:
    """Return the userinfo of a template with an authority; `""` without one."""
    before, at, _ = template.partition("@")
    _, slashes, userinfo = before.rpartition("//")
    return userinfo if at and slashes and "/" not in userinfo else ""


def shown_value(name: str, value: object) -> object:
    """Return a value without its secrets.

    Args:
        name: the name of the variable, or the key in a mapping.
        value: a value of a match.
    """
    if isinstance(value, list):
        return [shown_value(name, item) for item in cast("list[object]", value)]
    if isinstance(value, dict):
        pairs = cast("dict[str, object]", value).items()
        return {key: shown_value(key, shown_value(name, item)) for key, item in pairs}
    if is_secret(name):
        return MASK
    return redacted_invalid(value) if isinstance(value, str) else value
