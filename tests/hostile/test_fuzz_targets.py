"""Each fuzz target accepts its seeds and random inputs, and the driver reports findings.

`fuzz/run` checks more inputs. See docs/fuzzing.md.
"""

import gc
import subprocess
import sys
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from amounts import scaled

FOLDER = Path(__file__).resolve().parents[2] / "fuzz"
if not FOLDER.exists():
    pytest.skip("the fuzz targets are in the repository only", allow_module_level=True)

import driver  # noqa: E402
import worker  # noqa: E402
from draws import Draws, changed, seed_input  # noqa: E402

#: Targets that need an optional package, or the Cython kernel.
REQUIRED = {"arrow": "pyarrow", "grammar": "abnf"}


def check_of(target: str) -> worker.Check:
    if target in REQUIRED:
        pytest.importorskip(REQUIRED[target])
    check: worker.Check = import_module(f"harnesses.{target}").check
    return check


@pytest.mark.parametrize("target", driver.TARGETS)
def test_a_target_accepts_its_seeds_and_random_inputs(target: str) -> None:
    check = check_of(target)
    known = worker.seeds(target)
    assert len(known) >= 10
    gc.collect()  # Columns of earlier tests must not be freed while a target counts buffers.
    for data in islice(worker.random_inputs(known, Random(target)), len(known) + scaled(900)):
        check(data)


def test_every_corpus_belongs_to_a_target() -> None:
    assert {path.stem for path in driver.CORPUS.iterdir()} == {*driver.TARGETS}


def test_a_seed_is_read_back_as_its_strings_and_choices() -> None:
    draws = Draws(seed_input('["http://é/", 3, "", "\\ud800", 254]'))
    assert draws.strings("URI", "URI", "URI") == ["http://é/", "", "\ud800"]
    assert draws.randrange(4) == 3
    structured = Draws(b"\xff" * 50)
    assert structured.raw is None
    assert structured.strings("scheme") != [""]


def test_an_input_without_bytes_gives_the_first_of_all_choices() -> None:
    draws = Draws(b"")
    assert draws.strings("URI-reference") == [Draws(b"\x40").strings("URI-reference")[0]]
    assert [draws.randrange(9), draws.choice("ab"), draws.random()] == [0, "a", 0.0]


def test_short_strings_often_have_the_same_beginning() -> None:
    pairs = [Draws(b"\x40" + Random(n).randbytes(20)).strings("IRI", "URI") for n in range(300)]
    assert sum(one.startswith("http") and other.startswith("http") for one, other in pairs) > 20
    assert max(len(text) for pair in pairs for text in pair) < 50


def test_short_strings_have_addresses_with_too_few_and_too_many_groups() -> None:
    texts = [Draws(b"\x40" + Random(n).randbytes(20)).strings("URI")[0] for n in range(3000)]
    groups = {text.count("1:") for text in texts if text.startswith("http://[")}
    assert groups == {*range(9)}


def test_a_changed_input_can_begin_like_another_string_of_the_input() -> None:
    data = seed_input('["http://a/b", "c"]')
    both = [Draws(changed(data, Random(n))).strings("IRI", "IRI") for n in range(300)]
    assert any(second.startswith("http://a") for _, second in both)


def accept(data: bytes) -> None:
    pass


def fail_at_a_zero(data: bytes) -> None:
    assert b"\0" not in data, "a zero"


def test_a_finding_is_written_to_a_file_and_changes_the_exit_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(worker, "CRASHES", tmp_path)
    assert worker.fuzz_at_random(fail_at_a_zero, [b"a", b"\0"], 60, 1, "target") == driver.FINDING
    (found,) = tmp_path.iterdir()
    assert found.read_bytes() == b"\0"
    output = capfd.readouterr()
    assert "AssertionError: a zero" in output.err
    assert worker.fuzz_at_random(accept, [b"a"], 0, 1, "target") == 0
    assert driver.summary("target", 1, output.out + output.err).startswith(
        "target: 3 executions, FAILED with status 1\n"
    )
    assert list(tmp_path.iterdir()) == [found]


def test_the_command_checks_a_single_input_and_rejects_unknown_targets(tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_bytes(b"\0http://a/")
    run = [sys.executable, str(FOLDER / "run")]
    for words, status in (
        *((["percent", "--input", str(file)], 0), (["--input", str(file)], 2)),
        (["no-such-target"], 2),
    ):
        done = subprocess.run([*run, *words], capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr
