"""Jobs that people do in a shell, each in one pipeline that bash runs with the command itself."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from platforms import unix

pytestmark = unix


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run each test in an empty folder, with the command on the path."""
    command = tmp_path / "bin" / "uriverse"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-m", "uriverse"])} "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "C")
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")


def lines(name: str, *content: str) -> None:
    """Write a file with these lines."""
    Path(name).write_text("".join(f"{line}\n" for line in content), "utf-8")


def job(pipeline: str, status: int = 0) -> list[str]:
    """Run a pipeline, and return the lines of its standard output."""
    result = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {pipeline}"],
        capture_output=True,
        check=False,
        text=True,
        encoding="utf-8",
    )
    assert result.returncode == status, result.stderr
    return result.stdout.splitlines()


# --- query parameters


def test_replace_the_values_of_all_parameters() -> None:
    """Prepare a list of URLs for a fuzzer: one URL for each set of parameters, without values."""
    lines("urls.txt", "http://a/?id=1&q=x", "http://a/?id=2&q=y", "http://a/?id=3", "http://a/")
    pipeline = "uriverse set --normalize --query-replace '*=FUZZ' < urls.txt | sort -u"
    assert job(pipeline) == ["http://a/", "http://a/?id=FUZZ", "http://a/?id=FUZZ&q=FUZZ"]


def test_keep_one_url_for_each_set_of_parameters() -> None:
    """Remove URLs that differ only in the values of parameters, and keep a real example of each."""
    lines(
        "urls.txt", "http://a/?id=1&q=x", "http://a/?id=2&q=y", "http://a/b?id=1", "http://a/?q=1"
    )
    names = "uriverse set --query-replace '*=' --keep-invalid < urls.txt"
    first = "awk -F '\\t' '!seen[$1]++ { print $2 }'"
    assert job(f"paste <({names}) urls.txt | {first}") == [
        "http://a/?id=1&q=x",
        "http://a/b?id=1",
        "http://a/?q=1",
    ]


def test_drop_tracking_parameters_in_a_file() -> None:
    """Remove tracking parameters from a file of URLs, and keep the original as a backup."""
    lines("urls.txt", "http://a/?utm_source=x&id=1", "http://b/?id=2&fbclid=y#top")
    words = "set --query-drop 'utm_*' --query-drop fbclid --file urls.txt"
    assert job(f"uriverse {words} --in-place --backup .bak && cat urls.txt") == [
        "http://a/?id=1",
        "http://b/?id=2#top",
    ]
    assert "utm_source" in Path("urls.txt.bak").read_text()


def test_extract_a_parameter() -> None:
    """List the values of a query parameter, decoded, without the URLs that lack it."""
    lines("urls.txt", "http://a/?q=caf%C3%A9+noir", "http://a/?p=1", "http://a/?p=2&q=1%2B1")
    assert job("uriverse get -g '{query:q}' < urls.txt | grep .") == ["café noir", "1+1"]


def test_count_the_names_of_parameters() -> None:
    """Find out which query parameters a site uses, the most frequent first."""
    lines("urls.txt", "http://a/?id=1&q=x", "http://a/?id=2", "http://b/?id=3")
    counted = job("uriverse get query-names < urls.txt | tr ' ' '\\n' | sort | uniq -c | sort -rn")
    assert [line.split() for line in counted] == [["3", "id"], ["1", "q"]]


def test_write_a_query_for_each_line_of_a_file() -> None:
    """Make a search URL for each search term in a file."""
    lines("terms.txt", "a&b", "café noir", "50%")
    assert job("uriverse encode < terms.txt | sed 's|^|https://a.example/search?q=|'") == [
        "https://a.example/search?q=a%26b",
        "https://a.example/search?q=caf%C3%A9%20noir",
        "https://a.example/search?q=50%25",
    ]


# --- hosts, sites and paths


def test_count_urls_by_host() -> None:
    """Count the URLs of each host in a log, the most frequent first."""
    lines("urls.txt", "http://B.example/1", "http://a.example/2", "http://b.example:80/3")
    pipeline = "uriverse normalize < urls.txt | uriverse get host | sort | uniq -c | sort -rn"
    assert [line.split() for line in job(pipeline)] == [["2", "b.example"], ["1", "a.example"]]


