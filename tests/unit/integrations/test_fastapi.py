import json
import runpy
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import fastapi
import pytest
import sqlmodel
from fastapi.encoders import jsonable_encoder
from hypothesis import given
from strategies import produced

from uriverse import HTTPURI, IRI, URI, IRIReference, URIReference

with warnings.catch_warnings():
    # Newer releases of Starlette prefer httpx2 to httpx.
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient

EXAMPLE = Path(__file__).parents[3] / "docs/integrations/examples/bookmarks.py"


@pytest.fixture(scope="module")
def example() -> Iterator[Any]:
    yield runpy.run_path(str(EXAMPLE), run_name="bookmarks")
    sqlmodel.SQLModel.metadata.clear()


@pytest.fixture(scope="module")
def client(example: Any) -> Iterator[TestClient]:
    with TestClient(example["app"]) as opened:
        yield opened


def test_the_example_stores_and_returns_exact_strings(client: TestClient) -> None:
    body = {
        "title": "Rosé",
        "page": "HTTPS://Example.org:443/%7ea?",
        "translation": "http://a/rosé#",
    }
    created = client.post("/bookmarks", json=body)
    assert created.status_code == 201, created.text
    assert created.json() == body | {"id": created.json()["id"]}
    found = client.get("/bookmarks", params={"page": body["page"]})
    assert [bookmark["page"] for bookmark in found.json()] == [body["page"]]
    assert client.get("/bookmarks", params={"page": "https://example.org/"}).json() == []


def test_the_response_to_an_invalid_uri_has_the_code_and_the_position(client: TestClient) -> None:
    for page, code, position in [
        ("https://me:secret@a/ b", "syntax", 20),
        ("http://me:secret@a/", "scheme-not-allowed", 0),
        *(("https:/a", "scheme-syntax", 6), ("https://a/" + "b" * 2000, "too-long", 2000)),
    ]:
        response = client.post("/bookmarks", json={"title": "a", "page": page})
        assert response.status_code == 422
        (error,) = response.json()["detail"]
        assert (error["loc"], error["type"]) == (["body", "page"], f"uri_{code.replace('-', '_')}")
        assert (error["ctx"]["code"], error["ctx"]["position"]) == (code, position)
        assert "secret" not in response.text
    # Query parameters are validated.
    response = client.get("/bookmarks", params={"page": "ftp://a/"})
    assert (response.status_code, response.json()["detail"][0]["loc"]) == (422, ["query", "page"])
    # The OpenAPI schema has formats and the maximum length.
    schemas = client.get("/openapi.json").json()["components"]["schemas"]
    page = schemas["NewBookmark"]["properties"]["page"]
    assert (page["format"], page["maxLength"]) == ("uri", 2000)
    assert json.dumps(schemas["Bookmark"]).count('"iri"') == 1


def test_the_table_contains_strings(example: Any, client: TestClient) -> None:
    body = {"title": "table", "page": "HTTPS://A:443/%7ea?", "translation": "http://a/rosé#"}
    created = client.post("/bookmarks", json=body).json()
    with sqlmodel.Session(example["engine"]) as session:
        found: Any = session.get(example["Bookmark"], created["id"])
        assert type(found.page) is HTTPURI
        query = "select page, translation from bookmark where title = 'table'"
        raw = session.connection().exec_driver_sql(query).first()
    assert raw == (body["page"], body["translation"])


app = fastapi.FastAPI()


@app.post("/")
def echo(uri: Annotated[URI, fastapi.Body()]) -> URI:
    return uri


@given(produced("URI"))
def test_a_service_returns_every_uri_unchanged(text: str) -> None:
    assert TestClient(app).post("/", json=text).json() == text


@pytest.mark.parametrize("value", [URI("a:b"), IRI("a:é"), URIReference("?"), IRIReference("é")])
def test_the_encoder_writes_all_types_with_one_entry(value: IRIReference) -> None:
    data = {"url": value, "all": [value], value: 1}
    found = jsonable_encoder(data, custom_encoder={IRIReference: str})
    assert found == {"url": str(value), "all": [str(value)], str(value): 1}
