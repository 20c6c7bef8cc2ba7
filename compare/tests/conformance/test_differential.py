import json
import re
from collections.abc import Sequence
from itertools import chain
from pathlib import Path

import pytest

from compare_conformance import differential, differential_page
from compare_conformance.mutants import mutants
from compare_conformance.tallies import RANDOM
from compare_conformance.telling import TELLING
from compare_conformance.uncounted import UNCOUNTED
from conformance.dialing.verifying import verified
from uriverse_compare import Parser, Reading, Target, compare, installed
from uriverse_compare._comparison import CONTROL

DOCS = Path(__file__).resolve().parents[3] / "docs"
HERE = installed(["uriverse", "urllib.parse", "urllib.request"])
HTTP = frozenset({"http", "https"})


def finding(name: str, host: str, *, scheme: str = "http", dials: frozenset[str] = HTTP) -> Parser:
    """Return a parser that finds the same host in every string but the control URI."""

    def read(texts: Sequence[str]) -> list[Reading]:
        control = HERE[0].read([CONTROL])[0]
        other = Reading("accepted", scheme=scheme, host=host)
        return [control if text == CONTROL else other for text in texts]

    return Parser(name, "1", dials, read)


def report_on(text: str, *others: Parser) -> differential.Report:
    report = differential.Report([HERE[0], *others], seed=1)
    report.add(compare(text, report.parsers), RANDOM)
    return report


def test_at_least_200_strings_are_selected_and_all_are_distinct() -> None:
    texts = list(chain.from_iterable(TELLING.values()))
    assert len(texts) == len(set(texts)) >= 200


def test_random_strings_are_distinct_and_repeatable() -> None:
    texts = list(mutants(7, 1000))
    assert len(set(texts)) == 1000
    assert texts == list(mutants(7, 1000))


def test_another_host_in_an_unambiguous_uri_is_not_explained() -> None:
    report = report_on("http://a.example/", finding("other", "b.example"))
    assert len(report.unexplained) == 1
    assert report.unexplained_elsewhere == []


@pytest.mark.parametrize(
    "other",
    [finding("other", "b.example", dials=frozenset()), finding("other", "b.example", scheme="x")],
)
def test_software_that_does_not_connect_is_listed_apart(other: Parser) -> None:
    report = report_on("http://a.example/", other)
    assert report.unexplained == []
    assert len(report.unexplained_elsewhere) == 1


def test_a_difference_with_a_finding_is_explained() -> None:
    report = report_on("http://0x7f.1/", finding("other", "127.0.0.1"))
    assert report.unexplained == report.unexplained_elsewhere == []
    found = report.tally(RANDOM).classes["ipv4-hex"]
    assert found.strings == found.alone == found.flagged == 1
    assert found.as_json()["example"] == "http://0x7f.1/"


def test_a_finding_about_another_component_explains_no_difference() -> None:
    report = report_on("http://me@a.example/", finding("other", "b.example"))
    assert len(report.unexplained) == 1


def test_software_without_a_host_connects_to_nothing() -> None:
    report = report_on("http://a.example/", finding("other", ""))
    assert report.unexplained == []


def test_the_default_port_of_a_string_without_a_scheme_is_no_difference() -> None:
    report = report_on("//a.example:80/", finding("other", "a.example"))
    assert report.unexplained == []
    assert len(report.unexplained_elsewhere) == 1
    report = report_on("//a.example:81/", finding("other", "a.example"))
    assert len(report.unexplained) == 1


def test_uncounted_readings_are_counted_by_class() -> None:
    for text, name, host, title in [
        ("http://a.example?b", "libpq", "a.example?b", UNCOUNTED[0].title),
        ("http://a.example/@b", "OpenSSL", "b", UNCOUNTED[1].title),
        ("http://a.example/", "libpq", "a.example/", UNCOUNTED[0].title),
        ("mailto:me@a.example", "libcurl", "a.example", UNCOUNTED[2].title),
    ]:
        report = report_on(text, finding(name, host))
        assert report.unexplained == []
        assert report.uncounted == {title: 1}


