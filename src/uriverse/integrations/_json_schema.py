"""JSON Schema formats for URIs, IRIs and URI Templates.

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
from uriverse._errors import ParseError, TemplateError
from uriverse.templates import Template


def is_uri_template(text: str) -> bool:
    """Return whether a string is a URI Template."""
    try:
        Template(text)
    except TemplateError:
        return False
    return True


#: The function that tests a string, by the name of the format.
TESTS: dict[str, Callable[[str], bool]] = {
    "uri": is_uri,
    "uri-reference": is_uri_reference,
    "iri": is_iri,
    "iri-reference": is_iri_reference,
    "uri-template": is_uri_template,
}

#: The type of the strings that conform to a format, by the name of the format.
TYPES: dict[str, type[IRIReference | Template]] = {
    "uri": URI,
    "uri-reference": URIReference,
    "iri": IRI,
    "iri-reference": IRIReference,
    "uri-template": Template,
}


def error_of(text: str, name: str) -> ParseError | TemplateError:
    """Return the error of a string that does not conform to a format."""
    try:
        TYPES[name](text)
    except (ParseError, TemplateError) as error:
        return error
    raise AssertionError("the test and the type of a format accept the same strings")
