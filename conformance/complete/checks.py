"""All rules by which uriverse accepts strings, with the functions that accept by each rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from random import Random
from typing import NamedTuple, get_args

import uriverse
from uriverse import (
    IRI,
    URI,
    URN,
    DataURI,
    FileURI,
    IRIReference,
    MailtoURI,
    TelURI,
    URIReference,
    _spec,
    columns,
)
from uriverse._spec.syntax import RULES, matches
from uriverse.rdf import PrefixMap
from uriverse.templates import Template
from uriverse.typing import Grammar

from .acceptors import (
    Checker,
    ParsedColumn,
    answer_each,
    compare_details,
    compare_verdicts,
    describe_by_specification,
    describe_by_type,
    make_column,
    make_suite,
    try_each,
    validate_column,
)
from .suite import Batch, Prefix


class Check(NamedTuple):
    """An acceptor of a rule, and how much of the suite it gets in each run of the tests.

    Attributes:
        rule: the start rule.
        acceptor: the name of the acceptor.
        checker: the function that finds its wrong answers.
        files: the ABNF files of the rule besides those of RFC 3986 and RFC 3987.
        parts: the parts of the suite besides the transition cover: `"stretch"` for repeated loops,
            `"vary"` for different ways to merged states with one letter of each class, and
            `"vary with every letter"`.
        whole: the parts of the whole suite, which only the command runs.
        k: how many more states than necessary the acceptor may have.
        share: the random share of the strings; 0 for a check that only the command runs.
    """

    rule: str
    acceptor: str
    checker: Checker
    files: tuple[str, ...] = ()
    parts: tuple[str, ...] = ("vary", "stretch")
    whole: tuple[str, ...] = ("vary with every letter", "stretch")
    k: int = 0
    share: float = 1

    def make_whole(self) -> Check:
        """Return the check with all strings, and a larger k where the tests have one."""
        return self._replace(parts=self.whole, k=2 * self.k, share=1)


class Report(NamedTuple):
    """How many strings an acceptor got, and some to which it gave a wrong answer."""

    strings: int
    wrong: list[str]


def run_check(check: Check) -> Report:
    """Run a part of a suite; stop at the first batch with a wrong answer."""
    suite = make_suite(check.rule, *check.files)
    parts = [suite.cover()]
    if len(check.parts) > ("stretch" in check.parts):
        parts.append(suite.vary(every_letter="vary with every letter" in check.parts))
    parts += [suite.extend(length) for length in range(1, check.k + 1)]
    # A small share has too few strings for one word after each prefix.
    words = 1 if isinstance(check.checker, ParsedColumn) else max(check.share, 0.1)
    random = Random(check.acceptor)  # noqa: S311  # not for secrets

    def is_kept(_: object = None) -> bool:
        return random.random() < check.share / words

    prefixes: Iterator[Prefix] = filter(is_kept, chain.from_iterable(parts))
    if "stretch" in check.parts:
        prefixes = chain(prefixes, suite.stretch(is_kept))
    strings = 0
    for batch in suite.batch(prefixes, words, check.rule):
        strings += len(batch.verdicts)
        if wrong := check.checker(batch):
            return Report(strings, wrong[:20])
    return Report(strings, [])


# --- the six grammars

GRAMMARS = tuple(_spec.GRAMMARS.values())
TYPES = {kind._rule: kind for kind in (IRIReference, IRI, URIReference, URI)}


def check_grammars() -> Iterator[Check]:
    for grammar in get_args(Grammar):
        rule = _spec.GRAMMARS[grammar]
        # The other grammars differ by flags only.
        parts = ("stretch",) if rule.endswith("reference") else ()
        in_column = partial(compare_verdicts, partial(validate_column, grammar))
        yield Check(rule, "columns.is_valid", in_column, k=1)
        yield Check(rule, "columns.parse", ParsedColumn(rule, grammar), parts=parts)
        name = f"is_{grammar.replace('-', '_')}"
        if function := getattr(uriverse, name, None):
            one_by_one = partial(compare_verdicts, partial(answer_each, function))
            yield Check(rule, name, one_by_one, parts=parts)
        if kind := TYPES.get(rule):
            by_type = partial(compare_details, rule, partial(describe_by_type, kind))
            yield Check(rule, kind.__name__, by_type, (), parts, ("stretch",), share=0.03)
        pattern = partial(compare_verdicts, partial(answer_each, partial(matches, rule=rule)))
        yield Check(rule, "_spec.syntax", pattern, parts=("stretch",), share=0.1)
        slowly = partial(compare_details, rule, partial(describe_by_specification, rule))
        share = 0.001 if parts else 0  # an answer takes 0.1 ms
        yield Check(rule, "_spec.violation", slowly, (), parts, ("stretch",), share=share)


def check_patterns() -> Iterator[Check]:
    """Yield the pattern of each rule of the reference implementation."""
    for rule in RULES:
        if rule not in GRAMMARS:
            checker = partial(compare_verdicts, partial(answer_each, partial(matches, rule=rule)))
            # These are parts of the patterns of the grammars.
            is_part = rule.endswith(("authority", "hier-part", "relative-ref", "relative-part"))
            yield Check(rule, "pattern", checker, share=0 if is_part else 0.03)


# --- components, as `build`, `replace` and `with_host` accept them


def check_components() -> Iterator[Check]:
    kinds = {"": URIReference, "i": IRIReference}
    # The rule, the component, the others that `build` gets, and a string for `replace`.
    rows: tuple[tuple[str, str, dict[str, str], str], ...] = (
        ("scheme", "scheme", {"path": "/"}, "a://u@h:1/p?q#f"),
        ("port", "port", {"host": "h"}, "a://u@h:1/p?q#f"),
        ("{i}userinfo", "userinfo", {"host": "h"}, "a://u@h:1/p?q#f"),
        ("new-{i}host", "host", {}, "a://u@h:1/p?q#f"),
        ("{i}path-abempty", "path", {"host": "h"}, "a://u@h:1/p?q#f"),
        ("{i}path-after-scheme", "path", {"scheme": "a"}, "a:p?q#f"),
        ("{i}path-alone", "path", {}, "p?q#f"),
        ("{i}query", "query", {}, "p?q#f"),
        ("{i}fragment", "fragment", {}, "p?q#f"),
    )
    for i, kind in kinds.items():
        for rule, name, others, text in rows:
            share = 0.004 if name == "host" else 1
            edits: dict[str, Callable[[str], object]] = {
                "build": partial(call_with, partial(kind.build, **others), name),
                "replace": partial(call_with, kind(text).replace, name),
                f"with_{name}": getattr(kind(text), f"with_{name}"),
            }
            for edit, function in edits.items():
                checker = partial(compare_verdicts, partial(try_each, function))
                acceptor = f"{kind.__name__}.{edit}"
                yield Check(rule.format(i=i), acceptor, checker, ("components",), share=share)


def call_with(function: Callable[..., object], name: str, value: str) -> object:
    return function(**{name: value})


# --- templates, CURIEs and schemes

PREFIXES = PrefixMap({"": "http://a/", "b": "http://a/"})


def expand_column(batch: Batch) -> list[bool]:
    iris = PREFIXES.expand_column(make_column(batch)).to_pylist()
    return [iri is not None for iri in iris]


#: The codes of findings about strings that do not follow the grammar of their scheme.
SCHEME_CODES = {"syntax", "scheme-syntax"} | {
    f"{component}-misplaced" for component in ("authority", "userinfo", "query")
}


def find_in_column(scheme: str, batch: Batch) -> list[bool]:
    """Return whether `columns.findings` finds no violation of the grammar of a scheme.

    It judges the URI that an IRI maps to, so only ASCII strings count here.
    """
    codes = columns.findings(make_column(batch)).to_pylist()
    return [
        text.isascii() and text.lower().startswith(scheme) and SCHEME_CODES.isdisjoint(row)
        for text, row in zip(batch.decode(), codes, strict=True)
    ]


def has_distinct_names(text: str) -> bool:
    """Return whether no parameter of a telephone number has the name of another.

    This is not regular: an automaton with a limited number of states cannot know all names.
    """
    pieces = text.partition("#")[0].split(";")[1:]
    names = [piece.partition("=")[0].lower() for piece in pieces]
    return len(set(names)) == len(names)


def check_others() -> Iterator[Check]:
    by_template = partial(compare_verdicts, partial(try_each, Template))
    yield Check("URI-Template", "Template", by_template, ("rfc6570", "templates"), k=1)
    by_map = partial(
        compare_verdicts, partial(try_each, lambda text: PrefixMap({text: "http://a/"}))
    )
    yield Check("map-prefix", "PrefixMap", by_map, ("curies",), k=1)
    expand = partial(compare_verdicts, partial(try_each, PREFIXES.expand))
    yield Check("expandable", "PrefixMap.expand", expand, ("curies",), share=0.01)
    in_column = partial(compare_verdicts, expand_column)
    yield Check("expandable", "PrefixMap.expand_column", in_column, ("curies",), share=0.01)
    rules: tuple[tuple[str, type[URI], str], ...] = (
        ("namestring", URN, "urn:"),
        ("telephone-uri", TelURI, "tel:"),
        ("mailtoURI", MailtoURI, "mailto:"),
        ("dataurl", DataURI, "data:"),
        ("file-URI", FileURI, "file:"),
    )
    for rule, kind, scheme in rules:
        condition = has_distinct_names if kind is TelURI else None
        whole = ("vary with every letter", "stretch")
        for name, ask, share, parts in (
            (kind.__name__, partial(try_each, kind), 0.02, whole),
            ("columns.findings", partial(find_in_column, scheme), 0.002, ("stretch",)),
        ):
            checker = partial(compare_verdicts, ask, condition=condition)
            yield Check(rule, name, checker, ("schemes",), ("stretch",), parts, share=share)


def list_checks() -> list[Check]:
    return [*check_grammars(), *check_patterns(), *check_components(), *check_others()]
