"""`uriverse._errors`: attributes and rendering of errors, and masking of passwords."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import (
    URI,
    BuildError,
    ConvertError,
    IRIReference,
    MailtoURI,
    ParseError,
    URIError,
    explain,
    parse,
)
from uriverse._errors import display_width, visible
from uriverse._redaction import masked, redacted_invalid
from uriverse._redaction.masking import secret_spans, suspected_spans

KINDS = (URIError, ParseError, BuildError, ConvertError)


def test_all_errors_derive_from_uri_error_which_is_a_value_error() -> None:
    assert issubclass(URIError, ValueError)
    for kind in (ParseError, BuildError, ConvertError):
        assert kind.__bases__ == (URIError,)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_keeps_its_constructor_arguments(kind: type[URIError]) -> None:
    error = kind("text", 2, "path", "segment", "a reason", "a hint")
    assert (error.text, error.position, error.component) == ("text", 2, "path")
    assert (error.rule, error.reason, error.hint) == ("segment", "a reason", "a hint")
    assert kind("", 0, "path", "segment", "a reason").hint == ""


@pytest.mark.parametrize("kind", KINDS)
def test_errors_survive_pickling_and_copying(kind: type[URIError]) -> None:
    error = kind("text", 2, "path", "segment", "a reason", "a hint")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is kind
        assert vars(again) == vars(error)
        assert str(again) == str(error)


def test_str_of_an_error_draws_a_caret_and_appends_the_hint() -> None:
    error = ParseError("http://a/b c", 10, "path", "path-abempty", "no", "do")
    assert str(error) == "no (path-abempty, position 10)\n  http://a/b c\n            ^\nhint: do"
    assert repr(error) == "ParseError('no', position=10, rule='path-abempty')"


def test_an_error_without_text_and_hint_renders_as_one_line() -> None:
    assert str(BuildError("", 0, "scheme", "scheme", "no")) == "no (scheme, position 0)"


def test_an_error_at_the_end_puts_the_caret_after_the_last_character() -> None:
    error = ParseError("//[::1", 6, "host", "IP-literal", "no")
    assert error._drawing() == ("  //[::1", "        ^")


@pytest.mark.parametrize(
    ("length", "position", "before", "after"),
    [(1000, 500, "…", "…"), (1000, 0, "", "…"), (1000, 1000, "…", ""), (120, 60, "", "")],
)
def test_an_error_in_a_long_string_shows_only_the_surroundings(
    length: int, position: int, before: str, after: str
) -> None:
    drawn, caret = ParseError("a" * length, position, "path", "path", "no")._drawing()
    assert drawn.replace("a", "").strip() == before + after
    assert drawn.startswith(f"  {before}")
    assert len(drawn) <= 2 + 1 + 120 + 1
    assert len(caret) - 1 == 2 + len(before) + min(position, 60)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("http://user:pass@host/", [(12, 16)]),
        ("//user:pass@host", [(7, 11)]),
        ("//user:a:b@host", [(7, 10)]),
        ("//:p@host", [(3, 4)]),
        ("//u:80@host", [(4, 6)]),
        ("//a:b@c/?//d:e@f", [(4, 5), (13, 14)]),
        ("?u=%3a%2fb:c@d", [(11, 12)]),
        ("//user:@host", []),
        ("//user@host:80", []),
        ("//user@host", []),
        ("//host:80/a@b", []),
        ("//host:/a@b", [(7, 9)]),
        ("//host/a:b@c", []),
        ("//h/?u=http://host:80&to=a@b", []),
        ("//h/?u=http%3A%2F%2Fhost%3A80%26to%3Da%40b", []),
        ("//h/?u=%2Fa%3Ab%40c", []),
        ("//u%3Ap@h%40i", [(6, 7)]),
        ("mailto:a@b", []),
        ("mailto:a:b@c", []),
        ("urn:a:b:c@d", []),
        ("a:b@c", []),
        ("", []),
    ],
)
def test_password_spans_cover_each_password(text: str, spans: list[tuple[int, int]]) -> None:
    assert secret_spans(text) == spans


@given(
    st.lists(st.sampled_from(["a", ":", "@", "/", "//", "?", "#", "&", "80", "40", "http:", "="]))
)
def test_a_triplet_at_the_end_of_a_uri_does_not_change_its_password_spans(
    pieces: list[str],
) -> None:
    # With a percent sign, all spans are searched for; without one, most searches are skipped.
    text = "".join(pieces)
    assert secret_spans(text) == secret_spans(f"{text}%20")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("//user:a@b@host", "//user:REDACTED@host"),
        ("//user:pa/ss@host", "//user:REDACTED@host"),
        ("//user:pa?ss@host", "//user:REDACTED@host"),
        ("//user:pa#ss@host", "//user:REDACTED@host"),
        ("//user:80@host ", "//user:REDACTED@host "),
        ("user_name:pass@host//x", "user_name:REDACTED@host//x"),
        ("user:pass word@host/x", "user:REDACTED@host/x"),
        ("http:\\\\user:pass@host/", "http:\\\\user:REDACTED@host/"),
        ("http:/user:pass word@host/", "http:/user:REDACTED@host/"),
        ("http://us/er:pass word@host/", "http://us/er:REDACTED@host/"),
        ("http://host:80/a b?c=d@e", "http://host:80/a b?c=d@e"),
        (
            "http://host/a b?u=http%3A%2F%2Fc%3Apass%40d",
            "http://host/a b?u=http%3A%2F%2Fc%3AREDACTED%40d",
        ),
        ("u:pa ss@h?v=//w%3Apass%40i", "u:REDACTED@h?v=//w%3AREDACTED%40i"),
        ("http://host/a b", "http://host/a b"),
        ("http://user@host/a b", "http://user@host/a b"),
        ("", ""),
    ],
)
def test_suspected_passwords_are_masked_in_invalid_strings(text: str, shown: str) -> None:
    assert masked(text, 0, suspected_spans(text))[0] == shown
    assert redacted_invalid(text) == shown


@pytest.mark.parametrize(
    ("position", "moved"), [(0, 0), (7, 7), (8, 7), (10, 7), (11, 15), (15, 19)]
)
def test_masking_a_password_adjusts_the_error_position(position: int, moved: int) -> None:
    assert masked("//user:pass@host", position, [(7, 11)]) == ("//user:REDACTED@host", moved)


def test_masking_several_passwords_adjusts_the_error_position() -> None:
    for position, moved in ((0, 0), (1, 1), (2, 1), (3, 9), (4, 10), (5, 10), (7, 10), (8, 18)):
        assert masked("abcdefghi", position, [(1, 3), (4, 8)]) == ("aREDACTEDdREDACTEDi", moved)


def test_masking_without_passwords_changes_nothing() -> None:
    assert masked("//host", 3, []) == ("//host", 3)


@pytest.mark.parametrize(
    ("text", "shown", "width"),
    [
        ("abc", "abc", 3),
        ("\n\t\0", "\\n\\t\\x00", 8),
        ("\u202e\ud800", "\\u202e\\ud800", 12),
        ("é", "é", 1),
        ("e\u0301", "e\u0301", 1),
        ("\u4e2d", "\u4e2d", 2),
        ("\uff21", "\uff21", 2),
    ],
)
def test_invisible_characters_are_shown_as_escapes(text: str, shown: str, width: int) -> None:
    assert visible(text) == shown
    assert display_width(visible(text)) == width


@pytest.mark.parametrize(
    ("text", "rule", "reason"),
    [
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
    ],
)
def test_a_parse_error_names_the_first_invalid_character_and_its_rule(
    text: str, rule: str, reason: str
) -> None:
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


def test_parse_errors_can_be_caught_as_value_errors() -> None:
    with pytest.raises(ValueError, match="invalid space in path"):
        URI("http://a/ ")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("jdbc:mysql://u:secret@h/", "jdbc:mysql://u:REDACTED@h/"),
        ("view-source:http://u:secret@h/", "view-source:http://u:REDACTED@h/"),
        ("http:/u:secret@h/", "http:/u:REDACTED@h/"),
        ("x:y://h/?z=http://u:secret@h/", "x:y://h/?z=http://u:REDACTED@h/"),
        ("jar:http://u:secret@h!/a", "jar:http://u:REDACTED@h!/a"),
        ("http:u:secret@h/", "http:u:REDACTED@h/"),
        ("sip:u:secret@h", "sip:u:REDACTED@h"),
        ("//a/?b=http:u:secret@h", "//a/?b=http:u:REDACTED@h"),
        ("//a/?b=http%3A%2F%2Fu%3Asecret%40h%2F", "//a/?b=http%3A%2F%2Fu%3AREDACTED%40h%2F"),
        ("//a/?b=http%3a//u%3asecret%40h/", "//a/?b=http%3a//u%3aREDACTED%40h/"),
        (
            "//a/#http%253A%252F%252Fu%253Asecret%2540h",
            "//a/#http%253A%252F%252Fu%253AREDACTED%2540h",
        ),
        ("//u:a%2Fsecret@h/", "//u:REDACTED@h/"),
        ("//a/?b=http%3A%2F%2Fu%3Aa%252Fsecret%40h", "//a/?b=http%3A%2F%2Fu%3AREDACTED%40h"),
        (
            "//u:secret@h/?v=//w:secret@i#//x:secret@j",
            "//u:REDACTED@h/?v=//w:REDACTED@i#//x:REDACTED@j",
        ),
        ("mailto:joe@example.org", "mailto:joe@example.org"),
        ("mailto:a:b@c", "mailto:a:b@c"),
        ("http://a/b:c@d", "http://a/b:c@d"),
        ("http://a/?b=joe@example.org", "http://a/?b=joe@example.org"),
        ("urn:a:b://c@d", "urn:a:b://c@d"),
    ],
)
def test_passwords_of_nested_uris_are_masked(text: str, shown: str) -> None:
    value = parse(text)
    assert repr(value) == f"{type(value).__name__}({shown!r})"
    assert value.display() == shown
    assert "secret" not in repr(explain(text))
    assert "secret" not in repr(value.params)


HOST_NAME = "a host name consists of letters, digits, hyphens and dots"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
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
        ("://a/", 'write a scheme such as "https" before the colon'),
    ],
)
def test_parsing_errors_have_helpful_hints(text: str, hint: str) -> None:
    with pytest.raises(ParseError) as caught:
        URI(text)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("parts", "hint"),
    [
        ({"host": "a:80"}, "pass the port as a separate argument"),
        ({"host": "a/b"}, 'end the host before "/", and pass the rest as other components'),
        ({"host": "a b"}, f"remove it: {HOST_NAME}"),
        ({"scheme": "http:"}, "pass the scheme without the colon"),
        ({"scheme": "1a"}, ""),
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


def test_type_errors_of_edits_name_the_right_method() -> None:
    value = URI("http://a/b")
    for query in ({}, {"a": 1}, [("a", 1)]):
        with pytest.raises(TypeError, match=r"query must be a str, not .*: pass .* to with_params"):
            value.with_query(query)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="path must be a str, not list: pass segments to"):
        value.with_path(["a"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="query must be a str, not bytes: decode it first"):
        value.with_query(b"a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"fragment must be a str, not int$"):
        value.with_fragment(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"segments must be an iterable, .* not NoneType"):
        value.with_segments(None)  # type: ignore[arg-type]


def test_unexpected_keyword_errors_show_public_names_only() -> None:
    value: Any = URI("http://a/b")
    acts: dict[str, Callable[[], object]] = {
        "replace()": lambda: value.replace(hots="x"),
        "URI.build()": lambda: URI.build(hots="x"),  # type: ignore[call-overload]
        "IRIReference.build()": lambda: IRIReference.build(hots="x"),  # type: ignore[call-overload]
        "MailtoURI.build()": lambda: MailtoURI.build(hots="x"),  # type: ignore[call-overload]
        "URI.with_host()": lambda: value.with_host("a", hots="x"),
        "URI.to_uri()": lambda: value.to_uri(hots="x"),
    }
    for name, act in acts.items():
        with pytest.raises(TypeError) as caught:
            act()
        assert str(caught.value) == f"{name} got an unexpected keyword argument 'hots': use 'host'"
    with pytest.raises(TypeError, match=r"^URI\.resolve\(\) got an unexpected .* 'hots'$"):
        value.resolve("a", hots="x")
    assert pickle.loads(pickle.dumps(URI.with_path)) is URI.with_path


def test_passwords_behind_triply_encoded_delimiters_are_masked() -> None:
    uri = URI("http://a/?next=http%25253A%25252F%25252Fuser%25253Asecret%252540b")
    assert "secret" not in repr(uri)
    assert "secret" not in uri.display()
