import random
from hashlib import sha256
from typing import Any

import pytest

from uriverse import columns
from uriverse._uri.references import LEVELS
from uriverse.columns._reference import xxh64

#: Fingerprints at each level. They must never change, because users store fingerprints.
FINGERPRINTS = {
    "": [-1205034819632174695] * 3,
    "http://example.org/": [6675372000974977075] * 3,
    "HTTP://Example.org:80/%7ea/../b": [
        *(-8685089020656857894, 4690727078869032627, -4553504004317199624)
    ],
    "https://a.example:443?x#y": [*[-6970671717196211354] * 2, 2015584450339927803],
    "http://b\xfccher.example/\xe9": [
        *(2745258852871646840, 2923219017418867884, -7301402703891284348)
    ],
    "urn:ISBN:0451450523": [*[5766761425549901764] * 2, 7709773211974236214],
    "mailto:Me@Example.org": [*[4331892895312073287] * 2, -6413958377418647353],
    "file://localhost/a": [*[6134044681595323866] * 2, 5945488178774671527],
    "tel:+1-201-555-0123": [*[2348920279865336910] * 2, -744596714350121685],
    "data:text/plain,a": [5277373549587834662] * 3,
    "http://[::ffff:1.2.3.4]/": [808412130122810907] * 3,
    "a/b?c#d": [1574600091255653060] * 3,
    "//h:080": [*[3937251392949758616] * 2, 3697918265953330174],
    "x:" + "a" * 70: [-2416932073771160179] * 3,
}


def test_the_hash_equals_that_of_the_reference_implementation() -> None:
    octets = [random.Random(size).randbytes(size) for size in range(301)]
    hashes = b"".join(xxh64(text).to_bytes(8, "big") for text in octets)
    # The same digest of the hashes of xxhash 3.6.
    assert sha256(hashes).hexdigest().startswith("bf3b7db313ef1aa25edd95feeca7e567")


def test_a_fingerprint_is_the_hash_of_the_string() -> None:
    texts = ["".join(random.Random(size).choices("abc/?\xe9", k=size)) for size in range(301)]
    texts = [text.replace("//", "/a") for text in texts]
    for text, found in zip(texts, columns.fingerprint(texts, "string").to_pylist(), strict=True):
        assert found % 2**64 == xxh64(text.encode())


@pytest.mark.parametrize("level", ["string", "syntax", "scheme"])
def test_fingerprints_never_change(level: Any) -> None:
    place = LEVELS.index(level)
    expected = [numbers[place] for numbers in FINGERPRINTS.values()]
    assert columns.fingerprint(list(FINGERPRINTS), level).to_pylist() == expected
