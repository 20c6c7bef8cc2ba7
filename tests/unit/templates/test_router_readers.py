from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import UUID

import pytest

from uriverse import TemplateError
from uriverse.templates import Router


def openapi(paths: Mapping[str, Any], **members: Any) -> dict[str, Any]:
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths, **members}


def templates(document: Mapping[str, Any], **named: Any) -> dict[str, str]:
    router = Router.from_openapi(document, **named)
    return {name: str(template) for name, template in router.items()}


def parameter(name: str, place: str = "path", **members: Any) -> dict[str, Any]:
    return {"name": name, "in": place, **members}


def path_variables(value: str, *parameters: dict[str, Any]) -> dict[str, Any] | None:
    """Match the segment after `/a/` against the parameter `x`; return the variables."""
    route = Router.from_openapi(openapi({"/a/{x}": {"get": {"parameters": [*parameters]}}})).match(
        f"/a/{value}"
    )
    return None if route is None else route.variables


# --- OpenAPI: paths and parameters


def test_a_route_has_the_name_of_its_path() -> None:
    document = openapi(
        {
            "/pets/mine": {"get": {}},
            "/pets/{id}": {"get": {}, "delete": {}},
            "x-internal": {"get": {}},
            "/status": {},
        }
    )
    assert templates(document) == {p: p for p in ("/pets/mine", "/pets/{id}", "/status")}
    router = Router.from_openapi(document)
    assert router.match("/pets/mine") == ("/pets/mine", {})
    assert router.match("/pets/7") == ("/pets/{id}", {"id": "7"})
    assert router.match("/pets/7/8") is None
    assert templates({"openapi": "3.1.0"}) == {}
    # A path with a query or a fragment has no other parameters.
    for path in ["/#Target=Foo", "/?Action=Foo"]:
        operation = {"parameters": [{"name": "v", "in": "query"}]}
        router = Router.from_openapi({"openapi": "3.0.0", "paths": {path: {"get": operation}}})
        assert str(router[path]) == path


def test_a_parameter_in_the_path_takes_the_values_of_its_schema() -> None:
    schema: Any
    values: Any
    for schema, values in [
        ({"type": "integer"}, {"7": 7, "-7": -7, "07": None, "a": None, "1.0": None}),
        ({"type": "boolean"}, {"true": "true", "True": None, "1": None}),
        ({"type": "string"}, {"7": "7", "a%20b": "a b"}),
        (
            {"type": "string", "format": "date"},
            {"2024-02-29": date(2024, 2, 29), "2023-02-29": None},
        ),
        (
            {"type": "string", "format": "uuid"},
            {
                "12345678-1234-5678-1234-567812345678": UUID(
                    "12345678-1234-5678-1234-567812345678"
                ),
                "1": None,
            },
        ),
        ({"type": "string", "enum": ["cat", "dog"]}, {"cat": "cat", "cow": None}),
        ({"enum": ["cat", 7]}, {"cat": "cat", "cow": "cow"}),
        ({"type": "integer", "enum": [1, 2]}, {"1": 1, "a": None}),
        ({"type": "number"}, {"1": "1", "1.0": "1.0"}),
        (
            {"type": "string", "format": "date-time"},
            {"2024-01-01T00:00:00Z": "2024-01-01T00:00:00Z"},
        ),
        ({"type": ["integer", "null"]}, {"7": 7, "a": None}),
        ({"type": ["integer", "string"]}, {"7": "7", "a": "a"}),
        ({"type": "array"}, {"a,b": ["a", "b"], "a": ["a"]}),
        ({"type": "object"}, {"a,1,b,2": {"a": "1", "b": "2"}, "a": None}),
        (True, {"a": "a"}),
    ]:
        for text, value in values.items():
            expected = None if value is None else {"x": value}
            assert path_variables(text, parameter("x", schema=schema)) == expected, text
    # A parameter without a schema takes any string.
    assert (path_variables("a"), path_variables("a", parameter("x"))) == ({"x": "a"}, {"x": "a"})
    assert path_variables("a", parameter("x", content={"application/json": {}})) == {"x": "a"}
    assert path_variables("a", parameter("other", schema={"type": "integer"})) == {"x": "a"}


