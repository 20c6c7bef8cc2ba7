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
VARIABLE_IN_BRACES = lazy_pattern(r"\{([^{}]*+)\}")


class Parameter(NamedTuple):
    """A parameter of an operation as a variable; the type is `None` if it takes any string."""

    expression: str
    name: str
    type: object


def read_mcp_routes(templates: Iterable[str | Object]) -> Iterator[tuple[str, str]]:
    for template in templates:
        if isinstance(template, str):
            yield template, template
            continue
        members = require_mapping(template, "a resource template")
        text = members.get("uriTemplate")
        yield members.get("name", text), cast("str", text)


def read_openapi_routes(document: Object, base: object) -> Iterator[tuple[str, Template]]:
    document = require_mapping(document, "an OpenAPI document")
    version = str(document.get("openapi"))
    if not version.startswith("3."):
        raise ValueError(f"the version of OpenAPI must be 3, not {quote_argument(version)}")
    reader = OpenAPIReader(document, base)
    for path, item in get_mapping(document, "paths").items():
        # The other members are extensions, such as `x-internal`.
        if path.startswith("/"):
            yield from reader.read_routes(path, reader.follow_references(item))


class OpenAPIReader:
    """Reads the paths of an OpenAPI document, whose URI `base` may be unknown."""

    def __init__(self, document: Object, base: object) -> None:
        self.document = document
        self.base = base

    def read_routes(self, path: str, item: Object) -> Iterator[tuple[str, Template]]:
        """Yield the names and the templates of a path: one template for each server."""
        servers: dict[str, Object] = {}
        operations: dict[str, list[Object]] = {}
        for operation in list_operations(item):
            for server in self.list_servers(item, operation):
                url = str(server.get("url")).removesuffix("/")
                servers.setdefault(url, server)
                operations.setdefault(url, []).append(operation)
        for number, (url, server) in enumerate(servers.items()):
            template = self.make_template(path, server, item, operations[url])
            yield path if number == 0 else url + path, template

    def list_servers(self, item: Object, operation: Object) -> list[Object]:
        for owner in (operation, item, self.document):
            servers = get_list(owner, "servers")
            if servers:
                return [require_mapping(server, "a server") for server in servers]
        return [{"url": "/"}]

    def make_template(
        self, path: str, server: Object, item: Object, operations: Sequence[Object]
    ) -> Template:
        types: dict[str, object] = {}
        text = self.make_prefix(server, types)
        in_path, in_query = self.collect_parameters(item, operations)
        path_parameters: list[Parameter] = []

        def format_variable(match: re.Match[str]) -> str:
            name = encode_variable_name(match[1])
            # A parameter that no operation describes takes any string.
            parameter = in_path.get(match[1]) or Parameter(name, name, None)
            path_parameters.append(parameter)
            return f"{{{parameter.expression}}}"

        text += VARIABLE_IN_BRACES.sub(format_variable, path)
        query_parameters: list[Parameter] = []
        # Some documents write parameters into the path. More of them would not belong to it.
        if "?" not in path and "#" not in path:
            # Variables with the same name have the same value, which parameters need not have.
            names = {parameter.name for parameter in path_parameters}
            query_parameters = [parameter for parameter in in_query if parameter.name not in names]
        if query_parameters:
            text += f"{{?{','.join(parameter.expression for parameter in query_parameters)}}}"
        types.update(
            (parameter.name, parameter.type)
            for parameter in path_parameters + query_parameters
            if parameter.type is not None
        )
        return Template(text, types=types)

    def make_prefix(self, server: Object, types: dict[str, object]) -> str:
        """Return the URL of a server, without its last slash; add the types of its variables."""
        url = server.get("url")
        if not isinstance(url, str):
            raise TypeError(f"the URL of a server must be a str, not {type(url).__name__}")
        variables = get_mapping(server, "variables")

        def format_variable(match: re.Match[str]) -> str:
            variable = require_mapping(variables.get(match[1], {}), "a variable of a server")
            choices = [str(choice) for choice in get_list(variable, "enum")]
            default = str(variable.get("default"))
            if not choices and ("/" in default or ":" in default):
                # Any other value with slashes or a port could take the end of the host.
                choices = [default]
            name = encode_variable_name(match[1])
            if choices:
                types[name] = tuple(choices)
            keeps_delimiters = any("/" in choice or ":" in choice for choice in choices)
            return f"{{+{name}}}" if keeps_delimiters else f"{{{name}}}"

        return VARIABLE_IN_BRACES.sub(format_variable, self.resolve_url(url)).removesuffix("/")

    def resolve_url(self, url: str) -> str:
        if self.base is not None:
            # A URI contains no braces.
            reference = url.replace("{", "%7B").replace("}", "%7D")
            resolved = IRIReference(str(self.base)).resolve(IRIReference(reference))
            return str(resolved).replace("%7B", "{").replace("%7D", "}")
        if url.startswith(("/", "{")) or "://" in url:
            return url
        reason = "the URL of the server is relative to the document"
        hint = "pass the URI of the document as base"
        raise TemplateError(url, 0, "template", "OpenAPI", reason, hint)

    def collect_parameters(
        self, item: Object, operations: Sequence[Object]
    ) -> tuple[dict[str, Parameter], list[Parameter]]:
        """Return the parameters in the path by name, and those in the query."""
        in_path: dict[str, Parameter] = {}
        in_query: dict[str, Parameter] = {}
        for operation in operations:
            parameters = self.list_parameters(item) | self.list_parameters(operation)
            for (location, name), parameter in parameters.items():
                if location == "path":
                    path_parameter = self.read_path_parameter(name, parameter)
                    if in_path.setdefault(name, path_parameter) != path_parameter:
                        # The operations do not agree, so the variable takes any string.
                        in_path[name] = in_path[name]._replace(type=None)
                elif location == "query" and parameter.get("style") != "deepObject":
                    in_query.setdefault(name, self.read_query_parameter(name, parameter))
        return in_path, list(in_query.values())

    def list_parameters(self, owner: Object) -> dict[tuple[object, str], Object]:
        parameters = map(self.follow_references, get_list(owner, "parameters"))
        return {
            (parameter.get("in"), str(parameter.get("name"))): parameter for parameter in parameters
        }

    def read_path_parameter(self, name: str, parameter: Object) -> Parameter:
        style = parameter.get("style", "simple")
        if style not in STYLES:
            reason = f"unsupported style of a parameter in the path: {quote_argument(style)}"
            raise TemplateError(name, 0, "template", "OpenAPI", reason)
        variable = encode_variable_name(name)
        kind = self.read_schema_type(parameter)
        explode = "*" if kind in {list, dict} and parameter.get("explode") else ""
        return Parameter(f"{STYLES[style]}{variable}{explode}", variable, kind)

    def read_query_parameter(self, name: str, parameter: Object) -> Parameter:
        """Return a parameter in the query. A value of another type does not prevent a match."""
        variable = encode_variable_name(name)
        kind = self.read_schema_type(parameter)
        if kind not in {list, dict} or parameter.get("style", "form") != "form":
            return Parameter(variable, variable, None)
        explode = "*" if parameter.get("explode", True) else ""
        return Parameter(variable + explode, variable, kind)

    def read_schema_type(self, parameter: Object) -> Any:
        """Return the type of a variable for a parameter; `None` if it takes any string."""
        schema = parameter.get("schema")
        if not isinstance(schema, Mapping):
            return None
        schema = self.follow_references(cast("Object", schema))
        choices = get_list(schema, "enum")
        if choices and all(isinstance(choice, str) for choice in choices):
            return tuple(choices)
        type_name = schema.get("type")
        if isinstance(type_name, list):  # since OpenAPI 3.1
            names = [name for name in cast("list[object]", type_name) if name != "null"]
            type_name = names[0] if len(names) == 1 else None
        if type_name == "string":
            return FORMATS.get(str(schema.get("format")))
        return TYPES.get(str(type_name))

    def follow_references(self, reference_or_member: object) -> Object:
        seen_references: set[str] = set()
        while True:
            member = require_mapping(reference_or_member, "a member of the OpenAPI document")
            if "$ref" not in member:
                return member
            reference = str(member["$ref"])
            if reference in seen_references:
                reject_reference(reference, "the reference refers to itself")
            seen_references.add(reference)
            reference_or_member = self.find_target(reference)

    def find_target(self, reference: str) -> object:
        """Return the member of the document that a JSON Pointer refers to (RFC 6901, 6)."""
        if not reference.startswith("#/"):
            reject_reference(reference, "the reference does not refer to this document")
        target: Any = self.document
        for part in decode(reference[2:]).split("/"):
            key: Any = part.replace("~1", "/").replace("~0", "~")
            try:
                target = target[int(key) if isinstance(target, list) else key]
            except (KeyError, IndexError, TypeError, ValueError):
                reject_reference(reference, "the document has no such member")
        return target


