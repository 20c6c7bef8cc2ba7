"""URIs of each typed class."""

from uriverse import HTTPURI, URN, DataURI, FileURI, MailtoURI, TelURI
from uriverse._typed import list_typed_classes
from uriverse._typed.base import TypedURI
from uriverse.testing._components import find_examples

#: Each class with two URIs that are equivalent by the rules of the scheme, and one that differs.
Example = tuple[type[TypedURI], str, str, str]


def derive_example(kind: type[TypedURI]) -> Example:
    """Return an example from the docstrings of a class; the scheme may be in capital letters."""
    text, *others = find_examples(kind)
    scheme, _, rest = text.partition(":")
    other = next(other for other in others if not kind(text).equivalent(other, level="scheme"))
    return kind, text, f"{scheme.swapcase()}:{rest}", other


def find_invalid(kind: type[TypedURI]) -> str:
    """Return a URI of the scheme that violates the rules of the class."""
    texts = (f"{kind._schemes[0]}:{end}" for end in ("a", "", "///", "%FF"))
    return next(text for text in texts if kind.try_parse(text) is None)


EXAMPLES: list[Example] = [
    (URN, "urn:example:a%2cb", "URN:EXAMPLE:a%2Cb?=c#d", "urn:example:a,b"),
    (TelURI, "tel:+1-201;a;ext=2", "TEL:+(1201);EXT=2;A", "tel:+1201;a"),
    (MailtoURI, "mailto:a@B?Subject=x", "mailto:?SUBJECT=%78&to=a@b", "mailto:A@b?subject=x"),
    (FileURI, "file:/a/b", "FILE://localhost/c/../a/b", "file:////a/b"),
    (DataURI, "data:Text/HTML;BASE64,QQ==", "data:text/html;base64,QQ==", "data:text/html,A"),
    (HTTPURI, "HTTP://%41:80", "http://a/", "https://a/"),
    *map(derive_example, sorted(list_typed_classes(), key=str)),
]
