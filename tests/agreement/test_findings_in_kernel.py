from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from amounts import scaled
from counting import calls_of

from compare_conformance.mutants import mutant
from uriverse import Finding, check, columns
from uriverse._engine import kernel
from uriverse._policy import readings
from uriverse._policy.readings import decode_fully
from uriverse._spec.percent import pct_encode
from uriverse.diagnosis import CODES, PROFILES, _dot_segments
from uriverse.diagnosis._checking import list_findings, list_first_findings
from uriverse.diagnosis._dot_segments import decode_leniently, find_hidden_dot_segments
from uriverse.diagnosis._findings import expand_profile, get_kernel_profile, group_details
from uriverse.diagnosis._rules import apply_rules

PIECES = (
    *("file", "FILE:///", "localhost", "c:", "/c%3A/", "/..//"),
    *("http", "HTTPS", "ftp", "s", "://", ":", "/", "//", "?", "#", "@", ".", "..", "-", "_"),
    *("a", "B", "xn--", "Xn--a", "1", "0x1", "a.example", ":80", ":443", ":0", ":8080", ":65535"),
    *(":65536", ":100000", ":", "%41", "%2e", "%2F", "%5c", "%25", "%20", "%0a", "%7F", "%c3%a9"),
    *("%C3", "%ED%A0%80", "%EF%BF%BE", "%EF%B7%90", "%F0%9F%BF%BF", "%F4%90%80%80", "%f0%9f%98%80"),
    *("[::1]", "é", "\ud800", "\\", " ", "\0", "%zz", "%", "&=;+,!$'()*~|"),
    *(";", "/..", "../", "..;a", "%3B", "%e2%80%8B", "%C2%A5", "%EF%BC%8E"),
    *("%E2%80%A5", "%EF%BC%85", "%2541", "%252e", "%25%32", "%C0%AE", "xn--bcher-kva", "%e9"),
    *("[2001:db8::1]", "[::ffff:1.2.3.4]", "[64:ff9b::1]", "[v1.a]", "1.2.3.4", "user:pw", "u"),
    *("mailto:", "tel:", "urn:", "data:", "ws:", "coap:", "gopher://", "sip:", "x://", "ldap://"),
    *("+1-2", "example:a", "isbn:1", "urn-7", "text/plain", ",", "base64", "YWJj", "a@b.c"),
)  # fmt: skip


#: Invalid characters, and characters that some programs treat in the same way as these.
INVALID = (
    *('"', "<", ">", "^", "`", "{", "}", "|", " ", "\t", "\r\n", "\0", "\x1f", "\x7f", "\\", "["),
    *("]", "%", "%a", "%u002e", "%zz", "#", "/", ".", "..", "a", "1", "-", ":", "@", "?", ";"),
    *("%20", "%5C", "c|/", "_", "80"),
)  # fmt: skip

#: Letters that no rule examines, other non-ASCII characters, and parts of URIs around them.
PAST_ASCII = (
    *("\u00e9", "\u0436", "\u65e5", "\u30fc", "\U00020000", "\uac00", "\u00df", "\u03c2"),
    *("e\u0301", "\u0301", "\u1100\u1161", "\u05d0", "\u0627", "\u202e", "\u200b", "\u00ad"),
    *("\u3164", "\uff0e", "\uff0f", "\u2024", "\uff41", "\u00a0", "\u3000", "\u2028", "\ue000"),
    *("\ufdd0", "\x85", "\ud800", "\u212a", "\ufb01", "\u0661", "\u00aa", "/", ".", "..", "?", "#"),
    *("a", "@", ":", " ", "%41", "%e9", ";", "&", "=", "\ufffd", "\ufffc", "\U0001f600"),
)  # fmt: skip

#: Beginnings of URIs, for each grammar that the kernel knows.
STARTS = (
    *("http://", "https://a", "http://a.b/", "http://a?", "http://a/?", "file://", "file:///", ""),
    *("urn:", "mailto:", "tel:", "data:", "foo:", "//", "x://h/"),
)


def assert_findings_agree(text: str) -> None:
    for profile in PROFILES:
        expected = apply_rules(text, expand_profile(profile))
        assert list_findings(text, profile) == expected, (text, profile)
        assert check(text, profile) == group_details(expected), (text, profile)


