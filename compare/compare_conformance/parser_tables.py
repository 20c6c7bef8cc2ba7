"""The sections about clients and parsers in the report about differences."""

from __future__ import annotations

from collections.abc import Iterator

from compare_conformance.cells import code, shown
from compare_conformance.clients import FUNCTIONS, MAINSTREAM, URL_STANDARD
from compare_conformance.requesting import SAMPLE
from conformance.report import markdown_table
from uriverse_compare import NAMES, ON_REQUEST, Parser, Target
from uriverse_compare._browsers import FINDERS as BROWSERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compare_conformance.differential import Report

#: The number of strings that the page shows for which an adapter differs from its client.
MISMATCHES = 3


def clients(report: Report) -> Iterator[str]:
    if not report.verified:
        return
    yield "## Clients"
    yield (
        "Each client made a request for each string with a scheme that it supports, OpenSSL,"
        " libxml2 and Perl only for `http`. libpq requested the strings with the scheme"
        " `postgresql`, and git with the schemes `ssh` and `git`. The browsers requested a random"
        f" sample of {SAMPLE} strings. libpq, git and the browsers are not counted among the"
        " clients that differ."
    )
    yield (
        "A substitute for the system's resolver recorded the host and answered with a loopback"
        " address, and every connection was recorded and refused. The resolver still read numeric"
        " hosts, such as `127.1`. *Verified* counts the strings that the client requested, except"
        " those in which the adapter of this comparison finds no host. *Connections* counts those"
        " for which the client tried to connect. *Differs* counts those for which the adapter finds"
        " another host or port, or disagrees whether the client connects."
    )
    yield markdown_table(
        ("client", "function", "mainstream", "verified", "connections", "differs"),
        (
            (
                f"{parser.name} {parser.version}",
                f"`{FUNCTIONS[parser.name]}`",
                "yes" if parser.name in MAINSTREAM else "",
                f"{checked.strings:,}",
                f"{checked.connections:,}",
                f"{len(checked.mismatches):,}",
            )
            for parser in report.parsers
            if (checked := report.verified.get(parser.name))
        ),
    )
    wrong = {name: one.mismatches for name, one in report.verified.items() if one.mismatches}
    if wrong:
        yield (
            "If the two differ, the adapter is wrong: most adapters only call the parser of the"
            " client, and the client may change or reject the result afterwards. For example, the"
            " resolver truncates a port above 65535, and `http.get` of Node.js reads port 0 as the"
            " default port. Browsers use port 443 for the top-level domain `foo`, and do not look"
            " up hosts with characters such as `;`. The shortest strings for each client:"
        )
        yield markdown_table(
            ("client", "string", "adapter", "client connects to"),
            (
                (name, code(one.text), destination(one.reported), destination(one.dialed))
                for name, found in wrong.items()
                for one in sorted(found, key=lambda one: len(one.text))[:MISMATCHES]
            ),
        ).replace("---:", "---")


def destination(target: Target | None) -> str:
    return code(shown(target), quote=False) if target else "no connection"


def parsers(report: Report) -> Iterator[str]:
    yield "## Parsers"
    yield (
        "*Connects* lists the URI schemes for which the software connects to the host that it"
        " finds. If the cell is empty, only a parser was compared. *Verified* has the number of"
        " strings for which the [client](#clients) was run. Without such a number, we did not"
        " verify that the software connects to the host that its parser finds. Only requests with"
        " `http`, `https`, `postgresql`, `ssh` and `git` were made, so the other schemes are not"
        " verified either."
    )
    yield (
        "*Accepted* strings are those for which the function returned components. This does not"
        " mean that they are valid: some of the functions split a string without validating it."
        " *Not read* are strings that cannot be passed to the function. The modules of"
        " `compare/src/uriverse_compare` show which function of each library is called."
    )
    yield markdown_table(
        ("parser", "version", "connects", "verified", "accepted", "rejected", "not read"),
        (
            (
                parser.name,
                parser.version,
                ", ".join(sorted(parser.dials)),
                verified(report, parser),
                *(
                    f"{report.outcomes[parser.name][outcome]:,}"
                    for outcome in ("accepted", "rejected", "unread")
                ),
            )
            for parser in report.parsers
        ),
    )
    present = [parser.name for parser in report.parsers]
    standard = [name for name in present if name in {*URL_STANDARD, *BROWSERS}]
    if standard:
        yield (
            f"These parsers follow the URL Standard: {', '.join(standard)}. If all of them agree,"
            " they most likely do what this standard requires."
        )
    yield (
        "Some parsers share code, for example requests and urllib3, aiohttp and yarl, or ada-url"
        " and Node.js URL. Each of them counts as a parser of its own. libcurl runs twice: it"
        " guesses a missing scheme, as `curl_easy_perform` does, or it accepts any scheme"
        " (`CURLU_NON_SUPPORT_SCHEME`)."
    )
    yield (
        "The version is that of Python for `urllib`, of `pydantic_core` for pydantic, of PySide6"
        " for Qt, of the Ruby and Perl modules with the name of the parser, and otherwise of the"
        " library, the program or the runtime."
    )
    missing = [name for name in (*NAMES, *ON_REQUEST) if name not in present]
    if missing:
        yield f"Not part of this run: {', '.join(missing)}."
    if report.failures:
        yield "Some parsers fail with unexpected errors:"
        yield "\n".join(
            f"- {name}, on {code(text)}: {code(reason, quote=False)}"
            for name, (text, reason) in report.failures.items()
        )


def verified(report: Report, parser: Parser) -> str:
    """Return the number of requests of a client, or that its connections are not verified."""
    checked = report.verified.get(parser.name)
    if checked:
        return f"{checked.strings:,}"
    return "not verified" if parser.dials else ""
