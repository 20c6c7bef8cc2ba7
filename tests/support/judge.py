"""An independent oracle: the `abnf` package, with its own copies of the RFCs' grammars.

The package shares no code with this project and explores every alternative. Two details could
make it wrong, so `agreement/test_abnf_oracle.py` checks them:

- A prefix does not decide the rule of a `host`: `1.2.3.4.5` is a `reg-name`. Releases of `abnf`
  before 2.9 tried only `IPv4address` there and rejected the host. In the RFC's ABNF, `host` is a
  plain choice: "first-match-wins" (3.2.2) says which rule a host counts as, not which hosts are
  valid. So those releases cannot serve as an oracle.
- Its `dec-octet` lists the alternatives in another order, and `IPv6address` is tried with every
  length of `*n( h16 ":" )`. With full backtracking, neither changes which strings are produced.

No string is known on which the current release is wrong.
"""

from abnf import ParseError
from abnf.grammars import rfc3986, rfc3987

from uriverse._spec.grammar import rfc3987 as own_rfc3987


def judge(rule: str, text: str) -> bool:
    # RFC 3987 repeats rules of RFC 3986; the RFC that defines a rule decides.
    grammar = rfc3987.Rule if rule in own_rfc3987.RULES else rfc3986.Rule
    try:
        grammar(rule).parse_all(text)
    except ParseError:
        return False
    return True
