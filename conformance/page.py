"""The Markdown page with all results."""

from __future__ import annotations

from collections.abc import Sequence

from conformance import peer_report, report
from conformance.comparing import Record
from conformance.conditions import statement
from conformance.results import Result

INTRODUCTION = """\
# Parsers compared with the RFCs

Which URI parsers follow RFC 3986 and RFC 3987, and where do they differ? This page compares the
answers of uriverse and other parsers with the answers that the RFCs require.

A difference is not always a bug. Browsers follow the [URL Standard][whatwg] of WHATWG, which
differs from the RFCs on purpose. A parser that follows the URL Standard is correct by that
standard, and gets the grade W. Many parsers accept and repair malformed strings on purpose, and
HTTP clients have reasons to reject URIs to which they cannot connect. `java.net.URI` follows
RFC 2396, which preceded RFC 3986, so some of its other answers are correct by that RFC. Choose the
behavior that your program needs.

[whatwg]: https://url.spec.whatwg.org/"""

SUITES = """\
## uriverse on third-party suites

The authors of other libraries wrote these cases. A case that is not run needs a feature that
uriverse does not have, or tests a convention of that library.

The suite `wpt-url` tests the URL Standard. A case passes if the URL Standard and the RFCs reject
the string, or find equivalent targets. Its deviations are the differences between the standards."""

REPEAT = """\
## Repeat the comparison

From the root of a checkout:

```sh
pip install --group bench ".[test]"
python -m conformance --peers --markdown peers.md --json peers.json
```

The command runs every parser that is installed. The repository contains most of the suites; the
option `--suites FOLDER` selects another folder."""


def markdown(results: Sequence[Result], records: Sequence[Record], missing: Sequence[str]) -> str:
    """Return the whole page."""
    parts = [INTRODUCTION, statement(report.environment())]
    if records:
        parts.append(peer_report.as_markdown(records, missing))
    parts += [SUITES, report.as_markdown(results), REPEAT]
    return "\n\n".join(parts) + "\n"
