"""Building and editing never move a character from one component into another."""

from __future__ import annotations

from collections.abc import Callable
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

#: The attribute for each component argument of `build`.
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


def reparsed(value: IRIReference) -> IRIReference:
    """Parse the string of a value again, so that no component is taken from the original value."""
    return IRIReference(str(value))


@given(st.sampled_from(TYPES).flatmap(lambda rule: st.tuples(st.just(rule), parts(rule))))
def test_build_keeps_valid_components_unchanged(case: tuple[str, Parts]) -> None:
    rule, given_parts = case
    built = KINDS[rule].build(**given_parts)
    assert type(built) is KINDS[rule]
    assert parts_of(reparsed(built)) == given_parts


@given(st.sampled_from(TYPES), hostile_parts())
def test_build_keeps_hostile_components_unchanged_or_raises_build_error(
    rule: str, given_parts: Parts
) -> None:
    try:
        built = KINDS[rule].build(**given_parts)
    except BuildError as error:
        assert 0 <= error.position <= len(error.text)  # noqa: PT017 - it may be built
    else:
        assert parts_of(reparsed(built)) == given_parts


#: Components that often form a URI only with "/." or "./" before the path.
SHIELDED = st.fixed_dictionaries(
    {
        **dict.fromkeys(NAMES, st.none()),
        "scheme": st.sampled_from([None, "s"]),
        "path": st.builds("{}{}".format, st.sampled_from(["//", "a:"]), produced("ipath-abempty")),
        "query": optional(produced("iquery")),
    }
)


@given(st.sampled_from(TYPES), st.one_of(hostile_parts(), SHIELDED))
def test_shield_adds_only_a_dot_segment_to_the_path(rule: str, given_parts: Parts) -> None:
    try:
        built = KINDS[rule].build(**given_parts, protect_path=True)
    except BuildError:
        # Components that fail with `protect_path=True` also fail without it.
        with pytest.raises(BuildError):
            KINDS[rule].build(**given_parts)
    else:
        found = parts_of(reparsed(built))
        path = found.pop("path")
        expected = given_parts["path"]
        assert path in {expected, f"/.{expected}", f"./{expected}"}
        assert found == {name: part for name, part in given_parts.items() if name != "path"}
        if path != expected:
            with pytest.raises(BuildError):
                KINDS[rule].build(**given_parts)


@given(produced("IRI-reference"), st.sampled_from(sorted(NAMES)), hostile())
def test_replacing_a_component_changes_no_other_component(text: str, name: str, part: str) -> None:
    value = IRIReference(text)
    edit = getattr(value, f"with_{name}")
    try:
        edited = edit(part)
    except BuildError:
        return
    assert parts_of(reparsed(edited)) == {**parts_of(value), name: part}


@given(
    st.sampled_from(TYPES).flatmap(lambda rule: st.tuples(st.just(rule), produced(rule))),
    st.sampled_from(sorted(NAMES)),
    st.one_of(hostile(), produced("ihost"), produced("port"), produced("ipath"), st.none()),
)
def test_with_methods_equal_replace_for_one_component(
    case: tuple[str, str], name: str, part: str | None
) -> None:
    value = KINDS[case[0]](case[1])
    if name == "path":
        part = part or ""
    changes: dict[str, Any] = {name: part}
    try:
        expected = value.replace(**changes)
    except BuildError as error:
        with pytest.raises(BuildError) as caught:
            getattr(value, f"with_{name}")(part)
        assert vars(caught.value) == vars(error)  # noqa: PT017 - it may be built
    else:
        edited = getattr(value, f"with_{name}")(part)
        assert (type(edited), edited, edited._bounds) == (type(value), expected, expected._bounds)


@given(produced("IRI-reference"), st.sampled_from(sorted(set(NAMES) - {"path"})))
def test_removing_a_component_changes_no_other_component(text: str, name: str) -> None:
    value = IRIReference(text)
    try:
        edited = getattr(value, f"with_{name}")(None)
    except BuildError:
        return
    assert parts_of(reparsed(edited)) == {**parts_of(value), name: None}


@given(produced("IRI-reference"), hostile())
def test_with_authority_changes_only_the_authority(text: str, authority: str) -> None:
    value = IRIReference(text)
    try:
        edited = value.with_authority(authority)
    except BuildError:
        return
    found = reparsed(edited)
    assert found.authority == authority
    kept = ("scheme", "path", "query", "fragment")
    assert [getattr(found, n) for n in kept] == [getattr(value, n) for n in kept]


@pytest.mark.parametrize("protect_path", [False, True])
def test_build_keeps_every_short_host_userinfo_and_path_or_raises_build_error(
    protect_path: bool,
) -> None:
    bits = ("", "a", ":", "/", "//", "@", "?", "#", "[", "]", "[::1]", "1", "%41", "%", "a:1", ".")
    for host, userinfo, path in product(
        (None, *bits, "[::1]:1", "a@b", "a/b"), (None, *bits), ("", *bits, "/a", "a:b", "//a", "/:")
    ):
        expected: dict[str, Any] = {"host": host, "userinfo": userinfo, "path": path}
        try:
            built = URIReference.build(**expected, protect_path=protect_path)
        except BuildError:
            continue
        found = URIReference(str(built))
        assert (found.scheme, found.port_text, found.query, found.fragment) == (None,) * 4
        assert (found.host, found.userinfo) == (host, userinfo)
        assert found.path in ({path, f"/.{path}", f"./{path}"} if protect_path else {path})


