r"""Find the links in documents, replace them, and guard generated text.

>>> from uriverse.documents import links
>>> document = "![A cat](cat.png) from [here](<https://a.example/b c>).\n"
>>> for link in links(document, "markdown"):
...     print(link.kind, link.written, link.target)
image cat.png cat.png
link https://a.example/b c https://a.example/b%20c
"""

from uriverse import _public_names

from ._formats import format_of
from ._guard import Guard, guard
from ._guard_rules import Removed
from ._links import Link, links, rewrite

__all__ = ["Guard", "Link", "Removed", "format_of", "guard", "links", "rewrite"]
__dir__ = __all__.copy

_public_names.publish(globals())
