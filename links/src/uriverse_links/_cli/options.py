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
    "scheme",
    "userinfo",
    "username",
    "password",
    "host",
    "port",
    "path",
    "query",
    "fragment",
)

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
    """Replace the hint of an error if it names a Python function or argument."""
    error.hint = HINTS.get(error.hint, error.hint)
    return error


def parse_argument(name: str, parse: Callable[[], Any]) -> Any:
    """Parse a command-line argument, and report an invalid argument as a usage error."""
    try:
        return parse()
    except URIError as error:
        raise MisuseError(f"invalid {name}: {reword_hint(error)}") from None


def parse_base(name: str, base: str) -> IRIReference:
    """Parse a base URI."""
    uri: IRIReference = parse_argument(name, lambda: Resolver(base)).base
    return uri


class SetOnce(argparse.Action):
    """Store a value; reject an option that is set more than once."""

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

    def add_flag(self, *names: str, help: str) -> None:  # noqa: A002
        self.names += names
        self.add_argument(*names, action="store_true", help=help)

    def add_value(self, *names: str, help: str, metavar: str, **settings: Any) -> None:  # noqa: A002
        """Add an option with a value, which can be set only once."""
        self.names += names
        self.add_argument(*names, action=SetOnce, help=help, metavar=metavar, **settings)

    def add_list(self, *names: str, help: str, metavar: str, **settings: Any) -> None:  # noqa: A002
        """Add an option that can be repeated."""
        self.names += names
        self.add_argument(
            *names, action="append", default=[], help=help, metavar=metavar, **settings
        )

    def parse(self, words: list[str]) -> argparse.Namespace:
        """Parse the arguments; options may follow file names."""
        end = words.index("--") if "--" in words else len(words)
        options, unknown = self.parse_known_intermixed_args(words[:end])
        options.files += words[end + 1 :]
        if unknown:
            name = unknown[0].partition("=")[0]
            nearest = get_close_matches(name, self.names, n=1)
            advice = f"; did you mean {nearest[0]}?" if nearest else ""
            self.error(f"no such option {name}{advice}")
        return options


def create_parser(name: str) -> Parser:
    """Return the parser of a command."""
    parser = Parser(name)
    if name in WITH_BASE:
        parser.add_argument("base", metavar="BASE")
    parser.add_argument("files", nargs="*", metavar="FILE|FOLDER")
    if name in {"find", "dead"}:
        add_find_options(parser)
        if name == "find":
            parser.add_flag("-u", "--unique", help="Print each link once.")
    elif name == "check":
        add_check_options(parser)
        add_limits(parser)
    else:
        if name != "relativize":
            {
                "set": add_set_options,
                "normalize": add_normalize_options,
                "repair": add_repair_options,
                "resolve": add_resolve_options,
            }[name](parser)
        else:
            parser.add_flag("--no-walk-up", help="Keep URIs outside the directory of BASE.")
        parser.add_flag("--in-place", help="Replace each FILE by its edited content.")
        parser.add_value("--backup", metavar="SUFFIX", help="Keep each original FILE with SUFFIX.")
        parser.add_flag("--dry-run", help="Print the changes as a diff; write nothing.")
        add_limits(parser)
    return parser


def add_find_options(parser: Parser) -> None:
    add_input_format(parser)
    parser.add_list(
        "--kind",
        dest="kinds",
        choices=get_args(LinkKind),
        metavar="KIND",
        help="Print only links of this KIND.",
    )
    parser.add_value("--base", metavar="URI", help="The URI of a FILE or FOLDER.")
    parser.add_flag("-z", "--zero", help="Separate lines by NUL in the output.")
    add_json(parser)


def add_check_options(parser: Parser) -> None:
    parser.add_value(
        "--profile", choices=CHOICES["profile"], metavar="PROFILE", help="Use these severities."
    )
    parser.add_list("--severity", metavar="CODE=SEVERITY", help="Set the severity of codes.")
    parser.add_value(
        "--fail-on", choices=CHOICES["fail-on"], metavar="SEVERITY", help="Fail on these findings."
    )
    parser.add_value(
        "--format",
        choices=("text", "json", "github", "sarif"),
        metavar="FORMAT",
        help="Print text, json, github or sarif.",
    )
    parser.add_value(
        "--type", choices=CHOICES["type"], metavar="TYPE", help="Accept only this type."
    )
    parser.add_value(
        "--from-files",
        choices=("documents", "lines", "text"),
        metavar="KIND",
        help="Read URIs from FILEs of this KIND.",
    )
    add_input_format(parser)
    parser.add_list(
        "--exclude", metavar="PATTERN", help="Skip FILEs that match, as in a .gitignore."
    )
    parser.add_value("--policy", metavar="POLICY", help="Report URIs that a policy rejects.")
    parser.add_list("--allow", metavar="RULE", help="Report URIs that no RULE allows.")
    parser.add_list("--deny", metavar="RULE", help="Report URIs that a RULE denies.")
    parser.add_value("--base", metavar="URI", help="Resolve relative references against URI first.")
    parser.add_value(
        "--baseline", metavar="FILE", help="Report only findings that are not in FILE."
    )
    parser.add_flag("--update-baseline", help="Write all findings to the baseline.")
    parser.add_value("--config", metavar="FILE", help="Read settings from FILE.")
    parser.add_flag("-z", "--zero", help="Separate lines by NUL in the output.")
    add_json(parser)


