"""A worker for the tests of `uriverse_compare._programs`.

The argument is the name of a kind of answer, or the answer to every string.
"""

import subprocess
import sys
import time
from pathlib import Path

SLEEP = (sys.executable, "-c", "import time; time.sleep(600)")


answered: list[str] = []


def crash(digits: str) -> str:
    """Answer the first string; at the second, end with a message that is not UTF-8."""
    if answered:
        sys.stderr.buffer.write(b"no memory\xff")
        sys.exit(1)
    answered.append(digits)
    return "+"


def hang(_: str) -> str:
    """Start another process, write its number to the file `sys.argv[2]`, and wait."""
    with subprocess.Popen(SLEEP) as child:
        Path(sys.argv[2]).write_text(str(child.pid), "ascii")
        time.sleep(600)
    return "+"


ANSWERS = {
    "echo": "+ path={}".format,
    "refuse": "- {}".format,
    "fault": "! {}".format,
    "twice": "+\n+".format,
    "crash": crash,
    "hang": hang,
}

for line in sys.stdin:
    digits = line.strip().removeprefix("x")
    if sys.argv[1] != "silent":
        answer = ANSWERS.get(sys.argv[1], sys.argv[1].format)
        sys.stdout.write(f"{answer(digits)}\n")
