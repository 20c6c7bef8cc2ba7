"""Write all generated files that are stored, or check that they are up to date.

python tools/make_all.py            write the files
python tools/make_all.py --check    fail if a file is out of date
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

#: The scripts, each after those that write what it reads.
SCRIPTS = ("grammar", "registries", "typed", "columns", "findings", "names", "api")


def main() -> int:
    """Run the scripts with the arguments of the command line; return the exit status."""
    folder = Path(__file__).parent
    commands = [
        [sys.executable, str(folder / f"make_{name}.py"), *sys.argv[1:]] for name in SCRIPTS
    ]
    # A list, so that each script runs even if one has failed.
    return max([subprocess.run(command, check=False).returncode for command in commands])  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
