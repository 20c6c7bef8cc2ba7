"""The commands of click, and the examples in the help of each. Tests run every one of them."""

from __future__ import annotations

from typing import Any

import click

from .output import MisuseError

#: The examples of each command, as users type them; those of the main help are "uriverse".
EXAMPLES: dict[str, tuple[str, ...]] = {
    "uriverse": (
        'uriverse explain "https://example.org:8080/docs?page=2#intro"',
        "uriverse check --profile web --from-files text README.md",
    ),
    "explain": (
        'uriverse explain "foo://example.com:8042/over/there?name=ferret#nose"',
        "uriverse explain --json < urls.txt",
    ),
    "parse": (
        'uriverse parse "http://example.org/a?b" "urn:isbn:0451450523"',
        "uriverse parse < urls.txt | jq -r .host",
        "uriverse parse --json-array < urls.txt > urls.json",
    ),
    "check": (
        'uriverse check --type uri "http://example.org/" && echo valid',
        "uriverse check --profile web --allow example.org --file urls.txt",
        "uriverse check --from-files text --format json README.md | jq .findings",
    ),
    "policy": (
        "uriverse policy review policy.toml",
        'uriverse policy test policy.toml "https://example.org/docs"',
        "uriverse policy test policy.toml --json < urls.txt",
    ),
    "template": (
        'uriverse template expand "https://example.org/users/{id}{?page}" id=7 page=2',
        'uriverse template match "http://{host}/{page}{?q}" < urls.txt',
        "uriverse template route routes.txt < urls.txt",
    ),
    "schemes": (
        "uriverse schemes https urn",
        "uriverse schemes --status historical",
        "uriverse schemes --json | jq -r 'select(.default_port) | .name'",
    ),
    "get": (
        'uriverse get host "http://example.org:8080/a"',
        "uriverse get scheme,host,port --json < urls.txt",
        "uriverse get --format '{scheme}://{host}{path}' < urls.txt",
    ),
    "set": (
        'uriverse set --scheme https --port - "http://example.org:8080/a"',
        "uriverse set --query-drop 'utm_*' --query-set page=2 < urls.txt",
        "uriverse set --query-drop 'utm_*' --file urls.txt --in-place --backup .bak",
    ),
    "repair": (
        'uriverse repair "http://example.org/my photo[1].jpg"',
        'uriverse repair --add-scheme https "www.example.org/a b"',
        "uriverse repair --changes < urls.txt",
    ),
    "resolve": (
        'uriverse resolve "http://example.org/docs/" "../img/logo.png"',
        'uriverse resolve "https://example.org/docs/" < links.txt',
        'uriverse resolve "https://example.org/" --file in/a.csv --field url --dry-run',
    ),
    "relativize": (
        'uriverse relativize "http://example.org/a/b" "http://example.org/c?x"',
        'uriverse relativize --no-walk-up "https://example.org/docs/" < docs.txt',
    ),
    "normalize": (
        'uriverse normalize "HTTP://Example.ORG/%7ea/../b"',
        'uriverse normalize --scheme "http://example.org:80"',
        "uriverse normalize --changes < urls.txt",
    ),
    "compare": (
        'uriverse compare "http://example.org/%7Ea" "HTTP://EXAMPLE.org/~a"',
        'uriverse compare --level scheme "http://example.org" "http://example.org:80/"',
    ),
    "sort": (
        'uriverse sort "http://b.example/" "HTTP://A.example/" "http://a.example/"',
        "uriverse sort --unique < urls.txt",
    ),
    "uniq": (
        'uriverse uniq "http://a.example/" "HTTP://a.example/" "http://b.example/"',
        "uriverse uniq --count < urls.txt",
        "uriverse uniq --ignore-values < urls.txt",
    ),
    "extract": (
        "echo 'See <http://example.org/a>.' | uriverse extract",
        "uriverse extract --unique README.md",
        "uriverse extract --json README.md | jq -r .start",
    ),
    "redact": (
        "echo 'GET https://me:pw@example.org/?token=1234' | uriverse redact",
        "uriverse redact urls.txt > redacted.txt",
        "uriverse redact --in-place --backup .bak urls.txt",
    ),
    "encode": (
        'uriverse encode --component segment "50% of a/b"',
        "uriverse encode --component query < names.txt",
    ),
    "decode": (
        'uriverse decode "caf%C3%A9%2F%2525"',
        "uriverse decode --errors keep --json < queries.txt",
    ),
    "to-uri": (
        'uriverse to-uri "http://bücher.example/rosé"',
        "uriverse to-uri --host idna < iris.txt",
    ),
    "to-iri": (
        'uriverse to-iri "http://example.org/ros%C3%A9"',
        "uriverse to-iri --host idna < urls.txt",
    ),
    "sql": (
        "uriverse sql \"SELECT uri_host(url), count(*) FROM 'log.parquet' GROUP BY ALL\"",
        "uriverse sql \"SELECT *, uri_host(url) AS host FROM 'log.csv'\" -o out.parquet",
        "uriverse sql --format lines \"SELECT uri_host(text) FROM '-'\" < urls.txt",
    ),
    "completion": (
        'eval "$(uriverse completion bash)"  # in ~/.bashrc',
        'eval "$(uriverse completion zsh)"   # in ~/.zshrc',
        "uriverse completion fish | source   # in ~/.config/fish/config.fish",
    ),
}


