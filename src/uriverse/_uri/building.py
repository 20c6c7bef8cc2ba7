"""Build URIs from components, and copy URIs with some components replaced."""

from __future__ import annotations

from . import engine as _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Self, Unpack, overload

    from uriverse._spec.components import AllParts
    from uriverse.typing import Host, ParamSource, ParamValues, SegmentData

    from .signatures import Changes, NewParts, Plain, PublicType
else:

    def overload(function: object) -> object:
        """Replace `typing.overload` at run time, so that `typing` need not be imported."""
        return function


#: The arguments of `build` and `replace`, each with those that cannot be combined with it, because
#: they would specify the same component.
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "scheme": (),
    "authority": ("userinfo", "username", "password", "host", "port"),
    "userinfo": ("username", "password"),
    "username": (),
    "password": (),
    "host": (),
    "port": (),
    "path": ("segments",),
    "segments": (),
    "query": ("params",),
    "params": (),
    "fragment": (),
}


class Buildable(_engine.Identifier):
    """Mixin of the four public types, with the methods that build and edit URIs."""

    __slots__ = ()

    # With two overloads, type checkers know the types in a literal such as `{"page": 2, "q": "x"}`.
    @overload
    @classmethod
    def build(
        cls, *, params: Mapping[Any, ParamValues] | None = ..., **parts: Unpack[NewParts]
    ) -> Self: ...
    @overload
    @classmethod
    def build(  # noqa: F811
        cls, *, params: Iterable[tuple[str | bytes, ParamValues]], **parts: Unpack[NewParts]
    ) -> Self: ...
    @classmethod
    @_engine.use_compiled("URIMethods")
    def build(  # noqa: F811
        cls,
        *,
        scheme: str | None = None,
        authority: str | None = None,
        userinfo: str | None = None,
        username: str | bytes | None = None,
        password: str | bytes | None = None,
        host: Host | None = None,
        port: int | str | None = None,
        path: str = "",
        segments: Iterable[SegmentData] | None = None,
        query: str | None = None,
        params: ParamSource | None = None,
        fragment: str | None = None,
        protect_path: bool = False,
    ) -> Self:
        """Build a URI that parses back into exactly the given components.

        The components must already be percent-encoded where necessary: they are validated and never
        changed. Only `username`, `password`, `segments` and `params` are data, which `build`
        percent-encodes. Components that are not given are absent.

        Args:
            scheme: the scheme without its colon; `None` for no scheme.
            authority: the whole authority, instead of its parts; `None` for no authority, `""` for
                an empty one.
            userinfo: the userinfo without its `@`; `None` for no userinfo, `""` for an empty one.
            username: the user name as data, instead of `userinfo`.
            password: the password as data, instead of `userinfo`.
            host: the host, or an `ipaddress` object; `None` for no host, `""` for an empty one. An
                IPv6 address gets brackets if it has none.
            port: a number, or a string of digits; `""` for a colon without digits, `None` for no
                port.
            path: the path, possibly empty.
            segments: the segments of the path as data, instead of `path`. If the first one is `""`,
                the path starts with a slash: `["", ""]` is the path `/`. `.` and `..` are rejected,
                and so is `[""]`, because no path has these segments.
            query: the query without its `?`; `None` for no query, `""` for an empty one.
            params: the names and values of the query as data, instead of `query`; see
                `with_params`.
            fragment: the fragment without its `#`; `None` for no fragment, `""` for an empty one.
            protect_path: insert a dot segment instead of raising an error: `/.` before a path that
                would be parsed as an authority, or `./` before a path that would be parsed as a
                scheme.

        Returns:
            A URI of the type on which the method is called.

        Raises:
            BuildError: a component is invalid, or the result would be parsed differently.
            TypeError: an argument has the wrong type, or two arguments specify the same component.

        >>> URI.build(scheme="https", host="example.org", port=8080, path="/a", query="b=c")
        URI('https://example.org:8080/a?b=c')
        >>> URI.build(scheme="https", host="example.org", segments=["", "a/b"], params={"q": "50%"})
        URI('https://example.org/a%2Fb?q=50%25')
        >>> URIReference.build(path="//evil.example/", protect_path=True)
        URIReference('/.//evil.example/')
        """
        if authority is not None and not userinfo is username is password is host is port is None:
            raise TypeError("authority cannot be combined with the parts of the authority")
        if userinfo is not None and not username is password is None:
            raise TypeError("userinfo cannot be combined with username or password")
        if path != "" and segments is not None:
            raise TypeError("path cannot be combined with segments")
        if query is not None and params is not None:
            raise TypeError("query cannot be combined with params")
        # Data may come from an iterator, so convert it only once.
        if not username is password is None:
            userinfo = compose_userinfo(username, password, iri=cls._is_iri())
        if segments is not None:
            relative = scheme is None and host is authority is None
            from uriverse._uri.segments import join_segments

            path = join_segments(segments, iri=cls._is_iri(), relative=relative)
        if params is not None:
            query = build_query(params)
        if authority is None:
            value = cls._compose(scheme, userinfo, host, port, path, query, fragment)
            if value is not None:
                return value
        from uriverse._spec.components import AllParts

        components = {
            "scheme": scheme,
            "authority": authority,
            "userinfo": userinfo,
            "host": host,
            "port": port,
            "query": query,
            "fragment": fragment,
        }
        changes = {name: part for name, part in components.items() if part is not None}
        nothing = AllParts(None, None, None, None, "", None, None)
        by_segments = segments is not None
        return cls._compose_changes(
            nothing, changes | {"path": path}, protect_path, by_segments=by_segments
        )

    @overload
    def replace(
        self: Plain[PublicType],
        *,
        params: Mapping[Any, ParamValues] | None = ...,
        **changes: Unpack[Changes],
    ) -> PublicType: ...
    @overload
    def replace(  # noqa: F811
        self: Plain[PublicType],
        *,
        params: Iterable[tuple[str | bytes, ParamValues]],
        **changes: Unpack[Changes],
    ) -> PublicType: ...
    @_engine.use_compiled("URIMethods")
    def replace(  # noqa: F811
        self: Plain[PublicType], *, protect_path: bool = False, **changes: Any
    ) -> PublicType:
        """Return a copy of the URI with some components replaced; other components do not change.

        Args:
            protect_path: insert a dot segment instead of raising an error; see `build`.
            changes: the new components, as in `build`. `None` removes a component, except the path.

        Raises:
            BuildError: a component is invalid, or the result would be parsed differently.
            TypeError: an argument has the wrong type, or two arguments specify the same component.

        >>> URI("http://a/b?c#d").replace(scheme="https", query=None)
        URI('https://a/b#d')
        """
        value = self._with_parts(dict(changes))
        if value is not None:
            return value
        if not changes.keys() <= ARGUMENTS.keys():
            key = min(changes.keys() - ARGUMENTS.keys())
            raise TypeError(f"replace() got an unexpected keyword argument {key!r}")
        from uriverse._spec.components import split_all_parts

        by_segments = "segments" in changes
        kind: Any = self._plain_type()
        parts = split_all_parts(_engine.as_text(self))
        return kind._compose_changes(parts, dict(changes), protect_path, by_segments=by_segments)

    __replace__ = replace

    # --- implementation

    @classmethod
    def _compose_changes(
        cls, parts: AllParts, changes: dict[str, Any], protect_path: bool, *, by_segments: bool
    ) -> Self:
        from uriverse._spec import build

        changed_parts = apply_changes(parts, changes, iri=cls._is_iri())
        final_parts = build.shield_path(changed_parts) if protect_path else changed_parts
        value = cls._compose(*final_parts)
        if value is not None:
            return value
        shield_length = len(final_parts.path) - len(changed_parts.path)
        raise build.deferred_build_error(
            final_parts, cls._rule, changes.get("authority"), shield_length, by_segments
        )

    @classmethod
    def _is_iri(cls) -> bool:
        return cls._rule.startswith("IRI")


