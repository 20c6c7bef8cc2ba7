"""A web service that stores bookmarks: FastAPI, SQLModel, and fields of uriverse.

Install the packages, and start the service:

    pip install "uriverse[pydantic,sqlalchemy]" "fastapi[standard]" sqlmodel
    fastapi dev bookmarks.py
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Depends, FastAPI, Query
from sqlalchemy.pool import StaticPool
from sqlmodel import Field, Session, SQLModel, create_engine, select

from uriverse import HTTPURI, IRI
from uriverse.integrations.constraints import Constraints
from uriverse.integrations.sqlalchemy import URIType

WEB = Constraints(schemes={"https"}, profile="web", max_length=2000)


class NewBookmark(SQLModel):
    """The body of a request."""

    title: str
    page: Annotated[HTTPURI, WEB] = Field(sa_type=URIType(HTTPURI, WEB))
    translation: IRI | None = Field(None, sa_type=URIType(IRI))


class Bookmark(NewBookmark, table=True):
    """A row of the table, and the body of a response."""

    id: int | None = Field(None, primary_key=True)


# The errors of SQLAlchemy show the parameters of a statement, which may contain secrets.
engine = create_engine(
    "sqlite://",
    connect_args={"check_same_thread": False},
    poolclass=StaticPool,
    hide_parameters=True,
)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Create the table when the service starts."""
    SQLModel.metadata.create_all(engine)
    yield


def session() -> Iterator[Session]:
    """Open a session for one request."""
    with Session(engine) as opened:
        yield opened


app = FastAPI(title="Bookmarks", lifespan=lifespan)
OpenSession = Annotated[Session, Depends(session)]


@app.post("/bookmarks", status_code=201)
def add(new: NewBookmark, session: OpenSession) -> Bookmark:
    """Store a bookmark."""
    bookmark = Bookmark.model_validate(new)
    session.add(bookmark)
    session.commit()
    session.refresh(bookmark)
    return bookmark


@app.get("/bookmarks")
def find(page: Annotated[HTTPURI, Query()], session: OpenSession) -> list[Bookmark]:
    """Find the bookmarks of a page."""
    return list(session.exec(select(Bookmark).where(Bookmark.page == page)))
