"""The function `expand` of `uriverse.columns`, which has a column for each variable."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from uriverse._errors import quoted
from uriverse.templates import Template
from uriverse.typing import Layout

from ._arguments import template_of
from ._arrow import Array
from ._execution import Call, execute_on, imported
from ._templates import expansion, expansion_for_kernel, types_of


def expand(
    template: Template | str,
    values: Mapping[str, object],
    /,
    *,
    layout: Layout | None = None,
    threads: int | None = None,
) -> Array:
    """Expand a URI Template for each row, with the values of its variables from columns.

    A null is an undefined variable. The strings of a variable with a type, such as `int`, must be
    written as expansion writes them. A variable with the type `list` has one item in each row.

    Args:
        template: the template, or its string.
        values: for each variable, a column as in the other functions, or one string for all rows.
            Variables without a column are undefined.
        layout: the Arrow type of the strings in the result, such as `"large_string"`; `None` for
            the type of the last column.
        threads: the maximum number of threads; `None` for one per processor.

    Returns:
        The URI reference; null only if a value is not allowed, or if the expansion is not a valid
        reference. `Template.expand` raises an error with the reason for the values of such a row.

    Raises:
        ColumnError: a column violates the Arrow specification.
        OverflowError: a string is too long for the layout; use `layout="large_string"`.
        TemplateError: the string is not a URI Template.
        TypeError: a column does not contain strings, or a variable is a mapping.
        ValueError: the columns differ in length, there is no column, or a name is not a variable.

    >>> from uriverse import columns
    >>> columns.expand("/users/{id}{?page}", {"id": ["a b", "7"], "page": ["2", None]}).to_pylist()
    ['/users/a%20b?page=2', '/users/7']
    """
    checked = Template(template) if isinstance(template, str) else template_of(template)
    kinds = types_of(checked)
    for name in values:
        if name not in kinds:
            raise ValueError(f"unknown variable {quoted(name)}; use {', '.join(kinds)}")
        if kinds[name].shape == "mapping":
            raise TypeError(f"the variable {name} cannot have a column: it is a mapping")
    row = partial(expansion, template=checked, names=tuple(values))
    inputs = [imported(given) for given in values.values()]
    if all(repeated for _, repeated in inputs):
        raise ValueError("values must contain at least one column")
    arguments = expansion_for_kernel(checked, tuple(values))
    call = Call("text", row, "expand", arguments, takes_null=True)
    return execute_on(call, inputs, layout=layout, threads=threads)
