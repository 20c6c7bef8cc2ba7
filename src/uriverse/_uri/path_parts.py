"""The base class of `Segments`: splits a path and decodes its segments.

The compiled kernel has the same class, to which `setup.py` copies the docstrings and annotations.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, overload

from uriverse._spec.syntax import LONGEST_TEXT, matches

from .decoding import decode

if TYPE_CHECKING:
    from typing import Self


class PathParts:
    """The base class of `Segments`, which stores a path."""

    __slots__ = ("__weakref__", "_iri", "_path", "_raw", "_relative")

    if TYPE_CHECKING:
        _path: str
        _raw: tuple[str, ...] | None
        _iri: bool
        _relative: bool

    def __new__(cls, path: str = "", /) -> Self:
        return cls._of_path(as_path(path), iri=False, relative=False)

    # Errors about the arguments name the public class.
    __new__.__qualname__ = "Segments"

    @classmethod
    def _of_path(cls, path: str, *, iri: bool, relative: bool) -> Self:
        """Create an object for a string that is already known to be a valid path.

        Args:
            path: the path.
            iri: whether the path is part of an IRI, in which non-ASCII characters stay unencoded.
            relative: whether the path is part of a reference without a scheme and an authority.
        """
        self = object.__new__(cls)
        self._path, self._raw = path, None
        self._iri, self._relative = iri, relative
        return self

    def _with(self, path: str) -> Self:
        """Return a copy with another path, which is already known to be valid."""
        return self._of_path(path, iri=self._iri, relative=self._relative)

    @property
    def raw(self) -> tuple[str, ...]:
        """The segments of the path as written; `()` for an empty path.

        >>> from uriverse import Segments
        >>> Segments("/a%2Fb/").raw
        ('', 'a%2Fb', '')
        """
        if self._raw is None:
            self._raw = tuple(self._path.split("/")) if self._path else ()
        return self._raw

    @property
    def path(self) -> str:
        """The path as written; the same string as `str(segments)`.

        >>> from uriverse import Segments
        >>> Segments("/a%2Fb/c")[:2].path
        '/a%2Fb'
        """
        return self._path

    def __len__(self) -> int:
        # The property is much slower than the attribute.
        return len(self.raw if self._raw is None else self._raw)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Self: ...
    def __getitem__(self, index: int | slice) -> str | Self:
        if isinstance(index, slice):
            raw = self.raw[index]
            return self._with("/" if raw == ("",) else "/".join(raw))
        return decode(self.raw[index])

    def __iter__(self) -> Iterator[str]:
        raw = self.raw if self._raw is None else self._raw
        return map(decode, raw) if "%" in self._path else iter(raw)

    def __str__(self) -> str:
        return self._path


def as_path(path: object) -> str:
    """Validate a path, and return it as a plain `str`, not a subclass.

    Raises:
        ParseError: `path` is not a valid path.
        TypeError: `path` is not a `str`.
    """
    if not isinstance(path, str):
        raise TypeError(f"a path must be a str, not {type(path).__name__}")
    exact = str.__str__(path)
    # Together, these two rules match every path, with or without an authority before it.
    rule = "ipath-rootless" if exact and not exact.startswith("/") else "ipath-abempty"
    if len(exact) > LONGEST_TEXT or not matches(exact, rule):
        from uriverse._spec.messages import component_error  # needed for errors only

        raise component_error(exact, "path", rule)
    return exact
