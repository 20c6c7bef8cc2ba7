from __future__ import annotations

import pickle
import re
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from uriverse import URI
from uriverse._errors import BuildError, ConvertError, ParseError, URIError
from uriverse._spec.components import AllParts, all_parts, composed
from uriverse._typed.file import FileURI
from uriverse.schemes._file import equivalence, normalized, produced, with_colon

LONG = 200_000

# --- parsing


@pytest.mark.parametrize(
    ("text", "host", "local", "drive"),
    [
        # Appendix B
        ("file:///path/to/file", "", True, False),
        ("file:/path/to/file", "", True, False),
        ("file://host.example.com/path/to/file", "host.example.com", False, False),
        # Appendix E.2
        ("file:c:/path/to/file", "", True, True),
        ("file:///c:/path/to/file", "", True, True),
        ("file:/C:/", "", True, True),
        ("file:///c%3A/x", "", True, True),
        ("file:///c:", "", True, False),
        ("file:///cd:/x", "", True, False),
        ("file://server/c:/x", "server", False, False),
        # Appendix E.3.2
        ("file:////host.example.com/path/to/file", "host.example.com", False, False),
        ("file://///host.example.com/path/to/file", "host.example.com", False, False),
        ("file:////localhost/x", "localhost", False, False),
        ("file:////%5B::1%5d/x", "[::1]", False, False),
        ("file:////%5Bv1.a:b%5D/x", "[v1.a:b]", False, False),
        ("file:////%5Bv1.a%5Db/x", "%5Bv1.a%5Db", False, False),
        ("file:////1.2.3.4/", "1.2.3.4", False, False),
        # Hosts
        ("file://localhost/x", "localhost", True, False),
        ("FILE://LOCALHOST/x", "LOCALHOST", True, False),
        ("file://%6Cocalhost/c:/x", "%6Cocalhost", True, True),
        ("file://localhost./x", "localhost.", False, False),
        ("file://127.0.0.1/x", "127.0.0.1", False, False),
        ("file://[::1]/x", "[::1]", False, False),
        # Every URI may have a fragment.
        ("file:///x#y", "", True, False),
        ("file:///a//b/", "", True, False),
        ("file:///", "", True, False),
    ],
)
def test_host_locality_and_drive_letter_are_parsed(
    text: str, host: str, local: bool, drive: bool
) -> None:
    uri = FileURI(text)
    assert str(uri) == text
    assert (uri.file_host, uri.is_local, uri.has_drive_letter) == (host, local, drive)
    assert FileURI(URI(text)) == uri
    assert pickle.loads(pickle.dumps(uri)).file_host == host


@pytest.mark.parametrize(
    ("text", "component", "rule", "position"),
    [
        ("http://a/b", "scheme", "file-URI", 0),
        ("file:", "path", "path-absolute", 5),
        ("file://", "path", "path-absolute", 7),
        ("file://host", "path", "path-absolute", 11),
        ("file:a/b", "path", "path-absolute", 5),
        ("file:c:", "path", "path-absolute", 5),
        ("file:c:x", "path", "path-absolute", 5),
        ("file:c://x", "path", "path-absolute", 5),
        ("file:cd:/x", "path", "path-absolute", 5),
        ("file:c%3A/x", "path", "path-absolute", 5),
        ("file://host//x/y", "path", "path-absolute", 11),
        ("file://localhost//x/y", "path", "path-absolute", 16),
        ("file:////", "path", "path-absolute", 7),
        ("file:////host", "path", "path-absolute", 7),
        ("file:////a:b/x", "path", "path-absolute", 7),
        ("file:////host//x", "path", "path-absolute", 7),
        ("file://////host/x", "path", "path-absolute", 7),
        ("file:////%5B::1/x", "path", "path-absolute", 7),
        ("file:///x?", "query", "file-URI", 9),
        ("file:///x?y#z", "query", "file-URI", 9),
        ("file://me:secret@host/x", "userinfo", "file-auth", 7),
        ("file://@/x", "userinfo", "file-auth", 7),
        ("file://host:80/x", "port", "file-auth", 11),
        ("file://:/x", "port", "file-auth", 7),
        # Characters that no URI contains (E.2.2, E.4)
        ("file:///c|/x", "path", "path-abempty", 9),
        ("file:///c:\\x", "path", "path-abempty", 10),
    ],
)
def test_invalid_file_uris_are_rejected(
    text: str, component: str, rule: str, position: int
) -> None:
    with pytest.raises(ParseError) as caught:
        FileURI(text)
    error = caught.value
    assert (error.text, error.component, error.position) == (text, component, position)
    assert error.rule == rule
    assert "secret" not in f"{error}{error!r}"


