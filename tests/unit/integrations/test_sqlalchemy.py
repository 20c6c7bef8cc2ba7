import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from postgres import serving
from sqlalchemy import (
    Column,
    Engine,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    Unicode,
    UnicodeText,
    create_engine,
    delete,
    func,
    insert,
    inspect,
    literal,
    select,
    text,
    type_coerce,
    update,
)
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import StaticPool
from strategies import hostile, produced, references

import uriverse
from uriverse import (
    HTTPURI,
    IRI,
    URI,
    URN,
    IRIReference,
    ParseError,
    Policy,
    URIReference,
    is_iri,
    is_iri_reference,
    is_uri,
    is_uri_reference,
)
from uriverse._typed import list_typed_classes
from uriverse.integrations.constraints import Constraints
from uriverse.integrations.sqlalchemy import TYPE_ANNOTATION_MAP, URIType

WEB = Constraints(schemes={"http", "https"}, host_required=True)
TYPES = (URI, URIReference, IRI, IRIReference)
ACCEPTING = (is_uri, is_uri_reference, is_iri, is_iri_reference)


class Base(DeclarativeBase):
    type_annotation_map = TYPE_ANNOTATION_MAP


class Page(Base):
    __tablename__ = "page"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[URI | None]
    any: Mapped[IRIReference | None]
    web: Mapped[URI | None] = mapped_column(URIType(constraints=WEB, length=40))
    urn: Mapped[URN | None]


class Link(Base):
    __tablename__ = "link"
    url: Mapped[URI] = mapped_column(URIType(length=200), primary_key=True)
    count: Mapped[int]


class Site(Base):
    __tablename__ = "site"
    home: Mapped[HTTPURI] = mapped_column(URIType(HTTPURI, length=200), primary_key=True)
    count: Mapped[int]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    if request.param == "sqlite":
        engine = create_engine("sqlite://", poolclass=StaticPool, hide_parameters=True)
        Base.metadata.create_all(engine)
        yield engine
        engine.dispose()
        return
    pytest.importorskip("psycopg", reason="needs psycopg (pip install --group test-all)")
    with serving() as folder:
        url = f"postgresql+psycopg://postgres@/postgres?host={folder}"
        engine = create_engine(url, hide_parameters=True)
        Base.metadata.create_all(engine)
        yield engine
        engine.dispose()


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    with Session(engine) as session:
        session.execute(delete(Page))
        session.execute(delete(Link))
        yield session
        session.rollback()


def stored(session: Session, column: str) -> list[Any]:
    rows = session.execute(text(f"SELECT {column} FROM page ORDER BY id"))
    return list(rows.scalars())


def error_of(session: Session, values: dict[str, Any]) -> StatementError:
    with pytest.raises(StatementError) as caught:
        session.execute(insert(Page), [values])
    return caught.value


@settings(max_examples=10)
@given(st.lists(references(), min_size=1, max_size=20))
def test_each_identifier_is_stored_and_returned_unchanged(engine: Engine, texts: list[str]) -> None:
    with Session(engine) as session:
        session.execute(delete(Page))
        session.add_all([Page(id=n, any=IRIReference(each)) for n, each in enumerate(texts)])
        session.flush()
        session.expire_all()
        assert stored(session, '"any"') == texts
        found = session.scalars(select(Page.any).order_by(Page.id)).all()
        assert [str(value) for value in found] == texts
        assert all(type(value) is IRIReference for value in found)
        for each in texts:
            assert (
                session.scalars(select(Page.id).where(Page.any == IRIReference(each))).first()
                is not None
            )
        session.rollback()


@given(produced("URI"))
def test_a_string_is_validated_and_stored_unchanged(string: str) -> None:
    column = URIType(URI)
    dialect: Any = None
    assert column.process_bind_param(string, dialect) == string
    assert column.process_bind_param(IRI(string), dialect) == string
    value = column.process_result_value(string, dialect)
    assert type(value) is URI
    assert str(value) == string


@given(hostile())
def test_only_valid_strings_are_accepted(string: str) -> None:
    dialect: Any = None
    for cls, accepts in zip(TYPES, ACCEPTING, strict=True):
        if accepts(string):
            assert URIType(cls).process_bind_param(string, dialect) == string
        else:
            with pytest.raises(ParseError):
                URIType(cls).process_bind_param(string, dialect)


def test_mapped_attributes_are_values_of_their_type(session: Session) -> None:
    page = Page(url=URI("http://a/%7e"), any=IRIReference("é"), urn=URN("urn:example:a"))
    session.add(page)
    session.flush()
    session.expire_all()
    assert (page.url, page.any) == (URI("http://a/%7e"), IRIReference("é"))
    assert page.urn == URN("urn:example:a")
    assert (type(page.url), type(page.any), type(page.urn)) == (URI, IRIReference, URN)
    assert page.web is None
    # A string is a URI after the row is loaded again.
    page = Page(url="http://a/")
    session.add(page)
    session.flush()
    session.refresh(page)
    assert type(page.url) is URI


