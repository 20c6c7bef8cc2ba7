import re
from collections.abc import Iterable
from random import Random

import pytest
from amounts import scaled
from hypothesis import example, given, settings
from hypothesis import strategies as st
from marked import list_rows
from strategies import hostile, produced

from uriverse import IRI, URI, Extracted, extract, parse
from uriverse.diagnosis import _extraction
from uriverse.diagnosis._extraction import SHORT, divide_input, find_bare_end, find_probable_uris


def extracted(text: str) -> list[str]:
    """Return the extracted identifiers as strings, after checking each span."""
    found = list(extract(text))
    for value, start, end in found:
        assert re.sub(r"[\s>]", "", text[start:end]) == str(value)
    return [str(value) for value, _, _ in found]


def test_extract_yields_values_with_their_spans() -> None:
    found = list(extract("see http://a.example/ü, or urn:isbn:0451450523"))
    assert found == [
        Extracted(IRI("http://a.example/ü"), 4, 22),
        Extracted(URI("urn:isbn:0451450523"), 27, 46),
    ]
    # Spans count code points.
    assert [(start, end) for _, start, end in extract("😀 <http://a/>")] == [(3, 12)]
    assert [type(value) for value, _, _ in found] == [IRI, URI]


def test_extract_raises_immediately_for_a_wrong_type() -> None:
    for wrong in (b"http://a/", None, 1):
        with pytest.raises(TypeError, match="expected a str"):
            extract(wrong)  # type: ignore[arg-type]


IDENTIFIERS = (
    "http://a http://a/ HTTP://A/ http://en.wikipedia.org/wiki/A_(b) http://[::1]:80/x http://[::1]"
    " http://user:pass@a.example:8080/p;x=1/%41?q=1&r=(2)#f/? http://[v1.a:b]:1/ http://127.0.0.1:80"
    " http://192.0.2.16:80/ http://192.0.2.16.example file:///etc/hosts x-a.b+c1://d http://a/?"
    " git+ssh://git@a.example/x.git http://例え.jp/引き?割り#例 http://l’heure.example/d’été"
    " http://a/Michelson–Morley http://a/# http://a/http://b/"
)


def test_identifiers_are_found_between_delimiters() -> None:
    for before, after in [
        *(("", " "), ("\n", "\r\n"), ("see\t", "\u00a0then"), ("<", ">"), ("<URL:", ">")),
        *(("< uri: ", "\n>"), ('"', '"'), ("“", "”"), ("„", "“"), ("‘", "’"), ("«", "»")),
        *(("`", "`"), ("[text](", ")"), ("[text](", ' "title")'), ("(", ")."), ("**", "**")),
        *(("*", "*, "), ("[", "]"), ("{", "}"), ("「", "」"), ("（", "）"), ("は", "、")),
        *(("\ufeff", "\u200b"), ("\u202a", "\u202c"), ("-", " "), ("...", " "), ("=", " ")),
        *(
            *(("URL:", ", "), ("note:", "; "), ('<a href="', '">'), (">", "</a>")),
            ("詳細は", "。次は"),
        ),
    ]:
        for text in IDENTIFIERS.split():
            expected = text
            if text.endswith("?") and before not in {"<", "<URL:", "< uri: ", '"', '<a href="'}:
                expected = text[:-1]  # Outside these delimiters, a final "?" is punctuation.
            assert extracted(before + text + after) == [expected]


@pytest.mark.parametrize("after", [*".,;:!?'()…—؟।", "...", "?!", ").", "),", "',", " –"])
@pytest.mark.parametrize("text", ["http://a", "http://a:80", "http://[::1]", "http://a/b_(c)"])
def test_trailing_punctuation_is_excluded(text: str, after: str) -> None:
    assert extracted(f"(x {text}{after}") == [text]
    assert extracted(f"(x {text}{after} Then") == [text]


