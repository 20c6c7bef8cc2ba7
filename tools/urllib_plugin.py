"""A plugin of pytest for `urllib_suites.py`: replace `urllib.parse`, and compare all calls.

It writes a report with the failed tests, and with the calls whose results differ. It replaces
`urllib.parse` only if the environment variable URLLIB_SWAP is set, so that a second run shows
which tests fail anyway. Tests do not reach any other host.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import urllib.parse
from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from urllib_differences import DIFFERENCES, REPLACEMENTS, Case

from uriverse.compat import urllib as compat

if TYPE_CHECKING:
    import pytest

#: The functions whose results may differ. All others are those of the standard library.
STRICT = ("urlsplit", "urlunsplit", "urljoin")

FAILED: set[str] = set()
PASSED: set[str] = set()

#: For each test, the documented differences between the results of its calls.
EXPLAINED: defaultdict[str, set[str]] = defaultdict(set)
UNEXPLAINED: set[str] = set()


def compared(name: str) -> Callable[..., Any]:
    ours = REPLACEMENTS[name]

    @wraps(ours)
    def function(*args: Any, **options: Any) -> Any:
        if args and not isinstance(args[0], str | bytes | tuple | list | None):
            args = (tuple(args[0]), *args[1:])
        case = Case.of(name, args, options)
        if case.is_unexplained():
            UNEXPLAINED.add(repr(case))
        elif case.is_different():
            test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
            EXPLAINED[test] |= {one for one, explains in DIFFERENCES.items() if explains(case)}
        return ours(*args, **options)

    return function


def swap() -> None:
    for name in STRICT:
        setattr(compat, name, compared(name))
    module = ModuleType("urllib.parse")
    module.__dict__.update(vars(compat))
    urllib.parse = sys.modules["urllib.parse"] = module


def is_local(host: str | None) -> bool:
    try:
        return host in {None, "", "localhost"} or ip_address(host).is_loopback
    except ValueError:
        return False


def stay_on_loopback() -> None:
    """Make lookups and connections fail that would leave this machine."""
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def local_lookup(host: Any, *args: Any, **options: Any) -> Any:
        if not is_local(host):
            raise socket.gaierror(socket.EAI_NONAME, "tests look up no names")
        return look_up(host, *args, **options)

    def local_connect(self: socket.socket, address: Any) -> None:
        if not is_local(address[0]):
            raise TimeoutError("tests connect only to this machine")
        connect(self, address)

    socket.getaddrinfo = local_lookup
    socket.socket.connect = local_connect  # type: ignore[method-assign, assignment]


stay_on_loopback()
if "URLLIB_SWAP" in os.environ:
    swap()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed or (report.skipped and hasattr(report, "wasxfail")):
        FAILED.add(report.nodeid)
    elif report.when == "call" and report.passed:
        PASSED.add(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        FAILED.add(report.nodeid)


def pytest_unconfigure() -> None:
    found = {
        "passed": sorted(PASSED - FAILED),
        "failed": {test: sorted(EXPLAINED[test]) for test in FAILED},
        "unexplained": sorted(UNEXPLAINED),
    }
    Path(os.environ["URLLIB_REPORT"]).write_text(json.dumps(found), "utf-8")
