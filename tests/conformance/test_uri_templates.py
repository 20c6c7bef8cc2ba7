"""The examples of RFC 6570 are expanded as the RFC says."""

from __future__ import annotations

from typing import Any

import pytest

from uriverse import TemplateError
from uriverse.templates import Template

#: Section 1.2: the variables, templates and expansions of each level.
LEVEL_1 = {"var": "value", "hello": "Hello World!"}
LEVEL_2 = {**LEVEL_1, "path": "/foo/bar"}
LEVEL_3 = {**LEVEL_2, "empty": "", "x": "1024", "y": "768"}
LEVEL_4: dict[str, Any] = {
    **LEVEL_2,
    "list": ["red", "green", "blue"],
    "keys": [("semi", ";"), ("dot", "."), ("comma", ",")],
}
SECTION_1_2: dict[str, tuple[dict[str, Any], dict[str, str]]] = {
    "level 1": (LEVEL_1, {"{var}": "value", "{hello}": "Hello%20World%21"}),
    "level 2": (
        LEVEL_2,
        {
            "{+var}": "value",
            "{+hello}": "Hello%20World!",
            "{+path}/here": "/foo/bar/here",
            "here?ref={+path}": "here?ref=/foo/bar",
            "X{#var}": "X#value",
            "X{#hello}": "X#Hello%20World!",
        },
    ),
    "level 3": (
        LEVEL_3,
        {
            "map?{x,y}": "map?1024,768",
            "{x,hello,y}": "1024,Hello%20World%21,768",
            "{+x,hello,y}": "1024,Hello%20World!,768",
            "{+path,x}/here": "/foo/bar,1024/here",
            "{#x,hello,y}": "#1024,Hello%20World!,768",
            "{#path,x}/here": "#/foo/bar,1024/here",
            "X{.var}": "X.value",
            "X{.x,y}": "X.1024.768",
            "{/var}": "/value",
            "{/var,x}/here": "/value/1024/here",
            "{;x,y}": ";x=1024;y=768",
            "{;x,y,empty}": ";x=1024;y=768;empty",
            "{?x,y}": "?x=1024&y=768",
            "{?x,y,empty}": "?x=1024&y=768&empty=",
            "?fixed=yes{&x}": "?fixed=yes&x=1024",
            "{&x,y,empty}": "&x=1024&y=768&empty=",
        },
    ),
    "level 4": (
        LEVEL_4,
        {
            "{var:3}": "val",
            "{var:30}": "value",
            "{list}": "red,green,blue",
            "{list*}": "red,green,blue",
            "{keys}": "semi,%3B,dot,.,comma,%2C",
            "{keys*}": "semi=%3B,dot=.,comma=%2C",
            "{+path:6}/here": "/foo/b/here",
            "{+list}": "red,green,blue",
            "{+list*}": "red,green,blue",
            "{+keys}": "semi,;,dot,.,comma,,",
            "{+keys*}": "semi=;,dot=.,comma=,",
            "{#path:6}/here": "#/foo/b/here",
            "{#list}": "#red,green,blue",
            "{#list*}": "#red,green,blue",
            "{#keys}": "#semi,;,dot,.,comma,,",
            "{#keys*}": "#semi=;,dot=.,comma=,",
            "X{.var:3}": "X.val",
            "X{.list}": "X.red,green,blue",
            "X{.list*}": "X.red.green.blue",
            "X{.keys}": "X.semi,%3B,dot,.,comma,%2C",
            "X{.keys*}": "X.semi=%3B.dot=..comma=%2C",
            "{/var:1,var}": "/v/value",
            "{/list}": "/red,green,blue",
            "{/list*}": "/red/green/blue",
            "{/list*,path:4}": "/red/green/blue/%2Ffoo",
            "{/keys}": "/semi,%3B,dot,.,comma,%2C",
            "{/keys*}": "/semi=%3B/dot=./comma=%2C",
            "{;hello:5}": ";hello=Hello",
            "{;list}": ";list=red,green,blue",
            "{;list*}": ";list=red;list=green;list=blue",
            "{;keys}": ";keys=semi,%3B,dot,.,comma,%2C",
            "{;keys*}": ";semi=%3B;dot=.;comma=%2C",
            "{?var:3}": "?var=val",
            "{?list}": "?list=red,green,blue",
            "{?list*}": "?list=red&list=green&list=blue",
            "{?keys}": "?keys=semi,%3B,dot,.,comma,%2C",
            "{?keys*}": "?semi=%3B&dot=.&comma=%2C",
            "{&var:3}": "&var=val",
            "{&list}": "&list=red,green,blue",
            "{&list*}": "&list=red&list=green&list=blue",
            "{&keys}": "&keys=semi,%3B,dot,.,comma,%2C",
            "{&keys*}": "&semi=%3B&dot=.&comma=%2C",
        },
    ),
}

