import importlib
import io
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from disguises import disguises
from django import forms as django_forms
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.core import serializers
from django.core.exceptions import DisallowedHost, ValidationError
from django.core.management import call_command
from django.core.serializers.base import DeserializationError
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import URLValidator
from django.db import connection, models, transaction
from django.db.migrations.writer import MigrationWriter
from django.db.models import F, Value
from django.db.models.functions import Cast, Concat, Lower
from django.http import HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import redirect
from django.template import Context, Template
from django.test import Client, RequestFactory, override_settings
from django.utils.functional import lazystr
from django_site.models import Page, Strict
from hypothesis import given
from hypothesis import strategies as st
from strategies import hostile, produced, references

from uriverse import (
    HTTPURI,
    IRI,
    URI,
    URN,
    IRIReference,
    Policy,
    URIReference,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
    parse,
)
from uriverse.integrations.django import forms
from uriverse.integrations.django.models import URIField
from uriverse.integrations.django.redirects import next_url
from uriverse.integrations.django.validators import URIValidator

CHECKS = {URI: is_uri, URIReference: is_uri_reference, IRI: is_iri, IRIReference: is_iri_reference}


@pytest.fixture(scope="module", autouse=True)
def _tables() -> Iterator[None]:
    call_command("migrate", run_syncdb=True, verbosity=0)
    yield
    connection.close()


@pytest.fixture
def _rollback() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


database = pytest.mark.usefixtures("_rollback")


def error_of(function: Any, *arguments: Any) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        function(*arguments)
    error = caught.value
    if hasattr(error, "error_dict"):
        ((error,),) = error.error_dict.values()
    return error


def place(error: ValidationError) -> tuple[Any, Any]:
    return error.code, error.params and error.params["position"]


@given(st.one_of(references(), hostile()))
def test_the_validator_accepts_the_strings_that_the_class_accepts(text: str) -> None:
    for uri_class, accepts in CHECKS.items():
        validate = URIValidator(uri_class)
        if accepts(text):
            validate(text)
        else:
            assert error_of(validate, text).code == "syntax"


def test_an_error_has_our_code_and_position() -> None:
    error = error_of(URIValidator(), "http://a/b c")
    assert place(error) == ("syntax", 10)
    assert error.messages == ["Enter a valid URI: invalid space in path (position 10)."]
    assert error.params is not None
    assert error.params["reason"] == "invalid space in path"
    web = URIValidator(schemes=["https"], host_required=True)
    assert place(error_of(web, "ftp://a/")) == ("scheme-not-allowed", 0)
    assert place(error_of(web, URI("https:///a"))) == ("host-missing", 8)
    assert place(error_of(URIValidator(URN), "urn:a")) == ("scheme-syntax", 5)
    assert error_of(URIValidator(), 1).code == "invalid"
    # The message names what is expected.
    for uri_class, expected in [
        *((URI, "URI"), (HTTPURI, "URI"), (IRI, "IRI"), (URIReference, "URI reference")),
        (IRIReference, "IRI reference"),
    ]:
        (message,) = error_of(URIValidator(uri_class), "a b").messages
        assert message.startswith(f"Enter a valid {expected}: ")
    # A message can be replaced and contains no secrets.
    validate = URIValidator(message="%(value)s: %(hint)s")
    error = error_of(validate, "http://me:hunter2@a b/")
    assert error.messages[0].startswith("http://me:REDACTED@a b/: remove it")
    assert "hunter2" not in str(error.params) + str(error)


def test_equal_validators_are_equal_and_can_be_deconstructed() -> None:
    validate = URIValidator(IRI, schemes=["HTTP"], profile="strict", message="no")
    path, arguments, keywords = validate.deconstruct()
    assert path == "uriverse.integrations.django.validators.URIValidator"
    again = URIValidator(*arguments, **keywords)
    assert (again, hash(again)) == (validate, hash(validate))
    assert URIValidator(IRI) != validate
    assert URIValidator() != URIValidator(message="no")
    assert URIValidator(message="no").deconstruct()[2] == {"message": "no"}
    assert URIValidator().deconstruct()[2] == {}
    code, imports = MigrationWriter.serialize(validate)
    names: dict[str, Any] = {}
    for line in imports:
        exec(line, names)
    assert eval(code, names) == validate


