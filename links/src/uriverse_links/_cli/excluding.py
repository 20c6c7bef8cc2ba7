"""The files that `uriverse check` skips because of `--exclude`."""

from __future__ import annotations

import os

from .document_files import rules_of_git
from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def exclusion(*patterns: tuple[str, Sequence[str]]) -> Callable[[str], bool] | None:
    """Return a function that decides whether a file is excluded; `None` without patterns.

    Args:
        patterns: folders, each with patterns as in a `.gitignore` file in this folder. If patterns
            of two folders match, those of the later one decide.

    Raises:
        MisuseError: a pattern is invalid.
    """
    given = [(folder, lines) for folder, lines in reversed(patterns) if lines]
    if not given:
        return None
    spec_of = rules_of_git().spec_of
    for line in (line for _, lines in given for line in lines):
        try:
            spec_of([line])
        except ValueError as error:
            raise MisuseError(f"invalid pattern {line!r}: {error}") from None
    specs = [(folder or os.curdir, spec_of(list(lines))) for folder, lines in given]

    def excluded(name: str) -> bool:
        for folder, spec in specs:
            path = os.path.relpath(name, folder).replace(os.sep, "/")
            decided: bool | None = spec.check_file(path).include
            if decided is not None:
                return decided
        return False

    return excluded
