import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from misleading import MisleadingStr

from uriverse import IRI, URI, IRIReference, URIReference, columns
from uriverse.suffixes import _LONGEST_LABEL, Suffixes

#: A list with every kind of rule, in the format of the Public Suffix List.
LIST = """\
// VERSION: 2026-01-02_03-04-05_UTC
// ===BEGIN ICANN DOMAINS===

// a comment
com
uk
co.uk   // the rule ends before the first space
jp
*.kobe.jp
!city.kobe.jp
*.ck
!www.ck
Upper.com
рф
公司.cn
// ===END ICANN DOMAINS===
// ===BEGIN PRIVATE DOMAINS===
github.io
*.compute.example.com
// ===END PRIVATE DOMAINS===
"""

LONG = 5_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "list.dat"
    path.write_text(LIST, "utf-8")
    return path


@pytest.fixture
def suffixes(file: Path) -> Suffixes:
    return Suffixes(file)


def parts(suffixes: Suffixes, host: str) -> tuple[str | None, str | None, str | None]:
    registrable, suffix = suffixes.registrable_domain(host), suffixes.public_suffix(host)
    found = (suffixes.subdomain(host), registrable, suffix)
    # The reference implementation returns the same.
    assert found == suffixes._split_host(host)[::-1]
    return found


def parts_in_column(suffixes: Suffixes, host: str) -> tuple[str | None, ...]:
    """Return the parts of the host of a row. The kernel reads the 64 octets after its start."""
    rows = [f"https://{host}/{'a' * 80}"]
    functions = (columns.subdomain, columns.registrable_domain, columns.public_suffix)
    return tuple(function(rows, suffixes=suffixes).to_pylist()[0] for function in functions)


def test_a_host_is_divided_by_the_prevailing_rule(suffixes: Suffixes) -> None:
    for host, expected in [
        # a rule
        *(("com", (None, None, "com")), ("example.com", ("", "example.com", "com"))),
        ("a.b.example.com", ("a.b", "example.com", "com")),
        ("www.example.co.uk", ("www", "example.co.uk", "co.uk")),
        *(("co.uk", (None, None, "co.uk")), ("a.upper.com", ("", "a.upper.com", "upper.com"))),
        # no rule: "*"
        *(("example", (None, None, "example")), ("b.a.example", ("b", "a.example", "example"))),
        ("cn", (None, None, "cn")),
        ("a-very-long-label-that-no-rule-has", (None, None, "a-very-long-label-that-no-rule-has")),
        # a wildcard, which matches a label that is there
        *(("kobe.jp", ("", "kobe.jp", "jp")), ("a.kobe.jp", (None, None, "a.kobe.jp"))),
        ("b.a.kobe.jp", ("", "b.a.kobe.jp", "a.kobe.jp")),
        *(("*.kobe.jp", (None, None, "*.kobe.jp")), ("ck", (None, None, "ck"))),
        ("compute.example.com", ("compute", "example.com", "com")),
        ("c.b.compute.example.com", ("", "c.b.compute.example.com", "b.compute.example.com")),
        # an exception
        ("city.kobe.jp", ("", "city.kobe.jp", "kobe.jp")),
        *(("a.city.kobe.jp", ("a", "city.kobe.jp", "kobe.jp")), ("www.ck", ("", "www.ck", "ck"))),
        # letter case, and a dot at the end
        ("WWW.Example.Co.UK", ("www", "example.co.uk", "co.uk")),
        *(("a.example.com.", ("a", "example.com.", "com.")), ("COM.", (None, None, "com."))),
        # U-labels and A-labels
        *(("a.рф", ("", "a.рф", "рф")), ("a.xn--p1ai", ("", "a.xn--p1ai", "xn--p1ai"))),
        ("食狮.公司.cn", ("", "食狮.公司.cn", "公司.cn")),
        ("shishi.xn--55qx5d.cn", ("", "shishi.xn--55qx5d.cn", "xn--55qx5d.cn")),
        ("bücher.com", ("", "bücher.com", "com")),
        # characters that are decoded or mapped
        ("BÜCHER.com", ("", "bücher.com", "com")),
        ("bu\u0308cher.com", ("", "bücher.com", "com")),
        ("Ａ。ｃｏ．uk", ("", "a.co.uk", "co.uk")),
        ("b%c3%bccher.%63om", ("", "bücher.com", "com")),
        *(("a%2eco%2Euk", ("", "a.co.uk", "co.uk")), ("%ff.com", ("", "%ff.com", "com"))),
        # a last label that begins like a number
        ("a.3com", ("", "a.3com", "3com")),
        ("1.com", ("", "1.com", "com")),
    ]:
        assert parts(suffixes, host) == parts_in_column(suffixes, host) == expected


