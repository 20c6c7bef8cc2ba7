"""Constants for query parameters: the separators, and the characters that are not encoded.

RFC 3986 does not divide a query into parameters. The URL standard defines them for HTML forms.
"""

ALPHA_DIGIT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

#: For each codec, the characters of names and values that are not percent-encoded. `form` is
#: `application/x-www-form-urlencoded` of the URL standard, 5.2, which also encodes a space as "+".
#: `rfc3986` keeps all characters that are allowed in a query, except for `sub-delims`, because any
#: of those may be a delimiter (RFC 3986, 2.2 and 3.4).
WRITTEN = {
    "form": ALPHA_DIGIT + "*-._",
    "rfc3986": ALPHA_DIGIT + "-._~:@/?",
}

#: The separators that can be used between parameters.
SEPARATORS = ("&", ";")
