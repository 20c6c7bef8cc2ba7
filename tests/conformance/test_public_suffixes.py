"""`Suffixes` passes the test cases of the Public Suffix List, and the examples of the URL standard.

The file `test_psl.txt` is from the repository of the list, and in the public domain (CC0).
"""

import re
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("publicsuffixlist")

from uriverse.suffixes import Suffixes

TEXT = (Path(__file__).parent / "data" / "test_psl.txt").read_text("utf-8")

#: Hosts, and their registrable domains or `null`.
CASES = re.findall(r"^checkPublicSuffix\('(.*)', (?:'(.*)'|null)\);", TEXT, re.MULTILINE)


@cache
def installed() -> Suffixes:
    return Suffixes()


def test_all_cases_are_read() -> None:
    # One more case has no host.
    assert len(CASES) == 77 == TEXT.count("\ncheckPublicSuffix(") - 1


@pytest.mark.parametrize(("host", "domain"), CASES)
def test_the_cases_of_the_list_pass(host: str, domain: str) -> None:
    assert installed().registrable_domain(host) == (domain or None)
    assert installed()._split_host(host).registrable_domain == (domain or None)


def test_the_examples_of_the_url_standard_pass() -> None:
    for host, suffix, domain in [
        *(("com", "com", None), ("example.com", "com", "example.com")),
        *(("www.example.com", "com", "example.com"), ("sub.www.example.com", "com", "example.com")),
        *(("github.io", "github.io", None), ("whatwg.github.io", "github.io", "whatwg.github.io")),
        ("xn--kgbechtv", "xn--kgbechtv", None),
        ("example.xn--kgbechtv", "xn--kgbechtv", "example.xn--kgbechtv"),
        ("sub.example.xn--kgbechtv", "xn--kgbechtv", "example.xn--kgbechtv"),
        ("[2001:0db8:85a3:0000:0000:8a2e:0370:7334]", None, None),
        # the same names with U-labels, and a dot at the end
        *(("إختبار", "إختبار", None), ("sub.example.إختبار", "إختبار", "example.إختبار")),
        ("www.example.com.", "com.", "example.com."),
    ]:
        assert installed().public_suffix(host) == suffix
        assert installed().registrable_domain(host) == domain


def test_the_sections_of_the_installed_list_are_known() -> None:
    icann = Suffixes(private=False)
    assert icann.version == installed().version
    assert re.fullmatch(r"20\d\d-\d\d-\d\d_.*", icann.version or "")
    assert icann.public_suffix("whatwg.github.io") == "io"
    for host in ("a.b.co.uk", "a.b.kobe.jp"):
        assert icann.registrable_domain(host) == installed().registrable_domain(host)
