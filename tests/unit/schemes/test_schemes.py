import pickle
from contextlib import suppress
from dataclasses import FrozenInstanceError, replace
from itertools import product
from socket import getservbyname
from typing import Any, Literal, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked import list_rows
from strategies import produced, references

from uriverse import SCHEMES, URI, IRIReference, check, parse, schemes
from uriverse._spec.components import AllParts, compose_all_parts, split_all_parts
from uriverse.schemes import Registry, Scheme, _registry
from uriverse.schemes._descriptors import DESCRIPTORS, PORTS
from uriverse.schemes._normalization import apply_scheme_rules, normalize_by_scheme

#: The rules of the schemes that have any.
RULES = {name: each.rules for name, each in DESCRIPTORS.items() if each.rules is not None}


def test_the_registry_lists_iana_schemes_and_known_rules() -> None:
    assert all(schemes.__getattr__(n) is getattr(schemes, n) for n in schemes.__all__)
    assert len(SCHEMES) > 400
    http = SCHEMES["http"]
    assert (http.name, http.status, http.default_port) == ("http", "permanent", 80)
    assert http.reference.startswith("RFC 9110")
    assert not http.empty_host
    assert {scheme.status for scheme in SCHEMES.values()} <= {
        *("permanent", "provisional", "historical", None),
    }


def test_schemes_have_their_default_port() -> None:
    for name, port in [
        *(("http", 80), ("https", 443), ("ws", 80), ("wss", 443), ("ftp", 21), ("ldap", 389)),
        *(("ldaps", 636), ("ssh", 22), ("sftp", 22), ("redis", 6379), ("rediss", 6379)),
        *(("postgresql", 5432), ("mysql", 3306), ("amqp", 5672), ("amqps", 5671), ("mqtt", 1883)),
        *(("mqtts", 8883), ("sip", 5060), ("sips", 5061), ("coap", 5683), ("coaps", 5684)),
        *(("rtsp", 554), ("git", 9418), ("irc", 194), ("pop", 110), ("s3", None), ("gs", None)),
        *(("file", None), ("urn", None)),
    ]:
        assert SCHEMES[name].default_port == port


def test_scheme_lookup_ignores_ascii_case_only() -> None:
    assert SCHEMES["HTTP"] is SCHEMES["http"]
    assert "Https" in SCHEMES
    assert "\u212aey" not in SCHEMES.with_schemes(Scheme(name="key"))
    # Unknown schemes have generic rules.
    with pytest.raises(KeyError):
        SCHEMES["x-nothing"]
    assert SCHEMES.rules_of("X-Nothing") == Scheme(name="x-nothing")


def test_with_schemes_returns_a_new_immutable_registry() -> None:
    before = dict(SCHEMES)
    own = SCHEMES.with_schemes(Scheme(name="x-a", default_port=7), Scheme(name="http"))
    assert own["x-a"].default_port == 7
    assert own["http"].default_port is None
    assert dict(SCHEMES) == before
    assert len(own) == len(SCHEMES) + 1
    with pytest.raises(TypeError):
        SCHEMES["x-a"] = Scheme(name="x-a")  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        SCHEMES["http"].default_port = 81  # type: ignore[misc]
    assert repr(Registry([Scheme(name="a")])) == "<Registry of 1 schemes>"


def test_registries_are_picklable_mappings() -> None:
    for wrong in (5, None):
        assert SCHEMES.get(wrong) is None  # type: ignore[call-overload]
    assert dict(pickle.loads(pickle.dumps(SCHEMES))) == dict(SCHEMES)
    assert Registry() == {}


def test_invalid_scheme_definitions_are_rejected() -> None:
    for wrong in [
        *({"name": "A"}, {"name": "1a"}, {"name": ""}, {"name": "a", "default_port": 65536}),
        *({"name": "a", "default_port": True}, {"name": "a", "default_port": "80"}),
        *({"name": "a", "status": "nonstandard"}, {"name": "a", "authority": "never"}),
        *({"name": "a", "userinfo": False}, {"name": "a", "empty_path": ".evil.example"}),
        *({"name": "a", "path": "path"}, {"name": "a", "query": "forbidden"}),
        {"name": "a", "empty_host": 1},
    ]:
        with pytest.raises(ValueError, match=r"(name|port) must be|must be (one of|a bool)"):
            Scheme(**wrong)  # type: ignore[arg-type]