def test_the_style_of_a_parameter_is_an_operator() -> None:
    members: Any
    for members, expression in [
        *(({}, "{x}"), ({"style": "label"}, "{.x}"), ({"style": "matrix"}, "{;x}")),
        *(({"explode": True}, "{x}"), ({"schema": {"type": "array"}}, "{x}")),
        ({"schema": {"type": "array"}, "explode": True}, "{x*}"),
        ({"schema": {"type": "object"}, "explode": True, "style": "matrix"}, "{;x*}"),
    ]:
        document = openapi({"/a/{x}": {"get": {"parameters": [parameter("x", **members)]}}})
        assert templates(document) == {"/a/{x}": f"/a/{expression}"}
    # Parameters in the query are optional.
    for members, expression in [
        *(({}, "{?x}"), ({"schema": {"type": "integer"}}, "{?x}")),
        ({"schema": {"type": "array"}}, "{?x*}"),
        ({"schema": {"type": "array"}, "explode": False}, "{?x}"),
        ({"schema": {"type": "object"}}, "{?x*}"),
        ({"schema": {"type": "array"}, "style": "pipeDelimited"}, "{?x}"),
        ({"schema": {"type": "object"}, "style": "deepObject"}, ""),
    ]:
        document = openapi({"/a": {"get": {"parameters": [parameter("x", "query", **members)]}}})
        assert templates(document) == {"/a": f"/a{expression}"}
    # Other parameters are ignored.
    items = [parameter("a", "header"), parameter("b", "cookie"), parameter("c", "querystring")]
    assert templates(openapi({"/a": {"get": {"parameters": items}}})) == {"/a": "/a"}
    # A parameter in the query with the name of one in the path is ignored.
    items = [parameter("id", schema={"type": "integer"}), parameter("id", "query")]
    router = Router.from_openapi(openapi({"/a/{id}": {"get": {"parameters": items}}}))
    assert router.match("/a/7?id=8") == ("/a/{id}", {"id": 7})


def test_the_type_of_a_parameter_in_the_query_does_not_prevent_a_match() -> None:
    items = [
        parameter("page", "query", schema={"type": "integer"}),
        parameter("tags", "query", schema={"type": "array"}),
        parameter("ids", "query", schema={"type": "array"}, explode=False),
    ]
    router = Router.from_openapi(openapi({"/a": {"get": {"parameters": items}}}))
    assert router.match("/a?page=x") == ("/a", {"page": "x"})
    assert router.match("/a?tags=b&tags=c&ids=1,2&other") == (
        "/a",
        {"tags": ["b", "c"], "ids": ["1", "2"]},
    )
    assert router.match("/a") == ("/a", {})


def test_the_operations_of_a_path_share_a_template() -> None:
    def operation(*names: str, kind: str) -> dict[str, Any]:
        return {
            "parameters": [
                parameter("x", schema={"type": kind}),
                *(parameter(name, "query") for name in names),
            ]
        }

    item = {
        "parameters": [parameter("q", "query"), parameter("x", schema={"type": "string"})],
        "get": operation("a", kind="integer"),
        "post": operation("b", "a", kind="integer"),
        "additionalOperations": {"COPY": operation("c", kind="integer")},
    }
    document = openapi({"/a/{x}": item})
    assert templates(document) == {"/a/{x}": "/a/{x}{?q,a,b,c}"}
    assert Router.from_openapi(document).match("/a/b") is None
    item["query"] = operation(kind="boolean")
    assert Router.from_openapi(document).match("/a/b") == ("/a/{x}", {"x": "b"})


def test_names_that_are_no_names_of_variables_are_percent_encoded() -> None:
    items = [
        parameter("user-id", schema={"type": "integer"}),
        *(parameter("page-size", "query"), parameter("filter[ä]", "query")),
        *(parameter("a.b", "query"), parameter("100%", "query")),
    ]
    path = "/users/{user-id}"
    document = openapi({path: {"get": {"parameters": items}}})
    query = "{?page%2Dsize,filter%5B%C3%A4%5D,a.b,100%25}"
    assert templates(document) == {path: "/users/{user%2Did}" + query}
    router = Router.from_openapi(document)
    uri = "/users/7?page-size=2"
    assert router.match(uri) == (path, {"user%2Did": 7, "page%2Dsize": "2"})


