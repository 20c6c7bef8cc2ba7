import shutil
from pathlib import Path

from interpreters import run_python

import uriverse

PACKAGE = Path(uriverse.__file__).parent

DESCRIPTOR = """DESCRIPTORS = {
    "x-part": Descriptor(
        replace(HOSTED, default_port=4711, authority="optional"),
        typed="part.PartURI",
        in_text=r"[0-9]",
    ),
"""

TYPED = '''"""Part numbers, such as `x-part:12`."""

from typing import final

from .base import TypedURI


@final
class PartURI(TypedURI):
    """A part number."""

    __slots__ = ()
    _schemes = ("x-part",)
    _scheme_rule = "part-URI"

    def _check_scheme_rules(self) -> None:
        if not self.path.strip("/").isdecimal():
            self._reject(self._bounds[4], "path", "number", "invalid part number")

    @property
    def number(self) -> int:
        """The number of the part."""
        return int(self.path.strip("/"))
'''

PROGRAM = """
import uriverse
from uriverse import SCHEMES, URI, check, extract, parse
from uriverse._typed import find_typed_class, list_typed_classes

PartURI = find_typed_class("X-Part")
assert PartURI in list_typed_classes()
part = PartURI("x-part:12")
assert (part.number, part == URI("x-part:12"), type(part.with_path("a"))) == (12, True, URI)
assert PartURI.try_parse("x-part:a") is None
assert SCHEMES["x-part"].default_port == 4711
assert str(parse("x-part://h:4711").normalize(scheme=True)) == "x-part://h/"
assert "invalid part number" in [finding.message for finding in check("x-part:a")]
assert "scheme-syntax" not in [finding.code for finding in check("x-part:12")]
assert [str(found.value) for found in extract("part x-part:12, and x-part: that")] == ["x-part:12"]
print(uriverse.__file__)
"""


def test_a_scheme_with_a_typed_class_touches_two_files(tmp_path: Path) -> None:
    copy = tmp_path / "uriverse"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    descriptors = copy / "schemes" / "_descriptors.py"
    text = descriptors.read_text("utf-8")
    assert text.count("DESCRIPTORS = {\n") == 1
    descriptors.write_text(text.replace("DESCRIPTORS = {\n", DESCRIPTOR), "utf-8")
    (copy / "_typed" / "part.py").write_text(TYPED, "utf-8")
    done = run_python("-c", PROGRAM, cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)})
    assert done.stderr == ""
    assert done.stdout.strip() == str(copy / "__init__.py")
