"""Build URIs from components, and copy URIs with some components replaced."""

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
        """The keyword arguments of `URI.replace`, with the same types as those of `URI.build`."""

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
        """Replace `typing.overload` at run time, so that `typing` need not be imported."""
        return function


#: The keyword arguments of `replace` that name a component.
CHANGEABLE = frozenset(
    ["scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment", "segments"]
)

#: The message about an authority that is given whole and in parts.
AUTHORITY_TWICE = "authority cannot be combined with userinfo, host or port"

#: The modules that `later` has imported, by name. Asking the import system every time would take
#: longer than the work itself.
modules: dict[str, Any] = {}


def later(name: str) -> Any:
    """Return the module with the given name. The first call for each module imports it."""
    if name not in modules:
        from importlib import import_module

        modules[name] = import_module(name)
    return modules[name]


class Buildable(_engine.Identifier):
    """Mixin of the four public types, with the methods that build and edit URIs."""

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
        """Build a URI that parses back into exactly the given components.

        The components must already be percent-encoded where necessary: they are validated and never
        changed. Only `segments` are data, which `build` percent-encodes. Components that are not
        given are absent.

        Args:
            scheme: the scheme without its colon; `None` for no scheme.
            authority: the whole authority, instead of `userinfo`, `host` and `port`; `None` for no
                authority, `""` for an empty one.
            userinfo: the userinfo without its `@`; `None` for no userinfo, `""` for an empty one.
            host: the host, with brackets around an IPv6 address; `None` for no host, `""` for an
                empty one.
            port: a number, or a string of digits; `""` for a colon without digits, `None` for no
                port.
            path: the path, possibly empty.
            query: the query without its `?`; `None` for no query, `""` for an empty one.
            fragment: the fragment without its `#`; `None` for no fragment, `""` for an empty one.
            segments: the segments of the path as data, instead of `path`. If the first one is `""`,
                the path starts with a slash. `.` and `..` are rejected.
            shield: insert a dot segment instead of raising an error: `/.` before a path that would
                be parsed as an authority, or `./` before a path that would be parsed as a scheme.

        Returns:
            A URI of the type on which the method is called.

        Raises:
            BuildError: a component is invalid, or the result would be parsed differently.
            TypeError: an argument has the wrong type, or two arguments specify the same component.

        >>> URI.build(scheme="https", host="example.org", port=8080, path="/a", query="b=c")
        URI('https://example.org:8080/a?b=c')
        >>> URI.build(scheme="https", host="example.org", segments=["", "a/b", "50%"])
        URI('https://example.org/a%2Fb/50%25')
        >>> URIReference.build(path="//evil.example/", shield=True)
        URIReference('/.//evil.example/')
        """
        from uriverse._spec import build
        from uriverse._spec.components import AllParts, composed, split_authority
        from uriverse.views.segments import path_of

        if authority is not None:
            if not (userinfo is host is port is None):
                raise TypeError(AUTHORITY_TWICE)
            authority = part_text("authority", authority)
            userinfo, host, port = split_authority(authority)
        if segments is not None:
            if path:
                raise TypeError("path cannot be combined with segments")
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
        """Return a copy of the URI with some components replaced; other components do not change.

        Args:
            shield: insert a dot segment instead of raising an error; see `build`.
            changes: the new components, as in `build`. `None` removes a component, except the path.

        Raises:
            BuildError: a component is invalid, or the result would be parsed differently.
            TypeError: an argument has the wrong type, or two arguments specify the same component.

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
                raise TypeError(AUTHORITY_TWICE)
            del parts["userinfo"], parts["host"], parts["port"]
        if "segments" in changes:
            if "path" in changes or changes["segments"] is None:
                raise TypeError("pass either path or segments, and neither as None")
            del parts["path"]
        changed: Changes = {**parts, **changes}
        return self.build(**changed, shield=shield)

    __replace__ = replace

    def with_scheme(self, scheme: str | None) -> Self:
        """Return a copy of the URI with another scheme.

        Args:
            scheme: the new scheme without its colon; `None` removes the scheme.

        Raises:
            BuildError: the scheme is invalid, or the result would be parsed differently.
            TypeError: `scheme` is neither a `str` nor `None`.

        >>> URI("http://a/b").with_scheme("https")
        URI('https://a/b')
        """
        return self._exchanged(0, scheme) or self.replace(scheme=scheme)

    def with_authority(self, authority: str | None) -> Self:
        """Return a copy of the URI with another authority.

        Args:
            authority: the new authority, percent-encoded where necessary; `None` removes the
                authority and its `//`, `""` makes it empty.

        Raises:
            BuildError: the authority is invalid, or the result would be parsed differently.
            TypeError: `authority` is neither a `str` nor `None`.

        >>> URI("http://a/b").with_authority("c:80")
        URI('http://c:80/b')
        """
        return self.replace(authority=authority)

    def with_userinfo(self, userinfo: str | None) -> Self:
        """Return a copy of the URI with different userinfo.

        Args:
            userinfo: the new userinfo, percent-encoded where necessary; `None` removes the userinfo
                and its `@`, `""` makes it empty.

        Raises:
            BuildError: the userinfo is invalid, or the URI has no host.
            TypeError: `userinfo` is neither a `str` nor `None`.

        >>> URI("http://me@a/b").with_userinfo(None)
        URI('http://a/b')
        """
        return self._exchanged(1, userinfo) or self.replace(userinfo=userinfo)

    def with_host(self, host: str | None) -> Self:
        """Return a copy of the URI with another host.

        Args:
            host: the new host, percent-encoded where necessary, with brackets around an IPv6
                address; `None` removes the host and its `//`, `""` makes it empty.

        Raises:
            BuildError: the host is invalid, or the result would be parsed differently; or `host` is
                `None` although the URI has userinfo or a port.
            TypeError: `host` is neither a `str` nor `None`.

        >>> URI("http://a:80/b").with_host("[::1]")
        URI('http://[::1]:80/b')
        """
        return self._exchanged(2, host) or self.replace(host=host)

    def with_port(self, port: int | str | None) -> Self:
        """Return a copy of the URI with another port.

        Args:
            port: a number, or a string of digits; `None` removes the port and its colon, `""`
                removes only the digits.

        Raises:
            BuildError: the port is invalid, or the URI has no host.
            TypeError: `port` is neither an `int`, nor a `str`, nor `None`.

        >>> URI("http://a/b").with_port(0)
        URI('http://a:0/b')
        """
        digits = str(port) if type(port) is int and 0 <= port <= 65535 else port
        return self._exchanged(3, digits) or self.replace(port=port)

    def with_path(self, path: str, *, shield: bool = False) -> Self:
        """Return a copy of the URI with another path.

        Args:
            path: the new path, percent-encoded where necessary; `""` for an empty path. For
                unencoded data, use `with_segments`.
            shield: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: the path is invalid, or the result would be parsed differently.
            TypeError: `path` is not a `str`.

        >>> URI("http://a/b?c").with_path("/d%20e")
        URI('http://a/d%20e?c')
        """
        return self._exchanged(4, path) or self.replace(path=path, shield=shield)

    def with_segments(self, segments: Iterable[SegmentData], *, shield: bool = False) -> Self:
        """Return a copy of the URI with another path, built by percent-encoding the given segments.

        Args:
            segments: the segments as data, `str` or `bytes`. If the first one is `""`, the path
                starts with a slash. `.` and `..` are rejected, because encoding them would not keep
                them from being dot segments. An object of the class `Segments` is used as written.
            shield: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: a segment is `.` or `..`, or the result would be parsed differently.
            TypeError: `segments` is a single string, or a segment is neither `str` nor `bytes`.

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
            segments = kind._of_path(path, iri=self._is_iri(), relative=relative)
        return self._exchanged(4, segments.path) or self.replace(segments=segments, shield=shield)

    def with_query(self, query: str | None) -> Self:
        """Return a copy of the URI with another query.

        Args:
            query: the new query without its `?`, percent-encoded where necessary; `None` removes
                the query, `""` makes it empty. For names and values, use `with_params`.

        Raises:
            BuildError: the query is invalid.
            TypeError: `query` is neither a `str` nor `None`.

        >>> URI("http://a/b?c").with_query("")
        URI('http://a/b?')
        """
        return self._exchanged(5, query) or self.replace(query=query)

    @overload
    def with_params(self, params: Mapping[Any, ParamValues] | None, /) -> Self: ...
    @overload
    def with_params(self, params: Iterable[tuple[ParamName, ParamValues]], /) -> Self: ...  # noqa: F811
    def with_params(self, params: ParamSource | None, /) -> Self:  # noqa: F811  # overloads
        """Return a copy of the URI with the given query parameters and no others.

        Args:
            params: names and values as data, in a mapping or in pairs; they are encoded like HTML
                form data, in the given order. A list of values repeats the name. `Params` are used
                as written. `None` removes the query.

        Raises:
            BuildError: a name or a value cannot be encoded (see `Params.with_param`), or the type
                does not allow the query of the `Params`.
            TypeError: `params`, a name or a value has the wrong type.

        >>> uri = URI("http://a/?b=%7E&c")
        >>> uri.with_params(uri.params.with_param("c", 1))
        URI('http://a/?b=%7E&c=1')
        >>> uri.with_params({"q": "a b", "page": [1, 2]})
        URI('http://a/?q=a+b&page=1&page=2')
        """
        if params is None:
            return self.with_query(None)
        kind: type[Params] = later("uriverse.views.params").Params
        query = (params if isinstance(params, kind) else kind.build(params)).query
        return self._with_part(5, query) or self.replace(query=query)

    def with_fragment(self, fragment: str | None) -> Self:
        """Return a copy of the URI with another fragment.

        Args:
            fragment: the new fragment without its `#`, percent-encoded where necessary; `None`
                removes the fragment, `""` makes it empty.

        Raises:
            BuildError: the fragment is invalid.
            TypeError: `fragment` is neither a `str` nor `None`.

        >>> URI("http://a/b#c").with_fragment(None)
        URI('http://a/b')
        """
        return self._exchanged(6, fragment) or self.replace(fragment=fragment)

    def joinpath(self, *segments: SegmentData, shield: bool = False) -> Self:
        """Return a copy of the URI with segments added to its path.

        Each argument becomes exactly one segment. A trailing slash of the path is not doubled.
        Query and fragment stay as they are. To follow a relative reference such as `../a`, use
        `resolve`.

        Args:
            segments: the segments as data, `str` or `bytes`: they are percent-encoded, including
                `/`.
            shield: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: a segment is `.` or `..`, or the result would be parsed differently.
            TypeError: a segment is neither `str` nor `bytes`.

        >>> URI("http://a/b/?q").joinpath("c", "d/e")
        URI('http://a/b/c/d%2Fe?q')
        """
        text_of = later("uriverse.views.segments").segment_text
        path, iri = self.path, self._is_iri()
        for segment in segments:
            # Do not add a slash at the start of a rootless path, or after a trailing slash.
            if not path.endswith("/") and (path or self.host is not None):
                path += "/"
            first = not path and self.scheme is None
            path += text_of(segment, "segment-nz-nc" if first else "segment", iri=iri)
        return self.with_path(path, shield=shield)

    def __truediv__(self, segment: SegmentData) -> Self:
        """Return a copy of the URI with one segment added to its path; see `joinpath`.

        >>> URI("http://a/b") / "c"
        URI('http://a/b/c')
        """
        if not isinstance(segment, str | bytes):
            return NotImplemented
        return self.joinpath(segment)

    # --- implementation

    def _exchanged(self, part: int, text: object) -> Self | None:
        """Return a copy with one component replaced, or `None` if this fast method cannot do so.

        In that case, call `replace`, which is slower but accepts arguments of other types, and
        raises an error with the reason.
        """
        return self._with_part(part, text) if type(text) is str or text is None else None

    @classmethod
    def _is_iri(cls) -> bool:
        return cls._rule.startswith("IRI")


