import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from uriverse import IRI, URI, Policy, PolicyError
from uriverse.oauth import canonical_resource, resource_covers

#: Paths in canonical form that begin with a name.
PATHS = st.lists(st.sampled_from(("mcp", "mcpx", "a", "%C3%A9", "a;b", "a@b", "c%3Bd"))).map(
    lambda names: "".join(f"/{name}" for name in names)
)


@st.composite
def resources(draw: st.DrawFn) -> str:
    """Unambiguous resources, many of which are not in canonical form."""
    scheme = draw(st.sampled_from(("http", "https", "HTTPS", "Http")))
    host = draw(st.sampled_from(("mcp.example.com", "MCP.example.com", "localhost", "[0::1]")))
    port = draw(st.sampled_from(("", ":443", ":80", ":8443")))
    ending = draw(st.sampled_from(("", "/", "/.", "/..", "/a/../b", "/%7E%41")))
    query = draw(st.sampled_from(("", "?", "?a", "?%61", "?b=c&d")))
    return f"{scheme}://{host}{port}{draw(PATHS)}{ending}{query}"


def test_a_resource_has_one_form() -> None:
    for text, canonical in [
        # MCP, "Canonical Server URI".
        ("https://mcp.example.com/mcp", "https://mcp.example.com/mcp"),
        ("https://mcp.example.com", "https://mcp.example.com"),
        ("https://mcp.example.com/", "https://mcp.example.com"),
        ("https://mcp.example.com:8443", "https://mcp.example.com:8443"),
        ("https://mcp.example.com/server/mcp", "https://mcp.example.com/server/mcp"),
        # RFC 8707, 2.
        ("https://api.example.com/app/", "https://api.example.com/app/"),
        ("https://cal.example.com/", "https://cal.example.com"),
        ("HTTPS://MCP.Example.com/MCP", "https://mcp.example.com/MCP"),
        ("https://mcp.example.com:443/", "https://mcp.example.com"),
        ("http://mcp.example.com:80/mcp", "http://mcp.example.com/mcp"),
        ("http://mcp.example.com:443/", "http://mcp.example.com:443"),
        ("https://mcp.example.com/a/./b/../mcp/", "https://mcp.example.com/a/mcp/"),
        ("https://mcp.example.com/a/..", "https://mcp.example.com"),
        ("https://mcp.example.com/%7eme%c3%a9", "https://mcp.example.com/~me%C3%A9"),
        ("https://mcp.example.com/\u00e9", "https://mcp.example.com/%C3%A9"),
        ("https://mcp.example.com?a", "https://mcp.example.com/?a"),
        ("https://mcp.example.com/?", "https://mcp.example.com/?"),
        ("https://mcp.example.com/mcp?tenant=%41", "https://mcp.example.com/mcp?tenant=A"),
        ("https://mcp.example.com/a//b", "https://mcp.example.com/a//b"),
        ("http://localhost:3000/mcp", "http://localhost:3000/mcp"),
        ("http://[0:0::1]:3000/", "http://[::1]:3000"),
        ("http://10.0.0.1/mcp", "http://10.0.0.1/mcp"),
    ]:
        found = canonical_resource(text)
        assert type(found) is URI
        assert (str(found), canonical_resource(IRI(text))) == (canonical, found)
    # Other URIs are not resources.
    for text, code in [
        *(("mcp.example.com", "relative"), ("//mcp.example.com/", "relative"), ("", "relative")),
        ("https://mcp.example.com#fragment", "fragment"),
        ("https://mcp.example.com/mcp#", "fragment"),
        ("https://mcp.example.com/\u00e9?a#b", "fragment"),
        ("ftp://mcp.example.com/", "scheme-not-allowed"),
        ("urn:example:mcp", "scheme-not-allowed"),
        ("https://user@mcp.example.com/", "userinfo-not-allowed"),
        ("https://@mcp.example.com/", "userinfo-not-allowed"),
        ("https://mcp.example.com@evil.example/#a", "userinfo-not-allowed"),
        *(("https:mcp.example.com", "authority-missing"), ("https:///mcp", "host-missing")),
        ("https://mcp.example.com\\@evil.example/", "syntax"),
        *(("https://mcp.example.com/mcp\n", "syntax"), ("https://mcp.example.com/ mcp", "syntax")),
        *(("https://mcp.example.com/%zz", "syntax"), ("https://mcp.example.com:/", "port-empty")),
        ("https://mcp.example.com:0443/", "port-odd"),
        ("https://mcp.example.com:70000/", "port-huge"),
        ("https://mcp.example.com./", "trailing-dot"),
        *(("https://mcp%2Eexample.com/", "host-encoded"), ("http://127.1/", "ipv4-short")),
        ("http://2130706433/", "ipv4-integer"),
        ("https://b\u00fccher.example/", "host-past-ascii"),
        ("https://\uff4dcp.example.com/", "host-past-ascii"),
        ("https://mcp.example.com/%2e%2e/admin", "encoded-dot"),
        ("https://mcp.example.com/mcp%2F..", "encoded-dot"),
        ("https://mcp.example.com/mcp%2Fa", "encoded-slash"),
        ("https://mcp.example.com/mcp/..;/admin", "dot-with-parameter"),
        ("https://mcp.example.com/mcp%252Fa", "double-encoding"),
        ("https://mcp.example.com//evil.example/", "path-like-authority"),
        ("https://mcp.example.com/mcp%00", "encoded-control"),
    ]:
        with pytest.raises(PolicyError) as caught:
            canonical_resource(text)
        assert caught.value.code == code
        for pair in ((text, "https://a.example/"), ("https://a.example/", text)):
            with pytest.raises(PolicyError) as caught:
                resource_covers(*pair)
            assert caught.value.code == code
    # The error about a fragment shows the original string.
    text = "HTTPS://mcp.example.com:443?token=1234#a"
    with pytest.raises(PolicyError) as caught:
        canonical_resource(text)
    assert (caught.value.text, caught.value.position) == (text, text.index("#"))
    assert caught.value.component == "fragment"
    assert "1234" not in str(caught.value)


