"""Store URIs and IRIs in columns of SQLAlchemy.

>>> from sqlalchemy import Column, MetaData, Table, create_engine, select
>>> from uriverse import URI
>>> from uriverse.integrations.sqlalchemy import URIType
>>> pages = Table("page", MetaData(), Column("url", URIType()))
>>> with create_engine("sqlite://").begin() as connection:
...     pages.create(connection)
...     _ = connection.execute(pages.insert(), {"url": URI("http://example.org/%7e")})
...     connection.scalar(select(pages.c.url))
URI('http://example.org/%7e')
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from uriverse import IRI, URI, IRIReference, URIReference
from uriverse._errors import quote_argument
from uriverse._lazy import explain_missing_module
from uriverse._typed import list_typed_classes
from uriverse._uri.engine import Identifier

from .constraints import Constraints

try:
    from sqlalchemy import String, Text, TypeDecorator, Unicode, UnicodeText
except ModuleNotFoundError as missing:
    _message = explain_missing_module(missing, __name__, "sqlalchemy")
    raise ModuleNotFoundError(_message, name=missing.name) from missing

if TYPE_CHECKING:
    from sqlalchemy import Dialect
    from sqlalchemy.sql.operators import OperatorType
    from sqlalchemy.types import TypeEngine

__all__ = ["TYPE_ANNOTATION_MAP", "URIType"]
__dir__ = __all__.copy

_T = TypeVar("_T", bound=Identifier)


class _ComparisonString(TypeDecorator[str]):
    """The type of strings and URIs that are compared with a column; it validates nothing."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else str(value)


class URIType(TypeDecorator[_T], Generic[_T]):
    """A column type for URIs and IRIs, which are stored as strings.

    Values are stored unchanged, so the database returns exactly the string that was stored. The
    column accepts URIs and strings, and returns values of the class `cls`. `None` is `NULL`.

    An invalid value raises `sqlalchemy.exc.StatementError` before the database is contacted; its
    `orig` is a `ParseError` with the code and the position. Like all errors of SQLAlchemy, it shows
    the parameters of the statement, which may contain secrets, unless the engine has the option
    `hide_parameters=True`. If the database contains a string that is invalid for `cls`, fetching it
    raises `ParseError`; constraints are not checked.

    In comparisons, such as `Page.url == "http://example.org/"` or `Page.url.like("https:%")`, any
    string is accepted.

    Args:
        cls: the class of the values: one of the four URI types, or a subclass such as
            `HTTPURI`.
        constraints: further conditions for values that are stored.
        length: the maximum length in characters. The type of the column is `VARCHAR` with this
            length; `None` for the `max_length` of the constraints. Without both, it is `TEXT`.

    >>> from uriverse import IRI
    >>> URIType(IRI, length=500)
    URIType(uriverse.IRI, length=500)
    >>> from sqlalchemy import Column, MetaData, Table, create_engine, exc
    >>> web = Constraints(schemes={"http", "https"}, host_required=True)
    >>> pages = Table("page", MetaData(), Column("url", URIType(constraints=web)))
    >>> engine = create_engine("sqlite://", hide_parameters=True)
    >>> with engine.begin() as connection:
    ...     pages.create(connection)
    ...     try:
    ...         connection.execute(pages.insert(), {"url": "ftp://example.org/"})
    ...     except exc.StatementError as error:
    ...         print(error.orig.code, error.orig.position, error.orig.reason)
    scheme-not-allowed 0 unexpected scheme: expected http or https
    """

    impl = String
    cache_ok = True

    # SQLAlchemy compiles a statement once for all types whose arguments are equal. It reads them
    # from attributes with the names of the arguments, which must not be keyword-only.
    cls: type[_T]
    constraints: Constraints | None
    length: int | None

    @overload
    def __init__(
        self: URIType[URI], *, constraints: Constraints | None = None, length: int | None = None
    ) -> None: ...

    @overload
    def __init__(
        self, cls: type[_T], constraints: Constraints | None = None, length: int | None = None
    ) -> None: ...

    def __init__(
        self, cls: Any = URI, constraints: Constraints | None = None, length: int | None = None
    ) -> None:
        if not (isinstance(cls, type) and issubclass(cls, Identifier)):
            raise TypeError(f"cls must be a URI type, not {quote_argument(cls)}")
        if length is None and constraints is not None:
            length = constraints.max_length
        super().__init__()
        self.cls = cast("type[_T]", cls)
        self.constraints = constraints
        self.length = length
        # Some databases have separate types for strings that are not ASCII.
        is_ascii = issubclass(cls, URIReference)
        unlimited_type, limited_type = (Text, String) if is_ascii else (UnicodeText, Unicode)
        impl: Any = unlimited_type() if length is None else limited_type(length)
        self.impl = impl
        # The length applies even if the database does not enforce it.
        all_constraints = constraints or Constraints()
        if all_constraints.max_length is None:
            all_constraints = replace(all_constraints, max_length=length)
        self._enforce = None if all_constraints == Constraints() else all_constraints.enforce

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Validate a value before it is stored, and return it as a string.

        Raises:
            ParseError: the value is invalid, or it violates a constraint.
            TypeError: the value is neither a URI nor a string.
        """
        if value is None:
            return None
        if not isinstance(value, self.cls):
            value = cast("Any", self.cls)(value)
        if self._enforce is not None:
            self._enforce(value)
        return str(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> _T | None:
        """Parse a string from the database.

        Raises:
            ParseError: the string is invalid.
        """
        return None if value is None else self.cls(value)

    def coerce_compared_value(self, op: OperatorType | None, value: Any) -> TypeEngine[Any]:
        """Return the type of a value that is compared with a column."""
        if isinstance(value, str | Identifier):
            return _ComparisonString()
        return self.impl_instance.coerce_compared_value(op, value)

    @property
    def sort_key_function(self) -> Callable[[Any], Any]:  # type: ignore[override]
        """The key by which a session sorts the rows that it updates: the string of a value."""
        return str

    @property
    def python_type(self) -> type[_T]:
        """The class of the values."""
        return self.cls

    def __repr__(self) -> str:
        """Return an expression that migrations can evaluate after `import uriverse`."""
        arguments = [] if self.cls is URI else [_full_name(self.cls)]
        if self.constraints is not None:
            settings: list[str] = []
            for field in fields(Constraints):
                value = getattr(self.constraints, field.name)
                if value != field.default:
                    settings.append(f"{field.name}={_format_argument(value)}")
            arguments.append(f"constraints={_full_name(Constraints)}({', '.join(settings)})")
        if self.length is not None:
            arguments.append(f"length={self.length}")
        return f"URIType({', '.join(arguments)})"


def _format_argument(value: object) -> str:
    from uriverse import Policy

    if isinstance(value, Policy):
        return f"{_full_name(type(value))}.from_dict({value.to_dict()})"
    return repr(value)


def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


_URI_CLASSES: list[type[Identifier]] = [URI, URIReference, IRI, IRIReference, *list_typed_classes()]

TYPE_ANNOTATION_MAP: dict[Any, TypeEngine[Any]] = {cls: URIType(cls) for cls in _URI_CLASSES}
"""A column type for each URI type and each typed URI.

Set it as the `type_annotation_map` of a declarative base, and annotate columns with `Mapped[URI]`
or `Mapped[URI | None]`.
"""
