r"""Find the links in documents, replace them, and guard generated text.

>>> from uriverse_links import links
>>> document = "![A cat](cat.png) from [here](<https://a.example/b c>).\n"
>>> for link in links(document, "markdown"):
...     print(link.kind, link.written, link.target)
image cat.png cat.png
link https://a.example/b c https://a.example/b%20c
"""

from ._destinations import DocumentFormat, LinkKind
from ._links import Link, format_of, links, rewrite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._guard import Guard, guard
    from ._guard_text import Removed

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
for _public in (Link, format_of, links, rewrite):
    _public.__module__ = __name__

if not TYPE_CHECKING:  # Type checkers would accept any name.

    def __getattr__(name: str) -> object:
        """Import the guard when it is first used: it loads policies, which links do not need."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from ._guard import Guard, guard
        from ._guard_text import Removed

        for public in (Guard, Removed, guard):
            public.__module__ = __name__
            globals()[public.__name__] = public
        return globals()[name]
