import asyncio
import re
from typing import Any

import pytest

import uriverse
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
    ParseError,
    Policy,
    PolicyError,
    RuleError,
    TelURI,
    URIReference,
    check,
    compiled,
    dial,
    parse,
    repair,
)
from uriverse.oauth import canonical_resource


def test_the_errors_for_wrong_arguments_name_the_function_and_the_argument() -> None:
    for call, message in [
        ("uri.replace(netloc='x')", r"replace\(\) {} 'netloc'"),
        ("URI.build(hostname='x')", r"build\(\) {} 'hostname'"),
        ("uri.normalize(schema=True)", r"normalize\(\) {} 'schema'"),
        ("Params(uqery='a')", r"Params\(\) {} 'uqery'"),
        ("uri.params.with_param('a', 'b', plus=1)", r"with_param\(\) {} 'plus'"),
        ("Policy(allowed_hosts=['x'])", r"Policy\.__init__\(\) {} 'allowed_hosts'"),
        ("Policy().enforce('http://a/', bas='b')", r"Policy\.enforce\(\) {} 'bas'"),
        ("URI.with_host(hots='a')", r"with_host\(\) {} 'hots'"),
        ("Policy('x')", r"Policy\.__init__\(\) takes 1 positional argument but 2 were given"),
        ("URI.build('http')", r"build\(\) takes .*1 positional argument.*2"),
        ("uri.with_userinfo('a', 'b')", r"with_userinfo\(\) takes .*2 positional arguments.*3"),
        ("uri.replace(hots='x')", r"replace\(\) {} 'hots'"),
        ("uri.to_uri(hots='x')", r"to_uri\(\) {} 'hots'"),
        ("MailtoURI.build(hots='x')", r"build\(\) {} 'hots'"),
        ("uri.resolve('a', hots='x')", r"resolve\(\) {} 'hots'"),
        *(
            (f"uri.{name}()", rf"\b{name}\(\) (missing|takes exactly) \d .*argument")
            for name in ("with_param", "add_param", "with_params")
        ),
        ("URN('urn:a:b', strict=True)", r"TypedURI\.__new__\(\) {} 'strict'"),
    ]:
        names = {name: getattr(uriverse, name) for name in uriverse.__all__} | {
            "uri": URI("http://h/")
        }
        with pytest.raises(TypeError, match=message.format("got an unexpected keyword argument")):
            eval(call, names)


@pytest.mark.skipif(not compiled, reason="the kernel has its own constructor")
@pytest.mark.parametrize("call", ["URI('http://a/', strict=True)", "IRI(text='http://a/')"])
def test_the_error_for_a_wrong_call_of_a_type_names_the_function_to_use(call: str) -> None:
    with pytest.raises(TypeError, match=r"RI\(\) takes one string: use build for components, "):
        eval(call, {"URI": URI, "IRI": IRI})


def test_type_errors_name_the_right_method() -> None:
    for call, message in [
        ("uri.with_host(1)", "^host must be a str or an IP address, not int$"),
        ("uri.update_params(a=True)", "must not be a bool: pass"),
        *(
            (f"uri.with_query({query})", "query must be a str, not .*: pass .* to with_params")
            for query in ("{}", "{'a': 1}", "[('a', 1)]")
        ),
        ("uri.with_path(['a'])", "path must be a str, not list: pass segments to"),
        ("uri.with_query(b'a')", "query must be a str, not bytes: decode it first"),
        ("uri.with_fragment(1)", "fragment must be a str, not int$"),
        ("uri.with_segments(None)", "segments must be an iterable, .* not NoneType"),
    ]:
        with pytest.raises(TypeError, match=message):
            eval(call, {"uri": URI("http://h/")})


