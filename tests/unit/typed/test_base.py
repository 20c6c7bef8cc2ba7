"""Typed URIs are URIs: every method of `URI` works, and inherited names keep their meaning."""

import copy
import pickle
import re
from pathlib import Path
from typing import Any

import pytest
from typed_examples import EXAMPLES, Example, find_invalid

from uriverse import (
    HTTPURI,
    IRI,
    SCHEMES,
    URI,
    URN,
    BuildError,
    DataURI,
    MailtoURI,
    ParseError,
    Policy,
    TelURI,
    _typed,
    check,
    explain,
    repair,
)
from uriverse._typed import find_typed_class, list_typed_classes
from uriverse._typed.base import TypedURI
from uriverse.schemes._descriptors import DESCRIPTORS

#: The special methods with which a typed class is created, copied and pickled.
MACHINERY = {"__copy__", "__deepcopy__", "__doc__", "__init__", "__module__", "__reduce__"}
MACHINERY |= {
    *("__annotations__", "__new__", "__orig_bases__", "__slots__", "__final__", "__parameters__"),
    *("__firstlineno__", "__static_attributes__"),  # since Python 3.13
}


@pytest.fixture(params=EXAMPLES, ids=[kind.__name__ for kind, *_ in EXAMPLES])
def example(request: pytest.FixtureRequest) -> Example:
    found: Example = request.param
    return found


def test_the_descriptors_and_the_classes_agree_on_the_schemes() -> None:
    modules = {path.stem for path in Path(_typed.__file__).parent.glob("*.py")}
    used = {(descriptor.typed or "base").partition(".")[0] for descriptor in DESCRIPTORS.values()}
    assert modules == used | {"__init__"}
    for kind in list_typed_classes():
        assert kind._schemes == tuple(s for s in DESCRIPTORS if find_typed_class(s) is kind)
        assert find_typed_class(kind._schemes[0].upper()) is kind
    assert find_typed_class("x-example") is find_typed_class("ws") is None


def test_no_typed_class_gives_another_meaning_to_a_name_of_uri() -> None:
    # Private names count: a method `_text` would hide the string of the reference implementation.
    names = set(dir(URI)) | {"_cached_match", "_text"}
    for kind in (TypedURI, *list_typed_classes()):
        assert (vars(kind).keys() & names) - MACHINERY == set(), kind


def test_typed_uris_are_values_that_equal_the_uri_with_the_same_string(example: Example) -> None:
    kind, text, other, _ = example
    value = kind(text)
    assert isinstance(value, URI)
    assert value == kind(URI(text)) == kind(IRI(text)) == kind(value) == kind.try_parse(URI(text))
    assert {type(each) for each in (kind(URI(text)), kind(value), kind.try_parse(text))} == {kind}
    assert value == URI(text) == IRI(text)
    assert hash(value) == hash(URI(text))
    assert value != kind(other)
    assert sorted([kind(text), URI(other)]) == sorted([URI(text), kind(other)])
    assert type(URI(value)) is URI
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        found = pickle.loads(pickle.dumps(value, protocol))
        assert (type(found), found) == (kind, value)
    assert copy.copy(value) is copy.deepcopy(value) is value
    assert text.encode() in pickle.dumps(value)
    assert len(pickle.dumps(value)) < len(text) + 80
    assert repr(value) == f"{kind.__name__}({text!r})"
    for name in ("scheme", "path", "new"):
        with pytest.raises(AttributeError):
            setattr(value, name, "x")
    assert not hasattr(value, "__dict__")
    assert getattr(kind, "__final__", False)


def test_other_schemes_and_types_are_rejected(example: Example) -> None:
    kind = example[0]
    for text in (find_invalid(kind), "http:///a", "x:y", "a b"):
        assert kind.try_parse(text) is None
    for create in (kind, kind.try_parse):
        with pytest.raises(TypeError, match="not int"):
            create(1)  # type: ignore[arg-type]
    with pytest.raises(ParseError, match="unexpected scheme: ") as caught:
        kind(URI("x-other:a"))
    assert (caught.value.code, caught.value.well_formed) == ("scheme-syntax", True)


