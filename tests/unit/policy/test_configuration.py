import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uriverse import Policy, PolicyError, Rule, RuleError
from uriverse._policy import SCOPES
from uriverse.diagnosis import CODES

AMBIGUITIES = sorted(code for code, known in CODES.items() if known.group == "ambiguity")

#: Items of `allow` and `deny`.
RULES = (
    *("good.example", "*.good.example", "b\u00fccher.example", "localhost", "10.0.0.0/8", "::1"),
    *("https://a.example:*/v1/", "http://a.example/*.js", "x://b.example/%2A"),
)

#: Wrong configurations, the class of the error, and the place and the problem in its message.
WRONG: tuple[tuple[Any, type[Exception], str], ...] = (
    ([], TypeError, "a policy must be a table, not list"),
    ({"prots": [80]}, ValueError, "unknown key 'prots'; did you mean 'ports'?"),
    ({"hosts": []}, ValueError, "unknown key 'hosts'; did you mean 'allow'?"),
    ({"x": 1}, ValueError, "unknown key 'x'; the keys are schemes, allow, deny, ports"),
    ({"schemes": "https"}, TypeError, 'schemes must be a list of strings or "any", not str'),
    ({"schemes": ["HTTPS"]}, ValueError, "schemes must be valid and in lower case, not 'HTTPS'"),
    ({"schemes": ["http", 1]}, TypeError, "schemes[1] must be a string, not int"),
    ({"allow": {}}, TypeError, 'allow must be a list of rules or "any", not dict'),
    ({"allow": ["a.example", 1]}, TypeError, "allow[1] must be a string or a table, not int"),
    ({"allow": [{}]}, ValueError, "allow[0] must have the key 'rule'"),
    ({"allow": [{"rule": 1}]}, TypeError, "allow[0].rule must be a string, not int"),
    (
        {"allow": [{"rule": "a.example", "codes": []}]},
        ValueError,
        "unknown key 'codes' in allow[0]; the keys are rule, allowed",
    ),
    (
        {"allow": [{"rule": "a.example", "allowed": "encoded-slash"}]},
        TypeError,
        "allow[0].allowed must be a list of strings, not str",
    ),
    (
        {"allow": [{"rule": "a.example", "allowed": ["encoded_slash"]}]},
        ValueError,
        "allow[0].allowed must be codes of the group ambiguity, not 'encoded_slash'",
    ),
    ({"deny": None}, TypeError, "deny must be a list of rules, not NoneType"),
    ({"deny": "any"}, TypeError, "deny must be a list of rules, not str"),
    ({"ports": 80}, TypeError, 'ports must be a list of integers or "any", not int'),
    ({"ports": "all"}, TypeError, 'ports must be a list of integers or "any", not str'),
    ({"ports": [80, True]}, TypeError, "ports[1] must be an integer, not bool"),
    ({"ports": ["80"]}, TypeError, "ports[0] must be an integer, not str"),
    ({"ports": [70000]}, ValueError, "ports must be from 0 to 65535, not 70000"),
    ({"userinfo": "no"}, TypeError, "userinfo must be true or false, not str"),
    ({"unambiguous": 1}, TypeError, "unambiguous must be true or false, not int"),
    ({"single_label": None}, TypeError, "single_label must be true or false, not NoneType"),
    ({"allowed": ["syntax"]}, ValueError, "allowed must be codes of the group ambiguity, not"),
    ({"scopes": ["public"]}, ValueError, "scopes must be among"),
    ({"base": ["http://a.example/"]}, TypeError, "base must be a string, not list"),
    ({"restrictions": {}}, TypeError, "restrictions must be a list of tables, not dict"),
    ({"restrictions": ["a"]}, TypeError, "restrictions[0] must be a table, not str"),
    (
        {"restrictions": [{}, {"port": [80]}]},
        ValueError,
        "unknown key 'port' in restrictions[1]; did you mean 'ports'?",
    ),
    (
        {"restrictions": [{"restrictions": [{"ports": [-1]}]}]},
        ValueError,
        "restrictions[0].restrictions[0].ports must be from 0 to 65535, not -1",
    ),
    (
        {"restrictions": [{"allow": [{"rule": "a.example", "allowed": [1]}]}]},
        TypeError,
        "restrictions[0].allow[0].allowed[0] must be a string, not int",
    ),
)


