"""Everything that `instructions.py` counts: operations of values, columns, and whole commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from everyday import exists
from everyday_libraries import FAMILIES, OURS, Code, Operation, installed
from everyday_operations import OPERATIONS, STRINGS
from inputs import generated
from kinds import DAMAGES, KINDS

#: The calls of an operation in a round, the rows of a column, and the lines that a command reads.
CALLS, ROWS, LINES = 200, 1000, 500


@dataclass(frozen=True)
class Work:
    """Work that is counted in rounds.

    Attributes:
        name: the name in the table.
        begin: creates the values of a round, and returns the function that processes them.
        units: the number of calls or rows of a round.
    """

    name: str
    begin: Callable[[], Callable[[], object]]
    units: int


class Process(NamedTuple):
    """A Python process: its arguments, and its input."""

    arguments: tuple[str, ...]
    text: str = ""


class Program(NamedTuple):
    """Two processes whose difference is counted.

    Attributes:
        name: the name in the table.
        more: the process that does more.
        less: the other process.
        units: the number of lines by which their inputs differ, or 1.
    """

    name: str
    more: Process
    less: Process
    units: int = 1


def more_operations() -> Iterator[Operation]:
    """Yield the operations that `everyday.py` does not measure, because no peer has them."""
    for kind, template in KINDS.items():
        yield Operation(f"check, {kind}", "check(u)", made=STRINGS, family=template)
    yield Operation("redact, nested", "redact(u)", made=STRINGS, family="nested")
    paths = "redact(u, paths=True)"
    yield Operation("redact, nested, paths", paths, made=STRINGS, family="nested")
    yield Operation("normalize, scheme", "str(u.normalize(scheme=True))", family="default port")
    equivalent = 'u.equivalent(other, level="scheme")'
    yield Operation("equivalent, scheme", equivalent, family="default port")


def values() -> Iterator[Work]:
    names = installed([OURS])[OURS]
    for operation in (*OPERATIONS, *more_operations()):
        if exists(operation, names["URI"]):
            yield Work(operation.name, Rounds(operation, names), CALLS)


class Rounds:
    """The rounds of an operation, each of which creates new values."""

    def __init__(self, operation: Operation, names: dict[str, Any]) -> None:
        self.family = FAMILIES[operation.family]
        self.code = Code(operation, OURS, names)
        # The values of earlier rounds stay, so that rounds use different places in memory.
        self.kept: list[list[Any]] = []

    def __call__(self) -> Callable[[], object]:
        first = len(self.kept) * CALLS
        made = [self.code.make(self.family(number)) for number in range(first, first + CALLS)]
        self.kept.append(made)
        return partial(self.code.loop, None, made)


def columns() -> Iterator[Work]:
    import pyarrow as pa

    from uriverse import columns

    urls = pa.array(generated(ROWS))
    # Creates threads and reads tables on the first call.
    columns.parse(urls, threads=1)

    def work(name: str, call: Callable[..., object], column: Any) -> Work:
        return Work(f"columns.{name}", lambda: partial(call, column, threads=1), ROWS)

    yield work("parse, seven columns", partial(columns.parse, fields=columns.FIELDS[:7]), urls)
    for name in ("host", "is_valid", "normalize", "redact"):
        yield work(name, getattr(columns, name), urls)
    for kind, template in KINDS.items():
        rows = pa.array([*map(template.format, range(ROWS))])
        yield work(f"findings, {kind}", columns.findings, rows)
    for damage, template in DAMAGES.items():
        rows = pa.array([*map(template.format, range(ROWS))])
        yield work(f"repair, {damage}", columns.repair, rows)


#: The works that run in one process. Each process imports only what its works need.
WORKS: Mapping[str, Callable[[], Iterator[Work]]] = {"values": values, "columns": columns}

COMMANDS = {
    "get host": "https://www.example{}.org/a/b?c=d",
    "parse": "https://www.example{}.org/a/b?c=d",
    "set --host a.example": "https://www.example{}.org/a/b?c=d",
    "extract": "see https://www.example{}.org/a/b?c=d, or example.org.",
    "repair": "https://www.example.org/a b[{}]",
}


def programs() -> Iterator[Program]:
    python = Process(("-c", "pass"))
    first = "import uriverse; uriverse.URI('https://example.org/')"
    yield Program("import and first URI", Process(("-c", first)), python)
    for command, template in COMMANDS.items():
        arguments = ("-m", "uriverse", *command.split())
        lines = [f"{template.format(number)}\n" for number in range(1 + LINES)]
        start, all_lines = Process(arguments, lines[0]), Process(arguments, "".join(lines))
        yield Program(f"uriverse {command}, start", start, python)
        yield Program(f"uriverse {command}, a line", all_lines, start, LINES)
