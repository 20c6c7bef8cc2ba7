"""Control Firefox with its own protocol, Marionette.

Playwright only supports a Firefox that is built for it. Marionette needs no other program: Firefox
listens on a port, and exchanges messages in JSON, each with its length before it.
"""

import json
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self


class Firefox:
    """A Firefox without a window, whose profile is an empty folder."""

    def __init__(self, program: str, profile: Path) -> None:
        port = free_port()
        settings = {
            "marionette.port": port,
            "app.update.enabled": False,
            "browser.shell.checkDefaultBrowser": False,
            # Connect to this machine only.
            "network.proxy.type": 1,
            "network.proxy.http": "127.0.0.1",
            "network.proxy.http_port": 9,
            "network.proxy.ssl": "127.0.0.1",
            "network.proxy.ssl_port": 9,
            "network.proxy.no_proxies_on": "127.0.0.1",
        }
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in settings.items()
        ]
        (profile / "user.js").write_text("\n".join(lines), "utf-8")
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--no-remote", "--profile", str(profile)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.socket = self.connect(port)
        self.number = 0
        self.receive()  # the greeting
        self.send("WebDriver:NewSession", {})

    def connect(self, port: int) -> socket.socket:
        """Connect to Firefox, which takes some seconds to start."""
        end = time.monotonic() + 60
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=60)
            except ConnectionRefusedError:
                assert time.monotonic() < end
                assert self.process.poll() is None
                time.sleep(0.1)

    def send(self, command: str, arguments: dict[str, Any]) -> Any:
        self.number += 1
        message = json.dumps([0, self.number, command, arguments]).encode()
        self.socket.sendall(b"%d:%b" % (len(message), message))
        _, number, error, result = self.receive()
        assert number == self.number
        assert error is None, error
        return result

    def receive(self) -> Any:
        digits = b""
        while (character := self.read(1)) != b":":
            digits += character
        return json.loads(self.read(int(digits)))

    def read(self, length: int) -> bytes:
        content = b""
        while len(content) < length:
            part = self.socket.recv(length - len(content))
            assert part
            content += part
        return content

    def open(self, url: str) -> None:
        self.send("WebDriver:Navigate", {"url": url})

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression in the page."""
        arguments = {"script": f"return {expression}", "args": []}
        return self.send("WebDriver:ExecuteScript", arguments)["value"]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
