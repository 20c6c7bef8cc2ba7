import io
import json
import logging
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any

import pytest

from uriverse import URI
from uriverse.logs import RedactingFilter, url_attributes

URL = "https://me:pw@example.org/?token=1234&page=2"
SHOWN = "https://me:REDACTED@example.org/?token=REDACTED&page=2"

Log = tuple[logging.Logger, Callable[[], str]]


@pytest.fixture
def log() -> Iterator[Log]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(RedactingFilter())
    logger = logging.getLogger(__name__)
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield logger, stream.getvalue
    logger.removeHandler(handler)
    handler.close()


class Port(int):
    def __repr__(self) -> str:
        return f"{URL}:{int(self)}"


class Seconds(float):
    def __str__(self) -> str:
        return URL


class Harmless(int):
    pass


PORT, SECONDS, PARAMS = Port(80), Seconds(1.5), URI(URL).params

#: Messages with their arguments, and what is written.
MESSAGES: list[tuple[str, tuple[Any, ...], str]] = [
    ("open " + URL, (), f"open {SHOWN}"),
    *(("%d: open %s (%s)", (3, url, None), f"3: open {SHOWN} (None)") for url in (URL, URI(URL))),
    *(("open %(url)s", ({"url": url},), f"open {SHOWN}") for url in (URL, URI(URL))),
    ("open %(url)s", (MappingProxyType({"url": URL}),), f"open {SHOWN}"),
    # A secret between the message and its arguments.
    ("open https://h/?token=%s", ("1234",), "open https://h/?token=REDACTED"),
    ("open %s %s", (URL,), f"open %s %s (arguments that do not fit: ({SHOWN!r},))"),
    # Not UTF-8.
    ("%s", (b"https://me:\xffpw@h/",), "b'https://me:REDACTED@h/'"),
    # Numbers whose strings have secrets become plain numbers.
    ("%d %s %r %.1f %s", (PORT, PORT, PORT, SECONDS, SECONDS), "80 80 80 1.5 1.5"),
    (
        *("%s %s %s", (PARAMS, [PARAMS], URI("a:?b").params)),
        "token=REDACTED&page=2 ['token=REDACTED&page=2'] b",
    ),
]


@pytest.mark.parametrize(("message", "arguments", "expected"), MESSAGES)
def test_messages_and_arguments_are_redacted(
    log: Log, message: str, arguments: tuple[Any, ...], expected: str
) -> None:
    logger, written = log
    logger.info(message, *arguments)
    assert written() == f"{expected}\n"


def filter_record(options: dict[str, bool] | None = None, **fields: Any) -> Any:
    record = logging.makeLogRecord({"msg": "open", **fields})
    assert RedactingFilter(**options or {}).filter(record)
    return record


HARMLESS = MappingProxyType({"a": 1})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((URI(URL), SHOWN), ({"urls": [URL], "n": (1, None)}, {"urls": [SHOWN], "n": (1, None)})),
        *(([{URL: {(URI(URL), 2): 3}}], [{SHOWN: {(SHOWN, 2): 3}}]), (PORT, 80)),
        ([SECONDS], [1.5]),
        *((value, value) for value in (True, 3, Harmless(3), "a", HARMLESS)),
    ],
)
def test_attributes_of_records_are_redacted(value: Any, expected: Any) -> None:
    for record in (filter_record(added=value), filter_record(msg=value, added=value)):
        assert record.added == expected
        # Times and process numbers may contain the same digits as the secret.
        texts = [field for field in vars(record).values() if not isinstance(field, int | float)]
        assert "1234" not in repr(texts)
        assert (record.added is value) is (value is expected)
        assert not isinstance(record.added, Port)
    assert record.msg == expected
    extra: dict[Any, Any] = {URL: 1, 4: 5}
    logger = logging.getLogger(__name__)
    record = logger.makeRecord("a", logging.INFO, "b", 1, "open", (), None, extra=extra)
    RedactingFilter().filter(record)
    assert extra.keys() & vars(record) == {4}
    assert vars(record)[SHOWN] == 1


def test_options_of_the_filter_are_those_of_redact() -> None:
    shown = SHOWN.replace("me", "REDACTED", 1)
    record = filter_record({"usernames": True}, taskName=f"get {URL}", url=URI(URL))
    assert (record.taskName, record.url) == (f"get {shown}", shown)
    text = "open /webhooks/1000/k3y0k3y1k3y2k3y3"
    assert filter_record(msg=text).getMessage() == text
    found = filter_record({"paths": True}, msg=text).getMessage()
    assert found == "open /webhooks/1000/REDACTED"


