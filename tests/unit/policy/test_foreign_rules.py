"""Rules of other languages become rules that never allow more."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import URI, ParseError, Policy
from uriverse._errors import RuleError
from uriverse._policy.csp import rules_from_csp
from uriverse._policy.match_patterns import rules_from_match_pattern
from uriverse._policy.rules import Rule
from uriverse._policy.url_patterns import rules_from_url_pattern

PAGE = "https://example.org/page"

#: Runs a test as soon as a policy has rules.
needs_rules = pytest.mark.skipif(
    "allow" not in inspect.signature(Policy).parameters, reason="this policy has no rules"
)


def allows(rules: Sequence[Rule], url: str) -> bool:
    """Return whether a policy with only these rules allows a URL."""
    arguments: dict[str, Any] = {"allow": rules, "schemes": {"http", "https", "ws", "wss"}}
    return Policy(**arguments).allows(url)


def csp(source: str, page: str | URI = PAGE) -> str:
    """Return the rules for a source list, separated by spaces."""
    return " ".join(map(str, rules_from_csp(source, page=page)))


def match_pattern(text: str) -> str:
    """Return the rules for a match pattern, separated by spaces."""
    return " ".join(map(str, rules_from_match_pattern(text)))


def url_pattern(text: str) -> str:
    """Return the rules for a URL pattern, separated by spaces."""
    return " ".join(map(str, rules_from_url_pattern(text)))


def failure(translate: Callable[[str], object], text: str) -> RuleError:
    """Return the error of a translation, which must refer to the string that was passed in."""
    with pytest.raises(RuleError) as caught:
        translate(text)
    error = caught.value
    assert error.text == text
    assert 0 <= error.position <= len(text)
    assert error.reason
    assert error.hint
    return error


# --- content security policies


@pytest.mark.parametrize(
    ("source", "rules"),
    [
        ("", ""),
        (" \t\n\f\r", ""),
        ("'none'", ""),
        ("'NONE' https://a.example", "https://a.example"),
        ("https://a.example", "https://a.example"),
        ("HTTPS://A.example", "https://a.example"),
        ("a.example", "https://a.example"),
        ("*.a.example", "https://*.a.example"),
        ("https://a.example/", "https://a.example"),
        ("https://a.example/js/", "https://a.example/js/"),
        ("https://a.example/js/a.js", "https://a.example/js/a.js"),
        ("http://a.example", "http://a.example https://a.example"),
        ("ws://a.example", "ws://a.example wss://a.example"),
        ("wss://a.example/x", "wss://a.example/x"),
        ("ftp://a.example", "ftp://a.example"),
        ("https://a.example:*", "https://a.example:*"),
        ("a.example:8443/x/", "https://a.example:8443/x/"),
        ("https://a.example:443", "https://a.example"),
        ("https://a.example:0443", "https://a.example"),
        ("https://a.example:80", "https://a.example:80"),
        ("https://a.example:00", "https://a.example:0"),
        ("https://a.example:065535", "https://a.example:65535"),
        ("localhost:3000", "https://localhost:3000"),
        ("xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        (" a.example\tb.example\n", "https://a.example https://b.example"),
        ("a.example https://a.example/ a.example", "https://a.example"),
        (
            "'unsafe-inline' 'Unsafe-Eval' 'wasm-unsafe-eval' 'unsafe-hashes' a.example",
            "https://a.example",
        ),
    ],
)
def test_a_source_list_becomes_rules(source: str, rules: str) -> None:
    assert csp(source) == rules


def test_a_source_without_a_scheme_has_that_of_the_page_or_a_secure_one() -> None:
    assert csp("a.example", "http://example.org/") == "http://a.example https://a.example"
    assert csp("a.example", "https://example.org/") == "https://a.example"


def test_a_port_is_the_same_after_an_upgrade() -> None:
    assert csp("http://a.example:80") == "http://a.example https://a.example:80"
    assert csp("http://a.example:443") == "http://a.example:443 https://a.example"
    assert csp("http://a.example:8080") == "http://a.example:8080 https://a.example:8080"
    assert csp("http://a.example:*") == "http://a.example:* https://a.example:*"


@pytest.mark.parametrize(
    ("page", "rules"),
    [
        ("https://example.org/a?b#c", "https://example.org wss://example.org"),
        ("HTTPS://me@EXAMPLE.org:443", "https://example.org wss://example.org"),
        ("https://example.org:8443/", "https://example.org:8443 wss://example.org:8443"),
        (
            "http://example.org/",
            "http://example.org https://example.org ws://example.org wss://example.org",
        ),
        # The default port of the secure scheme is not the port of this page's origin.
        ("http://example.org:443/", "http://example.org:443 ws://example.org:443"),
        ("http://127.0.0.1/", "http://127.0.0.1 https://127.0.0.1 ws://127.0.0.1 wss://127.0.0.1"),
        ("https://[::1]/", "https://[::1] wss://[::1]"),
    ],
)
def test_self_is_the_origin_of_the_page_or_an_upgrade_of_it(page: str, rules: str) -> None:
    assert csp("'self'", page) == rules
    assert csp("'SELF'", URI(page)) == rules


def test_an_asterisk_in_the_path_of_a_source_is_no_wildcard() -> None:
    assert csp("https://a.example/*.js") == "https://a.example/%2A.js"
    assert csp("https://a.example/a/**") == "https://a.example/a/%2A%2A"


def test_a_path_with_encoded_reserved_characters_allows_both_spellings() -> None:
    assert csp("https://a.example/a%3Bb%2c") == "https://a.example/a;b, https://a.example/a%3Bb%2c"
    # Decoding these characters would change the path.
    for path in ("/a%2Fb", "/a%25b", "/a%3Fb", "/a%23b", "/caf%C3%A9", "/a%20b", "/a%2Ab"):
        assert csp(f"https://a.example{path}") == f"https://a.example{path}"


@pytest.mark.parametrize(
    ("source", "position", "component"),
    [
        ("*", 0, "host"),
        ("https:", 0, "scheme"),
        ("a.example data:", 10, "scheme"),
        ("'self' *", 7, "host"),
        ("https://*", 8, "host"),
        ("*:*", 0, "host"),
        ("*:443/a/", 0, "host"),
        ("*.*.example", 2, "host"),
        ("a*.example", 1, "host"),
        ("*.", 0, "host"),
        ("https://", 8, "host"),
        ("https:///a", 8, "host"),
        ("/a/", 0, "host"),
        ("https://a.example.", 17, "host"),
        ("https://a_b.example", 8, "host"),
        ("https://a..example", 8, "host"),
        ("b\u00fccher.example", 0, "host"),
        ("https://me@a.example", 8, "userinfo"),
        ("https://10.0.0.1", 8, "host"),
        ("https://0x7f.1", 8, "host"),
        ("https://[::1]", 8, "host"),
        ("'self' foo://a.example", 7, "scheme"),
        ("://a.example", 0, "scheme"),
        ("https://a.example:", 18, "port"),
        ("https://a.example:x", 18, "port"),
        ("https://a.example:65536", 18, "port"),
        ("https://a.example:" + "9" * 5000, 18, "port"),
        ("https://a.example:80:80", 18, "port"),
        ("https://a.example//b", 18, "path"),
        ("https://a.example/a;b", 19, "path"),
        ("https://a.example; img-src b.example", 8, "host"),
        ("https://a.example/; img-src b.example", 18, "path"),
        ("https://a.example/a%2", 19, "path"),
        ("https://a.example/\u00e9", 18, "path"),
        ("https://a.example/a/../b", 20, "path"),
        ("https://a.example/%2E%2e", 18, "path"),
        ("https://a.example/.", 18, "path"),
        ("https://a.example/a?b", 19, "query"),
        ("https://a.example#b", 17, "query"),
        ("'strict-dynamic'", 0, "text"),
        ("'self' 'NONCE-abc'", 7, "text"),
        ("'sha256-abc='", 0, "text"),
        ("'sel'", 0, "text"),
        ("'", 0, "text"),
        (" script-src-elem a.example", 1, "text"),
        ("base-uri", 0, "text"),
    ],
)
def test_an_invalid_or_inexpressible_source_is_an_error(
    source: str, position: int, component: str
) -> None:
    error = failure(csp, source)
    assert (error.position, error.component) == (position, component)
    assert error.rule == "serialized-source-list"


def test_the_hint_for_every_host_names_the_argument_that_allows_them() -> None:
    for source in ("*", "https:", "https://*/a"):
        assert "allow=None" in failure(csp, source).hint


@pytest.mark.parametrize("page", ["file:///a", "https:a", "data:,a", "ws://a.example/"])
def test_a_page_must_have_an_http_origin(page: str) -> None:
    with pytest.raises(RuleError) as caught:
        rules_from_csp("a.example", page=page)
    assert (caught.value.text, caught.value.component) == (page, "scheme")


def test_a_page_must_be_a_valid_uri() -> None:
    with pytest.raises(ParseError):
        rules_from_csp("", page="/a")
    with pytest.raises(RuleError) as caught:
        rules_from_csp(" 'self'", page="https://example.org./")
    assert caught.value.text == " 'self'"


class Url(NamedTuple):
    """The components of a URL in the URL standard; the port is None if it is the default port."""

    scheme: str
    host: str
    port: int | None
    path: str

    def __str__(self) -> str:
        port = "" if self.port is None else f":{self.port}"
        return f"{self.scheme}://{self.host}{port}{self.path}"


DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
HOST_SOURCE = re.compile(
    r"(?:(?P<scheme>[a-z]+)://)?(?P<host>[*a-z.]+)(?::(?P<port>[0-9]+|\*))?(?P<path>/.*)?"
)


def normalized(scheme: str, host: str, port: int | None, path: str) -> Url:
    """Return a URL as a URL parser would."""
    return Url(scheme, host, None if port == DEFAULT_PORTS[scheme] else port, path or "/")


# The functions below are the algorithms of CSP Level 3, 6.7.2.7 to 6.7.2.12.


def url_matches(url: Url, expression: str, origin: Url) -> bool:
    if expression == "'self'":
        return self_matches(url, origin)
    parts = HOST_SOURCE.fullmatch(expression)
    assert parts is not None
    return (
        scheme_matches(parts["scheme"] or origin.scheme, url.scheme)
        and host_matches(parts["host"], url.host)
        and port_matches(parts["port"], url)
        and path_matches(parts["path"] or "", url.path)
    )


def self_matches(url: Url, origin: Url) -> bool:
    if url[:3] == origin[:3]:
        return True
    same_port = url.port == origin.port
    secure = url.scheme in {"https", "wss"}
    plain = origin.scheme == "http" and url.scheme in {"http", "ws"}
    return url.host == origin.host and same_port and (secure or plain)


def scheme_matches(a: str, b: str) -> bool:
    upgrades = {"http": {"https"}, "ws": {"wss", "http", "https"}, "wss": {"https"}}
    return a == b or b in upgrades.get(a, set())


def host_matches(pattern: str, host: str) -> bool:
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else pattern == host


def port_matches(port: str | None, url: Url) -> bool:
    if port == "*":
        return True
    number = None if port is None else int(port)
    return number == url.port or (url.port is None and number == DEFAULT_PORTS[url.scheme])


def path_matches(a: str, b: str) -> bool:
    if not a or (a == "/" and not b):
        return True
    exact = not a.endswith("/")
    ours, theirs = a.split("/"), b.split("/")
    if len(ours) > len(theirs) or (exact and len(ours) != len(theirs)):
        return False
    if not exact:
        ours.pop()
    return all(
        unquote_to_bytes(one) == unquote_to_bytes(other)
        for one, other in zip(ours, theirs, strict=False)
    )


HOSTS = ["example.com", "a.example.com", "b.a.example.com", "xexample.com"]
SOURCE_HOSTS = ["example.com", "*.example.com", "a.example.com", "*.com"]
PORTS = [None, 80, 443, 8443]
PLAIN_PATHS = ["", "/", "/a", "/a/", "/a/b", "/a/b/", "/a/b/c", "/aa", "/A"]
PATHS = [*PLAIN_PATHS, "/a;b", "/a%3Bb", "/a%3bb", "/*", "/%2A", "/a*", "/%61", "/a%2Fb", "/a/%2e"]

pages = st.builds(
    normalized,
    st.sampled_from(["http", "https"]),
    st.sampled_from(HOSTS),
    st.sampled_from(PORTS),
    st.just("/"),
)


def urls(paths: Sequence[str]) -> st.SearchStrategy[list[Url]]:
    """Return a strategy of lists of URLs with these paths."""
    schemes = st.sampled_from(["http", "https", "ws", "wss"])
    hosts, ports = st.sampled_from(HOSTS), st.sampled_from(PORTS)
    url = st.builds(normalized, schemes, hosts, ports, st.sampled_from(paths))
    return st.lists(url, min_size=1, max_size=20)


def sources(paths: Sequence[str]) -> st.SearchStrategy[str]:
    """Return a strategy of source expressions with these paths."""
    schemes = st.sampled_from(["", "http://", "https://", "ws://", "wss://"])
    ports = st.sampled_from(["", ":80", ":443", ":8443", ":*"])
    parts = st.tuples(schemes, st.sampled_from(SOURCE_HOSTS), ports, st.sampled_from(paths))
    return st.just("'self'") | parts.map("".join)


@needs_rules
@given(
    sources=st.lists(
        sources([path for path in PATHS if ";" not in path and "%2e" not in path]), max_size=3
    ),
    page=pages,
    urls=urls(PATHS),
)
def test_no_rule_allows_a_url_that_the_source_list_does_not_match(
    sources: list[str], page: Url, urls: list[Url]
) -> None:
    rules = rules_from_csp(" ".join(sources), page=str(page))
    for url in urls:
        if not any(url_matches(url, source, page) for source in sources):
            assert not allows(rules, str(url))


@needs_rules
@given(source=sources(PLAIN_PATHS), page=pages, urls=urls(PLAIN_PATHS))
def test_the_rules_allow_every_url_without_special_characters_that_a_source_matches(
    source: str, page: Url, urls: list[Url]
) -> None:
    rules = rules_from_csp(source, page=str(page))
    for url in urls:
        # A source of WebSocket URLs matches HTTP URLs too, but its rules do not.
        narrower = source.startswith("ws") and url.scheme.startswith("http")
        assert allows(rules, str(url)) == (url_matches(url, source, page) and not narrower)


# --- match patterns


@pytest.mark.parametrize(
    ("pattern", "rules"),
    [
        ("https://example.com/*", "https://example.com:*"),
        ("*://example.com/*", "http://example.com:* https://example.com:*"),
        ("https://*.example.com/*", "https://example.com:* https://*.example.com:*"),
        ("https://example.com/foo/*", "https://example.com:*/foo/"),
        ("https://example.com/foo", "https://example.com:*/foo?"),
        ("https://example.com/foo?", "https://example.com:*/foo?"),
        ("https://example.com/foo?a=1&b=/", "https://example.com:*/foo?a=1&b=/"),
        ("https://example.com:*/*", "https://example.com:*"),
        ("*://example.com:443/*", "http://example.com:443 https://example.com"),
        ("http://example.com:08080/*", "http://example.com:8080"),
        ("http://localhost/*", "http://localhost:*"),
        ("http://127.0.0.1/*", "http://127.0.0.1:*"),
        ("http://[::1]:8080/*", "http://[::1]:8080"),
        ("wss://example.com/*", "wss://example.com:*"),
        ("ftp://example.com/*", "ftp://example.com:*"),
        (
            "*://*.a.example/a/*",
            "http://a.example:*/a/ http://*.a.example:*/a/"  # noqa: ISC004 - one string
            " https://a.example:*/a/ https://*.a.example:*/a/",
        ),
    ],
)
def test_a_match_pattern_becomes_rules(pattern: str, rules: str) -> None:
    assert match_pattern(pattern) == rules


@pytest.mark.parametrize(
    ("pattern", "position", "component"),
    [
        ("<all_urls>", 0, "text"),
        ("", 0, "scheme"),
        ("http", 0, "scheme"),
        ("http:/bar", 0, "scheme"),
        ("example.com/*", 0, "scheme"),
        ("file:///foo*", 0, "scheme"),
        ("about://a/*", 0, "scheme"),
        ("HTTP://example.com/*", 0, "scheme"),
        ("http://", 7, "host"),
        ("http:///", 7, "host"),
        ("*://*/*", 4, "host"),
        ("http://*foo/bar", 7, "host"),
        ("http://foo.*.bar/baz", 11, "host"),
        ("http://*.*.bar/baz", 9, "host"),
        ("http://a.*.bar:123/baz", 9, "host"),
        ("http://example.com./*", 18, "host"),
        ("http://example.com:/*", 19, "port"),
        ("http://example.com:99999/*", 19, "port"),
        ("http://bar", 10, "path"),
        ("http://bar?a", 10, "path"),
        ("http://[::1]x/*", 12, "path"),
        ("http://example.com/", 18, "path"),
        ("http://example.com/a/", 20, "path"),
        ("http://example.com/a/?b", 20, "path"),
        ("http://example.com/foo*", 22, "path"),
        ("http://example.com/*/b", 19, "path"),
        ("http://example.com/*/*", 19, "path"),
        ("http://example.com/*.js", 19, "path"),
        ("http://example.com/a/**", 21, "path"),
        ("http://example.com/*?", 19, "path"),
        ("http://example.com/a?*", 21, "query"),
        ("http://example.com/a?b/*", 23, "query"),
        ("http://example.com/a/../*", 21, "path"),
        ("http://example.com/a#b", 20, "fragment"),
        ("http://example.com/a?b#c", 22, "fragment"),
        ("http://example.com/a b/*", 18, "path"),
        ("http://me@example.com/*", 7, "userinfo"),
        ("http://exa mple.com/*", 7, "host"),
    ],
)
def test_an_invalid_or_inexpressible_match_pattern_is_an_error(
    pattern: str, position: int, component: str
) -> None:
    error = failure(match_pattern, pattern)
    assert (error.position, error.component) == (position, component)
    assert error.rule == "match-pattern"


def glob_matches(pattern: str, url: Url) -> bool:
    """Return whether a match pattern matches a URL without a fragment."""
    scheme, _, rest = pattern.partition("://")
    host, slash, path = rest.partition("/")
    name = host.removeprefix("*.")
    known = url.host == name or (host.startswith("*.") and url.host.endswith(f".{name}"))
    glob = ".*".join(map(re.escape, (slash + path).split("*")))
    return (
        url.scheme in {"*": {"http", "https"}}.get(scheme, {scheme})
        and known
        and re.fullmatch(glob, url.path) is not None
    )


match_patterns = st.builds(
    "{}://{}{}".format,
    st.sampled_from(["*", "http", "https"]),
    st.sampled_from(SOURCE_HOSTS),
    st.sampled_from(["/a", "/a?a", "/a/b?a=1", "/*", "/a/*", "/A"]),
)


@needs_rules
@given(pattern=match_patterns, urls=urls(PLAIN_PATHS), query=st.sampled_from(["", "?a", "?a=1"]))
def test_the_rules_of_a_match_pattern_allow_the_same_urls(
    pattern: str, urls: list[Url], query: str
) -> None:
    rules = rules_from_match_pattern(pattern)
    for url in urls:
        with_query = url._replace(path=url.path + query)
        assert allows(rules, str(with_query)) == glob_matches(pattern, with_query)


# --- URL patterns


@pytest.mark.parametrize(
    ("pattern", "rules"),
    [
        ("https://example.com", "https://example.com"),
        ("https://example.com/*", "https://example.com"),
        ("HTTPS://example.com/*", "https://example.com"),
        ("http{s}?://example.com/*", "http://example.com https://example.com"),
        ("ws{s}?://example.com", "ws://example.com wss://example.com"),
        ("https://*.example.com/*", "https://*.example.com"),
        ("https://{*.}example.com/*", "https://*.example.com"),
        ("https://{*.}?example.com/*", "https://example.com https://*.example.com"),
        ("https://{*.}?example.com:*/a", "https://example.com:*/a https://*.example.com:*/a"),
        ("https://example.com:8443/*", "https://example.com:8443"),
        ("https://example.com:443/*", "https://example.com"),
        ("https://example.com:/*", "https://example.com"),
        (r"https://[\:\:1]:8080/*", "https://[::1]:8080"),
        (r"https://[2001\:db8\:\:1]/*", "https://[2001:db8::1]"),
        ("https://example.com/books", "https://example.com/books"),
        ("https://example.com/books/*", "https://example.com/books/"),
        ("https://example.com/books/:id", "https://example.com/books/*"),
        ("https://example.com/:a/b/:c-:d", "https://example.com/*/b/*-*"),
        ("https://example.com/:file.js", "https://example.com/*.js"),
        ("https://example.com/v{:number}b", "https://example.com/v*b"),
        ("https://example.com/:a/*", "https://example.com/*/"),
        (r"https://example.com/\*/a\:b\{c\}", "https://example.com/%2A/a:b%7Bc%7D"),
        ("https://example.com/{a}b", "https://example.com/ab"),
        (r"https://example.com/{\?}", "https://example.com/%3F"),
        ("https://example.com/a b/\u00e9", "https://example.com/a%20b/%C3%A9"),
        ("https://example.com/caf%C3%A9", "https://example.com/caf%C3%A9"),
        ("https://example.com/a?b=c", "https://example.com/a?b=c"),
        (r"https://example.com/a\?b=c", "https://example.com/a?b=c"),
        (r"https://example.com/a?b\?\+\*", "https://example.com/a?b?+%2A"),
        ("https://example.com/a?", "https://example.com/a?"),
        ("https://example.com/a?*", "https://example.com/a"),
        (r"https://example.com/a/*\?b", "https://example.com/a/?b"),
        (r"https://example.com/*\?b", "https://example.com/?b"),
        (r"https://example.com/*\?*", "https://example.com"),
        ("https://example.com/a?b=c#*", "https://example.com/a?b=c"),
        # A pattern with a hash but without a search matches only URLs without a query.
        ("https://example.com/a#*", "https://example.com/a?"),
        ("https://example.com/*#*", "https://example.com/?"),
    ],
)
def test_a_url_pattern_becomes_rules(pattern: str, rules: str) -> None:
    assert url_pattern(pattern) == rules


@pytest.mark.parametrize(
    ("pattern", "position", "component"),
    [
        ("", 0, "scheme"),
        ("/books/*", 0, "scheme"),
        ("example.com/*", 0, "scheme"),
        ("https:example.com", 0, "scheme"),
        ("https:/a", 6, "scheme"),
        ("*://example.com/*", 0, "scheme"),
        ("https?://example.com/*", 0, "scheme"),
        ("data://a/*", 0, "scheme"),
        ("(http|https)://example.com", 0, "text"),
        ("https://example.com/(a|b)", 20, "text"),
        ("https://example.com/a\\", 21, "text"),
        ("https://example.com/:a\u00e9", 22, "text"),
        ("https://", 8, "host"),
        ("https:///a", 8, "host"),
        ("https://*", 8, "host"),
        ("https://*:*/*", 8, "host"),
        ("https://*example.com", 8, "host"),
        ("https://a.*.example.com", 10, "host"),
        ("https://:sub.example.com", 8, "host"),
        ("https://{:sub.}?example.com", 15, "host"),
        ("https://{a.}?example.com", 12, "host"),
        ("https://example.{com,org}?", 25, "host"),
        ("https://example.com./a", 19, "host"),
        (r"https://\*.example.com/a", 8, "host"),
        ("https://[::1]/a", 9, "host"),
        ("https://me:password@example.com/", 8, "userinfo"),
        ("https://me@example.com/", 8, "userinfo"),
        ("https://example.com:80@evil.example/", 8, "userinfo"),
        ("https://example.com:8*/a", 21, "port"),
        ("https://example.com:99999/a", 20, "port"),
        ("http{s}?://example.com:443/a", 23, "port"),
        ("https://example.com/", 19, "path"),
        ("https://example.com/books/", 25, "path"),
        ("https://example.com/:a/", 22, "path"),
        ("https://example.com?a", 19, "path"),
        ("https://example.com#*", 19, "path"),
        ("https://example.com/*/a", 20, "path"),
        ("https://example.com/a*", 21, "path"),
        ("https://example.com/*.js", 20, "path"),
        ("https://example.com/**", 21, "path"),
        ("https://example.com/*?b", 21, "path"),
        ("https://example.com/:id?", 23, "path"),
        ("https://example.com/:id+", 23, "path"),
        ("https://example.com/:id*", 23, "path"),
        ("https://example.com/{a}?", 23, "path"),
        ("https://example.com/a+b", 21, "path"),
        ("https://example.com/:a:b", 22, "path"),
        ("https://example.com/a:/b", 21, "path"),
        ("https://example.com/{a{b}}", 22, "path"),
        ("https://example.com/a}", 21, "path"),
        ("https://example.com/{a", 20, "path"),
        ("https://example.com/a/../b", 22, "path"),
        ("https://example.com/a/..:b", 22, "path"),
        (r"https://example.com/a\\b", 21, "path"),
        ("https://example.com/a|b", 21, "path"),
        ("https://example.com/a\tb", 21, "path"),
        ("https://example.com/\ud800", 20, "path"),
        ("https://example.com/a?b*", 23, "query"),
        ("https://example.com/a?:b", 22, "query"),
        ("https://example.com/a?b?", 23, "query"),
        ("https://example.com/a?b|", 23, "query"),
        ("https://example.com{/b}/c", 20, "host"),
        ("https://example{.com/}b.com/c", 20, "host"),
        ("https://example.com/a#", 22, "fragment"),
        ("https://example.com/a#b", 22, "fragment"),
    ],
)
def test_an_invalid_or_inexpressible_url_pattern_is_an_error(
    pattern: str, position: int, component: str
) -> None:
    error = failure(url_pattern, pattern)
    assert (error.position, error.component) == (position, component)
    assert error.rule == ("URLPattern")


path_pieces = st.sampled_from(
    [("/a", "/a"), ("/b", "/b"), ("/:{}", "/[^/]+"), ("/a:{}", "/a[^/]+"), ("/:{}a", "/[^/]+a")]
)


def with_names(pieces: list[tuple[str, str]], end: tuple[str, str]) -> tuple[str, str]:
    """Return a pattern and the regular expression of its path; every group has another name."""
    pattern = "".join(piece.format(f"n{place}_") for place, (piece, _) in enumerate(pieces))
    return pattern.replace("_a", "_{a}") + end[0], "".join(regex for _, regex in pieces) + end[1]


@needs_rules
@given(
    path=st.builds(
        with_names,
        st.lists(path_pieces, min_size=1, max_size=3),
        st.sampled_from([("", ""), ("/*", "/.*")]),
    ),
    urls=st.lists(
        st.lists(st.sampled_from(["a", "b", "aa", "ab", ""]), max_size=4).map("/".join),
        min_size=1,
        max_size=20,
    ),
)
def test_the_rules_of_a_url_pattern_allow_the_same_paths(
    path: tuple[str, str], urls: list[str]
) -> None:
    pattern, regex = path
    rules = rules_from_url_pattern(f"https://example.com{pattern}")
    for url in urls:
        # A policy rejects paths that start with "//".
        matched = re.fullmatch(regex, f"/{url}") is not None and not url.startswith("/")
        assert allows(rules, f"https://example.com/{url}") == matched


# --- all three


@pytest.mark.parametrize("translate", [csp, match_pattern, url_pattern])
@given(text=st.text(alphabet="htps:/*.{}?#[]@!'%2e;-,\\ ab8\u00e9") | st.text())
def test_any_string_becomes_rules_or_an_error(translate: Callable[[str], str], text: str) -> None:
    error = None
    try:
        rules = translate(text).split()
    except RuleError as raised:
        error = raised
    if error is None:
        assert len(set(rules)) == len(rules)
    else:
        assert error.text == text
        assert 0 <= error.position <= len(text)
        assert error.reason in str(error)


def test_other_types_are_an_error() -> None:
    calls: list[tuple[Callable[..., object], dict[str, Any]]] = [
        (rules_from_csp, {"page": PAGE}),
        (rules_from_match_pattern, {}),
        (rules_from_url_pattern, {}),
    ]
    for translate, named in calls:
        with pytest.raises(TypeError):
            translate(b"https://example.com/*", **named)
    with pytest.raises(TypeError):
        rules_from_csp("", page=b"https://example.org/")  # type: ignore[arg-type]
