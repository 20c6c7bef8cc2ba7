from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import IRI, URI, parse
from uriverse._errors import ConvertError, ParseError
from uriverse._spec.syntax import matches
from uriverse._typed.http import HTTPURI

SUFFIXES = ("com", "org", "co.uk", "github.io", "xn--kgbechtv", "io", "uk")


def public_suffix(name: str) -> str:
    """Return the longest of SUFFIXES that matches the name, or else its last label."""
    fitting = [s for s in SUFFIXES if name == s or name.endswith(f".{s}")]
    return max(fitting, key=len, default=name.rpartition(".")[2])


def test_effective_port_and_origin_are_normalized() -> None:
    for text, port, origin in [
        # RFC 6454, 6.2, with the URIs of sections 4 and 5
        ("http://example.com/", 80, "http://example.com"),
        ("http://example.com:80/", 80, "http://example.com"),
        ("http://example.com/path/file", 80, "http://example.com"),
        ("http://example.com:8080/", 8080, "http://example.com:8080"),
        ("https://example.com:80/", 80, "https://example.com:80"),
        ("https://example.com/", 443, "https://example.com"),
        # RFC 9110, 4.2.3
        ("http://example.com:80/~smith/home.html", 80, "http://example.com"),
        ("http://EXAMPLE.com/%7Esmith/home.html", 80, "http://example.com"),
        ("http://EXAMPLE.com:/%7esmith/home.html", 80, "http://example.com"),
        ("HTTPS://me:pw@Example.COM:0443", 443, "https://example.com"),
        *(("http://a:00/", 0, "http://a:0"), ("http://a:443/", 443, "http://a:443")),
        ("http://a:99999/", 99999, "http://a:99999"),
        ("http://[2001:DB8:0::1]:81/", 81, "http://[2001:db8::1]:81"),
        ("http://[::FFFF:192.0.2.1]/", 80, "http://[::ffff:192.0.2.1]"),
        ("http://%65x%2Dample%2ecom/", 80, "http://ex-ample.com"),
        ("http://xn--BCHER-KVA.example/", 80, "http://xn--bcher-kva.example"),
        *(("http://b%c3%bccher/", 80, "http://xn--bcher-kva"), ("http://a./", 80, "http://a.")),
        ("http://%20", 80, "http://%20"),
    ]:
        uri = HTTPURI(text)
        assert str(uri) == text
        assert (uri.effective_port, uri.origin) == (port, origin)
        assert HTTPURI(uri.origin).origin == origin
        assert uri.is_same_origin(origin)


#: URIs of the same origin, one group for each. The first ones are those of RFC 6454, 5.
ORIGINS = (
    "http://example.com/ http://example.com:80/ http://example.com/path/file HTTP://EXAMPLE.com:/",
    *("http://example.com:8080/", "http://www.example.com/", "http://example.com./"),
    "https://example.com/ HTTPS://example.com:443?b#c",
    *("https://example.com:80/", "http://example.org/", "http://ietf.org/", "ftp://example.com/"),
    "https://me@xn--bcher-kva.example:443 https://b%C3%BCcher.example:/?b#c",
)
OPAQUE = "urn:a:b /a //h/a data:,a file:///a"


def test_same_origin_compares_scheme_host_and_port() -> None:
    for group, other_group in product((*ORIGINS, *OPAQUE.split()), repeat=2):
        for one, other in product(map(parse, group.split()), map(parse, other_group.split())):
            same = group == other_group and group not in OPAQUE
            assert one.is_same_origin(other) is one.is_same_origin(str(other)) is same
            if one.scheme in {"http", "https"}:
                assert HTTPURI(one).is_same_origin(other) is same
    for value in (HTTPURI("https://h"), parse("/a"), IRI("https://é")):
        with pytest.raises(ParseError):
            value.is_same_origin("a b")
        with pytest.raises(TypeError):
            value.is_same_origin(None)  # type: ignore[arg-type]


PROJECT = "/pub/WWW/TheProject.html"


def test_host_header_and_request_targets_follow_rfc_9112() -> None:
    for text, host, origin, absolute, port in [
        # RFC 9112, 3.2.1 to 3.2.3
        ("http://www.example.org/where?q=now", "www.example.org", "/where?q=now", "", 80),
        (f"http://www.example.org{PROJECT}", "www.example.org", PROJECT, "", 80),
        ("https://a", "a", "/", "", 443),
        ("https://me:pw@A:?#f", "A:", "/?", "https://A:?", 443),
        ("http://a:080//b/../c#d", "a:080", "//b/../c", "http://a:080//b/../c", "080"),
        ("http://[::1]:80?q", "[::1]:80", "/?q", "http://[::1]:80?q", 80),
        ("http://[::1]/%2f", "[::1]", "/%2f", "http://[::1]/%2f", 80),
        ("http://@a/", "a", "/", "http://a/", 80),
    ]:
        uri = HTTPURI(text)
        assert uri.host_header == host
        assert uri.request_target() == uri.request_target("origin") == origin
        assert uri.request_target("absolute") == (absolute or text)
        assert uri.request_target("authority") == f"{uri.host}:{port}"
        with pytest.raises(ValueError, match="form must be one of origin, absolute, authority"):
            uri.request_target("relative")  # type: ignore[arg-type]


