import copy
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
from counting import collect_garbage

from uriverse import IRI, URI, BuildError, IRIReference, ParseError, URIReference, parse
from uriverse._uri import engine

KINDS = (IRIReference, IRI, URIReference, URI)
FULL = "http://user:pass@example.org:8080/a/b?c=d#e"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        *(("http://a/b", URI), ("//a/b", URIReference), ("", URIReference), ("http://a/é", IRI)),
        *(("//é", IRIReference), ("x:?\ue000", IRI)),
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
def test_constructors_accept_other_identifiers(kind: type[IRIReference]) -> None:
    assert type(kind.build(scheme="http", host="a")) is kind
    assert type(kind("http://a/b").with_query("c")) is kind
    for other in KINDS:
        assert type(kind(other("a:b"))) is kind
        assert str(kind(other("a:b"))) == "a:b"
    assert kind.try_parse(IRIReference("a:b")) == IRIReference("a:b")
    assert type(parse(IRIReference("a:b"))) is URI
    assert engine.is_uri(IRIReference("a:b"))
    with pytest.raises(ParseError):
        URI(IRI("a:é"))
    assert URI.try_parse(IRIReference("a")) is None
    assert list(inspect.signature(kind).parameters) == ["text"]


@pytest.mark.parametrize("kind", KINDS)
def test_constructors_take_one_positional_argument(kind: type[IRIReference]) -> None:
    create: Any = kind
    for arguments, named in (((), {"text": "a:b"}), ((), {}), (("a:b", "c"), {})):
        with pytest.raises(TypeError):
            create(*arguments, **named)


@pytest.mark.parametrize("text", [FULL, "http://a", "//@a:?#", "a:b", ""])
def test_edits_that_change_nothing_return_the_same_object(text: str) -> None:
    value = IRIReference(text)
    for name in ("scheme", "path", "query", "fragment"):
        assert getattr(value, f"with_{name}")(getattr(value, name)) is value
    if value.host is not None:
        assert value.with_userinfo(value.userinfo) is value
        assert value.with_host(value.host) is value
        assert value.with_port(value.port_text) is value


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
    names = (
        "scheme authority userinfo host port_text query fragment username password hostname port "
        "host_kind ip"
    )
    for name in names.split():
        assert getattr(empty, name) is None
    assert (empty.path, list(empty.segments), empty.raw_segments) == ("", [], ())
    assert (empty.is_relative, empty.is_absolute, empty.has_port) == (True, False, False)


