"""Objects in stores such as Amazon S3 as files, by the file systems of pyarrow."""

from __future__ import annotations

import io
import re
import shutil
from importlib import import_module
from typing import Any, BinaryIO
from urllib.parse import quote

#: The names of objects: URLs with a scheme that pyarrow knows.
OBJECT = re.compile(r"(?:s3|gs|gcs|abfss?)://")


def is_object(name: str) -> bool:
    return OBJECT.match(name) is not None


def path_in(name: str) -> str:
    """Return the URL of an object without the options of the store after `?`, or another name."""
    return name.partition("?")[0] if is_object(name) else name


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


def places_in(folder: str) -> list[str]:
    """Return the paths of all objects below a folder, relative to it."""
    fs: Any = import_module("pyarrow.fs")
    store, path = located(folder)
    found = store.get_file_info(fs.FileSelector(path, recursive=True))
    names = [each.path for each in found if each.type == fs.FileType.File]
    return sorted(name.removeprefix(path.rstrip("/") + "/") for name in names)


def object_in(folder: str, place: str) -> str:
    """Return the URL of an object below a folder."""
    path, mark, options = folder.partition("?")
    return f"{path.rstrip('/')}/{quote(place, safe='/=%')}{mark}{options}"


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
