"""Both engines resolve references exactly as the pseudocode of RFC 3986, section 5.2, does."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from amounts import scaled
from engines import both
from hypothesis import given
from hypothesis import strategies as st
from strategies import produced
from walker import sample

from uriverse import IRI, IRIReference, URIError, parse
from uriverse._spec.components import Parts, compose, split
from uriverse._spec.resolution import resolve

SEGMENTS = ("a", ".", "..", "", "a:b", "%2e")

#: Prefixes of base and target URIs, and the pieces that follow.
PREFIXES = ("s:", "s:/", "s://h", "s:///", "s:/.//", "http://u@h:8/", "t:", "é:")
PIECES = ("a", "b", "/", "//", ".", "..", ":", "?", "#", "é", "s:")


def literal_remove_dot_segments(path: str) -> str:
    """Remove dot segments as in section 5.2.4, with two strings as buffers."""
    given, output = path, ""
    while given:
        if given.startswith("../"):
            given = given[3:]
        elif given.startswith("./"):
            given = given[2:]
        elif given.startswith("/./"):
            given = "/" + given[3:]
        elif given == "/.":
            given = "/"
        elif given.startswith("/../") or given == "/..":
            given = "/" + given[4:]
            output = output[: output.rfind("/")] if "/" in output else ""
        elif given in {".", ".."}:
            given = ""
        else:
            end = given.find("/", 1)
            end = len(given) if end < 0 else end
            output, given = output + given[:end], given[end:]
    return output


def literal_resolve(base: Parts, reference: Parts) -> str:
    """Resolve as in section 5.2.2, without a "/." before a path that starts with "//"."""
    t: dict[str, str | None]
    t = {"scheme": base.scheme, "authority": base.authority, "query": reference.query}
    if reference.scheme is not None:
        t = {**reference._asdict(), "path": literal_remove_dot_segments(reference.path)}
    elif reference.authority is not None:
        t |= {"authority": reference.authority}
        t |= {"path": literal_remove_dot_segments(reference.path)}
    elif reference.path == "":
        t |= {"path": base.path}
        if reference.query is None:
            t |= {"query": base.query}
    elif reference.path.startswith("/"):
        t |= {"path": literal_remove_dot_segments(reference.path)}
    else:
        t |= {"path": literal_remove_dot_segments(literal_merge(base, reference.path))}
    t["fragment"] = reference.fragment
    return literal_compose(t)


def literal_merge(base: Parts, path: str) -> str:
    """Merge paths as in section 5.2.3."""
    if base.authority is not None and base.path == "":
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def literal_compose(t: dict[str, str | None]) -> str:
    """Compose components as in section 5.3."""
    result = ""
    if t["scheme"] is not None:
        result += t["scheme"] + ":"
    if t["authority"] is not None:
        result += "//" + t["authority"]
    result += t["path"] or ""
    if t["query"] is not None:
        result += "?" + t["query"]
    if t["fragment"] is not None:
        result += "#" + t["fragment"]
    return result


def assert_resolved_as_in_the_rfc(base_text: str, reference: str) -> bool:
    """Assert that a target is that of the RFC, perhaps with "/." before "//" in its path.

    Returns:
        Whether the target has that "/.".
    """
    base = parse(base_text)
    found = base.resolve(IRIReference(reference))
    literal = literal_resolve(split(base_text), split(reference))
    assert str(found) == compose(*resolve(split(base_text), split(reference)))
    again = parse(str(found))
    assert (found._bounds, type(found)) == (again._bounds, type(again))
    if str(found) == literal:
        return False
    parts = split(str(found))
    assert parts.authority is None
    assert parts.path.startswith("/.//")
    assert compose(*parts._replace(path=parts.path[2:])) == literal
    return True


@pytest.mark.slow
@pytest.mark.parametrize("base", ["http://a/b/c/d;p?q", "foo:/a/b", "foo:a/b", "x://h"])
@pytest.mark.parametrize("before", ["", "/"])
def test_paths_of_up_to_six_segments_resolve_as_in_rfc_3986_section_5_2(
    base: str, before: str
) -> None:
    shielded = 0
    for length in range(1, 7):
        for segments in product(SEGMENTS, repeat=length):
            path = before + "/".join(segments)
            if path.startswith("//") or ":" in path.partition("/")[0]:
                continue  # this reference has an authority or a scheme
            shielded += assert_resolved_as_in_the_rfc(base, path)
    assert (shielded > 0) == base.startswith("foo")


@given(produced("IRI"), produced("IRI-reference"))
def test_any_valid_reference_resolves_as_in_rfc_3986_section_5_2(base: str, reference: str) -> None:
    assert_resolved_as_in_the_rfc(base, reference)


@given(produced("IRI"), produced("IRI-reference"), st.booleans())
def test_a_target_has_the_authority_of_the_base_or_of_the_reference(
    base: str, reference: str, strict: bool
) -> None:
    found = IRI(base).resolve(reference, strict=strict)
    assert found.authority in {parse(base).authority, parse(reference).authority}


def test_engines_resolve_references_to_the_same_targets() -> None:
    spec, kernel = both()
    random = Random("resolve")
    rounds = scaled(30_000)
    resolved = refused = 0
    for _ in range(rounds):
        rule = random.choice(("URI", "URI-reference", "IRI", "IRI-reference"))
        base, reference = sample(rule, random), sample("IRI-reference", random)
        if spec.types[rule].try_parse(base) is None:
            continue
        strict, parsed = random.random() < 0.5, random.random() < 0.2
        results: list[tuple[object, ...]] = []
        for engine in (spec, kernel):
            try:
                given = engine.types["IRI-reference"](reference) if parsed else reference
                target = engine.types[rule](base).resolve(given, strict=strict)
            except URIError as error:
                place = error.text, error.component, error.position
                results.append((type(error), str(error), place))
                refused += "URI references are ASCII" in error.reason
            else:
                results.append((str(target), tuple(target._bounds), type(target).__name__))
        assert results[0] == results[1], (base, reference)
        resolved += isinstance(results[0][0], str)
    assert resolved > rounds // 8
    assert refused > rounds // 50
    for engine in (spec, kernel):
        for base in ("a", "a:b"):
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
            try:
                reference = engine.parse(target).relative_to(start, walk_up=walk_up)
            except URIError as error:
                results.append((type(error), error.text, error.position, error.reason, error.hint))
            else:
                results.append((str(reference), tuple(reference._bounds), type(reference).__name__))
        assert results[0] == results[1], (base, target, walk_up)
        found += len(results[0]) == 3
    assert found > rounds // 3


def test_engines_agree_on_relative_references_longer_than_the_target() -> None:
    spec, kernel = both()
    for up, size, tail in product((0, 1, 5, 30, 200), (0, 1, 10, 100, 1000), ("?", "#", "?q#")):
        base = "http://a/" + "x/" * up + "é"
        for path in ("b", "", "é/" * 40, "x/" * (up // 2)):
            target = f"http://a/{path}{tail}" + "q" * size
            references: list[str | None] = []
            for engine in (spec, kernel):
                start, end = map(engine.types["IRI"].try_parse, (base, target))
                assert start is not None
                assert end is not None
                reference = end.relative_to(start)
                assert str(start.resolve(str(reference))) == target
                references.append(str(reference))
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
        forms = [engine.parse(text).relative_form() for engine in (spec, kernel)]
        results = [(str(form), tuple(form._bounds), type(form).__name__) for form in forms]
        assert results[0] == results[1], text
        again = kernel.parse(str(forms[1]))
        assert (again._bounds, type(again)) == (forms[1]._bounds, type(forms[1]))
