"""After any sequence of edits, the components equal those of a dictionary edited the same way."""

from __future__ import annotations

from typing import Any

from amounts import scaled
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from strategies import TYPES, Parts, as_decoded, hostile, optional, produced, segments

from uriverse import IRI, URI, BuildError, IRIReference, URIReference

KINDS = {kind._rule: kind for kind in (URI, URIReference, IRI, IRIReference)}
PARTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


def part(name: str) -> st.SearchStrategy[Any]:
    """Values for a component: mostly valid, sometimes hostile, sometimes None."""
    rules = {"host": "ihost", "path": "ipath-abempty", "scheme": "scheme", "port": "port"}
    right = produced(rules.get(name, f"i{name}"))
    return optional(st.one_of(right, right, hostile()))


class Edits(RuleBasedStateMachine):
    """A value to edit, and a dictionary with its expected components."""

    value: IRIReference
    model: Parts

    @initialize(
        text_and_kind=st.sampled_from(TYPES).flatmap(
            lambda r: st.tuples(produced(r), st.just(KINDS[r]))
        )
    )
    def parse(self, text_and_kind: tuple[str, type[IRIReference]]) -> None:
        text, kind = text_and_kind
        self.value = kind(text)
        self.model = self.parts()

    def parts(self) -> Parts:
        found = {name: getattr(self.value, name) for name in PARTS}
        return {**found, "port": self.value.port_text}

    def apply(self, edit: Any, **changes: Any) -> None:
        """Apply an edit to the value and the dictionary, unless the edit raises `BuildError`."""
        before = str(self.value)
        try:
            new = edit()
        except BuildError:
            assert str(self.value) == before
            return
        assert str(self.value) == before
        assert type(new) is type(self.value)
        self.value = new
        self.model |= changes

    @rule(data=st.data(), name=st.sampled_from(PARTS))
    def with_component(self, data: st.DataObject, name: str) -> None:
        new = data.draw(part(name))
        if name == "path" and new is None:
            new = ""
        self.apply(lambda: getattr(self.value, f"with_{name}")(new), **{name: new})

    @rule(data=st.data(), names=st.sets(st.sampled_from(PARTS), max_size=4))
    def replace(self, data: st.DataObject, names: set[str]) -> None:
        changes = {name: data.draw(part(name)) for name in sorted(names)}
        if "path" in changes:
            changes["path"] = changes["path"] or ""
        self.apply(lambda: self.value.replace(**changes), **changes)

    @rule(number=st.integers(0, 70000))
    def with_port_number(self, number: int) -> None:
        self.apply(lambda: self.value.with_port(number), port=str(number))

    @rule()
    def without_authority(self) -> None:
        nothing = dict.fromkeys(("userinfo", "host", "port"))
        self.apply(lambda: self.value.with_authority(None), **nothing)

    @rule(path=st.one_of(produced("ipath"), st.sampled_from(("//", "//a:b", "a:b", ":", "/"))))
    def with_shielded_path(self, path: str) -> None:
        shield = ""
        if self.model["host"] is None:
            if path.startswith("//"):
                shield = "/."
            elif self.model["scheme"] is None and ":" in path.partition("/")[0]:
                shield = "./"
        edit = self.value.with_path
        self.apply(lambda: edit(path, protect_path=True), path=shield + path)

    @rule(segment=segments())
    def slash_operator(self, segment: str | bytes) -> None:
        before = self.value.segments
        old_path = self.model["path"]
        self.apply(lambda: self.value / segment)
        path = self.value.path
        if path == old_path and segment:
            return  # the edit was rejected
        assert path.startswith(old_path)
        if segment:
            assert self.value.segments[-1] == as_decoded(segment)
            assert len(self.value.segments) - len(before) in {0, 1, 2}
        else:
            assert path in {old_path, f"{old_path}/"}
        self.model["path"] = path

    @rule(data=st.lists(segments(), max_size=3), absolute=st.booleans())
    def with_segments(self, data: list[str | bytes], absolute: bool) -> None:
        wanted = ["", *data] if absolute else data
        old = self.value
        self.apply(lambda: self.value.with_segments(wanted))
        if self.value is not old:
            decoded = list(map(as_decoded, wanted))
            assert list(self.value.segments) == decoded
            self.model["path"] = self.value.path

    @invariant()
    def components_equal_those_of_the_model(self) -> None:
        assert self.parts() == self.model

    @invariant()
    def string_parses_back_to_the_same_value(self) -> None:
        again = type(self.value)(str(self.value))
        assert again == self.value
        assert again._bounds == self.value._bounds


Edits.TestCase.settings = settings(max_examples=scaled(150), stateful_step_count=20)
TestEdits = Edits.TestCase
