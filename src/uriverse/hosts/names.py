"""Special-use domain names, from IANA's registry."""

from __future__ import annotations

from uriverse._grammar.iana_hosts import SPECIAL_USE_NAMES

from .lookalikes import decode_host, mapped

#: The largest number of labels in a registered name.
MOST_LABELS = max(name.count(".") + 1 for name in SPECIAL_USE_NAMES)


def special_use(name: str, /) -> str | None:
    """Return the special-use domain name that a host name equals or is below ([RFC 6761][1]).

    Such names have a special meaning, and querying the public DNS for them is wrong or useless:
    `localhost`, `local` (multicast DNS), `onion`, `home.arpa`, `test`, `invalid`, `example.com`,
    the reverse zones of private addresses and some more, as listed in [IANA's registry][2]. Other
    names that are used inside networks (`internal`, `lan`, `corp`) are not in the registry.

    [1]: https://www.rfc-editor.org/rfc/rfc6761
    [2]: https://www.iana.org/assignments/special-use-domain-names

    Args:
        name: a host. Case and a trailing dot are ignored; percent-encoded characters are decoded
            and non-ASCII characters mapped, as for a lookup.

    Returns:
        The registered name, in lower case and without a trailing dot; the longest one if several
        match; `None` if none matches.

    Raises:
        TypeError: the name is not a `str`.

    >>> special_use("Www.Example.COM."), special_use("localhost"), special_use("notlocal")
    ('example.com', 'localhost', None)
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be a str, not {type(name).__name__}")
    labels = mapped(decode_host(name)).lower().removesuffix(".").rsplit(".", MOST_LABELS)
    labels = labels[-MOST_LABELS:]
    suffixes = (".".join(labels[start:]) for start in range(len(labels)))
    return next((suffix for suffix in suffixes if suffix in SPECIAL_USE_NAMES), None)
