from collections.abc import Callable

import pytest
from counting import assert_proportional

import uriverse
from uriverse import HTTPURI, URN, ConvertError, DataURI, FileURI, MailtoURI, TelURI, URIError
from uriverse._typed.base import TypedURI
from uriverse._typed.urn import to_isbn13
from uriverse.schemes._data import find_base64_violation
from uriverse.schemes._file import is_file_uri, replace_drive_bar
from uriverse.schemes._mailto import find_line_breaks

SIZE = 5_000

#: Invalid URIs: a beginning, a part to repeat, the end, and the rule that they break.
INVALID: list[tuple[type[TypedURI], str, str, str, str]] = [
    *((URN, "urn:", "a", "", "NID"), (URN, "urn:", "-", "", "NID")),
    *((URN, "urn:ab:", "/", "", "NSS"), (URN, "urn:ab:c", "%2F", "?", "rq-components")),
    (URN, "urn:ab:c?+d", "?", "?=", "q-component"),
    (URN, "urn:ab:c?+d", "?+", "?=#", "q-component"),
    *((URN, "urn:ab:c?=", "?", "", "q-component"), (URN, "urn:ab:c??", "=?", "", "rq-components")),
    *((TelURI, "tel:+", "-", "", "global-number-digits"), (TelURI, "tel:", "%23", "", "context")),
    *((TelURI, "tel:", "1", "", "context"), (TelURI, "tel:+1", ";", "", "pname")),
    *((TelURI, "tel:+1", ";a=b", "", "par"), (TelURI, "tel:+1;a=", "%3B", ",", "pvalue")),
    (TelURI, "tel:1;phone-context=", "a-", "", "descriptor"),
    (TelURI, "tel:1;phone-context=", "a.", "-", "descriptor"),
    (TelURI, "tel:1;phone-context=a", "-", ".b", "descriptor"),
    (TelURI, "tel:1;phone-context=", "1.", "", "descriptor"),
    (MailtoURI, "mailto:", "%22", "", "local-part"),
    (MailtoURI, "mailto:%22", "%5C%22", "", "local-part"),
    (MailtoURI, "mailto:", "%22%5C", "", "local-part"),
    (MailtoURI, "mailto:", "a.", "@b", "local-part"),
    (MailtoURI, "mailto:", "@%5B", "", "local-part"),
    (MailtoURI, "mailto:", ",", "", "local-part"),
    (MailtoURI, "mailto:a@", "%C3%A9", "%FF", "domain"),
    *((MailtoURI, "mailto:?", "a=b&", "", "hfield"), (MailtoURI, "mailto:?", "=", "", "hfield")),
    *((MailtoURI, "mailto:?", "a", "", "hfield"), (DataURI, "data:", ";", ",", "attribute")),
    (DataURI, "data:a/b;c=", "%22", ",", "value"),
    (DataURI, "data:a/b;c=%22", "%5C%22", ",", "value"),
    (DataURI, "data:a/b;c=", "%C3%A9", "%FF,", "value"),
    *((DataURI, "data:", "a/", ",", "subtype"), (DataURI, "data:", "a", "", "dataurl")),
]


