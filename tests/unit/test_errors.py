import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from uriverse import URI, BuildError, ConvertError, ParseError, URIError, parse
from uriverse._errors import count_columns, escape_unprintable

KINDS = (URIError, ParseError, BuildError, ConvertError)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_keeps_its_constructor_arguments(kind: type[URIError]) -> None:
    assert kind.__bases__ == (ValueError if kind is URIError else URIError,)
    error = kind("text", 2, "path", "segment", "a reason", "a hint")
    assert (error.text, error.position, error.component) == ("text", 2, "path")
    assert (error.rule, error.reason, error.hint) == ("segment", "a reason", "a hint")
    assert kind("", 0, "path", "segment", "a reason").hint == ""
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind
        assert vars(again) == vars(error)
        assert str(again) == str(error)


def test_str_of_an_error_draws_a_caret_and_appends_the_hint() -> None:
    error = ParseError("http://a/b c", 10, "path", "path-abempty", "no", "do")
    assert str(error) == "no (path-abempty, position 10)\n  http://a/b c\n            ^\nhint: do"
    assert repr(error) == "ParseError('no', position=10, rule='path-abempty')"
    assert str(BuildError("", 0, "scheme", "scheme", "no")) == "no (scheme, position 0)"
    error = ParseError("//[::1", 6, "host", "IP-literal", "no")
    assert error._draw() == ("  //[::1", "        ^")


@pytest.mark.parametrize(
    ("length", "position", "before", "after"),
    [(1000, 500, "…", "…"), (1000, 0, "", "…"), (1000, 1000, "…", ""), (120, 60, "", "")],
)
def test_an_error_in_a_long_string_shows_only_the_surroundings(
    length: int, position: int, before: str, after: str
) -> None:
    drawn, caret = ParseError("a" * length, position, "path", "path", "no")._draw()
    assert drawn.replace("a", "").strip() == before + after
    assert drawn.startswith(f"  {before}")
    assert len(drawn) <= 2 + 1 + 120 + 1
    assert len(caret) - 1 == 2 + len(before) + min(position, 60)


def test_invisible_characters_are_shown_as_escapes() -> None:
    for text, shown, width in [
        *(("abc", "abc", 3), ("\n\t\0", "\\n\\t\\x00", 8), ("\u202e\ud800", "\\u202e\\ud800", 12)),
        *(("é", "é", 1), ("e\u0301", "e\u0301", 1), ("\u4e2d", "\u4e2d", 2)),
        ("\uff21", "\uff21", 2),
    ]:
        assert escape_unprintable(text) == shown
        assert count_columns(escape_unprintable(text)) == width


def test_a_parse_error_names_the_first_invalid_character_and_its_rule() -> None:
    for text, rule, reason in [
        ("a b", "path-noscheme", "invalid space in path"),
        ("http://a/%zz", "pct-encoded", 'invalid percent-encoding in path: "z" is not a hex'),
        ("http://a/%4", "pct-encoded", "incomplete percent-encoding in path"),
        ("http://u:a|b@h/", "userinfo", "invalid character in userinfo"),
        ("http://u|:ab@h/", "userinfo", 'invalid character "|" in userinfo'),
        ("http://[::1", "IP-literal", "missing closing bracket in host"),
        ("http://[::1]x", "host", 'invalid character "x" in host after the closing bracket'),
        ("http://[::1%251]", "IPv6address", "invalid zone identifier in host: RFC 9844 obsoletes"),
        ("http://[1:2]", "IPv6address", "incomplete IPv6 address in host"),
        ("http://[1::2::3]", "IPv6address", 'invalid second "::" in IPv6 address'),
        ("http://[1.2.3.4]", "IPv6address", "invalid brackets in host: an IPv4 address"),
        ("http://[::g]", "IPv6address", 'invalid character "g" in IPv6 address'),
        ("http://[v1.\u00e9]", "IPvFuture", "invalid character U+00E9 in IPvFuture address"),
        ("http://[V1.\u00e9]", "IPvFuture", "invalid character U+00E9 in IPvFuture address"),
        ("http://a:b", "port", 'invalid character "b" in port'),
        ("1a:b", "scheme", 'invalid character "1" in scheme: a scheme starts with a letter'),
        ("a_b:c", "scheme", 'invalid character "_" in scheme: only letters, digits'),
        (":a", "path-noscheme", "invalid colon in path: the first segment would be"),
        ("?\ud800", "iquery", "invalid character U+D800 in query"),
        ("#\\", "ifragment", "invalid backslash in fragment"),
        ("#a#", "ifragment", 'invalid second "#" in fragment'),
        ("//a@b@c", "reg-name", 'invalid second "@" in host'),
    ]:
        with pytest.raises(ParseError) as caught:
            parse(text)
        assert caught.value.rule.removeprefix("i") == rule.removeprefix("i")
        assert caught.value.reason.startswith(reason)