def test_keep_one_url_for_each_site() -> None:
    """Choose one URL for each site of a list, to check every site once."""
    lines("urls.txt", "https://a.site.co.uk/1", "https://b.site.co.uk/2", "https://other.co.uk/")
    sites = "uriverse get --format '{scheme}://{registrable_domain}\\t{url}' < urls.txt"
    assert job(f"{sites} | awk -F '\\t' '!seen[$1]++ {{ print $2 }}'") == [
        "https://a.site.co.uk/1",
        "https://other.co.uk/",
    ]


def test_list_the_registrable_domains() -> None:
    """List the registrable domains of all hosts in a list of URLs."""
    lines("urls.txt", "https://a.site.co.uk/", "https://www.example.com/", "https://b.site.co.uk/")
    pipeline = "uriverse get registrable_domain < urls.txt | sort -u"
    assert job(pipeline) == ["example.com", "site.co.uk"]


def test_count_urls_by_the_first_segment_of_the_path() -> None:
    """Count the pages in each section of a site."""
    lines("urls.txt", "http://a/docs/1", "http://a/docs/2", "http://a/blog/", "http://a/docs?q")
    counted = job("uriverse get --format '{segments[1]}' < urls.txt | sort | uniq -c | sort -rn")
    assert [line.split() for line in counted] == [["3", "docs"], ["1", "blog"]]


def test_list_the_origins_for_a_content_security_policy() -> None:
    """List the origins of all URLs, without their default ports."""
    lines("urls.txt", "https://a.example:443/x", "https://A.example/y", "http://a.example:8080/")
    assert job("uriverse get origin < urls.txt | sort -u") == [
        "http://a.example:8080",
        "https://a.example",
    ]


def test_append_path_segments() -> None:
    """Append a file name to the URL of each folder, with the characters encoded that need it."""
    lines("urls.txt", "https://a.example/files/", "https://b.example")
    assert job("uriverse set --append 'path=50% off.txt' < urls.txt") == [
        "https://a.example/files/50%25%20off.txt",
        "https://b.example/50%25%20off.txt",
    ]


def test_sort_urls_by_surt() -> None:
    """Sort URLs as web archives do, so that all hosts of a domain stand together."""
    lines("urls.txt", "https://www.b.example/", "https://a.test/x", "https://b.example/y")
    assert job("uriverse get --format '{surt}\\t{url}' < urls.txt | sort | cut -f 2") == [
        "https://b.example/y",
        "https://www.b.example/",
        "https://a.test/x",
    ]


# --- links of documents


def test_list_the_links_of_a_text() -> None:
    """List the distinct links in the files of a folder."""
    lines("a.md", "See <http://a.example/b>, and [this](http://c.example/d).")
    lines("b.md", "See http://A.example/b.")
    assert job("uriverse extract *.md | uriverse normalize | sort -u") == [
        "http://a.example/b",
        "http://c.example/d",
    ]


def test_resolve_a_list_of_links() -> None:
    """Make the links of a page absolute, and keep those to other hosts."""
    lines("links.txt", "../c", "//d.example/", "?q", "https://e.example/#f", "#top")
    pipeline = "uriverse resolve https://a.example/b/ < links.txt | grep -v '^https://a.example/'"
    assert job(pipeline) == ["https://d.example/", "https://e.example/#f"]


def test_check_the_relative_links_of_a_page() -> None:
    """Report links that a browser would read differently, with the address of the page as base."""
    lines("links.txt", "../c", "a\\b", "//x@y/")
    pipeline = "uriverse check --profile web --base https://a.example/ --file links.txt"
    found = job(f"{pipeline} | cut -d : -f 1,2 | uniq", status=1)
    assert found == ["links.txt:2", "links.txt:3"]


# --- files


