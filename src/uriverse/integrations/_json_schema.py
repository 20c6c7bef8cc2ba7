"""JSON Schema formats for URIs and IRIs.

See https://json-schema.org/draft/2020-12/json-schema-validation#section-7.3.5.
"""

from __future__ import annotations

from collections.abc import Callable

from uriverse import (
    IRI,
    URI,
    IRIReference,
    URIReference,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
)
from uriverse._errors import ParseError

#: The function that tests a string, by the name of the format.
TESTS: dict[str, Callable[[str], bool]] = {
    "uri": is_uri,
    "uri-reference": is_uri_reference,
    "iri": is_iri,
    "iri-reference": is_iri_reference,
}

#: The type of the strings that conform to a format, by the name of the format.
TYPES: dict[str, type[IRIReference]] = {
    "uri": URI,
    "uri-reference": URIReference,
    "iri": IRI,
    "iri-reference": IRIReference,
}


def error_of(text: str, name: str) -> ParseError:
    """Return the error of a string that does not conform to a format."""
    try:
        TYPES[name](text)
    except ParseError as error:
        return error
    raise AssertionError("the test and the type of a format accept the same strings")
