"""Hash the behavior of the library, so that a change of its structure shows what else it changed.

python tools/snapshot.py FOLDER                    write the observations of both engines to FOLDER
python tools/snapshot.py FOLDER --against BEFORE   compare them with those in another folder

An observation is a file: what one command prints and writes, the results of one function for many
strings, or the hashes of the columns that one function returns with each of its options. Use
`diff -r BEFORE FOLDER` to see a difference. URIVERSE_CORPORA is the folder of the strings.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import json
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CORPORA = Path(os.environ.get("URIVERSE_CORPORA", ROOT.parent / "shared" / "corpora"))

#: Inserted into strings of the corpora to make hostile ones.
HOSTILE = [
    *"\\@:/?#[]%&=+;,. ^|\"'<>{}\t\x00\x7f",
    *("%00", "%zz", "%2e%2e", "%2F", "..", "//", "/./", "/..;/", "[::1]", "[fe80::1%25eth0]"),
    *("é", "ß", "\u202e", "\u00ad", "\u200b", "\uff0f", "\ufffd", "א", "@0x7f.1", ":99999"),
    *(
        "javascript:",
        "data:text/html,",
        "mailto:",
        "urn:x:",
        "tel:+1",
        "http:",
        "token=ghp_16C7e42F",
    ),
]

POLICY = "allow = ['http://*.example.org/a/', 'https://*.com']\ndeny = ['https://*.net/']\n"
TEMPLATE = "http://{host}/{id}{?q,page*}"

#: The values of options of column functions, beside the default. `None` is a value.
OPTIONS: dict[str, list[Any]] = {
    "grammar": ["uri", "uri-reference", "iri", "absolute-uri"],
    "fields": [["scheme", "host", "error"], ["bounds"]],
    "case": [False],
    "percent_encoding": [False],
    "dot_segments": [False, "all"],
    "ipv6": [False],
    "scheme": ["https", True, None],
    "strict": [False],
    "walk_up": [False],
    "suffixes": [None],
    "profile": ["web", "rdf", "strict"],
    "keep": ["a*", ["id", "q*"]],
    "drop": ["utm_*"],
    "iri": [True],
    "slashes": [True],
    "usernames": [True],
    "paths": [True],
    "level": ["string", "scheme"],
    "errors": ["replace", "surrogateescape"],
    "layout": ["string_view"],
    "threads": [2],
    "host": ["idna", "example.net", None],
    "port": [8080, None],
    "name": ["q", "id"],
    "names": ["q", ["id", "q"]],
    "value": ["a b&c", None],
    "component": ["path", "query", "unreserved"],
    "policy": [POLICY],
    "template": [TEMPLATE],
    "router": [{"one": "http://example.org/{id}", "all": "{+rest}"}],
    "base": ["http://example.org/a/b/c?q#f"],
    "other": ["http://example.org/", "../d?x=1#y"],
}

#: The arguments of each command, as lines. `{}` is replaced by `-f lines.txt`.
COMMANDS = """
--version
--help
explain {}
explain {} --json
explain {} --json-array
explain {} -q
parse {}
parse {} --json-array
parse -f zeros.txt -z
check {}
check {} --json
check {} --json-array
check {} --profile web
check {} --profile strict
check {} --type uri
check {} --severity host=error --severity userinfo=off
check {} --fail-on warning -q
check {} --fail-fast
check {} --max-errors 3
check {} --summary
check {} --allow https://*.org/ --deny https://www.**/
check {} --policy policy.toml
check {} --base http://example.org/a/b
check --from-files lines lines.txt
check --from-files text text.txt
policy review policy.toml
policy review policy.toml --json
policy test policy.toml {}
policy test policy.toml {} --json
template expand http://h/{a}{?b*} {"a":"x&y","b":["1","2"]}
template match http://{host}/{+path} {}
template match http://{host}/{+path} {} --json
template check {a}{b}
get host {}
get scheme,userinfo,host,port,path,query,fragment {}
get {host} {}
get --format {scheme}://{host} {}
get -g {path}{query:q} {}
get host {} --json
get host {} --add-scheme guess
get host {} --accept-space
get host {} --accept-host *.com --accept-scheme https
get query {} --query-separator ; --codec rfc3986
get surt {}
get host --field url -f table.csv
redact --field url table.csv
set --scheme https {}
set --host new.example --port 8080 {}
set --userinfo - --fragment - {}
set -s path=/a%20b?c -s query:=x=%31 {}
set --iterate port=1,2 {}
set --redirect ../x {}
set -a path=x&y -a query=a=b {}
set --query-set q=a&b --query-add r=1 --query-replace utm_*=0 {}
set --query-drop utm_* {}
set --query-keep id {}
set --sort-query --normalize --default-port {}
set --punycode {}
set --as-idn {}
set --keep-invalid --scheme https {}
set --scheme https --field url --in-place table.csv --backup .old
set --scheme https --field url --dry-run rows.jsonl
repair {}
repair {} --iri
repair {} --add-scheme https --slashes
repair {} --changes
repair --in-place lines.txt
repair --field url --dry-run table.csv
resolve http://example.org/a/b/c {}
resolve --non-strict http://example.org/a/b/c {}
relativize http://example.org/a/b/c {}
relativize --no-walk-up http://example.org/a/b/c {}
normalize {}
normalize {} --keep-case
normalize {} --keep-percent-encoding
normalize {} --keep-dot-segments
normalize {} --all-dot-segments
normalize {} --keep-ipv6
normalize {} --scheme
normalize {} --changes
normalize {} --json
normalize -f zeros.txt -z
normalize --field url --in-place rows.jsonl
compare http://A/ http://a
compare --level scheme http://a:80/ http://a --json
extract text.txt
extract text.txt --json
extract text.txt --json-array -u
redact text.txt
redact text.txt --usernames --paths
redact --in-place text.txt
redact --dry-run text.txt
encode {}
encode {} --component path --iri
encode {} --component query
decode {}
decode {} --errors replace
to-uri {}
to-uri {} --host idna
to-iri {}
completion bash
nonsense
set --nonsense
get host --max-errors zero http://a/
check --profile nonsense http://a/
"""

#: Options of all commands that read URIs from lines, and of all that edit them.
READING = (
    "-f zeros.txt -z,{} --json,{} --json-array,{} --fail-fast,{} --max-errors 3,{} --summary,{} -q"
)
EDITING = "{} --keep-invalid,--field url --in-place table.csv --backup .old,"
EDITING += "--field url --dry-run rows.jsonl,--field url rows.jsonl"

#: These commands with the arguments that each requires.
READERS = [
    "explain",
    "parse",
    "check",
    "policy test policy.toml",
    "template match {+rest}",
    "get host",
]
EDITORS = ["set --fragment x", "repair", "resolve http://a/b", "relativize http://a/b", "normalize"]
EDITORS += ["encode", "decode", "to-uri", "to-iri"]


def list_commands() -> Iterator[str]:
    """Yield the arguments of all commands to observe."""
    yield from COMMANDS.strip().splitlines()
    for command in READERS + EDITORS:
        yield from (f"{command} {options}" for options in READING.split(","))
    for command in EDITORS:
        yield from (f"{command} {options}" for options in EDITING.split(","))


def read_corpora() -> list[str]:
    """Return all strings of the corpora."""
    return [
        line
        for file in sorted(CORPORA.glob("*.txt"))
        for line in file.read_text("utf-8", "surrogateescape").splitlines()
        if line
    ]


def make_hostile(strings: list[str], count: int, seed: int) -> list[str]:
    """Return strings of the corpora with one to three hostile insertions."""
    choose = random.Random(seed)
    hostile: list[str] = []
    while len(hostile) < count:
        text = choose.choice(strings)[:300]
        for _ in range(choose.randint(1, 3)):
            position = choose.randint(0, len(text))
            text = text[:position] + choose.choice(HOSTILE) + text[position:]
        hostile.append(text)
    return hostile


def sample(strings: list[str], count: int, seed: int) -> list[str]:
    """Return strings of the corpora, and one hostile string for each four of them."""
    ordinary = random.Random(seed).sample(strings, min(count * 4 // 5, len(strings)))
    return ordinary + make_hostile(strings, count - len(ordinary), seed)


def observe(call: Callable[[], Any]) -> str:
    """Return a line that describes the result of a call, or its error."""
    try:
        result = call()
    except Exception as error:  # noqa: BLE001 - the type is part of the observation
        return f"{type(error).__name__}: {error}"
    return repr(result)


def observe_strings(strings: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the results of functions of one string."""
    from uriverse import check, extract, parse, redact, repair

    names = ["scheme", "userinfo", "host", "port", "path", "query", "fragment"]
    names += ["hostname", "ip", "origin", "name"]

    def read_components(text: str) -> list[str]:
        value = parse(text)
        return [observe(lambda name=name: getattr(value, name)) for name in names]  # type: ignore[misc]

    functions: dict[str, Callable[[str], Any]] = {
        "parse": parse,
        "pickle": lambda text: pickle.loads(pickle.dumps(parse(text))),  # noqa: S301
        "check": check,
        "repair": repair,
        "redact": redact,
        "extract": lambda text: list(extract(text)),
        "normalize": lambda text: parse(text).normalize(scheme=True),
        "resolve": lambda text: parse("http://a/b/c?d").resolve(text),
        "components": read_components,
    }
    for name, function in functions.items():
        yield name, "\n".join(observe(lambda: function(text)) for text in strings)  # noqa: B023


