"""Serializers for Django REST framework."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, ClassVar

from django.core.exceptions import ValidationError

from uriverse import URI, Policy
from uriverse._lazy import explain_missing_module
from uriverse._uri.engine import Identifier

from . import models
from .validators import URIValidator

try:
    from rest_framework import fields, serializers

    from ._related_fields import PrimaryKeyField, SlugField, register_fields
except ModuleNotFoundError as missing:
    _message = explain_missing_module(missing, __name__, "djangorestframework")
    raise ModuleNotFoundError(_message, name=missing.name) from missing

__all__ = ["URIField", "URIModelSerializer"]
__dir__ = __all__.copy

if TYPE_CHECKING:
    # The class takes a type parameter only in its type stubs.
    _ModelSerializer = serializers.ModelSerializer[Any]
else:
    _ModelSerializer = serializers.ModelSerializer

register_fields()


class URIField(serializers.URLField):
    """A serializer field whose value is a URI, which is a string in JSON.

    The validated value is a URI, or `None` if the input is empty and `allow_blank` is true. An
    error has the same code and message as in `URIValidator`. In OpenAPI, the field has the format
    `uri`.

    Args:
        uri_class: the class of the value: one of the four URI types, or a subclass
            such as `HTTPURI`.
        schemes: the allowed schemes; `None` allows every scheme.
        host_required: whether to reject URIs without a host.
        profile: a profile of `check`; URIs with findings of the severity `"error"` are rejected.
        policy: a policy that must allow the URI; `None` for no policy.
        options: arguments of `rest_framework.serializers.CharField`, such as `max_length`.

    >>> from rest_framework import serializers
    >>> class PageSerializer(serializers.Serializer):
    ...     url = URIField(schemes=["http", "https"])
    >>> page = PageSerializer(data={"url": "https://example.org/%7e"})
    >>> page.is_valid(), page.validated_data["url"], page.data
    (True, URI('https://example.org/%7e'), {'url': 'https://example.org/%7e'})
    >>> page = PageSerializer(data={"url": "javascript:alert(1)"})
    >>> page.is_valid(), page.errors["url"][0].code
    (False, 'scheme-not-allowed')
    """

    default_error_messages: ClassVar = {**serializers.CharField.default_error_messages}

    def __init__(
        self,
        *,
        uri_class: type[Any] = URI,
        schemes: Collection[str] | None = None,
        host_required: bool = False,
        profile: str | None = None,
        policy: Policy | None = None,
        **options: Any,
    ) -> None:
        self.uri_validator = URIValidator(
            uri_class, schemes=schemes, host_required=host_required, profile=profile, policy=policy
        )
        # In forms, browsers accept no references for the type `url`.
        options["style"] = {"input_type": "text", **options.get("style", {})}
        # `URLField` would reject other schemes than http, https, ftp and ftps.
        super(serializers.URLField, self).__init__(**options)

    def run_validation(self, data: Any = fields.empty) -> Any:
        """Return the URI for the input; `None` for empty input."""
        value = super().run_validation(data)
        return None if value == "" else value

    def to_internal_value(self, data: Any) -> Any:
        """Return the URI for a string.

        Raises:
            rest_framework.exceptions.ValidationError: the string is invalid.
        """
        value = data if isinstance(data, Identifier) else super().to_internal_value(data)
        try:
            return self.uri_validator.parse(value)
        except ValidationError as error:
            raise serializers.ValidationError(fields.get_error_detail(error)) from error

    def run_validators(self, value: Any) -> None:
        """Call the validators with the URI as a string."""
        super().run_validators(str(value))


class URIModelSerializer(_ModelSerializer):
    """A `ModelSerializer` for models with a `URIField`.

    Each `URIField` of the model becomes a serializer field with the same conditions. Relations to
    rows whose primary key is a URI are strings in JSON.

    >>> from django.db import models
    >>> from uriverse.integrations.django.models import URIField
    >>> class Link(models.Model):
    ...     url = URIField(schemes=["https"])
    ...     class Meta:
    ...         app_label = "example"
    >>> class LinkSerializer(URIModelSerializer):
    ...     class Meta:
    ...         model = Link
    ...         fields = ["url"]
    >>> link = LinkSerializer(data={"url": "http://example.org/"})
    >>> link.is_valid(), link.errors["url"][0].code
    (False, 'scheme-not-allowed')
    """

    serializer_field_mapping: ClassVar[dict[type[Any], type[Any]]] = {
        **vars(serializers.ModelSerializer)["serializer_field_mapping"],
        models.URIField: URIField,
    }
    serializer_related_field = PrimaryKeyField
    serializer_related_to_field = SlugField

    def __init_subclass__(cls, **options: Any) -> None:
        """Keep the docstring above out of the descriptions in OpenAPI."""
        super().__init_subclass__(**options)
        cls.__doc__ = cls.__doc__ or " "

    def build_standard_field(self, field_name: str, model_field: Any) -> Any:
        """Return the class and the arguments of the serializer field for a model field."""
        parent: Any = super()
        field_class, keywords = parent.build_standard_field(field_name, model_field)
        if issubclass(field_class, URIField):
            keywords.update(model_field.uri_validator.options())
        return field_class, keywords

    def build_nested_field(self, field_name: str, relation_info: Any, nested_depth: int) -> Any:
        """Return the serializer for related objects and its arguments, if `depth` is set."""
        parent: Any = super()
        # The class is a plain `ModelSerializer`.
        nested, keywords = parent.build_nested_field(field_name, relation_info, nested_depth)
        return type(nested.__name__, (URIModelSerializer,), {"Meta": nested.Meta}), keywords