def test_the_class_must_be_a_uri_type() -> None:
    wrong: Any = str
    with pytest.raises(TypeError, match="uri_class must be a URI type"):
        URIValidator(wrong)
    wrong = "URI"
    with pytest.raises(TypeError, match="uri_class must be a URI type"):
        URIField(uri_class=wrong)


@given(produced("IRI-reference"))
def test_the_cleaned_value_is_the_input(text: str) -> None:
    cleaned = forms.URIField(uri_class=IRIReference, required=False, strip=False).clean(text)
    assert cleaned is None if text == "" else str(cleaned) == text
    if cleaned is not None:
        assert type(cleaned) is IRIReference


def test_empty_input_is_none_and_whitespace_is_removed() -> None:
    field = forms.URIField(required=False)
    assert field.clean("") is None
    assert field.clean("  ") is None
    assert field.clean(None) is None
    assert field.clean(" http://a/ ") == URI("http://a/")
    assert error_of(forms.URIField().clean, "").code == "required"
    assert error_of(forms.URIField(strip=False).clean, " http://a/").code == "syntax"
    # A form field can replace messages by code.
    messages = {"scheme-not-allowed": "only https", "invalid": "wrong: %(reason)s"}
    field = forms.URIField(schemes=["https"], error_messages=messages)
    assert error_of(field.clean, "ftp://a/").messages == ["only https"]
    assert error_of(field.clean, "a:b c").messages == ["wrong: invalid space in path"]
    # A hidden input has no keyboard.
    field = forms.URIField(max_length=9, widget=django_forms.HiddenInput)
    assert field.widget.attrs == {}


def test_a_form_shows_our_reason_and_is_rendered_with_the_string() -> None:
    class PageForm(django_forms.Form):
        url = forms.URIField(schemes=["https"], max_length=20, validators=[URLValidator()])

    form = PageForm({"url": "https://a/b c"})
    assert form.errors == {"url": ["Enter a valid URI: invalid space in path (position 11)."]}
    assert place(form.errors.as_data()["url"][0]) == ("syntax", 11)
    assert json.loads(form.errors.as_json())["url"][0]["code"] == "syntax"
    assert PageForm({"url": "https://a.example/"}).is_valid()
    assert (
        PageForm({"url": "https://a.example/bcd"}).errors.as_data()["url"][0].code == "max_length"
    )
    # Other validators receive a string.
    assert PageForm({"url": "https://a_b"}).errors.as_data()["url"][0].code == "invalid"

    # A form is rendered with the string and detects changes.
    class LinkForm(django_forms.Form):
        url = forms.URIField(max_length=99)

    link_form = LinkForm({"url": "http://a/?b&c"}, initial={"url": URI("http://a/?b&c")})
    assert not link_form.has_changed()
    html = str(link_form["url"])
    assert 'value="http://a/?b&amp;c"' in html
    assert 'maxlength="99"' in html
    assert 'inputmode="url"' in html
    assert 'type="text"' in html
    assert LinkForm({"url": "http://a/"}, initial={"url": URI("http://b/")}).has_changed()


@database
@given(st.lists(references(), min_size=1, max_size=5))
def test_each_identifier_is_stored_and_returned_unchanged(texts: list[str]) -> None:
    Page.objects.all().delete()
    pages = [Page(link=IRIReference(text)) for text in texts]
    Page.objects.bulk_create(pages)
    found = list(Page.objects.order_by("id").values_list("link", flat=True))
    assert [str(value) for value in found] == texts
    assert all(type(value) is IRIReference for value in found)
    with connection.cursor() as cursor:
        cursor.execute("SELECT link FROM django_site_page ORDER BY id")
        assert [row[0] for row in cursor.fetchall()] == texts
    assert Page.objects.filter(link=IRIReference(texts[0])).exists()


@database
def test_values_have_the_class_of_the_field() -> None:
    page = Page.objects.create(url="http://a/%7e", web=URI("http://b/"), link="é")
    page.refresh_from_db()
    assert (page.url, page.link) == (URI("http://a/%7e"), IRIReference("é"))
    assert page.web == URI("http://b/")
    assert (type(page.url), type(page.link), type(page.urn)) == (URI, IRIReference, URN)
    assert page.kind is None


