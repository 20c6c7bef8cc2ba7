from collections.abc import Callable
from typing import Any

import pytest

from uriverse import URIError
from uriverse.http import (
    AbsoluteForm,
    AuthorityForm,
    ForwardedElement,
    HostField,
    Link,
    Node,
    OriginField,
    OriginForm,
    client_request,
    decode_ext_value,
    effective_uri,
    encode_ext_value,
    parse_forwarded,
    parse_host,
    parse_links,
    parse_origin,
    redirect_target,
    request_target,
    x_forwarded,
)


class Text(str):
    """A subclass of `str`, like those of Django and MarkupSafe."""

    __slots__ = ()


#: Functions, with a valid and an invalid string.
FUNCTIONS: list[tuple[Callable[[Any], Any], str, str]] = [
    *((OriginForm, "/a", "/a b"), (AbsoluteForm, "http://a/", "http://a b/")),
    *((AuthorityForm, "a:80", "a/:80"), (HostField, "a", "a/b"), (Node, "unknown", "192.0.2.256")),
    *((OriginField, "http://a", "a"), (Link, "/a", "a b")),
    (lambda text: Link("/a", (("title", text),)), "b", "b\n"),
    (lambda text: Link("/a", ((text, "b"),)), "c", "C"),
    (lambda text: ForwardedElement(host=text), "a", "a/b"),
    (lambda text: ForwardedElement(proto=text), "http", "a b"),
    *((decode_ext_value, "UTF-8''a", "UTF-8''%"), (encode_ext_value, "a", "\ud800")),
    (lambda text: encode_ext_value("a", text), "en", "e n"),
    (lambda text: request_target(text, "/"), "GET", "G T"),
    (lambda text: effective_uri(OriginForm("/"), "a", scheme=text), "http", "ftp"),
    (lambda text: client_request(None, (), scheme="http", host=text), "a", "a/b"),
    *((parse_host, "a", "a/b"), (parse_origin, "null", "a"), (parse_links, "</a>", "<a")),
    (parse_forwarded, "for=_a", "for=a"),
    (lambda text: list(x_forwarded(for_=text)), "_a", "a"),
    (lambda text: redirect_target("http://a/", text), "/b", "/ b"),
    (lambda text: request_target("GET", text), "/a", "a b"),
]


@pytest.mark.parametrize(("function", "valid", "invalid"), FUNCTIONS)
def test_a_subclass_of_str_means_the_same_as_its_text(
    function: Callable[[Any], Any], valid: str, invalid: str
) -> None:
    assert function(Text(valid)) == function(valid)
    with pytest.raises(URIError) as expected:
        function(invalid)
    with pytest.raises(URIError) as caught:
        function(Text(invalid))
    assert str(caught.value).encode("utf-8", "replace") == str(expected.value).encode(
        "utf-8", "replace"
    )
    assert type(caught.value.text) is str


@pytest.mark.parametrize("value", [None, 5])
@pytest.mark.parametrize(("function", "valid", "invalid"), FUNCTIONS)
def test_other_types_raise_a_type_error(
    function: Callable[[Any], Any], valid: str, invalid: str, value: Any
) -> None:
    try:
        function(value)
    except TypeError:
        return
    # Some arguments may be `None`.
    assert value is None
