from pathlib import Path

import pytest

from uriverse import IRI, URI, ResolveError, columns, parse

DATA = Path(__file__).parents[2] / "conformance" / "data" / "relative.txt"
ROWS = [
    (base, target, *(each.strip("'") for each in (first, *rest, first)[:2]))
    for line in DATA.read_text("utf-8").splitlines()
    if line and line[0] != "#"
    for base, target, first, *rest in [line.split()]
]


@pytest.mark.parametrize(("base", "target", "reference", "below"), ROWS)
def test_relative_to_is_the_shortest(base: str, target: str, reference: str, below: str) -> None:
    for expected, walk_up in ((reference, True), (below, False)):
        for start in (base, URI(base), IRI(base)):
            if expected == "!":
                with pytest.raises(ResolveError):
                    URI(target).relative_to(start, walk_up=walk_up)
            else:
                found = URI(target).relative_to(start, walk_up=walk_up)
                assert (str(found), found._bounds) == (expected, parse(expected)._bounds)
                assert URI(base).resolve(found) == URI(target)


def test_relativize_returns_the_same_references_in_columns() -> None:
    bases, targets, *references = map(list, zip(*ROWS, strict=True))
    for expected, walk_up in zip(references, (True, False), strict=True):
        found = columns.relativize(targets, bases, walk_up=walk_up).to_pylist()
        assert found == [None if reference == "!" else reference for reference in expected]
