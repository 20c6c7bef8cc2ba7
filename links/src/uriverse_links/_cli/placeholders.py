"""The placeholders of templates in documents, which a program replaces before it publishes them."""

from __future__ import annotations

from uriverse._patterns import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse_links import Link

#: A placeholder, such as `{{ url }}`, `${url}` or `<%= url %>`. Quotation marks in it may end the
#: destination.
PLACEHOLDER = lazy_pattern(r"\{[{%]|\$\{|<%")

#: A placeholder, or a name in braces, such as `{id}`.
IN_DESTINATION = lazy_pattern(r"\{[{%]|\$\{|<%|\{[^{}]*+\}")


def is_filled_in(link: Link) -> bool:
    """Return whether a part of a link is a placeholder, which a program replaces later."""
    return IN_DESTINATION.search(link.destination) is not None
