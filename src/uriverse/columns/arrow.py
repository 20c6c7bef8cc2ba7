"""Arrow in, Arrow out: columns of text from whoever has them, and arrays from buffers.

What is given and given back speaks the [PyCapsule protocol][1], so that nothing is copied
between libraries.

[1]: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from itertools import chain, pairwise
from threading import Lock
from typing import Any, NamedTuple, cast

import nanoarrow

from uriverse import engine
from uriverse.spec.columns import (
    FULL,
    Built,
    Kind,
    Layout,
    built,
    index_of,
    is_set,
    octets_in_views,
    octets_with_offsets,
    text_buffers,
    validity,
)
from uriverse.spec.scheme import default_registry

#: Layouts of texts by how the [C data interface][1] calls them; a column that has only nulls may
#: be taken for any.
#:
#: [1]: https://arrow.apache.org/docs/format/CDataInterface.html#data-type-description-format-strings
LAYOUTS: dict[str, Layout] = {
    "u": "string",
    "U": "large_string",
    "vu": "string_view",
    "n": "string",
}

#: The types of texts, by their layouts.
TEXT: dict[Layout, Any] = {
    "string": nanoarrow.string(),
    "large_string": nanoarrow.large_string(),
    "string_view": nanoarrow.string_view(),
}


def kernel_of_columns() -> Any:
    """What does whole columns, with the rules of schemes that it is to know; `None` without it."""
    # One at a time: those rules are read without the interpreter's lock.
    with ONE_AT_A_TIME:
        return kernel_with_rules()


@cache
def kernel_with_rules() -> Any:
    kernel: Any = engine.columns()
    if kernel is not None:
        rules = [
            (
                scheme.name,
                -1 if scheme.default_port is None else scheme.default_port,
                scheme.empty_path == "/",
                0 if scheme.normalize is None else 1 if scheme.name == "file" else 2,
            )
            for scheme in default_registry().values()
        ]
        kernel.know_schemes(rules)
    return kernel


ONE_AT_A_TIME = Lock()

#: What can be gone over, and is no column: a text, and what has texts in no order, or as names.
NO_COLUMNS: tuple[type[Any], ...] = (str, bytes, Mapping, AbstractSet)

#: What is said of a column that is none.
BROKEN = "the column is broken: rows of a chunk are not in its buffers"

#: The fields of a parameter.
PAIR: tuple[tuple[str, Kind], ...] = (("key", "text"), ("value", "text"))

#: What a column is: of one kind, or a struct with fields of these names and kinds.
Shape = Kind | tuple[tuple[str, Kind], ...]


class Texts:
    """An array of texts, of `nanoarrow`."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, span: slice) -> list[str | None]:
        """The texts of some rows."""
        return texts(self.array, span.start, span.stop - span.start, self.values)

    @cached_property
    def values(self) -> list[str | None]:
        """The texts that a dictionary has, which are looked at once."""
        dictionary = self.array.dictionary
        return [] if dictionary is None else texts(dictionary, 0, len(dictionary))

    @cached_property
    def rows(self) -> Any:
        """As the kernel reads them."""
        array, kernel = self.array, kernel_of_columns()
        if array.schema.format == "n":
            # Not everybody agrees on how many buffers these have: none is looked at.
            return kernel.Rows("null", len(array), 0, ())
        layout = layout_of(array.schema)
        dictionary = None if array.schema.dictionary is None else Texts(array.dictionary).rows
        buffers = tuple(buffers_of(array))
        if array.schema.format == "vu":
            buffers = buffers[:-1]  # their sizes
        return kernel.Rows(layout, len(array), array.offset, buffers, dictionary)


class Chunk(NamedTuple):
    """Rows that stand in the same buffers: how many, from which one on."""

    texts: Texts
    start: int
    rows: int


class Column:
    """A column of text.

    Attributes:
        layout: of the texts in it; of a dictionary, those of its values.
        chunks: where they stand.
    """

    def __init__(self, given: object) -> None:
        """Take a column from whoever has one.

        Args:
            given: what speaks the PyCapsule protocol, and is a column of texts or has only one;
                or `str` and identifiers, with `None` for null.

        Raises:
            TypeError: it is neither, or what is in it is no text.
        """
        self.layout: Layout
        self.chunks: list[Chunk]
        if hasattr(given, "__arrow_c_stream__"):
            stream = nanoarrow.c_array_stream(given)
            self.layout, self.chunks = column_of(stream.get_schema(), list(stream))
        elif hasattr(given, "__arrow_c_array__"):
            array = nanoarrow.c_array(given)
            self.layout, self.chunks = column_of(array.schema, [array])
        elif isinstance(given, NO_COLUMNS) or not isinstance(given, Iterable):
            name = type(given).__name__
            raise TypeError(f"expected a column or a list of str, not {name}")
        else:
            array = array_of(cast("Iterable[object]", given))
            self.layout, self.chunks = column_of(array.schema, [array])

    def __len__(self) -> int:
        return sum(chunk.rows for chunk in self.chunks)


