import re
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

import uriverse
from uriverse import IRI, URI, IRIReference, URIReference, columns, explain, parse, redact, split
from uriverse._redaction import mask_spans, redact_invalid, redact_message, redact_text
from uriverse._redaction.masking import find_secret_spans, find_secrets_of_invalid_uri
from uriverse.http import Link, request_target
from uriverse.typing import AllParts

TOKEN = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln"

#: Strings whose secrets are between « and ».
CASES = [
    # Passwords.
    *("https://u:«S3cr%C3%A9t»@h/", "https://u:«S3cr%C3%A9t»@h:80/a:b@c?d:e@f#g:h@i"),
    *("//u:«S3cr%C3%A9t»@h", "https://u:«S3cr%C3%A9t»@[::1]/", "https://u:«S3cr%C3%A9t»@[::1/"),
    *("https://80:«S3cr%C3%A9t»@h/", "https://u:«80&S3cr%C3%A9t»@h/"),
    *("https:\\\\u:«S3cr%C3%A9t»@h\\a", "https:/u:«S3cr%C3%A9t»@h/"),
    *("https:////u:«S3cr%C3%A9t»@h/", "https://u:«S3cr%C3%A9t@x»@h/", "https://:«S3cr%C3%A9t»@h/"),
    *("http:u:«S3cr%C3%A9t»@h", "jdbc:mysql://u:«S3cr%C3%A9t»@h/db"),
    *("https://h/?next=https://u:«S3cr%C3%A9t»@h/", "https://h/?next=http:u:«S3cr%C3%A9t»@h"),
    *("https://h/#https://u:«S3cr%C3%A9t»@h/", "https://é:«S3cr%C3%A9t»@h/"),
    # Passwords with delimiters.
    *("https://u:«x/S3cr%C3%A9t»@h/", "https://u:«x?S3cr%C3%A9t»@h/"),
    *("https://u:«x#S3cr%C3%A9t»@h/", "https://u:«x/S3cret@h/y»@z", "https://u:«x S3cr%C3%A9t»@h/"),
    "https://u:«xS3cr%C3%A9t»%40h/",
    # Parameters.
    *("https://h/?token=«S3cr%C3%A9t»", "https://h/?token=«S3cr%C3%A9t»&page=2"),
    "https://h/?page=2&token=«S3cr%C3%A9t»#top",
    "https://h/?TOKEN=«S3cr%C3%A9t»&Access-Token=«S3cr%C3%A9t»",
    *("https://h/?a;token=«S3cr%C3%A9t»;b=c", "https://h/?a=b&amp;token=«S3cr%C3%A9t»&amp;c=d"),
    *("https://h/?%74oken=«S3cr%C3%A9t»&b=c", "https://h/?user[password]=«S3cr%C3%A9t»&b=c"),
    *("https://h/?user%5Bpassword%5D=«S3cr%C3%A9t»&b=c", "https://h/?sig=«S3cr%C3%A9t%2B%3D»&se=1"),
    "https://h/?code=«S3cr%C3%A9t?a=b»&c=d",
    "https://h/#access_token=«S3cr%C3%A9t»&token_type=bearer",
    *("https://h/#/route?access_token=«S3cr%C3%A9t»&b", "https://h/#?access_token=«S3cr%C3%A9t»"),
    *("https://h/#!?access_token=«S3cr%C3%A9t»", "https://h/a;jsessionid=«S3cr%C3%A9t»"),
    *("https://h/a;jsessionid=«S3cr%C3%A9t»/b;c=d?e=f", "https://h/a;jsessionid=«S3cr%C3%A9t»;c=d"),
    *("https://h/a&token=«S3cr%C3%A9t»/b?c=d", "https://h/?next=token=«S3cr%C3%A9t»&b=c"),
    "https://h/?next=/a?token=«S3cr%C3%A9t»&b=c",
    "https://h/?key=«S3cr%C3%A9t»&id_token=«S3cr%C3%A9t»&client_secret=«S3cr%C3%A9t»",
    "https://h/?code_verifier=«S3cr%C3%A9t»&b=c",
    "https://h/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=«S3cr%C3%A9t»&X-Amz-Date=2026",
    "https://h/?X-Amz-Expires=60&X-Amz-Security-Token=«S3cr%C3%A9t»&X-Amz-Signature=«S3cr%C3%A9t»",
    "https://s.example/k?AWSAccessKeyId=«S3cr%C3%A9t»&Expires=1&Signature=«S3cr%C3%A9t»",
    "https://s.example/k?X-Goog-Credential=«S3cr%C3%A9t»&X-Goog-Expires=1&X-Goog-Signature=«S3cr%C3%A9t»",
    "https://a.example/c?sv=2022&se=2026&sr=b&sp=r&sig=«S3cr%C3%A9t»",
    *("mailto:a@b?token=«S3cr%C3%A9t»", "/a?token=«S3cr%C3%A9t»", "?token=«S3cr%C3%A9t»&b"),
    "#token=«S3cr%C3%A9t»",
    # Text with URIs.
    "GET https://u:«S3cr%C3%A9t»@h/?token=«S3cr%C3%A9t» 200",
    '{"url": "https://u:«S3cr%C3%A9t»@h/?token=«S3cr%C3%A9t»", "code": 200}',
    *("<https://u:«S3cr%C3%A9t»@h/?token=«S3cr%C3%A9t»>", "`https://h/?token=«S3cr%C3%A9t»`"),
    "(https://h/?token=«S3cr%C3%A9t»)",
    "See https://h/?token=«S3cr%C3%A9t», https://h/?token=«S3cr%C3%A9t».",
    "https://h/?token=«S3cr%C3%A9t»\nhttps://h/?token=«S3cr%C3%A9t»\r\n",
    *("a\0b https://u:«S3cr%C3%A9t»@h/\t", "b'https://h/?token=«S3cret»'"),
    # Strings of JSON, and JSON within JSON.
    r'{"url": "https://h/?sv=1\u0026sig=«S3cret»\u0026se=2"}',
    *(r'{"url": "https:\u002f\u002fu:«S3cret»@h"}', r"https://h/?a\x26token\u003D«S3cret»"),
    r'{"log": "GET \"https://h/?token=«S3cret»\" 200"}',
    # Names after a slash, and with an index.
    *("https://h/#/access_token=«S3cret»&token_type=bearer", "https://h/#!/token=«S3cret»"),
    "https://h/?my/token=«S3cret»&a%2Ftoken=«S3cret»",
    "https://h/?token[0]=«S3cret»&password[$ne]=«S3cret»&token%5B0%5D=«S3cret»",
    # Passwords with a line break.
    *("https://u:«S3cret\n»@h/", "GET /login?next=https://u%3A«S3cret»@h/ HTTP/1.1"),
    # Domains and user names of Windows.
    *(r"http://CORP\joe:«S3cret»@proxy:8080", r"http://CORP\joe:«S3/cret»@proxy:8080"),
    r'{"proxy": "http://CORP\\joe:«S3/cret»@proxy:8080"}',
    *(r'http://CORP\\joe:«S3"cret»@proxy:8080', "https://h/?u=http://CORP%5Cjoe:«S3cret»@proxy"),
    # Passwords with characters that end a URI in a document.
    *('http://u:«S3"cret»@h/', "http://u:«S3<c>ret»@h/", "http://u:«S3`cret»@h/"),
    *("http://u:«S3'cret»@h/", 'http://u:«S3@c"ret»@h/', 'http://u:«S3@c"r&et»@h/'),
    *('http://u:«S3@,&"<cret»@h/', "http://u:«S3@<<`c<ret»@h/", 'http://u:«S3@:8"<cret»@h/'),
    *('http://u:«S3@,c"ret»@h/', 'http://u:«S3@c"r:et»@h/', 'http://u:«S3/c"ret»@h/'),
    *('{"url":"http://u:«S3"cret»@h/"}', '{"url":"http://u:«S3cret»@h/","mail":"me@a.example"}'),
    "<http://u:«S3cret»@h/><me@a.example>",
    # Schemes with TLS.
    "rediss:u:«S3cret»@h smtps:u:«S3cret»@h",
    # Passwords in which a backslash starts an escape, as in JSON and in shells.
    *(r"http://u:«S3@\$cret»@h/", r'{"url":"http://u:«\u00e9S3cret»@h/"}'),
    *(r'{"url":"http://u:«\"S3cret»@h/"}', r"b'http://u:«\xffS3cret@\xff»@h/'"),
    # Delimiters of parameters that HTML and shells escape.
    '<a href="https://h/?a&#x3D;1&amp;token&#x3D;«S3cret»&amp;b&#61;2">',
    *('<a href="https://h/?a=1&#38;code=«S3cret»&#X26;sid&#61;«S3cret»">', "?token&#61;«S3cret»"),
    r"https://h/\?token\=«S3cret\»&b\=c",
    # URIs that are encoded except for their slashes.
    *("https%3A//u%3A«S3cret»%40h/", "https%3A//h/%3Ftoken%3D«S3cret»"),
    # Strings of JSON and CSV after a URI.
    '{"url":"mongodb://u:«S3cret»@h:1,i","mail":"me@a.example"}',
    '{"url":"docker://nginx:latest","mail":"me@a.example"}',
    *('[{"url":"//h:port"},{"mail":"me@a.example"}]', '{"a":["//h:port"],"b":[["me@a.example"]]}'),
    r'"{\"url\":\"http://h:port\",\"mail\":\"me@a.example\"}"',
    *(r'{"image":"a.example\/app:1.2@sha256:00"}', 'http://u:«S3",cret»@h/'),
    # A URI in the output of `repr`.
    *("URI('https://h/?token=«S3cret»')", "[URI('https://h/?token=«S3cret»')]"),
    # Nothing secret.
    "https://h/?uri=urn:ietf:wg:oauth:2.0:oob&hint=me@a.example",
    *("magnet:?xt=urn:btih:0123&m=a@b", "https://h/?u=http://a:b&m=a@b.example"),
    *("mongodb://h1:27017,h2:27017/?x=a@b", "dial tcp://h:5432: refused (user=me@a.example)"),
    "(see http://h:8080) me@a.example, http://h:8080. Mail me@a.example",
    *("http://{host}:{port}/{user}@{x}", "WARNING:root:me@a.example", "https://h/a//b:c/d@e"),
    *("docker://nginx:1.25 by me@a.example", r"https://h/?a=\u0062@c:d", "https://h/"),
    *("https://u@h/?page=2&pageToken=3&token=&tokens=4", "https://u:@h/"),
    *("https://medium.example/@me/a:b", "https://h/npm:react@18", "https://[::1]:80/a@b"),
    *("https://h:80/a@b", "https://h/?a:1&b@c", "http://h:port/ is not me@h", "mailto:a@b"),
    *("mailto:a:b:c@d", "urn:example:a:b@c", "me@h and token=a", ""),
    *(f"https://h/a?b=«{TOKEN}»&c=d", f"https://h/a/«{TOKEN}»/b", f"Bearer «{TOKEN}»"),
    *(f"https://h/?a=Bearer%2520«{TOKEN}»", f"Bearer\\n«{TOKEN}»"),
    "https://h/?u=%3Ftoken%3D«S3cret%3A», and more",
]

