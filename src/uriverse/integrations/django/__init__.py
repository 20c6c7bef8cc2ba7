"""Use URIs in Django: fields for models, forms and serializers, and safe redirects.

- `uriverse.integrations.django.models`: a model field
- `uriverse.integrations.django.forms`: a form field
- `uriverse.integrations.django.validators`: a validator for other fields
- `uriverse.integrations.django.serializers`: serializers for Django REST framework
- `uriverse.integrations.django.redirects`: the target of a redirect, such as the parameter `next`
"""

from __future__ import annotations

from uriverse._lazy import explain_missing_module

try:
    import django as django
except ModuleNotFoundError as missing:
    _message = explain_missing_module(missing, __name__, "django")
    raise ModuleNotFoundError(_message, name=missing.name) from missing

__all__: list[str] = []
__dir__ = __all__.copy
