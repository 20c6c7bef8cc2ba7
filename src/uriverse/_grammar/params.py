"""How data is written in the parameters of a query: what stands there for itself.

No RFC says it: RFC 3986 knows a query as one text, and HTML has made parameters of it.
"""

ALPHA_DIGIT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

#: By codec, the characters of data that are not percent-encoded. `form` is that of
#: `application/x-www-form-urlencoded` in the URL standard (5.2), where a space is "+".
#: `rfc3986` has what a query can hold but the `sub-delims`, as any of those may delimit
#: (RFC 3986, 2.2 and 3.4).
WRITTEN = {
    "form": ALPHA_DIGIT + "*-._",
    "rfc3986": ALPHA_DIGIT + "-._~:@/?",
}

#: What may stand between two parameters.
SEPARATORS = ("&", ";")
