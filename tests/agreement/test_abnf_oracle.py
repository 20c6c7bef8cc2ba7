"""Both ABNF oracles, the `abnf` package and our own walker, are right about known hard cases."""

from judge import judge
from walker import grammar, produces

from uriverse._spec.syntax import RULES


def test_both_abnf_oracles_agree_with_the_rfc() -> None:
    for rule, text, verdict in [
        # Eight groups, or fewer with one "::" in place of at least one group (RFC 3986, 3.2.2).
        *(("IPv6address", "1:2:3:4:5:6:7:8", True), ("IPv6address", "1:2:3:4:5:6:7::", True)),
        *(("IPv6address", "::2:3:4:5:6:7:8", True), ("IPv6address", "1:2:3:4:5:6:7::8", False)),
        *(("IPv6address", "1:2:3:4::5:6:7:8", False), ("IPv6address", "1:2:3::5:6:7:8", True)),
        ("IPv6address", "1:2:3:4:5:6::1.2.3.4", False),
        *(("IPv6address", "1:2:3:4:5::1.2.3.4", True), ("IPv6address", "1:2:3:4::1.2.3.4", True)),
        *(("IPv6address", "1:2:3:4:5:6:1.2.3.4", True), ("IPv6address", "::1.2.3.4:5", False)),
        *(("IPv6address", "12345::", False), ("dec-octet", "0", True), ("dec-octet", "00", False)),
        *(("dec-octet", "99", True), ("dec-octet", "249", True), ("dec-octet", "255", True)),
        *(("dec-octet", "256", False), ("path-empty", "", True), ("path-empty", "a", False)),
        ("IPvFuture", "V1F.a", True),
        # A host that only starts with an IPv4address may still be a reg-name.
        *(("host", "1.2.3.4.5", True), ("host", "1.2.3.400", True)),
        *(("ihost", "1.2.3.4.in-addr.arpa", True), ("authority", "1.2.3.4@1.2.3.4:1", True)),
        *(("URI-reference", "1:2", False), ("URI-reference", "a:1", True)),
    ]:
        assert judge(rule, text) is verdict
        assert produces(rule, text) is verdict


def test_every_rule_of_the_abnf_has_a_pattern() -> None:
    assert set(RULES) == set(grammar())
