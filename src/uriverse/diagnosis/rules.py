"""What documents say against an identifier: its syntax, its scheme, its text, its form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from uriverse.errors import ConvertError, ParseError, URIError, visible, without_passwords
from uriverse.identifiers import URI
from uriverse.identifiers.references import parse
from uriverse.schemes import view_of
from uriverse.spec.bidi import bidi_findings
from uriverse.spec.components import AllParts, all_parts
from uriverse.spec.domain import ACE_PREFIX
from uriverse.spec.nfc import is_nfc
from uriverse.spec.normalization import lower
from uriverse.spec.normalization import masked as masked_userinfo
from uriverse.spec.offence import components, stop
from uriverse.spec.ordinary import NONCHARACTERS
from uriverse.spec.percent import pct_decode
from uriverse.spec.reason import wording
from uriverse.spec.syntax import matches, pattern

from .ambiguity import labels_of
from .codes import CODES
from .subject import Found, Span, Subject

#: What Unicode has set aside: for private use, and for no use between programs.
PRIVATE_USE = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]+")
NONCHARACTER = re.compile(
    f"[{''.join(sorted(NONCHARACTERS))}]|%EF%B7%(?:9[0-9A-F]|A[0-9A-F])"
    "|%(?:EF|F0%[9AB]F|F[123]%[89AB]F|F4%8F)%BF%B[EF]",
    re.IGNORECASE,
)

ZONE = re.compile(r"\[[0-9A-Fa-f:.]++(%(?:25)?[^\]/?#]*+)\]")


def syntax(subject: Subject) -> Iterator[Found]:
    """The first wrong character of each component ([RFC 3986, Appendix A][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3986#appendix-A
    """
    text = subject.text
    if subject.valid:
        return
    for part in components(text, iri=True):
        if pattern(part.rule).fullmatch(text, part.start, part.end):
            continue
        position = stop(part.rule, text, part.start, part.end)
        _, reason, hint = wording(text, part, position)
        end = min(position + 1, len(text))
        yield Found("syntax", part.name, position, end, reason, hint or None)


def scheme_rules(subject: Subject) -> Iterator[Found]:
    """Find violations of the scheme's specification: wrong components or, if none, wrong syntax.

    An IRI must follow the rules in the form of the URI that it maps to ([RFC 3987, 6.4][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-6.4
    """
    if subject.scheme_is_one:
        uri = subject.uri
        grammar = chain(scheme_syntax(uri), informal_namespace(uri))
        for found in list(parts_of_scheme(uri)) or grammar:
            reference = found.reference or subject.rules.reference
            yield subject.from_uri(found)._replace(reference=reference)


def parts_of_scheme(subject: Subject) -> Iterator[Found]:
    """Parts that are missing, and those that are none of such an identifier."""
    rules, parts, at = subject.rules, subject.parts, subject.at
    if parts.host is None and rules.authority == "required":
        yield Found("authority-missing", "host", at.path, at.path)
    if parts.host is not None and rules.authority == "forbidden":
        yield Found("authority-misplaced", "host", at.authority - 2, at.path)
    if parts.host == "" and not rules.empty_host:
        yield Found("host-missing", "host", at.host, at.host)
    wanted = rules.path if subject.valid else None
    if wanted and not matches(parts.path, wanted):
        yield Found("path-misshapen", *subject.span_of("path"))
    allowed = {
        "userinfo": rules.userinfo != "forbidden",
        "query": rules.query,
        "fragment": rules.fragment,
    }
    for component, may_be in allowed.items():
        if getattr(parts, component) is not None and not may_be:
            yield Found(f"{component}-misplaced", *subject.span_of(component))


def scheme_syntax(subject: Subject) -> Iterator[Found]:
    """The first character that the scheme's own grammar does not produce."""
    view = view_of(subject.scheme)
    uri = URI.try_parse(subject.text) if view else None
    if view is None or uri is None:
        return
    try:
        seen = view(uri)
    except ParseError as error:
        yield Found("scheme-syntax", *place_of(error), error.reason, error.hint or None)
        return
    yield from ignored_fields(subject)
    try:
        for name in seen.CONTENTS:
            getattr(seen, name)
    except ConvertError as error:
        yield Found("content", *place_of(error), error.reason, error.hint or None)


def place_of(error: URIError) -> Span:
    """Where an error points at."""
    return Span(error.component, error.position, min(error.position + 1, len(error.text)))


def ignored_fields(subject: Subject) -> Iterator[Found]:
    """Header fields that whoever reads a mailto URI has to ignore ([RFC 6068, 3][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc6068#section-3
    """
    if subject.scheme != "mailto" or subject.parts.query is None:
        return
    from uriverse.spec.mailto import is_to_be_ignored  # for that scheme only

    start = subject.at.path_end + 1
    for hfield in subject.parts.query.split("&"):
        name = hfield.partition("=")[0]
        if is_to_be_ignored(pct_decode(name).decode(errors="replace")):
            place = ("query", start, start + len(name))
            yield Found("header-ignored", *place, reference=CODES["header-ignored"].reference)
        start += len(hfield) + 1


def unicode_text(subject: Subject) -> Iterator[Found]:
    """What is odd about the characters ([RFC 3987, 4][1] and 5.3.2.2).

    [1]: https://www.rfc-editor.org/rfc/rfc3987#section-4
    """
    text = subject.text
    for run in NONCHARACTER.finditer(text):
        yield Found("noncharacter", subject.component_at(run.start()), *run.span())
    yield from misleading_host(subject)
    if text.isascii():
        return
    for finding in bidi_findings(text):
        yield Found(finding.code, finding.component, finding.start, finding.end, finding.reason)
    for run in PRIVATE_USE.finditer(text):
        yield Found("private-use", subject.component_at(run.start()), *run.span())
    if is_nfc(text):
        return
    for component, start, end in subject.spans:
        if not is_nfc(text[start:end]):
            yield Found("not-nfc", component, start, end)


def misleading_host(subject: Subject) -> Iterator[Found]:
    """Report the host labels, or the whole host, that `display` keeps in ASCII."""
    host = subject.parts.host or ""
    if not subject.valid or (host.isascii() and "%" not in host and ACE_PREFIX not in lower(host)):
        return
    from uriverse.spec.display import kept_labels  # few hosts need its tables

    labels = list(labels_of(host))
    for index, reason in kept_labels(subject.text):
        label, start = (host, 0) if index is None else labels[index]
        begin = subject.at.host + start
        message = f"{CODES['misleading-host'].message}: {reason}"
        yield Found("misleading-host", "host", begin, begin + len(label), message)


def informal_namespace(subject: Subject) -> Iterator[Found]:
    """Report a NID that begins with "urn-" but is not an informal namespace ([RFC 8141, 5.2][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8141#section-5.2
    """
    nid, colon, _ = subject.parts.path.partition(":")
    if subject.scheme != "urn" or not colon:
        return
    from uriverse.spec.urn import is_reserved  # for that scheme only

    if is_reserved(nid):
        place = ("path", subject.at.path, subject.at.path + len(nid))
        message = 'IANA assigns NIDs that begin with "urn-", each with a number: this is not one'
        suggestion = "use a registered NID, or urn:example: in examples"
        yield Found("scheme-syntax", *place, message, suggestion, "RFC 8141, 5.2")


def deprecated(subject: Subject) -> Iterator[Found]:
    """What was allowed once."""
    userinfo, at = subject.parts.userinfo, subject.at
    if userinfo is not None and subject.scheme_is_one and subject.rules.userinfo == "deprecated":
        yield Found("userinfo", *subject.span_of("userinfo"))
    name, _, password = (userinfo or "").partition(":")
    if password:
        start = at.authority + len(name) + 1
        yield Found("password", "userinfo", start, at.host - 1)
    if at.authority >= 0 and (zone := ZONE.match(subject.text, at.host, at.path)):
        yield Found("zone-identifier", "host", *zone.span(1))


def form(subject: Subject) -> Iterator[Found]:
    """What is right, and could be better."""
    at = subject.at
    if at.scheme_end < 0:
        yield Found("relative", "scheme", 0, 0)
    elif subject.scheme_is_one and subject.scheme not in subject.schemes:
        yield Found("unregistered-scheme", "scheme", 0, at.scheme_end)
    if subject.valid:
        yield from not_normalized(subject)


def not_normalized(subject: Subject) -> Iterator[Found]:
    """What normalisation changes, and what it makes of it."""
    normal = all_parts(str(parse(subject.text).normalize(scheme=subject.schemes)))
    for component, part, form in zip(AllParts._fields, subject.parts, normal, strict=True):
        if part is not None and part != form:
            suggestion = "leave it out" if form is None else f"write {shown(component, form)}"
            yield Found("not-normalized", *subject.span_of(component), "", suggestion)


def shown(component: str, text: str) -> str:
    """A component as it can be told, without what may be a password."""
    if component == "userinfo":
        return visible(masked_userinfo(text))
    return visible(without_passwords(text))
