import pickle
from typing import Any

import pytest
from marked import list_marked_rows

from uriverse import IRI, URI, IRIReference, Repair, Repaired, RepairError, URIReference, repair
from uriverse.diagnosis import _repairing


def test_a_malformed_string_becomes_the_uri_that_browsers_make_of_it() -> None:
    for text, expected in [
        # spaces and control characters at the ends
        (" \x00http://a.example/b\x1f\n", "http://a.example/b"),
        *(("http://a.example ", "http://a.example"), ("   ", "")),
        # tabs and line breaks
        ("http://a.example/b\tc\r\nd?e\nf#g\th", "http://a.example/bcd?ef#gh"),
        ("http://a.example/%4\n1", "http://a.example/%41"),
        ("http://a.example/\n/b", "http://a.example//b"),
        # characters that a component does not allow
        ('http://a.example/[b]|{c}^`<d>"', "http://a.example/%5Bb%5D%7C%7Bc%7D%5E%60%3Cd%3E%22"),
        ("http://a.example/b?[c]|d e'f", "http://a.example/b?%5Bc%5D%7Cd%20e'f"),
        ("http://a.example/b#c#d e?f", "http://a.example/b#c%23d%20e?f"),
        ("http://a.example/\x01\x7f\x80", "http://a.example/%01%7F%C2%80"),
        ("http://a.example/\u00fc\U0001f600", "http://a.example/%C3%BC%F0%9F%98%80"),
        ("http://a.example/b\u00a0", "http://a.example/b%C2%A0"),
        ("http://u|r:p{w@a.example/", "http://u%7Cr:p%7Bw@a.example/"),
        # percent signs
        ("http://a.example/100%", "http://a.example/100%25"),
        ("http://a.example/%zz%%41%4", "http://a.example/%25zz%25%41%254"),
        # backslashes
        ("http://a.example/b\\c\\..\\d", "http://a.example/b/c/../d"),
        ("HTTP://a.example/b\\c", "HTTP://a.example/b/c"),
        ("http://a.example/b?c\\d#e\\f", "http://a.example/b?c%5Cd#e%5Cf"),
        *(("file:///c:\\a\\b c", "file:///c:/a/b%20c"), ("file:c:\\a", "file:c:/a")),
        *(("foo://a.example/b\\c", "foo://a.example/b%5Cc"), ("foo:a\\b", "foo:a%5Cb")),
        # hosts
        ("http://b\u00fccher.example:80/a b", "http://xn--bcher-kva.example:80/a%20b"),
        ("http://a_b.example/c d", "http://a_b.example/c%20d"),
        ("http://[2001:db8::1]/a b", "http://[2001:db8::1]/a%20b"),
        ("file://server/a b", "file://server/a%20b"),
        # without an authority
        ("mailto:a b@c.example", "mailto:a%20b@c.example"),
        ("data:text/html,<b>a</b>", "data:text/html,%3Cb%3Ea%3C/b%3E"),
        ('javascript:alert("a b")', "javascript:alert(%22a%20b%22)"),
        # relative references
        *(("my photo.jpg", "my%20photo.jpg"), ("a[1].jpg", "a%5B1%5D.jpg"), ("../a b", "../a%20b")),
        *(("images\\a.jpg", "images/a.jpg"), ("\\a", "/a"), ("/a|b", "/a%7Cb")),
        # drive letters only in place of the first segment
        *(("/a/c|/b", "/a/c%7C/b"), ("/cd|/b", "/cd%7C/b")),
        ("file:///a/./c|/b", "file:///a/./c%7C/b"),
        *(("http://a.example/c|/b", "http://a.example/c%7C/b"), ("a/b:c d", "a/b:c%20d")),
        *(("?a b", "?a%20b"), ("#a#b", "#a%23b")),
        ("//b\u00fccher.example/a b", "//xn--bcher-kva.example/a%20b"),
    ]:
        assert str(repair(text)) == expected