def observe_decisions() -> Iterator[tuple[str, str]]:
    """Yield the decisions about the cases of url-rules.json."""
    from uriverse import Policy

    def decide(case: dict[str, Any]) -> Any:
        options = {"deny": case.get("deny", ()), "allowed": case.get("accept", ())}
        if case["rule"] is None:
            return Policy.public_web().decide(case["url"])
        allow = [case["rule"]] if isinstance(case["rule"], str) else case["rule"]
        return Policy(allow=allow, **options).decide(case["url"])

    file = ROOT / "conformance" / "vectors" / "url-rules.json"
    cases = json.loads(file.read_text("utf-8"))["cases"]
    yield "url-rules", "\n".join(observe(lambda: decide(case)) for case in cases)  # noqa: B023


def list_options(parameters: Mapping[str, inspect.Parameter]) -> Iterator[dict[str, Any]]:
    """Yield the options for calls of a column function: the required ones, then each in turn."""
    names = [name for name in parameters if name not in {"column", "reference"}]
    required = {
        name: OPTIONS[name][0]
        for name in names
        if parameters[name].default is inspect.Parameter.empty
    }
    yield required
    for name in names:
        for value in OPTIONS[name]:
            yield required | {name: value}


def hash_rows(rows: list[Any]) -> str:
    return hashlib.sha256("\n".join(map(repr, rows)).encode("utf-8", "surrogatepass")).hexdigest()


