"""Jobs that people do in a shell, each in one pipeline that bash runs with the command itself.

The other tests run each command alone. These show that commands work together, and with the tools
that read their output.
"""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from platforms import unix

#: For each job: a file, its lines, the pipeline, and its output.
JOBS = [
    # Keep a real example of the URLs that differ only in the values of parameters.
    (
        "http://a/?id=1&q=x http://a/?id=2&q=y http://a/b?id=1 http://a/?q=1",
        (
            "paste <(uriverse set --query-replace '*=' --keep-invalid < in) in "
            "| awk -F '\\t' '!seen[$1]++ { print $2 }'"
        ),
        "http://a/?id=1&q=x http://a/b?id=1 http://a/?q=1",
    ),
    # Choose one URL for each site of a list.
    (
        "https://a.site.co.uk/1 https://b.site.co.uk/2 https://other.co.uk/",
        (
            "uriverse get --format '{scheme}://{registrable_domain}\\t{url}' < in "
            "| awk -F '\\t' '!seen[$1]++ { print $2 }'"
        ),
        "https://a.site.co.uk/1 https://other.co.uk/",
    ),
    # Count the URLs of each host, the most frequent first.
    (
        "http://B.example/1 http://a.example/2 http://b.example:80/3",
        "uriverse normalize < in | uriverse get host | sort | uniq -c | sort -rn | tr -s ' '",
        "2 b.example 1 a.example",
    ),
    # Sort URLs as web archives do, so that all hosts of a domain stand together.
    (
        "https://www.b.example/ https://a.test/x https://b.example/y",
        "uriverse get --format '{surt}\\t{url}' < in | sort | cut -f 2",
        "https://b.example/y https://www.b.example/ https://a.test/x",
    ),
    # Encode file names of any kind for the URLs of a web server.
    (
        "",
        (
            "touch 'a b.txt' $'two\\nlines.txt'; find . -name '*.txt' -print0 "
            "| uriverse encode -z --component path | tr '\\0' '\\n' | sort"
        ),
        "./a%20b.txt ./two%0Alines.txt",
    ),
    # Find the URLs of a new list that the old list lacks, in any spelling.
    (
        "HTTP://A.example/%7eb http://a.example/x/../c",
        (
            "comm -13 <(uriverse normalize --file in | sort) "
            "<(uriverse normalize http://a.example/{c,~b,d} | sort)"
        ),
        "http://a.example/d",
    ),
    # Pass on only the URLs that a policy allows; the command fails, since it rejects some.
    (
        "https://a.example.com/ https://example.com.evil.test/ ftp://a/",
        (
            """echo 'allow = ["*.example.com"]' > p.toml; (! uriverse policy test p.toml < in) """
            "| sed -n 's/^allowed: \\([^ ]*\\) .*/\\1/p'"
        ),
        "https://a.example.com/",
    ),
    # Convert addresses to ASCII for another program, and back.
    (
        "https://bücher.example/rosé?q=ü https://a.example/%2F",
        "uriverse to-uri --host idna < in | uriverse to-iri --host idna | diff - in && echo same",
        "same",
    ),
]


@unix
@pytest.mark.parametrize(("lines", "pipeline", "output"), JOBS, ids=[job[1][:40] for job in JOBS])
def test_a_pipeline_does_the_job(
    lines: str, pipeline: str, output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = Path("bin/uriverse").absolute()
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-m", "uriverse"])} "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(command.parent), prepend=os.pathsep)
    monkeypatch.setenv("LC_ALL", "C")
    Path("in").write_text("".join(f"{line}\n" for line in lines.split()), "utf-8")
    result = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {pipeline}"], capture_output=True, check=False
    )
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.decode().split() == output.split()
