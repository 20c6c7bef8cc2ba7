"""`python -m uriverse`: the command line."""

from uriverse.cli import main

if __name__ == "__main__":
    main()
