"""Compare checkers of rules for URLs: `python -m compare_conformance.url_rule_peers`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import NamedTuple

import uriverse
from compare_conformance import url_rule_checkers
from compare_conformance.url_rule_places import reaches_another_place
from conformance.conditions import statement
from conformance.report import environment, markdown_table
from conformance.url_rules import Answer, Case, Report, by_command, by_uriverse, load, report

PAGE = Path(__file__).resolve().parents[2] / "docs" / "url-rules.md"


class Peer(NamedTuple):
    """The purpose of a checker, and the translation of a rule of the vectors for it."""

    title: str
    purpose: str
    translation: str


PEERS = {
    "uriverse": Peer(
        "uriverse",
        "Which URLs may this program connect to?",
        "the rules themselves",
    ),
    "startswith": Peer(
        "`str.startswith`",
        "Does a string start with another one?",
        "a prefix with a slash at its end; deny rules without the slash",
    ),
    "urlparse": Peer(
        "`urllib.parse.urlparse`",
        "Which components does a URL have?",
        "a comparison of scheme, host, port, path and query, as careful programs write it; "
        "`*.` with `endswith`",
    ),
    "mcp": Peer(
        "`check_resource_allowed` of mcp",
        "Is a token for one resource valid for another one (RFC 8707)? Both URLs come from "
        "configurations or metadata.",
        "the configured resource",
    ),
    "fastmcp": Peer(
        "`matches_allowed_pattern` of fastmcp",
        "May an OAuth client register this redirect URI?",
        "a pattern with `*` for everything below, `*.` and `:*`; a bare host is two patterns",
    ),
    "urlpattern": Peer(
        "`URLPattern` of urlpattern",
        "Which route or which service worker handles this URL (URL Pattern standard)?",
        "one pattern for each component, empty userinfo, groups for `*`; `ignoreCase` for deny "
        "rules",
    ),
    "browser-use": Peer(
        "`allowed_domains` of browser-use",
        "Which sites may an agent visit in a browser?",
        "an entry for the whole URL that ends with `/*`; for `*.` and for bare hosts, an entry for "
        "the host",
    ),
}

ADMIN = "https://example.com/admin"

#: The cases of the last table: a rule, a deny rule or an empty string, and a URL.
TELLING = (
    ("https://docs.example.com", "", "https://docs.example.com.evil.test/"),
    ("https://example.com", "", "https://user@example.com/"),
    ("https://*.example.com/", "", "https://.example.com/"),
    ("https://*.example.com/", "", "https://evil.test\\.example.com/cb"),
    ("https://*.example.com/", "", "https://evil.test%2F.example.com/"),
    ("https://*.example.com/", "", "https://a.example.com:8443/"),
    ("https://example.com", "", "https://example.com\\@evil.test/"),
    ("https://example.com", "", "https://exam\tple.com/"),
    ("https://example.com", "", "https://example.com//evil.test/"),
    ("https://example.com", "", "https://example.com:443/"),
    ("https://example.com", "", "https://EXAMPLE.COM/"),
    ("https://example.com:*/", "", "https://example.com:x.evil.test/"),
    ("https://b\u00fccher.example/", "", "https://xn--bcher-kva.example/"),
    ("https://b\u00fccher.example/", "", "https://b\u00fccher.example/"),
    ("http://127.0.0.1/", "", "http://2130706433/"),
    ("http://127.0.0.1/", "", "http://0177.0.0.1/"),
    ("example.com", "", "ftp://example.com/"),
    ("http://[2001:db8::1]/", "", "http://[2001:db8:0:0:0:0:0:1]/"),
    ("https://api.example.com/v1/", "", "https://api.example.com/v1"),
    ("https://mcp.example.com/api/", "", "https://mcp.example.com/api/../admin"),
    ("https://mcp.example.com/api/", "", "https://mcp.example.com/api/%2e%2e/admin"),
    ("https://mcp.example.com/api/", "", "https://mcp.example.com/api/foo/../v1"),
    ("https://api.example.com/v1/", "", "https://api.example.com/v1/..;/admin"),
    ("https://api.example.com/v1/", "", "https://api.example.com/v1/%252e%252e/admin"),
    ("https://api.example.com/v1/", "", "https://api.example.com/%76%31/users"),
    ("https://example.com/", ADMIN, "https://example.com/%61dmin"),
    ("https://example.com/", ADMIN, "https://example.com/administrator"),
)

Answers = Mapping[str, Sequence[Answer]]


def versions(python: str) -> dict[str, str]:
    """Return the versions of the checkers that an interpreter has, and the one of uriverse."""
    script = url_rule_checkers.__file__
    run = subprocess.run([python, script], stdout=subprocess.PIPE, text=True, check=True)
    return {"uriverse": uriverse.__version__, **json.loads(run.stdout)}


def all_answers(
    python: str, names: Sequence[str], cases: Sequence[Case]
) -> dict[str, list[Answer]]:
    """Return the answers of each checker to all cases."""
    script = url_rule_checkers.__file__
    return {
        name: by_uriverse(cases)
        if name == "uriverse"
        else by_command([python, script, name], cases)
        for name in names
    }


INTRODUCTION = """\
# Checkers of URL rules compared

