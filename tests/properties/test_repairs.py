import pytest

from uriverse import is_uri_reference, repair


@pytest.mark.parametrize("start", ["http://a.example/b", "/b", "?b", "#b"])
def test_each_ascii_character_is_kept_removed_or_encoded(start: str) -> None:
    for character in map(chr, range(0x80)):
        text, after = f"{start}{character}z", f"%{ord(character):02X}"
        if is_uri_reference(text):
            after = character
        elif character in "\t\n\r":
            after = ""
        elif character == "\\" and "/" in start:
            after = "/"
        assert str(repair(text)) == f"{start}{after}z"