def column_of(schema: Any, arrays: list[Any]) -> tuple[Layout, list[Chunk]]:
    """The layout and the chunks of a column of text, or of a table that has only one.

    Raises:
        TypeError: it is neither.
    """
    if schema.format != "+s":
        return layout_of(schema), [Chunk(Texts(array), 0, len(array)) for array in arrays]
    if schema.n_children != 1:
        names = ", ".join(child.name for child in schema.children)
        raise TypeError(f"expected one column of text, not a table of {schema.n_children}: {names}")
    if any(array.null_count for array in arrays):
        raise TypeError("expected a column of text, not structs of which some are null")
    if any(array.offset + len(array) > len(array.child(0)) for array in arrays):
        raise ValueError(BROKEN)
    # What a struct leaves out at its beginning, its fields still have.
    chunks = [Chunk(Texts(array.child(0)), array.offset, len(array)) for array in arrays]
    return layout_of(schema.child(0)), chunks


def layout_of(schema: Any) -> Layout:
    """The layout of the texts that a type has.

    Raises:
        TypeError: it has none.
    """
    text = schema if schema.dictionary is None else schema.dictionary
    if text.format in LAYOUTS:
        return LAYOUTS[text.format]
    try:
        name = nanoarrow.Schema(schema).type.name.lower()
    except ValueError:
        # A type that it does not know yet.
        name = f"the format {text.format!r} of Arrow"
    raise TypeError(f"expected a column of text, not of {name}")


def array_of(given: Iterable[object]) -> Any:
    """An array of texts; a large one, if its octets are more than 32 bits count."""
    octets: list[bytes | None] = []
    for row, text in enumerate(given):
        try:
            exact = None if text is None else engine.as_text(text)
        except TypeError as error:
            raise TypeError(f"row {row}: {error}") from None
        # A lone surrogate makes what is no UTF-8, and so is found where the row is read.
        octets.append(None if exact is None else exact.encode(errors="surrogatepass"))
    layout: Layout = "string" if sum(map(len, filter(None, octets))) <= FULL else "large_string"
    nulls, valid = validity(text is not None for text in octets)
    parts = Built(len(octets), nulls, (valid, *text_buffers(octets, layout)))
    return assembled(nanoarrow.c_schema(TEXT[layout]), parts)


def buffers_of(array: Any) -> list[memoryview]:
    """The buffers of an array, the bitmap first.

    Raises:
        ValueError: they are not those of its type.
    """
    try:
        view = array.view()
        return [memoryview(view.buffer(k)) for k in range(view.n_buffers)]
    except RuntimeError:
        raise ValueError(BROKEN) from None


def texts(array: Any, start: int, rows: int, values: Sequence[str | None] = ()) -> list[str | None]:
    """The texts of some rows; an octet that is no UTF-8 is a lone surrogate, and so is found.

    Args:
        array: of `nanoarrow`.
        start: the first row.
        rows: how many.
        values: the texts of its dictionary, if it has one.

    Raises:
        ValueError: a row is not in the buffers of the array.
    """
    if array.schema.format == "n":
        return [None] * rows
    valid, *buffers = buffers_of(array)
    first = array.offset + start
    span = [row for row in range(first, first + rows) if is_set(valid, row)]
    found: list[str | None]
    try:
        if array.schema.dictionary is not None:
            found = [values[index_of(buffers[0][row])] for row in span]
        else:
            octets = (
                octets_in_views(buffers[0], buffers[1:-1], span)
                if array.schema.format == "vu"
                else octets_with_offsets(buffers[0], buffers[1], span)
            )
            found = [text.decode(errors="surrogateescape") for text in octets]
    except IndexError:
        raise ValueError(BROKEN) from None
    texts_there = iter(found)
    return [next(texts_there) if is_set(valid, row) else None for row in range(first, first + rows)]


@cache
def schema_of(shape: Shape, layout: Layout) -> Any:
    """The type of a column."""
    return nanoarrow.c_schema(type_of(shape, layout))


def type_of(shape: Shape, layout: Layout) -> nanoarrow.Schema:
    if isinstance(shape, tuple):
        return nanoarrow.struct({name: type_of(kind, layout) for name, kind in shape})
    types: dict[Kind, Callable[[], nanoarrow.Schema]] = {
        "text": lambda: TEXT[layout],
        "flag": nanoarrow.bool_,
        "number": nanoarrow.int64,
        "position": nanoarrow.int32,
        "bounds": lambda: nanoarrow.fixed_size_list(nanoarrow.int32(), 8),
        "texts": lambda: nanoarrow.list_(TEXT[layout]),
        "pairs": lambda: nanoarrow.list_(type_of(PAIR, layout)),
    }
    return types[shape]()


