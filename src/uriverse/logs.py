"""Keep the secrets of URIs out of log records and traces."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any, cast

from . import _redaction
from ._spec.components import split
from ._uri import engine as _engine
from ._uri.params import Params

__all__ = ["RedactingFilter", "url_attributes"]
__dir__ = __all__.copy


class RedactingFilter(logging.Filter):
    """A logging filter that replaces the secrets of URIs in log records.

    Add the filter to each handler: filters of a logger do not apply to the loggers below it. The
    filter changes the record itself, so other handlers of the same logger may receive the changed
    record. No record is discarded.

    Secrets are replaced in the message and its arguments, in tracebacks, and in all other
    attributes of the record, such as those that `extra` adds, also in nested lists, tuples and
    mappings and in their keys. An object whose `str()`, `repr()` or `format()` contains a secret
    becomes a string. Tracebacks become strings as well: `exc_info` is set to `None`.
    `uriverse.redact` lists the secrets that are recognized.

    Args:
        usernames: whether to replace user names as well.
        paths: whether to replace secrets in paths as well, such as the keys of webhooks.

    >>> import sys
    >>> handler = logging.StreamHandler(sys.stdout)
    >>> handler.addFilter(RedactingFilter())
    >>> logger = logging.getLogger("example")
    >>> logger.addHandler(handler)
    >>> logger.warning("cannot open %s", "https://me:pw@example.org/?token=1234")
    cannot open https://me:REDACTED@example.org/?token=REDACTED
    """

    def __init__(self, *, usernames: bool = False, paths: bool = False) -> None:
        super().__init__()
        self.usernames = usernames
        self.paths = paths

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace the secrets in a record, and return true.

        Args:
            record: the record to change.

        >>> record = logging.makeLogRecord({"msg": "open %s", "args": ("//me:pw@a",)})
        >>> RedactingFilter().filter(record), record.args
        (True, ('//me:REDACTED@a',))
        """
        # Some formatters read the message and the arguments. They are kept unless only the
        # formatted message contains a secret.
        if type(record.msg) is not str:
            record.msg = self._replace_if_secret(record.msg)
        record.args = self._replace_if_secret(record.args)
        try:
            text = record.getMessage()
        except Exception:  # noqa: BLE001 - logging must not stop the program
            # The handler would print the message and the arguments with their secrets.
            message = self._replace_if_secret(record.msg)
            text = f"{message} (arguments that do not fit: {record.args!r})"
            record.msg, record.args = text, None
        redacted = self._replace_if_secret(text)
        if redacted != text:
            record.msg, record.args = redacted, None
        if isinstance(record.exc_info, tuple):
            if not record.exc_text:
                record.exc_text = logging.Formatter().formatException(record.exc_info)
            # A formatter would format the exception again, with its secrets.
            record.exc_info = None
        attributes = vars(record)
        for name in [*attributes]:
            if name not in {"msg", "args", "exc_info"}:
                redacted_name = self._replace_if_secret(name)
                if redacted_name is not name:
                    attributes[redacted_name] = attributes.pop(name)
                attributes[redacted_name] = self._replace_if_secret(attributes[redacted_name])
        return True

    def _replace_if_secret(
        self, value: object, seen: dict[int, tuple[object, object]] | None = None
    ) -> Any:
        """Replace secrets in an object; `seen` has results for collections, by their `id`."""
        kind = type(value)
        if value is None or kind in {bool, int, float}:
            return value
        seen = {} if seen is None else seen
        key, original = id(value), value
        if key in seen:
            return seen[key][1]
        try:
            if kind in {list, tuple} or isinstance(value, dict):
                seen[key] = original, "..."  # for a collection that contains itself
                if isinstance(value, dict):
                    mapping = cast("dict[object, object]", value)
                    collection: object = self._build_redacted_dict(mapping, seen)
                else:
                    members = cast("Iterable[object]", value)
                    redacted_members = (self._replace_if_secret(member, seen) for member in members)
                    collection = cast("Any", kind)(redacted_members)
                seen[key] = original, collection
                return collection
            if isinstance(value, Params):
                return _redaction.redact_component("query", str(value))
            # A formatter may use any of these strings; `json` writes the content of a `str`.
            strings = [str.__str__(value)] if isinstance(value, str) else []
            strings += [] if kind is str else [f"{value}", str(value), repr(value)]
            options = {"usernames": self.usernames, "paths": self.paths}
            redacted_strings = [_engine.redact(text, **options) for text in strings]
            if redacted_strings == strings:
                return value
            if isinstance(value, Mapping):
                return self._build_redacted_dict(cast("Mapping[object, object]", value), seen)
        except Exception as error:  # noqa: BLE001 - logging must not stop the program
            return f"<unreadable {kind.__name__}: {type(error).__name__}>"
        # The message may contain `%d`, which requires a number.
        if isinstance(value, int):
            return int.__int__(value)
        return float.__float__(value) if isinstance(value, float) else redacted_strings[0]

    def _build_redacted_dict(
        self, mapping: Mapping[object, object], seen: dict[int, tuple[object, object]]
    ) -> dict[object, object]:
        return {
            self._replace_if_secret(name, seen): self._replace_if_secret(value, seen)
            for name, value in mapping.items()
        }


def url_attributes(url: str | _engine.Identifier, /) -> dict[str, str]:
    """Return the attributes `url.full` and `url.query` of an OpenTelemetry span, without secrets.

    User names are replaced as well, as the [semantic conventions][1] require.

    [1]: https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/

    Args:
        url: a URI or an IRI, valid or not.

    Returns:
        The attributes by name; `url.query` is missing if the URL has no query.

    Raises:
        TypeError: `url` is neither a `str` nor one of the four URI types.

    >>> url_attributes("https://me:pw@example.org/?sig=1234")
    {'url.full': 'https://REDACTED:REDACTED@example.org/?sig=REDACTED', 'url.query': 'sig=REDACTED'}
    """
    full = _engine.redact(url, usernames=True)
    query = split(full).query
    return {"url.full": full} | ({} if query is None else {"url.query": query})
