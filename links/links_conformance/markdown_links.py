"""Compare the links found in Markdown with those of cmark-gfm.

    python -m links_conformance.markdown_links spec.txt... [--mutants 10000] [--seed 1]

A document is counted apart where pulldown-cmark, by which uriverse reads Markdown, disagrees with
cmark-gfm. The files are the specifications of CommonMark and GFM, which are not part of this
repository: `spec.txt` in commonmark/commonmark-spec, and `test/spec.txt` in github/cmark-gfm.
Without them, the mutants are those of our own documents.
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from pathlib import Path

from .markdown_documents import (
    STARTS,
    cmark_links,
    examples,
    mutants,
    own_links,
    parsers_agree,
)


def main(arguments: list[str]) -> int:
    """Compare all documents, print those that differ, and return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specification", nargs="*", type=Path)
    parser.add_argument("--mutants", type=int, default=10_000, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    options = parser.parse_args(arguments)
    documents = [each for path in options.specification for each in examples(path)] or [*STARTS]
    total = len(documents)
    documents += islice(mutants(tuple(documents), options.seed), options.mutants)
    different = disputed = missed = invented = 0
    for document in documents:
        expected, found = cmark_links(document), own_links(document)
        if expected == found:
            continue
        if not parsers_agree(document):
            disputed += 1
            continue
        different += 1
        missed += sum(expected.count(link) > found.count(link) for link in set(expected))
        invented += sum(found.count(link) > expected.count(link) for link in set(found))
        print(f"{document!r}\n  cmark-gfm {expected}\n  uriverse  {found}")
    print(
        f"{total} examples and {options.mutants} mutants: {different} differ,"
        f" {missed} links missed, {invented} invented; {disputed} differ by the parser"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
