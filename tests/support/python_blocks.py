"""Run the Python code of a document as a reader does who copies one block of it."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

CODE = re.compile(
    r"^(?P<indent> *)```python\n(?P<code>.*?)^(?P=indent)```", re.MULTILINE | re.DOTALL
)

#: The last sentence before a block that does not work alone.
CONTINUING = re.compile(r"Continuing with ((?:`\w+`(?:, | and )?)+) from above:")


class Block(NamedTuple):
    line: int
    #: The names that it uses from earlier blocks, as the sentence before it says.
    continued: list[str]
    code: str


def blocks(path: Path) -> Iterator[Block]:
    document = path.read_text("utf-8")
    for match in CODE.finditer(document):
        before = document[: match.start("code")]
        sentence = " ".join(before.removesuffix("```python\n").split())[-200:]
        continuing = list(CONTINUING.finditer(sentence))
        is_last = bool(continuing) and sentence.endswith(continuing[-1][0])
        names = re.findall(r"\w+", continuing[-1][1]) if is_last else []
        yield Block(before.count("\n"), [name for name in names if name != "and"], match["code"])


def run(path: Path) -> tuple[int, int]:
    """Run each block with no names but those that it continues with; count failures and prompts."""
    runner = doctest.DocTestRunner()
    defined: dict[str, Any] = {}
    for block in blocks(path):
        names = {name: defined[name] for name in block.continued}
        if ">>> " in block.code:
            example = doctest.DocTestParser().get_doctest(
                block.code, names, path.name, str(path), block.line
            )
            runner.run(example, clear_globs=False)
            names = example.globs
        else:
            exec(block.code, names)
        defined |= names
    return runner.failures, runner.tries
