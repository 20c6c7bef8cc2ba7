"""The `file` scheme: [RFC 8089](https://www.rfc-editor.org/rfc/rfc8089).

Read are the URIs of section 2, and of the variations in Appendix E those that are URIs: a
drive letter in front (E.2), and a UNC string in the path (E.3.2). Not user information
(E.1): what is said of an access control string there is reason enough.
"""

from __future__ import annotations

import re

from uriverse._grammar.rfc3986 import IP_literal, IPv6address, IPvFuture, path_absolute, reg_name
from uriverse._grammar.rfc5234 import ALPHA
from uriverse._spec.components import AllParts
from uriverse._spec.percent import lone_surrogate, with_unreserved_decoded
from uriverse.errors import BuildError

# file-URI       = file-scheme ":" file-hier-part
# file-hier-part = ( "//" auth-path ) / local-path
# auth-path      = [ file-auth ] path-absolute
#                / unc-authority path-absolute              ; E.3.2
# local-path     = [ drive-letter ] path-absolute           ; E.2
# file-auth      = "localhost" / host

#: The path of an auth-path, and of a local-path that has no drive letter before its slash.
PATH_ABSOLUTE = re.compile(path_absolute)

# drive-letter   = ALPHA ":"
drive_letter = f"[{ALPHA}]:"

#: A local-path that has one.
DRIVE_LETTER_AND_PATH = re.compile(f"{drive_letter}{path_absolute}")

# inline-IP      = "%5B" ( IPv6address / IPvFuture ) "%5D"
inline_ip = f"%5[Bb](?P<IP>{IPv6address}|{IPvFuture})%5[Dd]"

# file-host      = inline-IP / IPv4address / reg-name
#
# A reg-name can be empty, and what IPv4address matches it matches too. Here it is not empty, so
# that the slashes before it are told from those after it.
file_host = f"(?!/)(?P<host>{inline_ip}|{reg_name})"

#: unc-authority path-absolute, of which the authority's two slashes are none. That is
#: 2*3"/" and the host.
UNC = re.compile(f"///?+{file_host}(?P<path>{path_absolute})")

#: A drive letter where a path begins with it, and the path goes on. A colon that is encoded
#: counts as well: nothing else could be meant by it, and there are programs that write it so.
DRIVE = re.compile(f"/?([{ALPHA}])(?::|%3[Aa])(?=/)")

#: The same, where nothing need follow.
DRIVE_LETTER = re.compile(f"/?[{ALPHA}](?::|%3[Aa])")

#: The part of an old text that ends with a vertical line for the colon (E.2.2). No URI can hold
#: that, so some encoded it.
OLD_DRIVE = re.compile(rf"((?i:file):(?:(?://[^/?#]*+)?/)?[{ALPHA}])(?:\||%7[Cc])(?=/)")

#: What can't be in the name of a file: what would part it in two, or end it.
NOT_IN_POSIX = re.compile("%(?:00|2[Ff])")

#: As above. A colon parts the name of a stream from a file's; E.3.1 has a place for it, but
#: what is read as the path of a file is not to be anything else.
NOT_IN_WINDOWS = re.compile(":|%(?:00|2[Ff]|3[Aa]|5[Cc])")

#: A path that begins with a drive's root, and one with a host and a share. ([MS-DTYP] 2.2.57
#: says what a UNC string is.)
WINDOWS_DRIVE = re.compile(rf"(?P<drive>[{ALPHA}]:)(?P<names>\\.*+)", re.DOTALL)
WINDOWS_UNC = re.compile(
    r"\\\\(?P<host>[^\\]++)(?P<names>\\(?P<share>[^\\]++)(?:\\.*+)?)", re.DOTALL
)

#: What stands for a host where Windows does not mean one: the prefix of its namespaces, for
#: which Appendix C defines nothing, and a step.
NO_HOSTS = ("?", ".", "..")

#: What is no share, but a step.
NO_SHARES = (".", "..")


