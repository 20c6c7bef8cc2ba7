"""The prefilter of `check` skips only strings without findings, the same ones in both engines."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest
from amounts import scaled
from engines import both
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, references

from conformance.mutants import mutants
from uriverse import _engine
from uriverse._spec.percent import pct_encode
from uriverse.diagnosis._examination import findings
from uriverse.diagnosis._findings import settings_of
from uriverse.diagnosis._prefilter import reference
from uriverse.schemes._descriptors import default_registry

#: The function that `check` calls.
has_no_findings = _engine.kernel.has_no_findings if _engine.compiled else reference

PIECES = (
    *("file", "FILE:///", "localhost", "c:", "/c%3A/", "/..//"),
    *("http", "HTTPS", "ftp", "s", "://", ":", "/", "//", "?", "#", "@", ".", "..", "-", "_"),
    *("a", "B", "xn--", "Xn--a", "1", "0x1", "a.example", ":80", ":443", ":0", ":8080", ":65535"),
    *(":65536", ":100000", ":", "%41", "%2e", "%2F", "%5c", "%25", "%20", "%0a", "%7F", "%c3%a9"),
    *("%C3", "%ED%A0%80", "%EF%BF%BE", "%EF%B7%90", "%F0%9F%BF%BF", "%F4%90%80%80", "%f0%9f%98%80"),
    *("[::1]", "é", "\ud800", "\\", " ", "\0", "%zz", "%", "&=;+,!$'()*~|"),
    *(";", "/..", "../", "..;a", "%3B", "%e2%80%8B", "%C2%A5", "%EF%BC%8E"),
    *("%E2%80%A5", "%EF%BC%85"),
)  # fmt: skip


def assert_prefilters_agree(text: str) -> None:
    _, kernel = both()
    for normalized in (False, True):
        assert reference(text, normalized) == kernel.module.has_no_findings(text, normalized), (
            text,
            normalized,
        )
    assert_prefilter_is_sound(text)


def filters() -> list[Callable[[str], bool]]:
    _, kernel = both()
    return [lambda text: reference(text, False), lambda t: kernel.module.has_no_findings(t, False)]


def assert_prefilter_is_sound(text: str) -> None:
    """Assert that strings that pass the prefilter have no findings.

    The less strict setting of the prefilter allows strings that are not normalized.
    """
    if has_no_findings(text, False):
        found = {f.code for f in findings(text, settings_of("strict"), default_registry())}
        assert found <= {"not-normalized"}, text
        assert not (has_no_findings(text, True) and found), text


@given(st.one_of(references(), hostile()))
def test_both_prefilters_agree_on_valid_and_hostile_strings(text: str) -> None:
    assert_prefilters_agree(text)
    assert_prefilters_agree(f"http://a.example/{text}")
    assert_prefilters_agree(f"https://{text}")


def test_both_prefilters_agree_on_random_sequences_of_pieces() -> None:
    random = Random(5)
    for _ in range(scaled(20_000)):
        start = random.choice(
            ("http://", "https://a", "http://a.b/", "http://a?", "http://a/?", "file://", "")
        )
        assert_prefilters_agree(start + "".join(random.choices(PIECES, k=random.randint(0, 4))))


def test_both_prefilters_agree_on_every_pair_of_pieces() -> None:
    for first, second in product(PIECES, repeat=2):
        assert_prefilters_agree(f"http://a{first}{second}")
        assert_prefilters_agree(f"http://a/{first}{second}")
        assert_prefilters_agree(f"file://{first}{second}")
        assert_prefilters_agree(f"file:///{first}{second}")


def test_both_prefilters_agree_on_mutated_uris() -> None:
    for text in mutants(99, scaled(3000)):
        assert_prefilters_agree(text)


@pytest.mark.parametrize(
    "text",
    [
        *("http://a_b.example/", "http://a.example_/", "http://a-.example/", "http://-a/"),
        *("http://a.1b/", "http://a.0x4/", "http://a.9/"),
        *("http://a?b@c", "http://a#b@c", "http://a:80?b#c@d/e", "http://a#@b/"),
        *("file://server/a", "file://localhost/a", "file://127.0.0.1/a", "file://:1/a"),
    ],
)
def test_hosts_on_which_parsers_disagree_do_not_pass_the_prefilter(text: str) -> None:
    assert not any(passes(text) for passes in filters())


@pytest.mark.parametrize(
    "text",
    [
        *("http://a-b--c.example/", "http://1.a-1/", "http://a1.b2/"),
        *("http://a/?b@c", "http://a/b@c", "http://a?/b@c", "http://a#/@", "file:///a@b"),
    ],
)
def test_unambiguous_hosts_close_to_ambiguous_ones_pass_the_prefilter(text: str) -> None:
    assert all(passes(text) for passes in filters())


def test_a_path_with_dot_segments_before_two_slashes_does_not_pass_the_prefilter() -> None:
    assert not has_no_findings("http://a.example/b/..//c", False)
    assert has_no_findings("http://a.example/b//c", False)


@pytest.mark.parametrize(
    "path",
    [
        "/..;",
        "/..;a/b",
        "/.;",
        "/%20..",
        "/..%20",
        "/.%C2%A0./b",
        "/b../c",
        "/b/;/../c",
        "/b/%20/../c",
    ],
)
def test_paths_that_climb_in_other_software_do_not_pass_the_prefilter(path: str) -> None:
    assert not any(passes(f"http://a.example{path}") for passes in filters())
    assert not any(passes(f"file:///a{path}") for passes in filters())


@pytest.mark.parametrize(
    "path",
    [
        *("/.well-known/a", "/a.b/c..d/e..", "/..a", "/a/../b/./c", "/%E3%81%82.html"),
        *("/v1...v2/a", "/a.../b", "/%20a..b", "/a//b", "/;a/b"),
    ],
)
def test_paths_with_other_dots_pass_the_prefilter(path: str) -> None:
    assert all(passes(f"http://a.example{path}") for passes in filters())


def test_both_prefilters_agree_on_every_encoded_character() -> None:
    _, kernel = both()
    for code in (*range(0x80, 0xD800), *range(0xE000, 0x10000)):
        text = f"http://a.example/{pct_encode(chr(code).encode())}"
        assert reference(text, False) == kernel.module.has_no_findings(text, False), text


def test_common_uris_pass_the_prefilter() -> None:
    for text in (
        "http://a.example",
        "https://www.a.example:8080/b/c.html?d=e&f=%20g#h",
        "https://a.example/caf%C3%A9",
        "file:///etc/hosts#a",
    ):
        assert has_no_findings(text, False)
    assert has_no_findings("https://a.example/b?c", True)
    for text in ("http://A.example/", "http://a.example", "http://a.example:80/", "HTTP://a/"):
        assert has_no_findings(text, False)
        assert not has_no_findings(text, True)
