"""Messages follow one pattern: short, in plain words, without a period at the end.

A reason or a message says what is wrong. A hint or a suggestion is an instruction. The tests check
the codes of `check`, and the messages of a corpus of errors. Every string in the source that is
part of a reason or a hint must occur in the corpus.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import httpx
import pytest

import uriverse
from uriverse import (
    HTTPURI,
    IRI,
    URI,
    URN,
    DataURI,
    FileURI,
    MailtoURI,
    Params,
    Policy,
    Rule,
    Segments,
    TelURI,
    URIError,
    URIReference,
    dial,
    oauth,
    parse,
    percent,
    repair,
)
from uriverse._spec import GRAMMARS, build, messages
from uriverse._spec.components import AllParts
from uriverse._spec.syntax import LONGEST_TEXT
from uriverse.diagnosis import CODES, why_invalid
from uriverse.diagnosis._checking import list_findings
from uriverse.dial._connecting import verify_peer
from uriverse.dial._gate import Gate, reject_unix_socket
from uriverse.dial._httpx_transports import enforce_request
from uriverse.http import (
    AbsoluteForm,
    ForwardedElement,
    HostField,
    Link,
    Node,
    OriginForm,
    decode_ext_value,
    effective_uri,
    encode_ext_value,
    from_wsgi,
    parse_forwarded,
    parse_links,
    parse_origin,
    redirect_target,
    request_target,
)
from uriverse.integrations import exact
from uriverse.integrations.constraints import Constraints
from uriverse.rdf import PrefixMap
from uriverse.templates import Router, Template
from uriverse_links import _css, _json, _rdf, _xml, links

#: A policy that allows every URI without an ambiguity.
ANYWHERE = Policy(schemes=None, scopes=None)

#: A plan for a connection.
PLAN = dial.lookup(Policy(), "http://9.9.9.9/")

#: Policies with a finding of every kind.
REVIEWED = (
    Policy(allow=["x://a.b/", "*.com", "https://*.c.d:*/", "https://x.c.d/", "0.0.0.0/0"]),
    Policy(allow=["*.co.uk", "*.kobe.jp", "https://a.b/*"]),
    Policy(deny=["*.c.d", "https://c.d/"]),
    Policy(allow=[f"https://a.b/**/*.p{number}" for number in range(6)]),
)

#: Results of a resolver without an allowed address.
PRIVATE = ([ip_address("10.0.0.1")], [ip_address("10.0.0.1"), ip_address("::1")])

SOURCE = Path(uriverse.__file__).parent
VERDICTS = Path(__file__).parents[1] / "conformance" / "data" / "verdicts.txt"

#: The longest reason, hint, message or suggestion, in characters.
LONGEST = 100

#: Parts of the package with messages of their own.
ELSEWHERE = {"_cli", "columns", "grammar"}

#: Wording that strangers stumble over, and what to write instead.
FORBIDDEN = {
    r"\bcan't\b|n't\b": '"cannot", or "is not allowed"',
    r"\bstands?\b": '"is" or "occurs"',
    r"\b(is|are) (no|none)\b(?! longer)": '"is not"',
    r"^it\b|: it\b": "the name of the component",
    r"\bleave\b.*\bout\b|^leave it\b": '"remove"',
    r"\btexts?\b(?!/)": '"string"',
    r"\bbehind\b": '"after"',
    r"\bto (some|others)\b|\bfor (some|others)\b": "the programs",
    r"\bwho(ever)?\b": "the program",
    r"\bgive\b": '"pass" or "write"',
    r"\bholds?\b": '"contains"',
    r"\bdemands?\b": '"requires"',
    r";.*;": "two sentences, or a comma",
    r"(?<!\.\.)[.!]$": "no period at the end",
    r"\?$": "an instruction",
    r"^\s|\s$|  ": "single spaces",
}

#: Words that may begin a message with a capital letter.
CAPITALIZED = re.compile(
    r"RFC |IDNA |IPv[46]|IPvFuture|IANA|Unicode |UTS |U\+|URN?I?s? |URIs |IRI|NID |NSS |Windows "
    r"|UNC |POSIX |[A-Z]\w+URI\b"
)


#: Strings that `Rule` rejects.
WRONG_RULES = (
    *("a:80", "a/b", "*", "a*", "a.*.b", "10.0.0.1/8", "127.1", "a b", "https://a b/", "//a/"),
    *("https://u@a/", "https://a/#b", "https:///b", "https://*/", "https://127.1/"),
    *("https://a:080/", "https://a/**/b", "https://a/../b", "https://a?b=*", "a?b", "://a"),
    *("http:a://b", "fe80::%1/10"),
)

#: Strings that `URI` rejects.
INVALID_URIS = (
    *("//example.org/", "example.org", ":a", "1a:b", "a_b:c", "a b:c", "ht tp://a/", "a_b:80/c"),
    *(" http://a/", "\ufeffhttp://a/", "a_b:80", "http://a/ b", "http://a/b\n", "http://a/\\b"),
    *("http://a\\b", 'http://a/"', "http://a/\t", "http://a/\r/", "http://a/\0", "http://a/^"),
    *("http://a/\u00e9", "http://a/#b#c", "http://a@b@c/", "http://a/%zz", "http://a/%4"),
    *("http://a/% ", "http://a%zz/", "http://u:p%zz@h/", "http://u:p^w@h/", "http://u:p/w@h/"),
    *("http://[::1", "http://[::1]x", "http://[fe80::1%25eth0]/", "http://[1::2::3]/"),
    *("http://[1:2]/", "http://[v1]/", "http://[1.2.3.4]/", "http://[::g]/", "http://[v1.\u00e9]/"),
    *("http://::1/", "http://a:8o/", "http://a b/", "http://\u00e9/", "http://{a}/", "a://b\ud800"),
)

#: Data for builders that reject it.
BUILDS: tuple[dict[str, Any], ...] = (
    {"host": "a:80"},
    {"host": "a/b"},
    {"host": "a\\b"},
    {"host": "a b"},
    {"scheme": "http:"},
    {"scheme": "1a"},
    {"scheme": ""},
    {"scheme": None},
    {"port": "8o"},
    {"port": 10**700},
    {"segments": ["a b"]},
    {"segments": [".."]},
    {"segments": [""]},
    {"path": "a b"},
    {"host": None, "path": "//a"},
    {"host": None, "segments": ["", "", "a"]},
    {"host": None, "port": 80},
    {"host": None, "userinfo": "a"},
)


class NotATime(datetime):
    """A missing time, as `pandas.NaT`: it does not equal itself."""

    __hash__ = datetime.__hash__

    def __eq__(self, other: object) -> bool:
        return False


DATA_URLS = (
    *("data:text/plain", "data:text,a", "data:base64,YQ==", "data:text/plain;a,b", "data:/plain,a"),
    *("data:;base64;a=b,YQ==", "data:;a=b(c,d", "data:;a=,b", "data:;a=%22b,c"),
    *("data:te:xt/plain,a", "data:%FF/plain,a", "data:text/plain%3Ba,b", "data:text/,a"),
)
MAILTO_URIS = (
    *("mailto://a@b", "mailto:a;b@c", "mailto:a", "mailto:@b", "mailto:a@b..c", "mailto:a%40b"),
    *("mailto:%FF@b", "mailto:a@b?c/d=e", "mailto:a@b?c", "mailto:a:b@c", "mailto:a@b%20c"),
    "mailto:a@b@c",
)
TEL_URIS = (
    *("tel:", "tel:+", "tel:1", "tel:+1;a_b", "tel:+1;ext", "tel:+1;ext=a", "tel:+1;isub="),
    *("tel:+1;a=,", "tel:+1;phone-context=-", "tel:+1;a;A", "tel:+1?a", "tel:1#a", "tel://1"),
)
URNS = (
    *("urn:ab", "urn:-a:b", f"urn:{'a' * 33}:b", "urn:a_b:c", "urn:a:b", "urn:ab:", "urn:ab:c?d"),
    *("urn:ab:c?+", "urn:ab:c?="),
)
TEL_PARAMETERS = ({"a": ""}, {"ext": None}, {"a": "b", "A": "c"})
WINDOWS_PATHS = (
    *("a", "c:\\\ud800", "c:\\a:b", "c:\\\0", r"\\a\..", r"\\.\a\b", r"\\localhost\a"),
    r"\\a:b\c",
)
#: File URIs that are not Windows paths.
NOT_ON_WINDOWS = (
    *("file:///a", "file:///c:", "file:///c%7C/a", "file://a/", "file://./a/b"),
    *("file:///c:/a%5Cb", "file:///c:/a:b", "file:///c:/%FF"),
)
FILE_URIS = ("file://a@b/c", "file://a:1/c", "file:///a?b", "file:a", "file:////")

#: Request targets that no method but CONNECT or OPTIONS allows, and invalid ones.
TARGETS = (
    *("*", "a:80", "a", "", "/a#b", "/a b", "/\u00c3", "http://a/#b", "http://u@a/", "http:///"),
    *("http:a", ":a"),
)
AUTHORITIES = ("", ":80", "a", "a:", "a:70000", "a/", "a b:80")

#: Requests whose target URI is not known.
REQUESTS: tuple[dict[str, Any], ...] = (
    {"host": "a", "scheme": "ftp"},
    {"host": ("a", "b"), "scheme": "http"},
    {"scheme": "http"},
    {"host": "", "scheme": "http"},
    {"host": "a", "scheme": "http", "authority": "b"},
)
CONNECT = {"REQUEST_METHOD": "CONNECT", "wsgi.url_scheme": "https"}
LINK_FIELDS = (
    *("a", "<a", "<a b>", "<a>b", "<a>;", "<a>;b=", '<a>;b="', '<a>;b="\n"'),
    *("<a>;b/", "<a>;b=\u00e9"),
)
EXT_VALUES = ("a", "a''b", "UTF-8'-'a", "UTF-8''a b", "UTF-8''%FF")

#: A host with a label that is too long, after one that is not ASCII.
LONG_LABEL = f"\u00e9.{'a' * 64}"

#: Host names that `display` does not show in Unicode.
MISLEADING_HOSTS = (
    *("xn--80ak6aa92e.com", "p\u0430ypal.com", "goo\u0292le.com", "l\u0131nkedin.com"),
    *("com\u30ceorg.jp", "xn--4dbcd:80", "1.xn--4db", "\uff45xample.com"),
)


#: Strings that `Template` rejects.
TEMPLATES = (
    *(
        "a b",
        "a^",
        "a}",
        "a{",
        "%zz",
        "\ud800",
        "{}",
        "{.}",
        "{=a}",
        "{a b}",
        "{a-b}",
        "{a.}",
        "{a:0}",
    ),
    *("{a:1*}", "a" * 9000, "{a}" * 300),
)

#: Values that a template cannot be expanded with.
EXPANSIONS: tuple[tuple[str, object], ...] = (
    *(("{a:1}", ["b"]), ("{a}", "\ud800"), ("{a}", float("inf")), ("{a}", 10**700)),
    *(("{a}://b", "1"), ("{choice}", "z"), ("//{+a}", "[")),
)
UNSAFE = ("", "a/b", "..", "\0")

NOT_ASCII = ("\u2603", "\u00e9..a", "\u00e9" * 64, "\u00e9." * 130, "\u00e9\uff0fb", "\u00e9%25")


def why(case: tuple[str, str]) -> None:
    error = why_invalid(*case)
    assert error is not None
    raise error


#: An OpenAPI document.
OPENAPI: dict[str, Any] = {"openapi": "3.1.0", "paths": {"/": {}}}

#: Paths of OpenAPI documents that routers reject.
OPENAPI_PATHS: tuple[dict[str, Any], ...] = (
    {"/a": {"$ref": "a"}},
    {"/a": {"$ref": "#/paths/~1a"}},
    {"/a": {"$ref": "#/b"}},
    {"/{a}": {"parameters": [{"name": "a", "in": "path", "style": "form"}]}},
)


def too_long(_: None) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "LONGEST_TEXT", 5)
        parts = AllParts("http", None, "a", None, "/b", None, None)
        raise build.error_for(parts, "URI", None, 0, segments=False)


def build_uri(parts: dict[str, Any]) -> URI:
    given: dict[str, Any] = {"scheme": "http", "host": "a", **parts}
    return URI.build(**given)


def longest(text: str) -> None:
    raise messages.parse_error(text, "URI", "text", LONGEST_TEXT)


def expand(text: str, value: object) -> None:
    types = {"choice": ("a", "b")} if "choice" in text else {}
    Template(text, types=types).expand(a=value, choice=value)


def verdicts() -> Iterator[tuple[str, str]]:
    """Yield the invalid strings of the conformance data, with the rule that each violates."""
    for line in VERDICTS.read_text("utf-8").splitlines():
        verdict, _, case = line.partition(" ")
        rule, _, text = case.partition(" ")
        if verdict == "invalid" and rule in GRAMMARS.values():
            yield json.loads(text), rule


#: Functions of one argument, and arguments for which they raise a `URIError`.
CASES: tuple[tuple[Callable[[Any], object], Iterable[Any]], ...] = (
    (why, (*verdicts(), ("http://a/#b", "absolute-URI"))),
    (longest, ("",)),
    (too_long, (None,)),
    (URI, INVALID_URIS),
    (parse, (":a", "?\ud800", "/\ue000")),
    (build_uri, BUILDS),
    (lambda path: URIReference.build(path=path), ("b:c",)),
    (lambda segment: URI("http://a/") / segment, ("..",)),
    (lambda digits: URI(f"http://a:{digits}/").port, ("1" * 700,)),
    (lambda text: IRI(text).nfc(), ("http://a/\u037e",)),
    (lambda host: IRI(f"http://{host}/").to_uri(host="idna"), (*NOT_ASCII, LONG_LABEL)),
    (URIReference("a").resolve, ("b",)),
    (URI("a:").resolve, ("é",)),
    (URI("http://a/../b").relative_to, ("c", "http://a/c")),
    (lambda base: URI("http://a/b").relative_to(base, walk_up=False), ("http://a/c/d",)),
    (percent.decode, ("%zz", "%FF", "\ud800")),
    (lambda data: percent.encode(data, "path"), ("\ud800", "\udcc3\udca9")),
    # --- typed URIs, segments and parameters
    (DataURI, (*DATA_URLS, "http://a")),
    (
        lambda data: DataURI(data).data,
        ("data:;base64,YQ", "data:;base64,YR==", "data:;base64,Y-Q=", "data:;base64,!"),
    ),
    (lambda data: DataURI(data).text(), ("data:;charset=x,a", "data:;charset=utf-8,%FF")),
    (lambda media_type: DataURI.from_parts(b"", media_type), ("./a", "text", "a b/c", "a/b;c")),
    (lambda given: DataURI.from_parts(b"", parameters=given), ({"a": "\n"}, {"a": "", "A": ""})),
    (lambda name: DataURI.from_parts("\u00e9", parameters={"charset": name}), ("ascii", "x")),
    (FileURI, FILE_URIS),
    (FileURI.from_posix, ("a", "//a", "/\0", "/\ud800")),
    (FileURI.from_windows, WINDOWS_PATHS),
    (lambda uri: FileURI(uri).to_posix(), ("file://a/b", "file:c:/a", "file:///a%2Fb")),
    (lambda uri: FileURI(uri).to_windows(), NOT_ON_WINDOWS),
    (HTTPURI, ("http:a", "http:///a", "ftp://a")),
    (HTTPURI("http://a/b").request_target, ("asterisk",)),
    (MailtoURI, MAILTO_URIS),
    (lambda uri: MailtoURI(uri).headers, ("mailto:?a=%FF",)),
    (lambda address: MailtoURI.from_parts([address]), ("a", "a@b#c", '"\x85"@b')),
    (lambda subject: MailtoURI.from_parts(subject=subject), ("\n", "\0")),
    (lambda name: MailtoURI.from_parts(["a@b"], headers={name: "c@d"}), ("a b", "To")),
    (Params().updated, ({"": None}, {"a": 10**700}, {"a": float("inf")}, {"a": NotATime(1, 1, 1)})),
    (Segments("/").with_suffix, (".a",)),
    (Segments("/a.b").with_stem, ("",)),
    (Segments("/").with_suffix, (".b",)),
    (Segments("/a").with_suffix, ("b",)),
    (Segments("/..a").with_suffix, ("",)),
    (lambda segment: Segments("a/b").with_segment(0, segment), ("",)),
    (TelURI, TEL_URIS),
    (TelURI.from_parts, ("1",)),
    (lambda given: TelURI.from_parts("+1", parameters=given), TEL_PARAMETERS),
    (URN, URNS),
    (lambda nid: URN.from_parts(nid, "a"), ("a",)),
    (lambda nss: URN.from_parts("ab", nss), ("c d", "")),
    (lambda name: getattr(URN(f"urn:{name}:x"), name), ("uuid", "oid", "isbn")),
    (lambda digits: URN(f"urn:oid:{digits}").oid, ("1" * 700,)),
    (URN.from_oid, ((), (-1,))),
    (URN.from_isbn, ("1",)),
    # --- policies
    (Policy().enforce, (f"http://a/{'b' * 65_536}",)),
    (Policy().enforce, ("ftp://a/", "http://u@a/", "/a", "http://127.0.0.1/", "http://[v1.a]/")),
    (Rule, WRONG_RULES),
    (Policy(allow={"a"}).enforce, ("http://b/",)),
    (
        Policy(allow=["https://a:81/b?c", "https://a", "http://a/*/d", "https://a:81/x"]).enforce,
        ("ftp://a/", "http://a:82/", "https://a:81/b?d", "http://a/e", "https://a:82/"),
    ),
    (
        Policy(allow=["https://a/b"], schemes=None).enforce,
        ("ws://a/", "https://a:8/", "https://a/"),
    ),
    (Policy(ports={80}, unambiguous=False).enforce, ("http://a:81/", "http://a:70000/")),
    (Policy(unambiguous=False).enforce, ("http://a_-b!/",)),
    (Policy(schemes=None, deny=["http://a/b"]).enforce, ("urn:a:b", "http://a/%25%32eb")),
    # --- templates
    (Template, TEMPLATES),
    (lambda case: expand(*case), EXPANSIONS),
    (lambda value: Template("/{a}", safe=True).expand(a=value), UNSAFE),
    (lambda value: Template("/{+a}", safe=True).expand(a=value), ("%FF", "a?", "//")),
    (lambda value: Template("//h{+a}", safe=True).expand(a=value), ("x",)),
    (lambda value: Template("/{a}/b", safe=True).expand(a=value), (None,)),
    (lambda text: Template(text).partial(a=1), ("{a,b}",)),
    (Template("{a}{b}").match, ("xyz",)),
    (Template("/{a}{b}").match, ("/" + "%2F" * 300,)),
    (lambda other: Router({"a": "/{b}", "c": other}), ("/{d}",)),
    # --- HTTP
    (lambda method: request_target(method, "/"), ("", "a b")),
    (lambda text: request_target("GET", text), TARGETS),
    (lambda text: request_target("CONNECT", text), AUTHORITIES),
    (OriginForm, ("a",)),
    (AbsoluteForm, ("a",)),
    (HostField, ("a/", "u@a", "a b", "\u00c3")),
    (lambda given: effective_uri(OriginForm("/"), **given), REQUESTS),
    (lambda text: effective_uri(AbsoluteForm(text), "a", scheme="http"), ("urn:a:b",)),
    (
        lambda text: effective_uri(AbsoluteForm(text), scheme="http", http_version="2"),
        ("http://a/",),
    ),
    (lambda text: from_wsgi({**CONNECT, "RAW_URI": text}, host="b"), ("a:443",)),
    (from_wsgi, ({"REQUEST_METHOD": "GET", "wsgi.url_scheme": "http", "PATH_INFO": "\u0101"},)),
    (Node, ("a", "_a:")),
    (parse_forwarded, ("for", "for=", "for=_a;for=_a", "for=_a b", 'for="', 'a="\n"', "proto=1")),
    (lambda proto: ForwardedElement(proto=proto), ("1",)),
    # --- templates
    (lambda paths: Router.from_openapi({**OPENAPI, "paths": paths}), OPENAPI_PATHS),
    (lambda server: Router.from_openapi({**OPENAPI, "servers": [{"url": server}]}), ("a",)),
    (Router.from_mcp, (["a:{b}", "a:{c}"],)),
    (parse_links, LINK_FIELDS),
    (lambda param: Link("", (param,)), (("A", "b"), ("a", "\n"))),
    (decode_ext_value, EXT_VALUES),
    (lambda given: encode_ext_value(*given), (("a", "-"), ("\ud800", ""))),
    (parse_origin, ("", "a", "http:", "http://a/", "http://u@a", "http://a  http://b")),
    (lambda location: redirect_target("http://a", location), ("a b", b"\xe9")),
    (Policy(deny={"a", "9.9.9.9"}).enforce, ("http://a/", "http://9.9.9.9/")),
    (Policy.public_web().enforce, ("http://a/", "http://a_b.c/")),
    (Policy.for_redirects("http://a/").enforce, ("//b/",)),
    # --- OAuth
    (lambda uri: oauth.redirect_uri_matches(uri, "http://a/"), ("http://a/#", "a")),
    (oauth.issuer_metadata_uris, ("https://a/#b", "https://a/?b", "http://a/")),
    # --- connections
    (lambda uri: dial.lookup(ANYWHERE, uri), ("urn:a:b", "x://a/")),
    (lambda given: dial.lookup(Policy(), "http://a/", resolver=lambda _: given), PRIVATE),
    (lambda peer: verify_peer(PLAN, PLAN.addresses[0], peer), (("127.0.0.1", 80),)),
    (lambda uri: exact(uri, httpx.URL), ("HTTP://a/", "http://1.2.3.400/")),
    (lambda uri: Constraints(max_length=5).enforce(URI(uri)), ("http://a/",)),
    (lambda uri: Constraints(schemes={"http", "https"}).enforce(parse(uri)), ("a:b", "a")),
    (lambda uri: Constraints(host_required=True).enforce(URI(uri)), ("a:b",)),
    (Gate(Policy()).enforce_proxy, ("http://a/",)),
    (Gate(Policy(), URI("http://a/")).enforce_proxy, (None,)),
    (lambda _: reject_unix_socket(), (None,)),
    (
        lambda method: enforce_request(
            httpx, Gate(Policy()), httpx.Request(method, "http://a.example/")
        ),
        ("CONNECT",),
    ),
    (
        lambda uri: httpx.Client(mounts={"all://b": dial.httpx_transport(Policy())}).get(uri),
        ("http://a.example/",),
    ),
    # --- RDF
    (PrefixMap().expand, ("a", "a:b", "a://b", "_:b")),
    (PrefixMap.from_turtle, ("@prefix a", "@prefix a: <a:>", "@base a", "@version 1", "BASE <a>")),
    (PrefixMap.from_turtle, (r"BASE <a:\n>",)),
    (lambda prefix: PrefixMap({prefix: "a:b"}), ("_", "a b")),
    # --- documents
    (lambda text: list(_json.find(text)), ('["a', "[a]")),
    (lambda text: list(_rdf.find(text)), ("<a", "'a", "@base a")),
    (lambda text: list(_xml.find(text)), ("<a>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>")),
    (lambda text: links(text, "html"), (f"<base href='{'a/' * 5000}'>",)),
    (_css.PLACES["css-double"], ("", "a\n")),
    # --- repairs
    (
        repair,
        ("file:///c|/a", "http://a\\b/", "a\nb", "http:/a b", "http://\u2603/", "\ud800", ":a"),
    ),
)


def provoked() -> Iterator[tuple[str, str]]:
    """Yield the reason and the hint of each error, and the message and suggestion of findings."""
    for function, arguments in CASES:
        for argument in arguments:
            with pytest.raises(URIError) as caught:
                function(argument)
            yield caught.value.reason, caught.value.hint
    for uri in ("a:b", "http://a/", "http://u@a/", "https://a/*", "https://a/\u00e9"):
        decision = oauth.check_redirect_uri_registration(uri)
        yield decision.reason, decision.hint
    for policy in REVIEWED:
        for finding in policy.review():
            yield finding.message, finding.hint
    examples = (code.example for code in CODES.values())
    hosts = (f"http://{host}/" for host in MISLEADING_HOSTS)
    odd = ("http://1.2.3.4.5/", "http://a:0/", "http://a:x/", "file://C:/x")
    for text in (*examples, *INVALID_URIS, *URNS, "urn:urn-a:b", *TEL_URIS, *hosts, *odd):
        for problem in list_findings(text, "strict"):
            yield problem.message, problem.suggestion or ""


@pytest.fixture(scope="module")
def corpus() -> set[str]:
    """All reasons, hints, messages and suggestions that the tests provoke."""
    known = (part or "" for code in CODES.values() for part in (code.message, code.suggestion))
    return {part for pair in provoked() for part in pair} | set(known)


def test_messages_are_short_and_plain(corpus: set[str]) -> None:
    assert [text for text in corpus if list(faults(text))] == []


def test_codes_have_short_and_plain_messages() -> None:
    for code in CODES.values():
        for text in (code.message, code.suggestion or "remove it"):
            assert list(faults(text)) == [], code.name
            assert ";" not in text, code.name


def faults(text: str) -> Iterator[str]:
    """Yield what is wrong with a message."""
    for pattern, advice in FORBIDDEN.items():
        if text and re.search(pattern, text):
            yield f"{text}: write {advice}"
    # A label of a domain name may be long, and `idna` words the reason.
    if len(text) > LONGEST and not text.startswith("invalid label"):
        yield f"{text}: {len(text)} characters"
    if text[:1].isupper() and not CAPITALIZED.match(text):
        yield f"{text}: begins with a capital letter"


def test_the_pattern_is_guarded() -> None:
    for text in ("a space can't stand there", "it is no IRI", "Do it.", "a" * 101, "leave it out"):
        assert list(faults(text))
    assert not list(faults('invalid character "^" in host'))


#: The names of variables and parameters whose values are parts of messages.
HOLDERS = {"reason", "hint", "message", "suggestion"}


@cache
def parse_module(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def templates() -> Iterator[tuple[str, str]]:
    """Yield the parts of messages in the source, each with its place, as regular expressions."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] in ELSEWHERE:
            continue
        for node in ast.walk(parse_module(path)):
            for literal in parts_of_messages(node):
                pattern = "".join(
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*"
                    for part in (
                        literal.values if isinstance(literal, ast.JoinedStr) else [literal]
                    )
                )
                yield f"{path.relative_to(SOURCE)}:{literal.lineno}", pattern


