import sys
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from itertools import product
from pathlib import PurePosixPath
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
    references,
    segments,
)

from uriverse import IRI, URI, BuildError, IRIReference, Params, URIError, URIReference, parse
from uriverse._spec.syntax import RULES
from uriverse._uri.engine import decode_if_bytes

KINDS = {kind._rule: kind for kind in (URI, URIReference, IRI, IRIReference)}

#: The attribute for each component argument of `build`.
NAMES = {
    **{name: name for name in ("scheme", "userinfo", "host", "path", "query", "fragment")},
    "port": "port_text",
}

#: References of any kind. Many have an authority, a query and a fragment, which edits may remove.
VALUES = st.one_of(
    references(),
    st.builds(
        "{}//{}{}{}{}".format,
        st.sampled_from(["", "s:", "HTTP:"]),
        st.sampled_from(["h", "u@h:80", "u:p:q@[::1]", ":%70%3A@é", "@", "é:@h:", "@[v1.a]:080"]),
        st.one_of(
            st.sampled_from(["", "/", "/a/b.c.d", "/%2e/%2E%2e", "/é.%C3%A9", "//a%2fb/.c", "/;="]),
            st.lists(st.sampled_from("/ab.:é"), max_size=6).map(lambda path: "/" + "".join(path)),
        ),
        st.one_of(
            st.sampled_from(["", "?", "?a=1&b=%7e&a=2", "?é=%FF&&c", "?a;b=%61;%61+%20=%2B"]),
            st.lists(st.sampled_from(["&", ";", "=", "a", "b", "%61", "+", "%FF", "é"]), max_size=9)
            .map("".join)
            .map("?".__add__),
        ),
        st.sampled_from(["", "#", "#f%7e"]),
    ),
).map(parse)

#: Data for a user name or a password.
USER_DATA = st.one_of(segments(), st.sampled_from([".", "..", ":", "a:b@c/%41", "x" * 300]))

#: Values of a parameter.
PARAM_VALUES = st.one_of(
    data(), st.binary(max_size=4), st.integers(), st.dates(), st.sampled_from(["", "a b", "&=;+"])
)

#: A file extension: a dot, then a character that is not a dot, and no other dot.
SUFFIXES = st.one_of(data(), st.sampled_from(["c", "tar gz", "%2E", "é"])).map(
    lambda text: "." + text.replace(".", "")
)


def parts_of(value: IRIReference) -> Parts:
    """Parse the string of a value again, so that no component is taken from the original value."""
    again = type(value)(str(value))
    assert (again, again._bounds) == (value, value._bounds)
    return {name: getattr(again, attribute) for name, attribute in NAMES.items()}


def assert_only(part: str, before: IRIReference, after: IRIReference) -> None:
    assert type(after) is type(before)
    mine, others = parts_of(before), parts_of(after)
    del mine[part], others[part]
    assert mine == others


def assert_only_path(before: IRIReference, after: IRIReference) -> None:
    assert_only("path", before.without_query().without_fragment(), after)


@given(st.sampled_from(TYPES).flatmap(lambda rule: st.tuples(st.just(rule), parts(rule))))
def test_build_keeps_valid_components_unchanged(case: tuple[str, Parts]) -> None:
    rule, given_parts = case
    built = KINDS[rule].build(**given_parts)
    assert type(built) is KINDS[rule]
    assert parts_of(built) == given_parts


#: Components that often form a URI only with "/." or "./" before the path.
SHIELDED = st.fixed_dictionaries(
    {
        **dict.fromkeys(NAMES, st.none()),
        "scheme": st.sampled_from([None, "s"]),
        "path": st.builds("{}{}".format, st.sampled_from(["//", "a:"]), produced("ipath-abempty")),
        "query": optional(produced("iquery")),
    }
)


def build(rule: str, given_parts: Parts, *, protect_path: bool) -> Parts | None:
    """Return the components of a value that is built, or None if they are rejected."""
    try:
        built = KINDS[rule].build(**given_parts, protect_path=protect_path)
    except BuildError as error:
        # It may be built, so `pytest.raises` does not apply.
        assert error.text in {"", *(part for part in given_parts.values() if part is not None)}  # noqa: PT017
        assert 0 <= error.position <= len(error.text)  # noqa: PT017
        assert error.rule in RULES  # noqa: PT017
        return None
    return parts_of(built)


@given(st.sampled_from(TYPES), st.one_of(hostile_parts(), SHIELDED))
def test_build_keeps_hostile_parts_or_adds_one_dot_segment(rule: str, given_parts: Parts) -> None:
    exact = build(rule, given_parts, protect_path=False)
    assert exact in (None, given_parts)
    found = build(rule, given_parts, protect_path=True)
    if exact is not None or found is None:
        assert found == exact
        return
    path = given_parts["path"]
    assert found in [{**given_parts, "path": f"{dot}{path}"} for dot in ("/.", "./")]