#: Passwords of URIs in URIs.
NESTED_PASSWORDS = [
    *("jdbc:mysql://u:«secret»@h/", "view-source:http://u:«secret»@h/", "http:/u:«secret»@h/"),
    *("x:y://h/?z=http://u:«secret»@h/", "jar:http://u:«secret»@h!/a", "http:u:«secret»@h/"),
    *("sip:u:«secret»@h", "//a/?b=http:u:«secret»@h", "//a/?b=http%3a//u%3a«secret»%40h/"),
    *("//a/?b=http%3A%2F%2Fu%3A«secret»%40h%2F", "//u:«a%2Fsecret»@h/", "mailto:joe@example.org"),
    "//a/#http%253A%252F%252Fu%253A«secret»%2540h",
    "http://a/?next=http%25253A%25252F%25252Fuser%25253A«secret»%252540b",
    *("//a/?b=http%3A%2F%2Fu%3A«a%252Fsecret»%40h", "mailto:a:b@c", "http://a/b:c@d"),
    "//u:«secret»@h/?v=//w:«secret»@i#//x:«secret»@j",
    *("http://a/?b=joe@example.org", "urn:a:b://c@d", "?a=http:u:1&http:v:«pw»@h"),
    # A port before another parameter is not a password.
    *("?x=http:b:80&c=d@e", "?x=//b:80&c=d@e", "?x=http:b:c&d=e@f"),
]

