"""The command `uriverse template`."""

from __future__ import annotations

from uriverse import TemplateError, URIError, parse
from uriverse._errors import escape_unprintable
from uriverse.templates import Route, Router, Template

from .commands import argument, command
from .lines import Inputs, as_argument, takes_inputs, warn_of_files
from .output import MisuseError, octets_of, reworded

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
        print_checks(inputs)
    elif not inputs.given:
        noun = "file of routes" if action == "route" else "template"
        raise MisuseError(f"no {noun}; give one as the first argument")
    text, *rest = inputs.given
    if action != "route" and not inputs.quiet:
        warn_of_files((text,), "template")
    inputs.given = tuple(rest)
    if action == "route":
        print_routes(inputs, router_in(text))
    elif action == "expand":
        print_expansions(inputs, as_argument("template", lambda: Template(text)))
    else:
        print_matches(inputs, as_argument("template", lambda: Template(text, iri=True)))


# --- expand


def print_expansions(inputs: Inputs, template: Template) -> NoReturn:
    inputs.noun = "value"
    if inputs.given:
        from json import dumps

        inputs.given = (dumps(values_of(inputs.given, template)),)
    inputs.answer(lambda line: expansion(template, line))


def values_of(words: tuple[str, ...], template: Template) -> dict[str, str | list[str]]:
    """Return the values of variables from arguments. A repeated name has a list of values."""
    names = names_in(template)
    values: dict[str, list[str]] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise MisuseError(f"invalid value {escape_unprintable(word)!r}; write NAME=VALUE")
        if name not in names:
            known = f"the template has {', '.join(names)}" if names else "the template has none"
            raise MisuseError(f"no variable {escape_unprintable(name)!r}; {known}")
        values.setdefault(name, []).append(value)
    return {name: given[0] if len(given) == 1 else given for name, given in values.items()}


def expansion(template: Template, line: str) -> str:
    """Return the expansion of a template for a line with a JSON object.

    Raises:
        TemplateError: the line is not a JSON object, or a value is not allowed.
    """
    from json import JSONDecodeError, loads

    try:
        values: dict[str, Any] | list[Any] | str | float | None = loads(line)
    except JSONDecodeError as error:
        raise invalid_values(line, error.pos, f"invalid JSON: {error.msg}") from None
    except RecursionError:
        raise invalid_values(line, 0, "invalid JSON: too many nested values") from None
    except ValueError:
        raise invalid_values(line, 0, "invalid JSON: too many digits in a number") from None
    if not isinstance(values, dict):
        raise invalid_values(line, 0, "the line is not a JSON object")
    try:
        return str(template.expand(values))
    except TypeError as error:
        raise invalid_values(line, 0, str(error)) from None


def invalid_values(line: str, position: int, reason: str) -> TemplateError:
    """Return the error for a line without values that a template can be expanded with."""
    hint = 'write a JSON object such as {"id": 7, "tags": ["a", "b"]}'
    return TemplateError(line, position, "text", "JSON-text", reason, hint)


# --- match


def print_matches(inputs: Inputs, template: Template) -> NoReturn:
    from json import dumps

    inputs.noun = "URI"

    def matched(text: str) -> Match:
        found = template.match(text)
        if found is None:
            raise no_match(text, "the URI does not match the template")
        return found

    def described(text: str) -> dict[str, Any]:
        found = matched(text)
        return {"variables": found.variables, "extra": list(found.extra.items())}

    if inputs.as_json:
        print_objects(inputs, described, ("variables", "extra"))
    inputs.run(lambda text: dumps(matched(text).variables))


def no_match(text: str, reason: str) -> TemplateError:
    """Return the error for a URI that does not match.

    Raises:
        ParseError: the string is not a URI or an IRI.
    """
    parse(text)
    return TemplateError(text, 0, "text", "URI-Template", reason)


# --- route


def print_routes(inputs: Inputs, router: Router) -> NoReturn:
    from json import dumps

    inputs.noun = "URI"

    def routed(text: str) -> Route:
        found = router.match(text)
        if found is None:
            raise no_match(text, "the URI matches no route")
        return found

    def line_for(text: str) -> str:
        name, variables = routed(text)
        return f"{inputs.shown(name)}\t{dumps(variables)}"

    if inputs.as_json:
        print_objects(inputs, lambda text: routed(text)._asdict(), Route._fields)
    inputs.run(line_for)


def router_in(name: str) -> Router:
    """Return the routes in a file; `-` is standard input."""
    octets = b"".join(octets_of(name))
    try:
        routes = routes_in(octets.decode("utf-8-sig"), name.lower())
        return Router((route, Template(text, iri=True)) for route, text in routes)
    except (ValueError, TypeError, RecursionError) as error:
        raise MisuseError(f"invalid routes {escape_unprintable(name)}: {error}") from None


def routes_in(text: str, name: str) -> Iterable[tuple[str, str]]:
    """Return the names and templates of routes.

    Raises:
        ValueError: the file is not a table in the format that its name ends with.
    """
    if name.endswith(".toml"):
        import tomllib

        return tomllib.loads(text).items()
    if name.endswith(".json"):
        from json import loads

        table: dict[str, Any] | list[Any] | str | float | None = loads(text)
        if not isinstance(table, dict):
            raise ValueError("expected a JSON object")
        return table.items()
    pairs = [line.split(None, 1) for line in text.splitlines()]
    for number, pair in enumerate(pairs, 1):
        if len(pair) == 1:
            raise ValueError(f"line {number} has no template; write NAME TEMPLATE")
    return [(pair[0], pair[1].rstrip()) for pair in pairs if pair]


# --- check


def print_checks(inputs: Inputs) -> NoReturn:
    def described(text: str) -> dict[str, Any]:
        template = Template(text)
        variables = [variable._asdict() for variable in template.variables]
        return {"variables": variables, "ambiguities": template.ambiguities}

    def checked(text: str) -> str:
        template = Template(text)
        names = names_in(template)
        lines = [f"valid, with {', '.join(names) if names else 'no variables'}"]
        lines += [f"ambiguous: {reason}" for reason in template.ambiguities]
        return "\n".join(inputs.shown(f"{text}: {line}") for line in lines)

    if inputs.as_json:
        print_objects(inputs, described, ("variables", "ambiguities"))
    inputs.run(checked)


# --- what several actions share


def names_in(template: Template) -> list[str]:
    return list(dict.fromkeys(variable.name for variable in template.variables))


def print_objects(
    inputs: Inputs, describe: Callable[[str], dict[str, Any]], keys: tuple[str, ...]
) -> NoReturn:
    """Print a JSON object for each input, and exit.

    Args:
        inputs: the inputs.
        describe: returns the part of the object that depends on the input, or raises `URIError`.
        keys: the keys of this part, which are null for an invalid input.
    """

    def described(text: str) -> tuple[dict[str, Any], bool]:
        try:
            return {"text": text, **describe(text), "error": None}, True
        except URIError as error:
            reason = reworded(error).as_dict()
            return {"text": text, **dict.fromkeys(keys), "error": reason}, False

    inputs.print_objects(described)
