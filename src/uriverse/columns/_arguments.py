"""The checks of the options of column functions, and their arguments for the compiled kernel."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, cast, get_args

from uriverse._errors import URIError, quoted
from uriverse._spec import GRAMMARS
from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES
from uriverse._spec.normalization import check_dot_segments
from uriverse._spec.syntax import matches
from uriverse._uri.building import host_text, port_digits
from uriverse._uri.pairs import globs, value_texts
from uriverse.diagnosis._findings import kernel_profile
from uriverse.hosts import host_kind
from uriverse.hosts._scopes import blocks
from uriverse.schemes._normalization import registry_of
from uriverse.schemes._registry import Registry
from uriverse.templates import Router, Template
from uriverse.templates._routing import ordered_programs
from uriverse.typing import Field, Grammar

from ._declarations import one_of
from ._reference import is_unicode

if TYPE_CHECKING:
    from uriverse._policy import Policy
    from uriverse.suffixes import Suffixes
    from uriverse.typing import Host, ParamValues

#: The largest number of policies that the kernel applies to a row.
MOST_POLICIES = 8

#: The largest number of templates that the kernel tries one after the other.
MOST_ROUTES = 64

#: The largest number of names or globs that the kernel compares with a parameter.
MOST_PATTERNS = 64

#: The largest number of values that the kernel writes for a parameter.
MOST_VALUES = 16

#: The largest number of blocks of IP addresses that the kernel compares with an address.
MOST_BLOCKS = 64

ALL_FIELDS: tuple[Field, ...] = get_args(Field)


def fields_of(value: Any) -> tuple[Field, ...]:
    """Check a list of field names, and return it without duplicates."""
    if isinstance(value, str):
        raise TypeError(f"fields must be a list of names; use [{quoted(value)}]")
    return tuple(dict.fromkeys(one_of("field", name, ALL_FIELDS) for name in value))


def dot_segments_of(value: Any) -> Any:
    check_dot_segments(value)
    return value


def scheme_of(value: Any) -> bool | Registry:
    registry_of(value)
    return cast("bool | Registry", value)


def added_scheme_of(value: Any) -> str | None:
    """Check the scheme that `repair` adds; `None` if it adds none."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"scheme must be a str or None, not {type(value).__name__}")
    if value is not None and not matches(value, "scheme"):
        raise ValueError(f"scheme must be a valid scheme, not {quoted(value)}")
    return value


def policy_of(value: Any) -> Policy:
    """Check a policy, or parse it from a TOML document."""
    from uriverse._policy import Policy  # late: most programs have no policy

    if isinstance(value, str):
        return Policy.from_toml(value)
    if not isinstance(value, Policy):
        raise TypeError(f"policy must be a Policy or a str, not {type(value).__name__}")
    return value


def template_of(value: Any) -> Template:
    """Check a template, or create it from a string; it then matches IRIs as well."""
    if isinstance(value, str):
        return Template(value, iri=True)
    if not isinstance(value, Template):
        raise TypeError(f"template must be a Template or a str, not {type(value).__name__}")
    return value


def router_of(value: Any) -> Router:
    """Check a router, or create it from a mapping or a TOML document; it then matches IRIs too."""
    if isinstance(value, Router):
        return value
    if isinstance(value, str):
        import tomllib  # late: most programs have no router

        try:
            value = tomllib.loads(value)
        except tomllib.TOMLDecodeError as error:
            wanted = "the router is a TOML document, such as user = '/users/{id}'"
            raise ValueError(f"{wanted}: {error}") from None
    if not isinstance(value, Mapping):
        given = type(value).__name__
        raise TypeError(f"router must be a Router, a mapping or a str, not {given}")
    routes = cast("Mapping[str, object]", value)
    return Router({name: template_of(template) for name, template in routes.items()})


def suffixes_of(value: Any) -> Suffixes:
    """Check a list of public suffixes; `None` is the list of the package `publicsuffixlist`."""
    from uriverse.hosts import _sites  # late: most programs need no list

    return _sites.suffixes_of(value)


def name_of(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"name must be a str, not {type(value).__name__}")
    return value


def names_of(value: Any) -> tuple[str, ...]:
    return tuple(globs(value, "names"))


def kept_of(value: Any) -> tuple[str, ...]:
    return tuple(globs(value, "keep"))


def dropped_of(value: Any) -> tuple[str, ...]:
    return tuple(globs(value, "drop"))


def values_of(value: Any) -> ParamValues:
    value_texts(value, "value")
    return cast("ParamValues", value)


def new_host_of(value: Any) -> Host | None:
    """Check a host; `None` removes the host."""
    if value is not None and host_kind(host_text("host", value)) is None:
        raise ValueError(f"host must be a valid host, not {quoted(value)}")
    return cast("Host | None", value)


