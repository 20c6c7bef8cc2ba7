import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from disguises import Disguise, disguises
from web import CLIENTS, NO_TRUST, answering, client, serving

from uriverse import Policy, URIError, dial

#: `Policy.public_web` on any port, because tests cannot listen on port 80.
PUBLIC = replace(Policy.public_web(), ports=None)

CASES = disguises()
REFUSED = [case for case in CASES if not case.allowed]

PROGRAM = Path(__file__).with_name("namespace_program.py")


def addresses(case: Disguise) -> tuple[str, ...]:
    """Return the addresses that `lookup` allows for a case; nothing if it raises an error."""
    try:
        plan = dial.lookup(PUBLIC, case.uri.format(""), resolver=answering(*case.answer))
    except URIError:
        return ()
    return tuple(map(str, plan.addresses))


def test_only_public_addresses_are_allowed_in_any_disguise() -> None:
    assert len(CASES) >= 200
    wrong = {case.uri: addresses(case) for case in CASES if addresses(case) != case.allowed}
    assert wrong == {}


@pytest.mark.parametrize("name", [name for name in CLIENTS if "-trio" not in name])
def test_no_client_connects_to_this_machine_for_a_disguised_address(name: str) -> None:
    fetch = client(name)
    with serving() as server:
        for case in REFUSED:
            url = case.uri.format(f":{server.server_port}")
            # Clients raise their own errors for URLs that they cannot parse.
            with suppress(Exception):
                pytest.fail(
                    f"{url}: {fetch(PUBLIC, [url], answering(*case.answer), context=NO_TRUST)}"
                )
        assert server.accepted == 0


@pytest.mark.parametrize("name", [name for name in CLIENTS if "-trio" not in name])
def test_no_client_follows_a_redirect_to_a_disguised_address(name: str) -> None:
    fetch = client(name)
    # A rule for `localhost` would allow it in every scope.
    policy = replace(PUBLIC, allow={"127.0.0.2", "*.example", "*.io", "*.com", "*.localhost"})
    with serving("127.0.0.2") as start, serving(port=start.server_port) as victim:
        for case in REFUSED[[*CLIENTS].index(name) % 3 :: 3]:  # three clients run all cases
            target = case.uri.format(f":{victim.server_port}")
            quoted = target.encode().hex("%")
            url = f"http://127.0.0.2:{start.server_port}/to/%{quoted}"
            # Some clients take the target for a path of the first server.
            with suppress(Exception):
                fetch(policy, [url], answering(*case.answer), context=NO_TRUST)
        assert start.accepted > 0
        assert victim.accepted == 0


def test_clients_reach_public_addresses_and_no_others_in_a_network_namespace() -> None:
    unshare, ip = shutil.which("unshare"), shutil.which("ip")
    if unshare is None or ip is None:
        pytest.skip("needs unshare and ip (on Linux)")
    options = ["--net"] if os.getuid() == 0 else ["--user", "--map-root-user", "--net"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [unshare, *options, sys.executable, str(PROGRAM)]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    if "Operation not permitted" in done.stderr:
        pytest.skip("needs the right to create network namespaces (as root)")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["wrong"] == []
    assert result["cases"] >= 200
