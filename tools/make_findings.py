"""Generate docs/findings.md, the reference of all findings, from the table that `check` uses.

python tools/make_findings.py            write the document
python tools/make_findings.py --check    fail if the document is out of date
"""

from __future__ import annotations

import sys
from pathlib import Path

from generated import write_or_check

from uriverse.diagnosis.codes import CODES, Code
from uriverse.diagnosis.findings import PROFILES, settings_of

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "findings.md"

HEAD = """\
# What `check` can find

Made by `tools/make_findings.py` from the table that `check` runs on; the tests hold that each
text in the first column of examples has the code, and the one beside it has not.

`uriverse.check(text, profile)` and `uriverse check --profile` set each group of codes to a
severity; `severities={"port-odd": "off"}` and `--severity port-odd=off` set a code, or a group.

"""

GROUPS = {
    "syntax": "what the grammar does not produce, component by component",
    "scheme": "what the document that defines the scheme forbids",
    "text": "characters that should not stand in an IRI",
    "deprecated": "what was allowed once",
    "ambiguity": "what other software reads otherwise",
    "form": "what is right, and could be better",
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
    text = HEAD + "\n".join(lines) + "\n"
    return text + "".join(section(group) for group in GROUPS)


def of_group(group: str) -> list[Code]:
    """Return the codes of a group, in the order of the table."""
    return [code for code in CODES.values() if code.group == group]


def section(group: str) -> str:
    """Return the section of a group: a heading, and a table of its codes."""
    rows = [
        f"| `{code.name}` | {code.message} | {code.reference} "
        f"| {shown(code.example)} | {shown(code.near_miss)} |\n"
        for code in of_group(group)
    ]
    head = "| code | what it means | by | has it | has it not |\n|---|---|---|---|---|\n"
    return f"\n## {group}: {GROUPS[group]}\n\n{head}{''.join(rows)}"


def shown(text: str) -> str:
    """Format a string as an ASCII literal for a table cell, so that all characters are visible."""
    return f"`{text!a}`".replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, {DOCUMENT: document()}))