def test_arguments_without_secrets_are_kept_for_formatters() -> None:
    record = filter_record(msg="%s %d", args=(URL, 200))
    assert (record.msg, record.args) == ("%s %d", (SHOWN, 200))


class Unreadable:
    def __str__(self) -> str:
        raise LookupError


@pytest.mark.parametrize("arguments", [(Unreadable(),), (float("inf"),), ({"a": Unreadable()},)])
def test_objects_that_cannot_be_formatted_do_not_stop_the_program(
    log: Log, arguments: tuple[object, ...]
) -> None:
    logger, written = log
    logger.info("%d", *arguments, extra={"nested": arguments, "other": Unreadable()})
    assert written().startswith("%d (arguments that do not fit: ")


def test_tracebacks_are_redacted(log: Log) -> None:
    logger, written = log
    try:
        raise ValueError(URL)  # noqa: TRY301
    except ValueError:
        logger.exception("failed", stack_info=True)
    assert f"ValueError: {SHOWN}" in written()
    assert "1234" not in written()
    assert "Stack (most recent call last)" in written()


def test_formatters_do_not_see_exceptions_with_secrets() -> None:
    try:
        raise ValueError(URL)  # noqa: TRY301
    except ValueError as error:
        found = (type(error), error, error.__traceback__)
    record = filter_record(msg="failed", exc_info=found, exc_text=f"E {URL}")
    assert record.exc_info is None
    assert record.exc_text == f"E {SHOWN}"


def test_collections_that_contain_themselves_do_not_stop_the_program(log: Log) -> None:
    logger, written = log
    endless: list[object] = [URL]
    endless.append(endless)
    mapping: dict[str, object] = {"url": URL}
    mapping["self"] = mapping
    logger.info("%s %s", endless, [mapping])
    assert written() == f"[{SHOWN!r}, '...'] [{{'url': {SHOWN!r}, 'self': '...'}}]\n"


def test_arguments_that_are_nested_too_deeply_do_not_stop_the_program(log: Log) -> None:
    logger, written = log
    deep: list[object] = [URL]
    for _ in range(100_000):
        deep = [deep]
    logger.info("%s %s", *[deep])
    assert written().startswith("%s %s (arguments that do not fit: ([[[[")
    assert "pw" not in written()


def test_collections_that_occur_many_times_are_redacted_once() -> None:
    shared: list[object] = [URL]
    for _ in range(60):
        shared = [shared, shared]
    record = filter_record(msg="", shared=shared)
    redacted = vars(record)["shared"]
    for _ in range(60):
        assert redacted[0] is redacted[1]
        redacted = redacted[0]
    assert redacted == [SHOWN]


class Shown:
    """An object with a URL in some of its strings."""

    def __init__(self, *, text: str = "a", represented: str = "b", formatted: str = "c") -> None:
        self.text = text
        self.represented = represented
        self.formatted = formatted

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.represented

    def __format__(self, specification: str) -> str:
        return self.formatted


@pytest.mark.parametrize("form", ["text", "represented", "formatted"])
def test_objects_are_redacted_if_any_of_their_strings_has_a_secret(log: Log, form: str) -> None:
    logger, written = log
    leaking: Any = Shown(**{form: URL})
    harmless = Shown()
    logger.info("%r %s", leaking, [leaking])
    assert "1234" not in written()
    record = filter_record(msg=leaking, a=leaking, b=harmless, c=(leaking,))
    assert vars(record)["b"] is harmless
    assert all(
        type(value) is str for value in (record.msg, vars(record)["a"], vars(record)["c"][0])
    )
    assert "1234" not in f"{vars(record)} {record.msg}"


class Named(str):
    """A string with a URL as its content, which `str()` and `repr()` hide, but `json` does not."""

    __slots__ = ()

    def __str__(self) -> str:
        return "a"

    __repr__ = __str__


class Represented(str):
    __slots__ = ()

    def __repr__(self) -> str:
        return URL


def test_strings_of_other_types_are_redacted() -> None:
    for given in (Named(URL), Represented("a")):
        extra: dict[Any, Any] = {"a": given, given: 1, "b": {given: [given]}}
        record = logging.makeLogRecord({"msg": given, **extra})
        RedactingFilter().filter(record)
        assert "1234" not in json.dumps(vars(record)) + repr(vars(record))
    harmless = Named("b")
    record = filter_record(msg=harmless)
    assert record.msg is harmless


def test_span_attributes_have_no_credentials() -> None:
    assert url_attributes("https://example.org/#a?b=c") == {
        "url.full": "https://example.org/#a?b=c"
    }
    assert url_attributes("https://u:p@[::1/?") == {
        "url.full": "https://REDACTED:REDACTED@[::1/?",
        "url.query": "",
    }
