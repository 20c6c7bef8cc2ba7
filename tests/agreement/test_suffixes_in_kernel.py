import random
from pathlib import Path

import pytest
from amounts import scaled
from hypothesis import given
from hypothesis import strategies as st

from uriverse import IRI, _engine
from uriverse.columns._registry import FUNCTIONS
from uriverse.suffixes import Suffixes
from uriverse.typing import Layout

#: Labels of rules and of hosts. Some have the same first or last eight octets.
LABELS = [
    *("a", "b", "com", "uk", "eightoct", "an-eightoct", "nineoctet", "eight-octet-and-more"),
    "fight-octet-and-more",
]
LABELS += ["octet-and-more", "x-y", "_a", "xn--p1ai", "1", "0x1", "3d"]

OTHERS = [
    *("", "A", "COM", "Nineoctet", "é", "%41", "%2e", "*", "[", "a b", "рф"),
    "ascii-label-of-no-rule",
    *("BÜCHER", "e\u0301", "☃", "ﬁ", "ß", "Σ", "Ꭰ", "אב", "٣", "Ａ％", "１２", "。", "ü" * 60),
    "\u00ad",
]


def random_rules(dice: random.Random) -> list[str]:
    return [
        dice.choice(("", "", "*.", "!")) + ".".join(dice.choices(LABELS, k=dice.randint(1, 4)))
        for _ in range(dice.randint(1, 30))
    ]


def random_host(dice: random.Random, rules: list[str]) -> str:
    labels = dice.choices(LABELS if dice.random() < 0.8 else LABELS + OTHERS, k=dice.randint(0, 3))
    rule = dice.choice(rules).removeprefix("!").split(".")[dice.randint(0, 1) :]
    labels += [dice.choice(LABELS) if label == "*" else label for label in rule]
    return ".".join(labels) + "." * (dice.random() < 0.2)


def parts(suffixes: Suffixes, host: str) -> tuple[str | None, str | None, str | None]:
    return (
        *(suffixes.public_suffix(host), suffixes.registrable_domain(host)),
        suffixes.subdomain(host),
    )


def test_random_hosts_have_the_same_parts_with_random_rules(tmp_path: Path) -> None:
    dice = random.Random(34)
    path = tmp_path / "list.dat"
    for _ in range(scaled(300)):
        rules = random_rules(dice)
        path.write_text("\n".join(rules), "utf-8")
        suffixes = Suffixes(path)
        assert (suffixes._table is not None) == _engine.compiled
        for _ in range(200):
            host = random_host(dice, rules)
            assert parts(suffixes, host) == suffixes._split_host(host), (rules, host)


@pytest.fixture(scope="module")
def suffixes(tmp_path_factory: pytest.TempPathFactory) -> Suffixes:
    path = tmp_path_factory.getbasetemp() / "suffixes.dat"
    path.write_text("a\n*.a\n!1.a.a\n", "utf-8")
    return Suffixes(path)


@given(host=st.text() | st.text("aA.1-%_[é:/ 。☃\u0301ßΣİＡ％"))
def test_every_string_has_the_same_parts(suffixes: Suffixes, host: str) -> None:
    assert parts(suffixes, host) == suffixes._split_host(host)


@pytest.mark.skipif(not _engine.compiled, reason="there is no kernel")
def test_the_kernel_divides_names_in_unicode_without_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "list.dat"
    path.write_text("com\n公司.cn\nрф\n", "utf-8")
    suffixes = Suffixes(path)
    hosts = [
        *("www.BÜCHER.com", "食狮.公司.cn.", "a.Пример.рф", "☃.com"),
        *("אב.com", "Ａ。ｃｏｍ", "é" * 20),
    ]
    hosts += [str(number) + "é.com" for number in range(3)]
    expected = [suffixes._split_host(host) for host in hosts]
    monkeypatch.setattr(Suffixes, "_split_host", None)
    assert [parts(suffixes, host) for host in hosts] == expected
    for host, found in zip(hosts, expected, strict=True):
        assert suffixes.registrable_domain(IRI(f"http://{host}/")) == found.registrable_domain


