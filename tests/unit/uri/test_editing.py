import copy
import inspect
import pickle
import pydoc
import re
from collections.abc import Callable
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from unittest.mock import create_autospec

import pytest

from uriverse import IRI, URI, BuildError, IRIReference, Params, URIReference, _engine, parse

#: A renderer without bold letters; the type stubs of `pydoc` do not have it.
PLAIN: Any = vars(pydoc)["plaintext"]

Calls = tuple[Callable[[], object], ...]

KINDS = (IRIReference, IRI, URIReference, URI)

#: The methods that the kernel calls without a Python function, each with a valid argument.
FAST = {
    "with_scheme": "x",
    "with_userinfo": "x",
    "with_username": "x",
    "with_password": "x",
    "with_host": "x",
    "with_port": 80,
    "with_path": "/x",
    "with_query": "x",
    "with_fragment": "x",
}
FULL = URI("http://u:p@h:1/a?q#f")


@pytest.mark.parametrize(
    ("part", "text", "data", "userinfo"),
    [
        *(("username", "//h", data, data) for data in ("x", "", None)),
        *(("username", "//u@h", "x", "x"), ("username", "//u@h", None, None)),
        *(("username", "//u:@h", "x", "x:"), ("username", "//u:p:q@h", "x", "x:p:q")),
        ("username", "//u:%70@h", "x:y@z/%", "x%3Ay%40z%2F%25:%70"),
        *(("username", "//u:p@h", "", ":p"), ("username", "//u:p@h", None, None)),
        *(("username", "//:p@h", "x", "x:p"), ("username", "//@h", b"\xff", "%FF")),
        *(("username", "//u@h", "\udcff", "%FF"), ("username", "//u:p@h", "é", "%C3%A9:p")),
        *(("username", "//u:p@é", "é", "é:p"), ("username", "//é:ü@h", "x", "x:ü")),
        ("username", "//u@h", "x" * 300, "x" * 300),
        *(("username", "//u@h", ":" * 300, "%3A" * 300), ("password", "//h", "x", ":x")),
        *(("password", "//h", "", ":"), ("password", "//h", None, None)),
        *(("password", "//u@h", "x:y@z", "u:x%3Ay%40z"), ("password", "//u@h", None, "u")),
        *(("password", "//u:p@h", "", "u:"), ("password", "//u:p:q@h", "x", "u:x")),
        *(("password", "//u:p@h", None, "u"), ("password", "//%75:p@h", "x", "%75:x")),
        *(("password", "//:p@h", None, ""), ("password", "//u@h", b"\xff", "u:%FF")),
        *(("password", "//u@h", "é", "u:%C3%A9"), ("password", "//é@h", "ü", "é:ü")),
        ("password", "//u@h", "x" * 300, "u:" + "x" * 300),
    ],
)
def test_the_user_name_and_the_password_are_edited_apart(
    part: str, text: str, data: Any, userinfo: str | None
) -> None:
    before = parse(text)
    edit = getattr(before, f"with_{part}")
    after = edit(data)
    assert after.userinfo == userinfo
    assert (after.host, type(after)) == (before.host, type(before))
    assert (after is before) is (userinfo == before.userinfo)
    assert edit(**{part: data}) == before.replace(**{part: data}) == after
    assert getattr(after, f"with_{part}")(getattr(after, part)) is after


@pytest.mark.parametrize("kind", KINDS)
def test_without_userinfo_removes_user_name_and_password(kind: type[IRIReference]) -> None:
    for userinfo in ("u:p@", "u@", "@", ""):
        value = kind(f"http://{userinfo}h:1/a?q#f")
        assert str(value.without_userinfo()) == "http://h:1/a?q#f"
        assert type(value.without_userinfo()) is kind
    value = kind("urn:a:b")
    assert value.without_userinfo() is value


@pytest.mark.parametrize("kind", KINDS)
def test_query_and_fragment_are_removed_with_their_delimiters(kind: type[IRIReference]) -> None:
    for query, fragment in (("?q", "#f"), ("?", "#"), ("", "#?f"), ("?q?", "")):
        value = kind(f"http://h/a{query}{fragment}")
        assert str(value.without_query()) == f"http://h/a{fragment}"
        assert str(value.without_fragment()) == f"http://h/a{query}"
        assert type(value.without_query()) is type(value.without_fragment()) is kind
    value = kind("urn:a:b")
    assert value.without_query() is value.without_fragment() is value


