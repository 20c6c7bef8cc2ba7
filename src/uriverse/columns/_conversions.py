"""Column functions that convert, resolve and encode each row."""

# ruff: noqa: D417 - the front ends describe the inputs

from __future__ import annotations

from typing import Any, Literal, cast

from uriverse import percent
from uriverse._redaction import redact_text
from uriverse._spec.normalization import check_dot_segments
from uriverse._spec.sort_keys import compute_surt_key, reverse_labels
from uriverse.diagnosis import _repairing
from uriverse.schemes._normalization import choose_registry
from uriverse.schemes._registry import Registry
from uriverse.typing import Component, Level

from ._reference import LARGEST, check_added_scheme, is_unicode, parse_identifier, xxh64
from ._registry import column

# --- normalize and convert


def check_dot_segments_option(value: Any) -> Any:
    check_dot_segments(value)
    return value


def check_scheme_option(value: Any) -> bool | Registry:
    choose_registry(value)
    return cast("bool | Registry", value)


def prepare_normalization(scheme: bool | Registry, **steps: Any) -> tuple[Any, ...] | None:
    """Return `None` for another registry: the kernel only knows the rules of `SCHEMES`."""
    return None if isinstance(scheme, Registry) else (*steps.values(), scheme)


@column(
    {"HTTP://A:80/%7eb/../c": "http://a/c", "a b": None},
    options={"scheme": True},
    kernel=prepare_normalization,
    checks={"dot_segments": check_dot_segments_option, "scheme": check_scheme_option},
    sql_variants={"uri_normalize_scheme": {"scheme": True}},
)
def normalize(
    row: str,
    *,
    case: bool = True,
    percent_encoding: bool = True,
    dot_segments: bool | Literal["all"] = True,
    ipv6: bool = True,
    scheme: bool | Registry = False,
) -> str | None:
    """Convert each URI in a column to its normal form.

    Each option turns one step on or off, as in `IRIReference.normalize`. Only ASCII letters become
    lowercase.

    The normal form of a URI is a URI, and the normal form of an IRI is an IRI, so `/caf%C3%A9` and
    `/café` have different normal forms. To group URIs with the IRIs that map to them, use
    `fingerprint`, or convert the column with `to_uri` first.

    See [RFC 3986, sections 6.2.2 and 6.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2).

    Args:
        case: whether to lowercase schemes and hosts, and uppercase percent-encoded triplets.
        percent_encoding: whether to decode percent-encoded unreserved characters.
        dot_segments: whether to remove dot segments from URIs whose path starts with `/`. Relative
            references keep them. `"all"` also removes them from rootless paths.
        ipv6: whether to write IPv6 addresses in the form that RFC 5952 recommends.
        scheme: whether to also apply the rules of the scheme, such as removing its default port.
            `True` applies the rules in `uriverse.SCHEMES`. A `Registry` applies its own; the
            function is then slower, because it runs without the compiled kernel.

    Returns:
        The normal form; null if the row is null or invalid.
    """
    return str(
        parse_identifier(row).normalize(
            case=case,
            percent_encoding=percent_encoding,
            dot_segments=dot_segments,
            ipv6=ipv6,
            scheme=scheme,
        )
    )


@column(
    {"http://a.example/b c": "http://a.example/b%20c", "http:/a.example/b c": None},
    checks={"scheme": check_added_scheme},
)
def repair(
    row: str, *, iri: bool = False, scheme: str | None = None, slashes: bool = False
) -> str | None:
    """Turn each malformed string in a column into a valid URI.

    Each string is repaired with `uriverse.repair`. A row that is a valid URI or relative reference
    is returned unchanged, unless `scheme` or `slashes` applies to it: `www.example.com/a` is a
    valid relative reference, and so is `//a.example/b`.

    Args:
        iri: whether to keep the non-ASCII characters that are allowed in an IRI.
        scheme: a scheme to add to strings that start with `//` or a host; `None` to add none.
        slashes: whether to replace the slashes and backslashes before the host of an `http`,
            `https`, `ws`, `wss` or `ftp` URI with `//`, as in `http:/a.example`.

    Returns:
        The URI or relative reference; null if the row is null or cannot be repaired.
    """
    return str(_repairing.repair(row, iri=iri, scheme=scheme, slashes=slashes))


def prepare_host_option(host: str) -> tuple[Any, ...]:
    return (host == "idna",)


@column(
    {"http://bücher.example/é": "http://xn--bcher-kva.example/%C3%A9"},
    options={"host": "idna"},
    kernel=prepare_host_option,
)
def to_uri(row: str, *, host: Literal["percent", "idna"] = "percent") -> str | None:
    """Convert each IRI in a column to a URI.

    A row that is a URI already is returned unchanged.

    See [RFC 3987, section 3.1](https://www.rfc-editor.org/rfc/rfc3987#section-3.1).

    Args:
        host: how to convert hosts: `"percent"` converts non-ASCII characters to percent-encoded
            ones and back, `"idna"` converts U-labels to A-labels (`xn--...`) and back.

    Returns:
        The URI; null if the row is null or invalid. With `host="idna"`, also null if the host is
        not a valid internationalized domain name.
    """
    return str(parse_identifier(row).to_uri(host=host))


