from importlib.metadata import version
from pathlib import Path

import pytest

from conformance import conditions
from uriverse import __version__

RUN = {
    "date": "2026-11-27",
    "uriverse": "1.0.0",
    "engine": "compiled kernel",
    "python": "CPython 3.14.0",
    "system": "Linux x86_64",
    "processors": "1 (Zen 4)",
}


def test_the_statement_names_date_versions_and_system() -> None:
    assert " ".join(conditions.statement(RUN).split()) == (
        "These results are from a run on 2026-11-27, with uriverse 1.0.0 (compiled kernel) and"
        " CPython 3.14.0 on Linux x86_64 with 1 processor (Zen 4)."
    )
    two = conditions.statement({**RUN, "processors": "2 (Zen 4)"}, {"a-b": "1", "c": "2"})
    assert " ".join(two.split()).endswith(
        " with 2 processors (Zen 4). The versions of other software: a-b 1, c 2."
    )


def test_the_lines_of_the_statement_are_short_and_no_name_is_divided() -> None:
    others = {f"a-long-name-{number}": "1.0" for number in range(50)}
    lines = conditions.statement(RUN, others).splitlines()
    assert max(map(len, lines)) <= 100
    assert all(name in "\n".join(lines) for name in others)


@pytest.mark.parametrize(
    ("described", "expected"), [("processor\t: 0\nmodel name\t: A B\n", "(A B)"), ("", "()")]
)
def test_the_model_of_the_processors_is_read_on_linux(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, described: str, expected: str
) -> None:
    file = tmp_path / "cpuinfo"
    file.write_text(described, "utf-8")
    monkeypatch.setattr(conditions, "PROCESSORS", file)
    monkeypatch.setattr("platform.processor", lambda: "")
    found = conditions.conditions("1.0.0", compiled=False)
    assert found["processors"].endswith(f" {expected}")
    assert found["engine"] == "reference implementation"
    assert found.keys() == RUN.keys()


def test_the_command_prints_the_statement(capsys: pytest.CaptureFixture[str]) -> None:
    conditions.main(["idna"])
    printed = " ".join(capsys.readouterr().out.split())
    assert printed.startswith(conditions.START)
    assert f"uriverse {__version__} (" in printed
    assert printed.endswith(f"The versions of other software: idna {version('idna')}.")
