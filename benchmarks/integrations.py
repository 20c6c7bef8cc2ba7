"""Compare the integrations with other libraries, and with the creation of the values alone.

    python benchmarks/integrations.py
    python benchmarks/integrations.py --json figures.json

The exit status is 0 even if a target is missed. See README.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Annotated, Any

import measure
import msgspec
from identifiers import options
from measure import Contender, Table
from pydantic import AnyUrl, BaseModel, PlainValidator, TypeAdapter
from references import compare, one, run

from uriverse import URI
from uriverse.integrations.constraints import Constraints
from uriverse.integrations.msgspec import dec_hook, enc_hook

#: Templates for distinct strings: each `{}` is replaced with a number.
PAGE = "https://www.example.org/users/{}/posts?page=2&sort=date#top"
REFERENCE = "../users/{}/posts?page=2&sort=date#top"

#: The limits for rfc3987-syntax, which needs more than 10 milliseconds for a string.
FEW = 100
FEW_ROUNDS = 5


def json_schema(strings: int, rounds: int) -> Iterator[Table]:
    """Compare checks of the formats for URIs and IRIs; ours take at most 1 microsecond each."""
    from rfc3986_validator import validate_rfc3986
    from rfc3987_syntax import is_valid_syntax

    from uriverse.integrations.jsonschema import format_checker

    checker = format_checker()

    def compared(name: str, template: str, peer: Contender, count: int, rounds: int) -> Table:
        contenders = [
            one("uriverse jsonschema", checker.checkers[name][0], 1000),
            peer,
        ]
        texts = map(template.format, range(count))
        return compare(f"the JSON Schema format {name}", contenders, texts, count, rounds)

    peer = one("rfc3986-validator", lambda text: bool(validate_rfc3986(text, rule="URI")))
    yield compared("uri", PAGE, peer, strings, rounds)
    peer = one("rfc3986-validator", lambda text: bool(validate_rfc3986(text, rule="URI_reference")))
    yield compared("uri-reference", REFERENCE, peer, strings, rounds)
    strings, rounds = min(strings, FEW), min(rounds, FEW_ROUNDS)
    peer = one("rfc3987-syntax", lambda text: is_valid_syntax("iri", text))
    yield compared("iri", PAGE, peer, strings, rounds)
    peer = one("rfc3987-syntax", lambda text: is_valid_syntax("iri_reference", text))
    yield compared("iri-reference", REFERENCE, peer, strings, rounds)


def databases(strings: int, rounds: int) -> Iterator[Table]:
    """Compare the conversions of SQLAlchemy and Django with the creation of a URI alone."""
    from django.conf import settings
    from django.core.validators import URLValidator
    from sqlalchemy.dialects.sqlite import dialect

    from uriverse.integrations.django.models import URIField
    from uriverse.integrations.django.validators import URIValidator
    from uriverse.integrations.sqlalchemy import URIType

    if not settings.configured:
        settings.configure(USE_I18N=False)
    column, sqlite, field = URIType(), dialect(), URIField()
    texts = [PAGE.format(number) for number in range(strings)]
    contenders = [
        one("uriverse SQLAlchemy, load", lambda text: column.process_result_value(text, sqlite)),
        one("uriverse Django, load", lambda text: field.from_db_value(text, None, None)),
        one("uriverse URI(text)", URI),
    ]
    yield compare("a URI from a database", contenders, texts, strings, rounds)
    contenders = [
        one(
            "uriverse SQLAlchemy, store",
            lambda uri: column.process_bind_param(uri, sqlite),
            None,
            URI,
        ),
        one("uriverse Django, store", lambda uri: str(field.to_python(uri)), None, URI),
        one("uriverse str(uri)", str, None, URI),
    ]
    yield compare("a URI to a database", contenders, texts, strings, rounds)
    contenders = [
        one("uriverse URIValidator", URIValidator()),
        one("Django URLValidator", URLValidator()),
    ]
    with_answers = [
        one(each.name, lambda text, validate=each.work[0][0]: validate(text) is None)
        for each in contenders
    ]
    yield compare("a validator of Django", with_answers, texts, strings, rounds)


#: A template for distinct strings: the braces are replaced with a number.
LINK = "https://www.example.org/users/{}/posts?page=2&sort=date"


def json_field(text: str) -> bytes:
    return b'{"link":"%b"}' % text.encode()


def fields(strings: int, rounds: int) -> Iterator[Table]:
    """Fields of pydantic models and msgspec structs.

    The peer "a hook that only calls URI" is the least that a field of this library can cost.
    """
    texts = [LINK.format(number) for number in range(strings)]
    plain = Annotated[Any, PlainValidator(lambda given: URI(given))]  # noqa: PLW0108
    secure = Annotated[URI, Constraints(schemes={"https"}, host_required=True)]

    def validated(kind: Any) -> Callable[[str], str]:
        validate = TypeAdapter(kind).validate_python
        return lambda text: str(validate(text))

    contenders = [
        one("uriverse field, str", validated(URI)),
        one("a hook that only calls URI, str", validated(plain), 1.1),
        one("pydantic AnyUrl, str", validated(AnyUrl), 0.5),
        one("URI() alone, str", lambda text: str(URI(text))),
        one("uriverse field with Constraints, str", validated(secure)),
    ]
    yield compare("a pydantic field", contenders, texts, strings, rounds)

    def decoded(kind: Any) -> Callable[[bytes], str]:
        class Model(BaseModel):
            link: kind

        decode = Model.model_validate_json
        return lambda given: str(decode(given).link)

    contenders = [
        one("uriverse field, str", decoded(URI), None, json_field),
        one("a hook that only calls URI, str", decoded(plain), 1.1, json_field),
        one("pydantic AnyUrl, str", decoded(AnyUrl), 0.7, json_field),
    ]
    yield compare("a pydantic model from JSON", contenders, texts, strings, rounds)

    def written(kind: Any) -> tuple[Callable[[Any], bytes], Callable[[str], Any]]:
        adapter: TypeAdapter[Any] = TypeAdapter(kind)
        return adapter.dump_json, adapter.validate_python

    contenders = [
        one("uriverse field", written(URI)[0], None, written(URI)[1]),
        one("pydantic AnyUrl", written(AnyUrl)[0], None, written(AnyUrl)[1]),
    ]
    yield compare("a pydantic field to JSON", contenders, texts, strings, rounds)

    struct = msgspec.defstruct("struct", [("link", URI)])

    def decoder(hook: Callable[[Any, Any], Any]) -> Callable[[bytes], str]:
        decode = msgspec.json.Decoder(struct, dec_hook=hook).decode
        return lambda given: str(decode(given).link)  # type: ignore[attr-defined]

    contenders = [
        one("uriverse dec_hook, str", decoder(dec_hook), None, json_field),
        one(
            "a hook that only calls URI, str",
            decoder(lambda kind, given: kind(given)),
            1.5,
            json_field,
        ),
    ]
    yield compare("a msgspec struct from JSON", contenders, texts, strings, rounds)
    contenders = [
        one("uriverse enc_hook", msgspec.json.Encoder(enc_hook=enc_hook).encode, None, URI),
        one("a hook that only calls str", msgspec.json.Encoder(enc_hook=str).encode, 2.0, URI),
    ]
    yield compare("a msgspec value to JSON", contenders, texts, strings, rounds)


def rdf_prefixes(number: int) -> dict[str, str]:
    """Return namespaces like those of ontologies and vocabularies; some are nested."""
    obo = "http://purl.obolibrary.org/obo/"
    found = {"OBO": obo}
    for k in range(number - 1):
        found[f"p{k}"] = (f"{obo}P{k}_", f"http://vocabulary-{k}.example/ns#")[k % 2]
    return found


def at_once(function: Callable[[Any], object], texts: Sequence[Any]) -> None:
    """Pass all strings to one call."""
    function(texts)


def call_with(function: Callable[[Any], object], given: object, _: object) -> object:
    """Call a function with an argument that was created before the clock started."""
    return function(given)


def compressed(converter: Any, rows: Sequence[str]) -> list[str]:
    return [*map(converter.compress, rows)]


def curies(strings: int, rounds: int) -> Iterator[Table]:
    """Compare CURIEs with the package `curies`."""
    import pyarrow as pa
    from curies import Converter

    from uriverse.rdf import PrefixMap

    for number in (10, 1000):
        given = rdf_prefixes(number)
        ours, theirs = PrefixMap(given), Converter.from_prefix_map(given)
        names = list(given)
        # With many prefixes, `curies` takes hundreds of microseconds to expand a CURIE.
        some = min(strings, 200_000 // number)
        texts = [f"{names[k % number]}:{k:07}" for k in range(strings)]
        iris = [str(ours.expand(text)) for text in texts]
        size = f"{number:,} prefixes"
        contenders = [
            one("uriverse PrefixMap.expand, str", lambda text, own=ours: str(own.expand(text))),
            one("curies Converter.expand", theirs.expand, 0.2),
        ]
        yield compare(f"expand a CURIE, {size}", contenders, texts, some, rounds)
        contenders = [
            one("uriverse PrefixMap.compact", ours.compact),
            one("curies Converter.compress", theirs.compress, 0.2),
        ]
        yield compare(f"compact an IRI, {size}", contenders, iris, strings, rounds)
        column = pa.array(iris)
        work: list[tuple[str, Callable[[Any], object], float | None]] = [
            ("uriverse compact_column, list", ours.compact_column, None),
            (
                "uriverse compact_column, Arrow",
                partial(call_with, ours.compact_column, column),
                None,
            ),
            ("curies compress, list", partial(compressed, theirs), 0.2),
        ]
        rows = measure.in_turn(
            [
                Contender(name, [(function, iris)], None, target, None, at_once)
                for name, function, target in work
            ],
            rounds,
        )
        notes = (f"{len(iris):,} strings; {rounds} rounds",)
        yield Table(f"compact a column, {size}", "ns", notes, rows)


#: The comparisons of each library. Each function yields tables, for a number of strings and rounds.
GROUPS: tuple[Callable[[int, int], Iterator[Table]], ...] = (
    fields,
    json_schema,
    databases,
    curies,
)


def main(command_line: Sequence[str] | None = None) -> None:
    arguments = options("Compare the integrations with other libraries.").parse_args(command_line)
    run(arguments, (group(arguments.strings, arguments.rounds) for group in GROUPS))


if __name__ == "__main__":
    main()
