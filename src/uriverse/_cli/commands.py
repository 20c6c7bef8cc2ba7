"""The commands, their examples, and their options for the parser, the help and completion."""

from __future__ import annotations

from .output import MisuseError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    Run = TypeVar("Run", bound=Callable[..., None])


#: The module of each command, and its line in the help of `uriverse`, which imports no module.
COMMANDS = {
    "explain": ("reading", "Show the components of URIs, or why they are invalid."),
    "parse": ("reading", "Print the components of URIs as JSON."),
    "check": ("checking", "Report invalid, ambiguous and misleading URIs."),
    "policy": ("policies", "Review a policy, or test which URIs it allows."),
    "template": ("templates", "Expand, match and check URI Templates (RFC 6570)."),
    "get": ("getting", "Print components of URIs."),
    "set": ("editing", "Edit components and query parameters of URIs."),
    "repair": ("editing", "Turn malformed strings into valid URIs."),
    "resolve": ("references", "Resolve URI references against a base URI (RFC 3986, 5)."),
    "relativize": ("references", "Make URIs relative to a base URI."),
    "normalize": ("references", "Normalize URIs (RFC 3986, 6.2.2)."),
    "compare": ("references", "Test whether two URIs are equivalent (RFC 3986, 6.2)."),
    "extract": ("texts", "Extract URIs and IRIs from running text."),
    "redact": ("texts", "Replace the secrets of URIs in text with REDACTED."),
    "encode": ("coding", "Percent-encode strings for use in a URI."),
    "decode": ("coding", "Decode percent-encoded strings."),
    "to-uri": ("coding", "Convert IRIs to URIs (RFC 3987, 3.1)."),
    "to-iri": ("coding", "Convert URIs to IRIs (RFC 3987, 3.2)."),
    "sql": ("sql", "Query files with SQL, using the functions of uriverse."),
    "completion": ("help", "Print a script that completes commands in a shell."),
}

#: The examples of each command, as users type them, and of the main help. Tests run all of them.
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
        "uriverse sql \"SELECT uri_host(url), count(*) FROM 'log.parquet' GROUP BY 1\"",
        "uriverse sql \"SELECT *, uri_host(url) AS host FROM 'log.csv'\" -o out.parquet",
        "uriverse sql --format lines \"SELECT uri_host(text) FROM '-'\" < urls.txt",
    ),
    "completion": (
        'eval "$(uriverse completion bash)"  # in ~/.bashrc',
        'eval "$(uriverse completion zsh)"   # in ~/.zshrc',
        "uriverse completion fish | source   # in ~/.config/fish/config.fish",
    ),
}


class Parameter:
    """An option, or an argument if no name starts with a hyphen.

    Settings:
        metavar: the name of the value in the help; by default the name of an argument.
        help: the help of an option.
        type: a tuple of choices.
        least: the lowest value of a number.
        default: the value if the option is not set. With `show_default`, the help shows it.
        multiple: whether the option can be repeated. Its value is a tuple.
        nargs: -1 for an argument that takes all other words.
        is_flag, flag_value: for an option without a value.
        is_file: whether the value is the name of a file.
    """

    def __init__(self, names: tuple[str, ...], settings: dict[str, Any]) -> None:
        self.settings = settings
        self.flags = [name for name in names if name.startswith("-")]
        value_names = [name for name in names if name not in self.flags]
        long_names = [flag[2:].replace("-", "_") for flag in self.flags if flag.startswith("--")]
        #: The parameter of `run`. By default, an option is named after its first long form.
        self.name = (value_names or long_names)[0]
        self.metavar: str = settings.get("metavar") or self.name.upper()
        self.choices: Sequence[str] = settings.get("type", ())
        self.multiple = bool(settings.get("multiple"))
        self.takes_rest = "nargs" in settings
        self.is_flag = "is_flag" in settings or "flag_value" in settings

    @property
    def default(self) -> Any:
        if self.multiple:
            return ()
        return self.settings.get("default", False if "is_flag" in self.settings else None)

    def __str__(self) -> str:
        return self.flags[-1] if self.flags else self.metavar

    def add_value(
        self, values: dict[str, Any], attached_value: str | None, next_words: Iterator[str]
    ) -> Any:
        """Return the value of an option, which is attached to its flag or the next word."""
        if self.is_flag:
            return self.settings.get("flag_value", True)
        value = next(next_words, None) if attached_value is None else attached_value
        if value is None:
            raise MisuseError(f"option '{self}' requires an argument")
        if self.multiple:
            return (*values.get(self.name, ()), value)  # after the earlier ones
        if self.name in values:
            raise MisuseError(f"{self} is set more than once; set it once")
        return value

    def parse_word(self, value: Any) -> Any:
        if self.choices and value not in self.choices:
            reason = f"{value!r} is not one of {', '.join(map(repr, self.choices))}"
            raise MisuseError(f"invalid value for '{self}': {reason}")
        # Only options for numbers have this setting.
        if "least" not in self.settings:
            return value
        least = self.settings["least"]
        if not value.isdecimal() or int(value) < least:
            reason = f"{value!r} is not a whole number of at least {least}"
            raise MisuseError(f"invalid value for '{self}': {reason}")
        return int(value)


