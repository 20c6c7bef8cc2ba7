"""Measure URI Templates, and compare them with other libraries that expand, match or route.

    python benchmarks/templates.py
    python benchmarks/templates.py --json figures.json

Only installed libraries are measured. The exit status is 0 even if a target is missed. See
README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import measure
import pyarrow as pa
from columns import Passes, in_turn
from identifiers import options
from measure import Contender, Table
from references import compare, one, run

from uriverse import columns
from uriverse.templates import Router, Template

#: The templates to expand. The second one is for mcp, which rejects templates that it cannot match.
EXPANDED = (
    "{scheme}://{host}{/path*}{?q,lang}{&x*}",
    "{scheme}://{host}/docs{/path*}{?q,lang}{&x}",
)
#: The template to match, and the URLs.
MATCHED = "https://api.example.com/users/{id}/files{/path*}{?page,lang}"
#: The template of a column; columns contain no lists.
OF_COLUMNS = "https://api.example.com/users/{id}/files/{file}{?page,lang}"
URL = "https://api.example.com/users/u{0}/files/reports/r{0}.pdf?page={0}&lang=en"

#: The targets for an expansion, a match, a route and a row of a column, in nanoseconds.
EXPANSION, MATCH, ROUTE, OF_ROW = 3_000, 1_500, 3_000, 300

#: The routes of each resource as templates, as rules of Werkzeug and as paths of Starlette, with a
#: path that matches.
ROUTES = (
    ("/r{n}", "/r{n}", "/r{n}", "/r{n}"),
    ("/r{n}/{{id}}", "/r{n}/<id>", "/r{n}/{{id}}", "/r{n}/i{k}"),
    ("/r{n}/{{id}}/log", "/r{n}/<id>/log", "/r{n}/{{id}}/log", "/r{n}/i{k}/log"),
    (
        "/r{n}/{{id}}/files{{/path*}}",
        "/r{n}/<id>/files/<path:path>",
        "/r{n}/{{id}}/files/{{path:path}}",
        "/r{n}/i{k}/files/a/f{k}.txt",
    ),
)
RESOURCES = 250
ORIGIN = "https://api.example.com"

#: The number of rows of a column for each string.
ROWS_PER_STRING = 20

Values = Mapping[str, Any]


class Matcher(NamedTuple):
    """A library that matches URIs.

    Attributes:
        name: the name in the table.
        function: the function to measure.
        answer: converts its result to the values that all libraries have to return.
        target: the target for `ours/peer`, or for the time of uriverse in nanoseconds.
        made_of: creates the argument from a URI before the clock starts.
        note: how its template differs from that of uriverse.
    """

    name: str
    function: Callable[[Any], Any]
    answer: Callable[[Any], object]
    target: float | None = None
    made_of: Callable[[str], Any] | None = None
    note: str = ""

    def answers(self, text: str) -> object:
        """Return the values for a URI."""
        return self.answer(self.function(self.made_of(text) if self.made_of else text))


def compare_matchers(
    title: str, matchers: Sequence[Matcher], texts: Sequence[str], rounds: int
) -> Table:
    """Measure libraries that return the same values; the first one is uriverse."""
    for text in texts:
        wanted = matchers[0].answers(text)
        for other in matchers[1:]:
            if other.answers(text) != wanted:
                raise SystemExit(f"{title}: {other.name} returns other values for {text}")
    contenders = [
        Contender(m.name, [(m.function, texts)], None, m.target, m.made_of) for m in matchers
    ]
    notes = [f"{len(texts):,} strings; {rounds} rounds"]
    notes += [f"{matcher.name}: {matcher.note}" for matcher in matchers if matcher.note]
    return Table(title, "ns", tuple(notes), measure.in_turn(contenders, rounds))


def values_of(number: str) -> Values:
    """Return the values to expand a template with."""
    return {
        "scheme": "https",
        "host": f"h{number}.example.com",
        "path": ["docs", f"page {number}", "é.html"],
        "q": f"cats & dogs {number}",
        "lang": "en",
        "x": [f"a{number}", "b=c"],
    }


def expanders(text: str) -> Iterator[Contender]:
    """Yield the libraries that expand a template."""
    yield one("uriverse expand_text", Template(text).expand_text, EXPANSION, values_of)
    try:
        from mcp.shared.uri_template import UriTemplate
    except ModuleNotFoundError:
        pass
    else:
        if text != EXPANDED[0]:
            yield one("mcp", UriTemplate.parse(text).expand, 0.5, values_of)
    try:
        from stduritemplate import StdUriTemplate
    except ModuleNotFoundError:
        pass
    else:
        yield one("std-uritemplate", partial(StdUriTemplate.expand, text), 0.07, values_of)
    try:
        from uritemplate import URITemplate
    except ModuleNotFoundError:
        pass
    else:
        yield one("uritemplate", URITemplate(text).expand, None, values_of)


def expansions(strings: int, rounds: int) -> Iterator[Table]:
    """Compare the expansions of a template with values that differ from call to call."""
    for text in EXPANDED:
        numbers = map(str, range(strings))
        yield compare(f"expand {text}", [*expanders(text)], numbers, strings, rounds)


def matchers() -> Iterator[Matcher]:
    """Yield the libraries that match one template."""
    yield Matcher("uriverse match", Template(MATCHED).match, lambda found: found.variables, MATCH)
    try:
        from mcp.shared.uri_template import UriTemplate
    except ModuleNotFoundError:
        pass
    else:
        yield Matcher("mcp", UriTemplate.parse(MATCHED).match, lambda found: found, 0.25)
    try:
        from fastmcp.resources.template import build_regex, match_uri_template
    except ModuleNotFoundError:
        pass
    else:
        nearest = MATCHED.replace("{/path*}", "/{path*}")
        yield Matcher(
            "fastmcp",
            partial(match_uri_template, uri_template=nearest, regex=build_regex(nearest)),
            lambda found: {**found, "path": found["path"].split("/")},
            note="`/{path*}` instead of `{/path*}`",
        )
    try:
        from urlpattern import URLPattern
    except ModuleNotFoundError:
        pass
    else:
        pattern = URLPattern("https://api.example.com/users/:id/files/*\\?*")
        yield Matcher(
            "urlpattern",
            pattern.exec,
            lambda found: {
                "id": found["pathname"]["groups"]["id"],
                "path": found["pathname"]["groups"]["0"].split("/"),
                **dict(parse_qsl(found["search"]["groups"]["0"])),
            },
            0.3,
            note="`/users/:id/files/*\\?*`, which decodes nothing and does not divide the query",
        )


def one_template(strings: int, rounds: int) -> Iterator[Table]:
    """Compare the matches of one template."""
    urls = [*map(URL.format, range(strings))]
    yield compare_matchers("match one template", [*matchers()], urls, rounds)


def routers() -> Iterator[Matcher]:
    """Yield the libraries that find one of many routes."""
    table = {
        f"{n}.{kind}": [shape.format(n=n) for shape in shapes[:3]]
        for n in range(RESOURCES)
        for kind, shapes in enumerate(ROUTES)
    }

    def answer(name: str, values: Values) -> object:
        path = values.get("path")
        return name, {**values, "path": path.split("/") if isinstance(path, str) else path}

    def path_of(url: str) -> str:
        return url.removeprefix(ORIGIN)

    router = Router({name: ORIGIN + template for name, (template, _, _) in table.items()})
    yield Matcher("uriverse Router", router.match, lambda found: answer(*found), ROUTE)
    try:
        from werkzeug.routing import Map, Rule
    except ModuleNotFoundError:
        pass
    else:
        rules = Map([Rule(rule, endpoint=name) for name, (_, rule, _) in table.items()])
        yield Matcher(
            "Werkzeug Map",
            rules.bind("api.example.com").match,
            lambda found: answer(*found),
            0.3,
            path_of,
            "gets only the path",
        )
    try:
        from starlette.routing import Match, Route
    except ModuleNotFoundError:
        return
    routes = [Route(path, print, name=name) for name, (_, _, path) in table.items()]

    def first_match(scope: dict[str, Any]) -> tuple[str, Values]:
        """Find a route as the class `Router` of Starlette does, without calling it."""
        for route in routes:
            match, child = route.matches(scope)
            if match is Match.FULL:
                return route.name, child["path_params"]
        raise LookupError

    yield Matcher(
        "Starlette Router",
        first_match,
        lambda found: answer(*found),
        0.3,
        lambda url: {"type": "http", "method": "GET", "path": path_of(url)},
        "gets only the path",
    )


def many_routes(strings: int, rounds: int) -> Iterator[Table]:
    """Compare the search in a table of a thousand routes; each route is used equally often."""
    # Starlette tries the routes one by one, so there are fewer strings.
    urls = [
        ORIGIN + ROUTES[k % len(ROUTES)][3].format(n=k // len(ROUTES) % RESOURCES, k=k)
        for k in range(min(strings, RESOURCES * len(ROUTES)))
    ]
    yield compare_matchers("1,000 routes", [*routers()], urls, rounds)


def rows_of_columns(strings: int, rounds: int) -> Iterator[Table]:
    """Measure the rows of columns, in one thread."""
    count = ROWS_PER_STRING * strings
    urls = pa.array([*map(URL.format, range(count))])
    values = {
        "id": pa.array([f"u{n}" for n in range(count)]),
        "file": pa.array([f"report {n}.pdf" for n in range(count)]),
        "page": pa.array([str(n) for n in range(count)]),
        "lang": pa.array(["en"] * count),
    }
    passes: Passes = {
        "columns.expand": (partial(columns.expand, OF_COLUMNS, values, threads=1), OF_ROW),
        "columns.match": (partial(columns.match, urls, MATCHED, threads=1), OF_ROW),
    }
    [table] = in_turn("columns", passes, count, rounds)
    yield replace(table, rows=tuple(replace(row, ratio=None) for row in table.rows))


def main() -> None:
    arguments = options("Measure URI Templates.").parse_args()
    strings, rounds = arguments.strings, arguments.rounds
    groups = (expansions, one_template, many_routes, rows_of_columns)
    run(arguments, (group(strings, rounds) for group in groups))


if __name__ == "__main__":
    main()
