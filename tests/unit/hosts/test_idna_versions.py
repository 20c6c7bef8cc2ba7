import pytest

from uriverse._uri.engine import to_ascii
from uriverse.hosts._lookalikes import converts_alike


@pytest.mark.parametrize(
    ("name", "alike"),
    [
        *(("b\u00fccher.example", True), ("B\u00dcCHER.Example", True)),
        *(("a.xn--bcher-kva.\u0440\u0444", True), ("b\u00fccher\u3002example.", True)),
        *(("\uff47\uff4f\uff61\u4f8b\u3048", True), ("u\u0308.example", True)),
        ("\u05d0\u05d1.example", True),
        # Letters that are newer than Unicode 3.2: IDNA 2003 does not know their lower case.
        *(("\u2d30.example", True), ("\u1c90.example", False), ("\u10a0.example", False)),
        # RFC 5895 does not map compatibility characters, but UTS 46 does.
        *(("\ufb01.example", False), ("\u017f.example", False), ("fa\u00df.example", False)),
        ("\u03b2\u03cc\u03bb\u03bf\u03c2.example", False),
        # IDNA 2003 requires a letter from right to left at the end.
        ("\u05d01.example", False),
    ],
)
def test_versions_of_idna_are_compared(name: str, *, alike: bool) -> None:
    assert converts_alike(name, to_ascii(name)) is alike
