"""The independent judge: the `abnf` package, on its own copies of the RFCs' grammars.

It knows nothing of this project, and explores every alternative. Two things were
checked before it was believed, and are held by `agreement/test_judge.py`:

- `host` is not settled by a prefix: `1.2.3.4.5` is a `reg-name`. Releases before 2.9
  committed to `IPv4address` there and refused it, though the RFC's ABNF is a plain
  choice ("first-match-wins" of 3.2.2 says which rule a host counts as, not which
  hosts there are). So those releases can't judge.
- its `dec-octet` has the alternatives in another order, and `IPv6address` is tried
  with every length of `*n( h16 ":" )`. With full backtracking neither changes what
  is produced.

No case was found in which this release is wrong, so nothing is worked around.
"""

from __future__ import annotations

from abnf import ParseError
from abnf.grammars import rfc3986, rfc3987

from uriverse._grammar import rfc3987 as own_rfc3987


def judge(rule: str, text: str) -> bool:
    """Whether the rule produces the whole text."""
    # A rule that both RFCs have is judged by the one that defines it.
    grammar = rfc3987.Rule if rule in own_rfc3987.RULES else rfc3986.Rule
    try:
        grammar(rule).parse_all(text)
    except ParseError:
        return False
    return True
