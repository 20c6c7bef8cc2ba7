"""Resolve, relativize and compare URIs (RFC 3986, sections 5 and 6)."""

from __future__ import annotations

from . import engine as _engine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Unpack

    from uriverse._spec.components import AllParts
    from uriverse.schemes._registry import Registry
    from uriverse.typing import Change, Level

    from .signatures import NormalizeOptions, StepOptions


#: The levels of comparison (RFC 3986, 6.2), from the strictest to the most tolerant.
LEVELS = ("string", "syntax", "scheme")


class Comparable(_engine.Identifier):
    """Mixin of the four public types, with the methods that combine and compare URIs."""

    __slots__ = ()

    def then(self, other: str | _engine.Identifier, /) -> _engine.Identifier:
        """Combine two relative references into one ([RFC 3986, 5.2][1]).

        Resolving the result gives the same URI as resolving first this reference and then the
        other.

        For every base URI, `base.resolve(a.then(b)) == base.resolve(a).resolve(b)`. The base may be
        unknown. Dot segments are kept if their effect depends on the base.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-5.2

        Args:
            other: the second reference, as a string or a URI. It is relative to the target of this
                one. A `URI` and a `URIReference` accept only ASCII strings; for other references,
                pass an `IRIReference`.

        Returns:
            The combined reference, as the narrowest of the four URI types.

        Raises:
            ResolveError: `other` is a non-ASCII string, and this is a `URI` or a `URIReference`.
            ParseError: `other` is a string that is not a valid IRI reference.
            TypeError: `other` is neither a `str` nor one of the four URI types.

        >>> URIReference("../a/").then("b")
        URIReference('../a/b')
        >>> URIReference("/a/b").then("../c?d"), URIReference("a?b").then("#c")
        (URIReference('/c?d'), URIReference('a?b#c'))
        """
        from uriverse._spec.components import compose, split
        from uriverse._spec.resolution import combine_references

        second = str(_engine.parse(other))
        if isinstance(other, str) and not second.isascii() and self._rule.startswith("URI"):
            from uriverse._spec import messages

            # A `Deferred`: the explanation is computed when the error is examined.
            raise messages.deferred_not_ascii(second, self._rule)
        return _engine.parse(
            compose(*combine_references(split(_engine.as_text(self)), split(second)))
        )

    def is_normalized(self, **options: Unpack[NormalizeOptions]) -> bool:
        """Return True if the URI is in normal form, so that `normalize` would not change it.

        Args:
            options: the options of `normalize`.

        Raises:
            TypeError: see `normalize`.
            ValueError: see `normalize`.

        >>> from uriverse import URI
        >>> URI("http://a/%7e").is_normalized(), URI("http://a/~").is_normalized()
        (False, True)
        """
        return self.normalize(**options) is self

    def normalization_changes(self, **options: Unpack[NormalizeOptions]) -> tuple[Change, ...]:
        """Return every change that `normalize` would make to the URI, step by step.

        Args:
            options: the options of `normalize`.

        Returns:
            The changes, in the order of the steps; `()` if the URI is in normal form. If a step
            changes several components, there is one `Change` for each of them.

        Raises:
            TypeError: see `normalize`.
            ValueError: see `normalize`.

        >>> from uriverse import URI
        >>> for change in URI("HTTP://a/%7e/..").normalization_changes():
        ...     print(change.step, change.component, change.before, change.after)
        percent_encoding path /%7e/.. /~/..
        case scheme HTTP http
        dot_segments path /~/.. /
        """
        return tuple(
            list_changes(_engine.as_text(self), iri=self._rule.startswith("IRI"), **options)
        )

    def equivalent(
        self, other: str | _engine.Identifier, /, *, level: Level | Registry = "syntax"
    ) -> bool:
        """Return True if two URIs are equivalent at a level of comparison ([RFC 3986, 6.2][1]).

        URIs that are equivalent at one level are also equivalent at the levels after it. An IRI and
        its `to_uri()` are equivalent at the levels `"syntax"` and `"scheme"`.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-6.2

        Args:
            other: a string or a URI.
            level: `"string"` compares the strings, like `==` (RFC 3986, 6.2.1). `"syntax"` compares
                the normal forms under syntax-based normalization (RFC 3986, 6.2.2). `"scheme"` also
                applies the rules of the scheme, including rules that its RFC defines only for
                comparison (RFC 3986, 6.2.3). A `Registry` is the level `"scheme"` with the rules
                of that registry.

        Raises:
            ParseError: `other` is a string that is not a valid IRI reference.
            TypeError: `other` is neither a `str` nor one of the four URI types.
            ValueError: the level is unknown.

        >>> from uriverse import IRI
        >>> IRI("example://a/b/c/%7Bfoo%7D/rosé").equivalent(
        ...     "eXAMPLE://a/./b/../b/%63/%7bfoo%7d/ros%C3%A9"
        ... )
        True
        >>> IRI("http://bücher.example:80").equivalent(
        ...     "http://xn--bcher-kva.example/", level="scheme"
        ... )
        True
        """
        return self.comparison_key(level) == compute_comparison_key(_engine.parse(other), level)

    def is_same_document(self, other: str | _engine.Identifier, /) -> bool:
        """Return True if `other` refers to the same document as this URI ([RFC 3986, 4.4][1]).

        Two URIs refer to the same document if they are identical apart from their fragments. They
        are not normalized. If `other` is a relative reference, it is resolved against this URI
        first.

        If this URI is a relative reference too, nothing is resolved. The result is then True if
        both references are identical apart from their fragments, or if `other` is empty or only a
        fragment.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-4.4

        Args:
            other: a string or a URI, with or without a scheme.

        Raises:
            ParseError: `other` is a string that is not a valid IRI reference.
            TypeError: `other` is neither a `str` nor one of the four URI types.

        >>> from uriverse import URI
        >>> page = URI("http://a/b/c?d")
        >>> page.is_same_document("#e"), page.is_same_document("c?d#e"), page.is_same_document("c")
        (True, True, False)
        """
        reference = _engine.parse(other)
        document = cut_fragment(self)
        if cut_fragment(reference) in {"", document}:
            return True
        if self.scheme is None or reference.scheme is not None:
            return False
        return cut_fragment(self.resolve(reference)) == document

    def is_same_origin(self, other: str | _engine.Identifier, /) -> bool:
        """Return True if both URIs have the same origin ([RFC 6454, 4 and 5][1]).

        The origin consists of scheme, host and port. URIs without an origin, such as relative
        references and `data:` URIs, are never of the same origin.

        [1]: https://www.rfc-editor.org/rfc/rfc6454#section-5

        Args:
            other: a string or a URI.

        Raises:
            ParseError: `other` is a string that is not a valid IRI reference.
            TypeError: `other` is neither a `str` nor one of the four URI types.

        >>> from uriverse import URI
        >>> URI("https://example.org/a").is_same_origin("https://EXAMPLE.org:443/b")
        True
        >>> URI("https://example.org/").is_same_origin("http://example.org/")
        False
        """
        ours, theirs = self.origin, _engine.parse(other).origin
        return ours is not None and ours == theirs

    def is_relative_to(self, base: str | _engine.Identifier, /) -> bool:
        """Return True if this URI is `base`, or is below it in the hierarchy of paths.

        Scheme and authority must be equal, and the path of `base` must be the first segments of
        this path: `/docs/a` is below `/docs` and `/docs/`, but `/docs-old` is below neither, and
        `/docs` is not below `/docs/`. The query and the fragment of both URIs are ignored, because
        only paths are hierarchical ([RFC 3986, 3.3 and 3.4][1]).

        Like `==`, this method compares strings, so normalize URIs that can be written in several
        ways. If a dot segment (`.` or `..`, percent-encoded or not) follows the path of `base`, the
        result is False, because the path may leave `base` again: `/docs/../admin` is not below
        `/docs`.

        `relative_to` starts at the directory of its base instead, which is `/` for `/docs`. To
        decide which URIs a program may request, use a `Policy`: some servers also leave a directory
        at segments such as `..;` and `..%2F`, which are not dot segments.

        [1]: https://www.rfc-editor.org/rfc/rfc3986#section-3.3

        Args:
            base: a string or a URI.

        Raises:
            ParseError: `base` is a string that is not a valid IRI reference.
            TypeError: `base` is neither a `str` nor one of the four URI types.

        >>> from uriverse import URI
        >>> docs = URI("http://a/docs")
        >>> [URI(f"http://a{path}").is_relative_to(docs) for path in ("/docs/b?c", "/docs-old")]
        [True, False]
        >>> URI("http://a/docs/../admin").is_relative_to(docs)
        False
        """
        base_uri = _engine.parse(base)
        path, directory = self.path, base_uri.path
        if (self.scheme, self.authority) != (base_uri.scheme, base_uri.authority):
            return False
        if path == directory:
            return True
        # Without an authority, no path is below an empty one: "" refers to the document itself.
        if not directory.endswith("/") and (directory or base_uri.authority is not None):
            directory += "/"
        if not directory or not path.startswith(directory):
            return False
        from uriverse._spec.normalization import is_dot_segment

        return not any(map(is_dot_segment, path[len(directory) :].split("/")))

    def comparison_key(self, level: Level | Registry = "syntax", /) -> str:
        """Return a string that is the same for all URIs that are equivalent at the given level.

        Use the key to find duplicates with a `dict` or a `set`, or to sort URIs. It is not always a
        valid URI.

        Args:
            level: `"string"`, `"syntax"`, `"scheme"` or a `Registry`; see `equivalent`.

        Raises:
            ValueError: the level is unknown.

        >>> from uriverse import URI
        >>> URI("HTTP://a/%7e/..").comparison_key()
        'http://a/'
        """
        return compute_comparison_key(self, level)


