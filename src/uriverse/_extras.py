"""The error for a package that is not installed, with the command that installs it."""

from __future__ import annotations


def not_installed(missing: ModuleNotFoundError, module: str, extra: str) -> ModuleNotFoundError:
    """Return an error for the import of `module`, which names the extra of uriverse to install."""
    return ModuleNotFoundError(
        f"{module} needs {missing.name}; run pip install 'uriverse[{extra}]'", name=missing.name
    )