def handed_over(schema: Any, parts: Built) -> Any:
    """An array for `Array` that has these buffers."""
    kernel = kernel_of_columns()
    if kernel is None:
        return assembled(schema, parts)
    children = zip(schema.children, parts.children, strict=True)
    below = tuple(handed_over(child, part) for child, part in children)
    return kernel.made_of(parts.length, parts.nulls, parts.buffers, below)


def assembled(schema: Any, parts: Built) -> Any:
    """An array of `nanoarrow` that has these buffers."""
    children = [
        assembled(child, part) for child, part in zip(schema.children, parts.children, strict=True)
    ]
    return nanoarrow.c_array_from_buffers(
        schema, parts.length, parts.buffers, parts.nulls, children=children
    )


def of_values(values: list[Any], shape: Shape, layout: Layout) -> Built:
    """The buffers of values, of which `None` is null; those of a struct are mappings."""
    if not isinstance(shape, tuple):
        return built(values, shape, layout)
    nulls, valid = validity(value is not None for value in values)
    fields = (
        built([None if value is None else value[name] for value in values], kind, layout)
        for name, kind in shape
    )
    return Built(len(values), nulls, (valid,), tuple(fields))


def values(array: Any, shape: Shape) -> list[Any]:
    """The values of an array that was made, as objects of Python."""
    rows = len(array)
    valid, *buffers = buffers_of(array)
    if isinstance(shape, tuple):
        fields = [values(array.child(k), kind) for k, (_, kind) in enumerate(shape)]
        found: list[Any] = [
            {name: column[row] for (name, _), column in zip(shape, fields, strict=True)}
            for row in range(rows)
        ]
    elif shape == "text":
        return texts(array, 0, rows)
    elif shape == "flag":
        found = [is_set(buffers[0], row) for row in range(rows)]
    elif shape == "bounds":
        flat = memoryview(array.child(0).view().buffer(1)).tolist()
        found = [flat[8 * row : 8 * row + 8] for row in range(rows)]
    elif shape in {"texts", "pairs"}:
        items = values(array.child(0), "text" if shape == "texts" else PAIR)
        found = [items[start:end] for start, end in pairwise(buffers[0].tolist())]
    else:
        found = buffers[0].tolist()
    return [value if not valid or is_set(valid, row) else None for row, value in enumerate(found)]


class Array:
    """A column that was made: it speaks the Arrow PyCapsule protocol, chunk by chunk.

    So `pyarrow.chunked_array`, `polars.Series` and each function of `uriverse.columns` take it.
    """

    __slots__ = ("_arrays", "_schema", "_shape")

    def __init__(self, shape: Shape, schema: Any, arrays: list[Any]) -> None:
        """Take arrays of the kernel; without it, of `nanoarrow`."""
        self._shape: Shape = shape
        self._schema = schema
        self._arrays = arrays

    @property
    def chunks(self) -> int:
        """How many chunks there are; one at least."""
        return len(self._arrays)

    def __len__(self) -> int:
        return sum(len(array) for array in self._arrays)

    def __repr__(self) -> str:
        kind = str(nanoarrow.Schema(self._schema)).removeprefix("<Schema> ")
        return f"<Array of {kind}, {len(self):,} rows>"

    def __arrow_c_schema__(self) -> object:
        """The type, as a capsule."""
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The chunks, as a capsule; another type than its own is not made of them."""
        kernel = kernel_of_columns()
        if kernel is not None:
            return kernel.stream(self, self._arrays)
        return nanoarrow.Array.from_chunks(self._arrays).__arrow_c_stream__()

    def to_pylist(self) -> list[Any]:
        """The values as objects of Python; `None` is null, a struct is a `dict`.

        >>> from uriverse import columns
        >>> columns.is_valid(["a", "%"]).to_pylist()
        [True, False]
        """
        chunks = (ArrayOfOneChunk(self._shape, self._schema, [array]) for array in self._arrays)
        arrays = map(nanoarrow.c_array, chunks)
        return list(chain.from_iterable(values(array, self._shape) for array in arrays))


class ArrayOfOneChunk(Array):
    """One that can be taken as a whole, too."""

    __slots__ = ()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Type and values, as capsules; another type than its own is not made of it."""
        (array,) = self._arrays
        if kernel_of_columns() is None:
            pair: tuple[object, object] = array.__arrow_c_array__()
            return pair
        return self._schema.__arrow_c_schema__(), array.capsule()