@pytest.mark.parametrize("part", ["username", "password"])
def test_a_user_name_or_a_password_needs_a_host(part: str) -> None:
    data: dict[str, Any] = {part: "x"}
    calls: Calls = (
        lambda: getattr(URI("urn:a"), f"with_{part}")("x"),
        lambda: URI("urn:a").replace(**data),
        lambda: URI.build(scheme="urn", path="a", **data),
    )
    for call in calls:
        with pytest.raises(BuildError, match="userinfo without a host"):
            call()
    assert str(URIReference.build(host="", username="x")) == "//x@"


@pytest.mark.parametrize("part", ["username", "password"])
@pytest.mark.parametrize("wrong", [1, ["a"], URI("a:b"), bytearray(b"a")])
def test_user_names_and_passwords_are_str_or_bytes(part: str, wrong: Any) -> None:
    calls: Calls = (
        lambda: getattr(FULL, f"with_{part}")(wrong),
        lambda: FULL.replace(**{part: wrong}),
        lambda: URI.build(scheme="a", host="b", **{part: wrong}),
    )
    for call in calls:
        with pytest.raises(TypeError, match=f"^{part} must be a str or bytes, not "):
            call()
    with pytest.raises(BuildError) as caught:
        getattr(FULL, f"with_{part}")("secret\ud800")
    assert (caught.value.component, caught.value.position) == ("userinfo", 6)
    assert "secret" not in str(caught.value) or part == "username"


@pytest.mark.parametrize("length", range(252, 260))
def test_user_names_and_passwords_around_the_size_of_a_buffer_are_kept(length: int) -> None:
    long = "a" * length
    assert str(URIReference(f"//{long}@h").with_password("p")) == f"//{long}:p@h"
    assert str(URIReference(f"//{long}:@h").with_username("u")) == "//u:@h"
    assert str(URIReference(f"//u:{long}@h").with_username("v")) == f"//v:{long}@h"
    assert str(URIReference("//u@h").with_password(long)) == f"//u:{long}@h"


def test_build_and_replace_accept_user_password_params_and_segments() -> None:
    made = URI.build(
        scheme="ftp",
        host="h",
        username="a:b",
        password="c@d",
        segments=["", "e/f"],
        params={"g": "h i"},
    )
    assert str(made) == "ftp://a%3Ab:c%40d@h/e%2Ff?g=h+i"
    assert str(made.replace(username=None, password="x")) == "ftp://:x@h/e%2Ff?g=h+i"
    assert str(made.replace(username=None, params=None)) == "ftp://h/e%2Ff"
    assert str(made.replace(params=[("a", 1), ("a", 2)], segments=["", "z"])).endswith(
        "h/z?a=1&a=2"
    )
    assert str(URI.build(scheme="a", host="b", password="p")) == "a://:p@b"
    assert str(IRI.build(scheme="a", host="b", username="é", params={})) == "a://é@b"
    assert str(URI.build(scheme="a", host="b", username="é")) == "a://%C3%A9@b"


@pytest.mark.parametrize(
    ("arguments", "both"),
    [
        ({"userinfo": "a", "username": "b"}, "userinfo cannot be combined with username"),
        ({"userinfo": "a", "password": "b"}, "userinfo cannot be combined with "),
        ({"authority": "a", "username": "b"}, "authority cannot be combined with "),
        ({"authority": "a", "password": "b"}, "authority cannot be combined with "),
        ({"query": "a", "params": {"b": "c"}}, "query cannot be combined with params"),
        ({"path": "a", "segments": ["b"]}, "path cannot be combined with segments"),
    ],
)
def test_two_arguments_for_one_component_are_rejected(arguments: dict[str, Any], both: str) -> None:
    host: dict[str, Any] = {} if "authority" in arguments else {"host": "h"}
    calls: Calls = (
        lambda: FULL.replace(**arguments),
        lambda: URI.build(scheme="a", **host, **arguments),
    )
    for call in calls:
        with pytest.raises(TypeError, match=f"^{both}"):
            call()


def test_build_and_replace_reject_positional_and_unknown_arguments() -> None:
    calls: dict[str, Any] = {"replace": FULL.replace, "build": URI.build}
    for name, call in calls.items():
        with pytest.raises(TypeError, match="positional argument"):
            call("a", scheme="b")
        with pytest.raises(TypeError, match=rf"{name}\(\) got an unexpected .* argument 'hots'"):
            call(hots="a")


@pytest.mark.parametrize("others", [{}, {"host": ""}, {"scheme": None}, {"query": "q"}])
def test_replace_does_not_accept_none_as_a_path(others: dict[str, Any]) -> None:
    uri: Any = URIReference("a:/")
    with pytest.raises(TypeError, match="path must be a str, not NoneType"):
        uri.replace(path=None, **others)


