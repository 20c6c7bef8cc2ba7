"""Examples of trurl with uriverse: the output is equal, or the difference is documented."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from command_runner import Result, run_uriverse

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "coming-from" / "trurl.md").read_text(
    "utf-8"
)

#: The differences from trurl that docs/coming-from/trurl.md describes.
DIFFERENCES = set(re.findall(r"^- \*\*(.+?)\*\*:", DOCUMENT, re.MULTILINE))


class Case(NamedTuple):
    """An example from the documentation of trurl, and the equivalent `uriverse` command.

    Attributes:
        theirs: the arguments of `trurl`.
        printed: the output of trurl 0.16.1, whose exit status is always 0.
        ours: the arguments of `uriverse`.
        answer: the output of `uriverse`; `None` if it is equal.
        reasons: the documented differences that explain a different output.
        status: the exit status of `uriverse`.
        given: standard input.
    """

    theirs: str
    printed: str
    ours: str
    answer: str | None = None
    reasons: tuple[str, ...] = ()
    status: int = 0
    given: str = ""


#: The examples of the man page and the README of trurl.
CASES = [
    Case(
        "'http://ex%61mple:80/%62ath/a/../b?%2e%FF#tes%74'",
        "http://example/bath/b?.%ff#test\n",
        "set --normalize 'http://ex%61mple:80/%62ath/a/../b?%2e%FF#tes%74'",
        "http://example:80/bath/b?.%FF#test\n",
        ("Default port", "Encoding"),
    ),
    Case(
        'example.com --iterate=scheme="ftp https" --iterate=port="22 80"',
        (
            "ftp://example.com:22/\n"
            "ftp://example.com:80/\n"
            "https://example.com:22/\n"
            "https://example.com:80/\n"
        ),
        'set --add-scheme guess --iterate scheme="ftp https" --iterate port="22 80" example.com',
        (
            "ftp://example.com:22\n"
            "ftp://example.com:80\n"
            "https://example.com:22\n"
            "https://example.com:80\n"
        ),
        ("Empty path",),
    ),
    Case(
        "https://example.com:443/ --keep-port",
        "https://example.com:443/\n",
        "set https://example.com:443/",
    ),
    Case("example.com --no-guess-scheme", "", "set example.com", "example.com\n", ("No scheme",)),
    Case("http://åäö/ --punycode", "http://xn--4cab6c/\n", "set --punycode http://åäö/"),
    Case(
        '"https://curl.se?b=name:a=age" --sort-query --query-separator ":"',
        "https://curl.se/?a=age:b=name\n",
        'set --sort-query --query-separator ":" "https://curl.se?b=name:a=age"',
        "",
        ("Separators",),
        status=2,
    ),
    Case(
        "--url https://curl.se/we/are.html --redirect ../here.html",
        "https://curl.se/here.html\n",
        "set --redirect ../here.html https://curl.se/we/are.html",
    ),
    Case("https://odd/ -g '{scheme}'", "https\n", "get -g '{scheme}' https://odd/"),
    Case("odd -g '{scheme}'", "http\n", "get --add-scheme guess -g '{scheme}' odd"),
    Case(
        "odd -g '{scheme}' --no-guess-scheme",
        "",
        "get -g '{scheme}' --accept-scheme http odd",
        reasons=("Exit status",),
        status=1,
    ),
    Case(
        "https://user%3a%40:secret@odd/ -g '{user}'",
        "user:@\n",
        "get -g '{username}' https://user%3a%40:secret@odd/",
    ),
    Case(
        "https://user:secr%65t@odd/ -g '{password}'",
        "secret\n",
        "get -g '{password}' https://user:secr%65t@odd/",
    ),
    Case(
        "'imap://user:pwd;giraffe@odd' -g '{options}'",
        "giraffe\n",
        "get -g '{password}' 'imap://user:pwd;giraffe@odd'",
        "pwd;giraffe\n",
        ("Login options",),
    ),
    Case(
        "'sftp://user:pwd;giraffe@odd' -g '{password}'",
        "pwd;giraffe\n",
        "get -g '{password}' 'sftp://user:pwd;giraffe@odd'",
    ),
    Case("http://xn--4cab6c/ --as-idn", "http://åäö/\n", "set --as-idn http://xn--4cab6c/"),
    Case(
        "'http://[2001:9b1:0:0:0:0:7b97:364b]/'",
        "http://[2001:9b1::7b97:364b]/\n",
        "set --normalize 'http://[2001:9b1:0:0:0:0:7b97:364b]/'",
    ),
    Case(
        "http://646464646/",
        "http://38.136.68.134/\n",
        "set http://646464646/",
        "http://646464646/\n",
        ("IPv4 numbers",),
    ),
    Case(
        "http://246.646/",
        "http://246.0.2.134/\n",
        "set http://246.646/",
        "http://246.646/\n",
        ("IPv4 numbers",),
    ),
    Case(
        "http://246.46.646/",
        "http://246.46.2.134/\n",
        "set http://246.46.646/",
        "http://246.46.646/\n",
        ("IPv4 numbers",),
    ),
    Case(
        "http://0x14.0xb3022/",
        "http://20.11.48.34/\n",
        "set http://0x14.0xb3022/",
        "http://0x14.0xb3022/\n",
        ("IPv4 numbers",),
    ),
    Case(
        "'http://[2001:9b1::f358:1ba4:7b97:364b%enp3s0]/' -g '{zoneid}'",
        "enp3s0\n",
        "get host 'http://[2001:9b1::f358:1ba4:7b97:364b%enp3s0]/'",
        "",
        ("Invalid URLs",),
        status=1,
    ),
    Case(
        "http:/a --default-port",
        "http://a:80/\n",
        "set --add-scheme guess --default-port http:/a",
        "http:/a\n",
        ("Slashes",),
    ),
    Case(
        "http:/a:80",
        "http://a/\n",
        "set --add-scheme guess http:/a:80",
        "http:/a:80\n",
        ("Slashes",),
    ),
    Case(
        "http:/a:80 --keep-port",
        "http://a:80/\n",
        "set --add-scheme guess http:/a:80",
        "http:/a:80\n",
        ("Slashes",),
    ),
    Case(
        "http://xn--4cab6c -g '[path]'",
        "/\n",
        "get -g '[path]' http://xn--4cab6c",
        "\n",
        ("Empty path",),
    ),
    Case('http://hello -s path="pony"', "http://hello/pony\n", 'set -s path="pony" http://hello'),
    Case('http://hello -s path="/pony"', "http://hello/pony\n", 'set -s path="/pony" http://hello'),
    Case(
        "http://hej/one/../two/../three/./four",
        "http://hej/three/four\n",
        "set --normalize http://hej/one/../two/../three/./four",
    ),
    Case(
        "http://twelve/three?hello --append path=four",
        "http://twelve/three/four?hello\n",
        "set --append path=four http://twelve/three?hello",
    ),
    Case(
        "http://horse?elephant -g '{query}'", "elephant\n", "get -g '{query}' http://horse?elephant"
    ),
    Case(
        'http://horse?elephant -s "query=?elephant"',
        "http://horse/?%3felephant\n",
        'set -s "query=?elephant" http://horse?elephant',
        "http://horse??elephant\n",
        ("Empty path", "Encoding"),
    ),
    Case(
        "http://host?name=hello --append query=search=life",
        "http://host/?name=hello&search=life\n",
        "set --append query=search=life http://host?name=hello",
        "http://host?name=hello&search=life\n",
        ("Empty path",),
    ),
    Case(
        "'http://alpha?one=real&two=fake' --replace two=alsoreal",
        "http://alpha/?one=real&two=alsoreal\n",
        "set --query-replace two=alsoreal 'http://alpha?one=real&two=fake'",
        "http://alpha?one=real&two=alsoreal\n",
        ("Empty path",),
    ),
    Case(
        "'http://alpha?one=real&two=fake' --replace-append three=alsoreal",
        "http://alpha/?one=real&two=fake&three=alsoreal\n",
        "set --query-set three=alsoreal 'http://alpha?one=real&two=fake'",
        "http://alpha?one=real&two=fake&three=alsoreal\n",
        ("Empty path",),
    ),
    Case(
        '"http://alpha/?one=real&two=fake&three=alsoreal" --sort-query',
        "http://alpha/?one=real&three=alsoreal&two=fake\n",
        'set --sort-query "http://alpha/?one=real&two=fake&three=alsoreal"',
    ),
    # The man page has an extra quotation mark here.
    Case(
        "'https://example.com?a12=hej&a23=moo&b12=foo' --qtrim 'a*'",
        "https://example.com/?b12=foo\n",
        "set --query-drop 'a*' 'https://example.com?a12=hej&a23=moo&b12=foo'",
        "https://example.com?b12=foo\n",
        ("Empty path",),
    ),
    Case(
        "http://horse#elephant -g '{fragment}'",
        "elephant\n",
        "get -g '{fragment}' http://horse#elephant",
    ),
    Case(
        '"http://horse#elephant" -s "fragment=#zebra"',
        "http://horse/#%23zebra\n",
        'set -s "fragment=#zebra" "http://horse#elephant"',
        "http://horse#%23zebra\n",
        ("Empty path",),
    ),
    Case(
        "ftps://example.com:2021/p%61th -g '{url}'",
        "ftps://example.com:2021/path\n",
        "set --normalize -g '{url}' ftps://example.com:2021/p%61th",
    ),
    Case(
        "--url https://curl.se --set host=example.com",
        "https://example.com/\n",
        "set --set host=example.com https://curl.se",
        "https://example.com\n",
        ("Empty path",),
    ),
    Case(
        "--set host=example.com --set scheme=ftp",
        "ftp://example.com/\n",
        'set --set host=example.com --set scheme=ftp ""',
        "ftp://example.com\n",
        ("Empty path",),
    ),
    Case(
        "--url https://curl.se/we/are.html --redirect here.html",
        "https://curl.se/we/here.html\n",
        "set --redirect here.html https://curl.se/we/are.html",
    ),
    Case(
        "--url https://curl.se/we/../are.html --set port=8080",
        "https://curl.se:8080/are.html\n",
        "set --normalize --set port=8080 https://curl.se/we/../are.html",
    ),
    Case(
        "--url https://curl.se/we/are.html --get '{path}'",
        "/we/are.html\n",
        "get --get '{path}' https://curl.se/we/are.html",
    ),
    Case(
        "--url https://curl.se/we/are.html --get '{default:port}'",
        "443\n",
        "get --get '{default:port}' https://curl.se/we/are.html",
    ),
    Case(
        "--url https://curl.se/hello --append path=you",
        "https://curl.se/hello/you\n",
        "set --append path=you https://curl.se/hello",
    ),
    Case(
        '--url "https://curl.se?name=hello" --append query=search=string',
        "https://curl.se/?name=hello&search=string\n",
        'set --append query=search=string "https://curl.se?name=hello"',
        "https://curl.se?name=hello&search=string\n",
        ("Empty path",),
    ),
    Case(
        "--url-file -",
        "https://curl.se/\nhttp://example.com/\n",
        "set --add-scheme guess --file -",
        "https://curl.se/\nhttp://example.com\n",
        ("Empty path",),
        given="https://curl.se/\nexample.com\n",
    ),
    Case(
        '"https://fake.host/search?q=answers&user=me#frag" --json',
        (
            "[\n"
            "  {\n"
            '    "url": "https://fake.host/search?q=answers&user=me#frag",\n'
            '    "parts": {\n'
            '      "scheme": "https",\n'
            '      "host": "fake.host",\n'
            '      "path": "/search",\n'
            '      "query": "q=answers&user=me",\n'
            '      "fragment": "frag"\n'
            "    },\n"
            '    "params": [\n'
            "      {\n"
            '        "key": "q",\n'
            '        "value": "answers"\n'
            "      },\n"
            "      {\n"
            '        "key": "user",\n'
            '        "value": "me"\n'
            "      }\n"
            "    ]\n"
            "  }\n"
            "]\n"
        ),
        'parse --json-array "https://fake.host/search?q=answers&user=me#frag"',
        (
            "[\n"
            '{"text": "https://fake.host/search?q=answers&user=me#frag", "type": "URI", '
            '"scheme": "https", "authority": "fake.host", "userinfo": null, "host": '
            '"fake.host", "host_kind": "reg-name", "port": null, "path": "/search", "query": '
            '"q=answers&user=me", "fragment": "frag", "params": [["q", "answers"], ["user", '
            '"me"]], "error": null}\n'
            "]\n"
        ),
        ("JSON",),
    ),
    Case(
        '"https://curl.se?search=hey&utm_source=tracker" --qtrim "utm_*"',
        "https://curl.se/?search=hey\n",
        'set --query-drop "utm_*" "https://curl.se?search=hey&utm_source=tracker"',
        "https://curl.se?search=hey\n",
        ("Empty path",),
    ),
    Case(
        "\"https://example.com?a=home&here=now&thisthen\" -g '{query:a}'",
        "home\n",
        "get -g '{query:a}' \"https://example.com?a=home&here=now&thisthen\"",
    ),
    Case(
        '"https://example.com?b=a&c=b&a=c" --sort-query',
        "https://example.com/?a=c&b=a&c=b\n",
        'set --sort-query "https://example.com?b=a&c=b&a=c"',
        "https://example.com?a=c&b=a&c=b\n",
        ("Empty path",),
    ),
    Case(
        '"https://curl.se?search=fool;page=5" --qtrim "search" --query-separator ";"',
        "https://curl.se/?page=5\n",
        'set --query-drop search --query-separator ";" "https://curl.se?search=fool;page=5"',
        "https://curl.se?page=5\n",
        ("Empty path",),
    ),
    Case(
        '"https://curl.se/this has space/index.html" --accept-space',
        "https://curl.se/this%20has%20space/index.html\n",
        'set --accept-space "https://curl.se/this has space/index.html"',
    ),
    Case(
        '"https://curl.se/path/index.html" --iterate "scheme=http ftp sftp"',
        (
            "http://curl.se/path/index.html\n"
            "ftp://curl.se/path/index.html\n"
            "sftp://curl.se/path/index.html\n"
        ),
        'set --iterate "scheme=http ftp sftp" "https://curl.se/path/index.html"',
    ),
    Case(
        "--url https://curl.se/we/are.html --get '{port}'",
        "\n",
        "get --get '{port}' https://curl.se/we/are.html",
    ),
    Case(
        '"https://fake.host/hello#frag" --set user=::moo:: --json',
        (
            "[\n"
            "  {\n"
            '    "url": "https://%3a%3amoo%3a%3a@fake.host/hello#frag",\n'
            '    "parts": {\n'
            '      "scheme": "https",\n'
            '      "user": "::moo::",\n'
            '      "host": "fake.host",\n'
            '      "path": "/hello",\n'
            '      "fragment": "frag"\n'
            "    }\n"
            "  }\n"
            "]\n"
        ),
        'set --set username=::moo:: --json-array "https://fake.host/hello#frag"',
        (
            "[\n"
            '{"text": "https://fake.host/hello#frag", "result": '
            '"https://%3A%3Amoo%3A%3A@fake.host/hello#frag", "error": null}\n'
            "]\n"
        ),
        ("JSON", "Encoding"),
    ),
]

#: All spellings of all options of trurl, and the modifiers of its fields.
OPTIONS = (
    "-a --append --accept-space --as-idn --curl --default-port -f --url-file --force-replace -g"
    " --get -h --help --iterate --json --keep-port --no-guess-scheme --punycode --qtrim"
    " --query-separator --quiet --redirect --replace --replace-append -s --set --sort-query"
    " --trim --url --urlencode -v --version --verify"
    " {:COMP} {url:COMP} {must:COMP} {strict:COMP} {default:COMP} {puny:COMP} {idn:COMP}"
    " {query:NAME} {query-all:NAME} {options} {zoneid}"
)


def run(words: str, given: str = "") -> Result:
    return run_uriverse(shlex.split(words), input=given)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.theirs)
def test_examples_of_trurl_work_with_uriverse(case: Case) -> None:
    result = run(case.ours, case.given)
    expected = case.printed if case.answer is None else case.answer
    assert (result.stdout, result.exit_code) == (expected, case.status)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.theirs)
def test_every_difference_from_trurl_is_documented(case: Case) -> None:
    result = run(case.ours, case.given)
    differs = (result.stdout, result.exit_code) != (case.printed, 0)
    assert bool(case.reasons) == differs
    assert set(case.reasons) <= DIFFERENCES


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if case.reasons == ("Empty path",)],
    ids=lambda case: case.theirs,
)
def test_set_adds_a_slash_to_an_empty_path_on_request(case: Case) -> None:
    _, _, rest = case.ours.partition(" ")
    assert run(f"set -s 'path?=/' {rest}", case.given).stdout == case.printed


def test_every_option_of_trurl_is_in_a_table() -> None:
    first = [line.split(" | ")[0] for line in DOCUMENT.splitlines() if line.startswith("| ")]
    spelled = " ".join(first)
    missing = [
        option for option in OPTIONS.split() if not re.search(rf"`{re.escape(option)}[` ]", spelled)
    ]
    assert missing == []
