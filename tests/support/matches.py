"""The values that a template captures."""

from typing import Any

from uriverse.templates import Match


def captured(match: Match | None) -> dict[str, Any] | None:
    return None if match is None else match.variables