@pytest.mark.parametrize(
    ("host", "text"),
    [
        *(("::1", "[::1]"), ("[::1]", "[::1]"), ("2001:DB8::A", "[2001:DB8::A]")),
        *(("::ffff:1.2.3.4", "[::ffff:1.2.3.4]"), (IPv6Address("::1"), "[::1]")),
        *((IPv4Address("1.2.3.4"), "1.2.3.4"), (ip_address("2001:db8::1"), "[2001:db8::1]")),
        *(("1.2.3.4", "1.2.3.4"), ("", "")),
    ],
)
def test_ip_addresses_get_brackets_if_they_need_them(host: Any, text: str) -> None:
    for made in (
        *(FULL.with_host(host), FULL.with_host(host=host), FULL.replace(host=host)),
        *(URI.build(scheme="a", host=host), URIReference("/a").with_host(host)),
    ):
        assert made.host == text
    if not isinstance(host, str):
        assert FULL.with_host(host).ip == host


@pytest.mark.parametrize(
    "host",
    [
        *("a:1", "::1:::", ":::", "1:2:3", "[::1", "::1]", "fe80::1%eth0", "a:b", "[::1]:1"),
        *("a/b", "a?b", "a#b", "a@b", "a\\b", "::1%1", "a b", "%", "\0"),
    ],
)
def test_other_hosts_with_delimiters_are_rejected(host: str) -> None:
    calls: Calls = (lambda: FULL.with_host(host), lambda: URI.build(scheme="a", host=host))
    for call in calls:
        with pytest.raises(BuildError) as caught:
            call()
        assert (caught.value.component, caught.value.text) == ("host", host)


@pytest.mark.parametrize(
    ("host", "error", "reason"),
    [
        (IPv6Address("fe80::1%eth0"), BuildError, "RFC 9844 obsoletes the syntax of RFC 6874"),
        *((host, TypeError, "^host must be a str or an IP") for host in (1, b"a", ["a"], FULL)),
    ],
)
def test_other_objects_than_strings_and_addresses_are_no_hosts(
    host: Any, error: type[Exception], reason: str
) -> None:
    calls: Calls = (lambda: FULL.with_host(host), lambda: URI.build(scheme="a", host=host))
    for call in calls:
        with pytest.raises(error, match=reason):
            call()


@pytest.mark.parametrize("kind", [URI, IRI])
@pytest.mark.parametrize(
    ("component", "value", "position", "rule"),
    [
        *(("scheme", "a b", 1, "scheme"), ("userinfo", "a@", 1, "userinfo")),
        *(("host", "a b", 1, "reg-name"), ("port", "1x", 1, "port")),
        *(("path", "/a b", 2, "path-abempty"), ("query", "a#", 1, "query")),
        ("fragment", "#", 0, "fragment"),
    ],
)
def test_the_error_of_an_invalid_component_names_it_and_its_rule(
    kind: type[IRI], component: str, value: str, position: int, rule: str
) -> None:
    parts: dict[str, Any] = {"scheme": "a", "host": "b", "path": ""} | {component: value}
    with pytest.raises(BuildError) as caught:
        kind.build(**parts)
    if kind is IRI and rule not in ("scheme", "port"):
        rule = f"i{rule}"
    found = caught.value
    assert (found.component, found.position, found.rule) == (component, position, rule)


@pytest.mark.parametrize("kind", KINDS)
def test_a_constructor_returns_a_value_of_the_same_type_itself(kind: type[IRIReference]) -> None:
    value = kind("http://a/b")
    assert kind(value) is value
    for other in KINDS:
        if other is not kind:
            assert type(other(value)) is other


@cache
def describe_class() -> tuple[str, Any]:
    return pydoc.render_doc(URI, renderer=PLAIN), create_autospec(URI)


@pytest.mark.parametrize("name", FAST)
def test_methods_have_signatures_and_documentation(name: str) -> None:
    method = getattr(URI, name)
    argument = name.removeprefix("with_")
    assert list(inspect.signature(method).parameters)[:2] == ["self", argument]
    assert next(iter(inspect.signature(getattr(FULL, name)).parameters)) == argument
    assert method.__doc__.startswith("Return a copy of the URI with ")
    assert getattr(FULL, name).__doc__ == method.__doc__
    assert (method.__name__, method.__qualname__) == (name, f"IRIReference.{name}")
    assert method.__module__ == "uriverse"
    assert inspect.isroutine(method)
    assert f"function IRIReference.{name} at " in repr(method)
    documentation, mock = describe_class()
    # Python 3.14 also shows the annotation of `self`.
    assert re.search(rf"{name}\(self(: [^,]+)?, {argument}: ", documentation)
    assert getattr(mock, name)


