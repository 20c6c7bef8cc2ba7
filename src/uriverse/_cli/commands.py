"""The commands by name, their examples, and their import on first use."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .declarations import Command

#: The module of each command, and its line in the help of `uriverse`, which imports no module.
COMMANDS = {
    "explain": ("reading", "Show the components of URIs, or why they are invalid."),
    "parse": ("reading", "Print the components of URIs as JSON."),
    "check": ("checking", "Report invalid, ambiguous and misleading URIs."),
    "policy": ("policies", "Review a policy, or test which URIs it allows."),
    "template": ("templates", "Expand, match and check URI Templates (RFC 6570)."),
    "get": ("getting", "Print components of URIs."),
    "set": ("editing", "Edit components and query parameters of URIs."),
    "repair": ("repairing", "Turn malformed strings into valid URIs."),
    "resolve": ("references", "Resolve URI references against a base URI (RFC 3986, 5)."),
    "relativize": ("references", "Make URIs relative to a base URI."),
    "normalize": ("normalizing", "Normalize URIs (RFC 3986, 6.2.2)."),
    "compare": ("comparing", "Test whether two URIs are equivalent (RFC 3986, 6.2)."),
    "extract": ("extracting", "Extract URIs and IRIs from running text."),
    "redact": ("redacting", "Replace the secrets of URIs in text with REDACTED."),
    "encode": ("coding", "Percent-encode strings for use in a URI."),
    "decode": ("coding", "Decode percent-encoded strings."),
    "to-uri": ("coding", "Convert IRIs to URIs (RFC 3987, 3.1)."),
    "to-iri": ("coding", "Convert URIs to IRIs (RFC 3987, 3.2)."),
    "sql": ("sql", "Query files with SQL, using the functions of uriverse."),
    "completion": ("shell", "Print a script that completes commands in a shell."),
}

#: The examples of each command, as users type them; those of the main help are
#: "uriverse". Tests run every one of them.
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


def find_command(name: str) -> Command:
    """Import a command by its name."""
    variable = f"{name.replace('-', '_')}_command"
    # `importlib` would import more modules than it is worth here.
    module = __import__(COMMANDS[name][0], globals(), fromlist=[variable], level=1)
    command: Command = getattr(module, variable)
    return command
