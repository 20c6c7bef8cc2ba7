"""The query parameters of a URI, and methods that edit them."""

from __future__ import annotations

from . import engine as _engine
from .building import later, query_of
from .editing import Editable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, overload

    from uriverse._uri.params import Params
    from uriverse.typing import ParamName, ParamSource, ParamValues

    from .public_type import Edits, PublicType

else:
    from .building import overload

# The kernel calls functions of these modules for errors and for rare types of values.
_engine.reference_modules.update(
    pairs="uriverse._uri.pairs", param_arguments="uriverse._uri.param_arguments"
)


class Parameterized(Editable):
    """Mixin of the four public types, with the query parameters and the methods that edit them."""

    __slots__ = ()

    @property
    @_engine.fast_method("params")
    def params(self) -> Params:
        """The parameters of the query, read as HTML form data; empty if the URI has no query.

        To edit parameters, use `with_param` and the other methods of the URI. Use
        `Params.with_codec` for queries with `;` between parameters, or in which `+` is a plus sign.

        >>> reference = IRIReference("?a=x+y&b=%7E&c")
        >>> reference.params["a"], reference.params["c"], reference.params.get("d")
        ('x y', '', None)
        """
        params: Params = self._params(later("uriverse._uri.params").Params)
        return params

    @overload
    def with_params(
        self: Edits[PublicType], params: Mapping[Any, ParamValues] | None, /
    ) -> PublicType: ...
    @overload
    def with_params(  # noqa: F811
        self: Edits[PublicType], params: Iterable[tuple[ParamName, ParamValues]], /
    ) -> PublicType: ...
    @_engine.fast_method("with_params")
    def with_params(self: Edits[PublicType], params: ParamSource | None, /) -> PublicType:  # noqa: F811  # overloads
        """Return a copy of the URI with the given query parameters and no others.

        Args:
            params: names and values as data, in a mapping or in pairs; they are encoded like HTML
                form data, in the given order. A list of values repeats the name. `Params` are used
                as written. `None` removes the query.

        Raises:
            BuildError: a name or a value cannot be encoded (see `Params.with_param`), or the type
                does not allow the query of the `Params`.
            TypeError: `params`, a name or a value has the wrong type.

        >>> uri = URI("http://a/?b=%7E&c")
        >>> uri.with_params(uri.params.with_param("c", 1))
        URI('http://a/?b=%7E&c=1')
        >>> uri.with_params({"q": "a b", "page": [1, 2]})
        URI('http://a/?q=a+b&page=1&page=2')
        """
        return with_query(self, query_of(params))

    @_engine.fast_method("with_param")
    def with_param(self: Edits[PublicType], name: ParamName, value: ParamValues) -> PublicType:
        """Return a copy of the URI with one query parameter set to a new value.

        New values replace the old values in place. Additional values follow the last parameter of
        the name; a new name follows the last parameter of the query. All other parameters stay
        exactly as written.

        Args:
            name: the name as data, `str` or `bytes`.
            value: one value, or a sequence of values; an empty sequence removes the name. See
                `uriverse.typing.ParamValue` for the types of values. `None` writes the name without
                "=".

        Raises:
            BuildError: the name or a value cannot be encoded; see `Params.with_param`.
            TypeError: the name or a value has an unsupported type.

        >>> URI("http://a/?q=x&page=1#b").with_param("page", 2)
        URI('http://a/?q=x&page=2#b')
        """
        return with_query(self, self.params.with_param(name, value).query)

    @_engine.fast_method("add_param")
    def add_param(self: Edits[PublicType], name: ParamName, value: ParamValues) -> PublicType:
        """Return a copy of the URI with a new parameter at the end of the query.

        Args:
            name: the name as data, `str` or `bytes`.
            value: one value, or a sequence of values; see `with_param`.

        Raises:
            BuildError: the name or a value cannot be encoded; see `Params.with_param`.
            TypeError: the name or a value has an unsupported type.

        >>> URI("http://a/?tag=x").add_param("tag", "y z")
        URI('http://a/?tag=x&tag=y+z')
        """
        return with_query(self, self.params.add_param(name, value).query)

    @_engine.fast_method("without_params")
    def without_params(self: Edits[PublicType], *names: ParamName) -> PublicType:
        """Return a copy of the URI without the query parameters that have one of these names.

        If no parameter remains, the query is removed with its `?`. For patterns such as `utm_*`,
        use `filter_params`.

        Args:
            names: the names as data, `str` or `bytes`; names that are missing are ignored.

        Raises:
            TypeError: a name is neither `str` nor `bytes`.

        >>> URI("http://a/?q=x&page=1&q=y").without_params("q")
        URI('http://a/?page=1')
        """
        return with_query(self, self.params.without(*names).query)

    def filter_params(
        self: Edits[PublicType], *, keep: str | Iterable[str] = "*", drop: str | Iterable[str] = ()
    ) -> PublicType:
        """Return a copy of the URI with only the query parameters whose names match a pattern.

        Args:
            keep: one or more names or [globs][1] to keep. Matching is case-sensitive.
            drop: one or more names or globs to remove, even if they match `keep`.

        [1]: https://docs.python.org/3/library/fnmatch.html

        Raises:
            TypeError: `keep` or `drop` is neither a `str` nor an iterable of `str`.

        >>> URI("http://a/?q=x&utm_source=y&utm_medium=z").filter_params(drop="utm_*")
        URI('http://a/?q=x')
        """
        return with_query(self, self.params.filter(keep=keep, drop=drop).query)

    def sorted_params(self: Edits[PublicType]) -> PublicType:
        """Return a copy of the URI with its query parameters sorted by name.

        Names are compared byte by byte, in UTF-8. Parameters of the same name keep their order.

        >>> URI("http://a/?b=2&a=1&b=1").sorted_params()
        URI('http://a/?a=1&b=2&b=1')
        """
        return with_query(self, self.params.sorted().query)

    @overload
    def update_params(
        self: Edits[PublicType], params: Mapping[Any, ParamValues], /, **named: ParamValues
    ) -> PublicType: ...
    @overload
    def update_params(  # noqa: F811
        self: Edits[PublicType],
        params: Iterable[tuple[ParamName, ParamValues]] = ...,
        /,
        **named: ParamValues,
    ) -> PublicType: ...
    def update_params(  # noqa: F811
        self: Edits[PublicType], params: ParamSource = (), /, **named: ParamValues
    ) -> PublicType:
        """Return a copy of the URI in which some query parameters have new values.

        The new values replace all old values of a name. A name that is missing is added at the end.

        Args:
            params: names and values, in a mapping or in pairs. Values of pairs with the same name
                are combined.
            named: more names and values; they override those of the same name in `params`.

        Raises:
            BuildError: a name or a value cannot be encoded; see `Params.with_param`.
            TypeError: `params`, a name or a value has an unsupported type.

        >>> URI("http://a/?q=x&page=1").update_params({"page": 2}, lang="en")
        URI('http://a/?q=x&page=2&lang=en')
        """
        return with_query(self, self.params.updated(params, **named).query)


def with_query(value: Any, query: str | None) -> Any:
    """Return a copy of a URI with another query, which may be `None`."""
    return value._with_part(5, query) or value.replace(query=query)
