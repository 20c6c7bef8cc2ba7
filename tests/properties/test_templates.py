import re
from typing import Any
from urllib.parse import unquote

from hypothesis import assume, event, example, given
from hypothesis import strategies as st

from uriverse import TemplateError, URIReference
from uriverse.templates import Match, Template, Variable

NAMES = ("a", "b", "c", "%41", "d.e")

#: Literals: those of a path, and some that begin another component or a parameter.
IN_PATH = (
    *("/", "/", "/", "-", ".", "x", "/x/", "%2F", "%7e", "~", ",", ";", "=", "&", "\u00e9", "'"),
    *("@", "/.", "!"),
)
ELSEWHERE = ("?", "#", ":", "http://h", "//h", "//", "?x=", "&y=", "?x", "&", "//u@", ":80", "urn:")

#: Pieces of values and URIs: dangerous characters, encoded up to five times, and harmless ones.
PIECES = (
    *("a", "b", "x", "A", "7", "..", ".", "/", "\\", "%", "%2F", "%252f", "%5C", "%2e", "%252E"),
    *("%00", "%25252F", "%2525252e", "%252525252F", "\0", "\x85", "\u00e9", ",", ";", "=", "&"),
    *("+", " ", "?", "#", ":", "@", "~", "-", "'", "http://h", "%C3%A9", "%FF", "h"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=4).map("".join)
MAPPINGS = st.dictionaries(TEXTS | st.sampled_from(NAMES), TEXTS, min_size=1, max_size=3)
LISTS = st.lists(TEXTS, min_size=1, max_size=3)


@st.composite
def expressions(draw: st.DrawFn, /, operators: str) -> str:
    """Expressions with one of some operators; a space stands for simple expansion."""
    modifiers = ("", "", "", "", "*", ":2") if draw(st.booleans()) else ("",)
    variables = st.tuples(st.sampled_from(NAMES), st.sampled_from(modifiers)).map("".join)
    names = ",".join(
        draw(st.lists(variables, min_size=1, max_size=draw(st.sampled_from((1, 1, 3)))))
    )
    return f"{{{draw(st.sampled_from(operators)).strip()}{names}}}"


def texts_of_templates(literals: tuple[str, ...], operators: str) -> st.SearchStrategy[str]:
    """Templates with some literals and operators; a query or a fragment often follows the path."""
    parts = st.sampled_from(literals) | expressions(operators)
    return st.lists(parts, min_size=1, max_size=6).map("".join)


ORDINARY = st.tuples(
    st.sampled_from(("", "/", "/x/", "http://h/", "http://{a}/", "{b}://h")),
    texts_of_templates(IN_PATH, "    ./;"),
    st.sampled_from(
        ("", "", "?x=1", "{?c}", "{?a*}", "{?c,b}", "?x={c}", "?{c}", "#{c}", "?x{&c*}")
    ),
).map("".join)
ANY = ORDINARY | texts_of_templates(IN_PATH + ELSEWHERE, "  +#./;?&")


#: Types of variables, and values of each; `None` stands for no type.
TYPES: tuple[tuple[Any, st.SearchStrategy[Any]], ...] = (
    (list, LISTS),
    (dict, MAPPINGS),
    (list[int], st.lists(st.integers(-3, 100), min_size=1, max_size=3)),
    (dict[str, int], st.dictionaries(TEXTS, st.integers(), min_size=1, max_size=3)),
)
TYPES_OF_ONE = (
    (int, st.integers(-3, 1000)),
    (("a", "b", "x-y", "7"), st.sampled_from(("a", "x-y"))),
)


@st.composite
def templates_with_values(
    draw: st.DrawFn, /, texts: st.SearchStrategy[str], *, safe: bool = False
) -> tuple[Template, dict[str, Any]]:
    """Valid templates, and values for their variables, except for some in optional expressions."""
    text = draw(texts)
    types: dict[str, Any] = {}
    values: dict[str, Any] = {}
    variables = Template(text).variables
    for name in dict.fromkeys(variable.name for variable in variables):
        same = [variable for variable in variables if variable.name == name]
        made = untyped(same)
        if draw(st.integers(0, 4)) == 0 and not any(variable.prefix for variable in same):
            exploded = any(variable.explode for variable in same)
            types[name], made = draw(st.sampled_from(TYPES if exploded else TYPES + TYPES_OF_ONE))
        is_optional = all(variable.operator not in {"", "+"} for variable in same)
        if not is_optional or draw(st.booleans()):
            values[name] = draw(made)
    return Template(text, types=types, safe=safe), values


def untyped(same: list[Variable]) -> st.SearchStrategy[Any]:
    """Values for the occurrences of a variable without a type."""
    exploded = [variable for variable in same if variable.explode]
    if not exploded:
        return TEXTS
    return LISTS | MAPPINGS if all(v.operator in {*";?&"} for v in exploded) else LISTS


def expanded(template: Template, values: dict[str, Any]) -> URIReference | None:
    try:
        return template.expand(values)
    except TemplateError:
        return None


@given(templates_with_values(ANY, safe=True))
def test_matching_an_expansion_of_a_reversible_template_returns_the_values(
    case: tuple[Template, dict[str, Any]],
) -> None:
    template, values = case
    event(f"reversible: {template.is_reversible}")
    assume(template.is_reversible)
    uri = expanded(template, values)
    if uri is None:
        return
    found = template.match(uri)
    assert found is not None, (template, values, uri)
    assert found.variables == values, (template, uri)
    assert not found.extra


@st.composite
def matched(draw: st.DrawFn, /, texts: st.SearchStrategy[str]) -> tuple[Template, str]:
    template, values = draw(templates_with_values(texts))
    try:
        uri = template.expand_text(values)
    except TemplateError:
        uri = draw(TEXTS)  # a prefix of a list
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(uri)))
        end = draw(st.integers(start, min(start + 3, len(uri))))
        uri = uri[:start] + draw(st.sampled_from(("", *PIECES, "&z=1", "?z", "#"))) + uri[end:]
    return template, uri