@pytest.mark.parametrize("version", ["v1", "V1"])
def test_the_address_after_a_version_has_any_length(version: str) -> None:
    text = f"http://[{version}.{'a' * 60}^]/"
    with pytest.raises(ParseError) as caught:
        URI(text)
    assert caught.value.position == text.index("^")


def test_the_hint_for_a_missing_scheme_suggests_a_scheme() -> None:
    with pytest.raises(ParseError) as caught:
        URI("//example.org/")
    assert caught.value.reason == "missing scheme: a URI starts with a scheme and a colon"
    assert caught.value.hint.startswith('add a scheme such as "https:", or parse')
    with pytest.raises(ParseError) as caught:
        URI("example.org")
    assert '"https://"' in caught.value.hint


def test_the_hint_for_a_private_use_character_names_the_allowed_component() -> None:
    with pytest.raises(ParseError) as caught:
        parse("/\ue000")
    assert caught.value.hint == (
        "percent-encode it as %EE%80%80: private-use characters are allowed only in queries"
    )


HOST_NAME = "a host name consists of letters, digits, hyphens and dots"


def test_parsing_errors_have_helpful_hints() -> None:
    for text, hint in [
        ("http://a b/", f"remove it: {HOST_NAME}"),
        ("http://a\t/", f"remove it: {HOST_NAME}"),
        ("http://{a}/", f"remove it: {HOST_NAME}"),
        ("http://a%zz/", f'remove the "%": {HOST_NAME}'),
        ("http://a\\b", 'write "/" before the path'),
        ("http://a@b@c/", 'percent-encode an "@" in the userinfo as %40'),
        ("http://é/", 'parse the string as an IRI, and convert the host with to_uri(host="idna")'),
        ("http://a:8o/", "write only digits in the port"),
        ("http://a:8%/", "write only digits in the port"),
        ("http://a:%4/", "write only digits in the port"),
        ("http://a/\r\n", "remove the trailing whitespace, or percent-encode it as %0D"),
        ("http://a/b c", "percent-encode it as %20"),
        ("ht tp://a/", "remove the character from the scheme"),
        ("a b:c", 'if this is a relative path, write "./" before it'),
        ("localhost_:80", 'if this is host:port, write "https://" or "//" before it'),
        ("http://[1.2.3.4]/", "remove the brackets"),
        (
            "http://2001:db8::1/",
            "if this is an IPv6 address, write it in brackets, as in [2001:db8::1]",
        ),
        ("http://a/\\b", 'write "/" as the separator, or %5C for a literal backslash'),
        ("http://a/50%", 'write a literal "%" as %25'),
        (
            "http://a/\ud800",
            "decode the original bytes with the right codec: a lone surrogate is not a character",
        ),
        ("://a/", 'write a scheme such as "https" before the colon'),
    ]:
        with pytest.raises(ParseError) as caught:
            URI(text)
        assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("parts", "hint"),
    [
        ({"host": "a:80"}, "pass the port as a separate argument"),
        ({"host": "a/b"}, 'end the host before "/", and pass the rest as other components'),
        ({"host": "a b"}, f"remove it: {HOST_NAME}"),
        *(({"scheme": "http:"}, "pass the scheme without the colon"), ({"scheme": "1a"}, "")),
        ({"port": "8o"}, "write only digits in the port"),
        ({"segments": ["a b"]}, 'add "" as the first segment, as in ["", "a", "b"]'),
        ({"path": "a b"}, 'write "/" before the path'),
        ({"host": None, "path": "//a"}, 'write "/." before the path, or set protect_path=True'),
        (
            {"host": None, "segments": ["", "", "a"]},
            'set protect_path=True to write "/." before the path',
        ),
        ({"host": None, "port": 80}, 'pass a host, or host="" for an empty host'),
    ],
)
def test_build_errors_have_helpful_hints(parts: dict[str, Any], hint: str) -> None:
    base = URI("http://a")
    acts: tuple[Callable[[], URI], ...] = (
        lambda: URI.build(**{"scheme": "http", "host": "a", **parts}),
        lambda: base.replace(**parts),
    )
    for act in acts:
        with pytest.raises(BuildError) as caught:
            act()
        assert caught.value.hint == hint
    if parts.keys() == {"segments"}:
        with pytest.raises(BuildError, match='add "" as the first segment'):
            base.with_segments(parts["segments"])
