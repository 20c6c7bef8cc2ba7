"""Complete suites: uriverse accepts exactly what the grammars of the RFCs produce.

`conformance.complete` makes the suites from the ABNF. An acceptor with at most k more states than
the minimal automaton answers wrongly for one of the strings, if it is wrong for any string. Here, k
is 1 for the columns of the kernel, and 0 for the others. By default, only `columns.is_valid` gets
all strings of IRI references, and the other acceptors a random share.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise, product
from random import Random
from types import ModuleType

import pytest
from amounts import scaled
from judge import judge

import uriverse
from conformance.complete.abnf import FOLDERS, parse_rules
from conformance.complete.acceptors import GRAMMAR_RULES, make_suite
from conformance.complete.automaton import Automaton, make_automaton
from conformance.complete.bounded import LIMITS, Case
from conformance.complete.checks import GRAMMARS, Check, list_checks, run_check
from conformance.complete.suite import Prefix
from uriverse import URN, is_uri
from uriverse._spec.components import split_all_parts
from uriverse._spec.syntax import RULES
from uriverse.schemes import _data, _mailto

CHECKS = [check for check in list_checks() if check.share]

#: The shares of the widest grammar that these acceptors get by default.
WIDE = {"columns.is_valid": 1.0, "columns.parse": 0.3}


def name_check(check: Check) -> str:
    return f"{check.rule}-{check.acceptor}"


def assert_right(check: Check) -> None:
    if not uriverse.compiled and not check.acceptor.startswith(("_spec", "pattern")):
        # Without the kernel, an answer takes forty times as long.
        check = check._replace(k=0, share=min(check.share, 0.04))
    report = run_check(check)
    assert report.wrong == []
    assert report.strings


@pytest.mark.parametrize("check", CHECKS, ids=name_check)
def test_strings_are_accepted_exactly_if_a_rule_produces_them(check: Check) -> None:
    if check.rule == "IRI-reference" and check.acceptor in WIDE:
        assert_right(check._replace(share=WIDE[check.acceptor]))
    else:
        assert_right(check._replace(k=0, share=check.share / 10))


@pytest.mark.slow
@pytest.mark.parametrize("check", CHECKS, ids=name_check)
def test_more_strings_are_accepted_exactly_if_a_rule_produces_them(check: Check) -> None:
    assert_right(check)


#: The operations whose longest inputs take more than a second.
SLOW = ("check_dot_segments", "check_normalizing", "check_long_names", "check_edits")

LONGEST = [
    pytest.param(check, limits[0] - less, marks=marks)
    for check, limits in LIMITS.items()
    for less, marks in ([(1, []), (0, [pytest.mark.slow])] if check.__name__ in SLOW else [(0, [])])
]


@pytest.mark.parametrize(("check", "longest"), LONGEST)
def test_operations_do_what_the_rfc_writes_for_all_short_inputs(
    check: Callable[[int], Iterator[Case]], longest: int
) -> None:
    longest -= not uriverse.compiled
    wrong = [case for case in check(longest) if not case.is_right]
    assert wrong == []


def list_strings(rule: str) -> Iterator[tuple[str, bool]]:
    """Yield strings of the suite of a scheme's rule, and whether the rule produces them."""
    suite, random = make_suite(rule, "schemes"), Random(rule)
    prefixes = (prefix for prefix in suite.cover() if random.random() < 0.1)
    for batch in suite.batch(prefixes, 0.1, rule):
        yield from zip(batch.decode(), batch.verdicts, strict=True)


@pytest.mark.parametrize("rule", ["NID", "NSS", "r-q-component", "fragment"])
def test_urn_from_parts_accepts_exactly_the_components_that_a_rule_produces(rule: str) -> None:
    names = {"r-q-component": "q_component", "fragment": "f_component"}
    name = names.get(rule, rule.lower())

    def is_kept(text: str) -> bool:
        try:
            urn = URN.from_parts(**{"nid": "example", "nss": "a", name: text})
        except ValueError:
            return False
        return bool(getattr(urn, name) == text)

    wrong = [text for text, verdict in list_strings(rule) if is_kept(text) is not verdict]
    assert wrong == []