def list_changes(
    text: str, *, iri: bool, scheme: bool | Registry = False, **steps: Unpack[StepOptions]
) -> Iterator[Change]:
    """Yield the changes that `normalize` makes with the same options, in the order of the steps."""
    from uriverse._spec.components import split_all_parts
    from uriverse._spec.normalization import Steps, apply_steps
    from uriverse.schemes._normalization import choose_registry, normalize_by_scheme

    registry = choose_registry(scheme)
    before = split_all_parts(text)
    for step, after in apply_steps(before, Steps(**steps), iri=iri):
        yield from compare_parts(step, before, after)
        before = after
    if registry is not None:
        yield from compare_parts("scheme", before, normalize_by_scheme(before, registry))


def compare_parts(step: str, before: AllParts, after: AllParts) -> Iterator[Change]:
    from uriverse.typing import Change

    for component, old, new in zip(before._fields, before, after, strict=True):
        if old is not None and old != new:
            yield Change(step, component, old, new)


def cut_fragment(value: _engine.Identifier) -> str:
    return _engine.as_text(value)[: value._bounds[6]]


def compute_comparison_key(value: _engine.Identifier, level: str | Registry) -> str:
    if level == "string":
        return _engine.as_text(value)
    if level == "syntax":
        return str(value._to_uri().normalize())
    key = _engine.compute_scheme_key(value) if level == "scheme" else None
    if key is not None:
        return key
    from uriverse.schemes._normalization import choose_registry, make_equivalence_key
    from uriverse.schemes._registry import Registry

    rules = choose_registry(True) if level == "scheme" else level
    if not isinstance(rules, Registry):
        expected = f"level must be a Registry or one of {', '.join(LEVELS)}"
        from uriverse._errors import quote_argument

        message = f"{expected}, not {quote_argument(rules)}"
        raise ValueError(message) if isinstance(rules, str) else TypeError(message)
    return make_equivalence_key(str(value._to_uri().normalize(scheme=rules)), rules)
