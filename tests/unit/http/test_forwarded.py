import pickle
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_network
from typing import Any

import pytest

from uriverse import ParseError, http
from uriverse.http import ForwardedElement, Node, client_request, parse_forwarded, x_forwarded


def test_a_node_is_an_address_or_an_identifier_with_a_port() -> None:
    for text, name, port in [
        *(("192.0.2.43", "192.0.2.43", None), ("192.0.2.43:47011", "192.0.2.43", "47011")),
        *(("[2001:db8:cafe::17]:4711", "[2001:db8:cafe::17]", "4711"), ("[::1]", "[::1]", None)),
        *(("unknown", "unknown", None), ("Unknown:80", "Unknown", "80")),
        *(("_gazonk", "_gazonk", None), ("_SEVKISEK.a-b:_p.q", "_SEVKISEK.a-b", "_p.q")),
    ]:
        node = Node(text)
        assert (node.name, node.port_text, str(node)) == (name, port, text)
        assert pickle.loads(pickle.dumps(node)) == node
    # Only addresses have an IP.
    assert Node("192.0.2.1:80").ip == IPv4Address("192.0.2.1")
    assert Node("[::1]").ip == IPv6Address("::1")
    assert Node("unknown").ip is None
    # An invalid node is rejected with a position.
    for text, position in [
        *(("", 0), ("a.example", 0), ("_", 0), ("_a b", 0), ("::1", 0), ("[::1", 0), ("[v1.a]", 0)),
        *(("192.0.2.1.", 0), ("010.0.0.1", 0), ("192.0.2.1:", 9), ("192.0.2.1:123456", 9)),
        *(("192.0.2.1:_", 9), ("192.0.2.1:8 0", 9), ("[::1]80", 5), ("unknown:x", 7)),
    ]:
        with pytest.raises(ParseError) as caught:
            Node(text)
        assert caught.value.position == position


def test_the_examples_of_rfc_7239_are_parsed() -> None:
    (first,) = parse_forwarded('for="_gazonk"')
    assert first == ForwardedElement(for_=Node("_gazonk"))
    (second,) = parse_forwarded(b'For="[2001:db8:cafe::17]:4711"')
    assert second.for_ == Node("[2001:db8:cafe::17]:4711")
    (third,) = parse_forwarded("for=192.0.2.60;proto=http;by=203.0.113.43")
    assert third == ForwardedElement(for_=Node("192.0.2.60"), proto="http", by=Node("203.0.113.43"))
    assert len(parse_forwarded("for=192.0.2.43, for=198.51.100.17")) == 2


def test_elements_are_written_as_they_were_parsed() -> None:
    for text, expected in [
        *(("", []), (" , ,", []), ("for=unknown", ["for=unknown"])),
        *(('for="\\u\\n\\known"', ["for=unknown"]), (";", [";"]), ("for=_a;;", ["for=_a"])),
        *(("for=_a ; by=_b", ["for=_a;by=_b"]), (", for=_a , ,for=_b,", ["for=_a", "for=_b"])),
        *(('host="a.example:80"', ['host="a.example:80"']), ('host=""', ['host=""'])),
        *(("PROTO=HTTPS", ["proto=HTTPS"]), ('secret="a\\"b, c;d"', ['secret="a\\"b, c;d"'])),
        ('x="\u00e9"', ['x="\u00e9"']),
    ]:
        elements = parse_forwarded(text)
        assert [str(element) for element in elements] == expected
        assert parse_forwarded(", ".join(map(str, elements))) == elements
    # An element without parameters still counts as a proxy.
    elements = (ForwardedElement(for_=Node("_a")), ForwardedElement())
    assert parse_forwarded(", ".join(map(str, elements))) == elements
    # An invalid field is rejected with a position.
    for text, position in [
        *(("for", 3), ("for=", 4), ("for =_a", 3), ("for= _a", 4), ("=a", 0), ("for=_a for=_b", 7)),
        *(("for=_a;for=_b", 7), ("for=_a;FOR=_b", 7), ("for=[::1]", 4), ('for="::1"', 5)),
        *(('for="\\1\\9\\2.0.2.1:x"', 17), ('for="[::1]', 4), ('for="\x00"', 5)),
        *(('for="\u0100"', 5), ('host="a b"', 7), ('proto="a b"', 7), ("for=192.0.2.1:80", 13)),
        ("a=b\u00e9", 3),
    ]:
        with pytest.raises(ParseError) as caught:
            parse_forwarded(text)
        assert (caught.value.text, caught.value.position) == (text, position)
    # A quote that a client left open does not hide the element of a proxy.
    with pytest.raises(ParseError, match="unterminated quoted string"):
        parse_forwarded('for="_a, for=192.0.2.1')


