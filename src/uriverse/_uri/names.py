"""The name and the parents of a URI: the last segment of its path, and the path without it.

The properties have the names that `pathlib` uses. They never look at a file system.
"""

from __future__ import annotations

from . import engine as _engine
from .building import SEGMENTS, later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from uriverse.typing import SegmentData

    from .public_type import Plain, PublicType


class Named(_engine.Identifier):
    """Mixin of the four public types, with the name and the parents of the path."""

    __slots__ = ()

    @property
    @_engine.fast_method("name")
    def name(self) -> str:
        """The last segment of the path, percent-decoded; `""` if the path ends with a slash.

        Bytes that are not valid UTF-8 become surrogate escapes, as in `os.fsdecode`. See
        [RFC 3986, 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).

        >>> URI("http://a/b/c%20d.tar.gz?q").name, URI("http://a/b/").name, URI("http://a").name
        ('c d.tar.gz', '', '')
        """
        path = self.path
        return decoded(path[path.rfind("/") + 1 :])

    @property
    @_engine.fast_method("stem")
    def stem(self) -> str:
        """The name without its file extension: the `name` without the `suffix`.

        >>> URI("http://a/b/c.tar.gz").stem, URI("http://a/.rc").stem
        ('c.tar', '.rc')
        """
        name = self.name
        return name[: later(SEGMENTS).stem_length(name)]

    @property
    @_engine.fast_method("suffix")
    def suffix(self) -> str:
        """The file extension of the name with its dot, such as `".gz"`; `""` without an extension.

        The extension starts at the last dot of the name. A dot at the start or the end of the name
        does not count, so `.rc` and `a.` have no extension.

        >>> URI("http://a/b/c.tar.gz").suffix, URI("http://a/.rc").suffix
        ('.gz', '')
        """
        name = self.name
        return name[later(SEGMENTS).stem_length(name) :]

    @property
    @_engine.fast_method("suffixes")
    def suffixes(self) -> tuple[str, ...]:
        """All file extensions of the name, each with its dot; `()` without an extension.

        >>> URI("http://a/b/c.tar.gz").suffixes
        ('.tar', '.gz')
        """
        found: tuple[str, ...] = later(SEGMENTS).suffixes(self.name)
        return found

    @property
    @_engine.fast_method("parent")
    def parent(self: Plain[PublicType]) -> PublicType:
        """The URI without the last segment of its path, and without query and fragment.

        The parent of `/a/b/` is `/a/b`, and the parent of `/a` is `/`. If the path is `/` or empty,
        it does not change. Dot segments have no special meaning here; `resolve("..")` follows them.

        >>> URI("http://a/b/c?d").parent, URI("http://a/").parent
        (URI('http://a/b'), URI('http://a/'))
        """
        parent: Any = self._cut_path(later(SEGMENTS).parent_length(self.path))
        return parent

    @property
    def parents(self: Plain[PublicType]) -> Sequence[PublicType]:
        """The parents of the URI, from the nearest to the farthest: `parent`, its parent and so on.

        The sequence is empty if the path is `/` or empty.

        >>> list(URI("http://a/b/c").parents)
        [URI('http://a/b'), URI('http://a/')]
        """
        views = later(SEGMENTS)
        parents: Sequence[Any] = views.Parents(views.parent_lengths(self.path), self._cut_path)
        return parents

    @_engine.fast_method("with_name")
    def with_name(self: Plain[PublicType], name: SegmentData) -> PublicType:
        """Return a copy of the URI with another name, and without query and fragment.

        Query and fragment belong to the old name, so they are removed. To keep them, use
        `with_segments(uri.segments.with_name(name))`.

        Args:
            name: the new last segment of the path as data, `str` or `bytes`; it is
                percent-encoded, including `/`. `""` removes the name, so that the path ends with a
                slash or is empty.

        Raises:
            BuildError: the name is `.` or `..`, or has surrogates that decoding would not restore
                (see `percent.encode`).
            TypeError: `name` is neither `str` nor `bytes`.

        >>> URI("http://a/b/c.txt?d").with_name("e f.md")
        URI('http://a/b/e%20f.md')
        """
        return with_path_only(self, path_with(self, "name", name))

    @_engine.fast_method("with_stem")
    def with_stem(self: Plain[PublicType], stem: SegmentData) -> PublicType:
        """Return a copy of the URI with another stem, and without query and fragment.

        Args:
            stem: the new name without its extension, as data, which is percent-encoded.

        Raises:
            BuildError: the stem is empty, or the name would become `.` or `..`, or the stem has
                surrogates that decoding would not restore.
            TypeError: `stem` is neither `str` nor `bytes`.

        >>> URI("http://a/b/c.tar.gz").with_stem("d")
        URI('http://a/b/d.gz')
        """
        return with_path_only(self, path_with(self, "stem", stem))

    @_engine.fast_method("with_suffix")
    def with_suffix(self: Plain[PublicType], suffix: SegmentData) -> PublicType:
        """Return a copy of the URI with another file extension, and without query and fragment.

        Query and fragment belong to the old name, so they are removed. To keep them, use
        `with_segments(uri.segments.with_suffix(suffix))`.

        Args:
            suffix: the new extension with its dot, as data, which is percent-encoded; `""` removes
                the extension.

        Raises:
            BuildError: the path has no name, or the name is or would become `.` or `..`; or the
                suffix does not start with a dot, is only a dot, or has surrogates that decoding
                would not restore.
            TypeError: `suffix` is neither `str` nor `bytes`.

        >>> URI("http://a/b/c.tar.gz?d").with_suffix(".zip")
        URI('http://a/b/c.tar.zip')
        """
        return with_path_only(self, path_with(self, "suffix", suffix))


def decoded(segment: str) -> str:
    if "%" not in segment:
        return segment
    text: str = later("uriverse._uri.decoding").decode(segment)
    return text


def path_with(value: Plain[Any], part: str, data: SegmentData) -> str:
    """Return the path of a URI with another name, stem or suffix."""
    path, rooted = value.path, value.host is not None
    if not path and rooted:
        path = "/"  # after an authority, a path starts with a slash
    views = later(SEGMENTS)
    relative, iri = value.scheme is None and not rooted, value._plain_type()._rule.startswith("IRI")
    renamed: str = views.RENAMED[part](path, data, f"with_{part}(): {part}", iri, relative)
    return renamed


def with_path_only(value: Plain[PublicType], path: str) -> Any:
    """Return a copy of a URI with another path, and without its query and its fragment.

    The path must be valid at its place. If nothing changes, return the same object.
    """
    text, bounds = _engine.as_text(value), value._bounds
    whole = text[: bounds[4]] + path
    return value if whole == text else value._plain_type()(whole)