#: Section 3.2: the variables of all examples.
VARIABLES: dict[str, Any] = {
    "count": ["one", "two", "three"],
    "dom": ["example", "com"],
    "dub": "me/too",
    "hello": "Hello World!",
    "half": "50%",
    "var": "value",
    "who": "fred",
    "base": "http://example.com/home/",
    "path": "/foo/bar",
    "list": ["red", "green", "blue"],
    "keys": {"semi": ";", "dot": ".", "comma": ","},
    "v": "6",
    "x": "1024",
    "y": "768",
    "empty": "",
    "empty_keys": {},
    "undef": None,
}
SECTION_3_2: dict[str, dict[str, str]] = {
    "3.2.1": {
        "{count}": "one,two,three",
        "{count*}": "one,two,three",
        "{/count}": "/one,two,three",
        "{/count*}": "/one/two/three",
        "{;count}": ";count=one,two,three",
        "{;count*}": ";count=one;count=two;count=three",
        "{?count}": "?count=one,two,three",
        "{?count*}": "?count=one&count=two&count=three",
        "{&count*}": "&count=one&count=two&count=three",
    },
    "3.2.2": {
        "{var}": "value",
        "{hello}": "Hello%20World%21",
        "{half}": "50%25",
        "O{empty}X": "OX",
        "O{undef}X": "OX",
        "{x,y}": "1024,768",
        "{x,hello,y}": "1024,Hello%20World%21,768",
        "?{x,empty}": "?1024,",
        "?{x,undef}": "?1024",
        "?{undef,y}": "?768",
        "{var:3}": "val",
        "{var:30}": "value",
        "{list}": "red,green,blue",
        "{list*}": "red,green,blue",
        "{keys}": "semi,%3B,dot,.,comma,%2C",
        "{keys*}": "semi=%3B,dot=.,comma=%2C",
    },
    "3.2.3": {
        "{+var}": "value",
        "{+hello}": "Hello%20World!",
        "{+half}": "50%25",
        "{base}index": "http%3A%2F%2Fexample.com%2Fhome%2Findex",
        "{+base}index": "http://example.com/home/index",
        "O{+empty}X": "OX",
        "O{+undef}X": "OX",
        "{+path}/here": "/foo/bar/here",
        "here?ref={+path}": "here?ref=/foo/bar",
        "up{+path}{var}/here": "up/foo/barvalue/here",
        "{+x,hello,y}": "1024,Hello%20World!,768",
        "{+path,x}/here": "/foo/bar,1024/here",
        "{+path:6}/here": "/foo/b/here",
        "{+list}": "red,green,blue",
        "{+list*}": "red,green,blue",
        "{+keys}": "semi,;,dot,.,comma,,",
        "{+keys*}": "semi=;,dot=.,comma=,",
    },
    "3.2.4": {
        "{#var}": "#value",
        "{#hello}": "#Hello%20World!",
        "{#half}": "#50%25",
        "foo{#empty}": "foo#",
        "foo{#undef}": "foo",
        "{#x,hello,y}": "#1024,Hello%20World!,768",
        "{#path,x}/here": "#/foo/bar,1024/here",
        "{#path:6}/here": "#/foo/b/here",
        "{#list}": "#red,green,blue",
        "{#list*}": "#red,green,blue",
        "{#keys}": "#semi,;,dot,.,comma,,",
        "{#keys*}": "#semi=;,dot=.,comma=,",
    },
    "3.2.5": {
        "{.who}": ".fred",
        "{.who,who}": ".fred.fred",
        "{.half,who}": ".50%25.fred",
        "www{.dom*}": "www.example.com",
        "X{.var}": "X.value",
        "X{.empty}": "X.",
        "X{.undef}": "X",
        "X{.var:3}": "X.val",
        "X{.list}": "X.red,green,blue",
        "X{.list*}": "X.red.green.blue",
        "X{.keys}": "X.semi,%3B,dot,.,comma,%2C",
        "X{.keys*}": "X.semi=%3B.dot=..comma=%2C",
        "X{.empty_keys}": "X",
        "X{.empty_keys*}": "X",
    },
    "3.2.6": {
        "{/who}": "/fred",
        "{/who,who}": "/fred/fred",
        "{/half,who}": "/50%25/fred",
        "{/who,dub}": "/fred/me%2Ftoo",
        "{/var}": "/value",
        "{/var,empty}": "/value/",
        "{/var,undef}": "/value",
        "{/var,x}/here": "/value/1024/here",
        "{/var:1,var}": "/v/value",
        "{/list}": "/red,green,blue",
        "{/list*}": "/red/green/blue",
        "{/list*,path:4}": "/red/green/blue/%2Ffoo",
        "{/keys}": "/semi,%3B,dot,.,comma,%2C",
        "{/keys*}": "/semi=%3B/dot=./comma=%2C",
    },
    "3.2.7": {
        "{;who}": ";who=fred",
        "{;half}": ";half=50%25",
        "{;empty}": ";empty",
        "{;v,empty,who}": ";v=6;empty;who=fred",
        "{;v,bar,who}": ";v=6;who=fred",
        "{;x,y}": ";x=1024;y=768",
        "{;x,y,empty}": ";x=1024;y=768;empty",
        "{;x,y,undef}": ";x=1024;y=768",
        "{;hello:5}": ";hello=Hello",
        "{;list}": ";list=red,green,blue",
        "{;list*}": ";list=red;list=green;list=blue",
        "{;keys}": ";keys=semi,%3B,dot,.,comma,%2C",
        "{;keys*}": ";semi=%3B;dot=.;comma=%2C",
    },
    "3.2.8": {
        "{?who}": "?who=fred",
        "{?half}": "?half=50%25",
        "{?x,y}": "?x=1024&y=768",
        "{?x,y,empty}": "?x=1024&y=768&empty=",
        "{?x,y,undef}": "?x=1024&y=768",
        "{?var:3}": "?var=val",
        "{?list}": "?list=red,green,blue",
        "{?list*}": "?list=red&list=green&list=blue",
        "{?keys}": "?keys=semi,%3B,dot,.,comma,%2C",
        "{?keys*}": "?semi=%3B&dot=.&comma=%2C",
    },
    "3.2.9": {
        "{&who}": "&who=fred",
        "{&half}": "&half=50%25",
        "?fixed=yes{&x}": "?fixed=yes&x=1024",
        "{&x,y,empty}": "&x=1024&y=768&empty=",
        "{&x,y,undef}": "&x=1024&y=768",
        "{&var:3}": "&var=val",
        "{&list}": "&list=red,green,blue",
        "{&list*}": "&list=red&list=green&list=blue",
        "{&keys}": "&keys=semi,%3B,dot,.,comma,%2C",
        "{&keys*}": "&semi=%3B&dot=.&comma=%2C",
    },
}