@pytest.mark.parametrize(
    ("name", "method"),
    [
        *(("host", "with_host"), ("port", "with_port"), ("params", "with_params")),
        *(("suffix", "with_suffix"), ("hostname", "replace")),
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
    calls: list[Any] = [URI, URN, parse, check, repair, URI("http://h/").resolve, Policy().allows]
    for wrong in (b"http://h/", bytearray(b"http://h/")):
        for call in calls:
            with pytest.raises(TypeError, match=r": decode it first$"):
                call(wrong)


def test_the_hint_fits_the_type() -> None:
    for kind, text, hint in [
        (MailtoURI, "joe@example.com", 'write "mailto:" before it'),
        (DataURI, "text/plain,abc", 'write "data:" before it'),
        *((TelURI, "+49 1", 'write "tel:" before it'), (URN, "ISBN 1", 'write "urn:" before it')),
        (HTTPURI, "example.com", 'write "https://" before the host'),
        (FileURI, "/tmp/x", "from_posix or FileURI.from_windows"),
        *((FileURI, "C:\\x", "or call FileURI.from_windows"), (FileURI, "1:x", "remove|write")),
        (URI, "127.0.0.1:80", 'write "https://" or "//" before it'),
        (URIReference, "://h/", 'write a scheme such as "https" before the colon'),
        (TelURI, "tel:+49 1", 'remove it, or write "-"'),
        (MailtoURI, "mailto:a@b@c", 'write one "@", unencoded, before the domain'),
        (MailtoURI, "mailto:a%40b", 'write one "@", unencoded, before the domain'),
        (URI, "http://joe@corp.example:pw@proxy:8080", '"@" as %40, .* in the user name'),
        (URI, "http://joe:a/b@h/", '"/", "\\?" and "#", in the user name and the password'),
    ]:
        with pytest.raises(ParseError) as caught:
            kind(text)
        assert re.search(hint, caught.value.hint)


@pytest.mark.parametrize(
    ("host", "hint"),
    [
        *(
            (url, "pass only a host, such as URI")
            for url in ("http://x", "https://x/a", "ftp://x:8")
        ),
        ("user@h", "pass the userinfo as a separate argument"),
    ],
)
def test_more_than_a_host_in_its_place_has_a_hint(host: str, hint: str) -> None:
    for act in (URI("http://h/").with_host, lambda host: URI.build(scheme="a", host=host)):
        with pytest.raises(BuildError, match=f"hint: {hint}"):
            act(host)


def test_a_relative_reference_needs_no_argument_that_a_function_does_not_have() -> None:
    for act in (Policy().enforce, Policy.for_redirects, canonical_resource):
        with pytest.raises(PolicyError) as caught:
            act("www.example.com")
        assert (
            caught.value.hint == 'add a scheme such as "https://", or resolve the reference first'
        )


def test_a_rule_for_every_host_is_described_alike_in_both_lists() -> None:
    for name in ("allow", "deny"):
        for rule in ("*", "https://*/"):
            with pytest.raises(RuleError, match="this rule would match every host"):
                Policy.from_dict({name: [rule]})


def test_a_configuration_names_the_same_arguments_as_a_call() -> None:
    with pytest.raises(ValueError, match="unknown key 'allowed_hosts'; did you mean 'allow'"):
        Policy.from_dict({"allowed_hosts": []})
    with pytest.raises(TypeError, match="text must be a str, not bytes: decode it first"):
        Policy.from_toml(b"")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="restrictions must be a collection of Policy"):
        Policy(restrictions=Policy())  # type: ignore[arg-type]


def test_wrong_arguments_of_dial_are_named() -> None:
    wrong: Any = "http://h/"
    with pytest.raises(TypeError, match="plan must be the result of lookup, not str"):
        dial.connect(wrong)
    with pytest.raises(TypeError, match="proxy_policy must be a Policy, not str"):
        dial.urllib_opener(Policy(), proxy_policy=wrong)
    with pytest.raises(TypeError, match="resolver must be a function, but no coroutine function"):
        dial.lookup(Policy(), "http://h/", resolver=wrong)
    with pytest.raises(TypeError, match="resolver must be a coroutine function, not"):
        asyncio.run(dial.lookup_async(Policy(), "http://h/", resolver=wrong))
