import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import IRI, URI, Policy, PolicyError
from uriverse.oauth import issuer_metadata_uris, resource_metadata_uris

OAUTH = "/.well-known/oauth-authorization-server"
OPENID = "/.well-known/openid-configuration"
RESOURCE = "/.well-known/oauth-protected-resource"

#: Segments of paths, none of which ends with a slash.
PATHS = st.lists(st.sampled_from(("a", "tenant1", "%C3%A9", "a;b", "mcp@2", "realms"))).map(
    lambda names: "".join(f"/{name}" for name in names)
)
ORIGINS = st.sampled_from(("https://a.example", "https://a.example:8443", "http://127.0.0.1:80"))


def strings(uris: tuple[URI, ...]) -> list[str]:
    assert all(type(uri) is URI for uri in uris)
    return list(map(str, uris))


def test_the_examples_of_rfc_8414_and_mcp() -> None:
    # RFC 8414, 3.1 and 5.
    assert str(issuer_metadata_uris("https://example.com")[0]) == f"https://example.com{OAUTH}"
    found = strings(issuer_metadata_uris("https://example.com/issuer1"))
    assert found[0] == f"https://example.com{OAUTH}/issuer1"
    # MCP, "Authorization Server Metadata Discovery".
    assert strings(issuer_metadata_uris("https://auth.example.com/tenant1")) == [
        "https://auth.example.com/.well-known/oauth-authorization-server/tenant1",
        "https://auth.example.com/.well-known/openid-configuration/tenant1",
        "https://auth.example.com/tenant1/.well-known/openid-configuration",
    ]
    assert strings(issuer_metadata_uris("https://auth.example.com")) == [
        "https://auth.example.com/.well-known/oauth-authorization-server",
        "https://auth.example.com/.well-known/openid-configuration",
    ]


def test_the_examples_of_rfc_9728_and_mcp() -> None:
    # RFC 9728, 3.1.
    assert strings(resource_metadata_uris("https://resource.example.com")) == [
        "https://resource.example.com/.well-known/oauth-protected-resource"
    ]
    found = strings(resource_metadata_uris("https://resource.example.com/resource1"))
    assert found == [
        "https://resource.example.com/.well-known/oauth-protected-resource/resource1",
        "https://resource.example.com/.well-known/oauth-protected-resource",
    ]
    # MCP, "Protected Resource Metadata Discovery Requirements".
    assert strings(resource_metadata_uris("https://example.com/public/mcp")) == [
        "https://example.com/.well-known/oauth-protected-resource/public/mcp",
        "https://example.com/.well-known/oauth-protected-resource",
    ]


@given(ORIGINS, PATHS)
def test_a_slash_at_the_end_of_the_issuer_is_removed(origin: str, path: str) -> None:
    found = issuer_metadata_uris(origin + path)
    assert issuer_metadata_uris(f"{origin}{path}/") == found
    start = str(URI(origin).normalize(scheme=True)).removesuffix("/")
    appended = [start + path + OPENID] if path else []
    assert strings(found) == [start + OAUTH + path, start + OPENID + path, *appended]


@given(ORIGINS, PATHS, st.sampled_from(("", "?", "?a=b")))
def test_only_the_slash_after_a_resource_host_is_cut(origin: str, path: str, query: str) -> None:
    start = str(URI(origin).normalize(scheme=True)).removesuffix("/")
    inserted, at_root = f"{start}{RESOURCE}{path}{query}", start + RESOURCE
    expected = list(dict.fromkeys((inserted, at_root)))
    assert strings(resource_metadata_uris(origin + path + query)) == expected
    found = strings(resource_metadata_uris(f"{origin}{path}/{query}"))
    slash = "/" if path else ""
    assert found == list(dict.fromkeys((f"{start}{RESOURCE}{path}{slash}{query}", at_root)))


@given(ORIGINS, PATHS)
def test_all_programs_request_the_same_uris(origin: str, path: str) -> None:
    for uri in (*issuer_metadata_uris(origin + path), *resource_metadata_uris(origin + path)):
        assert Policy(scopes=None).enforce(uri) == uri


