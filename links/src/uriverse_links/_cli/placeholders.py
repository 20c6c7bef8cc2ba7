"""The placeholders of templates in documents, which a program replaces before it publishes them."""

from __future__ import annotations

import re

from uriverse_links._links import Link

#: A placeholder, such as `{{ url }}`, `${url}` or `<%= url %>`. Quotation marks in it may end the
#: destination.
PLACEHOLDER = re.compile(r"\{[{%]|\$\{|<%")

#: A placeholder, or a name in braces, such as `{id}`.
IN_DESTINATION = re.compile(r"\{[{%]|\$\{|<%|\{[^{}]*+\}")


def is_filled_in(link: Link) -> bool:
    """Return whether a part of a link is a placeholder, which a program replaces later."""
    return IN_DESTINATION.search(link.destination) is not None
