from __future__ import annotations

import random
from typing import Any

import pytest
import xxhash

from uriverse import columns
from uriverse._uri.references import LEVELS
from uriverse.columns._reference import xxh64

#: Fingerprints at each level. They must never change, because users store fingerprints.
FINGERPRINTS = {
    "": (-1205034819632174695, -1205034819632174695, -1205034819632174695),
    "http://example.org/": (6675372000974977075, 6675372000974977075, 6675372000974977075),
    "HTTP://Example.org:80/%7ea/../b": (
        -8685089020656857894,
        4690727078869032627,
        -4553504004317199624,
    ),
    "https://a.example:443?x#y": (-6970671717196211354, -6970671717196211354, 2015584450339927803),
    "http://b\xfccher.example/\xe9": (
        2745258852871646840,
        2923219017418867884,
        -7301402703891284348,
    ),
    "urn:ISBN:0451450523": (5766761425549901764, 5766761425549901764, 7709773211974236214),
    "mailto:Me@Example.org": (4331892895312073287, 4331892895312073287, -6413958377418647353),
    "file://localhost/a": (6134044681595323866, 6134044681595323866, 5945488178774671527),
    "tel:+1-201-555-0123": (2348920279865336910, 2348920279865336910, -744596714350121685),
    "data:text/plain,a": (5277373549587834662, 5277373549587834662, 5277373549587834662),
    "http://[::ffff:1.2.3.4]/": (808412130122810907, 808412130122810907, 808412130122810907),
    "a/b?c#d": (1574600091255653060, 1574600091255653060, 1574600091255653060),
    "//h:080": (3937251392949758616, 3937251392949758616, 3697918265953330174),
    "x:" + "a" * 70: (-2416932073771160179, -2416932073771160179, -2416932073771160179),
}


def test_the_hash_equals_that_of_the_reference_implementation() -> None:
    for size in range(301):
        octets = random.Random(size).randbytes(size)
        assert xxh64(octets) == xxhash.xxh64_intdigest(octets)


def test_a_fingerprint_is_the_hash_of_the_string() -> None:
    texts = ["".join(random.Random(size).choices("abc/?\xe9", k=size)) for size in range(301)]
    texts = [text.replace("//", "/a") for text in texts]
    for text, found in zip(texts, columns.fingerprint(texts, "string").to_pylist(), strict=True):
        assert found % 2**64 == xxhash.xxh64_intdigest(text.encode())


@pytest.mark.parametrize("level", ["string", "syntax", "scheme"])
def test_fingerprints_never_change(level: Any) -> None:
    place = LEVELS.index(level)
    expected = [numbers[place] for numbers in FINGERPRINTS.values()]
    assert columns.fingerprint(list(FINGERPRINTS), level).to_pylist() == expected
