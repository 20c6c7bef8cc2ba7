"""No component ever becomes part of another."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import (
    TYPES,
    Parts,
    as_decoded,
    data,
    hostile,
    hostile_parts,
    optional,
    parts,
    produced,
    segments,
)

from uriverse import IRI, URI, BuildError, IRIReference, URIReference

KINDS = {kind._rule: kind for kind in (URI, URIReference, IRI, IRIReference)}

#: The names of the parts in `build`, and as attributes.
NAMES = {
    "scheme": "scheme",
    "userinfo": "userinfo",
    "host": "host",
    "port": "port_text",
    "path": "path",
    "query": "query",
    "fragment": "fragment",
}


def parts_of(value: IRIReference) -> Parts:
    return {name: getattr(value, attribute) for name, attribute in NAMES.items()}


def read_again(value: IRIReference) -> IRIReference:
    """The same text, read anew: what was built can't have brought parts of its own."""
    return IRIReference(str(value))


@given(st.sampled_from(TYPES).flatmap(lambda rule: st.tuples(st.just(rule), parts(rule))))
def test_right_parts_are_built_and_read_back(case: tuple[str, Parts]) -> None:
    rule, given_parts = case
    built = KINDS[rule].build(**given_parts)
    assert type(built) is KINDS[rule]
    assert parts_of(read_again(built)) == given_parts


@given(st.sampled_from(TYPES), hostile_parts())
def test_any_parts_are_read_back_or_refused(rule: str, given_parts: Parts) -> None:
    try:
        built = KINDS[rule].build(**given_parts)
    except BuildError as error:
        assert 0 <= error.position <= len(error.text)  # noqa: PT017 - it may be built
    else:
        assert parts_of(read_again(built)) == given_parts


#: Parts of which many can be built with a shield only.
SHIELDED = st.fixed_dictionaries(
    {
        **dict.fromkeys(NAMES, st.none()),
        "scheme": st.sampled_from([None, "s"]),
        "path": st.builds("{}{}".format, st.sampled_from(["//", "a:"]), produced("ipath-abempty")),
        "query": optional(produced("iquery")),
    }
)


@given(st.sampled_from(TYPES), st.one_of(hostile_parts(), SHIELDED))
def test_shielding_changes_only_the_path_and_only_by_a_dot_segment(
    rule: str, given_parts: Parts
) -> None:
    try:
        built = KINDS[rule].build(**given_parts, shield=True)
    except BuildError:
        # What can't be built with a shield can't be built without one.
        with pytest.raises(BuildError):
            KINDS[rule].build(**given_parts)
    else:
        found = parts_of(read_again(built))
        path = found.pop("path")
        wanted = given_parts["path"]
        assert path in {wanted, f"/.{wanted}", f"./{wanted}"}
        assert found == {name: part for name, part in given_parts.items() if name != "path"}
        if path != wanted:
            with pytest.raises(BuildError):
                KINDS[rule].build(**given_parts)


@given(produced("IRI-reference"), st.sampled_from(sorted(NAMES)), hostile())
def test_an_edit_changes_its_own_part_and_no_other(text: str, name: str, part: str) -> None:
    value = IRIReference(text)
    edit = getattr(value, f"with_{name}")
    try:
        edited = edit(part)
    except BuildError:
        return
    assert parts_of(read_again(edited)) == {**parts_of(value), name: part}


@given(
    st.sampled_from(TYPES).flatmap(lambda rule: st.tuples(st.just(rule), produced(rule))),
    st.sampled_from(sorted(NAMES)),
    st.one_of(hostile(), produced("ihost"), produced("port"), produced("ipath"), st.none()),
)
def test_editing_one_part_is_replacing_it(
    case: tuple[str, str], name: str, part: str | None
) -> None:
    value = KINDS[case[0]](case[1])
    if name == "path":
        part = part or ""
    changes: dict[str, Any] = {name: part}
    try:
        wanted = value.replace(**changes)
    except BuildError as error:
        with pytest.raises(BuildError) as caught:
            getattr(value, f"with_{name}")(part)
        assert vars(caught.value) == vars(error)  # noqa: PT017 - it may be built
    else:
        edited = getattr(value, f"with_{name}")(part)
        assert (type(edited), edited, edited._bounds) == (type(value), wanted, wanted._bounds)


@given(produced("IRI-reference"), st.sampled_from(sorted(set(NAMES) - {"path"})))
def test_taking_a_part_away_leaves_the_others(text: str, name: str) -> None:
    value = IRIReference(text)
    try:
        edited = getattr(value, f"with_{name}")(None)
    except BuildError:
        return
    assert parts_of(read_again(edited)) == {**parts_of(value), name: None}


@given(produced("IRI-reference"), hostile())
def test_an_authority_given_whole_is_read_back_whole(text: str, authority: str) -> None:
    value = IRIReference(text)
    try:
        edited = value.with_authority(authority)
    except BuildError:
        return
    found = read_again(edited)
    assert found.authority == authority
    kept = ("scheme", "path", "query", "fragment")
    assert [getattr(found, n) for n in kept] == [getattr(value, n) for n in kept]


