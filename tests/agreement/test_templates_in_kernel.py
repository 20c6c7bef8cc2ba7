from array import array
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pytest

from uriverse import ColumnError, TemplateError, _engine, columns
from uriverse.columns import _execution
from uriverse.columns._templates import expand_row, list_variable_types, match_fields
from uriverse.templates import Match, Router, Template
from uriverse.templates._compiled import compile_transitions

pytestmark = pytest.mark.skipif(not _engine.compiled, reason="the kernel is not built")

NAMES = ("a", "b", "c", "ab", "a.b", "x_1", "%61", "a%C3%A9")
MODIFIERS = ("", "", "", "", "*", "*", ":3")
OPERATORS = ("", "", "", "+", "#", ".", "/", "/", ";", "?", "?", "&")
LITERALS = (
    *("/", "/x", "-", "-y", ".", "/v1/", "?", "#", "&", "=", "k=", "/%20", "/a%2Fb", ":", "@"),
    *(";", "%41", "\u00e9", "https://", "h.example", "//", "mailto:", "..", "/../"),
)
STRINGS = (
    *("x", "", "a b", "..", ".", "a/b", "a%2Fb", "\u00e9", "\1", "7", "-7", "007", "0", "-0", "\\"),
    *("%", "a,b", "a&b", "a=b", "\U0001f600", "..;x", "x.y", "a//b", "/x", "x/", "%2e", "\ud800"),
    *(".. ", " .", "..?x", ".#", "a\uff0f..", "\u2025", "\u200b..", "\u00e9.a", "Ab-_~"),
    *("a:b", "a@b"),
    *("!", "1" * 19, "y" * 1100 + " ", "\u0085", "...", ".;"),
)
SCALARS = (1, -5, 0, 1.5, True, None, 10**30, b"x", float("inf"))
TYPES: tuple[object, ...] = (int, str, float, ("a", "x", "a b"), list, dict, list[int])
PIECES = (
    *("x", "/", "%2F", "%2f", "%41", "&", "?", "#", "=", "A", "..", "?z=1", "&z=1", "%FF", ";"),
    *("%C2%80", "%C3%A9", "", "\u00e9", "%", "//", "%5C", "%00"),
)
URIS = ("/x", "/x?a=1&a=2", "?", "", "/a?b=1&c=2&a=3", "https://h.example/x?a", "HTTPS://h.example")


class PythonTemplate(Template):
    _expansion = None
    _matching = None


def template_text(random: Random) -> str:
    parts = [random.choice(("https://h.example/", "/", "/", ""))]
    for _ in range(random.randint(1, 4)):
        if random.random() < 0.45:
            parts.append(random.choice(LITERALS))
        else:
            count = random.choice((1, 1, 1, 2, 3))
            names = ",".join(random.choice(NAMES) + random.choice(MODIFIERS) for _ in range(count))
            parts.append(f"{{{random.choice(OPERATORS)}{names}}}")
    return "".join(parts)


def templates_of(random: Random) -> tuple[Template, PythonTemplate]:
    while True:
        text = template_text(random)
        try:
            names = [variable.name for variable in Template(text).variables]
            options: dict[str, Any] = {
                "types": {random.choice(names): random.choice(TYPES)}
                if names and random.random() < 0.4
                else None,
                "allow": random.choice(((), (), (), {"slash"}, {"dots", "empty"}, {"empty"})),
                "extra": random.random() < 0.85,
                "iri": random.random() < 0.1,
                "safe": random.random() < 0.1,
            }
            return Template(text, **options), PythonTemplate(text, **options)
        except (TemplateError, TypeError):
            continue


def value_of(random: Random) -> object:
    kind = random.random()
    if kind < 0.6:
        return random.choice(STRINGS)
    if kind < 0.7:
        return random.choice(SCALARS)
    items = [random.choice((*STRINGS, None, 3)) for _ in range(random.randint(0, 3))]
    if kind < 0.85:
        return items
    return {random.choice(STRINGS): item for item in items}


def uris_of(random: Random, expansion: str) -> list[str]:
    found = [expansion, random.choice(URIS)]
    for _ in range(3):
        at = random.randint(0, len(expansion))
        rest = expansion[at + random.randint(0, 1) :]
        found.append(expansion[:at] + random.choice(PIECES) + rest)
    return found