def test_edits_return_a_plain_uri(example: Example) -> None:
    kind, text, _, _ = example
    value: Any = kind(text)
    for edited in (
        *(value.with_scheme("x"), value.with_path("/x"), value.with_query("x")),
        *(value.with_fragment("x"), value.replace(path="/x", query="y")),
        *(value.with_segments(["", "x"]), value.with_param("x", "y"), value.add_param("x", "y")),
        *(value.update_params(x="y"), value.with_params({"x": "y"}), value.with_name("x")),
        value / "x",
    ):
        assert type(edited) is URI
    assert value.with_scheme(value.scheme) == value
    assert all(type(each) is URI for each in value.parents)


def test_build_checks_the_rules_of_the_scheme() -> None:
    assert type(URN.build(scheme="urn", path="isbn:0451450523")) is URN
    assert type(HTTPURI.build(scheme="http", host="a", params={"a": "b"})) is HTTPURI
    with pytest.raises(ParseError, match="incomplete URN"):
        URN.build(scheme="urn", path="isbn")
    with pytest.raises(BuildError):
        URN.build(scheme="urn", path="a b")


def test_properties_have_the_meaning_that_they_have_in_uri(example: Example) -> None:
    kind, *texts = example
    for text in texts:
        value, uri = kind(text), URI(text)
        for name in dir(uri):
            if name.startswith("_") or callable(getattr(value, name)):
                continue
            ours, theirs = getattr(value, name), getattr(uri, name)
            assert (list(ours) if name == "parents" else ours) == (
                list(theirs) if name == "parents" else theirs
            ), name


def test_equivalence_by_scheme_is_that_of_a_uri(example: Example) -> None:
    kind, one, same, another = example
    value = kind(one)
    for other in (one, same, another):
        for level in ("string", "syntax", "scheme"):
            key = value.comparison_key(level)
            assert key == URI(one).comparison_key(level)
            found = value.equivalent(other, level=level)
            assert found is URI(one).equivalent(other, level=level)
    assert value.equivalent(same, level="scheme")
    assert not value.equivalent(another, level="scheme")


def test_functions_accept_typed_uris(example: Example) -> None:
    kind, text, _, _ = example
    value = kind(text)
    assert check(value) == check(text)
    assert str(explain(value)) == str(explain(text))
    assert repair(value).uri == URI(text)
    assert URI("http://a/").resolve(value) == URI("http://a/").resolve(text)
    assert URI("http://a/").is_same_document(value) is False
    rules = SCHEMES[value.scheme]
    has_origin = rules.authority != "forbidden" and not rules.local
    assert value.is_same_origin(value) is has_origin is (value.origin is not None)
    policy = Policy(schemes={value.scheme.lower()})
    assert policy.allows(value) is policy.allows(text)
    if policy.allows(value):
        assert policy.enforce(value) == value


def test_errors_show_the_uri_without_its_password() -> None:
    for kind, text in [
        *((MailtoURI, "mailto:Joe%20%3Cjoe@x.org%3E"), (TelURI, "tel:+1;a:b=c@d")),
        *((URN, "urn:a:b@c"), (HTTPURI, "ftp:a@b:c"), (HTTPURI, "ftp://me:secret@a/b@c")),
        *((HTTPURI, "ftp:me:secret@a"), (HTTPURI, "ftp:?a=//me:secret@b")),
        # A password is suspected in an invalid URI.
        (MailtoURI, "mailto:Joe <joe@x.org>"),
    ]:
        shown = re.sub("secret|Joe <joe", "REDACTED", text)
        with pytest.raises(ParseError) as caught:
            kind(text)
        for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
            assert error.well_formed is (" " not in text)
            assert f"  {shown}\n" in str(error)


def test_header_properties_of_a_long_data_uri_do_not_copy_it() -> None:
    import tracemalloc

    value = DataURI("data:text/html;charset=utf-8," + "a" * 10_000_000)
    tracemalloc.start()
    try:
        assert (value.media_type, value.charset, value.is_base64) == ("text/html", "utf-8", False)
        assert value.media_type_text == "text/html;charset=utf-8"
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 100_000
