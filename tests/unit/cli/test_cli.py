import importlib
import json
import sys
from pathlib import Path

import pytest
from command_runner import failure, objects, printed, run

import uriverse
from uriverse._cli.commands import COMMANDS
from uriverse._cli.lines import format_json_result
from uriverse._cli.output import READ_SIZE
from uriverse.hosts._sites import load_installed_suffixes


def test_explain_prints_a_diagram_and_continues_after_an_invalid_uri() -> None:
    text = "foo://example.com:8042/over/there?name=ferret#nose"
    assert printed("explain", text).startswith(f"  {text}\n  \\_/")
    result = run("explain", given="a b\nhttp://a/\n")
    assert result.exit_code == 1
    assert "invalid space in path" in result.output
    assert "URI, host: reg-name" in result.output
    assert [row["valid"] for row in objects("explain --json a", "b c")] == [True, False]


def test_parse_prints_missing_components_as_null_and_empty_ones_as_empty() -> None:
    assert printed("parse http://a:?") == (
        '{"text": "http://a:?", "type": "URI", "scheme": "http", "authority": "a:", '
        '"userinfo": null, "host": "a", "host_kind": "reg-name", "port": "", "path": "", '
        '"query": "", "fragment": null, "params": [], "error": null}\n'
    )


def test_parse_prints_parameters_as_pairs() -> None:
    for text, params in (
        ("?a=x+y&b&%FF=", [["a", "x y"], ["b", None], ["\ufffd", ""]]),
        ("?%C3%A9%C3=%FFa%FE", [["é\ufffd", "\ufffda\ufffd"]]),
    ):
        assert objects("parse", text)[0]["params"] == params


def test_parse_reports_an_invalid_uri_and_continues() -> None:
    assert [row["text"] for row in objects("parse", given="a:b\r\n\nc:d")] == ["a:b", "", "c:d"]
    wrong, right = objects("parse", given=b"\xff\na:b\n")
    assert (wrong["type"], wrong["error"]["position"], right["type"]) == (None, 0, "URI")
    assert run("parse", given=b"\xff\na:b\n").exit_code == 1


def test_check_type_sets_the_exit_status() -> None:
    for kind, text, status in [
        *(("uri", "http://a/", 0), ("uri", "a", 1), ("uri-reference", "a", 0)),
        *(("uri-reference", "é", 1), ("absolute-uri", "a:b", 0), ("absolute-uri", "a:b#c", 1)),
        *(("iri", "http://é/", 0), ("iri", "é", 1), ("iri-reference", "é", 0)),
        *(("absolute-iri", "é:b", 1), ("absolute-iri", "a:é", 0)),
    ]:
        assert printed("check --quiet --type", kind, text, status=status) == ""


def test_resolve_prints_targets_to_stdout_and_errors_to_stderr() -> None:
    result = run("resolve http://a/b/c", given="d\na b\n../e\n")
    assert (result.exit_code, result.stdout) == (1, "http://a/b/d\nhttp://a/e\n")
    assert result.stderr.startswith("2: invalid space in path")
    assert printed("resolve --non-strict http://a/b http:c") == "http://a/c\n"


def test_relativize_prints_one_reference_per_line() -> None:
    result = run("relativize http://a/b/c http://a/b/d http://a/ http://a/b/../c")
    assert (result.exit_code, result.stdout) == (1, "d\n/\n")
    assert "dot segment in path" in result.stderr
    words = ("--no-walk-up", "--json", "http://a/b/c", "http://a/")
    assert objects("relativize", *words)[0]["result"] is None


@pytest.mark.parametrize("command", ["resolve", "relativize"])
@pytest.mark.parametrize("base", ["a", "a b"])
def test_an_invalid_base_is_a_usage_error(command: str, base: str) -> None:
    assert failure(command, base, "c")


# --- normalize, compare, encode, decode, repair


def test_normalize_prints_results_to_stdout_and_errors_to_stderr() -> None:
    result = run("normalize", given="HTTP://A/%7e/..\na b\ns:A\n")
    assert (result.exit_code, result.stdout) == (1, "http://a/\ns:A\n")
    assert result.stderr.startswith("2: invalid space in path")
    for step, form in (
        *(("case", "HTTP://[::]/"), ("percent-encoding", "http://[::]/")),
        *(("dot-segments", "http://[::]/~/.."), ("ipv6", "http://[::0]/")),
    ):
        assert printed("normalize", f"--keep-{step}", "HTTP://[::0]/%7e/..") == f"{form}\n"


