"""A file appears at its path when it is complete, on every platform."""

from __future__ import annotations

from pathlib import Path

import pytest

from uriverse._cli import atomic_files as _atomic_files
from uriverse._cli.atomic_files import AtomicFile


@pytest.mark.parametrize("synced", [True, False])
def test_a_complete_file_takes_the_place_of_the_old_one(
    synced: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Windows cannot sync folders.
    monkeypatch.setattr(
        _atomic_files, "FOLDERS_ARE_SYNCED", synced and _atomic_files.FOLDERS_ARE_SYNCED
    )
    place = tmp_path / "a"
    place.write_bytes(b"old")
    file = AtomicFile(place)
    file.open().write(b"new")
    assert place.read_bytes() == b"old"
    file.put()
    file.discard()
    assert place.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
