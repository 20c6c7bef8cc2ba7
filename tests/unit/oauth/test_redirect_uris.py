import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import hostile, produced

from uriverse import IRI, URI, IRIReference, ParseError, PolicyError
from uriverse.oauth import check_redirect_uri_registration, redirect_uri_matches

#: The example of RFC 8252, 7.3, without a port.
LOOPBACK = "http://127.0.0.1/oauth2redirect/example-provider"

#: Authorities whose port may differ.
AUTHORITIES = st.sampled_from(("127.0.0.1", "127.0.0.2", "127.255.255.255", "[::1]"))


def test_only_identical_uris_match() -> None:
    for text in [
        *("https://client.example.com/cb", "https://client.example.com/cb?a=b&c"),
        "com.example.app:/oauth2redirect/example-provider",
        *("urn:ietf:wg:oauth:2.0:oob", "http://127.0.0.1:/cb", "http://127.0.0.1:0/cb"),
        *("http://user@127.0.0.1/cb", "https://client.example.com/%7Ea/../b"),
    ]:
        assert redirect_uri_matches(text, text)
        assert redirect_uri_matches(URI(text), IRI(text))
    # Equivalent and longer URIs do not match.
    for registered, requested in [
        ("https://a.example/cb", "https://A.example/cb"),
        ("https://a.example/cb", "HTTPS://a.example/cb"),
        ("https://a.example/cb", "https://a.example:443/cb"),
        ("https://a.example:443/cb", "https://a.example/cb"),
        ("https://a.example/cb", "https://a.example/cb/"),
        ("https://a.example", "https://a.example/"),
        ("https://a.example/cb", "https://a.example/%63b"),
        ("https://a.example/%7e", "https://a.example/%7E"),
        ("https://a.example/cb", "https://a.example/a/../cb"),
        ("https://a.example/cb", "https://a.example/cb?"),
        ("https://a.example/cb", "https://a.example/cb?a=b"),
        ("https://a.example/cb", "https://a.example/cb/a"),
        *(("https://a.example/cb", "http://a.example/cb"), ("https://a.example/cb", "/cb")),
        *(("https://a.example/cb", ""), ("http://a.example/cb", "http://a.example:8080/cb")),
        ("https://127.0.0.1/cb", "https://127.0.0.1:8080/cb"),
        *(("com.example.app:/cb", "com.example.app:/cb/"), ("http:127.0.0.1", "http:127.0.0.1:80")),
    ]:
        assert not redirect_uri_matches(registered, requested)
        assert not redirect_uri_matches(registered, requested, localhost=True)