def test_normalize_removes_dot_segments_from_rootless_paths_on_request() -> None:
    texts = ("data:text/plain,a/../b", "s:/a/../b", "a/../b")
    assert printed("normalize", *texts) == "data:text/plain,a/../b\ns:/b\na/../b\n"
    assert printed("normalize --all-dot-segments", *texts) == "data:text/b\ns:/b\na/../b\n"
    (row,) = objects("normalize --all-dot-segments --changes s:a/../b")
    assert [change["after"] for change in row["result"]] == ["/b"]
    assert "use one of them" in failure("normalize --all-dot-segments --keep-dot-segments s:a")


def test_normalize_changes_prints_the_changes() -> None:
    change = {"step": "case", "component": "scheme", "before": "S", "after": "s"}
    assert objects("normalize --changes S:a b") == [
        {"text": "S:a", "result": [change], "error": None},
        {"text": "b", "result": [], "error": None},
    ]


def test_normalize_and_compare_apply_scheme_rules_on_request() -> None:
    assert printed("normalize --scheme http://A:80") == "http://a/\n"
    assert printed("normalize http://A:80") == "http://a:80\n"
    (row,) = objects("normalize --scheme --changes http://a:80/")
    assert row["result"] == [{"step": "scheme", "component": "port", "before": "80", "after": None}]
    assert run("compare --level scheme http://a http://a:80/").exit_code == 0


def test_compare_sets_the_exit_status() -> None:
    texts = ("http://a/%7E", "HTTP://A/~")
    assert printed("compare", *texts) == "equivalent\n"
    assert printed("compare --level string", *texts, status=1) == "different\n"
    assert printed("compare --json a b", status=1) == (
        '{"a": "a", "b": "b", "level": "syntax", "equivalent": false}\n'
    )
    assert failure("compare", "a b", "c")
    assert failure("compare --level other a b")


def test_encode_accepts_any_bytes() -> None:
    words = ("encode", "--component", "segment")
    assert printed(*words, given=b"a/b\n\xff %\n\n") == "a%2Fb\n%FF%20%25\n\n"
    assert printed("encode é?") == "%C3%A9%3F\n"
    assert printed("encode --iri --component query é?") == "é?\n"


def test_decode_errors_option_handles_invalid_utf_8() -> None:
    result = run("decode caf%C3%A9 %FF %zz")
    assert (result.exit_code, result.stdout) == (1, "café\n")
    assert "2: invalid UTF-8 in the percent-encoded octets" in result.stderr
    assert '3: invalid percent-encoding: "%" needs' in result.stderr
    assert printed("decode --errors keep %FF") == "%FF\n"
    assert printed("decode --errors replace %FF") == "\ufffd\n"
    # The output is text, which cannot have surrogate escapes.
    assert failure("decode --errors surrogateescape %FF")


def test_to_uri_and_to_iri_convert_iris_and_uris() -> None:
    iri, uri = "http://bücher.example/rosé", "http://b%C3%BCcher.example/ros%C3%A9"
    assert printed("to-uri", iri) == f"{uri}\n"
    assert printed("to-iri", uri) == f"{iri}\n"
    assert objects("to-iri --json", uri) == [{"text": uri, "result": iri, "error": None}]
    named = run("to-uri --host idna", iri, "http://\u2603/")
    ascii_uri = "http://xn--bcher-kva.example/ros%C3%A9"
    assert (named.exit_code, named.stdout) == (1, f"{ascii_uri}\n")
    assert named.stderr.startswith('2: invalid label "\u2603" in domain name')
    assert printed("to-iri", ascii_uri) == "http://xn--bcher-kva.example/rosé\n"
    assert printed("to-iri --host idna", ascii_uri) == f"{iri}\n"


def test_repair_prints_valid_uris_or_an_error() -> None:
    result = run("repair", "http://a.example/b c", "http:/a.example/b c", "/é")
    assert (result.exit_code, result.stdout) == (1, "http://a.example/b%20c\n/%C3%A9\n")
    assert result.stderr.startswith("2: some programs read any number of slashes")
    assert printed("repair --slashes http:/a.example/b") == "http://a.example/b\n"
    assert printed("repair --add-scheme ftp a.example") == "ftp://a.example\n"
    assert printed("repair --iri", "/é ") == "/é\n"
    assert "scheme must be a valid scheme" in failure("repair --add-scheme", "a b", "a.example")


