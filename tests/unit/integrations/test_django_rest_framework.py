import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db import models as django_models
from django.test import modify_settings, override_settings
from django.test.utils import isolate_apps
from django.urls import include, path
from django_site.models import Page, Target, Visit
from rest_framework import routers, serializers, viewsets
from rest_framework.schemas.openapi import AutoSchema
from rest_framework.test import APIClient

from uriverse import HTTPURI, IRI, URI, IRIReference, Policy
from uriverse.integrations.django.models import URIField as URIModelField
from uriverse.integrations.django.serializers import URIField, URIModelSerializer


@pytest.fixture(scope="module", autouse=True)
def _tables() -> Iterator[None]:
    call_command("migrate", run_syncdb=True, verbosity=0)
    yield
    connection.close()


@pytest.fixture(autouse=True)
def _rollback() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def serializer_of(base: Any, model_class: Any, **options: Any) -> Any:
    meta = type("Meta", (), {"model": model_class, "fields": "__all__", **options})
    return type(f"{model_class.__name__}Serializer", (base,), {"Meta": meta})


class TargetViews(viewsets.ModelViewSet[Target]):
    queryset = Target.objects.all()
    serializer_class = serializer_of(URIModelSerializer, Target)
    lookup_value_regex = ".+"


class VisitViews(viewsets.ModelViewSet[Visit]):
    queryset = Visit.objects.all()
    serializer_class = serializer_of(URIModelSerializer, Visit)


class PlainVisitViews(viewsets.ModelViewSet[Visit]):
    queryset = Visit.objects.all()
    serializer_class = serializer_of(serializers.ModelSerializer, Visit)


router = routers.DefaultRouter()
router.register("plain-visits", PlainVisitViews, basename="plain")
router.register("targets", TargetViews)
router.register("visits", VisitViews)
urlpatterns = [path("", include(router.urls))]

BOTH = pytest.mark.parametrize("base", [serializers.ModelSerializer, URIModelSerializer])


def details(error: serializers.ValidationError) -> Any:
    return error.detail


@BOTH
@pytest.mark.parametrize(
    ("field", "text", "code"),
    [
        *(("url", "a b", "syntax"), ("web", "ftp://a/", "scheme-not-allowed")),
        *(("web", "https:///a", "host-missing"), ("web", f"https://a/{'b' * 40}", "max_length")),
        *(("link", "a b", "syntax"), ("urn", "http://a/", "scheme-syntax")),
        ("kind", "http://a/", "invalid_choice"),
    ],
)
def test_model_serializers_use_rules_of_fields(base: Any, field: str, text: str, code: str) -> None:
    found = serializer_of(base, Page)(data={field: text}, partial=True)
    assert not found.is_valid()
    assert [each.code for each in found.errors[field]] == [code]


@BOTH
def test_valid_data_is_saved_exactly_and_uniqueness_is_checked(base: Any) -> None:
    data = {"url": "HTTP://A/%7e", "web": "https://a/", "urn": "urn:example:b"}
    data |= {"link": "é", "kind": "/c"}
    found = serializer_of(base, Page)(data=data)
    assert found.is_valid(), found.errors
    page = found.save()
    page.refresh_from_db()
    assert {name: str(getattr(page, name)) for name in data} == data
    assert {name: found.data[name] for name in data} == data
    # Uniqueness is checked.
    Target.objects.create(url="https://a/")
    found = serializer_of(base, Target)(data={"url": "https://a/"})
    assert not found.is_valid()
    assert found.errors["url"][0].code == "unique"


def test_validated_values_have_the_class_of_the_field() -> None:
    found = serializer_of(URIModelSerializer, Page)(
        data={"url": URI("a:b"), "link": "é", "web": "https://a/"}
    )
    assert found.is_valid(), found.errors
    valid = found.validated_data
    assert (type(valid["url"]), type(valid["link"])) == (URI, IRIReference)
    # Empty input is null.
    for link in ("", " ", None):
        found = serializer_of(URIModelSerializer, Page)(data={"link": link}, partial=True)
        assert found.is_valid(), found.errors
        assert found.validated_data == {"link": None}
    found = serializer_of(URIModelSerializer, Target)(data={"url": ""})
    assert not found.is_valid()
    assert found.errors["url"][0].code == "blank"


