"""A model field for URIs and IRIs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.core import checks
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import models

from uriverse import URI, Policy, redact

from . import forms
from .validators import URIValidator, _replace_message

__all__ = ["URIField"]
__dir__ = __all__.copy

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

    # The class takes type parameters only in its type stubs.
    _Base = models.CharField[Any, Any]
else:
    _Base = models.CharField


class URIField(_Base):
    """A model field whose value is a URI, which is stored as a string.

    The string is stored unchanged. You can assign a URI or a string to the attribute; a string
    becomes a URI when the object is validated (`full_clean`) or loaded from the database. `None` is
    `NULL`, and an empty form field is `None`.

    An invalid value raises the `ValidationError` of `URIValidator`, both in `full_clean` and in
    `save`. If the database contains a string that is invalid for `uri_class`, loading it raises
    `ValidationError`; other conditions are not checked. Lookups, such as `url__startswith="http:"`,
    accept any string.

    Args:
        verbose_name: the name of the field for people.
        uri_class: the class of the value: one of the four URI types, or a subclass
            such as `HTTPURI`.
        schemes: the allowed schemes; `None` allows every scheme.
        host_required: whether to reject URIs without a host.
        profile: a profile of `check`; URIs with findings of the severity `"error"` are rejected.
        policy: a policy that must allow the URI; `None` for no policy.
        options: arguments of `django.db.models.CharField`. With `max_length`, the column has the
            type `VARCHAR`, otherwise `TEXT`. `blank=True` requires `null=True`.

    >>> from django.db import models
    >>> class Page(models.Model):
    ...     url = URIField(schemes=["http", "https"], host_required=True)
    ...     class Meta:
    ...         app_label = "example"
    >>> from django.core.exceptions import ValidationError
    >>> try:
    ...     Page(url="http:///a").clean_fields()
    ... except ValidationError as error:
    ...     print(error.messages)
    ['Enter a valid URI: missing host: a host is required (position 7).']
    """

    empty_strings_allowed = False

    def __init__(
        self,
        verbose_name: Any = None,
        name: str | None = None,
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
        # Conditions do not apply to strings from the database: they may be newer than the strings.
        self.stored_validator = URIValidator(uri_class)
        # Other libraries find the rules of a field here, such as Django REST framework.
        self.default_validators = [*self.default_validators, self.uri_validator]
        super().__init__(verbose_name, name, **options)

    def contribute_to_class(self, cls: Any, name: str, *options: Any, **named: Any) -> None:
        """Add the field to a model. In Django REST framework, keys that are URIs become strings."""
        super().contribute_to_class(cls, name, *options, **named)
        if apps.is_installed("rest_framework"):
            from ._related_fields import register_fields

            register_fields()

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        """Return the arguments that migrations contain."""
        name, path, arguments, keywords = super().deconstruct()
        keywords.update(self.uri_validator.options())
        if isinstance(keywords.get("default"), self.uri_validator.uri_class):
            keywords["default"] = str(keywords["default"])
        return name, path, arguments, keywords

    def check(self, **kwargs: Any) -> list[checks.CheckMessage]:
        """Return the problems found in the arguments."""
        messages = super().check(**kwargs)
        if self.blank and not self.null:
            text = "URIFields with blank=True must have null=True, because empty values are NULL."
            messages.append(checks.Error(text, obj=self, id="uriverse.E001"))
        return messages

    def _check_max_length_attribute(self, **kwargs: Any) -> list[checks.CheckMessage]:
        # Django requires a `max_length`, because some databases have no unlimited VARCHAR columns.
        # Without a `max_length`, this field has a TEXT column.
        if self.max_length is None:
            return []
        parent: Any = super()
        messages: list[checks.CheckMessage] = parent._check_max_length_attribute(**kwargs)
        return messages

    def get_internal_type(self) -> str:
        """Return the name of the Django field that has the same column type."""
        return "TextField" if self.max_length is None else "CharField"

    def to_python(self, value: Any) -> Any:
        """Return a value as an instance of `uri_class`; `None` stays `None`.

        Raises:
            ValidationError: the value is invalid.
        """
        if value is None:
            return None
        try:
            return self.uri_validator.parse(value)
        except ValidationError as error:
            _replace_message(error, self.error_messages)
            raise

    def get_default(self) -> Any:
        """Return the default as an instance of `uri_class`."""
        default = super().get_default()
        return self.to_python(default) if isinstance(default, str) else default

    def from_db_value(self, value: Any, *_: object) -> Any:
        """Parse a string from the database.

        Raises:
            ValidationError: the string is invalid.
        """
        return None if value is None else self.stored_validator.parse(value)

    def get_prep_value(self, value: Any) -> Any:
        """Return a value as a string for lookups, which accept any string."""
        # `CharField` would call `to_python`; its base class only evaluates lazy strings.
        value = super(models.CharField, self).get_prep_value(value)
        return None if value is None else str(value)

    def get_db_prep_save(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        """Validate a value before it is stored, and return it as a string.

        Raises:
            ValidationError: the value is invalid.
        """
        is_sql_expression = hasattr(value, "as_sql")
        if value is not None and not is_sql_expression:
            # The method of the base class of `CharField` only evaluates lazy strings.
            value = self.to_python(super(models.CharField, self).get_prep_value(value))
            if self.max_length is not None and value is not None:
                MaxLengthValidator(self.max_length)(str(value))
        return super().get_db_prep_save(value, connection)

    @property
    def flatchoices(self) -> Any:
        """The choices without groups; their values are instances of `uri_class`."""
        return [
            (self.to_python(value) if isinstance(value, str) and value else value, label)
            for value, label in super().flatchoices
        ]

    def validate(self, value: Any, model_instance: Any) -> None:
        """Check the value against `choices`, `null` and `blank`."""
        if not self.choices or value is None:
            super().validate(value, model_instance)
            return
        try:
            # Choices are strings, which are not equal to a URI.
            super().validate(str(value), model_instance)
        except ValidationError as error:
            if error.params:
                error.params = {**error.params, "value": redact(str(value))}
            raise

    def run_validators(self, value: Any) -> None:
        """Call the validators with the URI as a string."""
        super().run_validators(value if value in self.empty_values else str(value))

    def formfield(self, **kwargs: Any) -> Any:
        """Return a form field with the same constraints."""
        defaults: dict[str, Any] = {
            "form_class": forms.URIField,
            "empty_value": None,
            **self.uri_validator.options(),
        }
        return super().formfield(**{**defaults, **kwargs})
