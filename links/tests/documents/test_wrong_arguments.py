"""Wrong arguments are errors that name them, without secrets."""

from __future__ import annotations

from typing import Any

import pytest

from uriverse_links import links, rewrite


@pytest.mark.parametrize(
    ("format_name", "shown"),
    [
        ("md", "'md'"),
        (1, "1"),
        ("https://me:hunter2@a.example/", "'https://me:REDACTED@a.example/'"),
        ("user:pass word@host", "'user:REDACTED@host'"),
        ("it's \"\n\udcff", repr("it's \"\n\udcff")),
    ],
)
def test_an_unknown_format_is_quoted_without_secrets(format_name: Any, shown: str) -> None:
    with pytest.raises(ValueError, match="unknown format") as caught:
        links("", format_name)
    assert f"unknown format {shown}; use markdown" in str(caught.value)


def test_a_destination_is_a_string_or_a_uri() -> None:
    with pytest.raises(TypeError, match="expected a str or a URI, not int"):
        rewrite("[a](b)", "markdown", lambda _: 1)  # type: ignore[arg-type,return-value]