def test_the_allowed_values_of_scheme_attributes_are_those_of_their_types() -> None:
    hints = get_type_hints(Scheme, vars(_registry))
    literals = {name: hint for name, hint in hints.items() if "Literal" in str(hint)}
    choices = _registry.CHOICES
    assert literals.keys() == choices.keys()
    for name, hint in literals.items():
        assert hint in {Literal[choices[name]], Literal[choices[name][:-1]] | None}


def test_default_ports_are_those_of_the_services_of_the_system() -> None:
    listed = {}
    for name in PORTS:
        with suppress(OSError):
            listed[name] = getservbyname(name)
    if not listed:
        pytest.skip("the system has no list of services")
    assert {name: PORTS[name] for name in listed} == listed


def test_a_scheme_over_tls_differs_only_in_its_port() -> None:
    pairs = [(name, f"{name}s") for name in RULES if f"{name}s" in RULES]
    pairs += [(f"coap+{way}", f"coaps+{way}") for way in ("tcp", "ws")]
    assert len(pairs) >= 10
    for pair in pairs:
        plain, secure = (
            replace(SCHEMES[name], name="x", status=None, reference="", default_port=None)
            for name in pair
        )
        assert plain == secure, pair


def test_known_schemes_are_registered_or_listed_as_unregistered() -> None:
    unregistered = {name for name in {*RULES, *PORTS} if SCHEMES[name].status is None}
    assert unregistered == UNREGISTERED
    for name, rules in RULES.items():
        assert SCHEMES[name].authority == rules.authority
    # Their reference is that of their rules.
    assert SCHEMES["javascript"].reference == RULES["javascript"].reference == "HTML Standard"
    assert SCHEMES["s3"].reference == ""


#: Schemes that are in common use but not registered.
UNREGISTERED = {
    *("amqp", "amqps", "ftps", "gs", "imaps", "javascript", "mysql", "postgres", "postgresql"),
    "s3",
}


# --- rules: one URI that conforms and one that does not


#: URIs that break a rule of their scheme, by finding code.
BAD = {
    "authority-missing": (
        "http:a https: ws:/a ftp:a coap:a rtsp:b ldap:o=a ldaps:/a s3:a gopher:/127.0.0.1:1/ "
        "redis:a"
    ),
    "host-missing": "http:///a https://:1 wss:// ftp:///a coaps:///b rtsps:///b gs:///b",
    "authority-misplaced": (
        "mailto://a@b.example tel://+1 urn://isbn:0 data://,a sip://a@b turn://a.example "
        "about://blank javascript://a/%0Ab"
    ),
    "userinfo": "http://b@a/ https://b:c@a/",
    "userinfo-misplaced": "wss://b@a file://b@a/ coap+tcp://c@a/b ldap://me@a/",
    "query-misplaced": "ftp://a/b?c file:/a?b tel:+1?a tel:+1?a#b",
    "fragment-misplaced": "ws://a/#b wss://a/b#c",
    "fragment-rejected": "coaps+ws://a/b#c",
    "path-misshapen": "about:/blank sip: magnet:a tag:/\u00e9",
    "scheme-syntax": "file:a file://a:1/b mailto:a tel:1 urn:isbn data:a",
    "content": "data:;base64,YQ= urn:oid:01.2",
    "header-ignored": "mailto:a@b.example?From=c@d.example",
}

