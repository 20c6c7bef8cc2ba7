"""Compare how Python packages, C libraries, browsers and other software read a URI.

The same string can have different hosts for different software. `compare` shows the host and the
port that each installed parser finds, and the findings of `uriverse.check` that explain the
differences. HTTP clients make a request, which
ends before they connect. No parser opens a network connection.

>>> from uriverse_compare import compare, installed
>>> both = installed(["urllib.parse", "uriverse"])
>>> compare("http://me@a.example@b.example/", both).differ
False
"""

from __future__ import annotations

from ._comparison import Comparison, Group, Target, compare, compare_all
from ._installed import NAMES, ON_REQUEST, installed
from ._reading import COMPONENTS, Outcome, Parser, Reading

__all__ = [
    "COMPONENTS",
    "NAMES",
    "ON_REQUEST",
    "Comparison",
    "Group",
    "Outcome",
    "Parser",
    "Reading",
    "Target",
    "compare",
    "compare_all",
    "installed",
]

# Messages and documentation name the public module of a function or class.
for _public in (Comparison, Group, Parser, Reading, Target, compare, compare_all, installed):
    _public.__module__ = __name__
