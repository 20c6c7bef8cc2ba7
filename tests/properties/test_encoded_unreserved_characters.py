"""Typed URIs mean the same if unreserved characters are percent-encoded (RFC 3986, 2.3)."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import HTTPURI, URI, URN, DataURI, FileURI, MailtoURI, ParseError, TelURI, URIError
from uriverse._spec.percent import decode_unreserved_triplets
from uriverse._typed import list_typed_classes
from uriverse.testing import strategies  # noqa: F401, which registers the types
from uriverse.testing._components import find_examples

CLASSES: list[Any] = sorted(list_typed_classes(), key=str)

#: URIs with every construct of their scheme that a literal in the grammar marks.
EXAMPLES: dict[Any, tuple[str, ...]] = {
    DataURI: (
        *("data:;base64,WA==", "data:;BASE64,WA==", "data:text/plain;charset=utf-8;base64,WA=="),
        "data:text/html;Charset=utf-8;x=%22a%22,abc?d#f",
        "data:text/plain;charset=US-ASCII,a%20b",
    ),
    FileURI: (
        *("file:///c:/x/y", "file:/c:/x", "file:///Z%3A/x", "file:c:/x", "file://localhost/c:/a"),
        *("file:////server/share/x", "file://server/share/x", "file://127.0.0.1/share/x"),
        "file:///etc/hosts#f",
    ),
    HTTPURI: (
        *("http://a.example:80/b/c?d=e#f", "https://u:p@host/", "http://127.0.0.1/"),
        "http://www.example.co.uk/a",
    ),
    MailtoURI: (
        "mailto:a@b.example,c@d.example?subject=x&cc=e@f.example&body=hi%0D%0Ab",
        "mailto:?to=a@b.example&Subject=q&in-reply-to=%3Ca@b%3E",
        *("mailto:%22ab%22@example.org?keywords=a", "mailto:a+b@%5B192.0.2.1%5D"),
    ),
    TelURI: (
        *("tel:+1-201-555-0123;ext=12;isub=ab;x-foo=bar", "tel:7042;phone-context=example.com"),
    ),
    URN: ("urn:example:a-b?+r=1?=q=2#f",),
}

#: The methods of typed URIs that return a part in another form.
METHODS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "text": ((),),
    "to_posix": ((),),
    "to_posix_bytes": ((),),
    "to_windows": ((),),
    "comparison_key": ((),),
    "request_target": (("origin",), ("absolute",), ("authority",), ("asterisk",)),
}

#: The rules of RFC 3966, RFC 8089 and RFC 8141 that allow no percent-encoding, so that the encoded
#: URI is rejected.
LITERAL = {
    "NID",
    "path-absolute",  # after a drive letter without a slash before it, as in file:c:/x
    *("descriptor", "extension", "global-number-digits", "local-number-digits", "pname"),
}

UNRESERVED = re.compile(r"%[0-9A-Fa-f]{2}|([A-Za-z0-9._~-])")


def encoded(text: str) -> Iterator[str]:
    """Encode each unreserved character of a URI, then all of them, where the URI stays the same."""
    colon = text.index(":") + 1
    places = [found.start(1) for found in UNRESERVED.finditer(text, colon) if found[1]]
    for chosen in (*([place] for place in places), places):
        for form in ("%{:02X}", "%{:02x}"):
            changed = "".join(
                form.format(ord(character)) if place in chosen else character
                for place, character in enumerate(text)
            )
            uri = URI.try_parse(changed)
            if uri is not None and uri.normalize() == URI(text).normalize():
                yield changed


def same_form(answer: object) -> object:
    """Decode the unreserved characters in a property that is text as written."""
    if isinstance(answer, str):
        return decode_unreserved_triplets(answer)
    if isinstance(answer, URI):
        return answer.normalize()
    if isinstance(answer, Mapping):
        return {same_form(name): same_form(value) for name, value in answer.items()}
    if isinstance(answer, list | tuple):
        return [same_form(each) for each in answer]
    return answer


def attempt(ask: Callable[[], object]) -> object:
    try:
        return same_form(ask())
    except URIError as error:
        return type(error), error.rule


def answers(value: Any) -> dict[str, object]:
    """Return the properties that a typed URI adds to those of `URI`, and results of its methods."""
    found: dict[str, object] = {}
    for name, member in inspect.getmembers(type(value)):
        if isinstance(member, property) and not (name.startswith("_") or hasattr(URI, name)):
            found[name] = attempt(lambda: getattr(value, name))  # noqa: B023
        for given_words in METHODS.get(name, ()):
            found[f"{name}{given_words}"] = attempt(lambda: member(value, *given_words))  # noqa: B023
    return found


def assert_the_same_if_encoded(kind: Any, text: str) -> None:
    expected = answers(kind(text))
    for changed in encoded(text):
        try:
            found = kind(changed)
        except ParseError as error:
            rejected = error.rule
        else:
            assert answers(found) == expected, changed
            continue
        assert rejected in LITERAL, changed


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (kind, text)
        for kind in CLASSES
        for text in dict.fromkeys([*EXAMPLES.get(kind, ()), *find_examples(kind)])
    ],
)
def test_encoding_unreserved_characters_changes_no_property(kind: Any, text: str) -> None:
    assert_the_same_if_encoded(kind, text)


@given(st.one_of([st.from_type(kind) for kind in CLASSES]))
def test_encoding_unreserved_characters_of_any_typed_uri_changes_no_property(value: Any) -> None:
    text = str(value)
    if len(text) < 100:
        assert_the_same_if_encoded(type(value), text)
