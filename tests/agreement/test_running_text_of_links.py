from random import Random

import pytest
from amounts import scaled

from uriverse.diagnosis._extraction import find_probable_uris
from uriverse_links._cli.strings_in_files import find_uri_candidates

#: No scheme without "//" is among them: `uriverse check` knows the syntax of more such schemes.
PIECES = (
    *("http://", "https:/", "foo://x", "http:\\", "URL:", "a.example", "/b", "c d", "see", "{x}"),
    *("<", ">", '"', " ", "\n", "\r\n", "> ", "(", ")", "[", "]", ".", ",", "|", "\\", "@", "^"),
    *("%zz", "é", "`", "*"),
)


@pytest.mark.parametrize("seed", range(scaled(4)))
def test_the_same_strings_are_found(seed: int) -> None:
    random = Random(seed)
    for _ in range(2000):
        text = "".join(random.choices(PIECES, k=random.randint(2, 14)))
        ours = [(found.text, found.start, found.end) for found in find_uri_candidates(text)]
        assert ours == [
            (found.text, found.start, found.end) for found in find_probable_uris(text)
        ], text


@pytest.mark.parametrize(
    "text",
    [*("<mailto:a@b.example c>", '"urn:isbn:1 2"', "<tel:+1 2>", "<doi:10.1/a b>"), "<data:,a b>"],
)
def test_enclosed_uris_of_common_schemes_are_found(text: str) -> None:
    found = [candidate.text for candidate in find_uri_candidates(text)]
    assert found == [candidate.text for candidate in find_probable_uris(text)][: len(found)]
    assert bool(found) == (text != "<data:,a b>")
