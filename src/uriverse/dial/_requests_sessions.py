"""Sessions of requests that enforce a policy on requests and on connections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import requests
from requests.adapters import BaseAdapter, HTTPAdapter
from requests.utils import select_proxy

from ._gate import Gate
from ._urllib3_pools import create_pool_classes


class PolicySession(requests.Session):
    # The attributes that copies and pickles keep.
    __attrs__ = [*requests.Session.__attrs__, "_adapter"]  # noqa: RUF012 - as in requests

    def __init__(self, gate: Gate, **options: Any) -> None:
        super().__init__()
        self._adapter = PolicyAdapter(gate, **options)
        self.adapters.clear()
        self.mount("", self._adapter)

    def get_adapter(self, url: str | bytes) -> BaseAdapter:
        return self._adapter


class PolicyAdapter(HTTPAdapter):
    __attrs__ = ["_gate", *HTTPAdapter.__attrs__]  # noqa: RUF012 - as in requests

    def __init__(self, gate: Gate, **options: Any) -> None:
        self._gate = gate
        super().__init__(**options)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = create_pool_classes(self._gate)

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        self._gate.enforce_proxy(proxy)
        manager = super().proxy_manager_for(proxy, **options)
        manager.pool_classes_by_scheme = create_pool_classes(self._gate)
        return manager

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        url = str(request.url)
        self._gate.policy.enforce(url)
        proxy = select_proxy(url, dict(proxies or {}))
        if proxy is not None:
            self._gate.enforce_proxy(proxy)
        allowed_proxies = {} if self._gate.proxy is None else {"all": str(self._gate.proxy)}
        return super().send(request, stream, timeout, verify, cert, allowed_proxies)
