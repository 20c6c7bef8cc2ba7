from typing import Any, assert_type

from uriverse import URI, URIReference
from uriverse.templates import Route, Router, Template


def test_a_router_is_a_mapping_that_returns_routes() -> None:
    router = Router({"a": "https://a.example/{x}", "b": Template("/b")})
    assert_type((router["a"], router.build("a", {"x": 1})), tuple[Template, URIReference])
    assert_type(router.match(URI("https://a.example/1")), Route | None)
    route = router.match("https://a.example/1")
    assert route is not None
    name, variables = route
    assert_type((name, variables), tuple[str, dict[str, Any]])
    # Readers return routers and templates.
    assert_type(Router.from_mcp(["a:{x}", {"uriTemplate": "b:{x}"}]), Router)
    assert_type(Router.from_openapi({"openapi": "3.1.0"}, base=URI("https://a.example/")), Router)