def is_found_in_kernel(text: str) -> bool:
    """Return whether the kernel leaves nothing to the Python functions; true without a kernel."""
    return kernel is None or not kernel.examine_text(text, *get_kernel_profile("generic"))[0]


def join(random: Random, pieces: Sequence[str], most: int) -> str:
    return random.choice(STARTS) + "".join(random.choices(pieces, k=random.randint(0, most)))


def any_letter(random: Random) -> str:
    ranges = (range(0x80, 0xD800), range(0xE000, 0x10000), range(0x10000, 0x3134B), [0xE0100])
    return chr(random.choice(random.choice(ranges)))


def host_of_a_label(random: Random) -> str:
    """Return a host with an A-label of letters of one script or of several."""
    scripts = (
        *("abc\xe9\xfc\u0131", "\u0430\u0441\u0435\u044f", "\u65e5\u672c\u30cea", "\u05d0\u05d1"),
    )
    letters = random.choices(random.choice((*scripts, "".join(scripts))), k=random.randint(1, 5))
    label = "xn--" + "".join(letters).encode("punycode").decode()
    hosts = ("{}.com", "{}", "a.{}.b", "{}.xn--p1ai", "{}.", "_x.{}.c", "{}.1")
    return random.choice(hosts).format(label)


#: Letters that all versions of IDNA convert alike, and others.
LETTERS_OF_HOSTS = (
    *("\u00fc", "\u00dc", "\u00df", "\u03c2", "\u03a3", "\u1e9e", "\u0130", "\u0131", "\u017f"),
    *("\u4f8b", "\u3048", "\u30fc", "\u4e00", "\u043f", "\u0441", "\u05d0", "\u0661"),
    *("\u0e17\u0e31", "\uff41", "\uff71", "\u3002", "e\u0301", "\u00b2", "\u01c4", "\u212a"),
    *("\u1c90", "\u0221", "\U0001f600", "a", "7", "-", "%61", "%2E", "%C3%BC", "%C3"),
)  # fmt: skip

NUMBERS = (
    *("0x7f", "0X", "0xg", "017", "08", "00", "1", "255", "256", "65536", "4294967295"),
    *("4294967296", "9999999999999999", "0xfffffffffffffffff", "a1", "1a", "", "%31", "192.0.2.1."),
)  # fmt: skip

#: Drive letters, encoded dots, and others after which no drive or dot segment follows.
STEPS = (
    *("c:", "%43%3a", "C%7c", "c|", "%2e", ".", "%2E%2e", "/", "//", "a", "?", "#", "file:"),
    *("\u00e9", "\u00e9:/"),
)


def name_past_ascii(random: Random) -> str:
    labels = ["".join(random.choices(LETTERS_OF_HOSTS, k=random.randint(1, 3))) for _ in range(2)]
    hosts = (
        *("{}", "a.{}", "{}.{}", "{}.com", "{}.1", "{}.0x", "{}.1a", "xn--a.{}"),
        *("{}.", "xn--4gbrim.{}"),
    )
    return random.choice(hosts).format(*labels)


