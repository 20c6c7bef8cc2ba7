"""The options of the commands, and the messages for mistakes in them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any, NoReturn, get_args

from uriverse import IRIReference, Resolver, URIError
from uriverse_links._destinations import DocumentFormat, LinkKind

from .output import MisuseError
from .settings import CHOICES

FOLDERS = """
A FOLDER stands for the documents in it, without hidden folders and without the files that git
ignores. The name of a FILE tells the format of the document.
"""

FORMATS = """
FORMAT    markdown, html, css, xml, json, har, turtle, text,
          restructuredtext, asciidoc
"""

#: The paragraphs of the help of each command.
DESCRIPTIONS = {
    "find": f"""
Print the target of each link in documents that a renderer would open.

Without a FILE, or if FILE is -, standard input is read, which needs --input-format. The exit status
is 0 if a link was found, 1 if none was found, and 2 if a FILE cannot be read.
{FOLDERS}{FORMATS}
KIND      link, image, form, script, style, frame, media, redirect, feed,
          autolink, definition, base, text
""",
    "dead": f"""
Report links to files and anchors that do not exist.

Nothing is sent over the network: relative links are errors if the file or the anchor does not
exist. With --base, so are absolute links below URI. The exit status is 1 if a link is dead, 0 if
none is, and 2 if a FILE cannot be read.
{FOLDERS}{FORMATS}""",
    "check": f"""
Report invalid, ambiguous and misleading URIs in documents, and in files of lines or text.

Each finding has a line: position, severity, code, problem and fix. The exit status is 1 if a
finding is as severe as --fail-on, and 2 if a FILE cannot be read. Settings are read from
.uriverse.toml or pyproject.toml.
{FOLDERS}
TYPE      uri, iri, absolute-uri, absolute-iri, uri-reference, iri-reference
PROFILE   generic, web, rdf, strict
SEVERITY  error, warning, info; also off (--severity) or never (--fail-on)
KIND      documents (links of Markdown, HTML, ...), lines or text
POLICY    a TOML file, or a JSON file with the suffix .json
RULE      a host, a network or a URL with wildcards, such as *.example.org
{FORMATS}""",
    "set": f"""
Edit components and query parameters of the links in documents.

A COMPONENT is scheme, userinfo, username, password, host, port, path, query or fragment. --host
VALUE and -s COMPONENT:=VALUE expect an encoded VALUE, and -s COMPONENT?=DATA keeps an existing
component.
{FOLDERS}""",
    "normalize": f"""
Normalize the links in documents (RFC 3986, 6.2.2).
{FOLDERS}""",
    "repair": f"""
Turn malformed links in documents into valid URIs, as browsers read them.
{FOLDERS}""",
    "resolve": f"""
Make the links in documents absolute (RFC 3986, 5).

BASE is the URI of a FILE, or that of a FOLDER.
{FOLDERS}""",
    "relativize": f"""
Make the links to the site of BASE relative to their document.

