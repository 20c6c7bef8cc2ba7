import gc
import sys
import weakref
from typing import Any

import pytest
from counting import collect_garbage
from platforms import FREE_THREADED

from uriverse import IRI, URI, IRIReference, Params, Segments, URIReference

#: More values than the kernel keeps memory for.
MANY = 200


counts_references = pytest.mark.skipif(
    FREE_THREADED, reason="each thread counts the references to types by itself"
)


class WithDict(URI):
    """A subclass whose objects can be part of reference cycles."""

    other: URI


class WithSlot(URI):
    __slots__ = ("other",)
    other: URI


class WithoutDict(URI):
    """A subclass whose objects have the same layout as those of `URI`."""

    __slots__ = ()


#: How to make the segments or the parameters with a given string, and their type.
VIEWS: list[tuple[Any, Any]] = [
    (Segments, lambda text: IRIReference(text).segments),
    (Params, lambda text: IRIReference(f"?{text}").params),
]
TYPES: list[Any] = [URI, URIReference, IRI, IRIReference, WithDict, WithSlot]


@counts_references
@pytest.mark.parametrize(("kind", "made"), [*((kind, kind) for kind in TYPES), *VIEWS])
def test_each_value_has_one_reference_to_its_type(kind: Any, made: Any) -> None:
    collect_garbage()
    before = sys.getrefcount(kind)
    values = [made(f"{'a:' * (kind in TYPES)}{number}") for number in range(MANY)]
    assert sys.getrefcount(kind) == before + MANY
    values.clear()
    assert sys.getrefcount(kind) == before


@pytest.mark.parametrize("kind", [WithDict, WithSlot])
def test_values_of_a_subclass_in_a_cycle_are_collected(kind: type[WithDict | WithSlot]) -> None:
    collect_garbage()
    before = sys.getrefcount(kind)
    value = kind("a:b")
    value.other = value
    reference = weakref.ref(value)
    del value
    collect_garbage()
    assert reference() is None
    assert FREE_THREADED or sys.getrefcount(kind) == before


def test_a_weak_reference_dies_with_its_value_and_not_with_the_next_one() -> None:
    dead: list[weakref.ref[URI]] = []
    value = URI("a:b")
    reference = weakref.ref(value, dead.append)
    del value
    assert dead == [reference]
    following = URI("a:c")
    assert reference() is None
    assert weakref.getweakrefcount(following) == 0
    del following
    assert dead == [reference]


def test_values_in_reused_memory_have_their_own_text_and_type() -> None:
    for kind in (URI, IRI, URIReference, IRIReference):
        values = [kind(f"http://h{number}/") for number in range(MANY)]
        assert [value.host for value in values] == [f"h{number}" for number in range(MANY)]
        assert {type(value) for value in values} == {kind}


@counts_references
def test_a_value_whose_class_changes_belongs_to_the_new_type() -> None:
    before = sys.getrefcount(WithoutDict), sys.getrefcount(URI)
    value: URI = WithoutDict("a:b")
    value.__class__ = URI
    assert (sys.getrefcount(WithoutDict), sys.getrefcount(URI)) == (before[0], before[1] + 1)
    del value
    assert (sys.getrefcount(WithoutDict), sys.getrefcount(URI)) == before
    assert str(URI("a:c")) == "a:c"


@pytest.mark.parametrize(("kind", "view"), VIEWS)
def test_views_in_reused_memory_know_nothing_of_earlier_ones(kind: Any, view: Any) -> None:
    for rounds in range(3):
        views = [view(f"a{rounds}b{number}") for number in range(MANY)]
        for number, one in enumerate(views):
            text = f"a{rounds}b{number}"
            assert [str(one), list(one), len(one)] == [text, [text], 1]
            # After several lookups, parameters have a table of all names.
            assert kind is Segments or [one.get(text) for _ in range(10)] == [""] * 10
            assert weakref.getweakrefcount(one) == 0
        references = [weakref.ref(one) for one in views]
        del views, one
        assert not any(reference() for reference in references)


@pytest.mark.parametrize(("kind", "view"), VIEWS)
def test_a_subclass_of_a_view_frees_what_it_adds(kind: Any, view: Any) -> None:
    assert view("a")
    subclass: Any = type("Subclass", (kind,), {})
    before = sys.getrefcount(subclass)
    views = [subclass("a/b") for _ in range(MANY)]
    for one in views:
        one.itself = one
    reference = weakref.ref(views[0])
    del views, one
    collect_garbage()
    assert reference() is None
    assert FREE_THREADED or sys.getrefcount(subclass) == before


@pytest.mark.parametrize(("kind", "made"), [(URI, lambda text: URI(f"a:{text}")), *VIEWS])
def test_a_finalizer_that_is_added_to_a_type_may_keep_its_values_alive(
    kind: Any, made: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Any] = []

    def keep(value: Any) -> None:
        kept.append(value)

    for _ in range(2):
        with monkeypatch.context() as patched:
            patched.setattr(kind, "__del__", keep, raising=False)
            # It is called for each object, and again after an object that was deallocated.
            for number in range(4):
                made(f"a{number}")
            # A debug build of CPython aborts if such an object is not tracked.
            assert gc.is_tracked(kept[0])
            assert [str(value)[-2:] for value in kept] == ["a0", "a1", "a2", "a3"]
            # The second deallocation calls no finalizer.
            collect_garbage()
            assert kept.pop() is not None
            assert len(kept) == 3
        following = [made(f"b{number}") for number in range(MANY)]
        assert following
        assert [str(value)[-2:] for value in kept] == ["a0", "a1", "a2"]
        kept.clear()  # deallocated without the method
