"""Convert domain names to ASCII: IDNA 2008 after the UTS 46 mapping, using the `idna` package.

For hosts that are domain names, RFC 3987, 3.1, allows this instead of percent-encoding. Labels that
are not too long are cached, because the same ones occur in many hosts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple
from unicodedata import bidirectional, category, is_normalized

import idna

from uriverse._errors import ConvertError, escape_unprintable
from uriverse._lazy import lazy_pattern
from uriverse._redaction import redact_invalid, redact_message

from .percent import decode_iri_characters

#: Label separators: UTS 46 maps the last three to a dot.
SEPARATOR = lazy_pattern("[.\u3002\uff0e\uff61]")

LABEL = lazy_pattern("[^.\u3002\uff0e\uff61]+")

#: The characters of an ASCII label: letters, digits and hyphens (RFC 5890, 2.3.1), and the
#: underscore, which occurs in service names (RFC 8552). The UTS 46 mapping has already converted
#: letters to lower case.
ASCII_LABEL = lazy_pattern("[a-z0-9_-]*")

#: The maximum length of a label, and of a name without its trailing dot, in octets (RFC 1035,
#: 2.3.4).
LONGEST_LABEL = 63
LONGEST_NAME = 253

#: The longest domain name that is accepted as input. The mapping may remove characters, so a longer
#: input can have a shorter result, but real names do not contain that many removable characters.
LONGEST_TEXT = 1024

#: The reason of the error for a name that is too long.
NAME_TOO_LONG = f"domain name too long: the limit is {LONGEST_NAME} octets"

#: The hint of all errors.
NOT_A_DOMAIN = "percent-encode the host if it is not a domain name"

#: The number of labels whose results are cached.
CACHED_LABELS = 4096

ACE_PREFIX = "xn--"

#: The bidirectional classes whose presence makes the Bidi rule of RFC 5893 apply to a name.
RIGHT_TO_LEFT = {"R", "AL", "AN"}


class Label(NamedTuple):
    """A label of a domain name in ASCII, or the reason why the label is invalid."""

    ascii: str = ""
    #: Why the UTS 46 mapping rejects the label, and why it is invalid after the mapping.
    mapping_error: str = ""
    error: str = ""
    #: How the label violates the Bidi rule (RFC 5893, 2).
    bidi_error: str = ""
    is_right_to_left: bool = False


def to_ascii(domain: str) -> str:
    """Convert a domain name for a DNS lookup; raise `ConvertError` if it is invalid.

    >>> to_ascii("Bücher.example")
    'xn--bcher-kva.example'
    """
    if len(domain) > LONGEST_TEXT:
        raise ConvertError(domain, 0, "host", "ireg-name", NAME_TOO_LONG, NOT_A_DOMAIN)
    texts = SEPARATOR.split(domain)
    rooted = len(texts) > 1 and texts[-1] == ""
    if rooted:
        del texts[-1]
    labels: list[tuple[int, Label]] = []
    start = 0
    for text in texts:
        labels += [(start, label) for label in convert_label(text)]
        start += len(text) + 1
    raise_first_error(domain, ((start, label.mapping_error) for start, label in labels))
    raise_first_error(domain, ((start, label.error) for start, label in labels))
    name = ".".join([label.ascii for _, label in labels])
    if len(name) > LONGEST_NAME:
        raise ConvertError(domain, 0, "host", "ireg-name", NAME_TOO_LONG, NOT_A_DOMAIN)
    if any(label.is_right_to_left for _, label in labels):
        # If one label contains right-to-left characters, all labels must satisfy the Bidi rule
        # (RFC 5893, 2).
        raise_first_error(domain, ((start, label.bidi_error) for start, label in labels))
    return f"{name}." if rooted else name


def convert_encoded_host(host: str) -> str:
    """Convert a percent-encoded host as `to_ascii` does, if possible (RFC 3987, 5.3.3).

    >>> convert_encoded_host("B%C3%BCcher.example"), convert_encoded_host("a%23b")
    ('xn--bcher-kva.example', 'a%23b')
    """
    if "%" not in host:
        return host
    try:
        return to_ascii(decode_iri_characters(host, "host", upper=True))
    except ValueError:  # the base class of all possible errors
        return host


def convert_label(text: str) -> tuple[Label, ...]:
    """Convert a label of a domain name; if its mapping contains dots, return several labels."""
    # A label with a "%" is never valid, and may be part of a percent-encoded password.
    is_cached = len(text) <= LONGEST_LABEL and "%" not in text
    return map_label(text) if is_cached else map_label.__wrapped__(text)


@lru_cache(CACHED_LABELS)
def map_label(text: str) -> tuple[Label, ...]:
    if "%" in text:
        # No label can contain "%". Reject it here, because an error message of `idna` would quote
        # the label, which may be part of a percent-encoded password.
        return (Label(mapping_error='invalid character "%" in domain name'),)
    try:
        # The mapping converts U+FF0F to "/", so `convert_to_a_label` validates the result. The
        # option `std3_rules` of `idna` would also reject underscores.
        mapped = idna.uts46_remap(text, std3_rules=False)
    except ValueError as error:  # the base class of the errors of `idna`
        return (Label(mapping_error=format_label_reason(text, str(error))),)
    return tuple(validate_label(text, part) for part in mapped.split("."))


def validate_label(text: str, mapped: str) -> Label:
    """Validate a label after the UTS 46 mapping; `text` is the label before it, for errors."""
    try:
        a_label = convert_to_a_label(mapped)
    except ValueError as error:
        return Label(error=format_label_reason(text, str(error)))
    u_label = idna.ulabel(mapped) if mapped.startswith(ACE_PREFIX) else mapped
    # Only an error if another label is written from right to left (RFC 5893, 2), so store it.
    bidi_error = ""
    try:
        idna.check_bidi(u_label, check_ltr=True)
    except ValueError as error:
        bidi_error = format_label_reason(text, str(error))
    is_right_to_left = any(bidirectional(c) in RIGHT_TO_LEFT for c in u_label)
    return Label(a_label, bidi_error=bidi_error, is_right_to_left=is_right_to_left)


def convert_to_a_label(mapped: str) -> str:
    """Convert a mapped label, such as `bücher`; raise `idna.IDNAError` if it is invalid."""
    if not mapped:
        raise idna.IDNAError("the label is empty")
    if mapped.isascii():
        label = mapped
        if not ASCII_LABEL.fullmatch(label) or not is_restorable_label(label):
            raise idna.IDNAError(f'the ASCII form "{label}" is invalid')
    else:
        label = idna.alabel(mapped).decode()
    if len(label) > LONGEST_LABEL:
        raise idna.IDNAError(f"the limit is {LONGEST_LABEL} octets")
    return label


def is_restorable_label(label: str) -> bool:
    """Return whether decoding and encoding an A-label restores it; true for other labels."""
    return not label.startswith(ACE_PREFIX) or idna.alabel(idna.ulabel(label)) == label.encode()


def format_label_reason(label: str, idna_reason: str) -> str:
    # A program may pass a URL where a host is expected, and `idna` may quote it.
    safe_label = escape_unprintable(redact_invalid(label))
    safe_reason = escape_unprintable(redact_message(idna_reason))
    return f'invalid label "{safe_label}" in domain name: {safe_reason}'


def raise_first_error(domain: str, errors: Iterable[tuple[int, str]]) -> None:
    """Raise an error for the first reason that is not `""`, in pairs of a position and a reason."""
    for start, reason in errors:
        if reason:
            raise ConvertError(domain, start, "host", "ireg-name", reason, NOT_A_DOMAIN)


def to_unicode(label: str) -> str:
    """Decode a valid A-label (`xn--...`); return any other label unchanged."""
    is_a_label = label[: len(ACE_PREFIX)].lower() == ACE_PREFIX and len(label) <= LONGEST_LABEL
    return decode_a_label(label) if is_a_label else label


@lru_cache(CACHED_LABELS)
def decode_a_label(label: str) -> str:
    try:
        u_label = idna.ulabel(label)
        return u_label if to_ascii(u_label) == label.lower() else label
    except ValueError:  # the base class of the errors of `idna` and `to_ascii`
        return label


def get_normal_form_test() -> Callable[..., bool]:
    return is_normalized


def classify_character(character: str) -> int:
    """Return the code point to which UTS 46 maps a character, times 8, plus its kind.

    The kinds are: 1, not mapped to a single code point; 2, ASCII, or a letter or digit that is
    written from left to right; 3, a mark with that direction; 4, a mark without a direction; 5, a
    letter that is written from right to left; 6, others; 7, not allowed in any label.

    For the kernel, a label in Normalization Form C that does not begin with a mark is valid if it
    consists of characters of the kinds 2 to 4, lower-case ASCII letters, digits and hyphens that
    RFC 5891, 4.2.3.1, allows. It is also valid if it consists of the kinds 4 and 5.

    >>> [divmod(classify_character(c), 8) for c in "éÉא☃ﬁ"]
    [(233, 2), (233, 2), (1488, 5), (9731, 7), (64257, 1)]
    """
    try:
        mapped = idna.uts46_remap(character, std3_rules=False)
    except ValueError:
        mapped = ""
    if len(mapped) != 1 or mapped == ".":  # a dot separates labels
        return 8 * ord(character) + 1
    code = 8 * ord(mapped)
    if mapped.isascii():
        return code + 2
    is_mark = category(mapped).startswith("M")
    try:
        # IDNA 2008 allows characters everywhere, nowhere or only in certain contexts. This label is
        # no such context for any character, except for the digits from U+06F0 to U+06F9.
        idna.check_label(f"a{mapped}" if is_mark else mapped)
    except idna.InvalidCodepoint:
        return code + 7
    except ValueError:
        return code + 6
    kinds = {"L": 3, "NSM": 4} if is_mark else {"L": 2, "R": 5, "AL": 5}
    return code + kinds.get(bidirectional(mapped), 6)
