"""Parameters of [click](https://click.palletsprojects.com/) commands.

Their values are URIs or URI Templates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uriverse import URI
from uriverse._errors import ParseError, TemplateError
from uriverse._lazy import explain_missing_module
from uriverse._uri.engine import Identifier
from uriverse.templates import Template

from ._parsing import format_with_caret, parse_value
from .constraints import Constraints

try:
    import click
except ModuleNotFoundError as missing:
    _message = explain_missing_module(missing, __name__, "click")
    raise ModuleNotFoundError(_message, name=missing.name) from missing

__all__ = ["TemplateParam", "URIParam"]
__dir__ = __all__.copy


#: The base class has type parameters since click 8.4.
if TYPE_CHECKING:
    _ParamType = click.ParamType[Identifier]
    _TemplateType = click.ParamType[Template]
else:
    _ParamType = _TemplateType = click.ParamType


class URIParam(_ParamType):
    """The type of an argument or an option whose value is a URI.

    click reports an invalid URI as it reports every wrong value: it prints the usage, and exits
    with status 2. The message has the reason, the code, the position and a caret. Secrets are
    redacted.

    Args:
        kind: one of the four URI types, or a subclass such as `HTTPURI`.
        constraints: additional rules, such as the allowed schemes.

    >>> from click.testing import CliRunner
    >>> @click.command()
    ... @click.argument("uri", type=URIParam(URI, Constraints(schemes={"https"})))
    ... def fetch(uri):
    ...     click.echo(repr(uri))
    >>> print(CliRunner().invoke(fetch, ["https://example.org/"]).output)
    URI('https://example.org/')
    <BLANKLINE>
    >>> print(CliRunner().invoke(fetch, ["https://example.org/a b"]).output)
    Usage: fetch [OPTIONS] URI
    Try 'fetch --help' for help.
    <BLANKLINE>
    Error: Invalid value for 'URI': invalid space in path (syntax, position 21)
      https://example.org/a b
                           ^
    hint: percent-encode it as %20
    <BLANKLINE>
    """

    def __init__(
        self, kind: type[Identifier] = URI, constraints: Constraints | None = None
    ) -> None:
        self.kind = kind
        self.constraints = constraints
        self.name = kind.__name__.lower()

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Identifier:
        """Parse the string of a parameter; click calls this method.

        Args:
            value: the string, or a default value that is already a URI.
            param: the parameter, which the error message names.
            ctx: the context of the command.

        Raises:
            click.BadParameter: the string is invalid, or violates a constraint.

        >>> URIParam().convert("http://example.org/", None, None)
        URI('http://example.org/')
        """
        try:
            return parse_value(value, self.kind, self.constraints)
        except ParseError as error:
            self.fail(format_with_caret(error), param, ctx)

    def __repr__(self) -> str:
        return f"URIParam({self.kind.__name__})"


class TemplateParam(_TemplateType):
    """The type of an argument or an option whose value is a URI Template.

    click reports an invalid template as it reports every wrong value, with a caret, as for a URI.

    >>> from click.testing import CliRunner
    >>> @click.command()
    ... @click.argument("template", type=TemplateParam())
    ... def names(template):
    ...     click.echo(", ".join(variable.name for variable in template.variables))
    >>> print(CliRunner().invoke(names, ["/users/{id}{?page}"]).output)
    id, page
    <BLANKLINE>
    >>> print(CliRunner().invoke(names, ["/my users/{id}"]).output)
    Usage: names [OPTIONS] TEMPLATE
    Try 'names --help' for help.
    <BLANKLINE>
    Error: Invalid value for 'TEMPLATE': invalid space in literal (template-syntax, position 3)
      /my users/{id}
         ^
    hint: percent-encode it as %20
    <BLANKLINE>
    """

    name = "template"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Template:
        """Parse the string of a parameter; click calls this method.

        Args:
            value: the string, or a default value that is already a template.
            param: the parameter, which the error message names.
            ctx: the context of the command.

        Raises:
            click.BadParameter: the string is not a URI Template.

        >>> TemplateParam().convert("/users/{id}", None, None)
        Template('/users/{id}')
        """
        try:
            return value if isinstance(value, Template) else Template(value)
        except TemplateError as error:
            self.fail(format_with_caret(error), param, ctx)

    def __repr__(self) -> str:
        return "TemplateParam()"
