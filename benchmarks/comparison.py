"""Compare URI libraries feature by feature, by running each of them.

    python benchmarks/comparison.py             print the table of the README
    python benchmarks/comparison.py --evidence  also print what each library returned

The last row, nanoseconds per parse, is `python benchmarks/identifiers.py`.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pyarrow as pa

VERDICTS = Path(__file__).parents[1] / "tests" / "conformance" / "data" / "verdicts.txt"
#: An edit has to keep every other character of this URI.
EDITED = "http://user@EXAMPLE.org/%7Ea/../b%2fc?x=%7e+1&y&z=1#%66"
IRI = "http://example.org/rosé"


@dataclass(frozen=True)
class Library:
    """A library, and how to do each task with it; `None` if it has no function for the task.

    Attributes:
        name: the class or function that users call, as the table's heading.
        distribution: the name on the package index; `None` for the standard library.
        parse: parses a string, and raises an error or returns `None` if it is invalid.
        set_port: returns `EDITED` with port 8080.
        set_param: returns `EDITED` with the parameter `z` set to `2`.
        to_uri: returns the URI of an IRI.
        exact: parses a string with the options that keep it unchanged, if `parse` does not.
    """

    name: str
    distribution: str | None
    parse: Callable[[str], Any]
    set_port: Callable[[str], str] | None
    set_param: Callable[[str], str] | None
    to_uri: Callable[[str], str] | None
    exact: Callable[[str], Any] | None = None


def uriverse() -> Library:
    from uriverse import IRI, URI, parse

    def set_param(string: str) -> str:
        uri = URI(string)
        return str(uri.with_params(uri.params.with_param("z", "2")))

    return Library(
        "uriverse",
        "uriverse",
        parse,
        lambda string: str(URI(string).with_port(8080)),
        set_param,
        lambda string: str(IRI(string).to_uri()),
    )


def yarl() -> Library:
    from yarl import URL

    def exact(string: str) -> URL:
        url = URL(string, encoded=True)
        # yarl parses the authority on access only.
        str(url)
        return url

    return Library(
        "yarl.URL",
        "yarl",
        URL,
        lambda string: str(exact(string).with_port(8080)),
        lambda string: str(exact(string).update_query(z="2")),
        lambda string: str(URL(string)),
        exact,
    )


def httpx() -> Library:
    from httpx import URL

    return Library(
        "httpx.URL",
        "httpx",
        URL,
        lambda string: str(URL(string).copy_with(port=8080)),
        lambda string: str(URL(string).copy_set_param("z", "2")),
        lambda string: str(URL(string)),
    )


class Split:
    """The result of `urlsplit`, with the string that `geturl` writes."""

    def __init__(self, string: str) -> None:
        self.parts = urlsplit(string)
        # The standard library parses the port on access only.
        _ = self.parts.port

    def __str__(self) -> str:
        return self.parts.geturl()


def urllib() -> Library:
    def set_port(string: str) -> str:
        parts = urlsplit(string)
        return parts._replace(netloc=parts.netloc + ":8080").geturl()

    def set_param(string: str) -> str:
        parts = urlsplit(string)
        pairs = dict(parse_qsl(parts.query, keep_blank_values=True)) | {"z": "2"}
        return parts._replace(query=urlencode(pairs)).geturl()

    return Library("urllib.parse", None, Split, set_port, set_param, None)


def rfc3986() -> Library:
    from rfc3986 import iri_reference, uri_reference
    from rfc3986.validators import Validator

    validator = Validator().check_validity_of(
        "scheme", "userinfo", "host", "port", "path", "query", "fragment"
    )

    def parse(string: str) -> Unsplit:
        if not string.isascii():
            return Unsplit(iri_reference(string))
        reference = uri_reference(string)
        validator.validate(reference)
        return Unsplit(reference)

    def set_port(string: str) -> str:
        reference = uri_reference(string)
        return str(reference.copy_with(authority=reference.authority + ":8080").unsplit())

    return Library(
        "rfc3986",
        "rfc3986",
        parse,
        set_port,
        None,
        lambda string: str(iri_reference(string).encode().unsplit()),
    )


class Unsplit:
    """A reference of `rfc3986`, with the string that `unsplit` writes."""

    def __init__(self, reference: Any) -> None:
        self.reference = reference

    def __str__(self) -> str:
        return str(self.reference.unsplit())


def pydantic() -> Library:
    from pydantic_core import Url

    return Library("pydantic", "pydantic", Url, None, None, lambda string: str(Url(string)))


def can_ada() -> Library:
    from can_ada import URLSearchParams, parse

    def set_port(string: str) -> str:
        url = parse(string)
        url.port = "8080"
        return str(url)

    def set_param(string: str) -> str:
        url = parse(string)
        params = URLSearchParams(url.search)
        params["z"] = "2"
        url.search = str(params)
        return str(url)

    return Library("can_ada", "can_ada", parse, set_port, set_param, lambda s: str(parse(s)))


LIBRARIES = (uriverse, yarl, httpx, urllib, rfc3986, pydantic, can_ada)


def attempt(function: Callable[[Any], Any], argument: object) -> Any:
    """Return the result of a call, or the exception."""
    try:
        return function(argument)
    # Each library raises errors of its own.
    except Exception as error:  # noqa: BLE001
        return error


def verdicts() -> Iterator[tuple[bool, str]]:
    """Yield the strings with a scheme from the conformance tests, and whether each is a URI."""
    for line in VERDICTS.read_text("utf-8").splitlines():
        verdict, rule, string = [*line.split(" ", 2), "", ""][:3]
        if rule == "URI" and re.match(r'"[A-Za-z][\w+.-]*:', string):
            yield verdict == "valid", json.loads(string)


def accepts(library: Library, string: str) -> bool:
    result = attempt(library.parse, string)
    return result is not None and not isinstance(result, Exception)


def valid_accepted(library: Library) -> str:
    """How many valid URIs the library accepts."""
    valid = [string for verdict, string in verdicts() if verdict]
    return f"{sum(accepts(library, string) for string in valid)} of {len(valid)}"


def invalid_rejected(library: Library) -> str:
    """How many invalid URIs the library rejects."""
    invalid = [string for verdict, string in verdicts() if not verdict]
    return f"{sum(not accepts(library, string) for string in invalid)} of {len(invalid)}"


def kept(library: Library) -> str:
    """How many of the valid URIs that the library accepts are the same string afterwards."""
    valid = [string for verdict, string in verdicts() if verdict and accepts(library, string)]
    same = sum(str(attempt(library.exact or library.parse, string)) == string for string in valid)
    return f"{same} of {len(valid)}"


def keeps_iri(library: Library) -> str:
    """Return "yes" if the string of a parsed IRI is the IRI as written."""
    return "yes" if str(attempt(library.exact or library.parse, IRI)) == IRI else "no"


def converts_iri(library: Library) -> str:
    """Return "yes" if the library converts an IRI to a URI as RFC 3987, 3.1, specifies."""
    converted = library.to_uri and library.to_uri(IRI)
    return "yes" if converted == "http://example.org/ros%C3%A9" else "no"


def edit(function: Callable[[str], str] | None, expected: str) -> str:
    if function is None:
        return "not available"
    return "unchanged" if function(EDITED) == expected else "changed"


def edits(library: Library) -> str:
    """Whether an edit of the port keeps every other character."""
    return edit(library.set_port, EDITED.replace("EXAMPLE.org", "EXAMPLE.org:8080"))


def params(library: Library) -> str:
    """Whether an edit of one parameter keeps every other character."""
    return edit(library.set_param, EDITED.replace("z=1", "z=2"))


def positions(library: Library) -> str:
    """Whether the error for an invalid string holds the position of the invalid character."""
    error = attempt(library.parse, "http://[::1/")
    return "yes" if isinstance(getattr(error, "position", None), int) else "no"


def columns(library: Library) -> str:
    """Whether the library parses a whole Arrow column in one call."""
    column = pa.array(["http://a/", "http://b/"])
    parse = import_module("uriverse.columns").parse if library.name == "uriverse" else library.parse
    return "no" if isinstance(attempt(parse, column), Exception) else "yes"


def typed(library: Library) -> str:
    """Whether the package declares type hints (PEP 561); typeshed has those of the library."""
    if library.distribution is None:
        return "yes (typeshed)"
    files = importlib.metadata.files(library.distribution) or ()
    module = import_module(library.distribution)
    beside = module.__file__ and (Path(module.__file__).parent / "py.typed").exists()
    return "yes" if beside or any(file.name == "py.typed" for file in files) else "no"


def license_of(library: Library) -> str:
    """The license that the package's metadata names."""
    if library.distribution is None:
        return "PSF"
    metadata = importlib.metadata.metadata(library.distribution)
    for field in ("License-Expression", "License"):
        named = (metadata.get_all(field) or ("",))[0]
        if 0 < len(named) < 40:
            return str(named)
    classifiers = metadata.get_all("Classifier") or ()
    return next((c.rpartition(" :: ")[2] for c in classifiers if c.startswith("License")), "")


