import argparse
import json
from collections.abc import Callable
from typing import Annotated, Any

import attrs
import click
import msgspec
import pydantic
import pytest
import typer
from sqlalchemy.dialects import sqlite

from uriverse import URI, ParseError, Policy
from uriverse.integrations.argparse import uri_type
from uriverse.integrations.attrs import within
from uriverse.integrations.click import URIParam
from uriverse.integrations.constraints import Constraints
from uriverse.integrations.msgspec import make_dec_hook
from uriverse.integrations.sqlalchemy import URIType
from uriverse.integrations.typer import uri_parser

MINE = Constraints(policy=Policy(allow=["https://a.example/b/"]))


class Mine(URI):
    __slots__ = ()


@attrs.define
class Page:
    link: URI = attrs.field(converter=URI, validator=within(MINE))


def by_msgspec(text: str) -> URI:
    hook = make_dec_hook({Mine: MINE})
    return msgspec.json.decode(json.dumps(text), type=Mine, dec_hook=hook)


#: Functions that parse a string as each integration does, and the error that it raises.
FIELDS: dict[str, tuple[Callable[[str], Any], type[Exception]]] = {
    "argparse": (uri_type(URI, MINE), argparse.ArgumentTypeError),
    "attrs": (lambda text: Page(text).link, ParseError),
    "click": (lambda text: URIParam(URI, MINE).convert(text, None, None), click.BadParameter),
    "msgspec": (by_msgspec, msgspec.ValidationError),
    "pydantic": (
        pydantic.TypeAdapter(Annotated[URI, MINE]).validate_python,
        pydantic.ValidationError,
    ),
    "sqlalchemy": (
        lambda text: URIType(constraints=MINE).process_bind_param(text, sqlite.dialect()),
        ParseError,
    ),
    "typer": (uri_parser(URI, MINE), typer.BadParameter),
}


def test_a_field_takes_only_uris_that_the_policy_allows_and_keeps_their_strings() -> None:
    for parse, kind in FIELDS.values():
        assert str(parse("HTTPS://A.example:443/x/../b/")) == "HTTPS://A.example:443/x/../b/"
        with pytest.raises(kind) as rejected:
            parse("https://a.example/c")
        assert "no rule for this host allows the path" in str(rejected.value)
    with pytest.raises(pydantic.ValidationError) as caught:
        pydantic.TypeAdapter(Annotated[URI, MINE]).validate_python("https://a.example/c")
    [error] = caught.value.errors()
    assert (error["type"], error["ctx"]["position"]) == ("uri_path_not_allowed", 17)
