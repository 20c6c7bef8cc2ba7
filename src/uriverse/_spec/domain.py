"""Domain names in ASCII: IDNA 2008, after the mapping of UTS 46, by the `idna` package.

[RFC 3987, 3.1](https://www.rfc-editor.org/rfc/rfc3987#section-3.1) has it as an
alternative to percent-encoding, for hosts that are domain names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar
from unicodedata import bidirectional

import idna

from uriverse.carets import visible
from uriverse.errors import ConvertError

from .percent import with_characters_decoded

T = TypeVar("T")

#: What separates labels: UTS 46 takes the last three for a dot.
SEPARATOR = re.compile("[.\u3002\uff0e\uff61]")

#: What a label in ASCII is made of: letters, digits and hyphens (RFC 5890, 2.3.1), and the
#: underscore, which names of services have (RFC 8552). The mapping has made it lower case.
IN_ASCII = re.compile("[a-z0-9_-]*")

#: The longest label, and the longest name without its last dot, in octets (RFC 1035, 2.3.4).
LONGEST_LABEL = 63
LONGEST_NAME = 253

#: The longest text that is looked at. The mapping makes names shorter, as it ignores some
#: characters; but none that means to be a name has so many of them.
LONGEST_TEXT = 1024

ACE_PREFIX = "xn--"

#: The directions of characters that make a name one to which RFC 5893 applies.
RIGHT_TO_LEFT = {"R", "AL", "AN"}


class Label(NamedTuple):
    """A label as it is given, where it begins in the domain, and what it is mapped to."""

    text: str
    start: int
    mapped: str


def to_ascii(domain: str) -> str:
    """A domain name as it is looked up.

    Only names that have labels past ASCII are to be given: of others, the text is the name.

    Raises:
        ConvertError: a label is none of IDNA 2008; its `text` is the domain.

    >>> to_ascii("Bücher.example")
    'xn--bcher-kva.example'
    """
    if len(domain) > LONGEST_TEXT:
        raise reject(domain, 0, f"a domain name has at most {LONGEST_NAME} octets")
    labels = labels_of(domain)
    rooted = len(labels) > 1 and labels[-1].text == ""
    if rooted:
        del labels[-1]
    name = ".".join(ascii_label(domain, label) for label in labels)
    if len(name) > LONGEST_NAME:
        raise reject(domain, 0, f"the domain name has more than {LONGEST_NAME} octets")
    labels = [label._replace(mapped=told(domain, label, decoded)) for label in labels]
    if any(bidirectional(c) in RIGHT_TO_LEFT for label in labels for c in label.mapped):
        for label in labels:
            # In a name with such a label, all of them are to keep the rule (RFC 5893, 2).
            told(domain, label, lambda text: idna.check_bidi(text, check_ltr=True))
    return f"{name}." if rooted else name


def domain_in_ascii(host: str) -> str:
    """A host past ASCII as a domain name in ASCII, where it has one ([RFC 3987, 5.3.3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-5.3.3

    Args:
        host: as a URI has it, and so with what is past ASCII percent-encoded.

    Returns:
        What `to_ascii` makes of it; the host as it is given where that fails, or where
        nothing is percent-encoded.

    >>> domain_in_ascii("B%C3%BCcher.example"), domain_in_ascii("a%23b")
    ('xn--bcher-kva.example', 'a%23b')
    """
    if "%" not in host:
        return host
    try:
        return to_ascii(with_characters_decoded(host, "host", upper=True))
    except ValueError:  # as the errors here are
        return host


def labels_of(domain: str) -> list[Label]:
    """The labels of a domain, mapped by UTS 46; more than are given, where one maps to a dot."""
    found: list[Label] = []
    start = 0
    for text in SEPARATOR.split(domain):
        if "%" in text:
            # No label contains it, and the error of `idna` would quote encoded passwords.
            raise reject(domain, start, 'a domain name cannot contain "%"')
        label = Label(text, start, text)
        # The mapping makes a slash of U+FF0F. So what it makes is looked at afterwards; its
        # own rules for that (`std3_rules`) would refuse underscores.
        mapped = told(domain, label, lambda text: idna.uts46_remap(text, std3_rules=False))
        found += [label._replace(mapped=part) for part in mapped.split(".")]
        start += len(text) + 1
    return found


def ascii_label(domain: str, label: Label) -> str:
    """A label as it is looked up."""
    found = label.mapped
    if not found:
        raise reject(domain, label.start, naming(label, "it is empty"))
    if not found.isascii():
        found = told(domain, label, lambda text: idna.alabel(text).decode())
    elif not IN_ASCII.fullmatch(found) or not told(domain, label, leads_back):
        raise reject(domain, label.start, naming(label, f'it would be "{found}"'))
    if len(found) > LONGEST_LABEL:
        reason = f"it has more than {LONGEST_LABEL} octets"
        raise reject(domain, label.start, naming(label, reason))
    return found


def decoded(label: str) -> str:
    """What an A-label encodes; another label as it is."""
    return idna.ulabel(label) if label.startswith(ACE_PREFIX) else label


def leads_back(label: str) -> bool:
    """Whether a label is what it encodes, encoded; not if it seems to be an A-label only."""
    return not label.startswith(ACE_PREFIX) or idna.alabel(idna.ulabel(label)) == label.encode()


def told(domain: str, label: Label, act: Callable[[str], T]) -> T:
    """What `idna` makes of a mapped label, or our error with its words."""
    try:
        return act(label.mapped)
    except ValueError as error:  # the errors of `idna` are such, of Unicode
        raise reject(domain, label.start, naming(label, str(error))) from None


def naming(label: Label, why: str) -> str:
    return f'the label "{visible(label.text)}" is not one of a domain name: {visible(why)}'


def reject(domain: str, start: int, reason: str) -> ConvertError:
    hint = "percent-encode the host instead, if it is no domain name"
    return ConvertError(domain, start, "host", "ireg-name", reason, hint)


def to_unicode(label: str) -> str:
    """A label as people write it, where that leads back to the same; else as it is given.

    >>> to_unicode("xn--bcher-kva"), to_unicode("xn--a")
    ('bücher', 'xn--a')
    """
    if not label.lower().startswith(ACE_PREFIX) or len(label) > LONGEST_LABEL:
        return label
    try:
        shown = idna.ulabel(label)
        return shown if to_ascii(shown) == label.lower() else label
    except ValueError:  # as the errors of `idna` are, and ours
        return label