INVALID = [
    *(({"url": "http://a/b c"}, "syntax", 10), ({"url": ""}, "syntax", 0)),
    *(({"url": IRI("http://é/")}, "syntax", 7), ({"web": "ftp://a/"}, "scheme-not-allowed", 0)),
    *(({"web": "http:///a"}, "host-missing", 7), ({"urn": "urn:a"}, "scheme-syntax", 5)),
]


@database
@pytest.mark.parametrize(("values", "code", "position"), INVALID)
def test_an_invalid_value_raises_a_validation_error_before_it_is_stored(
    values: dict[str, Any], code: str, position: int
) -> None:
    page = Page(**values)
    others = {field.name for field in Page._meta.fields} - {*values}
    for store in (
        *(lambda: page.clean_fields(exclude=others), page.save),
        *(lambda: Page.objects.update(**values), lambda: Page.objects.bulk_create([page])),
    ):
        with transaction.atomic():
            error = error_of(store)
            assert place(error) == (code, position)
            transaction.set_rollback(False)
    assert not Page.objects.exists()


@database
def test_invalid_strings_in_the_database_raise_a_validation_error() -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_site_page (url) VALUES ('http://a/b c')")
        cursor.execute("INSERT INTO django_site_page (web) VALUES ('ftp://a/')")
    assert place(error_of(lambda: list(Page.objects.all()))) == ("syntax", 10)
    # The row can be found, and repaired.
    as_text = Page.objects.annotate(text=Cast("url", models.TextField())).filter(url__isnull=False)
    assert list(as_text.values_list("text", flat=True)) == ["http://a/b c"]
    Page.objects.filter(url="http://a/b c").update(url="http://a/b%20c")
    # A later condition does not make existing rows unreadable.
    assert [page.web for page in Page.objects.order_by("id")] == [None, URI("ftp://a/")]


@database
def test_lookups_accept_strings_and_uris() -> None:
    urls = ["http://a/1", "http://a/2", "https://B/%25"]
    for url in urls:
        Page.objects.create(url=url)

    def found(**lookup: Any) -> list[int]:
        pages = Page.objects.filter(**lookup).order_by("id")
        return [urls.index(str(page.url)) for page in pages]

    assert found(url=urls[1]) == found(url=URI(urls[1])) == [1]
    assert (found(url="not a URI"), found(url__in=[urls[0], URI(urls[2])])) == ([], [0, 2])
    assert (found(url__startswith="https:"), found(url__contains="%25")) == ([2], [2])
    assert (found(url__iexact="HTTPS://b/%25"), found(url__regex=r"/\d$")) == ([2], [0, 1])
    assert (found(url__gt=URI(urls[0])), found(url__isnull=True)) == ([1, 2], [])
    assert (found(url=lazystr(urls[0])), found(url=F("url"))) == ([0], [0, 1, 2])
    lower: Any = Page.objects.annotate(lower=Lower("url")).order_by("-id").first()
    assert lower.lower == URI("https://b/%25")
    joined = Concat(F("url"), Value("/x"), output_field=URIField())
    Page.objects.filter(url=urls[0]).update(url=joined)
    assert Page.objects.filter(url="http://a/1/x").count() == 1


def test_an_empty_value_of_a_field_with_choices_is_rejected() -> None:
    field: Any = URIField(choices=[("/c", "two")])
    error = error_of(field.validate, "", None)
    assert error.code == "blank"
    assert error.messages == ["This field cannot be blank."]


def test_choices_are_compared_and_displayed() -> None:
    page: Any = Page(kind="/c")
    page.clean_fields(exclude=["url", "web", "urn"])
    assert type(page.kind) is URIReference
    assert page.get_kind_display() == "two"
    wrong = Page(kind="/d")
    assert (
        error_of(lambda: wrong.clean_fields(exclude=["url", "web", "urn"])).code == "invalid_choice"
    )
    # The error for an unknown choice contains no secrets.
    wrong = Page(kind="https://me:hunter2@a/")
    error = error_of(lambda: wrong.clean_fields(exclude=["url", "web", "urn"]))
    assert error.code == "invalid_choice"
    assert error.messages == ["Value 'https://me:REDACTED@a/' is not a valid choice."]
    # The rules of a field are validators.
    rules = URIValidator(schemes=["https", "HTTP"], host_required=True)
    field: Any = Page._meta.get_field("web")
    assert rules in field.validators
    assert not {"validators", "default_validators"} & field.deconstruct()[3].keys()
    page = Page(web="ftp://a/")
    error = error_of(lambda: page.clean_fields(exclude=["url", "urn"]))
    assert len(error.messages) == 1
    # Validation makes a string a URI.
    page = Page(url="http://a/")
    page.clean_fields(exclude=["web"])
    assert type(page.url) is URI
    assert type(Page().urn) is URN


