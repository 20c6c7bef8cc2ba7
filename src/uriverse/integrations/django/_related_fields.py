"""Relations of Django REST framework to rows whose key may be a URI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import relations, serializers

from uriverse._uri.engine import Identifier

if TYPE_CHECKING:
    # The classes take type parameters only in their type stubs.
    _ByPrimaryKey = relations.PrimaryKeyRelatedField[Any]
    _BySlug = relations.SlugRelatedField[Any]
else:
    _ByPrimaryKey = relations.PrimaryKeyRelatedField
    _BySlug = relations.SlugRelatedField


class PrimaryKeyField(_ByPrimaryKey):
    def to_representation(self, value: Any) -> Any:
        return represent_key(super().to_representation(value))


class SlugField(_BySlug):
    def to_representation(self, obj: Any) -> Any:
        return represent_key(super().to_representation(obj))


def represent_key(key: Any) -> Any:
    return str(key) if isinstance(key, Identifier) else key


def register_fields() -> None:
    """Let a plain `ModelSerializer` use these fields; else it stores a row and then fails."""
    serializers.ModelSerializer.serializer_related_field = PrimaryKeyField
    serializers.ModelSerializer.serializer_related_to_field = SlugField