@pytest.mark.parametrize(
    ("old", "updated"),
    [
        # E.2.2
        ("file:///c|/path/to/file", "file:///c:/path/to/file"),
        ("file:/c|/path/to/file", "file:/c:/path/to/file"),
        ("file:c|/path/to/file", "file:c:/path/to/file"),
        ("FILE://localhost/C%7c/x%7C", "FILE://localhost/C:/x%7C"),
        ("file:///c:/x", "file:///c:/x"),
        ("file:///a/c%7C/x", "file:///a/c%7C/x"),
        ("file:///c%7C", "file:///c%7C"),
    ],
)
def test_updated_replaces_the_vertical_line_of_a_drive_letter(old: str, updated: str) -> None:
    assert str(FileURI.updated(old)) == with_colon(old) == updated


def test_updated_changes_drive_letters_only() -> None:
    for text in ("file:c|", "file://c|/x", "file:///cd|/x", "file:///c|x", "http:c|/x"):
        assert with_colon(text) == text
        with pytest.raises(ParseError):
            FileURI.updated(text)
    with pytest.raises(TypeError):
        FileURI.updated(b"file:///c|/x")  # type: ignore[arg-type]


# --- POSIX


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/", "file:///"),
        ("/path/to/file", "file:///path/to/file"),
        ("/a/", "file:///a/"),
        ("/a//b", "file:///a//b"),
        ("/a/./../b", "file:///a/./../b"),
        ("/50% of what?#1", "file:///50%25%20of%20what%3F%231"),
        ("/café\n", "file:///caf%C3%A9%0A"),
        ("/c:\\x@[1]", "file:///c:%5Cx@%5B1%5D"),
        ("/~/$a'(b)*+,;=!&", "file:///~/$a'(b)*+,;=!&"),
        ("/%2F", "file:///%252F"),
        ("/\udcff\udcc3", "file:///%FF%C3"),
        ("/localhost/x", "file:///localhost/x"),
        ("/|", "file:///%7C"),
    ],
)
def test_posix_paths_round_trip(path: str, text: str) -> None:
    uri = FileURI.from_posix(path)
    assert str(uri) == text
    octets = path.encode(errors="surrogateescape")
    assert uri.to_posix_bytes() == octets
    assert FileURI.from_posix(octets) == uri
    assert uri.to_posix() == PurePosixPath(path)


@pytest.mark.parametrize(
    ("path", "position"),
    [
        ("", 0),
        ("a/b", 0),
        ("~/a", 0),
        ("//", 1),
        ("//host/x", 1),
        ("///x", 1),
        ("/a\0b", 2),
        ("/a/\ud800", 3),
    ],
)
def test_from_posix_rejects_relative_and_ambiguous_paths(path: str, position: int) -> None:
    with pytest.raises(BuildError) as caught:
        FileURI.from_posix(path)
    error = caught.value
    assert (error.text, error.position, error.component) == (path, position, "path")
    assert str(error)


