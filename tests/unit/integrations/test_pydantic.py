import copy
import json
import pickle
import subprocess
import sys
from typing import Annotated, Any, Literal

import pydantic
import pytest
import yarl
from hypothesis import given
from interpreters import run_python
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError
from strategies import produced, references, texts
from typed_examples import EXAMPLES, find_invalid

from uriverse import HTTPURI, IRI, URI, URN, IRIReference, ParseError, TemplateError, URIReference
from uriverse.integrations.constraints import Constraints
from uriverse.templates import Template

#: Each type, the format in its JSON schema, a valid string and an invalid one.
TYPES = [
    (URI, "uri", "HTTP://example.org/%7e?", "//example.org/"),
    (URIReference, "uri-reference", "../a?#", "é"),
    (IRI, "iri", "http://example.org/rosé", "rosé"),
    (IRIReference, "iri-reference", "rosé#", "%"),
    *((kind, "uri", valid, find_invalid(kind)) for kind, _, valid, _ in EXAMPLES),
]
types = pytest.mark.parametrize(("kind", "schema_format", "valid", "invalid"), TYPES)


class Page(BaseModel):
    """A model at module level, which pickle can find."""

    link: URI
    others: list[IRIReference] = []
    by_urn: dict[URN, HTTPURI | None] = {}


def errors(kind: Any, given: Any, **options: Any) -> list[Any]:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(kind, **options).validate_python(given)
    assert "secret" not in str(caught.value)
    return caught.value.errors()


@types
def test_each_type_is_a_field_type(kind: Any, schema_format: str, valid: str, invalid: str) -> None:
    adapter = TypeAdapter(kind)
    for value in (
        *(adapter.validate_python(valid), adapter.validate_json(json.dumps(valid))),
        adapter.validate_python(valid, strict=True),
        adapter.validate_json(json.dumps(valid), strict=True),
    ):
        assert type(value) is kind
        assert str(value) == valid
    assert adapter.dump_python(value) is value
    assert adapter.dump_python(value, mode="json") == valid
    assert adapter.dump_json(value) == json.dumps(valid, ensure_ascii=False).encode()
    for mode in ("validation", "serialization"):
        expected = {"type": "string", "format": schema_format}
        assert adapter.json_schema(mode=mode) == expected


@types
def test_an_error_has_the_code_and_the_position_of_the_parse_error(
    kind: Any, schema_format: str, valid: str, invalid: str
) -> None:
    with pytest.raises(ParseError) as caught:
        kind(invalid)
    error = caught.value
    for strict in (False, True):
        found: list[Any] = errors(Annotated[kind, pydantic.Strict(strict)], invalid)
        assert (len(found), found[0]["type"]) == (1, f"uri_{error.code.replace('-', '_')}")
        assert found[0]["msg"] == f"{error.reason} (position {error.position})"
        assert found[0]["ctx"] == {"code": error.code, **error.as_dict()}
        assert found[0]["input"] == invalid


def test_a_template_is_a_field_type() -> None:
    adapter = TypeAdapter(Template)
    for value in (
        adapter.validate_python("/users/{id}"),
        adapter.validate_json('"/users/{id}"', strict=True),
    ):
        assert type(value) is Template
        assert value == Template("/users/{id}")
    own = Template("/users/{id}", types={"id": int})
    assert adapter.validate_python(own) is own
    assert adapter.dump_python(own) is own
    assert adapter.dump_json(own) == b'"/users/{id}"'
    assert adapter.json_schema() == {"type": "string", "format": "uri-template"}
    # An error of a template has the reason and the position.
    with pytest.raises(TemplateError) as caught:
        Template("https://me:secret@a/{id")
    error = caught.value
    (found,) = errors(Template, error.text)
    assert found["type"] == "uri_template_syntax"
    assert found["msg"] == 'missing "}": the expression does not end (position 20)'
    assert found["ctx"] == {"code": "template-syntax", **error.as_dict()}
    assert found["input"] == "https://me:REDACTED@a/{id"
    assert errors(Template, 1)[0]["type"] == "string_type"


@given(references())
def test_fields_keep_every_accepted_string(text: str) -> None:
    for kind in (IRIReference, URI):
        adapter = TypeAdapter(kind)
        try:
            kind(text)
        except ParseError:
            with pytest.raises(ValidationError):
                adapter.validate_python(text)
            continue
        value = adapter.validate_json(json.dumps(text))
        assert (str(value), json.loads(adapter.dump_json(value))) == (text, text)
        assert adapter.dump_python(value, mode="json") == text