HELP = Parameter(("-h", "--help"), {"is_flag": True, "help": "Show this message and exit."})


class Command:
    """A command that calls `run` with the values of its parameters.

    `summary` is its help, by default the docstring of `run`. `condensed` has rows of the help that
    stand for several options, each with their names.
    """

    def __init__(
        self,
        name: str,
        run: Callable[..., Any],
        parameters: Sequence[Parameter],
        summary: str | None = None,
        condensed: Sequence[tuple[str, str, tuple[str, ...]]] = (),
    ) -> None:
        self.name = name
        self.run = run
        self.parameters = parameters
        self.summary: str = summary or run.__doc__ or ""
        self.condensed = condensed
        self.options = {flag: option for option in (*parameters, HELP) for flag in option.flags}

    def parse_words(self, words: Sequence[str]) -> dict[str, Any] | None:
        """Return the values of the parameters, or `None` if `--help` is among the words."""
        values: dict[str, Any] = {}
        options_set: dict[str, Parameter] = {}
        positional_words: list[str] = []
        next_words = iter(words)  # an option takes its value from it as well
        for word in next_words:
            if word == "--":
                positional_words += next_words
            elif word == "-" or not word.startswith("-"):
                positional_words.append(word)
            else:
                for option, attached_value in self.split_flags(word):
                    # Options such as --punycode and --as-idn set the same parameter.
                    other = options_set.setdefault(option.name, option)
                    if other is not option:
                        raise MisuseError(f"{option} contradicts {other}; use one of them")
                    values[option.name] = option.add_value(values, attached_value, next_words)
        return None if HELP.name in values else self.complete_values(values, positional_words)

    def split_flags(self, word: str) -> Iterator[tuple[Parameter, str | None]]:
        """Yield the options in a word such as `--file=a`, `-fa` or `-qz`, with attached values."""
        if word.startswith("--"):
            flag, equals, value = word.partition("=")
            option = self.find_option(flag)
            if equals and option.is_flag:
                raise MisuseError(f"option '{flag}' does not take a value")
            yield option, value if equals else None
            return
        # Short flags may stand together. If one takes a value, the value is the rest of the word.
        for end, letter in enumerate(word[1:], 2):
            option = self.find_option(f"-{letter}")
            if not option.is_flag:
                yield option, word[end:] or None
                return
            yield option, None

    def find_option(self, flag: str) -> Parameter:
        if flag in self.options:
            return self.options[flag]
        from difflib import get_close_matches

        similar_flags = [f"'{name}'" for name in sorted(get_close_matches(flag, self.options))]
        if not similar_flags:
            raise MisuseError(f"no such option {flag!r}")
        one_of = "one of: " if len(similar_flags) > 1 else ""
        advice = f"did you mean {one_of}{', '.join(similar_flags)}?"
        raise MisuseError(f"no such option {flag!r}; {advice}")

    def complete_values(self, values: dict[str, Any], words: list[str]) -> dict[str, Any]:
        """Convert the values of options, and add the defaults and the arguments in `words`."""
        for parameter in self.parameters:
            name = parameter.name
            if parameter.flags:
                if name not in values:
                    values[name] = parameter.default
                elif parameter.multiple:
                    values[name] = tuple(map(parameter.parse_word, values[name]))
                elif not parameter.is_flag:
                    values[name] = parameter.parse_word(values[name])
            elif parameter.takes_rest:
                values[name], words = tuple(words), []
            elif words:
                values[name] = parameter.parse_word(words.pop(0))
            else:
                choices = ", ".join(parameter.choices)
                advice = f"; choose from {choices}" if choices else ""
                raise MisuseError(f"missing argument '{parameter}'{advice}")
        if words:
            noun = "argument" if len(words) == 1 else "arguments"
            raise MisuseError(f"got unexpected extra {noun} ({' '.join(words)})")
        return values


def option(*names: str, **settings: Any) -> Callable[[Run], Run]:
    """Decorate a function with an option, or with an argument if no name starts with "-"."""

    def declare(run: Run) -> Run:
        vars(run).setdefault("parameters", []).append(Parameter(names, settings))
        return run

    return declare


def replacing(run: Callable[..., None]) -> Callable[[Run], Run]:
    """Decorate a function as `functools.wraps` does, which takes longer to import."""

    def declare(outer: Run) -> Run:
        vars(outer).update(vars(run))
        outer.__doc__ = run.__doc__
        return outer

    return declare


#: An argument is declared like an option.
argument = option


def command(name: str, **settings: Any) -> Callable[[Callable[..., None]], Command]:
    """Decorate a function to make it a command; the settings are those of `Command`."""

    def declare(run: Callable[..., None]) -> Command:
        return Command(name, run, vars(run).pop("parameters", [])[::-1], **settings)

    return declare


def find_command(name: str) -> Command:
    variable = f"{name.replace('-', '_')}_command"
    # `importlib` would import more modules than it is worth here.
    module = __import__(COMMANDS[name][0], globals(), fromlist=[variable], level=1)
    command: Command = getattr(module, variable)
    return command