@pytest.mark.parametrize(
    ("parts_given", "position", "component", "hint"),
    [
        ({"path": "//x"}, 1, "path", 'write "/." before the path, or set protect_path=True'),
        ({"path": "a:b"}, 1, "path", 'write "./" before the path, or set protect_path=True'),
        ({"host": "h", "path": "x"}, 0, "path", 'write "/" before the path'),
        ({"userinfo": "u"}, 0, "userinfo", 'pass a host, or host="" for an empty host'),
        ({"port": "1"}, 0, "port", 'pass a host, or host="" for an empty host'),
        (
            *({"host": "evil.example/", "path": "/x"}, 12, "host"),
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


# --- components (`test_edit_sequences.py` has more edits)


@given(
    st.sampled_from(TYPES).flatmap(lambda rule: st.tuples(st.just(rule), produced(rule))),
    st.sampled_from(sorted(NAMES)),
    st.one_of(hostile(), produced("ihost"), produced("port"), produced("ipath"), st.none()),
)
def test_with_methods_equal_replace(case: tuple[str, str], name: str, part: str | None) -> None:
    value = KINDS[case[0]](case[1])
    part = part or "" if name == "path" else part
    changes: dict[str, Any] = {name: part}
    try:
        expected = value.replace(**changes)
    except BuildError as error:
        with pytest.raises(BuildError) as caught:
            getattr(value, f"with_{name}")(part)
        assert vars(caught.value) == vars(error)  # noqa: PT017 - it may be built
    else:
        assert getattr(value, f"with_{name}")(part) == expected
        assert_only(name, value, expected)
        assert parts_of(expected)[name] == part


@given(produced("IRI-reference"), hostile())
def test_with_authority_changes_only_the_authority(text: str, authority: str) -> None:
    value = IRIReference(text)
    try:
        edited = value.with_authority(authority)
    except BuildError:
        return
    found = IRIReference(str(edited))
    assert found.authority == authority
    kept = ("scheme", "path", "query", "fragment")
    assert [getattr(found, n) for n in kept] == [getattr(value, n) for n in kept]


@given(VALUES, st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_with_host_sets_addresses(before: IRIReference, address: IPv4Address | IPv6Address) -> None:
    try:
        after = before.with_host(address)
    except URIError:
        assert before.host is None  # an authority needs another kind of path
        assert before.path[:1] not in {"", "/"}
        return
    assert after.ip == address
    assert before.with_host(str(address)) == after
    assert_only("host", before, after)


@given(VALUES, USER_DATA, USER_DATA)
def test_user_name_and_password_are_encoded(
    before: IRIReference, user: str | bytes, password: str | bytes
) -> None:
    assume(before.host is not None)
    renamed, changed = before.with_username(user), before.with_password(password)
    assert (renamed.username, renamed.password) == (as_decoded(user), before.password)
    assert (changed.username, changed.password) == (before.username or "", as_decoded(password))
    for after in (renamed, changed):
        assert_only("userinfo", before, after)
    assert renamed.with_username(user) is renamed
    assert changed.with_password(password) is changed
    assert before.replace(username=user) == renamed
    assert before.replace(password=password) == changed
    others = {name: part for name, part in parts_of(before).items() if name != "userinfo"}
    made = type(before).build(**others, username=user, password=password)
    assert made == renamed.with_password(password)


@given(VALUES)
def test_removing_components_changes_nothing_else(before: IRIReference) -> None:
    assert before.without_query().query is before.without_fragment().fragment is None
    assert_only("query", before, before.without_query())
    assert_only("fragment", before, before.without_fragment())
    assert before.without_userinfo() == before.with_username(None) == before.with_userinfo(None)
    assert before.without_userinfo().userinfo is None
    assert_only("userinfo", before, before.without_userinfo())
    after = before.with_password(None)
    assert (after.username, after.password) == (before.username, None)
    assert_only("userinfo", before, after)


@given(VALUES, segments())
def test_with_name_sets_the_name(before: IRIReference, name: str | bytes) -> None:
    after = before.with_name(name)
    assert after.name == as_decoded(name)
    assert_only_path(before, after)
    assert list(after.raw_segments[:-1]) == (
        list(before.raw_segments[:-1]) or [""] * (before.host is not None and bool(after.path))
    )
    assert after.with_name(name) is after


@given(VALUES, SUFFIXES)
def test_with_suffix_sets_the_suffix_and_keeps_the_stem(before: IRIReference, suffix: str) -> None:
    assume(suffix != ".")
    if before.name in {"", ".", ".."}:
        return
    after = before.with_suffix(suffix)
    assert (after.suffix, after.stem) == (suffix, before.stem)
    assert_only_path(before, after)
    assert after.with_suffix(suffix) is after
    if before.stem not in {".", ".."}:
        assert before.with_suffix("").name == before.stem


@given(VALUES, segments())
def test_with_stem_sets_only_the_stem(before: IRIReference, stem: str | bytes) -> None:
    assume(stem)
    after = before.with_stem(stem)
    assert after.name == as_decoded(stem) + before.suffix
    if before.suffix:
        assert (after.stem, after.suffix) == (as_decoded(stem), before.suffix)
    assert_only_path(before, after)


@given(VALUES)
def test_parents_are_the_repeated_parent(before: IRIReference) -> None:
    value, found = before, []
    while value.path not in {"", "/"}:
        value = value.parent
        found.append(value)
        assert len(value.path) < len(before.path)
    assert list(before.parents) == found
    for parent in (before.parent, *found):
        assert_only_path(before, parent)
        assert before.path.startswith(parent.path)


@given(st.lists(st.text("ab.-", min_size=1, max_size=5), max_size=4))
def test_names_agree_with_pathlib(names: list[str]) -> None:
    # Since Python 3.14, the suffix of a name that ends with a dot is a dot, and `..a` has none.
    assume(not any(name.endswith(".") or not name.strip(".") for name in names))
    assume(sys.version_info < (3, 14) or not any(name.startswith("..") for name in names))
    path = PurePosixPath("/", *names)
    value = parse(f"http://h{path}")
    assert (value.name, value.stem, value.suffix) == (path.name, path.stem, path.suffix)
    assert list(value.suffixes) == path.suffixes
    assert [parent.path for parent in value.parents] == list(map(str, path.parents))
    if path.name:
        assert value.with_name("c.d").path == str(path.with_name("c.d"))
        assert value.with_stem("c").path == str(path.with_stem("c"))
        assert value.with_suffix(".c").path == str(path.with_suffix(".c"))


@given(VALUES, st.lists(segments(), min_size=1, max_size=3))
def test_joinpath_changes_only_the_path_and_appends_each_segment(
    value: IRIReference, added: list[str | bytes]
) -> None:
    assert value / added[0] == value.joinpath(added[0])
    assume(all(added))
    joined = value.joinpath(*added)
    assert_only("path", value, joined)
    before = list(value.segments)
    if before and before[-1] == "":
        # The empty last segment of "a/" or "/" is replaced by the first new segment.
        before.pop()
    start = [""] if not before and (value.path or value.host is not None) else []
    assert list(joined.segments) == start + before + list(map(as_decoded, added))


@given(
    VALUES,
    st.tuples(st.sampled_from([[], ["", ""]]), st.lists(segments(), max_size=4)).map(
        lambda both: both[0] + both[1]
    ),
    st.booleans(),
)
def test_with_segments_keeps_the_data_of_each_segment_or_raises_build_error(
    value: IRIReference, given_segments: list[str | bytes], protect_path: bool
) -> None:
    try:
        edited = value.with_segments(given_segments, protect_path=protect_path)
    except BuildError:
        return
    assert_only("path", value, edited)
    assert_segments_read_back(edited, list(map(as_decoded, given_segments)), protect_path)


def assert_segments_read_back(value: IRIReference, expected: list[str], protect_path: bool) -> None:
    found = list(IRIReference(str(value)).segments)
    assert value.with_segments(value.segments) is value
    if found != expected:
        assert protect_path
        assert (value.host, expected[:2]) == (None, ["", ""])
        assert found == ["", ".", *expected[1:]]


@pytest.mark.parametrize("kind", KINDS.values())
@pytest.mark.parametrize("protect_path", [False, True])
def test_every_short_list_of_segments_reads_back_or_raises_build_error(
    kind: type[IRIReference], protect_path: bool
) -> None:
    pieces = ("", "a", "a:b", "a/b", ".", "%2F", "é", b"\xff")
    texts = ("s:", "s:a/b?q", "s://h/a/b/#f", "", "/a", "//h")
    wanted: Any
    for length, text in product(range(3), texts):
        value = kind.try_parse(text)
        for wanted in product(pieces, repeat=length) if value is not None else ():
            assert value is not None
            parent: dict[str, Any] = {
                "scheme": value.scheme,
                "host": value.host,
                "protect_path": protect_path,
            }
            edits: tuple[Callable[[], IRIReference], ...] = (
                lambda: value.with_segments(wanted, protect_path=protect_path),  # noqa: B023
                lambda: value.replace(segments=wanted, protect_path=protect_path),  # noqa: B023
                lambda: kind.build(segments=wanted, **parent),  # noqa: B023
            )
            results = set()
            for edit in edits:
                try:
                    edited = edit()
                except BuildError as error:
                    results.add(str(error))
                else:
                    assert_segments_read_back(edited, list(map(as_decoded, wanted)), protect_path)
                    results.add(edited.path)
            assert len(results) == 1


@pytest.mark.parametrize("authority", ["", "//h"])
def test_a_single_empty_segment_is_rejected_with_what_to_write_instead(authority: str) -> None:
    value = URI(f"s:{authority}")
    for edit in (value.with_segments, lambda given: value.replace(segments=given)):
        for wanted in ([""], (b"",), iter([""])):
            with pytest.raises(BuildError, match="a single empty segment") as caught:
                edit(wanted)
            assert caught.value.hint == 'pass ["", ""] for the path "/", or [] for an empty path'
    assert value.with_segments(["", ""]).path == value.with_segments(value.segments[:0]).path + "/"


def others(params: Params, names: set[str]) -> list[str]:
    pieces = params._list_named_pieces()
    return [piece for piece, name in pieces if name is None or name not in names]


@given(
    VALUES,
    st.sampled_from(["form", "rfc3986"]),
    st.sampled_from("&;"),
    st.one_of(data(), st.binary(max_size=3)),
    st.one_of(st.none(), PARAM_VALUES, st.lists(st.one_of(PARAM_VALUES, st.none()), max_size=3)),
    st.data(),
)
def test_replacing_a_parameter_keeps_all_others(
    before: IRIReference, codec: Any, separator: Any, other: str | bytes, value: Any, draw: Any
) -> None:
    params = before.params.with_codec(codec=codec, separator=separator)
    name = draw.draw(st.sampled_from([*params, other]))
    names = {decode_if_bytes(name, "a name")}
    try:
        edited = params.with_param(name, value)
        added = params.add_param(name, value)
    except URIError:
        assert not name  # an empty name needs a value
        return
    assert_only("query", before, before.with_params(edited))
    # A new parameter replaces an empty one at the end of the query.
    left, now = others(params, names), others(edited, names)
    assert now == left or (left[-1:] == [""] and now == left[:-1])
    # The query has the new value, and a second call changes nothing.
    count = len(value) if isinstance(value, list) else 1
    assert len(edited.getall(name, [])) == count
    assert edited.with_param(name, value).query == edited.query
    # Removing the parameter again leaves the others.
    assert others(edited.without(name), names) == now
    assert str(added).startswith(str(params))
    assert len(added) == len(params) + count
    if (codec, separator) == ("form", "&"):
        after = before.with_param(name, value)
        assert before.update_params({name: value}) == after == before.with_params(edited)
        assert before.add_param(name, value) == before.with_params(added)


@given(VALUES, st.sampled_from("&;"), st.data())
def test_removing_parameters_keeps_others(before: IRIReference, separator: Any, draw: Any) -> None:
    params = before.params.with_codec(separator=separator)
    assume(params)
    names = draw.draw(st.sets(st.sampled_from(list(params)), min_size=1, max_size=3))
    edited = params.without(*names)
    assert edited._split_pieces() == others(params, names)
    assert names.isdisjoint(edited)
    assert_only("query", before, before.with_params(edited))
    if separator == "&":
        after = before.without_params(*names)
        assert after == before.with_params(edited)
        assert after.without_params(*names) is after


@given(VALUES, st.dictionaries(st.text("abc%&=+ ", min_size=1, max_size=2), PARAM_VALUES))
def test_updating_parameters_keeps_others(before: IRIReference, changes: dict[str, Any]) -> None:
    edited = before.params.updated(changes)
    assert_only("query", before, before.with_params(edited))
    left, now = (others(params, set(changes)) for params in (before.params, edited))
    assert now == left or (left[-1:] == [""] and now == left[:-1])
    assert [edited.getall(name) for name in changes] == [
        Params().with_param(name, value).getall(name) for name, value in changes.items()
    ]


@given(VALUES, st.lists(st.tuples(data(), st.one_of(data(), st.lists(data())))))
def test_with_params_sets_all_parameters(before: IRIReference, pairs: list[Any]) -> None:
    after = before.with_params(pairs)
    given_values: dict[str, list[str]] = {}
    for name, value in pairs:
        given_values.setdefault(name, []).extend([value] if isinstance(value, str) else value)
    wanted = {name: values for name, values in given_values.items() if values}
    assert {name: after.params.getall(name) for name in after.params} == wanted
    assert_only("query", before, after)
    assert before.replace(params=pairs) == after


@given(VALUES, st.sampled_from("&;"))
def test_sorting_and_filtering_keep_every_parameter(value: IRIReference, separator: Any) -> None:
    params = value.params.with_codec(separator=separator)
    assert sorted(params.sorted()._split_pieces()) == sorted(params._split_pieces())
    assert params.filter().query == params.query
    assert value.with_params(value.params) is value
    assert params.sorted().sorted().query == params.sorted().query
