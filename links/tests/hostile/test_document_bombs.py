"""Documents that would grow when they are read are rejected, in one line on standard error."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import run

#: Entities that would expand to 10^20 characters, to a file, and to the content of a URL.
ENTITIES = {
    "many": "".join(f"<!ENTITY a{n + 1} '{f'&a{n};' * 10}'>" for n in range(20)),
    "file": "<!ENTITY a20 SYSTEM 'file:///etc/passwd'>",
    "network": "<!ENTITY a20 SYSTEM 'http://127.0.0.1:1/'>",
    "parameter": "<!ENTITY % p SYSTEM 'http://127.0.0.1:1/'> %p;",
}


@pytest.mark.parametrize("words", [["find"], ["normalize", "--in-place"]])
@pytest.mark.parametrize("kind", ENTITIES)
def test_a_document_with_entities_is_rejected_unchanged(
    kind: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    document = (
        f"<!DOCTYPE urlset [<!ENTITY a0 'HTTP://A/'>{ENTITIES[kind]}]>"
        "<urlset><url><loc>HTTP://B/</loc></url><url><loc>&a20;</loc></url></urlset>"
    )
    Path("sitemap.xml").write_text(document)
    result = run(*words, "sitemap.xml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"uriverse-links {words[0]}: sitemap.xml:1:")
    assert result.stderr.count("\n") == 1
    assert Path("sitemap.xml").read_text() == document
    assert [path.name for path in Path().iterdir()] == ["sitemap.xml"]
