"""The libraries that `everyday.py` measures: how to import them, and how to create their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote

from kinds import DAMAGES, KINDS

OURS = "uriverse"

#: The statements that import each library. The names of uriverse are visible to all libraries.
IMPORTS = {
    OURS: "import copy, pickle, uriverse; from uriverse import *; from uriverse import percent",
    "can_ada": "import can_ada",
    "ada-url": "import ada_url",
    "url-py": "import url",
    "pydantic": "import pydantic_core",
    "pyoxigraph": "import pyoxigraph",
    # The default size of yarl's cache of hosts is 512; its other caches keep 128 strings.
    "yarl": "import yarl; yarl.cache_configure(encode_host_size=128, idna_encode_size=128); "
    "from yarl._quoting import _Quoter; quote_yarl = _Quoter(requote=False)",
    "httpx": "import httpx",
    "urllib": "from urllib.parse import *",
    "uritools": "import uritools",
    "rfc3986": "import rfc3986; from rfc3986.validators import Validator; "
    "validator = Validator().check_validity_of('scheme', 'userinfo', 'host', 'port', 'path', "
    "'query', 'fragment')",
    "hyperlink": "import hyperlink",
    "furl": "import furl",
    "baseline": "from urllib.parse import urlencode; from everyday_libraries import Sliced, Stored",
}

#: The peers in the order of the columns. The last one is plain Python code.
PEERS = tuple(IMPORTS)[1:]

#: The libraries that have no compiled code, or can run without it.
PURE = (OURS, "yarl", "httpx", "urllib", "uritools", "rfc3986", "hyperlink", "furl")

#: The environment variables that disable the compiled code of uriverse and of yarl.
PURE_ENVIRONMENT = {
    "URIVERSE_KERNEL": "disable",
    "YARL_NO_EXTENSIONS": "1",
    "MULTIDICT_NO_EXTENSIONS": "1",
    "PROPCACHE_NO_EXTENSIONS": "1",
}

#: The code that creates the value of each library from the string `s`.
VALUES = {
    OURS: "URI(s)",
    "can_ada": "can_ada.parse(s)",
    "ada-url": "ada_url.URL(s)",
    "url-py": "url.URL.parse(s)",
    "pydantic": "pydantic_core.Url(s)",
    "pyoxigraph": "pyoxigraph.NamedNode(s)",
    "yarl": "yarl.URL(s)",
    "httpx": "httpx.URL(s)",
    "urllib": "urlsplit.__wrapped__(s)",
    "uritools": "uritools.urisplit(s)",
    "rfc3986": "rfc3986.uri_reference(s)",
    "hyperlink": "hyperlink.URL.from_text(s)",
    "furl": "furl.furl(s)",
}

#: The number of strings in each pass of the slowest peers, which do not cache their results.
#: Each pass of the other libraries has `STRINGS` strings, so that the caches of yarl and of
#: `urllib.parse`, which keep 128 strings, never contain the next one.
FEWER = {"httpx": 40, "rfc3986": 80, "hyperlink": 40, "furl": 10}
STRINGS = 250


@dataclass(frozen=True)
class Variant:
    """Code of a peer that differs from the code of uriverse in more than its names.

    Attributes:
        code: the code.
        result: how its result differs, if it does.
        work: how its work differs, if it does. Then no target applies to the peer.
    """

    code: str
    result: str = ""
    work: str = ""


@dataclass(frozen=True)
class Operation:
    """An operation of identifiers, and the code of each library for it.

    Code is Python source, as in `timeit`, in which `u` is the value. It can consist of several
    statements, separated by `; `. The last one is an expression: the result.

    Attributes:
        name: the name in the table.
        ours: the code of uriverse.
        peers: the code of each peer.
        targets: for some peers, the largest ratio of uriverse to the peer that meets the target.
            The key `best` stands for the fastest peer that does the same work.
        made: the code that creates `u` from the string `s`, for each library that does not use the
            code of `VALUES`.
        family: the name of the family of strings.
        needs: the attribute of `URI` without which the operation does not exist.
        pure: whether to measure the reference implementation as well.
        caught: the statement that handles the `error` that all libraries must raise.
    """

    name: str
    ours: str
    peers: Mapping[str, str | Variant] = field(default_factory=dict)
    targets: Mapping[str, float] = field(default_factory=dict)
    made: Mapping[str, str] = field(default_factory=dict)
    family: str = "usual"
    needs: str | None = None
    pure: bool = False
    caught: str | None = None

    def variant(self, library: str) -> Variant:
        """Return the code of a library, and how it differs."""
        code = self.ours if library == OURS else self.peers[library]
        return code if isinstance(code, Variant) else Variant(code)


class Sliced:
    """A component that Python code cuts out of a string."""

    __slots__ = ("end", "start", "text")

    def __init__(self, text: str, part: str) -> None:
        self.text = text
        self.start = text.index(part)
        self.end = self.start + len(part)

    @property
    def part(self) -> str:
        start, end = self.start, self.end
        return self.text[start:end]


class Stored(NamedTuple):
    """A component that a tuple contains."""

    part: str


TEN_NAMES = "abcdefghij"


def nested(text: str, depth: int) -> str:
    """Return a URL that contains another one, and so on."""
    for _ in range(depth):
        text = f"https://host/?page=2&next={quote(text, safe='')}"
    return text


#: The families of strings. Each one is a function of the number of the string.
FAMILIES: Mapping[str, Callable[[int], str]] = {
    "usual": lambda n: (
        f"https://user:pw@www.example{n}.org:8443/a{n}/b-c/file.tar.gz?q={n}&b=2&c=three#sec{n}"
    ),
    "short": lambda n: f"https://www.example{n}.org/a{n}/b-c/file.tar.gz",
    "the same": lambda _: "https://www.example.org/a/b-c/file.tar.gz",
    "bad host": lambda n: f"https://www.exa^mple{n}.org/a{n}/b-c",
    "bad port": lambda n: f"https://www.example{n}.org:8a/a{n}/b-c",
    "bad path": lambda n: f"https://www.example{n}.org/a{n}/b\x01c",
    "to repair": lambda n: f"https://www.example{n}.org/a{n}/b c[d].html",
    "path": lambda n: f"/a{n}/b-c/file.tar.gz",
    "reference": lambda n: (f"../g{n}/h?y={n}", f"g{n}/./h", f"/g{n}/h", f"?y={n}")[n % 4],
    "below the base": lambda n: f"https://www.example.org/a/b/x{n}/c?q={n}",
    "international host": lambda n: f"https://b\u00fccher{n}.example/a{n}",
    "the same international host": lambda n: f"https://b\u00fccher.example/a{n}",
    "international path": lambda n: f"https://www.example{n}.org/a{n}/ros\u00e9/%E6%97%A5?q=\u00e9",
    "encoded": lambda n: f"https://www.example{n}.org/a{n}/ros%C3%A9/b?q=caf%C3%A9",
    "untidy": lambda n: f"HTTPS://www.EXAMPLE{n}.org/a{n}/./b/../c",
    "data": lambda n: f"a b/{n}?\u00e9#",
    "ten parameters": lambda n: (
        f"https://www.example{n}.org/a?"
        + "&".join(f"{name}={n + index}" for index, name in enumerate(TEN_NAMES))
    ),
    "nested": lambda n: nested(f"https://me:pw@www.example.org/{n}", 3),
    "default port": lambda n: f"HTTP://Example{n}.org:80/a/../b",
    **{template: template.format for template in (*KINDS.values(), *DAMAGES.values())},
}

#: The number of the string on which the results of all libraries are compared.
CHECKED = 7
#: The base of `resolve` and `relative_to`, which all libraries have as `base`.
BASE = "https://www.example.org/a/b/c/d?e"


class Code:
    """The compiled code of one library for one operation.

    Attributes:
        library: the name of the library.
        variant: the source, and how it differs from that of uriverse.
        make: creates a value from a string.
        function: returns the result for a value.
        loop: processes all values of a pass.
    """

    def __init__(self, operation: Operation, library: str, names: Mapping[str, Any]) -> None:
        self.library = library
        self.variant = operation.variant(library)
        made = operation.made.get(library) or VALUES.get(library, "s")
        code = self.variant.code
        step = f"  {code}\n"
        if operation.caught:
            step = f"  try: {code}\n  except Exception as error: {operation.caught}\n"
        scope = dict(names)
        # All code is a constant of this program.
        exec(  # noqa: S102
            f"def make(s): return {made}\n"
            f"def function(u): {'; '.join((*code.split('; ')[:-1], 'return '))}"
            f"{code.split('; ')[-1]}\n"
            f"def loop(_, values):\n for u in values:\n{step}",
            scope,
        )
        self.make: Callable[[str], Any] = scope["make"]
        self.function: Callable[[Any], object] = scope["function"]
        self.loop: Callable[[object, Sequence[Any]], None] = scope["loop"]
        text = FAMILIES[operation.family](CHECKED)
        scope["other"] = self.make(text)

    def result(self, text: str) -> object:
        return self.function(self.make(text))


def installed(libraries: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Import libraries, and return the names that the code of each one can use."""
    found: dict[str, dict[str, Any]] = {}
    for library in libraries:
        names = dict(found.get(OURS, {}))
        try:
            exec(IMPORTS[library], names)  # noqa: S102
        except ModuleNotFoundError:
            continue
        if library in VALUES:
            names["base"] = eval(VALUES[library], names | {"s": BASE})  # noqa: S307
        found[library] = names
    return found


def plain(result: object) -> object:
    """Return a result in a form that can be compared with that of another library."""
    if isinstance(result, list | tuple) and not hasattr(result, "scheme"):
        return [plain(item) for item in result]
    for name in ("geturl", "geturi", "unsplit"):
        if hasattr(result, name):
            return getattr(result, name)()
    if hasattr(result, "to_text"):
        return result.to_text(with_password=True)
    return result if result is None else str(result)
