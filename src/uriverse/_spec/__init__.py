"""The reference implementation: RFC 3986 and RFC 3987 with one small function per paragraph."""

#: The largest number of digits in conversions between strings and numbers. It is the lowest limit
#: that `sys.set_int_max_str_digits` accepts, so results do not depend on that setting.
LONGEST_NUMBER = 640

#: The names of grammars that callers can choose, with their start rules.
GRAMMARS: dict[str, str] = {
    "uri": "URI",
    "uri-reference": "URI-reference",
    "absolute-uri": "absolute-URI",
    "iri": "IRI",
    "iri-reference": "IRI-reference",
    "absolute-iri": "absolute-IRI",
}

#: The code points of bidirectional formatting characters, which are not allowed in IRIs (RFC 3987,
#: 4.1), as inclusive ranges. RFC 3987 lists LRM, RLM, and the five characters from LRE to RLO.
#: Unicode 6.3 added ALM and the four isolates to the same property, `Bidi_Control`.
BIDI_FORMATTING = ((0x61C, 0x61C), (0x200E, 0x200F), (0x202A, 0x202E), (0x2066, 0x2069))

BIDI_FORBIDDEN = "bidirectional formatting characters are not allowed in an IRI"
BIDI_MIXED = "the component mixes right-to-left and left-to-right characters"
BIDI_EDGE = "the right-to-left component does not start and end with right-to-left characters"

ALPHA_DIGIT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

#: For each codec of query parameters, the characters of names and values that are not
#: percent-encoded. `form` is `application/x-www-form-urlencoded` of the URL standard, 5.2, which
#: also encodes a space as "+". `rfc3986` keeps all characters that are allowed in a query, except
#: for `sub-delims`, because any of those may be a delimiter (RFC 3986, 2.2 and 3.4).
WRITTEN = {"form": ALPHA_DIGIT + "*-._", "rfc3986": ALPHA_DIGIT + "-._~:@/?"}

#: The separators that can be used between parameters.
SEPARATORS = ("&", ";")
