from collections.abc import Iterable
from pathlib import Path

import pytest

from uriverse._redaction import secrets
from uriverse._redaction.secrets import ENDINGS, NAMES, PUBLIC_ENDINGS, SOURCES, WORDS, is_secret


@pytest.mark.parametrize("name", [name for _, _, names in SOURCES for name in names])
def test_each_name_of_the_table_is_secret_in_any_case(name: str) -> None:
    assert is_secret(name)
    assert is_secret(name.upper())
    assert is_secret(name.lower())


def test_names_that_are_written_otherwise_are_secret() -> None:
    for name in [
        *("accessToken", "access-token", "X-Plex-Token", "user[password]", "github_token"),
        *("%74oken", "tok%65n", "%2574oken", "user%5Bpassword%5D", "a%26token", "a%3Dtoken"),
        *("a%2Ftoken", "a%5Ctoken", "token[0]", "token%5B0%5D", "password[$ne]"),
        *("%FFtoken", "token%", "%token", "%2525sig", "é.sig", "\ud800sig"),
        *("user[otp]", "login[pwd]", "a[token][0]", "user[password][confirmation]", "access[key]"),
        *("password1", "password_confirmation", "db_pass", "DB-PASS", "SharedAccessKey", "key2"),
        *("hdnts", "wresult", "secret_id", "auth_code", "signing_key", "SAMLRequest", "AccountKey"),
        *("moderatorPW", "x" * 200 + "Token", "password" + "x" * 200, "a%5Btoken%5D%5B0%5D"),
    ]:
        assert is_secret(name)


def test_other_names_are_not_secret() -> None:
    for name in [
        *("", "q", "page", "tokens", "sign", "signal", "design", "keys", "monkey", "barcode"),
        *("encode", "passage", "author", "state", "nonce", "token%26x", "a%2Fx", "keys[0]"),
        *("sort_key", "primaryKey", "bypass", "keyboard", "x" * 200, "1", "2fa", "[]", "user[]"),
        *("X-Amz-Date", "X-Amz-Expires", "X-Amz-Algorithm", "X-Amz-SignedHeaders"),
        *("\u212aey", "code_challenge", "token_type", "%", "%2", "%zz"),
    ]:
        assert not is_secret(name)


@pytest.mark.parametrize("name", PUBLIC_ENDINGS)
def test_names_with_public_endings_are_exceptions_that_are_not_secret(name: str) -> None:
    assert not is_secret(name)
    assert not is_secret(f"my_{name}2")
    assert name.endswith(ENDINGS)


@pytest.mark.parametrize("name", [*(f"{word}_value" for word in WORDS), *ENDINGS])
def test_names_with_a_secret_word_or_ending_are_secret(name: str) -> None:
    assert is_secret(f"my_{name}")


def test_names_and_endings_are_letters_and_digits_in_lower_case() -> None:
    for name in [*NAMES, *ENDINGS, *PUBLIC_ENDINGS, *WORDS]:
        assert name.isascii()
        assert name.isalnum()
        assert name == name.lower()


def test_json_web_tokens_have_three_or_five_parts() -> None:
    for text, found in [
        ("eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJub25lIn0.e30."),
        ("x=eyJhbGciOiJub25lIn0.e30.abc-_&", "eyJhbGciOiJub25lIn0.e30.abc-_"),
        ("%3DeyJhbGciOiJkaXIifQ..aa.bb.cc", "eyJhbGciOiJkaXIifQ..aa.bb.cc"),
        *(("aeyJhbGciOiJub25lIn0.e30.", None), ("%2eyJhbGciOiJub25lIn0.e30.", None)),
        *(("eyJhbGciOiJub25lIn0.e30", None), ("eyJhbGci.e30.a", None)),
    ]:
        match = secrets.JWT.search(text)
        assert (match and match[0]) == found


def test_the_guide_lists_all_names_and_their_sources() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "redact-and-log.md"
    text = " ".join(page.read_text("utf-8").split())
    for title, address, names in SOURCES:
        assert f"| [{title}]({address}) | {listed(names)} |" in text
    assert f"{listed(WORDS)}." in text
    assert f"{listed(ENDINGS)}." in text
    assert f"{listed(PUBLIC_ENDINGS)}." in text


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