#: Similar URIs that conform to their schemes.
GOOD = (
    "http://a/ https://a https://a:1 ws://a/b?c wss://a ws://a/%23b ftp://b@a/c;type=i ftp://a/ "
    "ftp://a/b%3Fc file:///a file:/a file://a/b mailto:a@b.example tel:+1-2 tel:+1 tel:+1#a "
    "tel:1;phone-context=+2 urn:example:0?=a#b urn:example:0 data:,a?b#c data:,a urn:oid:1.2 "
    "data:;base64,YQ== coap://a/b coaps://a/b coap+tcp://a/b coaps+ws://a/b wss://a/b rtsp://a/b "
    "rtsps://a/b ldap:///o=a??sub ldaps://a/ ldap://a/ sip:a@b turn:a.example s3://a/b gs://a/b "
    "about:blank magnet:?xt=urn:a:b tag:a.example,2026:\u00e9 javascript:a() gopher://a:1/ "
    "redis://a/0 mailto:a@b.example?cc=c@d.example ldaps:///o=a"
)


@pytest.mark.parametrize(("code", "text"), list_rows(BAD))
def test_check_reports_uris_that_break_a_scheme_rule(code: str, text: str) -> None:
    assert code in {name for f in check(text) for name in (f.code, *f.details)}


@pytest.mark.parametrize("text", GOOD.split())
def test_check_reports_no_uris_that_conform_to_their_scheme(text: str) -> None:
    codes = {f.code for f in check(text)}
    assert not {f.code for f in check(text) if f.severity == "error"}
    assert not codes & BAD.keys() - {"userinfo"} or text == "ftp://b@a/c;type=i"


def test_a_fragment_is_an_error_only_where_the_scheme_forbids_it() -> None:
    texts = {"tel": "tel:+1", "urn": "urn:ab:c", "data": "data:,", "mailto": "mailto:a@b.example"}
    found: dict[str, str] = {}
    for scheme, rules in SCHEMES.items():
        start = "a" if rules.authority == "forbidden" else "//a.example/"
        for finding in check(texts.get(scheme, f"{scheme}:{start}") + "#f"):
            if finding.component == "fragment":
                found[scheme] = finding.severity
    coap = ("coap", "coaps", "coap+tcp", "coaps+tcp", "coap+ws", "coaps+ws")
    assert found == {"ws": "error", "wss": "error", **dict.fromkeys(coap, "warning")}


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        # RFC 3986, 6.2.3
        ("http://example.com", "http://example.com/"),
        ("http://example.com:/", "http://example.com/"),
        ("http://example.com:80/", "http://example.com/"),
        # RFC 9110, 4.2.3
        ("http://example.com:80/~smith/home.html", "http://example.com/~smith/home.html"),
        ("http://EXAMPLE.com/%7Esmith/home.html", "http://example.com/~smith/home.html"),
        ("http://EXAMPLE.com:/%7esmith/home.html", "http://example.com/~smith/home.html"),
        *(("HTTPS://A:0443?b", "https://a/?b"), ("http://a:443", "http://a:443/")),
        ("http://a:8080", "http://a:8080/"),
        ("http://a:080000000000000000000", "http://a:80000000000000000000/"),
        *(("http://a:00/", "http://a:0/"), ("x://a:01", "x://a:1/"), ("//a:01", "//a:1")),
        *(("http://User@H:80/", "http://User@h/"), ("http://h#f", "http://h/#f")),
        *(("ws://a:80", "ws://a/"), ("wss://a:443/b", "wss://a/b"), ("ftp://a:21", "ftp://a/")),
        *(("ldap://a:389", "ldap://a/"), ("gs://a:/b", "gs://a/b"), ("x://a:", "x://a/")),
        *(("x://a:80", "x://a:80/"), ("x://:", "x:///"), ("//a:", "//a")),
        *(("file://localhost/a", "file:///a"), ("file://LOCALHOST/a", "file:///a")),
        ("URN:ISBN:a%3ab", "urn:isbn:a%3Ab"),
        ("mailto:A@B.Example?Subject=C", "mailto:A@b.example?subject=C"),
        ("data:Text/Plain;Charset=A,B", "data:text/plain;charset=A,B"),
        ("tel:+1-(201).555", "tel:+1201555"),
        ("http://bücher.example:80", "http://bücher.example/"),
        pytest.param(f"http://a:{'0' * 9999}80/", "http://a/", id="many zeros"),
        pytest.param(f"http://a:{'8' * 9999}", f"http://a:{'8' * 9999}/", id="huge port"),
        *((text, text) for text in ("http://example.com/", "s3://a", "//a:80", "x:", "file:/a")),
        ("file://a/b", "file://a/b"),
    ],
)
def test_normalize_by_scheme_applies_the_rules_of_the_scheme(text: str, normal: str) -> None:
    value = parse(text)
    assert str(value.normalize(scheme=True)) == normal
    assert type(value.normalize(scheme=True)) is type(value)
    assert value.is_normalized(scheme=True) == (text == normal)
    assert parse(normal).normalize(scheme=True) == parse(normal)


