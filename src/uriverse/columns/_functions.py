"""The functions of `uriverse.columns`, and the methods for Polars and pandas.

They are made from the registry when this module is imported. Their types are in `__init__.pyi` and
`_functions.pyi`.
"""

# The functions call `run_function`; their annotations use the other names that are imported.
# pyright: reportUnusedImport=false
# ruff: noqa: F401

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, Literal, TypeVar

from uriverse._policy import Policy
from uriverse.schemes._registry import Registry
from uriverse.suffixes import Suffixes
from uriverse.templates import Router, Template
from uriverse.typing import Component, Field, Grammar, Host, Layout, Level, ParamValues

from ._arrow import Array
from ._execution import run_function
from ._front_ends import ARROW, METHODS
from ._registry import FIELDS

#: The type of a column.
Column = TypeVar("Column")
#: The type of the result of `parse`, which has several fields.
Struct = TypeVar("Struct")
#: The type of a second input, such as a base, that is not a string.
Second = TypeVar("Second")


class ColumnMethods(ABC, Generic[Column, Struct, Second]):
    """The column functions as methods of a Polars or pandas column."""

    @abstractmethod
    def _column(self, name: str, options: Mapping[str, object], *bases: str | Second) -> Column:
        """Run a column function on this column."""

    def _struct(self, name: str, options: Mapping[str, object]) -> Any:
        """Run a column function that returns a struct for each row."""
        return self._column(name, options)


for _name, _method in METHODS.define(globals()).items():
    _method.__qualname__ = f"ColumnMethods.{_name}"
    setattr(ColumnMethods, _name, _method)

globals().update(ARROW.define(globals()))