@pytest.mark.parametrize("kind", dict.fromkeys(row[0] for row in INVALID))
def test_rejecting_long_uris_takes_linear_time(kind: type[TypedURI]) -> None:
    def reject(size: int) -> None:
        for class_, start, part, end, rule in INVALID:
            if class_ is kind:
                with pytest.raises(uriverse.ParseError) as caught:
                    kind(start + part * size + end)
                assert caught.value.rule == rule

    assert_proportional(reject)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (URN, "urn:ab:" + "c:" * SIZE),
        (URN, "urn:ab:" + "%2f" * SIZE),
        (URN, "urn:ab:c?+" + "d?" * SIZE + "?=" + "f?" * SIZE + "#" + "?/" * SIZE),
        (TelURI, "tel:+" + "1-" * SIZE),
        (TelURI, "tel:" + "%23" * SIZE + ";phone-context=" + "a-b." * SIZE + "c"),
        (TelURI, "tel:+1" + "".join(f";A{i}=B" for i in range(SIZE // 8))),
        *((TelURI, "tel:+1;a=" + "%3b" * SIZE), (MailtoURI, "mailto:" + ",".join(["a@b"] * SIZE))),
        (MailtoURI, "mailto:?" + "&".join(["a=%0D"] * SIZE)),
        (FileURI, "file:////" + "a" * SIZE + "/b"),
    ],
)
def test_a_long_uri_is_equivalent_to_its_normal_form(kind: type[TypedURI], text: str) -> None:
    uri = kind(text)
    assert str(uri) == text
    assert uri.equivalent(uri.normalize(scheme=True), level="scheme")


def test_splitting_long_lists_of_addresses_takes_linear_time() -> None:
    def split(size: int) -> None:
        for piece in ("(", ")", "<", "[", '"', "\\", ",", "@", '"a",', "(a)", "é."):
            uri = MailtoURI.from_parts(headers={"to": piece * size})
            assert len(uri.to) <= size
            assert MailtoURI(uri.comparison_key("scheme")).equivalent(uri, level="scheme")

    assert_proportional(split, 200)


def test_long_parts_are_read_whole() -> None:
    assert URN("urn:oid:" + "1." * SIZE + "1").oid == (1,) * (SIZE + 1)
    assert to_isbn13("1" * SIZE) is to_isbn13("1-" * SIZE) is None
    assert len(MailtoURI("mailto:" + ",".join(["a@b"] * SIZE)).to) == SIZE
    assert len(MailtoURI("mailto:?to=" + "%22%5C%22,," * SIZE).to) == 1
    assert len(MailtoURI("mailto:?to=" + "@%5B,%22" * SIZE).to) >= 1
    value = MailtoURI("mailto:?" + "&".join(["a=%0D"] * SIZE))
    assert len(value.headers) == len(find_line_breaks(str(value))) == SIZE
    assert dict(DataURI("data:" + ";a=b" * SIZE + ",").parameters) == {"a": "b"}
    assert len(DataURI("data:" + "," * SIZE).data) == SIZE - 1
    assert len(DataURI("data:;base64," + "AAAA" * SIZE).data) == 3 * SIZE
    assert find_base64_violation(b"AAAA" * SIZE + b"!") is not None
    with pytest.raises(ConvertError):
        _ = DataURI("data:;base64," + "%41" * (SIZE + 1)).data


def test_long_paths_of_files_are_converted() -> None:
    assert is_file_uri("", "/" + "a/" * SIZE)
    for path in ("/" * SIZE, "//" + "%5B" * SIZE, "//%5B" + ":" * SIZE + "/", "//" + "a" * SIZE):
        assert not is_file_uri("", path)
    assert not is_file_uri(None, "c:" * SIZE)
    assert replace_drive_bar("file://" + "/a" * SIZE).count("/a") == SIZE
    assert FileURI.from_posix("/" + "%" * SIZE).to_posix_bytes() == b"/" + b"%" * SIZE
    assert FileURI.from_windows("C:" + "\\é" * SIZE).path.count("/") == SIZE + 1
    assert len(FileURI("file:////" + "a" * SIZE + "/b").file_host) == SIZE
    for path in ("\\" * SIZE, "\\\\" + "a" * SIZE, "C:\\" + "a" * SIZE + ":"):
        with pytest.raises(uriverse.BuildError):
            FileURI.from_windows(path)
    with pytest.raises(ConvertError):
        FileURI("file:///c:/" + "%C3%A9" * SIZE + "%FF").to_windows()


def test_long_http_uris_are_compared() -> None:
    uri = HTTPURI(f"http://{'a.' * SIZE}com:{'0' * SIZE}80/{'../' * SIZE}?{'%7e' * SIZE}")
    assert uri.effective_port == 80
    assert uri.origin.endswith(".a.com")
    assert uri.is_same_origin(uri)
    assert uri.is_same_site("http://a.com", public_suffix=lambda name: name.rpartition(".")[2])
    assert HTTPURI(f"http://a:{'9' * SIZE}").origin == f"http://a:{'9' * SIZE}"
    with pytest.raises(ConvertError, match="digits"):
        _ = HTTPURI(f"http://a:{'9' * SIZE}").effective_port


@pytest.mark.parametrize(
    "convert",
    [
        lambda n: URN(f"urn:uuid:{'a' * n}").uuid,
        lambda n: URN(f"urn:oid:1.{'9' * n}").oid,
        lambda n: URN(f"urn:isbn:{'1' * n}").isbn,
        lambda n: URN(f"urn:isbn:{'1-' * n}").isbn,
        lambda n: URN.from_isbn("1-" * n),
        lambda n: URN.from_oid([1, -(10**n)]),
        lambda n: DataURI("data:,a").text("a" * n),
    ],
)
def test_long_invalid_parts_are_not_converted(convert: Callable[[int], object]) -> None:
    with pytest.raises(URIError):
        convert(200_000)
