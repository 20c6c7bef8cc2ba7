"""A form field for URIs and IRIs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from uriverse import URI, Policy

from .validators import URIValidator, _replace_message

__all__ = ["URIField"]
__dir__ = __all__.copy


class URIField(forms.CharField):
    """A form field whose cleaned value is a URI, or `None` if the input is empty.

    As in every `CharField`, whitespace around the input is removed, unless `strip` is false. For
    invalid input, the field raises the same `ValidationError` as `URIValidator`. To replace the
    message, pass `error_messages` with a code such as `"scheme-not-allowed"`, or with `"invalid"`
    for all other codes.

    The HTML element is `<input type="text">`, because browsers reject some valid URIs in elements
    of the type `url`.

    Args:
        uri_class: the class of the cleaned value: one of the four URI types, or a subclass
            such as `HTTPURI`.
        schemes: the allowed schemes; `None` allows every scheme.
        host_required: whether to reject URIs without a host.
        profile: a profile of `check`; URIs with findings of the severity `"error"` are rejected.
        policy: a policy that must allow the URI; `None` for no policy.
        options: arguments of `django.forms.CharField`, such as `max_length` and `required`. The
            `empty_value` is `None` by default.

    >>> from django import forms
    >>> class PageForm(forms.Form):
    ...     url = URIField(schemes=["http", "https"])
    >>> form = PageForm({"url": "https://example.org/%7e"})
    >>> form.is_valid(), form.cleaned_data["url"]
    (True, URI('https://example.org/%7e'))
    >>> form = PageForm({"url": "javascript:alert(1)"})
    >>> form.errors.as_data()["url"][0].code
    'scheme-not-allowed'
    """

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
        options.setdefault("empty_value", None)
        super().__init__(**options)

    def to_python(self, value: Any) -> Any:
        """Return the URI for the input, or `empty_value`.

        Raises:
            ValidationError: the input is invalid.
        """
        text = super().to_python(value)
        if text in self.empty_values:
            return text
        try:
            return self.uri_validator.parse(text)
        except ValidationError as error:
            _replace_message(error, self.error_messages)
            raise

    def run_validators(self, value: Any) -> None:
        """Call the validators with the string of the URI."""
        super().run_validators(value if value in self.empty_values else str(value))

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return the attributes of the input element, such as `inputmode` for the keyboard."""
        attributes: dict[str, Any] = super().widget_attrs(widget)
        if not widget.is_hidden:
            attributes.setdefault("inputmode", "url")
        return attributes