# --- OpenAPI: servers


def test_the_url_of_the_server_is_the_start_of_the_template() -> None:
    for server, template in [
        ({"url": "https://api.example.com/v1"}, "https://api.example.com/v1/a"),
        ({"url": "https://api.example.com/"}, "https://api.example.com/a"),
        *(({"url": "/v1/"}, "/v1/a"), ({"url": "/"}, "/a")),
        ({"url": "https://{host-name}:{port}/{base}"}, "https://{host%2Dname}:{port}/{base}/a"),
        (
            {"url": "https://h/{base}", "variables": {"base": {"default": "api/v2"}}},
            "https://h/{+base}/a",
        ),
        ({"url": "{origin}/v1"}, "{origin}/v1/a"),
    ]:
        assert templates(openapi({"/a": {}}, servers=[server])) == {"/a": template}
    # A path has a route for each server.
    servers = [{"url": "https://a.example"}, {"url": "https://b.example/"}]
    document = openapi({"/a": {"get": {}, "put": {}}}, servers=servers)
    assert templates(document) == {
        "/a": "https://a.example/a",
        "https://b.example/a": "https://b.example/a",
    }
    # Servers that differ in a slash are the same.
    servers = [{"url": "https://a.example"}, {"url": "https://a.example/"}]
    router = Router.from_openapi({"openapi": "3.1.0", "servers": servers, "paths": {"/a": {}}})
    assert list(router) == ["/a"]
    # Servers of an operation and of a path replace those of the document.
    item = {
        "servers": [{"url": "/path"}],
        "get": {"servers": [{"url": "/get"}], "parameters": [parameter("x", "query")]},
        "put": {"parameters": [parameter("y", "query")]},
    }
    document = openapi({"/a": item, "/b": {"get": {}}}, servers=[{"url": "/root"}])
    assert templates(document) == {"/a": "/get/a{?x}", "/path/a": "/path/a{?y}", "/b": "/root/b"}


def test_a_variable_of_a_server_takes_only_the_values_of_its_enum() -> None:
    variables = {
        "region": {"enum": ["eu", "us"], "default": "eu"},
        "base": {"enum": ["v1", "v1/beta"], "default": "v1"},
    }
    server = {"url": "https://{region}.example.com/{base}", "variables": variables}
    router = Router.from_openapi(openapi({"/a": {}}, servers=[server]))
    assert router.match("https://eu.example.com/v1/beta/a") == (
        "/a",
        {"region": "eu", "base": "v1/beta"},
    )
    assert router.match("https://evil.example.com/v1/a") is None
    assert router.match("https://eu.example.com/v2/a") is None
    # A variable of a server never takes the end of the host.
    server = {"url": "https://h.example{base}", "variables": {"base": {"default": "/v1"}}}
    router = Router.from_openapi(openapi({"/a": {}}, servers=[server]))
    assert router.match("https://h.example/v1/a") == ("/a", {"base": "/v1"})
    assert router.match("https://h.example.evil.example/a") is None
    assert router.match("https://h.example/v2/a") is None
    # A variable of a server may contain a port.
    server = {"url": "https://{h}/x", "variables": {"h": {"default": "localhost:8080"}}}
    router = Router.from_openapi({"openapi": "3.1.0", "servers": [server], "paths": {"/a": {}}})
    uri = router.build("/a", h="localhost:8080")
    assert str(uri) == "https://localhost:8080/x/a"
    assert router.match(uri) == ("/a", {"h": "localhost:8080"})


def test_relative_urls_of_servers_are_resolved_against_the_base() -> None:
    def resolved(url: str, base: str | None = "https://example.com/docs/openapi.json") -> str:
        document = openapi({"/a": {}}, servers=[{"url": url}])
        return templates(document, base=base)["/a"]

    assert resolved("/v1") == "https://example.com/v1/a"
    assert resolved("v1/{x}") == "https://example.com/docs/v1/{x}/a"
    assert resolved("../v1") == "https://example.com/v1/a"
    assert resolved("https://other.example/") == "https://other.example/a"
    with pytest.raises(TemplateError, match="the URL of the server is relative to the document"):
        resolved("v1", base=None)


# --- OpenAPI: references and errors


