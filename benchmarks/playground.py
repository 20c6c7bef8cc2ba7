"""Measure how long the playground page takes to start, and to show an input.

    python tools/make_playground.py
    python benchmarks/playground.py

The script opens the page in the installed Chromium, and only reports: its exit status is 0 even if
a target is missed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "playground/tests"))

import playgrounds

#: The lengths of the inputs, and the number of updates for each.
INPUTS = {200: 200, 2_000: 50, 100_000: 20}


def text_of(length: int, number: int) -> str:
    """Return a URI of the given length; the number makes it distinct."""
    start = f"https://www.example.org/users/{number}/posts?page=2&sort=date&note="
    return start + "%C3%A9b" * ((length - len(start)) // 7)


def update(playground: playgrounds.Playground, text: str) -> dict[str, Any]:
    """Enter a string, and return the times of the update in milliseconds."""
    before = playground.page.evaluate("updates.length")
    playground.page.evaluate(
        "(text) => { const field = document.getElementById('text'); field.value = text;"
        " field.dispatchEvent(new Event('input')); }",
        text,
    )
    playground.wait(f"updates.length > {before}")
    found: dict[str, Any] = playground.page.evaluate("updates.at(-1)")
    return found


def main() -> None:
    with playgrounds.served() as address, playgrounds.chromium() as browser:
        playground = playgrounds.Playground(browser, address).open()
        begun = time.perf_counter()
        playground.page.focus("#text")
        playground.wait("document.documentElement.dataset.ready")
        print(f"start until ready: {time.perf_counter() - begun:.1f} s")
        for length, count in INPUTS.items():
            found = [update(playground, text_of(length, number)) for number in range(count)]
            shown = {
                "Python": [one["worker"] for one in found],
                "drawing": [one["drawing"] for one in found],
                "Python and drawing": [one["worker"] + one["drawing"] for one in found],
                "from the input to the drawn page": [one["milliseconds"] for one in found],
            }
            print(f"{length:,} characters, milliseconds (median; fastest):")
            for name, times in shown.items():
                print(f"  {name}: {median(times):.1f}; {min(times):.1f}")
        playground.close()


if __name__ == "__main__":
    main()
