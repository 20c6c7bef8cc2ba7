"""HTML that renderers make of Markdown, and what a browser opens in it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple, cast

SCRIPT = Path(__file__).parent / "render.mjs"
#: The names of the renderers in `SCRIPT`.
JAVASCRIPT = ("markdown-it", "markdown-it-14", "marked", "micromark", "commonmark")

#: A function that renders documents.
Render = Callable[[str], str]


class Renderers(NamedTuple):
    """The renderers that are installed.

    Attributes:
        names: their names and versions, in the order of the results.
        missing: the names of those that are not installed.
        render: returns the HTML of each document by each renderer.
    """

    names: list[str]
    missing: list[str]
    render: Callable[[Sequence[str]], list[list[str]]]


def cmark() -> dict[str, Render]:
    """Return cmark-gfm without extensions, and with all of them."""
    from cmarkgfm import cmark

    def renderer(options: int, extensions: list[str]) -> Render:
        unsafe = options | cmark.Options.CMARK_OPT_UNSAFE

        def render(text: str) -> str:
            try:
                html = cmark.markdown_to_html_with_extensions(text, unsafe, extensions)
            except UnicodeDecodeError as error:
                # It writes U+FFFE as one byte.
                return error.object.decode("utf-8", "replace")
            return cast("str", html)

        return render

    # Its extension `tagfilter` is missing, because it would hide HTML that was not escaped.
    extensions = ["table", "autolink", "strikethrough", "tasklist"]
    return {
        "cmark": renderer(0, []),
        "cmark-gfm": renderer(cmark.Options.CMARK_OPT_FOOTNOTES, extensions),
        "cmark-gfm (liberal)": renderer(
            cmark.Options.CMARK_OPT_LIBERAL_HTML_TAG | cmark.Options.CMARK_OPT_SMART, extensions
        ),
    }


def markdown_it_py() -> dict[str, Render]:
    """Return markdown-it-py with linkify-it-py."""
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("gfm-like", {"html": True, "linkify": True})
    renderer.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    return {"markdown-it-py": lambda text: cast("str", renderer.render(text))}


PYTHON: dict[str, Callable[[], dict[str, Render]]] = {
    "cmarkgfm": cmark,
    "markdown-it-py": markdown_it_py,
}


@contextmanager
def renderers(folder: Path | None) -> Iterator[Renderers]:
    """Provide the renderers that are installed.

    Args:
        folder: the folder that contains `node_modules`; `None` for renderers in Python alone.
    """
    here: dict[str, Render] = {}
    names: list[str] = []
    missing: list[str] = []
    for package, load in PYTHON.items():
        try:
            loaded = load()
            names += [f"{name} {version(package)}" for name in loaded]
        except (ImportError, PackageNotFoundError):
            missing.append(package)
        else:
            here |= loaded
    process = started(folder)
    if process is None:
        missing += JAVASCRIPT
    else:
        found = dict(answer(process))
        names += [f"{name} {release}" for name, release in found.items()]
        missing += [name for name in JAVASCRIPT if name not in found]

    def render(documents: Sequence[str]) -> list[list[str]]:
        if process is not None:
            ask(process, documents)
        pages = [[convert(text) for convert in here.values()] for text in documents]
        if process is not None:
            for page, others in zip(pages, answer(process), strict=True):
                # A renderer that fails displays nothing.
                page += [each if isinstance(each, str) else "" for each in others]
        return pages

    try:
        yield Renderers(names, missing, render)
    finally:
        if process is not None:
            process.communicate()


def started(folder: Path | None) -> subprocess.Popen[bytes] | None:
    """Start Node.js in a folder, where it finds its packages; `None` if this is not possible."""
    if folder is None or not (folder / "node_modules").is_dir():
        return None
    command = ["node", "--input-type=module", "--eval", SCRIPT.read_text("utf-8")]
    try:
        return subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    except OSError:
        return None


def ask(process: subprocess.Popen[bytes], documents: Sequence[str]) -> None:
    assert process.stdin, "it is a pipe"
    # A lone surrogate has an escape in JSON, and Node.js renders it as U+FFFD.
    process.stdin.write(f"{json.dumps(documents)}\n".encode())
    process.stdin.flush()


def answer(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout, "it is a pipe"
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"the renderers in Node.js stopped with status {process.wait()}")
    return json.loads(line)


class Opened(NamedTuple):
    """A destination or an element in HTML.

    Attributes:
        kind: "link" for a destination that opens on a click; "image" for one that loads at once;
            "element" or "attribute" for one that renderers of Markdown do not write.
        value: the destination, or the name of the element or attribute.
    """

    kind: str
    value: str


#: The elements that renderers write, and their attributes other than those that match `GLOBAL`.
WRITTEN: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        (
            *("p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "hr", "br", "ul", "li"),
            *("em", "strong", "del", "s", "code", "table", "thead", "tbody", "tr", "sup"),
            *("section", "html", "head", "body", "colgroup"),
        ),
        frozenset[str](),
    ),
    "a": frozenset({"href", "title"}),
    "img": frozenset({"src", "alt", "title"}),
    "ol": frozenset({"start"}),
    "th": frozenset({"align", "style"}),
    "td": frozenset({"align", "style"}),
    "input": frozenset({"type", "checked", "disabled"}),
}
GLOBAL = re.compile("class|id|dir|(?:data|aria)-.*")
#: The elements without destinations that `guard` keeps in HTML.
INERT = frozenset(
    (
        *("abbr", "b", "cite", "dfn", "i", "ins", "kbd", "mark", "q", "samp", "small", "span"),
        *("sub", "u", "var", "caption", "dd", "details", "div", "dl", "dt", "summary", "tfoot"),
    )
)
#: The attributes that it keeps.
INERT_ATTRIBUTES = frozenset(
    ("align", "alt", "colspan", "height", "open", "rowspan", "title", "width")
)
ALIGNED = re.compile(r"text-align: ?(?:left|right|center)")
#: The destinations of links to footnotes and back.
FOOTNOTE = re.compile(r"#(?:user-content-)?(?:fn|fnref|footnote|footnote-ref)-?\d*(?:[-:].*)?")

TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)((?: [a-z-]+(?:=\"[^\"<>]*\")?)*) ?/?>")
ATTRIBUTE = re.compile(r" ([a-z-]+)(?:=\"([^\"]*)\")?")
#: HTML in which a tag has only one meaning.
SIMPLE = re.compile(rf"(?:[^<]++|{TAG.pattern})*+")
SIMPLE_REFERENCE = re.compile("&(amp|quot|lt|gt);")
CHARACTERS = {"amp": "&", "quot": '"', "lt": "<", "gt": ">"}


@lru_cache(100_000)
def opened_in(html: str, *, inert: bool = False) -> tuple[Opened, ...]:
    """Return what a browser opens in HTML, and all that it does not expect there.

    Args:
        html: the HTML that a renderer made.
        inert: whether the elements of `INERT` are expected.
    """
    return tuple(dict.fromkeys(all_opened(html, inert=inert)))


def all_opened(html: str, *, inert: bool) -> Iterator[Opened]:
    for tag, attributes in elements_in(html):
        known = WRITTEN.get(tag)
        if inert and (known is not None or tag in INERT):
            known = (known or frozenset()) | INERT_ATTRIBUTES
        if known is None:
            yield Opened("element", tag)
            continue
        for name, value in attributes.items():
            if (tag, name) == ("a", "href"):
                if not FOOTNOTE.fullmatch(value):
                    yield Opened("link", value)
            elif (tag, name) == ("img", "src"):
                yield Opened("image", value)
            elif name not in known and not GLOBAL.fullmatch(name):
                yield Opened("attribute", f"{tag} {name}")
            elif (name == "style" and not ALIGNED.fullmatch(value)) or (
                tag == "input" and name == "type" and value != "checkbox"
            ):
                yield Opened("attribute", f"{tag} {name}={value}")


def elements_in(html: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the elements of HTML, as html5lib reads it if there can be any doubt."""
    if SIMPLE.fullmatch(html) and "&" not in "".join(
        SIMPLE_REFERENCE.sub("", tag[3]) for tag in TAG.finditer(html)
    ):
        for tag in TAG.finditer(html):
            if not tag[1]:
                yield (
                    tag[2],
                    {
                        name: SIMPLE_REFERENCE.sub(lambda found: CHARACTERS[found[1]], value)
                        for name, value in reversed(ATTRIBUTE.findall(tag[3]))
                    },
                )
        return
    html5lib: Any = __import__("html5lib")
    for element in html5lib.parse(html, namespaceHTMLElements=False).iter():
        # Comments are of no interest.
        if isinstance(element.tag, str):
            yield element.tag, {str(name): value for name, value in element.attrib.items()}
