"""The section about findings in the report about differences: their precision and recall."""

from __future__ import annotations

from collections.abc import Iterator

from compare_conformance.cells import code
from compare_conformance.kinds import KIND_OF, KINDS
from compare_conformance.tallies import Class, Due, Tally
from conformance.report import markdown_table


def findings(random: Tally, real: Tally | None) -> Iterator[str]:
    """Yield the section.

    Args:
        random: the counts of the random strings.
        real: those of the real links, if they were read.
    """
    yield "## Findings"
    yield recall("parsers differ", random.explained, random.different)
    if random.requested:
        yield recall("clients differ", random.clients_explained, random.clients)
    yield (
        "**Precision.** For each [finding](findings.md), the number of strings in which parsers"
        " differ in the characters that it concerns, of all strings with the finding. *Clients*"
        " are the strings that clients requested, and *only* counts the random strings in which no"
        " other finding concerns the difference."
    )
    yield (
        "**Recall.** Each finding concerns a [kind of characters](#kinds-of-characters). A"
        " difference is due to a kind if two parsers find different hosts or ports in the string,"
        " and the same ones after the characters of the kind are replaced, for example each"
        " backslash by a letter. Recall is the share of these strings in which a finding of the"
        " kind concerns the difference. Findings of the same kind share it: which of them applies"
        " is decided by `uriverse.check` alone, so a recall for each of them would be circular. The"
        " kinds are defined without `uriverse.check`. The finding `syntax` has no kind, because it"
        " may concern any character."
    )
    yield (
        "Recall is given for all parsers, and for the software that connects to the host"
        " (*clients*, as read by their adapters, without [readings that do not"
        " count](#readings-that-do-not-count)). Among all parsers, recall is lower,"
        " because some find a host in URIs of a scheme to which their software does not connect,"
        " such as `mailto:`. nginx, git and the browsers did not read the changed strings. A"
        f" difference is due to a kind in {share(random.any_due, random.different)} random strings"
        " in which parsers differ. In the others, characters of several kinds must be replaced at"
        " once."
    )
    ranked = sorted(random.classes.values(), key=lambda one: (-one.strings, one.code))
    columns = ["finding", "example", "precision", "recall", "only"]
    columns += ["precision, clients", "recall, clients"]
    columns += ["precision, links", "recall, links"] if real else []
    yield markdown_table(columns, (class_row(one, random, real) for one in ranked)).replace(
        "---: | ---:", "--- | ---:", 1
    )
    yield "### Kinds of characters"
    yield markdown_table(
        ("kind", "replaced by", "findings"),
        (
            (kind.title, kind.change, ", ".join(f"`{name}`" for name in kind.codes))
            for kind in KINDS
        ),
    ).replace("---:", "---")


def recall(what: str, explained: int, different: int) -> str:
    return (
        f"In {share(explained, different)} random strings in which {what}, a finding"
        " concerns the difference."
    )


def share(part: int, whole: int) -> str:
    """Return a share as two numbers and a percentage; an empty string if the whole is 0."""
    return f"{part:,} of {whole:,} ({100 * part / whole:.0f} %)" if whole else ""


def class_row(one: Class, random: Tally, real: Tally | None) -> tuple[str, ...]:
    due, links_due = (due_of(one.code, tally) for tally in (random, real))
    links = real.of(one.code) if real else None
    return (
        f"[{one.code}](findings.md#{one.code})",
        code(one.example) if one.example else "",
        share(one.strings, one.flagged),
        share(due.parsers_found, due.parsers),
        f"{one.alone:,}",
        share(one.clients, one.requested),
        share(due.clients_found, due.clients),
        *(
            (share(links.strings, links.flagged), share(links_due.parsers_found, links_due.parsers))
            if links
            else ()
        ),
    )


def due_of(code: str, tally: Tally | None) -> Due:
    """Return the counts of the kind of a finding."""
    kind = KIND_OF.get(code)
    return (tally.due.get(kind.title) if tally and kind else None) or Due()