@given(texts())
def test_other_strings_raise_only_errors_of_pydantic(text: str) -> None:
    adapter = TypeAdapter(URI)
    try:
        assert str(adapter.validate_python(text)) == text
    except ValidationError as error:
        (found,) = error.errors()
        assert found["type"] == "uri_syntax"
        assert 0 <= found["ctx"]["position"] <= len(text)


@given(produced("URI"))
def test_models_keep_every_uri_in_values_and_keys(text: str) -> None:
    class Model(BaseModel):
        link: URI
        links: dict[URI, Annotated[URI, Constraints(max_length=10_000)]]

    given = {"link": text, "links": {text: text}}
    model = Model.model_validate_json(json.dumps(given))
    assert (model.model_dump(mode="json"), json.loads(model.model_dump_json())) == (given, given)
    assert model.model_dump() == {"link": URI(text), "links": {URI(text): URI(text)}}


def test_values_of_other_types_are_converted_if_their_string_is_valid() -> None:
    uri, urn = URI("urn:example:a"), URN("urn:example:a")
    assert TypeAdapter(IRIReference).validate_python(uri) is uri
    assert TypeAdapter(URN).validate_python(urn, strict=True) is urn
    # Values of other types are converted if their string is valid.
    found = TypeAdapter(URI).validate_python(IRIReference("http://a/"))
    assert (type(found), str(found)) == (URI, "http://a/")
    assert TypeAdapter(URN).validate_python(URI("urn:example:a")) == URN("urn:example:a")
    assert TypeAdapter(HTTPURI).validate_python(URI("http://a")) == HTTPURI("http://a")
    (error,) = errors(URI, IRI("http://é/"))
    assert (error["type"], error["ctx"]["position"]) == ("uri_syntax", 7)
    assert error["input"] == "http://é/"
    (error,) = errors(URN, HTTPURI("http://me:secret@a"))
    assert error["input"] == "http://me:REDACTED@a"
    # Other inputs are no strings.
    for value in [1, b"http://a/", None, ["a:b"], object()]:
        for kind in (URI, URN):
            (error,) = errors(kind, value)
            assert error["type"] == "string_type"


def test_subclasses_are_field_types() -> None:
    class Secure(URI):
        __slots__ = ()

    class Model(BaseModel):
        link: Secure

    model = Model(link="https://a/")  # type: ignore[arg-type]
    assert type(model.link) is Secure
    assert type(Model(link=URI("https://a/")).link) is Secure  # type: ignore[arg-type]
    assert Model.model_json_schema()["properties"]["link"]["format"] == "uri"

    # A typeerror in the constructor of a subclass is not hidden.
    class Odd(URI):
        def __init__(self, _: str) -> None:
            raise TypeError("a bug")

    with pytest.raises(TypeError, match="a bug"):
        TypeAdapter(Odd).validate_python("a:b")


def test_errors_name_the_field_and_never_show_secrets() -> None:
    with pytest.raises(ValidationError) as caught:
        Page.model_validate(
            {"link": "a b:", "others": ["", "%"], "by_urn": {"urn:a:b": "http:", "a:b": None}}
        )
    assert {error["loc"]: error["type"] for error in caught.value.errors()} == {
        ("link",): "uri_syntax",
        ("others", 1): "uri_syntax",
        ("by_urn", "urn:a:b", "[key]"): "uri_scheme_syntax",
        ("by_urn", "urn:a:b"): "uri_scheme_syntax",
        ("by_urn", "a:b", "[key]"): "uri_scheme_syntax",
    }
    # Errors never show secrets.
    for text in ("http://me:secret@host/a b", "http://a/?access_token=secret&b=^"):
        (error,) = errors(URI, text)
        assert error["input"] == text.replace("secret", "REDACTED")
        assert "secret" not in json.dumps(error)
    secure = Annotated[URI, Constraints(schemes={"https"})]
    for value in ("http://me:secret@host/", URI("http://me:secret@host/")):
        (error,) = errors(secure, value)
        assert error["input"] == "http://me:REDACTED@host/"
        assert "secret" not in json.dumps(error)

    # Errors of other fields hide the secret if the model hides inputs.
    class Model(BaseModel):
        model_config = ConfigDict(hide_input_in_errors=True)
        link: URI
        name: str

    with pytest.raises(ValidationError) as caught:
        Model.model_validate({"link": "http://me:secret@host/"})
    assert "secret" not in str(caught.value)
    # An error of a field is that of pydantic.
    schema = URI.__get_pydantic_core_schema__(URI, None)
    with pytest.raises(PydanticCustomError) as custom:
        schema["lax_schema"]["function"]["function"]("a b")
    assert custom.value.context is not None
    assert custom.value.context["position"] == 1


