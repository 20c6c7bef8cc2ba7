import builtins
import collections.abc
import datetime as dt
import inspect
import ipaddress
import os
import pathlib
import pydoc
import re
import subprocess
import sys
import typing
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import uriverse
import uriverse.typing as aliases
from uriverse import columns, diagnosis, hosts, http, oauth, percent, schemes, suffixes, templates
from uriverse._uri.engine import Identifier
from uriverse.columns._registry import FUNCTIONS

#: The functions that people hand to tools such as web frameworks and command-line parsers.
TOOLS = [
    *(uriverse.check, uriverse.compose, uriverse.explain, uriverse.extract, uriverse.parse),
    *(uriverse.redact, uriverse.repair, uriverse.split, uriverse.Policy.decide),
    *(uriverse.is_absolute_uri, uriverse.is_iri, uriverse.is_iri_reference),
    *(uriverse.is_uri, uriverse.is_uri_reference, templates.Template.__init__),
    *(getattr(percent, name) for name in percent.__all__),
]

#: Prints the page of `help` for each public function and method.
PAGES = """
import test_introspection
for name, found in test_introspection.public_callables(properties=False):
    print(name, test_introspection.page(found), sorted(found.__annotations__.items()))
"""


def public_callables(*, properties: bool = True) -> Iterator[tuple[str, typing.Any]]:
    for module in (uriverse, percent, hosts, schemes, diagnosis, http, oauth, suffixes, templates):
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isroutine(found):
                yield f"{module.__name__}.{name}", found
            for member in dir(found) if isinstance(found, type) else ():
                value = inspect.getattr_static(found, member)
                if isinstance(value, property) and not properties:
                    continue
                function = getattr(value, "fget", getattr(value, "__func__", value))
                own = inspect.isroutine(function) and hasattr(function, "__annotations__")
                own = own and function.__module__.startswith("uriverse")
                if own and not member.startswith("_"):
                    yield f"{module.__name__}.{name}.{member}", function


def page(found: object) -> str:
    """Return the page of `help` without its title, which names the Python type of a function."""
    return pydoc.plain(pydoc.render_doc(found)).partition("\n")[2]


def test_a_public_callable_has_a_signature_and_types() -> None:
    for name, function in public_callables():
        parameters, annotations = inspect.signature(function).parameters, function.__annotations__
        assert set(annotations) <= {*parameters, "return"}, name
        assert set(parameters) - set(annotations) <= {"self", "cls"}, name
        assert function.__doc__, name


@pytest.mark.parametrize("function", TOOLS)
def test_tools_can_evaluate_the_types_of_a_function(function: typing.Any) -> None:
    signature = inspect.signature(function, eval_str=True)
    types = [one.annotation for one in signature.parameters.values()]
    assert not [one for one in (*types, signature.return_annotation) if isinstance(one, str)]
    assert "return" in typing.get_type_hints(function)


def test_the_constructors_have_a_signature() -> None:
    assert list(inspect.signature(uriverse.URI).parameters) == ["text"]
    assert list(inspect.signature(uriverse.Params).parameters) == ["query", "codec", "separator"]


def test_help_does_not_say_which_engine_runs() -> None:
    pages = [page(found) for _, found in public_callables()]
    assert len(pages) > 200
    assert not [text for text in pages if "cython" in text or "_kernel" in text]


def test_help_of_a_type_opens_with_its_own_words() -> None:
    text = pydoc.plain(pydoc.render_doc(uriverse.URI))
    # Empty lines end with spaces in some versions of Python.
    assert re.split(r"^ \| *\n", text, flags=re.MULTILINE)[1].startswith(" |  A URI")


def test_help_is_the_same_with_both_engines() -> None:
    pytest.importorskip("uriverse._kernel.core", reason="the kernel is not built")

    def clean(pages: str) -> list[str]:
        return pages.replace("uriverse._kernel.core", "uriverse._uri.pairs").split("\n")

    done = subprocess.run(
        [sys.executable, "-c", PAGES],
        cwd=Path(__file__).parent,
        env={**os.environ, "URIVERSE_KERNEL": "disable" if uriverse.compiled else "require"},
        capture_output=True,
        check=True,
        text=True,
    )
    here = [
        f"{name} {page(found)} {sorted(found.__annotations__.items())}\n"
        for name, found in public_callables(properties=False)
    ]
    assert clean("".join(here)) == clean(done.stdout)


#: Standard library modules whose names are allowed in annotations.
STANDARD = (builtins, typing, collections.abc, dt, ipaddress, pathlib, uuid)

#: The base class of the four types, type variables, and the keyword arguments of `is_normalized`.
PRIVATE = {Identifier.__name__, "_engine", "T", "PublicType", "Plain", "NormalizeOptions"}


def is_public(name: str) -> bool:
    return (
        name in {"uriverse", *PRIVATE}
        or name in aliases.__all__
        or name in {*uriverse.__all__, *columns.__all__, *hosts.__all__}
        or name in {*http.__all__, *schemes.__all__, *suffixes.__all__, *templates.__all__}
        or any(hasattr(module, name) for module in STANDARD)
    )


SIGNATURES = [
    *((name, found) for name, found in public_callables() if callable(found)),
    *((f"columns.{name}", getattr(columns, name)) for name in (*FUNCTIONS, "expand")),
]


def test_the_names_in_a_public_signature_are_public() -> None:
    for name, function in SIGNATURES:
        for parameter, annotation in inspect.get_annotations(function).items():
            text = annotation if isinstance(annotation, str) else ""
            # Skip strings in a `Literal`, and attributes after a dot.
            names = re.findall(r"(?<![\w.\"'])[A-Za-z_]\w*(?![\w\"'])", text)
            assert [found for found in names if not is_public(found)] == [], (name, parameter)
