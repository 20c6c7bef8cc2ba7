import json
from pathlib import Path
from typing import Any

import pytest
from command_runner import failure, objects, run
from command_runner import printed as print_lines

from uriverse import parse
from uriverse._cli.getting import Format
from uriverse.columns import surt

FULL = "http://me:p%40ss@example.org:8080/a%20b/c?x=1&y=a+b&x=%FF#f%C3%A9"


def printed(command: str, *words: str) -> str:
    return print_lines(command, *words).removesuffix("\n")


def test_get_prints_fields_as_they_are_written_or_decoded() -> None:
    for field, text, exact, decoded in [
        *(("url", FULL, FULL, None), ("scheme", FULL, "http", "http")),
        ("authority", FULL, "me:p%40ss@example.org:8080", None),
        *(("userinfo", FULL, "me:p%40ss", "me:p%40ss"), ("username", FULL, "me", "me")),
        *(("password", FULL, "p%40ss", "p@ss"), ("host", FULL, "example.org", "example.org")),
        *(("port", FULL, "8080", "8080"), ("path", FULL, "/a%20b/c", "/a b/c")),
        ("query", FULL, "x=1&y=a+b&x=%FF", "x=1&y=a+b&x=%FF"),
        ("fragment", FULL, "f%C3%A9", "fé"),
        ("registrable_domain", FULL, "example.org", "example.org"),
        ("registrable_domain", "https://www.Example.co.uk:81/", "example.co.uk", "example.co.uk"),
        ("registrable_domain", "//a.%65xample.com", "example.com", "example.com"),
        ("registrable_domain", "https://a.b%C3%BCcher.com/", "bücher.com", "bücher.com"),
        *(("segments[1]", FULL, "a%20b", "a b"), ("segments[0]", "a/b", "a", "a")),
        *(("segments[-1]", FULL, "c", "c"), ("segments[3]", FULL, "", "")),
        *(("segments[0]", "http://a", "", ""), ("segments[1]", "/a%2Fb", "a%2Fb", "a/b")),
        ("query-names", "?a+b=1&%26&a+b&&=2", "a+b %26 a+b ", "a b & a b "),
        ("query-values", "?a=1+2&b&c=%26&d=", "1+2 %26 ", "1 2 & "),
        *(("query-names", "/", "", ""), ("query-values", "?a", "", "")),
        ("origin", "HTTP://u@A.example:80/b", "http://a.example", "http://a.example"),
        *(("origin", "urn:a:b", "", ""), ("port", "http://a", "", "")),
        *(("port", "http://a:", "", ""), ("username", "//a:@b", "a", "a")),
        ("host, query:b,must:port", "http://a:1?b=%7e", "a\t%7e\t1", None),
        ("host,port,host", "http://a:1", "a\t1\ta", None),
    ]:
        assert printed("get", field, text) == exact
        if "," not in field:
            assert printed("get --format", f"<{{{field}}}>", text) == f"<{exact}>"
        if decoded is not None:
            assert printed("get -g", f"<{{{field}}}>", text) == f"<{decoded}>"
            assert printed("get -g", f"<[{field}]> [scheme]", text).startswith(f"<{decoded}>")


@pytest.mark.parametrize(
    "text", ["https://co.uk/", "https://[::1]/", "https://1.1.1.1", "urn:a:b", "/a"]
)
def test_a_host_without_a_registrable_domain_has_null(text: str) -> None:
    (row,) = objects("get registrable_domain --json", text)
    assert row["result"] == {"registrable_domain": None}
    assert run("get must:registrable_domain", text).exit_code == 1


def test_missing_fields_are_null_in_json_and_can_be_required() -> None:
    for field, name in [
        *(("segments[2]", "segments[2] (path"), ("query-names", "query-names (query")),
        *(("query-values", "query-values (query"), ("origin", "origin (host")),
    ]:
        assert objects("get --json", field, "/a")[0]["result"] == {field: None}
        for words in (f"must:{field}", f"-g [must:{field}]"):
            message = failure(f"get {words} /a", status=1)
            assert message.startswith(f"1: the URI has no {name}, position 0)")


def test_get_distinguishes_missing_and_empty_components() -> None:
    rows = objects("get port,query --json http://a http://a:?", "a b")
    assert [row["result"] for row in rows] == [
        {"port": None, "query": None},
        {"port": "", "query": ""},
        None,
    ]
    assert printed("get username,password //a@b //a:@b /c") == "a\t\na\t\n\t"


