"""A policy accepts every URI that it returns, and returns it unchanged."""

from __future__ import annotations

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from strategies import hostile, references

from compare_conformance.mutants import mutant, mutants
from uriverse import URI, Policy, PolicyError
from uriverse._policy import SCOPES
from uriverse.diagnosis import CODES
from uriverse.hosts import PUBLIC_SCOPES

AMBIGUITIES = sorted(code for code, known in CODES.items() if known.group == "ambiguity")

#: Hosts that are common in mutants, and some that are rare.
HOSTS = (
    *("good.example", "*.good.example", "*.example", "b\u00fccher.example", "localhost"),
    *("127.0.0.1", "1.2.3.4", "::1", "::ffff:1.2.3.4", "2001:db8::1", "evil.example"),
)
BASES = (
    *("http://good.example/a/b", "https://user:secret@www.good.example:8080/%7Ea/", "foo:/a/b"),
    *("http://b\u00fccher.example/", "mailto:me@good.example", "file:///c:/a", "x://0x7f.1/"),
)

#: Prefixes of URIs that some policy accepts, and pieces to follow them.
STARTS = (
    *("http://good.example", "HTTPS://user@Www.Good.example:8080", "ftp://1.2.3.4", "foo:", ""),
    *("ws://[2001:DB8::0:1]:443", "http://b\u00fccher.example.", "http://%6cocalhost:080", "/"),
    *("http://0x7f.1", "foo://evil.example:21", "mailto:me@good.example", "localhost:", "file:"),
)
PIECES = (
    *("/", "//", "..", ".", ":", "%", "%25", "%2e", "%32", "%38", "%0a", "%41", "%C3", "%c3%a9"),
    *("e", "2E", "D", "80", "a", "B", "c:", "\u00e9", "\uff0f", "\u200b", "?", "#", "@", "&b="),
)


def none_or_some(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[frozenset[str] | None]:
    """Mostly None, which allows every value; otherwise a few values."""
    return st.one_of(st.none(), st.none(), st.none(), st.frozensets(strategy, max_size=6))


def policies() -> st.SearchStrategy[Policy]:
    """Policies with random options."""
    return st.builds(
        Policy,
        schemes=none_or_some(st.sampled_from(("http", "https", "ftp", "ws", "file", "foo", "urn"))),
        allow=none_or_some(st.sampled_from(HOSTS)),
        ports=st.none() | st.frozensets(st.sampled_from((21, 80, 443, 8080)), min_size=3),
        userinfo=st.booleans(),
        unambiguous=st.booleans(),
        allowed=st.frozensets(st.sampled_from(AMBIGUITIES)) | st.just(frozenset(AMBIGUITIES)),
        scopes=none_or_some(st.sampled_from(sorted(SCOPES))) | st.just(PUBLIC_SCOPES),
    )


def texts() -> st.SearchStrategy[str]:
    """Mostly strings that some policy accepts, and arbitrary ones."""
    rest = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
    made = st.tuples(st.sampled_from(STARTS), st.sampled_from(("", "/")), rest).map("".join)
    mutated = st.randoms(use_true_random=False).map(mutant)
    return st.one_of(made, made, made, made, made, mutated, references(), hostile())


def enforced(policy: Policy, text: str, base: str | None = None) -> URI | None:
    """Return the URI that a policy returns, or None if the policy rejects the string."""
    try:
        return policy.enforce(text, base=base)
    except PolicyError:
        return None


@given(policies(), texts(), st.none() | st.sampled_from(BASES))
def test_enforcing_a_policy_on_its_own_result_returns_the_same_uri(
    policy: Policy, text: str, base: str | None
) -> None:
    uri = enforced(policy, text, base)
    event("refused" if uri is None else "returned")
    if uri is not None:
        assert policy.enforce(uri) == uri
        assert policy.enforce(str(uri)) == uri
        assert str(uri).isascii()


@pytest.mark.slow
@pytest.mark.parametrize(("unambiguous", "at_least"), [(True, 2000), (False, 4000)])
def test_a_policy_accepts_its_results_for_16000_mutants_unchanged(
    unambiguous: bool, at_least: int
) -> None:
    policy = Policy(schemes=None, scopes=None, userinfo=True, unambiguous=unambiguous)
    results = {text: uri for text in mutants(5, 16_000) if (uri := enforced(policy, text))}
    assert len(results) > at_least
    assert not [text for text, uri in results.items() if enforced(policy, str(uri)) != uri]
