"""Run several parsers on the same strings, and compare the hosts and ports that they find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any, NamedTuple

from uriverse import SCHEMES, Finding, IRIReference, check
from uriverse.diagnosis import CODES

from . import _drawing
from ._drawing import escape_controls
from ._installed import installed
from ._reading import COMPONENTS, Parser, Reading, mask_userinfo

#: The count of digits from which a number is compared as text.
MAX_PORT_DIGITS = 1000

#: A URI that every parser reads in the same way. An adapter that does not return its components is
#: faulty, so its other readings do not count.
CONTROL = "http://control.example:8080/a?b#c"

#: The codes of findings in a path, query or fragment that can change the host that a parser finds.
MOVING_CODES = {
    "at-behind-host",
    "backslash",
    "control",
    "drive-letter",
    "missing-scheme",
    "path-like-authority",
    "single-slash",
    "slash-count",
    "space",
    "syntax",
}


class Target(NamedTuple):
    """The host and the port that a parser finds, both normalized.

    Attributes:
        host: the host in lowercase and in ASCII, without brackets; `""` for a missing host.
        port: the port; `None` for a missing port, and for the default port of the scheme.

    >>> print(Target("a.example", 8080))
    a.example:8080
    """

    host: str
    port: int | str | None

    def __repr__(self) -> str:
        return f"Target(host={mask_userinfo(self.host)!r}, port={self.port!r})"

    def __str__(self) -> str:
        host = escape_controls(mask_userinfo(self.host) or "") or "(no host)"
        is_ipv6_address = ":" in host and "@" not in host
        if is_ipv6_address:
            host = f"[{host}]"
        return host if self.port is None else f"{host}:{escape_controls(str(self.port))}"


class Group(NamedTuple):
    """The parsers that find the same host and port in a string.

    Attributes:
        target: the host and the port; `None` for the parsers that reject the string.
        parsers: the parsers.

    >>> Group(Target("a.example", None), ()).target.host
    'a.example'
    """

    target: Target | None
    parsers: tuple[Parser, ...]


@dataclass(frozen=True)
class Comparison:
    r"""The components that several parsers find in the same string.

    Attributes:
        text: the string, unchanged. It may contain secrets: do not log it.
        readings: the reading of each parser, in the order of the parsers.

    >>> from uriverse_compare import compare, installed
    >>> both = installed(["uriverse", "urllib.parse"])
    >>> found = compare("http://good.example\\@evil.example/", both)
    >>> [group.target for group in found.groups]
    [None, Target(host='evil.example', port=None)]
    >>> [finding.code for finding in found.explanation]
    ['syntax']
    >>> found.explanation[0].details
    ('userinfo', 'userinfo-like-host', 'host-with-delimiter', 'backslash')
    """

    text: str = field(repr=False)
    readings: Mapping[Parser, Reading]

    @property
    def groups(self) -> tuple[Group, ...]:
        """The parsers in groups that find the same host and port, or that reject the string.

        >>> from uriverse_compare import compare, installed
        >>> both = installed(["uriverse", "urllib.parse"])
        >>> [len(group.parsers) for group in compare("http://a.example/", both).groups]
        [2]
        """
        parsers_by_target: dict[Target | None, list[Parser]] = {}
        for parser, reading in self.readings.items():
            if reading.outcome == "accepted":
                parsers_by_target.setdefault(find_target(reading), []).append(parser)
            elif reading.outcome == "rejected":
                parsers_by_target.setdefault(None, []).append(parser)
        return tuple(Group(target, tuple(group)) for target, group in parsers_by_target.items())

    @property
    def differ(self) -> bool:
        """Whether two parsers accept the string, but find different hosts or ports.

        >>> from uriverse_compare import compare, installed
        >>> both = installed(["uriverse", "urllib.request"])
        >>> compare("http://me@a.example/", both).differ
        True
        """
        return len({group.target for group in self.groups} - {None}) > 1

    @property
    def explanation(self) -> tuple[Finding, ...]:
        """The findings of `uriverse.check` that explain why parsers find different hosts.

        >>> from uriverse_compare import compare, installed
        >>> ours = installed(["uriverse"])
        >>> [one.code for one in compare("http://0x7f.1/%2F", ours).explanation]
        ['ipv4-hex']
        """
        return tuple(finding for finding in check(self.text, "strict") if moves_host(finding))

    def __str__(self) -> str:
        """Draw a table with a row for each host and port. Below it, explain the differences."""
        rows = [("host and port", "parsers")]
        for group in self.groups:
            host_and_port = str(group.target) if group.target else _drawing.REJECTED_ENTRY
            rows.append((host_and_port, _drawing.format_parsers(group.parsers)))
        for outcome, title in _drawing.SILENT_OUTCOMES.items():
            others = [
                parser for parser, reading in self.readings.items() if reading.outcome == outcome
            ]
            if others:
                rows.append((title, _drawing.format_parsers(others)))
        return self._draw_table(rows)

    def in_full(self) -> str:
        """Draw a table with a row for each parser, and a column for each component.

        An undefined component is shown as `-`, and an empty component as `""`.

        >>> from uriverse_compare import compare, installed
        >>> found = compare("http://a.example?", installed(["urllib.parse"]))
        >>> found.in_full().splitlines()[2].split()
        ['parser', 'scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment']
        """
        header: tuple[str, ...] = ("parser", *COMPONENTS)
        rows = [
            (_drawing.format_parser(parser), *_drawing.format_cells(reading))
            for parser, reading in self.readings.items()
        ]
        return self._draw_table([header, *rows])

    def _draw_table(self, rows: Sequence[Sequence[str]]) -> str:
        return _drawing.draw_table(self.text, rows, self.explanation if self.differ else ())

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON-serializable data, with every component, unredacted.

        >>> from uriverse_compare import compare, installed
        >>> found = compare("http://a.example:80/", installed(["uriverse"]))
        >>> found.as_dict()["groups"]
        [{'host': 'a.example', 'port': None, 'parsers': ['uriverse']}]
        """
        return {
            "text": self.text,
            "differ": self.differ,
            "findings": [finding._asdict() for finding in self.explanation],
            "groups": [
                {
                    **group.target._asdict(),
                    "parsers": [parser.name for parser in group.parsers],
                }
                for group in self.groups
                if group.target
            ],
            "readings": {
                parser.name: {
                    "version": parser.version,
                    "dials": sorted(parser.dials),
                    **reading._asdict(),
                }
                for parser, reading in self.readings.items()
            },
        }


