"""The rules of `check` that come from specifications, such as the grammar and the scheme rules.

Other rules are for problematic Unicode characters, deprecated features and normal form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from uriverse._errors import ConvertError, ParseError, URIError, escape_unprintable
from uriverse._lazy import lazy_pattern
from uriverse._redaction import redact_component
from uriverse._spec.bidi import bidi_findings
from uriverse._spec.components import AllParts, split_all_parts
from uriverse._spec.domain import ACE_PREFIX
from uriverse._spec.messages import explain_named_component
from uriverse._spec.nfc import is_nfc
from uriverse._spec.normalization import lowercase_ascii
from uriverse._spec.syntax import compile_rule, matches
from uriverse._spec.violation import find_components, find_invalid_character
from uriverse._typed import contents_of, typed_class
from uriverse._uri import parse
from uriverse._uri.engine import is_uri
from uriverse.schemes._descriptors import scheme_function
from uriverse.schemes._violation import Found

from ._ambiguity import labels_of
from ._codes import CODES, MISLEADING
from ._parsed_text import ParsedText, Span

#: Unicode noncharacters: the last two code points of each plane, and 32 more.
NONCHARACTERS = {
    *map(chr, range(0xFDD0, 0xFDF0)),
    *(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)),
}

#: Private-use code points, and Unicode noncharacters, which may be percent-encoded.
PRIVATE_USE = lazy_pattern("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]+")
NONCHARACTER = lazy_pattern(
    f"[{''.join(sorted(NONCHARACTERS))}]|%EF%B7%(?:9[0-9A-F]|A[0-9A-F])"
    "|%(?:EF|F0%[9AB]F|F[123]%[89AB]F|F4%8F)%BF%B[EF]",
    re.IGNORECASE,
)

ZONE = lazy_pattern(r"\[[0-9A-Fa-f:.]++(%(?:25)?[^\]/?#]*+)\]")


def syntax(parsed: ParsedText) -> Iterator[Found]:
    """Report the first invalid character of each component ([RFC 3986, Appendix A][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#appendix-A
    """
    text = parsed.text
    if parsed.valid:
        return
    # For ASCII strings, the rules for URIs give the same findings, and compile faster.
    for part in find_components(text, iri=not text.isascii()):
        if compile_rule(part.rule).fullmatch(text, part.start, part.end):
            continue
        position = find_invalid_character(part.rule, text, part.start, part.end)
        end = min(position + 1, len(text))
        yield Found(
            "syntax", part.name, position, end, *explain_named_component(text, part.name, position)
        )


def scheme_rules(parsed: ParsedText) -> Iterator[Found]:
    """Report violations of the rules of a URI's scheme.

    If components are missing or not allowed, the scheme's own grammar is not checked. An IRI is
    converted to a URI first, because scheme rules apply to URIs ([RFC 3987, 6.4][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-6.4
    """
    if parsed.scheme_is_one:
        uri = parsed.uri
        grammar = chain(scheme_syntax(uri), own_findings(uri))
        for found in list(parts_of_scheme(uri)) or grammar:
            reference = found.reference or parsed.rules.reference
            yield parsed.from_uri(found)._replace(reference=reference)


def parts_of_scheme(parsed: ParsedText) -> Iterator[Found]:
    rules, parts, at = parsed.rules, parsed.parts, parsed.at
    if parts.host is None and rules.authority == "required":
        yield Found("authority-missing", "host", at.path, at.path)
    if parts.host is not None and rules.authority == "forbidden":
        yield Found("authority-misplaced", "host", at.authority - 2, at.path)
    if parts.host == "" and not rules.empty_host:
        yield Found("host-missing", "host", at.host, at.host)
    wanted = rules.path if parsed.valid else None
    if wanted and not matches(parts.path, wanted):
        yield Found("path-misshapen", *parsed.span_of("path"))
    allowed = {
        "userinfo": rules.userinfo != "forbidden",
        "query": rules.query,
        "fragment": rules.fragment,
    }
    for component, may_be in allowed.items():
        if getattr(parts, component) is not None and not may_be:
            yield Found(f"{component}-misplaced", *parsed.span_of(component))


def scheme_syntax(parsed: ParsedText) -> Iterator[Found]:
    """Report the first character that the scheme's own grammar does not allow."""
    typed = typed_class(parsed.scheme)
    if typed is None or not is_uri(parsed.text):
        return
    try:
        uri = typed(parsed.text)
    except ParseError as error:
        yield Found("scheme-syntax", *place_of(error), error.reason, error.hint or None)
        return
    try:
        for name in contents_of(uri):
            getattr(uri, name)
    except ConvertError as error:
        yield Found("content", *place_of(error), error.reason, error.hint or None)


def place_of(error: URIError) -> Span:
    return Span(error.component, error.position, min(error.position + 1, len(error.text)))


def own_findings(parsed: ParsedText) -> Iterator[Found]:
    """Report problems that are specific to a scheme, such as ignored header fields in `mailto`."""
    look = scheme_function(parsed.scheme, "findings")
    for found in () if look is None else look(parsed.text):
        yield found._replace(reference=found.reference or CODES[found.code].reference)


def unicode_text(parsed: ParsedText) -> Iterator[Found]:
    """Report problematic Unicode characters, such as those that change the direction of text.

    The rules are those of [RFC 3987, 4][1], for bidirectional text, and of RFC 3987, 5.3.2.2, for
    Unicode normalization.

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4
    """
    text = parsed.text
    for run in NONCHARACTER.finditer(text):
        yield Found("noncharacter", parsed.component_at(run.start()), *run.span())
    yield from misleading_host(parsed)
    if text.isascii():
        return
    for finding in bidi_findings(text):
        yield Found(finding.code, finding.component, finding.start, finding.end, finding.reason)
    for run in PRIVATE_USE.finditer(text):
        yield Found("private-use", parsed.component_at(run.start()), *run.span())
    if is_nfc(text):
        return
    for component, start, end in parsed.spans:
        if not is_nfc(text[start:end]):
            message = f"the {component} is not in Unicode Normalization Form C"
            yield Found("not-nfc", component, start, end, message)


def misleading_host(parsed: ParsedText) -> Iterator[Found]:
    """Report labels of a host that imitate other names, so that `display` shows them in ASCII."""
    host = parsed.parts.host or ""
    if not parsed.valid or (
        host.isascii() and "%" not in host and ACE_PREFIX not in lowercase_ascii(host)
    ):
        return
    from uriverse._uri.display import list_kept_labels  # late: few hosts need its tables

    labels = list(labels_of(host))
    for index, reason in list_kept_labels(parsed.text):
        label, start = (host, 0) if index is None else labels[index]
        begin = parsed.at.host + start
        message = f"{MISLEADING}: {reason}"
        yield Found("misleading-host", "host", begin, begin + len(label), message)


def deprecated(parsed: ParsedText) -> Iterator[Found]:
    """Report deprecated features: userinfo, passwords and zone identifiers."""
    userinfo, at = parsed.parts.userinfo, parsed.at
    if userinfo is not None and parsed.scheme_is_one and parsed.rules.userinfo == "deprecated":
        yield Found("userinfo", *parsed.span_of("userinfo"))
    name, _, password = (userinfo or "").partition(":")
    if password:
        start = at.authority + len(name) + 1
        yield Found("password", "userinfo", start, at.host - 1)
    if at.authority >= 0 and (zone := ZONE.match(parsed.text, at.host, at.path)):
        yield Found("zone-identifier", "host", *zone.span(1))


def form(parsed: ParsedText) -> Iterator[Found]:
    """Report valid URIs that are relative, not normalized or of an unregistered scheme."""
    at = parsed.at
    if at.scheme_end < 0:
        yield Found("relative", "scheme", 0, 0)
    elif parsed.scheme_is_one and parsed.scheme not in parsed.schemes:
        yield Found("unregistered-scheme", "scheme", 0, at.scheme_end)
    if parsed.valid:
        yield from not_normalized(parsed)


def not_normalized(parsed: ParsedText) -> Iterator[Found]:
    """Report each component that normalization changes, and suggest its normal form."""
    normal = split_all_parts(str(parse(parsed.text).normalize(scheme=parsed.schemes)))
    for component, part, form in zip(AllParts._fields, parsed.parts, normal, strict=True):
        if part is not None and part != form:
            suggestion = f"remove the {component}"
            if form is not None:
                wanted = f'"{shown(component, form)}"' if form else f"an empty {component}"
                suggestion = f"write {wanted}"
            message = f"the {component} is not in normal form"
            yield Found("not-normalized", *parsed.span_of(component), message, suggestion)


def shown(component: str, text: str) -> str:
    return escape_unprintable(redact_component(component, text))
