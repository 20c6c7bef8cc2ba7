from __future__ import annotations

import ast
import copy
import pickle
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse, urlsplit

import pytest

import uriverse
from uriverse import IRI, URI, IRIReference, Params, URIReference
from uriverse._uri.foreign_names import PARAMS, SEGMENTS, URIS, strip_parentheses

if TYPE_CHECKING:
    from uriverse._uri.foreign_names import Rows

VALUES = (URI("http://a/b"), URIReference("a"), IRI("http://é/"), IRIReference("é"))


class OwnURI(URI):
    """A subclass with an attribute that has a foreign name."""

    geturl = "own"


@pytest.mark.parametrize("value", [*VALUES, OwnURI("a:b")], ids=repr)
def test_the_error_for_a_foreign_name_says_what_to_use(value: Any) -> None:
    with pytest.raises(AttributeError) as caught:
        _ = value.netloc
    kind = type(value).__name__
    use = "use 'authority' or 'without_userinfo().authority'"
    assert str(caught.value) == f"{kind!r} object has no attribute 'netloc'; {use}"
    assert (caught.value.name, caught.value.obj) == ("netloc", value)


def test_params_and_segments_answer_too() -> None:
    for value, name, use in [
        (Params("a=1"), "getlist", "getall"),
        (URI("a:b").segments, "isdir", "has_trailing_slash"),
        (URI("a:b"), "geturl", "str(uri)"),
    ]:
        with pytest.raises(AttributeError, match=re.escape(f"; use {use!r}")):
            getattr(value, name)


@pytest.mark.parametrize("name", ["nothing", "__array__", "__fspath__", "_private"])
@pytest.mark.parametrize("value", [*VALUES, Params("a"), URI("a:b").segments], ids=repr)
def test_other_names_have_the_usual_error(value: object, name: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(value, name)
    assert str(caught.value) == f"{type(value).__name__!r} object has no attribute {name!r}"
    assert (caught.value.name, caught.value.obj) == (name, value)


@pytest.mark.parametrize("value", [URI("a:b"), URI("a:b").params, URI("a:b").segments], ids=type)
def test_foreign_names_are_not_listed(value: object) -> None:
    names = {"netloc", "url", "query_params", "getlist", "update", "isdir"}
    assert not names & set(dir(value))
    assert not [name for name in names if hasattr(value, name) or hasattr(type(value), name)]


def test_an_own_attribute_with_a_foreign_name_is_listed() -> None:
    assert "geturl" in dir(OwnURI("a:b"))
    assert "netloc" not in dir(OwnURI("a:b"))


def public_names(value: object, base: type) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")} - set(dir(base))


def members() -> Iterator[tuple[str, object, Rows, str]]:
    """Yield the public names of URL types of other libraries, and the type that answers them."""
    yarl, httpx, furl = map(pytest.importorskip, ("yarl", "httpx", "furl"))
    text = "http://user@example.org/a?b=c#d"
    urls = [
        *((yarl.URL(text), object), (httpx.URL(text), object), (furl.furl(text), object)),
        *((urlsplit(text), tuple), (urlparse(text), tuple)),
    ]
    for value, base in urls:
        for name in public_names(value, base):
            yield f"{type(value).__name__}.{name}", URI, URIS, name
    for name in public_names(httpx.QueryParams(), object):
        yield f"QueryParams.{name}", Params, PARAMS, name
    for name in public_names(yarl.URL(text).query, object):
        yield f"MultiDictProxy.{name}", Params, PARAMS, name


def test_every_public_name_of_other_libraries_exists_or_is_answered() -> None:
    missing = [
        found
        for found, kind, rows, name in members()
        if name not in dir(kind) and name not in {strip_parentheses(row[0]) for row in rows}
    ]
    assert missing == []


@pytest.mark.parametrize("row", [*URIS, *PARAMS, *SEGMENTS], ids=lambda row: row[0])
def test_what_to_use_exists(row: tuple[str, str, str]) -> None:
    uri = URI("http://user@example.org/a/?b=c#d")
    owner = uri if row in URIS else uri.params if row in PARAMS else uri.segments
    scope: dict[str, object] = {
        "uri": uri,
        "params": uri.params,
        "segments": uri.segments,
        "base": uri,
    }
    scope |= {name: getattr(uriverse, name) for name in uriverse.__all__}
    scope |= {"name": "b", "text": str(uri)}
    code = ast.parse(row[1], mode="eval")
    if {node.id for node in ast.walk(code) if isinstance(node, ast.Name)} <= {*scope, "str"}:
        eval(row[1], scope)
    else:
        assert hasattr(owner, re.split(r"\W", row[1])[0])


def test_an_own_attribute_of_a_subclass_wins() -> None:
    assert OwnURI("a:b").geturl == "own"


class Mixin:
    """Attributes with foreign names."""

    url = "of the class"

    @property
    def geturl(self) -> str:
        return f"of {self}"


class MixedURI(URI, Mixin):
    """A subclass whose other base class comes after `URI`."""

    @property
    def netloc(self) -> Any:
        return getattr(super(), "netloc")  # noqa: B009  # type checkers know that it is missing


def test_an_attribute_of_another_base_class_wins() -> None:
    value = MixedURI("a:b")
    assert (value.url, MixedURI.url, value.geturl) == ("of the class", "of the class", "of a:b")
    assert MixedURI.geturl is Mixin.geturl
    with pytest.raises(AttributeError, match="'MixedURI' object has no attribute 'netloc'; use"):
        _ = value.netloc


def test_copies_and_pickles_of_a_subclass_work() -> None:
    value = OwnURI("http://a/b")
    for made in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert (type(made), made) == (OwnURI, value)
