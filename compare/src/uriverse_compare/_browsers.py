"""Adapters for browsers, which read all strings with one script in an empty page.

The script calls `new URL`, and compares the result with a link: the two must agree. A browser has a
private profile, loads nothing but `about:blank`, and runs without a window.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http.client import HTTPConnection
from importlib import import_module
from importlib.util import find_spec
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, TypeVar

from ._programs import UNREAD, find_program_version, is_utf8, make_failure, stop_process
from ._reading import HTTP, Parser, Reading

#: The time in which a browser must start, and must answer each call, in seconds.
START_LIMIT, CALL_LIMIT = 60, 120

#: The maximum number of strings, and of characters, in one call.
MAX_STRINGS, MAX_CHARACTERS = 1000, 1_000_000

#: A function that takes strings, and returns for each the outcome, and the components or a reason.
FUNCTION = """
(texts) => texts.map((text) => {
  let found;
  try {
    found = new URL(text);
  } catch (error) {
    return [error.name === "TypeError" ? "rejected" : "failed", String(error)];
  }
  const link = document.createElement("a");
  link.setAttribute("href", text);
  if (link.href !== found.href) {
    return ["failed", `new URL reads ${found.href}, and a link reads ${link.href}`];
  }
  return ["accepted", {
    scheme: found.protocol.slice(0, -1),
    userinfo: (found.username + (found.password && ":" + found.password)) || null,
    host: found.hostname || null,
    port: found.port || null,
    path: found.pathname,
    query: found.search ? found.search.slice(1) : null,
    fragment: found.hash ? found.hash.slice(1) : null,
  }];
})
"""

#: The body of the same function, for WebDriver and Marionette.
BODY = f"return ({FUNCTION.strip()})(arguments[0]);"

#: Settings of Firefox: a free port for Marionette, and a proxy that does not exist, so that Firefox
#: connects to nothing.
FIREFOX_SETTINGS = {
    "marionette.port": 0,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
}

#: The browser of WebKitGTK, which the packages of distributions do not put on the PATH.
MINI_BROWSER = (
    "lib/*/webkit*gtk-*/MiniBrowser",
    "lib*/webkit*gtk-*/MiniBrowser",
    "libexec/webkit*gtk-*/MiniBrowser",
)

#: The schemes for which browsers connect to a host.
DIALS = HTTP | {"ws", "wss"}

T = TypeVar("T")

Evaluate = Callable[[Sequence[str]], Any]
Browser = Callable[[], AbstractContextManager[Evaluate]]


class BrowserError(Exception):
    """A browser did not start, or did not answer."""


@contextmanager
def run_chromium(path: str) -> Generator[Evaluate]:
    """Run Chromium with Playwright, and yield a function that parses strings with it."""
    with (
        create_private_folder() as folder,
        import_module("playwright.sync_api").sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--proxy-server=127.0.0.1:9"],
            env=isolate_environment(folder),
            timeout=START_LIMIT * 1000,
        )
        try:
            page = browser.new_page()
            page.goto("about:blank")
            yield partial(page.evaluate, FUNCTION)
        finally:
            browser.close()


@contextmanager
def run_firefox(path: str) -> Generator[Evaluate]:
    """Run Firefox, and yield a function that parses strings with it through Marionette.

    The Marionette protocol is described on
    https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html: each message is its
    length, a colon, and JSON.
    """
    with create_private_folder() as profile:
        settings = (
            f"user_pref({json.dumps(key)}, {json.dumps(value)});\n"
            for key, value in FIREFOX_SETTINGS.items()
        )
        Path(profile, "user.js").write_text("".join(settings), "utf-8")
        command = (path, "--headless", "--marionette", "--no-remote", "--profile", profile)
        with run_process(command, profile, {}) as process:
            port = await_result(process, lambda: read_port(Path(profile, "MarionetteActivePort")))
            with socket.create_connection(("127.0.0.1", port), CALL_LIMIT) as connection:
                client = Marionette(connection)
                client.call("WebDriver:NewSession", {})
                client.call("WebDriver:Navigate", {"url": "about:blank"})
                yield client.evaluate
                client.call("Marionette:Quit", {"flags": ["eForceQuit"]})


class Marionette:
    """A client of Firefox's remote protocol."""

    def __init__(self, connection: socket.socket) -> None:
        self.stream = connection.makefile("rwb")
        self.count = 0
        self.receive()  # Firefox introduces itself.

    def evaluate(self, texts: Sequence[str]) -> Any:
        return self.call("WebDriver:ExecuteScript", {"script": BODY, "args": [texts]})

    def call(self, command: str, parameters: Mapping[str, Any]) -> Any:
        """Send a command, and return the value of the response."""
        self.count += 1
        message = json.dumps([0, self.count, command, parameters]).encode()
        self.stream.write(b"%d:%s" % (len(message), message))
        self.stream.flush()
        _, _, error, result = self.receive()
        if error:
            raise BrowserError(f"{error['error']}: {error['message']}")
        return result.get("value")

    def receive(self) -> Any:
        digits = b""
        while (octet := self.stream.read(1)) != b":":
            if not octet:
                raise BrowserError("Firefox closed the connection")
            digits += octet
        return json.loads(self.stream.read(int(digits)))