def apply_changes(parts: AllParts, changes: dict[str, Any], *, iri: bool) -> AllParts:
    """Return the components of a URI, changed by the arguments of `build` or `replace`.

    Raises:
        TypeError: an argument has the wrong type, or two arguments specify the same component.
    """
    for name, others in ARGUMENTS.items():
        for other in others:
            if name in changes and other in changes:
                raise TypeError(f"{name} cannot be combined with {other}")
    new_parts: dict[str, Any] = {}
    if "authority" in changes:
        new_parts = split_authority_argument(changes["authority"])
    for name, convert in CONVERTERS.items():
        if name in changes:
            # `None` removes a component. There is always a path, so its converter rejects `None`.
            is_removed = changes[name] is None and name != "path"
            new_parts[name] = None if is_removed else convert(name, changes[name])
    if "username" in changes or "password" in changes:
        new_parts["userinfo"] = update_userinfo(parts.userinfo, changes, iri=iri)
    if "params" in changes:
        new_parts["query"] = build_query(changes["params"])
    parts = parts._replace(**new_parts)
    if "segments" not in changes:
        return parts
    from uriverse._uri.segments import join_segments

    # Only the new scheme and host tell whether the path is that of a relative reference.
    is_relative = parts.scheme is None and parts.host is None
    return parts._replace(path=join_segments(changes["segments"], iri=iri, relative=is_relative))


def split_authority_argument(authority: str | None) -> dict[str, str | None]:
    """Split the argument `authority` into userinfo, host and port, without validation."""
    from uriverse._spec.components import split_authority

    names = ("userinfo", "host", "port")
    if authority is None:
        return dict.fromkeys(names)
    return dict(zip(names, split_authority(convert_component("authority", authority)), strict=True))


