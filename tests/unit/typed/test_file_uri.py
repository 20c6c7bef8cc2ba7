"""`FileURI`: the "file" URI scheme (RFC 8089)."""

import re
from collections.abc import Callable
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from marked import find_mark, list_rows

from uriverse import URI, BuildError, ConvertError, FileURI, ParseError
from uriverse.schemes._file import replace_drive_bar


@pytest.mark.parametrize(
    ("host", "local", "drive", "text"),
    list_rows(
        {
            ("", True, False): (
                "file:///path/to/file file:/path/to/file file:///c: file:///cd:/x file:///x#y "
                "file:///a//b/ file:///"
            ),
            ("host.example.com", False, False): (
                "file://host.example.com/path/to/file file:////host.example.com/path/to/file "
                "file://///host.example.com/path/to/file"
            ),
            (
                "",
                True,
                True,
            ): "file:c:/path/to/file file:///c:/path/to/file file:/C:/ file:///c%3A/x",
            ("server", False, False): "file://server/c:/x",
            ("localhost", False, False): "file:////localhost/x",
            ("[::1]", False, False): "file:////%5B::1%5d/x file://[::1]/x",
            ("[v1.a:b]", False, False): "file:////%5Bv1.a:b%5D/x",
            ("%5Bv1.a%5Db", False, False): "file:////%5Bv1.a%5Db/x",
            ("1.2.3.4", False, False): "file:////1.2.3.4/",
            ("localhost", True, False): "file://localhost/x",
            ("LOCALHOST", True, False): "FILE://LOCALHOST/x",
            ("%6Cocalhost", True, True): "file://%6Cocalhost/c:/x",
            ("localhost.", False, False): "file://localhost./x",
            ("127.0.0.1", False, False): "file://127.0.0.1/x",
        }
    ),
)
def test_host_and_drive_letter_are_parsed(text: str, host: str, local: bool, drive: bool) -> None:
    uri = FileURI(text)
    assert str(uri) == text
    assert (uri.file_host, uri.is_local, uri.has_drive_letter) == (host, local, drive)
    assert FileURI(URI(text)) == uri


def test_updated_replaces_the_vertical_line_of_a_drive_letter() -> None:
    for old, updated in [
        # E.2.2
        ("file:///c|/path/to/file", "file:///c:/path/to/file"),
        ("file:/c|/path/to/file", "file:/c:/path/to/file"),
        ("file:c|/path/to/file", "file:c:/path/to/file"),
        ("FILE://localhost/C%7c/x%7C", "FILE://localhost/C:/x%7C"),
        *(("file:///c:/x", "file:///c:/x"), ("file:///a/c%7C/x", "file:///a/c%7C/x")),
        ("file:///c%7C", "file:///c%7C"),
    ]:
        assert str(FileURI.updated(old)) == replace_drive_bar(old) == updated


def test_updated_changes_drive_letters_only() -> None:
    for text in ("file:c|", "file://c|/x", "file:///cd|/x", "file:///c|x", "http:c|/x"):
        assert replace_drive_bar(text) == text
        with pytest.raises(ParseError):
            FileURI.updated(text)
    with pytest.raises(TypeError):
        FileURI.updated(b"file:///c|/x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        *(("/", "file:///"), ("/path/to/file", "file:///path/to/file"), ("/a/", "file:///a/")),
        *(("/a//b", "file:///a//b"), ("/a/./../b", "file:///a/./../b")),
        ("/50% of what?#1", "file:///50%25%20of%20what%3F%231"),
        *(("/café\n", "file:///caf%C3%A9%0A"), ("/c:\\x@[1]", "file:///c:%5Cx@%5B1%5D")),
        *(("/~/$a'(b)*+,;=!&", "file:///~/$a'(b)*+,;=!&"), ("/%2F", "file:///%252F")),
        *(("/\udcff\udcc3", "file:///%FF%C3"), ("/localhost/x", "file:///localhost/x")),
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
    ("build", "marked"),
    list_rows(
        {
            # Relative and ambiguous paths.
            FileURI.from_posix: [
                *("^", "^a/b", "^~/a", "/^/", "/^/host/x", "/^//x", "/a^\0b", "/a/^\ud800")
            ],
            FileURI.from_windows: [
                *("^", "^a\\b", "^\\a", "^/etc/hosts", "^c:", "^c:a", "^cd:\\a", "^é:\\a", "^\\\\"),
                *("^\\\\server", "^\\\\server\\", "^\\\\server\\\\share", "^\\\\\\server\\share"),
                *("^\\??\\C:\\x", "\\\\^?\\x", "\\\\^.\\pipe\\x", "//^./NUL", "\\\\^..\\share\\x"),
                *("\\\\^?\\UNC\\server\\share", "\\\\^localhost\\c$\\x", "\\\\^LocalHost\\c$\\x"),
                *("\\\\^a:b\\share", "\\\\^a\0b\\share", "\\\\^[::1\\share"),
                "\\\\server\\^..\\share",
                *("\\\\server\\^.", "\\\\?\\C^:\\x", "C:\\a.txt^:stream", "C:\\a\\b^::$DATA"),
                *("\\\\server\\c^:\\x", "C:\\a^\0", "C:\\a^\ud800", "\\\\^\udc80\\share"),
            ],
        }
    ),
)
def test_paths_without_a_file_uri_are_rejected(build: Callable[[str], object], marked: str) -> None:
    with pytest.raises(BuildError) as caught:
        build(find_mark(marked)[0])
    assert (caught.value.text, caught.value.position) == find_mark(marked)
    assert caught.value.component == "path"
    assert str(caught.value)