ROWS = {
    "valid URIs accepted": valid_accepted,
    "invalid URIs rejected": invalid_rejected,
    "accepted URIs kept unchanged": kept,
    "IRIs kept unchanged": keeps_iri,
    "IRIs converted to URIs": converts_iri,
    "other parts when the port is set": edits,
    "other parts when a parameter is set": params,
    "error with position": positions,
    "Arrow columns": columns,
    "type hints": typed,
    "license": license_of,
}


def table(libraries: list[Library]) -> Iterator[str]:
    """Yield the lines of the table, in Markdown."""
    yield f"| library | {' | '.join(library.name for library in libraries)} |"
    yield "|---" * (len(libraries) + 1) + "|"
    for name, probe in ROWS.items():
        yield f"| {name} | {' | '.join(probe(library) for library in libraries)} |"


def evidence(libraries: list[Library]) -> Iterator[str]:
    """Yield what each library returned for each string."""
    for library in libraries:
        yield f"\n{library.name}"
        for verdict, string in verdicts():
            result = attempt(library.parse, string)
            if accepts(library, string) != verdict or (verdict and str(result) != string):
                yield f"  {'valid' if verdict else 'invalid'} {string!r}: {result!s:.100}"
        for task in ("set_port", "set_param"):
            function = getattr(library, task)
            yield f"  {task}: {attempt(function, EDITED) if function else None}"
        yield f"  error: {attempt(library.parse, 'http://[::1/')!r}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--evidence", action="store_true", help="print what each library returned")
    options = parser.parse_args()
    libraries = [make() for make in LIBRARIES]
    print(*table(libraries), sep="\n")
    if options.evidence:
        print(*evidence(libraries), sep="\n")


if __name__ == "__main__":
    main()
