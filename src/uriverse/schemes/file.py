"""The `file` scheme: [RFC 8089](https://www.rfc-editor.org/rfc/rfc8089).

The grammar is that of section 2, with the variations of Appendix E that are valid URIs: a leading
drive letter (E.2), and a UNC string in the path (E.3.2). User information (E.1) is rejected, for
the reason that E.1 itself gives about access control strings.
"""

from __future__ import annotations

import re

from uriverse._grammar.rfc3986 import IP_literal, IPv6address, IPvFuture, path_absolute, reg_name
from uriverse._grammar.rfc5234 import ALPHA
from uriverse._spec.components import AllParts
from uriverse._spec.percent import LONE_SURROGATE, lone_surrogate, with_unreserved_decoded
from uriverse.errors import BuildError

# file-URI       = file-scheme ":" file-hier-part
# file-hier-part = ( "//" auth-path ) / local-path
# auth-path      = [ file-auth ] path-absolute
#                / unc-authority path-absolute              ; E.3.2
# local-path     = [ drive-letter ] path-absolute           ; E.2
# file-auth      = "localhost" / host

#: The path of an auth-path, and of a local-path without a drive letter before its first slash.
PATH_ABSOLUTE = re.compile(path_absolute)

# drive-letter   = ALPHA ":"
drive_letter = f"[{ALPHA}]:"

#: A local-path with a drive letter.
DRIVE_LETTER_AND_PATH = re.compile(f"{drive_letter}{path_absolute}")

# inline-IP      = "%5B" ( IPv6address / IPvFuture ) "%5D"
inline_ip = f"%5[Bb](?P<IP>{IPv6address}|{IPvFuture})%5[Dd]"

# file-host      = inline-IP / IPv4address / reg-name
#
# A reg-name may be empty, and it also matches every IPv4address. Here the host must not be empty,
# so that the slashes before it can be distinguished from the slash after it.
file_host = f"(?!/)(?P<host>{inline_ip}|{reg_name})"

#: unc-authority path-absolute, without the two slashes of the URI's own empty authority. The
#: unc-authority is 2*3"/" and the host.
UNC = re.compile(f"///?+{file_host}(?P<path>{path_absolute})")

#: A drive letter at the start of a path, followed by a slash. A percent-encoded colon counts as
#: well: it cannot mean anything else here, and some programs write it that way.
DRIVE = re.compile(f"/?([{ALPHA}])(?::|%3[Aa])(?=/)")

#: A drive letter at the start of a path, whatever follows it.
DRIVE_LETTER = re.compile(f"/?[{ALPHA}](?::|%3[Aa])")

#: The start of an old file URI that has a vertical line in place of the colon (E.2.2). A URI cannot
#: contain a vertical line, so some programs encoded it.
OLD_DRIVE = re.compile(rf"((?i:file):(?:(?://[^/?#]*+)?/)?[{ALPHA}])(?:\||%7[Cc])(?=/)")

#: Triplets that cannot be decoded in a POSIX path: the slash would split a name, and the NUL would
#: end it.
NOT_IN_POSIX = re.compile("%(?:00|2[Ff])")

#: The same for Windows paths. A colon separates the name of a stream from that of a file; E.3.1
#: provides for it, but a path returned by this library must name a file and nothing else.
NOT_IN_WINDOWS = re.compile(":|%(?:00|2[Ff]|3[Aa]|5[Cc])")

#: A Windows path with a drive and its root, and one with a host and a share. ([MS-DTYP] 2.2.57
#: defines UNC strings.)
WINDOWS_DRIVE = re.compile(rf"(?P<drive>[{ALPHA}]:)(?P<names>\\.*+)", re.DOTALL)
WINDOWS_UNC = re.compile(
    r"\\\\(?P<host>[^\\]++)(?P<names>\\(?P<share>[^\\]++)(?:\\.*+)?)", re.DOTALL
)

#: Names in the place of a host that are not hosts: the prefixes of Windows namespaces, for which
#: Appendix C defines no URI, and a dot segment.
NO_HOSTS = ("?", ".", "..")

#: Reasons of errors about paths.
NOT_ABSOLUTE = "relative path: a file URI needs an absolute path"
NAMESPACE = "invalid host: no URI is defined for the namespaces of Windows"

#: Dot segments, which are not names of shares.
NO_SHARES = (".", "..")


def produced(host: str | None, path: str) -> bool:
    """Return True if a host and a path form a `file-hier-part` ([RFC 8089, section 2 and E][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8089#section-2

    Args:
        host: the host; `None` without an authority, `""` for an empty host.
        path: the path of a URI.

    >>> produced("", "/etc/hosts"), produced(None, "c:/x"), produced(None, "etc/hosts")
    (True, True, False)
    """
    if PATH_ABSOLUTE.fullmatch(path):
        return True
    if host is None:
        return DRIVE_LETTER_AND_PATH.fullmatch(path) is not None
    return unc_string(host, path) is not None


def unc_string(host: str | None, path: str) -> re.Match[str] | None:
    """Match the host and the path of a UNC string in a URI's path ([RFC 8089, E.3.2][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.3.2

    Returns:
        The match of `UNC`; `None` if the path does not contain a UNC string.

    >>> unc_string("", "///server/share/x").group("host", "path")
    ('server', '/share/x')
    """
    return UNC.fullmatch(path) if host == "" else None


def means_this_machine(host: str) -> bool:
    """Return True if a host is empty or `localhost`, and so means the local machine (section 2).

    Other names of the machine are not looked up.

    >>> means_this_machine(""), means_this_machine("LocalHost"), means_this_machine("a.example")
    (True, True, False)
    """
    return host == "" or with_unreserved_decoded(host).lower() == "localhost"