#: The passwords that are searched for in valid URIs.
SPANS = [
    *("http://user:«pass»@host/", "//user:«pass»@host", "//user:«a:b»@host", "//:«p»@host"),
    *("//u:«80»@host", "//a:«b»@c/?//d:«e»@f", "?u=%3a%2fb:«c»@d", "//user:@host"),
    *("//user@host:80", "//user@host", "//host:80/a@b", "//host:«/a»@b", "//host/a:b@c"),
    *("//h/?u=http://host:80&to=a@b", "//h/?u=http%3A%2F%2Fhost%3A80%26to%3Da%40b"),
    *("//h/?u=%2Fa%3Ab%40c", "//u%3A«p»@h%40i", "mailto:a@b", "mailto:a:b@c", "urn:a:b:c@d"),
    *("a:b@c", ""),
]

#: The passwords that are suspected in invalid strings.
SUSPECTED = [
    *("//user:«a@b»@host", "//user:«pa/ss»@host", "//user:«pa?ss»@host", "//user:«pa#ss»@host"),
    *("//user:«80»@host ", "user_name:«pass»@host//x", "user:«pass word»@host/x"),
    *("http:\\\\user:«pass»@host/", "http:/user:«pass word»@host/"),
    *("http://us/er:«pass word»@host/", "http://host:80/a b?c=d@e", "http://host/a b"),
    *("http://host/a b?u=http%3A%2F%2Fc%3A«pass»%40d", "u:«pa ss»@h?v=//w%3A«pass»%40i"),
    *("http://user@host/a b", ""),
    # Tokens as user names, and another character in place of the colon.
    *("/hooks/%2F«hookshooks0123456789»@", "http://«ghp_16C7»@ho st/", "http://u;«pass»@ho st/"),
    "http://«ghp_16C7»:«x»@host/a b?c=%41",
]