def test_edit_a_column_of_a_csv_file_in_place() -> None:
    """Change http to https in a column of a CSV file, and change nothing else in the file."""
    Path("a.csv").write_bytes(b'"id",link,"note"\r\n1,"http://a/","x, ""y"""\r\n2,http://b/,\r\n')
    words = "set --scheme https --file a.csv --field link --in-place"
    assert job(f"uriverse {words} && cat a.csv") == [
        '"id",link,"note"',
        '1,"https://a/","x, ""y"""',
        "2,https://b/,",
    ]


def test_edit_a_field_of_a_json_lines_file() -> None:
    """Normalize the URLs in an export of a database, and pass the records on."""
    lines("a.jsonl", '{"id": 1.50, "url": "HTTP://A.example/%7eb"}', '{"id": 2}')
    assert job("uriverse normalize --file a.jsonl --field url | cat") == [
        '{"id": 1.50, "url": "http://a.example/~b"}',
        '{"id": 2}',
    ]


def test_review_an_edit_before_it_is_made() -> None:
    """Print the changes as a diff, and count the lines that an edit would change."""
    lines("urls.txt", "http://a/b/../c", "http://a/b", "HTTP://a/")
    assert job("uriverse normalize --file urls.txt --dry-run | grep -c '^+[^+]'") == ["2"]
    assert Path("urls.txt").read_text() == "http://a/b/../c\nhttp://a/b\nHTTP://a/\n"


def test_convert_file_names_to_urls() -> None:
    """Encode file names of any kind for the URLs of a web server."""
    for name in ("a b.txt", "50%.txt", "two\nlines.txt"):
        Path(name).touch()
    pipeline = "find . -name '*.txt' -print0 | uriverse encode -z --component path | tr '\\0' '\\n'"
    assert job(f"{pipeline} | sort") == ["./50%25.txt", "./a%20b.txt", "./two%0Alines.txt"]


def test_compare_two_lists_after_normalization() -> None:
    """Find the URLs of the new list that the old list lacks, in any spelling."""
    lines("old.txt", "HTTP://A.example/%7eb", "http://a.example/x/../c")
    lines("new.txt", "http://a.example/c", "http://a.example/~b", "http://a.example/d")
    names = ("old", "new")
    old, new = (f"<(uriverse normalize --file {name}.txt | sort)" for name in names)
    assert job(f"comm -13 {old} {new}") == ["http://a.example/d"]


# --- safety


def test_redact_a_log() -> None:
    """Search a log for failed requests, without the secrets in its URLs."""
    lines("log", "GET https://me:pw@a.example/?token=abc 500", "GET https://a.example/ 200")
    assert job("uriverse redact log | grep ' 500$'") == [
        "GET https://me:REDACTED@a.example/?token=REDACTED 500"
    ]


def test_filter_urls_by_an_allow_rule() -> None:
    """Pass on only the URLs that a policy allows."""
    lines("policy.toml", 'allow = ["*.example.com"]')
    lines("urls.txt", "https://a.example.com/", "https://example.com.evil.test/", "ftp://a/")
    pipeline = (
        "uriverse policy test policy.toml < urls.txt | sed -n 's/^allowed: \\([^ ]*\\) .*/\\1/p'"
    )
    assert job(pipeline, status=1) == ["https://a.example.com/"]


def test_find_lookalikes() -> None:
    """List the lines of a file whose hosts look like other hosts."""
    lines("urls.txt", "https://paypal.com/", "https://xn--pypal-4ve.com/", "https://a.example/")
    pipeline = "uriverse check --profile web --file urls.txt | grep misleading-host"
    assert job(f"{pipeline} | cut -d : -f 2") == ["2"]


def test_convert_iris_to_uris_and_back() -> None:
    """Convert addresses with non-ASCII characters to ASCII for another program, and back."""
    lines("iris.txt", "https://bücher.example/rosé?q=ü", "https://a.example/%2F")
    uris = job("uriverse to-uri --host idna < iris.txt | tee uris.txt")
    assert uris[0] == "https://xn--bcher-kva.example/ros%C3%A9?q=%C3%BC"
    assert job("uriverse to-iri --host idna < uris.txt | diff - iris.txt") == []
