"""Compare the integrations with other libraries, and with the creation of the values alone.

    python benchmarks/integrations.py
    python benchmarks/integrations.py --json figures.json

The exit status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from identifiers import options
from references import run

if TYPE_CHECKING:
    from measure import Table

#: The comparisons of each library. Each function yields tables, for a number of strings and rounds.
GROUPS: tuple[Callable[[int, int], Iterator[Table]], ...] = ()


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = options("Compare the integrations with other libraries.").parse_args(command_line)
    run(arguments, (group(arguments.strings, arguments.rounds) for group in GROUPS))


if __name__ == "__main__":
    main()
