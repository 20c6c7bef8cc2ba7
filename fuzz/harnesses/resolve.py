"""Resolution follows RFC 3986, 5.2, in both engines, and `relative_to` is its inverse."""

from __future__ import annotations

from draws import Draws
from outcomes import agreed, outcome

from uriverse import IRI, IRIReference, Resolver, split
from uriverse._spec.resolution import remove_dot_segments


def check(data: bytes) -> None:
    """Resolve one reference against one base, and make a target relative to the base."""
    draws = Draws(data)
    base_text, text = draws.strings("IRI", draws.choice(("IRI-reference", "irelative-ref", "IRI")))
    strict, walk_up = not draws.randrange(3), not draws.randrange(3)

    def target_of(engine: object) -> object:
        base = engine.types["IRI-reference"](base_text)  # type: ignore[attr-defined]
        return base.resolve(text, strict=strict)

    def reference_to(engine: object) -> object:
        target = engine.types["IRI-reference"](text)  # type: ignore[attr-defined]
        return target.relative_to(base_text, walk_up=walk_up)

    agreed(target_of)
    agreed(reference_to)
    base, reference = IRI.try_parse(base_text), IRIReference.try_parse(text)
    if base is None or reference is None:
        return
    check_target(base, reference)
    target = base.resolve(reference)
    assert Resolver(base)(reference) == target
    again = outcome(lambda: base.resolve(target.relative_to(base)))
    if again[0] != "ResolveError":
        assert again[1] == str(target)
    elif remove_dot_segments(target.path) == target.path:
        assert target.path.startswith("/.//"), "only such a target has no relative reference"
    inside = outcome(lambda: base.resolve(target.relative_to(base, walk_up=False)))
    assert inside[0] == "ResolveError" or inside[1] == str(target)
    assert base.resolve(reference.then(text)) == base.resolve(reference).resolve(reference)


def check_target(base: IRI, reference: IRIReference) -> None:
    """Check the components of a target against 5.2.2."""
    target = base.resolve(reference)
    own = reference.scheme is not None
    assert target.scheme == (reference if own else base).scheme
    own = own or reference.authority is not None
    assert target.authority == (reference if own else base).authority
    assert target.fragment == reference.fragment
    same_path = not own and reference.path == ""
    if same_path:
        assert target.path == base.path
    else:
        # 5.2.4 leaves no dot segment. Without an authority, "/." may shield "//".
        path = target.path.removeprefix("/.") if target.path.startswith("/.//") else target.path
        assert not {".", ".."} & set(path.split("/"))
    kept = same_path and reference.query is None
    assert target.query == (base if kept else reference).query
    assert split(str(target)).path == target.path