@database
def test_a_model_form_saves_uris() -> None:
    page_form = django_forms.modelform_factory(Page, fields="__all__")
    form = page_form(
        {"url": "http://a/", "web": "https://b/", "urn": "urn:example:b", "kind": "a:b"}
    )
    assert form.errors == {}
    page = form.save()
    page.refresh_from_db()
    assert (page.url, page.link, page.kind) == (URI("http://a/"), None, URIReference("a:b"))
    form = page_form({"url": "http://a/", "web": "ftp://b/", "urn": "urn:a", "kind": "x"})
    codes = {name: [e.code for e in found] for name, found in form.errors.as_data().items()}
    assert codes == {
        "url": ["unique"],
        "web": ["scheme-not-allowed"],
        "urn": ["scheme-syntax"],
        "kind": ["invalid_choice"],
    }
    assert 'value="http://a/"' in str(page_form(instance=page)["url"])


@database
@pytest.mark.parametrize("suffix", ["json", "jsonl", "xml"])
def test_serialized_objects_can_be_loaded(suffix: str, tmp_path: Path) -> None:
    Page.objects.create(url="http://a/%7e?b&c", link=IRIReference(""), web=None)
    fixture = tmp_path / f"pages.{suffix}"
    fixture.write_text(serializers.serialize(suffix, Page.objects.all()), "utf-8")
    Page.objects.all().delete()
    call_command("loaddata", str(fixture), verbosity=0)
    page = Page.objects.get()
    assert (str(page.url), str(page.link), page.web) == ("http://a/%7e?b&c", "", None)


def test_migrations_contain_the_arguments_and_are_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "written_migrations"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with override_settings(MIGRATION_MODULES={"django_site": package.name}):
        call_command("makemigrations", "django_site", verbosity=0)
        written = (package / "0001_initial.py").read_text("utf-8")
        assert "schemes=('http', 'https')" in written
        assert "URN" in written
        importlib.invalidate_caches()
        # The command exits if a migration is missing.
        call_command("makemigrations", "django_site", check_changes=True, verbosity=0)
        monkeypatch.setattr(Page._meta.get_field("web"), "max_length", 50)
        with pytest.raises(SystemExit):
            call_command("makemigrations", "django_site", check_changes=True, verbosity=0)


def test_migrations_contain_policies() -> None:
    field: Any
    policy = Policy(allow=["*.a.example", "10.0.0.0/8"], scopes=None)
    written, imports = MigrationWriter.serialize(URIField(policy=policy))
    assert "import uriverse" in imports
    found: dict[str, Any] = {}
    exec("\n".join([*imports, f"field = {written}"]), found)
    assert found["field"].deconstruct() == URIField(policy=policy).deconstruct()
    assert found["field"].uri_validator == URIField(policy=policy).uri_validator
    # A changed condition is a migration.
    with_policy = URIField(policy=Policy(allow=["a.example"]))
    for field in (
        *(URIField(schemes=["http"]), URIField(uri_class=IRI), URIField(max_length=9), with_policy),
    ):
        _, path, arguments, keywords = field.deconstruct()
        assert (path, len(keywords)) == ("uriverse.integrations.django.models.URIField", 1)
        assert URIField(*arguments, **keywords).deconstruct()[1:] == (path, arguments, keywords)
        assert field.clone().uri_validator == field.uri_validator
    assert URIField(default=URI("a:b")).deconstruct()[3] == {"default": "a:b"}
    assert URIField("label").deconstruct()[3] == {"verbose_name": "label"}


