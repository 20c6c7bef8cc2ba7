"""Run one fuzz target until its time is over, or until it finds a bug.

`fuzz/run` starts this script. With atheris, the coverage of the Python code guides the choice of
inputs. Because each target compares the kernel with the reference implementation, this reaches
the branches of the kernel too. Without atheris, inputs are random.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
for folder in (str(ROOT / "tests" / "support"), str(ROOT)):
    if folder not in sys.path:
        sys.path.append(folder)

from draws import changed, seed_input  # noqa: E402
from driver import CORPUS, CRASHES, FINDING  # noqa: E402

#: A longer input finds no more bugs, but takes more time. Other tests check long strings.
LONGEST_INPUT = 512
#: One input that takes longer than this many seconds is a finding.
LONGEST_TIME = 30

Check = Callable[[bytes], None]


def seeds(target: str) -> list[bytes]:
    """Return the inputs in the corpus of a target."""
    lines = (CORPUS / f"{target}.jsonl").read_text("utf-8").splitlines()
    return [seed_input(line) for line in lines]


def random_inputs(known: list[bytes], random: Random) -> Iterator[bytes]:
    """Yield the known inputs, and then random inputs and changed known inputs without end."""
    yield b""
    yield from known
    while True:
        kind = random.randrange(4)
        if kind < 2:
            yield random.randbytes(random.choice((4, 16, 64, 256)))
        elif kind == 2:
            yield changed(random.choice(known), random)
        else:
            data = bytearray(random.choice(known))
            for _ in range(random.randint(1, 4)):
                at = random.randrange(len(data) + 1)
                data[at : at + random.randrange(3)] = random.randbytes(random.randrange(3))
            yield bytes(data)


def fuzz_at_random(check: Check, known: list[bytes], seconds: float, seed: int, name: str) -> int:
    """Check random inputs; return the exit status."""
    CRASHES.mkdir(exist_ok=True)
    deadline = time.monotonic() + seconds
    count = 0
    # After a crash of the interpreter, this file still contains the input.
    current = CRASHES / f"{name}-running"
    with current.open("wb", buffering=0) as file:
        for data in random_inputs(known, Random(seed)):  # noqa: S311 - no secrets
            if time.monotonic() > deadline:
                break
            file.seek(0)
            file.truncate()
            file.write(data)
            count += 1
            try:
                check(data)
            except Exception:  # noqa: BLE001 - every exception is a finding
                traceback.print_exc()
                kept = CRASHES / f"{name}-{hashlib.sha256(data).hexdigest()[:16]}"
                current.rename(kept)
                print(f"stat::number_of_executed_units: {count}\ninput written to {kept}")
                return FINDING
    current.unlink()
    print(f"stat::number_of_executed_units: {count}")
    return 0


def fuzz_with_atheris(target: str, seconds: float, seed: int, atheris: Any) -> None:
    """Check inputs that atheris chooses; this function does not return."""
    CRASHES.mkdir(exist_ok=True)
    with atheris.instrument_imports(include=["uriverse"]):
        check: Check = import_module(f"harnesses.{target}").check

    def mutated(data: bytes, longest: int, seed: int) -> bytes:
        random = Random(seed)  # noqa: S311 - no secrets
        if random.randrange(2):
            return bytes(atheris.Mutate(data, longest))
        return changed(data, random)[:longest]

    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(seeds(target)):
            Path(folder, f"{number:03}").write_bytes(data)
        flags = {
            "artifact_prefix": f"{CRASHES}/{target}-",
            "max_len": LONGEST_INPUT,
            "max_total_time": max(1, round(seconds)),
            "print_final_stats": 1,
            "rss_limit_mb": 4096,
            "seed": seed,
            "timeout": LONGEST_TIME,
        }
        words = [sys.argv[0], folder, *(f"-{name}={value}" for name, value in flags.items())]
        atheris.Setup(words, check, custom_mutator=mutated)
        atheris.Fuzz()


def main() -> int:
    """Run the target that the command line names; return the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("target")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--input", type=Path)
    options = parser.parse_args()
    if options.input:
        import_module(f"harnesses.{options.target}").check(options.input.read_bytes())
        return 0
    try:
        atheris = import_module("atheris")
    except ImportError:
        check = import_module(f"harnesses.{options.target}").check
        known = seeds(options.target)
        return fuzz_at_random(check, known, options.seconds, options.seed, options.target)
    fuzz_with_atheris(options.target, options.seconds, options.seed, atheris)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
