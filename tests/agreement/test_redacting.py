from random import Random

import pytest
from amounts import scaled
from engines import both
from hypothesis import example, given
from hypothesis import strategies as st

from uriverse import URI, is_iri_reference, parse
from uriverse._redaction import mask_spans, redact_text, redact_valid, secrets
from uriverse._redaction.masking import find_secret_spans, find_secrets_of_invalid_uri

#: Parts of strings with secrets, and of strings that only look like them.
PIECES = (
    *("http", "https", "mailto", ":", "/", "//", "\\", "?", "#", "&", ";", "=", "@", "%", "%25"),
    *("%3D", "%40", "%2F", "%3F", "%26", "%23", "%3A", "%3B", "%5C", "%253D", "%2540", "%252f"),
    *("%41", "%5B", "%00", "\0", " ", "\t", "\n", "<", '"', "`", "\x7f", "[", "]", "::1", ",", "."),
    *(")", "(", "'", "!", "*", "é", "\u2028", "\ud800", "eyJhbGciOiJu.e30.", "eyJ", "x", "+", "-"),
    *("token", "sig", "code", "page", "key", "pageToken", "access_token", "jsessionid", "%74oken"),
    *("user", "pw", "12", "80", "8a", "80&", "a", "b", "_", "~", "token=", "//u:p@h", "?sig=x"),
    *("://", ":\\/", "\\u002f", "\\x3A", "\\u0022", "\\n", "%252525", "{x}", "{", "}", "\u017f"),
    *("user[otp]", "password2", "secret_page_token", "ftp:", "git+ssh:", "//CORP\\joe:", "\r"),
    *("&#61;", "&#x3d;", "&#38;", "&#X26;", "&#59;", "&#6", "\\=", '","', "@\\", ":\\$"),
    *('\\"},{\\"', '"],[[', "rediss:", "smtps:", "%3A//", "\\/", '":['),
)

SAMPLES = (
    "https://u:p@h/p;jsessionid=a?token=b&x=1#access_token=c",
    "?next=https%3A%2F%2Fu%3Apw%40h%2F%3Ftoken%3Dabc%26x%3D1&y=2",
    *("see http://u:p@h/?sig=x, and (https://h/?code=b)", "https://example.com/a/b?x=1&y=2#z"),
    *("http:u:p@h?x=http://u:p/q@h", "?" + "token=a&" * 40),
    # Digits separate the words of a name.
    f"?{'x' * 48}code{'1' * 45}=a",
    *("x:y://u:p&q=r@h", "x:a//u:p&q=r@h", "?x=http%3Au%3Ap%40h", "x://:[//@p", "///:p?@h"),
    *('x://:]\\& @"', "//@ftp:u80/  @ ", "//:]?@"),
    *("/p;x=token=a;b", "/p&token=a;b?x", "/p&token=a&b=c"),
    "?code1=a&sig22=b",
    # Secrets that touch, a query inside an authority, and a value that begins with slashes.
    *("//:]?token=@h", "//p&token=a&b=c", "%3Ftoken=//"),
    # An escape in JSON within JSON, an "=" in a password, and an encoded "@" or quotation mark.
    *("?token=a\\\\\\u0026b=c", "x!a//u:p&q=r@h", "//u:p%2540", '\\///%40:"p?@h'),
    # JSON Web Tokens with short headers, with up to six parts, and at the end of a sentence.
    *(f"/eyJ{'x' * length}.e30." for length in (7, 8, 9)),
    *("/eyJhbGciOiJu" + ".x" * parts for parts in range(1, 7)),
    *("see http://h/?sig=eyJhbGciOiJu.e30. x", "//u:p@h/eyJhbGciOiJu.e30.x?token=a"),
)

#: Parts of paths with secrets, and of paths that only look like them.
PATH_PIECES = (
    *("/", "/", "%2F", "%252f", "%25", "hooks", "WebHooks", "log-in", "magic_link", "magic_"),
    "bot",
    *("bot12:ab", "bot12%3Aab", "bot1%253a_", "bota", "0123456789", "abcdefghi", "abcdefghijkl"),
    *("x" * 24, "a.b-c~d:e=f", "@", "+1", ",", "!9", "?", "#", "&", " ", '"', "<", "//h", "http:"),
    *("\u00e9", "\u0661", "\u017f", "\ud800", "%41", "token=a", "services", "key", "."),
)


