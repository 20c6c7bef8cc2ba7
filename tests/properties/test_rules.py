"""The laws of rules: no server leaves them, and an independent oracle agrees.

`test_rules_with_parsers.py` has the law of hosts: no parser leaves them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from urllib.parse import unquote

import pytest
from hypothesis import assume, event, example, given
from hypothesis import strategies as st
from readers import canonical

from uriverse import URI, Policy, PolicyError, Rule
from uriverse.diagnosis import CODES

AMBIGUITIES = frozenset(code for code, known in CODES.items() if known.group == "ambiguity")

#: The ports that URLs without a port have.
DEFAULT_PORTS = {"http": 80, "https": 443}

SCHEMES = ("http", "https")
NAMES = ("a.example", "b.a.example", "c.b.a.example", "ba.example", "example")
HOSTS = (*NAMES, "*.a.example", "*.example", "*.b.a.example")
PORTS = ("", "", ":80", ":443", ":8080")
SEGMENTS = ("v1", "v2", "a", "b", "ab", "aab", "V1", "x*y", "100%25", "%E2%82%AC", "")
PATTERNS = (*SEGMENTS[:-1], "*", "a*", "*b", "*a*", "a*b", "x%2Ay", "*AC", "*5", "%E2%82%AC*")
QUERIES = (*("", "", ""), *("?", "?a=1", "?a=2", "?a=%2A", "?a=*"))

#: Segments, and parts of them, with which URLs leave a path on some servers.
DISGUISES = (
    *("..", "..", ".", "/", "/", "//", "a", "b", "v1", "..;x", ";x", "..%3Bx", ";", "%3B", "..%20"),
    *("%2e%2e", ".%2e", "%252e%252e", "%252e", "%2F", "%2F", "%5C", "%252F", "%255C", "%20", "%00"),
    *("%EF%BC%8E%EF%BC%8E", "%EF%BC%8F", "%EF%BC%BC", "\uff0e\uff0e", "\uff0f", "\uff3c", "..."),
    *("..%2F", "..%5C", "%25", "%2525", "%E9", "%C0%AE", "%C2%AD", "?", "#", "%3F", ".%20", "a.."),
    *("%01", "%E2%80%8B", "%2500", "+", "+", "..+", "/..", "/."),
)


def paths(segments: Sequence[str]) -> st.SearchStrategy[str]:
    made = st.lists(st.sampled_from(segments), max_size=4).map(lambda parts: "/" + "/".join(parts))
    return made.filter(lambda path: not path.startswith("//"))


def rule_paths() -> st.SearchStrategy[str]:
    ends = st.sampled_from(("", "", "/", "/**"))
    whole = st.tuples(paths(PATTERNS), ends).map(lambda parts: "/".join(parts).replace("//", "/"))
    return st.just("") | whole


def rule_texts() -> st.SearchStrategy[str]:
    ports = st.sampled_from((*PORTS, ":*"))
    origin = st.tuples(st.sampled_from(SCHEMES), st.just("://"), st.sampled_from(HOSTS), ports)
    query = st.sampled_from(QUERIES).filter(lambda text: not text.endswith("*"))
    return st.tuples(origin.map("".join), rule_paths(), query).map("".join)


def plain_urls() -> st.SearchStrategy[str]:
    origin = st.tuples(
        st.sampled_from(SCHEMES), st.just("://"), st.sampled_from(NAMES), st.sampled_from(PORTS)
    )
    path = st.just("") | paths(SEGMENTS)
    fragment = st.sampled_from(("", "", "#", "#a"))
    return st.tuples(origin.map("".join), path, st.sampled_from(QUERIES), fragment).map("".join)


@st.composite
def rules_and_urls(draw: st.DrawFn) -> tuple[str, str]:
    rule = draw(rule_texts())
    if draw(st.integers(0, 3)) == 0:
        return rule, draw(plain_urls())
    url = rule.replace("*.", draw(st.sampled_from(("", "x.", "x.y."))), 1)
    url = url.replace(":*", draw(st.sampled_from(PORTS)), 1)
    if url.endswith("/**"):
        url = url[:-2]
    filler = st.sampled_from(("", "a", "ab", "b", "*", "%E2%82%AC", "a/b", "%E2%82%ACb"))
    url = re.sub(r"\*", lambda _: draw(filler), url)
    if draw(st.booleans()):
        ends = (
            ("/", "a", "/a", "?", "?a=1", "#a", "/a/b") if Parts.of(url).path else ("/", "?", "#")
        )
        url += draw(st.sampled_from(ends))
    return rule, url


@st.composite
def hostile_urls(draw: st.DrawFn, start: str) -> str:
    """Return a URL that begins like a rule, and has disguised dot segments and slashes."""
    parts = draw(st.lists(st.sampled_from(DISGUISES), min_size=1, max_size=9))
    joined = draw(st.sampled_from(("", "/"))).join(parts)
    before = draw(st.sampled_from(("", "", "", "/x/..", "/v1/../", "/x/%2e%2e", "/..;x")))
    scheme, slashes, rest = start.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{host}{before}{slash or '/'}{path}{joined}"


def matches_host(pattern: str, host: str) -> bool:
    """Return whether a host is that of a rule, also with a dot at its end."""
    host = host.removesuffix(".")
    if pattern.startswith("*."):
        return host.endswith(pattern[1:]) and host != pattern[1:]
    return canonical(pattern) == host


# The law of paths: servers.


def remove_steps(path: str, *, slash: bool = True) -> str:
    """Resolve the dot segments of a path one by one; the last one may leave a slash."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for number, segment in enumerate(segments):
        if segment == "..":
            del kept[-1:]
        if segment not in {".", ".."}:
            kept.append(segment)
        elif number == len(segments) - 1 and slash:
            kept.append("")
    return "/" + "/".join(kept)