def new_port_of(value: Any) -> int | str | None:
    """Check a port; `None` removes the port."""
    if value is not None and not matches(port_digits("port", value), "port"):
        raise ValueError(f"port must be a valid port, not {quoted(value)}")
    return cast("int | str | None", value)


def in_order(**options: Any) -> tuple[Any, ...]:
    return tuple(options.values())


def with_rule(grammar: Grammar, **rest: Any) -> tuple[Any, ...]:
    """Return the arguments for the compiled kernel: the name of the ABNF rule, then the options."""
    return GRAMMARS[grammar], *rest.values()


def with_ranks(profile: str) -> tuple[Any, ...]:
    """Return the arguments of `findings` for the compiled kernel.

    These are whether the severity profile enables any finding code of the group `form`, and the
    ranks of the severities of all codes.
    """
    known = kernel_profile(profile)
    return known.with_form, known.ranks


def with_compiled(policy: Policy) -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: the policy and its restrictions."""
    from uriverse._policy import compiled_form  # late: as above

    compiled = compiled_form(policy)
    return (compiled,) if len(compiled) <= MOST_POLICIES else None


def with_table(suffixes: Suffixes) -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: the rules of the list."""
    from uriverse.hosts import _sites  # late: as above

    table = _sites.table_of(suffixes)
    return None if table is None else (table,)


def with_names(names: tuple[str, ...]) -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: the names in UTF-8.

    Return `None` if the kernel does not compare such names, or so many.
    """
    simple = len(names) <= MOST_PATTERNS and all(map(is_unicode, names))
    return (tuple(name.encode() for name in names),) if simple else None


def with_globs(keep: tuple[str, ...], drop: tuple[str, ...]) -> tuple[Any, ...] | None:
    """Return the arguments for the compiled kernel, which supports globs with `*` only."""
    kept, dropped = with_names(keep), with_names(drop)
    simple = not any(character in glob for glob in (*keep, *drop) for character in "?[")
    return (*kept, *dropped) if simple and kept and dropped else None


def with_new_param(name: str, value: ParamValues) -> tuple[Any, ...] | None:
    """Return the arguments for the compiled kernel: a name and its values, as data and encoded.

    Return `None` if they cannot be written, or if there are more values than the kernel writes.
    """
    from uriverse._uri.pairs import octets_to_write, written  # late: few programs write them

    values = value_texts(value, "value")
    if len(values) > MOST_VALUES or (not name and None in values):
        return None

    def both_forms(data: str | bytes) -> tuple[bytes, bytes]:
        return octets_to_write(data), written(data, "form").encode()

    try:
        pairs = tuple((None, None) if each is None else both_forms(each) for each in values)
        return (*both_forms(name), pairs)
    except URIError:
        return None


def with_new_scheme(scheme: str | None) -> tuple[Any, ...]:
    return (None if scheme is None else scheme.encode(),)


def with_new_host(host: Host | None) -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: the host.

    Return `None` for a non-ASCII host, which URIs cannot have, and if the host is to be removed.
    """
    text = None if host is None else host_text("host", host)
    return (text.encode(),) if text is not None and text.isascii() else None


def with_new_port(port: int | str | None) -> tuple[Any, ...]:
    return (None if port is None else port_digits("port", port).encode(),)


def with_routes(router: Router) -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: the names and programs of the templates."""
    programs = ordered_programs(router)
    simple = len(programs) <= MOST_ROUTES and all(program for _, program in programs)
    simple = simple and all(is_unicode(name) for name, _ in programs)
    return (tuple((name.encode(), program) for name, program in programs),) if simple else None


def with_special_use_names() -> tuple[Any, ...] | None:
    """Return the argument for the compiled kernel: special-use domains, by their last octets."""
    return with_names(tuple(sorted(SPECIAL_USE_NAMES, key=lambda name: name[-1])))


@cache
def with_scopes() -> tuple[Any, ...] | None:
    """Return the arguments for the compiled kernel: the address blocks of IPv4 and of IPv6.

    Each block has its first address and its mask, in two halves of 64 bits, and its scope. IPv4
    addresses are the first 32 bits of 128. Return `None` if there are more blocks than the kernel
    compares.
    """
    found = tuple(
        tuple(
            (*halves(prefix << 128 - length), *halves(-1 << 128 - length), word.encode())
            for length, scopes in blocks(version)
            for prefix, word in scopes.items()
        )
        for version in (4, 6)
    )
    return found if max(map(len, found)) <= MOST_BLOCKS else None


def halves(number: int) -> tuple[int, int]:
    """Split the lowest 128 bits of a number into two numbers."""
    half = (1 << 64) - 1
    return number >> 64 & half, number & half


def with_idna(host: str) -> tuple[Any, ...]:
    return (host == "idna",)


def normalization(scheme: bool | Registry, **steps: Any) -> tuple[Any, ...] | None:
    """Return `None` for another registry: the kernel only knows the rules of `SCHEMES`."""
    return None if isinstance(scheme, Registry) else (*steps.values(), scheme)
