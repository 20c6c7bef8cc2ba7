"""Tests of `uriverse template`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runner import Result, run_uriverse


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(*words: str, given: str | None = None) -> Result:
    return run_uriverse(["template", *words], input=given)


# --- expand


def test_values_are_arguments_or_lines_with_json_objects() -> None:
    template = "https://a.example/users/{id}{?page,tag*}"
    result = run("expand", template, "id=a/b", "tag=x", "tag=y z", "page=")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == "https://a.example/users/a%2Fb?page=&tag=x&tag=y%20z\n"
    lines = '{"id": 7, "tag": {"a": "b"}}\n{"other": 1}\n'
    result = run("expand", template, given=lines)
    assert result.exit_code == 0
    assert result.stdout == "https://a.example/users/7?a=b\nhttps://a.example/users/\n"
    Path("values.jsonl").write_text(lines, "utf-8")
    assert run("expand", template, "-f", "values.jsonl").stdout == result.stdout


def test_expand_reads_what_match_prints() -> None:
    variables = run("match", "/{a}/{b}{?c*}", "/x/%C3%A9?d=%20").stdout
    assert run("expand", "/{b}/{a}{?c*}", given=variables).stdout == "/%C3%A9/x?d=%20\n"


def test_expansions_are_printed_as_json() -> None:
    result = run("expand", "--json", "/{id}", "id=7")
    expected = {"text": '{"id": "7"}', "result": "/7", "error": None}
    assert json.loads(result.stdout) == expected


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "1: invalid JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, "1: invalid JSON: too many nested values"),
        (f"[{'9' * 5000}]", "1: invalid JSON: too many digits in a number"),
        ("[1]", "1: the line is not a JSON object"),
        ('{"id": true}', "1: the value of id must be a str or a number, not bool"),
        ('{"id": NaN}', "1: invalid value of id: invalid number: nan is not finite"),
        ('{"id": "\\ud800"}', "1: invalid lone surrogate in the value of id"),
        ('{"id": "1:a"}', "1: the expansion is invalid: invalid character"),
    ],
)
def test_wrong_values_have_an_error(line: str, message: str) -> None:
    result = run("expand", "{+id}", given=f'{line}\n{{"id": 7}}\n')
    assert (result.exit_code, result.stdout) == (1, "7\n")
    assert result.stderr.startswith(message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("/{id}{?a,id}", "x=1"), "no variable 'x'; the template has id, a"),
        (("/", "x=1"), "no variable 'x'; the template has none"),
        (("/{id}", "id"), "invalid value 'id'; write NAME=VALUE"),
        (("/{id", "id=7"), 'invalid template: missing "}": the expression does not end'),
        ((), "no template; give one as the first argument"),
    ],
)
def test_wrong_arguments_are_usage_errors(words: tuple[str, ...], message: str) -> None:
    result = run("expand", *words)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"uriverse template: {message}")


# --- match


def test_the_variables_of_each_uri_are_printed() -> None:
    result = run("match", "/users/{id}{?page}", given="/users/7?page=2&x\n/users/\u00e9\n")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"id": "7", "page": "2"},
        {"id": "\u00e9"},
    ]


def test_a_uri_without_a_match_has_an_error() -> None:
    result = run("match", "/users/{id}", "/a", "/users/7", "a b")
    assert result.exit_code == 1
    assert result.stdout == '{"id": "7"}\n'
    assert "1: the URI does not match the template (URI-Template, position 0)\n  /a\n" in (
        result.stderr
    )
    assert "3: invalid space in path" in result.stderr


def test_matches_are_printed_as_json() -> None:
    result = run("match", "--json", "/{a}-{b}{?page}", "/x-y?page=2&debug&k=v", "/x-y-z", "/")
    assert result.exit_code == 1
    first, second, third = map(json.loads, result.stdout.splitlines())
    assert first == {
        "text": "/x-y?page=2&debug&k=v",
        "variables": {"a": "x", "b": "y", "page": "2"},
        "extra": [["debug", ""], ["k", "v"]],
        "error": None,
    }
    assert (second["text"], second["variables"], second["extra"]) == ("/x-y-z", None, None)
    assert second["error"]["reason"] == "the URI matches the template in more than one way"
    assert second["error"]["hint"].startswith("separate the variables")
    assert third["error"]["reason"] == "the URI does not match the template"


# --- route

ROUTES = {"user": "/users/{id}{?page}", "me": "/users/me", "pair": "/{a}-{b}"}

FILES = {
    "routes.txt": "\ufeffuser\t/users/{id}{?page} \r\n\nme  /users/me\npair /{a}-{b}",
    "routes.TOML": "\n".join(f"{name} = '{text}'" for name, text in ROUTES.items()),
    "routes.json": json.dumps(ROUTES),
}


@pytest.mark.parametrize("name", FILES)
def test_the_route_and_the_variables_of_each_uri_are_printed(name: str) -> None:
    Path(name).write_text(FILES[name], "utf-8")
    result = run("route", name, given="/users/7?page=2\n/users/me\n/\n/x-y-z\n")
    assert result.exit_code == 1
    assert result.stdout == 'user\t{"id": "7", "page": "2"}\nme\t{}\n'
    assert "3: the URI matches no route (" in result.stderr
    assert "4: the URI matches the template in more than one way (" in result.stderr


def test_routes_are_printed_as_json() -> None:
    result = run("route", "-", "--json", "/users/\u00e9", "a b", given="user /users/{id}")
    assert result.exit_code == 1
    first, second = map(json.loads, result.stdout.splitlines())
    expected = {"text": "/users/\u00e9", "name": "user", "variables": {"id": "\u00e9"}}
    assert first == {**expected, "error": None}
    assert (second["name"], second["variables"]) == (None, None)
    assert second["error"]["reason"] == "invalid space in path"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "a /\nb\n", "line 2 has no template; write NAME TEMPLATE"),
        ("a.txt", "a /{", 'missing "}": the expression does not end'),
        ("a.txt", "a /\na /b", "the name of a route must be unique: 'a'"),
        ("a.toml", "a", "Expected '=' after a key"),
        ("a.toml", "a = 1", "a template must be a str, not int"),
        ("a.json", "[]", "expected a JSON object"),
        ("a.json", "{", "Expecting property name"),
        ("a.json", "[" * 100_000, "maximum recursion depth exceeded"),
        ("a.txt", b"\xff", "'utf-8' codec can't decode"),
    ],
)
def test_invalid_routes_are_usage_errors(name: str, content: str | bytes, message: str) -> None:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    result = run("route", name, "/")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"uriverse template: invalid routes {name}: {message}")


def test_a_missing_file_of_routes_is_an_error() -> None:
    assert "nothing.txt: No such file" in run("route", "nothing.txt", "/").stderr
    assert "no file of routes; give one as the first argument" in run("route").stderr


# --- check


def test_the_variables_and_the_ambiguities_of_a_template_are_printed() -> None:
    result = run("check", "/users/{id}{?page,id}", "/{owner}-{repo}", given="")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "/users/{id}{?page,id}: valid, with id, page",
        "/{owner}-{repo}: valid, with owner, repo",
        "/{owner}-{repo}: ambiguous: owner and repo can be divided in more than one way",
    ]


def test_an_invalid_template_has_the_position_and_a_hint() -> None:
    result = run("check", given="/a\n/users/{id\n")
    assert result.exit_code == 1
    assert result.stdout == "/a: valid, with no variables\n"
    assert result.stderr == (
        '2: missing "}": the expression does not end (expression, position 7)\n'
        "  /users/{id\n"
        "         ^\n"
        'hint: add "}", or write a literal "{" as %7B\n'
    )


def test_checks_are_printed_as_json() -> None:
    result = run("check", "--json", "{/a:3}", "{")
    assert result.exit_code == 1
    first, second = map(json.loads, result.stdout.splitlines())
    assert first == {
        "text": "{/a:3}",
        "variables": [{"name": "a", "operator": "/", "prefix": 3, "explode": False}],
        "ambiguities": ["only the first 3 characters of a are expanded"],
        "error": None,
    }
    assert (second["variables"], second["ambiguities"]) == (None, None)
    assert second["error"]["position"] == 0
