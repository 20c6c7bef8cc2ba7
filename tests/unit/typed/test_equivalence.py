from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from marked import list_rows

from uriverse import IRI, SCHEMES, URI, URN, FileURI, ParseError, TelURI
from uriverse._spec.components import AllParts, compose_all_parts, split_all_parts
from uriverse._typed import find_typed_class
from uriverse.schemes import _file
from uriverse.schemes._descriptors import find_scheme_function

#: Groups of URIs. The URIs of a group are equivalent to each other, and to no URI of another group.
GROUPS: dict[str, list[str]] = {
    # RFC 3966, section 4.
    "tel": [
        *("tel:+1", "tel:+01"),
        # Both numbers are global, or both are local.
        *("tel:1;phone-context=+1", "tel:+1;phone-context=+1"),
        # Visual separators do not count.
        "tel:+1-201-555-0123 tel:+12015550123 tel:+1.201.555.0123 tel:+(1)-(201)5550123",
        "tel:+12015550124",
        # A context is compared as a host name or digit by digit.
        "tel:1;phone-context=example.com tel:1;phone-context=Example.COM",
        *("tel:1;phone-context=example.org", "tel:1;phone-context=ab.c"),
        *("tel:1;phone-context=a-b.c", "tel:1;phone-context=+1-2 tel:1;phone-context=+(12)"),
        "tel:1;phone-context=+13",
        # An extension is compared digit by digit.
        *("tel:+1;ext=1-2 tel:+1;ext=12", "tel:+1;ext=13", "tel:+1;ext=-", "tel:+1;ext=1"),
        # The order of parameters does not count, but every parameter does.
        *("tel:+1;a=b;c tel:+1;c;a=b", "tel:+1;a;ext=1;isub=2 tel:+1;isub=2;ext=1;a", "tel:+1;a"),
        *("tel:+1;b", "tel:+1;a=c", "tel:+1;a=b-c", "tel:+1;a=bc"),
        # Case does not count.
        *("tel:+1;a=b tel:+1;A=B TEL:+1;a=b", "tel:1aF;phone-context=a tel:1Af;phone-context=a"),
        "tel:+1;isub=ab%3b tel:+1;ISUB=AB%3B",
        # Triplets of unreserved characters equal the characters.
        *("tel:+1;a=%41%7E tel:+1;a=a~", "tel:+1;a=%2B", "tel:+1;a=+", "tel:%23;phone-context=a"),
        "tel:*;phone-context=a",
        # A fragment is not part of the number.
        *("tel:+1-2#%63 TEL:+12#c", "tel:+12", "tel:+12#", "tel:+12#C"),
    ],
    "file": [
        "file:/x file:///x file://localhost/x file://LOCALHOST/x FILE:/x file:////a/b/../../../x",
        *("file://%6cocalhost/%7Ex file:/~x", "file:///a/../b file:///b"),
        *("file:c:/x file:///c:/x file:/c:/x", "file://Host/x file://host/x", "file:///X"),
        *("file:///C:/x", "file:///x/", "file:///x#", "file:////a/x", "file:///a/x"),
        *("file:////localhost/x", "file:///a%2Fb", "file:///a/b"),
        # Dot segments are removed before the rules of the scheme apply.
        (
            "file:///a/..//server/share/x file:////server/share/x file:///.//server/share/x "
            "file:/.//server/share/x file:/..//server/share/x"
        ),
        *("file:////server/a/../x file:////server/./x", "file:////Server/./x"),
        *("file://///server/share/x", "file:////server/share/x#"),
        *("file:////%5B::1%5D/share/x file:////%5b::1%5d/share/x", "file://a/b/..//server/share/x"),
        *("file://a/server/share/x", "file:c:/../x"),
    ],
    "mailto": [
        *("mailto:joe@EXAMPLE.com MAILTO:joe@example.COM", "mailto:Joe@example.com"),
        *("mailto:a%2Db@c mailto:a-b@c", "mailto:%22A@B%22@C mailto:%22A%40B%22@c"),
        *("mailto:%22A@b%22@C", "mailto:?Subject=a mailto:?subject=%61", "mailto:?subject=A"),
        "mailto:?cc=a@B,c@D mailto:?CC=a@b,c@d, mailto:?cc=a@b%2Cc@d mailto:?cc=a@b%2C%20c%40d%20",
        *("mailto:?cc=%22a,b%22@c", "mailto:?cc=%22a,%20b%22@c", "mailto:?cc=a@b&cc=c@d"),
        *("mailto:?cc=A", "mailto:?cc=a", "mailto:?cc=%FF mailto:?cc=%ff", "mailto:?x=%FF"),
        *("mailto:?x=%EF", "mailto:a@b,c@d", "mailto:c@d,a@b", "mailto:a@b?x=y"),
        "mailto:a@b mailto:?to=a%40B",
        # RFC 3986, 6.2.3: the rules of a scheme do not apply to a fragment.
        *("mailto:a@b#f mailto:?to=a@B#%66", "mailto:a@b#", "mailto:a@b#F"),
        # A domain in Unicode and in ASCII.
        *("mailto:a@%C3%89 mailto:a@%C3%A9", "mailto:a@%C3%A9.x mailto:?to=a@XN--9CA.X"),
        *("mailto:?to=A@XN--9CA.X", "mailto:?cc=a@%C3%A9.x mailto:?cc=a@xn--9ca.x"),
        "mailto:?to=Jo%20%3Ca@%C3%A9.x%3E mailto:?to=Jo%20%3Ca@xn--9ca.X%3E",
        *("mailto:?to=jo%20%3Ca@xn--9ca.X%3E", "mailto:a@%C3%A9%2541", "mailto:a@%C3%89%2541"),
        *("mailto:%C3%A9@b", "mailto:xn--9ca@b"),
        # Recipients in the path and in header fields (RFC 6068, section 2).
        "mailto:a1@x.y,a2@x.y mailto:?to=a1@x.y,a2@x.y mailto:a1@x.y?to=a2@x.y",
        "mailto:a@x,b@y mailto:?to=a@x,b@y",
        "mailto:?cc=z@z&to=a@x&to=b@y mailto:?cc=z@z&to=a@x&TO=b@Y mailto:a@x,b@y?cc=z@z",
        "mailto:?to=a@b,Jo%20%3Cc@d%3E mailto:a@b?to=%20Jo%20%3Cc@D%3E,",
        *("mailto:?to=Jo%20%3Ca@b%3E,c@d", "mailto:c@d?to=Jo%20%3Ca@b%3E"),
        *("mailto:?to=%22a&to=b@c", "mailto:?to=%22a,b@c", "mailto:?to=%FF mailto:?to=%ff"),
        *("mailto: mailto:?to=,", "mailto:?cc="),
    ],
}


