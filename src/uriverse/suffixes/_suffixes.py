"""The class `Suffixes`: a list of public suffixes, and the division of hosts by it."""

from __future__ import annotations

from functools import cache, cached_property
from os import PathLike, fspath
from typing import Any, NamedTuple, final

from uriverse._extras import not_installed
from uriverse._patterns import lazy_pattern
from uriverse._quoting import quoted
from uriverse._uri.engine import Identifier, as_text, fast_method, kernel

from ._names import domain_name, to_a_labels
from ._rules import Node, count_suffix_labels, rules_in, trie_of, version_of

#: A rule that the kernel can apply: its first label may be a wildcard.
KNOWN_TO_KERNEL = lazy_pattern(r"(?:!|\*\.)?[a-z0-9_-]++(?:\.[a-z0-9_-]++){0,13}")


class Parts(NamedTuple):
    """The parts of a host; see the methods of `Suffixes` with these names."""

    public_suffix: str | None = None
    registrable_domain: str | None = None
    subdomain: str | None = None


@final
class Suffixes:
    """A list of public suffixes, such as `com`, `co.uk` and `github.io`.

    The rules of the list are applied as its [format][1] specifies. If no rule matches a host, its
    last label is its public suffix. The rule `*.kobe.jp` does not make `kobe.jp` itself a public
    suffix.

    The methods take a host, or a URI with a host. Letter case is ignored, percent-encoded
    characters are decoded, and other characters are mapped as before a DNS lookup (UTS 46). Results
    are in lower case. Internationalized names are accepted in both forms, and remain in that form:
    A-labels, such as `xn--p1ai`, are not decoded. A dot at the end of a host remains too, as in the
    [URL standard][2].

    [1]: https://github.com/publicsuffix/list/wiki/Format
    [2]: https://url.spec.whatwg.org/#host-registrable-domain

    Args:
        path: the path of a file in the format of the Public Suffix List; `None` for the file in the
            package `publicsuffixlist`.
        private: whether to apply the private section of the list too. It contains domains whose
            owners give subdomains to other people, such as `github.io`. The rest of the list, the
            section ICANN, contains the domains of registries.

    Raises:
        ModuleNotFoundError: `path` is `None`, and `publicsuffixlist` is not installed.
        OSError: the file cannot be read.
        ValueError: the file contains no rules, or is not UTF-8.

    >>> suffixes = Suffixes()
    >>> suffixes.registrable_domain("www.example.co.uk")
    'example.co.uk'
    >>> suffixes.registrable_domain("me.github.io")
    'me.github.io'
    >>> Suffixes(private=False).registrable_domain("me.github.io")
    'github.io'
    """

    def __init__(self, path: str | PathLike[str] | None = None, /, *, private: bool = True) -> None:
        from pathlib import Path  # late, because typed URIs import this module

        file = path_of_installed_list() if path is None else fspath(path)
        text = Path(file).read_text("utf-8-sig")
        rules = tuple(rules_in(text, private=private))
        if not rules:
            raise ValueError(f"expected a list of public suffixes, but {quoted(file)} has no rules")
        self._load(version_of(text), private, rules)

    def _load(self, version: str | None, private: bool, rules: tuple[str, ...]) -> None:
        self._version, self._private, self._rules = version, private, rules
        #: The rules for the kernel; `None` without it, and if only Python can apply them.
        self._table: Any = compiled(rules)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (self._version, self._private, self._rules)

    def __repr__(self) -> str:
        return f"<Suffixes version={self._version!r} private={self._private}>"

    @property
    def version(self) -> str | None:
        """The version of the list, such as `2026-10-22_08-36-41_UTC`.

        The version is `None` if the file does not contain one.
        """
        return self._version

    @property
    def private(self) -> bool:
        """Whether the private section of the list is applied.

        >>> Suffixes(private=False).private
        False
        """
        return self._private

    @fast_method("public_suffix")
    def public_suffix(self, host: str | Identifier, /) -> str | None:
        """Return the public suffix of a host, such as `co.uk` for `www.example.co.uk`.

        Args:
            host: a host, or a URI or an IRI with a host.

        Returns:
            The public suffix, which can be the whole host; `None` if the host is not a domain name,
            such as an IP address or a host with an empty label, or if the URI has no host.

        Raises:
            TypeError: `host` is neither a `str` nor one of the four URI types.

        >>> suffixes = Suffixes()
        >>> suffixes.public_suffix("www.example.co.uk"), suffixes.public_suffix("127.0.0.1")
        ('co.uk', None)
        """
        return self._parts(host).public_suffix

    @fast_method("registrable_domain")
    def registrable_domain(self, host: str | Identifier, /) -> str | None:
        """Return the registrable domain of a host: its public suffix and the label before it.

        Args:
            host: a host, or a URI or an IRI with a host.

        Returns:
            The registrable domain; `None` if the host is itself a public suffix, and whenever
            `public_suffix` returns `None`.

        Raises:
            TypeError: `host` is neither a `str` nor one of the four URI types.

        >>> from uriverse import URI
        >>> suffixes = Suffixes()
        >>> suffixes.registrable_domain(URI("https://www.example.co.uk/a"))
        'example.co.uk'
        >>> suffixes.registrable_domain("co.uk") is None
        True
        """
        return self._parts(host).registrable_domain

    @fast_method("subdomain")
    def subdomain(self, host: str | Identifier, /) -> str | None:
        """Return the labels of a host before its registrable domain.

        Args:
            host: a host, or a URI or an IRI with a host.

        Returns:
            The labels, such as `a.www`; an empty string without such labels; `None` whenever
            `registrable_domain` returns `None`.

        Raises:
            TypeError: `host` is neither a `str` nor one of the four URI types.

        >>> suffixes = Suffixes()
        >>> suffixes.subdomain("a.www.example.co.uk"), suffixes.subdomain("example.co.uk")
        ('a.www', '')
        """
        return self._parts(host).subdomain

    def _parts(self, host: str | Identifier) -> Parts:
        """Return the parts of a host; they are all `None` if it is not a domain name."""
        given = host.host if isinstance(host, Identifier) else as_text(host)
        name = None if given is None else domain_name(given)
        if name is None:
            return Parts()
        before_dot = name.removesuffix(".")
        labels, dot = before_dot.split("."), name[len(before_dot) :]
        start = len(labels) - count_suffix_labels(to_a_labels(before_dot).split("."), self._trie)
        suffix = ".".join(labels[start:]) + dot
        if start == 0:
            return Parts(suffix)
        return Parts(suffix, f"{labels[start - 1]}.{suffix}", ".".join(labels[: start - 1]))

    @cached_property
    def _trie(self) -> Node:
        return trie_of(self._rules)


