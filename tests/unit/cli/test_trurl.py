import re
import shlex
from pathlib import Path

import pytest
from command_runner import Result, run_uriverse

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs/coming-from/trurl.md").read_text("utf-8")

#: The differences from trurl that docs/coming-from/trurl.md describes.
DIFFERENCES = set(re.findall(r"^- \*\*(.+?)\*\*:", DOCUMENT, re.MULTILINE))

#: The examples of the man page and the README of trurl. First its arguments, and the output of
#: trurl 0.16.1, whose exit status is always 0. Then our arguments, our output if it differs by more
#: than a slash after the host, the documented differences, and our exit status.
EXAMPLES = r"""
'http://ex%61mple:80/%62ath/a/../b?%2e%FF#tes%74' => http://example/bath/b?.%ff#test
    set --normalize 'http://ex%61mple:80/%62ath/a/../b?%2e%FF#tes%74'
        => http://example:80/bath/b?.%FF#test (Default port, Encoding)
example.com --iterate=scheme="ftp https" --iterate=port="22 80"
    => ftp://example.com:22/ | ftp://example.com:80/
    | https://example.com:22/ | https://example.com:80/
    set --add-scheme guess --iterate scheme="ftp https" --iterate port="22 80" example.com
        (Empty path)
https://example.com:443/ --keep-port => https://example.com:443/
    set https://example.com:443/
example.com --no-guess-scheme
    set example.com => example.com (No scheme)
http://åäö/ --punycode => http://xn--4cab6c/
    set --punycode http://åäö/
"https://curl.se?b=name:a=age" --sort-query --query-separator ":" => https://curl.se/?a=age:b=name
    set --sort-query --query-separator ":" "https://curl.se?b=name:a=age" (Separators) [2]
--url https://curl.se/we/are.html --redirect ../here.html => https://curl.se/here.html
    set --redirect ../here.html https://curl.se/we/are.html
https://odd/ -g '{scheme}' => https
    get -g '{scheme}' https://odd/
odd -g '{scheme}' => http
    get --add-scheme guess -g '{scheme}' odd
odd -g '{scheme}' --no-guess-scheme
    get -g '{scheme}' --accept-scheme http odd (Exit status) [1]
https://user%3a%40:secret@odd/ -g '{user}' => user:@
    get -g '{username}' https://user%3a%40:secret@odd/
https://user:secr%65t@odd/ -g '{password}' => secret
    get -g '{password}' https://user:secr%65t@odd/
'imap://user:pwd;giraffe@odd' -g '{options}' => giraffe
    get -g '{password}' 'imap://user:pwd;giraffe@odd' => pwd;giraffe (Login options)
'sftp://user:pwd;giraffe@odd' -g '{password}' => pwd;giraffe
    get -g '{password}' 'sftp://user:pwd;giraffe@odd'
http://xn--4cab6c/ --as-idn => http://åäö/
    set --as-idn http://xn--4cab6c/
'http://[2001:9b1:0:0:0:0:7b97:364b]/' => http://[2001:9b1::7b97:364b]/
    set --normalize 'http://[2001:9b1:0:0:0:0:7b97:364b]/'
http://646464646/ => http://38.136.68.134/
    set http://646464646/ => http://646464646/ (IPv4 numbers)
http://246.646/ => http://246.0.2.134/
    set http://246.646/ => http://246.646/ (IPv4 numbers)
http://246.46.646/ => http://246.46.2.134/
    set http://246.46.646/ => http://246.46.646/ (IPv4 numbers)
http://0x14.0xb3022/ => http://20.11.48.34/
    set http://0x14.0xb3022/ => http://0x14.0xb3022/ (IPv4 numbers)
'http://[2001:9b1::f358:1ba4:7b97:364b%enp3s0]/' -g '{zoneid}' => enp3s0
    get host 'http://[2001:9b1::f358:1ba4:7b97:364b%enp3s0]/' (Invalid URLs) [1]
http:/a --default-port => http://a:80/
    set --add-scheme guess --default-port http:/a => http:/a (Slashes)
http:/a:80 => http://a/
    set --add-scheme guess http:/a:80 => http:/a:80 (Slashes)
http:/a:80 --keep-port => http://a:80/
    set --add-scheme guess http:/a:80 => http:/a:80 (Slashes)
http://xn--4cab6c -g '[path]' => /
    get -g '[path]' http://xn--4cab6c => (empty line) (Empty path)
http://hello -s path="pony" => http://hello/pony
    set -s path="pony" http://hello
http://hello -s path="/pony" => http://hello/pony
    set -s path="/pony" http://hello
http://hej/one/../two/../three/./four => http://hej/three/four
    set --normalize http://hej/one/../two/../three/./four
http://twelve/three?hello --append path=four => http://twelve/three/four?hello
    set --append path=four http://twelve/three?hello
http://horse?elephant -g '{query}' => elephant
    get -g '{query}' http://horse?elephant
http://horse?elephant -s "query=?elephant" => http://horse/?%3felephant
    set -s "query=?elephant" http://horse?elephant => http://horse??elephant (Empty path, Encoding)
http://host?name=hello --append query=search=life => http://host/?name=hello&search=life
    set --append query=search=life http://host?name=hello (Empty path)
'http://alpha?one=real&two=fake' --replace two=alsoreal => http://alpha/?one=real&two=alsoreal
    set --query-replace two=alsoreal 'http://alpha?one=real&two=fake' (Empty path)
'http://alpha?one=real&two=fake' --replace-append three=alsoreal
    => http://alpha/?one=real&two=fake&three=alsoreal
    set --query-set three=alsoreal 'http://alpha?one=real&two=fake' (Empty path)
"http://alpha/?one=real&two=fake&three=alsoreal" --sort-query
    => http://alpha/?one=real&three=alsoreal&two=fake
    set --sort-query "http://alpha/?one=real&two=fake&three=alsoreal"
'https://example.com?a12=hej&a23=moo&b12=foo' --qtrim 'a*' => https://example.com/?b12=foo
    set --query-drop 'a*' 'https://example.com?a12=hej&a23=moo&b12=foo' (Empty path)
http://horse#elephant -g '{fragment}' => elephant
    get -g '{fragment}' http://horse#elephant
"http://horse#elephant" -s "fragment=#zebra" => http://horse/#%23zebra
    set -s "fragment=#zebra" "http://horse#elephant" (Empty path)
ftps://example.com:2021/p%61th -g '{url}' => ftps://example.com:2021/path
    set --normalize -g '{url}' ftps://example.com:2021/p%61th
--url https://curl.se --set host=example.com => https://example.com/
    set --set host=example.com https://curl.se (Empty path)
--set host=example.com --set scheme=ftp => ftp://example.com/
    set --set host=example.com --set scheme=ftp "" (Empty path)
--url https://curl.se/we/are.html --redirect here.html => https://curl.se/we/here.html
    set --redirect here.html https://curl.se/we/are.html
--url https://curl.se/we/../are.html --set port=8080 => https://curl.se:8080/are.html
    set --normalize --set port=8080 https://curl.se/we/../are.html
--url https://curl.se/we/are.html --get '{path}' => /we/are.html
    get --get '{path}' https://curl.se/we/are.html
--url https://curl.se/we/are.html --get '{default:port}' => 443
    get --get '{default:port}' https://curl.se/we/are.html
--url https://curl.se/hello --append path=you => https://curl.se/hello/you
    set --append path=you https://curl.se/hello
--url "https://curl.se?name=hello" --append query=search=string
    => https://curl.se/?name=hello&search=string
    set --append query=search=string "https://curl.se?name=hello" (Empty path)
--url-file - => https://curl.se/ | http://example.com/
    set --add-scheme guess --file - <<< https://curl.se/ | example.com
        => https://curl.se/ | http://example.com (Empty path)
"https://curl.se?search=hey&utm_source=tracker" --qtrim "utm_*" => https://curl.se/?search=hey
    set --query-drop "utm_*" "https://curl.se?search=hey&utm_source=tracker" (Empty path)
"https://example.com?a=home&here=now&thisthen" -g '{query:a}' => home
    get -g '{query:a}' "https://example.com?a=home&here=now&thisthen"
"https://example.com?b=a&c=b&a=c" --sort-query => https://example.com/?a=c&b=a&c=b
    set --sort-query "https://example.com?b=a&c=b&a=c" (Empty path)
"https://curl.se?search=fool;page=5" --qtrim "search" --query-separator ";"
    => https://curl.se/?page=5
    set --query-drop search --query-separator ";" "https://curl.se?search=fool;page=5" (Empty path)
"https://curl.se/this has space/index.html" --accept-space
    => https://curl.se/this%20has%20space/index.html
    set --accept-space "https://curl.se/this has space/index.html"
"https://curl.se/path/index.html" --iterate "scheme=http ftp sftp"
    => http://curl.se/path/index.html | ftp://curl.se/path/index.html
    | sftp://curl.se/path/index.html
    set --iterate "scheme=http ftp sftp" "https://curl.se/path/index.html"
--url https://curl.se/we/are.html --get '{port}' => (empty line)
    get --get '{port}' https://curl.se/we/are.html
"""

