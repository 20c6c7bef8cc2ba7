import pytest

from uriverse_links import links

#: Character references that decode to other characters.
REPLACED = {0: "\ufffd"}

#: Where destinations are, with the form of a character in them.
HTML = {
    "a double-quoted attribute": ('<a href="{}">', "html", "&#{};"),
    "an unquoted attribute": ("<img src={}>", "html", "&#x{:x};"),
    "a template": ("<template><form action='{}'>", "html", "&#0{};"),
    "HTML in Markdown": ('a <a href="{}">', "markdown", "&#{};"),
    "a string in CSS": ("a{{b:url('{}')}}", "css", "\\{:x} "),
    "a URL in CSS": ("@import url({})", "css", "\\{:06x}"),
    "CSS in HTML": ("<p style='background:url({})'>", "html", "\\{:x} "),
}
MARKDOWN = {
    "a link": "[a]({})",
    "brackets": "[a](<{}>)",
    "an image": "![a]({} 'b')",
    "a definition": "[a]\n\n[a]: {}",
}


def destinations(document: str, text: str, name: str, reference: str, code: int) -> list[str]:
    """Fill in a document, with a character for each "|", and return its destinations."""
    document = document.format(text.replace("|", reference.format(code)))
    return [link.destination for link in links(document, name)]  # type: ignore[arg-type]


@pytest.mark.parametrize("place", HTML)
@pytest.mark.parametrize("code", [*range(33), 0x7F, 0xA0])
def test_browsers_remove_control_characters_at_ends_and_line_breaks(place: str, code: int) -> None:
    character = REPLACED.get(code, chr(code))
    kept = "" if chr(code) in "\t\n\r" else character
    found = destinations(HTML[place][0], "java|script:a|b", *HTML[place][1:], code)
    assert found == [f"java{kept}script:a{kept}b"]
    kept = "" if 0 < code <= 32 else character
    found = destinations(HTML[place][0], "||javascript:a|", *HTML[place][1:], code)
    assert found == [f"{kept}{kept}javascript:a{kept}"]


@pytest.mark.parametrize("place", MARKDOWN)
@pytest.mark.parametrize("code", [*range(33), 0x7F, 0x85, 0xA0])
def test_markdown_keeps_the_characters_that_references_stand_for(place: str, code: int) -> None:
    """The renderer percent-encodes them, so browsers never see them."""
    character = REPLACED.get(code, chr(code))
    for reference in ("&#{};", "&#x{:X};"):
        text = "|java|script:a|"
        found = destinations(MARKDOWN[place], text, "markdown", reference, code)
        assert found == [text.replace("|", character)]