def test_the_port_of_a_loopback_address_may_differ() -> None:
    for registered, requested in [
        (LOOPBACK, "http://127.0.0.1:51004/oauth2redirect/example-provider"),
        ("http://[::1]/cb", "http://[::1]:61023/cb"),
        ("http://127.0.0.1:8080/cb", "http://127.0.0.1:9090/cb"),
        ("http://127.0.0.1:8080/cb", "http://127.0.0.1/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:1/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:65535/cb"),
        ("http://127.0.0.1/cb", "http://127.0.0.1:9/cb"),
        ("http://127.255.0.3", "http://127.255.0.3:80"),
        ("http://127.0.0.1/cb?a=b", "http://127.0.0.1:80/cb?a=b"),
        ("HTTP://127.0.0.1/cb", "HTTP://127.0.0.1:8080/cb"),
    ]:
        assert redirect_uri_matches(registered, requested)
        assert redirect_uri_matches(URI(registered), URI(requested))
    # No attack on the port matches.
    for requested in [
        *("http://127.0.0.1:80@evil.example/cb", "http://127.0.0.1:80:80/cb"),
        *("http://127.0.0.1.evil.example/cb", "http://127.0.0.1.evil.example:8080/cb"),
        *("http://127.0.0.1:8080\\@evil.example/cb", "http://127.0.0.1\\@evil.example/cb"),
        *("http://evil.example:8080/cb", "http://user@127.0.0.1:8080/cb"),
        *("http://@127.0.0.1:8080/cb", "HTTP://127.0.0.1/cb", "HTTP://127.0.0.1:8080/cb"),
        *("https://127.0.0.1:8080/cb", "http://127.0.0.2:8080/cb", "http://127.1/cb"),
        *("http://127.1:8080/cb", "http://0x7f.0.0.1:8080/cb", "http://2130706433:8080/cb"),
        *("http://127.000.0.1:8080/cb", "http://[::1]:8080/cb"),
        *("http://[::ffff:127.0.0.1]:8080/cb", "http://localhost:8080/cb"),
        *("http://127.0.0.1.:8080/cb", "http://127.0.0.1:+80/cb", "http://127.0.0.1:-80/cb"),
        *("http://127.0.0.1: 80/cb", "http://127.0.0.1:8_0/cb", "http://127.0.0.1:0x50/cb"),
        *("http://127.0.0.1:\uff18\uff10/cb", "http://127.0.0.1:\u0668\u0660/cb"),
        *("http://\uff11\uff12\uff17.0.0.1:8080/cb", "http://127\u30020.0.1:8080/cb"),
        *("http://127.0.0.1:/cb", "http://127.0.0.1:0/cb", "http://127.0.0.1:00/cb"),
        *("http://127.0.0.1:080/cb", "http://127.0.0.1:65536/cb", "http://127.0.0.1:100000/cb"),
        *(f"http://127.0.0.1:{'1' * 10_000}/cb", "http://127.0.0.1:8080/cb\n"),
        *("\nhttp://127.0.0.1:8080/cb", "http://127.0.0.1:8080/cb ", "http://127.0.0.1:8080/cb\0"),
        *("http://127.0.0.1:8080\t/cb", "http://127.0.0.1:8080/cb#", "http://127.0.0.1:8080/cb#a"),
        *("http://127.0.0.1/cb#", "http://127.0.0.1:8080/cb?", "http://127.0.0.1:8080/cb/"),
        *("http://127.0.0.1:8080/c%62", "http://127.0.0.1:8080//cb"),
        *("http://127.0.0.1:8080/a/../cb", "http://127.0.0.1:8080", "http:/127.0.0.1:8080/cb"),
        *("http:127.0.0.1:8080/cb", "//127.0.0.1:8080/cb", "127.0.0.1:8080/cb"),
        *("http://127.0.0.1:8080/cb\ud800", "\ufeffhttp://127.0.0.1:8080/cb", ""),
    ]:
        assert not redirect_uri_matches("http://127.0.0.1/cb", requested)
        assert not redirect_uri_matches("http://127.0.0.1/cb", requested, localhost=True)
    # Other hosts match only exactly.
    for host in [
        *("127.1", "128.0.0.1", "126.255.255.255", "0.0.0.0", "10.0.0.1", "0x7f.0.0.1"),
        *("127.0.0.01", "127.0.0.256", "127.0.0.1.", "[::]", "[0:0:0:0:0:0:0:1]", "[::0001]"),
        *("[::ffff:127.0.0.1]", "[::127.0.0.1]", "[::1:1]", "LOCALHOST", "localhost."),
        *("a.localhost", "localhost.example", "loopback", ""),
    ]:
        registered = f"http://{host}/cb"
        for localhost in (False, True):
            assert redirect_uri_matches(registered, registered, localhost=localhost)
            assert not redirect_uri_matches(
                registered, f"http://{host}:8080/cb", localhost=localhost
            )
    # Localhost is a loopback host only if allowed.
    registered, requested = "http://localhost/cb", "http://localhost:8080/cb"
    assert not redirect_uri_matches(registered, requested)
    assert redirect_uri_matches(registered, requested, localhost=True)
    assert not redirect_uri_matches(registered, "http://127.0.0.1:8080/cb", localhost=True)
    assert not redirect_uri_matches(registered, "http://LOCALHOST:8080/cb", localhost=True)
    assert not redirect_uri_matches("https://localhost/", "https://localhost:1/", localhost=True)
    assert redirect_uri_matches(LOOPBACK, LOOPBACK.replace("/o", ":80/o"), localhost=True)
    # A registered URI with userinfo matches only exactly.
    assert not redirect_uri_matches("http://a@127.0.0.1/cb", "http://a@127.0.0.1:80/cb")


