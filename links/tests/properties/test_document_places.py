import pytest
from document_places import DOCUMENTS, FINDERS, PLACES, replaced
from hypothesis import example, given
from hypothesis import strategies as st

from uriverse import BuildError
from uriverse_links._json import is_probable_uri

CASES = [
    pytest.param(kind, document, index, id=f"{kind}-{found.context}-{number}-{index}")
    for kind, documents in DOCUMENTS.items()
    for number, document in enumerate(documents)
    for index, found in enumerate(FINDERS[kind](document))
]
DESTINATIONS = st.one_of(
    st.text(min_size=1),
    st.text(alphabet="x:/&;#=lt\"'<>\\()[]`{}, \t\n%a1é\0\x7f", min_size=1),
    st.sampled_from(
        ["&amp;", "&lt", "]]>", "</style>", "--><a>", "url=x", "'", '"', "\\", "\\22 ", "a,", ",a"]
    ),
)


def test_every_place_has_a_document() -> None:
    found = {
        each.context
        for kind, documents in DOCUMENTS.items()
        for document in documents
        for each in FINDERS[kind](document)
    }
    assert found == set(PLACES)


@pytest.mark.parametrize(("kind", "document", "index"), CASES)
@given(destination=DESTINATIONS)
@example(destination="http://a/?b&amp=c&d='e\"(f)")
def test_the_destination_that_was_written_is_found(
    kind: str, document: str, index: int, destination: str
) -> None:
    before = list(FINDERS[kind](document))
    try:
        written = PLACES[before[index].context](destination)
    except BuildError:
        # Some places cannot contain every destination.
        return
    after = list(FINDERS[kind](replaced(document, before[index], written)))
    assert [each.destination for each in after] == [
        *(each.destination for each in before[:index]),
        # Other strings of JSON are not found.
        *([destination] if kind != "json" or is_probable_uri(destination) else []),
        *(each.destination for each in before[index + 1 :]),
    ]


#: Pieces of HTML; a list of them is a document with errors.
PIECES = st.sampled_from(
    [
        *(document for document in DOCUMENTS["html"] if len(document) < 60),
        *("<", ">", '"', "'", "=", "/", " ", "&", "&amp", "&#", "\0", "\r\n", "<!--", "-->", "]]>"),
        *("<svg>", "</svg>", "<style>", "</style>", "<title>", "</title>", "<p>", "</p>", "<math>"),
        *("<a href=x:n>", "<use href=x:u />", "url(", "x:y", " style=", " href ", "<script>"),
        "<mi>",
        *("</script>", "<![CDATA[", "<textarea>", "<foreignObject>", "<div>", "</div>", "</a>"),
    ]
)


@given(pieces=st.lists(PIECES, max_size=12))
def test_writing_the_same_destinations_changes_none(pieces: list[str]) -> None:
    document = "".join(pieces)
    found = list(FINDERS["html"](document))
    end = 0
    for each in found:
        assert end <= each.start <= each.end
        end = each.end
        try:
            written = PLACES[each.context](each.destination)
        except BuildError:
            continue
        again = FINDERS["html"](replaced(document, each, written))
        assert [other[2:] for other in again] == [other[2:] for other in found]


@pytest.mark.parametrize(("kind", "document", "index"), CASES)
def test_ordinary_destinations_fit_everywhere(kind: str, document: str, index: int) -> None:
    found = list(FINDERS[kind](document))[index]
    for destination in ("http://a/b?c=d&e=f#g", "../x%20y", "/", "mailto:a@b"):
        assert PLACES[found.context](destination)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_destinations_stand_in_order_and_do_not_overlap(kind: str) -> None:
    for document in DOCUMENTS[kind]:
        end = 0
        for found in FINDERS[kind](document):
            assert end <= found.start <= found.end <= len(document)
            end = found.end