@pytest.mark.parametrize("shield", [False, True])
def test_every_short_host_userinfo_and_path_is_read_back_or_refused(shield: bool) -> None:
    bits = ("", "a", ":", "/", "//", "@", "?", "#", "[", "]", "[::1]", "1", "%41", "%", "a:1", ".")
    for host, userinfo, path in product(
        (None, *bits, "[::1]:1", "a@b", "a/b"), (None, *bits), ("", *bits, "/a", "a:b", "//a", "/:")
    ):
        wanted: dict[str, Any] = {"host": host, "userinfo": userinfo, "path": path}
        try:
            built = URIReference.build(**wanted, shield=shield)
        except BuildError:
            continue
        found = URIReference(str(built))
        assert (found.scheme, found.port_text, found.query, found.fragment) == (None,) * 4
        assert (found.host, found.userinfo) == (host, userinfo)
        assert found.path in ({path, f"/.{path}", f"./{path}"} if shield else {path})


@given(produced("IRI-reference"), st.lists(segments(), min_size=1, max_size=3))
def test_joining_changes_the_path_only_and_adds_a_segment_each(
    text: str, added: list[str | bytes]
) -> None:
    value = IRIReference(text)
    assume(all(added))
    joined = value.joinpath(*added)
    assert parts_of(joined) | {"path": ""} == parts_of(value) | {"path": ""}
    before = list(value.segments)
    if before and before[-1] == "":
        # A trailing slash, and the root, hold the place of the next segment.
        before.pop()
    start = [""] if not before and (value.path or value.host is not None) else []
    assert list(joined.segments) == start + before + list(map(as_decoded, added))


@given(produced("IRI-reference"), data())
def test_a_slash_is_joining_with_one_segment(text: str, segment: str) -> None:
    value = IRIReference(text)
    assert value / segment == value.joinpath(segment)


@given(
    produced("IRI-reference"),
    st.tuples(st.sampled_from([[], ["", ""]]), st.lists(segments(), max_size=4)).map(
        lambda both: both[0] + both[1]
    ),
    st.booleans(),
)
def test_segments_given_as_data_are_read_back_or_refused(
    text: str, given_segments: list[str | bytes], shield: bool
) -> None:
    value = IRIReference(text)
    try:
        edited = value.with_segments(given_segments, shield=shield)
    except BuildError:
        return
    assert parts_of(read_again(edited)) | {"path": ""} == parts_of(value) | {"path": ""}
    decoded = list(map(as_decoded, given_segments))
    wanted = ["", ""] if decoded == [""] else decoded
    if list(edited.segments) != wanted:
        assert shield
        assert (edited.host, wanted[:2]) == (None, ["", ""])
        assert list(edited.segments) == ["", ".", *wanted[1:]]


@pytest.mark.parametrize(
    ("parts_given", "position", "component", "hint"),
    [
        ({"path": "//x"}, 1, "path", 'write "/." before the path, or set shield=True'),
        ({"path": "a:b"}, 1, "path", 'write "./" before the path, or set shield=True'),
        ({"host": "h", "path": "x"}, 0, "path", 'write "/" before the path'),
        ({"userinfo": "u"}, 0, "userinfo", 'pass a host, or host="" for an empty host'),
        ({"port": "1"}, 0, "port", 'pass a host, or host="" for an empty host'),
        (
            {"host": "evil.example/", "path": "/x"},
            12,
            "host",
            'end the host before "/", and pass the rest as other components',
        ),
        ({"host": "a@b"}, 1, "host", 'percent-encode an "@" in the userinfo as %40'),
        ({"userinfo": "u@v", "host": "h"}, 1, "userinfo", "percent-encode it as %40"),
        ({"query": "a#b"}, 1, "query", "percent-encode it as %23"),
    ],
)
def test_what_would_bleed_is_refused_with_its_place_and_a_way_out(
    parts_given: Parts, position: int, component: str, hint: str
) -> None:
    with pytest.raises(BuildError) as caught:
        URIReference.build(**parts_given)
    error = caught.value
    assert (error.position, error.component, error.hint) == (position, component, hint)


@pytest.mark.parametrize(
    ("parts_given", "text"),
    [
        ({"path": "//x"}, "/.//x"),
        ({"path": "a:b"}, "./a:b"),
        ({"scheme": "f", "path": "//x"}, "f:/.//x"),
        ({"scheme": "f", "path": "a:b"}, "f:a:b"),
        ({"host": "h", "path": "//x"}, "//h//x"),
        ({"path": "/a:b"}, "/a:b"),
    ],
)
def test_a_shield_is_put_where_it_is_needed_only(parts_given: Parts, text: str) -> None:
    assert str(URIReference.build(**parts_given, shield=True)) == text