def test_repair_prints_the_changes_as_json() -> None:
    change = {"kind": "encode", "start": 10, "end": 11, "before": "|", "after": "%7C"}
    trim = {"kind": "trim", "start": 23, "end": 24, "before": " ", "after": ""}
    (row,) = objects("repair --changes", "http://u:p|w@a.example/ ")
    assert row["result"] == [{**change, "secret": True}, {**trim, "secret": False}]


@pytest.mark.parametrize(
    "words", [["registrable_domain"], ["--json-array", "--format", "{registrable_domain}"]]
)
def test_commands_without_a_list_of_suffixes_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    load_installed_suffixes.cache_clear()
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    needed = "publicsuffixlist is not installed; run: pip install 'uriverse[suffixes]'"
    assert failure("get", *words, "http://a.example/") == f"uriverse get: {needed}\n"


def test_a_byte_order_mark_at_the_start_is_removed() -> None:
    assert printed("normalize", given=b"\xef\xbb\xbfa:b\n\xef\xbb\xbfc\n") == "a:b\n\ufeffc\n"
    # A file of one line without a line break is read in another place.
    assert printed("normalize", given=b"\xef\xbb\xbfA:b") == "a:b\n"
    assert printed("normalize", given=b"\xef\xbb\xbf") == ""
    (row,) = objects("extract --json", given=b"\xef\xbb\xbfhttp://a/")
    assert (row["text"], row["start"]) == ("http://a/", 0)


@pytest.mark.parametrize("words", [["normalize"], ["extract"]])
def test_only_the_first_character_can_be_a_byte_order_mark(words: list[str]) -> None:
    line = f"http://{'a' * 100}/\n"
    count = READ_SIZE // len(line) + 1
    # In one of these lines, the mark is at the start of a batch.
    for number in range(count - 2, count + 2):
        given = line * number + "\ufeffhttp://b/\n" + line
        result = run(*words, given="\ufeff" + given)
        if words == ["normalize"]:
            assert result.exit_code == 1
            assert result.stderr.startswith(f"{number + 1}: invalid character U+FEFF")
        row = objects("extract --json", given=given)[number]
        assert (row["text"], row["start"]) == ("http://b/", number * len(line) + 1)


def test_the_file_option_reads_lines() -> None:
    Path("texts").write_bytes(b"A:b\r\nC:d")
    assert printed("normalize --file texts") == "a:b\nc:d\n"
    assert printed("normalize -f -", given="A:b") == "a:b\n"
    assert failure("normalize -f texts a:b")


@pytest.mark.parametrize(
    "words", ["normalize -f", "extract", "check --from-files lines", "check -f", "policy review"]
)
def test_an_unreadable_file_prints_one_line_and_exits_with_2(words: str) -> None:
    command = words.split(maxsplit=1)[0]
    for name, shown, reason in (
        (".", ".", "Is a directory"),
        ("none\x1b[31m", "none\\x1b[31m", "No such file or directory"),
        ("", "''", "No such file or directory"),
    ):
        assert failure(words, name) == f"uriverse {command}: {shown}: {reason}\n"


def test_lines_may_have_any_length() -> None:
    long = "HTTP://a/" + "b" * 1_000_000
    result = printed("normalize", given=f"{long}\nS:c\n{long}")
    assert result == f"{long.lower()}\ns:c\n{long.lower()}\n"


def test_fail_fast_stops_at_the_first_invalid_uri() -> None:
    result = run("normalize --fail-fast", given="A:a\na b\nB:b\n")
    assert (result.exit_code, result.stdout) == (1, "a:a\n")
    assert result.stderr.startswith("2: invalid space")
    as_array = run("parse --fail-fast --json-array", given="A:a\na b\nB:b\n")
    assert [row["text"] for row in json.loads(as_array.stdout)] == ["A:a", "a b"]
    # The first error may be after the first batch.
    lines = READ_SIZE // 4 + 1000
    result = run("normalize --fail-fast", given="S:a\n" * lines + "a b\n" + "S:c\n" * lines)
    assert (result.exit_code, result.stdout) == (1, "s:a\n" * lines)
    assert result.stderr.startswith(f"{lines + 1}: invalid space")
    assert result.stderr.count("hint") == 1