def test_an_element_validates_its_parameters() -> None:
    for extensions in [
        *((("for", "a"),), (("a", "b"), ("a", "c")), (("A", "b"),), (("a b", "c"),)),
        (("a", "\n"),),
    ]:
        with pytest.raises(ValueError, match="extension"):
            ForwardedElement(extensions=extensions)
    # An element validates its host and its scheme.
    with pytest.raises(ParseError):
        ForwardedElement(host="a/b")
    with pytest.raises(ParseError, match="invalid scheme"):
        ForwardedElement(proto="1")
    # An element contains nodes and not strings.
    for name in ["for_", "by"]:
        # A string would be written without validation.
        with pytest.raises(TypeError, match="expected a Node or None, not str"):
            ForwardedElement(**{name: "a, for=192.0.2.1"})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_x_forwarded_fields_belong_together() -> None:
    text: Any
    host: Any
    expected: Any
    for text, expected in [
        *(("", []), ("\t", []), ("192.0.2.1", ["192.0.2.1"])),
        ("192.0.2.1:80, unknown", ["192.0.2.1:80", "unknown"]),
        ("2001:db8::1,[::1],[::1]:80", ["[2001:db8::1]", "[::1]", "[::1]:80"]),
        # An empty value is the report of a proxy too.
        (" , 192.0.2.1\t,", ["None", "192.0.2.1", "None"]),
        (b"192.0.2.1", ["192.0.2.1"]),
    ]:
        assert [str(element.for_) for element in x_forwarded(for_=text)] == expected
    # The last values of all `X-Forwarded` fields belong together.
    first, second = x_forwarded(for_="192.0.2.1, 192.0.2.2", proto="https", host="a, b", port="81")
    assert first == ForwardedElement(for_=Node("192.0.2.1"), host="a")
    assert second == ForwardedElement(for_=Node("192.0.2.2"), proto="https", host="b:81")
    assert (list(x_forwarded()), x_forwarded(proto="http, https")[1].proto) == ([], "https")
    # `X-Forwarded-Port` is the port of a host without one.
    for host, expected in [
        *(("a", "a:81"), ("a:", "a:81"), ("a:82", "a:82"), ("[::1]", "[::1]:81")),
        (f"a:{'9' * 700}", f"a:{'9' * 700}"),
    ]:
        assert x_forwarded(host=host, port="81")[0].host == expected
    # `X-Forwarded-Port` requires a host.
    with pytest.raises(ValueError, match="port requires host"):
        x_forwarded(port="81")
    # An invalid value is rejected when its element is read.
    for text in ["a.example", "192.0.2.1 192.0.2.2", "<script>", "::1%eth0"]:
        # Not before: the value may come from a client, and then nothing reads it.
        elements = x_forwarded(
            for_=f"{text}, 192.0.2.1", host=f"{text}/, a.example", proto=f"{text}/,"
        )
        assert elements[1] == ForwardedElement(for_=Node("192.0.2.1"), host="a.example")
        assert (list(elements[1:]), len(elements)) == ([elements[-1]], 2)
        with pytest.raises(ParseError):
            elements[0]
        for given in ({"for_": text}, {"host": f"{text}/"}, {"proto": f"{text}/"}):
            with pytest.raises(ParseError):
                list(x_forwarded(**given))


def test_a_representation_shows_no_secrets_and_not_what_clients_send() -> None:
    assert "secret" not in repr(x_forwarded(host="me:secret@a"))
    # A representation does not show passwords and secret parameters.
    (element,) = parse_forwarded('for=192.0.2.1;url="http://me:pw@a/";secret=abc;a=b')
    assert repr(element) == (
        "ForwardedElement(for_=Node(text='192.0.2.1'), by=None, host=None, proto=None, "
        "extensions=(('url', 'http://me:REDACTED@a/'), ('secret', 'REDACTED'), ('a', 'b')))"
    )