def without_end(segment: str) -> str:
    """Strip the spaces and dots at the end of a segment, like Windows."""
    bare = segment.rstrip(" ")
    return bare if bare in {".", ".."} else segment.rstrip(" .")


#: Conversions of a path by servers. The names are for the messages of failed tests.
OPERATIONS: dict[str, Callable[[str], str]] = {
    "decode": lambda path: unquote(path, errors="ignore"),
    "strip parameters": lambda path: re.sub(";[^/]*", "", path),
    "merge slashes": lambda path: re.sub("/+", "/", path),
    "read backslashes": lambda path: path.replace("\\", "/"),
    "read full width": lambda path: path.translate({0xFF0E: ".", 0xFF0F: "/", 0xFF3C: "\\"}),
    "strip ends": lambda path: "/".join(map(without_end, path.split("/"))),
    "strip starts": lambda path: re.sub("(?<=/) +", "", path),
    "read plus signs": lambda path: path.replace("+", " "),
    "remove controls": lambda path: re.sub("[\0-\x1f\x7f-\x9f\xad\u200b]+", "", path),
    "cut at NUL": lambda path: re.sub("\0[^/]*", "", path),
    "remove dot segments": remove_steps,
    "remove dot segments and the slash": lambda path: remove_steps(path, slash=False),
}


def servers_of(random: Random) -> list[list[str]]:
    """Return servers: operations in random order; a server decodes a path once or twice."""
    servers: list[list[str]] = []
    for _ in range(30):
        names = random.choices(sorted(OPERATIONS.keys() - {"decode"}), k=random.randrange(7))
        for _ in range(random.randint(1, 2)):
            names.insert(random.randint(0, len(names)), "decode")
        servers.append(names)
    return servers


SERVERS = st.integers(0, 2**32).map(Random).map(servers_of)


def path_on(server: Sequence[str], url: str) -> str:
    """Return the path that a server reads in a URL; it resolves the rest like a file system."""
    after_host = url.partition("://")[2]
    path = re.sub(r"[?#].*", "", after_host[after_host.find("/") :], flags=re.DOTALL)
    for name in server:
        path = OPERATIONS[name](path)
    return remove_steps(path)