def produced(host: str | None, path: str) -> bool:
    """Whether this is what a `file-hier-part` consists of ([RFC 8089, section 2 and E][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8089#section-2

    Args:
        host: the host; `None` without an authority, `""` for an empty one.
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
    """The host and the path of a UNC string that stands in a path ([RFC 8089, E.3.2][1]).

    [1]: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.3.2

    Returns:
        What `UNC` matches, or `None` if there is none.

    >>> unc_string("", "///server/share/x").group("host", "path")
    ('server', '/share/x')
    """
    return UNC.fullmatch(path) if host == "" else None


def means_this_machine(host: str) -> bool:
    """Whether a host is none, or the machine on which the URI is read (section 2).

    The names of the machine are not looked up.

    >>> means_this_machine(""), means_this_machine("LocalHost"), means_this_machine("a.example")
    (True, True, False)
    """
    return host == "" or with_unreserved_decoded(host).lower() == "localhost"


def with_colon(text: str) -> str:
    """A text whose drive letter has a colon for a vertical line (E.2.2).

    >>> with_colon("file:///c|/x|"), with_colon("file:///x")
    ('file:///c:/x|', 'file:///x')
    """
    return OLD_DRIVE.sub(r"\1:", text, count=1) if OLD_DRIVE.match(text) else text


# --- comparing


def normalized(parts: AllParts) -> AllParts:
    """The same, with an empty host for `localhost` ([RFC 8089, section 2][1]; RFC 3986, 6.2.3).

    An authority stays one. Nothing is changed where the URI is none of RFC 8089: what has
    userinfo or a port keeps its host, and so has a path that begins with two slashes, which
    after an empty host would be read as a UNC string.

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
    """Parts that are the same for what identifies the same file; to be compared only.

    Beside what `normalized` does, a local-path is taken as an auth-path without host.

    >>> equivalence(AllParts("file", None, None, None, "c:/x", None, None))[2:5]
    ('', None, '/c:/x')
    """
    if parts.host is None and produced(None, parts.path):
        slash = "" if parts.path.startswith("/") else "/"
        return parts._replace(host="", path=slash + parts.path)
    return normalized(parts)


# --- from paths


def posix_octets(path: str) -> bytes:
    r"""The octets of an absolute POSIX path; those that are not UTF-8 are lone surrogates in it.

    Raises:
        BuildError: the path is not absolute, or begins with two slashes: such a path means
            what the system wants it to, and after an empty host a UNC string (E.3.2). Or it
            has a NUL, or a lone surrogate that stands for no octet.

    >>> posix_octets("/café\udcff")
    b'/caf\xc3\xa9\xff'
    """
    if not path.startswith("/"):
        raise not_built(path, 0, "the path is not absolute", "join it to a directory first")
    if path.startswith("//"):
        hint = "give it with one slash, if that is what is meant"
        raise not_built(path, 1, "a path that begins with two slashes would name a host", hint)
    if "\0" in path:
        raise not_built(path, path.index("\0"), "no path has a NUL")
    try:
        return path.encode(errors="surrogateescape")
    except UnicodeEncodeError as error:
        raise not_built(path, error.start, "a lone surrogate is not a character") from None


def windows_parts(path: str) -> tuple[str, str]:
    r"""The host and the path with slashes that an absolute Windows path becomes, not yet encoded.

    Those of a UNC string are mapped as [E.3.1][1] has it.

    [1]: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.3.1

    Raises:
        BuildError: the path is not absolute (a drive and a root, or a host and a share), or
            begins with the prefix of a namespace (`\\?\`, `\\.\`); a name has a colon or a
            NUL; the text has a lone surrogate; or the host is `localhost`, which in a URI
            means that there is none.

    >>> windows_parts(r"C:\a\b"), windows_parts(r"\\server\share\a")
    (('', '/C:/a/b'), ('server', '/share/a'))
    """
    written = path.replace("/", "\\")  # to Windows they are the same
    found = WINDOWS_DRIVE.fullmatch(written) or WINDOWS_UNC.fullmatch(written)
    if not found:
        hint = r"give it with its drive and root (C:\), or with host and share (\\host\share)"
        raise not_built(path, 0, "the path is not absolute", hint)
    if (position := lone_surrogate(path)) >= 0:
        raise not_built(path, position, "a lone surrogate is not a character")
    names = found["names"]
    for character in ":\0":
        if character in names:
            position = found.start("names") + names.index(character)
            raise not_built(path, position, "a name of a file has neither a colon nor a NUL")
    below = names.replace("\\", "/")
    if found.re is WINDOWS_DRIVE:
        return "", f"/{found['drive']}{below}"
    judge_unc_host(path, found["host"])
    if found["share"] in NO_SHARES:
        raise not_built(path, found.start("share"), "a share is a name, not a step")
    return found["host"], below


def judge_unc_host(path: str, host: str) -> None:
    r"""Refuse what is no host in a UNC string, or would be none in a URI."""
    at = len(r"\\")
    if host in NO_HOSTS:
        hint = "give the path that it leads to"
        raise not_built(path, at, "no URI is defined for a namespace of Windows", hint)
    if host.lower() == "localhost":
        hint = "use another name or the address of the machine, or the path of the drive"
        raise not_built(path, at, '"localhost" in a URI means no UNC host', hint)
    if not re.fullmatch(IP_literal, host) and (":" in host or "\0" in host):
        raise not_built(path, at, "the name of a host has neither a colon nor a NUL")


def not_built(path: str, position: int, reason: str, hint: str = "") -> BuildError:
    return BuildError(path, position, "path", "path-absolute", reason, hint)