@contextmanager
def run_webkit(driver: str, browser: str) -> Generator[Evaluate]:
    """Run WebKitGTK through WebDriver, and yield a function that parses strings with it."""
    with (
        create_private_folder() as folder,
        start_display(folder) as variables,
    ):
        with socket.create_server(("127.0.0.1", 0)) as free_socket:
            port = free_socket.getsockname()[1]
        command = (driver, "--host=127.0.0.1", f"--port={port}")
        with run_process(command, folder, variables) as process:
            await_result(process, lambda: accepts_connections(port))
            options = {"binary": browser, "args": ["--automation"]}
            capabilities = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            session = call_webdriver(port, "POST", "/session", {"capabilities": capabilities})
            session_path = f"/session/{session['sessionId']}"
            try:
                path = f"{session_path}/execute/sync"
                yield lambda texts: call_webdriver(
                    port, "POST", path, {"script": BODY, "args": [texts]}
                )
            finally:
                call_webdriver(port, "DELETE", session_path, {})


def call_webdriver(port: int, method: str, path: str, parameters: Mapping[str, Any]) -> Any:
    """Send a WebDriver command (https://www.w3.org/TR/webdriver/), and return its result."""
    connection = HTTPConnection("127.0.0.1", port, timeout=CALL_LIMIT)
    try:
        connection.request(method, path, json.dumps(parameters).encode())
        response = connection.getresponse()
        value = json.load(response)["value"]
    finally:
        connection.close()
    if response.status != 200:
        raise BrowserError(f"{value['error']}: {value['message']}")
    return value


@contextmanager
def start_display(folder: str) -> Generator[dict[str, str]]:
    """Start a virtual display if Xvfb is installed, and yield its environment variables."""
    xvfb = shutil.which("Xvfb")
    if xvfb is None:
        yield {}
        return
    command = (xvfb, "-displayfd", "1", "-nolisten", "tcp")
    with run_process(command, folder, {}) as process:
        assert process.stdout
        number = process.stdout.readline().decode().strip()
        yield {"DISPLAY": f":{number}", "GDK_BACKEND": "x11"}