def test_query_options_set_the_separator_and_the_codec() -> None:
    text = "http://a/?a=1;b=2+3"
    assert printed("get --query-separator ; -g {query:b}", text) == "2 3"
    words = "--query-separator ; --codec rfc3986"
    assert printed(f"get {words} -g {{query:b}}", text) == "2+3"
    assert printed(f"set {words} --query-set", "b=4 5", "--format", "{query:b}", text) == "4%205"


def test_get_reads_lines() -> None:
    result = run("get host", given="http://a/\nb c\nhttp://d/")
    assert (result.exit_code, result.stdout) == (1, "a\nd\n")
    assert result.stderr.startswith("2: invalid space")


def test_formats_support_fields_prefixes_and_escapes() -> None:
    for form, exact, decoded in [
        *(("{:path}", "/a%20b/c", "/a%20b/c"), ("{url:path}", "/a%20b/c", "/a%20b/c")),
        *(("{decoded:path}", "/a b/c", "/a b/c"), ("{query:x}", "1", "1")),
        *(("{query:y}", "a+b", "a b"), ("{:query:y}", "a+b", "a+b")),
        *(("{query-all:x}", "1 %FF", "1 %FF"), ("{query:z}", "", "")),
        *(("{must:host}", "example.org", "example.org"), ("{default:port}", "8080", "8080")),
        (r"{host}\t{port}\n\r\\", "example.org\t8080\n\r\\", "example.org\t8080\n\r\\"),
        *((r"\{host}", "{host}", "{host}"), ("{{host}}", "{host}}", "{host}}")),
        *((r"\q{", r"\q{", r"\q{"), ("\\", "\\", "\\"), ("é{host", "é{host", "é{host")),
        *(("[host]", "[host]", "[host]"), ("", "", "")),
    ]:
        assert Format(form)(parse(FULL)) == exact
        assert Format(form, decode=True)(parse(FULL)) == decoded


def test_formats_print_other_uris() -> None:
    for form, text, expected in [
        ("{query:a}{query:b}", "http://a/?a=%7E%2f%20x+&b=é", "%7E%2f%20x+é"),
        (r"\{a\} \[b\]", "", "{a} [b]"),
        ("{puny:host}", "http://bücher.example/ä", "xn--bcher-kva.example"),
        ("{puny:host}", "http://xn--bcher-kva.example/ä", "xn--bcher-kva.example"),
        ("{idn:host}", "http://bücher.example/ä", "bücher.example"),
        ("{idn:host}", "http://xn--bcher-kva.example/ä", "bücher.example"),
        ("{idn:url}", "http://xn--bcher-kva.example/a", "http://bücher.example/a"),
        *(("{idn:host}{path}", "/a", "/a"), ("{idn:host}", "http://[::1]/", "[::1]")),
        ("{idn:host}", "//xn--bcher-kva/", "bücher"),
        ("{default:port} {default:url}", "https://a/", "443 https://a:443/"),
        *(("{default:port}", "x://a/", ""), ("{default:port}", "http://a:/", "80")),
        *(("{default:port}", "x://a:", ""), ("{default:url}", "http:/a", "http:/a")),
    ]:
        assert Format(form)(parse(text)) == expected
        if form == "{query:a}{query:b}":
            assert Format(form, decode=True)(parse(text)) == "~/ x é"


def test_brackets_delimit_fields_if_the_first_field_has_them() -> None:
    value = parse("http://a/b")
    assert Format("[host] {path} [[", brackets=True)(value) == "a {path} ["
    assert Format(r"\[ {path} [host]", brackets=True)(value) == "[ /b [host]"


def test_a_parameter_without_a_value_is_missing_in_a_format() -> None:
    assert printed("get -g {query:a}|{query-all:a} ?a&a=1&a=&a") == "1|1 "
    rows = objects("get --json query:a ?a ?a=")
    assert [row["result"] for row in rows] == [{"query:a": None}, {"query:a": ""}]
    assert failure("get must:query:a ?a", status=1)


