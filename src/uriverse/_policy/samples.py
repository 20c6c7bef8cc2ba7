"""Build URIs that a rule matches, and compare the URIs that two rules match."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from uriverse._policy.hosts import HostPattern, network_of, text_of
from uriverse._policy.paths import PathPattern, Segment, segment_covers
from uriverse._uri import URI

from .rules import ANY_PORT, Shape

#: The string that takes the place of a wildcard.
ANY_NAME = "x"

#: The scheme of samples if every scheme is allowed.
USUAL_SCHEME = "https"


class Sample(NamedTuple):
    """A URI that a rule matches.

    Attributes:
        shape: the parts of the rule, with the scheme of the URI if only some schemes are allowed.
        uri: the URI in canonical form.
    """

    shape: Shape
    uri: URI


def samples(
    shape: Shape, schemes: Collection[str] | None, ports: Collection[int] | None
) -> Iterator[Sample]:
    """Yield URIs that a rule matches: one for each scheme, with an allowed port if possible.

    Args:
        shape: the parts of the rule.
        schemes: the allowed schemes; `None` for every scheme.
        ports: the allowed ports; `None` for every port.
    """
    limited = [shape]
    if shape.scheme is None and schemes:
        limited = [shape._replace(scheme=scheme) for scheme in sorted(schemes)]
    for each in limited:
        for host in hosts_in(each.host):
            yield Sample(each, sample(each, host, ports))


def sample(shape: Shape, host: str, ports: Collection[int] | None) -> URI:
    """Return a URI with the parts of a rule and a host."""
    query = f"?{shape.query}" if shape.query else ""
    name = f"{ANY_NAME}{shape.suffixes[0]}" if shape.suffixes else ""
    uri = URI(f"{shape.scheme or USUAL_SCHEME}://{host}{path_in(shape.path)}{name}{query}")
    port = shape.port
    if port == ANY_PORT:
        port = min(ports) if ports and uri.effective_port not in ports else None
    return (uri if port is None else uri.with_port(port)).normalize(scheme=True)


def hosts_in(pattern: HostPattern) -> Iterator[str]:
    """Yield a host that a pattern matches; for a network, its first and its last address."""
    if pattern.kind in {"name", "subdomains"}:
        yield pattern.text.replace("*", ANY_NAME)
        return
    network = network_of(pattern)
    for address in dict.fromkeys((network[0], network[-1])):
        yield text_of(address) if network.version == 4 else f"[{text_of(address)}]"


def path_in(pattern: PathPattern | None) -> str:
    """Return a path that a pattern matches."""
    if pattern is None:
        return "/"
    names = (s if isinstance(s, str) else ANY_NAME.join(s) for s in pattern.segments)
    return "/".join(names) + "/" * pattern.below


def overlaps(shape: Shape, other: Shape) -> bool:
    """Return whether two rules may match the same URI."""
    return (
        (shape.scheme == other.scheme or None in {shape.scheme, other.scheme})
        and (shape.host.contains(other.host) or other.host.contains(shape.host))
        and (shape.port == other.port or ANY_PORT in {shape.port, other.port})
        and (shape.path is None or other.path is None or overlap(shape.path, other.path))
        and (shape.query == other.query or None in {shape.query, other.query})
    )


def overlap(path: PathPattern, other: PathPattern) -> bool:
    """Return whether two patterns may match the same path."""
    lengths = len(path.segments), len(other.segments)
    fits = lengths[0] == lengths[1]
    if path.below or other.below:
        fits = (path.below or lengths[0] > lengths[1]) and (other.below or lengths[1] > lengths[0])
    return fits and all(map(may_be_equal, path.segments, other.segments))


def may_be_equal(segment: Segment, other: Segment) -> bool:
    """Return whether two segments of patterns may match the same segment."""
    if isinstance(segment, tuple) and isinstance(other, tuple):
        return True
    return segment_covers(segment, other) or segment_covers(other, segment)