#: Cases that mean the same as the value of a parameter. In such a value, "&" ends a port, and an
#: encoded "@" would be encoded once more.
NESTED = [
    case
    for case in CASES
    if case.startswith("https://") and not re.search(r"\s|80&|%40|%25|\\|[;&].*/b", case)
]


def without_marks(case: str) -> str:
    return case.replace("«", "").replace("»", "")


def with_mask(case: str) -> str:
    return re.sub("«[^»]*»", "REDACTED", case)


@pytest.mark.parametrize("case", [*CASES, *NESTED_PASSWORDS])
def test_only_secrets_are_replaced(case: str) -> None:
    text, shown = without_marks(case), with_mask(case)
    assert redact_text(text) == shown
    assert redact(text) == shown
    assert redact(shown) == shown
    if value := IRIReference.try_parse(text):
        assert str(value) == text
        assert repr(value) == f"IRIReference({shown!r})"
        assert redact(value.display()) == value.display()
        for part in re.findall("«([^»]*)»", case):
            assert part not in repr(explain(text)) or part in shown
            assert part not in repr(value.params) or part in shown


def find_marks(case: str) -> list[tuple[int, int]]:
    """Return the spans of the strings between marks."""
    spans = [match.span() for match in re.finditer("«[^»]*»", case)]
    return [(start - 2 * i, end - 2 * i - 2) for i, (start, end) in enumerate(spans)]