def test_parameter_names_may_be_invalid_utf_8() -> None:
    assert printed("get query:\udcff ?%FF=%fe") == "%fe"
    assert printed("set --query-replace \udcff=\udcfe ?%ff=1&a") == "?%ff=%FE&a"
    assert printed("set --append path=\udcff /a") == "/a/%FF"


def test_must_makes_a_missing_component_an_error() -> None:
    for words, output, error in (
        ("{must:port} http://a:1 http://a", "1\n", "2: the URI has no port"),
        ("{must:query:x}{must:query-all:y} ?x=1&y=2 ?x&y=2", "12\n", "2: the URI has no query:x"),
        ("{strict:path} a:%C3%A9 a:%FF", "é\n", "2: invalid"),
    ):
        result = run(f"get {'-g' if 'strict' in words else '--format'} {words}")
        assert (result.exit_code, result.stdout) == (1, output)
        assert result.stderr.startswith(error)


def test_an_unknown_field_is_a_usage_error() -> None:
    for words in [
        *("get", "get bogus a:b", "get --format {host} -g {host} a:b"),
        *(f"get {field} /a" for field in ("segments", "segments[]", "segments[x]", "segments[1")),
        *("get segments[--1] /a", "get segments[²] /a"),
        *(f"get --format {{{field}}} /" for field in ("", "bogus", "x:host", "must:", "host:a")),
        *("get -g {} /", "get -g {Host} /", "get --format {Host} /"),
    ]:
        message = failure(words)
        if "{host}" not in words and words != "get":
            assert message.startswith("uriverse get: unknown field {")


@pytest.mark.parametrize(
    "form", ["{default:path}", "{puny:query}", "{idn:query:a}", "{default:host}"]
)
def test_a_prefix_that_does_not_apply_is_a_usage_error(form: str) -> None:
    assert "does not apply to" in failure(f"get --format {form} http://a/")


def test_add_scheme_completes_uris_in_all_commands() -> None:
    for scheme, text, completed in [
        ("https", "www.example.org/a", "https://www.example.org/a"),
        ("https", "//example.org", "https://example.org"),
        ("https", "ftp://example.org/", "ftp://example.org/"),
        ("guess", "example.org", "http://example.org"),
        ("guess", "ftp.example.org/a", "ftp://ftp.example.org/a"),
        ("guess", "example.org:80/a", "http://example.org:80/a"),
        ("guess", "//ftp.example.org/", "ftp://ftp.example.org/"),
        *(("guess", "IMAP.example.org", "imap://IMAP.example.org"), ("guess", "x:/a", "x:/a")),
        *(("guess", "mailto:a@b", "mailto:a@b"), ("guess", "urn:isbn:1", "urn:isbn:1")),
        *(("guess", "/a", "/a"), ("guess", "?a", "?a"), ("guess", "", "")),
    ]:
        for words in ("get url", "set", *(["repair"] if "." in text else [])):
            assert printed(f"{words} --add-scheme {scheme}", text) == completed
            assert "scheme" in failure(f"{words} --add-scheme", "a b", "example.org")
        assert printed("get scheme example.org") == ""


def test_accept_space_encodes_spaces() -> None:
    assert failure("get path", "/a b", status=1)
    assert printed("get --accept-space path", "/a b") == "/a%20b"


def test_accept_host_and_accept_scheme_reject_all_others() -> None:
    given = "http://a.example/\nhttps://A.example/\nhttp://b.example/\nhttp://evil/\n/c\n"
    result = run("get url --accept-host *.example", given=given)
    assert (result.exit_code, result.stdout.count("\n")) == (1, 3)
    assert result.stderr.startswith("4: the host does not match *.example")
    both = run("get url --accept-host a.EXAMPLE --accept-scheme HTTPS", given=given)
    assert both.stdout == "https://A.example/\n"
    assert "1: the scheme is not https" in both.stderr
    for host in ("[::1]", "::1"):
        assert printed(f"get host --accept-host {host} http://[::1]/") == "[::1]"


@pytest.mark.parametrize("name", ["K", "S", "\u00c9"])
def test_accept_host_and_accept_scheme_ignore_only_the_case_of_ascii_letters(name: str) -> None:
    given = f"http://{name}.Example/"
    assert printed(f"get host --accept-host {name}.eXample", given) == f"{name}.Example"
    for words in ("--accept-host \u212a.example", "--accept-scheme \u212a"):
        assert run(f"get url {words} k://k.example/").exit_code == 1