@pytest.mark.parametrize(
    ("host", "kind", "hostname", "ip"),
    [
        *(("a", "reg-name", "a", None), ("", "reg-name", "", None)),
        ("EXAMPLE.Org", "reg-name", "example.org", None),
        ("1.2.3.4", "IPv4address", "1.2.3.4", IPv4Address("1.2.3.4")),
        ("255.255.255.255", "IPv4address", "255.255.255.255", IPv4Address("255.255.255.255")),
        *(("1.2.3.256", "reg-name", "1.2.3.256", None), ("1.2.3.04", "reg-name", "1.2.3.04", None)),
        *(("1.2.3.4.5", "reg-name", "1.2.3.4.5", None), ("1.2.3", "reg-name", "1.2.3", None)),
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
    # Only ASCII letters are converted to lower case.
    assert IRI("x://ÄA\u212a\u0130").hostname == "Äa\u212a\u0130"


@pytest.mark.parametrize("zeros", ["", "0", "0" * 700])
def test_any_number_of_leading_zeros_of_a_port_is_ignored(zeros: str) -> None:
    none, eighty = URI(f"http://a:{zeros}/"), URI(f"http://a:{zeros}80/")
    assert none.port == (0 if zeros else None)
    assert (eighty.port, eighty.effective_port, eighty.origin) == (80, 80, "http://a")
    assert (none.is_default_port, eighty.is_default_port) == (not zeros, True)
    zero = "http://a:0" if zeros else "http://a"
    assert (none.effective_port, none.origin) == (0 if zeros else 80, zero)
    assert str(none.normalize(scheme=True)) == f"{zero}/"
    assert str(eighty.normalize(scheme=True)) == "http://a/"
    assert URIReference("//a").port is None


def test_username_and_password_are_decoded() -> None:
    value = URIReference("//u%C3%A9:p%3A%2F@h")
    assert (value.username, value.password) == ("ué", "p:/")
    other = URIReference("//a%FF:b%C3%a9%fe@h")
    assert (other.username, other.password) == ("a\udcff", "bé\udcfe")


def test_equality_and_hash_depend_on_the_string_but_not_the_type() -> None:
    values = [kind("a:b") for kind in KINDS]
    assert all(one == other for one in values for other in values)
    assert len(set(values)) == 1
    assert hash(URI("a:b")) == hash(IRI("a:b"))
    assert URI("a:b") != URI("A:b")
    assert URI("a:%41") != URI("a:A")


def test_identifiers_neither_equal_nor_precede_other_objects() -> None:
    value = URI("a:b")
    for other in ("a:b", b"a:b", None, 1, object(), ("a", "b")):
        assert (value == other) is (other == value) is False
        assert (value != other) is True
        for compare in (operator.lt, operator.le, operator.gt, operator.ge):
            for pair in ((value, other), (other, value)):
                with pytest.raises(TypeError):
                    compare(*pair)
    assert bool(URIReference("")) is True
    functions: tuple[Any, ...] = (len, iter)
    for function in functions:
        with pytest.raises(TypeError):
            function(value)
    reference = weakref.ref(value)
    assert reference() is value
    del value, pair
    collect_garbage()
    assert reference() is None


def test_identifiers_are_ordered_as_strings() -> None:
    texts = ["b:", "a:é", "a:", "A:", "", "//"]
    assert [str(v) for v in sorted(map(parse, texts))] == sorted(texts)
    low, high = URI("a:"), IRI("b:")
    assert (low < high, low <= high, high > low, high >= low) == (True,) * 4
    assert (high < low, high <= low, low > high, low >= high) == (False,) * 4
    assert low <= URI("a:")
    assert low >= IRIReference("a:")


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


#: Edits of `s://u:p@h:1/a?q#f`: the method, its argument, and the result.
EDITS: list[tuple[str, Any, str]] = [
    *(("with_scheme", "ftp", "ftp://u:p@h:1/a?q#f"), ("with_authority", "x", "s://x/a?q#f")),
    ("with_authority", "x@y:2", "s://x@y:2/a?q#f"),
    *(("with_authority", "[::1]:", "s://[::1]:/a?q#f"), ("with_authority", "", "s:///a?q#f")),
    *(("with_authority", None, "s:/a?q#f"), ("with_userinfo", "x", "s://x@h:1/a?q#f")),
    *(("with_userinfo", "", "s://@h:1/a?q#f"), ("with_userinfo", None, "s://h:1/a?q#f")),
    *(("with_host", "[v1.a]", "s://u:p@[v1.a]:1/a?q#f"), ("with_host", "", "s://u:p@:1/a?q#f")),
    *(("with_port", 80, "s://u:p@h:80/a?q#f"), ("with_port", "0080", "s://u:p@h:0080/a?q#f")),
    *(("with_port", "", "s://u:p@h:/a?q#f"), ("with_port", None, "s://u:p@h/a?q#f")),
    *(("with_path", "", "s://u:p@h:1?q#f"), ("with_path", "//", "s://u:p@h:1//?q#f")),
    *(("with_query", "x?/", "s://u:p@h:1/a?x?/#f"), ("with_query", "", "s://u:p@h:1/a?#f")),
    *(("with_query", None, "s://u:p@h:1/a#f"), ("with_fragment", "x?/", "s://u:p@h:1/a?q#x?/")),
    *(("with_fragment", "", "s://u:p@h:1/a?q#"), ("with_fragment", None, "s://u:p@h:1/a?q")),
    ("with_segments", ["", "b", b"\xff"], "s://u:p@h:1/b/%FF?q#f"),
    *(("with_segments", [], "s://u:p@h:1?q#f"), ("with_segments", ["", ""], "s://u:p@h:1/?q#f")),
    *(("joinpath", "b/c", "s://u:p@h:1/a/b%2Fc?q#f"), ("joinpath", "", "s://u:p@h:1/a/?q#f")),
]


@pytest.mark.parametrize(("edit", "argument", "text"), EDITS)
def test_edits_return_a_new_value(edit: str, argument: Any, text: str) -> None:
    old = URI("s://u:p@h:1/a?q#f")
    new = getattr(old, edit)(argument)
    assert (str(new), type(new)) == (text, URI)
    assert str(old) == "s://u:p@h:1/a?q#f"
    if edit != "joinpath":
        assert old.replace(**{edit.removeprefix("with_"): argument}) == new


def test_replace_changes_several_components_at_once() -> None:
    uri = URI("http://a/b?c#d")
    assert str(uri.replace(scheme="x", host="y", port=1, query=None)) == "x://y:1/b#d"
    assert str(uri.replace(authority=None, path="e")) == "http:e?c#d"
    assert uri.replace() == uri.joinpath() == uri
    assert str(uri.with_host(None)) == "http:/b?c#d"
    assert str(URIReference("http://a/b").with_scheme(None)) == "//a/b"
    assert str(IRI("a://b").with_host("é")) == "a://é"


@pytest.mark.parametrize(
    ("text", "added", "joined"),
    [
        *(("", ["a"], "a"), ("", ["a:b"], "a%3Ab"), ("", [""], ""), ("/", ["a"], "/a")),
        *(("//h", [""], "//h/"), ("//h", ["a", ""], "//h/a/"), ("//h/", ["a", "b"], "//h/a/b")),
        *(("//h/a/", ["", "b"], "//h/a/b"), ("x:", ["a:b"], "x:a:b"), ("x:a", ["b"], "x:a/b")),
        *(("a?q#f", ["b"], "a/b?q#f"), ("..", ["b"], "../b"), ("a", [b"b"], "a/b")),
    ],
)
def test_joinpath_appends_segments(text: str, added: list[str | bytes], joined: str) -> None:
    assert str(URIReference(text).joinpath(*added)) == joined


@pytest.mark.parametrize(
    ("edit", "argument", "component", "reason"),
    [
        *(
            ("with_port", port, "port", "")
            for port in (-1, "-1", "8a", "+8", " 8", "8 ", "\u0661", "²", 10**640, -(10**640))
        ),
        ("with_scheme", None, "scheme", "missing scheme: a URI starts with a scheme and a colon"),
        ("with_host", None, "port", "port without a host"),
        ("with_host", "é", "host", ""),
    ],
)
def test_wrong_parts_are_rejected(edit: str, argument: Any, component: str, reason: str) -> None:
    with pytest.raises(BuildError) as caught:
        getattr(URI("http://a:1"), edit)(argument)
    assert caught.value.component == component
    assert caught.value.rule == component or edit == "with_host"
    assert reason in caught.value.reason


def test_an_iri_cannot_lose_its_scheme_and_userinfo_needs_a_host() -> None:
    with pytest.raises(BuildError, match="missing scheme: an IRI starts with a scheme and a colon"):
        IRI("http://a/b").with_scheme(None)
    with pytest.raises(BuildError, match="userinfo without a host"):
        URI("http://u@a:1/").with_host(None)


#: Arguments that `build` and `replace` reject, and a pattern for the error.
WRONG_PARTS: list[tuple[dict[str, Any], str]] = [
    *(({"port": port}, "port must be") for port in (True, 1.0, b"1")),
    *(({name: b"a"}, f"{name} must be a str") for name in ("scheme", "path", "query", "fragment")),
    ({"path": None}, "path must be a str"),
    *(({name: 1}, f"{name} must be a") for name in ("host", "authority", "userinfo")),
    *(
        ({"authority": "a", name: value}, "authority cannot be combined with")
        for name, value in (("host", "a"), ("port", 1), ("userinfo", ""), ("userinfo", None))
    ),
    *(({"segments": ["a"], "path": path}, "combined with segments") for path in ("", "/")),
    *(({"segments": [wrong]}, "a segment must be a str or bytes") for wrong in (1, None, 0)),
    *(({"segments": wrong}, "segments must be an iter") for wrong in (1, None, "/x/y", b"/x")),
    ({"hostname": "a"}, "unexpected keyword argument 'hostname'"),
    ({"port_text": "1"}, "unexpected keyword argument 'port_text'"),
]


@pytest.mark.parametrize(("parts", "reason"), WRONG_PARTS)
def test_build_and_replace_reject_wrong_types_and_conflicting_parts(
    parts: dict[str, Any], reason: str
) -> None:
    build: dict[str, Any] = parts if "authority" in parts else {"host": "h", **parts}
    defaults = ({"segments": None}, {"authority": "a", "userinfo": None})
    if parts not in defaults and parts.get("path") != "":
        with pytest.raises(TypeError, match=reason):
            URIReference.build(**build)
    with pytest.raises(TypeError, match=reason):
        URIReference("//h/x").replace(**parts)
    if parts.keys() == {"segments"}:
        with pytest.raises(TypeError, match=reason):
            URI("http://a/b").with_segments(**parts)


@pytest.mark.parametrize("other", [None, 1, ["a"], URI("a:")])
def test_the_slash_operator_accepts_only_str_and_bytes(other: object) -> None:
    with pytest.raises(TypeError):
        URI("http://a") / other  # type: ignore[operator]
    with pytest.raises(TypeError):
        other / URI("http://a")  # type: ignore[operator]
    # Nor does `joinpath` accept falsy segments of another type.
    falsy: tuple[object, ...] = (None, 0, [], {}, False)
    for segment in falsy:
        with pytest.raises(TypeError, match="a segment must be a str or bytes"):
            URI("http://a/b").joinpath(segment)  # type: ignore[arg-type]


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


def test_the_default_port_of_the_scheme_may_be_written_or_absent() -> None:
    for text in ("http://a", "HTTP://a:/", "http://a:80", "http://:080", "wss://a:443"):
        assert IRIReference(text).is_default_port, text
    for text in ("http://a:81", "//a:80", "x://a", "x://a:80", "http:a", "urn:a:b", "", "80"):
        assert not IRIReference(text).is_default_port, text
    # This port is too long for `port` and `effective_port`.
    assert not URI("http://a:" + "8" * 700).is_default_port


@pytest.mark.parametrize(
    ("authority", "component", "position"),
    [
        *(("u v@a:8", "userinfo", 1), ("u@a b:80", "host", 3), ("u@a:8x", "port", 5)),
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
    for path, built in (
        *(("a:b", "./a:b"), ("//a", "/.//a"), ("a/b:c", "a/b:c"), ("/a:b", "/a:b"), ("", "")),
    ):
        assert str(URIReference.build(path=path, protect_path=True)) == built
    # A scheme or a host makes a path unambiguous.
    assert str(URI.build(scheme="a", path="b:c", protect_path=True)) == "a:b:c"
    assert str(URI.build(scheme="a", host="b", path="/c:d", protect_path=True)) == "a://b/c:d"
    assert str(URI.build(scheme="a", path="//b", protect_path=True)) == "a:/.//b"
    assert str(URIReference.build(host="b", path="/c:d", protect_path=True)) == "//b/c:d"
    assert str(URIReference.build(host="b", path="//c", protect_path=True)) == "//b//c"
    with pytest.raises(BuildError, match="invalid colon in path: the first segment"):
        URIReference.build(path="a:b")


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
