from pathlib import Path

import pytest
from commands import Result, write
from commands import run as run_command

from uriverse_links._cli.options import create_parser
from uriverse_links._cli.settings import CHOICES, PATHS, READERS, find_settings


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project" / "docs").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "project")


def run(*words: str) -> Result:
    """Check the URIs among the words as lines of standard input."""
    uris = [word for word in words if "://" in word or word == "x"]
    if not uris:
        return run_command("check", *words)
    options = [word for word in words if word not in uris]
    return run_command("check", "--from-files", "lines", *options, "-", given="\n".join(uris))


def severity(*words: str) -> str:
    return run(*words, "http://a./").stdout.split()[1]


def test_settings_are_read_from_either_file() -> None:
    assert severity() == "warning"
    write("pyproject.toml", '[tool.uriverse.check]\nprofile = "web"\n')
    assert severity() == "error"
    write(".uriverse.toml", '[check]\nseverity = {trailing-dot = "info"}\n')
    assert severity() == "info"
    write(".uriverse.toml", "\ufeff")
    assert severity() == "warning"


def test_the_nearest_settings_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    write("../pyproject.toml", '[tool.uriverse.check]\nprofile = "web"\n')
    for name in ("pyproject.toml", "docs/pyproject.toml"):
        write(name, "[tool.other]\n# uriverse\n")
    write("docs/other.toml", "[check")
    monkeypatch.chdir("docs")
    assert severity() == "error"
    write("../.uriverse.toml", "[check]\n")
    assert severity() == "warning"


def test_a_project_without_settings_is_not_parsed() -> None:
    write("pyproject.toml", "not TOML")
    assert severity() == "warning"


def test_the_command_line_takes_precedence() -> None:
    write(
        "pyproject.toml",
        '[tool.uriverse.check]\nprofile = "web"\nfail-on = "never"\ntype = "uri"\n'
        'severity = {trailing-dot = "info", ambiguity = "warning", form = "off"}\n',
    )
    assert run("http://a./", "x").exit_code == 0
    assert run("--fail-on", "info", "http://a./").exit_code == 1
    assert "missing scheme" in run("x").stdout
    assert "missing scheme" not in run("--type", "uri-reference", "x").stdout
    assert severity() == "info"
    assert severity("--severity", "trailing-dot=error") == "error"
    # The other severities still apply.
    assert run("--severity", "trailing-dot=error", "http://a/%2f").stdout.split()[1] == "warning"


def test_values_of_repeated_options_follow_those_of_the_file() -> None:
    write(".uriverse.toml", '[check]\nallow = ["a.example"]\ndeny = ["b.example"]\n')
    uris = ("http://a.example/", "http://b.example/", "http://c.example/")
    assert len(run(*uris).stdout.splitlines()) == 2
    assert len(run("--allow", "c.example", *uris).stdout.splitlines()) == 1
    assert len(run("--deny", "a.example", *uris).stdout.splitlines()) == 3


def test_paths_and_patterns_are_relative_to_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write("policy.toml", 'deny = ["b.example"]\n')
    write(
        ".uriverse.toml",
        '[check]\npolicy = "policy.toml"\nbaseline = "docs/base.json"\n'
        'exclude = ["/docs/old.md", "new.md"]\n',
    )
    for name in ("old", "new", "a"):
        write(f"docs/{name}.md", "<http://b.example/>\n")
    monkeypatch.chdir("docs")
    assert run("--update-baseline", ".").exit_code == 0
    assert Path("base.json").read_text("utf-8").splitlines()[1:-1] == [
        '{"file": "a.md", "code": "denied", "uri": "http://b.example/", "count": 1}'
    ]
    assert run(".").output == ""
    write("a.md", "<http://b.example/c>\n")
    lines = run("--exclude", "!new.md", ".").stdout.splitlines()
    assert [line.split(":")[0] for line in lines] == ["a.md", "new.md"]


