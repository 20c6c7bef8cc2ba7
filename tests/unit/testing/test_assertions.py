import pytest
from hypothesis import given
from strategies import references

from uriverse import URI, ParseError, parse
from uriverse.testing import assert_same
from uriverse.testing.pytest_plugin import pytest_assertrepr_compare

pytest_plugins = ["pytester"]


def message(actual: str, expected: str, level: str = "string") -> str:
    with pytest.raises(AssertionError) as caught:
        assert_same(actual, expected, level=level)  # type: ignore[arg-type]
    return str(caught.value)


@given(references(), references())
def test_equal_strings_pass_and_different_strings_fail(first: str, second: str) -> None:
    assert_same(first, parse(first))
    if first != second:
        assert message(first, second).startswith("the URIs differ in ")


def test_every_component_that_differs_is_named_and_marked() -> None:
    text = message("http://a@b:1/c?d#e", "ftp:")
    assert text.startswith("the URIs differ in scheme, userinfo, host, port, path, query, fragment")
    assert text.count(">") == 7
    assert message("a:?", "a:").startswith("the URIs differ in query\n")


def test_a_level_ignores_and_does_not_mark_equivalent_components() -> None:
    assert_same("HTTP://a:80", "http://A/", level="scheme")
    text = message("HTTP://a/%7e?b", "http://A/~?c", "syntax")
    assert text.startswith("the URIs differ in query\n")
    assert text.count(">") == 1
    assert "'HTTP'" in text


def test_passwords_are_not_shown_and_invalid_strings_raise_a_parse_error() -> None:
    text = message("http://me:hidden@a/", "http://me:other@a/")
    assert text.startswith("the URIs differ in userinfo\n")
    assert "hidden" not in text
    with pytest.raises(ParseError):
        assert_same("a b", "a")


def test_the_plugin_explains_comparisons_of_two_uris_only() -> None:
    lines = pytest_assertrepr_compare("==", URI("a:b"), URI("a:c"))
    assert lines is not None
    assert lines[:2] == ["URI('a:b') == URI('a:c')", "the URIs differ in path"]
    assert pytest_assertrepr_compare("==", URI("a:b"), "a:c") is None
    assert pytest_assertrepr_compare("!=", URI("a:b"), URI("a:b")) is None


def test_pytest_shows_the_table_of_the_plugin(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # importing others takes a second
    pytester.makeconftest('pytest_plugins = ["uriverse.testing.pytest_plugin"]')
    pytester.makepyfile(
        """
        from uriverse import URI

        def test_hosts():
            assert URI("http://a/b") == URI("http://c/b")
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E * the URIs differ in host", "E * > host *'a'*'c'"])
