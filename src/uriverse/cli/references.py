"""The commands `uriverse resolve`, `relativize`, `normalize`, `compare`, `sort` and `uniq`."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import groupby
from operator import itemgetter
from typing import Any

import click

from uriverse import Resolver, parse
from uriverse.identifiers.references import LEVELS

from .examples import Command
from .lines import Inputs, as_argument, misuse, takes_inputs

level_option = click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="syntax",
    show_default=True,
    metavar="LEVEL",
    help="Set the level: string, syntax, scheme.",
)


@click.command("resolve", cls=Command)
@click.argument("base")
@click.option(
    "--non-strict", is_flag=True, help="Ignore the scheme of a reference if BASE has the same."
)
@takes_inputs("REFERENCE")
def resolve_command(inputs: Inputs, base: str, non_strict: bool) -> None:
    """Resolve URI references against a base URI (RFC 3986, 5).

    Print the target of each REFERENCE. BASE must have a scheme.
    """
    resolve = as_argument("BASE", lambda: Resolver(base, strict=not non_strict))
    inputs.answer(lambda reference: str(resolve(reference)))


@click.command("relativize", cls=Command)
@click.argument("base")
@click.option("--no-climb", is_flag=True, help="Reject URIs outside the directory of BASE.")
@takes_inputs()
def relativize_command(inputs: Inputs, base: str, no_climb: bool) -> None:
    """Make URIs relative to a base URI.

    For each URI, print the shortest reference that resolves to it against BASE.
    """
    start = as_argument("BASE", lambda: Resolver(base)).base
    inputs.answer(lambda uri: str(parse(uri).relative_to(start, climb=not no_climb)))


@click.command("normalize", cls=Command)
@click.option("--keep-case", is_flag=True, help="Do not change the case of letters.")
@click.option(
    "--keep-percent-encoding",
    is_flag=True,
    help="Keep percent-encoding, except %2E for a dot.",
)
@click.option("--keep-dot-segments", is_flag=True, help="Keep . and .. in paths.")
@click.option("--all-dot-segments", is_flag=True, help="Also remove . and .. from rootless paths.")
@click.option("--keep-ipv6", is_flag=True, help="Keep the spelling of IPv6 addresses.")
@click.option("--scheme", is_flag=True, help="Apply scheme-based rules too (RFC 3986, 6.2.3).")
@click.option("--changes", is_flag=True, help="Print the changes as JSON, not the result.")
@takes_inputs()
def normalize_command(
    inputs: Inputs, scheme: bool, changes: bool, all_dot_segments: bool, **keep: bool
) -> None:
    """Normalize URIs (RFC 3986, 6.2.2).

    Print each URI with its scheme and host in lower case, percent-encoded unreserved
    characters decoded, dot segments removed and IPv6 addresses written as in RFC 5952.

    Paths such as text/plain,a/../b in data: URIs keep their dot segments, because they may
    be data; --all-dot-segments removes them as well.
    """
    # `normalize` without options is faster than with all of them.
    steps: dict[str, Any] = {
        option.removeprefix("keep_"): False for option, is_set in keep.items() if is_set
    }
    if all_dot_segments:
        if "dot_segments" in steps:
            raise misuse("--keep-dot-segments contradicts --all-dot-segments; use one of them")
        steps["dot_segments"] = "all"
    if scheme:
        steps["scheme"] = True
    if changes:
        inputs.as_json = True
        inputs.answer(lambda uri: changes_of(uri, steps))
    inputs.answer(lambda uri: str(parse(uri).normalize(**steps)))


@click.command("compare", cls=Command)
@click.argument("a")
@click.argument("b")
@level_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def compare_command(a: str, b: str, level: Any, as_json: bool) -> None:
    """Test whether two URIs are equivalent (RFC 3986, 6.2).

    Print "equivalent" or "different". The exit status is 0 if the URIs are equivalent, 1 if
    they are different, and 2 if one of them is invalid.
    """
    first, second = as_argument("A", lambda: parse(a)), as_argument("B", lambda: parse(b))
    same = first.equivalent(second, level=level)
    if as_json:
        from json import dumps

        click.echo(dumps({"a": a, "b": b, "level": level, "equivalent": same}))
    else:
        click.echo("equivalent" if same else "different")
    sys.exit(0 if same else 1)


@click.command("sort", cls=Command)
@level_option
@click.option("-u", "--unique", is_flag=True, help="Print only the first of equivalent URIs.")
@click.option("-r", "--reverse", is_flag=True, help="Sort in descending order.")
@takes_inputs()
def sort_command(inputs: Inputs, level: Any, unique: bool, reverse: bool) -> None:
    """Sort URIs by their normal forms.

    URIs are printed unchanged. Equivalent URIs keep their input order.
    """
    keyed: list[tuple[str, str]] = []

    def keep(uri: str) -> None:
        keyed.append((parse(uri).comparison_key(level), uri))

    invalid = inputs.go_through(keep)
    keyed.sort(key=itemgetter(0), reverse=reverse)
    if unique:
        keyed = [next(same) for _, same in groupby(keyed, key=itemgetter(0))]
    inputs.print_last(((uri, uri, key) for key, uri in keyed), invalid)


@click.command("uniq", cls=Command)
@level_option
@click.option("-c", "--count", is_flag=True, help="Prefix each URI with its count.")
@takes_inputs()
def uniq_command(inputs: Inputs, level: Any, count: bool) -> None:
    """Remove URIs that are equivalent to an earlier one.

    The remaining URIs are printed unchanged. The input need not be sorted. With --count,
    results are printed after all the input has been read.
    """
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()

    def counted(uri: str) -> str | None:
        key = parse(uri).comparison_key(level)
        counts[key] += 1
        return uri if first.setdefault(key, uri) is uri and counts[key] == 1 else None

    if not count:
        inputs.answer(counted)
    invalid = inputs.go_through(lambda uri: counted(uri) and None)
    rows = ((uri, f"{counts[key]:7} {uri}", counts[key]) for key, uri in first.items())
    inputs.print_last(rows, invalid)


def changes_of(uri: str, steps: dict[str, Any]) -> list[dict[str, str | None]]:
    """Return the changes that normalization makes to a URI, as a list of dictionaries for JSON."""
    return [change._asdict() for change in parse(uri).normalization_changes(**steps)]
