"""A descriptor for each URI scheme with rules of its own, and the default registry of schemes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any

from uriverse._spec.components import AllParts
from uriverse._spec.grammar import iana_schemes

from ._registry import Registry, Scheme


@dataclass(frozen=True, slots=True)
class Descriptor:
    """All that uriverse knows about a scheme beyond IANA's registry.

    Attributes:
        rules: the rules that the scheme adds to the generic syntax; `None` for no rules.
        module: the module with the grammar and the functions of the scheme (`normalize`,
            `convert_for_comparison`, `find_problems`, `find_line_breaks`); `None` if the rules need
            no functions.
        typed: the module in `uriverse._typed`, and the class for URIs of the scheme, separated by a
            dot; `None` if there is no class.
        in_text: a pattern that recognizes the scheme in running text without "//". It matches the
            characters after the colon: the beginning that the scheme's RFC requires. Anything else
            after the colon is probably prose, code, a time of day or an XML name. Letters and
            digits of the grammar are ASCII (`(?a:...)`). `None` if the scheme requires "//".
    """

    rules: Scheme | None = None
    module: str | None = None
    typed: str | None = None
    in_text: str | None = None


@dataclass(frozen=True, slots=True)
class OwnStep:
    """A stand-in for a function in the module of a scheme, which is imported at the first call."""

    description: str
    scheme: str
    name: str

    def __call__(self, parts: AllParts) -> AllParts:
        convert = find_scheme_function(self.scheme, self.name)
        assert convert is not None, "the module has the step"
        converted_parts: AllParts = convert(parts)
        return converted_parts


def find_scheme_function(scheme: str, name: str) -> Callable[..., Any] | None:
    """Return a function from the module of a scheme, which is imported on first use."""
    descriptor = DESCRIPTORS.get(scheme)
    if descriptor is None or descriptor.module is None:
        return None
    return getattr(import_module(descriptor.module), name, None)


#: The start of a mail address, up to the first character after its "@". The length is limited, so
#: that searching a string with many scheme names takes linear time.
ADDRESS = r"[^\s<>\"/?#@]{1,200}@[\w\[]"

#: The rules of schemes that require a host, which is a domain name. An empty path means "/".
HOSTED = Scheme(name="x", authority="required", empty_host=False, domain=True)

#: The rules of schemes without an authority. The scheme defines everything after the colon.
OPAQUE = Scheme(name="x", authority="forbidden")

#: The rules of schemes without an authority whose path begins with a name, not with a slash.
NAMED = replace(OPAQUE, path="path-rootless")

#: The module of the schemes of CoAP, and their rules: the host is not empty, and no userinfo
#: (RFC 7252, 6.1 and 6.2; RFC 8323, 8).
COAP = "uriverse.schemes._coap"
CONSTRAINED = replace(HOSTED, userinfo="forbidden")


def add_own_steps(scheme: str, rules: Scheme, normal_form: str, equivalence: str = "") -> Scheme:
    return replace(
        rules,
        normalize=OwnStep(normal_form, scheme, "normalize"),
        equivalence=OwnStep(equivalence, scheme, "convert_for_comparison") if equivalence else None,
    )


#: The schemes that uriverse knows more about than IANA's registry says. Their rules are those of
#: their specifications. The status and the reference of a scheme are IANA's if IANA lists it.
DESCRIPTORS = {
    # RFC 9110: 4.2.1 and 4.2.2 (the host is not empty), 4.2.3 (equivalence), 4.2.4 (userinfo).
    "http": Descriptor(
        replace(HOSTED, default_port=80, userinfo="deprecated"), typed="http.HTTPURI"
    ),
    "https": Descriptor(
        replace(HOSTED, default_port=443, userinfo="deprecated"), typed="http.HTTPURI"
    ),
    # RFC 6455, 3: fragments must not be used, and the rule ws-URI does not contain userinfo.
    "ws": Descriptor(replace(HOSTED, default_port=80, userinfo="forbidden", fragment=False)),
    "wss": Descriptor(replace(HOSTED, default_port=443, userinfo="forbidden", fragment=False)),
    # RFC 1738, 3.2: the syntax of FTP URLs has no query.
    "ftp": Descriptor(replace(HOSTED, default_port=21, query=False)),
    # RFC 8089, 2: file-hier-part has neither userinfo nor a port, and file-URI has no query.
    "file": Descriptor(
        add_own_steps(
            "file",
            Scheme(name="file", local=True, userinfo="forbidden", query=False),
            "remove the host localhost",
            "write file:/a as file:///a",
        ),
        module="uriverse.schemes._file",
        typed="file.FileURI",
        in_text=r"/[^\s/]",
    ),
    # RFC 6068, 2; RFC 3966, 3: no query; RFC 8141, 2; RFC 2397, 3.
    "mailto": Descriptor(
        add_own_steps(
            "mailto",
            OPAQUE,
            "convert domains and header field names to lower case",
            "move all recipients to the path",
        ),
        module="uriverse.schemes._mailto",
        typed="mailto.MailtoURI",
        in_text=rf"(?:\?\w|{ADDRESS})",
    ),
    "tel": Descriptor(
        add_own_steps(
            "tel",
            replace(OPAQUE, query=False),
            "remove visual separators; sort parameters and convert them to lower case",
            "convert letters to lower case; decode unreserved characters",
        ),
        module="uriverse.schemes._tel",
        typed="tel.TelURI",
        in_text=r"\+?\(?[0-9]",
    ),
    "urn": Descriptor(
        add_own_steps(
            "urn", OPAQUE, "convert the NID to lower case", "remove the r-, q- and f-components"
        ),
        module="uriverse.schemes._urn",
        typed="urn.URN",
        in_text=r"(?a:[a-z0-9][a-z0-9-]{0,31}):[^\s:]",
    ),
    "data": Descriptor(
        add_own_steps(
            "data", OPAQUE, "convert the type, parameter names and base64 marker to lower case"
        ),
        module="uriverse.schemes._data",
        typed="data.DataURI",
        in_text=r"(?a:(?:[\w.+-]{1,127}/[\w.+-]{1,127})?(?:;[\w.%=+-]{1,127}){0,5}),",
    ),
    "coap": Descriptor(replace(CONSTRAINED, default_port=5683), COAP),
    "coaps": Descriptor(replace(CONSTRAINED, default_port=5684), COAP),
    "coap+tcp": Descriptor(replace(CONSTRAINED, default_port=5683), COAP),
    "coaps+tcp": Descriptor(replace(CONSTRAINED, default_port=5684), COAP),
    "coap+ws": Descriptor(replace(CONSTRAINED, default_port=80), COAP),
    "coaps+ws": Descriptor(replace(CONSTRAINED, default_port=443), COAP),
    # RFC 7826, 4.2 and Appendix C: an empty path means the presentation on the whole host.
    "rtsp": Descriptor(replace(HOSTED, default_port=554)),
    "rtsps": Descriptor(replace(HOSTED, default_port=322)),
    "rtspu": Descriptor(replace(HOSTED, default_port=554)),
    # RFC 4516, 2: no userinfo. If the host is empty, the client chooses the server. An empty path
    # means the empty distinguished name (RFC 4516, 2.1), as "/" does.
    "ldap": Descriptor(replace(HOSTED, default_port=389, userinfo="forbidden", empty_host=True)),
    "ldaps": Descriptor(replace(HOSTED, default_port=636, userinfo="forbidden", empty_host=True)),
    # RFC 3261, 19.1: the host follows "sip:user@" and is not part of an authority.
    "sip": Descriptor(replace(NAMED, default_port=5060), in_text=ADDRESS),
    "sips": Descriptor(replace(NAMED, default_port=5061), in_text=ADDRESS),
    # RFC 7064 and RFC 7065, 3.1: the host that follows "stun:" or "turn:" is not part of an
    # authority either.
    "stun": Descriptor(replace(NAMED, default_port=3478)),
    "stuns": Descriptor(replace(NAMED, default_port=5349)),
    "turn": Descriptor(replace(NAMED, default_port=3478)),
    "turns": Descriptor(replace(NAMED, default_port=5349)),
    # Object keys are compared exactly, so an empty path differs from "/".
    "s3": Descriptor(replace(HOSTED, domain=False, empty_path="")),
    "gs": Descriptor(replace(HOSTED, domain=False, empty_path="")),
    # Names, data, programs, and URIs that contain other URIs.
    "about": Descriptor(NAMED, in_text=r"(?a:blank|config|legacy-compat|srcdoc)\b"),
    "acct": Descriptor(NAMED, in_text=ADDRESS),
    "blob": Descriptor(OPAQUE, in_text=r"(?a:https?://|null/)[^\s/]"),
    "cid": Descriptor(NAMED, in_text=ADDRESS),
    "geo": Descriptor(NAMED, in_text=r"-?[0-9][0-9.]{0,30},-?[0-9]"),
    "javascript": Descriptor(replace(OPAQUE, reference="HTML Standard")),
    "magnet": Descriptor(replace(OPAQUE, path="path-empty"), in_text=r"\?\w"),
    "mid": Descriptor(NAMED, in_text=ADDRESS),
    "sms": Descriptor(NAMED, in_text=r"\+?\(?[0-9]"),
    "tag": Descriptor(NAMED, in_text=r"[\w.@-]{1,255},[0-9]{4}\b"),
    "view-source": Descriptor(OPAQUE),
    # Schemes without rules of their own that are recognized in text.
    "did": Descriptor(in_text=r"(?a:[a-z0-9]{1,99}):\w"),
    "doi": Descriptor(in_text=r"10\.[0-9]"),
    "news": Descriptor(in_text=rf"(?:[\w+-]{{1,99}}\.\w|{ADDRESS})"),
    "xmpp": Descriptor(in_text=ADDRESS),
}

#: The default ports of other schemes with an authority, from their specifications or from the
#: [registry of ports][1].
#:
#: [1]: https://www.iana.org/assignments/service-names-port-numbers
PORTS = {
    "aaa": 3868, "aaas": 5658, "acap": 674, "amqp": 5672, "amqps": 5671, "dict": 2628,
    "ftps": 990, "git": 9418, "gopher": 70, "imap": 143, "imaps": 993, "ipp": 631, "ipps": 631,
    "irc": 194, "ircs": 6697, "mongodb": 27017, "mqtt": 1883, "mqtts": 8883, "msrp": 2855,
    "msrps": 2855, "mysql": 3306, "nfs": 2049, "nntp": 119, "pop": 110, "postgres": 5432,
    "postgresql": 5432, "redis": 6379, "rediss": 6379, "rsync": 873, "sftp": 22, "smtp": 25,
    "snmp": 161, "ssh": 22, "svn": 3690, "telnet": 23, "tftp": 69, "vnc": 5900,
}  # fmt: skip


@cache
def load_default_registry() -> Registry:
    """Return the schemes that IANA lists; those in `PORTS` and `DESCRIPTORS` replace them."""
    iana_registry = Registry(
        Scheme(name=name, status=status, reference=reference)
        for name, (status, reference) in sorted(iana_schemes.SCHEMES.items())
    )
    schemes_with_port = [
        replace(iana_registry.rules_of(name), default_port=port, authority="required")
        for name, port in PORTS.items()
    ]
    schemes_with_rules: list[Scheme] = []
    for name, descriptor in DESCRIPTORS.items():
        if descriptor.rules is None:
            continue
        scheme = replace(descriptor.rules, name=name)
        iana = iana_registry.get(name)
        if iana is not None:
            scheme = replace(scheme, status=iana.status, reference=iana.reference)
        schemes_with_rules.append(scheme)
    return iana_registry.with_schemes(*schemes_with_port, *schemes_with_rules)