def outcome(function: Callable[..., object], *arguments: object) -> object:
    try:
        found = function(*arguments)
    except (TemplateError, TypeError) as error:
        return type(error), str(error)
    if isinstance(found, Match):
        return list(found.variables.items()), str(found.extra)
    return found


def check_templates(random: Random, count: int) -> tuple[int, int]:
    """Compare random templates; return the number of matches, and how many the kernel decides."""
    matches = decided = 0
    for _ in range(count):
        template, other = templates_of(random)
        names = [variable.name for variable in template.variables]
        for _ in range(4):
            values = {name: value_of(random) for name in names if random.random() < 0.9}
            expansion = outcome(template.expand_text, values)
            assert expansion == outcome(other.expand_text, values), (template, values)
            for uri in uris_of(random, expansion if isinstance(expansion, str) else "/"):
                found = outcome(template.match, uri)
                assert found == outcome(other.match, uri), (template, uri)
                program = template._matching
                if found is not None:
                    matches += 1
                    decided += program is not None and program.match(uri) is not NotImplemented
    return matches, decided


@pytest.mark.parametrize("seed", range(2))
def test_the_kernel_expands_and_matches_like_the_python_functions(seed: int) -> None:
    matches, decided = check_templates(Random(seed), 100)
    assert 0 < decided < matches


@pytest.mark.slow
def test_the_kernel_expands_and_matches_many_templates_like_the_python_functions() -> None:
    check_templates(Random(5), 20_000)


@pytest.mark.parametrize(
    ("text", "matches"),
    [("/{+p}", True), ("/{p:3}", False), ("//{+h}/", False), ("/a{/p*}", True), ("{;p*}", False)],
)
def test_the_kernel_only_matches_templates_whose_kinds_of_variables_it_knows(
    text: str, matches: bool
) -> None:
    assert (Template(text)._matching is not None) is matches


def test_bytes_have_the_same_class_if_the_same_positions_accept_them() -> None:
    random = Random(7)
    for _ in range(50):
        sets = [frozenset(random.sample(range(128), random.randint(0, 9))) for _ in range(6)]
        positions = (frozenset[int](), *random.choices(sets, k=8))
        tables = compile_transitions(positions, ((),) * len(positions))
        assert tables is not None
        accepting = [tuple(byte in octets for octets in positions) for byte in range(256)]
        pairs = set(zip(tables[0], accepting, strict=True))
        assert len(pairs) == len(set(tables[0])) == len(set(accepting))


def numbered(count: int) -> list[str]:
    return [f"v{number}" for number in range(count)]


#: Templates and values with more items, variables or characters than the kernel counts.
LONG: list[tuple[str, dict[str, Any]]] = [
    *(("/a{/x*}{?y*}", {"x": numbered(n), "y": numbered(n)}) for n in (255, 256, 257, 300)),
    *(
        (f"/a{{?{','.join(numbered(n))}}}", {name: name.upper() for name in numbered(n)})
        for n in (63, 64, 65)
    ),
    *(("/a/{x}", {"x": "\u00e9" + "y" * n}) for n in (1017, 1018, 1019, 65_000, 70_000)),
    ("/a{/x*}{?y*}", {"x": ["x" * 70_000], "y": {"k": "\u00e9" * 2000}}),
]


@pytest.mark.parametrize(("text", "values"), LONG)
def test_many_long_values_are_equal_in_rows_and_columns(text: str, values: dict[str, Any]) -> None:
    template = Template(text)
    uri = template.expand(values)
    found = template.match(uri)
    assert found is not None
    assert found.variables == values
    assert plain(columns.match([str(uri)], template).to_pylist()) == [
        match_fields(str(uri), template)
    ]


def columns_of(texts: list[str | None]) -> list[Any]:
    types = (pa.string(), pa.large_string(), pa.string_view())
    whole = [pa.array(texts, kind) for kind in types]
    return [*whole, whole[0].dictionary_encode(), pa.chunked_array([whole[0][:3], whole[0][3:]])]


def plain(row: Any) -> Any:
    if isinstance(row, dict) and row.keys() == {"key", "value"}:
        return row["key"], row["value"]
    if isinstance(row, dict):
        return {name: plain(value) for name, value in row.items()}
    return [plain(item) for item in row] if isinstance(row, list) else row


def texts_of(random: Random, template: Template, count: int) -> list[str | None]:
    names = [variable.name for variable in template.variables]
    found: list[str | None] = [None]
    while len(found) < count:
        expansion = outcome(template.expand_text, {name: value_of(random) for name in names})
        found += uris_of(random, expansion) if isinstance(expansion, str) else ["/"]
    return [text if text is None or text.isprintable() else None for text in found]


