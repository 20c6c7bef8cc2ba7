"""Read the templates of OpenAPI documents and of MCP servers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple, NoReturn, cast
from uuid import UUID

from uriverse._errors import TemplateError, quote_argument
from uriverse._lazy import lazy_pattern
from uriverse._uri import IRIReference
from uriverse.percent import decode

from ._parsing import VARNAME
from ._template import Template

Object = Mapping[str, Any]

#: The members of a path item that are operations.
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")

#: The operators for the styles of parameters in a path.
STYLES = {"simple": "", "label": ".", "matrix": ";"}

#: The types of variables by the type in a schema.
#:
#: A variable matches only the spelling that expansion writes. The types `number` and `date-time`
#: have several spellings, such as `1` and `1.0`, so variables take any string instead.
TYPES: Mapping[str, object] = {
    "array": list,
    "boolean": ("true", "false"),
    "integer": int,
    "object": dict,
}

#: The types of variables by the format of a string.
FORMATS: Mapping[str, object] = {"date": date, "uuid": UUID}

#: The characters of the name of a variable that are not percent-encoded.
NAME_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")

#: A variable of the URL of a server, or of a path.
IN_BRACES = lazy_pattern(r"\{([^{}]*+)\}")


class Item(NamedTuple):
    """A parameter of an operation.

    Attributes:
        expression: the operator, the name and the modifier of the variable, as in a template.
        name: the name of the variable.
        type: the type of the variable; `None` if it takes any string.
    """

    expression: str
    name: str
    type: object


def mcp_routes(templates: Iterable[str | Object]) -> Iterator[tuple[str, str]]:
    for given in templates:
        if isinstance(given, str):
            yield given, given
            continue
        template = checked(given, "a resource template")
        text = template.get("uriTemplate")
        yield template.get("name", text), cast("str", text)


def openapi_routes(document: Object, base: object) -> Iterator[tuple[str, Template]]:
    document = checked(document, "an OpenAPI document")
    version = str(document.get("openapi"))
    if not version.startswith("3."):
        raise ValueError(f"the version of OpenAPI must be 3, not {quote_argument(version)}")
    reader = Reader(document, base)
    for path, item in members(document, "paths").items():
        # The other members are extensions, such as `x-internal`.
        if path.startswith("/"):
            yield from reader.routes(path, reader.resolved(item))


class Reader:
    """Reads the paths of an OpenAPI document, whose URI is `None` if it is unknown."""

    def __init__(self, document: Object, base: object) -> None:
        self.document = document
        self.base = base

    def routes(self, path: str, item: Object) -> Iterator[tuple[str, Template]]:
        """Yield the names and the templates of a path: one template for each server."""
        found: dict[str, tuple[Object, list[Object]]] = {}
        for operation in operations_of(item):
            for server in self.servers(item, operation):
                url = str(server.get("url")).removesuffix("/")
                found.setdefault(url, (server, []))[1].append(operation)
        for number, (url, (server, using)) in enumerate(found.items()):
            template = self.template(path, server, item, using)
            yield path if number == 0 else url + path, template

    def servers(self, item: Object, operation: Object) -> list[Object]:
        """Return the servers of an operation, of its path, or of the document."""
        for owner in (operation, item, self.document):
            servers = listed(owner, "servers")
            if servers:
                return [checked(server, "a server") for server in servers]
        return [{"url": "/"}]

    def template(
        self, path: str, server: Object, item: Object, operations: Sequence[Object]
    ) -> Template:
        """Return the template of a path on a server."""
        types: dict[str, object] = {}
        text = self.prefix(server, types)
        in_path, in_query = self.parameters(item, operations)
        used: list[Item] = []

        def expression(found: re.Match[str]) -> str:
            name = variable_name(found[1])
            # A parameter that no operation describes takes any string.
            used.append(in_path.get(found[1]) or Item(name, name, None))
            return f"{{{used[-1].expression}}}"

        text += IN_BRACES.sub(expression, path)
        # Variables with the same name have the same value, which parameters need not have.
        names = {variable.name for variable in used}
        # Some documents write parameters into the path. More of them would not belong to it.
        has_query = set("?#") & set(path)
        others = [one for one in in_query if one.name not in names and not has_query]
        if others:
            text += f"{{?{','.join(parameter.expression for parameter in others)}}}"
        types.update((one.name, one.type) for one in used + others if one.type is not None)
        return Template(text, types=types)

    def prefix(self, server: Object, types: dict[str, object]) -> str:
        """Return the URL of a server, without its last slash; add the types of its variables."""
        url = server.get("url")
        if not isinstance(url, str):
            raise TypeError(f"the URL of a server must be a str, not {type(url).__name__}")
        variables = members(server, "variables")

        def expression(found: re.Match[str]) -> str:
            variable = checked(variables.get(found[1], {}), "a variable of a server")
            default = str(variable.get("default"))
            # Without an enum, a variable with slashes or a port could take the end of the host.
            values = listed(variable, "enum") or [default] * bool(set("/:") & set(default))
            name = variable_name(found[1])
            if values:
                types[name] = tuple(map(str, values))
            is_reserved = any(set("/:") & set(str(value)) for value in values)
            return f"{{+{name}}}" if is_reserved else f"{{{name}}}"

        return IN_BRACES.sub(expression, self.absolute(url)).removesuffix("/")

    def absolute(self, url: str) -> str:
        """Resolve the URL of a server, which may contain variables."""
        if self.base is not None:
            # A URI contains no braces.
            reference = url.replace("{", "%7B").replace("}", "%7D")
            resolved = IRIReference(str(self.base)).resolve(IRIReference(reference))
            return str(resolved).replace("%7B", "{").replace("%7D", "}")
        if url.startswith(("/", "{")) or "://" in url:
            return url
        reason = "the URL of the server is relative to the document"
        raise TemplateError(
            url, 0, "template", "OpenAPI", reason, "pass the URI of the document as base"
        )

    def parameters(
        self, item: Object, operations: Sequence[Object]
    ) -> tuple[dict[str, Item], list[Item]]:
        in_path: dict[str, Item] = {}
        in_query: dict[str, Item] = {}
        for operation in operations:
            own = self.own_parameters(item) | self.own_parameters(operation)
            for (place, name), parameter in own.items():
                if place == "path":
                    found = self.in_path(name, parameter)
                    if in_path.setdefault(name, found) != found:
                        # The operations do not agree, so the variable takes any string.
                        in_path[name] = in_path[name]._replace(type=None)
                elif place == "query" and parameter.get("style") != "deepObject":
                    in_query.setdefault(name, self.in_query(name, parameter))
        return in_path, list(in_query.values())

    def own_parameters(self, owner: Object) -> dict[tuple[object, str], Object]:
        """Return the parameters of a path item or of an operation, by place and name."""
        found = [self.resolved(parameter) for parameter in listed(owner, "parameters")]
        return {(parameter.get("in"), str(parameter.get("name"))): parameter for parameter in found}

    def in_path(self, name: str, parameter: Object) -> Item:
        style = parameter.get("style", "simple")
        if style not in STYLES:
            reason = f"unsupported style of a parameter in the path: {quote_argument(style)}"
            raise TemplateError(name, 0, "template", "OpenAPI", reason)
        variable = variable_name(name)
        kind = self.type_of(parameter)
        explode = "*" if kind in {list, dict} and parameter.get("explode") else ""
        return Item(f"{STYLES[style]}{variable}{explode}", variable, kind)

    def in_query(self, name: str, parameter: Object) -> Item:
        """Return a parameter in the query. A value of another type does not prevent a match."""
        variable = variable_name(name)
        kind = self.type_of(parameter)
        if kind not in {list, dict} or parameter.get("style", "form") != "form":
            return Item(variable, variable, None)
        explode = "*" if parameter.get("explode", True) else ""
        return Item(variable + explode, variable, kind)

    def type_of(self, parameter: Object) -> Any:
        """Return the type of a variable; `None` if it takes any string."""
        schema = parameter.get("schema")
        if not isinstance(schema, Mapping):
            return None
        schema = self.resolved(cast("Object", schema))
        values = listed(schema, "enum")
        if values and all(isinstance(value, str) for value in values):
            return tuple(values)
        kind = schema.get("type")
        if isinstance(kind, list):
            kinds = [one for one in cast("list[object]", kind) if one != "null"]
            kind = kinds[0] if len(kinds) == 1 else None
        if kind == "string":
            return FORMATS.get(str(schema.get("format")))
        return TYPES.get(str(kind))

    def resolved(self, given: object) -> Object:
        """Return a member of the document, or the one that it refers to."""
        seen: set[str] = set()
        while True:
            found = checked(given, "a member of the OpenAPI document")
            if "$ref" not in found:
                return found
            reference = str(found["$ref"])
            if reference in seen:
                reject_reference(reference, "the reference refers to itself")
            seen.add(reference)
            given = self.target(reference)

    def target(self, reference: str) -> object:
        """Return the member of the document that a reference refers to (RFC 6901, section 6)."""
        if not reference.startswith("#/"):
            reject_reference(reference, "the reference does not refer to this document")
        found: Any = self.document
        for part in decode(reference[2:]).split("/"):
            key: Any = part.replace("~1", "/").replace("~0", "~")
            try:
                found = found[int(key) if isinstance(found, list) else key]
            except (KeyError, IndexError, TypeError, ValueError):
                reject_reference(reference, "the document has no such member")
        return found


def reject_reference(reference: str, reason: str) -> NoReturn:
    hint = 'write a reference to a member, such as "#/components/parameters/id"'
    raise TemplateError(reference, 0, "template", "OpenAPI", reason, hint)


def operations_of(item: Object) -> list[Object]:
    """Return the operations of a path item; without any, one that has no members."""
    found = [item[method] for method in METHODS if method in item]
    found += members(item, "additionalOperations").values()
    return [checked(operation, "an operation") for operation in found or [{}]]


def variable_name(name: str) -> str:
    """Return the name of a parameter as the name of a variable (RFC 6570, section 2.3)."""
    if "%" not in name and VARNAME.fullmatch(name):
        return name
    octets = name.encode()
    return "".join(chr(o) if chr(o) in NAME_CHARACTERS else f"%{o:02X}" for o in octets)


def checked(given: object, what: str) -> Object:
    """Return a mapping; raise `TypeError` for another value."""
    if isinstance(given, Mapping):
        return cast("Object", given)
    raise TypeError(f"{what} must be a mapping, not {type(given).__name__}")


def members(owner: Object, name: str) -> Object:
    """Return a member that is a mapping, or an empty mapping if it is missing."""
    return checked(owner.get(name, {}), f"the member {name}")


def listed(owner: Object, name: str) -> list[Any]:
    """Return a member that is a list, or an empty list if it is missing."""
    found: object = owner.get(name, [])
    if isinstance(found, list):
        return found  # pyright: ignore[reportUnknownVariableType]
    raise TypeError(f"the member {name} must be a list, not {type(found).__name__}")
