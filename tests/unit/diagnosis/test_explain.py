import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from uriverse import URI, ParseError, diagnosis, explain, parse
from uriverse._errors import count_columns
from uriverse.diagnosis import why_invalid
from uriverse.diagnosis._explanation import INDENT, Part, draw_figure

# The figure of RFC 3986, section 3, without the URN below it.
FIGURE = r"""
  foo://example.com:8042/over/there?name=ferret#nose
  \_/   \______________/\_________/ \_________/ \__/
   |           |            |            |        |
scheme     authority       path        query   fragment
""".strip("\n")


def test_a_figure_shows_the_components() -> None:
    for text, drawn in [
        ("foo://example.com:8042/over/there?name=ferret#nose", FIGURE.splitlines()),
        # Labels without room side by side are stacked.
        (
            "http://a/b",
            [
                *("  http://a/b", r"  \__/   |\/", "   |     ||", "   |     |path"),
                *("   |     authority", "   scheme"),
            ],
        ),
        # Empty components are marked at their delimiter.
        ("http://example.com/a?#", ["  http://example.com/a?#", r"  \__/   \_________/\/||"]),
        # Marks without a base character are drawn after the character on their left.
        ("//\u0301?\u0301", ["  //\u0301?\u0301", "   ||"]),
        ("", ["URIReference", "  path  0-0  path-empty  (empty)"]),
    ]:
        assert str(explain(text)).splitlines()[: len(drawn)] == drawn
        assert ("query (empty)" in str(explain(text))) is ("?#" in text)


def test_public_names_are_imported_from_their_modules_when_first_used() -> None:
    for name in diagnosis.__all__:
        assert vars(diagnosis)["__getattr__"](name) is getattr(diagnosis, name) is not None


def test_long_components_are_shortened_in_the_figure_only() -> None:
    long = "x" * 200
    drawn = str(explain(f"http://a/{long}"))
    assert max(map(len, drawn.split("\n\n", 1)[0].splitlines())) <= 100
    assert long in drawn


@pytest.mark.parametrize(("letter", "count"), [("b", 96), ("日", 48)])
def test_components_are_shortened_only_beyond_100_columns(letter: str, count: int) -> None:
    assert str(explain("foo:" + letter * count)).splitlines()[0] == "  foo:" + letter * count
    assert "…" in str(explain("foo:" + letter * count + "b")).splitlines()[0]


def test_components_have_names_rules_and_spans() -> None:
    explanation = explain("http://me@[::1]:80/a?b#c")
    assert [(p.name, p.rule, p.text) for p in explanation.components] == [
        *(("scheme", "scheme", "http"), ("authority", "authority", "me@[::1]:80")),
        *(("userinfo", "userinfo", "me"), ("host", "IP-literal", "[::1]"), ("port", "port", "80")),
        *(("path", "path-abempty", "/a"), ("query", "query", "b"), ("fragment", "fragment", "c")),
    ]
    for part in explanation.components:
        assert explanation.text[part.start : part.end] == part.text
    rules = {part.name: part.rule for part in explain("//é/").components}
    assert rules == {"authority": "iauthority", "host": "ireg-name", "path": "ipath-abempty"}
    assert explain("//127.0.0.1").components[1].rule == "IPv4address"
    assert str(explain(URI("a:b"))) == str(explain("a:b"))


def test_explain_shows_the_error_of_an_invalid_string() -> None:
    explanation = explain("http://a/abcdef%zz")
    assert (explanation.valid, explanation.components) == (False, ())
    assert (explanation.type, explanation.host_kind, explanation.value) == (None, None, None)
    assert isinstance(explanation.error, ParseError)
    assert str(explanation) == str(explanation.error)