def compose_userinfo(
    username: str | bytes | None, password: str | bytes | None, *, iri: bool
) -> str:
    encoded_name = "" if username is None else encode_userinfo("username", username, iri=iri)
    if password is None:
        return encoded_name
    return f"{encoded_name}:{encode_userinfo('password', password, iri=iri)}"


def update_userinfo(userinfo: str | None, changes: dict[str, Any], *, iri: bool) -> str | None:
    """Return userinfo with another user name, another password, or both.

    Args:
        userinfo: the userinfo before, whose other half is kept as written.
        changes: the arguments `username` and `password` of `build`, each as data, or `None` to
            remove it. Removing the user name also removes the password, unless there is a new one.
        iri: whether non-ASCII characters stay unencoded.
    """
    username, colon, password = (userinfo or "").partition(":")
    halves = {
        "username": None if userinfo is None else username,
        "password": password if colon else None,
    }
    if changes.get("username", "") is None:
        halves["password"] = None
    for name in halves.keys() & changes.keys():
        data = changes[name]
        halves[name] = None if data is None else encode_userinfo(name, data, iri=iri)
    if halves["password"] is None:
        return halves["username"]
    return f"{halves['username'] or ''}:{halves['password']}"


def encode_userinfo(name: str, data: str | bytes, *, iri: bool) -> str:
    """Percent-encode a user name or a password, including colons, which end the user name."""
    if type(data) is str and data.isascii() and data.isalnum():
        return data  # letters and digits are never percent-encoded (RFC 3986, 2.3)
    from uriverse.percent import encode

    text: str = encode(_engine.convert_data(data, name), "userinfo", iri=iri)
    return text.replace(":", "%3A") if ":" in text else text


def build_query(params: ParamSource | None) -> str | None:
    if params is None:
        return None
    from uriverse._uri.params import Params

    built_params: Any = params if isinstance(params, Params) else Params()._build(params)
    query: str | None = built_params.query
    return query


#: Hints for callers who pass a collection for a component that must be a string.
ADVICE = {
    "query": ": pass names and values to with_params",
    "path": ": pass segments to with_segments",
}


def convert_component(name: str, part: object) -> str:
    """Convert a component to a plain `str`.

    Raises:
        TypeError: the component is not a string.
    """
    if not isinstance(part, str):
        advice = ADVICE.get(name, "") if hasattr(part, "__iter__") else ""
        if isinstance(part, bytes | bytearray):
            advice = ": decode it first"
        raise TypeError(f"{name} must be a str, not {type(part).__name__}{advice}")
    return str.__str__(part)


def format_host(_name: str, host: Host) -> str:
    """Return a host as a string, with brackets around an IPv6 address.

    Raises:
        BuildError: the host is an `IPv6Address` with a zone identifier.
        TypeError: the host is neither a `str` nor an address.
    """
    if isinstance(host, str):
        text = convert_component("host", host)
        if text.count(":") < 2:
            return text
        from uriverse._spec.syntax import matches

        return f"[{text}]" if matches(text, "IPv6address") else text
    from ipaddress import IPv4Address, IPv6Address

    if isinstance(host, IPv4Address):
        return str(host)
    if isinstance(host, IPv6Address):
        text = f"[{host}]"
        if host.scope_id is None:
            return text
        from uriverse._errors import BuildError
        from uriverse._spec.messages import describe_invalid_component

        raise BuildError(*describe_invalid_component(text, "host", "IP-literal"))
    raise TypeError(f"host must be a str or an IP address, not {type(host).__name__}")


def convert_port(_name: str, port: int | str) -> str:
    """Convert a port number to a string of decimal digits.

    A negative number keeps its sign, which `build` rejects later.
    """
    if isinstance(port, str):
        return convert_component("port", port)
    if isinstance(port, bool) or not isinstance(port, int):
        raise TypeError(f"port must be an int or a str, not {type(port).__name__}")
    from uriverse._spec import LONGEST_NUMBER

    if abs(port) >= 10**LONGEST_NUMBER:
        from uriverse._errors import BuildError

        reason = f"port too large: an int may have at most {LONGEST_NUMBER} digits"
        hint = "pass the digits as a str"
        raise BuildError("", 0, "port", "port", reason, hint)
    # A subclass of `int` may override `__repr__`; use its actual number.
    return int.__repr__(port)


#: The functions that convert arguments of `build` and `replace` to components.
CONVERTERS: dict[str, Callable[[str, Any], str]] = {
    "scheme": convert_component,
    "userinfo": convert_component,
    "host": format_host,
    "port": convert_port,
    "path": convert_component,
    "query": convert_component,
    "fragment": convert_component,
}
