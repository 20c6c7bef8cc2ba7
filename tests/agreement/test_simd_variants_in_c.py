"""Every SIMD variant of the kernel's scanner returns the same results, on every processor.

The variants are plain C, and `variants.c` runs them without Python. Variants for other processors
run with a cross compiler and QEMU. Each variant is compared with one that computes its masks byte
by byte, and that variant is compared with the reference implementation.

`CC` and `CFLAGS` set the compiler for this machine and its options, for example sanitizers:

    CFLAGS="-g -fsanitize=address,undefined -fno-sanitize-recover=all" pytest THIS_FILE
"""

import os
import platform
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
import windows
from engines import SPEC
from walker import produces
from windows import EDGES, FAMILIES

from uriverse._spec.violation import find_first_violation

pytestmark = pytest.mark.extended

Command = tuple[str, ...]

#: The variants for each processor.
VARIANTS = {"x86_64": ("avx512", "avx2"), "aarch64": ("neon",)}

#: This machine's processor, under the name that Linux uses.
HERE = {"AMD64": "x86_64", "arm64": "aarch64"}.get(platform.machine(), platform.machine())

#: The Debian packages that compile and run programs for each processor.
PACKAGES = {
    "x86_64": "qemu-user gcc-x86-64-linux-gnu libc6-dev-amd64-cross",
    "aarch64": "qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
    HERE: "gcc libc6-dev",
}

SOURCE = Path(windows.__file__).with_name("variants.c")
#: An installed package has no sources of the kernel.
KERNEL = Path(__file__).resolve().parents[2] / "src" / "uriverse" / "_kernel"


def run(command: Sequence[str], given: bytes = b"") -> bytes:
    result = subprocess.run(command, input=given, capture_output=True, check=False)
    assert result.returncode == 0, (command, result.returncode, result.stderr.decode())
    return result.stdout


def compiles(compiler: Sequence[str]) -> bool:
    if shutil.which(compiler[0]) is None:
        return False
    smallest = b"#include <stdio.h>\nint main(void) { return 0; }\n"
    command = [*compiler, "-x", "c", "-"]
    return subprocess.run(command, input=smallest, capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Command]:
    """Return a function that compiles `variants.c` for a processor, or skips the test."""
    folder = tmp_path_factory.mktemp("variants")

    @cache
    def compiled(processor: str) -> Command:
        if processor not in VARIANTS:
            pytest.skip(f"the kernel has no SIMD variant for {processor}")
        if os.name != "posix":
            pytest.skip("Windows has no mprotect")
        built = str(folder / processor)
        if processor == HERE:
            runner: Command = ()
            compiler = shlex.split(os.environ.get("CC", "cc"))
            flags = shlex.split(os.environ.get("CFLAGS", ""))
        else:
            runner = (f"qemu-{processor}", "-cpu", "max")
            compiler, flags = [f"{processor}-linux-gnu-gcc"], ["-static"]
        compiler += ["-O2", *flags, "-o", built]
        if not all(map(shutil.which, runner[:1])) or not compiles(compiler):
            pytest.skip(f"needs a compiler and QEMU (apt install {PACKAGES[processor]})")
        run([*compiler, "-iquote", str(KERNEL), str(SOURCE)])
        return (*runner, built)

    return compiled


