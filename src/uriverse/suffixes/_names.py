"""Domain names in the forms in which they are compared with the rules of a list."""

from __future__ import annotations

from uriverse._spec.syntax import matches

#: A label with more characters cannot occur in the DNS, and so in no list of suffixes. The limit
#: keeps Punycode and Unicode normalization linear, which take quadratic time otherwise.
LONGEST_LABEL = 63


def domain_name(host: str) -> str | None:
    """Return a host in lower case, decoded and mapped by UTS 46; `None` if it is not a domain name.

    Domain names do not have empty labels, and they do not end in a number: browsers parse such a
    host as an IPv4 address. A dot at the end remains.
    """
    # Imported late, because typed URIs import this module.
    from uriverse.hosts import _lookalikes

    decoded = _lookalikes.decode_host(host)
    if not matches(decoded, "ireg-name"):
        return None
    labels = [normalized(label) for label in _lookalikes.mapped(decoded).lower().split(".")]
    own = labels[:-1] if len(labels) > 1 and not labels[-1] else labels
    return ".".join(labels) if all(own) and _lookalikes.number_of(own[-1]) is None else None


def normalized(label: str) -> str:
    """Return the Unicode normal form NFC of a label that is not too long."""
    from unicodedata import normalize  # late, as above

    return label if len(label) > LONGEST_LABEL else normalize("NFC", label)


def to_a_labels(name: str) -> str:
    """Convert the U-labels of a domain name or a rule to A-labels, without checking them."""
    return name if name.isascii() else ".".join(map(to_a_label, name.split(".")))


def to_a_label(label: str) -> str:
    if label.isascii() or len(label) > LONGEST_LABEL:
        return label
    return f"xn--{label.encode('punycode').decode()}"
