"""Per check: how many alerts were raised, how they were closed, and how long they waited."""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from dashboards.desk.alerts import Alert
from schemas.check_names import current


class Waited(Struct, frozen=True, kw_only=True):
    """How long alerts waited, in seconds: the median and the time within which nine of ten were done; None for none."""

    counted: int
    median: float | None
    within_90: float | None


class CheckFigures(Struct, frozen=True, kw_only=True):
    """Alerts of one check that were raised in a time, as they stand now.

    `closed` counts by what they were closed as. `until_taken` is from being raised to being acknowledged,
    `until_closed` to being closed, each of those that were; what is open and not acknowledged is in neither.
    """

    check: str
    raised: int
    open: int
    unacknowledged: int
    closed: dict[str, int]
    until_taken: Waited
    until_closed: Waited


def figures_by_check(alerts: Iterable[Alert]) -> tuple[CheckFigures, ...]:
    """The figures of every check that raised one of these, most alerts first."""
    held: dict[str, list[Alert]] = {}
    for alert in alerts:
        held.setdefault(current(alert.finding.check), []).append(alert)
    found = (_of(check, members) for check, members in held.items())
    return tuple(sorted(found, key=lambda one: (-one.raised, one.check)))


def _of(check: str, alerts: Sequence[Alert]) -> CheckFigures:
    return CheckFigures(
        check=check,
        raised=len(alerts),
        open=sum(alert.open for alert in alerts),
        unacknowledged=sum(alert.status == "new" for alert in alerts),
        closed=dict(Counter(alert.disposition or "" for alert in alerts if not alert.open).most_common()),
        until_taken=waited((alert.acknowledged_at, alert.raised_at) for alert in alerts),
        until_closed=waited((alert.closed_at, alert.raised_at) for alert in alerts),
    )


def waited(ends: Iterable[tuple[dt.datetime | None, dt.datetime]]) -> Waited:
    """How long it was from each beginning to its end, where there is one; quantiles by nearest rank."""
    seconds = sorted((end - begun).total_seconds() for end, begun in ends if end is not None)
    return Waited(counted=len(seconds), median=_quantile(seconds, 0.5), within_90=_quantile(seconds, 0.9))


def _quantile(ordered: Sequence[float], share: float) -> float | None:
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def spoken(seconds: float | None) -> str:
    """A time as people say it: `3 min 20 s`; a dash where there is none."""
    if seconds is None:
        return "–"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
