"""Strings longer than 32-bit bounds can represent are rejected.

With the kernel, the strings really have 2 GB. The reference implementation compares lengths with a
constant, so a smaller constant tests the same code.
"""

from collections.abc import Iterator

import pytest
from platforms import alone_on_this_machine, memory

import uriverse
from uriverse import IRI, URI, BuildError, ParseError, _engine
from uriverse._spec import build
from uriverse._spec import messages as reason
from uriverse._spec import violation as offence
from uriverse._uri import identifier
from uriverse.diagnosis import _explanation, _rules, why_invalid

LONGEST = 2**31 - 1 if _engine.compiled else 10_000
MEMORY = memory()

pytestmark = [
    *([pytest.mark.extended] if _engine.compiled else []),
    pytest.mark.skipif(
        _engine.compiled and MEMORY < 16 * 2**30,
        reason="needs 16 GB of memory (on another machine)",
    ),
    # Run them all in one worker, so that no other worker waits for the lock.
    pytest.mark.xdist_group("too long"),
]


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """Run one such test at a time, even in several processes: each uses most of the memory."""
    with alone_on_this_machine("uriverse-too-long"):
        yield


@pytest.fixture(autouse=True)
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (build, _explanation, _rules, identifier, offence, reason):
        monkeypatch.setattr(module, "LONGEST_TEXT", LONGEST)


def test_a_string_over_the_length_limit_is_rejected_at_the_first_excess_character() -> None:
    text = "a:" + "b" * (LONGEST - 1)
    assert not uriverse.is_uri(text)
    assert URI.try_parse(text) is None
    with pytest.raises(ParseError) as caught:
        URI(text)
    error = caught.value
    assert (error.position, error.component, error.rule) == (LONGEST, "text", "URI")
    assert len(str(error)) < 400
    wrong = why_invalid(text, "absolute-URI")
    assert wrong
    assert wrong.position == LONGEST
    [finding] = uriverse.check(text)
    assert (finding.code, finding.start, finding.end) == ("syntax", LONGEST, LONGEST + 1)
    assert uriverse.check(text, severities={"syntax": "off"}) == []


def test_components_that_exceed_the_length_limit_together_raise_build_error() -> None:
    with pytest.raises(BuildError) as caught:
        URI("a:b?").with_path("b" * (LONGEST - 2))
    assert (caught.value.position, caught.value.component) == (0, "path")
    assert f"the limit is {LONGEST:,} characters" in caught.value.reason


def test_params_from_an_iterator_are_not_lost_if_they_exceed_the_length_limit() -> None:
    value = URI("a:" + "b" * (LONGEST - 4))
    with pytest.raises(BuildError) as caught:
        value.with_params(iter([("c", "d")]))
    assert f"the limit is {LONGEST:,} characters" in caught.value.reason


def test_resolve_raises_parse_error_if_the_target_exceeds_the_length_limit() -> None:
    base = URI("a:" + "b" * (LONGEST - 2))
    with pytest.raises(ParseError) as caught:
        base.resolve("?c")
    assert (caught.value.position, caught.value.component) == (LONGEST, "text")


def test_normalize_raises_parse_error_if_the_normal_form_exceeds_the_length_limit() -> None:
    start = "a://[::ffff:c0a8:0101]/"
    value = URI(start + "b" * (LONGEST - len(start)))
    with pytest.raises(ParseError) as caught:
        value.normalize()
    assert (caught.value.position, caught.value.component) == (LONGEST, "text")


def test_to_uri_raises_parse_error_if_the_uri_exceeds_the_length_limit() -> None:
    value = IRI("a:" + "b" * (LONGEST - 3) + "\u00e9")
    with pytest.raises(ParseError) as caught:
        value.to_uri()
    assert (caught.value.position, caught.value.component) == (LONGEST, "text")
    assert caught.value.rule == "URI"
