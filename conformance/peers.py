"""Adapters for other parsers: the operations of each, and the exceptions that mean a rejection."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from logging import ERROR, getLogger
from platform import python_version
from types import ModuleType
from typing import NamedTuple, Protocol
from warnings import catch_warnings

from conformance.edges import VALID
from uriverse import __version__


class Call(NamedTuple):
    """An operation and its arguments; `edges.Edge` lists the operations."""

    operation: str
    arguments: tuple[str, ...]


class Answer(NamedTuple):
    """The answer of a parser.

    Attributes:
        kind: `value`, `rejected`, `missing` if the parser does not have the operation, or `error`
            for an exception that the adapter does not list as a rejection.
        text: the value, or the message of the error.
    """

    kind: str
    text: str = ""


MISSING = Answer("missing")
REJECTION = Answer("rejected")


class Peer(Protocol):
    """A parser that the comparison can run.

    Attributes:
        name: the name of the parser.
        version: its version.
        standard: the standard that it follows as a whole, such as `RFC 3986` or `WHATWG`; empty if
            its documentation does not name one.
        validates: False if it splits strings without validation, by design.
        relative: whether it parses relative references.
    """

    name: str
    version: str
    standard: str
    validates: bool
    relative: bool

    def answers(self, calls: Sequence[Call]) -> list[Answer]:
        """Return the answers to all calls."""


Operation = Callable[..., object]


@dataclass
class PythonPeer:
    """A parser that runs in this process."""

    name: str
    version: str
    standard: str
    validates: bool
    relative: bool
    operations: Mapping[str, Operation]
    rejections: tuple[type[Exception], ...]

    def answers(self, calls: Sequence[Call]) -> list[Answer]:
        with catch_warnings(action="ignore"):
            return [self.answer(call) for call in calls]

    def answer(self, call: Call) -> Answer:
        operation = self.operations.get(call.operation)
        # A validator of IRIs also decides whether an ASCII string is a URI.
        if operation is None and call.operation == "accept" and call.arguments[0].isascii():
            operation = self.operations.get("accept_iri")
        if operation is None:
            return MISSING
        try:
            found = operation(*call.arguments)
        except self.rejections:
            return REJECTION
        except Exception as error:  # noqa: BLE001 -- a report must not stop at a faulty adapter
            return Answer("error", f"{type(error).__name__}: {error}")
        if found is False:
            return REJECTION
        if call.operation.startswith("accept"):
            return Answer("value", VALID)
        return Answer("value", "" if found is None else str(found))


class Adapter(NamedTuple):
    """How to run a Python package.

    Attributes:
        distribution: the name of the package in the package index; empty for the standard library.
        module: the module to import.
        operations: a function that takes the module and returns the operations.
        rejections: the full names of the exceptions that mean a rejection, besides `ValueError`.
        standard, validates, relative: the attributes of `Peer`.
    """

    distribution: str
    module: str
    operations: Callable[[ModuleType], Mapping[str, Operation]]
    rejections: tuple[str, ...] = ()
    standard: str = ""
    validates: bool = True
    relative: bool = True


def uriverse_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.URIReference,
        "accept_iri": module.IRIReference,
        "host": lambda text: module.URI(text).host,
        "resolve": lambda base, reference: module.IRI(base).resolve(reference),
        "normalize": lambda text: module.URI(text).normalize(),
        "text": module.URI,
        "to_iri": lambda text: module.URI(text).to_iri(),
    }


def urllib_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.urlsplit,
        "host": lambda text: module.urlsplit(text).hostname,
        "resolve": module.urljoin,
        "text": lambda text: module.urlsplit(text).geturl(),
    }


def urllib3_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.parse_url,
        "host": lambda text: module.parse_url(text).host,
        "normalize": lambda text: module.parse_url(text).url,
        "text": lambda text: module.parse_url(text).url,
    }


def requests_operations(module: ModuleType) -> dict[str, Operation]:
    def prepared(text: str) -> object:
        return module.Request("GET", text).prepare().url

    return {"accept": prepared, "normalize": prepared}


def httpx_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.URL,
        "accept_iri": module.URL,
        "host": lambda text: module.URL(text).raw_host.decode(),
        "resolve": lambda base, reference: module.URL(base).join(reference),
        "text": module.URL,
    }


def yarl_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.URL,
        "accept_iri": module.URL,
        "host": lambda text: module.URL(text).raw_host,
        "resolve": lambda base, reference: module.URL(base).join(module.URL(reference)),
        "normalize": module.URL,
        "text": module.URL,
        "to_iri": lambda text: module.URL(text).human_repr(),
    }


def furl_operations(module: ModuleType) -> dict[str, Operation]:
    def normal_form(text: str) -> object:
        value = module.furl(text)
        value.path.normalize()
        return value.url

    return {
        "accept": module.furl,
        "host": lambda text: module.furl(text).host,
        "resolve": lambda base, reference: module.furl(base).join(reference).url,
        "normalize": normal_form,
        "text": lambda text: module.furl(text).url,
    }


def rfc3986_operations(module: ModuleType) -> dict[str, Operation]:
    def validated(text: str) -> object:
        value = module.uri_reference(text)
        names = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
        module.validators.Validator().check_validity_of(*names).validate(value)
        return value

    return {
        "accept": validated,
        "host": lambda text: module.uri_reference(text).authority_info()["host"],
        "resolve": lambda base, reference: (
            module.uri_reference(reference).resolve_with(base, strict=True).unsplit()
        ),
        "normalize": lambda text: module.uri_reference(text).normalize().unsplit(),
        "text": lambda text: module.uri_reference(text).unsplit(),
    }


def rfc3987_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": lambda text: module.match(text, "URI_reference") is not None,
        "accept_iri": lambda text: module.match(text, "IRI_reference") is not None,
        "resolve": module.resolve,
    }


def hyperlink_operations(module: ModuleType) -> dict[str, Operation]:
    url = module.URL.from_text
    return {
        "accept": url,
        "accept_iri": url,
        "host": lambda text: url(text).host,
        "resolve": lambda base, reference: url(base).click(reference).to_text(),
        "normalize": lambda text: url(text).normalize().to_text(),
        "text": lambda text: url(text).to_text(),
        "to_iri": lambda text: url(text).to_iri().to_text(),
    }


def uritools_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.urisplit,
        "host": lambda text: module.urisplit(text).host,
        "resolve": lambda base, reference: module.urijoin(base, reference, strict=True),
        "text": lambda text: module.urisplit(text).geturi(),
    }


def ada_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.URL,
        "accept_iri": module.URL,
        "host": lambda text: module.URL(text).hostname,
        "resolve": lambda base, reference: module.URL(reference, base).href,
        "normalize": lambda text: module.URL(text).href,
        "text": lambda text: module.URL(text).href,
    }


def can_ada_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.parse,
        "accept_iri": module.parse,
        "host": lambda text: module.parse(text).hostname,
        "normalize": lambda text: module.parse(text).href,
        "text": lambda text: module.parse(text).href,
    }


def url_py_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.URL.parse,
        "accept_iri": module.URL.parse,
        "host": lambda text: module.URL.parse(text).host_str,
        "resolve": lambda base, reference: module.URL.parse(base).join(reference),
        "normalize": module.URL.parse,
        "text": module.URL.parse,
    }


def pydantic_operations(module: ModuleType) -> dict[str, Operation]:
    return {
        "accept": module.Url,
        "accept_iri": module.Url,
        "host": lambda text: module.Url(text).host,
        "normalize": module.Url,
        "text": module.Url,
    }


def pyoxigraph_operations(module: ModuleType) -> dict[str, Operation]:
    return {"accept_iri": module.NamedNode, "text": lambda text: module.NamedNode(text).value}


def rdflib_operations(module: ModuleType) -> dict[str, Operation]:
    # rdflib logs a warning for each invalid IRI that it accepts.
    getLogger("rdflib.term").setLevel(ERROR)
    return {
        "accept_iri": module.URIRef,
        "resolve": lambda base, reference: module.URIRef(reference, base),
        "text": module.URIRef,
    }


BOTH = "RFC 3986, RFC 3987"

ADAPTERS = {
    "uriverse": Adapter("uriverse", "uriverse", uriverse_operations, standard=BOTH),
    "urllib": Adapter("", "urllib.parse", urllib_operations, validates=False),
    "urllib3": Adapter(
        "urllib3", "urllib3.util", urllib3_operations, ("urllib3.exceptions.HTTPError",)
    ),
    "requests": Adapter(
        "requests",
        "requests",
        requests_operations,
        ("requests.exceptions.RequestException",),
        relative=False,
    ),
    "httpx": Adapter("httpx", "httpx", httpx_operations, ("httpx.InvalidURL",)),
    "yarl": Adapter("yarl", "yarl", yarl_operations),
    "furl": Adapter("furl", "furl", furl_operations),
    "rfc3986": Adapter(
        "rfc3986",
        "rfc3986",
        rfc3986_operations,
        ("rfc3986.exceptions.RFC3986Exception",),
        "RFC 3986",
    ),
    "rfc3987": Adapter("rfc3987", "rfc3987", rfc3987_operations, standard="RFC 3987"),
    "hyperlink": Adapter("hyperlink", "hyperlink", hyperlink_operations, standard=BOTH),
    "uritools": Adapter(
        "uritools", "uritools", uritools_operations, standard="RFC 3986", validates=False
    ),
    "ada-url": Adapter("ada-url", "ada_url", ada_operations, standard="WHATWG", relative=False),
    "can_ada": Adapter("can_ada", "can_ada", can_ada_operations, standard="WHATWG", relative=False),
    "url-py": Adapter(
        "url-py", "url", url_py_operations, ("url.URLError",), "WHATWG", relative=False
    ),
    "pydantic": Adapter(
        "pydantic_core", "pydantic_core", pydantic_operations, standard="WHATWG", relative=False
    ),
    "pyoxigraph": Adapter(
        "pyoxigraph", "pyoxigraph", pyoxigraph_operations, standard="RFC 3987", relative=False
    ),
    "rdflib": Adapter("rdflib", "rdflib", rdflib_operations, validates=False),
}


def exception_at(path: str) -> type[Exception]:
    module, _, name = path.rpartition(".")
    found: type[Exception] = getattr(import_module(module), name)
    return found


def installed_packages() -> Iterator[PythonPeer | str]:
    """Yield a peer for each installed package, and the name of each package that is missing."""
    for name, adapter in ADAPTERS.items():
        try:
            module = import_module(adapter.module)
        except ImportError:
            yield name
            continue
        yield PythonPeer(
            name,
            version_of(adapter.distribution),
            adapter.standard,
            adapter.validates,
            adapter.relative,
            adapter.operations(module),
            (ValueError, *map(exception_at, adapter.rejections)),
        )


def version_of(distribution: str) -> str:
    """Return the version of a package, or that of Python for its standard library."""
    if distribution == "uriverse":
        return __version__  # In a checkout, the metadata may be missing or old.
    return metadata.version(distribution) if distribution else f"Python {python_version()}"
