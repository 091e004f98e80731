"""Hands that were played while a device of their table failed: for the search, and for the page of one hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from msgspec import UNSET, Struct

from dashboards.filters.hand_terms import ANY_DEVICE, device_called
from dashboards.hands.hand import StoredRound
from dashboards.health.failures import Failure, failures_since
from dashboards.reader.newest import Stretch
from dashboards.reader.question import Reader
from dashboards.replayer.replay import Replay
from dashboards.wording.times import local_time
from schemas.amounts import amount

NEWEST = 2**32 - 1  # of the sequences that a stretch without an end takes in
_BEFORE = dt.timedelta(days=1)  # a stretch that began so long before is asked for too


class FailedDevice(Struct, frozen=True):
    """A device that failed while a hand was played: which, in a sentence from when to when, by which finding."""

    device: str
    says: str
    finding: str


class Doubts(Struct, frozen=True):
    """The devices that failed in a hand, what is known of it all the same, and what would settle the rest."""

    devices: tuple[FailedDevice, ...]
    known: str
    settles: str


def stretches_of(
    reader: Reader, device: str, table: str | None, since: dt.datetime, hidden: Collection[str]
) -> tuple[Stretch, ...]:
    """Where a device of this name failed since then, at one table or at all but the hidden ones."""
    wanted = device_called(device)
    return tuple(
        (one.table, one.since, NEWEST if one.until is None else one.until)
        for one in failures_since(reader, since - _BEFORE, table or "")
        if wanted in (ANY_DEVICE, device_called(one.device)) and one.table not in hidden
    )


def no_failure(device: str, table: str | None) -> str:
    """Why there is no hand."""
    what = "No device" if device_called(device) == ANY_DEVICE else f"No {device_called(device)}"
    return f"{what}{f' of {table}' if table else ''} was found to fail in the time that was looked through."


def failed_in(reader: Reader, stored: StoredRound, replay: Replay, zone: dt.tzinfo) -> Doubts | None:
    """The devices that failed while the hand was played; None where none was found to.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    if not replay.steps:
        return None
    began, ended = replay.steps[0].time, replay.steps[-1].time
    found = [
        one
        for one in failures_since(reader, began - _BEFORE, stored.subject)
        if one.since <= stored.last and (one.until is None or one.until >= stored.first)
    ]
    if not found:
        return None
    return Doubts(
        tuple(FailedDevice(one.device, _says(one, zone), one.finding) for one in found),
        _known(stored, replay),
        _settles(stored, replay, local_time(began, zone), local_time(ended, zone)),
    )


def _says(one: Failure, zone: dt.tzinfo) -> str:
    what = f"{one.device.capitalize()} ({one.words})"
    begun = f"event {one.since} ({local_time(one.since_at, zone)})"
    if one.until is None or one.over_at is None:
        return f"{what}: {one.state} since {begun}, and not found in order again."
    return f"{what}: failed from {begun} to event {one.until} ({local_time(one.over_at, zone)})."


def _known(stored: StoredRound, replay: Replay) -> str:
    """How many cards which devices saw, and whether the round was decided."""
    by = [one.by for one in replay.cards]
    shoe, layout = sum(one.shoe is not None for one in by), sum(one.layout is not None for one in by)
    rack = sum(one.rack is not None for one in by)
    unseen = sum(one.shoe is None and one.layout is None and one.rack is None for one in by)
    said = "No card of a hand is known."
    if by:
        said = f"Seen of the {amount(len(by), 'card')} of the hands: {shoe} by the shoe, {layout} by the layout, "
        said += f"{rack} by the discard rack; {f'{unseen} by none of them' if unseen else 'each by one at least'}."
    status = stored.row.status if stored.row is not None else ""
    return f"{said} The round is {status} all the same." if status in ("consistent", "breached") else said


def _settles(stored: StoredRound, replay: Replay, began: str, ended: str) -> str:
    """What is open, and the cameras over the table with the times of the hand; empty where nothing is."""
    result = replay.result
    if stored.is_going_on or result is None:
        return ""
    words = result.words_missing if result.words_missing is not UNSET else ()
    missing = [*result.missing, *words]
    undecided = stored.row is not None and stored.row.status == "indeterminate"
    if not missing and not undecided:
        return "Nothing is left open by it."
    left = "; ".join(dict.fromkeys(missing)) or "the verdict"
    config = stored.table().config
    cameras = tuple(config.cameras or ()) if config is not None else ()
    if not cameras:
        return f"Left open: {left}. No camera is configured for this table."
    by = f"{'cameras' if len(cameras) > 1 else 'camera'} {' and '.join(cameras)}"
    return f"Left open: {left}. The recording of {by} from {began} to {ended} would settle it."
