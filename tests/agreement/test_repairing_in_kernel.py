import pickle
from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError
from random import Random
from typing import TypedDict

import pytest
from amounts import scaled
from readers import malformed

from compare_conformance.mutants import mutant
from uriverse import Repair, Repaired, RepairError, columns, repair
from uriverse._engine import kernel
from uriverse.diagnosis._repairing import repair_text

PIECES = (
    *("http", "HTTPS", "ftp", "file", "ws", "s", "c", "foo", "mailto:", "data:", "localhost"),
    *(":", "://", ":/", "/", "//", "\\", "?", "#", "@", ".", "..", "-", "_", "|", "c|", "c:"),
    *("a", "B", "a.example", "b.c", "xn--a", "xn--bcher-kva", "1", "0x1", "1.2.3.4", "[::1]"),
    *("[::ffff:1.2.3.4]", "[v1.a]", "[", "]", ":80", ":080", ":65536", "user:pw", "u", "80"),
    *(" ", "\t", "\n", "\r\n", "\0", "\x1f", "\x7f", "\x80", '"', "<>", "^`{}", "%", "%4", "%zz"),
    *("%41", "%2e", "%2F", "%5c", "%25", "%7C", "%3a", "%63", "%C3%A9", "=", "&", ";", "&sid="),
    *("\u00e9", "\u00fc", "\u65e5", "\U0001f600", "\ue000", "\ufdd0", "\u3002", "\u200b", "\u00df"),
    *("\ud800", "\udcff", "\ufeff", "\u00a0", "~", "!", ",", "sid=1|", "eyJhbGciOi.eyJ.x|"),
)  # fmt: skip

#: Beginnings of strings, most of which have a host on which parsers agree.
STARTS = (
    *("http://a.example/", "https://a.b:8080/c", "http://a", "http://u@a/", "http://u:p|@a.b/"),
    *("file:///", "file://h/", "file:", "ftp://1.2.3.4/", "foo://a/", "foo:", "mailto:", "data:,"),
    *("", "", "/", "a/", "//a.example/", "?", "#", "http://a?", "http://a#", " http://a/", "c:"),
)

#: A few characters that matter to a repair.
ALPHABET = 'ac1/\\:?#@.|[% \t\x7f\u00e9"'


class Options(TypedDict):
    iri: bool
    scheme: str | None
    slashes: bool


#: The options of each comparison.
OPTIONS: tuple[Options, ...] = (
    {"iri": False, "scheme": None, "slashes": False},
    {"iri": True, "scheme": None, "slashes": False},
    {"iri": False, "scheme": "https", "slashes": False},
    {"iri": True, "scheme": "https", "slashes": True},
)


def outcome(text: str, options: Options, *, by_rules: bool = False) -> object:
    try:
        return repair_text(text, **options) if by_rules else repair(text, **options)
    except RepairError as error:
        return error.code, vars(error)


def assert_repairs_agree(text: str, options: Sequence[Options] = OPTIONS) -> None:
    for chosen in options:
        ours, expected = outcome(text, chosen), outcome(text, chosen, by_rules=True)
        assert ours == expected, (text, chosen)
        if isinstance(ours, Repaired) and isinstance(expected, Repaired):
            assert type(ours.uri) is type(expected.uri), (text, chosen)
            assert repr(ours) == repr(expected), (text, chosen)


def is_repaired_in_kernel(text: str) -> bool:
    """Return whether the kernel repairs a string; true without a kernel."""
    return kernel is None or kernel.repair(text, False) is not None


#: Hosts without a scheme, some with a port, path or query.
BARE_HOSTS = (
    *("www.a.example", "a.example:80/", "localhost/", "1.2.3.4/b", "[::1]/", "a.b?c"),
    "b\u00fc.de/",
)


def join(random: Random, starts: Sequence[str], pieces: Sequence[str], most: int) -> str:
    return random.choice(starts) + "".join(random.choices(pieces, k=random.randint(0, most)))


