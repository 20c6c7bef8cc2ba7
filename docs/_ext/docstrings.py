"""Sphinx extension: docstrings are written in Markdown, which autodoc does not read.

It converts the Markdown in docstrings to reStructuredText, and links names in code to their entries
in the reference.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from example_imports import with_imports
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.ext.napoleon import Config, GoogleDocstring
from sphinx.util.docutils import SphinxRole
from sphinx.util.inspect import stringify_signature

import uriverse
from uriverse._typed.base import TypedURI

#: A definition such as `[1]: https://example.org/`, alone in its line.
DEFINITION = re.compile(r"^[ \t]*\[(\w+)\]: (\S+)$\n?", re.MULTILINE)

#: The inline markup of Markdown: code, a link with its URL, a link with the label of a definition.
INLINE = re.compile(
    r"`(?P<code>[^`]+)`"
    r"|\[(?P<text>[^]]+)\](?:\((?P<url>[^)\s]+)\)|\[(?P<label>\w+)\])"
    r"|(?P<special>[*|\\])"
    r"|(?<=\w)(?P<underscore>_)(?!\w)"
)

#: Code that may be the name of a public object.
NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*(\(\))?")

#: Where the types of the standard library are documented, if not on the page of their module.
STANDARD_MODULES = (
    "builtins",
    "typing",
    "collections.abc",
    "datetime",
    "decimal",
    "ipaddress",
    "pathlib",
    "types",
    "uuid",
)


#: How napoleon writes the sections of a docstring.
SECTIONS = Config(
    napoleon_use_rtype=False,
    # As a list, in which an item can have more than one name.
    napoleon_custom_sections=[("Attributes", "params_style")],
)


class Docstring(GoogleDocstring):
    """A docstring whose result has its type in the signature only."""

    def _consume_returns_section(self, **_options: object) -> list[tuple[str, str, list[str]]]:
        """Return the whole section as a description: a colon in it does not follow a type."""
        return [("", "", self._dedent(self._consume_to_next_section()))]


def to_restructuredtext(lines: list[str], parameters: set[str]) -> list[str]:
    """Convert a docstring; examples are left alone."""
    text = "\n".join(lines)
    urls = dict(DEFINITION.findall(text))
    text = DEFINITION.sub("", text)

    def inline(match: re.Match[str]) -> str:
        code, linked = match["code"], match["text"]
        if code is not None:
            code = " ".join(code.split())
            role = NAME.fullmatch(code) and code not in parameters
            converted = f":name:`{code}`" if role else f"``{code}``"
        elif linked is not None:
            url = match["url"] or urls.get(match["label"])
            if url is None:
                return match[0]
            return f"`{linked.replace('`', '')} <{url}>`__"
        else:
            return "\\" + match[0]
        after = text_of_block[match.end() : match.end() + 1]
        return converted + ("\\ " if after.isalnum() else "")

    blocks = []
    for block in re.split(r"(\n{2,})", text):
        text_of_block = block
        is_example = block.lstrip().startswith(">>> ")
        blocks.append(block if is_example else INLINE.sub(inline, block))
    return "".join(blocks).split("\n")


def parameters_of(documented: object) -> set[str]:
    """Return the names of the parameters of a function or class."""
    try:
        return set(inspect.signature(documented).parameters)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return set()


def convert_docstring(
    app: Sphinx, what: str, name: str, documented: object, options: object, lines: list[str]
) -> None:
    """Convert the docstring of one object in place."""
    complete = with_imports(lines, name, documented)
    converted = to_restructuredtext(complete, parameters_of(documented))
    # In the docstring of an attribute, napoleon takes everything before a colon for its type.
    kind = "method" if what in {"attribute", "data", "property"} else what
    lines[:] = Docstring(converted, SECTIONS, app, kind, name, documented, options).lines()


class NameRole(SphinxRole):
    """A name in code: a link if the reference has an entry for it."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        target = self.text.removesuffix("()")
        content = nodes.literal(self.rawtext, self.text, classes=["xref", "py", "py-obj"])
        reference = pending_xref(
            self.rawtext,
            content,
            refdomain="py",
            reftype="obj",
            reftarget=target,
            # Only `Class.member` and `uriverse.name` are certainly meant as public names.
            optional=not is_certain(target),
            refdoc=self.env.docname,
            **{
                "py:module": self.env.ref_context.get("py:module"),
                "py:class": self.env.ref_context.get("py:class"),
            },
        )
        reference.source, reference.line = self.get_source_info()
        return [reference], []


