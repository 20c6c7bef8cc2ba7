import copy
import pickle
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest

from uriverse import IRI, SCHEMES, URI, Policy, PolicyError, Resolver, URIReference
from uriverse._uri.params import Params
from uriverse._uri.segments import Segments
from uriverse.schemes import Registry, Scheme

#: Copies that every class makes.
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}

PARAMS: dict[str, Callable[[Params], Params]] = {
    "add_param": lambda params: params.add_param("b", "x y"),
    "filter": lambda params: params.filter(keep="a"),
    "with_codec": lambda params: params.with_codec(),
    "sorted": lambda params: params.sorted(),
    "updated": lambda params: params.updated(a="x y"),
    "with_param": lambda params: params.with_param("a", "x y"),
    "without": lambda params: params.without("b"),
}

SEGMENTS: dict[str, Callable[[Segments], Segments]] = {
    "__getitem__": lambda segments: segments[:2],
    "parent": lambda segments: segments.parent,
    "parents": lambda segments: segments.parents[0],
    "with_name": lambda segments: segments.with_name("b"),
    "with_segment": lambda segments: segments.with_segment(1, "b"),
    "with_stem": lambda segments: segments.with_stem("b"),
    "with_suffix": lambda segments: segments.with_suffix(".b"),
}


def methods_returning_copies(cls: type) -> set[str]:
    found = set[str]()
    for name, member in vars(cls).items():
        function = member.fget if isinstance(member, property) else member
        returns = str(getattr(function, "__annotations__", {}).get("return", ""))
        if not name.startswith("_") and cls.__name__ in returns:
            found.add(name)
    return found


@pytest.mark.parametrize(("cls", "known"), [(Params, PARAMS), (Segments, SEGMENTS)])
def test_every_copying_method_is_tested(cls: type, known: dict[str, Callable[[Any], Any]]) -> None:
    # `build` is a constructor.
    found = methods_returning_copies(cls) - {"build"}
    assert found
    assert found <= known.keys()


@pytest.mark.parametrize("codec", ["form", "rfc3986"])
@pytest.mark.parametrize("separator", ["&", ";"])
@pytest.mark.parametrize("make", [*PARAMS.values(), *COPIES.values()], ids=[*PARAMS, *COPIES])
def test_copies_of_params_keep_the_codec_and_the_separator(
    make: Callable[[Params], Params], codec: Any, separator: Any
) -> None:
    params = Params(f"a=1{separator}b=2", codec=codec, separator=separator)
    # The second call starts from the result of the first.
    for made in (make(params), make(make(params))):
        assert (made.codec, made.separator) == (codec, separator)
        space = "+" if codec == "form" else "%20"
        expected = f"{made.query}{separator}c=x{space}y"
        assert made.add_param("c", "x y").query == expected


@pytest.mark.parametrize("codec", ["form", "rfc3986"])
@pytest.mark.parametrize("separator", ["&", ";"])
def test_reading_params_with_one_other_option_keeps_the_other(codec: Any, separator: Any) -> None:
    params = Params("a=1", codec=codec, separator=separator)
    for other in ("form", "rfc3986"):
        changed = params.with_codec(codec=other)
        assert (changed.codec, changed.separator) == (other, separator)
    for sign in ("&", ";"):
        changed = params.with_codec(separator=sign)
        assert (changed.codec, changed.separator) == (codec, sign)


@pytest.mark.parametrize("make", [*SEGMENTS.values(), *COPIES.values()], ids=[*SEGMENTS, *COPIES])
def test_copies_of_segments_keep_the_kind_of_the_path(make: Callable[[Segments], Segments]) -> None:
    iri, uri = IRI("http://é/a/a.a/a.a").segments, URI("http://e/a/a.a/a.a").segments
    for made in (make(iri), make(make(iri))):
        assert str(made.with_name("é")).endswith("é")
    for made in (make(uri), make(make(uri))):
        assert str(made.with_name("é")).endswith("%C3%A9")
    # A colon in the first segment would make a relative reference start with a scheme.
    relative = URIReference("a/a.a/a.a").segments
    for made in (make(relative), make(make(relative))):
        assert str(made[:1].with_name("b:c")) == "b%3Ac"


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_copies_of_a_resolver_keep_its_options(make: Callable[[Resolver], Resolver]) -> None:
    for strict, target in ((True, "http:g"), (False, "http://a/b/g")):
        resolver = make(Resolver("http://a/b/c", strict=strict))
        # A call changes nothing for the next one.
        assert [str(resolver("http:g")), str(resolver("http:g"))] == [target, target]


#: A value of each field of a policy that is not its default.
POLICY: dict[str, Any] = {
    "schemes": {"https"},
    "allow": {"a.example", "*.b.example", "10.0.0.1", "[2001:DB8:0::1]", "xn--bcher-kva.example"},
    "ports": {443, 8443},
    "userinfo": True,
    "unambiguous": False,
    "allowed": {"encoded-slash"},
    "scopes": {"global", "private"},
    "restrictions": [Policy(allow=["*.example"], schemes=None, ports=None)],
    "deny": {"c.a.example", "10.0.0.0/8", "::ffff:0:0/96", "2001:DB8:0::/32", "::1"},
    "single_label": False,
    "base": "https://a.example/",
}


@pytest.mark.parametrize("name", POLICY)
@pytest.mark.parametrize("make", [replace, *COPIES.values()], ids=["replace", *COPIES])
def test_copies_of_a_policy_keep_its_options(make: Callable[[Policy], Policy], name: str) -> None:
    names = [field.name for field in fields(Policy) if field.init]
    assert POLICY.keys() == {*names}
    policy = Policy(**{name: POLICY[name]})
    assert getattr(policy, name) != getattr(Policy(), name)
    made = make(make(policy))
    assert made == policy
    assert [getattr(made, name) for name in names] == [getattr(policy, name) for name in names]


def test_a_policy_answers_the_same_the_second_time() -> None:
    policy = Policy(deny={"b.example"}, base="https://a.example/")
    # The base of one call is not the base of the next.
    for _ in range(2):
        assert str(policy.enforce("/x", base="https://c.example/")) == "https://c.example/x"
        assert str(policy.enforce("/x")) == "https://a.example/x"
        with pytest.raises(PolicyError):
            policy.enforce("/x", base="https://b.example/")


@pytest.mark.parametrize(
    "make",
    [lambda registry: registry.with_schemes(Scheme(name="x-other")), *COPIES.values()],
    ids=["with_schemes", *COPIES],
)
def test_copies_of_a_registry_keep_every_scheme(make: Callable[[Registry], Registry]) -> None:
    mine = Scheme(name="x-mine", default_port=4711, authority="required", query=False)
    registry = SCHEMES.with_schemes(mine)
    made = make(make(registry))
    assert {name: made[name] for name in registry} == dict(registry)
    assert "x-mine" not in SCHEMES
    assert made["x-mine"] == mine