@given(produced("IRI-reference"), st.lists(segments(), min_size=1, max_size=3))
def test_joinpath_changes_only_the_path_and_appends_each_segment(
    text: str, added: list[str | bytes]
) -> None:
    value = IRIReference(text)
    assume(all(added))
    joined = value.joinpath(*added)
    assert parts_of(joined) | {"path": ""} == parts_of(value) | {"path": ""}
    before = list(value.segments)
    if before and before[-1] == "":
        # The empty last segment of "a/" or "/" is replaced by the first new segment.
        before.pop()
    start = [""] if not before and (value.path or value.host is not None) else []
    assert list(joined.segments) == start + before + list(map(as_decoded, added))


@given(produced("IRI-reference"), data())
def test_the_slash_operator_equals_joinpath_with_one_segment(text: str, segment: str) -> None:
    value = IRIReference(text)
    assert value / segment == value.joinpath(segment)


@given(
    produced("IRI-reference"),
    st.tuples(st.sampled_from([[], ["", ""]]), st.lists(segments(), max_size=4)).map(
        lambda both: both[0] + both[1]
    ),
    st.booleans(),
)
def test_with_segments_keeps_the_data_of_each_segment_or_raises_build_error(
    text: str, given_segments: list[str | bytes], protect_path: bool
) -> None:
    value = IRIReference(text)
    try:
        edited = value.with_segments(given_segments, protect_path=protect_path)
    except BuildError:
        return
    assert parts_of(reparsed(edited)) | {"path": ""} == parts_of(value) | {"path": ""}
    assert_segments_read_back(edited, list(map(as_decoded, given_segments)), protect_path)


def assert_segments_read_back(value: IRIReference, expected: list[str], protect_path: bool) -> None:
    """Assert that the path of a URI has the given segments, after the dot segment of a shield."""
    found = list(reparsed(value).segments)
    if found != expected:
        assert protect_path
        assert (value.host, expected[:2]) == (None, ["", ""])
        assert found == ["", ".", *expected[1:]]


@pytest.mark.parametrize("kind", KINDS.values())
@pytest.mark.parametrize("protect_path", [False, True])
def test_every_short_list_of_segments_reads_back_or_raises_build_error(
    kind: type[IRIReference], protect_path: bool
) -> None:
    pieces = ("", "a", "a:b", "a/b", ".", "..a", "%2F", "é", b"", b"\xff")
    wanted: Any
    for length in range(4):
        for wanted in product(pieces, repeat=length):
            expected = list(map(as_decoded, wanted))
            for text in ("s:", "s:a/b?q", "s://h", "s://h/a/b/#f", "", "a", "/a", "//h", "//h/a"):
                value = kind.try_parse(text)
                if value is None:
                    continue
                edits: tuple[Callable[[], IRIReference], ...] = (
                    lambda: value.with_segments(wanted, protect_path=protect_path),  # noqa: B023
                    lambda: value.replace(segments=wanted, protect_path=protect_path),  # noqa: B023
                    lambda: kind.build(
                        scheme=value.scheme,  # noqa: B023
                        host=value.host,  # noqa: B023
                        segments=wanted,  # noqa: B023
                        protect_path=protect_path,
                    ),
                )
                results = []
                for edit in edits:
                    try:
                        edited = edit()
                    except BuildError as error:
                        results.append(str(error))
                    else:
                        assert_segments_read_back(edited, expected, protect_path)
                        results.append(edited.path)
                assert len(set(results)) == 1


@pytest.mark.parametrize("authority", ["", "//h"])
def test_a_single_empty_segment_is_rejected_with_what_to_write_instead(authority: str) -> None:
    value = URI(f"s:{authority}")
    for edit in (value.with_segments, lambda given: value.replace(segments=given)):
        for wanted in ([""], (b"",), iter([""])):
            with pytest.raises(BuildError, match="a single empty segment") as caught:
                edit(wanted)
            assert caught.value.hint == 'pass ["", ""] for the path "/", or [] for an empty path'
    assert value.with_segments(["", ""]).path == value.with_segments(value.segments[:0]).path + "/"


@pytest.mark.parametrize(
    ("parts_given", "position", "component", "hint"),
    [
        ({"path": "//x"}, 1, "path", 'write "/." before the path, or set protect_path=True'),
        ({"path": "a:b"}, 1, "path", 'write "./" before the path, or set protect_path=True'),
        ({"host": "h", "path": "x"}, 0, "path", 'write "/" before the path'),
        ({"userinfo": "u"}, 0, "userinfo", 'pass a host, or host="" for an empty host'),
        ({"port": "1"}, 0, "port", 'pass a host, or host="" for an empty host'),
        (
            {"host": "evil.example/", "path": "/x"},
            12,
            "host",
            'end the host before "/", and pass the rest as other components',
        ),
        ({"host": "a@b"}, 1, "host", "pass the userinfo as a separate argument"),
        ({"userinfo": "u@v", "host": "h"}, 1, "userinfo", "percent-encode it as %40"),
        ({"query": "a#b"}, 1, "query", "percent-encode it as %23"),
    ],
)
def test_a_component_that_would_spill_over_raises_an_error_with_position_and_hint(
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
def test_shield_changes_a_path_only_if_necessary(parts_given: Parts, text: str) -> None:
    assert str(URIReference.build(**parts_given, protect_path=True)) == text
