from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import segments

from uriverse import URI, BuildError, IRIReference, parse

PAGE = URI("http://h/x/y/z?q")

#: Paths that often share segments.
PATHS = st.lists(
    st.sampled_from(["a", "b", "", "c:d", ".", "..", "%2E%2e", "é", "..."]), max_size=5
).map("/".join)


@st.composite
def similar(draw: st.DrawFn) -> IRIReference:
    """A reference that often shares its scheme, authority and segments with another one."""
    prefix = draw(
        st.sampled_from(["", "/", "//h", "//h/", "x:", "x:/", "x://h", "x://h/", "X://h/"])
    )
    suffix = draw(st.sampled_from(["", "?", "?q/../a", "#f"]))
    value = IRIReference.try_parse(prefix + draw(PATHS) + suffix)
    assume(value is not None)
    return value or parse("")


def has_dots(segments: tuple[str, ...]) -> bool:
    return any(each.lower().replace("%2e", ".") in {".", ".."} for each in segments)


def is_below(value: IRIReference, base: IRIReference) -> bool:
    """Return whether the segments of a value start with those of a base, without dots after it."""
    if (value.scheme, value.authority) != (base.scheme, base.authority):
        return False
    if value.path == base.path:
        return True
    if not base.path:
        return base.authority is not None and not has_dots(value.raw_segments)
    start = base.raw_segments
    if not start[-1]:
        start = start[:-1]  # the slash at the end of a directory
    if base.scheme and all(has_dots((each,)) for each in start):
        return False  # reference resolution leaves nothing of the path of the base
    rest = value.raw_segments[len(start) :]
    return value.raw_segments == start + rest and bool(rest) and not has_dots(rest)


def unshielded(value: IRIReference) -> str:
    return value.path[2:] if value.path.startswith("/.//") else value.path


def stays_below(value: IRIReference, base: IRIReference) -> bool:
    """Return whether a path without dot segments is that of a base, or continues it."""
    path, start = unshielded(value), unshielded(base)
    same_root = (value.scheme, value.authority) == (base.scheme, base.authority)
    return same_root and (path == start or path.startswith(start.removesuffix("/") + "/"))


@given(similar(), similar())
@example(parse("x://h/a"), parse("x://h"))
@example(parse("x://h/a/"), parse("x://h/a"))
@example(parse("x://h/a"), parse("x://h/a/"))
@example(parse("x://h/a/%2E./b"), parse("x://h/a"))
@example(parse("x:../a"), parse("x:../"))
def test_the_segments_of_a_uri_start_with_those_of_the_base(
    value: IRIReference, base: IRIReference
) -> None:
    assert value.is_relative_to(base) == value.is_relative_to(str(base)) == is_below(value, base)


@given(similar(), similar())
@example(parse("x:/.//a"), parse("x:/."))
@example(parse("../a"), parse(".."))
@example(parse("x:./a"), parse("x:."))
def test_uris_stay_below_their_base_without_dots(value: IRIReference, base: IRIReference) -> None:
    if value.is_relative_to(base):
        assert stays_below(value.normalize(), base.normalize())
        assert stays_below(PAGE.resolve(value), PAGE.resolve(base))


@given(similar(), st.lists(segments(), min_size=1, max_size=3))
def test_a_uri_with_more_segments_is_relative_to_the_one_before(
    base: IRIReference, more: list[str | bytes]
) -> None:
    assume(base.path or base.authority is not None)
    try:
        value = base.joinpath(*more)
    except BuildError:
        return  # a segment is "." or ".."
    assert value.is_relative_to(base)
    assert base.is_relative_to(value) == (value.path == base.path)
    assert base.is_relative_to(base)
