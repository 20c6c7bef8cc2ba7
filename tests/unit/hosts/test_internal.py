from ipaddress import ip_network

import pytest

from uriverse import Policy, hosts
from uriverse.hosts._names import INTERNAL_DOMAINS, METADATA_NAMES, PLATFORM_NETWORKS

PUBLIC_WEB = Policy.public_web()


@pytest.mark.parametrize("network", PLATFORM_NETWORKS)
def test_networks_of_platforms_look_public(network: str) -> None:
    address = ip_network(network)[0]
    assert hosts.scopes(address) <= hosts.PUBLIC_SCOPES
    host = f"[{address}]" if address.version == 6 else str(address)
    assert Policy(ports=None).allows(f"http://{host}/")
    assert not PUBLIC_WEB.allows(f"http://{host}/")


@pytest.mark.parametrize("name", [*INTERNAL_DOMAINS, *METADATA_NAMES])
def test_internal_names_are_not_special_use_names(name: str) -> None:
    assert hosts.special_use(name) is None
    assert Policy().allows(f"http://a.{name}/")
    # They and the names below them are internal.
    for host in (name, f"a.b.{name}"):
        assert not PUBLIC_WEB.allows(f"http://{host}/")
    assert PUBLIC_WEB.allows(f"http://{name}.example/")


def test_names_of_internal_networks_are_not_on_the_public_web() -> None:
    for host in [
        *("db.subnet.vcn.oraclevcn.com", "vm.internal.cloudapp.net", "host.openstacklocal"),
        *("web.default.svc.cluster.local", "router.lan", "consul.service.consul", "box.incus"),
        *("metadata.azure.com", "metadata.tencentyun.com", "a.metadata.goog", "a.priv", "a.intern"),
        *("web.docker", "kubernetes.default", "kube-dns.kube-system", "1-2-3-4.a.pod"),
        *("pc.mshome.net", "leader.mesos"),
    ]:
        assert not PUBLIC_WEB.allows(f"http://{host}/")
