"""Type checkers infer these types for public names; the file is type-checked and also run."""

import datetime as dt
import enum
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import PurePosixPath, PureWindowsPath
from typing import Literal, SupportsIndex, assert_type
from urllib.request import OpenerDirector

import uriverse
from uriverse import IRI, SCHEMES, URI, IRIReference, Params, Segments, URIReference, columns, dial
from uriverse.schemes import Scheme
from uriverse.suffixes import Suffixes
from uriverse.typing import (
    Change,
    Field,
    Host,
    ParamSource,
    ParamValue,
    ParamValues,
    Parts,
    SegmentData,
    Severity,
)


class Number(enum.IntEnum):
    ONE = 1


class Word(enum.StrEnum):
    ONE = "one"


def test_constructors_and_parse_return_their_types() -> None:
    assert_type((URI("a:"), IRI(URI("a:"))), tuple[URI, IRI])
    assert_type(URIReference.try_parse("a"), URIReference | None)
    assert_type((uriverse.parse("a"), uriverse.is_uri("a")), tuple[IRIReference, bool])
    # Split returns parts and compose returns str.
    parts = uriverse.split("a:b")
    assert_type((parts, parts.authority, uriverse.compose(*parts)), tuple[Parts, str | None, str])
    # Explain returns an explanation.
    explanation = uriverse.explain("a b")
    assert_type((explanation.error, explanation.valid), tuple[uriverse.ParseError | None, bool])
    # Extract yields extracted IRIs.
    for found in uriverse.extract("a://b"):
        assert_type((found, found.value, found.start), tuple[uriverse.Extracted, IRI, int])
        assert_type(found.end, int)


def test_resolving_and_combining_return_the_narrowest_type_that_is_certain() -> None:
    base = URI("http://a/b")
    assert_type((base.resolve(URIReference("c")), base.resolve(URI("c:d"))), tuple[URI, URI])
    assert_type((base.resolve("c"), IRI("http://é/").resolve(URIReference("c"))), tuple[URI, IRI])
    assert_type((IRI("http://é/").scheme, base.scheme.upper()), tuple[str, str])
    assert_type(IRIReference("c").scheme, str | None)
    # Other operations on references are in `test_ordinary_code.py`.
    reference = URIReference("a/b")
    assert_type((IRI("http://é/").then(reference), uriverse.Resolver("a:b")("c")), tuple[IRI, IRI])
    assert_type(URI("a:b").relative_to("a:c"), URIReference)
    assert_type(IRI("http://é/").relative_form(), IRIReference)
    assert_type(URI("a:b").is_relative_to("a:c"), bool)


def test_components_are_str_or_none() -> None:
    uri = URI("http://a:1/b?c#d")
    assert_type((uri.scheme, URIReference("a").scheme), tuple[str, str | None])
    assert_type((uri.host, uri.path, uri.path_and_query), tuple[str | None, str, str])
    assert_type((uri.query, uri.port, uri.port_text), tuple[str | None, int | None, str | None])
    assert_type((uri.segments, uri.raw_segments), tuple[Segments, tuple[str, ...]])
    assert_type((uri.username, uri.password), tuple[str | None, str | None])
    assert_type((uri.ip, uri.is_relative), tuple[IPv4Address | IPv6Address | None, bool])
    assert_type((uri.host_kind, uri.userinfo), tuple[str | None, str | None])
    assert_type((uri.fragment, uri.has_port, uri.is_absolute), tuple[str | None, bool, bool])