def test_errors_about_byte_paths_show_surrogate_escapes() -> None:
    with pytest.raises(BuildError) as caught:
        FileURI.from_posix(b"/\xff\0")
    assert (caught.value.text, caught.value.position) == ("/\udcff\0", 2)
    assert "udcff" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "component", "rule", "position"),
    [
        ("file://host/x", "host", "file-auth", 7),
        ("file:////host/x", "host", "file-auth", 9),
        ("file://///host/x", "host", "file-auth", 10),
        ("file:c:/x", "path", "drive-letter", 5),
        ("file:///a%2Fb", "path", "segment", 9),
        ("file:/a%2fb", "path", "segment", 7),
        ("file:///%2Fetc", "path", "segment", 8),
        ("file:///a/%00", "path", "segment", 10),
    ],
)
def test_to_posix_rejects_uris_without_a_posix_path(
    text: str, component: str, rule: str, position: int
) -> None:
    for convert in (FileURI(text).to_posix, FileURI(text).to_posix_bytes):
        with pytest.raises(ConvertError) as caught:
            convert()
        error = caught.value
        assert (error.text, error.component) == (text, component)
        assert (error.rule, error.position) == (rule, position)


def test_path_conversions_ignore_the_fragment() -> None:
    assert FileURI("file://localhost/a%23b#c").to_posix() == PurePosixPath("/a#b")
    assert FileURI("file:///c:/a%23b#c").to_windows() == PureWindowsPath("c:/a#b")
    # To POSIX, a drive letter is an ordinary file name.
    assert FileURI("file:///c:/x").to_posix_bytes() == b"/c:/x"


# --- Windows


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("C:\\", "file:///C:/"),
        ("c:\\path\\to\\file", "file:///c:/path/to/file"),
        ("c:/path\\to/file", "file:///c:/path/to/file"),
        ("c:\\a\\..\\b\\", "file:///c:/a/../b/"),
        ("C:\\50% of what?#1. ", "file:///C:/50%25%20of%20what%3F%231.%20"),
        ("C:\\日本 é\n", "file:///C:/%E6%97%A5%E6%9C%AC%20%C3%A9%0A"),
        ('C:\\a|b*"<>', "file:///C:/a%7Cb*%22%3C%3E"),
        # E.3.1
        (
            "\\\\host.example.com\\Share\\path\\to\\file.txt",
            "file://host.example.com/Share/path/to/file.txt",
        ),
        ("\\\\server\\share\\", "file://server/share/"),
        ("//server/c$/x", "file://server/c$/x"),
        ("\\\\server@SSL@8080\\DavWWWRoot\\x", "file://server%40SSL%408080/DavWWWRoot/x"),
        ("\\\\bücher\\a", "file://b%C3%BCcher/a"),
        ("\\\\[fe80::1]\\share\\x", "file://[fe80::1]/share/x"),
        ("\\\\1.2.3.4\\share\\x", "file://1.2.3.4/share/x"),
        ("\\\\%6Cocalhost\\share\\x", "file://%256Cocalhost/share/x"),
        ("\\\\a b[\\..x\\y", "file://a%20b%5B/..x/y"),
    ],
)
def test_windows_paths_round_trip(path: str, text: str) -> None:
    uri = FileURI.from_windows(path)
    assert str(uri) == text
    assert uri.to_windows() == PureWindowsPath(path)
    assert str(uri.to_windows()) == str(PureWindowsPath(path))
    assert FileURI.from_path(PureWindowsPath(path)).to_windows() == PureWindowsPath(path)


