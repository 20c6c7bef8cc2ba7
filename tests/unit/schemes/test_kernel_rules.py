import pytest
from hypothesis import given
from hypothesis import strategies as st
from interpreters import run_python
from strategies import references

from uriverse import IRI, SCHEMES, IRIReference, _engine, parse
from uriverse.schemes import Registry
from uriverse.schemes._normalization import list_kernel_rules

#: The rules of the default registry, which the kernel does not know.
SAME = Registry(SCHEMES.values())

PIECES = (
    *("http:", "HTTPS:", "ws:", "file:", "urn:", "mailto:", "foo:", "x" * 30 + ":", "//", "", "/"),
    *("h", "H%41", "b\u00fccher.example", "[::1]", "localhost", "%4Cocalhost", ":80", ":0443", ":"),
    *(":21", "/", "/a/../b", "?", "?q", "#f", "a@B", "@"),
)


def texts() -> st.SearchStrategy[str]:
    made = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
    return (made | references()).filter(valid)


def valid(text: str) -> bool:
    return IRIReference.try_parse(text) is not None


@given(texts(), st.booleans())
def test_normalizing_by_scheme_agrees_with_the_python_functions(text: str, case: bool) -> None:
    value = parse(text)
    assert value.normalize(case=case, scheme=True) == value.normalize(case=case, scheme=SAME)


@given(texts())
def test_comparison_keys_agree_with_the_python_functions(text: str) -> None:
    value = parse(text)
    assert value.comparison_key("scheme") == value.comparison_key(SAME)


def test_each_scheme_normalizes_as_in_the_registry() -> None:
    for scheme, rules in SCHEMES.items():
        for rest in (":", "://h", f"://h:{rules.default_port or 1}", "://h:00080/", ":a"):
            if value := IRI.try_parse(scheme + rest):
                assert value.normalize(scheme=True) == value.normalize(scheme=SAME), value


needs_kernel = pytest.mark.skipif(_engine.kernel is None, reason="needs the kernel")


@needs_kernel
def test_the_web_schemes_of_the_kernel_are_those_of_the_registry() -> None:
    rules = [row for row in list_kernel_rules() if row[0] in {"http", "https"}]
    assert rules == _engine.kernel.WEB_RULES


@needs_kernel
@pytest.mark.parametrize(
    ("first", "loads_registry"),
    [
        *(("https://u@a/", False), ("HTTP:x", False), ("http:", True), ("httpx://a/", True)),
        ("a", True),
    ],
)
def test_findings_are_the_same_before_and_after_the_registry_is_loaded(
    first: str, loads_registry: bool
) -> None:
    program = (
        "import sys; from uriverse import check\n"
        f"urls = [{first!r}, 'https://u@a/', 'http://', 'ftp://u@a/', 'http://u@a/']\n"
        "found = check(urls[0]); print('uriverse.schemes._registry' in sys.modules)\n"
        "before = [check(url) for url in urls]; check('mailto:a'); again = list(map(check, urls))\n"
        "print(found == before[0], before == again)"
    )
    printed = run_python("-c", program, check=True).stdout
    assert printed.split() == [str(loads_registry), "True", "True"]
