"""Open strings in a browser. The argument is the name of the browser.

Only the browser is run with the library that refuses connections, because this process connects to
the browser.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from uriverse_compare import _browsers as browsers

#: The limit of a request, in milliseconds.
LIMIT = 10_000

#: Options of Chromium: no updates, the resolver of the system, and no attempt to use https in place
#: of http. The last option replaces the one of Playwright.
CHROMIUM = (
    "--no-proxy-server",
    "--host-resolver-rules=MAP *.googleapis.com ~NOTFOUND, MAP clients2.google.com ~NOTFOUND",
    "--disable-features=AsyncDns,DnsOverHttps,HttpsUpgrades,MediaRouter,OptimizationHints",
)

#: The same for Firefox, and no cache of hosts.
FIREFOX = {
    "app.update.disabledForTesting": True,
    "browser.safebrowsing.update.enabled": False,
    "dom.security.https_first": False,
    "extensions.update.enabled": False,
    "marionette.port": 0,
    "media.gmp-manager.updateEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.dnsCacheEntries": 0,
    "network.dnsCacheExpiration": 0,
    "network.proxy.type": 0,
    "network.trr.mode": 5,
    "services.settings.server": "data:,",
}

Request = Callable[[str], None]


@contextmanager
def chromium(preload: dict[str, str]) -> Generator[Request]:
    """Follow a link of an empty page, which needs a new context: contexts cache hosts."""
    from playwright.sync_api import Error, sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-browser"),
            args=CHROMIUM,
            env={**os.environ, **preload},
        )

        def request(text: str) -> None:
            with browser.new_context() as context:
                page = context.new_page()
                # The script fails for an invalid URL, and the page when the connection is refused.
                with suppress(Error):
                    page.evaluate("(text) => { window.location.href = text; }", text)
                    page.wait_for_url("chrome-error://**", timeout=LIMIT)

        yield request
        browser.close()


@contextmanager
def firefox(preload: dict[str, str]) -> Generator[Request]:
    """Navigate to a URL with the command of Marionette."""
    path = shutil.which("firefox") or shutil.which("firefox-esr")
    assert path
    with browsers.create_private_folder() as profile:
        lines = (f"user_pref({json.dumps(key)}, {json.dumps(FIREFOX[key])});\n" for key in FIREFOX)
        Path(profile, "user.js").write_text("".join(lines), "utf-8")
        command = (path, "--headless", "--marionette", "--no-remote", "--profile", profile)
        port_file = Path(profile, "MarionetteActivePort")
        # Without the variable, Firefox ignores the setting of the server for its own data.
        variables = preload | {"MOZ_REMOTE_SETTINGS_DEVTOOLS": "1"}
        with browsers.run_process(command, profile, variables) as process:
            port = browsers.await_result(process, lambda: browsers.read_port(port_file))
            with socket.create_connection(("127.0.0.1", port), browsers.CALL_LIMIT) as connection:
                client = browsers.Marionette(connection)
                client.call("WebDriver:NewSession", {})
                client.call("WebDriver:SetTimeouts", {"pageLoad": LIMIT})

                def request(text: str) -> None:
                    with suppress(browsers.BrowserError):
                        client.call("WebDriver:Navigate", {"url": text})

                yield request


BROWSERS = {"Chromium": chromium, "Firefox": firefox}


def main() -> None:
    """Start again without the library, and then the browser with it."""
    name, *library = sys.argv[1:]
    if not library:
        library = [os.environ.pop("LD_PRELOAD")]
        os.execv(sys.executable, [sys.executable, *sys.argv, *library])  # noqa: S606
    with BROWSERS[name]({"LD_PRELOAD": library[0]}) as request:
        for line in sys.stdin:
            request(bytes.fromhex(line.strip()[1:]).decode())
            print(flush=True)


main()