@pytest.mark.parametrize(("rule", "rules"), [("mailtoURI", _mailto), ("dataurl", _data)])
def test_scheme_based_normalization_keeps_what_the_scheme_does_not_allow(
    rule: str, rules: ModuleType
) -> None:
    invalid = [t for t, verdict in list_strings(rule) if not verdict and is_uri(t.upper())]
    assert len(invalid) > 100
    for text in invalid:
        parts = split_all_parts(text.upper())
        assert rules.normalize(parts) == parts, text


# --- the automata are those of the grammars


def test_automata_of_the_six_grammars_have_the_number_of_states_that_others_found() -> None:
    states = {rule: len(make_suite(rule).automaton.table) for rule in GRAMMARS}
    assert states["URI-reference"] == 183
    assert states["IRI-reference"] == 186


@pytest.mark.parametrize("rule", GRAMMARS)
def test_an_automaton_agrees_with_the_abnf_package(rule: str) -> None:
    suite, random = make_suite(rule), Random(rule)
    prefixes = (prefix for prefix in suite.cover() if random.random() < 0.01)
    batch = next(suite.batch(prefixes, 0.1))
    rows = random.sample([*zip(batch.decode(), batch.verdicts, strict=True)], 100)
    assert [(text, judge(rule, text)) for text, _ in rows] == rows


def test_an_automaton_accepts_the_numbers_of_dec_octet() -> None:
    automaton = make_suite("dec-octet").automaton
    texts = ["".join(digits) for n in range(5) for digits in product("0123456789", repeat=n)]
    accepted = [text for text in texts if automaton.verdicts[automaton.follow(text)]]
    assert sorted(accepted, key=int) == [str(number) for number in range(256)]


def test_a_difference_of_rules_has_the_strings_of_the_first_rule_only() -> None:
    rules = parse_rules('a = <b except c>\nb = *( "x" / "y" )\nc = *"x" "y" *"x"\n')
    automaton = make_automaton(rules, "a")
    texts = ["".join(letters) for n in range(5) for letters in product("xy", repeat=n)]
    accepted = {text for text in texts if automaton.verdicts[automaton.follow(text)]}
    assert accepted == {text for text in texts if text.count("y") != 1}


# --- the suites find planted bugs


@cache
def shuffle_cover(rule: str) -> list[Prefix]:
    cover = list(make_suite(rule).cover())
    Random(rule).shuffle(cover)  # so that most bugs are found early
    return cover


def is_found(rule: str, wrong: Automaton) -> bool:
    """Return whether an automaton answers wrongly for a string of a suite with k = 0."""
    suite = make_suite(rule)
    words: dict[int, list[bool]] = {}
    for prefix in shuffle_cover(rule):
        state = wrong.follow(prefix.text)
        if state not in words:
            words[state] = [wrong.verdicts[wrong.follow(word, state)] for word in suite.words]
        if words[state] != suite.verdicts[prefix.state]:
            return True
    return False


SUITES = pytest.mark.parametrize("rule", ["IPv6address", "IRI-reference"])


@SUITES
def test_a_suite_finds_a_missing_state(rule: str) -> None:
    automaton, random = make_suite(rule).automaton, Random(rule)
    for missing in random.sample(range(1, len(automaton.table)), scaled(90)):
        other = random.choice([s for s in range(len(automaton.table)) if s != missing])
        table = [[other if goal == missing else goal for goal in row] for row in automaton.table]
        assert is_found(rule, Automaton(table, automaton.verdicts, automaton.classes, [])), missing


@SUITES
def test_a_suite_finds_a_step_to_a_wrong_state(rule: str) -> None:
    automaton, random = make_suite(rule).automaton, Random(rule)
    for _ in range(scaled(90)):
        table = [row.copy() for row in automaton.table]
        row = random.choice(table)
        k = random.randrange(len(row))
        row[k] = random.choice([goal for goal in range(len(table)) if goal != row[k]])
        assert is_found(rule, Automaton(table, automaton.verdicts, automaton.classes, []))