CASE = re.compile(
    r"^(?P<theirs>\S.*?)(?: => (?P<printed>.*))?\n    (?P<ours>.*?)(?: <<< (?P<given>.*?))?"
    r"(?: => (?P<answer>.*?))?(?: \((?P<reasons>[A-Z].*?)\))?(?: \[(?P<status>.)\])?$",
    re.MULTILINE,
)
CASES = list(CASE.finditer(re.sub(r"\n +(?=[=|(])", " ", EXAMPLES)))

#: All spellings of all options of trurl, and the modifiers of its fields.
OPTIONS = (
    "-a --append --accept-space --as-idn --curl --default-port -f --url-file --force-replace -g"
    " --get -h --help --iterate --json --keep-port --no-guess-scheme --punycode --qtrim"
    " --query-separator --quiet --redirect --replace --replace-append -s --set --sort-query"
    " --trim --url --urlencode -v --version --verify"
    " {:COMP} {url:COMP} {must:COMP} {strict:COMP} {default:COMP} {puny:COMP} {idn:COMP}"
    " {query:NAME} {query-all:NAME} {options} {zoneid}"
)


def unfold(text: str | None) -> str:
    if text is None:
        return ""
    return "".join(f"{line}\n" for line in text.replace("(empty line)", "").split(" | "))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["theirs"])
