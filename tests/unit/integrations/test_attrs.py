import pickle

import attrs
import pytest
from hypothesis import given
from strategies import produced

from uriverse import URI, URN, ParseError
from uriverse.integrations.attrs import within
from uriverse.integrations.constraints import Constraints


@attrs.frozen
class Page:
    link: URI = attrs.field(converter=URI)
    secure: URI | None = attrs.field(
        default=None,
        converter=attrs.converters.optional(URI),
        validator=attrs.validators.optional(within(Constraints(schemes={"https"}))),
    )


@given(produced("URI"))
def test_classes_keep_every_accepted_string(text: str) -> None:
    page = Page(text)
    assert (str(page.link), pickle.loads(pickle.dumps(page))) == (text, page)
    assert attrs.evolve(page, link=page.link) == page


def test_an_error_has_the_code_the_position_and_the_attribute() -> None:
    assert Page("a:b", "https://a/").secure == URI("https://a/")
    with pytest.raises(ParseError) as caught:
        Page("a:b", "http://me:secret@a/")
    assert (caught.value.code, caught.value.position) == ("scheme-not-allowed", 0)
    assert caught.value.__notes__ == ["in the attribute 'secure' of Page"]
    assert "secret" not in str(caught.value)


def test_the_validator_requires_a_uri() -> None:
    @attrs.define
    class Unconverted:
        link: URI = attrs.field(validator=within(Constraints()))
        urn: URN = attrs.field(converter=URN, validator=within(Constraints(max_length=20)))

    assert Unconverted(URI("a:b"), "urn:example:a").urn == URN("urn:example:a")
    with pytest.raises(TypeError, match="'link' must be a URI, not str; set converter=URI"):
        Unconverted("a:b", "urn:example:a")  # type: ignore[arg-type]
