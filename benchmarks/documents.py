"""Compare the links that are found in Markdown and HTML documents with those of other libraries.

    python benchmarks/documents.py
    python benchmarks/documents.py --json figures.json

The documents are generated. The column *other answers* counts the documents in which a library
finds other destinations. The exit status is always 0. See README.md.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from operator import ne
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import bs4
import cmarkgfm
import lxml.html
import markdown_it
import mistune
import turbohtml
from cmarkgfm.cmark import Options
from measure import Contender, Row, Spread, Table, in_turn
from references import run
from selectolax.lexbor import LexborHTMLParser

from uriverse_links import links

#: A function that returns the destinations in a document.
Finder = Callable[[str], Iterable[str]]

WORDS = [
    "a",
    "the",
    "of",
    "to",
    "and",
    "in",
    "is",
    "for",
    "that",
    "with",
    "as",
    "on",
    "by",
    "this",
    "it",
    "from",
    "be",
    "are",
    "or",
    "value",
    "values",
    "option",
    "options",
    "function",
    "returns",
    "argument",
    "error",
    "string",
    "file",
    "files",
    "default",
    "when",
    "path",
    "request",
    "server",
    "client",
    "version",
    "release",
    "example",
    "module",
    "object",
    "name",
    "type",
    "list",
    "set",
    "call",
    "called",
    "new",
]
SITES = ("docs.example.org", "example.com", "github.example", "pkg.example.net")

#: The attributes with destinations in the generated documents.
ATTRIBUTES = {"a": "href", "img": "src", "link": "href", "script": "src"}


class Writer:
    """Generates documents that differ, and that are the same on every machine."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311
        self.number = 0

    def words(self, count: int) -> str:
        return " ".join(self.random.choices(WORDS, k=count))

    def url(self) -> str:
        self.number += 1
        if self.random.random() < 0.3:
            return f"guide/{self.random.choice(WORDS)}-{self.number}.html#part-{self.number % 7}"
        site = self.random.choice(SITES)
        return f"https://{site}/{self.random.choice(WORDS)}/{self.number}?page={self.number % 9}"

    def markdown_text(self, lines: int) -> str:
        written = []
        for _ in range(lines):
            chance = self.random.random()
            line = self.words(14)
            if chance < 0.1:
                line += f" [{self.words(2)}]({self.url()})"
            elif chance < 0.35:
                line += f" `{self.words(1)}` and **{self.words(2)}**"
            elif chance < 0.37:
                line += f" <{self.url()}>"
            written.append(line)
        return "\n".join(written)

    def markdown(self) -> str:
        parts = [f"# {self.words(3)}\n\n[![{self.words(1)}]({self.url()})]({self.url()})\n"]
        for _ in range(self.random.randint(6, 14)):
            parts.append(f"## {self.words(3)}\n")
            parts.append(f"{self.markdown_text(self.random.randint(2, 5))}\n")
            chance = self.random.random()
            if chance < 0.4:
                items = (f"- {self.markdown_text(2)}" for _ in range(self.random.randint(2, 6)))
                parts.append("\n".join(each.replace("\n", "\n  ") for each in items) + "\n")
            elif chance < 0.7:
                code = "\n".join(f"    {self.words(5)}(x) # {self.number}" for _ in range(8))
                parts.append(f"```python\n{code}\n```\n")
            elif chance < 0.8:
                rows = "\n".join(f"| `{self.words(1)}` | {self.words(6)} |" for _ in range(5))
                parts.append(f"| name | meaning |\n| --- | --- |\n{rows}\n")
            if chance > 0.3:
                continue
            self.number += 1
            label = f"{self.random.choice(WORDS)} {self.number}"
            parts.append(f"See [{label}].\n\n[{label}]: {self.url()}\n")
        return "\n".join(parts)

    def html_text(self, words: int) -> str:
        chance = self.random.random()
        text = self.words(words)
        if chance < 0.5:
            text += f' <a class="link" href="{self.url()}">{self.words(2)}</a>'
        elif chance < 0.7:
            text += f" <em>{self.words(2)}</em> &amp; <code>{self.words(1)}</code>"
        elif chance < 0.8:
            text += f' <img src="{self.url()}" alt="{self.words(3)}" width="20">'
        return text

    def html(self) -> str:
        title, style, script = self.words(3), self.url(), self.url()
        head = f'<title>{title}</title>\n<link rel="stylesheet" href="{style}">\n'
        head += f'<script src="{script}"></script>\n'
        parts = [f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}</head>\n<body>\n']
        for _ in range(self.random.randint(20, 40)):
            parts.append(f'<h2 id="part-{self.number}">{self.words(3)}</h2>\n')
            parts.append(f'<p class="text">{self.html_text(30)}</p>\n')
            items = "".join(f"<li>{self.html_text(9)}</li>\n" for _ in range(3))
            parts.append(f"<ul>\n{items}</ul>\n<!-- {self.words(5)} -->\n")
        return "".join(parts) + "</body>\n</html>\n"


MARKDOWN_IT = markdown_it.MarkdownIt("gfm-like")
MISTUNE = mistune.create_markdown(renderer=None, plugins=["table", "url", "strikethrough"])


