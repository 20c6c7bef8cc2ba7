"""Edits of a name, a user name or a parameter in one call change what they say and nothing else."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address
from pathlib import PurePosixPath
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import as_decoded, data, references, segments

from uriverse import IRIReference, URIError, parse

#: References of any kind. Many have an authority, a query and a fragment, which edits may remove.
VALUES = st.one_of(
    references(),
    st.builds(
        "{}//{}{}{}{}".format,
        st.sampled_from(["", "s:", "HTTP:"]),
        st.sampled_from(["h", "u@h:80", "u:p:q@[::1]", ":%70%3A@é", "@", "é:@h:"]),
        st.sampled_from(["", "/", "/a", "/a/b.c.d", "/%2e/%2E%2e", "/é.%C3%A9", "//a%2fb/.c"]),
        st.sampled_from(["", "?", "?a=1&b=%7e&a=2", "?é=%FF&&c"]),
        st.sampled_from(["", "#", "#f%7e"]),
    ),
).map(parse)

#: Data for a user name or a password.
USER_DATA = st.one_of(segments(), st.sampled_from([".", "..", ":", "a:b@c/%41", "x" * 300]))

#: One parameter value, as a string.
PARAM_VALUES = st.one_of(data(), st.sampled_from(["", "a b", "+", "&=;", "é", "1"]))

#: A file extension: a dot, then a character that is not a dot, and no other dot.
SUFFIXES = st.one_of(data(), st.sampled_from(["c", "tar gz", "%2E", "é"])).map(
    lambda text: "." + text.replace(".", "")
)

NOT_PATH = ("scheme", "userinfo", "host", "port_text")
PARTS = (*NOT_PATH, "path", "query", "fragment")


def assert_sound(value: IRIReference, before: IRIReference) -> None:
    """Assert that a value parses back to itself and has the type of the value before."""
    again = type(before)(str(value))
    assert type(value) is type(before)
    assert (again, again._bounds) == (value, value._bounds)


def assert_same(names: tuple[str, ...], before: IRIReference, after: IRIReference) -> None:
    assert [getattr(after, name) for name in names] == [getattr(before, name) for name in names]


def assert_only_path(before: IRIReference, after: IRIReference) -> None:
    """Assert that an edit changed the path, removed query and fragment, and kept the rest."""
    assert_sound(after, before)
    assert_same(NOT_PATH, before, after)
    assert (after.query, after.fragment) == (None, None)


def assert_only(part: str, before: IRIReference, after: IRIReference) -> None:
    """Assert that an edit changed one component only."""
    assert_sound(after, before)
    assert_same(tuple(name for name in PARTS if name != part), before, after)


# --- names


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
def test_with_stem_sets_the_stem_and_keeps_the_suffix(
    before: IRIReference, stem: str | bytes
) -> None:
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
    # Since Python 3.14, the suffix of a name that ends with a dot is a dot.
    assume(not any(name.endswith(".") or not name.strip(".") for name in names))
    path = PurePosixPath("/", *names)
    value = parse(f"http://h{path}")
    assert (value.name, value.stem, value.suffix) == (path.name, path.stem, path.suffix)
    assert list(value.suffixes) == path.suffixes
    assert [parent.path for parent in value.parents] == list(map(str, path.parents))
    if path.name:
        assert value.with_name("c.d").path == str(path.with_name("c.d"))
        assert value.with_stem("c").path == str(path.with_stem("c"))
        assert value.with_suffix(".c").path == str(path.with_suffix(".c"))


# --- userinfo and host


@given(VALUES, USER_DATA)
def test_with_user_sets_the_user_name(before: IRIReference, user: str | bytes) -> None:
    assume(before.host is not None)
    after = before.with_username(user)
    assert (after.username, after.password) == (as_decoded(user), before.password)
    assert_only("userinfo", before, after)
    assert after.with_username(user) is after
    assert before.replace(username=user) == after


@given(VALUES, USER_DATA)
def test_with_password_sets_the_password(before: IRIReference, password: str | bytes) -> None:
    assume(before.host is not None)
    after = before.with_password(password)
    assert (after.username, after.password) == (before.username or "", as_decoded(password))
    assert_only("userinfo", before, after)
    assert after.with_password(password) is after
    assert before.replace(password=password) == after


@given(VALUES)
def test_removing_the_query_or_the_fragment_changes_nothing_else(before: IRIReference) -> None:
    assert before.without_query().query is before.without_fragment().fragment is None
    assert_only("query", before, before.without_query())
    assert_only("fragment", before, before.without_fragment())


@given(VALUES)
def test_removing_the_user_name_or_the_password_changes_nothing_else(before: IRIReference) -> None:
    assert before.without_userinfo() == before.with_username(None) == before.with_userinfo(None)
    assert before.without_userinfo().userinfo is None
    assert_only("userinfo", before, before.without_userinfo())
    after = before.with_password(None)
    assert (after.username, after.password) == (before.username, None)
    assert_only("userinfo", before, after)


@given(VALUES, USER_DATA, USER_DATA)
def test_build_encodes_user_name_and_password(
    before: IRIReference, user: str | bytes, password: str | bytes
) -> None:
    assume(before.host is not None)
    made = type(before).build(
        scheme=before.scheme,
        username=user,
        password=password,
        host=before.host,
        port=before.port_text,
        path=before.path,
        query=before.query,
        fragment=before.fragment,
    )
    assert (made.username, made.password) == (as_decoded(user), as_decoded(password))
    assert_only("userinfo", before, made)
    assert made == before.with_username(user).with_password(password)


@given(VALUES, st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)))
def test_with_host_writes_an_address(
    before: IRIReference, address: IPv4Address | IPv6Address
) -> None:
    try:
        after = before.with_host(address)
    except URIError:
        assert before.host is None  # an authority needs another kind of path
        assert before.path[:1] not in {"", "/"}
        return
    assert after.ip == address
    assert before.with_host(str(address)) == after
    assert_only("host", before, after)


# --- parameters


@given(VALUES, st.one_of(data(), st.sampled_from("ab")), PARAM_VALUES)
def test_with_param_sets_the_value(before: IRIReference, name: str, value: str) -> None:
    after = before.with_param(name, value)
    assert (after.params[name], after.params.getall(name)) == (value, [value])
    assert_only("query", before, after)
    assert after.with_param(name, value) is after
    assert before.update_params({name: value}) == after
    assert before.with_params(before.params.with_param(name, value)) == after


@given(VALUES, st.one_of(data(), st.sampled_from("ab")), PARAM_VALUES)
def test_add_param_appends_the_value(before: IRIReference, name: str, value: str) -> None:
    after = before.add_param(name, value)
    assert list(after.params.items()) == [*before.params.items(), (name, value)]
    assert_only("query", before, after)


@given(VALUES, st.sets(st.one_of(data(), st.sampled_from("abc")), max_size=3))
def test_without_params_removes_every_value(before: IRIReference, names: set[str]) -> None:
    after = before.without_params(*names)
    left = [(name, value) for name, value in before.params.items() if name not in names]
    assert list(after.params.items()) == left
    assert_only("query", before, after)
    assert after.without_params(*names) is after


@given(VALUES, st.lists(st.tuples(data(), st.one_of(PARAM_VALUES, st.lists(PARAM_VALUES)))))
def test_with_params_sets_all_parameters(before: IRIReference, pairs: list[Any]) -> None:
    after = before.with_params(pairs)
    given_values: dict[str, list[str]] = {}
    for name, value in pairs:
        given_values.setdefault(name, []).extend([value] if isinstance(value, str) else value)
    wanted = {name: values for name, values in given_values.items() if values}
    assert {name: after.params.getall(name) for name in after.params} == wanted
    assert_only("query", before, after)
    assert before.replace(params=pairs) == after


# --- several components


@given(
    VALUES,
    st.lists(segments(), min_size=1, max_size=3),
    st.dictionaries(data(), PARAM_VALUES, max_size=2),
)
def test_replace_accepts_segments_and_params(
    before: IRIReference, added: list[str | bytes], params: dict[str, str]
) -> None:
    try:
        after = before.replace(segments=["", *added], params=params)
    except URIError:
        assert before.host is None  # without an authority, a path cannot start with "//"
        assert not added[0]
        return
    assert after == before.with_segments(["", *added]).with_params(params)
    assert_same((*NOT_PATH, "fragment"), before, after)
    assert_sound(after, before)


@given(VALUES)
def test_a_constructor_returns_a_value_of_its_own_type(value: IRIReference) -> None:
    assert type(value)(value) is value
    assert parse(value) == value
