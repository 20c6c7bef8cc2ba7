"""Cases for the formats of JSON Schema for URIs, IRIs and URI Templates."""

import json
import os
from pathlib import Path

import pytest

from conformance.suites import VARIABLE

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "suites")

FORMATS = ("uri", "uri-reference", "iri", "iri-reference", "uri-template")

#: The names of formats that the suite calls differently.
NAMES = {"template": "uri-template"}


def suite() -> list[tuple[str, str, bool]]:
    path = FOLDER / "json-schema-test-suite.json"
    if not path.is_file():
        pytest.skip(f"needs third-party suites ({VARIABLE}=FOLDER)")
    return [
        (name, case["input"], case["expected"])
        for case in json.loads(path.read_text("utf-8"))
        if (name := NAMES.get(case["grammar"], case["grammar"])) in FORMATS
    ]
