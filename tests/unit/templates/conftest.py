"""The tests of templates run with the kernel, if it is built, and without it."""

import pytest

from uriverse import _engine
from uriverse.templates import _compiled

ENGINES = ("kernel", "python") if _engine.compiled else ("python",)


@pytest.fixture(autouse=True, params=ENGINES)
def _engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "python":
        monkeypatch.setattr(_compiled, "kernel", None)
