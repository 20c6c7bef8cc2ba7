"""The syntax of templates (RFC 6570, section 2), and its errors."""

import pickle

import pytest
from misleading import MisleadingStr

from uriverse import TemplateError, URIError
from uriverse.templates import Template, Variable


def error_of(text: str) -> TemplateError:
    with pytest.raises(TemplateError) as caught:
        Template(text)
    return caught.value


def test_variables_have_a_name_an_operator_and_a_modifier() -> None:
    for text, variables in [
        *(("", ()), ("http://a.example/%41?b#c", ()), ("{a}", (Variable("a"),))),
        *(("{a,b}", (Variable("a"), Variable("b"))), ("{a}{b}", (Variable("a"), Variable("b")))),
        *(("{a.b}", (Variable("a.b"),)), ("{.a.b}", (Variable("a.b", "."),))),
        *(("{%41_b}", (Variable("%41_b"),)), ("{1}", (Variable("1"),))),
        *(("{a*}", (Variable("a", explode=True),)), ("{a:1}", (Variable("a", prefix=1),))),
        ("{a:9999}", (Variable("a", prefix=9999),)),
        ("{1:2,b*}", (Variable("1", prefix=2), Variable("b", explode=True))),
        *((f"{{{symbol}a}}", (Variable("a", symbol),)) for symbol in "+#./;?&"),
    ]:
        template = Template(text)
        assert (template.variables, str(template)) == (variables, text)


@pytest.mark.parametrize(
    "character", [*"!#$&'()*+,-./:;=?@[]_~aZ0", "\xa0", "\u00e9", "\ue000", "\U0001f600"]
)
def test_a_literal_may_contain_a_character_of_the_rule_literals(character: str) -> None:
    # Erratum 6937 adds the apostrophe.
    assert str(Template(f"a{character}b")) == f"a{character}b"


def test_another_character_in_a_literal_is_rejected_with_its_encoding() -> None:
    for character, encoded in [
        *(("\0", "%00"), ("\n", "%0A"), ('"', "%22"), ("<", "%3C"), (">", "%3E"), ("\\", "%5C")),
        *(("^", "%5E"), ("`", "%60"), ("|", "%7C"), ("\x7f", "%7F"), ("\x80", "%C2%80")),
        *(("\ufdd0", "%EF%B7%90"), ("\U000e0001", "%F3%A0%80%81"), ("\ufffe", "%EF%BF%BE")),
    ]:
        error = error_of(f"a{character}{{b}}")
        assert (error.position, error.component, error.rule) == (1, "template", "literals")
        assert error.reason == f"invalid character {character!r} in literal"
        assert error.hint == f"percent-encode it as {encoded}"
        assert error.variable is None


