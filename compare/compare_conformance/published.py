"""Strings that others chose: a test suite, and published lists for attacks on URL parsers."""

from __future__ import annotations

from typing import NamedTuple

from conformance.suites import VENDORED, load


class Group(NamedTuple):
    """Strings with a common origin.

    Attributes:
        title: a short name.
        source: a Markdown link to the origin.
        texts: the strings.
    """

    title: str
    source: str
    texts: tuple[str, ...]


TSAI = Group(
    "A New Era of SSRF",
    "Orange Tsai, [A New Era of SSRF](https://www.blackhat.com/docs/us-17/thursday/us-17-Tsai-A-New"
    "-Era-Of-SSRF-Exploiting-URL-Parser-In-Trending-Programming-Languages.pdf), Black Hat USA 2017",
    (
        "http://1.1.1.1 &@2.2.2.2# @3.3.3.3/",
        "http://127.0.0.1:11211:80/",
        "http://google.com#@evil.com/",
        "http://foo@evil.com:80@google.com/",
        "http://foo@127.0.0.1 @google.com/",
        "http://127.0.0.1\tfoo.google.com",
        "http://127.0.0.1%09foo.google.com",
        "http://127.0.0.1%2509foo.google.com",
        "http://0/",
        "http://\u00df.orange.tw/",
    ),
)

PAYLOADS = Group(
    "PayloadsAllTheThings",
    "[PayloadsAllTheThings](https://github.com/swisskyrepo/PayloadsAllTheThings/tree/master/"
    "Server%20Side%20Request%20Forgery), the URLs of the page about SSRF",
    (
        "http://localhost:80",
        "http://localhost:22",
        "https://localhost:443",
        "http://127.0.0.1:80",
        "http://0.0.0.0:80",
        "http://[::]:80/",
        "http://[0000::1]:80/",
        "http://[0:0:0:0:0:ffff:127.0.0.1]",
        "http://[::ffff:127.0.0.1]",
        "http://127.127.127.127",
        "http://127.0.1.3",
        "http://127.0.0.0",
        "http://127.1",
        "http://127.0.1",
        "http://2130706433/",
        "http://3232235521/",
        "http://2852039166/",
        "http://0177.0.0.1/",
        "http://o177.0.0.1/",
        "http://0o177.0.0.1/",
        "http://q177.0.0.1/",
        "http://0x7f000001",
        "http://0xa9fea9fe",
        "http://127.0.0.1/%61dmin",
        "http://127.0.0.1/%2561dmin",
        "http://\u24d4\u24e7\u24d0\u24dc\u24df\u24db\u24d4.\u24d2\u24de\u24dc",
        "http://ip6-localhost",
        "http://169.254.169.254/latest/meta-data/",
        "http://127.1.1.1:80\\@127.2.2.2:80/",
        "http://127.1.1.1:80\\@@127.2.2.2:80/",
        "http://127.1.1.1:80:\\@@127.2.2.2:80/",
        "http://127.1.1.1:80#\\@127.2.2.2:80/",
        "http:127.0.0.1/",
        "http://test???test.com",
        "0://evil.com:80;http://google.com:80/",
        "0://evil.com;google.com",
        "jar:http://127.0.0.1!/",
        "file://\\/\\/etc/passwd",
        "sftp://evil.com:11111/",
        "gopher://localhost:25/_MAIL%20FROM:<attacker@example.com>%0D%0A",
    ),
)

WPT = Group(
    "Web Platform Tests",
    "[urltestdata.json](https://github.com/web-platform-tests/wpt/blob/master/url/resources/"
    "urltestdata.json) of the Web Platform Tests, the inputs without their base URLs",
    tuple(dict.fromkeys(case["input"] for case in load(VENDORED / "wpt-url.json"))),
)

GROUPS = (WPT, TSAI, PAYLOADS)