def test_set_edits_only_the_given_components() -> None:
    for options, before, after in [
        *(("", "", ""), ("--scheme https", "http", "https"), ("--scheme -", "http:", "")),
        *(("--userinfo -", "me:p%40ss@", ""), ("--username you", "me:", "you:")),
        *(("--password -", ":p%40ss", ""), ("--username -", "me:", ":")),
        *(("--host [::1] --port -", "example.org:8080", "[::1]"), ("--port=", "8080", "")),
        *(("--path -", "/a%20b/c", ""), ("--path /x%7e", "/a%20b/c", "/x%7e")),
        *(("--query -", "?x=1&y=a+b&x=%FF", ""), ("--fragment -", "#f%C3%A9", "")),
        ("--append path=d/e_f", "/c?", "/c/d%2Fe%20f?"),
        ("--append query=z=1=2", "%FF#", "%FF&z=1%3D2#"),
        *(("-s path=x_y/z", "/a%20b/c", "/x%20y/z"), ("-s path:=/x%20y", "/a%20b/c", "/x%20y")),
        *(("-s username=a:b", "me:", "a%3Ab:"), ("-s port=", ":8080", "")),
        ("-s port?=1 -s host=[::2]", "example.org", "[::2]"),
        *(("-s fragment=#é", "#f%C3%A9", "#%23%C3%A9"), ("-s userinfo=a_b", "me:p%40ss", "a%20b")),
        ("--query-set x=2", "x=1&y=a+b&x=%FF", "x=2&y=a+b"),
        ("--query-set x=2 --query-set x=3", "x=1&y=a+b&x=%FF", "x=2&y=a+b&x=3"),
        ("--query-replace y=1 --query-set y=2", "a+b", "2"),
        ("--query-set x=\udcff", "x=1&y=a+b&x=%FF", "x=%FF&y=a+b"),
        *(("-s path:=/é", "/a%20b/c", "/é"), ("--query-add x", "%FF", "%FF&x")),
        ("--query-replace y=2 --query-replace z=3", "a+b", "2"),
        ("--query-drop x", "x=1&y=a+b&x=%FF", "y=a+b"),
        ("--query-keep [y]", "x=1&y=a+b&x=%FF", "y=a+b"),
        *(("--sort-query", "y=a+b&x=%FF", "x=%FF&y=a+b"), ("--normalize", "", "")),
        ("--redirect ../d", "/a%20b/c?x=1&y=a+b&x=%FF#f%C3%A9", "/d"),
        ("--redirect ../é", "/a%20b/c?x=1&y=a+b&x=%FF#f%C3%A9", "/é"),
        ("--format {host}", FULL, "example.org"),
        ("-g {path} --path /%41", FULL, "/A"),
    ]:
        words = [word.replace("_", " ") for word in options.split()]
        assert printed("set", *words, FULL) == FULL.replace(before, after)


def test_set_edits_other_uris() -> None:
    for words, text, expected in [
        ("-s host=example.org -s scheme=ftp", "", "ftp://example.org"),
        ("-s query?=x -s port?=1", "http://a:/?", "http://a:/?"),
        ("-s query?=x -s port?=1", "http://a/", "http://a:1/?x"),
        ("-s path?=/", "http://a", "http://a/"),
        ("--punycode", "http://bücher/ä", "http://xn--bcher-kva/ä"),
        ("--as-idn", "http://xn--bcher-kva/", "http://bücher/"),
        ("--default-port", "http://a/b", "http://a:80/b"),
        *(("--path /é", "http://a/", "http://a/é"), ("-s path=é", "http://a/", "http://a/%C3%A9")),
        ("-s host=::1", "http://x/", "http://[::1]/"),
        ("--query-separator ; --codec rfc3986 --query-set b=x_y;", "?a=1+;b=2", "?a=1+;b=x%20y%3B"),
        # A path gets a leading slash if a host is set with it.
        ("-s scheme=x -s host=h -s path=a_b", "", "x://h/a%20b"),
        ("-s path=a_b --host h", "", "//h/a%20b"),
        *(("-s path=a --iterate host=h,i", "", "//h/a\n//i/a"), ("-s path=a", "", "a")),
        ("-s path=a --host -", "//h/b", "a"),
        # All combinations are printed, and spaces after commas ignored.
        ("--iterate host=a,_b", "http://x/", "http://a/\nhttp://b/"),
        ("--iterate port=", "http://x:1/", "http://x/"),
        (
            "--iterate scheme=ftp,https --iterate port=22_80",
            "http://a/",
            "ftp://a:22/\nftp://a:80/\nhttps://a:22/\nhttps://a:80/",
        ),
    ]:
        assert printed("set", *(word.replace("_", " ") for word in words.split()), text) == expected