def test_edits_return_the_type_of_the_value() -> None:
    iri = IRI("http://a/")
    assert_type((iri.with_host("b"), iri.replace(query=None, port=80)), tuple[IRI, IRI])
    assert_type((iri.with_scheme("b"), iri.with_authority("b")), tuple[IRI, IRI])
    assert_type((iri.with_userinfo("b"), iri.with_port(1).with_query("b")), tuple[IRI, IRI])
    assert_type((iri.sorted_params(), iri.is_same_origin(iri)), tuple[IRI, bool])
    assert_type(iri.is_same_document("b"), bool)
    assert_type((iri / "b", iri.joinpath("b", b"\xff")), tuple[IRI, IRI])
    assert_type(URI.build(scheme="a", path="b"), URI)
    # Names are str and parents have the type of the value.
    uri, iri = URI("http://a/b/c.d"), IRI("http://é/b/c.d")
    assert_type((uri.name, uri.stem, uri.suffix), tuple[str, str, str])
    assert_type((uri.suffixes, uri.parent, iri.parent), tuple[tuple[str, ...], URI, IRI])
    assert_type((uri.parents, iri.parents[0]), tuple[Sequence[URI], IRI])
    assert_type((iri.parents[1:], uri.with_name("e")), tuple[Sequence[IRI], URI])
    assert_type(iri.with_name(b"\xff"), IRI)
    assert_type(URIReference("a").with_stem("b"), URIReference)
    assert_type(IRIReference("a").with_suffix(".b"), IRIReference)
    # Segments return strings or segments.
    segments = URI("http://a/b.c").segments
    assert_type((segments[0], segments[1:], segments.name), tuple[str, Segments, str])
    assert_type((segments.parent, segments.parents), tuple[Segments, Sequence[Segments]])
    assert_type((segments.with_suffix(".d"), list(segments)), tuple[Segments, list[str]])
    assert_type(segments.raw, tuple[str, ...])


def test_edits_of_user_names_hosts_and_parameters_return_the_type_of_the_value() -> None:
    iri = IRI("http://a/")
    user: str | bytes = b"me"
    host: Host = ip_address("::1")
    assert_type(iri.with_username(user).with_password("p").with_password(None), IRI)
    assert_type((iri.without_userinfo(), iri.without_query()), tuple[IRI, IRI])
    assert_type(iri.without_fragment(), IRI)
    assert_type(iri.with_host(host).with_host(ip_address("127.0.0.1")).with_host(None), IRI)
    assert_type(iri.with_param("a", [1, "b", None]).add_param(b"c", 1.5), IRI)
    assert_type(iri.without_params("a", b"c").filter_params(drop="utm_*", keep=["a"]), IRI)
    assert_type(iri.update_params({"a": 1, "b": ["c", 2]}, d=None), IRI)
    assert_type(iri.update_params([("a", 1)]).update_params(), IRI)
    assert_type(URI.build(scheme="a", host=host, username=user, password="p", port="80"), URI)
    assert_type(IRI.build(scheme="a", segments=["", "b", b"c"]), IRI)


def test_parameters_may_be_variables_or_literals_with_values_of_several_types() -> None:
    uri = URI("http://a/")
    strings: dict[str, str] = {"a": "b"}
    lists: dict[str, list[str]] = {"a": ["b"]}
    mixed: Mapping[str, str | int | None] = {"a": 1}
    pairs: list[tuple[str, int]] = [("a", 1)]
    source: ParamSource = {"a": [1, 2]}
    assert_type(uri.with_params(strings).update_params(lists).update_params(**strings), URI)
    assert_type(uri.with_params(mixed).update_params(pairs).with_params(source), URI)
    assert_type(URI.build(scheme="a", params=strings), URI)
    assert_type(URI.build(scheme="a", params=pairs).replace(params=mixed), URI)
    assert_type(URI.build(scheme="a", params=source).replace(params=source), URI)
    assert_type(URI.build(scheme="a", params={"q": "b", "page": 2}), URI)
    assert_type(URI.build(scheme="a", params={"q": "b", "tag": ["c", "d"], "x": 1.5}), URI)
    assert_type(URI.build(scheme="a", params=[("q", "b"), ("page", [1, 2])]), URI)
    assert_type(uri.replace(params={"q": "b", "page": 2}, username="me", password=None), URI)
    assert_type(uri.replace(params=None, segments=["", "b"], protect_path=True), URI)


