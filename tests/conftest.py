"""Settings of all tests: the number of examples, and the tests that a run leaves out."""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A process in the background ignores Ctrl-C, and so would the commands that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# `--hypothesis-profile` selects another profile; `amounts.py` scales loops of random cases with it.
# A deadline would be a timed assertion, and fail on a busy machine.
settings.register_profile(
    "quick",
    deadline=None,
    max_examples=20,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("full", settings.get_profile("quick"), max_examples=100)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=5000)
settings.load_profile("quick")

#: Each marker of tests that a plain run leaves out, with the options that run them.
LEFT_OUT = {"slow": ("--slow", "--extended"), "extended": ("--extended",)}

#: Packages that may be missing, with the extra that installs them.
OPTIONAL = {
    **dict.fromkeys(("ada_url", "duckdb", "httpx", "multidict", "pandas", "polars"), "test"),
    **dict.fromkeys(("pyarrow", "urllib3", "xxhash", "yarl"), "test"),
    "pyspark": "test-all",
}

#: A reason to skip a test that says what is missing, and how to get it.
NEEDS = re.compile(r"needs (?P<what>.+?) \((?P<how>.+)\)")

COUNTS = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("uriverse")
    group.addoption("--slow", action="store_true", help="also run the tests marked slow")
    group.addoption(
        "--extended", action="store_true", help="also run the tests marked slow or extended"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COUNTS] = Counter()


class TestFile(pytest.Module):
    """A test file that is skipped if it imports an optional package that is not installed."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return super().collect()
        except self.CollectError as error:
            cause = error.__cause__
            missing = cause.name if isinstance(cause, ModuleNotFoundError) else None
            package = (missing or "").partition(".")[0]
            if package not in OPTIONAL:
                raise
        # pytest-xdist would take equal reasons of two files for one.
        needs = f"needs {package} (pip install '.[{OPTIONAL[package]}]')"
        pytest.skip(f"{self.path.name} {needs}", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    file: pytest.Module = TestFile.from_parent(parent, path=module_path)
    return file


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect what is left out, and start with tests that all run in one worker."""
    counts = config.stash[COUNTS]
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        markers = [
            marker
            for marker, options in LEFT_OUT.items()
            if item.get_closest_marker(marker) and not any(map(config.getoption, options))
        ]
        counts.update(markers[-1:])
        (left if markers else kept).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
    # They take longest together.
    items[:] = sorted(kept, key=lambda item: item.get_closest_marker("xdist_group") is None)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the counts to the main process if this is a worker of pytest-xdist."""
    if hasattr(session.config, "workeroutput"):
        counts = session.config.stash[COUNTS]
        session.config.workeroutput["left_out"] = dict(counts)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Take the counts of a worker. Each worker collects all tests, so one of them is enough."""
    config: pytest.Config = node.config  # type: ignore[attr-defined]
    counts: dict[str, int] = getattr(node, "workeroutput", {}).get("left_out", {})
    known = config.stash[COUNTS]
    known |= Counter(counts)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print what was left out, and how to run it, in one line."""
    counts = config.stash[COUNTS]
    parts = [
        f"{counts[marker]} {marker} tests (pytest {options[0]})"
        for marker, options in LEFT_OUT.items()
        if counts[marker]
    ]
    skipped: Counter[str] = Counter()
    others = 0
    for report in terminalreporter.stats.get("skipped", []):
        needed = NEEDS.search(report.longrepr[2])
        if needed is None:
            others += 1
        else:
            # The tests of a file that cannot be imported are not known.
            kind = "test files" if isinstance(report, pytest.CollectReport) else "tests"
            skipped[f"{kind} that need {needed['what']} ({needed['how']})"] += 1
    parts += (f"{count} {what}" for what, count in skipped.most_common())
    if others:
        parts.append(f"{others} for other reasons (pytest -rs)")
    if parts:
        terminalreporter.write_line(f"left out: {', '.join(parts)}")


#: How much of a string a test is named by.
NAMED = 60


def pytest_make_parametrize_id(val: object) -> str | None:
    """Shorten long strings in the names of tests: some have hundreds of thousands of characters."""
    if isinstance(val, str | bytes) and len(val) > NAMED:
        return f"{val[:NAMED]!a}, {len(val)}"
    return None