@column({"//xn--9ca/%C3%A9%2F": "//é/é%2F"}, options={"host": "idna"}, kernel=prepare_host_option)
def to_iri(row: str, *, host: Literal["percent", "idna"] = "percent") -> str | None:
    """Convert each URI in a column to an IRI.

    Percent-encoded triplets are decoded if together they represent a non-ASCII character that is
    allowed in an IRI. All others stay encoded, such as `%61` (`a`).

    See [RFC 3987, section 3.2](https://www.rfc-editor.org/rfc/rfc3987#section-3.2).

    Args:
        host: how to convert hosts: `"percent"` converts non-ASCII characters to percent-encoded
            ones and back, `"idna"` converts U-labels to A-labels (`xn--...`) and back.

    Returns:
        The IRI; null if the row is null or invalid. With `host="idna"`, a host keeps its A-labels
        if `to_uri` would not restore it exactly.
    """
    return str(parse_identifier(row).to_iri(host=host))


# --- resolve and relativize references


@column({"d": "http://a/b/d", "../e": "http://a/e", "%": None}, base="http://a/b/c")
def resolve(base: str, reference: str, *, strict: bool = True) -> str | None:
    """Resolve each reference in a column against a base URI.

    See [RFC 3986, section 5](https://www.rfc-editor.org/rfc/rfc3986#section-5).

    Args:
        strict: whether to resolve strictly. If false, a reference with the scheme of the base is
            resolved as if it had no scheme: `http:g` becomes `g` (RFC 3986, 5.4.2).

    Returns:
        The target URI; null if the reference or the base is null or invalid, or if the base has no
        scheme.
    """
    return str(parse_identifier(base).resolve(parse_identifier(reference), strict=strict))


@column({"http://a/b/d": "d", "http://a/e": "/e"}, base="http://a/b/c")
def relativize(row: str, base: str, *, walk_up: bool = True) -> str | None:
    """Convert each URI in a column to the shortest reference relative to a base URI.

    Resolving the result against the base returns the original URI.

    Args:
        walk_up: whether references may leave the directory of the base. If false, references
            contain no `..` and start with neither a slash nor a scheme.

    Returns:
        The reference; null if the URI or the base is null, is invalid or has no scheme, or if no
        reference resolves to the URI.
    """
    return str(parse_identifier(row).relative_to(parse_identifier(base), walk_up=walk_up))


@column(
    {"../a/": "../a/c?d", "/a/b": "/a/c?d", "%": None}, base="c?d", kernel=None, relative_other=True
)
def then(row: str, other: str) -> str | None:
    """Combine each relative reference in a column with a second one.

    Resolving the result gives the same URI as resolving first the reference in the column and then
    the other; see `URIReference.then`.

    See [RFC 3986, section 5.2](https://www.rfc-editor.org/rfc/rfc3986#section-5.2).

    Returns:
        The combined reference; null if one of the two references is null or invalid.
    """
    return str(parse_identifier(row).then(parse_identifier(other)))


# --- sort, group and join


@column({"http://www.Example.org/": "org.example.www", "http://127.0.0.1/": "127.0.0.1"})
def reversed_host(row: str) -> str | None:
    """Return the host name of each URI in a column, with its labels in reverse order.

    Reversed host names sort and group by domain. ASCII letters are converted to lower case. IP
    addresses are not reversed and are written without brackets.

    Returns:
        The reversed `hostname`; null if the row is null, is invalid or has no host.
    """
    value = parse_identifier(row)
    name = value.hostname
    return reverse_labels(name) if value.host_kind == "reg-name" and name else name


@column(
    {
        "http://www.Example.org:80/a?b#c": "org,example,www)/a?b",
        "urn:isbn:0451450523": "urn:isbn:0451450523",
    }
)
def surt(row: str) -> str | None:
    """Return the sort key (SURT) of each URI in a column, for sorting by domain.

    Web archives sort their indexes by such keys, called SURT (Sort-friendly URI Reordering
    Transform). The function first converts an IRI to a URI, as `to_uri` does, and normalizes the
    URI, as `normalize(scheme=True)` does. The key then consists of the host labels in reverse
    order, separated by commas; a colon and the port, unless it is the default; a closing
    parenthesis; the path; and the query. The scheme, the userinfo and the fragment are omitted. The
    key of a URI without a host is the normalized URI without its fragment.

    Web archives also remove `www.` and session identifiers, and sort query parameters. This
    function does not, so that URLs with different paths or queries have different keys.

    The labels are those of the URI: non-ASCII characters of a host are percent-encoded, and
    A-labels and a trailing dot stay. `bücher.example` and `xn--bcher-kva.example` therefore have
    different keys. To get one key, convert the column with `to_uri(host="idna")` first.

    To group URLs by site, sort them by `registrable_domain` first: keys of other domains can stand
    between the keys of a domain, such as `com,example-b)/` between `com,example)/` and
    `com,example:81)/`.

    Returns:
        The key; null if the row is null, is invalid, or has neither a scheme nor a host.
    """
    return compute_surt_key(str(parse_identifier(row).to_uri().normalize(scheme=True)))


