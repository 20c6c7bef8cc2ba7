"""Compare how Python packages, C libraries, browsers and other software read a URI.

The same string can have different hosts for different software. `compare` shows the host and the
port that each installed parser finds, and the findings of `uriverse.check` that explain the
differences. No parser connects to a host.

>>> from uriverse import parsers
>>> both = parsers.installed(["urllib.parse", "uriverse"])
>>> parsers.compare("http://me@a.example@b.example/", both).differ
False
"""

from __future__ import annotations

from .comparing import compare as compare
from .comparing import compare_all as compare_all
from .comparison import Comparison as Comparison
from .comparison import Group as Group
from .comparison import Target as Target
from .installed import NAMES as NAMES
from .installed import ON_REQUEST as ON_REQUEST
from .installed import installed as installed
from .reading import COMPONENTS as COMPONENTS
from .reading import Outcome as Outcome
from .reading import Parser as Parser
from .reading import Reading as Reading
