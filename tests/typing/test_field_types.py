"""Type checkers infer these types for fields and options; the file is type-checked and also run."""

from collections.abc import Callable
from typing import Annotated, Any, assert_type

import attrs
from pydantic import BaseModel, TypeAdapter

from uriverse import HTTPURI, IRI, URI, URN
from uriverse.integrations.argparse import uri_type
from uriverse.integrations.attrs import within
from uriverse.integrations.constraints import Constraints
from uriverse.integrations.msgspec import make_dec_hook
from uriverse.integrations.typer import uri_parser


class Page(BaseModel):
    link: URI
    secure: Annotated[HTTPURI, Constraints(schemes={"https"})] | None = None


@attrs.define
class Link:
    target: URI = attrs.field(converter=URI, validator=within(Constraints()))


def test_fields_and_arguments_have_their_types() -> None:
    page = Page(link=URI("a:b"))
    assert_type((page.link, page.link.scheme, page.secure), tuple[URI, str, HTTPURI | None])
    assert_type(TypeAdapter(URN).validate_python("urn:example:a"), URN)
    # Fields of attrs classes have their types.
    assert_type(Link("a:b").target, URI)
    # Hooks of msgspec have types.
    hook = make_dec_hook({URI: Constraints()})
    assert_type(hook, Callable[[type[Any], Any], Any])
    # Parsed arguments have their types.
    assert_type((uri_type()("a:b"), uri_type(IRI)("a:b")), tuple[URI, IRI])
    assert_type(uri_type(URN, Constraints())("urn:example:a"), URN)
    assert_type((uri_parser()("a:b"), uri_parser(URN)("urn:example:a")), tuple[URI, URN])