@pytest.mark.parametrize(
    ("code", "component", "text", "position"),
    list_marked_rows(
        {
            ("backslash", "userinfo"): "http://good.example^\\@evil.example/",
            ("backslash", "host"): "http://good.example^\\a",
            ("backslash", "path"): [
                *("^\\\\server\\a", "^/\\evil.example", "file:^/\\server\\a", "foo:^\\\\server\\a")
            ],
            ("control", "host"): ["http://a^\nb.example/"],
            ("control", "scheme"): ["java^\nscript:a"],
            ("control", "path"): ["/^\n/evil.example", "a^\nb"],
            ("control", "userinfo"): ["http://a^\x01b@c.example/"],
            ("space", "host"): ["http://a^ b.example/"],
            ("space", "userinfo"): ["http://a^ b@c.example/"],
            ("slash-count", "host"): ["http:^/a.example/b c", "http:^a b"],
            ("single-slash", "path"): ["foo:^/a/b c"],
            ("authority-empty", "host"): ["foo://^/a b"],
            ("scheme-odd", "scheme"): ["^1a:b", "^a b:c"],
            ("scheme-like-host", "scheme"): ["^localhost:80/a b"],
            ("several-at", "userinfo"): ["http://a^@b@c.example/d e"],
            ("at-behind-host", "fragment"): ["http://a.example^#@evil.example/b c"],
            ("ipv4-hex", "host"): ["http://^0x7f.1/a b", "http://^0x7f.1/ "],
            ("trailing-dot", "host"): ["http://^1.2.3.4./a b"],
            ("host-encoded", "host"): ["http://^%61.example/a b", "http://^a%.example/"],
            ("host-characters", "host"): "http://^a|b/",
            ("bracket", "host"): "http://^[::1/a",
            ("port-odd", "port"): "http://a.example:^8o/",
            ("port-huge", "port"): ["http://a.example:^70000/a b"],
            ("file-localhost", "host"): ["file://^localhost/a b"],
            ("file-host", "userinfo"): "file://^u|v@a.example/",
            ("drive-letter", "path"): [
                *("file:///^c|/a", "file://h/a/%2e%2e/^c|/b", "^/c|?x", "^/c|#x", "^/c|"),
                *("//h/^c|/x", "//h/^c|?x", "../^c|/x", "\\a\\..\\^c|", "^/c:?a b"),
            ],
            ("drive-letter", "scheme"): ["^c:\\a b"],
            ("deviation", "host"): "http://^faß.example/",
            ("host-past-ascii", "host"): [
                *("http://^\u2603.example/", "http://^good.exampl\uff11/"),
                *("http://^é\u0661.example/", "http://^BÜCHER.example/", "http://^bücher:/"),
                "foo://^bücher.example/",
            ],
            ("last-label-number", "host"): "http://^é.0x7f/",
            ("missing-scheme", "path"): ["^a|b/c", "^été.jpg", "^a b/c:80"],
            ("syntax", "path"): ["^:a", "a^\ud800", " a/^\udcff"],
        }
    ),
)
def test_a_string_whose_host_is_unclear_is_rejected_with_a_reason(
    code: str, component: str, text: str, position: int
) -> None:
    with pytest.raises(RepairError) as caught:
        repair(text)
    error = caught.value
    assert (error.code, error.position, error.text) == (code, position, text)
    assert error.component == component
    assert error.reason
    assert pickle.loads(pickle.dumps(error)).code == code


def test_an_iri_keeps_the_characters_beyond_ascii_that_it_allows() -> None:
    for text, expected in [
        ("http://b\u00fccher.example/\u00fc x", "http://b\u00fccher.example/\u00fc%20x"),
        ("http://a.example/\ue000?\ue000 ", "http://a.example/%EE%80%80?\ue000"),
        ("/\ufdd0\u0080\u00e9", "/%EF%B7%90%C2%80\u00e9"),
        ("http://\u00fc|@a.example/", "http://\u00fc%7C@a.example/"),
    ]:
        assert str(repair(text, iri=True)) == expected


SLASHES = "http://a.example/b http:a.example http:/ http:///?a file:/a foo:/a /a"
WITHOUT_HOST = (
    "http://a.example/ user:secret@a.example me@a.example a.example@b.example/c "
    "mailto:me@a.example example.org:a example.org://a/b a:80 a/b.c /a.b .htaccess .. ///a ?a.b"
)


def test_slashes_before_a_host_are_fixed_on_request() -> None:
    for text, expected in [
        *(("http:/a.example/b", "http://a.example/b"), ("http:///a.example", "http://a.example")),
        *(("HTTPS:\\/a.example", "HTTPS://a.example"), ("ws:\\\\a.example", "ws://a.example")),
        ("http:\\\\a.example:80\\b\\c?d", "http://a.example:80/b/c?d"),
        ("http:\t/a.example", "http://a.example"),
        ("http:/\\a.example/b\\c", "http://a.example/b/c"),
        # Unchanged.
        *((text, text) for text in SLASHES.split()),
    ]:
        assert str(repair(text, slashes=True)) == expected


@pytest.mark.parametrize(
    "text", ["http:\\\\evil.example\\@good.example", "http:/a.example\\b", "\\\\a.example\\b"]
)
def test_slashes_are_not_fixed_where_the_host_stays_unclear(text: str) -> None:
    with pytest.raises(RepairError, match="browsers"):
        repair(text, slashes=True)


def test_a_scheme_is_added_to_a_host_on_request() -> None:
    for text, expected in [
        ("www.example.org/a", "https://www.example.org/a"),
        ("example.org", "https://example.org"),
        ("example.org:8080/a b", "https://example.org:8080/a%20b"),
        *(("example.org?a", "https://example.org?a"), ("example.org\\a", "https://example.org/a")),
        *(("localhost:80", "https://localhost:80"), ("127.0.0.1:80/a", "https://127.0.0.1:80/a")),
        ("[::1]:80/a", "https://[::1]:80/a"),
        ("b\u00fccher.example", "https://xn--bcher-kva.example"),
        *((" //a/b ", "https://a/b"), ("index.html", "https://index.html")),
        *(("LOCALHOST/a", "https://LOCALHOST/a"), ("LocalHost:80", "https://LocalHost:80")),
        # Unchanged.
        *((text, text) for text in ("", *WITHOUT_HOST.split())),
    ]:
        assert str(repair(text, scheme="https")) == expected


