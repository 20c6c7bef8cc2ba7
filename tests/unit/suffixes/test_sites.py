from pathlib import Path

import pytest
from marked import list_rows

from uriverse import HTTPURI, columns
from uriverse.suffixes import Suffixes

LIST = "com\nuk\nco.uk\nio\ngithub.io\njp\n*.kobe.jp\n!city.kobe.jp\n"


@pytest.fixture
def suffixes(tmp_path: Path) -> Suffixes:
    path = tmp_path / "list.dat"
    path.write_text(LIST, "utf-8")
    return Suffixes(path)


#: Pairs of URIs, and whether they are same site. The IRI has the origin of its URI.
SAME = {
    True: [
        *("https://a.b.co.uk/x HTTPS://b.co.uk:81", "https://co.uk/ https://co.uk:81/"),
        *("https://x.city.kobe.jp/ https://y.city.kobe.jp/", "https://a.com./ https://b.a.com./"),
        *("https://1.2.3.4/ https://1.2.3.4:81/", "https://[::1]/ https://[0::1]/"),
        *("https://localhost/ https://localhost:81/", "https://x@a..com/ https://a..com/"),
        *("wss://a.com/ wss://b.a.com/", "https://bücher.com/ https://a.xn--bcher-kva.com/"),
    ],
    # Some of these are not the same site as themselves: they have no origin.
    False: [
        *("https://a.b.co.uk/ http://b.co.uk/", "https://a.co.uk/ https://b.co.uk/"),
        *("https://co.uk/ https://a.co.uk/", "https://a.github.io/ https://b.github.io/"),
        *("https://x.a.kobe.jp/ https://y.a.kobe.jp/", "https://a.com./ https://a.com/"),
        *("https://1.2.3.4/ https://9.2.3.4/", "https://[::1]/ https://[::2]/"),
        *("https://a.com/ wss://a.com/", "https://a.com/ //a.com/", "//a.com/ //a.com/"),
        *("urn:a:b urn:a:b", "file://a.com/ file://a.com/", "https:/// https:///"),
    ],
}
PAIRS = [
    *((*pair.split(), same) for same, pair in list_rows(SAME)),
    # The first string, the second one, and both are invalid.
    *(("a b", "https://a.com/", None), ("https://a.com/", "a b", None), ("a b", "a b", None)),
]


def test_rows_are_same_site_if_scheme_and_registrable_domain_are_equal(suffixes: Suffixes) -> None:
    ones, others, same = map(list, zip(*PAIRS, strict=True))
    assert columns.is_same_site(ones, others, suffixes=suffixes).to_pylist() == same
    assert columns.is_same_site(others, ones, suffixes=suffixes).to_pylist() == same


def test_one_other_uri_is_compared_with_all_rows(suffixes: Suffixes) -> None:
    ones = [one for one, _, _ in PAIRS]
    for other in ("https://b.co.uk/", "https://1.2.3.4/", "urn:a:b"):
        found = columns.is_same_site(ones, other, suffixes=suffixes)
        by_row = columns.is_same_site(ones, [other] * len(ones), suffixes=suffixes)
        assert found.to_pylist() == by_row.to_pylist()


def test_a_null_is_same_site_with_nothing() -> None:
    rows = ["https://a.com/", None]
    assert columns.is_same_site(rows, [None, "https://a.com/"]).to_pylist() == [None, None]
    assert columns.is_same_site(rows, "https://a.com/").to_pylist() == [True, None]


def test_the_column_function_agrees_with_the_method(suffixes: Suffixes) -> None:
    for one, other, same in PAIRS:
        uri = HTTPURI.try_parse(one)
        if uri is not None and HTTPURI.try_parse(other) is not None:
            assert uri.is_same_site(other, public_suffix=suffixes) is same, (one, other)


def test_each_list_has_its_own_sites() -> None:
    rows, other = ["https://a.github.io/"], "https://b.github.io/"
    icann = Suffixes(private=False)
    for _ in range(2):
        assert columns.is_same_site(rows, other).to_pylist() == [False]
        assert columns.is_same_site(rows, other, suffixes=icann).to_pylist() == [True]
