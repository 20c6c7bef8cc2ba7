from typing import Any
from urllib.parse import quote

import pytest
from matches import captured

from uriverse import TemplateError
from uriverse.templates import Template
from uriverse.templates._safety import parse_head

#: Values by the options of `allow` that they need; the last ones are never allowed.
VALUES: dict[frozenset[str] | None, tuple[str, ...]] = {
    frozenset({"empty"}): ("",),
    frozenset({"dots"}): (
        *(".", "..", "..;x", ".;", "%2e", "%252E%2e", "%25252e.", "%2E;x", ".. ", " .", "..\xa0"),
        *("..?", ".#x", "\uff0e\uff0e", "\u2025", "%E2%80%A5", "a\uff0f..", ".\u200b."),
    ),
    frozenset({"slash"}): ("/", "a/b", "a\\b", "%2F", "%5c", "%252f", "%25252F", "%5C%2f"),
    frozenset({"slash", "dots"}): (
        *("a/..", "../", "..\\b", "a\\.", "%2e%2e%2f", "a/%252e", "/..;/", "%2525252e"),
        "%2525252541",
    ),
    None: (
        *("\0", "a\n", "\x7f", "\x80", "\x9f", "%00", "%250A", "%25251f", "/%00", "%C2%85"),
        "..%00",
    ),
}
HAZARDS = {value: needed for needed, values in VALUES.items() for value in values}
SAFE = (
    *("a", "...", "a.", "..a", ";", ";..", "a;..", "%", "%%", "%zz", "100%", "%41", "%2541", "?"),
    *("#", ":", "@", "\u00e9", "\u2019", "%FF", "%C0%AF", "\xa0", "~", "%E2%80%99", "a%20b", " "),
)
ALLOWED = [
    *(set[str](), {"slash"}, {"dots"}, {"empty"}, {"slash", "dots"}, {"slash", "dots", "empty"})
]


@pytest.mark.parametrize("allow", ALLOWED, ids=lambda allow: "-".join(sorted(allow)) or "nothing")
def test_a_value_matches_only_if_all_its_hazards_are_allowed(allow: Any) -> None:
    template = Template("x/{a}", allow=allow, safe=True)
    for value, needed in HAZARDS.items():
        uri = f"x/{quote(value, safe='')}"
        if needed is not None and needed <= allow:
            assert captured(template.match(uri)) == {"a": value}
            assert str(template.expand(a=value)) == uri
            continue
        assert template.match(uri) is None
        with pytest.raises(TemplateError) as caught:
            template.expand(a=value)
        error = caught.value
        assert (error.text, error.component, error.rule) == ("", "path", "varname"), value
        assert error.variable == "a"
        assert error.reason.startswith("unsafe ")
        assert error.reason.endswith(" in the value of a")
        assert "value is meant" in error.hint or (needed is None and not error.hint), value
        assert str(Template("x/{a}").expand(a=value)) == uri


def test_other_values_are_safe() -> None:
    for value in SAFE:
        template = Template("/{a}", safe=True)
        assert captured(template.match(template.expand(a=value))) == {"a": value}
    # Undefined variables are safe.
    assert str(Template("/x{/a}{?b}{#c}", safe=True).expand()) == "/x"
    # A query may begin at the end of a safe value.
    template = Template("/{+a}{?b}", safe=True)
    assert str(template.expand(a="x/", b="..")) == "/x/?b=.."
    assert str(Template("/{+a}#{b}", safe=True).expand(a="x", b="..")) == "/x#.."
    # `expand_text` is checked as well.
    with pytest.raises(TemplateError, match="unsafe dot segment in the value of a"):
        Template("/{a}", safe=True).expand_text(a="..")


@pytest.mark.parametrize("text", ["x{?a}", "x?b={a}", "x?{a}", "x?b{;a}", "x#{a}"])
def test_values_after_the_path_may_be_anything(text: str) -> None:
    template = Template(text, safe=True)
    for value in HAZARDS:
        assert captured(template.match(template.expand(a=value))) == {"a": value}