@pytest.mark.parametrize("scheme", GROUPS)
def test_uris_are_equivalent_to_those_of_their_group_only(scheme: str) -> None:
    kind, equivalence = (
        find_typed_class(scheme),
        find_scheme_function(scheme, "convert_for_comparison"),
    )
    assert kind
    assert equivalence
    members = [
        (kind(text), number)
        for number, texts in enumerate(GROUPS[scheme])
        for text in texts.split()
    ]
    keys = {(uri.comparison_key("scheme"), number) for uri, number in members}
    assert len({key for key, _ in keys}) == len(keys) == len(GROUPS[scheme])
    wrong = [
        (str(uri), str(other))
        for (uri, number), (other, other_number) in product(members, repeat=2)
        if abs(number - other_number) <= 1  # the keys of the other groups differ
        for one in (uri, URI(uri))
        if one.equivalent(other, level="scheme") is not (number == other_number)
    ]
    assert wrong == []
    for uri, _ in members:
        key = uri.comparison_key("scheme")
        # Normalizing first does not change the key. The key is itself a URI of the scheme.
        assert (
            compose_all_parts(equivalence(split_all_parts(str(uri.normalize(scheme=True))))) == key
        )
        assert scheme == "file" or kind(key).comparison_key("scheme") == key


@pytest.mark.parametrize("uri", [URN("urn:a1:b"), TelURI("tel:+1"), FileURI("file:/x")])
def test_equivalent_rejects_invalid_uris_and_types(uri: URN | TelURI | FileURI) -> None:
    assert not uri.equivalent("http://a/x", level="scheme")
    with pytest.raises(TypeError, match="not int"):
        uri.equivalent(1, level="scheme")  # type: ignore[arg-type]
    with pytest.raises(ParseError):
        uri.equivalent("a b", level="scheme")