def is_inside(path: str, rule: str) -> bool:
    wanted = Parts.of(rule).path
    if "*" in wanted:
        wanted = re.sub(r"[^/]*\*.*", "", wanted)
    if wanted.endswith("/"):
        return path.startswith(wanted)
    return path == wanted


#: Rules whose paths every server reads like RFC 3986.
PLAIN_RULES = (
    *("https://a.example/v1/", "https://a.example/v1/**", "https://a.example/v1/b/"),
    *("https://a.example/v1/a", "https://a.example/v1/*", "https://a.example/v1/*/b"),
    *("https://a.example/v1/a*/", "https://a.example/v1/*/", "https://a.example/v1/b*b"),
)

CODES_LIFTED = (
    frozenset[str](),
    *(frozenset({"encoded-slash"}), frozenset({"encoded-dot"}), AMBIGUITIES),
)


@given(st.data(), st.sampled_from(PLAIN_RULES), st.sampled_from(CODES_LIFTED), SERVERS)
def test_no_server_leaves_the_subtree_of_a_rule(
    data: st.DataObject, rule: str, codes: frozenset[str], servers: list[list[str]]
) -> None:
    start = re.sub(r"\*+", lambda _: data.draw(st.sampled_from(("a", "ab", "", "a%2Fb"))), rule)
    url = data.draw(hostile_urls(start))
    policies = [
        Policy(allow=[Rule(rule, allowed=codes)]),
        Policy(allow=[rule], allowed=codes),
        Policy(allow=[rule], unambiguous=codes != AMBIGUITIES, allowed=codes),
    ]
    decisions = [policy.decide(url) for policy in policies]
    assert len({decision.allowed for decision in decisions}) == 1
    if not decisions[0]:
        return
    event(f"allowed, {len(codes)} codes")
    for server, text in product(servers, (url, str(decisions[0].uri))):
        assert is_inside(path_on(server, text), rule), (server, text, path_on(server, text))


def test_a_path_that_leaves_a_subtree_by_one_step_is_rejected() -> None:
    for path in [
        *("..;x/b//", "..;x/a../", "//..%2F/b/", "..%3Bx/b//", "..%2e%2e/b/", "....%2F//a/"),
        *("..;x/", "..%2F", "%252e%252e/", "a/..;x/..;x/"),
    ]:
        policy = Policy(allow=["https://a.example/v1/"], allowed=AMBIGUITIES)
        assert not policy.decide(f"https://a.example/v1/{path}")


DENIED = ("/admin", "/v1/admin/", "/v1/*/x", "/ADMIN", "/v1/a*b", "/*\u20ac", "/100%25", "/a%20b")


@given(st.data(), st.sampled_from(DENIED), st.sampled_from(CODES_LIFTED), SERVERS)
def test_no_server_reads_a_denied_path(
    data: st.DataObject, path: str, codes: frozenset[str], servers: list[list[str]]
) -> None:
    filled = re.sub(r"\*", lambda _: data.draw(st.sampled_from(("a", "%25", "%E2%82%AC"))), path)
    url = "https://a.example" + data.draw(st.sampled_from(("/", "/x/../", "/v1/", "/q/r/", "/./")))
    url += "".join(data.draw(st.lists(st.sampled_from(DISGUISES), max_size=4)))
    url += data.draw(
        st.sampled_from(("", "/..", "/%2e%2e", "%2F..%2F..", "//..", "/..;x", "/..%20"))
    )
    url += filled.swapcase() if data.draw(st.booleans()) else filled
    url += data.draw(
        st.sampled_from(("", "/", ";x", "%20", ".", "%3Bx", "/x", "%2Fx", "%00", "%3Fx"))
    )
    policy = Policy(deny=[f"https://a.example{path}"], allowed=codes)
    decision = policy.decide(url)
    event(f"{decision.code or 'allowed'}")
    if not decision:
        return
    for server, text in product(servers, (url, str(decision.uri))):
        read = path_on(server, text)
        assert not is_denied(read, path), (server, text, read)


