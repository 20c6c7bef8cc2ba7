"""The command `uriverse template`."""

from __future__ import annotations

from uriverse import TemplateError, URIError, parse
from uriverse._errors import escape_unprintable
from uriverse.templates import Route, Router, Template

from .commands import argument, command
from .lines import Inputs, parse_argument, takes_inputs, warn_about_files
from .output import MisuseError, adapt_hint, read_chunks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NoReturn

    from uriverse.templates import Match

#: The actions of `uriverse template`.
ACTIONS = ("expand", "match", "route", "check")


@command("template")
@argument("action", type=ACTIONS)
@takes_inputs("INPUT", arguments="TEMPLATE|ROUTES [INPUT]...")
def template_command(inputs: Inputs, action: str) -> None:
    """Expand, match and check URI Templates (RFC 6570).

    match prints the variables of each URI as a JSON object. expand reads such objects. The
    exit status is 1 if a template is invalid, or if a URI does not match.

    ACTION  expand (print the URI for variables), match (print the variables
            in URIs), route (print the route and the variables of URIs) or
            check (print the variables and ambiguities of templates)
    ROUTES  for route, a file with a name and a template in each line, or with
            the suffix .toml or .json, a table from names to templates
    INPUT   NAME=VALUE or a line with a JSON object (expand), a URI (match,
            route), or another template (check)
    """
    if action == "check":
        inputs.noun = "template"
        print_checks(inputs)  # and exit
    if not inputs.arguments:
        noun = "file of routes" if action == "route" else "template"
        raise MisuseError(f"no {noun}; give one as the first argument")
    text, *other_arguments = inputs.arguments
    if action != "route" and not inputs.quiet:
        warn_about_files((text,), "template")
    inputs.arguments = tuple(other_arguments)
    if action == "route":
        print_routes(inputs, load_router(text))
    elif action == "expand":
        print_expansions(inputs, parse_argument("template", lambda: Template(text)))
    else:
        print_matches(inputs, parse_argument("template", lambda: Template(text, iri=True)))


# --- expand


def print_expansions(inputs: Inputs, template: Template) -> NoReturn:
    inputs.noun = "value"
    if inputs.arguments:
        from json import dumps

        inputs.arguments = (dumps(collect_values(inputs.arguments, template)),)
    inputs.write_results(lambda line: expand_line(template, line))


def collect_values(words: tuple[str, ...], template: Template) -> dict[str, str | list[str]]:
    """Return the values of variables; a repeated name has a list."""
    names = list_variable_names(template)
    values: dict[str, list[str]] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise MisuseError(f"invalid value {escape_unprintable(word)!r}; write NAME=VALUE")
        if name not in names:
            advice = f"the template has {', '.join(names)}" if names else "the template has none"
            raise MisuseError(f"no variable {escape_unprintable(name)!r}; {advice}")
        values.setdefault(name, []).append(value)
    return {name: items[0] if len(items) == 1 else items for name, items in values.items()}


def expand_line(template: Template, line: str) -> str:
    """Expand a template with the values of a JSON object; raise `TemplateError` for other JSON."""
    from json import JSONDecodeError, loads

    values: dict[str, Any] | list[Any] | str | float | None = None
    position, reason = 0, "the line is not a JSON object"
    try:
        values = loads(line)
    except JSONDecodeError as error:
        position, reason = error.pos, f"invalid JSON: {error.msg}"
    except RecursionError:
        reason = "invalid JSON: too many nested values"
    except ValueError:
        reason = "invalid JSON: too many digits in a number"
    if isinstance(values, dict):
        try:
            return str(template.expand(values))
        except TypeError as error:
            reason = str(error)
    hint = 'write a JSON object such as {"id": 7, "tags": ["a", "b"]}'
    raise TemplateError(line, position, "text", "JSON-text", reason, hint)


# --- match


def print_matches(inputs: Inputs, template: Template) -> NoReturn:
    from json import dumps

    inputs.noun = "URI"

    def match_uri(text: str) -> Match:
        return template.match(text) or reject_mismatch(text, "the URI does not match the template")

    def describe_match(text: str) -> dict[str, Any]:
        match = match_uri(text)
        return {"variables": match.variables, "extra": list(match.extra.items())}

    if inputs.as_json:
        print_template_objects(inputs, describe_match, ("variables", "extra"))
    inputs.print_lines(lambda text: dumps(match_uri(text).variables))


# --- route


def print_routes(inputs: Inputs, router: Router) -> NoReturn:
    from json import dumps

    inputs.noun = "URI"

    def match_route(text: str) -> Route:
        return router.match(text) or reject_mismatch(text, "the URI matches no route")

    def format_route(text: str) -> str:
        name, variables = match_route(text)
        return f"{inputs.escape(name)}\t{dumps(variables)}"

    if inputs.as_json:
        print_template_objects(inputs, lambda text: match_route(text)._asdict(), Route._fields)
    inputs.print_lines(format_route)


def load_router(name: str) -> Router:
    octets = b"".join(read_chunks(name))
    try:
        routes = parse_routes(octets.decode("utf-8-sig"), name.lower())
        return Router((route, Template(text, iri=True)) for route, text in routes)
    except (ValueError, TypeError, RecursionError) as error:
        raise MisuseError(f"invalid routes {escape_unprintable(name)}: {error}") from None


def parse_routes(text: str, name: str) -> Iterable[tuple[str, str]]:
    if name.endswith(".toml"):
        import tomllib

        return tomllib.loads(text).items()
    if name.endswith(".json"):
        from json import loads

        table: dict[str, Any] | list[Any] | str | float | None = loads(text)
        if not isinstance(table, dict):
            raise ValueError("expected a JSON object")
        return table.items()
    routes: list[tuple[str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split(None, 1)
        if len(words) == 1:
            raise ValueError(f"line {number} has no template; write NAME TEMPLATE")
        if words:
            route, template = words
            routes.append((route, template.rstrip()))
    return routes


# --- check


def print_checks(inputs: Inputs) -> NoReturn:
    def describe_template(text: str) -> dict[str, Any]:
        template = Template(text)
        variables = [variable._asdict() for variable in template.variables]
        return {"variables": variables, "ambiguities": template.ambiguities}

    def format_check(text: str) -> str:
        template = Template(text)
        names = list_variable_names(template)
        lines = [f"valid, with {', '.join(names) if names else 'no variables'}"]
        lines += [f"ambiguous: {reason}" for reason in template.ambiguities]
        return "\n".join(inputs.escape(f"{text}: {line}") for line in lines)

    if inputs.as_json:
        print_template_objects(inputs, describe_template, ("variables", "ambiguities"))
    inputs.print_lines(format_check)


# --- what several actions share


def reject_mismatch(text: str, reason: str) -> NoReturn:
    parse(text)  # raises the error of an invalid URI
    raise TemplateError(text, 0, "text", "URI-Template", reason)


def list_variable_names(template: Template) -> list[str]:
    return list(dict.fromkeys(variable.name for variable in template.variables))


def print_template_objects(
    inputs: Inputs, describe: Callable[[str], dict[str, Any]], keys: tuple[str, ...]
) -> NoReturn:
    """Print a JSON object for each input, and exit. For an invalid input, the keys are null."""

    def describe_safely(text: str) -> tuple[dict[str, Any], bool]:
        try:
            return {"text": text, **describe(text), "error": None}, True
        except URIError as error:
            reason = adapt_hint(error).as_dict()
            return {"text": text, **dict.fromkeys(keys), "error": reason}, False

    inputs.print_objects(describe_safely)
