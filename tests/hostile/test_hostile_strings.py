import pytest

from uriverse import IRI, URI, IRIReference, ParseError, URIReference, parse

#: Invalid strings, each with the component and the position of the error.
INVALID = [
    # Parsers disagree where the host ends.
    ("http://evil.com\\@good.com/", "userinfo", 15),
    ("http://good.com@evil.com\\@good.com/", "host", 24),
    *(("http://a@b@c/", "host", 10), ("http://a@b@c:80/", "host", 10)),
    *(("http://a:80@b@c/", "host", 13), ("http://good.com\\.evil.com/", "host", 15)),
    *(("http:\\\\evil.com", "path", 5), ("\\\\evil.com\\share", "path", 0)),
    *(("/\\evil.com", "path", 1), ("http://good.com[evil.com]/", "host", 15)),
    *(("http://[::1]evil.com/", "host", 12), ("http://[::1]:80evil/", "port", 15)),
    *(("http://[::1]@evil.com/", "userinfo", 7), ("http://a:80:90/", "port", 11)),
    *(("http://1:2:3:4:5:6:7:8/", "port", 10), ("http://a:+80/", "port", 9)),
    *(("http://a:-1/", "port", 9), ("http://a:8%30/", "port", 10)),
    ("http://a:\u0661/", "port", 9),
    # Brackets.
    *(("http://[", "host", 8), ("http://[]", "host", 8), ("http://[::1", "host", 11)),
    *(("http://[::1/", "host", 11), ("http://::1]/", "port", 8)),
    *(("http://[1::2::3]/", "host", 12), ("http://[:::]/", "host", 10)),
    *(("http://[:1]/", "host", 9), ("http://[1:]/", "host", 10)),
    *(("http://[12345::]/", "host", 12), ("http://[::g]/", "host", 10)),
    *(("http://[1:2:3:4:5:6:7]/", "host", 21), ("http://[1:2:3:4:5:6:7:8:9]/", "host", 23)),
    *(("http://[1:2:3:4:5:6:7::8]/", "host", 23), ("http://[::ffff:192.168.0.01]/", "host", 26)),
    *(("http://[::256.1.1.1]/", "host", 13), ("http://[::1.2.3]/", "host", 15)),
    *(("http://[::1.2.3.4.5]/", "host", 17), ("http://[1.2.3.4]/", "host", 9)),
    *(("http://[fe80::1%25eth0]/", "host", 15), ("http://[fe80::1%eth0]/", "host", 15)),
    *(("http://[v.a]/", "host", 9), ("http://[v1]/", "host", 10), ("http://[v1.]/", "host", 11)),
    *(("http://[v1.%41]/", "host", 11), ("http://[vg.a]/", "host", 9)),
    *(("http://[x1.a]/", "host", 8), ("http://[::\u0661]/", "host", 10), ("/[", "path", 1)),
    *(("?[", "query", 1), ("#]", "fragment", 1)),
    # Percent signs.
    *(("http://a/abcdef%zz", "path", 16), ("http://a/abcdef%4", "path", 17)),
    *(("http://a/abcdef%4g", "path", 17), ("http://a/abcdef%", "path", 16)),
    *(("http://a/%%41", "path", 10), ("http://a/%u0041", "path", 10)),
    *(("http://a/%\uff14\uff11", "path", 10), ("//%4@a", "userinfo", 4), ("//%", "host", 3)),
    *(("?%1", "query", 3), ("#%x", "fragment", 2), ("%", "path", 1), ("a%41:b", "scheme", 1)),
    # Spaces and controls.
    *((" http://a/", "scheme", 0), ("http://a/ ", "path", 9), ("ht\ntp://a/", "scheme", 2)),
    *(("http://a/\r\nHost: b", "path", 9), ("java\tscript:alert(1)", "scheme", 4)),
    *(("\x01javascript:alert(1)", "scheme", 0), ("http://a b/", "host", 8)),
    *(("http://a/\x7f", "path", 9), ("http://a/\x85", "path", 9)),
    *(('http://a/"onload="', "path", 9), ("http://a/<script>", "path", 9)),
    *(("http://a/?x={y}", "query", 12), ("http://a/^`|", "path", 9)),
    # NUL in each component.
    *(("\0a:b", "scheme", 0), ("a\0:b", "scheme", 1), ("//a\0@b", "userinfo", 3)),
    *(("//a\0", "host", 3), ("//\0", "host", 2), ("//[::\0", "host", 5), ("//[::1]\0", "host", 7)),
    *(("//[v1.a\0]", "host", 7), ("//a:1\0", "port", 5), ("/a\0", "path", 2)),
    *(("/a%\0", "path", 3), ("/a%4\0", "path", 4), ("?a\0", "query", 2), ("#a\0", "fragment", 2)),
    ("\0", "path", 0),
    # Lone surrogates in each component.
    *(("\ud800:b", "scheme", 0), ("//\ud800@b", "userinfo", 2), ("//é\udfff", "host", 3)),
    *(("/é\ud800\udc00", "path", 2), ("?\udc80", "query", 1), ("#\ud800", "fragment", 1)),
    # Noncharacters, specials, tags and private-use characters that an IRI does not allow.
    *(("/\ufdd0", "path", 1), ("/\ufff0", "path", 1), ("/\uffff", "path", 1)),
    *(("/\U0001ffff", "path", 1), ("/\U000e0001", "path", 1), ("#\ue000", "fragment", 1)),
    *(("/\ue000", "path", 1), ("//\U0010fffd", "host", 2)),
    # Invalid schemes.
    *((":", "path", 0), ("://a", "path", 0), ("::", "path", 0), ("1http://a", "scheme", 0)),
    *(("1.2.3.4:80", "scheme", 0), ("ht_tp://a", "scheme", 2), ("-a:b", "scheme", 0)),
    *(("http\uff1aa:b", "scheme", 4), ("\u0430:b", "scheme", 0), ("a/b:c?\x00", "query", 6)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "component", "position"), INVALID)