@column(
    {"http://a/%7e": -3012858504306083358, "HTTP://A/~": -3012858504306083358, "http://a/%": None}
)
def fingerprint(row: str, level: Level = "syntax") -> int | None:
    """Return a 64-bit hash of each URI in a column; equivalent URIs have the same hash.

    Use fingerprints to join, group and deduplicate URIs: integers are cheaper to compare than
    strings. The fragment is part of the URI: `/a` and `/a#b` have different fingerprints. Null and
    invalid rows have no fingerprint, so a query that groups by fingerprints puts all of them in one
    group.

    The fingerprint is the [XXH64](https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md)
    hash, with seed 0, of the UTF-8 bytes of `IRIReference.comparison_key(level)`. A program that
    has the comparison key can compute the same number with any XXH64 library. Fingerprints do not
    change between versions of uriverse, with one exception: at `level="scheme"`, the fingerprints
    of a scheme change when a version adds rules for that scheme. The changelog announces such
    changes.

    Collisions are possible: among a billion URIs that are not equivalent, the chance of at least
    one collision is about 3 %.

    Args:
        level: the level of equivalence, as in `IRIReference.equivalent`.

    Returns:
        The hash as a signed 64-bit integer; null if the row is null or invalid.
    """
    key = xxh64(parse_identifier(row).comparison_key(level).encode())
    # Return a signed integer, because some Arrow consumers lack unsigned integers.
    return key - 2**64 if key > LARGEST else key


# --- percent-encode and decode


@column({"a b/é": "a%20b%2F%C3%A9", None: None}, options={"component": "segment"})
def encode(row: str, component: Component, *, iri: bool = False) -> str | None:
    """Percent-encode each string in a column for use in a URI component.

    Each row is encoded as by `uriverse.percent.encode`.

    Args:
        component: the component that the strings are for, as in `uriverse.percent.encode`.
        iri: whether to keep the non-ASCII characters that are allowed in an IRI.

    Returns:
        The encoded string; null if the row is null or not valid UTF-8.
    """
    # A row that is not valid UTF-8 contains surrogate escapes here, and its result is null.
    return percent.encode(row, component, iri=iri) if is_unicode(row) else None


@column({"caf%C3%A9": "café", "%": None, "%FF": None})
def decode(
    row: str, errors: Literal["strict", "replace", "keep", "surrogateescape"] = "strict"
) -> str | None:
    """Percent-decode each string in a column.

    Each row is decoded as by `uriverse.percent.decode`. Decode only single components, such as a
    path segment: in a whole URI, decoded characters could be mistaken for delimiters.

    Args:
        errors: how to handle decoded octets that are not valid UTF-8: `"strict"` makes the row
            null, `"replace"` writes U+FFFD, and `"keep"` leaves them percent-encoded.
            `"surrogateescape"` also makes the row null, because Arrow strings cannot contain
            surrogates.

    Returns:
        The decoded string; null if the row is null or not valid UTF-8, or if a percent sign is not
        followed by two hexadecimal digits.
    """
    decoded = percent.decode(row, errors)
    # Arrow strings cannot contain the surrogate escapes of invalid UTF-8.
    return decoded if is_unicode(decoded) else None


# --- write to logs


@column(
    {
        "http://xn--bcher-kva.example/%C3%A9": "http://bücher.example/é",
        "http://xn--80ak6aa92e.com/": "http://xn--80ak6aa92e.com/",
    }
)
def display(row: str) -> str | None:
    """Return each URI in a column in a readable form, without secrets.

    The result is that of `URI.display`: characters are percent-decoded and domain names are shown
    in Unicode, unless this could mislead people. Secrets are replaced with `REDACTED`. The string
    is for display only: it may be invalid, or differ from the URI.

    See [RFC 3987, section 4.1](https://www.rfc-editor.org/rfc/rfc3987#section-4.1).

    Returns:
        The readable form; null if the row is null or invalid.
    """
    return parse_identifier(row).display()


@column(
    {
        "https://me:pw@a/?token=1&b=2": "https://me:REDACTED@a/?token=REDACTED&b=2",
        "GET //a": "GET //a",
    }
)
def redact(row: str, *, usernames: bool = False, paths: bool = False) -> str | None:
    """Replace the secrets in each string in a column with `REDACTED`.

    Each row is a URI, valid or not, or any text that contains URIs. `uriverse.redact` explains
    which characters are secrets. All others stay the same.

    Args:
        usernames: whether to replace user names as well.
        paths: whether to replace secrets in paths as well, such as the keys of webhooks.

    Returns:
        The string without secrets; null if the row is null or not valid UTF-8.
    """
    return redact_text(row, usernames=usernames, paths=paths) if is_unicode(row) else None
