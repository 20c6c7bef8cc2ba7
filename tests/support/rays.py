"""A Ray cluster that all tests of a process share, on the loopback interface only."""

from __future__ import annotations

import atexit
import logging
import os
import secrets
import shutil
import tempfile
import warnings
from functools import cache
from importlib import import_module
from typing import Any
from unittest.mock import patch

import pytest

SETTINGS = {
    # Otherwise, on Linux, Ray listens on all interfaces.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    # Tests would otherwise write a token to the home directory.
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}

#: The environment of Ray's processes. Even without usage statistics, one of them asks the
#: metadata service of the cloud for its name. Nothing listens on this port, so no packet leaves the
#: machine.
PROXIES = {
    **dict.fromkeys(
        ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"], "http://127.0.0.1:9"
    ),
    **dict.fromkeys(["no_proxy", "NO_PROXY"], "127.0.0.1,localhost,::1"),
}

# Ray reads them when it is imported, which another package may do first, such as Daft.
os.environ.update(SETTINGS)


@cache
def ray() -> Any:
    """Start the cluster, which stops when the process exits, and return the module `ray`."""
    module: Any = pytest.importorskip("ray", reason="needs ray (pip install --group test-all)")
    # The path of a socket must be short, so the folder is not in a folder of pytest.
    folder = tempfile.mkdtemp(prefix="uriverse-ray-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # Ray warns about its own defaults.
    with warnings.catch_warnings(action="ignore"), patch.dict(os.environ, PROXIES):
        data = import_module("ray.data")
        module.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            configure_logging=False,
            _temp_dir=folder,
        )
        atexit.register(module.shutdown)
        data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray").setLevel(logging.ERROR)
    return module