def test_edits_of_a_subclass_return_the_public_type() -> None:
    link = Link("http://a/b")
    assert_type((link.with_name("c"), link.parents), tuple[URI, Sequence[URI]])
    assert_type(link.with_param("c", "d").with_username("me") / "e", URI)
    assert_type(Link.build(scheme="a", params={"b": "c"}), Link)
    # Edits of subclasses have the public type.
    value = uriverse.URN("urn:a1:b")
    assert_type((value.with_path("a1:c"), value.with_fragment(None)), tuple[URI, URI])
    assert_type((value.replace(query="=a"), value.replace(params={"a": 1})), tuple[URI, URI])
    assert_type((value.with_params([("a", 1)]), value.with_param("a", 1)), tuple[URI, URI])
    assert_type((value.normalize(scheme=True), value.redacted()), tuple[URI, URI])
    assert_type((value.parent, value.parents, value / "a" / "b"), tuple[URI, Sequence[URI], URI])
    own = Own("urn:a1:b")
    assert_type((own.with_path("a1:c"), own.normalize(), own.parent), tuple[URI, URI, URI])
    assert_type((IRI("a:").with_path("é"), URIReference("a") / "b"), tuple[IRI, URIReference])
    assert_type(IRIReference("é").nfc(), IRIReference)
    # Building and parsing have the type of the subclass.
    assert_type((Own.build(scheme="a"), Own.try_parse("a:")), tuple[Own, Own | None])


class Link(URI):
    """A subclass without attributes."""


def test_params_map_names_to_strings() -> None:
    params = URI("http://a/?b=c").params
    assert_type((params["b"], params[b"b"], params.get("b")), tuple[str, str, str | None])
    assert_type((params.get("b", ""), params.get("b", 0)), tuple[str, str | int])
    assert_type(params.getall("b"), list[str])
    assert_type((params.getall("c", None), list(params)), tuple[list[str] | None, list[str]])
    assert_type(list(params.items()), list[tuple[str, str]])
    assert_type(list(params.values()), list[str])
    assert_type(params.raw_items(), tuple[tuple[str, str | None], ...])
    assert_type((dict(params), params.query), tuple[dict[str, str], str | None])
    assert_type(params.with_param("b", [1, 2.5, None, "x", b"y"]), Params)
    assert_type(params.updated({"a": 1}, b="2").without("a").sorted().filter(drop="x"), Params)
    assert_type(URI("http://a/").with_params({"a": [1, 2]}), URI)
    # Values of several types, as in the documentation.
    assert_type(URI("http://a/").with_params({"q": "50% & more", "page": [1, 2], "r": None}), URI)
    assert_type(params.updated({"tag": ["a b", "c"], "z": 1.5}, b=b"y"), Params)
    assert_type(URI("http://a/").with_params(params), URI)
    assert_type(URI("http://a/").with_params(None), URI)
    assert_type(params.updated(params.items()), Params)
    assert_type(IRI("http://a/").with_params([("a", "b")]), IRI)
    assert_type(Params.build({"a": [1, "b"], "c": None}, codec="rfc3986"), Params)
    assert_type(Params.build([("a", "b"), ("c", "d")], separator=";"), Params)
    assert_type(Params.build([("a", "b"), (b"c", 1)]), Params)
    assert_type(Params.build(params), Params)


def test_arguments_of_params_have_public_types() -> None:
    now = dt.datetime.now(dt.UTC)
    assert_type(Params().with_param("a", Decimal(1)).add_param("a", uuid.uuid4()), Params)
    assert_type(Params().with_param("a", now).with_param("b", [now.date(), now.time()]), Params)
    assert_type(Params().with_param("a", Number.ONE).with_param("b", Word.ONE), Params)
    assert_type(Params.build({"a": Decimal(1), "b": now, "c": [Number.ONE, "d"]}), Params)
    assert_type(Params().updated({"a": Decimal(1)}, b=now, c=[1, now]), Params)
    index: SupportsIndex = 1
    assert_type(Params().with_param("a", index), Params)
    # Arguments have public types.
    name: str | bytes = b"a"
    value: ParamValue = 1
    values: ParamValues = ["a", b"b", 1, 1.5, None]
    source: ParamSource = {"a": values, b"b": value}
    segment: SegmentData = "a"
    assert_type(Params().with_param(name, values).add_param(name, value), Params)
    assert_type(Params().updated(source).without(name, segment), Params)
    assert_type(URI("http://a/").with_segments(["", segment, b"b"]) / segment, URI)
    assert_type(URI.build(scheme="a", segments=[segment]), URI)