def test_the_asterisk_form_addresses_a_whole_server() -> None:
    # RFC 9112, 3.2.4
    uri = HTTPURI("http://www.example.org:8001")
    assert (uri.request_target("asterisk"), uri.host_header) == ("*", "www.example.org:8001")
    assert HTTPURI("http://me@a#f").request_target("asterisk") == "*"
    for end, component in (("/", "path"), ("/b?c", "path"), ("?", "query")):
        with pytest.raises(ConvertError) as caught:
            HTTPURI(f"http://a{end}").request_target("asterisk")
        assert (caught.value.component, caught.value.position) == (component, 8)
        assert caught.value.rule == "asterisk-form"


@given(
    st.sampled_from(["", "me@", "me:pw@", "@"]),
    st.sampled_from(["a", "A.example", "[::1]", "1.2.3.4", "%41"]),
    st.sampled_from(["", ":", ":80", ":0443", ":8080"]),
    st.sampled_from(["", "/", "//", "/a/../b", "/%2f:@"]),
    st.sampled_from(["", "?", "?a=b?/"]),
    st.sampled_from(["", "#", "#f"]),
)
def test_request_targets_omit_userinfo_and_fragment_and_match_their_rules(
    userinfo: str, host: str, port: str, path: str, query: str, fragment: str
) -> None:
    uri = HTTPURI(f"http://{userinfo}{host}{port}{path}{query}{fragment}")
    assert uri.host_header == f"{host}{port}"
    assert uri.request_target() == f"{path or '/'}{query}"
    absolute = uri.request_target("absolute")
    assert matches(absolute, "absolute-URI")
    assert HTTPURI(absolute).userinfo is None
    assert HTTPURI(absolute).request_target() == uri.request_target()
    assert HTTPURI(absolute).is_same_origin(uri)
    authority = HTTPURI(f"http://{uri.request_target('authority')}")
    assert authority.effective_port == uri.effective_port
    assert authority.port is not None
    # The Host header and the origin-form compose to the absolute-form.
    assert absolute == f"http://{uri.host_header}{uri.request_target() if path else query}"


#: URIs of the same site, one group for each.
SITES = (
    # HTML, 7.1.1.1
    "https://example.com https://sub.example.com https://sub.other.example.com",
    *("http://non-secure.example.com", "https://r.wildlife.co.uk https://sub.wildlife.co.uk"),
    *("https://r.park.co.uk", "https://a.github.io", "https://b.github.io"),
    *("https://github.io https://github.io:81", "https://com", "https://org"),
    "https://example.xn--kgbechtv https://SUB.example.xn--KGBECHTV",
    # A trailing dot is significant (URL standard, 3.2).
    *("https://example.com. https://sub.example.com.", "https://com."),
    # Addresses, and names that are written like one
    *("https://1.2.3.4 https://1.2.3.4:81", "https://%32.2.3.4", "https://5.2.3.4"),
    *("https://[::1] https://[::0:1]", "https://[::2]", "https://[v1.a.com]", "https://[v1.b.com]"),
    *("wss://example.com", "https://localhost https://localhost/"),
)


def test_is_same_site_compares_scheme_and_registrable_domain() -> None:
    for group, other_group in product(SITES, repeat=2):
        for one, other in product(group.split(), other_group.split()):
            if one.startswith("http"):
                for argument in (other, URI(other)):
                    found = HTTPURI(one).is_same_site(argument, public_suffix=public_suffix)
                    assert found is (group == other_group), (one, other)
    assert not HTTPURI("https://a").is_same_site("urn:a:b", public_suffix=public_suffix)
    for invalid in ("//a/", "http:///", "http://a b/"):
        with pytest.raises(ParseError):
            HTTPURI("http://a/").is_same_site(invalid, public_suffix=public_suffix)


def test_is_same_site_passes_lowercase_names_without_trailing_dot_to_public_suffix() -> None:
    names: list[str] = []

    def record_name(name: str) -> str:
        names.append(name)
        return ""

    HTTPURI("http://A.%65xample./").is_same_site("http://[::1]/", public_suffix=record_name)
    HTTPURI("http://1.2.3.4/").is_same_site("http://127.1/", public_suffix=record_name)
    HTTPURI("http://a/").is_same_site("https://a/", public_suffix=record_name)
    assert names == ["a.example", "127.1"]


def test_a_name_without_a_public_suffix_is_its_own_site() -> None:
    same = ("https://A.internal:81/b", "https://a.internal")
    others = (
        *("http://a.internal/", "https://b.internal/", "https://b.a.internal/"),
        "https://internal/",
        *("https://a.internal./", "https://1.2.3.4/"),
    )
    for other in same + others:
        found = HTTPURI("https://a.internal/").is_same_site(other, public_suffix=lambda _: "")
        assert found is (other in same), other


def test_is_same_site_rejects_a_result_that_is_not_a_suffix() -> None:
    uri = HTTPURI("http://example.com/")
    for wrong in ("org", "ample.com", "COM", ".com", "a.example.com"):
        with pytest.raises(ValueError, match=r"must return a suffix of 'example\.com'"):
            uri.is_same_site(uri, public_suffix={"example.com": wrong}.__getitem__)
