import json
from pathlib import Path

import pytest
from command_runner import failure, objects, printed, run

from uriverse.diagnosis import CODES


def described(code: str) -> str:
    known = CODES[code]
    return f"{code}: {known.message}; {known.suggestion} ({known.reference})"


def places(words: str, *uris: str, given: str = "") -> list[str]:
    lines = run(f"check {words}", *uris, given=given).stdout.splitlines()
    return [" ".join(line.split(" ")[:3]).removesuffix(":") for line in lines]


def test_a_finding_is_printed_on_a_line_with_its_position() -> None:
    assert printed("check http://a.example/ http://a.example./%2e").splitlines() == [
        f"2:8: warning {described('trailing-dot')}",
        f"2:19: warning {described('encoded-dot')}",
    ]


def test_a_hint_is_printed_if_an_argument_is_the_name_of_a_file() -> None:
    Path("urls.txt").write_text("http://a.example/\n", "utf-8")
    result = run("check http://a.example/ urls.txt")
    assert (result.exit_code, result.stdout[:25]) == (0, "2:1: info missing-scheme:")
    assert result.stderr == (
        "uriverse check: urls.txt is read as a URI, although there is a file of that name; "
        "to read the URIs in the file, use --from-files lines or text\n"
    )
    for words in ("--from-files lines urls.txt", "--quiet urls.txt", "other.txt"):
        assert run(f"check {words}").stderr == ""


def test_what_looks_like_a_password_in_a_valid_uri_is_no_error() -> None:
    # As a string of any kind, the URI would be redacted to one with the port "A".
    assert places("A://%00:/@:A http://%C3%A9:/p@:A")[0] == "1:5: warning encoded-control"


def test_scheme_rules_apply_to_iris_and_positions_refer_to_the_iri() -> None:
    wrong = {"mailto:no-ät": 13, "urn:é": 5, "urn::é": 5, "tel:12é": 7, "data:xé": 8, "file:é": 6}
    assert places("", *wrong, "mailto:jörg@example.org", "urn:example:é", "data:,é") == [
        f"{line}:{column}: error scheme-syntax" for line, column in enumerate(wrong.values(), 1)
    ]


def test_fail_on_sets_the_severity_that_makes_the_exit_status_1() -> None:
    for text, fail_on, status in [
        *(("a:b", "info", 0), ("a b", "error", 1), ("a b", "never", 0), ("http://a./", "error", 0)),
        *(("http://a./", "warning", 1), ("http://a./", "info", 1), ("http://a./", "never", 0)),
    ]:
        assert run(f"check --fail-on {fail_on}", text).exit_code == status
        assert run(f"check --format json --fail-on {fail_on}", text).exit_code == status


def test_profile_and_severity_options_are_passed_to_the_library() -> None:
    assert run("check --profile web http://a./").exit_code == 1
    own = "--severity ambiguity=off --severity trailing-dot=info"
    assert places(f"{own} http://a./%2e") == ["1:8: info trailing-dot"]
    assert run("check --severity syntax=off --fail-on error", "a b").exit_code == 0
    for wrong in ("x=off", "syntax", "syntax=bad", "=off"):
        message = failure(f"check --severity {wrong} a")
        assert "--severity: " in message
        assert wrong != "syntax" or "write syntax=off" in message


def test_a_wrong_type_is_a_syntax_finding() -> None:
    output = printed("check --type uri //a/b", "a b", "x:y", status=1)
    errors = [line for line in output.splitlines() if " error " in line]
    assert [line.partition(";")[0] for line in errors] == [
        "1:1: error syntax: missing scheme: a URI starts with a scheme and a colon",
        "2:2: error syntax: invalid space in path",
    ]
    assert run("check --type uri --severity syntax=warning //a/b").exit_code == 0
    assert "syntax" not in printed("check --type uri --severity syntax=off //a/b", "a b")


