"""Type checkers infer these types for `uriverse.oauth`; the file is type-checked and also run."""

from typing import assert_type

from uriverse import URI, Decision
from uriverse.oauth import (
    canonical_resource,
    check_redirect_uri_registration,
    issuer_metadata_uris,
    redirect_uri_matches,
    resource_covers,
    resource_metadata_uris,
)


def test_comparisons_return_bools_and_other_functions_return_uris() -> None:
    assert_type(redirect_uri_matches("http://[::1]/", URI("http://[::1]:80/")), bool)
    assert_type(redirect_uri_matches("http://a/", "http://a/", localhost=True), bool)
    assert_type(redirect_uri_matches("http://a/", None), bool)
    assert_type(check_redirect_uri_registration(URI("https://a/")), Decision)
    assert_type(check_redirect_uri_registration(None, localhost=True), Decision)
    assert_type(canonical_resource(URI("https://a/")), URI)
    canonical_resource(None)
    assert_type(resource_covers("https://a/", URI("https://a/b")), bool)
    assert_type(issuer_metadata_uris("https://a"), tuple[URI, ...])
    assert_type(resource_metadata_uris("https://a"), tuple[URI, ...])
