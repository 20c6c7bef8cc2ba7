"""Measure the decisions of a policy, and compare them with other matchers of URL patterns.

    python benchmarks/rules.py
    python benchmarks/rules.py --json figures.json

Only installed matchers are measured. The exit status is 0 even if a target is missed. See
README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import measure
import pyarrow as pa
from columns import Passes, in_turn
from identifiers import options
from measure import Contender, Table
from references import compare, one, run

from uriverse import Policy, columns

#: A rule, as a rule of uriverse, and the URLs that it allows.
RULE = "https://api.example.com/v1/"
ALLOWED = "https://api.example.com/v1/users/{}/avatar?size=32"
REJECTED = "https://api.example.com.evil{}.test/v1/users"

#: The targets for `allows` with one rule and with many rules, and for a row of a column, in
#: nanoseconds.
ONE_RULE, MANY_RULES, OF_ROW = 1_500, 3_000, 200

#: The number of rows of a column for each string.
ROWS_PER_STRING = 20

#: The number of rules in the policies with many rules.
MANY = 10_000

#: The number of rules with wildcards, which are tried one by one.
WILDCARDS = 100

#: Policies whose rules allow all URLs of `ALLOWED`, or some of them, with the target.
POLICIES: dict[str, tuple[Policy, int | None]] = {
    "one rule": (Policy(allow=[RULE]), ONE_RULE),
    "one wildcard": (Policy(allow=[f"{RULE}users/*/avatar"]), ONE_RULE),
    "10,000 hosts": (Policy(allow=[f"h{n}.example.com" for n in range(MANY)]), MANY_RULES),
    "10,000 paths": (Policy(allow=[f"{RULE}users/{n}/avatar" for n in range(MANY)]), MANY_RULES),
    "10,000 subtrees": (Policy(allow=[f"{RULE}users/{n}/" for n in range(MANY)]), MANY_RULES),
    "100 wildcards": (Policy(allow=[f"{RULE}*/*/a{n}" for n in range(WILDCARDS)]), None),
    "public web": (Policy.public_web(), ONE_RULE),
}


def peers() -> Iterator[Contender]:
    """Yield the other matchers that are installed, with the pattern for `RULE`."""
    yield one("str.startswith", lambda url: url.startswith(RULE))
    try:
        from urlpattern import URLPattern
    except ModuleNotFoundError:
        pass
    else:
        pattern = URLPattern(f"{RULE}*")
        yield one("urlpattern", lambda url: bool(pattern.test(url)), 1.0)
    try:
        from fastmcp.server.auth.redirect_validation import matches_allowed_pattern
    except ModuleNotFoundError:
        pass
    else:
        yield one("fastmcp", lambda url: matches_allowed_pattern(url, f"{RULE}*"), 1.0)


def one_rule(strings: int, rounds: int) -> Iterator[Table]:
    """Compare the decisions about one rule."""
    contenders = [one("uriverse allows", Policy(allow=[RULE]).allows), *peers()]
    for title, shape in (("allowed", ALLOWED), ("rejected", REJECTED)):
        yield compare(
            f"one rule, {title}", contenders, map(shape.format, range(strings)), strings, rounds
        )


def policies(strings: int, rounds: int) -> Iterator[Table]:
    """Measure the decisions of policies, which are not compared with each other."""
    urls = [*map(ALLOWED.format, range(strings))]
    hosts = [f"https://h{n}.example.com/a/b" for n in range(strings)]
    calls: dict[str, tuple[Callable[[str], object], list[str], int | None]] = {
        f"allows, {name}": (policy.allows, hosts if "hosts" in name else urls, target)
        for name, (policy, target) in POLICIES.items()
    }
    policy, _ = POLICIES["one rule"]
    calls["decide, allowed"] = policy.decide, urls, None
    calls["decide, rejected"] = policy.decide, [*map(REJECTED.format, range(strings))], None
    contenders = [
        Contender(name, [(call, texts)], target=target)
        for name, (call, texts, target) in calls.items()
    ]
    rows = [replace(row, ratio=None) for row in measure.in_turn(contenders, rounds)]
    yield Table("policies", "ns", (f"{strings:,} strings; {rounds} rounds",), tuple(rows))


def rows_of_columns(strings: int, rounds: int) -> Iterator[Table]:
    """Measure the decisions about the rows of a column, in one thread."""
    count = ROWS_PER_STRING * strings
    rows = pa.array([*map(ALLOWED.format, range(count))])
    passes: Passes = {
        f"columns.allowed, {name}": (partial(columns.allowed, rows, policy, threads=1), OF_ROW)
        for name, (policy, target) in POLICIES.items()
        if target is not None
    }
    policy, _ = POLICIES["one rule"]
    passes["columns.decision, one rule"] = partial(columns.decision, rows, policy, threads=1), None
    [table] = in_turn("columns", passes, count, rounds)
    yield replace(table, rows=tuple(replace(row, ratio=None) for row in table.rows))


def main() -> None:
    arguments = options("Measure the decisions of a policy.").parse_args()
    strings, rounds = arguments.strings, arguments.rounds
    groups = (one_rule, policies, rows_of_columns)
    run(arguments, (group(strings, rounds) for group in groups))


if __name__ == "__main__":
    main()
