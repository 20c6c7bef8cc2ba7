import json
from pathlib import Path

import pytest

from conformance import ordinary_urls
from conformance.suites import VARIABLE

#: The codes of the ordinary URLs that are refused: two slashes at the start of a path, a dot at the
#: end of a host, and a host that IDNA 2008 rejects.
REFUSED = ["path-like-authority", "rule", "trailing-dot"]

available = pytest.mark.skipif(not ordinary_urls.suite().is_file(), reason="the suite is not there")


@available
@pytest.mark.parametrize("end", ["", "/"])
def test_a_rule_for_an_origin_refuses_at_most_three_of_158_ordinary_urls(end: str) -> None:
    urls = ordinary_urls.load(ordinary_urls.suite())
    refused = [found for url in urls if (found := ordinary_urls.refusal(url, end))]
    assert len(urls) == 158
    assert sorted(found.code for found in refused) == REFUSED, refused


@available
def test_the_command_prints_refusals_with_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert ordinary_urls.main() == 0
    output = capsys.readouterr().out
    assert output.startswith("158 ordinary URLs, 3 refused under a rule for their origin\n")
    assert "https://x.example.org//a\n  path-like-authority: " in output


def test_the_command_counts_what_a_policy_refuses_in_another_suite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert ordinary_urls.main() == 2
    (tmp_path / "ordinary-urls.json").write_text(json.dumps({"urls": ["https://a.b//c"] * 4}))
    assert ordinary_urls.main() == 1
    assert "4 ordinary URLs, 4 refused" in capsys.readouterr().out
