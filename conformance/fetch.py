"""Make a folder of suites that also contains tests of the Web Platform Tests.

The command is `python -m conformance.fetch FOLDER`. It copies the suites of this repository, and
downloads the tests of IDNA.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from conformance.suites import VENDORED, Case

WPT = "https://raw.githubusercontent.com/web-platform-tests/wpt/master/url/resources"
FILES = ("toascii.json", "IdnaTestV2.json")


def download(address: str) -> Any:
    """Download a JSON file."""
    with urlopen(address, timeout=60) as answer:  # noqa: S310 -- the addresses are constants
        return json.load(answer)


def converted(rows: Sequence[Any], source: str) -> list[Case]:
    """Convert a JSON file of WPT to cases. Strings in the file are comments."""
    return [
        {
            "kind": "idna-toascii",
            "input": row["input"],
            "expected": row["output"],
            "grammar": "whatwg-host",
            "source": source,
        }
        for row in rows
        if isinstance(row, dict)
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Write all suites into a folder; return 1 if the download fails."""
    parser = argparse.ArgumentParser(prog="python -m conformance.fetch", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder to write")
    folder: Path = parser.parse_args(argv).folder
    folder.mkdir(parents=True, exist_ok=True)
    for path in VENDORED.glob("*.json"):
        shutil.copy(path, folder)
    sources = {f"{WPT}/{name}": ("wpt-idna-toascii", converted) for name in FILES}
    cases: dict[str, list[Case]] = {}
    try:
        for address, (suite, convert) in sources.items():
            cases.setdefault(suite, []).extend(convert(download(address), address))
    except OSError as error:
        print(f"conformance: cannot download {address}: {error}", file=sys.stderr)
        return 1
    for suite, found in cases.items():
        (folder / f"{suite}.json").write_text(json.dumps(found), "utf-8")
        print(f"{folder} has {len(found)} cases of {suite}")
    print(f"run: python -m conformance --suites {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