#: Strings and their normal forms.
NORMALIZED = {
    "tel": {
        "tel:+1-(201)-555.0123": "tel:+12015550123",
        "tel:+1;EXT=1-2;Isub=A-B%3b": "tel:+1;ext=12;isub=a-b%3B",
        "tel:+1;ext=.-": "tel:+1;ext=.-",
        "tel:A-%23;b;Phone-Context=Example.COM;a": "tel:A%23;phone-context=example.com;a;b",
        "tel:1;z=1;phone-context=+1-2;y;isub=3;ext=4;x": (
            "tel:1;ext=4;isub=3;phone-context=+12;x;y;z=1"
        ),
        "tel:+1-2;B;A#f-F": "tel:+12;a;b#f-F",
    },
    "urn": {"urn:ISBN:A%2c?+R?=Q#F": "urn:isbn:A%2c?+R?=Q#F"},
    "mailto": {
        "mailto:": "mailto:",
        "mailto:Joe@Example.COM": "mailto:Joe@example.com",
        "mailto:A@B,%22C@D%22@%5BIPv6:A%5D": "mailto:A@b,%22C@D%22@%5Bipv6:a%5D",
        "mailto:a@%4AX%C3%89": "mailto:a@%4Ax%C3%89",
        "mailto:a@B?CC=a@B&X-%4A=Y#F": "mailto:a@b?cc=a@B&x-%4A=Y#F",
        "MAILTO:?A=": "MAILTO:?a=",
        "mail:A@B": "mail:A@b",
    },
    "data": {
        "data:,ABC": "data:,ABC",
        "data:Text/HTML,A?B#C": "data:text/html,A?B#C",
        "data:A/B;C=D;E=%4A;BASE64,YQ==": "data:a/b;c=D;e=%4A;base64,YQ==",
        "data:A%2a/b,x": "data:a%2a/b,x",
        "DATA:A/B,x": "DATA:a/b,x",
        "x-data:A/B,x": "x-data:a/b,x",
    },
    "file": {
        "file://localhost/x?y#z": "file:///x?y#z",
        "file://LocalHost/x": "file:///x",
        "file://localhost": "file://",
        "file:///x": "file:///x",
        "file:/x": "file:/x",
        "file://host/x": "file://host/x",
    },
}

#: Strings that do not follow the grammar of the scheme, which do not change.
UNCHANGED = {
    "tel": "tel:1-2 tel:+1-2? tel://a/+1-2 tel:+1-2;a=1;A=1 tel:+1-a",
    "urn": "urn:A:b urn://A:b urn:AB:c?d x:AB:c AB:c urn:AB",
    "mailto": ["mailto:A@B?", "mailto:A B"],
    "data": "data:A;b data:TEXT/b;base64;base64, data://h/A/B,x",
    "file": (
        "file://localhost//x/y file://me@localhost/x file://localhost:80/x "
        "file://me@localhost:80/x file://@localhost:/x"
    ),
}


@pytest.mark.parametrize(
    ("scheme", "text", "normal"),
    [
        *((scheme, *row) for scheme, rows in NORMALIZED.items() for row in rows.items()),
        *((scheme, text, text) for scheme, text in list_rows(UNCHANGED)),
    ],
)
def test_normalization_follows_the_scheme(scheme: str, text: str, normal: str) -> None:
    normalize, equivalence = (
        find_scheme_function(scheme, name) or (lambda parts: parts)
        for name in ("normalize", "convert_for_comparison")
    )
    assert compose_all_parts(normalize(split_all_parts(text))) == normal
    assert normalize(split_all_parts(normal)) == split_all_parts(normal)
    if text in UNCHANGED[scheme] and scheme in {"tel", "urn"}:
        assert equivalence(split_all_parts(text)) == split_all_parts(text)


def test_the_form_for_comparison_follows_the_scheme() -> None:
    for scheme, text, key in [
        *(("urn", "URN:ISBN:A%2c?+R?=Q#F", "urn:isbn:A%2C"), ("file", "file:/x", "file:///x")),
        *(("file", "file:c:/x", "file:///c:/x"), ("file", "file:x", "file:x")),
        *(("file", "file:", "file:"), ("file", "file://localhost/x", "file:///x")),
    ]:
        convert_for_comparison = find_scheme_function(scheme, "convert_for_comparison")
        assert convert_for_comparison
        assert compose_all_parts(convert_for_comparison(split_all_parts(text))) == key