def test_normalize_by_scheme_returns_normal_uris_themselves() -> None:
    value = URI("http://a/b")
    assert value.normalize(scheme=True) is value
    other = URI("http://a/%2E")
    assert other.normalize(scheme=True, percent_encoding=False, dot_segments=False) is other


def test_normalize_applies_the_given_registry() -> None:
    def without_query(parts: AllParts) -> AllParts:
        return parts._replace(query=None)

    own = Registry([Scheme(name="x-a", default_port=7, empty_path="", normalize=without_query)])
    value = URI("x-a://b:7?c")
    assert value.normalize(scheme=own) == URI("x-a://b")
    assert value.normalize(scheme=True) == URI("x-a://b:7/?c")
    assert value.normalize(scheme=False) is value
    # A registry without http applies the generic rules to it.
    assert URI("http://a:80").normalize(scheme=own) == URI("http://a:80/")
    # An empty registry applies the generic rules to every scheme.
    assert value.normalize(scheme=Registry()) == URI("x-a://b:7/?c")
    acts: list[Any] = [value.normalize, value.is_normalized, value.normalization_changes]
    wrongs: tuple[Any, ...] = ("x", None, 0, [])
    for act, wrong in product(acts, wrongs):
        with pytest.raises(TypeError, match="scheme must be a bool or a Registry, not"):
            act(scheme=wrong)


def test_comparison_applies_the_given_registry() -> None:
    own = SCHEMES.with_schemes(Scheme(name="x-a", default_port=7))
    first, second = URI("x-a://b"), URI("x-a://b:7/")
    assert not first.equivalent(second, level="scheme")
    assert first.equivalent(second, level=own)
    assert first.comparison_key(own) == "x-a://b/"
    with pytest.raises(
        TypeError, match=r"^level must be a Registry or one of string, syntax, scheme, "
    ):
        first.comparison_key(None)  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize(
    "changed",
    [
        *({"path": "//evil.example"}, {"path": "b?c"}, {"host": "a"}, {"scheme": None}),
        *({"query": "a#b"}, {"path": "/b"}),
    ],
)
def test_custom_normalization_cannot_move_characters_between_components(
    changed: dict[str, str | None],
) -> None:
    def step(parts: AllParts) -> AllParts:
        return parts._replace(**changed)  # type: ignore[arg-type]

    own = Registry([Scheme(name="x-a", normalize=step)])
    with pytest.raises(ValueError, match="normalize of 'x-a' must not move data between"):
        URI("x-a:b").normalize(scheme=own)


def test_normalization_changes_lists_scheme_based_changes() -> None:
    changes = URI("http://a:80").normalization_changes(scheme=True)
    assert [tuple(change) for change in changes] == [
        ("scheme", "port", "80", None),
        ("scheme", "path", "", "/"),
    ]
    assert repr(changes[0]) == "Change('scheme', 'port', '80', None)"
    assert URI("http://a:80").normalization_changes() == ()


@st.composite
def uris_of_known_schemes(draw: st.DrawFn) -> str:
    scheme, hier_part = draw(st.sampled_from(sorted(RULES))), draw(produced("hier-part"))
    return f"{scheme}:{hier_part}?{draw(produced('query'))}"


