"""The files that git ignores, by the rules in `.gitignore` files and `.git/info/exclude`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pathspec import GitIgnoreSpec

from .repositories import has_repository, repository_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


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
        repository = repository_of(path) or path
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
            rules = rules_in(self.folder / ".git" / "info" / "exclude")
        return self._replace(rules=rules + rules_in(self.folder / ".gitignore"))


def rules_in(path: Path) -> tuple[Rules, ...]:
    """Read the rules in a file. Return nothing if there is no such file."""
    try:
        lines = path.read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return ()
    try:
        return (Rules(spec_of(lines)),)
    except ValueError:
        # As in git, an invalid pattern matches nothing.
        return (Rules(spec_of([line for line in lines if is_pattern(line)])),)


def spec_of(lines: list[str]) -> GitIgnoreSpec:
    """Compile patterns."""
    # `a/**` matches all in the folder `a`, and not `a` itself, so that a later pattern can include
    # a file in it. `a/*` means the same here, because no file in an ignored folder is looked at.
    lines = [line[:-1] if line.endswith("/**") else line for line in lines]
    return GitIgnoreSpec.from_lines(lines, backend="simple")


def is_pattern(line: str) -> bool:
    """Return whether a line is a valid pattern."""
    try:
        spec_of([line])
    except ValueError:
        return False
    return True