#: Hints for callers who pass a collection for a component that must be a string.
INSTEAD = {
    "query": ": pass names and values to with_params",
    "path": ": pass segments to with_segments",
}


def part_text(name: str, part: object) -> str:
    """Return a component as a plain `str`, or raise `TypeError` if it is not a string."""
    if not isinstance(part, str):
        advice = INSTEAD.get(name, "") if hasattr(part, "__iter__") else ""
        if isinstance(part, bytes | bytearray):
            advice = ": decode it first"
        raise TypeError(f"{name} must be a str, not {type(part).__name__}{advice}")
    return str.__str__(part)


def port_digits(port: int | str) -> str:
    """Convert a port number to a string of decimal digits.

    A negative number keeps its sign, which `build` rejects later.
    """
    if isinstance(port, str):
        return part_text("port", port)
    if isinstance(port, bool) or not isinstance(port, int):
        raise TypeError(f"port must be an int or a str, not {type(port).__name__}")
    if abs(port) >= 10**_engine.LONGEST_NUMBER:
        from uriverse.errors import BuildError

        reason = f"port too large: an int may have at most {_engine.LONGEST_NUMBER} digits"
        hint = "pass the digits as a str"
        raise BuildError("", 0, "port", "port", reason, hint)
    # A subclass of `int` may override `__repr__`; use its actual number.
    return int.__repr__(port)
