"""Both engines return the same types and errors of targets, and the same relative references.

`conformance.complete` compares targets with the pseudocode of RFC 3986, section 5.2.
"""

from functools import partial
from itertools import product
from random import Random
from typing import Any

import pytest
from amounts import scaled
from engines import both
from outcomes import outcome

#: Prefixes of base and target URIs, and the pieces that follow.
PREFIXES = ("s:", "s:/", "s://h", "s:///", "s:/.//", "http://u@h:8/", "t:", "é:")
PIECES = ("a", "b", "/", "//", ".", "..", ":", "?", "#", "é", "s:")


#: Bases and references, in types of which some allow only ASCII.
BASES = ("http://a/b/c?d#e", "s:", "s:a/b", "S:/.//a", "//h", "a", "http://\xe9/\xe9?\xe9", "s://h")
REFERENCES = (
    *("", "?q", "#f", "../\xe9", "..//c", "s:../c", "//g/..?#", "a b", "%", "\xe9\ud800", "http:g"),
)


@pytest.mark.parametrize("base", BASES)
def test_engines_resolve_to_values_of_the_same_type_or_raise_the_same_error(base: str) -> None:
    rules = both()[0].types
    for rule, text, strict, parsed in product(rules, REFERENCES, (True, False), (True, False)):
        if rules[rule].try_parse(base) is None or (
            parsed and rules["IRI-reference"].try_parse(text) is None
        ):
            continue
        results = []
        for engine in both():
            given = engine.types["IRI-reference"](text) if parsed else text
            results.append(outcome(partial(engine.types[rule](base).resolve, given, strict=strict)))
        assert results[0] == results[1], (rule, text, strict, parsed)


def test_engines_resolve_no_other_types_than_strings_and_uris() -> None:
    for engine, base in product(both(), ("a", "a:b")):
        with pytest.raises(TypeError, match="expected a str or a URI"):
            engine.types["URI-reference"](base).resolve(3)


@pytest.mark.parametrize(("strict", "target"), [(True, "s:"), (False, "S:a")])
def test_engines_compare_the_schemes_of_base_and_reference_alike(strict: bool, target: str) -> None:
    for engine in both():
        base = engine.types["URI-reference"]("S:a")
        assert str(base.resolve("s:", strict=strict)) == target


def test_engines_find_the_same_relative_reference() -> None:
    spec, kernel = both()
    random = Random("relative")
    rounds = scaled(30_000)
    found = 0
    for _ in range(rounds):
        base = random.choice(PREFIXES) + "".join(random.choices(PIECES, k=random.randrange(7)))
        # The target shares a prefix with the base, because unrelated URIs have little in common.
        kept = random.randrange(len(base) + 1)
        target = base[:kept] + "".join(random.choices(PIECES, k=random.randrange(4)))
        walk_up = random.random() < 0.7
        if spec.types["IRI-reference"].try_parse(target) is None:
            continue
        results: list[tuple[object, ...]] = []
        for engine in (spec, kernel):
            start: Any = base
            if random.random() < 0.5 and engine.types["IRI"].try_parse(base) is not None:
                start = engine.types["IRI"](base)
            relative_to = engine.parse(target).relative_to
            results.append(outcome(partial(relative_to, start, walk_up=walk_up)))
        assert results[0] == results[1], (base, target, walk_up)
        found += isinstance(results[0][2], tuple)
    assert found > rounds // 3


def test_engines_agree_on_relative_references_longer_than_the_target() -> None:
    spec, kernel = both()
    for up, size, tail in product((0, 1, 5, 30, 200), (0, 1, 10, 100, 1000), ("?", "#", "?q#")):
        base = "http://a/" + "x/" * up + "é"
        for path in ("b", "", "é/" * 40, "x/" * (up // 2)):
            target = f"http://a/{path}{tail}" + "q" * size
            references = []
            for engine in (spec, kernel):
                start, end = map(engine.types["IRI"], (base, target))
                references.append(str(end.relative_to(start)))
                assert str(start.resolve(references[-1])) == target
            assert references[0] == references[1], (base, target)


def test_engines_find_the_same_relative_form() -> None:
    spec, kernel = both()
    random = Random("relative form")
    for _ in range(scaled(20_000)):
        text = random.choice(("", *PREFIXES)) + "".join(
            random.choices(PIECES, k=random.randrange(6))
        )
        if spec.types["IRI-reference"].try_parse(text) is None:
            continue
        results = [outcome(engine.parse(text).relative_form) for engine in (spec, kernel)]
        assert results[0] == results[1] == outcome(partial(kernel.parse, results[0][1])), text
