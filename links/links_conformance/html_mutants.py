"""Compare the destinations found in HTML with those in the trees of turbohtml and html5lib.

    python -m links_conformance.html_mutants [--mutants 100000] [--seed 1]

Half of the documents are changed pages, the others are tags of HTML, SVG and MathML in a random
order. The judge is the tree of turbohtml, which also parses HTML for uriverse, with the values that
turbohtml decodes. A destination that only this tree misses or invents is not counted if html5lib
agrees with uriverse; such documents are printed as well.
"""

from __future__ import annotations

import argparse
import sys
from itertools import chain, islice

from .html_documents import by_html5lib, by_turbohtml, mutants, own_destinations, trees


def main(arguments: list[str]) -> int:
    """Compare all documents, print those that differ, and return 1 if uriverse is wrong in any."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=100_000, metavar="NUMBER")
    parser.add_argument("--seed", type=int, default=1, metavar="NUMBER")
    options = parser.parse_args(arguments)
    half = options.mutants // 2
    missed = invented = disputed = 0
    documents = chain(
        islice(mutants(options.seed), half),
        islice(trees(options.seed), options.mutants - half),
    )
    for document in documents:
        found, expected = own_destinations(document), by_turbohtml(document)
        if found == expected:
            continue
        print(f"{document!r}\n  turbohtml {sorted(expected)}\n  uriverse  {sorted(found)}")
        if found == by_html5lib(document):
            disputed += 1
            print("  html5lib agrees with uriverse")
        else:
            missed += len(expected - found)
            invented += len(found - expected)
    print(
        f"{options.mutants} mutants: {missed} destinations missed, {invented} invented,"
        f" {disputed} documents in which html5lib agrees with uriverse"
    )
    return 1 if missed or invented else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