@pytest.mark.parametrize("case", SPANS)
def test_password_spans_cover_each_password(case: str) -> None:
    assert find_secret_spans(without_marks(case)) == find_marks(case)


@given(
    st.lists(st.sampled_from(["a", ":", "@", "/", "//", "?", "#", "&", "80", "40", "http:", "="]))
)
def test_a_triplet_at_the_end_of_a_uri_changes_no_password_spans(pieces: list[str]) -> None:
    # With a percent sign, all spans are searched for; without one, most searches are skipped.
    text = "".join(pieces)
    assert find_secret_spans(text) == find_secret_spans(f"{text}%20")


@pytest.mark.parametrize("case", SUSPECTED)
def test_suspected_passwords_are_masked_in_invalid_strings(case: str) -> None:
    text = without_marks(case)
    assert mask_spans(text, 0, find_secrets_of_invalid_uri(text))[0] == with_mask(case)
    assert redact_invalid(text) == with_mask(case)


def test_an_error_shows_no_token_that_stands_as_a_user_name() -> None:
    with pytest.raises(uriverse.ParseError) as caught:
        URI("https://ghp_16C7@github.com/a b")
    assert "https://REDACTED@github.com/a b" in str(caught.value)
    assert "ghp_" not in f"{caught.value} {caught.value!r}"


def test_masking_passwords_adjusts_the_error_position() -> None:
    for position, moved in ((0, 0), (1, 1), (2, 1), (3, 9), (4, 10), (5, 10), (7, 10), (8, 18)):
        assert mask_spans("abcdefghi", position, [(1, 3), (4, 8)]) == ("aREDACTEDdREDACTEDi", moved)
    assert mask_spans("//host", 3, []) == ("//host", 3)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("case", NESTED)
def test_secrets_of_nested_uris_are_replaced(case: str, depth: int) -> None:
    text, shown = without_marks(case), with_mask(case)
    for _ in range(depth):
        text = quote(text, safe="")
        shown = quote(shown, safe="")
    text, shown = (f"https://host/?next={part}&page=2#top" for part in (text, shown))
    assert redact_text(text) == shown
    assert redact(text) == shown


def test_user_names_are_replaced_on_request() -> None:
    for text, shown in [
        ("https://u:p@h/", "https://REDACTED:REDACTED@h/"),
        *(("https://u@h/", "https://REDACTED@h/"), ("https://u:@h/", "https://REDACTED:@h/")),
        *(("https://:p@h/", "https://:REDACTED@h/"), ("https://@h/", "https://@h/")),
        ("http:u:p@h", "http:REDACTED:REDACTED@h"),
        ("https://u:p/q@h/", "https://REDACTED:REDACTED@h/"),
        ("https://h:port/", "https://h:port/"),
        ("https://h/?a=https%3A%2F%2Fu%40i", "https://h/?a=https%3A%2F%2FREDACTED%40i"),
        ("https://h/?a=b%3A%2F%2Fu%3Ap%40i", "https://h/?a=b%3A%2F%2FREDACTED%3AREDACTED%40i"),
        ("https://h/@u mailto:me@h", "https://h/@u mailto:me@h"),
    ]:
        assert redact_text(text, usernames=True) == shown
        assert redact(text, usernames=True) == shown