@pytest.mark.parametrize("name", FAST)
def test_methods_survive_pickling_and_copying(name: str) -> None:
    method = getattr(URI, name)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(method, protocol)) is method
        bound = pickle.loads(pickle.dumps(getattr(FULL, name), protocol))
        assert bound(FAST[name]) == getattr(FULL, name)(FAST[name])
    assert copy.copy(method) is method
    assert copy.deepcopy(method) is method


@pytest.mark.parametrize("name", FAST)
def test_methods_accept_their_argument_in_every_way(name: str) -> None:
    argument = name.removeprefix("with_")
    new = FAST[name]
    method = getattr(URI, name)
    edited = getattr(FULL, name)(new)
    assert edited != FULL
    assert getattr(FULL, name)(**{argument: new}) == edited
    assert method(FULL, new) == method(FULL, **{argument: new}) == edited
    assert method(self=FULL, **{argument: new}) == edited
    assert method.__get__(FULL, URI)(new) == method.__get__(FULL)(new) == edited
    assert method.__get__(None, URI) is method
    assert list(map(getattr(FULL, name), [new])) == [edited]


@pytest.mark.parametrize("name", FAST)
def test_wrong_arguments_raise_a_type_error_that_names_the_method(name: str) -> None:
    argument = name.removeprefix("with_")
    bound, method = getattr(FULL, name), getattr(URI, name)
    public = rf"\b{name}\(\) "
    with pytest.raises(TypeError, match=rf"{public}(missing 1|takes exactly 2) .*argument"):
        bound()
    with pytest.raises(TypeError, match=rf"{public}(missing 2|takes exactly 2) .*argument"):
        method()
    with pytest.raises(TypeError, match=rf"{public}takes .*2 positional arguments .*3"):
        bound("a", "b")
    with pytest.raises(TypeError, match=rf"{public}got an unexpected keyword argument 'other'"):
        bound("a", other="b")
    with pytest.raises(TypeError, match=rf"{public}got multiple values .*'{argument}'"):
        bound("a", **{argument: "b"})
    for wrong in (1.5, [1], object(), URI("a:b")):
        with pytest.raises(TypeError, match=rf"^{argument} must be an? .*, not "):
            bound(wrong)


@pytest.mark.parametrize("name", FAST)
@pytest.mark.parametrize("foreign", [3, None, "http://a/b", object(), URI])
def test_calls_on_other_objects_raise_an_error(name: str, foreign: Any) -> None:
    method = getattr(URI, name)
    # Without the kernel, the method is a Python function, which accepts any `self`.
    error = TypeError if _engine.compiled else (TypeError, AttributeError)
    calls: Calls = (lambda: method(foreign, FAST[name]), lambda: method(foreign))
    for call in calls:
        with pytest.raises(error):
            call()
    if _engine.compiled:
        with pytest.raises(TypeError, match=r"'self' (has incorrect type|must not be None)"):
            method(foreign, "a")


class Pretender:
    """An object that claims to be a URI, as a mock does."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return URI


@pytest.mark.parametrize("foreign", ["http://a/b", 3, None, object(), Pretender(), Params("a")])
def test_methods_of_the_kernel_reject_other_objects(foreign: Any) -> None:
    # The reference implementation consists of Python functions, which accept any `self`.
    error = TypeError if _engine.compiled else (TypeError, AttributeError)
    calls: Calls = (
        lambda: URI.resolve(foreign, "http://a/"),
        lambda: URI.relative_to(foreign, "http://a/"),
        lambda: URI.relative_form(foreign),
        lambda: URI.__reduce__(foreign),
        lambda: Params.get(URI("a:b"), "a"),  # type: ignore[call-overload]
        lambda: Params.getall(URI("a:b"), "a"),  # type: ignore[call-overload]
    )
    for call in calls:
        with pytest.raises(error):
            call()
    if _engine.compiled:
        with pytest.raises(TypeError, match="requires Identifier as self, not"):
            URI.__format__(foreign, "")


def test_build_accepts_addresses_and_reads_iterators_once() -> None:
    built = URI.build(scheme="http", host=ip_address("::1"), path="/a", protect_path=True)
    assert str(built) == "http://[::1]/a"
    pairs, segments = iter([("q", 1), ("q", 2)]), iter(["", "a b"])
    built = URI.build(scheme="http", host=ip_address("::1"), segments=segments, params=pairs)
    assert str(built) == "http://[::1]/a%20b?q=1&q=2"
