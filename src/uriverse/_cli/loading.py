"""The commands by name, and their import on first use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The module of each command, and its line in the help of `uriverse`, which imports no command.
COMMANDS = {
    "explain": ("uriverse._cli.reading", "Show the components of URIs, or why they are invalid."),
    "parse": ("uriverse._cli.reading", "Print the components of URIs as JSON."),
    "check": ("uriverse._cli.checking", "Report invalid, ambiguous and misleading URIs."),
    "policy": ("uriverse._cli.policies", "Review a policy, or test which URIs it allows."),
    "template": ("uriverse._cli.templates", "Expand, match and check URI Templates (RFC 6570)."),
    "schemes": ("uriverse._cli.schemes", "List known URI schemes, or show the rules of schemes."),
    "get": ("uriverse._cli.getting", "Print components of URIs."),
    "set": ("uriverse._cli.editing", "Edit components and query parameters of URIs."),
    "repair": ("uriverse._cli.repairing", "Turn malformed strings into valid URIs."),
    "resolve": (
        "uriverse._cli.references",
        "Resolve URI references against a base URI (RFC 3986, 5).",
    ),
    "relativize": ("uriverse._cli.references", "Make URIs relative to a base URI."),
    "normalize": ("uriverse._cli.normalizing", "Normalize URIs (RFC 3986, 6.2.2)."),
    "compare": ("uriverse._cli.comparing", "Test whether two URIs are equivalent (RFC 3986, 6.2)."),
    "sort": ("uriverse._cli.comparing", "Sort URIs by their normal forms."),
    "uniq": ("uriverse._cli.comparing", "Remove URIs that are equivalent to an earlier one."),
    "extract": ("uriverse._cli.extracting", "Extract URIs and IRIs from running text."),
    "redact": ("uriverse._cli.redacting", "Replace the secrets of URIs in text with REDACTED."),
    "encode": ("uriverse._cli.coding", "Percent-encode strings for use in a URI."),
    "decode": ("uriverse._cli.coding", "Decode percent-encoded strings."),
    "to-uri": ("uriverse._cli.coding", "Convert IRIs to URIs (RFC 3987, 3.1)."),
    "to-iri": ("uriverse._cli.coding", "Convert URIs to IRIs (RFC 3987, 3.2)."),
    "sql": ("uriverse._cli.sql", "Query files with SQL, using the functions of uriverse."),
    "completion": ("uriverse._cli.shell", "Print a script that completes commands in a shell."),
}


def command_of(name: str) -> Any:
    """Import a command by its name: a `Declared`, or a command of click."""
    variable = f"{name.replace('-', '_')}_command"
    # `importlib` would import more modules than it is worth here.
    module = __import__(COMMANDS[name][0], fromlist=[variable])
    return getattr(module, variable)
