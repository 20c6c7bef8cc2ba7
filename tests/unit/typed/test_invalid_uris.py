"""Typed URIs reject what their RFCs do not allow, at the first invalid character."""

import pytest
from marked import find_mark, list_rows

import uriverse
from uriverse import HTTPURI, IRI, URI, URN, DataURI, FileURI, MailtoURI, ParseError, TelURI
from uriverse._spec.components import split_all_parts
from uriverse._typed.base import TypedURI
from uriverse.schemes._descriptors import find_scheme_function

A31 = "a" * 31
LOCAL, GLOBAL = "local-number-digits", "global-number-digits"

#: Invalid URIs by their class, and by the component, the rule and the reason of the error.
INVALID = {
    (URN, "path", "NID", "incomplete URN"): "urn:^ urn:ab^",
    (URN, "path", "NID", "only ASCII letters"): "urn:ab^#c urn:a^_b:c urn:a^%62:c",
    (URN, "path", "NID", "at least two characters"): "urn:a^:b",
    (URN, "path", "NID", "the last a letter or digit"): f"urn:a-^:b urn:{A31}^-:b urn:{A31}^--:b",
    (URN, "path", "NID", "the first character must be"): "urn:^-a:b urn:^:b urn:^//a/b urn:^?=a",
    (URN, "path", "NID", "the limit is 32"): f"urn:{A31}a^a:b",
    (URN, "path", "NSS", "invalid or empty"): "urn:ab:^ urn:ab:^/ urn:ab:^?=c urn:ab:^#c",
    (URN, "query", "rq-components", '"?" must be followed'): (
        "urn:ab:c?^ urn:ab:c?^d urn:ab:c?^?=d urn:ab:c?^#d"
    ),
    (URN, "query", "r-component", "invalid or empty"): (
        "urn:ab:c?+^ urn:ab:c?+^/ urn:ab:c?+^?=d urn:ab:c?+^#d"
    ),
    (URN, "query", "q-component", "invalid or empty"): (
        "urn:ab:c?=^ urn:ab:c?=^?d urn:ab:c?+d?=^ urn:ab:c?+d?=^#e"
    ),
    # A number sign begins a fragment, so the key is written as "%23".
    (TelURI, "path", LOCAL, "expected "): (
        "tel:^ tel:^%2B1 tel:-^;phone-context=a tel:1-800-F^LOWERS;phone-context=+1 "
        "tel:1^p2;phone-context=a tel:^#31;phone-context=a"
    ),
    (TelURI, "path", GLOBAL, "expected "): (
        "tel:+^ tel:+-^ tel:+^a tel:+1^a tel:+1^%20 tel:+1^*2 tel:+1^+2 tel:+1^p?a#b"
    ),
    (TelURI, "path", "context", "missing phone-context"): (
        "tel:7042^ tel:7042;ext=1^ tel:*31^#;phone-context=a"
    ),
    (TelURI, "path", "pname", "invalid parameter name"): (
        "tel:+1;^ tel:+1;^=a tel:+1;^(=a tel:+1;a^_b=c tel:+1;^;a"
    ),
    (TelURI, "path", "pvalue", "invalid or empty"): (
        "tel:+1;a=^ tel:+1;a=^;b=c tel:+1;a=b^=c tel:+1;a=b^,c tel:+1;a=^@"
    ),
    (TelURI, "path", "extension", "missing value of"): "tel:+1;ext^",
    (TelURI, "path", "extension", "digits"): "tel:+1;ext=^ tel:+1;ext=1^a tel:+1;Ext=^%31",
    (TelURI, "path", "isdn-subaddress", "missing value of"): "tel:+1;isub^;a",
    (TelURI, "path", "isdn-subaddress", "invalid or empty"): "tel:+1;isub=^ tel:+1;isub=a^=b",
    (TelURI, "path", "descriptor", "missing value of"): "tel:1;phone-context^",
    (TelURI, "path", "descriptor", "domain name"): (
        "tel:1;phone-context=^ tel:1;phone-context=+^ tel:1;phone-context=+1^a "
        "tel:1;phone-context=^-a tel:1;phone-context=a-^.b tel:1;phone-context=a.^.b "
        "tel:1;phone-context=a.1^ tel:1;phone-context=a.1b^;c tel:1;phone-context=a^_b "
        "tel:+1;phone-context=1^"
    ),
    (TelURI, "path", "par", 'duplicate parameter "a"'): "tel:+1;a;b;^A=c",
    (TelURI, "path", "par", 'duplicate parameter "ext"'): "tel:+1;EXT=1;^ext=1",
    (TelURI, "path", "par", "duplicate parameter"): "tel:1;phone-context=a;^phone-context=b",
    (TelURI, "host", "telephone-uri", ""): "tel:^//+1 tel:^//a/+1",
    (TelURI, "query", "telephone-uri", ""): "tel:+1^?a=b tel:+1^? tel:+1;a=b^?c#d",
    (MailtoURI, "scheme", "mailtoURI", ""): "^http://a/",
    (MailtoURI, "host", "mailtoURI", ""): "mailto:^//a@b",
    (MailtoURI, "path", "addr-spec", ""): (
        "mailto:^/a@b mailto:a^;b@c mailto:a^&b@c mailto:%22a^=b%22@c mailto:a^"
    ),
    (MailtoURI, "path", "local-part", ""): (
        "mailto:a^%40b mailto:a^%40b@c mailto:a^%40%5Bb@c%5D mailto:^@b mailto:a@b,^ mailto:^,a@b "
        "mailto:a^%2Cb@c mailto:^.a@b mailto:a.^.b@c mailto:a.^@c mailto:a^%20b@c mailto:a^(b)@c "
        "mailto:a^%0D%0Ab@c mailto:%22a^%20b%22@c mailto:%22a^%0D%22@c mailto:%22a^%5C%0D%22@c "
        "mailto:%22a@c^ mailto:%22a^%5C mailto:%22a%22^b@c mailto:%C3%A9^%FF@c"
    ),
    (MailtoURI, "path", "domain", ""): (
        "mailto:a@^ mailto:a@b^%2Cc@d mailto:a@b^@c mailto:a@b^%C3 mailto:a@b.^ "
        "mailto:a@%C3%A9^:80 mailto:a@%5Bb^ mailto:a@%5Bb%5D^c mailto:a@%5Bb^%20%5D "
        "mailto:a@%5B^%C3%A9%5D"
    ),
    (MailtoURI, "query", "hfield", ""): (
        "mailto:?^ mailto:a@b?c^ mailto:a@b?c=d&^ mailto:a@b?c=d&^&e=f mailto:a@b?c=d^=e "
        "mailto:a@b?c^/d=e mailto:a@b?c=d&e=^/f"
    ),
    (DataURI, "scheme", "dataurl", ""): "^http://a/,",
    (DataURI, "path", "dataurl", ""): "data:^ data:abc^ data:text/plain^?,a data:text/plain^#,a",
    (DataURI, "host", "type", ""): "data:^//text/plain,a data:^//text,a",
    (DataURI, "path", "type", ""): (
        "data:^/plain,a data:te^%20xt/plain,a data:te^%FFxt/plain,a data:t%41^:/b,a"
    ),
    (DataURI, "path", "mediatype", ""): "data:text^,a data:base64^,a",
    (DataURI, "path", "subtype", ""): "data:text/^,a data:text/a^/b,a data:text/pl^%2Cain,a",
    (DataURI, "path", "attribute", ""): "data:a/b;^,x data:a/b;^=d,x data:a/b;c^%C3%A9=d,x",
    (DataURI, "path", "parameter", ""): (
        "data:a/b;c^,x data:a/b;base64^;c=d,x data:a/b;%62ase65^,x"
    ),
    (DataURI, "path", "value", ""): (
        "data:a/b;c=^,x data:a/b;c=d^=e,x data:a/b;c=d^:e,x data:a/b;c=d^%0D%0Ae,x "
        "data:a/b;c=%61^%00,x data:a/b;c=d^%FF,x data:a/b;c=%22d^,x data:a/b;c=%22%5C%22^,x "
        "data:a/b;c=%22d%22^e,x data:a/b;c=%22^%0A%22,x"
    ),
    (FileURI, "scheme", "file-URI", ""): "^http://a/b",
    (FileURI, "path", "path-absolute", ""): (
        "file:^ file://^ file://host^ file:^a/b file:^c: file:^c:x file:^c://x file:^cd:/x "
        "file:^c%3A/x file://host^//x/y file://localhost^//x/y file://^// file://^//host "
        "file://^//a:b/x file://^//host//x file://^////host/x file://^//%5B::1/x"
    ),
    (FileURI, "query", "file-URI", ""): "file:///x^? file:///x^?y#z",
    (FileURI, "userinfo", "file-auth", ""): "file://^me:secret@host/x file://^@/x",
    (FileURI, "port", "file-auth", ""): "file://host^:80/x file://^:/x",
    (FileURI, "port", "file-auth", "drive letter in the place of the host"): "file://C^:/x",
    # RFC 9110, 4.2.1 and 4.2.2.
    (HTTPURI, "host", "http-URI", ""): "http://^/x HTTP://me@^/ http:^ http:^/x",
    (HTTPURI, "host", "https-URI", ""): "https://^ https://^:443/ https:^x",
    (HTTPURI, "scheme", "http-URI", ""): "^ftp://a/ ^ws://a/",
}


