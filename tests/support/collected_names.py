"""Names of parameters and forms of paths, collected from the documentation of other software.

They were collected without looking at the names that `uriverse.redact` knows, so they measure how
much it misses, and how much it replaces without need.
"""

import json
from pathlib import Path
from typing import TypedDict

from uriverse._redaction.secrets import is_secret

DATA = Path(__file__).parents[1] / "conformance" / "data"


class Parameter(TypedDict):
    name: str
    service: str
    source: str


class SecretInPath(TypedDict):
    """A documented form of a URL with a secret in its path or fragment; all values are made up."""

    url: str
    secret: str
    service: str
    source: str


def parameters(file: str) -> list[Parameter]:
    """Read the parameters in a data file, whose lines have the pages of a service."""
    return [
        {"name": name, "service": entry["service"], "source": source}
        for entry in json.loads((DATA / file).read_text("utf-8"))
        for source, names in entry["pages"].items()
        for name in names
    ]


#: Parameters whose values are secrets.
SECRET = parameters("secret_parameters.json")

#: Parameters whose names resemble those of secrets, although their values are public.
PUBLIC = parameters("public_parameters.json")

SECRETS_IN_PATHS: list[SecretInPath] = json.loads(
    (DATA / "secrets_in_paths.json").read_text("utf-8")
)

#: The names of secrets that `redact` knows in the documented spelling.
KNOWN = [entry["name"] for entry in SECRET if is_secret(entry["name"])]
