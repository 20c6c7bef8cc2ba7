"""Count the input strings of a command and their errors, report the errors, and exit."""

from __future__ import annotations

import sys

from uriverse._errors import visible

from .output import MISUSE, complain, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


class Tally:
    """The number of input strings and of errors.

    Args:
        noun: the name of an input string in messages, such as "URI".
        most_errors: the number of invalid strings after which the command stops; `None` to go on.
        summary: whether to print a summary in any case, not only after several errors.
        quiet: whether to print no errors.

    Attributes:
        total: the number of strings so far.
        invalid: the number of invalid strings so far.
        changed: the number of strings that were changed in files; `None` if no files are edited.
        unread: whether a file could not be read or written.
        failure: the word for invalid strings in the summary.
    """

    def __init__(self, *, noun: str, most_errors: int | None, summary: bool, quiet: bool) -> None:
        self.noun = noun
        self.most_errors = most_errors
        self.summary = summary
        self.quiet = quiet
        self.total = self.invalid = 0
        self.changed: int | None = None
        self.unread = False
        self.failure = "invalid"
        self._reported = 0

    @property
    def stopped(self) -> bool:
        """Whether there are so many invalid strings that the command stops."""
        return self.invalid == self.most_errors

    def reject(self, problem: str, file: str, number: int) -> None:
        """Count an invalid string of a file, and report it."""
        self.invalid += 1
        self.report(problem, None if file == "-" else file, number)

    def report(self, error: str, file: str | None, number: int) -> None:
        """Print an error to standard error, with the file and the number of the invalid string."""
        if self.quiet:
            return
        self._reported += 1
        place = "" if file is None else f"{visible(file)}:"
        say(f"{place}{number}: {error}")

    def leave(self) -> NoReturn:
        """Print a summary, and exit with 2 after a file error, 1 after an invalid string, else 0.

        Without the option `--summary`, a summary is printed only after several errors.
        """
        if self.summary or self._reported > 1:
            self.summarize()
        sys.exit(MISUSE if self.unread else 1 if self.invalid else 0)

    def summarize(self) -> None:
        """Print the numbers of strings, of changes and of errors to standard error."""
        noun = self.noun if self.noun in {"URI", "IRI"} else self.noun.lower()
        parts = [f"{self.total} {noun}{'' if self.total == 1 else 's'}"]
        if self.changed is not None:
            parts.append(f"{self.changed} changed")
        parts.append(f"{self.invalid} {self.failure}")
        complain(", ".join(parts) + ("; stopped early" if self.stopped else ""))