@pytest.mark.parametrize(("kind", "component", "rule", "reason", "marked"), list_rows(INVALID))
def test_the_error_is_at_the_first_invalid_character(
    kind: type[TypedURI], component: str, rule: str, reason: str, marked: str
) -> None:
    text, position = find_mark(marked)
    with pytest.raises(ParseError) as caught:
        kind(text)
    error = caught.value
    assert (error.text, error.position) == (text, position)
    assert (error.component, error.rule) == (component, rule)
    assert reason in error.reason
    assert error.hint or (component == "path" and kind in {TelURI, MailtoURI})
    assert "secret" not in f"{error}{error!r}"
    # The rules for normalization change valid URIs only.
    scheme = URI(text).scheme.lower()
    for name in ("normalize", "convert_for_comparison"):
        if (rewrite := find_scheme_function(scheme, name)) and scheme in kind._schemes:
            assert rewrite(split_all_parts(text)) == split_all_parts(text)


@pytest.mark.parametrize(
    ("kind", "text"),
    list_rows(
        {
            URN: ["cat:ab:c", "urno:ab:c", "urn:ab:é", "urn:ab:%", "urn", ""],
            TelURI: ["sip:+1", "tels:+1", "+1", "tel:+1;a=[1]", "tel:+1 2", "tel"],
            # RFC 8089, E.2.2 and E.4.
            FileURI: ["file:///c|/x", "file:///c:\\x"],
            # The "%fg" in RFC 2397 is not a triplet: see erratum 2009.
            DataURI: ["data:text/plain;charset=iso-8859-7,%be%fg%be"],
            HTTPURI: ["http://bücher/"],
        }
    ),
)
def test_strings_that_are_not_uris_or_have_another_scheme_are_rejected(
    kind: type[TypedURI], text: str
) -> None:
    with pytest.raises(ParseError):
        kind(text)
    if IRI.try_parse(text):
        with pytest.raises(ParseError):
            kind(IRI(text))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        *(("tel:+1;ext=a", ""), ("tel:+1;isub=@", "percent-encode special characters")),
        ("tel:*31#;phone-context=a", 'write the key "#" as %23'),
        *(("tel:#31", 'write the key "#" as %23'), ("mailto:a%40b", '"@"')),
        ("mailto:joe@example.com?cc=bob@example.com?body=hello", '"&"'),
        ("data:base64,a", ";base64"),
        ("data:a/b;base64;c=d,x", ";base64"),
    ],
)
def test_hints_say_how_to_write_the_uri(text: str, hint: str) -> None:
    kinds = {"tel": TelURI, "mailto": MailtoURI, "data": DataURI}
    with pytest.raises(ParseError) as caught:
        kinds[text.partition(":")[0]](text)
    assert hint in caught.value.hint
    assert hint or not caught.value.hint