#: Identifiers, and the texts in which they are found.
TEXTS = {
    "http://a/b": [
        # Only balanced parentheses are included. A delimiter before an identifier ends it.
        *("(see http://a/b)", "**http://a/b**c", "(http://a/b c)", "'http://a/b c'"),
        # Between angle brackets, line breaks and the marks of quoted mail are ignored.
        *("<http://a/b\n>", "<http://a/b\n> and then more", "> <http://a/\n> b>\n> x"),
        *(">> <URL:http://a/\n>> b>", "> > <http://a/\n> > b>", "<http://a/\n b>"),
        # Without a closing bracket, an identifier ends at the line break.
        *("<http://a/b\nfoo bar>", "<http://a/b\n\nfoo>", "<http://a/b\nfoo", "<http://a/b foo"),
        *('"http://a/b foo\n"', '"http://a/b foo', "x|http://a/b|c"),
    ],
    "http://a/b_(c)": ["(see http://a/b_(c))", "[a](http://a/b_(c))d"],
    "http://a/(b)_(c)": ["http://a/(b)_(c)"],
    "http://a/b http://a/ http://a/b()": ["http://a/b) http://a/( http://a/b()"],
    "http://a/ http://b/": [
        *("['http://a/'+x,'http://b/']", "http://a/ http://b/", "<http://a/><http://b/>"),
        *('<a href="http://a/">http://b/</a>', "<“http://a/”> <\u200bhttp://b/>"),
        # Vertical bars delimit the cells of a table, but commas are part of identifiers.
        *("|http://a/|http://b/|e|", "http://a/。Then http://b/\u200bb"),
    ],
    "http://a/y# urn:x:z": ["<x xmlns:y='http://a/y#' xmlns=\"urn:x:z\">"],
    # A prefix is a word directly before a scheme, which is not a host with a port.
    "http://a/ tel:12 url://a/b": ["URL: http://a/ URL:tel:12 url://a/b"],
    "": [
        *("curl:foo:bar base-url:foo:bar URL: foo:bar", "URL:localhost:8080/x URL:www.example.org"),
        "http://a/?b=c|d",
    ],
    **{text: [text] for text in ("http://a/b,c", "http://a,b/", "data:text/plain,http://a/")},
    "http://a/,1://b": ["http://a/,1://b"],
}


@pytest.mark.parametrize(("found", "text"), list_rows(TEXTS))
def test_delimiters_decide_what_belongs_to_an_identifier(found: str, text: str) -> None:
    assert extracted(text) == found.split()


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", " \n", "\n   ", "\t\n\t"])
def test_line_breaks_between_angle_brackets_are_ignored(line_break: str) -> None:
    text = f"see <http://a.example/b-{line_break}c{line_break}/d.> there"
    assert extracted(text) == ["http://a.example/b-c/d."]
    [(_, start, end)] = extract(text)
    assert (text[start:][:4], text[:end][-2:]) == ("http", "d.")


DELIMITERS = [("<", ">"), ("< ", " >"), ("<URL:", ">"), ('"', '"'), ('"URL:', '"'), ('\\"', '\\"')]


@pytest.mark.parametrize(("before", "after"), DELIMITERS)
@pytest.mark.parametrize(
    "text", ["http://a/b.", "http://a/(", "http://a/“b”。", "http://a/b,?!", "urn:a:b;"]
)
def test_delimited_identifiers_keep_final_punctuation(text: str, before: str, after: str) -> None:
    assert extracted(f"see {before}{text}{after}.") == [text]


@pytest.mark.parametrize(("before", "after"), DELIMITERS)
def test_invalid_delimited_identifiers_are_not_truncated(before: str, after: str) -> None:
    for text in [
        *("http://a/my page", "http://a/b{c", "http://a/{b}/", "http://a/b%zz", "http://a/b\\c"),
        *("http://a/b|c", "http://a/?u=http://c/d e", "http://a/b see http://c/d", "urn:a:b c"),
        "mailto:a@b.example x",
    ]:
        enclosed = f"see {before}{text}{after}, http://then/"
        assert extracted(enclosed) == ["http://then/"]
        start = len(f"see {before}")
        assert [(found.text, found.start, found.end) for found in find_probable_uris(enclosed)] == [
            (text, start, start + len(text)),
            ("http://then/", enclosed.index("http://then"), len(enclosed)),
        ]


@pytest.mark.parametrize("prefix", ["URL:", "url:", "Url:", "URI:", "URL:URL:"])
def test_any_scheme_is_accepted_after_a_url_prefix(prefix: str) -> None:
    assert extracted(f"{prefix}foo:bar") == ["foo:bar"]
    assert extracted(f"<{prefix}foo:bar>") == ["foo:bar"]
    assert extracted(f"<{prefix}foo:12>") == ["foo:12"] * (prefix != "URL:URL:")
    assert extracted(f"<{prefix} foo:bar >") == ["foo:bar"] * (prefix != "URL:URL:")