def is_certain(target: str) -> bool:
    first, dot, _ = target.partition(".")
    return bool(dot) and (first == "uriverse" or isinstance(getattr(uriverse, first, None), type))


def candidates(target: str, node: pending_xref) -> Iterator[str]:
    """Yield the full names that a name in a docstring or in a signature may stand for."""
    module, owner = node.get("py:module"), node.get("py:class")
    if owner:
        yield f"{module}.{owner}.{target}"
        yield from inherited(f"{owner}.{target}")
    yield f"{module}.{target}"
    for name in ("", ".typing", ".diagnosis", ".schemes"):
        package = f"uriverse{name}"
        yield f"{package}.{target}"
    yield target
    yield from inherited(target)
    # The module where a public class is defined is not where users import it from.
    yield f"uriverse.{target.rpartition('.')[2]}"
    yield f"uriverse.typing.{target.rpartition('.')[2]}"


def inherited(target: str) -> Iterator[str]:
    """Yield the places of `Class.member`: an entry of a base class, or the entry of the class."""
    owner, _, member = target.removeprefix("uriverse.").rpartition(".")
    found = getattr(uriverse, owner, None)
    if not isinstance(found, type):
        return
    for base in found.__mro__:
        yield f"uriverse.{base.__name__}.{member}"
    # Fields of data classes and named tuples are listed in the entry of their class.
    if hasattr(found, member) or member in found.__annotations__:
        yield f"uriverse.{owner}"


def resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Node | None:
    """Resolve a reference to a Python object that Sphinx does not find under the given name."""
    if node.get("refdomain") != "py":
        return None
    target = node["reftarget"]
    domain = env.domains["py"]
    assert isinstance(domain, PythonDomain)
    for name in candidates(target, node):
        if name in domain.objects:
            entry = domain.objects[name]
            uri = app.builder.get_relative_uri(node["refdoc"], entry.docname)
            return link(f"{uri}#{entry.node_id}", content, name)
    if node.get("optional"):
        return content
    standard = standard_url(target)
    return link(standard, content, target) if standard else None


def add_inherited_entries(app: Sphinx, env: BuildEnvironment) -> None:
    """Add the methods of `URI` to the inventory for the other types, which have them too."""
    domain = env.domains["py"]
    assert isinstance(domain, PythonDomain)
    for name, entry in list(domain.objects.items()):
        if (member := name.removeprefix("uriverse.URI.")) == name:
            continue
        for owner in (uriverse.IRI, uriverse.URIReference, uriverse.IRIReference):
            if hasattr(owner, member):
                alias = f"uriverse.{owner.__name__}.{member}"
                domain.objects[alias] = entry._replace(aliased=True)


def link(uri: str, content: nodes.TextElement, title: str) -> nodes.reference:
    internal = not uri.startswith("https:")
    return nodes.reference("", "", content, internal=internal, refuri=uri, reftitle=title)


def standard_url(target: str) -> str | None:
    """Return the page in Python's documentation for a name of the standard library."""
    module, _, name = target.rpartition(".")
    for home in (module,) if module else STANDARD_MODULES:
        if home.partition(".")[0] not in sys.stdlib_module_names:
            continue
        found = getattr(import_module(home), name, None)
        if found is None and target != "None":
            continue
        if home != "builtins":
            return f"https://docs.python.org/3/library/{home}.html#{home}.{name}"
        return f"https://docs.python.org/3/library/{builtin_page(name)}#{name}"
    return None


