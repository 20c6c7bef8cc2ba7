"""Settings for all tests: Hypothesis profiles, skipped tests, workers, and coverage."""

from __future__ import annotations

import gc
import re
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

# If pytest runs in the background, it ignores SIGINT, and below `nohup` also SIGHUP, and so do its
# child processes. Some tests send these signals to child processes, so restore the handlers.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# `--hypothesis-profile` selects another profile; `amounts.py` scales loops over random cases to
# match. Without deadlines, tests cannot fail because the machine is busy.
settings.register_profile(
    "quick",
    deadline=None,
    max_examples=20,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("full", settings.get_profile("quick"), max_examples=100)
settings.register_profile("thorough", settings.get_profile("quick"), max_examples=5000)
# For tools that only need to know whether a test fails.
settings.register_profile(
    "unshrunk",
    settings.get_profile("quick"),
    phases=(Phase.explicit, Phase.generate),
    derandomize=True,
    database=None,
)
settings.load_profile("quick")

#: Markers of tests that are skipped by default, with the options that enable them.
OPT_IN = {
    "slow": ("--all", "--extended"),
    "spark": ("--extended",),
    "extended": ("--extended",),
}

#: The optional packages of the extra `test`, and of the dependency group `test-all`.
TEST = {"httpx", "nanoarrow", "pathspec", "publicsuffixlist", "pyromark", "turbohtml", "urllib3"}
TEST_ALL = {"ada_url", "aiohttp", "alembic", "attrs", "cattrs", "click", "curies", "django"}
TEST_ALL |= {"duckdb", "fastapi", "fastjsonschema", "h2", "httpx2", "jsonschema", "mcp", "msgspec"}
TEST_ALL |= {"multidict", "numpy", "pandas", "polars", "psycopg", "pyarrow", "pydantic"}
TEST_ALL |= {"pydantic_ai", "pyoxigraph", "pyspark", "rdflib", "requests", "rest_framework"}
TEST_ALL |= {"sqlalchemy", "sqlmodel", "trio", "trustme", "typer", "yarl"}

#: Optional packages, with the command that installs each of them.
OPTIONAL = {
    **dict.fromkeys(TEST, "pip install '.[test]'"),
    **dict.fromkeys(TEST_ALL, "pip install --group test-all"),
}

#: The folders of tests that do not count covered branches. They run the same code as others with
#: many cases, which would take twice as long if branches were counted.
UNMEASURED = {"agreement", "conformance", "hostile", "properties", "typing"}

#: Matches skip reasons that name a missing requirement and the way to install it.
MISSING_REQUIREMENT = re.compile(r"needs (?P<name>.+?) \((?P<how>.+)\)")

COUNTS = pytest.StashKey[Counter[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("uriverse")
    group.addoption("--all", action="store_true", help="also run the tests marked slow")
    group.addoption(
        "--extended", action="store_true", help="also run the tests marked slow, spark or extended"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[COUNTS] = Counter()


class TestFile(pytest.Module):
    """A test file that is skipped if one of its optional packages is not installed."""

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        try:
            return super().collect()
        except self.CollectError as error:
            cause = error.__cause__
            missing = cause.name if isinstance(cause, ModuleNotFoundError) else None
            package = (missing or "").partition(".")[0]
            if package not in OPTIONAL:
                raise
        # The file name makes the reason unique: pytest-xdist merges equal reasons.
        needs = f"needs {package} ({OPTIONAL[package]})"
        pytest.skip(f"{self.path.name} {needs}", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module:
    file: pytest.Module = TestFile.from_parent(parent, path=module_path)
    return file


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect opt-in tests, and move tests that share one xdist worker to the front."""
    counts = config.stash[COUNTS]
    kept: list[pytest.Item] = []
    deselected: list[pytest.Item] = []
    for item in items:
        markers = [
            marker
            for marker, options in OPT_IN.items()
            if item.get_closest_marker(marker) and not any(map(config.getoption, options))
        ]
        counts.update(markers[-1:])
        (deselected if markers else kept).append(item)
    if deselected:
        config.hook.pytest_deselected(items=deselected)
    if coverage := config.pluginmanager.getplugin("_cov"):
        if hasattr(config, "workerinput") and coverage.cov_controller:
            count_branches_once(coverage.cov_controller)
        for item in kept:
            # Only the tests of the longest string reach some branches.
            if UNMEASURED.intersection(item.path.parts) and item.path.stem != "test_length_limit":
                item.add_marker("no_cover")
    # Tests that share a worker take the longest, so they start first.
    items[:] = sorted(kept, key=lambda item: item.get_closest_marker("xdist_group") is None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Run all cases of a test function in one worker.

    With `--dist=loadgroup`, every case is a group. After each case, pytest-xdist counts the cases
    of all groups, which took a tenth of the time of the tests.
    """
    if config.getoption("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadGroupScheduling

    class FunctionScheduling(LoadGroupScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            group: str = super()._split_scope(nodeid)
            return group.partition("[")[0]

    # Tests of a module stay together, so that its fixtures are set up once.
    config.option.loadscopereorder = False
    return FunctionScheduling(config, log)


def count_branches_once(controller: Any) -> None:
    """Count the branches of a pytest-xdist worker once instead of three times.

    A worker is a subprocess, so coverage.py starts there by itself. pytest-cov then starts it
    twice, but pauses only the last one for a test with the mark `no_cover`.
    """
    from coverage import Coverage

    controller.pause()
    while started := Coverage.current():
        started.stop()
    controller.resume()


def pytest_collection_finish() -> None:
    """Exempt the tests from the garbage collection, which would take a second each time."""
    gc.collect()
    if hasattr(gc, "freeze"):  # not on PyPy
        gc.freeze()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the counts of skipped tests from a pytest-xdist worker to the main process."""
    if hasattr(session.config, "workeroutput"):
        counts = session.config.stash[COUNTS]
        session.config.workeroutput["opt_in"] = dict(counts)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Receive the counts of skipped tests from a pytest-xdist worker.

    Every worker collects all tests, so all workers send the same counts.
    """
    config: pytest.Config = node.config  # type: ignore[attr-defined]
    counts: dict[str, int] = getattr(node, "workeroutput", {}).get("opt_in", {})
    known = config.stash[COUNTS]
    known |= Counter(counts)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print one line that lists the skipped tests and how to run them."""
    counts = config.stash[COUNTS]
    parts = [
        f"{numbered(counts[marker], f'{marker} test')} (run with {options[0]})"
        for marker, options in OPT_IN.items()
        if counts[marker]
    ]
    skipped: Counter[tuple[str, str]] = Counter()
    others = 0
    for report in terminalreporter.stats.get("skipped", []):
        missing = MISSING_REQUIREMENT.search(report.longrepr[2])
        if missing is None:
            others += 1
        else:
            # A file that cannot be imported counts as one: its tests are unknown.
            kind = "test file" if isinstance(report, pytest.CollectReport) else "test"
            skipped[kind, f"{missing['name']} ({missing['how']})"] += 1
    for (kind, requirement), count in skipped.most_common():
        verb = "needs" if count == 1 else "need"
        parts.append(f"{numbered(count, kind)} that {verb} {requirement}")
    if others:
        parts.append(f"{others} for other reasons (list them with -rs)")
    if parts:
        terminalreporter.write_line(f"skipped: {', '.join(parts)}")


def numbered(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


#: The maximum number of characters of a string in a test id.
MAX_ID_LENGTH = 60


def pytest_make_parametrize_id(val: object) -> str | None:
    """Shorten strings in test ids, since some have hundreds of thousands of characters."""
    if isinstance(val, str | bytes) and len(val) > MAX_ID_LENGTH:
        return f"{val[:MAX_ID_LENGTH]!a}, {len(val)}"
    return None


@pytest.fixture(params=["httpx", "httpx2"])
def httpx(request: pytest.FixtureRequest) -> Any:
    """The package httpx or httpx2, which `dial` supports alike."""
    from web import package_of

    return package_of(request.param)


@pytest.fixture
def httpcore(httpx: Any) -> Any:
    """The package httpcore or httpcore2."""
    return import_module(httpx.__name__.replace("httpx", "httpcore"))
