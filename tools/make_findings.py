"""Generate docs/findings.md, which lists the codes of `check`, from the table in the library.

python tools/make_findings.py            write the document
python tools/make_findings.py --check    fail if the document differs from the table
"""

from __future__ import annotations

import sys
from pathlib import Path

from generated import write_or_check

from uriverse.diagnosis.codes import CODES, Code
from uriverse.diagnosis.findings import PROFILES, settings_of

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "findings.md"

HEAD = """\
# Findings

What does this code mean, and what should I do?

```console
$ uriverse check "http://0x7f.0.0.1/"
LINE
```

Each line of `uriverse check` has the line and column, the severity, the code, the message, a
suggestion and the document on which the finding is based. Look up the code in the tables below. For
each code they give the default message and suggestion, a string for which `check` reports the code,
and a similar string for which it does not. Strings are written as Python literals. The tests check
every example.

This page is generated from the table that `check` uses.

## Severities

A profile sets the severity of each group of codes. Select one with `uriverse.check(text, profile)`
or `uriverse check --profile`. To set the severity of a single code or of a group, use
`severities={"port-odd": "off"}` or `--severity port-odd=off`. The severity `off` disables a code.

"""

GROUPS = {
    "syntax": "the string is not a valid URI or IRI reference",
    "scheme": "the URI violates the specification of its scheme",
    "text": "problematic Unicode characters",
    "deprecated": "features that are no longer recommended",
    "ambiguity": "other programs may read the URI differently",
    "form": "valid, but could be written better",
}


def document() -> str:
    """Return the content of the document."""
    lines = [f"| group | {' | '.join(PROFILES)} |", f"|---|{'---|' * len(PROFILES)}"]
    for group in GROUPS:
        settings = [settings_of(profile) for profile in PROFILES]
        usual = [PROFILES[profile][group] for profile in PROFILES]
        lines.append(f"| {group} | {' | '.join(usual)} |")
        for code in of_group(group):
            own = [found[code.name] for found in settings]
            if own != usual:
                lines.append(f"| {group}: `{code.name}` | {' | '.join(own)} |")
    text = HEAD.replace("LINE", example()) + "\n".join(lines) + "\n"
    return text + "".join(section(group) for group in GROUPS)


def example() -> str:
    """Return the line that `uriverse check` prints for the example at the top of the document."""
    code = CODES["ipv4-hex"]
    return f"1:8: warning {code.name}: {code.message}; {code.suggestion} ({code.reference})"


def of_group(group: str) -> list[Code]:
    """Return the codes of a group, in order."""
    return [code for code in CODES.values() if code.group == group]


def section(group: str) -> str:
    """Return the section of a group: a heading and a table of its codes."""
    rows = [
        f"| `{code.name}` | {cell(code.message)} | {cell(code.suggestion or '')} "
        f"| {code.reference} | {literal(code.example)} | {literal(code.near_miss)} |\n"
        for code in of_group(group)
    ]
    head = "| code | message | suggestion | based on | reported for | not reported for |\n"
    return f"\n## {group}: {GROUPS[group]}\n\n{head}|---|---|---|---|---|---|\n{''.join(rows)}"


def cell(text: str) -> str:
    """Return a string for a table cell, with the characters escaped that Markdown interprets."""
    return text.replace("\\", "\\\\").replace("|", "\\|")


def literal(text: str) -> str:
    """Return a string as an ASCII Python literal for a table cell; no character is invisible."""
    return f"`{text!a}`".replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, {DOCUMENT: document()}))
