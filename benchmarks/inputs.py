"""The strings that the benchmarks process: real URLs from files, or generated URLs like them.

    python benchmarks/inputs.py                     # print generated URLs
    python benchmarks/inputs.py --compare FOLDER    # compare their statistics with real URLs

Generated URLs are as long as real ones, and their components are as frequent. The tables in this
module were counted in 97,632 URLs from the tests of the parser ada-url: addresses of web pages, and
`file:` URLs of JavaScript modules.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from statistics import fmean

SEED = 3986
#: The number of URLs that are generated, which is about that of the real ones.
COUNT = 97_632

#: Letters and digits by how often they occur in English words and in names.
LETTERS = "eeeeeeetttttaaaaaooooiiiinnnnssssrrrrhhhddlllccuummffppgwybvk0123x"
#: The lengths of a word with an average of 6, and of 10.
SHORT, LONG = range(3, 10), range(5, 16)

ENDINGS = (".html", ".htm", ".php", ".aspx", ".jpg", ".shtml")
EXTENSIONS = (".js", ".js", ".js", ".d.ts", ".json", ".mjs", ".test.js")

#: The five components, as in RFC 3986, Appendix B, for the statistics.
COMPONENTS = re.compile(
    r"(?:[^:/?#]+:)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.DOTALL
)


class Chance:
    """Random choices with the frequencies of a table."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311
        self.choice = self.random.choice

    def is_true(self, share: float) -> bool:
        return self.random.random() < share

    def pick(self, counts: Mapping[int, int]) -> int:
        """Return a key of the table; the values are the numbers of times that the keys occur."""
        weights = [*accumulate(counts.values())]
        return self.random.choices([*counts], cum_weights=weights)[0]

    def word(self, lengths: Sequence[int]) -> str:
        return "".join(self.random.choices(LETTERS, k=self.choice(lengths)))


def page(chance: Chance) -> str:
    """Return the address of a page on a web site."""
    labels = chance.pick({2: 3585, 3: 36432, 4: 6656, 5: 1337})
    first = ["www"] if chance.is_true(0.63) else []
    middle = [chance.word(range(2, 9)) for _ in range(labels - len(first) - 2)]
    host = ".".join(
        [*first, *middle, chance.word(range(4, 12)), chance.choice(["com", "org", "de", "fr"])]
    )
    segments = chance.pick({1: 9246, 2: 21772, 3: 11235, 4: 3281, 5: 1498, 6: 639, 7: 339})
    path = "/" + "".join(f"{chance.word(range(3, 14))}/" for _ in range(segments - 1))
    if not chance.is_true(0.37):
        path += chance.word(range(3, 12))
        path += chance.choice(ENDINGS) if chance.is_true(0.7) else ""
    query = fragment = ""
    if chance.is_true(0.049):
        count = chance.pick({1: 1822, 2: 373, 3: 98, 4: 37})
        query = "?" + "&".join(f"{chance.word(SHORT)}={chance.word(LONG)}" for _ in range(count))
    if chance.is_true(0.004):
        fragment = f"#{chance.word(LONG)}"
    space = "%20" if chance.is_true(0.003) else ""
    return f"https://{host}{path}{space}{query}{fragment}"


def module(chance: Chance) -> str:
    """Return the path of a module as a `file:` URL that has the first folder as its host."""
    segments = chance.pick(
        {2: 5530, 3: 2694, 4: 9062, 5: 14138, 6: 4461, 7: 3073, 8: 2829, 9: 642, 10: 986}
    )
    folders = "/".join(chance.word(range(4, 12)) for _ in range(segments - 1))
    name = chance.word(range(5, 13)) + (chance.choice(EXTENSIONS) if chance.is_true(0.9) else "")
    space = "%20" if chance.is_true(0.024) else ""
    return f"file://{chance.word([4])}/{folders}/{space}{name}"


def cached(chance: Chance) -> str:
    """Return the URL of a cached file, with the hash of its content in the query."""
    folders = "/".join(chance.word(range(3, 8)) for _ in range(9))
    digest = "".join(chance.random.choices("0123456789abcdef", k=40))
    return f"file:///{folders}/{chance.word(range(7, 13))}.js?{digest}"


#: The kinds of URLs, each with the number of real URLs of that kind.
KINDS: Mapping[Callable[[Chance], str], int] = {page: 48_010, module: 43_415, cached: 6_207}


def generated(count: int = COUNT, seed: int = SEED) -> list[str]:
    """Return distinct URLs, which depend only on the seed."""
    chance = Chance(seed)
    kinds, weights = [*KINDS], [*accumulate(KINDS.values())]
    texts: dict[str, None] = {}
    while len(texts) < count:
        [kind] = chance.random.choices(kinds, cum_weights=weights)
        texts[kind(chance)] = None
    return [*texts]


def lines(file: Path) -> list[str]:
    """Return the lines of a text file that are not empty."""
    found = (line.removesuffix("\r") for line in file.read_text("utf-8-sig").split("\n"))
    return [line for line in found if line]


def read(folder: Path) -> list[str]:
    """Return the distinct lines of all text files in a folder, in a fixed random order."""
    texts: dict[str, None] = {}
    for file in sorted(folder.glob("*.txt")):
        texts.update(dict.fromkeys(lines(file)))
    if not texts:
        raise SystemExit(f"no strings in {folder}: --corpora needs a folder with *.txt files")
    shuffled = [*texts]
    random.Random(SEED).shuffle(shuffled)  # noqa: S311
    return shuffled


def corpus(folder: Path | None) -> list[str]:
    """Return the URLs in the files of a folder. Without a folder, generate URLs."""
    return generated() if folder is None else read(folder)


def statistics(texts: Iterable[str]) -> dict[str, float]:
    """Return the average length of each component, and how often each component occurs."""
    parts = [(text, *COMPONENTS.fullmatch(text).groups()) for text in texts]  # type: ignore[union-attr]
    return {
        "characters": fmean(len(text) for text, *_ in parts),
        "characters of the authority": fmean(len(part or "") for _, part, *_ in parts),
        "characters of the path": fmean(len(path) for *_, path, _, _ in parts),
        "segments": fmean(path.count("/") for *_, path, _, _ in parts),
        "share with a query": fmean(query is not None for *_, query, _ in parts),
        "characters of a query": fmean(len(query) for *_, query, _ in parts if query is not None),
        "share with a percent sign": fmean("%" in text for text, *_ in parts),
    }


def main(command_line: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Print generated URLs, one per line.")
    parser.add_argument("--count", type=int, default=COUNT, help="the number of URLs")
    parser.add_argument("--seed", type=int, default=SEED, help="the seed of the generator")
    parser.add_argument(
        "--compare", type=Path, metavar="FOLDER", help="print statistics beside those of real URLs"
    )
    arguments = parser.parse_args(command_line)
    texts = generated(arguments.count, arguments.seed)
    if arguments.compare is None:
        print(*texts, sep="\n")
        return
    real = statistics(read(arguments.compare))
    for name, figure in statistics(texts).items():
        print(f"{name:<28}{figure:>8.2f}{real[name]:>8.2f}")


if __name__ == "__main__":
    main()