#: For each command with strings as arguments, arguments of which one is the name of a file, and
#: what that is read as.
NAMES_OF_FILES = {
    "compare": ("a.txt b", "URI"),
    "decode": ("a.txt", "STRING"),
    "encode": ("a.txt", "STRING"),
    "explain": ("a.txt", "URI"),
    "get": ("path a.txt", "URI"),
    "normalize": ("a.txt", "URI"),
    "parse": ("b a.txt", "URI"),
    "policy": ("test p.toml a.txt", "URI"),
    "relativize": ("a.txt b", "URI"),
    "repair": ("a.txt", "STRING"),
    "resolve": ("http://a/ a.txt", "REFERENCE"),
    "set": ("--host b a.txt", "URI"),
    "template": ("match a.txt b", "template"),
    "to-iri": ("a.txt", "URI"),
    "to-uri": ("a.txt", "IRI"),
}
#: The commands whose arguments are files, and those without strings.
WITHOUT_STRINGS = {"check", "completion", "extract", "redact", "sql"}


@pytest.mark.parametrize("command", NAMES_OF_FILES)
def test_a_string_that_is_the_name_of_a_file_is_a_warning(command: str) -> None:
    assert set(NAMES_OF_FILES) | WITHOUT_STRINGS == set(COMMANDS)
    Path("p.toml").write_text('allow = ["http://a/"]', "utf-8")
    words, noun = NAMES_OF_FILES[command]
    before = run(command, *words.split()).stderr
    Path("a.txt").write_text("http://a/\n", "utf-8")
    message = (
        f"uriverse {command}: a.txt is read as a {noun}, although there is a file of that name"
    )
    first, end, others = run(command, *words.split()).stderr.partition("\n")
    start, _, advice = first.partition("; to read the ")
    assert (start.replace(" an ", " a "), end, others) == (message, "\n", before)
    assert advice in {"", f"{noun}s in the file, use --file"}


def test_a_quiet_command_does_not_warn_of_files() -> None:
    Path("a.txt").write_text("", "utf-8")
    assert run("parse -q a.txt").stderr == ""
    assert run("template match -q a.txt b").stderr == ""
    assert "although" not in run("template route a.txt b").stderr


def test_quiet_prints_no_errors() -> None:
    assert printed("normalize --quiet", "a b", "c", status=1) == "c\n"


@pytest.mark.parametrize("given", ["", "a:b\n", "a b\n", "a:b\nc d\n\n"])
def test_json_array_prints_an_array_for_any_input(given: str) -> None:
    rows = json.loads(run("normalize --json-array", given=given).stdout)
    assert [row["text"] for row in rows] == given.split("\n")[:-1]
    assert json.loads(printed("explain --json-array a"))[0]["valid"]
    assert json.loads(printed("check --json-array a:b"))[0]["findings"] == []
    found = run("extract --json-array - none", given="http://a/b")
    assert (found.exit_code, len(json.loads(found.stdout))) == (2, 1)


@pytest.mark.parametrize(
    ("words", "shown", "otherwise"),
    [
        (["decode", "%1B%5B31m%0Aa"], "\\x1b[31m\\na\n", "\x1b[31m\na\n"),
        # Separators that the command prints are not escaped.
        (["set", "--iterate", "host=a,b", "http://x/"], "http://a/\nhttp://b/\n", None),
        (["get", "scheme,host", "http://a/"], "http\ta\n", None),
        (["get", "-g", r"{scheme}\t{path}\n", "a:%0A"], "a\t\\n\n\n", "a\t\n\n\n"),
        (["normalize", "--file", "a.tsv", "--field", "1"], "a:b\\t\\x1b[2J\\xff\n", None),
        (["extract", "a.tsv"], "http://c/\n", None),
    ],
)
def test_control_characters_are_escaped_on_a_terminal(
    words: list[str], shown: str, otherwise: str | None
) -> None:
    Path("a.tsv").write_bytes(b"see http://c/.\n" if "extract" in words else b"A:b\t\x1b[2J\xff\n")
    result = run(*words, is_terminal=True)
    assert (result.exit_code, result.output) == (0, shown)
    if words[0] != "normalize":
        assert printed(*words) == (shown if otherwise is None else otherwise)
    else:
        diff = run(*words, "--dry-run", is_terminal=True).stdout
        assert diff.endswith("-A:b\\t\\x1b[2J\\xff\n+a:b\\t\\x1b[2J\\xff\n")