def test_values_without_secrets_are_not_changed() -> None:
    for text in [
        # An encoded "@" is no delimiter in the authority of a valid URI.
        *("https://u%3Ap%40h/", "https://h%2F%2Fu:80/", "https://u%2F%2Fv:@b%40c/"),
        "https://[v1.a&b=c]/",
        # A path is not a query.
        *("key=5/b", "foo:bar@baz"),
    ]:
        value = parse(text)
        assert value.redacted() is value
        assert redact(value) == redact_text(text) == text


def test_values_keep_their_type_without_their_secrets() -> None:
    url = URI("https://u:p@h/?token=a&b=c")
    assert url.redacted() == URI("https://u:REDACTED@h/?token=REDACTED&b=c")
    assert url.redacted(usernames=True).username == "REDACTED"
    assert type(IRI("https://é:p@h/é").redacted()) is IRI
    assert type(URIReference("?token=a").redacted()) is URIReference
    assert repr(URI("https://h/?code=a")) == "URI('https://h/?code=REDACTED')"


@pytest.mark.parametrize("count", [31, 32, 33, 64, 65, 5000])
def test_any_number_of_secrets_is_replaced(count: int) -> None:
    text = "\n".join(f"GET https://me:{n}@h/?token={n}" for n in range(count))
    assert redact(text) == "\n".join(["GET https://me:REDACTED@h/?token=REDACTED"] * count)
    mixed = "\n".join([f"https://h/?token=a {TOKEN} https://h/?token=b"] * count)
    shown = "\n".join(["https://h/?token=REDACTED REDACTED https://h/?token=REDACTED"] * count)
    assert redact(mixed) == shown
    assert columns.redact([text, mixed]).to_pylist() == [redact(text), shown]


@pytest.mark.parametrize("text", [None, 3, b"https://h/"])
def test_other_types_are_rejected(text: object) -> None:
    assert uriverse.redact is redact
    assert redact.__module__ == "uriverse"
    with pytest.raises(TypeError):
        redact(text)  # type: ignore[arg-type]


def test_the_repr_of_parts_shows_no_secrets() -> None:
    for value, shown in [
        (
            split("//u:p@h/?token=a#code=b"),
            (
                "Parts(scheme=None, authority='u:REDACTED@h', path='/', query='token=REDACTED', "
                "fragment='code=REDACTED')"
            ),
        ),
        (
            AllParts("x", "u:p", "h", None, "/;sid=a", None, None),
            (
                "AllParts(scheme='x', userinfo='u:REDACTED', host='h', port=None, "
                "path='/;sid=REDACTED', query=None, fragment=None)"
            ),
        ),
        (
            split("ftp:u:p@h"),
            ("Parts(scheme='ftp', authority=None, path='u:REDACTED@h', query=None, fragment=None)"),
        ),
        (
            explain("//h?token=a").components[-1],
            "Part(name='query', rule='query', start=4, end=11, text='token=REDACTED')",
        ),
        (request_target("GET", "/a?code=b"), "OriginForm(text='/a?code=REDACTED')"),
        (request_target("GET", "http://h/?code=b"), "AbsoluteForm(text='http://h/?code=REDACTED')"),
        (Link("/?token=a"), "Link(target='/?token=REDACTED', params=())"),
    ]:
        assert repr(value) == shown


def test_secrets_that_touch_are_replaced_once() -> None:
    text = f"#!https?token=a\u2028{TOKEN}//u:p@h"
    assert redact_message(text) == "#!https?token=REDACTED//u:REDACTED@h"


def test_a_password_and_the_value_that_starts_at_its_end_are_replaced_once() -> None:
    # The password is "token=", and the value of the parameter "token" starts with the "@".
    assert redact_text("/?to=//me%3Atoken=%40b") == "/?to=//me%3AREDACTED"
    assert redact_text("/?to=//me%3Atoken=%40b", paths=True) == "/?to=//me%3AREDACTED"
    assert redact_invalid("me:token=@b c") == "me:REDACTED"