def test_as_dict_contains_the_whole_explanation() -> None:
    assert explain("//a").as_dict() == {
        "text": "//a",
        "valid": True,
        "type": "URIReference",
        "host_kind": "reg-name",
        "components": [
            {"name": "authority", "rule": "authority", "start": 2, "end": 3, "text": "a"},
            {"name": "host", "rule": "reg-name", "start": 2, "end": 3, "text": "a"},
            {"name": "path", "rule": "path-abempty", "start": 3, "end": 3, "text": ""},
        ],
        "error": None,
    }
    assert explain("a b").as_dict()["error"] == {
        "component": "path",
        "position": 1,
        "rule": "ipath-noscheme",
        "reason": "invalid space in path",
        "hint": "percent-encode it as %20",
    }


def test_repr_masks_passwords() -> None:
    assert "secret" not in repr(explain("http://me:secret@a/"))
    assert "secret" not in repr(explain("http://me:secret@a b/"))
    assert "secret" in str(explain("http://me:secret@a/"))


def test_control_and_bidi_characters_are_shown_as_escapes() -> None:
    assert "\x1b" not in str(explain("a\x1b[2Jb"))
    assert "\u202e" not in str(explain("//a\u202eb/"))
    assert r"\u202e" in str(explain("//a\u202eb/"))


@given(st.text())
@example("")
@example("//")
@example("a:b?c#d")
@example("\ud800")
@example("//e\u0301/\u0301")
def test_explain_accepts_any_string(text: str) -> None:
    explanation = explain(text)
    assert explanation.valid == (explanation.error is None)
    assert str(explanation)
    assert all(line == line.rstrip() for line in str(explanation).split("\n"))


@given(st.lists(st.text("abc", max_size=12), min_size=1, max_size=6))
def test_every_label_is_drawn_under_its_component(texts: list[str]) -> None:
    names = ["alpha", "be", "gamma-delta", "e", "zeta", "eta"]
    parts, at = [], 0
    for name, text in zip(names, texts, strict=False):
        parts.append(Part(name, "", at, at + len(text), text))
        at += len(text) + 1
    lines = draw_figure("/".join(texts), parts)
    for part in parts:
        # An empty component has its bracket under the delimiter before it.
        first = INDENT + part.start - (part.start == part.end)
        last = INDENT + max(part.end, part.start) - 1
        width = last - first + 1
        assert lines[1][first : last + 1] == ("|" if width == 1 else f"\\{'_' * (width - 2)}/")
        pattern = rf"(?<![^ |]){part.name}(?: \(empty\))?(?!\S)"
        [(row, label)] = [
            (row, found)
            for row, line in enumerate(lines)
            if row > 2 and (found := re.search(pattern, line))
        ]
        # A line connects the bracket and the label.
        assert any(
            all(line[column : column + 1] == "|" for line in lines[2:row])
            for column in range(max(first, label.start()), min(last + 1, label.end()))
        )


def test_why_invalid_names_the_requested_rule() -> None:
    assert why_invalid("http://a/", "absolute-URI") is None
    error = why_invalid("http://a/#b", "absolute-URI")
    assert error
    assert (error.rule, error.position, error.component) == ("absolute-URI", 9, "fragment")
    with pytest.raises(TypeError, match="expected a str or a URI, not int"):
        why_invalid(5, "URI")  # type: ignore[arg-type]
    assert why_invalid(parse("a"), "URI-reference") is None


def test_combining_marks_take_no_column() -> None:
    for text in ("http://a/हिन्दी?q", "http://a/ทั้งหมด?q", "http://a/\u1112\u1161\u11ab?q"):
        drawn, brackets = str(explain(text)).splitlines()[:2]
        assert count_columns(drawn.split("?", 1)[0]) == brackets.rindex("/") + 1
    assert str(explain("a:x" + "\u0301" * 100_000)).count("\u0301") >= 100_000
    text, brackets = str(explain("http://日本.example/é")).splitlines()[:2]
    assert count_columns(text.split("/é", 1)[0]) == brackets.rindex("\\/")


def test_long_components_are_shortened_by_columns_between_characters() -> None:
    private = str(explain("a:?" + "\ue000" * 30 + "#" + "x" * 60)).splitlines()[0]
    assert private.startswith(r"  a:?\ue000\ue000\ue000…#")
    wide = str(explain("a:" + "日" * 60)).splitlines()[0]
    assert count_columns(wide) <= 26