def test_a_field_has_conditions_and_the_messages_of_the_validator() -> None:
    field: Any = URIField(uri_class=HTTPURI, schemes=["https"], max_length=12, allow_null=True)
    assert field.run_validation(" https://a/ ") == HTTPURI("https://a/")
    assert field.run_validation(HTTPURI("https://a/")) == HTTPURI("https://a/")
    assert field.run_validation(None) is None
    assert field.to_representation(HTTPURI("https://a/")) == "https://a/"
    for text, code in [
        *(("http://a/", "scheme-not-allowed"), ("https://me:hunter2@a b/", "syntax")),
        *(("https://a/bcdef", "max_length"), (True, "invalid"), (["https://a/"], "invalid")),
        (URI("urn:a:b"), "scheme-syntax"),
    ]:
        with pytest.raises(serializers.ValidationError) as caught:
            field.run_validation(text)
        assert [detail.code for detail in details(caught.value)] == [code]
        assert "hunter2" not in str(caught.value)
    # Lists of URIs are validated.
    field = serializers.ListField(child=URIField(uri_class=IRI))
    assert field.run_validation(["a:é"]) == [IRI("a:é")]
    with pytest.raises(serializers.ValidationError) as caught:
        field.run_validation(["a:é", "b"])
    assert details(caught.value)[1][0].code == "syntax"
    # A field has no rules and messages of URL fields.
    reference: Any = URIField(uri_class=IRIReference)
    assert reference.run_validation("../é") == IRIReference("../é")
    with pytest.raises(serializers.ValidationError) as caught:
        reference.run_validation(True)
    assert details(caught.value) == ["Not a valid string."]
    assert URIField(style={"placeholder": "x"}).style == {"input_type": "text", "placeholder": "x"}
    # A policy is enforced.
    field = URIField(policy=Policy(allow=["https://a.example/b/"]))
    assert field.run_validation("HTTPS://a.example/b/") == URI("HTTPS://a.example/b/")
    with pytest.raises(serializers.ValidationError) as caught:
        field.run_validation("https://a.example/c")
    assert caught.value.get_codes() == ["path-not-allowed"]


@pytest.fixture
def client() -> Iterator[APIClient]:
    target = Target.objects.create(url="https://a/%7e", alias="é")
    Visit.objects.create(target=target, alias=target)
    Visit.objects.create(target=target)
    with override_settings(ROOT_URLCONF=__name__):
        yield APIClient()


@pytest.mark.parametrize("accept", ["application/json", "text/html"])
@pytest.mark.parametrize("url", ["/targets/", "/visits/", "/targets/https%3A%2F%2Fa%2F%257e/"])
def test_rows_whose_primary_key_is_a_uri_render(client: APIClient, url: str, accept: str) -> None:
    response = client.get(url, HTTP_ACCEPT=accept)
    assert response.status_code == 200
    assert b"https://a/%7e" in response.content


def test_relations_to_rows_whose_primary_key_is_a_uri_are_strings(client: APIClient) -> None:
    found = json.loads(client.get("/visits/").content)
    assert [(row["target"], row["alias"]) for row in found] == [
        *(("https://a/%7e", "é"), ("https://a/%7e", None))
    ]
    response = client.post("/visits/", {"target": "https://a/%7e", "alias": "é"}, format="json")
    assert response.status_code == 201, response.content
    assert response.json()["target"] == "https://a/%7e"
    assert client.post("/visits/", {"target": "https://b/"}, format="json").status_code == 400
    # A plain serializer represents relations as strings.
    data = {"target": "https://a/%7e", "alias": "é"}
    response = client.post("/plain-visits/", data, format="json")
    assert (response.status_code, response.json()) == (201, {**data, "id": response.json()["id"]})
    assert client.post("/plain-visits/", {"target": "a b"}, format="json").status_code == 400
    for accept in ("application/json", "text/html"):
        assert client.get("/plain-visits/", HTTP_ACCEPT=accept).status_code == 200
    # Nested rows render.
    serializer = serializer_of(URIModelSerializer, Visit, depth=1)
    text = json.dumps(serializer(Visit.objects.all(), many=True).data)
    assert json.loads(text)[0]["alias"] == {"url": "https://a/%7e", "alias": "é"}
    reverse: dict[str, Any] = {"fields": ["url", "visits"]}
    found = serializer_of(URIModelSerializer, Target, **reverse)(Target.objects.get()).data
    assert len(found["visits"]) == 4


