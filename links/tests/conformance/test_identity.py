from __future__ import annotations

from typing import TYPE_CHECKING

from links_conformance.identity import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_documents_are_counted_by_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text("<a href='b&c'>", "utf-8")
    (tmp_path / "b.html").write_text("<a href='b&c'>", "utf-8")
    (tmp_path / "c.xml").write_text("<loc>", "utf-8")
    (tmp_path / "d.css").write_bytes(b"\xff")
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        "html: 1 files, 1 links, 0 same bytes, 0 cannot be written, 0 rejected, 0 wrong\n"
        "xml: 0 files, 0 links, 0 same bytes, 0 cannot be written, 1 rejected, 0 wrong\n"
    )


def test_the_documentation_keeps_its_links(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["docs"]) == 0
    assert " 0 wrong" in capsys.readouterr().out


def test_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 2