def test_an_invalid_template_raises_an_error_with_position_rule_reason_and_hint() -> None:
    for text, position, rule, reason, hint in [
        ("a b", 1, "literals", "invalid space in literal", "percent-encode it as %20"),
        ("a}b", 1, "literals", '"}" without "{"', "write a literal brace as %7D"),
        ("{a}}", 3, "literals", '"}" without "{"', "write a literal brace as %7D"),
        ("a\ud800", 1, "literals", "lone surrogate in literal", ""),
        ("a%", 1, "pct-encoded", "two hexadecimal digits", 'write a literal "%" as %25'),
        ("%41%4", 3, "pct-encoded", "two hexadecimal digits", 'write a literal "%" as %25'),
        ("%zz", 0, "pct-encoded", "two hexadecimal digits", 'write a literal "%" as %25'),
        ("a{", 1, "expression", 'missing "}"', 'add "}"'),
        ("a{b", 1, "expression", 'missing "}"', 'add "}"'),
        ("{+", 0, "expression", 'missing "}"', 'add "}"'),
        ("{a,", 0, "expression", 'missing "}"', 'add "}"'),
        ("{a*", 0, "expression", 'missing "}"', 'add "}"'),
        ("{a:1", 0, "expression", 'missing "}"', 'add "}"'),
        ("{}", 1, "varname", "missing variable name", ""),
        ("{+}", 2, "varname", "missing variable name", ""),
        ("{.}", 2, "varname", "missing variable name", ""),
        ("{a,}", 3, "varname", "missing variable name", ""),
        ("{a,,b}", 3, "varname", "missing variable name", ""),
        *((f"{{{c}a}}", 1, "op-reserve", f'operator "{c}"', "use one of") for c in "=,!@|"),
        ("{$a}", 1, "varname", "invalid character '$'", "use only letters"),
        ("{a b}", 2, "varname", "invalid space", "use only letters"),
        ("{a-b}", 2, "varname", "invalid character '-'", "use only letters"),
        ("{\u00e9}", 1, "varname", "invalid character '\u00e9'", "use only letters"),
        ("{\u0663}", 1, "varname", "invalid character '\u0663'", "use only letters"),
        ("{a{b}", 2, "varname", "invalid character '{'", "use only letters"),
        ("{a=1}", 2, "varname", "invalid character '='", "use only letters"),
        ("{%4}", 1, "varname", "invalid character '%'", "use only letters"),
        ("{a..b}", 2, "varname", "invalid character '.'", "single dots"),
        ("{a.", 2, "varname", "invalid character '.'", "single dots"),
        ("{a.}", 2, "varname", "cannot end with a dot", "remove"),
        ("{.a.,b}", 3, "varname", "cannot end with a dot", "remove"),
        ("{a.*}", 2, "varname", "cannot end with a dot", "remove"),
        ("{a*.x}", 3, "varname", "invalid character '.'", "single dots"),
        ("{a:3*}", 4, "modifier-level4", "at most one modifier", ""),
        ("{a:3:4}", 4, "modifier-level4", "at most one modifier", ""),
        ("{a**}", 3, "modifier-level4", "at most one modifier", ""),
        ("{a*:3}", 3, "modifier-level4", "at most one modifier", ""),
        *(
            (f"{{a:{length}}}", 3, "max-length", "invalid prefix length", "write a number")
            for length in ("", "0", "01", "10000", "x", "-1", "\u0663", "1\u0663")
        ),
    ]:
        error = error_of(text)
        assert (error.text, error.position) == (text, position)
        assert (error.component, error.rule, error.variable) == ("template", rule, None)
        assert reason in error.reason
        assert error.hint.startswith(hint) or (hint and hint in error.hint)
        assert bool(error.hint) is bool(hint)


def test_a_template_has_at_most_8192_characters_and_256_variables() -> None:
    assert str(Template("a" * 8192)) == "a" * 8192
    error = error_of("a" * 8193)
    assert (error.position, error.rule) == (8192, "URI-Template")
    assert "8192" in error.reason
    # A template has at most 256 variables.
    for text in ["{a}" * 256, "{" + ",".join("a" * 256) + "}"]:
        assert len(Template(text).variables) == 256
        error = error_of(f"{text}/{{b}}")
        assert (error.position, error.rule) == (len(text) + 1, "URI-Template")
        assert error.reason == "too many variables: a template may have at most 256"


def test_a_template_is_a_plain_str() -> None:
    for text in [None, 1, b"a", ["a"]]:
        with pytest.raises(TypeError, match="a template must be a str, not"):
            Template(text)  # type: ignore[arg-type]
    # A template of a subclass of str is a plain str.
    assert type(str(Template(MisleadingStr("{a}")))) is str
    assert str(Template(MisleadingStr("{a}"))) == "{a}"


def test_the_error_shows_the_position_and_can_be_pickled() -> None:
    error = error_of("/{user-id}")
    assert isinstance(error, URIError)
    assert isinstance(error, ValueError)
    assert "\n  /{user-id}\n        ^\nhint: use only letters" in str(error)
    # An error can be pickled.
    with pytest.raises(TemplateError) as caught:
        Template("{a}").expand(a="\ud800")
    found = pickle.loads(pickle.dumps(caught.value))
    assert type(found) is TemplateError
    assert (vars(found), found.variable) == (vars(caught.value), "a")