def test_each_item_and_each_key_is_checked() -> None:
    for text in ["{/a*}", "x{.a*}", "/{a*}", "x{;a*}"]:
        for value in ["", "..", "a/b", "\0", "%2f"]:
            template = Template(text)
            assert template.match(template.expand(a=["a", "b"])) is not None
            assert template.match(template.expand(a=["a", value, "b"])) is None
            with pytest.raises(TemplateError, match="in the value of a"):
                Template(text, safe=True).expand(a=["a", value])
    # Keys of mappings are checked.
    for text in ["{/a*}", "x{;a*}", "/{a}"]:
        for pairs in [{"..": "b"}, {"a/b": "c"}, {"": "b"}, {"b": ""}, {"b": "\0"}]:
            template = Template(text, types={"a": dict})
            assert template.match(template.expand(a={"b": "c"})) is not None
            assert template.match(template.expand(a=pairs)) is None
            with pytest.raises(TemplateError, match="in the value of a"):
                Template(text, types={"a": dict}, safe=True).expand(a=pairs)


@pytest.mark.parametrize(
    ("value", "hazard"),
    [
        *(("a/../b", "dots"), ("..", "dots"), ("a/.", "dots"), ("a/..;b/c", "dots")),
        *(("%2e%2E", "dots"), ("a//b", "empty"), ("/a", "empty"), ("", "empty")),
        *(("a%2Fb", "slash"), ("a\\b", "slash"), ("a%5Cb", "slash"), ("a?b", "slash")),
        *(("a#b", "slash"), ("a%00b", None), ("a\x7f", None), ("%FF", None), ("%25252F", "slash")),
    ],
)
def test_reserved_values_are_checked(value: str, hazard: str | None) -> None:
    template = Template("/x/{+a}", safe=True)
    with pytest.raises(TemplateError, match="in the value of a") as caught:
        template.expand(a=value)
    assert caught.value.hint == (
        "" if hazard is None else f'set allow={{"{hazard}"}} if the value is meant'
    )
    found = template.match(Template("/x/{+a}").expand(a=value))
    # After "?", or "#", the value is not in the path.
    assert found is None or found.variables == {"a": "a"}
    if hazard is not None:
        allowing = Template("/x/{+a}", safe=True, allow={hazard})  # type: ignore[arg-type]
        assert allowing.expand(a=value) == Template("/x/{+a}").expand(a=value)


def test_reserved_values_create_no_empty_segment() -> None:
    for text, uri, is_safe in [
        *(("/{+a}", "//a", False), ("/{+a}/b", "/a//b", False), ("/{+a}/b", "/a/b", True)),
        *(("/{+a}", "/a/", True), ("{+a}", "//h/a", False), ("{+a}", "http://h/a", True)),
        *(("{+a}", "http://h//a", False), ("{+a}", "a//b", False)),
        *(("{+a}/b", "http://h//b", False), ("{+a}{+b}", "//", False)),
    ]:
        assert bool(Template(text).match_all(uri)) is is_safe
    # An empty segment may be allowed.
    template = Template("/{+a}", allow={"empty"})
    assert captured(template.match("/a//b")) == {"a": "a//b"}
    # Reserved values may have several segments.
    for value in ["a", "a/b", "a/", "a/b/c.d;e", "a%20b", "a%3Fb", "\u00e9", "%25"]:
        template = Template("/x/{+a}", safe=True)
        assert template.match(template.expand(a=value)) is not None


def test_hazards_may_be_allowed_for_some_variables() -> None:
    template = Template("/{a}/{b}", allow={"b": {"dots"}}, safe=True)
    assert template.match("/x/..") is not None
    assert template.match("/../x") is None
    assert str(template.expand(a="x", b="..")) == "/x/.."
    with pytest.raises(TemplateError, match="in the value of a"):
        template.expand(a="..", b="x")
    # A value in the authority is checked.
    template = Template("http://{a}/", safe=True)
    for value in ("", ".", "a/b", "a\\b", "a\0"):
        with pytest.raises(TemplateError, match="in the value of a"):
            template.expand(a=value)
        assert template.match(Template("http://{a}/").expand(a=value)) is None


