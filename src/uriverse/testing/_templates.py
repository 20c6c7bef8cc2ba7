"""Hypothesis strategies for parts of URI Templates, and for the values of their variables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from string import ascii_letters, digits
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from uriverse._errors import TemplateError
from uriverse.templates import Template
from uriverse.templates._parsing import Expression, parse_template
from uriverse.templates._patterns import PATH_REGIONS, Slot
from uriverse.templates._safety import find_hazards
from uriverse.templates._template import get_slots, make_safe

from ._components import MAX_LENGTH

#: Characters of literals, except for percent signs.
LITERAL = f"{ascii_letters}{digits}-._~:/?#[]@!$&()*+,;=\u00e9\u65e5"

#: The largest number of items in lists and mappings.
MAX_ITEMS = 3


def names() -> st.SearchStrategy[str]:
    return st.text("abxyz09_", min_size=1, max_size=4) | st.sampled_from(["a.b", "%41", "id"])


def expressions() -> st.SearchStrategy[str]:
    modifiers = st.sampled_from(["", "", "*"]) | st.integers(1, 9999).map(":{}".format)
    variables = st.lists(st.builds("{}{}".format, names(), modifiers), min_size=1, max_size=3)
    operators = st.sampled_from(["", *"+#./;?&"])
    return st.builds("{{{}{}}}".format, operators, variables.map(",".join))


def random_templates() -> st.SearchStrategy[Template]:
    delimiters = st.sampled_from(["%2F", "%C3%A9", "//", "://"])
    literals = st.text(LITERAL, max_size=MAX_LENGTH) | delimiters
    return st.lists(literals | expressions(), max_size=5).map("".join).map(Template)


#: The types of variables.
TYPES: tuple[object, ...] = (str, int, float, date, datetime, UUID, ("a", "b/c"))


def usual_templates() -> st.SearchStrategy[Template]:
    """Generate templates as programs use them; matching returns the values of most of them."""
    segments = st.sampled_from(["/users", "/{id}", "/v{version}", "/{name}.json", "/a,{key}"])
    paths = st.lists(segments, max_size=3, unique=True).map("".join)
    origins = st.sampled_from(
        ["", "https://api.example.com", "http://{host}", "https://{host}:81/x"]
    )
    ends = st.sampled_from(["", "", "{/more*}", "{/last}", "{;p,q}", "{.ext}", "/{+rest}"])
    queries = st.sampled_from(["", "{?page}", "{?page,sort}", "{?tag*}{&page}", "?x=1{&page}"])
    fragments = st.sampled_from(["", "{#part}", "#part"])
    typed_names = st.sampled_from(["id", "version", "page", "last", "part"])
    types = st.dictionaries(typed_names, st.sampled_from(TYPES))
    texts = st.builds("{}{}{}{}{}".format, origins, paths, ends, queries, fragments)
    return st.builds(add_types, texts, types, st.sampled_from(["tag", ""]))


def add_types(text: str, types: Mapping[str, object], list_name: str) -> Template:
    names = {variable.name for variable in Template(text).variables}
    all_types = {**types, list_name: list}
    return Template(text, types={name: kind for name, kind in all_types.items() if name in names})


def template_values(template: Template) -> st.SearchStrategy[dict[str, Any]]:
    """Generate values of the variables with which a template can be expanded."""
    slots: dict[str, Slot] = {}
    for slot in get_slots(template):
        name = slot.variable.name
        # Of several occurrences of a variable, one in a path restricts the values most.
        if name not in slots or slots[name].region not in PATH_REGIONS:
            slots[name] = slot
    required_names = list_required_names(template)
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for name, slot in slots.items():
        strategies = required if name in required_names else optional
        strategies[name] = slot_values(slot)
    all_values = st.fixed_dictionaries(required, optional=optional)
    # Values that are safe alone may be unsafe together.
    return all_values.filter(lambda values: can_expand(template, values))


def list_required_names(template: Template) -> set[str]:
    """Return the variables that always get a value, unlike those in `{?page}` and `{/last}`."""
    required_names: set[str] = set()
    for part in parse_template(str(template)):
        if isinstance(part, Expression) and not part.operator.named:
            writes_delimiter = part.operator.symbol not in {"", "+"}
            if len(part.variables) > 1 or not writes_delimiter:
                required_names.update(variable.name for variable in part.variables)
    return required_names


def can_expand(template: Template, values: dict[str, Any]) -> bool:
    try:
        make_safe(template).expand(values)
    except TemplateError:
        return False
    return True


def slot_values(slot: Slot) -> st.SearchStrategy[Any]:
    items = slot_items(slot)
    lists = st.lists(items, min_size=1, max_size=MAX_ITEMS)
    keys = slot_strings(slot).filter(bool)
    mappings = st.dictionaries(keys, items, min_size=1, max_size=MAX_ITEMS)
    shapes: dict[str, st.SearchStrategy[Any]] = {
        "scalar": items,
        "list": lists,
        "mapping": mappings,
        "either": lists | mappings,
    }
    return shapes[slot.kind.shape]


def slot_items(slot: Slot) -> st.SearchStrategy[Any]:
    if slot.kind.choices is not None:
        return st.sampled_from(slot.kind.choices).filter(lambda text: accepts_text(slot, text))
    strategies: dict[type, st.SearchStrategy[Any]] = {
        str: slot_strings(slot),
        int: st.integers(),
        float: st.floats(allow_nan=False, allow_infinity=False),
        date: st.dates(),
        datetime: st.datetimes(),
        UUID: st.uuids(),
    }
    return strategies[slot.kind.scalar]


def slot_strings(slot: Slot) -> st.SearchStrategy[str]:
    if slot.region not in PATH_REGIONS:
        return st.text(max_size=MAX_LENGTH)
    simple = st.text(digits, min_size=1, max_size=4) | st.text(ascii_letters, min_size=1)
    strings = simple | st.text(min_size=1, max_size=MAX_LENGTH)
    if slot.reserved:
        strings = st.lists(strings, min_size=1, max_size=MAX_ITEMS).map("/".join)
    return strings.filter(lambda text: accepts_text(slot, text))


def accepts_text(slot: Slot, text: str) -> bool:
    return slot.region not in PATH_REGIONS or not any(find_hazards(text, reserved=slot.reserved))