@pytest.mark.parametrize(
    ("path", "position"),
    [
        ("", 0),
        ("a\\b", 0),
        ("\\a", 0),
        ("/etc/hosts", 0),
        ("c:", 0),
        ("c:a", 0),
        ("cd:\\a", 0),
        ("é:\\a", 0),
        ("\\\\", 0),
        ("\\\\server", 0),
        ("\\\\server\\", 0),
        ("\\\\server\\\\share", 0),
        ("\\\\\\server\\share", 0),
        ("\\??\\C:\\x", 0),
        ("\\\\?\\x", 2),
        ("\\\\.\\pipe\\x", 2),
        ("//./NUL", 2),
        ("\\\\?\\UNC\\server\\share", 2),
        ("\\\\..\\share\\x", 2),
        ("\\\\localhost\\c$\\x", 2),
        ("\\\\LocalHost\\c$\\x", 2),
        ("\\\\a:b\\share", 2),
        ("\\\\a\0b\\share", 2),
        ("\\\\[::1\\share", 2),
        ("\\\\server\\..\\share", 9),
        ("\\\\server\\.", 9),
        ("\\\\?\\C:\\x", 5),
        ("C:\\a.txt:stream", 8),
        ("C:\\a\\b::$DATA", 6),
        ("\\\\server\\c:\\x", 10),
        ("C:\\a\0", 4),
        ("C:\\a\ud800", 4),
        ("\\\\\udc80\\share", 2),
    ],
)
def test_from_windows_rejects_paths_without_a_file_uri(path: str, position: int) -> None:
    with pytest.raises(BuildError) as caught:
        FileURI.from_windows(path)
    error = caught.value
    assert (error.text, error.position, error.component) == (path, position, "path")
    assert str(error)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("file:c:/path/to/file", "c:\\path\\to\\file"),
        ("file:/c:/x", "c:\\x"),
        ("file://localhost/c:/x", "c:\\x"),
        ("file:///c%3a/x", "c:\\x"),
        ("file:///c:/", "c:\\"),
        ("file:///c:/a//b/./", "c:\\a\\b"),
        ("file:///c:/..%20x", "c:\\.. x"),
        ("file:////host.example.com/path/to/file", "\\\\host.example.com\\path\\to\\file"),
        ("file://///host.example.com/path/to/file", "\\\\host.example.com\\path\\to\\file"),
        ("file:////localhost/c$/x", "\\\\localhost\\c$\\x"),
        ("file:////%5B::1%5D/share/x", "\\\\[::1]\\share\\x"),
        ("file:////b%C3%BCcher/a/%C3%BC", "\\\\bücher\\a\\ü"),
    ],
)
def test_to_windows_converts_every_form_of_file_uri(text: str, path: str) -> None:
    assert str(FileURI(text).to_windows()) == str(PureWindowsPath(path))


@pytest.mark.parametrize(
    ("text", "component", "rule", "position"),
    [
        ("file:///etc/hosts", "path", "drive-letter", 7),
        ("file:///c:", "path", "drive-letter", 7),
        ("file:///c:x/y", "path", "drive-letter", 7),
        ("file:///c%7C/x", "path", "drive-letter", 7),
        ("file:///c:/a%5Cb", "path", "segment", 12),
        ("file:///c:/a%2fb", "path", "segment", 12),
        ("file:///c:/a%00", "path", "segment", 12),
        ("file:///c:/a:b", "path", "segment", 12),
        ("file:///c:/a%3Ab", "path", "segment", 12),
        ("file:c:/%5C", "path", "segment", 8),
        ("file:///c:/a/%C3%A9%FF", "path", "pct-encoded", 19),
        ("file://server/c:/x", "path", "segment", 15),
        ("file://server/", "path", "segment", 14),
        ("file://server/./x", "path", "segment", 14),
        ("file://server/%2E%2e/x", "path", "segment", 14),
        ("file:////server/..", "path", "segment", 16),
        ("file:////server/a%5C", "path", "segment", 17),
        ("file://a%5Cb/share/x", "host", "segment", 8),
        ("file://a%3Ab/share/x", "host", "segment", 8),
        ("file://a%2Fb/share/x", "host", "segment", 8),
        ("file:////a%00/share/x", "host", "segment", 10),
        ("file:////%FF/share/x", "host", "pct-encoded", 9),
        ("file://%3F/c/x", "host", "file-auth", 7),
        ("file://./pipe/x", "host", "file-auth", 7),
        ("file://%2E/pipe/x", "host", "file-auth", 7),
        ("file:////../share/x", "host", "file-auth", 9),
        ("file://///%3F/share/x", "host", "file-auth", 10),
    ],
)
def test_to_windows_rejects_uris_without_a_windows_path(
    text: str, component: str, rule: str, position: int
) -> None:
    with pytest.raises(ConvertError) as caught:
        FileURI(text).to_windows()
    error = caught.value
    assert (error.text, error.component) == (text, component)
    assert (error.rule, error.position) == (rule, position)


# --- pathlib


