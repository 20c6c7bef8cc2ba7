"""Compare the domain names to which IDNA 2003, IDNA 2008 and UTS 46 convert a host name."""

from __future__ import annotations

from unicodedata import decomposition, normalize

from uriverse._spec.domain import SEPARATOR, to_unicode


def converts_alike(name: str, domain: str) -> bool:
    """Return whether IDNA 2003 and IDNA 2008 convert a host name to the same domain as UTS 46.

    IDNA 2008 converts only lower-case names, so the name is first mapped as [RFC 5895, 2][1] says.

    [1]: https://www.rfc-editor.org/rfc/rfc5895#section-2

    Args:
        name: a host name.
        domain: the result of `to_ascii` for the name.

    >>> converts_alike("B\u00fccher.example", "xn--bcher-kva.example")
    True
    >>> converts_alike("fa\u00df.example", "xn--fa-hia.example")
    False
    """
    return all(
        text.isascii() or (in_idna_2003(text) == label and in_rfc_5895(text) == to_unicode(label))
        for text, label in set(zip(SEPARATOR.split(name), domain.split("."), strict=False))
    )


def in_idna_2003(label: str) -> str:
    """Convert a label as [RFC 3490, 4.1][1] says; return `""` if the label is invalid.

    [1]: https://www.rfc-editor.org/rfc/rfc3490#section-4.1

    >>> in_idna_2003("Fa\u00df"), in_idna_2003("\u1c90")
    ('fass', '')
    """
    from encodings.idna import ToASCII  # late: few hosts need its tables
    from stringprep import in_table_a1

    # Python maps letters to lower case by the latest version of Unicode. IDNA 2003 uses
    # Unicode 3.2, in which some of these letters do not exist.
    if any(in_table_a1(c) for c in set(label.lower()) ^ set(label)):
        return ""
    try:
        return ToASCII(label).decode()
    except UnicodeError:
        return ""


def in_rfc_5895(label: str) -> str:
    """Map a label to lower case, to characters of the usual width, and to Normalization Form C.

    >>> in_rfc_5895("\uff22\u00dc\ufb01")
    'b\u00fc\ufb01'
    """
    lower = label.lower()
    return normalize("NFC", "".join(map(usual_width, lower)))


def usual_width(character: str) -> str:
    """Replace a full-width or half-width character with the character that it stands for."""
    odd = decomposition(character).startswith(("<wide>", "<narrow>"))
    return normalize("NFKC", character) if odd else character