def test_a_policy_is_enforced_in_models_and_forms() -> None:
    policy = Policy(allow=["https://a.example/b/"])
    validate = URIValidator(policy=policy)
    validate("HTTPS://a.example/b/")
    assert place(error_of(validate, "https://a.example/c")) == ("path-not-allowed", 17)
    field = URIField(policy=policy)
    assert str(field.to_python("HTTPS://a.example/b/%7e")) == "HTTPS://a.example/b/%7e"
    assert error_of(field.to_python, "https://b.example/").code == "host-not-allowed"
    assert error_of(field.formfield().clean, "https://b.example/").code == "host-not-allowed"
    # A profile and a maximum length are enforced.
    with pytest.raises(ValidationError):
        Strict(url="http://user:pass@a/").full_clean()
    web = "http://a/" + 40 * "b"
    assert error_of(lambda: Page(web=web).clean_fields(exclude=["url"])).code == "max_length"
    assert error_of(lambda: Page(web=web).save()).code == "max_length"


def test_the_column_is_a_varchar_or_a_text() -> None:
    types = {field.name: field.db_type(connection) for field in Page._meta.fields}
    assert (types["url"], types["web"]) == ("text", "varchar(40)")
    # Templates show components.
    template = Template("{{ page.url }} {{ page.url.host }}")
    shown = template.render(Context({"page": Page(url=URI("http://a/?b&c"))}))
    assert shown == "http://a/?b&amp;c a"
    # An invalid fixture raises the error of Django.
    text = '[{"model": "django_site.page", "pk": 1, "fields": {"url": "http://a/b c"}}]'
    with pytest.raises(DeserializationError, match="position 10"):
        list(serializers.deserialize("json", text))


def test_checks_of_the_site_pass_and_report_a_blank_field_that_is_not_null() -> None:
    errors = io.StringIO()
    call_command("check", stderr=errors, stdout=errors)

    class Wrong(models.Model):
        url = URIField(blank=True)
        long = URIField(max_length=0)

        class Meta:
            app_label = "wrong"

        def __str__(self) -> str:
            return str(self.url)

    found = [(problem.obj.name, problem.id) for problem in Wrong.check()]
    assert found == [("url", "uriverse.E001"), ("long", "fields.E121")]


@database
def test_the_admin_adds_lists_and_changes_pages() -> None:
    users: Any = get_user_model()._default_manager
    users.create_superuser("admin", password="admin")
    client = Client()
    assert client.login(username="admin", password="admin")
    posted = {"url": "http://a/", "web": "https://b/", "urn": "urn:example:b", "kind": "/c"}
    add = "/admin/django_site/page/add/"
    assert client.post(add, posted).status_code == 302
    page = Page.objects.get()
    listed = client.get("/admin/django_site/page/", {"q": "http://a"}).content.decode()
    assert "http://a/" in listed
    assert "two" in listed
    changed = client.get(f"/admin/django_site/page/{page.pk}/change/").content.decode()
    assert 'value="http://a/"' in changed
    answer = client.post(add, {**posted, "url": "http://a/b c"}).content.decode()
    assert "Enter a valid URI: invalid space in path (position 10)." in answer


class Encoder(DjangoJSONEncoder):
    """The encoder of the documentation."""

    def default(self, o: Any) -> Any:
        return str(o) if isinstance(o, IRIReference) else super().default(o)


@pytest.mark.parametrize("text", ["http://a/%7e", "http://a/é", "/a", "/é"])
def test_strings_of_uris_are_accepted_where_django_takes_strings(text: str) -> None:
    uri = parse(text)
    for response in (HttpResponseRedirect(text), redirect(text)):
        assert URIReference(response["Location"]) == uri.to_uri()
    assert json.loads(JsonResponse({"url": text}).content) == {"url": text}
    assert json.loads(json.dumps([uri, {"a": uri}], cls=Encoder)) == [text, {"a": text}]
    data = {"urls": [uri], "at": date(2026, 1, 2)}
    written = json.loads(JsonResponse(data, encoder=Encoder).content)
    assert written == {"urls": [text], "at": "2026-01-02"}
    session = SessionStore()
    session["url"] = text
    session.save()
    assert SessionStore(session.session_key).load() == {"url": text}


FACTORY = RequestFactory()


def target_of(text: str, **options: Any) -> str:
    request: Any = FACTORY.get("/accounts/login/")
    parameters = QueryDict(mutable=True)
    parameters["next"] = text
    request.GET = parameters
    return next_url(request, default="/home/", **options)


