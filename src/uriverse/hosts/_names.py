"""Special-use domain names from IANA's registry, and internal names that look public."""

from __future__ import annotations

from uriverse._spec.grammar.iana_hosts import SPECIAL_USE_NAMES

from ._lookalikes import decode_host, map_by_uts46

MOST_LABELS = max(name.count(".") + 1 for name in SPECIAL_USE_NAMES)


def special_use(name: str, /) -> str | None:
    """Return the special-use domain that contains a host name, such as `local` for `printer.local`.

    Special-use domains ([RFC 6761][1]) do not belong to anyone, and most of them are not looked up
    in the public DNS: `localhost`, `local` (multicast DNS), `onion`, `home.arpa`, `test`,
    `invalid`, `example.com`, the reverse zones of private addresses, and others in
    [IANA's registry][2]. Other names that are common inside networks, such as `internal`, `lan` and
    `corp`, are not in the registry.

    [1]: https://www.rfc-editor.org/rfc/rfc6761
    [2]: https://www.iana.org/assignments/special-use-domain-names

    Args:
        name: a host name. Letter case and a trailing dot are ignored. Percent-encoded characters
            are decoded, and non-ASCII characters are mapped as before a DNS lookup.

    Returns:
        The special-use domain, in lower case and without a trailing dot. If several domains contain
        the name, the longest one. `None` if no special-use domain contains the name.

    Raises:
        TypeError: the name is not a `str`.

    >>> special_use("Www.Example.COM."), special_use("localhost"), special_use("notlocal")
    ('example.com', 'localhost', None)
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be a str, not {type(name).__name__}")
    labels = map_by_uts46(decode_host(name)).lower().removesuffix(".").rsplit(".", MOST_LABELS)
    labels = labels[-MOST_LABELS:]
    suffixes = (".".join(labels[start:]) for start in range(len(labels)))
    return next((suffix for suffix in suffixes if suffix in SPECIAL_USE_NAMES), None)


#: Domains that are used inside networks. The public DNS does not contain them.
INTERNAL_DOMAINS = (
    # RFC 6762, appendix G: top-level domains that private networks use.
    "corp",
    "home",
    "internal",  # reserved by ICANN in 2024; also the domain of AWS, Google Cloud and Docker
    "intranet",
    "lan",
    "private",
    # ICANN, "Name Collision Occurrence Assessment" (2014): not delegated because of private use.
    "mail",
    # Other top-level domains of private networks, which are not delegated.
    "belkin",
    "dhcp",
    "domain",
    "intern",
    "intra",
    "loc",
    "localnet",
    "priv",
    "workgroup",
    "wpad",
    # Windows, "Internet Connection Sharing": the domain of the local network.
    "mshome.net",
    # Home routers: AVM, Deutsche Telekom, Netgear, TP-Link and ASUS.
    "fritz.box",
    "speedport.ip",
    "routerlogin.net",
    "tplinkwifi.net",
    "router.asus.com",
    # Linux distributions: "localhost.localdomain" and "localhost6.localdomain6" in /etc/hosts.
    "localdomain",
    "localdomain4",
    "localdomain6",
    # Kubernetes, "DNS for Services and Pods": names of services and pods without the cluster
    # domain, also in the namespaces that every cluster has.
    "svc",
    "pod",
    "default",
    "kube-system",
    # HashiCorp Consul: the default of the option `domain`.
    "consul",
    # Podman: the default domain of the option `dns_domain_name`.
    "podman",
    # dnsdock: the default of the option `domain`.
    "docker",
    # Mesos-DNS: the default of the option `domain`; DC/OS, "Service Naming".
    "mesos",
    "thisdcos.directory",
    # Cloud Foundry: the domain of BOSH DNS.
    "bosh",
    # Fly.io, "Private Networking"; Heroku, "DNS Service Discovery".
    "flycast",
    "localspace",
    # OpenStack: the defaults of `dns_domain` in Neutron and of `dhcp_domain` in Nova.
    "openstacklocal",
    "novalocal",
    # LXD and Incus: the defaults of the option `dns.domain`; LXC: the domain of lxc-net.
    "lxc",
    "lxd",
    "incus",
    # Oracle Cloud, "DNS in Your Virtual Cloud Network".
    "oraclevcn.com",
    # Microsoft Azure, "Name resolution for resources in virtual networks".
    "internal.cloudapp.net",
    "reddog.microsoft.com",
)

#: Names of instance metadata services in the public DNS, or in the DNS of a cloud platform. Most
#: platforms have names in `internal` or only an address.
METADATA_NAMES = (
    "metadata.goog",  # Google Cloud: another name of metadata.google.internal
    "metadata.azure.com",  # Microsoft Azure
    "metadata.packet.net",  # Equinix Metal
    "metadata.platformequinix.com",  # Equinix Metal
    "metadata.tencentyun.com",  # Tencent Cloud
    "api.metadata.cloud.ibm.com",  # IBM Cloud, "Configure the instance metadata service"
)

#: Networks with services for their own machines, mostly of cloud platforms, in global blocks.
#: Other platform addresses, such as 169.254.169.254, 100.100.100.200 (Alibaba Cloud), 192.0.0.192
#: (Oracle Cloud), fd00:ec2::254 (AWS) and fd20:ce::254 (Google Cloud), are not global.
PLATFORM_NETWORKS = (
    # Anycast addresses of PCP, TURN and SRP (RFC 7723, 8155 and 9665): the nearest server answers,
    # for example the NAT gateway of the network.
    "192.0.0.9/32",
    "192.0.0.10/32",
    "2001:1::1/128",
    "2001:1::2/128",
    "2001:1::3/128",
    "168.63.129.16/32",  # Microsoft Azure, "What is IP address 168.63.129.16?"
    "192.80.8.124/32",  # Equinix Metal: the address of metadata.platformequinix.com
    "161.26.0.0/16",  # IBM Cloud, "Service endpoints for IBM Cloud VPC": infrastructure services
    "166.8.0.0/14",  # IBM Cloud, as above: cloud service endpoints
    "199.36.153.4/30",  # Google Cloud, "Configure Private Google Access": restricted.googleapis.com
    "199.36.153.8/30",  # Google Cloud, as above: private.googleapis.com
    "2600:2d00:2:1000::/56",  # Google Cloud, as above: restricted.googleapis.com
    "2600:2d00:2:2000::/56",  # Google Cloud, as above: private.googleapis.com
    "34.126.0.0/18",  # Google Cloud, as above: direct connectivity to Google APIs
    "2001:4860:8040::/42",  # Google Cloud, as above: direct connectivity to Google APIs
)
