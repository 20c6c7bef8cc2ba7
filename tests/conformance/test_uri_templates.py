"""Sentences of RFC 6570 hold, and examples that the suite `uritemplate-test` does not have."""

import pytest

from uriverse import TemplateError
from uriverse.templates import Template

VARIABLES = {"var": "value", "hello": "Hello World!"}
KEYS = [("semi", ";"), ("dot", "."), ("comma", ",")]


def test_examples_that_the_suite_uritemplate_test_omits_are_expanded() -> None:
    for text, expanded in [
        *(("X{#var}", "X#value"), ("X{#hello}", "X#Hello%20World!")),
        ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"),
        ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
    ]:
        for keys in (KEYS, dict(KEYS)):
            assert Template(text).expand_text({**VARIABLES, "keys": keys}) == expanded


@pytest.mark.parametrize(
    ("text", "expanded"),
    [("'{var}'", "'value'"), ("it's", "it's"), ("{+hello}'", "Hello%20World!'")],
)
def test_erratum_6937_allows_apostrophes_in_literals(text: str, expanded: str) -> None:
    assert Template(text).expand_text(VARIABLES) == expanded


def test_section_1_1_templates_of_http_servers_are_expanded() -> None:
    home = Template("http://example.com/~{username}/")
    assert home.expand_text(username="fred") == "http://example.com/~fred/"
    assert home.expand_text(username="mark") == "http://example.com/~mark/"
    dictionary = Template("http://example.com/dictionary/{term:1}/{term}")
    assert dictionary.expand_text(term="cat") == "http://example.com/dictionary/c/cat"
    search = Template("http://example.com/search{?q,lang}")
    assert search.expand_text(q="cat", lang="en") == "http://example.com/search?q=cat&lang=en"
    assert search.expand_text(q="chien", lang="fr") == "http://example.com/search?q=chien&lang=fr"


def test_section_2_4_1_a_prefix_counts_characters_and_not_octets() -> None:
    template = Template("{semi:2}{var:3}{var:30}")
    assert template.expand_text({**VARIABLES, "semi": ";"}) == "%3Bvalvalue"


def test_section_2_4_2_an_exploded_mapping_writes_its_keys() -> None:
    year = {"year": ["1965", "2000", "2012"], "dom": ["example", "com"]}
    assert Template("find{?year*}").expand_text(year) == "find?year=1965&year=2000&year=2012"
    assert Template("www{.dom*}").expand_text(year) == "www.example.com"
    address = {"address": {"city": "Newport Beach", "state": "CA"}}
    expanded = Template("/mapper{?address*}").expand_text(address)
    assert expanded == "/mapper?city=Newport%20Beach&state=CA"


@pytest.mark.parametrize("operator", "=,!@|")
def test_section_2_2_reserved_operators_are_errors(operator: str) -> None:
    with pytest.raises(TemplateError, match="unsupported operator"):
        Template(f"{{{operator}var}}")