def test_a_hostile_string_is_rejected_at_its_first_invalid_character(
    text: str, component: str, position: int
) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    error = caught.value
    assert (error.component, error.position) == (component, position)
    assert error.text == text
    for kind in (URI, URIReference, IRI, IRIReference):
        assert kind.try_parse(text) is None


#: Valid IRIs that are not URIs, each with the component and the position of the error.
INVALID_AS_URI = [
    *(("http://a\uff0fb/", "host", 8), ("http://a\uff1a80/", "host", 8)),
    *(("http://a\uff20b/", "host", 8), ("http://a/\u2024\u2024/", "path", 9)),
    *(("http://a/\u202e", "path", 9), ("http://a/?\ue000", "query", 10)),
    *(("http://ex\u00e4mple/", "host", 9), ("http://a/#\u00e9", "fragment", 10)),
    *(("http://\u00e9@a/", "userinfo", 7), ("http://a/\u00a0", "path", 9)),
    ("http://a/\ufeff", "path", 9),
]


@pytest.mark.parametrize(("text", "component", "position"), INVALID_AS_URI)
def test_a_lookalike_of_a_delimiter_is_not_a_delimiter_and_not_allowed_in_a_uri(
    text: str, component: str, position: int
) -> None:
    with pytest.raises(ParseError) as caught:
        URI(text)
    assert (caught.value.component, caught.value.position) == (component, position)
    read = parse(text)
    assert type(read) is IRI
    assert (read.scheme, read.authority is not None) == ("http", True)
    assert str(read) == text


#: Valid URIs that look wrong, each with its host, userinfo, port and path.
VALID = [
    ("http://good.com@evil.com/", "evil.com", "good.com", None, "/"),
    ("http://good.com:80@evil.com/", "evil.com", "good.com:80", None, "/"),
    ("http://evil.com#@good.com/", "evil.com", None, None, ""),
    ("http://evil.com?@good.com/", "evil.com", None, None, ""),
    ("http://evil.com/@good.com/", "evil.com", None, None, "/@good.com/"),
    ("http:evil.com", None, None, None, "evil.com"),
    ("http:/evil.com", None, None, None, "/evil.com"),
    *(("http:///evil.com", "", None, None, "/evil.com"), ("http://:80/", "", None, "80", "/")),
    *(("http://@/", "", "", None, "/"), ("http://::@a/", "a", "::", None, "/")),
    ("http://h:99999999999/", "h", None, "99999999999", "/"),
    ("http://1.2.3.400/", "1.2.3.400", None, None, "/"),
    *(("http://0x7f.1/", "0x7f.1", None, None, "/"), ("http://%00/", "%00", None, None, "/")),
    ("http://a%2F@b/", "b", "a%2F", None, "/"),
    ("http://[V1F.a:b]/", "[V1F.a:b]", None, None, "/"),
    ("http://[::FFFF:1.2.3.4]:/", "[::FFFF:1.2.3.4]", None, "", "/"),
    ("x:%2F%2Fevil.com", None, None, None, "%2F%2Fevil.com"),
    ("javascript:alert(1)", None, None, None, "alert(1)"),
    *(("mailto:a@b", None, None, None, "a@b"), ("http://a//..//b", "a", None, None, "//..//b")),
]


@pytest.mark.parametrize(("text", "host", "userinfo", "port", "path"), VALID)
def test_a_deceptive_uri_is_split_at_its_delimiters(
    text: str, host: str | None, userinfo: str | None, port: str | None, path: str
) -> None:
    uri = URI(text)
    assert (uri.host, uri.userinfo, uri.port_text, uri.path) == (host, userinfo, port, path)