#: The client forged the first element. The proxies 192.0.2.2 and 10.0.0.2 added the others.
ELEMENTS = parse_forwarded(
    "for=203.0.113.9;proto=ftp;host=evil.example,"
    "for=198.51.100.7;proto=HTTPS;host=a.example, for=192.0.2.2, for=10.0.0.2;host=internal"
)


def request(
    peer: str | None = "10.0.0.1",
    *,
    hops: int = 0,
    networks: tuple[str, ...] = (),
    elements: str | bytes | Sequence[ForwardedElement] = ELEMENTS,
) -> http.ClientRequest:
    return client_request(peer, elements, scheme="http", host="local", hops=hops, networks=networks)


def test_each_trusted_hop_is_one_element_from_the_right() -> None:
    elements: Any
    assert request() == (Node("10.0.0.1"), "http", "local")
    # Each trusted hop is one element from the right.
    for hops, client, scheme, host in [
        *((1, "10.0.0.2", "http", "internal"), (2, "192.0.2.2", "http", "internal")),
        *((3, "198.51.100.7", "https", "a.example"), (9, "203.0.113.9", "ftp", "evil.example")),
    ]:
        assert request(hops=hops) == (Node(client), scheme, host)
        field = ", ".join(map(str, ELEMENTS))
        assert request(hops=hops, elements=field) == (Node(client), scheme, host)
    # The first address outside the trusted networks is the client.
    for peer, networks, client in [
        ("10.0.0.1", ("10.0.0.0/8",), "192.0.2.2"),
        ("10.0.0.1", ("10.0.0.0/8", "192.0.2.0/24"), "198.51.100.7"),
        ("10.0.0.1", ("10.0.0.1",), "10.0.0.2"),
        ("::ffff:10.0.0.1", ("10.0.0.0/8",), "192.0.2.2"),
        ("10.0.0.1", ("192.0.2.0/24",), "10.0.0.1"),
        ("2001:db8::1", ("10.0.0.0/8", "2001:db8::/32"), "192.0.2.2"),
        ("2001:db8::1", ("10.0.0.0/8",), "[2001:db8::1]"),
        *(("fe80::1%eth0", ("10.0.0.0/8",), "[fe80::1]"), (None, ("0.0.0.0/0", "::/0"), "unknown")),
    ]:
        assert request(peer, networks=networks).client == Node(client)
    # Networks can be objects of ipaddress.
    found = client_request(
        IPv4Address("10.0.0.1"),
        ELEMENTS,
        scheme="http",
        host="a",
        networks=[ip_network("10.0.0.1")],
    )
    assert found.client == Node("10.0.0.2")
    # A hidden or unreported node is not in a trusted network.
    for last in ("for=_hidden", "proto=https"):
        elements = parse_forwarded(f"for=203.0.113.9, {last}")
        found = request(networks=("0.0.0.0/0",), elements=elements)
        assert found.client in {Node("_hidden"), Node("unknown")}
    # A Unix socket has trusted hops but no address.
    assert request(None).client == Node("unknown")
    assert request(None, hops=1).client == Node("10.0.0.2")
    # Without a field the peer is the client.
    for elements in ("", b" \t", (), x_forwarded(for_="", host=" ")):
        assert request(hops=2, elements=elements).client == Node("10.0.0.1")
    # Invalid arguments about trust are rejected.
    for peer, hops, networks in [
        *(("10.0.0.1", -1, ()), ("10.0.0.1", 1, ("10.0.0.0/8",)), ("a", 0, ()), ("::", 0, ("a",))),
    ]:
        with pytest.raises(ValueError, match=r"must|appear"):
            request(peer, hops=hops, networks=networks)


def test_a_forged_element_never_counts_if_the_trust_is_right() -> None:
    forged = parse_forwarded("for=203.0.113.9, " * 3 + "for=198.51.100.7")
    assert request(hops=1, elements=forged).client == Node("198.51.100.7")
    assert request(networks=("10.0.0.0/8",), elements=forged).client == Node("198.51.100.7")


