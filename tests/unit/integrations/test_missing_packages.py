import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

#: Modules, the package that is missing, and the extra that installs it.
MODULES = [
    *(("columns._arrow", "nanoarrow", "columns"), ("columns.polars", "polars", "polars")),
    *(("columns.duckdb", "duckdb", "duckdb"), ("columns.duckdb", "pyarrow", "duckdb")),
    *(("columns.pandas", "pandas", "pandas"), ("columns.pandas", "pyarrow", "pandas")),
    *(
        (f"integrations.{name}", name, name)
        for name in ("attrs", "click", "jsonschema", "msgspec", "sqlalchemy", "typer", "django")
    ),
    *(
        (f"integrations.django.{name}", "django", "django")
        for name in ("forms", "models", "redirects", "validators")
    ),
]


@pytest.mark.parametrize(("module", "missing", "extra"), MODULES)
def test_the_error_for_a_missing_package_says_what_to_install(
    module: str, missing: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if missing == "pyarrow" and find_spec(extra) is None:
        pytest.skip(f"needs {extra} (pip install --group test-all)")
    for name in list(sys.modules):
        if name == f"uriverse.{module}" or name.startswith("uriverse.integrations.django"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    words = rf"needs {missing}; run pip install 'uriverse\[{extra}\]'"
    with pytest.raises(ModuleNotFoundError, match=words):
        import_module(f"uriverse.{module}")
