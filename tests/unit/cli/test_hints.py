import pytest
from command_runner import objects, run

from uriverse._cli.output import HINTS

#: Commands that fail, by the hint that they print.
FAILING = {
    'write "/." before the path': "set --path //x c:",
    'write "./" before the path': "set --path a:b x",
    "use --path for a path with dot segments": "set -a path=.. http://a/",
    "set a host with --host": "set --username x c:",
    "set the port with --port": "set --host a:80 http://a/",
    "write the scheme without the colon": "set --scheme http: //a/",
    'remove --no-walk-up to allow ".."': "relativize --no-walk-up http://a/b/c http://a/",
    "use --errors replace or --errors keep": "decode %FF",
    "convert the IRI to a URI with uriverse to-uri --host idna": "check --type uri http://\u00e9/",
    "separate the variables by a character that they cannot contain": (
        "template match {a}-{b} x-y-z"
    ),
}


def test_every_hint_is_tested() -> None:
    assert list(HINTS.values()) == list(FAILING)


@pytest.mark.parametrize(("hint", "words"), FAILING.items())
def test_a_hint_names_no_python_function(hint: str, words: str) -> None:
    result = run(words)
    assert result.exit_code == 1
    assert hint in result.output
    assert not any(replaced in result.output for replaced in HINTS if replaced != hint)
    if words.startswith("decode"):
        assert objects(f"{words} --json")[0]["error"]["hint"] == hint
