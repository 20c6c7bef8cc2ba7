"""Measure the decisions of a policy, and compare them with other matchers of URL patterns.

    python benchmarks/rules.py
    python benchmarks/rules.py --json figures.json

Only installed matchers are measured. The exit status is 1 if a decision about a hostile URL exceeds
its limit, and 0 even if another target is missed. See README.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from string import printable
from urllib.parse import quote

import measure
import pyarrow as pa
from columns import Passes, in_turn
from identifiers import options
from measure import CLOCK, Contender, Row, Spread, Table
from references import compare, one, run

from uriverse import Policy, columns
from uriverse.diagnosis import CODES

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


#: The strings that hostile URLs repeat in the path, in the query, or in a host.
PARTS = (
    *("a", "/", "a/", "//../", "a/../", "./", ".../", "..;a/", "a;b/", "a.;/", ";a/", ".a/"),
    *("a../", "..%20/", "..+/", "a+/", "%2e%2e/", "%2f;..%252e+%20", "%41/", ".a%25/", "a..;b%25/"),
    *("%25", "%252e/", "%25u002e/", "%25u0041/", "%EF%BC%8E/", "%C0%AE/"),
    *("%EF%BC%8525", "%F0%80%80%AE"),
    *("%00", "%0d%0a", "%ff", "%C3%A9/", "%C2%AD/", "%E3%8C%80", "%CC%81", "%2A", "a%2A.;/", "*/"),
    *("::$DATA/", "a:$b/", "?", "#", "@", ":", "&a=%25", "=", "%5c..", "...;x/", ";..%41/"),
    *("\u00e9", "\u00e9;a/", "\u05d0", "\u05d0/", "\u05d0.;/", "a\u0301\u0316", "\u0301\u0316"),
    *("\u0f73", "\u0344", "\U0001d15e", "\ufb01", "\ufdfa", "\u3300", "\uff9e", "\u1e9b\u0323"),
    *("\u00ad", "\u200b.", "\uff0e/", "\u2025/", "i\u0307", "\u0130", "\U0001f600"),
    *("%D7%90\u05d0", "\u05d0%41"),
)  # fmt: skip
HOST_PARTS = (
    *("a", "a.", "1.", "0x1.", "_.", "-a.", "%61", "%61.", "%C3%A9.", "xn--a.", "xn--bcher-kva."),
    *("\u00e9", "\u00e9.", "\u05d01.", "\u05d0", "a\u0301", "\u00df.", "\u0130.", "\u3002"),
    *("\u00ad", "\ufdfa", "\uff11.", "[", ":"),
)  # fmt: skip

#: The length of hostile URLs in bytes, and of longer ones, for which the limits grow in proportion.
HOSTILE, LONGER = 8 << 10, 32 << 10

#: The policies whose decisions about a hostile URL have a limit, in milliseconds.
SITE = "https://h.example"
EVERY_CODE = {name for name, code in CODES.items() if code.group == "ambiguity"}
LIMITS: dict[str, tuple[Policy, float]] = {
    "defaults": (Policy(), 1),
    "public web": (Policy.public_web(), 1),
    "one host": (Policy(allow=["h.example"]), 1),
    "one path": (Policy(allow=[f"{SITE}/v1/"]), 1),
    "one wildcard": (Policy(allow=[f"{SITE}/v1/*/x"]), 1),
    "one deny rule": (Policy(deny=[f"{SITE}/admin"]), 5),
    **{
        f"10,000 rules like {shape}": (
            Policy(**{kind: [SITE + shape.replace("N", str(n)) for n in range(MANY)]}),  # type: ignore[arg-type]
            5,
        )
        for shape in (
            "/v1/aN",
            "/v1/aN/",
            "/v1/*/aN",
            "/*/aN/",
            "/v1/*.jN",
            "/v1/xN*",
            "/aN/*/b",
            "/v1/?a=N",
        )
        for kind in ("allow",)
    },
    "10,000 deny rules": (Policy(deny=[f"{SITE}/v2/a{n}" for n in range(MANY)]), 5),
    "10,000 deny rules, wildcards": (Policy(deny=[f"{SITE}/*/a{n}" for n in range(MANY)]), 5),
    "accepted codes": (Policy(allow=[f"{SITE}/v1/"], allowed=EVERY_CODE), 10),
    "accepted codes, deny rule": (Policy(deny=[f"{SITE}/admin"], allowed=EVERY_CODE), 10),
    "not unambiguous": (
        Policy(allow=[f"{SITE}/v1/"], deny=[f"{SITE}/v1/x/"], unambiguous=False),
        10,
    ),
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


def hostile_urls(size: int) -> Iterator[str]:
    """Yield hostile URLs of a size in bytes, if their paths and queries are percent-encoded."""
    for start, end, parts in (
        (f"{SITE}/v1/", "", PARTS),
        (f"{SITE}/v1/", ".../%41", PARTS),
        (f"{SITE}/", "/v1/..;/x", PARTS),
        (f"{SITE}/v1/?", "", PARTS),
        ("https://", "/v1/", HOST_PARTS),
    ):
        for part in parts:
            length = len(part.encode()) if start == "https://" else len(quote(part, safe=printable))
            yield start + part * ((size - len(start + end)) // length) + end
    for part in HOST_PARTS:
        yield f"https://{part * (250 // len(part))}/v1/{'a/' * (size // 2 - 150)}"
    yield f"https://h.example:{'1' * (size - 20)}/"
    yield f"https://{'a:' * (size // 2 - 20)}@h.example/"


def worst_time(policy: Policy, size: int, rounds: int) -> float:
    """Return the longest time of a decision about one of the hostile URLs, in milliseconds."""

    def time_of(url: str) -> float:
        times = []
        for _ in range(max(rounds, 3)):
            fresh = "".join((url[:1], url[1:]))
            started = CLOCK()
            policy.decide(fresh)
            times.append(CLOCK() - started)
        return min(times) / 1e6

    return max(map(time_of, hostile_urls(size)))


def limits(_: int, rounds: int) -> Iterator[Table]:
    """Measure the longest decisions about hostile URLs, and compare them with their limits."""
    for size in (HOSTILE, LONGER):
        rows = []
        for name, (policy, limit) in LIMITS.items():
            worst = worst_time(policy, size, rounds)
            rows.append(Row(name, Spread(worst, worst, worst), target=limit * size / HOSTILE))
        title = f"limits for hostile URLs of {size:,} bytes"
        yield Table(title, "ms", ("the longest decision, least of all rounds",), tuple(rows))


def main() -> None:
    arguments = options("Measure the decisions of a policy.").parse_args()
    strings, rounds = arguments.strings, arguments.rounds
    tables = [*limits(strings, rounds)]
    groups = (one_rule, policies, rows_of_columns)
    run(arguments, [tables, *(group(strings, rounds) for group in groups)])
    sys.exit(any(row.verdict == "missed" for table in tables for row in table.rows))


if __name__ == "__main__":
    main()
