import pickle
from typing import Any

import pytest

from uriverse import IRI, URI, URN, ParseError, Policy, URIReference
from uriverse.integrations.constraints import Constraints


def rejected(constraints: Constraints, text: str) -> tuple[str, int, str]:
    with pytest.raises(ParseError) as caught:
        constraints.enforce(URIReference(text))
    error = caught.value
    assert error.text == text
    assert error.well_formed
    assert error.rule == error.code
    return error.code, error.position, error.component


def test_each_constraint_rejects_other_uris() -> None:
    for text in ("", "//a", "a:b", "http:///"):
        Constraints().enforce(URIReference(text))
    # Other schemes and relative references are rejected.
    web = Constraints(schemes=["https", "HTTP"])
    web.enforce(URI("HTTPS://a/"))
    assert rejected(web, "ftp://a/") == ("scheme-not-allowed", 0, "scheme")
    assert rejected(web, "//a/") == ("scheme-not-allowed", 0, "scheme")
    assert rejected(Constraints(schemes=()), "a:b") == ("scheme-not-allowed", 0, "scheme")
    # A missing and an empty host are rejected.
    hosts = Constraints(host_required=True)
    hosts.enforce(URI("a://b"))
    assert rejected(hosts, "a:b") == ("host-missing", 2, "host")
    assert rejected(hosts, "a://u@:1") == ("host-missing", 6, "host")
    assert rejected(hosts, "") == ("host-missing", 0, "host")
    # A length past the maximum is rejected.
    short = Constraints(max_length=3)
    short.enforce(URI("a:b"))
    assert rejected(short, "a:bc") == ("too-long", 3, "text")
    assert rejected(Constraints(max_length=0), "a") == ("too-long", 0, "text")
    # Errors of a profile are rejected and warnings are not.
    assert rejected(Constraints(profile="web"), "http://u@a/")[0] == "userinfo"
    assert rejected(Constraints(profile="web"), "http://a:99999/")[1:] == (9, "port")
    Constraints(profile="generic").enforce(URI("http://u@a/"))


def test_uris_that_a_policy_rejects_are_rejected() -> None:
    mine = Constraints(
        policy=Policy(allow=["https://a.example/b/"], deny=["https://a.example/b/c"])
    )
    mine.enforce(URI("HTTPS://A.example:443/x/../b/"))
    assert rejected(mine, "http://a.example/b/") == ("scheme-not-allowed", 0, "scheme")
    assert rejected(mine, "https://b.example/") == ("host-not-allowed", 8, "host")
    assert rejected(mine, "https://a.example/d") == ("path-not-allowed", 17, "path")
    assert rejected(mine, "https://a.example/b/c/d") == ("denied", 17, "path")
    assert rejected(mine, "https://a.example/b/%2F") == ("encoded-slash", 20, "path")
    assert rejected(mine, "https://u:p@a.example/b/") == ("userinfo-not-allowed", 8, "userinfo")
    assert rejected(mine, "/b/") == ("relative", 0, "scheme")
    assert rejected(Constraints(policy=Policy()), "http://127.0.0.1/")[0] == "scope-not-allowed"
    # A position in another URI is not reported.
    after_login = Constraints(
        policy=Policy.for_redirects("https://a.example/", allow=["b.example"])
    )
    after_login.enforce(URIReference("/b"))
    assert rejected(
        Constraints(policy=Policy(deny=["http://a.example/b"])), "http://a.example/%25%32eb"
    )[1:] == (0, "text")
    denied = Constraints(policy=Policy(base="https://a.example/", deny=["https://a.example/b"]))
    assert rejected(denied, "b") == ("denied", 0, "text")
    # A policy does not change the other constraints.
    both = Constraints(policy=Policy(allow=["a.example"]), max_length=20)
    assert rejected(both, "http://a.example/bcdef") == ("too-long", 20, "text")
    Constraints(policy=Policy.public_web()).enforce(IRI("http://b\u00fccher.example/"))


def test_typed_uris_are_checked_like_uris() -> None:
    Constraints(schemes={"urn"}).enforce(URN("urn:example:a"))
    with pytest.raises(ParseError):
        Constraints(schemes={"http"}).enforce(URN("urn:example:a"))
    # The error of a typed URI has the code of check.
    with pytest.raises(ParseError) as caught:
        URN("urn:a")
    assert caught.value.code == "scheme-syntax"
    with pytest.raises(ParseError) as caught:
        URN("urn:a b")
    assert caught.value.code == "syntax"
    # The message hides passwords.
    with pytest.raises(ParseError) as caught:
        Constraints(schemes={"http"}).enforce(URI("ftp://me:hidden@a/"))
    assert "hidden" not in str(caught.value)


def test_wrong_arguments_are_rejected() -> None:
    one: Any = "http"
    with pytest.raises(TypeError, match="schemes must be a collection of strings"):
        Constraints(schemes=one)
    with pytest.raises(TypeError, match="value must be a URI, not str"):
        Constraints().enforce(one)
    with pytest.raises(ValueError, match="profile must be one of"):
        Constraints(profile="none")
    with pytest.raises(TypeError, match="policy must be a Policy, not str"):
        Constraints(policy=one)
    with pytest.raises(ValueError, match="max_length must not be negative"):
        Constraints(max_length=-1)
    # Equal constraints are equal hashable and picklable.
    constraints = Constraints(schemes={"https", "HTTP"}, max_length=9)
    assert constraints == Constraints(schemes=("http", "https"), max_length=9)
    assert hash(constraints) == hash(pickle.loads(pickle.dumps(constraints)))
    assert constraints.schemes == ("http", "https")
    with_policy = Constraints(policy=Policy(allow=["a.example"]))
    assert with_policy == pickle.loads(pickle.dumps(with_policy)) != Constraints()
    assert hash(with_policy) == hash(Constraints(policy=Policy(allow=["a.example"])))
