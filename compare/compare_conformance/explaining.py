"""The findings that concern a difference: those about the characters where hosts differ."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from uriverse import Finding
from uriverse.diagnosis._checking import list_findings
from uriverse_compare import Target
from uriverse_compare._comparison import moves_host

#: Matches the part of a string that can contain an authority.
AUTHORITY = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?[/\\\s]*(?P<authority>[^/?#\\]*)")


class Span(NamedTuple):
    start: int
    end: int


def explaining(text: str, targets: Collection[Target]) -> list[Finding]:
    """Return the findings that concern the difference between hosts and ports.

    A finding concerns the difference if its span touches the characters in which the hosts, or
    only the ports, differ.
    """
    different = differing(text, targets)
    return [
        finding
        for finding in list_findings(text, "strict")
        if moves_host(finding)
        and finding.start <= different.end
        and (finding.end or finding.start) >= different.start
    ]


def differing(text: str, targets: Collection[Target]) -> Span:
    """Return the span of a string from which parsers take different hosts or ports."""
    found = AUTHORITY.match(text)
    assert found
    authority = Span(*found.span("authority"))
    hosts = {target.host for target in targets}
    spans = list(places(text, hosts, authority.start))
    if len(hosts) == 1:
        # Only the ports differ.
        return Span(spans[0].end + 1 if spans else authority.start, authority.end)
    if "" in hosts:
        # A parser finds no authority.
        spans.append(Span(0, authority.end))
    # A changed host that ends or begins with another one contains the text beside it, too.
    changed = [host for host in hosts if host not in text.lower()]
    whole = [host for host in hosts if host and host not in changed]
    if any("@" in host or host.endswith(tuple(whole)) for host in changed):
        spans.append(authority._replace(end=authority.start))
    if any(host.removeprefix("[").startswith(tuple(whole)) for host in changed):
        spans.append(authority._replace(start=authority.end))
    if not spans:
        return authority
    return Span(min(span.start for span in spans), max(span.end for span in spans))


def places(text: str, hosts: Collection[str], first: int) -> Iterator[Span]:
    """Yield where hosts are written in a string; a host that a parser has changed is not there.

    A host may be written before the place `first`, too, where the authority starts.
    """
    lowercase = text.lower()
    for host in filter(None, hosts):
        start = max(lowercase.find(host, first), lowercase.find(host))
        if start >= 0:
            yield Span(start, start + len(host))
