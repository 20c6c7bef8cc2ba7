"""Servers that clean a path before they remove its dot segments find no others than RFC 3986."""

import re
from collections.abc import Callable
from posixpath import normpath
from random import Random
from unicodedata import normalize
from urllib.parse import unquote

import pytest
from amounts import scaled

from uriverse import check
from uriverse._spec.resolution import remove_dot_segments
from uriverse.diagnosis._codes import GROUPS

PIECES = (
    *("/", "//", ".", "..", "/..", "/../", ";", ";a", "%3B", "%2e", "%252e", "%2F", "%5c", "%20"),
    *("a", "b", "/b", "/c/", "%EF%BC%8E", "%E2%80%A5", "%EF%BC%8F", "%09", "%c0%ae", "%25"),
    *("u002e", "%3f", "%00", "%E2%80%8B", "..;", "...", "%C2%A0"),
)  # fmt: skip

#: The steps that servers apply to a path before they remove its dot segments.
CLEANINGS: dict[str, Callable[[str], str]] = {
    "nginx decodes": unquote,
    "servlet containers strip parameters, then decode": lambda path: unquote(strip(path)),
    "servlet containers decode, then strip parameters": lambda path: strip(unquote(path)),
    "Windows decodes twice and treats backslashes as slashes": lambda path: unquote(
        unquote(path)
    ).replace("\\", "/"),
    "spaces are stripped": lambda path: "/".join(s.strip() for s in unquote(path).split("/")),
    "NFKC": lambda path: normalize("NFKC", unquote(path)),
    "C strings": lambda path: re.sub("\0[^/]*", "", unquote(path)),
}


def strip(path: str) -> str:
    return re.sub(";[^/]*", "", path)


def merged(path: str) -> str:
    """Return a path without empty segments at its start, in its middle and at its end."""
    return "/" + "/".join(segment for segment in path.split("/") if segment)


def paths() -> list[str]:
    random = Random(12)
    return [
        "/" + "".join(random.choices(PIECES, k=random.randint(1, 6))) for _ in range(scaled(20_000))
    ]


@pytest.mark.parametrize("server", CLEANINGS)
def test_servers_find_the_same_dot_segments_in_paths_without_findings(server: str) -> None:
    clean = CLEANINGS[server]
    compared = 0
    for path in paths():
        if not {f.code for f in check(f"http://a.example{path}")} & {*GROUPS["ambiguity"]}:
            compared += 1
            expected = merged(clean(remove_dot_segments(path)))
            assert normpath(merged(clean(path))) == expected, path
    assert compared > scaled(20_000) // 20
