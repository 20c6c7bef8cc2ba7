"""Expand and compact CURIEs.

>>> from uriverse.rdf import PrefixMap
>>> prefixes = PrefixMap({"foaf": "http://xmlns.com/foaf/0.1/"})
>>> prefixes.expand("foaf:name")
URI('http://xmlns.com/foaf/0.1/name')
>>> prefixes.compact("http://xmlns.com/foaf/0.1/name")
'foaf:name'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self, final

from uriverse import IRI, BuildError, ConvertError, IRIReference, ParseError, URIError, is_iri
from uriverse._engine import kernel
from uriverse._uri import engine as _engine
from uriverse._uri.engine import Identifier, as_text

from ._lazy import lazy_pattern

if TYPE_CHECKING:
    from uriverse.columns import Array
    from uriverse.typing import Layout


__all__ = ["PrefixMap"]
__dir__ = __all__.copy

#: A prefix. Other characters delimit CURIEs and IRIs in RDF.
_PREFIX = lazy_pattern(r"[^\s:<>\[\]\"\ud800-\udfff]*")

#: The prefix of blank nodes, which no map can define.
_BLANK_NODE = "_"

#: The function of the kernel for most calls of `compact`; `None` without the kernel.
_compact_in_kernel: Any = getattr(kernel, "compact_iri", None)


@final
class PrefixMap(Mapping[str, IRI]):
    """Prefixes and their namespaces, to expand CURIEs to IRIs and to compact IRIs to CURIEs.

    A CURIE is a prefix, a colon and a reference, such as `foaf:name` ([CURIE Syntax 1.0][1]). Its
    IRI is the namespace of the prefix, followed by the reference. Turtle, SPARQL, RDFa and JSON-LD
    abbreviate IRIs in this way.

    A `PrefixMap` is an immutable mapping from prefixes to namespaces.

    [1]: https://www.w3.org/TR/curie/

    Args:
        prefixes: the namespaces by prefix, as a mapping or as pairs. The prefix may be empty. A
            later pair with the same prefix replaces an earlier one.
        base: the base IRI, against which relative references are resolved: those in namespaces,
            and those that `expand` gets in angle brackets. `None` allows only IRIs with a scheme.

    Raises:
        BuildError: a prefix is `_`, which is reserved for blank nodes, or has an invalid character.
        ParseError: a namespace or the base is not a valid IRI.
        TypeError: a prefix is not a `str`, or a namespace is neither a `str` nor a URI.

    >>> prefixes = PrefixMap({
    ...     "obo": "http://purl.obolibrary.org/obo/",
    ...     "GO": "http://purl.obolibrary.org/obo/GO_",
    ... })
    >>> prefixes.expand("GO:0032571")
    URI('http://purl.obolibrary.org/obo/GO_0032571')
    >>> prefixes.compact("http://purl.obolibrary.org/obo/GO_0032571")
    'GO:0032571'
    """

    __slots__ = ("_base", "_curie_prefixes", "_match", "_namespaces", "_table")

    def __init__(
        self,
        prefixes: Mapping[str, str | Identifier] | Iterable[tuple[str, str | Identifier]] = (),
        /,
        *,
        base: str | Identifier | None = None,
    ) -> None:
        self._base = None if base is None else IRI(as_text(base))
        #: The namespaces by prefix.
        self._namespaces: dict[str, str] = {}
        for prefix, namespace in dict(prefixes).items():
            _validate_prefix(prefix)
            iri = _resolve_against_base(self._base, as_text(namespace))
            self._namespaces[str(prefix)] = str(iri)
        #: The first prefix of each namespace, with the colon.
        self._curie_prefixes: dict[str, str] = {}
        for prefix, text in self._namespaces.items():
            self._curie_prefixes.setdefault(text, f"{prefix}:")
        #: Finds the longest namespace. It is created on first use.
        self._match: _Match | None = None
        #: The same for the kernel.
        self._table: Any = None

    @classmethod
    def from_turtle(cls, text: str, /, *, base: str | Identifier | None = None) -> Self:
        """Read the prefixes and the base from the start of a Turtle, TriG or SPARQL document.

        The directives `@prefix`, `@base`, `PREFIX` and `BASE` are processed in order: each IRI
        is resolved against the most recently declared base ([Turtle, section 6.3][1]). Reading ends
        at the first statement, so directives that follow a triple are ignored.

        [1]: https://www.w3.org/TR/turtle/#sec-iri-references

        Args:
            text: the document, or its first lines.
            base: the URI of the document, against which a relative `@base` is resolved.

        Returns:
            A prefix map with the declared prefixes. Its base is the last one declared.

        Raises:
            BuildError: a prefix is `_`.
            ParseError: a directive is invalid, an IRI is invalid, or a relative reference has no
                base. The position is an index in `text`.
            TypeError: `text` is not a `str`.

        >>> prefixes = PrefixMap.from_turtle('''
        ...     @base <http://example.org/data/> .
        ...     @prefix : <#> .
        ...     PREFIX foaf: <http://xmlns.com/foaf/0.1/>
        ...
        ...     :me foaf:homepage <../me> .
        ... ''')
        >>> prefixes.expand(":me"), prefixes.expand("<../me>")
        (URI('http://example.org/data/#me'), URI('http://example.org/me'))
        """
        first_base = None if base is None else IRI(as_text(base))
        prefixes, last_base = _read_directives(as_text(text), first_base)
        return cls(prefixes, base=last_base)

    @property
    def base(self) -> IRI | None:
        """The base IRI, or `None` if the map has no base.

        >>> PrefixMap(base="http://example.org/").base
        URI('http://example.org/')
        """
        return None if self._base is None else _to_specific_type(self._base)

    # --- CURIEs

    def expand(self, curie: str, /) -> IRI:
        r"""Expand a CURIE, a safe CURIE or an IRI reference in angle brackets to an IRI.

        The IRI is the namespace, followed by the characters after the first colon. Nothing is
        decoded or resolved.

        A string such as `http://example.org/` is not a CURIE, even if `http` is a prefix, because
        the reference of a CURIE cannot start with `//` ([RDFa Core 1.1, section 6][1]). In
        contrast, `urn:a` is a CURIE if `urn` is a prefix.

        [1]: https://www.w3.org/TR/rdfa-core/#s_curies

        Args:
            curie: a CURIE such as `foaf:name` or `:name`; a safe CURIE such as `[foaf:name]`; or an
                IRI reference such as `<../a>`, which is resolved against `base`. The escapes of
                Turtle, such as `\u00E9`, are decoded only in angle brackets.

        Returns:
            The IRI: a `URI` if it is ASCII.

        Raises:
            ConvertError: the string is not a CURIE, the prefix is unknown, or the string is a blank
                node, such as `_:b0`.
            ParseError: the result is not a valid IRI. The error describes the result, not the
                CURIE.
            TypeError: `curie` is not a `str`.

        >>> prefixes = PrefixMap({"foaf": "http://xmlns.com/foaf/0.1/"})
        >>> prefixes.expand("foaf:name")
        URI('http://xmlns.com/foaf/0.1/name')
        >>> try:
        ...     prefixes.expand("foaf:full name")
        ... except ParseError as error:
        ...     print(error.text, error.position, error.reason)
        http://xmlns.com/foaf/0.1/full name 30 invalid space in path
        """
        try:
            prefix, colon, reference = curie.partition(":")
            namespace = self._namespaces[prefix]
        except (AttributeError, KeyError, TypeError):
            return self._expand_other(curie)
        if not colon or reference[:2] == "//":
            return self._expand_other(curie)
        return _engine.parse(namespace + reference)  # type: ignore[return-value]  # has a scheme

    def _expand_other(self, curie: str) -> IRI:
        """Expand a string that is not a CURIE with a known prefix, or raise the error for it."""
        text = as_text(curie)
        if text.startswith("<") and text.endswith(">"):
            return _to_specific_type(_resolve_escaped_reference(text[1:-1], self._base))
        is_in_brackets = text.startswith("[") and text.endswith("]")
        if is_in_brackets and not text.startswith(("[[", "[<")):
            try:
                return self.expand(text[1:-1])
            except ConvertError as error:
                position, rule = error.position + len("["), error.rule
                raise ConvertError(text, position, "text", rule, error.reason, error.hint) from None
        prefix, colon, reference = text.partition(":")
        if not colon:
            hint = "write a prefix, a colon and a reference, as in foaf:name"
            reason = "missing colon: the string is not a CURIE"
            raise ConvertError(text, len(text), "text", "curie", reason, hint)
        if reference.startswith("//"):
            reason = 'unexpected "//" after the colon: the string is not a CURIE'
            hint = "write an IRI in angle brackets"
            raise ConvertError(text, len(prefix) + 1, "text", "curie", reason, hint)
        if prefix == _BLANK_NODE:
            reason = "unexpected blank node: blank nodes have no IRI"
            raise ConvertError(text, 0, "text", "curie", reason)
        hint = "add the prefix to the prefix map"
        raise ConvertError(text, 0, "text", "prefix", "unknown prefix", hint)

    def compact(self, iri: str | Identifier, /) -> str | None:
        """Return the CURIE of an IRI, or `None` if no namespace matches.

        If the IRI starts with several namespaces, the longest one determines the prefix. If several
        prefixes have this namespace, the first of them in the map is used. For each CURIE that the
        method returns, `expand` returns the same IRI. For that reason, a namespace is ignored if
        `//` follows it in the IRI.

        Args:
            iri: an IRI. Nothing is normalized.

        Raises:
            ParseError: `iri` is not a valid IRI.
            TypeError: `iri` is neither a `str` nor one of the four URI types.

        >>> prefixes = PrefixMap({"foaf": "http://xmlns.com/foaf/0.1/"})
        >>> prefixes.compact("http://xmlns.com/foaf/0.1/name")
        'foaf:name'
        >>> prefixes.compact("http://example.org/") is None
        True
        """
        text = as_text(iri)
        # The kernel computes most CURIEs; it leaves errors and non-ASCII strings to Python.
        if _compact_in_kernel is not None:
            curie: str | None = _compact_in_kernel(text, self._table or self._create_table())
            if curie is not None:
                return curie or None  # It is empty if no namespace matches.
        if not is_iri(text):
            IRI(text)  # Raises the error.
        match_namespace = self._match or self._get_matcher()
        match = match_namespace(text)
        if match is None:
            return None
        namespace: str = match[0]
        return self._curie_prefixes[namespace] + text[len(namespace) :]

    def _get_matcher(self) -> _Match:
        self._match = _compile_matcher(self._curie_prefixes)
        return self._match

    def _create_table(self) -> Any:
        self._table = kernel.PrefixTable(self._curie_prefixes)
        return self._table

    # --- columns

    def expand_column(self, column: object, /, *, layout: Layout | None = None) -> Array:
        """Expand each CURIE in a column, as `expand` does.

        Each distinct value of a dictionary-encoded column is expanded once.

        Args:
            column: the strings: a list of `str`, or an object that implements the Arrow PyCapsule
                protocol.
            layout: the Arrow type of the strings in the result, such as `"large_string"`; `None`
                for the type of the input column.

        Returns:
            The IRIs; null if the row is null or cannot be expanded.

        Raises:
            ColumnError: the column violates the Arrow specification.
            OverflowError: a string is too long for the layout.
            TypeError: the column does not contain strings.
            ValueError: the layout is unknown.

        >>> prefixes = PrefixMap({"foaf": "http://xmlns.com/foaf/0.1/"})
        >>> prefixes.expand_column(["foaf:name", "name", None]).to_pylist()
        ['http://xmlns.com/foaf/0.1/name', None, None]
        """

        def expand_curie(text: str) -> str | None:
            try:
                return str(self.expand(text))
            except URIError:
                return None

        from uriverse.columns._execution import Call, execute_call

        arguments = None
        if kernel is not None:
            starts = {f"{prefix}:": text for prefix, text in self._namespaces.items()}
            arguments = kernel.PrefixTable(starts), True
        call = Call("text", expand_curie, "replace_start", arguments)
        return execute_call(call, column, layout=layout)

    def compact_column(self, column: object, /, *, layout: Layout | None = None) -> Array:
        """Compact each IRI in a column, as `compact` does.

        Each distinct value of a dictionary-encoded column is compacted once.

        Args:
            column: the strings: a list of `str`, or an object that implements the Arrow PyCapsule
                protocol.
            layout: the Arrow type of the strings in the result, such as `"large_string"`; `None`
                for the type of the input column.

        Returns:
            The CURIEs; null if the row is null or not a valid IRI, or if no namespace matches.

        Raises:
            ColumnError: the column violates the Arrow specification.
            OverflowError: a string is too long for the layout.
            TypeError: the column does not contain strings.
            ValueError: the layout is unknown.

        >>> prefixes = PrefixMap({"foaf": "http://xmlns.com/foaf/0.1/"})
        >>> prefixes.compact_column(["http://xmlns.com/foaf/0.1/name", "a:b", None]).to_pylist()
        ['foaf:name', None, None]
        """

        def compact_iri(text: str) -> str | None:
            return self.compact(text) if is_iri(text) else None

        from uriverse.columns._execution import Call, execute_call

        arguments = None
        if kernel is not None:
            arguments = self._table or self._create_table(), False
        call = Call("text", compact_iri, "replace_start", arguments)
        return execute_call(call, column, layout=layout)

    # --- mapping

    def __getitem__(self, prefix: str, /) -> IRI:
        return _engine.parse(self._namespaces[prefix])  # type: ignore[return-value]  # has a scheme

    def __iter__(self) -> Iterator[str]:
        return iter(self._namespaces)

    def __len__(self) -> int:
        return len(self._namespaces)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PrefixMap):
            return NotImplemented
        return self._get_state() == other._get_state()

    def __hash__(self) -> int:
        return hash(self._get_state())

    def __repr__(self) -> str:
        base = "" if self._base is None else f", base={_engine.redact(self._base)!r}"
        namespaces = {prefix: _engine.redact(text) for prefix, text in self._namespaces.items()}
        return f"PrefixMap({namespaces!r}{base})"

    def __reduce__(self) -> tuple[object, ...]:
        return _restore_map, self._get_state()

    def _get_state(self) -> tuple[tuple[tuple[str, str], ...], str | None]:
        base = None if self._base is None else str(self._base)
        return tuple(self._namespaces.items()), base


def _restore_map(pairs: tuple[tuple[str, str], ...], base: str | None) -> PrefixMap:
    return PrefixMap(pairs, base=base)


def _to_specific_type(iri: IRIReference) -> IRI:
    return _engine.parse(iri)  # type: ignore[return-value]  # an IRI has a scheme


def _validate_prefix(prefix: str) -> None:
    if not isinstance(prefix, str):
        raise TypeError(f"a prefix must be a str, not {type(prefix).__name__}")
    if prefix == _BLANK_NODE:
        reason = 'reserved prefix: "_" is the prefix of blank nodes'
        raise BuildError(prefix, 0, "text", "prefix", reason, "use another prefix")
    match = _PREFIX.match(prefix)
    assert match, "the pattern also matches the empty string"
    if match.end() < len(prefix):
        reason = "invalid character in prefix"
        hint = "remove white space, colons, quotation marks and brackets"
        raise BuildError(prefix, match.end(), "text", "prefix", reason, hint)


#: A `UCHAR` ([N-Triples, section 7](https://www.w3.org/TR/n-triples/#n-triples-grammar)) below
#: U+110000, the end of Unicode.
_ESCAPE = lazy_pattern(
    r"\\(?:u(?P<short>[0-9A-Fa-f]{4})|U(?P<long>00(?:0[0-9A-Fa-f]|10)[0-9A-Fa-f]{4}))"
)


def _resolve_escaped_reference(text: str, base: IRI | None) -> IRI:
    """Resolve the reference between `<` and `>`. Invalid escapes stay, and make it invalid."""
    decoded = _ESCAPE.sub(lambda escape: chr(int(escape["short"] or escape["long"], 16)), text)
    try:
        reference = IRI(decoded) if base is None else IRIReference(decoded)
    except ParseError as error:
        # Convert the position to one in `text`: each escape before it is decoded to one character.
        position = error.position
        for escape in _ESCAPE.finditer(text):
            if escape.start() >= position:
                break
            position += len(escape[0]) - 1
        if text.startswith("\\", position) and not _ESCAPE.match(text, position):
            reason = "invalid escape in IRI"
            hint = r"write \u and four hexadecimal digits, or \U and eight, up to \U0010FFFF"
            raise ParseError(text, position, "text", "UCHAR", reason, hint) from None
        reason, hint = error.reason, error.hint
        raise ParseError(text, position, error.component, error.rule, reason, hint) from None
    return _resolve_against_base(base, str(reference))


def _resolve_against_base(base: IRI | None, reference: str) -> IRI:
    """Resolve a reference, unless it has a scheme; `ParseError` if it has none, and no base."""
    if base is None or is_iri(reference):
        return IRI(reference)
    return base.resolve(IRIReference(reference))


#: White space and comments.
_SPACE = r"(?:[ \t\r\n]|#[^\r\n]*+)*+"

#: The keyword of a directive. The case of SPARQL keywords is ignored. The characters
#: after a keyword distinguish `PREFIX a:` from a name such as `prefix:a`.
_KEYWORD = lazy_pattern(
    rf"{_SPACE}(?:@(?P<turtle>prefix|base|version)(?![A-Za-z0-9-])"
    rf"|(?P<sparql>(?ai:prefix|version)(?=[ \t\r\n#\"'])|(?ai:base)(?=[ \t\r\n#<])))"
)
_NAME = lazy_pattern(rf"{_SPACE}(?P<name>[^\s:<>\"'#@()\[\]{{}},;|^`\\]*+):")
_NAMESPACE = lazy_pattern(rf"{_SPACE}<(?P<iri>[^<>\r\n]*+)>")
_VERSION = lazy_pattern(rf"{_SPACE}(?:\"[^\"\r\n]*+\"|'[^'\r\n]*+')")
_DOT = lazy_pattern(rf"{_SPACE}\.")
_BLANK = lazy_pattern(_SPACE)


def _read_directives(text: str, base: IRI | None) -> tuple[dict[str, IRI], IRI | None]:
    """Return the namespaces by prefix, and the base after the last directive."""
    prefixes: dict[str, IRI] = {}
    position = len(text) - len(text.removeprefix("\ufeff"))  # a byte order mark of an editor
    while keyword := _KEYWORD.match(text, position):
        directive = (keyword["turtle"] or keyword["sparql"]).lower()
        position = keyword.end()
        if directive == "version":
            position = _match_token(_VERSION, text, position, "a version in quotation marks").end()
        elif directive == "prefix":
            name = _match_token(_NAME, text, position, 'a prefix that ends with ":"')
            namespace = _match_token(_NAMESPACE, text, name.end(), 'an IRI between "<" and ">"')
            position = namespace.end()
            prefixes[name["name"]] = _read_namespace(namespace, base)
        else:
            namespace = _match_token(_NAMESPACE, text, position, 'an IRI between "<" and ">"')
            position = namespace.end()
            base = _read_namespace(namespace, base)
        if keyword["turtle"]:
            expected = 'a dot after a directive that starts with "@"'
            position = _match_token(_DOT, text, position, expected).end()
    return prefixes, base


def _match_token(pattern: re.Pattern[str], text: str, start: int, expected: str) -> re.Match[str]:
    if match := pattern.match(text, start):
        return match
    space = _BLANK.match(text, start)
    position = space.end() if space else start
    reason = f"invalid directive: expected {expected}"
    raise ParseError(text, position, "text", "directive", reason)


def _read_namespace(match: re.Match[str], base: IRI | None) -> IRI:
    try:
        return _resolve_escaped_reference(match["iri"], base)
    except ParseError as error:
        location = (match.string, match.start("iri") + error.position, error.component, error.rule)
        raise ParseError(*location, error.reason, error.hint) from None


#: A trie: for each character, the trie of the strings that continue with it. The key `""` marks
#: the end of a namespace.
_Trie = dict[str, Any]

#: The maximum number of nested groups in a regular expression. `re` compiles groups recursively.
_DEEPEST = 40

#: A function that returns an object whose item 0 is the longest namespace, or `None`.
_Match = Callable[[str], Any]


def _compile_matcher(namespaces: Collection[str]) -> _Match:
    """Return a function that finds the longest namespace at the start of an IRI.

    It returns an object whose item 0 is the namespace, or `None`. It ignores namespaces that `//`
    follows in the IRI. Its regular expression is a trie, with one alternative for each next
    character, so the time for an IRI hardly depends on the number of namespaces.

    >>> match = _compile_matcher(["http://a/", "http://a/b#"])
    >>> match("http://a/b#c")[0], match("http://a/c")[0], match("http://b/")
    ('http://a/b#', 'http://a/', None)
    """
    trie: _Trie = {}
    for namespace in namespaces:
        node = trie
        for character in namespace:
            node = node.setdefault(character, {})
        node[""] = {}
    pattern = _compile_trie(trie) if trie else "(?!)"
    if pattern is None:
        return _create_length_matcher(namespaces)
    return re.compile(f"{pattern}(?!//)").match


def _compile_trie(node: _Trie, depth: int = 0) -> str | None:
    """Return the pattern for a trie; `None` if it needs too many nested groups."""
    if depth > _DEEPEST:
        return None
    literal = ""  # the characters up to the first node with several continuations
    while len(node) == 1 and "" not in node:
        [(character, node)] = node.items()
        literal += re.escape(character)
    alternatives: list[str] = []
    for character, child in node.items():
        if character:
            continuation = _compile_trie(child, depth + 1)
            if continuation is None:
                return None
            alternatives.append(re.escape(character) + continuation)
    if not alternatives:
        return literal
    pattern = f"{literal}(?:{'|'.join(alternatives)})"
    # If a namespace ends here, the continuations belong to longer ones, so they are optional.
    return f"{pattern}?" if "" in node else pattern


def _create_length_matcher(namespaces: Collection[str]) -> _Match:
    """Return a function that finds the longest namespace at the start of an IRI, as a tuple."""
    known_namespaces = frozenset(namespaces)
    lengths = sorted({len(namespace) for namespace in known_namespaces}, reverse=True)

    def match_namespace(text: str) -> tuple[str] | None:
        for length in lengths:
            namespace = text[:length]
            # In a CURIE, "//" must not follow the colon.
            if namespace in known_namespaces and not text.startswith("//", length):
                return (namespace,)
        return None

    return match_namespace