Which URLs does a list of allowed sites let through? This page compares uriverse with six other ways
to check a URL against rules. Each of them was made for its own question, as the first table shows.

The cases are in `conformance/vectors/url-rules.json`: {total} pairs of rules and a URL, each with
a reason and a source. {allowed} of the URLs must be allowed, so that the comparison also finds
checkers that refuse too much. The file has the MIT license: use it to test a checker of your own.

The expected answers follow the rules of uriverse, and its tests require every one of them. So the
row of uriverse shows only that it keeps these rules."""

PURPOSES = """\
## Purposes and translated rules

Each rule is translated to the language of the checker, with the options that fit best. Before that,
the rule is normalized: its host has A-labels or the shortest form of an IPv6 address, and its path
has no unnecessary percent-encoding."""

RESULTS = """\
## Results

There are two reasons to refuse a URL, and the tables count them separately:

- **Another place**: a client that follows RFC 3986 or the URL Standard leaves the rules. It
  requests another scheme, host, port, path or query. {elsewhere} of the URLs are of this kind.
- **Ambiguous**: both clients stay inside the rules, or reject the string. Only other programs may
  read it differently, such as a server that decodes twice. To refuse these URLs is a choice, which
  uriverse makes. {ambiguous} of the URLs are of this kind.

The columns count the URLs of each kind that a checker lets through, and the URLs that it refuses
although they must be allowed (**over-strict**).

All checkers can express the rules of {common} cases: {refused} URLs to refuse, and {allowed} to
allow. The first two percentages are shares of all URLs to refuse."""

EXPRESSIBLE = """\
These are the results in all cases that each checker can express:"""

DIFFERENCES = """\
Some differences are decisions, not defects:

- uriverse refuses every URL that programs read differently, such as
  `https://example.com\\@evil.test/` and `http://2130706433/`. urlpattern and fastmcp read a URL as
  browsers do. If your program also connects with a parser that follows the URL standard, both see
  the same host, and the ambiguous URLs matter less. If your program connects with another parser,
  an ambiguous URL can reach another host.
- `str.startswith` gets a prefix with a slash at its end here. Without the slash,
  `https://docs.example.com` also lets `https://docs.example.com.evil.test/` through.
- mcp treats `/v1` and `/v1/` as the same resource. browser-use includes `example.com` in
  `*.example.com`, and ignores the port of such an entry. It also allows `data:` and `blob:` URLs.
- fastmcp refuses every dot segment, because a redirect URI never needs one.
- mcp and fastmcp have no deny rules. browser-use ignores `prohibited_domains` if `allowed_domains`
  is set.
- A check of the URL alone is not enough if an allowed name can resolve to a private address, or if
  the server redirects. `uriverse.dial` checks both."""

GROUPS = """\
## Wrong answers by topic

`1 + 2` means that a checker lets through 1 URL that reaches another place, and 2 ambiguous ones. A
dash means that the checker can express none of the cases."""

TABLE = """\
## Telling URLs

Bold answers differ from the expected one. A dash means that the checker cannot express the
rule."""

REPEAT = """\
## Repeat the comparison

```sh
python -m venv peers
peers/bin/pip install mcp fastmcp urlpattern "browser-use>=0.13"
peers/bin/pip install --upgrade fastmcp
PYTHONPATH=compare python -m compare_conformance.url_rule_peers --python peers/bin/python --write
```

To test a checker of your own, write a program that reads one case per line as JSON, and prints
`true`, `false` or `null` for each of them (`null` if it cannot express the rules):

