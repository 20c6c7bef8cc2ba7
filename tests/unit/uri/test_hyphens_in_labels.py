"""Hyphens in labels of domain names (RFC 5891, 4.2.3.1), in both engines."""

import pytest

from uriverse import ConvertError, IRIReference, columns
from uriverse._spec import domain
from uriverse._uri import engine


def a_label(label: str) -> str:
    return f"xn--{label.encode('punycode').decode()}"


ALLOWED = ("ab-é", "a-é", "a--é", "é--a", "abc--é", "é-b--c", "日本語--a", "a-b-é")
FORBIDDEN = (
    *("-é", "é-", "ab--é", "éa--b", "é---b", "ab---é", "日本--語", "אב--ג", "xn--é", "xn--ß"),
    # UTS 46 maps full-width characters, and removes soft hyphens.
    *("ab－－é", "ab\u00ad--é", "ab-\u00ad-é", "Ab--É"),
)


@pytest.mark.parametrize("label", ALLOWED)
def test_hyphens_are_allowed_elsewhere(label: str) -> None:
    for to_ascii in (domain.to_ascii, engine.to_ascii):
        for written in (label, label.upper(), a_label(label), a_label(label).upper()):
            assert to_ascii(f"{written}.example") == f"{a_label(label)}.example"
    assert str(IRIReference(f"//{label}").to_uri(host="idna")) == f"//{a_label(label)}"
    assert columns.to_uri([f"//{label}"], host="idna").to_pylist() == [f"//{a_label(label)}"]
    assert columns.to_iri([f"//{a_label(label)}"], host="idna").to_pylist() == [f"//{label}"]


@pytest.mark.parametrize("label", FORBIDDEN)
def test_hyphens_in_places_3_and_4_or_at_an_end_are_forbidden(label: str) -> None:
    for to_ascii in (domain.to_ascii, engine.to_ascii):
        for written in (label, a_label(label)):
            with pytest.raises(ConvertError):
                to_ascii(written)
    with pytest.raises(ConvertError):
        IRIReference(f"//a.{label}").to_uri(host="idna")
    assert columns.to_uri([f"//{label}"], host="idna").to_pylist() == [None]
    encoded = f"//{a_label(label)}"
    assert columns.to_iri([encoded], host="idna").to_pylist() == [encoded]


@pytest.mark.parametrize("label", ["ab--c", "ab--", "-ab", "ab-", "a_b--c", "xn--bcher-kva"])
def test_labels_of_ascii_keep_their_hyphens(label: str) -> None:
    for to_ascii in (domain.to_ascii, engine.to_ascii):
        assert to_ascii(label) == to_ascii(label.upper()) == label


@pytest.mark.parametrize("label", ["xn--", "xn--a", "xn---", "xn----9fa", "xn--ab---epa"])
def test_an_invalid_a_label_is_rejected(label: str) -> None:
    for to_ascii in (domain.to_ascii, engine.to_ascii):
        with pytest.raises(ConvertError):
            to_ascii(label)