@contextmanager
def run_process(
    command: Sequence[str], folder: str, variables: dict[str, str]
) -> Generator[subprocess.Popen[bytes]]:
    """Run a program that writes its files to a private folder, and stop it at the end."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=isolate_environment(folder) | variables,
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if "-displayfd" in command else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield process
        finally:
            stop_process(process)


def isolate_environment(folder: str) -> dict[str, str]:
    """Return environment variables that make a program write its files to the given folder."""
    names = ("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")
    # A program would start a message bus, which would not end with it.
    without_bus = {"DBUS_SESSION_BUS_ADDRESS": "disabled:", "NO_AT_BRIDGE": "1"}
    return {**os.environ, **dict.fromkeys(names, folder), **without_bus}


def create_private_folder() -> TemporaryDirectory[str]:
    """Return a temporary folder whose deletion tolerates late writes by a browser."""
    return TemporaryDirectory(prefix="uriverse-browser-", ignore_cleanup_errors=True)


def await_result(process: subprocess.Popen[bytes], attempt: Callable[[], T | None]) -> T:
    """Call a function again until it returns a result."""
    start = monotonic()
    while process.poll() is None and monotonic() - start < START_LIMIT:
        if result := attempt():
            return result
        sleep(0.05)
    raise BrowserError("the browser does not start")


def read_port(path: Path) -> int | None:
    """Return the port that Firefox writes to a file, or `None` if it is not there yet."""
    return int(path.read_text("utf-8") or 0) if path.exists() else None


def accepts_connections(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def read_with_browser(browser: Browser, texts: Sequence[str]) -> list[Reading]:
    """Read strings with a browser, chunk by chunk. If it fails, all readings are failures."""
    readings: list[Reading] = []
    try:
        with browser() as evaluate:
            for chunk in split_chunks(filter(is_utf8, texts)):
                pairs = zip(chunk, evaluate(chunk), strict=True)
                readings += [parse_answer(answer) for _, answer in pairs]
        answers: Iterator[Reading] = iter(readings)
    except Exception as error:  # noqa: BLE001 -- a browser must not stop the other parsers
        answers = repeat(make_failure(f"{type(error).__name__}: {error}"))
    # There is an answer for each string that is valid UTF-8.
    return [next(answers) if is_utf8(text) else UNREAD for text in texts]


def parse_answer(answer: Sequence[Any]) -> Reading:
    outcome, components_or_reason = answer
    if outcome == "accepted":
        return Reading(outcome, **components_or_reason)
    return Reading(outcome, reason=components_or_reason)


def split_chunks(texts: Iterator[str]) -> Iterator[list[str]]:
    """Divide strings into lists that are small enough for one message to a browser."""
    chunk: list[str] = []
    size = 0
    for text in texts:
        chunk.append(text)
        size += len(text)
        if len(chunk) == MAX_STRINGS or size > MAX_CHARACTERS:
            yield chunk
            chunk, size = [], 0
    yield chunk


def create_chromium_parser() -> Parser | None:
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None or find_spec("playwright") is None:
        return None
    version = find_program_version(path, "--version")
    return create_browser_parser("Chromium", version, partial(run_chromium, path))


def create_firefox_parser() -> Parser | None:
    path = shutil.which("firefox") or shutil.which("firefox-esr")
    if path is None:
        return None
    version = find_program_version(path, "--version")
    return create_browser_parser("Firefox", version, partial(run_firefox, path))


def create_webkit_parser() -> Parser | None:
    """Return WebKitGTK as a parser, or `None` if it, its driver or a display is missing."""
    driver = shutil.which("WebKitWebDriver")
    browser = next((path for pattern in MINI_BROWSER for path in Path("/usr").glob(pattern)), None)
    has_display = shutil.which("Xvfb") or {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ)
    if driver is None or browser is None or not has_display:
        return None
    with create_private_folder() as folder, start_display(folder) as variables:
        environment = isolate_environment(folder) | variables
        version = find_program_version(str(browser), "--version", **environment)
    return create_browser_parser("WebKitGTK", version, partial(run_webkit, driver, str(browser)))


def create_browser_parser(name: str, version: str | None, browser: Browser) -> Parser | None:
    return Parser(name, version, DIALS, partial(read_with_browser, browser)) if version else None


#: Functions that find the browsers, by name. They return `None` if a browser is not installed.
FINDERS: dict[str, Callable[[], Parser | None]] = {
    "Chromium": create_chromium_parser,
    "Firefox": create_firefox_parser,
    "WebKitGTK": create_webkit_parser,
}
