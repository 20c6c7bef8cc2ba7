"""The packages httpx and httpx2, which `dial` supports alike."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from web import package_of


@pytest.fixture(params=["httpx", "httpx2"])
def httpx(request: pytest.FixtureRequest) -> Any:
    """The package httpx or httpx2."""
    return package_of(request.param)


@pytest.fixture
def httpcore(httpx: Any) -> Any:
    """The package httpcore or httpcore2."""
    return import_module(httpx.__name__.replace("httpx", "httpcore"))
