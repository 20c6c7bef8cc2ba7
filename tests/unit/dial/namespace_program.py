"""Fetch every disguised URI in a network namespace that has all their addresses.

The program must run in a new network namespace. It prints the cases in which a client connected to
an address that is not allowed, or did not connect to one that is.
"""

import json
import subprocess
import sys
import threading
from importlib.util import find_spec

from disguises import INTERNAL_IPV4, INTERNAL_IPV6, PUBLIC_IPV4, PUBLIC_IPV6, Disguise, disguises
from web import CLIENTS, NO_TRUST, Server, answering

from uriverse import Policy

#: Special addresses that cannot be assigned to an interface.
UNASSIGNABLE = {"127.0.0.1", "0.0.0.0", "::1", "::", "ff02::1", "fe80::1"}

#: Built once, because a policy checks each of its patterns.
PUBLIC = Policy.public_web()

reached: list[str] = []


class NotingServer(Server):
    def verify_request(self, request: object, client_address: object) -> bool:  # noqa: ARG002
        reached.append(request.getsockname()[0])  # type: ignore[attr-defined]
        return True


def assign_addresses() -> None:
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for address in {*INTERNAL_IPV4, *INTERNAL_IPV6, *PUBLIC_IPV4, *PUBLIC_IPV6} - UNASSIGNABLE:
        # Without "nodad", an IPv6 address may be unusable for some seconds (RFC 4862, 5.4).
        length, options = (128, ["nodad"]) if ":" in address else (32, [])
        added = ["ip", "address", "add", f"{address}/{length}", "dev", "lo", *options]
        subprocess.run(added, check=False, capture_output=True)


def outcome(name: str, case: Disguise) -> list[str]:
    reached.clear()
    try:
        resolver = answering(*case.answer)
        CLIENTS[name](PUBLIC, [case.uri.format("")], resolver, context=NO_TRUST)
    except Exception:  # noqa: BLE001  # clients have errors of their own
        return reached[:]
    return reached[:]


def main() -> None:
    assign_addresses()
    servers = [NotingServer("0.0.0.0", 80)]
    try:
        servers.append(NotingServer("::1", 80))
        servers += [NotingServer(address, 80) for address in PUBLIC_IPV6]
    except OSError as error:
        sys.stderr.write(f"no IPv6: {error}\n")
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    cases = [case for case in disguises() if len(servers) > 1 or ":" not in "".join(case.allowed)]
    # The namespace does not have a translator.
    cases = [case for case in cases if not "".join(case.allowed).startswith("64:ff9b:")]
    wrong = []
    for number, name in enumerate(CLIENTS):
        package, _, loop = name.partition("-")
        if find_spec(package) is None or (loop == "trio" and find_spec("trio") is None):
            continue
        # Three clients together run all cases.
        for case in cases[number % 3 :: 3]:
            found = outcome(name, case)
            if sorted(set(found)) != sorted(set(case.allowed)):
                wrong.append([name, case.uri, found])
    sys.stdout.write(json.dumps({"cases": len(cases), "wrong": wrong}))


if __name__ == "__main__":
    main()