def by_markdown_it(text: str) -> Iterator[str]:
    tokens = MARKDOWN_IT.parse(text)
    while tokens:
        token = tokens.pop()
        tokens += token.children or ()
        if found := token.attrs.get("href") or token.attrs.get("src"):
            yield str(found)


def by_mistune(text: str) -> Iterator[str]:
    nodes: Any = MISTUNE(text)
    while nodes:
        node = nodes.pop()
        nodes += node.get("children", ())
        if url := node.get("attrs", {}).get("url"):
            yield url


def by_cmark(text: str) -> list[str]:
    return by_lexbor(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))


def by_lexbor(text: str) -> list[str]:
    nodes = LexborHTMLParser(text).css("[href], [src]")
    return [node.attributes.get(ATTRIBUTES[node.tag or ""]) or "" for node in nodes]


def by_lxml(text: str) -> list[str]:
    return [link for _, _, link, _ in lxml.html.document_fromstring(text).iterlinks()]


def by_turbohtml(text: str) -> list[str]:
    nodes = turbohtml.parse(text).select("[href], [src]")
    return [str(node.attrs[ATTRIBUTES[node.tag]]) for node in nodes]


def by_soup(text: str) -> list[str]:
    nodes = bs4.BeautifulSoup(text, "html.parser").find_all([*ATTRIBUTES])
    return [str(node[ATTRIBUTES[node.name]]) for node in nodes]


class Parser(HTMLParser):
    """Collects destinations."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if name := ATTRIBUTES.get(tag):
            self.found += (value or "" for key, value in attrs if key == name)


def by_html_parser(text: str) -> list[str]:
    parser = Parser()
    parser.feed(text)
    parser.close()
    return parser.found


#: The libraries, with what their results lack. The first one of each format is uriverse.
FINDERS: dict[str, dict[str, Finder]] = {
    "Markdown": {
        "uriverse_links.links": lambda text: [link.destination for link in links(text, "markdown")],
        "markdown-it-py (no offsets)": by_markdown_it,
        "mistune (no offsets)": by_mistune,
        "cmarkgfm and selectolax (HTML, no offsets)": by_cmark,
    },
    "HTML": {
        "uriverse_links.links": lambda text: [link.destination for link in links(text, "html")],
        "selectolax (no offsets)": by_lexbor,
        "lxml (no offsets)": by_lxml,
        "turbohtml (no offsets of values)": by_turbohtml,
        "html.parser (no offsets of values)": by_html_parser,
        "BeautifulSoup with html.parser (no offsets)": by_soup,
    },
}


def finding(kind: str, texts: Sequence[str], rounds: int) -> Table:
    """Measure the libraries for a format; ours is the first row."""
    finders = FINDERS[kind]
    expected, *others = [[set(find(text)) for text in texts] for find in finders.values()]
    wrong = [0, *(sum(map(ne, expected, found)) for found in others)]
    contenders = [Contender(name, [(used(find), texts)]) for name, find in finders.items()]
    found = in_turn(contenders, rounds)
    rows = [replace(row, wrong=count) for row, count in zip(found, wrong, strict=True)]
    size, count = sum(len(text.encode()) for text in texts), sum(map(len, expected))
    if kind == "Markdown" and os.name == "posix" and (program := shutil.which("lychee")):
        # The process is measured after the libraries, so its ratio is that of the medians.
        times = Spread.of(process_times(program, texts, rounds))
        ratio = rows[0].figure.median / times.median
        name = "lychee --offline --dump (a process; only links to files, no offsets)"
        rows.append(Row(name, times, Spread(ratio, ratio, ratio)))
    title = f"{kind}, {len(texts):,} documents, {size:,} bytes, {count:,} links"
    return Table(title, "ns", ("the time for one document",), tuple(rows))


def used(find: Finder) -> Callable[[str], list[str]]:
    """Return a function that reads all results."""
    return lambda text: [*find(text)]


def process_times(program: str, texts: Sequence[str], rounds: int) -> Iterator[float]:
    """Yield the CPU time of a process that reads all documents, in nanoseconds per document."""
    from resource import RUSAGE_CHILDREN, getrusage

    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{number}.md") for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text, "utf-8")
        for _ in range(rounds):
            before = getrusage(RUSAGE_CHILDREN)
            command = [program, "--offline", "--dump", *map(str, files)]
            subprocess.run(command, check=True, capture_output=True)
            after = getrusage(RUSAGE_CHILDREN)
            seconds = sum(after[:2]) - sum(before[:2])
            yield seconds * 1e9 / len(texts)


def tables(count: int, rounds: int) -> Iterator[Table]:
    yield finding("Markdown", [Writer(seed).markdown() for seed in range(count)], rounds)
    yield finding("HTML", [Writer(seed).html() for seed in range(count)], rounds)


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the links found in documents.")
    parser.add_argument("--documents", type=int, default=200, help="the number of documents")
    parser.add_argument("--rounds", type=int, default=9, help="passes of each library")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results to FILE")
    arguments = parser.parse_args()
    run(arguments, [tables(arguments.documents, arguments.rounds)])


if __name__ == "__main__":
    main()