def test_constraints_are_annotations() -> None:
    class Model(BaseModel):
        link: Annotated[HTTPURI, Constraints(schemes={"https"}, max_length=30)]
        image: Annotated[URI | None, Constraints(host_required=True)] = None
        target: Annotated[URI, Constraints(profile="web")] | None = None

    secure = Model.model_validate({"link": "https://a/", "image": "http://a", "target": "http://b"})
    assert secure.model_dump(mode="json")["link"] == "https://a/"
    assert Model.model_validate({"link": "https://a/", "image": None}).image is None
    wrong = {"link": "http://a/", "image": "urn:a:b", "target": "http://1.2.3/"}
    with pytest.raises(ValidationError) as caught:
        Model.model_validate(wrong)
    found = [(e["type"], e["ctx"]["code"], e["ctx"]["position"]) for e in caught.value.errors()]
    assert found[:2] == [
        ("uri_scheme_not_allowed", "scheme-not-allowed", 0),
        ("uri_host_missing", "host-missing", 4),
    ]
    assert found[2][2] == 7
    (error,) = errors(Annotated[HTTPURI, Constraints(max_length=30)], "http://a/" + "b" * 30)
    assert (error["type"], error["ctx"]["position"]) == ("uri_too_long", 30)
    # Constraints of a field that is no URI are an error.
    with pytest.raises(TypeError, match="Constraints requires a URI type such as URI, not str"):
        TypeAdapter(Annotated[str, Constraints()]).validate_python("a:b")


def test_the_json_schema_has_the_format_and_the_maximum_length() -> None:
    for mode in ("validation", "serialization"):
        found = TypeAdapter(Annotated[IRI, Constraints(max_length=30)]).json_schema(mode=mode)
        assert found == {"type": "string", "format": "iri", "maxLength": 30}
    found = TypeAdapter(Annotated[URI, Constraints(schemes={"a"})]).json_schema()
    assert found == {"type": "string", "format": "uri"}
    # JSON schema of a model with keys.
    properties = Page.model_json_schema()["properties"]
    assert properties["link"]["format"] == "uri"
    assert properties["others"]["items"] == {"type": "string", "format": "iri-reference"}

    # Annotations of members are in the JSON schema of a model.
    class Model(BaseModel):
        links: list[Annotated[URI, pydantic.Field(description="d", title="T")]]

    items = Model.model_json_schema()["properties"]["links"]["items"]
    assert items == {"type": "string", "format": "uri", "description": "d", "title": "T"}


def test_unions_prefer_the_first_type_that_accepts_the_string() -> None:
    assert type(TypeAdapter(URI | str).validate_python("a:b")) is URI
    assert type(TypeAdapter(URI | str).validate_python("a b")) is str
    assert type(TypeAdapter(URI | IRI).validate_json('"http://é/"')) is IRI
    assert type(TypeAdapter(URN | URI).validate_python("a:b")) is URI
    assert TypeAdapter(URI | None).validate_json("null") is None
    assert [error["type"] for error in errors(URI | int, "a b")] == ["uri_syntax", "int_parsing"]
    uri = URI("a:b")
    unions: list[Any] = [URI | str, str | URI]
    for union in unions:
        assert TypeAdapter(union).validate_python(uri) is uri
        assert TypeAdapter(union).dump_json(uri) == b'"a:b"'

    # Discriminated unions contain URIs.
    class Link(BaseModel):
        kind: Literal["link"]
        target: HTTPURI

    class Name(BaseModel):
        kind: Literal["name"]
        target: URN

    adapter: TypeAdapter[Any] = TypeAdapter(
        list[Annotated[Link | Name, pydantic.Field(discriminator="kind")]]
    )
    given = [{"kind": "link", "target": "http://a"}, {"kind": "name", "target": "urn:a1:b"}]
    found = adapter.validate_python(given)
    assert [type(each.target) for each in found] == [HTTPURI, URN]
    assert adapter.dump_python(found, mode="json") == given


