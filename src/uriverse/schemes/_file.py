"""The `file` scheme ([RFC 8089](https://www.rfc-editor.org/rfc/rfc8089)).

The grammar is that of RFC 8089, 2, with those variations of RFC 8089, Appendix E, that are valid
URIs: a leading drive letter (RFC 8089, E.2) and a UNC string in the path (RFC 8089, E.3.2).
Userinfo is rejected, for the reason that RFC 8089, E.1, gives.
"""

from __future__ import annotations

import re
from typing import NoReturn

from uriverse._errors import BuildError
from uriverse._lazy import lazy_pattern
from uriverse._spec.components import AllParts
from uriverse._spec.grammar.rfc3986 import (
    IP_literal,
    IPv6address,
    IPvFuture,
    path_absolute,
    reg_name,
)
from uriverse._spec.grammar.rfc5234 import ALPHA
from uriverse._spec.percent import LONE_SURROGATE, decode_unreserved_triplets, find_surrogate

# file-URI       = file-scheme ":" file-hier-part
# file-hier-part = ( "//" auth-path ) / local-path
# auth-path      = [ file-auth ] path-absolute
#                / unc-authority path-absolute              ; E.3.2
# local-path     = [ drive-letter ] path-absolute           ; E.2
# file-auth      = "localhost" / host

#: The path of an auth-path, or of a local-path that does not begin with a drive letter.
PATH_ABSOLUTE = lazy_pattern(path_absolute)

# drive-letter   = ALPHA ":"
drive_letter = f"[{ALPHA}]:"

#: A local-path with a drive letter.
DRIVE_LETTER_AND_PATH = lazy_pattern(f"{drive_letter}{path_absolute}")

# inline-IP      = "%5B" ( IPv6address / IPvFuture ) "%5D"
inline_ip = f"%5[Bb](?P<IP>{IPv6address}|{IPvFuture})%5[Dd]"

# file-host      = inline-IP / IPv4address / reg-name
#
# The rule reg-name also matches every IPv4address, and an empty string. Here the host must not be
# empty, so that the slashes before the host can be distinguished from the slash after it.
file_host = f"(?!/)(?P<host>{inline_ip}|{reg_name})"

#: unc-authority path-absolute, without the two slashes before the URI's own empty authority. The
#: unc-authority consists of 2*3"/" and the host.
UNC = lazy_pattern(f"///?+{file_host}(?P<path>{path_absolute})")

# A letter, which means the same if it is percent-encoded (RFC 3986, 2.3).
letter = f"(?:[{ALPHA}]|%(?:[46][1-9A-Fa-f]|[57][0-9Aa]))"

#: A drive letter at the start of a path, followed by a slash. The colon may be percent-encoded:
#: some programs write it that way, and it cannot mean anything else here.
DRIVE = lazy_pattern(f"/?({letter})(?::|%3[Aa])(?=/)")

#: A drive letter at the start of a path, followed by any character.
DRIVE_LETTER = lazy_pattern(f"/?{letter}(?::|%3[Aa])")

#: The start of an old file URI, with a vertical line in place of the colon (RFC 8089, E.2.2).
#: A vertical line is not allowed in a URI, so some programs percent-encoded it.
OLD_DRIVE = lazy_pattern(rf"((?ai:file):(?:(?://[^/?#]*+)?/)?{letter})(?:\||%7[Cc])(?=/)")

#: Percent-encoded triplets that cannot be decoded in a POSIX path: a slash would split a file name,
#: and a NUL would end the path.
NOT_IN_POSIX = lazy_pattern("%(?:00|2[Ff])")

#: Strings that are not allowed in the names of a Windows path. A colon would separate the name of a
#: file from the name of a stream. RFC 8089, E.3.1, allows streams, but here a path
#: always names a file.
NOT_IN_WINDOWS = lazy_pattern(":|%(?:00|2[Ff]|3[Aa]|5[Cc])")

#: A Windows path that begins with a drive and its root, or with a host and a share. ([MS-DTYP]
#: 2.2.57 defines UNC strings.)
WINDOWS_DRIVE = lazy_pattern(rf"(?P<drive>[{ALPHA}]:)(?P<names>\\.*+)", re.DOTALL)
WINDOWS_UNC = lazy_pattern(
    r"\\\\(?P<host>[^\\]++)(?P<names>\\(?P<share>[^\\]++)(?:\\.*+)?)", re.DOTALL
)

#: Names that are not hosts: the prefixes of Windows namespaces, for which RFC 8089, Appendix C,
#: does not define a URI, and dot segments.
NO_HOSTS = ("?", ".", "..")

NOT_ABSOLUTE = "relative path: a file URI needs an absolute path"
NAMESPACE = "invalid host: no URI is defined for the namespaces of Windows"

#: Names that are not shares: dot segments.
NO_SHARES = (".", "..")


def is_file_uri(host: str | None, path: str) -> bool:
    """Return True if a host, `None` without an authority, and a path form a valid file URI."""
    if PATH_ABSOLUTE.fullmatch(path):
        return True
    if host is None:
        return DRIVE_LETTER_AND_PATH.fullmatch(path) is not None
    return match_unc_string(host, path) is not None


