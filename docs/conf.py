"""Settings of the documentation site, which Sphinx builds from this folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

DOCS = Path(__file__).parent

# The reference implementation has the docstrings of the kernel, and signatures with types.
os.environ["URIVERSE_KERNEL"] = "disable"
sys.path[:0] = [
    str(DOCS / "_ext"),
    str(DOCS.parent / "compare/src"),
    str(DOCS.parent / "links/src"),
]

from uriverse._uri.version import __version__  # noqa: E402 - after the choice of the engine

project = "uriverse"
author = "The uriverse developers"
project_copyright = "The uriverse developers"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "docstrings",
    "pages",
    "tasks",
]
exclude_patterns = ["_build", "man"]

nitpicky = True
nitpick_ignore_regex = [
    # Types of packages that are not documented here.
    ("py:.*", r"(pa|pd|pl|polars|pandas|pyarrow|pyspark|duckdb)\..*"),
    ("py:.*", r"DuckDBPyConnection|DataFrame|RecordBatch|Schema|PythonException"),
    ("py:.*", r"(aiohttp|httpcore2?|httpx2?|requests|urllib3|yarl)\..*|OpenerDirector|Request"),
    ("py:.*", r"(django|jsonschema|sqlalchemy)\..*|ValidationError|HttpRequest"),
    ("py:.*", r"rest_framework\..*|(Char|PrimaryKeyRelated|SlugRelated)Field|ModelSerializer"),
    ("py:.*", r"FormatChecker|TypeEngine|SparkSession|PathLike"),
    ("py:.*", r"(attrs|click|msgspec|pydantic|typer)\..*|Attribute"),
    ("py:.*", r"NamedNode|URIRef|st\.SearchStrategy"),
    # The type of a private field of `Link`.
    ("py:class", "Lines"),
    # Type variables; on Spark, the type of its columns.
    ("py:.*", r"(.*\.)?_?(C|Column|Second|Struct|T|Url)"),
]

# --- Markdown pages

myst_heading_anchors = 4
myst_links_external_new_tab = False

# --- the API reference

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_inherit_docstrings = False
autoclass_signature = "separated"
python_use_unqualified_type_names = True
python_display_short_literal_types = True
maximum_signature_line_length = 90
add_module_names = False
toc_object_entries_show_parents = "hide"

# --- HTML

html_theme = "furo"
html_title = "uriverse"
html_static_path = ["_static"]
html_css_files = ["uriverse.css"]
html_favicon = "_static/favicon.svg"
html_copy_source = False
html_search_scorer = str(DOCS / "_ext/scorer.js")
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#7cc0ff", "color-brand-content": "#7cc0ff"},
    "navigation_with_keys": True,
}
pygments_style = "a11y-light"
pygments_dark_style = "a11y-dark"

# Copy the input of an example, without its prompts and output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

# --- links to other sites: `sphinx-build -b linkcheck`

linkcheck_anchors = False
linkcheck_timeout = 20
