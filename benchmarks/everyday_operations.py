"""The operations of identifiers that `everyday.py` measures, and how each library does them.

This module is long because it is a table: one entry for each operation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from everyday_libraries import BASE, OURS, PEERS, TEN_NAMES, VALUES, Operation, Variant

Code = str | Variant
Targets = Mapping[str, float]

#: The string itself as the value of each library.
STRINGS = dict.fromkeys((OURS, *PEERS), "s")
#: The same for all libraries except uriverse.
PEER_STRINGS = dict.fromkeys(PEERS, "s")
#: The code that parses the string `u`.
PARSES = {library: code.replace("(s)", "(u)") for library, code in VALUES.items()}
PARSING_PEERS: Mapping[str, Code] = {
    **{library: code for library, code in PARSES.items() if library != OURS},
    "pyoxigraph": Variant(PARSES["pyoxigraph"], "in angle brackets"),
}

#: The work of a peer whose errors say what is wrong, but not where.
NO_POSITION = "the message has no position and no hint"
#: The work of a peer that splits or decodes while it parses, and only returns what it has.
STORED = "was stored while parsing"

FASTEST: Targets = {"best": 1.0}
SIMILAR: Targets = {"best": 1.1}
OF_YARL: Targets = {"yarl": 0.8}
OF_PARTS: Targets = {"yarl": 1.0}
OF_PARAMS: Targets = {"yarl": 0.8, "url-py": 1.0}
OF_DATA: Targets = {"pydantic": 1.2, "url-py": 1.2}
OF_SLICE: Targets = {"baseline": 0.8}


def named(code: Mapping[str, Code]) -> dict[str, Code]:
    """Return code by the names of libraries, given their names as keyword arguments."""
    names = {"url_py": "url-py", "ada_url": "ada-url"}
    return {names.get(name, name): variant for name, variant in code.items()}


def same(code: str, *libraries: str) -> dict[str, Code]:
    return dict.fromkeys(libraries, code)


def another(code: str, result: str, *libraries: str) -> dict[str, Code]:
    """Return code that does the same in several libraries, with results of different classes."""
    return dict.fromkeys(libraries, Variant(code, result=result))


def assigned(*assignments: str) -> dict[str, Code]:
    """Return the code of the two libraries whose values can only be changed in place."""
    code = "; ".join((*(f"u.{assignment}" for assignment in assignments), "u.href"))
    return different_work(code, "changes the value in place", "can_ada", "ada-url")


def different_work(code: str, work: str, *libraries: str) -> dict[str, Code]:
    return dict.fromkeys(libraries, Variant(code, work=work))


def unchecked(code: str) -> Variant:
    """Return code that does not validate the component."""
    return Variant(code, work="validates nothing")


def stored(code: str, *libraries: str, result: str = "") -> dict[str, Code]:
    """Return code that reads an object of the value, which was created while parsing."""
    return dict.fromkeys(libraries, Variant(code, result, STORED))


def edit(
    name: str, ours: str, targets: Targets = FASTEST, /, *extra: Mapping[str, Code], **peers: Code
) -> Operation:
    """Return an operation that changes a value. The result is converted to a string."""
    code = named(peers)
    for more in extra:
        code |= more
    return Operation(name, f"str(u.{ours})", code, targets)


def parsing() -> Iterator[Operation]:
    yield Operation("an empty loop", "u")
    yield Operation("parse", PARSES[OURS], PARSING_PEERS, made=STRINGS)
    yield Operation("try_parse", "URI.try_parse(u)", made=STRINGS)
    yield Operation(
        "is_uri",
        "uriverse.is_uri(u)",
        {
            "can_ada": "can_ada.can_parse(u)",
            "ada-url": "ada_url.check_url(u)",
            "rfc3986": "validator.validate(rfc3986.uri_reference(u)); True",
        },
        made=STRINGS,
    )
    yield Operation(
        "split",
        "split(u)",
        {
            library: Variant(PARSES[library], "another class")
            for library in ("urllib", "uritools", "rfc3986")
        },
        made=STRINGS,
    )
    yield Operation(
        "compose",
        "compose(*u)",
        {
            "urllib": "urlunsplit(u)",
            "uritools": "uritools.uriunsplit(u)",
            "rfc3986": "u.unsplit()",
        },
        made={OURS: "split(s)"},
    )
    without_position = {
        library: code if library == "httpx" else Variant(code, work=NO_POSITION)
        for library, code in PARSES.items()
        if library != OURS
    }
    for family in ("bad host", "bad port", "bad path"):
        raising = Operation(
            f"raise: {family}", PARSES[OURS], PARSING_PEERS, FASTEST, STRINGS, family, caught="pass"
        )
        yield raising
        yield replace(
            raising,
            name=f"raise, str: {family}",
            peers=without_position,
            targets={"pydantic": 5.0, "best": 1.0},
            caught="str(error)",
        )
    hrefs = {library: f"{PARSES[library]}.href" for library in ("can_ada", "ada-url")}
    for name, family in (("nothing to do", "short"), ("a space and brackets", "to repair")):
        result = "" if family == "short" else "the brackets stay"
        yield Operation(
            f"repair, {name}",
            "str(repair(u))",
            {library: Variant(code, result, "lists no changes") for library, code in hrefs.items()},
            made=STRINGS,
            family=family,
        )


def six_parts(three: str) -> Iterator[Operation]:
    """Yield two operations that build a value of six parts, of which `three` are given."""
    user = Operation(
        "build, six parts",
        f'str(URI.build({three}, username="user", port=8443, query="q=1"))',
        {
            "yarl": f'str(yarl.URL.build({three}, user="user", port=8443, query_string="q=1"))',
            "pydantic": 'str(pydantic_core.Url.build(scheme="https", host="www.example.org", '
            'path=u[1:], username="user", port=8443, query="q=1"))',
            "uritools": f'uritools.uricompose({three}, userinfo="user", port=8443, query="q=1")',
            "furl": f'furl.furl({three}, username="user", port=8443, query="q=1").url',
            "httpx": f'str(httpx.URL({three}, username="user", port=8443, query=b"q=1"))',
            "urllib": unchecked('urlunsplit(("https", "user@www.example.org:8443", u, "q=1", ""))'),
            "baseline": 'str(URI(f"https://user@www.example.org:8443{u}?q=1"))',
        },
        {"yarl": 0.8, "baseline": 2.5},
        STRINGS,
        "path",
        pure=True,
    )
    yield user
    ours = f'str(URI.build({three}, userinfo="user:pw", port=8443, query="q=1"))'
    peers: dict[str, Code] = {
        "yarl": f'str(yarl.URL.build({three}, user="user", password="pw", port=8443, '
        'query_string="q=1"))',
        "uritools": f'uritools.uricompose({three}, userinfo="user:pw", port=8443, query="q=1")',
        "baseline": 'str(URI(f"https://user:pw@www.example.org:8443{u}?q=1"))',
    }
    name = "build, six parts with a password"
    yield replace(user, name=name, ours=ours, peers=peers, pure=False)


def building() -> Iterator[Operation]:
    three = 'scheme="https", host="www.example.org", path=u'
    params = '{"q": "a b", "n": 1}'
    yield from six_parts(three)
    yield Operation(
        "build, three parts",
        f"str(URI.build({three}))",
        {
            "yarl": f"str(yarl.URL.build({three}))",
            "pydantic": 'str(pydantic_core.Url.build(scheme="https", host="www.example.org", '
            "path=u[1:]))",
            "uritools": f"uritools.uricompose({three})",
            "furl": f"furl.furl({three}).url",
            "httpx": f"str(httpx.URL({three}))",
            "urllib": unchecked('urlunsplit(("https", "www.example.org", u, "", ""))'),
            "baseline": 'str(URI(f"https://www.example.org{u}"))',
        },
        {"yarl": 0.8, "baseline": 2.5},
        STRINGS,
        "path",
        pure=True,
    )
    yield Operation(
        "build, params",
        f"str(URI.build({three}, params={params}))",
        {
            "yarl": f"str(yarl.URL.build({three}, query={params}))",
            "uritools": Variant(
                f'uritools.uricompose({three}, query={{"q": "a b", "n": "1"}})', "writes %20 for +"
            ),
            "furl": f"furl.furl({three}, args={params}).url",
            "httpx": f"str(httpx.URL({three}, params={params}))",
            "baseline": f'str(URI(f"https://www.example.org{{u}}?" + urlencode({params})))',
        },
        OF_YARL,
        STRINGS,
        "path",
        pure=True,
    )


def replacing() -> Iterator[Operation]:
    yield edit(
        "replace, host and path",
        'replace(host="e.org", path="/x/y")',
        OF_YARL,
        assigned('hostname = "e.org"', 'pathname = "/x/y"'),
        url_py='str(u.with_host("e.org").with_path("/x/y"))',
        yarl='str(u.with_host("e.org").with_path("/x/y", keep_query=True, keep_fragment=True))',
        httpx='str(u.copy_with(host="e.org", path="/x/y"))',
        urllib=unchecked('u._replace(netloc="user:pw@e.org:8443", path="/x/y").geturl()'),
        uritools=unchecked('u._replace(authority="user:pw@e.org:8443", path="/x/y").geturi()'),
        rfc3986=unchecked('u.copy_with(authority="user:pw@e.org:8443", path="/x/y").unsplit()'),
        hyperlink='u.replace(host="e.org", path=("x", "y")).to_text(with_password=True)',
        furl='u.copy().set(host="e.org", path="/x/y").url',
    )
    yield edit(
        "replace, scheme and port",
        'replace(scheme="http", port=8080)',
        OF_YARL,
        assigned('protocol = "http"', 'port = "8080"'),
        same('str(u.with_scheme("http").with_port(8080))', "url-py", "yarl"),
        httpx='str(u.copy_with(scheme="http", port=8080))',
        hyperlink='u.replace(scheme="http", port=8080).to_text(with_password=True)',
        furl='u.copy().set(scheme="http", port=8080).url',
    )
    yield edit(
        "three edits",
        'with_scheme("http").with_host("e.org").with_fragment("x")',
        FASTEST,
        assigned('protocol = "http"', 'hostname = "e.org"', 'hash = "x"'),
        same('str(u.with_scheme("http").with_host("e.org").with_fragment("x"))', "url-py", "yarl"),
        httpx='str(u.copy_with(scheme="http", host="e.org", fragment="x"))',
        hyperlink='u.replace(scheme="http", host="e.org", fragment="x")'
        ".to_text(with_password=True)",
        furl='u.copy().set(scheme="http", host="e.org", fragment="x").url',
    )


def with_components() -> Iterator[Operation]:
    """Yield the methods `with_*` of components."""
    yield edit(
        "with_scheme",
        'with_scheme("http")',
        FASTEST,
        assigned('protocol = "http"'),
        url_py='str(u.with_scheme("http"))',
        yarl=unchecked('str(u.with_scheme("http"))'),
        httpx='str(u.copy_with(scheme="http"))',
        urllib=unchecked('u._replace(scheme="http").geturl()'),
        uritools=unchecked('u._replace(scheme="http").geturi()'),
        rfc3986=unchecked('u.copy_with(scheme="http").unsplit()'),
        hyperlink='u.replace(scheme="http").to_text(with_password=True)',
        furl='u.copy().set(scheme="http").url',
    )
    yield edit(
        "with_authority",
        'with_authority("e.org:80")',
        urllib=unchecked('u._replace(netloc="e.org:80").geturl()'),
        uritools=unchecked('u._replace(authority="e.org:80").geturi()'),
        rfc3986=unchecked('u.copy_with(authority="e.org:80").unsplit()'),
        furl='u.copy().set(netloc="e.org:80").url',
    )
    yield edit(
        "with_userinfo",
        'with_userinfo("me:pass")',
        FASTEST,
        assigned('username = "me"', 'password = "pass"'),
        url_py='str(u.with_username("me").with_password("pass"))',
        yarl='str(u.with_user("me").with_password("pass"))',
        httpx='str(u.copy_with(userinfo=b"me:pass"))',
        hyperlink='u.replace(userinfo="me:pass").to_text(with_password=True)',
        furl='u.copy().set(username="me", password="pass").url',
    )
    yield replace(
        edit(
            "with_username",
            'with_username("me")',
            FASTEST,
            assigned('username = "me"'),
            url_py='str(u.with_username("me"))',
            yarl='str(u.with_user("me"))',
            httpx='str(u.copy_with(username="me", password="pw"))',
            furl='u.copy().set(username="me").url',
        ),
        needs="with_username",
    )
    yield replace(
        edit(
            "with_password",
            'with_password("pass")',
            FASTEST,
            assigned('password = "pass"'),
            same('str(u.with_password("pass"))', "url-py", "yarl"),
            httpx='str(u.copy_with(username="user", password="pass"))',
            furl='u.copy().set(password="pass").url',
        ),
        needs="with_password",
    )
    yield replace(
        edit(
            "without_userinfo",
            "without_userinfo()",
            yarl="str(u.with_user(None))",
            httpx='str(u.copy_with(userinfo=b""))',
            hyperlink='u.replace(userinfo="").to_text(with_password=True)',
            furl="u.copy().remove(username=True, password=True).url",
        ),
        needs="without_userinfo",
    )
    yield edit(
        "with_host",
        'with_host("e.org")',
        FASTEST,
        assigned('hostname = "e.org"'),
        same('str(u.with_host("e.org"))', "url-py", "yarl"),
        httpx='str(u.copy_with(host="e.org"))',
        hyperlink='u.replace(host="e.org").to_text(with_password=True)',
        furl='u.copy().set(host="e.org").url',
    )
    yield edit(
        "with_port",
        "with_port(8080)",
        FASTEST,
        assigned('port = "8080"'),
        same("str(u.with_port(8080))", "url-py", "yarl"),
        httpx="str(u.copy_with(port=8080))",
        hyperlink="u.replace(port=8080).to_text(with_password=True)",
        furl="u.copy().set(port=8080).url",
    )
    yield edit(
        "with_path",
        'with_path("/x/y")',
        FASTEST,
        assigned('pathname = "/x/y"'),
        url_py='str(u.with_path("/x/y"))',
        yarl='str(u.with_path("/x/y", keep_query=True, keep_fragment=True))',
        httpx='str(u.copy_with(path="/x/y"))',
        urllib=unchecked('u._replace(path="/x/y").geturl()'),
        uritools=unchecked('u._replace(path="/x/y").geturi()'),
        rfc3986=unchecked('u.copy_with(path="/x/y").unsplit()'),
        hyperlink='u.replace(path=("x", "y")).to_text(with_password=True)',
        furl='u.copy().set(path="/x/y").url',
    )
    yield edit(
        "with_query",
        'with_query("x=1")',
        FASTEST,
        assigned('search = "x=1"'),
        same('str(u.with_query("x=1"))', "url-py", "yarl"),
        httpx='str(u.copy_with(query=b"x=1"))',
        urllib=unchecked('u._replace(query="x=1").geturl()'),
        uritools=unchecked('u._replace(query="x=1").geturi()'),
        rfc3986=unchecked('u.copy_with(query="x=1").unsplit()'),
        hyperlink='u.replace(query=(("x", "1"),)).to_text(with_password=True)',
        furl='u.copy().set(query="x=1").url',
    )
    yield edit(
        "with_query(None)",
        "with_query(None)",
        FASTEST,
        assigned('search = ""'),
        same("str(u.with_query(None))", "url-py", "yarl"),
        httpx="str(u.copy_with(query=None))",
        urllib=unchecked('u._replace(query="").geturl()'),
        uritools=unchecked("u._replace(query=None).geturi()"),
        rfc3986=unchecked("u.copy_with(query=None).unsplit()"),
        hyperlink="u.replace(query=()).to_text(with_password=True)",
        furl="u.copy().remove(query=True).url",
    )
    yield edit(
        "with_fragment",
        'with_fragment("x")',
        FASTEST,
        assigned('hash = "x"'),
        same('str(u.with_fragment("x"))', "url-py", "yarl"),
        httpx='str(u.copy_with(fragment="x"))',
        urllib=unchecked('u._replace(fragment="x").geturl()'),
        uritools=unchecked('u._replace(fragment="x").geturi()'),
        rfc3986=unchecked('u.copy_with(fragment="x").unsplit()'),
        hyperlink='u.replace(fragment="x").to_text(with_password=True)',
        furl='u.copy().set(fragment="x").url',
    )
    yield replace(edit("without_query", "without_query()"), needs="without_query")
    yield replace(edit("without_fragment", "without_fragment()"), needs="without_fragment")
    yield edit(
        "with_fragment(None)",
        "with_fragment(None)",
        FASTEST,
        assigned('hash = ""'),
        same("str(u.with_fragment(None))", "url-py", "yarl"),
        httpx="str(u.copy_with(fragment=None))",
        urllib=unchecked('u._replace(fragment="").geturl()'),
        uritools=unchecked("u._replace(fragment=None).geturi()"),
        rfc3986=unchecked("u.copy_with(fragment=None).unsplit()"),
        hyperlink='u.replace(fragment="").to_text(with_password=True)',
        furl="u.copy().remove(fragment=True).url",
    )


def read(name: str, targets: Targets | None = None, **peers: Code) -> Operation:
    """Return an operation that reads an attribute of a new value for the first time."""
    made = {"baseline": f"Sliced(s, str(URI(s).{name}))"}
    return Operation(name, f"u.{name}", named(peers), targets or {}, made)


def reading() -> Iterator[Operation]:
    yield read(
        "scheme",
        OF_SLICE,
        can_ada=Variant("u.protocol", "with its colon"),
        ada_url=Variant("u.protocol", "with its colon"),
        **same("u.scheme", "url_py", "pydantic"),
        **stored("u.scheme", "yarl", "httpx", "urllib", "uritools", "rfc3986", "hyperlink", "furl"),
        baseline="u.part",
    )
    yield read(
        "authority",
        OF_SLICE,
        **stored("u.raw_authority", "yarl"),
        httpx=Variant("u.netloc", "bytes, without the userinfo"),
        **stored("u.netloc", "urllib"),
        **stored("u.authority", "uritools", "rfc3986"),
        hyperlink="u.authority(with_password=True)",
        furl="u.netloc",
        baseline="u.part",
    )
    yield read(
        "userinfo",
        OF_SLICE,
        httpx=Variant("u.userinfo", "bytes"),
        **same("u.userinfo", "uritools", "rfc3986"),
        **stored("u.userinfo", "hyperlink"),
        baseline="u.part",
    )
    yield read(
        "host",
        OF_SLICE,
        **same("u.hostname", "can_ada", "ada_url", "urllib"),
        url_py="u.host_str",
        **stored("u.raw_host", "yarl"),
        **same("u.host", "pydantic", "uritools", "rfc3986"),
        **stored("u.host", "httpx", "hyperlink", "furl"),
        baseline="u.part",
    )
    yield Operation(
        "host, from a tuple",
        "u.host",
        {"baseline": "u.part"},
        made={"baseline": "Stored(URI(s).host)"},
    )
    yield read(
        "path",
        OF_SLICE,
        **same("u.pathname", "can_ada", "ada_url"),
        **same("u.path", "url_py", "pydantic"),
        **stored("u.path", "httpx", "urllib", "uritools", "rfc3986"),
        **stored("u.raw_path", "yarl"),
        furl="str(u.path)",
        baseline="u.part",
    )
    yield read(
        "query",
        OF_SLICE,
        can_ada=Variant("u.search", "with its question mark"),
        ada_url=Variant("u.search", "with its question mark"),
        **stored("u.raw_query_string", "yarl"),
        httpx=Variant("u.query", "bytes"),
        **same("u.query", "url_py", "pydantic"),
        **stored("u.query", "urllib", "uritools", "rfc3986"),
        furl="str(u.query)",
        baseline="u.part",
    )
    yield read(
        "fragment",
        OF_SLICE,
        can_ada=Variant("u.hash", "with its number sign"),
        ada_url=Variant("u.hash", "with its number sign"),
        **stored("u.raw_fragment", "yarl"),
        **same("u.fragment", "url_py", "pydantic"),
        **stored("u.fragment", "httpx", "urllib", "uritools", "rfc3986", "hyperlink"),
        furl="str(u.fragment)",
        baseline="u.part",
    )
    yield read(
        "port",
        OF_DATA,
        **same("u.port", "url_py", "pydantic", "urllib"),
        **stored("u.port", "httpx", "hyperlink", "furl"),
        **another("u.port", "a string", "can_ada", "ada_url", "rfc3986"),
        **stored("u.explicit_port", "yarl"),
        uritools="u.getport()",
    )
    yield read("port_text", {}, **same("u.port", "can_ada", "ada_url", "uritools", "rfc3986"))
    yield read(
        "effective_port",
        FASTEST,
        pydantic="u.port",
        **stored("u.port", "yarl", "hyperlink", "furl"),
    )
    yield read("has_port", can_ada="u.has_port()")
    yield read("is_default_port")
    yield read(
        "hostname",
        OF_DATA,
        **same("u.hostname", "can_ada", "ada_url", "urllib"),
        url_py="u.host_str",
        **same("u.host", "pydantic", "yarl"),
        **stored("u.host", "httpx", "hyperlink", "furl"),
        uritools="u.gethost()",
    )
    yield read(
        "username",
        OF_DATA,
        **same("u.username", "can_ada", "ada_url", "url_py", "pydantic", "httpx"),
        urllib="u.username",
        hyperlink="u.user",
        **stored("u.username", "furl"),
        **stored("u.user", "yarl"),
    )
    yield read(
        "password",
        OF_DATA,
        **same("u.password", "can_ada", "ada_url", "url_py", "pydantic", "httpx", "urllib"),
        **stored("u.password", "yarl", "furl"),
    )
    yield read(
        "origin",
        {"can_ada": 1.0},
        **same("u.origin", "can_ada", "ada_url", "furl"),
        yarl="str(u.origin())",
    )
    yield read("host_kind", ada_url=Variant("u.host_type", "a number"))
    yield read("ip")
    yield read("is_absolute", uritools=Variant("u.isabsuri()", "false if there is a fragment"))
    yield read("is_relative")
    yield read("is_normalized")
    yield read("is_nfc")
    yield read("bidi_findings")
    yield read("comparison_key")
    yield replace(
        read("path_and_query", yarl="u.raw_path_qs", httpx=Variant("u.raw_path", "bytes")),
        needs="path_and_query",
    )


#: The work of a peer that cannot tell a slash in a segment from one between segments.
WHOLE_PATH = "encodes no slash of a segment"


def paths() -> Iterator[Operation]:
    yield Operation(
        "segments[1]",
        "u.segments[1]",
        {
            "url-py": "u.path_segments_decoded[0]",
            "yarl": "u.parts[1]",
            **stored("u.path[0]", "hyperlink"),
            **stored("u.path.segments[0]", "furl"),
        },
        FASTEST,
    )
    yield Operation(
        "segments, all",
        "list(u.segments)[1:]",
        {
            "url-py": "u.path_segments_decoded",
            "yarl": "u.parts[1:]",
            **stored("u.path", "hyperlink"),
            **stored("u.path.segments", "furl"),
        },
        FASTEST,
    )
    yield Operation(
        "raw_segments",
        "u.raw_segments[1:]",
        {"url-py": "u.path_segments", "yarl": "u.raw_parts[1:]"},
        FASTEST,
    )
    for name in ("name", "suffix", "suffixes"):
        yield replace(read(name, OF_PARTS, yarl=f"u.{name}"), needs=name)
    yield replace(read("stem"), needs="stem")
    yield Operation("parent", "str(u.parent)", {"yarl": "str(u.parent)"}, OF_PARTS, needs="parent")
    yield Operation("parents", "list(u.parents)", needs="parents")
    yield replace(
        edit("with_name", 'with_name("c d")', OF_PARTS, yarl='str(u.with_name("c d"))'),
        needs="with_name",
    )
    yield replace(
        edit("with_suffix", 'with_suffix(".z")', OF_PARTS, yarl='str(u.with_suffix(".z"))'),
        needs="with_suffix",
    )
    yield replace(edit("with_stem", 'with_stem("c d")', {}), needs="with_stem")
    yield replace(
        edit(
            "joinpath",
            'joinpath("c d", "e")',
            {},
            yarl='str(u.joinpath("c d", "e"))',
            hyperlink='u.child("c d", "e").to_uri().to_text()',
            furl='u.copy().add(path=["c d", "e"]).url',
        ),
        family="short",
    )
    yield Operation(
        "/",
        'str(u / "c d")',
        {
            "yarl": 'str(u / "c d")',
            "hyperlink": 'u.child("c d").to_uri().to_text()',
            "furl": 'str(u / "c d")',
        },
        family="short",
    )
    yield edit(
        "with_segments",
        'with_segments(["", "x y", "z"])',
        FASTEST,
        assigned('pathname = "/x y/z"'),
        url_py=Variant('str(u.with_path("/x y/z"))', work=WHOLE_PATH),
        yarl=Variant(
            'str(u.with_path("/x y/z", keep_query=True, keep_fragment=True))', work=WHOLE_PATH
        ),
        httpx=Variant('str(u.copy_with(path="/x y/z"))', work=WHOLE_PATH),
        furl='u.copy().set(path=["", "x y", "z"]).url',
    )


#: Ten parameters whose values have a space, as pairs and as a dictionary.
TEN = {name: f"v {name}" for name in TEN_NAMES}
PAIRS = list(TEN.items())
QUERY = "s.partition('?')[2].partition('#')[0]"
#: The code that creates an object with the parameters of the URI `s`. uriverse decodes them when
#: they are first read, so they are read once, because most peers decode them now.
PARAMS = {
    OURS: "[read := URI(s).params, list(read.items())][0]",
    "can_ada": f"can_ada.URLSearchParams({QUERY})",
    "ada-url": f"ada_url.URLSearchParams({QUERY})",
    "yarl": "yarl.URL(s).query",
    "httpx": "httpx.URL(s).params",
    "urllib": QUERY,
    "furl": "furl.furl(s).args",
}


def edits_of_params(
    name: str, ours: str, of_params: str = "", /, *, two_steps: Mapping[str, Code], **peers: Code
) -> Iterator[Operation]:
    """Yield the rows of an edit of parameters: with a method of the URI, and in two steps."""
    changed = of_params or ours
    method = changed.partition("(")[0]
    code = f"with_params(u.params.{changed})"
    yield edit(f"with_params(params.{method})", code, OF_PARAMS, two_steps)
    yield replace(edit(name, ours, OF_PARAMS, **peers), needs=name)


def params() -> Iterator[Operation]:
    yield replace(
        edit(
            "with_params",
            'with_params({"x": "1", "y": "a b"})',
            OF_PARAMS,
            url_py='str(u.without_query().with_pairs([("x", "1"), ("y", "a b")]))',
            yarl='str(u.with_query({"x": "1", "y": "a b"}))',
            httpx='str(u.copy_with(params={"x": "1", "y": "a b"}))',
            urllib='u._replace(query=urlencode({"x": "1", "y": "a b"})).geturl()',
            furl='u.copy().set({"x": "1", "y": "a b"}).url',
        ),
        pure=True,
    )
    yield replace(
        edit(
            "with_params, ten pairs",
            f"with_params({PAIRS})",
            OF_PARAMS,
            url_py=f"str(u.with_pairs({PAIRS}))",
            yarl=f"str(u.with_query({PAIRS}))",
            httpx=f"str(u.copy_with(params={PAIRS}))",
            urllib=f"u._replace(query=urlencode({PAIRS})).geturl()",
            furl=f"u.copy().set({TEN}).url",
        ),
        family="short",
        pure=True,
    )
    # Each edit has two rows: the method of the URI, and a new object with the parameters.
    yield from edits_of_params(
        "with_param",
        'with_param("b", "5")',
        two_steps={
            "url-py": "p = dict(u.query_pairs); p['b'] = '5'; "
            "str(u.without_query().with_pairs(p.items()))",
            "yarl": 'p = u.query.copy(); p["b"] = "5"; str(u.with_query(p))',
            "httpx": 'str(u.copy_with(params=u.params.set("b", "5")))',
        },
        yarl='str(u.update_query({"b": "5"}))',
        httpx='str(u.copy_set_param("b", "5"))',
        hyperlink='u.set("b", "5").to_text(with_password=True)',
    )
    yield from edits_of_params(
        "add_param",
        'add_param("d", "5")',
        two_steps={
            "url-py": 'str(u.without_query().with_pairs([*u.query_pairs, ("d", "5")]))',
            "yarl": 'p = u.query.copy(); p.add("d", "5"); str(u.with_query(p))',
            "httpx": 'str(u.copy_with(params=u.params.add("d", "5")))',
        },
        yarl='str(u.extend_query({"d": "5"}))',
        url_py='str(u.with_pair("d", "5"))',
        furl='u.copy().add({"d": "5"}).url',
        httpx='str(u.copy_add_param("d", "5"))',
        hyperlink='u.add("d", "5").to_text(with_password=True)',
    )
    yield from edits_of_params(
        "without_params",
        'without_params("b")',
        'without("b")',
        two_steps={
            "url-py": "str(u.without_query().with_pairs("
            '[pair for pair in u.query_pairs if pair[0] != "b"]))',
            "yarl": 'p = u.query.copy(); del p["b"]; str(u.with_query(p))',
            "httpx": 'str(u.copy_with(params=u.params.remove("b")))',
        },
        url_py='str(u.without_pair("b"))',
        yarl='str(u.without_query_params("b"))',
        httpx='str(u.copy_remove_param("b"))',
        hyperlink='u.remove("b").to_text(with_password=True)',
        furl='u.copy().remove(["b"]).url',
    )
    yield replace(
        edit(
            "update_params",
            'update_params({"b": "5", "d": "6"})',
            OF_PARAMS,
            yarl='str(u.update_query({"b": "5", "d": "6"}))',
            httpx='str(u.copy_merge_params({"b": "5", "d": "6"}))',
        ),
        needs="update_params",
    )
    yield replace(edit("filter_params", 'filter_params(keep="b")', {}), needs="filter_params")
    yield Operation(
        'params["b"], first read',
        'u.params["b"]',
        {
            "url-py": 'dict(u.query_pairs)["b"]',
            "pydantic": 'dict(u.query_params())["b"]',
            "yarl": 'u.query["b"]',
            "httpx": 'u.params["b"]',
            "urllib": 'dict(parse_qsl(u.query))["b"]',
            "uritools": 'u.getquerydict()["b"][0]',
            "hyperlink": Variant('u.get("b")[0]', work="does not decode"),
            "furl": 'u.args["b"]',
        },
        OF_PARAMS,
    )
    yield Operation(
        "params.items, first read",
        "list(u.params.items())",
        {
            "url-py": "u.query_pairs",
            "pydantic": "u.query_params()",
            "yarl": "list(u.query.items())",
            "httpx": "u.params.multi_items()",
            "urllib": "parse_qsl(u.query)",
            "uritools": "u.getquerylist()",
            **stored("u.query", "hyperlink"),
            "furl": "list(u.args.allitems())",
        },
        OF_PARAMS,
    )
    yield Operation(
        "Params.get",
        'u.get("b")',
        same('u.get("b")', "can_ada", "ada-url", "yarl", "httpx", "furl"),
        OF_YARL,
        PARAMS,
    )
    yield Operation(
        "Params.getall",
        'u.getall("b")',
        {
            "can_ada": 'u.get_all("b")',
            "ada-url": 'u.get_all("b")',
            "yarl": 'u.getall("b")',
            "httpx": 'u.get_list("b")',
            "furl": 'u.getlist("b")',
        },
        OF_YARL,
        PARAMS,
    )
    yield Operation(
        "Params.items",
        "list(u.items())",
        {
            "ada-url": "list(u.items())",
            "yarl": "list(u.items())",
            "httpx": "u.multi_items()",
            "urllib": "parse_qsl(u)",
            "furl": "list(u.allitems())",
        },
        OF_YARL,
        PARAMS,
    )
    yield Operation(
        "Params.items, ten pairs",
        "list(u.items())",
        {
            "ada-url": "list(u.items())",
            "yarl": "list(u.items())",
            "httpx": "u.multi_items()",
            "urllib": "parse_qsl(u)",
            "furl": "list(u.allitems())",
        },
        OF_YARL,
        PARAMS,
        "ten parameters",
    )


#: The libraries whose values Python can hash, and those whose values `pickle` accepts.
HASHED = ("url-py", "pydantic", "yarl", "httpx", "urllib", "uritools", "rfc3986", "hyperlink")
PICKLED = (*HASHED[1:], "furl")


def values() -> Iterator[Operation]:
    """Yield the operations of Python values."""
    yield Operation(
        "str",
        "str(u)",
        {
            **same("str(u)", "can_ada", "ada-url", "url-py", "pydantic", "yarl", "httpx", "furl"),
            "urllib": "u.geturl()",
            "uritools": "u.geturi()",
            "rfc3986": "u.unsplit()",
            "hyperlink": "u.to_text(with_password=True)",
        },
        SIMILAR,
    )
    yield Operation(
        "f-string", 'f"{u}"', same('f"{u}"', "url-py", "pydantic", "yarl", "httpx"), SIMILAR
    )
    shown = another("repr(u)", "another class", *HASHED, "furl")
    yield Operation("repr", "repr(u)", shown, SIMILAR, family="short")
    yield Operation(
        "repr, with a password",
        "repr(u)",
        {
            **{name: Variant("repr(u)", "another class", "shows the password") for name in shown},
            **another("repr(u)", "another class", "httpx", "hyperlink"),
        },
        SIMILAR,
    )
    compared = same("u == other", *HASHED, "furl")
    yield Operation("==", "u == other", compared, SIMILAR)
    # The constructor of yarl would return the same object for the same string.
    distinct = {"yarl": "yarl._url.encode_url.__wrapped__(s)"}
    yield Operation("==, equal", "u == other", compared, SIMILAR, distinct, "the same")
    yield Operation(
        "<",
        "u < other",
        same("u < other", "pydantic", "yarl", "urllib", "uritools", "rfc3986"),
        SIMILAR,
    )
    yield Operation("hash", "hash(u)", another("hash(u)", "another hash", *HASHED), SIMILAR)
    yield Operation(
        "pickle.dumps",
        "pickle.dumps(u)",
        another("pickle.dumps(u)", "another class", *PICKLED),
        SIMILAR,
    )
    yield Operation(
        "pickle.loads",
        "pickle.loads(u)",
        same("pickle.loads(u)", *PICKLED),
        SIMILAR,
        {library: f"pickle.dumps({VALUES[library]})" for library in (OURS, *PICKLED)},
    )
    yield Operation("copy.copy", "copy.copy(u)", same("copy.copy(u)", *PICKLED), SIMILAR)
    yield Operation(
        "URI(uri)",
        "URI(u)",
        {library: PARSES[library] for library in ("pydantic", "yarl", "httpx", "furl")},
        SIMILAR,
    )
    yield Operation(
        "equivalent",
        "u.equivalent(other)",
        {"rfc3986": "u.normalized_equality(other)"},
        family="untidy",
    )
    yield Operation("is_same_origin", "u.is_same_origin(other)", needs="is_same_origin")
    yield Operation("is_same_document", "u.is_same_document(other)", needs="is_same_document")
    yield Operation("is_relative_to", "u.is_relative_to(other)", needs="is_relative_to")


def conversions() -> Iterator[Operation]:
    whatwg = ("can_ada", "ada-url", "url-py", "pydantic")
    parsed: dict[str, Code] = {
        library: f"str({PARSES[library]})" for library in (*whatwg, "yarl", "httpx")
    }
    iris = PEER_STRINGS | {OURS: "IRI(s)"}
    to_ascii = 'str(u.to_uri(host="idna"))'
    yield Operation(
        "to ASCII, the same host",
        to_ascii,
        parsed,
        {"yarl": 1.0},
        iris,
        "the same international host",
    )
    yield Operation(
        "to ASCII, different hosts", to_ascii, parsed, {"url-py": 5.0}, iris, "international host"
    )
    yield Operation("to_uri", "str(u.to_uri())", parsed, {}, iris, "international path")
    yield Operation(
        "to_iri",
        "str(u.to_iri())",
        {"yarl": "u.human_repr()", "hyperlink": "u.to_iri().to_text()"},
        family="encoded",
    )
    yield Operation(
        "display", "u.display()", {"yarl": "u.human_repr()"}, {"yarl": 1.0}, family="encoded"
    )
    yield Operation("redacted", "str(u.redacted())", {})
    yield Operation(
        "resolve",
        "str(base.resolve(u))",
        {
            "ada-url": f'ada_url.join_url("{BASE}", u)',
            "url-py": "str(base.join(u))",
            "yarl": "str(base.join(yarl.URL(u)))",
            "httpx": "str(base.join(u))",
            "urllib": f'urljoin("{BASE}", u)',
            "uritools": f'uritools.urijoin("{BASE}", u)',
            "rfc3986": "rfc3986.uri_reference(u).resolve_with(base).unsplit()",
            "hyperlink": "base.click(u).to_text()",
            "furl": "base.copy().join(u).url",
        },
        {"url-py": 0.45},
        STRINGS,
        "reference",
        pure=True,
    )
    yield Operation(
        "relative_to",
        "str(u.relative_to(base))",
        {"url-py": "base.make_relative(u)"},
        {"url-py": 1.0},
        family="below the base",
    )
    yield Operation(
        "sorted_params",
        "str(u.sorted_params())",
        {},
        needs="sorted_params",
    )
    yield Operation(
        "then",
        'str(u.then("../c?d"))',
        {},  # yarl joins "../a/b" and "../c?d" to "c?d", which is wrong for most bases
    )
    yield Operation(
        "relative_form",
        "str(u.relative_form())",
        {"yarl": "str(u.relative())"},
        needs="relative_form",
    )
    normalized = {library: Variant(f"str({PARSES[library]})", work="parses") for library in whatwg}
    yield Operation(
        "normalize",
        "str(u.normalize())",
        {
            **normalized,
            "rfc3986": "u.normalize().unsplit()",
            "hyperlink": "u.normalize().to_text()",
        },
        made=dict.fromkeys(whatwg, "s"),
        family="untidy",
    )
    yield Operation("normalization_changes", "u.normalization_changes()", family="untidy")
    yield Operation("nfc", "str(u.nfc())")
    yield Operation(
        "percent.encode",
        'percent.encode(u, "unreserved")',
        {
            "yarl": "quote_yarl(u)",
            "urllib": 'quote(u, safe="")',
            "uritools": "uritools.uriencode(u).decode()",
        },
        {"yarl": 1.0},
        STRINGS,
        "data",
        pure=True,
    )


def unfinished(operation: Operation) -> Operation:
    """Return an operation without the conversion of its result, which some peers do later."""
    peers = {
        library: code[4:-1]
        for library, code in operation.peers.items()
        if isinstance(code, str) and code.startswith("str(")
    }
    name = f"{operation.name}, no str"
    return replace(operation, name=name, ours=operation.ours[4:-1], peers=peers, targets={})


def in_python(operation: Operation) -> Operation:
    """Return an operation with the targets of the reference implementation."""
    targets = {
        library: 1.0
        for library in ("yarl", "uritools")
        if library in operation.peers and not operation.variant(library).work
    }
    return replace(operation, targets=targets)


EDITS = (*replacing(), *with_components())

OPERATIONS: Sequence[Operation] = (
    *parsing(),
    *building(),
    *EDITS,
    *map(unfinished, EDITS),
    *reading(),
    *paths(),
    *params(),
    *values(),
    *conversions(),
)

#: The operations of the reference implementation.
PURE_OPERATIONS: Sequence[Operation] = tuple(
    in_python(operation) for operation in OPERATIONS if operation.pure or operation in EDITS
)
