"""Neither templates nor matches show secrets."""

from __future__ import annotations

from typing import Any

from uriverse.templates import Template


def test_the_repr_of_a_match_has_no_secrets() -> None:
    template: Any
    for template, uri, shown in [
        ("/a{?token}", "/a?token=s3cr3t", "Match({'token': 'REDACTED'})"),
        ("/a{?q*}", "/a?api_key=s3cr3t&b=c", "Match({'q': {'api_key': 'REDACTED', 'b': 'c'}})"),
        ("/a{/token*}", "/a/s3cr3t/s3cr3t", "Match({'token': ['REDACTED', 'REDACTED']})"),
        ("{+next}", "https://u:s3cr3t@h/", "Match({'next': 'https://u:REDACTED@h/'})"),
        ("https://{u}@h/{x}", "https://s3cr3t@h/y", "Match({'u': 'REDACTED', 'x': 'y'})"),
        ("/{x}@{y}", "/a@b", "Match({'x': 'a', 'y': 'b'})"),
        ("/a/{x}", "/a/me@b.c", "Match({'x': 'me@b.c'})"),
        ("/a", "/a?token=s3cr3t", "Match({}, extra='token=REDACTED')"),
    ]:
        assert repr(Template(template).match(uri)) == shown
    # Numbers are shown.
    assert repr(Template("/{x}", types={"x": int}).match("/7")) == "Match({'x': 7})"
    # The repr of a template has no secrets.
    template = Template("https://u:s3cr3t@h/{x}")
    assert repr(template) == "Template('https://u:REDACTED@h/{x}')"
    assert str(template) == "https://u:s3cr3t@h/{x}"