def test_a_user_does_not_spill_into_the_password() -> None:
    for words in ("--username a:b", "-s username:=a:b", "--username a:b --password c"):
        message = failure(f"set {words} http://h/", status=1)
        assert "a colon is not allowed in the user name" in message
    assert "write it in brackets" in failure("set -s host=::1%eth0 http://x/", status=1)


def test_json_has_the_results_and_errors_of_values_without_a_position() -> None:
    rows = objects("set --iterate port=1,2 --json http://a/")
    assert rows[0]["result"] == ["http://a:1/", "http://a:2/"]
    assert objects("set --json http://a/")[0]["result"] == "http://a/"
    assert objects("set --json --port x http://a/b")[0]["error"]["position"] is None
    assert objects("set --json", "a b")[0]["error"]["position"] == 1


def test_an_edit_that_fails_is_an_error_of_that_uri() -> None:
    result = run("set --path b", given="http://a/\nc:\n")
    assert (result.exit_code, result.stdout) == (1, "c:b\n")
    assert result.stderr.startswith("1: invalid path: after an authority")
    message = failure("set --password", "new secret", "http://a:secret@b/", status=1)
    assert message.startswith("1: invalid character in userinfo")
    assert "secret" not in message


def test_contradicting_or_invalid_options_are_usage_errors() -> None:
    for words in [
        *("-s bogus=1", "-s host", "-s host::=a", "-s host=a --host b", "-s host=a -s host=b"),
        *("--iterate host=a --host b", "--username a --userinfo b", "--append host=a"),
        *("--query-set=", "--host a --host b", "--punycode --as-idn", "--format {}"),
        "--query-separator ,",
    ]:
        assert failure(f"set {words} http://a/").startswith("uriverse set: ")


def test_query_replace_with_a_pattern_changes_only_the_values_of_all_matching_parameters() -> None:
    for pattern, text, replaced in [
        ("*=x y", "http://a/?a=1&b=%7e#f", "http://a/?a=x+y&b=x+y#f"),
        *(("*=x", "?a&&a=1&%61%2F=&", "?a=x&&a=x&%61%2F=x&"), ("*=", "?a=1&b", "?a=&b=")),
        ("*", "?a=1&b", "?a&b"),
        ("utm_?=x", "?utm_a=1&utm_bc=2&q=utm_a", "?utm_a=x&utm_bc=2&q=utm_a"),
        ("/*=x", "?a%2f=1&%2fb=2", "?a%2f=1&%2fb=x"),
        *(("*=é", "?%FF=1&b+c=2", "?%FF=%C3%A9&b+c=%C3%A9"), ("*=x", "http://a/?", "http://a/?")),
        *(("*=x", "http://a/", "http://a/"), ("*=x", "?é=1", "?é=x"), ("c*=x", "?a=1", "?a=1")),
        # Brackets alone are a name.
        ("b[]=x", "http://a/?b%5B%5D&b=1", "http://a/?b%5B%5D=x&b=1"),
    ]:
        assert printed("set --query-replace", pattern, text) == replaced


def test_query_replace_with_a_pattern_uses_the_separator_and_the_codec() -> None:
    words = "set --query-separator ; --codec rfc3986 --query-replace"
    assert printed(words, "*=1 2", "?a=1&b=2;c") == "?a=1%202;c=1%202"
    assert failure("set --query-replace b[]=x http://a/?b[]=1", status=1)  # an invalid query


def test_extract_prints_lines_or_json_with_offsets() -> None:
    text = "See <http://a.example/é>\nand (http://b.example), http://b.example."
    found = ["http://a.example/é", "http://b.example", "http://b.example"]
    assert run("extract", given=text).stdout.split() == found
    assert run("extract --unique", given=text).stdout.count("\n") == 2
    Path("text").write_text(text, "utf-8")
    rows = json.loads(run("extract --json-array text -", given="urn:x:y").stdout)
    assert [text[row["start"] : row["end"]] for row in rows[:3]] == found
    assert [row["file"] for row in rows] == ["text", "text", "text", "-"]
    assert objects("extract --json", given="a:b http://c/d")[0]["start"] == 4


