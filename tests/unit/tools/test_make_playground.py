"""The script that builds the playground page. These tests download nothing."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

import make_playground
from make_playground import (
    DIFFERENCES,
    MANIFEST,
    SOURCE,
    Archive,
    BuildError,
    fetch,
    make,
    result_in,
    stored_results,
)

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
        make_playground.pack(path, SOURCE, "answers/*.py")
    assert one.read_bytes() == two.read_bytes()
    with zipfile.ZipFile(one) as archive:
        assert "answers/reading.py" in archive.namelist()


def test_all_files_of_the_page_exist() -> None:
    for name in make_playground.PAGE:
        assert (make_playground.SOURCE / name).is_file()


def test_the_version_of_a_build_depends_on_each_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.txt").write_text("content")
    assert make_playground.files_of(tmp_path) == ["a/b.txt"]
    first = make_playground.version_of(tmp_path)
    (tmp_path / "a/b.txt").write_text("changed")
    second = make_playground.version_of(tmp_path)
    (tmp_path / "a/b.txt").rename(tmp_path / "a/c.txt")
    assert len({first, second, make_playground.version_of(tmp_path)}) == 3


def test_the_service_worker_has_a_line_for_the_version() -> None:
    source = (SOURCE / "service.js").read_text("utf-8")
    assert source.count(make_playground.VERSION_LINE) == 1


# --- the stored results


def test_each_selected_string_has_its_results() -> None:
    stored = stored_results(DIFFERENCES.read_text("utf-8"))
    assert len(stored["date"]) == len("2026-01-01")
    assert len(stored["strings"]) > 250
    found = dict(stored["strings"]["http://good.example\\@evil.example/"])
    assert "urllib3" in found["good.example"]
    assert "uriverse" in found[None]
    assert all(results for results in stored["strings"].values())


def test_escapes_and_rejections_are_read() -> None:
    page = (
        "produced on 2026-01-02 with\n## Selected strings\n"
        "| string | host and port | findings |\n"
        '| <code>"http://&#91;::1&#93;&#92;u0009/"</code> |'
        " <code>&#91;::1&#93;</code>: uriverse and 3 others<br>rejected: a, b |  |\n"
    )
    assert stored_results(page) == {
        "date": "2026-01-02",
        "strings": {
            "http://[::1]\t/": [("[::1]", ["uriverse and 3 other programs"]), (None, ["a", "b"])]
        },
    }


def test_a_page_of_results_in_another_form_fails_the_build() -> None:
    with pytest.raises(BuildError, match="another form"):
        stored_results("# Differences\n")
    with pytest.raises(BuildError, match=r"a\.example: uriverse"):
        result_in("a.example: uriverse")
