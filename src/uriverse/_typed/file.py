"""Parse `file` URIs, and convert them to and from paths of files ([RFC 8089][1]).

[1]: https://www.rfc-editor.org/rfc/rfc8089
"""

from __future__ import annotations

import re
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import NoReturn, Self, final

from uriverse import percent
from uriverse._errors import ConvertError
from uriverse._spec.percent import ENCODE_AS_UTF8
from uriverse._uri import URI
from uriverse._uri.engine import Identifier, as_text, get_bounds
from uriverse.schemes import _file as file_uri

from .base import TypedURI

#: The names of characters that are not allowed in file names, for errors.
FORBIDDEN_NAMES = {"%00": "NUL", "%2F": "slash", "%5C": "backslash", "%3A": "colon", ":": "colon"}


@final
class FileURI(TypedURI):
    r"""A `file` URI, with conversions to and from POSIX and Windows paths ([RFC 8089][1]).

    The class never guesses the operating system of a path and never accesses the file system. Call
    the method for POSIX or for Windows, or pass a `pathlib` path, whose type specifies the system.

    The grammar is that of the rule `file-URI` in RFC 8089, section 2, and three variations of its
    Appendix E: `file:c:/x` (RFC 8089, E.2), `file:////server/share/x` and
    `file://///server/share/x` (RFC 8089, E.3.2). Userinfo, a port or a query is rejected, because
    the grammar does not include them: write `%3F` for a question mark in a file name. A fragment is
    accepted and is not part of the path.

    The path is kept exactly as written, including `.` and `..`. Resolution removes these dot
    segments, and so does normalization if the path starts with `/`. `/a/link/../b` becomes `/a/b`,
    even if `link` is a symbolic link, and `/c:/../x` becomes `/x`, a path without a drive.

    [1]: https://www.rfc-editor.org/rfc/rfc8089#section-2

    Args:
        text: a string or a URI.

    Raises:
        ParseError: `text` is not a valid `file` URI.
        TypeError: `text` is neither a `str` nor a URI.

    >>> uri = FileURI("file:///etc/caf%C3%A9")
    >>> uri.to_posix()
    PurePosixPath('/etc/café')
    >>> FileURI.from_windows(r"\\server\share\a b.txt")
    FileURI('file://server/share/a%20b.txt')
    """

    __module__ = "uriverse"

    __slots__ = ()

    _schemes = ("file",)
    _scheme_rule = "file-URI"
    _hint_without_scheme = "convert a path with FileURI.from_posix or FileURI.from_windows"

    def _check_scheme_rules(self) -> None:
        bounds = get_bounds(self)
        if self.userinfo is not None:
            reason = "unexpected userinfo: a file URI has no userinfo"
            hint = 'remove the userinfo and the "@"'
            self._reject(bounds.authority, "userinfo", "file-auth", reason, hint)
        if self.port_text is not None:
            reason = "unexpected port: a file URI has no port"
            hint = "remove the colon and the port"
            # `file://C:/` has the host "C" and an empty port.
            if len(self.host or "") == 1 and self.port_text == "":
                reason = "drive letter in the place of the host"
                hint = "write three slashes before a drive letter, as in file:///C:/"
            self._reject(bounds.host_end, "port", "file-auth", reason, hint)
        if self.query is not None:
            reason = "unexpected query: a file URI has no query"
            hint = 'write a literal "?" in a file name as %3F'
            self._reject(bounds.path_end, "query", "file-URI", reason, hint)
        if not file_uri.is_file_uri(self.host, self.path):
            reason = "invalid path: the path of a file URI starts with exactly one slash"
            hint = "write file:///a/b for a local file, file://host/a/b for a remote one"
            self._reject(bounds.path, "path", "path-absolute", reason, hint)

    # --- from paths

    @classmethod
    def from_path(cls, path: PurePath) -> Self:
        """Build a `file` URI from an absolute `pathlib` path.

        Args:
            path: a POSIX path or a Windows path. A `pathlib.Path` is one or the other, depending on
                the operating system that Python runs on.

        Raises:
            BuildError: the path cannot be written as a URI; see `from_posix` and `from_windows`.
            TypeError: `path` is neither a `PurePosixPath` nor a `PureWindowsPath`.

        >>> FileURI.from_path(PurePosixPath("/a b/c#")), FileURI.from_path(PureWindowsPath("C:/x"))
        (FileURI('file:///a%20b/c%23'), FileURI('file:///C:/x'))
        """
        if isinstance(path, PureWindowsPath):
            return cls.from_windows(str(path))
        if isinstance(path, PurePosixPath):
            return cls.from_posix(str(path))
        kind = type(path).__name__
        raise TypeError(f"path must be a PurePosixPath or PureWindowsPath, not {kind}")

    @classmethod
    def from_posix(cls, path: str | bytes) -> Self:
        r"""Build a `file` URI from an absolute POSIX path.

        All slashes are kept, including repeated slashes and a trailing one.

        Args:
            path: the path. File names need not be valid UTF-8: pass `bytes`, or a `str` with
                surrogate escapes, as `os.fsdecode` returns.

        Raises:
            BuildError: the path is not absolute, starts with two slashes (a URI would contain a
                host after them), or contains a NUL or a surrogate that is not a surrogate escape.
            TypeError: `path` is neither `str` nor `bytes`.

        >>> FileURI.from_posix("/50%/what?/"), FileURI.from_posix(b"/\xff")
        (FileURI('file:///50%25/what%3F/'), FileURI('file:///%FF'))
        """
        if isinstance(path, bytes):
            text = bytes(memoryview(path)).decode(errors="surrogateescape")
        elif isinstance(path, str):
            text = str.__str__(path)
        else:
            raise TypeError(f"path must be a str or bytes, not {type(path).__name__}")
        octets = file_uri.encode_posix_path(text)
        return cls(URI.build(scheme="file", host="", path=percent.encode(octets, "path")))

    @classmethod
    def from_windows(cls, path: str) -> Self:
        r"""Build a `file` URI from an absolute Windows path ([RFC 8089, E.3.1][1]).

        An absolute path starts with a drive, as in `c:\x`, or with a host and a share.

        Device names such as `NUL`, and characters that Windows does not allow in file names, such
        as `?` and `*`, are accepted; `?` is percent-encoded.

        [1]: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.3.1

        Args:
            path: the path, such as `c:\x` or `\\server\share\x`. Slashes and backslashes both
                separate names.

        Raises:
            BuildError: the path is not absolute, which requires a drive and a root, or a host and a
                share; it starts with `\\?\` or `\\.\`; a name contains a colon (which starts the
                name of an alternate data stream), a NUL or a surrogate; or the host is `localhost`.
            TypeError: `path` is not a `str`.

        >>> str(FileURI.from_windows(r"c:\Documents\50% of it.txt"))
        'file:///c:/Documents/50%25%20of%20it.txt'
        >>> str(FileURI.from_windows(r"\\host.example.com\Share\path\to\file.txt"))
        'file://host.example.com/Share/path/to/file.txt'
        """
        if not isinstance(path, str):
            raise TypeError(f"path must be a str, not {type(path).__name__}")
        host, names = file_uri.split_windows_path(str.__str__(path))
        if not host.startswith("["):
            host = percent.encode(host, "reg-name")
        return cls(URI.build(scheme="file", host=host, path=percent.encode(names, "path")))

    @classmethod
    def updated(cls, text: str | Identifier) -> Self:
        """Parse a historic `file` URI in which `|` follows the drive letter, as in `file:///c|/x`.

        `|` is not allowed in a URI, so it is replaced with a colon before the string is parsed
        ([RFC 8089, E.2.2][1]). `%7C` after the drive letter is replaced as well. Other strings are
        parsed as they are.

        [1]: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.2.2

        Args:
            text: a string or a URI.

        Raises:
            ParseError: the string is not a valid `file` URI after the replacement.
            TypeError: `text` is neither a `str` nor a URI.

        >>> FileURI.updated("file:///c|/path/to/file")
        FileURI('file:///c:/path/to/file')
        """
        return cls(file_uri.replace_drive_bar(as_text(text)))

    # --- properties

    @property
    def _unc(self) -> re.Match[str] | None:
        return file_uri.match_unc_string(self.host, self.path)

    @property
    def file_host(self) -> str:
        """The host of the file as written, or `""` if the host is absent or empty.

        If the path contains a UNC string, such as `//server/share/x`, this is the host in that
        string.

        >>> FileURI("file:/x").file_host, FileURI("file://a.example/x").file_host
        ('', 'a.example')
        >>> FileURI("file:////server/share/x").file_host
        'server'
        """
        unc = self._unc
        if unc is None:
            return self.host or ""
        return f"[{unc['IP']}]" if unc["IP"] else unc["host"]

    @property
    def is_local(self) -> bool:
        """True if the file is on the local machine ([RFC 8089, section 3][1]).

        A file is local if its host is absent, empty or `localhost`. Other names of the local
        machine are not recognized. A file whose path contains a UNC string is never local (RFC
        8089, E.3.2).

        [1]: https://www.rfc-editor.org/rfc/rfc8089#section-3

        >>> FileURI("file:/x").is_local, FileURI("file://LOCALHOST/x").is_local
        (True, True)
        >>> FileURI("file://a/x").is_local
        False
        """
        return self._unc is None and file_uri.is_local_host(self.host or "")

    @property
    def has_drive_letter(self) -> bool:
        """True if the path of a local file starts with a drive letter, as in `file:///c:/x`.

        A colon and a slash must follow the letter. On a POSIX system, such a path has no special
        meaning.

        >>> FileURI("file:///c:/x").has_drive_letter, FileURI("file:///c:").has_drive_letter
        (True, False)
        """
        return self.is_local and file_uri.DRIVE.match(self.path) is not None

    # --- to paths

    def to_posix(self) -> PurePosixPath:
        r"""Return the path of the `file` URI as a `PurePosixPath`.

        Bytes that are not valid UTF-8 become surrogate escapes, as in `os.fsdecode`. `pathlib`
        removes a trailing slash, repeated slashes and `.`; `to_posix_bytes` keeps them.

        Raises:
            ConvertError: the URI has no POSIX path; see `to_posix_bytes`.

        >>> FileURI("file:///a%20b/%FF").to_posix()
        PurePosixPath('/a b/\udcff')
        """
        return PurePosixPath(self.to_posix_bytes().decode(errors="surrogateescape"))

    def to_posix_bytes(self) -> bytes:
        r"""Return the path of the `file` URI as bytes, which is how POSIX systems store paths.

        Raises:
            ConvertError: the file is not local, the path starts with a drive letter but not with a
                slash, or a name would contain a slash (`%2F`) or a NUL (`%00`).

        >>> FileURI("file:///a%20b/%FF/").to_posix_bytes()
        b'/a b/\xff/'
        """
        start, path = get_bounds(self).path, self.path
        if not self.is_local:
            reason = "unexpected host: the file is not on this machine"
            hint = "check is_local first: only the remote machine knows the path"
            self._reject_path(self._find_host_start(), "host", "file-auth", reason, hint)
        if not path.startswith("/"):
            reason = "unexpected drive letter: a POSIX path starts with a slash"
            self._reject_path(start, "path", "drive-letter", reason, "use to_windows")
        if match := file_uri.NOT_IN_POSIX.search(path):
            name = FORBIDDEN_NAMES[match[0].upper()]
            reason = f'invalid "{match[0]}" in path: a POSIX file name cannot contain a {name}'
            self._reject_path(start + match.start(), "path", "segment", reason)
        return percent.decode_bytes(path)

    def to_windows(self) -> PureWindowsPath:
        r"""Return the path of the `file` URI as a `PureWindowsPath`.

        A local path has a drive. The path of a remote file is a UNC path.

        Raises:
            ConvertError: a local file has no drive letter, or a remote file has no share; a name is
                not valid UTF-8, or would contain a slash (`%2F`), a backslash (`%5C`), a colon or a
                NUL (`%00`); or the result would be in a Windows namespace (`\\.\` or `\\?\`).

        >>> FileURI("file:c:/a%20b").to_windows(), FileURI("file://server/share/x").to_windows()
        (PureWindowsPath('c:/a b'), PureWindowsPath('//server/share/x'))
        """
        start, end = get_bounds(self)[4:6]
        if not self.is_local:
            unc = self._unc
            return self._to_unc_path(start + unc.start("path") if unc else start, end)
        drive = file_uri.DRIVE.match(self.path)
        if not drive:
            reason = "missing drive: an absolute Windows path starts with a drive and a slash"
            self._reject_path(start, "path", "drive-letter", reason, self._choose_drive_hint())
        names = self._decode_range(start + drive.end(), end, "path")
        return PureWindowsPath(f"{percent.decode(drive[1])}:{names}")

    def _choose_drive_hint(self) -> str:
        if file_uri.OLD_DRIVE.match(as_text(self)):
            return "use FileURI.updated, which replaces the vertical line with a colon"
        if file_uri.DRIVE_LETTER.match(self.path):
            return "write a slash after the colon: file:///c:/ is the root of a drive"
        return "use to_posix"

    def _to_unc_path(self, start: int, end: int) -> PureWindowsPath:
        """Return a path such as `//server/share/x`; the share begins at `start`."""
        host, host_start = self.file_host, self._find_host_start()
        if not host.startswith("["):
            host = self._decode_range(host_start, host_start + len(host), "host")
        if host in file_uri.NO_HOSTS:
            self._reject_path(host_start, "host", "file-auth", file_uri.NAMESPACE)
        names = self._decode_range(start, end, "path")
        if names.split("/")[1] in ("", *file_uri.NO_SHARES):
            reason = "invalid path: the first segment must be the name of a share"
            self._reject_path(start + 1, "path", "segment", reason)
        return PureWindowsPath(f"//{host}{names}")

    def _find_host_start(self) -> int:
        unc = self._unc
        return get_bounds(self).host if unc is None else get_bounds(self).path + unc.start("host")

    def _decode_range(self, start: int, end: int, component: str) -> str:
        text = as_text(self)[start:end]
        if match := file_uri.NOT_IN_WINDOWS.search(text):
            name = FORBIDDEN_NAMES[match[0].upper()]
            reason = f'invalid "{match[0]}" in {component}: a Windows name cannot contain a {name}'
            self._reject_path(start + match.start(), component, "segment", reason)
        try:
            return percent.decode(text)
        except ConvertError as error:
            location = (as_text(self), start + error.position, component, "pct-encoded")
            raise ConvertError(*location, error.reason, ENCODE_AS_UTF8) from None

    def _reject_path(
        self, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> NoReturn:
        raise ConvertError(as_text(self), position, component, rule, reason, hint)
