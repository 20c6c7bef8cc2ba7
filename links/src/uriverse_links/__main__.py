"""Run the command `uriverse-links`: `python -m uriverse_links`."""

import sys

from uriverse_links._cli import main

sys.exit(main())