def match_unc_string(host: str | None, path: str) -> re.Match[str] | None:
    return UNC.fullmatch(path) if host == "" else None


def is_local_host(host: str) -> bool:
    return host == "" or decode_unreserved_triplets(host).lower() == "localhost"


def replace_drive_bar(text: str) -> str:
    """Replace a vertical line after the drive letter with a colon (RFC 8089, E.2.2)."""
    return OLD_DRIVE.sub(r"\1:", text, count=1) if OLD_DRIVE.match(text) else text


def normalize(parts: AllParts) -> AllParts:
    """Replace the host `localhost` of a `file` URI with an empty host (RFC 8089, 2).

    The two slashes of the authority are kept. URIs with userinfo or a port are not changed, because
    RFC 8089 does not allow them. The host is also kept if the path begins with two slashes, because
    after an empty host such a path would be a UNC string.
    """
    has_userinfo_or_port = parts.userinfo is not None or parts.port is not None
    if parts.host is None or has_userinfo_or_port or parts.path.startswith("//"):
        return parts
    return parts._replace(host="") if is_local_host(parts.host) else parts


def convert_for_comparison(parts: AllParts) -> AllParts:
    """Normalize the components of a file URI, and give one without an authority an empty host."""
    if parts.host is None and is_file_uri(None, parts.path):
        # Without an authority, a normal path with two slashes at its start is shielded by "/.".
        path = parts.path.removeprefix("/.") if parts.path.startswith("/.//") else parts.path
        slash = "" if path.startswith("/") else "/"
        return parts._replace(host="", path=slash + path)
    return normalize(parts)


def encode_posix_path(path: str) -> bytes:
    """Encode an absolute POSIX path as octets, like `os.fsencode`; raise `BuildError` otherwise.

    A path that begins with two slashes is rejected: its meaning depends on the system, and in a
    file URI it would be a UNC string (RFC 8089, E.3.2).
    """
    if not path.startswith("/"):
        reject_path(path, 0, NOT_ABSOLUTE, "join the path with a directory first")
    if path.startswith("//"):
        reason = 'invalid "//" in path: the next name would be parsed as a host'
        reject_path(path, 1, reason, "start the path with a single slash")
    if "\0" in path:
        reject_path(path, path.index("\0"), "invalid NUL in path", "remove it")
    try:
        return path.encode(errors="surrogateescape")
    except UnicodeEncodeError as error:
        raise BuildError(path, error.start, "path", "path-absolute", LONE_SURROGATE, "") from None


def split_windows_path(path: str) -> tuple[str, str]:
    """Convert an absolute Windows path to the host and the path of a file URI (RFC 8089, E.3.1).

    The result is not percent-encoded yet. The host `localhost` is rejected, because in a file URI
    it means the local machine.
    """
    backslash_path = path.replace("/", "\\")  # Windows accepts both as separators
    drive_match = WINDOWS_DRIVE.fullmatch(backslash_path)
    match = drive_match or WINDOWS_UNC.fullmatch(backslash_path)
    if not match:
        hint = r"start the path with a drive and root (C:\), or a host and share (\\host\share)"
        reject_path(path, 0, NOT_ABSOLUTE, hint)
    surrogate = find_surrogate(path)
    if surrogate >= 0:
        reject_path(path, surrogate, LONE_SURROGATE)
    names = match["names"]  # such as \docs\a.txt, after the drive or the host
    for character, character_name in (":", "colon"), ("\0", "NUL"):
        if character in names:
            position = match.start("names") + names.index(character)
            reject_path(path, position, f"invalid {character_name} in file name")
    uri_path = names.replace("\\", "/")
    if drive_match:
        return "", f"/{drive_match['drive']}{uri_path}"
    host, share = match["host"], match["share"]
    check_unc_host(path, host)
    if share in NO_SHARES:
        reason = f'invalid share name "{share}": a dot segment is not a share'
        reject_path(path, match.start("share"), reason)
    return host, uri_path


def check_unc_host(path: str, host: str) -> None:
    r"""Raise an error if the host of a UNC path (`\\host\share`) is not one of a file URI."""
    host_start = len(r"\\")
    if host in NO_HOSTS:
        reject_path(path, host_start, NAMESPACE, "pass the path without the namespace prefix")
    if host.lower() == "localhost":
        reason = 'invalid UNC host "localhost": in a file URI, it means the local machine'
        hint = "write the real name or address of the machine, or a path with a drive letter"
        reject_path(path, host_start, reason, hint)
    # An IPv6 address in brackets contains colons.
    if not re.fullmatch(IP_literal, host) and (":" in host or "\0" in host):
        reason = "invalid host: a host name contains neither a colon nor a NUL"
        reject_path(path, host_start, reason)


def reject_path(path: str, position: int, reason: str, hint: str = "") -> NoReturn:
    raise BuildError(path, position, "path", "path-absolute", reason, hint)