def test_output_on_a_terminal_has_no_colors() -> None:
    for words, start in [
        (["check", "HTTP://a./\x1b[2J", "--severity", "form=info"], "1:8: warning trailing-dot: "),
        (["explain", "http://a/"], "  http://a/\n"),
        (["normalize", "a b"], "1: invalid space in path"),
    ]:
        output = run(*words, is_terminal=True).output
        assert output.startswith(start)
        assert "\x1b" not in output


def test_control_characters_in_quoted_arguments_are_escaped() -> None:
    for words in [
        ["set", "--accept-host", "\x1b[2J", "http://a/"],
        ["set", "--accept-scheme", "\x9b31m", "http://a/"],
        *(["get", "--format", "{\x1b]0;x\x07}", "a:b"], ["get", "\x1b[2J", "a:b"], ["\x1b[2J"]),
    ]:
        result = run(*words)
        assert result.exit_code in {1, 2}
        assert not {"\x1b", "\x9b", "\x07"} & set(result.stderr)


def test_passwords_in_quoted_arguments_are_masked() -> None:
    for words in [
        *(["http://u:secret@x/"], ["get", "http://u:secret word@x", "a"]),
        ["set", "-s", "http://u:secret@x/", "a"],
        ["set", "--iterate", "http://u:secret@x/", "a"],
        ["check", "--severity", "http://u:secret@x/", "a"],
    ]:
        message = failure(*words)
        assert "secret" not in message
        assert "http://u:REDACTED@x" in message


def test_a_string_without_a_result_and_an_error_has_no_object() -> None:
    assert format_json_result("http://a/", None) is None


# --- help, version and unknown commands


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_fits_a_screen_and_has_examples(name: str) -> None:
    lines = printed(name, "--help").splitlines()
    # The list of operations grows with the column functions.
    first = next((n for n, line in enumerate(lines) if line.startswith("  OPERATION is ")), 0)
    operations = lines.index("", first) - first + 1 if first else 0
    assert len(lines) - operations <= 45
    assert max(map(len, lines)) <= 80
    examples = [line for line in lines if line.startswith(f"  uriverse {name} ")]
    if name == "completion":
        examples = [line for line in lines if "uriverse completion" in line]
    assert len(examples) >= 2 or name in {"check", "extract"}
    assert examples
    # The main help shows the first sentence without cutting it.
    assert f"{lines[2].strip()}\n" in printed("--help")


def test_the_main_help_fits_a_screen() -> None:
    lines = printed("--help").splitlines()
    assert len(lines) <= 40
    assert [name for name in COMMANDS if not any(f"  {name} " in line for line in lines)] == []
    assert failure().startswith("Usage: uriverse [OPTIONS] COMMAND")


def test_an_unknown_command_suggests_what_was_meant() -> None:
    for word, message in [
        ("sett", "no such command 'sett'; did you mean 'set'?"),
        ("normaliz", "no such command 'normaliz'; did you mean 'normalize'?"),
        ("nromalize", "no such command 'nromalize'; did you mean 'normalize'?"),
        ("xyzzy", "no such command 'xyzzy'; see 'uriverse --help'"),
        ("a.b/c d?e", "no command before the URI; run: uriverse explain 'a.b/c d?e'"),
        (
            "http://u:secret@a/",
            "no command before the URI; run: uriverse explain http://u:REDACTED@a/",
        ),
    ]:
        assert failure("", word) == f"uriverse: {message}\n"


def test_an_unknown_option_suggests_what_was_meant() -> None:
    message = failure("set --query-sett a=1 http://a/")
    assert message.startswith("uriverse set: no such option '--query-sett'; did you mean")
    assert message.endswith("?\n")
    assert failure("--versionn").startswith("uriverse: no such option '--versionn'; did you mean")


def test_version_names_the_engine() -> None:
    absence = uriverse._engine.kernel_absence
    engine = "compiled kernel" if uriverse._engine.compiled else f"pure Python, {absence}"
    assert printed("--version") == f"uriverse {uriverse.__version__} ({engine})\n"


def test_importing_the_main_module_runs_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "uriverse.__main__", raising=False)
    monkeypatch.setattr(sys, "argv", ["uriverse", "--version"])
    importlib.import_module("uriverse.__main__")
    assert capsys.readouterr() == ("", "")
