"""The script that builds the playground page. These tests download nothing."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

import make_playground
from make_playground import MANIFEST, Archive, BuildError, fetch, make

WRITE = (sys.executable, "-c", "open('a.txt', 'w').write('content')")


def test_an_archive_with_the_expected_digest_is_kept(tmp_path: Path) -> None:
    path = fetch(
        Archive("a.txt", make_playground.digest_of(written(tmp_path)), WRITE), tmp_path / "x"
    )
    assert path.read_text() == "content"
    # A second call runs no command.
    again = Archive("a.txt", make_playground.digest_of(path), ("no-such-program",))
    assert fetch(again, tmp_path / "x") == path


def written(folder: Path) -> Path:
    path = folder / "content"
    path.write_text("content")
    return path


def test_an_archive_with_another_digest_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="does not have the expected digest"):
        fetch(Archive("a.txt", "other", WRITE), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_changed_archive_is_fetched_again(tmp_path: Path) -> None:
    archive = Archive("a.txt", make_playground.digest_of(written(tmp_path)), WRITE)
    (tmp_path / "a.txt").write_text("changed")
    assert fetch(archive, tmp_path).read_text() == "content"


def test_a_missing_program_and_a_failed_command_are_named(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="needs no-such-program, which is not installed"):
        fetch(Archive("a", "", ("no-such-program",)), tmp_path)
    with pytest.raises(BuildError, match="broken"):
        fetch(Archive("a", "", (sys.executable, "-c", "raise SystemExit('broken')")), tmp_path)


def test_a_folder_with_other_files_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(BuildError, match="contains other files"):
        make(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_failed_build_leaves_the_previous_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "page"
    target.mkdir()
    (target / MANIFEST).write_text("{}")

    def fail(folder: Path) -> Path:
        raise BuildError("no wheel")

    monkeypatch.setattr(make_playground, "build_wheel", fail)
    with pytest.raises(BuildError, match="no wheel"):
        make(target)
    assert [path.name for path in tmp_path.iterdir()] == ["page"]
    assert [path.name for path in target.iterdir()] == [MANIFEST]


def test_the_python_part_is_packed_reproducibly(tmp_path: Path) -> None:
    one, two = tmp_path / "1.zip", tmp_path / "2.zip"
    for path in (one, two):
        make_playground.pack_answers(path)
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert "answers/reading.py" in archive.namelist()


def test_all_files_of_the_page_exist() -> None:
    for name in make_playground.PAGE:
        assert (make_playground.SOURCE / name).is_file()