BASE is the URI of a FILE, or that of a FOLDER.
{FOLDERS}""",
}

EXAMPLES = {
    "find": (
        "uriverse-links find README.md docs",
        'uriverse-links find --base "https://example.org/docs/" --kind image docs',
    ),
    "dead": ("uriverse-links dead README.md docs",),
    "check": (
        "uriverse-links check --profile web README.md docs",
        "uriverse-links check --format sarif . > uris.sarif",
        "uriverse-links check --baseline baseline.json --update-baseline .",
    ),
    "set": (
        "uriverse-links set --query-drop 'utm_*' --dry-run docs",
        "uriverse-links set --accept-host old.example --host new.example --in-place docs",
    ),
    "normalize": ("uriverse-links normalize --in-place docs",),
    "repair": ("uriverse-links repair --dry-run README.md",),
    "resolve": ('uriverse-links resolve "https://example.org/docs/" --in-place docs',),
    "relativize": ('uriverse-links relativize "https://example.org/docs/" --in-place docs',),
}

#: The components that `set` can change, in their order.
COMPONENTS = (
    *("scheme", "userinfo", "username", "password", "host", "port", "path", "query", "fragment"),
)

#: The values of options that accept only some.
VALUES: dict[str, tuple[str, ...]] = {
    **CHOICES,
    "codec": ("form", "rfc3986"),
    "format": ("text", "json", "github", "sarif"),
    "from-files": ("documents", "lines", "text"),
    "input-format": get_args(DocumentFormat),
    "kind": get_args(LinkKind),
    "query-separator": ("&", ";"),
}

INPUT_FORMAT = ("--input-format", "FORMAT", "Read stdin and each FILE as FORMAT.")
OUTPUT = (
    ("-z --zero", "", "Separate lines by NUL in the output."),
    ("--json", "", "Print one JSON object per line."),
    ("--json-array", "", "Print a JSON array."),
)
LIMITS = (
    ("--fail-fast", "", "Stop at the first URI with an error."),
    ("--max-errors", "NUMBER", "Stop at this many such URIs."),
    ("--summary", "", "Print the number of URIs and errors to stderr."),
    ("-q --quiet", "", "Print no errors and no findings."),
)
FINDING = (
    INPUT_FORMAT,
    ("--kind", "KIND...", "Print only links of this KIND."),
    ("--base", "URI", "The URI of a FILE or FOLDER."),
    *OUTPUT,
)
EDITING = (
    ("--in-place", "", "Replace each FILE by its edited content."),
    ("--backup", "SUFFIX", "Keep each original FILE with SUFFIX."),
    ("--dry-run", "", "Print the changes as a diff; write nothing."),
    *LIMITS,
)

#: The options of each command: the names, the word for the value, and the help. Without such a word
#: it is a flag. After "...", it can be repeated; all others can be set once.
OPTIONS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "find": (*FINDING, ("-u --unique", "", "Print each link once.")),
    "dead": FINDING,
    "check": (
        ("--profile", "PROFILE", "Use these severities."),
        ("--severity", "CODE=SEVERITY...", "Set the severity of codes."),
        ("--fail-on", "SEVERITY", "Fail on these findings."),
        ("--format", "FORMAT", "Print text, json, github or sarif."),
        ("--type", "TYPE", "Accept only this type."),
        ("--from-files", "KIND", "Read URIs from FILEs of this KIND."),
        INPUT_FORMAT,
        ("--exclude", "PATTERN...", "Skip FILEs that match, as in a .gitignore."),
        ("--policy", "POLICY", "Report URIs that a policy rejects."),
        ("--allow", "RULE...", "Report URIs that no RULE allows."),
        ("--deny", "RULE...", "Report URIs that a RULE denies."),
        ("--base", "URI", "Resolve relative references against URI first."),
        ("--baseline", "FILE", "Report only findings that are not in FILE."),
        ("--update-baseline", "", "Write all findings to the baseline."),
        ("--config", "FILE", "Read settings from FILE."),
        *OUTPUT,
        *LIMITS,
    ),
    "set": (
        *((f"--{name}", "VALUE", f"Set the {name}; - removes it.") for name in COMPONENTS),
        ("-s --set", "COMPONENT=DATA...", "Encode and set DATA."),
        ("--redirect", "REFERENCE", "Resolve REFERENCE against each URI."),
        ("-a --append", "PART=DATA...", "Append a segment (path) or parameter (query)."),
        ("--query-set", "NAME=DATA...", "Set a query parameter."),
        ("--query-add", "NAME=DATA...", "Add a query parameter."),
        ("--query-replace", "GLOB=DATA...", "Set parameters that are present."),
        ("--query-drop", "GLOB...", "Remove parameters whose name matches."),
        ("--query-keep", "GLOB...", "Remove parameters with other names."),
        ("--sort-query", "", "Sort query parameters by name."),
        ("--query-separator", "CHAR", "Separate parameters by ;."),
        ("--codec", "CODEC", "Decode + as + (rfc3986)."),
        ("--normalize", "", "Normalize the result."),
        ("--default-port", "", "Add the default port of the scheme."),
        ("--punycode", "", "Convert the host to Punycode."),
        ("--accept-host", "GLOB...", "Edit only URIs with such a host."),
        ("--accept-scheme", "SCHEME...", "Edit only URIs with this scheme."),
        *EDITING,
    ),
    "normalize": (
        ("--keep-case", "", "Do not change the case of letters."),
        ("--keep-percent-encoding", "", "Keep percent-encoding, except %%2E for a dot."),
        ("--keep-dot-segments", "", "Keep . and .. in paths."),
        ("--all-dot-segments", "", "Also remove . and .. from rootless paths."),
        ("--keep-ipv6", "", "Keep the spelling of IPv6 addresses."),
        ("--scheme", "", "Apply scheme-based rules too (RFC 3986, 6.2.3)."),
        *EDITING,
    ),
    "repair": (
        ("--iri", "", "Keep the non-ASCII characters that IRIs may contain."),
        ("--scheme", "SCHEME", "Add SCHEME to hosts without one."),
        ("--slashes", "", "Correct slashes, as in http:/example.org."),
        *EDITING,
    ),
    "resolve": (
        ("--non-strict", "", "Ignore the scheme of a link if BASE has the same."),
        *EDITING,
    ),
    "relativize": (("--no-walk-up", "", "Keep URIs outside the directory of BASE."), *EDITING),
}

#: The commands with a base URI as their first argument.
WITH_BASE = {"resolve", "relativize"}

#: Hints for the command line, in place of hints that name Python functions or arguments.
HINTS = {
    'write "/." before the path, or set protect_path=True': 'write "/." before the path',
    'write "./" before the path, or set protect_path=True': 'write "./" before the path',
    "use with_path for a path with dot segments": "use --path for a path with dot segments",
    'pass a host, or host="" for an empty host': "set a host with --host",
    "pass the port as a separate argument": "set the port with --port",
    "pass the scheme without the colon": "write the scheme without the colon",
    'set walk_up=True to allow ".."': 'remove --no-walk-up to allow ".."',
}


def reword_hint(error: URIError) -> URIError:
    error.hint = HINTS.get(error.hint, error.hint)
    return error


def parse_argument(name: str, parse: Callable[[], Any]) -> Any:
    try:
        return parse()
    except URIError as error:
        raise MisuseError(f"invalid {name}: {reword_hint(error)}") from None


def parse_base(name: str, base: str) -> IRIReference:
    uri: IRIReference = parse_argument(name, lambda: Resolver(base)).base
    return uri


class SetOnce(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if getattr(namespace, self.dest) is not None:
            parser.error(f"{option_string} is set more than once; set it once")
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """The parser of a command: mistakes are errors of one line."""

    def __init__(self, name: str) -> None:
        examples = "\n".join(f"  {example}" for example in EXAMPLES[name])
        super().__init__(
            prog=f"uriverse-links {name}",
            usage=f"%(prog)s [OPTION]...{' BASE' * (name in WITH_BASE)} [FILE|FOLDER]...",
            description=DESCRIPTIONS[name].strip(),
            epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self.names: list[str] = []

    def error(self, message: str) -> NoReturn:
        advice = "" if "; " in message else f"; see '{self.prog} --help'"
        raise MisuseError(f"{message}{advice}")

    def add_option(self, spellings: str, metavar: str, help: str) -> None:  # noqa: A002
        """Add an option from a row of `OPTIONS`.

        Without a metavar, the option is a flag. With "..." after the metavar, it can be repeated.
        """
        names = spellings.split()
        self.names += names
        if not metavar:
            self.add_argument(*names, action="store_true", help=help)
            return
        can_be_repeated = metavar.endswith("...")
        long_name = names[-1].removeprefix("--")
        self.add_argument(
            *names,
            action="append" if can_be_repeated else SetOnce,
            default=[] if can_be_repeated else None,
            type=read_limit if long_name == "max-errors" else str,
            choices=VALUES.get(long_name),
            metavar=metavar.removesuffix("..."),
            help=help,
        )

    def parse(self, words: list[str]) -> argparse.Namespace:
        """Parse the arguments; options may follow file names."""
        end = words.index("--") if "--" in words else len(words)
        options, unknown_words = self.parse_known_intermixed_args(words[:end])
        options.files += words[end + 1 :]
        if unknown_words:
            name = unknown_words[0].partition("=")[0]
            nearest = get_close_matches(name, self.names, n=1)
            advice = f"; did you mean {nearest[0]}?" if nearest else ""
            self.error(f"no such option {name}{advice}")
        return options


def create_parser(name: str) -> Parser:
    parser = Parser(name)
    if name in WITH_BASE:
        parser.add_argument("base", metavar="BASE")
    parser.add_argument("files", nargs="*", metavar="FILE|FOLDER")
    for row in OPTIONS[name]:
        parser.add_option(*row)
    return parser


def read_limit(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
