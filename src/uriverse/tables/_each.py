"""Process each input file by itself, and write an output file for each to a folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from uriverse._redaction import redacted_invalid
from uriverse.typing import Format

from ._found_columns import TableError
from ._local import Tally, Tell, transform
from ._object_stores import is_object, object_in, size_of
from ._options import EXTENSIONS
from ._plan import Plan
from ._sources import PACKED, Source, failing, real
from ._writing import Output

Schema: TypeAlias = Any


class Job(NamedTuple):
    """An input file, the function that returns its plan, and its output file."""

    source: Source
    plan_for: Callable[[Schema], Plan]
    output: Output

    @property
    def is_done(self) -> bool:
        """Whether the output file exists. If so, it is complete."""
        name = self.output.name
        with failing(name):
            return Path(name).exists() if not is_object(name) else size_of(name) is not None


def targets(folder: str, sources: list[Source], form: Format | None) -> list[tuple[str, Format]]:
    """Return the name and the format of the output file for each input file.

    Args:
        folder: the output folder.
        sources: the input files. Their places in an input folder become those in the output folder.
        form: the format of all output files; `None` for that of each input file.

    Raises:
        TableError: two input files would have the same output file, or one is standard input.
    """
    found: dict[str, Source] = {}
    forms: list[Format] = []
    for source in sources:
        if source.name == "-":
            raise TableError("standard input has no name for a file in a folder; name the output")
        place = renamed(source, form)
        target = object_in(folder, place) if is_object(folder) else str(Path(folder, place))
        first = found.setdefault(target, source)
        if first is not source:
            names = " and ".join(redacted_invalid(each.name) for each in (first, source))
            raise TableError(f"{names} have the same output file; process one of them separately")
        forms.append(form or source.form)
    return list(zip(found, forms, strict=True))


def renamed(source: Source, form: Format | None) -> str:
    """Return the place of a file, with the extension of another format if needed."""
    if form in {None, source.form}:
        return source.place
    path = Path(source.place)
    if path.suffix.lower() in PACKED:
        path = path.with_suffix("")
    return str(path.with_suffix(next(end for end, each in EXTENSIONS.items() if each == form)))


def transform_each(jobs: list[Job], *, threads: int, tell: Tell) -> Tally:
    """Run jobs one after the other. If one fails, the output files of those before it are complete.

    Raises:
        TableError: as for `transform`.
    """
    tally = Tally()
    done = 0
    for source, plan_for, output in jobs:
        if not is_object(output.name):
            with failing(output.name):
                real(output.name).parent.mkdir(parents=True, exist_ok=True)
        # The columns in the names of folders stay there.
        alone = source._replace(partition=())
        transform(
            [alone],
            plan_for,
            output,
            threads=threads,
            tally=tally,
            tell=partial(tell_after, tell, done),
        )
        done += source.size or 0
    return tally


def tell_after(tell: Tell, done: int, octets: int, tally: Tally) -> None:
    """Report the progress of a file after files with `done` octets."""
    tell(done + octets, tally)
