"""Convert domain names to ASCII: IDNA 2008 after the UTS 46 mapping, using the `idna` package.

For hosts that are domain names, [RFC 3987, 3.1][1] allows this instead of percent-encoding.

[1]: https://www.rfc-editor.org/rfc/rfc3987#section-3.1
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar
from unicodedata import bidirectional

import idna

from uriverse._patterns import lazy_pattern
from uriverse.carets import visible
from uriverse.errors import ConvertError

from .percent import with_characters_decoded

T = TypeVar("T")

#: Label separators: UTS 46 maps the last three to a dot.
SEPARATOR = lazy_pattern("[.\u3002\uff0e\uff61]")

#: The characters of an ASCII label: letters, digits and hyphens (RFC 5890, 2.3.1), and the
#: underscore, which occurs in service names (RFC 8552). The UTS 46 mapping has already converted
#: letters to lower case.
IN_ASCII = lazy_pattern("[a-z0-9_-]*")

#: The maximum length of a label, and of a name without its trailing dot, in octets (RFC 1035,
#: 2.3.4).
LONGEST_LABEL = 63
LONGEST_NAME = 253

#: The longest domain name that is accepted as input. The mapping may remove characters, so a longer
#: input can have a shorter result, but real names do not contain that many removable characters.
LONGEST_TEXT = 1024

#: The reason of the error for a name that is too long.
NAME_TOO_LONG = f"domain name too long: the limit is {LONGEST_NAME} octets"

ACE_PREFIX = "xn--"

#: The bidirectional classes whose presence makes the Bidi rule of RFC 5893 apply to a name.
RIGHT_TO_LEFT = {"R", "AL", "AN"}


class Label(NamedTuple):
    """A label as written, the index in the domain at which it begins, and its UTS 46 mapping."""

    text: str
    start: int
    mapped: str


def to_ascii(domain: str) -> str:
    """Convert a domain name to ASCII, as needed for a DNS lookup.

    An ASCII name is only validated and converted to lower case.

    Raises:
        ConvertError: a label is not valid in IDNA 2008. The attribute `text` of the error is the
            domain.

    >>> to_ascii("Bücher.example")
    'xn--bcher-kva.example'
    """
    if len(domain) > LONGEST_TEXT:
        raise reject(domain, 0, NAME_TOO_LONG)
    labels = labels_of(domain)
    rooted = len(labels) > 1 and labels[-1].text == ""
    if rooted:
        del labels[-1]
    name = ".".join(ascii_label(domain, label) for label in labels)
    if len(name) > LONGEST_NAME:
        raise reject(domain, 0, NAME_TOO_LONG)
    labels = [label._replace(mapped=mapped_by(domain, label, as_u_label)) for label in labels]
    if any(bidirectional(c) in RIGHT_TO_LEFT for label in labels for c in label.mapped):
        for label in labels:
            # If one label contains right-to-left characters, all labels must satisfy the Bidi rule
            # (RFC 5893, 2).
            mapped_by(domain, label, lambda text: idna.check_bidi(text, check_ltr=True))
    return f"{name}." if rooted else name


def domain_in_ascii(host: str) -> str:
    """Convert a percent-encoded host to an ASCII domain name if possible ([RFC 3987, 5.3.3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.3

    Args:
        host: the host of a URI, with percent-encoded non-ASCII characters.

    Returns:
        The result of `to_ascii`. If that fails, or if nothing is percent-encoded, the host itself.

    >>> domain_in_ascii("B%C3%BCcher.example"), domain_in_ascii("a%23b")
    ('xn--bcher-kva.example', 'a%23b')
    """
    if "%" not in host:
        return host
    try:
        return to_ascii(with_characters_decoded(host, "host", upper=True))
    except ValueError:  # the base class of all possible errors
        return host


def labels_of(domain: str) -> list[Label]:
    """Split a domain name into labels, and map each label by UTS 46.

    If the mapping of a label contains dots, that label is split again.
    """
    found: list[Label] = []
    start = 0
    for text in SEPARATOR.split(domain):
        if "%" in text:
            # No label can contain "%". Reject it here, because an error message of `idna` would
            # quote the label, which may be part of a percent-encoded password.
            raise reject(domain, start, 'invalid character "%" in domain name')
        label = Label(text, start, text)
        # The mapping converts U+FF0F to "/", so `ascii_label` validates the result. The option
        # `std3_rules` of `idna` would also reject underscores.
        mapped = mapped_by(domain, label, lambda text: idna.uts46_remap(text, std3_rules=False))
        found += [label._replace(mapped=part) for part in mapped.split(".")]
        start += len(text) + 1
    return found


def ascii_label(domain: str, label: Label) -> str:
    """Convert a label of a domain name to ASCII, such as `bücher` to `xn--bcher-kva`."""
    found = label.mapped
    if not found:
        raise reject(domain, label.start, naming(label, "the label is empty"))
    if not found.isascii():
        found = mapped_by(domain, label, lambda text: idna.alabel(text).decode())
    elif not IN_ASCII.fullmatch(found) or not mapped_by(domain, label, is_reversible):
        raise reject(domain, label.start, naming(label, f'the ASCII form "{found}" is invalid'))
    if len(found) > LONGEST_LABEL:
        reason = f"the limit is {LONGEST_LABEL} octets"
        raise reject(domain, label.start, naming(label, reason))
    return found


def as_u_label(label: str) -> str:
    """Decode an A-label (`xn--...`) to Unicode; return any other label unchanged."""
    return idna.ulabel(label) if label.startswith(ACE_PREFIX) else label


def is_reversible(label: str) -> bool:
    """Return whether decoding an A-label (`xn--...`) and encoding it again restores the label.

    Return true for labels that are not A-labels.
    """
    return not label.startswith(ACE_PREFIX) or idna.alabel(idna.ulabel(label)) == label.encode()


def mapped_by(domain: str, label: Label, act: Callable[[str], T]) -> T:
    """Call a function of the `idna` package with a label; convert errors to `ConvertError`."""
    try:
        return act(label.mapped)
    except ValueError as error:  # the base class of the errors of `idna`
        raise reject(domain, label.start, naming(label, str(error))) from None


def naming(label: Label, why: str) -> str:
    return f'invalid label "{visible(label.text)}" in domain name: {visible(why)}'


def reject(domain: str, start: int, reason: str) -> ConvertError:
    hint = "percent-encode the host if it is not a domain name"
    return ConvertError(domain, start, "host", "ireg-name", reason, hint)


def to_unicode(label: str) -> str:
    """Decode a label of a domain name to Unicode if it is a valid A-label (`xn--...`).

    Return any other label unchanged.

    >>> to_unicode("xn--bcher-kva"), to_unicode("xn--a")
    ('bücher', 'xn--a')
    """
    if not label.lower().startswith(ACE_PREFIX) or len(label) > LONGEST_LABEL:
        return label
    try:
        shown = idna.ulabel(label)
        return shown if to_ascii(shown) == label.lower() else label
    except ValueError:  # the base class of the errors of `idna` and `to_ascii`
        return label