def test_examples_of_trurl_work_or_differ_as_documented(case: re.Match[str]) -> None:
    def run(words: str) -> Result:
        return run_uriverse(shlex.split(words), input=unfold(case["given"]))

    printed, reasons = unfold(case["printed"]), (case["reasons"] or "").split(", ")
    if not case["reasons"]:
        expected = (printed, 0)
        assert case["answer"] is case["status"] is None
    else:
        expected = (unfold(case["answer"]), int(case["status"] or 0))
        if reasons == ["Empty path"]:
            command, _, rest = case["ours"].partition(" ")
            assert run(f"set -s 'path?=/' {rest}").stdout == printed
            if command == "set" and case["answer"] is None:
                expected = (re.sub(r"(?m)^(\w+://[^/?#\n]+)/", r"\1", printed), 0)
        assert expected != (printed, 0)
        assert set(reasons) <= DIFFERENCES
    result = run(case["ours"])
    assert (result.stdout, result.exit_code) == expected


def test_all_examples_are_read() -> None:
    assert len(CASES) == len(re.findall(r"(?m)^\S", EXAMPLES)) == 55


def test_every_option_of_trurl_is_in_a_table() -> None:
    first = [line.split(" | ")[0] for line in DOCUMENT.splitlines() if line.startswith("| ")]
    spelled = " ".join(first)
    missing = [
        option for option in OPTIONS.split() if not re.search(rf"`{re.escape(option)}[` ]", spelled)
    ]
    assert missing == []