@pytest.fixture(scope="module", params=VARIANTS)
def processor(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(
    scope="module",
    params=[(processor, name) for processor, names in VARIANTS.items() for name in names],
    ids=":".join,
)
def variant(request: pytest.FixtureRequest, program: Callable[[str], Command]) -> Command:
    """The command that runs one variant on the cases in its standard input."""
    processor, name = request.param
    command = program(processor)
    if f"{name} 1" not in run(command).decode().splitlines():
        pytest.skip(f"this processor has no {name}")
    return (*command, name)


@pytest.fixture(scope="module")
def plain(program: Callable[[str], Command]) -> Command:
    """The command that runs the variant that computes its masks byte by byte."""
    return (*program(HERE), "plain")


@cache
def kinds() -> list[bytes]:
    """The ASCII characters of each kind, by the ABNF; the kernel adds "#" to those of a query."""
    rules = (("query", ""), ("scheme", "a"), ("ALPHA", ""), ("DIGIT", ""), ("HEXDIG", ""))
    return [
        bytes(c for c in range(128) if produces(rule, before + chr(c))) for rule, before in rules
    ]


def results(command: Command, strings: Iterable[bytes]) -> list[str]:
    cases = (len(case).to_bytes(4, "little") + case for case in (*kinds(), *strings))
    return run(command, b"".join(cases)).decode().splitlines()


def assert_results_agree(plain: Command, variant: Command, strings: Iterable[bytes]) -> None:
    strings = list(strings)
    expected, found = results(plain, strings), results(variant, strings)
    assert len(strings) == len(expected) == len(found)
    for string, wanted, result in zip(strings, expected, found, strict=True):
        assert result == wanted, string


def encoded(family: str) -> Iterator[bytes]:
    return (text.encode("utf-8", "surrogatepass") for text in FAMILIES[family]())


def test_the_c_program_contains_every_simd_variant_of_the_processor(
    program: Callable[[str], Command], processor: str
) -> None:
    *names, last = (line.split()[0] for line in run(program(processor)).decode().splitlines())
    assert tuple(names) == VARIANTS[processor]
    assert last == "none"


@pytest.mark.parametrize("family", FAMILIES)
def test_simd_variants_agree_with_byte_scans(plain: Command, variant: Command, family: str) -> None:
    assert_results_agree(plain, variant, encoded(family))


def test_a_simd_variant_agrees_on_every_byte_at_every_position_of_a_window(
    plain: Command, variant: Command
) -> None:
    first, later = b"?" + b"a" * 63, b"?" + b"a" * 127
    assert_results_agree(
        plain,
        variant,
        (
            whole[:place] + bytes([c]) + whole[place + 1 :]
            for whole, start in ((first, 0), (later, 64))
            for place, c in product(range(start, start + 64), range(256))
        ),
    )


def test_a_simd_variant_agrees_on_every_triplet_at_the_edges_of_windows(
    plain: Command, variant: Command
) -> None:
    triplets = [b"%%%c%c" % pair for c in range(256) for pair in ((c, 0x46), (0x61, c))]
    assert_results_agree(
        plain,
        variant,
        (
            b"//".ljust(place, b"a") + triplet + end
            for place, triplet, end in product(EDGES, triplets, (b"", b"/"))
        ),
    )


def test_a_simd_variant_agrees_on_random_bytes(plain: Command, variant: Command) -> None:
    random = Random(5)
    assert_results_agree(
        plain, variant, (random.randbytes(random.randrange(300)) for _ in range(20_000))
    )


def may_be_unsure(data: bytes, scheme_end: int, authority: int) -> bool:
    """Return whether docs/concepts/scanning.md says that this string is scanned byte by byte."""
    delimiter = re.compile(rb"[:/?#@]")
    first = delimiter.search(data)
    return (
        not data
        or b"[" in data
        or scheme_end > 16
        or (first is not None and first[0] == b"@")
        or (len(data) > 64 and delimiter.search(data[:64], max(authority, 0)) is None)
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_byte_by_byte_scanning_agrees_with_the_reference(plain: Command, family: str) -> None:
    strings = list(FAMILIES[family]())
    for text, line in zip(strings, results(plain, encoded(family)), strict=True):
        result, *bounds = line.split()
        value = SPEC.types["IRI-reference"].try_parse(text)
        if value is None:
            # The variants do not check which non-ASCII characters are allowed.
            assert result != "plain", text
            if result == "past-ascii":
                assert text[find_first_violation(text, "IRI-reference")[1]] >= "\x80", text
            continue
        in_bytes = [b if b < 0 else len(text[:b].encode()) for b in value._bounds]
        if result == "unsure":
            assert may_be_unsure(text.encode(), *in_bytes[:2]), text
            continue
        assert text.isascii() == (result == "plain"), text
        past_ascii = next((k for k, c in enumerate(text) if c >= "\x80"), -1)
        assert [*map(int, bounds)] == [*in_bytes, past_ascii], text
