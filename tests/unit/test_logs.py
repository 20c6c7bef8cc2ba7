"""Log records and span attributes without the secrets of URIs."""

from __future__ import annotations

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
    """Return a logger, and a function that returns what it has written."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(RedactingFilter())
    logger = logging.getLogger(__name__)
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)
    yield logger, stream.getvalue
    logger.removeHandler(handler)
    handler.close()


def test_messages_are_redacted(log: Log) -> None:
    logger, written = log
    logger.info("open " + URL)  # noqa: G003 - a message without arguments
    assert written() == f"open {SHOWN}\n"


@pytest.mark.parametrize("url", [URL, URI(URL)])
def test_arguments_are_redacted(log: Log, url: object) -> None:
    logger, written = log
    logger.info("%d: open %s (%s)", 3, url, None)
    logger.info("open %(url)s", {"url": url})
    assert written() == f"3: open {SHOWN} (None)\nopen {SHOWN}\n"


def test_secrets_between_the_message_and_its_arguments_are_redacted(log: Log) -> None:
    logger, written = log
    logger.info("open https://h/?token=%s", "1234")
    assert written() == "open https://h/?token=REDACTED\n"


def test_arguments_without_secrets_are_kept_for_formatters() -> None:
    record = logging.makeLogRecord({"msg": "%s %d", "args": (URL, 200)})
    assert RedactingFilter().filter(record)
    assert record.args == (SHOWN, 200)
    assert record.msg == "%s %d"


def test_arguments_that_do_not_fit_the_message_are_shown_without_secrets(log: Log) -> None:
    logger, written = log
    logger.info("open %s %s", URL)  # noqa: PLE1206 - the mistake that is tested
    assert written() == f"open %s %s (arguments that do not fit: ({SHOWN!r},))\n"


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
    record = logging.makeLogRecord({"msg": "failed", "exc_info": found, "exc_text": f"E {URL}"})
    RedactingFilter().filter(record)
    assert record.exc_info is None
    assert record.exc_text == f"E {SHOWN}"


def test_secrets_in_paths_are_replaced_on_request() -> None:
    text = "open /webhooks/1000/k3y0k3y1k3y2k3y3"
    record = logging.makeLogRecord({"msg": text})
    RedactingFilter().filter(record)
    assert record.getMessage() == text
    RedactingFilter(paths=True).filter(record)
    assert record.getMessage() == "open /webhooks/1000/REDACTED"


def test_attributes_of_records_are_redacted() -> None:
    added = {"url": URI(URL), "count": 3, "text": "a", "all": {"urls": [URL], "n": (1, None)}}
    record = logging.makeLogRecord({"msg": "open", "taskName": f"get {URL}", **added})
    RedactingFilter(usernames=True).filter(record)
    shown = SHOWN.replace("me", "REDACTED", 1)
    assert vars(record)["url"] == shown
    assert vars(record)["taskName"] == f"get {shown}"
    assert (vars(record)["count"], vars(record)["text"]) == (3, "a")
    assert vars(record)["all"] == {"urls": [shown], "n": (1, None)}


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
    record = logging.makeLogRecord({"msg": "", "shared": shared})
    RedactingFilter().filter(record)
    redacted = vars(record)["shared"]
    for _ in range(60):
        assert redacted[0] is redacted[1]
        redacted = redacted[0]
    assert redacted == [SHOWN]


def test_octets_that_are_not_utf_8_are_redacted(log: Log) -> None:
    logger, written = log
    logger.info("%s", b"https://me:\xffpw@h/")
    assert written() == "b'https://me:REDACTED@h/'\n"


def test_keys_are_redacted() -> None:
    extra: dict[Any, Any] = {URL: 1, "nested": [{URL: {(URI(URL), 2): 3}}], 4: 5}
    logger = logging.getLogger(__name__)
    record = logger.makeRecord("a", logging.INFO, "b", 1, "open", (), None, extra=extra)
    RedactingFilter().filter(record)
    attributes: dict[Any, Any] = vars(record)
    assert (attributes[SHOWN], attributes[4]) == (1, 5)
    assert attributes["nested"] == [{SHOWN: {(SHOWN, 2): 3}}]
    assert "1234" not in repr(attributes)


def test_mappings_of_other_types_are_redacted_as_dictionaries(log: Log) -> None:
    logger, written = log
    logger.info("open %(url)s", MappingProxyType({"url": URL}))
    assert written() == f"open {SHOWN}\n"
    harmless = MappingProxyType({"a": 1})
    record = logging.makeLogRecord({"msg": "open", "a": harmless})
    RedactingFilter().filter(record)
    assert vars(record)["a"] is harmless


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
    record = logging.makeLogRecord({"msg": leaking, "a": leaking, "b": harmless, "c": (leaking,)})
    RedactingFilter().filter(record)
    assert vars(record)["b"] is harmless
    assert all(
        type(value) is str for value in (record.msg, vars(record)["a"], vars(record)["c"][0])
    )
    assert "1234" not in f"{vars(record)} {record.msg}"


class Port(int):
    def __repr__(self) -> str:
        return f"{URL}:{int(self)}"


class Seconds(float):
    def __str__(self) -> str:
        return URL


class Harmless(int):
    pass


def test_numbers_whose_strings_have_secrets_become_plain_numbers(log: Log) -> None:
    logger, written = log
    logger.info("%d %s %r %.1f %s", Port(80), Port(80), Port(80), Seconds(1.5), Seconds(1.5))
    assert written() == "80 80 80 1.5 1.5\n"
    extra = {"port": Port(80), "all": [Seconds(1.5)], "other": Harmless(3), "flag": True}
    record = logging.makeLogRecord({"msg": "open", **extra})
    RedactingFilter().filter(record)
    found = vars(record)
    assert [type(found["port"]), type(found["all"][0])] == [int, float]
    assert (found["port"], found["all"], found["flag"]) == (80, [1.5], True)
    assert type(found["other"]) is Harmless


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
    record = logging.makeLogRecord({"msg": harmless})
    RedactingFilter().filter(record)
    assert record.msg is harmless


def test_query_parameters_are_redacted(log: Log) -> None:
    logger, written = log
    params = URI(URL).params
    logger.info("%s %s %s", params, [params], URI("a:?b").params)
    assert written() == "token=REDACTED&page=2 ['token=REDACTED&page=2'] b\n"


def test_messages_that_are_collections_keep_their_structure() -> None:
    record = logging.makeLogRecord({"msg": {"url": URL, "status": 200}})
    RedactingFilter().filter(record)
    assert record.msg == {"url": SHOWN, "status": 200}


def test_span_attributes_have_no_credentials() -> None:
    assert url_attributes("https://example.org/#a?b=c") == {
        "url.full": "https://example.org/#a?b=c"
    }
    assert url_attributes("https://u:p@[::1/?") == {
        "url.full": "https://REDACTED:REDACTED@[::1/?",
        "url.query": "",
    }
