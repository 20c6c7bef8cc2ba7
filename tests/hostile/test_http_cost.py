"""Request targets and header fields of a megabyte are parsed with linear cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from counting import assert_proportional

from uriverse import URIError
from uriverse.http import (
    Link,
    client_request,
    decode_ext_value,
    from_asgi,
    from_wsgi,
    parse_forwarded,
    parse_host,
    parse_links,
    parse_origin,
    redirect_target,
    request_target,
    x_forwarded,
)

#: Many times the longest header field that servers accept.
SIZE = 1_000_000

#: Pieces to repeat after a beginning, with an end.
INPUTS = {
    "links": ("", '<a>;b="c",', ""),
    "links without an end": ("", "<", ""),
    "parameters": ("<a>", ";b=c", ""),
    "parameters with a wrong end": ("<a>", ";b=c", ";"),
    "quoted pairs": ('<a>;b="', "\\b", '"'),
    "quoted pairs without an end": ('<a>;b="', "\\", ""),
    "an extended value in quotes": ("<a>;b*=\"UTF-8''", "\\c", '\x00"'),
    "triplets": ("<a>;b*=UTF-8''", "%41", "%4"),
    "spaces": ("<a>", " ", ";"),
    "commas": ("", ", ", ""),
    "elements": ("", "for=_a,", ""),
    "empty parameters": ("", ";", "a"),
    "addresses": ("", "192.0.2.1,", ""),
    "colons": ("[", ":", "]"),
    "ports": ("", "a:1:", ""),
    "digits": ("a:", "1", ""),
    "slashes": ("", "/", "^"),
    "origins": ("", "http://a ", "http://a"),
    "hash signs": ("/", "#", ""),
    "octets": ("/", "\u00e9", ""),
    "passwords": ("//a:", "b@", ""),
}


def numbered(count: int) -> str:
    return ";".join(f"a{number}=b" for number in range(count))


def actions() -> Iterator[tuple[str, Callable[[str], Any]]]:
    yield "links", lambda text: [str(link) for link in parse_links(text)]
    yield "forwarded", lambda text: [str(element) for element in parse_forwarded(text)]
    yield "x_forwarded", lambda text: list(x_forwarded(for_=text, proto=text, host=text))
    yield "trusted", lambda text: client_request("::1", text, scheme="http", host="a", hops=10**9)
    yield "target", lambda text: request_target("GET", text)
    yield "authority", lambda text: request_target("CONNECT", text)
    yield "host", parse_host
    yield "origin", parse_origin
    yield "location", lambda text: redirect_target("http://a/b#c", text)
    yield "ext_value", decode_ext_value
    yield "method", lambda text: request_target(text, "/")
    yield (
        "asgi",
        lambda text: from_asgi(
            {"type": "http", "method": "GET", "path": text, "headers": [(b"host", b"a")]}
        ),
    )
    yield (
        "wsgi",
        lambda text: from_wsgi(
            {
                "REQUEST_METHOD": "GET",
                "wsgi.url_scheme": "http",
                "PATH_INFO": text,
                "HTTP_HOST": text,
            }
        ),
    )


def repeated(name: str, size: int) -> str:
    before, unit, after = INPUTS[name]
    return before + unit * (size // len(unit)) + after


def ignoring_errors(action: Callable[[str], Any], text: str) -> None:
    with suppress(URIError):
        action(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("action", [pytest.param(act, id=name) for name, act in actions()])
def test_a_megabyte_is_parsed_in_seconds(action: Callable[[str], Any], name: str) -> None:
    # With quadratic cost, this would take minutes.
    ignoring_errors(action, repeated(name, SIZE))


@pytest.mark.parametrize("name", INPUTS)
@pytest.mark.parametrize("action", [pytest.param(act, id=name) for name, act in actions()])
def test_calls_and_memory_grow_linearly(action: Callable[[str], Any], name: str) -> None:
    assert_proportional(lambda size: ignoring_errors(action, repeated(name, size)))


def test_many_parameters_of_one_element_have_linear_cost() -> None:
    (element,) = parse_forwarded(numbered(50_000))
    assert len(element.extensions) == 50_000
    assert_proportional(lambda size: parse_forwarded(numbered(size)))
    assert_proportional(lambda size: parse_links(f"<a>;{numbered(size)}"))
    # The memory of shorter tuples comes from free lists, and is not counted.
    assert_proportional(lambda size: Link("a", (("rel", "b "),) * size).rel, 4000)


def test_many_trusted_hops_have_linear_cost() -> None:
    def request(size: int) -> object:
        field = ", ".join(["for=10.0.0.1"] * size)
        return client_request("::1", field, scheme="http", host="a", hops=size)

    assert_proportional(request, 200)
