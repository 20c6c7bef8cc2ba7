"""The recipe in the guide to policies allows exactly the site of a URL."""

from __future__ import annotations

import pytest

from uriverse import HTTPURI, Policy
from uriverse.suffixes import Suffixes

URLS = [
    *("https://example.com/", "https://www.example.com:8443/a", "http://a.b.example.com/"),
    *("https://example.co.uk/", "https://a.example.co.uk/", "https://co.uk/", "https://uk/"),
    *("https://me.github.io/", "https://a.me.github.io/", "https://github.io/"),
    *("https://a.b.kobe.jp/", "https://a.city.kobe.jp/", "https://xn--85x722f.xn--55qx5d.cn/"),
    *("https://1.2.3.4/", "https://1.2.3.5/", "https://[2606:4700::1]/", "https://[2606:4700::2]/"),
    *("https://intranet/", "https://a.intranet/", "https://none/", "https://a.none/"),
]


def policy_for_site(page: HTTPURI, suffixes: Suffixes) -> Policy:
    """Return a policy that allows the site of a page, as docs/how-to/policy.md shows."""
    domain = suffixes.registrable_domain(page)
    return Policy(schemes={page.scheme}, allow=[domain, f"*.{domain}"] if domain else [page.host])


@pytest.mark.parametrize("page", URLS)
def test_a_policy_for_a_site_allows_the_site_and_nothing_else(page: str) -> None:
    suffixes = Suffixes()
    policy = policy_for_site(HTTPURI(page), suffixes)
    assert policy.review(suffixes=suffixes) == []
    for url in URLS:
        same = HTTPURI(page).is_same_site(url, public_suffix=suffixes)
        assert policy.allows(url) is same, (page, url)


def test_names_below_a_public_suffix_in_a_site_are_allowed_but_not_same_site() -> None:
    page, suffixes = HTTPURI("https://amazonaws.com/"), Suffixes()
    url = "https://evil.s3.amazonaws.com/"
    assert policy_for_site(page, suffixes).allows(url)
    assert not page.is_same_site(url, public_suffix=suffixes)