def test_next_url_returns_only_targets_on_the_site() -> None:
    for text, expected in [
        *(("/account/?tab=2#top", "/account/?tab=2#top"), ("/", "/"), ("?a", "/accounts/login/?a")),
        *(("../settings/", "/accounts/settings/"), ("http://testserver/a", "/a")),
        *(("http://testserver", "/"), ("http://TESTSERVER:80/a", "/a"), ("", "/home/")),
        *(("https://testserver/a", "/home/"), ("http://testserver:8080/a", "/home/")),
        *(("//testserver/a", "/home/"), ("//evil.example/", "/home/")),
        *(("///evil.example/", "/home/"), ("/\\evil.example/", "/home/")),
        *(("\\\\evil.example/", "/home/"), ("/\t/evil.example/", "/home/")),
        *(("http:evil.example", "/home/"), ("http:/evil.example/", "/home/")),
        *(("http:///evil.example/", "/home/"), ("http://evil.example/", "/home/")),
        ("http://testserver@evil.example/", "/home/"),
        ("http://testserver.evil.example/", "/home/"),
        ("http://evil.example\\@testserver/", "/home/"),
        *(("http://testserver//evil.example/", "/home/"), ("/.//evil.example/", "/home/")),
        *(("/a/..//evil.example/", "/home/"), ("javascript:alert(1)", "/home/")),
        *(("data:text/html,a", "/home/"), ("\x00/a", "/home/")),
        ("/a\r\nSet-Cookie: a=b", "/home/"),
    ]:
        assert target_of(text) == expected
        response = Client().get("/accounts/login/", {"next": text})
        assert (response.status_code, response["Location"]) == (302, expected)


def in_browser(location: str) -> Any:
    """Return the URL that a browser requests for a `Location`."""
    ada_url = pytest.importorskip("ada_url", reason="needs ada_url (pip install --group test-all)")
    return ada_url.URL(location, base="http://testserver/accounts/login/")


@given(st.one_of(references(), hostile()))
def test_a_browser_stays_on_the_site(text: str) -> None:
    assert in_browser(target_of(text)).host == "testserver"


def test_no_disguised_address_leaves_the_site() -> None:
    for case in disguises():
        for text in (case.uri.format(""), case.uri.format(":80"), case.uri.format("")[5:]):
            assert in_browser(target_of(text)).host == "testserver", text


def test_a_parameter_of_post_has_priority() -> None:
    request = FACTORY.post("/login/?next=/query", {"next": "/form"})
    assert next_url(request) == "/form"
    assert next_url(FACTORY.post("/login/?to=/query"), name="to") == "/query"
    assert next_url(FACTORY.get("/login/")) == "/"
    # Secure requests and odd paths.
    secure = FACTORY.get("/a b/é//c/", {"next": "/d"}, secure=True, HTTP_HOST="example.org:8443")
    assert next_url(secure) == "/d"
    odd = FACTORY.get("/a%2e%2e//", {"next": "d"})
    assert next_url(odd, default="/home/") in {"/home/", "/a..//d"}
    # A forged host is rejected by Django.
    request = FACTORY.get("/login/", {"next": "/a"}, HTTP_HOST="evil.example")
    with pytest.raises(DisallowedHost):
        next_url(request)
    # Other hosts can be allowed.
    hosts = {"*.example.org", "partner.example"}
    assert target_of("http://WWW.example.org/%7Ea", hosts=hosts) == "http://www.example.org/~a"
    assert target_of("http://partner.example/", hosts=hosts) == "http://partner.example/"
    assert target_of("https://partner.example/", hosts=hosts) == "/home/"
    assert target_of("/a", hosts=hosts) == "/a"


@database
@pytest.mark.parametrize(
    ("target", "expected"),
    [("/account/", "/account/"), ("//evil.example/", "/home/"), ("/\\evil.example", "/home/")],
)
def test_the_login_view_of_django_can_use_next_url(target: str, expected: str) -> None:
    users: Any = get_user_model()._default_manager
    users.create_user("ada", password="ada")
    form = {"username": "ada", "password": "ada", "next": target}
    response = Client().post("/safe/login/", form)
    assert (response.status_code, response["Location"]) == (302, expected)


# ---
