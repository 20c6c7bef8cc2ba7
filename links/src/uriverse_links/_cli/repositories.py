"""Repositories of git."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path


def has_repository(folder: Path) -> bool:
    """Return whether a folder is the root of a repository."""
    # The method of `Path` raises an error for a path that is too long.
    return os.path.exists(folder / ".git")  # noqa: PTH110


def repository_of(path: Path) -> Path | None:
    """Return the root of the repository that contains an absolute path, or `None`."""
    return next((each for each in (path, *path.parents) if has_repository(each)), None)