ROOTLESS = [
    *("about:blank", "acct:a@b.example", "blob:https://a.example/9115d58c"),
    *("cid:foo4%25foo1@bar.example", "data:,x", "data:text/plain;charset=utf-8;base64,SGk="),
    *("did:example:123456", "doi:10.1000/182", "file:/etc/hosts", "geo:37.786971,-122.399677"),
    *("magnet:?xt=urn:btih:c12fe1c06bba254a9dc9f519b335aa7c1367a88a", "mailto:a@b.example"),
    *("MAILTO:a@b.example?subject=x", "mailto:?to=a@b.example", "mid:960830.1639@XIson.com"),
    *("news:comp.infosystems.www.servers.unix", "sip:alice@atlanta.example"),
    *("sips:alice@atlanta.example;transport=tcp", "sms:+15105550101", "tag:a.example,2005:x"),
    *("tel:+1-816-555-1212", "tel:911", "urn:isbn:0451450523", "xmpp:node@b.example/x"),
]


@pytest.mark.parametrize("text", ROOTLESS)
def test_valid_uris_of_known_schemes_are_found_without_slashes(text: str) -> None:
    for before, after in (("", ""), ("<", ">"), ("(", ")."), ("see ", ", "), ("はい", "。")):
        assert extracted(before + text + after) == [text]


def test_near_misses_are_not_extracted() -> None:
    for text in [
        *("e.g.: this", "note:see", "key:value", "12:30", "1:2", "C:\\dir", "C:/dir"),
        *("std::vector", "foo@bar.example", "www.example.org", "http://", "http:// x", "http://."),
        *("http://)", "http://?", "http://:80", "http://u@", "http:", "http:/a", "a://", "://x"),
        *("1://x", "_http://a/", "xhttp//a", "1http://a/", "éhttp://a/", ":smile:", "<div>"),
        *("</p>", "<!-- a:b -->", "<xsl:template>", "<svg:rect/>", "<dc:title>x</dc:title>"),
        *("<geo:lat>51.5</geo:lat>", "<data:value>", "<tag:x>", "<x:y>", "<news:item>"),
        *('{"a":1,"b":"c","d":true}', "{a:1, b:'c'}", "default://", "javascript:alert(1)"),
        *("mailto:me", "tel:ephone", "urn:isbn", "urn: isbn:0", "xurn:isbn:0", "data:,"),
        *("http://[::1", "http://[::1]x/", "http://[]/", "http://a\ud800/", "http://a\x00/"),
    ]:
        for before, after in (("", ""), ("see ", " then"), ("(", ")"), ("\n", "\n")):
            assert extracted(before + text + after) == []


@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("(", ")"), ("see ", ", then"), ("'", "'")]
)
def test_a_string_that_would_be_cut_short_is_skipped(before: str, after: str) -> None:
    for text in [
        *("http://a/b%zz", "http://a/b%4", "http://a/b%", "http://a/b\\c", "http://a/b\\n"),
        *("http://a/b|c", "http://a/{b}", "http://a/b.{c}", "http://a/?b={c}&d={e}"),
        *("http://a{?b}", "http://a/b\ud800", "http://a/b#c#d", "http://a/b[c]", "http://a?b^c"),
        *("http://a/b\ue000", "http://a/\ufffd", "urn:a:b%zz", "mailto:a@b.example\\x"),
        "http://a/?u=http://b/{c}",
    ]:
        assert extracted(f"{before}{text}{after}") == []
        assert extracted(f"{before}{text}{after} http://then/") == ["http://then/"]


def test_delimiters_end_an_identifier() -> None:
    for after in [
        *("]", "]c", "}", "}}", "\x00", "\x1b[0m", "|", "| c", "||", "|]]", "\\", "\\\n", '\\"'),
        *("\\ c", '"c', "`"),
    ]:
        assert extracted(f"http://a/b{after}") == ["http://a/b"]


@pytest.mark.parametrize("separator", [",", ";", "|"])
def test_separators_end_an_identifier_if_another_one_follows(separator: str) -> None:
    for wanted in (
        ["https://a.example", "https://b.example"],
        *(["http://a:80", "x+y://[::1]:1", "HTTP://c/?d#e"], ["http://a/b,c;d", "http://e/;f"]),
        ["http://a/é", "http://b/"],
    ):
        assert extracted(separator.join(wanted)) == wanted
        assert extracted(f"({separator.join(wanted)}).") == wanted
        enclosed = separator.join(wanted)
        assert extracted(f"<{enclosed}>") == [enclosed] * (IRI.try_parse(enclosed) is not None)


