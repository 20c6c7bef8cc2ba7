"""Public suffixes and registrable domains, from the Public Suffix List.

A public suffix is a domain under which people can register names, such as `com`, `co.uk` or
`github.io`. The registrable domain of a host is its public suffix and one more label.
[The list](https://publicsuffix.org) comes from the package `publicsuffixlist`, or from your own
file. Nothing is downloaded.

>>> from uriverse.suffixes import Suffixes
>>> suffixes = Suffixes()
>>> suffixes.registrable_domain("www.example.co.uk")
'example.co.uk'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from os import PathLike, fspath
from typing import Any, NamedTuple, final

from uriverse import _lazy
from uriverse._engine import kernel, use_compiled
from uriverse._errors import quote_argument
from uriverse._spec.syntax import matches
from uriverse._uri.engine import Identifier, as_text

__all__ = ["Suffixes"]
__dir__ = __all__.copy

#: A rule that the kernel can apply: its first label may be a wildcard.
_KNOWN_TO_KERNEL = _lazy.lazy_pattern(r"(?:!|\*\.)?[a-z0-9_-]++(?:\.[a-z0-9_-]++){0,13}")


class _Parts(NamedTuple):
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

        file = _find_installed_list() if path is None else fspath(path)
        text = Path(file).read_text("utf-8-sig")
        rules = tuple(_parse_suffix_rules(text, private=private))
        if not rules:
            problem = f"{quote_argument(file)} has no rules"
            raise ValueError(f"expected a list of public suffixes, but {problem}")
        version = _VERSION.search(text)
        self._load(version and version[1], private, rules)

    def _load(self, version: str | None, private: bool, rules: tuple[str, ...]) -> None:
        self._version, self._private, self._rules = version, private, rules
        #: The rules for the kernel; `None` without it, and if only Python can apply them.
        self._table: Any = None
        if kernel is not None and all(map(_KNOWN_TO_KERNEL.fullmatch, rules)):
            self._table = kernel.SuffixTable(rules)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._version, self._private, self._rules)

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

    @use_compiled("SuffixesMethods")
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
        return self._split_host(host).public_suffix

    @use_compiled("SuffixesMethods")
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
        return self._split_host(host).registrable_domain

    @use_compiled("SuffixesMethods")
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
        return self._split_host(host).subdomain

    def _split_host(self, host: str | Identifier) -> _Parts:
        host_text = host.host if isinstance(host, Identifier) else as_text(host)
        name = None if host_text is None else _to_domain_name(host_text)
        if name is None:
            return _Parts()
        name_without_dot = name.removesuffix(".")
        final_dot = name[len(name_without_dot) :]
        labels = name_without_dot.split(".")
        # The rules are written in A-labels, but the parts keep the form of the host.
        a_labels = _to_a_labels(name_without_dot).split(".")
        suffix_start = len(labels) - _count_suffix_labels(a_labels, self._trie)
        public_suffix = ".".join(labels[suffix_start:]) + final_dot
        if suffix_start == 0:
            return _Parts(public_suffix)
        *subdomain_labels, registrable_label = labels[:suffix_start]
        registrable_domain = f"{registrable_label}.{public_suffix}"
        return _Parts(public_suffix, registrable_domain, ".".join(subdomain_labels))

    @cached_property
    def _trie(self) -> _Node:
        return _build_trie(self._rules)


def _find_installed_list() -> str:
    try:
        from publicsuffixlist import PSLFILE
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            _lazy.explain_missing_module(missing, "Suffixes()", "suffixes"), name=missing.name
        ) from missing
    return PSLFILE


# Pickles of lists name this function.
def _restored(version: str | None, private: bool, rules: tuple[str, ...]) -> Suffixes:
    suffixes = object.__new__(Suffixes)
    suffixes._load(version, private, rules)
    return suffixes


#: The line of the list that contains its version.
_VERSION = _lazy.lazy_pattern(r"(?m)^// VERSION: (.+?)\s*$")

#: The lines around the rules that organizations have added for their own domains.
_BEGIN_PRIVATE = "// ===BEGIN PRIVATE DOMAINS==="
_END_PRIVATE = "// ===END PRIVATE DOMAINS==="


def _parse_suffix_rules(text: str, *, private: bool) -> Iterator[str]:
    """Yield the rules of a list, or of all but its private section, in lower case as A-labels."""
    in_private = False
    for line in text.split("\n"):
        if line.startswith((_BEGIN_PRIVATE, _END_PRIVATE)):
            in_private = line.startswith(_BEGIN_PRIVATE)
            continue
        # "Each line is only read up to the first whitespace."
        is_empty = not line[:1].strip()
        is_excluded = in_private and not private
        if is_empty or is_excluded or line.startswith("//"):
            continue
        rule = line.split(maxsplit=1)[0]
        yield _to_a_labels(rule.lower())


class _Node:
    """A node of a trie of rules, whose labels are in reverse order; "*" matches every label."""

    __slots__ = ("children", "is_exception", "is_rule")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.is_rule = self.is_exception = False


def _build_trie(rules: Iterable[str]) -> _Node:
    root = _Node()
    for rule in rules:
        node = root
        for label in reversed(rule.removeprefix("!").split(".")):
            node = node.children.setdefault(label, _Node())
        node.is_exception |= rule.startswith("!")
        node.is_rule |= not rule.startswith("!")
    return root


def _count_suffix_labels(labels: list[str], root: _Node) -> int:
    """Return the number of labels in the public suffix of A-labels."""
    # "If no rules match, the prevailing rule is `*`."
    rule_depth, exception_depth = 1, 0
    # The labels lead to several nodes, because a wildcard matches any label.
    nodes = [root]
    for depth, label in enumerate(reversed(labels), 1):
        keys = {label, "*"}
        nodes = [node.children[key] for node in nodes for key in keys & node.children.keys()]
        if not nodes:
            break
        if any(node.is_rule for node in nodes):
            rule_depth = depth
        if any(node.is_exception for node in nodes):
            exception_depth = depth
    # "If more than one rule matches, the prevailing rule is the one which is an exception rule.
    # [...] If the prevailing rule is an exception rule, modify it by removing the leftmost label."
    return max(exception_depth - 1, 1) if exception_depth else rule_depth


#: A label with more characters cannot occur in the DNS, and so in no list of suffixes. The limit
#: keeps Punycode and Unicode normalization linear, which take quadratic time otherwise.
_LONGEST_LABEL = 63


def _to_domain_name(host: str) -> str | None:
    """Return a host in lower case, decoded and mapped by UTS 46; `None` without a domain name.

    Domain names do not have empty labels, and they do not end in a number: browsers parse such a
    host as an IPv4 address. A dot at the end remains.
    """
    # Imported late, because typed URIs import this module.
    from uriverse.hosts import _lookalikes

    decoded = _lookalikes.decode_host(host)
    if not matches(decoded, "ireg-name"):
        return None
    labels = list(map(_compose_label, _lookalikes.map_by_uts46(decoded).lower().split(".")))
    has_final_dot = len(labels) > 1 and not labels[-1]
    name_labels = labels[:-1] if has_final_dot else labels
    if not all(name_labels) or _lookalikes.parse_number(name_labels[-1]) is not None:
        return None
    return ".".join(labels)


def _compose_label(label: str) -> str:
    from unicodedata import normalize  # late, as above

    return label if len(label) > _LONGEST_LABEL else normalize("NFC", label)


def _to_a_labels(name: str) -> str:
    """Convert U-labels to A-labels, without checking them."""
    return name if name.isascii() else ".".join(map(_to_a_label, name.split(".")))


def _to_a_label(label: str) -> str:
    if label.isascii() or len(label) > _LONGEST_LABEL:
        return label
    return f"xn--{label.encode('punycode').decode()}"
