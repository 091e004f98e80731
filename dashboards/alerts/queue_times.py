"""The clock by which times in the filter of the alerts are read: the page's own, counted back from the newest round."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Sequence

from dashboards.alerts.queue_order import zone_of
from dashboards.filters.clocks import Clock
from dashboards.filters.when import AskedTime, asked_time
from dashboards.queue.views import AlertRow
from dashboards.reader.search import span_of_rounds
from dashboards.web.console import Console
from dashboards.wording.times import zone_called

_log = logging.getLogger("catwalk.console")


def clock_of(console: Console, rows: Callable[[], Sequence[AlertRow]]) -> Clock:
    """Reads a time by the zone of these alerts' tables; `15 min ago` counts back from the newest round or alert.

    They are asked for where a filter names a time, which few do.
    """

    def read(text: str) -> tuple[AskedTime, dt.tzinfo]:
        alerts = rows()
        zone = zone_called(zone_of(console, (one.table for one in alerts)))
        return asked_time(text, zone, _newest(console, alerts)), zone

    return read


def _newest(console: Console, rows: Sequence[AlertRow]) -> dt.datetime:
    """The newest moment on record; where there is none, now."""
    known = [one.event_at for one in rows]
    try:
        known += [span.last for span in span_of_rounds().ask(console.records) if span.rounds]
    except Exception as error:  # whatever the store raises: alerts have times of their own
        _log.info("the newest round is not known: %s", error)
    return max(known, default=console.clock())