@given(AUTHORITIES, produced("path-abempty"), st.integers(1, 65535), st.integers(0, 99999))
def test_every_port_matches_and_no_other_number(host: str, path: str, port: int, odd: int) -> None:
    registered = f"http://{host}{path}"
    assert redirect_uri_matches(registered, f"http://{host}:{port}{path}")
    assert redirect_uri_matches(registered, f"http://{host}:{odd}{path}") is (0 < odd < 65536)
    assert not redirect_uri_matches(registered, f"http://{host}:0{port}{path}")
    assert not redirect_uri_matches(registered, f"https://{host}:{port}{path}")


@given(AUTHORITIES, hostile())
@example("127.0.0.1", "http://127.0.0.1:80#")
def test_an_invalid_request_never_raises_and_never_matches(host: str, requested: str) -> None:
    registered = f"http://{host}/cb"
    found = redirect_uri_matches(registered, requested)
    assert found is False or str(URI(requested).with_port(None)) == registered


def test_a_request_may_be_any_identifier() -> None:
    assert not redirect_uri_matches("https://a.example/", IRI("https://\u00e9.example/"))
    assert not redirect_uri_matches("https://a.example/", IRIReference("\u00e9"))
    # A request without a redirect URI does not match.
    assert not redirect_uri_matches("https://a.example/", None)
    with pytest.raises(PolicyError):
        redirect_uri_matches("https://a.example/#", None)
    # A URI that browsers may execute never matches.
    for text in [
        *("javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,a", "vbscript:a"),
        "blob:https://a/b",
    ]:
        assert not redirect_uri_matches(text, text)


def test_an_invalid_registered_uri_raises() -> None:
    for text in ["", "/cb", "http://a b/", "http://127.0.0.1:8x/", "http://\u00e9/"]:
        for registered in (text, IRIReference("\u00e9")):
            with pytest.raises(ParseError):
                redirect_uri_matches(registered, "https://a.example/")
    # A registered URI with a fragment raises.
    for text in ["https://a.example/cb#", "http://127.0.0.1/cb#a", "a:b#c"]:
        with pytest.raises(PolicyError) as caught:
            redirect_uri_matches(text, text)
        error = caught.value
        assert (error.code, error.component, error.rule) == ("fragment", "fragment", "fragment")
        assert (error.text, error.position) == (text, text.index("#"))
    # Arguments of wrong types raise.
    with pytest.raises(TypeError):
        redirect_uri_matches(b"https://a.example/", "https://a.example/")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        redirect_uri_matches("https://a.example/", 1)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        check_redirect_uri_registration(b"https://a.example/")  # type: ignore[arg-type]