@SUITES
def test_a_suite_finds_a_wrong_verdict(rule: str) -> None:
    automaton = make_suite(rule).automaton
    for state in Random(rule).sample(range(len(automaton.table)), scaled(90)):
        verdicts = [verdict ^ (i == state) for i, verdict in enumerate(automaton.verdicts)]
        assert is_found(rule, Automaton(automaton.table, verdicts, automaton.classes, [])), state


def shift_borders(automaton: Automaton) -> Iterator[Automaton]:
    """Yield automata in which the first or the last character of a range is in the next class."""
    borders = sorted(
        (first, last, k) for k, ranges in enumerate(automaton.classes) for first, last in ranges
    )
    for (_, before, i), (after, _, j) in pairwise(borders):
        if 0xD7FF <= before <= 0xE000:
            continue  # no column can contain a lone surrogate
        for point, k in ((after, i), (before, j)):
            classes = [ranges.copy() for ranges in automaton.classes]
            old = classes[automaton.find_class(chr(point))]
            [(first, last)] = (ends for ends in old if ends[0] <= point <= ends[1])
            old.remove((first, last))
            old += [(first, point - 1)] if first < point else []
            old += [(point + 1, last)] if point < last else []
            classes[k].append((point, point))
            yield Automaton(automaton.table, automaton.verdicts, classes, [])


@SUITES
def test_a_suite_finds_a_wrong_border_of_a_class(rule: str) -> None:
    mutants = list(shift_borders(make_suite(rule).automaton))
    assert len(mutants) > 10
    count = min(scaled(450), len(mutants))
    assert all(is_found(rule, wrong) for wrong in Random(rule).sample(mutants, count))


def change_numbers(abnf: str) -> Iterator[str]:
    """Yield a grammar with one repetition or code point that is one too large or too small."""
    for match in re.finditer(
        r"(?<![\w%.-])[0-9]+(?=[*( A-Z])|(?<=\*)[0-9]|(?<=%x)..|(?<=-)3.", abnf
    ):
        for change in (-1, 1):
            number = int(match[0], 16) + change
            if number >= 0:
                yield f"{abnf[: match.start()]}{number:X}{abnf[match.end() :]}"


def test_a_suite_finds_a_wrong_number_in_the_grammar() -> None:
    text = (FOLDERS[1] / "rfc3986.abnf").read_text("utf-8")
    rules = re.sub(";.*", "", text[text.index("IPv6address  ") : text.index("reg-name  ")])
    mutants = list(change_numbers(rules))
    assert len(mutants) == 40
    for wrong in Random("numbers").sample(mutants, min(scaled(60), 40)):
        automaton = make_automaton(GRAMMAR_RULES | parse_rules(wrong), "IP-literal")
        assert is_found("IP-literal", automaton), wrong


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        ("IPv6address", "[0-9A-Fa-f]{1,4}", "[0-9A-Fa-f]{1,5}"),
        *(("IPv6address", "25[0-5]", "25[0-6]"), ("IPv6address", "[1-9][0-9]", "[0-9][0-9]")),
        *(("IPv6address", ":){0,2}", ":){0,3}"), ("scheme", "[A-Za-z][", "[A-Za-z0-9][")),
        *(("userinfo", "A-Z", "A-Y"), ("query", "&-,", "&-+"), ("iquery", "DFFFD", "DFFFE")),
        ("ucschar", "uFDF0", "uFDF1"),
    ],
)
def test_a_suite_finds_a_wrong_pattern(rule: str, right: str, wrong: str) -> None:
    pattern, suite = RULES[rule], make_suite(rule)
    place = pattern.rindex(right)
    changed = re.compile(pattern[:place] + wrong + pattern[place + len(right) :])
    prefixes = [*suite.cover(), *suite.vary(every_letter=False)]
    Random(rule).shuffle(prefixes)  # so that most bugs are found early
    assert any(
        bool(changed.fullmatch(text)) is not verdict
        for batch in suite.batch(prefixes)
        for text, verdict in zip(batch.decode(), batch.verdicts, strict=True)
    )