def path_of_installed_list() -> str:
    """Return the path of the list in the package `publicsuffixlist`."""
    try:
        from publicsuffixlist import PSLFILE
    except ModuleNotFoundError as missing:
        raise not_installed(missing, "Suffixes()", "suffixes") from missing
    return PSLFILE


@cache
def installed_suffixes() -> Suffixes:
    """Return the list in the package `publicsuffixlist`, which is read once."""
    return Suffixes()


def suffixes_of(value: object) -> Suffixes:
    """Check a list of public suffixes; `None` is the list in the package `publicsuffixlist`."""
    if value is None:
        return installed_suffixes()
    if not isinstance(value, Suffixes):
        raise TypeError(f"suffixes must be a Suffixes or None, not {type(value).__name__}")
    return value


def table_of(suffixes: Suffixes) -> Any:
    """Return the rules for the kernel; `None` without it, and if only Python can apply them."""
    return suffixes._table


def restored(version: str | None, private: bool, rules: tuple[str, ...]) -> Suffixes:
    """Return a list from its pickled state."""
    suffixes = object.__new__(Suffixes)
    suffixes._load(version, private, rules)
    return suffixes


def compiled(rules: tuple[str, ...]) -> Any:
    """Return the rules in the form that the kernel needs; `None` if only Python can apply them."""
    if kernel is None or not all(map(KNOWN_TO_KERNEL.fullmatch, rules)):
        return None
    return kernel.SuffixTable(rules)
