"""Check `rewrite` with real files: `python -m links_conformance.identity FOLDER... [--most 10000]`.

If the function returns `None`, the document does not change. If it returns the destination of each
link, the new document has the same links: their destinations, kinds and targets are equal, although
some are escaped in another way. Destinations that their place cannot contain are kept, such as one
with a quotation mark in a refresh. Files that `links` rejects are counted, and those that are not
UTF-8 are skipped.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from uriverse import URIError
from uriverse_links import DocumentFormat, Link, format_of, links, rewrite
from uriverse_links._links import edits

BASE = "http://base.example/a/b"
COLUMNS = ("files", "links", "same bytes", "cannot be written", "rejected", "wrong")


def documents(folders: list[Path]) -> Iterator[tuple[Path, DocumentFormat, str]]:
    """Yield the files with a known suffix that are UTF-8, each content once."""
    seen: set[int] = set()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = format_of(path)
            if name is None or path.is_symlink() or not path.is_file():
                continue
            try:
                text = path.read_bytes().decode("utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            if (content := hash(text)) not in seen:
                seen.add(content)
                yield path, name, text


def check(text: str, name: DocumentFormat) -> Counter[str]:
    """Return what to add to the columns for a document."""
    try:
        before = links(text, name, base=BASE)
    except URIError:
        return Counter(rejected=1)
    refused: list[Link] = []
    pieces = edits(
        text, name, lambda link, _: link.destination, refused=lambda link, _: refused.append(link)
    )
    made = "".join(piece for _, piece in pieces)
    kept = rewrite(text, name, lambda _: None) == text
    right = kept and list(map(meaning, links(made, name, base=BASE))) == list(map(meaning, before))
    return Counter(
        {
            "files": 1,
            "links": len(before),
            "same bytes": int(made == text),
            "cannot be written": len(refused),
            "wrong": int(not right),
        }
    )


def meaning(link: Link) -> tuple[str, str, str]:
    """Return all that must stay the same in a link."""
    return link.kind, link.destination, str(link.target)


def main(arguments: list[str]) -> int:
    """Print a line for each format; return 1 if a document is wrong, and 2 without documents."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--most", type=int, default=10_000, metavar="NUMBER", help="by format")
    options = parser.parse_args(arguments)
    totals: dict[str, Counter[str]] = {}
    for path, name, text in documents(options.folders):
        total = totals.setdefault(name, Counter())
        if total["files"] < options.most:
            counts = check(text, name)
            total.update(counts)
            if counts["wrong"]:
                print(f"wrong: {path}")
    for counted, total in sorted(totals.items()):
        print(f"{counted}: " + ", ".join(f"{total[column]} {column}" for column in COLUMNS))
    if not totals:
        print("identity: no documents in these folders", file=sys.stderr)
        return 2
    return int(any(total["wrong"] for total in totals.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