def is_denied(path: str, rule: str) -> bool:
    """Return whether a decoded path is that of a deny rule, or below it."""
    wanted = unquote(rule).rstrip("/").replace("*", "\0")
    regex = re.escape(wanted).replace("\0", "[^/]+")
    return re.match(f"{regex}(/|\\Z)", path, re.IGNORECASE) is not None


# The oracle of the table of rules.


@dataclass(frozen=True)
class Parts:
    scheme: str
    host: str
    port: str
    path: str
    query: str | None

    @classmethod
    def of(cls, text: str) -> Parts:
        found = re.fullmatch(r"([\w+.-]+)://([^/?#:]*)(:[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", text)
        assert found
        scheme, host, port, path, query, _ = found.groups()
        return cls(scheme, host, port or "", path, None if query is None else query[1:])

    def port_number(self) -> int:
        return int(self.port[1:]) if self.port else DEFAULT_PORTS[self.scheme]


def oracle(rule: str, url: str) -> bool:
    wanted, found = Parts.of(rule), Parts.of(url)
    if wanted.scheme != found.scheme or not matches_host(wanted.host, found.host):
        return False
    if wanted.port != ":*" and wanted.port_number() != found.port_number():
        return False
    if wanted.query is not None and stars(wanted.query) != stars(found.query or ""):
        return False
    return not wanted.path or path_matches(wanted.path, stars(found.path or "/"))


def stars(text: str) -> str:
    return text.replace("%2A", "*")


def path_matches(pattern: str, path: str) -> bool:
    below = pattern.endswith(("/", "/**"))
    pattern = pattern.removesuffix("**")
    pieces = [re.escape(stars(piece)) for piece in pattern.split("*")]
    # A wildcard stands for whole characters, and a percent-encoded triplet is a character.
    regex = "(?:%[0-9A-F]{2}|[^/%])+".join(pieces)
    found = re.fullmatch(f"{regex}.*" if below else regex, path)
    return found is not None


@given(rules_and_urls())
@example(("http://a.example/*5", "http://a.example/100%25"))
@example(("http://a.example/*AC", "http://a.example/%E2%82%AC"))
@example(("http://a.example/a*b", "http://a.example/a//b"))
def test_the_table_of_rules_agrees_with_decide(case: tuple[str, str]) -> None:
    rule, url = case
    expected = oracle(rule, url)
    assume(not Parts.of(url).path.startswith("//"))
    event("allowed" if expected else "rejected")
    decision = Policy(allow=[rule]).decide(url)
    assert decision.allowed is expected, decision
    if expected:
        assert decision.rule == Rule(rule)
        with_fragment = Policy(allow=["b.invalid", rule]).decide(url)
        assert with_fragment.rule == Rule(rule)
    else:
        assert decision.code.endswith("-not-allowed")


# The algebra of policies.


@given(rule_texts(), rule_texts(), st.data())
def test_a_covered_rule_allows_no_more(rule: str, other: str, data: st.DataObject) -> None:
    if data.draw(st.booleans()):
        other = rule + data.draw(st.sampled_from(("", "/", "a", "*", "/a", "?", "?a=1", "/*/")))
    try:
        outer, inner = Rule(rule), Rule(other)
    except ValueError:
        assume(False)
    if not outer.covers(inner):
        return
    event("covers")
    filler = st.sampled_from(
        ("a", "ab", "b", "x", "%E2%82%AC", "..;x", "%C2%AD", "a%2Fb", "a%2F..")
    )
    url = other.replace("*.", "x.y.", 1).replace(":*", ":8080", 1)
    if url.endswith("/**"):
        url = url[:-2]
    url = re.sub(r"\*", lambda _: data.draw(filler), url)
    if Parts.of(other).query is None:
        if other.endswith(("/", "/**")):
            url = data.draw(hostile_urls(url))
        url += data.draw(st.sampled_from(("", "?", "?a=1")))
    for accepted in (frozenset[str](), AMBIGUITIES):
        if Policy(allow=[inner], allowed=accepted).allows(url):
            event("allowed")
            assert Policy(allow=[outer], allowed=accepted).allows(url)