@pytest.mark.parametrize("full", [120, 2**31 - 1])
@pytest.mark.parametrize("seed", range(12))
def test_columns_match_like_each_row(seed: int, full: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_execution, "run_in_kernel", partial(_execution.run_in_kernel, full=full))
    random = Random(seed)
    template = Template("/{a}{/b*}{?n,c*}", types={"n": int})
    if seed % 4:
        template, _ = templates_of(random)
    texts = [text for text in texts_of(random, template, 40) if text is None or len(text) < 100]
    expected = [None if text is None else match_fields(text, template) for text in texts]
    for column in columns_of(texts):
        found = columns.match(column, template, threads=2).to_pylist()
        assert plain(found) == expected


@pytest.mark.parametrize("full", [400, 2**31 - 1])
@pytest.mark.parametrize("seed", range(12))
def test_columns_expand_like_rows(seed: int, full: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_execution, "run_in_kernel", partial(_execution.run_in_kernel, full=full))
    random = Random(seed)
    template = Template("/{a}{/b}{?n,c:3}{;a}{+c}", types={"n": int, "b": list})
    while seed % 4:
        template, _ = templates_of(random)
        if template.variables and "mapping" not in {
            k.shape for k in list_variable_types(template).values()
        }:
            break
    names = dict.fromkeys(variable.name for variable in template.variables)
    short = [text for text in STRINGS if len(text) < 20 and text != "\ud800"]
    values = {name: [random.choice((*short, None)) for _ in range(30)] for name in names}
    rows = zip(*values.values(), strict=True)
    expected = [expand_row(*row, template=template, names=tuple(names)) for row in rows]
    every_layout = zip(*map(columns_of, values.values()), strict=True)
    for row in every_layout:
        given = dict(zip(values, row, strict=True))
        assert columns.expand(template, given, threads=2).to_pylist() == expected
    once = {name: random.choice(short) for name in names}
    first, *others = names
    mixed = {first: values[first], **{name: once[name] for name in others}}
    expected = [
        expand_row(text, *map(once.get, others), template=template, names=(first, *others))
        for text in values[first]
    ]
    assert columns.expand(template, mixed).to_pylist() == expected


def test_a_row_that_fits_no_array_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_execution, "run_in_kernel", partial(_execution.run_in_kernel, full=5))
    for template, uri in (("/{a}", "/abcdef"), ("/x{/a*}", "/x/abcdef"), ("{?a*}", "?bcdef=j")):
        with pytest.raises(OverflowError, match="too long for this layout"):
            columns.match([uri], template)
    with pytest.raises(OverflowError, match="too long for this layout"):
        columns.expand("/{a}", {"a": ["abcdefgh"]})


def test_a_broken_row_is_an_error() -> None:
    offsets = pa.py_buffer(array("i", [0, 2, 1]))
    broken = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"/a/b")])
    with pytest.raises(ColumnError):
        columns.match(broken, "/{a}")
    with pytest.raises(ColumnError):
        columns.expand("/{a}", {"a": broken})


def test_a_row_that_is_not_utf8_has_no_expansion() -> None:
    offsets = pa.py_buffer(array("i", [0, 1, 2]))
    given = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"a\xff")])
    assert columns.expand("/{a}", {"a": given}).to_pylist() == ["/a", None]


def test_a_prefix_length_does_not_apply_to_a_list() -> None:
    template = Template("/{a:1}", types={"a": list})
    assert columns.expand(template, {"a": ["xy", None]}).to_pylist() == [None, "/"]


def test_the_kernel_routes_the_uris_whose_templates_were_tried() -> None:
    router = Router({"user": "/users/{id}", "file": "/{x}/{+path}", "list": "/{kind}/all{?q}"})
    assert router.match("/groups/all?q=1") == ("list", {"kind": "groups", "q": "1"})
    program = router._get_index().program
    # Another template goes first, and no match tried it.
    assert program.match("/users/7") is NotImplemented
    for _ in range(2):
        assert router.match("/users/7") == ("user", {"id": "7"})
        assert program.match("/users/7") == ("user", {"id": "7"})
        assert program.match("/groups/all?q=1") == ("list", {"kind": "groups", "q": "1"})
    assert program.match("/groups/a/b") is NotImplemented
    assert router.match("/groups/a/b") == ("file", {"x": "groups", "path": "a/b"})
    assert program.match("/groups/a/b") == ("file", {"x": "groups", "path": "a/b"})
    assert program.match("/groups") is None