def rules() -> st.SearchStrategy[Rule | str]:
    codes = st.frozensets(st.sampled_from(AMBIGUITIES), max_size=3)
    text = st.sampled_from(RULES)
    return text | st.builds(lambda text, allowed: Rule(text, allowed=allowed), text, codes)


def policies(**more: Any) -> st.SearchStrategy[Policy]:
    return st.builds(
        Policy,
        schemes=st.none() | st.frozensets(st.sampled_from(("http", "https", "x", "svn+ssh"))),
        allow=st.none() | st.lists(rules(), max_size=4),
        deny=st.lists(rules(), max_size=3),
        ports=st.none() | st.frozensets(st.integers(0, 65535), max_size=3),
        userinfo=st.booleans(),
        unambiguous=st.booleans(),
        allowed=st.frozensets(st.sampled_from(AMBIGUITIES), max_size=3),
        scopes=st.none() | st.frozensets(st.sampled_from(sorted(SCOPES))),
        single_label=st.booleans(),
        **more,
    )


def trees() -> st.SearchStrategy[Policy]:
    nested = policies(restrictions=st.lists(policies(), max_size=2))
    return policies(restrictions=st.lists(nested, max_size=2))


@given(trees())
def test_a_policy_survives_a_round_trip_through_json(policy: Policy) -> None:
    data = policy.to_dict()
    assert Policy.from_dict(data) == policy
    assert Policy.from_dict(json.loads(json.dumps(data))) == policy


@given(trees())
def test_the_schema_accepts_every_configuration_of_a_policy(policy: Policy) -> None:
    jsonschema.Draft202012Validator(Policy.json_schema()).validate(policy.to_dict())


def test_the_schema_is_valid_and_rejects_wrong_configurations() -> None:
    jsonschema.Draft202012Validator.check_schema(Policy.json_schema())
    # The schema rejects wrong configurations.
    for given_data in [data for data, _, _ in WRONG]:
        assert not jsonschema.Draft202012Validator(Policy.json_schema()).is_valid(given_data)


def test_data_is_sorted_and_contains_only_the_arguments_that_differ_from_the_defaults() -> None:
    assert Policy().to_dict() == {}
    base = Policy(base="https://a.example", allow=["b.example", "a.example"])
    assert base.to_dict() == {"allow": ["b.example", "a.example"], "base": "https://a.example/"}
    assert Policy.from_dict(base.to_dict()) == base
    # Data is sorted where a policy has sets.
    policy = Policy(
        schemes={"https", "ftp", "http"},
        ports={443, 80, 8080},
        allow=[Rule("a.example", allowed={"single-slash", "encoded-slash"})],
        scopes=None,
        restrictions=[Policy(schemes=None)],
    )
    assert policy.to_dict() == {
        "schemes": ["ftp", "http", "https"],
        "allow": [{"rule": "a.example", "allowed": ["encoded-slash", "single-slash"]}],
        "ports": [80, 443, 8080],
        "scopes": "any",
        "restrictions": [{"schemes": "any"}],
    }


@pytest.mark.parametrize("key", ["schemes", "allow", "ports", "scopes"])
def test_null_and_any_have_the_same_meaning(key: str) -> None:
    none: dict[str, Any] = {key: None}
    expected = Policy(**none)
    schema = jsonschema.Draft202012Validator(Policy.json_schema())
    for value in (None, "any"):
        assert Policy.from_dict({key: value}) == expected
        schema.validate({key: value})


def test_the_other_keys_keep_their_defaults() -> None:
    assert Policy.from_dict({}) == Policy()
    assert Policy.from_dict({"restrictions": [{}]}).restrictions == (Policy(),)
    # A base may be null.
    assert Policy.from_dict({"base": None}) == Policy()

    # A subclass returns policies of its own.
    class Mine(Policy):
        pass

    assert type(Mine.from_dict({"ports": [80]})) is Mine
    assert type(Mine.from_toml("ports = [80]")) is Mine


