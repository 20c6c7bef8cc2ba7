"""A validator for URIs and IRIs in Django fields."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.core.exceptions import ValidationError
from django.db.migrations.serializer import BaseSerializer
from django.db.migrations.writer import MigrationWriter
from django.utils.translation import gettext_lazy as _

from uriverse import IRI, URI, Policy, URIReference
from uriverse._errors import ParseError, quote_argument
from uriverse._uri.engine import Identifier
from uriverse.integrations._parsing import redact_error_text
from uriverse.integrations.constraints import Constraints

__all__ = ["URIValidator"]
__dir__ = __all__.copy


class URIValidator:
    """A validator that accepts only URIs, or only the type that `uri_class` names.

    Use it with any field whose value is a string. An invalid value raises `ValidationError`. Its
    `code` is the code of the error, such as `"syntax"` or `"scheme-not-allowed"`. Its `params` are
    the attributes `position`, `component`, `rule`, `reason` and `hint` of the `ParseError`, and
    `value`, the invalid string with its secrets redacted.

    Args:
        uri_class: one of the four URI types, or a subclass such as `HTTPURI`.
        schemes: the allowed schemes; `None` allows every scheme.
        host_required: whether to reject URIs without a host.
        profile: a profile of `check`; URIs with findings of the severity `"error"` are rejected.
        policy: a policy that must allow the URI; `None` for no policy.
        message: the message of errors, which can contain `params`, for example `%(reason)s`; `None`
            for a message with the reason and the position.

    Raises:
        ValueError: the profile is unknown.
        TypeError: an argument has the wrong type.

    >>> from django.core.exceptions import ValidationError
    >>> validate = URIValidator(schemes=["https"], host_required=True)
    >>> validate("https://example.org/")
    >>> try:
    ...     validate("https://example.org/a b")
    ... except ValidationError as error:
    ...     print(error.code, error.params["position"], error.messages)
    syntax 21 ['Enter a valid URI: invalid space in path (position 21).']
    """

    message: Any = _("Enter a valid %(expected)s: %(reason)s (position %(position)s).")

    def __init__(
        self,
        uri_class: Any = URI,
        *,
        schemes: Collection[str] | None = None,
        host_required: bool = False,
        profile: str | None = None,
        policy: Policy | None = None,
        message: Any = None,
    ) -> None:
        if not (isinstance(uri_class, type) and issubclass(uri_class, Identifier)):
            raise TypeError(f"uri_class must be a URI type, not {quote_argument(uri_class)}")
        self.uri_class: Any = uri_class
        self.constraints = Constraints(
            schemes=schemes, host_required=host_required, profile=profile, policy=policy
        )
        self.has_constraints = self.constraints != Constraints()
        if message is not None:
            self.message = message

    def __call__(self, value: Any) -> None:
        """Raise `ValidationError` if a value is invalid."""
        self.parse(value)

    def parse(self, value: Any) -> Any:
        """Return a value as an instance of `uri_class`.

        Args:
            value: a string or a URI.

        Raises:
            ValidationError: the value is invalid, or it has another type.

        >>> URIValidator(schemes=["https"]).parse("https://example.org/").host
        'example.org'
        """
        try:
            if not isinstance(value, self.uri_class):
                value = self.uri_class(value)
            if self.has_constraints:
                self.constraints.enforce(value)
        except ParseError as error:
            params = {
                **error.as_dict(),
                "expected": _describe_class(self.uri_class),
                "value": redact_error_text(error),
            }
            raise ValidationError(self.message, error.code, params) from error
        except TypeError as error:
            raise ValidationError(str(error), "invalid") from error
        return value

    def options(self) -> dict[str, Any]:
        """Return the arguments that differ from the defaults, without `message`."""
        arguments = {
            "uri_class": self.uri_class,
            "schemes": self.constraints.schemes,
            "host_required": self.constraints.host_required,
            "profile": self.constraints.profile,
            "policy": self.constraints.policy,
        }
        defaults = (URI, None, False, None, None)
        return {
            name: value
            for (name, value), default in zip(arguments.items(), defaults, strict=True)
            if value != default
        }

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, Any]]:
        """Return the path of the class and the arguments, for migrations."""
        cls = type(self)
        keywords = self.options()
        if self.message != cls.message:
            keywords["message"] = self.message
        return f"{cls.__module__}.{cls.__qualname__}", (), keywords

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, URIValidator)
            and (self.uri_class, self.constraints) == (other.uri_class, other.constraints)
            and self.message == other.message
        )

    def __hash__(self) -> int:
        return hash((self.uri_class, self.constraints))


def _replace_message(  # pyright: ignore[reportUnusedFunction] # models and forms import it
    error: ValidationError, messages: dict[str, Any]
) -> None:
    for code in (error.code, "invalid"):
        if code in messages:
            error.message = messages[code]
            return


def _describe_class(uri_class: type) -> str:
    if issubclass(uri_class, URI):
        return "URI"
    if issubclass(uri_class, IRI):
        return "IRI"
    return "URI reference" if issubclass(uri_class, URIReference) else "IRI reference"


class _PolicySerializer(BaseSerializer):
    def serialize(self) -> tuple[str, set[str]]:
        policy: Any = self.value
        name = f"{type(policy).__module__}.{type(policy).__qualname__}"
        return f"{name}.from_dict({policy.to_dict()})", {f"import {type(policy).__module__}"}


# Django writes policies in migrations then.
MigrationWriter.register_serializer(Policy, _PolicySerializer)
