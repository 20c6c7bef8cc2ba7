from typing import assert_type

from jsonschema import FormatChecker
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from uriverse import HTTPURI, IRI, URI
from uriverse.integrations.constraints import Constraints
from uriverse.integrations.jsonschema import format_checker
from uriverse.integrations.sqlalchemy import TYPE_ANNOTATION_MAP, URIType


class Base(DeclarativeBase):
    type_annotation_map = TYPE_ANNOTATION_MAP


class Page(Base):
    __tablename__ = "page"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[URI]
    source: Mapped[IRI | None]


def test_the_type_of_a_column_is_that_of_its_values() -> None:
    assert_type((URIType(), URIType(IRI)), tuple[URIType[URI], URIType[IRI]])
    assert_type(URIType(HTTPURI, Constraints(host_required=True), 99), URIType[HTTPURI])
    assert_type(URIType(constraints=Constraints(), length=99), URIType[URI])
    assert_type(URIType(IRI).python_type, type[IRI])
    # The type of a mapped attribute is its annotation.
    page = Page(url=URI("http://a/"))
    assert_type((page.url, page.source), tuple[URI, IRI | None])
    # A format checker is that of jsonschema.
    assert_type(format_checker(), FormatChecker)
