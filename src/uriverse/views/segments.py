"""The segments of a path; an edit does not change the octets of other segments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, cast, final, overload

from uriverse.errors import BuildError
from uriverse.percent import encode
from uriverse.redaction import without_passwords

from .decoding import data_text, decode

if TYPE_CHECKING:
    from typing import Self

    from uriverse.typing import Component, SegmentData

#: The dot segments, which are not data.
DOT_SEGMENTS = (".", "..")

#: A dot, plain or percent-encoded.
DOT = re.compile(r"\.|%2[Ee]")

#: The reason and the hint for a path without a name that could be changed.
NO_NAME = "missing name: the path is empty, the root, or ends in a dot segment"
NO_NAME_HINT = "add a segment first"


@final
class Segments(Sequence[str]):
    """The segments of a [path](https://www.rfc-editor.org/rfc/rfc3986#section-3.3), decoded.

    Immutable and lossless: an edit rewrites only the segments that it names, and `with_segments`
    takes `Segments` as written. Each segment is decoded separately, so `%2F` is a slash within a
    segment. Octets that are not UTF-8 become surrogate escapes (as in `os.fsdecode`). The first
    segment is `""` if the path is absolute, and the last one if it ends with a slash; an empty path
    has no segments. `Segments` equal any sequence of the same data.

    Slicing returns `Segments`. A slice that starts with an empty segment is absolute; a slice of
    only that segment is the root.

    The `name` is the last segment, or the one before a trailing slash. Methods that change the name
    keep that slash, and so does `parent`.

    Args:
        path: the path, as a string.

    Raises:
        ParseError: `path` is not a path.
        TypeError: `path` is not a `str`.

    >>> segments = Segments("/a%2Fb/c.tar.gz")
    >>> segments[1], segments.name, segments.stem, segments.suffix
    ('a/b', 'c.tar.gz', 'c.tar', '.gz')
    >>> str(segments.with_suffix(".xz")), str(segments.parent)
    ('/a%2Fb/c.tar.xz', '/a%2Fb')
    """

    __slots__ = ("__weakref__", "_iri", "_path", "_raw", "_relative")

    _path: str
    _raw: tuple[str, ...] | None
    _iri: bool
    _relative: bool

    def __new__(cls, path: str = "", /) -> Self:
        return cls._of_path(as_path(path), iri=False, relative=False)

    @classmethod
    def _of_path(cls, path: str, *, iri: bool, relative: bool) -> Self:
        """Create segments from a string that is known to be a path.

        Args:
            path: the path.
            iri: whether the path is that of an IRI, in which non-ASCII characters are not encoded.
            relative: whether no scheme and no authority precede the path.
        """
        self = object.__new__(cls)
        self._path, self._raw = path, None
        self._iri, self._relative = iri, relative
        return self

    def _with(self, path: str) -> Segments:
        """Return the segments of another string that is known to be a path."""
        return Segments._of_path(path, iri=self._iri, relative=self._relative)

    def _joined(self, raw: tuple[str, ...]) -> Segments:
        """Return segments made from percent-encoded strings; one empty string is the root."""
        return self._with("/" if raw == ("",) else "/".join(raw))

    # --- reading

    @property
    def raw(self) -> tuple[str, ...]:
        """The segments, as written.

        >>> Segments("/a%2Fb/").raw
        ('', 'a%2Fb', '')
        """
        if self._raw is None:
            self._raw = tuple(self._path.split("/")) if self._path else ()
        return self._raw

    @property
    def path(self) -> str:
        """The path that consists of these segments, as written; the same as `str(segments)`.

        >>> Segments("/a%2Fb/c")[:2].path
        '/a%2Fb'
        """
        return self._path

    @property
    def is_absolute(self) -> bool:
        """True if the path begins with a slash.

        >>> Segments("/a").is_absolute, Segments("a/").is_absolute
        (True, False)
        """
        return self._path.startswith("/")

    @property
    def has_trailing_slash(self) -> bool:
        """True if the path ends with a slash.

        >>> Segments("/a").has_trailing_slash, Segments("a/").has_trailing_slash
        (False, True)
        """
        return self._path.endswith("/")

    @property
    def name(self) -> str:
        """The last segment, or the one before a trailing slash; `""` for a root or an empty path.

        >>> Segments("/a/b/").name, Segments("/").name
        ('b', '')
        """
        return decode(self._raw_name)

    @property
    def suffix(self) -> str:
        """The name from its last dot on; `""` if that dot is first, last or missing.

        >>> [Segments(path).suffix for path in ("a.tar.gz", ".rc", "a.", "a%2Eb")]
        ['.gz', '', '', '.b']
        """
        return decode(self._raw_name[self._raw_stem_length :])

    @property
    def stem(self) -> str:
        """The name without its suffix.

        >>> [Segments(path).stem for path in ("a.tar.gz", ".rc")]
        ['a.tar', '.rc']
        """
        return decode(self._raw_name[: self._raw_stem_length])

    @property
    def parent(self) -> Segments:
        """The segments without the name; the same segments for a root or an empty path.

        >>> [str(Segments(path).parent) for path in ("/a/b", "/a/b/", "/a", "a", "/")]
        ['/a', '/a/', '/', '', '/']
        """
        length = next(parent_lengths(self._path), None)
        return self if length is None else self._with(self._path[:length])

    @property
    def parents(self) -> Sequence[Segments]:
        """The parent, its parent and so on, up to the root or the empty path.

        >>> [str(parent) for parent in Segments("/a/b/c").parents]
        ['/a/b', '/a', '/']
        """
        return Parents(self)

    # --- editing

    def with_name(self, name: SegmentData) -> Segments:
        """Return a copy with another name, given as data; a trailing slash is kept.

        Raises:
            BuildError: there is no name to replace; or the new one is empty, is a dot segment (`.`
                or `..`), or has lone surrogates that decoding would not return (see
                `percent.encode`).
            TypeError: `name` is neither `str` nor `bytes`.

        >>> str(Segments("/a%20b/c/").with_name("d/e"))
        '/a%20b/d%2Fe/'
        """
        start, end = self._name_span()
        raw = segment_text(name, self._rule(start), iri=self._iri)
        if not end:
            raise BuildError(self._path, 0, "path", "segment", NO_NAME, NO_NAME_HINT)
        if not raw:
            reason, hint = "empty name", "use parent to remove the name"
            raise BuildError("", 0, "path", "segment-nz", reason, hint)
        return self._with(f"{self._path[:start]}{raw}{self._path[end:]}")

    def with_suffix(self, suffix: SegmentData) -> Segments:
        """Return a copy in which the name has another suffix, given with its dot; `""` removes it.

        Raises:
            BuildError: there is no name, or the name is or would become a dot segment; or the
                suffix does not consist of a dot and other characters, or has lone surrogates that
                decoding would not return.
            TypeError: `suffix` is neither `str` nor `bytes`.

        >>> str(Segments("/%7Ea.tar.gz").with_suffix(".xz"))
        '/%7Ea.tar.xz'
        """
        raw = encode(data_text(suffix, "a segment"), "segment", iri=self._iri)
        start, end = self._name_span()
        stem_end = start + self._raw_stem_length
        whole = decode(self._path[start:stem_end] + raw)
        if raw and (raw == "." or not raw.startswith(".")):
            reason = "invalid suffix: expected a dot and at least one more character"
            hint = 'pass the suffix as in ".html"'
            raise BuildError(raw, 0, "path", "segment", reason, hint)
        if start == end or self.name in DOT_SEGMENTS:
            raise BuildError(self._path, start, "path", "segment", NO_NAME, NO_NAME_HINT)
        if whole in DOT_SEGMENTS:
            reason = "invalid name: without its suffix, it would be a dot segment"
            hint = "use with_name to set another name"
            raise BuildError(self._path, start, "path", "segment", reason, hint)
        return self._with(f"{self._path[:stem_end]}{raw}{self._path[end:]}")

    def with_segment(self, index: int, segment: SegmentData) -> Segments:
        """Return a copy with one segment replaced by data.

        Any segment but the first may be empty.

        Raises:
            BuildError: the new segment is a dot segment (`.` or `..`), or has lone surrogates that
                decoding would not return; or an absolute path would become relative, or a relative
                one absolute.
            IndexError: there is no segment with that index.
            TypeError: `segment` is neither `str` nor `bytes`.

        >>> str(Segments("/a%20b/c/d").with_segment(2, "50%"))
        '/a%20b/50%25/d'
        """
        raw = list(self.raw)
        if not -len(raw) <= index < len(raw):
            raise IndexError(f"segment {index} out of range: the path has {len(raw)} segments")
        index %= len(raw)
        text = segment_text(segment, self._rule(index), iri=self._iri)
        if index == 0 and (self.is_absolute or not text):
            reason = "invalid edit: the first segment decides whether the path is absolute"
            raise BuildError(self._path, 0, "path", "segment", reason, "use with_path instead")
        raw[index] = text
        return self._with("/".join(raw))

    # --- special methods

    def __len__(self) -> int:
        return len(self.raw)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Segments: ...
    def __getitem__(self, index: int | slice) -> str | Segments:
        if isinstance(index, slice):
            return self._joined(self.raw[index])
        return decode(self.raw[index])

    def __iter__(self) -> Iterator[str]:
        return map(decode, self.raw)

    def __str__(self) -> str:
        return self._path

    def __repr__(self) -> str:
        return f"Segments({without_passwords(self._path, valid=True)!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Sequence) and not isinstance(other, str | bytes):
            return tuple(self) == tuple(cast("Sequence[object]", other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __copy__(self) -> Segments:
        return self

    def __deepcopy__(self, _memo: object) -> Segments:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return segments_of, (self._path, self._iri, self._relative)

    # --- implementation

    def _name_span(self) -> tuple[int, int]:
        """Return the start and end of the last path segment; (0, 0) if there is none."""
        end = len(self._path) - self._path.endswith("/")
        return self._path.rfind("/", 0, end) + 1, end

    @property
    def _raw_name(self) -> str:
        start, end = self._name_span()
        return self._path[start:end]

    @property
    def _raw_stem_length(self) -> int:
        """The length of the name without its suffix, as written."""
        name = self._raw_name
        dots = list(DOT.finditer(name))
        if dots and dots[-1].start() > 0 and dots[-1].end() < len(name):
            return dots[-1].start()
        return len(name)

    def _rule(self, start: int) -> Component:
        """Return the rule for a segment at `start`: the first of a relative path has no colon."""
        return "segment-nz-nc" if start == 0 and self._relative else "segment"


class Parents(Sequence[Segments]):
    """The parents of a path, from the longest to the shortest; each is created on access."""

    __slots__ = ("_lengths", "_segments")

    def __init__(self, segments: Segments) -> None:
        self._segments = segments
        self._lengths = list(parent_lengths(segments.path))

    def __len__(self) -> int:
        return len(self._lengths)

    @overload
    def __getitem__(self, index: int) -> Segments: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Segments]: ...
    def __getitem__(self, index: int | slice) -> Segments | Sequence[Segments]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        return self._segments._with(self._segments.path[: self._lengths[index]])

    def __repr__(self) -> str:
        return f"<parents of {self._segments!r}>"


def segments_of(path: str, iri: bool, relative: bool) -> Segments:  # for pickle
    """Restore a pickled value."""
    return Segments._of_path(path, iri=iri, relative=relative)


def parent_lengths(path: str) -> Iterator[int]:
    """Yield the length of each parent of a path; every parent is a prefix of the path."""
    length = len(path)
    while length > path.startswith("/"):
        slash = path[length - 1] == "/"
        start = path.rfind("/", 0, length - slash) + 1
        # The slash before a name is removed with it, but not that of the root, nor in a path that
        # ends with a slash.
        length = start if slash or start < 2 else start - 1
        yield length


def as_path(path: object) -> str:
    """Return the exact `str` of a path.

    Raises:
        ParseError: `path` is not a path.
        TypeError: `path` is not a `str`.
    """
    if not isinstance(path, str):
        raise TypeError(f"a path must be a str, not {type(path).__name__}")
    from uriverse._spec.messages import component_error
    from uriverse._spec.syntax import LONGEST_TEXT, matches

    exact = str.__str__(path)
    # Together, the two rules match everything that `path` matches, and every path after an
    # authority.
    rule = "ipath-rootless" if exact and not exact.startswith("/") else "ipath-abempty"
    if len(exact) > LONGEST_TEXT or not matches(exact, rule):
        raise component_error(exact, "path", rule)
    return exact


def path_of(segments: Iterable[SegmentData], *, iri: bool, relative: bool) -> str:
    """Return the path with these segments, each encoded so that it stays a single segment.

    Both `("",)` and `("", "")` are the root. A colon in the first segment of a relative path is
    encoded too: it would be read as the end of a scheme.
    """
    if isinstance(segments, Segments):
        return segments.path
    if isinstance(segments, str | bytes) or not isinstance(segments, Iterable):
        kind = type(segments).__name__
        raise TypeError(f"segments must be an iterable, as in ['', 'a', 'b'], not {kind}")
    empty = Segments._of_path("", iri=iri, relative=relative)
    raw = (segment_text(data, empty._rule(i), iri=iri) for i, data in enumerate(segments))
    return empty._joined(tuple(raw)).path


def segment_text(segment: SegmentData, component: Component, *, iri: bool) -> str:
    """Percent-encode the data of one segment.

    Raises:
        BuildError: the segment is `.` or `..`, which are dot segments in a hierarchy and cannot be
            escaped (RFC 3986, 6.2.2.3), or has lone surrogates that decoding would not return.
        TypeError: `segment` is neither `str` nor `bytes`.
    """
    data = data_text(segment, "a segment")
    if data in DOT_SEGMENTS:
        reason = f'invalid segment "{data}": a dot segment cannot be escaped as data'
        hint = "use with_path for a path with dot segments"
        raise BuildError(data, 0, "path", "segment", reason, hint)
    return encode(data, component, iri=iri)
