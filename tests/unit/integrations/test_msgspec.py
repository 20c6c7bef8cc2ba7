import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from strategies import produced

from uriverse import HTTPURI, IRI, URI, URN, IRIReference, ParseError, URIReference
from uriverse.integrations.constraints import Constraints
from uriverse.integrations.msgspec import (
    dec_hook,
    enc_hook,
    make_dec_hook,
    make_enc_hook,
    make_schema_hook,
    schema_hook,
)


class SecureURI(URI):
    __slots__ = ()


class ShortSecureURI(SecureURI):
    __slots__ = ()


CONSTRAINTS = {
    SecureURI: Constraints(schemes={"https"}, host_required=True),
    ShortSecureURI: Constraints(max_length=20),
}


class Page(msgspec.Struct):
    link: URI
    urn: URN | None = None
    others: dict[IRIReference, list[URIReference]] = {}


def failure(text: str, kind: Any, hook: Any = dec_hook) -> msgspec.ValidationError:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.json.decode(json.dumps(text), type=kind, dec_hook=hook)
    return caught.value


@given(produced("URI"), produced("IRI-reference"), produced("URI-reference"))
def test_structs_keep_every_accepted_string(uri: str, reference: str, other: str) -> None:
    given = {"link": uri, "urn": None, "others": {reference: [other]}}
    page = msgspec.json.decode(json.dumps(given), type=Page, dec_hook=dec_hook)
    assert [type(page.link), type(*page.others)] == [URI, IRIReference]
    assert json.loads(msgspec.json.encode(page, enc_hook=enc_hook)) == given
    packed = msgspec.msgpack.encode(page, enc_hook=enc_hook)
    assert msgspec.msgpack.decode(packed, type=Page, dec_hook=dec_hook) == page
    assert msgspec.to_builtins(page, enc_hook=enc_hook) == given


@given(produced("URI"))
def test_objects_are_converted(text: str) -> None:
    given = {"link": text, "urn": None, "others": {"a": [text]}}
    page = msgspec.convert(given, Page, dec_hook=dec_hook)
    # Releases of msgspec before 0.23 do not call the hook for keys.
    calls_for_keys = tuple(map(int, msgspec.__version__.split(".")[:2])) >= (0, 23)
    key: Any = IRIReference("a") if calls_for_keys else "a"
    assert page == Page(URI(text), None, {key: [URIReference(text)]})
    assert msgspec.to_builtins(page, enc_hook=enc_hook) == given


def test_typed_uris_are_field_types() -> None:
    given = '{"link":"a:b","urn":"URN:example:A%2c","others":{}}'
    page = msgspec.json.decode(given, type=Page, dec_hook=dec_hook)
    assert page.urn == URN("URN:example:A%2c")
    assert msgspec.json.encode(page, enc_hook=enc_hook).decode() == given
    # Values are kept and values of other types are converted.
    uri = URI("urn:example:a")
    assert msgspec.convert({"link": uri}, Page, dec_hook=dec_hook).link is uri
    assert dec_hook(IRI, uri) is uri
    found = msgspec.convert({"link": URIReference("a:b"), "urn": uri}, Page, dec_hook=dec_hook)
    assert (type(found.link), found.urn) == (URI, URN(uri))


def test_an_error_of_msgspec_has_the_code_the_position_and_the_path() -> None:
    error = failure('http://me:secret@a/^"', URI)
    assert str(error) == 'invalid character "^" in path (syntax, position 19)'
    cause = error.__cause__
    assert isinstance(cause, ParseError)
    assert (cause.code, cause.position, cause.component) == ("syntax", 19, "path")
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert({"link": "a:b", "urn": "urn:x"}, Page, dec_hook=dec_hook)
    assert str(caught.value).endswith("(scheme-syntax, position 5) - at `$.urn`")
    # Other inputs are errors of msgspec.
    for value in [1, None, ["a:b"], b"a:b"]:
        with pytest.raises(
            msgspec.ValidationError, match=r"expected a str .+ not .+ - at `\$.link`"
        ):
            msgspec.convert({"link": value}, Page, dec_hook=dec_hook, builtin_types=(bytes,))

    # A typeerror in the constructor of a subclass is not hidden.
    class Odd(URI):
        def __init__(self, _: str) -> None:
            raise TypeError("a bug")

    assert "a bug" in str(failure("a:b", Odd))


def test_constraints_of_a_type_and_of_its_bases_are_enforced() -> None:
    hook = make_dec_hook(CONSTRAINTS)
    assert type(msgspec.json.decode('"https://a/"', type=SecureURI, dec_hook=hook)) is SecureURI
    assert "(scheme-not-allowed, position 0)" in str(failure("http://a/", SecureURI, hook))
    assert "(scheme-not-allowed, position 0)" in str(failure("http://a/", ShortSecureURI, hook))
    error = failure("https://a.example/secret/", ShortSecureURI, hook)
    assert str(error) == ("string too long: the limit is 20 characters (too-long, position 20)")
    assert msgspec.json.decode('"http://a/"', type=URI, dec_hook=hook) == URI("http://a/")


def test_hooks_pass_other_types_to_the_fallback() -> None:
    decode = make_dec_hook(fallback=lambda kind, given: kind(given))
    assert msgspec.json.decode('"1"', type=range, dec_hook=lambda _, n: range(int(n))) == range(1)
    assert (decode(complex, "1j"), make_enc_hook(list)(range(2))) == (1j, [0, 1])
    assert make_schema_hook(fallback=lambda _: {"type": "number"})(complex) == {"type": "number"}
    for hook in (enc_hook, schema_hook):
        with pytest.raises(NotImplementedError, match="complex"):
            hook(complex)
    for kind in (complex, list[int]):
        with pytest.raises(NotImplementedError, match=r"type .+ is not supported"):
            dec_hook(kind, 1)


def test_the_json_schema_has_the_format_and_the_maximum_length() -> None:
    formats = {URI: "uri", URIReference: "uri-reference", IRI: "iri", HTTPURI: "uri"}
    for kind, name in {**formats, IRIReference: "iri-reference"}.items():
        found = msgspec.json.schema(kind, schema_hook=schema_hook)
        assert found == {"type": "string", "format": name}
    hook = make_schema_hook(CONSTRAINTS)
    assert msgspec.json.schema(SecureURI, schema_hook=hook) == {"type": "string", "format": "uri"}
    found = msgspec.json.schema(ShortSecureURI, schema_hook=hook)
    assert found == {"type": "string", "format": "uri", "maxLength": 20}
