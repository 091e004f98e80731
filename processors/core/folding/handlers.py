"""What a handler of an event is, and the handlers that only note a fact."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from processors.core.anomaly import Anomaly
from processors.core.state import Table

Anomalies = tuple[Anomaly, ...]
Handler = Callable[[Table, int, Any], Anomalies | None]
"""Changes the table by one event, given its sequence and data; returns what of the record is amiss, if anything."""
Handlers = dict[type, Handler]
"""The handlers of one part of the play, by event type."""


def noted(owner: Callable[[Table, Any], Any], field: str, *parts: str, when: bool = True) -> Handler:
    """A handler that sets one field of the owner, if there is one, to what an event says.

    That is the event's fields called `parts`, then its sequence unless `when` is False: a tuple, or the only one.
    """

    def note(table: Table, sequence: int, data: Any) -> None:
        bearer = owner(table, data)
        if bearer is not None:
            said = (*(getattr(data, part) for part in parts), *((sequence,) if when else ()))
            setattr(bearer, field, said if len(said) > 1 else said[0])

    return note
