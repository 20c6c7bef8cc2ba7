"""The comparison with other parsers as text, as JSON and as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.comparing import ERROR, GRADES, KINDS, WRONG, Record
from conformance.edges import EDGES, Edge
from conformance.report import markdown_table, quoted

#: The headings of the tables of difficult cases, with the names of the parsers in each table.
GROUPS = {
    "Python packages for URLs": ("urllib", "urllib3", "requests", "httpx", "yarl", "furl"),
    "Python packages for URIs and IRIs": (
        *("uriverse", "rfc3986", "rfc3987", "hyperlink", "uritools", "pyoxigraph", "rdflib"),
    ),
    "Parsers that follow the URL Standard": (
        *("ada-url", "can_ada", "url-py", "pydantic", "Node.js URL"),
    ),
    "Parsers in other languages": (
        "libcurl",
        "PHP parse_url",
        "Ruby URI",
        "Perl URI",
        "java.net.URI",
    ),
}

#: The operations of the difficult cases, in words.
OPERATIONS = {
    "accept": "parse as a URI reference",
    "accept_iri": "parse as an IRI reference",
    "host": "get the host of",
    "resolve": "resolve",
    "normalize": "normalize",
    "text": "parse and print",
    "to_iri": "convert to an IRI",
}


def as_json(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Return the comparison as JSON data, with every answer."""
    return [
        {
            "name": record.peer.name,
            "version": record.peer.version,
            "standard": record.peer.standard,
            "validates": record.peer.validates,
            "cases": {
                edge.title: {
                    "grade": record.grades[edge.title],
                    "kind": record.answers[edge.title].kind,
                    "answer": record.answers[edge.title].text,
                }
                for edge in EDGES
            },
            "suites": {
                kind: {"right": tally.right, "cases": tally.cases}
                for kind, tally in record.tallies.items()
            },
        }
        for record in records
    ]


def symbol(record: Record, edge: Edge) -> str:
    return GRADES[record.grades[edge.title]][0]


def task(edge: Edge) -> str:
    """Return the operation and the arguments of a case in words."""
    *base, text = map(quoted, edge.arguments)
    against = f" against `{base[0]}`" if base else ""
    return f"{OPERATIONS[edge.operation]} `{text}`{against}"


def required(edge: Edge, answer: str | None) -> str:
    if answer is None:
        return "rejected"
    return "accepted" if edge.operation.startswith("accept") else f"`{quoted(answer)}`"


def differences(edge: Edge, records: Sequence[Record]) -> Iterator[tuple[str, list[str]]]:
    """Yield each answer to a case that is not the expected one, with the parsers that give it."""
    found: dict[str, list[str]] = {}
    for record in records:
        answer, grade = record.answers[edge.title], record.grades[edge.title]
        if grade == ERROR:
            first_line = answer.text.partition("\n")[0]
            found.setdefault(f"`{first_line}`", []).append(record.peer.name)
        elif grade == WRONG:
            text = answer.text if answer.kind == "value" else None
            found.setdefault(required(edge, text), []).append(record.peer.name)
    yield from found.items()


def as_text(records: Sequence[Record], missing: Sequence[str]) -> str:
    """Return the comparison as plain text: one line per parser, then the differences."""
    width = max(len(f"{record.peer.name} {record.peer.version}") for record in records)
    lines = [f"{len(EDGES)} difficult cases, in the order of the list below"]
    lines += [f"  {mark}  {meaning}" for mark, meaning in GRADES.values()]
    for record in records:
        name = f"{record.peer.name} {record.peer.version}".ljust(width)
        tallies = ", ".join(
            f"{KINDS[kind]}: {tally.right}/{tally.cases}" for kind, tally in record.tallies.items()
        )
        lines.append(f"{name}  {''.join(symbol(record, edge) for edge in EDGES)}  {tallies}")
    lines += [f"{name} is not installed" for name in missing]
    for number, edge in enumerate(EDGES, 1):
        answer = required(edge, edge.answer)
        lines.append(f"{number}. {edge.title}: {task(edge)}: {answer} ({edge.section})")
        lines += [f"    {other}: {', '.join(names)}" for other, names in differences(edge, records)]
    return "\n".join(lines)


