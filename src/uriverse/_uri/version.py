"""The version of uriverse, and of the data that its results depend on.

The build reads the version number from this file.
"""

from __future__ import annotations

__version__ = "0.3.0"


def data_versions() -> dict[str, str]:
    """Return the versions of the Unicode, IDNA and IANA tables that uriverse uses.

    Two computers with the same version of uriverse and the same data give the same results. The
    tables of IANA are part of uriverse. The Unicode tables are part of Python, and the IDNA tables
    are part of the package `idna`.

    Returns:
        The versions by name. The version of a registry is the date of its last update.

        - `unicode`: the Unicode version of normalization forms, which `nfc` uses;
        - `idna`: the Unicode version of domain names, which the conversion of hosts uses;
        - `uri-schemes`, `iana-ipv4-special-registry`, `iana-ipv6-special-registry` and
          `special-use-domain-names`: the registries of IANA that `check` and `Policy` use.

    >>> data_versions()["uri-schemes"]
    '2026-05-20'
    """
    from unicodedata import unidata_version

    from idna import idnadata

    from uriverse._spec.grammar import iana_hosts, iana_schemes

    return {
        "unicode": unidata_version,
        "idna": idnadata.__version__,
        "uri-schemes": iana_schemes.UPDATED,
        **iana_hosts.UPDATED,
    }
