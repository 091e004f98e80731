"""The video recordings that belong to records of the audit log, as far as the cameras are known."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterable, Mapping

from msgspec import Struct

from dashboards.ledger.acts import DeskRecord, OnAlert, Raised
from dashboards.ledger.dispute_acts import DisputeOpened, DisputeReviewed, Review
from dashboards.reader.tables import CamerasRow, cameras
from dashboards.replayer.videos import video_link
from dashboards.web.console import Console
from schemas.findings import Finding

_log = logging.getLogger("catwalk.console")


class Recording(Struct, frozen=True, kw_only=True):
    """Cameras, each with a link where the property has set one; from when on to look, and until when, where said."""

    cameras: tuple[tuple[str, str], ...]
    since: dt.datetime | None
    until: dt.datetime | None = None


def recordings(console: Console, records: Iterable[DeskRecord]) -> dict[int, Recording]:
    """Recordings by the number of their record; a store that is away leaves those of alerts unsaid."""
    found: dict[int, Recording] = {}
    of_alerts: dict[int, tuple[Finding, dt.datetime]] = {}
    for record in records:
        act = record.data
        if isinstance(act, DisputeOpened | DisputeReviewed) and act.review.camera:
            found[record.sequence] = _of_review(act.review)
        elif isinstance(act, Raised):
            of_alerts[record.sequence] = act.finding, act.decided_at
        elif isinstance(act, OnAlert) and (alert := console.desk.alert(act.alert)) is not None:
            of_alerts[record.sequence] = alert.finding, alert.decided_at
    watching = _watching(console, {finding.subject for finding, _ in of_alerts.values()})
    for sequence, (finding, at) in of_alerts.items():
        names = next(
            (row.cameras for row in watching.get(finding.subject, ()) if row.sequence <= finding.sequence), []
        )
        if names:
            where = at, finding.subject, finding.sequence
            shown = tuple((name, video_link(console.video, name, *where)) for name in names)
            found[sequence] = Recording(cameras=shown, since=at)
    return found


def _of_review(review: Review) -> Recording:
    return Recording(cameras=((review.camera or "", ""),), since=review.begun_at, until=review.ended_at)


def _watching(console: Console, subjects: set[str]) -> Mapping[str, list[CamerasRow]]:
    """Configurations of tables, the newest first."""
    told: dict[str, list[CamerasRow]] = {}
    if not subjects:
        return told
    try:
        for row in cameras(sorted(subjects)).ask(console.records):
            told.setdefault(row.subject, []).append(row)
    except Exception as error:  # whatever the store raises: the log is read without it
        _log.warning("cameras of tables cannot be had: %s", error)
    return told