#: Functions that return a random string of each kind.
FAMILIES: dict[str, Callable[[Random], str]] = {
    "pieces": lambda random: join(random, PIECES, 4),
    "invalid characters": lambda random: join(random, INVALID, 6),
    "letters past ASCII": lambda random: join(random, PAST_ASCII, 6),
    "pairs of pieces": lambda random: (
        random.choice(("http://a", "http://a/", "file://")) + "".join(random.choices(PIECES, k=2))
    ),
    "a letter in a path": lambda random: "http://a.example/b{0}/.{0}./?c{0}#{0}".format(
        any_letter(random)
    ),
    "an encoded letter": lambda random: (
        f"http://a.example/{pct_encode(any_letter(random).encode())}"
    ),
    "mutants": mutant,
    "A-labels": lambda random: f"http://{host_of_a_label(random)}/",
    "two A-labels": lambda random: f"//{host_of_a_label(random)}.{host_of_a_label(random)}",
    "random A-labels": lambda random: (
        "http://xn--" + "".join(random.choices("abcdez0789-", k=random.randint(1, 8)))
    ),
    "names past ASCII": lambda random: (
        f"{random.choice(('http:', '', 'file:', 'x:'))}//{name_past_ascii(random)}"
        + random.choice(("", "/", ":80", "/\u00e9", "/ "))
    ),
    "numbers": lambda random: "http://" + ".".join(random.choices(NUMBERS, k=random.randint(1, 5))),
    "drive letters and dots": lambda random: (
        random.choice((*STARTS, "c:", "file://c:", "/"))
        + "".join(random.choices(STEPS, k=random.randint(0, 4)))
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_findings_agree_for_random_strings(family: str) -> None:
    random = Random(family)
    for _ in range(scaled(2_000)):
        assert_findings_agree(FAMILIES[family](random))


@pytest.mark.parametrize("profile", PROFILES)
def test_the_findings_of_columns_are_those_of_single_strings(profile: str) -> None:
    random = Random(11)
    texts = [join(random, pieces, 4) for pieces in (PIECES, INVALID) for _ in range(scaled(2_000))]
    texts = [text for text in texts if "\ud800" not in text]
    expected = [[finding.code for finding in check(text, profile)] for text in texts]
    assert columns.findings(texts, profile).to_pylist() == expected


PATH_PIECES = (
    *("/", "/", "\\", ".", "..", "...", "a", "-", "+", ";", "?", "#", "\0", " ", "\u00e9"),
    *("\u2024", "%2e", "%2f", "%5c", "%25", "%252e", "%3b", "%00", "%20", "%u002e", "%25u002f"),
    *("%ud800", "%C0%AE", "%E0%80%AE", "%F0%80%80%AE", "%f8%80%80%80%ae", "%fc%80%80%80%80%ae"),
    *("%C1%9C", "%E2%80%A5", "%EF%BC%8E", "%EF%BC%85", "2e", "%C2%AD", "%E2%80%8B", "%ff"),
    *("%E2%80", "%C3%A9"),
)


@pytest.mark.skipif(kernel is None, reason="the kernel is not compiled")
def test_the_conversions_of_servers_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(8)
    for _ in range(scaled(10_000)):
        path = "".join(random.choices(PATH_PIECES, k=random.randint(1, 8)))
        opaque = random.random() < 0.2
        compiled: list[Any] = [
            decode_leniently(path),
            decode_fully(path),
            list(find_hidden_dot_segments(path, 0, opaque=opaque, first_only=True)),
        ]
        with monkeypatch.context() as patch:
            for module in (_dot_segments, readings):
                patch.setattr(module, "kernel", None)
            firsts = {
                f.code: f for f in reversed([*find_hidden_dot_segments(path, 0, opaque=opaque)])
            }
            found = sorted(firsts.values(), key=lambda f: (f.start, f.code))
            expected = [decode_leniently(path), decode_fully(path), found]
        compiled[2].sort(key=lambda f: (f.start, f.code))
        assert compiled == expected, path


def test_policies_use_the_first_finding_of_each_code() -> None:
    for pieces in product(["/", "/..;", "/%2e", "%00", "\u00ad", "?", "%ff", "\u05d0"], repeat=4):
        text = "http://a.example/" + "".join(pieces)
        firsts: dict[tuple[str, str], Finding] = {}
        for finding in list_findings(text):
            if CODES[finding.code].group in {"scheme", "ambiguity"}:
                firsts.setdefault((finding.code, finding.component), finding)
        assert list_first_findings(text) == [*firsts.values()], text


def test_the_kernel_needs_no_python_functions_for_usual_strings() -> None:
    for text in [
        *("http://a.example", "https://www.a.example:8080/b/c.html?d=e&f=%20g#h", "HTTP://A/"),
        *("https://a.example/caf%C3%A9", "file:///etc/hosts#a", "http://a.example:80/"),
        *("http://a:080/", "http://a:/", "http://a:99999/", "https://me@a/", "https://me:pw@a/"),
        *("http://9.9.9.9/", "http://[2001:db8::1]/", "http://[::ffff:1.2.3.4]/", "http://a./"),
        *("http://a/b%2Fc", "http://a/%0A", "http://a/caf%E9.html", "http://a/%2541", "ftp://a/?b"),
        *("http://a_b.example/", "http://-a/", "http://a..b/", "http://a,b/", "http://a?b@c"),
        *("http://xn--bcher-kva.example/", "http://xn--p1ai/", "file://server/a", "file:///a?b"),
        *("mailto:a@b.example", "tel:+1-201-555-0123", "urn:example:a", "data:text/plain,a"),
        *("data:text/plain;charset=utf-8;base64,YWJj", "foo:a", "/a/b", "a", "//a/b", "//u:@h"),
        *("//u:p@h", "//127:80@d", "//1a@h", "http://a/.well-known/b", "http://a/b.c/d..e/f.."),
        *("http://a/../b/./c", "http://a/b//c", "http://a/%20b..c", "http://a/;b/c"),
        *("http://a/v1...v2/b", "http://a.1b/", "http://a/b c", "http://a/?b=<c>#d e"),
        *('http://"a.example/b', "http://a/b\\%20c", "http://a/\xe9"),
        *("https://a.example/\u65e5\u672c?b=\u0436#\xe9", "\xe9/b", "http://a/\xe9 "),
        *("http://a/?%zz", "http://a/b#c#d", "http://a/b\tc\n", "foo:%20..", "foo:a.../b"),
        *("http://a/..;", "http://a/.;", "http://a/%20..", "http://a/..%20", "http://a/b../c"),
        *("http://a/.%C2%A0./b", "http://a/b/;/../c", "http://a/b/%20/../c", "http://a/b/..//c"),
        *("http://a/%2e%2e/", "http://a/b%2F../c", "http://a/%252e", "http://a/%C0%AE"),
        *("http://b\xfccher.example/", "http://www.STRA\xdfE.de/a", "http://\u4f8b\u3048.com/\xe9"),
        *("http://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/", "http://xn--a/"),
        "http://b%C3%BCcher/",
        *("http://%61/", "http://www%2Ea.example/", "http://\u30c7\u30fc\u30bf.com/"),
        *("http://0x7f.1/", "http://1/", "http://a.1/", "http://a.0x4/"),
        *("http://017.0.0.1/", "http://256.1/"),
        *("c:", "c:/a", "/C%3A/a", "file:///c:/a", "urn:example:a%2eb"),
    ]:
        assert is_found_in_kernel(text)
        assert_findings_agree(text)


def test_the_kernel_leaves_what_it_cannot_decide_to_python_functions() -> None:
    for text in [
        *("http://1.2.3.4.5/", "http://%31/", "http://%2F/", "http://a%40b@c/", "http://\u4e8c.1/"),
        *("http://xn--80ak6aa92e.com/", "http://xn--a-/", "urn:isbn:0-395-36341-2", "tel:1;ext=a"),
        *("mailto:a@b?subject=c", "http://a/%EF%BF%BE", "about:a", "coap://a/", "http://\u05d0/"),
        *(f"http://a/{letter}" for letter in ("e\u0301", "\u05d0", "\u200b", "\uff0e", "\u00a0")),
        *("http://a b/", "mailto:a%0Ab@c", "data:;base64,YQ==", "x" * 30 + ":"),
    ]:
        assert kernel is None or not is_found_in_kernel(text)
        assert_findings_agree(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("http://a_.1b/", {"last-label-digit": (), "label-with-underscore": ()}),
        ("http://a_.b:080/", {"label-with-underscore": (), "port-odd": ()}),
        ("https://me:pw@a/", {"password": ("userinfo",)}),
        ("http:///a", {"host-missing": ("slash-count", "authority-empty")}),
    ],
)
def test_several_findings_need_no_more_function_calls_than_none(
    text: str, expected: dict[str, tuple[str, ...]]
) -> None:
    def calls(given: str) -> tuple[int, int]:
        return calls_of(lambda: check(given)), calls_of(lambda: columns.findings([given] * 50))

    assert {finding.code: finding.details for finding in check(text)} == expected
    assert columns.findings([text] * 50).to_pylist() == [[*expected]] * 50
    assert kernel is None or calls(text) == calls("http://a/")


def test_strings_with_more_findings_than_the_kernel_keeps_agree() -> None:
    assert_findings_agree("http://a/" + "%2F" * 100)
    assert_findings_agree("http://" + "_." * 100 + "a/")
