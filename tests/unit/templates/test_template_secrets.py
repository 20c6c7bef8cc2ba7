"""Neither templates nor matches show secrets."""

from __future__ import annotations

import pytest

from uriverse.templates import Template


@pytest.mark.parametrize(
    ("template", "uri", "shown"),
    [
        ("/a{?token}", "/a?token=s3cr3t", "Match({'token': 'REDACTED'})"),
        ("/a{?q*}", "/a?api_key=s3cr3t&b=c", "Match({'q': {'api_key': 'REDACTED', 'b': 'c'}})"),
        ("/a{/token*}", "/a/s3cr3t/s3cr3t", "Match({'token': ['REDACTED', 'REDACTED']})"),
        ("{+next}", "https://u:s3cr3t@h/", "Match({'next': 'https://u:REDACTED@h/'})"),
        ("https://{u}@h/{x}", "https://s3cr3t@h/y", "Match({'u': 'REDACTED', 'x': 'y'})"),
        ("/{x}@{y}", "/a@b", "Match({'x': 'a', 'y': 'b'})"),
        ("/a/{x}", "/a/me@b.c", "Match({'x': 'me@b.c'})"),
        ("/a", "/a?token=s3cr3t", "Match({}, extra='token=REDACTED')"),
    ],
)
def test_the_repr_of_a_match_has_no_secrets(template: str, uri: str, shown: str) -> None:
    assert repr(Template(template).match(uri)) == shown


def test_numbers_are_shown() -> None:
    assert repr(Template("/{x}", types={"x": int}).match("/7")) == "Match({'x': 7})"


def test_the_repr_of_a_template_has_no_secrets() -> None:
    template = Template("https://u:s3cr3t@h/{x}")
    assert repr(template) == "Template('https://u:REDACTED@h/{x}')"
    assert str(template) == "https://u:s3cr3t@h/{x}"