def test_a_client_may_register_only_https_loopback_and_private_use_uris() -> None:
    for text in [
        *("https://app.example", "https://app.example/cb", "https://app.example:8443/cb?a=b"),
        *("HTTPS://APP.example/cb", "https://intranet/cb", "https://10.0.0.1/cb"),
        *("https://localhost/cb", "http://127.0.0.1/cb", "http://127.0.0.1:8080/cb"),
        *("http://127.8.8.8/cb", "http://[::1]:61023/cb"),
        "com.example.app:/oauth2redirect/example-provider",
        *("com.example.app://callback", "com.example.app:callback", "COM.Example.App:/cb"),
    ]:
        for uri in (text, URI(text), IRI(text)):
            decision = check_redirect_uri_registration(uri)
            assert decision.allowed
            assert (str(decision.uri), decision.text, decision.code) == (text, text, "")
        assert redirect_uri_matches(text, text)
    # A client may not register other URIs.
    for text, code in [
        ("javascript:alert(1)", "scheme-not-allowed"),
        ("JAVASCRIPT:alert(1)//.", "scheme-not-allowed"),
        ("javascript.:alert(1)", "scheme-not-allowed"),
        *(("data:text/html,a", "scheme-not-allowed"), ("file:///etc/passwd", "scheme-not-allowed")),
        *(("urn:ietf:wg:oauth:2.0:oob", "scheme-not-allowed"), ("myapp:/cb", "scheme-not-allowed")),
        ("com..app:/cb", "scheme-not-allowed"),
        ("microsoft.windows.camera:a", "scheme-not-allowed"),
        ("ftp://app.example/", "scheme-not-allowed"),
        *(("wss://app.example/", "scheme-not-allowed"), ("/cb", "scheme-not-allowed")),
        *(("", "scheme-not-allowed"), ("http://app.example/cb", "scheme-not-allowed")),
        ("http://127.0.0.1.evil.example/cb", "scheme-not-allowed"),
        ("http://localhost/cb", "scheme-not-allowed"),
        *(("http://0.0.0.0/cb", "scheme-not-allowed"), ("http://127.1/cb", "ipv4-short")),
        *(("http://[::ffff:127.0.0.1]/cb", "ipv6-with-ipv4"), ("https:/cb", "authority-missing")),
        ("https://app.example/cb/%2e%2e/a", "encoded-dot"),
        ("https://app.example/%0d%0aSet-Cookie:a", "encoded-control"),
        *(("https://*.app.example/cb", "wildcard"), ("https://app.example/*", "wildcard")),
        *(("https://app.example/cb?*", "wildcard"), ("com.example.app:/*", "wildcard")),
        ("https://user@app.example/cb", "userinfo-not-allowed"),
        ("https://@app.example/cb", "userinfo-not-allowed"),
        ("com.example.app://user:hunter2@cb", "userinfo-not-allowed"),
        *(("https://app.example/cb#a", "fragment"), ("com.example.app:/cb#", "fragment")),
        ("https://app.example:*/cb", "syntax"),
        *(("https://app.example\\@evil.example/", "syntax"), ("https://app.example/c b", "syntax")),
        *(("https://b\u00fccher.example/cb", "syntax"), ("com.example.app:/\u00fc", "syntax")),
    ]:
        decision = check_redirect_uri_registration(text)
        assert not decision
        assert (decision.code, decision.uri, decision.text) == (code, None, text)
        assert decision.reason
        assert "hunter2" not in str(decision)
    # A hint says how to register a redirect URI.
    for text, hint in [
        ("http://localhost/cb", "write 127.0.0.1 instead of localhost"),
        ("http://app.example/cb", "use https"),
        ("https://*.app.example/cb", "register each URI"),
        ("https://app.example/*", "write %2A for a literal *"),
        ("https://user@app.example/", "remove the userinfo"),
    ]:
        assert check_redirect_uri_registration(text).hint == hint
    # A missing redirect URI is a decision.
    decision = check_redirect_uri_registration(None)
    assert (decision.allowed, decision.code, decision.text) == (False, "missing", "")
    # A client may register localhost if it counts as a loopback host.
    assert check_redirect_uri_registration("http://localhost:8080/cb", localhost=True)
    assert not check_redirect_uri_registration("http://a.localhost/cb", localhost=True)


@given(hostile())
def test_a_registration_never_raises_and_allows_only_uris(text: str) -> None:
    decision = check_redirect_uri_registration(text)
    if decision:
        uri = URI(text)
        assert "." in uri.scheme or uri.scheme.lower() in {"http", "https"}
        assert (uri.userinfo, uri.fragment) == (None, None)
