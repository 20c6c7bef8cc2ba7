r"""Find the links in documents, replace them, and guard generated text.

>>> from uriverse_links import links
>>> document = "![A cat](cat.png) from [here](<https://a.example/b c>).\n"
>>> for link in links(document, "markdown"):
...     print(link.kind, link.written, link.target)
image cat.png cat.png
link https://a.example/b c https://a.example/b%20c
"""

from ._destinations import DocumentFormat, LinkKind
from ._guard import Guard, guard
from ._guard_text import Removed
from ._links import Link, format_of, links, rewrite

__all__ = [
    "DocumentFormat",
    "Guard",
    "Link",
    "LinkKind",
    "Removed",
    "format_of",
    "guard",
    "links",
    "rewrite",
]
__dir__ = __all__.copy

# Messages and documentation name the public module of a function or class.
for _public in (Guard, Link, Removed, format_of, guard, links, rewrite):
    _public.__module__ = __name__
