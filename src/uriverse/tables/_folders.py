"""The files in a folder or below a pattern. Symbolic links to folders are not followed."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from ._partitions import is_partition


def matches(pattern: str) -> Iterator[str]:
    """Yield the paths that match a glob pattern.

    Unlike in the module `glob`, `**` does not follow symbolic links to folders: one that leads to a
    folder above it would multiply all files.
    """
    parts = Path(pattern).parts
    if "**" not in parts:
        yield from glob.iglob(pattern)  # noqa: PTH207  # `Path.glob` rejects absolute patterns
        return
    at = parts.index("**")
    rest = parts[at + 1 :] or ("*",)
    for top in matches(str(Path(*parts[:at]))) if at else ["."]:
        for folder, _ in folders_below(top):
            yield from matches(str(Path(glob.escape(folder), *rest)))


def folders_below(top: str) -> Iterator[tuple[str, list[str]]]:
    """Yield a folder and the folders below it, except hidden ones, with their file names."""
    for folder, inner, files in os.walk(top):
        inner[:] = [name for name in inner if not name.startswith(".")]
        yield folder, files


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and in its partitions, but follow no links to folders."""
    for path in folder.iterdir():
        if is_hidden(path.name):
            continue
        if is_meant(path):
            yield path
        elif path.is_dir() and is_read(path):
            yield from files_in(path)


def folders_left_out(folder: Path, is_wanted: Callable[[Path], object]) -> Iterator[Path]:
    """Yield the folders that `files_in` does not read although they contain files to read."""
    for path in sorted(folder.iterdir()):
        if is_hidden(path.name) or not path.is_dir():
            continue
        if is_read(path):
            yield from folders_left_out(path, is_wanted)
        elif any(
            is_wanted(Path(name))
            for _, names in folders_below(str(path))
            for name in names
            if not is_hidden(name)
        ):
            yield path


def is_read(folder: Path) -> bool:
    """Return whether a folder in another one is read together with it."""
    return is_partition(folder.name) and not folder.is_symlink()


def is_hidden(name: str) -> bool:
    """Return whether a name is that of a hidden file, or of metadata such as `_SUCCESS`.

    Other programs skip such files too.
    """
    return name.startswith((".", "_"))


def is_meant(path: Path) -> bool:
    """Return whether a path is a file or a broken symbolic link.

    Broken links are not skipped, so that the user gets an error message.
    """
    return path.is_file() or not path.exists()
