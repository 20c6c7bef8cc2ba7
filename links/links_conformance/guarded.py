r"""Search for guarded Markdown in which a renderer opens a destination that is not allowed.

    python -m links_conformance.guarded [spec.txt...] [--mutants 10000] [--splits 4] [--seed 1]

Run it in the folder `links`. The documents are published attacks, which are in the folder
`vectors`, the examples of the specifications of CommonMark and GFM if their files are given, and
mutants of all of these. Each document is guarded as a whole and as a stream. Attacks and short
documents are streamed in every split into two pieces and as single characters; all others in
`--splits` random splits. A program may display a stream at any time, so each prefix of a stream is
rendered.

The renderers in Python are cmarkgfm and markdown-it-py with linkify-it-py. The renderers in
JavaScript need Node.js and these packages:

    npm install --prefix ../build/renderers markdown-it markdown-it-14@npm:markdown-it@14 \
      markdown-it-footnote marked marked-footnote micromark micromark-extension-gfm commonmark
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from uriverse import Policy
from uriverse_links import Guard, guard

from .markdown_documents import PIECES, STARTS, examples, mutants
from .rendering import Opened, Renderers, opened_in, renderers

ATTACKS = Path(__file__).parent / "vectors" / "markdown-attacks.jsonl"
NODE = Path(__file__).resolve().parents[2] / "build" / "renderers"

#: The policies. The hosts of all attacks are others.
LINKS = Policy(allow=["ok.example", "*.ok.example"])
IMAGES = Policy(allow=["img.ok.example"], schemes=["https"])


class Options(NamedTuple):
    """The arguments of `guard` beside the document and the policy for links."""

    embeds: Policy | None = None
    base: str | None = None
    html: bool = False

    @property
    def arguments(self) -> dict[str, Any]:
        return self._asdict()

    def allows(self, opened: Opened) -> bool:
        """Return whether a destination is allowed; elements and attributes are not."""
        policy = {"link": LINKS, "image": self.embeds}.get(opened.kind)
        return policy is not None and policy.allows(opened.value, base=self.base)


OPTIONS = (
    Options(),
    Options(IMAGES),
    Options(IMAGES, "https://ok.example/chat/"),
    Options(IMAGES, html=True),
)

#: The number of documents that are rendered at a time.
BATCH = 200

#: The length up to which a document is streamed in every split.
SHORT = 40

#: Strings that are inserted, beside those of ordinary documents.
DANGEROUS = (
    *("https://evil.example/", "//evil.example", "www.evil.example", "evil.com", "a@evil.com"),
    *("](https://evil.example)", "![x](https://evil.example)", "[a]: https://evil.example\n"),
    *("[^1]", "[^1]: ", "\n\n[^1]: https://evil.example\n", "^[x](https://evil.example)"),
    *("<img src=//evil.example>", "<a href=//evil.example>", "https://ok.example/", "ok.example"),
    *("javascript:", "data:", "&Tab;", "&colon;", "&#58;", "&lt;", "&lbrack;", "&rpar;", "\\\\"),
    *("\x00", "\r", "\ufeff", "\u200b", "\u202e", "\u3002", "\uff0e", "\x0c", "\x0b", "\u2028"),
    *("$", "$$", "\\(", "{", "}", "==", "++", "^", "%", "~~~\n", "~~~~", "````", "``` x\n"),
    *("<b>", "</b>", "<div>", "</div>", "<td>", "<br>", "<details open>\n", "<summary>", "<code>"),
    *('<a href="https://ok.example/">', "</a>", '<img src="https://img.ok.example/i.png" alt="a">'),
    *('<p title="a" ', "<kbd>", "</details>\n\n", "<table>\n<tr>\n", ' href="//evil.example"'),
    *("[!NOTE]\n", "- [ ] ", "+ ", "2) ", ">", "\t\t", "  \n", "\\\n", "[[", "]]", "||", "&"),
)


def attacks() -> list[str]:
    """Return the published attacks."""
    lines = ATTACKS.read_text("utf-8").splitlines()
    return [json.loads(line)["markdown"] for line in lines]


def prefixes(document: str, places: Iterable[int], options: Options) -> Iterator[str]:
    """Yield all that a stream has returned after each piece."""
    stream = Guard(LINKS, **options.arguments)
    start, result = 0, ""
    for place in (*places, len(document)):
        if returned := stream.feed(document[start:place]):
            result += returned
            yield result
        start = place
    yield result + stream.close()


def all_splits(document: str, options: Options) -> Iterator[str]:
    """Yield what is displayed in every split into two pieces, and in single characters."""
    for place in range(1, len(document)):
        yield from prefixes(document, [place], options)
    yield from prefixes(document, range(1, len(document)), options)


def random_splits(document: str, options: Options, random: Random, count: int) -> Iterator[str]:
    """Yield what is displayed in a few splits."""
    for _ in range(count):
        places = sorted(random.choices(range(len(document) + 1), k=random.choice([1, 2, 5, 20])))
        yield from prefixes(document, places, options)


class Violation(NamedTuple):
    """A destination that a renderer opens although the policy does not allow it."""

    renderer: str
    opened: Opened
    guarded: str


def violations(
    guarded: Sequence[str], options: Options, installed: Renderers
) -> Iterator[Violation]:
    """Yield what renderers open in guarded documents although it is not allowed."""
    for document, page in zip(guarded, installed.render(guarded), strict=True):
        yield from judged(document, page, options, installed)


def judged(
    guarded: str, page: Sequence[str], options: Options, installed: Renderers
) -> Iterator[Violation]:
    """Yield what is not allowed in the HTML of a guarded document by each renderer."""
    for renderer, html in zip(installed.names, page, strict=True):
        for opened in opened_in(html, inert=options.html):
            if not options.allows(opened):
                yield Violation(renderer, opened, guarded)


def shortened(document: str, fails: Callable[[str], bool]) -> str:
    """Remove as much of a document as possible while it still fails."""
    size = len(document) // 2
    while size:
        start = 0
        while start < len(document):
            shorter = document[:start] + document[start + size :]
            if fails(shorter):
                document = shorter
            else:
                start += size
        size //= 2
    return document


class Guarded(NamedTuple):
    """The guarded forms of a document; the first is that of the whole document."""

    document: str
    options: Options
    forms: list[str]


class Search:
    """Guards documents, and reports those that are not safe."""

    def __init__(self, installed: Renderers) -> None:
        self.installed = installed
        self.documents = self.rendered = self.failed = 0
        self.reported: set[str] = set()

    def run(
        self,
        documents: Iterable[str],
        streamed: Callable[[str, Options], Iterator[str]],
        every: Sequence[Options] | None = None,
    ) -> None:
        """Guard documents as wholes and as streams; without options, each has the next ones."""
        waiting: list[Guarded] = []
        for number, document in enumerate(documents):
            self.documents += 1
            for options in every or OPTIONS[number % len(OPTIONS) :][:1]:
                whole = guard(document, LINKS, **options.arguments)
                forms = dict.fromkeys([whole, *streamed(document, options)])
                waiting.append(Guarded(document, options, list(forms)))
            if len(waiting) >= BATCH:
                self.judge(waiting)
                waiting = []
        self.judge(waiting)

    def judge(self, batch: list[Guarded]) -> None:
        """Report the documents for which a renderer opens something else in a guarded form."""
        forms = [(each, form) for each in batch for form in each.forms]
        self.rendered += len(forms)
        unsafe: dict[int, Violation] = {}
        pages = self.installed.render([form for _, form in forms])
        for (each, form), page in zip(forms, pages, strict=True):
            for violation in judged(form, page, each.options, self.installed):
                unsafe.setdefault(id(each), violation)
        for each in batch:
            if id(each) in unsafe:
                self.report(each, unsafe[id(each)])

    def report(self, guarded: Guarded, found: Violation) -> None:
        """Print the shortest document with a violation of the same kind."""
        self.failed += 1
        document, options, forms = guarded

        def fails(shorter: str) -> bool:
            results = [guard(shorter, LINKS, **options.arguments)]
            if found.guarded != forms[0]:
                results = [*all_splits(shorter, options)]
            return any(
                other.renderer == found.renderer and other.opened.kind == found.opened.kind
                for other in violations(results, options, self.installed)
            )

        shorter = shortened(document, fails) if fails(document) else document
        if shorter not in self.reported:
            self.reported.add(shorter)
            print(f"{shorter!r}\n  {found.renderer}: {found.opened}, {options}")
            print(f"  {guard(shorter, LINKS, **options.arguments)!r}", flush=True)


def main(arguments: Sequence[str]) -> int:
    """Search, and return 1 if something is found."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("specification", nargs="*", type=Path)
    parser.add_argument("--attacks", type=int, metavar="NUMBER", help="only the first attacks")
    parser.add_argument("--mutants", type=int, default=10_000, metavar="NUMBER")
    parser.add_argument("--splits", type=int, default=4, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    parser.add_argument(
        "--node", type=Path, default=NODE, metavar="FOLDER", help=f"default: {NODE}"
    )
    options = parser.parse_args(arguments)
    known = [*attacks(), *STARTS][: options.attacks]
    documents = [each for path in options.specification for each in examples(path)]
    with renderers(options.node) as installed:
        print("renderers:", ", ".join(installed.names))
        print("skipped, because they are not installed:", ", ".join(installed.missing) or "none")
        search = Search(installed)
        search.run(known, all_splits, OPTIONS)
        random = Random(options.seed)  # noqa: S311

        def few_splits(document: str, each: Options) -> Iterator[str]:
            if len(document) <= SHORT:
                return all_splits(document, each)
            return random_splits(document, each, random, options.splits)

        search.run(documents, few_splits)
        print(f"{search.documents} documents: {search.failed} unsafe", flush=True)
        mutated = mutants([*known, *documents], options.seed, (*PIECES, *DANGEROUS * 2))
        search.run(islice(mutated, options.mutants), few_splits)
    print(
        f"{search.documents} documents, {options.mutants} of them mutants:"
        f" {search.rendered} guarded documents rendered, {search.failed} documents unsafe"
    )
    return 1 if search.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