def show_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001
    """Print the help of a command and exit, if the option `--help` is set."""
    if value and not ctx.resilient_parsing:
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def reject_repeated(ctx: click.Context, given: list[click.Parameter]) -> None:
    """Reject options that set the same value more than once: click would use only the last one.

    A flag may be repeated, because that changes nothing.
    """
    before: dict[str | None, Any] = {}
    for option in given:
        first = before.setdefault(option.name, option)
        name, other = option.opts[-1], first.opts[-1]
        if first is not option:
            raise click.UsageError(f"{name} contradicts {other}; use one of them", ctx)
        if not isinstance(option, click.Option) or option.multiple or option.is_flag:
            continue
        if given.count(option) > 1:
            raise click.UsageError(f"{name} is set more than once; set it once", ctx)


#: The option `--help` of all commands.
HELP = click.Option(
    ["-h", "--help"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_help,
    help="Show this message and exit.",
)


class Command(click.Command):
    """A command whose help ends with its examples, and whose options are set only once."""

    @property
    def examples(self) -> tuple[str, ...]:
        """The examples, as users type them."""
        return EXAMPLES[str(self.name)]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not ctx.resilient_parsing:
            reject_repeated(ctx, self.make_parser(ctx).parse_args(list(args))[2])
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except MisuseError as error:
            raise click.UsageError(str(error), ctx) from None

    def get_help_option(self, ctx: click.Context) -> click.Option:  # noqa: ARG002
        # The method of click searches the disk for a translation of the help.
        return HELP

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            formatter.write("".join(f"  {example}\n" for example in self.examples))
        super().format_epilog(ctx, formatter)


class SetCommand(Command):
    """The class of the command `set`, which has an option for every component.

    Its `--help` describes these options in a single entry, `--COMPONENT VALUE`, to stay short. The
    options that `get` has too share another entry.
    """

    SHARED = (
        *("exact", "decoded", "separator", "codec"),
        *("add_scheme", "accept_space", "accept_host", "accept_scheme"),
    )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        rows = [
            record
            for option in options
            if not str(option.name).startswith("part_")
            and option.name not in self.SHARED
            and (record := option.get_help_record(ctx))
        ]
        parts = ("--COMPONENT VALUE", "Set a component, such as --host; - removes it.")
        shared = ("--format, --accept-host, ...", "Set the options of 'uriverse get'.")
        with formatter.section("Options"):
            formatter.write_dl([parts, shared, *rows])


#: The classes of commands by their names.
CLASSES = {
    "Command": Command,
    "SetCommand": SetCommand,
}
