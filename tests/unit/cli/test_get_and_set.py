"""Tests of `uriverse get`, `uriverse set` and `uriverse extract`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from command_runner import Result, run_uriverse

from uriverse import parse
from uriverse._cli.getting import Format
from uriverse.columns import surt

FULL = "http://me:p%40ss@example.org:8080/a%20b/c?x=1&y=a+b&x=%FF#f%C3%A9"


def run(*words: str, given: bytes | str = "") -> Result:
    return run_uriverse(words, input=given)


def printed(*words: str) -> str:
    """Run a command that must succeed, and return its output."""
    result = run(*words)
    assert (result.exit_code, result.stderr) == (0, ""), words
    return result.stdout.removesuffix("\n")


# --- get


@pytest.mark.parametrize(
    ("component", "text"),
    [
        ("url", FULL),
        ("scheme", "http"),
        ("authority", "me:p%40ss@example.org:8080"),
        ("userinfo", "me:p%40ss"),
        ("username", "me"),
        ("password", "p%40ss"),
        ("host", "example.org"),
        ("port", "8080"),
        ("path", "/a%20b/c"),
        ("query", "x=1&y=a+b&x=%FF"),
        ("fragment", "f%C3%A9"),
        ("registrable_domain", "example.org"),
    ],
)
def test_get_prints_a_component_as_it_is_written(component: str, text: str) -> None:
    assert printed("get", component, FULL) == text
    assert printed("get", "--format", f"<{{{component}}}>", FULL) == f"<{text}>"


def test_get_prints_the_registrable_domain_of_a_host() -> None:
    given = ("https://www.Example.co.uk:81/", "//a.%65xample.com", "https://a.b%C3%BCcher.com/")
    domains = ["example.co.uk", "example.com", "bücher.com"]
    for words in (["registrable_domain"], ["-g", "{registrable_domain}"]):
        assert printed("get", *words, *given).splitlines() == domains
    without = ("https://co.uk/", "https://127.0.0.1/", "https://[::1]/", "urn:a:b", "/a")
    lines = printed("get", "registrable_domain", "--json", *without).splitlines()
    found = [json.loads(line)["result"] for line in lines]
    assert found == [{"registrable_domain": None}] * len(without)
    result = run("get", "--format", "{must:registrable_domain}", "https://co.uk/")
    assert result.exit_code == 1
    assert "1: the URI has no registrable_domain (host, position 0)" in result.stderr


@pytest.mark.parametrize(
    ("field", "text", "exact", "decoded"),
    [
        ("segments[1]", FULL, "a%20b", "a b"),
        ("segments[0]", "a/b", "a", "a"),
        ("segments[-1]", FULL, "c", "c"),
        ("segments[3]", FULL, "", ""),
        ("segments[0]", "http://a", "", ""),
        ("segments[1]", "/a%2Fb", "a%2Fb", "a/b"),
        ("query-names", "?a+b=1&%26&a+b&&=2", "a+b %26 a+b ", "a b & a b "),
        ("query-values", "?a=1+2&b&c=%26&d=", "1+2 %26 ", "1 2 & "),
        ("query-names", "/", "", ""),
        ("query-values", "?a", "", ""),
        ("origin", "HTTP://u@A.example:80/b", "http://a.example", "http://a.example"),
        ("origin", "urn:a:b", "", ""),
    ],
)
def test_get_prints_segments_origins_and_all_parameters(
    field: str, text: str, exact: str, decoded: str
) -> None:
    assert printed("get", field, text) == exact
    assert printed("get", "--format", f"<{{{field}}}>", text) == f"<{exact}>"
    assert printed("get", "-g", f"<{{{field}}}>", text) == f"<{decoded}>"
    assert printed("get", "-g", f"<[{field}]> [scheme]", text).startswith(f"<{decoded}>")


def test_missing_segments_origins_and_parameters_are_null_in_json_and_can_be_required() -> None:
    for field, name in (
        ("segments[2]", "segments[2] (path"),
        ("query-names", "query-names (query"),
        ("query-values", "query-values (query"),
        ("origin", "origin (host"),
    ):
        assert json.loads(printed("get", "--json", field, "/a"))["result"] == {field: None}
        for words in ([f"must:{field}"], ["-g", f"[must:{field}]"]):
            result = run("get", *words, "/a")
            assert result.exit_code == 1
            assert result.stderr.startswith(f"1: the URI has no {name}, position 0)")


@pytest.mark.parametrize(
    "field", ["segments", "segments[]", "segments[x]", "segments[1", "segments[--1]", "segments[²]"]
)
def test_a_segment_without_a_number_is_an_unknown_field(field: str) -> None:
    result = run("get", field, "/a")
    assert result.exit_code == 2
    assert result.stderr.startswith("uriverse get: unknown field {segments")


def test_get_prints_an_empty_line_for_a_missing_component() -> None:
    assert run("get", "port", "http://a", "http://a:").stdout == "\n\n"
    assert run("get", "username,password", "//a@b", "//a:@b", "/c").stdout == "a\t\na\t\n\t\n"


def test_get_distinguishes_missing_and_empty_components_in_json() -> None:
    lines = run("get", "port,query", "--json", "http://a", "http://a:?", "a b").stdout.splitlines()
    rows = list(map(json.loads, lines))
    assert rows[0]["result"] == {"port": None, "query": None}
    assert rows[1]["result"] == {"port": "", "query": ""}
    assert rows[2]["result"] is None


def test_get_accepts_a_component_twice() -> None:
    assert printed("get", "host,port,host", "http://a:1") == "a\t1\ta"


def test_get_accepts_fields_with_prefixes() -> None:
    assert printed("get", "host, query:b,must:port", "http://a:1?b=%7e") == "a\t%7e\t1"
    assert run("get", "must:port", "http://a").exit_code == 1


def test_query_options_set_the_separator_and_the_codec() -> None:
    text = "http://a/?a=1;b=2+3"
    assert printed("get", "--query-separator", ";", "-g", "{query:b}", text) == "2 3"
    words = ["--query-separator", ";", "--codec", "rfc3986"]
    assert printed("get", *words, "-g", "{query:b}", text) == "2+3"
    assert printed("set", *words, "--query-set", "b=4 5", "--format", "{query:b}", text) == "4%205"


def test_get_reads_lines() -> None:
    result = run("get", "host", given="http://a/\nb c\nhttp://d/")
    assert (result.exit_code, result.stdout) == (1, "a\nd\n")
    assert result.stderr.startswith("2: invalid space")


@pytest.mark.parametrize(
    ("form", "exact", "decoded"),
    [
        ("{path}", "/a%20b/c", "/a b/c"),
        ("{:path}", "/a%20b/c", "/a%20b/c"),
        ("{url:path}", "/a%20b/c", "/a%20b/c"),
        ("{decoded:path}", "/a b/c", "/a b/c"),
        ("{password}", "p%40ss", "p@ss"),
        ("{userinfo}", "me:p%40ss", "me:p%40ss"),
        ("{fragment}", "f%C3%A9", "fé"),
        ("{query}", "x=1&y=a+b&x=%FF", "x=1&y=a+b&x=%FF"),
        ("{query:x}", "1", "1"),
        ("{query:y}", "a+b", "a b"),
        ("{:query:y}", "a+b", "a+b"),
        ("{query-all:x}", "1 %FF", "1 %FF"),
        ("{query:z}", "", ""),
        ("{must:host}", "example.org", "example.org"),
        ("{default:port}", "8080", "8080"),
        (r"{host}\t{port}\n\r\\", "example.org\t8080\n\r\\", "example.org\t8080\n\r\\"),
        (r"\{host}", "{host}", "{host}"),
        ("{{host}}", "{host}}", "{host}}"),
        (r"\q{", r"\q{", r"\q{"),
        ("\\", "\\", "\\"),
        ("é{host", "é{host", "é{host"),
        ("", "", ""),
    ],
)
def test_formats_support_fields_prefixes_and_escapes(form: str, exact: str, decoded: str) -> None:
    assert Format(form)(parse(FULL)) == exact
    assert Format(form, decode=True)(parse(FULL)) == decoded


def test_parameter_values_are_printed_as_written() -> None:
    value = parse("http://a/?a=%7E%2f%20x+&b=é")
    assert Format("{query:a}{query:b}")(value) == "%7E%2f%20x+é"
    assert Format("{query:a}{query:b}", decode=True)(value) == "~/ x é"
    assert Format(r"\{a\} \[b\]")(value) == "{a} [b]"


def test_a_parameter_without_a_value_is_missing_in_a_format() -> None:
    assert printed("get", "-g", "{query:a}|{query-all:a}", "?a&a=1&a=&a") == "1|1 "
    assert printed("get", "--json", "query:a", "?a").endswith(
        '"result": {"query:a": null}, "error": null}'
    )
    assert printed("get", "--json", "query:a", "?a=").endswith(
        '"result": {"query:a": ""}, "error": null}'
    )
    assert run("get", "must:query:a", "?a").exit_code == 1


def test_parameter_names_may_be_invalid_utf_8() -> None:
    assert printed("get", "query:\udcff", "?%FF=%fe") == "%fe"
    assert printed("set", "--query-replace", "\udcff=\udcfe", "?%ff=1&a") == "?%ff=%FE&a"
    assert printed("set", "--append", "path=\udcff", "/a") == "/a/%FF"


def test_brackets_delimit_fields_if_the_first_field_has_them() -> None:
    value = parse("http://a/b")
    assert Format("[host] {path} [[", brackets=True)(value) == "a {path} ["
    assert Format(r"\[ {path} [host]", brackets=True)(value) == "[ /b [host]"
    assert Format("[host]")(value) == "[host]"


def test_puny_and_idn_convert_the_host() -> None:
    for host in ("bücher.example", "xn--bcher-kva.example"):
        value = parse(f"http://{host}/ä")
        assert Format("{puny:host}")(value) == "xn--bcher-kva.example"
        assert Format("{idn:host}")(value) == "bücher.example"
    assert Format("{idn:url}")(parse("http://xn--bcher-kva.example/a")) == "http://bücher.example/a"
    assert Format("{idn:host}{path}")(parse("/a")) == "/a"
    assert Format("{idn:host}")(parse("http://[::1]/")) == "[::1]"
    assert Format("{idn:host}")(parse("//xn--bcher-kva/")) == "bücher"


def test_default_prints_the_default_port() -> None:
    assert Format("{default:port} {default:url}")(parse("https://a/")) == "443 https://a:443/"
    assert Format("{default:port}")(parse("x://a/")) == ""
    assert Format("{default:url}")(parse("http:/a")) == "http:/a"


def test_must_makes_a_missing_component_an_error() -> None:
    result = run("get", "--format", "{must:port}", "http://a:1", "http://a")
    assert (result.exit_code, result.stdout) == (1, "1\n")
    assert result.stderr.startswith("2: the URI has no port")
    query = run("get", "--format", "{must:query:x}{must:query-all:y}", "?x=1&y=2", "?x&y=2")
    assert (query.exit_code, query.stdout) == (1, "12\n")
    assert query.stderr.startswith("2: the URI has no query:x")
    strict = run("get", "-g", "{strict:path}", "a:%C3%A9", "a:%FF")
    assert (strict.exit_code, strict.stdout) == (1, "é\n")


@pytest.mark.parametrize(
    "form", ["{default:path}", "{puny:query}", "{idn:query:a}", "{default:host}"]
)
def test_a_prefix_that_does_not_apply_is_a_usage_error(form: str) -> None:
    result = run("get", "--format", form, "http://a/")
    assert result.exit_code == 2
    assert "does not apply to" in result.stderr


@pytest.mark.parametrize("form", ["{}", "{bogus}", "{x:host}", "{must:}", "{host:a}", "{Host}"])
def test_an_unknown_field_is_a_usage_error(form: str) -> None:
    for option in ("--format", "-g"):
        result = run("get", option, form, "http://a/")
        assert result.exit_code == 2
        assert f"unknown field {form}" in result.stderr


@pytest.mark.parametrize(
    "words",
    [["get"], ["get", "bogus", "a:b"], ["get", "--format", "{host}", "-g", "{host}", "a:b"]],
)
def test_get_without_fields_is_a_usage_error(words: list[str]) -> None:
    assert run(*words).exit_code == 2


# --- input options


def test_add_scheme_has_one_name_in_all_commands() -> None:
    for words in (["get", "url"], ["set"], ["repair"]):
        for scheme, text, completed in (
            ("https", "www.example.org/a", "https://www.example.org/a"),
            ("https", "//example.org", "https://example.org"),
            ("https", "ftp://example.org/", "ftp://example.org/"),
            ("guess", "ftp.example.org/a", "ftp://ftp.example.org/a"),
            ("guess", "example.org/a", "http://example.org/a"),
        ):
            assert printed(words[0], "--add-scheme", scheme, *words[1:], text) == completed
        invalid = run(words[0], "--add-scheme", "a b", *words[1:], "example.org")
        assert (invalid.exit_code, invalid.stdout) == (2, "")
        assert "scheme" in invalid.stderr


def test_add_scheme_guesses_a_missing_scheme() -> None:
    assert printed("get", "scheme", "example.org") == ""
    for text, guessed in (
        ("example.org", "http://example.org"),
        ("example.org:80/a", "http://example.org:80/a"),
        ("//ftp.example.org/", "ftp://ftp.example.org/"),
        ("IMAP.example.org", "imap://IMAP.example.org"),
        ("x:/a", "x:/a"),
        ("mailto:a@b", "mailto:a@b"),
        ("urn:isbn:1", "urn:isbn:1"),
        ("/a", "/a"),
        ("?a", "?a"),
        ("", ""),
    ):
        assert printed("get", "--add-scheme", "guess", "url", text) == guessed


def test_accept_space_encodes_spaces() -> None:
    assert run("get", "path", "/a b").exit_code == 1
    assert printed("get", "--accept-space", "path", "/a b") == "/a%20b"


def test_accept_host_and_accept_scheme_reject_all_others() -> None:
    given = "http://a.example/\nhttps://A.example/\nhttp://b.example/\nhttp://evil/\n/c\n"
    result = run("get", "url", "--accept-host", "*.example", given=given)
    assert result.exit_code == 1
    assert result.stdout.count("\n") == 3
    assert result.stderr.startswith("4: the host does not match *.example")
    both = run("get", "url", "--accept-host", "a.EXAMPLE", "--accept-scheme", "HTTPS", given=given)
    assert both.stdout == "https://A.example/\n"
    assert "1: the scheme is not https" in both.stderr


@pytest.mark.parametrize("name", ["K", "S", "\u00c9"])
def test_accept_host_and_accept_scheme_ignore_only_the_case_of_ascii_letters(name: str) -> None:
    given = f"http://{name}.Example/"
    assert printed("get", "host", "--accept-host", f"{name}.eXample", given) == f"{name}.Example"
    for option, value in (("--accept-host", "\u212a.example"), ("--accept-scheme", "\u212a")):
        assert run("get", "url", option, value, "k://k.example/").exit_code == 1
    assert run("schemes", "\u212a").exit_code == 2


def test_accept_host_accepts_ip_addresses() -> None:
    assert printed("get", "host", "--accept-host", "[::1]", "http://[::1]/") == "[::1]"
    assert printed("get", "host", "--accept-host", "::1", "http://[::1]/") == "[::1]"


# --- set


@pytest.mark.parametrize(
    ("options", "result"),
    [
        ([], FULL),
        (["--scheme", "https"], "https" + FULL[4:]),
        (["--scheme", "-"], FULL[5:]),
        (["--userinfo", "-"], FULL.replace("me:p%40ss@", "")),
        (["--username", "you"], FULL.replace("me:", "you:")),
        (["--password", "-"], FULL.replace(":p%40ss", "")),
        (["--username", "-"], FULL.replace("me:", ":")),
        (["--host", "[::1]", "--port", "-"], FULL.replace("example.org:8080", "[::1]")),
        (["--port", ""], FULL.replace("8080", "")),
        (["--path", "-"], FULL.replace("/a%20b/c", "")),
        (["--path", "/x%7e"], FULL.replace("/a%20b/c", "/x%7e")),
        (["--query", "-"], FULL.replace("?x=1&y=a+b&x=%FF", "")),
        (["--fragment", "-"], FULL.replace("#f%C3%A9", "")),
        (["--append", "path=d/e f"], FULL.replace("/c?", "/c/d%2Fe%20f?")),
        (["--append", "query=z=1=2"], FULL.replace("%FF#", "%FF&z=1%3D2#")),
        (["-s", "path=x y/z"], FULL.replace("/a%20b/c", "/x%20y/z")),
        (["-s", "path:=/x%20y"], FULL.replace("/a%20b/c", "/x%20y")),
        (["-s", "username=a:b"], FULL.replace("me:", "a%3Ab:")),
        (["-s", "port="], FULL.replace(":8080", "")),
        (["-s", "port?=1", "-s", "host=[::2]"], FULL.replace("example.org", "[::2]")),
        (["-s", "fragment=#é"], FULL.replace("#f%C3%A9", "#%23%C3%A9")),
        (["-s", "userinfo=a b"], FULL.replace("me:p%40ss", "a%20b")),
        (["--query-set", "x=2"], FULL.replace("x=1", "x=2").replace("&x=%FF", "")),
        (["--query-set", "x=2", "--query-set", "x=3"], FULL.replace("1", "2").replace("%FF", "3")),
        (["--query-replace", "y=1", "--query-set", "y=2"], FULL.replace("a+b", "2")),
        (["--query-set", "x=\udcff"], FULL.replace("x=1", "x=%FF").replace("&x=%FF#", "#")),
        (["-s", "path:=/é"], FULL.replace("/a%20b/c", "/é")),
        (["--query-add", "x"], FULL.replace("%FF", "%FF&x")),
        (["--query-replace", "y=2", "--query-replace", "z=3"], FULL.replace("a+b", "2")),
        (["--query-drop", "x"], FULL.replace("x=1&", "").replace("&x=%FF", "")),
        (["--query-keep", "[y]"], FULL.replace("x=1&", "").replace("&x=%FF", "")),
        (["--sort-query"], FULL.replace("y=a+b&x=%FF", "x=%FF&y=a+b")),
        (["--normalize"], FULL),
        (["--redirect", "../d"], "http://me:p%40ss@example.org:8080/d"),
        (["--redirect", "../é"], "http://me:p%40ss@example.org:8080/é"),
        (["--format", "{host}"], "example.org"),
        (["-g", "{path}", "--path", "/%41"], "/A"),
    ],
)
def test_set_edits_only_the_given_components(options: list[str], result: str) -> None:
    assert printed("set", *options, FULL) == result


def test_set_writes_parameters_with_the_given_codec() -> None:
    words = ["--codec", "rfc3986", "--query-separator", ";", "--query-set", "b=x y;"]
    assert printed("set", *words, "?a=1+2;b=2") == "?a=1+2;b=x%20y%3B"


def test_set_builds_a_uri_from_an_empty_string() -> None:
    assert printed("set", "-s", "host=example.org", "-s", "scheme=ftp", "") == "ftp://example.org"


def test_set_if_missing_keeps_empty_components() -> None:
    assert printed("set", "-s", "query?=x", "-s", "port?=1", "http://a:/?") == "http://a:/?"
    assert printed("set", "-s", "query?=x", "-s", "port?=1", "http://a/") == "http://a:1/?x"
    assert printed("set", "-s", "path?=/", "http://a") == "http://a/"


def test_a_user_does_not_spill_into_the_password() -> None:
    for words in (
        ["--username", "a:b"],
        ["-s", "username:=a:b"],
        ["--username", "a:b", "--password", "c"],
    ):
        result = run("set", *words, "http://h/")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "a colon is not allowed in the user name" in result.stderr


def test_set_converts_the_host_and_adds_the_default_port() -> None:
    assert printed("set", "--punycode", "http://bücher/ä") == "http://xn--bcher-kva/ä"
    assert printed("set", "--as-idn", "http://xn--bcher-kva/") == "http://bücher/"
    assert printed("set", "--default-port", "http://a/b") == "http://a:80/b"


def test_set_with_a_non_ascii_value_returns_an_iri() -> None:
    assert printed("set", "--path", "/é", "http://a/") == "http://a/é"
    assert printed("set", "-s", "path=é", "http://a/") == "http://a/%C3%A9"


def test_iterate_prints_all_combinations() -> None:
    words = ["--iterate", "scheme=ftp,https", "--iterate", "port=22 80"]
    rows = ["ftp://a:22/", "ftp://a:80/", "https://a:22/", "https://a:80/"]
    assert printed("set", *words, "http://a/").split("\n") == rows
    assert json.loads(printed("set", *words, "--json", "http://a/"))["result"] == rows
    assert json.loads(printed("set", "--json", "http://a/"))["result"] == "http://a/"


def test_iterate_ignores_spaces_after_commas() -> None:
    assert printed("set", "--iterate", "host=a, b", "http://x/").split("\n") == [
        "http://a/",
        "http://b/",
    ]
    assert printed("set", "--iterate", "port=", "http://x:1/") == "http://x/"


def test_set_writes_ipv6_addresses_in_brackets() -> None:
    result = run("set", "-s", "host=::1", "http://x/")
    assert (result.exit_code, result.stdout) == (0, "http://[::1]/\n")
    result = run("set", "-s", "host=::1%eth0", "http://x/")
    assert result.exit_code == 1
    assert "write it in brackets" in result.stderr


def test_json_errors_about_values_have_no_position() -> None:
    row = json.loads(run("set", "--json", "--port", "x", "http://a/b").stdout)
    assert row["error"]["position"] is None
    assert json.loads(run("set", "--json", "a b").stdout)["error"]["position"] == 1


def test_an_edit_that_fails_is_an_error_of_that_uri() -> None:
    result = run("set", "--path", "b", given="http://a/\nc:\n")
    assert (result.exit_code, result.stdout) == (1, "c:b\n")
    assert result.stderr.startswith("1: invalid path: after an authority")
    told = run("set", "--password", "new secret", "http://a:secret@b/").stderr
    assert told.startswith("1: invalid character in userinfo")
    assert "secret" not in told


@pytest.mark.parametrize(
    "words",
    [
        ["-s", "bogus=1"],
        ["-s", "host"],
        ["-s", "host::=a"],
        ["-s", "host=a", "--host", "b"],
        ["-s", "host=a", "-s", "host=b"],
        ["--iterate", "host=a", "--host", "b"],
        ["--username", "a", "--userinfo", "b"],
        ["--append", "host=a"],
        ["--query-set", ""],
        ["--host", "a", "--host", "b"],
        ["--punycode", "--as-idn"],
        ["--format", "{}"],
        ["--query-separator", ","],
    ],
)
def test_contradicting_or_invalid_options_are_usage_errors(words: list[str]) -> None:
    result = run("set", *words, "http://a/")
    assert result.exit_code == 2
    assert result.stderr.startswith("uriverse set: ")


@pytest.mark.parametrize(
    ("pattern", "text", "replaced"),
    [
        ("*=x y", "http://a/?a=1&b=%7e#f", "http://a/?a=x+y&b=x+y#f"),
        ("*=x", "?a&&a=1&%61%2F=&", "?a=x&&a=x&%61%2F=x&"),
        ("*=", "?a=1&b", "?a=&b="),
        ("*", "?a=1&b", "?a&b"),
        ("utm_?=x", "?utm_a=1&utm_bc=2&q=utm_a", "?utm_a=x&utm_bc=2&q=utm_a"),
        ("/*=x", "?a%2f=1&%2fb=2", "?a%2f=1&%2fb=x"),
        ("*=é", "?%FF=1&b+c=2", "?%FF=%C3%A9&b+c=%C3%A9"),
        ("*=x", "http://a/?", "http://a/?"),
        ("*=x", "http://a/", "http://a/"),
        ("*=x", "?é=1", "?é=x"),
        ("c*=x", "?a=1", "?a=1"),
    ],
)
def test_query_replace_with_a_pattern_changes_only_the_values_of_all_matching_parameters(
    pattern: str, text: str, replaced: str
) -> None:
    assert printed("set", "--query-replace", pattern, text) == replaced


def test_query_replace_with_a_pattern_uses_the_separator_and_the_codec() -> None:
    words = ["--query-separator", ";", "--codec", "rfc3986", "--query-replace", "*=1 2"]
    assert printed("set", *words, "?a=1&b=2;c") == "?a=1%202;c=1%202"


def test_query_replace_reads_brackets_alone_as_a_name() -> None:
    replaced = run("set", "--query-replace", "b[]=x", "--query-replace", "c=y", "http://a/?b[]=1")
    assert replaced.exit_code == 1  # brackets are invalid in a query
    replaced = run("set", "--query-replace", "b[]=x", "--query-replace", "c=y", "http://a/?b%5B%5D")
    assert replaced.stdout == "http://a/?b%5B%5D=x\n"


# --- extract


def test_extract_prints_lines_or_json_with_offsets(tmp_path: Path) -> None:
    text = "See <http://a.example/é>\nand (http://b.example), http://b.example."
    assert run("extract", given=text).stdout.split() == [
        "http://a.example/é",
        "http://b.example",
        "http://b.example",
    ]
    assert run("extract", "--unique", given=text).stdout.count("\n") == 2
    path = tmp_path / "text"
    path.write_text(text, "utf-8")
    rows = json.loads(run("extract", "--json-array", str(path), "-", given="urn:x:y").stdout)
    assert [text[row["start"] : row["end"]] for row in rows[:3]] == [
        row["text"] for row in rows[:3]
    ]
    assert (rows[3]["file"], rows[0]["file"]) == ("-", str(path))
    assert json.loads(run("extract", "--json", given="a:b http://c/d").stdout)["start"] == 4


def test_extract_continues_after_an_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("http://a/b")
    result = run("extract", str(tmp_path / "nothing"), str(path))
    assert (result.exit_code, result.stdout) == (2, "http://a/b\n")
    assert result.stderr == f"uriverse extract: {tmp_path / 'nothing'}: No such file or directory\n"


def test_extract_sets_the_exit_status() -> None:
    assert run("extract", given="http://a/b").exit_code == 0
    assert run("extract", given="nothing").exit_code == 1
    assert run("extract", "--json-array", given="").stdout == "[]\n"


def test_extract_accepts_any_bytes() -> None:
    # A word that goes on with other bytes is skipped: it may be in another encoding.
    given = b"\xef\xbb\xbf\xff http://a/ \xff http://d/\xff \x00<http://b/c>"
    assert run("extract", given=given).stdout == "http://a/\nhttp://b/c\n"


TABLE = 'id,url\n1,http://a.example/\n2\n3,"http://b.example/?q=a,b"\n4,\n5,a b\n6,http://c/\n'


def test_get_reads_a_field_of_records(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text(TABLE.replace("2\n", "").replace("5,a b\n", ""))
    objects = tmp_path / "b.jsonl"
    objects.write_text('{"url": "http://d.example/"}\n{"x": 1}\n{"url": "/e"}\n')
    words = ["get", "host,query", "-f", str(table), "-f", str(objects), "--field", "url"]
    result = run(*words)
    expected = "a.example\t\nb.example\tq=a,b\nc\t\nd.example\t\n\t\n"
    assert (result.exit_code, result.stdout, result.stderr) == (0, expected, "")
    assert run(*words, "-f", str(objects)).stdout == f"{expected}d.example\t\n\t\n"
    assert run("get", "path", "--field", "2", given="x\thttp://a/b\n").stdout == "/b\n"
    rows = run("get", "host", "--field", "url", "--json", given=TABLE.replace("2\n", "")).stdout
    assert [json.loads(row)["error"] is None for row in rows.splitlines()] == [1, 1, 0, 1]


def test_get_reports_records_without_the_field_and_invalid_uris(tmp_path: Path) -> None:
    table = tmp_path / "a.csv"
    table.write_text(TABLE)
    words = ("get", "host", "--file", str(table), "--field", "url")
    result = run(*words)
    assert (result.exit_code, result.stdout) == (1, "a.example\nb.example\nc\n")
    first, second, *_, summary = result.stderr.splitlines()
    assert first == f"{table}:3: the record has 1 of at least 2 fields"
    assert second.startswith(f"{table}:6: invalid space in path")
    assert summary == "uriverse get: 5 URIs, 2 invalid"
    assert run(*words, "--fail-fast").stdout == "a.example\n"
    result = run(*words, "--max-errors", "2", "-f", str(table))
    assert (result.stdout, result.exit_code) == ("a.example\nb.example\n", 1)
    table.write_text(TABLE.replace("1,http://a.example/", "1,a b"))
    assert run(*words, "--fail-fast").stderr.startswith(f"{table}:2: invalid space")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["http://a/"], "--field reads files; name them with --file, or write --file -"),
        (["-z"], "--field contradicts -z; use one of them"),
        (["-f", "a.txt"], "--field: unknown format of 'a.txt'; rename the file"),
        (["-f", "none.csv"], "none.csv: No such file or directory"),
    ],
)
def test_get_rejects_what_a_field_cannot_be_read_from(words: list[str], message: str) -> None:
    result = run("get", "host", "--field", "url", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"uriverse get: {message}")


def test_surt_is_the_sort_key_of_web_archives() -> None:
    uris = ("HTTP://www.A.example:80/%7eb?c#d", "https://[::1]:81/", "urn:x-a:b#c", "../a", "é:é")
    expected = "example,a,www)/~b?c\n[::1]:81)/\nurn:x-a:b\n\n"
    assert run("get", "surt", *uris[:-1]).stdout == expected
    assert run("get", "-g", "{surt}", "http://é/%41%C3").stdout == "%C3%A9)/A%C3\n"
    result = run("get", "{surt}", uris[-1])
    assert result.exit_code == 2
    assert run("get", "must:surt", "../a").exit_code == 1
    pa: Any = pytest.importorskip("pyarrow")
    keys = surt(pa.array(uris[:-1])).to_pylist()
    printed = [
        json.loads(row)["result"]["surt"]
        for row in run("get", "surt", "--json", *uris[:-1]).stdout.splitlines()
    ]
    assert printed == keys
