"""Hints for the command line, in place of hints that name Python functions or arguments."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from uriverse import URIError

HINTS = {
    'write "/." before the path, or set protect_path=True': 'write "/." before the path',
    'write "./" before the path, or set protect_path=True': 'write "./" before the path',
    "use with_path for a path with dot segments": "use --path for a path with dot segments",
    'pass a host, or host="" for an empty host': "set a host with --host",
    "pass the port as a separate argument": "set the port with --port",
    "pass the scheme without the colon": "write the scheme without the colon",
    'set walk_up=True to allow ".."': 'remove --no-walk-up to allow ".."',
    "use decode_bytes, or set errors to 'surrogateescape', 'replace' or 'keep'": (
        "use --errors replace or --errors keep"
    ),
    'parse the string as an IRI, and convert the host with to_uri(host="idna")': (
        "convert the IRI to a URI with uriverse to-uri --host idna"
    ),
    "use match_all, or separate the variables by a character that they cannot contain": (
        "separate the variables by a character that they cannot contain"
    ),
}


def reworded(error: URIError) -> URIError:
    """Replace the hint of an error if it names a Python function or argument."""
    error.hint = HINTS.get(error.hint, error.hint)
    return error