def test_references_in_the_document_are_resolved() -> None:
    components = {
        "parameters": {
            "id": parameter("id", schema={"$ref": "#/components/schemas/Id"}),
            "same": {"$ref": "#/components/parameters/id"},
            "a/b~c d": parameter("q", "query"),
        },
        "schemas": {"Id": {"type": "integer"}},
        "pathItems": {
            "user": {
                "parameters": [
                    {"$ref": "#/components/parameters/same"},
                    {"$ref": "#/components/parameters/a~1b~0c%20d"},
                ]
            }
        },
    }
    paths = {
        "/users/{id}": {"$ref": "#/components/pathItems/user"},
        "/groups/{id}": {"parameters": [{"$ref": "#/components/pathItems/user/parameters/0"}]},
    }
    router = Router.from_openapi(openapi(paths, components=components))
    assert router.match("/users/7?q=a") == ("/users/{id}", {"id": 7, "q": "a"})
    assert router.match("/users/a") is None
    assert router.match("/groups/7") == ("/groups/{id}", {"id": 7})


def test_an_invalid_document_is_an_error() -> None:
    document: Any
    for document, error, reason in [
        ([], TypeError, "an OpenAPI document must be a mapping, not list"),
        ({"swagger": "2.0"}, ValueError, "the version of OpenAPI must be 3, not 'None'"),
        (openapi({"/a": []}), TypeError, "a member of the OpenAPI document must be a mapping"),
        (openapi({"/a": {"get": 1}}), TypeError, "an operation must be a mapping, not int"),
        (openapi([]), TypeError, "the member paths must be a mapping, not list"),  # type: ignore[arg-type]
        (openapi({"/a": {"parameters": {}}}), TypeError, "parameters must be a list, not dict"),
        (openapi({"/a": {}}, servers=[1]), TypeError, "a server must be a mapping, not int"),
        (openapi({"/a": {}}, servers=[{}]), TypeError, "the URL of a server must be a str"),
        (openapi({"/a/{x}": {}, "/a/{y}": {}}), TemplateError, "match the same URIs"),
        (openapi({"/a/{": {}}), TemplateError, "the expression does not end|missing"),
        (
            openapi({"/a/{x}": {"parameters": [parameter("x", style="form")]}}),
            TemplateError,
            "unsupported style of a parameter in the path: 'form'",
        ),
    ]:
        with pytest.raises(error, match=reason):
            Router.from_openapi(document)
    # A reference that cannot be resolved is an error.
    for reference, reason in [
        ("#/components/parameters/missing", "the document has no such member"),
        ("#/openapi/x", "the document has no such member"),
        ("#/servers/9", "the document has no such member"),
        ("#/servers/x", "the document has no such member"),
        ("other.json#/components/parameters/id", "does not refer to this document"),
        ("#/components/parameters/self", "the reference refers to itself"),
    ]:
        components = {"parameters": {"self": {"$ref": "#/components/parameters/self"}}}
        paths = {"/a": {"parameters": [{"$ref": reference}]}}
        document = openapi(paths, components=components, servers=[{"url": "/"}])
        with pytest.raises(TemplateError, match=reason):
            Router.from_openapi(document)


def test_resource_templates_are_routes() -> None:
    router = Router.from_mcp(
        [
            {"uriTemplate": "file:///{+path}", "name": "files", "mimeType": "text/plain"},
            *({"uriTemplate": "db://tables/{table}"}, "note://{id}"),
        ]
    )
    assert list(router) == ["files", "db://tables/{table}", "note://{id}"]
    assert router.match("file:///a/b.txt") == ("files", {"path": "a/b.txt"})
    assert router.match("note://7") == ("note://{id}", {"id": "7"})
    assert router.match("file:///a/../../etc/passwd") is None
    # An invalid resource template is an error.
    wrong: Any
    for wrong in (1, {"name": "a"}, {"uriTemplate": "a:{x}", "name": 1}):
        with pytest.raises(TypeError, match="must be a"):
            Router.from_mcp([wrong])
    with pytest.raises(ValueError, match="must be unique: 'a'"):
        Router.from_mcp([{"uriTemplate": "a:1", "name": "a"}, {"uriTemplate": "a:2", "name": "a"}])
