"""Copy a URI with one component replaced."""

from __future__ import annotations

from . import engine as _engine
from .building import SEGMENTS, Buildable, later, userinfo_with

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from uriverse._uri.segments import Segments
    from uriverse.typing import Host, SegmentData, UserData

    from .public_type import Edits, Plain, PublicType


class Editable(Buildable):
    """Mixin of the four public types, with the methods that replace one component."""

    __slots__ = ()

    @_engine.fast_method("scheme")
    def with_scheme(self: Edits[PublicType], scheme: str | None) -> PublicType:
        """Return a copy of the URI with another scheme.

        Args:
            scheme: the new scheme without its colon; `None` removes the scheme.

        Raises:
            BuildError: the scheme is invalid, or the result would be parsed differently.
            TypeError: `scheme` is neither a `str` nor `None`.

        >>> URI("http://a/b").with_scheme("https")
        URI('https://a/b')
        """
        return self._with_part(0, scheme) or self.replace(scheme=scheme)

    @_engine.fast_method("authority")
    def with_authority(self: Edits[PublicType], authority: str | None) -> PublicType:
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

    @_engine.fast_method("userinfo")
    def with_userinfo(self: Edits[PublicType], userinfo: str | None) -> PublicType:
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
        return self._with_part(1, userinfo) or self.replace(userinfo=userinfo)

    @_engine.fast_method("username")
    def with_username(self: Edits[PublicType], username: UserData | None) -> PublicType:
        """Return a copy of the URI with another user name and the same password.

        Args:
            username: the new user name as data, which is percent-encoded; `None` removes the user
                name and the password.

        Raises:
            BuildError: the URI has no host, or the user name has surrogates that decoding would not
                restore (see `percent.encode`).
            TypeError: `username` is neither a `str`, nor `bytes`, nor `None`.

        >>> URI("ftp://me:secret@a/").with_username("you@b").userinfo
        'you%40b:secret'
        """
        userinfo = userinfo_with(self.userinfo, {"username": username}, iri=self._is_iri())
        return self._with_part(1, userinfo) or self.replace(userinfo=userinfo)

    @_engine.fast_method("password")
    def with_password(self: Edits[PublicType], password: UserData | None) -> PublicType:
        """Return a copy of the URI with another password and the same user name.

        Args:
            password: the new password as data, which is percent-encoded; `None` removes the
                password and its colon.

        Raises:
            BuildError: the URI has no host, or the password has surrogates that decoding would not
                restore (see `percent.encode`).
            TypeError: `password` is neither a `str`, nor `bytes`, nor `None`.

        >>> str(URI("ftp://me@a/").with_password("p:q"))
        'ftp://me:p%3Aq@a/'
        """
        userinfo = userinfo_with(self.userinfo, {"password": password}, iri=self._is_iri())
        return self._with_part(1, userinfo) or self.replace(userinfo=userinfo)

    def without_userinfo(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI without its user name and password.

        >>> URI("ftp://me:secret@a/").without_userinfo()
        URI('ftp://a/')
        """
        unchanged: Any = self
        value = self._with_part(1, None)
        # Not `or`: a subclass may define `__bool__`.
        return unchanged if value is None else value

    @_engine.fast_method("host")
    def with_host(self: Edits[PublicType], host: Host | None) -> PublicType:
        """Return a copy of the URI with another host.

        Args:
            host: the new host, percent-encoded where necessary, or an `ipaddress` object. An IPv6
                address gets brackets if it has none. `None` removes the host and its `//`, `""`
                makes it empty.

        Raises:
            BuildError: the host is invalid, or is an address with a zone identifier; or the result
                would be parsed differently; or `host` is `None` although the URI has userinfo or a
                port.
            TypeError: `host` is neither a `str`, nor an IP address, nor `None`.

        >>> URI("http://a:80/b").with_host("::1")
        URI('http://[::1]:80/b')
        """
        return self._with_part(2, host) or self.replace(host=host)

    @_engine.fast_method("port")
    def with_port(self: Edits[PublicType], port: int | str | None) -> PublicType:
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
        return self._with_part(3, port) or self.replace(port=port)

    @_engine.fast_method("path")
    def with_path(self: Edits[PublicType], path: str, *, protect_path: bool = False) -> PublicType:
        """Return a copy of the URI with another path.

        Args:
            path: the new path, percent-encoded where necessary; `""` for an empty path. For
                unencoded data, use `with_segments`.
            protect_path: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: the path is invalid, or the result would be parsed differently.
            TypeError: `path` is not a `str`.

        >>> URI("http://a/b?c").with_path("/d%20e")
        URI('http://a/d%20e?c')
        """
        return self._with_part(4, path) or self.replace(path=path, protect_path=protect_path)

    @_engine.fast_method("with_segments")
    def with_segments(
        self: Edits[PublicType], segments: Iterable[SegmentData], *, protect_path: bool = False
    ) -> PublicType:
        """Return a copy of the URI with another path, built by percent-encoding the given segments.

        Args:
            segments: the segments as data, `str` or `bytes`. If the first one is `""`, the path
                starts with a slash: `["", ""]` is the path `/`. `.` and `..` are rejected, because
                encoding them would not keep them from being dot segments, and so is `[""]`, because
                no path has these segments. An object of the class `Segments` is used as written.
            protect_path: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: a segment is `.` or `..`, or the only segment is empty, or the result would
                be parsed differently.
            TypeError: `segments` is a single string, or a segment is neither `str` nor `bytes`.

        >>> URI("http://a/b").with_segments(["", "c/d", "e f"])
        URI('http://a/c%2Fd/e%20f')
        >>> uri = URI("http://a/%7Eb/c")
        >>> uri.with_segments(uri.segments.with_name("d"))
        URI('http://a/%7Eb/d')
        """
        views = later(SEGMENTS)
        kind: type[Segments] = views.Segments
        if not isinstance(segments, kind):
            relative = self.scheme is None and self.host is None
            path = views.path_of(segments, iri=self._is_iri(), relative=relative)
            segments = kind._of_path(path, iri=self._is_iri(), relative=relative)
        return self._with_part(4, segments.path) or self.replace(
            segments=segments, protect_path=protect_path
        )

    @_engine.fast_method("query")
    def with_query(self: Edits[PublicType], query: str | None) -> PublicType:
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
        return self._with_part(5, query) or self.replace(query=query)

    def without_query(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI without its query and the `?`.

        >>> URI("http://a/b?c#d").without_query()
        URI('http://a/b#d')
        """
        return self._with_part(5, None) or self.replace(query=None)

    @_engine.fast_method("fragment")
    def with_fragment(self: Edits[PublicType], fragment: str | None) -> PublicType:
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
        return self._with_part(6, fragment) or self.replace(fragment=fragment)

    def without_fragment(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI without its fragment and the `#`.

        >>> URI("http://a/b?c#d").without_fragment()
        URI('http://a/b?c')
        """
        return self._with_part(6, None) or self.replace(fragment=None)

    @_engine.fast_method("joinpath")
    def joinpath(
        self: Edits[PublicType], *segments: SegmentData, protect_path: bool = False
    ) -> PublicType:
        """Return a copy of the URI with segments added to its path.

        Each argument becomes exactly one segment. A trailing slash of the path is not doubled, so
        `""` adds a slash only to a path without one; an empty path without a host stays empty.
        Query and fragment stay as they are. To follow a relative reference such as `../a`, use
        `resolve`.

        Args:
            segments: the segments as data, `str` or `bytes`: they are percent-encoded, including
                `/`.
            protect_path: insert a dot segment instead of raising an error; see `build`.

        Raises:
            BuildError: a segment is `.` or `..`, or the result would be parsed differently.
            TypeError: a segment is neither `str` nor `bytes`.

        >>> URI("http://a/b/?q").joinpath("c", "d/e")
        URI('http://a/b/c/d%2Fe?q')
        """
        path = path_with_segments(self, segments)
        return self._with_part(4, path) or self.replace(path=path, protect_path=protect_path)

    @_engine.fast_method("joinpath")
    def __truediv__(self: Edits[PublicType], segment: SegmentData) -> PublicType:
        """Return a copy of the URI with one segment added to its path; see `joinpath`.

        >>> URI("http://a/b") / "c"
        URI('http://a/b/c')
        """
        if not isinstance(segment, str | bytes):
            return NotImplemented
        path = path_with_segments(self, [segment])
        return self._with_part(4, path) or self.replace(path=path)


def path_with_segments(value: Plain[Any], segments: Iterable[SegmentData]) -> str:
    """Return the path of a URI with segments added, which are data."""
    text_of = later(SEGMENTS).segment_text
    path, iri = value.path, value._is_iri()
    for segment in segments:
        # Do not add a slash at the start of a rootless path, or after a trailing slash.
        if not path.endswith("/") and (path or value.host is not None):
            path += "/"
        first = not path and value.scheme is None
        path += text_of(segment, "segment-nz-nc" if first else "segment", iri=iri)
    return path
