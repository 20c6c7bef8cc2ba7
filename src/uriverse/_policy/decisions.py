"""The result of `Policy.decide`, the errors of rejections, and the canonical form of a URI."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from uriverse._errors import ConvertError, ParseError, PolicyError, escape_unprintable
from uriverse._redaction import redact_userinfo
from uriverse._spec.domain import NAME_TOO_LONG
from uriverse._uri import URI, IRIReference, parse
from uriverse._uri.engine import get_bounds, redact
from uriverse.percent import decode

from .hosts import LONGEST_NAME, classify_host
from .rules import Rule


@dataclass(frozen=True, slots=True, repr=False)
class Decision:
    """The result of `Policy.decide`; true if the policy allows the URI.

    Attributes:
        allowed: whether the policy allows the URI.
        uri: the canonical URI, which is the one to connect to; `None` if the URI is rejected.
        rule: the first rule that allows the URI, or the deny rule that rejects it; `None` if no
            rule decides.
        code: the reason for a rejection as a code, as in a `PolicyError`; `""` if the URI is
            allowed.
        reason: the reason for a rejection, without secrets; `""` if the URI is allowed.
        hint: what would be allowed, or how to fix the URI; `""` without a hint.
        text: the string that was examined, unchanged. It may contain secrets: do not log it.

    >>> from uriverse import Policy
    >>> decision = Policy(deny=["example.com"]).decide("https://example.com/")
    >>> decision.allowed, decision.code, decision.rule
    (False, 'denied', Rule('example.com'))
    """

    __module__ = "uriverse"

    allowed: bool
    uri: URI | None
    rule: Rule | None
    code: str
    reason: str
    hint: str
    text: str

    def __bool__(self) -> bool:
        return self.allowed

    def __str__(self) -> str:
        # Any part of a rejected string may be a password, as in the message of an error.
        text = escape_unprintable(redact_userinfo(self.text, valid=self.allowed))
        if self.allowed:
            rule = f" (rule {redact(str(self.rule))})" if self.rule else ""
            return f"allowed: {text}{rule}"
        hint = f"; {self.hint}" if self.hint else ""
        return f"rejected: {text} ({self.code}): {self.reason}{hint}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


def describe_rejection(text: str, error: PolicyError, rules: Iterable[Rule]) -> Decision:
    rule = next((rule for rule in rules if str(rule) == error.denied_by), None)
    return Decision(False, None, rule, error.code, error.reason, error.hint, text)


#: The number of characters of the longest URI that a policy examines.
LONGEST_URI = 65_536


class Prohibition(NamedTuple):
    code: str
    reason: str


def parse_or_reject(text: str) -> IRIReference:
    reject_long_text(text)
    try:
        reference = parse(text)
    except ParseError as error:
        location = text, error.position, error.component, error.rule
        raise PolicyError(*location, error.reason, error.hint, code="syntax") from None
    reject_long_host(reference)
    return reference


def reject_long_text(text: str) -> None:
    if len(text) > LONGEST_URI:
        reason = f"URI too long: a policy examines at most {LONGEST_URI:,} characters"
        raise PolicyError(text, LONGEST_URI, "text", "too-long", reason, "", code="too-long")


def reject_long_host(reference: IRIReference) -> None:
    host = reference.host or ""
    if len(host) > LONGEST_NAME and len(decode(host, errors="replace")) > LONGEST_NAME:
        reject_uri(reference, "host-not-allowed", "host", NAME_TOO_LONG)


def canonicalize_uri(reference: IRIReference) -> URI:
    """Return the URI to connect to; reject hosts that are neither domain names nor addresses."""
    try:
        uri = reference.to_uri(host="idna").normalize(scheme=True)
    except ConvertError as error:
        reject_uri(reference, "host-not-allowed", "host", error.reason)
    assert isinstance(uri, URI), "an IRI has a scheme"
    if uri.host_kind == "reg-name" and uri.host:
        is_domain, lookalike = classify_host(uri.host)
        if lookalike:
            # Other programs connect to this address, as for "127.1", so the policy judges it.
            return uri.with_host(lookalike)
        if not is_domain:
            reject_uri(reference, "host-not-allowed", "host", "invalid host: not a domain name")
    if uri.host_kind == "IPvFuture":
        reject_uri(reference, "host-not-allowed", "host", "invalid host: IPvFuture is unsupported")
    return uri


def reject_uri(
    reference: IRIReference,
    code: str,
    component: str,
    reason: str,
    hint: str = "",
    denied_by: str | None = None,
) -> NoReturn:
    offsets = get_bounds(reference)
    starts = {
        "scheme": 0,
        "userinfo": offsets.authority,
        "host": offsets.host,
        "port": offsets.host_end,
        "path": offsets.path,
        "query": offsets.path_end,
        "fragment": offsets.query_end,
    }
    # The offset of a missing component is negative.
    position = max(starts[component], 0)
    raise PolicyError(
        str(reference), position, component, code, reason, hint, code=code, denied_by=denied_by
    )