def test_models_can_be_copied_pickled_and_compared() -> None:
    page = Page.model_validate(
        {"link": "a:b", "others": ["#"], "by_urn": {"urn:example:a": "http://a"}}
    )
    assert (pickle.loads(pickle.dumps(page)), copy.deepcopy(page)) == (page, page)
    assert page.model_copy(deep=True) == page
    assert Page.model_validate_json(page.model_dump_json()) == page

    # URIs are arguments and fields of dataclasses.
    @pydantic.validate_call
    def host(link: URI) -> str | None:
        return link.host

    assert host("http://example.org/") == "example.org"  # type: ignore[arg-type]

    @pydantic.dataclasses.dataclass
    class Link:
        target: URI

    assert Link("a:b").target == URI("a:b")  # type: ignore[arg-type]


def test_importing_uriverse_does_not_import_pydantic() -> None:
    program = "import sys, uriverse; uriverse.URN; print('pydantic' in str(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"False"


DESCRIBED = {"description": "d", "examples": ["a:b"], "title": "T"}


@types
@pytest.mark.parametrize("mode", ["validation", "serialization"])
def test_annotations_of_a_type_are_in_its_json_schema(
    kind: Any, schema_format: str, valid: str, invalid: str, mode: Any
) -> None:
    field: Any = pydantic.Field(description="d", examples=["a:b"], title="T")
    annotated: Any = Annotated[kind, field]
    expected = {"type": "string", "format": schema_format, **DESCRIBED}

    def schema_of(wanted: Any) -> Any:
        return TypeAdapter(wanted).json_schema(mode=mode)

    assert (schema_of(annotated), schema_of(list[annotated])["items"]) == (expected, expected)
    # pydantic removes the title of values, those of the type `str` too.
    values = schema_of(dict[str, annotated])["additionalProperties"]
    assert {**values, "title": "T"} == expected
    assert schema_of(annotated | None)["anyOf"] == [expected, {"type": "null"}]
    limited = Constraints(max_length=9)
    for both in (Annotated[kind, field, limited], Annotated[kind, limited, field]):
        assert schema_of(both) == {**expected, "maxLength": 9}
    extra = pydantic.Field(json_schema_extra={"format": "url"})
    assert schema_of(Annotated[kind, extra]) == {"type": "string", "format": "url"}


def test_urls_of_other_packages_are_accepted_in_lax_mode() -> None:
    kind: Any
    for type_of_url in (pydantic.AnyUrl, pydantic.HttpUrl, yarl.URL):
        value = type_of_url("http://é/b")
        for kind in [URI, URIReference, IRI, IRIReference, HTTPURI]:
            adapter: Any = TypeAdapter(kind)
            assert adapter.validate_python(value) == kind("http://xn--9ca/b")
            assert type(adapter.validate_python(value)) is kind
            with pytest.raises(ValidationError) as caught:
                adapter.validate_python(value, strict=True)
            assert caught.value.errors()[0]["type"] == "string_type"
            web = Annotated[kind, Constraints(schemes={"https"})]
            assert errors(web, value)[0]["type"] == "uri_scheme_not_allowed"
    # Errors of URLs of other packages contain no secrets.
    value = pydantic.AnyUrl("ftp://me:secret@a/")
    (error,) = errors(HTTPURI, value)
    assert (error["type"], error["input"]) == ("uri_scheme_syntax", "ftp://me:REDACTED@a/")
    assert TypeAdapter(pydantic.AnyUrl | URI).validate_python(value) is value


def test_fields_do_not_import_yarl() -> None:
    script = (
        "import sys, pydantic, uriverse\n"
        "adapter = pydantic.TypeAdapter(uriverse.URI)\n"
        "adapter.validate_python(pydantic.AnyUrl('http://a/'))\n"
        "try:\n"
        "    adapter.validate_python(1)\n"
        "except pydantic.ValidationError as error:\n"
        "    print(error.errors()[0]['type'], 'yarl' in sys.modules)"
    )
    assert run_python("-c", script, check=True).stdout == "string_type False\n"
