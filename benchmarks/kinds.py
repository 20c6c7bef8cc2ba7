"""The kinds of strings on which `check`, `repair` and their column functions are measured."""

from __future__ import annotations

from collections.abc import Mapping

#: Templates for distinct URIs, in which `{}` is replaced with a number.
KINDS: Mapping[str, str] = {
    "ordinary": "https://www.example{}.org/a/b.html?c=d",
    "port": "https://example.org:8443/{}",
    "userinfo": "https://user:pw@example.org/{}",
    "public IPv4": "http://93.184.215.14/{}",
    "IPv6": "http://[2606:2800:21f::{}]/",
    "percent-encoding": "https://example.org/caf%C3%A9/{}",
    "case": "HTTPS://Example.ORG/{}",
    "trailing dot": "https://example.org./{}",
    "A-label": "http://xn--bcher-kva.example/{}",
    "file host": "file://host/folder/{}.js",
    "mailto": "mailto:user{}@example.org",
    "tel": "tel:+1-201-555-{}",
    "urn": "urn:example:a{}",
    "data": "data:text/plain,hello{}",
}

#: The same for strings to repair.
DAMAGES: Mapping[str, str] = {
    "nothing to do": KINDS["ordinary"],
    "a space and a bracket": "https://www.example.org/a b[{}]",
}
