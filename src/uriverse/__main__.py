"""Run the command line with `python -m uriverse`."""

from uriverse.cli import main

if __name__ == "__main__":
    main()