def test_the_command_writes_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(differential, "installed", lambda _: HERE)
    page, data, corpora = tmp_path / "page.md", tmp_path / "data.json", tmp_path / "corpora"
    corpora.mkdir()
    (corpora / "links.txt").write_text("http://a.example/\r\n\nfile://b\n", "utf-8")
    options = ["--mutants", "200", "--markdown", str(page), "--json", str(data)]
    options += ["--requests", "20", "--corpora", str(corpora)]
    assert differential.main(options) == 0
    printed = capsys.readouterr().out
    assert "without a finding: 0 among software that connects" in printed
    assert re.search(r"urllib\.request: 0 of \d+ requests differ", printed)
    written = json.loads(data.read_text("utf-8"))
    assert [one["name"] for one in written["parsers"]] == [parser.name for parser in HERE]
    assert all(one["version"] for one in written["parsers"])
    assert {title: one["strings"] for title, one in written["tallies"].items()} == {
        "Selected strings": sum(map(len, TELLING.values())),
        "Web Platform Tests": 814,
        "A New Era of SSRF": 10,
        "PayloadsAllTheThings": 40,
        "Random strings": 200,
        "Real links": 2,
    }
    assert written["tallies"]["Random strings"]["requested"] == 20
    assert written["connections"]["http://127.1/"]
    text = page.read_text("utf-8")
    assert "--requests 20 --mutants 200 \\\n    --corpora FOLDER --markdown" in text
    for heading in ("Sets of strings", "Clients", "Parsers", "Findings", "Selected strings"):
        assert f"\n## {heading}\n" in text
    assert all(f"\n### {topic}\n" in text for topic in TELLING)
    assert "REDACTED" not in text


def test_browsers_and_probes_run_on_request_only(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[set[str]] = []

    def recorded(names: Sequence[str]) -> list[Parser]:
        asked.append({*names})
        return HERE

    monkeypatch.setattr(differential, "run", lambda *_args, **_options: report_on("a:b"))
    monkeypatch.setattr(differential, "installed", recorded)
    for options in ([], ["--probes"], ["--browsers"]):
        assert differential.main(["--mutants", "0", *options]) == 0
    assert not asked[0] & {"nginx", "Chromium"}
    assert {"nginx", "git"} <= asked[1]
    assert "Chromium" not in asked[1]
    assert {"Chromium", "Firefox"} <= asked[2]
    assert "nginx" not in asked[2]


def test_the_page_shows_a_wrong_adapter_and_differences_without_a_finding() -> None:
    report = report_on("http://a.example/", finding("httpx", "b.example"))
    report.verified["httpx"] = verified(
        report.parsers[1], {"http://a.example/": Target("a.example", 80), "http://b.example/": None}
    )
    report.tally(RANDOM).add_requests(
        "http://a.example/",
        {"httpx": None, "requests": Target("c", 80), "aiohttp": Target("d", 80)},
    )
    text = differential_page.as_markdown(report)
    assert re.search(r"\n\| httpx \| .* \| <code>b.example:80</code> \| no connection \|\n", text)
    assert re.search(r"\| <code>b.example:80</code> \| <code>a.example:80</code> \|\n", text)
    assert "no finding concerns the difference: 1." in text
    assert (
        "<code>c:80</code>: requests<br><code>d:80</code>: aiohttp<br>no connection: httpx" in text
    )


def test_the_lower_bound_is_the_share_that_would_rarely_show_no_failure() -> None:
    assert differential_page.lower_bound(1) == 5.0
    bound = differential_page.lower_bound(266)
    assert bound == 98.8
    assert (bound / 100) ** 266 < 0.05


def test_an_unexplained_difference_sets_the_exit_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(differential, "TELLING", {"One": ("http://a.example/",)})
    monkeypatch.setattr(differential, "installed", lambda _: [HERE[0], finding("b", "b.example")])
    assert differential.main(["--mutants", "0"]) == 1
    assert 'not explained: "http://a.example/"' in capsys.readouterr().out


@pytest.mark.extended
def test_findings_explain_all_differences_among_installed_software() -> None:
    report = differential.run(installed(), 2000, seed=3)
    assert [one.text for one in report.unexplained] == []
    assert report.different > 500


def test_the_committed_page_has_the_current_words() -> None:
    page = (DOCS / "differences.md").read_text("utf-8")
    paragraphs = [differential_page.INTRODUCTION, differential_page.NOTATION]
    assert [one for one in paragraphs if f"{one}\n" not in page] == []


def test_the_playground_gets_the_host_and_port_that_each_program_finds() -> None:
    report = report_on("http://a.example:81/", finding("other", "b.example"))
    report.telling["One"] = [compare("http://a.example:81/", report.parsers)]
    assert differential.answers_of(report.as_json()) == {
        "date": report.as_json()["date"],
        "programs": ["uriverse", "other"],
        "strings": {"http://a.example:81/": [["a.example:81", [0]], ["b.example", [1]]]},
    }


@pytest.mark.parametrize(
    ("host", "port", "target"),
    [
        *(("a.example", None, "a.example"), ("a.example", 80, "a.example:80")),
        *(("::1", 80, "[::1]:80"), ("a:b@c.example", None, "a:b@c.example")),
        ("", None, "(no host)"),
    ],
)
def test_the_playground_gets_hosts_of_the_command(host: str, port: int | None, target: str) -> None:
    assert differential.describe_target({"host": host, "port": port}) == target