@given(st.one_of(references(), uris_of_known_schemes()))
def test_normalize_by_scheme_is_idempotent_and_keeps_components_apart(text: str) -> None:
    value = IRIReference(text)
    once = value.normalize(scheme=True)
    assert once.normalize(scheme=True) is once
    assert (once.scheme is None, once.host is None) == (value.scheme is None, value.host is None)
    if value.path:
        assert once.path.startswith("/") == value.path.startswith("/")
    # Composing and parsing the result returns the same components.
    after = normalize_by_scheme(split_all_parts(str(value.normalize())), SCHEMES)
    assert split_all_parts(compose_all_parts(after)) == after


#: Groups of equivalent URIs. Those of mailto, tel, urn and file have their own tests.
GROUPS = (
    "http://example.com http://example.com:80/ http://example.com:/ HTTP://EXAMPLE.com/",
    "http://bücher.example http://xn--bcher-kva.example/ http://b%C3%BCcher.example/",
    *("http://b%FFcher", "http://xn--bcher-kva", "x://bücher", "x://xn--bcher-kva"),
    "http://a:081 http://a:81",
    *("http://a:082", "http://a", "https://a", "http://a/b", "http://a/b/", "s3://a", "s3://a/"),
    # Equivalent by syntax, hence by scheme, although RFC 8141, 3.1 decodes nothing
    *("urn:example:a?+b?=c#d URN:Example:a urn:example:%61", "urn:example:A", "urn:example:a/b"),
    *("urn:example:a%2Fb", "file://a/b", "file:///b"),
    *("mailto:a@b.example#é mailto:?to=a@b.example#%C3%A9", "data:TEXT/plain,a data:text/plain,a"),
    "/a:",
)


def test_uris_are_equivalent_by_scheme_to_those_of_their_group_only() -> None:
    members = [(parse(text), group) for group in GROUPS for text in group.split()]
    for (one, group), (other, other_group) in product(members, repeat=2):
        assert one.equivalent(str(other), level="scheme") is (group == other_group), (one, other)
    keys = {(value.comparison_key("scheme"), group) for value, group in members}
    assert len(keys) == len({key for key, _ in keys}) == len(GROUPS)


@given(references())
def test_normalized_identifiers_are_equivalent_by_scheme(text: str) -> None:
    value = IRIReference(text)
    assert value.equivalent(value.normalize(), level="scheme")
    assert value.equivalent(value.normalize(scheme=True), level="scheme")
    assert value.equivalent(value.to_uri(), level="scheme")


def test_effective_port_and_origin_depend_on_the_scheme() -> None:
    for text, port, origin in [
        *(("http://a", 80, "http://a"), ("https://A:/b", 443, "https://a")),
        *(("https://me:pw@a:0443/", 443, "https://a"), ("http://a:0081/", 81, "http://a:81")),
        *(("http://a:90/", 90, "http://a:90"), ("https://a:444/", 444, "https://a:444")),
        *(("https://a:433/", 433, "https://a:433"), ("https://a:343/", 343, "https://a:343")),
        *(("https://a:4430/", 4430, "https://a:4430"), ("http://a:0/", 0, "http://a:0")),
        ("http://[::0]:80/", 80, "http://[::]"),
        ("http://bücher.example/", 80, "http://xn--bcher-kva.example"),
        *(("x://a:1/", 1, "x://a:1"), ("x://a/", None, "x://a")),
        *(("x://%C3%A9/", None, "x://%C3%A9"), ("x:///a", None, None), ("x:a", None, None)),
        *(("sip:a@b", None, None), ("//a:1", 1, None), ("//a", None, None), ("/a", None, None)),
        *(("file://a/b", None, None), ("data://a/,b", None, None)),
        ("javascript://a/%0Ab", None, None),
    ]:
        value = parse(text)
        assert value.effective_port == port
        assert value.origin == origin


def test_no_rules_of_schemes_apply_without_a_registry() -> None:
    assert apply_scheme_rules("http://a:80/", False) == "http://a:80/"
    assert apply_scheme_rules("http://a:80/", SCHEMES) == "http://a/"