def call_on_column(function: Callable[..., Any], column: Any, options: dict[str, Any]) -> str:
    """Call a column function, and return the hash of its rows."""
    by_position = []
    by_name = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in {"column", "reference"}:
            by_position.append(column)
        elif name in options and parameter.kind is parameter.POSITIONAL_ONLY:
            by_position.append(options[name])
        elif name in options:
            by_name[name] = options[name]
    return hash_rows(function(*by_position, **by_name).to_pylist())


def observe_columns(strings: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the hash of the result of each column function, for each of its options."""
    import pyarrow as pa

    from uriverse import columns

    valid = [text for text in strings if text.isascii() or text.isprintable()]
    column = pa.array([*valid, None], pa.string())
    for name in columns.__all__:
        function = getattr(columns, name)
        if not inspect.isfunction(function) or name in {"expand", "select"}:
            continue
        lines = [
            f"{options}: " + observe(lambda: call_on_column(function, column, options))  # noqa: B023
            for options in list_options(inspect.signature(function).parameters)
        ]
        yield name, "\n".join(lines)
    values = {"id": column, "host": "example.org", "q": ["x y"] * len(column), "page": "1"}
    yield "expand", observe(lambda: hash_rows(columns.expand(TEMPLATE, values).to_pylist()))
    results = {"a": columns.uri.host(), "b": columns.uri.port()}
    yield "select", observe(lambda: hash_rows(columns.select(column, results).to_pylist()))


def write_inputs(folder: Path, strings: list[str]) -> None:
    """Write the files that the commands read."""
    lines = [text for text in strings if "\n" not in text and "\r" not in text]

    def write(name: str, rows: list[str], end: str = "\n") -> None:
        data = end.join([*rows, ""]).encode("utf-8", "surrogateescape")
        (folder / name).write_bytes(data)

    def quote(text: str) -> str:
        return '"' + text.replace('"', '""') + '"'

    write("lines.txt", lines)
    write("zeros.txt", [text for text in lines if "\0" not in text], "\0")
    write("text.txt", [f"see <{text}>, or {text}." for text in lines])
    printable = [text for text in lines if text.isprintable()]
    write("table.csv", ["id,url", *(f"{i},{quote(text)}" for i, text in enumerate(printable))])
    write("rows.jsonl", [json.dumps({"id": i, "url": text}) for i, text in enumerate(printable)])
    (folder / "policy.toml").write_text(POLICY)


def observe_commands(strings: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the status, the output, the errors and the changed files of each command."""
    for line in dict.fromkeys(list_commands()):
        with tempfile.TemporaryDirectory() as room:
            folder = Path(room)
            write_inputs(folder, strings)
            before = {file.name: file.read_bytes() for file in folder.iterdir()}
            arguments = line.replace(" {}", " -f lines.txt").split()
            run = subprocess.run(
                [sys.executable, "-m", "uriverse", *arguments],
                cwd=folder,
                capture_output=True,
                check=False,
            )
            changes = [
                f"== {file.name}\n".encode() + file.read_bytes()
                for file in sorted(folder.iterdir())
                if before.get(file.name) != file.read_bytes()
            ]
            parts = [f"status {run.returncode}\n".encode(), run.stdout, b"== errors\n", run.stderr]
            yield re.sub(r"[^\w.=-]+", "_", line), b"".join([*parts, *changes]).decode("latin-1")


def observe_all(folder: Path, rows: int) -> None:
    """Write all observations of the engine that URIVERSE_KERNEL chooses."""
    strings = read_corpora()
    groups = {
        "strings": observe_strings(sample(strings, 20_000, 1)),
        "decisions": observe_decisions(),
        "commands": observe_commands(sample(strings, 2_500, 2)),
        "columns": observe_columns(sample(strings, rows, 3)),
    }
    for group, observations in groups.items():
        (folder / group).mkdir(parents=True, exist_ok=True)
        for name, text in observations:
            (folder / group / name).write_text(text + "\n", "utf-8", "surrogatepass")


def compare(before: Path, after: Path) -> int:
    """Print the observations that differ, and return their number."""
    names = sorted(
        {
            str(file.relative_to(root))
            for root in (before, after)
            for file in root.rglob("*")
            if file.is_file()
        }
    )
    different = 0
    for name in names:
        texts = [
            (root / name).read_bytes() if (root / name).is_file() else None
            for root in (before, after)
        ]
        if texts[0] != texts[1]:
            different += 1
            change = "new" if texts[0] is None else "gone" if texts[1] is None else "changed"
            print(f"{change}: {name}")
    print(f"{len(names)} observations, {different} different")
    return different


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--against", type=Path, metavar="FOLDER")
    parser.add_argument(
        "--engines", nargs="+", default=["require", "disable"], help="values of URIVERSE_KERNEL"
    )
    parser.add_argument("--rows", type=int, default=200_000, help="the length of columns")
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inner:
        observe_all(arguments.folder, arguments.rows)
        return 0
    for engine in arguments.engines:
        # The reference implementation takes about 100 times as long for columns.
        rows = arguments.rows if engine == "require" else arguments.rows // 20
        command = [
            sys.executable,
            __file__,
            str(arguments.folder / engine),
            "--inner",
            "--rows",
            str(rows),
        ]
        subprocess.run(command, check=True, env={**os.environ, "URIVERSE_KERNEL": engine})
    api = (ROOT / "docs" / "api.json").read_text("utf-8")
    (arguments.folder / "api.json").write_text(api)
    return 1 if arguments.against and compare(arguments.against, arguments.folder) else 0


if __name__ == "__main__":
    sys.exit(main())
