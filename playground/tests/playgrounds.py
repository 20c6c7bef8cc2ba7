"""Serve the built page, and open it in browsers.

The tests run the page in Chromium and in Firefox, and skip a browser that is not installed. They
use the folder that `python tools/make_playground.py` writes.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

SITE = Path(__file__).resolve().parents[2] / "docs/_build/html/playground"

#: The policy of the page, which the server sends as a header too: workers only obey the header.
POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"

#: The time after which the tests stop waiting for the page, in seconds.
PATIENCE = 180

#: A screen on which all sections are visible. Browsers do not lay out the others.
TALL = {"width": 1200, "height": 9000}

#: Records the updates of the page, and the violations of its policy.
RECORD = """
window.updates = [];
document.addEventListener("updated", (event) => updates.push(event.detail));
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => violations.push(event.blockedURI));
"""


class Handler(SimpleHTTPRequestHandler):
    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name it has
        pass


@contextmanager
def served() -> Iterator[str]:
    if not (SITE / "index.html").exists():
        pytest.skip("needs the page (python tools/make_playground.py)")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(SITE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium without a network: it can connect to this machine only."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip("needs Chromium (apt-get install chromium)")
    offline = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", offline]
        )
        yield started
        started.close()


class Playground:
    """The page in a browser; problems are errors in the console, and requests to other hosts."""

    def __init__(self, browser: Browser, address: str, *scripts: str, **options: Any) -> None:
        self.address = address
        self.problems: list[str] = []
        self.requests: list[str] = []
        context = browser.new_context(**options)
        context.on("request", lambda request: self.requested(request.url))
        context.on("weberror", lambda error: self.problems.append(str(error.error)))
        self.page: Page = context.new_page()
        self.page.on("console", lambda message: self.problems.append(message.text))
        for script in (RECORD, *scripts):
            self.page.add_init_script(script)

    def requested(self, url: str) -> None:
        self.requests.append(url)
        if not url.startswith(self.address):
            self.problems.append(url)

    def open(self, fragment: str = "") -> Playground:
        self.page.goto(self.address + fragment)
        return self

    def unfold(self) -> Playground:
        self.page.evaluate("document.querySelectorAll('details').forEach((one) => one.open = true)")
        return self

    def enter(self, text: str, *, base: str = "", profile: str = "generic") -> Page:
        """Put an input into the fields, and wait until the page shows it."""
        self.page.select_option("#profile", profile)
        self.page.fill("#base", base)
        self.page.fill("#text", text)
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until the page shows the current input."""
        # An update that starts now is the last one.
        before = self.page.evaluate(
            """(() => {
                const before = updates.length;
                document.getElementById("text").dispatchEvent(new Event("input"));
                return before;
            })()"""
        )
        self.wait(f"updates.length > {before}")
        self.wait("updates.at(-1).idle")

    def wait(self, condition: str) -> None:
        """Wait until a JavaScript expression is true.

        `Page.wait_for_function` evaluates strings in the page, which its policy forbids.
        """
        end = time.monotonic() + PATIENCE
        while not self.page.evaluate(f"Boolean({condition})"):
            assert time.monotonic() < end, condition
            time.sleep(0.02)

    def text(self, selector: str) -> str:
        return " ".join(self.page.inner_text(selector).split())

    @property
    def value(self) -> str:
        text: str = self.page.input_value("#text")
        return text

    def close(self) -> None:
        """Close the page. Fail if anything was printed to the console, or requested elsewhere."""
        violations = self.page.evaluate("violations")
        self.page.context.close()
        assert self.problems == []
        assert violations == []


@pytest.fixture(scope="session")
def playground(browser: Browser, address: str) -> Iterator[Playground]:
    """Open the page once for all tests that only enter strings."""
    opened = Playground(browser, address, viewport=TALL).open().unfold()
    opened.wait("document.documentElement.dataset.ready")
    yield opened
    opened.close()