def test_extract_sets_the_exit_status_and_continues_after_an_unreadable_file() -> None:
    Path("text").write_text("http://a/b")
    result = run("extract none text")
    assert (result.exit_code, result.stdout) == (2, "http://a/b\n")
    assert result.stderr == "uriverse extract: none: No such file or directory\n"
    assert run("extract", given="http://a/b").exit_code == 0
    assert run("extract", given="nothing").exit_code == 1
    assert run("extract --json-array", given="").stdout == "[]\n"


def test_extract_accepts_any_bytes() -> None:
    # A word that goes on with other bytes is skipped: it may be in another encoding.
    given = b"\xef\xbb\xbf\xff http://a/ \xff http://d/\xff \x00<http://b/c>"
    assert run("extract", given=given).stdout == "http://a/\nhttp://b/c\n"


TABLE = 'id,url\n1,http://a.example/\n3,"http://b.example/?q=a,b"\n4,\n6,http://c/\n'


def test_get_reads_a_field_of_records() -> None:
    Path("a.csv").write_text(TABLE)
    Path("b.jsonl").write_text('{"url": "http://d.example/"}\n{"x": 1}\n{"url": "/e"}\n')
    expected = "a.example\t\nb.example\tq=a,b\nc\t\nd.example\t\n\t\n"
    assert print_lines("get host,query -f a.csv -f b.jsonl --field url") == expected
    assert print_lines("get path --field 2", given="x\thttp://a/b\n") == "/b\n"
    rows = objects("get host --field url --json", given=f"{TABLE}5,a b\n")
    assert [row["error"] is None for row in rows] == [True, True, True, False]


def test_get_reports_records_without_the_field_and_invalid_uris() -> None:
    Path("a.csv").write_text(TABLE.replace("\n3", "\n2\n3").replace("\n6", "\n5,a b\n6"))
    result = run("get host --file a.csv --field url")
    assert (result.exit_code, result.stdout) == (1, "a.example\nb.example\nc\n")
    first, second, *_, summary = result.stderr.splitlines()
    assert first == "a.csv:3: the record has 1 of at least 2 fields"
    assert second.startswith("a.csv:6: invalid space in path")
    assert summary == "uriverse get: 5 URIs, 2 invalid"
    assert run("get host -f a.csv --field url --fail-fast").stdout == "a.example\n"
    result = run("get host -f a.csv -f a.csv --field url --max-errors 2")
    assert (result.stdout, result.exit_code) == ("a.example\nb.example\n", 1)
    Path("a.csv").write_text(TABLE.replace("http://a.example/", "a b").replace("\n3", "\n2\n3"))
    assert run("get host -f a.csv --field url --fail-fast").stderr.startswith("a.csv:2: invalid")


def test_get_rejects_what_a_field_cannot_be_read_from() -> None:
    for words, message in [
        ("http://a/", "--field reads files; name them with --file, or write --file -"),
        ("-z", "--field contradicts -z; use one of them"),
        ("-f a.txt", "--field: unknown format of 'a.txt'; rename the file"),
        ("-f none.csv", "none.csv: No such file or directory"),
    ]:
        assert failure(f"get host --field url {words}").startswith(f"uriverse get: {message}")


def test_surt_is_the_sort_key_of_web_archives() -> None:
    uris = ("HTTP://www.A.example:80/%7eb?c#d", "https://[::1]:81/", "urn:x-a:b#c", "../a")
    expected = "example,a,www)/~b?c\n[::1]:81)/\nurn:x-a:b\n\n"
    assert print_lines("get surt", *uris) == expected
    assert printed("get -g {surt} http://é/%41%C3") == "%C3%A9)/A%C3"
    assert failure("get {surt} é:é")
    assert failure("get must:surt ../a", status=1)
    pa: Any = pytest.importorskip("pyarrow")
    rows = [row["result"]["surt"] for row in objects("get surt --json", *uris)]
    assert rows == surt(pa.array(uris)).to_pylist()
