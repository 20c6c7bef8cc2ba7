"""Making identifiers of parts, and others that differ in one."""

from __future__ import annotations

from uriverse import _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Self, TypedDict, Unpack, overload

    from uriverse.typing import ParamName, ParamSource, ParamValues, SegmentData
    from uriverse.views.params import Params
    from uriverse.views.segments import Segments

    class Changes(TypedDict, total=False):
        """What `replace` takes, with the types of `build`."""

        scheme: str | None
        authority: str | None
        userinfo: str | None
        host: str | None
        port: int | str | None
        path: str
        query: str | None
        fragment: str | None
        segments: Iterable[SegmentData]


else:

    def overload(function: object) -> object:
        """What `typing` has, which is not imported for this alone."""
        return function


#: The keywords of `replace`.
CHANGEABLE = frozenset(
    ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "segments"]
)

#: Modules that not every program needs, by their names, once they are imported: asking the
#: import system each time would take longer than what is then done.
modules: dict[str, Any] = {}


def later(name: str) -> Any:
    """A module of the package that is imported when it is first needed."""
    if name not in modules:
        from importlib import import_module

        modules[name] = import_module(name)
    return modules[name]


class Buildable(_engine.Identifier):
    """What builds and edits; the four types are this."""

    __slots__ = ()

    @classmethod
    def build(
        cls,
        *,
        scheme: str | None = None,
        authority: str | None = None,
        userinfo: str | None = None,
        host: str | None = None,
        port: int | str | None = None,
        path: str = "",
        query: str | None = None,
        fragment: str | None = None,
        segments: Iterable[SegmentData] | None = None,
        shield: bool = False,
    ) -> Self:
        """Make one from its parts, so that it is read back as the same parts, or not at all.

        The parts are text, already percent-encoded where they need it: they are checked,
        never changed. `segments` are data, and are encoded.

        Args:
            scheme: without its colon; `None` for none.
            authority: instead of `userinfo`, `host` and `port`; `None` for none.
            userinfo: without its `@`; `None` for none.
            host: an IPv6 address in its brackets; `None` for none, `""` for an empty one.
            port: a number, or its digits; `""` for a colon without digits, `None` for none.
            path: the path, possibly empty.
            query: without its `?`; `None` for none, `""` for an empty one.
            fragment: without its `#`; `None` for none, `""` for an empty one.
            segments: instead of `path`: the decoded segments, the first `""` if it is absolute.
            shield: put `/.` before a path that would be read as an authority, and `./`
                before one whose first segment would be read as a scheme, not an error.

        Raises:
            BuildError: a part is not what its rule produces, or would be read back otherwise.
            TypeError: a part is of the wrong type, or two name the same thing.

        >>> URI.build(scheme="https", host="example.org", port=8080, path="/a", query="b=c")
        URI('https://example.org:8080/a?b=c')
        >>> URIReference.build(path="//evil.example/", shield=True)
        URIReference('/.//evil.example/')
        """
        from uriverse._spec import build
        from uriverse._spec.components import AllParts, composed, split_authority
        from uriverse.views.segments import path_of

        if authority is not None:
            if not (userinfo is host is port is None):
                raise TypeError("give authority, or userinfo, host and port, not both")
            authority = part_text("authority", authority)
            userinfo, host, port = split_authority(authority)
        if segments is not None:
            if path:
                raise TypeError("give path or segments, not both")
            relative = scheme is None and host is None
            path = path_of(segments, iri=cls._is_iri(), relative=relative)
        parts = AllParts(
            None if scheme is None else part_text("scheme", scheme),
            None if userinfo is None else part_text("userinfo", userinfo),
            None if host is None else part_text("host", host),
            None if port is None else port_digits(port),
            part_text("path", path),
            None if query is None else part_text("query", query),
            None if fragment is None else part_text("fragment", fragment),
        )
        if shield:
            parts = build.shielded(parts)
        added = len(parts.path) - len(path)
        value = cls.try_parse(composed(parts)) if build.coherent(parts) else None
        if value is None or value._bounds != build.intended(parts):
            by_segments = segments is not None
            raise build.error_for(parts, cls._rule, authority, added, segments=by_segments)
        return value

    def replace(self, *, shield: bool = False, **changes: Unpack[Changes]) -> Self:
        """Make another with some parts exchanged; what is not named stays, byte for byte.

        Arguments and errors are those of `build`; `None` takes a part away.

        >>> URI("http://a/b?c#d").replace(scheme="https", query=None)
        URI('https://a/b#d')
        """
        if not changes.keys() <= CHANGEABLE:
            unknown = min(changes.keys() - CHANGEABLE)
            raise TypeError(f"replace() got an unexpected keyword argument {unknown!r}")
        parts: Changes = {
            "scheme": self.scheme,
            "userinfo": self.userinfo,
            "host": self.host,
            "port": self.port_text,
            "path": self.path,
            "query": self.query,
            "fragment": self.fragment,
        }
        if "authority" in changes:
            if not changes.keys().isdisjoint({"userinfo", "host", "port"}):
                raise TypeError("give authority, or userinfo, host and port, not both")
            del parts["userinfo"], parts["host"], parts["port"]
        if "segments" in changes:
            if "path" in changes or changes["segments"] is None:
                raise TypeError("give path or segments, not both, and neither as None")
            del parts["path"]
        changed: Changes = {**parts, **changes}
        return self.build(**changed, shield=shield)

    __replace__ = replace

    def with_scheme(self, scheme: str | None) -> Self:
        """Another with this scheme; `None` for none. See `replace`.

        >>> URI("http://a/b").with_scheme("https")
        URI('https://a/b')
        """
        return self._exchanged(0, scheme) or self.replace(scheme=scheme)

    def with_authority(self, authority: str | None) -> Self:
        """Another with this authority; `None` for none. See `replace`.

        >>> URI("http://a/b").with_authority("c:80")
        URI('http://c:80/b')
        """
        return self.replace(authority=authority)

    def with_userinfo(self, userinfo: str | None) -> Self:
        """Another with this userinfo; `None` for none. See `replace`.

        >>> URI("http://me@a/b").with_userinfo(None)
        URI('http://a/b')
        """
        return self._exchanged(1, userinfo) or self.replace(userinfo=userinfo)

    def with_host(self, host: str | None) -> Self:
        """Another with this host, an IPv6 address in its brackets; `None` for none. See `replace`.

        >>> URI("http://a:80/b").with_host("[::1]")
        URI('http://[::1]:80/b')
        """
        return self._exchanged(2, host) or self.replace(host=host)

    def with_port(self, port: int | str | None) -> Self:
        """Another with this port; `""` for a colon alone, `None` for none. See `replace`.

        >>> URI("http://a/b").with_port(0)
        URI('http://a:0/b')
        """
        digits = str(port) if type(port) is int and 0 <= port <= 65535 else port
        return self._exchanged(3, digits) or self.replace(port=port)

    def with_path(self, path: str, *, shield: bool = False) -> Self:
        """Another with this path, given as text. See `replace`.

        >>> URI("http://a/b?c").with_path("/d%20e")
        URI('http://a/d%20e?c')
        """
        return self._exchanged(4, path) or self.replace(path=path, shield=shield)

    def with_segments(self, segments: Iterable[SegmentData], *, shield: bool = False) -> Self:
        """Another with a path of these segments, given as data. See `replace`.

        The first is `""` for an absolute path. `.` and `..` are rejected: they are steps
        between segments, and can't be escaped. `Segments` are taken as they are written.

        >>> URI("http://a/b").with_segments(["", "c/d", "e f"])
        URI('http://a/c%2Fd/e%20f')
        >>> uri = URI("http://a/%7Eb/c")
        >>> uri.with_segments(uri.segments.with_name("d"))
        URI('http://a/%7Eb/d')
        """
        views = later("uriverse.views.segments")
        kind: type[Segments] = views.Segments
        if not isinstance(segments, kind):
            relative = self.scheme is None and self.host is None
            path = views.path_of(segments, iri=self._is_iri(), relative=relative)
            segments = kind._read(path, iri=self._is_iri(), relative=relative)
        return self._exchanged(4, segments.path) or self.replace(segments=segments, shield=shield)

    def with_query(self, query: str | None) -> Self:
        """Another with this query; `None` for none, `""` for an empty one. See `replace`.

        >>> URI("http://a/b?c").with_query("")
        URI('http://a/b?')
        """
        return self._exchanged(5, query) or self.replace(query=query)

    @overload
    def with_params(self, params: Mapping[Any, ParamValues] | None, /) -> Self: ...
    @overload
    def with_params(self, params: Iterable[tuple[ParamName, ParamValues]], /) -> Self: ...  # noqa: F811
    def with_params(self, params: ParamSource | None, /) -> Self:  # noqa: F811  # overloads
        """Another with these parameters for its query.

        Args:
            params: `Params`, which are taken as they are written, whatever their codec; or
                names and values, written as by `Params().updated`; `None` for no query.

        Raises:
            BuildError: they are not what the type can hold, or see `Params.with_param`.
            TypeError: they are nothing of that.

        >>> uri = URI("http://a/?b=%7E&c")
        >>> uri.with_params(uri.params.with_param("c", 1))
        URI('http://a/?b=%7E&c=1')
        >>> uri.with_params({"q": "a b", "page": [1, 2]})
        URI('http://a/?q=a+b&page=1&page=2')
        """
        if params is None:
            return self.with_query(None)
        kind: type[Params] = later("uriverse.views.params").Params
        query = (params if isinstance(params, kind) else kind().updated(params)).query
        return self._with_part(5, query) or self.replace(query=query)

    def with_fragment(self, fragment: str | None) -> Self:
        """Another with this fragment; `None` for none, `""` for an empty one. See `replace`.

        >>> URI("http://a/b#c").with_fragment(None)
        URI('http://a/b')
        """
        return self._exchanged(6, fragment) or self.replace(fragment=fragment)

    def joinpath(self, *segments: SegmentData, shield: bool = False) -> Self:
        """Another with these segments added to its path, each one segment whatever it holds.

        A last segment that is empty (a trailing slash) is filled first. Query and
        fragment stay. What is given is data: `/` in it is encoded, `.` and `..` are
        rejected. To follow a reference, resolve it instead.

        Raises:
            BuildError: see above, and `replace`.
            TypeError: a segment is neither `str` nor `bytes`.

        >>> URI("http://a/b/?q").joinpath("c", "d/e")
        URI('http://a/b/c/d%2Fe?q')
        """
        text_of = later("uriverse.views.segments").segment_text
        path, iri = self.path, self._is_iri()
        for segment in segments:
            # A rootless path begins without a slash, and one that ends with one has it.
            if not path.endswith("/") and (path or self.host is not None):
                path += "/"
            first = not path and self.scheme is None
            path += text_of(segment, "segment-nz-nc" if first else "segment", iri=iri)
        return self.with_path(path, shield=shield)

    def __truediv__(self, segment: SegmentData) -> Self:
        """`joinpath` with one segment.

        >>> URI("http://a/b") / "c"
        URI('http://a/b/c')
        """
        if not isinstance(segment, str | bytes):
            return NotImplemented
        return self.joinpath(segment)

    # --- how it is done

    def _exchanged(self, part: int, text: object) -> Self | None:
        """Another with one part exchanged, where it can be done without looking twice."""
        return self._with_part(part, text) if type(text) is str or text is None else None

    @classmethod
    def _is_iri(cls) -> bool:
        return cls._rule.startswith("IRI")


#: Hints for callers who give several values to a part that takes one string.
INSTEAD = {
    "query": ": give names and values to with_params",
    "path": ": give segments to with_segments",
}


def part_text(name: str, part: object) -> str:
    """The exact `str` of a part that is text."""
    if not isinstance(part, str):
        advice = INSTEAD.get(name, "") if hasattr(part, "__iter__") else ""
        if isinstance(part, bytes | bytearray):
            advice = ": decode it first"
        raise TypeError(f"{name} is a str, not {type(part).__name__}{advice}")
    return str.__str__(part)


def port_digits(port: int | str) -> str:
    """The text of a port; of a negative number too, for the grammar to reject."""
    if isinstance(port, str):
        return part_text("port", port)
    if isinstance(port, bool) or not isinstance(port, int):
        raise TypeError(f"port is an int or a str, not {type(port).__name__}")
    if abs(port) >= 10**_engine.LONGEST_NUMBER:
        from uriverse.errors import BuildError

        reason, hint = "so large a number is not made a port", "give its digits"
        raise BuildError("", 0, "port", "port", reason, hint)
    # A subclass may print itself otherwise; its number counts.
    return int.__repr__(port)
