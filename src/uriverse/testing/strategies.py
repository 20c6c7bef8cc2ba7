"""Hypothesis strategies that generate URIs and URI Templates, to test programs that handle them.

The strategies for strings generate valid strings of a grammar, or hostile strings. The other
strategies generate values of uriverse's types. A failing example stays valid while Hypothesis
shrinks it.

Importing this module also registers the types with Hypothesis, so that
[`st.from_type`][1] and `@given(...)` with type annotations work.

[1]: https://hypothesis.readthedocs.io/en/latest/reference/strategies.html#hypothesis.strategies.from_type

>>> from hypothesis import given
>>> from uriverse.testing.strategies import uris
>>> @given(uris())
... def test_normalization_is_idempotent(uri):
...     assert uri.normalize().normalize() == uri.normalize()
>>> test_normalization_is_idempotent()
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from string import ascii_letters, digits
from typing import Any

from uriverse import _lazy
from uriverse._errors import quote_argument

try:
    from hypothesis import strategies as st
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        _lazy.explain_missing_module(missing, __name__, "hypothesis"), name=missing.name
    ) from missing

from uriverse import HTTPURI, URN, DataURI, FileURI, MailtoURI, TelURI, percent
from uriverse._spec import GRAMMARS
from uriverse._typed import list_typed_classes
from uriverse._uri import IRI, URI, IRIReference, URIReference
from uriverse.templates import Template
from uriverse.typing import Grammar

from ._components import (
    MAX_LENGTH,
    PCHAR,
    authorities,
    fragments,
    hierarchical_parts,
    queries,
    runs,
    schemes,
    segments,
    vary_examples,
)
from ._templates import random_templates, template_values, usual_templates

__all__ = [
    "data_uris",
    "file_uris",
    "hostile_strings",
    "http_uris",
    "iri_references",
    "iris",
    "mailto_uris",
    "strings",
    "tel_uris",
    "templates",
    "uri_references",
    "uris",
    "urns",
    "values_for",
]
__dir__ = __all__.copy

#: Pieces of hostile strings: delimiters, what programs mistake for delimiters, invalid
#: percent-encoding, invisible characters, and hosts in unusual notations.
_PIECES = (
    *":/?#[]@!$&'()*+,;=%.-_~aZ0 \t\r\n\0\"<>\\^`{|}\x7f\x80\xa0\xad\ud800\udfff\ufffe",
    *"\u200b\u200d\u202e\u2066\ufeff\u0301\uff0f\uff0e\uff20\u2024\u2100\u3002\u2488\u05d0\u00df",
    *("//", "///", "..", "/../", "://", "\\\\", "::", "[::1]", "[::ffff:127.0.0.1]", "[v1.a]"),
    *("%4", "%zz", "%00", "%2F", "%2e%2E", "%40", "%0d%0a", "%C3", "%ed%a0%80", "%25"),
    *("http:", "HTTPS://", "javascript:", "data:", "file:///", "user:password@", "localhost"),
    *("127.0.0.1", "0x7f.1", "017700000001", "2130706433", "1.2.3.400", ":80", ":099999", ":"),
    *("xn--a", "xn--", "\u00e9", "a" * 64, "?a=b&a=c", "#", "http://good.example"),
)


def strings(grammar: Grammar = "uri-reference") -> st.SearchStrategy[str]:
    """Generate valid strings of a grammar ([RFC 3986, Appendix A][1]; [RFC 3987, 2.2][2]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#appendix-A
    [2]: https://www.rfc-editor.org/rfc/rfc3987#section-2.2

    Args:
        grammar: the grammar, such as `"uri"`, `"iri-reference"` or `"absolute-uri"`.

    Raises:
        ValueError: the grammar is unknown.

    >>> from hypothesis import given
    >>> from uriverse import is_absolute_uri
    >>> @given(strings("absolute-uri"))
    ... def test(text):
    ...     assert is_absolute_uri(text)
    >>> test()
    """
    if grammar not in GRAMMARS:
        choices = ", ".join(GRAMMARS)
        raise ValueError(f"grammar must be one of {choices}, not {quote_argument(grammar)}")
    iri = "iri" in grammar
    tail = queries(iri=iri)
    if not grammar.startswith("absolute-"):
        tail = st.builds("{}{}".format, tail, fragments(iri=iri))
    parts = hierarchical_parts(iri=iri, colon=True)
    uri_strings = st.builds("{}:{}{}".format, schemes(), parts, tail)
    if not grammar.endswith("-reference"):
        return uri_strings
    return st.builds("{}{}".format, hierarchical_parts(iri=iri, colon=False), tail) | uri_strings


def hostile_strings() -> st.SearchStrategy[str]:
    r"""Generate strings that attack programs that parse URIs; most of them are invalid.

    They contain delimiters in unusual places, backslashes, control characters, lone surrogates,
    invisible characters, misleading hosts and invalid percent-encoding.

    >>> from hypothesis import given
    >>> from uriverse import URIError, parse
    >>> @given(hostile_strings())
    ... def test(text):
    ...     try:
    ...         parse(text)
    ...     except URIError:
    ...         pass
    >>> test()
    """
    random_strings = st.lists(st.sampled_from(_PIECES) | st.characters(), max_size=12).map("".join)
    pieces, positions = st.sampled_from(_PIECES), st.integers(0, 60)
    return random_strings | st.builds(_insert_piece, strings("iri"), pieces, positions)


def _insert_piece(text: str, piece: str, position: int) -> str:
    """Insert a piece at an index modulo the length of the string."""
    index = position % (len(text) + 1)
    return f"{text[:index]}{piece}{text[index:]}"


# --- values


def uris() -> st.SearchStrategy[URI]:
    """Generate `URI` values.

    >>> from hypothesis import given
    >>> @given(uris())
    ... def test(uri):
    ...     assert uri.scheme
    >>> test()
    """
    return strings("uri").map(URI)


def uri_references() -> st.SearchStrategy[URIReference]:
    """Generate `URIReference` values: URIs, and relative references.

    >>> from hypothesis import given
    >>> @given(uri_references())
    ... def test(reference):
    ...     assert str(reference).isascii()
    >>> test()
    """
    return strings("uri-reference").map(URIReference)


def iris() -> st.SearchStrategy[IRI]:
    """Generate `IRI` values, which may contain non-ASCII characters.

    >>> from hypothesis import given
    >>> @given(iris())
    ... def test(iri):
    ...     assert str(iri.to_uri()).isascii()
    >>> test()
    """
    return strings("iri").map(IRI)


def iri_references() -> st.SearchStrategy[IRIReference]:
    """Generate `IRIReference` values: URIs, IRIs, and relative references.

    >>> from hypothesis import given
    >>> from uriverse import parse
    >>> @given(iri_references())
    ... def test(reference):
    ...     assert parse(str(reference)) == reference
    >>> test()
    """
    return strings("iri-reference").map(IRIReference)


def http_uris() -> st.SearchStrategy[HTTPURI]:
    """Generate `HTTPURI` values, with and without userinfo, port, path, query and fragment.

    >>> from hypothesis import given
    >>> @given(http_uris())
    ... def test(uri):
    ...     assert uri.host
    >>> test()
    """
    paths = st.lists(segments(iri=False).map("/{}".format), max_size=4).map("".join)
    hosted = authorities(iri=False).filter(lambda text: URIReference(f"//{text}").host)
    scheme = st.sampled_from(["http", "https", "HTTP"])
    tail = st.builds("{}{}".format, queries(iri=False), fragments(iri=False))
    return st.builds("{}://{}{}{}".format, scheme, hosted, paths, tail).map(HTTPURI)


def urns() -> st.SearchStrategy[URN]:
    """Generate `URN` values, some with r-, q- and f-components.

    >>> from hypothesis import given
    >>> @given(urns())
    ... def test(urn):
    ...     assert urn.nss
    >>> test()
    """
    namespaces = st.sampled_from(["example", "isbn", "ietf", "oid"])
    namespaces |= st.from_regex("[A-Za-z0-9][A-Za-z0-9-]{0,8}[A-Za-z0-9]", fullmatch=True)
    names = runs(PCHAR, iri=False, least=1)
    components = [st.just("") | names.map(f"{mark}{{}}".format) for mark in ("?+", "?=", "#")]
    scheme = st.sampled_from(["urn", "URN"])
    return st.builds("{}:{}:{}{}{}{}".format, scheme, namespaces, names, *components).map(URN)


def data_uris() -> st.SearchStrategy[DataURI]:
    """Generate `DataURI` values, some in base64 and some percent-encoded.

    >>> from hypothesis import given
    >>> @given(data_uris())
    ... def test(uri):
    ...     assert isinstance(uri.data, bytes)
    >>> test()
    """
    media_types = ["", "text/plain", "text/plain;charset=utf-8", "image/png", ";charset=utf-8"]
    types = st.sampled_from(media_types)
    octets = st.binary(max_size=MAX_LENGTH)
    encoded = octets.map(lambda data: f";base64,{base64.b64encode(data).decode()}")
    plain = octets.map(lambda data: f",{percent.encode(data, 'segment')}")
    return st.builds("data:{}{}".format, types, encoded | plain).map(DataURI)


def mailto_uris() -> st.SearchStrategy[MailtoURI]:
    """Generate `MailtoURI` values, with and without addresses and header fields.

    >>> from hypothesis import given
    >>> @given(mailto_uris())
    ... def test(uri):
    ...     assert all("@" in address for address in uri.to)
    >>> test()
    """
    names = st.text(f"{ascii_letters}{digits}-_", min_size=1, max_size=MAX_LENGTH)
    addresses = st.builds("{}@{}.example".format, names, st.sampled_from(["a", "b-c"]))
    texts = st.text(f"{ascii_letters} é?&=%", max_size=MAX_LENGTH)
    values = texts.map(lambda text: percent.encode(text, "unreserved"))
    fields = st.builds("{}={}".format, st.sampled_from(["subject", "body"]), values)
    headers = st.lists(fields, max_size=2, unique_by=lambda field: field.partition("=")[0])
    ends = headers.map("&".join).map(lambda text: text and f"?{text}")
    recipients = st.lists(addresses, max_size=3).map(",".join)
    return st.builds("mailto:{}{}".format, recipients, ends).map(MailtoURI)


def file_uris() -> st.SearchStrategy[FileURI]:
    """Generate `FileURI` values, for this machine and for other hosts.

    >>> from hypothesis import given
    >>> @given(file_uris())
    ... def test(uri):
    ...     assert uri.path.startswith("/")
    >>> test()
    """
    roots = ["file:///", "file:/", "file://localhost/", "file://server/", "file:///C:/"]
    starts = st.sampled_from(roots)
    paths = st.lists(segments(iri=False, least=1), max_size=4).map("/".join)
    return st.builds("{}{}".format, starts, paths).map(FileURI)


def tel_uris() -> st.SearchStrategy[TelURI]:
    """Generate `TelURI` values: global numbers, and local numbers with a context.

    >>> from hypothesis import given
    >>> @given(tel_uris())
    ... def test(uri):
    ...     assert any(character.isdigit() for character in str(uri))
    >>> test()
    """
    numbers = st.text(f"{digits}-.()", max_size=MAX_LENGTH).map("1{}".format)
    contexts = st.sampled_from(["example.com", "+1"]).map(";phone-context={}".format)
    extensions = st.sampled_from(["", ";ext=12", ";isub=a"])
    global_numbers = st.builds("tel:+{}{}".format, numbers, extensions)
    local_numbers = st.builds("tel:{}{}{}".format, numbers, extensions, contexts)
    return (global_numbers | local_numbers).map(TelURI)


# --- URI Templates


def templates() -> st.SearchStrategy[Template]:
    """Generate `Template` values: templates as programs use them, and unusual ones.

    The variables of some templates have types. Use `template.is_reversible` to select the
    templates for which matching an expansion returns the values.

    >>> from hypothesis import given
    >>> from uriverse.templates import Template
    >>> @given(templates())
    ... def test(template):
    ...     assert Template(str(template)).variables == template.variables
    >>> test()
    """
    return usual_templates() | random_templates()


def values_for(template: Template) -> st.SearchStrategy[Mapping[str, Any]]:
    """Generate values of the variables of a template, which it can be expanded with.

    The values have the types that `Template.match` returns. Optional variables, such as those of
    the query, may be missing. Values in a path are those that a template takes by default, without
    dot segments, slashes and control characters.

    Args:
        template: the template.

    >>> from hypothesis import given
    >>> from uriverse.templates import Template
    >>> template = Template("/users/{id}{?page,tags*}", types={"page": int, "tags": list})
    >>> @given(values_for(template))
    ... def test(values):
    ...     assert template.match(template.expand(values)).variables == values
    >>> test()
    """
    return template_values(template)


_STRATEGIES: dict[type, st.SearchStrategy[Any]] = {
    URI: uris(), IRI: iris(), URIReference: uri_references(), IRIReference: iri_references(),
    HTTPURI: http_uris(), URN: urns(), DataURI: data_uris(), MailtoURI: mailto_uris(),
    FileURI: file_uris(), TelURI: tel_uris(), Template: templates(),
}  # fmt: skip
for _kind in list_typed_classes():
    if _kind.__doc__:  # `python -OO` removes the examples.
        _STRATEGIES[_kind] = vary_examples(_kind) | _STRATEGIES.get(_kind, st.nothing())
for _kind, _strategy in _STRATEGIES.items():
    st.register_type_strategy(_kind, _strategy)