POLICIES = st.builds(
    Policy,
    allow=st.none() | st.lists(rule_texts() | st.sampled_from(HOSTS), max_size=4),
    deny=st.lists(
        rule_texts().map(lambda text: text.partition("?")[0]) | st.sampled_from(HOSTS), max_size=2
    ),
    schemes=st.sampled_from((None, {"http", "https"}, {"https"})),
    ports=st.sampled_from((None, None, {80, 443})),
    allowed=st.sampled_from(CODES_LIFTED),
)


@st.composite
def policies_and_urls(draw: st.DrawFn) -> tuple[Policy, str]:
    policy = draw(POLICIES)
    if draw(st.booleans()):
        return policy, draw(hostile_urls(draw(plain_urls()).partition("?")[0].partition("#")[0]))
    texts = [str(rule) for rule in (*(policy.allow or ()), *policy.deny) if "://" in str(rule)]
    if not texts:
        return policy, draw(plain_urls())
    url = (
        draw(st.sampled_from(texts)).replace("*.", "x.", 1).replace(":*", "", 1).replace("/**", "/")
    )
    url = re.sub(r"\*", lambda _: draw(st.sampled_from(("a", "b", "ab", "%E2%82%AC"))), url)
    return policy, url + draw(
        st.sampled_from(("", "", "a", "/a", ";x", "%2Fa", "/../a", "/", "?a"))
    )


@given(policies_and_urls(), rule_texts().map(lambda text: text.partition("?")[0]))
def test_a_deny_rule_never_allows_more(case: tuple[Policy, str], denied: str) -> None:
    policy, url = case
    stricter = replace(policy, deny=[*policy.deny, denied])
    assert stricter.allows(url) <= policy.allows(url)
    if policy.allows(url) and oracle(denied, str(policy.enforce(url))):
        event("denied")
        assert not stricter.allows(url)


@given(policies_and_urls(), POLICIES)
def test_restricted_policies_allow_what_both_allow(case: tuple[Policy, str], other: Policy) -> None:
    policy, url = case
    both = policy.allows(url) and other.allows(url)
    event("allowed" if both else "rejected")
    for first, second in ((policy, other), (other, policy)):
        # The codes that the first policy accepts are accepted in the second one too.
        accepting = replace(second, allowed={*second.allowed, *first.allowed})
        allowed = first.restrict(second).allows(url)
        assert allowed is (first.allows(url) and accepting.allows(url))
        assert allowed >= both
    assert policy.restrict(policy).allows(url) is policy.allows(url)
    nested = policy.restrict(Policy().restrict(other))
    assert nested.allows(url) <= policy.restrict(other).allows(url)


@given(policies_and_urls(), st.sampled_from(((), (Policy(),))))
def test_a_decision_is_the_same_for_the_canonical_uri(
    case: tuple[Policy, str], restrictions: tuple[Policy, ...]
) -> None:
    policy, url = replace(case[0], restrictions=restrictions), case[1]
    decision = policy.decide(url)
    assert policy.allows(url) is decision.allowed is bool(decision)
    if not decision:
        with pytest.raises(PolicyError) as caught:
            policy.enforce(url)
        error = caught.value
        assert (error.code, error.reason, error.hint) == (
            *(decision.code, decision.reason, decision.hint),
        )
        assert decision.uri is None
        assert error.denied_by == (decision.rule and str(decision.rule))
        return
    event("allowed")
    assert type(decision.uri) is URI
    assert policy.enforce(url) == decision.uri
    again = policy.decide(decision.uri)
    assert (again.allowed, again.uri, again.rule) == (True, decision.uri, decision.rule)