def find_target(reading: Reading) -> Target:
    """Return the host and the port that a parser found, both normalized."""
    host = reading.host if reading.address is None else reading.address
    return Target(canonicalize_host(host or ""), normalize_port(reading))


def canonicalize_host(host: str) -> str:
    """Return a host in lowercase and in ASCII; return an IP address in its normal form.

    Some parsers return the Unicode form of a domain name for display, or an IPv6 address without
    its brackets. These are differences of notation only.
    """
    in_brackets = host.startswith("[") and host.endswith("]")
    # `str.lower` would change more than ASCII letters, such as U+212A to "k".
    octets = (host[1:-1] if in_brackets else host).encode(errors="surrogatepass")
    name = octets.lower().decode(errors="surrogatepass")
    try:
        return str(ip_address(name))
    except ValueError:
        pass
    if name.isascii() or "%" in name:
        return name
    try:
        return IRIReference.build(host=name).to_uri(host="idna").host or ""
    except ValueError:  # not a valid host
        return name


def normalize_port(reading: Reading) -> int | str | None:
    """Return the port that a parser found, or `None` for the default port of the scheme."""
    digits = reading.port
    if not digits:
        return None
    if not (digits.isascii() and digits.isdecimal()):
        return digits
    # Python limits the length of numbers that it converts.
    number = int(digits) if len(digits) < MAX_PORT_DIGITS else digits
    scheme = (reading.scheme or "").lower()
    return None if scheme in SCHEMES and number == SCHEMES[scheme].default_port else number


def moves_host(finding: Finding) -> bool:
    """Return whether a problem that `check` reports can lead parsers to different hosts."""
    codes = {finding.code, *finding.details}
    if {CODES[code].group for code in codes} <= {"text", "form"}:
        return False
    beyond = finding.component in {"path", "query", "fragment"}
    return not codes.isdisjoint(MOVING_CODES) if beyond else True


def compare(text: str, parsers: Sequence[Parser] | None = None) -> Comparison:
    """Read a string with several parsers, and compare the hosts and ports that they find.

    Args:
        text: any string.
        parsers: the parsers; `None` for all that `installed` returns.

    Returns:
        The readings, grouped by host and port.

    >>> from uriverse_compare import compare, installed
    >>> both = installed(["uriverse", "urllib.parse"])
    >>> compare("http://a.example/", both).differ
    False
    """
    return compare_all([text], parsers)[0]


def compare_all(texts: Sequence[str], parsers: Sequence[Parser] | None = None) -> list[Comparison]:
    """Compare many strings. This is faster than calling `compare` for each string.

    Programs that are written in other languages start only once.

    Args:
        texts: any strings.
        parsers: the parsers; `None` for all that `installed` returns.

    Returns:
        A comparison for each string, in the same order.

    >>> from uriverse_compare import compare_all, installed
    >>> both = installed(["uriverse", "urllib.parse"])
    >>> [found.differ for found in compare_all(["http://a/", "http://a:80/"], both)]
    [False, False]
    """
    chosen_parsers = installed() if parsers is None else parsers
    # The programs of other languages run at the same time.
    with ThreadPoolExecutor() as pool:
        futures = [pool.submit(run_with_control, parser, texts) for parser in chosen_parsers]
        columns = [future.result() for future in futures]
    return [
        Comparison(text, dict(zip(chosen_parsers, row, strict=True)))
        for text, *row in zip(texts, *columns, strict=True)
    ]


def run_with_control(parser: Parser, texts: Sequence[str]) -> list[Reading]:
    """Run a parser on strings; if it misreads the URI `CONTROL`, mark all results as failed."""
    control, *readings = parser.read([CONTROL, *texts])
    if control.outcome == "accepted" and find_target(control) == Target("control.example", 8080):
        return readings
    fault = f"the adapter is faulty: it reads {CONTROL} as {control!r}; {control.reason}"
    return [Reading("failed", reason=fault) for _ in texts]
