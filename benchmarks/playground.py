"""Measure how long the playground page takes to start, and to show an input.

    python tools/make_playground.py
    python benchmarks/playground.py

The script opens the page in the installed Chromium, and only reports: its exit status is 0 even if
a target is missed. The load is the average number of busy processes in the last minute. If it is
higher than the number of cores, other programs have slowed down the page.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "playground/tests"))

import playgrounds
from measure import machine, statement

from uriverse import __version__

#: The lengths of the inputs, and the number of updates for each.
INPUTS = {200: 200, 2_000: 50, 100_000: 20, 1_000_000: 3}

#: The targets in milliseconds, from the input to the last part of the answer: for 200 characters at
#: the 90th percentile, otherwise for the median.
TARGETS = {200: 8, 100_000: 500, 1_000_000: 5000}


def text_of(length: int, number: int) -> str:
    """Return a URI of the given length; the number makes it distinct."""
    start = f"https://www.example.org/users/{number}/posts?page=2&sort=date&note="
    return start + "%C3%A9b" * ((length - len(start)) // 7)


#: Enters strings one after the other, and returns the times of each update in milliseconds. The
#: page measures itself, because requests from outside would take time from it. Between two updates,
#: the browser has time to paint.
ENTER = """async (texts) => {
    const field = document.getElementById("text");
    const found = [];
    for (const text of texts) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const before = updates.length;
        field.value = text;
        const entered = performance.now();
        field.dispatchEvent(new Event("input"));
        const instant = performance.now() - entered;
        while (updates.length === before || !updates.at(-1).idle) {
            await new Promise((resolve) => {
                document.addEventListener("updated", resolve, { once: true });
            });
        }
        const parts = updates.slice(before);
        const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
        found.push({
            "handling of the event": instant,
            "Python": sum("worker"),
            "drawing": sum("drawing"),
            "first part of the answer": parts[0].finished - entered,
            "whole answer": parts.at(-1).finished - entered,
        });
    }
    return found;
}"""


def main() -> None:
    with playgrounds.served() as address, playgrounds.chromium() as browser:
        # The page uses Pyodide, which has no compiled kernel.
        print(statement(machine(__version__, compiled=False), {"Chromium": browser.version}))
        playground = playgrounds.Playground(browser, address)
        begun = time.perf_counter()
        playground.open().wait("document.querySelector('#figure svg')")
        print(f"start until the first figure: {time.perf_counter() - begun:.1f} s")
        playground.wait("document.documentElement.dataset.ready")
        print(f"start until Python is ready: {time.perf_counter() - begun:.1f} s")
        for length, count in INPUTS.items():
            texts = [text_of(length, number) for number in range(count)]
            found: list[dict[str, float]] = playground.page.evaluate(ENTER, texts)
            print(
                f"{length:,} characters, milliseconds (median; 90th percentile; fastest), "
                f"at a load of {os.getloadavg()[0]:.1f}:"
            )
            for name in found[0]:
                times = sorted(one[name] for one in found)
                ninth = times[min(len(times) * 9 // 10, len(times) - 1)]
                target = TARGETS.get(length) if name == "whole answer" else None
                aim = "" if target is None else f" (target {target})"
                print(f"  {name}: {median(times):.1f}; {ninth:.1f}; {times[0]:.1f}{aim}")
        playground.page.context.close()


if __name__ == "__main__":
    main()
