import pytest

from uriverse import parse

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


def test_username_and_password_are_none_without_their_delimiters() -> None:
    assert [(parse(t).username, parse(t).password) for t in ("//a", "//@a", "//u@a")] == [
        *((None, None), ("", None), ("u", None))
    ]
    assert [(parse(t).username, parse(t).password) for t in ("//:@a", "//u:@a", "//:p@a")] == [
        *(("", ""), ("u", ""), ("", "p"))
    ]
