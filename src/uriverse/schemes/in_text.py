"""Patterns that recognize URIs without `//`, such as `mailto:` URIs, in running text."""

from __future__ import annotations

#: The start of a mail address, up to the first character after its "@". The length is limited, so
#: that searching a string with many scheme names takes linear time.
ADDRESS = r"[^\s<>\"/?#@]{1,200}@[\w\[]"

#: The schemes that are recognized without "//", and a pattern for the characters after the colon:
#: the beginning that the scheme's RFC requires. Anything else after the colon is probably prose,
#: code, a time of day or an XML name. Letters and digits of the grammar are ASCII (`(?a:...)`).
ROOTLESS = {
    "about": r"(?a:blank|config|legacy-compat|srcdoc)\b",
    "acct": ADDRESS,
    "blob": r"(?a:https?://|null/)[^\s/]",
    "cid": ADDRESS,
    "data": r"(?a:(?:[\w.+-]{1,127}/[\w.+-]{1,127})?(?:;[\w.%=+-]{1,127}){0,5}),",
    "did": r"(?a:[a-z0-9]{1,99}):\w",
    "doi": r"10\.[0-9]",
    "file": r"/[^\s/]",
    "geo": r"-?[0-9][0-9.]{0,30},-?[0-9]",
    "magnet": r"\?\w",
    "mailto": rf"(?:\?\w|{ADDRESS})",
    "mid": ADDRESS,
    "news": rf"(?:[\w+-]{{1,99}}\.\w|{ADDRESS})",
    "sip": ADDRESS,
    "sips": ADDRESS,
    "sms": r"\+?\(?[0-9]",
    "tag": r"[\w.@-]{1,255},[0-9]{4}\b",
    "tel": r"\+?\(?[0-9]",
    "urn": r"(?a:[a-z0-9][a-z0-9-]{0,31}):[^\s:]",
    "xmpp": ADDRESS,
}
