"""Messages follow one pattern: short, in plain words, without a period at the end.

A reason or a message says what is wrong. A hint or a suggestion is an instruction. The tests check
the codes of `check`, and the messages of a corpus of errors. Every string in the source that is
part of a reason or a hint must occur in the corpus.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
    Segments,
    TelURI,
    URIError,
    URIReference,
    check,
    parse,
    percent,
)
from uriverse._spec import build, messages
from uriverse._spec.components import AllParts
from uriverse._spec.syntax import GRAMMARS, LONGEST_TEXT
from uriverse.diagnosis import CODES, why_invalid

SOURCE = Path(uriverse.__file__).parent
VERDICTS = Path(__file__).parents[1] / "conformance" / "data" / "verdicts.txt"

#: The longest reason, hint, message or suggestion, in characters.
LONGEST = 100

#: Parts of the package with messages of their own.
ELSEWHERE = {"cli", "columns", "tables", "_grammar"}

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


def verdicts() -> Iterator[Callable[[], object]]:
    """Yield a parser call for each invalid string of the conformance data."""
    for line in VERDICTS.read_text("utf-8").splitlines():
        verdict, _, case = line.partition(" ")
        rule, _, text = case.partition(" ")
        if verdict == "invalid" and rule in GRAMMARS.values():
            found = why_invalid(json.loads(text), rule)
            yield lambda error=found: fail(error)


def fail(error: URIError | None) -> None:
    assert error is not None
    raise error


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
    {"path": "a b"},
    {"host": None, "path": "//a"},
    {"host": None, "segments": ["", "", "a"]},
    {"host": None, "port": 80},
    {"host": None, "userinfo": "a"},
)

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
    *("tel:+1;a=,", "tel:+1;phone-context=-", "tel:+1;a;A", "tel:+1?a", "tel:+1#a", "tel://1"),
)
URNS = (
    *("urn:ab", "urn:-a:b", f"urn:{'a' * 33}:b", "urn:a_b:c", "urn:a:b", "urn:ab:", "urn:ab:c?d"),
    *("urn:ab:c?+", "urn:ab:c?="),
)
FILE_URIS = ("file://a@b/c", "file://a:1/c", "file:///a?b", "file:a", "file:////")

#: A host with a label that is too long, after one that is not ASCII.
LONG_LABEL = f"\u00e9.{'a' * 64}"

#: Host names that `display` does not show in Unicode.
MISLEADING_HOSTS = (
    *("xn--80ak6aa92e.com", "p\u0430ypal.com", "goo\u0292le.com", "l\u0131nkedin.com"),
    *("com\u30ceorg.jp", "xn--4dbcd:80", "1.xn--4db", "\uff45xample.com"),
)


def actions() -> Iterator[Callable[[], object]]:
    """Yield calls that raise a `URIError`."""
    yield from verdicts()
    for kind, texts in (
        (URI, INVALID_URIS),
        (DataURI, (*DATA_URLS, "http://a")),
        (MailtoURI, MAILTO_URIS),
        (TelURI, TEL_URIS),
        (URN, URNS),
        (FileURI, FILE_URIS),
        (HTTPURI, ("http:a", "http:///a", "ftp://a")),
        (parse, (":a", "?\ud800", "/\ue000")),
        (percent.decode, ("%zz", "%FF", "\ud800")),
        (percent_path, ("\ud800", "\udcc3\udca9")),
        (
            idna,
            (
                "\u2603",
                "\u00e9..a",
                "\u00e9" * 64,
                "\u00e9." * 130,
                "\u00e9\uff0fb",
                "\u00e9%25",
                LONG_LABEL,
            ),
        ),
        (
            DataURI.data.fget,
            map(DataURI, ("data:;base64,YQ", "data:;base64,YR==", "data:;base64,Y-Q=")),
        ),
        (DataURI.text, map(DataURI, ("data:;charset=x,a", "data:;charset=utf-8,%FF"))),
        (FileURI.to_posix, map(FileURI, ("file://a/b", "file:c:/a", "file:///a%2Fb"))),
        (
            FileURI.to_windows,
            map(
                FileURI,
                (
                    *("file:///a", "file:///c:", "file:///c%7C/a", "file://a/", "file://./a/b"),
                    *("file:///c:/a%5Cb", "file:///c:/a:b", "file:///c:/%FF"),
                ),
            ),
        ),
        (FileURI.from_posix, ("a", "//a", "/\0", "/\ud800")),
        (
            FileURI.from_windows,
            (
                *("a", "c:\\\ud800", "c:\\a:b", "c:\\\0", r"\\a\..", r"\\.\a\b", r"\\localhost\a"),
                r"\\a:b\c",
            ),
        ),
        (MailtoURI.headers.fget, (MailtoURI("mailto:?a=%FF"),)),
        (Params().updated, ({"": None}, {"a": 10**700}, {"a": float("inf")})),
        (Segments("/").with_name, ("a", "")),
        (Segments("/a").with_name, ("",)),
        (Segments("/a").with_suffix, ("b",)),
        (Segments("/..a").with_suffix, ("",)),
        (Segments("/").with_suffix, (".b",)),
        (URN.from_oid, ((), (-1,))),
        (URN.from_isbn, ("1",)),
        (
            Policy().enforce,
            ("ftp://a/", "http://u@a/", "/a", "http://127.0.0.1/", "http://[v1.a]/"),
        ),
        (Policy(hosts={"a"}).enforce, ("http://b/",)),
        (
            Policy(ports={80}, unambiguous=False).enforce,
            ("http://a:81/", "http://a:70000/", "http://a_-b!/"),
        ),
        (Policy(schemes=None).enforce, ("urn:a:b", "http://a/%25%32e")),
    ):
        for text in texts:
            yield lambda kind=kind, text=text: kind(text)
    for parts in BUILDS:
        yield lambda parts=parts: URI.build(**{"scheme": "http", "host": "a", **parts})
    yield lambda: URIReference.build(path="b:c")
    yield lambda: fail(messages.parse_error("", "URI", "text", LONGEST_TEXT))
    yield too_long
    yield lambda: fail(why_invalid("http://a/#b", "absolute-URI"))
    yield lambda: IRI("http://a/\u037e").nfc()
    yield lambda: URIReference("a").resolve("b")
    yield lambda: URI("http://a/b").relative_to("c")
    yield lambda: URI("http://a/../b").relative_to("http://a/c")
    yield lambda: URI("http://a/b").relative_to("http://a/c/d", climb=False)
    yield lambda: URI(f"http://a:{'1' * 700}/").port
    yield lambda: Segments("a/b").with_segment(0, "")
    yield lambda: URI("http://a/") / ".."
    yield lambda: HTTPURI("http://a/b").request_target("asterisk")
    for data, media_type, parameters in (
        (b"", "./a", None),
        (b"", "text", None),
        (b"", "a b/c", None),
        (b"", "a/b;c", None),
        (b"", None, {"a": "\n"}),
        (b"", None, {"a": "", "A": ""}),
        ("\u00e9", None, {"charset": "ascii"}),
        ("\u00e9", None, {"charset": "x"}),
    ):
        yield lambda d=data, m=media_type, p=parameters: DataURI.build(d, m, parameters=p)
    for arguments in (
        {"to": ["a"]},
        {"to": ["a@b#c"]},
        {"to": ['"\x85"@b']},
        {"subject": "\n"},
        {"subject": "\0"},
        {"headers": {"a b": "c"}},
        {"to": ["a@b"], "headers": {"To": "c@d"}},
    ):
        yield lambda arguments=arguments: MailtoURI.build(**arguments)
    for number, options in (
        ("1", {}),
        ("+1", {"parameters": {"a": ""}}),
        ("+1", {"parameters": {"ext": None}}),
        ("+1", {"parameters": {"a": "b", "A": "c"}}),
    ):
        yield lambda number=number, options=options: TelURI.build(number, **options)
    for nid, nss in (("a", "b"), ("ab", "c d"), ("ab", "")):
        yield lambda nid=nid, nss=nss: URN.build(nid, nss)
    for name in ("uuid", "oid", "isbn"):
        yield lambda name=name: getattr(URN(f"urn:{name}:x"), name)
    yield lambda: URN(f"urn:oid:{'1' * 700}").oid


def too_long() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "LONGEST_TEXT", 5)
        parts = AllParts("http", None, "a", None, "/b", None, None)
        raise build.error_for(parts, "URI", None, 0, segments=False)


def percent_path(data: str) -> str:
    return percent.encode(data, "path")


def idna(host: str) -> object:
    return IRI(f"http://{host}/").to_uri(host="idna")


def provoked() -> Iterator[tuple[str, str]]:
    """Yield the reason and the hint of each error, and the message and suggestion of findings."""
    for action in actions():
        with pytest.raises(URIError) as caught:
            action()
        yield caught.value.reason, caught.value.hint
    hosts = (f"http://{host}/" for host in MISLEADING_HOSTS)
    for text in (
        *(c.example for c in CODES.values()),
        *INVALID_URIS,
        *URNS,
        "urn:urn-a:b",
        *TEL_URIS,
        *hosts,
    ):
        for finding in check(text, "strict"):
            yield finding.message, finding.suggestion or ""


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


def templates() -> Iterator[tuple[str, str]]:
    """Yield the parts of messages in the source, each with its place, as regular expressions."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.relative_to(SOURCE).parts[0] in ELSEWHERE:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for literal in parts_of_messages(node):
                pattern = "".join(
                    re.escape(part.value) if isinstance(part, ast.Constant) else ".*"
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
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                kind, words = ast.unparse(node.exc.func), " ".join(map(ast.unparse, node.exc.args))
                literal = re.match("f?['\"]", words) and "INVALID_PATTERN" not in words
                if kind in {"TypeError", "ValueError", "ImportError"} and literal:
                    place = f"{path.relative_to(SOURCE)}:{node.lineno}"
                    assert pattern.search(words), place