def with_colon(text: str) -> str:
    """Replace the vertical line after a drive letter, if there is one, with a colon (E.2.2).

    >>> with_colon("file:///c|/x|"), with_colon("file:///x")
    ('file:///c:/x|', 'file:///x')
    """
    return OLD_DRIVE.sub(r"\1:", text, count=1) if OLD_DRIVE.match(text) else text


# --- comparing


def normalized(parts: AllParts) -> AllParts:
    """Replace the host `localhost` with an empty host ([RFC 8089, section 2][1]; RFC 3986, 6.2.3).

    The authority is kept, even if it becomes empty. A URI that RFC 8089 does not allow is
    unchanged: if it has userinfo or a port, its host is kept. The host is also kept if the path
    begins with two slashes, because after an empty host such a path would be read as a UNC string.

    [1]: https://www.rfc-editor.org/rfc/rfc8089#section-2

    >>> normalized(AllParts("file", None, "LOCALHOST", None, "/x", None, None)).host
    ''
    """
    host, path = parts.host, parts.path
    is_file_auth = parts.userinfo is None and parts.port is None
    if host is None or not is_file_auth or path.startswith("//"):
        return parts
    return parts._replace(host="") if means_this_machine(host) else parts


def equivalence(parts: AllParts) -> AllParts:
    """Convert components so that equivalent file URIs become equal; for comparison only.

    In addition to the changes by `normalized`, a local-path becomes an auth-path with an empty
    host.

    >>> equivalence(AllParts("file", None, None, None, "c:/x", None, None))[2:5]
    ('', None, '/c:/x')
    """
    if parts.host is None and produced(None, parts.path):
        slash = "" if parts.path.startswith("/") else "/"
        return parts._replace(host="", path=slash + parts.path)
    return normalized(parts)


# --- from paths


def posix_octets(path: str) -> bytes:
    r"""Return the octets of an absolute POSIX path.

    A surrogate escape in the string gives its octet, as in `os.fsencode`.

    Raises:
        BuildError: the path is not absolute; it begins with two slashes, because the meaning of
            such a path depends on the system, and after an empty host it would be a UNC string
            (E.3.2); or it contains a NUL, or a lone surrogate that is not a surrogate escape.

    >>> posix_octets("/café\udcff")
    b'/caf\xc3\xa9\xff'
    """
    if not path.startswith("/"):
        raise not_built(path, 0, NOT_ABSOLUTE, "join the path with a directory first")
    if path.startswith("//"):
        reason = 'invalid "//" in path: the next name would be parsed as a host'
        raise not_built(path, 1, reason, "start the path with a single slash")
    if "\0" in path:
        raise not_built(path, path.index("\0"), "invalid NUL in path", "remove it")
    try:
        return path.encode(errors="surrogateescape")
    except UnicodeEncodeError as error:
        raise not_built(path, error.start, LONE_SURROGATE) from None


def windows_parts(path: str) -> tuple[str, str]:
    r"""Return the host and the path of a URI for an absolute Windows path, not yet percent-encoded.

    The path is separated by slashes. A UNC path is mapped as in [E.3.1][1].

    [1]: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.3.1

    Raises:
        BuildError: the path is not absolute (a drive and a root, or a host and a share), or begins
            with the prefix of a namespace (`\\?\`, `\\.\`); the share is a dot segment; a name
            contains a colon or a NUL; the string contains a lone surrogate; or the host is
            `localhost`, which in a URI means the same as an empty host.

    >>> windows_parts(r"C:\a\b"), windows_parts(r"\\server\share\a")
    (('', '/C:/a/b'), ('server', '/share/a'))
    """
    written = path.replace("/", "\\")  # Windows accepts both as separators
    found = WINDOWS_DRIVE.fullmatch(written) or WINDOWS_UNC.fullmatch(written)
    if not found:
        hint = r"start the path with a drive and root (C:\), or a host and share (\\host\share)"
        raise not_built(path, 0, NOT_ABSOLUTE, hint)
    if (position := lone_surrogate(path)) >= 0:
        raise not_built(path, position, LONE_SURROGATE)
    names = found["names"]
    for character in ":\0":
        if character in names:
            position = found.start("names") + names.index(character)
            reason = f"invalid {'colon' if character == ':' else 'NUL'} in file name"
            raise not_built(path, position, reason)
    below = names.replace("\\", "/")
    if found.re is WINDOWS_DRIVE:
        return "", f"/{found['drive']}{below}"
    judge_unc_host(path, found["host"])
    if found["share"] in NO_SHARES:
        reason = f'invalid share name "{found["share"]}": a dot segment is not a share'
        raise not_built(path, found.start("share"), reason)
    return found["host"], below


def judge_unc_host(path: str, host: str) -> None:
    r"""Raise `BuildError` if the host of a UNC path is not valid there, or not in a URI."""
    at = len(r"\\")
    if host in NO_HOSTS:
        hint = "pass the path without the namespace prefix"
        raise not_built(path, at, NAMESPACE, hint)
    if host.lower() == "localhost":
        hint = "use another name or the IP address of the machine, or a path with a drive"
        raise not_built(
            path,
            at,
            'invalid UNC host "localhost": in a file URI, it means the local machine',
            hint,
        )
    if not re.fullmatch(IP_literal, host) and (":" in host or "\0" in host):
        raise not_built(path, at, "invalid host: a host name contains neither a colon nor a NUL")


def not_built(path: str, position: int, reason: str, hint: str = "") -> BuildError:
    return BuildError(path, position, "path", "path-absolute", reason, hint)