def test_config_names_another_file() -> None:
    write(".uriverse.toml", "[check]\nprofil = 1\n")
    write("docs/strict.toml", '[check]\nprofile = "strict"\n')
    write("docs/pyproject.toml", '[tool.uriverse.check]\nprofile = "web"\n')
    assert severity("--config", "docs/strict.toml") == "error"
    assert severity("--config", "docs/pyproject.toml") == "error"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("[check]\nprofil = 'web'", "unknown key 'profil' in check; did you mean 'profile'?"),
        ("[checks]", "unknown key 'checks'; did you mean 'check'?"),
        ("[check]\nformat = 'x'", "unknown key 'format' in check; the keys are profile, severity"),
        ("check = 1", "check must be a table, not int"),
        ("[check]\nprofile = 1", "check.profile must be a string, not int"),
        ("[check]\nprofile = ''", "check.profile must be one of generic, web, rdf, strict, not ''"),
        ("[check]\nfail-on = 'off'", "check.fail-on must be one of error, warning, info, never"),
        ("[check]\ndeny = 'a'", "check.deny must be a list of strings, not str"),
        ("[check]\ndeny = [1]", "check.deny[0] must be a string, not int"),
        ("[check]\nallow = ['a', 'b*']", "check.allow[1]: misplaced wildcard in host"),
        ("[check]\nseverity = 'x'", "check.severity must be a table, not str"),
        ("[check.severity]\nport-od = 'off'", "check.severity; did you mean 'port-odd'?"),
        ("[check.severity]\nport-odd = 'of'", "check.severity.port-odd must be one of error, warn"),
        ("[check.severity]\nport-odd = 1", "check.severity.port-odd must be a string, not int"),
        ("[check", "Expected ']' at the end of a table declaration"),
        ("a = " + "[" * 100_000, "the file must not be nested so deeply"),
        ("a = '\udcff'", "the file is not UTF-8 (octet 5)"),
    ],
)
def test_an_invalid_setting_is_an_error_with_its_file_and_key(content: str, problem: str) -> None:
    Path(".uriverse.toml").write_text(content, "utf-8", "surrogateescape")
    result = run("http://a/")
    assert result.exit_code == 2
    assert result.stderr.startswith("uriverse-links check: ")
    assert problem in result.stderr
    assert "invalid settings in .uriverse.toml: " in result.stderr


@pytest.mark.parametrize(
    "content", ["", "tool = 'uriverse'", "[tool]\nuriverse = 1", "[tool.uriverse]\nx = 1"]
)
def test_a_project_named_with_config_needs_settings(content: str) -> None:
    write("pyproject.toml", content)
    result = run("--config", "pyproject.toml", "http://a/")
    assert (result.exit_code, "tool.uriverse" in result.stderr) == (2, True)


def test_an_invalid_pattern_is_an_error() -> None:
    write(".uriverse.toml", "[check]\nexclude = ['\\']\n")
    result = run("docs")
    assert (result.exit_code, "invalid pattern '\\\\'" in result.stderr) == (2, True)


def test_secrets_in_settings_are_not_printed() -> None:
    write(".uriverse.toml", '[check]\nprofile = "https://me:hunter2@a.example/"\n')
    assert "REDACTED" in run("http://a/").stderr


def test_settings_that_cannot_be_read_are_an_error() -> None:
    for name, reason in (("none.toml", "No such file"), ("docs", "Is a directory")):
        result = run("--config", name, "http://a/")
        assert result.exit_code == 2
        assert f"cannot read the settings in {name}: {reason}" in result.stderr


def test_every_setting_is_an_option() -> None:
    options = vars(create_parser("check").parse([]))
    assert {name.replace("-", "_") for name in READERS} <= options.keys()
    assert READERS.keys() >= {*CHOICES, *PATHS}


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        *(("profile", '"strict"', ["strict"]), ("severity", '{syntax = "off"}', ["syntax=off"])),
        *(("fail-on", '"never"', ["never"]), ("type", '"uri"', ["uri"])),
        *(("exclude", '["a", "b"]', ["a", "b"]), ("policy", '"p.toml"', ["p.toml"])),
        *(("allow", '["a", "b"]', ["a", "b"]), ("deny", "[]", [])),
        ("baseline", '"b.json"', ["b.json"]),
    ],
)
def test_a_setting_has_the_value_that_the_command_line_would_give(
    key: str, value: str, words: list[str]
) -> None:
    write(".uriverse.toml", f"[check]\n{key} = {value}\n")
    parsed = create_parser("check").parse([x for word in words for x in (f"--{key}", word)])
    option = getattr(parsed, key.replace("-", "_"))
    value = find_settings(None).values[key]
    assert value == (tuple(option) if isinstance(option, list) else option)