def test_a_plain_serializer_needs_no_import() -> None:
    script = """
import django_site
from django.core.management import call_command
from django_site.models import Target, Visit
from rest_framework import renderers, serializers
class VisitSerializer(serializers.ModelSerializer):
    class Meta:
        model = Visit
        fields = ["target"]
call_command("migrate", run_syncdb=True, verbosity=0)
Target.objects.create(url="https://a/")
visit = VisitSerializer(data={"target": "https://a/"})
visit.is_valid(raise_exception=True)
visit.save()
print(renderers.JSONRenderer().render(visit.data).decode())
"""
    script = f"import sys\nsys.path[:] = {sys.path!r}\n{script}"
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (found.stdout.strip(), found.stderr) == (b'{"target":"https://a/"}', b"")


@isolate_apps("django_site")
def test_a_site_without_rest_framework_does_not_import_it(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "uriverse.integrations.django._related_fields"
    monkeypatch.delitem(sys.modules, name)
    with modify_settings(INSTALLED_APPS={"remove": "rest_framework"}):

        class Plain(django_models.Model):  # noqa: DJ008
            url = URIModelField()

            class Meta:
                app_label = "django_site"

        assert Plain(url="a:b").url == "a:b"
        assert name not in sys.modules


def test_a_field_has_the_format_uri_in_openapi() -> None:
    schema = AutoSchema()
    serializer = serializer_of(URIModelSerializer, Page)()
    assert schema.map_field(URIField()) == {"type": "string", "format": "uri"}
    assert schema.map_serializer(serializer)["properties"]["web"]["format"] == "uri"

    # Descriptions in OpenAPI do not contain our docstring.
    class Described(serializer_of(URIModelSerializer, Page)):  # type: ignore[misc]
        """A page."""

    # As drf-spectacular does, take the first docstring of a class before `ModelSerializer`.
    for cls, description in (
        *((serializer_of(URIModelSerializer, Page), ""), (Described, "A page.")),
        (type("Inner", (Described,), {}), ""),
        (type(serializer_of(URIModelSerializer, Visit, depth=1)().fields["target"]), ""),
    ):
        classes = cls.__mro__[: cls.__mro__.index(serializers.ModelSerializer)]
        assert next(each.__doc__ for each in classes if each.__doc__).strip() == description
    assert "ModelSerializer" in (URIModelSerializer.__doc__ or "")


def test_an_existing_related_field_renders_with_a_key_field(client: APIClient) -> None:
    class VisitSerializer(serializers.ModelSerializer[Visit]):
        target = serializers.PrimaryKeyRelatedField(
            queryset=Target.objects.all(), pk_field=URIField()
        )

        class Meta:
            model = Visit
            fields: ClassVar = ["target"]

    assert VisitSerializer(Visit.objects.first()).data == {"target": "https://a/%7e"}
    found = VisitSerializer(data={"target": "a b"})
    assert not found.is_valid()
    assert found.errors["target"][0].code == "syntax"


def test_without_rest_framework_errors_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rest_framework", None)
    monkeypatch.delitem(sys.modules, "uriverse.integrations.django.serializers")
    with pytest.raises(
        ModuleNotFoundError, match=r"run pip install 'uriverse\[djangorestframework\]'"
    ):
        importlib.import_module("uriverse.integrations.django.serializers")
