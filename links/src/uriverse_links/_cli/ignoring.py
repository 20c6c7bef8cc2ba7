"""The files that git ignores, by the rules in `.gitignore` files and `.git/info/exclude`.

The option `--exclude` has the same patterns.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from pathspec import GitIgnoreSpec

from .output import MisuseError


class Rules(NamedTuple):
    """The rules of one file, as they apply in a folder.

    Attributes:
        spec: the patterns.
        prefix: the path from the folder of the file to the folder in which they apply, such as
            `a/b/`, or an empty string.
    """

    spec: GitIgnoreSpec
    prefix: str = ""

    def inside(self, name: str) -> Self:
        """Return the rules in a folder of the folder."""
        return self._replace(prefix=f"{self.prefix}{name}/")


class Ignored(NamedTuple):
    """Decides which files and folders of a folder git ignores.

    Attributes:
        folder: the folder.
        rules: the rules that apply there; those of a later file win.
    """

    folder: Path
    rules: tuple[Rules, ...] = ()

    @classmethod
    def of(cls, folder: str) -> Self:
        """Return the rules in a folder: its own, and those of its repository above it.

        If the latter ignore the folder itself, they do not apply, because the user named it.
        """
        path = Path(folder).absolute()
        repository = find_repository(path) or path
        found = cls(repository)._with_own_rules()
        for name in path.relative_to(repository).parts:
            if found.covers(name, is_folder=True):
                return cls(path)._with_own_rules()
            found = found.inside(name)
        return found

    def inside(self, name: str) -> Self:
        """Return the rules in a folder of the folder."""
        rules = tuple(rule.inside(name) for rule in self.rules)
        return self._replace(folder=self.folder / name, rules=rules)._with_own_rules()

    def covers(self, name: str, *, is_folder: bool) -> bool:
        """Return whether git ignores a file or a folder of the folder."""
        name = f"{name}/" if is_folder else name
        for spec, prefix in reversed(self.rules):
            decided = spec.check_file(prefix + name).include
            if decided is not None:
                return decided
        return False

    def _with_own_rules(self) -> Self:
        """Add the rules of the files in the folder."""
        rules = self.rules
        if has_repository(self.folder):
            # The rules of one repository do not apply in another.
            rules = read_patterns(self.folder / ".git" / "info" / "exclude")
        return self._replace(rules=rules + read_patterns(self.folder / ".gitignore"))


def read_patterns(path: Path) -> tuple[Rules, ...]:
    """Read the rules in a file. Return nothing if there is no such file."""
    try:
        lines = path.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ()
    try:
        return (Rules(compile_patterns(lines)),)
    except ValueError:
        # As in git, an invalid pattern matches nothing.
        return (Rules(compile_patterns([line for line in lines if is_pattern(line)])),)


def compile_patterns(lines: list[str]) -> GitIgnoreSpec:
    """Compile patterns."""
    # `a/**` matches all in the folder `a`, and not `a` itself, so that a later pattern can include
    # a file in it. `a/*` means the same here, because no file in an ignored folder is looked at.
    lines = [line[:-1] if line.endswith("/**") else line for line in lines]
    return GitIgnoreSpec.from_lines(lines, backend="simple")


def is_pattern(line: str) -> bool:
    """Return whether a line is a valid pattern."""
    try:
        compile_patterns([line])
    except ValueError:
        return False
    return True


def has_repository(folder: Path) -> bool:
    """Return whether a folder is the root of a repository of git."""
    # The method of `Path` raises an error for a path that is too long.
    return os.path.exists(folder / ".git")  # noqa: PTH110


def find_repository(path: Path) -> Path | None:
    """Return the root of the repository that contains an absolute path, or `None`."""
    return next((each for each in (path, *path.parents) if has_repository(each)), None)


def exclude_patterns(*patterns: tuple[str, Sequence[str]]) -> Callable[[str], bool]:
    """Return a function that decides whether a file is excluded.

    Args:
        patterns: folders, each with patterns as in a `.gitignore` file in this folder. If patterns
            of two folders match, those of the later one decide.

    Raises:
        MisuseError: a pattern is invalid.
    """
    for line in (line for _, lines in patterns for line in lines):
        try:
            compile_patterns([line])
        except ValueError as error:
            raise MisuseError(f"invalid pattern {line!r}: {error}") from None
    specs = [
        (folder or os.curdir, compile_patterns(list(lines)))
        for folder, lines in reversed(patterns)
        if lines
    ]

    def is_excluded(name: str) -> bool:
        for folder, spec in specs:
            path = os.path.relpath(name, folder).replace(os.sep, "/")
            decided: bool | None = spec.check_file(path).include
            if decided is not None:
                return decided
        return False

    return is_excluded