def test_json_output_has_one_object_per_uri() -> None:
    rows = objects("check --format json", given="x:y\n\nhttp://a./\n")
    assert [(row["line"], row["column"]) for row in rows] == [(1, 1), (2, 1), (3, 1)]
    codes = [[finding["code"] for finding in row["findings"]] for row in rows]
    assert codes == [[], [], ["trailing-dot"]]
    assert rows == json.loads(run("check --json-array", given="x:y\n\nhttp://a./\n").stdout)


def test_fail_fast_stops_at_the_first_failure_and_quiet_prints_nothing() -> None:
    assert run("check --fail-fast", "a b", "c d").stdout.count("\n") == 2
    Path("urls").write_text("http://a./\nx: \nx: \n")
    found = places("--fail-fast --from-files lines urls")
    assert {line.split(":")[1] for line in found} == {"1", "2"}
    result = run("check --fail-fast --from-files lines none urls")
    assert result.exit_code == 2
    assert "urls:2:" in result.stdout
    assert "urls:3:" not in result.stdout
    for form in ("text", "json"):
        assert printed(f"check --quiet --format {form}", "a b", status=1) == ""


@pytest.mark.parametrize(
    ("kind", "content", "expected"),
    [
        (
            "lines",
            "\ufeffhttp://a./\r\n\r\nb c\r\n\udcff",
            [
                *("1:8: warning trailing-dot", "3:1: info missing-scheme", "3:2: error syntax"),
                *("4:1: error syntax", "4:1: info missing-scheme"),
            ],
        ),
        (
            "lines",
            "http://caf\udce9@example.org/\nhttp://ok.\n",
            ["1:8: warning userinfo", "1:11: error syntax", "2:8: warning trailing-dot"],
        ),
        (
            "text",
            "# é\n\nSee [this](http://a.example/%2Fb),\nor <http://a./> or <http://b/>.\n",
            ["3:29: warning encoded-slash", "4:12: warning trailing-dot"],
        ),
        ("text", "urn:a:b", ["1:6: error scheme-syntax"]),
        # The whole content of delimiters is checked.
        (
            "text",
            'see <http://ex.org/a{b>,\nor "http://ex.org/my page".\n',
            [*("1:21: error syntax", "2:21: error syntax")],
        ),
        # A URI may be broken over lines.
        (
            "text",
            "x\n> see <http://a./\n> b/%2e/\n>  %2fc> <http://b.\n/>\n> <http://c.>",
            [
                *("2:15: warning trailing-dot", "3:5: warning encoded-dot"),
                *("4:4: warning encoded-slash", "4:18: warning trailing-dot"),
                "6:11: warning trailing-dot",
            ],
        ),
    ],
)
def test_findings_in_files_have_positions(kind: str, content: str, expected: list[str]) -> None:
    Path("a").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert places(f"--from-files {kind} a") == [f"a:{place}" for place in expected]
    if kind == "lines":
        assert places("--file a")[0] == f"a:{expected[0]}"
    else:
        text = content.encode("utf-8", "surrogateescape").decode()
        assert places(f"--from-files {kind} -", given=text)[0] == f"-:{expected[0]}"


@pytest.mark.parametrize("kind", ["text", "lines"])
def test_control_characters_in_file_names_are_escaped(kind: str) -> None:
    name = "a\x1b[31m\n.txt"
    Path(name).write_text("see <http://a./>")
    result = run(f"check --from-files {kind}", name, f"{name}\x07")
    assert "a\\x1b[31m\\n.txt:1:" in result.stdout
    assert result.stderr == ("uriverse check: a\\x1b[31m\\n.txt\\x07: No such file or directory\n")
    assert "\x1b" not in result.output
    assert objects(f"check --json --from-files {kind}", name)[0]["file"] == name


def test_an_unreadable_file_is_reported_and_the_others_are_checked() -> None:
    Path("a").write_text("http://a./")
    result = run("check --from-files lines none . a")
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "uriverse check: none: No such file or directory",
        "uriverse check: .: Is a directory",
    ]
    assert "trailing-dot" in result.stdout
    assert failure("check --from-files text")
    assert failure("check --from-files text --file a x")


def test_no_finding_shows_a_password() -> None:
    output = run("check", "http://a:hunter2@b/ ").output
    assert "password" in output
    assert "hunter2" not in output