@pytest.mark.parametrize(
    "forged",
    [
        *("(null)", "for=my-host", 'for="_a', 'for=_a"', '"', '\\"', 'a="\\', 'host="evil.example'),
        *("for=_a;for=_a", "proto=1", "\x00\u00e9", ",,", 'x="'),
    ],
)
def test_a_client_cannot_change_the_element_of_a_trusted_proxy(forged: str) -> None:
    for added in [
        *("for=198.51.100.7", 'host="a.example";for="198.51.100.7"'),
        'for=198.51.100.7;x="a, for=_b;\\"\\\\=\\""',
        *('x="; proto=ftp, for=203.0.113.9 ";for=198.51.100.7', 'x="";for=198.51.100.7 '),
    ]:
        for comma in (", ", ",", " ,\t"):
            text = f"{forged}{comma}{added}"
            for sent in (text, text.encode("latin-1")):
                assert request(hops=1, elements=sent).client == Node("198.51.100.7")
                assert request(networks=("10.0.0.0/8",), elements=sent).client == Node(
                    "198.51.100.7"
                )
                assert request(elements=sent).client == Node("10.0.0.1")


@pytest.mark.parametrize("forged", ["(null)", "my-host", "(null), my-host", "<script>", '"', ",,"])
def test_a_client_cannot_change_the_x_forwarded_values_of_a_trusted_proxy(forged: str) -> None:
    elements = x_forwarded(
        for_=f"{forged}, 198.51.100.7",
        proto=f"{forged}, https",
        host=f"{forged}/, a.example",
        port=f"{forged}, 81",
    )
    expected = (Node("198.51.100.7"), "https", "a.example:81")
    assert request(hops=1, elements=elements) == expected
    assert request(networks=("10.0.0.0/8",), elements=elements) == expected
    assert request(elements=elements) == (Node("10.0.0.1"), "http", "local")


def test_an_invalid_element_of_a_trusted_proxy_is_rejected() -> None:
    elements: Any
    for elements in [
        *("for=203.0.113.9, for=my-host", "for=203.0.113.9, (null)", 'for=203.0.113.9, for="_a'),
        *('for=203.0.113.9, "', 'for=203.0.113.9, for="_a"_b'),
        *(x_forwarded(for_="203.0.113.9, (null)"), x_forwarded(for_="192.0.2.1", host="a/b")),
        x_forwarded(for_="192.0.2.1", proto="1"),
    ]:
        with pytest.raises(ParseError):
            request(hops=1, elements=elements)
        assert request(elements=elements).client == Node("10.0.0.1")
    # An empty last value is not replaced by the value of a client.
    for elements in [
        "for=203.0.113.9;host=evil.example;proto=https, ",
        "for=203.0.113.9;host=evil.example;proto=https,;",
        x_forwarded(for_="203.0.113.9, ", host="evil.example, ", proto="https,", port="81,"),
        x_forwarded(for_="203.0.113.9, ", host="evil.example, ,", proto="https, ,\t"),
    ]:
        assert request(hops=1, elements=elements) == (Node("unknown"), "http", "local")
        assert request(networks=("10.0.0.0/8",), elements=elements).client == Node("unknown")
    # An invalid host field is rejected if no proxy reports another host.
    for host in ["good.example@evil", "a/b", "a b", "a\r\nX: b", "http://me:pw@a"]:
        with pytest.raises(ParseError):
            client_request("10.0.0.1", "", scheme="http", host=host)
        with pytest.raises(ParseError):
            client_request("10.0.0.1", "for=192.0.2.1", scheme="http", host=host, hops=1)
        found = client_request("10.0.0.1", "host=a.example", scheme="http", host=host, hops=1)
        assert found.host == "a.example"


def test_a_trusted_proxy_in_the_field_may_be_an_ipv4_mapped_address() -> None:
    elements = 'for=198.51.100.7, for="[::ffff:10.0.0.2]"'
    assert request(networks=("10.0.0.0/8",), elements=elements).client == Node("198.51.100.7")
