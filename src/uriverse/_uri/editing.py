"""Copy a URI with one component, its query parameters or the name of its path replaced.

The properties of the name and of the parents have the names that `pathlib` uses. They never look at
a file system.
"""

from __future__ import annotations

from . import engine as _engine
from .building import Buildable, build_query, update_userinfo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, overload

    from uriverse._uri.params import Params
    from uriverse.typing import Host, ParamSource, ParamValues, SegmentData

    from .signatures import Edits, Plain, PublicType
else:
    from .building import overload


class Editable(Buildable):
    """Mixin of the four public types, with the methods that return a copy with one change."""

    __slots__ = ()

    @_engine.use_compiled("URIMethods")
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

    @_engine.use_compiled("URIMethods")
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

    @_engine.use_compiled("URIMethods")
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

    @_engine.use_compiled("URIMethods")
    def with_username(self: Edits[PublicType], username: str | bytes | None) -> PublicType:
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
        userinfo = update_userinfo(self.userinfo, {"username": username}, iri=self._is_iri())
        return self._with_part(1, userinfo) or self.replace(userinfo=userinfo)

    @_engine.use_compiled("URIMethods")
    def with_password(self: Edits[PublicType], password: str | bytes | None) -> PublicType:
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
        userinfo = update_userinfo(self.userinfo, {"password": password}, iri=self._is_iri())
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

    @_engine.use_compiled("URIMethods")
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

    @_engine.use_compiled("URIMethods")
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

    @_engine.use_compiled("URIMethods")
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

    @_engine.use_compiled("URIMethods")
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
        from uriverse._uri.segments import Segments, join_segments

        if not isinstance(segments, Segments):
            relative = self.scheme is None and self.host is None
            path = join_segments(segments, iri=self._is_iri(), relative=relative)
            segments = Segments._from_valid_path(path, iri=self._is_iri(), relative=relative)
        return self._with_part(4, segments.path) or self.replace(
            segments=segments, protect_path=protect_path
        )

    @_engine.use_compiled("URIMethods")
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

    @_engine.use_compiled("URIMethods")
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

    @_engine.use_compiled("URIMethods")
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
        path = append_segments(self, segments)
        return self._with_part(4, path) or self.replace(path=path, protect_path=protect_path)

    @_engine.use_compiled("URIMethods")
    def __truediv__(self: Edits[PublicType], segment: SegmentData) -> PublicType:
        """Return a copy of the URI with one segment added to its path; see `joinpath`.

        >>> URI("http://a/b") / "c"
        URI('http://a/b/c')
        """
        if not isinstance(segment, str | bytes):
            return NotImplemented
        path = append_segments(self, [segment])
        return self._with_part(4, path) or self.replace(path=path)

    # --- query parameters

    @property
    @_engine.use_compiled("URIMethods")
    def params(self) -> Params:
        """The parameters of the query, read as HTML form data; empty if the URI has no query.

        To edit parameters, use `with_param` and the other methods of the URI. Use
        `Params.with_codec` for queries with `;` between parameters, or in which `+` is a plus sign.

        >>> reference = IRIReference("?a=x+y&b=%7E&c")
        >>> reference.params["a"], reference.params["c"], reference.params.get("d")
        ('x y', '', None)
        """
        from uriverse._uri.params import Params

        params: Params = self._create_params(Params)
        return params

    @overload
    def with_params(
        self: Edits[PublicType], params: Mapping[Any, ParamValues] | None, /
    ) -> PublicType: ...
    @overload
    def with_params(  # noqa: F811
        self: Edits[PublicType], params: Iterable[tuple[str | bytes, ParamValues]], /
    ) -> PublicType: ...
    @_engine.use_compiled("URIMethods")
    def with_params(self: Edits[PublicType], params: ParamSource | None, /) -> PublicType:  # noqa: F811  # overloads
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
        return replace_query(self, build_query(params))

    @_engine.use_compiled("URIMethods")
    def with_param(self: Edits[PublicType], name: str | bytes, value: ParamValues) -> PublicType:
        """Return a copy of the URI with one query parameter set to a new value.

        New values replace the old values in place. Additional values follow the last parameter of
        the name; a new name follows the last parameter of the query. All other parameters stay
        exactly as written.

        Args:
            name: the name as data, `str` or `bytes`.
            value: one value, or a sequence of values; an empty sequence removes the name. See
                `uriverse.typing.ParamValue` for the types of values. `None` writes the name without
                "=".

        Raises:
            BuildError: the name or a value cannot be encoded; see `Params.with_param`.
            TypeError: the name or a value has an unsupported type.

        >>> URI("http://a/?q=x&page=1#b").with_param("page", 2)
        URI('http://a/?q=x&page=2#b')
        """
        return replace_query(self, self.params.with_param(name, value).query)

    @_engine.use_compiled("URIMethods")
    def add_param(self: Edits[PublicType], name: str | bytes, value: ParamValues) -> PublicType:
        """Return a copy of the URI with a new parameter at the end of the query.

        Args:
            name: the name as data, `str` or `bytes`.
            value: one value, or a sequence of values; see `with_param`.

        Raises:
            BuildError: the name or a value cannot be encoded; see `Params.with_param`.
            TypeError: the name or a value has an unsupported type.

        >>> URI("http://a/?tag=x").add_param("tag", "y z")
        URI('http://a/?tag=x&tag=y+z')
        """
        return replace_query(self, self.params.add_param(name, value).query)

    @_engine.use_compiled("URIMethods")
    def without_params(self: Edits[PublicType], *names: str | bytes) -> PublicType:
        """Return a copy of the URI without the query parameters that have one of these names.

        If no parameter remains, the query is removed with its `?`. For patterns such as `utm_*`,
        use `filter_params`.

        Args:
            names: the names as data, `str` or `bytes`; names that are missing are ignored.

        Raises:
            TypeError: a name is neither `str` nor `bytes`.

        >>> URI("http://a/?q=x&page=1&q=y").without_params("q")
        URI('http://a/?page=1')
        """
        return replace_query(self, self.params.without(*names).query)

    def filter_params(
        self: Edits[PublicType], *, keep: str | Iterable[str] = "*", drop: str | Iterable[str] = ()
    ) -> PublicType:
        """Return a copy of the URI with only the query parameters whose names match a pattern.

        Args:
            keep: one or more names or [globs][1] to keep. Matching is case-sensitive.
            drop: one or more names or globs to remove, even if they match `keep`.

        [1]: https://docs.python.org/3/library/fnmatch.html

        Raises:
            TypeError: `keep` or `drop` is neither a `str` nor an iterable of `str`.

        >>> URI("http://a/?q=x&utm_source=y&utm_medium=z").filter_params(drop="utm_*")
        URI('http://a/?q=x')
        """
        return replace_query(self, self.params.filter(keep=keep, drop=drop).query)

    def sorted_params(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI with its query parameters sorted by name.

        Names are compared byte by byte, in UTF-8. Parameters of the same name keep their order.

        >>> URI("http://a/?b=2&a=1&b=1").sorted_params()
        URI('http://a/?a=1&b=2&b=1')
        """
        return replace_query(self, self.params.sorted().query)

    @overload
    def update_params(
        self: Edits[PublicType], params: Mapping[Any, ParamValues], /, **named: ParamValues
    ) -> PublicType: ...
    @overload
    def update_params(  # noqa: F811
        self: Edits[PublicType],
        params: Iterable[tuple[str | bytes, ParamValues]] = ...,
        /,
        **named: ParamValues,
    ) -> PublicType: ...
    def update_params(  # noqa: F811
        self: Edits[PublicType], params: ParamSource = (), /, **named: ParamValues
    ) -> PublicType:
        """Return a copy of the URI in which some query parameters have new values.

        The new values replace all old values of a name. A name that is missing is added at the end.

        Args:
            params: names and values, in a mapping or in pairs. Values of pairs with the same name
                are combined.
            named: more names and values; they override those of the same name in `params`.

        Raises:
            BuildError: a name or a value cannot be encoded; see `Params.with_param`.
            TypeError: `params`, a name or a value has an unsupported type.

        >>> URI("http://a/?q=x&page=1").update_params({"page": 2}, lang="en")
        URI('http://a/?q=x&page=2&lang=en')
        """
        return replace_query(self, self.params.updated(params, **named).query)

    # --- the name of the path and its parents

    @property
    @_engine.use_compiled("URIMethods")
    def name(self) -> str:
        """The last segment of the path, percent-decoded; `""` if the path ends with a slash.

        Bytes that are not valid UTF-8 become surrogate escapes, as in `os.fsdecode`. See
        [RFC 3986, 3.3](https://www.rfc-editor.org/rfc/rfc3986#section-3.3).

        >>> URI("http://a/b/c%20d.tar.gz?q").name, URI("http://a/b/").name, URI("http://a").name
        ('c d.tar.gz', '', '')
        """
        path = self.path
        segment = path[path.rfind("/") + 1 :]
        from uriverse._uri.segments import decode_segment

        return decode_segment(segment) if "%" in segment else segment

    @property
    @_engine.use_compiled("URIMethods")
    def stem(self) -> str:
        """The name without its file extension: the `name` without the `suffix`.

        >>> URI("http://a/b/c.tar.gz").stem, URI("http://a/.rc").stem
        ('c.tar', '.rc')
        """
        from uriverse._uri.segments import find_stem_end

        name = self.name
        return name[: find_stem_end(name)]

    @property
    @_engine.use_compiled("URIMethods")
    def suffix(self) -> str:
        """The file extension of the name with its dot, such as `".gz"`; `""` without an extension.

        The extension starts at the last dot of the name. A dot at the start or the end of the name
        does not count, so `.rc` and `a.` have no extension.

        >>> URI("http://a/b/c.tar.gz").suffix, URI("http://a/.rc").suffix
        ('.gz', '')
        """
        from uriverse._uri.segments import find_stem_end

        name = self.name
        return name[find_stem_end(name) :]

    @property
    @_engine.use_compiled("URIMethods")
    def suffixes(self) -> tuple[str, ...]:
        """All file extensions of the name, each with its dot; `()` without an extension.

        >>> URI("http://a/b/c.tar.gz").suffixes
        ('.tar', '.gz')
        """
        from uriverse._uri.segments import list_suffixes

        return list_suffixes(self.name)

    @property
    @_engine.use_compiled("URIMethods")
    def parent(self: Plain[PublicType]) -> PublicType:
        """The URI without the last segment of its path, and without query and fragment.

        The parent of `/a/b/` is `/a/b`, and the parent of `/a` is `/`. If the path is `/` or empty,
        it does not change. Dot segments have no special meaning here; `resolve("..")` follows them.

        >>> URI("http://a/b/c?d").parent, URI("http://a/").parent
        (URI('http://a/b'), URI('http://a/'))
        """
        from uriverse._uri.segments import find_parent_end

        parent: Any = self._shorten_path(find_parent_end(self.path))
        return parent

    @property
    def parents(self: Plain[PublicType]) -> Sequence[PublicType]:
        """The parents of the URI, from the nearest to the farthest: `parent`, its parent and so on.

        The sequence is empty if the path is `/` or empty.

        >>> list(URI("http://a/b/c").parents)
        [URI('http://a/b'), URI('http://a/')]
        """
        from uriverse._uri import segments  # faster than an import of the names

        ends = segments.list_parent_ends(self.path)
        parents: Sequence[Any] = segments.Parents(ends, self._shorten_path)
        return parents

    @_engine.use_compiled("URIMethods")
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
        return replace_path_only(self, edit_last_segment(self, "name", name))

    @_engine.use_compiled("URIMethods")
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
        return replace_path_only(self, edit_last_segment(self, "stem", stem))

    @_engine.use_compiled("URIMethods")
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
        return replace_path_only(self, edit_last_segment(self, "suffix", suffix))


def append_segments(value: Plain[Any], segments: Iterable[SegmentData]) -> str:
    from uriverse._uri.segments import encode_segment

    path, iri = value.path, value._is_iri()
    for segment in segments:
        # Do not add a slash at the start of a rootless path, or after a trailing slash.
        if not path.endswith("/") and (path or value.host is not None):
            path += "/"
        first = not path and value.scheme is None
        path += encode_segment(segment, "segment-nz-nc" if first else "segment", iri=iri)
    return path


def replace_query(value: Any, query: str | None) -> Any:
    return value._with_part(5, query) or value.replace(query=query)


def edit_last_segment(value: Plain[Any], part: str, data: SegmentData) -> str:
    from uriverse._uri.segments import REPLACERS

    path, rooted = value.path, value.host is not None
    if not path and rooted:
        path = "/"  # after an authority, a path starts with a slash
    relative, iri = value.scheme is None and not rooted, value._plain_type()._rule.startswith("IRI")
    return REPLACERS[part](path, data, f"with_{part}(): {part}", iri, relative)


def replace_path_only(value: Plain[PublicType], path: str) -> Any:
    """Return a copy of a URI with another path, and without its query and its fragment.

    The path must be valid at its place. If nothing changes, return the same object.
    """
    text, bounds = _engine.as_text(value), value._bounds
    new_text = text[: bounds[4]] + path
    return value if new_text == text else value._plain_type()(new_text)