# --- values together with the characters around them


def outcome(text: str, values: dict[str, object], **options: Any) -> str | None:
    """Return the safe expansion, or `None` if it is refused."""
    try:
        return Template(text, safe=True, **options).expand_text(values)
    except TemplateError:
        return None


def test_a_reserved_value_never_extends_the_host() -> None:
    for value in ["@evil.example/x", ".evil.example", ":80@evil.example/", "x"]:
        assert outcome("https://example.org{+path}", {"path": value}) is None
        assert Template("https://example.org{+path}").match(f"https://example.org{value}") is None
    # A reserved value may follow the host.
    assert outcome("https://h{+path}", {"path": "/a/b"}) == "https://h/a/b"
    assert captured(Template("https://h{+path}").match("https://h/a/b")) == {"path": "/a/b"}


def test_no_value_changes_the_parts_of_a_uri() -> None:
    values: Any
    text: Any
    allow: Any
    for text, uri in [
        ("https://{host}/", "https://evil.example%40good.example/"),
        ("https://{name}.example.org/", "https://a%3A80.example.org/"),
        ("https://{name}.example.org/", "https://a%2540.example.org/"),
        *(("docs{+path}", "docs:evil"), ("{+path}", "//evil.example/")),
        ("file://{+path}", "file:////evil"),
    ]:
        assert Template(text).match(uri) is None
        assert not Template(text).match_all(uri)
    # Other values in an authority match.
    for text, uri, variables in [
        ("https://{user}:{password}@h/", "https://a:p%40q@h/", {"user": "a", "password": "p@q"}),
        ("file://{+path}", "file:///etc/hosts", {"path": "/etc/hosts"}),
        ("{+uri}", "file:///etc/hosts", {"uri": "file:///etc/hosts"}),
        ("docs://{+path}", "docs://a/b", {"path": "a/b"}),
        ("docs{+path}", "docs/a", {"path": "/a"}),
    ]:
        assert captured(Template(text).match(uri)) == variables
    # No expansion has another scheme or authority than its template.
    for text, values, allow in [
        *(("/{x}/y", {}, set()), ("/{x}/y", {"x": []}, set())),
        ("{/x*}", {"x": ["", "evil.example"]}, {"empty"}),
        ("/{x}/{+y}", {"x": "", "y": "evil.example"}, {"empty"}),
        ("{x}{+y}", {"x": "a", "y": ":b"}, set()),
    ]:
        assert outcome(text, values, allow=allow) is None


def test_a_value_and_a_literal_are_no_dot_segment_together() -> None:
    values: Any
    text: Any
    allow: Any
    for text, values, allow in [
        *(("/d/{.x*}", {"x": ["", ""]}, {"empty"}), ("/..{x}", {"x": ";a"}, set())),
        *(("/.{+x}", {"x": "./a"}, set()), ("/.{+x}", {"x": "/a"}, set())),
        ("/{x}.", {"x": "%20"}, {"dots"}),
    ]:
        if allow != {"dots"}:
            assert outcome(text, values, allow=allow) is None
            expansion = Template(text).expand_text(values)
            assert Template(text, allow=allow).match(expansion) is None
        else:
            assert outcome(text, values, allow=allow) is not None
    # Dot segments of the template itself match.
    assert captured(Template("/../{x}/./b").match("/../a/./b")) == {"x": "a"}
    # The template itself is never unsafe.
    for text in ["a]b:/c{x}", ":{x}", "1:{x}", "//a:b{x}", "a/b:c{x}"]:
        assert outcome(text, {"x": "y"}) == text.replace("{x}", "y")
        assert str(Template(text, safe=True).partial()) == text
    # The dot at the end of an authority is no dot segment.
    assert (parse_head("http://a./../b").dots, parse_head("http://a/.").dots) == (
        [(10, 12)],
        [(9, 10)],
    )
