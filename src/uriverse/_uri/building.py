"""Convert the arguments of `build` and `replace` to components of URIs."""

from __future__ import annotations

from . import engine as _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from uriverse._spec.components import AllParts
    from uriverse.typing import Host, ParamSource


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


def apply_changes(parts: AllParts, changes: dict[str, Any], *, iri: bool) -> AllParts:
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
    """Change the user name, the password or both; `None` removes one.

    The other half is kept as written. Removing the user name also removes the password, unless
    there is a new one.
    """
    username, colon, password = (userinfo or "").partition(":")
    halves = {
        "username": None if userinfo is None else username,
        "password": password if colon else None,
    }
    if "username" in changes and changes["username"] is None:
        halves["password"] = None
    for name in ("username", "password"):
        if name in changes:
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

    text: str = encode(_engine.decode_if_bytes(data, name), "userinfo", iri=iri)
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
    if not isinstance(part, str):
        advice = ADVICE.get(name, "") if hasattr(part, "__iter__") else ""
        if isinstance(part, bytes | bytearray):
            advice = ": decode it first"
        raise TypeError(f"{name} must be a str, not {type(part).__name__}{advice}")
    return str.__str__(part)


def format_host(_name: str, host: Host) -> str:
    """Return a host as a string, with brackets around an IPv6 address without a zone."""
    if isinstance(host, str):
        text = convert_component("host", host)
        if text.count(":") < 2:  # an IPv6 address has at least two colons
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
        # RFC 3986 has no zone identifiers.
        from uriverse._errors import BuildError
        from uriverse._spec.messages import describe_invalid_component

        raise BuildError(*describe_invalid_component(text, "host", "IP-literal"))
    raise TypeError(f"host must be a str or an IP address, not {type(host).__name__}")


def convert_port(_name: str, port: int | str) -> str:
    """Return the digits of a port. A negative number keeps its sign; `build` rejects it later."""
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