PIECES = {
    "urn": [*"aZ9-:/?=+#@é ", "%2f", "%2F", "ab:c", "?+", "?="],
    "tel": [*"+1-aF#;.?", "%23", "%41", ";ext=", ";isub=A", ";A=b", ";b"],
    "mailto": [
        *'aB.@,?&=#:%<>(){"',
        *("%22", "%4A", "%5B", "%5D", "%C3%89", "%FF", "%5C", "a@B", "%22a,B%22@%5BC%5D", "A.b@c"),
        *("?To=a@B", "&to=%22a", "&CC=Jo%20%3Ca@B%3E", "?X-%4a=%2c", "?body=%FF", "&to=b%22@C"),
    ],
    "data": [*"aB/;=,?#:%{", "%22", "%4A", ";BASE64", "text/HTML"],
}
STARTS = {"tel": ["tel:", "tel:+1", "TEL:1;phone-context=Ab.C"]}
#: Random strings with the names of their schemes.
RANDOM = st.sampled_from(sorted(PIECES)).flatmap(
    lambda scheme: st.tuples(
        st.just(scheme),
        st.builds(
            lambda start, pieces: start + "".join(pieces),
            st.sampled_from(STARTS.get(scheme, [f"{scheme}:"])),
            st.lists(st.sampled_from(PIECES[scheme]), max_size=8),
        ),
    )
)


@pytest.mark.parametrize(
    "text",
    [
        *("mailto:?X-%4a=%2c##", "mailto:?X-%4a=%2c#%", "mailto:{@B", 'mailto:"a"@B'),
        *("mailto:a@B\ue000", "data:text/HTML,##", "data:text/HTML,%", "data:text/HTML,?^"),
        *("tel:+1-2##", "tel:+1-2#\ufffe"),
    ],
)
def test_invalid_components_stay_as_they_are(text: str) -> None:
    parts = split_all_parts(text)
    rules = SCHEMES[str(parts.scheme)]
    assert rules.normalize
    assert rules.normalize(parts) == parts
    assert (rules.equivalence or rules.normalize)(parts) == parts


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("mailto:é@B?X=%2C#é", "mailto:é@b?x=%2C#é"),
        ("data:TEXT/html,é#é", "data:text/html,é#é"),
        ("tel:+1-2#é", "tel:+12#é"),
    ],
)
def test_components_of_iris_are_normalized(text: str, normal: str) -> None:
    assert str(IRI(text).normalize(scheme=True)) == normal


@given(RANDOM)
@example(("mailto", "mailto:?to=%22a&to=b%22@C"))
@example(("mailto", "mailto:?not-a-field"))
def test_normalization_is_idempotent_and_keeps_equivalence(row: tuple[str, str]) -> None:
    scheme, text = row
    normalize = find_scheme_function(scheme, "normalize")
    equivalence = find_scheme_function(scheme, "convert_for_comparison") or normalize
    assert normalize
    assert equivalence
    parts = split_all_parts(text)
    normal, key = normalize(parts), equivalence(parts)
    assert normalize(normal) == normal
    assert equivalence(key) == equivalence(normal) == key
    if scheme in {"mailto", "data"}:
        assert compose_all_parts(normal).lower() == text.lower()
    if scheme == "data":
        assert normal.path.partition(",")[2] == parts.path.partition(",")[2]
    kind = find_typed_class(scheme)
    assert kind
    if typed := kind.try_parse(text):
        assert typed.equivalent(compose_all_parts(normal), level="scheme")
        assert typed.equivalent(compose_all_parts(key), level="scheme") or scheme == "urn"
    else:
        assert normal == key == parts


@given(
    st.none() | st.sampled_from(["", "localhost", "LOCALHOST", "%4cocalhost", "host"]),
    st.none() | st.sampled_from(["", "80"]),
    st.sampled_from(["", "/", "/x", "//x/y", "/c:/x"]),
)
def test_normalizing_a_file_uri_neither_adds_nor_removes_an_authority(
    host: str | None, port: str | None, path: str
) -> None:
    parts = AllParts("file", None, host, None if host is None else port, path, None, None)
    once = _file.normalize(parts)
    assert _file.normalize(once) == once
    assert (once.host is None) is (host is None)
    assert _file.convert_for_comparison(
        _file.convert_for_comparison(parts)
    ) == _file.convert_for_comparison(parts)
    if host is not None or not path.startswith("//"):
        assert split_all_parts(compose_all_parts(once)) == once
