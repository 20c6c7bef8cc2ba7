"""Editing one component, segment or parameter changes no other character of the identifier."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import data, produced, references, segments

from uriverse import IRIReference, Params, URIError, compose, parse
from uriverse._uri.engine import data_text


def strings_of(*pieces: str) -> st.SearchStrategy[str]:
    """Strings of some pieces, which have more special cases than strings of an ABNF rule."""
    return st.lists(st.sampled_from(pieces), max_size=9).map("".join)


#: Identifiers with all components, or most of them.
FULL = st.builds(
    compose,
    st.sampled_from([None, "s", "HTTP"]),
    st.sampled_from(["", "a", "u@a:", "u:p%3a@[::1]:080", "é:@[v1.a]", ":@1.2.3.4:5"]),
    strings_of(
        "/", "/", "a", "b.c", ".", "..", ":", "%2F", "%7e", "%FF", "é", "%C3%A9", ";=", "@"
    ).map(lambda path: f"/{path}" if path else path),
    strings_of(
        "&", ";", "=", "a", "b", "%61", "+", "%20", "%2B", "%FF", "é", "%c3%a9", "?/", "%3D"
    ),
    st.sampled_from([None, "", "f%7e"]),
)

VALUES = st.one_of(data(), st.binary(max_size=4), st.integers(), st.dates(), st.none())


def components_of(value: IRIReference) -> dict[str, str | None]:
    """Return the components of an identifier as written."""
    return {
        "scheme": value.scheme,
        "userinfo": value.userinfo,
        "host": value.host,
        "port": value.port_text,
        "path": value.path,
        "query": value.query,
        "fragment": value.fragment,
    }


def assert_only_changed(part: str, before: IRIReference, after: IRIReference) -> None:
    mine, others = components_of(before), components_of(after)
    del mine[part], others[part]
    assert mine == others


#: The components that are strings, each with its ABNF rule.
TEXTS = {
    "scheme": "scheme",
    "userinfo": "iuserinfo",
    "host": "ihost",
    "path": "ipath-abempty",
    "query": "iquery",
    "fragment": "ifragment",
}


@pytest.mark.parametrize("part", TEXTS)
@given(st.data())
def test_replacing_a_component_changes_nothing_else(part: str, draw: Any) -> None:
    before = IRIReference(draw.draw(FULL))
    text = draw.draw(produced(TEXTS[part]))
    try:
        after = getattr(before, f"with_{part}")(text)
    except URIError:
        # The new value is not allowed there, or would become part of another component.
        return
    assert components_of(after)[part] == text
    assert_only_changed(part, before, after)


@given(FULL, st.one_of(st.integers(0, 99999), produced("port"), st.none()))
def test_replacing_the_port_changes_nothing_else(text: str, port: int | str | None) -> None:
    before = IRIReference(text)
    after = before.with_port(port)
    assert after.port_text == (None if port is None else str(port))
    assert_only_changed("port", before, after)


@given(FULL, segments(), st.data())
def test_replacing_a_segment_changes_nothing_else(
    text: str, segment: str | bytes, draw: Any
) -> None:
    before = parse(text)
    found = before.segments
    assume(found)
    index = draw.draw(st.integers(int(found.is_absolute), len(found) - 1))
    try:
        after = before.with_segments(found.with_segment(index, segment))
    except URIError:
        # The new segment would become part of another component.
        return
    assert_only_changed("path", before, after)
    raw, edited = list(before.raw_segments), list(after.raw_segments)
    assert after.segments[index] == data_text(segment, "a segment")
    del raw[index], edited[index]
    assert raw == edited


@given(references(), data(), st.sampled_from(["name", "stem", "suffix", "parent"]))
@example("A:", ":.:", "stem")
def test_replacing_the_last_segment_keeps_the_segments_before_it(
    text: str, name: str, edit: str
) -> None:
    before = parse(text)
    found = before.segments
    try:
        edited = {
            "name": lambda: found.with_name(name),
            "stem": lambda: found.with_stem(name),
            "suffix": lambda: found.with_suffix(f".{name}"),
            "parent": lambda: found.parent,
        }[edit]()
        after = before.with_segments(edited)
    except URIError:
        return
    assert_only_changed("path", before, after)
    if edit == "parent":
        assert edited.raw == found.raw[: len(edited.raw)] or edited.path in {"", "/"}
        assert found.path.startswith(edited.path)
    else:
        assert edited.raw[:-1] == found.raw[:-1]
    if edit == "name":
        assert edited.name == data_text(name, "a name")
    # As in `pathlib`, a stem with a dot becomes a stem and a suffix if there was no suffix.
    if edit == "stem" and (found.suffix or "." not in name):
        assert edited.suffix == found.suffix


def others(params: Params, name: str | bytes) -> list[str]:
    """Return all parameters of a query as written, except those with the given name."""
    wanted = data_text(name, "a name")
    return [piece for piece, found in params._parts() if found is None or found != wanted]


@given(
    FULL,
    st.sampled_from(["form", "rfc3986"]),
    st.sampled_from("&;"),
    st.one_of(data(), st.binary(max_size=3)),
    st.one_of(VALUES, st.lists(VALUES, max_size=3)),
    st.data(),
)
def test_replacing_a_parameter_keeps_all_others(
    text: str, codec: Any, separator: Any, other: str | bytes, value: Any, draw: Any
) -> None:
    before = parse(text)
    params = before.params.with_codec(codec=codec, separator=separator)
    name = draw.draw(st.sampled_from([*params, other]))
    try:
        edited = params.with_param(name, value)
    except URIError:
        assert not name  # an empty name needs a value
        return
    after = before.with_params(edited)
    assert_only_changed("query", before, after)
    # A new parameter replaces an empty one at the end of the query.
    left, now = others(params, name), others(edited, name)
    assert now == left or (left[-1:] == [""] and now == left[:-1])
    # The query has the new value, and a second call changes nothing.
    assert len(edited.getall(name, [])) == (len(value) if isinstance(value, list) else 1)
    assert edited.with_param(name, value).query == edited.query
    # Removing the parameter again leaves the others.
    assert others(edited.without(name), name) == now


@given(FULL, st.sampled_from("&;"), st.data())
def test_removing_parameters_keeps_all_others(text: str, separator: Any, draw: Any) -> None:
    before = parse(text)
    params = before.params.with_codec(separator=separator)
    assume(params)
    name = draw.draw(st.sampled_from(list(params)))
    for edited in (params.without(name), params.with_param(name, [])):
        assert edited._pieces() == others(params, name)
        assert name not in edited
        assert_only_changed("query", before, before.with_params(edited))


@given(FULL, st.lists(segments(), min_size=1, max_size=3))
def test_appending_segments_changes_nothing_else(text: str, added: list[str | bytes]) -> None:
    before = parse(text)
    try:
        after = before.joinpath(*added)
    except URIError:
        return
    assert_only_changed("path", before, after)
    assert after.path.startswith(before.path)
    # An empty segment is a trailing slash, which the next segment replaces.
    kept = [data_text(segment, "a segment") for segment in added if segment]
    assert [segment for segment in after.segments if segment][-len(kept) :] == kept or not kept


@given(FULL, data(), st.one_of(VALUES, st.lists(VALUES, max_size=3)))
def test_adding_a_parameter_changes_nothing_else(text: str, name: str, value: Any) -> None:
    before = parse(text)
    assume(name or value is not None)
    assume(name or not isinstance(value, list) or None not in value)
    edited = before.params.add_param(name, value)
    assert_only_changed("query", before, before.with_params(edited))
    assert str(edited).startswith(str(before.params))
    count = len(value) if isinstance(value, list) else 1
    assert len(edited) == len(before.params) + count


@given(FULL, st.dictionaries(st.text("abc%&=+ ", min_size=1, max_size=2), VALUES, min_size=5))
def test_updating_parameters_keeps_all_others(text: str, changes: dict[str, Any]) -> None:
    before = parse(text)
    edited = before.params.updated(changes)
    assert_only_changed("query", before, before.with_params(edited))
    names = set(changes)
    left = [piece for piece, name in before.params._parts() if name not in names]
    now = [piece for piece, name in edited._parts() if name not in names]
    assert now == left or (left[-1:] == [""] and now == left[:-1])
    assert [edited.getall(name) for name in changes] == [
        Params().with_param(name, value).getall(name) for name, value in changes.items()
    ]


@given(FULL, st.sampled_from("&;"))
def test_sorting_and_filtering_keep_every_parameter(text: str, separator: Any) -> None:
    params = parse(text).params.with_codec(separator=separator)
    assert sorted(params.sorted()._pieces()) == sorted(params._pieces())
    assert params.filter().query == params.query
    assert params.sorted().sorted().query == params.sorted().query


@given(references())
def test_setting_the_same_params_or_segments_returns_the_same_object(text: str) -> None:
    value = parse(text)
    assert value.with_params(value.params) is value
    assert value.with_segments(value.segments) is value