def test_an_identifier_is_skipped_if_truncation_would_change_its_host() -> None:
    for text in [
        *("http://good.example\\@evil.example/", "http://good.example^@evil.example/"),
        *("http://good.example|@evil.example/", "http://good.example%zz.evil.example/"),
        *("http://api.{region}.example/", "http://a@b@c/", "http://a:80x/", "http://a:b/"),
        *("http://good.example:80.evil.example/", "http://good。evil.example/"),
        *("(http://good.example)@evil.example/", "'http://good.example'@evil.example/"),
        *("`http://good.example`@evil.example/", 'http://good.example"@evil.example/'),
        *("http://good.example．evil/", "http://good\u200b.evil.example/", "http://a\x00b/"),
    ]:
        assert extracted(text) == []


@settings(max_examples=scaled(100))
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
def test_extracted_values_are_valid_and_match_their_spans(text: str) -> None:
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
def test_every_nonempty_iri_is_found_between_angle_brackets(value: IRI) -> None:
    assert value.scheme is not None
    # The grammar allows some whitespace in IRIs; extraction ignores all whitespace.
    if not (value.host or value.path or value.query) or re.search(r"\s", str(value)):
        return
    found = [Extracted(value, 5, 5 + len(str(value)))]
    if value.scheme.lower() not in _extraction.PREFIXES:
        assert list(extract(f"<URL:{value}>")) == found
    if value.authority:
        assert list(extract(f"<    {value}>")) == found


def test_candidates_include_valid_and_invalid_identifiers() -> None:
    for text, meant in [
        ("http://good.example\\@evil.example/ x", ["http://good.example\\@evil.example/"]),
        ("<http://me@a@b.example/>", ["http://me@a@b.example/"]),
        ("[z](http://[fe80::1%25eth0]/)", ["http://[fe80::1%25eth0]/"]),
        ("<http://a b/>", ["http://a b/"]),
        ("(http://a.example/%zz).", ["http://a.example/%zz"]),
        ("http:/evil.example, HTTP:\\\\b", ["http:/evil.example", "HTTP:\\\\b"]),
        *(("http://b^c urn:a:b", ["http://b^c", "urn:a:b"]), ("the http: protocol", [])),
        ("https://x/{id} {http://y/}", ["http://y/"]),
        ("http://a/b[1] http://a/b|c", ["http://a/b[1]", "http://a/b|c"]),
        *(("xhttp://a/ <http://a", ["xhttp://a/", "http://a"]), ("['http://a/'+x]", ["http://a/"])),
        *(("mailto:a@b.example", ["mailto:a@b.example"]), ("<http://a/>.", ["http://a/"])),
        *(("<http://a/\nb>", ["http://a/b"]), ("<http:/a b >", ["http:/a b"])),
        ('"http:\\\\a b" "http:/c', ["http:\\\\a b", "http:/c"]),
        ('\\"http:/a b\\"', ["http:/a b"]),
        ("http:/a?b=http://c/", ["http:/a?b=http://c/", "http://c/"]),
        ("urn:a:http:/b", ["urn:a:http:/b"]),
        ("<http://a/\n b{c}>", ["http://a/b{c}"]),
        # Templates are skipped outside delimiters.
        *(("http://{host}/ http://a/{b}", []), ("<http://{host}/>", ["http://{host}/"])),
        ('"http://{host}/"', ["http://{host}/"]),
    ]:
        found = list(find_probable_uris(text))
        assert [taken.text for taken in found] == meant
        assert [taken.start for taken in found] == sorted(taken.start for taken in found)


@given(hostile())
def test_every_extracted_identifier_starts_at_a_candidate(text: str) -> None:
    starts = {taken.start for taken in find_probable_uris(text)}
    assert {start for _, start, _ in extract(text)} <= starts


def found_in_parts(chunks: Iterable[str], longest: int = 1000) -> list[tuple[str, int, int, int]]:
    result = []
    for part in divide_input(chunks, longest):
        for found in find_probable_uris(part.text):
            place = part._replace(text=part.text[: found.start]).advance("")
            result.append((found.text, *place[1:]))
    return result


def found_at_once(text: str) -> list[tuple[str, int, int, int]]:
    return [
        (text, start, whole.count("\n", 0, start) + 1, start - whole.rfind("\n", 0, start))
        for whole in [text]
        for text, start, _, _, _ in find_probable_uris(whole)
    ]