def test_from_path_uses_the_flavor_of_the_path() -> None:
    assert str(FileURI.from_path(PurePosixPath("/c:/x\\y"))) == "file:///c:/x%5Cy"
    assert str(FileURI.from_path(PureWindowsPath("/c:/x\\y".lstrip("/")))) == "file:///c:/x/y"
    here = Path.cwd()
    uri = FileURI.from_path(here)
    back = uri.to_windows() if isinstance(here, PureWindowsPath) else uri.to_posix()
    assert str(back) == str(here)


def test_from_path_rejects_relative_paths_and_posix_paths_with_two_slashes() -> None:
    for path in (
        PurePosixPath("a"),
        PurePosixPath("//a/b"),
        PureWindowsPath("a"),
        PureWindowsPath("/a"),
        PureWindowsPath("c:a"),
    ):
        with pytest.raises(BuildError):
            FileURI.from_path(path)


def test_path_conversions_reject_wrong_types() -> None:
    with pytest.raises(TypeError, match="PureWindowsPath, not str"):
        FileURI.from_path("/a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a str or bytes, not PurePosixPath"):
        FileURI.from_posix(PurePosixPath("/a"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a str, not bytes"):
        FileURI.from_windows(b"C:\\")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        FileURI(b"file:///x")  # type: ignore[arg-type]


def test_path_conversions_use_the_characters_of_str_subclasses() -> None:
    class Text(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "/evil"

    assert str(FileURI.from_posix(Text("/a"))) == "file:///a"
    assert str(FileURI.from_windows(Text("C:\\a"))) == "file:///C:/a"


NAMES = st.one_of(
    st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1),
    st.sampled_from(
        ["%", "a?b", "c#", "a ", "a.", "é", "\n", "%2F", "%00", "..", "~", "localhost"]
    ),
)

WINDOWS_NAMES = NAMES.map(lambda name: re.sub(r"[\\/:]", "_", name))


@given(st.lists(NAMES).map(lambda names: PurePosixPath("/", *names)))
@example(PurePosixPath("/"))
@example(PurePosixPath("/a/../b\udc80"))
def test_random_posix_paths_round_trip(path: PurePosixPath) -> None:
    uri = FileURI.from_path(path)
    assert uri.to_posix() == path
    assert uri.is_local
    assert uri.host == ""


@given(st.binary().map(lambda octets: b"/" + octets))
@example(b"/\xff/\xc3\xa9//")
def test_random_byte_paths_round_trip(path: bytes) -> None:
    assume(b"\0" not in path and not path.startswith(b"//"))
    uri = FileURI.from_posix(path)
    assert uri.to_posix_bytes() == path
    if {b".", b".."}.isdisjoint(path.split(b"/")):  # Dot segments cannot be escaped.
        for other in (uri.normalize(), URI("http://a/").resolve(str(uri))):
            assert FileURI(other).to_posix_bytes() == path
            assert uri.equivalent(other, level="scheme")
    assert FileURI(str(uri)) == uri
    assert uri.path.count("/") == path.count(b"/")


@given(
    st.sampled_from(["C:\\", "z:\\", "\\\\server\\share\\", "\\\\b é%\\a#$\\"]),
    st.lists(WINDOWS_NAMES),
)
def test_random_windows_paths_round_trip(root: str, names: list[str]) -> None:
    path = PureWindowsPath(root, *names)
    uri = FileURI.from_path(path)
    assert uri.to_windows() == path
    assert str(uri.to_windows()) == str(path)
    for other in (uri.normalize(), URI("http://a/").resolve(str(uri))):
        assert ".." in names or FileURI(other).to_windows() == path
    assert uri.is_local is root.endswith(":\\") is uri.has_drive_letter


@given(st.text(), st.sampled_from([FileURI.from_posix, FileURI.from_windows]))
@example("\\\\?\\C:\\", FileURI.from_windows)
def test_path_conversions_raise_only_uri_errors(text: str, build: type[FileURI]) -> None:
    for path in (text, f"/{text}", f"C:\\{text}", f"\\\\{text}", f"\\\\a\\{text}"):
        try:
            uri = build(path)
        except URIError as error:
            assert 0 <= error.position <= len(path)  # noqa: PT017  # success is fine too
            assert str(error)  # noqa: PT017
        else:
            assert FileURI(str(uri)) == uri


RANDOM_PATHS = st.lists(
    st.sampled_from(
        ["/", "//", "c:", "%2F", "%5C", "%00", "%FF", "..", "a", "%3F", "?", "localhost"]
    )
).map("".join)


#: Beginnings of file URIs, without the scheme.
STARTS = st.sampled_from(["/", "///", "//localhost/", "//a/", "////a/", "c:/", "///c:/"])


@given(st.builds("{}{}".format, STARTS, RANDOM_PATHS))
@example("////server/share/x")
def test_paths_of_random_file_uris_round_trip_or_raise_convert_errors(rest: str) -> None:
    try:
        uri = FileURI(f"file:{rest}")
    except ParseError:
        return
    for convert in (uri.to_posix_bytes, uri.to_windows):
        try:
            path = convert()
        except ConvertError as error:
            assert 0 <= error.position <= len(str(uri))  # noqa: PT017  # success is fine too
            continue
        if isinstance(path, PurePath):
            assert path.is_absolute()
            assert FileURI.from_path(path).to_windows() == path or uri.host == "localhost"
        else:
            assert (
                FileURI.from_posix(path).equivalent(uri, level="scheme") or uri.fragment is not None
            )


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("file:///C%7C/a", "FileURI.updated"),
        ("file:/c%7c/a", "FileURI.updated"),
        ("file:///c:", "file:///c:/"),
        ("file:///c%3A", "file:///c:/"),
        ("file:///c:x/y", "file:///c:/"),
        ("file:///a/b", "to_posix"),
    ],
)
def test_hints_of_to_windows_name_a_solution(text: str, hint: str) -> None:
    with pytest.raises(ConvertError) as caught:
        FileURI(text).to_windows()
    assert hint in caught.value.hint
    assert ("to_posix" in caught.value.hint) is (hint == "to_posix")