#: File URIs without a path of an operating system.
NO_POSIX_PATH = {
    ("host", "file-auth"): "file://^host/x file:////^host/x file://///^host/x",
    ("path", "drive-letter"): "file:^c:/x",
    ("path", "segment"): "file:///a^%2Fb file:/a^%2fb file:///^%2Fetc file:///a/^%00",
}
NO_WINDOWS_PATH = {
    ("path", "drive-letter"): "file://^/etc/hosts file://^/c: file://^/c:x/y file://^/c%7C/x",
    ("path", "segment"): (
        "file:///c:/a^%5Cb file:///c:/a^%2fb file:///c:/a^%00 file:///c:/a^:b file:///c:/a^%3Ab "
        "file:c:/^%5C file://server/c^:/x file://server/^ file://server/^./x "
        "file://server/^%2E%2e/x file:////server/^.. file:////server/a^%5C"
    ),
    ("path", "pct-encoded"): "file:///c:/a/%C3%A9^%FF",
    ("host", "segment"): (
        "file://a^%5Cb/share/x file://a^%3Ab/share/x file://a^%2Fb/share/x file:////a^%00/share/x"
    ),
    ("host", "pct-encoded"): "file:////^%FF/share/x",
    ("host", "file-auth"): (
        "file://^%3F/c/x file://^./pipe/x file://^%2E/pipe/x file:////^../share/x "
        "file://///^%3F/share/x"
    ),
}


def test_file_uris_without_a_path_of_the_system_are_not_converted() -> None:
    for convert, component, rule, marked in [
        *((FileURI.to_posix, *row) for row in list_rows(NO_POSIX_PATH)),
        *((FileURI.to_posix_bytes, *row) for row in list_rows(NO_POSIX_PATH)),
        *((FileURI.to_windows, *row) for row in list_rows(NO_WINDOWS_PATH)),
    ]:
        assert callable(convert)
        text, position = find_mark(marked)
        with pytest.raises(uriverse.ConvertError) as caught:
            convert(FileURI(text))
        error = caught.value
        assert (error.text, error.component) == (text, component)
        assert (error.rule, error.position) == (rule, position)