@pytest.mark.parametrize("level", SECTION_1_2)
def test_the_examples_of_a_level_are_expanded(level: str) -> None:
    variables, examples = SECTION_1_2[level]
    found = {text: Template(text).expand_text(variables) for text in examples}
    assert found == examples


@pytest.mark.parametrize("section", SECTION_3_2)
def test_the_examples_of_a_section_are_expanded(section: str) -> None:
    examples = SECTION_3_2[section]
    found = {text: Template(text).expand_text(VARIABLES) for text in examples}
    assert found == examples


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
    assert (
        Template("{semi:2}{var:3}{var:30}").expand_text({**VARIABLES, "semi": ";"}) == "%3Bvalvalue"
    )


def test_section_2_4_2_an_exploded_mapping_writes_its_keys() -> None:
    year = {"year": ["1965", "2000", "2012"], "dom": ["example", "com"]}
    assert Template("find{?year*}").expand_text(year) == "find?year=1965&year=2000&year=2012"
    assert Template("www{.dom*}").expand_text(year) == "www.example.com"
    address = {"address": {"city": "Newport Beach", "state": "CA"}}
    assert (
        Template("/mapper{?address*}").expand_text(address)
        == "/mapper?city=Newport%20Beach&state=CA"
    )


@pytest.mark.parametrize("operator", "=,!@|")
def test_section_2_2_reserved_operators_are_errors(operator: str) -> None:
    with pytest.raises(TemplateError, match="unsupported operator"):
        Template(f"{{{operator}var}}")