def test_normalize_and_conversions_return_uris_or_iris() -> None:
    assert_type((URI("a:b").normalize(case=False), IRI("a:b").normalize()), tuple[URI, IRI])
    assert_type(IRI("a:b").normalize(dot_segments="all"), IRI)
    assert_type(URI("a:b").is_normalized(ipv6=False), bool)
    assert_type(URI("a:b").normalization_changes(), tuple[Change, ...])
    assert_type(URI("a:b").equivalent("a:c", level="string"), bool)
    assert_type(URI("a:b").comparison_key("syntax"), str)
    # Conversions return URIs or IRIs.
    assert_type(IRI("a:b").to_uri(), URI)
    assert_type(IRIReference("a:b").to_uri(host="idna"), URIReference)
    assert_type(URI("a:b").to_iri(), IRI)
    assert_type(uriverse.HTTPURI("http://a").to_iri(host="idna"), IRI)
    assert_type(IRIReference("b").to_iri(host="idna"), IRIReference)
    assert_type((URIReference("b").to_iri(), IRI("a:b").display()), tuple[IRIReference, str])
    assert_type((IRI("a:b").nfc(), IRI("a:b").is_nfc), tuple[IRI, bool])
    assert_type(IRI("a:b").bidi_findings, tuple[uriverse.BidiFinding, ...])
    # Percent functions return str or bytes.
    assert_type(uriverse.percent.encode(b"a", "segment", iri=True), str)
    assert_type(uriverse.percent.decode("a", "keep"), str)
    assert_type(uriverse.percent.decode("a", errors="surrogateescape"), str)
    assert_type(uriverse.percent.decode_bytes("a"), bytes)
    assert_type(uriverse.percent.decode_unreserved("a"), str)
    assert_type(uriverse.percent.uppercase("a"), str)


def test_scheme_functions_accept_and_return_public_types() -> None:
    assert_type(uriverse.SCHEMES["http"], Scheme)
    assert_type(uriverse.SCHEMES.with_schemes(Scheme(name="x-a")), uriverse.schemes.Registry)
    assert_type(uriverse.SCHEMES.rules_of("http").default_port, int | None)
    assert_type(URI("http://a").normalize(scheme=uriverse.SCHEMES), URI)
    assert_type(URI("http://a").equivalent("http://a/", level="scheme"), bool)
    assert_type(URI("http://a").effective_port, int | None)
    assert_type(URI("http://a").is_default_port, bool)
    assert_type(URI("http://a").origin, str | None)


class Own(URI):
    """A subclass of a user."""


def test_typed_uris_return_public_types() -> None:
    assert_type(uriverse.URN("urn:example:a").host, str | None)
    assert_type(uriverse.HTTPURI("http://a/").host, str)
    assert_type(uriverse.HTTPURI("http://a/").effective_port, int)
    assert_type(uriverse.URN.try_parse("a"), uriverse.URN | None)
    assert_type(uriverse.URN.build(scheme="urn", path="example:a"), uriverse.URN)
    assert_type(uriverse.URN("urn:example:a").r_component, str | None)
    assert_type(uriverse.URN.from_parts("example", "a"), uriverse.URN)
    assert_type(uriverse.DataURI.from_parts(b"a").data, bytes)
    assert_type(uriverse.MailtoURI.from_parts(["a@b.example"]).to, tuple[str, ...])
    assert_type(uriverse.FileURI.from_posix("/a").to_posix(), PurePosixPath)
    assert_type(uriverse.FileURI.from_windows("c:\\a").to_windows(), PureWindowsPath)
    assert_type(uriverse.TelURI("tel:+1").is_global, bool)
    assert_type(uriverse.HTTPURI("http://a/").origin, str)
    page, suffixes = uriverse.HTTPURI("http://a/"), Suffixes()
    assert_type(page.is_same_site("http://a/", public_suffix=suffixes), bool)
    assert_type(page.is_same_site("http://a/", public_suffix=lambda name: name), bool)
    assert_type(uriverse.Policy().review(suffixes=suffixes), list[uriverse.RuleFinding])
    assert_type(uriverse.TelURI("tel:+1").isdn_subaddress, str | None)
    assert_type(uriverse.TelURI("tel:+1;a").parameters["a"], str | None)