def test_errors_about_byte_paths_show_surrogate_escapes() -> None:
    with pytest.raises(BuildError) as caught:
        FileURI.from_posix(b"/\xff\0")
    assert (caught.value.text, caught.value.position) == ("/\udcff\0", 2)
    assert "udcff" in str(caught.value)


def test_path_conversions_ignore_the_fragment() -> None:
    assert FileURI("file://localhost/a%23b#c").to_posix() == PurePosixPath("/a#b")
    assert FileURI("file:///c:/a%23b#c").to_windows() == PureWindowsPath("c:/a#b")
    # To POSIX, a drive letter is an ordinary file name.
    assert FileURI("file:///c:/x").to_posix_bytes() == b"/c:/x"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        *(("C:\\", "file:///C:/"), ("c:\\path\\to\\file", "file:///c:/path/to/file")),
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
    ("text", "path"),
    [
        *(("file:c:/path/to/file", "c:\\path\\to\\file"), ("file:/c:/x", "c:\\x")),
        *(("file://localhost/c:/x", "c:\\x"), ("file:///c%3a/x", "c:\\x"), ("file:///c:/", "c:\\")),
        *(("file:///c:/a//b/./", "c:\\a\\b"), ("file:///c:/..%20x", "c:\\.. x")),
        ("file:////host.example.com/path/to/file", "\\\\host.example.com\\path\\to\\file"),
        ("file://///host.example.com/path/to/file", "\\\\host.example.com\\path\\to\\file"),
        ("file:////localhost/c$/x", "\\\\localhost\\c$\\x"),
        ("file:////%5B::1%5D/share/x", "\\\\[::1]\\share\\x"),
        ("file:////b%C3%BCcher/a/%C3%BC", "\\\\bücher\\a\\ü"),
    ],
)
def test_to_windows_converts_every_form_of_file_uri(text: str, path: str) -> None:
    assert str(FileURI(text).to_windows()) == str(PureWindowsPath(path))


def test_from_path_uses_the_flavor_of_the_path() -> None:
    assert str(FileURI.from_path(PurePosixPath("/c:/x\\y"))) == "file:///c:/x%5Cy"
    assert str(FileURI.from_path(PureWindowsPath("/c:/x\\y".lstrip("/")))) == "file:///c:/x/y"
    here = Path.cwd()
    uri = FileURI.from_path(here)
    back = uri.to_windows() if isinstance(here, PureWindowsPath) else uri.to_posix()
    assert str(back) == str(here)


def test_from_path_rejects_relative_paths_and_posix_paths_with_two_slashes() -> None:
    for path in [
        *(PurePosixPath("a"), PurePosixPath("//a/b")),
        *(PureWindowsPath("a"), PureWindowsPath("/a"), PureWindowsPath("c:a")),
    ]:
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


def test_hints_of_to_windows_name_a_solution() -> None:
    for text, hint in [
        *(("file:///C%7C/a", "FileURI.updated"), ("file:/c%7c/a", "FileURI.updated")),
        *(("file:///c:", "file:///c:/"), ("file:///c%3A", "file:///c:/")),
        *(("file:///c:x/y", "file:///c:/"), ("file:///a/b", "to_posix")),
    ]:
        with pytest.raises(ConvertError) as caught:
            FileURI(text).to_windows()
        assert hint in caught.value.hint
        assert ("to_posix" in caught.value.hint) is (hint == "to_posix")


#: File URIs that are often equivalent.
SIMILAR_URIS = st.builds(
    "file:{}{}".format, STARTS, st.from_regex("(a|%61|a/){0,2}", fullmatch=True)
)


@given(SIMILAR_URIS, SIMILAR_URIS)
def test_files_on_different_hosts_are_never_equivalent(one: str, other: str) -> None:
    first, second = FileURI(one), FileURI(other)
    if first.equivalent(second, level="scheme"):
        machines = {uri.file_host.removeprefix("localhost") for uri in (first, second)}
        assert len(machines) == 1
        assert first.is_local is second.is_local is (machines == {""})
    else:
        assert one != other
