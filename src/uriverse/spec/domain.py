"""Domain names in ASCII: IDNA 2008, after the mapping of UTS 46, by the `idna` package.

[RFC 3987, 3.1](https://www.rfc-editor.org/rfc/rfc3987#section-3.1) has it as an
alternative to percent-encoding, for hosts that are domain names.
"""

from __future__ import annotations

import re

import idna

from uriverse.errors import ConvertError, visible

from .syntax import matches

#: What separates labels: UTS 46 takes the last three for a dot.
SEPARATOR = re.compile("[.\u3002\uff0e\uff61]")

#: The longest label, and the longest name without its last dot, in octets (RFC 1035, 2.3.4).
LONGEST_LABEL = 63
LONGEST_NAME = 253

#: The longest text that is looked at. The mapping makes names shorter, as it ignores some
#: characters; but none that means to be a name has so many of them.
LONGEST_TEXT = 1024

ACE_PREFIX = "xn--"


def to_ascii(domain: str) -> str:
    """A domain name as it is looked up.

    Only names that have labels past ASCII are to be given: of others, the text is the name.

    Raises:
        ConvertError: a label is none of IDNA 2008; its `text` is the domain.

    >>> to_ascii("Bücher.example")
    'xn--bcher-kva.example'
    """
    if len(domain) > LONGEST_TEXT:
        raise refused(domain, 0, f"a domain name has at most {LONGEST_NAME} octets")
    labels: list[str] = []
    start = 0
    for label in SEPARATOR.split(domain):
        last = start > 0 and start + len(label) == len(domain)
        if label or not last:  # an empty last label is the root's
            labels += ascii_labels(domain, start, label)
        else:
            labels.append("")
        start += len(label) + 1
    name = ".".join(labels)
    if len(name.removesuffix(".")) > LONGEST_NAME:
        raise refused(domain, 0, f"the domain name has more than {LONGEST_NAME} octets")
    return name


def ascii_labels(domain: str, start: int, label: str) -> list[str]:
    """A label that begins at `start`, in ASCII; more than one if it maps to a dot."""
    try:
        # The mapping makes a slash of U+FF0F. So what it makes is looked at below; its own
        # rules for that (`std3_rules`) would refuse underscores, which names have.
        mapped = idna.uts46_remap(label, std3_rules=False).split(".")
        found = [part if part.isascii() else idna.alabel(part).decode() for part in mapped]
        for part in found:
            if part.startswith(ACE_PREFIX):
                idna.ulabel(part)
    except UnicodeError as error:
        raise refused(domain, start, naming(label, str(error))) from None
    for part in found:
        if not part:
            raise refused(domain, start, naming(label, "it is empty"))
        if len(part) > LONGEST_LABEL:
            reason = f"it has more than {LONGEST_LABEL} octets"
            raise refused(domain, start, naming(label, reason))
        if not all(matches(c, "unreserved") for c in part):
            raise refused(domain, start, naming(label, f'it would be "{part}"'))
    return found


def naming(label: str, why: str) -> str:
    return f'the label "{visible(label)}" is not one of a domain name: {visible(why)}'


def refused(domain: str, start: int, reason: str) -> ConvertError:
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
    except (UnicodeError, ConvertError):
        return label
