"""Messages for wrong calls and wrong types say what to write instead."""

from __future__ import annotations

import re

import pytest

from uriverse import (
    HTTPURI,
    IRI,
    URI,
    URN,
    BuildError,
    DataURI,
    FileURI,
    IRIReference,
    MailtoURI,
    Params,
    ParseError,
    Policy,
    TelURI,
    check,
    parse,
    repair,
)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("uri.replace(netloc='x')", "replace() {} 'netloc': use 'authority'"),
        ("URI.build(hostname='x')", "URI.build() {} 'hostname': use 'host'"),
        ("uri.normalize(schema=True)", "URI.normalize() {} 'schema': use 'scheme'"),
        ("Params(qeury='a')", "Params() {} 'qeury'"),
        ("uri.params.with_param('a', 'b', plus=1)", "Params.with_param() {} 'plus'"),
        ("Policy(allowed_hosts=['x'])", "Policy() {} 'allowed_hosts': use 'allow'"),
        ("Policy(scheme='https')", "Policy() {} 'scheme': use 'schemes'"),
        ("Policy().enforce('http://a/', bas='b')", "Policy.enforce() {} 'bas': use 'base'"),
        ("URI.with_host(hots='a')", "IRIReference.with_host() {} 'hots': use 'host'"),
        ("URI.build('http')", "URI.build() takes 1 positional argument but 2 were given"),
        ("URN('urn:a:b', strict=True)", "URN() takes one string: use build for components, {0}"),
        ("URI('http://a/', strict=True)", "URI() takes one string: use build for components, {0}"),
        ("IRI(text='http://a/')", "IRI() takes one string: use build for components, {0}"),
    ],
)
def test_the_errors_for_wrong_arguments_name_the_right_ones(call: str, message: str) -> None:
    names = {"uri": URI("http://h/"), "URI": URI, "IRI": IRI, "URN": URN, "Policy": Policy}
    names |= {"Params": Params}
    with pytest.raises(TypeError) as caught:
        eval(call, names)
    end = "repair to mend a string" if "{0}" in message else "got an unexpected keyword argument"
    assert str(caught.value) == message.format(end)


def test_a_type_error_inside_a_call_stays_as_it_is() -> None:
    with pytest.raises(TypeError, match=r"^host must be a str or an IP address, not int$"):
        URI("http://h/").with_host(1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"must not be a bool: pass"):
        URI("http://h/").update_params(a=True)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("host", "with_host"),
        ("port", "with_port"),
        ("params", "with_params"),
        ("suffix", "with_suffix"),
        ("hostname", "replace"),
    ],
)
def test_an_assignment_names_the_method_that_returns_another_uri(name: str, method: str) -> None:
    for value in (URI("http://h/"), IRIReference("x"), URN("urn:ab:c")):
        expected = f"immutable: use {method}, which returns"
        with pytest.raises(AttributeError, match=expected) as caught:
            setattr(value, name, "x")
        assert caught.value.name == name
        assert caught.value.obj is value
        with pytest.raises(AttributeError, match="no attribute 'foo'"):
            value.foo = "x"  # type: ignore[attr-defined]


def test_bytes_must_be_decoded_first() -> None:
    for wrong in (b"http://h/", bytearray(b"http://h/")):
        for act in (URI, URN, parse, check, repair, URI("http://h/").resolve, Policy().allows):
            with pytest.raises(TypeError, match=r": decode it first$"):
                act(wrong)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("kind", "text", "hint"),
    [
        (MailtoURI, "joe@example.com", 'write "mailto:" before it'),
        (DataURI, "text/plain,abc", 'write "data:" before it'),
        (TelURI, "+49 1", 'write "tel:" before it'),
        (URN, "ISBN 1", 'write "urn:" before it'),
        (HTTPURI, "example.com", 'write "https://" before the host'),
        (FileURI, "/tmp/x", "from_posix or FileURI.from_windows"),
        (FileURI, "C:\\x", "or call FileURI.from_windows"),
        (FileURI, "1:x", "remove|write"),
        (URI, "http://joe@corp.example:pw@proxy:8080", '"@" as %40, .* in the user name'),
        (URI, "http://joe:a/b@h/", '"/", "\\?" and "#", in the user name and the password'),
    ],
)
def test_the_hint_fits_the_type(kind: type[URI], text: str, hint: str) -> None:
    with pytest.raises(ParseError) as caught:
        kind(text)
    assert re.search(hint, caught.value.hint)


@pytest.mark.parametrize("host", ["http://x", "https://x/a", "http://x:80"])
def test_a_url_in_the_place_of_a_host_is_answered_by_its_host(host: str) -> None:
    for act in (URI("http://h/").with_host, lambda host: URI.build(scheme="a", host=host)):
        with pytest.raises(BuildError, match="hint: pass only a host, such as URI"):
            act(host)