@pytest.mark.parametrize("text", ["/x", "/\u00e9", "/x?\ue000", "/..\u00e9"])
def test_a_row_has_the_route_of_the_string(text: str) -> None:
    router = Router({"one": "/{a}"})
    route = router.match(text)
    assert columns.route([text], router).to_pylist() == [route and route.name]


def test_more_columns_than_the_kernel_expands_are_expanded() -> None:
    names = ",".join(numbered(33))
    columns_given = {name: [name] for name in numbered(33)}
    assert columns.expand(f"/{{{names}}}", columns_given).to_pylist() == [f"/{names}"]


# --- values that random templates seldom have


@pytest.mark.parametrize("length", range(1, 6))
def test_prefixes_count_characters(length: int) -> None:
    text = "a\u00e9\u20ac\U0001f600"
    template = Template(f"{{a:{length}}}", iri=False)
    expected = "".join(quote(character) for character in text[:length])
    assert template.expand_text(a=text) == expected
    assert columns.expand(template, {"a": [text]}).to_pylist() == [expected]


def test_rare_values_are_expanded_like_the_rfc_says() -> None:
    for text, value, expected in [
        *(("{;a}", [""], ";a"), ("{?a}", [""], "?a="), ("{;a}", ["", "b"], ";a=,b")),
        *(("{;a}", "", ";a"), ("{+a}", "%4", "%254"), ("{+a}", "%41%", "%41%25")),
        *(("{a}", [None, "b"], "b"), ("{a}", [("k", "v")], "k,v")),
    ]:
        assert Template(text).expand_text(a=value) == expected
        assert PythonTemplate(text).expand_text(a=value) == expected


@pytest.mark.parametrize(("kind", "value"), [(list, {"k": "v"}), (dict, ["v"])])
def test_a_value_of_the_wrong_shape_is_an_error(kind: type, value: object) -> None:
    for template in (Template, PythonTemplate):
        with pytest.raises(TypeError, match="the value of a must be a"):
            template("{.a}@", types={"a": kind}).expand_text(a=value)


def test_rare_uris_have_the_same_values() -> None:
    for text, uri, expected in [
        ("/x{?a%C3%A9}", "/x?a%c3%a9=1", {"a%C3%A9": "1"}),
        *(("/x{?a%3Ab}", "/x?a%3ab=1", {"a%3Ab": "1"}), ("/x{?a}", "/x?a=1&a=2", None)),
        *(("/x{?a}", "/x?a=1&A=2&a", None), ("/x{?a*}", "/x?a=1&a=2", {"a": ["1", "2"]})),
        *(("/x{?a*}", "/x?b=1&c=2", {"a": {"b": "1", "c": "2"}}), ("/x{?a*}", "/x?b=1&b=2", {})),
        *(("/x{?a*}", "/x?b=1&c=2&b=3", {"a": {"c": "2"}}), ("/x{?a*}", "/x?b%21=1&b!=2", None)),
        *(("/{a}", "/%E2%80%A5", None), ("/{a}", "/%C2%85", None), ("/{a}", "/%EF%BC%8E", None)),
        *(("/{a}", "/..%20", None), ("/{a}", "/%2E%2E", None), ("/..{a}", "/..%20", None)),
        *(("/.{a}", "/.%3Bx", None), ("/x{a}", "/x..%20", None), ("//{a}/x", "//a%40b/x", None)),
        *(("/{+a}", "/x//y", None), ("/{+a}/z", "/x//z", None), ("/{+a}", "/x/", {"a": "x/"})),
        *(("/{+a}", "/x%2Fy", None), ("/x?{#b}", "/x?#c", {"b": "c"})),
        *(("/x?{#b}", "/x?y#c", {"b": "c"}), ("/x", "/x#", None), ("?", "?", {}), ("?", "?/", {})),
    ]:
        for kind in (Template, PythonTemplate):
            found = kind(text).match(uri)
            assert (None if found is None else found.variables) == expected
        outcomes = [outcome(kind(text).match, uri) for kind in (Template, PythonTemplate)]
        assert outcomes[0] == outcomes[1]
        fields = [match_fields(uri, Template(text))]
        assert plain(columns.match([uri], text).to_pylist()) == fields
