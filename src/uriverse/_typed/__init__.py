"""Typed URIs: subclasses of `URI` for single schemes, such as `URN` and `DataURI`."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .base import TypedURI


def find_typed_class(scheme: str, /) -> type[TypedURI] | None:
    """Return the class for URIs of a scheme, such as `URN`; `None` if the scheme has no class."""
    from uriverse._spec.normalization import lowercase_ascii
    from uriverse.schemes._descriptors import DESCRIPTORS

    descriptor = DESCRIPTORS.get(lowercase_ascii(scheme))
    if descriptor is None or descriptor.typed is None:
        return None
    module_name, _, class_name = descriptor.typed.partition(".")
    typed_class: type[TypedURI] = getattr(import_module(f"{__name__}.{module_name}"), class_name)
    return typed_class


def list_typed_classes() -> set[type[TypedURI]]:
    from uriverse.schemes._descriptors import DESCRIPTORS

    return set(filter(None, map(find_typed_class, DESCRIPTORS)))


def list_content_attributes(uri: TypedURI) -> tuple[str, ...]:
    return uri._contents
