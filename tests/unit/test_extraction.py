"""What is found in running text, and what only looks like it."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import hostile, produced

from uriverse import IRI, URI, Extracted, extract, parse
from uriverse.extraction import PREFIXES, meant_in


def texts_of(text: str) -> list[str]:
    """What is found, each where it says, or broken over lines there."""
    found = list(extract(text))
    for value, start, end in found:
        assert re.sub(r"[\s>]", "", text[start:end]) == str(value)
    return [str(value) for value, _, _ in found]


def test_what_is_found_is_a_value_and_its_place() -> None:
    found = list(extract("see http://a.example/ü, or urn:isbn:0451450523"))
    assert found == [
        Extracted(IRI("http://a.example/ü"), 4, 22),
        Extracted(URI("urn:isbn:0451450523"), 27, 46),
    ]
    assert [type(value) for value, _, _ in found] == [IRI, URI]


def test_places_are_counted_in_code_points() -> None:
    assert [(start, end) for _, start, end in extract("😀 <http://a/>")] == [(3, 12)]


def test_what_is_no_text_is_refused_at_once() -> None:
    for wrong in (b"http://a/", None, 1):
        with pytest.raises(TypeError, match="expected a str"):
            extract(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "http://a",
        "http://a/",
        "HTTP://A/",
        "http://en.wikipedia.org/wiki/A_(b)",
        "http://user:pass@a.example:8080/p;x=1/%41?q=1&r=(2)#f/?",
        "http://[::1]:80/x",
        "http://[::1]",
        "http://[v1.a:b]:1/",
        "http://127.0.0.1:80",
        "http://192.0.2.16:80/",
        "http://192.0.2.16.example",
        "file:///etc/hosts",
        "git+ssh://git@a.example/x.git",
        "x-a.b+c1://d",
        "http://例え.jp/引き?割り#例",
        "http://l’heure.example/d’été",
        "http://a/Michelson–Morley",
        "http://a/?",
        "http://a/#",
        "http://a/http://b/",
    ],
)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", " "),
        ("\n", "\r\n"),
        ("see\t", "\u00a0then"),
        ("<", ">"),
        ("<URL:", ">"),
        ("< uri: ", "\n>"),
        ('"', '"'),
        ("“", "”"),
        ("„", "“"),
        ("‘", "’"),
        ("«", "»"),
        ("`", "`"),
        ("[text](", ")"),
        ("[text](", ' "title")'),
        ("(", ")."),
        ("**", "**"),
        ("*", "*, "),
        ("[", "]"),
        ("{", "}"),
        ("「", "」"),
        ("（", "）"),
        ("詳細は", "。次は"),
        ("は", "、"),
        ("\ufeff", "\u200b"),
        ("\u202a", "\u202c"),
        ("-", " "),
        ("...", " "),
        ("=", " "),
        ("URL:", ", "),
        ("note:", "; "),
        ('<a href="', '">'),
        (">", "</a>"),
    ],
)
def test_an_identifier_is_found_within_its_delimiters(text: str, before: str, after: str) -> None:
    expected = text
    if text.endswith("?") and before not in {"<", "<URL:", "< uri: "}:
        expected = text[:-1]  # It is punctuation then.
    assert texts_of(before + text + after) == [expected]


@pytest.mark.parametrize(
    "after",
    [*".,;:!?'()…—؟।", "...", "?!", ").", "),", "',", " –"],
)
@pytest.mark.parametrize("text", ["http://a", "http://a:80", "http://[::1]", "http://a/b_(c)"])
def test_punctuation_behind_it_is_not_taken(text: str, after: str) -> None:
    assert texts_of(f"(x {text}{after}") == [text]
    assert texts_of(f"(x {text}{after} Then") == [text]


def test_brackets_are_taken_where_they_are_balanced() -> None:
    assert texts_of("(see http://a/b)") == ["http://a/b"]
    assert texts_of("(see http://a/b_(c))") == ["http://a/b_(c)"]
    assert texts_of("http://a/(b)_(c)") == ["http://a/(b)_(c)"]
    assert texts_of("http://a/b) http://a/( http://a/b()") == [
        "http://a/b",
        "http://a/",
        "http://a/b()",
    ]


def test_a_sign_right_before_it_closes_it_where_it_comes_again() -> None:
    assert texts_of("['http://a/'+x,'http://b/']") == ["http://a/", "http://b/"]
    assert texts_of("[a](http://a/b_(c))d") == ["http://a/b_(c)"]
    assert texts_of("**http://a/b**c") == ["http://a/b"]
    assert texts_of("(http://a/b c)") == ["http://a/b"]
    assert texts_of("'http://a/b c'") == ["http://a/b"]


def test_two_stand_beside_each_other() -> None:
    assert texts_of("http://a/ http://b/") == ["http://a/", "http://b/"]
    assert texts_of("<http://a/><http://b/>") == ["http://a/", "http://b/"]
    assert texts_of('<a href="http://a/">http://a/</a>') == ["http://a/", "http://a/"]
    assert texts_of("<x xmlns:y='http://a/y#' xmlns=\"urn:x:z\">") == ["http://a/y#", "urn:x:z"]


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", " \n", "\n   ", "\t\n\t"])
def test_line_breaks_are_ignored_between_angle_brackets(line_break: str) -> None:
    text = f"see <http://a.example/b-{line_break}c{line_break}/d.> there"
    assert texts_of(text) == ["http://a.example/b-c/d."]
    [(_, start, end)] = extract(text)
    assert (text[start:][:4], text[:end][-2:]) == ("http", "d.")


def test_so_are_the_signs_before_the_lines_of_quoted_mail() -> None:
    assert texts_of("> <http://a/b\n> c/d>\n> x") == ["http://a/bc/d"]
    assert texts_of(">> <URL:http://a/b\n>> c/d>") == ["http://a/bc/d"]
    assert texts_of("> > <http://a/b\n> > c/d>") == ["http://a/bc/d"]


def test_a_line_may_begin_with_the_closing_bracket() -> None:
    assert texts_of("<http://a/b\n>") == ["http://a/b"]
    assert texts_of("<http://a/b\n> and then more") == ["http://a/b"]


def test_what_is_not_closed_ends_with_the_line() -> None:
    assert texts_of("<http://a/b\nfoo bar>") == ["http://a/b"]
    assert texts_of("<http://a/b\n\nfoo>") == ["http://a/b"]
    assert texts_of("<http://a/b foo>") == ["http://a/b"]
    assert texts_of("<http://a/b\nfoo") == ["http://a/b"]
    assert texts_of("<http://a/b%zz>") == ["http://a/b"]


def test_between_angle_brackets_it_is_taken_whole() -> None:
    assert texts_of("<http://a/b.>") == ["http://a/b."]
    assert texts_of("<http://a/(>") == ["http://a/("]
    assert texts_of("<http://a/“b”。>") == ["http://a/“b”。"]


@pytest.mark.parametrize("prefix", ["URL:", "url:", "Url:", "URI:", "URL:URL:"])
def test_after_a_prefix_any_scheme_will_do(prefix: str) -> None:
    assert texts_of(f"{prefix}foo:bar") == ["foo:bar"]
    assert texts_of(f"<{prefix}foo:bar>") == ["foo:bar"]
    assert texts_of(f"<{prefix}foo:12>") == ["foo:12"] * (prefix != "URL:URL:")
    assert texts_of(f"<{prefix} foo:bar >") == ["foo:bar"] * (prefix != "URL:URL:")


def test_a_prefix_is_a_word_and_has_the_scheme_right_behind_it() -> None:
    assert texts_of("curl:foo:bar base-url:foo:bar URL: foo:bar") == []
    assert texts_of("URL: http://a/ URL:tel:12 url://a/b") == ["http://a/", "tel:12", "url://a/b"]


def test_a_host_with_a_port_has_no_scheme() -> None:
    assert texts_of("URL:localhost:8080/x URL:www.example.org") == []


ROOTLESS = [
    "about:blank",
    "acct:a@b.example",
    "blob:https://a.example/9115d58c",
    "cid:foo4%25foo1@bar.example",
    "data:,x",
    "data:text/plain;charset=utf-8;base64,SGk=",
    "did:example:123456",
    "doi:10.1000/182",
    "file:/etc/hosts",
    "geo:37.786971,-122.399677",
    "magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a",
    "mailto:a@b.example",
    "MAILTO:a@b.example?subject=x",
    "mailto:?to=a@b.example",
    "mid:960830.1639@XIson.com",
    "news:comp.infosystems.www.servers.unix",
    "sip:alice@atlanta.example",
    "sips:alice@atlanta.example;transport=tcp",
    "sms:+15105550101",
    "tag:a.example,2005:x",
    "tel:+1-816-555-1212",
    "tel:911",
    "urn:isbn:0451450523",
    "xmpp:node@b.example/x",
]


@pytest.mark.parametrize("text", ROOTLESS)
def test_a_known_scheme_is_taken_without_slashes_with_what_it_demands(text: str) -> None:
    for before, after in (("", ""), ("<", ">"), ("(", ")."), ("see ", ", "), ("はい", "。")):
        assert texts_of(before + text + after) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "e.g.: this",
        "note:see",
        "key:value",
        "12:30",
        "1:2",
        "C:\\dir",
        "C:/dir",
        "std::vector",
        "foo@bar.example",
        "www.example.org",
        "http://",
        "http:// x",
        "http://.",
        "http://)",
        "http://?",
        "http://:80",
        "http://u@",
        "http:",
        "http:/a",
        "a://",
        "://x",
        "1://x",
        "_http://a/",
        "xhttp//a",
        "1http://a/",
        "éhttp://a/",
        ":smile:",
        "<div>",
        "</p>",
        "<!-- a:b -->",
        "<xsl:template>",
        "<svg:rect/>",
        "<dc:title>x</dc:title>",
        "<geo:lat>51.5</geo:lat>",
        "<data:value>",
        "<tag:x>",
        "<x:y>",
        "<news:item>",
        '{"a":1,"b":"c","d":true}',
        "{a:1, b:'c'}",
        "default://",
        "javascript:alert(1)",
        "mailto:me",
        "tel:ephone",
        "urn:isbn",
        "urn: isbn:0",
        "xurn:isbn:0",
        "data:,",
        "http://[::1",
        "http://[::1]x/",
        "http://[]/",
        "http://a\ud800/",
        "http://a\x00/",
    ],
)
def test_what_only_looks_like_one_is_not_found(text: str) -> None:
    for before, after in (("", ""), ("see ", " then"), ("(", ")"), ("\n", "\n")):
        assert texts_of(before + text + after) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("http://a/b%zz", "http://a/b"),
        ("http://a/b%4", "http://a/b"),
        ("http://a/b%", "http://a/b"),
        ("http://a/b\\c", "http://a/b"),
        ("http://a/b|c", "http://a/b"),
        ("http://a/{b}", "http://a/"),
        ("http://a/b\x00", "http://a/b"),
        ("http://a/b\ud800", "http://a/b"),
        ("http://a/b#c#d", "http://a/b#c"),
        ("http://a/b[c]", "http://a/b"),
        ("http://a?b^c", "http://a?b"),
        ("http://a/b\ue000", "http://a/b"),
        ("urn:a:b%zz", "urn:a:b"),
        ("mailto:a@b.example\\x", "mailto:a@b.example"),
    ],
)
def test_it_ends_where_a_character_is_not_allowed(text: str, found: str) -> None:
    assert texts_of(text) == [found]


@pytest.mark.parametrize(
    "text",
    [
        "http://good.example\\@evil.example/",
        "http://good.example^@evil.example/",
        "http://good.example|@evil.example/",
        "http://good.example%zz.evil.example/",
        "http://api.{region}.example/",
        "http://a@b@c/",
        "http://a:80x/",
        "http://a:b/",
        "http://good.example:80.evil.example/",
        "http://good。evil.example/",
        "(http://good.example)@evil.example/",
        "'http://good.example'@evil.example/",
        "`http://good.example`@evil.example/",
        'http://good.example"@evil.example/',
        "http://good.example．evil/",
        "http://good\u200b.evil.example/",
        "http://a\x00b/",
    ],
)
def test_it_is_not_cut_where_it_would_name_another_host(text: str) -> None:
    assert texts_of(text) == []


def test_it_may_go_on_like_a_host_where_its_host_is_over() -> None:
    assert texts_of("http://a/。Then http://a/\u200bb") == ["http://a/", "http://a/"]


@settings(max_examples=100)
@given(st.lists(st.one_of(
    hostile(),
    produced("URI"),
    produced("IRI"),
    st.sampled_from([
        "<", ">", "URL:", "http://", "a://", "urn:a:", "(", ")", "'", "*", "\n", "> ", " ",
        ".", "。", "”", "http://a", "mailto:", "@", "data:,", "%", "tel:1", "/", "\u200b",
    ]),
), max_size=8).map("".join))  # fmt: skip
@example("http://a<http://b>")
def test_whatever_is_found_is_an_iri_and_stands_where_it_says(text: str) -> None:
    after = 0
    for value, start, end in extract(text):
        assert parse(str(value)) == value
        assert isinstance(value, URI if str(value).isascii() else IRI)
        assert after <= start < end <= len(text)
        assert text[start:end] == str(value) or (
            text[:start].rstrip().endswith(("<", ":"))
            and re.sub(r"[\s>]", "", text[start:end]) == str(value)
        )
        after = end


@given(st.one_of(produced("URI"), produced("IRI")).map(IRI))
def test_between_angle_brackets_any_that_names_something_is_found(value: IRI) -> None:
    assert value.scheme is not None
    # Whitespace that the grammar allows in an IRI is ignored with the other.
    if not (value.host or value.path or value.query) or re.search(r"\s", str(value)):
        return
    found = [Extracted(value, 5, 5 + len(str(value)))]
    if value.scheme.lower() not in PREFIXES:
        assert list(extract(f"<URL:{value}>")) == found
    if value.authority:
        assert list(extract(f"<    {value}>")) == found


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("http://good.example\\@evil.example/ x", ["http://good.example\\@evil.example/"]),
        ("<http://me@a@b.example/>", ["http://me@a@b.example/"]),
        ("[z](http://[fe80::1%25eth0]/)", ["http://[fe80::1%25eth0]/"]),
        ("<http://a b/>", ["http://a b/"]),
        ("(http://a.example/%zz).", ["http://a.example/%zz"]),
        ("http:/evil.example, HTTP:\\\\b", ["http:/evil.example", "HTTP:\\\\b"]),
        ("http://b^c urn:a:b", ["http://b^c", "urn:a:b"]),
        ("the http: protocol", []),
        ("https://x/{id} {http://y/}", ["https://x/", "http://y/"]),
        ("xhttp://a/ <http://a", ["xhttp://a/", "http://a"]),
        ("['http://a/'+x]", ["http://a/"]),
        ("mailto:a@b.example", ["mailto:a@b.example"]),
        ("<http://a/>.", ["http://a/"]),
        ("<http://a/\nb>", ["http://a/b"]),
    ],
)
def test_what_is_meant_is_found_right_or_wrong(text: str, meant: list[str]) -> None:
    found = list(meant_in(text))
    assert [value for value, _ in found] == meant
    assert [start for _, start in found] == sorted(start for _, start in found)


@given(hostile())
def test_all_that_is_found_is_meant_or_part_of_it(text: str) -> None:
    starts = {start for _, start in meant_in(text)}
    assert {start for _, start, _ in extract(text)} <= starts


@pytest.mark.parametrize("piece", ["<http:/", "http:\\", "http://a^", "(http://(", "<", "http:"])
def test_what_is_meant_is_found_in_linear_time(piece: str) -> None:
    assert isinstance(list(meant_in(piece * 30_000)), list)