# --- comparing


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("file:/x", "file:///x", True),
        ("file:///x", "file://localhost/x", True),
        ("file://LOCALHOST/x", "FILE:/x", True),
        ("file://%6cocalhost/%7Ex", "file:/~x", True),
        ("file:///a/../b", "file:///b", True),
        ("file:c:/x", "file:///c:/x", True),
        ("file:c:/x", "file:/c:/x", True),
        ("file://Host/x", "file://host/x", True),
        ("file:///x", "file://host/x", False),
        ("file:///x", "file:///X", False),
        ("file:///C:/x", "file:///c:/x", False),
        ("file:///x", "file:///x/", False),
        ("file:///x", "file:///x#", False),
        ("file:////a/x", "file:///a/x", False),
        ("file:////localhost/x", "file:///x", False),
        ("file:///a%2Fb", "file:///a/b", False),
        # Dot segments are removed before the rules of the scheme apply.
        ("file:///a/..//server/share/x", "file:////server/share/x", True),
        ("file:///a/..//server/share/x", "file:///.//server/share/x", True),
        ("file:////server/share/../../../x", "file:///x", True),
        ("file:////server/a/../x", "file:////server/./x", True),
        ("file:////server/a/../x", "file:////Server/./x", False),
        ("file:////server/share/x", "file://///server/share/x", False),
        ("file:////server/share/x", "file:////server/share/x#", False),
        ("file:////%5B::1%5D/share/x", "file:////%5b::1%5d/share/x", True),
        ("file://a/b/..//server/share/x", "file://a/server/share/x", False),
        ("file:c:/../x", "file:///x", False),
    ],
)
def test_equivalent_ignores_only_insignificant_differences(
    one: str, other: str, same: bool
) -> None:
    assert FileURI(one).equivalent(other, level="scheme") is same
    assert FileURI(other).equivalent(FileURI(one), level="scheme") is same
    assert FileURI(one).equivalent(URI(one), level="scheme")


