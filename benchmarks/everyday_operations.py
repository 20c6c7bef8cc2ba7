"""The operations that `everyday.py` measures, and how each library does them.

An operation is Python code, as in `timeit`, so that the loop around it contains nothing else. Code
can have several statements, separated by `; `. The last one is an expression, and its value is the
result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

#: The libraries in the order of the table. `baseline` is plain Python code.
PEERS = (
    "can_ada",
    "ada-url",
    "url-py",
    "pydantic",
    "yarl",
    "httpx",
    "urllib",
    "uritools",
    "rfc3986",
    "hyperlink",
    "furl",
    "baseline",
)

#: The statements that import each library. All names are visible to all code.
IMPORTS = {
    "uriverse": "import copy, pickle; import uriverse; from uriverse import *; "
    "from uriverse import is_uri, percent",
    "can_ada": "import can_ada",
    "ada-url": "import ada_url",
    "url-py": "import url",
    "pydantic": "import pydantic_core",
    "yarl": "import yarl; from yarl._quoting import _Quoter; "
    "quote_yarl = _Quoter(safe='', requote=False, qs=False)",
    "httpx": "import httpx",
    "urllib": "import urllib.parse; from urllib.parse import *",
    "uritools": "import uritools",
    "rfc3986": "import rfc3986",
    "hyperlink": "import hyperlink",
    "furl": "import furl",
    "baseline": "from everyday_operations import Sliced, Stored",
}

#: The code that makes a value of each library from the string `s`.
VALUES = {
    "uriverse": "URI(s)",
    "can_ada": "can_ada.parse(s)",
    "ada-url": "ada_url.URL(s)",
    "url-py": "url.URL.parse(s)",
    "pydantic": "pydantic_core.Url(s)",
    "yarl": "yarl.URL(s)",
    "httpx": "httpx.URL(s)",
    "urllib": "urlsplit.__wrapped__(s)",
    "uritools": "uritools.urisplit(s)",
    "rfc3986": "rfc3986.uri_reference(s)",
    "hyperlink": "hyperlink.URL.from_text(s)",
    "furl": "furl.furl(s)",
}


@dataclass(frozen=True)
class Other:
    """Code that does not do the same work. It is shown in parentheses, and no target applies.

    Attributes:
        code: the code.
        why: the difference.
        agrees: whether the result is the same nevertheless.
    """

    code: str
    why: str
    agrees: bool = True


@dataclass(frozen=True)
class Differs:
    """Code that does the same work, with a result that is written in another way."""

    code: str
    why: str


#: How a library does an operation.
Way = str | Other | Differs


@dataclass(frozen=True)
class Operation:
    """One operation of identifiers.

    Attributes:
        name: the name in the table.
        ours: the code for uriverse, in which `u` is the value.
        peers: the code for each peer.
        targets: the largest ratio of uriverse to a peer; `best` is the fastest peer that does the
            same work.
        made: the code that makes `u` from the string `s`, if it is not that of `VALUES`.
        texts: the name of a family of strings.
        needs: the name of an attribute of `URI` that the operation needs.
        without_kernel: whether to measure the reference implementation as well.
        raises: whether the code raises an error.
    """

    name: str
    ours: str
    peers: Mapping[str, Way] = field(default_factory=dict)
    targets: Mapping[str, float] = field(default_factory=dict)
    made: Mapping[str, str] = field(default_factory=dict)
    texts: str = "ordinary"
    needs: str | None = None
    without_kernel: bool = False
    raises: bool = False


class Sliced:
    """A component that is cut out of a string, in Python."""

    __slots__ = ("end", "start", "text")

    def __init__(self, text: str, part: str) -> None:
        self.text = text
        self.start = text.index(part)
        self.end = self.start + len(part)

    @property
    def part(self) -> str:
        start, end = self.start, self.end
        return self.text[start:end]


#: The families of distinct strings: `n` is the number of the string.
TEXTS: Mapping[str, Callable[[int], str]] = {
    "ordinary": lambda n: (
        f"https://user:pw@www.example{n}.org:8443/a{n}/b-c/file.tar.gz?q={n}&b=2&c=three#sec{n}"
    ),
    "bare": lambda n: f"https://www.example{n}.org/a{n}/b-c/file.tar.gz",
    "bad host": lambda n: f"https://www.exa^mple{n}.org/a{n}/b-c",
    "bad port": lambda n: f"https://www.example{n}.org:8a/a{n}/b-c",
    "bad path": lambda n: f"https://www.example{n}.org/a{n}/b\x01c",
    "path": lambda n: f"/a{n}/b-c/file.tar.gz",
    "reference": lambda n: (f"../g{n}/h?y={n}", f"g{n}/./h", f"/g{n}/h", f"?y={n}")[n % 4],
    "target": lambda n: f"https://www.example.org/a/b/x{n}/c?q={n}",
    "ten": lambda n: (
        f"https://www.example{n}.org/a?" + "&".join(f"{c}={n + i}" for i, c in enumerate(NAMES))
    ),
    "idn": lambda n: f"https://b\u00fccher{n}.example/a{n}",
    "idn again": lambda n: f"https://b\u00fccher.example/a{n}",
    "iri": lambda n: f"https://www.example{n}.org/a{n}/ros\u00e9/%E6%97%A5?q=caf\u00e9",
    "encoded": lambda n: f"https://www.example{n}.org/a{n}/ros%C3%A9/b%20c?q=caf%C3%A9",
    "untidy": lambda n: f"HTTPS://www.EXAMPLE{n}.org/a{n}/./b/../%7Ec",
    "data": lambda n: f"a b/{n}?\u00e9&=",
}

NAMES = "abcdefghij"
IN_PLACE = "changes the value in place"
NO_USER = "https://www.example7.org/a7/b-c"


def same(code: str, *names: str) -> dict[str, Way]:
    return dict.fromkeys(names, code)


def in_place(**code: str) -> dict[str, Way]:
    return {name.replace("_u", "-u"): Other(text, IN_PLACE) for name, text in code.items()}


def pickled(name: str) -> str:
    return f"pickle.dumps({VALUES[name]})"


ALL_URL = ("can_ada", "ada-url", "url-py", "pydantic", "yarl", "httpx")
ONE = {"best": 1.0}
STRINGS = dict.fromkeys(("uriverse", *PEERS), "s")

PARSE = (
    Operation(
        "parse",
        "URI(u)",
        {n: VALUES[n].replace("(s)", "(u)") for n in VALUES if n != "uriverse"},
        made=STRINGS,
    ),
    Operation("try_parse", "URI.try_parse(u)", made=STRINGS),
    Operation(
        "is_uri",
        "is_uri(u)",
        {
            "can_ada": "can_ada.can_parse(u)",
            "ada-url": "ada_url.check_url(u)",
            "rfc3986": "rfc3986.is_valid_uri(u)",
        },
        made=STRINGS,
    ),
    *(
        Operation(
            f"raise: {kind}",
            "URI(u)",
            {n: VALUES[n].replace("(s)", "(u)") for n in VALUES if n != "uriverse"},
            ONE,
            made=STRINGS,
            texts=kind,
            raises=True,
        )
        for kind in ("bad host", "bad port", "bad path")
    ),
)

BUILD = (
    Operation(
        "build, six parts",
        'str(URI.build(scheme="https", userinfo="user", host="www.example.org", port=8443, '
        'path=u, query="q=1"))',
        {
            "yarl": 'str(yarl.URL.build(scheme="https", user="user", host="www.example.org", '
            'port=8443, path=u, query_string="q=1"))',
            "pydantic": 'str(pydantic_core.Url.build(scheme="https", username="user", '
            'host="www.example.org", port=8443, path=u[1:], query="q=1"))',
            "uritools": 'uritools.uricompose(scheme="https", userinfo="user", '
            'host="www.example.org", port=8443, path=u, query="q=1")',
            "furl": 'furl.furl(scheme="https", username="user", host="www.example.org", '
            'port=8443, path=u, query="q=1").url',
            "urllib": Other(
                'urlunsplit(("https", f"user@www.example.org:8443", u, "q=1", ""))',
                "checks nothing",
            ),
            "baseline": 'str(URI(f"https://user@www.example.org:8443{u}?q=1"))',
        },
        {"yarl": 0.8, "baseline": 2.5},
        made=STRINGS,
        texts="path",
        without_kernel=True,
    ),
    Operation(
        "build, three parts",
        'str(URI.build(scheme="https", host="www.example.org", path=u))',
        {
            "yarl": 'str(yarl.URL.build(scheme="https", host="www.example.org", path=u))',
            "pydantic": 'str(pydantic_core.Url.build(scheme="https", host="www.example.org", '
            "path=u[1:]))",
            "httpx": 'str(httpx.URL(scheme="https", host="www.example.org", path=u))',
            "uritools": 'uritools.uricompose(scheme="https", host="www.example.org", path=u)',
            "furl": 'furl.furl(scheme="https", host="www.example.org", path=u).url',
            "urllib": Other(
                'urlunsplit(("https", "www.example.org", u, "", ""))', "checks nothing"
            ),
            "baseline": 'str(URI(f"https://www.example.org{u}"))',
        },
        {"yarl": 0.8, "baseline": 2.5},
        made=STRINGS,
        texts="path",
        without_kernel=True,
    ),
    Operation(
        "build, with params",
        'str(URI.build(scheme="https", host="www.example.org", path=u, '
        'params={"q": "a b", "n": 1}))',
        {
            "yarl": 'str(yarl.URL.build(scheme="https", host="www.example.org", path=u, '
            'query={"q": "a b", "n": 1}))',
            "httpx": 'str(httpx.URL(scheme="https", host="www.example.org", path=u, '
            'params={"q": "a b", "n": 1}))',
            "uritools": 'uritools.uricompose(scheme="https", host="www.example.org", path=u, '
            'query={"q": "a b", "n": "1"})',
            "furl": 'furl.furl(scheme="https", host="www.example.org", path=u, '
            'args={"q": "a b", "n": 1}).url',
            "baseline": 'query = urlencode({"q": "a b", "n": 1}); '
            'str(URI(f"https://www.example.org{u}?{query}"))',
        },
        {"yarl": 0.8},
        made=STRINGS,
        texts="path",
        needs="build params",
        without_kernel=True,
    ),
)


def edit(
    name: str,
    ours: str,
    targets: Mapping[str, float] = ONE,
    needs: str | None = None,
    texts: str = "ordinary",
    *,
    without_kernel: bool = False,
    **peers: Way,
) -> Operation:
    return Operation(
        name,
        f"str(u.{ours})",
        {n.replace("_url", "-url").replace("_py", "-py"): way for n, way in peers.items()},
        targets,
        needs=needs,
        texts=texts,
        without_kernel=without_kernel,
    )


EDIT = (
    edit(
        "replace host and path",
        'replace(host="e.org", path="/x/y")',
        {"yarl": 0.8},
        without_kernel=True,
        url_py='str(u.with_host("e.org").with_path("/x/y"))',
        yarl='str(u.with_host("e.org").with_path("/x/y", keep_query=True, keep_fragment=True))',
        httpx='str(u.copy_with(host="e.org", path="/x/y"))',
        hyperlink='u.replace(host="e.org", path=("x", "y")).to_text(with_password=True)',
        furl='u.copy().set(host="e.org", path="/x/y").url',
        rfc3986=Other(
            'u.copy_with(authority="user:pw@e.org:8443", path="/x/y").unsplit()',
            "takes the whole authority",
        ),
        uritools=Other(
            'u._replace(authority="user:pw@e.org:8443", path="/x/y").geturi()', "checks nothing"
        ),
        urllib=Other(
            'u._replace(netloc="user:pw@e.org:8443", path="/x/y").geturl()', "checks nothing"
        ),
        can_ada=Other('u.hostname = "e.org"; u.pathname = "/x/y"; u.href', IN_PLACE),
        ada_url=Other('u.hostname = "e.org"; u.pathname = "/x/y"; u.href', IN_PLACE),
    ),
    edit(
        "replace scheme and port",
        'replace(scheme="http", port=8080)',
        {"yarl": 0.8},
        url_py='str(u.with_scheme("http").with_port(8080))',
        yarl='str(u.with_scheme("http").with_port(8080))',
        httpx='str(u.copy_with(scheme="http", port=8080))',
        hyperlink='u.replace(scheme="http", port=8080).to_text(with_password=True)',
        furl='u.copy().set(scheme="http", port=8080).url',
        can_ada=Other('u.protocol = "http"; u.port = "8080"; u.href', IN_PLACE),
        ada_url=Other('u.protocol = "http"; u.port = "8080"; u.href', IN_PLACE),
    ),
    edit(
        "with_scheme",
        'with_scheme("http")',
        without_kernel=True,
        url_py='str(u.with_scheme("http"))',
        yarl='str(u.with_scheme("http"))',
        httpx='str(u.copy_with(scheme="http"))',
        rfc3986='u.copy_with(scheme="http").unsplit()',
        uritools=Other('u._replace(scheme="http").geturi()', "checks nothing"),
        urllib=Other('u._replace(scheme="http").geturl()', "checks nothing"),
        hyperlink='u.replace(scheme="http").to_text(with_password=True)',
        furl='u.copy().set(scheme="http").url',
        can_ada=Other('u.protocol = "http"; u.href', IN_PLACE),
        ada_url=Other('u.protocol = "http"; u.href', IN_PLACE),
    ),
    edit(
        "with_host",
        'with_host("example.com")',
        without_kernel=True,
        url_py='str(u.with_host("example.com"))',
        yarl='str(u.with_host("example.com"))',
        httpx='str(u.copy_with(host="example.com"))',
        hyperlink='u.replace(host="example.com").to_text(with_password=True)',
        furl='u.copy().set(host="example.com").url',
        can_ada=Other('u.hostname = "example.com"; u.href', IN_PLACE),
        ada_url=Other('u.hostname = "example.com"; u.href', IN_PLACE),
    ),
    edit(
        "with_port",
        "with_port(8080)",
        without_kernel=True,
        url_py="str(u.with_port(8080))",
        yarl="str(u.with_port(8080))",
        httpx="str(u.copy_with(port=8080))",
        hyperlink="u.replace(port=8080).to_text(with_password=True)",
        furl="u.copy().set(port=8080).url",
        can_ada=Other('u.port = "8080"; u.href', IN_PLACE),
        ada_url=Other('u.port = "8080"; u.href', IN_PLACE),
    ),
    edit(
        "with_authority",
        'with_authority("example.com:80")',
        rfc3986='u.copy_with(authority="example.com:80").unsplit()',
        uritools=Other('u._replace(authority="example.com:80").geturi()', "checks nothing"),
        urllib=Other('u._replace(netloc="example.com:80").geturl()', "checks nothing"),
        furl='u.copy().set(netloc="example.com:80").url',
    ),
    edit(
        "with_path",
        'with_path("/x/y")',
        without_kernel=True,
        url_py='str(u.with_path("/x/y"))',
        yarl='str(u.with_path("/x/y", keep_query=True, keep_fragment=True))',
        httpx='str(u.copy_with(path="/x/y"))',
        rfc3986='u.copy_with(path="/x/y").unsplit()',
        uritools=Other('u._replace(path="/x/y").geturi()', "checks nothing"),
        urllib=Other('u._replace(path="/x/y").geturl()', "checks nothing"),
        hyperlink='u.replace(path=("x", "y")).to_text(with_password=True)',
        furl='u.copy().set(path="/x/y").url',
        can_ada=Other('u.pathname = "/x/y"; u.href', IN_PLACE),
        ada_url=Other('u.pathname = "/x/y"; u.href', IN_PLACE),
    ),
    edit(
        "with_query",
        'with_query("x=1")',
        without_kernel=True,
        url_py='str(u.with_query("x=1"))',
        yarl='str(u.with_query("x=1"))',
        httpx='str(u.copy_with(query=b"x=1"))',
        rfc3986='u.copy_with(query="x=1").unsplit()',
        uritools=Other('u._replace(query="x=1").geturi()', "checks nothing"),
        urllib=Other('u._replace(query="x=1").geturl()', "checks nothing"),
        hyperlink='u.replace(query=(("x", "1"),)).to_text(with_password=True)',
        furl='u.copy().set(query="x=1").url',
        can_ada=Other('u.search = "x=1"; u.href', IN_PLACE),
        ada_url=Other('u.search = "x=1"; u.href', IN_PLACE),
    ),
    edit(
        "with_fragment",
        'with_fragment("x")',
        without_kernel=True,
        url_py='str(u.with_fragment("x"))',
        yarl='str(u.with_fragment("x"))',
        httpx='str(u.copy_with(fragment="x"))',
        rfc3986='u.copy_with(fragment="x").unsplit()',
        uritools=Other('u._replace(fragment="x").geturi()', "checks nothing"),
        urllib=Other('u._replace(fragment="x").geturl()', "checks nothing"),
        hyperlink='u.replace(fragment="x").to_text(with_password=True)',
        furl='u.copy().set(fragment="x").url',
        can_ada=Other('u.hash = "x"; u.href', IN_PLACE),
        ada_url=Other('u.hash = "x"; u.href', IN_PLACE),
    ),
    edit(
        "with_fragment(None)",
        "with_fragment(None)",
        url_py="str(u.with_fragment(None))",
        yarl="str(u.with_fragment(None))",
        httpx="str(u.copy_with(fragment=None))",
        rfc3986="u.copy_with(fragment=None).unsplit()",
        urllib="urldefrag(u.geturl()).url",
        uritools="uritools.uridefrag(u.geturi()).uri",
        hyperlink='u.replace(fragment="").to_text(with_password=True)',
        furl="u.copy().remove(fragment=True).url",
    ),
    edit(
        "with_userinfo",
        'with_userinfo("me:pass")',
        without_kernel=True,
        url_py='str(u.with_username("me").with_password("pass"))',
        yarl='str(u.with_user("me").with_password("pass"))',
        httpx='str(u.copy_with(userinfo=b"me:pass"))',
        hyperlink='u.replace(userinfo="me:pass").to_text(with_password=True)',
        furl='u.copy().set(username="me", password="pass").url',
        can_ada=Other('u.username = "me"; u.password = "pass"; u.href', IN_PLACE),
        ada_url=Other('u.username = "me"; u.password = "pass"; u.href', IN_PLACE),
    ),
    edit(
        "with_user",
        'with_user("me")',
        needs="with_user",
        url_py='str(u.with_username("me"))',
        yarl=Other('str(u.with_user("me"))', "keeps the password"),
        httpx='str(u.copy_with(username="me"))',
        furl='u.copy().set(username="me").url',
        can_ada=Other('u.username = "me"; u.href', IN_PLACE),
        ada_url=Other('u.username = "me"; u.href', IN_PLACE),
    ),
    edit(
        "with_password",
        'with_password("pass")',
        needs="with_password",
        url_py='str(u.with_password("pass"))',
        yarl='str(u.with_password("pass"))',
        httpx='str(u.copy_with(password="pass"))',
        furl='u.copy().set(password="pass").url',
        can_ada=Other('u.password = "pass"; u.href', IN_PLACE),
        ada_url=Other('u.password = "pass"; u.href', IN_PLACE),
    ),
    edit(
        "without_userinfo",
        "without_userinfo()",
        needs="without_userinfo",
        yarl="str(u.with_user(None))",
        httpx='str(u.copy_with(userinfo=b""))',
        furl="u.copy().remove(username=True, password=True).url",
        hyperlink='u.replace(userinfo="").to_text()',
    ),
)


def read(name: str, targets: Mapping[str, float], **peers: Way) -> tuple[Operation, ...]:
    return (
        Operation(
            name,
            f"u.{name}",
            {n.replace("_url", "-url").replace("_py", "-py"): way for n, way in peers.items()},
            targets,
            made={"baseline": f"Sliced(s, str(URI(s).{name}))"},
        ),
    )


NUMBER = 1.2
SLICE = {"baseline": 0.8}
READ = (
    *read(
        "scheme",
        SLICE,
        url_py="u.scheme",
        pydantic="u.scheme",
        yarl="u.scheme",
        httpx="u.scheme",
        urllib="u.scheme",
        uritools="u.scheme",
        rfc3986="u.scheme",
        hyperlink="u.scheme",
        furl="u.scheme",
        can_ada=Differs("u.protocol", "with a colon"),
        ada_url=Differs("u.protocol", "with a colon"),
        baseline="u.part",
    ),
    *read(
        "authority",
        SLICE,
        yarl="u.raw_authority",
        urllib="u.netloc",
        uritools="u.authority",
        rfc3986="u.authority",
        hyperlink="u.authority(with_password=True)",
        httpx=Differs("u.netloc", "bytes without userinfo"),
        furl="u.netloc",
        baseline="u.part",
    ),
    *read(
        "userinfo",
        SLICE,
        uritools="u.userinfo",
        rfc3986="u.userinfo",
        httpx=Differs("u.userinfo", "bytes"),
        hyperlink="u.userinfo",
        baseline="u.part",
    ),
    *read(
        "host",
        SLICE,
        can_ada="u.hostname",
        ada_url="u.hostname",
        url_py="u.host_str",
        pydantic="u.host",
        yarl="u.raw_host",
        httpx="u.host",
        urllib="u.hostname",
        uritools="u.host",
        rfc3986="u.host",
        hyperlink="u.host",
        furl="u.host",
        baseline="u.part",
    ),
    *read(
        "path",
        SLICE,
        can_ada="u.pathname",
        ada_url="u.pathname",
        url_py="u.path",
        pydantic="u.path",
        yarl="u.raw_path",
        httpx="u.path",
        urllib="u.path",
        uritools="u.path",
        rfc3986="u.path",
        furl="str(u.path)",
        baseline="u.part",
    ),
    *read(
        "query",
        SLICE,
        can_ada=Differs("u.search", "with a question mark"),
        ada_url=Differs("u.search", "with a question mark"),
        url_py="u.query",
        pydantic="u.query",
        yarl="u.raw_query_string",
        httpx=Differs("u.query", "bytes"),
        urllib="u.query",
        uritools="u.query",
        rfc3986="u.query",
        furl="str(u.query)",
        baseline="u.part",
    ),
    *read(
        "fragment",
        SLICE,
        can_ada=Differs("u.hash", "with a number sign"),
        ada_url=Differs("u.hash", "with a number sign"),
        url_py="u.fragment",
        pydantic="u.fragment",
        yarl="u.raw_fragment",
        httpx="u.fragment",
        urllib="u.fragment",
        uritools="u.fragment",
        rfc3986="u.fragment",
        hyperlink="u.fragment",
        furl="str(u.fragment)",
        baseline="u.part",
    ),
    *read(
        "port",
        {"pydantic": NUMBER, "url-py": NUMBER},
        can_ada=Differs("u.port", "a string"),
        ada_url=Differs("u.port", "a string"),
        url_py="u.port",
        pydantic="u.port",
        yarl="u.explicit_port",
        httpx="u.port",
        urllib="u.port",
        uritools="u.getport()",
        rfc3986=Differs("u.port", "a string"),
        hyperlink="u.port",
        furl="u.port",
    ),
    *read("port_text", {}, can_ada="u.port", ada_url="u.port", uritools="u.port", rfc3986="u.port"),
    *read(
        "effective_port", {}, pydantic="u.port", yarl="u.port", hyperlink="u.port", furl="u.port"
    ),
    *read(
        "hostname",
        {"pydantic": NUMBER, "url-py": NUMBER},
        can_ada="u.hostname",
        ada_url="u.hostname",
        url_py="u.host_str",
        pydantic="u.unicode_host()",
        yarl="u.host",
        httpx="u.host",
        urllib="u.hostname",
        uritools="str(u.gethost())",
        furl="u.host",
    ),
    *read(
        "username",
        {"pydantic": NUMBER, "url-py": NUMBER},
        can_ada="u.username",
        ada_url="u.username",
        url_py="u.username",
        pydantic="u.username",
        yarl="u.user",
        httpx="u.username",
        urllib="u.username",
        hyperlink="u.user",
        furl="u.username",
    ),
    *read(
        "password",
        {"pydantic": NUMBER, "url-py": NUMBER},
        can_ada="u.password",
        ada_url="u.password",
        url_py="u.password",
        pydantic="u.password",
        yarl="u.password",
        httpx="u.password",
        urllib="u.password",
        furl="u.password",
    ),
    *read(
        "origin",
        {"can_ada": 1.0},
        can_ada="u.origin",
        ada_url="u.origin",
        yarl="str(u.origin())",
        furl="u.origin",
    ),
    *read("host_kind", {}, ada_url=Differs("u.host_type", "a number")),
    *read(
        "is_absolute",
        {},
        yarl=Differs("u.absolute", "whether there is a host"),
        uritools=Differs("u.isabsuri()", "false with a fragment"),
    ),
    *read("has_port", {}, can_ada="u.has_port()"),
)
PATH_READ = {
    "yarl": 1.0,
}
SEGMENTS = (
    Operation(
        "segments[1]",
        "u.segments[1]",
        {
            "yarl": "u.parts[1]",
            "url-py": "u.path_segments[0]",
            "hyperlink": "u.path[0]",
            "furl": "u.path.segments[0]",
        },
        PATH_READ,
    ),
    Operation(
        "segments, all",
        "list(u.segments)[1:]",
        {
            "yarl": "list(u.parts[1:])",
            "url-py": "u.path_segments",
            "hyperlink": "list(u.path)",
            "furl": "u.path.segments",
        },
        PATH_READ,
    ),
    Operation(
        "raw_segments",
        "u.raw_segments[1:]",
        {"yarl": "u.raw_parts[1:]", "url-py": "u.path_segments"},
    ),
    Operation("name", "u.name", {"yarl": "u.name"}, PATH_READ, needs="name"),
    Operation("stem", "u.stem", {}, PATH_READ, needs="stem"),
    Operation("suffix", "u.suffix", {"yarl": "u.suffix"}, PATH_READ, needs="suffix"),
    Operation("suffixes", "u.suffixes", {"yarl": "u.suffixes"}, PATH_READ, needs="suffixes"),
    Operation("parent", "str(u.parent)", {"yarl": "str(u.parent)"}, PATH_READ, needs="parent"),
    Operation("parents", "list(u.parents)", {}, needs="parents"),
    edit(
        "with_name",
        'with_name("c d")',
        {"yarl": 1.0},
        "with_name",
        yarl='str(u.with_name("c d"))',
    ),
    edit("with_stem", 'with_stem("c d")', {}, "with_stem"),
    edit(
        "with_suffix",
        'with_suffix(".zip")',
        {"yarl": 1.0},
        "with_suffix",
        yarl='str(u.with_suffix(".zip"))',
    ),
    edit(
        "joinpath",
        'joinpath("c d", "e")',
        {},
        texts="bare",
        yarl='str(u.joinpath("c d", "e"))',
        hyperlink='u.child("c d", "e").to_uri().to_text()',
        furl='u.copy().add(path=["c d", "e"]).url',
    ),
    Operation(
        "/",
        'str(u / "c d")',
        {
            "yarl": 'str(u / "c d")',
            "hyperlink": 'u.child("c d").to_uri().to_text()',
            "furl": 'str(u / "c d")',
        },
        texts="bare",
    ),
    edit(
        "with_segments",
        'with_segments(["", "x y", "z"])',
        {},
        httpx='str(u.copy_with(path="/x y/z"))',
        yarl='str(u.with_path("/x y/z", keep_query=True, keep_fragment=True))',
        url_py='str(u.with_path("/x y/z"))',
        furl='u.copy().set(path=["", "x y", "z"]).url',
    ),
)

PAIRS = "[" + ", ".join(f'("{name}", "v {name}")' for name in NAMES) + "]"
TEN_PARAMS = "{" + ", ".join(f'"{name}": "v {name}"' for name in NAMES) + "}"
QUERIES = {
    "uriverse": "URI(s).params",
    "yarl": "yarl.URL(s).query",
    "httpx": "httpx.URL(s).params",
    "ada-url": "ada_url.URLSearchParams(s.partition('?')[2].partition('#')[0])",
    "can_ada": "can_ada.URLSearchParams(s.partition('?')[2].partition('#')[0])",
    "furl": "furl.furl(s).args",
    "urllib": "s.partition('?')[2].partition('#')[0]",
}
P = {"yarl": 0.8, "url-py": 1.0}
PARAMS = (
    edit(
        "with_params(dict)",
        'with_params({"x": "1", "y": "a b"})',
        P,
        without_kernel=True,
        yarl='str(u.with_query({"x": "1", "y": "a b"}))',
        url_py='str(u.without_query().with_pairs([("x", "1"), ("y", "a b")]))',
        httpx='str(u.copy_with(params={"x": "1", "y": "a b"}))',
        furl='u.copy().set({"x": "1", "y": "a b"}).url',
        urllib='u._replace(query=urlencode({"x": "1", "y": "a b"})).geturl()',
    ),
    edit(
        "with_param",
        'with_param("b", "5")',
        P,
        "with_param",
        yarl='str(u.update_query({"b": "5"}))',
        httpx='str(u.copy_set_param("b", "5"))',
        hyperlink='u.set("b", "5").to_text(with_password=True)',
    ),
    edit(
        "add_param",
        'add_param("d", "5")',
        P,
        "add_param",
        yarl='str(u.extend_query({"d": "5"}))',
        url_py='str(u.with_pair("d", "5"))',
        httpx='str(u.copy_add_param("d", "5"))',
        hyperlink='u.add("d", "5").to_text(with_password=True)',
        furl='u.copy().add({"d": "5"}).url',
    ),
    edit(
        "without_params",
        'without_params("b")',
        P,
        "without_params",
        yarl='str(u.without_query_params("b"))',
        url_py='str(u.without_pair("b"))',
        httpx='str(u.copy_remove_param("b"))',
        hyperlink='u.remove("b").to_text(with_password=True)',
        furl='u.copy().remove(["b"]).url',
    ),
    edit("filter_params", 'filter_params(keep="b")', {}, "filter_params"),
    edit(
        "update_params",
        'update_params({"b": "5", "d": "6"})',
        P,
        "update_params",
        yarl='str(u.update_query({"b": "5", "d": "6"}))',
        httpx='str(u.copy_merge_params({"b": "5", "d": "6"}))',
    ),
    edit(
        "with_params, ten pairs",
        f"with_params({PAIRS})",
        P,
        without_kernel=True,
        texts="bare",
        yarl=f"str(u.with_query({PAIRS}))",
        url_py=f"str(u.with_pairs({PAIRS}))",
        httpx=f"str(u.copy_with(params={PAIRS}))",
        urllib=f"u._replace(query=urlencode({PAIRS})).geturl()",
        furl=f"u.copy().set({TEN_PARAMS}).url",
    ),
    Operation(
        "params",
        "u.params",
        {
            "yarl": "u.query",
            "url-py": "u.query_pairs",
            "pydantic": "u.query_params()",
            "httpx": "u.params",
            "urllib": "parse_qsl(u.query)",
            "uritools": "u.getquerylist()",
            "hyperlink": "u.query",
            "furl": "u.args",
        },
        P,
    ),
    Operation(
        "params['b'], first read",
        'u.params["b"]',
        {
            "yarl": 'u.query["b"]',
            "url-py": 'dict(u.query_pairs)["b"]',
            "pydantic": 'dict(u.query_params())["b"]',
            "httpx": 'u.params["b"]',
            "urllib": 'dict(parse_qsl(u.query))["b"]',
            "uritools": 'u.getquerydict()["b"][0]',
            "hyperlink": 'u.get("b")[0]',
            "furl": 'u.args["b"]',
        },
        P,
    ),
    Operation(
        "params.items, first read",
        "list(u.params.items())",
        {
            "yarl": "list(u.query.items())",
            "url-py": "u.query_pairs",
            "pydantic": "u.query_params()",
            "httpx": "u.params.multi_items()",
            "urllib": "parse_qsl(u.query)",
            "uritools": "u.getquerylist()",
            "hyperlink": "list(u.query)",
            "furl": "list(u.args.allitems())",
        },
        P,
    ),
    Operation(
        "Params.get",
        'u.get("b")',
        {
            "yarl": 'u.get("b")',
            "httpx": 'u.get("b")',
            "furl": 'u.get("b")',
            "ada-url": 'u.get("b")',
            "can_ada": 'u.get("b")',
        },
        {"yarl": 0.8},
        made=QUERIES,
    ),
    Operation(
        "Params.items",
        "list(u.items())",
        {
            "yarl": "list(u.items())",
            "httpx": "u.multi_items()",
            "furl": "list(u.allitems())",
            "ada-url": "list(u.items())",
            "urllib": "parse_qsl(u)",
        },
        {"yarl": 0.8},
        made=QUERIES,
    ),
)

ALWAYS = 1.1
VALUE = (
    Operation(
        "str",
        "str(u)",
        same("str(u)", *ALL_URL, "furl")
        | {
            "urllib": "u.geturl()",
            "uritools": "u.geturi()",
            "rfc3986": "u.unsplit()",
            "hyperlink": "u.to_text(with_password=True)",
        },
        {"best": ALWAYS},
    ),
    Operation(
        "f-string",
        'f"{u}"',
        same('f"{u}"', "pydantic", "url-py", "yarl", "httpx"),
        {"best": ALWAYS},
    ),
    Operation(
        "repr",
        "repr(u)",
        {
            n: Differs("repr(u)", "another class")
            for n in VALUES
            if n not in {"uriverse", "can_ada", "ada-url"}
        },
        {"best": ALWAYS},
    ),
    Operation(
        "==",
        "u == a",
        same(
            "u == a",
            "url-py",
            "pydantic",
            "yarl",
            "httpx",
            "urllib",
            "uritools",
            "rfc3986",
            "hyperlink",
            "furl",
        ),
        {"best": ALWAYS},
    ),
    Operation(
        "<",
        "u < a",
        same("u < a", "pydantic", "yarl", "urllib", "uritools", "rfc3986"),
        {"best": ALWAYS},
    ),
    Operation(
        "hash",
        "hash(u)",
        {
            n: Differs("hash(u)", "another hash")
            for n in (
                "url-py",
                "pydantic",
                "yarl",
                "httpx",
                "urllib",
                "uritools",
                "rfc3986",
                "hyperlink",
            )
        },
        {"best": ALWAYS},
    ),
    Operation(
        "pickle.dumps",
        "pickle.dumps(u)",
        {
            n: Differs("pickle.dumps(u)", "another class")
            for n in (
                "pydantic",
                "yarl",
                "httpx",
                "urllib",
                "uritools",
                "rfc3986",
                "hyperlink",
                "furl",
            )
        },
        {"best": ALWAYS},
    ),
    Operation(
        "pickle.loads",
        "pickle.loads(u)",
        dict.fromkeys(
            ("pydantic", "yarl", "httpx", "urllib", "uritools", "rfc3986", "hyperlink", "furl"),
            "pickle.loads(u)",
        ),
        {"best": ALWAYS},
        made={n: pickled(n) for n in VALUES},
    ),
    Operation(
        "U(u)",
        "URI(u)",
        {
            "yarl": "yarl.URL(u)",
            "httpx": "httpx.URL(u)",
            "pydantic": "pydantic_core.Url(u)",
            "furl": "furl.furl(u)",
        },
        {"best": ALWAYS},
    ),
    Operation(
        "copy.copy",
        "copy.copy(u)",
        same(
            "copy.copy(u)",
            "url-py",
            "pydantic",
            "yarl",
            "httpx",
            "urllib",
            "uritools",
            "rfc3986",
            "hyperlink",
            "furl",
        ),
        {"best": ALWAYS},
    ),
    Operation(
        "display",
        "u.display()",
        {"yarl": Differs("u.human_repr()", "shows the password")},
        {"yarl": 1.0},
        texts="encoded",
    ),
    Operation(
        "equivalent", "u.equivalent(b)", {"rfc3986": "u.normalized_equality(b)"}, texts="untidy"
    ),
    Operation(
        "path_and_query",
        "u.path_and_query",
        {"yarl": "u.raw_path_qs", "httpx": Differs("u.raw_path", "bytes")},
        needs="path_and_query",
    ),
    Operation(
        "relative_form",
        "str(u.relative_form())",
        {"yarl": "str(u.relative())"},
        needs="relative_form",
    ),
)

IRIS = {"uriverse": "IRI(s)"} | dict.fromkeys(PEERS, "s")
BASE = "https://www.example.org/a/b/c/d?e"
CONVERT = (
    Operation(
        "to ASCII, same host",
        'str(u.to_uri(host="idna"))',
        {
            n: f"str({VALUES[n].replace('(s)', '(u)')})"
            for n in ("can_ada", "ada-url", "url-py", "pydantic", "yarl", "httpx")
        },
        {"yarl": 1.0},
        made=IRIS,
        texts="idn again",
    ),
    Operation(
        "to ASCII, distinct hosts",
        'str(u.to_uri(host="idna"))',
        {
            n: f"str({VALUES[n].replace('(s)', '(u)')})"
            for n in ("can_ada", "ada-url", "url-py", "pydantic", "yarl", "httpx")
        },
        {"url-py": 5.0},
        made=IRIS,
        texts="idn",
    ),
    Operation(
        "to_uri",
        "str(u.to_uri())",
        {
            n: f"str({VALUES[n].replace('(s)', '(u)')})"
            for n in ("can_ada", "ada-url", "url-py", "pydantic", "yarl", "httpx")
        },
        made=IRIS,
        texts="iri",
    ),
    Operation(
        "to_iri",
        "str(u.to_iri())",
        {"yarl": "u.human_repr()", "hyperlink": "u.to_iri().to_text()"},
        texts="encoded",
    ),
    Operation(
        "resolve",
        "str(base.resolve(u))",
        {
            "url-py": "str(base_url.join(u))",
            "yarl": "str(base_yarl.join(yarl.URL(u)))",
            "httpx": "str(base_httpx.join(u))",
            "urllib": f'urljoin("{BASE}", u)',
            "uritools": f'uritools.urijoin("{BASE}", u)',
            "rfc3986": "rfc3986.uri_reference(u).resolve_with(base_rfc3986).unsplit()",
            "hyperlink": "base_hyperlink.click(u).to_text()",
            "furl": "base_furl.copy().join(u).url",
            "ada-url": f'ada_url.join_url("{BASE}", u)',
        },
        {"url-py": 0.55},
        made=STRINGS,
        texts="reference",
        without_kernel=True,
    ),
    Operation(
        "relative_to",
        "str(u.relative_to(base))",
        {"url-py": "base_url.make_relative(u)"},
        {"url-py": 1.0},
        texts="target",
    ),
    Operation(
        "normalize",
        "str(u.normalize())",
        {
            "rfc3986": "u.normalize().unsplit()",
            "hyperlink": "u.normalize().to_text()",
            **{
                n: Other(f"str({VALUES[n].replace('(s)', '(u)')})", "parses")
                for n in ("can_ada", "ada-url", "url-py", "pydantic")
            },
        },
        made=STRINGS
        | {"uriverse": "URI(s)", "rfc3986": VALUES["rfc3986"], "hyperlink": VALUES["hyperlink"]},
        texts="untidy",
    ),
    Operation(
        "percent.encode",
        'percent.encode(u, "unreserved")',
        {
            "yarl": "quote_yarl(u)",
            "urllib": 'quote(u, safe="")',
            "uritools": "uritools.uriencode(u).decode()",
        },
        made=STRINGS,
        texts="data",
        without_kernel=True,
        targets={"yarl": 1.0, "uritools": 1.0},
    ),
)

OPERATIONS: Sequence[Operation] = (
    *PARSE,
    *BUILD,
    *EDIT,
    *READ,
    *SEGMENTS,
    *PARAMS,
    *VALUE,
    *CONVERT,
)