def test_values_keep_their_delimiters_without_their_secrets() -> None:
    for text, shown in [
        # Without the question mark, a private-use character would be in the path.
        ("a://0.0.0.0:/::?@\ue000", "a://0.0.0.0:/REDACTED?@\ue000"),
        # Without the slash, a colon would be in the first segment.
        (
            "=https%3A%2F%2Fu%3Apu/u:p@ttpsps:/o%3Da",
            "=https%3A%2F%2Fu%3AREDACTED/REDACTED@ttpsps:/o%3Da",
        ),
        ("//u:x%2Fp@h/?a=//u:x/p@h#//u:x/p@h", None),
    ]:
        value = parse(text)
        found = value.redacted()
        assert type(found) is type(value)
        assert shown is None or str(found) == shown
        assert repr(value) == f"{type(value).__name__}({str(found)!r})"
        assert redact(value) == str(found)


PATHS = [
    "https://api.telegram.org/bot«123456:ABC-DEF1234ghIkl»/getMe",
    "https://api.telegram.org/file/bot«123456:ABC-DEF1234ghIkl»/documents/file_0.pdf",
    "https://hooks.slack.com/services/T00000000/B00000000/«XXXXXXXXXXXXXXXXXXXXXXXX»",
    "https://discord.com/api/webhooks/1000/«MadeUpValue0MadeUpValue1»",
    "https://h/accounts/reset/MQ/«c0ffee-0123456789abcdef»/",
    "https://h/Verify-Email/«0123456789abcdef01»?next=/a",
    "https://h/magic-link/«MadeUpValueMadeUpValueMadeUpValue»#top",
    "https://h/?next=https%3A%2F%2Fapi.telegram.org%2Fbot«123456%3AABC-DEF1234ghIkl»%2FgetMe",
    "GET /reset-password/«0123456789abcdef01» 200",
    # Segments that people chose, and other paths.
    *("https://h/reset/password", "https://h/webhooks/payment-events/v2"),
    *("https://h/a/0123456789abcdef0123456789abcdef", "https://h/bot/123456:ABC"),
    "https://h/verify?id=0123456789abcdef01",
]


@pytest.mark.parametrize("case", PATHS)
def test_secrets_in_paths_are_replaced_on_request(case: str) -> None:
    text = without_marks(case)
    assert redact(text) == text
    assert redact(text, paths=True) == with_mask(case)
    assert columns.redact([text, None], paths=True).to_pylist() == [with_mask(case), None]


def test_values_keep_their_authority_if_their_paths_are_redacted() -> None:
    for text in (
        "http://a%2Fwebhooks%2Fk3y0k3y1k3y2.example:80/x",
        "http://a%2Fwebhooks%2Fk3y0k3y1k3y2@h/x",
        "//bot123:@h/x",
    ):
        value = parse(text)
        assert value.redacted(paths=True) == value
    url = URI("http://webhooks/k3y0k3y1k3y2")
    assert url.redacted(paths=True) == URI("http://webhooks/REDACTED")
    url = URI("https://me:pw@h/hooks/0123456789abcdef01?token=a")
    assert url.redacted(paths=True) == URI("https://me:REDACTED@h/hooks/REDACTED?token=REDACTED")


def test_what_looks_like_a_password_across_the_host_of_a_valid_uri_leaves_the_host() -> None:
    for text, expected in [
        ("//:@:#@", "//:@:#@"),
        ("http://u:@h:/x@y", "http://u:@h:/REDACTED@y"),
        ("http://u:p:@h:/x@y?z#@", "http://u:REDACTED@h:/REDACTED?REDACTED#@"),
    ]:
        value = parse(redact(parse(text)))
        assert (str(value), value.host) == (expected, parse(text).host)


@pytest.mark.parametrize("equals", ["&#x3D;", "&#X3D;", "&#x3d;", "&#X3d;", "&#61;"])
def test_an_equals_sign_of_html_may_be_written_in_any_case(equals: str) -> None:
    assert redact(f"http://a/?password{equals}secret1") == f"http://a/?password{equals}REDACTED"
