"""What a handler of an event is."""

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
