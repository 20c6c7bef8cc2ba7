"""Models with fields of uriverse."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models

from uriverse import URN, IRIReference, URIReference
from uriverse.integrations.django.models import URIField


class Page(models.Model):
    url = URIField("address", null=True, unique=True)
    web = URIField(schemes=["https", "HTTP"], host_required=True, max_length=40, null=True)
    link = URIField(uri_class=IRIReference, null=True, blank=True)
    urn = URIField(uri_class=URN, default="urn:example:a", null=True)
    kind = URIField(
        uri_class=URIReference, choices=[("a:b", "one"), ("/c", "two")], null=True, blank=True
    )

    class Meta:  # noqa: D106
        app_label = "django_site"

    def __str__(self) -> str:
        return str(self.url)


class Strict(models.Model):
    url = URIField(profile="strict")

    class Meta:  # noqa: D106
        app_label = "django_site"

    def __str__(self) -> str:
        return str(self.url)


class Target(models.Model):
    """A row whose primary key is a URI, and which has another unique URI."""

    url = URIField(primary_key=True, schemes=["https"])
    alias = URIField(uri_class=IRIReference, unique=True, null=True, blank=True, max_length=20)

    class Meta:  # noqa: D106
        app_label = "django_site"

    def __str__(self) -> str:
        return str(self.url)


class Visit(models.Model):
    """A row that refers to targets."""

    target: Any = models.ForeignKey(Target, models.CASCADE, related_name="visits")
    alias: Any = models.ForeignKey(
        Target, models.CASCADE, to_field="alias", null=True, related_name="visits_by_alias"
    )

    class Meta:  # noqa: D106
        app_label = "django_site"

    def __str__(self) -> str:
        return str(self.target)


if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Page]
else:
    ModelAdmin = admin.ModelAdmin


class PageAdmin(ModelAdmin):
    list_display = ("url", "link", "kind")
    search_fields = ("url",)
