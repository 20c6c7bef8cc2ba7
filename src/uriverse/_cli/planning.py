"""Turn the options of `uriverse columns` into a `Plan`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

from uriverse._spec.normalization import lower
from uriverse.columns import FUNCTIONS, OPERATIONS
from uriverse.tables._options import OPERATIONS_OF_WORD, OTHERS
from uriverse.typing import Operation

from .lines import as_argument
from .output import MisuseError, leave
from .selecting import condition_in, expressions_in

if TYPE_CHECKING:
    from uriverse.columns import Expression
    from uriverse.tables._plan import Plan

#: The names to look for if several columns contain strings and no `--column` is given.
USUAL = ("url", "uri", "iri", "href", "link")

#: The options with the name of a file, whose content all expressions can use.
LOADED = ("policy", "router")


def load_files(planned: dict[str, Any]) -> None:
    """Replace the names of a policy and of routes by the contents of the files."""
    allow, deny = planned.pop("allow"), planned.pop("deny")
    if planned["policy"] is not None or allow or deny:
        from .policies import policy_with

        planned["policy"] = policy_with(planned["policy"], allow, deny)
    if planned["router"] is not None:
        from .templates import router_in

        planned["router"] = router_in(planned["router"])


def operation_of(planned: dict[str, Any]) -> Operation | Literal["select"]:
    """Return the operation: that of `--op`, or `select` with `--select`.

    Parse the expressions of `--select` and of `--where`.
    """
    operations: list[Operation] = [*planned["op"]] or ["parse"]
    known = {name: planned[name] for name in LOADED if planned[name] is not None}
    if planned["where"] is not None:
        planned["where"] = condition_in(planned["where"], known)
    if planned["select"] is not None:
        if planned["op"]:
            raise MisuseError("--op contradicts --select; use one of them")
        planned["results"] = expressions_in(planned["select"], known)
        return "select"
    if planned["where"] is not None and not planned["op"] and planned["preset"] is None:
        # Only filter rows.
        planned["results"] = {}
        return "select"
    if len(operations) > 1:
        results = ", ".join(OPERATIONS[name].name for name in dict.fromkeys(operations))
        raise MisuseError(f'--op takes one operation; for several, use --select "{results}"')
    return operations[0]


def reject_misfits(planned: dict[str, Any]) -> None:
    """Reject options that do not fit the operation, or are missing or invalid."""
    op: Operation | Literal["select"] = planned["op"]
    expressions: list[Expression] = [*(planned.get("results") or {}).values()]
    if planned["where"] is not None:
        expressions.append(planned["where"])
    selected = {FUNCTIONS[expression.function].operation for expression in expressions}
    for name, names in OPERATIONS_OF_WORD.items():
        used_by = {op, *selected} if name in LOADED else {op}
        if planned[name] is not None and used_by.isdisjoint(names):
            flag = "schema" if name == "preset" else name.replace("_", "-")
            raise MisuseError(f"--{flag} does not apply to {op}; use it with {listed(names, 'or')}")
    if op != "select":
        reject_bad_options(op, planned)


def reject_bad_options(op: Operation, planned: dict[str, Any]) -> None:
    """Reject options of an operation that are missing or invalid."""
    second = OPERATIONS[op].second
    if second and (planned[second] is None) == (planned[f"{second}_column"] is None):
        if planned[second] is None:
            noun = {"base": "a base", "other": "another URI"}[second]
            raise MisuseError(f"{op} needs {noun}; set --{second} or --{second}-column")
        raise MisuseError(f"--{second} contradicts --{second}-column; use one of them")
    for needed in OPERATIONS[op].options:
        if needed.required and planned[needed.word or needed.name] is None:
            raise MisuseError(f"{op} needs {needed.flag}; add {needed.flag} {needed.metavar}")
    if second and planned[second] is not None:
        as_argument(f"--{second}", lambda: OPERATIONS[op].check_second(planned[second]))
    try:
        with needing("suffixes"):
            if planned["preset"] is not None:
                from uriverse.suffixes import _suffixes

                _suffixes.installed_suffixes()
            OPERATIONS[op].checked(options_of(planned))
    except ValueError as error:
        raise MisuseError(str(error)) from None


def options_of(planned: dict[str, Any]) -> dict[str, Any]:
    """Return the options that are set, of the column function with the operation."""
    if planned["op"] == "select":
        return {"results": planned["results"]}
    found: dict[str, Any] = {}
    for each in OPERATIONS[planned["op"]].options:
        value = planned[each.word or each.name] if each.help else None
        if value is not None:
            found[each.name] = value.split(",") if each.metavar.endswith(",...") else value
    return found


def planning(planned: dict[str, Any], *, to_lines: bool) -> Callable[[Any], Plan]:
    """Return a function that creates the `Plan` for a table from the command-line options.

    The function takes the schema of the table. A `Plan` is a column function with its options.
    """
    with needing("files"):
        from uriverse.tables._plan import Plan

    options: Any = {o: planned[o] for o in OTHERS if planned[o] is not None}
    options |= options_of(planned)
    names = planned["keep"]
    replace = planned["replace"]
    # A file of lines has only one column, which is the result in any case.
    if names is None and to_lines and options.get("results") != {}:
        names, replace = "none", False
    if names is None:
        names = "none" if "preset" in options else "all"
    listed_names = () if names == "none" else tuple(dict.fromkeys(names.split(",")))
    keep = None if names == "all" else listed_names
    rest = (keep, planned["prefix"], replace, planned["where"], planned["drop_bad"])

    def plan_for(schema: Any) -> Plan:
        column = planned["column"] or column_of(
            schema, planned["base_column"] or planned["other_column"]
        )
        return Plan(planned["op"], column, options, *rest)

    return plan_for


def column_of(schema: Any, ignored: str | None) -> str:
    """Return the name of the column that contains the URIs of a table.

    This is the only string column. If there are several string columns, it is the only one with a
    usual name, such as "url".

    Raises:
        TableError: no column or several columns qualify.
    """
    from uriverse.tables._found_columns import TableError, is_text, named

    names: list[str] = [
        field.name for field in schema if is_text(field.type) and field.name != ignored
    ]
    for found in (names, [name for name in names if lower(name) in USUAL]):
        if len(found) == 1:
            return found[0]
    if names:
        raise TableError(
            f"several columns contain strings; choose one with --column: {named(names)}"
        )
    types = named(f"{field.name} ({field.type})" for field in schema)
    raise TableError(f"no column contains strings; cast one to string: {types}")


@contextmanager
def needing(extras: str) -> Generator[None, None, None]:
    """Exit with installation instructions if an optional dependency is missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        leave(f"{missing.name} is not installed; run: pip install 'uriverse[{extras}]'")


def listed(names: Iterable[str], last: str) -> str:
    """Join names with commas, and the last two with a word such as "or"."""
    *others, end = names
    return f"{', '.join(others)} {last} {end}" if others else end
