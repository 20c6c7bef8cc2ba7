"""The entry point of `python -m uriverse`, which runs the command-line program."""

from uriverse._cli import main

if __name__ == "__main__":
    main()
