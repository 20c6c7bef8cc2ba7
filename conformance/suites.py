"""The third-party test suites: names, origins, licenses, and how to load their cases."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

#: The environment variable that names the default folder of suites.
VARIABLE = "URIVERSE_SUITES"

#: The suites in this repository.
VENDORED = Path(__file__).parent / "suites"

Case = dict[str, Any]


class Origin(NamedTuple):
    """Where a suite comes from, and the license of its authors."""

    project: str
    license: str


#: The suites that this package can judge, by the names of their files without `.json`.
SUITES = {
    "json-schema-test-suite": Origin(
        "https://github.com/json-schema-org/JSON-Schema-Test-Suite", "MIT"
    ),
    "uritemplate-test": Origin("https://github.com/uri-templates/uritemplate-test", "Apache-2.0"),
    "w3c-rdf-jsonld-iri-resolution": Origin(
        "https://github.com/w3c/rdf-tests", "W3C test suite licenses"
    ),
    "haskell-network-uri": Origin("https://github.com/haskell/network-uri", "BSD-3-Clause"),
    "go-net-url": Origin("https://github.com/golang/go/tree/master/src/net/url", "BSD-3-Clause"),
    "hyperlink": Origin("https://github.com/python-hyper/hyperlink", "MIT"),
    "rhymu8354-uri": Origin("https://github.com/rhymu8354/Uri", "MIT"),
    "uritools": Origin("https://github.com/tkem/uritools", "MIT"),
    "fast-uri": Origin("https://github.com/fastify/fast-uri", "BSD-3-Clause"),
    "urn": Origin("https://github.com/leodido/go-urn", "MIT, Apache-2.0"),
    "addressable-template": Origin("https://github.com/sporkmonger/addressable", "Apache-2.0"),
    "wpt-url": Origin("https://github.com/web-platform-tests/wpt/tree/master/url", "BSD-3-Clause"),
    "wpt-idna-toascii": Origin(
        "https://github.com/web-platform-tests/wpt/tree/master/url", "BSD-3-Clause, Unicode"
    ),
}


class SuitesError(Exception):
    """The error for a folder without suites. Its message is shown to the user."""


def default_folder() -> Path:
    """Return the folder that the environment variable names, or else the vendored suites."""
    return Path(os.environ.get(VARIABLE) or VENDORED)


def load(path: Path) -> list[Case]:
    """Load the cases of one suite."""
    cases: list[Case] = json.loads(path.read_text("utf-8"))
    return cases


def find(folder: Path) -> dict[str, list[Case]]:
    """Load the known suites of a folder, in the order of `SUITES`.

    Raises:
        SuitesError: if the folder does not exist or contains none of the suites.
    """
    if not folder.is_dir():
        raise SuitesError(f"no such folder: {folder} (set --suites or {VARIABLE})")
    found = {name: folder / f"{name}.json" for name in SUITES}
    suites = {name: load(path) for name, path in found.items() if path.is_file()}
    if not suites:
        raise SuitesError(f"no known suites in {folder} (expected files such as urn.json)")
    return suites