#: File URIs that are often equivalent.
SIMILAR_URIS = st.builds(
    "{}{}".format,
    STARTS,
    st.lists(st.sampled_from(["a", "%61", "a/"]), max_size=2).map("".join),
)


@given(SIMILAR_URIS, SIMILAR_URIS)
def test_files_on_different_hosts_are_never_equivalent(one: str, other: str) -> None:
    first, second = FileURI(f"file:{one}"), FileURI(f"file:{other}")
    if first.equivalent(second, level="scheme"):
        machines = {uri.file_host.removeprefix("localhost") for uri in (first, second)}
        assert len(machines) == 1
        assert first.is_local is second.is_local is (machines == {""})
    else:
        assert one != other


def test_equivalent_rejects_other_schemes_and_types() -> None:
    assert not FileURI("file:/x").equivalent("http://a/x", level="scheme")
    with pytest.raises(TypeError):
        FileURI("file:/x").equivalent(1, level="scheme")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("file://localhost/x?y#z", "file:///x?y#z"),
        ("file://LocalHost/x", "file:///x"),
        ("file://localhost", "file://"),
        ("file:///x", "file:///x"),
        ("file:/x", "file:/x"),
        ("file://host/x", "file://host/x"),
        # Not valid under RFC 8089
        ("file://localhost//x/y", "file://localhost//x/y"),
        ("file://me@localhost/x", "file://me@localhost/x"),
        ("file://localhost:80/x", "file://localhost:80/x"),
        ("file://me@localhost:80/x", "file://me@localhost:80/x"),
        ("file://@localhost:/x", "file://@localhost:/x"),
    ],
)
def test_normalization_replaces_localhost_by_an_empty_host(text: str, result: str) -> None:
    assert composed(normalized(all_parts(text))) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("file:/x", "file:///x"),
        ("file:c:/x", "file:///c:/x"),
        ("file:x", "file:x"),
        ("file:", "file:"),
        ("file://localhost/x", "file:///x"),
    ],
)
def test_equivalence_form_adds_an_empty_authority(text: str, result: str) -> None:
    assert composed(equivalence(all_parts(text))) == result


@given(
    st.none() | st.sampled_from(["", "localhost", "LOCALHOST", "%4cocalhost", "host"]),
    st.none() | st.sampled_from(["", "80"]),
    st.sampled_from(["", "/", "/x", "//x/y", "/c:/x"]),
)
def test_normalization_is_idempotent_and_neither_adds_nor_removes_an_authority(
    host: str | None, port: str | None, path: str
) -> None:
    parts = AllParts("file", None, host, None if host is None else port, path, None, None)
    once = normalized(parts)
    assert normalized(once) == once
    assert (once.host is None) is (host is None)
    assert equivalence(equivalence(parts)) == equivalence(parts)
    if host is not None or not path.startswith("//"):
        assert all_parts(composed(once)) == once


# --- hostile input


def test_long_file_uris_take_linear_time() -> None:
    assert produced("", "/" + "a/" * LONG)
    assert not produced("", "/" * LONG)
    assert not produced("", "//" + "%5B" * LONG)
    assert not produced("", "//%5B" + ":" * LONG + "/")
    assert not produced("", "//" + "a" * LONG)
    assert not produced(None, "c:" * LONG)
    assert with_colon("file://" + "/a" * LONG).count("/a") == LONG
    uri = FileURI.from_posix("/" + "%" * LONG)
    assert uri.to_posix_bytes() == b"/" + b"%" * LONG
    assert FileURI.from_windows("C:" + "\\é" * LONG).path.count("/") == LONG + 1
    assert len(FileURI("file:////" + "a" * LONG + "/b").file_host) == LONG
    for path in ("\\" * LONG, "\\\\" + "a" * LONG, "C:\\" + "a" * LONG + ":"):
        with pytest.raises(BuildError):
            FileURI.from_windows(path)
    with pytest.raises(ConvertError):
        FileURI("file:///c:/" + "%C3%A9" * LONG + "%FF").to_windows()
