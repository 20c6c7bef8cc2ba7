"""The script that builds the playground page. These tests download nothing."""

import json
import re
import sys
import zipfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

import make_playground
from make_playground import MANIFEST, SOURCE, Archive, BuildError, fetch, install, make, packages_in

WRITE = (sys.executable, "-c", "open('a.txt', 'w').write('content')")


def test_an_archive_is_fetched_once_and_kept_if_it_has_the_expected_digest(tmp_path: Path) -> None:
    (tmp_path / "content").write_text("content")
    digest = make_playground.digest_of(tmp_path / "content")
    folder = tmp_path / "x"
    path = fetch(Archive("a.txt", digest, WRITE), folder)
    assert path.read_text() == "content"
    # A second call runs no command.
    assert fetch(Archive("a.txt", digest, ("no-such-program",)), folder) == path
    path.write_text("changed")
    assert fetch(Archive("a.txt", digest, WRITE), folder).read_text() == "content"
    with pytest.raises(BuildError, match="does not have the expected digest"):
        fetch(Archive("a.txt", "other", WRITE), tmp_path / "y")
    assert list((tmp_path / "y").iterdir()) == []


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


def test_a_failed_build_keeps_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_all_files_of_the_page_exist_and_the_service_worker_has_a_line_for_the_version() -> None:
    assert [name for name in make_playground.PAGE if not (SOURCE / name).is_file()] == []
    source = (SOURCE / "service.js").read_text("utf-8")
    assert source.count(make_playground.VERSION_LINE) == 1


def test_the_version_of_a_build_depends_on_each_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.txt").write_text("content")
    assert make_playground.files_of(tmp_path) == ["a/b.txt"]
    first = make_playground.version_of(tmp_path)
    (tmp_path / "a/b.txt").write_text("changed")
    second = make_playground.version_of(tmp_path)
    (tmp_path / "a/b.txt").rename(tmp_path / "a/c.txt")
    assert len({first, second, make_playground.version_of(tmp_path)}) == 3


def test_packages_are_installed_again_if_their_files_change_or_if_it_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, archives = tmp_path / "source", tmp_path / "archives"
    source.mkdir()
    (source / "package.json").write_text("{}")
    # npm may have been run in the source too.
    (source / "node_modules").mkdir()
    runs: list[tuple[str, ...]] = []

    def fail(command: tuple[str, ...], folder: Path) -> None:
        raise BuildError("no network")

    def run(command: tuple[str, ...], folder: Path) -> None:
        assert (folder / "package.json").exists()
        runs.append(command)

    monkeypatch.setattr(make_playground, "run", fail)
    for _ in range(2):
        with pytest.raises(BuildError, match="no network"):
            install(source, archives)
    monkeypatch.setattr(make_playground, "run", run)
    folder = install(source, archives)
    assert install(source, archives) == folder
    assert len(runs) == 1
    (source / "package.json").write_text("{ }")
    install(source, archives)
    assert len(runs) == 2
    assert [path.name for path in archives.iterdir()] == ["packages"]
    assert (folder / "package.json").read_text() == "{ }"
    assert not (folder / "node_modules").exists()


def test_bundled_files_belong_to_packages() -> None:
    paths = [
        *("standard.js", "node_modules/@a/b/c.js", "node_modules/d/e/f.js", "node_modules/d/g.js"),
    ]
    assert packages_in(paths) == ["@a/b", "d"]


def test_all_packages_have_digests_and_no_address() -> None:
    lock = json.loads((SOURCE / "packages/package-lock.json").read_text("utf-8"))["packages"]
    packages = [package for name, package in lock.items() if name]
    assert len(packages) > 5
    assert all(package["integrity"].startswith("sha512-") for package in packages)
    assert not any("resolved" in package for package in packages)


STORED = json.loads((SOURCE / "programs.json").read_text("utf-8"))


def programs_by_host(text: str) -> dict[str | None, set[str]]:
    """Return the programs that find each host in a string."""
    return {
        host: {STORED["programs"][index] for index in indices}
        for host, indices in STORED["strings"][text]
    }


def test_each_known_string_has_the_results_of_all_programs() -> None:
    assert len(STORED["date"]) == len("2026-01-01")
    assert len(STORED["programs"]) > 40
    assert len(STORED["strings"]) > 1000
    found = programs_by_host("http://good.example\\@evil.example/")
    assert "urllib3" in found["good.example"]
    assert "uriverse" in found[None]
    assert all(indices for results in STORED["strings"].values() for _, indices in results)


def test_the_preview_agrees_with_the_results() -> None:
    disputed = "http://good.example\\@evil.example/"
    picture = (SOURCE / "preview.svg").read_text("utf-8")
    assert disputed in picture
    for host in ("good.example", "evil.example"):
        found = re.search(f'id="{host}"[^>]*>(.*?)<', picture)
        assert found is not None
        assert set(found[1].split(", ")) <= programs_by_host(disputed)[host]


def test_the_page_names_its_preview() -> None:
    page = (SOURCE / "index.html").read_text("utf-8")
    names = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', page))
    assert names["og:image"].startswith("https://")
    assert names["og:image"].endswith("/playground/preview.png")
    assert names["twitter:card"] == "summary_large_image"
    picture = (SOURCE / "preview.svg").read_text("utf-8")
    size = f'width="{names["og:image:width"]}" height="{names["og:image:height"]}"'
    assert size == 'width="1200" height="630"'
    assert size in picture
    assert names["og:title"] in picture