def test_none_is_null_and_an_empty_reference_is_not(session: Session) -> None:
    session.add(Page(id=1))
    session.flush()
    assert stored(session, "url") == [None]
    assert session.scalars(select(Page.id).where(Page.url.is_(None))).all() == [1]
    assert session.scalars(select(Page.id).where(Page.url == None)).all() == [1]  # noqa: E711
    # An empty reference is not null.
    session.add(Page(id=2, any=IRIReference("")))
    session.flush()
    session.expire_all()
    assert stored(session, '"any"') == [None, ""]
    assert session.scalars(select(Page.any).order_by(Page.id)).all() == [None, IRIReference("")]


@pytest.mark.parametrize(
    ("values", "code", "position"),
    [
        *(({"url": "http://a/b c"}, "syntax", 10), ({"url": "//a/"}, "syntax", 0)),
        *(({"url": IRI("http://é/")}, "syntax", 7), ({"web": "ftp://a/"}, "scheme-not-allowed", 0)),
        ({"web": URI("http:///a")}, "host-missing", 7),
        ({"web": "http://a/" + 40 * "b"}, "too-long", 40),
        ({"urn": "urn:a"}, "scheme-syntax", 5),
    ],
)
def test_an_invalid_value_raises_a_statement_error_with_our_code_and_position(
    session: Session, values: dict[str, Any], code: str, position: int
) -> None:
    error = error_of(session, values)
    assert isinstance(error.orig, ParseError)
    assert (error.orig.code, error.orig.position) == (code, position)
    assert error.orig.reason in str(error)


def test_values_of_other_types_are_rejected(session: Session) -> None:
    assert isinstance(error_of(session, {"url": 1}).orig, TypeError)
    assert isinstance(error_of(session, {"url": b"http://a/"}).orig, TypeError)
    # An error shows no secrets if parameters are hidden.
    error = error_of(session, {"url": "http://me:hunter2@a b/"})
    assert "hunter2" not in str(error)
    assert "REDACTED" in str(error)
    # Updates are validated.
    session.add(Page(id=1, url=URI("http://a/")))
    session.flush()
    session.execute(update(Page).values(url="http://b/"))
    assert stored(session, "url") == ["http://b/"]
    with pytest.raises(StatementError):
        session.execute(update(Page).values(url="b"))


def test_an_invalid_string_in_the_database_raises_our_error(session: Session) -> None:
    session.execute(text("INSERT INTO page (id, url) VALUES (1, 'http://a/b c')"))
    with pytest.raises(ParseError) as caught:
        session.scalars(select(Page.url)).all()
    assert caught.value.position == 10
    assert session.scalars(select(type_coerce(Page.url, String))).all() == ["http://a/b c"]
    # A later constraint does not make existing rows unreadable.
    session.execute(text("UPDATE page SET url = NULL, web = 'ftp://a/'"))
    assert session.scalars(select(Page.web)).all() == [URI("ftp://a/")]


def test_columns_are_compared_with_strings_and_uris(session: Session) -> None:
    urls = ["http://a/1", "http://a/2", "https://b/%25"]
    session.add_all([Page(id=n, url=URI(url)) for n, url in enumerate(urls)])
    session.flush()

    def ids(condition: Any) -> list[int]:
        return list(session.scalars(select(Page.id).where(condition).order_by(Page.id)))

    assert ids(Page.url == urls[1]) == ids(Page.url == URI(urls[1])) == [1]
    assert (ids(literal(urls[1]) == Page.url), ids(Page.url != urls[1])) == ([1], [0, 2])
    assert (ids(Page.url == "not a URI"), ids(Page.url == IRI("http://é/"))) == ([], [])
    assert ids(Page.url.in_([urls[0], URI(urls[2])])) == [0, 2]
    assert (ids(Page.url.in_([URI(urls[0]), "not a URI"])), ids(Page.url.in_([]))) == ([0], [])
    assert (ids(Page.url.like("https:%")), ids(Page.url.startswith("http://a"))) == ([2], [0, 1])
    assert ids(Page.url.contains("%25", autoescape=True)) == [2]
    assert ids(Page.url < "http://a/2") == [0]
    assert ids(Page.url.between("http://a/2", URI("https://c"))) == [1, 2]
    assert ids(func.lower(Page.url) == "http://a/1") == [0]
    found = session.execute(
        select(func.max(Page.url), func.lower(Page.url).label("x")).group_by(Page.url)
    )
    assert {(type(row[0]), type(row[1])) for row in found} == {(URI, str)}
    assert session.scalars(select(Page.url + "/x").where(Page.id == 0)).all() == [
        URI("http://a/1/x")
    ]


def test_literal_values_are_quoted(engine: Engine) -> None:
    value = URI("http://a/it's")
    column = literal(value, URIType())
    compiled = select(column).compile(engine, compile_kwargs={"literal_binds": True})
    assert "'http://a/it''s'" in str(compiled)
    with engine.connect() as connection:
        assert connection.execute(text(str(compiled).replace(":", r"\:"))).scalar() == str(value)
        assert connection.execute(select(column)).scalar() == value


