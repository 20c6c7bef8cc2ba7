"""Count the ordinary URLs that a policy refuses: `python -m conformance.ordinary_urls`.

Each URL of the suite `ordinary-urls.json` is judged by a policy whose only rule is the origin of
the URL. The suite is in the folder that `URIVERSE_SUITES` names, or in `../shared/suites`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

from conformance.suites import VARIABLE
from uriverse import IRI, Policy, PolicyError, RuleError

ROOT = Path(__file__).resolve().parents[1]


class Refusal(NamedTuple):
    """A URL that a policy refuses, with the code and the reason."""

    url: str
    code: str
    reason: str


def suite() -> Path:
    """Return the file with the URLs."""
    folder = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "suites")
    return folder / "ordinary-urls.json"


def load(path: Path) -> list[str]:
    """Read the URLs."""
    urls: list[str] = json.loads(path.read_text("utf-8"))["urls"]
    return urls


def refusal(url: str, end: str = "") -> Refusal | None:
    """Return why a policy for the origin of a URL refuses it; `None` if it does not.

    Args:
        url: the URL.
        end: what follows the origin in the rule: `""` or `"/"`.
    """
    iri = IRI(url)
    rule = f"{iri.scheme}://{iri.authority}{end}"
    try:
        Policy(allow=[rule], schemes=None).enforce(url)
    except RuleError as error:
        return Refusal(url, "rule", error.reason)
    except PolicyError as error:
        return Refusal(url, error.code, error.reason)
    return None


def main() -> int:
    """Print the URLs that are refused; return 1 if they are more than three."""
    path = suite()
    if not path.is_file():
        print(f"conformance.ordinary_urls: no such file: {path}", file=sys.stderr)
        return 2
    urls = load(path)
    refused = [found for url in urls if (found := refusal(url))]
    print(f"{len(urls)} ordinary URLs, {len(refused)} refused under a rule for their origin")
    for each in refused:
        print(ascii(each.url)[1:-1], f"{each.code}: {each.reason}", sep="\n  ")
    return int(len(refused) > 3)


if __name__ == "__main__":
    sys.exit(main())
