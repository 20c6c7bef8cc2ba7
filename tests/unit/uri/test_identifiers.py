"""`uriverse._uri`: the four types, their attributes and their editing methods."""

from __future__ import annotations

import copy
import gc
import inspect
import operator
import pickle
import subprocess
import sys
import threading
import weakref
from enum import IntEnum
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address
from typing import Any

import pytest

from uriverse import (
    IRI,
    URI,
    BuildError,
    IRIReference,
    ParseError,
    URIReference,
    parse,
)
from uriverse._uri import engine

KINDS = (IRIReference, IRI, URIReference, URI)
FULL = "http://user:pass@example.org:8080/a/b?c=d#e"


# --- types


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("http://a/b", URI),
        ("//a/b", URIReference),
        ("", URIReference),
        ("http://a/é", IRI),
        ("//é", IRIReference),
        ("x:?\ue000", IRI),
    ],
)
def test_parse_returns_the_narrowest_type(text: str, kind: type[IRIReference]) -> None:
    assert type(parse(text)) is kind
    for other in KINDS:
        assert (other.try_parse(text) is not None) == issubclass(kind, other)


def test_the_class_hierarchy_matches_the_grammars() -> None:
    assert URI.__mro__[:4] == (URI, IRI, URIReference, IRIReference)
    assert not issubclass(IRI, URIReference)
    assert not issubclass(URIReference, IRI)
    assert not any(issubclass(kind, str) for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_constructors_and_edits_return_their_own_type(kind: type[IRIReference]) -> None:
    assert type(kind("http://a/b")) is kind
    assert type(kind.try_parse("http://a/b")) is kind
    assert type(kind.build(scheme="http", host="a")) is kind
    assert type(kind("http://a/b").with_query("c")) is kind


@pytest.mark.parametrize("kind", KINDS)
def test_constructors_accept_other_identifiers(kind: type[IRIReference]) -> None:
    for other in KINDS:
        assert type(kind(other("a:b"))) is kind
        assert str(kind(other("a:b"))) == "a:b"
    assert kind.try_parse(IRIReference("a:b")) == IRIReference("a:b")
    assert type(parse(IRIReference("a:b"))) is URI
    assert engine.is_uri(IRIReference("a:b"))


def test_narrow_types_reject_values_of_wider_types() -> None:
    with pytest.raises(ParseError):
        URI(IRI("a:é"))
    assert URI.try_parse(IRIReference("a")) is None


@pytest.mark.parametrize("kind", KINDS)
def test_constructors_take_one_positional_argument(kind: type[IRIReference]) -> None:
    with pytest.raises(TypeError):
        kind(text="a:b")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        kind()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        kind("a:b", "c")  # type: ignore[call-arg]


@pytest.mark.parametrize("text", [FULL, "http://a", "//@a:?#", "a:b", ""])
def test_edits_that_change_nothing_return_the_same_object(text: str) -> None:
    value = IRIReference(text)
    for name in ("scheme", "path", "query", "fragment"):
        assert getattr(value, f"with_{name}")(getattr(value, name)) is value
    if value.host is not None:
        assert value.with_userinfo(value.userinfo) is value
        assert value.with_host(value.host) is value
        assert value.with_port(value.port_text) is value


# --- attributes


def test_a_uri_with_all_components_has_all_attributes() -> None:
    uri = URI(FULL)
    assert (uri.scheme, uri.authority) == ("http", "user:pass@example.org:8080")
    assert (uri.userinfo, uri.host, uri.port_text) == ("user:pass", "example.org", "8080")
    assert (uri.path, uri.query, uri.fragment) == ("/a/b", "c=d", "e")
    assert (uri.username, uri.password, uri.hostname) == ("user", "pass", "example.org")
    assert (uri.port, uri.has_port, uri.host_kind, uri.ip) == (8080, True, "reg-name", None)
    assert (list(uri.segments), uri.raw_segments) == (["", "a", "b"], ("", "a", "b"))
    assert (uri.is_relative, uri.is_absolute) == (False, False)
    assert uri.with_fragment(None).is_absolute


def test_the_empty_reference_has_only_an_empty_path() -> None:
    empty = URIReference("")
    for name in [
        "scheme",
        "authority",
        "userinfo",
        "host",
        "port_text",
        "query",
        "fragment",
        "username",
        "password",
        "hostname",
        "port",
        "host_kind",
        "ip",
    ]:
        assert getattr(empty, name) is None
    assert (empty.path, list(empty.segments), empty.raw_segments) == ("", [], ())
    assert (empty.is_relative, empty.is_absolute, empty.has_port) == (True, False, False)


@pytest.mark.parametrize(
    ("host", "kind", "hostname", "ip"),
    [
        ("a", "reg-name", "a", None),
        ("", "reg-name", "", None),
        ("EXAMPLE.Org", "reg-name", "example.org", None),
        ("1.2.3.4", "IPv4address", "1.2.3.4", IPv4Address("1.2.3.4")),
        ("255.255.255.255", "IPv4address", "255.255.255.255", IPv4Address("255.255.255.255")),
        ("1.2.3.256", "reg-name", "1.2.3.256", None),
        ("1.2.3.04", "reg-name", "1.2.3.04", None),
        ("1.2.3.4.5", "reg-name", "1.2.3.4.5", None),
        ("1.2.3", "reg-name", "1.2.3", None),
        ("[::]", "IPv6address", "::", IPv6Address("::")),
        ("[2001:DB8::A]", "IPv6address", "2001:db8::a", IPv6Address("2001:db8::a")),
        ("[1:2:3:4:5:6:7::]", "IPv6address", "1:2:3:4:5:6:7::", IPv6Address("1:2:3:4:5:6:7:0")),
        ("[::1.2.3.4]", "IPv6address", "::1.2.3.4", IPv6Address("::1.2.3.4")),
        ("[v1.A:b]", "IPvFuture", "v1.a:b", None),
        ("[V1.A]", "IPvFuture", "v1.a", None),
    ],
)
def test_host_kind_hostname_and_ip_describe_the_host(
    host: str, kind: str, hostname: str, ip: IPv4Address | IPv6Address | None
) -> None:
    uri = URI(f"x://{host}")
    assert (uri.host, uri.host_kind, uri.hostname, uri.ip) == (host, kind, hostname, ip)


def test_hostname_lowercases_ascii_letters_only() -> None:
    assert IRI("x://ÄA\u212a\u0130").hostname == "Äa\u212a\u0130"


@pytest.mark.parametrize(
    ("text", "port"), [("//a", None), ("//a:", None), ("//a:0", 0), ("//a:00080", 80)]
)
def test_port_is_none_without_digits(text: str, port: int | None) -> None:
    assert URIReference(text).port == port


def test_username_and_password_are_decoded() -> None:
    value = URIReference("//u%C3%A9:p%3A%2F@h")
    assert (value.username, value.password) == ("ué", "p:/")
    other = URIReference("//a%FF:b%C3%a9%fe@h")
    assert (other.username, other.password) == ("a\udcff", "bé\udcfe")


# --- value semantics


def test_equality_and_hash_depend_on_the_string_but_not_the_type() -> None:
    values = [kind("a:b") for kind in KINDS]
    assert all(one == other for one in values for other in values)
    assert len(set(values)) == 1
    assert hash(URI("a:b")) == hash(IRI("a:b"))
    assert URI("a:b") != URI("A:b")
    assert URI("a:%41") != URI("a:A")


def test_identifiers_never_equal_other_objects() -> None:
    for other in ("a:b", b"a:b", None, 1, object(), ("a", "b")):
        assert (URI("a:b") == other) is False
        assert (other == URI("a:b")) is False
        assert (URI("a:b") != other) is True


def test_identifiers_are_ordered_as_strings() -> None:
    texts = ["b:", "a:é", "a:", "A:", "", "//"]
    assert [str(v) for v in sorted(map(parse, texts))] == sorted(texts)
    low, high = URI("a:"), IRI("b:")
    assert (low < high, low <= high, high > low, high >= low) == (True,) * 4
    assert (high < low, high <= low, low > high, low >= high) == (False,) * 4
    assert low <= URI("a:")
    assert low >= IRIReference("a:")


def test_identifiers_cannot_be_ordered_with_other_objects() -> None:
    for compare in (operator.lt, operator.le, operator.gt, operator.ge):
        for pair in ((URI("a:"), "b"), ("b", URI("a:")), (URI("a:"), None)):
            with pytest.raises(TypeError):
                compare(*pair)


@pytest.mark.parametrize("kind", KINDS)
def test_identifiers_survive_pickling_and_copying(kind: type[IRIReference]) -> None:
    value = kind("http://u:p@a:80/b?c#d")
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert (type(again), str(again)) == (kind, str(value))
        assert again._bounds == value._bounds
    assert copy.copy(value) is value
    assert copy.deepcopy(value) is value
    assert copy.deepcopy([value])[0] is value


@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy.replace is of Python 3.13")
def test_copy_replace_calls_replace() -> None:
    replace: Any = copy.replace  # type: ignore[attr-defined,unused-ignore]
    assert replace(URI("http://a/b"), path="/c") == URI("http://a/c")
    with pytest.raises(BuildError):
        replace(URI("http://a/b"), scheme=None)


def test_match_statements_match_the_five_components() -> None:
    match parse(FULL):
        case URI("http", authority, path, query=query, fragment="e"):
            assert (authority, path, query) == ("user:pass@example.org:8080", "/a/b", "c=d")
        case _:
            pytest.fail("it was not matched")
    match parse("//a"):
        case URI():
            pytest.fail("a reference is no URI")
        case URIReference(None, "a", "", None, None):
            pass
        case _:
            pytest.fail("it was not matched")


def test_identifiers_support_weak_references() -> None:
    value = URI("a:b")
    reference = weakref.ref(value)
    assert reference() is value
    del value
    gc.collect()
    assert reference() is None


@pytest.mark.parametrize(
    "name",
    [
        *("scheme", "authority", "userinfo", "host", "port_text", "path", "query", "fragment"),
        *("host_kind", "port", "new"),
    ],
)
def test_identifiers_are_immutable(name: str) -> None:
    value = URI(FULL)
    with pytest.raises(AttributeError):
        setattr(value, name, "x")
    with pytest.raises(AttributeError):
        delattr(value, name)
    assert str(value) == FULL
    assert not hasattr(value, "__dict__")


def test_identifiers_are_truthy_and_have_no_length() -> None:
    assert bool(URIReference("")) is True
    with pytest.raises(TypeError):
        len(URI("a:"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        iter(URI("a:"))  # type: ignore[call-overload]


def test_repr_masks_the_password_but_str_does_not() -> None:
    assert repr(URI(FULL)) == "URI('http://user:REDACTED@example.org:8080/a/b?c=d#e')"
    assert str(URI(FULL)) == FULL
    assert f"{URI('a:b'):>5}|{URI('a:b')!s}" == "  a:b|a:b"
    assert repr(IRIReference("é")) == "IRIReference('é')"


def test_parsing_is_thread_safe() -> None:
    texts = [f"http://a{n}:8{n}/é{n}?q{n}#f" for n in range(200)] + ["http://a b/"] * 20
    common = [IRI.try_parse(text) for text in texts]
    results: list[list[object]] = []

    def work() -> None:
        found: list[object] = []
        for text, value in zip(texts, common, strict=True):
            try:
                own = IRI(text)
            except ParseError as error:
                found.append((error.component, error.position))
            else:
                assert value is not None
                found.append((own == value, own.host, value.path, value.with_port(1).port))
        results.append(found)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert all(found == results[0] for found in results)


# --- editing


@pytest.mark.parametrize(
    ("edit", "argument", "text"),
    [
        ("with_scheme", "ftp", "ftp://u:p@h:1/a?q#f"),
        ("with_authority", "x", "s://x/a?q#f"),
        ("with_authority", "x@y:2", "s://x@y:2/a?q#f"),
        ("with_authority", "[::1]:", "s://[::1]:/a?q#f"),
        ("with_authority", "", "s:///a?q#f"),
        ("with_authority", None, "s:/a?q#f"),
        ("with_userinfo", "x", "s://x@h:1/a?q#f"),
        ("with_userinfo", "", "s://@h:1/a?q#f"),
        ("with_userinfo", None, "s://h:1/a?q#f"),
        ("with_host", "[v1.a]", "s://u:p@[v1.a]:1/a?q#f"),
        ("with_host", "", "s://u:p@:1/a?q#f"),
        ("with_port", 80, "s://u:p@h:80/a?q#f"),
        ("with_port", "0080", "s://u:p@h:0080/a?q#f"),
        ("with_port", "", "s://u:p@h:/a?q#f"),
        ("with_port", None, "s://u:p@h/a?q#f"),
        ("with_path", "", "s://u:p@h:1?q#f"),
        ("with_path", "//", "s://u:p@h:1//?q#f"),
        ("with_query", "x?/", "s://u:p@h:1/a?x?/#f"),
        ("with_query", "", "s://u:p@h:1/a?#f"),
        ("with_query", None, "s://u:p@h:1/a#f"),
        ("with_fragment", "x?/", "s://u:p@h:1/a?q#x?/"),
        ("with_fragment", "", "s://u:p@h:1/a?q#"),
        ("with_fragment", None, "s://u:p@h:1/a?q"),
        ("with_segments", ["", "b", b"\xff"], "s://u:p@h:1/b/%FF?q#f"),
        ("with_segments", [], "s://u:p@h:1?q#f"),
        ("with_segments", ["", ""], "s://u:p@h:1/?q#f"),
        ("joinpath", "b/c", "s://u:p@h:1/a/b%2Fc?q#f"),
        ("joinpath", "", "s://u:p@h:1/a/?q#f"),
    ],
)
def test_edits_return_a_new_value(edit: str, argument: object, text: str) -> None:
    old = URI("s://u:p@h:1/a?q#f")
    new = getattr(old, edit)(argument)
    assert str(new) == text
    assert type(new) is URI
    assert str(old) == "s://u:p@h:1/a?q#f"


def test_replace_changes_several_components_at_once() -> None:
    uri = URI("http://a/b?c#d")
    assert str(uri.replace(scheme="x", host="y", port=1, query=None)) == "x://y:1/b#d"
    assert str(uri.replace(authority=None, path="e")) == "http:e?c#d"
    assert uri.replace() == uri


@pytest.mark.parametrize(
    ("text", "added", "joined"),
    [
        ("", ["a"], "a"),
        ("", ["a:b"], "a%3Ab"),
        ("", [""], ""),
        ("//h", [""], "//h/"),
        ("//h", ["a", ""], "//h/a/"),
        ("//h/", ["a", "b"], "//h/a/b"),
        ("//h/a/", ["", "b"], "//h/a/b"),
        ("x:", ["a:b"], "x:a:b"),
        ("x:a", ["b"], "x:a/b"),
        ("/", ["a"], "/a"),
        ("a?q#f", ["b"], "a/b?q#f"),
        ("..", ["b"], "../b"),
        ("a", [b"b"], "a/b"),
    ],
)
def test_joinpath_appends_segments(text: str, added: list[str | bytes], joined: str) -> None:
    assert str(URIReference(text).joinpath(*added)) == joined


def test_joinpath_without_arguments_changes_nothing() -> None:
    assert URI("http://a").joinpath() == URI("http://a")


@pytest.mark.parametrize("other", [None, 1, ["a"], URI("a:")])
def test_the_slash_operator_accepts_only_str_and_bytes(other: object) -> None:
    with pytest.raises(TypeError):
        URI("http://a") / other  # type: ignore[operator]
    with pytest.raises(TypeError):
        other / URI("http://a")  # type: ignore[operator]


def test_ports_of_int_subclasses_are_written_as_digits() -> None:
    class Port(IntEnum):
        WEB = 80

    class MisleadingInt(int):
        def __str__(self) -> str:
            return "loud"

    uri = URI("http://a")
    assert uri.with_port(Port.WEB).port_text == "80"
    assert uri.with_port(HTTPStatus.OK).port_text == "200"
    assert uri.with_port(MisleadingInt(81)).port_text == "81"


def test_any_number_of_leading_zeros_of_a_port_is_ignored() -> None:
    zeros = "0" * 700
    none, eighty = URI(f"http://a:{zeros}/"), URI(f"http://a:{zeros}80/")
    assert (none.port, none.effective_port, none.origin) == (0, 0, "http://a:0")
    assert (eighty.port, eighty.effective_port, eighty.origin) == (80, 80, "http://a")
    assert (none.is_default_port, eighty.is_default_port) == (False, True)
    assert [str(uri.normalize(scheme=True)) for uri in (none, eighty)] == [
        "http://a:0/",
        "http://a/",
    ]


def test_the_default_port_of_the_scheme_may_be_written_or_absent() -> None:
    for text in ("http://a", "HTTP://a:/", "http://a:80", "http://:080", "wss://a:443"):
        assert IRIReference(text).is_default_port, text
    for text in ("http://a:81", "//a:80", "x://a", "x://a:80", "http:a", "urn:a:b", "", "80"):
        assert not IRIReference(text).is_default_port, text
    # This port is too long for `port` and `effective_port`.
    assert not URI("http://a:" + "8" * 700).is_default_port


@pytest.mark.parametrize(
    "port",
    [
        *(-1, "-1", "8a", "+8", " 8", "8 ", "\u0661", "²", 10**640, -(10**640)),
    ],
)
def test_invalid_ports_are_rejected(port: int | str) -> None:
    with pytest.raises(BuildError) as caught:
        URI("http://a").with_port(port)
    assert (caught.value.component, caught.value.rule) == ("port", "port")


@pytest.mark.parametrize(
    "parts",
    [
        {"port": True},
        {"port": 1.0},
        {"port": b"1"},
        {"scheme": b"a"},
        {"path": None},
        {"path": b"/"},
        {"host": 1},
        {"authority": 1},
        {"authority": "a", "host": "a"},
        {"authority": "a", "port": 1},
        {"authority": "a", "userinfo": ""},
        {"path": "/", "segments": ["a"]},
        {"segments": [1]},
        {"segments": 1},
        {"hostname": "a"},
        {"port_text": "1"},
    ],
)
def test_build_and_replace_reject_wrong_types_and_conflicting_parts(
    parts: dict[str, Any],
) -> None:
    with pytest.raises(TypeError):
        URIReference.build(**{"host": "h", **parts} if "authority" not in parts else parts)
    with pytest.raises(TypeError):
        URIReference("//h/x").replace(**({"path": "/"} | parts if "segments" in parts else parts))


def test_uris_and_iris_cannot_lose_their_scheme() -> None:
    for kind in (URI, IRI):
        with pytest.raises(BuildError) as caught:
            kind("http://a/b").with_scheme(None)
        assert (caught.value.component, caught.value.rule) == ("scheme", "scheme")
        article = "an" if kind is IRI else "a"
        assert caught.value.reason == (
            f"missing scheme: {article} {kind._rule} starts with a scheme and a colon"
        )
    assert str(URIReference("http://a/b").with_scheme(None)) == "//a/b"


def test_a_host_with_a_port_or_userinfo_cannot_be_removed() -> None:
    with pytest.raises(BuildError, match="port without a host"):
        URI("http://a:1/").with_host(None)
    with pytest.raises(BuildError, match="userinfo without a host"):
        URI("http://u@a:1/").with_host(None)
    assert str(URI("http://a/b").with_host(None)) == "http:/b"


def test_iris_accept_non_ascii_hosts_but_uris_do_not() -> None:
    assert str(IRI("a://b").with_host("é")) == "a://é"
    with pytest.raises(BuildError):
        URI("a://b").with_host("é")


def test_replace_rejects_an_authority_together_with_its_parts() -> None:
    for changes in ({"host": "b"}, {"userinfo": None}, {"port": 80}):
        with pytest.raises(TypeError, match="authority cannot be combined with"):
            URI("http://me@a:80/").replace(authority=None, **changes)
    for changes in ({"path": ""}, {"segments": None}):
        with pytest.raises(TypeError, match=r"segments must be an iterable|combined with segments"):
            URI("http://a/b").replace(**{"segments": ["c"], **changes})  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("authority", "component", "position"),
    [
        ("u v@a:8", "userinfo", 1),
        ("u@a b:80", "host", 3),
        ("u@a:8x", "port", 5),
        ("[::]:8x", "port", 6),
    ],
)
def test_errors_of_with_authority_point_into_the_given_string(
    authority: str, component: str, position: int
) -> None:
    with pytest.raises(BuildError) as caught:
        URI("http://a/").with_authority(authority)
    error = caught.value
    assert (error.text, error.component, error.position) == (authority, component, position)


def test_build_with_shield_protects_ambiguous_paths() -> None:
    for path, built in (("a:b", "./a:b"), ("//a", "/.//a"), ("a/b:c", "a/b:c"), ("", "")):
        assert str(URIReference.build(path=path, protect_path=True)) == built
    # A scheme or a host makes a path unambiguous.
    assert str(URI.build(scheme="a", path="b:c", protect_path=True)) == "a:b:c"
    assert str(URI.build(scheme="a", host="b", path="/c:d", protect_path=True)) == "a://b/c:d"
    assert str(URI.build(scheme="a", path="//b", protect_path=True)) == "a:/.//b"
    assert str(URIReference.build(host="b", path="/c:d", protect_path=True)) == "//b/c:d"
    assert str(URIReference.build(host="b", path="//c", protect_path=True)) == "//b//c"
    with pytest.raises(BuildError, match="invalid colon in path: the first segment"):
        URIReference.build(path="a:b")


@pytest.mark.parametrize("segment", [None, 0, [], {}, False])
def test_falsy_segments_of_a_wrong_type_are_rejected(segment: Any) -> None:
    with pytest.raises(TypeError, match="a segment must be a str or bytes"):
        URI("http://a/b").joinpath(segment)
    with pytest.raises(TypeError, match="a segment must be a str or bytes"):
        URI("http://a/b").with_segments(["", segment])


@pytest.mark.parametrize("segments", ["/x/y", b"/x/y"])
def test_with_segments_rejects_a_single_string(segments: Any) -> None:
    with pytest.raises(TypeError, match="segments must be an iterable"):
        URI("http://a/").with_segments(segments)


def test_the_constructor_has_an_inspectable_signature() -> None:
    assert list(inspect.signature(URI).parameters) == ["text"]


def test_types_keep_working_after_the_package_is_imported_again() -> None:
    code = """
import sys
import uriverse
older = uriverse.URI
for name in [name for name in sys.modules if name.startswith("uriverse")]:
    del sys.modules[name]
import uriverse
for kind in (older, uriverse.URI):
    assert str(kind("http://a/#b")) == "http://a/#b"
    assert kind.try_parse("a b") is None
    try:
        kind("a b")
    except ValueError as error:
        assert error.position == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)