@given(matched(ANY))
def test_match_and_match_all_agree(case: tuple[Template, str]) -> None:
    template, uri = case
    everything = template.match_all(uri, limit=2)
    event(f"{len(everything)} matches")
    try:
        found = template.match(uri)
    except TemplateError:
        # There may be more ways to match than are examined, and few of them yield values.
        assert len(everything) == 2 or len(template.variables) > 1
    else:
        assert ([] if found is None else [found]) == everything


@given(matched(ANY))
@example((Template("{?a}{b}"), "?a="))
@example((Template("?x{;a}{b}"), "?x;a=b"))
def test_the_values_of_a_match_expand_to_the_same_uri(case: tuple[Template, str]) -> None:
    template, uri = case
    names = [variable.name for variable in template.variables]
    # Parameters of a query may be missing, and expanding the values of other occurrences adds them.
    assume("?" not in str(template) or len(names) == len(set(names)))
    for match in template.match_all(uri, limit=4):
        again = template.expand(match.variables)
        assert decoded(str(again)) == decoded(without_extra(uri, match)), (template, uri, match)
        assert match.variables in [
            found.variables for found in template.match_all(again, limit=256)
        ]


def without_extra(uri: str, match: Match) -> str:
    """Return a URI without the parameters of the query that the template does not contain."""
    if match._extra is None:
        return uri
    head, _, rest = uri.partition("?")
    query, hash_sign, fragment = rest.partition("#")
    items = query.split("&")
    for item in match._extra.split("&"):
        items.remove(item)
    return head + ("?" + "&".join(items) if items else "") + hash_sign + fragment


def decoded(uri: str) -> tuple[str, list[str], str | None]:
    """Return the parts of a URI decoded, with its parameters in order.

    A simple variable takes reserved characters that its expansion percent-encodes.
    """
    value = URIReference(uri)
    head = uri.partition("#")[0].partition("?")[0]
    before = (value.scheme or "").lower()
    host = (value.host or "").lower()
    head = head if value.host is None else head.replace(str(value.host), host, 1)
    head = before + head[len(before) :]
    # A parameter without a value may have an "=".
    parameters = sorted(re.sub("=(?=[;&]|$)", "", unquote(value.query or "")).split("&"))
    path = re.sub("=(?=;|$|/)", "", unquote(head))
    fragment = value.fragment and re.sub("=(?=[;&]|$)", "", unquote(value.fragment))
    return path, parameters, fragment


@given(templates_with_values(ANY))
def test_an_expansion_is_valid_or_an_error(case: tuple[Template, dict[str, Any]]) -> None:
    template, values = case
    uri = expanded(template, values)
    if uri is not None:
        text = template.expand_text(values)
        assert str(uri) == text
        assert uri == URIReference.try_parse(text)


@given(templates_with_values(ANY, safe=True))
def test_a_safe_expansion_is_matched_or_ambiguous(case: tuple[Template, dict[str, Any]]) -> None:
    template, values = case
    uri = expanded(template, values)
    if uri is not None and not template.match_all(uri):
        assert template.ambiguities, (template, values, uri)


@given(templates_with_values(ANY), st.data())
def test_expanding_the_rest_of_a_partial_template_is_expanding_the_template(
    case: tuple[Template, dict[str, Any]], data: st.DataObject
) -> None:
    template, values = case
    known = data.draw(st.sets(st.sampled_from(sorted(values)))) if values else set[str]()
    try:
        rest = template.partial({name: values[name] for name in known})
        found, expected = rest.expand_text(values), template.expand_text(values)
    except TemplateError as error:
        event(error.rule)  # a prefix of a list, or a part of an expression such as {a,b}
        return
    # The parameters of a query that are known come first.
    assert sorted(re.split("[?&]", found)) == sorted(re.split("[?&]", expected))