#: Functions that return a random string of each kind.
FAMILIES: dict[str, Callable[[Random], str]] = {
    "pieces": lambda random: join(random, STARTS, PIECES, 6),
    "two pieces": lambda random: join(
        random, ("", "/", "http://a", "http://a/", "file:/", "foo:"), PIECES, 2
    ),
    "short strings": lambda random: join(random, ("", *ALPHABET), ALPHABET, 2),
    "mutants": mutant,
    "malformed": malformed,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_repairs_agree_for_random_strings(family: str) -> None:
    random = Random(family)
    for _ in range(scaled(3_000)):
        assert_repairs_agree(FAMILIES[family](random))


def test_repairs_agree_for_hosts_without_a_scheme() -> None:
    random = Random(17)
    for _ in range(scaled(2_000)):
        scheme = random.choice(("https", "HTTP", "file", "foo", "mailto"))
        options: Options = {"iri": False, "scheme": scheme, "slashes": False}
        assert_repairs_agree(join(random, BARE_HOSTS, PIECES, 3), [options])


@pytest.mark.parametrize("iri", [False, True])
def test_the_repairs_of_columns_are_those_of_single_strings(iri: bool) -> None:
    random = Random(11)
    texts = [join(random, STARTS, PIECES, 4) for _ in range(scaled(2_000))]
    texts = [text for text in texts if "\ud800" not in text]
    expected = [
        str(found) if isinstance(found, Repaired) else None
        for text in texts
        for found in [outcome(text, {"iri": iri, "scheme": None, "slashes": False}, by_rules=True)]
    ]
    assert columns.repair(texts, iri=iri).to_pylist() == expected


def test_the_kernel_makes_the_usual_repairs() -> None:
    for text in [
        *("http://a.example/b c[d]", " http://a.example/ \n", "http://a/b\tc\r\nd\n", "mailto:a b"),
        *("http://a/b\\c", "file:///c:\\a b", "file://server/a b", "foo://a.example/b\\c"),
        *("my a.jpg", "http://a/100%", "http://a/%zz%%41%4", "http://a/?b=[c]|\\", "http://a/#b#c"),
        *("a/b:c d", "http://u|r:p{w@a.example/", "http://1.2.3.4:80/ x", "http://[::1]/ x", "  "),
        *("a\\b", "http://xn--bcher-kva.example/ x", "http://a/\u00e9\U0001f600 x", "?a b"),
        *("//a/b c", "http://a/;sid=1|/b|c", "data:text/html,<b>a\n</b>", "http://a/x\0y\x7f"),
        *("/a|b", "http://a.b/", "a].jpg"),
    ]:
        assert is_repaired_in_kernel(text)
        assert_repairs_agree(text)


def test_the_kernel_leaves_unclear_strings_to_python_functions() -> None:
    for text in [
        *("http://a b/", "http://a\\@b/", "http:/a/b c", "foo:/a b", "a b:c", "1a:b", "a|b/c"),
        *("http://a\n/b", "ht\ntp://a/", "a\nb/", "/\n/a", "foo:\n//a", "http://a@b@c/ d", ":a b"),
        *("http://0x7f.1/ a", "http://a./ b", "http://a..b/ c", "http://%61/ b", "/:a\nb"),
        "\u00e9",
        *("http://u%40@a/ b", "http://u[@a/ b", "http://u\\@a/ b", "http://u @a/"),
        *("http://u\x7f@a/ b", "file://u@h/ b"),
        *("file:///c|/a", "/c|", "//h/c|?x", "c:\\a b", "/c:?a b", "/%63|", "http://\u00fc/ a"),
        *("http://a?b@c d", "a.b:80/ c", "localhost:80\\a b", "foo:///a b", "x" * 30 + ": a"),
        *("http://a/\ud800", "//\u00e9/ ", "a@b c", "a b/c:d", "\\\\a", "file:\\a b"),
        "http://xn--a/ b",
        *("file://localhost/a b", "http://a:080/ b", "http://a:8o/", "http://[::1/", "http://a%/"),
        *("http://xn--a/ b", "\u00e9", "file:c|/a b", "/:\\"),
    ]:
        assert kernel is None or not is_repaired_in_kernel(text)
        assert_repairs_agree(text)


def test_strings_with_more_changes_than_the_kernel_keeps_on_the_stack_agree() -> None:
    assert_repairs_agree("http://a/" + "[a" * 1_000)
    assert_repairs_agree("http://a/" + "\t\u00e9" * 1_000 + " ")


def test_the_results_of_the_kernel_are_ordinary_immutable_objects() -> None:
    found = repair("http://a/?sid=1| ")
    assert found == pickle.loads(pickle.dumps(found))
    assert hash(found) == hash(
        repair_text("http://a/?sid=1| ", iri=False, scheme=None, slashes=False)
    )
    assert [type(change) for change in found.changes] == [Repair, Repair]
    for value, name in ((found, "uri"), (found.changes[0], "start")):
        with pytest.raises(FrozenInstanceError):
            setattr(value, name, None)
