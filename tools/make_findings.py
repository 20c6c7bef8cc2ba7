"""Generate docs/findings.md, which lists the codes of `check`, from the table in the library.

python tools/make_findings.py            write the document
python tools/make_findings.py --check    fail if the document differs from the table
"""

from __future__ import annotations

import sys
from pathlib import Path

from generated import write_or_check

from uriverse.diagnosis._codes import CODES, DETAILS, Code
from uriverse.diagnosis._findings import PROFILES, expand_profile

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "findings.md"

HEAD = """\
# Findings

What does this code mean, and what should I do?

```console
$ uriverse check "http://0x7f.0.0.1/"
LINE
```

Each line of `uriverse check` has the line and column, the severity, the code, the message, a
suggestion, and the document on which the finding is based. Look up the code in the sections below,
or add it to the address of this page: `findings.html#ipv4-hex`.

If several problems at a place have one cause, only the cause is reported, and the codes of the
others are its details: `finding.details` in Python, and `also` at the end of a line.

Examples are written as Python literals, which makes invisible characters visible. The tests check
every example.

## Severities

A profile sets the severity of each group of codes. Select one with `uriverse.check(text, profile)`
or `uriverse check --profile`. To set the severity of a single code or of a group, use
`severities={"port-odd": "off"}` or `--severity port-odd=off`. The severity `off` disables a code.

"""

#: The heading of each group.
GROUPS = {
    "syntax": "Syntax: invalid strings",
    "scheme": "Scheme: violations of the scheme's specification",
    "text": "Text: problematic Unicode characters",
    "deprecated": "Deprecated: features to avoid",
    "ambiguity": "Ambiguity: URIs that other programs read differently",
    "form": "Form: valid URIs with a better spelling",
}


def document() -> str:
    """Return the content of the document."""
    lines = [f"| group | {' | '.join(PROFILES)} |", f"|---|{'---|' * len(PROFILES)}"]
    for group in GROUPS:
        settings = [expand_profile(profile) for profile in PROFILES]
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
    """Return the section of a group: a heading, and an entry for each of its codes."""
    return f"\n## {GROUPS[group]}\n" + "".join(entry(code) for code in of_group(group))


def entry(code: Code) -> str:
    """Return the entry of a code: its message, the suggested fix, its details and the examples."""
    lines = [
        f"\n### {code.name}\n",
        f"{sentence(code.message)} Based on {code.reference}.\n",
    ]
    if code.suggestion:
        lines.append(f"- **Fix:** {code.suggestion}")
    if details := DETAILS.get(code.name):
        lines.append(f"- **Details:** {', '.join(f'`{name}`' for name in details)}")
    lines += [
        f"- **Reported for:** {literal(code.example)}",
        f"- **Not reported for:** {literal(code.near_miss)}",
    ]
    return "\n".join(lines) + "\n"


def sentence(message: str) -> str:
    """Return a message as a sentence of Markdown."""
    return message[0].upper() + message[1:] + "."


def literal(text: str) -> str:
    """Return a string as an ASCII Python literal in Markdown, so that no character is invisible."""
    return f"`{text!a}`"


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, {DOCUMENT: document()}))
