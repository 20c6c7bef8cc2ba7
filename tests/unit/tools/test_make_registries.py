import csv
from datetime import date
from pathlib import Path

import pytest

from uriverse._spec.grammar import iana_hosts, iana_schemes
from uriverse._spec.syntax import matches

ROOT = Path(__file__).resolve().parents[3]


def test_every_registry_row_is_in_the_tables() -> None:
    for name, count in [
        ("uri-schemes-1.csv", len(iana_schemes.SCHEMES)),
        # One row lists two blocks.
        ("iana-ipv4-special-registry-1.csv", len(iana_hosts.IPV4) - 1),
        ("iana-ipv6-special-registry-1.csv", len(iana_hosts.IPV6)),
        ("special-use-domain.csv", len(iana_hosts.SPECIAL_USE_NAMES)),
    ]:
        with (ROOT / "tools" / "iana" / name).open(encoding="utf-8", newline="") as file:
            assert len(list(csv.DictReader(file))) == count


def test_scheme_entries_have_status_and_reference() -> None:
    for name, entry in [
        ("http", ("permanent", "RFC 9110, 4.2.1")),
        ("https", ("permanent", "RFC 9110, 4.2.2")),
        ("urn", ("permanent", "RFC 8141; IANA registry urn-namespaces")),
        *(("mailto", ("permanent", "RFC 6068")), ("file", ("permanent", "RFC 8089"))),
        *(("sftp", ("provisional", "Dave Thaler")), ("fax", ("historical", "RFC 2806; RFC 3966"))),
        ("jms", ("provisional", "RFC 6167")),
        ("shttp", ("permanent", "RFC 2660; Status change of HTTP experiments to Historic")),
        ("appdata", ("provisional", "urischemeowners at microsoft.com")),
        ("ark", ("provisional", "ARK agency; https://n2t.net/ark:/21206/10015")),
        ("swid", ("provisional", "RFC 9393, 5.1")),
        (
            "openid",
            (
                "provisional",
                "OpenID Foundation Artifact Binding Working Group; OpenID Connect Core 1.0, 7.3",
            ),
        ),
    ]:
        assert iana_schemes.SCHEMES[name] == entry


def test_schemes_are_sorted_and_valid() -> None:
    for names in iana_schemes.REGISTERED.values():
        assert names.split() == sorted(names.split())
    for name, (status, reference) in iana_schemes.SCHEMES.items():
        assert matches(name, "scheme")
        assert name == name.lower()
        assert status in {"permanent", "provisional", "historical"}
        assert reference
        assert not set(reference) & set("[]\n")


def test_address_blocks_are_valid_and_aligned_to_their_prefix() -> None:
    for blocks, bits in ((iana_hosts.IPV4, 32), (iana_hosts.IPV6, 128)):
        assert len({(first, length) for first, length, *_ in blocks}) == len(blocks)
        for first, length, name, reference, _ in blocks:
            assert 0 <= first < 2**bits
            assert first % 2 ** (bits - length) == 0
            assert name
            assert reference.startswith("RFC ")


def test_blocks_without_a_stated_reachability_have_none() -> None:
    unstated = {row[2] for row in iana_hosts.IPV4 + iana_hosts.IPV6 if row[4] is None}
    deprecated = {"Deprecated (6to4 Relay Anycast)", "Deprecated (previously ORCHID)"}
    assert unstated == deprecated | {"TEREDO", "6to4"}


def test_special_use_names_are_lowercase_without_a_trailing_dot() -> None:
    for name, reference in iana_hosts.SPECIAL_USE_NAMES.items():
        assert name == name.lower().strip(".")
        assert matches(name, "reg-name")
        assert reference.startswith("RFC ")


@pytest.mark.parametrize("day", [iana_schemes.UPDATED, *iana_hosts.UPDATED.values()])
def test_update_dates_are_iso_dates(day: str) -> None:
    assert date.fromisoformat(day).isoformat() == day


@pytest.mark.parametrize("module", [iana_schemes, iana_hosts])
def test_registry_modules_document_their_source_and_date(module: object) -> None:
    assert "https://www.iana.org/assignments/" in str(module.__doc__)
    assert "as of 202" in str(module.__doc__)
