"""Generate docs/findings.md, which lists the codes of `check`, and their numbers for the kernel.

python tools/make_findings.py            write the document and `_kernel/codes.pxi`
python tools/make_findings.py --check    fail if one differs from the tables in the library
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from generated import write_or_check

from uriverse.diagnosis._codes import CODES, DETAILS, Code
from uriverse.diagnosis._findings import PROFILES, expand_profile
from uriverse.diagnosis._rules import FINDERS
from uriverse.schemes._normalization import FLAGS, STEPS

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "findings.md"
NUMBERS = ROOT / "src" / "uriverse" / "_kernel" / "codes.pxi"

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


def numbers() -> str:
    """Return the content of the file of the kernel with the numbers of codes, groups and flags."""
    used = {
        name
        for path in NUMBERS.parent.glob("*.pxi")
        if path != NUMBERS
        for name in re.findall(r"\bCODE_[A-Z0-9_]+\b", path.read_text("utf-8"))
    }
    by_group = {
        group: [code.name for code in of_group(group) if constant(code.name) in used]
        for group in FINDERS
    }
    codes = [name for names in by_group.values() for name in names]
    groups = [f"{group.upper()}_GROUP" for group in FINDERS]
    # Each group follows those before it, so that the code after its last one tells it.
    following = [constant(by_group[group][0]) for group in by_group if by_group[group]][1:]
    reported = [f"{group.upper()}_GROUP" for group in by_group if by_group[group]]
    lines = [
        "# The numbers of the codes of findings that other files contain, of their groups, and of",
        "# the steps and flags of schemes. Other files call `find_group`.",
        "#",
        "# Generated by tools/make_findings.py from uriverse.diagnosis._codes and",
        "# uriverse.schemes._normalization.",
        "",
        *enumeration(f"{name} = {1 << bit}" for bit, name in enumerate(groups)),
        f"    EVERY_GROUP = {(1 << len(groups)) - 1}",
        "",
        *enumeration([*map(constant, codes), "CODES_REPORTED"]),
        f"    LONGEST_CODE = {max(map(len, codes))}",
        "",
        "cdef extern from *:",
        '    """',
        "    static const char *const CODE_NAMES[] = {",
        *(f'        "{name}",' for name in codes),
        "    };",
        '    """',
        "    const char* CODE_NAMES[CODES_REPORTED]",
        "",
        "",
        "cdef inline int find_group(int code) noexcept nogil:",
        *(
            line
            for group, first in zip(reported, following, strict=False)
            for line in (f"    if code < {first}:", f"        return {group}")
        ),
        f"    return {reported[-1]}",
        "",
        "",
        *enumeration(STEPS),
        "",
        *enumeration(f"{name} = {1 << bit}" for bit, name in enumerate(FLAGS)),
    ]
    return "\n".join(lines) + "\n"


def constant(code: str) -> str:
    return "CODE_" + code.upper().replace("-", "_")


def enumeration(members: Iterable[str]) -> list[str]:
    return ["cdef enum:", *(f"    {member}" for member in members)]


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, {DOCUMENT: document(), NUMBERS: numbers()}))