def parts_of_messages(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the strings of several words that a statement assigns to a part of a message."""
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        pairs = [(target, node.value)]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            pairs = list(zip(target.elts, node.value.elts, strict=True))
        for name, value in pairs:
            if isinstance(name, ast.Name) and name.id in HOLDERS:
                values = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                for each in values:
                    if isinstance(each, ast.JoinedStr) or isinstance(
                        getattr(each, "value", 0), str
                    ):
                        yield each  # type: ignore[misc]  # a string


def test_every_reason_and_hint_is_provoked(corpus: set[str]) -> None:
    found = dict(templates())
    assert len(found) > 100
    silent = {p: t for p, t in found.items() if not any(re.search(t, text) for text in corpus)}
    assert silent == {}


def test_wrong_arguments_are_described_alike() -> None:
    pattern = re.compile(
        r"must|cannot|expected|unknown|unexpected|either|moves|out of range|require"
    )
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] in ELSEWHERE:
            continue
        for node in ast.walk(parse_module(path)):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                kind, words = ast.unparse(node.exc.func), " ".join(map(ast.unparse, node.exc.args))
                literal = re.match("f?['\"]", words) and "INVALID_PATTERN" not in words
                if kind in {"TypeError", "ValueError", "ImportError"} and literal:
                    place = f"{path.relative_to(SOURCE)}:{node.lineno}"
                    assert pattern.search(words), place


#: Values that messages may quote with `!r`: they do not come from callers, or are one character.
NOT_ARGUMENTS = {
    "__name__",
    "attribute",
    "attribute.name",
    "done.stdout",
    "key",
    "option.name",
    "wrong[0]",
} | {*("line[:MAX_REASON]", "rules.name", "package['__name__']")}


def test_wrong_arguments_are_quoted_without_their_secrets() -> None:
    for path in sorted(SOURCE.rglob("*.py")):
        # Messages of the command are redacted as a whole.
        if path.relative_to(SOURCE).parts[0] == "_cli":
            continue
        for function in ast.walk(parse_module(path)):
            if not isinstance(function, ast.FunctionDef) or function.name == "__getattr__":
                continue
            for node in ast.walk(function):
                if not isinstance(node, ast.Raise) or node.exc is None:
                    continue
                for value in ast.walk(node.exc):
                    if isinstance(value, ast.FormattedValue) and value.conversion == ord("r"):
                        place = f"{path.relative_to(SOURCE)}:{value.lineno}"
                        words = ast.unparse(value.value)
                        assert words in NOT_ARGUMENTS, f"{place}: write {{quoted({words})}}"
