import json
from pathlib import Path

import pytest
from command_runner import failure, objects, printed, run


def test_values_are_arguments_or_lines_with_json_objects() -> None:
    template = "https://a.example/users/{id}{?page,tag*}"
    expansion = "https://a.example/users/a%2Fb?page=&tag=x&tag=y%20z\n"
    words = f"template expand {template}"
    assert printed(words, "id=a/b", "tag=x", "tag=y z", "page=") == expansion
    lines = '{"id": 7, "tag": {"a": "b"}}\n{"other": 1}\n'
    expansion = "https://a.example/users/7?a=b\nhttps://a.example/users/\n"
    assert printed(words, given=lines) == expansion
    Path("values.jsonl").write_text(lines, "utf-8")
    assert printed(f"{words} -f values.jsonl") == expansion
    # `expand` reads what `match` prints.
    variables = printed("template match /{a}/{b}{?c*} /x/%C3%A9?d=%20")
    assert printed("template expand /{b}/{a}{?c*}", given=variables) == "/%C3%A9/x?d=%20\n"


def test_wrong_values_have_an_error() -> None:
    for line, message in [
        ("{", "1: invalid JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, "1: invalid JSON: too many nested values"),
        (f"[{'9' * 5000}]", "1: invalid JSON: too many digits in a number"),
        ("[1]", "1: the line is not a JSON object"),
        ('{"id": true}', "1: the value of id must be a str or a number, not bool"),
        ('{"id": NaN}', "1: invalid value of id: invalid number: nan is not finite"),
        ('{"id": "\\ud800"}', "1: invalid lone surrogate in the value of id"),
        ('{"id": "1:a"}', "1: the expansion is invalid: invalid character"),
    ]:
        result = run("template expand {+id}", given=f'{line}\n{{"id": 7}}\n')
        assert (result.exit_code, result.stdout) == (1, "7\n")
        assert result.stderr.startswith(message)


def test_wrong_arguments_are_usage_errors() -> None:
    for words, message in [
        ("expand /{id}{?a,id} x=1", "no variable 'x'; the template has id, a"),
        ("expand / x=1", "no variable 'x'; the template has none"),
        ("expand /{id} id", "invalid value 'id'; write NAME=VALUE"),
        ("expand /{id id=7", 'invalid template: missing "}": the expression does not end'),
        ("expand", "no template; give one as the first argument"),
        ("route", "no file of routes; give one as the first argument"),
        ("route nothing.txt /", "nothing.txt: No such file"),
    ]:
        assert failure(f"template {words}").startswith(f"uriverse template: {message}")


def test_the_variables_of_each_uri_are_printed() -> None:
    given = "/users/7?page=2&x\n/users/é\n"
    assert objects("template match /users/{id}{?page}", given=given) == [
        {"id": "7", "page": "2"},
        {"id": "é"},
    ]
    result = run("template match /users/{id} /a /users/7", "a b")
    assert (result.exit_code, result.stdout) == (1, '{"id": "7"}\n')
    error = "1: the URI does not match the template (URI-Template, position 0)\n  /a\n"
    assert result.stderr.startswith(error)
    assert "3: invalid space in path" in result.stderr


def test_expansions_and_matches_are_printed_as_json() -> None:
    expected = {"text": '{"id": "7"}', "result": "/7", "error": None}
    assert objects("template expand --json /{id} id=7") == [expected]
    words = "template match --json /{a}-{b}{?page} /x-y?page=2&debug&k=v /x-y-z /"
    first, second, third = objects(words)
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


ROUTES = {"user": "/users/{id}{?page}", "me": "/users/me", "pair": "/{a}-{b}"}

FILES = {
    "routes.txt": "\ufeffuser\t/users/{id}{?page} \r\n\nme  /users/me\npair /{a}-{b}",
    "routes.TOML": "\n".join(f"{name} = '{text}'" for name, text in ROUTES.items()),
    "routes.json": json.dumps(ROUTES),
}


@pytest.mark.parametrize("name", FILES)
def test_the_route_and_the_variables_of_each_uri_are_printed(name: str) -> None:
    Path(name).write_text(FILES[name], "utf-8")
    result = run(f"template route {name}", given="/users/7?page=2\n/users/me\n/\n/x-y-z\n")
    assert result.exit_code == 1
    assert result.stdout == 'user\t{"id": "7", "page": "2"}\nme\t{}\n'
    assert "3: the URI matches no route (" in result.stderr
    assert "4: the URI matches the template in more than one way (" in result.stderr


def test_routes_are_printed_as_json() -> None:
    words = ("template route - --json /users/é", "a b")
    first, second = objects(*words, given="user /users/{id}")
    assert first == {"text": "/users/é", "name": "user", "variables": {"id": "é"}, "error": None}
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
        *(("a.json", "[]", "expected a JSON object"), ("a.json", "{", "Expecting property name")),
        # The second message is that of Python 3.14.
        ("a.json", "[" * 100_000, ("maximum recursion depth exceeded", "Stack overflow")),
        ("a.txt", b"\xff", "'utf-8' codec can't decode"),
    ],
)
def test_invalid_routes_are_usage_errors(
    name: str, content: str | bytes, message: str | tuple[str, ...]
) -> None:
    Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
    begin, _, reason = failure(f"template route {name} /").partition(f"{name}: ")
    assert begin == "uriverse template: invalid routes "
    assert reason.startswith(message)


def test_the_variables_and_the_ambiguities_of_a_template_are_printed() -> None:
    assert printed("template check /users/{id}{?page,id} /{owner}-{repo} /a") == (
        "/users/{id}{?page,id}: valid, with id, page\n"
        "/{owner}-{repo}: valid, with owner, repo\n"
        "/{owner}-{repo}: ambiguous: owner and repo can be divided in more than one way\n"
        "/a: valid, with no variables\n"
    )


def test_an_invalid_template_has_the_position_and_a_hint() -> None:
    assert failure("template check", given="/users/{id\n", status=1) == (
        '1: missing "}": the expression does not end (expression, position 7)\n'
        "  /users/{id\n"
        "         ^\n"
        'hint: add "}", or write a literal "{" as %7B\n'
    )


def test_checks_are_printed_as_json() -> None:
    first, second = objects("template check --json {/a:3} {")
    assert first == {
        "text": "{/a:3}",
        "variables": [{"name": "a", "operator": "/", "prefix": 3, "explode": False}],
        "ambiguities": ["only the first 3 characters of a are expanded"],
        "error": None,
    }
    assert (second["variables"], second["ambiguities"]) == (None, None)
    assert second["error"]["position"] == 0
