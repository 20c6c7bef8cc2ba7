"""The position of an error is the first character that makes a component invalid in any case.

All components before the invalid one are valid. In the invalid component, some string of its ABNF
rule starts with the characters before the position, and none starts with the characters up to and
including the position. There is one documented exception: "::" counts as one sign, so if its second
colon is wrong, the position is that of the first.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from amounts import scaled
from hypothesis import given
from strategies import hostile, texts
from walker import mutate, produces, sample, viable

from uriverse import IRI, URI, IRIReference, ParseError, URIReference


class Part(NamedTuple):
    name: str
    rule: str
    start: int
    end: int


def parts_of(text: str, i: str) -> list[Part]:
    """Split a string at its delimiters (RFC 3986, sections 3 and 3.2), from left to right."""
    hash_sign = (text + "#").index("#")
    question_mark = (text[:hash_sign] + "?").index("?")
    at = 0
    parts = []
    first_segment = text[:question_mark].partition("/")[0]
    has_scheme = ":" in first_segment.lstrip(":") and not first_segment.startswith(":")
    if has_scheme:
        at = first_segment.index(":") + 1
        parts.append(Part("scheme", "scheme", 0, at - 1))
    has_authority = text.startswith("//", at)
    if has_authority:
        end = (text[:question_mark] + "/").index("/", at + 2)
        parts += authority_parts(text, at + 2, end, i)
        at = end
    if has_authority:
        path = "path-abempty"
    elif at == question_mark:
        path = "path-empty"
    elif text[at] == "/":
        path = "path-absolute"
    else:
        path = "path-rootless" if has_scheme else "path-noscheme"
    parts.append(Part("path", i + path, at, question_mark))
    if question_mark < hash_sign:
        parts.append(Part("query", f"{i}query", question_mark + 1, hash_sign))
    if hash_sign < len(text):
        parts.append(Part("fragment", f"{i}fragment", hash_sign + 1, len(text)))
    return parts


def authority_parts(text: str, start: int, end: int, i: str) -> list[Part]:
    parts = []
    authority = text[start:end]
    userinfo, at_sign, rest = authority.partition("@")
    if at_sign:
        parts.append(Part("userinfo", f"{i}userinfo", start, start + len(userinfo)))
        start += len(userinfo) + 1
    else:
        rest = authority
    if rest.startswith("["):
        # Everything after the bracket belongs to the host, unless a port follows the bracket.
        inside, bracket, after = rest.partition("]")
        length = len(inside) + 1 if bracket and after[:1] == ":" else len(rest)
        parts.append(Part("host", "IP-literal", start, start + length))
    else:
        length = len(rest.partition(":")[0])
        parts.append(Part("host", f"{i}reg-name", start, start + length))
    if start + length < end:
        parts.append(Part("port", "port", start + length + 1, end))
    return parts


def assert_position_is_right(text: str, kind: type[IRIReference]) -> None:
    try:
        kind(text)
    except ParseError as caught:
        error = caught
    else:
        return
    i = "i" if kind._rule.startswith("IRI") else ""
    parts = parts_of(text, i)
    if error.component == "scheme" and parts[0].name != "scheme":
        assert not kind._rule.endswith("-reference")
        # There is no colon: the position is where a colon was expected.
        assert viable("scheme", text[: error.position])
        assert not viable("scheme", text[: error.position + 1]) or error.position == len(text)
        return
    for part in parts:
        if part.name == error.component:
            break
        assert produces(part.rule, text[part.start : part.end]), (part, error.position)
    else:
        pytest.fail(f"{text!r} has no {error.component}")
    whole = text[part.start : part.end]
    stop = error.position - part.start
    assert 0 <= stop <= len(whole)
    assert not produces(part.rule, whole)
    assert viable(part.rule, whole[:stop])
    if stop == len(whole):
        return
    if viable(part.rule, whole[: stop + 1]):
        assert whole[stop : stop + 2] == "::"
        assert part.rule == "IP-literal"
        assert not viable(part.rule, whole[: stop + 2])


@given(texts())
def test_an_error_is_at_the_first_character_that_no_valid_component_allows(text: str) -> None:
    for kind in (URI, IRIReference):
        assert_position_is_right(text, kind)


@given(hostile().map("//".__add__))
def test_an_error_in_an_authority_is_at_the_first_character_that_is_not_allowed(text: str) -> None:
    assert_position_is_right(text, URIReference)


@pytest.mark.parametrize("kind", [URI, URIReference, IRI, IRIReference])
def test_an_error_in_a_mutated_uri_is_at_the_first_character_that_is_not_allowed(
    kind: type[IRIReference],
) -> None:
    random = Random(kind._rule)
    for _ in range(scaled(1500)):
        assert_position_is_right(mutate(sample(kind._rule, random), random), kind)


@pytest.mark.parametrize("rule", ["IPv6address", "IPvFuture", "IP-literal"])
def test_an_error_in_brackets_is_at_the_first_character_that_is_not_allowed(rule: str) -> None:
    random = Random(rule)
    for _ in range(scaled(800)):
        host = mutate(sample(rule, random), random)
        assert_position_is_right(f"//[{host}{random.choice((']', ']:1', '', ']x'))}", URIReference)
