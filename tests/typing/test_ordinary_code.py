from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_type

from uriverse import IRI, URI, IRIReference, ResolveError, Resolver, URIReference, parse, repair

API = URI("https://api.example.org/v1/")


@dataclass(frozen=True)
class Page:
    uri: URI
    links: tuple[str, ...] = ()


def endpoint(name: str, /, *, page: int | None = None) -> URI:
    uri = API / name
    return uri if page is None else uri.with_param("page", page)


def in_language(uri: URI, language: str) -> URI:
    return URI.build(scheme=uri.scheme, host=uri.host, segments=["", language, *uri.segments[1:]])


def next_page(uri: URI) -> URI:
    """Follow a relative reference that the program itself contains."""
    number = int(uri.params.get("page", "1"))
    return uri.resolve(f"?page={number + 1}")


def stylesheet(page: URI) -> URI:
    return page.resolve("../static/style.css").without_query().without_fragment()


def join(base: URI, reference: URIReference) -> URI:
    return base.resolve(reference)


def import_of(module: URIReference, name: str) -> URIReference:
    return module.then(f"{name}.css")


def links_of(page: Page) -> Iterator[IRI]:
    for href in page.links:
        reference = IRIReference.try_parse(href)
        yield page.uri.resolve(repair(href, iri=True).uri if reference is None else reference)


def targets(page: URI, hrefs: Iterable[str]) -> list[URI]:
    resolve = Resolver(page)
    return [resolve(href).to_uri(host="idna") for href in hrefs]


def below(page: URI, uris: Iterable[URI]) -> dict[str, URIReference]:
    folder = page.resolve(".")
    return {str(uri): uri.relative_to(page) for uri in uris if uri.is_relative_to(folder)}


def redirected(request: URI, location: str) -> URI | None:
    """Follow a `Location` field; return `None` if it is not a URI reference."""
    try:
        target = request.resolve(location)
    except ResolveError:
        return None
    return target if target.is_default_port else None


def moved(uri: URI) -> URI:
    secure = uri.with_scheme("https").with_port(None)
    return secure.with_host("www.example.org").with_fragment(None).normalize()


def merged(document: URI, other: IRIReference) -> IRI:
    combined = document.then(other)
    return combined if document.is_same_document(combined) else document.resolve(other)


def name_of(value: URI | str) -> str:
    uri = URI(value)
    return uri.name or uri.parent.name or uri.hostname or uri.scheme


def read(line: str) -> IRIReference | None:
    value = IRIReference.try_parse(line.strip())
    return None if value is None or value.is_relative else value


def test_edits_and_resolution_of_a_uri_give_a_uri() -> None:
    first = assert_type(endpoint("items", page=1), URI)
    second = assert_type(next_page(first), URI)
    assert str(second) == "https://api.example.org/v1/items?page=2"
    assert str(in_language(first, "de")) == "https://api.example.org/de/v1/items"
    assert str(stylesheet(second)) == "https://api.example.org/static/style.css"
    assert str(moved(second)) == "https://www.example.org/v1/items?page=2"
    assert str(join(first, URIReference("../b"))) == "https://api.example.org/b"
    assert str(import_of(URIReference("a/b.css"), "c")) == "a/c.css"
    assert [name_of(first), name_of("http://a.example")] == ["items", "a.example"]


def test_scraped_links_give_iris_and_then_uris() -> None:
    page = Page(URI("https://example.org/docs/"), ("a", "/café", "b c", "https://bücher.example"))
    found = assert_type(list(links_of(page)), list[IRI])
    assert [uri.path for uri in found] == ["/docs/a", "/café", "/docs/b%20c", ""]
    uris = assert_type(targets(page.uri, ("a", "/café", "//bücher.example")), list[URI])
    assert uris[2].host == "xn--bcher-kva.example"
    assert below(page.uri, uris) == {"https://example.org/docs/a": URIReference("a")}
    assert redirected(page.uri, "/é") is None
    assert redirected(page.uri, "/e") == URI("https://example.org/e")
    assert merged(page.uri, IRIReference("#é")) == IRI("https://example.org/docs/#é")
    assert [read(line) for line in ("urn:a:b\n", "a", "a b")] == [URI("urn:a:b"), None, None]


def test_each_type_is_closed_under_its_operations() -> None:
    uri, reference = URI("http://a/b"), URIReference("http://a/b")
    iri, iri_reference = IRI("http://a/é"), IRIReference("http://a/é")
    either: str | IRIReference = parse("c") if uri.query is None else "c"
    assert_type((uri.resolve("c"), uri.resolve(URI("c:d"), strict=False)), tuple[URI, URI])
    assert_type((uri.resolve(iri_reference), uri.resolve(either)), tuple[IRI, URI | IRI])
    assert_type((uri.then("c"), uri.then(reference)), tuple[URI, URI])
    assert_type((uri.then(iri_reference), uri.relative_to("http://é/")), tuple[IRI, URIReference])
    assert_type((uri.relative_to(iri), uri.relative_form()), tuple[URIReference, URIReference])
    assert_type((reference.resolve("c"), reference.resolve(iri)), tuple[URI, IRI])
    assert_type(reference.then("c"), URIReference)
    assert_type(reference.then(iri_reference), IRIReference)
    assert_type(reference.relative_to(uri), URIReference)
    assert_type((reference.relative_form(), iri.resolve("é")), tuple[URIReference, IRI])
    assert_type((iri.then("é"), iri.relative_to("http://a/")), tuple[IRI, IRIReference])
    assert_type(iri_reference.resolve(reference), IRI)
    assert_type(iri_reference.then(reference), IRIReference)
    assert_type(iri_reference.relative_form(), IRIReference)
