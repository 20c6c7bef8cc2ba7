"""The commands that relate identifiers: resolve, relativize, normalize, compare, sort, uniq."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any

import click

from uriverse import Resolver, parse
from uriverse._spec.normalization import Steps
from uriverse.identifiers.references import LEVELS

from .lines import Texts, as_argument, misuse, on_texts

level_option = click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="syntax",
    show_default=True,
    help="The rung of RFC 3986, 6.2, to compare on.",
)


@click.command("resolve")
@click.argument("base")
@click.option("--not-strict", is_flag=True, help="Ignore a scheme that is the base's.")
@on_texts
def resolve_command(texts: Texts, base: str, not_strict: bool) -> None:
    """Resolve each TEXT on BASE.

    It is a reference, and its target is printed (RFC 3986, 5).

    \b
    uriverse resolve "http://a/b/c/d;p?q" "../g" "?y"
    uriverse resolve "https://example.org/dir/" < links.txt
    """
    resolve = as_argument(lambda: Resolver(base, strict=not not_strict))
    texts.answer(lambda text: str(resolve(text)))


@click.command("relativize")
@click.argument("base")
@click.option("--no-climb", is_flag=True, help="Stay in the directory of BASE.")
@on_texts
def relativize_command(texts: Texts, base: str, no_climb: bool) -> None:
    """Print what leads from BASE to each TEXT.

    That is the shortest reference whose target it is.

    \b
    uriverse relativize "http://a/b/c/d" "http://a/b/g?x"
    uriverse relativize --no-climb "https://example.org/dir/" < urls.txt
    """
    start = as_argument(lambda: Resolver(base)).base
    texts.answer(lambda text: str(parse(text).relative_to(start, climb=not no_climb)))


@click.command("normalize")
@click.option("--keep-case", is_flag=True, help="Leave case alone.")
@click.option("--keep-percent-encoding", is_flag=True, help="Decode nothing but steps.")
@click.option("--keep-dot-segments", is_flag=True, help="Leave . and .. in paths.")
@click.option(
    "--all-dot-segments", is_flag=True, help="Remove . and .. from rootless paths of URIs too."
)
@click.option("--keep-ipv6", is_flag=True, help="Leave the form of IPv6 addresses.")
@click.option("--scheme", is_flag=True, help="Apply the rules of the scheme too (6.2.3).")
@click.option("--changes", is_flag=True, help="Print what would change instead, as JSON.")
@on_texts
def normalize_command(
    texts: Texts, scheme: bool, changes: bool, all_dot_segments: bool, **keep: bool
) -> None:
    """Print the normal form of each TEXT.

    That of RFC 3986, 6.2.2.

    \b
    uriverse normalize "HTTP://Example.ORG/%7ea/../b"
    uriverse normalize --scheme "http://example.org:80"
    uriverse normalize --changes "HTTP://Example.ORG/"
    uriverse normalize --keep-dot-segments < urls.txt
    """
    # All steps are done without being told, which takes less time.
    steps: dict[str, Any] = {step: False for step in Steps._fields if keep[f"keep_{step}"]}
    if all_dot_segments:
        if "dot_segments" in steps:
            raise misuse("give --keep-dot-segments or --all-dot-segments, not both")
        steps["dot_segments"] = "all"
    if scheme:
        steps["scheme"] = True
    if changes:
        replace(texts, as_json=True).answer(lambda text: changes_of(text, steps))
    texts.answer(lambda text: str(parse(text).normalize(**steps)))


@click.command("compare")
@click.argument("a")
@click.argument("b")
@level_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def compare_command(a: str, b: str, level: Any, as_json: bool) -> None:
    """Say whether A and B are equivalent.

    The status is 0 if they are, 1 if not, 2 if one of them is not valid.

    \b
    uriverse compare "http://example.org/%7Ea" "HTTP://EXAMPLE.org/~a"
    uriverse compare --level string "http://a" "http://a/"
    """
    first, second = as_argument(lambda: parse(a)), as_argument(lambda: parse(b))
    same = first.equivalent(second, level=level)
    if as_json:
        click.echo(json.dumps({"a": a, "b": b, "level": level, "equivalent": same}))
    else:
        click.echo("equivalent" if same else "different")
    sys.exit(0 if same else 1)


@click.command("sort")
@level_option
@click.option(
    "-u", "--unique", is_flag=True, help="Print only the first of those that are equivalent."
)
@click.option("-r", "--reverse", is_flag=True, help="Print the last first.")
@on_texts
def sort_command(texts: Texts, level: Any, unique: bool, reverse: bool) -> None:
    """Sort TEXTs by what they are compared by.

    They are printed unchanged. Those that are equivalent stay in the order in which they came.

    \b
    uriverse sort "http://b/" "HTTP://A/%7Eb" "http://a/~a"
    uriverse sort --unique < urls.txt
    """
    keyed: list[tuple[str, str]] = []

    def keep(text: str) -> None:
        keyed.append((parse(text).comparison_key(level), text))

    invalid = texts.go_through(keep)
    keyed.sort(key=itemgetter(0), reverse=reverse)
    if unique:
        keyed = [next(same) for _, same in groupby(keyed, key=itemgetter(0))]
    texts.print_last(((text, text, key) for key, text in keyed), invalid)


@click.command("uniq")
@level_option
@click.option("-c", "--count", is_flag=True, help="Print before each how many there are.")
@on_texts
def uniq_command(texts: Texts, level: Any, count: bool) -> None:
    """Leave out equivalents of earlier TEXTs.

    The others are printed unchanged. They need not be sorted. With --count they are
    printed when all have been read.

    \b
    uriverse uniq "http://a/" "HTTP://a/" "http://b/"
    uriverse uniq --level string --count < urls.txt
    """
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()

    def counted(text: str) -> str | None:
        key = parse(text).comparison_key(level)
        counts[key] += 1
        return text if first.setdefault(key, text) is text and counts[key] == 1 else None

    if not count:
        texts.answer(counted)
    invalid = texts.go_through(lambda text: counted(text) and None)
    rows = ((text, f"{counts[key]:7} {text}", counts[key]) for key, text in first.items())
    texts.print_last(rows, invalid)


def changes_of(text: str, steps: dict[str, Any]) -> list[dict[str, str | None]]:
    """What `normalize --changes` prints for a text."""
    return [change._asdict() for change in parse(text).normalization_changes(**steps)]