def test_check_hosts_and_policies_return_public_types() -> None:
    found = uriverse.check("a", "web", severities={"syntax": "off"})
    assert_type(found, list[uriverse.Finding])
    severities: dict[str, Severity] = {"form": "info"}
    off: dict[str, Severity | Literal["off"]] = {"form": "off"}
    assert_type(uriverse.check("a", severities=severities or off), list[uriverse.Finding])
    assert_type([finding.suggestion for finding in found], list[str | None])
    assert_type(uriverse.hosts.lookalike_ip("127.1"), IPv4Address | None)
    assert_type(uriverse.hosts.special_use("a.local"), str | None)
    assert_type(uriverse.Policy(allow={"a.example"}).enforce("http://a.example"), URI)
    assert_type(uriverse.Policy.public_web(), uriverse.Policy)
    assert_type(uriverse.Policy.for_redirects("http://a.example", {"b.example"}).base, str | None)


def test_plans_and_openers_have_public_types() -> None:
    def resolver(name: str) -> list[IPv4Address]:
        return [IPv4Address("9.9.9.9")]

    plan = dial.lookup(uriverse.Policy(), "http://a.example/", resolver=resolver)
    assert_type(plan, dial.ConnectionPlan)
    assert_type(plan.addresses, tuple[IPv4Address | IPv6Address, ...])
    assert_type(plan.rejected, tuple[dial.RejectedAddress, ...])
    assert_type(dial.urllib_opener(uriverse.Policy(), resolver=resolver), OpenerDirector)
    assert_type(dial.system_resolver("localhost"), list[IPv4Address | IPv6Address])


def test_column_functions_return_arrays() -> None:
    texts = ["http://a/", None]
    assert_type(columns.parse(texts, "uri", fields=["host", "bounds"], threads=1), columns.Array)
    assert_type(columns.parse(texts, fields=columns.FIELDS, layout="string_view"), columns.Array)
    assert_type(columns.FIELDS, tuple[Field, ...])
    assert_type(columns.is_valid(texts, "absolute-iri"), columns.Array)
    assert_type(columns.host(texts, layout="large_string"), columns.Array)
    assert_type(columns.hostname(texts), columns.Array)
    assert_type(columns.port(texts, threads=2), columns.Array)
    assert_type(columns.origin(texts), columns.Array)
    assert_type(columns.reversed_host(texts), columns.Array)
    assert_type(columns.normalize(texts, case=False, scheme=SCHEMES), columns.Array)
    assert_type(columns.normalize(texts, dot_segments="all"), columns.Array)
    assert_type(columns.resolve("http://a/", texts, strict=False), columns.Array)
    assert_type(columns.resolve(URI("http://a/"), texts), columns.Array)
    assert_type(columns.relativize(texts, texts, walk_up=False), columns.Array)
    assert_type(columns.to_uri(texts, host="idna"), columns.Array)
    assert_type(columns.to_iri(texts, host="idna"), columns.Array)
    assert_type(columns.encode(texts, "segment", iri=True), columns.Array)
    assert_type(columns.decode(texts, "keep"), columns.Array)
    assert_type(columns.redact(texts, usernames=True), columns.Array)
    assert_type(columns.match(texts, "/{id}"), columns.Array)
    assert_type(columns.route(texts, "user = '/{id}'"), columns.Array)
    assert_type(columns.expand("/{id}", {"id": texts}, layout="string"), columns.Array)
    assert_type((uriverse.redact("a", usernames=True), URI("a:b").redacted()), tuple[str, URI])
    assert_type(columns.query_param(texts, "a"), columns.Array)
    assert_type(columns.query_params(texts), columns.Array)
    assert_type(columns.findings(texts, "web"), columns.Array)
    assert_type(columns.surt(texts), columns.Array)
    assert_type(columns.fingerprint(texts, "scheme"), columns.Array)
    # An array is accepted as a column.
    made = columns.host(["http://a/"])
    assert_type((len(made), made.chunks, columns.host(made)), tuple[int, int, columns.Array])