#: Parts of names: all names and words of secrets, and what may be between them.
NAME_PIECES = (
    *sorted({*secrets.NAMES, *secrets.ENDINGS, *secrets.WORDS, *secrets.PUBLIC_ENDINGS}),
    *("1", "23", "_", "-", "x", "page", "[", "]", "%5F", "%2574", "%61", "\u00e9", "@", "~"),
)


def assert_engines_redact_alike(text: str) -> None:
    _, kernel = both()
    for usernames in (False, True):
        spans = find_secret_spans(text, usernames=usernames)
        assert kernel.module.list_secrets(text, usernames, False, 0, len(text)) == spans, text
        assert kernel.module.redact(text, usernames, False, False) == mask_spans(text, 0, spans)[0]
    shown = redact_text(text, paths=True)
    assert kernel.module.redact(text, False, True, False) == shown, text
    if is_iri_reference(text):
        shown = redact_valid(text, paths=True)
        assert kernel.module.redact(text, False, True, True) == shown, text
    for start, end in parts_of(len(text)):
        suspected = find_secrets_of_invalid_uri(text, start, end)
        found = kernel.module.list_secrets(text, False, True, start, end)
        assert found == suspected, (text, start, end)


def parts_of(length: int) -> list[tuple[int, int]]:
    third = length // 3
    return [(0, length), (0, third), (third, 2 * third), (2 * third, length)]


@pytest.mark.parametrize("text", SAMPLES)
def test_engines_redact_samples_alike(text: str) -> None:
    assert_engines_redact_alike(text)


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_engines_redact_joined_pieces_alike(text: str) -> None:
    assert_engines_redact_alike(text)


@given(st.lists(st.sampled_from(PATH_PIECES), max_size=12).map("".join))
@example("%2Fhookshooks0123456789@")
def test_engines_redact_paths_alike(text: str) -> None:
    for start in ("", "/hooks/", "http://h/verify/", "//hooks/abcdefghij1"):
        assert_engines_redact_alike(start + text)


@given(st.lists(st.sampled_from(NAME_PIECES), min_size=1, max_size=4).map("".join), st.data())
def test_engines_redact_joined_names_alike(name: str, data: st.DataObject) -> None:
    # A part of an entry leads to one of its ends, or to another entry.
    start = data.draw(st.integers(0, min(len(name), 4)))
    for text in (f"?{name}=a", f"x&{name[start:]}=a b;{name.upper()}=c", f"/p%3F{name}%3Da"):
        assert_engines_redact_alike(text)


@pytest.mark.parametrize("name", NAME_PIECES)
def test_engines_recognize_each_name_alike(name: str) -> None:
    for other in (name, name[1:], name[:-1], f"x{name}", f"{name}x", f"{name}1", f"1{name}"):
        assert_engines_redact_alike(f"http://h/?page=1&{other}=a")


def test_engines_redact_mutated_samples_alike() -> None:
    random = Random(18)
    for _ in range(scaled(2000)):
        characters = list(random.choice(SAMPLES))
        for _ in range(random.randint(1, 4)):
            place = random.randrange(len(characters) + 1)
            characters[place : place + random.randint(0, 1)] = random.choice(PIECES)
        assert_engines_redact_alike("".join(characters))


@pytest.mark.parametrize("usernames", [False, True])
def test_a_host_that_looks_like_a_path_with_a_secret_is_kept(usernames: bool) -> None:
    value = URI("http://a%2Fwebhooks%2Fk3y0k3y1k3y2.example:80/")
    shown = value.redacted(usernames=usernames, paths=True)
    assert (shown.host, shown.port) == (value.host, 80)


def test_delimiters_of_components_in_a_secret_stay() -> None:
    for text, shown in [
        *(("//:?u:p@h//=", "//:?REDACTED@h//="), ("//%40:?#a@", "//%40:?#REDACTED@")),
        ("/%2F;:?@", "/%2F;:?@"),
    ]:
        assert str(parse(text).redacted()) == shown
