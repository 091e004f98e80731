"""Structured logs of the workers: one JSON object a line on stderr, and no card, patron or payload in any of them.

Our own lines carry declared fields alone. Lines of the client libraries are cut short, and an exception is logged by
its type and where it rose, never by its text, which may quote a record.
"""

from __future__ import annotations

import datetime as dt
import logging
import traceback
from typing import IO, Any, Final

import msgspec

_ENCODE = msgspec.json.Encoder(enc_hook=str).encode
_OURS: Final = "catwalk"
_LIBRARIES: Final = {
    "faust": logging.WARNING,
    "aiokafka": logging.ERROR,
    "mode": logging.ERROR,
    "asyncio": logging.ERROR,
    "kafka": logging.CRITICAL,  # our code catches its errors and reports them itself
    "clickhouse_driver": logging.CRITICAL,
}
_MOST: Final = 300  # characters of a library's line
FIELDS: Final = frozenset(
    {"worker", "partition", "partitions", "topic", "offset", "next_offset", "until", "committed", "records", "events",
     "tables", "seconds", "bytes", "attempt", "what", "error", "why", "kind", "check", "verdict", "rows", "port",
     "group", "generation", "fold_version", "origin", "missing", "behind", "name"}
)  # fmt: skip


class JsonLines(logging.Formatter):
    """A record as one JSON object: `at`, `level`, `worker`, `event`, then its fields."""

    def __init__(self, worker: str) -> None:
        super().__init__()
        self._worker = worker

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        at = dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "worker": self._worker}
        fields = getattr(record, "fields", None)
        if fields is not None:
            line["event"] = record.getMessage()
            line.update(fields)
        else:
            line["event"] = "library"
            line["library"] = record.name
            line["said"] = _first_line(record)
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = record.exc_info[0].__name__
            line["rose"] = [
                f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}"
                for frame in traceback.extract_tb(record.exc_info[2])[-6:]
            ]
        return _ENCODE(line).decode()


def _first_line(record: logging.LogRecord) -> str:
    try:
        text = record.getMessage()
    except Exception:  # a library's wrong format string must not end the worker
        text = str(record.msg)
    return text.strip().partition("\n")[0][:_MOST]


class Log:
    """A worker's own log: a short name for what happened, and fields that are declared in `FIELDS`."""

    def __init__(self, worker: str) -> None:
        self._logger = logging.getLogger(f"{_OURS}.{worker}")

    def info(self, event: str, **fields: object) -> None:
        """Something happened that an operator may want to know."""
        self._say(logging.INFO, event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """Something is wrong, and the worker deals with it."""
        self._say(logging.WARNING, event, fields)

    def error(self, event: str, **fields: object) -> None:
        """Something needs a person."""
        self._say(logging.ERROR, event, fields)

    def _say(self, level: int, event: str, fields: dict[str, object]) -> None:
        undeclared = fields.keys() - FIELDS
        if undeclared:
            raise ValueError(f"undeclared log fields: {', '.join(sorted(undeclared))}")
        self._logger.log(level, event, extra={"fields": fields})


def write_logs(worker: str, stream: IO[str]) -> None:
    """Send every log line of this process to `stream` as JSON; call it once, when the process starts."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines(worker))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger(_OURS).setLevel(logging.INFO)
    for library, least in _LIBRARIES.items():
        logging.getLogger(library).setLevel(least)


def quiet() -> None:
    """Let libraries and our own attempts say nothing: for commands that say, in one line, what could not be done."""
    for library in (*_LIBRARIES, _OURS):
        logger = logging.getLogger(library)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