def builtin_page(name: str) -> str:
    found = getattr(builtins, name, None)
    if isinstance(found, type) and issubclass(found, BaseException):
        return "exceptions.html"
    if name in {"None", "True", "False", "NotImplemented"}:
        return "constants.html"
    return "functions.html" if name in {"object", "type"} else "stdtypes.html"


def declared_results() -> dict[str, str]:
    """Return the result types that `_uri/types.py` declares for type checkers only."""
    source = Path(uriverse.__path__[0], "_uri/types.py").read_text("utf-8")
    results = {}
    for owner in ast.parse(source).body:
        if not isinstance(owner, ast.ClassDef):
            continue
        for member in owner.body:
            if isinstance(member, ast.If) and ast.unparse(member.test) == "TYPE_CHECKING":
                for function in member.body:
                    if isinstance(function, ast.FunctionDef) and function.returns is not None:
                        name = f"uriverse.{owner.name}.{function.name}"
                        results[name] = ast.unparse(function.returns)
    return results


RESULTS = declared_results()


def declared_result(name: str) -> str | None:
    """Return the declared result type of a method of `URI`, or of a class that it inherits from."""
    owner, _, member = name.rpartition(".")
    bases = uriverse.URI.__mro__ if owner == "uriverse.URI" else ()
    names = [name, *(f"uriverse.{base.__name__}.{member}" for base in bases)]
    return next((RESULTS[one] for one in names if one in RESULTS), None)


def convert_signature(
    app: Sphinx,
    what: str,
    name: str,
    documented: Any,
    options: object,
    signature: str | None,
    result: str | None,
) -> tuple[str, str | None] | None:
    """Write a signature as in the source, where types have short names."""
    if signature is None or what not in {"function", "method", "class"}:
        return None
    if what == "class" and signature == "()":
        return signature, None  # The page hides the constructor: users do not call it.
    try:
        found = inspect.signature(documented)
    except (TypeError, ValueError):
        return None
    parameters = list(found.parameters.values())
    # A bound class method has no `cls`.
    if what == "method" and not inspect.ismethod(documented):
        parameters = parameters[1:]
    shown = found.replace(parameters=[public_parameter(parameter) for parameter in parameters])
    args, _, returns = stringify_signature(shown).partition(" -> ")
    if what == "class":
        return args, None
    return args, declared_result(name) or public_types(returns) or None


def public_parameter(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter with public types only."""
    annotation = parameter.annotation
    if not isinstance(annotation, str):
        return parameter
    if annotation.startswith("Unpack["):
        # The docstring lists the keywords.
        return parameter.replace(annotation=inspect.Parameter.empty)
    return parameter.replace(annotation=public_types(annotation))


def public_types(annotation: str) -> str:
    """Replace the private base class: every identifier that a caller has is an `IRIReference`."""
    return re.sub(r"\b(\w+\.)*Identifier\b", "IRIReference", annotation)


def name_public_type(app: Sphinx, tree: nodes.document) -> None:
    """Write `URI` for the type of an edited URI: such methods are listed as those of `URI`.

    The signatures of overloads may also name the private base class.
    """
    public = {"PublicType": "URI", "Identifier": "IRIReference"}
    for reference in tree.findall(pending_xref):
        if name := public.get(reference["reftarget"].rpartition(".")[2]):
            reference["reftarget"] = name
            reference.children = [nodes.Text(name)]


def convert_bases(
    app: Sphinx, name: str, documented: object, options: object, bases: list[type]
) -> None:
    """Name the public base class of typed URIs instead of their common private one."""
    bases[:] = [uriverse.URI if base is TypedURI else base for base in bases]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the functions."""
    app.add_role("name", NameRole())
    app.connect("autodoc-process-docstring", convert_docstring)
    app.connect("autodoc-process-signature", convert_signature)
    app.connect("autodoc-process-bases", convert_bases)
    app.connect("doctree-read", name_public_type)
    app.connect("env-updated", add_inherited_entries)
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
