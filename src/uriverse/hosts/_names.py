"""Special-use domain names, from IANA's registry."""

from __future__ import annotations

from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES

from ._lookalikes import decode_host, mapped

#: The maximum number of labels in a special-use domain name.
MOST_LABELS = max(name.count(".") + 1 for name in SPECIAL_USE_NAMES)


def special_use(name: str, /) -> str | None:
    """Return the special-use domain that contains a host name, such as `local` for `printer.local`.

    Special-use domains ([RFC 6761][1]) do not belong to anyone, and most of them are not looked up
    in the public DNS: `localhost`, `local` (multicast DNS), `onion`, `home.arpa`, `test`,
    `invalid`, `example.com`, the reverse zones of private addresses, and others in
    [IANA's registry][2]. Other names that are common inside networks, such as `internal`, `lan` and
    `corp`, are not in the registry.

    [1]: https://www.rfc-editor.org/rfc/rfc6761
    [2]: https://www.iana.org/assignments/special-use-domain-names

    Args:
        name: a host name. Letter case and a trailing dot are ignored. Percent-encoded characters
            are decoded, and non-ASCII characters are mapped as before a DNS lookup.

    Returns:
        The special-use domain, in lower case and without a trailing dot. If several domains contain
        the name, the longest one. `None` if no special-use domain contains the name.

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
