"""The encodings of documents: byte order marks, and the declarations of XML."""

from __future__ import annotations

import codecs
import re
from errno import EINVAL
from typing import NamedTuple

from .output import UnreadableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse_links import DocumentFormat

#: The number of octets at the beginning of a file in which git searches for NUL.
SEARCHED = 8000

#: The encodings by their byte order marks. That of UTF-32 starts like one of UTF-16.
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}

#: The declaration of an encoding at the start of an XML document.
DECLARED = re.compile(r"<\?xml\s[^>]*?\sencoding\s*+=\s*+[\"'](?P<name>[A-Za-z][\w.-]*+)[\"']")

#: The encodings that a declaration may name, as Python writes them. A file whose declaration is
#: readable is not UTF-16.
SUPPORTED = re.compile(r"(?P<unicode>utf-(?:8|16).*+)|ascii|iso8859-\d++|cp125\d|koi8-[rtu]")


class Decoded(NamedTuple):
    """The content of a document.

    Attributes:
        text: the content without a byte order mark. Invalid octets are surrogate escapes.
        encoding: its encoding, as Python names it.
        mark: its byte order mark.
    """

    text: str
    encoding: str
    mark: bytes


def decode_document(octets: bytes, form: DocumentFormat, name: str) -> Decoded:
    """Decode a document: by its byte order mark, else as XML declares, else as UTF-8.

    Args:
        octets: the document.
        form: its format.
        name: the name of its file, for errors.

    Raises:
        UnreadableError: the file is binary, or its encoding is unknown.
    """
    mark = next((mark for mark in MARKS if octets.startswith(mark)), b"")
    encoding = MARKS.get(mark, "")
    if not encoding.startswith("utf-16") and b"\0" in octets[:SEARCHED]:
        raise UnreadableError(EINVAL, "a binary file, or not UTF-8", name)
    encoding = encoding or (find_declared(octets, name) if form == "xml" else "utf-8")
    try:
        text = octets.removeprefix(mark).decode(encoding, "surrogateescape")
    except UnicodeDecodeError:
        raise UnreadableError(EINVAL, "invalid UTF-16", name) from None
    return Decoded(text, encoding, mark)


def find_declared(octets: bytes, name: str) -> str:
    """Return the encoding that an XML document declares; by default, UTF-8."""
    found = DECLARED.match(octets[:SEARCHED].decode("ascii", "replace"))
    if found is None:
        return "utf-8"
    try:
        encoding = codecs.lookup(found["name"]).name
    except LookupError:
        encoding = ""
    if supported := SUPPORTED.fullmatch(encoding):
        return "utf-8" if supported["unicode"] else encoding
    reason = f"unsupported encoding {found['name']}; convert the file to UTF-8"
    raise UnreadableError(EINVAL, reason, name)
