"""A policy accepts every URI that it returns, and returns it unchanged."""

from __future__ import annotations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from readers import mutant, mutants
from strategies import hostile, references

from uriverse import URI, Policy, PolicyError
from uriverse.diagnosis import CODES
from uriverse.hosts import PUBLIC_SCOPES
from uriverse.policy import SCOPES

AMBIGUITIES = sorted(code for code, known in CODES.items() if known.group == "ambiguity")

#: Hosts that mutants often have, and some that they rarely have.
HOSTS = (
    *("good.example", "*.good.example", "*.example", "b\u00fccher.example", "localhost"),
    *("127.0.0.1", "1.2.3.4", "::1", "::ffff:1.2.3.4", "2001:db8::1", "evil.example"),
)
BASES = (
    *("http://good.example/a/b", "https://user:secret@www.good.example:8080/%7Ea/", "foo:/a/b"),
    *("http://b\u00fccher.example/", "mailto:me@good.example", "file:///c:/a", "x://0x7f.1/"),
)

#: Beginnings of URIs that some policy accepts, and pieces to follow them.
STARTS = (
    *("http://good.example", "HTTPS://user@Www.Good.example:8080", "ftp://1.2.3.4", "foo:", ""),
    *("ws://[2001:DB8::0:1]:443", "http://b\u00fccher.example.", "http://%6cocalhost:080", "/"),
    *("http://0x7f.1", "foo://evil.example:21", "mailto:me@good.example", "localhost:", "file:"),
)
PIECES = (
    *("/", "//", "..", ".", ":", "%", "%25", "%2e", "%32", "%38", "%0a", "%41", "%C3", "%c3%a9"),
    *("e", "2E", "D", "80", "a", "B", "c:", "\u00e9", "\uff0f", "\u200b", "?", "#", "@", "&b="),
)


def some(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[frozenset[str] | None]:
    """`None` (all are allowed) most of the time, or a few values."""
    return st.one_of(st.none(), st.none(), st.none(), st.frozensets(strategy, max_size=6))


def policies() -> st.SearchStrategy[Policy]:
    """Policies with every option set at random."""
    return st.builds(
        Policy,
        schemes=some(st.sampled_from(("http", "https", "ftp", "ws", "file", "foo", "urn"))),
        hosts=some(st.sampled_from(HOSTS)),
        ports=st.none() | st.frozensets(st.sampled_from((21, 80, 443, 8080)), min_size=3),
        userinfo=st.booleans(),
        unambiguous=st.booleans(),
        allowed=st.frozensets(st.sampled_from(AMBIGUITIES)) | st.just(frozenset(AMBIGUITIES)),
        scopes=some(st.sampled_from(sorted(SCOPES))) | st.just(PUBLIC_SCOPES),
    )


def texts() -> st.SearchStrategy[str]:
    """Mostly strings that some policy accepts, and arbitrary ones."""
    rest = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
    made = st.tuples(st.sampled_from(STARTS), st.sampled_from(("", "/")), rest).map("".join)
    mutated = st.randoms(use_true_random=False).map(mutant)
    return st.one_of(made, made, made, made, made, mutated, references(), hostile())


def returned(policy: Policy, text: str, base: str | None = None) -> URI | None:
    """The URI that a policy returns; `None` if it refuses."""
    try:
        return policy.enforce(text, base=base)
    except PolicyError:
        return None


@given(policies(), texts(), st.none() | st.sampled_from(BASES))
def test_a_policy_returns_its_results_unchanged(
    policy: Policy, text: str, base: str | None
) -> None:
    uri = returned(policy, text, base)
    event("refused" if uri is None else "returned")
    if uri is not None:
        assert policy.enforce(uri) == uri
        assert policy.enforce(str(uri)) == uri
        assert str(uri).isascii()


@pytest.mark.slow
@pytest.mark.parametrize(("unambiguous", "at_least"), [(True, 2000), (False, 4000)])
def test_no_result_for_16000_mutants_is_refused_or_changed(
    unambiguous: bool, at_least: int
) -> None:
    policy = Policy(schemes=None, scopes=None, userinfo=True, unambiguous=unambiguous)
    results = {text: uri for text in mutants(5, 16_000) if (uri := returned(policy, text))}
    assert len(results) > at_least
    assert not [text for text, uri in results.items() if returned(policy, str(uri)) != uri]