def test_a_uri_can_be_a_primary_key(session: Session) -> None:
    session.add_all([Link(url=URI(f"http://{name}/"), count=1) for name in "cab"])
    session.flush()
    session.expunge_all()
    link = session.get(Link, URI("http://a/"))
    assert link is not None
    assert link.count == 1
    link.count = 2
    session.flush()
    assert session.get(Link, URI("http://a/")) is link
    assert session.merge(Link(url=URI("http://b/"), count=5)).count == 5
    # Rows whose primary keys are typed can be updated together.
    session.add_all([Site(home=HTTPURI(f"http://{name}/"), count=1) for name in "cab"])
    session.flush()
    session.expunge_all()
    sites = session.scalars(select(Site)).all()
    for site in sites:
        site.count = 2
    session.flush()
    session.expunge_all()
    assert [site.count for site in session.scalars(select(Site))] == [2, 2, 2]


def test_the_database_type_depends_on_the_class_and_the_length(engine: Engine) -> None:
    expected: Any
    column: Any
    for column, expected in [
        *((URIType(), Text), (URIType(HTTPURI), Text), (URIType(length=9), String)),
        (URIType(constraints=Constraints(max_length=9)), String),
        *((URIType(IRI), UnicodeText), (URIType(IRIReference, length=9), Unicode)),
    ]:
        assert type(column.impl) is expected
        stored: Any = column.impl
        assert stored.length == column.length
    # A length limits the stored strings.
    columns: dict[str, Any] = {
        each["name"]: each["type"] for each in inspect(engine).get_columns("page")
    }
    assert columns["web"].length == 40
    assert columns["url"].length is None


def test_a_type_can_be_copied_pickled_and_evaluated() -> None:
    column: Any
    for column in [
        *(URIType(), URIType(IRI, length=7), URIType(HTTPURI, constraints=WEB)),
        URIType(constraints=Constraints(profile="strict", max_length=9)),
        URIType(constraints=Constraints(policy=Policy(allow=["*.a.example"], scopes=None))),
    ]:
        again: Any = eval(repr(column), {"uriverse": uriverse, "URIType": URIType})
        assert (again._static_cache_key, repr(again)) == (column._static_cache_key, repr(column))
    # A type can be copied and pickled.
    column = URIType(IRI, constraints=WEB, length=9)
    for again in (copy.copy(column), column.copy(), pickle.loads(pickle.dumps(column))):
        assert repr(again) == repr(column)
        assert again.process_bind_param("http://é/", None) == "http://é/"
        assert again.python_type is IRI

    # Statements are cached by the arguments of the type.
    def key(column: URIType[Any]) -> Any:
        return column._static_cache_key

    assert key(URIType()) == key(URIType(URI))
    assert key(URIType(constraints=WEB)) == key(
        URIType(constraints=Constraints(schemes=["https", "HTTP"], host_required=True))
    )
    different: list[URIType[Any]] = [
        *(URIType(), URIType(IRI), URIType(length=5), URIType(constraints=WEB))
    ]
    assert len({key(column) for column in different}) == 4


def test_alembic_writes_migrations_with_the_type(engine: Engine) -> None:
    pytest.importorskip("alembic", reason="needs alembic (pip install --group test-all)")
    from alembic.autogenerate import produce_migrations, render_python_code
    from alembic.migration import MigrationContext
    from alembic.operations import Operations

    metadata = MetaData()
    Table(
        "shelf",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("url", URIType(IRI, length=99)),
    )
    for table in Base.metadata.tables.values():
        table.to_metadata(metadata)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        upgrade = produce_migrations(context, metadata).upgrade_ops
        assert upgrade is not None
        code = render_python_code(upgrade)
        # Only the new table differs from the database.
        assert code.count("op.create_table") == 1
        assert "alter" not in code
        written = "uriverse.integrations.sqlalchemy.URIType(uriverse.IRI, length=99)"
        assert written in code
        import sqlalchemy as sa

        lines = "\n".join(line.strip() for line in code.splitlines())
        exec(lines, {"op": Operations(context), "sa": sa, "uriverse": uriverse})
        assert inspect(connection).has_table("shelf")
        connection.rollback()


def test_the_class_must_be_a_uri_type() -> None:
    wrong: Any = str
    with pytest.raises(TypeError, match="cls must be a URI type, not <class 'str'>"):
        URIType(wrong)
    wrong = WEB
    with pytest.raises(TypeError, match="cls must be a URI type"):
        URIType(wrong)
    # Every type has an entry in the annotation map.
    classes = {*TYPES, *list_typed_classes()}
    assert set(TYPE_ANNOTATION_MAP) == classes
    for cls, column in TYPE_ANNOTATION_MAP.items():
        assert column.python_type is cls
