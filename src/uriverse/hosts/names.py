"""Names that are set aside, by IANA's registry."""

from __future__ import annotations

from uriverse._grammar.iana_hosts import SPECIAL_USE_NAMES

from .lookalikes import decoded, mapped

#: How many labels the longest of the names has.
MOST_LABELS = max(name.count(".") + 1 for name in SPECIAL_USE_NAMES)


def special_use(name: str, /) -> str | None:
    """The special-use domain name under which a host name falls ([RFC 6761][1]).

    Such names have a meaning of their own, and asking the public DNS for them is wrong or in
    vain: `localhost`, `local` (multicast DNS), `onion`, `home.arpa`, `test`, `invalid`,
    `example.com`, the reverse zones of private addresses and some more, as in [IANA's
    registry][2]. Others that are in use inside networks (`internal`, `lan`, `corp`) are not
    in it.

    [1]: https://www.rfc-editor.org/rfc/rfc6761
    [2]: https://www.iana.org/assignments/special-use-domain-names

    Args:
        name: a host. Case does not count, nor a dot at the end; what is percent-encoded is
            decoded, and what is no ASCII mapped, as for looking it up.

    Returns:
        The registered name, in lower case and without a dot at its end; the longest, if there
        are several; `None` if the name is under none.

    Raises:
        TypeError: the name is no `str`.

    >>> special_use("Www.Example.COM."), special_use("localhost"), special_use("notlocal")
    ('example.com', 'localhost', None)
    """
    if not isinstance(name, str):
        raise TypeError(f"expected a str, not {type(name).__name__}")
    labels = mapped(decoded(name)).lower().removesuffix(".").rsplit(".", MOST_LABELS)[-MOST_LABELS:]
    suffixes = (".".join(labels[start:]) for start in range(len(labels)))
    return next((suffix for suffix in suffixes if suffix in SPECIAL_USE_NAMES), None)
