import pytest

from uriverse import URIReference, parse

#: For each component, a string without it, and a string in which it is empty.
PAIRS = [
    *(("query", "http://a", "http://a?"), ("fragment", "http://a", "http://a#")),
    *(("port_text", "http://a", "http://a:"), ("userinfo", "http://a", "http://@a")),
    *(("authority", "file:/a", "file:///a"), ("host", "file:/a", "file:///a")),
]


@pytest.mark.parametrize(("name", "without", "empty"), PAIRS)
def test_undefined_components_differ_from_empty_ones(name: str, without: str, empty: str) -> None:
    assert (getattr(parse(without), name), getattr(parse(empty), name)) == (None, "")
    assert parse(without) != parse(empty)
    assert hash(parse(without)) != hash(parse(empty))


@pytest.mark.parametrize(("name", "without", "empty"), PAIRS)
def test_edits_keep_undefined_and_empty_components(name: str, without: str, empty: str) -> None:
    edit = f"with_{name.removesuffix('_text')}"
    for text in (without, empty):
        value = parse(text)
        assert str(value.replace()) == text
        assert str(value.replace(path=value.path)) == text
    edited = getattr(parse(empty), edit)(None)
    assert str(edited) == without
    # An empty component can be added again.
    assert str(getattr(edited, edit)("")) == empty


def test_the_path_is_always_defined() -> None:
    assert parse("").path == ""
    assert parse("?#").path == ""
    assert parse("//").path == ""


@pytest.mark.parametrize(
    ("text", "port", "port_text"),
    [("//a", None, None), ("//a:", None, ""), ("//a:0", 0, "0"), ("//a:00", 0, "00")],
)
def test_port_zero_is_not_empty(text: str, port: int | None, port_text: str | None) -> None:
    value = URIReference(text)
    assert (value.port, value.port_text) == (port, port_text)


def test_username_and_password_are_none_without_their_delimiters() -> None:
    assert [(parse(t).username, parse(t).password) for t in ("//a", "//@a", "//u@a")] == [
        *((None, None), ("", None), ("u", None))
    ]
    assert [(parse(t).username, parse(t).password) for t in ("//:@a", "//u:@a", "//:p@a")] == [
        *(("", ""), ("u", ""), ("", "p"))
    ]


def test_parsing_never_repairs_lowercases_or_encodes() -> None:
    for text in [
        *("HTTP://EXAMPLE.ORG/%7Euser", "http://EXAMPLE.org:080/a/../b/./c"),
        *("http://a/%c3%a9é", ""),
        *("http://[2001:DB8:0:0:0:0:0:1]/", "http://e\u0301/\u00e9", "http://a:/", "//@a", "?#"),
    ]:
        value = parse(text)
        assert str(value) == f"{value}" == text
        assert all(
            part is None or part in text for part in (value.scheme, value.authority, value.path)
        )