def test_the_scheme_to_add_must_be_valid() -> None:
    # So must the host that gets it, and the host of an IRI.
    with pytest.raises(RepairError, match="hexadecimal"):
        repair("0x7f.1/a", scheme="https")
    with pytest.raises(RepairError, match="IDNA"):
        repair("http://fa\u00df.example/a b", iri=True)
    for scheme in ("", "1a", "https:", "https://"):
        with pytest.raises(ValueError, match="scheme must be"):
            repair("a.example", scheme=scheme)


def test_only_strings_and_identifiers_are_repaired() -> None:
    assert repair(URI("http://a/")).uri == URI("http://a/")
    with pytest.raises(TypeError):
        repair(b"http://a/")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "options", "kind"),
    [
        *(("http://\u00e9.example/\u00e9 ", {}, URI), ("/\u00e9 ", {}, URIReference)),
        *(("http://a/\u00e9 ", {"iri": True}, IRI), ("/\u00e9 ", {"iri": True}, IRIReference)),
    ],
)
def test_the_result_has_the_most_specific_type(
    text: str, options: dict[str, Any], kind: type[IRIReference]
) -> None:
    assert type(repair(text, **options).uri) is kind


@pytest.mark.parametrize("text", ["http:/a", "http://0x7f.1/", "foo:///a", "a:b", "//u@v/", ""])
def test_a_valid_uri_is_returned_unchanged_even_if_its_host_is_unclear(text: str) -> None:
    assert repair(text) == Repaired(URIReference(text), ())


def test_changes_have_spans_in_the_input() -> None:
    text = " http:\\\\b\u00fccher.example\\b \t %zz\n"
    repaired = repair(text, slashes=True)
    assert [(c.kind, c.start, c.end, c.before, c.after) for c in repaired.changes] == [
        ("trim", 0, 1, " ", ""),
        ("slashes", 6, 8, "\\\\", "//"),
        ("idna", 8, 22, "b\u00fccher.example", "xn--bcher-kva.example"),
        *(("backslash", 22, 23, "\\", "/"), ("encode", 24, 25, " ", "%20")),
        *(("remove", 25, 26, "\t", ""), ("encode", 26, 28, " %", "%20%25")),
        ("trim", 30, 31, "\n", ""),
    ]
    assert str(repaired) == str(repaired.uri) == "http://xn--bcher-kva.example/b%20%20%25zz"
    added = repair("a.example/b", scheme="https").changes
    assert added == (Repair("scheme", 0, 0, "", "https://"),)


def test_passwords_are_masked_in_changes_and_errors() -> None:
    repaired = repair("http://user:pass|word@a.example/b c")
    assert [change.secret for change in repaired.changes] == [True, False]
    after = repair("http://a.example/;sid=1|/b|c")
    assert [change.secret for change in after.changes] == [True, False]
    beside = repair("http://a.example/?sid=1#|")
    assert [change.secret for change in beside.changes] == [False]
    assert "|" not in repr(repaired)
    assert "'%20'" in repr(repaired)
    with pytest.raises(RepairError) as caught:
        repair("http://user:pass word@a.example/")
    assert "pass" not in str(caught.value)
    assert "word" not in repr(caught.value)


def test_a_string_that_is_too_long_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_repairing, "LONGEST_TEXT", 5)
    monkeypatch.setattr(_repairing, "kernel", None)
    for text in ("a" * 6 + " ", "/a b|"):
        with pytest.raises(RepairError, match="too long"):
            repair(text, iri=True)


@pytest.mark.parametrize(
    "text", ["evil.example\\@good.example", " a.example\\@b/c", "a.example\\\\x@b?c"]
)
def test_no_scheme_is_added_if_a_backslash_and_an_at_sign_make_the_host_unclear(text: str) -> None:
    # Without a scheme, this is a path. A second repair with the option would read it as a host.
    assert str(repair(text)).partition("/")[0] == text.strip().partition("\\")[0]
    with pytest.raises(RepairError) as caught:
        repair(text, scheme="https")
    assert (caught.value.code, caught.value.position) == ("backslash", text.index("\\"))


def test_characters_after_the_host_do_not_make_it_unclear() -> None:
    for text, expected in [
        ("a.example\\b/@c", "https://a.example/b/@c"),
        ("a.example/b@c", "https://a.example/b@c"),
        ("a.example?b\\c", "https://a.example?b%5Cc"),
        ("a.example#b\\c", "https://a.example#b%5Cc"),
    ]:
        assert str(repair(text, scheme="https")) == expected