```sh
python -m conformance.url_rules COMMAND
```"""


def code(text: str) -> str:
    """Return a string as code in a table; escapes replace invisible characters."""
    visible = json.dumps(text, ensure_ascii=False)[1:-1].replace("\\\\", "\\")
    return f"`{visible}`"


def said(answer: Answer) -> str:
    return "-" if answer is None else "allowed" if answer else "refused"


def shown_answer(answer: Answer, case: Case) -> str:
    return said(answer) if answer in {None, case.allowed} else f"**{said(answer)}**"


def table(columns: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """Return a Markdown table whose columns are aligned to the left."""
    return markdown_table(columns, rows).replace("---:", "---")


def purposes(numbers: Mapping[str, str]) -> Iterator[Sequence[str]]:
    for name, number in numbers.items():
        peer = PEERS[name]
        yield peer.title, number, peer.purpose, peer.translation


def share(count: int, total: int) -> str:
    """Return a number with its percentage."""
    return f"{count} ({100 * count / total:.1f} %)" if count else "0"


def divide(wrong: Sequence[Case], elsewhere: AbstractSet[Case]) -> tuple[int, int]:
    """Return how many URLs reach another place, and how many are ambiguous."""
    reached = sum(case in elsewhere for case in wrong)
    return reached, len(wrong) - reached


def find_common(answers: Answers) -> list[int]:
    """Return the indexes of the cases that all checkers can express."""
    return [i for i, row in enumerate(zip(*answers.values(), strict=True)) if None not in row]


def results(
    cases: Sequence[Case], answers: Answers, elsewhere: AbstractSet[Case], indexes: Sequence[int]
) -> Iterator[Sequence[str]]:
    """Yield a row for each checker: the cases that it can express among those with the indexes."""
    for name, given in answers.items():
        chosen = [i for i in indexes if given[i] is not None]
        found = report([cases[i] for i in chosen], [given[i] for i in chosen])
        allowed = sum(cases[i].allowed for i in chosen)
        counts = divide(found.wrong, elsewhere)
        yield (
            PEERS[name].title,
            str(found.answered),
            *(share(count, found.answered - allowed) for count in counts),
            share(len(found.over_strict), allowed),
        )


def show_counts(found: Report, elsewhere: AbstractSet[Case]) -> str:
    """Return both numbers of wrong answers."""
    reached, ambiguous = divide(found.wrong, elsewhere)
    return f"{reached} + {ambiguous}" if found.wrong else "0"


def groups(
    cases: Sequence[Case], answers: Answers, elsewhere: AbstractSet[Case]
) -> Iterator[Sequence[str]]:
    for group in dict.fromkeys(case.group for case in cases):
        members = [index for index, case in enumerate(cases) if case.group == group]
        chosen = [cases[index] for index in members]
        found = [report(chosen, [answers[name][i] for i in members]) for name in answers]
        cells = [show_counts(one, elsewhere) if one.answered else "-" for one in found]
        yield group.replace("-", " "), str(len(members)), *cells


def telling(cases: Sequence[Case], answers: Answers) -> Iterator[Sequence[str]]:
    places = {(case.allow, case.deny, case.accept, case.url): i for i, case in enumerate(cases)}
    for rule, denied, url in TELLING:
        place = places[(rule,), (denied,) if denied else (), (), url]
        case = cases[place]
        rules = code(rule) + (f" except {code(denied)}" if denied else "")
        cells = [shown_answer(answers[name][place], case) for name in answers]
        yield rules, code(url), said(case.allowed), *cells


def markdown(numbers: Mapping[str, str], cases: Sequence[Case], answers: Answers) -> str:
    """Return the page."""
    allowed = sum(case.allowed for case in cases)
    elsewhere = {case for case in cases if not case.allowed and reaches_another_place(case)}
    common = find_common(answers)
    to_allow = sum(cases[i].allowed for i in common)
    headers = ("checker", "cases", "another place", "ambiguous", "over-strict")
    explanation = RESULTS.format(
        elsewhere=len(elsewhere),
        ambiguous=len(cases) - allowed - len(elsewhere),
        common=len(common),
        refused=len(common) - to_allow,
        allowed=to_allow,
    )
    parts = (
        INTRODUCTION.format(total=len(cases), allowed=allowed),
        statement(environment()),
        PURPOSES,
        table(("checker", "version", "made for", "a rule becomes"), purposes(numbers)),
        explanation,
        markdown_table(headers, results(cases, answers, elsewhere, common)),
        EXPRESSIBLE,
        markdown_table(headers, results(cases, answers, elsewhere, range(len(cases)))),
        DIFFERENCES,
        GROUPS,
        markdown_table(("topic", "cases", *answers), groups(cases, answers, elsewhere)),
        TABLE,
        table(("rule", "URL", "expected", *answers), telling(cases, answers)),
        REPEAT,
    )
    return "\n\n".join(parts) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the page, or write it."""
    parser = argparse.ArgumentParser(
        prog="python -m compare_conformance.url_rule_peers",
        description="Compare checkers of URL rules.",
    )
    parser.add_argument(
        "--python", default=sys.executable, metavar="FILE", help="the interpreter with the checkers"
    )
    parser.add_argument("--write", action="store_true", help=f"write docs/{PAGE.name}")
    options = parser.parse_args(argv)
    numbers = versions(options.python)
    for name in [name for name in PEERS if name not in numbers]:
        print(f"{name} is not installed, so the page omits it", file=sys.stderr)
    cases = load()
    page = markdown(numbers, cases, all_answers(options.python, list(numbers), cases))
    if options.write:
        PAGE.write_text(page, "utf-8")
    else:
        print(page, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