@pytest.mark.parametrize(("given_data", "kind", "message"), WRONG)
def test_errors_name_the_place(given_data: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind) as caught:
        Policy.from_dict(given_data)
    assert type(caught.value) is kind
    assert str(caught.value).startswith(message)


def test_errors_of_rules_and_bases_name_the_place() -> None:
    with pytest.raises(RuleError) as caught:
        Policy.from_dict({"restrictions": [{"deny": ["a.example", {"rule": "host:80"}]}]})
    assert caught.value.position == 4
    assert caught.value.args == (caught.value.reason,)
    assert str(caught.value).splitlines() == [
        "restrictions[0].deny[1]: missing scheme before a port (scheme, position 4)",
        *("  host:80", "      ^", "hint: write https:// at the start of the rule"),
    ]
    # Errors of a base name the place.
    with pytest.raises(PolicyError, match=r"^base: the policy forbids the scheme"):
        Policy.from_dict({"base": "ftp://a.example/"})
    with pytest.raises(PolicyError, match=r"^restrictions\[0\]\.base: the policy forbids userinfo"):
        Policy.from_dict({"restrictions": [{"base": "http://me@a.example/"}]})


def test_a_deny_rule_can_have_a_query() -> None:
    policy = Policy.from_dict({"restrictions": [{"deny": ["http://a.example/?b"]}]})
    assert not policy.allows("http://a.example/?b")
    assert policy.allows("http://a.example/?c")


def test_errors_contain_no_secrets() -> None:
    given_data: Any
    for given_data in [
        *({"https://me:hunter2@a.example/": 1}, {"schemes": ["https://me:hunter2@a.example/"]}),
        {"scopes": ["https://me:hunter2@a.example/"]},
        {"allowed": ["https://me:hunter2@a.example/"]},
        {"allow": ["https://me:hunter2@a.example/"]},
        {"allow": [{"https://me:hunter2@a.example/": 1}]},
        {"allow": [{"rule": "a.example", "allowed": ["https://me:hunter2@a.example/"]}]},
        *({"base": "https://me:hunter2@a.example/"}, {"ports": "https://me:hunter2@a.example/"}),
    ]:
        with pytest.raises((ValueError, TypeError)) as caught:
            Policy.from_dict(given_data)
        assert "hunter2" not in str(caught.value)
    # Errors of documents contain no secrets.
    table = '["https://me:hunter2@a.example/"]\n'
    with pytest.raises(ValueError, match="REDACTED") as caught:
        Policy.from_toml(table + table)
    assert "hunter2" not in str(caught.value)


def test_a_toml_document_describes_a_policy() -> None:
    text = """
    schemes = ["https"]
    scopes = "any"
    allow = [
        "*.example.com",
        {rule = "https://gitlab.com/api/v4/projects/", allowed = ["encoded-slash"]},
    ]

    [[restrictions]]
    ports = [443]
    """
    assert Policy.from_toml(text) == Policy(
        schemes={"https"},
        scopes=None,
        allow=[
            "*.example.com",
            Rule("https://gitlab.com/api/v4/projects/", allowed={"encoded-slash"}),
        ],
        restrictions=[Policy(ports={443})],
    )


def test_wrong_documents_are_errors() -> None:
    for text, message in [
        ("ports = ", "Invalid value"),
        ("ports = [80]\nports = [81]", "Cannot overwrite a value"),
        ("ports = [80.0]", "must be an integer, not float"),
        ("base = 1979-05-27", "base must be a string, not date"),
        ("[policy]\nports = [80]", "unknown key 'policy'"),
    ]:
        with pytest.raises((ValueError, TypeError), match=message):
            Policy.from_toml(text)
    # The text of a document is required.
    with pytest.raises(TypeError, match="text must be a str, not bytes"):
        Policy.from_toml(b"")  # type: ignore[arg-type]
    # Documents that are nested too deeply are rejected.
    with pytest.raises(ValueError, match="the document must not be nested so deeply"):
        Policy.from_toml(f"x={'[' * 5000}{']' * 5000}")
    nested: dict[str, object] = {}
    for _ in range(30):
        nested = {"restrictions": [nested]}
    with pytest.raises(ValueError, match="restrictions must be nested at most 20 times"):
        Policy.from_dict(nested)