def test_a_host_that_is_no_domain_name_has_no_parts(suffixes: Suffixes) -> None:
    for host in [
        *("", ".", "..", ".com", "a..com", "example.com..", "%2e", "a%2e%2Ecom", "。", "127.0.0.1"),
        *("127.1", "1.2.3.4.", "a.0x7f", "0X1f", "a.１", "a.%31", "[::1]", "[v1.a]", "::1"),
        *("a b.com", "a%20b.com", "a%2fb.com", "https://example.com/", "me@example.com"),
        *("example.com:80", "%zz.com", "\udc80.com"),
    ]:
        assert parts(suffixes, host) == (None, None, None)


def test_uris_and_iris_are_divided_by_their_hosts(suffixes: Suffixes) -> None:
    for kind in (URI, URIReference, IRI, IRIReference):
        uri = kind("https://me@a.Example.co.uk:80/b.com")
        assert suffixes.registrable_domain(uri) == "example.co.uk"
        assert (suffixes.subdomain(uri), suffixes.public_suffix(uri)) == ("a", "co.uk")
    assert suffixes.registrable_domain(IRI("https://a.bücher.рф/é")) == "bücher.рф"
    for without in (URI("urn:a:b"), URIReference("a.com"), URI("file:///a"), IRI("a:/é")):
        assert suffixes.public_suffix(without) is None
        assert suffixes.registrable_domain(without) is suffixes.subdomain(without) is None


def test_the_private_section_can_be_left_out(file: Path, suffixes: Suffixes) -> None:
    icann = Suffixes(file, private=False)
    assert (suffixes.private, icann.private) == (True, False)
    assert parts(suffixes, "a.me.github.io") == ("a", "me.github.io", "github.io")
    assert parts(icann, "a.me.github.io") == ("a.me", "github.io", "io")
    assert parts(icann, "a.kobe.jp") == (None, None, "a.kobe.jp")


@pytest.mark.parametrize(
    ("rules", "host", "suffix"),
    [
        # A wildcard may be any label.
        *(
            ("a.*.b\n*.c.b\n!d.c.b\n", host, suffix)
            for host, suffix in (
                *(("x.a.y.b", "a.y.b"), ("x.b", "b"), ("x.a.c.b", "a.c.b"), ("x.d.c.b", "c.b")),
                ("a.*.b", "a.*.b"),
            )
        ),
        # An exception of one label leaves one label.
        ("!a\n", "c.b.a", "a"),
        # A wildcard for the second of three labels, and for the first of two.
        *(("*.b\n", host, "foo.b") for host in ("x.foo.b", "foo.b", "y.x.foo.b")),
        *(("b\n*.foo.b\n", "x.foo.b", "x.foo.b"), ("b\n*.foo.b\n", "foo.b", "b")),
        # Labels that only end with the label of a rule: the kernel reads eight octets at a time.
        *(
            ("br\nboavista.br\n*.oito.br\n", host, suffix)
            for host, suffix in (
                *(("www.boavista.br", "boavista.br"), ("www.xboavista.br", "br")),
                *(("a.eoito.br", "br"), ("a.oito.br", "a.oito.br"), ("a.xboavista", "xboavista")),
            )
        ),
        *(("boavista\n*.boavista\n", host, host) for host in ("a.boavista", "xboavista")),
        # Rules that the kernel does not know are applied by Python.
        *(
            (f"com\n{rule}\n", "www.Example.com", "com")
            for rule in ("*.b.*.a", "a.*.b", "!*.b.a", "*.*.b", "b%a", "a\x01b", "a@b")
        ),
        # No sections and no version, but a byte order mark and other line ends.
        ("\ufeffcom\r\nco.uk\tx\r\n\r\n org", "a.b.co.uk", "co.uk"),
    ],
)
def test_unusual_rules_are_applied(tmp_path: Path, rules: str, host: str, suffix: str) -> None:
    path = tmp_path / "list.dat"
    path.write_bytes(rules.encode())
    for private in (True, False):
        suffixes = Suffixes(str(path), private=private)
        assert suffixes.version is None
        assert suffixes._table is None or not rules.startswith(("com\n", "a."))
        assert parts(suffixes, host)[2] == parts_in_column(suffixes, host)[2] == suffix