@given(resources())
def test_the_canonical_form_is_final(text: str) -> None:
    canonical = canonical_resource(text)
    assert canonical_resource(canonical) == canonical
    assert Policy(scopes=None).enforce(canonical).equivalent(text, level="scheme")
    assert canonical.path != "/" or canonical.query is not None
    assert canonical.fragment is None
    assert canonical.userinfo is None


@given(resources(), resources())
@example("https://mcp.example.com/mcp?", "https://mcp.example.com/mcp/?")
def test_every_resource_covers_itself_and_what_is_below_it(text: str, other: str) -> None:
    assert resource_covers(text, text)
    canonical = canonical_resource(text)
    assert resource_covers(canonical, text)
    assert resource_covers(text, canonical)
    assert resource_covers(canonical.without_query(), text)
    if resource_covers(text, other) and resource_covers(other, text):
        # A slash at the end of a resource does not matter.
        found = canonical, canonical_resource(other)
        paths = {uri.path.removesuffix("/") for uri in found}
        assert len(paths) == 1


@given(PATHS, PATHS)
def test_a_resource_covers_paths_by_whole_segments(path: str, other: str) -> None:
    segments, others = path.split("/"), other.split("/")
    found = resource_covers(f"https://a.example{path}", f"https://A.example:443{other}?b")
    assert found is (others[: len(segments)] == segments)


def test_a_resource_covers_everything_below_it_and_nothing_else() -> None:
    for requested in [
        *("https://mcp.example.com/mcp", "https://mcp.example.com/mcp/"),
        *("https://mcp.example.com/mcp/a", "https://mcp.example.com/mcp/a/b?c=d"),
        *("https://mcp.example.com/mcp//a", "https://mcp.example.com/mcp?a"),
        *("HTTPS://MCP.example.com:443/mcp", "https://mcp.example.com/a/../mcp/b"),
        "https://mcp.example.com/%6Dcp",
    ]:
        assert resource_covers("https://mcp.example.com/mcp", requested)
        assert resource_covers("https://mcp.example.com", requested)
        assert resource_covers("https://mcp.example.com/", requested)
    # A resource covers nothing else.
    for requested in [
        *("https://mcp.example.com", "https://mcp.example.com/", "https://mcp.example.com/mcpx"),
        *("https://mcp.example.com/mcp;x", "https://mcp.example.com/mcp."),
        *("https://mcp.example.com/mcp:x", "https://mcp.example.com/MCP"),
        *("https://mcp.example.com/mcp/../admin", "https://mcp.example.com/mcp/a/../../admin"),
        *("https://mcp.example.com/mcp/..", "https://mcp.example.com/a/mcp"),
        *("https://mcp.example.com/a//mcp", "https://mcp.example.com/?/mcp"),
        *("https://mcp.example.com:8443/mcp", "http://mcp.example.com/mcp"),
        *("http://mcp.example.com:443/mcp", "https://mcp.example.com.evil.example/mcp"),
        *("https://evil.example/mcp", "https://amcp.example.com/mcp", "https://example.com/mcp"),
    ]:
        assert not resource_covers("https://mcp.example.com/mcp", requested)
    # Queries and final slashes are significant.
    for resource, requested, covers in [
        ("https://a.example/mcp?a=b", "https://a.example/mcp?a=b", True),
        ("https://a.example/mcp?a=b", "https://a.example/mcp/c?a=b", True),
        ("https://a.example/mcp?a=%62", "https://a.example/mcp?a=b", True),
        ("https://a.example?a", "https://a.example/mcp?a", True),
        ("https://a.example/mcp?a=b", "https://a.example/mcp?a=c", False),
        ("https://a.example/mcp?a=b", "https://a.example/mcp?a=b&c", False),
        ("https://a.example/mcp?a=b", "https://a.example/mcp", False),
        ("https://a.example/mcp?a=b", "https://a.example/mcp?", False),
        ("https://a.example/mcp?", "https://a.example/mcp?", True),
        ("https://a.example/mcp?", "https://a.example/mcp", False),
        ("https://a.example/mcp", "https://a.example/mcp?", True),
        ("https://a.example/mcp/", "https://a.example/mcp/a", True),
        ("https://a.example/mcp/", "https://a.example/mcp", True),
        ("https://a.example/mcp/a", "https://a.example/mcp", False),
    ]:
        assert resource_covers(resource, requested) is covers
    # Arguments of wrong types raise.
    with pytest.raises(TypeError):
        canonical_resource(b"https://a.example/")  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        resource_covers("https://a.example/", 1)  # type: ignore[arg-type]
    # A missing resource is none and covers nothing.
    assert canonical_resource(None) is None
    assert not resource_covers(None, "https://a.example/")
    assert not resource_covers("https://a.example/", None)
    assert not resource_covers(None, None)