def reject_reference(reference: str, reason: str) -> NoReturn:
    hint = 'write a reference to a member, such as "#/components/parameters/id"'
    raise TemplateError(reference, 0, "template", "OpenAPI", reason, hint)


def list_operations(item: Object) -> list[Object]:
    """Return the operations of a path item; without any, one that has no members."""
    operations = [item[method] for method in METHODS if method in item]
    operations += get_mapping(item, "additionalOperations").values()
    return [require_mapping(operation, "an operation") for operation in operations or [{}]]


def encode_variable_name(name: str) -> str:
    """Percent-encode the characters that the name of a variable cannot have (RFC 6570, 2.3)."""
    if "%" not in name and VARNAME.fullmatch(name):
        return name
    characters = map(chr, name.encode())
    return "".join(c if c in NAME_CHARACTERS else f"%{ord(c):02X}" for c in characters)


def require_mapping(json: object, name: str) -> Object:
    if isinstance(json, Mapping):
        return cast("Object", json)
    raise TypeError(f"{name} must be a mapping, not {type(json).__name__}")


def get_mapping(owner: Object, name: str) -> Object:
    return require_mapping(owner.get(name, {}), f"the member {name}")


def get_list(owner: Object, name: str) -> list[Any]:
    items: object = owner.get(name, [])
    if isinstance(items, list):
        return items  # pyright: ignore[reportUnknownVariableType]
    raise TypeError(f"the member {name} must be a list, not {type(items).__name__}")