def test_long_rules_are_applied(tmp_path: Path) -> None:
    path = tmp_path / "list.dat"
    names = {n: ".".join(f"{'a' * 20}-{k}" for k in range(n)) for n in (13, 14, 15, 40)}
    path.write_text("\n".join(["*." + names[14], *names.values()]), "utf-8")
    suffixes = Suffixes(path)
    assert parts(suffixes, f"x.y.{names[40]}") == ("x", f"y.{names[40]}", names[40])
    path.write_text("\n".join(["*." + names[14], names[13]]), "utf-8")
    suffixes = Suffixes(path)
    assert parts(suffixes, f"w.x.y.{names[14]}") == ("w", f"x.y.{names[14]}", f"y.{names[14]}")
    assert parts(suffixes, f"x.{names[13]}") == ("", f"x.{names[13]}", names[13])


def test_a_file_without_rules_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "list.dat"
    for text in ("", "// com\n", LIST[LIST.index("// ===BEGIN PRIVATE") :]):
        path.write_text(text, "utf-8")
        with pytest.raises(ValueError, match="has no rules"):
            Suffixes(path, private=False)
    path.write_bytes(b"\xff")
    with pytest.raises(UnicodeDecodeError):
        Suffixes(path)
    with pytest.raises(FileNotFoundError):
        Suffixes(tmp_path / "missing")


def test_without_path_and_package_an_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'uriverse\[suffixes\]'"):
        Suffixes()


@pytest.mark.parametrize("host", [None, b"a.com", 1])
def test_hosts_of_a_wrong_type_are_rejected(suffixes: Suffixes, host: object) -> None:
    for method in (suffixes.public_suffix, suffixes.registrable_domain, suffixes.subdomain):
        with pytest.raises(TypeError, match="expected a str or a URI"):
            method(host)  # type: ignore[arg-type]
        with pytest.raises(TypeError):
            method("a.com", "b.com")  # type: ignore[call-arg]
        with pytest.raises(TypeError):
            method(host="a.com")  # type: ignore[call-arg]


def test_a_subclass_of_str_is_read_as_its_string(suffixes: Suffixes) -> None:
    assert suffixes.registrable_domain(MisleadingStr("www.example.com")) == "example.com"


def test_a_method_of_the_class_requires_a_list(suffixes: Suffixes) -> None:
    assert Suffixes.public_suffix(suffixes, "a.com") == "com"
    with pytest.raises(AttributeError):
        Suffixes.public_suffix("a.com", "a.com")  # type: ignore[arg-type]


def test_a_pickled_list_has_the_same_rules(suffixes: Suffixes) -> None:
    copy = pickle.loads(pickle.dumps(suffixes))
    assert repr(copy) == repr(suffixes)
    assert repr(copy) == "<Suffixes version='2026-01-02_03-04-05_UTC' private=True>"
    assert parts(copy, "a.b.github.io") == ("a", "b.github.io", "github.io")


def test_long_hosts_take_linear_time(suffixes: Suffixes) -> None:
    for label in ("a", "é", "a\u0323\u0307", "%c3%a9"):
        many = f"{label}." * LONG
        assert suffixes.public_suffix(f"{many}com") == "com"
        assert suffixes.public_suffix(f"{label * LONG}.com") == "com"
    name = "é" * (_LONGEST_LABEL + 1)
    assert suffixes.public_suffix(f"a.{name}") == name


def test_columns_take_a_list() -> None:
    rows = ["https://a.github.io/", "https://b.example.co.uk/"]
    without_private = Suffixes(private=False)
    found = columns.registrable_domain(rows, suffixes=without_private).to_pylist()
    assert found == ["github.io", "example.co.uk"]
    assert columns.registrable_domain(rows).to_pylist() == ["a.github.io", "example.co.uk"]
    wrong: Any = "list.dat"
    with pytest.raises(TypeError, match="suffixes must be a Suffixes or None, not str"):
        columns.registrable_domain(rows, suffixes=wrong)
