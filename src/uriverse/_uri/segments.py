"""The segments of a path, which can be edited without changing other parts of the path."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar, cast, final, overload

from uriverse import percent
from uriverse._engine import compiled, kernel, use_compiled
from uriverse._errors import BuildError, ParseError
from uriverse._redaction import redact_text
from uriverse._uri.foreign_names import SegmentsNames

from . import engine as _engine

if TYPE_CHECKING:
    from typing import Self

    from uriverse.typing import Component, SegmentData


T = TypeVar("T")

#: The dot segments, which are steps in a hierarchy and not data.
DOT_SEGMENTS = (".", "..")

#: A dot, plain or percent-encoded.
DOT = re.compile(r"\.|%2[Ee]")

#: The reason and the hint for a path without a name that could be changed.
NO_NAME = "missing name: the path is empty, or ends with a slash or a dot segment"
NO_NAME_HINT = "use with_name to set a name"


class PathParts:
    """The base class of `Segments`, which stores a path. The kernel has the same class."""

    __slots__ = ("__weakref__", "_iri", "_path", "_raw", "_relative")

    if TYPE_CHECKING:
        _path: str
        _raw: tuple[str, ...] | None
        _iri: bool
        _relative: bool

    def __new__(cls, path: str = "", /) -> Self:
        return cls._from_valid_path(validate_path(path), iri=False, relative=False)

    # Errors about the arguments name the public class.
    __new__.__qualname__ = "Segments"

    @classmethod
    def _from_valid_path(cls, path: str, *, iri: bool, relative: bool) -> Self:
        """Create an object; a relative path is part of a reference without scheme and authority."""
        self = object.__new__(cls)
        self._path, self._raw = path, None
        self._iri, self._relative = iri, relative
        return self

    def _with(self, path: str) -> Self:
        return self._from_valid_path(path, iri=self._iri, relative=self._relative)

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
        return decode_segment(self.raw[index])

    def __iter__(self) -> Iterator[str]:
        raw = self.raw if self._raw is None else self._raw
        return map(decode_segment, raw) if "%" in self._path else iter(raw)

    def __str__(self) -> str:
        return self._path


#: The class of the reference implementation, whatever engine runs.
ReferencePathParts = PathParts
if not TYPE_CHECKING and compiled:
    PathParts = kernel.PathParts


@final
class Segments(PathParts, Sequence[str], SegmentsNames):
    """The percent-decoded segments of a [path](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).

    Each segment is decoded separately, so `%2F` becomes a slash within a segment. Bytes that are
    not valid UTF-8 become surrogate escapes, as in `os.fsdecode`. The first segment is `""` if the
    path starts with a slash, and the last one is `""` if the path ends with a slash. An empty path
    has no segments.

    `Segments` are immutable and lossless: methods that edit them return new `Segments`, in which
    only the named segment differs. `URI.with_segments` accepts `Segments`. They equal `Segments`
    and tuples with the same decoded segments.

    Slicing returns `Segments`. If the first segment of a slice is empty, the path of the slice
    starts with a slash. A slice of a single empty segment is the root, `/`.

    The `name` is the last segment, so it is `""` if the path ends with a slash. The parent of
    `/a/b/` is `/a/b`.

    Args:
        path: the path as a percent-encoded string.

    Raises:
        ParseError: `path` is not a valid path.
        TypeError: `path` is not a `str`.

    >>> segments = Segments("/a%2Fb/c.tar.gz")
    >>> segments[1], segments.name, segments.stem, segments.suffix
    ('a/b', 'c.tar.gz', 'c.tar', '.gz')
    >>> str(segments.with_suffix(".xz")), str(segments.parent)
    ('/a%2Fb/c.tar.xz', '/a%2Fb')
    """

    __module__ = "uriverse"

    __slots__ = ()

    # --- reading

    @property
    def is_absolute(self) -> bool:
        """True if the path starts with a slash.

        >>> Segments("/a").is_absolute, Segments("a/").is_absolute
        (True, False)
        """
        return self.path.startswith("/")

    @property
    def has_trailing_slash(self) -> bool:
        """True if the path ends with a slash.

        >>> Segments("/a").has_trailing_slash, Segments("a/").has_trailing_slash
        (False, True)
        """
        return self.path.endswith("/")

    @property
    @use_compiled("SegmentsMethods")
    def name(self) -> str:
        """The last segment of the path; `""` if the path is empty or ends with a slash.

        >>> Segments("/a/b").name, Segments("/a/b/").name
        ('b', '')
        """
        return decode_segment(self.path[self.path.rfind("/") + 1 :])

    @property
    @use_compiled("SegmentsMethods")
    def suffix(self) -> str:
        """The file extension of the path with its dot, such as `".gz"`; `""` without an extension.

        The extension starts at the last dot of the name. A dot at the start or the end of the name
        does not count, so `.rc` and `a.` have no extension.

        >>> [Segments(path).suffix for path in ("a.tar.gz", ".rc", "a.", "a%2Eb")]
        ['.gz', '', '', '.b']
        """
        name = self.name
        return name[find_stem_end(name) :]

    @property
    @use_compiled("SegmentsMethods")
    def suffixes(self) -> tuple[str, ...]:
        """All suffixes of the last segment, such as `(".tar", ".gz")`; empty without one.

        >>> Segments("/a.tar.gz").suffixes
        ('.tar', '.gz')
        """
        return list_suffixes(self.name)

    @property
    @use_compiled("SegmentsMethods")
    def stem(self) -> str:
        """The last segment of the path without its file extension.

        >>> [Segments(path).stem for path in ("a.tar.gz", ".rc")]
        ['a.tar', '.rc']
        """
        name = self.name
        return name[: find_stem_end(name)]

    @property
    def parent(self) -> Segments:
        """The path without its last segment, like the parent directory of a file.

        The parent of `/a/b/` is `/a/b`. The parent of `/` or of an empty path is that path itself.

        >>> [str(Segments(path).parent) for path in ("/a/b", "/a/b/", "/a", "a", "/")]
        ['/a', '/a/b', '/', '', '/']
        """
        return self._with(self.path[: find_parent_end(self.path)])

    @property
    def parents(self) -> Sequence[Segments]:
        """The parent of the path, the parent of that parent and so on, up to `/`.

        The last parent of a relative path is an empty path.

        >>> [str(parent) for parent in Segments("/a/b/c").parents]
        ['/a/b', '/a', '/']
        """
        return Parents(list_parent_ends(self.path), lambda length: self._with(self.path[:length]))

    # --- editing

    def with_name(self, name: SegmentData) -> Segments:
        """Return a copy of the path with its last segment replaced.

        Args:
            name: the new last segment as data, `str` or `bytes`, which is percent-encoded. `""`
                removes the name, so that the path ends with a slash or is empty.

        Raises:
            BuildError: the new name is `.` or `..`, or has surrogates that decoding would not
                restore (see `percent.encode`).
            TypeError: `name` is neither `str` nor `bytes`.

        >>> str(Segments("/a%20b/c").with_name("d/e"))
        '/a%20b/d%2Fe'
        """
        return self._replace_name_part("name", name)

    def with_stem(self, stem: SegmentData) -> Segments:
        """Return a copy of the path with another name but the same file extension.

        Args:
            stem: the new name without its extension, as data, which is percent-encoded.

        Raises:
            BuildError: the stem is empty, or the name would become `.` or `..`, or the stem has
                surrogates that decoding would not restore.
            TypeError: `stem` is neither `str` nor `bytes`.

        >>> str(Segments("/a/b.tar.gz").with_stem("c"))
        '/a/c.gz'
        """
        return self._replace_name_part("stem", stem)

    def with_suffix(self, suffix: SegmentData) -> Segments:
        """Return a copy of the path with another file extension.

        Args:
            suffix: the new extension with its dot, as data, which is percent-encoded; `""` removes
                the extension.

        Raises:
            BuildError: the path has no name, or the name is or would become `.` or `..`; or the
                suffix does not start with a dot, is only a dot, or has surrogates that decoding
                would not restore.
            TypeError: `suffix` is neither `str` nor `bytes`.

        >>> str(Segments("/%7Ea.tar.gz").with_suffix(".xz"))
        '/%7Ea.tar.xz'
        """
        return self._replace_name_part("suffix", suffix)

    def with_segment(self, index: int, segment: SegmentData) -> Segments:
        """Return a copy of the path with one segment replaced.

        Args:
            index: the index of the segment, as in `segments[index]`; negative indices count from
                the end.
            segment: the new segment as data, `str` or `bytes`, which is percent-encoded. It may be
                empty, except for the first segment.

        Raises:
            BuildError: the new segment is `.` or `..`, or has surrogates that decoding would not
                restore; or the path would gain or lose its leading slash.
            IndexError: the index is out of range.
            TypeError: `segment` is neither `str` nor `bytes`.

        >>> str(Segments("/a%20b/c/d").with_segment(2, "50%"))
        '/a%20b/50%25/d'
        """
        raw = list(self.raw)
        if not -len(raw) <= index < len(raw):
            raise IndexError(f"segment {index} out of range: the path has {len(raw)} segments")
        index %= len(raw)  # an index from the end becomes one from the start
        text = encode_segment(segment, choose_segment_rule(index, self._relative), iri=self._iri)
        if index == 0 and (self.is_absolute or not text):
            reason = "invalid first segment: the edit would change whether the path is absolute"
            raise BuildError(self.path, 0, "path", "segment", reason, "use with_path instead")
        raw[index] = text
        return self._with("/".join(raw))

    # --- special methods

    def __repr__(self) -> str:
        return f"Segments({redact_text(self.path)!r})"

    def __eq__(self, other: object) -> bool:
        # A list is not equal to a tuple, so `Segments` cannot be equal to both.
        if isinstance(other, Segments | tuple):
            return tuple(self) == tuple(cast("Iterable[object]", other))
        return NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __copy__(self) -> Segments:
        return self

    def __deepcopy__(self, _memo: object) -> Segments:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return restore_segments, (self.path, self._iri, self._relative)

    # --- implementation

    def _replace_name_part(self, part: str, data: SegmentData) -> Segments:
        noun = f"with_{part}(): {part}"
        return self._with(REPLACERS[part](self.path, data, noun, self._iri, self._relative))


class Parents(Sequence[T]):
    """The parents of a path, from the longest to the shortest; each one is created on access."""

    __slots__ = ("_lengths", "_parent")

    def __init__(self, lengths: Iterable[int], parent: Callable[[int], T]) -> None:
        self._lengths = list(lengths)
        self._parent = parent

    def __len__(self) -> int:
        return len(self._lengths)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        if isinstance(index, slice):
            return [self[i] for i in range(len(self))[index]]
        return self._parent(self._lengths[index])

    def __iter__(self) -> Iterator[T]:
        return map(self._parent, self._lengths)

    def __repr__(self) -> str:
        return f"<{len(self)} parents of a path>"


def validate_path(path: object) -> str:
    if not isinstance(path, str):
        raise TypeError(f"a path must be a str, not {type(path).__name__}")
    exact = str.__str__(path)
    # Together, these two rules match every path, with or without an authority before it.
    rule = "ipath-rootless" if exact and not exact.startswith("/") else "ipath-abempty"
    from uriverse._spec import syntax  # the kernel does not need the grammar

    if len(exact) > syntax.LONGEST_TEXT or not syntax.matches(exact, rule):
        from uriverse._spec.messages import describe_invalid_component  # needed for errors only

        raise ParseError(*describe_invalid_component(exact, "path", rule))
    return exact


def decode_segment(text: str) -> str:
    """Percent-decode once; octets that are not UTF-8 become surrogate escapes."""
    return percent.decode(text, "surrogateescape")


def restore_segments(path: str, iri: bool, relative: bool) -> Segments:
    return Segments._from_valid_path(path, iri=iri, relative=relative)


def find_stem_end(name: str) -> int:
    dot = name.rfind(".")
    return dot if 0 < dot < len(name) - 1 else len(name)


def list_suffixes(name: str) -> tuple[str, ...]:
    if name.endswith("."):
        return ()
    return tuple(f".{suffix}" for suffix in name.lstrip(".").split(".")[1:])


def find_parent_end(path: str, end: int | None = None) -> int:
    """Return the length of the parent of `path[:end]`; `/` and the empty path are their own."""
    slash = path.rfind("/", 0, end)
    return slash if slash > 0 else slash + 1


def list_parent_ends(path: str) -> Iterator[int]:
    length, root_length = len(path), int(path.startswith("/"))
    while length > root_length:
        length = find_parent_end(path, length)
        yield length


def join_segments(segments: Iterable[SegmentData], *, iri: bool, relative: bool) -> str:
    """Return the path of segments, each encoded so that it stays one.

    A colon in the first segment of a relative path is encoded too, because it would be parsed as
    the end of a scheme.
    """
    if isinstance(segments, Segments):
        return segments.path
    if isinstance(segments, str | bytes) or not isinstance(segments, Iterable):
        kind = type(segments).__name__
        raise TypeError(f"segments must be an iterable, as in ['', 'a', 'b'], not {kind}")
    encoded_segments = [
        encode_segment(segment, choose_segment_rule(index, relative), iri=iri)
        for index, segment in enumerate(segments)
    ]
    if encoded_segments == [""]:
        reason = "a single empty segment: the empty path has no segments, and the path / has two"
        hint = 'pass ["", ""] for the path "/", or [] for an empty path'
        raise BuildError("", 0, "path", "segment", reason, hint)
    return "/".join(encoded_segments)


def choose_segment_rule(start: int, relative: bool) -> Component:
    """RFC 3986, 4.2: the first segment of a relative path, at offset or index 0, has no colon."""
    return "segment-nz-nc" if start == 0 and relative else "segment"


def replace_name(path: str, name: SegmentData, noun: str, iri: bool, relative: bool) -> str:
    start = path.rfind("/") + 1
    rule = choose_segment_rule(start, relative)
    return path[:start] + encode_segment(name, rule, iri=iri, noun=noun)


def replace_stem(path: str, stem: SegmentData, noun: str, iri: bool, relative: bool) -> str:
    data = _engine.decode_if_bytes(stem, noun)
    if not data:
        reason, hint = "empty stem: the name would be the extension alone", "use with_name instead"
        raise BuildError("", 0, "path", "segment", reason, hint)
    start = path.rfind("/") + 1
    suffix = path[start + find_raw_stem_end(path[start:]) :]
    if not suffix:
        return replace_name(path, data, noun, iri, relative)
    raw = percent.encode(data, choose_segment_rule(start, relative), iri=iri)
    return path[:start] + raw + suffix


def replace_suffix(path: str, suffix: SegmentData, noun: str, iri: bool, relative: bool) -> str:
    """Replace, add or remove the suffix of the last segment; `noun` names it in errors."""
    start = path.rfind("/") + 1
    name = path[start:]
    stem = name[: find_raw_stem_end(name)]
    data = _engine.decode_if_bytes(suffix, noun)
    new_suffix = percent.encode(data, choose_segment_rule(start, relative), iri=iri)
    if new_suffix == "." or (new_suffix and not new_suffix.startswith(".")):
        reason = "invalid suffix: expected a dot and at least one more character"
        hint = 'pass the suffix as in ".html"'
        raise BuildError(new_suffix, 0, "path", "segment", reason, hint)
    if not name or decode_segment(name) in DOT_SEGMENTS:
        raise BuildError(path, start, "path", "segment", NO_NAME, NO_NAME_HINT)
    if decode_segment(stem + new_suffix) in DOT_SEGMENTS:
        reason = "invalid suffix: the name would become a dot segment"
        hint = "use with_name to set another name"
        raise BuildError(path, start, "path", "segment", reason, hint)
    return path[:start] + stem + new_suffix


#: The functions that replace the name, the stem or the suffix of a path.
REPLACERS: dict[str, Callable[[str, SegmentData, str, bool, bool], str]] = {
    "name": replace_name,
    "stem": replace_stem,
    "suffix": replace_suffix,
}


def find_raw_stem_end(name: str) -> int:
    """Do the same as `find_stem_end` in a name that may be encoded, as in `a%2Egz`."""
    if "%" not in name:
        return find_stem_end(name)
    inner_dots = [dot for dot in DOT.finditer(name) if dot.start() > 0]
    if inner_dots and inner_dots[-1].end() < len(name):
        return inner_dots[-1].start()
    return len(name)


def encode_segment(
    segment: SegmentData, component: Component, *, iri: bool, noun: str = "a segment"
) -> str:
    """Encode a segment, which must not be `.` or `..`: encoded, they are still dot segments."""
    data = _engine.decode_if_bytes(segment, noun)
    if data in DOT_SEGMENTS:
        reason = f'invalid segment "{data}": a dot segment cannot be escaped as data'
        hint = "use with_path for a path with dot segments"
        raise BuildError(data, 0, "path", "segment", reason, hint)
    return percent.encode(data, component, iri=iri)


_engine.register_view(Segments)
