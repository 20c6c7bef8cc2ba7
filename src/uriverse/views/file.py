"""`file` URIs ([RFC 8089](https://www.rfc-editor.org/rfc/rfc8089)), and what paths they are."""

from __future__ import annotations

import re
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import ClassVar, Self, final

from uriverse import percent
from uriverse._engine import Identifier, as_text
from uriverse._spec.components import all_parts, composed
from uriverse.errors import ConvertError
from uriverse.identifiers import URI
from uriverse.schemes import file as file_uri

from .view import View


@final
class FileURI(View):
    r"""A [`file-URI`](https://www.rfc-editor.org/rfc/rfc8089#section-2): a file by its path.

    Which system a path is of is never guessed: say POSIX or Windows, or give a path of
    `pathlib`, which knows. No file is looked at.

    Beside the syntax of section 2, three variations of Appendix E are read: `file:c:/x`
    (E.2), `file:////server/share/x` and `file://///server/share/x` (E.3.2). Refused are
    userinfo, a port and a query, for which the syntax has no place: a question mark in a
    name is written `%3F`. Any URI may have a fragment; the path does not include it.

    The path is kept as it is written, dot segments included: there is no way to escape
    them. Resolution removes them, and so does normalization from a path that starts with
    `/`: `/a/link/../b` becomes `/a/b`, whatever `link` points to, and `/c:/../x` becomes
    `/x`, a path without a drive.

    Args:
        uri: a string or a URI.

    Raises:
        ParseError: `uri` is not a file URI.
        TypeError: it is neither a `str` nor an identifier.

    >>> uri = FileURI("file:///etc/caf%C3%A9")
    >>> uri.to_posix()
    PurePosixPath('/etc/café')
    >>> FileURI.from_windows(r"\\server\share\a b.txt")
    FileURI('file://server/share/a%20b.txt')
    """

    __slots__ = ("_unc",)

    SCHEMES: ClassVar[tuple[str, ...]] = ("file",)
    RULE: ClassVar[str] = "file-URI"

    _unc: re.Match[str] | None

    def _read(self) -> None:
        uri, bounds = self.uri, self.uri._bounds
        if uri.userinfo is not None:
            hint = "leave it out; whoever reads the file has its own means"
            self._reject(bounds[1], "userinfo", "file-auth", "a file has no userinfo", hint)
        if uri.port_text is not None:
            self._reject(bounds[3], "port", "file-auth", "a file has no port")
        if uri.query is not None:
            hint = "write %3F for a question mark in a name"
            self._reject(bounds[5], "query", "file-URI", "a file has no query", hint)
        if not file_uri.produced(uri.host, uri.path):
            reason = "the path of a file is absolute, and begins with one slash"
            hint = "file:///a/b is a local file, file://host/a/b one of another machine"
            self._reject(bounds[4], "path", "path-absolute", reason, hint)
        object.__setattr__(self, "_unc", file_uri.unc_string(uri.host, uri.path))

    # --- from paths

    @classmethod
    def from_path(cls, path: PurePath) -> Self:
        """That of an absolute path of `pathlib`, POSIX or Windows as the path is.

        Raises:
            BuildError: see `from_posix` and `from_windows`.
            TypeError: it is no such path.

        >>> FileURI.from_path(PurePosixPath("/a b/c#")), FileURI.from_path(PureWindowsPath("C:/x"))
        (FileURI('file:///a%20b/c%23'), FileURI('file:///C:/x'))
        """
        if isinstance(path, PureWindowsPath):
            return cls.from_windows(str(path))
        if isinstance(path, PurePosixPath):
            return cls.from_posix(str(path))
        raise TypeError(f"path is a PurePosixPath or a PureWindowsPath, not {named(path)}")

    @classmethod
    def from_posix(cls, path: str | bytes) -> Self:
        r"""That of an absolute POSIX path.

        Names are octets, and need not be UTF-8: give `bytes`, or a `str` as `os.fsdecode`
        makes it of them where file names are UTF-8, with a lone surrogate for each octet
        that is not. All slashes stay, a trailing one too.

        Raises:
            BuildError: the path is not absolute; begins with two slashes, which in a URI
                would be read as a host; has a NUL, or a lone surrogate that stands for no
                octet.
            TypeError: it is neither `str` nor `bytes`.

        >>> FileURI.from_posix("/50%/what?/"), FileURI.from_posix(b"/\xff")
        (FileURI('file:///50%25/what%3F/'), FileURI('file:///%FF'))
        """
        if isinstance(path, bytes):
            text = bytes(memoryview(path)).decode(errors="surrogateescape")
        elif isinstance(path, str):
            text = str.__str__(path)
        else:
            raise TypeError(f"path is a str or bytes, not {named(path)}")
        octets = file_uri.posix_octets(text)
        return cls(URI.build(scheme="file", host="", path=percent.encode(octets, "path")))

    @classmethod
    def from_windows(cls, path: str) -> Self:
        r"""That of an absolute Windows path, with a drive or of a share ([E.3.1][1]).

        Both kinds of slashes part names. Characters that Windows keeps for itself, as `?`
        and `*`, are encoded like any other; so are names of devices.

        [1]: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.3.1

        Raises:
            BuildError: the path is not absolute: it needs a drive and a root, or a host and
                a share; begins with `\\?\` or `\\.\`; a name has a colon, as that of a
                stream, a NUL or a lone surrogate; or the host is `localhost`.
            TypeError: it is no `str`.

        >>> str(FileURI.from_windows(r"c:\Documents\50% of it.txt"))
        'file:///c:/Documents/50%25%20of%20it.txt'
        >>> str(FileURI.from_windows(r"\\host.example.com\Share\path\to\file.txt"))
        'file://host.example.com/Share/path/to/file.txt'
        """
        if not isinstance(path, str):
            raise TypeError(f"path is a str, not {named(path)}")
        host, names = file_uri.windows_parts(str.__str__(path))
        if not host.startswith("["):
            host = percent.encode(host, "reg-name")
        return cls(URI.build(scheme="file", host=host, path=percent.encode(names, "path")))

    @classmethod
    def updated(cls, text: str | Identifier) -> Self:
        """That of an old text, with a colon for the vertical line of its drive ([E.2.2][1]).

        A vertical line may stand in no URI, so it is the text that is changed, and only
        when asked for; `%7C` counts as one. A text without it is read as it is.

        [1]: https://www.rfc-editor.org/rfc/rfc8089#appendix-E.2.2

        Raises:
            ParseError: the text is no file-URI even so.
            TypeError: it is neither a `str` nor an identifier.

        >>> FileURI.updated("file:///c|/path/to/file")
        FileURI('file:///c:/path/to/file')
        """
        return cls(file_uri.with_colon(as_text(text)))

    # --- what it says

    @property
    def host(self) -> str:
        """The host as it is written; `""` where there is none, or an empty one.

        Of a UNC string in the path it is the host that stands there.

        >>> FileURI("file:/x").host, FileURI("file://a.example/x").host
        ('', 'a.example')
        >>> FileURI("file:////server/share/x").host
        'server'
        """
        if self._unc is None:
            return self.uri.host or ""
        address = self._unc["IP"]
        return f"[{address}]" if address else self._unc["host"]

    @property
    def is_local(self) -> bool:
        """Whether it is a file of the machine on which this is read ([RFC 8089, section 3][1]).

        That is one without host, or with `localhost`. Other names of the machine are not
        looked up. A file whose path has a UNC string is not local, whatever its host (E.3.2).

        [1]: https://www.rfc-editor.org/rfc/rfc8089#section-3

        >>> [FileURI(f"file:{rest}").is_local for rest in ("/x", "//LOCALHOST/x", "//a/x")]
        [True, True, False]
        """
        return self._unc is None and file_uri.means_this_machine(self.host)

    @property
    def has_drive_letter(self) -> bool:
        """Whether it is local, and its path begins with a drive letter and goes on behind it.

        On a POSIX system such a path is one like others.

        >>> FileURI("file:///c:/x").has_drive_letter, FileURI("file:///c:").has_drive_letter
        (True, False)
        """
        return self.is_local and file_uri.DRIVE.match(self.uri.path) is not None

    def _scheme_key(self) -> str:
        """A text that is the same for all that identify the same file, as far as texts tell.

        That is syntax-based normalisation (RFC 3986, 6.2.2), and that `localhost`, an empty
        host and no host are the same. Drive letters are told apart by case, as all names are
        ([RFC 8089, section 2][1]). A fragment counts. What is local is never the same as what
        is not, though steps in a path may lead to two slashes, or from a host.

        [1]: https://www.rfc-editor.org/rfc/rfc8089#section-2

        >>> FileURI("file:/a%7E").equivalent("FILE://localhost/b/../a~")
        True
        >>> FileURI("file:///a/..//b/c").comparison_key(), FileURI("file:////b/c").comparison_key()
        ('file:///.//b/c', 'file:////b/c')
        """
        if self._unc is not None:
            return self._unc_key(self._unc)
        parts = file_uri.equivalence(all_parts(str(self.uri.normalize())))
        if self.is_local and parts.path.startswith("//"):
            # No normal form has such a segment, which keeps this from being a UNC string.
            parts = parts._replace(host="", path=f"/.{parts.path}")
        return composed(parts)

    def _unc_key(self, unc: re.Match[str]) -> str:
        """That of a UNC string: its host stays what it is, and steps do not lead above it."""
        inner = URI.build(
            scheme="file", host=self.host, path=unc["path"], fragment=self.uri.fragment
        )
        slashes = self.uri.path[: unc.start("host")]
        return str(inner.normalize()).replace("//", f"//{slashes}", 1)

    # --- to paths

    def to_posix(self) -> PurePosixPath:
        r"""The POSIX path; octets that are not UTF-8 are lone surrogates, as of `os.fsdecode`.

        What `pathlib` does not keep (a trailing slash, doubled ones, `.`), `to_posix_bytes`
        has.

        Raises:
            ConvertError: see `to_posix_bytes`.

        >>> FileURI("file:///a%20b/%FF").to_posix()
        PurePosixPath('/a b/\udcff')
        """
        return PurePosixPath(self.to_posix_bytes().decode(errors="surrogateescape"))

    def to_posix_bytes(self) -> bytes:
        r"""The POSIX path as octets, which is what file names are there.

        Raises:
            ConvertError: the file is not local; its path begins with a drive letter and
                no slash; or a name would have a slash (`%2F`) or a NUL (`%00`).

        >>> FileURI("file:///a%20b/%FF/").to_posix_bytes()
        b'/a b/\xff/'
        """
        start, path = self.uri._bounds[4], self.uri.path
        if not self.is_local:
            hint = "is_local tells; only the machine that has the file can give its path"
            raise self._no_path(self._host_start(), "host", "file-auth", "not a local file", hint)
        if not path.startswith("/"):
            reason = "no POSIX path begins with a drive letter"
            raise self._no_path(start, "path", "drive-letter", reason, "use to_windows")
        if found := file_uri.NOT_IN_POSIX.search(path):
            reason = f"a name in a POSIX path can't have what {found[0]} stands for"
            raise self._no_path(start + found.start(), "path", "segment", reason)
        return percent.decode_bytes(path)

    def to_windows(self) -> PureWindowsPath:
        r"""The Windows path: of a local file with its drive, of another one a UNC path.

        Raises:
            ConvertError: a local file has no drive letter, or another one no share; what is
                encoded is not UTF-8; a name would have a slash (`%2F`), a backslash (`%5C`),
                a colon or a NUL (`%00`); or the host would make it a path of a namespace
                (`\\.\`, `\\?\`).

        >>> FileURI("file:c:/a%20b").to_windows(), FileURI("file://server/share/x").to_windows()
        (PureWindowsPath('c:/a b'), PureWindowsPath('//server/share/x'))
        """
        start, end = self.uri._bounds[4:6]
        if not self.is_local:
            return self._to_unc(start + self._unc.start("path") if self._unc else start, end)
        drive = file_uri.DRIVE.match(self.uri.path)
        if not drive:
            reason = "without a drive letter and a slash behind it no Windows path is absolute"
            raise self._no_path(start, "path", "drive-letter", reason, self._drive_hint())
        return PureWindowsPath(f"{drive[1]}:{self._decoded(start + drive.end(), end, 'path')}")

    def _drive_hint(self) -> str:
        """What to do about a local path that has no drive letter and slash."""
        if file_uri.OLD_DRIVE.match(str(self)):
            return "FileURI.updated reads a vertical line as the colon of a drive"
        if file_uri.DRIVE_LETTER.match(self.uri.path):
            return "write a slash behind the colon: file:///c:/ is the root of a drive"
        return "use to_posix"

    def _to_unc(self, start: int, end: int) -> PureWindowsPath:
        """The UNC path of a file that is not local; share and names stand at these places."""
        host, host_start = self.host, self._host_start()
        if not host.startswith("["):
            host = self._decoded(host_start, host_start + len(host), "host")
        if host in file_uri.NO_HOSTS:
            reason = "no URI is defined for a namespace of Windows"
            raise self._no_path(host_start, "host", "file-auth", reason)
        names = self._decoded(start, end, "path")
        if names.split("/")[1] in ("", *file_uri.NO_SHARES):
            reason = "the first segment is not the name of a share"
            raise self._no_path(start + 1, "path", "segment", reason)
        return PureWindowsPath(f"//{host}{names}")

    def _host_start(self) -> int:
        """Where the host stands in the text; of an address in a path, its bracket."""
        bounds = self.uri._bounds
        return bounds[2] if self._unc is None else bounds[4] + self._unc.start("host")

    def _decoded(self, start: int, end: int, component: str) -> str:
        """What is encoded in the text between two places."""
        text = str(self)[start:end]
        if found := file_uri.NOT_IN_WINDOWS.search(text):
            reason = f"a name in a Windows path can't have {meaning(found[0])}"
            raise self._no_path(start + found.start(), component, "segment", reason)
        try:
            return percent.decode(text)
        except ConvertError as error:
            reason, hint = error.reason, "a Windows path is text"
            place = start + error.position
            raise self._no_path(place, component, "pct-encoded", reason, hint) from None

    def _no_path(
        self, position: int, component: str, rule: str, reason: str, hint: str = ""
    ) -> ConvertError:
        """The error for a place in the text that keeps it from being a path."""
        return ConvertError(str(self), position, component, rule, reason, hint)


def meaning(written: str) -> str:
    """What is written, for people."""
    return "a colon" if written == ":" else f"what {written} stands for"


def named(value: object) -> str:
    return type(value).__name__