def add_set_options(parser: Parser) -> None:
    for name in COMPONENTS:
        parser.add_value(f"--{name}", metavar="VALUE", help=f"Set the {name}; - removes it.")
    parser.add_list(
        "-s", "--set", dest="settings", metavar="COMPONENT=DATA", help="Encode and set DATA."
    )
    parser.add_value("--redirect", metavar="REFERENCE", help="Resolve REFERENCE against each URI.")
    parser.add_list(
        "-a", "--append", metavar="PART=DATA", help="Append a segment (path) or parameter (query)."
    )
    parser.add_list("--query-set", metavar="NAME=DATA", help="Set a query parameter.")
    parser.add_list("--query-add", metavar="NAME=DATA", help="Add a query parameter.")
    parser.add_list("--query-replace", metavar="GLOB=DATA", help="Set parameters that are present.")
    parser.add_list("--query-drop", metavar="GLOB", help="Remove parameters whose name matches.")
    parser.add_list("--query-keep", metavar="GLOB", help="Remove parameters with other names.")
    parser.add_flag("--sort-query", help="Sort query parameters by name.")
    parser.add_value(
        "--query-separator", choices=("&", ";"), metavar="CHAR", help="Separate parameters by ;."
    )
    parser.add_value(
        "--codec", choices=("form", "rfc3986"), metavar="CODEC", help="Decode + as + (rfc3986)."
    )
    parser.add_flag("--normalize", help="Normalize the result.")
    parser.add_flag("--default-port", help="Add the default port of the scheme.")
    parser.add_flag("--punycode", help="Convert the host to Punycode.")
    parser.add_list("--accept-host", metavar="GLOB", help="Edit only URIs with such a host.")
    parser.add_list("--accept-scheme", metavar="SCHEME", help="Edit only URIs with this scheme.")


def add_normalize_options(parser: Parser) -> None:
    parser.add_flag("--keep-case", help="Do not change the case of letters.")
    parser.add_flag("--keep-percent-encoding", help="Keep percent-encoding, except %%2E for a dot.")
    parser.add_flag("--keep-dot-segments", help="Keep . and .. in paths.")
    parser.add_flag("--all-dot-segments", help="Also remove . and .. from rootless paths.")
    parser.add_flag("--keep-ipv6", help="Keep the spelling of IPv6 addresses.")
    parser.add_flag("--scheme", help="Apply scheme-based rules too (RFC 3986, 6.2.3).")


def add_repair_options(parser: Parser) -> None:
    parser.add_flag("--iri", help="Keep the non-ASCII characters that IRIs may contain.")
    parser.add_value("--scheme", metavar="SCHEME", help="Add SCHEME to hosts without one.")
    parser.add_flag("--slashes", help="Correct slashes, as in http:/example.org.")


def add_resolve_options(parser: Parser) -> None:
    parser.add_flag("--non-strict", help="Ignore the scheme of a link if BASE has the same.")


def add_input_format(parser: Parser) -> None:
    parser.add_value(
        "--input-format",
        choices=get_args(DocumentFormat),
        metavar="FORMAT",
        help="Read stdin and each FILE as FORMAT.",
    )


def add_json(parser: Parser) -> None:
    parser.add_flag("--json", help="Print one JSON object per line.")
    parser.add_flag("--json-array", help="Print a JSON array.")


def add_limits(parser: Parser) -> None:
    parser.add_flag("--fail-fast", help="Stop at the first URI with an error.")
    parser.add_value(
        "--max-errors", type=read_limit, metavar="NUMBER", help="Stop at this many such URIs."
    )
    parser.add_flag("--summary", help="Print the number of URIs and errors to stderr.")
    parser.add_flag("-q", "--quiet", help="Print no errors and no findings.")


def read_limit(text: str) -> int:
    """Parse the number of errors after which a command stops."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number