def test_an_issuer_or_a_resource_may_be_in_any_form() -> None:
    for issuer, first in [
        ("HTTPS://Auth.example.com:443/T", f"https://auth.example.com{OAUTH}/T"),
        ("https://auth.example.com/a/../b/", f"https://auth.example.com{OAUTH}/b"),
        ("https://auth.example.com/a/..", f"https://auth.example.com{OAUTH}"),
        ("https://auth.example.com/a//", f"https://auth.example.com{OAUTH}/a/"),
        ("https://auth.example.com/\u00e9", f"https://auth.example.com{OAUTH}/%C3%A9"),
        ("https://10.0.0.1/a", f"https://10.0.0.1{OAUTH}/a"),
        ("http://localhost:8000/a", f"http://localhost:8000{OAUTH}/a"),
        ("HTTP://LOCALHOST", f"http://localhost{OAUTH}"),
        ("http://127.1.2.3", f"http://127.1.2.3{OAUTH}"),
        ("http://[::1]:9000", f"http://[::1]:9000{OAUTH}"),
    ]:
        assert str(issuer_metadata_uris(issuer)[0]) == first
        assert str(issuer_metadata_uris(IRI(issuer))[0]) == first
    # A resource may be in any form.
    for resource, first in [
        ("http://mcp.internal:8000/mcp", f"http://mcp.internal:8000{RESOURCE}/mcp"),
        ("HTTPS://MCP.example.com:443/a/../mcp", f"https://mcp.example.com{RESOURCE}/mcp"),
        ("https://mcp.example.com/a/..", f"https://mcp.example.com{RESOURCE}"),
        ("https://mcp.example.com/a//b", f"https://mcp.example.com{RESOURCE}/a//b"),
    ]:
        assert str(resource_metadata_uris(resource)[0]) == first


def test_other_uris_have_no_metadata() -> None:
    for issuer, code, position in [
        ("auth.example.com", "relative", 0),
        ("http://auth.example.com/", "scheme-not-allowed", 0),
        ("http://auth.example.com/?a", "scheme-not-allowed", 0),
        ("HTTP://Auth.example.com:80/a", "scheme-not-allowed", 0),
        ("http://localhost.evil.example/", "scheme-not-allowed", 0),
        ("http://a.localhost/", "scheme-not-allowed", 0),
        ("http://127.0.0.1.evil.example/", "scheme-not-allowed", 0),
        *(("http://10.0.0.1/", "scheme-not-allowed", 0), ("http://[::]/", "scheme-not-allowed", 0)),
        *(("ftp://localhost/", "scheme-not-allowed", 0), ("http://127.1/", "ipv4-short", 7)),
        ("http://127.0.0.1:80@evil.example/", "userinfo-not-allowed", 7),
        ("https://me@auth.example.com/", "userinfo-not-allowed", 8),
        ("https://auth.example.com/a?b", "query", 26),
        ("https://auth.example.com?", "query", 24),
        ("https://auth.example.com/\u00e9?b", "query", 26),
        ("https://auth.example.com/a#b", "fragment", 26),
        ("https://auth.example.com#", "fragment", 24),
        ("https://auth.example.com/%2e%2e/a", "encoded-dot", 25),
        ("https://auth.example.com//evil.example", "path-like-authority", 24),
        ("https://auth.example.com\\evil.example", "syntax", 24),
    ]:
        with pytest.raises(PolicyError) as caught:
            issuer_metadata_uris(issuer)
        error = caught.value
        assert (error.code, error.position, error.text) == (code, position, issuer)
        assert code in {error.rule, "syntax"}
    # Other URIs have no metadata.
    for resource, code in [
        *(("mcp.example.com", "relative"), ("ftp://mcp.example.com/", "scheme-not-allowed")),
        ("https://me@mcp.example.com/", "userinfo-not-allowed"),
        ("https://mcp.example.com/mcp#", "fragment"),
        ("https://mcp.example.com/mcp%2F..", "encoded-dot"),
        ("https://mcp.example.com//", "path-like-authority"),
    ]:
        with pytest.raises(PolicyError) as caught:
            resource_metadata_uris(resource)
        assert caught.value.code == code
    # Arguments of wrong types raise.
    for function in (issuer_metadata_uris, resource_metadata_uris):
        with pytest.raises(TypeError):
            function(b"https://a.example/")  # type: ignore[arg-type]
