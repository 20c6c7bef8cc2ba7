"""Records of JSON Lines files, with the bounds of a value in each object."""

from __future__ import annotations

import re
from json import JSONDecodeError, JSONDecoder, dumps, loads
from typing import Any, TypeAlias

from uriverse._errors import quoted

from .output import MisuseError
from .records import LONGEST, Record, numbered, without_mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .records import Batches

#: A value, and the indices of its start and its end in the line.
Value: TypeAlias = tuple[Any, int, int]

#: The white space of JSON, alone or around a character.
SPACES = {
    character: re.compile(rf"[ \t\r\n]*{re.escape(character)}[ \t\r\n]*")
    for character in ("", *"{}[:,")
}

#: A step of a path: a name, a name in quotation marks, or an index.
STEP = re.compile(r"""(?:^|(?!^)\.)(?:([^."\[\]]+)|("(?:[^"\\]|\\.)*"))|\[([0-9]{1,9})\]""")

HOW_TO_WRITE = "write names and indices, as in a.b[0].c"


class Objects:
    """JSON Lines files: an object in each line. Objects without the field have nothing to edit.

    Args:
        field: the path of the field, such as `url`, `page.url` or `links[0].url`.
    """

    def __init__(self, field: str) -> None:
        self.field = field
        self.path = path_of(field)
        self.decode = JSONDecoder().raw_decode
        #: Whether objects were read, and whether one of them had the field.
        self.has_objects = self.has_field = False

    def records(self, name: str) -> Iterator[Iterable[Record]]:
        return self.records_in(name, numbered(name, b"\n", LONGEST))

    def records_in(self, name: str, batches: Batches) -> Iterator[Iterable[Record]]:  # noqa: ARG002
        for batch in batches:
            yield (self.record(number, line) for number, line in batch)
        if self.has_objects and not self.has_field:
            reason = f"no object has the field {quoted(self.field)}; {HOW_TO_WRITE}"
            yield [Record(1, b"", problem=reason)]

    def record(self, number: int, octets: bytes) -> Record:
        before, octets = without_mark(number, octets)
        line = octets.decode("utf-8", "surrogateescape")
        if not line.strip():
            return Record(number, before + octets)
        found: list[Value] = []
        try:
            found += self.values_in(line)
        except RecursionError:
            problem = "invalid JSON: too many nested values"
        except JSONDecodeError as error:
            problem = f"invalid JSON: {error.msg}"
        except ValueError:
            problem = "invalid JSON: too many digits in a number"
        else:
            self.has_objects = True
            self.has_field = self.has_field or bool(found)
            problem = f"several fields {quoted(self.field)}" if len(found) > 1 else ""
        if problem:
            return Record(number, before + octets, problem=problem)
        for value, start, end in found:
            if isinstance(value, str) and value:
                head, written, rest = (
                    part.encode("utf-8", "surrogateescape")
                    for part in (line[:start], line[start:end], line[end:])
                )
                return Record(number, before + head, written, rest, value, self.write)
            if value is not None and value != "":
                problem = f"the value of {quoted(self.field)} is not a string"
        return Record(number, before + octets, problem=problem)

    def values_in(self, line: str) -> list[Value]:
        """Return the values of the field; several if an object has several members of a name."""
        members, end = self.members(line, 0)
        if end != len(line):
            raise JSONDecodeError("characters follow the object", line, end)
        first, *steps = self.path
        values = [value for name, value in members if name == first]
        for step in steps:
            values = [inner for value in values for inner in self.inside(line, value, step)]
        return values

    def inside(self, line: str, value: Value, step: str | int) -> list[Value]:
        """Return the members of an object with a name, or the item of an array with an index."""
        content, start, _ = value
        if isinstance(content, dict) and isinstance(step, str):
            return [inner for name, inner in self.members(line, start)[0] if name == step]
        if isinstance(content, list) and isinstance(step, int):
            return self.items(line, start)[step : step + 1]
        return []

    def members(self, line: str, at: int) -> tuple[list[tuple[str, Value]], int]:
        """Return the names and values of an object, and the index after it."""
        members: list[tuple[str, Value]] = []
        at = after(line, at, "{")
        if line.startswith("}", at):
            return members, after(line, at, "}")
        while True:
            if not line.startswith('"', at):
                raise JSONDecodeError("expected a name in double quotation marks", line, at)
            name, at = self.decode(line, at)
            start = after(line, after(line, at, ""), ":")
            value, end = self.decode(line, start)
            members.append((name, (value, start, end)))
            at = after(line, end, "")
            if line.startswith("}", at):
                return members, after(line, at, "}")
            at = after(line, at, ",")

    def items(self, line: str, at: int) -> list[Value]:
        """Return the values of an array, which is valid JSON."""
        items: list[Value] = []
        at = after(line, at, "[")
        while not line.startswith("]", at):
            value, end = self.decode(line, at)
            items.append((value, at, end))
            at = after(line, end, "")
            if line.startswith(",", at):
                at = after(line, at, ",")
        return items

    def write(self, text: str, written: bytes) -> bytes:
        # Keep the style of the file: escaped non-ASCII characters, and escaped slashes as of PHP.
        literal = dumps(text, ensure_ascii=b"\\u" in written)
        if b"\\/" in written:
            literal = literal.replace("/", "\\/")
        return literal.encode("utf-8", "surrogateescape")


def after(line: str, at: int, character: str) -> int:
    """Return the index after a character and the white space around it."""
    found = SPACES[character].match(line, at)
    if found is None:
        expected = "an object" if character == "{" else f'"{character}"'
        raise JSONDecodeError(f"expected {expected}", line, at)
    return found.end()


def path_of(field: str) -> tuple[str | int, ...]:
    """Return the names and indices in the path of a field, as in jq: `a.b`, `a[0].b`, `"a.b"`."""
    path: list[str | int] = []
    at = 0
    while at < len(field) and (step := STEP.match(field, at)):
        name, literal, index = step.groups()
        try:
            path.append(int(index) if index else name or loads(literal))
        except ValueError:
            break
        at = step.end()
    if at < len(field) or not path or not isinstance(path[0], str):
        raise MisuseError(
            f"--field: invalid path {quoted(field)}; {HOW_TO_WRITE}, and "
            'names with other characters in quotation marks, as in "a.b".c'
        )
    return tuple(path)
