"""Run the tokenizer tests of html5lib-tests: `python -m links_conformance.html_tokens FOLDER`.

The folder is a checkout of https://github.com/html5lib/html5lib-tests. The start tags and their
attributes are compared, and the ends of elements that contain only text; the finder of destinations
has no other tokens.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from uriverse_links import _html
from uriverse_links._html_elements import written_in
from uriverse_links._references import decoded
from uriverse_links._scanning import after

Json: TypeAlias = Any

#: Skips everything but start tags.
SKIPPED = re.compile(_html.skipping(r"[^\t\n\f\r />]*+"))
ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
RAW_STATES = ("PLAINTEXT state", "RAWTEXT state", "RCDATA state", "Script data state")


def start_tags(document: str, at: int) -> Iterator[Json]:
    """Yield the start tags after an index as the tests represent them."""
    while tag := _html.START_TAG.match(document, after(SKIPPED, document, at)):
        at = tag.end()
        attributes = {}
        for name, attribute in _html.attributes_of(tag).items():
            _, start, end, _ = written_in(attribute)
            attributes[name.replace("\0", "\ufffd")] = decoded(document[start:end])
        name = _html.lower(tag[1]).replace("\0", "\ufffd")
        yield ["StartTag", name, attributes] + [True] * _html.self_closing(tag)


def end_of_raw(document: str, state: str, name: str) -> int:
    """Return the index after the contents of an element that contains only text."""
    if state == "PLAINTEXT state":
        name = "plaintext"
    elif state == "Script data state" and name == "script":
        return _html.end_of_script(document, 0)
    end = _html.raw_end(name).search(document) if name else None
    return end.start() if end else len(document)


def unescaped(value: Json) -> Json:
    """Decode the escapes of a test that has `doubleEscaped`."""
    if isinstance(value, str):
        return ESCAPE.sub(lambda match: chr(int(match[1], 16)), value)
    if isinstance(value, list):
        return [unescaped(each) for each in value]
    if isinstance(value, dict):
        return {unescaped(name): unescaped(each) for name, each in value.items()}
    return value


def differences(test: Json) -> Iterator[tuple[str, Json, Json]]:
    """Yield each state of a test with the start tags found in it and those expected."""
    document, output = test["input"], test["output"]
    if test.get("doubleEscaped"):
        document, output = unescaped(document), unescaped(output)
    document = re.sub(r"\r\n?", "\n", document)
    for state in test.get("initialStates", ["Data state"]):
        at = 0
        if state in RAW_STATES:
            at = end_of_raw(document, state, test.get("lastStartTag", ""))
        elif state != "Data state":
            continue
        found = list(start_tags(document, at))
        yield state, found, [token for token in output if token[0] == "StartTag"]


def run(folder: Path) -> tuple[int, list[str]]:
    """Return the number of tests in a folder, and a description of each difference."""
    count = 0
    failures = []
    for path in sorted(folder.glob("tokenizer/*.test")):
        for test in json.loads(path.read_text("utf-8")).get("tests", []):
            for state, found, expected in differences(test):
                count += 1
                if found != expected:
                    reason = f"found {found}, expected {expected}"
                    failures.append(f"{path.name}: {test['description']} ({state}): {reason}")
    return count, failures


def main(argv: Sequence[str]) -> int:
    """Run the tests; return 1 if one fails, and 2 without tests."""
    if len(argv) != 1:
        print("usage: python -m links_conformance.html_tokens FOLDER", file=sys.stderr)
        return 2
    count, failures = run(Path(argv[0]))
    print("\n".join([*failures, f"{count} tests, {len(failures)} differences"]))
    return 2 if count == 0 else int(bool(failures))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