@pytest.mark.slow
def test_every_character_is_divided_alike(tmp_path: Path) -> None:
    path = tmp_path / "list.dat"
    path.write_text("com\n", "utf-8")
    suffixes = Suffixes(path)
    for code in (*range(0x80, 0x3400), *range(0xA000, 0xAC00), *range(0xF900, 0x20000)):
        for host in (f"a{chr(code)}.com", f"x.{chr(code)}"):
            assert parts(suffixes, host) == suffixes._split_host(host), hex(code)


#: Strings before and after the host of a row.
AROUND = [
    *(("http://", "/a?b"), ("https://me@", ":80"), ("//", ""), ("x://", "#f"), ("", "")),
    ("http:// ", ""),
]


def random_row(dice: random.Random, rules: list[str]) -> str | None:
    if dice.random() < 0.05:
        return None
    before, after = dice.choice(AROUND)
    host = random_host(dice, rules)
    if dice.random() < 0.3:
        host = f"{'-' * dice.choice((1, 20, 40, 60, 70))}.{host}"
    if dice.random() < 0.1:
        host = dice.choice(("[::1]", "127.0.0.1", "1.2.3", "0x1", "a.0x1", ""))
    return before + host + after


@pytest.mark.parametrize("layout", ["string", "large_string", "string_view"])
def test_columns_have_the_parts_of_their_rows(tmp_path: Path, layout: Layout) -> None:
    columns = pytest.importorskip("uriverse.columns")
    pytest.importorskip("nanoarrow")
    dice = random.Random(layout)
    path = tmp_path / "list.dat"
    for count in (1, 2, 40, 40, scaled(20_000)):
        rules = random_rules(dice)
        path.write_text("\n".join(rules), "utf-8")
        suffixes = Suffixes(path)
        rows = [random_row(dice, rules) for _ in range(count)]
        # Rows that follow each other often have the same host.
        rows = [*rows, *rows[:1] * 40, *rows]
        for name in ("public_suffix", "registrable_domain", "subdomain"):
            row = FUNCTIONS[name].row
            expected = [None if text is None else row(text, suffixes=suffixes) for text in rows]
            found = getattr(columns, name)(rows, suffixes=suffixes, layout=layout)
            assert found.to_pylist() == expected


def test_neighboring_rows_with_hosts_of_one_length_have_parts_of_their_own(tmp_path: Path) -> None:
    columns = pytest.importorskip("uriverse.columns")
    pytest.importorskip("nanoarrow")
    dice = random.Random(5)
    path = tmp_path / "list.dat"
    path.write_text("b\na.b\n*.c\n!www-site.c\na.eightoct", "utf-8")
    suffixes = Suffixes(path)
    hosts = [f"www-site.{one}.{two}" for one in "abc" for two in "abc"]
    hosts += [f"www-site.a.{label}eightoct" for label in ("", "n-", "-")]
    rows = [f"http://{dice.choice(hosts)}/{'x' * 70}" for _ in range(scaled(3000))]
    for name in ("public_suffix", "registrable_domain", "subdomain"):
        row = FUNCTIONS[name].row
        found = getattr(columns, name)(rows, suffixes=suffixes)
        assert found.to_pylist() == [row(text, suffixes=suffixes) for text in rows]


def test_columns_use_lists_that_the_kernel_does_not_know(tmp_path: Path) -> None:
    columns = pytest.importorskip("uriverse.columns")
    pytest.importorskip("nanoarrow")
    path = tmp_path / "list.dat"
    path.write_text("a.*.b", "utf-8")
    rows = ["http://x.y.a.c.b/", "http://b/", "%", None]
    found = columns.registrable_domain(rows, suffixes=Suffixes(path))
    assert found.to_pylist() == ["y.a.c.b", None, None, None]
    with pytest.raises(TypeError, match="suffixes must be a Suffixes or None, not str"):
        columns.registrable_domain(rows, suffixes="com")