#: Strings that open, continue or close an identifier, or at which a document can be split.
PIECES = [
    "<", ">", '"', '\\"', "URL:", "http://", "http:/", "urn:a:b", "\n", "\r\n", "\r", "> ", " ",
    "\t", "a", "/b", ".", "@", "{", "%", "“", "\u200b", "’", "(", ")", "'", "\n\n", "x y", ">\n",
]  # fmt: skip


@settings(max_examples=scaled(300))
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example('<"http://a> \n<http://b\n c>')
@example("<http://a\n<http://b\n<http://c\n> d>")
@example("<http://a\nx> y <http://b\n")
@example("<URL:\nfoo:b\n> c\n>")
@example("<URL:“\nfoo:b>")
def test_a_document_in_chunks_yields_the_same_identifiers_as_a_whole(text: str) -> None:
    expected = found_at_once(text)
    for place in range(len(text) + 1):
        assert found_in_parts([text[:place], text[place:]]) == expected
    assert found_in_parts(text) == expected
    assert "".join(part.text for part in divide_input(text)) == text


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), st.integers(0, 30))
def test_parts_cover_the_document_for_every_length_limit(text: str, longest: int) -> None:
    after = _extraction.Section()
    for part in divide_input(text, longest):
        assert text.startswith(part.text, part.start)
        assert part.start >= after.start + len(after.text)
        assert part.line == text.count("\n", 0, part.start) + 1
        assert part.column == part.start - text.rfind("\n", 0, part.start)
        # The gap between two parts contains at most one word.
        assert not re.search(r"\s", text[after.start + len(after.text) : part.start])
        after = part
    assert after.start + len(after.text) == len(text)


def test_a_long_line_is_split_between_identifiers() -> None:
    for unit, expected in [
        ("http://a/b c ", ["http://a/b"]),
        ('{"a":"http://a/b","c":["http://d/"]},', ["http://a/b", "http://d/"]),
        ('<a href="http://a/b">http://c/</a>', ["http://a/b", "http://c/"]),
        *(('"http://a/b c" ', ["http://a/b c"]), ("<http://a/b c> ", ["http://a/b c"])),
        ("<http://a/b\nc>\n", ["http://a/bc"]),
    ]:
        text = unit * 20
        for size in (1, 7, 64):
            chunks = [text[place : place + size] for place in range(0, len(text), size)]
            assert [found for found, *_ in found_in_parts(chunks, len(unit) + 30)] == expected * 20


def test_overlong_words_are_skipped() -> None:
    text = f'http://a/ http://b/{"c" * 2000}\n http://d/ "http://e/{"f" * 2000}"http://g/'
    found = found_in_parts(text, 1000)
    assert [text for text, *_ in found] == ["http://a/", "http://d/", "http://g/"]
    place = text.index("http://g/")
    assert found[-1][1:] == (place, 2, place - text.index("\n"))


def test_an_unclosed_bracket_does_not_exceed_the_length_limit() -> None:
    text = "<http://a\n" + "words\n" * 10_000
    assert max(len(part.text) for part in divide_input(text, 1000)) <= 2 * SHORT
    assert [found for found, *_ in found_in_parts(text)] == ["http://a"]


def test_identifiers_are_found_in_long_lines_of_small_chunks() -> None:
    line = "word " * 4000 + "http://a.example/b\n"
    chunks = [line[start : start + 100] for start in range(0, len(line), 100)]
    found = [str(e.value) for part in divide_input(chunks) for e in extract(part.text)]
    assert found == ["http://a.example/b"]


#: Parts of URIs, and characters at which the URI in a running text may end.
PARTS = (
    *("http://", "//", "mailto:", "urn:", "a", "b.example", ":80", ":", "/", "?", "#", "@", "%41"),
    *("%zz", "[::1]", "[", "]", "{", "}", "(", ")", '"', "<", ">", " ", "\\", "^", "|", "`", "."),
    *("é", "\ue000", "\ud800", "\0", "\x7f", "\U0001f600", "!", "\n", "b" * 300),
)


def test_the_shortcut_for_unquoted_uris_agrees_with_the_grammar() -> None:
    random = Random(3)
    for _ in range(scaled(20_000)):
        text = random.choice(("http://", "a:")) + "".join(random.choices(PARTS, k=6))
        limit = random.randint(1, len(text))
        match = _extraction.BARE.match(text, 0, limit)
        expected = match and (match.end(), match["delimiter"] is not None)
        assert find_bare_end(text, 0, limit) == expected, (text, limit)
