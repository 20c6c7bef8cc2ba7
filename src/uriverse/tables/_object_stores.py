"""Objects in stores such as Amazon S3 as files, by the file systems of pyarrow."""

from __future__ import annotations

import io
import re
import shutil
from importlib import import_module
from typing import Any, BinaryIO
from urllib.parse import quote, unquote

#: The names of objects: URLs with a scheme that pyarrow knows.
OBJECT = re.compile(r"(?:s3|gs|gcs|abfss?)://")


def is_object(name: str) -> bool:
    return OBJECT.match(name) is not None


def path_in(name: str) -> str:
    """Return the URL of an object without the options of the store after `?`, or another name."""
    return name.partition("?")[0] if is_object(name) else name


def key_in(name: str) -> str:
    """Return the path of an object in its bucket, without percent-encoding."""
    return unquote(path_in(name).partition("://")[2].partition("/")[2])


def located(name: str) -> tuple[Any, str]:
    """Return the store of an object, and the path of the object there."""
    fs: Any = import_module("pyarrow.fs")
    store, path = fs.FileSystem.from_uri(name)
    return store, path


def size_of(name: str) -> int | None:
    """Return the number of octets of an object, or `None` if it does not exist."""
    store, path = located(name)
    size: int | None = store.get_file_info(path).size
    return size


def is_folder(name: str) -> bool:
    """Return whether there are objects below a path, rather than one there."""
    fs: Any = import_module("pyarrow.fs")
    store, path = located(name)
    return path_in(name).endswith("/") or store.get_file_info(path).type == fs.FileType.Directory


def places_in(folder: str, *, recursive: bool = True) -> list[str]:
    """Return the paths of the objects in a folder, relative to it."""
    fs: Any = import_module("pyarrow.fs")
    store, path = located(folder)
    selector = fs.FileSelector(path, allow_not_found=True, recursive=recursive)
    names = [each.path for each in store.get_file_info(selector) if each.type == fs.FileType.File]
    return sorted(name.removeprefix(path.rstrip("/") + "/") for name in names)


def split_pattern(name: str) -> tuple[str, str]:
    """Split the URL of a pattern into that of the folder before the first `*`, and the rest."""
    path, mark, options = name.partition("?")
    folder = path.partition("*")[0].rpartition("/")[0]
    return f"{folder}/{mark}{options}", path[len(folder) + 1 :]


def expression_of(pattern: str) -> re.Pattern[str]:
    """Return a regular expression for the paths, with a slash at the end, that match a pattern.

    As in the module `glob`, `**` matches any number of folders, and a wildcard matches no name that
    starts with a dot.
    """
    parts: list[str] = []
    for segment in pattern.split("/"):
        if segment == "**":
            parts.append(r"(?:(?!\.)[^/]+/)*")
            continue
        literals = [re.escape(unquote(literal)) for literal in segment.split("*")]
        parts += ["" if literals[0] else r"(?!\.)", "[^/]*".join(literals), "/"]
    return re.compile("".join(parts), re.DOTALL)


def object_in(folder: str, place: str) -> str:
    """Return the URL of an object below a folder."""
    path, mark, options = folder.partition("?")
    return f"{path.rstrip('/')}/{quote(place, safe='/=')}{mark}{options}"


def opened_object(name: str) -> BinaryIO:
    """Open an object for reading."""
    store, path = located(name)
    # The streams of pyarrow cannot read single lines.
    return io.BufferedReader(store.open_input_file(path))


def upload(file: BinaryIO, name: str) -> None:
    """Write the content of a file to an object, which appears when it is complete."""
    store, path = located(name)
    file.seek(0)
    # By default, pyarrow would compress the file once more if its name ends with `.gz`.
    with store.open_output_stream(path, compression=None) as stream:
        shutil.copyfileobj(file, stream, 1 << 22)