def as_markdown(records: Sequence[Record], missing: Sequence[str]) -> str:
    """Return the sections of the page about other parsers."""
    return "\n\n".join(
        (*summary(records, missing), *tables(records), *explanations(records)),
    )


def summary(records: Sequence[Record], missing: Sequence[str]) -> Iterator[str]:
    yield "## Results"
    yield (
        f"Each parser runs {len(EDGES)} difficult cases, and gets one of these grades for each. The"
        " maintainers of uriverse chose the cases, and its tests require the right answer to each,"
        " so its own row only shows that these tests pass. Other cases would give other counts: the"
        " table is not a ranking."
    )
    yield markdown_table(("grade", "meaning"), GRADES.values()).replace("---:", "---")
    yield (
        "The last columns of this table count the right answers to the cases of third-party suites,"
        " without the cases that [contradict an RFC](#uriverse-on-third-party-suites):"
    )
    marks = [mark for mark, _ in GRADES.values()]
    yield markdown_table(
        ("parser", "version", "follows", *marks, *KINDS.values()),
        (
            (
                record.peer.name,
                record.peer.version,
                record.peer.standard or "-",
                *(str(Counter(record.grades.values())[grade]) for grade in GRADES),
                *(
                    f"{tally.right} of {tally.cases}" if tally else "-"
                    for tally in (record.tallies.get(kind) for kind in KINDS)
                ),
            )
            for record in records
        ),
    )
    yield (
        "The version of pydantic is that of `pydantic_core`, which contains the parser. The version"
        " of Ruby URI is that of the library. A dash in the third column means that the"
        " documentation of the parser does not name one standard that it follows as a whole."
    )
    yield (
        "A parser runs only the cases for which it has an operation. `URL` of Node.js, for example,"
        " parses no relative reference without a base. `conformance/peers.py` and"
        " `conformance/foreign.py` show which function of each parser is called. The suites follow"
        " the RFCs, so parsers that follow the URL Standard have fewer right answers. So do parsers"
        " that split strings without validation: they are not made to reject invalid strings."
    )
    if missing:
        yield f"Not installed: {', '.join(missing)}."


def tables(records: Sequence[Record]) -> Iterator[str]:
    by_name = {record.peer.name: record for record in records}
    yield "## Difficult cases"
    yield (
        "Each case links to its explanation below, which lists the answers that differ. There,"
        " *accepted* includes strings that a parser repairs, for example by percent-encoding."
    )
    for heading, names in GROUPS.items():
        shown = [by_name[name] for name in names if name in by_name]
        if shown:
            yield f"### {heading}"
            yield markdown_table(
                ("case", *(record.peer.name for record in shown)),
                (
                    (f"[{edge.title}](#{anchor(edge)})", *(symbol(one, edge) for one in shown))
                    for edge in EDGES
                ),
            ).replace("---:", ":---:")


def anchor(edge: Edge) -> str:
    return edge.title.lower().replace(" ", "-")


def explanations(records: Sequence[Record]) -> Iterator[str]:
    yield "## Explanations"
    for edge in EDGES:
        yield f"### {edge.title[0].upper()}{edge.title[1:]}"
        lines = [f"- Task: {task(edge)}", f"- {edge.section}: {required(edge, edge.answer)}"]
        lines += [f"- Also allowed: {required(edge, answer)}" for answer in edge.allowed]
        lines += [f"- URL Standard: {required(edge, answer)}" for answer in edge.whatwg]
        lines += [f"- {', '.join(names)}: {other}" for other, names in differences(edge, records)]
        yield edge.note
        yield "\n".join(lines)
